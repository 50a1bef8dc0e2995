"""Tables in the Markdown files of experiments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

MARK = "<!-- table -->"


def put(path: Path, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Replace what stands in a Markdown file after its mark with a table."""
    lines = ["| " + " | ".join(columns) + " |", "|" + " --- |" * len(columns)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    head = path.read_text().split(MARK)[0]
    path.write_text(f"{head}{MARK}\n\n" + "\n".join(lines) + "\n")
