"""Tableaux: who draws a third card, and when."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from itertools import product
from typing import Annotated, ClassVar, Literal

from pydantic import BeforeValidator

from counting.games.coup import Outcome
from counting.io.toml import Frozen

NATURAL = 8  # a total of this or more, on two cards
STOOD = 10  # the column of Banker's table for a Player who stood


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
    """Which hand draws a third card: `player[total]`; `banker[total][third]`, with third 10 if Player stood.

    `drawn_on`: whose naturals do not end the coup, as in a machine programmed wrongly. The hand that has one stands,
    and the other draws by the tableau, unless it has one that ends the coup.
    """

    by_total: ClassVar = ("banker",)

    player: Annotated[tuple[bool, ...], BeforeValidator(_letters(8))]
    banker: Annotated[tuple[Annotated[tuple[bool, ...], BeforeValidator(_letters(11))], ...], BeforeValidator(_rows)]
    drawn_on: Literal["player", "banker", "both"] | None = None

    @cached_property
    def ending(self) -> tuple[bool, bool]:
        """Whether Player's naturals end the coup, and Banker's."""
        return self.drawn_on not in ("player", "both"), self.drawn_on not in ("banker", "both")

    def ends(self, player: int, banker: int) -> bool:
        """Whether two-card totals end the coup: a natural that is not drawn on."""
        return (player >= NATURAL and self.ending[0]) or (banker >= NATURAL and self.ending[1])

    def player_draws(self, player: int, banker: int) -> bool:
        """Whether Player draws, by the hands' two-card totals."""
        return player < NATURAL and self.player[player] and not self.ends(player, banker)

    def banker_draws(self, player: int, banker: int, third: int) -> bool:
        """Whether Banker draws, by the hands' two-card totals and Player's third card (`STOOD`: none)."""
        return banker < NATURAL and self.banker[banker][third] and not self.ends(player, banker)

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:
        """Every possible outcome, in order."""
        return tuple(sorted(set(self._outcomes())))

    @cached_property
    def by_winner(self) -> dict[str, frozenset[Outcome]]:
        """The outcomes in which each hand wins, and those that are ties."""
        return {
            winner: frozenset(outcome for outcome in self.outcomes if outcome.winner == winner)
            for winner in ("player", "banker", "tie")
        }

    def _outcomes(self) -> Iterable[Outcome]:
        digits = range(10)
        for p, b in product(digits, digits):
            draws = self.player_draws(p, b)
            for third in digits if draws else (STOOD,):
                total, cards = ((p + third) % 10, 3) if draws else (p, 2)
                if self.banker_draws(p, b, third):
                    yield from (Outcome(total, (b + c) % 10, cards, 3) for c in digits)
                else:
                    yield Outcome(total, b, cards, 2)
