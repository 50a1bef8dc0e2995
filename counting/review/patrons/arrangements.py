"""Arrangements of a logged shoe that look the same to a patron who does not bet by the faces of cards.

The first two cards of two hands may change places, whether or not the hands draw, under these conditions:

- Both hands have the same total on two cards, and both are pairs or neither is.
- If a bet at the table looks at suits, both are suited or neither is.
- If bets at the table look at more, such as ranks or colours, both hands are alike in everything that these bets look
  at.

Third cards and burned cards stay in place. So do hands with an unread card, and coups in which a hand has one card or
more than three. So every total, every third card, every hand's number of cards and the result of every bet stay the
same. What changes is only which cards make up a two-card total. A shuffled shoe deals each of these arrangements with
the same chance.

All hands with a card of one chosen point value may be kept in place too (`Arrangements.holding`). These hands are then
the same in every arrangement."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Bools, Floats, Ints
from counting.cards import COUP, DECK, SUITS, WIDTH, Knows
from counting.exact import required_detail, settlement
from counting.games import Game, on_hands
from counting.games.hand_tables import joined
from counting.games.hands import looks_of
from counting.io.toml import digest
from counting.logs import NO_CARD, Log
from counting.review import _permute
from counting.review.hands import NO_RANK, RANK_OF_CODE, VALUE_OF_CODE, may_be_pair
from counting.review.unseen_cards import KIND, UnseenCards
from counting.workers import in_threads

PRICES = 1 << 16  # prices that a thread works out at a time
_HANDS = ((0, 1), (3, 4))  # places of the first two cards of Player and of Banker
_SUITED, _PLAIN, _UNKNOWN = range(3)
# The number of codes for whether a hand is a pair: no pair, a pair, and perhaps a pair. "Perhaps a pair" has a code for
# each rank, if one of the cards has a known rank, and one code for two cards without a known rank.
_PAIRS = 3 + NO_RANK


def stream(*names: str) -> int:
    """The stream of random numbers for a shoe, or for a patron on a bet. The rest of the log does not change it."""
    return int(digest(names)[:15], 16)


class _MovingHands(NamedTuple):
    """The hands that may move in some shoes, sorted by shoe and class, and the codes of each coup's other cards."""

    shoes: Ints
    rows: Ints  # rows of the log
    row_of: Ints  # (shoes + 1,): where the rows of each shoe begin
    hand_of: Ints  # (shoes + 1,): where the hands of each shoe begin
    class_of: NDArray[np.int32]
    hands: Ints  # (hands, 2): the codes of both cards
    place_of: NDArray[np.int32]  # (rows, 2): the places of both hands among the shoe's hands; -1 if the hand stays
    stay: tuple[Ints, Ints]  # cards that do not move: their rows and codes

    def stay_by(self, knows: Knows) -> NDArray[np.int32]:
        """How many cards of each kind stay in place in each coup (rows, kinds)."""
        kinds = WIDTH[knows] + 1
        row, code = self.stay
        cells = np.bincount(row * kinds + KIND[knows][code], minlength=len(self.rows) * kinds)
        return np.ascontiguousarray(cells.reshape(-1, kinds)[:, :-1], np.int32)


class Arrangements:
    """The arrangements of a log's shoes for the bets of a game. Hands of the same class may exchange their first two
    cards."""

    def __init__(self, log: Log, unseen: UnseenCards, game: Game, seed: int) -> None:
        self.unseen, self.game, self.seed = unseen, game, seed
        self._held: int | None = None  # hands with a card of this value stay in place
        self.seen: Callable[[int], object] = _nothing  # called with each part: its shoes times the bets
        self._whole = log.coups["more"].is_null().to_numpy() & (unseen.codes[:, [0, 1, 3, 4]] != NO_CARD).all(axis=1)
        self._streams = [stream(*name) for name in log.coups[unseen.start].select("table", "shoe").iter_rows()]
        self._suits = any(required_detail(bet) == "card" for bet in game.bets)
        self._looks = _looks(game)

    def holding(self, value: int) -> Arrangements:
        """The arrangements in which every hand with a card of this point value also stays in place."""
        held = copy(self)
        held.__dict__.pop("moving", None)
        held._held, held.seen = value, _nothing
        return held

    @cached_property
    def moving(self) -> float:
        """The share of the log's hands that may move and whose shoe has another hand of their class; 0 without
        hands."""
        alike = hands = 0
        for first, last in self.unseen.shoe_blocks():
            block = self._read(np.arange(first, last))
            shoe = np.repeat(np.arange(last - first), np.diff(block.hand_of))
            anew = np.append(True, (np.diff(shoe) != 0) | (np.diff(block.class_of) != 0))[: len(shoe)]
            counted = np.diff(np.flatnonzero(np.append(anew, True)))
            alike += int(counted[counted > 1].sum())
            hands += 2 * len(block.rows)
        return alike / hands if hands else 0.0

    def edges(self, bet: str, shoes: Sequence[int] | Ints, number: int) -> Iterator[Floats]:
        """For each shoe, the edges (arrangements, coups) of a bet at the start of its coups.

        The arrangement as dealt comes first, then `number` random arrangements. All edges of a coup are NaN if there is
        an arrangement in which it cannot be priced."""
        for edges in in_threads(lambda part: list(self.edges_of([bet], part, number)), self.parts(shoes, number)):
            yield from (of_shoe[:, :, 0] for of_shoe in edges)

    def parts(self, shoes: Sequence[int] | Ints, number: int, bets: int = 1) -> Iterator[Ints]:
        """The shoes in parts, each with about `PRICES` prices of the bets together."""
        of_shoe = bets * (number + 1) * max(len(self.unseen.shoe) // max(len(self.unseen.start), 1), 1)
        each = max(PRICES // of_shoe, 1)
        every = np.asarray(shoes, np.int64)
        for start in range(0, len(every), each):
            yield every[start : start + each]
            self.seen(bets * len(every[start : start + each]))

    def edges_of(self, bets: Sequence[str], shoes: Ints, number: int) -> Iterator[Floats]:
        """For each of some shoes, the edges (arrangements, coups, bets) of bets that need the same of the cards, each
        as in `edges`."""
        (knows,) = {required_detail(self.game.bet(bet)) for bet in bets}
        price = settlement(self.game, tuple(bets))
        for shoe, cards_left in zip(shoes.tolist(), self._left(self._read(shoes), knows, number), strict=True):
            possible = _possible(cards_left)
            if knows != "value":
                possible &= self.unseen.known_in(self.rows(shoe), knows)
            shape = (*cards_left.shape[:2], len(bets))
            if possible.all():
                yield price.edges(cards_left.reshape(-1, WIDTH[knows])).reshape(shape)
                continue
            edges = np.full(shape, np.nan)
            if possible.any():
                possible_left = np.ascontiguousarray(cards_left[:, possible]).reshape(-1, WIDTH[knows])
                edges[:, possible] = price.edges(possible_left).reshape(shape[0], -1, shape[2])
            yield edges

    def left(self, shoe: int, knows: Knows, number: int) -> NDArray[np.int32]:
        """The cards left (arrangements, coups, kinds) at the start of each coup of a shoe. The arrangement as dealt
        comes first."""
        return next(self._left(self._read(np.array([shoe])), knows, number))

    def rows(self, shoe: int) -> slice:
        """The rows of the shoe's coups."""
        return self.unseen.rows(shoe, shoe + 1)

    def _left(self, block: _MovingHands, knows: Knows, number: int) -> Iterator[NDArray[np.int32]]:
        """The cards left in each shoe of a block, as `left` gives them."""
        kinds, stay = WIDTH[knows], block.stay_by(knows)
        hands = np.ascontiguousarray(KIND[knows][block.hands], np.int32).reshape(-1, 2)
        full = self.unseen.full_of(block.shoes, knows)
        for shoe_number, shoe in enumerate(block.shoes.tolist()):
            moving = slice(block.hand_of[shoe_number], block.hand_of[shoe_number + 1])
            rows = slice(block.row_of[shoe_number], block.row_of[shoe_number + 1])
            cards_left = np.empty((number + 1, rows.stop - rows.start, kinds), np.int32)
            _permute.rearrange(
                self.seed, self._streams[shoe], block.class_of[moving], hands[moving], block.place_of[rows], stay[rows],
                full[shoe_number], np.arange(moving.stop - moving.start, dtype=np.int32), cards_left,
            )  # fmt: skip
            yield cards_left

    def _read(self, shoes: Ints) -> _MovingHands:
        """The hands and cards of some shoes, given in rising order."""
        unseen = self.unseen
        coups = unseen.end[shoes] - unseen.start[shoes]
        row_of = np.append(0, np.cumsum(coups))
        shoe_row = np.repeat(np.arange(len(shoes)), coups)
        rows = np.arange(len(shoe_row)) + (unseen.start[shoes] - row_of[:-1])[shoe_row]
        codes = unseen.codes[rows].astype(np.int64)
        pairs = np.stack([codes[:, list(positions)] for positions in _HANDS], axis=1)  # axes: rows, hands, cards
        moves = self._whole[rows][:, np.newaxis] & (pairs >= 0).all(axis=2)
        if self._held is not None:
            moves &= (VALUE_OF_CODE[pairs] != self._held).all(axis=2)
        row, side = np.nonzero(moves)
        hands = pairs[row, side]
        classes = self._classes(hands)
        order = np.lexsort((classes, shoe_row[row]))
        hand_of = np.searchsorted(shoe_row[row], np.arange(len(shoes) + 1))
        place_of = np.full(moves.shape, -1, np.int32)
        place_of[row[order], side[order]] = np.arange(len(order)) - hand_of[shoe_row[row]]
        stay_row, stay_side = np.nonzero(~moves)
        third_row, third = np.nonzero(codes[:, [2, 5]] >= 0)
        stay = [
            (np.repeat(stay_row, 2), pairs[stay_row, stay_side].ravel()),
            (third_row, codes[third_row, np.array([2, 5])[third]]),
            self._more(rows),
        ]
        row, code = (np.concatenate(each) for each in zip(*stay, strict=True))
        return _MovingHands(
            shoes, rows, row_of, hand_of, classes[order].astype(np.int32), hands[order], place_of,
            (row[code >= 0], code[code >= 0]),
        )  # fmt: skip

    def _more(self, rows: Ints) -> tuple[Ints, Ints]:
        """Cards beyond the third of a hand, and cards that leave the shoe after a coup. Two arrays: for each card, the
        place of its coup's row in `rows`, and the card's code."""
        row, code = self.unseen.beyond
        within = slice(*np.searchsorted(row, [rows[0], rows[-1] + 1]))
        nearest = np.searchsorted(rows, row[within])
        matches = rows[nearest] == row[within]
        return nearest[matches], code[within][matches]

    def _classes(self, hands: Ints) -> Ints:
        """A number for the class of each hand. Hands of a class have the same total on two cards, and both or neither
        are pairs. If a bet needs suits, both or neither are suited. If bets look at more, the cards look alike to these
        bets."""
        first, second = hands.T
        a, b = RANK_OF_CODE[first], RANK_OF_CODE[second]
        pair = np.where(may_be_pair(first, second), 2 + np.minimum(a, b), a == b)
        codes: Ints = _PAIRS * ((VALUE_OF_CODE[first] + VALUE_OF_CODE[second]) % 10) + pair
        if self._suits:
            suited = np.where(first % len(SUITS) == second % len(SUITS), _SUITED, _PLAIN)
            codes = 3 * codes + np.where(np.maximum(first, second) < DECK, suited, _UNKNOWN)
        if self._looks is not None:
            a, b = self._looks[first], self._looks[second]
            codes = (codes * len(self._looks) + np.minimum(a, b)) * len(self._looks) + np.maximum(a, b)
        return codes


def _nothing(_: int) -> None:
    """Ignore progress."""


def _looks(game: Game) -> Ints | None:
    """A class for each card code. Two cards are in the same class if no bet that the hands settle distinguishes them
    among a hand's first two cards.

    Each code with an unknown rank or suit has its own class. The result is None if these bets do not look at first
    cards."""
    tables = {table for bet in on_hands(game.bets) for table in bet.conditions}
    looks = [look for table in tables for _, feature in looks_of(table) for look in feature.first]
    if not looks:
        return None
    return np.array([*joined(looks), *range(DECK, len(RANK_OF_CODE))])


def _possible(cards_left: NDArray[np.int32]) -> Bools:
    """Whether each coup is possible in every arrangement: no number in `cards_left` (arrangements, coups, kinds) is
    negative, and enough cards are left for a coup.

    Cards only leave a shoe. So if the last coup is possible, all coups are."""
    if cards_left[:, -1].min() >= 0 and cards_left[0, -1].sum() >= COUP:
        return np.ones(cards_left.shape[1], np.bool_)
    possible: Bools = (cards_left >= 0).all(axis=(0, 2)) & (cards_left[0].sum(axis=1) >= COUP)
    return possible
