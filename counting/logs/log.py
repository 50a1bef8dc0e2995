"""The log of a table: the coups it dealt and the bets it took, read from files of any layout.

Logs come from people, cameras and spreadsheets, and have mistakes. So every line is read by itself, and an unreadable
line is skipped with a remark. A file that cannot be a log is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from counting.errors import Mistakes, path
from counting.games import Tableau, load_game
from counting.logs.bets import bet_form, bets_of
from counting.logs.coups import coup_form, coups_of, missing_remarks, ordered
from counting.logs.events import EVENTS, Events
from counting.logs.fields import NONE
from counting.logs.files import LogFile
from counting.logs.fitting import PLACES, USUAL, BetFit, Fit, fit_bets, fit_coups
from counting.logs.frames import Frames
from counting.logs.guessing import grouped
from counting.logs.joined import Joined, cards_beside
from counting.logs.layouts import HANDS, FileForm, Layout, names_known
from counting.logs.remarks import COUNTS
from counting.logs.rows import coup_rows
from counting.logs.sources import Source
from counting.logs.texts import number_of_lines
from counting.logs.views import open_log


@dataclass(frozen=True, eq=False)
class Log:
    """A table's coups and bets, and remarks on what was skipped or is doubtful.

    `coups` has a row for each coup. Tables and shoes are in the order of their first appearance; coups are in the order
    of their numbers. The columns:

    - `line`, the number of the line in the file, from 1; in a table or sheet, the number of the row; in a single JSON
      value, the number of the record
    - `table`, `shoe`, `coup`
    - `player_1` to `banker_3`, the codes of the cards; `more`, the fourth and later cards, Player's before Banker's;
      null if there are none
    - `ruled`: whether the cards are in one list and the drawing rules decided which hand has the fifth card
    - `winner`, the hands' totals and pairs, `natural`, `decks` of the shoe, `dealer`, and `time`, the minute of the
      day; each is null if it is not logged
    - `burn`, the cards that were burned or exposed before the coup, and so left the shoe without being in a hand; null
      if none are logged

    A code from 0 to 51 is a card, as in `cards.CARDS`. A card of unknown suit has the code 52 for an ace to 64 for a
    king. The other codes are `TEN_OR_FACE`, `NO_CARD` and `UNREAD`.

    `bets` has a row for each bet, in the order of the file: `line`, `table`, `shoe`, `coup`, `patron`, `bet`, `amount`
    and `won`. The name of a bet is in lower case, with hyphens for blanks. `amount` and `won` are in hundredths of the
    currency unit; `won` is null if it is not logged.

    Further fields:

    - `remarks`, at most the first hundred of each kind in each column, with the columns `file` (coups or bets), `line`,
      `column` (null for the whole line), `value` and `reason`
    - `counts`: for each `file`, `column` and `kind` of remark, the `number` of remarks, and how many of them are
      `listed`
    - `skipped`: for each file, the number of lines skipped, not counting lines that another line repeats or completes
    - `looks`: sentences on the form of each file, where it differs from the project's own layout, and on outdated keys
    - `lacks`: sentences on what the log leaves out or leaves in doubt
    - `events`: what the log records besides coups, such as burned cards, with the columns `logs.events.EVENTS`

    >>> from pathlib import Path
    >>> from counting import read_log
    >>> _ = Path("coups.csv").write_text("table,shoe,coup,player,banker\\nT1,1,1,9h ?x,8s 9d\\n")
    >>> read_log("coups.csv").remarks_told()["value"].to_list()
    ['9h ?x']
    """

    coups: pl.DataFrame
    bets: pl.DataFrame
    remarks: pl.DataFrame
    counts: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=COUNTS))
    skipped: Mapping[str, int] = field(default_factory=dict)
    looks: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    events: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=EVENTS))

    @cached_property
    def bet_rows(self) -> NDArray[np.int32]:
        """For each bet, the row of its coup in `coups`; -1 if the log lacks this coup."""
        return coup_rows(self.bets, self.coups).astype(np.int32)

    def bets_on(self, lines: pl.Series) -> pl.DataFrame:
        """The bets on these lines of the bets' file."""
        return self.bets.filter(pl.col("line").is_in(lines.unique().implode()))

    def remarked(self, kind: str | None = None, column: str | None = None) -> int:
        """The number of remarks. With `kind` or `column`, only remarks of this kind or on this column count."""
        which = {name: value for name, value in (("kind", kind), ("column", column)) if value is not None}
        return int(self.counts.filter(**which)["number"].sum())

    @property
    def is_mixed(self) -> bool:
        """Whether the coups' file may have messages of several kinds. True if at least half of its skipped lines have
        no cards, and there is at least one such line for every two coups."""
        skipped, without = self.skipped.get("coups", 0), self.counts.filter(pl.col("kind") == NONE)["number"]
        most = int(without.to_numpy().max(initial=0))
        return skipped > 0 and 2 * most >= max(skipped, self.coups.height)

    def remarks_told(self) -> pl.DataFrame:
        """The listed remarks. Each kind that has more remarks than are listed gets a row with the number of the
        others."""
        more = self.counts.filter(pl.col("number") > pl.col("listed")).select(
            "file", pl.lit(None, pl.Int32).alias("line"), "column", pl.lit(None, pl.String).alias("value"),
            reason=pl.format(
                "{} more of this kind ({}), counted, not listed", pl.col("number") - pl.col("listed"), "kind"
            ),
        )  # fmt: skip
        return pl.concat([self.remarks, more])


def read_log(
    coups: str | Path,
    bets: str | Path | None = None,
    layout: Layout | None = None,
    tableau: Tableau | None = None,
    progress: Callable[[int, int, tuple[float, float]], object] | None = None,
) -> Log:
    """Read a table's coups and, if there are any, its bets.

    Files are CSV, JSON, JSON lines, Parquet, Excel or SQLite, or texts of results such as `BPPTB`. Texts are in UTF-8,
    UTF-16, Windows-1252 or the encoding that the layout states. Any file may be packed by gzip.

    Without `layout`, a file of coups has the columns `table`, `shoe`, `coup`, `player`, `banker` and perhaps `winner`
    and `burn`, in any order. A file of bets has `table`, `shoe`, `coup`, `patron`, `bet`, `amount` and perhaps `won`. A
    file may also have the columns of a shipped layout; the layout that reads the largest share of the cards is used.
    Other columns are found by usual headings. `tableau`: the drawing rules, by default punto banco's. They decide which
    hand has the fifth card if a coup's cards are in one list.

    `progress` is called with the number of lines read, the number of all lines, and a pair: the work done and all work.
    Work includes the steps after reading. `progress` is not called if one of the files is packed or has no lines.

    A bad line is skipped with a remark, and its coup is missing. Raises `InputError`, with a line for each mistake, if
    a file cannot be a log, or if, after 1,000 lines or more, fewer than 1% could be read.

    >>> from pathlib import Path
    >>> from counting import read_log
    >>> _ = Path("coups.csv").write_text("table,shoe,coup,player,banker\\nT1,1,1,9h Kd,8s 9d\\n")
    >>> read_log("coups.csv").coups.height
    1
    """
    tableau = tableau or load_game("punto-banco").tableau
    stated = layout or Layout()
    mistakes = Mistakes()
    fit = bet_fit = source = bet_source = None
    guesses: tuple[str, ...] = ()
    with mistakes.gathered():
        source, by, guesses = grouped(_coup_source(path(coups, "coups"), stated), layout)
        fit = ordered(fit_coups(source, by), source, tableau)
    with mistakes.gathered():
        if bets is not None:
            bet_source = open_log(path(bets, "bets"), stated.bets_file, names_known(bets=True, stated=layout))
            bet_fit = fit_bets(bet_source, fit or Fit("", stated, {}, {}))
    mistakes.report()
    assert fit is not None
    events = Events([name for name in ("cards", *HANDS, *PLACES) if name in fit.columns], fit.layout.events, fit.by)
    table_told, bet_told = _told(progress, [path(each, "coups") for each in (coups, bets) if each is not None])
    table = LogFile(coup_form(fit, events), source, table_told)
    bet = LogFile(bet_form(fit, bet_fit), bet_source, bet_told)
    if layout is None:
        table.remark_ignored(fit.layout.coups.model_dump(exclude_none=True))
        bet.remark_ignored(fit.layout.bets.model_dump(exclude_none=True))
    read, raw, lacks = coups_of(table, fit, tableau, events)
    placed = bets_of(bet, bet_fit, read, raw)
    if placed.height and fit.numbering == (USUAL.order, 0) and not (placed["coup"] == 1).any():
        lacks.append("Coups are numbered from 0, and no bet is on coup 0: bets numbered from 1 would be misread.")
    files = (table, bet)
    remarks, counts = (pl.concat(each) for each in zip(*((file.remarks.listed(), file.remarks.counts())
                                                         for file in files), strict=True))  # fmt: skip
    skipped = {file.form.name: file.remarks.skipped for file in files}
    looks = (*stated.notes, *guesses, *fit.looks, *_guessed_bets(bet_source, bet_fit))
    return Log(
        read, placed, remarks, counts, skipped, looks, (*lacks, *bet.lacks, *missing_remarks(read)), events.frame()
    )


_AFTER = 0.25  # time of the later steps, as a share of the time to read the lines


def _told(
    progress: Callable[[int, int, tuple[float, float]], object] | None, files: Sequence[Path]
) -> list[Callable[[int], object]]:
    """Two functions that report progress, one for the coups' file and one for the bets' file. Each is called with the
    number of the last line read."""
    lines = [number_of_lines(file) if progress and file.is_file() else 0 for file in files]
    if progress is None or not all(lines):
        return [lambda _: None] * 2

    def told(before: int, most: int, line: int) -> None:
        done = before + min(line, most)
        progress(done, sum(lines), (done, (1 + _AFTER) * sum(lines)))

    return [partial(told, sum(lines[:i]), most) for i, most in enumerate([*lines, 0][:2])]


def _guessed_bets(source: Source | None, fit: BetFit | None) -> tuple[str, ...]:
    if source is None or fit is None or not fit.guessed:
        return ()
    return (f"{source.path}: read by its headings: {', '.join(fit.guessed)}",)


def _coup_source(path: Path, layout: Layout) -> Source:
    """A source of coups. If the cards are in a separate file or table, the hands are added from there."""
    if layout.frames is not None:
        return Frames(path, layout.frames)
    source = open_log(path, layout.file, names_known(stated=layout))
    rows = layout.card_rows
    if rows is None or not rows.is_apart:
        return source
    beside = cards_beside(path, rows)
    if beside is not None:
        cards = open_log(beside, FileForm(), names_known())
    else:
        cards = open_log(path, FileForm(rows=rows.table), names_known())
    return Joined(source, cards, rows)
