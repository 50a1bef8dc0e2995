"""What the bettors of a sweep win per shoe, with upper limits by bettor and cut, however few bets the sweep shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeGuard

import numpy as np

from counting.analysis import Totals
from counting.arrays import Floats
from counting.cards import DECK
from counting.limits.confidence_limits import Plain, plain_limit, upper_limits, weighted_shoes
from counting.limits.means import Z99, Z995, Estimate
from counting.simulation import Aim, Rare, aim_at, depths_for, weighted_together
from counting.sweep import Bettor, PerfectBettor, Stakes, Sweep


@dataclass(frozen=True)
class Rebated:
    """What a coup is worth with these stakes and a rebate (`aims.Worth`)."""

    stakes: Stakes
    rebate: float

    @property
    def bets(self) -> tuple[str, ...]:
        return self.stakes.bets

    def free(self, edges: Floats) -> Floats:
        return self.stakes.free(edges, self.rebate)


class Free(NamedTuple):
    """What a counter who may skip any coup wins per shoe: the `gain` with its upper 99% limit; and the limit `beside`
    another (cuts,), of 99.5%: the lesser of two such limits holds with 99% confidence."""

    gain: Estimate
    beside: Floats


class Uppers:
    """What the bettors of a sweep win per shoe at its cuts, with standard errors and upper 99% limits, and `how` these
    were worked out.

    If the plain shoes show enough bets, the limits are from them (`confidence_limits.plain_limit`). If not, the limit
    of a perfect counter who may skip any coup is from weighted shoes or a proven bound
    (`confidence_limits.upper_limits`). Other counters then get this counter's limit, as none of them wins more.
    """

    def __init__(self, sweep: Sweep, totals: Totals, workers: int | None = None) -> None:
        self.sweep, self.totals, self.workers = sweep, totals, workers
        self.how: dict[str, str] = {}
        self._by_row: dict[int, Estimate] = {}
        self._groups: dict[tuple[str, ...], tuple[Aim, dict[int, Rare]]] = {}

    def of(self, row: int, free: int | None = None) -> Estimate:
        """The gain per shoe of the bettor with this row, with its upper limit, each (cuts,). `free` is the row of a
        counter who wins no less and may skip any coup, if the first bettor may not."""
        if row not in self._by_row:
            self._by_row[row] = self._of(row, free)
        return self._by_row[row]

    def free(self, row: int) -> Free:
        """The figures of a counter who may skip any coup."""
        gain, plain = self.of(row), self._plain(row)
        wider, narrower = (plain_limit(0.0, gain.error, plain.parts, plain.bets, z) for z in (Z995, Z99))
        return Free(gain, gain.limit + np.nan_to_num(wider - narrower))

    def may_skip(self, row: int) -> bool:
        """Whether the bettor with this row is a perfect counter who may skip any coup."""
        return _free(self.sweep.plan.bettors[row])

    def _of(self, row: int, free: int | None) -> Estimate:
        bettor, plan, plain = self.sweep.plan.bettors[row], self.sweep.plan, self._plain(row)
        if not _free(bettor):
            upper = np.asarray(plain_limit(plain.gain, plain.gain_se, plain.parts, plain.bets), float)
            if free != row:
                upper = np.where(plain.few, np.inf if free is None else self.of(free).limit, upper)
            return Estimate(plain.gain, plain.gain_se, upper)
        worth, aim, rare = _worth(bettor), None, None
        if plain.few.any():
            shared, gains = self._together(_aimed_at(bettor))
            aim, rare = shared.serving(worth), gains[row]
        limits = upper_limits(
            plan.game, plan.dealing, worth, plain, weighted_shoes(plan.shoes), plan.seed, self.workers, aim, rare
        )
        self.how[bettor.name] = limits.how
        return limits.estimate

    def _plain(self, row: int) -> Plain:
        """What the plain shoes show of a bettor."""
        sums = self.totals
        sided = int(bool(self.sweep.plan.bettors[row].sides))  # the rarer bets make the skew
        return Plain(
            sums.cuts, sums.shoes, sums.parts, sums.coups_per_shoe,
            sums.sums[row, :, sided].astype(float), sums.per_shoe[0][row], sums.per_shoe[1][row],
        )  # fmt: skip

    def _together(self, bets: tuple[str, ...]) -> tuple[Aim, dict[int, Rare]]:
        """The bettors who may skip any coup, aim at these bets, and of whose bets the plain shoes show too few: their
        aim, at the cuts that the first of them needs, and by row their gains, all from the same weighted shoes."""
        if bets not in self._groups:
            plan, plain, worths = self.sweep.plan, {}, {}
            for row, bettor in enumerate(plan.bettors):
                if _free(bettor) and _aimed_at(bettor) == bets and (shown := self._plain(row)).few.any():
                    plain[row], worths[row] = shown, _worth(bettor)
            first, half = next(iter(plain)), DECK * plan.dealing.decks // 2
            depths = depths_for(
                (min(int(cut), half) for cut in plain[first].cuts[plain[first].few]), plan.dealing.decks
            )
            aim = aim_at(plan.game, worths[first], depths, plan.dealing.decks, self.workers)
            counters = [(worths[row], plain[row].cuts[plain[row].few].tolist()) for row in plain]
            shoes = weighted_shoes(plan.shoes)
            gains = weighted_together(aim, plan.dealing, counters, shoes, plan.seed, self.workers)
            self._groups[bets] = aim, dict(zip(plain, gains, strict=True))
        return self._groups[bets]


def _free(bettor: Bettor) -> TypeGuard[PerfectBettor]:
    """Whether a bettor is a perfect counter who may skip any coup."""
    return isinstance(bettor, PerfectBettor) and bettor.may_skip


def _worth(bettor: PerfectBettor) -> Rebated:
    return Rebated(bettor.stakes, float(bettor.rebate))


def _aimed_at(bettor: PerfectBettor) -> tuple[str, ...]:
    """The bets that make a perfect counter's gain rare: the side bets, or the main bets where there are none."""
    return bettor.stakes.sides or bettor.stakes.main
