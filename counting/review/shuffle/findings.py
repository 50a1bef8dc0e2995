"""What a review of shoes flags: the shoe, the coups and places, what they resemble, and the patrons who bet there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from counting.arrays import Ints
from counting.cards import Knows
from counting.logs import Log
from counting.review.shuffle.coolers import Cooler
from counting.review.shuffle.discard_rack import Gathering, gatherings
from counting.review.shuffle.order_tests import ORDER_TESTS, Likeness, OrderTests
from counting.review.shuffle.repeated_stretches import Stretch
from counting.review.shuffle.shoe_orders import ShoeOrders
from counting.review.shuffle.slugs import Slug

# k riffles move neighbours in a pile apart, to 2^k places on average. Two cards of the shoe count as former neighbours
# if they are at most this multiple of 2^k places apart.
_FAR = 2


class InvolvedPatron(NamedTuple):
    """A patron who bet on coups of a finding: the number of these coups, the stakes, and the net result. The result is
    None if some bet's result was not logged."""

    patron: str
    coups: int
    staked: float
    won: float | None


class Finding(NamedTuple):
    """A flagged test, of the log or of one shoe. `shoe` is None for a test of the log, unless it found a stretch.

    - `kind`: the name of the test
    - `table` and `shoe`: as logged
    - `coups` and `places`: the first and the last coup, and the first and the last place. Places are numbered from 1 in
      the order dealt
    - `p`: the p-value, adjusted for all tests
    - `former`: the shoe, an earlier one or the same, whose cards or order the finding repeats
    - `former_coups`: the coups of that shoe at which the repetition begins and ends. It may run backwards
    - `like`: what the shoe's order is most like: a kind of column (`order_tests`), or new decks
    - `order` and `riffles`: the order of gathering and the number of riffles that fit best
    - `cards` and `known_by`: the number of cards of a stretch, and whether cards are compared by card, rank or value
    - `event` and `times`: the event of a run, and how often it came
    - `bettors`: the patrons who bet on the coups"""

    kind: str
    table: str | None
    shoe: str | None
    coups: tuple[int, int] | None
    places: tuple[int, int] | None
    p: float
    former: str | None = None
    former_coups: tuple[int, int] | None = None
    like: str | None = None
    order: str | None = None
    riffles: int | None = None
    cards: int | None = None
    known_by: Knows | None = None
    event: str | None = None
    times: int | None = None
    bettors: tuple[InvolvedPatron, ...] = ()


def findings_of(
    log: Log,
    orders: ShoeOrders,
    tests: Iterable[tuple[str, float]],
    shoes: Mapping[str, Mapping[int, float]],
    order: OrderTests,
    slugs: Mapping[int, Slug | None],
    coolers: Sequence[Cooler],
    stretch: Stretch | None,
) -> list[Finding]:
    """The findings: first the findings on single shoes, by p-value, then the flagged `tests` of the log. All p-values
    are adjusted."""
    single = []
    for row, p in shoes.get("slugs", {}).items():
        if (found := slugs[row]) is not None:
            single.append(_slug(orders, row, found, p))
    for row, p in shoes.get("coolers", {}).items():
        single.append(_cooler(orders, row, coolers[row], p))
    for row, p in shoes.get("one-shoe", {}).items():
        single.append(_order(orders, row, order.shoes[row].like, p))
    single.sort(key=lambda finding: finding.p)
    of_log = []
    for name, p in tests:
        if name == "stretches" and stretch is not None:
            of_log.append(_stretch(orders, stretch, p))
        elif (like := order.likes.get(name)) is not None:
            gathered, riffles = like.gathered, like.riffles
            of_log.append(Finding(name, None, None, None, None, p, like=like.kind, order=gathered and gathered.name,
                                  riffles=riffles))  # fmt: skip
        else:
            of_log.append(Finding(name, None, None, None, None, p))
    return [_with_bettors(log, finding) for finding in [*single, *of_log]]


def _slug(orders: ShoeOrders, row: int, found: Slug, p: float) -> Finding:
    pile = orders.piles[row if found.former is None else row - 1 - found.former]
    places = (found.place + 1, found.place + found.cards)
    return Finding(
        "slugs", *_name(orders, row), _coups(orders, row, places), places, p,
        former=orders.shoes["shoe"][row if found.former is None else row - 1 - found.former],
        former_coups=(int(pile.numbers[found.first_coup]), int(pile.numbers[found.last_coup])),
        cards=found.cards, known_by=found.knows,
    )  # fmt: skip


def _cooler(orders: ShoeOrders, row: int, found: Cooler, p: float) -> Finding:
    pile = orders.piles[row]
    last = found.last - 1
    places = (int(pile.first[found.first]) + 1, int(pile.first[last] + pile.sizes[last]))
    coups = (int(pile.numbers[found.first]), int(pile.numbers[last]))
    return Finding("coolers", *_name(orders, row), coups, places, p, event=found.event, times=found.number)


def _order(orders: ShoeOrders, row: int, like: Likeness, p: float) -> Finding:
    places = (1, int(np.flatnonzero(orders.known[row])[-1]) + 1)
    former = former_coups = None
    if like.test in ORDER_TESTS[:2]:
        before = row - 1 - ORDER_TESTS.index(like.test)
        pile, former = orders.piles[before], orders.shoes["shoe"][before]
        first, end = like.coups or (0, len(pile.numbers))
        former_coups = (int(pile.numbers[first]), int(pile.numbers[end - 1]))
        if like.coups is not None:
            places = _where(orders, row, pile.coups[first:end], like)
    return Finding(
        "one-shoe", *_name(orders, row), _coups(orders, row, places), places, p, former=former,
        former_coups=former_coups, like=like.kind if like.test in ORDER_TESTS[:2] else "new-decks",
        order=like.gathered and like.gathered.name, riffles=like.riffles,
    )  # fmt: skip


def _stretch(orders: ShoeOrders, stretch: Stretch, p: float) -> Finding:
    (first, second), (before, place) = stretch.shoes, stretch.places
    places = (place, place + stretch.cards - 1)
    return Finding(
        "stretches", *_name(orders, second), _coups(orders, second, places), places, p,
        former=orders.shoes["shoe"][first], former_coups=_coups(orders, first, (before, before + stretch.cards - 1)),
        cards=stretch.cards, known_by=orders.knows,
    )  # fmt: skip


def _name(orders: ShoeOrders, row: int) -> tuple[str, str]:
    """The table and name of a shoe."""
    table, shoe = orders.shoes.row(row)
    return table, shoe


def _coups(orders: ShoeOrders, row: int, places: tuple[int, int]) -> tuple[int, int] | None:
    """The first and the last coup that were dealt from these places of a shoe. None if no coup that was read has a card
    there."""
    pile = orders.piles[row]
    rows = np.flatnonzero((pile.first < places[1]) & (pile.first + pile.sizes >= places[0]))
    return (int(pile.numbers[rows[0]]), int(pile.numbers[rows[-1]])) if len(rows) else None


def _where(orders: ShoeOrders, row: int, coups: Ints, like: Likeness) -> tuple[int, int]:
    """The first and the last place of the stretch of a shoe in which these coups most likely lie.

    The stretch has one place for each card of the coups, or two places if the pile was riffled. Among all stretches of
    this length, it is the stretch in which cards most often follow one another as they do in the pile."""
    gathered = like.gathered or gatherings()[0]
    pile = _in_order(coups, gathered)
    follows = np.zeros((64, 64), bool)
    follows[pile[:-1], pile[1:]] = True
    cards, known = orders.cards[row].astype(np.int64), orders.known[row]
    marks = np.zeros(len(cards))
    for apart in range(1, _FAR * 2 ** (like.riffles or 0) + 1):
        if apart >= len(cards):
            break
        both = known[:-apart] & known[apart:]
        marks[:-apart] += follows[cards[:-apart], cards[apart:]] & both
    length = min(len(cards), 2 * len(pile) if like.riffles else len(pile))
    dense = np.convolve(marks, np.ones(length), "valid")
    first = int(dense.argmax())
    seen = np.flatnonzero(known[first : first + length])
    return (first + int(seen[0]) + 1, first + int(seen[-1]) + 1) if len(seen) else (first + 1, first + length)


def _in_order(coups: Ints, gathered: Gathering) -> Ints:
    """The cards of some coups, in their order in the pile."""
    rows = coups[::-1] if gathered.last_first else coups
    cards = rows[:, gathered.places].ravel()
    return cards[cards >= 0]


def _with_bettors(log: Log, finding: Finding) -> Finding:
    if finding.shoe is None or finding.coups is None or not log.bets.height:
        return finding
    table, shoe = (pl.col(name).cast(pl.String) for name in ("table", "shoe"))
    there = log.bets.filter(table == finding.table, shoe == finding.shoe, pl.col("coup").is_between(*finding.coups))
    rows = (
        there.group_by(pl.col("patron").cast(pl.String), maintain_order=True)
        .agg(pl.col("coup").n_unique(), pl.col("amount").sum() / 100,
             pl.when(pl.col("won").is_null().any()).then(None).otherwise(pl.col("won").sum() / 100).alias("won"))
        .sort("amount", descending=True, maintain_order=True)
    )  # fmt: skip
    return finding._replace(bettors=tuple(InvolvedPatron(*row) for row in rows.rows()))
