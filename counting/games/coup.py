"""What a coup shows: its outcome, and the pairs and suits of the first two cards."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple


class Outcome(NamedTuple):
    """What a coup shows when it is over: the totals (0 to 9) and the number of cards (2 or 3) of each hand."""

    player_total: int
    banker_total: int
    player_cards: int
    banker_cards: int

    @property
    def winner(self) -> str:
        if self.player_total == self.banker_total:
            return "tie"
        return "player" if self.player_total > self.banker_total else "banker"

    @property
    def margin(self) -> int:
        return abs(self.player_total - self.banker_total)

    @property
    def cards(self) -> int:
        return self.player_cards + self.banker_cards

    @property
    def natural(self) -> bool:
        """Whether a hand has 8 or 9 on two cards. If a natural ends the coup, the winner has a natural; in a tie, both
        hands have one."""
        return any(
            total >= 8 and cards == 2
            for total, cards in ((self.player_total, self.player_cards), (self.banker_total, self.banker_cards))
        )


class First(NamedTuple):
    """What the first two cards of each hand show: whether their ranks are equal, and whether their suits are equal."""

    player_pair: bool
    player_suited: bool
    banker_pair: bool
    banker_suited: bool

    @property
    def pairs(self) -> int:
        """The number of hands that begin with a pair."""
        return self.player_pair + self.banker_pair

    @property
    def perfect_pairs(self) -> int:
        """The number of hands that begin with two cards of the same rank and suit."""
        return (self.player_pair and self.player_suited) + (self.banker_pair and self.banker_suited)

    @property
    def code(self) -> int:
        """0 to 15: the index in `FIRSTS`."""
        return sum(shown << i for i, shown in enumerate(self))


FIRSTS = tuple(First(*reversed(bits)) for bits in product((False, True), repeat=4))
