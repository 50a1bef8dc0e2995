"""A sweep's plan. Together with the software's version, it determines every bit of the result."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from counting.cards import Knows, finest
from counting.errors import InputError, Mistakes, instance, several, whole, whole_field
from counting.exact import required_detail
from counting.games import Game, as_game, on_hands
from counting.io.toml import digest
from counting.simulation import BLOCK, MOST_SEED, Dealing
from counting.sweep.bettors import Bettor, CountingBettor, PerfectBettor, bettor_of
from counting.sweep.scoring import Scoring, scored_bets
from counting.sweep.tables import BETTORS, COUPS, PENETRATION, SPREAD, TableSchema
from counting.sweep.tally import TALLIES
from counting.systems import System, as_system
from counting.version import __version__

MOST_SHOES = 10**9
MOST_SYSTEMS = 1000
MOST_CELLS = 1 << 22  # the most cells of a block in the table `penetration`: 128 MB a worker

MOST_BLOCKS = 20_000  # the most blocks of a sweep that keeps its block size when it is extended

_BLOCKS = 250  # a sweep of many shoes has at least this number of blocks
_LEAST_BLOCK = 200
# The most shoes, and the most blocks, of a batch of several blocks. The blocks of a batch share a table `spread`.
_BATCH, _MOST_IN_BATCH = 2_800, 8


@dataclass(frozen=True, init=False)
class Plan:
    """A sweep's settings. Together with the software's version, they determine every bit of the result.

    The game and the systems may be given by name, as `load_game` and `load_system` take them, or as the path of a file.

    - `bets`: the bets priced; by default all of the game's
    - `keep_rows`: the coups of every shoe whose number is a multiple of `keep_rows` are kept as rows, besides the sums;
      0 keeps none
    - `penetration` and `spread`: whether to keep sums for every cut, and whether to keep the spread of edges
    - `blocks_of`: shoes per block; 0 for a size that suits the number of shoes. An extended sweep keeps its size.

    >>> from counting import Dealing, Plan
    >>> Plan("ez-baccarat", Dealing(cut=14), 1000, systems=("dragon-7",)).game
    <Game ez-baccarat: 8 decks, 5 bets>
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
    blocks_of: int = 0
    spread: bool = False

    def __init__(
        self,
        game: Game | str | Path,
        dealing: Dealing,
        shoes: int,
        seed: int = 1,
        systems: Iterable[System | str | Path] = (),
        bets: Iterable[str] = (),
        keep_rows: int = 1,
        penetration: bool = True,
        bettors: Iterable[Bettor] = (),
        blocks_of: int = 0,
        spread: bool = False,
    ) -> None:
        mistakes, made = Mistakes(), vars(self)
        made |= {"dealing": dealing, "shoes": shoes, "seed": seed, "penetration": penetration, "spread": spread}
        with mistakes.gathered():
            made["game"] = as_game(game)
        for name, values in (("systems", systems), ("bets", bets), ("bettors", bettors)):
            with mistakes.gathered():
                made[name] = several(values, name)
        with mistakes.gathered():
            instance(dealing, Dealing, "dealing", "Dealing(cut=14) or Dealing.named('jacobson')")
        for bettor in made.get("bettors", ()):
            if not isinstance(bettor, PerfectBettor | CountingBettor):
                mistakes.append(f"bettors: {bettor!r}, should be a bettor, as CountingBettor makes")
        for name, switch in (("penetration", penetration), ("spread", spread)):
            if not isinstance(switch, bool):
                mistakes.append(f"{name}: {switch!r}, should be True or False")
        mistakes.report()
        with mistakes.gathered():
            self.game.dealt_from(self.dealing.decks)
        loaded = []
        for system in self.systems:
            with mistakes.gathered():
                loaded.append(as_system(system))
        mistakes.report()
        made["systems"] = tuple(loaded)
        check_size(self, mistakes)
        with mistakes.gathered():
            whole(len(self.systems), "number of systems", 0, MOST_SYSTEMS)
        with mistakes.gathered():
            made["blocks_of"] = whole(blocks_of, "shoes in a block", 0, BLOCK)
        names = [system.name for system in self.systems]
        with mistakes.gathered():
            every = int(keep_rows) if isinstance(keep_rows, bool) else keep_rows
            made["keep_rows"] = whole(every, "rows of every n-th shoe", 0, MOST_SHOES)
        made["bets"] = self.bets or self.game.bet_names
        with mistakes.gathered():
            made["game"], made["bets"] = self.game.asked(self.bets)
        for system in self.systems:
            with mistakes.gathered():
                scored_bets(system, self.game, self.bets)
        for kind, named in (("system", names), ("bettor", [bettor.name for bettor in self.bettors])):
            for name in dict.fromkeys(named):
                if named.count(name) > 1:
                    mistakes.append(f"{kind} {name!r}: occurs twice, should have different names")
        for bettor in self.bettors:
            with mistakes.gathered():
                self._check_bettor(bettor, names)
        mistakes.report()
        if self.blocks_of == usual_block(self.shoes):
            made["blocks_of"] = 0
        if self.cells > MOST_CELLS:
            raise InputError(
                f"penetration: {self.cells:,} cells (bets by count and cut), should be at most {MOST_CELLS:,}: "
                "plan fewer bets, systems or triggers, or leave out the table"
            )

    def _check_bettor(self, bettor: Bettor, systems: Sequence[str]) -> None:
        for bet in bettor.bets:
            if bet not in self.bets:
                raise InputError(
                    f"bettor {bettor.name}: bet {bet!r}, should be one of those priced: {', '.join(self.bets)}"
                )
        if not isinstance(bettor, CountingBettor):
            return
        if bettor.system not in systems:
            raise InputError(f"bettor {bettor.name}: system {bettor.system!r}, should be one of {', '.join(systems)}")
        for system in self.systems:
            if system.name == bettor.system and system.bets is not None and not set(bettor.sides) <= set(system.bets):
                raise InputError(f"bettor {bettor.name}: {system.name} counts for {', '.join(system.bets)} alone")

    @property
    def cells(self) -> int:
        """The most cells of a block in the table `penetration`."""
        return len(self.scoring.layout.keys_by_cut) * len(self.dealing.cuts) if self.penetration else 0

    @property
    def block(self) -> int:
        """The number of shoes in a block. It depends on the plan, never on the workers."""
        return self.blocks_of or usual_block(self.shoes)

    def shoes_in(self, block: int) -> int:
        """The number of shoes in this block. The last block may be short."""
        return min(self.block, self.shoes - whole(block, "block", 0, self.blocks - 1) * self.block)

    @property
    def blocks(self) -> int:
        """The number of blocks. Each block's sums are kept apart, because standard errors come from the differences
        between blocks."""
        return -(-self.shoes // self.block)

    @property
    def batches(self) -> range:
        """The batches, each given by the number of its first block. One worker plays a batch into one file of every
        table.

        A batch has at most 8 blocks, and at most 2,800 shoes unless it is a single block. A block of 200 shoes or fewer
        is a batch by itself, so that sweeps of few shoes keep every core busy."""
        size = min(_MOST_IN_BATCH, _BATCH // self.block) if self.block > _LEAST_BLOCK else 1
        return range(0, self.blocks, max(size, 1))

    def blocks_in(self, batch: int) -> range:
        """The blocks of a batch. Raises `InputError` unless `batch` is the number of a batch's first block."""
        first = whole(batch, "batch", 0, self.blocks - 1)
        if first not in self.batches:
            raise InputError(f"batch: {first}, should be a multiple of {self.batches.step}, the blocks of a batch")
        return range(first, min(first + self.batches.step, self.blocks))

    def shoes_in_batch(self, batch: int) -> int:
        return sum(map(self.shoes_in, self.blocks_in(batch)))

    @property
    def tables(self) -> tuple[TableSchema, ...]:
        """The tables that the sweep writes. `coups`, which has a column for each system, comes first if it is kept."""
        left_out = [PENETRATION] * (not self.penetration) + [BETTORS] * (not self.bettors)
        left_out += [SPREAD] * (not self.spread)
        sums = tuple(table for table in (*TALLIES, SPREAD) if table not in left_out)
        return ((self.coups_table,) if self.keep_rows else ()) + sums

    @cached_property
    def scoring(self) -> Scoring:
        return Scoring(self.game, self.bets, self.systems, self.dealing.decks, self.bettors)

    @property
    def coups_table(self) -> TableSchema:
        return COUPS.tracking(self.knows, [system.name for system in self.systems], bool(on_hands(self.game.bets)))

    @cached_property
    def knows(self) -> Knows:
        """What is tracked of the unseen cards: values, or ranks or cards if a bet or a system needs them."""
        return finest(
            [required_detail(self.game.bet(bet)) for bet in self.bets] + [system.knows for system in self.systems]
        )

    def to_dict(self) -> dict[str, Any]:
        dealing = self.dealing
        return {
            "version": __version__,
            "tables": {table.name: table.version for table in self.tables},
            "game": self.game.to_dict(),
            "game_digest": self.game.digest,
            "decks": dealing.decks,
            "cut": dealing.cut,
            "burn": dealing.burn,
            "after_cut": list(dealing.after_cut),
            "shoes": self.shoes,
            "block": self.block,
            "seed": self.seed,
            "systems": {system.name: system.to_dict() for system in self.systems},
            "bets": list(self.bets),
            "rows": self.keep_rows,
            "penetration": self.penetration,
            "spread": self.spread,
            "bettors": [bettor.to_dict() for bettor in self.bettors],
            **({"blocks_in_batch": self.batches.step} if self.batches.step > 1 else {}),
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
            tuple(map(bettor_of, data["bettors"])),
            data.get("block", 0),
            data.get("spread", False),
        )

    @cached_property
    def digest(self) -> str:
        """The digest of everything that determines the result. The block size is part of it, unless it is the usual
        size."""
        data = self.to_dict()
        if not self.blocks_of:
            del data["block"]
        return digest(data)

    @cached_property
    def stamp(self) -> str:
        """The digest of everything that determines the bits of a whole batch. The number of shoes is not part of it."""
        data = self.to_dict()
        del data["shoes"]
        return digest(data)


def usual_block(shoes: int) -> int:
    """The default number of shoes in a block."""
    return min(max(_LEAST_BLOCK, shoes // _BLOCKS), BLOCK)


def check_size(record: object, mistakes: Mistakes) -> None:
    """Check the fields `seed` and `shoes` of a sweep or of its options. Mistakes are added to `mistakes`."""
    with mistakes.gathered():
        whole_field(record, "seed", "seed", 0, MOST_SEED)
    with mistakes.gathered():
        whole_field(record, "shoes", "shoes", 1, MOST_SHOES)
