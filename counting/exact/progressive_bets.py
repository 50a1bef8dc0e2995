"""Progressive bets: the edge as a function of the meter, and the meter at which it is zero."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from pathlib import Path

from counting.cards import Shoe
from counting.exact.known_cards import KnownCards
from counting.exact.one_shoe import price_shoe
from counting.games import Game


@dataclass(frozen=True)
class Meter:
    """A bet's edge at a meter of m units of the stake: `at_zero` + `slope` * m."""

    at_zero: Fraction
    slope: Fraction

    def edge(self, meter: Fraction | int) -> Fraction:
        """The edge at this meter."""
        return self.at_zero + self.slope * meter

    @property
    def zero(self) -> Fraction | None:
        """The meter at which the edge is zero; None if no coup pays a share of the meter. It is below 0 if the other
        lines alone are worth more than the stake."""
        return -self.at_zero / self.slope if self.slope else None

    @property
    def least(self) -> int | None:
        """The least meter in whole units at which the bettor has no disadvantage; None if there is no such meter."""
        if self.zero is None:
            return 0 if self.at_zero >= 0 else None
        return max(0, ceil(self.zero))


def meters(
    game: Game | str | Path, shoe: Shoe | str, known: KnownCards | str | None = None, bets: Iterable[str] | None = None
) -> dict[str, Meter]:
    """The edge of each progressive bet as a function of the bet's meter. Arguments and errors are as for `exact_edges`.

    >>> from counting import Bet, Shoe, load_game
    >>> from counting.exact import meters
    >>> nines = Bet.of("nines", {"tie player_total=9": "meter", "tie": "push"}, meter=80)
    >>> meters(load_game("punto-banco").with_bets(nines), Shoe.decks(8))["nines"].least
    83
    """
    priced = price_shoe(game, shoe, known, bets)
    return meters_of(priced.game, priced.probabilities)


def meters_of(game: Game, probabilities: Mapping[str, Fraction]) -> dict[str, Meter]:
    """The edges of `meters`, from the probabilities of the game's events."""
    return {bet.name: _meter(game, bet.name, probabilities) for bet in game.bets if bet.meter is not None}


def _meter(game: Game, name: str, probabilities: Mapping[str, Fraction]) -> Meter:
    at_zero, slope = Fraction(-1), Fraction()
    for line, (event, pay) in zip(game.bet(name).pays, game.settlement[name], strict=True):
        at_zero += (1 + (pay if line.share is None else 0)) * probabilities[event]
        slope += (line.share or 0) * probabilities[event]
    return Meter(at_zero, slope)
