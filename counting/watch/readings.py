"""How an input is read, from its first lines: the reading that every line of it then has."""

from __future__ import annotations

import csv
import json
import re
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from counting.errors import InputError
from counting.games import Tableau
from counting.logs import CONSTANT, OWN, Layout, own_layout
from counting.logs.coups import list_order
from counting.logs.fields import MOST_HAND
from counting.logs.fitting import USUAL, BetFit, Fit, Numbering, fit_bets, fit_coups
from counting.logs.frames import NAMES
from counting.logs.joined import SIDES, Joined, card_columns, own_column
from counting.logs.layouts import (
    BET_OPTIONAL,
    HANDS,
    KEY,
    OPTIONAL,
    CoupColumns,
    FileForm,
    names_known,
)
from counting.logs.sources import SAMPLE, Source, open_source
from counting.logs.texts import encoding_of, with_byte_order
from counting.logs.values import as_text, at_path
from counting.watch.lines import UNDO, Reading


def reading_of(
    lines: Sequence[bytes], name: str, layout: Layout | None, tableau: Tableau,
    cards: tuple[Sequence[bytes], str] = ((), "cards"),
) -> Reading | None:  # fmt: skip
    """How an input with these first lines is read; null while there is not yet a line beside the column names.

    `cards`: the first lines and the name of a file with a row a card, where the layout has one. Raises `InputError`
    where no layout fits.
    """
    encoding, head = _head(lines, layout.file if layout is not None else None)
    if not head:
        return None
    if layout is not None and layout.frames is not None:
        return _frames_reading(layout, name, encoding)
    if layout is not None and layout.card_rows is not None:
        return _parent_reading(head, name, layout, encoding, cards)
    reading = _rows_reading(head, name, layout, tableau)
    return reading if reading is None else replace(reading, encoding=encoding)


def _rows_reading(head: Sequence[bytes], name: str, layout: Layout | None, tableau: Tableau) -> Reading | None:
    if _is_json(head[0]):
        return _json_reading([line for line in head if _is_coup(line)], name, layout, tableau)
    named = layout.file.names if layout is not None else ()
    if len(head) + bool(named) < 2:
        return None
    source = _source(head, name, layout)
    fit = fit_coups(source, layout)
    reading = Reading(fit, "coups", tuple(column.strip() for column in source.names), getattr(source, "mark", ","))
    reading = replace(reading, fit=replace(fit, columns={name: own.strip() for name, own in fit.columns.items()}))
    return _ordered(reading, head, tableau)


def bet_reading_of(lines: Sequence[bytes], name: str, coups: Reading) -> Reading | None:
    """How a file of bets is read beside these coups."""
    encoding, head = _head(lines, coups.fit.layout.bets_file)
    named = coups.fit.layout.bets_file.names
    if not head or (not _is_json(head[0]) and len(head) + bool(named) < 2):
        return None
    if _is_json(head[0]):
        return replace(coups, holds="bets", names=(), encoding=encoding, cards={}, **_json_bets(coups.fit))
    source = _source(head, name, coups.fit.layout, bets=True)
    fit: BetFit = fit_bets(source, coups.fit)
    names = tuple(column.strip() for column in source.names)
    columns = {name: own.strip() for name, own in fit.columns.items()}
    return replace(
        coups, holds="bets", names=names, mark=getattr(source, "mark", ","), bets=columns, constants=fit.constants,
        comma=fit.comma, thousands=fit.thousands, encoding=encoding, cards={},
    )  # fmt: skip


def card_reading_of(lines: Sequence[bytes], name: str, coups: Reading) -> Reading | None:
    """How a file with a row a card is read beside these coups."""
    rows = coups.fit.layout.card_rows
    encoding, head = _head(lines, None)
    if rows is None or not head:
        return None
    source = _source(head, name, None)
    columns = {name: own_column(source, own).strip() for name, own in card_columns(rows).items()}
    names = () if source.nested else tuple(column.strip() for column in source.names)
    mark = getattr(source, "mark", "")
    return replace(coups, holds="cards", names=names, mark=mark, cards=columns, encoding=encoding)


def _head(lines: Sequence[bytes], form: FileForm | None) -> tuple[str | None, list[bytes]]:
    """The encoding of an input, null for UTF-8, and its first lines that are not blank, in UTF-8."""
    start = b"".join(lines[:2])
    stated = form.encoding if form is not None else None
    encoding = stated or encoding_of(start)
    if encoding is None:
        return None, [line for line in lines if line.strip()][:SAMPLE]
    encoding = with_byte_order(encoding, start)
    head = [line.decode(encoding, errors="replace").lstrip("\ufeff").encode(errors="replace") for line in lines]
    return encoding, [line for line in head if line.strip()][:SAMPLE]


def _frames_reading(layout: Layout, name: str, encoding: str | None) -> Reading:
    """How the frames of an electronic shoe are read: their coups have columns of their own."""
    constants = {"table": "1", **_constants(layout.coups)}
    wanted = _paths(layout.coups)
    columns = {of: wanted[of] for of in NAMES if of not in constants}
    wrong = [column for of, column in columns.items() if column != of]
    if wrong or "shoe" not in constants:
        missing = ", ".join(wrong or [wanted["shoe"]])
        raise InputError(f"{name}: column {missing} missing; frames have {', '.join(NAMES)}, and a constant shoe")
    return Reading(Fit("", layout, columns, constants), "frames", encoding=encoding)


def _parent_reading(
    head: Sequence[bytes], name: str, layout: Layout, encoding: str | None, cards: tuple[Sequence[bytes], str]
) -> Reading | None:
    """How coups are read whose cards are in a file of their own, from the first lines of both."""
    assert layout.card_rows is not None
    _, of_cards = _head(cards[0], None)
    needs = [1 if _is_json(some[0]) else 2 for some in (head, of_cards) if some]
    if len(needs) < 2 or len(head) < needs[0] or len(of_cards) < needs[1]:
        return None
    source = _source(head, name, layout)
    fit = fit_coups(Joined(source, _source(of_cards, cards[1], None), layout.card_rows), layout)
    own = own_column(source, layout.card_rows.id).strip()
    fit = replace(fit, columns={of: column.strip() for of, column in fit.columns.items() if of not in SIDES})
    names = () if source.nested else tuple(column.strip() for column in source.names)
    return Reading(fit, "coups", names, getattr(source, "mark", ""), encoding=encoding, cards={"id": own})


def _json_reading(head: Sequence[bytes], name: str, layout: Layout | None, tableau: Tableau) -> Reading:
    if head:
        fit = fit_coups(_source(head, name, layout), layout)
    else:  # bets come first
        own = layout or own_layout()
        fit = Fit("" if layout else OWN, own, {}, {})
    fit = replace(
        fit,
        columns={**_paths(fit.layout.coups), **fit.columns},
        constants=fit.constants or _constants(fit.layout.coups),
    )
    fit = replace(fit, columns={name: path for name, path in fit.columns.items() if name not in fit.constants})
    reading = Reading(fit, "both", **_json_bets(fit))
    return _ordered(reading, head, tableau)


def _paths(columns: CoupColumns) -> dict[str, str]:
    """The paths of a coup's fields in records; what the first records lack may come later."""
    paths: dict[str, str] = {}
    for name, column in columns.model_dump(exclude_none=True).items():
        if isinstance(column, tuple):
            paths |= {f"{name}_{at}": each for at, each in enumerate(column, 1)}
        elif name in (*KEY, *HANDS, "cards", *OPTIONAL):
            paths[name] = column
    return paths


def _constants(columns: CoupColumns) -> dict[str, str]:
    return {name: path.partition(":")[2].strip() or "1" for name, path in _paths(columns).items()
            if path.partition(":")[0] == CONSTANT}  # fmt: skip


def _json_bets(fit: Fit) -> dict[str, Any]:
    columns = {name: column for name, column in fit.layout.bets.model_dump(exclude_none=True).items()
               if name not in BET_OPTIONAL}  # fmt: skip
    constants = {name: value for name, value in fit.constants.items() if name in KEY}
    bets = {name: column for name, column in columns.items() if name not in constants}
    decimal = fit.layout.decimal
    return {"bets": bets, "constants": constants, "comma": decimal == ",", "thousands": decimal is None}


def _ordered(reading: Reading, head: Sequence[bytes], tableau: Tableau) -> Reading:
    """The reading with the order of cards in one list found, and whether coups are numbered from 0."""
    fit = reading.fit
    if fit.numbering == USUAL and fit.layout.numbers.first is None and any(
        re.fullmatch(r"0+(\.0+)?", _field(reading, line, "coup")) for line in head[:2]
    ):  # fmt: skip
        reading = replace(reading, fit=replace(fit, numbering=Numbering(USUAL.order, 0)))
    if "cards" not in reading.fit.columns:
        return reading
    texts = [text for line in head if (text := _field(reading, line, "cards"))]
    codes = np.array(reading.list_codes(texts), np.int8).reshape(-1, MOST_HAND)
    return replace(reading, order=list_order(reading.fit, codes, tableau))


def _field(reading: Reading, line: bytes, name: str) -> str:
    """What stands in a field of one of the first lines."""
    column = reading.fit.columns.get(name)
    if column is None:
        return ""
    text = line.decode(errors="replace")
    if not reading.names:
        return as_text(at_path(json.loads(text), column.split(".")))
    fields = next(csv.reader([text], delimiter=reading.mark), [])
    at = reading.names.index(column)
    return "" if len(fields) != len(reading.names) or fields[at].strip() == column else fields[at].strip()


def _is_json(line: bytes) -> bool:
    return line.lstrip(b"\xef\xbb\xbf \t")[:1] in (b"{", b"[")


def _is_coup(line: bytes) -> bool:
    """Whether a line is a record that may be a coup: neither a correction nor a bet of the project's own layout."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return False
    if not isinstance(record, dict):
        return isinstance(record, list)
    return record.get(UNDO) is not True and not {"patron", "bet", "amount"} <= set(record)


def _source(head: Sequence[bytes], name: str, layout: Layout | None, bets: bool = False) -> Source:
    """The first lines as a source, which says `name` in its errors."""
    form = (layout.bets_file if bets else layout.file) if layout is not None else None
    head = [*head, b"{}"] if len(head) == 1 and _is_json(head[0]) else head  # a single record would be one value
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "lines.txt"
        path.write_bytes(b"\n".join(line.rstrip(b"\r\n") for line in head) + b"\n")
        try:
            if form is None:
                source = open_source(path, names_known())
            else:
                source = open_source(path, names_known(), None, form.separator, None, form.names)
        except InputError as error:
            raise InputError(str(error).replace(str(path), name)) from None
        source.path = Path(name)
        return source
