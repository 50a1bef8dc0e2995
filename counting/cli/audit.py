"""The command that reviews a table's log."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from counting.cli.options import (
    NO_NEGATIVE,
    OPEN,
    SYSTEMS,
    Cut,
    GameName,
    Share,
    Whole,
    bar,
    command,
    in_browser,
    values_of,
)
from counting.errors import InputError
from counting.io.outputs import Kind, Output
from counting.io.tables import Format, put
from counting.numbers import money

if TYPE_CHECKING:
    import polars as pl

    from counting.games import Tableau
    from counting.logs import Log

_MARK = {"counting": "audit --coups-out"}  # in the Parquet file


def audit(
    game: GameName | None = None,
    *,
    coups: Path,
    bets: Path | None = None,
    layout: str | None = None,
    decks: Whole | None = None,
    cut: Cut | None = None,
    burn: str | None = None,
    after_cut: str | None = None,
    level: Share = 0.01,
    allow_unread: Share = 0.01,
    round_to: str | None = None,
    round_for: Literal["house", "patron", "nearest"] = "house",
    drop_repeats: Annotated[bool, NO_NEGATIVE] = False,
    drop_stale: Annotated[bool, NO_NEGATIVE] = False,
    system: Annotated[list[str] | None, SYSTEMS] = None,
    seed: Whole = 1,
    coups_out: Path | None = None,
    out: Path | None = None,
    browse: Annotated[bool, OPEN] = False,
    format: Format = "table",
) -> int:
    """Review a table's log: was it dealt and paid by the rules, whose bets follow the edge, who knows coming cards?

    Writes report.html, report.json, patrons.csv, errors.csv and remarks.csv. Exit status 2 if too little of the log
    could be read for a verdict.

    Example: counting audit ez-baccarat --coups coups.csv --bets bets.csv

    Example: counting audit ez-baccarat --coups coups.csv --bets bets.csv --cut 14 --burn first-card --out table-12

    Parameters
    ----------
    game
        The game that was dealt: its name or the path of a TOML file. Required; if it is missing, the error line names
        the shipped games that fit the payouts. Bets of the catalog are known in every game.
    coups
        The coups: table, shoe, coup (from 1 in each shoe), player, banker (cards as dealt, as 9h Kd 3s or 9 K 3, ? for
        a card that was not read), and if logged winner and burn. CSV, JSON, JSON lines, Parquet, Excel or SQLite,
        packed by gzip or not; other columns and cards by --layout.
    bets
        The bets: table, shoe, coup, patron, bet, amount, and if logged won, the net result.
    layout
        How other people's files are read: a shipped layout (counting layouts) or a TOML file; by default found out.
    decks
        Decks in the shoe; by default the game's.
    cut
        Cards behind the cut card, or decks as 1.5d; when given, coups dealt beyond it are errors.
    burn
        With --cut: none (the default), first-card, the first card shown and its value in cards burned, or a number of
        cards, as 3 or 3-shown.
    after_cut
        With --cut: coups dealt after it comes out, as for the commands that play shoes.
    level
        The chance of flagging anyone if nobody counts or knows coming cards.
    allow_unread
        The share of cards, coups or bets that may be unread before there is no verdict.
    round_to
        The smallest unit in which wins are paid, as 0.25 or 1: a commission that makes no whole number of them is
        rounded; by default hundredths, either way.
    round_for
        With --round-to: to whose favour, house, patron or nearest.
    drop_repeats
        Leave out coups that repeat the one before card for card, as a camera logs them twice.
    drop_stale
        Leave out third cards that are those of the line before, and that the recorded total contradicts.
    system
        Counts to look for in addition to the library's: names or TOML files.
    seed
        The seed of the random permutations.
    coups_out
        A Parquet file to write with a row for every coup: unseen cards, exact edges, running counts, stakes.
    out
        The folder for the page and its tables; by default audit; for other files audit- and digits.
    format
        table, json or csv; csv has the patrons.
    """
    from counting.games import load_game
    from counting.io.folders import claimed, default_folder, digests_by_name, refuse_other
    from counting.io.toml import digest
    from counting.logs import load_layout, read_log
    from counting.reports.audit import report
    from counting.reports.publish import publish
    from counting.review import Rounding, Settings, allowed_share, every_coup, missing_game
    from counting.review import audit as review
    from counting.simulation import Dealing, as_after_cut
    from counting.systems import load_system

    allowed_share(allow_unread)
    read_by = None if layout is None else load_layout(layout)
    if game is None:
        raise InputError(missing_game(read_log(coups, bets, read_by)))
    loaded = load_game(game)
    decks = loaded.dealt_from(decks)
    dealing = None
    if cut is not None:
        dealing = Dealing(decks, cut, burn or "none", as_after_cut(after_cut or "1,0"))
    elif burn is not None or after_cut is not None:
        raise InputError("--cut: missing, --burn and --after-cut need it")
    rounding = None if round_to is None else Rounding(money(round_to, "--round-to", 1000), round_for)
    settings = Settings(level, seed, tuple(map(load_system, values_of(system, "--system"))))
    files = [coups] if bets is None else [coups, bets]
    coups_file = _coups_file(coups_out, [*files, game, layout, *values_of(system, "--system")])
    with bar("reading", "files", after=2):
        log = read_log(coups, bets, read_by, loaded.tableau)
    log, remarks = _without_faults(log, loaded.tableau, drop_repeats, drop_stale)
    for line in (*log.looks, *remarks):
        print(f"counting: {line}", file=sys.stderr)
    of_files = {"files": digests_by_name(files)}
    folder = out or default_folder("audit", digest(of_files), lambda path: refuse_other(path, "audit", of_files))
    with claimed(folder, "audit", of_files, private=True), bar("auditing", "logs", after=2):
        reviewed = review(log, loaded, decks, dealing, settings, allow_unread, rounding)
        page = report(reviewed, of_files["files"], command(sys.argv))
        publish(page, folder)
        if coups_file is not None:
            _write_coups(coups_file, every_coup(log, reviewed.game, decks))
    in_browser(folder / "report.html", browse)
    if format == "table":
        print("\n".join(page.sentences))
        print(f"\nThe page: {folder / 'report.html'}")
    else:
        put(page.data["patrons"], page.data, format)
        if reviewed.unread:
            print(f"counting: {page.sentences[0]}", file=sys.stderr)
    return 2 if reviewed.unread else 0


def _without_faults(log: Log, tableau: Tableau, repeats: bool, stale: bool) -> tuple[Log, list[str]]:
    """The log without the faults of the record that are to be left out, and what was."""
    from counting.review import without_repeats, without_stale

    remarks = []
    if repeats:
        log, number = without_repeats(log, tableau)
        remarks.append(f"{number:,} coups left out that repeat the one before")
    if stale:
        log, number = without_stale(log, tableau)
        remarks.append(f"{number:,} coups without a third card that is left over from the line before")
    return log, remarks


def _coups_file(path: Path | None, inputs: Sequence[Path | str | None]) -> Output | None:
    import polars as pl

    if path is None:
        return None

    def is_one(file: Path) -> bool:
        try:
            return _MARK.items() <= pl.read_parquet_metadata(file).items()
        except pl.exceptions.PolarsError:
            return False

    return Output(path, Kind("a file of --coups-out", is_one, had_no_mark=True), "--coups-out", inputs)


def _write_coups(output: Output, coups: pl.DataFrame) -> None:
    buffer = BytesIO()
    coups.write_parquet(buffer, compression="zstd", metadata=_MARK)
    output.write(buffer.getvalue())
