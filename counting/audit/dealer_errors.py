"""Dealing errors: whether a logged table was dealt and paid by the rules.

What the rules require of a coup depends on four figures: each hand's total on two cards and its third card. There are
17,424 of these classes, with totals and cards that could not be read among them; each that the log has is judged once,
over every value that an unread card may have had, and an error is one for all of these values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise, product
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from counting.arrays import Floats, Ints
from counting.audit.log import NO_CARD, UNREAD, Log, card_codes, card_name, coup_rows, shoe_numbers, shoe_starts
from counting.cards import COUP, DECK, MOST_DECKS, RANKS, SUITS, VALUE_OF_RANK
from counting.errors import InputError, nearest, whole
from counting.games import FIRSTS, STOOD, Bet, First, Game, Outcome, Shown, Tableau, catalog
from counting.simulation import LEAST_COUP, MOST_BURNED, Dealing

Codes = NDArray[np.int8]

ERRORS = {
    "file": pl.String, "line": pl.Int32, "table": pl.String, "shoe": pl.String, "coup": pl.Int32, "rule": pl.String,
    "found": pl.String, "patron": pl.String, "off": pl.Float64,
}  # fmt: skip
RULES = {
    "hand-size": "a hand has two or three cards",
    "natural": "neither hand draws when one has 8 or 9 on two cards",
    "player-draws": "Player should have drawn",
    "player-stands": "Player should have stood",
    "banker-draws": "Banker should have drawn",
    "banker-stands": "Banker should have stood",
    "winner": "the recorded winner is that of the cards",
    "too-many": "a shoe has no more of a card or rank than its decks",
    "shoe-exceeded": "a shoe deals no more cards than its decks have",
    "after-cut": "no coup is dealt that the cut card no longer allows",
    "early-end": "no shoe ends before the cut card comes out, or without --cut a deck or more before others",
    "payment": "a bet wins what its pay line gives",
    "unknown-bet": "a bet is the game's or the catalog's",
}

_SLICE = 1 << 18  # coups or bets judged at a time
_SHOES_TO_COMPARE = 5  # of a table, to know where its shoes mostly end
_OPEN, _NONE = 10, 11  # in a class: a total or value that is not known; no third card
_SHAPE = (11, 11, 12, 12)  # totals of two cards and third cards, Player's and Banker's
_VALUE = np.array([_OPEN, _NONE, *np.repeat(VALUE_OF_RANK, len(SUITS)), *VALUE_OF_RANK], np.int8)  # by code + 2
_RANK = np.array([-1, -1, *np.repeat(range(len(RANKS)), len(SUITS)), *range(len(RANKS))])
DRAWS = ("natural", "player-draws", "player-stands", "banker-draws", "banker-stands")
_WINNERS = ("player", "banker", "tie")
# What the first two cards of a hand may show, pair and suited, by `_first_two`: known, suits not known, nothing known.
_TWO: list[tuple[tuple[bool, bool], ...]] = [((pair, suited),) for suited in (False, True) for pair in (False, True)]
_TWO += [((pair, False), (pair, True)) for pair in (False, True)]
_TWO.append(tuple(product((False, True), (False, True))))


def dealing_errors(log: Log, game: Game, decks: int, dealing: Dealing | None = None) -> pl.DataFrame:
    """Dealing and payment errors against the rules of a game, one row each: `file` (coups or bets), `line`, `table`,
    `shoe`, `coup`, `rule` (one of `RULES`) and `found`, a sentence; of a bet its `patron` and, for a payment, how much
    in money it was `off`, above 0 what was paid too much; the log's coups in order, then its bets.

    Nothing is reported that unread cards leave open. Draws, the winner and payments are judged where
    both hands have two or three cards, Banker's draw against what Player did, rightly or not, and payments by the
    cards as dealt. Each card or rank seen too often is named at the coup where it first is, a shoe that deals more
    than it has at the first such coup: a coup that is not logged took four cards at least. With `dealing`, a coup is
    judged by the cut card where every coup of the shoe before it is logged, with the fewest possible burned
    cards where these are not known; the end of a shoe where every coup of it is logged, with the most. Without, a shoe
    ended early that ended a deck or more before the table's middle shoe, of five or more. A payment that is no whole
    number of hundredths may be rounded either way. Raises `InputError` for impossible decks, or other decks than those
    of `dealing`.
    """
    decks = whole(decks, "decks", 1, MOST_DECKS)
    if dealing is not None and dealing.decks != decks:
        raise InputError(
            f"decks: {decks}, should be {dealing.decks} as in the dealing procedure, or the other way round"
        )
    dealt, ends, shown = [], [], []
    for first, last in _slices(log.coups):
        coups = _Coups(log.coups[first:last], game.tableau)
        errors = _Errors(first)
        _judge_hands(coups, errors)
        ends.append(_judge_shoes(coups, decks, dealing, errors))
        dealt.append(errors.frame(log.coups, "coups"))
        shown.append(_Shown(coups.sized, coups.classes, coups.first_two))
    if not ends:
        return pl.DataFrame(schema=ERRORS)
    early = _Errors()
    _judge_ends(_Ends(*map(np.concatenate, zip(*ends, strict=True))), dealing, early)
    every = _Shown(*map(np.concatenate, zip(*shown, strict=True)))
    dealt.append(early.frame(log.coups, "coups"))
    paid = _judge_bets(log.bets, log.coups, every, game)
    ordered = [pl.concat(each).sort("row", maintain_order=True).drop("row") for each in (dealt, paid) if each]
    return pl.concat(ordered)


def _slices(coups: pl.DataFrame) -> list[tuple[int, int]]:
    """First and last row, exclusive, of slices of whole shoes."""
    starts = shoe_starts(shoe_numbers(coups))
    at = np.searchsorted(starts, np.arange(_SLICE, coups.height, _SLICE))
    borders = [0, *np.unique(starts[at[at < len(starts)]]).tolist(), coups.height]
    return [(first, last) for first, last in pairwise(borders) if last > first]


@dataclass
class _Errors:
    """Collects the errors in a slice of a log that begins at row `first`: the row of each, the rule, the sentence."""

    first: int = 0
    rows: list[int] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)
    off: list[float | None] = field(default_factory=list)

    def add(
        self, rule: str, rows: Iterable[int], sentence: Callable[[int], str], off: Callable[[int], float] | None = None
    ) -> None:
        for row in rows:
            self.rows.append(self.first + row)
            self.rules.append(rule)
            self.sentences.append(sentence(row))
            self.off.append(off and off(row))

    def frame(self, log: pl.DataFrame, file: str) -> pl.DataFrame:
        rows = np.array(self.rows, np.int64)
        return (
            log[rows]
            .with_columns(
                row=rows,
                file=pl.lit(file),
                rule=pl.Series(self.rules, dtype=pl.String),
                found=pl.Series(self.sentences, dtype=pl.String),
                off=pl.Series(self.off, dtype=pl.Float64),
                patron=pl.col("patron") if "patron" in log.columns else pl.lit(None, pl.String),
            )
            .select("row", *(pl.col(name).cast(dtype) for name, dtype in ERRORS.items()))
        )


# Classes of coups


class HandClass(NamedTuple):
    """A class of coups: the rules broken for all values of the unread cards, and the possible outcomes."""

    broken: frozenset[str]
    outcomes: frozenset[Outcome]


@lru_cache(maxsize=1 << 16)
def _hand_class(tableau: Tableau, code: int) -> HandClass:
    player, banker, player_third, banker_third = (int(i) for i in np.unravel_index(code, _SHAPE))
    totals = ([*range(10)] if total == _OPEN else [total] for total in (player, banker))
    thirds: Iterator[list[int | None]] = (
        [*range(10)] if third == _OPEN else [None if third == _NONE else third]
        for third in (player_third, banker_third)
    )
    broken, outcomes = set(DRAWS), set()
    for (p, b), (third, fourth) in product(product(*totals), product(*thirds)):
        broken &= _broken(tableau, p, b, third, fourth)
        cards = (2 + (third is not None), 2 + (fourth is not None))
        outcomes.add(Outcome((p + (third or 0)) % 10, (b + (fourth or 0)) % 10, *cards))
    if "natural" in broken:
        broken = {"natural"}
    return HandClass(frozenset(broken), frozenset(outcomes))


def _broken(tableau: Tableau, player: int, banker: int, third: int | None, fourth: int | None) -> set[str]:
    """The rules that hands of these totals broke by these third cards (None: stood)."""
    natural = max(player, banker) >= 8
    draws = not natural and tableau.player[player]
    broken = {"natural"} if natural and (third, fourth) != (None, None) else set()
    if draws != (third is not None):
        broken.add("player-draws" if draws else "player-stands")
    draws = not natural and tableau.banker[banker][STOOD if third is None else third]
    if draws != (fourth is not None):
        broken.add("banker-draws" if draws else "banker-stands")
    return broken


class _Shown(NamedTuple):
    """What the coups of a log (rows) show: whether both hands have two or three cards, their classes, and what the
    first two cards of both hands may show."""

    sized: NDArray[np.bool_]
    classes: NDArray[np.int16]
    first_two: NDArray[np.int8]


class _Ends(NamedTuple):
    """How the shoes of a log end (shoes): the row of the last coup, a number for the table, the most cards that can
    have been left after it, whether every coup is logged; with a dealing procedure, the most that can have been left
    where the cut card would have come out, and the fewest after the last coup, with the most possible burned cards."""

    last: Ints
    table: Ints
    left: Ints
    whole: NDArray[np.bool_]
    mark: Ints
    fewest: Ints


class _Coups:
    """The coups of a log as arrays, and their classes."""

    def __init__(self, log: pl.DataFrame, tableau: Tableau) -> None:
        self.log = log
        self.tableau = tableau
        self.codes = card_codes(log)
        values = _VALUE[self.codes + 2]
        self.more = log["more"].list.len().fill_null(0).to_numpy().astype(np.int64)
        two = (self.codes[:, [0, 1, 3, 4]] != NO_CARD).all(axis=1)
        self.sized = two & (self.more == 0)  # both hands have two or three cards
        self.totals = np.stack([_total(values[:, at], values[:, at + 1]) for at in (0, 3)])
        self.thirds = values[:, [2, 5]].T
        self.classes = np.ravel_multi_index((*self.totals, *self.thirds), _SHAPE).astype(np.int16)

    def by_class(self) -> Iterator[tuple[int, HandClass]]:
        """Each class that the log has."""
        for code in np.flatnonzero(np.bincount(self.classes[self.sized], minlength=1)).tolist():
            yield code, _hand_class(self.tableau, code)

    def hand(self, row: int, place: int) -> str:
        """The first two cards of a hand."""
        return " and ".join(card_name(code) for code in self.codes[row, place : place + 2].tolist())

    @cached_property
    def first_two(self) -> NDArray[np.int8]:
        """What the first two cards of both hands may show: 7 times Player's of `_TWO`, and Banker's."""
        player, banker = (_first_two(self.codes[:, at], self.codes[:, at + 1]) for at in (0, 3))
        return (len(_TWO) * player + banker).astype(np.int8)


def _total(first: Codes, second: Codes) -> Codes:
    return np.where((first < 10) & (second < 10), (first + second) % 10, _OPEN)


def _first_two(first: Codes, second: Codes) -> Codes:
    pair = _RANK[first + 2] == _RANK[second + 2]
    suited = first % len(SUITS) == second % len(SUITS)
    known = np.where(np.maximum(first, second) < DECK, pair + 2 * suited, 4 + pair)
    return np.where(np.minimum(first, second) >= 0, known, 6)


# Hands


def _judge_hands(coups: _Coups, errors: _Errors) -> None:
    errors.add("hand-size", _where(~coups.sized), lambda row: _sizes(coups, row))
    broken = np.zeros((np.prod(_SHAPE), len(DRAWS)), np.bool_)
    possible = np.ones((np.prod(_SHAPE), len(_WINNERS)), np.bool_)
    for code, judged in coups.by_class():
        broken[code] = [rule in judged.broken for rule in DRAWS]
        won = {outcome.winner for outcome in judged.outcomes}
        possible[code] = [winner in won for winner in _WINNERS]
    for rule, wrong in zip(DRAWS, broken.T, strict=True):
        errors.add(rule, _where(wrong[coups.classes] & coups.sized), lambda row, rule=rule: _drew(coups, row, rule))  # type: ignore[misc]
    for winner, may in zip(_WINNERS, possible.T, strict=True):
        recorded = (coups.log["winner"] == winner).fill_null(False).to_numpy()
        errors.add("winner", _where(recorded & coups.sized & ~may[coups.classes]), lambda row: _won(coups, row))


def _where(rows: NDArray[np.bool_]) -> list[int]:
    return list(np.flatnonzero(rows).tolist())


def _sizes(coups: _Coups, row: int) -> str:
    player, banker = (int((coups.codes[row, at : at + 3] != NO_CARD).sum()) for at in (0, 3))
    more = int(coups.more[row])
    if more and min(player, banker) == 3:
        return f"Player and Banker had {player + banker + more} cards together, should be two or three each"
    player, banker = player + more * (player == 3), banker + more * (banker == 3)
    return f"Player had {_cards(player)} and Banker {_cards(banker)}, should be two or three each"


def _cards(number: int) -> str:
    return f"{number} card{'s' * (number != 1)}"


def _drew(coups: _Coups, row: int, rule: str) -> str:
    names = ("Player", "Banker")
    drew = [value != _NONE for value in coups.thirds[:, row].tolist()]
    if rule == "natural":
        natural = [total in (8, 9) for total in coups.totals[:, row].tolist()].index(True)
        who = " and ".join(name for name, did in zip(names, drew, strict=True) if did)
        return f"{names[natural]} had {coups.hand(row, 3 * natural)}, a natural: {who} drew, nobody should"
    hand = int(rule.startswith("banker"))
    third = card_name(int(coups.codes[row, 2]))
    before = ("", f", Player drew {third}" if drew[0] else ", Player stood")[hand]
    did = "stood, should draw" if rule.endswith("draws") else "drew, should stand"
    return f"{names[hand]} had {coups.hand(row, 3 * hand)}{before}: {did}"


def _won(coups: _Coups, row: int) -> str:
    outcomes = _hand_class(coups.tableau, int(coups.classes[row])).outcomes
    won = " or ".join(winner for winner in _WINNERS if winner in {outcome.winner for outcome in outcomes})
    totals = {(outcome.player_total, outcome.banker_total) for outcome in outcomes}
    figures = f": Player had {min(totals)[0]}, Banker {min(totals)[1]}" if len(totals) == 1 else ""
    return f"recorded {coups.log['winner'][row]}, should be {won}{figures}"


# Shoes


def _judge_shoes(coups: _Coups, decks: int, dealing: Dealing | None, errors: _Errors) -> _Ends:
    """Judge what shoes show of cards, and how far they are dealt; returns how they end."""
    log = coups.log
    shoe = shoe_numbers(log)
    _count_cards(coups, shoe, decks, errors)
    starts = shoe_starts(shoe)
    start = starts[shoe]  # the row of the shoe's first coup
    rows = np.arange(log.height)
    before = log["coup"].to_numpy().astype(np.int64) - 1
    missing = before - (rows - start)
    cards = (coups.codes != NO_CARD).sum(axis=1) + coups.more
    dealt = np.cumsum(cards) - cards
    dealt += (_burned(log[starts], dealing) - dealt[starts])[shoe] + LEAST_COUP * missing  # before the coup, at least
    size = DECK * decks
    beyond = dealt + cards > size
    first = np.flatnonzero(beyond)
    first = first[np.unique(shoe[first], return_index=True)[1]]
    errors.add(
        "shoe-exceeded",
        first.tolist(),
        lambda row: f"{dealt[row] + cards[row]} cards at least dealt by the end of it, the shoe has {size}",
    )
    if dealing is not None:
        _judge_cut(size - dealt, start, before, missing == 0, dealing, errors)
    return _ends(log, size - dealt, size - dealt - cards, starts, missing == 0, dealing, errors.first)


def _judge_cut(
    undealt: Ints, start: Ints, before: Ints, judged: NDArray[np.bool_], dealing: Dealing, errors: _Errors
) -> None:
    """`undealt`: the most cards that can have been left at the start of each coup; `start`: the row of its shoe's first
    coup, `before`: coups before it, all logged where it is `judged`."""
    inside, first = dealing.after_cut
    earlier = np.where(before < inside, start, np.arange(len(start)) - inside)
    last_cut = undealt[np.where(judged, earlier, 0)] - np.where(before < inside, 0, inside - first)
    wrong = judged & ((last_cut < dealing.cut) | (undealt < COUP))
    last = np.bincount(start[judged & ~wrong], minlength=len(start))  # those allowed come first

    errors.add(
        "after-cut",
        _where(wrong),
        lambda row: (
            f"begun with {max(0, undealt[row])} cards left at most; with {dealing.cut} behind the cut card coup "
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
) -> _Ends:
    """How shoes end: `undealt` and `after` are the most cards that can have been left before and after each coup,
    `first` is the row of the log with which they begin."""
    last = np.append(starts[1:], log.height) - 1
    mark = fewest = after[last]
    if dealing is not None:
        opening = log[starts]
        inside, beside = dealing.after_cut
        is_known = opening["burn"].list.first().fill_null(UNREAD).to_numpy() >= 0
        most = 0 if dealing.burn == "none" else MOST_BURNED - _burned(opening, None)
        more = np.where(is_known, 0, most)  # up to this many more may have been burned
        since = after[last] if not inside else undealt[np.maximum(last + 1 - inside, 0)]
        mark = np.where(last - starts + 1 < inside, undealt[starts], since - (inside - beside)) - more
        fewest = after[last] - more
    table = log["table"].gather(last).to_physical().to_numpy().astype(np.int64)
    return _Ends(first + last, table, after[last], judged[last], mark, fewest)


def _judge_ends(ends: _Ends, dealing: Dealing | None, errors: _Errors) -> None:
    """Shoes that ended too early. A table's first shoe may have begun before the log, and its last may still
    be dealt."""
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
        left = f"the shoe's last, with {ends.left[shoe]} cards left"
        if dealing is None:
            return f"{left}; the table's shoes mostly end with {usual[shoe]:.0f}"
        unless = ", unless the log begins within the shoe" * bool(begins[shoe])
        unless += ", unless it was still being dealt when the log ends" * bool(over[shoe])
        return f"{left}; with {dealing.cut} behind the cut card another should follow{unless}"

    errors.add("early-end", ends.last[early].tolist(), sentence)


def _before_others(ends: _Ends) -> tuple[NDArray[np.bool_], Floats]:
    """Which shoes ended a deck or more before the middle one of their table's, of five or more, and that one's cards
    left (shoes)."""
    early, usual = np.zeros(len(ends.last), np.bool_), np.zeros(len(ends.last))
    for table in np.unique(ends.table):
        of_table = (ends.table == table) & ends.whole
        if of_table.sum() >= _SHOES_TO_COMPARE:
            usual[of_table] = np.median(ends.left[of_table])
            early |= of_table & (ends.left >= usual + DECK)
    return early, usual


def _burned(log: pl.DataFrame, dealing: Dealing | None) -> Ints:
    """The fewest cards that can have been burned at the start of shoes with these first coups."""
    listed = log["burn"].list.len().fill_null(0).to_numpy().astype(np.int64)
    if dealing is None or dealing.burn == "none":
        return listed
    value = _VALUE[log["burn"].list.first().fill_null(UNREAD).to_numpy().astype(np.int64) + 2]
    by_rule = np.where(value == _OPEN, 2, 1 + np.where(value == 0, 10, value))
    fewest: Ints = np.maximum(listed, by_rule)
    return fewest


def _count_cards(coups: _Coups, shoe: Ints, decks: int, errors: _Errors) -> None:
    """Report cards and ranks that a shoe has shown more often than it has them."""
    row, place = np.nonzero(coups.codes >= 0)
    listed = [
        coups.log.select(pl.int_range(pl.len()).alias("row"), pl.col(name).alias("code")).drop_nulls().explode("code")
        for name in ("burn", "more")
    ]
    listed = [more.filter(pl.col("code") >= 0) for more in listed]
    row = np.concatenate([row, *(more["row"].to_numpy() for more in listed)])
    code = np.concatenate([coups.codes[row[: len(place)], place], *(more["code"].to_numpy() for more in listed)])
    if not _seen_too_often(shoe[row], code.astype(np.int64), decks):
        return
    seen = pl.DataFrame({"row": row, "code": code})
    kinds: list[tuple[Sequence[int], int, pl.DataFrame]] = [
        (range(DECK), decks, seen.filter(pl.col("code") < DECK)),
        (range(DECK, DECK + len(RANKS)), len(SUITS) * decks, seen),
    ]
    for names, most, cards in kinds:
        kind = cards["code"].to_numpy() if len(names) == DECK else _RANK[cards["code"].to_numpy() + 2]
        keyed = cards.select("row", key=pl.Series(shoe[cards["row"].to_numpy()] * DECK + kind))
        often = keyed.group_by("key").len().filter(pl.col("len") > most)
        beyond = (
            keyed.join(often, on="key", how="semi")
            .group_by("key")
            .agg(pl.col("row").sort().get(most))
            .sort("row", "key")
        )
        for key, row in beyond.iter_rows():
            name = card_name(names[key % DECK])
            sentence = f"{name} seen {most + 1} times in the shoe by then, which has {most}"
            errors.add("too-many", [row], lambda _, sentence=sentence: sentence)  # type: ignore[misc]


def _seen_too_often(shoe: Ints, code: Ints, decks: int) -> bool:
    """Whether any shoe has shown a card or rank more often than it has it."""
    kinds = (
        (shoe[code < DECK] * DECK + code[code < DECK], decks),
        (shoe * len(RANKS) + _RANK[code + 2], len(SUITS) * decks),
    )
    return any((np.bincount(kind) > most).any() for kind, most in kinds)


# Bets


def _judge_bets(log: pl.DataFrame, coups: pl.DataFrame, shown: _Shown, game: Game) -> list[pl.DataFrame]:
    """Errors in the names of bets and in payments, one slice of a log's bets at a time."""
    names = log["bet"].unique(maintain_order=True)
    bets = [_bet(name, game) for name in names]
    numbers = pl.DataFrame({"bet": names, "number": pl.Series(range(len(names)), dtype=pl.Int64)})
    unnamed = np.array([bet is None for bet in bets], np.bool_)
    at, together = coup_rows(log, coups), _together(log)
    judged = (at >= 0) & log["won"].is_not_null().to_numpy()
    slices = []
    for first in range(0, log.height, _SLICE):
        some = slice(first, first + _SLICE)
        number = log[some].select("bet").join(numbers, on="bet", how="left", maintain_order="left")["number"].to_numpy()
        errors = _Errors(first)
        unknown = unnamed[number]
        errors.add("unknown-bet", _where(unknown), lambda row, number=number: _unknown(names[int(number[row])], game))  # type: ignore[misc]
        at_coup = np.where(judged[some] & ~unknown, at[some], -1)
        _judge_payments(log[some], together[some], at_coup, number, bets, shown, game.tableau, errors)
        slices.append(errors.frame(log, "bets"))
    return slices


def _judge_payments(
    log: pl.DataFrame,
    together: pl.DataFrame,
    at: Ints,
    number: Ints,
    bets: Sequence[Bet | None],
    shown: _Shown,
    tableau: Tableau,
    errors: _Errors,
) -> None:
    """`together` has amounts and results as `_together`; `at` is the row of a bet's coup, below 0 where it is not
    judged, `number` its place in `bets`."""
    rows = np.flatnonzero((at >= 0) & shown.sized[at])
    coup, bet = at[rows], number[rows]
    on_first = np.array([bet is not None and bet.shows == "first" for bet in bets], np.bool_)[bet]
    classes = np.where(on_first, shown.first_two[coup], shown.classes[coup]).astype(np.int64)
    cases, case = np.unique(bet * np.prod(_SHAPE) + classes, return_inverse=True)
    pays = [_pay(bets[code // np.prod(_SHAPE)], code % np.prod(_SHAPE), tableau) for code in cases.tolist()]
    won, staked = (np.array([int(part) for part in parts], np.int64)[case] for parts in (
        [0 if pay is None else pay.numerator for pay in pays], [0 if pay is None else pay.denominator for pay in pays],
    ))  # fmt: skip
    # Amounts are below 2^37, odds below 2^20 and their denominators too: no product passes 2^57.
    off = np.abs(together["won"].to_numpy()[rows] * staked - together["amount"].to_numpy()[rows] * won)
    wrong = np.flatnonzero((staked > 0) & (off >= staked))
    pay_of = {int(rows[i]): pays[case[i]] for i in wrong}
    errors.add(
        "payment",
        pay_of,
        lambda row: _paid(log.row(row, named=True), pay_of[row]),
        lambda row: (
            (log["won"][row] - min(_due(log["amount"][row], pay_of[row]), key=lambda d: abs(d - log["won"][row]))) / 100
        ),
    )


def _together(log: pl.DataFrame) -> pl.DataFrame:
    """Amounts and results, those of a bet's lines together where only one of them has a result that is not 0."""
    bet = ["table", "shoe", "coup", "patron", "bet"]
    paid = log.select(pl.col("amount", "won").fill_null(0))
    twice = log.select(bet).hash_rows().is_duplicated()
    if not twice.any():
        return paid
    one = (pl.len().over(bet) > 1) & ((pl.col("won").fill_null(1) != 0).sum().over(bet) == 1)
    rows = log.filter(twice).select(
        pl.when(one).then(pl.col(name).sum().over(bet)).otherwise(name).fill_null(0).alias(name)
        for name in ("amount", "won")
    )
    at = pl.Series(np.flatnonzero(twice.to_numpy()))
    return pl.DataFrame([paid[name].scatter(at, rows[name]) for name in paid.columns])


def _bet(name: str, game: Game) -> Bet | None:
    name = game.main_bet(name)
    return game.bet(name) if name in game.bet_names else catalog().get(name)


def _unknown(name: str, game: Game) -> str:
    hint = nearest(name, (*game.main_bets, *game.bet_names, *catalog()))
    return f"a bet on {name!r}, which neither {game.name} nor the catalog has{hint}"


def _pay(bet: Bet | None, code: int, tableau: Tableau) -> Fraction | None:
    """The pay of a bet on a class of coups, or of first cards; None if unread cards leave it open."""
    assert bet is not None
    pays = _may_pay(bet, code, tableau)
    return pays.pop() if len(pays) == 1 else None


def _may_pay(bet: Bet, code: int, tableau: Tableau) -> set[Fraction]:
    shown: Iterable[Shown] = _hand_class(tableau, code).outcomes
    if bet.shows == "first":
        player, banker = divmod(code, len(_TWO))
        shown = [First(*a, *b) for a, b in product(_TWO[player], _TWO[banker])]
    return {bet.pay(each) for each in shown}


def may_have_paid(log: Log, game: Game, bet: str) -> tuple[Floats, Floats]:
    """The least and the most that a bet may have paid per unit staked on each coup (rows) of a log, over every value
    that a card not read may have had; where a hand had not two or three cards, anything that the bet pays."""
    coups, chosen = _Coups(log.coups, game.tableau), game.bet(bet)
    shown = coups.first_two if chosen.shows == "first" else coups.classes
    every = [chosen.pay(each) for each in (FIRSTS if chosen.shows == "first" else game.tableau.outcomes)]
    least, most = np.full(len(shown), float(min(every))), np.full(len(shown), float(max(every)))
    codes, place = np.unique(shown[coups.sized], return_inverse=True)
    pays = [_may_pay(chosen, code, game.tableau) for code in codes.tolist()]
    least[coups.sized] = np.array([float(min(each)) for each in pays])[place]
    most[coups.sized] = np.array([float(max(each)) for each in pays])[place]
    return least, most


def _paid(row: dict[str, int], pay: Fraction | None) -> str:
    should = " or ".join(map(_money, _due(row["amount"], pay)))
    return f"{_money(row['amount'])} on {row['bet']} recorded as {_money(row['won'])}, should be {should}"


def _due(amount: int, pay: Fraction | None) -> list[int]:
    """What a bet may be paid: where that is no whole number of hundredths it may be rounded either way."""
    assert pay is not None
    low = (pay * amount).numerator // (pay * amount).denominator
    return [low] if pay * amount == low else [low, low + 1]


def _money(hundredths: int) -> str:
    whole_units, rest = divmod(abs(hundredths), 100)
    return f"{'-' * (hundredths < 0)}{whole_units}.{rest:02}"
