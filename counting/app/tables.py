"""The pages of watched tables: a form with the list of watches, and a page of alerts for each watch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Any
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from counting.app.application import Application, Form
from counting.app.asking import form_page, of_files
from counting.app.forms import asked_values, bet_titles, form_of, typed_values
from counting.app.guard import REPORTS
from counting.app.subjects import BY_ADDRESS
from counting.app.watches import TableWatch
from counting.errors import InputError
from counting.live import sentence
from counting.reports import Report, Section, render
from counting.reports.assets import asset
from counting.reports.paper import print_pdf
from counting.requests import WatchArguments

_FIRST = ("game", "coups", "system")
_MORE = ("most_bet", "bets", "layout", "decks", "also", "raised", "level", "from_end")
_CHANGED: Mapping[str, Any] = {
    "coups": {"label": "The table's file", "offers": "tables", "more": "",
              "help": "A file in that folder or among the logs: CSV, JSON lines, hex."},
    "bets": {"offers": "tables"},
}  # fmt: skip
"""For each field that differs on this page from the command's ordinary form: the words and the list that differ."""
_READY = {
    "An edge above 2%": "edge > 2%",
    "The Dragon 7's edge above 2%": "edge > 2% for dragon-7",
    "A count at its trigger": "trigger COUNT",
    "A patron raises a bet that has an edge": "raise >= 2 and edge > 0",
    "A large bet that has an edge": "stake >= 500 and edge > 0",
}
"""Rules to choose from. COUNT stands for the first count in the form."""
_HEADS = ("alert", "time", "table", "shoe", "coup", "what", "edge", "acknowledged by", "at")
_SHOWN = 500
"""The most alerts that a page shows."""


def tables(application: Application, request: Request, form: Form, mistakes: Sequence[str] = ()) -> Response:
    """The page with the form of a watch, and the list of watches. If the address has `from`, the form has the arguments
    of the watch with this name."""
    values = form or request.query_params
    if name := request.query_params.get("from"):
        arguments = application.watches[name].arguments
        values = typed_values(arguments) | {"rule": "\n".join(arguments.get("rule", ()))}
    made = [form_of(WatchArguments, names, values, mistakes) for names in (_FIRST, ["rule"], _MORE)]
    first, rule, more = ([replace(each, **_CHANGED.get(each.name, {})) for each in fields] for fields in made)
    return form_page(
        application, "tables.html", BY_ADDRESS["table"], {"first": first, "alert_when": rule, "more": more}, mistakes,
        {"tables": dict.fromkeys(application.watches.logs(), "")}, ready=_READY, watches=application.watches,
    )  # fmt: skip


def begin(application: Application, _request: Request, form: Form) -> Response:
    """Begin a watch."""
    arguments = asked_values(WatchArguments, {**form, "rule": "", "once": ""})
    if rules := [line.strip() for line in form.get("rule", "").splitlines() if line.strip()]:
        arguments["rule"] = rules
    for name in ("coups", "bets"):
        arguments |= {name: _in_a_room(application, arguments[name])} if name in arguments else {}
    of_files(application.studies, WatchArguments, arguments)
    asked = WatchArguments(**arguments)
    _ = asked.settings, asked.names  # raises if a rule or an input is invalid
    return RedirectResponse(f"/table/{quote(application.watches.begin(arguments))}", 303)


def _in_a_room(application: Application, file: str) -> str:
    """The path of a table's file. `file` may be the file's name without its folder (`live` or `logs`). Raises
    `InputError` for a name without a folder if neither folder has such a file; any other text is returned unchanged."""
    there = application.watches.logs()
    named = next((each for each in there if each in (file, f"live/{file}", f"logs/{file}")), None)
    if named is None and "/" not in file and "\\" not in file:
        known = ", ".join(there[:5]) or "no file yet"
        raise InputError(f"coups: {file!a} is not in live or logs, should be a file there: {known}")
    return named or file


def one_watch(application: Application, request: Request, _form: Form, mistakes: Sequence[str] = ()) -> Response:
    """The page of a watch: its alerts and its tables. `show` in the address chooses open, acknowledged or all
    alerts."""
    watch, asked = application.watches[request.path_params["name"]], request.query_params.get("show", "open")
    state, alerts, seen, titles = watch.state, watch.alerts, watch.acknowledged, bet_titles(watch.arguments["game"])
    listed = {"open": [n for n in alerts if n not in seen], "acknowledged": [n for n in alerts if n in seen]}
    listed["all"] = [*alerts]
    show = asked if asked in listed else "all"
    return application.show(
        "watch.html", 400 if mistakes else 200, watch=watch, state=state, mistakes=mistakes, show=show, seen=seen,
        by=request.query_params.get("name", ""), numbers={kind: len(of) for kind, of in listed.items()},
        most=_SHOWN, rows={number: _cells(alerts[number], titles) for number in reversed(listed[show][-_SHOWN:])},
    )  # fmt: skip


def _cells(alert: dict[str, Any], titles: Mapping[str, str]) -> dict[str, str]:
    """The cells of an alert in a table."""
    cells = {name: str(alert.get(name, "")) for name in ("time", "table", "shoe")}
    cells |= {"coup": str(alert.get("after", alert.get("coup", ""))), "what": "damaged", "edge": ""}
    with suppress(KeyError, TypeError, ValueError):  # the line may have been changed by hand
        cells["edge"] = f"{100 * alert['edge']:+.2f}%" if "edge" in alert else ""
        kind = "withdrawn: " if "withdrawn" in alert else "late, after a correction: " if "corrected" in alert else ""
        words = sentence(alert, titles).partition(f"coup {cells['coup']}: ")[2]
        cells["what"] = kind + words.replace(f"edge {cells['edge']}, ", "")
    return cells


def tables_now(application: Application, request: Request, _form: Form) -> Response:
    """The present page of the tables. The watch's page shows it in a frame, and reloads it. The page in the frame
    cannot reload itself, as it runs without the application's cookie."""
    text = application.watches[request.path_params["name"]].page()
    return HTMLResponse(text.replace(asset("refresh.js"), ""), headers={"Content-Security-Policy": REPORTS})


def _on_paper(watch: TableWatch) -> Report:
    """A report with all alerts of a watch, each with the person who acknowledged it and the time."""
    alerts, seen, titles, rows = watch.alerts, watch.acknowledged, bet_titles(watch.arguments["game"]), []
    for number, alert in alerts.items():
        by = (str(seen.get(number, {}).get(key, "")) for key in ("name", "time"))
        rows.append((str(number), *_cells(alert, titles).values(), *by))
    is_open = len(alerts.keys() - seen.keys())
    return Report(
        title=f"Alerts: {watch.arguments['coups']}",
        procedure=f"As of {datetime.now().astimezone().isoformat(' ', 'seconds')}.",
        sentences=[f"Alerts: {len(rows):,}. Acknowledged: {len(rows) - is_open:,}. Open: {is_open:,}."],
        note="The table names the first person who acknowledged each alert, with the time by this machine's clock.",
        sections=[
            Section("Alerts", columns=_HEADS, rows=rows, words=True),
            Section("Provenance", columns=("", ""), rows=[("to watch again", watch.command)], words=True),
        ],
        data={},
        sheets=1,
    )


def order(application: Application, request: Request, form: Form) -> Response:
    """Start or stop a watch, acknowledge an alert, or print the tables or the alerts to PDF."""
    watch, what = application.watches[request.path_params["name"]], request.path_params["what"]
    place = f"/table/{quote(watch.name)}"
    if what == "start":
        application.watches.start(watch)
    elif what == "stop":
        watch.stop()
    elif what == "acknowledge":
        number, by = form.get("alert", ""), form.get("name", "")
        watch.acknowledge(int(number) if number.isdecimal() else 0, by)
        place += f"?{urlencode({'show': form.get('show', 'open'), 'name': by})}#alerts"
    elif what in ("pdf", "alerts.pdf"):
        print_pdf(watch.page() if what == "pdf" else render(_on_paper(watch)), watch.file(what))
        place = f"/files/live/{quote(watch.name)}.{what}"
    else:
        raise InputError(f"{what!a}: should be one of start, stop, acknowledge, pdf, alerts.pdf")
    return RedirectResponse(place, 303)
