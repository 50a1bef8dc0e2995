"""Checks of the package against itself, on the machine on which it runs. The result is a row for each check, and a
verdict in one sentence.

The checks compare

- kernels with reference implementations,
- dealt shoes with exact probabilities, and the last cards of shoes with the census,
- floats with fractions,
- a sweep with the same sweep made again.

The certificates of games with choices are checked by dealing cards again. The same seed gives the same figures, so the
same command repeats a run exactly.
"""

from __future__ import annotations

import platform
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from counting.errors import several, whole, whole_field
from counting.exact import instruction_set
from counting.games import Game, as_game, load_game
from counting.io.tables import percent
from counting.io.toml import shipped
from counting.numbers import many
from counting.simulation import MOST_SEED
from counting.sweep import CountingBettor, Plan, Progress, Sweep, run
from counting.systems import System, library
from counting.verify import chemin_checks, dealt_checks, exact_checks, hand_checks, sweep_checks
from counting.verify.check import Check, Tick
from counting.verify.dealt_checks import ByCardsLeft
from counting.workers import threads

FALSE_ALARM = 1e-4  # the highest probability that one or more statistical tests fail on a correct machine
SHOES, LONG_SHOES = 200_000, 3_000_000
LEAST_SHOES, MOST_SHOES = 100, 10**8
GAMES = ("louisiana", "ez-baccarat")  # the games dealt by default

_SWEPT = 2500  # shoes of the sweep that is made again, in blocks of 200
_NAMED = 5  # a sentence names at most this number of the checks that disagree
_FEW = 10_000  # with fewer shoes, the catalog's censuses and the hands' lines under other tableaux are left out
_STEPS = 1000  # the number of steps in which progress is reported


@dataclass(frozen=True)
class Extent:
    """The extent of the checks. `shoes` is the number of shoes that each procedure deals. The sizes of most other
    checks grow with this number, between a least and a largest size. `long` adds a census of 40 cards."""

    shoes: int = SHOES
    long: bool = False

    def __post_init__(self) -> None:
        whole_field(self, "shoes", "shoes", LEAST_SHOES, MOST_SHOES)

    def scaled(self, share: float, low: int, high: int) -> int:
        return min(max(int(self.shoes * share), low), high)

    @property
    def cards_left(self) -> tuple[int, ...]:
        """For each comparison with a census: how many of the last cards of a shoe are compared."""
        return (6, 10, 20, *((30,) if self.shoes >= 100_000 else ()), *((40,) if self.long else ()))


@dataclass(frozen=True)
class Verified:
    """The result of `verify`: the rows of checks, further rows that are not tests (`beside`), and the settings."""

    games: tuple[Game, ...]
    extent: Extent
    seed: int
    checks: tuple[Check, ...]
    beside: tuple[ByCardsLeft, ...]

    @property
    def failed(self) -> list[Check]:
        return [check for check in self.checks if not check.agrees]

    @property
    def machine(self) -> dict[str, str]:
        """What a report of a disagreement should state about the machine."""
        return {
            "counting": version("counting"),
            "instruction set": f"{instruction_set()} (has {', '.join(exact_checks.instruction_sets())})",
            "system": f"{platform.system()} {platform.machine()}",
            "python": platform.python_version(),
            "numpy": np.__version__,
            "polars": pl.__version__,
        }

    @cached_property
    def reading(self) -> str:
        """The result in words, and what to do if something disagrees."""
        number = many(len(self.checks), "check")
        by_chance = [check for check in self.checks if check.dealt]
        exact, rounded = (
            sum(check.comparisons for check in self.checks if not check.dealt and (check.bound > 0) is allowed)
            for allowed in (False, True)
        )
        if not self.failed:
            result = f"All {number} agree: {exact:,} comparisons are equal"
            result += f", {rounded:,} floats differ only by rounding" * bool(rounded)
            if not by_chance:
                return f"{result}."
            least = len(by_chance) * min(check.chance or 0 for check in by_chance)
            worst = "None of these tests stands out."
            if least < 1:
                worst = (
                    f"On a correct machine, the worst of these tests is at least this bad in at most "
                    f"{percent(least, 1)} of runs."
                )
            dealt = sum(check.comparisons for check in by_chance)
            return f"{result}, and {dealt:,} statistical tests with dealt shoes agree. {worst}"
        names = "; ".join(f"{check.check} ({check.subject})" for check in self.failed[:_NAMED])
        if len(self.failed) > _NAMED:
            names += f"; and {len(self.failed) - _NAMED} more"
        machine = ", ".join(f"{name} {value}" for name, value in self.machine.items())
        again = (
            " Run it with another --seed: on a correct machine, a second failure by chance is very unlikely."
            if all(check.dealt for check in self.failed)
            else ""
        )
        return (
            f"{len(self.failed)} of {number} disagree{'s' * (len(self.failed) == 1)}: {names}.{again} Please send "
            f"these rows to the authors, with this information: {machine}, seed {self.seed}, {self.extent.shoes:,} "
            "shoes."
        )


class _Clock:
    """Reports progress, in thousandths of the whole time, through steps that take different times."""

    def __init__(self, progress: Progress | None, total: float) -> None:
        self.progress, self.total, self.done = progress, total, 0.0

    @contextmanager
    def step(self, length: float) -> Iterator[Tick]:
        def tick(share: float) -> None:
            if self.progress:
                self.progress(round(_STEPS * (self.done + share * length) / self.total), _STEPS)

        yield tick
        self.done += length
        tick(0)


# A step: about how many seconds it takes, and the function that yields its checks.
_Step = tuple[float, Callable[[Tick], Iterable[Check]]]


def verify(
    games: Game | str | Path | Iterable[Game | str | Path] = (),
    extent: Extent = Extent(),
    seed: int = 1,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Verified:
    """Check the package against itself. Kernels and the means of censuses are checked on every shipped game and on
    `games`. Dealing, sweeps and the last cards of shoes are checked on `games` only. Without `games`, the games in
    `GAMES` take their place.

    A statistical test fails if its chance is not above `FALSE_ALARM` divided by the number of these tests. So on a
    correct machine, one or more tests fail for at most one of 10,000 seeds. Raises `InputError` for a seed out of
    range, and for a game that cannot be read.
    """
    seed = whole(seed, "seed", 0, MOST_SEED)
    workers = threads(workers)
    asked = (games,) if isinstance(games, Game | Path) else several(games, "games")
    games = tuple(map(as_game, asked or GAMES))
    every = tuple({game.name: game for game in (*map(load_game, shipped("games")), *games)}.values())
    beside: list[ByCardsLeft] = []
    with tempfile.TemporaryDirectory() as folder:
        steps = _steps(games, every, extent, seed, workers, Path(folder), beside)
        clock = _Clock(progress, sum(length for length, _ in steps))
        checks: list[Check] = []
        for length, step in steps:
            with clock.step(length) as tick:
                checks += step(tick)
    by_chance = sum(check.dealt for check in checks)
    judged = (replace(check, bound=FALSE_ALARM / by_chance) if check.dealt else check for check in checks)
    return Verified(games, extent, seed, tuple(judged), tuple(beside))


def _systems(game: Game) -> tuple[System, ...]:
    """The library's systems that count for a bet of the game."""
    return tuple(each for each in library() if each.bets is None or {*each.bets} & {*game.bet_names})


def bettors_of(game: Game, systems: Sequence[System]) -> tuple[CountingBettor, ...]:
    """Bettors for the checks: for each system and each of a few table rules, a bettor on the system's first bet of the
    game."""
    rules: Sequence[dict[str, Any]] = [{"skips": None}]
    if main := game.mains():
        half, tenth = Fraction(1, 2), Fraction(1, 10)
        rules = [
            {"main": main, "tie_in": half},
            {"main": main, "tie_in": 2, "skips": 1, "idle": 1, "rebate": tenth, "main_on_count": main[-1]},
            {"main": main, "tie_in": half, "skips": 0, "stand": True, "loss_rebate": tenth},
        ]
    return tuple(
        CountingBettor(f"{system.name}-{i}", (bet,), system.name, **rule)
        for system in systems
        for bet in [bet for bet in system.bets or game.bet_names if bet in game.bet_names][:1]
        for i, rule in enumerate(rules)
    )


def _steps(
    games: Sequence[Game],
    every: Sequence[Game],
    extent: Extent,
    seed: int,
    workers: int,
    folder: Path,
    beside: list[ByCardsLeft],
) -> list[_Step]:
    lines, of_hands = extent.scaled(1 / 20_000, 1, 100), every if extent.shoes >= _FEW else games[:1]
    twin, hand = extent.scaled(1 / 8000, 1, 400), extent.scaled(1 / 1000, 5, 2000)
    coups, shoes, cards = extent.scaled(1 / 400, 20, 10_000), extent.shoes, extent.cards_left
    at_banque, macao = extent.scaled(1 / 50_000, 1, 20), extent.scaled(1, 100, 10**7)
    census = sum(len(game.bets) * 2.0 ** (n / 4 - 6) for game in games for n in cards)

    def last_cards(game: Game, tick: Tick) -> list[Check]:
        deep = dealt_checks.deep_in_the_shoe(game, cards, shoes, seed, lambda share: tick(share / 5))
        rows, also = dealt_checks.last_cards(game, deep, workers, lambda share: tick((1 + 4 * share) / 5))
        beside.extend(also)
        return rows

    def sweeps(game: Game, _: Tick) -> Iterator[Check]:
        into = folder / game.name
        plan = Plan(game, dealt_checks.procedures(game.decks)["jacobson"], _SWEPT, seed)
        yield from sweep_checks.same_bytes(plan, into, max(2, workers))
        yield from sweep_checks.pricing(Sweep(into / "one", plan), coups, seed)
        systems = _systems(game)
        few = replace(plan, shoes=3, systems=systems, spread=True, bettors=bettors_of(game, systems))
        yield from sweep_checks.sums(run(few, into / "few", workers=workers))

    def procedure(game: Game, named: str, tick: Tick) -> Iterator[Check]:
        return dealt_checks.dealings(game, named, shoes, seed, folder / game.name / named, workers, tick)

    return [
        (1.0 * twin + 10, lambda tick: exact_checks.kernel_against_twin(every, twin, seed, tick)),
        (3, lambda _: exact_checks.floats_against_integers(every, extent.scaled(1 / 100, 100, 20_000), seed)),
        (3, lambda _: exact_checks.distribution_against_forms(every, extent.scaled(1 / 100, 50, 20_000), seed)),
        (2, lambda _: exact_checks.pairs_against_twin(games[0], extent.scaled(1 / 20_000, 3, 200), seed)),
        (2.0 * lines, lambda tick: hand_checks.lines_against_twin(of_hands, lines, seed, tick)),
        (3, lambda _: exact_checks.one_card_unseen(every, seed)),
        (15 if shoes >= _FEW else 3, lambda tick: exact_checks.census_means(every, shoes >= _FEW, tick)),
        (0.3 * twin + 3, lambda tick: chemin_checks.certificates(twin, seed, tick)),
        (1, lambda _: chemin_checks.without_choice(every, extent.scaled(1 / 1000, 3, 2000), seed)),
        (2.5 * at_banque, lambda tick: chemin_checks.at_two_tableaux(at_banque, seed, tick)),
        (macao / 150_000, lambda tick: chemin_checks.macao_dealt(macao, seed, tick)),
        *((hand / 200, lambda _, game=game: exact_checks.dealt_by_hand(game, hand, seed)) for game in games),
        *((5, lambda tick, game=game: sweeps(game, tick)) for game in games),
        *(
            (shoes / 10_000, lambda tick, game=game, named=named: procedure(game, named, tick))
            for game in games
            for named in dealt_checks.procedures(game.decks)
        ),
        *(
            (census / len(games), lambda tick, game=game: last_cards(game, tick))
            for game in games
            if dealt_checks.census_bets(game)
        ),
    ]  # fmt: skip
