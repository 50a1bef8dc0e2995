"""Tableaux: who draws a third card, and when."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Annotated, ClassVar

from pydantic import BeforeValidator

from counting.games.coup import Outcome
from counting.io.toml import Frozen

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
    """Which hand draws a third card: `player[total]`; `banker[total][third]`, with third 10 if Player stood."""

    by_total: ClassVar = ("banker",)

    player: Annotated[tuple[bool, ...], BeforeValidator(_letters(8))]
    banker: Annotated[tuple[Annotated[tuple[bool, ...], BeforeValidator(_letters(11))], ...], BeforeValidator(_rows)]

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
