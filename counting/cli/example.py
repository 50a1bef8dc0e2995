"""The command that writes example files, which the tutorials use."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from counting.errors import InputError, nearest
from counting.io.outputs import Kind, Output
from counting.io.tables import Format, put


class Example(NamedTuple):
    """Files to try a command on. `command` has `{}` in place of each file's path."""

    title: str
    files: tuple[str, ...]
    contents: Callable[[], tuple[bytes, ...]]
    command: str


def _log() -> tuple[bytes, ...]:
    from counting.review.synthetic import example_log

    return tuple(frame.write_csv().encode() for frame in example_log())


def _results() -> tuple[bytes, ...]:
    from counting.review.synthetic import example_results

    return (example_results().write_csv().encode(),)


EXAMPLES = {
    "audit": Example(
        "A table's log: 30 shoes of EZ Baccarat, with three patrons, one of whom counts",
        ("coups.csv", "bets.csv"),
        _log,
        "counting audit ez-baccarat --coups {} --bets {} --cut 14 --burn first-card",
    ),
    "results": Example(
        "Results without cards: 60 shoes of punto banco at two tables, and a dealer who enters ties wrongly",
        ("results.csv",),
        _results,
        "counting results punto-banco --coups {}",
    ),
}


def example(name: str | None = None, *, out: Path = Path(), format: Format = "table") -> None:
    """List the examples that come with the toolkit, or write the files of one of them.

    The files are the same on every machine. An existing file with other contents is not overwritten.

    Example: counting example

    Example: counting example audit --out review

    Parameters
    ----------
    name
        The example to write.
    out
        The folder for its files, by default the current one.
    format
        table, json or csv; for the list.
    """
    if name is None:
        rows = [{"example": key, "files": " ".join(each.files), "title": each.title} for key, each in EXAMPLES.items()]
        put(rows, {"examples": [{**row, "files": row["files"].split()} for row in rows]}, format)
        return
    if name not in EXAMPLES:
        raise InputError(f"example {name!r}: should be one of {', '.join(EXAMPLES)}{nearest(name, EXAMPLES)}")
    chosen = EXAMPLES[name]
    if out.exists() and not out.is_dir():
        raise InputError(f"--out {out}: a file, should be a folder")
    out.mkdir(parents=True, exist_ok=True)
    contents = dict(zip((out / file for file in chosen.files), chosen.contents(), strict=True))
    outputs = {path: Output(path, _the_same(content), "--out") for path, content in contents.items()}
    for path, output in outputs.items():
        output.write(contents[path])
    print(f"{chosen.title}: {', '.join(map(str, contents))}")
    print(f"Next: {chosen.command.format(*(shlex.quote(str(path)) for path in contents))}")


def _the_same(content: bytes) -> Kind:
    return Kind("this example's", lambda path: path.read_bytes() == content)
