"""The Players' plans at banque, in words, as data, and as rows. Plans are for model 3, in which each Player sees both
cards of their hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from counting.chemin.banque import TeamPlan
from counting.chemin.banque.by_hand_certificate import SecondCell
from counting.games import STOOD
from counting.reports.chemin.chemin_de_fer import exactly


def third(card: int) -> str:
    """A third card in words: `4`, `stood`."""
    return "stood" if card == STOOD else str(card)


def after_first(cards: Sequence[str]) -> str:
    """What the first Player did, in words: `if the first Player drew 0, 4 or stood`."""
    drew = [card for card in cards if card != "stood"]
    parts = [f"drew {', '.join(drew)}"] * bool(drew) + ["stood"] * ("stood" in cards)
    return f"if the first Player {' or '.join(parts)}"


def second_cell(cell: SecondCell) -> str:
    """A cell of the second Player in words, as `on (0, 5) after 4` or `on (0, 5)`."""
    hand, card = cell
    return f"on {hand}" if card is None else f"on {hand} after {third(card)}"


def plan_lines(plans: Sequence[TeamPlan]) -> list[str]:
    """Lines on the Players' play on five, plan by plan."""
    lines = ["The Players' mixed team strategy on five, while no hand is a natural, is one of these plans at random."]
    for number, plan in enumerate(plans, 1):
        hands = ", ".join(map(str, sorted(plan.first)))
        first = f"draws on {hands}" if hands else "stands"
        lines.append(f"Plan {number}, with probability {exactly(plan.chance)}: the first Player {first};")
        by_hand: dict[object, dict[int | None, Fraction]] = {}
        for (hand, card), p in plan.second.items():
            by_hand.setdefault(hand, {})[card] = p
        lines += [f"  the second Player on {hand} {_draws(cases)}" for hand, cases in by_hand.items()]
    return lines


def _draws(cases: Mapping[int | None, Fraction]) -> str:
    """The second Player's play in words, by the moves of the first Player: `draws if the first Player drew 1, 4; with
    probability 0.250000 if the first Player drew 5`."""
    if None in cases:
        p = cases[None]
        return "draws" if p == 1 else "stands" if p == 0 else f"draws with probability {float(p):.6f}"
    always = [third(card) for card, p in cases.items() if p == 1 and card is not None]
    parts = [after_first(always)] if 0 < len(always) < len(cases) else []
    parts += [
        f"with probability {float(p):.6f} {after_first([third(card)])}"
        for card, p in cases.items()
        if 0 < p < 1 and card is not None
    ]
    if parts:
        return f"draws {'; '.join(parts)}"
    return "always draws" if always else "stands"


def plan_data(plans: Sequence[TeamPlan]) -> list[dict[str, Any]]:
    """The plans as plain data, with fractions as texts."""
    return [
        {
            "chance": str(plan.chance),
            "first": list(map(str, sorted(plan.first))),
            "second": {second_cell(cell): str(p) for cell, p in plan.second.items()},
        }
        for plan in plans
    ]


def plan_rows(plans: Sequence[TeamPlan]) -> list[tuple[str, str, str, str]]:
    """Rows of side, cell, move and probability: for each plan, a row with its probability, then rows for both Players'
    moves."""
    rows = []
    hands = dict.fromkeys(hand for plan in plans for hand, _ in plan.second)
    for number, plan in enumerate(plans, 1):
        rows.append(("players", f"plan {number}", "follow it", str(plan.chance)))
        rows += [("first", f"plan {number} on {hand}", "draws", str(int(hand in plan.first))) for hand in hands]
        rows += [("second", f"plan {number} {second_cell(cell)}", "draws", str(p)) for cell, p in plan.second.items()]
    return rows
