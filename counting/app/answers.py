"""Answers on the pages: the first screen, the archive, an answer with its files, and closing it."""

from __future__ import annotations

from contextlib import suppress
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response

from counting.app.application import Application, Form, back, template_text
from counting.app.archive import ROOMS, Answered, all_answers, answered
from counting.app.guard import REPORTS
from counting.app.working import panel_values
from counting.errors import InputError
from counting.io.closing import close
from counting.reports.assets import asset
from counting.reports.paper import NoBrowserError, print_pdf

_SCRIPTS = ("app.js", "pay_table.js", "upload.js", "watch.js")
_OF_REPORTS = ("tables.js",)  # scripts of the reports' pages that these pages use as well
_SHOWN = {".html": "text/html", ".svg": "image/svg+xml"}
"""Files that a browser shows; it saves the others."""


def home(application: Application, _request: Request, _form: Form) -> Response:
    """The first screen."""
    return application.show("home.html", answers=all_answers(application.studies)[:5])


def style_or_script(_application: Application, request: Request, _form: Form) -> Response:
    """A style or a script of the pages."""
    name = request.path_params["name"]
    if name == "style.css":
        return Response(asset("page.css") + template_text("app.css"), media_type="text/css")
    if name not in (*_SCRIPTS, *_OF_REPORTS):
        raise InputError(f"/{name}: is no page of the application")
    return Response(template_text(name) if name in _SCRIPTS else asset(name), media_type="text/javascript")


def archive(application: Application, request: Request, _form: Form) -> Response:
    """The answers that have the words of the search; all answers without words."""
    words = request.query_params.get("words", "")
    return application.show("archive.html", words=words, answers=all_answers(application.studies, words))


def one_answer(application: Application, request: Request, _form: Form) -> Response:
    """An answer of the archive."""
    given = answered(application.studies, _folder(request))
    return application.show("answer.html", **panel_values(application, None, given))


def answer_order(application: Application, request: Request, form: Form) -> Response:
    """Print an answer to PDF, or close it."""
    folder, what = _folder(request), request.path_params["what"]
    given = answered(application.studies, folder)
    if what == "pdf":
        _print(given)
        return RedirectResponse(f"/files/{quote(folder)}/{given.printed.name}", 303)
    if what != "close":
        raise InputError(f"{what!a}: should be one of pdf, close")
    with suppress(NoBrowserError):
        _print(given)
    close(given.place, form.get("name", ""), form.get("date", ""))
    return back(form, f"/answers/{quote(folder)}")


def _print(answer: Answered) -> None:
    """Print an answer's page to PDF, unless that was done since the page was written, or the answer is closed."""
    page = answer.place / answer.page
    if not answer.printed.exists() or (not answer.closed and answer.printed.stat().st_mtime < page.stat().st_mtime):
        print_pdf(page.read_text(encoding="utf-8"), answer.printed)


def _folder(request: Request) -> str:
    room, name = request.path_params["room"], request.path_params["name"]
    if room not in ROOMS or name[0] == "." or "/" in name or "\\" in name:
        raise InputError(f"{name!a}: should be an answer in {' or '.join(ROOMS)}")
    return f"{room}/{name}"


def file(application: Application, request: Request, _form: Form) -> Response:
    """A file of the folder: a report is shown, another is saved."""
    path = application.studies.file(request.path_params["path"])
    kind = _SHOWN.get(path.suffix)
    headers = {"Content-Security-Policy": REPORTS}
    if kind is not None:
        return FileResponse(application.studies.folder / path, media_type=kind, headers=headers)
    name = f"{path.parent.name}{path.suffix}" if path.stem in ("report", "statement") else path.name
    return FileResponse(application.studies.folder / path, filename=name, headers=headers)
