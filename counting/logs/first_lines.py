"""Find from the first lines how to read an input that comes line by line.

The input is read as `read_log` reads a file, as far as the first lines show the form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from counting.errors import InputError
from counting.games import Tableau
from counting.logs.coups import ordered
from counting.logs.fitting import USUAL, Fit, LackingError, Numbering, constants_in, fit_bets, fit_coups
from counting.logs.frames import NAMES
from counting.logs.guessing import grouped
from counting.logs.joined import SIDES, Joined, card_row_columns, own_column
from counting.logs.layouts import OWN, CoupColumns, FileForm, Layout, names_known, own_layout
from counting.logs.reading import UNDO, Reading, stream_bets
from counting.logs.records import LONGEST, record_of, text_of
from counting.logs.sources import SAMPLE, Source, is_json
from counting.logs.texts import encoding_of, with_byte_order
from counting.logs.views import LayoutView, view_of

Lines = Sequence[bytes]
_ENOUGH = 10  # the input is refused if this number of records fit no layout


def coup_reading(
    lines: Lines, name: str, layout: Layout | None, tableau: Tableau, cards: tuple[Lines, str] = ((), "cards"),
    is_over: bool = False,
) -> Reading | None:  # fmt: skip
    """How to read an input with these first lines. None if more lines are needed, which happens in these cases:

    - there is no line of data yet, in this input or in the file of cards
    - no layout fits the first few records yet
    - the layout's pattern fits no line yet, or its `only` leaves out all records so far

    `cards`: the first lines and the name of the file with a row for each card, if the layout has this file. `is_over`:
    the input has ended. Raises `InputError` if no layout fits.
    """
    stated = layout or Layout()
    encoding, head = _head(lines, stated.file)
    if not _is_enough(head, stated.file):
        return None
    if stated.frames is not None:
        return _of_frames(stated, name, encoding)
    apart = stated.card_rows is not None and stated.card_rows.is_apart
    if not apart and _is_records(head, stated.file):
        try:
            return _of_records(head, name, layout, tableau, encoding)
        except LackingError:
            if is_over or len(head) >= _ENOUGH:
                raise
            return None
    view = _source(name, head, stated.file, layout)
    if stated.file.line is not None and len(head) < SAMPLE and not view.sample({}).height:
        return None
    source: Source = view
    card_fields: dict[str, str] = {}
    if stated.card_rows is None or not apart:
        source, by, looks = grouped(source, layout)
        card_fields = _own_cards(by, source)
        fit = fit_coups(source, by)
        fit = replace(fit, looks=(*looks, *fit.looks))
    else:
        _, of_cards = _head(cards[0], FileForm())
        if not _is_enough(of_cards, FileForm()):
            return None
        card_fields = {"id": own_column(source, stated.card_rows.id or "").strip()}
        fit = fit_coups(Joined(source, _source(cards[1], of_cards, FileForm()), stated.card_rows), layout)
    fit = ordered(_from_zero(fit, source), source, tableau)
    columns = {field: column.strip() for field, column in fit.columns.items() if not (card_fields and field in SIDES)}
    return Reading(replace(fit, columns=columns), "coups", *_form(view), encoding, cards=card_fields or None)


def _own_cards(layout: Layout | None, source: Source) -> dict[str, str]:
    """The columns of cards in the file of coups, if each row of this file is a card."""
    if layout is None or layout.card_rows is None:
        return {}
    return {field: own_column(source, column).strip() for field, column in card_row_columns(layout.card_rows).items()}


def bet_reading(lines: Lines, name: str, coups: Reading) -> Reading | None:
    """How to read a file of bets on these coups; None if more lines are needed."""
    form = coups.fit.layout.bets_file
    encoding, head = _head(lines, form)
    if not _is_enough(head, form):
        return None
    if _is_records(head, form):
        return Reading(coups.fit, "bets", encoding=encoding, bets=stream_bets(coups.fit))
    source = _source(name, head, form, coups.fit.layout, bets=True)
    bets = fit_bets(source, coups.fit)._replace(first=coups.fit.numbering.first)
    columns = {field: column.strip() for field, column in bets.columns.items()}
    return Reading(coups.fit, "bets", *_form(source), encoding, bets._replace(columns=columns))


def card_reading(lines: Lines, name: str, coups: Reading) -> Reading | None:
    """How to read a file with a row for each card of these coups. None if the file has no line yet, or if the layout
    has no rows of cards."""
    rows = coups.fit.layout.card_rows
    encoding, head = _head(lines, FileForm())
    if rows is None or not head:
        return None
    source = _source(name, head, FileForm())
    columns = {field: own_column(source, column).strip() for field, column in card_row_columns(rows).items()}
    return Reading(coups.fit, "cards", *_form(source), encoding, cards=columns)


def _head(lines: Lines, form: FileForm) -> tuple[str | None, list[bytes]]:
    """The encoding of an input, and its first lines in UTF-8. The encoding is None if the input is in UTF-8 and the
    layout states no encoding. Blank lines and lines that are too long are left out."""
    start = b"".join(lines[:2])
    lines = [line for line in lines if len(line) <= LONGEST]
    encoding = form.encoding or encoding_of(start)
    if encoding is None:
        return None, [line for line in lines if line.strip()][:SAMPLE]
    encoding = with_byte_order(encoding, start)
    head = [line.decode(encoding, errors="replace").lstrip("\ufeff").encode(errors="replace") for line in lines]
    return encoding, [line for line in head if line.strip()][:SAMPLE]


def _is_enough(head: Lines, form: FileForm) -> bool:
    """Whether there is a line of data. The first line is data if it is JSON, or if the layout has names, a pattern or
    `rows`. Otherwise data begin with the second line."""
    names = form.names or form.line is not None
    return bool(head) and (is_json(head[0]) or len(head) + bool(names) > 1 or form.rows is not None)


def _is_records(head: Lines, form: FileForm) -> bool:
    """Whether the input has JSON lines. If the layout has a pattern for lines, they are not JSON, even if they look
    like it."""
    return form.line is None and is_json(head[0])


def _source(
    name: str, head: Lines, form: FileForm, stated: Layout | None = None, bets: bool = False
) -> LayoutView:  # fmt: skip
    return view_of(name, head, form, names_known(bets, stated))


def _form(source: Source) -> tuple[tuple[str, ...], str]:
    """The names of the columns of a CSV or a pattern, and the CSV's mark between fields; both empty for JSON."""
    return ((), "") if source.nested else (tuple(map(str.strip, source.names)), getattr(source, "mark", ","))


def _of_frames(layout: Layout, name: str, encoding: str | None) -> Reading:
    """How to read the frames of an electronic shoe. Their coups have fixed columns."""
    constants = {"table": "1", **constants_in(_paths(layout.coups))}
    wanted = _paths(layout.coups)
    columns = {field: wanted[field] for field in NAMES if field not in constants}
    wrong = [column for field, column in columns.items() if column != field]
    if wrong or "shoe" not in constants:
        missing = ", ".join(wrong or [wanted["shoe"]])
        raise InputError(f"{name}: column {missing} missing; frames have {', '.join(NAMES)}, and a constant shoe")
    return Reading(Fit("", layout, columns, constants), "frames", encoding=encoding)


def _of_records(
    head: Lines, name: str, layout: Layout | None, tableau: Tableau, encoding: str | None
) -> Reading | None:
    """How to read JSON lines. Later records may have fields that the first records lack, and bets may come before the
    first coup. None if the layout leaves out all records so far. Raises `InputError` if it leaves out all of the first
    `SAMPLE` records."""
    coups = [line for line in head if _is_coup(line)]
    within: tuple[tuple[str, ...], ...] = ((),)
    cards: dict[str, str] = {}
    if coups:
        view = _source(name, coups, layout.file if layout is not None else FileForm(), layout)
        if not view.sample({}).height:
            if len(head) >= SAMPLE:
                view.refuse_none()
            return None
        source, layout, looks = grouped(view, layout)
        cards = _own_cards(layout, source)
        fit = ordered(_from_zero(fit_coups(source, layout), source), source, tableau)
        fit = replace(fit, looks=(*looks, *fit.looks))
        within = tuple(map(tuple, view.within))
    else:
        fit = Fit("" if layout else OWN, layout or own_layout(), {}, {})
    constants = fit.constants or constants_in(_paths(fit.layout.coups))
    columns = {**_paths(fit.layout.coups), **fit.columns}
    left_out = {*constants, *(SIDES if cards else ())}
    fit = replace(
        fit, columns={field: path for field, path in columns.items() if field not in left_out}, constants=constants
    )
    return Reading(fit, "both", encoding=encoding, bets=stream_bets(fit), cards=cards or None, within=within)


def _from_zero(fit: Fit, source: Source) -> Fit:
    """The fit, with coups numbered from 0 if one of the first two coups has the number 0. At the beginning of an input,
    there are no further shoes to judge by."""
    if fit.numbering != USUAL or fit.layout.numbers.first is not None or "coup" not in fit.columns:
        return fit
    first = source.sample({"coup": fit.columns["coup"]})["coup"].head(2)
    return replace(fit, numbering=Numbering(USUAL.order, 0)) if first.str.contains(r"^0+(\.0+)?$").any() else fit


def _paths(columns: CoupColumns) -> dict[str, str]:
    """The path of each field of a coup in records. A list of columns gives several fields, such as `player_1`."""
    paths: dict[str, str] = {}
    for name, column in columns.model_dump(exclude_none=True).items():
        if isinstance(column, tuple):
            paths |= {f"{name}_{number}": each for number, each in enumerate(column, 1)}
        else:
            paths[name] = column
    return paths


def _is_coup(line: bytes) -> bool:
    """Whether a line may be a record of a coup. Corrections, and records with the fields `patron`, `bet` and `amount`,
    are no coups."""
    record = record_of(text_of(line)[0].strip("\ufeff \t\r\n"))
    if not isinstance(record, dict):
        return isinstance(record, list)
    return record.get(UNDO) is not True and not {"patron", "bet", "amount"} <= set(record)
