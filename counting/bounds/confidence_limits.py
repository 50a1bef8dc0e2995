"""Upper limits: the most that a counter wins per shoe, with 99% confidence, however few bets a sweep has shown.

An upper limit for the mean of skewed figures needs many figures that are not zero. Three sources are tried in turn. The
first is the plain shoes of the sweep, if they show a thousand bets; the second is weighted shoes (`rare_gains`). If
these too show too few bets, the third is a proven bound. `experiments/coverage/notes.md` has how often each limit was
below the truth.
"""

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
WEIGHTED = 20_000  # weighted shoes, at least
_OF_PLAIN = 5  # plain shoes for each weighted shoe, if this gives more than WEIGHTED

# Measured: what skew adds to a 99% limit, in standard errors, times the root of the number of coups with a bet.
_SKEWED = 20.0


def least_bets(shoes: int) -> float:
    """The number of coups with a bet that plain shoes must show for a limit from them."""
    return max(FEW_BETS, FEW_PER_SHOE * shoes)


def weighted_shoes(shoes: int) -> int:
    """The number of weighted shoes to deal in addition to this number of plain shoes. It grows with the plain shoes, so
    that a longer sweep narrows these limits too."""
    return max(WEIGHTED, shoes // _OF_PLAIN)


class PlainShoes(NamedTuple):
    """What a sweep of plain shoes shows about one counter, by rising cut (cuts,).

    The figures are coups dealt per shoe, coups with a bet over all shoes, and gains in units per shoe. The standard
    errors of gains are from the spread between `parts`."""

    cuts: Ints
    shoes: int
    parts: int
    coups: Floats
    bets: Floats
    gain: Floats
    gain_se: Floats

    @property
    def few(self) -> NDArray[np.bool_]:
        """Whether too few coups had a bet for a limit: fewer than 1,000, or fewer than 1 per 100 shoes."""
        return np.asarray(self.bets < least_bets(self.shoes))


def student_99(parts: int, z: float = Z99) -> float:
    """Student's quantile for the spread between this number of parts (Abramowitz and Stegun 26.7.5). The normal
    quantile `z` sets the confidence, by default 99%."""
    n = max(parts - 1, 1)
    return z + (z**3 + z) / (4 * n) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)


def plain_limit(gain: Any, error: Any, parts: int, bets: Any, z: float = Z99) -> Any:
    """The upper limits (cuts,) of mean gains from plain shoes, with standard errors `error`. `bets` is the number of
    coups with a bet. The normal quantile `z` sets the confidence, by default 99%.

    The limit is this number of standard errors above the mean: Student's quantile for the number of parts
    (`student_99`), plus a term that grows as bets become fewer. Gains of shoes are skewed to the right, so too small a
    mean comes with too small an error. Cornish and Fisher's term for this is skewness / 6 * (2 z^2 + 1), and the
    skewness falls with the root of the number of shoes with a bet. The limit holds for 1,000 `bets` or more.
    """
    return gain + (student_99(parts, z) + skew_at(z) * _SKEWED / np.sqrt(np.maximum(bets, 1))) * error


@dataclass(frozen=True, eq=False)
class Limits:
    """What a counter wins per shoe by cut, with upper 99% limits (cuts,), and `how` they were worked out, in words.

    `source` (cuts,): "plain", "weighted" or "proved". `gain` and `gain_se` are from the plain shoes or, if these show
    too few bets, from the weighted shoes. `share`: the share of shoes with a bet, as the weighted shoes show it; NaN
    without weighted shoes.
    """

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
        """The gain with its upper limit, each (cuts,)."""
        return Estimate(self.gain, self.gain_se, self.upper)

    def to_dict(self) -> dict[str, Any]:
        """As plain data; a share that is not known is NaN."""
        values = {column.name: getattr(self, column.name) for column in fields(self)}
        return {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in values.items()}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Limits:
        """From the data that `to_dict` makes."""
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

    If the sweep shows enough bets, the limit is from the sweep's shoes (`plain_limit`); if not, from `shoes` weighted
    shoes. If the weighted shoes show too few bets as well, the limit is the lesser of the proven bound and the limit at
    the next smaller cut. The limit at the next smaller cut holds here too: every coup dealt with more cards behind the
    cut card is also dealt with fewer. At cuts beyond half of the shoe, the limit at the next smaller cut, if there is
    one, is the only source.

    The `aim` sets which shoes are dealt more often. By default an aim is searched for, at the cuts that need weighted
    shoes, up to half of the shoe. The aim for another counter serves as well if what that counter wins is never less
    (`Aim.serving`). `rare`: the gains at these cuts, if `deal_weighted_together` worked them out with other counters'
    gains. Errors as for `aim_at` and `deal_weighted`.
    """
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
    "plain": "from the {plain:,} shoes of the sweep: the gain plus Student's quantile of its error, and a margin that "
    "grows as coups with a bet become fewer",
    "weighted": "from {shoes:,} shoes dealt to favour the bet and given less weight (importance sampling), because "
    "fewer than {least:,} coups of the sweep had a bet: the gain plus 3.09 standard errors",
    "proved": "a proven bound, because even shoes dealt to favour the bet had too few bets: the sum, over every "
    "fourth card, of the average worth of a coup there, or the bound with fewer cards behind the cut card if that is "
    "lower",
}  # fmt: skip


def _how(plain: PlainShoes, source: NDArray[Any], shoes: int) -> str:
    """A sentence for each run of cuts whose limits were worked out in the same way."""
    least = int(np.ceil(least_bets(plain.shoes)))
    sentences = []
    for name, run in groupby(zip(plain.cuts.tolist(), source.tolist(), strict=True), key=lambda pair: pair[1]):
        cuts = [cut for cut, _ in run]
        where = f"{cuts[0]}" if len(cuts) == 1 else f"{cuts[0]} to {cuts[-1]}"
        words = _HOW[name].format(plain=plain.shoes, shoes=shoes, least=least)
        sentences.append(f"With {where} cards behind the cut card the upper bound is {words}.")
    return " ".join(sentences)
