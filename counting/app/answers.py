"""Pages of answers: the first screen, a job with its progress, an answer with its files, and the archive."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response, StreamingResponse

from counting.app.application import Application, Form, back, template_text
from counting.app.archive import Answered, all_answers, answered
from counting.app.guard import REPORTS
from counting.app.jobs import Job
from counting.errors import InputError
from counting.io.closing import close
from counting.reports.assets import asset
from counting.reports.paper import NoBrowserError, print_pdf

_LOOK = 0.25  # seconds between two checks for changes
_SCRIPTS = ("app.js", "pay_table.js", "upload.js", "watch.js")
_OF_REPORTS = ("tables.js",)  # scripts of report pages that the application uses too
_SHOWN = {".html": "text/html", ".svg": "image/svg+xml"}
"""The types of files that a browser shows, by their endings. Other files are saved."""


def asked_job(application: Application, number: str | None) -> Job | None:
    """The job whose number is in an address; None if there is no number."""
    return application.jobs[int(number)] if number and number.isdecimal() else None


def to_job(address: str, job: Job) -> Response:
    """A redirect to a page that shows a job. The browser goes to the place of the job on the page."""
    mark = "&" if "?" in address else "?"
    return RedirectResponse(f"{address}{mark}job={job.number}#job-{job.number}", 303)


def panel_values(application: Application, job: Job | None, answer: Answered | None = None) -> dict[str, Any]:
    """The values with which the template shows a job, or an answer, in its panel."""
    if job is not None and job.state == "done":
        answer = answered(application.studies, job.folder)
    return {"job": job, "answer": answer}


def job_page(application: Application, request: Request, _form: Form) -> Response:
    """The page of one job."""
    job = application.jobs[request.path_params["number"]]
    return application.show("answer.html", **panel_values(application, job))


def job_order(application: Application, request: Request, _form: Form) -> Response:
    """Cancel a job, or start it again."""
    orders = {"cancel": application.jobs.cancel, "again": application.jobs.again}
    number, what = request.path_params["number"], request.path_params["what"]
    if what not in orders:
        raise InputError(f"{what!a}: should be one of {', '.join(orders)}")
    orders[what](number)
    return back(request, f"/jobs/{number}")


def events(application: Application, _request: Request, _form: Form) -> Response:
    """Server-sent events: the state of jobs and watches, after each change."""

    async def told() -> AsyncIterator[str]:
        shown = None
        while True:
            now = await run_in_threadpool(_now, application)
            if now != shown:
                shown = now
                yield f"data: {json.dumps(now)}\n\n"
            await asyncio.sleep(_LOOK)

    return StreamingResponse(told(), media_type="text/event-stream")


def _now(application: Application) -> dict[str, Any]:
    """The data of an event: for each job, its state and how many jobs must end before it begins; how far each running
    job is; and the states of the watches."""
    jobs = application.jobs
    states = {number: f"{jobs[number].state} {before}" for number, before in jobs.before().items()}
    running = {job.number: jobs.progress(job.number) for job in jobs if job.state == "running"}
    how_far = {
        number: {"words": job.words, "done": job.stage.done, "total": job.stage.total}
        for number, job in running.items()
    }
    watches = {watch.name: watch.state for watch in application.watches}
    return {"jobs": states, "running": how_far, "watches": watches}


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
    """The page of the answers that have all the words of a search. If there are no words, it is the page of all
    answers."""
    words = request.query_params.get("words", "")
    return application.show("archive.html", words=words, answers=all_answers(application.studies, words))


def one_answer(application: Application, request: Request, _form: Form) -> Response:
    """The page of one answer."""
    return application.show("answer.html", **panel_values(application, None, _asked_answer(application, request)))


def answer_order(application: Application, request: Request, form: Form) -> Response:
    """Print an answer to PDF, or close it: record the digests of its files, so that a later change is noticed."""
    given, what = _asked_answer(application, request), request.path_params["what"]
    if what == "pdf":
        _print(given)
        return RedirectResponse(f"/files/{quote(given.folder)}/{given.printed.name}", 303)
    if what != "close":
        raise InputError(f"{what!a}: should be one of pdf, close")
    with suppress(NoBrowserError):
        _print(given)
    close(given.place, form.get("name", ""), form.get("date", ""))
    return back(request, f"/answers/{quote(given.folder)}")


def _asked_answer(application: Application, request: Request) -> Answered:
    """The answer whose room and folder are in an address."""
    return answered(application.studies, "{room}/{name}".format(**request.path_params))


def _print(answer: Answered) -> None:
    """Print an answer's page to PDF. An existing PDF is kept if the answer is closed, or if the PDF is not older than
    the page."""
    page = answer.place / answer.page
    if not answer.printed.exists() or (not answer.closed and answer.printed.stat().st_mtime < page.stat().st_mtime):
        print_pdf(page.read_text(encoding="utf-8"), answer.printed)


def file(application: Application, request: Request, _form: Form) -> Response:
    """A file of the folder. A browser shows pages and figures, and saves other files."""
    path = application.studies.file(request.path_params["path"])
    kind, name = _SHOWN.get(path.suffix), path.name
    if path.stem in ("report", "statement"):
        name = f"{path.parent.name}{path.suffix}"
    return FileResponse(
        application.studies.folder / path, media_type=kind, filename=None if kind else name,
        headers={"Content-Security-Policy": REPORTS},
    )  # fmt: skip
