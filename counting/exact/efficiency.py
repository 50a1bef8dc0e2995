"""Betting efficiency: the share of perfect play's gain that a count wins. It is computed from exact gains, not from the
betting correlation.

A counter knows the sum of the tags of the unseen cards and nothing else about them. The edge is a mean over the six
cards of the next coup, so the expected edge for a given sum needs no census of compositions. In the calculation, these
six cards are dealt first, and then the other n - 6 unseen cards from the rest of the shoe. Let the shoe have N_c cards
with the tag c, of which j_c are among the six cards. Let p be a probability between 0 and 1. Then

    sum over j of A(j) * prod_c y^(c j_c) * (1 - p + p x y^c)^(N_c - j_c)

is a generating function: the coefficient of x^(n - 6) y^s leads to the expected edge with n unseen cards whose tags sum
to s. A(j) is the profit on six cards with these tags, times the probability of these cards. One discrete Fourier
transform gives the coefficient of x^(n - 6). Another gives the coefficients of all powers of y. Terms below 1e-13 of
the largest are left out, so a gain's absolute error is about 1e-13 units.

Perfect play's gain needs a census. If the census would have too many compositions, a sample of compositions replaces
it. The best tags' gain is exact, and the sample only estimates how much more perfect play wins.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Floats, Ints
from counting.cards import COUP, DECK, MOST_DECKS, Shoe
from counting.errors import InputError, instance, several, whole
from counting.exact.censuses import census
from counting.exact.effects import Effects, Tags
from counting.exact.evaluators import refuse_ranks_and_suits, required_detail
from counting.exact.linear_forms import multisets
from counting.exact.settlements import event_weights, settlement
from counting.systems import MOST_TAG, System

# Numbers of unseen cards at which the gains of perfect play and of the best tags are computed. Both gains are smooth in
# this number. The gain of whole tags jumps where another sum becomes possible or worth betting on, so it needs more
# depths.
NODES = (14, 20, 26, 38, 52, 78, 104, 156, 208, 300)
_BY_TAGS = {  # by the most different tags: with fewer tags, the jumps are larger and a gain is quicker to compute
    2: (*range(14, 120), *range(120, 320, 5)),
    5: (*range(14, 28), *range(28, 60, 4), *range(60, 120, 10), *range(120, 320, 25)),
    10: (14, 16, 18, 20, 23, 26, 30, 34, *range(38, 90, 8), *range(98, 314, 24)),
}
CENSUS = 20  # up to this number of unseen cards of whole decks, perfect play's gain is exact
SAMPLES = 20_000

_MADE = "Effects.of('ez-baccarat', 'dragon-7', '8d')"  # a call that makes effects
_SCALES = 8, 16  # the size of the largest tag after rounding: below 100 unseen cards, and from 100 on
_NEGLIGIBLE = 1e-3  # a share of the whole gain: once all depths beyond a node hold less, no more nodes follow
_FAINT = 1e-13
_CHUNK = 512  # points at once, few enough that their products stay in the cache

Complex = NDArray[np.complex128]


class Efficiency(NamedTuple):
    """A count's gain as a share of perfect play's gain, and the share's standard error. The error comes from the
    sampling of perfect play."""

    share: float
    share_se: float


def has_exact_gain(effects: Effects) -> bool:
    """Whether counts have exact gains: the bet is settled by point values, and its effects are by value."""
    effects = instance(effects, Effects, "effects", _MADE)
    return effects.knows == "value" and _on_values(effects)


def _on_values(effects: Effects) -> bool:
    return required_detail(effects.game.bet(effects.bet)) == "value"


def _refuse_inexact(effects: Effects) -> None:
    """Raise `InputError` unless counts have exact gains."""
    effects = instance(effects, Effects, "effects", _MADE)
    refuse_ranks_and_suits(effects.game.bet(effects.bet))
    if effects.knows != "value":
        made = f"Effects.of(game, {effects.bet!r}, {str(effects.shoe)!r})"
        raise InputError(f"effects of {effects.bet}: by {effects.knows}", f"by value, as {made} makes")


@lru_cache(maxsize=1024)
def by_count(effects: Effects, tags: tuple[int, ...], cards_left: int) -> tuple[Ints, Floats]:
    """The sums that the tags of `cards_left` random unseen cards may have, and for each sum, its probability times the
    expected edge given this sum. Both arrays are (sums,). The sums are all whole numbers from the least to the largest.
    The products add up to the shoe's edge.

    `tags` are whole and by value; `cards_left` is from 6 to all of the shoe's cards. Sums are left out if their
    distance from the mean is above eight standard deviations plus six times the range of the tags. Raises `InputError`
    as `exact_gain` does.
    """
    _refuse_inexact(effects)
    cards_left = whole(cards_left, "cards left", COUP, effects.shoe.cards_left)
    if len(tags) != len(effects.counts):
        raise InputError(f"tags: {len(tags)}, should be {len(effects.counts)}")
    tags = tuple(whole(tag, "tag", -MOST_TAG, MOST_TAG) for tag in tags)
    full, by_value = np.array(effects.counts), np.array(tags)
    kinds, of_value = np.unique(by_value, return_inverse=True)
    counts = np.bincount(of_value, full).astype(float)
    others, cards = cards_left - COUP, int(full.sum()) - COUP
    p = min(max(others, 0.5), cards - 0.5) / cards if cards > 0.5 else 0.5
    spread = math.sqrt(cards * p * (1 - p))
    xs = math.ceil(8 * spread + 16)
    mean = cards_left * float(full @ by_value) / full.sum()
    deviation = math.sqrt(cards_left * (1 - cards_left / full.sum()) * float(np.var(np.repeat(by_value, full))))
    low, high = cards_left * int(kinds[0]), cards_left * int(kinds[-1])
    reach = 8 * deviation + COUP * int(kinds[-1] - kinds[0])
    low, high = max(low, math.floor(mean - reach)), min(high, math.ceil(mean + reach))
    ys = 2 * ((high - low) // 2 + 1)
    # Find the points at which the product over all cards is not negligible. The squared size of a card's factor is
    #   |1 - p + p exp(ia)|^2 = 1 - 2 p (1 - p) (1 - cos a).
    turns_x, turns_y = np.exp(2j * np.pi * np.arange(xs) / xs), np.exp(2j * np.pi * np.arange(ys // 2 + 1) / ys)
    size, least = np.zeros((2, xs, ys // 2 + 1))
    for kind, n in zip(kinds, counts, strict=True):
        turned = turns_y**kind
        log = np.outer(turns_x.real, turned.real) - np.outer(turns_x.imag, turned.imag)
        log *= 2 * p * (1 - p)
        log += 1 - 2 * p * (1 - p)
        np.log(np.maximum(log, 1e-300, out=log), out=log)
        size += n * log
        np.minimum(least, log, out=least)
    at = np.nonzero(size - COUP * least > 2 * math.log(_FAINT))
    x, y = turns_x[at[0]], at[1] / ys
    factors = np.empty((len(kinds), len(x)), complex)
    product = np.exp(-2j * np.pi * (at[0] / xs * others + y * low))
    for i, (kind, n) in enumerate(zip(kinds, counts, strict=True)):
        turned = (turns_y**kind)[at[1]]
        base = 1 - p + p * x * turned
        factors[i] = turned / base
        product *= base**n
    transform = np.zeros((xs, ys // 2 + 1), complex)
    transform[at] = product * _polynomial(_by_tags(effects, tuple(of_value.tolist())), factors)
    chance = math.exp(_log_choose(cards, others) + others * math.log(p) + (cards - others) * math.log1p(-p))
    edges = np.fft.irfft(transform.mean(axis=0).conj(), ys)[: high - low + 1] / chance
    return np.arange(low, high + 1), edges


def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


@lru_cache(maxsize=4)
def _profits(effects: Effects) -> Floats:
    """A bet's profit on the six cards of each multiset (5005,), times the probability of these cards."""
    weights, lines = event_weights(effects.game), effects.game.settlement[effects.bet]
    values = np.array(multisets())
    held = np.stack([(values == v).sum(axis=1) for v in range(10)], axis=1)
    factorial = np.array([math.factorial(k) for k in range(COUP + 1)], float)
    profit: Floats = -math.factorial(COUP) / factorial[held].prod(axis=1)
    for event, pay in lines:
        profit += float(pay + 1) * weights[event]
    falling = np.array([[math.perm(n, k) for k in range(COUP + 1)] for n in effects.counts], float)
    profit *= falling[np.arange(10), held].prod(axis=1) / math.perm(effects.shoe.cards_left, COUP)
    return profit


class _TagHalves(NamedTuple):
    """A bet's profits, times their probability, for each multiset of the six cards' tags. The different tags are split
    into a lower and a higher half. `members` has, for each half, the multisets of its tags by size. `matrices[k]` is
    for six cards of which k have lower tags. It has a row for each multiset of k lower tags, and a column for each
    multiset of 6 - k higher tags."""

    members: tuple[list[list[tuple[int, ...]]], list[list[tuple[int, ...]]]]
    matrices: list[Floats]


@lru_cache(maxsize=64)
def _by_tags(effects: Effects, of_value: tuple[int, ...]) -> _TagHalves:
    kinds = max(of_value) + 1
    half = -(-kinds // 2)
    members = _members(half), _members(kinds - half)
    places = [[{m: i for i, m in enumerate(of_size)} for of_size in side] for side in members]
    matrices = [np.zeros((len(members[0][k]), len(members[1][COUP - k]))) for k in range(COUP + 1)]
    # Multisets with the same tags are merged.
    tags = np.sort(np.array(of_value)[np.array(multisets())], axis=1)
    apart, alike = np.unique(tags @ kinds ** np.arange(COUP), return_index=True, return_inverse=True)[1:]
    for m, profit in zip(tags[apart].tolist(), np.bincount(alike, _profits(effects)).tolist(), strict=True):
        k = sum(tag < half for tag in m)
        high = tuple([tag - half for tag in m[k:]])
        matrices[k][places[0][k][tuple(m[:k])], places[1][COUP - k][high]] = profit
    return _TagHalves(members, matrices)


def _members(kinds: int) -> list[list[tuple[int, ...]]]:
    """The multisets that can be made of this number of kinds, for each size 0 to 6."""
    return [list(combinations_with_replacement(range(kinds), k)) for k in range(COUP + 1)]


def _polynomial(of: _TagHalves, factors: Complex) -> Complex:
    """For every point (points,): the sum, over the multisets of tags, of the profit times the product of the tags'
    factors. `factors` is (tags, points)."""
    total = np.empty(factors.shape[1], complex)
    half = max(max(m) for m in of.members[0][1]) + 1
    for start in range(0, len(total), _CHUNK):
        some = factors[:, start : start + _CHUNK]
        low, high = _products(of.members[0], some[:half]), _products(of.members[1], some[half:])
        sums = np.zeros(some.shape[1], complex)
        for k, matrix in enumerate(of.matrices):
            if matrix.size:
                # Compute the product of a real and a complex matrix as a product of two real matrices, in which each
                # complex column is two real columns.
                product = (matrix @ high[COUP - k].view(float)).view(complex)
                sums += (low[k] * product).sum(axis=0)
        total[start : start + _CHUNK] = sums
    return total


def _products(members: list[list[tuple[int, ...]]], factors: Complex) -> list[Complex]:
    """For each size of multisets: the product of each multiset's factors (multisets, points)."""
    places: dict[tuple[int, ...], int] = {(): 0}
    by_size = [np.ones((1, factors.shape[1]), complex)]
    for of_size in members[1:]:
        products = np.empty((len(of_size), factors.shape[1]), complex)
        for i, m in enumerate(of_size):
            np.multiply(by_size[-1][places[m[:-1]]], factors[m[-1]], out=products[i])
        places = {m: i for i, m in enumerate(of_size)}
        by_size.append(products)
    return by_size


def whole_tags(effects: Effects, tags: Tags, cards_left: int) -> tuple[int, ...]:
    """The tags by value as whole numbers. Fractions, such as the best tags, are scaled and rounded. The largest of them
    becomes 8 in size below 100 unseen cards, and 16 from 100 on."""
    by_kind = effects.by_kind(tags)
    if all(isinstance(tag, int) for tag in by_kind):
        return tuple(int(tag) for tag in by_kind)
    scale = _SCALES[cards_left >= 100] / (max(abs(float(tag)) for tag in by_kind) or 1)
    return tuple(round(scale * float(tag)) for tag in by_kind)


def exact_gain(effects: Effects, tags: Tags, cards_left: int) -> float:
    """The expected win per coup of a counter who bets at or above the best trigger, with `cards_left` random cards
    unseen. It is exact for whole tags. Other tags are rounded as in `whole_tags`.

    Raises `InputError` unless the effects are by value and the bet is on point values (`has_exact_gain`), for whole
    tags above 100 in size, and for `cards_left` that is not from 6 to all of the shoe's cards.
    """
    _refuse_inexact(effects)
    cards_left = whole(cards_left, "cards left", COUP, effects.shoe.cards_left)
    return _best(effects, whole_tags(effects, tags, cards_left), cards_left)[0]


@lru_cache(maxsize=1024)
def _best(effects: Effects, tags: tuple[int, ...], cards_left: int) -> tuple[float, int]:
    """The gain at the best trigger, and the largest sum of the unseen cards' tags at which the counter bets. If the
    counter never bets, this sum is 1 below the least possible sum."""
    sums, edges = by_count(effects, tags, cards_left)
    up_to = edges.cumsum()
    at = int(up_to.argmax())
    return (float(up_to[at]), int(sums[at])) if up_to[at] > 0 else (0.0, int(sums[0]) - 1)


def gain_at_trigger(effects: Effects, system: System, cards_left: int) -> float:
    """The expected win per coup of a system's counter at the system's trigger for the bet, with no card burned. Raises
    `InputError` for a shoe that is not of whole decks, and as `exact_gain` does."""
    sums, edges = by_count(effects, system.by_value, cards_left)
    left = np.full(len(sums), cards_left)
    decks = decks_of(effects.shoe)
    if decks is None:
        raise InputError(f"shoe {effects.shoe}", "of whole decks, as 8d")
    begun = int(system.running(np.zeros((1, 10), np.int32), decks)[0])
    reached = system.reached((begun - sums).astype(np.int32), left, left)
    return float(edges[reached > system.scored.index(system.on(effects.bet))].sum())


def decks_of(shoe: Shoe) -> int | None:
    """The number of whole decks in a shoe; None if it is not of whole decks."""
    decks = shoe.cards_left // DECK
    return decks if 1 <= decks <= MOST_DECKS and shoe.values == Shoe.decks(decks).values else None


def perfect_gain(effects: Effects, cards_left: int) -> tuple[float, float | None]:
    """Expected win per coup of perfect play with `cards_left` random cards unseen, and its standard error.

    The gain is exact, and the error 0, for the whole shoe, and for up to 20 cards of whole decks. Otherwise the gain is
    the exact gain of the best tags (rounded, see `whole_tags`), plus an estimate of how much more perfect play wins.
    The estimate is a mean over 20,000 random compositions. The error is None if perfect play wins no more than the best
    tags in any of them.

    The gain of a bet on point values does not depend on how the effects distinguish cards: effects by rank give the
    same gain. Raises `InputError` for a bet that looks at ranks or suits, unless the whole shoe is unseen, and for
    `cards_left` that is not from 6 to all of the shoe's cards.

    >>> from counting import Effects, perfect_gain
    >>> gain, error = perfect_gain(Effects.of("punto-banco", "tie-8", "1d"), 6)
    >>> round(gain, 6), error
    (0.222632, 0.0)
    """
    effects = instance(effects, Effects, "effects", _MADE)
    return _perfect_gain(effects, whole(cards_left, "cards left", COUP, effects.shoe.cards_left))


@lru_cache(maxsize=256)
def _perfect_gain(effects: Effects, cards_left: int) -> tuple[float, float | None]:
    decks = decks_of(effects.shoe)
    if cards_left == effects.shoe.cards_left:
        return max(float(effects.edge), 0.0), 0.0
    if effects.knows != "value" and _on_values(effects):
        return _perfect_gain(Effects.of(effects.game, effects.bet, effects.shoe), cards_left)
    _refuse_inexact(effects)
    if decks is not None and cards_left <= CENSUS:
        (row,) = census(effects.game, effects.bet, [cards_left], decks).to_dicts()
        return float(row["mean_positive_part"]), 0.0
    tags = whole_tags(effects, effects.best, cards_left)
    counted, most = _best(effects, tags, cards_left)
    stream = np.random.Generator(np.random.Philox(key=np.array([1, cards_left], np.uint64)))
    left = stream.multivariate_hypergeometric(effects.counts, cards_left, SAMPLES).astype(np.int32)
    edges = settlement(effects.game, (effects.bet,)).edges(left)[:, 0]
    beyond = edges.clip(0) - np.where(left @ np.array(tags) <= most, edges, 0.0)
    return counted + float(beyond.mean()), float(beyond.std(ddof=1)) / math.sqrt(SAMPLES) or None


class Efficiencies:
    """Betting efficiencies: a count's share of perfect play's gain. The gains are totals over one coup at each number
    of unseen cards, from 14 to one less than the shoe has.

    A depth is a number n of unseen cards. Gains are computed at some depths, the nodes, and interpolated between them.
    They are interpolated in the variable x = sqrt(n / (N - n)), where N is the shoe's number of cards. Cubics
    interpolate the logarithm of perfect play's gain. Straight lines interpolate a count's share of this gain.

    Perfect play never wins more per coup when more cards are unseen. So the gains at all depths beyond a node add up to
    at most the number of these depths times the node's gain. The last node is the first for which this product is less
    than a thousandth of the total gain. If no node qualifies, it is the last of `NODES` for which a gain is found.
    Beyond the last node, gains are extrapolated.

    For twenty counts, the shares were compared with shares computed at all depths. They differed by at most 0.1% of
    perfect play's gain. Shares at a system's trigger differed by at most 0.2%.

    Raises `InputError` unless the effects are by value and the bet is on point values (`has_exact_gain`).
    """

    def __init__(self, effects: Effects) -> None:
        _refuse_inexact(effects)
        self.effects = effects
        self._nodes, self._gains, self._errors = list[int](), list[float](), list[float]()
        full = effects.shoe.cards_left
        for n in NODES:
            won, error = perfect_gain(effects, n) if n < full else (0.0, None)
            if error is None or won <= 0:
                break
            self._nodes.append(n)
            self._gains.append(won)
            self._errors.append(error)
            if won * (full - n) < _NEGLIGIBLE * _between(self._nodes, self._gains, full).sum():
                break
        moved = [
            [gain + error * (i == k) for k, gain in enumerate(self._gains)] for i, error in enumerate(self._errors)
        ]
        # First comes perfect play's gain by depth. Then, for each node, comes the same gain by depth if this node's
        # gain is raised by its standard error.
        self._by_depth = [_between(self._nodes, gains, full) for gains in (self._gains, *moved)] if self._nodes else []

    def share(self, gains: Callable[[int], float], depths: Sequence[int]) -> Efficiency | None:
        """The efficiency of a counter who wins `gains(n)` per coup with n cards unseen. The gains are computed at those
        of `depths` that are not beyond the last node. The standard error comes from the sampling of perfect play.

        None if the shoe has at most 14 cards, and if perfect play's gain at 14 unseen cards is 0 or has no standard
        error. Raises `InputError` for depths that are not from 14 to one less than the shoe's cards, and if every depth
        is beyond the last node.
        """
        full = self.effects.shoe.cards_left
        depths = sorted({whole(n, "depth", NODES[0], full - 1) for n in several(depths, "depths")})
        if not self._nodes:
            return None
        depths = [n for n in depths if n <= self._nodes[-1]]
        if not depths:
            raise InputError("depths: none", f"one or more from {NODES[0]} to {self._nodes[-1]}")
        won = np.array([gains(n) for n in depths])
        share, *others = (self._mean(depths, won, by_depth) for by_depth in self._by_depth)
        moved = 0.0
        for other in others:
            moved += (other - share) ** 2
        return Efficiency(share, math.sqrt(moved))

    def of(self, tags: Tags) -> Efficiency | None:
        """The efficiency of a count that uses the best trigger at each number of unseen cards. None in the cases in
        which `share` returns None."""
        return self.share(lambda n: exact_gain(self.effects, tags, n), self._depths_for(tags))

    def at_trigger(self, system: System) -> Efficiency | None:
        """The efficiency of a system's counter at the system's trigger for the bet. None if the system is not for the
        bet, if the shoe is not of whole decks, and in the cases in which `share` returns None."""
        if decks_of(self.effects.shoe) is None or self.effects.bet not in (system.bets or (self.effects.bet,)):
            return None
        return self.share(lambda n: gain_at_trigger(self.effects, system, n), self._depths_for(system))

    def _depths_for(self, tags: Tags) -> Sequence[int]:
        by_kind = self.effects.by_kind(tags)
        are_whole = all(isinstance(tag, int) for tag in by_kind)
        depths = next(depths for most, depths in _BY_TAGS.items() if len({*by_kind}) <= most) if are_whole else NODES
        return [n for n in depths if n < self.effects.shoe.cards_left]

    def _mean(self, depths: Sequence[int], won: Floats, by_depth: Floats) -> float:
        full = self.effects.shoe.cards_left
        x = _depths(self._nodes[0], full)
        shares = np.interp(x, _depth(depths, full), won / by_depth[np.array(depths) - self._nodes[0]])
        return float(by_depth @ shares / by_depth.sum())


def _depth(nodes: Sequence[int], full: int) -> Floats:
    left = np.array(nodes, float)
    depths: Floats = np.sqrt(left / (full - left))
    return depths


def _depths(first: int, full: int) -> Floats:
    return _depth(range(first, full), full)


def _between(nodes: Sequence[int], gains: Sequence[float], full: int) -> Floats:
    """Perfect play's gain, interpolated, at each number of unseen cards from the first node to one less than the shoe
    has."""
    x, at, logs = _depths(nodes[0], full), _depth(nodes, full), np.log(gains)
    if len(nodes) == 1:
        return np.where(x == at[0], gains[0], 0.0)
    at_all = np.empty(len(x))
    piece = np.searchsorted(at, x, side="right") - 1
    for k in range(len(nodes)):
        # A piece between two nodes uses the four nearest nodes. Beyond the last node, a straight line through the last
        # two nodes is used.
        first = min(max(k - 1, 0), max(len(nodes) - 4, 0))
        near = slice(first, first + 4) if k < len(nodes) - 1 else slice(k - 1, k + 1)
        at_all[piece == k] = np.exp(np.minimum(_lagrange(at[near], logs[near], x[piece == k]), logs[0]))
    at_all[piece == len(nodes) - 1] = np.minimum(at_all[piece == len(nodes) - 1], gains[-1])
    return at_all


def _lagrange(at: Floats, values: Floats, x: Floats) -> Floats:
    """The value at x of the polynomial through these points."""
    total = np.zeros(len(x))
    for i, value in enumerate(values):
        others = np.delete(at, i)
        total += value * ((x[:, np.newaxis] - others) / (at[i] - others)).prod(axis=1)
    return total
