"""Were the shoes of a log shuffled? Tests of their order against random shoes, for the log and for each shoe.

The hypothesis of every test is that each order of each shoe is equally likely, whatever the earlier shoes were. The
shoes are completed by their unseen cards (`shoe_orders`). A statistic is compared with the same statistic of random
shoes. The p-value is

    (1 + draws at least as extreme) / (1 + draws)

For a two-sided test, it is twice the smaller of the shares on the two sides. The draws of a single shoe's order may
stop early (`order_tests`). The p-values of slugs and of the longest common stretch are upper bounds. All tests share
one level by Holm's method with weights. A test of single shoes divides its weight among the shoes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from math import ceil
from typing import NamedTuple

import numpy as np

from counting.arrays import Floats, Ints
from counting.cards import CARDS, MOST_DECKS, RANKS, Knows
from counting.errors import whole
from counting.games import load_game
from counting.logs import Log
from counting.review.coverage import ALLOWED, LogPart, allowed_share, too_much
from counting.review.repeats import RARE, repeats_of, without_repeats
from counting.review.shuffle.coolers import coolers
from counting.review.shuffle.discard_rack import Gathering, gathering
from counting.review.shuffle.findings import Finding, findings_of
from counting.review.shuffle.order_tests import ORDER_TESTS, Likeness, order_tests
from counting.review.shuffle.repeated_stretches import Stretch, chance_of_stretch, longest_stretch
from counting.review.shuffle.shoe_counts import FIRST, QUARTERS, CountLayout, count_shoes, draw_counts
from counting.review.shuffle.shoe_orders import ShoeOrders, Surplus, shoe_orders
from counting.review.shuffle.slugs import FORMER, Slug, slug
from counting.review.significance import chi_squared_tail, holm, monte_carlo_p, refuse_level
from counting.simulation import MOST_SEED
from counting.workers import in_threads

LEVEL, DRAWS = 0.05, 999
MOST_DRAWS = 99_999
REGULATORS = 0.05
MISFIT_SHOES = 0.05  # if a larger share of the shoes has a surplus, the number of decks is taken to be wrong
FEW_KINDS = 3  # if no more kinds of cards than this have a surplus, the surplus may be due to extra cards
MOST_OF_A_SHOE = 30_000  # the most draws for one shoe
_SPARE = 1.5  # draws of a shoe, as a multiple of the fewest draws that can flag it
_RANDOM_SHOES = 5_000, 200_000  # the fewest and the most random shoes for coolers


Progress = Callable[[int, int], None]


class ShuffleTest(NamedTuple):
    """A test.

    - `name` and `title`
    - `shows`: the faults that it shows
    - `both_sides`: whether small values of its statistic count too
    - `weight`: its weight in the level; tests for the most frequent faults have more"""

    name: str
    title: str
    shows: str
    both_sides: bool = False
    weight: int = 1


_ALL = (
    ShuffleTest("places", "ranks by quarter of the shoe", "ranks that come early or late, shoe after shoe"),
    ShuffleTest(
        "first-cards",
        f"ranks at each of the first {FIRST} places",
        "cards at the top of the shoe that were not shuffled",
    ),
    ShuffleTest(
        "evenness",
        "ranks by quarter within each shoe",
        "ranks spread more evenly, or more in clumps, than chance spreads them",
        True,
    ),
    ShuffleTest("rest", "last cards of each shoe", "a card that is missing from the shoe, or an extra card"),
    ShuffleTest("pairs", "ranks next to one another", "ranks that follow one another too often"),
    ShuffleTest(
        "same-rank", "neighbours of the same rank", "cards of one rank that were gathered together, or kept apart", True
    ),
    ShuffleTest(
        "runs", "rising and falling runs of ranks", "ranks that keep an order, or that rise and fall too often", True
    ),
    ShuffleTest("same-suit", "neighbours of the same suit", "suits kept together, as in new decks", True),
    ShuffleTest("shoe-before", "order of the shoe before", "too few riffles or a poor wash", weight=4),
    ShuffleTest(
        "two-before", "order of the second shoe before", "too few riffles or a poor wash, if two batches take turns"
    ),
    ShuffleTest("new-decks", "order of new decks", "new cards after too few riffles or a poor wash"),
    ShuffleTest(
        "stretches", "longest stretch shared by two shoes", "a batch of cards that came again, or was prepared"
    ),
    ShuffleTest("one-shoe", "order of single shoes", "a shoe, or a slug in a shoe, that had too few riffles", weight=2),
    ShuffleTest(
        "slugs", "coups that come again, shoe by shoe", "a slug that was not shuffled, or was prepared", weight=2
    ),
    ShuffleTest("coolers", "runs of winners and naturals, shoe by shoe", "coups that were arranged", weight=2),
)
TESTS: Mapping[str, ShuffleTest] = {test.name: test for test in _ALL}
TOTAL_WEIGHT = sum(test.weight for test in _ALL)
OF_SHOES = ("one-shoe", "slugs", "coolers")  # tests of each single shoe


class Result(NamedTuple):
    """A test's p-value, and its p-value adjusted for all tests by Holm's method. A flagged test has an adjusted p-value
    of at most the level."""

    test: ShuffleTest
    p: float
    adjusted: float
    flagged: bool


@dataclass(frozen=True, init=False)
class ShuffleSettings:
    """Settings of the review.

    - `level`: the level of all tests together
    - `draws`: the number of draws; by default 999, or more if the level needs more
    - `seed`: the seed of the draws, and of the order of unseen cards
    - `pickup`: the order in which discards are gathered, if it is known

    Raises `InputError` for a level, seed or number of draws out of range, and for an unknown `pickup`."""

    level: float
    draws: int
    seed: int
    pickup: str | None

    def __init__(
        self, level: float = LEVEL, draws: int | None = None, seed: int = 1, pickup: str | None = None
    ) -> None:
        refuse_level(level)
        least = ceil(2 * TOTAL_WEIGHT / level) - 1  # with fewer draws, a two-sided test cannot flag
        vars(self).update(level=level, seed=whole(seed, "seed", 0, MOST_SEED), pickup=pickup)
        _ = self.gathered
        drawn = max(DRAWS, least) if draws is None else draws
        vars(self)["draws"] = whole(drawn, f"draws at level {level:g}", least, max(least, MOST_DRAWS))

    @property
    def gathered(self) -> Gathering | None:
        return None if self.pickup is None else gathering(self.pickup)


@dataclass(frozen=True, eq=False)
class ShuffleReview:
    """Tests of the order of a log's shoes.

    - `results`: the tests by p-value; empty if too much of the log cannot be used (`unread`), or if no shoe can be
      used
    - `findings`: what is flagged, with shoes, coups and places
    - `left_out`: the tests that could not be made, and why
    - `regulators`: the p-value of a standard chi-squared test of the counts by quarter
    - `stretch`: the longest stretch of cards that two shoes share
    - `odd_card`: the card whose number among the shoes' last cards is the most standard deviations away from the
      expected number, and the difference in cards per shoe
    - `likes`: for each order test, what the log's order is most like
    - `shoes`: for each test of single shoes, the p-value of each shoe, keyed by its row
    - `repeated`: the number of coups left out because they repeat the coup before"""

    orders: ShoeOrders
    settings: ShuffleSettings
    allowed: float
    results: list[Result] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)
    regulators: float | None = None
    stretch: Stretch | None = None
    odd_card: tuple[str, float] | None = None
    likes: dict[str, Likeness] = field(default_factory=dict)
    shoes: dict[str, dict[int, float]] = field(default_factory=dict)
    repeated: int = 0

    @property
    def unread(self) -> list[LogPart]:
        """The parts of the log of which too much cannot be used (`coverage.too_much`). If there are any, there is no
        verdict."""
        return too_much(_read_parts(self.orders), self.allowed)

    @property
    def flagged(self) -> list[Result]:
        return [result for result in self.results if result.flagged]


def shuffle_review(
    log: Log,
    decks: int,
    settings: ShuffleSettings | None = None,
    allow_unread: float = ALLOWED,
    progress: Progress | None = None,
) -> ShuffleReview:
    """Test the order of a log's shoes, of `decks` decks each.

    Nothing is tested if too much of the log cannot be used (`ShuffleReview.unread`), or if no shoe can be used. At most
    the share `allow_unread` of the cards, and of the coups, may be unread. `progress` is called with the number of
    steps done and the number of all steps. Raises `InputError` for an invalid number of decks or share."""
    settings = settings or ShuffleSettings()
    decks = whole(decks, "decks", 1, MOST_DECKS)
    allowed = allowed_share(allow_unread)
    tableau = load_game("punto-banco").tableau
    repeated = 0
    if repeats_of(log.coups, tableau).p <= RARE:
        log, repeated = without_repeats(log, tableau)
    orders = shoe_orders(log, decks, settings.seed)
    if too_much(_read_parts(orders), allowed) or not orders.number:
        return ShuffleReview(orders, settings, allowed, repeated=repeated)
    layout = CountLayout(orders.knows, decks)
    own = count_shoes(layout, orders.cards)
    p_values, left_out = compared(layout, orders, own, settings)
    need = ceil(TOTAL_WEIGHT / TESTS["one-shoe"].weight * orders.number / settings.level)
    order = order_tests(
        orders, settings.draws, min(MOST_OF_A_SHOE, ceil(_SPARE * need)), settings.seed, settings.gathered, progress
    )
    p_values |= order.p_values
    for lag, name in enumerate(ORDER_TESTS[:2]):
        if name not in p_values:
            left_out[name] = f"needs {('two', 'three')[lag]} usable shoes in a row at a table"
    stretch = longest_stretch(orders) if orders.number > 1 else None
    if orders.number > 1:
        p_values["stretches"] = chance_of_stretch(stretch.cards if stretch else 0, orders.number, layout.full)
    else:
        left_out["stretches"] = "needs two shoes"
        left_out["one-shoe"] = "with a single shoe, the order of new decks is tested instead"
    slugs = _slugs(orders)
    arranged = coolers(
        orders.piles,
        decks,
        orders.knows,
        tableau,
        min(max(_RANDOM_SHOES[0], 3 * need), _RANDOM_SHOES[1]),
        settings.seed,
    )
    shoes = {
        "one-shoe": {row: found.p for row, found in order.shoes.items()},
        "slugs": {row: found.p if found else 1.0 for row, found in slugs.items()},
        "coolers": {row: found.p for row, found in enumerate(arranged)},
    }
    shoes = {name: of for name, of in shoes.items() if of}
    results, of_shoes = results_of(p_values, settings.level, shoes)
    regulators = chi_squared_tail(
        _places(layout, own[np.newaxis], orders.number)[0] * (1 - 1 / layout.cards),
        (QUARTERS - 1) * (len(layout.by_rank) - 1),
    )
    odd_card = _odd_card(layout, own, orders.number)
    review = ShuffleReview(
        orders, settings, allowed, results, [], left_out, regulators, stretch, odd_card, order.likes, shoes, repeated
    )  # fmt: skip
    review.findings.extend(
        findings_of(log, orders, [(r.test.name, r.adjusted) for r in results if r.flagged and r.test.name in p_values],
                    {name: {row: p for row, p in of.items() if p <= settings.level} for name, of in of_shoes.items()},
                    order, slugs, arranged, stretch)
    )  # fmt: skip
    return review


def _slugs(orders: ShoeOrders) -> dict[int, Slug | None]:
    """The least likely stretch of each shoe. A shoe is compared with up to `FORMER` shoes before it at its table, and
    with itself."""

    def one(row: int) -> Slug | None:
        former = [
            orders.piles[row - lag]
            for lag in range(1, FORMER + 1)
            if row >= lag and orders.shoes["table"][row] == orders.shoes["table"][row - lag]
        ]
        return slug(orders.cards[row], orders.known[row], orders.piles[row], former, orders.decks, orders.knows)

    return dict(enumerate(in_threads(one, range(orders.number))))


def compared(
    layout: CountLayout, orders: ShoeOrders, own: Ints, settings: ShuffleSettings
) -> tuple[dict[str, float], dict[str, str]]:
    """The p-values of the tests of counts, and the tests left out, with reasons. `own` has the counts of the log's
    shoes."""
    left_out = {} if layout.knows == "card" else {"same-suit": "needs suits"}
    chunks = draw_counts(layout, orders.number, settings.draws, settings.seed)
    p_values = simulated(Statistics(layout, orders.number), own, chunks)
    return {name: p for name, p in p_values.items() if name not in left_out}, left_out


def simulated(statistics: Statistics, own: Ints, chunks: Iterable[Ints]) -> dict[str, float]:
    """The p-value of each test, from the counts of the log and of the draws."""
    columns = [statistics.of(own[np.newaxis]), *(statistics.of(chunk) for chunk in chunks)]
    rows = {name: np.concatenate([column[name] for column in columns]) for name in columns[0]}
    return {name: monte_carlo_p(values, TESTS[name].both_sides) for name, values in rows.items()}


def results_of(
    p_values: Mapping[str, float], level: float, shoes: Mapping[str, Mapping[int, float]] | None = None
) -> tuple[list[Result], dict[str, dict[int, float]]]:
    """The tests by p-value, the least first, with p-values adjusted for all tests; and the adjusted p-values of single
    shoes.

    If a test is made for single shoes, the shoes share the test's weight. The test's p-value is the least p-value of
    its shoes times the number of shoes, at most 1 (Bonferroni)."""
    shoes = shoes or {}
    weighed = {(name, -1): (p, float(TESTS[name].weight)) for name, p in p_values.items()}
    weighed |= {(name, row): (p, TESTS[name].weight / len(of)) for name, of in shoes.items() for row, p in of.items()}
    tests = sorted(weighed)
    p, weights = np.array([weighed[test] for test in tests], float).reshape(-1, 2).T
    adjusted = dict(zip(tests, holm(p, weights).tolist(), strict=True))
    results = [Result(TESTS[name], p, adjusted[name, -1], adjusted[name, -1] <= level) for name, p in p_values.items()]
    of_shoes = {name: {row: adjusted[name, row] for row in of} for name, of in shoes.items()}
    for name, of in of_shoes.items():
        least = min(of.values())
        results.append(Result(TESTS[name], min(1.0, len(of) * min(shoes[name].values())), least, least <= level))
    return sorted(results, key=lambda result: result.p), of_shoes


class Statistics(NamedTuple):
    """The statistics of the tests, from rows of counts. Each row has the counts of `shoes` shoes."""

    layout: CountLayout
    shoes: int

    def of(self, rows: Ints) -> dict[str, Floats]:
        """The statistics (rows,) by the name of the test."""
        layout, shoes = self.layout, self.shoes
        counts, share = layout.read(rows), layout.by_rank / layout.cards
        pairs = counts["pairs"]
        together = shoes * np.outer(layout.by_rank, layout.by_rank) / layout.cards
        together -= np.diag(shoes * share)
        return {
            "places": _places(layout, rows, shoes),
            "first-cards": _squares(counts["first"], shoes * share),
            "evenness": np.asarray((counts["squares"] / share).sum(axis=1), float),
            "rest": np.abs(_deviations(layout, counts["tails"], shoes)).reshape(len(rows), -1).max(axis=1),
            "pairs": _squares(pairs, together),
            "same-rank": np.trace(pairs, axis1=1, axis2=2).astype(float),
            "runs": counts["turns"].astype(float),
            "same-suit": counts["suits"].astype(float),
        }


def _places(layout: CountLayout, rows: Ints, shoes: int) -> Floats:
    """The chi-squared statistic (rows,) of ranks by quarter."""
    return _squares(layout.read(rows)["quarters"], shoes * layout.by_rank / QUARTERS)


def _squares(counts: Ints, expected: Floats) -> Floats:
    """The chi-squared statistic (rows,) of counts (rows, ...). Counts with an expected number of 0 are left out."""
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(expected > 0, (counts - expected) ** 2 / expected, 0.0)
    return np.asarray(terms.reshape(len(counts), -1).sum(axis=1))


def _deviations(layout: CountLayout, tails: Ints, shoes: int) -> Floats:
    """How far the number of each card among the shoes' last cards is from its mean, in standard deviations (rows,
    tails, kinds)."""
    full, size, last = layout.full, layout.cards, layout.tails[:, np.newaxis]
    mean = full * last / size
    variance = mean * (1 - last / size) * (size - full) / (size - 1)
    return np.asarray((tails - shoes * mean) / np.sqrt(shoes * variance))


def _odd_card(layout: CountLayout, own: Ints, shoes: int) -> tuple[str, float]:
    """The card that comes too often, or too rarely, among the last cards of shoes, and by how many cards per shoe."""
    tails = layout.read(own[np.newaxis])["tails"]
    deviations = _deviations(layout, tails, shoes)[0]
    size, kind = np.unravel_index(int(np.abs(deviations).argmax()), deviations.shape)
    expected = layout.full[kind] * layout.tails[size] / layout.cards
    return kind_name(int(kind), layout.knows), float(tails[0, size, kind] / shoes - expected)


def kind_name(kind: int, knows: Knows) -> str:
    """The name of a card, as `7h`; of a rank, as `K`; or of a value, as `0 (tens and faces)`."""
    if knows == "value":
        return f"{kind}" if kind else "0 (tens and faces)"
    return CARDS[kind] if knows == "card" else RANKS[kind]


def extra_cards(orders: ShoeOrders) -> list[tuple[str, int]]:
    """Cards of which some shoe shows more than its decks have. Each comes with the number of such shoes, the largest
    number first."""
    kinds = [surplus.kind for surplus in orders.surplus]
    often = sorted(set(kinds), key=lambda kind: (-kinds.count(kind), kind))
    return [(kind_name(kind, orders.knows), kinds.count(kind)) for kind in often]


def impossible_shoes(surplus: Iterable[Surplus]) -> int:
    """The number of shoes that show more of a card, rank or value than their decks have."""
    return len({(card.table, card.shoe) for card in surplus})


def _read_parts(orders: ShoeOrders) -> list[LogPart]:
    """The parts of the log that could not be read. Shoes that show more of a card than their decks have are one more
    part, unless a few kinds of extra cards explain them."""
    impossible = impossible_shoes(orders.surplus)
    shoes = orders.number + orders.short + impossible
    explained = len(extra_cards(orders)) <= FEW_KINDS
    wrong = LogPart(f"shoes with more of a card than {orders.decks} decks have", impossible, shoes, MISFIT_SHOES)
    return orders.parts if explained else [*orders.parts, wrong]
