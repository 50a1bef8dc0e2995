"""A file for which a layout is drafted, and the ways in which it may be opened."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from copy import copy
from functools import cached_property
from itertools import islice, tee
from pathlib import Path

from counting.errors import InputError
from counting.games import load_game
from counting.logs.drafted_lines import LinePattern, pattern_for
from counting.logs.drafted_messages import paths_to_records
from counting.logs.json_files import Json, Values, json_values
from counting.logs.layouts import FileForm, names_known
from counting.logs.sources import Source, is_json
from counting.logs.texts import beginning, pieces_of
from counting.logs.views import LayoutView, open_log

_MOST_LINES = 1000
_PIECES = 8  # pieces read of a file of JSON lines, about 16 MB


class DraftedFile:
    """A file of unknown form, which is opened in several ways to see its first rows. Its JSON values are read only
    once.

    `start`: its first bytes.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.start = beginning(path, 1 << 14)
        self._values: Values | None = None
        if is_json(self.start):
            with suppress(InputError):
                each, is_one = json_values(path, None, _PIECES)
                self._values = Values(tee(each, 1)[0], is_one)

    def open(self, form: FileForm) -> Source:
        """The file opened in this way."""
        if self._values is None or form.line is not None:
            return open_log(self.path, form, names_known())
        each, is_one = self._values
        return LayoutView(Json(self.path, copy(each), form.rows, form.names, names_known(), is_one), form)

    def forms(self) -> Iterator[FileForm]:
        """The ways in which the file may be opened, the simplest first."""
        yield FileForm()
        if self._values is not None:
            values = (value[1] for value in copy(self._values.each) if len(value) == 2)
            yield from (FileForm(rows=rows) for rows in paths_to_records(values))
            return
        if self.lines is not None:
            yield FileForm(line=self.lines.pattern, shoe_line=self.lines.shoe_line)

    @cached_property
    def lines(self) -> LinePattern | None:
        """Patterns for the file's lines; None if too few of its first lines have two hands of cards."""
        return pattern_for(self._texts(), load_game("punto-banco").tableau)

    def _texts(self) -> list[str]:
        try:
            pieces = (piece.decode(errors="replace") for piece in pieces_of(self.path))
            lines = (line for piece in pieces for line in piece.split("\n") if line.strip())
            return list(islice(lines, _MOST_LINES))
        except InputError:
            return []
