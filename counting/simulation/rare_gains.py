"""Rare gains: estimates and bounds of what a counter wins per shoe, for bets that plain shoes show rarely or never.

A sweep in which 20 of 2,000 shoes have a bet shows little of what the bets are worth; a sweep without a bet shows
nothing. So this module deals shoes that favour the bet more often. Each shoe's weight is its probability as a plain
shoe, divided by the probability with which it is drawn here. This is importance sampling, which is unbiased for any
choice of shoes.

How a shoe is drawn. At a depth of d cards, the composition of the last d cards is drawn from a tilted distribution. All
orders with this composition are equally likely. Let r be the composition's tilted probability, divided by its plain
probability. An order is then drawn with r times its plain probability. Tilts at several depths (`aims`) make a mixture
with shares s_i. The weight of an order is 1 / sum s_i r_i, whichever tilt it came from (Veach and Guibas 1995, the
balance heuristic). Since the weight does not depend on that tilt, each shoe counts in the estimate for every cut. The
plain distribution has a share too, so no weight exceeds 1 over this share.

Burned cards. Cards burned face down are unseen, and the edges depend on the unseen cards. So weights are computed for
orders in which the burned cards come last. At the table, these cards follow the first card. Both orders are equally
likely in a plain shoe."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb, inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Floats, Int32s, Ints
from counting.cards import COUP, DECK
from counting.errors import InputError, whole
from counting.exact import counts_by_value
from counting.simulation.aims import Aim, Worth
from counting.simulation.dealing import LEAST_COUP, MOST_SEED, Dealing
from counting.simulation.shoes import arranged, kinds_of, play_orders
from counting.workers import threads

LEAST_SHOES, MOST_SHOES = 1_000, 10**9

Z999 = 3.0902323061678132
ENOUGH = 60  # an error is trusted if the effective number of shoes with a bet, or of compositions, is at least this
_BLOCK = 512  # shoes dealt at a time
_CLOSE = 40  # a proof works out each depth by itself, up to this number of cards beyond the last cut
_COMPOSITIONS = 1_000  # drawn at each depth of a proof
_MOST_TRIED = 300_000  # the most compositions that an exact sum goes through
_ARRANGED, _PROVED = 5, 6  # steps of the streams' addresses, besides those in `importance`


@dataclass(frozen=True, eq=False)
class Rare:
    """A counter's win per shoe, from weighted shoes. All fields but `shoes` have an entry for each cut (cuts,).

    - `gain` and `gain_se`: units per shoe, and the standard error. The error is a tenth or so too large, because it
      ignores that each depth and tilt has a fixed share of the shoes.
    - `share`: the share of shoes with a bet
    - `coups`: the coups dealt per shoe
    - `effective`: the number of shoes with a bet, of equal weight and gain, that would give the same precision"""

    cuts: Ints
    shoes: int
    gain: Floats
    gain_se: Floats
    share: Floats
    coups: Floats
    effective: Floats

    @property
    def limit(self) -> Floats:
        """Upper 99% limits of the gain. They use the normal 99.9% quantile, because the gain's distribution is too skew
        for the 99% quantile."""
        return self.gain + Z999 * self.gain_se

    @property
    def enough(self) -> NDArray[np.bool_]:
        """Whether enough shoes have a bet to trust the error and the limit."""
        return np.asarray(self.effective >= ENOUGH)


class _WeightedSums(NamedTuple):
    """Weighted sums of a block of shoes: the weights and, by cut, coups dealt, gains, squared gains, and shoes with a
    bet."""

    weight: float
    coups: Floats
    gain: Floats
    square: Floats
    bets: Floats


def deal_weighted(
    aim: Aim,
    dealing: Dealing,
    cuts: Iterable[int] | None = None,
    shoes: int = 20_000,
    seed: int = 1,
    workers: int | None = None,
) -> Rare:
    """Deal weighted shoes by this procedure. The gain is worked out at each of these cuts, by default at the
    procedure's cut.

    Each shoe is dealt to the smallest cut, so it counts for every cut. The result depends only on the aim, the dealing,
    the cuts, shoes and seed, not on the workers. Raises `InputError` for an aim of another number of decks, for fewer
    than 1,000 shoes, and for cuts, shoes, seed or workers out of range."""
    return deal_weighted_together(aim, dealing, [(aim.worth, cuts)], shoes, seed, workers)[0]


def deal_weighted_together(
    aim: Aim,
    dealing: Dealing,
    counters: Sequence[tuple[Worth, Iterable[int] | None]],
    shoes: int = 20_000,
    seed: int = 1,
    workers: int | None = None,
) -> list[Rare]:
    """The gains of several counters, each with a worth and cuts, from the same weighted shoes.

    Each result equals `deal_weighted(aim.serving(worth), dealing, cuts, shoes, seed)`, bit for bit. But the shoes are
    drawn, dealt and weighted only once. Errors are as for `deal_weighted`."""
    serving = [(aim.serving(worth), *_checked(aim, dealing, cuts, seed)) for worth, cuts in counters]
    shoes = whole(shoes, "shoes", LEAST_SHOES, MOST_SHOES)
    least = min((int(at_cuts[0]) for _, at_cuts, _ in serving), default=dealing.cut)
    dealing = replace(dealing, cut=min(least, dealing.least_undealt))
    wanted = [(served, at_cuts) for served, at_cuts, _ in serving]

    def block(first: int) -> list[_WeightedSums]:
        return _dealt(aim, dealing, wanted, first, shoes, seed)

    with ThreadPoolExecutor(threads(workers)) as pool:
        parts = list(pool.map(block, range(0, shoes, _BLOCK)))
    return [_rare(at_cuts, shoes, [part[i] for part in parts]) for i, (_, at_cuts) in enumerate(wanted)]


def _rare(cuts: Ints, shoes: int, parts: Sequence[_WeightedSums]) -> Rare:
    total = _WeightedSums(*(sum(column) for column in zip(*parts, strict=True)))
    gain = total.gain / shoes
    variance = (total.square / shoes - gain**2).clip(0) / (shoes - 1)
    effective = np.divide(total.gain**2, total.square, out=np.zeros(len(cuts)), where=total.square > 0)
    return Rare(cuts, shoes, gain, np.sqrt(variance), total.bets / shoes, total.coups / total.weight, effective)


def _checked(aim: Aim, dealing: Dealing, cuts: Iterable[int] | None, seed: int) -> tuple[Ints, int]:
    """The cuts, rising, and the seed, both checked."""
    if aim.decks != dealing.decks:
        raise InputError(f"aim: of {aim.decks} decks, should be of the {dealing.decks} that are dealt")
    seed = whole(seed, "seed", 0, MOST_SEED)
    wanted = {whole(cut, "cut", 0, DECK * dealing.decks) for cut in ([dealing.cut] if cuts is None else cuts)}
    if not wanted:
        raise InputError("cuts: none, should be one or more")
    return np.array(sorted(wanted), np.int64), seed


def _stream(seed: int, step: int, number: int) -> np.random.Generator:
    key = np.array([seed, 0], np.uint64)
    return np.random.Generator(np.random.Philox(key=key, counter=[0, number, 0, step]))


def _dealt(
    aim: Aim, dealing: Dealing, wanted: Sequence[tuple[Aim, Ints]], first: int, shoes: int, seed: int
) -> list[_WeightedSums]:
    """The sums of one block of shoes, for each aim that the shoes serve, at that aim's cuts."""
    size, stream = min(_BLOCK, shoes - first), _stream(seed, _ARRANGED, first // _BLOCK)
    last = aim.along.draw(aim.along.spread(first, size, shoes, stream), stream)
    orders = arranged(seed, first, last, dealing.decks, aim.knows)
    weights = order_weights(aim, orders)
    coups = play_orders(aim.game.tableau, dealing, on_the_table(orders, dealing), 0, aim.knows)
    edges: dict[tuple[str, ...], Floats] = {}
    sums = []
    for served, cuts in wanted:
        if served.worth.bets not in edges:
            edges[served.worth.bets] = served.priced.edges(coups.left)
        dealt = coups.last_cut >= cuts[0]
        worths, shoe = served.worth.free(edges[served.worth.bets])[dealt], coups.shoe[dealt]
        cell = shoe * np.int64(len(cuts)) + np.searchsorted(cuts, coups.last_cut[dealt], side="right") - 1
        number, gain = _by_cut(cell, size, len(cuts)), _by_cut(cell, size, len(cuts), worths)
        won = weights[:, np.newaxis] * gain
        sums.append(
            _WeightedSums(
                float(weights.sum()), weights @ number, won.sum(axis=0), (won**2).sum(axis=0), weights @ (gain > 0)
            )
        )
    return sums


def _by_cut(cell: Ints, shoes: int, cuts: int, of: Floats | None = None) -> Floats:
    """Sums over the coups dealt at each cut (shoes, cuts). For each coup, `cell` encodes its shoe and the largest cut
    at which it is still dealt."""
    table = np.bincount(cell, of, shoes * cuts).reshape(shoes, cuts).astype(float)
    return np.asarray(table[:, ::-1].cumsum(axis=1)[:, ::-1])


def order_weights(aim: Aim, orders: NDArray[np.uint8]) -> Floats:
    """The weights of orders (shoes, cards) in which the cards burned face down come last. A weight is the order's
    probability in a plain shoe, divided by the probability with which it was drawn."""
    kind = kinds_of(orders, aim.knows).astype(np.int64)
    (size, start), kinds = kind.shape, len(aim.full)
    kind += kinds * np.arange(size)[:, np.newaxis]
    shares = aim.along.shares
    likelier = np.full(size, shares[0])
    last, tilt, cards = np.zeros((size, kinds), np.int64), 1, start
    for mixture, depth in zip(aim.mixtures, aim.depths, strict=True):
        more = kind[:, cards - depth : start].reshape(-1)
        last += np.bincount(more, minlength=size * kinds).reshape(size, kinds)
        ratios = mixture.ratios(last.astype(np.int32))[:, 1:]
        likelier += ratios @ shares[tilt : tilt + ratios.shape[1]]
        start, tilt = cards - depth, tilt + ratios.shape[1]
    weights: Floats = 1 / likelier
    return weights


def on_the_table(orders: NDArray[np.uint8], dealing: Dealing) -> NDArray[np.uint8]:
    """The orders in which shoes are dealt, from orders in which the cards burned face down come last.

    At the table, the cards that the first card burns follow the first card. If the number of burned cards is fixed,
    they come first."""
    number, shown = dealing.burned_by_number
    if dealing.burn == "none" or shown:
        return orders
    if number:
        return np.roll(orders, number, axis=1)
    value, cards = kinds_of(orders[:, 0], "value").astype(np.int64), orders.shape[1]
    burned, place = np.where(value > 0, value, 10)[:, np.newaxis], np.arange(cards)
    place = np.where(place == 0, 0, np.where(place <= burned, cards - burned + place - 1, place - burned))
    return np.take_along_axis(orders, place, axis=1)


@dataclass(frozen=True, eq=False)
class Proof:
    """Upper bounds (cuts,) of every counter's gain, in units per shoe. They are estimates with the standard errors
    `bound_se`."""

    cuts: Ints
    bound: Floats
    bound_se: Floats

    @property
    def limit(self) -> Floats:
        """The bound plus the normal 99.9% quantile of its error."""
        return self.bound + Z999 * self.bound_se


def least_start(dealing: Dealing, cut: int) -> int:
    """The least number of undealt cards with which a coup begins, if `cut` cards are behind the cut card.

    Let `after_cut` be (a, b), and let the first coup have the number 0. Coup k is dealt if coup k - a began with cut +
    a - b undealt cards or more. For k < a, it is dealt if the first coup began with `cut` undealt cards or more. Each
    coup dealt from then on takes at most six cards, so no coup begins with fewer than cut + a - b - 6a undealt
    cards."""
    inside, first = dealing.after_cut
    return max(COUP, cut + (inside - first) - COUP * inside)


def prove_bound(
    aim: Aim,
    dealing: Dealing,
    cuts: Iterable[int] | None = None,
    compositions: int = _COMPOSITIONS,
    seed: int = 1,
    workers: int | None = None,
) -> Proof:
    """An upper bound of the gain at each of these cuts.

    The bound is the sum over every fourth depth w of E[f(X_w)]. Here f is the worth, and X_w the composition of w
    random cards.

    The proof. Let the coups of a shoe begin with u_1 > u_2 > ... unseen cards.

    1. As cards are seen, the edges e(X_u) are a martingale down to six cards. An edge is the expected profit of a coup
       dealt from unseen cards in random order. When one more card is seen and leaves the unseen cards, this expected
       profit does not change on average. Since f is convex, f(X_u) is a submartingale. That is: for v > u, given what
       was seen with v cards unseen, the mean of f(X_u) is at least f(X_v).
    2. Whether a coup begins with v unseen cards is known once v cards are unseen. So for every u from 6 to v, E[f(X_v);
       a coup begins at v] <= E[f(X_u); a coup begins at v]. Here E[Y; A] is the mean of Y with Y set to 0 where A does
       not occur.
    3. A coup takes four cards or more. So of any four successive depths u, u+1, u+2, u+3, at most one is a depth at
       which a coup begins. What the four depths together add to the gain is at most E[f(X_u)].
    4. No coup that a cut deals begins with fewer than m undealt cards (`least_start`). So the gain is at most the sum
       of E[f(X_u)] for u = m, m + 4, and so on up to the shoe.

    A counter who may not sit out, or knows less, wins no more.

    Burned cards are unseen. If the first card burns b cards, coups begin with m + b or more unseen cards. What was seen
    includes the first card, so the proof holds for each first card by itself. The bound is the sum over b of E[f(X_u);
    the first card burns b], for u = m + b, m + b + 4, and so on. Given X_u, the first card is equally likely to be any
    of the cards seen. If a fixed number is burned unseen, b is that number. Cards burned and shown count as seen.

    Each expectation is estimated from `compositions` weighted compositions, with its error. The expectation at the next
    smaller depth is at least as large, by (1). That expectation is used instead if too few of the compositions are
    worth something. To save time, it is also used for most depths far beyond the last cut. If too few compositions are
    worth something at every smaller depth, down to six cards, the expectation at a small depth is summed over all
    compositions. This sum is 0 for a bet that is never positive.

    Results depend only on the aim, dealing, cuts, compositions and seed. Raises `InputError` as `deal_weighted` does.
    Raises it too if a worth that depends on suits is nearly always 0 at every depth from six cards to the least depth
    in the bound."""
    at_cuts, seed = _checked(aim, dealing, cuts, seed)
    compositions = whole(compositions, "compositions", LEAST_SHOES, MOST_SHOES)
    by_first, (number, shown) = dealing.burn == "first-card", dealing.burned_by_number
    burned = tuple(range(1, 11)) if by_first else (0 if shown else number,)
    least = np.array([least_start(dealing, int(cut)) for cut in at_cuts])
    # For each depth, whether the bound of each cut uses it (cuts, burned).
    used = {
        depth: np.array([[depth >= m + b and (depth - m - b) % LEAST_COUP == 0 for b in burned] for m in least])
        for depth in range(int(least[0]) + burned[0], DECK * dealing.decks + 1 - by_first)
    }
    # Depths well beyond the last cut add little to the bound, so they are drawn less and less often.
    drawn_at: list[int] = []
    deep = int(least[-1]) + _CLOSE
    for depth in (depth for depth, uses in used.items() if uses.any()):
        if not drawn_at or depth <= deep or depth - drawn_at[-1] >= (depth - deep) // 4:
            drawn_at.append(depth)

    if not drawn_at:
        return Proof(at_cuts, np.zeros(len(at_cuts)), np.zeros(len(at_cuts)))

    def moments(depth: int) -> _Moments:
        return _moments(aim, depth, burned, compositions, seed)

    with ThreadPoolExecutor(threads(workers)) as pool:
        drawn = list(pool.map(moments, drawn_at))
    known = drawn[0]
    for depth in range(drawn_at[0] - 1, COUP - 1, -1):
        if known.effective >= ENOUGH:
            break
        known = moments(depth)
    if known.effective < ENOUGH:
        known = _exact_moments(aim, drawn_at[0], burned)
    bound, variance, uses = np.zeros(len(at_cuts)), np.zeros(len(at_cuts)), np.zeros((len(at_cuts), len(burned)))
    at_depth = dict(zip(drawn_at, drawn, strict=True))
    for depth, more in used.items():
        moment = at_depth.get(depth)
        if moment and moment.effective >= ENOUGH:
            bound, variance = _add(bound, variance, uses, known)
            known, uses = moment, np.zeros_like(uses)
        uses = uses + more
    return Proof(at_cuts, *(np.sqrt(x) if i else x for i, x in enumerate(_add(bound, variance, uses, known))))


class _Moments(NamedTuple):
    """Moments of f(X) at a depth, for each number of cards burned.

    - `mean` (burned,) and `covariance` (burned, burned)
    - `effective`: the effective number of compositions"""

    mean: Floats
    covariance: Floats
    effective: float


def _moments(aim: Aim, depth: int, burned: Sequence[int], size: int, seed: int) -> _Moments:
    mixture, stream = aim.at(depth), _stream(seed, _PROVED, depth)
    drawn = mixture.side_by_side.draw(mixture.side_by_side.spread(0, size, size, stream), stream)
    worth = aim.worths(drawn) / (mixture.ratios(drawn) @ mixture.shares)
    of = worth[:, np.newaxis] * _first_burns(aim, drawn, burned)
    mean, square = of.mean(axis=0), float((worth**2).sum())
    covariance = (of.T @ of / size - np.outer(mean, mean)) / (size - 1)
    return _Moments(mean, covariance, float(worth.sum()) ** 2 / square if square > 0 else 0.0)


def _exact_moments(aim: Aim, most: int, burned: Sequence[int]) -> _Moments:
    """The moments over all compositions, at the largest depth up to `most` that has few enough compositions."""
    kinds = len(aim.full)
    depth = next((d for d in range(most, COUP - 1, -1) if comb(kinds + d - 1, d) <= _MOST_TRIED), None)
    if depth is None:
        raise InputError(f"worth: of {', '.join(aim.worth.bets)}: with {COUP} to {most} cards it is above 0 on too few "
                         "of the compositions drawn, or on none, should be a worth that often is")  # fmt: skip
    bars = np.array(list(combinations(range(depth + kinds - 1), kinds - 1)), np.int32)
    compositions = np.diff(bars, axis=1, prepend=-1, append=depth + kinds - 1) - 1
    compositions = compositions[(compositions <= aim.full).all(axis=1)].astype(np.int32)
    ways = np.array([[comb(int(of), cards) for cards in range(depth + 1)] for of in aim.full], float)
    chances = ways[np.arange(kinds), compositions].prod(axis=1) / comb(int(aim.full.sum()), depth)
    of = (chances * aim.worths(compositions))[:, np.newaxis] * _first_burns(aim, compositions, burned)
    return _Moments(of.sum(axis=0), np.zeros((len(burned), len(burned))), inf)


def _first_burns(aim: Aim, compositions: Int32s, burned: Sequence[int]) -> Floats:
    """For each composition of the unseen cards, the chance that the first card, one of those seen, burns each of these
    numbers of cards (rows, burned). If `burned` is a single number, its chance is 1."""
    if len(burned) == 1:
        return np.ones((len(compositions), 1))
    seen = counts_by_value((aim.full - compositions).astype(np.int32))
    return np.asarray(seen[:, [b % 10 for b in burned]] / seen.sum(axis=1)[:, np.newaxis])


def _add(bound: Floats, variance: Floats, uses: Floats, of: _Moments) -> tuple[Floats, Floats]:
    return bound + uses @ of.mean, variance + np.einsum("cb,bd,cd->c", uses, of.covariance, uses)
