"""The address of each page, and the function that answers it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from counting.app import answers, asking, logs, rules, shoe, side_bets, tables
from counting.app.application import Answering, Application, answering
from counting.app.subjects import BY_ADDRESS
from counting.app.uploads import upload

_GET: Mapping[str, Answering] = {
    **{f"/{each.address}": asking.question for each in BY_ADDRESS.values() if each.verb},
    "/": answers.home,
    "/archive": answers.archive,
    "/answers/{room}/{name}": answers.one_answer,
    "/files/{path:path}": answers.file,
    "/jobs/{number:int}": answers.job_page,
    "/events": answers.events,
    "/log": logs.log_page,
    "/rules": rules.rules_page,
    "/shoe": shoe.shoe,
    "/shoe/page": shoe.calculator,
    "/side-bet": side_bets.catalog,
    "/side-bet/own": side_bets.editor,
    "/table": tables.tables,
    "/table/{name}": tables.one_watch,
    "/table/{name}/now": tables.tables_now,
    "/{name}": answers.style_or_script,
}
_POST: Mapping[str, tuple[Answering, Answering | None]] = {
    "/answers/{room}/{name}/{what}": (answers.answer_order, None),
    "/ask/log": (logs.ask, logs.log_page),
    "/ask/{address}": (asking.ask, asking.question),
    "/jobs/{number:int}/{what}": (answers.job_order, None),
    "/log/layout": (logs.layout_order, logs.log_page),
    "/rules": (rules.save, rules.rules_page),
    "/shoe": (shoe.shoe, None),
    "/side-bet/own": (side_bets.editor, None),
    "/table": (tables.begin, tables.tables),
    "/table/{name}/{what}": (tables.order, tables.one_watch),
}
"""For each address to which forms are sent: the function that answers, and the function that shows the form again after
a mistake. If several addresses fit, the first one is used."""


def served(application: Application) -> Starlette:
    """The application, as a program for the server."""
    put = Route("/upload/{name:path}", partial(upload, application.studies), methods=["PUT"])
    get = [Route(path, answering(application, page, None)) for path, page in _GET.items()]
    post = [Route(path, answering(application, *pages), methods=["POST"]) for path, pages in _POST.items()]

    def other(request: Request, error: Exception) -> Response:
        if not isinstance(error, HTTPException):
            return application.show("mistake.html", 500, mistakes=[f"{request.url.path}: {error!r}"])
        words = error.detail if error.status_code == 413 else f"{request.url.path}: is no page of the application"
        return application.show("mistake.html", error.status_code, mistakes=[words])

    return Starlette(routes=[put, *post, *get], exception_handlers={HTTPException: other, Exception: other})
