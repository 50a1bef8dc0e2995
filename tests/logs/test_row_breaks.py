"""Rows of a CSV with line breaks within quotes."""

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from extent import examples
from hypothesis import given
from hypothesis import strategies as st

from counting.logs import read_log
from counting.logs.row_breaks import MOST, joined

NOTES = ["", "a note", "one, two", 'said "no"', "one\ntwo", "one\n\n, three\nfour", '"\n"', 'ends with "\nquotes"']
ROWS = st.lists(st.tuples(*[st.sampled_from(NOTES)] * 3), min_size=1, max_size=12)


def written(rows: Sequence[Sequence[str]], ends: str = "\n", quoting: int = csv.QUOTE_MINIMAL) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator=ends, quoting=quoting).writerows(rows)  # type: ignore[arg-type]
    return text.getvalue().encode()


def in_pieces(data: bytes, sizes: Sequence[int]) -> Iterator[bytes]:
    lines = data.splitlines(keepends=True)
    at = 0
    for size in sizes:
        if at < len(lines):
            yield b"".join(lines[at : at + size])
        at += size
    if lines[at:]:
        yield b"".join(lines[at:])


@given(
    ROWS, st.sampled_from(["\n", "\r\n"]), st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    st.lists(st.integers(1, 5), max_size=8),
)  # fmt: skip
@examples(500, 60)
def test_every_row_is_on_the_line_where_it_begins(
    notes: list[tuple[str, str, str]], ends: str, quoting: int, sizes: list[int]
) -> None:
    """The rows and their lines, as Python's reader of CSV files has them, in whatever pieces the file comes."""
    rows = [[str(at), "7", *of_row] for at, of_row in enumerate(notes)]
    data = written(rows, ends, quoting)
    lines = b"".join(joined(in_pieces(data, sizes), ",", 5)).decode().split("\n")
    assert len(lines) == len(data.split(b"\n"))
    begins, want = 0, {}
    whole = csv.reader(io.StringIO(data.decode().replace("\r\n", "\n")))
    for row in whole:
        want[begins] = [" ".join(field.split()) for field in row]
        begins = whole.line_num
    found = {at: next(csv.reader([line], strict=True)) for at, line in enumerate(lines) if line}
    assert {at: [" ".join(field.split()) for field in row] for at, row in found.items()} == want


@pytest.mark.parametrize(
    "lines",
    [
        ['1,1,"a quote that is not closed', "1,2,b", "1,3,c", '1,4,d"'],  # the last line alone is a row
        ['1,1,"a', *["more"] * MOST, 'end"', "1,2,b"],  # closed too late
        ['1,1,5" high', "1,2,b", '1,3,6" high'],
        ['1,1,"a', 'b"', '1,2,"c'],
        ['1,1,"a', 'b"c', "1,2,d"],
        ['1,1,"a', 'b",c', "1,2,d"],  # four fields together
    ],
    ids=["two open quotes", "late", "inches", "open at the end", "text beside a quote", "fields"],
)
def test_a_quote_that_is_not_closed_affects_no_other_line(lines: list[str]) -> None:
    data = "".join(f"{line}\n" for line in lines).encode()
    kept = b"".join(joined(iter([data]), ",", 3)).decode().splitlines()
    assert len(kept) == len(lines)
    sound = [(at, line) for at, line in enumerate(lines) if line.startswith("1,") and '"' not in line]
    assert [(at, kept[at]) for at, _ in sound] == sound


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_a_note_of_several_lines_loses_no_coup(tmp_path: Path, ends: str) -> None:
    notes = ["the cut card\ncame early", "", "asked:\n\n9h, or 9d?\nthe second", 'he said "no"\n']
    rows = [["1", str(at + 1), "9h Kd", "5c 2s", notes[at % 4], "player"] for at in range(400)]
    rows[5][2] = "9h Xd"
    heads = ["shoe", "coup", "player", "banker", "note", "winner"]
    (tmp_path / "log.csv").write_bytes(written([heads, *rows], ends))
    log = read_log(tmp_path / "log.csv")
    assert log.coups["coup"].to_list() == [*range(1, 401)]
    assert log.coups["winner"].unique().to_list() == ["player"]
    assert log.skipped["coups"] == 0
    assert log.remarks.select("line", "column").rows()[-1] == (1 + 1 + 2 + 1 + 4 + 2 + 2, "player")
