"""The log of a table: the coups it dealt and the bets it took, read from CSV or Parquet.

A log is written by people, cameras and spreadsheets, so every line stands alone: one that cannot be read is skipped
with a remark, and nothing is guessed. A file that cannot be a log at all is refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from counting.cards import CARDS, DECK, RANKS, SUITS, card_of
from counting.errors import InputError, Mistakes
from counting.logfiles import GONE, MOST_TEXT, REMARKS, Form, LogFile, Parser, Schema, opened, short, shortened

NO_CARD, UNREAD = -1, -2
PLACES = ("player_1", "player_2", "player_3", "banker_1", "banker_2", "banker_3")
COUP_KEY = ("table", "shoe", "coup")
MOST_COUPS = 999
MOST_MONEY = 10**9
MOST_HAND = 8  # cards; a hand of more is no hand

COUPS: Schema = {
    "line": pl.Int32, "table": pl.String, "shoe": pl.String, "coup": pl.Int32, **dict.fromkeys(PLACES, pl.Int8),
    "more": pl.List(pl.Int8), "winner": pl.String, "burn": pl.List(pl.Int8),
}  # fmt: skip
BETS: Schema = {
    "line": pl.Int32, "table": pl.String, "shoe": pl.String, "coup": pl.Int32, "patron": pl.String, "bet": pl.String,
    "amount": pl.Int64, "won": pl.Int64,
}  # fmt: skip

_COUPS = Form(
    "coups", (*COUP_KEY, "player", "banker"), ("winner", "burn"), frozenset(COUP_KEY), frozenset(["winner", "burn"])
)
_BETS = Form(
    "bets",
    (*COUP_KEY, "patron", "bet", "amount"),
    ("won",),
    frozenset([*COUP_KEY, "patron", "amount", "won"]),
    frozenset(["won"]),
    frozenset(["amount", "won"]),
)
_MOST_BURN = 52
_WINNERS = {"player": "player", "p": "player", "banker": "banker", "b": "banker", "tie": "tie", "t": "tie"}
_ALIKE = pl.struct("player", "banker", "winner", "burn")  # of two lines that say the same of a coup
# What a spreadsheet makes of 9-3 or 9/3/5.
_DATE = re.compile(r"(?i)\b(19|20)[0-9]{2}\b|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec")


@dataclass(frozen=True, eq=False)
class Log:
    """A table's coups and bets, and what was skipped or read with a caveat.

    `coups`: a row each, sorted by table and shoe, in the order in which they first appear, and coup: `line` of the file
    (row of Parquet, from 1), `table`, `shoe`, `coup`, the codes of the cards at `PLACES`, `more` (cards of hands beyond
    their third, Player's first, else null), `winner` and `burn` (null where not logged). A code is a card, 0 to 51, as
    in `cards.CARDS`; 52 and the rank where the suit is not known; `NO_CARD`; or `UNREAD`.
    `bets`: `line`, `table`, `shoe`, `coup`, `patron`, `bet` in lower case with hyphens for blanks, `amount` and `won`
    in hundredths of the money's unit (`won` null where not logged), in the order of the file.
    `remarks`: `file` (coups or bets), `line`, `column` (null for the whole line), `value`, `reason`.
    """

    coups: pl.DataFrame
    bets: pl.DataFrame
    remarks: pl.DataFrame


def read_log(coups: Path, bets: Path | None = None) -> Log:
    """Read a table's coups and, where there are any, its bets.

    CSV in UTF-8, parted by commas, semicolons or tabs, or Parquet. Columns in any order: `table`, `shoe`, `coup` (1 to
    999), `player`, `banker` and perhaps `winner` and `burn`; `table`, `shoe`, `coup`, `patron`, `bet`, `amount` and
    perhaps `won`. A bad line is skipped with a remark; the coup it would have been is missing. Raises `InputError`
    with a line each for files that cannot be a log.
    """
    mistakes = Mistakes()
    files = []
    for form, path in ((_COUPS, coups), (_BETS, bets)):
        with mistakes.gathered():
            files.append(LogFile(form) if path is None else opened(form, Path(path)))
    mistakes.report()
    table, bet = files
    read = _coups(table)
    placed = _bets(bet, read)
    remarks = pl.concat([*table.remarks, *bet.remarks, pl.DataFrame(schema=REMARKS)])
    return Log(read, placed, shortened(remarks))


def card_codes(coups: pl.DataFrame) -> NDArray[np.int64]:
    """The codes of a log's cards (rows, 6), at `PLACES`."""
    return coups.select(PLACES).to_numpy().astype(np.int64).reshape(-1, len(PLACES))


def shoe_numbers(coups: pl.DataFrame) -> NDArray[np.int64]:
    """A number for each shoe of a log (rows), from 0 in the order in which they stand."""
    return coups.select(pl.struct("table", "shoe").rle_id()).to_series().to_numpy().astype(np.int64)


def card_name(code: int) -> str:
    """`9h`, `9` where the suit is not known, `?` for a card that could not be read."""
    return CARDS[code] if 0 <= code < DECK else RANKS[code - DECK] if code >= DECK else "?"


# Fields: a value, or None, and what there is to say of it


def _words(text: str) -> tuple[str | None, str | None]:
    if 1 <= len(text) <= MOST_TEXT and text.isprintable():
        return text, None
    return None, f"should be 1 to {MOST_TEXT} printable characters; {GONE}"


def _bet_name(text: str) -> tuple[str | None, str | None]:
    return _words("-".join(text.lower().split()))


def _coup(text: str) -> tuple[int | None, str | None]:
    match = re.fullmatch(r"0{0,9}([0-9]{1,3})(\.0{1,9})?", text)  # spreadsheets write 3.0
    if match and 1 <= int(match[1]) <= MOST_COUPS:
        return int(match[1]), None
    return None, f"should be a whole number from 1 to {MOST_COUPS}; {GONE}"


def _money(text: str, sign: str) -> tuple[int | None, str | None]:
    match = re.fullmatch(rf"({sign})([0-9]{{1,12}})(?:\.([0-9]{{1,2}})0*)?", text)
    if match:
        hundredths = 100 * int(match[2]) + int((match[3] or "").ljust(2, "0"))
        if hundredths <= 100 * MOST_MONEY and (hundredths or sign):
            return -hundredths if match[1] else hundredths, None
    hint = ""
    if "," in text or "'" in text:
        hint = ", without a thousands separator or decimal comma"
    elif not text.isascii() or "$" in text or re.search("[A-Za-z]{3}", text):
        hint = ", without a currency sign"
    what = f"an amount from -{MOST_MONEY:,}" if sign else "a positive amount"
    return None, f"should be {what} to {MOST_MONEY:,} as 25 or 12.50{hint}; {GONE}"


def _amount(text: str) -> tuple[int | None, str | None]:
    return _money(text, "")


def _won(text: str) -> tuple[int | None, str | None]:
    won, reason = _money(text, "-?") if text else (None, None)
    return won, reason and reason.replace(GONE, "read as not logged")


def _winner(text: str) -> tuple[str | None, str | None]:
    won = _WINNERS.get(text.lower())
    return won, None if won or not text else "should be player, banker or tie (P, B, T); read as not logged"


@lru_cache(maxsize=4096)
def _card(text: str) -> int | None:
    """The code of a card; None for what is neither a card nor a mark for one not read."""
    if text in ("?", "??") or text.upper() == "X":
        return UNREAD
    try:
        rank, suit = card_of(text)
    except InputError:
        return None
    return DECK + rank if suit is None else rank * len(SUITS) + suit


def _cards(text: str) -> tuple[list[int], str | None]:
    """Codes of the cards listed, and a remark on those that are none."""
    listed = [word for word in re.split(r"[\s,/-]+", text) if word]
    codes = [_card(word) for word in listed]
    bad = [word for word, code in zip(listed, codes, strict=True) if code is None]
    reason = None
    if bad:
        named = ", ".join(short(word, 8) for word in dict.fromkeys(bad[:4]))
        reason = f"{named}: should be a card as 9h, 9 or 10, or ? where it could not be read; read as ?"
    return [UNREAD if code is None else code for code in codes], reason


def _hand(text: str) -> tuple[list[int] | None, str | None]:
    if re.fullmatch(r"[0-9]{3,}(\.[0-9]*)?", text):
        return None, f"a number, should be cards as 9h Kd; made by a spreadsheet?; {GONE}"
    if _DATE.search(text):
        return None, f"a date, should be cards as 9h Kd; made by a spreadsheet?; {GONE}"
    codes, reason = _cards(text)
    if not codes:
        return None, f"the cards are missing, should be as 9h Kd or ? ?; {GONE}"
    if len(codes) > MOST_HAND:
        return None, f"has {len(codes)} cards, should be at most {MOST_HAND}; {GONE}"
    return codes, reason


def _burn(text: str) -> tuple[list[int] | None, str | None]:
    codes, reason = _cards(text)
    if len(codes) > _MOST_BURN:
        return None, f"has {len(codes)} cards, should be at most {_MOST_BURN}; read as not logged"
    return codes or None, reason


_PARSERS: dict[str, Parser] = {
    "table": _words, "shoe": _words, "coup": _coup, "player": _hand, "banker": _hand, "winner": _winner, "burn": _burn,
    "patron": _words, "bet": _bet_name, "amount": _amount, "won": _won,
}  # fmt: skip
_TYPES: Schema = {**COUPS, **BETS, "player": pl.List(pl.Int8), "banker": pl.List(pl.Int8)}


# Rows


def _coups(file: LogFile) -> pl.DataFrame:
    found = file.read(_PARSERS, _TYPES)
    file.formulas(found, ("table", "shoe"))
    found = _once(file, found)
    shoe = ("table", "shoe")
    late = pl.col("burn").is_not_null() & (pl.col("coup") > pl.col("coup").min().over(shoe))
    burned = found.filter(late)
    listed = pl.Series("text", [" ".join(map(card_name, codes)) for codes in burned["burn"]], dtype=pl.String)
    reason = "should stand on the first coup of the shoe; ignored"
    file.remark(burned.with_columns(listed), "burn", pl.col("text"), reason)
    hands = {
        f"{hand}_{i}": pl.col(hand).list.get(i - 1, null_on_oob=True).fill_null(NO_CARD)
        for hand in ("player", "banker")
        for i in (1, 2, 3)
    }
    more = pl.concat_list(pl.col("player").list.slice(3), pl.col("banker").list.slice(3))
    order = [pl.col("line").min().over("table"), pl.col("line").min().over(shoe), pl.col("coup")]
    return (
        found.with_columns(pl.when(~late).then("burn").alias("burn"), **hands)
        .with_columns(more=pl.when(more.list.len() > 0).then(more))
        .sort(order)
        .select(pl.col(name).cast(dtype) for name, dtype in COUPS.items())
    )


def _once(file: LogFile, found: pl.DataFrame) -> pl.DataFrame:
    """Of lines that say the same of a coup the first; of lines that differ none."""
    first = pl.col("line").min().over(COUP_KEY)
    twice = found.filter(pl.struct(COUP_KEY).is_duplicated()).with_columns(
        first=first, differ=_ALIKE.n_unique().over(COUP_KEY) > 1
    )
    named = pl.format("table {}, shoe {}, coup {}", *COUP_KEY)
    again = twice.filter(~pl.col("differ") & (pl.col("line") > pl.col("first")))
    file.remark(again, "coup", named, pl.format(f"the same as line {{}}; {GONE}", "first"))
    differ = twice.filter("differ")
    other = pl.col("line").sort().over(COUP_KEY, mapping_strategy="join")
    rival = pl.when(pl.col("line") > pl.col("first")).then("first").otherwise(other.list.get(1))
    unlike = pl.format(f"not the same as line {{}}, and which is right cannot be known; {GONE}", rival)
    file.remark(differ, "coup", named, unlike)
    return found.join(pl.concat([again, differ]), on="line", how="anti", maintain_order="left")


def _bets(file: LogFile, coups: pl.DataFrame) -> pl.DataFrame:
    if not file.texts.columns:
        return pl.DataFrame(schema=BETS)
    found = file.read(_PARSERS, _TYPES)
    file.formulas(found, ("table", "shoe", "patron", "bet"))
    named = pl.format("table {}, shoe {}, coup {}", *COUP_KEY)
    nowhere = found.join(coups, on=COUP_KEY, how="anti", maintain_order="left")
    file.remark(nowhere, "coup", named, f"no such coup was read, its cards are not known; {GONE}")
    found = found.join(coups.select(COUP_KEY), on=COUP_KEY, how="semi", maintain_order="left")
    rest = [name for name in BETS if name != "line"]
    twice = found.filter(pl.struct(rest).is_duplicated()).with_columns(first=pl.col("line").min().over(rest))
    again = twice.filter(pl.col("line") > pl.col("first"))
    file.remark(again, None, pl.col("bet"), pl.format("the same as line {}; both are kept and add up", "first"))
    return found.select(pl.col(name).cast(dtype) for name, dtype in BETS.items())
