"""Simulated coups of macao. Every coup is dealt from a freshly shuffled shoe. Coups are computed in blocks.

The shoes of a block depend only on the seed, the number of the block and the cards of the full shoe. Each card gets a
random 64-bit word from Philox4x64-10 with the key (seed, block). A shoe is dealt in the rising order of its cards'
words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import inf, sqrt

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Bools, Ints
from counting.cards import Shoe, as_shoe
from counting.chemin.macao.reply import Reply
from counting.chemin.macao.rules import Chart, Macao, check_macao
from counting.errors import InputError, whole

MOST_COUPS = 10**9
MOST_SEED = 2**63 - 1
_BLOCK = 20_000  # coups in a block

# cards drawn so far, hands, numbers of rejected cards -> yes or no for each hand
Asks = Callable[[int, Ints, Ints], Bools]


@dataclass(frozen=True)
class MacaoSimulated:
    """Simulated coups. `counts` gives the number of coups in which the punter won each amount, per unit staked."""

    coups: int
    seed: int
    counts: Mapping[int, int]

    @cached_property
    def mean(self) -> float:
        return sum(units * n for units, n in self.counts.items()) / self.coups

    @property
    def mean_se(self) -> float:
        """The standard error of the mean, for independent coups."""
        return sqrt(
            max(sum(units**2 * n for units, n in self.counts.items()) / self.coups - self.mean**2, 0) / self.coups
        )

    def z(self, probabilities: Mapping[int, Fraction]) -> dict[int, float]:
        """How far the count of each amount is from the count expected under `probabilities`, in standard errors. For an
        amount of probability 0 or 1, the result is 0 if the count fits, otherwise infinite."""
        deviations = {}
        for units in sorted({*probabilities, *self.counts}):
            p, n = float(probabilities.get(units, 0)), self.counts.get(units, 0)
            off, error = n - self.coups * p, sqrt(self.coups * p * (1 - p))
            deviations[units] = off / error if error else inf * off if off else 0.0
        return deviations


def simulate(
    shoe: Shoe | str,
    rules: Macao,
    punter: Chart | Reply,
    coups: int,
    seed: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> MacaoSimulated:
    """Deal `coups` coups, each from the whole shoe, to a punter who plays by a chart or a reply. `progress` is called
    with the number of blocks dealt so far and the number of all blocks.

    Raises `InputError` if shoe, rules and chart do not fit together, and if the reply is for another shoe or other
    rules. Raises it too for a number of coups or a seed out of range.
    """
    shoe = as_shoe(shoe)
    check_macao(shoe, rules, punter)
    if not isinstance(punter, Chart | Reply):
        raise InputError(f"punter: {punter!r}, should be a Chart or a Reply, as best_reply gives")
    if isinstance(punter, Reply) and (punter.shoe.values, punter.rules) != (shoe.values, rules):
        raise InputError(f"reply: is for shoe {punter.shoe}, {punter.rules.title}, should be for {shoe}, {rules.title}")
    coups = whole(coups, "coups", 1, MOST_COUPS)
    seed = whole(seed, "seed", 0, MOST_SEED)
    cards = np.repeat(np.arange(10, dtype=np.uint8), shoe.values)
    counts: dict[int, int] = {}
    blocks = -(-coups // _BLOCK)
    for block, done in enumerate(range(0, coups, _BLOCK)):
        orders = _orders(cards, min(_BLOCK, coups - done), seed, block)
        amounts, times = np.unique(_coups(orders, rules, punter), return_counts=True)
        for units, n in zip(amounts.tolist(), times.tolist(), strict=True):
            counts[units] = counts.get(units, 0) + n
        if progress:
            progress(block + 1, blocks)
    return MacaoSimulated(coups, seed, dict(sorted(counts.items())))


def _orders(cards: NDArray[np.uint8], shoes: int, seed: int, block: int) -> NDArray[np.uint8]:
    """The cards of shoes in dealing order (shoes, cards). On average, fewer than one shoe in 10^13 has two cards with
    equal words. The order of these two cards is undefined."""
    words = np.random.Philox(key=np.array([seed, block], np.uint64)).random_raw(shoes * len(cards))
    return cards[words.reshape(shoes, -1).argsort(axis=1)]


class _SeatHands:
    """The hands of one side, the punter's or Banker's, in every coup of a block. `cards` (n, most) has the values of
    the cards, `size` (n,) the number of cards in each hand."""

    def __init__(self, dealt: NDArray[np.uint8], rules: Macao) -> None:
        self.rules = rules
        self.cards = np.zeros((len(dealt), rules.cards + rules.most_drawn), np.int64)
        self.cards[:, : rules.cards] = dealt
        self.size = np.full(len(dealt), rules.cards)

    @property
    def points(self) -> Ints:
        """The totals (n,): 0 to 9, or -1 for a hand over nine, if such a hand loses under the rules."""
        points = self.cards.sum(axis=1)
        modulo: Ints = points % 10
        return np.where(points > 9, -1, points) if self.rules.over_nine == "bust" else modulo

    @property
    def natural(self) -> Bools:
        naturals: Bools = (self.size == self.rules.cards) & (self.points >= 8)
        return naturals

    def draw(self, orders: NDArray[np.uint8], at: Ints, going: Ints, draws: Asks, refuses: Asks) -> None:
        """Draw cards to the hands of the coups whose indices are in `going`. `at` (n,) is the index of the next card in
        each shoe."""
        rejected = np.zeros(len(at), np.int64)
        for drawn in range(self.rules.most_drawn):
            held = self.cards[:, : self.rules.cards + drawn]
            going = going[self.points[going] >= 0]
            going = going[draws(drawn, held[going], rejected[going])]
            drawing = going
            while len(drawing):
                card = orders[drawing, at[drawing]]
                at[drawing] += 1
                back = card == 0
                back[back] = refuses(drawn, held[drawing[back]], rejected[drawing[back]])
                rejected[drawing[back]] += 1
                self.cards[drawing[~back], self.rules.cards + drawn] = card[~back]
                drawing = drawing[back]
            self.size[going] += 1


def _coups(orders: NDArray[np.uint8], rules: Macao, punter: Chart | Reply) -> Ints:
    """What the punter wins in each coup (n,), from the shoes' orders (n, cards)."""
    every, k = np.arange(len(orders)), rules.cards
    mine, his = _SeatHands(orders[:, :k], rules), _SeatHands(orders[:, k : 2 * k], rules)
    at = np.full(len(orders), 2 * k)
    over = his.natural if rules.naturals_shown else np.zeros(len(orders), np.bool_)
    going = every[~over]

    def never(drawn: int, hands: Ints, rejected: Ints) -> Bools:
        return np.zeros(len(hands), np.bool_)

    def always(drawn: int, hands: Ints, rejected: Ints) -> Bools:
        return np.ones(len(hands), np.bool_)

    def by_rule(drawn: int, hands: Ints, rejected: Ints) -> Bools:
        draws: Bools = np.array(list(rules.banker[drawn]))[hands.sum(axis=1) % 10] == "D"
        return draws

    mine.draw(orders, at, going, punter.draws, never if rules.rejects == "nobody" else punter.refuses)
    his.draw(orders, at, going, by_rule, always if rules.rejects == "both" else never)
    return _settled(rules, mine, his)


def _settled(rules: Macao, mine: _SeatHands, his: _SeatHands) -> Ints:
    pair = np.zeros(len(mine.size), np.bool_)
    if rules.cards == 2:
        pair = (mine.size == 2) & (mine.cards[:, 0] == mine.cards[:, 1]) & (mine.cards[:, 0] > 0)
    wins = np.where(mine.natural, np.where(mine.points == 9, rules.pays_nine, rules.pays_eight), rules.pays)
    wins = np.where(pair, rules.pays_pair, wins)
    loses = np.where(his.natural, np.where(his.points == 9, rules.banker_nine_takes, rules.banker_eight_takes), 1)
    both_out = (mine.points < 0) & (his.points < 0)
    alike = (mine.points == his.points) & (mine.size == his.size) & ~both_out
    ahead = (mine.points > his.points) | ((mine.points == his.points) & (mine.size < his.size) & ~both_out)
    push = (alike & (rules.equal == "push")) | (both_out & (rules.both_bust == "push"))
    return np.where(push, 0, np.where(ahead, wins, -loses))
