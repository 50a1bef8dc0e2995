"""The page of a log: which file has the coups and which has the bets, the layout, how the log is read, and two
questions about it."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

import polars as pl
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from counting.app.answers import panel_values
from counting.app.application import Application, Form
from counting.app.asking import add_job, checked_values, form_page, of_files
from counting.app.forms import form_of, typed_values
from counting.app.jobs import Job, request_class
from counting.app.studies import slug
from counting.app.subjects import BY_ADDRESS, HIDDEN
from counting.app.uploads import MOST_BYTES
from counting.errors import InputError, Mistakes
from counting.games import as_game
from counting.io.outputs import write_text
from counting.io.toml import find, toml_data
from counting.logs import CONSTANT, LAYOUTS, OWN, Layout, Log, load_layout, read_log, shipped_layouts
from counting.logs.drafting import Draft, doubts, drafted_layout
from counting.logs.fitting import Fit, fit_bets, fit_coups
from counting.logs.guessing import grouped
from counting.logs.headings import columns_of
from counting.logs.layouts import BET_KEY, HANDS, KEY, BetColumns, CoupColumns, FileForm, layout_of, names_known
from counting.logs.rows import hand_text
from counting.logs.sources import Source
from counting.logs.views import open_log
from counting.numbers import many
from counting.requests.audits import fitting_game

FILES = ("coups", "bets", "layout")
_FIRST, _MOST_COLUMNS = 5, 300  # the most rows that are shown, and the most columns to choose from
_LEVEL = (
    "If nothing is wrong, the chance that the review flags any patron is at most this number. The same holds for the "
    "chance that the check of the shuffle flags anything."
)
Choice = tuple[Mapping[str, str], Sequence[str]]  # the column chosen for each field, and all columns of the file


class Reading(NamedTuple):
    """How a log is read.

    `said`: sentences on the log. `to_complete`: whether a draft must be wrong or has keys to complete. `first`: the
    first coups and bets. `text`: the layout as TOML. `choices`: for coups and for bets, the column of each field, and
    all columns. `mistakes`: error lines. `is_settled`: the layout is a saved file or a shipped one, not a draft.
    `game`: the game that fits best. `fit`: a sentence on how well the game fits."""

    said: Sequence[str]
    to_complete: bool
    first: Mapping[str, Sequence[Mapping[str, str]]]
    text: str
    choices: Mapping[str, Choice]
    mistakes: Sequence[str]
    is_settled: bool
    game: str = ""
    fit: str = ""


def _to_log(values: Form, jobs: Sequence[Job] = ()) -> Response:
    files = [(name, values[name]) for name in FILES if values.get(name)]
    return RedirectResponse(f"/log?{urlencode([*files, *(('job', job.number) for job in jobs)])}", 303)


def placed(files: Sequence[str]) -> dict[str, str]:
    """Which of these files has the coups, and which has the bets, as the reader recognises them. The first file of each
    kind is taken."""
    kinds = {name: _kind(Path(name)) for name in files}
    coups = next((name for kind in ("coups", "") for name in files if kinds[name] == kind), "")
    bets = next((name for kind in ("bets", "") for name in files if kinds[name] == kind and name != coups), "")
    return {"coups": coups, "bets": bets or (coups if coups and _has_bets(Path(coups), apart=True) else "")}


def _kind(file: Path) -> str:
    """What a file has: "coups", "bets", or "" if the reader recognises neither."""
    fit = None
    with suppress(InputError):
        source, layout, _ = grouped(open_log(file, FileForm(), names_known()), None)
        fit = fit_coups(source, layout)
        if fit.cards:
            return "coups"
    return "bets" if _has_bets(file) else "coups" if fit else ""


def _has_bets(file: Path, apart: bool = False) -> bool:
    """Whether a file has bets. `apart`: do not count bets that are in the same sheet or table as the coups."""
    with suppress(InputError):
        source = open_log(file, FileForm(), names_known(bets=True))
        if not apart or source.names != open_log(file, FileForm(), names_known()).names:
            return any(_bet_columns(source, layout) for layout in (Layout(), *shipped_layouts().values()))
    return False


def _bet_columns(source: Source, layout: Layout) -> Mapping[str, str]:
    """The column of each field of a bet, if bets are read by `layout`; empty if a column is missing."""
    with suppress(InputError):
        return fit_bets(source, Fit("", layout, {}, {})).columns
    return {}


@lru_cache(maxsize=16)
def reading(coups: str, bets: str, layout: str, text: str | None, _stamps: object = None) -> Reading:
    """Read the log in these files. `text`: the text of a layout that is tried. Without it, the layout named `layout` is
    used; without a name, the layout that the reader recognises, or else a draft."""
    log, found, mistakes, choices = None, Mistakes(), Mistakes(), dict[str, Choice]()
    is_tried = text is not None
    drafted = Draft(text or "")
    if not is_tried:
        with found.gathered():
            log = read_log(coups, bets or None, load_layout(layout) if layout else None)
        with suppress(InputError):
            drafted = _layout_or_draft(Path(coups), layout)
    with mistakes.gathered():
        if not (is_tried or drafted.text):
            found.report()
        by_text = _layout_of(drafted.text)
        with suppress(InputError):
            choices = dict(_choices(by_text, coups, bets))
        log = log or read_log(coups, bets or None, by_text)
    is_settled = not (is_tried or found)
    game, fit = fitting_game(log) if log is not None and is_settled else ("", "")
    said = ["No shipped layout reads this file. A layout was drafted from the file: save it to go on."]
    if drafted.by_contents:
        said.append("Its headings are not known. Columns were found by what they hold and by the rules: check them.")
    wrong = doubts(log) if log is not None and not is_settled else []
    said = [*(said if found and log else []), *wrong, *([] if log is None else _sentences(log))]
    return Reading(
        said=said, to_complete=bool(wrong), first={} if log is None else _first(log),
        text=drafted.text, choices=choices, mistakes=[*map(_plain, mistakes)], is_settled=is_settled,
        game=game, fit=fit,
    )  # fmt: skip


def _plain(line: str) -> str:
    """An error line without its advice to use a command; the page has other advice."""
    return line.partition("; for a layout that ")[0]


def _sentences(log: Log) -> list[str]:
    """Sentences on how much was read, on the form of the log, and on what was not read. Each reason has one line, which
    names the first place where it occurs."""
    files = {"coups": log.coups.height, "bets": log.bets.height}
    lines = [f"{many(number, name[:-1])} {'is' if number == 1 else 'are'} read, "
             f"{many(log.skipped[name], 'line')} skipped."
             for name, number in files.items() if number or log.skipped[name]]  # fmt: skip
    if log.skipped["bets"] and not log.bets.height:
        lines.append("No bet is on a coup that was read: choose the columns for table, shoe and coup in both files.")
    if log.is_mixed:
        lines.append("Most of the skipped lines have no cards. The layout below reads only lines of coups: save it.")
    alike = pl.col("reason").str.replace("byte .* is .*; ", "")  # the same reason for every line of another encoding
    once = log.remarks.unique(["file", "column", alike], keep="first", maintain_order=True).head(_FIRST)
    remarks = [f"{file}, line {line}: {', '.join(filter(None, (column, value)))}: {reason}"
               for file, line, column, value, reason in once.rows()]  # fmt: skip
    return [*lines, *map(_plain, log.looks), *log.lacks, *remarks]


def _first(log: Log) -> dict[str, list[dict[str, str]]]:
    """The first coups and bets, with all values as texts."""
    coups, bets = (rows.head(_FIRST).to_dicts() for rows in (log.coups, log.bets))
    for row in coups:
        row |= {hand: hand_text(row, hand) for hand in HANDS}
    for row in bets:
        row |= {name: None if row[name] is None else f"{row[name] / 100:,.2f}" for name in ("amount", "won")}
    shown = ("coups", coups, (*KEY, *HANDS, "winner")), ("bets", bets, (*BET_KEY, "won"))
    return {name: [{field: str(row[field] or "") for field in fields} for row in rows] for name, rows, fields in shown}


def _layout_or_draft(path: Path, layout: str) -> Draft:
    """The layout that reads a file, or a draft."""
    if not layout:
        with suppress(InputError):
            layout = fit_coups(open_log(path, FileForm(), names_known()), None).name.removeprefix(OWN)
    return Draft(find(layout, LAYOUTS).read_text("utf-8-sig", "replace")) if layout else drafted_layout(path)


def _layout_of(text: str) -> Layout:
    return layout_of(toml_data(text.encode(), "layout"), "layout")


def _choices(layout: Layout, coups: str, bets: str) -> Iterator[tuple[str, Choice]]:
    """The choices of columns for coups and for bets. Coups have no choices if they are frames, lines of text or rows of
    cards."""
    if layout.frames is None and layout.file.line is None and layout.card_rows is None:
        source = open_log(Path(coups), layout.file, names_known(stated=layout))
        yield "coups", _choice(source, layout.coups, {})
    if bets:
        source = open_log(Path(bets), layout.bets_file, names_known(bets=True, stated=layout))
        alike = {name: columns_of(name, source.names, bets=True)[:1] for name in BetColumns.model_fields}
        by_heading = {name: columns[0] for name, columns in alike.items() if columns}
        yield "bets", _choice(source, layout.bets, _bet_columns(source, layout) or by_heading)


def _choice(source: Source, stated: CoupColumns | BetColumns, found: Mapping[str, str]) -> Choice:
    """The column of each field, "" for a field without a column, and all columns of the file."""
    chosen: dict[str, str] = {}
    for name in type(stated).model_fields:
        written = found.get(name) or getattr(stated, name) or ""
        columns = [source.column(each) or (each if name in stated.model_fields_set else "")
                   for each in ([written] if isinstance(written, str) else written)]  # fmt: skip
        places = [f"{name}.{number}" for number in (1, 2, 3)] if name in HANDS else [name]
        chosen |= dict(zip(places, [*columns, "", ""], strict=False))
    return chosen, source.names[:_MOST_COLUMNS]


def corrected(form: Form) -> str:
    """The text of the layout in a form, changed to the columns that the user chose. In the form, values whose names
    begin with `was.` are the columns that it showed before the user chose."""
    text = form.get("text", "").replace("\r\n", "\n")
    shown = {name.removeprefix("was."): column for name, column in form.items() if name.startswith("was.")}
    for key in dict.fromkeys(re.sub("[.][123]$", "", name) for name in shown):
        names = [name for name in shown if re.sub("[.][123]$", "", name) == key]
        if any(form.get(name, shown[name]) != shown[name] for name in names):
            text = _with_columns(text, *key.partition(".")[::2], [form[name] for name in names if form.get(name)])
    return text


def _with_columns(text: str, table: str, name: str, columns: Sequence[str]) -> str:
    """The text of a layout with a new line for a field. Without columns, the field's line is removed."""
    value = json.dumps(columns if len(columns) > 1 else columns[0], ensure_ascii=False) if columns else ""
    line = f"{name} = {value}\n" if columns else ""
    part = re.search(rf"(?ms)^\[{re.escape(table)}\][^\n]*\n(.*?)(?=^\[|\Z)", text)
    if part is None:
        return f"{text.rstrip()}\n\n[{table}]\n{line}"
    lines, is_there = re.subn(rf"(?m)^(# *)?{re.escape(name)} *=.*\n?", lambda _: line, part[1], count=1)
    return text[: part.start(1)] + (lines if is_there else line + part[1]) + text[part.end(1) :]


def log_page(application: Application, request: Request, form: Form, mistakes: Sequence[str] = ()) -> Response:
    """The page of a log. If the address has `file`, find out what each file has, and redirect. If the form has the text
    of a layout, read the log by it."""
    query = request.query_params
    if names := query.getlist("file")[:4]:
        return _to_log(placed([str(application.studies.file(name, "logs")) for name in names]))
    jobs = [application.jobs[int(number)] for number in query.getlist("job")[:2] if number.isdecimal()]
    typed = [typed_values(job.arguments) for job in jobs if job.verb == "audit"]
    values = form or dict(query) | dict(*typed[:1])
    text = corrected(form) if "text" in form else None
    kind, first, wrong, read = request_class("audit"), BY_ADDRESS["log"].first, Mistakes(mistakes), None
    coups, bets, layout = (values.get(name, "") for name in FILES)
    with wrong.gathered():
        of_files(application.studies, kind, {name: values[name] for name in FILES if values.get(name)})
        if coups:
            stats = [os.stat(name) for name in (coups, bets, layout) if os.path.isfile(name)]
            read = reading(coups, bets, layout, text, tuple((stat.st_mtime_ns, stat.st_size) for stat in stats))
            wrong += read.mistakes
        elif bets:
            raise InputError("coups: missing: this file has bets only, should come with the file of the coups")
    rest = [name for name in kind.arguments() if name not in (*FILES, *first, *HIDDEN)]
    files, asked, more = (form_of(kind, names, values, wrong) for names in (FILES, first, rest))
    said: dict[str, dict[str, Any]] = {"level": {"help": _LEVEL}}
    if read is not None and read.game and not values.get("game"):
        said["game"] = {"value": read.game, "help": read.fit}
    asked = [replace(each, **said.get(each.name, {})) for each in asked]
    return form_page(
        application, "log.html", BY_ADDRESS["log"], {"files": files, "asked": asked, "more": more}, wrong,
        values=values, reading=read, most=MOST_BYTES, constant=CONSTANT,
        layout_name=values.get("name") or slug(Path(coups).stem),
        panels=[panel_values(application, job) for job in jobs],
    )  # fmt: skip


def layout_order(application: Application, request: Request, form: Form) -> Response:
    """Read a log by a corrected layout, and save the layout if the form asks for it."""
    if form.get("do") != "save":
        return log_page(application, request, form)
    text, path = corrected(form), Path(f"layouts/{slug(form.get('name', ''))}.toml")
    _layout_of(text)
    if path.exists() and path.read_text("utf-8", "replace") != text:
        raise InputError(f"name: {path} exists with other contents, should be another name")
    write_text(path, text)
    return _to_log({**form, "layout": path.as_posix()})


def ask(application: Application, _request: Request, form: Form) -> Response:
    """Make two jobs, one for each question about a log."""
    if not form.get("game", "").strip():
        raise InputError("game: missing, should be the game that was dealt")
    arguments = checked_values(application.studies, "audit", form)
    usual = {"decks": as_game(arguments["game"]).decks, "level": request_class("audit").level}
    shared = checked_values(application.studies, "shuffle", typed_values(usual | arguments))
    return _to_log(form, [add_job(application, "audit", arguments), add_job(application, "shuffle", shared)])
