"""What a coup shows, and the tableau: the rules for drawing a third card."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from itertools import product
from typing import Annotated, ClassVar, NamedTuple

from pydantic import BeforeValidator

from counting.io.toml import Frozen

STOOD = 10  # the column of Banker's table for a Player who stood


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
        """A hand has 8 or 9 on two cards, which ends the coup; it is the winner's hand, unless the coup is a tie."""
        return self.cards == 4 and max(self.player_total, self.banker_total) >= 8


class First(NamedTuple):
    """What the first two cards of each hand show: whether they are of one rank, and whether of one suit."""

    player_pair: bool
    player_suited: bool
    banker_pair: bool
    banker_suited: bool

    @property
    def pairs(self) -> int:
        """How many hands begin with a pair."""
        return self.player_pair + self.banker_pair

    @property
    def perfect_pairs(self) -> int:
        """How many hands begin with two cards of one rank and suit."""
        return (self.player_pair and self.player_suited) + (self.banker_pair and self.banker_suited)

    @property
    def code(self) -> int:
        """0 to 15: its place in `FIRSTS`."""
        return sum(shown << i for i, shown in enumerate(self))


FIRSTS = tuple(First(*reversed(bits)) for bits in product((False, True), repeat=4))


def _letters(length: int) -> Callable[[object], tuple[bool, ...]]:
    def check(value: object) -> tuple[bool, ...]:
        letters = "".join(value.split()).upper() if isinstance(value, str) else ""
        if len(letters) != length or set(letters) - {"D", "S"}:
            raise ValueError(f"should be {length} letters, D for draw or S for stand")
        return tuple(letter == "D" for letter in letters)

    return check


def _rows(value: object) -> object:
    if not isinstance(value, list | tuple) or len(value) != 8:
        raise ValueError("should be a list of eight rows, for Banker's totals 0 to 7")
    return tuple(value)


class Tableau(Frozen):
    """Which hand draws a third card: `player[total]`; `banker[total][third]`, with third 10 if Player stood."""

    by_total: ClassVar = ("banker",)

    player: Annotated[tuple[bool, ...], BeforeValidator(_letters(8))]
    banker: Annotated[tuple[Annotated[tuple[bool, ...], BeforeValidator(_letters(11))], ...], BeforeValidator(_rows)]

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:
        """Every possible outcome, in order."""
        return tuple(sorted(set(self._outcomes())))

    def _outcomes(self) -> Iterable[Outcome]:
        digits = range(10)
        for p in digits:
            for b in digits:
                if p >= 8 or b >= 8:
                    yield Outcome(p, b, 2, 2)
                elif not self.player[p]:
                    yield from (Outcome(p, (b + c) % 10, 2, 3) for c in digits if self.banker[b][STOOD])
                    if not self.banker[b][STOOD]:
                        yield Outcome(p, b, 2, 2)
                else:
                    for third in digits:
                        total = (p + third) % 10
                        if self.banker[b][third]:
                            yield from (Outcome(total, (b + c) % 10, 3, 3) for c in digits)
                        else:
                            yield Outcome(total, b, 3, 2)
