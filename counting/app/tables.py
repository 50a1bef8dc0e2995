"""The pages of tables under watch: a form, the watches, and the alerts of each."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from counting.app.forms import asked_values, form_of, typed_values, unplaced
from counting.app.guard import REPORTS
from counting.app.subjects import BY_ADDRESS
from counting.app.views import Answering, Application, Form, of_files, offers
from counting.app.watches import ROOMS, TableWatch
from counting.errors import InputError
from counting.live import sentence
from counting.reports.assets import asset
from counting.reports.paper import print_pdf
from counting.requests import WatchArguments

_FIRST = ("game", "coups", "system")
_MORE = ("most_bet", "bets", "layout", "decks", "also", "raised", "level", "from_end")
_READY = {
    "An edge above 2%": "edge > 2%",
    "A count at its trigger": "trigger COUNT",
    "A patron raises a bet that has an edge": "raise >= 2 and edge > 0",
    "A large bet that has an edge": "stake >= 500 and edge > 0",
}
"""Rules to choose from; COUNT is the first of the form's counts."""
_LOG = {
    "offers": "tables",
    "help": "A file in that folder or among the logs: CSV, JSON lines or frames in hex.",
    "more": "",
}
_CHANGED: Mapping[str, Any] = {"coups": _LOG, "bets": {"offers": "tables"}, "layout": {"offers": "layouts"}}
_SHOWN = 500
"""Alerts that a page shows."""


def tables(application: Application, request: Request, _form: Form) -> Response:
    """The form of a watch, and all watches. With `from` the form has the arguments of that watch."""
    name = request.query_params.get("from", "")
    return _page(application, _typed(application.watches[name].arguments) if name else dict(request.query_params))


def _page(application: Application, values: Form, mistakes: Sequence[str] = ()) -> Response:
    first, rule, more = (form_of(WatchArguments, names, values, mistakes) for names in (_FIRST, ["rule"], _MORE))
    first, more = ([replace(each, **_CHANGED.get(each.name, {})) for each in fields] for fields in (first, more))
    listed = offers(application.studies, [each for each in [*first, *more] if each.offers != "tables"])
    return application.show(
        "tables.html", 400 if mistakes else 200, subject=BY_ADDRESS["table"], first=first, rule=rule[0], more=more,
        ready=_READY, offers=listed | {"tables": dict.fromkeys(application.watches.logs(), "")},
        watches=application.watches, mistakes=unplaced(mistakes, [*first, *rule, *more]),
    )  # fmt: skip


def _typed(arguments: Mapping[str, Any]) -> dict[str, str]:
    return typed_values(arguments) | {"rule": "\n".join(arguments.get("rule", ()))}


def begin(application: Application, _request: Request, form: Form) -> Response:
    """Begin a watch, or show the form again with what is wrong."""
    try:
        arguments = asked_values(WatchArguments, {**form, "rule": "", "once": ""})
        if rules := [line.strip() for line in form.get("rule", "").splitlines() if line.strip()]:
            arguments["rule"] = rules
        _in_reach(application, arguments["coups"])
        of_files(application.studies, WatchArguments, arguments)
        asked = WatchArguments(**arguments)
        _ = asked.settings, asked.names  # raise for what cannot be watched for, or read
        name = application.watches.begin(arguments)
    except InputError as error:
        return _page(application, form, _for_the_form(error))
    return RedirectResponse(f"/table/{quote(name)}", 303)


def _in_reach(application: Application, coups: str) -> None:
    try:
        application.studies.file(coups, *ROOMS)
    except InputError as error:
        raise InputError(f"coups: {error}") from None


def _for_the_form(error: InputError) -> list[str]:
    """The lines of an error, with options as the form's arguments."""
    options = "|".join(name.replace("_", "-") for name in WatchArguments.arguments())
    return re.sub(rf"--({options})\b", lambda option: option[1].replace("-", "_"), str(error)).split("\n")


def one_watch(
    application: Application, request: Request, _form: Form, mistakes: Sequence[str] = (), part: str = "watch.html"
) -> Response:
    """A watch: its alerts, those of `show` (open, acknowledged or all), and the tables now."""
    watch, show = application.watches[request.path_params["name"]], request.query_params.get("show", "open")
    state, alerts = watch.state, watch.alerts()
    kinds = {"open": (False,), "acknowledged": (True,), "all": (False, True)}
    listed = {kind: [row for row in alerts.items() if bool(row[1]["seen"]) in seen] for kind, seen in kinds.items()}
    chosen = listed.get(show, listed["all"])
    return application.show(
        part, 400 if mistakes else 200, subject=BY_ADDRESS["table"], watch=watch, state=state, mistakes=mistakes,
        show=show, by=request.query_params.get("name", ""), numbers={kind: len(rows) for kind, rows in listed.items()},
        rows=[_cells(number, alert) for number, alert in reversed(chosen[-_SHOWN:])], most=_SHOWN,
    )  # fmt: skip


def alerts_part(application: Application, request: Request, form: Form) -> Response:
    """The part of a watch's page that changes."""
    return one_watch(application, request, form, part="alerts.html")


def list_part(application: Application, _request: Request, _form: Form) -> Response:
    """The list of the watches, for a page that shows it already."""
    return application.show("watches.html", watches=application.watches)


def _cells(number: int, alert: dict[str, Any]) -> dict[str, Any]:
    """An alert as cells of a table."""
    coup = alert.get("after", alert.get("coup", ""))
    edge = f"{100 * alert['edge']:+.2f}%" if isinstance(alert.get("edge"), float) else ""
    try:
        words = sentence(alert).partition(f"coup {coup}: ")[2].replace(f"edge {edge}, ", "")
    except (KeyError, TypeError, ValueError):
        words = "damaged: see the file of alerts"
    kind = "withdrawn: " if "withdrawn" in alert else "late, after a correction: " if "corrected" in alert else ""
    return {
        "number": number, "time": str(alert.get("time", ""))[:19], "table": alert.get("table", ""),
        "shoe": alert.get("shoe", ""), "coup": coup, "edge": edge, "words": kind + words, "seen": alert["seen"],
    }  # fmt: skip


def order(application: Application, request: Request, form: Form) -> Response:
    """Start or stop a watch, acknowledge an alert, or print the tables to PDF."""
    watch, what = application.watches[request.path_params["name"]], request.path_params["what"]
    if what not in _ORDERS:
        raise InputError(f"{what!a}: should be one of {', '.join(_ORDERS)}")
    try:
        return _ORDERS[what](application, watch, form)
    except InputError as error:
        return one_watch(application, request, form, _for_the_form(error))


def _start(application: Application, watch: TableWatch, _form: Form) -> Response:
    application.watches.start(watch)
    return RedirectResponse(f"/table/{quote(watch.name)}", 303)


def _stop(_application: Application, watch: TableWatch, _form: Form) -> Response:
    watch.stop()
    return RedirectResponse(f"/table/{quote(watch.name)}", 303)


def _acknowledge(_application: Application, watch: TableWatch, form: Form) -> Response:
    number, by = form.get("alert", ""), form.get("name", "")
    watch.acknowledge(int(number) if number.isdecimal() else 0, by)
    rest = urlencode({"show": form.get("show", "open"), "name": by})
    return RedirectResponse(f"/table/{quote(watch.name)}?{rest}#alerts", 303)


def _print(application: Application, watch: TableWatch, _form: Form) -> Response:
    page = application.studies.folder / application.studies.file(watch.page)
    print_pdf(page.read_text(encoding="utf-8"), application.studies.folder / watch.printed)
    return RedirectResponse(f"/files/{quote(watch.printed)}", 303)


_ORDERS = {"start": _start, "stop": _stop, "acknowledge": _acknowledge, "pdf": _print}


def tables_now(application: Application, request: Request, _form: Form) -> Response:
    """The page of the tables as it is now. It is shown within another, which loads it anew: by itself it would come
    back without the cookie, as it runs as nobody."""
    page = application.studies.folder / application.studies.file(application.watches[request.path_params["name"]].page)
    text = page.read_text(encoding="utf-8").replace(asset("refresh.js"), "")
    return HTMLResponse(text, headers={"Content-Security-Policy": REPORTS})


def sorter(_application: Application, _request: Request, _form: Form) -> Response:
    """The script that sorts the reports' tables."""
    return Response(asset("tables.js"), media_type="text/javascript")


GET: Mapping[str, Answering] = {
    "/table": tables,
    "/table/{name}": one_watch,
    "/table/{name}/alerts": alerts_part,
    "/table/{name}/now": tables_now,
    "/watches": list_part,
    "/tables.js": sorter,
}
POST: Mapping[str, Answering] = {"/table": begin, "/table/{name}/{what}": order}
