"""The function that answers each address."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from counting.app import answers, asking, logs, rules, shoe, side_bets, tables, working
from counting.app.application import Application, answering
from counting.app.uploads import taking

_FILES = (logs, rules, shoe, side_bets, tables, asking, working, answers)
"""The files with pages, each with its addresses in `GET` and `POST`. The first that fits an address answers it."""


def served(application: Application) -> Starlette:
    """The application as a server's program."""
    put = Route("/upload/{name:path}", taking(application.studies), methods=["PUT"])
    get = [Route(path, answering(application, run)) for each in _FILES for path, run in each.GET.items()]
    post = [
        Route(path, answering(application, run), methods=["POST"]) for each in _FILES for path, run in each.POST.items()
    ]

    def other(request: Request, error: Exception) -> Response:
        if not isinstance(error, HTTPException):
            return application.show("mistake.html", 500, mistakes=[f"{request.url.path}: {error!r}"])
        words = error.detail if error.status_code == 413 else f"{request.url.path}: is no page of the application"
        return application.show("mistake.html", error.status_code, mistakes=[words])

    return Starlette(routes=[put, *post, *get], exception_handlers={HTTPException: other, Exception: other})
