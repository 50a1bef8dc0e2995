"""Do stakes follow edges? Permutation tests compare the stakes with the same stakes at other times.

There are three tests, for three kinds of patrons who do not count:

- Within shoes: the stakes of a shoe fall on any of its coups with the same chance. This is the right test for a patron
  who bets at random times.
- Across shoes: the stakes of a shoe fall on any of up to `GROUP` neighbouring shoes, at about the same number of cards
  dealt. This is the right test for a patron with habits of time. An example is a patron who comes late in every shoe,
  when edges stray furthest from their mean.
- By results: the stakes fall on any coups with the same winning or losing streak of the bet. This is the right test for
  a patron who bets by streaks.

Losses show something about the cards dealt. So a patron who chases losses does follow the edge a little. This effect is
larger on a bet with long losing streaks. Only what goes beyond this effect counts against the patron."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from counting.arrays import Floats, Ints
from counting.review import _permute
from counting.review.significance import sequential_p

GROUP = 200  # stakes are exchanged among at most this number of neighbouring shoes
CARDS = 5  # the unit of time in a shoe, in cards: about one coup
ENOUGH = 30  # drawing stops once this many drawn sums have reached the observed sum
BOUND = 1e-6  # if a bound on the chance is at most this, the bound is the p-value, and no sums are drawn
FAR, FEW = 0.1, 1000  # once a test has a p-value of FAR or more, the tests after it draw at most FEW sums
_TOLERANCE = 1e-9


class PermutationTest(NamedTuple):
    """The tests of a sum of stake times edge.

    - `gain`: the sum
    - `random`: the mean of the sum at random times within shoes
    - `z`: how far the sum is above this mean, in standard deviations
    - `p_within`, `p_across` and `p_results`: the p-values of the three tests"""

    gain: float
    random: float
    z: float
    p_within: float
    p_across: float
    p_results: float

    @property
    def p(self) -> float:
        """The largest of the three p-values. It is small only if none of the three kinds of patrons explains the
        stakes."""
        return max(self.p_within, self.p_across, self.p_results)

    @classmethod
    def of(
        cls, stakes: Floats, edges: Floats, shoe: Ints, dealt: Ints, results: Ints, most: int, seed: int, stream: int
    ) -> PermutationTest:
        """Test one patron's `stakes` on a bet with these `edges`, over all coups of the shoes in which the patron bet.

        All arrays are (rows,):

        - `shoe`: the number of the shoe; rows of a shoe are together
        - `dealt`: the number of the shoe's cards dealt before the coup
        - `results`: how often the bet had won in a row in the shoe; if below 0, how often it had lost in a row

        At most `most` sums are drawn per test, so no drawn p-value is below 1 / (most + 1)."""
        shoes = _Groups.of(stakes, edges, shoe)
        gain, usual = float(stakes @ edges), shoes.beyond(stakes, edges)
        if not shoes.vary:
            return cls(gain, *usual, 1.0, 1.0, 1.0)
        across = _across(stakes, edges, shoes.at, dealt, most, seed, 3 * stream)
        alike = np.argsort(results, kind="stable")
        runs = _Groups.of(stakes[alike], edges[alike], results[alike])
        by_results = runs.p(most if across < FAR else min(most, FEW), seed, 3 * stream + 2)
        enough = most if max(across, by_results) < FAR else min(most, FEW)
        return cls(gain, *usual, shoes.p(enough, seed, 3 * stream + 1), across, by_results)


class Beyond(NamedTuple):
    """How far the gain of some stakes is beyond their gain at random times. `random`: the mean gain of the stakes at
    random times within their shoes. `z`: how far the actual gain is above this mean, in standard deviations."""

    random: float
    z: float


def beyond(stakes: Floats, edges: Floats, shoe: Ints) -> Beyond:
    """`Beyond` for stakes (rows,) on a bet with these edges (rows,). `shoe` (rows,) is the number of the shoe; rows of
    a shoe are together."""
    return _Groups.of(stakes, edges, shoe).beyond(stakes, edges)


class _Groups(NamedTuple):
    """Rows in groups. Within each group, stakes fall on edges at random.

    - `at` (rows,): the number of the group
    - `start`: where each group begins
    - `more`: stakes less the group's median stake; the subtraction does not change the test
    - `off`: edges less the group's mean edge"""

    at: Ints
    start: Ints
    more: Floats
    off: Floats
    seen: float
    deviation: float
    slack: float  # how far rounding may move a sum

    @classmethod
    def of(cls, stakes: Floats, edges: Floats, group: Ints) -> _Groups:
        """Groups of rows. `group` (rows,) is the number of the group; rows of a group are together."""
        start = np.flatnonzero(np.diff(group, prepend=group[0] - 1)) if len(group) else np.zeros(0, np.int64)
        at = np.repeat(np.arange(len(start)), np.diff(start, append=len(group)))
        mean = np.add.reduceat(edges, start) / np.bincount(at) if len(start) else np.zeros(0)
        more, off = stakes - _median(stakes, at, start)[at], edges - mean[at]
        slack = _TOLERANCE * float(np.abs(more) @ np.abs(off))
        return cls(at, start, more, off, float(more @ off), _deviation(more, off, at), slack)

    @property
    def vary(self) -> bool:
        """Whether permutations change the sum by more than rounding."""
        return self.deviation > self.slack + _TOLERANCE

    @property
    def z(self) -> float:
        return self.seen / self.deviation

    def beyond(self, stakes: Floats, edges: Floats) -> Beyond:
        return Beyond(float(stakes @ (edges - self.off)), self.z if self.vary else 0.0)

    def p(self, most: int, seed: int, stream: int) -> float:
        """The p-value of the sum `seen`: a proved bound if it is at most `BOUND`, otherwise from drawn sums. It is 1 if
        all sums are the same."""
        if not self.vary:
            return 1.0
        bound = _bernstein(self.more, self.off, self.at, self.deviation, self.seen)
        return bound if bound <= BOUND else _within(self, self.seen, most, seed, stream)


def _median(stakes: Floats, at: Ints, start: Ints) -> Floats:
    """The median stake of each group. If the group has an even number of stakes, it is the larger of the two in the
    middle."""
    order = np.lexsort((stakes, at))
    medians: Floats = stakes[order][start + np.diff(start, append=len(stakes)) // 2]
    return medians


def _deviation(stakes: Floats, off: Floats, at: Ints) -> float:
    """The exact standard deviation of the sum under permutations within groups (Hoeffding 1951)."""
    coups = np.bincount(at)
    stakes = stakes - (np.bincount(at, stakes) / coups)[at]
    squares = np.bincount(at, stakes**2) * np.bincount(at, off**2)
    return float(np.sqrt((squares[coups > 1] / (coups[coups > 1] - 1)).sum()))


def _bernstein(stakes: Floats, off: Floats, at: Ints, deviation: float, seen: float) -> float:
    """A bound on the chance of a sum of at least `seen` (Bernstein 1946).

    Groups are independent. A group adds the most to the sum if its largest stakes are on its largest edges."""
    if seen <= 0:
        return 1.0
    most = np.bincount(at, stakes[np.lexsort((stakes, at))] * off[np.lexsort((off, at))]).max()
    return float(np.exp(-(seen**2) / (2 * (deviation**2 + most * seen / 3))))


def _within(groups: _Groups, seen: float, most: int, seed: int, stream: int) -> float:
    more, off = groups.more, groups.off
    some = np.flatnonzero(more)
    stake_of = np.searchsorted(groups.at[some], np.arange(len(groups.start) + 1))
    edge_of = np.append(groups.start, len(more))
    least = seen - groups.slack
    large, drawn = _permute.within(
        seed, stream, more[some], stake_of.astype(np.int32), off.copy(), edge_of.astype(np.int32), least, ENOUGH, most
    )
    return sequential_p(large, drawn, ENOUGH)


def _across(stakes: Floats, edges: Floats, at: Ints, dealt: Ints, most: int, seed: int, stream: int) -> float:
    shoes, places = int(at[-1]) + 1, int(dealt.max()) // CARDS + 1
    place = dealt // CARDS
    staked = np.bincount(at * places + place, stakes, shoes * places).reshape(shoes, places)
    by_place = _along(edges, at, place, shoes, places)
    bounds = np.linspace(0, shoes, -(-shoes // GROUP) + 1).astype(np.int32)
    sums, seen = [], 0.0
    for low, high in pairwise(bounds.tolist()):
        known = ~np.isnan(by_place[low:high])
        mean = np.where(known, by_place[low:high], 0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
        table = staked[low:high] @ np.where(known, by_place[low:high] - mean, 0).T
        sums.append(table.reshape(-1))
        seen += float(np.trace(table))
    flat: Floats = np.concatenate(sums).astype(float)
    order: Any = np.concatenate([np.arange(n, dtype=np.int32) for n in np.diff(bounds)])
    least = seen - _TOLERANCE * float(np.abs(flat).max() * shoes)
    large, drawn = _permute.across(seed, stream, flat, bounds, order, least, ENOUGH, most)
    return sequential_p(large, drawn, ENOUGH)


def _along(edges: Floats, at: Ints, place: Ints, shoes: int, places: int) -> Floats:
    """The edge at each place in each shoe (shoes, places): the mean over the coups that begin there. A place where no
    coup begins gets the edge of the place before it. Places before the first coup and after the last are NaN."""
    cell = at * places + place
    number = np.bincount(cell, minlength=shoes * places)
    with np.errstate(invalid="ignore"):
        table = (np.bincount(cell, edges, shoes * places) / number).reshape(shoes, places)
    for i in range(1, places):
        gap = np.isnan(table[:, i])
        table[gap, i] = table[gap, i - 1]
    last = np.zeros(shoes, np.int64)
    np.maximum.at(last, at, place)
    table[np.arange(places) > last[:, np.newaxis]] = np.nan
    return table
