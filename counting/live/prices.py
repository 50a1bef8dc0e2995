"""Exact edges of all bets of a game on many shoes at once, and the systems whose triggers are reached."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from counting.arrays import Bools, Floats, Int32s, Ints
from counting.cards import COUP, DECK, SUITS, VALUE_OF_RANK, WIDTH, Knows, Shoe, coarser
from counting.exact import required_detail, settlement
from counting.games import Game
from counting.live.shoes import CODES, Seen, State
from counting.logs import TEN_OR_FACE
from counting.systems import System


def _kinds(knows: Knows) -> Int32s:
    """A row for each code of a card (codes, width), which is 1 at the card's place in a composition, and 0 elsewhere.
    It is 0 everywhere if the code does not tell the card's place."""
    table = np.zeros((CODES, WIDTH[knows]), np.int32)
    for code in range(CODES):
        if code == TEN_OR_FACE:
            if knows == "value":
                table[code, 0] = 1
            continue
        rank = code // len(SUITS) if code < DECK else code - DECK
        if knows == "value":
            table[code, VALUE_OF_RANK[rank]] = 1
        elif knows == "rank":
            table[code, rank] = 1
        elif code < DECK:
            table[code, code] = 1
    return table


_KINDS: dict[Knows, Int32s] = {"value": _kinds("value"), "rank": _kinds("rank"), "card": _kinds("card")}
_VAGUE = {knows: np.flatnonzero(table.sum(axis=1) == 0) for knows, table in _KINDS.items()}


class Prices:
    """The bets of a game and the triggers of systems. `decks` is the number of decks of a shoe if the log does not give
    it."""

    def __init__(self, game: Game, decks: int, systems: Sequence[System] = ()) -> None:
        self.game, self.decks, self.systems = game, decks, tuple(systems)
        self.bets = game.bet_names
        self.place = {bet: number for number, bet in enumerate(self.bets)}
        by: dict[Knows, list[int]] = {"value": [], "rank": [], "card": []}
        for number, bet in enumerate(game.bets):
            by[required_detail(bet)].append(number)
        self._parts = [
            (knows, places, settlement(game, [self.bets[number] for number in places]).laid_out())
            for knows, places in by.items()
            if places
        ]
        deck = Shoe.decks(1).counts
        self._deck = {knows: np.array(coarser(deck, knows), np.int32) for knows in _KINDS}
        self.triggers = [
            (number, bet) for number, system in enumerate(systems)
            for bet in (system.bets if system.bets is not None else self.bets) if bet in self.bets
        ]  # fmt: skip

    def left(self, seen: Int32s, decks: Int32s, knows: Knows) -> Int32s:
        """The number of unseen cards of each kind in each shoe (shoes, kinds). Seen cards that are not known in this
        detail are not subtracted. If a number is below 0, the shoe cannot have had the cards seen."""
        return np.asarray(decks[:, None] * self._deck[knows] - seen @ _KINDS[knows], np.int32)

    def fits(self, seen: Int32s, left: Int32s, knows: Knows) -> Bools:
        """For each shoe, whether the bets that need this detail can be priced (shoes,). They can if enough cards are
        left, no number in `left` is below 0, and every seen card is known in this detail."""
        fits = np.all(left >= 0, axis=1) & (left.sum(axis=1) >= COUP)
        return np.asarray(fits & (seen[:, _VAGUE[knows]].sum(axis=1) == 0))

    def of(self, shoes: Sequence[Seen], logged: Sequence[int | None] | None = None) -> list[State]:
        """Price shoes, and return their states. `shoes` has the cards seen of each shoe. `logged` has each shoe's
        number of decks, None if the log does not give it. An edge that cannot be known is NaN."""
        if not shoes:
            return []
        seen = np.array(shoes, np.int32).reshape(-1, CODES)
        decks = np.array([each or self.decks for each in logged or [None] * len(shoes)], np.int32)
        cards_left = {knows: self.left(seen, decks, knows) for knows in _KINDS}
        fits: dict[Knows, Bools] = {knows: np.all(counts >= 0, axis=1) for knows, counts in cards_left.items()}
        cards = cards_left["value"].sum(axis=1, dtype=np.int64)
        edges = np.full((len(seen), len(self.bets)), np.nan)
        for knows, places, price in self._parts:
            rows = self.fits(seen, cards_left[knows], knows)
            if rows.all():
                edges[:, places] = price.edges(cards_left[knows])
            elif rows.any():
                priced = price.edges(np.ascontiguousarray(cards_left[knows][rows]))
                edges[np.ix_(np.flatnonzero(rows), np.array(places))] = priced
        possible = fits["value"] & fits["rank"] & fits["card"] & (cards >= 0)
        reached, counts = self._counted(seen, decks, cards_left, fits, cards)
        columns = (part.tolist() for part in (cards, possible, edges, reached, counts))
        return [State(*row) for row in zip(*columns, strict=True)]

    def _counted(
        self, seen: Int32s, decks: Int32s, left: dict[Knows, Int32s], fits: dict[Knows, Bools], cards: Ints
    ) -> tuple[Bools, Floats]:
        reached = np.zeros((len(seen), len(self.triggers)), np.bool_)
        counts = np.full((len(seen), len(self.systems)), np.nan)
        for system_row, system in enumerate(self.systems):
            knows = system.knows
            rows = fits[knows] & (cards > 0)
            if knows != "value":
                rows &= seen[:, _VAGUE[knows]].sum(axis=1) == 0
            if not rows.any():
                continue
            running, unseen = np.empty(np.count_nonzero(rows), np.int32), cards[rows]
            for in_decks in dict.fromkeys(decks[rows].tolist()):
                of_decks = decks[rows] == in_decks
                running[of_decks] = system.running(left[knows][rows][of_decks], in_decks)
            number = system.reached(running, unseen, unseen)
            counts[rows, system_row] = running * DECK / unseen if system.count == "true" else running
            for column, (system_number, bet) in enumerate(self.triggers):
                if system_number == system_row:
                    reached[rows, column] = number > system.scored.index(system.on(bet))
        return reached, counts
