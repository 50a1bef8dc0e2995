"""Open workbooks and Parquet files in a second process, with limited memory and time, before their data are used.

The libraries for these formats cannot limit their memory. A damaged or hostile file may state a huge length; the
library then asks for more memory than there is, and its process ends.
"""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from counting.errors import InputError

ROWS = 1 << 18  # rows of a Parquet file that are read at a time
_SECONDS, _SPEED = 30.0, 1 << 21  # seconds allowed for any file, also on a busy machine; a further second for each 2 MB
_MEMORY, _TIMES = 2 << 30, 4  # bytes of memory allowed for any file; further bytes for each byte of the file
_MOST_AT_ONCE = 1 << 28  # bytes of memory for the rows that are read at a time
_MOST_UNZIPPED = 1 << 30  # the largest workbook, in bytes after unzipping
_REFUSED, _TOO_MUCH = 3, 4  # exit statuses


class Stamp(NamedTuple):
    """A file as it was at some time. If the file is written again, it has another stamp."""

    path: Path
    time: int  # of the last change, in nanoseconds
    size: int

    @classmethod
    def of(cls, path: Path) -> Stamp:
        status = path.stat()
        return cls(path.absolute(), status.st_mtime_ns, status.st_size)


_passed: deque[Stamp] = deque(maxlen=16)  # Parquet files that may be read; a page reads the same file several times


def most_rows(size: int) -> int:
    """The most rows that a log file of `size` bytes may have. Even in a packed file, a coup takes more than half a
    bit."""
    return 1_000_000 + 20 * size


def refuse_deadly_parquet(file: Path, path: Path) -> None:
    """Raise `InputError` for a Parquet file that would end the process that reads it, or that has more rows or bytes
    than any log. `file`: the file `path`, unpacked."""
    stamp = Stamp.of(path)
    if stamp not in _passed:
        _run("parquet", [str(file)], file, path, "not a Parquet file that can be read")
        _passed.append(stamp)


def sheets_of(file: Path, path: Path, sheet: str | None, folder: Path) -> list[str]:
    """The names of a workbook's sheets. Writes the cells of each sheet, or of the named sheet only, into the folder, as
    `0.arrow` for the first sheet, `1.arrow` for the second, and so on."""
    with suppress(zipfile.BadZipFile, NotImplementedError), zipfile.ZipFile(file) as parts:
        size = sum(part.file_size for part in parts.infolist())
        if size > _MOST_UNZIPPED:
            raise InputError(f"{path}: a workbook of {size:,} bytes unpacked, should be at most {_MOST_UNZIPPED:,}")
    wanted = [str(file), str(folder), *([] if sheet is None else [sheet])]
    names: list[str] = json.loads(_run("workbook", wanted, file, path, "not a workbook that can be read"))
    return names


def _run(kind: str, words: Sequence[str], file: Path, path: Path, what: str) -> bytes:
    size = file.stat().st_size
    seconds, memory = _SECONDS + size / _SPEED, _MEMORY + _TIMES * size
    command = [sys.executable, "-P", "-m", "counting.logs.apart", kind, str(memory), *words]
    try:
        done = subprocess.run(command, check=False, stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        raise InputError(f"{path}: {what}: it takes more than {seconds:.0f} seconds") from None
    if done.returncode == _REFUSED:
        raise InputError(f"{path}: {what}: {done.stdout.decode(errors='replace')}")
    if done.returncode == _TOO_MUCH or done.returncode < 0:
        raise InputError(f"{path}: {what}: damaged, or it takes more than {memory / 1e9:.1f} GB of memory")
    return done.stdout


def _go_through(file: str) -> None:
    import polars as pl

    scan = pl.scan_parquet(file, glob=False)
    rows, most = scan.select(pl.len()).collect().item(), most_rows(Path(file).stat().st_size)
    if rows > most:
        raise InputError(f"{rows:,} rows, should be at most {most:,} in a file of its size")
    for first in range(0, rows, ROWS):
        piece = scan.slice(first, ROWS).collect()
        texts = piece.select(pl.col(pl.String).str.len_bytes().sum().cast(pl.Int64))
        if max(piece.estimated_size(), sum(each.item() for each in texts)) > _MOST_AT_ONCE:
            raise InputError(f"{piece.height:,} rows take more than {_MOST_AT_ONCE:,} bytes, should be a log")
        if not piece.height:
            break


def _unpack(file: str, folder: str, sheet: str | None = None) -> None:
    import fastexcel

    book = fastexcel.read_excel(Path(file).read_bytes())
    names = book.sheet_names
    for at, name in enumerate(names):
        if sheet is None or name == sheet:
            cells = book.load_sheet(name, header_row=None, skip_rows=0, dtypes="string").to_polars()
            cells.write_ipc(Path(folder) / f"{at}.arrow")
    print(json.dumps(names))


def _bounded(memory: int) -> None:
    with suppress(ImportError, ValueError, OSError):  # some systems have no limit on memory; the limit on time remains
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _main(kind: str, memory: str, *words: str) -> int:
    _bounded(int(memory))
    try:
        if kind == "parquet":
            _go_through(*words)
        else:
            _unpack(*words)
    except MemoryError:
        return _TOO_MUCH
    except BaseException as error:  # the libraries' errors, panics among them, have no public base class
        print((str(error).splitlines() or ["damaged"])[0][:80], end="")
        return _REFUSED
    return 0


if __name__ == "__main__":
    sys.exit(_main(*sys.argv[1:]))
