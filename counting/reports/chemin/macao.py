"""Macao's odds and a punter's plays in words, as data, and as printed tables."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from counting.cards import Shoe
from counting.chemin.macao import Chart, Macao, MacaoOdds, MacaoSimulated, Reply
from counting.chemin.macao.rules import VALUES
from counting.numbers import many
from counting.reports.chemin.chemin_de_fer import NEVER

_TEN = "ten"  # the column for a hand whose last drawn card is a ten or face
_Letters = dict[tuple[int, int | str], dict[int, str]]  # the keys: (cards drawn, total or "ten"), then cards rejected


LEGEND = (
    "D draws, S stands, R rejects a ten or face drawn, K keeps it. With *, the play depends on the cards of the hand. "
    "A dot marks a case that cannot occur."
)


def headline(rules: Macao, shoe: Shoe, odds: MacaoOdds, punter: str) -> list[str]:
    """Lines on the value of a coup to a punter, and on the rules."""
    return [
        f"{rules.title}, shoe {shoe}, {punter}: value per unit staked {float(odds.value):.10g}, standard deviation "
        f"{odds.deviation:.6g}.",
        f"Exact value: {odds.value}",
        f"Rules: {rules.source}.",
    ]


def _letters(reply: Reply) -> _Letters:
    cells: dict[tuple[int, int | str], dict[int, set[str]]] = {}
    for (hand, rejected), play in reply.plays.items():
        drawn = len(hand) - reply.rules.cards
        if play.draws is not None:
            at = cells.setdefault((drawn, reply.rules.total(hand)), {})
            at.setdefault(rejected, set()).add("SD"[play.draws])
        if play.rejects is not None:
            cells.setdefault((drawn, _TEN), {}).setdefault(rejected, set()).add("KR"[play.rejects])
    return {
        cell: {n: "*" if len(letters) > 1 else min(letters) for n, letters in sorted(by.items())}
        for cell, by in cells.items()
    }


def reply_rows(reply: Reply) -> list[dict[str, Any]]:
    """The play before any card is rejected. There is a row for each number of cards drawn, and a column for each total
    and for a ten or face drawn. D means draw, S stand, R reject, K keep. * means that the cards of the hand decide, and
    . that the case cannot occur."""
    letters = _letters(reply)
    return [
        {"drawn": drawn, **{str(cell): letters.get((drawn, cell), {}).get(0, NEVER) for cell in (*range(VALUES), _TEN)}}
        for drawn in range(reply.rules.most_drawn)
    ]


def changes(reply: Reply) -> list[str]:
    """A sentence for each cell in which the play depends on the number of rejected cards."""
    sentences = []
    for (drawn, cell), by in sorted(_letters(reply).items(), key=str):
        turns = [f"{letter} from {n} on" for (_, before), (n, letter) in pairwise(by.items()) if letter != before]
        if turns:
            where = "a ten or face drawn" if cell == _TEN else f"a total of {cell}"
            sentences.append(
                f"With {many(drawn, 'card')} drawn and {where}, the play depends on the number of rejected cards: "
                f"{', '.join(turns)}."
            )
    return sentences


def as_chart(reply: Reply) -> Chart:
    """A simpler play, by the total alone. Where the best play depends on more, the punter draws, and rejects a ten or
    face."""
    rows = reply_rows(reply)
    letters = ["".join("S" if row[str(total)] == "S" else "D" for total in range(VALUES)) for row in rows]
    return Chart(tuple(letters), all(row[_TEN] != "K" for row in rows))


def distribution_rows(
    odds: MacaoOdds, played: MacaoSimulated | None = None, exact: bool = False
) -> list[dict[str, Any]]:
    """A row for each amount that a coup can win: the probability and, if coups were dealt, how many of them won this
    amount, and how many standard deviations this number is from the expected number."""
    z = played.z(odds.probabilities) if played else {}
    return [
        {
            "won": units,
            "probability": float(chance),
            **({"exact": str(chance)} if exact else {}),
            **({"coups": played.counts.get(units, 0), "z": z[units]} if played else {}),
        }
        for units, chance in odds.probabilities.items()
    ]


def state_rows(reply: Reply) -> list[dict[str, Any]]:
    """A row for each state of the punter: the cards, the number of rejected cards, whether to draw, and whether to
    reject a ten or face."""
    return [
        {"cards": " ".join(map(str, hand)), "rejected": n, "draws": _word(play.draws), "rejects": _word(play.rejects)}
        for (hand, n), play in reply.plays.items()
    ]


def _word(answer: bool | None) -> str:
    return "" if answer is None else "yes" if answer else "no"


def macao_data(rules: Macao, shoe: Shoe, odds: MacaoOdds, played: MacaoSimulated | None = None) -> dict[str, Any]:
    """The rules, the distribution as fractions, and the dealt coups, as plain data."""
    data: dict[str, Any] = {
        "rules": rules.model_dump(mode="json"),
        "shoe": str(shoe),
        "value": str(odds.value),
        "value_float": float(odds.value),
        "deviation": odds.deviation,
        "law": {str(units): str(chance) for units, chance in odds.probabilities.items()},
    }
    if played:
        counts: Mapping[int, int] = played.counts
        data["played"] = {
            "coups": played.coups,
            "seed": played.seed,
            "counts": {str(units): n for units, n in counts.items()},
            "mean": played.mean,
            "mean_se": played.mean_se,
            "z": {str(units): z for units, z in played.z(odds.probabilities).items()},
        }
    return data
