"""Solutions of banque in which each Player plays alone, in words, as data, and as tables."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from counting.chemin.banque import Apart, ApartCertificate, ApartEquilibrium, banque
from counting.chemin.banque.apart_certificate import SIDES
from counting.games import STOOD
from counting.reports.chemin.banque import banker_lines, two_cell
from counting.reports.chemin.chemin_de_fer import exactly, mixed_cells, plays_data, shoe_sentence
from counting.reports.chemin.team_plans import after_first


def apart_heading(solution: Apart) -> str:
    """The heading of a table."""
    return f"Baccara banque, Players apart, {shoe_sentence(solution.shoe, solution.model)}"


def each_alone(solution: Apart) -> str:
    """A sentence that states what each Player knows and wants."""
    uses = "uses" if solution.uses_third else "ignores"
    return f"Each Player plays for the stake on their own hand; the second Player {uses} the first Player's third card."


def apart_sentences(solution: Apart) -> list[str]:
    """Sentences: the equilibria, each Player's expectation, the best common plan for comparison, and the check of the
    certificates. Raises `InputError` if a certificate is wrong."""
    solution.check()
    many = len(solution.equilibria)
    lines = [
        f"{apart_heading(solution)}: {solution.theta} of the stakes on the first Player.",
        each_alone(solution),
        f"{many} equilibri{'um' if many == 1 else 'a'} found."
        + " There is no equilibrium in which the first Player draws with another probability." * solution.is_all,
    ]
    for equilibrium in solution.equilibria:
        lines += _sentences(equilibrium)
    together = _together(solution)
    lines.append(
        f"Value to both Players together, per unit of all stakes, with the best common plan: {exactly(together)}"
    )
    lines += [
        f"  The same if each plays alone: {_shown(_joint(solution, equilibrium))}"
        for equilibrium in solution.equilibria
    ]
    if not solution.is_all:
        lines.append("Other equilibria may exist: the search did not exclude all other probabilities.")
    return [*lines, "Checked by dealing the cards again."]


def _sentences(equilibrium: ApartEquilibrium) -> list[str]:
    proof = equilibrium.certificate
    lines = [f"On five, the first Player draws with probability {_shown(proof.first)}."]
    alike: dict[Fraction, list[str]] = {}
    for state, y in proof.second.items():
        alike.setdefault(y, []).append("" if state is None else _case(state))
    for y, states in alike.items():
        after = "" if states == [""] else f" {after_first(states)}"
        lines.append(f"  On five, the second Player draws with probability {_shown(y)}{after}")
    lines += [f"  {line}" for line in banker_lines(proof.banker, _shown)]
    profits = (_shown(profit) for profit in proof.profits)
    lines.append(f"  Profit per unit staked on each hand: first Player {', second Player '.join(profits)}")
    if not equilibrium.epsilon:
        return [*lines, "  None of the three sides gains by playing otherwise."]
    gains = (f"{side} gains {float(gain):.1e}" for side, gain in zip(SIDES, proof.gains, strict=True) if gain)
    return [*lines, f"  This is not an exact equilibrium. With the best other play, {', '.join(gains)}."]


def _shown(p: Fraction) -> str:
    """A probability as an exact fraction if this is short, otherwise with 12 digits."""
    return exactly(p) if p.denominator < 10**20 else f"{float(p):.12g}"


def _together(solution: Apart) -> Fraction:
    """The value of the best common plan of both Players, per unit of both stakes together."""
    return banque(solution.shoe, solution.theta, solution.model, uses_third=solution.uses_third).value


def _joint(solution: Apart, equilibrium: ApartEquilibrium) -> Fraction:
    """Both Players' expectation in an equilibrium, per unit of both stakes together."""
    first, second = equilibrium.certificate.profits
    return solution.theta * first + (1 - solution.theta) * second


def apart_rows(solutions: Sequence[Apart]) -> list[dict[str, Any]]:
    """A row for each equilibrium.

    `first` and `second` are the Players' profits, each per unit of the Player's stake. `apart` is their joint profit,
    per unit of both stakes; `together` is what their joint profit would be with the best common plan. Then come the
    probabilities of drawing on five. `gain` is the most that any of the three sides could gain by playing otherwise."""
    rows = []
    for solution in solutions:
        plan = _together(solution)
        for equilibrium in solution.equilibria:
            first, second = equilibrium.certificate.profits
            row: dict[str, Any] = {
                "theta": str(solution.theta),
                "first": float(first),
                "second": float(second),
                "apart": float(_joint(solution, equilibrium)),
                "together": float(plan),
                "first_draws": float(equilibrium.certificate.first),
            }
            if not solution.uses_third:
                row["second_draws"] = float(equilibrium.certificate.second[None])
            mixes = len(mixed_cells(equilibrium.certificate.banker))
            rows.append({**row, "banker_mixes": mixes, "gain": float(equilibrium.epsilon), "all": solution.is_all})
    return rows


def apart_play_rows(solution: Apart) -> list[dict[str, str]]:
    """A row for each probability of drawing in each equilibrium. Equilibria are numbered from 1."""
    return [
        {"theta": str(solution.theta), "equilibrium": str(i), "side": side, "cell": cell, "probability": p}
        for i, equilibrium in enumerate(solution.equilibria, 1)
        for side, plays in _plays(equilibrium.certificate).items()
        for cell, p in plays.items()
    ]


def _plays(proof: ApartCertificate) -> dict[str, dict[str, str]]:
    second = {_case(state): str(y) for state, y in proof.second.items()}
    return {"first": {"any": str(proof.first)}, "second": second, "banker": plays_data(proof.banker, two_cell)}


def _case(state: int | None) -> str:
    return "any" if state is None else "stood" if state == STOOD else str(state)


def apart_data(solution: Apart) -> dict[str, Any]:
    """The whole solution as plain data, with fractions as texts."""
    return {
        "theta": str(solution.theta),
        "together": str(_together(solution)),
        "all": solution.is_all,
        "equilibria": [
            {
                **_plays(equilibrium.certificate),
                "first_range": list(map(str, equilibrium.first_range)),
                "profits": list(map(str, equilibrium.certificate.profits)),
                "gains": list(map(str, equilibrium.certificate.gains)),
                "gain_float": float(equilibrium.epsilon),
            }
            for equilibrium in solution.equilibria
        ],
    }
