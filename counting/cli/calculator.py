"""The command that writes the calculator."""

from __future__ import annotations

from typing import Annotated

from counting.cli.asked import asked
from counting.cli.options import OPEN, in_browser
from counting.io.tables import Format, put
from counting.numbers import many
from counting.requests import CalculatorArguments


@asked
def calculator(
    request: CalculatorArguments, *, browse: Annotated[bool, OPEN] = False, format: Format = "table"
) -> None:
    """
    Parameters
    ----------
    browse
        Open the page in the browser.
    format
        What is printed: table, json (the rules and the dealing inside the page) or csv (the bets).
    """
    from counting.reports.calculator import page_of

    output = request.output
    game, dealing, data = request.made()
    output.write(page_of(game, data).encode())
    in_browser(output.path, browse)
    if format == "table":
        print(f"{output.named}: {game.title}, {many(len(game.bets), 'bet')}, {dealing.words}")
        return
    put([{"bet": bet["name"], "title": bet["title"], "knows": bet["knows"]} for bet in data["bets"]], data, format)
