"""Winning and losing streaks of a bet, from the coups of a log or of dealt shoes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Floats, Ints
from counting.cards import DECK, SUITS, WIDTH
from counting.exact import required_detail, settlement
from counting.games import Game
from counting.logs import NO_CARD, UNREAD, Log
from counting.review.hand_lines import card_of_code
from counting.review.hands import RANK_OF_CODE, may_be_pair
from counting.review.unseen_cards import KIND, UnseenCards
from counting.workers import in_threads


def run_before(counted: NDArray[np.bool_], broken: NDArray[np.bool_], first: NDArray[np.bool_]) -> Ints:
    """The length of the run before each coup (rows,): how many `counted` coups there were since the last coup in
    `broken`, or since the shoe began. `first` marks the first coup of each shoe."""
    before: Ints = np.cumsum(counted) - counted
    anew = first.copy()
    anew[1:] |= broken[:-1]
    return np.asarray(before - np.maximum.accumulate(np.where(anew, before, 0)), np.int64)


def streaks(paid: Floats, first: NDArray[np.bool_]) -> Ints:
    """The length of a bet's winning streak before each coup, counted within the shoe. It is negative for a losing
    streak.

    `paid` (rows,) has the bet's pays. Pushes neither make a streak nor break it."""
    won, lost = paid > 0, paid < 0
    return run_before(won, lost, first) - run_before(lost, won, first)


class Streaks:
    """The length of each bet's winning streak before each coup, counted within the shoe. It is negative for a losing
    streak.

    Pushes, and coups with an unknown result, neither make a streak nor break it."""

    def __init__(self, log: Log, unseen: UnseenCards, game: Game) -> None:
        self.unseen, self.game = unseen, game
        self._more = log.coups["more"].is_not_null().to_numpy()
        self._may = np.zeros((10, 10, 2, 2), np.bool_)
        for outcome in game.tableau.outcomes:
            cards = outcome.player_cards - 2, outcome.banker_cards - 2
            self._may[outcome.player_total, outcome.banker_total, cards[0], cards[1]] = True

    def of(self, bet: str) -> NDArray[np.int32]:
        run = np.empty(len(self.unseen.shoe), np.int32)

        def fill(rows: slice) -> None:
            run[rows] = self._in(rows, bet)

        for _ in in_threads(fill, self.unseen.blocks()):
            pass
        return run

    def _in(self, rows: slice, bet: str) -> Ints:
        """The streaks before the coups at these rows, which are whole shoes."""
        codes = self.unseen.codes[rows]
        values = np.where(codes >= 0, KIND["value"][codes.clip(0)], 0)
        player, banker = (values[:, at : at + 3].sum(axis=1) % 10 for at in (0, 3))
        cards = [2 + (codes[:, at] != NO_CARD) for at in (2, 5)]
        shows = [_two(codes[:, at], codes[:, at + 1]) for at in (0, 3)]
        shown = np.stack([player, banker, *cards, shows[0] + 4 * shows[1], *_dealt(codes)], axis=1).astype(np.uint8)
        knows = required_detail(self.game.bet(bet))
        is_known = (codes[:, [0, 1, 3, 4]] >= 0).all(axis=1) & (codes != UNREAD).all(axis=1) & ~self._more[rows]
        is_known &= self._may[player, banker, cards[0] - 2, cards[1] - 2]
        is_known &= ((codes < 0) | (KIND[knows][codes.clip(0)] < WIDTH[knows])).all(axis=1)
        paid = np.zeros(len(shown))
        paid[is_known] = settlement(self.game, (bet,)).paid(shown[is_known])[:, 0]
        shoe = self.unseen.shoe[rows]
        return streaks(paid, np.diff(shoe, prepend=shoe[0] - 1) != 0)


def _dealt(codes: NDArray[np.int8]) -> list[Ints]:
    """The cards in the order dealt, as far as they are known, in the six columns of `simulation.Coups.shown`. If only
    Banker draws, its third card is in both of the last columns."""
    player, banker = np.split(card_of_code(codes).T, 2)
    fifth = np.where(player[2] != NO_CARD, player[2], banker[2])
    return [player[0], banker[0], player[1], banker[1], fifth, banker[2]]


def _two(first: NDArray[np.int8], second: NDArray[np.int8]) -> Ints:
    """What two cards show (see `coup.First`): 1 for a pair, 2 for two cards of one suit, 3 for both, 0 for neither."""
    known = (first >= 0) & (second >= 0)
    pair = known & ~may_be_pair(first, second) & (RANK_OF_CODE[first.clip(0)] == RANK_OF_CODE[second.clip(0)])
    suited = known & (np.maximum(first, second) < DECK) & (first % len(SUITS) == second % len(SUITS))
    return np.asarray(pair + 2 * suited, np.int64)
