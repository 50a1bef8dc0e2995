"""Lightning multipliers: some of the 52 cards are drawn before a coup, each with a multiplier. A winning bet pays its
odds times the multipliers of the cards that win. These are the winning hand's cards, a pair's two cards or, on a tie,
the cards of both hands.

Lightning cards are chosen from the 52 cards, independently of the shoe. So the expected multiplier of a win depends
only on which of the hand's cards are the same card (rank and suit). Let card i occur k_i times in the hand. Let q_s be
the chance that s given cards are all lightning cards. Let m_k be the mean of the k-th power of a lightning card's
multiplier.

The hand's multiplier is a product over the different cards of the hand. If card i is a lightning card, its factor is
its multiplier to the power of k_i; otherwise the factor is 1. The mean of the product is a sum over sets S of different
cards:

    E = sum over S of q_|S| * product over i in S of (m_{k_i} - 1).

For the expected square, k_i is replaced by 2 k_i.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product, zip_longest
from math import comb, factorial, lcm, prod, sqrt
from pathlib import Path
from typing import Any, Literal

import numpy as np

from counting.cards import COUP, DECK, Shoe, as_shoe
from counting.errors import InputError
from counting.exact.hand_counts import hand_counter
from counting.exact.outcomes import deals
from counting.games import STOOD, Game, Tableau, as_game
from counting.games.conditions import Conditions
from counting.games.hands import VALUE

Amount = Fraction | int | str
On = Literal["player", "banker", "tie", "player-pair", "banker-pair"]
Pattern = tuple[int, ...]  # how often each different card of a hand occurs, most often first

MOST_DRAWN = 10
MOST_MULTIPLIER = 1000
ON: tuple[On, ...] = ("player", "banker", "tie", "player-pair", "banker-pair")

_OF_TWO: tuple[Pattern, ...] = ((2,), (1, 1))
_OF_THREE: tuple[Pattern, ...] = ((3,), (2, 1), (1, 1, 1))


def _amount(value: Amount, name: str) -> Fraction:
    try:
        return Fraction(value)
    except (ValueError, TypeError, ZeroDivisionError):
        raise InputError(f"{name}: {value!r}, should be a fraction, as '1/4' or '0.25'") from None


def _chances(chances: Mapping[int, Amount], name: str, least: int, most: int) -> tuple[tuple[int, Fraction], ...]:
    if not isinstance(chances, Mapping) or not chances:
        raise InputError(f"{name}: {chances!r}, should be chances by number, as {{1: '1/2', 2: '1/2'}}")
    listed = [(number, _amount(chance, f"{name}, {number}")) for number, chance in chances.items()]
    for number, chance in listed:
        if type(number) is not int or not least <= number <= most:
            raise InputError(f"{name}: {number!r}, should be a whole number from {least} to {most}")
        if chance < 0:
            raise InputError(f"{name}, {number}: {chance}, should be 0 or more")
    if (total := sum(chance for _, chance in listed)) != 1:
        raise InputError(f"{name}: chances add up to {total}, should add up to 1")
    return tuple(sorted(listed))


@dataclass(frozen=True)
class Lightning:
    """How lightning cards are drawn. `cards` has the chance of each number of lightning cards, `multipliers` the chance
    of each multiplier. The multipliers of different cards are independent.

    `fee` is what a bettor pays for each unit staked, win or lose. Make one with `Lightning.of`.
    """

    cards: tuple[tuple[int, Fraction], ...]
    multipliers: tuple[tuple[int, Fraction], ...]
    fee: Fraction = Fraction(1, 5)

    @classmethod
    def of(
        cls, cards: Mapping[int, Amount], multipliers: Mapping[int, Amount], fee: Amount = Fraction(1, 5)
    ) -> Lightning:
        """Make the rules from the chance of each number of lightning cards, 0 to 10, and of each multiplier, 1 to
        1,000. A chance is a whole number, a fraction, or a text, as "1/4" or "0.25".

        Raises `InputError` for numbers out of range, for chances below 0, for chances that do not add up to 1, and for
        a fee that is not from 0 to 1.
        """
        taken = _amount(fee, "fee")
        if not 0 <= taken <= 1:
            raise InputError(f"fee: {fee}, should be from 0 to 1")
        drawn = _chances(cards, "cards", 0, MOST_DRAWN)
        return cls(drawn, _chances(multipliers, "multipliers", 1, MOST_MULTIPLIER), taken)

    def power(self, k: int) -> Fraction:
        """The mean of the k-th power of a lightning card's multiplier."""
        return sum((chance * multiplier**k for multiplier, chance in self.multipliers), Fraction())

    def all_drawn(self, cards: int) -> Fraction:
        """The chance that `cards` given cards are all lightning cards."""
        return sum((chance * Fraction(comb(n, cards), comb(DECK, cards)) for n, chance in self.cards), Fraction())

    def expected(self, pattern: Iterable[int], power: int = 1) -> Fraction:
        """The expected multiplier of a hand, or the expected square of the multiplier (`power` 2). `pattern` has the
        number of times that each different card occurs: (2, 1) for three cards, two of them the same."""
        terms = [Fraction(1)]  # by the number of cards in S
        for k in pattern:
            extra = self.power(k * power) - 1
            terms = [a + extra * b for a, b in zip([*terms, Fraction()], [Fraction(), *terms], strict=True)]
        return sum((self.all_drawn(s) * term for s, term in enumerate(terms)), Fraction())


@dataclass(frozen=True)
class LightningBet:
    """A bet on a winner or a pair: it pays the `odds` times the multipliers, less `commission` per unit staked. A tie
    returns the stake on Player and on Banker; the fee is never returned.

    Lightning Baccarat (Evolution) prints odds of 1 for Player, 5 for Tie and 9 for a pair. Banker's odds are 1 too,
    with a `commission` of 1/20 of the stake. The largest win on Tie, 1,310,720 to 1, is 5 times 8 to the sixth. At most
    five lightning cards are drawn, so six multipliers need two equal cards, each of which multiplies the win.
    """

    on: On
    odds: Fraction
    commission: Fraction = Fraction()

    @classmethod
    def of(cls, on: On, odds: Amount, commission: Amount = 0) -> LightningBet:
        """A bet with odds to 1, as 5 or "19/20"."""
        if on not in ON:
            raise InputError(f"on: {on!r}, should be one of {', '.join(ON)}")
        return cls(on, _amount(odds, "odds"), _amount(commission, "commission"))


@dataclass(frozen=True)
class LightningPrice:
    """A bet's price on a shoe. `edge` is the expected profit per unit staked, after the fee, and `square` the expected
    square of this profit. `fee` is the fee per unit staked."""

    edge: Fraction
    square: Fraction
    fee: Fraction

    @property
    def deviation(self) -> float:
        """The standard deviation of a coup's profit per unit staked."""
        return sqrt(self.square - self.edge**2)

    @property
    def returned(self) -> Fraction:
        """The return to player: what comes back, as a share of what is paid in, stake and fee together."""
        return 1 + self.edge / (1 + self.fee)


def lightning_prices(
    game: Game | str | Path, shoe: Shoe | str, lightning: Lightning, bets: Mapping[str, LightningBet]
) -> dict[str, LightningPrice]:
    """The exact price of each bet on a shoe known by card.

    Raises `InputError` for a shoe that is not known by card, or that has fewer than six or more than 1,404 cards.
    """
    game, shoe = as_game(game), as_shoe(shoe)
    if shoe.knows != "card":
        raise InputError(f"shoe {shoe}: knows {shoe.knows}s only, multipliers need a shoe known by card")
    if shoe.cards_left < COUP:
        raise InputError(f"shoe {shoe}: {shoe.cards_left} cards, should be {COUP} or more")
    return {name: _price(game.tableau, shoe, lightning, bet) for name, bet in bets.items()}


def _price(tableau: Tableau, shoe: Shoe, lightning: Lightning, bet: LightningBet) -> LightningPrice:
    total = deals(shoe.cards_left)
    chance, mean, square = (amount / total for amount in _won(tableau, shoe, lightning, bet.on))
    returned = Fraction()
    if bet.on in ("player", "banker"):
        returned = Fraction(_counts(tableau, shoe, [_table({"winner": "tie"})])[0], total)
    # Let M be the product of the multipliers. The profit is a * M - b on a win, -fee on a tie that returns the stake,
    # and -1 - fee on a loss.
    a, b, fee = bet.odds, bet.commission + lightning.fee, lightning.fee
    lost = 1 - chance - returned
    edge = a * mean - b * chance - fee * returned - (1 + fee) * lost
    squared = a**2 * square - 2 * a * b * mean + b**2 * chance + fee**2 * returned + (1 + fee) ** 2 * lost
    return LightningPrice(edge, squared, fee)


def _won(tableau: Tableau, shoe: Shoe, lightning: Lightning, on: On) -> tuple[Fraction, Fraction, Fraction]:
    """The number of ordered six-card deals in which the bet wins, and two sums over these deals: of the expected
    multiplier, and of the multiplier's expected square."""
    if on == "tie":
        (deals_won,) = _counts(tableau, shoe, [_table({"winner": "tie"})])
        return Fraction(deals_won), _ties(tableau, shoe, lightning, 1), _ties(tableau, shoe, lightning, 2)
    cases = _cases(on)
    counts = _counts(tableau, shoe, [*cases])
    listed = [*zip(counts, cases.values(), strict=True)]
    mean, square = (sum((n * lightning.expected(p, power) for n, p in listed), Fraction()) for power in (1, 2))
    return Fraction(sum(counts)), mean, square


def _counts(tableau: Tableau, shoe: Shoe, lines: Sequence[Conditions]) -> list[int]:
    counter = hand_counter(tuple(lines), tableau)
    return [int(n) for n in counter.counts(np.array([shoe.cards], np.int32))[0]]


def _cases(on: On) -> dict[Conditions, Pattern]:
    """The ways to win a bet on one hand: the conditions of each way, and the pattern of equal cards in the hand."""
    side = "banker" if on.startswith("banker") else "player"
    if on in ("player-pair", "banker-pair"):
        suited = {(2,): True, (1, 1): False}
        return {_table({f"{side}_pair": True, f"{side}_suited": same}): pattern for pattern, same in suited.items()}
    return {
        _table({"winner": side, f"{side}_cards": sum(pattern), f"{side}_different_cards": len(pattern)}): pattern
        for pattern in (*_OF_TWO, *_OF_THREE)
    }


def _table(conditions: dict[str, Any]) -> Conditions:
    return Conditions.model_validate(conditions)


def _ties(tableau: Tableau, shoe: Shoe, lightning: Lightning, power: int) -> Fraction:
    """The sum, over ties, of the expected multiplier or of its expected square (`power` 2). The multiplier of a tie is
    a product over the cards of both hands.

    Ties are grouped by the multiset of their values, because only cards of the same value can be the same card. For one
    value, take every ordered draw of j cards, and every set S of s different cards in the draw. W(j, s) is the sum,
    over these draws and sets, of the product over S in the module's formula. W(j, s) is computed as the coefficient of
    t^s x^j / j! in a product over the cards of the value.
    """
    left = shoe.cards_left
    extra = [lightning.power(k * power) - 1 for k in range(COUP + 1)]
    parts = lcm(*(some.denominator for some in extra))  # makes the sums whole numbers
    by_value = [[n for card, n in enumerate(shoe.counts) if n and VALUE[card] == value] for value in range(10)]
    ways = [_ways(counts, [int(some * parts) for some in extra]) for counts in by_value]
    all_drawn = [lightning.all_drawn(s) / parts**s for s in range(COUP + 1)]
    by_drawn = [0] * (COUP + 1)
    for cards, ties in _tied_values(tableau):
        undealt = prod(range(left - COUP + 1, left - cards + 1))
        for held, orders in ties:
            terms = [orders * undealt]
            for value, j in held:
                terms = _times(terms, ways[value][j])
            for s, term in enumerate(terms):
                by_drawn[s] += term
    return sum((q * n for q, n in zip(all_drawn, by_drawn, strict=True)), Fraction())


def _ways(counts: Sequence[int], extra: Sequence[int]) -> list[list[int]]:
    """The sums W(j, s) of `_ties` for one card value, by j and then by s."""
    rows: list[list[int]] = [[1], *([] for _ in range(COUP))]  # row j has W(j, s) / j!
    for n in counts:
        new: list[list[int]] = [[] for _ in rows]
        for j, row in enumerate(rows):
            for k in range(min(n, COUP - j) + 1):
                of_card = comb(n, k)  # n (n - 1) ... (n - k + 1) / k!
                new[j + k] = _sum(new[j + k], _times(row, [of_card, of_card * extra[k]] if k else [1]))
        rows = new
    return [[term * factorial(j) for term in row] for j, row in enumerate(rows)]


def _times(a: Sequence[int], b: Sequence[int]) -> list[int]:
    out = [0] * (len(a) + len(b) - 1 if a and b else 0)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            out[i + j] += x * y
    return out


def _sum(a: Sequence[int], b: Sequence[int]) -> list[int]:
    return [x + y for x, y in zip_longest(a, b, fillvalue=0)]


@lru_cache(maxsize=8)
def _tied_values(tableau: Tableau) -> tuple[tuple[int, list[tuple[list[tuple[int, int]], int]]], ...]:
    """For ties of 4, 5 and 6 cards: the number of cards and the multisets of values. A multiset is a list of pairs
    (value, times), and comes with the number of orders in which its values make a tie."""
    orders: dict[int, dict[tuple[int, ...], int]] = {4: {}, 5: {}, 6: {}}
    for p1, b1, p2, b2 in product(range(10), repeat=4):
        for third, fourth in _thirds(tableau, (p1 + p2) % 10, (b1 + b2) % 10):
            player = (p1 + p2 + (third or 0)) % 10
            if player != (b1 + b2 + (fourth or 0)) % 10:
                continue
            values = tuple(sorted([p1, b1, p2, b2, *(v for v in (third, fourth) if v is not None)]))
            of = orders[len(values)]
            of[values] = of.get(values, 0) + 1
    return tuple(
        (cards, [([(v, values.count(v)) for v in sorted({*values})], n) for values, n in of.items()])
        for cards, of in orders.items()
    )


@lru_cache(maxsize=1024)
def _thirds(tableau: Tableau, player: int, banker: int) -> tuple[tuple[int | None, int | None], ...]:
    """The pairs of third cards, Player's and Banker's, that may follow these two-card totals; None for no third
    card."""
    thirds = range(10) if tableau.player_draws(player, banker) else (None,)
    return tuple(
        (third, fourth)
        for third in thirds
        for fourth in (
            range(10) if tableau.banker_draws(player, banker, STOOD if third is None else third) else (None,)
        )
    )
