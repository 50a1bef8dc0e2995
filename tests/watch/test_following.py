"""Inputs that grow: half lines wait, a file cut short or replaced begins anew."""

import gzip
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from counting import InputError
from counting.watch import Line, open_input
from counting.watch.following import GrowingFile

Opened = Callable[..., GrowingFile]


@pytest.fixture
def opened() -> Iterator[Opened]:
    files: list[GrowingFile] = []

    def make(path: Path, text: bytes = b"", from_end: bool = False) -> GrowingFile:
        path.write_bytes(text)
        file = open_input(str(path), 0, from_end)
        assert isinstance(file, GrowingFile)
        files.append(file)
        return file

    yield make
    for file in files:
        file.close()


def test_half_a_line_waits_for_its_end(tmp_path: Path, opened: Opened) -> None:
    path = tmp_path / "f"
    file = opened(path, b"a\nbc")
    assert file.read() == [Line(0, b"a\n", 2, 1)]
    assert file.waits
    assert file.read() == []
    with path.open("ab") as more:
        more.write(b"d\r\n\xc3")
    assert file.read() == [Line(0, b"bcd\r\n", 7, 2)]
    with path.open("ab") as more:
        more.write(b"\xbc\n")
    assert file.read() == [Line(0, b"\xc3\xbc\n", 10, 3)]
    assert not file.waits


def test_a_file_cut_short_begins_anew(tmp_path: Path, opened: Opened) -> None:
    path = tmp_path / "f"
    file = opened(path, b"a\nb\n")
    assert len(file.read()) == 2
    with path.open("r+b") as cut:
        cut.truncate(0)
        cut.write(b"c\n")
    assert file.read() == [Line(0, None, 0, 0), Line(0, b"c\n", 2, 1)]


def test_a_file_moved_away_is_read_to_its_end_and_then_its_successor(tmp_path: Path, opened: Opened) -> None:
    path = tmp_path / "f"
    file = opened(path, b"a\n")
    file.read()
    os.replace(path, tmp_path / "f.1")
    with (tmp_path / "f.1").open("ab") as old:
        old.write(b"b\n")
    assert file.read() == [Line(0, b"b\n", 4, 2)]
    assert file.read() == []  # the next is not yet there
    path.write_bytes(b"c\n")
    assert file.read() == [Line(0, None, 0, 0), Line(0, b"c\n", 2, 1)]


def test_going_on_needs_the_line_that_was_read_last(tmp_path: Path, opened: Opened) -> None:
    from zlib import crc32

    path = tmp_path / "f"
    file = opened(path, b"head\nabc\ndef\n")
    record = {"end": 9, "bytes": 4, "crc": crc32(b"abc\n"), "line": 2}
    file.resume(record)
    assert file.read() == [Line(0, b"def\n", 13, 3)]
    other = opened(path, b"head\nxyz\ndef\n")
    other.resume(record)
    assert [line.raw for line in other.read()] == [None, b"head\n", b"xyz\n", b"def\n"]


def test_from_the_end_the_column_names_are_read_and_then_what_comes(tmp_path: Path, opened: Opened) -> None:
    path = tmp_path / "f"
    file = opened(path, b"head\na\nb\nhal", from_end=True)
    assert file.read() == [Line(0, b"head\n", 5, 1)]
    with path.open("ab") as more:
        more.write(b"f\n")
    assert file.read() == [Line(0, b"half\n", 14, 4)]


def test_what_cannot_be_followed_is_refused(tmp_path: Path, opened: Opened) -> None:
    with pytest.raises(InputError, match="no such file"):
        open_input(str(tmp_path / "none"), 0)
    with pytest.raises(InputError, match="cannot be read"):
        open_input(str(tmp_path), 0)
    with pytest.raises(InputError, match="packed by gzip"):
        opened(tmp_path / "f.gz", gzip.compress(b"a\n"))
    for encoding in ("utf-16", "utf-16-le"):
        with pytest.raises(InputError, match="in UTF-16, or no text, should be a text in UTF-8"):
            opened(tmp_path / "f.csv", "table,shoe\n".encode(encoding))
