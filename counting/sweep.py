"""Sweeps: a plan, its blocks of shoes, and a folder of Parquet parts that survives anything.

A block's parts depend on the plan and the block's number alone. They are written under a temporary
name, flushed and renamed, so that a folder holds whole parts only; a sweep that was killed goes on
with the blocks that lack one, and the result is the same, bit for bit, with any number of workers.
The manifest, with a digest of every part, is written last.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import counting
from counting import frames
from counting.bettors import Bettor
from counting.cards import Knows, finest
from counting.config import digest
from counting.errors import InputError, Mistakes, whole
from counting.exact import needs, refuse_coarse
from counting.folders import claim, write_bytes, write_text
from counting.frames import BETTORS, COUPS, DEALT, DEPTH, LEDGER, PENETRATION, Table
from counting.rules import Game
from counting.shoe import BLOCK, MOST_SEED, PIECE, Coups, Dealing, play
from counting.systems import System
from counting.tally import TALLIES, Scoring, Tally, bets_of, coups_of, rows

MOST_SHOES = 10**9
MOST_SYSTEMS = 1000
MOST_CELLS = 1 << 22  # of the table `penetration`: 128 MB a worker

_PARTS = 250  # blocks of a sweep of many shoes, or more
_LEAST_BLOCK = 200
_AHEAD = 4  # blocks handed out per worker, so that none waits and memory stays bounded

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Plan:
    """What a sweep is: with the software's version it sets every bit of the result.

    `bets` are those priced, by default all of the game's. The coups of every shoe whose number is a multiple of
    `keep_rows` are kept as rows beside the sums, none for 0. `penetration` is whether there are sums by every cut.
    """

    game: Game
    dealing: Dealing
    shoes: int
    seed: int = 1
    systems: tuple[System, ...] = ()
    bets: tuple[str, ...] = ()
    keep_rows: int = 1
    penetration: bool = True
    bettors: tuple[Bettor, ...] = ()

    def __post_init__(self) -> None:
        mistakes = Mistakes()
        check_size(self.shoes, self.seed, mistakes)
        with mistakes.gathered():
            whole(len(self.systems), "number of systems", 0, MOST_SYSTEMS)
        names = [system.name for system in self.systems]
        with mistakes.gathered():
            object.__setattr__(
                self, "keep_rows", whole(int(self.keep_rows), "rows of every so many shoes", 0, MOST_SHOES)
            )
        object.__setattr__(self, "bets", self.bets or self.game.bet_names)
        with mistakes.gathered():
            object.__setattr__(self, "game", self.game.also(self.bets))
        for system in self.systems:
            with mistakes.gathered():
                bets_of(system, self.game, self.bets)
        for kind, several in (("system", names), ("bettor", [bettor.name for bettor in self.bettors])):
            for name in dict.fromkeys(several):
                if several.count(name) > 1:
                    mistakes.append(f"{kind} {name!r}: given twice, should have different names")
        for bettor in self.bettors:
            with mistakes.gathered():
                self._check_bettor(bettor, names)
        mistakes.report()
        if self.cells > MOST_CELLS:
            raise InputError(
                f"penetration: {self.cells:,} cells (bets by count and cut), should be at most {MOST_CELLS:,}: "
                "with fewer bets, systems or triggers, or without the table"
            )

    def _check_bettor(self, bettor: Bettor, systems: Sequence[str]) -> None:
        for bet in bettor.bets:
            if bet not in self.bets:
                raise InputError(
                    f"bettor {bettor.name}: bet {bet!r}, should be one of those priced: {', '.join(self.bets)}"
                )
        if bettor.system is not None and bettor.system not in systems:
            raise InputError(f"bettor {bettor.name}: system {bettor.system!r}, should be one of {', '.join(systems)}")
        for system in self.systems:
            if system.name == bettor.system and system.bets is not None and not set(bettor.sides) <= set(system.bets):
                raise InputError(f"bettor {bettor.name}: {system.name} counts for {', '.join(system.bets)} alone")

    @property
    def cells(self) -> int:
        """The most cells that a part of the table `penetration` has."""
        return len(self.scoring.layout.keys_by_cut) * len(self.dealing.cuts) if self.penetration else 0

    @property
    def block(self) -> int:
        """Shoes in a block: set by the plan, never by who plays it."""
        return min(max(_LEAST_BLOCK, self.shoes // _PARTS), BLOCK)

    @property
    def blocks(self) -> int:
        return -(-self.shoes // self.block)

    @property
    def tables(self) -> tuple[Table, ...]:
        """The tables it writes; `coups`, with a column a system, first where it is kept."""
        left_out = [PENETRATION] * (not self.penetration) + [BETTORS] * (not self.bettors)
        sums = tuple(table for table in TALLIES if table not in left_out)
        return ((self.coups_table,) if self.keep_rows else ()) + sums

    @cached_property
    def scoring(self) -> Scoring:
        return Scoring(self.game, self.bets, self.systems, self.dealing.decks, self.bettors)

    @property
    def coups_table(self) -> Table:
        return COUPS.tracking(self.knows, [system.name for system in self.systems])

    @cached_property
    def knows(self) -> Knows:
        """What is tracked of the unseen cards: their values, or ranks or suits where a bet or a system needs them."""
        return finest([needs(self.game.bet(bet)) for bet in self.bets] + [system.knows for system in self.systems])

    def to_dict(self) -> dict[str, Any]:
        dealing = self.dealing
        return {
            "version": counting.__version__,
            "tables": {table.name: table.version for table in self.tables},
            "game": self.game.to_dict(),
            "game_digest": self.game.digest,
            "decks": dealing.decks,
            "cut": dealing.cut,
            "burn": dealing.burn,
            "after_cut": list(dealing.after_cut),
            "shoes": self.shoes,
            "seed": self.seed,
            "systems": {system.name: system.to_dict() for system in self.systems},
            "bets": list(self.bets),
            "rows": self.keep_rows,
            "penetration": self.penetration,
            "bettors": [bettor.to_dict() for bettor in self.bettors],
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Plan:
        return cls(
            Game.from_dict(data["game"]),
            Dealing(data["decks"], data["cut"], data["burn"], (data["after_cut"][0], data["after_cut"][1])),
            data["shoes"],
            data["seed"],
            tuple(System.from_dict(system) for system in data["systems"].values()),
            tuple(data["bets"]),
            data["rows"],
            data["penetration"],
            tuple(map(Bettor.from_dict, data["bettors"])),
        )

    @cached_property
    def digest(self) -> str:
        return digest(self.to_dict())


def check_size(shoes: int, seed: int, mistakes: Mistakes) -> None:
    """Gather what is wrong with the number of shoes and the seed of a sweep."""
    with mistakes.gathered():
        whole(seed, "seed", 0, MOST_SEED)
    with mistakes.gathered():
        whole(shoes, "shoes", 1, MOST_SHOES)


def threads(workers: int | None) -> int:
    """So many as asked for, or one a core."""
    return whole(workers, "workers", 1, 1024) if workers is not None else (os.cpu_count() or 1)


def _place(table: Table, block: int) -> str:
    return f"{table.name}/part-{block:06d}.parquet"


def part_path(folder: Path, table: Table, block: int) -> Path:
    return folder / _place(table, block)


def encode_block(plan: Plan, block: int, version: str = str(counting.__version__)) -> dict[str, bytes]:
    """Play a block of shoes: its parts, as Parquet files by their places. Safe to repeat, and to run anywhere."""
    if version != counting.__version__:
        raise InputError(f"a worker has version {counting.__version__}, should be {version}")
    first = block * plan.block
    kept: list[pl.DataFrame] = []

    def pieces() -> Iterator[Coups]:
        for start in range(first, min(first + plan.block, plan.shoes), PIECE):
            shoes = min(PIECE, first + plan.block - start, plan.shoes - start)
            coups = play(plan.game.tableau, plan.dealing, plan.seed, start, shoes, plan.knows)
            if plan.keep_rows:
                chosen = (coups.shoe + np.int64(start)) % plan.keep_rows == 0
                kept.append(rows(coups if chosen.all() else coups.only(chosen), plan.systems, plan.dealing.decks))
            yield coups

    grid = plan.dealing.cuts if plan.penetration or plan.bettors else None
    found = plan.scoring.tally(pieces(), cuts=[plan.dealing.cut], part=block, grid=grid, penetration=plan.penetration)
    frames_of = {table.name: frame for table, frame in zip(TALLIES, found, strict=True)}
    if plan.keep_rows:
        frames_of[COUPS.name] = pl.concat(kept)
    return {
        _place(table, block): frames.encode(frames_of[table.name], table, _place(table, block), plan.digest)
        for table in plan.tables
    }


def _write_parts(folder: Path, parts: Mapping[str, bytes]) -> None:
    for place, content in parts.items():
        write_bytes(folder / place, content)


def play_block(plan: Plan, folder: Path, block: int) -> None:
    """Play a block of shoes and write its parts. Safe to repeat."""
    _write_parts(folder, encode_block(plan, block))


def run(
    plan: Plan,
    folder: Path,
    *,
    executor: Executor | None = None,
    shared: bool = True,
    workers: int | None = None,
    progress: Progress | None = None,
    space: Callable[[int], None] | None = None,
) -> Path:
    """Play the sweep, or what is missing of it, into the folder; returns the folder.

    `executor` is any `concurrent.futures.Executor`; by default a pool of `workers` threads, one a core. Where its
    workers do not see the folder, `shared` is false and parts are sent back. `space` is told the bytes on disk that
    are still needed, about, before any is written. Raises `InputError` where the folder holds a sweep with other
    settings or its disk has less room than that, `OSError` where the disk is full after all; what is written stays.
    """
    workers = threads(workers)
    with _locked(plan, folder):
        known = _known(plan, folder)
        left = [
            block
            for block in range(plan.blocks)
            if not all(_good(plan, folder, _place(table, block), known) for table in plan.tables)
        ]
        if left or not known:
            (folder / "manifest.json").unlink(missing_ok=True)
            if left:
                _begin(plan, folder, left, space)
            with nullcontext(executor) if executor else ThreadPoolExecutor(workers) as pool:
                done = plan.blocks - len(left) + bool(left)
                for number, parts in enumerate(
                    _played(plan, folder if shared else None, left[1:], pool, _AHEAD * workers), done
                ):
                    _write_parts(folder, parts)
                    if progress:
                        progress(number, plan.blocks)
            write_text(folder / "manifest.json", _manifest(plan, folder))
    return folder


def _begin(plan: Plan, folder: Path, left: Sequence[int], space: Callable[[int], None] | None) -> None:
    """Play the first block that is left, and see by its size whether the others have room."""
    parts = encode_block(plan, left[0])
    needed, free = sum(map(len, parts.values())) * len(left), shutil.disk_usage(folder).free
    if space:
        space(needed)
    if needed > free:
        less = ["rows of fewer shoes"] * bool(plan.keep_rows) + ["no table of penetration"] * plan.penetration
        raise InputError(
            f"{folder}: needs about {in_bytes(needed)} on disk, {in_bytes(free)} are free: should have "
            f"{' or '.join(['more room', *less])}"
        )
    _write_parts(folder, parts)


def in_bytes(number: int) -> str:
    """A size in words: 12 MB."""
    for unit, size in (("TB", 10**12), ("GB", 10**9), ("MB", 10**6)):
        if number >= size:
            return f"{number / size:.3g} {unit}"
    return f"{number / 1000:.3g} kB"


def _played(
    plan: Plan, folder: Path | None, left: Sequence[int], pool: Executor, most: int
) -> Iterator[Mapping[str, bytes]]:
    """Hand out the blocks, at most so many at a time; says once that it starts, and when each is done, giving parts
    that are yet to be written, those of workers without the folder."""
    running: set[Future[dict[str, bytes] | None]] = set()
    waiting = iter(left)
    yield {}
    try:
        while True:
            for block in islice(waiting, most - len(running)):
                running.add(
                    pool.submit(play_block, plan, folder, block)
                    if folder
                    else pool.submit(encode_block, plan, block, str(counting.__version__))
                )
            if not running:
                return
            finished, running = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                yield future.result() or {}
    finally:
        for future in running:
            future.cancel()


def _known(plan: Plan, folder: Path) -> dict[str, str]:
    """The digests of a finished sweep's parts; none of one that is not finished or is of another plan."""
    try:
        manifest = _read_json(folder / "manifest.json")
        return dict(manifest["parts"]) if manifest["plan"] == plan.digest else {}
    except (InputError, KeyError, TypeError, ValueError):
        return {}


def _good(plan: Plan, folder: Path, place: str, known: Mapping[str, str]) -> bool:
    """Whether a part is there: by its content where it is known, else by its stamp."""
    if known:
        return (folder / place).is_file() and known.get(place) == _file_digest(folder / place)
    stamp = frames.stamp(folder / place)
    return stamp is not None and stamp["plan"] == plan.digest


def _places(plan: Plan) -> list[str]:
    return [_place(table, block) for table in plan.tables for block in range(plan.blocks)]


def _file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def _locked(plan: Plan, folder: Path) -> Iterator[None]:
    """The folder, made or checked to be this plan's, for this process alone."""
    claim(folder, "plan.json", "sweep")
    with (folder / ".lock").open("w") as lock:
        try:
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:  # no flock on this system: two sweeps of one plan write the same bytes
            pass
        except OSError:
            raise InputError(f"{folder}: another sweep is running in it") from None
        if (folder / "plan.json").exists():
            _refuse_other(plan, folder)
        else:
            write_text(folder / "plan.json", json.dumps(plan.to_dict(), indent=2) + "\n")
        for table in plan.tables:
            (folder / table.name).mkdir(exist_ok=True)
        for stray in (*folder.glob(".*.json.*"), *folder.glob("*/.part-*")):
            stray.unlink()
        yield


def _refuse_other(plan: Plan, folder: Path) -> None:
    there, asked = _read_json(folder / "plan.json"), plan.to_dict()
    differing = [
        f"{key} is {_brief(there.get(key))} there, {_brief(asked.get(key))} asked"
        for key in dict.fromkeys((*there, *asked))
        if there.get(key) != asked.get(key) and key not in ("game_digest", "tables")
    ]
    if differing:
        raise InputError(
            f"{folder}: holds a sweep with other settings, should be another folder: {'; '.join(differing)}"
        )


def _brief(value: object) -> str:
    """A setting in a few words: a game and each system by name and the start of its digest."""
    if isinstance(value, dict):
        named = {value["name"]: value} if "tableau" in value else value
        return ", ".join(f"{name} ({digest(data)[:8]})" for name, data in named.items()) or "none"
    return json.dumps(value)


def _read_json(path: Path) -> dict[str, Any]:
    try:
        return dict(json.loads(path.read_text()))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except (ValueError, TypeError):
        raise InputError(f"{path}: cannot be read as JSON") from None


def _manifest(plan: Plan, folder: Path) -> str:
    parts = {place: _file_digest(folder / place) for place in _places(plan)}
    return json.dumps({"plan": plan.digest, "parts": parts}, indent=1) + "\n"


@dataclass(frozen=True)
class Sweep:
    """A finished sweep: its plan and its tables as lazy frames."""

    folder: Path
    plan: Plan

    def scan(self, table: Table) -> pl.LazyFrame:
        if table.name == COUPS.name and not self.plan.keep_rows:
            raise InputError(f"{self.folder}: the sweep kept no rows of coups")
        if table.name == PENETRATION.name and not self.plan.penetration:
            raise InputError(f"{self.folder}: the sweep has no sums by cut")
        paths = [part_path(self.folder, table, block) for block in range(self.plan.blocks)]
        return frames.scan(paths, self.plan.coups_table if table.name == COUPS.name else table)

    @property
    def coups(self) -> pl.LazyFrame:
        return self.scan(COUPS)

    def blocks(self) -> Iterator[Coups]:
        """The coups block by block, in the order dealt, from the rows kept."""
        if not self.plan.keep_rows:
            raise InputError(f"{self.folder}: the sweep kept no rows of coups")
        return map(self._block, range(self.plan.blocks))

    def _block(self, block: int) -> Coups:
        return coups_of(pl.read_parquet(part_path(self.folder, COUPS, block)))

    @property
    def tallies(self) -> tuple[pl.LazyFrame, pl.LazyFrame, pl.LazyFrame]:
        """The tables `ledger`, `depth` and `dealt`."""
        return self.scan(LEDGER), self.scan(DEPTH), self.scan(DEALT)

    @property
    def penetration(self) -> pl.LazyFrame:
        return self.scan(PENETRATION)

    def retally(
        self, game: Game | None = None, *, bets: Sequence[str] = (), cuts: Sequence[int] = ()
    ) -> tuple[pl.LazyFrame, pl.LazyFrame, pl.LazyFrame]:
        """As `tallies`, priced again from the rows: see `retallied`."""
        found = list(self.retallied(game, bets=bets, cuts=cuts))
        ledger, depth, dealt, *_ = (pl.concat(parts).lazy() for parts in zip(*found, strict=True))
        return ledger, depth, dealt

    def retallied(
        self, game: Game | None = None, *, bets: Sequence[str] = (), cuts: Sequence[int] = ()
    ) -> Iterator[Tally]:
        """The tally of each block, of some bets, by default all, priced again from the rows kept: under another
        game of the same tableau, or with as many cards behind the cut card or more. Systems for bets that the
        other game lacks are left out."""
        plan = self.plan
        game = game or plan.game
        if game.tableau != plan.game.tableau:
            raise InputError(f"{game.name}: its tableau is not that of {plan.game.name}, which was dealt")
        own = plan.bets if game.digest == plan.game.digest else game.bet_names
        cuts = tuple(dict.fromkeys(cuts)) or (plan.dealing.cut,)
        mistakes = Mistakes()
        for cut in cuts:
            with mistakes.gathered():
                whole(cut, "cut", plan.dealing.cut, plan.dealing.least_undealt)
        own = tuple(bets or own)
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

        def block_tally(block: int) -> Tally:
            return scoring.tally(self._block(block).pieces(), cuts=cuts, part=block)

        with ThreadPoolExecutor() as pool:
            yield from pool.map(block_tally, range(plan.blocks))


def open_sweep(folder: Path) -> Sweep:
    """A finished sweep's folder, or a study's or report's that holds one. Raises `InputError` for another folder or an
    unfinished sweep."""
    if not (folder / "plan.json").exists() and (folder / "sweep" / "plan.json").is_file():
        folder = folder / "sweep"
    if not (folder / "plan.json").is_file():
        raise InputError(f"{folder}: no sweep there (plan.json is missing)")
    data = _read_json(folder / "plan.json")
    try:
        plan = Plan.from_dict(data)
    except (KeyError, TypeError, IndexError):
        raise InputError(f"{folder / 'plan.json'}: not the plan of a sweep") from None
    if data.get("version") != counting.__version__:
        raise InputError(f"{folder}: made by version {data.get('version')}, this is {counting.__version__}")
    if not (folder / "manifest.json").is_file():
        raise InputError(f"{folder}: the sweep is not finished; run it again to go on")
    known = _known(plan, folder)
    if not known:
        raise InputError(f"{folder}: its manifest and its plan are not of one sweep, one of them was changed")
    for place in _places(plan):
        if not _good(plan, folder, place, known):
            raise InputError(f"{folder / place}: missing or not as the sweep wrote it; run the sweep again to mend it")
    return Sweep(folder, plan)
