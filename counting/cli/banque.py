"""The command of baccara banque."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from counting.cli.options import DECKS, SEVERAL, SHOE, Whole, given, of_model
from counting.errors import InputError
from counting.io.tables import Format, put


def banque(
    *,
    theta: Annotated[list[str] | None, SEVERAL] = None,
    shoe: Annotated[str | None, SHOE] = None,
    decks: Annotated[Whole | None, DECKS] = None,
    model: Annotated[str, Parameter(help="A1, A2, B1 or B2, as for solve; the Players see their totals.")] = "B2",
    leaves_third: Annotated[bool, Parameter(negative="")] = False,
    cells: Annotated[bool, Parameter(negative="")] = False,
    format: Format = "table",
) -> None:
    """Baccara banque: two Players, who play together, against one Banker; its value and all play, by their stakes.

    Example: counting chemin banque --decks 6 --theta 0 1/4 1/2 3/4 1

    Parameters
    ----------
    theta
        The first Player's part of the stakes, from 0 to 1, as 1/3 or 0.25; one or more, by default 1/2.
    leaves_third
        The second Player leaves the first's third card aside.
    cells
        Banker's strategy: D draws, S stands, * mixes, . cannot come to be; for one theta.
    format
        table, json or csv; csv has a row for each probability of all play.
    """
    from counting.chemin import known, mixed, named
    from counting.chemin.banque import banque as run
    from counting.chemin.banque import (
        banque_cells,
        banque_data,
        banque_heading,
        banque_rows,
        banque_sentences,
        play_rows,
        together,
        two_cell,
    )

    unseen = of_model(shoe, decks, model)
    thetas = given(theta, "--theta") or ["1/2"]
    if cells and len(thetas) != 1:
        raise InputError(f"--cells: {len(thetas)} thetas given, should be one")
    found = [run(unseen, part, model, uses_third=not leaves_third) for part in thetas]
    data = {"shoe": known(unseen, model), "model": model, "uses_third": not leaves_third}
    if cells:
        rows, one = banque_cells(found[0]), found[0]
        mixes = named(mixed(one.banker), two_cell)
        if format == "table":
            print(f"{banque_heading(one)}, {one.theta} of the stakes on the first Player. {together(one)}")
            print("Banker's strategy while no hand is a natural: by what the first Player drew, and the second.\n")
        put(rows, {**data, "theta": str(one.theta), "value": str(one.value), "rows": rows, "mixed": mixes}, format)
    elif format == "table" and len(found) == 1:
        print(*banque_sentences(found[0]), sep="\n")
    elif format == "csv":
        put([row for one in found for row in play_rows(one)], {}, format)
    else:
        if format == "table":
            print(f"{banque_heading(found[0])}. {together(found[0])}")
            print("theta: of the stakes on the first; value: to both, per unit staked; first, second: on each hand,")
            print("per unit staked on it; draws: on five; alike: both or neither; banker_mixes: in so many cells.\n")
        put(banque_rows(found), {**data, "thetas": list(map(banque_data, found))}, format)
