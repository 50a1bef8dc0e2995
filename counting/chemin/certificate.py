"""A certificate proves the value of a shoe. To check a certificate, this module deals all cards again in plain Python,
without the solver's code."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm
from operator import mul
from typing import Any, Generic, TypeVar

from counting.cards import Shoe, as_shoe
from counting.chemin.rules import CLASSICAL, BankerCell, CheminRules, Hand, Model, PlayerCell, check_model
from counting.errors import InputError
from counting.games import STOOD

Cell = TypeVar("Cell")
Moves = TypeVar("Moves")
Score = Callable[[int], int]


@dataclass(frozen=True)
class Certificate:
    """A strategy of each side: the probability of drawing in each cell that has a choice and that the shoe can deal.

    `lower / denominator` is what Player wins with Player's strategy against Banker's best reply. `upper / denominator`
    is what Player wins with the best reply to Banker's strategy. If the two are equal, they are the value of the shoe,
    and neither side can do better.
    """

    player: Mapping[PlayerCell, Fraction]
    banker: Mapping[BankerCell, Fraction]
    lower: int
    upper: int
    denominator: int


def check_certificate(
    certificate: Certificate, shoe: Shoe | str, model: str = "B3", rules: CheminRules = CLASSICAL
) -> None:
    """Compute both bounds again. Raises `InputError` if they differ from each other or from the certificate's bounds.

    Raises `InputError` for an invalid strategy too: a probability outside 0 to 1, a missing cell, a cell without a
    choice, or a cell that the shoe cannot deal. Raises it also if `certificate` is not a `Certificate`, and as `solve`
    does.
    """
    shoe = as_shoe(shoe)
    dealt_again(shoe, model, rules).check(certificate, Certificate)


def refuse_other_kind(certificate: object, kind: type) -> None:
    """Raise `InputError` for anything but a certificate of this kind."""
    if not isinstance(certificate, kind):
        name = kind.__name__
        raise InputError(f"certificate: {certificate!r}, should be {'an' if name[0] == 'A' else 'a'} {name}")


def refuse_cells(side: str, stated: object, cells: Set[Any], what: str = "a cell with a choice") -> None:
    """Raise `InputError` if the cells that a side states are not exactly `cells`. `what` describes `cells` in the
    message."""
    if not isinstance(stated, Mapping | Set):
        raise InputError(f"certificate, {side}: {stated!r}, should be a probability for each cell")
    if wrong := [cell for cell in stated if cell not in cells]:
        raise InputError(f"certificate, {side}: {wrong[0]}, should be {what} that the shoe can deal")
    if missing := cells - set(stated):
        raise InputError(f"certificate, {side}: {min(missing, key=str)} is missing")


def refuse_draws(side: str, draws: Mapping[Any, object], cells: Set[Any]) -> None:
    """Raise `InputError` unless a side has a probability of drawing in each cell of `cells`, and in no other cell."""
    refuse_cells(side, draws, cells)
    for cell, p in draws.items():
        if not is_chance(p):
            raise InputError(f"certificate, {side}: {cell} draws with {p!r}, should be a fraction from 0 to 1")


def refuse_values(what: str, stated: Mapping[str, object], computed: Mapping[str, Fraction]) -> None:
    """Raise `InputError` if a value that a certificate states differs from the computed value, or is a float or a
    bool."""
    for side, right in computed.items():
        value = stated[side]
        if isinstance(value, bool | float) or value != right:
            raise InputError(f"certificate: {what} {value!s} {side}, should be {right}")


def is_chance(p: object) -> bool:
    """Whether p is an exact probability."""
    return isinstance(p, Fraction | int) and not isinstance(p, bool) and 0 <= p <= 1


def common_denominator(plays: Mapping[Cell, Fraction]) -> tuple[int, dict[Cell, int]]:
    """A common denominator of the probabilities, and each cell's numerator over it. Whole numbers add up much faster
    than fractions."""
    scale = lcm(*(p.denominator for p in plays.values()))
    return scale, {cell: p.numerator * (scale // p.denominator) for cell, p in plays.items()}


def sign(difference: int) -> int:
    return (difference > 0) - (difference < 0)


class CardsLeft:
    """The cards left to deal from: `left` is the number of cards of each value. A dealt card lowers the number of its
    value by `taken`: 1, or 0 for draws with replacement."""

    def __init__(self, shoe: Shoe, model: Model) -> None:
        self.taken = 0 if model.with_replacement else 1
        self.left = [4, *[1] * 9] if model.with_replacement else list(shoe.values)

    def draws(self) -> Iterator[tuple[int, int]]:
        """Each value that is left, with the number of its cards. One card of the value is out of the shoe until the
        next value is asked for."""
        for value in range(10):
            ways = self.left[value]
            if ways > 0:
                self.left[value] -= self.taken
                yield value, ways
                self.left[value] += self.taken

    def hands(self) -> Iterator[tuple[Hand, int]]:
        """Each hand of two cards (a, b), a <= b, with the number of ways to deal it. Both orders count."""
        for a, n in self.draws():
            for b, m in self.draws():
                if a <= b:
                    yield (a, b), n * m * (1 if a == b else 2)


class Deals(ABC, Generic[Cell, Moves]):
    """All deals of a shoe. Deals without a natural are grouped by Banker's cell and by the other side's moves. The
    other side is Player or, at banque, the two Players. A cell is what Banker knows.

    `net[cell][moves]` has two numbers: what the other side wins if Banker stands, and if Banker draws. Both are sums
    over deals; `deals` is the number of all deals.

    The lower bound of a certificate is what the other side wins with its strategy against Banker's best reply. The
    upper bound is what the other side wins with its best reply to Banker's strategy.
    """

    net: dict[Cell, dict[Moves, list[int]]]
    deals: int

    def check(self, certificate: Any, kind: type) -> None:
        """Raise `InputError` if the certificate is not of this kind, if a strategy is invalid, and if the bounds differ
        from the computed bounds or from each other."""
        refuse_other_kind(certificate, kind)
        self.refuse(certificate)
        lower, upper, denominator = certificate.lower, certificate.upper, certificate.denominator
        if not isinstance(denominator, int) or denominator < 1:
            raise InputError(f"certificate: denominator {denominator}, should be a whole number, 1 or more")
        for name, stated, bound in zip(("lower", "upper"), (lower, upper), self.bounds(certificate), strict=True):
            if not isinstance(stated, int) or Fraction(stated, denominator) != bound:
                raise InputError(f"certificate: {name} bound {stated}/{denominator}, should be {bound}")
        if lower != upper:
            raise InputError(f"certificate: bounds {lower} and {upper}, should be equal")

    @abstractmethod
    def refuse(self, certificate: Any) -> None:
        """Raise `InputError` for an invalid strategy of either side."""

    @abstractmethod
    def bounds(self, certificate: Any) -> tuple[Fraction, Fraction]:
        """The lower bound is what the other side's strategy wins against Banker's best reply. The upper bound is what
        the other side's best reply wins against Banker's strategy."""

    def weighed(self, draws: Mapping[Cell, int], scale: int) -> Iterator[tuple[Cell, Moves, int]]:
        """For each cell of Banker's and each of the other side's moves: `scale` times what the other side wins if
        Banker draws with the probability `draws[cell] / scale`."""
        for cell, worth in self.net.items():
            p = draws[cell]
            for moves, (if_stands, if_draws) in worth.items():
                yield cell, moves, (scale - p) * if_stands + p * if_draws

    def after_reply(self, chances: Callable[[Cell], Mapping[Moves, int]]) -> int:
        """What the other side wins, on deals without a natural, against Banker's best reply in every cell.

        `chances` gives the probabilities of the other side's moves for a cell of Banker's, as numerators over a common
        denominator. The result is a sum over deals, times this denominator."""
        total = 0
        for cell, worth in self.net.items():
            stand = draw = 0
            of_moves = chances(cell)
            for moves, (if_stands, if_draws) in worth.items():
                p = of_moves[moves]
                stand += p * if_stands
                draw += p * if_draws
            total += min(self.replies(cell, stand, draw))
        return total

    def replies(self, cell: Cell, stand: int, draw: int) -> tuple[int, ...]:
        """What the other side wins after each move that the cell leaves to Banker."""
        return stand, draw


class CheminDeals(CardsLeft, Deals[tuple[str, BankerCell], tuple[PlayerCell | None, bool]]):
    """All deals of chemin de fer. Banker's cell comes with the rules' letter for it: S for stand, D for draw, * for a
    choice. Player's moves are Player's cell (None without a choice) and whether Player draws. A coup is worth the
    `score` of Player's total minus Banker's total."""

    def __init__(self, shoe: Shoe, model: str, rules: CheminRules, score: Score = sign) -> None:
        seen = check_model(shoe, model, rules)
        super().__init__(shoe, seen)
        self.rules = rules
        self.player_by_total, self.banker_by_total = seen.player_sees == "total", seen.banker_sees == "total"
        self.net = defaultdict(lambda: defaultdict(lambda: [0, 0]))
        self.naturals = self.deals = 0
        unused = sum(self.left) - 4 * self.taken
        self.after_one, self.after_two = unused - self.taken, unused * (unused - self.taken)
        against = _against(score)
        for banker, n in self.hands():
            scores = against[sum(banker) % 10]
            drawn = [sum(map(mul, self.left, row)) for row in scores]
            for player, m in self.hands():
                self._finish(player, banker, n * m, scores, drawn)
        self.net = {at: dict(moves) for at, moves in self.net.items()}  # from here on, a missing cell is an error
        self.player_cells: set[object] = {cell for moves in self.net.values() for cell, _ in moves if cell is not None}
        self.banker_cells: set[object] = {cell for letter, cell in self.net if letter == "*"}

    def _finish(self, player: Hand, banker: Hand, ways: int, scores: list[list[int]], drawn: list[int]) -> None:
        """Add the coups that begin with these hands. `scores[p]` has the worth of Player's total p for each card that
        Banker draws and, at STOOD, if Banker stands. `drawn[p]` is the sum of `scores[p]` over the cards left after
        Banker's two cards."""
        p, b = sum(player) % 10, sum(banker) % 10
        taken, after_one, after_two = self.taken, self.after_one, self.after_two
        self.deals += ways * after_two
        if p >= 8 or b >= 8:
            self.naturals += ways * after_two * scores[p][STOOD]
            return
        letter, letters = self.rules.player[p], self.rules.banker[b]
        cell = None if letter != "*" else p if self.player_by_total else player
        own = b if self.banker_by_total else banker
        x, y = player
        if letter != "D":
            moves = self.net[letters[STOOD], (own, STOOD)][cell, False]
            moves[0] += ways * after_two * scores[p][STOOD]
            moves[1] += ways * after_one * (drawn[p] - taken * (scores[p][x] + scores[p][y]))
        if letter != "S":
            for third, n in enumerate(self.left):
                if n > 0:
                    moves = self.net[letters[third], (own, third)][cell, True]
                    total = (p + third) % 10
                    row = scores[total]
                    moves[0] += ways * n * after_one * row[STOOD]
                    moves[1] += ways * n * (drawn[total] - taken * (row[x] + row[y] + row[third]))

    def refuse(self, certificate: Any) -> None:
        refuse_draws("player", certificate.player, self.player_cells)
        refuse_draws("banker", certificate.banker, self.banker_cells)

    def bounds(self, certificate: Certificate) -> tuple[Fraction, Fraction]:
        return self.against_banker(certificate.player), self.against_player(certificate.banker)

    def moves(self, player: Mapping[PlayerCell, Fraction]) -> tuple[int, dict[tuple[PlayerCell | None, bool], int]]:
        """The common denominator, and the probability of each of Player's moves as a numerator over it."""
        scale, mix = common_denominator(player)
        moves: dict[tuple[PlayerCell | None, bool], int] = {(None, False): scale, (None, True): scale}
        for cell, p in mix.items():
            moves[cell, False], moves[cell, True] = scale - p, p
        return scale, moves

    def draws_in(self, banker: Mapping[BankerCell, Fraction]) -> tuple[int, dict[tuple[str, BankerCell], int]]:
        """The common denominator, and the probability that Banker draws in each cell as a numerator over it."""
        scale, mix = common_denominator(banker)
        return scale, {at: mix[at[1]] if at[0] == "*" else scale * (at[0] == "D") for at in self.net}

    def against_banker(self, player: Mapping[PlayerCell, Fraction]) -> Fraction:
        """What Player's mix wins against Banker's best reply in every cell."""
        scale, moves = self.moves(player)
        return Fraction(self.naturals * scale + self.after_reply(lambda _: moves), self.deals * scale)

    def replies(self, cell: tuple[str, BankerCell], stand: int, draw: int) -> tuple[int, ...]:
        return {"S": (stand,), "D": (draw,)}.get(cell[0], (stand, draw))

    def against_player(self, banker: Mapping[BankerCell, Fraction]) -> Fraction:
        """What Player's best reply in every cell wins against Banker's mix."""
        scale, draws = self.draws_in(banker)
        worth = self.naturals * scale
        choices: dict[PlayerCell, list[int]] = defaultdict(lambda: [0, 0])
        for _, (cell, move), part in self.weighed(draws, scale):
            if cell is None:
                worth += part
            else:
                choices[cell][move] += part
        return Fraction(worth + sum(max(moves) for moves in choices.values()), self.deals * scale)


@lru_cache(maxsize=4)
def _against(score: Score) -> list[list[list[int]]]:
    """The score of a coup, indexed by Banker's total, Player's total, and the card that Banker draws or STOOD."""
    return [[[*(score(p - (b + card) % 10) for card in range(10)), score(p - b)] for p in range(10)] for b in range(10)]


def dealt_again(shoe: Shoe, model: str, rules: CheminRules, score: Score = sign) -> CheminDeals:
    """All deals of a shoe. The result is kept for the next certificate of the same shoe. At banque, `shoe` holds the
    cards left after one Player's natural. Raises `InputError` as `check_model` does."""
    check_model(shoe, model, rules)  # first, so that arguments that cannot be cache keys get an error line
    return _dealt(shoe, model, rules, score)


@lru_cache(maxsize=16)
def _dealt(shoe: Shoe, model: str, rules: CheminRules, score: Score) -> CheminDeals:
    return CheminDeals(shoe, model, rules, score)
