"""A linter of prose, for README.md, CONTRIBUTING.md, CHANGELOG.md, the pages of `docs`, the notes of `experiments` and
the docstrings of public names: no sentence of more than 40 words, and none of the phrases of `WRITE`. It prints each
fault on a line, with what to write instead. The exit status is 1 if there are faults.

    python docs/prose.py [FILE.md ...]
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
MOST_WORDS = 40
WRITE = {
    r"(?:those|that) of": 'the noun again, or a possessive: "the counter\'s bets"',
    r"(?:is|are) (?:said|told)": "what is done: reported, printed, named",
    r"as many|so many": "the number, or n",
    r"and the like|or the like": "the things, or nothing",
    r"an own|of an own": '"your own", or whose it is',
    r"read it so": '"what this means"',
}
"""Phrases that are always wrong here, as patterns, and what to write instead."""
_CODE = re.compile(r"`[^`]*`|\$\$.*?\$\$|\$(?=\S)(?:(?!\n\n)[^$])*(?<=\S)\$(?!\d)", re.DOTALL)
"""A pattern for a piece of code or a formula. Amounts, as in "$5 or $6", are not formulas."""


class Fault(NamedTuple):
    """A sentence to write again: where it is, what is wrong with it, and what to do."""

    file: str
    line: int
    wrong: str
    write: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.wrong}: write {self.write}"


def plain(text: str) -> str:
    """Markdown as words, line by line: a piece of code or a formula is one word; blocks of code, tables and targets of
    links are gone."""

    def lines_of(found: re.Match[str]) -> str:
        return "\n" * found[0].count("\n")

    text = re.sub(r"(?ms)^ *(```|\$\$).*?\1.*?$|^>>> .*?(?=^$|\Z)|<!--.*?-->", lines_of, text)
    text = _CODE.sub(lambda found: "X" + lines_of(found), text)
    text = re.sub(r"\]\([^)]*\)", lambda found: "]" + lines_of(found), text)
    return re.sub(r"(?m)^ *\|.*$|^ *#+ ", "", text)


def sentences(text: str) -> Iterator[tuple[int, str]]:
    """The sentences of Markdown, each with the number of the line that it begins on."""
    text = plain(text)
    start = 0
    for end in [*re.finditer(r"\n[ >]*\n|\n(?= *(?:[-*>] |\d+\. ))|\Z", text)]:
        part, first = text[start : end.start()], start
        at = 0
        for stop in [*re.finditer(r"[.!?:;][)\"*_]*(?=\s+[A-Z*_\[(\"<])|\Z", part)]:
            if sentence := " ".join(part[at : stop.end()].split()):
                blank = len(part[at:]) - len(part[at:].lstrip())
                yield text.count("\n", 0, first + at + blank) + 1, sentence
            at = stop.end()
        start = end.start()


def faults(file: str, text: str, line: int = 0) -> list[Fault]:
    """The faults of a text of this file. `line`: the number of the line before the text."""
    found = []
    for number, sentence in sentences(text):
        words = [word for word in sentence.split() if re.search(r"\w", word)]
        if len(words) > MOST_WORDS:
            start = " ".join(words[:6])
            found.append(Fault(file, line + number, f'{len(words)} words: "{start} ..."', f"{MOST_WORDS} at most"))
        for phrase, write in WRITE.items():
            found += [Fault(file, line + number, f'"{each[0]}"', write)
                      for each in re.finditer(rf"\b(?:{phrase})\b", sentence, re.IGNORECASE)]  # fmt: skip
    return found


def pages() -> list[Path]:
    """The pages that people read. A fault on a generated page is in a docstring or in a meaning."""
    pages = (page for page in (ROOT / "docs").rglob("*.md") if not page.is_relative_to(ROOT / "docs" / "experiments"))
    return [
        *(ROOT / f"{title}.md" for title in ("README", "CONTRIBUTING", "CHANGELOG")),
        *sorted(pages),
        *sorted((ROOT / "experiments").rglob("*.md")),
    ]


def name(page: Path) -> str:
    """A page's path in the repository; the path as given if the page is elsewhere."""
    return page.relative_to(ROOT).as_posix() if page.is_relative_to(ROOT) else str(page)


def docstrings() -> Iterator[tuple[str, int, str]]:
    """The docstrings of public names: the file, the number of the line before the docstring, and the text."""
    import counting

    for public in sorted({*counting.__all__}):
        value = getattr(counting, public)
        module = inspect.getmodule(value)
        if (inspect.isclass(value) or inspect.isfunction(value)) and module and (file := inspect.getsourcefile(value)):
            source, first = inspect.getsourcelines(value)
            opened = next((n for n, text in enumerate(source) if '"""' in text), 0)
            text = re.sub(r"(?m)^( *)(.*)\n(?!\1\S|\n)", r"\1\2\n\n", inspect.getdoc(value) or "")
            verb = file.endswith("verbs.py")  # a verb's docstring is made from its request's
            where = f"counting/{Path(file).as_posix().rpartition('/counting/')[2]}"
            yield (f"help(counting.{public})", 0, text) if verb else (where, first - 1 + opened, text)


def main(files: list[str]) -> int:
    """Print the faults of these pages, or of all pages and docstrings. Returns the exit status."""
    found = [fault for page in map(Path, files) for fault in faults(name(page.resolve()), page.read_text())]
    if not files:
        found = [fault for page in pages() for fault in faults(name(page), page.read_text())]
        found += [fault for file, line, text in docstrings() for fault in faults(file, text, line)]
    print(*found, sep="\n", end="\n" if found else "")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
