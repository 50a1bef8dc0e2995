"""The pages of the application: what each address answers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from functools import cache, cached_property
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote

import jinja2
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response, StreamingResponse

from counting.app.archive import ROOMS, all_answers, answered
from counting.app.forms import Field, asked_values, form_of, typed_values, unplaced
from counting.app.guard import REPORTS
from counting.app.jobs import Job, Jobs, request_class
from counting.app.studies import Studies
from counting.app.subjects import BY_ADDRESS, HIDDEN, SUBJECTS, Subject
from counting.errors import InputError
from counting.io.closing import close
from counting.io.toml import shipped
from counting.requests import Arguments, Host

Form = Mapping[str, str]
Answering = Callable[["Application", Request, Form], Response]
MOST_FIELDS = 500
_LOOK = 0.25  # seconds between two looks for changes
_STYLES = {"style.css": "text/css", "app.js": "text/javascript", "upload.js": "text/javascript"}
_SHOWN = {".html": "text/html", ".svg": "image/svg+xml"}
"""Files that a browser shows; it saves the others."""


@dataclass
class Application:
    """What the pages share: the folder, its jobs, and the templates."""

    studies: Studies
    jobs: Jobs
    closed: list[Callable[[], None]] = field(default_factory=list)

    @cached_property
    def templates(self) -> jinja2.Environment:
        loader = jinja2.FunctionLoader(template_text)
        made = jinja2.Environment(loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
        made.globals |= {"subjects": SUBJECTS, "path": quote}
        return made

    def show(self, template: str, /, status: int = 200, **values: Any) -> HTMLResponse:
        """A page of this template."""
        text = self.templates.get_template(template).render(jobs=self.jobs, studies=self.studies, **values)
        return HTMLResponse(text, status)

    def close(self) -> None:
        """End what runs."""
        for end in self.closed:
            end()
        self.jobs.close()


def answering(application: Application, answer: Callable[..., Response]) -> Callable[[Request], Any]:
    """The endpoint of a function of the request and the form; it runs in a thread, and an `InputError` is a page."""

    async def endpoint(request: Request) -> Response:
        body = (await request.body()).decode("utf-8", "replace")
        try:
            form = dict(parse_qsl(body, keep_blank_values=True, max_num_fields=MOST_FIELDS))
        except ValueError:
            return application.show("mistake.html", 400, mistakes=[f"a form has {MOST_FIELDS} fields at most"])
        try:
            return await run_in_threadpool(answer, application, request, form)
        except InputError as error:
            return application.show("mistake.html", 400, mistakes=str(error).split("\n"))

    return endpoint


def home(application: Application, _request: Request, _form: Form) -> Response:
    """The first screen."""
    return application.show("home.html", answers=all_answers(application.studies)[:5])


def style_or_script(_application: Application, request: Request, _form: Form) -> Response:
    """A style or a script of the pages."""
    name = request.path_params["name"]
    if name not in _STYLES:
        raise InputError(f"/{name}: is no page of the application")
    if name == "style.css":
        from counting.reports.assets import asset

        return Response(asset("page.css") + template_text("app.css"), media_type="text/css")
    return Response(template_text(name), media_type=_STYLES[name])


def template_text(name: str) -> str:
    """The text of a file among the templates."""
    return (resources.files("counting.app") / "templates" / name).read_text(encoding="utf-8")


def question(application: Application, request: Request, _form: Form) -> Response:
    """A question whose form is a request's, with the answer to it beside."""
    return ask_page(application, BY_ADDRESS[request.url.path.strip("/")], request)


def ask_page(
    application: Application,
    subject: Subject,
    request: Request,
    values: Form | None = None,
    mistakes: list[str] | None = None,
) -> Response:
    """A question's page, with what was typed and what is wrong with it."""
    number = request.query_params.get("job", "")
    job = application.jobs[int(number)] if number.isdecimal() else None
    if values is None:
        values = (
            typed_values(job.arguments) if job is not None and job.verb == subject.verb else dict(request.query_params)
        )
    kind = request_class(subject.verb)
    rest = [name for name in kind.arguments() if name not in subject.first and name not in HIDDEN]
    first, more = (form_of(kind, names, values, mistakes or ()) for names in (subject.first, rest))
    listed = offers(application.studies, [*first, *more])
    if subject.verb == "limits":  # which takes house rules in place of a game
        listed["games"] = _rules(application.studies) | listed["games"]
    return application.show(
        "ask.html",
        400 if mistakes else 200,
        subject=subject,
        first=first,
        more=more,
        mistakes=unplaced(mistakes or (), [*first, *more]),
        offers=listed,
        **panel_values(application, job),
    )


def offers(studies: Studies, fields: list[Field]) -> dict[str, dict[str, str]]:
    """The lists of which these fields are completed: what can be typed, each with its title."""
    return {kind: _OFFERED[kind](studies) for kind in {each.offers for each in fields} if kind}


def _games(studies: Studies) -> dict[str, str]:
    from counting.games import load_game

    return {name: load_game(name).title for name in shipped("games")} | dict.fromkeys(
        studies.files("games", ".toml"), ""
    )


@cache
def _bets() -> dict[str, str]:
    from counting.games import catalog, load_game

    own = {bet.name: bet.title or "" for game in shipped("games") for bet in load_game(game).bets}
    return own | {name: bet.title or "" for name, bet in catalog().items()}


@cache
def _systems() -> dict[str, str]:
    from counting.systems import library

    return {system.name: "" for system in library()}


def _rules(studies: Studies) -> dict[str, str]:
    return dict.fromkeys([*studies.files("rules", ".toml"), *shipped("bounds/houses")], "")


_OFFERED: Mapping[str, Callable[[Studies], dict[str, str]]] = {
    "games": _games,
    "bets": lambda _: _bets(),
    "systems": lambda _: _systems(),
    "rules": _rules,
    "logs": lambda studies: dict.fromkeys(studies.files("logs"), ""),
    "layouts": lambda studies: dict.fromkeys([*studies.files("layouts", ".toml"), *shipped("logs/layouts")], ""),
}


class _PossibleError(Exception):
    """What is asked can be worked out."""


class _Checking(Host):
    """Asks a request as far as its values are read: everything after the first folder or stage is work."""

    def stage(self, *_args: Any, **_kwargs: Any) -> Any:
        raise _PossibleError

    def folder(self, *_args: Any) -> Path:
        raise _PossibleError


def checked_request(kind: type[Arguments], arguments: Mapping[str, Any]) -> Any:
    """The request of these arguments, if it can be answered. Raises `InputError` with a line for each mistake."""
    request: Any = kind(**arguments)
    with suppress(_PossibleError):
        request.answered(_Checking(request.command))
    return request


def ask(application: Application, request: Request, form: Form) -> Response:
    """Take a question's form: a job, or the form again with what is wrong."""
    subject = BY_ADDRESS.get(request.path_params["address"])
    if subject is None or not subject.verb:
        raise InputError(f"{request.path_params['address']!a}: is no question of the application")
    kind = request_class(subject.verb)
    try:
        arguments = asked_values(kind, {name: text for name, text in form.items() if name not in HIDDEN})
        of_files(application.studies, kind, arguments)
        checked_request(kind, arguments)
        job = add_job(application, subject.verb, arguments)
    except InputError as error:
        return ask_page(application, subject, request, form, str(error).split("\n"))
    return RedirectResponse(f"/{subject.address}?job={job.number}#job-{job.number}", 303)


def of_files(studies: Studies, kind: type[Arguments], arguments: Mapping[str, Any]) -> None:
    """Refuse what would be read from outside the folder: what is written as a path must be one of its files."""
    for each in form_of(kind, arguments, {}):
        values = arguments[each.name]
        for value in values if isinstance(values, list) else [values]:
            is_path = each.kind in ("file", "stream") and each.name != "layout"
            if is_path or (each.kind in _PATHS and (Path(value).suffix or "/" in value or "\\" in value)):
                try:
                    studies.file(value)
                except InputError as error:
                    raise InputError(f"{each.name}: {error}") from None


_PATHS = ("game", "rules", "systems", "file")
"""Kinds of arguments that can be paths."""


_CALLED = {"vulnerability": "One bet", "compare": "Comparison", "audit": "Review"}
"""Verbs whose jobs have another name."""


def add_job(application: Application, verb: str, arguments: Mapping[str, Any]) -> Job:
    """A job for a request, called after what it is about."""
    about = [str(arguments[name]) for name in ("rules", "first", "second", "game", "bet", "coups") if name in arguments]
    stems = [Path(name).stem for name in about]
    room = "statements" if verb == "statement" else "reports"
    return application.jobs.add(verb, arguments, (room, "-".join([*stems, verb])), f"{_CALLED.get(verb, verb.capitalize())}: {', '.join(stems)}")


def panel_values(application: Application, job: Job | None) -> dict[str, Any]:
    """What the panel of an answer shows."""
    given = answered(application.studies, job.folder) if job is not None and job.state == "done" else None
    before = sum(not each.over for each in application.jobs if job is not None and each.number < job.number)
    return {"job": job, "answer": given, "before": before, "today": date.today().isoformat()}


def job_page(application: Application, request: Request, _form: Form) -> Response:
    """A job by itself."""
    job = application.jobs[request.path_params["number"]]
    return application.show("job.html", **panel_values(application, job))


def job_panel(application: Application, request: Request, _form: Form) -> Response:
    """The panel of a job, for a page that shows it already."""
    job = application.jobs[request.path_params["number"]]
    return application.show("panel.html", **panel_values(application, job))


def job_order(application: Application, request: Request, form: Form) -> Response:
    """Cancel a job, or let it go on."""
    orders = {"cancel": application.jobs.cancel, "again": application.jobs.again}
    number, what = request.path_params["number"], request.path_params["what"]
    if what not in orders:
        raise InputError(f"{what!a}: should be one of {', '.join(orders)}")
    orders[what](number)
    return back(form, f"/jobs/{number}")


def back(form: Form, otherwise: str) -> Response:
    """Back to the page of a form that was sent, if it is one of the application's."""
    where = form.get("from", "")
    own = where.startswith("/") and not where.startswith(("//", "/\\")) and where.isprintable()
    return RedirectResponse(where if own else otherwise, 303)


def archive(application: Application, request: Request, _form: Form) -> Response:
    """Every answer, found by words."""
    words = request.query_params.get("words", "")
    return application.show("archive.html", words=words, answers=all_answers(application.studies, words))


def one_answer(application: Application, request: Request, _form: Form) -> Response:
    """An answer of the archive."""
    given = answered(application.studies, _folder(request))
    return application.show("answer.html", answer=given, job=None, before=0, today=date.today().isoformat())


def answer_order(application: Application, request: Request, form: Form) -> Response:
    """Print an answer to PDF, or close it."""
    folder, what = _folder(request), request.path_params["what"]
    given = answered(application.studies, folder)
    place = application.studies.folder / folder
    printed = (place / given.page).with_suffix(".pdf")
    if what == "pdf":
        _print(place / given.page, printed)
        return RedirectResponse(f"/files/{quote(folder)}/{printed.name}", 303)
    if what != "close":
        raise InputError(f"{what!a}: should be one of pdf, close")
    try:
        _print(place / given.page, printed)
    except InputError as error:
        if not str(error).startswith("pdf: no "):  # a browser to print with
            raise
    close(place, form.get("name", ""), form.get("date", ""))
    return back(form, f"/answers/{quote(folder)}")


def _print(page: Path, printed: Path) -> None:
    from counting.reports.paper import print_pdf

    if not printed.exists():
        print_pdf(page.read_text(encoding="utf-8"), printed)


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
    return FileResponse(application.studies.folder / path, filename=path.name, headers=headers)


def events(application: Application, _request: Request, _form: Form) -> Response:
    """What changes, as server-sent events: the state of each job that is not over, and how far it is."""

    async def told() -> AsyncIterator[str]:
        shown = None
        while True:
            now = application.jobs.changes
            if now != shown:
                shown = now
                yield f"data: {json.dumps(_states(application))}\n\n"
            await asyncio.sleep(_LOOK)

    return StreamingResponse(told(), media_type="text/event-stream")


def _states(application: Application) -> dict[str, Any]:
    """Each job's state with the jobs before it, and how far the running one is."""
    jobs, before, states = application.jobs, 0, {}
    for job in jobs:
        states[job.number] = f"{job.state} {before}"
        before += not job.over
    return {"jobs": states, "words": jobs.words, "done": jobs.stage.done, "total": jobs.stage.total}


GET: Mapping[str, Answering] = {
    "/": home,
    "/archive": archive,
    "/answers/{room}/{name}": one_answer,
    "/jobs/{number:int}": job_page,
    "/jobs/{number:int}/panel": job_panel,
    "/files/{path:path}": file,
    "/events": events,
    **{f"/{each.address}": question for each in BY_ADDRESS.values() if each.verb},
    "/{name}": style_or_script,
}
POST: Mapping[str, Answering] = {
    "/ask/{address}": ask,
    "/jobs/{number:int}/{what}": job_order,
    "/answers/{room}/{name}/{what}": answer_order,
}
