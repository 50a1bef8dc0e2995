"""The log of a table: the coups it dealt and the bets it took, read from CSV or Parquet.

A log is written by people, cameras and spreadsheets, so every line stands alone: one that cannot be read is skipped
with a remark, and nothing is guessed. A file that cannot be a log at all is refused.
"""

from __future__ import annotations

import csv
import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import polars as pl

from counting.cards import CARDS, DECK, RANKS, SUITS, card_of
from counting.errors import InputError, Mistakes

NO_CARD, UNREAD = -1, -2
PLACES = ("player_1", "player_2", "player_3", "banker_1", "banker_2", "banker_3")
COUP_KEY = ("table", "shoe", "coup")
MOST_COUPS = 999
MOST_MONEY = 10**9
MOST_HAND = 8  # cards; a hand of more is no hand

Schema = dict[str, pl.DataType | type[pl.DataType]]
COUPS: Schema = {
    "line": pl.Int32, "table": pl.String, "shoe": pl.String, "coup": pl.Int32, **dict.fromkeys(PLACES, pl.Int8),
    "more": pl.List(pl.Int8), "winner": pl.String, "burn": pl.List(pl.Int8),
}  # fmt: skip
BETS: Schema = {
    "line": pl.Int32, "table": pl.String, "shoe": pl.String, "coup": pl.Int32, "patron": pl.String, "bet": pl.String,
    "amount": pl.Int64, "won": pl.Int64,
}  # fmt: skip
REMARKS: Schema = {"file": pl.String, "line": pl.Int32, "column": pl.String, "value": pl.String, "reason": pl.String}

_NEEDED = {"coups": (*COUP_KEY, "player", "banker"), "bets": (*COUP_KEY, "patron", "bet", "amount")}
_OPTIONAL = {"coups": ("winner", "burn"), "bets": ("won",)}
_MOST_TEXT, _MOST_LINE, _MOST_BURN, _MOST_SHOWN = 80, 100_000, 52, 40
_CHUNK = 1 << 16  # lines at a time
_GONE = "line skipped"
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
    `bets`: `line`, `table`, `shoe`, `coup`, `patron`, `bet` in lower case, `amount` and `won` in hundredths of the
    money's unit (`won` null where not logged), in the order of the file.
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
    for name, path in (("coups", coups), ("bets", bets)):
        with mistakes.gathered():
            files.append(_File(name) if path is None else _opened(name, Path(path)))
    mistakes.report()
    table, bet = files
    read = _coups(table)
    placed = _bets(bet, read)
    remarks = pl.concat([*table.remarks, *bet.remarks, pl.DataFrame(schema=REMARKS)])
    return Log(read, placed, _shortened(remarks))


def card_name(code: int) -> str:
    """`9h`, `9` where the suit is not known, `?` for a card that could not be read."""
    return CARDS[code] if 0 <= code < DECK else RANKS[code - DECK] if code >= DECK else "?"


@dataclass
class _File:
    """A file while it is read: a column of trimmed texts for each column known, `line` first; the remarks so far."""

    name: str
    texts: pl.DataFrame = field(default_factory=pl.DataFrame)
    remarks: list[pl.DataFrame] = field(default_factory=list)

    def remark(self, rows: pl.DataFrame, column: str | None, value: pl.Expr | str, reason: pl.Expr | str) -> None:
        """Note a reason against each row (`line` and whatever value and reason are made of)."""
        said = {"file": pl.lit(self.name), "line": pl.col("line"), "column": pl.lit(column, pl.String)}
        said["value"] = pl.lit(value) if isinstance(value, str) else value
        said["reason"] = pl.lit(reason) if isinstance(reason, str) else reason
        if rows.height:
            self.remarks.append(rows.select(expr.cast(REMARKS[name]).alias(name) for name, expr in said.items()))

    def read(self, columns: Iterable[str]) -> pl.DataFrame:
        """Columns parsed, each distinct text once, and the rows kept that have every value; an optional column that the
        file lacks is empty.

        A parser gives a value, or None, and what there is to say of it, if anything. A row is lost by a None that has
        something said of it, unless the column is one that a row may lack.
        """
        found = self.texts.select("line")
        lost = pl.repeat(False, self.texts.height, eager=True)
        for name in columns:
            texts = self.texts.get_column(name, default=pl.repeat("", self.texts.height, eager=True).alias(name))
            distinct = texts.unique(maintain_order=True)
            read = [_PARSERS[name](text) for text in distinct]
            values = pl.Series([value for value, _ in read], dtype=_TYPES[name])
            reasons = pl.Series([reason for _, reason in read], dtype=pl.String)
            known = pl.DataFrame({name: distinct, "value": values, "reason": reasons})
            rows = found.select("line").with_columns(texts).join(known, on=name, how="left", maintain_order="left")
            self.remark(rows.filter(pl.col("reason").is_not_null()), name, pl.col(name), pl.col("reason"))
            if name not in ("winner", "burn"):
                lost |= rows["value"].is_null() & rows["reason"].is_not_null()
            found = found.with_columns(rows["value"].alias(name))
        return found.filter(~lost)

    def formulas(self, frame: pl.DataFrame, columns: Sequence[str]) -> None:
        """One remark for each text of these columns that a spreadsheet would take for a formula."""
        for name in columns:
            taken = frame.filter(pl.col(name).str.contains(r"^[=+\-@]")).unique(name, keep="first", maintain_order=True)
            self.remark(taken, name, pl.col(name), "kept as text; a spreadsheet would take it for a formula")


# Files


def _opened(name: str, path: Path) -> _File:
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise InputError(f"{path}: a folder, should be a CSV or Parquet file") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    data = data.removeprefix(BOM_UTF8)
    if not data.strip():
        raise InputError(f"{path}: empty, should begin with a line of column names")
    if data.startswith(b"PAR1") or path.suffix.lower() in (".parquet", ".pq"):
        return _parquet(name, path)
    return _csv(name, path, data)


def _csv(name: str, path: Path, data: bytes) -> _File:
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        raise InputError(f"{path}: in UTF-16, should be a CSV in UTF-8 or a Parquet file")
    if data.startswith(b"PK\x03\x04"):
        raise InputError(f"{path}: a workbook or archive, should be saved as a CSV in UTF-8 or a Parquet file")
    lines = enumerate(data.splitlines(), 1)
    top, raw = next((number, raw) for number, raw in lines if raw.strip())
    try:
        head = raw.decode()
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not a text in UTF-8: byte {error.start} is {raw[error.start]:#04x}") from None
    if "\0" in head:
        raise InputError(f"{path}: not a text in UTF-8 (UTF-16?): its first line has zero bytes")
    if len(head) > _MOST_LINE:
        raise InputError(f"{path}: its first line has {len(head):,} characters, should be column names")
    known = _NEEDED[name] + _OPTIONAL[name]
    read = [(_fields(head, mark) or [], mark) for mark in ",;\t"]
    names, mark = max(read, key=lambda found: sum(_plain(column) in known for column in found[0]))
    if not names:
        raise InputError(f"{path}: line {top}: a quote is not closed, should be column names")
    file = _File(name)
    places = _header(file, path, names, top)
    wrong: list[tuple[int, str, str]] = []
    rows = _rows(lines, mark, len(names), wrong)
    schema: Schema = {"line": pl.Int32, **dict.fromkeys(places, pl.String)}
    chunks = [pl.DataFrame(schema=schema)]
    while chunk := _columns(islice(rows, _CHUNK), len(names), places):
        chunks.append(pl.DataFrame(chunk, schema))
    file.texts = pl.concat(chunks).with_columns(pl.col(pl.String).str.strip_chars())
    said = pl.DataFrame(wrong, {"line": pl.Int32, "value": pl.String, "reason": pl.String}, orient="row")
    file.remark(said, None, pl.col("value"), pl.col("reason"))
    return file


def _rows(
    lines: Iterator[tuple[int, bytes]], mark: str, width: int, wrong: list[tuple[int, str, str]]
) -> Iterator[tuple[int, list[str]]]:
    """The fields of each line that has so many; what is wrong with the others."""
    for number, raw in lines:
        try:
            text = raw.decode()
        except UnicodeDecodeError as error:
            bad = f"not UTF-8: byte {error.start} is {raw[error.start]:#04x}; {_GONE}"
            wrong.append((number, raw[:_MOST_LINE].decode(errors="replace"), bad))
            continue
        reason = None
        fields = text.split(mark) if '"' not in text else None
        if "\0" in text:
            reason = "has a zero byte"
        elif len(text) > _MOST_LINE:
            reason = f"has {len(text):,} characters, should be at most {_MOST_LINE:,}"
        elif fields is None and (fields := _fields(text, mark)) is None:
            reason = "a quote is not closed on its line, or text stands beside one"
        elif len(fields) != width and text.strip():
            reason = f"has {len(fields)} fields, should be {width}"
        if reason:
            wrong.append((number, text[: 2 * _MOST_SHOWN], f"{reason}; {_GONE}"))
        elif len(fields or ()) == width and text.strip():
            yield number, fields or []


def _columns(rows: Iterable[tuple[int, list[str]]], width: int, places: dict[str, int]) -> dict[str, list[Any]]:
    """Rows turned into the columns at these places; nothing for no rows."""
    numbers: list[int] = []
    fields: list[str] = []  # one long list, as many short ones keep Python's collector busy
    for number, row in rows:
        numbers.append(number)
        fields += row
    return {"line": numbers, **{name: fields[at::width] for name, at in places.items()}} if numbers else {}


def _fields(text: str, mark: str) -> list[str] | None:
    try:
        return next(csv.reader([text], delimiter=mark, strict=True, skipinitialspace=True))
    except csv.Error:
        return None


def _plain(column: str) -> str:
    return column.strip().lower()


def _header(file: _File, path: Path, names: Sequence[str], line: int) -> dict[str, int]:
    """The place of each column that is known, in the log's order; a remark names the others."""
    needed, known = _NEEDED[file.name], _NEEDED[file.name] + _OPTIONAL[file.name]
    found = [_plain(name) for name in names]
    mistakes = Mistakes()
    if missing := [name for name in needed if name not in found]:
        has = _short(", ".join(found), 2 * _MOST_TEXT)
        mistakes.append(f"{path}: column{'s' * (len(missing) > 1)} {', '.join(missing)} missing; found {has}")
    mistakes += [f"{path}: column {name} stands there twice" for name in known if found.count(name) > 1]
    mistakes.report()
    if unknown := [name for name in found if name not in known]:
        said = pl.DataFrame({"line": [line]})
        file.remark(said, None, ", ".join(unknown), f"not a log's columns, ignored; known are {', '.join(known)}")
    return {name: found.index(name) for name in known if name in found}


def _parquet(name: str, path: Path) -> _File:
    try:
        frame = pl.read_parquet(path, glob=False)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError) as error:
        said = _short((str(error).splitlines() or ["damaged"])[0], _MOST_TEXT)
        raise InputError(f"{path}: not a Parquet file that can be read: {said}") from None
    file = _File(name)
    places = _header(file, path, frame.columns, 1)
    mistakes = Mistakes()
    texts = [pl.Series("line", range(1, frame.height + 1), pl.Int32)]
    for column, place in places.items():
        with mistakes.gathered():
            texts.append(_as_texts(frame.to_series(place), column, str(path)))
    mistakes.report()
    file.texts = pl.DataFrame(texts)
    return file


def _as_texts(values: pl.Series, column: str, where: str) -> pl.Series:
    """A column of Parquet as the texts that a CSV would have; a null is an empty one."""
    dtype = values.dtype
    number = dtype.is_numeric() and column in (*COUP_KEY, "patron", "amount", "won")
    if dtype != pl.Null and not number and not isinstance(dtype, pl.String | pl.Categorical | pl.Enum):
        allowed = "String or a number" if column in (*COUP_KEY, "patron", "amount", "won") else "String"
        raise InputError(f"{where}: column {column} is {dtype}, should be {allowed}")
    if dtype.is_float():
        distinct = values.unique().drop_nulls()
        texts = [_digits(value) for value in distinct.to_numpy()]
        values = values.to_frame("value").join(
            pl.DataFrame({"value": distinct, "text": pl.Series(texts, dtype=pl.String)}),
            on="value", how="left", maintain_order="left",
        )["text"]  # fmt: skip
    return values.cast(pl.String).fill_null("").str.strip_chars().alias(column)


def _digits(value: object) -> str:
    """A float in the fewest digits that tell it, without an exponent; a whole one without a point."""
    number = Decimal(str(value))
    whole = number.is_finite() and number == number.to_integral_value()
    return format(number, ".0f" if whole else "f") if number.is_finite() else str(value)


# Fields: a value, or None, and what there is to say of it


def _words(text: str) -> tuple[str | None, str | None]:
    if 1 <= len(text) <= _MOST_TEXT and text.isprintable():
        return text, None
    return None, f"should be 1 to {_MOST_TEXT} printable characters; {_GONE}"


def _bet_name(text: str) -> tuple[str | None, str | None]:
    return _words(text.lower())


def _coup(text: str) -> tuple[int | None, str | None]:
    match = re.fullmatch(r"0{0,9}([0-9]{1,3})(\.0{1,9})?", text)  # spreadsheets write 3.0
    if match and 1 <= int(match[1]) <= MOST_COUPS:
        return int(match[1]), None
    return None, f"should be a whole number from 1 to {MOST_COUPS}; {_GONE}"


def _money(text: str, sign: str) -> tuple[int | None, str | None]:
    match = re.fullmatch(rf"({sign})([0-9]{{1,12}})(?:\.([0-9]{{1,2}}))?", text)
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
    return None, f"should be {what} to {MOST_MONEY:,} as 25 or 12.50{hint}; {_GONE}"


def _amount(text: str) -> tuple[int | None, str | None]:
    return _money(text, "")


def _won(text: str) -> tuple[int | None, str | None]:
    return _money(text, "-?") if text else (None, None)


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
        named = ", ".join(_short(word, 8) for word in dict.fromkeys(bad[:4]))
        reason = f"{named}: should be a card as 9h, 9 or 10, or ? where it could not be read; read as ?"
    return [UNREAD if code is None else code for code in codes], reason


def _hand(text: str) -> tuple[list[int] | None, str | None]:
    if _DATE.search(text):
        return None, f"a date, should be cards as 9h Kd; made by a spreadsheet?; {_GONE}"
    codes, reason = _cards(text)
    if not codes:
        return None, f"the cards are missing, should be as 9h Kd or ? ?; {_GONE}"
    if len(codes) > MOST_HAND:
        return None, f"has {len(codes)} cards, should be at most {MOST_HAND}; {_GONE}"
    return codes, reason


def _burn(text: str) -> tuple[list[int] | None, str | None]:
    codes, reason = _cards(text)
    if len(codes) > _MOST_BURN:
        return None, f"has {len(codes)} cards, should be at most {_MOST_BURN}; read as not logged"
    return codes or None, reason


_PARSERS: dict[str, Callable[[str], tuple[object, str | None]]] = {
    "table": _words, "shoe": _words, "coup": _coup, "player": _hand, "banker": _hand, "winner": _winner, "burn": _burn,
    "patron": _words, "bet": _bet_name, "amount": _amount, "won": _won,
}  # fmt: skip
_TYPES: Schema = {**COUPS, **BETS, "player": pl.List(pl.Int8), "banker": pl.List(pl.Int8)}


# Rows


def _coups(file: _File) -> pl.DataFrame:
    found = file.read((*_NEEDED["coups"], *_OPTIONAL["coups"]))
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


def _once(file: _File, found: pl.DataFrame) -> pl.DataFrame:
    """Of lines that say the same of a coup the first; of lines that differ none."""
    first = pl.col("line").min().over(COUP_KEY)
    twice = found.filter(pl.struct(COUP_KEY).is_duplicated()).with_columns(
        first=first, differ=_ALIKE.n_unique().over(COUP_KEY) > 1
    )
    named = pl.format("table {}, shoe {}, coup {}", *COUP_KEY)
    again = twice.filter(~pl.col("differ") & (pl.col("line") > pl.col("first")))
    file.remark(again, "coup", named, pl.format(f"the same as line {{}}; {_GONE}", "first"))
    differ = twice.filter("differ")
    other = pl.col("line").sort().over(COUP_KEY, mapping_strategy="join")
    rival = pl.when(pl.col("line") > pl.col("first")).then("first").otherwise(other.list.get(1))
    unlike = pl.format(f"not the same as line {{}}, and which is right cannot be known; {_GONE}", rival)
    file.remark(differ, "coup", named, unlike)
    return found.join(pl.concat([again, differ]), on="line", how="anti", maintain_order="left")


def _bets(file: _File, coups: pl.DataFrame) -> pl.DataFrame:
    if not file.texts.columns:
        return pl.DataFrame(schema=BETS)
    found = file.read((*_NEEDED["bets"], *_OPTIONAL["bets"]))
    file.formulas(found, ("table", "shoe", "patron", "bet"))
    named = pl.format("table {}, shoe {}, coup {}", *COUP_KEY)
    nowhere = found.join(coups, on=COUP_KEY, how="anti", maintain_order="left")
    file.remark(nowhere, "coup", named, f"no such coup was read, its cards are not known; {_GONE}")
    found = found.join(coups.select(COUP_KEY), on=COUP_KEY, how="semi", maintain_order="left")
    rest = [name for name in BETS if name != "line"]
    twice = found.filter(pl.struct(rest).is_duplicated()).with_columns(first=pl.col("line").min().over(rest))
    again = twice.filter(pl.col("line") > pl.col("first"))
    file.remark(again, None, pl.col("bet"), pl.format("the same as line {}; both are kept and add up", "first"))
    return found.select(pl.col(name).cast(dtype) for name, dtype in BETS.items())


# Remarks


def _short(text: str, most: int = _MOST_SHOWN) -> str:
    """A text in at most so many printable characters."""
    text = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[: most + 1])
    return text if len(text) <= most else text[: most - 3] + "..."


def _shortened(remarks: pl.DataFrame) -> pl.DataFrame:
    """In the order of the files' lines, values shortened."""
    distinct = remarks["value"].unique()
    short = pl.DataFrame({"value": distinct, "short": pl.Series(map(_short, distinct), dtype=pl.String)})
    return (
        remarks.join(short, on="value", how="left", maintain_order="left")
        .with_columns(value=pl.col("short"))
        .select(list(REMARKS))
        .sort(pl.col("file") == "bets", "line", maintain_order=True)
    )
