"""Inputs that grow: half lines wait, and a file that is cut short or replaced begins anew."""

import gzip
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest

from counting import InputError
from counting.live import InputLine, open_input
from counting.live.following import GrowingFile

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
    assert file.read() == [InputLine(0, b"a\n", 2, 1)]
    assert file.waits
    assert file.read() == []
    with path.open("ab") as more:
        more.write(b"d\r\n\xc3")
    assert file.read() == [InputLine(0, b"bcd\r\n", 7, 2)]
    with path.open("ab") as more:
        more.write(b"\xbc\n")
    assert file.read() == [InputLine(0, b"\xc3\xbc\n", 10, 3)]
    assert not file.waits


def test_a_file_cut_short_begins_anew(tmp_path: Path, opened: Opened) -> None:
    path = tmp_path / "f"
    file = opened(path, b"a\nb\n")
    assert len(file.read()) == 2
    with path.open("r+b") as cut:
        cut.truncate(0)
        cut.write(b"c\n")
    assert file.read() == [InputLine(0, None, 0, 0), InputLine(0, b"c\n", 2, 1)]


def test_a_file_moved_away_is_read_to_its_end_and_then_its_successor(tmp_path: Path, opened: Opened) -> None:
    path = tmp_path / "f"
    file = opened(path, b"a\n")
    file.read()
    os.replace(path, tmp_path / "f.1")
    with (tmp_path / "f.1").open("ab") as old:
        old.write(b"b\n")
    assert file.read() == [InputLine(0, b"b\n", 4, 2)]
    assert file.read() == []  # the new file is not there yet
    path.write_bytes(b"c\n")
    assert file.read() == [InputLine(0, None, 0, 0), InputLine(0, b"c\n", 2, 1)]


def test_going_on_needs_the_line_that_was_read_last(tmp_path: Path, opened: Opened) -> None:
    path = tmp_path / "f"
    file = opened(path, b"head\nabc\ndef\n")
    record = {"end": 9, "bytes": 4, "crc": crc32(b"abc\n"), "line": 2}
    file.resume(record)
    assert file.read() == [InputLine(0, b"def\n", 13, 3)]
    other = opened(path, b"head\nxyz\ndef\n")
    other.resume(record)
    assert [line.raw for line in other.read()] == [None, b"head\n", b"xyz\n", b"def\n"]


def test_from_the_end_the_column_names_are_read_and_then_what_comes(tmp_path: Path, opened: Opened) -> None:
    path = tmp_path / "f"
    file = opened(path, b"head\na\nb\nhal", from_end=True)
    assert file.read() == [InputLine(0, b"head\n", 5, 1)]
    with path.open("ab") as more:
        more.write(b"f\n")
    assert file.read() == [InputLine(0, b"half\n", 14, 4)]


def test_what_cannot_be_followed_is_refused(tmp_path: Path, opened: Opened) -> None:
    with pytest.raises(InputError, match="no such file"):
        open_input(str(tmp_path / "none"), 0)
    with pytest.raises(InputError, match="cannot be read"):
        open_input(str(tmp_path), 0)


@pytest.mark.parametrize(
    ("start", "what"),
    [
        (gzip.compress(b"a" * 20, mtime=0), "packed by gzip, which cannot be followed: should come unpacked, gzip -dc"),
        (b"SQLite format 3\0" + bytes(10), "an SQLite database, which has no lines to follow: should be CSV or"),
        (b"PAR1" + bytes(20), "a Parquet file"),
        (b"PK\x03\x04" + bytes(20), "a workbook or an archive"),
        (b'[{"table": 1, "shoe": 1}', "one JSON value, which can be read only when it is whole: should be JSON lines"),
        (b'[\n  {"table": 1, "shoe"', "one JSON value"),
        (b'{\n  "table": 1, "shoe"', "one JSON value"),
        (b"table,shoe\0\0\0\0\0\0\0", "no text"),
    ],
    ids=["gzip", "sqlite", "parquet", "workbook", "array", "array over lines", "object over lines", "zeros"],
)
def test_what_has_no_lines_is_refused(tmp_path: Path, opened: Opened, start: bytes, what: str) -> None:
    with pytest.raises(InputError, match=what):
        opened(tmp_path / "f", start)
    file = opened(tmp_path / "g")  # a file that is empty at first is not refused
    (tmp_path / "g").write_bytes(start)
    with pytest.raises(InputError, match=what):
        file.read()


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "gb18030"])
def test_lines_end_where_the_encoding_has_them_end(encoding: str, tmp_path: Path) -> None:
    texts = ["table,shoe,coup,桌\n", "1,\u0a0a\u0a00,\u010a\n", "\u0a0d,2\r\n"]  # with bytes 0x0a that end no line
    data = "".join(texts).encode(encoding)
    path = tmp_path / "f"
    path.write_bytes(data[:1])
    stated = None if encoding.startswith("utf-16") else encoding
    file = open_input(str(path), 0, encoding=stated)
    lines = file.read()
    for at in range(1, len(data), 3):
        with path.open("ab") as more:
            more.write(data[at : at + 3])
        lines += file.read()
    file.close()
    raw = [line.raw or b"" for line in lines]
    assert b"".join(raw) == data
    codec = {"utf-16": "utf-16-le", "utf-32": "utf-32-le"}.get(encoding, encoding)
    assert [each.decode(codec).lstrip("\ufeff") for each in raw] == texts
    assert [line.end for line in lines] == np.cumsum([len(each) for each in raw]).tolist()
    again = open_input(str(path), 0, encoding=stated)
    again.resume({"end": lines[1].end, "bytes": len(raw[1]), "crc": crc32(raw[1]), "line": 2})
    assert again.read() == lines[2:]
    again.close()


@pytest.mark.parametrize("more", [0, 1, 5000])
@pytest.mark.parametrize("head", ["", "table,shoe,coup,player,banker\n"])
def test_a_file_that_is_truncated_and_filled_anew_begins_anew_whatever_its_length(
    head: str, more: int, tmp_path: Path, opened: Opened
) -> None:
    """The new content is as long as the old, a byte longer, or longer by more than the bytes that are compared. It may
    have the same first line."""
    path = tmp_path / "live.csv"
    first = head + "".join(f"1,1,{coup},9h 8h,7s Ks\n" for coup in range(1, 200))
    file = opened(path, first.encode())
    assert len(file.read()) == first.count("\n")
    assert file.read() == []
    second = head + "".join(f"1,2,{coup},7h 8h,9s Ks\n" for coup in range(1, 200)) + "x" * more + "\n"
    second = second if more else second[:-1]
    with path.open("r+") as out:
        out.truncate(0)
        out.write(second)
    begun, *lines = file.read()
    assert begun == InputLine(0, None, 0, 0)
    assert b"".join(line.raw or b"" for line in lines) == second.encode()
    assert file.read() == []


def test_a_file_that_grows_while_its_start_stays_goes_on(tmp_path: Path, opened: Opened) -> None:
    path = tmp_path / "live.csv"
    file = opened(path)
    read: list[InputLine] = []
    for at in range(300):
        with path.open("a") as out:
            out.write(f"{at},{'x' * (at % 40)}\n"[: 7 + at % 30])
        read += file.read()
    assert all(line.raw is not None for line in read)
    assert b"".join(line.raw or b"" for line in read) == path.read_bytes()[: read[-1].end]


def test_a_file_cut_and_filled_again_between_two_looks_begins_anew(tmp_path: Path, opened: Opened) -> None:
    """The new content may be longer or shorter than the old. It may share the first line with it, or the last line, or
    the first 60 lines."""
    head = b"table,shoe,coup\n"
    old = [head, *(b"1,1,%d\n" % at for at in range(100))]
    others = [b"2,1,%d\n" % at for at in range(300)]
    for new in ([head, *others], [b"TABLE,shoe,coup\n", *old[1:], *others], [*old[:60], *others], [head]):
        file = tmp_path / "live.csv"
        file.write_bytes(b"".join(old))
        source = opened(file, file.read_bytes())
        assert len(read_all(source)) == 101
        file.write_bytes(b"".join(new))
        again = read_all(source)
        assert again[0].raw is None
        assert [line.raw for line in again[1:]] == new
        source.close()


def test_a_line_longer_than_a_look_is_waited_for(tmp_path: Path, opened: Opened) -> None:
    file = tmp_path / "live.jsonl"
    file.write_bytes(b'{"a":1}\n' + b'{"a":"%s"}\n' % (b"x" * 200_000) + b'{"a":2}\n')
    source = opened(file, file.read_bytes())
    assert [len(line.raw or b"") for line in read_all(source)] == [8, 200_009, 8]


def test_a_line_that_is_too_long_is_kept_by_its_end(tmp_path: Path, opened: Opened) -> None:
    """Only the end of the line is kept, so it takes little memory, and a restart recognizes the line by this end."""
    file = tmp_path / "live.jsonl"
    file.write_bytes(b'{"a":1}\n' + b"x" * 5_000_000 + b"\n" + b'{"a":2}\n')
    first, long, last = read_all(opened(file, file.read_bytes()))
    assert (first.raw, last.raw) == (b'{"a":1}\n', b'{"a":2}\n')
    assert long.raw is not None
    assert len(long.raw) < 1_100_000
    assert (long.end, last.end) == (5_000_009, 5_000_017)
    again = opened(file, file.read_bytes())
    again.resume({"end": long.end, "bytes": len(long.raw), "crc": crc32(long.raw), "line": 2})
    assert read_all(again) == [last]


def read_all(source: GrowingFile) -> list[InputLine]:
    lines = source.read()
    while not source.idle:
        lines += source.read()
    return lines
