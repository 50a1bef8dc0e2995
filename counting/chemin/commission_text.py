"""Equilibria under a commission in words, and as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from counting.chemin.commission import Equilibrium
from counting.chemin.text import banker_cell, exactly, linear, mixed, named


def equilibrium_data(equilibrium: Equilibrium) -> dict[str, Any]:
    """An equilibrium as plain data."""
    return {
        "draws_from": None if equilibrium.draws is None else str(equilibrium.draws[0]),
        "draws_to": None if equilibrium.draws is None else str(equilibrium.draws[1]),
        "mixed": ", ".join(map(banker_cell, equilibrium.mixed)),
        "condition": _condition(equilibrium),
        "extremes": None if equilibrium.extremes is None else len(equilibrium.extremes),
        "player_least": str(equilibrium.player[0]),
        "player_most": str(equilibrium.player[1]),
        "banker_least": str(equilibrium.banker[0]),
        "banker_most": str(equilibrium.banker[1]),
        "replies": named(equilibrium.replies, banker_cell),
        "extreme_replies": equilibrium.extremes and [named(mix, banker_cell) for mix in equilibrium.extremes],
    }


def _condition(equilibrium: Equilibrium) -> str:
    """The condition on Banker's drawing in the loose cells; empty without one."""
    if not equilibrium.binds or equilibrium.relation is None:
        return ""
    constant, *steps = equilibrium.slope
    return linear(steps, list(map(banker_cell, equilibrium.mixed)), equilibrium.relation, -constant)


def equilibria_sentences(solutions: Sequence[Equilibrium], commission: str, of: str) -> list[str]:
    """Equilibria in words."""
    lines = [
        f"{of}: {len(solutions)} equilibri{'um' if len(solutions) == 1 else 'a'} with a commission of {commission}:"
    ]
    for one in solutions:
        if one.draws is None:
            lines.append("Player has no choice")
        else:
            low, high = one.draws
            draws = exactly(low) if low == high else f"anything from {exactly(low)} to {exactly(high)}"
            lines.append(f"Player draws on five with probability {draws}")
        lines += [
            f"  Banker draws {banker_cell(cell)} with probability {exactly(p)}"
            for cell, p in mixed(one.replies).items()
        ]
        if one.loose:
            others = ", ".join(banker_cell(cell).removeprefix("on ") for cell in one.loose)
            condition = _condition(one)
            lines.append(
                f"  or with any probabilities p on {others}" + (f" for which {condition}" if condition else "")
            )
        for side, (least, most) in (("Player", one.player), ("Banker", one.banker)):
            value = exactly(least) if least == most else f"{exactly(least)} to {exactly(most)}"
            lines.append(f"  {side} has {value}")
    return lines
