"""Winning and losing streaks of a bet, from the coups of a log or of dealt shoes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Floats, Ints
from counting.audit.hands import RANK_OF_CODE, may_be_pair
from counting.audit.unseen_cards import KIND, UnseenCards
from counting.cards import DECK, SUITS, WIDTH
from counting.exact import needs
from counting.exact import paid as bet_paid
from counting.games import Game
from counting.logs import NO_CARD, UNREAD, Log, card_codes


def run_before(counted: NDArray[np.bool_], broken: NDArray[np.bool_], first: NDArray[np.bool_]) -> Ints:
    """The length of the run before each coup (rows): coups that count since the last one that breaks it, in a shoe
    whose first coup is marked."""
    before: Ints = np.cumsum(counted) - counted
    anew = first.copy()
    anew[1:] |= broken[:-1]
    return np.asarray(before - np.maximum.accumulate(np.where(anew, before, 0)), np.int64)


def streaks(paid: Floats, first: NDArray[np.bool_]) -> Ints:
    """Length of the winning streak before each coup of its shoe for a bet with these pays (rows), negative for a losing
    streak; pushes neither make a streak nor break one."""
    won, lost = paid > 0, paid < 0
    return run_before(won, lost, first) - run_before(lost, won, first)


class Streaks:
    """Length of each bet's winning streak before each coup of its shoe, negative for a losing streak; pushes, and coups
    with an unknown result, neither make a streak nor break one."""

    def __init__(self, log: Log, unseen: UnseenCards, game: Game) -> None:
        codes = card_codes(log.coups)
        values = np.where(codes >= 0, KIND["value"][codes.clip(0)], 0)
        player, banker = (values[:, at : at + 3].sum(axis=1) % 10 for at in (0, 3))
        cards = [2 + (codes[:, at] != NO_CARD) for at in (2, 5)]
        self.first = np.zeros(len(codes), np.bool_)
        self.first[unseen.start] = True
        shows = [_two(codes[:, at], codes[:, at + 1]) for at in (0, 3)]
        self.shown = np.stack([player, banker, *cards, shows[0] + 4 * shows[1]], axis=1).astype(np.uint8)
        may = np.zeros((10, 10, 2, 2), np.bool_)
        for outcome in game.tableau.outcomes:
            may[outcome.player_total, outcome.banker_total, outcome.player_cards - 2, outcome.banker_cards - 2] = True
        two = (codes[:, [0, 1, 3, 4]] >= 0).all(axis=1) & (codes != UNREAD).all(axis=1)
        self.is_known = two & log.coups["more"].is_null().to_numpy() & may[player, banker, cards[0] - 2, cards[1] - 2]
        self.known = {knows: (codes < 0) | (KIND[knows][codes.clip(0)] < WIDTH[knows]) for knows in WIDTH}
        self.game = game

    def of(self, bet: str) -> Ints:
        is_known = self.is_known & self.known[needs(self.game.bet(bet))].all(axis=1)
        paid = np.zeros(len(self.shown))
        paid[is_known] = bet_paid(self.game, (bet,), self.shown[is_known])[:, 0]
        return streaks(paid, self.first)


def _two(first: NDArray[np.int8], second: NDArray[np.int8]) -> Ints:
    """What two cards show: 1 for a pair, 2 for one suit (see `coup.First`)."""
    known = (first >= 0) & (second >= 0)
    pair = known & ~may_be_pair(first, second) & (RANK_OF_CODE[first.clip(0)] == RANK_OF_CODE[second.clip(0)])
    suited = known & (np.maximum(first, second) < DECK) & (first % len(SUITS) == second % len(SUITS))
    return np.asarray(pair + 2 * suited, np.int64)
