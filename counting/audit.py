"""Audit: whose bets follow the edge at a logged table, beside what was dealt wrongly there (`conduct`).

The edge of every bet is exact for the cards that the log has not shown before the coup (`unseen`). A patron is called
when no law of `permutations` explains his stakes on a bet, at a level that holds for all patrons and bets tested
together (Holm 1979).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, factorial
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from counting.cards import DECK
from counting.conduct import dealing_errors
from counting.config import digest
from counting.errors import InputError, whole
from counting.logfiles import GONE
from counting.logs import Log
from counting.permutations import Floats, Ints, law
from counting.rules import Game
from counting.shoe import Dealing
from counting.systems import PERFECT, System, counts_for
from counting.unseen import Results, Unseen, edges

LEAST_LEVEL = 1e-4
_MOST_DRAWN = 10**7


class Staked(NamedTuple):
    """A patron's stakes on a bet: over all coups of the shoes he bet in, by row of the log's coups."""

    patron: str
    bet: str
    rows: Ints
    stakes: Floats
    won: float | None


@dataclass(frozen=True)
class Settings:
    """How patrons are tested: `level` is the chance that any innocent one is called, `seed` that of the draws."""

    level: float = 0.01
    seed: int = 1
    systems: tuple[System, ...] = ()  # counts looked for beside the library's for the bet

    def most(self, tests: int) -> int:
        """Sums drawn at most for each of so many tests: enough for one to be called."""
        return min(max(10_000, ceil(3 * tests / self.level)), _MOST_DRAWN)


def stakes_of(log: Log, unseen: Unseen, game: Game) -> Iterator[Staked]:
    """Each patron and bet of the game's or the catalog's that he made, in the order in which they first appear."""
    row_of = log.coups.select("table", "shoe", "coup").with_row_index("row")
    names = {name: game.main_bet(name) for name in log.bets["bet"].unique(maintain_order=True)}
    known = {name: bet for name, bet in names.items() if bet in game.bet_names}
    placed = (
        log.bets.filter(pl.col("bet").is_in(list(known)))
        .with_columns(pl.col("bet").replace(known))
        .join(row_of, on=["table", "shoe", "coup"], how="inner", maintain_order="left")
    )
    end = np.append(unseen.start[1:], len(unseen.shoe))
    for (patron,), his in placed.group_by("patron", maintain_order=True):
        row = his["row"].to_numpy().astype(np.int64)
        shoes = np.unique(unseen.shoe[row])
        rows = np.concatenate([np.arange(a, b) for a, b in zip(unseen.start[shoes], end[shoes], strict=True)])
        for (bet,), bets in his.group_by("bet", maintain_order=True):
            place = np.searchsorted(rows, bets["row"].to_numpy())
            stakes: Floats = np.bincount(place, bets["amount"].to_numpy() / 100, len(rows)).astype(float)
            won = None if bets["won"].null_count() else float(bets["won"].sum()) / 100
            yield Staked(str(patron), str(bet), rows, stakes, won)


class _Counts:
    """How many triggers the counts for each bet have reached at each coup, worked out when asked for."""

    def __init__(self, unseen: Unseen, settings: Settings) -> None:
        self.unseen, self.settings = unseen, settings
        self._found: dict[str, list[tuple[System, NDArray[np.int32]]]] = {}

    def of(self, bet: str) -> list[tuple[System, NDArray[np.int32]]]:
        if bet not in self._found:
            own = (s for s in self.settings.systems if s.bets is None or bet in s.bets)
            systems = {system.name: system for system in (*counts_for(bet), *own)}
            self._found[bet] = [(system, self._reached(system)) for system in systems.values()]
        return self._found[bet]

    def _reached(self, system: System) -> NDArray[np.int32]:
        unseen = self.unseen
        left = unseen.values if system.knows == "value" else unseen.left("rank")
        running = system.running(left.clip(0), unseen.decks)
        return system.reached(running, unseen.cards.clip(1), unseen.cards.clip(1))


class _Explained(NamedTuple):
    """The count that tells best when he bets more than usual, its trigger, the share of those bets made at or above it,
    and the share of such coups on which he made one."""

    count_used: str | None = None
    trigger: float | None = None
    bets_at_trigger: float | None = None
    coups_at_trigger: float | None = None


def _explained(more: NDArray[np.bool_], edge: Floats, counts: list[tuple[System, NDArray[np.int32]]]) -> _Explained:
    """By the likelihood ratio of betting more often at or above the trigger than below it; an edge above 0 first."""
    if not 0 < more.sum() < len(more):
        return _Explained()
    best, found = 0.0, _Explained()
    known: list[tuple[str, tuple[float, ...], NDArray[Any]]] = [(PERFECT, (0.0,), (edge > 0).astype(np.int32))]
    for name, triggers, reached in [*known, *((s.name, s.scored, r) for s, r in counts)]:
        each = np.bincount(reached, minlength=len(triggers) + 1)
        with_more = np.bincount(reached, more, len(triggers) + 1)
        coups, bets = (x[::-1].cumsum()[::-1][1:].astype(float) for x in (each, with_more))
        for i, ratio in enumerate(_ratios(coups, bets, len(more), float(more.sum()))):
            if ratio > best * (1 + 1e-12):
                best = ratio
                found = _Explained(name, triggers[i], bets[i] / float(more.sum()), bets[i] / coups[i])
    return found


def _ratios(coups: Floats, bets: Floats, all_coups: int, all_bets: float) -> Floats:
    """Log likelihood ratios for each split of coups, 0 where he does not bet more often above it."""
    found = np.zeros(len(coups))
    usual = all_bets / all_coups
    for n, k, sign in ((coups, bets, 1), (all_coups - coups, all_bets - bets, -1)):
        with np.errstate(divide="ignore", invalid="ignore"):
            share = k / n
            part = np.where(k > 0, k * np.log(share / usual), 0)
            part = part + np.where(n > k, (n - k) * np.log((1 - share) / (1 - usual)), 0)
            found += np.where(n > 0, part, 0)
            found[(n > 0) & (sign * (share - usual) < 0)] = -np.inf
    return found.clip(0)


@dataclass(frozen=True)
class Audit:
    """A log reviewed: `patrons`, a row a patron and bet (see there); `errors` as `conduct.dealing_errors` has them."""

    log: Log
    game: Game
    decks: int
    dealing: Dealing | None
    settings: Settings
    coverage: dict[str, int]
    errors: pl.DataFrame
    patrons: pl.DataFrame

    @property
    def called(self) -> pl.DataFrame:
        return self.patrons.filter("called")


def audit(log: Log, game: Game, decks: int, dealing: Dealing | None = None, settings: Settings | None = None) -> Audit:
    """Review a log: was it dealt by this game's rules, with shoes of so many decks, and whose bets follow the edge?

    Bets of the catalog's are added to the game's. Raises `InputError` for a level that is none, and as
    `dealing_errors` does.
    """
    settings = settings or Settings()
    if not LEAST_LEVEL <= settings.level < 1:
        raise InputError(f"level: {settings.level:g}, should be from {LEAST_LEVEL:g} to 1")
    whole(settings.seed, "seed", 0, 2**63 - 1)
    errors = dealing_errors(log, game, decks, dealing)
    game = game.also(bet for bet in log.bets["bet"].unique(maintain_order=True) if _fits(game, bet))
    unseen = Unseen(log, decks)
    coverage = {
        "tables": log.coups["table"].n_unique(),
        "shoes": len(unseen.start),
        "coups": log.coups.height,
        "missing_coups": unseen.missing,
        "unread_cards": unseen.unread,
        "bets": log.bets.height,
        "patrons": log.bets["patron"].n_unique(),
        "coup_lines_skipped": _skipped(log, "coups"),
        "bet_lines_skipped": _skipped(log, "bets"),
        "remarks": log.remarks.height,
    }
    return Audit(log, game, decks, dealing, settings, coverage, errors, patrons(log, unseen, game, settings))


def _skipped(log: Log, file: str) -> int:
    """How many lines of a file were skipped."""
    gone = log.remarks.filter(pl.col("file") == file, pl.col("reason").str.ends_with(GONE))
    return gone["line"].n_unique()


def _fits(game: Game, bet: str) -> bool:
    try:
        game.also([game.main_bet(bet)])
    except InputError:
        return False
    return game.main_bet(bet) not in game.main_bets.values()


def patrons(log: Log, unseen: Unseen, game: Game, settings: Settings) -> pl.DataFrame:
    """A row a patron and bet, those whose stakes follow the edge first.

    `coups` dealt in the `shoes` he made any bet in, and his `bets` there, of this kind; `staked` and `gain`, the sum
    of stake times edge, in money, `gain_units` in units of his mean stake; `random`, what the same stakes would have
    come to at random times within the same shoes, `z` and the p-values (see `permutations`), the `least_p` that there
    can be, `p_holm` for all tests together, `called`, and whether he `can_be_called` or bet in too few shoes;
    `correlation` of stake with edge within shoes; `on_positive`, the share of his stakes at a positive edge, beside
    `coups_positive`; `won` in fact, where logged; the count that tells best when he bets more than usual.
    """
    staked = list(stakes_of(log, unseen, game))
    edge_of = {bet: edges(unseen, game, bet) for bet in dict.fromkeys(one.bet for one in staked)}
    counts, most = _Counts(unseen, settings), settings.most(len(staked))
    results = Results(log, unseen, game)
    result_of = {bet: results.of(bet) for bet in edge_of}
    rows = [_row(one, edge_of[one.bet], result_of[one.bet], unseen, counts, most) for one in staked]
    frame = pl.DataFrame(rows, schema=PATRONS).with_columns(
        can_be_called=pl.col("least_p") * len(staked) <= settings.level
    )
    return _holm(frame, settings.level).sort("p", "z", descending=[False, True], maintain_order=True)


PATRONS = {
    "patron": pl.String, "bet": pl.String, "shoes": pl.Int64, "coups": pl.Int64, "bets": pl.Int64,
    "staked": pl.Float64, "gain": pl.Float64, "gain_units": pl.Float64, "random": pl.Float64, "z": pl.Float64,
    "p_within": pl.Float64, "p_across": pl.Float64, "p_results": pl.Float64, "p": pl.Float64, "least_p": pl.Float64,
    "correlation": pl.Float64,
    "on_positive": pl.Float64, "coups_positive": pl.Float64, "won": pl.Float64, "count_used": pl.String,
    "trigger": pl.Float64, "bets_at_trigger": pl.Float64, "coups_at_trigger": pl.Float64,
}  # fmt: skip


def _row(one: Staked, every_edge: Floats, results: Ints, unseen: Unseen, counts: _Counts, most: int) -> dict[str, Any]:
    known = ~np.isnan(every_edge[one.rows])
    rows, stakes = one.rows[known], one.stakes[known]
    edge, shoe, dealt = every_edge[rows], unseen.shoe[rows], DECK * unseen.decks - unseen.cards[rows]
    stream = int(digest([one.patron, one.bet])[:15], 16)  # his own, whoever else was there
    found = law(stakes, edge, shoe, dealt, results[rows], most, counts.settings.seed, stream)
    shoes = len(np.unique(shoe))
    bets, total = int((stakes > 0).sum()), float(stakes.sum())
    reached = [(system, reached[rows]) for system, reached in counts.of(one.bet)]
    explained = _explained(stakes > (np.median(stakes) if len(stakes) else 0), edge, reached)
    return {
        "patron": one.patron,
        "bet": one.bet,
        "shoes": shoes,
        "coups": len(rows),
        "bets": bets,
        "staked": total,
        "gain": found.gain,
        "gain_units": found.gain / (total / bets) if bets else 0.0,
        "random": found.random,
        "z": found.z,
        "p_within": found.p_within,
        "p_across": found.p_across,
        "p_results": found.p_results,
        "p": found.p,
        "least_p": 1 / min(most + 1, factorial(min(shoes, 20))),
        "correlation": _correlation(stakes, edge, shoe),
        "on_positive": float(stakes @ (edge > 0)) / total if total else None,
        "coups_positive": float((edge > 0).mean()) if len(rows) else None,
        "won": one.won,
        **explained._asdict(),
    }


def _correlation(stakes: Floats, edge: Floats, shoe: Ints) -> float | None:
    """Of stakes with edges, each less its mean in the shoe; None where one of them does not vary."""
    at = np.unique(shoe, return_inverse=True)[1]
    number = np.bincount(at)
    a, b = (x - (np.bincount(at, x) / number)[at] for x in (stakes, edge))
    size = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / size if size > 1e-12 else None


def _holm(frame: pl.DataFrame, level: float) -> pl.DataFrame:
    """With `p_holm`, the level at which each would be called among them all, and `called`."""
    p = frame["p"].to_numpy()
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * (len(p) - np.arange(len(p)))).clip(max=1)
    holm = np.empty(len(p))
    holm[order] = stepped
    return frame.with_columns(pl.Series("p_holm", holm), pl.Series("called", holm <= level))
