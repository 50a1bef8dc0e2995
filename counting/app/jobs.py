"""Jobs: requests that are kept as files. They are answered two at a time, each in a separate process.

The process of a job also runs this module. It answers the request in the job's file, and prints its progress as lines
of JSON.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from functools import partial
from importlib import import_module
from itertools import chain, count
from os.path import isfile
from pathlib import Path
from threading import RLock
from typing import Any, Literal

from counting.app.companion import Companion
from counting.app.studies import Studies
from counting.errors import InputError
from counting.io.folders import digest_of
from counting.io.outputs import write_text
from counting.requests import Host, Stage

TOGETHER = 2  # the most jobs that run at the same time
State = Literal["waiting", "running", "done", "failed", "cancelled"]
MOST_WAITING = 50
"""While this number of jobs is unfinished, no job is added, and none is started again."""


@dataclass(frozen=True, kw_only=True)
class Job:
    """A request, and its state or result.

    `arguments`: the arguments of the request, without `out`. `folder`: the folder for the answer. `page`: the name of
    the answer's page. `title`: the job's name in lists. `error`: why the job failed. `files`: digests of the files that
    the job reads."""

    number: int
    verb: str
    arguments: Mapping[str, Any]
    folder: str
    title: str
    asked: str
    state: State = "waiting"
    page: str = ""
    error: str = ""
    said: list[str] = field(default_factory=list)
    files: Mapping[str, str] = field(default_factory=dict)

    @property
    def over(self) -> bool:
        return self.state in ("done", "failed", "cancelled")


class Progress:
    """How far a running job is: its `stage`, and its lines for a person, `said`. `end` is what the job's file gets when
    the process has ended."""

    def __init__(self) -> None:
        self.stage = Stage("Starting", "")
        self.said: list[str] = []
        self.end: dict[str, Any] = {"state": "failed", "said": []}

    @property
    def words(self) -> str:
        """Words on how far the job is, and how long the rest takes."""
        return f"{self.stage.subject}: {self.stage.how_far}" if self.stage.total else f"{self.stage.subject} …"

    def hear(self, line: str) -> bool:
        """Read a line of the job's process. Returns whether it is a line of JSON; other lines come from libraries, or
        from Python after an error."""
        try:
            told = dict(json.loads(line))
        except (ValueError, TypeError):
            return False
        self.said += told.get("said", [])
        self.stage = Stage(**told["stage"]) if "stage" in told else self.stage
        self.end |= told.get("end", {})
        self.end["said"] += told.get("kept", [])
        return True


class Jobs:
    """All jobs, the oldest first. Two of them run at a time, so that a short job can run beside a long one."""

    def __init__(self, studies: Studies) -> None:
        self.studies = studies
        self._all: dict[int, Job] = {}
        self._lock = RLock()
        self._processes: dict[int, tuple[Companion, Progress]] = {}  # by the number of the job
        self._closed = False
        for path in sorted((studies.folder / "jobs").glob("*.json")):
            with suppress(ValueError, TypeError, KeyError, OSError):  # a damaged file is ignored
                job = Job(**json.loads(path.read_text(encoding="utf-8")))
                self._all[job.number] = replace(job, state="waiting") if job.state == "running" else job
        self._numbers = count(max(self._all, default=0) + 1)
        self._begin()

    def __iter__(self) -> Iterator[Job]:
        with self._lock:
            return iter(list(self._all.values()))

    def __getitem__(self, number: int) -> Job:
        """The job with a number. Raises `InputError` if there is none."""
        if number not in self._all:
            raise InputError(f"job {number}: is not there")
        return self._all[number]

    def progress(self, number: int) -> Progress:
        """How far a job is. If it is not running, it is at the start."""
        with self._lock:
            return self._processes[number][1] if number in self._processes else Progress()

    def before(self) -> dict[int, int]:
        """For each job, by its number: how many unfinished jobs must end before it begins."""
        with self._lock:
            ahead, before = sum(job.state == "running" for job in self) - TOGETHER, {}
            for job in self:
                ahead += job.state == "waiting"
                before[job.number] = max(ahead, 1) if job.state == "waiting" else 0
            return before

    def add(self, verb: str, arguments: Mapping[str, Any], folder: tuple[str, str], title: str) -> Job:
        """Add a job for a request. If there is a job with the same request and the same files, it is returned, unless
        it failed, was cancelled, or has lost its answer. `folder`: the room and the name for the folder of the answer.
        Raises `InputError` if too many jobs are waiting."""
        files = self._files(arguments)
        with self._lock:
            for job in self._all.values():
                if (job.verb, job.arguments, job.files) == (verb, arguments, files) and self._stands(job):
                    return job
            self._refuse_more()
            at = self.studies.new_folder(*folder, {job.folder for job in self._all.values()})
            now = datetime.now().astimezone().isoformat(" ", "seconds")
            job = Job(
                number=next(self._numbers), verb=verb, arguments=dict(arguments), folder=at, title=title, asked=now,
                files=files,
            )  # fmt: skip
            self._keep(job)
            self._begin()
            return job

    def _refuse_more(self) -> None:
        """Raise `InputError` if `MOST_WAITING` jobs are unfinished."""
        if sum(not job.over for job in self._all.values()) >= MOST_WAITING:
            raise InputError(f"{MOST_WAITING} jobs are waiting, should be fewer: cancel some, or wait for them")

    def _files(self, arguments: Mapping[str, Any]) -> dict[str, str]:
        """Digests of the files that the arguments name. If the arguments name any file, the games in the folder are
        included, because a file of house rules may name one of these games."""
        values = chain.from_iterable(value if isinstance(value, list) else [value] for value in arguments.values())
        named = [str(value) for value in values if isfile(self.studies.folder / str(value))]
        games = self.studies.files("games") if named else []
        return {name: digest_of(self.studies.folder / name) for name in (*named, *games)}

    def _stands(self, job: Job) -> bool:
        return not job.over or (job.state == "done" and (self.studies.folder / job.folder / job.page).is_file())

    def cancel(self, number: int) -> None:
        """Cancel a job. Its work so far is kept, and `again` continues it."""
        with self._lock:
            job = self[number]
            if job.over:
                return
            self._keep(replace(job, state="cancelled"))
            if number in self._processes:
                self._processes[number][0].kill()

    def again(self, number: int) -> None:
        """Put a finished, failed or cancelled job back among the waiting jobs. Raises `InputError` if too many jobs are
        waiting."""
        with self._lock:
            if self[number].over:
                self._refuse_more()
                self._keep(replace(self[number], state="waiting", error="", said=[]))
                self._begin()

    def close(self) -> None:
        """End the running jobs. After the next start of the application they continue."""
        with self._lock:
            self._closed = True
            processes = [process for process, _ in self._processes.values()]
        Companion.end(processes)

    def _keep(self, job: Job) -> None:
        """Store a job, and write its file."""
        self._all[job.number] = job
        write_text(self.studies.folder / "jobs" / f"{job.number:05}.json", json.dumps(asdict(job), indent=1) + "\n")

    def _begin(self) -> None:
        """Begin the first waiting jobs, until `TOGETHER` jobs run. A job that was cancelled a moment ago waits until
        its process has ended."""
        with self._lock:
            for job in self:
                if len(self._processes) == TOGETHER or self._closed:
                    return
                if job.state == "waiting" and job.number not in self._processes:
                    self._keep(replace(job, state="running"))
                    words, progress = ["counting.app.jobs", f"jobs/{job.number:05}.json"], Progress()
                    process = Companion(
                        self.studies.folder, words, progress.hear, partial(self._ended, job.number, progress)
                    )
                    self._processes[job.number] = process, progress

    def _ended(self, number: int, progress: Progress, process: Companion) -> None:
        """Store the result of a job whose process has ended, unless it was cancelled or the application ends. Then
        begin the next job."""
        with self._lock:
            del self._processes[number]
            last = process.last or f"exit status {process.status}"
            if self[number].state == "running" and not self._closed:
                end = {"error": f"the work ended unexpectedly: {last}"} | progress.end
                self._keep(replace(self[number], **end))
            self._begin()


def request_class(verb: str) -> Any:
    """The class of a command's request. Raises `InputError` if the command has none."""
    found = getattr(import_module("counting.requests"), f"{verb.capitalize()}Request", None)
    if found is None:
        raise InputError(f"{verb!a}: is no question of the application")
    return found


def tell(**told: Any) -> None:
    """Print a line of JSON. It begins on a new line, after anything that a library has printed."""
    print(f"\n{json.dumps(told)}", file=sys.stderr, flush=True)


class Teller(Host):
    """A host that sends the lines for a person, and the progress, to the application."""

    def say(self, *lines: str) -> None:
        super().say(*lines)
        tell(said=lines, kept=lines)

    def tell(self, line: str) -> None:
        tell(said=[line])

    def follow(self, stage: Stage) -> None:
        tell(stage=asdict(stage))


def main(file: str) -> None:
    """Answer the request in a job's file."""
    if hasattr(os, "nice"):
        os.nice(5)  # the application's pages have priority
    job = json.loads(Path(file).read_text(encoding="utf-8"))
    try:
        request = request_class(job["verb"])(**job["arguments"], out=job["folder"])
        answer = request.answered(Teller(f"{request.command} --xlsx"))
        answer.to_xlsx(answer.page.with_suffix(".xlsx"))
        tell(end={"state": "done", "page": answer.page.name, "error": ""})
    except (InputError, OSError) as error:
        tell(end={"state": "failed", "error": str(error)})


if __name__ == "__main__":
    main(sys.argv[1])
