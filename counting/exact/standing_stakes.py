"""Bets with a stake that stands after some coups: for how many coups the stake stands, and what it is worth until it is
settled.

A line with `stays` pays its odds and leaves the stake for the next coup. A coup's edge, per unit at risk, is the same
as if the line paid the same odds and returned the stake. Only the number of coups for which the stake is at risk
differs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from counting.cards import Shoe
from counting.exact.one_shoe import bet_edges, price_shoe, with_replacement
from counting.games import Game, as_game


@dataclass(frozen=True)
class Standing:
    """A stake that is left until a coup settles it. `stays` is the chance that the stake still stands after a coup, and
    `edge` is the bet's edge on a coup."""

    stays: Fraction
    edge: Fraction

    @property
    def coups(self) -> Fraction | None:
        """The expected number of coups for which the stake is at risk; None if no coup settles it."""
        return 1 / (1 - self.stays) if self.stays < 1 else None

    @property
    def until_settled(self) -> Fraction | None:
        """The expected profit per unit put up, over all coups until a coup settles it; None if no coup settles it.

        Each coup for which the stake is at risk adds the coup's edge (Wald's identity).
        """
        return None if self.coups is None else self.edge * self.coups


def expected_standing(game: Game | str | Path, shoe: Shoe | str | None = None) -> dict[str, Standing]:
    """For each bet with lines that leave the stake standing: how long it stands, and what it is worth, if each coup has
    the same chances.

    The chances are taken from the next coup of `shoe` or, without `shoe`, from a coup of an infinite shoe. Real coups
    change the shoe, so the figures do not hold exactly for a dealt shoe.

    >>> from counting import Bet, load_game
    >>> from counting.exact import expected_standing
    >>> tie = {"winner": "tie", "odds": "1:1", "stays": True}
    >>> either = Bet(name="either", pays=[{"winner": "player", "odds": "1:1"}, tie])
    >>> stake = expected_standing(load_game("punto-banco").with_bets(either))["either"]
    >>> round(float(stake.stays), 4), round(float(stake.edge), 4)
    (0.0954, 0.0831)
    """
    if shoe is None:
        game = as_game(game)
        return expected_standing_at(game, with_replacement(game))
    priced = price_shoe(game, shoe)
    return expected_standing_at(priced.game, priced.probabilities)


def expected_standing_at(game: Game, probabilities: Mapping[str, Fraction]) -> dict[str, Standing]:
    """The stakes of `expected_standing`, from the probabilities of the game's events."""
    edges = bet_edges(game, probabilities)
    stakes = {}
    for bet in game.bets:
        lines = zip(bet.pays, game.settlement[bet.name], strict=True)
        events = [event for line, (event, _) in lines if line.stays]
        if events:
            stakes[bet.name] = Standing(sum((probabilities[event] for event in events), Fraction()), edges[bet.name])
    return stakes
