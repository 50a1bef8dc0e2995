"""Roads, the way in which people write down results: all results of a shoe in one text, as `BPPTB`, `B P P T B` or
庄闲闲和庄.

In a text file, each line is a shoe. The shoe's name may come first, before a colon. If blank lines or headings separate
the lines, or if no line has more than one result, each block of lines is a shoe. In a table, each row is a shoe, with
its results in one column.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import polars as pl

from counting.errors import InputError
from counting.logs.fields import WINNERS
from counting.logs.headings import columns_of
from counting.logs.records import LONGEST
from counting.logs.remarks import Reason, Schema, short
from counting.logs.sources import SAMPLE, Skip, Skipped, Source
from counting.logs.texts import SEEN, encoding_of
from counting.numbers import many

_SIGNS = "PBT闲閒庄莊和"  # letters for winners, which may be written without gaps
_VOID = "X"
_GAPS = re.compile(r"[\s,;|/>→\[\]\"'()-]+")
_LABEL = re.compile(r"([^:：]{1,40})[:：](.*)")
_HEADING = re.compile(r"(?i)\s*(#|//|-{2,}|={2,}|shoe\b|boot\b|sabot\b|schuh\b|table\b|靴)(.*)")
_NAME = re.compile(r"[0-9A-Za-z]+(?=\W*\Z)")
_TABLE = re.compile(r"(?i)\b(?:table|tisch|mesa|桌)\W*([0-9A-Za-z]+)")
ROAD, _OF_ROW = "winner", "road of row"
_HEADINGS = (
    "results", "road", "roads", "sequence", "history", "roadmap", "bead_plate", "outcomes", "winners", "scorecard",
    "路", "路单", "路單",
)  # fmt: skip
_FEW, _MOST = 6, 5_000_000  # the fewest results for which a file counts as roads, and the most results of a file
_LONGEST_HEADING = 200
_VOIDS = Reason("void", "X is read as a void coup, which is not counted", kept=True)
_NO_ROAD = Reason("road", "no results, should be as BPPTB; not read as a coup", kept=True)


def results_of(text: str) -> list[str] | None:
    """The winners of a road, in order; None for a text that is no road. An empty text has no winners. The letter X, for
    a coup that was void, is left out; at most half of the signs may be X."""
    results, voids = [], 0
    for word in _GAPS.split(text.strip()):
        won = WINNERS.get(word.lower())
        if won is not None:
            results.append(won)
            continue
        signs = word.upper().replace(_VOID, "")
        if not set(signs) <= set(_SIGNS):
            return None
        voids += len(word) - len(signs)
        results += [WINNERS[sign.lower()] for sign in signs]
    return None if voids > len(results) else results


def _labelled(line: str) -> tuple[str | None, list[str] | None]:
    """The name of a line's shoe, or None if the line has no name; and the line's results, or None if the line is no
    road."""
    label = _LABEL.fullmatch(line)
    if label is not None and (results := results_of(label[2])):
        name = _NAME.search(label[1])
        return name[0] if name else None, results
    return None, results_of(line)


def are_roads(start: bytes) -> bool:
    """Whether a file has roads. `start`: its first bytes, in which the last word may be cut off. The first line, and at
    least half of all lines in `start`, must be roads or headings. The roads must have six results or more in total."""
    text = start.decode(encoding_of(start) or "utf-8", errors="ignore").removeprefix("\ufeff")
    if len(start) >= SEEN:
        text = text[: 1 + max(map(text.rfind, " ,;\n"))] or text
    lines = [line for line in text.splitlines() if line.strip()]
    read = [_labelled(line)[1] for line in lines]
    others = [at for at, results in enumerate(read) if not results and not _HEADING.match(lines[at])]
    if not lines or others[:1] == [0] or 2 * len(others) > len(lines):
        return False
    return sum(len(results or ()) for results in read) >= _FEW


class Roads(Source):
    """A text file of roads as a source, with a row for each coup: `table`, `shoe` and `winner`."""

    def __init__(self, path: Path, pieces: Iterator[bytes]) -> None:
        """`pieces`: the file's lines in UTF-8."""
        self.path, self.names = path, ["table", "shoe", ROAD]
        self._rows: list[tuple[int, str, str, str]] = []
        self._skipped: list[Skipped] = []
        self.look = self._read(b"".join(pieces).decode(errors="replace").split("\n"))

    def _read(self, lines: Sequence[str]) -> str:
        """Read the lines. Returns a sentence on the form of the file."""
        read = [(line, *_labelled(line[:LONGEST])) for line in lines]
        one_each = all(len(results or ()) <= 1 for _, _, results in read)
        is_road = "".join("x" if results else "-" * _separates(line) for line, _, results in read)
        parted = one_each or re.search("x-+x", is_road) is not None
        shoes = _Shoes()
        anew = True
        for at, (line, label, results) in enumerate(read, 1):
            if results:
                if anew or label is not None or not parted:
                    shoes.begin(label or "")
                anew = False
                self._rows += [(at, shoes.table, shoes.name, winner) for winner in results]
                if _VOID in re.split("[:：]", line)[-1].upper():
                    self._skipped.append((at, short(line, 80), _VOIDS))
                if len(self._rows) > _MOST:
                    raise InputError(f"{self.path}: roads of more than {_MOST:,} results, should be a table of coups")
            elif _separates(line):
                anew = True
                shoes.head(line)
            else:
                self._skipped.append((at, short(line, 80), _NO_ROAD))
        how = "a result per line" if one_each else "a shoe per block of lines" if parted else "a shoe per line"
        return f"{self.path}: roads of results, {how}: {shoes.words}"

    def sample(self, columns: Mapping[str, str]) -> pl.DataFrame:
        return self._frame(self._rows[:SAMPLE], columns)

    def pieces(self, columns: Mapping[str, str], numbers: frozenset[str], skip: Skip) -> Iterator[pl.DataFrame]:
        if self._skipped:
            skip(self._skipped)
        yield self._frame(self._rows, columns)

    def _frame(self, rows: Sequence[tuple[int, str, str, str]], columns: Mapping[str, str]) -> pl.DataFrame:
        schema: Schema = {"line": pl.Int32, **dict.fromkeys(self.names, pl.String)}
        frame = pl.DataFrame(rows, schema, orient="row")
        return frame.select("line", **{name: pl.col(own) for name, own in columns.items()})


def _separates(line: str) -> bool:
    """Whether a line without results is blank or a heading."""
    return not line.strip() or _HEADING.match(line) is not None


def _named_anew(table: str, shoe: str, begun: Counter[tuple[str, str]]) -> str:
    """A name for a shoe that no earlier shoe of the table has: `1 (2)` for the second shoe called 1. `begun`: how often
    each name of a table and shoe has come."""
    begun[table, shoe] += 1
    return f"{shoe} ({begun[table, shoe]})" if begun[table, shoe] > 1 else shoe


class _Shoes:
    """Names the shoes of a file while its lines are read. No two shoes of a table get the same name."""

    def __init__(self) -> None:
        self.table, self.name, self._heading = "1", "", ""
        self._begun: Counter[tuple[str, str]] = Counter()
        self._number = 0

    def head(self, line: str) -> None:
        """Read a heading, which may name the table and the shoe of the lines after it."""
        line = line[:_LONGEST_HEADING]
        if table := _TABLE.search(line):
            self.table = table[1]
            line = line.replace(table[0], "")
        name = _NAME.search(line)
        self._heading = name[0] if name else ""

    def begin(self, label: str) -> None:
        self._number += 1
        self.name = _named_anew(self.table, label or self._heading or str(self._number), self._begun)
        self._heading = ""

    @property
    def words(self) -> str:
        return many(self._number, "shoe")


class RoadRows(Source):
    """A source with a row for each coup, made from a source with a shoe's road in each row. The column of roads becomes
    `winner`. If the shoe of a row has the name of an earlier row's, as where shoes are numbered anew each day, it gets
    another name: `1 (2)`."""

    def __init__(self, source: Source, road: str) -> None:
        self._source, self._road = source, road
        self.path, self.top, self.above = source.path, source.top, source.above
        self.names = [ROAD if name == road else name for name in source.names]
        self._has_shoe = bool(columns_of("shoe", source.names))
        if not self._has_shoe:
            self.names.append("shoe")
        self.look = f"{source.path}: roads of results in {road}, a shoe per row"

    def sample(self, columns: Mapping[str, str]) -> pl.DataFrame:
        return self._unrolled(self._source.sample(self._base(columns)), columns, [].extend, Counter()).head(SAMPLE)

    def pieces(self, columns: Mapping[str, str], numbers: frozenset[str], skip: Skip) -> Iterator[pl.DataFrame]:
        base, begun = self._base(columns), Counter[tuple[str, str]]()
        for texts in self._source.pieces(base, numbers | {_OF_ROW}, skip):
            yield self._unrolled(texts, columns, skip, begun)

    def _base(self, columns: Mapping[str, str]) -> dict[str, str]:
        others = {name: own for name, own in columns.items() if own in self._source.names}
        return others | {_OF_ROW: self._road}

    def _unrolled(
        self,
        texts: pl.DataFrame,
        columns: Mapping[str, str],
        skip: Callable[..., None],
        begun: Counter[tuple[str, str]],
    ) -> pl.DataFrame:
        """The rows of the coups. `begun`: how often each name of a table and shoe has come, which is counted on."""
        results = [results_of(text) for text in texts[_OF_ROW]]
        bad = [(line, short(text, 80), _NO_ROAD) for line, text, road in zip(texts["line"], texts[_OF_ROW], results,
               strict=True) if road is None]  # fmt: skip
        bad += [(line, short(text, 80), _VOIDS) for line, text, road in zip(texts["line"], texts[_OF_ROW], results,
                strict=True) if road and _VOID in text.upper()]  # fmt: skip
        if bad:
            skip(bad)
        rows = texts.with_columns(pl.Series(_OF_ROW, results, pl.List(pl.String))).drop_nulls(_OF_ROW)
        rows = rows.filter(pl.col(_OF_ROW).list.len() > 0).with_columns(pl.col("line").cast(pl.String).alias("shoe of"))
        if "shoe" in rows.columns:
            tables = rows["table"] if "table" in rows.columns else [""] * rows.height
            names = [_named_anew(*name, begun) for name in zip(tables, rows["shoe"], strict=True)]
            rows = rows.with_columns(shoe=pl.Series(names, dtype=pl.String))
        made = {name: pl.col(name if own in self._source.names else "shoe of") for name, own in columns.items()}
        made |= {name: pl.col(_OF_ROW) for name, own in columns.items() if own == ROAD}
        return rows.explode(_OF_ROW).select("line", **made)


def unrolled(source: Source) -> RoadRows | None:
    """A source with a row for each coup, made from `source` if most of its rows have a road of two results or more;
    otherwise None."""
    others = [name for name in source.names if name.strip().lower() in _HEADINGS]
    for name in dict.fromkeys([*columns_of("winner", source.names), *others]):
        texts = [text for text in source.sample({_OF_ROW: name})[_OF_ROW] if text]
        if texts and sum(len(results_of(text) or ()) > 1 for text in texts) > 0.5 * len(texts):
            return RoadRows(source, name)
    return None
