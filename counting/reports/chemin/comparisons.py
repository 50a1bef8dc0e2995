"""Tables that compare shoes: by the number of decks, and with one card removed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from counting.cards import COUP, RANKS, VALUE_OF_RANK, Shoe
from counting.chemin import CheminRules, Optima, Solution, solve
from counting.errors import InputError
from counting.reports.chemin.chemin_de_fer import banker_cell, mixed_cells, player_cell, plays_data


def deck_rows(numbers: Iterable[int], models: Sequence[str], rules: CheminRules) -> list[dict[str, Any]]:
    """A row for each model and number of decks: the value, the cells in which each side mixes, and the probabilities of
    drawing there, p for Player and q for Banker. If a side mixes in a single cell, the probability is also given as a
    float.

    Raises `InputError` like `solve`, and for a model that draws with replacement.
    """
    rows: list[dict[str, Any]] = []
    for model in models:
        for n in numbers:
            solution = solve(Shoe.decks(n), model, rules)
            if solution.game.model.with_replacement:
                raise InputError(f"model {model}: draws with replacement, should be B1, B2 or B3")
            row = {"model": model, "decks": n, "value": str(solution.value), "value_float": float(solution.value)}
            sides = (
                ("player", "p", mixed_cells(solution.player), player_cell),
                ("banker", "q", mixed_cells(solution.banker), banker_cell),
            )
            for side, mix, plays, name in sides:
                ps = list(plays.values())
                row[side] = ", ".join(map(name, plays))
                row |= {mix: ", ".join(map(str, ps)), f"{mix}_float": float(ps[0]) if len(ps) == 1 else None}
            rows.append(row | {"undecided": len(solution.undecided)})
    return rows


def removal_rows(full: Solution) -> list[dict[str, Any]]:
    """A row for each card value: one card of this value is removed, and the shoe is solved again. The row has the new
    value of the game, the change, and both sides' mixes. `otherwise` names the cells in which a side now always draws
    or always stands, but did not at the full shoe; `turned` is their number. `changed` has all probabilities that
    differ from the full shoe's, in cells in which the optimum is unique.

    Raises `InputError` for a model that draws with replacement, and for a shoe of six cards.
    """
    shoe, model, rules = full.game.shoe, full.game.model, full.game.rules
    if model.with_replacement:
        raise InputError(f"model {model.name}: draws with replacement, no card is ever missing; should be B1, B2 or B3")
    if shoe.cards_left <= COUP:
        raise InputError(f"shoe {shoe}: {shoe.cards_left} cards, should be {COUP + 1} or more for one to be removed")
    rows = []
    for value in (*range(1, 10), 0):
        if not shoe.values[value]:
            continue
        card = RANKS[VALUE_OF_RANK.index(value)] if value else "10, J, Q, K"
        fewer = list(shoe.values)
        fewer[value] -= 1
        solution = solve(Shoe.from_values(fewer), model.name, rules)
        change = solution.value - full.value
        mixes, turned, changed = [], [], {}
        sides: list[tuple[str, Mapping[Any, Fraction], Mapping[Any, Fraction], Optima[Any], Callable[[Any], str]]] = [
            ("player", full.player, solution.player, solution.player_optima, player_cell),
            ("banker", full.banker, solution.banker, solution.banker_optima, banker_cell),
        ]
        for side, before, after, optima, name in sides:
            differ = {cell: p for cell, p in after.items() if p != before.get(cell) and cell not in optima.cells}
            mixes += [f"{side.title()} {name(cell)} {float(p):.4f}" for cell, p in mixed_cells(after).items()]
            turned += [f"{side.title()} {name(cell)} {'SD'[int(p)]}" for cell, p in differ.items() if p in (0, 1)]
            changed[side] = plays_data(differ, name)
        rows.append(
            {
                "card": card,
                "effect": float(change),
                "exact": str(change),
                "value": float(solution.value),
                "turned": len(turned),
                "mixes": "; ".join(mixes),
                "otherwise": "; ".join(turned),
                "changed": changed,
            }
        )
    return rows
