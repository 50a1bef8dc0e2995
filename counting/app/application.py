"""What all pages share, and how a function becomes an endpoint."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from importlib import resources
from typing import Any
from urllib.parse import parse_qsl, quote

import jinja2
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from counting.app.jobs import Jobs
from counting.app.studies import Studies
from counting.app.subjects import RELATED, SUBJECTS
from counting.app.watches import Watches
from counting.errors import InputError

Form = Mapping[str, str]
Answering = Callable[..., Response]
"""The type of functions that answer: they take the application, a request and its form. A page with a form also takes
the mistakes in the form."""
MOST_FIELDS = 500


@dataclass
class Application:
    """What all pages share: the folder, jobs, watches and templates."""

    studies: Studies
    jobs: Jobs
    watches: Watches

    @cached_property
    def templates(self) -> jinja2.Environment:
        loader = jinja2.FunctionLoader(template_text)
        made = jinja2.Environment(loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
        made.globals |= {"subjects": SUBJECTS, "related": RELATED, "path": quote, "today": date.today}
        macros = made.get_template("fields.html").module
        made.globals |= {name: getattr(macros, name) for name in ("fields", "more_rules", "lists")}
        return made

    def show(self, template: str, /, status: int = 200, **values: Any) -> HTMLResponse:
        """The page made from a template and these values."""
        text = self.templates.get_template(template).render(jobs=self.jobs, studies=self.studies, **values)
        return HTMLResponse(text, status)

    def close(self) -> None:
        """End all running watches and jobs."""
        self.watches.close()
        self.jobs.close()


def answering(application: Application, answer: Answering, form_again: Answering | None) -> Callable[[Request], Any]:
    """An endpoint that calls the function `answer` in a thread. After an `InputError`, `form_again` shows the form
    again with a line for each mistake. If there is no form, or if showing it fails too, a page shows only these
    lines."""

    async def endpoint(request: Request) -> Response:
        body = (await request.body()).decode("utf-8", "replace")
        try:
            form = dict(parse_qsl(body, keep_blank_values=True, max_num_fields=MOST_FIELDS))
        except ValueError:
            return application.show("mistake.html", 400, mistakes=[f"a form has {MOST_FIELDS} fields at most"])

        def answered(page: Answering, *mistakes: list[str]) -> Response:
            try:
                return page(application, request, form, *mistakes)
            except InputError as error:
                lines = str(error).split("\n")
            if form_again is not None and not mistakes:
                return answered(form_again, lines)
            return application.show("mistake.html", 400, mistakes=lines)

        return await run_in_threadpool(answered, answer)

    return endpoint


def template_text(name: str) -> str:
    """The text of a file in the folder of templates."""
    return (resources.files("counting.app") / "templates" / name).read_text(encoding="utf-8")


def back(request: Request, otherwise: str) -> Response:
    """A redirect to the page that sent the form. If the browser does not name a page of the application, the redirect
    is to `otherwise`."""
    sender = request.headers.get("referer", "")
    return RedirectResponse(sender if sender.startswith(str(request.base_url)) else otherwise, 303)
