"""A shoe solved under a commission, in any model: all equilibria, or one equilibrium if there are too many to search.
Each has a certificate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from counting.cards import Shoe, as_shoe
from counting.chemin.charged import Charged, Linear
from counting.chemin.commission import Equilibrium, all_equilibria, commission_share
from counting.chemin.commission_certificate import CommissionCertificate, check_commission
from counting.chemin.game import CheminGame
from counting.chemin.path import nash
from counting.chemin.rules import CLASSICAL, BankerCell, CheminRules, PlayerCell


@dataclass(frozen=True, eq=False)
class CommissionSolution:
    """A shoe solved under a commission. `equilibria` holds all Nash equilibria. It is None if there are too many to
    search, or if no search was asked for. `certificates` holds a certificate for the `plays` and `replies` of each of
    the `equilibria`, in order. If `equilibria` is None, there is one certificate, of the equilibrium that complementary
    pivoting found."""

    game: CheminGame
    commission: Fraction
    equilibria: tuple[Equilibrium, ...] | None
    certificates: tuple[CommissionCertificate, ...]

    def check(self) -> None:
        """Check each certificate by dealing the cards again, without the solver's code. Raises `InputError` if one is
        wrong."""
        for certificate in self.certificates:
            check_commission(certificate, self.game.shoe, self.game.model.name, self.game.rules)


def under_commission(
    shoe: Shoe | str,
    model: str = "B3",
    rules: CheminRules = CLASSICAL,
    commission: Fraction | str = Fraction(1, 20),
    search: bool = True,
) -> CommissionSolution:
    """Solve a shoe with a commission on Banker's wins; without `search`, find one equilibrium only.

    Raises `InputError` as `solve` does, and for a commission that is not a share.
    """
    shoe = as_shoe(shoe)
    rate = commission_share(commission)
    game = CheminGame.of(shoe, model, rules)
    charged = Charged(game, rate)
    every = all_equilibria(charged) if search else None
    plays = [_pivoted(charged)] if every is None else [(each.plays, each.replies) for each in every]
    return CommissionSolution(game, rate, every, tuple(_certificate(charged, rate, *both) for both in plays))


def _pivoted(charged: Charged) -> tuple[dict[PlayerCell, Fraction], dict[BankerCell, Fraction]]:
    """One equilibrium, by complementary pivoting. In a cell in which one move is never worse, whatever Player does,
    Banker makes this move."""
    replies: dict[BankerCell, Fraction] = {}
    worth, opened = list(charged.net), []
    for cell in charged.free:
        constant, *steps = cell.costs
        low, high = (constant + sum(end(step, 0) for step in steps) for end in (min, max))
        replies[cell.cell] = Fraction(low < 0)
        move = cell.draw if low < 0 and high <= 0 else cell.stand
        worth = [w + e for w, e in zip(worth, move, strict=True)]
        if low < 0 < high:
            opened.append(cell)
    gains = list(zip(worth, *(cell.gains for cell in opened), strict=True))
    costs = list(zip([0] * len(worth), *(cell.costs for cell in opened), strict=True))
    x, y = nash(gains, costs)
    plays = {cell: p for group, p in zip(charged.groups, x, strict=True) for cell in group.cells}
    return plays, replies | {cell.cell: p for cell, p in zip(opened, y, strict=True)}


def _certificate(
    charged: Charged, rate: Fraction, plays: Mapping[PlayerCell, Fraction], replies: Mapping[BankerCell, Fraction]
) -> CommissionCertificate:
    x = [Fraction(1), *(_mean(group.cells, group.weights, plays) for group in charged.groups)]
    drawn = [(cell, replies[cell.cell]) for cell in charged.free]
    nets = [_mixed(cell.stand, cell.gains, p) for cell, p in drawn]
    costs = [_mixed([0] * len(x), cell.costs, p) for cell, p in drawn if p]
    net, cost = (_at(map(sum, zip(*rows, strict=True)), x) for rows in ([charged.net, *nets], [charged.cost, *costs]))
    player, banker = net / charged.deals, -cost / (charged.scale * charged.deals)
    return CommissionCertificate(rate, dict(plays), dict(replies), player, banker, -player - banker)


def _mean(cells: tuple[PlayerCell, ...], weights: tuple[int, ...], plays: Mapping[PlayerCell, Fraction]) -> Fraction:
    return sum((w * plays[c] for c, w in zip(cells, weights, strict=True)), Fraction()) / sum(weights)


def _mixed(stand: Linear, gains: Linear, p: Fraction) -> Sequence[Fraction | int]:
    """What standing is worth, plus p times what drawing adds."""
    if p.denominator == 1:
        return [s + p.numerator * g for s, g in zip(stand, gains, strict=True)]
    return [s + p * g for s, g in zip(stand, gains, strict=True)]


def _at(row: Iterable[Fraction | int], x: Sequence[Fraction]) -> Fraction:
    return sum((e * p for e, p in zip(row, x, strict=True)), Fraction())
