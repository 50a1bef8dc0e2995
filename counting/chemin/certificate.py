"""A certificate of a shoe's value, and its check: cards are dealt again in plain Python, without the solver's code."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm
from operator import mul
from typing import TypeVar

from counting.cards import Shoe
from counting.chemin.rules import CLASSICAL, BankerCell, Hand, Model, PlayerCell, Rules, fitting
from counting.errors import InputError
from counting.games import STOOD

Cell = TypeVar("Cell")
Score = Callable[[int], int]


@dataclass(frozen=True)
class Certificate:
    """Both sides' strategies: the probability of drawing in each cell with a choice that the shoe can deal.

    `lower / denominator` is what Player has against Banker's best reply, `upper / denominator` what Banker leaves to
    Player's best reply; if they are equal, this is the value and no play does better.
    """

    player: Mapping[PlayerCell, Fraction]
    banker: Mapping[BankerCell, Fraction]
    lower: int
    upper: int
    denominator: int


def check(certificate: Certificate, shoe: Shoe, model: str = "B3", rules: Rules = CLASSICAL) -> None:
    """Compute both bounds again, and raise `InputError` if they differ from each other or from the certificate's.

    Raises it too for an invalid strategy: a probability outside 0 to 1, a missing cell, or a cell without a choice or
    that the shoe cannot deal.
    """
    dealt = dealt_again(shoe, model, rules)
    if not isinstance(certificate, Certificate):
        raise InputError(f"certificate: {certificate!r}, should be a Certificate")
    dealt.refuse(certificate.player, certificate.banker)
    computed = dealt.against_banker(certificate.player), dealt.against_player(certificate.banker)
    refuse_bounds(certificate.lower, certificate.upper, certificate.denominator, computed)


def refuse_bounds(lower: object, upper: object, denominator: object, computed: tuple[Fraction, Fraction]) -> None:
    """Raise `InputError` if a certificate's bounds are not the computed ones, or differ from each other."""
    if not isinstance(denominator, int) or denominator < 1:
        raise InputError(f"certificate: denominator {denominator}, should be a whole number, 1 or more")
    for name, stated, bound in (("lower", lower, computed[0]), ("upper", upper, computed[1])):
        if not isinstance(stated, int) or Fraction(stated, denominator) != bound:
            raise InputError(f"certificate: {name} bound {stated}/{denominator}, should be {bound}")
    if lower != upper:
        raise InputError(f"certificate: bounds {lower} and {upper}, should be equal")


def chance(p: object) -> bool:
    """Whether it is an exact probability."""
    return isinstance(p, Fraction | int) and not isinstance(p, bool) and 0 <= p <= 1


def _refuse(
    strategy: Mapping[PlayerCell, Fraction] | Mapping[BankerCell, Fraction], cells: set[object], side: str
) -> None:
    if not isinstance(strategy, Mapping):
        raise InputError(f"certificate, {side}: {strategy!r}, should be a probability for each cell")
    if wrong := [cell for cell in strategy if cell not in cells]:
        raise InputError(f"certificate, {side}: {wrong[0]}, should be a cell with a choice that the shoe can deal")
    if missing := cells - set(strategy):
        raise InputError(f"certificate, {side}: {min(missing, key=str)} is missing")
    for cell, p in strategy.items():
        if not chance(p):
            raise InputError(f"certificate, {side}: {cell} draws with {p!r}, should be a fraction from 0 to 1")


def whole(plays: Mapping[Cell, Fraction]) -> tuple[int, dict[Cell, int]]:
    """A common denominator of probabilities, and by cell the numerators over it: whole numbers add up much faster than
    fractions."""
    scale = lcm(*(p.denominator for p in plays.values()))
    return scale, {cell: p.numerator * (scale // p.denominator) for cell, p in plays.items()}


def sign(difference: int) -> int:
    return (difference > 0) - (difference < 0)


class Cards:
    """The cards left to deal from: `left` of each value, less `taken` for each card dealt."""

    def __init__(self, shoe: Shoe, model: Model) -> None:
        self.taken = 0 if model.with_replacement else 1
        self.left = [4, *[1] * 9] if model.with_replacement else list(shoe.values)

    def draws(self) -> Iterator[tuple[int, int]]:
        """Each value left, with the ways to draw it; the card is out until the next value."""
        for value in range(10):
            ways = self.left[value]
            if ways > 0:
                self.left[value] -= self.taken
                yield value, ways
                self.left[value] += self.taken

    def hands(self) -> Iterator[tuple[Hand, int]]:
        """Two cards in either order."""
        for a, n in self.draws():
            for b, m in self.draws():
                if a <= b:
                    yield (a, b), n * m * (1 if a == b else 2)


class Dealt(Cards):
    """All deals by information and moves: net[Banker's cell][Player's cell, whether Player draws] is the worth to
    Player of Banker's standing and drawing; Player's cell is None without a choice. The worth of a coup is the `score`
    of Player's total less Banker's."""

    def __init__(self, shoe: Shoe, model: str, rules: Rules, score: Score = sign) -> None:
        seen = fitting(shoe, model, rules)
        super().__init__(shoe, seen)
        self.rules = rules
        self.player_by_total, self.banker_by_total = seen.player_sees == "total", seen.banker_sees == "total"
        self.net: dict[tuple[str, BankerCell], dict[tuple[PlayerCell | None, bool], list[int]]] = defaultdict(
            lambda: defaultdict(lambda: [0, 0])
        )
        self.naturals = self.deals = 0
        unused = sum(self.left) - 4 * self.taken
        self.after_one, self.after_two = unused - self.taken, unused * (unused - self.taken)
        against = _against(score)
        for banker, n in self.hands():
            scores = against[sum(banker) % 10]
            drawn = [sum(map(mul, self.left, row)) for row in scores]
            for player, m in self.hands():
                self._finish(player, banker, n * m, scores, drawn)
        self.net = {at: dict(moves) for at, moves in self.net.items()}  # a cell not dealt is an error from here
        self.player_cells: set[object] = {cell for moves in self.net.values() for cell, _ in moves if cell is not None}
        self.banker_cells: set[object] = {cell for letter, cell in self.net if letter == "*"}

    def _finish(self, player: Hand, banker: Hand, ways: int, scores: list[list[int]], drawn: list[int]) -> None:
        """`scores`: the worth of each total of Player's by the card that Banker draws, or STOOD; `drawn`: their sums
        over the cards that are left before Player has any."""
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

    def refuse(self, player: Mapping[PlayerCell, Fraction], banker: Mapping[BankerCell, Fraction]) -> None:
        """Raise `InputError` for an invalid strategy of either side."""
        _refuse(player, self.player_cells, "player")
        _refuse(banker, self.banker_cells, "banker")

    def against_banker(self, player: Mapping[PlayerCell, Fraction]) -> Fraction:
        """Player's mix against the best reply in every cell of Banker's."""
        scale, mix = whole(player)
        worth = self.naturals * scale
        for (letter, _), moves in self.net.items():
            stand = draw = 0
            for (cell, draws), (if_stands, if_draws) in moves.items():
                p = scale if cell is None else mix[cell] if draws else scale - mix[cell]
                stand += p * if_stands
                draw += p * if_draws
            worth += stand if letter == "S" else draw if letter == "D" else min(stand, draw)
        return Fraction(worth, self.deals * scale)

    def against_player(self, banker: Mapping[BankerCell, Fraction]) -> Fraction:
        """Banker's mix against the best reply in every cell of Player's."""
        scale, mix = whole(banker)
        worth = self.naturals * scale
        choices: dict[PlayerCell, list[int]] = defaultdict(lambda: [0, 0])
        for (letter, own), moves in self.net.items():
            p = scale * (letter == "D") if letter != "*" else mix[own]
            for (cell, draws), (if_stands, if_draws) in moves.items():
                part = (scale - p) * if_stands + p * if_draws
                if cell is None:
                    worth += part
                else:
                    choices[cell][draws] += part
        return Fraction(worth + sum(max(moves) for moves in choices.values()), self.deals * scale)


@lru_cache(maxsize=4)
def _against(score: Score) -> list[list[list[int]]]:
    """The score of a coup by Banker's total, Player's total, and the card that Banker draws, or STOOD."""
    return [[[*(score(p - (b + card) % 10) for card in range(10)), score(p - b)] for p in range(10)] for b in range(10)]


def dealt_again(shoe: Shoe, model: str, rules: Rules, score: Score = sign) -> Dealt:
    """All deals, kept for the next certificate of the same shoe, or of the same natural at banque. Raises `InputError`
    as `fitting` does."""
    fitting(shoe, model, rules)  # first: what cannot be kept is refused in words
    return _dealt(shoe, model, rules, score)


@lru_cache(maxsize=16)
def _dealt(shoe: Shoe, model: str, rules: Rules, score: Score) -> Dealt:
    return Dealt(shoe, model, rules, score)
