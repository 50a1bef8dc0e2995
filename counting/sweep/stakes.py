"""The stakes that a table's rules allow on a coup, and the best of them.

A stake on a bet is nothing, or from a least to a largest amount. A side bet may need money on the main bets. So the
allowed stakes are a union of polytopes, one for each set of bets made. The gain of a coup is linear in the stakes, so
it is largest at a vertex of one of these polytopes. The vertices depend only on the rules, and are worked out once. To
find the best stakes of a coup, it is then enough to compare a few products.

Amounts are in units of the largest side bet, unless they are marked as money."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from numbers import Real
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Bools, Floats
from counting.errors import InputError, several
from counting.instruction_sets import chosen
from counting.sweep import _bettor
from counting.sweep.vertices import Seat, vertices_of

Covers = Literal["all", "side"]

_AMOUNTS = ("least", "least_main", "most_main", "tie_in", "side_tie_in", "kept_up")
_KEYS = ("sides", "main", *_AMOUNTS[:5], "main_needed", "seat", "kept_up")
MOST_UNITS = 10**12


@dataclass(frozen=True)
class Stakes:
    """The vertices of the stakes allowed on a coup. `Stakes.of` or `TableLimits.stakes` makes them.

    - `bets`: the bets; a bet that may have both a side and a main stake is listed once
    - `vertices` (vertices, bets): stakes; the vertex without any stake is listed only if an arbitrarily small bet holds
      the seat
    - `seated` (vertices,): whether a vertex holds the bettor's seat
    - `on_side` (vertices,): whether a vertex has a side bet

    >>> from counting.sweep import Stakes
    >>> Stakes.of(("dragon-7",), ("player",)).vertices.tolist()
    [[0.0, 0.0], [1.0, 0.0]]
    """

    bets: tuple[str, ...]
    key: tuple[Any, ...]
    vertices: Floats = field(repr=False, compare=False)
    seated: Bools = field(repr=False, compare=False)
    on_side: Bools = field(repr=False, compare=False)

    @classmethod
    def of(
        cls,
        sides: Iterable[str],
        main: Iterable[str],
        *,
        least: Fraction = Fraction(),
        least_main: Fraction = Fraction(),
        most_main: Fraction = Fraction(),
        tie_in: Fraction = Fraction(),
        side_tie_in: Fraction = Fraction(),
        main_needed: bool = False,
        seat: Seat = "any",
        kept_up: Fraction | None = None,
    ) -> Stakes:
        """The vertices for side bets from `least` to 1 and main bets from `least_main` to `most_main`.

        - `tie_in`: the units needed on the main bets in all for each unit on the side bets in all
        - `side_tie_in`: the units needed on the main bets in all for each unit on the largest side bet
        - `main_needed`: whether a side bet needs a main bet, of any amount
        - `seat`: which bets hold the seat: any bet, main bets, or a list of bets
        - `kept_up`: if given, `seat` does not count; instead, this amount on the main bets holds the seat, and so does
          a side bet of 1

        A least amount of 0 means any amount, however small. If an arbitrarily small bet holds the seat, the seat costs
        nothing. Raises `InputError` for an amount below 0 or above `MOST_UNITS`, and for so many bets that the vertices
        cannot be searched."""
        amounts = {"least": least, "least_main": least_main, "most_main": most_main, "tie_in": tie_in,
                   "side_tie_in": side_tie_in, "kept_up": kept_up or 0}  # fmt: skip
        for name, amount in amounts.items():
            if not isinstance(amount, Real) or not 0 <= cast("float", amount) <= MOST_UNITS:
                raise InputError(f"{name}: should be a number of units from 0 to {MOST_UNITS:,}")
        sides, main = several(sides, "side bets"), several(main, "main bets")
        ends, needs = (least, least_main, most_main), (tie_in, side_tie_in)
        holds: Seat = seat if isinstance(seat, str) else tuple(seat)
        key = (sides, main, *ends, *needs, main_needed, holds, kept_up)
        return cls(tuple(dict.fromkeys((*sides, *main))), key, *vertices_of(*key))

    @property
    def sides(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.key[0]))

    @property
    def main(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.key[1]))

    @property
    def costless(self) -> bool:
        """Whether an arbitrarily small bet holds the seat, so that the seat costs nothing."""
        return bool((self.seated & ~self.vertices.any(axis=1)).any())

    @cached_property
    def best_of_all(self) -> frozenset[tuple[float, ...]]:
        """The vertices that can be better than all other stakes and than no stakes. Each comes with 1 if it has a side
        bet, otherwise with 0.

        A vertex that is left out is a smaller copy of a vertex that is listed. Either the listed vertex or no stakes at
        all is at least as good as the copy."""
        size = self.vertices.max(axis=1, initial=0.0)
        shapes = [tuple(row) for row in (self.vertices / np.maximum(size, 1e-300)[:, np.newaxis]).round(15).tolist()]
        largest: dict[tuple[float, ...], float] = {}
        for shape, of_vertex in zip(shapes, size.tolist(), strict=True):
            largest[shape] = max(of_vertex, largest.get(shape, 0.0))
        return self._rows(size == [largest[shape] for shape in shapes])

    @cached_property
    def best_holding_seat(self) -> frozenset[tuple[float, ...]]:
        """The vertices that hold the seat. Each comes with 1 if it has a side bet, otherwise with 0."""
        return self._rows(self.seated)

    def _rows(self, of: Bools) -> frozenset[tuple[float, ...]]:
        return frozenset(map(tuple, np.column_stack([self.vertices, self.on_side])[of].tolist()))

    @property
    def most_main(self) -> Fraction:
        """The largest main bet."""
        return Fraction(self.key[4])

    def to_dict(self) -> dict[str, Any]:
        """The rules that determine the vertices, as plain data."""
        return {
            name: list(value) if isinstance(value, tuple) else str(value) if isinstance(value, Fraction) else value
            for name, value in zip(_KEYS, self.key, strict=True)
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Stakes:
        """The stakes that `to_dict` wrote."""
        values: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in data.items()
        }
        amounts = {name: Fraction(values[name]) for name in _AMOUNTS if values[name] is not None}
        return cls.of(**values | amounts)

    def gains(self, edges: Floats, rebate: float = 0.0) -> Floats:
        """The gain of each vertex (rows, vertices), from edges (rows, bets). `rebate` is paid back on each unit
        staked."""
        products: Floats = (edges + rebate) @ self.vertices.T
        return products

    def held(self, edges: Floats, rebate: float = 0.0) -> Floats:
        """The largest gain of stakes that hold the seat (rows,)."""
        best: Floats = self.gains(edges, rebate)[:, self.seated].max(axis=1, initial=-np.inf)
        return best

    def free(self, edges: Floats, rebate: float = 0.0) -> Floats:
        """The largest gain that any stakes, or no stakes, have (rows,). It is convex in the edges, and at least 0."""
        best: Floats = self.gains(edges, rebate).max(axis=1, initial=0.0)
        return best

    def best(self, edges: Floats, rebate: float = 0.0, seated: bool = False) -> tuple[Floats, NDArray[np.uint8]]:
        """The largest gain (rows,), and what is staked for it: nothing (0), a side bet (1) or only main bets (2).

        All stakes and no stakes are compared or, if `seated`, only the stakes that hold the seat. The gain is the same
        to the bit on every processor."""
        return self.best_by_bet(np.ascontiguousarray(edges.T), rebate, seated)

    def best_by_bet(self, edges: Floats, rebate: float = 0.0, seated: bool = False) -> tuple[Floats, NDArray[np.uint8]]:
        """The same as `best`, from edges in which each bet has a row (bets, rows)."""
        gain, staked = np.empty(edges.shape[1]), np.empty(edges.shape[1], np.uint8)
        _bettor.best(edges, rebate, self.allowed(seated), gain, staked, chosen(_bettor.best_level()))
        return gain, staked

    def allowed(self, seated: bool) -> _bettor.Allowed:
        """All stakes or, if `seated`, the stakes that hold the seat, in the layout that the kernel takes."""
        return self._holding_seat if seated else self._all

    @cached_property
    def _all(self) -> _bettor.Allowed:
        return _allowed(self.vertices, self.on_side, seated=False)

    @cached_property
    def _holding_seat(self) -> _bettor.Allowed:
        return _allowed(self.vertices[self.seated], self.on_side[self.seated], seated=True)


def _allowed(vertices: Floats, on_side: Bools, seated: bool) -> _bettor.Allowed:
    vertex, bet = np.nonzero(vertices)
    first = np.searchsorted(vertex, np.arange(len(vertices) + 1)).astype(np.int32)
    amount = vertices[vertex, bet]
    return _bettor.Allowed(vertices.shape[1], first, bet.astype(np.int32), amount, on_side.astype(np.uint8), seated)


@dataclass(frozen=True, kw_only=True)
class TableLimits:
    """A table's limits, in money: main bets from `minimum` to `maximum`, side bets from `least_bet`.

    - `tie_in`: the units needed on the main bets in all for each unit on the side bets in all
    - `together`: whether `tie_in` is instead for each unit on the largest side bet
    - `side_share`: the largest side bet, as a multiple of the main bets together
    - `main_needed`: whether a side bet needs a main bet
    - `covers`: which bets a bound on a counter's gain covers: "all", or only side bets ("side"), with main bets no
      larger than the requirements or the minimum
    - `seat`: which bets hold the seat

    >>> from fractions import Fraction
    >>> from counting.sweep import TableLimits
    >>> TableLimits(minimum=Fraction(25), tie_in=Fraction(1)).stakes(("dragon-7",), ("player",), Fraction(50)).bets
    ('dragon-7', 'player')
    """

    minimum: Fraction = Fraction()
    maximum: Fraction | None = None
    least_bet: Fraction = Fraction(1)
    tie_in: Fraction = Fraction()
    together: bool = False
    side_share: Fraction | None = None
    main_needed: bool = False
    covers: Covers = "side"
    seat: Seat = "any"

    @property
    def needed(self) -> Fraction:
        """How many units on the main bets a side bet of one unit needs, apart from the minimum."""
        return max(self.tie_in, 1 / self.side_share if self.side_share else Fraction())

    def unit(self, most_bet: Fraction | None, mains: int = 1) -> Fraction | None:
        """The largest side bet in money, which is the unit of all stakes, with `mains` main bets at once. None if there
        is no limit.

        It is `most_bet` or, if this is less, the largest side bet whose required main bets the maximum allows."""
        if self.maximum is None or not self.needed:
            return most_bet
        allowed = mains * self.maximum / self.needed
        return allowed if most_bet is None else min(most_bet, allowed)

    def in_units(self, most_bet: Fraction | None, mains: int, sides: int) -> dict[str, Any]:
        """The keywords of `Stakes.of`, in units of the largest side bet. If side bets have no limit, all minimum
        amounts are 0."""
        unit = self.unit(most_bet, mains)
        share = 1 / self.side_share if self.side_share else Fraction()
        least_main = self.minimum / unit if unit else Fraction()
        needed = max(self.tie_in * (1 if self.together else sides), share)
        most_main = max(needed, least_main)
        if self.maximum is not None and unit:
            most_main = self.maximum / unit if self.covers == "all" else min(most_main, self.maximum / unit)
        return {
            "least": min(self.least_bet / unit, Fraction(1)) if unit else Fraction(),
            "least_main": least_main,
            "most_main": most_main,
            "tie_in": Fraction() if self.together else self.tie_in,
            "side_tie_in": max(share, self.tie_in) if self.together else share,
            "main_needed": self.main_needed and least_main > 0,  # otherwise any amount will do
            "seat": self.seat,
        }

    def stakes(
        self,
        sides: Iterable[str],
        main: Iterable[str],
        most_bet: Fraction | None,
        kept_up: Fraction | Literal["minimum", "needed"] | None = None,
    ) -> Stakes:
        """The stakes allowed with side bets up to `most_bet`, which is in money; None allows any.

        `kept_up` overrides `seat`: the seat is then held by a side bet of one unit, or by an amount on the main bets. A
        number gives this amount in units. "minimum" stands for the table's minimum, and "needed" for the main bets that
        a side bet of one unit needs (at least the minimum). Raises `InputError` if the maximum does not allow this
        amount."""
        sides, main = tuple(sides), tuple(main)
        units = self.in_units(most_bet, len(main), len(sides))
        held = max(self.needed * (kept_up == "needed"), units["least_main"]) if isinstance(kept_up, str) else kept_up
        if held is not None and main:
            unit = self.unit(most_bet, len(main))
            most = None if self.maximum is None or unit is None else self.maximum / unit
            units["most_main"] = (
                max(units["most_main"], held) if most is None else min(max(units["most_main"], held), most)
            )
            if len(main) * units["most_main"] < held:
                raise InputError(f"main bets: {float(held):g} units must be kept up, more than the maximum allows")
        return Stakes.of(sides, main, kept_up=held, **units)
