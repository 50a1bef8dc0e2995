"""What the bettors of a sweep win per shoe, with an upper limit for each bettor and cut, however few bets the sweep
shows."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeGuard

import numpy as np
import polars as pl

from counting.analysis import Totals, add_up, cut_places, sums_by_cut
from counting.arrays import Floats, Ints
from counting.bounds.confidence_limits import PlainShoes, plain_limit, upper_limits, weighted_shoes
from counting.bounds.means import Z99, Z995, Estimate
from counting.cards import DECK
from counting.simulation import Aim, Rare, aim_at, deal_weighted_together, depths_for
from counting.sweep import BETTORS, Bettor, PerfectBettor, Stakes, Sweep


@dataclass(frozen=True)
class Rebated:
    """What a coup is worth to a bettor with these stakes, if a rebate is paid on every unit staked. This is an
    `aims.Worth`."""

    stakes: Stakes
    rebate: float

    @property
    def bets(self) -> tuple[str, ...]:
        return self.stakes.bets

    def free(self, edges: Floats) -> Floats:
        return self.stakes.free(edges, self.rebate)


def bettor_totals(sweep: Sweep, cuts: Sequence[int] = ()) -> Totals:
    """The sums of the table `bettors` at these cuts, by default at all cuts. There is a row for each of
    `sweep.plan.bettors`."""
    plan = sweep.plan
    return add_up(plan, cut_places(plan, cuts), _parts(sweep), plan.scoring.bettor_units)


def _parts(sweep: Sweep) -> Iterator[tuple[Ints, Ints]]:
    """Two arrays for each part. The first (bettors, cuts, 3) gives the coups with any stake, the coups with a side bet,
    and the gain. The second (cuts,) gives the coups dealt."""
    names = pl.DataFrame({"bettor": [bettor.name for bettor in sweep.plan.bettors]})
    for sums in sums_by_cut(sweep, BETTORS, names, ("coups", "played", "sides", "gain")):
        yield sums[:, :, 1:], sums[0, :, 0]


class Free(NamedTuple):
    """What a counter who may skip any coup wins per shoe (cuts,).

    `gain` has an upper limit with 99% confidence. `beside` is an upper limit with 99.5% confidence, for use with
    another limit of the same confidence: the lesser of the two holds with 99% confidence."""

    gain: Estimate
    beside: Floats


class Uppers:
    """What the bettors of a sweep win per shoe at these cuts, with standard errors and upper 99% limits.

    By default the cuts are all cuts for which the sweep keeps sums. `how`: how the limits were worked out, keyed by the
    bettor's name. `totals`: the sums over the plain shoes.

    If the plain shoes show enough bets, the limits are from these shoes (`confidence_limits.plain_limit`). If not, the
    limit of a perfect counter who may skip any coup is from weighted shoes or a proven bound
    (`confidence_limits.upper_limits`). Any other bettor then has the limit of the perfect counter who may skip any coup
    under the same rule, as no bettor wins more. If `of` is called without this counter (`free`), the limit is
    infinite."""

    def __init__(self, sweep: Sweep, cuts: Sequence[int] = (), workers: int | None = None) -> None:
        self.sweep, self.totals, self.workers = sweep, bettor_totals(sweep, cuts), workers
        self.how: dict[str, str] = {}
        self._rows = {bettor.name: row for row, bettor in enumerate(sweep.plan.bettors)}
        self._gains: dict[Hashable, tuple[Estimate, str]] = {}  # keyed by `wins` of the bettor and of `free`
        self._groups: dict[tuple[str, ...], tuple[Aim, dict[Hashable, Rare]]] = {}

    def row(self, bettor: Bettor) -> int:
        """The number of the bettor's row in the totals."""
        return self._rows[bettor.name]

    def of(self, bettor: Bettor, free: PerfectBettor | None = None) -> Estimate:
        """The gain per shoe of a bettor (cuts,), with its upper limit.

        If there are coups that the bettor may not skip, `free` is a counter who may skip any coup and who wins no
        less."""
        key = bettor.wins, free and free.wins
        if key not in self._gains:
            self._gains[key] = self._of(bettor, free)
        gain, how = self._gains[key]
        if how:
            self.how[bettor.name] = how
        return gain

    def free(self, bettor: PerfectBettor) -> Free:
        """The figures of a counter who may skip any coup."""
        gain, plain = self.of(bettor), self._plain(bettor)
        wider, narrower = (plain_limit(0.0, gain.error, plain.parts, plain.bets, z) for z in (Z995, Z99))
        return Free(gain, gain.limit + np.nan_to_num(wider - narrower))

    def _of(self, bettor: Bettor, free: PerfectBettor | None) -> tuple[Estimate, str]:
        plan, plain = self.sweep.plan, self._plain(bettor)
        if not is_free(bettor):
            upper = plain_limit(plain.gain, plain.gain_se, plain.parts, plain.bets)
            upper = np.where(plain.few, np.inf if free is None else self.of(free).limit, upper)
            return Estimate(plain.gain, plain.gain_se, upper), ""
        worth, aim, rare = _worth(bettor), None, None
        if plain.few.any():
            shared, gains = self._together(_aimed_at(bettor))
            aim, rare = shared.serving(worth), gains[bettor.wins]
        limits = upper_limits(
            plan.game, plan.dealing, worth, plain, weighted_shoes(plan.shoes), plan.seed, self.workers, aim, rare
        )
        return limits.estimate, limits.how

    def _plain(self, bettor: Bettor) -> PlainShoes:
        """What the plain shoes show about a bettor."""
        sums, row = self.totals, self.row(bettor)
        sided = int(bool(bettor.sides))  # count side bets if there are any: the rarer bets cause the skew
        return PlainShoes(
            sums.cuts, sums.shoes, sums.parts, sums.coups_per_shoe,
            sums.sums[row, :, sided].astype(float), sums.per_shoe[0][row], sums.per_shoe[1][row],
        )  # fmt: skip

    def _together(self, bets: tuple[str, ...]) -> tuple[Aim, dict[Hashable, Rare]]:
        """The aim for these bets, and the gains from weighted shoes with this aim.

        The gains are for the bettors who may skip any coup, and who make too few bets in the plain shoes. The key of a
        gain is the bettor's `wins`. The aim is set for the cuts at which the first of these bettors makes too few bets.
        All gains are from the same weighted shoes."""
        if bets not in self._groups:
            plan = self.sweep.plan
            plain: dict[Hashable, PlainShoes] = {}
            worths: dict[Hashable, Rebated] = {}
            for bettor in plan.bettors:
                if is_free(bettor) and _aimed_at(bettor) == bets and (shown := self._plain(bettor)).few.any():
                    plain.setdefault(bettor.wins, shown)
                    worths.setdefault(bettor.wins, _worth(bettor))
            first, half = next(iter(plain)), DECK * plan.dealing.decks // 2
            depths = depths_for(
                (min(int(cut), half) for cut in plain[first].cuts[plain[first].few]), plan.dealing.decks
            )
            aim = aim_at(plan.game, worths[first], depths, plan.dealing.decks, self.workers)
            counters = [(worths[wins], shown.cuts[shown.few].tolist()) for wins, shown in plain.items()]
            shoes = weighted_shoes(plan.shoes)
            gains = deal_weighted_together(aim, plan.dealing, counters, shoes, plan.seed, self.workers)
            self._groups[bets] = aim, dict(zip(plain, gains, strict=True))
        return self._groups[bets]


def is_free(bettor: Bettor) -> TypeGuard[PerfectBettor]:
    """Whether a bettor is a perfect counter who may skip any coup."""
    return isinstance(bettor, PerfectBettor) and bettor.may_skip


def _worth(bettor: PerfectBettor) -> Rebated:
    return Rebated(bettor.stakes, float(bettor.rebate))


def _aimed_at(bettor: PerfectBettor) -> tuple[str, ...]:
    """The bets that make a perfect counter's gain rare: the side bets, or the main bets if there are no side bets."""
    return bettor.stakes.sides or bettor.stakes.main
