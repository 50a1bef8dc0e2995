"""Brackets: two figures, one that some counter wins under a table's rules and one that no counter can exceed.

Without mid-shoe entry, a counter who skips too many coups in a row loses the seat. The best play is then not known,
because finding it means solving an optimal stopping problem on more than 10^10 compositions. What the best counter wins
lies between the two figures of the bracket. The lower figure is what one particular counter wins, whose rule of play is
called the policy. Each figure is a mean over dealt shoes. `counting.bounds.evaluation` works out both figures shoe by
shoe, from the exact edges of the coups. With a rebate on losses, `counting.bounds.net_evaluation` does this instead."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from counting.bounds.confidence_limits import Limits, least_bets
from counting.bounds.continuation import Continuation
from counting.bounds.evaluation import BLOCK, Fitted, figures_of_shoes, fit_costs, fit_to_shoes
from counting.bounds.means import LEAST_GAINING, Mean
from counting.bounds.net_evaluation import NetFitted, figures_of_days, fit_net
from counting.bounds.progress import WorkProgress
from counting.bounds.seats import Seat
from counting.errors import whole
from counting.io.folders import Record, claimed
from counting.simulation import MOST_SEED
from counting.version import __version__
from counting.workers import in_order, pool, threads

LEAST_FITTED, MOST_FITTED = 200, 200_000
_FIT = "fit.npz"  # the file of the fit in a bracket's folder


@dataclass(frozen=True, eq=False)
class Bracket:
    """The bracket of a seat: its two figures, and the shoes that they come from.

    `shoes` has a row for each shoe played:

    - `lower` and `upper`: the two figures, in units (see `Per`)
    - `coups`: coups dealt
    - `played`: coups that the policy plays with any stake
    - `sides`: coups that the policy plays with a side bet
    - `chances`: coups on which a counter who may skip any coup would make a side bet, or any bet if there are no side
      bets. With a rebate on losses, these are the coups on which this counter might make such a bet
    - `alone-BET`, for each main bet: what a bettor wins who makes only this bet, with one unit whenever its edge is
      positive
    - `positive-BET`, for each main bet: the number of coups on which the bet has a positive edge

    If a loss is added up over several shoes, each row is for one group of shoes, and its values are the group's means
    per shoe.

    The other fields are:

    - `fitted`: the number of other shoes that the policy was fitted to
    - `exact`: whether the two figures are equal. They are equal if each coup can be played on its own (the best stakes
      do not depend on the rest of the shoe) and no bet stands after a push
    - `error`: a further standard error of the upper figure. It is above 0 only if a loss is added up over several
      shoes, because the worth of later shoes is then an estimate
    - `rare`: the limits for a counter who may skip any coup, from weighted shoes or a proven bound. A statement works
      them out if the limit of `upper` does not hold (`few`) and there is no rebate on losses; otherwise `rare` is
      None."""

    seat: Seat
    shoes: pl.DataFrame = field(repr=False)
    fitted: int
    exact: bool
    error: float = 0.0
    rare: Limits | None = field(default=None, repr=False)

    @property
    def sides(self) -> tuple[str, ...]:
        """The side bets that can be made at the seat."""
        return self.seat.stakes.sides

    @property
    def bets(self) -> tuple[str, ...]:
        """The bets after which the figures are named: the side bets, or the main bets if there are no side bets."""
        return self.sides or self.seat.stakes.main

    @cached_property
    def lower(self) -> Mean:
        """What the policy wins per shoe."""
        return Mean.of(self.shoes["lower"].to_numpy())

    @cached_property
    def upper(self) -> Mean:
        """An amount per shoe that no counter can exceed."""
        return Mean.of(self.shoes["upper"].to_numpy()).beside(self.error)

    @property
    def dealt(self) -> int:
        """The number of shoes played."""
        return len(self.shoes) * self.seat.loss_over

    @property
    def few(self) -> bool:
        """Whether too few coups had a bet, or too few shoes had a gain, for the upper figure's 99% limit to hold."""
        gaining = (self.shoes["upper"] > 0).sum()
        return bool(self.shoes["chances"].sum() < least_bets(len(self.shoes)) or gaining < LEAST_GAINING)

    def per_coup(self, column: str) -> Mean:
        """The mean of a column per coup dealt."""
        per_coup = Mean.ratio(self.shoes[column].to_numpy(), self.shoes["coups"].to_numpy())
        return per_coup.beside(self.error / self.per_shoe("coups")) if column == "upper" else per_coup

    def per_shoe(self, column: str) -> float:
        """The mean of a column per shoe."""
        return float(self.shoes[column].to_numpy().mean())


def bracket(
    seat: Seat,
    shoes: int,
    seed: int,
    folder: Path | None = None,
    *,
    stand: bool = False,
    fitted: int | None = None,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: WorkProgress | None = None,
) -> Bracket:
    """The two figures of a seat, from `shoes` shoes. The policy is fitted to `fitted` other shoes; by default, `fitted`
    equals `shoes`. If each coup can be played on its own, nothing is fitted.

    `stand`: main bets stand for the next coup after a push. The lower figure then comes from play on the results as
    dealt. The upper figure is looser, as it lets bettors take standing bets down. If a rebate is paid on a loss that is
    added up over several shoes, `shoes` is the number of groups of shoes. A `folder` keeps the fit and every block of
    shoes, so that an interrupted run can be resumed. Raises `InputError` if the folder is in use or holds anything but
    this bracket, and for numbers of shoes or a seed out of range.

    >>> from counting import Dealing, load_game
    >>> from counting.bounds import Seat, bracket
    >>> from counting.sweep import Stakes
    >>> seat = Seat(load_game("ez-baccarat"), Dealing(), Stakes.of(("dragon-7",), ("player",)), None)
    >>> bracket(seat, 400, 1).dealt
    400
    """
    folders = () if folder is None else (folder,)
    (only,) = brackets(
        [seat],
        shoes,
        seed,
        folders,
        stand=stand,
        fitted=fitted,
        workers=workers,
        executor=executor,
        progress=progress,
    )
    return only


def brackets(
    seats: Sequence[Seat],
    shoes: int,
    seed: int,
    folders: Sequence[Path] = (),
    *,
    stand: bool = False,
    fitted: int | None = None,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: WorkProgress | None = None,
) -> list[Bracket]:
    """The brackets of several seats at one table, each as `bracket` makes it. Without a rebate on losses, the coups
    that the seats share are dealt and priced once. `hangs_together` must be the same for all seats."""
    shoes = whole(shoes, "shoes", 2, 10**9)
    seed = whole(seed, "seed", 0, MOST_SEED)
    workers = threads(workers)
    base, over = seats[0], seats[0].loss_over
    to_fit = _to_fit(base, shoes, fitted)
    starts = range(0, shoes, BLOCK)
    with ExitStack() as claims:
        kept: list[_Folder] = []
        for seat, folder in zip(seats, folders, strict=bool(folders)):
            claims.enter_context(claimed(folder, "bracket", bracket_settings(seat, shoes, seed, stand, to_fit)))
            kept.append(_Folder(folder))
        parts = [{first: part for first in starts if (part := one.part(first)) is not None} for one in kept]
        parts = parts or [{} for _ in seats]

        of_fits = sum(fit_costs(len(seats), to_fit, workers)) if base.hangs_together else 0.0
        to_play = len(seats) * shoes * over

        def tick(fitted: float = of_fits) -> None:
            if progress:
                played = sum(part.height for of_seat in parts for part in of_seat.values()) * over
                done = len(seats) * to_fit * (fitted >= of_fits) + played
                work = fitted + played / workers, of_fits + to_play / workers
                progress(done, len(seats) * to_fit + to_play, work)

        fits = _fits(seats, kept, stand, seed, to_fit, workers, tick)
        tick()
        left = [first for first in starts if any(first not in of_seat for of_seat in parts)]
        lacking = [[i for i, of_seat in enumerate(parts) if first not in of_seat] for first in left]
        with pool(executor, workers) as players:
            sizes = [min(BLOCK, shoes - first) for first in left]
            of_block = [[fits[i] for i in some] for some in lacking]
            made = in_order(players, partial(_figures, stand, seed), of_block, left, sizes)
            for some, first, frames in zip(lacking, left, made, strict=True):
                for i, frame in zip(some, frames, strict=True):
                    parts[i][first] = frame
                    if kept:
                        kept[i].keep_part(first, frame)
                tick()
    return [
        Bracket(
            seat,
            pl.concat(of_seat[first] for first in starts),
            to_fit,
            not (seat.hangs_together or stand),
            (fit.error if isinstance(fit, NetFitted) else 0.0) / over,
        )
        for seat, fit, of_seat in zip(seats, fits, parts, strict=True)
    ]


def _fits(
    seats: Sequence[Seat],
    kept: Sequence[_Folder],
    stand: bool,
    seed: int,
    to_fit: int,
    workers: int,
    tick: Callable[[float], object],
) -> list[Fitted | NetFitted]:
    """The fit of each seat. It is read from the seat's folder if the folder has it. Otherwise it is made from dealt
    shoes, and kept if there are folders. `tick` is as for `fit_to_shoes`."""
    if not seats[0].hangs_together:
        return [Fitted(Continuation(seat, [])) for seat in seats]
    fits = {i: fit for i, folder in enumerate(kept) if (fit := folder.fit(seats[i])) is not None}
    lacking = [i for i in range(len(seats)) if i not in fits]
    made: Iterable[Fitted | NetFitted] = ()
    if seats[0].loss_rebate:
        made = (fit_net(seats[i], stand, seed, to_fit, workers) for i in lacking)
    elif lacking:
        tick(0.0)
        made = fit_to_shoes([seats[i] for i in lacking], stand, seed, to_fit, workers, tick)
    for i, fit in zip(lacking, made, strict=True):
        fits[i] = fit
        if kept:
            kept[i].keep_fit(fit)
    return [fits[i] for i in range(len(seats))]


def _figures(stand: bool, seed: int, fits: Sequence[Fitted | NetFitted], first: int, shoes: int) -> list[pl.DataFrame]:
    """A frame for each seat: the figures of some shoes, or of some groups of shoes."""
    net = [fit for fit in fits if isinstance(fit, NetFitted)]
    if net:
        return [figures_of_days(fit, stand, seed, first, shoes) for fit in net]
    return figures_of_shoes([fit for fit in fits if isinstance(fit, Fitted)], stand, seed, first, shoes)


def bracket_settings(
    seat: Seat, shoes: int, seed: int, stand: bool = False, fitted: int | None = None
) -> dict[str, Any]:
    """Everything that a bracket's figures depend on, as its folder records it."""
    return {
        "version": __version__, "game": seat.game.digest, "dealing": seat.dealing.recorded,
        "stakes": json.loads(json.dumps(seat.stakes.key, default=str)), "most_skipped": seat.most_skipped,
        "rebate": seat.rebate, "loss_rebate": seat.loss_rebate, "stand": stand, "shoes": shoes,
        "fitted": _to_fit(seat, shoes, fitted), "seed": seed,
        **({"loss_above": seat.loss_above, "loss_over": seat.loss_over} if seat.loss_rebate else {}),
    }  # fmt: skip


def _to_fit(seat: Seat, shoes: int, fitted: int | None) -> int:
    if not seat.hangs_together:
        return 0
    return whole(shoes if fitted is None else fitted, "shoes to fit to", LEAST_FITTED, MOST_FITTED)


class _Folder:
    """The folder of a bracket: its fit and its blocks of shoes, each written completely and recorded."""

    def __init__(self, folder: Path) -> None:
        self.record = Record(folder)
        self.record.drop_bad()

    def part(self, first: int) -> pl.DataFrame | None:
        content = self.record.read(_place(first))
        return None if content is None else pl.read_parquet(io.BytesIO(content))

    def keep_part(self, first: int, part: pl.DataFrame) -> None:
        out = io.BytesIO()
        part.write_parquet(out)
        self.record.write(_place(first), out.getvalue())

    def fit(self, seat: Seat) -> Fitted | NetFitted | None:
        content = self.record.read(_FIT)
        if content is None:
            return None
        with np.load(io.BytesIO(content)) as kept:
            if seat.loss_rebate:
                return NetFitted.from_arrays(seat, kept)
            return Fitted(Continuation.from_arrays(seat, kept, "bound"), float(kept["share"]), bool(kept["away"]))

    def keep_fit(self, fit: Fitted | NetFitted) -> None:
        if isinstance(fit, NetFitted):
            arrays = fit.arrays()
        else:
            arrays = {"share": np.array(fit.share), "away": np.array(fit.away), **fit.continuation.arrays("bound")}
        out = io.BytesIO()
        np.savez(out, **arrays)  # type: ignore[arg-type]
        self.record.write(_FIT, out.getvalue())


def _place(first: int) -> str:
    return f"shoes-{first // BLOCK:06d}.parquet"
