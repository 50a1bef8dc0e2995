"""The folder of the application. Its files are ordinary files, which commands read and write too."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterator
from contextlib import ExitStack, contextmanager
from itertools import chain, count
from pathlib import Path

from counting.errors import InputError
from counting.io.folders import claimed

ROOMS = ("rules", "games", "logs", "layouts", "reports", "statements", "live", "jobs")
"""The rooms: folders within the application's folder."""
KIND = "the studies of the application"
_PORTS = (f"{port}{i}" for port in ("com", "lpt") for i in "0123456789¹²³")
_RESERVED = {"con", "prn", "aux", "nul", *_PORTS}  # names that Windows reserves
_LONGEST = 80  # the most characters of a name, without its ending and what is added to it


class Studies:
    """The application's folder. Paths are relative to it, as the application runs in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Make the folder if it does not exist, and lock it for this process, on systems with file locks.

        Raises `InputError` if the folder is not the application's and is not empty, or if another application has
        locked it. A folder that has only hidden files counts as empty, unless one of them marks it as another kind of
        folder."""
        with ExitStack() as undo:
            try:
                undo.enter_context(claimed(self.folder, KIND, {}))
            except InputError as error:
                should = "should be a new or empty folder, or one of the application"
                raise InputError(re.sub(": holds .*", f": holds other files, {should}", str(error))) from None
            for room in ROOMS:
                (self.folder / room).mkdir(exist_ok=True)
            yield

    def file(self, written: str, *rooms: str) -> Path:
        """The path of a file, relative to the folder, from the text in an address or a form. Raises `InputError` if the
        file is not in one of these rooms, or is a link to a file outside the room."""
        path = Path(written)
        parts = path.parts
        fits = 2 <= len(parts) <= 4 and parts[0] in (rooms or ROOMS) and not any(part[0] == "." for part in parts)
        if not fits or "\0" in written or "\\" in written or path.is_absolute():
            raise InputError(f"{written!a}: should be a file in {' or '.join(rooms or ROOMS)}")
        full = self.folder / path
        if not full.is_file():
            raise InputError(f"{written}: is not there")
        if not full.resolve().is_relative_to((self.folder / parts[0]).resolve()):
            raise InputError(f"{written}: leads out of the folder, should be a file in it")
        return path

    def files(self, room: str, *endings: str) -> list[str]:
        """The visible files directly in a room, sorted by name. With `endings`, only files that end in one of them."""
        names = (path for path in (self.folder / room).iterdir() if path.is_file() and path.name[0] != ".")
        kept = (path.name for path in names if not endings or path.name.lower().endswith(endings))
        return [f"{room}/{name}" for name in sorted(kept, key=str.lower)]

    def new_folder(self, room: str, name: str, taken: Container[str] = ()) -> str:
        """The path for a new folder of results in a room: the `slug` of the name, with -2, -3 and so on if this path
        exists or is in `taken`."""
        first = f"{room}/{slug(name)}"
        names = chain([first], (f"{first}-{number}" for number in count(2)))
        return next(name for name in names if name not in taken and not (self.folder / name).exists())


def slug(name: str) -> str:
    """A name for a file: letters a to z, digits and hyphens."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub("[^a-z0-9]+", "-", plain).strip("-")[:_LONGEST] or "unnamed"


def file_name(name: str) -> str:
    """A safe name for an uploaded file, without the characters and names that file systems reserve."""
    stem, dot, ending = unicodedata.normalize("NFC", Path(name.replace("\\", "/")).name).rpartition(".")
    words = ["".join(c if c.isalnum() or c in " ._()+-" else "-" for c in part) for part in (stem, ending)]
    safe = f"{words[0][:_LONGEST].strip(' .-')}{dot}{words[1][:10].strip(' -')}".strip(" .")
    return f"log-{safe}" if not safe or not safe[0].isalnum() or safe.split(".")[0].lower() in _RESERVED else safe
