"""The best play of a punter at macao, and the exact distribution of what a punter wins by playing a chart, in whole
numbers.

A punter sees their own hand. All other cards are unseen and in random order, including Banker's face-down cards and the
other punters' cards. So other punters' hands do not matter, and Banker's hand is dealt from the unseen cards. Cards
that other punters drew face up earlier are ignored, though a punter who used them could win more.

Chances are computed as whole numbers, called counts. In a state with n cards unseen, the count of an event is its
chance times n! / e! * f. The numbers e and f (`end` and `common` of `_MacaoGame`) are the same for all states. So a
count before a draw is the sum of the counts after it, each times the number of cards of the drawn value. Nothing is
divided until the end.

Rejected cards all have the value 0. So the arrays need only the number of rejected cards, which is one of their
dimensions.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from itertools import permutations
from math import perm, prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Bools, Ints
from counting.cards import Shoe, as_shoe
from counting.chemin.macao.reply import Hand, MacaoOdds, Reply, ReplyTable, counts_of, hand_places, hands_of_size
from counting.chemin.macao.rules import BUST, VALUES, Chart, Macao, check_macao
from counting.errors import InputError

Wholes = NDArray[Any]  # arrays of Python's whole numbers, which do not overflow


class HandShown(NamedTuple):
    """What matters about a hand in a comparison of hands. A natural is a total of 8 or 9 on the first cards. A pair is
    two first cards of the same value, other than 0."""

    total: int
    cards: int
    natural: bool
    pair: bool


def hand_shown(rules: Macao, hand: Hand) -> HandShown:
    total, first = rules.total(hand), len(hand) == rules.cards
    return HandShown(total, len(hand), first and total in (8, 9), first and len(hand) == 2 and hand[0] == hand[1] != 0)


def won(rules: Macao, punter: HandShown, banker: HandShown) -> int:
    """What a punter wins per unit staked."""
    if punter.total == BUST:
        return 0 if banker.total == BUST and rules.both_bust == "push" else -_takes(rules, banker)
    if banker.total == BUST or (punter.total, -punter.cards) > (banker.total, -banker.cards):
        if punter.pair:
            return rules.pays_pair
        return {8: rules.pays_eight, 9: rules.pays_nine}[punter.total] if punter.natural else rules.pays
    if (punter.total, punter.cards) == (banker.total, banker.cards) and rules.equal == "push":
        return 0
    return -_takes(rules, banker)


def _takes(rules: Macao, banker: HandShown) -> int:
    return {8: rules.banker_eight_takes, 9: rules.banker_nine_takes}[banker.total] if banker.natural else 1


def banker_hands(rules: Macao) -> dict[Hand, int]:
    """Every final hand that Banker can have, with the number of orders in which its cards can be dealt."""
    ended: dict[Hand, int] = {}
    open_: dict[Hand, int] = {(): 1}
    for size in range(rules.most_cards + 1):
        drawn = size - rules.cards
        dealt: dict[Hand, int] = {}
        for hand, orders in open_.items():
            total = rules.total(hand)
            if drawn >= 0 and (drawn == rules.most_drawn or total == BUST or rules.banker[drawn][total] == "S"):
                ended[hand] = orders
                continue
            for value in range(int(drawn >= 0 and rules.banker_rejects), VALUES):
                longer = tuple(sorted((*hand, value)))
                dealt[longer] = dealt.get(longer, 0) + orders
        open_ = dealt
    return ended


class _AllHands:
    """All final hands under the rules, grouped by what matters about them.

    - `ways`: Banker's final hands, each with its number of orders.
    - `ends`: the different `HandShown` of these hands; `end_of`: the index in `ends` of each hand.
    - `kinds`: for each number of cards and each `HandShown`, the punter's hands, as indices in `hands_of_size`.
    - `amounts`: all amounts that a punter may win, per unit staked.
    """

    def __init__(self, rules: Macao) -> None:
        self.ways = banker_hands(rules)
        banker = {hand: hand_shown(rules, hand)._replace(pair=False) for hand in self.ways}
        self.ends = sorted(set(banker.values()))
        self.end_of = {hand: self.ends.index(end) for hand, end in banker.items()}
        self.kinds: dict[int, dict[HandShown, list[int]]] = {}
        for size in range(rules.cards, rules.most_cards + 1):
            kinds = self.kinds[size] = defaultdict(list)
            for i, hand in enumerate(hands_of_size(size)):
                kinds[hand_shown(rules, hand)].append(i)
        every = {mine for kinds in self.kinds.values() for mine in kinds}
        self.amounts = sorted({won(rules, mine, end) for mine in every for end in self.ends})


_hands_under = lru_cache(maxsize=8)(_AllHands)


class _MacaoGame:
    """A shoe and rules as arrays. `rejects`: whether the punter may reject tens and faces, if the rules allow it. The
    number of rejected cards is below `many`. `end` and `common` are the numbers e and f at the top of this module."""

    def __init__(self, shoe: Shoe, rules: Macao, rejects: bool) -> None:
        self.rules = rules
        self.values = np.array(shoe.values)
        self.cards = shoe.cards_left
        self.many = shoe.values[0] + 1 if rejects and rules.punter_rejects else 1
        self.hands = _hands_under(rules)
        self.ends, self.amounts = self.hands.ends, self.hands.amounts
        others = self.cards - shoe.values[0]
        self.end = (others if rules.punter_rejects else self.cards) - 2 * rules.most_cards
        self.common = perm(others, 2 * rules.most_cards) if rules.banker_rejects else 1

    def scale(self, unseen: int) -> int:
        """The count of an event of chance 1 in a state with n unseen cards: n! / e! * f."""
        return perm(unseen, unseen - self.end) * self.common

    @cached_property
    def others(self) -> tuple[Ints, dict[Hand, int]]:
        """The punter's hands without their tens and faces: how many cards of each value each hand has (hands, 10), and
        the row of each hand."""
        return _without_tens(self.rules.most_cards)

    @cached_property
    def ordered(self) -> Ints:
        """How many deals lead to each of Banker's `ends`: (hands of `others`, tens, ends). `tens` is the number of tens
        and faces that the punter holds or rejected. Divided by `_deals`, these numbers are chances."""
        rules, held = self.rules, self.others[0]
        tens = np.arange(self.values[0] + 1)
        left = self.values - held
        falls = np.stack([_falling(left, k) for k in range(rules.most_cards + 1)])  # (k, hands, values)
        chances = np.zeros((len(held), len(tens), len(self.ends)), np.int64)
        unseen = left[:, 1:].sum(axis=1)[:, None] + self.values[0] - tens
        other = left[:, 1:].sum(axis=1)
        parts: dict[tuple[int, int, int], Ints] = {}  # key: end, number of Banker's cards, number of tens among them
        for hand, orders in self.hands.ways.items():
            counts = [hand.count(v) for v in range(VALUES)]
            deals = orders * prod((falls[n, :, v] for v, n in enumerate(counts) if v and n), start=np.ones_like(other))
            key = self.hands.end_of[hand], len(hand), counts[0]
            parts[key] = parts.get(key, 0) + deals
        for (end, size, zeros), deals in parts.items():
            ordered = deals[:, None] * _falling(self.values[0] - tens, zeros)
            if rules.banker_rejects:
                # Banker rejects tens, so every card that Banker draws and keeps is one of `first` cards: the cards
                # other than tens that are left after Banker's first cards. All hands need the same denominator,
                # `_deals`, so the hand's deals are multiplied by the factors of `_deals` that its draws leave out.
                first = other - rules.cards + zeros
                ordered *= (_falling(other, rules.most_cards) // _falling(first, size - rules.cards).clip(1))[:, None]
            else:
                ordered *= _falling(unseen - size, rules.most_cards - size)
            chances[:, :, end] += ordered
        return chances

    def _deals(self, others: int, tens: int) -> int:
        """The denominator of `ordered` if the punter has this number of tens and this number of other cards."""
        rules, unseen = self.rules, self.cards - others - tens
        if not rules.banker_rejects:
            return perm(unseen, rules.most_cards)
        return perm(unseen, rules.cards) * perm(unseen - self.values[0] + tens, rules.most_cards)

    def standing(self, size: int, naturals: bool) -> Wholes:
        """The distribution of the amount won if the punter stands on a hand of `size` cards: counts (hands, rejected,
        amounts). With `naturals`, only Banker's naturals that are shown before any draw are counted. Without it, only
        Banker's other hands are. The counts of both add up to `scale`."""
        rows = self.others[1]
        held = np.array([rows[tuple(v for v in hand if v)] for hand in hands_of_size(size)])
        zeros = counts_of(size)[:, 0]
        tens = (zeros[:, None] + np.arange(self.many)).clip(max=self.values[0])
        wins = np.zeros((*tens.shape, len(self.amounts)), np.int64)
        chances = self.ordered[held[:, None], tens]
        for mine, which in self.hands.kinds[size].items():
            pays = np.zeros((len(self.ends), len(self.amounts)), np.int64)
            for i, end in enumerate(self.ends):
                if (end.natural and self.rules.naturals_shown) == naturals:
                    pays[i, self.amounts.index(won(self.rules, mine, end))] = 1
            wins[which] = chances[which] @ pays
        factors = np.array([[self._factor(n, t) for t in range(self.values[0] + 1)] for n in range(size + 1)], object)
        counted: Wholes = wins.astype(object) * factors[size - zeros[:, None], tens, None]
        return counted

    def _factor(self, others: int, tens: int) -> int:
        unseen = self.cards - others - tens
        if unseen < self.end + self.rules.most_cards:
            return 0  # no hand of this size has this number of tens
        return self.scale(unseen) // self._deals(others, tens)


@cache
def _without_tens(most: int) -> tuple[Ints, dict[Hand, int]]:
    """The hands of up to `most` cards without tens and faces: how many cards of each value each hand has (hands, 10),
    and the row of each hand."""
    every = [hand for size in range(most + 1) for hand in hands_of_size(size) if 0 not in hand]
    counts = np.array([[hand.count(v) for v in range(VALUES)] for hand in every])
    counts.flags.writeable = False
    return counts, {h: i for i, h in enumerate(every)}


def _falling(counts: Ints, k: int) -> Ints:
    products = np.ones_like(counts)
    for i in range(k):
        products *= (counts - i).clip(0)
    return products


def _played(game: _MacaoGame, chart: Chart | None) -> tuple[MacaoOdds, list[tuple[Bools, Bools]]]:
    """The odds of a chart's play or, without a chart, of the best play, computed backwards from the last card that may
    be drawn. Also, for each number of cards drawn: whether to draw, and whether to reject, as arrays (hands,
    rejected)."""
    rules, amounts = game.rules, np.array(game.amounts, object)
    may_reject = rules.punter_rejects
    best = game.standing(rules.most_cards, naturals=False)
    kept: list[tuple[Bools, Bools]] = []
    for drawn in reversed(range(rules.most_drawn)):
        every = hands_of_size(rules.cards + drawn)
        left = (game.values - counts_of(rules.cards + drawn)).clip(0)
        after = _longer(rules.cards + drawn)
        stands = game.standing(rules.cards + drawn, naturals=False)
        others: Any = sum(left[:, v].astype(object)[:, None, None] * best[after[:, v]] for v in range(1, VALUES))
        keeps = best[after[:, 0]]
        draws = np.zeros_like(stands)
        rejecting = np.zeros(stands.shape[:2], np.bool_)
        for rejected in reversed(range(game.many)):
            tens = (left[:, 0] - rejected).clip(0).astype(object)[:, None]
            taken = keeps[:, rejected]
            if may_reject and rejected + 1 < game.many:
                again = draws[:, rejected + 1]
                better = chart.rejects if chart else again @ amounts > taken @ amounts
                rejecting[:, rejected] = better
                taken = np.where(rejecting[:, rejected, None], again, taken)
            draws[:, rejected] = others[:, rejected] + tens * taken
        if chart:
            letters = np.array([chart.rows[drawn][sum(hand) % VALUES] == "D" for hand in every])
            drawing = np.repeat(letters[:, None], game.many, axis=1)
        else:
            drawing = (draws @ amounts > stands @ amounts).astype(np.bool_)
        drawing &= np.array([rules.total(hand) != BUST for hand in every])[:, None]
        best = np.where(drawing[:, :, None], draws, stands)
        kept.insert(0, (drawing, rejecting))
    dealt = [_orders(game, hand) for hand in hands_of_size(rules.cards)]
    first = best[:, 0] + game.standing(rules.cards, naturals=True)[:, 0]
    counts = np.array(dealt, object) @ first
    deals = perm(game.cards, rules.cards) * game.scale(game.cards - rules.cards)
    chances = {units: Fraction(n, deals) for units, n in zip(game.amounts, counts.tolist(), strict=True)}
    if sum(chances.values()) != 1:
        raise ArithmeticError(
            f"shoe v:{game.values.tolist()}: probabilities add up to {sum(chances.values())}, should be 1"
        )
    return MacaoOdds(chances), kept


def _reply_tables(game: _MacaoGame, kept: list[tuple[Bools, Bools]]) -> tuple[ReplyTable, ...]:
    """The play as tables, with the states in which the punter has to choose. These states are found by going forwards
    from the first cards."""
    rules, tables = game.rules, []
    reached = np.zeros((len(hands_of_size(rules.cards)), game.many), np.bool_)
    reached[:, 0] = [_orders(game, hand) > 0 for hand in hands_of_size(rules.cards)]
    for drawn, (drawing, rejecting) in enumerate(kept):
        every = hands_of_size(rules.cards + drawn)
        left = game.values - counts_of(rules.cards + drawn)
        tens = left[:, :1] - np.arange(game.many) > 0
        reached &= np.array([rules.total(hand) != BUST for hand in every])[:, None]
        comes = reached & drawing
        for rejected in range(game.many - 1):
            comes[:, rejected + 1] |= comes[:, rejected] & tens[:, rejected] & rejecting[:, rejected]
        tables.append(ReplyTable(drawing, rejecting, reached, comes & tens & rules.punter_rejects))
        reached = np.zeros((len(hands_of_size(rules.cards + drawn + 1)), game.many), np.bool_)
        after = _longer(rules.cards + drawn)
        for v in range(VALUES):
            possible = tens & ~rejecting if v == 0 else left[:, v, None] > 0
            np.logical_or.at(reached, after[:, v], comes & possible)
    return tuple(tables)


def _orders(game: _MacaoGame, hand: Hand) -> int:
    """How many ways there are to deal a hand from the shoe; different orders count separately."""
    counts = [hand.count(v) for v in range(VALUES)]
    return len(set(permutations(hand))) * prod(perm(int(n), k) for n, k in zip(game.values, counts, strict=True))


@cache
def _longer(size: int) -> Ints:
    """For each hand and each value of one more card: the hand with this card added, as an index in `hands_of_size`
    (hands, 10)."""
    tens = VALUES ** np.arange(size + 1)[::-1]
    after = np.array(
        [
            [hand_places(size + 1)[np.array(sorted((*hand, v))) @ tens] for v in range(VALUES)]
            for hand in hands_of_size(size)
        ]
    )
    after.flags.writeable = False
    return after


def best_reply(shoe: Shoe | str, rules: Macao) -> Reply:
    """The best play of a punter, and what it wins. The punter knows Banker's rule and the composition of the shoe
    before the coup.

    The punter also sees the values of their own cards and of the cards that they rejected. If two moves are equally
    good, the punter stands rather than draws, and keeps a card rather than rejects it. Raises `InputError` for a shoe
    of more than eight decks, and for a shoe with too few cards for a coup. If tens and faces may be rejected, they are
    not counted when deciding whether the cards are too few.
    """
    shoe = as_shoe(shoe)
    check_macao(shoe, rules)
    game = _MacaoGame(shoe, rules, rejects=True)
    odds, kept = _played(game, None)
    return Reply(shoe, rules, odds, _reply_tables(game, kept))


def odds(shoe: Shoe | str, rules: Macao, chart: Chart) -> MacaoOdds:
    """The exact distribution of what a punter wins by playing a chart. Raises `InputError` for the same shoes as
    `best_reply`, and for a chart that does not have one row for each card that may be drawn."""
    shoe = as_shoe(shoe)
    if not isinstance(chart, Chart):
        raise InputError(f"chart: {chart!r}, should be a Chart, as Chart(('DDDDDDSSSS',))")
    check_macao(shoe, rules, chart)
    return _played(_MacaoGame(shoe, rules, chart.rejects), chart)[0]
