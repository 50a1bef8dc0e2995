"""Aims: the depths and compositions at which a counter's bet has value, and compositions drawn from them.

A depth is a number of cards at the end of the shoe. An aim covers several depths. At each depth a search (`importance`)
finds tilts: distributions of the composition of these last cards, which favour the compositions at which a coup is
worth something. The search has a fixed seed. So an aim depends on the game, the decks, the worth and the depths, and
never on the seed of the estimate that uses it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import ceil, log
from pathlib import Path
from typing import Protocol

import numpy as np

from counting.arrays import Floats, Int32s
from counting.cards import COUP, DECK, MOST_DECKS, SUITS, Knows, Shoe, coarser, finest
from counting.errors import InputError, whole
from counting.exact import Settlement, required_detail, settlement
from counting.games import Game, as_game
from counting.simulation.importance import Mixture, Sampler
from counting.simulation.tilts import Tilt, Tilts, chances_near, even
from counting.workers import threads

PLAIN = 0.1  # the plain distribution's share of the draws, so that no weight exceeds 10

_SEED = 1  # the seed of every search
_APART = 0.85  # the least correlation of the edges at two neighbouring depths, before depths are rounded
_FEWEST = 12  # cards: the depths for cuts stay this far from both ends of the shoe
_SECANTS, _NEAR = 20, 1e-12
_UNEVEN, _TRIED = 7, 2_800  # a step of the streams' addresses; how many compositions are drawn to choose the tilt
_MOST_CURVE, _MOST_LEAN, _HALVINGS = 2.0, 4.0, 10  # stronger tilts would reach compositions that no shoe has
_LEAST_CHANCE = 1e-200
_SUITS = np.array([signs for signs in product((-0.5, 0.5), repeat=len(SUITS)) if len(set(signs)) > 1])


class Worth(Protocol):
    """What a coup is worth to a counter who may sit it out. It is the largest of some sums of stakes times edges, or 0
    if all sums are negative.

    In each sum no stake is negative, and not all stakes are 0. So the worth is convex in the edges, never negative, and
    positive where every edge is positive."""

    @property
    def bets(self) -> tuple[str, ...]:
        """The bets on whose edges the worth depends, by name."""

    def free(self, edges: Floats) -> Floats:
        """What coups with these edges (rows, bets) are worth (rows,), in units."""


@dataclass(frozen=True)
class Unit:
    """One unit on a bet, with `tie_in` units on the best of the bets `main`. Its worth is

        max(0, edge + tie_in * max(main edges))

    where the inner `max` is over the bets `main`."""

    bet: str
    main: tuple[str, ...] = ()
    tie_in: Fraction = Fraction()

    @property
    def bets(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((self.bet, *(self.main if self.tie_in else ()))))

    def free(self, edges: Floats) -> Floats:
        joint = edges[:, 0]
        if self.main and self.tie_in:
            joint = joint + float(self.tie_in) * edges[:, [self.bets.index(main) for main in self.main]].max(axis=1)
        worths: Floats = np.maximum(joint, 0)
        return worths


def height(worth: Worth, edges: Floats) -> Floats:
    """The height (rows,) of coups with these edges (rows, bets). It is the worth of a coup that is worth something. A
    coup worth nothing has a height of 0 or less: minus the amount that every edge would have to gain for the coup to be
    worth something.

    The worth is convex and piecewise linear in the amount that is added to every edge. So a line through two points
    with a positive worth reaches 0 at the wanted amount or above it. Secants descend to this amount, in a step or two
    for each linear piece."""
    heights = worth.free(edges)
    low = np.flatnonzero(heights <= 0)
    if len(low) == 0:
        return heights
    of, more, added = edges[low], np.full(len(low), 2.0), np.full(len(low), 1.0 + 2.0**-20)
    worth_more, worth_here = (worth.free(of + x[:, np.newaxis]) for x in (more, added))
    for _ in range(_SECANTS):
        rise = worth_more - worth_here
        step = np.where(rise > 0, worth_here * (more - added) / np.where(rise > 0, rise, 1), 0)
        if step.max() < _NEAR:
            break
        more, worth_more, added = added, worth_here, added - step
        worth_here = worth.free(of + added[:, np.newaxis])
    heights = heights.copy()
    heights[low] = -np.maximum(added, 0)
    return heights


@dataclass(frozen=True, eq=False)
class Aim:
    """Mixtures of tilts for a worth, by rising depth.

    A depth has no tilts if coups that are worth something are common there, or if the search finds none."""

    game: Game
    worth: Worth
    decks: int
    mixtures: tuple[Mixture, ...]

    @cached_property
    def knows(self) -> Knows:
        """What must be known of the unseen cards to price the bets: value, rank or card."""
        return finest(required_detail(self.game.bet(bet)) for bet in self.worth.bets)

    @property
    def depths(self) -> tuple[int, ...]:
        """The depths with tilts."""
        return tuple(mixture.tilts[0].cards_left for mixture in self.mixtures)

    @cached_property
    def priced(self) -> Settlement:
        return settlement(self.game, self.worth.bets)

    @cached_property
    def full(self) -> Int32s:
        """The number of cards of each kind in a full shoe (kinds,)."""
        return np.array(coarser(Shoe.decks(self.decks).counts, self.knows), np.int32)

    def worths(self, compositions: Int32s) -> Floats:
        """What coups with these unseen cards (rows, kinds) are worth (rows,)."""
        return self.worth.free(self.priced.edges(compositions))

    def serving(self, worth: Worth) -> Aim:
        """The same tilts for another worth. Estimates stay unbiased.

        They stay about as precise if there are few compositions at which the new worth is 0 and the worth of this aim
        is positive."""
        return Aim(self.game.also(worth.bets), worth, self.decks, self.mixtures)

    @cached_property
    def along(self) -> Tilts:
        """The tilts of all depths. The depths have equal shares of the draws. The share of the plain distribution is
        `PLAIN`, or 1 if there are no tilts."""
        tilts, shares = (
            [Tilt(self.full, even(self.full, _FEWEST), _FEWEST)],
            [np.array([PLAIN if self.mixtures else 1])],
        )
        for mixture in self.mixtures:
            tilts += mixture.tilts[1:]
            shares.append((1 - PLAIN) / len(self.mixtures) * _tilted_shares(mixture))
        return Tilts.of(tilts, np.concatenate(shares))

    def at(self, depth: int) -> Mixture:
        """Tilts for another depth, made from the tilts of the nearest depth on either side. Beyond the first or last
        depth, there is only one such depth. The new tilts have about the same proportions of cards of each kind."""
        full, depths = self.full, self.depths
        near = [i for i in (int(np.searchsorted(depths, depth, side="right")) - 1,) if i >= 0]
        near += [i for i in (int(np.searchsorted(depths, depth)),) if i < len(depths)]
        tilts, shares = [Tilt(full, even(full, depth), depth)], [np.ones(1)]
        for i in dict.fromkeys(near):
            for tilt in self.mixtures[i].tilts[1:]:
                chances = chances_near(full, full * tilt.chances * (depth / tilt.cards_left))
                tilts.append(Tilt(full, even(full, depth) if tilt.curve else chances, depth, tilt.curve))
            shares.append(_tilted_shares(self.mixtures[i]))
        all_shares = np.concatenate(shares)
        if len(shares) > 1:
            all_shares[1:] *= (1 - PLAIN) / (len(shares) - 1)
            all_shares[0] = PLAIN
        return Mixture(tuple(tilts), all_shares)


def _tilted_shares(mixture: Mixture) -> Floats:
    """The tilts' shares, without the plain distribution, so that they add up to 1."""
    shares: Floats = mixture.shares[1:] / mixture.shares[1:].sum()
    return shares


def depths_for(cuts: Iterable[int], decks: int = 8) -> list[int]:
    """The depths at which to aim for these cuts, rising. They are as few as possible for a correlation of 0.85 or more
    between the edges at neighbouring depths. At small depths, rounding to whole cards may lower the correlation a
    little.

    The edge is a martingale along a shoe of N cards. So for depths d < e the correlation is about

        sqrt(d (N - e) / (e (N - d)))

    Depths are therefore spaced evenly in log(d / (N - d)). Cuts within 12 cards of an end of the shoe count as 12 cards
    from that end. Raises `InputError` for no cuts, and for a cut beyond the shoe."""
    cards = DECK * whole(decks, "decks", 1, MOST_DECKS)
    wanted = sorted({whole(cut, "cut", 0, cards) for cut in cuts})
    if not wanted:
        raise InputError("cuts: none, should be one or more")
    low, high = (min(max(cut, _FEWEST), cards - _FEWEST) for cut in (wanted[0], wanted[-1]))
    ends = [log(d / (cards - d)) for d in (low, high)]
    steps = ceil((ends[1] - ends[0]) / (-2 * log(_APART)) - 1e-9)
    odds = np.exp(np.linspace(ends[0], ends[1], steps + 1))
    return sorted(set(np.rint(cards * odds / (1 + odds)).astype(int).tolist()))


def aim_at(
    game: Game | str | Path, worth: Worth, depths: Iterable[int], decks: int = 8, workers: int | None = None
) -> Aim:
    """Search for tilts to the compositions that are worth something, at these depths. One core takes about half a
    second for a depth.

    For bets settled by point values, the search is the same as in `estimate`. A bet on ranks or suits is worth
    something when the counts of ranks, cards or suits are uneven, in any direction. For such a bet, either the tilts
    are curved, or they favour some of the suits and each set of suits gets the same share. A depth has no tilts if more
    than half of the compositions are worth something, or if the search finds none. Raises `InputError` for an unknown
    bet, and for a depth below 6 or beyond the shoe."""
    game = as_game(game)
    game = game.also(worth.bets)
    decks = whole(decks, "decks", 1, MOST_DECKS)
    empty = Aim(game, worth, decks, ())
    wanted = [whole(depth, "depth", COUP, DECK * decks) for depth in sorted(set(depths))]

    def search(depth: int) -> Mixture:
        sampler = Sampler(empty.priced, empty.full, depth, _SEED, lambda edges: height(worth, edges))
        return sampler.mixture() if empty.knows == "value" else _uneven(sampler)

    with ThreadPoolExecutor(threads(workers)) as pool:
        mixtures = list(pool.map(search, wanted))
    return Aim(game, worth, decks, tuple(mixture for mixture in mixtures if len(mixture.tilts) > 1))


def _uneven(sampler: Sampler) -> Mixture:
    """Tilts to uneven counts of ranks or cards, or to uneven counts of suits. No tilts if neither helps."""
    full, depth = sampler.full, sampler.cards_left
    plain = even(full, depth)

    def curved(curve: float) -> list[Tilt]:
        return [Tilt(full, plain, depth, curve)]

    def suited(lean: float) -> list[Tilt]:
        odds = depth / (full.sum() - depth) * np.exp(lean * _SUITS)
        return [Tilt(full, row / (1 + row), depth) for row in np.tile(odds, (1, len(full) // len(SUITS)))]

    def often(tilts: list[Tilt]) -> float:
        """The share of compositions drawn from these tilts that are worth something. It is 1 if the tilts are so strong
        that no composition can be drawn."""
        stream, size = sampler.stream(_UNEVEN), _TRIED // len(tilts)
        if not all(map(_drawable, tilts)):
            return 1.0
        return float(np.mean([(sampler.edges(tilt.draw(stream, size)) > 0).mean() for tilt in tilts]))

    def halfway(tilts: Callable[[float], list[Tilt]], most: float) -> Mixture:
        """A mixture of tilts of two strengths: tilts for which about half of the compositions drawn are worth
        something, and tilts half as strong."""
        low, high = 0.0, most
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            low, high = (low, middle) if often(tilts(middle)) > 0.5 else (middle, high)
        candidates = [*tilts(high / 2), *tilts(high)]
        shares = np.repeat([0.25, 0.75], len(candidates) // 2) / (len(candidates) // 2)
        return Mixture((nothing.tilts[0], *candidates), np.array([PLAIN, *(1 - PLAIN) * shares]))

    def effective(mixture: Mixture) -> float:
        """How many equally weighted compositions would give the same precision as a small sample from the mixture."""
        if not all(map(_drawable, mixture.tilts)):
            return 0.0
        tilts, stream = mixture.side_by_side, sampler.stream(_UNEVEN, 1)
        drawn = tilts.draw(tilts.spread(0, _TRIED, _TRIED, stream), stream)
        worth = sampler.edges(drawn).clip(0) / (mixture.ratios(drawn) @ mixture.shares)
        return float(worth.sum() ** 2 / (worth**2).sum()) if worth.any() else 0.0

    nothing = Mixture((Tilt(full, plain, depth),), np.ones(1))
    if often(list(nothing.tilts)) > 0.5:
        return nothing
    spread = full[0] * plain[0] * (1 - plain[0])
    candidates = [halfway(curved, _MOST_CURVE / spread), *([halfway(suited, _MOST_LEAN)] if len(full) == DECK else [])]
    return max(nothing, *candidates, key=effective)


def _drawable(tilt: Tilt) -> bool:
    """Whether the chance that the counts add up to `cards_left` is far above the smallest number that a float can
    hold."""
    return bool(tilt.rest[0][tilt.cards_left] > _LEAST_CHANCE)
