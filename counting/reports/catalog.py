"""The catalog's bets in a game: each bet's house edge, hit frequency and source."""

from __future__ import annotations

from typing import Any

from counting.cards import Shoe
from counting.exact import price_shoe, required_detail
from counting.games import Game, catalog, catalog_families, unfit


def catalog_rows(game: Game, decks: int | None = None) -> list[dict[str, Any]]:
    """A row for each bet of the catalog that the game can have, in the order of the families. A row gives the bet's
    family and source, its house edge, hit frequency and standard deviation at a full shoe, and its edge as an exact
    fraction. By default, the shoe has the game's number of decks."""
    family_of = {name: family for family, bets in catalog_families().items() for name in bets}
    offered = game.only(name for name, bet in catalog().items() if not unfit(bet, game.tableau))
    priced = price_shoe(offered, Shoe.decks(game.dealt_from(decks)))
    return [
        {
            "bet": bet.name,
            "title": bet.title,
            "house_edge": float(-priced.edges[bet.name]),
            "needs": required_detail(bet),
            "source": bet.source,
            "family": family_of[bet.name],
            "hit_frequency": float(priced.hit_frequencies[bet.name]),
            "standard_deviation": priced.standard_deviations[bet.name],
            "exact": str(priced.edges[bet.name]),
        }
        for bet in offered.bets
    ]
