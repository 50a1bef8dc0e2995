"""The house edges, `docs/reference/bets.md`: every bet of the games and of the catalog with its exact figures.

python docs/bets.py [--check]
"""

from __future__ import annotations

import sys
from itertools import groupby

from generated import cell, put, table

from counting import Game, Shoe, exact_edges, load_game
from counting.io.toml import shipped
from counting.reports.catalog import catalog_rows

HEAD = """# House edges

The share of the stake that the house expects to keep, pushes included: exact, and shown rounded. `counting edges GAME
--bet BET` prints the fraction. [Check the figures](../how-to/check-the-figures.md) says which are in print.

"""
CATALOG = """
## Bets of the catalog

Any game in which the results on a bet's pay table can happen can offer the bet. The figures are for punto banco; hit
frequency and standard deviation are for 8 decks. The source is where the bet was read.
"""


def percent(share: float) -> str:
    """A share with four decimals, as tables in print have it."""
    return f"{100 * share:.4f}%"


def of_game(game: Game) -> str:
    """The section of a game: its own bets."""
    eight, six = (exact_edges(game, Shoe.decks(decks)) for decks in (8, 6))
    rows = [
        [f"`{bet.name}`", cell(bet.title or bet.name), percent(-float(eight[bet.name])), percent(-float(six[bet.name]))]
        for bet in game.bets
    ]
    heads = ["bet", "what it is", "8 decks", "6 decks"]
    return f"\n## {game.title}\n\nThe game `{game.name}`.\n\n" + table(heads, rows)


def of_catalog() -> str:
    """The section of the catalog: its bets by family."""
    game = load_game("punto-banco")
    six = {row["bet"]: row["house_edge"] for row in catalog_rows(game, 6)}
    heads = ["bet", "what it is", "8 decks", "6 decks", "hit frequency", "standard deviation", "source"]
    text = CATALOG
    for family, rows in groupby(catalog_rows(game, 8), lambda row: str(row["family"])):
        lines = [
            [f"`{row['bet']}`", cell(row["title"]), percent(row["house_edge"]), percent(six[row["bet"]]),
             percent(row["hit_frequency"]), f"{row['standard_deviation']:.4f}", cell(row["source"])]
            for row in rows
        ]  # fmt: skip
        text += f"\n### {family.capitalize()}\n\n" + table(heads, lines)
    return text


def page() -> str:
    """The whole page: the sections of the games, then the section of the catalog."""
    return HEAD.rstrip() + "\n" + "".join(of_game(load_game(name)) for name in shipped("games")) + of_catalog()


if __name__ == "__main__":
    sys.exit(put({"bets.md": page()}, "bets", sys.argv[1:]))
