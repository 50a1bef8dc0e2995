"""Generated pages: written anew by their scripts, or compared with what is there by `--check`."""

from __future__ import annotations

import sys
from pathlib import Path

REFERENCE = Path(__file__).parent / "reference"


def put(name: str, text: str, script: str, arguments: list[str]) -> int:
    """Write a page of the reference; with `--check`, only see whether it is as it would be written. The exit status."""
    page = REFERENCE / name
    if "--check" not in arguments:
        page.write_text(text)
        return 0
    if page.read_text() == text:
        return 0
    lines = zip((page.read_text() + "\n").split("\n"), text.split("\n"), strict=False)
    first = next((f"{old!r}, now {new!r}" for old, new in lines if old != new), "its end")
    print(f"{page.name} is not as the code has it: {first}; run python docs/{script}.py", file=sys.stderr)
    return 1


def cell(text: str) -> str:
    """Words in a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def table(heads: list[str], rows: list[list[str]]) -> str:
    """A table in Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)
