"""Checks the shoes of a log against their decks and the cut card: cards seen too often, and shoes that ended early or
late."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from counting.arrays import Floats, Ints
from counting.cards import COUP, DECK, RANKS, SUITS, VALUE_OF_RANK
from counting.logs import NO_CARD, TEN_OR_FACE, UNREAD, card_name, decks_by_shoe, shoe_numbers, shoe_starts
from counting.review.dealing.error_rows import ErrorRows, rows_where
from counting.review.hands import OPEN, RANK, VALUE, LoggedCoups
from counting.simulation import LEAST_COUP, Dealing

_TENS = len(SUITS) * VALUE_OF_RANK.count(0)  # the number of tens and faces in a deck
_SHOES_TO_COMPARE = 5  # with fewer fully logged shoes, a table does not show where its shoes mostly end


class ShoeEnds(NamedTuple):
    """How the shoes of a log end. Each field is an array (shoes,).

    - `last`: the row of the last coup
    - `table`: a number that stands for the table
    - `left`: the most cards that can have been left after the last coup
    - `whole`: whether every coup is logged
    - `mark`: if the shoe ended by the rules, the number of cards left at the latest moment when the cut card can have
      come out
    - `fewest`: the fewest cards that can have been left after the last coup

    `mark` and `fewest` assume that the dealing procedure burned the most cards that it can."""

    last: Ints
    table: Ints
    left: Ints
    whole: NDArray[np.bool_]
    mark: Ints
    fewest: Ints


def judge_shoes(coups: LoggedCoups, decks: int, dealing: Dealing | None, errors: ErrorRows) -> ShoeEnds:
    """Report cards that a shoe shows too often, and shoes that are dealt too far. The result says how the shoes end."""
    log = coups.log
    shoe = shoe_numbers(log)
    starts = shoe_starts(shoe)
    decks_of = decks_by_shoe(log, starts, decks)
    _count_cards(coups, shoe, decks_of, errors)
    start = starts[shoe]  # for each coup, the row of its shoe's first coup
    rows = np.arange(log.height)
    before = log["coup"].to_numpy().astype(np.int64) - 1
    missing = before - (rows - start)
    cards = (coups.codes != NO_CARD).sum(axis=1) + coups.more
    late = _listed_burn(log)
    late[starts] = 0
    dealt = np.cumsum(cards) - cards + np.cumsum(late)
    dealt += (_burned(log[starts], dealing) - dealt[starts])[shoe] + LEAST_COUP * missing  # a lower bound
    size = DECK * decks_of[shoe]
    beyond = dealt + cards > size
    first = np.flatnonzero(beyond)
    first = first[np.unique(shoe[first], return_index=True)[1]]
    errors.add(
        "shoe-exceeded",
        first.tolist(),
        lambda row: f"at least {dealt[row] + cards[row]} cards dealt by the end of the coup; the shoe has {size[row]}",
    )
    if dealing is not None:
        _judge_cut(size - dealt, start, before, missing == 0, dealing, errors)
    return _ends(log, size - dealt, size - dealt - cards, starts, missing == 0, dealing, errors.first)


def _judge_cut(
    undealt: Ints, start: Ints, before: Ints, judged: NDArray[np.bool_], dealing: Dealing, errors: ErrorRows
) -> None:
    """Report coups that are no longer allowed after the cut card, or that begin with fewer than six cards.

    For each coup, `undealt` is the most cards that can have been left at its start, and `start` the row of its shoe's
    first coup. `before` is the number of coups before it in the shoe, and `judged` says whether all of these are
    logged."""
    inside, first = dealing.after_cut
    earlier = np.where(before < inside, start, np.arange(len(start)) - inside)
    last_cut = undealt[np.where(judged, earlier, 0)] - np.where(before < inside, 0, inside - first)
    wrong = judged & ((last_cut < dealing.cut) | (undealt < COUP))
    last = np.bincount(start[judged & ~wrong], minlength=len(start))  # the number of allowed coups, which come first

    errors.add(
        "after-cut",
        rows_where(wrong),
        lambda row: (
            f"begun with at most {max(0, undealt[row])} cards left; with {dealing.cut} behind the cut card, coup "
            f"{last[start[row]]} should be the last"
        ),
    )


def _ends(
    log: pl.DataFrame,
    undealt: Ints,
    after: Ints,
    starts: Ints,
    judged: NDArray[np.bool_],
    dealing: Dealing | None,
    first: int,
) -> ShoeEnds:
    """How shoes end. `undealt` and `after` are the most cards that can have been left before and after each coup.
    `first` is the row of the log at which these coups begin."""
    last = np.append(starts[1:], log.height) - 1
    mark = fewest = after[last]
    if dealing is not None:
        opening = log[starts]
        inside, beside = dealing.after_cut
        is_known = opening["burn"].list.first().fill_null(UNREAD).to_numpy() >= 0
        by_number, _ = dealing.burned_by_number
        most = dealing.most_burned - (by_number or _burned(opening, None))
        more = np.where(is_known, 0, most)  # how many more cards may have been burned than the fewest possible
        since = after[last] if not inside else undealt[np.maximum(last + 1 - inside, 0)]
        mark = np.where(last - starts + 1 < inside, undealt[starts], since - (inside - beside)) - more
        fewest = after[last] - more
    table = log["table"].gather(last).to_physical().to_numpy().astype(np.int64)
    return ShoeEnds(first + last, table, after[last], judged[last], mark, fewest)


def judge_ends(ends: ShoeEnds, dealing: Dealing | None, errors: ErrorRows) -> None:
    """Report shoes that ended too early. A table's first shoe may have begun before the log, and its last shoe may
    still be in play when the log ends. With `dealing`, these two shoes are judged, but the sentence about such a shoe
    mentions this possibility. Without `dealing`, they are not judged."""
    other = ends.table[1:] != ends.table[:-1]
    begins, over = np.append(True, other), np.append(other, True)
    usual = np.zeros(len(ends.last))
    if dealing is None:
        early, usual = _before_others(ends)
        early &= ~begins & ~over
    else:
        early = ends.whole & (ends.mark >= dealing.cut) & (ends.fewest >= COUP)

    def sentence(row: int) -> str:
        shoe = int(np.searchsorted(ends.last, row))
        left = f"the shoe's last coup, with {ends.left[shoe]} cards left"
        if dealing is None:
            return f"{left}; the table's shoes mostly end with {usual[shoe]:.0f} left"
        unless = ", unless the log begins within the shoe" * bool(begins[shoe])
        unless += ", unless it was still being dealt when the log ends" * bool(over[shoe])
        return f"{left}; with {dealing.cut} behind the cut card, another coup should follow{unless}"

    errors.add("early-end", ends.last[early].tolist(), sentence)


def _before_others(ends: ShoeEnds) -> tuple[NDArray[np.bool_], Floats]:
    """Two arrays (shoes,): whether a shoe ended with at least a deck more left than its table's median shoe, and the
    number of cards left at the end of this median shoe.

    Only shoes with every coup logged are compared. A table with fewer than five such shoes has no early shoe."""
    early, usual = np.zeros(len(ends.last), np.bool_), np.zeros(len(ends.last))
    for table in np.unique(ends.table):
        of_table = (ends.table == table) & ends.whole
        if of_table.sum() >= _SHOES_TO_COMPARE:
            usual[of_table] = np.median(ends.left[of_table])
            early |= of_table & (ends.left >= usual + DECK)
    return early, usual


def _listed_burn(log: pl.DataFrame) -> Ints:
    """The number of cards listed as burned before each coup."""
    listed: Ints = log["burn"].list.len().fill_null(0).to_numpy().astype(np.int64)
    return listed


def _burned(log: pl.DataFrame, dealing: Dealing | None) -> Ints:
    """The fewest cards that can have been burned at the start of each shoe. `log` has only the first coup of each
    shoe."""
    listed = _listed_burn(log)
    if dealing is None or dealing.burn == "none":
        return listed
    if dealing.burn != "first-card":
        return np.maximum(listed, dealing.burned_by_number[0])
    value = VALUE[log["burn"].list.first().fill_null(UNREAD).to_numpy().astype(np.int64) + 2]
    by_rule = np.where(value == OPEN, 2, 1 + np.where(value == 0, 10, value))
    fewest: Ints = np.maximum(listed, by_rule)
    return fewest


def _count_cards(coups: LoggedCoups, shoe: Ints, decks: Ints, errors: ErrorRows) -> None:
    """Report each card and each rank that a shoe shows more often than its decks have it. `decks` has the number of
    decks of each shoe."""
    codes = coups.codes.reshape(-1)
    known = np.flatnonzero(codes >= 0)
    listed = [
        coups.log.select(pl.int_range(pl.len()).alias("row"), pl.col(name).alias("code")).drop_nulls().explode("code")
        for name in ("burn", "more")
    ]
    listed = [more.filter(pl.col("code") >= 0) for more in listed]
    row = np.concatenate([known // coups.codes.shape[1], *(more["row"].to_numpy() for more in listed)])
    code = np.concatenate([codes[known], *(more["code"].to_numpy() for more in listed)]).astype(np.int64)
    if not _seen_too_often(shoe[row], code, decks):
        return
    ranked, tens = code != TEN_OR_FACE, VALUE[code + 2] == 0
    for names, copies, some, kind in (
        (range(DECK), 1, code < DECK, code),
        (range(DECK, DECK + len(RANKS)), len(SUITS), ranked, RANK[code + 2].astype(np.int64)),
        ([TEN_OR_FACE], _TENS, tens & (~ranked).any(), np.zeros(len(code), np.int64)),
    ):
        keyed = pl.DataFrame({"row": row[some], "key": shoe[row[some]] * DECK + kind[some]})
        keyed = keyed.with_columns(most=pl.Series(copies * decks[shoe[row[some]]]))
        often = keyed.filter(pl.len().over("key") > pl.col("most"))
        beyond = often.group_by("key").agg(pl.col("row").sort().get(pl.col("most").first()), pl.col("most").first())
        for key, at, most in beyond.sort("row", "key").iter_rows():
            name = card_name(names[key % DECK])
            sentence = f"{name} seen {most + 1} times in the shoe by then; the shoe has {most}"
            errors.add("too-many", [at], lambda _, sentence=sentence: sentence)  # type: ignore[misc]


def _seen_too_often(shoe: Ints, code: Ints, decks: Ints) -> bool:
    """Whether any shoe shows a card or rank more often than its decks have it."""
    width = TEN_OR_FACE + 1
    counted = np.bincount(shoe * width + code, minlength=width * len(decks)).reshape(len(decks), width)
    cards = counted[:, :DECK]
    ranks = cards.reshape(len(decks), len(RANKS), len(SUITS)).sum(axis=2) + counted[:, DECK:TEN_OR_FACE]
    tens = ranks[:, VALUE[DECK + 2 : TEN_OR_FACE + 2] == 0].sum(axis=1, keepdims=True) + counted[:, TEN_OR_FACE:]
    kinds = ((cards, 1), (ranks, len(SUITS)), (tens, _TENS))
    return any((seen > copies * decks[:, np.newaxis]).any() for seen, copies in kinds)
