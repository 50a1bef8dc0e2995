"""The statistical tests of `verify`: dealt coups against exact probabilities, and last cards against the census.

Each row has an upper bound on the chance that a correct machine differs at least this much. The bound is the smallest
p-value of the row's comparisons, times their number. Only figures with equal expectations are compared. The k-th coup
has the probabilities of the first coup if every shoe reaches the k-th coup, and the last n cards of a shoe are n random
cards. If a coup begins with n cards left, these are not n random cards, because the cards decide whether a coup begins
there (`ByCardsLeft`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from counting.analysis import summary
from counting.arrays import Floats
from counting.cards import COUP, DECK, VALUE_OF_CARD, Shoe
from counting.exact import (
    BINS,
    Census,
    OutcomeCounter,
    counter,
    deals,
    multisets,
    probabilities,
    required_detail,
    settlement,
)
from counting.games import Game
from counting.simulation import Dealing, _deal, play
from counting.sweep import Plan, run
from counting.verify import tails as chance
from counting.verify.check import Check, LargestDifference, Tick, by_chance

# with this number of expected occurrences or more, a sum of squares nearly has a chi-square distribution
LEAST_EXPECTED = 25

_BLOCK = 1000  # shoes priced at once


def procedures(decks: int) -> dict[str, Dealing]:
    """The two dealing procedures: the convention of the field, and the whole shoe without burn cards."""
    return {"jacobson": Dealing.named("jacobson", decks), "whole shoe": Dealing(decks, 0)}


def covariances(game: Game, names: Sequence[str]) -> tuple[Floats, Floats]:
    """The covariances of the events' indicators within one coup, and between two coups of a shoe. They are exact up to
    rounding.

    Cards are exchangeable, so any two coups of a shoe have the joint distribution of two disjoint sets of six cards.
    The sum goes over the values of the cards in the first set; the second coup is priced on the shoe without these
    cards.
    """
    counted, of_event = _classes(game, names)
    full = np.array(Shoe.decks(game.decks).values, np.int32)
    six = np.array([np.bincount(m, minlength=10) for m in multisets()], np.int32)
    possible = (six <= full).all(axis=1)
    ways = np.array(
        [prod(n - i for n, k in zip(full.tolist(), m, strict=True) for i in range(k)) for m in six.tolist()]
    )
    all_deals, then_deals = deals(int(full.sum())), deals(int(full.sum()) - COUP)
    this = counted.weights[:, possible] * (ways[possible] / all_deals)
    forms = counted.forms(full - six[possible])
    other = np.column_stack([forms, np.full(len(forms), then_deals)]) @ counted.of_class.T / then_deals
    alone = this.sum(axis=1)
    product = np.outer(alone, alone)
    return of_event @ (np.diag(alone) - product) @ of_event.T, of_event @ (this @ other - product) @ of_event.T


def _classes(game: Game, names: Sequence[str]) -> tuple[OutcomeCounter, Floats]:
    """The classes of outcomes that the events distinguish, and which of these classes make up each event."""
    sets = [game.events[name] for name in names]
    counted = counter(game.tableau, [tuple(o in s for s in sets) for o in game.tableau.outcomes])
    return counted, np.array([[float(cls[0] in s) for cls in counted.outcomes] for s in sets])


def _independent(game: Game, names: Sequence[str], shoes: int) -> list[int]:
    """The places of linearly independent events. They are chosen so that each combination of them is expected at least
    `LEAST_EXPECTED` times in the k-th coups of the shoes, for each k."""
    counted, of_event = _classes(game, names)
    shares = np.array(counted.classes(Shoe.decks(game.decks).values)) / deals(DECK * game.decks)
    of_event, shares = of_event[:, shares > 0], shares[shares > 0]
    chosen: list[int] = []
    for i in np.argsort(-(of_event @ shares), kind="stable").tolist():
        cases, case = np.unique(of_event[[*chosen, i]], axis=1, return_inverse=True)
        expected = shoes * np.bincount(case.reshape(-1), shares)
        free = np.linalg.matrix_rank(np.vstack([cases, np.ones(len(expected))])) == len(chosen) + 2
        if free and expected.min() >= LEAST_EXPECTED:
            chosen.append(i)
    return chosen


def dealing_checks(game: Game, named: str, dealt: pl.LazyFrame, shoes: int) -> Iterator[Check]:
    """For each coup number that every shoe reaches, compare how often each event happens with its exact probability on
    the full shoe.

    First, every shoe must reach these coups. Then there are three comparisons:

    - each event at each coup number, by the exact binomial tail,
    - each event over all these coups,
    - all events at all these coups together, in one chi-square.

    Any two coups of a shoe are correlated in the same way. So in the last two comparisons, the mean of a shoe's coups
    has other covariances than the differences from this mean (`covariances`).
    """
    subject, last = f"{game.name}, {named}", procedures(game.decks)[named].certain_coups
    exact = probabilities(game, Shoe.decks(game.decks))
    rows = summary.dealing_table(dealt, exact, last).collect()
    reached = LargestDifference()
    each = []
    for event, coup, coups, happened, z in rows.select("event", "coup", "coups", "happened", "z_rare").iter_rows():
        reached.see(coups - shoes, f"coup {coup}")
        each.append((chance.binomial(happened, coups, float(exact[event])), z, f"{event}, coup {coup}"))
    yield reached.check("every shoe reaches", f"{subject}, {last} coups")
    yield from by_chance("events by coup number", subject, each)
    names = [name for name, event in game.events.items() if event <= set(game.tableau.outcomes) and exact[name]]
    p = np.array([float(exact[name]) for name in names])
    counts = np.array([rows.filter(pl.col("event") == name).sort("coup")["happened"].to_numpy() for name in names])
    in_one, in_two = covariances(game, names)
    spread = np.sqrt(1 + (last - 1) * np.diag(in_two) / np.diag(in_one))
    together = []
    for i, name in enumerate(names):
        if 0 < p[i] < 1 and last * shoes * p[i] >= LEAST_EXPECTED:
            z = chance.signed_root(int(counts[i].sum()), last * shoes, p[i]) / spread[i]
            together.append((chance.normal(z), z, f"{name}, coups 1 to {last}"))
    yield from by_chance("events, all those coups", subject, together)
    chosen = _independent(game, names, shoes)
    if chosen:
        in_one, in_two = in_one[np.ix_(chosen, chosen)], in_two[np.ix_(chosen, chosen)]
        off = (counts[chosen] - shoes * p[chosen, np.newaxis]) / sqrt(shoes)
        mean = off.mean(axis=1, keepdims=True)
        square = last * _square(mean, in_one + (last - 1) * in_two) + _square(off - mean, in_one - in_two)
        freedom = last * len(chosen)
        at = f"chi-square {square:.1f}, {freedom:,} degrees"
        z = (square - freedom) / sqrt(2 * freedom)
        yield Check("events, chi-square", subject, freedom, abs(z), at, chance.chi_square(square, freedom))


def _square(off: Floats, covariance: Floats) -> float:
    return float((off * np.linalg.solve(covariance, off)).sum())


def dealings(
    game: Game, named: str, shoes: int, seed: int, folder: Path, workers: int | None, tick: Tick
) -> Iterator[Check]:
    """Play shoes by a dealing procedure, as a sweep, and check the sweep's table `dealt`."""
    plan = Plan(game, procedures(game.decks)[named], shoes, seed, (), game.bet_names[:1], False)
    sweep = run(plan, folder, workers=workers, progress=lambda done, shoes: tick(done / shoes))
    yield from dealing_checks(game, named, sweep.tallies[2], shoes)


@dataclass(frozen=True)
class LastCards:
    """The last n cards of shoes, and the coups that begin with n cards when the same shoes are dealt to the end.

    For each number of cards n:

    - `tails` (bets, 2): the number of shoes whose last cards have a positive edge, and the sum of these edges.
    - `begun` (bets, 2): the same for the coups that begin with n cards.
    - `coups`: the number of these coups.
    - `happened`: the number of these coups that show each event.
    """

    bets: tuple[str, ...]
    shoes: int
    tails: dict[int, Floats]
    begun: dict[int, Floats]
    coups: dict[int, int]
    happened: dict[int, dict[str, int]]


def census_bets(game: Game) -> tuple[str, ...]:
    """The bets that a census can price: the bets that point values settle."""
    return tuple(bet.name for bet in game.bets if required_detail(bet) == "value")


def deep_in_the_shoe(game: Game, cards: Sequence[int], shoes: int, seed: int, tick: Tick) -> LastCards:
    """Price each bet that is settled by point values in two places: on the last n cards of each dealt shoe, and at each
    coup of these shoes that begins with n cards left."""
    bets = census_bets(game)
    value_of = np.array(VALUE_OF_CARD, np.int32)
    dealing = procedures(game.decks)["whole shoe"]
    tails, begun = ({n: np.zeros((len(bets), 2)) for n in cards} for _ in range(2))
    coups, settled = dict.fromkeys(cards, 0), settlement(game)
    happened = {n: np.zeros(len(game.events), np.int64) for n in cards}
    for first in range(0, shoes, _BLOCK):
        block = min(_BLOCK, shoes - first)
        order = np.empty((block, DECK * game.decks), np.uint8)
        for i in range(block):
            _deal.order(seed, first + i, game.decks, order[i])
        played = play(game.tableau, dealing, seed, first, block)
        for n in cards:
            last = value_of[order[:, -n:]]
            left = np.stack([(last == value).sum(axis=1, dtype=np.int32) for value in range(10)], axis=1)
            tails[n] += _positive(settlement(game, bets).edges(left))
            these = played.only(played.cards_left == n)
            begun[n] += _positive(settlement(game, bets).edges(these.left))
            coups[n] += len(these.coup)
            classes = settled.classes(these.shown)
            happened[n] += [among[classes[:, column]].sum() for column, among in settled.events.values()]
        tick((first + block) / shoes)
    by_name = {n: dict(zip(game.events, counts.tolist(), strict=True)) for n, counts in happened.items()}
    return LastCards(bets, shoes, tails, begun, coups, by_name)


def _positive(edges: Floats) -> Floats:
    return np.column_stack([(edges > 0).sum(axis=0), edges.clip(0).sum(axis=0)])


@dataclass(frozen=True)
class ByCardsLeft:
    """Coups that begin with n cards left, next to the exact figures for n random cards. This is not a test."""

    game: str
    cards_left: int
    coups: int
    of: str
    share: float
    exact: float

    @property
    def off(self) -> float:
        """How far `share` is from `exact`, in standard errors, if these coups were a random sample."""
        variance = self.exact * (1 - self.exact) / self.coups
        return (self.share - self.exact) / sqrt(variance) if variance else 0.0


def last_cards(game: Game, deep: LastCards, workers: int | None, tick: Tick) -> tuple[list[Check], list[ByCardsLeft]]:
    """For each bet and each number n of cards left, compare the census with the last n cards of dealt shoes. One figure
    is the share of shoes with a positive edge. If any of these shoes has a positive edge, the mean positive part is
    compared too. Also returns the figures of coups that begin with n cards, which are not tests."""
    checks: list[Check] = []
    beside: list[ByCardsLeft] = []
    exact = probabilities(game, Shoe.decks(game.decks))
    for i, (n, tails) in enumerate(deep.tails.items()):
        deviations, coups = [], deep.coups[n]
        if coups:
            at = (game.name, n, coups)
            beside += [ByCardsLeft(*at, name, k / coups, float(exact[name])) for name, k in deep.happened[n].items()]
        for j, (bet, (count, won)) in enumerate(zip(deep.bets, tails, strict=True)):
            figures = Census(game, bet, n, game.decks).figures(workers=workers)
            positive, share = int(count), figures["p_positive"]
            z = chance.signed_root(positive, deep.shoes, share) if 0 < share < 1 else 0.0
            deviations.append((chance.binomial(positive, deep.shoes, share), z, f"{bet}, share positive"))
            values, chances = _positive_parts(game, bet, figures)
            if positive and len(values) > 1:
                z = chance.mean_root(values, chances, won / deep.shoes, deep.shoes)
                deviations.append((chance.normal(z), z, f"{bet}, mean positive part"))
            if coups:
                beside.append(ByCardsLeft(*at, f"{bet} positive", float(deep.begun[n][j, 0]) / coups, share))
            tick((i + (j + 1) / len(deep.bets)) / len(deep.tails))
        checks += by_chance("last cards = census", f"{game.name}, {n} cards", deviations)
    return checks, beside


def _positive_parts(game: Game, bet: str, figures: dict[str, Any]) -> tuple[Floats, Floats]:
    """The distribution of the positive part of the edge, from the histogram of a census. The values are scaled so that
    the mean is exact."""
    high = float(max(line.pay for line in game.bet(bet).pays))
    edge = -1 + (high + 1) / (BINS - 1) * np.arange(BINS)
    some = (figures["histogram"] > 0) & (edge > 0)
    values, chances = edge[some], figures["histogram"][some]
    if some.any():
        values *= figures["mean_positive_part"] / float(values @ chances)
    return np.append(values, 0.0), np.append(chances, 1 - chances.sum())
