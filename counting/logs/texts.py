"""Read text files, packed by gzip or not, as UTF-8 in pieces of whole lines. The encoding may be any that Python
knows."""

from __future__ import annotations

import codecs
import gzip
import os
import re
import stat
import tempfile
import zlib
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE, BOM_UTF32_LE
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import BinaryIO

from counting.errors import InputError
from counting.io.beside import did_you_mean
from counting.logs.records import LONGEST

FIRST, PIECE = 1 << 18, 1 << 21  # bytes read first, to see whether this is a log; the most bytes read at a time
GZIP = b"\x1f\x8b"
SEEN = 200  # the number of bytes at a file's beginning that show its form
_GROWN, _GROWTH = 1 << 26, 100  # the most unpacked bytes: this number or, if more, this multiple of the file's size

Read = Callable[[int], bytes]


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """Turn the system's errors for an unreadable file into an `InputError` of one line."""
    try:
        yield
    except InputError:
        raise
    except FileNotFoundError:
        raise InputError(f"{path}: no such file{did_you_mean(path)}") from None
    except IsADirectoryError:
        raise InputError(f"{path}: a folder, should be a CSV, Parquet, JSON, Excel or SQLite file") from None
    except EOFError:
        raise InputError(f"{path}: cannot be read: a gzip file that ends too early") from None
    except (OSError, ValueError, zlib.error) as error:
        raise InputError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Open a file for its bytes. A pipe or a device is refused, because it may never end and can be read only once."""
    with readable(path):
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            raise InputError(f"{path}: a pipe or a device, should be a file")
        with path.open("rb") as raw:
            yield raw


def reader(raw: BinaryIO, path: Path) -> Read:
    """A function that reads a file's bytes, unpacked if the file is packed. A packed file that unpacks to far more
    bytes than any log has is refused."""
    is_packed = raw.read(len(GZIP)) == GZIP
    raw.seek(0)
    if not is_packed:
        return raw.read
    file = gzip.GzipFile(fileobj=raw)
    grown, most = 0, max(_GROWN, _GROWTH * os.fstat(raw.fileno()).st_size)

    def read(size: int) -> bytes:
        nonlocal grown
        data = file.read(min(size, PIECE))
        grown += len(data)
        if grown > most:
            raise InputError(f"{path}: packed by gzip, of more than {most:,} bytes unpacked: should be a log")
        return data

    return read


def beginning(path: Path, number: int = SEEN) -> bytes:
    """The first bytes of a file, unpacked."""
    with opened(path) as raw:
        return reader(raw, path)(number)


@contextmanager
def unpacked(path: Path) -> Iterator[Path]:
    """A path to the file without gzip packing. A packed file is unpacked into a temporary folder."""
    with ExitStack() as undo:
        plain = path
        with opened(path) as raw:
            is_packed = raw.read(len(GZIP)) == GZIP
            raw.seek(0)
            if is_packed:
                plain = Path(undo.enter_context(tempfile.TemporaryDirectory())) / "unpacked"
                read = reader(raw, path)
                with plain.open("wb") as file:
                    while data := read(PIECE):
                        file.write(data)
        yield plain


def whole_text(path: Path, encoding: str | None, most: int) -> str:
    """The whole text of a file. Raises `InputError` for a file of more than `most` bytes."""
    with opened(path) as raw:
        read = reader(raw, path)
        data = start = read(FIRST)
        parts = []
        size = 0
        while data:
            parts.append(data)
            size += len(data)
            if size > most:
                raise InputError(f"{path}: one JSON value of more than {most:,} bytes, should be JSON lines")
            data = read(PIECE)
    encoding = encoding or encoding_of(start)
    decoder = _decoder(path, encoding)
    whole = b"".join(parts)
    text = decoder.decode(whole, final=True) if decoder is not None else whole.decode(errors="replace")
    return text.removeprefix("\ufeff")


def first_lines(path: Path, encoding: str | None) -> list[bytes]:
    """The first lines of a file, in UTF-8. A last line that may be cut off is left out, unless it is the only line."""
    with opened(path) as raw:
        start = reader(raw, path)(2 * LONGEST)
    decoder = _decoder(path, encoding or encoding_of(start))
    lines = (decoder.decode(start).encode(errors="replace") if decoder else start).removeprefix(BOM_UTF8).splitlines()
    return lines[:-1] if len(start) == 2 * LONGEST and len(lines) > 1 else lines


def number_of_lines(path: Path) -> int:
    """The number of line feeds in a file; 0 for Parquet, SQLite, a workbook or a packed file."""
    with path.open("rb") as file:
        pieces = iter(partial(file.read, 1 << 20), b"")
        start = next(pieces, b"")
        if start.startswith((b"PAR1", b"SQLite format 3\0", b"PK\x03\x04", b"\x1f\x8b")):
            return 0
        return start.count(b"\n") + sum(piece.count(b"\n") for piece in pieces)


def pieces_of(path: Path, encoding: str | None = None) -> Iterator[bytes]:
    """The text of a file in UTF-8, in pieces of whole lines. Each line ends with one line feed."""
    with opened(path) as raw:
        read = reader(raw, path)
        start = read(FIRST)
        encoding = encoding or encoding_of(start)
        decoder = _decoder(path, encoding)

        def more(size: int) -> bytes:
            return _recoded(read(size), decoder)

        yield from _whole_lines(_recoded(start, decoder).removeprefix(BOM_UTF8), more)


def _decoder(path: Path, encoding: str | None) -> codecs.IncrementalDecoder | None:
    if encoding is None:
        return None
    try:
        " ".encode(encoding)  # fails for codecs such as base64, which do not encode texts
        return codecs.getincrementaldecoder(encoding)("replace")
    except (LookupError, UnicodeError):
        raise InputError(f"{path}: encoding {encoding!r}: should be one that Python knows, as gbk or cp1252") from None


def encoding_of(start: bytes) -> str | None:
    """The name of UTF-16, recognised by the byte order mark or by zero bytes; None for a file that is read as UTF-8."""
    if start.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return "utf-16"
    seen = start[:SEEN]
    for name, zeros in (("utf-16-le", seen[1::2]), ("utf-16-be", seen[::2])):
        if len(seen) > 8 and zeros.count(0) > 0.8 * len(zeros) and seen.count(0) < 0.6 * len(seen):
            return name
    return None


def with_byte_order(encoding: str, start: bytes) -> str:
    """The name of an encoding, with the byte order added for UTF-16 and UTF-32: big-endian if the text begins with the
    big-endian mark, otherwise little-endian."""
    name = codecs.lookup(encoding).name
    marks = {"utf-16": (BOM_UTF16_BE, BOM_UTF16_LE), "utf-32": (BOM_UTF32_BE, BOM_UTF32_LE)}
    if name not in marks:
        return name
    return f"{name}-be" if start.startswith(marks[name][0]) else f"{name}-le"


def _recoded(data: bytes, decoder: codecs.IncrementalDecoder | None) -> bytes:
    if decoder is None:
        return data
    return decoder.decode(data, final=not data).encode(errors="replace")


def _whole_lines(start: bytes, more: Read) -> Iterator[bytes]:
    """The bytes of a file in pieces of whole lines. Each line ends with one line feed. A very long line is cut."""
    rest, size = start, len(start)
    while rest:
        size = min(2 * size, PIECE)
        data = more(size)
        # A carriage return at the end may be followed by a line feed in the next bytes.
        whole, rest = (rest[:-1], rest[-1:]) if data and rest.endswith(b"\r") else (rest, b"")
        if b"\r" in whole:
            whole = whole.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        if not data:
            yield whole if whole.endswith(b"\n") else whole + b"\n"
            return
        cut = whole.rfind(b"\n") + 1
        if cut:
            yield whole[:cut]
        kept = whole[cut:]
        if len(kept) > LONGEST:  # cut to one byte too many, so that the line is still refused
            end = re.search(rb"[\r\n]", rest + data)
            kept, data = kept[: LONGEST + 1], (rest + data)[end.start() :] if end else b""
            rest = b""
        rest = kept + rest + data
