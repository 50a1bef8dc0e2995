"""Suggest a file with a similar name, for a path that does not exist."""

from __future__ import annotations

import os
from pathlib import Path

from counting.errors import closest

_MOST = 10_000  # a folder's files are compared up to this number


def did_you_mean(path: str | Path, ending: str = "") -> str:
    """A hint, `"; did you mean 'pit.toml'?"`, if the path's folder has a file or folder with a similar name; otherwise
    empty. `ending`: compare only names with this ending."""
    folder, name = os.path.split(str(path))
    if not name:
        return ""
    try:
        with os.scandir(folder or ".") as entries:
            names = [entry.name for _, entry in zip(range(_MOST), entries, strict=False)]
    except (OSError, ValueError):
        return ""
    stems = {each.removesuffix(ending): each for each in sorted(names) if each.endswith(ending) and each.isprintable()}
    near = closest(name.removesuffix(ending), stems)
    return "" if near is None else f"; did you mean {os.path.join(folder, stems[near])!r}?"
