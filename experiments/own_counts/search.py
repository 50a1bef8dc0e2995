"""The search for tags: from several starts, it moves to neighbours with a larger gain, until no neighbour wins more.

The smallest tag is always 0 here (see `samples.Sample`), so tags of level 1 are from 0 to 2. In a neighbour of a count,
one or two tags are changed by one, or all tags are scaled.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from counting.cards import DECK, RANKS, SUITS
from counting.exact import Effects
from counting.exact.tag_search import best_tags as correlated
from experiments.own_counts.samples import Counts, Sample

SCALES = (Fraction(1, 2), Fraction(2, 3), Fraction(3, 4), Fraction(4, 3), Fraction(3, 2), Fraction(2))
KICKS = 12  # random starts for a level, near the best count
_MORE = 1e-9  # a share of the perfect gain; rounding errors of sums are smaller

Change = tuple[tuple[int, int], ...]  # kinds, each with the change of its tag


def lowest(tags: list[int] | Counts) -> Counts:
    """The same count, shifted so that its smallest tag is 0."""
    least = min(tags)
    return tuple(tag - least for tag in tags)


def written(tags: Counts, most: int) -> tuple[list[int], int]:
    """The tags as published, and the trigger. Many tags give the same count. The published tags are the ones whose
    largest absolute value is smallest and, among these, whose sum of absolute values is smallest."""
    raised = min(range(max(tags) + 1), key=lambda by: (max(abs(tag - by) for tag in tags), _size(tags, by)))
    return [tag - raised for tag in tags], DECK * raised - most


def _size(tags: Counts, by: int) -> int:
    """The sum of the absolute values of the tags over the cards of a suit, after `by` is subtracted from each tag."""
    cards = [1] * 9 + [len(RANKS) - 9] if len(tags) == 10 else [1] * len(tags)
    return sum(n * abs(tag - by) for n, tag in zip(cards, tags, strict=True))


def changes(kinds: int, steps: int) -> Iterator[Change]:
    """All changes of `steps` tags, each up or down by one."""
    for some in combinations(range(kinds), steps):
        for signs in product((1, -1), repeat=steps):
            yield tuple(zip(some, signs, strict=True))


def changed(tags: Counts, change: Change) -> list[int]:
    moved = list(tags)
    for kind, by in change:
        moved[kind] += by
    return moved


def scaled(tags: Counts, level: int) -> Iterator[Counts]:
    """The counts that result if all tags are scaled and rounded, within the level."""
    for scale in SCALES:
        scaled_tags = lowest([round(tag * scale) for tag in tags])
        if scaled_tags != tags and 0 < max(scaled_tags) <= 2 * level:
            yield scaled_tags


def neighbours(tags: Counts, level: int) -> Iterator[Counts]:
    """Every neighbour of a count."""
    for steps in (1, 2):
        moved = (lowest(changed(tags, change)) for change in changes(len(tags), steps))
        yield from (other for other in moved if 0 < max(other) <= 2 * level)
    yield from scaled(tags, level)


def spread(weights: NDArray[np.float64], level: int) -> Counts | None:
    """Weights, scaled to the full range of a level and rounded to whole tags; None if all weights are equal."""
    width = float(np.ptp(weights))
    return lowest([round(float(w)) for w in (weights - weights.min()) * (2 * level / width)]) if width else None


class Search:
    """A search on a sample, level by level. Gains of tried counts are cached."""

    def __init__(self, sample: Sample, effects: Effects | None = None, seed: int = 1) -> None:
        self.sample, self.rng = sample, np.random.default_rng(seed)
        self.tried: dict[Counts, tuple[float, int]] = {}
        self.removal = None if effects is None else _by_kind(effects, sample.kinds)
        self.fit = _fitted(sample)
        self._once, self._twice = np.empty((2, len(sample.worth)), np.float32)

    def gain(self, tags: Counts) -> float:
        """The gain of a count at its best trigger."""
        if tags not in self.tried:
            self.tried[tags] = self.sample.best(self.sample.load(tags))
        return self.tried[tags][0]

    def climbed(self, tags: Counts, level: int) -> Counts:
        """Climb from a count, until no change is better. The best change of one tag, or the best scaling, is tried
        first; if none is better, the best change of two tags."""
        at = self.gain(tags)
        while True:
            for better in (self._best_step(tags, level, 1), self._best_step(tags, level, 2)):
                if self.gain(better) > at + _MORE:
                    tags, at = better, self.gain(better)
                    break
            else:
                return tags

    def _best_step(self, tags: Counts, level: int, steps: int) -> Counts:
        """The best neighbour with `steps` tags changed. Only the changed columns are added up again."""
        load, found = self.sample.load(tags), list[Counts]()
        for first, group in _by_first(changes(len(tags), steps)):
            once = self._moved(load, first, self._once)
            for change in group:
                moved = changed(tags, change)
                other = lowest(moved)
                if 0 < max(other) <= 2 * level:
                    found.append(other)
                    if other not in self.tried:
                        twice = once if steps == 1 else self._moved(once, change[1], self._twice)
                        self.tried[other] = self.sample.best(twice, -min(moved))
        return max([*found, *(scaled(tags, level) if steps == 1 else ())], key=self.gain)

    def _moved(
        self, load: NDArray[np.float32], change: tuple[int, int], into: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """The load after the tag of one kind is changed by one, written into `into`."""
        kind, by = change
        return (np.add if by > 0 else np.subtract)(load, self.sample.unseen[kind], out=into)

    def starts(self, level: int, below: list[Counts]) -> set[Counts]:
        """The starts of a level: the tags that correlate best with the effects of removal, balanced and unbalanced; the
        effects, and a linear fit to the sign of the edges, scaled to the level; for level 1, some kinds against all
        others; and the best counts of lower levels, unchanged and scaled."""
        made: list[Counts | None] = [spread(-self.fit, level)]
        if self.removal is not None:
            made.append(spread(np.array([float(weight) for weight in self.removal]), level))
            cards = (1,) * 9 + (4,) if len(self.removal) == 10 else (1,) * len(self.removal)
            best = (correlated(cards, self.removal, level, balanced) for balanced in (True, False))
            made += [lowest(tags) for tags in best if tags is not None]
        kinds = self.sample.kinds
        if level == 1:
            order = np.argsort(self.fit)
            parts = [tuple(int(kind in order[:n]) for kind in range(kinds)) for n in range(1, kinds)]
            made.append(max(parts, key=self.gain))
        made += below
        made += [spread(np.array(tags, float), level) for tags in below]
        return {tags for tags in made if tags is not None and 0 < max(tags) <= 2 * level}

    def best(self, level: int, below: list[Counts]) -> Counts:
        """The best count of a level that the search finds. `below`: the best counts of lower levels."""
        top = max((self.climbed(tags, level) for tags in sorted(self.starts(level, below))), key=self.gain)
        for _ in range(KICKS):
            by = self.rng.integers(-1, 2, len(top)) * (self.rng.random(len(top)) < 0.5)
            kicked = lowest([int(tag) for tag in np.clip(np.array(top) + by, 0, 2 * level)])
            if max(kicked):
                top = max(top, self.climbed(kicked, level), key=self.gain)
        return top


def _by_first(every: Iterator[Change]) -> Iterator[tuple[tuple[int, int], list[Change]]]:
    """Changes, grouped by the first tag that they change."""
    groups: dict[tuple[int, int], list[Change]] = {}
    for change in every:
        groups.setdefault(change[0], []).append(change)
    yield from groups.items()


def _by_kind(effects: Effects, kinds: int) -> tuple[Fraction, ...] | None:
    """The effects of removal by kind, in the order of `Counts`, as means over the cards of a rank or suit. None if all
    kinds have the same effect."""
    removal = [effect or Fraction() for effect in effects.removal]
    suits = len(SUITS)
    if effects.knows == "card":
        cards = [removal[suit::suits] if kinds == suits else removal[suit * suits :][:suits] for suit in range(kinds)]
        removal = [sum(of_kind, Fraction()) / len(of_kind) for of_kind in cards]
    ordered = (*removal[1:], removal[0]) if effects.knows == "value" else tuple(removal)
    return ordered if len({*ordered}) > 1 else None


def _fitted(sample: Sample) -> NDArray[np.float64]:
    """The slopes, by kind of card, of a linear fit to the sign of the edge at the coups of a sample."""
    won = np.sign(sample.worth)
    slopes: NDArray[np.float64] = np.linalg.lstsq(sample.unseen.T, won, rcond=None)[0]
    return slopes
