"""The hands of coups from their fields, for one coup or a million: a column a hand, a column a card, or one list.

A coup without a winner whose cards are the first one to three of a deal is in progress.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from counting.arrays import Ints
from counting.games import Tableau
from counting.logs.cards import MOST_CODE, NO_CARD, UNREAD
from counting.logs.deal_order import LEAST, ListOrder, hands_of, lawful_share
from counting.logs.fields import MOST_HAND, NONE
from counting.logs.fitting import LIST_MARKS, PLACES, Fit
from counting.logs.layouts import HANDS

LISTED = tuple(f"card_{at}" for at in range(1, 1 + MOST_HAND))  # the cards of a coup in one list
# What stands for a null of each field.
FILLS = {**dict.fromkeys((*PLACES, *LISTED), NO_CARD), **dict.fromkeys(HANDS, 0),
         **{f"{name}_total": -1 for name in HANDS}}  # fmt: skip
PROGRESS = "progress"  # the kind of remark on a hand in progress
LEAST_HAND = 2  # cards
_BEGUN = ((1, 0), (1, 1), (2, 1))  # cards of Player and Banker as they come
_MOSTLY = 0.5  # of coups dealt by the rules, where cards are at the places assumed
_NO_CARD_WORD = r"(?i)(^|[\s,;/|])(?:-1(?:\.0+)?|n/a|<na>)([\s,;/|]|$)"
_WORD = r"[^\s,;/|+&_\[\](){}\"'-]+"
_UNPACKED = np.array([NO_CARD, UNREAD, NO_CARD, *range(MOST_CODE + 1)], np.int8)

Codes = NDArray[np.int8]


class Refused(NamedTuple):
    """Coups whose hands cannot be told: which rows; the column, the kind of remark, what stands there, and why."""

    rows: NDArray[np.bool_]
    column: str
    kind: str
    value: str
    reason: str


class Dealt(NamedTuple):
    """Player's and Banker's cards (rows, 8 each); the rows refused; of lists, how many have five cards, and of how many
    of these the drawing rules said whose the fifth is."""

    player: Codes
    banker: Codes
    refused: list[Refused]
    five: int = 0
    ruled: int = 0

    @property
    def whole(self) -> NDArray[np.bool_]:
        """The rows that are not refused."""
        rows = np.ones(len(self.player), np.bool_)
        for refused in self.refused:
            rows &= ~refused.rows
        return rows


def dealt(values: Mapping[str, Ints], fit: Fit, tableau: Tableau) -> Dealt:
    """The hands of coups, by the values of their fields (rows): `player` and `banker` packed, 0 for none, or the codes
    at `PLACES` or in `LISTED`, `NO_CARD` for none, the totals, below 0 where they are not logged, and whether a winner
    is there (`won`)."""
    if LISTED[0] in values:
        return _of_lists(values, fit.order, tableau)
    hands = [_hand(values, name) for name in HANDS]
    player, banker = ((hand != NO_CARD).sum(axis=1) for hand in hands)
    return Dealt(hands[0], hands[1], _unfinished(player, banker, values.get("won", np.zeros(len(player))) > 0))


def _unfinished(player: Ints, banker: Ints, won: NDArray[np.bool_]) -> list[Refused]:
    """The coups without a hand, and those without a winner whose cards are the first of a coup."""
    if not len(player) or min(player.min(), banker.min()) >= LEAST_HAND:
        return []
    refused = []
    pairs = np.unique(np.stack([player, banker], axis=1), axis=0)
    for p, b in pairs[pairs.min(axis=1) < LEAST_HAND].tolist():
        rows = (player == p) & (banker == b)
        if (p, b) not in _BEGUN and min(p, b) > 0:
            continue  # as it was logged
        if (p, b) not in _BEGUN:
            missing = "the cards are missing, should be as 9h Kd or ? ?"
            refused.append(Refused(rows, HANDS[p > 0], NONE, "", missing))
        else:
            cards = f"Player has {p} card{'s' * (p != 1)} and Banker {b}: a hand in progress"
            refused.append(Refused(rows & ~won, HANDS[p >= LEAST_HAND], PROGRESS, str(min(p, b)), cards))
    return refused


def _hand(values: Mapping[str, Ints], name: str) -> Codes:
    """The codes of a hand's cards (rows, 8), from one column or from one a card."""
    if name in values:
        packed = np.ascontiguousarray(values[name].astype("<i8"))
        return _UNPACKED[packed.view(np.uint8).reshape(-1, MOST_HAND)]
    places = [place for place in PLACES if place.startswith(name) and place in values]
    closed = closed_hands(np.stack([values[place].astype(np.int8) for place in places], axis=1))
    return np.pad(closed, ((0, 0), (0, MOST_HAND - len(places))), constant_values=NO_CARD)


def closed_hands(codes: Codes) -> Codes:
    """The cards of hands (rows, places) side by side, from a place each. A hand has two cards at least: one that is not
    there was not read."""
    codes = codes.copy()
    codes[:, :2] = np.where((codes[:, :2] == NO_CARD) & (codes != NO_CARD).any(axis=1)[:, None], UNREAD, codes[:, :2])
    order = np.argsort(codes == NO_CARD, axis=1, kind="stable")
    return np.take_along_axis(codes, order, axis=1)


# One list of all cards


def _of_lists(values: Mapping[str, Ints], order: ListOrder, tableau: Tableau) -> Dealt:
    codes = np.stack([values[name].astype(np.int8) for name in LISTED], axis=1)
    totals = np.stack([values[f"{name}_total"].astype(np.int8) for name in HANDS], axis=1)
    parted = hands_of(codes, order, totals, tableau)
    number = (codes != NO_CARD).sum(axis=1)
    refused = []
    for wrong, kind, reason in (
        (~parted.read, "number", "has {} cards in one list, should be four to six"),
        (parted.read & parted.open, "five", "{} cards in one list: either hand may have three"),
    ):
        for n in np.unique(number[wrong]).tolist():
            rows = wrong & (number == n)
            if n < LEAST:
                refused.append(Refused(rows, "cards", PROGRESS, str(n), f"{n} cards in one list: a hand in progress"))
            else:
                refused.append(Refused(rows, "cards", kind, str(n), reason.format(n)))
    hands = [np.pad(hand, ((0, 0), (0, MOST_HAND - 3)), constant_values=NO_CARD) for hand in parted[:2]]
    ruled = int((parted.by_rules & ~parted.open).sum())
    return Dealt(hands[0], hands[1], refused, int((number == LEAST + 1).sum()), ruled)


def listed(texts: pl.DataFrame, order: str | None) -> pl.DataFrame:
    """A coup's cards in one list, each in a column of its own; a list with empty places keeps them."""
    bare = pl.col("cards").str.strip_chars("[](){} ").str.replace_all(r"[\"' ]+", " ").str.strip_chars()
    for _ in range(2):  # neighbours share the mark between them
        bare = bare.str.replace_all(_NO_CARD_WORD, "$1$2")
    words = bare.str.extract_all(_WORD)
    parts = words
    for mark in LIST_MARKS[::-1]:
        parts = pl.when(bare.str.contains(mark, literal=True)).then(bare.str.split(mark)).otherwise(parts)
    chosen = words if order in ("dealt", "player-first") else parts
    listed = texts.select(chosen.alias("words"))["words"]
    columns = [listed.list.get(at, null_on_oob=True).fill_null("").str.strip_chars().alias(name)
               for at, name in enumerate(LISTED)]  # fmt: skip
    return texts.drop("cards").with_columns(columns)


def list_order(codes: Codes, tableau: Tableau) -> ListOrder:
    """The order of cards in lists of which these are the first: the one in which the drawing rules deal most coups."""
    gaps = ((codes[:, :-1] == NO_CARD) & (codes[:, 1:] != NO_CARD)).any()
    if gaps and lawful_share(codes, "places", tableau) > _MOSTLY:
        return "places"
    orders: tuple[ListOrder, ...] = ("dealt", "player-first")
    return max(orders, key=lambda order: lawful_share(codes, order, tableau))
