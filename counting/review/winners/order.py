"""Whether the order of a shoe's results is random: changes, streaks, and stretches that come again.

The hands of a shoe's coups are exchangeable: a shoe deals them in each order with the same chance. Where the shoe ends
depends only on the order of its last coups. With a cut card and at most two coups after it, these last coups are at
most three. If they stay in place, every arrangement of the shoe's other results is equally likely, given everything
else. A test that rearranges them is exact, for any decks, drawing rules and place of the cut card. Coups may be missing
from the log, provided that their absence does not depend on the cards."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import count, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Bools, Ints
from counting.review.winners.features import WINNERS

IN_PLACE = 3  # the number of a shoe's last coups that stay in place
LENGTHS = 6  # streaks of this length or more are counted together
FIRST_DRAWS = 500  # draws for means and spreads, besides the tests' draws; in long logs, this may fall to a tenth
_TIE = WINNERS.index("tie")
MOST_REPEATED = 40  # the most results of a stretch that fit into one 64-bit number

Codes = NDArray[np.int8]


class Repeat(NamedTuple):
    """The longest stretch of results that a shoe shares with the shoe before at its table.

    The stretch begins at row `before` in the earlier shoe and at row `after` in the later shoe. `coups` is its
    length."""

    before: int
    after: int
    coups: int


@dataclass(frozen=True, eq=False)
class Order:
    """The results of coups, in arrays (rows,).

    - `codes`: 0, 1 and 2 for player, banker and tie
    - `shoe`: the number of the shoe
    - `before`: the number of the shoe dealt before it at the same table, -1 for none
    - `follows`: whether the coup before was logged too"""

    codes: Codes
    shoe: Ints
    before: Ints
    follows: Bools

    @cached_property
    def starts(self) -> Ints:
        return np.append(np.flatnonzero(np.diff(self.shoe, prepend=-1)), len(self.codes))

    @cached_property
    def _segment(self) -> Ints:
        """For each row, the number of its run of coups without a missing coup (rows,)."""
        return np.cumsum(~self.follows)

    @cached_property
    def movable(self) -> int:
        """The number of results that may change places."""
        return sum(max(0, end - first - IN_PLACE) for first, end in pairwise(self.starts.tolist()) if end - first > 4)

    def arranged(self, draws: int, rng: np.random.Generator) -> Codes:
        """Random arrangements of the results (draws, rows)."""
        codes = np.tile(self.codes, (draws, 1))
        for first, end in pairwise(self.starts.tolist()):
            if end - first > IN_PLACE + 1:
                rng.permuted(codes[:, first : end - IN_PLACE], axis=1, out=codes[:, first : end - IN_PLACE])
        return codes

    def streaks(self, codes: Codes) -> tuple[Ints, Ints, Ints]:
        """Changes and streaks of the arrangements `codes` (draws, rows), ties aside. A missing coup ends a streak.

        Three arrays: how often the winner changes (draws,), the number of streaks of each length up to `LENGTHS`
        (draws, lengths), and the longest streak (draws,)."""
        draw, row = np.nonzero(codes != _TIE)
        decided = codes[draw, row]
        segment = self._segment[row] + draw * (len(self.codes) + 1)
        joined = segment[1:] == segment[:-1]
        same = decided[1:] == decided[:-1]
        changes = np.bincount(draw[1:][joined & ~same], minlength=len(codes))
        begins = np.flatnonzero(np.append(True, ~(joined & same))) if len(decided) else np.empty(0, int)
        length, of = np.diff(np.append(begins, len(decided))), draw[begins]
        number = np.bincount(of * LENGTHS + np.minimum(length, LENGTHS) - 1, minlength=len(codes) * LENGTHS)
        longest = np.zeros(len(codes), int)
        np.maximum.at(longest, of, length)
        return changes, number.reshape(-1, LENGTHS), longest

    def has_repeat(self, codes: Codes, coups: int) -> Bools:
        """Whether each arrangement (draws, rows) has a shoe with a stretch of `coups` results that the shoe before also
        had. At most `MOST_REPEATED` results of a stretch are compared."""
        return np.asarray(self._repeats(codes, coups).any(axis=1))

    def _repeats(self, codes: Codes, coups: int) -> Bools:
        """Whether each row begins a stretch of `coups` results that the shoe before also had (draws, rows)."""
        coups = min(coups, MOST_REPEATED)
        last = len(self.codes) - coups + 1
        begins = np.zeros(codes.shape, bool)
        if last <= 0:
            return begins
        grams = np.zeros((len(codes), last), np.uint64)
        for at in range(coups):
            grams = grams * np.uint64(3) + codes[:, at : at + last].astype(np.uint64)
        whole = self._segment[:last] == self._segment[coups - 1 :]
        has_next = np.isin(self.shoe, self.before)
        earlier, later = np.flatnonzero(has_next[:last] & whole), np.flatnonzero((self.before[:last] >= 0) & whole)
        if not len(earlier):
            return begins
        mixed = grams * np.uint64(0x9E3779B97F4A7C15)
        own = np.sort(mixed[:, earlier] ^ _signs(self.shoe[earlier]), axis=1)
        again = mixed[:, later] ^ _signs(self.before[later])
        for row, (keys, sought) in enumerate(zip(own, again, strict=True)):
            begins[row, later] = keys[np.searchsorted(keys, sought).clip(max=len(keys) - 1)] == sought
        return begins

    @cached_property
    def longest_repeat(self) -> Repeat | None:
        """The longest stretch of results that comes again in the next shoe of a table, up to `MOST_REPEATED`
        results."""
        found = None
        for coups in count(1):
            rows = np.flatnonzero(self._repeats(self.codes[np.newaxis], coups)[0])
            if not len(rows) or coups > MOST_REPEATED:
                return found
            after = int(rows[0])
            stretch = self.codes[after : after + coups]
            begin = int(np.flatnonzero(self.shoe == self.before[after])[0])
            earlier = self.codes[begin : begin + int((self.shoe == self.before[after]).sum())]
            windows = np.lib.stride_tricks.sliding_window_view(earlier, coups)
            found = Repeat(begin + int(np.flatnonzero((windows == stretch).all(axis=1))[0]), after, coups)
        return found


def _signs(shoes: Ints) -> NDArray[np.uint64]:
    """A different number for each shoe, with all bits in use."""
    return (shoes.astype(np.uint64) + np.uint64(1)) * np.uint64(0xD1B54A32D192ED03)
