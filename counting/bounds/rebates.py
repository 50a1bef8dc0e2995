"""What a rebate on losses is worth to a patron who does not count: every coup has the full shoe's chances.

**Break-even.** A rebate r on the net loss gives the patron no edge if r is at most

    house edge / mean loss

for every bet. Proof: let w^- be max(-w, 0) and G(w) = w + r w^-. For the pay X of any stakes, (w + X)^- - w^- <= X^-.
So each unit staked on a bet at a coup adds at most r (mean loss) - house edge to the mean of G. This is at most 0. If r
is above this rate for some bet, making this bet once, at w = 0, wins on average.

**Threshold.** Let the rebate be paid on the part of the loss above T. A net result w is then worth G(w + T) - T. Let
V(w) be the best mean of G from w. From a net result of 0, the rebate is worth V(T) - T. The win exit is the least net
result at and above which stopping is best. The rebate gives the patron no edge if and only if T is at least the win
exit."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import inf
from pathlib import Path

import numpy as np

from counting.arrays import Floats
from counting.bounds.net_results import NetGame, full_chances
from counting.cards import Shoe
from counting.errors import real
from counting.exact import PricedShoe, break_even_rebate, price_shoe
from counting.games import Game, as_game

_NEAR = 1e-9


def break_even(game: Game | str | Path, bet: str, decks: int = 8, rebate: Fraction = Fraction()) -> Fraction:
    """The largest rate of a rebate on the net loss that gives no edge to a patron who makes only this bet and does not
    count.

    The rate is the house edge divided by the mean loss, both per unit staked. `rebate` is a share of every stake that
    is paid back whatever the outcome, so it reduces the house edge and every loss. The rate is 0 for a bet without a
    house edge, and therefore also with a `rebate` of 1.

    Raises `InputError` for a `rebate` that is not from 0 to 1, and as `price_shoe` does.

    >>> from counting import load_game
    >>> round(float(break_even(load_game("punto-banco"), "banker-5")), 6)
    0.023707
    """
    real(rebate, "rebate", 0, 1)
    priced = price_shoe(as_game(game), Shoe.decks(decks), bets=[bet])
    return break_even_rebate((pay + rebate, chance) for pay, chance in _pays(priced, bet))


def _pays(priced: PricedShoe, bet: str) -> list[tuple[Fraction, Fraction]]:
    """The pay and the chance of each pay table line and, last, of losing the stake."""
    lines = [(pay, priced.probabilities[event]) for event, pay in priced.game.settlement[bet]]
    return [*lines, (Fraction(-1), 1 - sum((chance for _, chance in lines), Fraction()))]


@dataclass(frozen=True)
class WithoutCounting:
    """What the best betting and stopping wins for a patron who does not count.

    - `worth`: the expected win in units until the rebate is paid
    - `win_exit`: the least net result, in units, at and above which further play wins nothing, for a rebate without a
      threshold. It is infinite if the lattice has no such point, for example if some stakes win even without a rebate
      on losses"""

    worth: float
    win_exit: float


def without_counting(game: NetGame, coups: int) -> WithoutCounting:
    """What the best play over `coups` independent coups wins: at each coup the best of the game's stakes, or none.

    The worth is exact if all pays are whole steps of the lattice and no net result passes its ends. Otherwise it is an
    upper bound."""
    chances = full_chances(game.seat, game.pays)
    net = (np.arange(game.points) - game.zero) * game.step
    plain = net + game.seat.loss_rebate * np.maximum(-net, 0)  # with the rebate, but without its threshold
    best = plain
    for _ in range(coups):
        best = np.maximum(best, np.max([_mean(game, best, chances, v) for v in range(len(game.stakes))], axis=0))
    gains = np.flatnonzero(best > plain + _NEAR * game.step)
    if len(gains) and gains[-1] == game.points - 1:
        win_exit = inf
    else:
        win_exit = max(0.0, float(net[gains[-1] + 1])) if len(gains) else 0.0
    above = game.seat.loss_above
    return WithoutCounting(float(np.interp(above, net, best)) - above, win_exit)


def _mean(game: NetGame, table: Floats, chances: Floats, vertex: int) -> Floats:
    """The mean of `table`, a function of the net result (points,), after a coup with the stakes `vertex`."""
    places, mean = np.arange(game.points), np.zeros(game.points)
    for cls, chance in enumerate(chances):
        jump = game.jump_of[vertex, cls]
        for step, weight in ((0, 1 - game.rest[jump]), (1, game.rest[jump])):
            if weight:
                mean += chance * weight * _read(game, table, places + game.low[jump] + step)
    return mean


def _read(game: NetGame, table: Floats, places: Floats) -> Floats:
    """The values of a function of the net result at places of the lattice, or beyond its ends."""
    inside = np.clip(places, 0, game.points - 1)
    beyond = places - inside
    return np.asarray(table[inside] + game.step * np.where(beyond < 0, game.slope, 1) * beyond)
