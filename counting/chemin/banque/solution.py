"""Baccara banque: two Players' hands against one hand of Banker's. The part theta of the stakes is on the first Player.

Naturals are shown at once. A natural of Banker's, or of both Players, ends the coup. After a natural of one Player, the
other tableau continues as chemin de fer with the cards left. At each tableau, the results that a natural of its Player
or of Banker settles add up to 0, because the two hands have the same distribution. So the value comes from two kinds of
coups: coups with one Player's natural, at the other tableau (`apart`), and coups without a natural, which are solved
here. The first Player, then the second, stands or draws by the total, with a free choice on five only. Then Banker
chooses, knowing both third cards.

The Players share their winnings, and agree on a plan, possibly a random one, that Banker does not see. The first Player
draws with probability x. The second Player's play may depend on the first's. In each case that the second
distinguishes, u is the probability that both draw, and v the probability that only the second draws. So 0 <= u <= x and
0 <= v <= 1 - x, and what a deal is worth is affine in x, u and v.

`saddle` needs a cube, but because of the bounds u <= x and v <= 1 - x, the set of plays is not a cube. So each bound
becomes a wall: a play beyond the bound costs the Players more than they gain. In the matrix given to `saddle`, a wall
is a column, as each of Banker's cells is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counting.cards import Shoe, as_shoe
from counting.chemin.banque.certificate import BanqueCertificate, PlayersMix
from counting.chemin.banque.coups_dealt import check_banque_model
from counting.chemin.banque.solved import SolvedTableaux
from counting.chemin.banque.tableaux import Tableaux, tableaux
from counting.chemin.saddle import saddle

_PLANS = np.array([[1, 1, 1, 0], [1, 1, 0, 0], [1, 0, 0, 1], [1, 0, 0, 0]]).T.astype(object)


@dataclass(frozen=True, eq=False)
class Banque(SolvedTableaux[BanqueCertificate]):
    """A shoe at two tableaux, solved in a model in which the Players see their totals (A1, A2, B1 or B2). `players` and
    `banker` come from the certificate."""

    @property
    def players(self) -> Mapping[int | None, PlayersMix]:
        return self.certificate.players

    @property
    def independent(self) -> bool:
        """Whether the second Player's move is independent of the first's in this plan, in every case."""
        return all(mix.both * mix.neither == mix.first * mix.second for mix in self.players.values())


def banque(
    shoe: Shoe | str, theta: Fraction | str = Fraction(1, 2), model: str = "B2", *, uses_third: bool = True
) -> Banque:
    """Solve a shoe at two tableaux. The part `theta` of the stakes is on the first Player, the rest on the second.

    `uses_third`: whether the second Player is assumed to use the first's third card. The Players are assumed to play
    together. The A models draw with replacement from full decks, whatever the shoe.

    Raises `InputError` for a shoe of fewer than nine cards or more than 27 decks, and for a theta outside 0 to 1.
    Raises it too for models in which the Players see more than their totals; `banque_by_hand` solves these models.
    """
    shoe = as_shoe(shoe)
    seen, stake = check_banque_model(shoe, theta, model, uses_third=uses_third)
    dealt = tableaux(shoe, seen)
    form = _BanqueForm.of(dealt, stake, uses_third)
    x, y, det, *_ = saddle(form.rows)
    apart = dealt.apart
    of = det * stake.denominator * dealt.deals
    lower, upper = (apart + Fraction(bound, of) for bound in form.bounds(x, y, det))
    if lower != upper:
        raise ArithmeticError(f"shoe {shoe}, {model}: bounds {lower} and {upper} should be equal")
    plans = {state: [det, x[0], x[at - 1], x[at]] for state, at in form.places.items()}
    draws = det * form.drawn.astype(object)
    for i, p in zip(form.opened, y, strict=False):
        draws[i] = p
    certificate = BanqueCertificate(
        {state: _mix(*(Fraction(p, det) for p in plan[1:])) for state, plan in plans.items()},
        {cell: Fraction(draws[i], det) for i, cell in enumerate(dealt.cells) if dealt.possible[i]},
        {hand: solution.certificate for hand, solution in dealt.solved.items()},
        lower.numerator,
        upper.numerator,
        lower.denominator,
    )
    first, second = (apart + Fraction(n, det * det * dealt.deals) for n in dealt.by_tableau(plans, draws, det))
    undecided = tuple(dealt.cells[i] for i in form.opened)
    return Banque(shoe, stake, model, uses_third, lower, (first, second), certificate, undecided, dealt.solved)


def _mix(x: Fraction, u: Fraction, v: Fraction) -> PlayersMix:
    return PlayersMix(u, x - u, v, 1 - x - v)


class _BanqueForm(NamedTuple):
    """The bilinear form whose saddle point `saddle` finds. Row 0 and column 0 are the constants. Row 1 is for x. For
    each case that the second Player distinguishes, row `places[case]` is for u, and the row after it for v. The other
    columns are the `opened` cells of Banker's, then two walls for each case. In the cells that are not opened, Banker
    draws if the cell is in `drawn`, and stands otherwise."""

    rows: list[list[int]]
    places: dict[int | None, int]
    opened: list[int]
    drawn: NDArray[np.bool_]

    @classmethod
    def of(cls, dealt: Tableaux, theta: Fraction, uses_third: bool) -> _BanqueForm:
        first, second = theta.numerator, theta.denominator - theta.numerator
        stand, draw = first * dealt.worth[:, 0] + second * dealt.worth[:, 1]
        drawing = draw - stand
        pure = drawing @ _PLANS
        least, most = pure.min(axis=1), pure.max(axis=1)
        unsure = ((least < 0) & (most > 0)).astype(bool)
        drawn = ~unsure & (least < 0).astype(bool)
        opened = np.flatnonzero(unsure).tolist()
        states = np.unique(dealt.first[dealt.possible]).tolist() if uses_third else [None]
        places = {state: 2 + 2 * i for i, state in enumerate(states)}
        size = 2 + 2 * len(places)
        fixed = stand + drawing * drawn[:, None]
        constant = [0] * size
        for state, at in places.items():
            some = fixed if state is None else fixed[dealt.first == state]
            alone, x, u, v = some.sum(axis=0).tolist()
            constant[0] += alone
            constant[1] += x
            constant[at : at + 2] = [u, v]
        columns = [constant]
        for i in opened:
            column, at = [0] * size, places[dealt.cells[i][1] if uses_third else None]
            column[0], column[1], column[at], column[at + 1] = drawing[i].tolist()
            columns.append(column)
        for at in places.values():
            for row, wall in ((at, (0, 1)), (at + 1, (1, -1))):
                height = 1 + sum(abs(column[row]) for column in columns[: 1 + len(opened)])
                column = [0] * size
                column[0], column[1], column[row] = wall[0] * height, wall[1] * height, -height
                columns.append(column)
        return cls([list(row) for row in zip(*columns, strict=True)], places, opened, drawn)

    def bounds(self, x: Sequence[int], y: Sequence[int], det: int) -> tuple[int, int]:
        """What the plan wins against Banker's best reply, and what the Players' best reply wins against Banker's mix,
        both times det."""
        cells = 1 + len(self.opened)
        plan, mix = [det, *x], [det, *y][:cells]
        worth = [sum(row[j] * p for row, p in zip(self.rows, plan, strict=True)) for j in range(cells)]
        gain = [sum(e * q for e, q in zip(row, mix, strict=False)) for row in self.rows]
        if_draws = gain[1] + sum(max(0, gain[at]) for at in self.places.values())
        if_stands = sum(max(0, gain[at + 1]) for at in self.places.values())
        return worth[0] + sum(w for w in worth[1:] if w < 0), gain[0] + max(if_draws, if_stands)
