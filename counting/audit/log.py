"""The log of a table: the coups it dealt and the bets it took, read from CSV or Parquet.

A log is written by people, cameras and spreadsheets, so every line is read by itself: an unreadable one is skipped
with a remark, and nothing is guessed. A file that cannot be a log is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from counting.audit.log_files import MOST_TEXT, Form, LogFile, Parser
from counting.audit.remarks import COUNTS, SKIPPED, Reason, Schema, short
from counting.cards import CARDS, DECK, RANKS, SUITS, card_of
from counting.errors import InputError, Mistakes

NO_CARD, UNREAD = -1, -2
PLACES = ("player_1", "player_2", "player_3", "banker_1", "banker_2", "banker_3")
COUP_KEY = ("table", "shoe", "coup")
MOST_COUPS = 999
MOST_MONEY = 10**9
MOST_HAND = 8  # cards; a hand of more is no hand
ZERO, TWICE = "zero", "twice"  # kinds of remarks: coups numbered 0, and bets that repeat an earlier one

NAME = pl.Categorical()  # of a table, shoe, patron or bet: stored once
COUPS: Schema = {
    "line": pl.Int32, "table": NAME, "shoe": NAME, "coup": pl.Int32, **dict.fromkeys(PLACES, pl.Int8),
    "more": pl.List(pl.Int8), "winner": pl.Enum(["player", "banker", "tie"]), "burn": pl.List(pl.Int8),
}  # fmt: skip
BETS: Schema = {
    "line": pl.Int32, "table": NAME, "shoe": NAME, "coup": pl.Int32, "patron": NAME, "bet": NAME,
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
_HANDS = ("player", "banker")
_COUP = pl.format("table {}, shoe {}, coup {}", *(pl.col(name).cast(pl.String) for name in COUP_KEY))
_ALIKE = pl.struct("player", "banker", "winner", "burn")  # of two lines with the same record of a coup
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
    `remarks`: `file` (coups or bets), `line`, `column` (null for the whole line), `value`, `reason`, the first hundred
    of each kind; `counts`: of each `file`, `column` and `kind`, how many there are (`number`) and how many of them are
    `listed`; `skipped`: of each file, how many lines were, those that repeat another left out.
    """

    coups: pl.DataFrame
    bets: pl.DataFrame
    remarks: pl.DataFrame
    counts: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=COUNTS))
    skipped: Mapping[str, int] = field(default_factory=dict)

    def remarked(self, kind: str | None = None, column: str | None = None) -> int:
        """The number of remarks of a kind on a column."""
        which = {name: value for name, value in (("kind", kind), ("column", column)) if value is not None}
        return int(self.counts.filter(**which)["number"].sum())

    def remarks_told(self) -> pl.DataFrame:
        """The listed remarks, and for each kind a row with the number of further ones."""
        more = self.counts.filter(pl.col("number") > pl.col("listed")).select(
            "file", pl.lit(None, pl.Int32).alias("line"), "column", pl.lit(None, pl.String).alias("value"),
            reason=pl.format(
                "{} more of this kind ({}), counted, not listed", pl.col("number") - pl.col("listed"), "kind"
            ),
        )  # fmt: skip
        return pl.concat([self.remarks, more])


def read_log(coups: Path, bets: Path | None = None) -> Log:
    """Read a table's coups and, where there are any, its bets.

    CSV in UTF-8, parted by commas, semicolons or tabs, or Parquet. Columns in any order: `table`, `shoe`, `coup` (1 to
    999), `player`, `banker` and perhaps `winner` and `burn`; `table`, `shoe`, `coup`, `patron`, `bet`, `amount` and
    perhaps `won`. A bad line is skipped with a remark; the coup it would have been is missing. Raises `InputError`
    with a line each for files that cannot be a log, or are nearly all unreadable.
    """
    mistakes = Mistakes()
    files = []
    for form, path in ((_COUPS, coups), (_BETS, bets)):
        with mistakes.gathered():
            files.append(LogFile(form, None if path is None else Path(path)))
    mistakes.report()
    table, bet = files
    read = _coups(table)
    placed = _bets(bet, read)
    remarks, counts = (pl.concat(each) for each in zip(*((file.remarks.listed(), file.remarks.counts())
                                                         for file in files), strict=True))  # fmt: skip
    return Log(read, placed, remarks, counts, {file.form.name: file.remarks.skipped for file in files})


def card_codes(coups: pl.DataFrame) -> NDArray[np.int8]:
    """The codes of a log's cards (rows, 6), at `PLACES`."""
    return coups.select(PLACES).to_numpy().astype(np.int8).reshape(-1, len(PLACES))


def shoe_numbers(coups: pl.DataFrame) -> NDArray[np.int64]:
    """A number for each shoe of a log (rows), from 0 in the order of the rows."""
    return coups.select(_runs()).to_series().to_numpy().astype(np.int64)


def shoe_starts(shoe: NDArray[np.int64]) -> NDArray[np.int64]:
    """The first row of each shoe, from the shoes' numbers by row."""
    return np.flatnonzero(np.diff(shoe, prepend=-1))


def coup_rows(rows: pl.DataFrame, coups: pl.DataFrame) -> NDArray[np.int64]:
    """The row in a log's coups of each of these rows' coup, -1 where it has none."""
    shoes = coups.select("table", "shoe").unique(maintain_order=True)
    number = _numbered(coups, shoes)
    has = _keys(number, coups)
    key = _keys(_numbered(rows, shoes), rows)
    at = np.searchsorted(has, key)
    at[at == len(has)] = 0
    return np.where(has[at] == key, at, -1) if len(has) else np.full(len(key), -1)


def _runs() -> pl.Expr:
    """A number for each run of rows of one shoe, from 0."""
    names = pl.col("table").to_physical(), pl.col("shoe").to_physical()
    anew = pl.any_horizontal(name != name.shift() for name in names)
    return (anew.fill_null(True).cum_sum() - 1).cast(pl.Int64)


def _numbered(rows: pl.DataFrame, shoes: pl.DataFrame) -> NDArray[np.int64]:
    """The place of each row's shoe in a list of shoes, -1 where it has none."""
    run = rows.select(_runs()).to_series()
    heads = rows.select("table", "shoe").filter(run.diff().fill_null(1) != 0)
    listed = shoes.with_row_index("at")
    place = heads.join(listed, on=["table", "shoe"], how="left", maintain_order="left")["at"]
    numbers: NDArray[np.int64] = place.cast(pl.Int64).fill_null(-1).to_numpy()[run.to_numpy()]
    return numbers


def _keys(shoe: NDArray[np.int64], rows: pl.DataFrame) -> NDArray[np.int64]:
    """A number for each coup, rising by shoe and coup; below 0 for those of no shoe."""
    keys: NDArray[np.int64] = shoe * (MOST_COUPS + 1) + rows["coup"].to_numpy()
    return keys


def card_name(code: int) -> str:
    """`9h`, `9` where the suit is not known, `?` for a card that could not be read."""
    return CARDS[code] if 0 <= code < DECK else RANKS[code - DECK] if code >= DECK else "?"


# Fields: a value, or None, and the reason for a remark, if any


def _words(text: str) -> tuple[str | None, Reason | None]:
    if 1 <= len(text) <= MOST_TEXT and text.isprintable():
        return text, None
    return None, Reason("name", f"should be 1 to {MOST_TEXT} printable characters; {SKIPPED}")


def _bet_name(text: str) -> tuple[str | None, Reason | None]:
    return _words("-".join(text.lower().split()))


def _coup(text: str) -> tuple[int | None, Reason | None]:
    match = re.fullmatch(r"0{0,9}([0-9]{1,3})(\.0{1,9})?", text)  # spreadsheets write 3.0
    if match and 1 <= int(match[1]) <= MOST_COUPS:
        return int(match[1]), None
    kind = ZERO if re.fullmatch(r"0+(\.0+)?", text) else "number"
    return None, Reason(kind, f"should be a whole number from 1 to {MOST_COUPS}; {SKIPPED}")


def _money(text: str, sign: str, lost: str = SKIPPED) -> tuple[int | None, Reason | None]:
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
    return None, Reason("amount", f"should be {what} to {MOST_MONEY:,} as 25 or 12.50{hint}; {lost}")


def _amount(text: str) -> tuple[int | None, Reason | None]:
    return _money(text, "")


def _won(text: str) -> tuple[int | None, Reason | None]:
    return _money(text, "-?", "read as not logged") if text else (None, None)


def _winner(text: str) -> tuple[str | None, Reason | None]:
    won = _WINNERS.get(text.lower())
    if won or not text:
        return won, None
    return None, Reason("winner", "should be player, banker or tie (P, B, T); read as not logged")


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


def _cards(text: str) -> tuple[list[int], Reason | None]:
    """Codes of the cards listed, and a remark on what is not a card."""
    listed = [word for word in re.split(r"[\s,/-]+", text) if word]
    codes = [_card(word) for word in listed]
    bad = [word for word, code in zip(listed, codes, strict=True) if code is None]
    reason = None
    if bad:
        named = ", ".join(short(word, 8) for word in dict.fromkeys(bad[:4]))
        no_card = f"{named}: should be a card as 9h, 9 or 10, or ? where it could not be read; read as ?"
        reason = Reason("card", no_card)
    return [UNREAD if code is None else code for code in codes], reason


def _hand(text: str) -> tuple[int | None, Reason | None]:
    """The cards of a hand, packed: a byte a card, its code more 3, the first lowest."""
    if re.fullmatch(r"[0-9]{3,}(\.[0-9]*)?", text):
        reason = f"a number, should be cards as 9h Kd; made by a spreadsheet?; {SKIPPED}"
        return None, Reason("number", reason)
    if _DATE.search(text):
        return None, Reason("date", f"a date, should be cards as 9h Kd; made by a spreadsheet?; {SKIPPED}")
    codes, remark = _cards(text)
    if not codes:
        return None, Reason("none", f"the cards are missing, should be as 9h Kd or ? ?; {SKIPPED}")
    if len(codes) > MOST_HAND:
        return None, Reason("many", f"has {len(codes)} cards, should be at most {MOST_HAND}; {SKIPPED}")
    return int.from_bytes(bytes(code + 3 for code in codes), "little"), remark


def _burn(text: str) -> tuple[list[int] | None, Reason | None]:
    codes, reason = _cards(text)
    if len(codes) > _MOST_BURN:
        return None, Reason("many", f"has {len(codes)} cards, should be at most {_MOST_BURN}; read as not logged")
    return codes or None, reason


_PARSERS: dict[str, Parser] = {
    "table": _words, "shoe": _words, "coup": _coup, "player": _hand, "banker": _hand, "winner": _winner, "burn": _burn,
    "patron": _words, "bet": _bet_name, "amount": _amount, "won": _won,
}  # fmt: skip
_TYPES: Schema = {**COUPS, **BETS, "player": pl.Int64, "banker": pl.Int64}
_UNPACKED = np.array([NO_CARD, UNREAD, NO_CARD, *range(DECK + len(RANKS))], np.int8)


# Rows


def _coups(file: LogFile) -> pl.DataFrame:
    coups = _in_order(file, file.read(_PARSERS, _TYPES))
    file.formulas(coups, ("table", "shoe"))
    hands = [_unpacked(coups[hand]) for hand in ("player", "banker")]
    cards = {f"{hand}_{at + 1}": codes[:, at] for hand, codes in zip(_HANDS, hands, strict=True) for at in range(3)}
    return coups.with_columns(
        *(pl.Series(place, codes) for place, codes in cards.items()), more=_more(hands), burn=_burned(file, coups)
    ).select(pl.col(name).cast(dtype) for name, dtype in COUPS.items())


def _in_order(file: LogFile, coups: pl.DataFrame) -> pl.DataFrame:
    """The coups by table, shoe and number, each once."""
    heads = coups.select("line", "table", "shoe").filter(coups.select(_runs().diff().fill_null(1) != 0).to_series())
    shoes = heads.unique(["table", "shoe"], keep="first", maintain_order=True)
    shoes = shoes.sort(pl.col("line").min().over("table"), "line")
    keys = pl.Series(_keys(_numbered(coups, shoes.select("table", "shoe")), coups))
    if (keys.diff().drop_nulls() > 0).all():
        return coups
    twice = keys.is_duplicated()
    if twice.any():
        lost = _more_than_once(file, coups.filter(twice))
        kept = ~coups["line"].is_in(lost.implode())
        coups, keys = coups.filter(kept), keys.filter(kept)
    return coups[keys.arg_sort()]


def _more_than_once(file: LogFile, twice: pl.DataFrame) -> pl.Series:
    """Of lines with the same record of a coup all but the first; of differing lines all."""
    first = pl.col("line").min().over(COUP_KEY)
    twice = twice.with_columns(first=first, differ=_ALIKE.n_unique().over(COUP_KEY) > 1)
    again = twice.filter(~pl.col("differ") & (pl.col("line") > pl.col("first")))
    file.remarks.add(again, "coup", "again", _COUP, pl.format(f"the same as line {{}}; {SKIPPED}", "first"))
    differ = twice.filter("differ")
    other = pl.col("line").sort().over(COUP_KEY, mapping_strategy="join")
    rival = pl.when(pl.col("line") > pl.col("first")).then("first").otherwise(other.list.get(1))
    unlike = pl.format(f"not the same as line {{}}, and which is right cannot be known; {SKIPPED}", rival)
    file.remarks.add(differ, "coup", "differ", _COUP, unlike)
    file.remarks.skipped += differ.height
    return pl.concat([again["line"], differ["line"]])


def _unpacked(hands: pl.Series) -> NDArray[np.int8]:
    """The codes of the cards of packed hands (rows, 8)."""
    packed = np.ascontiguousarray(hands.to_numpy().astype("<i8"))
    return _UNPACKED[packed.view(np.uint8).reshape(-1, MOST_HAND)]


def _more(hands: Sequence[NDArray[np.int8]]) -> pl.Series:
    """The cards of both hands beyond their third; null where there are none."""
    rows = np.flatnonzero(np.logical_or.reduce([codes[:, 3] != NO_CARD for codes in hands]))
    more = [[int(code) for codes in hands for code in codes[row, 3:] if code != NO_CARD] for row in rows.tolist()]
    listed = pl.DataFrame({"row": rows, "more": more}, {"row": pl.Int64, "more": COUPS["more"]})
    every = pl.int_range(len(hands[0]), eager=True).alias("row").to_frame()
    return every.join(listed, on="row", how="left", maintain_order="left")["more"]


def _burned(file: LogFile, coups: pl.DataFrame) -> pl.Series:
    """The cards burned, ignored on other coups than the first of a shoe."""
    later = coups.select(_runs().diff().fill_null(1) == 0).to_series()
    late = later & coups["burn"].is_not_null()
    if not late.any():
        return coups["burn"]
    rows = coups.select("line", "burn").filter(late)
    listed = pl.Series("text", [" ".join(map(card_name, codes)) for codes in rows["burn"]], dtype=pl.String)
    reason = "should be on the first coup of the shoe; ignored"
    file.remarks.add(rows.with_columns(listed), "burn", "late", pl.col("text"), reason)
    return coups.select(pl.when(~late).then("burn").alias("burn")).to_series()


def _bets(file: LogFile, coups: pl.DataFrame) -> pl.DataFrame:
    bets = file.read(_PARSERS, _TYPES)
    file.formulas(bets, ("table", "shoe", "patron", "bet"))
    nowhere = pl.Series(coup_rows(bets, coups) < 0)
    if nowhere.any():
        reason = f"no such coup was read, its cards are not known; {SKIPPED}"
        file.remarks.add(bets.filter(nowhere), "coup", "nowhere", _COUP, reason)
        file.remarks.skipped += int(nowhere.sum())
        bets = bets.filter(~nowhere)
    rest = [name for name in BETS if name != "line"]
    twice = bets.filter(bets.select(rest).hash_rows().is_duplicated())
    twice = twice.filter(pl.struct(rest).is_duplicated()).with_columns(first=pl.col("line").min().over(rest))
    again = twice.filter(pl.col("line") > pl.col("first"))
    alike = pl.format("the same as line {}; both are kept and add up", "first")
    file.remarks.add(again, None, TWICE, pl.col("bet").cast(pl.String), alike)
    return bets.select(pl.col(name).cast(dtype) for name, dtype in BETS.items())
