"""The exact checks of `verify`. Each check is a function that yields its rows.

Both sides of a comparison are exact, or exact up to rounding. So the largest difference must be 0, or at most the
rounding that the check allows.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from fractions import Fraction
from functools import lru_cache
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counting.cards import COUP, DECK, MOST_DECKS, Shoe
from counting.errors import InputError
from counting.exact import (
    FLOAT_CARDS,
    JOINT_CARDS,
    LEVELS,
    Census,
    _forms,
    all_deals,
    counter,
    event_counter,
    events,
    exact_edges,
    joint_distribution,
    required_detail,
)
from counting.games import MAIN_EVENTS, Game, Shown, catalog, unfit
from counting.simulation import Dealing, _deal, play
from counting.verify import reference
from counting.verify.check import Check, LargestDifference, Tick

IDENTITY = 12  # unseen cards in each census; its mean edge must be the edge on the full shoe
ROUNDING = 1e-12
LAST_PLACES = 4  # units in the last place by which a float edge may differ from its fraction


@contextmanager
def _instructions(level: str) -> Iterator[None]:
    """Make the kernels use an instruction set."""
    before = os.environ.get("COUNTING_ISA")
    os.environ["COUNTING_ISA"] = level
    try:
        yield
    finally:
        del os.environ["COUNTING_ISA"]
        if before is not None:
            os.environ["COUNTING_ISA"] = before


def instruction_sets() -> tuple[str, ...]:
    """The instruction sets of this machine."""
    return LEVELS[: _forms.best_level() + 1]


@lru_cache(maxsize=32)
def widened_game(game: Game) -> Game:
    """The game with all bets of the catalog that fit it. Bets that point values alone do not settle are left out."""
    fitting = [name for name, bet in catalog().items() if not unfit(bet, game.tableau) and name not in game.bet_names]
    more = game.also(fitting)
    return more.only(bet.name for bet in more.bets if required_detail(bet) == "value")


def _on_outcomes(game: Game) -> Game:
    """The game without the bets that are settled by the hands, which `hand_checks` compares."""
    hands = reference.bets_by_hands(game.bets)
    return game.only(bet.name for bet in game.bets if bet not in hands)


def _random(shoe: Sequence[int], cards: int, rng: np.random.Generator) -> list[int]:
    return [int(n) for n in rng.multivariate_hypergeometric(shoe, cards, method="marginals")]


# The kernel


def partial_shoes(decks: int, number: int, seed: int) -> list[Shoe]:
    """The full shoe; extreme shoes, one of which has the largest number of decks; and random partial shoes of any
    size."""
    rng, full = np.random.default_rng([seed, 1]), list(Shoe.decks(decks).values)
    lacking, missing = rng.choice(10, 2, replace=False)
    extremes = [
        full,
        [0 if value == missing else n for value, n in enumerate(full)],
        [0 if value == lacking else n for value, n in enumerate(_random(full, DECK // 2 * decks, rng))],
        [12 if value == missing else 0 for value in range(10)],
        *(_random(full, cards, rng) for cards in (6, 6, 6, 7)),
        list(Shoe.decks(MOST_DECKS).values),
    ]
    sizes = rng.integers(COUP, DECK * decks, number).tolist()
    return [Shoe.from_values(counts) for counts in [*extremes, *(_random(full, size, rng) for size in sizes)]]


def kernel_against_twin(games: Sequence[Game], number: int, seed: int, tick: Tick) -> Iterator[Check]:
    """Compare the count of every event that outcomes settle with the count by the reference implementation, on partial
    shoes. The integers must be equal with every instruction set."""
    by_level = {level: LargestDifference() for level in instruction_sets()}
    tableaux = list(dict.fromkeys(game.tableau for game in games))
    for i, tableau in enumerate(tableaux):
        sharing = [_on_outcomes(widened_game(game)) for game in games if game.tableau == tableau]
        shoes = partial_shoes(sharing[0].decks, number, seed)
        for j, shoe in enumerate(shoes):
            counted: Counter[Shown] = Counter(reference.outcomes(sharing[0], shoe))
            for game in sharing:
                expected = reference.events(game, shoe, counted)
                for level in instruction_sets():
                    with _instructions(level):
                        for name, count in events(game, shoe).items():
                            by_level[level].see(count - expected[name], f"{game.name}, {name}, {shoe}")
            tick((i + (j + 1) / len(shoes)) / len(tableaux))
    for level, largest in by_level.items():
        yield largest.check("kernel = reference", f"{level}, {games_named(games)}")


def games_named(games: Sequence[Game]) -> str:
    """The game's name, or the number of games."""
    return games[0].name if len(games) == 1 else f"{len(games)} games"


def floats_against_integers(games: Sequence[Game], number: int, seed: int) -> Iterator[Check]:
    """Compare the counts that linear forms give in float64 with the counts of a plain loop in int64, on random shoes up
    to the largest size at which float64 is exact."""
    rng, full = np.random.default_rng([seed, 2]), list(Shoe.decks(MOST_DECKS).values)
    sizes = rng.integers(COUP, FLOAT_CARDS + 1, number)
    values = np.array([_random(full, int(size), rng) for size in sizes], np.int32)
    by_level = {level: LargestDifference() for level in instruction_sets()}
    for game in {game.tableau: widened_game(game) for game in games}.values():
        program = (counted := event_counter(game)).program
        integers = np.empty((number, program.forms), np.int64)
        _forms.counts_int64(values, program.layout, *program.weights, integers)
        for level in instruction_sets():
            with _instructions(level):
                _compare(by_level[level], counted.as_kept(values), integers, "random shoe")
    for level, largest in by_level.items():
        yield largest.check("float64 = int64 counts", level)


def distribution_against_forms(games: Sequence[Game], number: int, seed: int) -> Iterator[Check]:
    """Compare the joint distribution with linear forms, outcome by outcome, on random shoes. Half of the shoes are
    small enough for float64 in both methods; the other half are of any size."""
    rng, full = np.random.default_rng([seed, 9]), list(Shoe.decks(MOST_DECKS).values)
    sizes = [*rng.integers(COUP, JOINT_CARDS + 1, number), *rng.integers(COUP, sum(full) + 1, number)]
    values = np.array([_random(full, int(size), rng) for size in sizes], np.int32)
    by_level = {level: LargestDifference() for level in instruction_sets()}
    for tableau in {game.tableau for game in games}:
        apart = counter(tableau, tableau.outcomes)
        counts = np.column_stack([apart.forms(values), all_deals(values)]) @ apart.of_class.T
        for level in instruction_sets():
            with _instructions(level):
                _compare(by_level[level], joint_distribution(tableau).outcomes(values), counts, "random shoe")
    for level, largest in by_level.items():
        yield largest.check("joint law = linear forms", level)


def _compare(largest: LargestDifference, a: NDArray[np.int64], b: NDArray[np.int64], at: str) -> None:
    """Compare two arrays of integers row by row. The place of the largest difference is given as the text `at` and the
    number of the row."""
    if a.shape != b.shape:
        largest.see(inf, f"{at}s: {len(a)} and {len(b)}")
        return
    rows = np.abs(a - b).reshape(len(a), -1).max(axis=1)
    largest.see(int(rows.max()), f"{at} {int(rows.argmax()) + 1}", a.size)


def pairs_against_twin(game: Game, number: int, seed: int) -> Iterator[Check]:
    """Compare the counts of events on first cards with the reference implementation: pairs on shoes known by rank, and
    pairs and suits on small shoes known by card."""
    beyond_values = [bet for bet in catalog().values() if required_detail(bet) != "value"]
    hands = reference.bets_by_hands(beyond_values)
    on_first = game.only(bet.name for bet in beyond_values if bet not in hands)
    rng = np.random.default_rng([seed, 3])
    for knows, kinds in (("rank", 13), ("card", 52)):
        game_on_first = on_first.only(
            bet.name for bet in on_first.bets if knows == "card" or required_detail(bet) == "rank"
        )
        largest = LargestDifference()
        for _ in range(number):
            few = rng.permutation(kinds)[: 13 if knows == "rank" else 8]
            counts = np.zeros(kinds, int)
            counts[few] = rng.integers(1, DECK * game.decks // kinds + 1, len(few))
            shoe = Shoe(knows, tuple(counts.tolist()))  # type: ignore[arg-type]  # knows is rank or card
            counted: Counter[Shown] = Counter(reference.firsts(shoe))
            expected = reference.events(game_on_first, shoe, counted)
            for name, count in events(game_on_first, shoe).items():
                if name not in MAIN_EVENTS:
                    largest.see(count - expected[name], f"{name}, {shoe}")
        yield largest.check("pairs and suits = reference", f"shoes known by {knows}")


def one_card_unseen(games: Sequence[Game], seed: int) -> Iterator[Check]:
    """Compare, in fractions, a bet's edge on half of a shoe with the bet's mean edge after one more card has left the
    shoe unseen."""
    largest, rng = LargestDifference(), np.random.default_rng([seed, 4])
    for game in map(widened_game, games):
        counts = _random(Shoe.decks(game.decks).values, DECK * game.decks // 2, rng)
        mean: dict[str, Fraction] = dict.fromkeys(game.bet_names, Fraction())
        for value, n in enumerate(counts):
            if n:
                seen = [c - (v == value) for v, c in enumerate(counts)]
                for bet, edge in exact_edges(game, Shoe.from_values(seen)).items():
                    mean[bet] += Fraction(n, sum(counts)) * edge
        for bet, edge in exact_edges(game, Shoe.from_values(counts)).items():
            largest.see(float(mean[bet] - edge), f"{game.name}, {bet}")
    yield largest.check("an unseen card changes no edge", games_named(games))


# The dealing


def dealt_by_hand(game: Game, shoes: int, seed: int) -> Iterator[Check]:
    """Compare dealt shoes with the same shoes shuffled and dealt again in plain Python, from the words of numpy's
    Philox. The check compares the order of the cards and, for every coup, the undealt cards, the unseen cards of each
    value, and what the coup shows."""
    largest = LargestDifference()
    cards = np.empty(DECK * game.decks, np.uint8)
    burns = ("none", "first-card", "3", "5-shown")
    played = {burn: play(game.tableau, Dealing(game.decks, 0, burn), seed, 0, shoes) for burn in burns}
    for shoe in range(shoes):
        by_hand = reference.order(seed, shoe, game.decks)
        _deal.order(seed, shoe, game.decks, cards)
        _compare(largest, cards.astype(np.int64), np.array(by_hand), f"shoe {shoe}, card")
        for burn, dealt in played.items():
            rows = np.flatnonzero(dealt.shoe == shoe)
            by_kernel = np.column_stack([dealt.undealt[rows], dealt.left[rows], dealt.shown[rows]]).astype(np.int64)
            again = []
            for undealt, left, outcome, first in reference.dealt_coups(game, by_hand, burn):
                coup = by_hand[len(by_hand) - undealt :][:COUP]
                again.append((undealt, *left, *outcome, first.code, *coup))
            _compare(largest, by_kernel, np.array(again, np.int64), f"shoe {shoe}, coup")
    yield largest.check("shoes = by hand", f"{game.name}, {shoes} shoes")


def census_means(games: Sequence[Game], every_bet: bool, tick: Tick) -> Iterator[Check]:
    """Compare the mean of a bet's edge over n random cards with the bet's edge on the full shoe. The games' bets that
    point values settle are checked with every instruction set. With `every_bet`, the catalog's bets are checked too,
    with the best instruction set and the first game of each tableau.

    The census of a bet, and the census of the largest edge of all bets of a game, must have the same bits with every
    instruction set.
    """
    by_level, alike = {level: LargestDifference() for level in instruction_sets()}, LargestDifference()
    seen = set()

    def figures(census: Census, level: str) -> dict[str, Any]:
        with _instructions(level):
            return census.figures(histogram=False)

    for i, game in enumerate(games):
        own = game.only(bet.name for bet in game.bets if required_detail(bet) == "value")
        more = widened_game(game) if every_bet and game.tableau not in seen else own
        seen.add(game.tableau)
        exact = exact_edges(more, Shoe.decks(game.decks))
        for j, bet in enumerate(more.bet_names):
            census = Census(more, bet, IDENTITY, game.decks)
            levels = instruction_sets() if bet in own.bet_names else instruction_sets()[-1:]
            of_levels = {level: figures(census, level) for level in levels}
            for level, found in of_levels.items():
                by_level[level].see(found["mean_edge"] - float(exact[bet]), f"{game.name}, {bet}")
                alike.see(found != of_levels[levels[0]], f"{level}, {game.name}, {bet}", len(found))
            tick((i + (j + 1) / len(more.bets)) / len(games))
        with suppress(InputError):  # the game has no bets on point values, or odds too fine to compare exactly
            together = Census(own, own.bet_names, IDENTITY, game.decks)
            of_levels = {level: figures(together, level) for level in instruction_sets()}
            for level, found in of_levels.items():
                alike.see(found != of_levels["plain"], f"{level}, {game.name}, all bets", len(found))
    for level, largest in by_level.items():
        if largest.comparisons:
            yield largest.check(
                "mean of a census = full shoe", f"{level}, {games_named(games)}, {IDENTITY} cards", ROUNDING
            )
    if alike.comparisons:
        sets = ", ".join(instruction_sets())
        yield alike.check("census = the same bits", f"{sets}, {games_named(games)}, {IDENTITY} cards")
