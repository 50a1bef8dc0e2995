"""The command that writes the calculator."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from counting.cli.options import BETS, OPEN, SYSTEMS, Cut, GameName, Whole, in_browser, option_values
from counting.io.tables import Format, put


def calculator(
    game: GameName,
    *,
    bet: Annotated[list[str] | None, BETS] = None,
    system: Annotated[list[str] | None, SYSTEMS] = None,
    decks: Whole | None = None,
    cut: Cut | None = None,
    burn: str | None = None,
    after_cut: str | None = None,
    out: Path | None = None,
    browse: Annotated[bool, OPEN] = False,
    format: Format = "table",
) -> None:
    """Write a calculator as one HTML file: tap the cards, read the exact edge of every bet and the counts, offline.

    Example: counting calculator ez-baccarat --out calc.html

    Example: counting calculator punto-banco --bet banker-5 tie-8 perfect-pair --decks 6 --cut 26 --burn first-card

    Parameters
    ----------
    game
        A game's name or the path of a TOML file.
    bet
        Bets on the table, the game's or the catalog's (see `counting bets`); by default all of the game's.
    system
        Counting systems to show: names or TOML files; by default the published counts for these bets.
    decks
        Decks in the shoe, 8 at most; by default the game's. The page can change it, and the three below.
    cut
        Cards behind the cut card, or decks, as 1.5d; by default 14.
    burn
        none (the default); first-card: the first card is shown, then its value in cards is burned unseen; or a number
        of cards, as 3, burned unseen, or 3-shown.
    after_cut
        Coups dealt after the coup in which the cut card comes out, and after a coup that begins with it: 0,0, 1,0 (the
        default), 1,1, 2,1 or 2,2.
    out
        The file to write; by default the game's name with -calculator.html.
    format
        table, json (the rules and dealing that the page has inside) or csv (the bets): what is printed.
    """
    from counting.games import load_game
    from counting.io.outputs import Output, marked
    from counting.reports.calculator import page_data, page_of, published_for
    from counting.simulation import Dealing, as_after_cut
    from counting.systems import load_system

    loaded = load_game(game)
    kind = marked("a calculator's page", '<meta name="generator" content="counting calculator">')
    path = out or Path(f"{loaded.name}-calculator.html")
    output = Output(path, kind, "--out", [game, *option_values(system, "--system")])
    if bet is not None:
        loaded = loaded.only(option_values(bet, "--bet"))
    systems = (
        published_for(loaded) if system is None else [load_system(name) for name in option_values(system, "--system")]
    )
    usual = Dealing(loaded.dealt_from(decks))
    dealing = Dealing(
        usual.decks,
        usual.cut if cut is None else cut,
        usual.burn if burn is None else burn,
        usual.after_cut if after_cut is None else as_after_cut(after_cut),
    )
    data = page_data(loaded, dealing, systems)
    output.write(page_of(loaded, data).encode())
    in_browser(path, browse)
    if format == "table":
        print(f"{path}: {loaded.title}, {len(loaded.bets)} bet{'s' * (len(loaded.bets) != 1)}, {dealing.words}")
        return
    put([{"bet": bet["name"], "title": bet["title"], "knows": bet["knows"]} for bet in data["bets"]], data, format)
