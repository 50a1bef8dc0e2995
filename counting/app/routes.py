"""Which function answers which address."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.routing import Route

from counting.app import shoe, side_bets, views
from counting.app.views import Application, answering

_FILES = (side_bets, shoe, views)
"""The files with pages, each with its addresses in `GET` and `POST`; the first that fits an address answers it."""


def served(application: Application) -> Starlette:
    """The application as a server's program."""
    get = [Route(path, answering(application, run)) for each in _FILES for path, run in each.GET.items()]
    post = [
        Route(path, answering(application, run), methods=["POST"]) for each in _FILES for path, run in each.POST.items()
    ]
    return Starlette(routes=[*post, *get])
