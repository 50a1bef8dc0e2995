"""Questions that a command answers: the form of its request, and the job that the form becomes."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from counting.app.application import Application, Form
from counting.app.forms import asked_values, form_of, kinds_of, typed_values, unplaced
from counting.app.jobs import Job, request_class
from counting.app.offered import offers, rules_offered
from counting.app.studies import Studies
from counting.app.subjects import BY_ADDRESS, HIDDEN, Subject
from counting.app.working import asked_job, panel_values, to_job
from counting.errors import InputError
from counting.games import is_written
from counting.numbers import duration
from counting.requests import Arguments, Host, LimitsRequest

_LONG = 60
"""Seconds of an answer that the form says beforehand."""


def question(application: Application, request: Request, _form: Form) -> Response:
    """A question's page: the form of its request, with the answer beside it."""
    return ask_page(application, BY_ADDRESS[request.url.path.strip("/")], request)


def ask_page(
    application: Application,
    subject: Subject,
    request: Request,
    values: Form | None = None,
    mistakes: list[str] | None = None,
) -> Response:
    """A question's page, with the typed values and their mistakes."""
    job = asked_job(application, request.query_params.get("job"))
    if values is None:
        values = (
            typed_values(job.arguments) if job is not None and job.verb == subject.verb else dict(request.query_params)
        )
    kind = request_class(subject.verb)
    rest = [name for name in kind.arguments() if name not in subject.first and name not in HIDDEN]
    first, more = (form_of(kind, names, values, mistakes or ()) for names in (subject.first, rest))
    listed, takes = offers(application.studies, [*first, *more]), ""
    if subject.verb == "limits":  # it takes house rules in place of a game
        listed["games"] = rules_offered(application.studies) | listed["games"]
        with suppress(InputError):  # the form is not complete
            of_files(application.studies, kind, arguments := asked_values(kind, values))
            seconds = LimitsRequest(**arguments).question(Host("")).held_seconds
            takes = (
                f"Counters must hold a seat here: the answer takes about {duration(seconds)} longer."
                if seconds > _LONG
                else ""
            )
    return application.show(
        "ask.html",
        400 if mistakes else 200,
        subject=subject,
        first=first,
        more=more,
        mistakes=unplaced(mistakes or (), [*first, *more]),
        offers=listed,
        takes=takes,
        **panel_values(application, job),
    )


class _PossibleError(Exception):
    """The request can be answered."""


class _Checking(Host):
    """Runs a request until its values are read: the first folder or stage begins the work, and ends the check."""

    def stage(self, *_args: Any, **_kwargs: Any) -> Any:
        raise _PossibleError

    def folder(self, *_args: Any) -> Path:
        raise _PossibleError


def checked_request(kind: type[Arguments], arguments: Mapping[str, Any]) -> Any:
    """The request with these arguments, if it can be answered. Raises `InputError` with a line for each mistake."""
    request: Any = kind(**arguments)
    with suppress(_PossibleError):
        request.answered(_Checking(request.command))
    return request


def ask(application: Application, request: Request, form: Form) -> Response:
    """Take a question's form: it becomes a job, or the form appears again with its mistakes."""
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
    return to_job(f"/{subject.address}", job)


def of_files(studies: Studies, kind: type[Arguments], arguments: Mapping[str, Any]) -> None:
    """Refuse to read outside the folder: a value that is written as a path must be a file of the folder."""
    kinds = kinds_of(kind)
    for name, values in arguments.items():
        of, _ = kinds[name]
        for value in values if isinstance(values, list) else [values]:
            is_path = of in ("file", "stream") and name != "layout"
            if is_path or (of in _PATHS and (Path(value).suffix or "/" in value or "\\" in value)):
                try:
                    studies.file(value)
                except InputError as error:
                    raise InputError(f"{name}: {error}") from None


_PATHS = ("game", "rules", "systems", "file")
"""Kinds of arguments that can be paths."""


_CALLED = {"vulnerability": "One bet", "compare": "Comparison", "audit": "Review", "sample": "Plan of a review"}
"""Commands whose jobs have another name."""


def add_job(application: Application, verb: str, arguments: Mapping[str, Any]) -> Job:
    """A job for a request, named after its subject."""
    named = ("rules", "first", "second", "game", "bet", "coups", "rate")
    about = [arguments[name] for name in named if name in arguments]
    stems = [_stem(str(each)) for value in about for each in (value if isinstance(value, list) else [value])]
    room = "statements" if verb == "statement" else "reports"
    title = f"{_CALLED.get(verb, verb.capitalize())}{': ' * bool(stems)}{', '.join(stems)}"
    return application.jobs.add(verb, arguments, (room, "-".join([*stems, verb])), title)


def _stem(text: str) -> str:
    """A file's name without folder and ending; the name of a bet that is written out."""
    return text.partition(":")[0] if is_written(text) else Path(text).stem
