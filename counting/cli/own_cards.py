"""The command for a bettor on Player who plays a separate hand."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from counting.cli.asked import Terminal
from counting.cli.options import SHOE, GameName, Whole
from counting.errors import InputError, whole
from counting.io.tables import Format, prose, put
from counting.numbers import many
from counting.requests import numbers_of, shoe_of


def own(
    game: GameName = "louisiana",
    *,
    shoe: Annotated[str | None, SHOE] = None,
    decks: Annotated[Whole | None, Parameter(help="Full decks; by default the game's.")] = None,
    sees: str | None = None,
    cards: str | None = None,
    format: Format = "table",
) -> None:
    """Your own cards: a bettor on Player with a hand of their own, against a bank that draws by the game's tableau.

    With --cards, prints how often the bet has an edge when n random cards are left, exactly over all compositions. The
    bet is on the table's hand, or on a hand of your own, played best by its total or by its cards. 12 cards take a
    second, 20 half a minute.

    Example: counting chemin own ez-baccarat --sees total

    Example: counting chemin own louisiana --cards 6:10

    Parameters
    ----------
    game
        A game's name, as punto-banco (see `counting games`), or the path of a TOML file.
    sees
        What the bettor looks at to decide: hand (the two cards) or total; by default hand.
    cards
        Numbers of cards left, 6 to 20, as 8 or the range 6:10. The gains at these numbers are then printed, not the
        strategy for a shoe.
    format
        table, json or csv.
    """
    if cards is not None:
        if shoe is not None:
            raise InputError("--shoe: should be left out with --cards, which draws its cards from full decks")
        if sees is not None:
            raise InputError("--sees: should be left out with --cards, which prints both")
        _gains(game, decks, cards, format)
        return
    from counting.chemin import own_cards, the_tables_hand
    from counting.games import load_game
    from counting.reports.chemin import own_data, own_rows, own_sentence, own_table
    from counting.reports.terminal import rows_table

    loaded = load_game(game)
    sees = sees or "hand"
    solution = own_cards(loaded, shoe_of(loaded, shoe, decks), sees)
    tables = the_tables_hand(loaded, solution.game.shoe)
    if format == "table":
        print(prose(own_sentence(loaded, solution, tables)), end="\n\n")
        print(rows_table(own_table(solution)), end="")
        return
    put(own_rows(solution), own_data(solution, sees, tables) if format == "json" else None, format, ("cell", "plays"))


def _gains(game: str, decks: int | None, cards: str, format: Format) -> None:
    from counting.cards import COUP
    from counting.exact import own_hand_gains
    from counting.exact.own_hands import MOST_CARDS
    from counting.games import load_game
    from counting.reports.chemin.headings import OWN_GAINS, SHARES
    from counting.reports.terminal import put_table

    loaded = load_game(game)
    numbers = [whole(n, "cards", COUP, MOST_CARDS) for n in numbers_of(cards, "--cards", "cards", "6:10 or 6:12:2")]
    rows, exact = [], []
    for n in numbers:
        with Terminal().stage(f"Counting {n} cards", "compositions", after=2) as progress:
            gains = own_hand_gains(loaded, n, decks, progress)
        for of in gains:
            at = {"cards_left": n, "on": of.on}
            rows.append({**at, "positive": float(of.positive), "mean": float(of.mean), "gain": float(of.gain)})
            exact.append({**at, "positive": str(of.positive), "mean": str(of.mean), "gain": str(of.gain)})
    of_decks = loaded.dealt_from(decks)
    if format == "table":
        bet = "The bet is on Player at even money: on the table's hand, or on a hand of your own"
        head = f"{loaded.heading}, {many(of_decks, 'deck')}. {bet}"
        print(prose(f"{head}, played by its total or by its cards. Figures are in % of the stake.\n"))
    put_table(rows, {"game": loaded.name, "decks": of_decks, "gains": rows, "exact": exact}, format, OWN_GAINS, SHARES)
