"""A finished sweep: its tables as lazy frames, its coups block by block, and its rows priced again for other bets and
cuts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import import_module
from itertools import chain
from pathlib import Path

import polars as pl

from counting.errors import InputError, Mistakes, instance, keyword, path, printable, several, text, whole
from counting.exact import refuse_coarse
from counting.games import Game, as_game
from counting.io.beside import did_you_mean
from counting.io.folders import has_digest, read_json
from counting.io.tables import as_html
from counting.simulation import Coups
from counting.sweep import spread, tables
from counting.sweep.coup_rows import coups_of_rows
from counting.sweep.folder import in_its_blocks, known_parts, part_names, part_path
from counting.sweep.plan import Plan
from counting.sweep.scoring import Scoring
from counting.sweep.tables import COUPS, DEALT, DEPTH, LEDGER, PENETRATION, SPREAD, TableSchema
from counting.sweep.tally import BlockSums, Tally
from counting.version import __version__


@dataclass(frozen=True, init=False, repr=False)
class Sweep:
    """A finished sweep: its plan, with the size of the folder's blocks, and its tables as lazy frames.

    `counting.run` plays a sweep; `open_sweep` opens a sweep's folder.

    >>> from counting import Dealing, Plan, run
    >>> sweep = run(Plan("punto-banco", Dealing(), 20), "twenty-shoes")
    >>> sweep.coups.collect().height
    1664
    """

    folder: Path
    plan: Plan

    def __init__(self, folder: str | Path, plan: Plan) -> None:
        at = path(folder, "folder")
        instance(plan, Plan, "plan", "Plan('ez-baccarat', Dealing(), 1000)")
        vars(self).update(folder=at, plan=in_its_blocks(plan, at))

    def __repr__(self) -> str:
        plan = self.plan
        return f"<Sweep {plan.game.name}: {plan.shoes:,} shoes, {plan.dealing.words}, in {self.folder}>"

    def _repr_html_(self) -> str:
        """The sweep as an HTML table: the plan, the number of coups and the folder."""
        plan = self.plan
        main, *_ = plan.game.events
        dealt = int(self.dealt.filter(pl.col("event") == main).select(pl.col("coups").sum()).collect().item())
        rows = {
            "game": plan.game.heading,
            "dealt": plan.dealing.words,
            "shoes": f"{plan.shoes:,}, seed {plan.seed}",
            "coups": f"{dealt:,}",
            "bets": ", ".join(plan.bets),
            "systems": ", ".join(system.name for system in plan.systems) or "none",
            "rows of coups": f"kept of one shoe in {plan.keep_rows}" if plan.keep_rows else "none kept",
            "folder": str(self.folder),
        }
        return as_html([{"": name, "sweep": value} for name, value in rows.items()], repr(self)[1:-1])

    def scan(self, table: TableSchema) -> pl.LazyFrame:
        instance(table, TableSchema, "table", "counting.sweep.COUPS")
        if not self.folder.is_dir():
            raise InputError(f"{self.folder}: the sweep's folder is gone; with out=FOLDER the answer's folder stays")
        if table.name == COUPS.name and not self.plan.keep_rows:
            raise InputError(f"{self.folder}: the sweep kept no rows of coups")
        if table.name == SPREAD.name and not self.plan.spread:
            raise InputError(
                f"{self.folder}: the sweep has not kept how edges are spread, "
                f"should be a sweep with {keyword('spread')}"
            )
        if table.name == PENETRATION.name and not self.plan.penetration:
            raise InputError(
                f"{self.folder}: the sweep has no sums by cut, should be a sweep with {keyword('penetration')}"
            )
        paths = [part_path(self.folder, table, batch) for batch in self.plan.batches]
        return tables.scan(paths, self.plan.coups_table if table.name == COUPS.name else table)

    @property
    def coups(self) -> pl.LazyFrame:
        return self.scan(COUPS)

    def blocks(self) -> Iterator[Coups]:
        """The coups, from the rows that the sweep kept. There is one `Coups` for each block, in the order dealt."""
        self.scan(COUPS)  # raises `InputError` if no rows were kept
        return chain.from_iterable(map(self._blocks, self.plan.batches))

    def _blocks(self, batch: int) -> Iterator[Coups]:
        """The coups of each block of a batch."""
        rows, plan = pl.read_parquet(part_path(self.folder, COUPS, batch)), self.plan
        for block in plan.blocks_in(batch):
            yield coups_of_rows(rows.filter(pl.col("shoe") // plan.block == block))

    @property
    def ledger(self) -> pl.LazyFrame:
        """For each block, the sums of every counter, on the bets on which this counter is scored. `counting.score`
        makes its figures from these sums."""
        return self.scan(LEDGER)

    @property
    def depth(self) -> pl.LazyFrame:
        """For each block, the sums of every bet at each number of cards left."""
        return self.scan(DEPTH)

    @property
    def dealt(self) -> pl.LazyFrame:
        """For each block, how often each event was dealt."""
        return self.scan(DEALT)

    def by_bet(self) -> pl.DataFrame:
        """The table that `counting.by_bet` makes of the ledger, with a row for each bet. A row gives the share of coups
        on which the bet's edge is positive, and what a perfect counter wins with the bet.

        >>> from counting import Dealing, Plan
        >>> from counting.sweep import run
        >>> run(Plan("ez-baccarat", Dealing(), 40), "few-shoes").by_bet().columns[:4]
        ['bet', 'cut', 'shoes', 'coups']
        """
        summaries = import_module("counting.analysis")  # this package imports nothing else from above it
        summarised: pl.LazyFrame = summaries.by_bet(self.ledger)
        return summarised.collect()

    @property
    def tallies(self) -> tuple[pl.LazyFrame, pl.LazyFrame, pl.LazyFrame]:
        """The tables `ledger`, `depth` and `dealt`."""
        return self.ledger, self.depth, self.dealt

    def parts(self, table: TableSchema, columns: Iterable[str] | None = None) -> Iterator[pl.DataFrame]:
        """A table, or some of its columns, one part at a time, so that only one part is in memory."""
        names = None if columns is None else [text(name, "column", "'bet'") for name in several(columns, "columns")]
        self.scan(table)  # raises `InputError` if there is no such table
        paths = (part_path(self.folder, table, batch) for batch in self.plan.batches)
        return (pl.read_parquet(path, columns=names) for path in paths)

    def spread_of(self, bets: Iterable[str]) -> Iterator[pl.DataFrame] | None:
        """How these bets' edges are spread, part by part. The counts are from the table `spread` or, without the table,
        from the rows. None if the sweep kept neither. Parts from the table have the plan's other bets too."""
        plan, names = self.plan, several(bets, "bets")
        for bet in names:
            plan.game.bet(bet)
        if plan.spread:
            return self.parts(SPREAD, ("bet", "cards_left", "step", "coups"))
        if not plan.keep_rows:
            return None
        pieces = ((coups.cards_left, coups.left) for coups in self.blocks())
        return spread.of_rows(plan.game, names, plan.dealing.decks, pieces)

    @property
    def penetration(self) -> pl.LazyFrame:
        return self.scan(PENETRATION)

    def retally(
        self, game: Game | str | Path | None = None, *, bets: Iterable[str] = (), cuts: int | Iterable[int] = ()
    ) -> tuple[pl.LazyFrame, pl.LazyFrame, pl.LazyFrame]:
        """The tables of `tallies`, priced again from the rows. The arguments are as for `retallied`."""
        tallies = list(self.retallied(game, bets=bets, cuts=cuts))
        ledger, depth, dealt, *_ = (pl.concat(parts).lazy() for parts in zip(*tallies, strict=True))
        return ledger, depth, dealt

    def retallied(
        self, game: Game | str | Path | None = None, *, bets: Iterable[str] = (), cuts: int | Iterable[int] = ()
    ) -> Iterator[Tally]:
        """The tally of each block, priced again from the rows that the sweep kept. By default, all bets are priced.

        `game` may be another game with the same tableau. `cuts` may be larger than the sweep's cut, but not smaller: a
        cut is a number of cards behind the cut card. Systems that count for none of these bets are left out.

        Raises `InputError` for another tableau, a bet or a cut that the rows cannot price, and a sweep that kept no
        rows."""
        plan = self.plan
        game = plan.game if game is None else as_game(game)
        if game.tableau != plan.game.tableau:
            raise InputError(
                f"{game.name}: another tableau than {plan.game.name}, should be a game with the tableau that was dealt"
            )
        own = plan.bets if game.digest == plan.game.digest else game.bet_names
        mistakes = Mistakes()
        checked: list[int] = []
        for cut in (cuts if isinstance(cuts, Iterable) else (cuts,)) or (plan.dealing.cut,):
            with mistakes.gathered():
                checked.append(whole(cut, "cut", plan.dealing.cut, plan.dealing.least_undealt))
        checked = list(dict.fromkeys(checked))
        own = several(bets, "bets") or own
        with mistakes.gathered():
            game = game.also(own)
            refuse_coarse(map(game.bet, own), plan.knows, f"{self.folder}: the sweep")
        if not plan.keep_rows:
            mistakes.append(
                f"{self.folder}: the sweep kept no rows of coups to price again (a vulnerability report keeps none)"
            )
        mistakes.report()
        systems = tuple(s for s in plan.systems if s.bets is None or set(s.bets) & set(own))
        scoring = Scoring(game, own, systems, plan.dealing.decks)

        def tallies_of(batch: int) -> list[Tally]:
            tallies = []
            for block, coups in zip(plan.blocks_in(batch), self._blocks(batch), strict=True):
                sums = BlockSums(scoring, checked)
                for piece in coups.pieces():
                    sums.add(piece)
                tallies.append(sums.tally(block))
            return tallies

        def tallies() -> Iterator[Tally]:
            with ThreadPoolExecutor() as pool:
                yield from chain.from_iterable(pool.map(tallies_of, plan.batches))

        return tallies()


def open_sweep(folder: str | Path) -> Sweep:
    """Open a finished sweep's folder, or the folder of a study or report with a sweep in it.

    Raises `InputError` for any other folder, an unfinished sweep, a sweep of another version, and a part that is
    missing or was changed.

    >>> from counting import Dealing, Plan, open_sweep, run
    >>> run(Plan("punto-banco", Dealing(), 20), "played") == open_sweep("played")
    True
    """
    folder = path(folder, "folder")
    if not (folder / "plan.json").exists() and (folder / "sweep" / "plan.json").is_file():
        folder = folder / "sweep"
    if not (folder / "plan.json").is_file():
        hint = "" if folder.exists() else did_you_mean(folder)
        raise InputError(f"{folder}: holds no sweep (plan.json is missing){hint}")
    data = read_json(folder / "plan.json")
    try:
        plan = Plan.from_dict(data)
    except InputError as error:
        reason = printable(str(error).split("\n")[0])
        raise InputError(f"{folder / 'plan.json'}: not the plan of a sweep: {reason}") from None
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        raise InputError(f"{folder / 'plan.json'}: not the plan of a sweep") from None
    if data.get("version") != __version__:
        made = printable(str(data.get("version")))
        raise InputError(f"{folder}: made by version {made}, should be opened with it: this is {__version__}")
    if not (folder / "manifest.json").is_file():
        raise InputError(f"{folder}: the sweep is not finished; run it again to continue")
    known = known_parts(plan, folder)
    if not known:
        raise InputError(f"{folder}: its manifest and its plan are not of the same sweep (one was changed)")
    for place in part_names(plan):
        if not has_digest(folder / place, known.get(place)):
            raise InputError(f"{folder / place}: missing or not as the sweep wrote it; run the sweep again to mend it")
    return Sweep(folder, plan)
