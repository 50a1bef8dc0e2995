"""The documents: README, CONTRIBUTING and the pages of `docs`, with their blocks of code."""

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted(page for page in DOCS.rglob("*.md") if not page.is_relative_to(DOCS / "experiments"))
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *PAGES]
TUTORIALS = sorted((DOCS / "tutorials").glob("*.md"))
NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))


class Block(NamedTuple):
    """A block of code. `kind`: for example `sh`. `file`: the name under which the document says to save the block."""

    kind: str
    text: str
    file: str | None


@cache
def blocks(page: Path) -> list[Block]:
    """The blocks of a page, in order."""
    named = r"[Ss]ave (?:this|it)(?: \w+)*\s+as\s+`([\w.-]+)`"
    text = page.read_text()
    made = []
    for each in re.finditer(r"```(\w+)\n(.*?)```", text, re.DOTALL):
        before = text[: each.start()].rstrip().rsplit("\n\n", 1)[-1]
        saved = re.search(named, before)
        made.append(Block(each[1], each[2], saved[1] if saved else None))
    return made


def of_kind(page: Path, kind: str) -> list[str]:
    """The texts of a page's blocks of one kind."""
    return [block.text for block in blocks(page) if block.kind == kind]


def name(page: Path) -> str:
    """A page's path in the repository."""
    return str(page.relative_to(ROOT))
