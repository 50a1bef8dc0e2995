"""Upper limits: the most that a counter wins per shoe, with 99% confidence, however few bets a sweep has shown.

Gains are skewed, so an upper limit for their mean needs many gains that are not 0. Three sources are tried in turn:

1. the shoes of the sweep, which are dealt as at the table (plain shoes), if they show 1,000 bets or more, and also 1
   bet or more per 100 shoes
2. weighted shoes: shoes that favour the bet are dealt more often, and count less in return (`rare_gains`)
3. a proven bound, if the weighted shoes also show too few bets

`experiments/coverage/notes.md` shows how often each limit was below the truth."""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Floats, Ints
from counting.bounds.means import Z99, Estimate, skew_at
from counting.cards import DECK
from counting.games import Game
from counting.simulation import Aim, Dealing, Rare, Worth, aim_at, deal_weighted, depths_for, prove_bound

FEW_BETS, FEW_PER_SHOE = 1_000, 0.01
WEIGHTED = 20_000  # the fewest weighted shoes
_OF_PLAIN = 5  # plain shoes for each weighted shoe, unless this gives fewer than WEIGHTED

# Skew raises a 99% limit by this number of standard errors, divided by the square root of the number of coups with a
# bet. The number is measured.
_SKEWED = 20.0


def least_bets(shoes: int) -> float:
    """How many coups with a bet the plain shoes must show before a limit can be worked out from them."""
    return max(FEW_BETS, FEW_PER_SHOE * shoes)


def weighted_shoes(shoes: int) -> int:
    """The number of weighted shoes to deal in addition to `shoes` plain shoes. With more than 100,000 plain shoes, it
    is a fifth of `shoes`, so that a longer sweep also narrows the limits from weighted shoes."""
    return max(WEIGHTED, shoes // _OF_PLAIN)


class PlainShoes(NamedTuple):
    """What a sweep of plain shoes shows about one counter. Each array (cuts,) has an entry for each cut, in rising
    order.

    - `coups`: coups dealt per shoe
    - `bets`: coups with a bet, over all shoes
    - `gain`: units won per shoe; `gain_se`: the standard error of the gain, from the differences between the parts of
      the sweep; `parts`: the number of parts"""

    cuts: Ints
    shoes: int
    parts: int
    coups: Floats
    bets: Floats
    gain: Floats
    gain_se: Floats

    @property
    def few(self) -> NDArray[np.bool_]:
        """Whether, at each cut (cuts,), too few coups had a bet to give a limit: fewer than 1,000, or fewer than 1 per
        100 shoes."""
        return np.asarray(self.bets < least_bets(self.shoes))


def student_99(parts: int, z: float = Z99) -> float:
    """Student's quantile for a mean whose standard error comes from the differences between `parts` parts (Abramowitz
    and Stegun 26.7.5). The normal quantile `z` sets the confidence, by default 99%."""
    n = max(parts - 1, 1)
    return z + (z**3 + z) / (4 * n) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)


def plain_limit(gain: Any, error: Any, parts: int, bets: Any, z: float = Z99) -> Any:
    """The upper limits (cuts,) of the mean gains `gain` from plain shoes. `error` gives their standard errors, and
    `bets` the number of coups with a bet. The normal quantile `z` sets the confidence, by default 99%.

    The limit is above the mean by a number of standard errors. This number is Student's quantile for the number of
    parts (`student_99`), plus a term that grows as bets become fewer. The term is needed because gains per shoe are
    skewed to the right. A sample with too small a mean then usually has too small an error as well. Cornish and
    Fisher's term for skew is

        skewness / 6 * (2 z^2 + 1)

    The skewness is taken to be inversely proportional to the square root of `bets`. The limit holds for 1,000 `bets` or
    more."""
    return gain + (student_99(parts, z) + skew_at(z) * _SKEWED / np.sqrt(np.maximum(bets, 1))) * error


@dataclass(frozen=True, eq=False)
class Limits:
    """What a counter wins per shoe, at each cut (cuts,).

    - `gain` and `gain_se`: from the plain shoes or, if these show too few bets, from the weighted shoes
    - `upper`: the upper 99% limit
    - `coups`: coups dealt per shoe
    - `share`: the share of shoes with a bet, as the weighted shoes show it; NaN without weighted shoes
    - `source`: "plain", "weighted" or "proved"
    - `how`: how the limits were worked out, in words"""

    cuts: Ints
    gain: Floats
    gain_se: Floats
    upper: Floats
    coups: Floats
    share: Floats
    source: tuple[str, ...]
    how: str

    @property
    def estimate(self) -> Estimate:
        """The gain (cuts,) with its upper limit."""
        return Estimate(self.gain, self.gain_se, self.upper)

    def to_dict(self) -> dict[str, Any]:
        """The limits as plain data. A share that is not known is NaN."""
        values = {column.name: getattr(self, column.name) for column in fields(self)}
        return {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in values.items()}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Limits:
        """The limits that `to_dict` wrote."""
        arrays = {name: np.array(value, float) for name, value in data.items() if name not in ("cuts", "source", "how")}
        return cls(cuts=np.array(data["cuts"], np.int64), source=tuple(data["source"]), how=data["how"], **arrays)


def upper_limits(
    game: Game,
    dealing: Dealing,
    worth: Worth,
    plain: PlainShoes,
    shoes: int = WEIGHTED,
    seed: int = 1,
    workers: int | None = None,
    aim: Aim | None = None,
    rare: Rare | None = None,
) -> Limits:
    """The upper 99% limit of what a counter wins, at each cut of a sweep of plain shoes.

    If the sweep shows enough bets at a cut, the limit is from the sweep's shoes (`plain_limit`). If not, it is from
    `shoes` weighted shoes. If the weighted shoes show too few bets too, the limit is the proven bound or, if this is
    lower, the limit at the next smaller cut of the sweep. A limit at a smaller cut also holds at a greater cut, because
    the greater cut only ends the same shoe earlier. No bound is proved at a cut beyond half of the shoe, unless it is
    the sweep's first cut.

    The `aim` sets which shoes are dealt more often. By default, `aim_at` searches for an aim for the cuts that need
    weighted shoes. In this search, a cut beyond half of the shoe counts as half of the shoe. The aim for another
    counter may be given if that counter never wins less (`Aim.serving`). `rare`: the gains at these cuts, if
    `deal_weighted_together` has worked them out already. Errors are as for `aim_at` and `deal_weighted`."""
    few = plain.few
    upper = np.asarray(plain_limit(plain.gain, plain.gain_se, plain.parts, plain.bets), float)
    gain, gain_se, share = plain.gain.astype(float), plain.gain_se.astype(float), np.full(len(few), np.nan)
    source = np.where(few, "weighted", "plain")
    if few.any():
        cuts, half = plain.cuts[few].tolist(), DECK * dealing.decks // 2
        aim = aim or aim_at(
            game, worth, depths_for((min(cut, half) for cut in cuts), dealing.decks), dealing.decks, workers
        )
        rare = rare or deal_weighted(aim, dealing, cuts, shoes, seed, workers)
        gain[few], gain_se[few], share[few], upper[few] = rare.gain, rare.gain_se, rare.share, rare.limit
        lacking = np.flatnonzero(few)[~rare.enough]
        source[lacking], upper[lacking] = "proved", np.inf
        bounded = lacking[(plain.cuts[lacking] <= half) | (lacking == 0)]
        if len(bounded):
            upper[bounded] = prove_bound(aim, dealing, plain.cuts[bounded].tolist(), seed=seed, workers=workers).limit
        for place in lacking[lacking > 0]:
            upper[place] = min(upper[place], upper[place - 1])
    return Limits(
        plain.cuts, gain, gain_se, upper, plain.coups, share, tuple(source.tolist()), _how(plain, source, shoes)
    )


_HOW = {
    "plain": "comes from the {plain:,} shoes of the sweep. It is the gain plus some standard errors. Their number is "
    "Student's quantile plus a margin, which is larger if fewer coups have a bet",
    "weighted": "comes from {shoes:,} other shoes, because fewer than {least:,} coups of the sweep had a bet. These "
    "shoes are dealt to favour the bet, and get less weight in return (importance sampling). The upper bound is their "
    "weighted mean gain plus 3.09 standard errors",
    "proved": "is a proven bound, because too few coups had a bet even in shoes that favour it. This bound adds up the "
    "average worth of the coups of a shoe. The average worth is worked out for every fourth number of unseen cards. If "
    "a bound with fewer cards behind the cut card is lower, that bound is used instead",
}  # fmt: skip


def _how(plain: PlainShoes, source: NDArray[Any], shoes: int) -> str:
    """How the limits were worked out: a sentence for each source, which names its cuts."""
    least = int(np.ceil(least_bets(plain.shoes)))
    runs: dict[str, list[str]] = {}
    for name, run in groupby(zip(plain.cuts.tolist(), source.tolist(), strict=True), key=lambda pair: pair[1]):
        cuts = [cut for cut, _ in run]
        runs.setdefault(name, []).append(f"{cuts[0]}" if len(cuts) == 1 else f"{cuts[0]} to {cuts[-1]}")
    sentences = []
    for name, ranges in runs.items():
        where = " or ".join([", ".join(ranges[:-1]), ranges[-1]] if ranges[1:] else ranges)
        words = _HOW[name].format(plain=plain.shoes, shoes=shoes, least=least)
        sentences.append(f"With {where} cards behind the cut card, the upper bound {words}.")
    return " ".join(sentences)
