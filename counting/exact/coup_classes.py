"""Classes of coups: what bets pay on them, what must be known of the cards, and the counts of their events."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import nan
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Bools, Floats
from counting.cards import Knows, finest
from counting.errors import InputError
from counting.exact import first_cards
from counting.exact.outcomes import OutcomeCounter, counter
from counting.games import FIRSTS, Bet, First, Game, Outcome, Tableau

if TYPE_CHECKING:
    from counting.exact.hand_counts import HandCounter

ALL_FIRSTS = frozenset(FIRSTS)
SHOWN = 11  # what is known of a dealt coup, see `shoes.Coups`


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
    """What coups show, in classes that no event of the game but those of bets on the hands tells apart: one example of
    each class."""
    return [(cls[0], first[0]) for cls in event_counter(game).outcomes for first in _first_classes(game)]


def event_weights(game: Game) -> dict[str, NDArray[np.int64]]:
    """For each event that is a set of outcomes, its weights (5005,) in the order of `linear_forms.multisets`: in how
    many orders of the six values it happens. An event that looks at ranks or suits has none."""
    counted = event_counter(game)
    weights = {
        name: counted.weights[[cls[0] in event for cls in counted.outcomes]].sum(axis=0, dtype=np.int64)
        for name, event in game.events.items()
        if all(isinstance(shown, Outcome) for shown in event)
    }
    of_line = events_met(game)
    for k, bet in enumerate(hand_bets(game)):
        by_line = line_counter(bet, game.tableau)
        if by_line.knows == "value":
            weights |= {name: by_line.weights[i].astype(np.int64) for name, (at, i) in of_line.items() if at == k}
    return {name: weights[name] for name in game.events if name in weights}


@lru_cache(maxsize=32)
def hand_bets(game: Game) -> tuple[Bet, ...]:
    """The bets that are settled by the hands; of several with the same lines the first."""
    return tuple({bet.conditions: bet for bet in reversed(game.bets) if bet.shows == "hands"}.values())[::-1]


def line_counter(bet: Bet, tableau: Tableau) -> HandCounter:
    """What counts the lines of a bet settled by the hands; `InputError` names a bet whose lines look at too much."""
    from counting.exact.hand_counts import hand_counter  # few games have such bets

    try:
        return hand_counter(bet.conditions, tableau)
    except InputError as error:
        raise InputError(f"bet {bet.name!r}: {error}") from None


@lru_cache(maxsize=32)
def events_met(game: Game) -> dict[str, tuple[int, int]]:
    """The events that are lines of bets settled by the hands: the place among `hand_bets`, and the line."""
    names = {next(iter(event)): name for name, event in game.events.items() if len(event) == 1}
    return {
        names[met]: (k, i) for k, bet in enumerate(hand_bets(game)) for i, met in enumerate(bet.met) if met in names
    }


def lines_met(game: Game, shown: NDArray[np.uint8]) -> NDArray[np.intp]:
    """The line of each of `hand_bets` that coups meet (rows, bets), the number of lines for none; `shown` (rows, 11) as
    in `shoes.Coups`."""
    from counting.games.hands import Dealt

    cards = shown[:, 5:].astype(np.intp)
    player_drew, banker_drew = shown[:, 2] == 3, shown[:, 3] == 3
    player = cards[:, 0], cards[:, 2], np.where(player_drew, cards[:, 4], -1)
    banker = cards[:, 1], cards[:, 3], np.where(banker_drew, np.where(player_drew, cards[:, 5], cards[:, 4]), -1)
    dealt, bets = Dealt(player, banker), hand_bets(game)
    lines = np.empty((len(shown), len(bets)), np.intp)
    for k, bet in enumerate(bets):
        lines[:, k] = dealt.first_met(bet.conditions)
    return lines


@lru_cache(maxsize=32)
def pays(game: Game, bets: tuple[str, ...]) -> Floats:
    """What a coup of each class pays (classes, bets), per unit staked; not a number for bets settled by the hands."""
    by_class = [
        [nan if bet.shows == "hands" else float(bet.pay(first if bet.shows == "first" else outcome)) for bet in chosen]
        for chosen in [[game.bet(bet) for bet in bets]]
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
    """What coups that showed this, (rows, 11) as in `shoes.Coups`, paid per unit staked, (rows, bets)."""
    by_hands = columns_of(game, bets).any()  # else the lines that other bets pay by are not needed
    return paid_on(game, bets, all_classes(game, shown) if by_hands else classify(game, shown)[:, np.newaxis])


def paid_on(game: Game, bets: tuple[str, ...], classes: NDArray[np.int32]) -> Floats:
    """What coups of these classes, (rows, columns) as of `all_classes`, paid per unit staked, (rows, bets)."""
    return np.asarray(all_pays(game, bets)[classes[:, columns_of(game, bets)], np.arange(len(bets))])


def columns_of(game: Game, bets: tuple[str, ...]) -> NDArray[np.int32]:
    """For each bet the column of `all_classes` that tells what it pays."""
    place = {bet.conditions: k for k, bet in enumerate(hand_bets(game), 1)}
    return np.array([place[b.conditions] if b.shows == "hands" else 0 for b in map(game.bet, bets)], np.int32)


def all_classes(game: Game, shown: NDArray[np.uint8]) -> NDArray[np.int32]:
    """The classes of coups (rows, columns): as `classify` has them, then the line that each of `hand_bets` pays by."""
    first = classify(game, shown)[:, np.newaxis]
    return np.hstack([first, lines_met(game, shown)]).astype(np.int32) if hand_bets(game) else first


@lru_cache(maxsize=32)
def all_pays(game: Game, bets: tuple[str, ...]) -> Floats:
    """What a coup pays (classes, bets) per unit staked, by the class in the bet's column of `all_classes`; not a number
    beyond a column's classes."""
    of_class = pays(game, bets)
    lines = [[float(line.pay) for line in bet.pays] for bet in map(game.bet, bets)]
    every = np.full((max(len(of_class), *(len(of) + 1 for of in lines)), len(bets)), nan)
    every[: len(of_class)] = of_class
    for i in np.flatnonzero(columns_of(game, bets)).tolist():
        every[: len(lines[i]) + 1, i] = [*lines[i], -1.0]
    return every


def classify(game: Game, shown: NDArray[np.uint8]) -> NDArray[np.int32]:
    """The class, a place in `event_classes`, of what each coup showed, (rows, 5 or 11) as in `shoes.Coups`."""
    player, banker, player_cards, banker_cards, first = shown[:, :5].T.astype(np.intp)
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
    pay = bet.pay(shown)
    return pay.numerator * (bet.denominator // pay.denominator)


@lru_cache(maxsize=1024)
def needs(bet: Bet) -> Knows:
    """The coarsest kind of composition that prices the bet."""
    if bet.shows == "hands":
        from counting.games.hands import needed

        return needed(bet.conditions)
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
