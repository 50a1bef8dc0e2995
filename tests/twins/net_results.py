"""A slow reference implementation of rebates on a shoe's loss: net results are keys of dictionaries, and every deal of
the last two coups is tried.

The code follows Theorem 10 of `docs/methods.md`, with functions of the net result and of stakes in plain Python. From
the package it takes only the tableau and the chances of outcomes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from counting.games import STOOD, Tableau

Worth = Callable[[float], float]


@dataclass(frozen=True)
class Coup:
    """A coup as dealt: its outcome, and the chances of all outcomes. For each state after the coup: the continuation C,
    and the increment of the part of C that is linear in the edges, a . D."""

    dealt: int
    chances: Sequence[float]
    ahead: Sequence[Worth]
    moved: Sequence[Worth]


def increment(coup: Coup, net: float, pays: Sequence[float], state: int, end: Worth) -> float:
    """The increment Z for stakes that pay `pays`, by outcome. `state`: the state after the coup; `len(coup.ahead)`
    means that the player is out."""
    out = state == len(coup.ahead)
    after = end if out else coup.ahead[state]
    taken = after(net + pays[coup.dealt])
    for chance, pay in zip(coup.chances, pays, strict=True):
        taken -= chance * after(net + pay)
        if not out:
            taken += chance * coup.moved[state](net + pay)
    return taken


def upper(
    coups: Sequence[Coup], pays: Sequence[Sequence[float]], after: Sequence[Sequence[int]], end: Worth, start: float
) -> float:
    """H: the largest value, over all schedules of bets, of the worth at the end less the increments. `pays`: (vertices,
    outcomes). `after`: the next state, (states, vertices)."""
    kept: dict[tuple[int, int, float], float] = {}

    def best(at: int, state: int, net: float) -> float:
        if at == len(coups) or state == len(after):
            return end(net)
        key = at, state, round(net, 9)
        if key not in kept:
            values = []
            for vertex, of_vertex in enumerate(pays):
                to = after[state][vertex]
                if to >= 0:
                    ahead = best(at + 1, to, net + of_vertex[coups[at].dealt])
                    values.append(ahead - increment(coups[at], net, of_vertex, to, end))
            kept[key] = max(values)
        return kept[key]

    return best(0, 0, start)


def lower(
    coups: Sequence[Coup], pays: Sequence[Sequence[float]], after: Sequence[Sequence[int]], end: Worth, start: float
) -> tuple[list[int], list[float], float]:
    """The policy that chooses the best mean of C at each coup. Returns its vertices (-1 after the player is out), its
    increments, and the net result at the end."""
    chosen, taken, net, state = [], [], start, 0
    for coup in coups:
        if state == len(after):
            chosen.append(-1)
            taken.append(0.0)
            continue
        worth = {}
        for vertex, of_vertex in enumerate(pays):
            to = after[state][vertex]
            if to >= 0:
                ahead = end if to == len(after) else coup.ahead[to]
                worth[vertex] = sum(c * ahead(net + pay) for c, pay in zip(coup.chances, of_vertex, strict=True))
        vertex = max(worth, key=worth.__getitem__)
        chosen.append(vertex)
        taken.append(increment(coup, net, pays[vertex], after[state][vertex], end))
        net, state = net + pays[vertex][coup.dealt], after[state][vertex]
    return chosen, taken, net


def coups_from(tableau: Tableau, left: Sequence[int]) -> dict[tuple[tuple[int, ...], int, int, int], float]:
    """Every coup from the cards `left`, by value. The key is the cards left after the coup, both totals, and Banker's
    number of cards; the value is the probability. Totals and Banker's number of cards settle Player, Banker, Tie and
    Dragon 7."""
    chances: Counter[tuple[tuple[int, ...], int, int, int]] = Counter()

    def draw(left: tuple[int, ...]) -> list[tuple[int, tuple[int, ...], float]]:
        total = sum(left)
        return [(v, (*left[:v], n - 1, *left[v + 1 :]), n / total) for v, n in enumerate(left) if n]

    start = tuple(left)
    two: Counter[tuple[tuple[int, ...], int, int]] = Counter()
    for a, after_a, p in draw(start):
        for b, after_b, q in draw(after_a):
            for c, after_c, r in draw(after_b):
                for d, after_d, s in draw(after_c):
                    two[after_d, (a + c) % 10, (b + d) % 10] += p * q * r * s
    for (cards, player, banker), chance in two.items():
        if max(player, banker) >= 8:
            chances[cards, player, banker, 2] += chance
            continue
        thirds = draw(cards) if tableau.player[player] else [(STOOD, cards, 1.0)]
        for third, rest, p in thirds:
            final = player if third == STOOD else (player + third) % 10
            if tableau.banker[banker][third]:
                for last, gone, q in draw(rest):
                    chances[gone, final, (banker + last) % 10, 3] += chance * p * q
            else:
                chances[rest, final, banker, 2] += chance * p
    return dict(chances)


def best_of_two(
    chances: Sequence[float],
    outcomes: Sequence[int],
    second: Sequence[Sequence[float]],
    pays: Sequence[Sequence[float]],
    end: Worth,
) -> float:
    """The largest mean worth at the end that a counter can have after two coups. For each possible first coup:
    `chances` has its probability, `outcomes` its outcome, and `second` the chances of the second coup's outcomes."""
    weights, outcome, later = np.array(chances), np.array(outcomes), np.array(second)
    means = []
    for of_vertex in pays:
        best = np.empty(len(weights))
        for dealt, net in enumerate(of_vertex):
            ends = np.array([[end(net + pay) for pay in of_second] for of_second in pays])
            at = outcome == dealt
            best[at] = (later[at] @ ends.T).max(axis=1)
        means.append(float(weights @ best))
    return max(means)


def best_without_counting(
    chances: Sequence[float], pays: Sequence[Sequence[float]], end: Worth, coups: int, net: float = 0.0
) -> float:
    """The largest mean worth at the end over `coups` independent coups, if the player may stop at any time."""
    values = {net: 0.0}
    levels = [[net]]
    for _ in range(coups):
        steps = {round(w + pay, 9) for w, of_vertex in product(levels[-1], pays) for pay in of_vertex}
        levels.append(sorted({*steps, *levels[-1]}))
    values = {w: end(w) for w in levels[-1]}
    for level in reversed(levels[:-1]):
        values = {
            w: max(
                end(w),
                *(sum(c * values[round(w + pay, 9)] for c, pay in zip(chances, of, strict=True)) for of in pays),
            )
            for w in level
        }
    return values[net]
