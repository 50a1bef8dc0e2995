"""Were the shoes of a log well shuffled? Tests of their order against the same number of well-shuffled shoes.

The hypothesis of every test: each order of each shoe is equally likely, whatever the shoes before. The shoes are
completed by their unseen cards (`shoe_orders`). A statistic of them is compared with the same statistic of shuffled
shoes, in `draws` draws: the p-value (1 + draws at least as extreme) / (1 + draws) is exact for any number of shoes. The
p-value of the longest common stretch is an upper bound. All tests share one level by Holm's method.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import ceil, erfc, exp, lgamma, log, sqrt
from typing import NamedTuple

import numpy as np

from counting.arrays import Floats, Ints
from counting.audit.coverage import ALLOWED, Part, allowed_share, too_much
from counting.audit.repeated_stretches import Stretch, chance_of_stretch, longest_stretch
from counting.audit.shoe_counts import FIRST, QUARTERS, Layout, counted, drawn
from counting.audit.shoe_orders import ShoeOrders, Surplus, shoe_orders
from counting.cards import CARDS, MOST_DECKS, RANKS, Knows
from counting.errors import InputError, whole
from counting.logs import Log
from counting.simulation import MOST_SEED

LEVEL, DRAWS = 0.05, 999
LEAST_LEVEL, MOST_DRAWS = 1e-4, 99_999
REGULATORS = 0.05
MISFITS = 0.05  # of shoes with more of some card than the decks have: more, of many cards, show a wrong number of decks
FEW_KINDS = 3  # cards too many of that many kinds may be extra cards


Progress = Callable[[int, int], None]


class ShuffleTest(NamedTuple):
    """A test: its name, a title, what it would show, and whether small values of its statistic count too."""

    name: str
    title: str
    shows: str
    both_sides: bool = False


_ALL = (
    ShuffleTest("places", "ranks by quarter of the shoe", "ranks that come early or late, shoe after shoe"),
    ShuffleTest("first-cards", f"ranks at each of the first {FIRST} places", "a top that is not shuffled"),
    ShuffleTest(
        "evenness",
        "ranks by quarter within each shoe",
        "ranks spread more evenly, or more in clumps, than chance spreads them",
        True,
    ),
    ShuffleTest("rest", "cards among the last of each shoe", "a card that is missing from the shoe, or an extra card"),
    ShuffleTest("pairs", "ranks next to one another", "ranks that follow one another too often"),
    ShuffleTest("same-rank", "neighbours of the same rank", "cards that were collected by rank, or kept apart", True),
    ShuffleTest("runs", "rising and falling runs of ranks", "ranks in order, or in no run at all", True),
    ShuffleTest("same-suit", "neighbours of the same suit", "the suits of new decks", True),
    ShuffleTest("shoe-before", "order of the shoe before", "too few riffles, a washed batch"),
    ShuffleTest("two-before", "order of the shoe before that", "the same, where two batches take turns"),
    ShuffleTest("new-decks", "order of new decks", "new cards with too few riffles, a washed batch"),
    ShuffleTest("stretches", "longest stretch in two shoes", "a batch that came again, or was prepared"),
)
TESTS: Mapping[str, ShuffleTest] = {test.name: test for test in _ALL}
ORDER_TESTS = ("shoe-before", "two-before", "new-decks")


class Result(NamedTuple):
    """Of a test: the p-value, and that adjusted for all tests by Holm's method; at most the level if flagged."""

    test: ShuffleTest
    p: float
    adjusted: float
    flagged: bool


@dataclass(frozen=True)
class ShuffleSettings:
    """The level of all tests together, the number of draws (by default 999, or more where the level needs more), the
    seed of draws and of unseen cards' order."""

    level: float = LEVEL
    draws: int | None = None
    seed: int = 1

    def __post_init__(self) -> None:
        if not LEAST_LEVEL <= self.level < 1:
            raise InputError(f"level: {self.level:g}, should be from {LEAST_LEVEL:g} to below 1")
        whole(self.seed, "seed", 0, MOST_SEED)
        least = ceil(2 * len(TESTS) / self.level) - 1  # of the tests with both sides, none has a p-value of less
        most = max(least, MOST_DRAWS)
        draws = max(DRAWS, least) if self.draws is None else self.draws
        object.__setattr__(self, "draws", whole(draws, f"draws at level {self.level:g}", least, most))

    @property
    def drawn(self) -> int:
        """The number of draws."""
        return self.draws or 0


@dataclass(frozen=True, eq=False)
class ShuffleReview:
    """Tests of the order of a log's shoes: `results` by p-value, empty if more of the log is `unread` than allowed.

    `left_out`: the tests that could not be made, and why. `regulators`: the p-value of a standard chi-squared test of
    the counts by quarter. `stretch`: the longest stretch of cards that two shoes share. `odd_card`: the card whose
    number in the rest differs most from its expected number, and the difference per shoe.
    """

    orders: ShoeOrders
    settings: ShuffleSettings
    allowed: float
    results: list[Result]
    left_out: dict[str, str]
    regulators: float | None
    stretch: Stretch | None
    odd_card: tuple[str, float] | None

    @property
    def unread(self) -> list[Part]:
        """The parts of the log with more unread than allowed: if any, there is no verdict."""
        return too_much(_parts(self.orders), self.allowed)

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

    Nothing is tested if more than the share `allow_unread` of cards or coups is unread, or no shoe can be used.
    `progress` is called with the number of draws made and of all draws. Raises `InputError` for an invalid number of
    decks or share.
    """
    settings = settings or ShuffleSettings()
    decks = whole(decks, "decks", 1, MOST_DECKS)
    allowed = allowed_share(allow_unread)
    orders = shoe_orders(log, decks, settings.seed)
    if too_much(_parts(orders), allowed) or not orders.number:
        return ShuffleReview(orders, settings, allowed, [], {}, None, None, None)
    layout = Layout(orders.knows, decks)
    own = counted(layout, orders.cards, orders.follows)
    p_values, left_out = compared(layout, orders, own, settings, progress)
    stretch = longest_stretch(orders) if orders.number > 1 else None
    if orders.number > 1:
        p_values["stretches"] = chance_of_stretch(stretch.cards if stretch else 0, orders.number, layout.full)
    else:
        left_out["stretches"] = "needs two shoes"
    results = holm(p_values, settings.level)
    regulators = chi_squared_tail(
        _places(layout, own[np.newaxis], orders.number)[0] * (1 - 1 / layout.cards),
        (QUARTERS - 1) * (len(layout.by_rank) - 1),
    )
    return ShuffleReview(
        orders, settings, allowed, results, left_out, regulators, stretch, _odd_card(layout, own, orders.number)
    )


def compared(
    layout: Layout, orders: ShoeOrders, own: Ints, settings: ShuffleSettings, progress: Progress | None = None
) -> tuple[dict[str, float], dict[str, str]]:
    """The p-values by draws, and the tests left out with the reason; `own` are the counts of the orders."""
    left_out = {}
    if layout.knows != "card":
        left_out["same-suit"] = "needs suits"
    for lag, name in enumerate(ORDER_TESTS[:2]):
        if not orders.follows[:, lag].any():
            left_out[name] = f"needs {('two', 'three')[lag]} shoes in a row at a table, each used"

    def chunks() -> Iterator[Ints]:
        done = 0
        for chunk in drawn(layout, orders.follows, settings.drawn, settings.seed):
            yield chunk
            done += len(chunk)
            if progress is not None:
                progress(done, settings.drawn)

    p_values = simulated(Statistics(layout, orders.number), own, chunks())
    return {name: p for name, p in p_values.items() if name not in left_out}, left_out


def simulated(statistics: Statistics, own: Ints, chunks: Iterable[Ints]) -> dict[str, float]:
    """The p-value of each test by draws, from the counts of the log and of the draws."""
    columns = [statistics.of(own[np.newaxis]), *(statistics.of(chunk) for chunk in chunks)]
    rows = {name: np.concatenate([column[name] for column in columns]) for name in columns[0]}
    order = rows.pop("order")
    for lag, name in enumerate(ORDER_TESTS):
        # Whichever of four shows the order most, each in its own standard deviations among all draws.
        rows[name] = _standardised(order[:, lag]).max(axis=1)
    return {name: p_value(values, TESTS[name].both_sides) for name, values in rows.items()}


def p_value(values: Floats, both_sides: bool) -> float:
    """The share of values at least as extreme as the first, which is among them; twice the smaller on both sides."""
    slack = 1e-9 * (1 + abs(values[0]))
    above = float((values >= values[0] - slack).mean())
    if not both_sides:
        return above
    return min(1.0, 2 * min(above, float((values <= values[0] + slack).mean())))


def holm(p_values: Mapping[str, float], level: float) -> list[Result]:
    """The tests by p-value, the least first, with p-values adjusted for all of them."""
    results, adjusted = [], 0.0
    for i, (name, p) in enumerate(sorted(p_values.items(), key=lambda item: item[1])):
        adjusted = min(1.0, max(adjusted, (len(p_values) - i) * p))
        results.append(Result(TESTS[name], p, adjusted, adjusted <= level))
    return results


class Statistics(NamedTuple):
    """The statistics of rows of counts of this number of shoes."""

    layout: Layout
    shoes: int

    def of(self, rows: Ints) -> dict[str, Floats]:
        """By name (rows); `order` (rows, 3, 4) by `ORDER_TESTS`."""
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
            "order": counts["order"].astype(float),
        }


def _places(layout: Layout, rows: Ints, shoes: int) -> Floats:
    """The chi-squared statistic (rows) of ranks by quarter."""
    return _squares(layout.read(rows)["quarters"], shoes * layout.by_rank / QUARTERS)


def _squares(counts: Ints, expected: Floats) -> Floats:
    """The chi-squared statistic of counts (rows, ...), some of which are not possible in a shoe of one deck."""
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(expected > 0, (counts - expected) ** 2 / expected, 0.0)
    return np.asarray(terms.reshape(len(counts), -1).sum(axis=1))


def _deviations(layout: Layout, tails: Ints, shoes: int) -> Floats:
    """The numbers of each card among the last (rows, tails, kinds), in standard deviations from the mean."""
    full, size, last = layout.full, layout.cards, layout.tails[:, np.newaxis]
    mean = full * last / size
    variance = mean * (1 - last / size) * (size - full) / (size - 1)
    return np.asarray((tails - shoes * mean) / np.sqrt(shoes * variance))


def _standardised(values: Floats) -> Floats:
    """Columns (rows, columns) less their means, in their standard deviations; 0 where they do not vary."""
    spread = values.std(axis=0)
    return np.asarray((values - values.mean(axis=0)) / np.where(spread > 0, spread, 1.0))


def _odd_card(layout: Layout, own: Ints, shoes: int) -> tuple[str, float]:
    """The card that the rest has too often (or too rarely), and by how many per shoe."""
    tails = layout.read(own[np.newaxis])["tails"]
    deviations = _deviations(layout, tails, shoes)[0]
    size, kind = np.unravel_index(int(np.abs(deviations).argmax()), deviations.shape)
    expected = layout.full[kind] * layout.tails[size] / layout.cards
    return kind_name(int(kind), layout.knows), float(tails[0, size, kind] / shoes - expected)


def kind_name(kind: int, knows: Knows) -> str:
    """A card as `7h`, a rank as `K`, a value as `0 (tens and faces)`."""
    if knows == "value":
        return f"{kind}" if kind else "0 (tens and faces)"
    return CARDS[kind] if knows == "card" else RANKS[kind]


def extra_cards(orders: ShoeOrders) -> list[tuple[str, int]]:
    """Cards that appear more often in a shoe than its decks have them, with the number of such shoes, most first."""
    kinds = [surplus.kind for surplus in orders.surplus]
    often = sorted(set(kinds), key=lambda kind: (-kinds.count(kind), kind))
    return [(kind_name(kind, orders.knows), kinds.count(kind)) for kind in often]


def impossible_shoes(surplus: Iterable[Surplus]) -> int:
    return len({(card.table, card.shoe) for card in surplus})


def chi_squared_tail(square: float, freedom: int) -> float:
    """The probability of a chi-squared at least as large (Abramowitz and Stegun, 26.4.4 and 26.4.5)."""
    half, odd = square / 2, freedom % 2
    if half <= 0:
        return 1.0
    terms = (exp((i + odd / 2) * log(half) - half - lgamma(i + odd / 2 + 1)) for i in range((freedom - odd) // 2))
    return min(1.0, (erfc(sqrt(half)) if odd else 0.0) + sum(terms))


def _parts(orders: ShoeOrders) -> list[Part]:
    """What could not be read; shoes that cannot be of these decks, where a few extra cards do not explain them."""
    impossible = impossible_shoes(orders.surplus)
    shoes = orders.number + orders.short + impossible
    explained = len(extra_cards(orders)) <= FEW_KINDS
    wrong = Part(f"shoes with more of a card than {orders.decks} decks have", impossible, shoes, MISFITS)
    return orders.parts if explained else [*orders.parts, wrong]
