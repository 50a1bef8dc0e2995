"""Jobs on the pages: their progress, their answers, and orders to them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from datetime import date
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse

from counting.app.application import Application, Form, back
from counting.app.archive import Answered, answered
from counting.app.jobs import Job
from counting.errors import InputError

_LOOK = 0.25  # seconds between two looks for changes


def asked_job(application: Application, number: str | None) -> Job | None:
    """The job whose number an address has, or None."""
    return application.jobs[int(number)] if number and number.isdecimal() else None


def to_job(address: str, job: Job) -> Response:
    """Go to a page that shows a job, at its answer."""
    mark = "&" if "?" in address else "?"
    return RedirectResponse(f"{address}{mark}job={job.number}#job-{job.number}", 303)


def panel_values(application: Application, job: Job | None, answer: Answered | None = None) -> dict[str, Any]:
    """The values for the panel of a job, or of an answer alone."""
    if job is not None and job.state == "done":
        answer = answered(application.studies, job.folder)
    before = 0 if job is None else application.jobs.before()[job.number]
    return {"job": job, "answer": answer, "before": before, "today": date.today().isoformat()}


def job_page(application: Application, request: Request, _form: Form) -> Response:
    """The page of one job."""
    job = application.jobs[request.path_params["number"]]
    return application.show("job.html", **panel_values(application, job))


def job_panel(application: Application, request: Request, _form: Form) -> Response:
    """The panel of a job, for a page that shows the job already."""
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


def events(application: Application, _request: Request, _form: Form) -> Response:
    """Changes as server-sent events: the jobs' states, the running job's progress, and the states of the watches."""

    async def told() -> AsyncIterator[str]:
        shown = None
        while True:
            now = application.jobs.changes, await run_in_threadpool(application.watches.states)
            if now != shown:
                shown = now
                yield f"data: {json.dumps(_states(application, now[1]))}\n\n"
            await asyncio.sleep(_LOOK)

    return StreamingResponse(told(), media_type="text/event-stream")


def _states(application: Application, watches: Mapping[str, str]) -> dict[str, Any]:
    """Each job's state with the number of jobs before it, the running job's progress, and the states of the watches."""
    jobs = application.jobs
    states = {number: f"{jobs[number].state} {before}" for number, before in jobs.before().items()}
    how_far = {"words": jobs.words, "done": jobs.stage.done, "total": jobs.stage.total}
    return {"jobs": states, "watches": watches, **how_far}
