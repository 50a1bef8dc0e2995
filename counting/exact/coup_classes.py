"""Classes of coups: what bets pay on them, what must be known of the cards, and the counts of their events."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Bools, Floats
from counting.cards import Knows, finest
from counting.errors import InputError
from counting.exact import first_cards
from counting.exact.outcomes import OutcomeCounter, counter
from counting.games import FIRSTS, Bet, First, Game, Outcome

ALL_FIRSTS = frozenset(FIRSTS)


@lru_cache(maxsize=32)
def event_counter(game: Game) -> OutcomeCounter:
    sets = list(game.events.values())
    return counter(game.tableau, [tuple(o in s for s in sets) for o in game.tableau.outcomes])


@lru_cache(maxsize=32)
def _first_classes(game: Game) -> tuple[tuple[First, ...], ...]:
    """What first cards show, in classes that no event of the game tells apart; one class if no event looks at them."""
    by_class: dict[tuple[bool, ...], list[First]] = {}
    for first in FIRSTS:
        by_class.setdefault(tuple(first in event for event in game.events.values()), []).append(first)
    return tuple(map(tuple, by_class.values()))


def event_classes(game: Game) -> list[tuple[Outcome, First]]:
    """What coups show, in classes that no event, and so no bet, of the game tells apart: one example of each class."""
    return [(cls[0], first[0]) for cls in event_counter(game).outcomes for first in _first_classes(game)]


def event_weights(game: Game) -> dict[str, NDArray[np.int64]]:
    """For each event that is a set of outcomes, its weights (5005,) in the order of `linear_forms.multisets`: in how
    many orders of the six values it happens. An event on first cards has none."""
    counted = event_counter(game)
    return {
        name: counted.weights[[cls[0] in event for cls in counted.outcomes]].sum(axis=0, dtype=np.int64)
        for name, event in game.events.items()
        if not event <= ALL_FIRSTS
    }


@lru_cache(maxsize=32)
def pays(game: Game, bets: tuple[str, ...]) -> Floats:
    """What a coup of each class pays (classes, bets), per unit staked."""
    by_class = [
        [float(bet.pay(first if bet.shows == "first" else outcome)) for bet in map(game.bet, bets)]
        for outcome, first in event_classes(game)
    ]
    return np.array(by_class)


@lru_cache(maxsize=32)
def events_by_class(game: Game) -> Bools:
    """Whether each event happens in a coup of each class, (classes, events), read-only."""
    events = game.events.values()
    happens = np.array([[not event.isdisjoint(cls) for event in events] for cls in event_classes(game)], np.bool_)
    happens.flags.writeable = False
    return happens


def paid(game: Game, bets: tuple[str, ...], shown: NDArray[np.uint8]) -> Floats:
    """What coups that showed this, (rows, 5) as in `shoes.Coups`, paid per unit staked, (rows, bets)."""
    by_class: Floats = pays(game, bets)
    return by_class[classify(game, shown)]


def classify(game: Game, shown: NDArray[np.uint8]) -> NDArray[np.int32]:
    """The class, a place in `event_classes`, of what each coup showed, (rows, 5) as in `shoes.Coups`."""
    player, banker, player_cards, banker_cards, first = shown.T.astype(np.intp)
    place: NDArray[np.int32] = event_counter(game).class_of[player, banker, player_cards - 2, banker_cards - 2]
    classes = _first_classes(game)
    if len(classes) > 1:
        class_of = np.zeros(len(FIRSTS), np.int32)
        for i, cls in enumerate(classes):
            class_of[[f.code for f in cls]] = i
        place = place * np.int32(len(classes)) + class_of[first]
    return place


def coefficients_on_first(bet: Bet, power: int = 1) -> NDArray[np.int64]:
    """The pays of a bet on first cards, or their squares, as a combination of closed forms."""
    return first_cards.combination((first, whole_pay(bet, first) ** power) for first in FIRSTS)


def whole_pay(bet: Bet, shown: Outcome | First) -> int:
    """What the bet pays on the least stake that it pays in whole units."""
    return int(bet.pay(shown) * bet.denominator)


def needs(bet: Bet) -> Knows:
    """The coarsest kind of composition that prices the bet."""
    return first_cards.needs(coefficients_on_first(bet)) if bet.shows == "first" else "value"


def refuse_coarse(bets: Iterable[Bet], knows: Knows, what: str) -> None:
    """Raise `InputError` if a bet needs a finer composition than the known one."""
    lacking = [bet for bet in bets if finest((needs(bet), knows)) != knows]
    if lacking:
        needed = finest(map(needs, lacking))
        names = ", ".join(bet.name for bet in lacking)
        known = "point values only, not ranks" if knows == "value" else "ranks only, not suits"
        raise InputError(
            f"{what}: knows {known}, and {names} should be priced on a shoe known by {needed}"
            + (" (or rank and suit)" if needed == "rank" else ", rank and suit")
        )
