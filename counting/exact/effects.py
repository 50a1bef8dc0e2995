"""Effects of removal: how a bet's edge changes when a card is taken out of the shoe, and the counts that follow from
it.

Let the shoe have N cards, and let the bet's edge on it be E. The effect r_x is the edge on the shoe without a card x,
minus E. Removing a random unseen card does not change the mean edge, so the r_x sum to zero over the cards. If any
number of cards were seen, and all that is known of them is that x is one of them, the mean edge is E + r_x.

Take the best linear estimate of the edge, by least squares over all shoes of n unseen cards. Its weights are the same
for every n, up to a factor:

    E + (N - 1)/n * (sum of r_x over the cards seen).

The variance of this estimate is (N - 1)(N - n)/n * mean r_x^2 (P. Griffin, The Theory of Blackjack: effects of
removal). By least squares, the effects of removal are the best tags at every depth. By the normal approximation, tags
with a lower betting correlation win less.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path

from counting.cards import CARDS, COUP, DECK, RANKS, Knows, Shoe, as_shoe, coarser, finest, refuse_unknown
from counting.errors import InputError, real, whole
from counting.exact.evaluators import required_detail
from counting.exact.one_shoe import exact_edges
from counting.exact.tag_search import MOST_LEVEL, best_tags
from counting.games import Game, as_game
from counting.io.tables import as_html
from counting.systems import TO_ZERO, System

DEEPEST = 14  # averages over depths go down to this number of unseen cards, the usual number behind the cut card

# Kinds of cards in the order of a shoe's counts.
KINDS: dict[Knows, tuple[str, ...]] = {"value": ("T", *RANKS[:9]), "rank": RANKS, "card": CARDS}

_MOST_WEIGHT = 10**6

Tags = System | Sequence[int | Fraction]  # a system, or a tag of each kind


@dataclass(frozen=True, repr=False)
class Effects:
    """A bet's effects of removal on a shoe. Make one with `Effects.of`.

    >>> from counting import Effects, Shoe
    >>> Effects.of("punto-banco", "tie-8", Shoe.decks(8))
    <Effects of removal, tie-8 at punto-banco, shoe 8d: edge -0.143596>

    `knows` is how cards are distinguished: by value, by rank, or by rank and suit. `counts` has the number of cards of
    each kind in the shoe. `removal` has the effect of each kind in units of the stake, or None if the shoe lacks the
    kind.
    """

    game: Game
    bet: str
    shoe: Shoe
    knows: Knows
    counts: tuple[int, ...]
    edge: Fraction
    removal: tuple[Fraction | None, ...]

    @classmethod
    def of(cls, game: Game | str | Path, bet: str, shoe: Shoe | str, knows: Knows = "value") -> Effects:
        """The exact effects for a bet of the game or of the catalog, on a full or partial shoe.

        Effects are by value, unless the bet looks at ranks or suits, or `knows` asks for ranks or cards. A system that
        counts ranks needs effects by rank, and a system that counts suits needs effects by card.

        Raises `InputError` for an unknown bet, for another value of `knows`, for a shoe that does not know the ranks or
        suits needed, and for a shoe of fewer than seven cards. (After a card is removed, six must be left for a coup.)
        """
        refuse_unknown(knows)
        game, shoe = as_game(game).only([bet]), as_shoe(shoe)
        (bet,) = game.bet_names
        edge = exact_edges(game, shoe)[bet]
        if shoe.cards_left == COUP:
            raise InputError(f"shoe {shoe}: {COUP} cards, should be {COUP + 1} or more, one to be removed")
        knows = finest((required_detail(game.bet(bet)), knows))
        if finest((knows, shoe.knows)) != shoe.knows:
            raise InputError(f"shoe {shoe}: known by {shoe.knows}, should be known by {knows}")
        counts = coarser(shoe.counts, knows)
        without = (_edge(game, knows, counts, kind) for kind in range(len(counts)))
        return cls(game, bet, shoe, knows, counts, edge, tuple(None if e is None else e - edge for e in without))

    def __repr__(self) -> str:
        return f"<Effects of removal, {self.bet} at {self.game.name}, shoe {self.shoe}: edge {float(self.edge):.6f}>"

    def _repr_html_(self) -> str:
        """The effects by kind of card, in units of the stake, and the best tags."""
        rows = [
            {"card": kind, "in the shoe": n, "effect of removal": None if effect is None else float(effect),
             "best tag": float(best)}
            for kind, n, effect, best in zip(self.kinds, self.counts, self.removal, self.best, strict=True)
        ]  # fmt: skip
        return as_html(rows, repr(self)[1:-1])

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of cards in the order of a shoe's counts: T, A, 2 ... 9; A, 2 ... K; or As, Ah ... Kc."""
        return KINDS[self.knows]

    @cached_property
    def second(self) -> tuple[tuple[Fraction | None, ...], ...]:
        """The second-order effects E(-u-v) - E(-u) - E(-v) + E. This is the change of the edge when two cards are
        removed together, less the two changes when only one of them is removed.

        An entry is None if the shoe lacks these two cards, or has fewer than six other cards.
        """
        many = range(len(self.counts))
        upper = {(u, v): self._second(u, v) for u in many for v in many[u:]}
        return tuple(tuple(upper[min(u, v), max(u, v)] for v in many) for u in many)

    def _second(self, u: int, v: int) -> Fraction | None:
        both, first, other = _edge(self.game, self.knows, self.counts, u, v), self.removal[u], self.removal[v]
        return None if both is None or first is None or other is None else both - first - other - self.edge

    @property
    def linear(self) -> bool:
        """Whether the cards differ in their effects. If they do not, no linear count can predict the edge."""
        return self._mean_square > 0

    @cached_property
    def best(self) -> tuple[Fraction, ...]:
        """The best tags: the effects of removal, scaled so that the largest in size becomes 1 or -1. Kinds not in the
        shoe have the tag 0, and so do all kinds if no effect differs from 0."""
        largest = max(map(abs, self._effects))
        return tuple(effect / largest if largest else effect for effect in self._effects)

    @cached_property
    def _effects(self) -> tuple[Fraction, ...]:
        return tuple(effect or Fraction() for effect in self.removal)

    @cached_property
    def _mean_square(self) -> Fraction:
        """The mean over cards of the squared effect."""
        return self._mean([effect**2 for effect in self._effects])

    @cached_property
    def _second_mean_square(self) -> Fraction:
        """The mean over pairs of cards of the squared second-order effect, after its linear part is subtracted.

        Let d_uv be the second-order effect of the cards u and v. For each card u, the d_uv sum to r_u over all other
        cards v. So d_uv - (r_u + r_v)/(N - 2) sums to zero.
        """
        total = Fraction()
        for u, row in enumerate(self.second):
            for v, effect in enumerate(row[: u + 1]):
                if effect is not None:
                    pairs = math.comb(self.counts[u], 2) if u == v else self.counts[u] * self.counts[v]
                    straight = (self._effects[u] + self._effects[v]) / (self.shoe.cards_left - 2)
                    total += pairs * (effect - straight) ** 2
        return total / math.comb(self.shoe.cards_left, 2)

    def _mean(self, figures: Sequence[int | Fraction]) -> Fraction:
        """The mean over the cards of a number given for each kind."""
        total = sum((n * Fraction(figure) for n, figure in zip(self.counts, figures, strict=True)), Fraction())
        return total / self.shoe.cards_left

    def _depth(self, cards_left: int) -> int:
        return whole(cards_left, "cards left", COUP, self.shoe.cards_left)

    def estimate(self, unseen: Shoe | str) -> Fraction:
        """The best linear estimate of the edge when these cards of the shoe are left."""
        unseen = as_shoe(unseen)
        left = coarser(unseen.counts, self.knows)
        if len(left) != len(self.counts) or any(n > full for n, full in zip(left, self.counts, strict=True)):
            raise InputError(f"unseen {unseen}: should be known by {self.knows}, and of the cards of {self.shoe}")
        seen = [full - n for n, full in zip(left, self.counts, strict=True)]
        moved = sum((n * effect for n, effect in zip(seen, self._effects, strict=True)), Fraction())
        return self.edge + Fraction(self.shoe.cards_left - 1, self._depth(sum(left))) * moved

    def variance(self, cards_left: int, order: int = 1) -> Fraction:
        """How much of the edge's variance over shoes of `cards_left` cards is explained by the effects up to this
        order, 1 or 2.

        Order 1 gives the variance of the linear estimate. Order k adds C(N-k, k) C(N-n, k)/C(n, k) times a mean square
        over sets of k cards. What is squared is the effect of order k, less the part that lower orders explain. This is
        Hoeffding's decomposition without replacement (M. Bloznelis, F. Götze, Annals of Statistics 29, 2001).
        """
        return Fraction(*self._variance(cards_left, order))

    def _variance(self, cards_left: int, order: int) -> tuple[int, int]:
        """Numerator and denominator of `variance`. They are not reduced to lowest terms, which saves time over many
        depths."""
        cards_left = self._depth(cards_left)
        full, seen = self.shoe.cards_left, self.shoe.cards_left - cards_left
        square = self._mean_square
        above, below = (full - 1) * seen * square.numerator, cards_left * square.denominator
        if whole(order, "order", 1, 2) == 2:
            pairs, square = math.comb(full - 2, 2) * math.comb(seen, 2), self._second_mean_square
            more, of = pairs * square.numerator, math.comb(cards_left, 2) * square.denominator
            above, below = above * of + more * below, below * of
        return above, below

    def deviation(self, cards_left: int, order: int = 1) -> float:
        """The standard deviation: the square root of `variance`."""
        above, below = self._variance(cards_left, order)
        return math.sqrt(above / below)

    def gain(self, cards_left: int, correlation: float = 1.0) -> float:
        """The expected win per coup of a counter who bets one unit when the linear estimate is positive, with
        `cards_left` cards unseen.

        It is the normal approximation s phi(E/s) + E Phi(E/s). Here s is the standard deviation of the tags' estimate:
        the best estimate's standard deviation times the betting correlation. A negative correlation counts as 0,
        because the counter bets at high counts only.

        The approximation is off by a few percent if bets are common. It is far too low if bets are rare and made on the
        last cards. `efficiency.exact_gain` is exact.
        """
        correlation = real(correlation, "correlation", -1, 1)
        edge, spread = float(self.edge), max(correlation, 0.0) * self.deviation(cards_left)
        if spread == 0:
            return max(edge, 0.0)
        z = edge / spread
        density = math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
        return max(spread * density + edge * math.erfc(-z / math.sqrt(2)) / 2, 0.0)

    def kept(self, correlation: float, cards_left: int | None = None) -> float | None:
        """The share of the best tags' gain that tags with this betting correlation win, by the normal approximation.

        The approximation ranks counts wrongly if bets are rare. `efficiency.Efficiencies` has exact gains, for bets on
        point values.

        Gains are for one coup with `cards_left` cards unseen. By default, they are totals over one coup at each number
        of unseen cards, from the full shoe to 14. None if the best tags gain nothing.
        """
        depths = range(DEEPEST, self.shoe.cards_left + 1) if cards_left is None else (cards_left,)
        whole_gain = sum(map(self.gain, depths))
        return sum(self.gain(n, correlation) for n in depths) / whole_gain if whole_gain else None

    def tags(self, level: int, balanced: bool = True) -> tuple[int, ...]:
        """The whole tags from -level to level, one for each kind of card, that have the largest betting correlation.
        The level is 1 to 4. Balanced tags sum to zero over the shoe.

        All whole tags, or all balanced ones, are searched; the best fractions are not merely rounded
        (`tag_search.best_tags`). Raises `InputError` if no tags are correlated with the effects, and if the counts of
        the shoe's cards are not in a simple proportion. The smallest shoe with the same proportion must have at most 26
        cards. So whole decks known by card are refused: for them this shoe has 52.
        """
        found = best_tags(self.counts, self._effects, whole(level, "level", 1, MOST_LEVEL), balanced)
        if found is None:
            if self.linear and self.knows == "card":
                raise InputError(
                    f"tags of {self.bet}, shoe {self.shoe}: no tags are best by card", "effects by value or rank"
                )
            why = "cards in a simple proportion, as in whole decks" if self.linear else "effects that differ"
            raise InputError(f"tags of {self.bet}, shoe {self.shoe}: no tags are best, should be a shoe with {why}")
        return found

    def by_kind(self, tags: Tags) -> Sequence[int | Fraction]:
        """Tags in the order of `kinds`: a system's, or the given tags, which are by kind already.

        Raises `InputError` for a system that counts finer kinds, for a wrong number of tags, and for tags that are too
        large or no numbers.
        """
        if isinstance(tags, System):
            return tags.by_kind(self.knows)
        if not isinstance(tags, Collection):
            raise InputError(f"tags: {tags!r}", f"a System, or {len(self.counts)} tags")
        if len(tags) != len(self.counts):
            raise InputError(f"tags: {len(tags)} tags, should be {len(self.counts)}, for {' '.join(self.kinds)}")
        try:
            listed = [tag if isinstance(tag, Fraction | float) else operator.index(tag) for tag in tags]
        except TypeError:
            raise InputError(f"tags: {tags!r}", "numbers") from None
        if not all(-_MOST_WEIGHT <= tag <= _MOST_WEIGHT for tag in listed):
            raise InputError(f"tags: should be numbers from -{_MOST_WEIGHT:,} to {_MOST_WEIGHT:,}")
        return listed

    def start(self, tags: Tags) -> Fraction:
        """The running count at the start of the shoe. A system states it. For tags by kind, and for a system with the
        start "to-zero", it is the number from which the running count ends at zero."""
        if isinstance(tags, System) and tags.start != TO_ZERO:
            return Fraction(tags.start)
        return -self._mean(self.by_kind(tags)) * self.shoe.cards_left

    def _moments(self, tags: Tags) -> tuple[Fraction, Fraction]:
        """The covariance of the tags with the effects, and the variance of the tags, over the cards."""
        by_kind = self.by_kind(tags)
        products = [tag * effect for tag, effect in zip(by_kind, self._effects, strict=True)]
        return self._mean(products), self._mean([Fraction(tag) ** 2 for tag in by_kind]) - self._mean(by_kind) ** 2

    def correlation(self, tags: Tags) -> float:
        """The betting correlation of a system, or of tags by kind: the correlation, over the cards, of the tags with
        the effects of removal.

        It is NaN if all effects, or all tags, are equal.
        """
        covariance, variance = self._moments(tags)
        if not (variance and self.linear):
            return math.nan
        return math.copysign(math.sqrt(covariance**2 / (variance * self._mean_square)), covariance)

    def slope(self, tags: Tags) -> float:
        """How much the estimated edge changes per unit of the true count. This slope is the same at every depth. It is
        NaN if all tags are equal."""
        slope = self._slope(tags)
        return math.nan if slope is None else float(slope)

    def _slope(self, tags: Tags) -> Fraction | None:
        covariance, variance = self._moments(tags)
        return Fraction(self.shoe.cards_left - 1, DECK) * covariance / variance if variance else None

    def break_even(self, tags: Tags, cards_left: int | None = None) -> float:
        """The break-even count with `cards_left` cards unseen. Above this count, the estimate of the edge is positive.

        A system's count is true or running, as the system says. With tags by kind, the count is the true count.

        Without `cards_left`, the result is the count that breaks even at every depth. It is NaN for a running count,
        and for a true count that does not end at zero, because their break-even counts depend on the depth. It is also
        NaN if higher counts are no better.
        """
        slope, mean, full = self._slope(tags), self._mean(self.by_kind(tags)), self.shoe.cards_left
        true = not isinstance(tags, System) or tags.count == "true"
        end = self.start(tags) + mean * full
        if slope is None or slope <= 0 or (cards_left is None and (end or not true)):
            return math.nan
        left = full if cards_left is None else self._depth(cards_left)
        running = end - left * (mean + self.edge / slope / DECK)
        return float(running * DECK / left if true else running)


def _edge(game: Game, knows: Knows, counts: Sequence[int], *removed: int) -> Fraction | None:
    """The edge of the game's only bet after cards of these kinds are removed. None if the shoe lacks such a card, or if
    fewer than six cards are left."""
    left = [n - removed.count(kind) for kind, n in enumerate(counts)]
    if min(left) < 0 or sum(left) < COUP:
        return None
    return exact_edges(game, Shoe(knows, tuple(left)))[game.bet_names[0]]
