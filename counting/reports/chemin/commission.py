"""Describes the equilibria under a commission, in words and as data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from counting.chemin import CommissionCertificate, CommissionSolution, Equilibrium, least_bank_profit, most_bank_profit
from counting.chemin.charged import CellGroup
from counting.chemin.rules import PlayerCell
from counting.reports.chemin.chemin_de_fer import banker_cell, exactly, linear, mixed_cells, player_cell, plays_data


def equilibrium_data(equilibrium: Equilibrium) -> dict[str, Any]:
    """An equilibrium as plain data."""
    return {
        "draws_from": None if equilibrium.draws is None else str(equilibrium.draws[0]),
        "draws_to": None if equilibrium.draws is None else str(equilibrium.draws[1]),
        "mixed": ", ".join(map(banker_cell, equilibrium.mixed)),
        "condition": _conditions(equilibrium),
        "extremes": None if equilibrium.extremes is None else len(equilibrium.extremes),
        "player_least": str(equilibrium.player[0]),
        "player_most": str(equilibrium.player[1]),
        "banker_least": str(equilibrium.banker[0]),
        "banker_most": str(equilibrium.banker[1]),
        "house_least": str(equilibrium.house[0]),
        "house_most": str(equilibrium.house[1]),
        "player_draws": plays_data(equilibrium.plays, player_cell),
        "extreme_draws": [plays_data(plays, player_cell) for plays in equilibrium.extreme_plays],
        "replies": plays_data(equilibrium.replies, banker_cell),
        "extreme_replies": equilibrium.extremes and [plays_data(mix, banker_cell) for mix in equilibrium.extremes],
    }


def commission_data(solution: CommissionSolution) -> list[dict[str, Any]]:
    """The equilibria of a solution as plain data. If the search for all of them was too long, this is the equilibrium
    that was found."""
    if solution.equilibria is not None:
        return list(map(equilibrium_data, solution.equilibria))
    return [_certificate_data(certificate) for certificate in solution.certificates]


def _certificate_data(certificate: CommissionCertificate) -> dict[str, Any]:
    """A single equilibrium, with the keys of `equilibrium_data`. Values that need all equilibria are None."""
    profits = {"player": certificate.to_player, "banker": certificate.to_banker, "house": certificate.to_house}
    return {
        "draws_from": None,
        "draws_to": None,
        "mixed": ", ".join(map(banker_cell, mixed_cells(certificate.banker))),
        "condition": None,
        "extremes": None,
        **{f"{side}_{end}": str(profit) for side, profit in profits.items() for end in ("least", "most")},
        "player_draws": plays_data(certificate.player, player_cell),
        "extreme_draws": None,
        "replies": plays_data(certificate.banker, banker_cell),
        "extreme_replies": None,
    }


def _conditions(equilibrium: Equilibrium) -> str:
    """The conditions on Banker's probabilities of drawing in the cells where Banker may mix; empty if there are
    none."""
    cells = list(map(banker_cell, equilibrium.mixed))
    return " and ".join(
        linear(list(map(Fraction, c.steps)), cells, c.relation, -Fraction(c.constant)) for c in equilibrium.conditions
    )


def commission_sentences(solution: CommissionSolution, commission: str, of: str) -> list[str]:
    """Sentences: the equilibria, whether these are all, and the check of their certificates. Raises `InputError` if a
    certificate is wrong."""
    solution.check()
    proved = "Checked by dealing the cards again: no side gains by another move in any cell of its certificate."
    if solution.equilibria is not None:
        return [*equilibria_sentences(solution.equilibria, commission, of), "No other equilibria exist.", proved]
    (certificate,) = solution.certificates
    profits = (
        ("Player", certificate.to_player),
        ("Banker", certificate.to_banker),
        ("the house", certificate.to_house),
    )
    game = solution.game
    least, most = (
        limit(game.shoe, solution.commission, game.model.name, game.rules)
        for limit in (least_bank_profit, most_bank_profit)
    )
    return [
        f"{of}: this is an equilibrium with a commission of {commission}. Others may exist, because the search for all "
        "was too long.",
        *_players(certificate.player),
        *_bankers(certificate.banker),
        *(f"  Profit of {side}: {exactly(profit)}" for side, profit in profits),
        f"In any equilibrium, Banker's profit is at least {exactly(least)} and at most {exactly(most)}.",
        proved,
    ]


def equilibria_sentences(solutions: Sequence[Equilibrium], commission: str, of: str) -> list[str]:
    """Sentences on equilibria."""
    lines = [
        f"{of}: {len(solutions)} equilibri{'um' if len(solutions) == 1 else 'a'} with a commission of {commission}:"
    ]
    for equilibrium in solutions:
        lines += [*_draws(equilibrium), *_players(equilibrium.others), *_bankers(equilibrium.replies)]
        if equilibrium.loose:
            others = ", ".join(banker_cell(cell).removeprefix("on ") for cell in equilibrium.loose)
            conditions = _conditions(equilibrium)
            lines.append(
                f"  or with any probabilities p on {others}" + (f" for which {conditions}" if conditions else "")
            )
        for side, (least, most) in (
            ("Player", equilibrium.player),
            ("Banker", equilibrium.banker),
            ("the house", equilibrium.house),
        ):
            value = exactly(least) if least == most else f"{exactly(least)} to {exactly(most)}"
            lines.append(f"  Profit of {side}: {value}")
    return lines


def _draws(equilibrium: Equilibrium) -> Iterator[str]:
    """Lines on Player's play in the cells where Player may mix."""
    if equilibrium.draws is not None:
        yield from _group(equilibrium.groups[0], *equilibrium.draws, alone=not equilibrium.others)
    elif len(equilibrium.corners) > 1:
        yield "Player draws in one of these ways, or with any mean of their probabilities:"
    elif not equilibrium.groups and not equilibrium.others:
        yield "Player has no choice"
    for corner in equilibrium.corners if equilibrium.draws is None else ():
        lines = [
            line
            for group, p in zip(equilibrium.groups, corner, strict=True)
            for line in _group(group, p, p, alone=False)
        ]
        yield from lines if len(equilibrium.corners) == 1 else ["  " + "; ".join(lines)]


def _group(group: CellGroup, low: Fraction, high: Fraction, alone: bool) -> list[str]:
    """Lines on the probabilities, from `low` to `high`, of drawing in a group of cells. `alone`: Player has no other
    choice."""
    cells = list(map(player_cell, group.cells))
    if low == high in (0, 1) and (not alone or len(cells) > 1):
        return _players(dict.fromkeys(group.cells, low))
    if len(cells) == 1:
        draws = exactly(low) if low == high else f"anything from {exactly(low)} to {exactly(high)}"
        return [f"Player draws {'on five' if cells == ['on 5'] else cells[0]} with probability {draws}"]
    total = sum(group.weights)
    limits = (("=", low),) if low == high else ((">=", low), ("<=", high))
    conditions = [linear(list(map(Fraction, group.weights)), cells, sign, end * total) for sign, end in limits]
    among = ", ".join(cell.removeprefix("on ") for cell in cells)
    return [f"Player draws with any probabilities p on {among} for which {' and '.join(conditions)}"]


def _players(plays: Mapping[PlayerCell, Fraction]) -> list[str]:
    return [
        f"Player draws {player_cell(cell)} with probability {exactly(p)}"
        if 0 < p < 1
        else f"Player {'always' if p else 'never'} draws {player_cell(cell)}"
        for cell, p in plays.items()
    ]


def _bankers(replies: Mapping[Any, Fraction]) -> list[str]:
    return [
        f"  Banker draws {banker_cell(cell)} with probability {exactly(p)}" for cell, p in mixed_cells(replies).items()
    ]
