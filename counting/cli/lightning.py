"""The command of tables with lightning multipliers."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from counting.cli.options import SHOE, Whole
from counting.io.tables import Format, percent, put
from counting.requests import shoe_of


def lightning(
    table: str,
    *,
    shoe: Annotated[str | None, SHOE] = None,
    decks: Annotated[Whole | None, Parameter(help="Full decks; by default the game's.")] = None,
    format: Format = "table",
) -> None:
    """Lightning multipliers: the exact edge of every bet after the fee, on a full or partial shoe.

    Example: counting lightning table-4.toml

    Example: counting lightning table-4.toml --shoe 8d-7h-7s-Kd --format json

    Parameters
    ----------
    table
        The path of a TOML file with the game, the fee, the bets, and the chances of each number of lightning cards and
        of each multiplier.
    format
        table, json or csv.
    """
    from counting.exact import load_lightning

    loaded = load_lightning(table)
    unseen = shoe_of(loaded.game, shoe, decks)
    prices = loaded.prices(unseen)
    rows = [
        {
            "bet": name,
            "edge": float(price.edge),
            "return_to_player": float(price.returned),
            "standard_deviation": price.deviation,
            "exact_edge": str(price.edge),
        }
        for name, price in prices.items()
    ]
    title = loaded.title + loaded.game.tableau.taken
    data = {
        "title": title,
        "game": loaded.game.name,
        "shoe": str(unseen),
        "fee": float(loaded.lightning.fee),
        "bets": rows,
    }
    if format == "table":
        fee = percent(float(loaded.lightning.fee))
        print(f"{title}, {unseen.cards_left} unseen cards ({unseen}), a fee of {fee} on each unit\n")
        shown = [
            {
                "bet": name,
                "edge": f"{100 * float(price.edge):+.4f}%",
                "return to player": f"{100 * float(price.returned):.4f}%",
                "standard deviation": price.deviation,
                "exact edge": str(price.edge),
            }
            for name, price in prices.items()
        ]
        put(shown, None, format)
        print(
            "\nEdges are expected profits per unit staked, after the fee; the return is a share of stake and fee "
            "together."
        )
        return
    put(rows, data, format)
