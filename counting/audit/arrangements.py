"""Arrangements of a logged shoe that look the same to everyone at the table but a card counter.

Two hands of two cards change places where their totals are the same, both are pairs or neither is, and, where a bet at
the table looks at suits, both are suited or neither is. Third cards, burned cards and unread cards stay. Then
every total, every third card and so every result of every bet stays, and so do the numbers of cards; only the cards
that make a total move. A shuffled shoe deals each of these arrangements with the same chance.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Floats, Ints
from counting.audit import _permute
from counting.audit.hands import NO_RANK, RANK_OF_CODE, VALUE_OF_CODE, may_be_pair
from counting.audit.unseen_cards import KIND, UnseenCards
from counting.cards import COUP, DECK, SUITS, WIDTH, Knows
from counting.exact import needs, pricer
from counting.games import Game
from counting.io.toml import digest
from counting.logs import NO_CARD, Log, card_codes

_HANDS = ((0, 1), (3, 4))  # places of the first two cards
_SUITED, _PLAIN, _UNKNOWN = range(3)
_PAIRS = 3 + NO_RANK  # kinds of two cards by rank: a pair, none, or what may be one


def stream(*names: str) -> int:
    """The random numbers of a shoe, or of a patron on a bet, whatever else is in the log."""
    return int(digest(names)[:15], 16)


class _Shoe(NamedTuple):
    """A shoe's hands that move, sorted by class, and the cards of each coup that stay, as codes."""

    stream: int
    class_of: NDArray[np.int32]
    hands: Ints  # (hands, 2)
    place_of: NDArray[np.int32]  # (coups, 2)
    stay: list[tuple[int, int]]  # coup and code


class Arrangements:
    """The shoes of a log, each with its two-card hands grouped by class, for the bets of a game."""

    def __init__(self, log: Log, unseen: UnseenCards, game: Game, seed: int) -> None:
        self.unseen, self.game, self.seed = unseen, game, seed
        self._codes = card_codes(log.coups)
        self._whole = log.coups["more"].is_null().to_numpy() & (self._codes[:, [0, 1, 3, 4]] != NO_CARD).all(axis=1)
        self._more: dict[int, list[int]] = {
            row: [code for code in more if code >= 0] for row, more in enumerate(log.coups["more"]) if more is not None
        }
        starts = set(unseen.start.tolist())
        for row, burned in enumerate(log.coups["burn"]):
            if burned is not None and row not in starts:  # gone after the coup before
                self._more[row - 1] = self._more.get(row - 1, []) + [code for code in burned if code >= 0]
        self._names = log.coups.select("table", "shoe").rows()
        self._suits = any(needs(bet) == "card" for bet in game.bets)
        self._shoes: dict[int, _Shoe] = {}

    @cached_property
    def moving(self) -> float:
        """The share of the log's hands that have another of their class in the shoe."""
        alike = hands = 0
        for shoe in range(len(self.unseen.start)):
            counted = np.bincount(self._of(shoe).class_of)
            alike += int(counted[counted > 1].sum())
            hands += 2 * len(self._of(shoe).place_of)
        return alike / hands if hands else 0.0

    def edges(self, bet: str, shoes: Sequence[int] | Ints, number: int) -> Iterator[Floats]:
        """For each shoe the edges (arrangements, coups) of a bet at the start of its coups: its own arrangement first,
        then random ones; not-a-number throughout if one of them cannot be priced."""
        knows = needs(self.game.bet(bet))
        full = self.unseen.left(knows)
        price = pricer(self.game, (bet,))

        def priced(shoe: int) -> Floats:
            rows = self.rows(shoe)
            left = self._left(shoe, knows, full[rows], number)
            priced_edges = np.full(left.shape[:2], np.nan)
            possible = ((left >= 0).all(axis=(0, 2))) & (left[0].sum(axis=1) >= COUP)
            possible &= self.unseen.known(knows)[rows]
            some = np.ascontiguousarray(left[:, possible])
            if some.size:
                edges = price.edges(some.reshape(-1, WIDTH[knows]))
                priced_edges[:, possible] = edges.reshape(len(left), -1)
            return priced_edges

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            yield from pool.map(priced, map(int, shoes))

    def left(self, shoe: int, knows: Knows, number: int) -> NDArray[np.int32]:
        """The cards left (arrangements, coups, kinds) at the start of each coup of a shoe, as it was dealt first."""
        return self._left(shoe, knows, self.unseen.left(knows)[self.rows(shoe)], number)

    def rows(self, shoe: int) -> slice:
        """The rows of a shoe's coups."""
        return slice(int(self.unseen.start[shoe]), int(self.unseen.end[shoe]))

    def _left(self, shoe: int, knows: Knows, as_dealt: NDArray[np.int32], number: int) -> NDArray[np.int32]:
        of, kind, kinds = self._of(shoe), KIND[knows], WIDTH[knows]
        coups = len(as_dealt)
        stay = np.zeros((coups, kinds + 1), np.int32)
        for coup, code in of.stay:
            stay[coup, kind[code]] += 1
        left = np.empty((number + 1, coups, kinds), np.int32)
        _permute.rearrange(
            self.seed, of.stream, of.class_of, np.asarray(kind[of.hands], np.int32).reshape(-1, 2), of.place_of,
            np.ascontiguousarray(stay[:, :kinds]), np.ascontiguousarray(as_dealt[0]),
            np.arange(len(of.class_of), dtype=np.int32), left,
        )  # fmt: skip
        return left

    def _of(self, shoe: int) -> _Shoe:
        if shoe not in self._shoes:
            self._shoes[shoe] = self._read(shoe)
        return self._shoes[shoe]

    def _read(self, shoe: int) -> _Shoe:
        start, end = self.rows(shoe).start, self.rows(shoe).stop
        codes, whole = self._codes[start:end].astype(np.int64), self._whole[start:end]
        pairs = np.stack([codes[:, list(at)] for at in _HANDS], axis=1)  # coups, hands, cards
        moves = whole[:, np.newaxis] & (pairs >= 0).all(axis=2)
        coup, side = np.nonzero(moves)
        hands = pairs[coup, side]
        classes = self._classes(hands)
        order = np.argsort(classes, kind="stable")
        place_of = np.full(moves.shape, -1, np.int32)
        place_of[coup[order], side[order]] = np.arange(len(order))
        stay = [(int(c), int(code)) for c, s in np.argwhere(~moves) for code in pairs[c, s].tolist() if code >= 0]
        thirds = codes[:, [2, 5]]
        stay += [(int(c), int(thirds[c, s])) for c, s in np.argwhere(thirds >= 0)]
        stay += [(row - start, code) for row in range(start, end) for code in self._more.get(row, ())]
        return _Shoe(stream(*self._names[start]), classes[order].astype(np.int32), hands[order], place_of, stay)

    def _classes(self, hands: Ints) -> Ints:
        """A number for what everyone saw of each hand: its total, whether it is a pair, and whether it is suited if
        that pays."""
        first, second = hands.T
        a, b = RANK_OF_CODE[first], RANK_OF_CODE[second]
        pair = np.where(may_be_pair(first, second), 2 + np.minimum(a, b), a == b)
        codes: Ints = _PAIRS * ((VALUE_OF_CODE[first] + VALUE_OF_CODE[second]) % 10) + pair
        if self._suits:
            suited = np.where(first % len(SUITS) == second % len(SUITS), _SUITED, _PLAIN)
            codes = 3 * codes + np.where(np.maximum(first, second) < DECK, suited, _UNKNOWN)
        return codes
