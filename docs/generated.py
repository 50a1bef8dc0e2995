"""Generated pages: written anew by their scripts, or compared with what is there by `--check`."""

from __future__ import annotations

import sys
from pathlib import Path

REFERENCE = Path(__file__).parent / "reference"


def put(pages: dict[str, str], script: str, arguments: list[str]) -> int:
    """Write pages of the reference, and remove all other pages from the subfolders that they are in. With `--check`,
    change nothing, but report pages that differ and pages to be removed. Returns the exit status."""
    folders = {(REFERENCE / name).parent for name in pages} - {REFERENCE}
    old = {page for folder in folders for page in folder.glob("*.md")} - {REFERENCE / name for name in pages}
    if "--check" not in arguments:
        for folder in folders:
            folder.mkdir(exist_ok=True)
        for page in old:
            page.unlink()
        for name, text in pages.items():
            (REFERENCE / name).write_text(text)
        return 0
    wrong = {page.name: "nothing, but it is there" for page in old} | {
        name: difference for name, text in pages.items() if (difference := differs(REFERENCE / name, text))
    }
    for name, difference in sorted(wrong.items()):
        print(f"{name} is not as the code has it: {difference}; run python docs/{script}.py", file=sys.stderr)
    return bool(wrong)


def differs(page: Path, text: str) -> str:
    """The first difference between a page and its new text; empty if there is none."""
    kept = page.read_text() if page.is_file() else ""
    if kept == text:
        return ""
    lines = zip((kept + "\n").split("\n"), text.split("\n"), strict=False)
    return next((f"{old!r}, now {new!r}" for old, new in lines if old != new), "its end")


def toctree(pages: list[str]) -> str:
    """The pages below a page, in this order, for the sidebar."""
    return "\n".join(["```{toctree}", ":hidden:", ":maxdepth: 1", *pages, "```"]) + "\n"


def cell(text: str) -> str:
    """Words in a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def table(heads: list[str], rows: list[list[str]]) -> str:
    """A table in Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)
