"""Records with hostile values, and files of such records in every form that is read: with a row for each coup, with a
row for each card, and with results alone."""

from __future__ import annotations

import csv
import gzip
import json
import random
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import polars as pl
from twins.other_logs import workbook

FIELDS = (
    "table", "shoe", "coup", "player", "banker", "winner", "burn", "event", "decks", "player_total", "patron", "bet",
    "amount", "undo",
)  # fmt: skip
FORMS = ("csv", "jsonl", "json", "gz", "db", "parquet", "xlsx")
OTHERS = ("cards.csv", "cards.jsonl", "results.csv", "results.jsonl")  # with a row per card, and with results alone
LAYOUTS: dict[str, dict[str, Any]] = {
    "cards": {"card_rows": {"hand": "hand", "place": "place", "card": "card"}},
    "results": {"coups": {"player": "constant: ? ?", "banker": "constant: ? ?"}},
}  # for `read_log`, to read files of this kind
_KEY = {"table": "hostile", "shoe": "h", "coup": 1}
_ROWS: dict[str, dict[str, Any]] = {
    "coups": {**_KEY, "player": "9h Kd", "banker": "5c 2s"},
    "cards": {**_KEY, "hand": "player", "place": 1, "card": "9h"},
    "results": {**_KEY, "winner": "player"},
}


def _nested(rng: random.Random, depth: int) -> Any:
    value: Any = rng.choice([1, "9h", None])
    for _ in range(depth):
        value = [value] if rng.random() < 0.5 else {"a": value}
    return value


def a_value(rng: random.Random) -> Any:
    """A value that no field should have: nested deeply, long, huge, of another type, or with half of a character."""
    made: tuple[Callable[[], Any], ...] = (
        lambda: _nested(rng, rng.choice([2, 20, 40, 200, 400])),
        lambda: rng.choice(["x", "9h ", "\u202e", "[", ",", '"', "\t", " "]) * rng.choice([1, 50, 5000, 100_000]),
        lambda: rng.choice([10**400, -(10**30), 2**63, 2**64, 0, -1, 1e308, 5e-324, float("nan"), float("inf")]),
        lambda: "".join(rng.choice("\ud83d\ude00\udcff\ud800ab9h ") for _ in range(rng.randrange(1, 9))),
        lambda: rng.choice([None, True, False, [], {}, [[]], [{}], [None] * 9, {"rank": "K", "suit": "h"}]),
        lambda: {f"k{at}": at for at in range(rng.choice([3, 300, 5000]))},
        lambda: [rng.choice(["9h", 9, None, "", {}]) for _ in range(rng.choice([1, 7, 60, 5000]))],
        lambda: "".join(chr(rng.choice([0, 1, 10, 13, 27, 0x85, 0x2028, 0xFEFF, 0x1F0A1, 65])) for _ in range(6)),
        lambda: rng.choice(["9h Kd", "=1+1", "1e5", "0x10", "-", "?", "99", "9" * 400, "2026-03-01", "1,000.00", "١٢"]),
    )  # fmt: skip
    return rng.choice(made)()


def kind_of(form: str) -> str:
    """What a row is in a file of this form: a coup, a card or a result."""
    return form.partition(".")[0] if "." in form else "coups"


def good_rows(form: str, coups: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Coups as rows of a file of this form. A coup has `table`, `shoe`, `coup`, `player`, `banker` and `winner`."""
    match kind_of(form):
        case "cards":
            return [
                {name: coup[name] for name in _KEY} | {"hand": hand, "place": place, "card": card}
                for coup in coups for hand in ("player", "banker") for place, card in enumerate(coup[hand].split(), 1)
            ]  # fmt: skip
        case "results":
            return [{name: coup[name] for name in (*_KEY, "winner")} for coup in coups]
    return [{name: coup[name] for name in FIELDS[:5]} for coup in coups]


def a_record(rng: random.Random, form: str = "") -> dict[str, Any]:
    """A record with up to six hostile values. A few records also have up to 3,000 further keys, or lack a field."""
    row = _ROWS[kind_of(form)]
    record = row | {"coup": rng.randrange(1, 99)}
    fields = [*FIELDS, *(name for name in row if name not in FIELDS)]
    for _ in range(rng.choice([1, 1, 2, 6])):
        record[rng.choice(fields)] = a_value(rng)
    if record.get("undo") is True:
        del record["undo"]
    if rng.random() < 0.05:
        names = ["".join(rng.choice("ab.[\ud83d") for _ in range(3)) for _ in range(rng.choice([9, 3000]))]
        record |= {f"{name}{at}": at for at, name in enumerate(names)}
    if rng.random() < 0.1:
        del record[rng.choice(list(record))]
    return record


def _cell(value: Any) -> Any:
    """A value in a form that a cell of a table can have."""
    if isinstance(value, dict | list):
        value = json.dumps(value)
    return value.encode(errors="replace").decode() if isinstance(value, str) else value


def _text(value: Any) -> str:
    return "" if value is None else str(_cell(value))


def written(folder: Path, form: str, records: Sequence[dict[str, Any]]) -> Path:
    """Write records into a file of this form, and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    file, names = folder / f"coups.{form}", tuple(_ROWS[kind_of(form)])
    lines = "".join(json.dumps(record) + "\n" for record in records)
    rows = [[record.get(name) for name in names] for record in records]
    match form.rpartition(".")[2]:
        case "csv":
            with file.open("w", newline="", errors="replace") as out:
                csv.writer(out).writerows([names, *([_text(cell) for cell in row] for row in rows)])
        case "jsonl":
            file.write_text(lines)
        case "json":
            file.write_text(json.dumps(records))
        case "gz":
            file.write_bytes(gzip.compress(lines.encode(), 1))
        case "db":
            file.unlink(missing_ok=True)
            with closing(sqlite3.connect(file)) as link:
                link.execute(f"CREATE TABLE hands ({', '.join(map(repr, names))})")
                cells = [[_in_database(cell) for cell in row] for row in rows]
                link.executemany(f"INSERT INTO hands VALUES ({','.join('?' * len(names))})", cells)
                link.commit()
        case "parquet":
            columns = zip(*([_text(cell) for cell in row] for row in rows), strict=True)
            pl.DataFrame({name: list(cells) for name, cells in zip(names, columns, strict=True)}).write_parquet(file)
        case "xlsx":
            cells = {name: [_in_sheet(row[at]) for row in rows] for at, name in enumerate(names)}
            return workbook(folder, pl.DataFrame(cells, dict.fromkeys(names, pl.String)))[0]
    return file


def _in_database(value: Any) -> Any:
    value = _cell(value)
    return str(value) if isinstance(value, int) and abs(value) >= 2**63 else value


def _in_sheet(value: Any) -> str:
    text = "".join(sign for sign in _text(value) if sign.isprintable())
    return text[:32_000]
