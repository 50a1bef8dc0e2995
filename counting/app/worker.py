"""The process of a job: it answers the request in a job's file, and prints its progress as lines of JSON."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from counting.app.companion import end_with_application
from counting.app.jobs import request_class
from counting.errors import InputError
from counting.requests import Host, Stage


def tell(**told: Any) -> None:
    """Print a line of JSON."""
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()


class Teller(Host):
    """Sends words and progress to the application, and results to the job's folder."""

    def say(self, *lines: str) -> None:
        super().say(*lines)
        for line in lines:
            tell(said=line, keep=True)

    def tell(self, line: str) -> None:
        tell(said=line, keep=False)

    def follow(self, stage: Stage) -> None:
        tell(stage=asdict(stage))

    def folder(self, out: Path | str | None, default: Callable[[], Path]) -> Path:
        return default() if out is None else Path(out)


def main(file: str) -> int:
    """Work out the job in a file. Returns the exit status."""
    end_with_application()
    if hasattr(os, "nice"):
        os.nice(5)  # the pages come first
    job = json.loads(Path(file).read_text(encoding="utf-8"))
    try:
        request = request_class(job["verb"])(**job["arguments"], out=job["folder"])
        answer = request.answered(Teller(f"{request.command} --xlsx"))
        answer.to_xlsx(answer.page.with_suffix(".xlsx"))
    except (InputError, OSError) as error:
        tell(error=str(error))
        return 2
    tell(page=answer.page.name)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
