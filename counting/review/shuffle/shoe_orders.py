"""The shoes of a log in the order dealt, completed so that every order is equally likely if they were well shuffled.

The place of every seen card is known. How many cards are seen may depend on the seen cards, but never on the cards that
follow. Neither a cut card nor a dealer's decision to close the table depends on the cards that follow. So if all orders
of a shoe are equally likely, all orders of its unseen cards are equally likely too. A shoe is completed by its unseen
cards in random order, and then has each order with the same probability. This is exact for every place of the cut card
and every drawing rule.

A coup that is missing, or has an unread card, counts as five unseen cards. The read cards of such a coup are not used,
because a draw after an unread card would show something about that card. The coups after such a gap are used. The share
of each card among the unseen cards is a martingale. So the chances of the next cards do not depend on the number of
cards in the gap. Only the place of the cut card shows a little about the gap's true length. No figure in the experiment
shows an effect of this (`experiments/shuffle`).

Logged burned cards come first in a shoe. Hidden burned cards count as unseen cards. If burned cards are not logged, the
shoe begins with its first logged card. If the first burned card sets the number of burned cards, the last dealt card
shows a little about the first burned card. The p-values of 1,200 logs of random shoes show no effect
(`experiments/shuffle`)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from counting.arrays import Bools, Ints
from counting.cards import DECK, RANKS, WIDTH, Knows, Shoe, coarser
from counting.logs import NO_CARD, TEN_OR_FACE, UNREAD, ZERO, Log, card_codes, missing_coups, shoe_numbers, shoe_starts
from counting.review.coverage import LogPart, coups_part
from counting.review.unseen_cards import KIND

NEARLY_ALL = 0.99  # if this share of the cards has suits, a card without a suit counts as a gap
LEAST_SHARE = 0.25  # a shoe is not used if a smaller share of it was seen; a coup counts as five cards
COUP_CARDS = 5  # the cards of a coup that is missing or was not read
_DEALT = (0, 3, 1, 4, 2, 5)  # places of a coup's cards in the order dealt: P1 B1 P2 B2 P3 B3
_PLACES = np.argsort(_DEALT)  # the inverse of `_DEALT`
_FIRST_FOUR = 4
_TENS = slice(RANKS.index("10"), None)
_SURE = 40  # if a log of this number of cards or more has tens but no jack, queen or king, it has values, not ranks


class Surplus(NamedTuple):
    """A card, rank or value (`kind`) of which a shoe shows more than its decks have, and how often it was `seen`."""

    table: str
    shoe: str
    kind: int
    seen: int


class Pile(NamedTuple):
    """The coups of a shoe that were read, as they go into the discard rack.

    - `coups` (coups, 6): kinds at the places P1 P2 P3 B1 B2 B3, -1 for no card
    - `numbers` (coups,): each coup's number in its shoe
    - `linked` (coups,): whether the next row is the coup dealt next
    - `first` (coups,): the place in the shoe, from 0, of the coup's first card"""

    coups: Ints
    numbers: Ints
    linked: Bools
    first: Ints

    @property
    def sizes(self) -> Ints:
        """The number of cards of each coup."""
        return np.asarray((self.coups >= 0).sum(axis=1), np.int64)


@dataclass(frozen=True, eq=False)
class ShoeOrders:
    """Whole shoes in the order dealt.

    - `knows`: whether cards are known by value, rank or card
    - `cards` (shoes, cards of a shoe): the kind of each card: 0 to 9, 0 to 12 or 0 to 51, depending on `knows`
    - `known` (shoes, cards of a shoe): whether each place was seen
    - `piles`: the coups of each shoe
    - `follows` (shoes, 2): whether the row above is the shoe before at the same table, and whether the second row above
      is the second shoe before
    - `shoes`: `table` and `shoe` of each row
    - `surplus`: the cards of which a shoe shows more than its decks have; these shoes are left out
    - `short`: the number of shoes that are left out because too little of them was seen
    - `hidden`: in the shoes that are used, the number of coups that count as five unseen cards each
    - `parts`: what could not be read"""

    decks: int
    knows: Knows
    cards: NDArray[np.uint8]
    known: Bools
    piles: list[Pile]
    follows: NDArray[np.uint8]
    shoes: pl.DataFrame
    surplus: list[Surplus]
    short: int
    hidden: int
    parts: list[LogPart]

    @property
    def number(self) -> int:
        return len(self.cards)

    @cached_property
    def seen(self) -> Ints:
        """The number of cards seen in each shoe."""
        return np.asarray(self.known.sum(axis=1), np.int64)

    def name(self, row: int) -> str:
        table, shoe = self.shoes.row(row)
        return f"shoe {shoe} of table {table}"


def shoe_orders(log: Log, decks: int, seed: int) -> ShoeOrders:
    """The shoes of a log, of `decks` decks each. The random order of unseen cards depends only on the seed and the
    shoe's number in the log."""
    codes = card_codes(log.coups)[:, _DEALT]
    knows = known_by(codes)
    kind = np.append(KIND[knows], [WIDTH[knows], -1])  # the last two are for codes -2 and -1
    shoe = shoe_numbers(log.coups)
    start = shoe_starts(shoe)
    end = np.append(start[1:], len(shoe))
    read = ~_unread(log, codes, shoe, start, knows)
    numbers = log.coups["coup"].to_numpy().astype(np.int64)
    missing = np.diff(numbers, prepend=0) - 1
    missing[start] = numbers[start] - 1
    missing = np.maximum(missing, 0)
    listed = log.coups["burn"].list.len().fill_null(0).to_numpy().astype(np.int64)
    full = np.array(coarser(Shoe.decks(decks).counts, knows))
    burns = log.coups["burn"][start].to_list()
    names = log.coups.select(pl.col("table", "shoe").cast(pl.String))[start]
    cards: list[NDArray[np.uint8]] = []
    known: list[Bools] = []
    piles: list[Pile] = []
    kept: list[int] = []
    surplus: list[Surplus] = []
    short = hidden = 0
    for i in range(len(start)):
        rows = slice(start[i], end[i])
        seen = read[rows]
        if int(seen.sum()) * COUP_CARDS < LEAST_SHARE * full.sum():
            short += 1
            continue
        order, pile = _placed(
            kind[codes[rows].astype(np.int64)], kind[np.array(burns[i] or [], np.int64)], seen, numbers[rows],
            missing[rows], listed[rows], full, WIDTH[knows],
        )  # fmt: skip
        too_many = np.bincount(order, minlength=WIDTH[knows] + 1)[:-1] - full
        if too_many.max() > 0:
            table, name = names.row(i)
            surplus += [Surplus(table, name, int(k), int(full[k] + too_many[k])) for k in np.flatnonzero(too_many > 0)]
            continue
        hidden += int((~seen).sum() + missing[rows].sum())
        order, moved = _fitted(order, int(full.sum()), WIDTH[knows])
        filled, seen_places = completed(order, full, np.random.default_rng([seed, i]))
        cards.append(filled)
        known.append(seen_places)
        piles.append(pile._replace(first=moved[pile.first]))
        kept.append(i)
    size = int(full.sum())
    return ShoeOrders(
        decks,
        knows,
        np.array(cards, np.uint8).reshape(-1, size),
        np.array(known, bool).reshape(-1, size),
        piles,
        _follows(kept, names),
        names[kept],
        surplus,
        short,
        hidden,
        _parts(log, codes, shoe, start, end),
    )


def _placed(
    kinds: Ints, burned: Ints, seen: Bools, numbers: Ints, missing: Ints, listed: Ints, full: Ints, hidden: int
) -> tuple[Ints, Pile]:
    """The kind at each place of a shoe, and the shoe's coups. `hidden` stands for an unseen place. If gaps are long,
    there may be more places than a shoe has cards.

    - `kinds` (coups, 6): in the order dealt
    - `missing` (coups,): the number of coups missing before each coup
    - `listed` (coups,): the number of burned cards listed with each coup"""
    sizes = np.where(seen, (kinds >= 0).sum(axis=1), COUP_CARDS + listed)
    first = len(burned) + np.cumsum(sizes + COUP_CARDS * missing) - sizes
    order = np.full(max(int(first[-1] + sizes[-1]), int(full.sum())), hidden)
    order[: len(burned)] = burned
    coup, place = np.nonzero((kinds >= 0) & seen[:, np.newaxis])
    card = np.cumsum(kinds >= 0, axis=1)[coup, place] - 1
    order[first[coup] + card] = kinds[coup, place]
    linked = np.append(np.diff(numbers[seen]) == 1, False)
    return order, Pile(kinds[seen][:, _PLACES], numbers[seen], linked, first[seen])


def _fitted(order: Ints, size: int, hidden: int) -> tuple[Ints, Ints]:
    """The places of a shoe, cut down to `size` places, and where each place went.

    If gaps are too long for the shoe, the last hidden places are left out."""
    gaps = np.flatnonzero(order == hidden)
    keep = np.ones(len(order), bool)
    keep[gaps[len(gaps) - (len(order) - size) :]] = False
    return order[keep], np.cumsum(keep) - 1


def known_by(codes: NDArray[np.int8]) -> Knows:
    """The detail in which nearly all cards of a log are known.

    It is the value if some card is logged only as a ten or face. It is also the value if the log has `_SURE` cards or
    more, with tens but no jack, queen or king."""
    read = codes[codes >= 0].astype(np.int64)
    if (read == TEN_OR_FACE).any():
        return "value"
    if len(read) and (KIND["card"][read] < DECK).mean() >= NEARLY_ALL:
        return "card"
    by_rank = np.bincount(KIND["rank"][read], minlength=len(RANKS))[: len(RANKS)]
    tens = by_rank[_TENS]
    return "value" if by_rank.sum() >= _SURE and tens[0] and not tens[1:].any() else "rank"


def completed(kinds: Ints, full: Ints, random: np.random.Generator) -> tuple[NDArray[np.uint8], Bools]:
    """A shoe with the counts `full` that begins with these cards, and whether each of its places was seen.

    The kind `len(full)` stands for an unseen card. Unseen cards are put in random order."""
    order = np.full(int(full.sum()), len(full))
    order[: len(kinds)] = kinds
    known = order < len(full)
    left = full - np.bincount(order[known], minlength=len(full))
    order[~known] = random.permutation(np.repeat(np.arange(len(full)), left))
    return order.astype(np.uint8), known


def _unread(log: Log, codes: NDArray[np.int8], shoe: Ints, start: Ints, knows: Knows) -> Bools:
    """Whether each row's coup cannot be used: a card was not read, or it is not known when a card left the shoe."""
    unread = (codes == UNREAD).any(axis=1) | (codes[:, :_FIRST_FOUR] == NO_CARD).any(axis=1)
    unread |= log.coups["more"].is_not_null().to_numpy()
    unread |= log.coups["burn"].is_not_null().to_numpy() & (np.arange(len(shoe)) != start[shoe])  # burned later
    unread |= ((codes >= 0) & (KIND[knows][codes] >= WIDTH[knows])).any(axis=1)
    return np.asarray(unread, bool)


def _follows(kept: list[int], names: pl.DataFrame) -> NDArray[np.uint8]:
    follows = np.zeros((len(kept), 2), np.uint8)
    number, table = np.array(kept, np.int64), names["table"][kept].to_numpy()
    for lag in (1, 2):
        follows[lag:, lag - 1] = (number[lag:] - number[:-lag] == lag) & (table[lag:] == table[:-lag])
    return follows


def _parts(log: Log, codes: NDArray[np.int8], shoe: Ints, start: Ints, end: Ints) -> list[LogPart]:
    """The parts of the log that a verdict on the shuffling needs, as `coverage.parts` has them for an audit."""
    coups = log.coups.height
    lost = max(missing_coups(log.coups, start), log.skipped.get("coups", 0))
    lines = coups + log.skipped.get("coups", 0) + log.remarked("again", column="coup")
    return [
        LogPart("cards not read", int((codes == UNREAD).sum()), int((codes != NO_CARD).sum())),
        coups_part(log, coups, lost),
        LogPart("lines that are not UTF-8", log.remarked("encoding"), lines, 0.0),
        LogPart("lines with a coup number of 0", log.remarked(ZERO), lines, 0.0),
    ]
