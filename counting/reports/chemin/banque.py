"""Solutions of banque in words, as data, and as tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from counting.chemin.banque import Banque, BanqueByHand, PlayersMix
from counting.chemin.banque.coups_dealt import TwoCell
from counting.chemin.rules import HANDS, THIRDS
from counting.games import STOOD
from counting.reports.chemin.chemin_de_fer import (
    NEVER,
    banker_cell,
    bounds,
    exactly,
    mixed_cells,
    player_cell,
    plays_data,
    proof_text,
    shoe_sentence,
    shoe_text,
)
from counting.reports.chemin.team_plans import after_first, plan_data, plan_lines, plan_rows, third

Solved = Banque | BanqueByHand
_DID = ("both draw", "the first alone", "the second alone", "neither")


def two_cell(cell: TwoCell) -> str:
    """A cell of Banker's in words: `on 6 against 4 and stood`, if the first Player drew a 4 and the second Player
    stood."""
    own, first, second = cell
    return f"on {own} against {third(first)} and {third(second)}"


def banker_lines(plays: Mapping[TwoCell, Fraction], shown: Callable[[Fraction], str] = exactly) -> list[str]:
    """Lines on Banker's play in the cells in which Banker mixes. `shown` puts a probability into words."""
    lines = []
    for (own, first, second), p in mixed_cells(plays).items():
        did = ["stood" if card == STOOD else f"drew {card}" for card in (first, second)]
        when = f"if the first Player {did[0]} and the second {did[1]}"
        lines.append(f"Banker draws on {own} with probability {shown(p)} {when}")
    return lines


def _cases(solution: Banque) -> list[tuple[str, PlayersMix]]:
    """Each of the Players' mixes, with the cases in which they play it. A case is the first Player's third card, or
    that the first Player stood."""
    cases: dict[PlayersMix, list[str]] = {}
    for state, mix in solution.players.items():
        cases.setdefault(mix, []).append("" if state is None else third(state))
    return [(", ".join(filter(None, names)), mix) for mix, names in cases.items()]


def _five(solution: Solved) -> bool:
    """Whether two cards with the total five can be dealt."""
    n = solution.shoe.values
    return shoe_text(solution.shoe, solution.model) is None or any(n[a] and n[b] for a, b in HANDS if (a + b) % 10 == 5)


def _plan(solution: Solved) -> list[str]:
    """Lines on the Players' play on five. Both Players know a random number, which decides the first Player's move; in
    model 3, it decides which plan they play."""
    if not _five(solution):
        return ["No Player can have five, so the Players have no choice."]
    if isinstance(solution, BanqueByHand):
        return plan_lines(solution.plans)
    cases = _cases(solution)
    first = cases[0][1].both + cases[0][1].first
    lines = [
        "The Players' team strategy on five, while no hand is a natural: a random number that both Players know tells "
        f"the first Player to draw with probability {exactly(first)}, and to stand otherwise."
    ]
    for names, mix in cases:
        lots = (("draw", mix.both, first), ("stand", mix.second, 1 - first))
        parts = (f'{float(p / chance):.6f} if the number says "{lot}"' for lot, p, chance in lots if chance)
        second = f"I{after_first(names.split(', '))[1:]}, the second Player" if names else "The second Player"
        lines.append(f"  {second} draws with probability {', and '.join(parts)}")
    return lines


def banque_heading(solution: Solved) -> str:
    """The heading of a table."""
    return f"Baccara banque, {shoe_sentence(solution.shoe, solution.model)}"


def together(solution: Solved) -> str:
    """A sentence that states what the Players know and want."""
    uses = "uses" if solution.uses_third else "ignores"
    return f"The Players play together, and the second Player {uses} the first Player's third card."


def banque_sentences(solution: Solved) -> list[str]:
    """Sentences: the value to the Players together and to each Player, the mixes, and the proof."""
    lines = [
        f"{banque_heading(solution)}: {solution.theta} of the stakes on the first Player.",
        together(solution),
        f"Value to the Players together: {exactly(solution.value)}",
        "With the strategies below, the value per unit staked is "
        + " to the first Player, and ".join(f"{float(worth):.8f}" for worth in solution.tableaux)
        + " to the second.",
        f"In {len(solution.undecided)} of Banker's cells, the best move depends on what the Players do.",
    ]
    lines += _plan(solution)
    lines += banker_lines(solution.banker)
    return [*lines, proof_text(solution.certificate)]


def banque_rows(solutions: Sequence[Solved]) -> list[dict[str, Any]]:
    """A row for each theta, the first Player's share of the stakes: the value of both hands together and of each hand,
    and the probability that the first Player draws on five. If the second Player ignores the first Player's third card,
    the row also has two further probabilities: that the second Player draws, and that both Players make the same move.
    In model 3, the row has the number of plans in place of probabilities."""
    rows = []
    for solution in solutions:
        row: dict[str, Any] = {
            "theta": str(solution.theta),
            "value": float(solution.value),
            "first": float(solution.tableaux[0]),
            "second": float(solution.tableaux[1]),
        }
        if isinstance(solution, BanqueByHand):
            row["plans"] = len(solution.plans)
        else:
            row |= _draws(solution)
        rows.append({**row, "banker_mixes": len(mixed_cells(solution.banker))})
    return rows


def _draws(solution: Banque) -> dict[str, float | None]:
    mix = next(iter(solution.players.values()), None) if _five(solution) else None
    draws = {"first_draws": mix and float(mix.both + mix.first)}
    if not solution.uses_third:
        draws["second_draws"] = mix and float(mix.both + mix.second)
        draws["alike"] = mix and float(mix.both + mix.neither)
    return draws


def play_rows(banque: Solved) -> list[dict[str, str]]:
    """A row for each probability in the solution: of the Players' moves with five, and of Banker's drawing in each
    cell. After one Player's natural, Banker and the other Player play on alone; the rows of this play come last, with
    the natural in the column `after`."""
    theta = str(banque.theta)
    rows = [
        {"theta": theta, "after": "", "side": side, "cell": cell, "does": does, "probability": p}
        for side, cell, does, p in _players_rows(banque)
    ]
    rows += [
        {"theta": theta, "after": "", "side": "banker", "cell": two_cell(cell), "does": "draws", "probability": str(p)}
        for cell, p in banque.banker.items()
    ]
    for hand, solution in banque.naturals.items():
        sides = (
            ("player", plays_data(solution.player, player_cell)),
            ("banker", plays_data(solution.banker, banker_cell)),
        )
        rows += [
            {"theta": theta, "after": str(hand), "side": side, "cell": cell, "does": "draws", "probability": p}
            for side, plays in sides
            for cell, p in plays.items()
        ]
    return rows


def _players_rows(solution: Solved) -> list[tuple[str, str, str, str]]:
    if isinstance(solution, BanqueByHand):
        return plan_rows(solution.plans)
    cases = _by_case(solution).items()
    return [("players", names, did, str(p)) for names, mix in cases for did, p in zip(_DID, mix, strict=True)]


def _players_data(solution: Solved) -> dict[str, Any]:
    if isinstance(solution, BanqueByHand):
        return {"plans": plan_data(solution.plans)}
    cases = _by_case(solution).items()
    return {"players": {case: dict(zip(PlayersMix._fields, map(str, mix), strict=True)) for case, mix in cases}}


def _by_case(solution: Banque) -> dict[str, PlayersMix]:
    return {"any" if state is None else third(state): mix for state, mix in solution.players.items()}


def banque_data(banque: Solved) -> dict[str, Any]:
    """The whole solution as plain data, with fractions as texts."""
    return {
        "theta": str(banque.theta),
        "value": str(banque.value),
        "value_float": float(banque.value),
        "tableaux": list(map(str, banque.tableaux)),
        **_players_data(banque),
        "banker": plays_data(banque.banker, two_cell),
        "undecided": list(map(two_cell, banque.undecided)),
        "naturals": {
            str(hand): {
                "value": str(solution.value),
                "player": plays_data(solution.player, player_cell),
                "banker": plays_data(solution.banker, banker_cell),
            }
            for hand, solution in banque.naturals.items()
        },
        "bounds": bounds(banque.certificate),
    }


def banque_cells(solution: Solved) -> list[dict[str, str]]:
    """Banker's strategy if no hand is a natural, with a column for each third card of the second Player. Banker's hands
    of the same total share a row if Banker plays them alike. So do third cards of the first Player to which Banker
    replies alike."""
    rows: dict[tuple[int, tuple[str, ...], tuple[str, ...]], list[str]] = {}
    for own in dict.fromkeys(own for own, _, _ in solution.banker):
        alike: dict[tuple[str, ...], list[str]] = {}
        for first in range(THIRDS):
            plays = (solution.banker.get((own, first, second)) for second in range(THIRDS))
            letters = tuple(NEVER if p is None else "*" if 0 < p < 1 else "SD"[int(p)] for p in plays)
            alike.setdefault(letters, []).append(third(first))
        total = own if isinstance(own, int) else sum(own) % 10
        for letters, firsts in alike.items():
            if set(letters) != {NEVER}:
                rows.setdefault((total, tuple(firsts), letters), []).append("" if isinstance(own, int) else str(own))
    columns = [third(second) for second in range(THIRDS)]
    return [
        {
            "total": str(total),
            "hands": ", ".join(filter(None, hands)),
            "first": " ".join(firsts),
            **dict(zip(columns, letters, strict=True)),
        }
        for (total, firsts, letters), hands in rows.items()
    ]
