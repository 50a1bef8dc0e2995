"""The command of own cards: a bettor on Player who plays a hand of their own."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from counting.cli.options import SHOE, GameName, Whole, shoe_of
from counting.io.tables import Format, put


def own(
    game: GameName = "louisiana",
    *,
    shoe: Annotated[str | None, SHOE] = None,
    decks: Annotated[Whole | None, Parameter(help="Full decks; by default the game's.")] = None,
    sees: str = "hand",
    format: Format = "table",
) -> None:
    """Own cards: a bettor on Player with a hand of their own, against a bank that draws by the game's tableau.

    Example: counting chemin own louisiana --decks 8

    Example: counting chemin own ez-baccarat --sees total

    Parameters
    ----------
    game
        A game's name or the path of a TOML file.
    sees
        What the bettor decides by: hand (the two cards) or total.
    format
        table, json or csv.
    """
    from counting.chemin import own_cards, own_data, own_rows, own_sentence, own_table, the_tables_hand
    from counting.games import load_game

    loaded = load_game(game)
    solution = own_cards(loaded, shoe_of(loaded, shoe, decks), sees)
    tables = the_tables_hand(loaded, solution.game.shoe)
    if format == "table":
        print(own_sentence(loaded, solution, tables), end="\n\n")
        put(own_table(solution), None, format)
        return
    put(own_rows(solution), own_data(solution, sees, tables) if format == "json" else None, format, ("cell", "plays"))
