"""The request for the review of a table's log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from counting.errors import InputError, keyword, path
from counting.io.folders import claimed, default_folder, digests_by_name, refuse_other
from counting.io.outputs import Kind, Output
from counting.numbers import money
from counting.requests.answers import Answer, published
from counting.requests.request import (
    Cards,
    File,
    Request,
    Share,
    Systems,
    Whole,
    Written,
    as_whole,
    asked_game,
    exact_text,
    given_values,
)

if TYPE_CHECKING:
    import polars as pl

    from counting.games import Tableau
    from counting.logs import Log
    from counting.requests.hosts import Host
    from counting.requests.request import GameLike
    from counting.review import Audit, Rounding
    from counting.simulation import Dealing
else:
    from counting.requests.request import GameLike

    Audit = object

_MARK = {"counting": "audit --coups-out"}  # metadata that marks the Parquet file


def fitting_game(log: Log) -> tuple[str, str]:
    """The shipped game that fits a log best, and a sentence that says how well this game fits, and which games fit
    equally well."""
    from counting.games import load_game
    from counting.review import best_fits

    best = best_fits(log)
    first, *others = (load_game(fit.game).title.partition(" (")[0] for fit in best)
    if not others:
        return best[0].game, f"{first} fits this log best, with {best[0].words}. Change it if another game was dealt."
    alike = f"{', '.join([first, *others[:-1]])} and {others[-1]} fit this log equally well"
    return best[0].game, f"{alike}. {first} is chosen: change it if that is wrong."


@dataclass(frozen=True, kw_only=True)
class AuditRequest(Request[Audit]):
    """Review a table's log: was it dealt and paid by the rules, whose bets follow the edge, who knows coming cards?

    Writes report.html, report.json, patrons.csv, errors.csv, rates.csv, costs.csv and remarks.csv.

    Example: counting audit ez-baccarat --coups coups.csv --bets bets.csv

    Example: counting audit ez-baccarat --coups coups.csv --bets bets.csv --cut 14 --burn first-card --out table-12

    Parameters
    ----------
    game
        The game that was dealt: its name or the path of a TOML file. Required; if it is missing, the error line names
        the shipped games that fit the log. The catalog's bets are known in every game.
    coups
        The file of coups. Its columns are table, shoe, coup (from 1 in each shoe), player and banker and, if logged,
        winner and burn. Cards are in the order dealt, as 9h Kd 3s or 9 K 3; ? is an unread card. The file is CSV, JSON,
        JSON lines, Parquet, Excel or SQLite; it may be packed by gzip. For other columns and other names of cards, see
        --layout.
    bets
        The file of bets. Its columns are table, shoe, coup, patron, bet, amount and, if logged, won: the bet's net
        result.
    layout
        How a log in another form is read: a shipped layout (counting layouts) or a TOML file. By default the reader
        finds the layout.
    commission
        Banker's commission, as 2.5%; by default the game's.
    decks
        Decks in the shoe; by default the game's.
    cut
        Cards behind the cut card, or decks as 1.5d. If it is given, coups dealt beyond the cut card count as errors.
    burn
        With --cut: the burn at the start of a shoe. With none (the default), no card is burned. With first-card, the
        first card is shown, then its value in cards is burned unseen. With a number, as 3, this many cards are burned
        unseen; with 3-shown, they are burned face up.
    after_cut
        With --cut: coups dealt after the cut card, as two numbers. The first number applies if the cut card comes out
        during a coup: that coup is finished, and this number of coups follow it. The second applies if the cut card
        comes out as a coup begins: that coup is dealt, and this number of coups follow it. By default 1,0.
    level
        The largest chance of flagging anyone, if nobody counts cards, knows coming cards or bets by the faces of cards.
    allow_unread
        The largest share of cards, coups or bets that may be unread. If more is unread, there is no verdict.
    round_to
        The smallest unit in which wins are paid, in money, as 0.25 or 1. A win that is not a multiple of this unit, for
        example after commission, is rounded. By default wins are paid in hundredths, and may be rounded up or down.
    round_for
        With --round-to: how wins are rounded. house: in the house's favour. patron: in the patron's favour. nearest: to
        the nearest unit.
    shifts
        When shifts begin, for errors by shift; by default 06:00,14:00,22:00. A single time starts three shifts of eight
        hours. Times are read as the log writes them.
    drop_repeats
        Leave out a coup that a camera logged a second time: it has exactly the cards of the coup before.
    drop_stale
        Leave out a third card that a camera carried over from the line before. It equals that line's third card, and
        contradicts the recorded total.
    system
        Counts to look for in addition to the library's: names or TOML files.
    seed
        The seed of the random permutations.
    coups_out
        A Parquet file to write, as coups.parquet. It has a row for every coup: unseen cards, exact edges, running
        counts, stakes.
    out
        The folder for the page and its tables. The command's default is audit or, if that folder has an audit of other
        files, audit- with digits after it.
    """

    holds: ClassVar[str] = "audit"
    private: ClassVar[bool] = True
    game: GameLike | None = field(default=None, kw_only=False)
    coups: File
    bets: File | None = None
    layout: File | None = None
    commission: Written | None = None
    decks: Whole | None = None
    cut: Cards | None = None
    burn: str | int | None = None
    after_cut: str | None = None
    level: Share = 0.01
    allow_unread: Share = 0.01
    round_to: Written | None = None
    round_for: Literal["house", "patron", "nearest"] = "house"
    shifts: str | None = None
    drop_repeats: bool = False
    drop_stale: bool = False
    system: Systems | None = None
    seed: Whole = 1
    coups_out: File | None = None
    out: File | None = None

    def answered(self, host: Host) -> Answer[Audit]:
        from counting.io.toml import digest
        from counting.logs import load_layout, read_log
        from counting.reports.audit import report
        from counting.review import PatronSettings, Shifts, allowed_share, audit, every_coup, missing_game
        from counting.systems import as_system

        allowed_share(self.allow_unread)
        read_by = None if self.layout is None else load_layout(self.layout)
        coups, bets = path(self.coups, "coups"), None if self.bets is None else path(self.bets, "bets")
        if self.game is None:
            raise InputError(missing_game(read_log(coups, bets, read_by)))
        game = asked_game(self.game, self.commission)
        decks = game.dealt_from(as_whole(self.decks, "decks"))
        dealing, rounding = self._dealing(decks), self._rounding()
        shifts = None if self.shifts is None else Shifts.written(self.shifts, keyword("shifts"))
        systems = given_values(self.system, "system")
        settings = PatronSettings(self.level, as_whole(self.seed, "seed"), tuple(map(as_system, systems)))
        files = [coups] if bets is None else [coups, bets]
        others = [file for file in (self.game, self.layout, *systems) if isinstance(file, str | Path)]
        coups_file = None if self.coups_out is None else _coups_file(path(self.coups_out, "coups_out"), files, others)
        with host.stage("Reading the log", "lines", after=2) as progress:
            log = read_log(coups, bets, read_by, game.tableau, progress)
        log, remarks = self._without_faults(log, game.tableau)
        host.say(*log.looks, *remarks)
        of_files = {"files": digests_by_name(files)}

        def default() -> Path:
            return default_folder("audit", digest(of_files), lambda path: refuse_other(path, self.holds, of_files))

        folder = host.folder(self.out, default)
        claim = partial(claimed, kind=self.holds, settings=of_files, private=self.private)
        with claim(folder), host.stage("Auditing the log", "steps", after=2) as progress:
            reviewed = audit(log, game, decks, dealing, settings, self.allow_unread, rounding, shifts, progress)
            answer = published(host, folder, report(reviewed, of_files["files"], host.command), reviewed, claim)
            if coups_file is not None:
                _write_coups(coups_file, every_coup(log, reviewed.game, decks))
        return answer

    def _dealing(self, decks: int) -> Dealing | None:
        """How the shoes were dealt; None if this is not known."""
        from counting.simulation import Dealing, as_after_cut

        if self.cut is not None:
            cut, burn = as_whole(self.cut, "cut", "cards"), "none" if self.burn is None else str(self.burn)
            return Dealing(decks, cut, burn, as_after_cut(self.after_cut or "1,0"))
        if self.burn is not None or self.after_cut is not None:
            raise InputError(f"{keyword('cut')}: missing, {keyword('burn')} and {keyword('after_cut')} need it")
        return None

    def _rounding(self) -> Rounding | None:
        from counting.review import Rounding

        if self.round_to is None:
            return None
        return Rounding(money(exact_text(self.round_to), keyword("round_to"), 1000), self.round_for)

    def _without_faults(self, log: Log, tableau: Tableau) -> tuple[Log, list[str]]:
        """The log without the camera faults that `drop_repeats` and `drop_stale` leave out, and remarks on what was
        left out."""
        from counting.numbers import many
        from counting.review import without_repeats, without_stale

        remarks = []
        if self.drop_repeats:
            log, number = without_repeats(log, tableau)
            remarks.append(f"{many(number, 'coup')} left out, with the same cards as the coup before")
        if self.drop_stale:
            log, number = without_stale(log, tableau)
            remarks.append(f"{many(number, 'coup')} read without a third card that was left over from the line before")
        return log, remarks


def _coups_file(file: Path, files: Sequence[Path], others: Sequence[Path | str]) -> Output:
    import polars as pl

    def is_one(file: Path) -> bool:
        try:
            return _MARK.items() <= pl.read_parquet_metadata(file).items()
        except pl.exceptions.PolarsError:
            return False

    kind = Kind("a file of --coups-out", is_one, had_no_mark=True)
    return Output(file, kind, keyword("coups_out"), [*files, *others])


def _write_coups(output: Output, coups: pl.DataFrame) -> None:
    buffer = BytesIO()
    coups.write_parquet(buffer, compression="zstd", metadata=_MARK)
    output.write(buffer.getvalue())
