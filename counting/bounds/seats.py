"""A bettor's seat at a table, and shoes dealt to it: what is known before and after every coup.

A seat is what the rules let a bettor do: the stakes, the coups in a row that may be skipped, and the rebates. The coups
of a shoe are priced exactly. They are grouped in slices by the number of cards before the cut card: a slice is four
cards wide. As every coup takes four cards or more, a slice has at most one coup of each shoe."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from copy import copy
from dataclasses import dataclass, fields, replace
from functools import cached_property
from threading import Lock
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Bools, Floats, Ints
from counting.cards import COUP, Knows, Shoe, finest
from counting.errors import InputError, instance, whole_field
from counting.exact import Effects, counts_by_value, required_detail, settlement
from counting.games import Game
from counting.simulation import MOST_SKIPS, PIECE, Coups, Dealing, play
from counting.sweep import Stakes

Kept = TypeVar("Kept")

WIDE = 4  # cards in a slice: two coups of a shoe are never in the same slice
MOST_SKIPPED = 16  # the most coups in a row that a policy skips
_BEYOND = 18  # a coup begins at most this many cards past the cut card, under any after-cut rule
_FEWEST = 2 * COUP  # with this many undealt cards before a coup, edges are sure to be known after it
_MOST_PRICED = 400_000  # the most coups whose edges are kept: some 60 MB


@dataclass(frozen=True)
class Seat:
    """A bettor's seat: the game, how it is dealt, the stakes allowed, and how many coups in a row may be skipped.

    - `most_skipped`: the most coups that may be skipped in a row; None for any number
    - `rebate`: the share of every unit staked that is paid back
    - `loss_rebate`: the share of a net loss that is paid back. The loss is added up over `loss_over` shoes in a row,
      and only its part above `loss_above` units counts
    - `leaves`: whether the bettor may leave for the rest of the shoe

    Raises `InputError` if no stakes hold a seat that must be held, and for skips out of range. Raises it too for skips
    at a seat that the bettor may not leave, and for a `game` or `dealing` of another type.

    >>> from counting import Dealing, load_game
    >>> from counting.bounds import Seat
    >>> from counting.sweep import Stakes
    >>> seat = Seat(load_game("ez-baccarat"), Dealing(), Stakes.of(("dragon-7",), ("player",)), 3)
    >>> seat.hangs_together
    True
    """

    game: Game
    dealing: Dealing
    stakes: Stakes
    most_skipped: int | None
    rebate: float = 0.0
    loss_rebate: float = 0.0
    leaves: bool = True
    loss_above: float = 0.0
    loss_over: int = 1

    def __post_init__(self) -> None:
        instance(self.game, Game, "game", "load_game('ez-baccarat')")
        instance(self.dealing, Dealing, "dealing", "Dealing(cut=14) or Dealing.named('jacobson')")
        if self.most_skipped is not None:
            whole_field(self, "most_skipped", "most skipped", 0, MOST_SKIPS)
        if not self.leaves and self.most_skipped:
            raise InputError(f"most skipped: {self.most_skipped}, should be 0 where nobody leaves")
        if self.most_skipped is not None and not self.stakes.seated.any():
            raise InputError("holds_seat: the other rules allow none of these bets, should be bets that they allow")

    @property
    def hangs_together(self) -> bool:
        """Whether the best stakes at a coup depend on the rest of the shoe."""
        return (self.most_skipped is not None and self.leaves) or self.loss_rebate > 0

    @property
    def plays_all(self) -> bool:
        """Whether no coup may be skipped, and the bettor may not leave."""
        return self.most_skipped is not None and not self.leaves

    @property
    def skips(self) -> int:
        """The most coups that may be skipped in a row; 0 if any number may be skipped."""
        return self.most_skipped or 0

    @property
    def table(self) -> Hashable:
        """A key made of everything but the amounts staked, how many coups may be skipped, and whether the bettor may
        leave. Coups have the same edges at two seats with the same key."""
        loss = self.loss_rebate, self.loss_above, self.loss_over
        return self.game.digest, self.dealing, self.stakes.bets, self.stakes.sides, self.rebate, loss

    @cached_property
    def states(self) -> int:
        """The number of states of a bettor. A state is a number of coups just skipped."""
        return 1 if self.most_skipped is None else min(self.most_skipped, MOST_SKIPPED) + 1

    @cached_property
    def sides(self) -> tuple[int, ...]:
        """The index of each side bet among the bets of the stakes."""
        return tuple(map(self.stakes.bets.index, self.stakes.sides))

    @cached_property
    def effects(self) -> tuple[Floats, ...]:
        """The effects of removal (10,) of each side bet settled by point values, scaled so that the largest in size is
        1 or -1."""
        scaled = []
        for place in self.sides:
            bet = self.stakes.bets[place]
            if required_detail(self.game.bet(bet)) == "value":
                removal = Effects.of(self.game, bet, Shoe.decks(self.dealing.decks)).removal
                effects = np.array([float(effect or 0) for effect in removal])
                scaled.append(effects / max(float(np.abs(effects).max()), 1e-300))
        return tuple(scaled)

    @cached_property
    def knows(self) -> Knows:
        """What must be known of each card: its value, rank or suit."""
        return finest([required_detail(self.game.bet(bet)) for bet in self.stakes.bets])

    def edges(self, compositions: NDArray[np.int32]) -> Floats:
        """The edges (rows, bets), including the rebate on units staked."""
        return settlement(self.game, self.stakes.bets).edges(compositions) + self.rebate

    def martingales(self, compositions: NDArray[np.int32], edges: Floats) -> Floats:
        """Quantities (martingales, rows) whose mean after a coup equals their value before the coup:

        - the edges
        - the shares of the point values 1 to 9
        - for each of the `effects`: the mean product of the effects of two cards, and of three cards"""
        values = counts_by_value(compositions).T.astype(np.float64)
        cards = values.sum(axis=0)
        pairs, triples = cards * (cards - 1) / 2, cards * (cards - 1) * (cards - 2) / 6
        parts = [edges.T, values[1:] / cards]
        for effects in self.effects:
            first, second, third = (effects**power @ values for power in (1, 2, 3))
            of_pairs, of_triples = (first**2 - second) / 2, (first**3 - 3 * first * second + 2 * third) / 6
            parts.append(np.stack([of_pairs / pairs, of_triples / triples]))
        return np.concatenate(parts)


class NextCoups(NamedTuple):
    """Random next coups of some rows, a few for each row.

    - `ahead`: the cards ahead after each coup
    - `known` (martingales, coups): the martingales after each coup
    - `means`: the means of `known` (martingales, rows) over the first random coups of a row, and over its other random
      coups"""

    ahead: Ints
    known: Floats
    means: tuple[Floats, Floats]


@dataclass
class SeatRows:
    """The coups of some shoes, one row per coup in the order dealt: what is known before and after each coup.

    - `before` and `after` (martingales, rows): the martingales before and after the coup
    - `held`: the largest gain of stakes that hold the seat
    - `ahead`: cards before the cut card
    - `more`: whether another coup follows
    - `certain`: whether enough cards are undealt for `after` to be known whatever is dealt; otherwise `after` equals
      `before`"""

    shoes: int
    shoe: Ints
    coup: Ints
    undealt: Ints
    last_cut: Ints
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
    def play(cls, seat: Seat, seed: int, first: int, shoes: int, further: bool = True) -> SeatRows:
        """Deal the shoes `first`, `first + 1` ... and price their coups. `further`: whether to work out `held`,
        `before` and `after` too."""
        dealing = seat.dealing
        deeper = replace(dealing, cut=max(0, dealing.cut - _FEWEST * further))
        parts = []
        for start in range(first, first + shoes, PIECE):
            coups, edges = priced_coups(seat, deeper, seed, start, min(PIECE, first + shoes - start))
            dealt = np.flatnonzero(coups.last_cut >= dealing.cut)
            last = len(coups.shoe) - 1
            following = np.minimum(dealt + 1, last)
            followed = (dealt < last) & (coups.shoe[following] == coups.shoe[dealt])
            martingales = seat.martingales(coups.left, edges) if further else np.empty((0, len(edges)))
            held = seat.stakes.held(edges[dealt]) if further else np.empty(0)
            some = slice(None) if len(dealt) == len(edges) else dealt
            parts.append(
                (
                    coups.shoe[some].astype(np.int64) + (start - first),
                    coups.coup[some].astype(np.int64),
                    coups.undealt[some].astype(np.int64),
                    coups.last_cut[some].astype(np.int64),
                    coups.left[some],
                    coups.shown[some],
                    edges[some],
                    held,
                    martingales[:, dealt].T,
                    martingales[:, following].T,
                    followed & (coups.last_cut[following] >= dealing.cut),
                )
            )
        shoe, coup, undealt, last_cut, left, shown, edges, held, before, after, more = (
            np.concatenate(part) for part in zip(*parts, strict=True)
        )
        certain = undealt >= _FEWEST
        before, after = (np.ascontiguousarray(m.T) for m in (before, after))
        after[:, ~certain] = before[:, ~certain]
        ahead = undealt - dealing.cut
        return cls(shoes, shoe, coup, undealt, last_cut, ahead, left, shown, edges, held, before, after, more, certain)

    @classmethod
    def joined(cls, parts: Sequence[SeatRows]) -> SeatRows:
        """The rows of several parts. The numbers of the shoes continue from part to part."""
        offsets = np.cumsum([0, *(part.shoes for part in parts)])
        joined: dict[str, Any] = {"shoes": int(offsets[-1])}
        for column in fields(cls)[1:]:
            arrays = [getattr(part, column.name) for part in parts]
            if column.name == "shoe":
                arrays = [array + offset for array, offset in zip(arrays, offsets, strict=False)]
            joined[column.name] = np.concatenate(arrays, axis=1 if column.name in ("before", "after") else 0)
        return cls(**joined)

    @cached_property
    def slices(self) -> list[Ints]:
        """The rows of each slice. The slices go from the end of the shoe to its start."""
        number = slice_of(self.ahead)
        order = np.argsort(number, kind="stable")
        return np.split(order, np.searchsorted(number[order], np.arange(1, number.max() + 1)))

    @cached_property
    def next_coups(self) -> dict[int, NextCoups]:
        """The random next coups of each slice, keyed by the slice's number. `Continuation` fills them in."""
        return {}

    def at(self, seat: Seat) -> SeatRows:
        """The same coups at another seat of the same `table`. Only `held` differs."""
        self.slices, self.next_coups  # noqa: B018 - made once for all seats
        rows = copy(self)
        rows.held = seat.stakes.held(self.edges)
        return rows

    @property
    def starts(self) -> Ints:
        """The first row of each shoe."""
        return np.searchsorted(self.shoe, np.arange(self.shoes))


class Shared(Generic[Kept]):
    """Results for the most recent shoes. A result's key is everything that it depends on except the cut card. The cut
    card is left out because a shoe that is dealt deeper contains all coups that are dealt from it with an earlier cut
    card."""

    def __init__(self, most: int) -> None:
        self.most = most  # the most coups in all
        self._kept: OrderedDict[Hashable, tuple[int, int, Kept]] = OrderedDict()
        self._coups = 0  # the coups of all results kept
        self._lock = Lock()

    def of(self, key: Hashable, cut: int, work: Callable[[], tuple[int, Kept]]) -> tuple[int, Kept]:
        """The cut to which the shoes were dealt, and the result of `work`. This cut is at most `cut`.

        `work` also returns its number of coups. It is called only if no kept result reaches `cut`."""
        with self._lock:
            kept = self._kept.get(key)
        if kept is None or kept[0] > cut:
            kept = (cut, *work())
        with self._lock:
            self._coups += kept[1] - (self._kept[key][1] if key in self._kept else 0)
            self._kept[key] = kept
            self._kept.move_to_end(key)
            while self._coups > self.most:
                self._coups -= self._kept.popitem(last=False)[1][1]
        return kept[0], kept[2]


_PRICED: Shared[tuple[Coups, Floats]] = Shared(_MOST_PRICED)


def priced_coups(seat: Seat, dealing: Dealing, seed: int, first: int, shoes: int) -> tuple[Coups, Floats]:
    """The coups of some shoes dealt by this procedure, and the seat's edges (rows, bets). Seats with other amounts on
    the same bets, or with another cut card, share these shoes while they are kept (`Shared`)."""

    def work() -> tuple[int, tuple[Coups, Floats]]:
        coups = play(seat.game.tableau, dealing, seed, first, shoes, seat.knows)
        edges = seat.edges(coups.left)
        return len(edges), (coups, edges)

    key = (seat.game.digest, seat.stakes.bets, seat.rebate, replace(dealing, cut=0), seed, first, shoes)
    cut, (coups, edges) = _PRICED.of(key, dealing.cut, work)
    if cut == dealing.cut:
        return coups, edges
    dealt = coups.last_cut >= dealing.cut
    return coups.only(dealt), edges[dealt]


def slice_of(ahead: Ints) -> Ints:
    """The slice of a coup that begins with `ahead` cards before the cut card."""
    return np.asarray((ahead + _BEYOND) // WIDE)
