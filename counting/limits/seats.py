"""A bettor's seat at a table, and shoes dealt to it: what is known before every coup, and after it.

A seat is what the rules let a bettor do: which stakes, how many coups in a row may be skipped, what is paid back. The
coups of a shoe are priced exactly, and numbered by slices of four cards before the cut card, as no coup takes fewer.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Bools, Floats, Ints
from counting.cards import COUP, Knows, Shoe, finest
from counting.errors import InputError, whole_field
from counting.exact import Effects, needs, pricer, values_of
from counting.games import Game
from counting.simulation import MOST_SKIPS, PIECE, Coups, Dealing, play
from counting.sweep import Stakes

WIDE = 4  # cards before the cut card in a slice: no coup takes fewer, so the next coup is in a later slice
MOST_SKIPPED = 16  # coups in a row that a policy skips at most
_BEYOND = 18  # cards behind the cut card at which a coup may still begin, by any after-cut rule
_MOST_PRICED = 400_000  # coups whose edges are kept, some 60 MB
_FEWEST = 2 * COUP  # undealt before a coup so that edges are known after it


@dataclass(frozen=True)
class Seat:
    """A bettor's seat: the stakes allowed at a game dealt in this way, and how many coups in a row may be skipped.

    `most_skipped` None: any number. `leaves`: the bettor may leave for the rest of the shoe. `rebate` is paid back on
    every unit staked, `loss_rebate` on every unit that a bet loses.
    """

    game: Game
    dealing: Dealing
    stakes: Stakes
    most_skipped: int | None
    rebate: float = 0.0
    loss_rebate: float = 0.0
    leaves: bool = True

    def __post_init__(self) -> None:
        if self.most_skipped is not None:
            whole_field(self, "most_skipped", "most skipped", 0, MOST_SKIPS)
        if not self.leaves and self.most_skipped:
            raise InputError(f"most skipped: {self.most_skipped}, should be 0 where nobody leaves")
        if self.most_skipped is not None and not self.stakes.seated.any():
            raise InputError("holds_seat: the other rules allow none of these bets")

    @property
    def hangs_together(self) -> bool:
        """Whether what is best at a coup depends on the rest of the shoe."""
        return self.most_skipped is not None and self.leaves

    @property
    def skips(self) -> int:
        """The most coups skipped in a row."""
        return self.most_skipped or 0

    @cached_property
    def states(self) -> int:
        """Numbers of coups just skipped that are told apart."""
        return 1 if self.most_skipped is None else min(self.most_skipped, MOST_SKIPPED) + 1

    @cached_property
    def sides(self) -> tuple[int, ...]:
        """The places of the side bets."""
        return tuple(map(self.stakes.bets.index, self.stakes.sides))

    @cached_property
    def effects(self) -> tuple[Floats, ...]:
        """Of each side bet settled by point values the effects of removal (10,), about 1 in size."""
        found = []
        for place in self.sides:
            bet = self.stakes.bets[place]
            if needs(self.game.bet(bet)) == "value":
                removal = Effects.of(self.game, bet, Shoe.decks(self.dealing.decks)).removal
                effects = np.array([float(effect or 0) for effect in removal])
                found.append(effects / max(float(np.abs(effects).max()), 1e-300))
        return tuple(found)

    @cached_property
    def knows(self) -> Knows:
        """What must be known of the cards."""
        return finest([needs(self.game.bet(bet)) for bet in self.stakes.bets])

    def edges(self, compositions: NDArray[np.int32]) -> Floats:
        """The edges (rows, bets) with the rebates."""
        found = pricer(self.game, self.stakes.bets).edges(compositions)
        if self.loss_rebate:
            found = found + self.loss_rebate * self.losing(compositions)
        return found + self.rebate

    def losing(self, compositions: NDArray[np.int32]) -> Floats:
        """The probability (rows, bets) that each bet is lost."""
        losing = self._losing
        return -pricer(losing, losing.bet_names[-len(self.stakes.bets) :]).edges(compositions)

    @cached_property
    def _losing(self) -> Game:
        """The game with bets that push where a bet wins or pushes, so that their edge is the chance to lose."""
        return self.game.losing(self.stakes.bets)

    def martingales(self, compositions: NDArray[np.int32], edges: Floats) -> Floats:
        """What has the same mean after a coup as before it, (martingales, rows)."""
        values = values_of(compositions).T.astype(np.float64)
        cards = values.sum(axis=0)
        pairs, triples = cards * (cards - 1) / 2, cards * (cards - 1) * (cards - 2) / 6
        found = [edges.T, values[1:] / cards]
        for effects in self.effects:
            one, two, three = (effects**power @ values for power in (1, 2, 3))
            found.append(np.stack([(one**2 - two) / 2 / pairs, (one**3 - 3 * one * two + 2 * three) / 6 / triples]))
        return np.concatenate(found)


@dataclass
class Rows:
    """The coups of some shoes, a row each, in the order dealt: what is known before each coup, and after it.

    `before` and `after` (martingales, rows); `held` (rows) the largest gain of stakes that hold the seat; `ahead` cards
    before the cut card; `more` whether another coup follows; `certain` whether what is known after the coup was sure to
    be known.
    """

    shoes: int
    shoe: Ints
    coup: Ints
    undealt: Ints
    ahead: Ints
    left: NDArray[np.int32]
    shown: NDArray[np.uint8]
    edges: Floats
    held: Floats
    before: Floats
    after: Floats
    more: Bools
    certain: Bools

    @classmethod
    def play(cls, seat: Seat, seed: int, first: int, shoes: int, further: bool = True) -> Rows:
        """Deal shoes `first`, `first + 1` ... and price their coups; with what is known after them if `further`."""
        dealing = seat.dealing
        deeper = replace(dealing, cut=max(0, dealing.cut - _FEWEST * further))
        parts = []
        for start in range(first, first + shoes, PIECE):
            coups, edges = _PRICED.coups(seat, deeper, seed, start, min(PIECE, first + shoes - start))
            dealt = np.flatnonzero(coups.last_cut >= dealing.cut)
            last = len(coups.shoe) - 1
            following = np.minimum(dealt + 1, last)
            there = (dealt < last) & (coups.shoe[following] == coups.shoe[dealt])
            martingales = seat.martingales(coups.left, edges) if further else np.empty((0, len(edges)))
            held = seat.stakes.held(edges[dealt])
            parts.append(
                (
                    coups.shoe[dealt].astype(np.int64) + (start - first),
                    coups.coup[dealt].astype(np.int64),
                    coups.undealt[dealt].astype(np.int64),
                    coups.left[dealt],
                    coups.shown[dealt],
                    edges[dealt],
                    held,
                    martingales[:, dealt].T,
                    martingales[:, following].T,
                    there & (coups.last_cut[following] >= dealing.cut),
                )
            )
        shoe, coup, undealt, left, shown, edges, held, before, after, more = (
            np.concatenate(part) for part in zip(*parts, strict=True)
        )
        certain = undealt >= _FEWEST
        before, after = (np.ascontiguousarray(m.T) for m in (before, after))
        after[:, ~certain] = before[:, ~certain]
        ahead = undealt - dealing.cut
        return cls(shoes, shoe, coup, undealt, ahead, left, shown, edges, held, before, after, more, certain)

    @classmethod
    def joined(cls, parts: Sequence[Rows]) -> Rows:
        """Shoes one after another."""
        offsets = np.cumsum([0, *(part.shoes for part in parts)])
        joined: dict[str, Any] = {"shoes": int(offsets[-1])}
        for one in fields(cls)[1:]:
            arrays = [getattr(part, one.name) for part in parts]
            if one.name == "shoe":
                arrays = [array + offset for array, offset in zip(arrays, offsets, strict=False)]
            joined[one.name] = np.concatenate(arrays, axis=1 if one.name in ("before", "after") else 0)
        return cls(**joined)

    @cached_property
    def slices(self) -> list[Ints]:
        """The rows of each slice, from the end of the shoe on."""
        number = slice_of(self.ahead)
        order = np.argsort(number, kind="stable")
        return np.split(order, np.searchsorted(number[order], np.arange(1, number.max() + 1)))

    @property
    def starts(self) -> Ints:
        """The first row of each shoe."""
        return np.searchsorted(self.shoe, np.arange(self.shoes))


class _Priced:
    """The coups of the last shoes dealt, with their edges: seats of other stakes or another cut card sit at the same
    shoes. A shoe dealt to fewer cards has all the coups of one dealt to more."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, tuple[int, Coups, Floats]] = OrderedDict()
        self._lock = Lock()

    def coups(self, seat: Seat, dealing: Dealing, seed: int, first: int, shoes: int) -> tuple[Coups, Floats]:
        """The coups of these shoes and the seat's edges (rows, bets)."""
        rebates = (seat.rebate, seat.loss_rebate)
        key = (seat.game.digest, seat.stakes.bets, rebates, replace(dealing, cut=0), seed, first, shoes)
        with self._lock:
            kept = self._kept.get(key)
        if kept is None or kept[0] > dealing.cut:
            coups = play(seat.game.tableau, dealing, seed, first, shoes, seat.knows)
            kept = dealing.cut, coups, seat.edges(coups.left)
        self._keep(key, kept)
        cut, coups, edges = kept
        if cut == dealing.cut:
            return coups, edges
        dealt = coups.last_cut >= dealing.cut
        return coups.only(dealt), edges[dealt]

    def _keep(self, key: Hashable, priced: tuple[int, Coups, Floats]) -> None:
        """Keep these the longest, and drop the first of too many."""
        with self._lock:
            self._kept[key] = priced
            self._kept.move_to_end(key)
            while sum(len(edges) for _, _, edges in self._kept.values()) > _MOST_PRICED:
                self._kept.popitem(last=False)


_PRICED = _Priced()


def slice_of(ahead: Ints) -> Ints:
    """The slice of a coup that begins with so many cards before the cut card."""
    return np.asarray((ahead + _BEYOND) // WIDE)
