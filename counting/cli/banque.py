"""The command of baccara banque."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any

from cyclopts import Parameter

from counting.cards import Shoe
from counting.cli.options import DECKS, SEVERAL, SHOE, Whole, of_model, option_values
from counting.errors import InputError, nearest
from counting.io.tables import Format, prose, put


def banque(
    *,
    theta: Annotated[list[str] | None, SEVERAL] = None,
    shoe: Annotated[str | None, SHOE] = None,
    decks: Annotated[Whole | None, DECKS] = None,
    model: Annotated[str, Parameter(help="A1, A2, A3, B1, B2 or B3, as for solve.")] = "B2",
    leaves_third: Annotated[bool, Parameter(negative="")] = False,
    apart: Annotated[bool, Parameter(negative="")] = False,
    cells: Annotated[bool, Parameter(negative="")] = False,
    format: Format = "table",
) -> None:
    """Baccara banque: two Players, as a team or each alone, against one Banker. Prints the value and the strategies for
    each division of the stakes between the Players.

    Example: counting chemin banque --decks 6 --theta 0 1/4 1/2 3/4 1

    Example: counting chemin banque --decks 6 --theta 0 1/4 1/2 3/4 1 --apart

    Parameters
    ----------
    theta
        The first Player's share of the stakes, from 0 to 1, as 1/3 or 0.25; one or more, by default 1/2.
    leaves_third
        The second Player ignores the first Player's third card.
    apart
        Each Player plays for their own stake. Prints the equilibria of the game between the two Players and Banker,
        next to the team's value.
    cells
        Print Banker's strategy for one theta. D draws, S stands, * mixes, and . cannot occur.
    format
        table, json or csv; csv has a row for each probability of the strategies or, with --cells, for each row of
        Banker's strategy.
    """
    from counting.chemin import MODELS
    from counting.chemin.banque import BY_HAND, Banque, BanqueByHand, banque_by_hand
    from counting.chemin.banque import banque as by_total
    from counting.reports.chemin import (
        banque_cells,
        banque_data,
        banque_heading,
        banque_rows,
        banque_sentences,
        mixed_cells,
        play_rows,
        plays_data,
        shoe_text,
        together,
        two_cell,
    )
    from counting.reports.chemin.headings import BANQUE, SHARES
    from counting.reports.terminal import put_table

    unseen = of_model(shoe, decks, model)
    thetas = option_values(theta, "--theta") or ["1/2"]
    if cells and len(thetas) != 1:
        raise InputError(f"--cells: {len(thetas)} thetas given, should be one")
    if apart:
        if cells:
            raise InputError("--cells: should be left out with --apart")
        _apart(unseen, thetas, model, not leaves_third, format)
        return
    if model not in MODELS:
        raise InputError(f"model {model!r}: should be one of {', '.join(MODELS)}{nearest(model.upper(), MODELS)}")
    run: Callable[..., Banque | BanqueByHand] = banque_by_hand if model in BY_HAND else by_total
    solutions = [run(unseen, part, model, uses_third=not leaves_third) for part in thetas]
    data: dict[str, Any] = {"shoe": shoe_text(unseen, model), "model": model, "uses_third": not leaves_third}
    if cells:
        rows, first = banque_cells(solutions[0]), solutions[0]
        mixes = plays_data(mixed_cells(first.banker), two_cell)
        if format == "table":
            head = f"{banque_heading(first)}, {first.theta} of the stakes on the first Player. {together(first)}"
            by = "Banker's strategy when no hand is a natural, by the first and the second Player's third cards.\n"
            print(prose(head, by))
        data |= {"theta": str(first.theta), "value": str(first.value), "rows": rows, "mixed": mixes}
        put_table(rows, data, format, {name: name for name in rows[0]} | {"first": "first drew"} if rows else None)
    elif format == "table" and len(solutions) == 1:
        print(prose(*banque_sentences(solutions[0])))
    elif format == "csv":
        put([row for solution in solutions for row in play_rows(solution)], {}, format)
    else:
        if format == "table":
            head = f"{banque_heading(solutions[0])}. {together(solutions[0])}"
            print(prose(head, "The values are in % of the stakes: on both hands together, and on each hand.\n"))
        data |= {"thetas": list(map(banque_data, solutions))}
        put_table(banque_rows(solutions), data, format, BANQUE, SHARES)


def _apart(shoe: Shoe, thetas: Sequence[str], model: str, uses_third: bool, format: Format) -> None:
    from counting.chemin.banque import apart
    from counting.reports.chemin import (
        apart_data,
        apart_heading,
        apart_play_rows,
        apart_rows,
        apart_sentences,
        each_alone,
        shoe_text,
    )
    from counting.reports.chemin.headings import APART, SHARES
    from counting.reports.terminal import put_table

    solutions = [apart(shoe, part, model, uses_third=uses_third) for part in thetas]
    if format == "table" and len(solutions) == 1:
        print(prose(*apart_sentences(solutions[0])))
        return
    if format == "csv":
        put([row for solution in solutions for row in apart_play_rows(solution)], {}, format)
        return
    if format == "table":
        head = f"{apart_heading(solutions[0])}. {each_alone(solutions[0])}"
        what = "on each hand, on both hands together, and on both hands with the best common plan"
        print(prose(head, f"Profits are in % of the stakes: {what}.\n"))
    data = {"shoe": shoe_text(shoe, model), "model": model, "uses_third": uses_third}
    put_table(apart_rows(solutions), data | {"thetas": list(map(apart_data, solutions))}, format, APART, SHARES)
