"""Jobs: requests that are kept as files, and worked out in turn, each by its own process."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from importlib import import_module
from itertools import accumulate, chain, count
from os.path import isfile
from threading import Condition, Thread
from typing import Any, Literal

from counting.app.studies import Studies
from counting.errors import InputError
from counting.io.folders import digest_of
from counting.io.outputs import write_text
from counting.requests import Stage

State = Literal["waiting", "running", "done", "failed", "cancelled"]
MOST_WAITING = 50
"""Jobs that may wait."""


@dataclass(frozen=True, kw_only=True)
class Job:
    """A request, and what became of it.

    `arguments`: the arguments of the command's request, without `out`. `folder`: where its answer goes; `page`: the
    answer's file there. `title`: its name in lists. `error`: why it failed. `files`: digests of the files that it
    reads."""

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


_STARTING = Stage("Starting", "")


class Jobs:
    """All jobs, the oldest first. Jobs are worked out in turn.

    `stage`: how far the running job is. `said`: its lines for a person to read. `changes`: a count of the changes that
    a page may have to show."""

    def __init__(self, studies: Studies) -> None:
        self.studies = studies
        self.stage = _STARTING
        self.said: list[str] = []
        self.changes = 0
        self._all: dict[int, Job] = {}
        self._changed = Condition()
        self._process: subprocess.Popen[str] | None = None
        self._closed = False
        for path in sorted((studies.folder / "jobs").glob("*.json")):
            with suppress(ValueError, TypeError, KeyError, OSError):  # a damaged file is left where it is
                job = Job(**json.loads(path.read_text(encoding="utf-8")))
                self._all[job.number] = replace(job, state="waiting") if job.state == "running" else job
        self._numbers = count(max(self._all, default=0) + 1)
        self._thread = Thread(target=self._work, daemon=True)
        self._thread.start()

    def __iter__(self) -> Iterator[Job]:
        with self._changed:
            return iter(list(self._all.values()))

    def __getitem__(self, number: int) -> Job:
        """Raises `InputError` for a number that no job has."""
        if number not in self._all:
            raise InputError(f"job {number}: is not there")
        return self._all[number]

    def before(self) -> dict[int, int]:
        """The number of unfinished jobs before each job, by its number."""
        jobs = list(self)
        numbers = accumulate((not job.over for job in jobs[:-1]), initial=0)
        return {job.number: number for job, number in zip(jobs, numbers, strict=False)}

    def add(self, verb: str, arguments: Mapping[str, Any], folder: tuple[str, str], title: str) -> Job:
        """Take a request; it waits for its turn. The same request on the same files is the same job, unless it failed
        or was cancelled. `folder`: the room and the name of the folder for its answer."""
        files = self._files(arguments)
        with self._changed:
            for job in self._all.values():
                if (job.verb, job.arguments, job.files) == (verb, arguments, files) and self._stands(job):
                    return job
            if sum(not job.over for job in self._all.values()) >= MOST_WAITING:
                raise InputError(f"{MOST_WAITING} jobs are waiting, should be fewer: cancel some, or wait for them")
            at = self.studies.new_folder(*folder, {job.folder for job in self._all.values()})
            now = datetime.now().astimezone().isoformat(" ", "seconds")
            job = Job(
                number=next(self._numbers), verb=verb, arguments=dict(arguments), folder=at, title=title, asked=now,
                files=files,
            )  # fmt: skip
            self._keep(job)
            return job

    def _files(self, arguments: Mapping[str, Any]) -> dict[str, str]:
        """Digests of the files that these arguments name. If they name any, also of the folder's games, as house rules
        name games."""
        values = chain.from_iterable(value if isinstance(value, list) else [value] for value in arguments.values())
        named = [str(value) for value in values if isfile(self.studies.folder / str(value))]
        games = self.studies.files("games") if named else []
        return {name: digest_of(self.studies.folder / name) for name in (*named, *games)}

    def _stands(self, job: Job) -> bool:
        return not job.over or (job.state == "done" and (self.studies.folder / job.folder / job.page).is_file())

    @property
    def words(self) -> str:
        """How far the running job is, and how long the rest takes."""
        return f"{self.stage.subject}: {self.stage.how_far}" if self.stage.total else f"{self.stage.subject} …"

    def cancel(self, number: int) -> None:
        """End a job. Its work so far is kept, and `again` goes on from there."""
        with self._changed:
            job = self[number]
            if job.over:
                return
            self._keep(replace(job, state="cancelled"))
            if job.state == "running" and self._process is not None:
                self._process.kill()

    def again(self, number: int) -> None:
        """Let a job that failed or was cancelled wait for another turn."""
        with self._changed:
            if self[number].over:
                self._keep(replace(self[number], state="waiting", error="", said=[]))

    def close(self) -> None:
        """End the running job; the next start goes on with it."""
        with self._changed:
            self._closed = True
            if self._process is not None:
                self._process.kill()
            self._changed.notify_all()
        self._thread.join(5)

    def _keep(self, job: Job) -> None:
        """Keep a job as it is now, in its file too."""
        self._all[job.number] = job
        write_text(self.studies.folder / "jobs" / f"{job.number:05}.json", json.dumps(asdict(job), indent=1) + "\n")
        self.changes += 1
        self._changed.notify_all()

    def _work(self) -> None:
        """Work out the jobs, in the order of their numbers."""
        while (begun := self._begun()) is not None:
            number, process = begun
            end = self._followed(process)
            with self._changed:
                self._process = None
                if self._all[number].state == "running" and not self._closed:
                    self._keep(replace(self._all[number], **end))

    def _begun(self) -> tuple[int, subprocess.Popen[str]] | None:
        """The next job and its process, when there is one; None when the application ends."""
        with self._changed:
            while not self._closed:
                job = next((job for job in self._all.values() if job.state == "waiting"), None)
                if job is None:
                    self._changed.wait()
                    continue
                self.stage, self.said = _STARTING, []
                self._keep(replace(job, state="running"))
                words = [sys.executable, "-P", "-m", "counting.app.worker", f"jobs/{job.number:05}.json"]
                self._process = subprocess.Popen(
                    words, cwd=self.studies.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE, encoding="utf-8", errors="replace",
                )  # fmt: skip
                return job.number, self._process
        return None

    def _followed(self, process: subprocess.Popen[str]) -> dict[str, Any]:
        """Follow a job's process to its end. Returns the job's page, or why it failed."""
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdin is not None
        noise: list[str] = []
        listener = Thread(target=lambda: noise.extend(process.stderr or ()), daemon=True)
        listener.start()
        end: dict[str, Any] = {}
        kept: list[str] = []
        for line in process.stdout:
            told = json.loads(line)
            if "said" in told:
                self.said.append(told["said"])
                kept += [told["said"]] * told["keep"]
            elif "page" in told:
                end = {"state": "done", "page": told["page"], "error": ""}
            elif "error" in told:
                end = {"state": "failed", "error": told["error"]}
            else:
                self.stage = Stage(**told["stage"])
            self.changes += 1
        process.stdin.close()
        process.wait()
        listener.join(5)
        process.stdout.close()
        process.stderr.close()
        last = next((line.strip() for line in reversed(noise) if line.strip()), f"exit status {process.returncode}")
        return {"state": "failed", "error": f"the work ended unexpectedly: {last}", **end, "said": kept}


def request_class(verb: str) -> Any:
    """The request of a command that has a page. Raises `InputError` for other commands."""
    found = getattr(import_module("counting.requests"), f"{verb.capitalize()}Request", None)
    if found is None:
        raise InputError(f"{verb!a}: is no question of the application")
    return found
