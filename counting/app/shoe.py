"""The page of a shoe: the calculator, in a frame that cannot act as the application. The calculator can also be saved
as a file."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from counting.app.application import Application, Form
from counting.app.asking import file_values, form_page
from counting.app.forms import form_of
from counting.app.guard import REPORTS
from counting.app.subjects import BY_ADDRESS
from counting.errors import Mistakes
from counting.games import load_game
from counting.requests import CalculatorArguments

_FIRST, _REST = ("game", "bet", "decks", "cut", "burn"), ("system", "after_cut")
POLICY = REPORTS.replace("allow-scripts", "allow-scripts allow-downloads")
"""The content policy of the calculator, which may save its log."""


def shoe(application: Application, request: Request, form: Form) -> Response:
    """The page with the form of the calculator, and the calculator. Sending the form saves the calculator as a file, as
    the command does."""
    asked: dict[str, str] = {"game": "punto-banco"} | dict(form or request.query_params)
    wanted, mistakes = None, Mistakes()
    with mistakes.gathered():
        wanted, page = _wanted(application, asked)
        if form:
            wanted.output.write(page.encode())
            return RedirectResponse(f"/shoe?{_query(asked)}&saved=yes", 303)
    first, more = (form_of(CalculatorArguments, names, asked, mistakes) for names in (_FIRST, _REST))
    return form_page(
        application, "shoe.html", BY_ADDRESS["shoe"], {"first": first, "more": more}, mistakes, query=_query(asked),
        wanted=None if mistakes else wanted, saved=asked.get("saved") == "yes",
    )  # fmt: skip


def calculator(application: Application, request: Request, _form: Form) -> Response:
    """The page of the calculator alone, for the frame."""
    _, page = _wanted(application, request.query_params)
    return HTMLResponse(page, headers={"Content-Security-Policy": POLICY})


def _wanted(application: Application, asked: Mapping[str, str]) -> tuple[CalculatorArguments, str]:
    """The arguments in the form or address, with a path for the file in the room of reports, and the calculator's
    HTML."""
    from counting.reports.calculator import page_of

    typed = {name: asked.get(name, "") for name in (*_FIRST, *_REST)}
    given = file_values(application.studies, CalculatorArguments, typed)
    wanted = CalculatorArguments(**given, out=f"reports/{load_game(given['game']).name}-calculator.html")
    game, _, data = wanted.made()
    return wanted, page_of(game, data)


def _query(asked: Mapping[str, str]) -> str:
    return urlencode({name: asked[name] for name in (*_FIRST, *_REST) if asked.get(name)})
