"""The slow twin: event counts written straight from the rule sheet, in plain Python integers.

It deals cards one at a time out of the composition and looks at what a dealer looks at. Nothing here
is shared with the evaluator but the game's data. Used by tests and by verification only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from counting.cards import Shoe
from counting.rules import STOOD, Game, Outcome


def _draws(left: list[int]) -> Iterator[tuple[int, int]]:
    """Draw one card each way: its value and in how many ways; the card is out while the caller looks."""
    for value in range(10):
        ways = left[value]
        if ways:
            left[value] -= 1
            yield value, ways
            left[value] += 1


def outcomes(game: Game, shoe: Shoe) -> Counter[Outcome]:
    """The number of ordered six-card deals with each outcome, for a shoe of six cards or more."""
    left = list(shoe.values)
    found: Counter[Outcome] = Counter()
    for p1, n1 in _draws(left):
        for b1, n2 in _draws(left):
            for p2, n3 in _draws(left):
                for b2, n4 in _draws(left):
                    _finish(game, left, (p1 + p2) % 10, (b1 + b2) % 10, n1 * n2 * n3 * n4, found)
    return found


def _finish(game: Game, left: list[int], player: int, banker: int, ways: int, found: Counter[Outcome]) -> None:
    """Third cards by the tableau. Cards that the coup does not use may fall in any order."""
    unused = sum(left)
    two_unused = unused * (unused - 1)
    tableau = game.tableau
    if player >= 8 or banker >= 8:
        found[Outcome(player, banker, 2, 2)] += ways * two_unused
        return
    if not tableau.player[player]:
        if not tableau.banker[banker][STOOD]:
            found[Outcome(player, banker, 2, 2)] += ways * two_unused
            return
        for card, n in _draws(left):
            found[Outcome(player, (banker + card) % 10, 2, 3)] += ways * n * (unused - 1)
        return
    for third, n in _draws(left):
        total = (player + third) % 10
        if not tableau.banker[banker][third]:
            found[Outcome(total, banker, 3, 2)] += ways * n * (unused - 1)
            continue
        for card, m in _draws(left):
            found[Outcome(total, (banker + card) % 10, 3, 3)] += ways * n * m


def events(game: Game, shoe: Shoe) -> dict[str, int]:
    """As `counting.events`."""
    found = outcomes(game, shoe)
    return {name: sum(found[o] for o in happening) for name, happening in game.events.items()}


def exact_edges(game: Game, shoe: Shoe) -> dict[str, Fraction]:
    """As `counting.exact_edges`: every outcome paid by the first line that it fits."""
    found = outcomes(game, shoe)
    total = sum(found.values())
    return {bet.name: sum((bet.pay(o) * n for o, n in found.items()), Fraction()) / total for bet in game.bets}
