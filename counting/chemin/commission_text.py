"""Equilibria under a commission in words, and as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from counting.chemin.commission import Equilibrium
from counting.chemin.text import banker_cell, exactly, linear, mixed, named


def equilibrium_data(found: Equilibrium) -> dict[str, Any]:
    """An equilibrium as plain data."""
    return {
        "draws_from": None if found.draws is None else str(found.draws[0]),
        "draws_to": None if found.draws is None else str(found.draws[1]),
        "mixed": ", ".join(map(banker_cell, found.mixed)),
        "condition": _condition(found),
        "extremes": None if found.extremes is None else len(found.extremes),
        "player_least": str(found.player[0]),
        "player_most": str(found.player[1]),
        "banker_least": str(found.banker[0]),
        "banker_most": str(found.banker[1]),
        "replies": named(found.replies, banker_cell),
        "extreme_replies": found.extremes and [named(mix, banker_cell) for mix in found.extremes],
    }


def _condition(found: Equilibrium) -> str:
    """On how Banker may draw in the loose cells; none where he may as he likes."""
    if not found.binds or found.relation is None:
        return ""
    constant, *steps = found.slope
    return linear(steps, list(map(banker_cell, found.mixed)), found.relation, -constant)


def told(found: Sequence[Equilibrium], commission: str, of: str) -> list[str]:
    """Equilibria in words."""
    said = [f"{of}: {len(found)} equilibri{'um' if len(found) == 1 else 'a'} with a commission of {commission}:"]
    for one in found:
        if one.draws is None:
            said.append("Player has no choice")
        else:
            low, high = one.draws
            draws = exactly(low) if low == high else f"anything from {exactly(low)} to {exactly(high)}"
            said.append(f"Player draws on five with probability {draws}")
        said += [
            f"  Banker draws {banker_cell(cell)} with probability {exactly(p)}"
            for cell, p in mixed(one.replies).items()
        ]
        if one.loose:
            others = ", ".join(banker_cell(cell).removeprefix("on ") for cell in one.loose)
            condition = _condition(one)
            said.append(f"  or with any probabilities p on {others}" + (f" for which {condition}" if condition else ""))
        for side, (least, most) in (("Player", one.player), ("Banker", one.banker)):
            value = exactly(least) if least == most else f"{exactly(least)} to {exactly(most)}"
            said.append(f"  {side} has {value}")
    return said
