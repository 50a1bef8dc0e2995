"""What counting gains at chemin de fer with n random cards left. All compositions are counted exactly.

Every composition is solved, or its value is bounded from both sides, in whole numbers (`_law.pyx`). The probability of
a composition is a product of binomials over C(52 * decks, n). The probability stays the same if the counts of the nine
values other than 0 change places. Compositions that differ only in the order of these counts form a class, and are
counted together.

The results of a class do not depend on the number of decks. The exception is what a side gains if the other side plays
its optimum for the full shoe.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb, factorial, lcm, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counting.cards import COUP, DECK, MOST_DECKS, Shoe
from counting.chemin import _law
from counting.chemin.bank_limits import bank_payoffs, matrix
from counting.chemin.commission import commission_share
from counting.chemin.game import CheminGame
from counting.chemin.rules import CLASSICAL, HANDS, TOTALS, CheminRules
from counting.chemin.solution import Solution, certified, solve
from counting.errors import InputError, whole
from counting.instruction_sets import chosen

MOST_CARDS = 26
_EXACT = 2**53  # whole numbers up to this are exact as doubles
_MOST_SUM = 2**63  # sums stay below this, to fit 64 bits
_WORD, _HALF = 2**26, 2**20
_COLUMNS = 5  # Player may choose in at most this many cells
_UNSURE = 5000  # in each class, the sign of the value may be unknown for at most this many shoes
_VALUE, _PLAYER, _BANKER = range(3)  # the order of the quantities in a tally

Pair = tuple[Fraction, Fraction]
Progress = Callable[[int, int], None]


class Tallies(NamedTuple):
    """The results for each class, for one number of cards and one score.

    - `classes` (classes, 10): the counts by value, with the counts of the values 1 to 9 in rising order.
    - `shoes` (classes,): the number of compositions of each class.
    - `tallies` (classes, 3, 12): the sums that `_law.Law.orders` makes.
    - `unsure` (compositions, 10): the compositions whose value has an unknown sign.
    """

    classes: NDArray[np.int8]
    shoes: NDArray[np.int64]
    tallies: NDArray[np.int64]
    unsure: NDArray[np.int8]


@dataclass(frozen=True)
class Gains:
    """One side's gains over random shoes. `positive` and `even` are the probabilities that the edge is above 0, and
    that it is 0. `mean` is the mean edge, `gain` the win per coup of a bettor who stakes one unit whenever the edge is
    above 0. Pushes are included. `mean` and `gain` are given as a least and a largest value, which are equal if all
    shoes are solved."""

    positive: Fraction
    even: Fraction
    mean: Pair
    gain: Pair


@dataclass(frozen=True)
class ChosenStakes:
    """The gains with `cards_left` cards left, see `counting_gains`. `solved` is the probability that the shoe's value
    is known exactly. The values of other shoes are bounded."""

    cards_left: int
    compositions: int
    solved: Fraction
    player: Gains
    bank: Gains
    both_player: Gains
    both_bank: Gains


def classes(cards: int) -> Iterator[tuple[int, ...]]:
    """All classes of compositions of this number of cards: the count of zeros, then nine other counts in rising
    order."""

    def rising(left: int, places: int, least: int) -> Iterator[tuple[int, ...]]:
        if places == 1:
            yield (left,)
            return
        for first in range(least, left // places + 1):
            for rest in rising(left - first, places - 1, first):
                yield (first, *rest)

    for zeros in range(cards, -1, -1):
        for others in rising(cards - zeros, 9, 0):
            yield (zeros, *others)


def value_orders(counts: tuple[int, ...]) -> int:
    """The number of different orders of counts[1:]."""
    return factorial(9) // prod(factorial(counts[1:].count(n)) for n in set(counts[1:]))


def composition_weight(counts: tuple[int, ...], decks: int) -> int:
    """The number of ways to draw this composition from full decks."""
    zeros, *others = counts
    return comb(16 * decks, zeros) * prod(comb(4 * decks, n) for n in others)


class Kernel:
    """`_law.Law` with its tables for a number of cards and a score. `deals`, `fine`, `player_parts` and `banker_parts`
    are factors of the results' denominators, see `units`.

    Raises `InputError` if the numbers would not be exact, and for models and rules that `_law.Law` cannot count.
    """

    def __init__(self, cards: int, full: Solution, score: tuple[int, int] = (1, 1)) -> None:
        game, (win, lose) = full.game, score
        seen, rules = game.cells, game.rules
        self.cards, self.win, self.lose = cards, win, lose
        self.deals = prod(cards - i for i in range(COUP)) // 4
        most = _EXACT // (2 * win * self.deals)
        self.fine = 1 << most.bit_length() - 1 if most else 0
        self.player_parts = lcm(1, *(p.denominator for p in full.player.values()))
        mixes = full.banker if win == lose else {}
        self.banker_parts = lcm(1, *(p.denominator for p in mixes.values()))
        parts = self.banker_parts
        word = _EXACT if parts <= most else _HALF  # too many parts are split into two words, see `_law.pyx`
        words = (parts,) if parts <= most else (2 * word, 2 * (parts // word + 1))
        if max(self.fine, self.player_parts, *words) > most or 2 * win * self.deals * parts >= _MOST_SUM:
            raise InputError(
                f"{cards} cards: too many for exact numbers with {game.shoe} and a score of {win}; should be fewer, or "
                "a commission of fewer digits"
            )
        if len(seen.player) > _COLUMNS or game.model.banker_sees != "hand" or game.model.with_replacement:
            raise InputError(
                f"model {game.model.name}, {rules.title}: should be B2 or B3, with at most {_COLUMNS} cells of Player's"
            )
        plays = np.where(seen.free, _over(parts, seen.banker, mixes), parts * seen.drawn.astype(np.int64)).tolist()
        letters = {"S": 0, "D": 1, "*": 2}
        choice = [[*hand, column] for hand, column in zip(HANDS, seen.column.tolist(), strict=True) if column > 0]
        self.law = _law.Law(
            win,
            lose,
            np.array(HANDS, np.int8),
            np.array(choice, np.int8).reshape(-1, 3),
            np.array([letters[rules.player[total]] for total in range(TOTALS)], np.int8),
            np.where(seen.free, 2, seen.drawn).astype(np.int8),
            np.array([self.player_parts, *_over(self.player_parts, seen.player, full.player)], np.float64),
            np.array(np.divmod([*plays, parts], word), np.float64),
            word,
            self.fine,
            chosen(_law.best_level()),
        )

    @property
    def units(self) -> tuple[int, int, int]:
        """The denominators of the value, of Player's best reply and of Banker's best reply."""
        return tuple(self.deals * self.win * part for part in (self.fine, self.banker_parts, self.player_parts))  # type: ignore[return-value]

    def rows(self, counts: NDArray[np.int64]) -> NDArray[np.int64]:
        """Results for each shoe (shoes, 4), in whole numbers: the lower and the upper bound of the value, the value of
        Player's best reply, and the value of Banker's best reply. `units` gives the denominators."""
        out = np.empty((len(counts), 4), np.int64)
        self.law.rows(np.ascontiguousarray(counts, np.float64), out)
        return out

    def tallies(self, solved: Callable[[int], None] | None = None) -> Tallies:
        """The tallies of all compositions. `solved` is called from time to time, with the number of compositions solved
        so far."""
        all_classes = np.array(list(classes(self.cards)), np.int8)
        tallies = np.zeros((len(all_classes), 3, 12), np.int64)
        shoes = np.zeros(len(all_classes), np.int64)
        unsure: list[NDArray[np.int8]] = []
        room = np.empty((_UNSURE, 10), np.int8)
        for i, counts in enumerate(all_classes):
            shoes[i], unknown = self.law.orders(counts, tallies[i], room)
            if unknown > _UNSURE:
                raise ArithmeticError(f"{counts.tolist()}: the sign of {unknown} values is not known")
            unsure.append(room[:unknown].copy())
            if solved is not None:
                solved(int(shoes[: i + 1].sum()))
        return Tallies(all_classes, shoes, tallies, np.concatenate(unsure))


def _over(parts: int, cells: tuple[object, ...], plays: object) -> list[int]:
    return [int(plays.get(cell, 0) * parts) for cell in cells]  # type: ignore[attr-defined]


@lru_cache(maxsize=8)
def _full(decks: int, model: str, rules: CheminRules) -> Solution:
    return solve(Shoe.decks(decks), model, rules)


def counting_gains(
    cards: int,
    decks: int = 6,
    commission: Fraction | str = Fraction(1, 20),
    model: str = "B3",
    rules: CheminRules = CLASSICAL,
    progress: Progress | None = None,
) -> ChosenStakes:
    """What each side gains if `cards` random cards of full decks are left, over all compositions.

    In `player` and `bank`, one side counts: it makes the best reply to the other side's optimal play for the full shoe.
    The bank's profit is after commission. In `both_player` and `both_bank`, both sides count. Then Player's edge is the
    shoe's value, and the bank's edge is what the bank can be sure of after commission (`least_bank_profit`).

    `progress` is called with the number of compositions solved so far and the number of all compositions. With a
    commission, each composition is solved and counted twice. There are C(cards + 9, 9) compositions, and each takes a
    core some 3 to 6 microseconds.

    Raises `InputError` for fewer than 6 or more than 26 cards, for models other than B2 and B3, and if Player has a
    choice in more than five cells. Raises it too for a commission that is not a share, if the numbers would not be
    exact, and as `solve` does.
    """
    full = _full(whole(decks, "decks", 1, MOST_DECKS), model, rules)
    whole(cards, "cards", COUP, min(MOST_CARDS, DECK * decks))
    rate = commission_share(commission)
    even = Kernel(cards, full)
    charged = Kernel(cards, full, bank_payoffs(rate)) if rate else even
    each = comb(cards + 9, 9)

    def shown(before: int) -> Callable[[int], None] | None:
        return progress and (lambda solved: progress(before + solved, 2 * each if rate else each))

    counted = even.tallies(shown(0))
    return gains_of(full, even, counted, charged, charged.tallies(shown(each)) if rate else counted)


def gains_of(full: Solution, even: Kernel, counted: Tallies, charged: Kernel, with_commission: Tallies) -> ChosenStakes:
    """The gains of `counting_gains`, from the tallies without and with a commission."""
    decks = full.game.shoe.cards_left // DECK
    sums, sums_charged = (_sums(tallies, decks) for tallies in (counted, with_commission))
    compositions = sum(
        int(n)
        for n, counts in zip(counted.shoes, counted.classes.tolist(), strict=True)
        if composition_weight(tuple(counts), decks)
    )
    total = comb(DECK * decks, even.cards)
    known, known_charged = (
        _signs(kernel, tallies, full, decks) for kernel, tallies in ((even, counted), (charged, with_commission))
    )
    return ChosenStakes(
        even.cards,
        compositions,
        Fraction(sums[_VALUE][0], total),
        _gains(sums[_PLAYER], even.units[_PLAYER], total, 1),
        _gains(sums_charged[_BANKER], charged.units[_BANKER], total, -1),
        _gains(sums[_VALUE], even.units[_VALUE], total, 1, known),
        _gains(sums_charged[_VALUE], charged.units[_VALUE], total, -1, known_charged),
    )


def _sums(tallies: Tallies, decks: int) -> list[list[int]]:
    """Eight sums over shoes for each quantity; a shoe counts once for each way to draw it. First come the numbers of
    shoes for which the quantity is known exactly, is above 0, is below 0 and is 0. Then come the sums of the lower
    bounds, of the upper bounds, and of the positive parts of both bounds."""
    sums = [[0] * 8 for _ in range(3)]
    for counts, tally in zip(tallies.classes.tolist(), tallies.tallies.tolist(), strict=True):
        ways = composition_weight(tuple(counts), decks)
        for of, (known, above, below, even, *words) in zip(sums, tally, strict=True):
            wholes = [high * _WORD + low for high, low in zip(words[::2], words[1::2], strict=True)]
            for i, n in enumerate((known, above, below, even, *wholes)):
                of[i] += ways * n
    return sums


def _signs(kernel: Kernel, tallies: Tallies, full: Solution, decks: int) -> tuple[int, int, int]:
    """Solve each unsure shoe exactly. Returns three numbers: the ways to draw an unsure shoe whose value is above 0,
    below 0, and 0."""
    signs = [0, 0, 0]
    game = full.game
    worth = matrix(kernel.win, kernel.lose)
    for counts in tallies.unsure.tolist():
        value = certified(CheminGame.of(Shoe.from_values(counts), game.model.name, game.rules, worth))[0]
        signs[0 if value > 0 else 1 if value < 0 else 2] += composition_weight(tuple(counts), decks)
    return signs[0], signs[1], signs[2]


def _gains(sums: list[int], unit: int, total: int, side: int, unsure: tuple[int, int, int] = (0, 0, 0)) -> Gains:
    """The gains of Player (`side` 1) or of the bank (`side` -1), from the sums of `_sums` and the signs of the unsure
    shoes."""
    _, above, below, even, low, high, low_plus, high_plus = sums
    positive = above + unsure[0] if side > 0 else below + unsure[1]
    if side < 0:
        low, high, low_plus, high_plus = -high, -low, high_plus - high, low_plus - low
    chance, none = Fraction(positive, total), Fraction(even + unsure[2], total)
    means = [Fraction(n, unit * total) for n in (low, high, low_plus, high_plus)]
    return Gains(chance, none, (means[0], means[1]), (means[2], means[3]))
