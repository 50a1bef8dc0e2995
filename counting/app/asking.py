"""Pages of questions: the form of a command's request, and the job that is made from the form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from counting.app.answers import asked_job, panel_values, to_job
from counting.app.application import Application, Form
from counting.app.forms import Field, asked_values, form_of, kinds_of, offers, rules_offered, typed_values, unplaced
from counting.app.jobs import Job, request_class
from counting.app.studies import Studies
from counting.app.subjects import BY_ADDRESS, HIDDEN, Subject
from counting.errors import InputError
from counting.games import is_written
from counting.numbers import duration
from counting.requests import Arguments, Host, LimitsRequest

_LONG = 60
"""If seats that counters must hold add more than this number of seconds to an answer, the form says so beforehand."""


def question(application: Application, request: Request, form: Form, mistakes: Sequence[str] = ()) -> Response:
    """A question's page with its form. After a mistake, the form has the typed values. Otherwise it has the values of
    the job whose answer is shown, or the values in the address."""
    subject, job = _subject(request), asked_job(application, request.query_params.get("job"))
    values = form or (typed_values(job.arguments) if job and job.verb == subject.verb else request.query_params)
    kind, also, takes = request_class(subject.verb), {}, ""
    rest = [name for name in kind.arguments() if name not in subject.first and name not in HIDDEN]
    if subject.verb == "limits":  # the request takes house rules in place of a game
        also["games"] = rules_offered(application.studies)
        with suppress(InputError):  # the form may be incomplete
            seconds = LimitsRequest(**file_values(application.studies, kind, values)).question(Host("")).held_seconds
            if seconds > _LONG:
                takes = f"Counters must hold a seat here: the answer takes about {duration(seconds)} longer."
    first, more = (form_of(kind, names, values, mistakes) for names in (subject.first, rest))
    return form_page(
        application, "ask.html", subject, {"first": first, "more": more}, mistakes, also, takes=takes,
        **panel_values(application, job),
    )  # fmt: skip


def _subject(request: Request) -> Subject:
    """The subject whose page or form has this address."""
    address = request.url.path.rpartition("/")[2]
    subject = BY_ADDRESS.get(address)
    if subject is None or not subject.verb:
        raise InputError(f"{address!a}: is no question of the application")
    return subject


def form_page(
    application: Application, template: str, subject: Subject, groups: Mapping[str, Sequence[Field]],
    mistakes: Sequence[str] = (), also: Mapping[str, dict[str, str]] | None = None, **values: Any,
) -> Response:  # fmt: skip
    """A page with a form. `groups`: the fields. `mistakes`: all mistakes; the page lists the mistakes that no field
    shows. `also`: further entries for the lists that complete fields; they come first."""
    fields = [*chain(*groups.values())]
    return application.show(
        template, 400 if mistakes else 200, subject=subject, mistakes=unplaced(mistakes, fields),
        offers=offers(application.studies, fields, also or {}), **groups, **values,
    )  # fmt: skip


class _PossibleError(Exception):
    """Raised when a request turns out to be valid."""


class _Checking(Host):
    """A host that only checks a request. When the request asks for a folder or begins a stage, all its values have been
    read; this host then raises an error."""

    def stage(self, *_args: Any, **_kwargs: Any) -> Any:
        raise _PossibleError

    def folder(self, *_args: Any) -> Path:
        raise _PossibleError


def ask(application: Application, request: Request, form: Form) -> Response:
    """Make a job from a question's form."""
    subject = _subject(request)
    job = add_job(application, subject.verb, checked_values(application.studies, subject.verb, form))
    return to_job(f"/{subject.address}", job)


def checked_values(studies: Studies, verb: str, form: Form) -> dict[str, Any]:
    """The arguments of a request, from a form. They are checked as far as possible without doing the work. Raises
    `InputError` for a mistake; if there are several, the error may report only the first."""
    kind = request_class(verb)
    arguments = file_values(studies, kind, {name: text for name, text in form.items() if name not in HIDDEN})
    with suppress(_PossibleError):
        request = kind(**arguments)
        request.answered(_Checking(request.command))
    return arguments


def file_values(studies: Studies, kind: type[Arguments], form: Form) -> dict[str, Any]:
    """The arguments from a form. Raises `InputError` for mistakes in the form, and for a file that is not in the
    folder."""
    arguments = asked_values(kind, form)
    of_files(studies, kind, arguments)
    return arguments


def of_files(studies: Studies, kind: type[Arguments], arguments: Mapping[str, Any]) -> None:
    """Raise `InputError` if a value is written as a path, but is not the path of a file in the folder."""
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
"""The kinds of arguments whose values may be paths."""


_CALLED = {"vulnerability": "One bet", "compare": "Comparison", "audit": "Review", "sample": "Plan of a review"}
"""The names of jobs, for commands whose jobs are not named after the command."""


def add_job(application: Application, verb: str, arguments: Mapping[str, Any]) -> Job:
    """Add a job for a request. The job's title names its subject, such as the rules or the game."""
    named = ("rules", "first", "second", "game", "bet", "coups", "rate")
    about = [arguments[name] for name in named if name in arguments]
    stems = [_stem(str(each)) for value in about for each in (value if isinstance(value, list) else [value])]
    room = "statements" if verb == "statement" else "reports"
    title = f"{_CALLED.get(verb, verb.capitalize())}{': ' * bool(stems)}{', '.join(stems)}"
    return application.jobs.add(verb, arguments, (room, "-".join([*stems, verb])), title)


def _stem(text: str) -> str:
    """A short name: a file's name without folder and ending, or the name in a bet that is written out."""
    return text.partition(":")[0] if is_written(text) else Path(text).stem
