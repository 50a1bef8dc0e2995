"""The hands of coups, from the fields of cards: a column per hand, a column per card, or one list. One coup and blocks
of coups are read in the same way.

A coup is in progress if it has no winner and only the first one to three cards of a deal. A coup in one list is in
progress if it has fewer than four cards, even with a winner.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from counting.arrays import Ints
from counting.games import Tableau
from counting.logs.cards import MOST_CODE, NO_CARD, UNREAD
from counting.logs.deal_order import LEAST, ListOrder, hands_of, lawful_share, plain_hands
from counting.logs.fields import MOST_HAND, NONE
from counting.logs.fitting import LIST_MARKS, PLACES, Fit
from counting.logs.layouts import HANDS
from counting.numbers import many

LISTED = tuple(f"card_{at}" for at in range(1, 1 + MOST_HAND))  # the fields for the cards of a coup in one list
_TOTALS = tuple(f"{name}_total" for name in HANDS)
# The value that replaces null in each field.
FILLS = {**dict.fromkeys((*PLACES, *LISTED), NO_CARD), **dict.fromkeys(HANDS, 0),
         **dict.fromkeys(_TOTALS, -1)}  # fmt: skip
PROGRESS = "progress"  # the kind of remark on a hand in progress
LEAST_HAND = 2  # the fewest cards of a whole hand
_WITHOUT_PLACES = ("dealt", "player-first")  # these orders drop a list's empty places
_BEGUN = ((1, 0), (1, 1), (2, 1))  # numbers of Player's and Banker's cards during the deal
_MOSTLY = 0.5  # "places" is chosen only if it makes more than this share of coups agree with the drawing rules
_MARKS_AROUND, _MARKS_BETWEEN = "[](){} ", r"[\"' ]+"
_NO_CARD_WORD = r"(?i)(^|[\s,;/|])(?:-1(?:\.0+)?|n/a|<na>)([\s,;/|]|$)"
_WORD = r"[^\s,;/|+&_\[\](){}\"'-]+"
_UNPACKED = np.array([NO_CARD, UNREAD, NO_CARD, *range(MOST_CODE + 1)], np.int8)

Codes = NDArray[np.int8]
Hand = tuple[int, ...]  # the codes of the cards


class Refused(NamedTuple):
    """Coups whose hands cannot be read: the rows (a mask), the column, the kind of remark, the text, and the reason."""

    rows: NDArray[np.bool_]
    column: str
    kind: str
    value: str
    reason: str


class LoggedHands(NamedTuple):
    """Player's and Banker's cards, each (rows, 8), and the refused coups. If the cards of a coup are in one list,
    `five` is the number of coups with five cards, and `ruled` is a mask of the coups in which the drawing rules decided
    which hand has the fifth card."""

    player: Codes
    banker: Codes
    refused: list[Refused]
    five: int = 0
    ruled: NDArray[np.bool_] | None = None

    @property
    def whole(self) -> NDArray[np.bool_]:
        """A mask of the rows that are not refused."""
        rows = np.ones(len(self.player), np.bool_)
        for refused in self.refused:
            rows &= ~refused.rows
        return rows


def hands_of_coups(values: Mapping[str, Ints], fit: Fit, tableau: Tableau) -> LoggedHands:
    """The hands of coups. `values` has an array (rows,) for each field of the log. Either the cards are in `player` and
    `banker`, packed as by `fields.hand`, with 0 for no cards, or each card has a field, named in `PLACES` or `LISTED`,
    with `NO_CARD` for none. Totals are below 0 if they are not logged. `won` is above 0 if there is a winner."""
    if LISTED[0] in values:
        return _of_lists(values, fit.order, tableau)
    hands = [_hand(values, name) for name in HANDS]
    player, banker = ((hand != NO_CARD).sum(axis=1) for hand in hands)
    return LoggedHands(hands[0], hands[1], _unfinished(player, banker, values.get("won", np.zeros(len(player))) > 0))


def _unfinished(player: Ints, banker: Ints, won: NDArray[np.bool_]) -> list[Refused]:
    """The refused coups: a hand has no cards, or the coup is in progress."""
    if not len(player) or min(player.min(), banker.min()) >= LEAST_HAND:
        return []
    refused = []
    pairs = np.unique(np.stack([player, banker], axis=1), axis=0)
    for p, b in pairs[pairs.min(axis=1) < LEAST_HAND].tolist():
        rows = (player == p) & (banker == b)
        begun = rows & ~won if (p, b) in _BEGUN else np.zeros_like(rows)
        if begun.any():
            cards = f"Player has {many(p, 'card')} and Banker {b}: a hand in progress"
            refused.append(Refused(begun, HANDS[p >= LEAST_HAND], PROGRESS, str(min(p, b)), cards))
        if min(p, b) == 0 and (rows & ~begun).any():
            missing = "the cards are missing, should be as 9h Kd or ? ?"
            refused.append(Refused(rows & ~begun, HANDS[p > 0], NONE, "", missing))
        # Any other odd coup is kept as it was logged.
    return refused


def _hand(values: Mapping[str, Ints], name: str) -> Codes:
    """The codes of a hand's cards (rows, 8), from one column or from one column per card."""
    if name in values:
        packed = np.ascontiguousarray(values[name].astype("<i8"))
        return _UNPACKED[packed.view(np.uint8).reshape(-1, MOST_HAND)]
    places = [place for place in PLACES if place.startswith(name) and place in values]
    closed = closed_hands(np.stack([values[place].astype(np.int8) for place in places], axis=1))
    return np.pad(closed, ((0, 0), (0, MOST_HAND - len(places))), constant_values=NO_CARD)


def closed_hands(codes: Codes) -> Codes:
    """The cards of hands (rows, places), with empty places moved to the end. If a hand has any card, a missing first or
    second card counts as unread."""
    codes = codes.copy()
    codes[:, :2] = np.where((codes[:, :2] == NO_CARD) & (codes != NO_CARD).any(axis=1)[:, None], UNREAD, codes[:, :2])
    order = np.argsort(codes == NO_CARD, axis=1, kind="stable")
    return np.take_along_axis(codes, order, axis=1)


# One coup


class OneByOne:
    """Reads hands one coup at a time, with the same results as `hands_of_coups`."""

    def __init__(self, columns: Collection[str], fit: Fit) -> None:
        self._fit, self._lists = fit, "cards" in columns
        self._hands = [(hand, [at for at in PLACES if at.startswith(hand) and at in columns]) for hand in HANDS]
        self._fills = {
            name: fill for name, fill in FILLS.items()
            if name in columns or (self._lists and (name in LISTED or name in _TOTALS))
        }  # fmt: skip

    def hands(self, values: Mapping[str, Any], tableau: Tableau) -> tuple[Hand, Hand, list[Refused]]:
        """Both hands of a coup, and the reasons to refuse the coup; there are none for a good coup."""
        plain = self._plain(values, tableau)
        if plain is not None:
            return *plain, []
        arrays = {name: np.array([fill if values.get(name) is None else values[name]])
                  for name, fill in self._fills.items()}  # fmt: skip
        coup = hands_of_coups(arrays | {"won": np.array([values.get("winner") is not None])}, self._fit, tableau)
        player, banker = (tuple(code for code in hand[0].tolist() if code != NO_CARD) for hand in coup[:2])
        return player, banker, coup.refused

    def _plain(self, values: Mapping[str, Any], tableau: Tableau) -> tuple[Hand, Hand] | None:
        """The hands of an ordinary coup, read in a quick way; None for an unusual coup."""
        if self._lists:
            codes, totals = ([_filled(values.get(name), name) for name in names] for names in (LISTED, _TOTALS))
            return plain_hands(codes, self._fit.order, (totals[0], totals[1]), tableau)
        player, banker = (self._plain_hand(values, *hand) for hand in self._hands)
        return None if player is None or banker is None else (player, banker)

    def _plain_hand(self, values: Mapping[str, Any], name: str, places: Sequence[str]) -> Hand | None:
        if name in values:
            hand = _unpacked(values[name] or 0)
        else:
            cards = [_filled(values.get(place), place) for place in places]
            if len(cards) < LEAST_HAND or NO_CARD in cards[:LEAST_HAND]:
                return None
            hand = tuple(card for card in cards if card != NO_CARD)
        return hand if len(hand) >= LEAST_HAND else None


def _filled(value: int | None, name: str) -> int:
    return FILLS[name] if value is None else value


@lru_cache(maxsize=1 << 14)
def _unpacked(packed: int) -> Hand:
    return tuple(code for code in _UNPACKED[list(packed.to_bytes(MOST_HAND, "little"))].tolist() if code != NO_CARD)


# One list of all cards


def _of_lists(values: Mapping[str, Ints], order: ListOrder, tableau: Tableau) -> LoggedHands:
    codes = np.stack([values[name].astype(np.int8) for name in LISTED], axis=1)
    totals = np.stack([values[name].astype(np.int8) for name in _TOTALS], axis=1)
    parted = hands_of(codes, order, totals, tableau)
    number = (codes != NO_CARD).sum(axis=1)
    wanted = "two or three in the places of each hand" if order == "places" else "four to six"
    refused = []
    for wrong, kind, reason in (
        (~parted.read, "number", f"has {{}} cards in one list, should be {wanted}"),
        (parted.read & parted.open, "five", "{} cards in one list: either hand may have three"),
    ):
        for n in np.unique(number[wrong]).tolist():
            rows = wrong & (number == n)
            if n < LEAST:
                refused.append(Refused(rows, "cards", PROGRESS, str(n), f"{n} cards in one list: a hand in progress"))
            else:
                refused.append(Refused(rows, "cards", kind, str(n), reason.format(n)))
    hands = [np.pad(hand, ((0, 0), (0, MOST_HAND - 3)), constant_values=NO_CARD) for hand in parted[:2]]
    ruled = parted.by_rules & ~parted.open
    return LoggedHands(hands[0], hands[1], refused, int((number == LEAST + 1).sum()), ruled)


def list_columns(texts: pl.DataFrame, order: str | None) -> pl.DataFrame:
    """The cards of coups in one list, split into one column per card. Empty places are kept, except in the orders
    "dealt" and "player-first"."""
    bare = pl.col("cards").str.strip_chars(_MARKS_AROUND).str.replace_all(_MARKS_BETWEEN, " ").str.strip_chars()
    for _ in range(2):  # twice, because neighbouring gaps share a mark
        bare = bare.str.replace_all(_NO_CARD_WORD, "$1$2")
    words = bare.str.extract_all(_WORD)
    parts = words
    for mark in LIST_MARKS[::-1]:
        parts = pl.when(bare.str.contains(mark, literal=True)).then(bare.str.split(mark)).otherwise(parts)
    chosen = words if order in _WITHOUT_PLACES else parts
    listed = texts.select(chosen.alias("words"))["words"]
    columns = [listed.list.get(at, null_on_oob=True).fill_null("").str.strip_chars().alias(name)
               for at, name in enumerate(LISTED)]  # fmt: skip
    return texts.drop("cards").with_columns(columns)


def words_listed(text: str, order: str | None) -> Sequence[str]:
    """The cards in one coup's text, split as by `list_columns`."""
    if not text.isprintable():  # unusual blanks, which not every library treats as blanks
        return list_columns(pl.DataFrame({"cards": [text]}), order).row(0)
    bare = _BETWEEN.sub(" ", text.strip(_MARKS_AROUND)).strip()
    for _ in range(2):
        bare = _NO_CARD_HERE.sub(r"\1\2", bare)
    mark = None if order in _WITHOUT_PLACES else next((mark for mark in LIST_MARKS if mark in bare), None)
    words = [word.strip() for word in (_WORDS.findall(bare) if mark is None else bare.split(mark))[: len(LISTED)]]
    return words + [""] * (len(LISTED) - len(words))


_BETWEEN, _NO_CARD_HERE, _WORDS = map(re.compile, (_MARKS_BETWEEN, _NO_CARD_WORD, _WORD))


def list_order(codes: Codes, tableau: Tableau) -> ListOrder:
    """The order of cards in lists. It is "places" if lists have gaps and more than half of the coups, read in that
    order, agree with the drawing rules. Otherwise it is "dealt" or "player-first", whichever makes more coups agree
    with the rules."""
    gaps = ((codes[:, :-1] == NO_CARD) & (codes[:, 1:] != NO_CARD)).any()
    if gaps and lawful_share(codes, "places", tableau) > _MOSTLY:
        return "places"
    orders: tuple[ListOrder, ...] = ("dealt", "player-first")
    return max(orders, key=lambda order: lawful_share(codes, order, tableau))
