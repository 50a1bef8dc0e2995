"""Solutions of chemin de fer in words, as data, and as printed tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from counting.cards import Shoe
from counting.chemin import MODELS, BankCourse, Certificate, CheminRules, Optima, Solution
from counting.chemin.bank_course import MOST_WINS
from counting.chemin.banque import BanqueCertificate, ByHandCertificate
from counting.chemin.rules import THIRDS, BankerCell, PlayerCell
from counting.errors import whole
from counting.games import STOOD, Game
from counting.numbers import many

NEVER = "."  # marks a cell that no deal reaches
_LONG = 120  # the most characters of a printed fraction
_FEW_HANDS = 3  # the most hands that are named
_FEW_CONDITIONS, _FEW_CELLS = 3, 8  # the most conditions and cells that are written out


def player_cell(cell: PlayerCell) -> str:
    """A cell of Player's in words: `on 5`, `on (1, 4)`."""
    return f"on {cell}"


def banker_cell(cell: BankerCell) -> str:
    """A cell of Banker's in words: `on 6 when Player stood`, `on (0, 5) against 4`."""
    own, third = cell
    return f"on {own} when Player stood" if third == STOOD else f"on {own} against {third}"


def exactly(value: Fraction) -> str:
    """A fraction and its decimals. A long fraction is described by its length."""
    return str(value) if value.denominator == 1 else f"{fraction_text(value)} = {float(value):.10g}"


def fraction_text(value: Fraction) -> str:
    """A fraction or, if it is too long to read, its length."""
    if len(text := str(value)) <= _LONG:
        return text
    above, below = len(str(abs(value.numerator))), len(str(value.denominator))
    return f"a fraction with {above} digits over {below} digits (JSON gives it in full)"


def mixed_cells(plays: Mapping[Any, Fraction]) -> dict[Any, Fraction]:
    """The cells in which drawing has a probability between 0 and 1, with the probabilities."""
    return {cell: p for cell, p in plays.items() if 0 < p < 1}


def plays_data(plays: Mapping[Any, Fraction], name: Callable[[Any], str]) -> dict[str, str]:
    """The probability of drawing in each cell, as a text. `name` gives a cell's name."""
    return {name(cell): str(p) for cell, p in plays.items()}


def bounds(proof: Certificate | BanqueCertificate | ByHandCertificate) -> dict[str, str]:
    """The bounds that a certificate proves, as plain data."""
    return {"lower": str(proof.lower), "upper": str(proof.upper), "denominator": str(proof.denominator)}


def shoe_text(shoe: Shoe, model: str) -> str | None:
    """The shoe as a text; None for a model in which cards are drawn with replacement."""
    return None if MODELS[model].with_replacement else str(shoe)


def setting(shoe: Shoe, model: str, rules: CheminRules) -> dict[str, str | None]:
    """A game's shoe, model and rules, as plain data."""
    return {"shoe": shoe_text(shoe, model), "model": model, "rules": rules.title}


def shoe_sentence(shoe: Shoe, model: str) -> str:
    """The model and the cards in words: `model B3, shoe 6d`."""
    cards = shoe_text(shoe, model)
    return f"model {model}, " + ("cards drawn with replacement" if cards is None else f"shoe {cards}")


def heading(shoe: Shoe, model: str, rules: CheminRules) -> str:
    """The heading of a table: rules, model and cards."""
    return f"{rules.title}, {shoe_sentence(shoe, model)}"


def proof_text(proof: Certificate | BanqueCertificate | ByHandCertificate) -> str:
    """The bounds that a certificate proves, in words."""
    bound = f"{proof.lower}/{proof.denominator}"
    return f"Proved: the lower and the upper bound are both {bound if len(bound) <= _LONG else 'equal to the value'}."


def sentences(solution: Solution) -> list[str]:
    """Sentences: the value, how often each side wins, the mixes, and the proof."""
    game = solution.game
    player, banker = (f"2^{n.bit_length() - 1}" for n in game.pure_strategies)
    chances = ", ".join(f"{winner} {float(p):.8f}" for winner, p in solution.probabilities.items())
    lines = [
        f"{heading(game.shoe, game.model.name, game.rules)}: Player has {player} pure strategies, and Banker has "
        f"{banker}. In {len(solution.undecided)} of Banker's cells, the best move depends on what Player does.",
        f"Value to Player: {exactly(solution.value)}",
        f"With the strategies below, the results have these probabilities: {chances}.",
    ]
    for side, plays, name in (("Player", solution.player, player_cell), ("Banker", solution.banker, banker_cell)):
        lines += [f"{side} draws {name(cell)} with probability {exactly(p)}" for cell, p in mixed_cells(plays).items()]
    lines += [
        f"Player {'always' if p else 'never'} draws {player_cell(cell)}"
        for cell, p in solution.player.items()
        if p in (0, 1)
    ]
    lines += [
        optimal(solution.player_optima, "Player", player_cell),
        optimal(solution.banker_optima, "Banker", banker_cell),
    ]
    return [*lines, proof_text(solution.certificate)]


def optimal(optima: Optima[Any], side: str, name: Callable[[Any], str]) -> str:
    """A sentence on all optimal strategies of a side. If there are too many conditions or cells, it states only how
    many dimensions these strategies have, and in how many cells they differ."""
    if optima.unique:
        return f"{side} has no other optimal strategy."
    cells = [name(cell) for cell in optima.cells]
    if optima.dimension == 1 and optima.vertices is not None:
        ends = (
            ", ".join(f"{cell} {at[c]}" for cell, c in zip(cells, optima.cells, strict=True)) for at in optima.vertices
        )
        return (
            f"{side} has optimal strategies in 1 dimension. The probabilities of drawing at the two ends are: "
            f"{'; '.join(ends)}. All strategies between the ends are optimal too."
        )
    conditions = [linear(a, cells, "=", b) for a, b in optima.equations]
    conditions += [linear(a, cells, "<=", b) for a, b in optima.inequalities]
    start = f"{side} has optimal strategies in {many(optima.dimension, 'dimension')}"
    if len(conditions) > _FEW_CONDITIONS or len(cells) > _FEW_CELLS:
        return f"{start}. They differ in {len(cells)} cells, which JSON lists."
    among = ", ".join(cell.removeprefix("on ") for cell in cells)
    which = f" for which {' and '.join(conditions)}" if conditions else ""
    return f"{start}: any probabilities p of drawing on {among}{which}."


def optima_data(optima: Optima[Any], name: Callable[[Any], str]) -> dict[str, Any]:
    """All optimal strategies of a side as plain data. `cells`: the cells in which optimal strategies differ.
    `vertices`: the corners of the set of strategies, by their probabilities in these cells; None if there are too
    many."""

    def rows(conditions: Sequence[tuple[Sequence[Fraction], Fraction]], relation: str) -> list[dict[str, Any]]:
        return [
            {"coefficients": plays_data(dict(zip(optima.cells, a, strict=True)), name), relation: str(b)}
            for a, b in conditions
        ]

    corners = optima.vertices
    return {
        "unique": optima.unique,
        "dimension": optima.dimension,
        "inside": plays_data(optima.strategy, name),
        "cells": list(map(name, optima.cells)),
        "equations": rows(optima.equations, "equals"),
        "inequalities": rows(optima.inequalities, "at_most"),
        "vertices": corners and [plays_data({cell: at[cell] for cell in optima.cells}, name) for at in corners],
    }


def solution_data(solution: Solution) -> dict[str, Any]:
    """The whole solution as plain data, with fractions as texts."""
    game = solution.game
    return {
        **setting(game.shoe, game.model.name, game.rules),
        "source": game.rules.source,
        "value": str(solution.value),
        "value_float": float(solution.value),
        "probabilities": {winner: str(p) for winner, p in solution.probabilities.items()},
        "player": plays_data(solution.player, player_cell),
        "banker": plays_data(solution.banker, banker_cell),
        "undecided": [banker_cell(cell) for cell in solution.undecided],
        "undealable": {
            "player": [player_cell(cell) for cell in solution.undealable[0]],
            "banker": [banker_cell(cell) for cell in solution.undealable[1]],
        },
        "optima": {
            "player": optima_data(solution.player_optima, player_cell),
            "banker": optima_data(solution.banker_optima, banker_cell),
        },
        "bounds": bounds(solution.certificate),
    }


def linear(coefficients: Sequence[Fraction], names: Sequence[str], relation: str, bound: Fraction) -> str:
    """A linear condition in the smallest whole numbers, as `3 p(6 against 4) - 2 p(5) <= 1`. The first number is
    positive."""
    scale = lcm(*(f.denominator for f in (*coefficients, bound)))
    common = gcd(*(whole := [int(f * scale) for f in (*coefficients, bound)])) or 1
    if next((n for n in whole if n), 1) < 0:
        common, relation = -common, {"<=": ">=", ">=": "<="}.get(relation, relation)
    *terms, limit = (n // common for n in whole)
    text = ""
    for n, name in zip(terms, names, strict=True):
        if n:
            times = "" if abs(n) == 1 else f"{abs(n)} "
            text += (" - " if n < 0 else " + ") if text else ""
            at = name.removeprefix("on ")
            text += f"{times}p{at}" if at[0] + at[-1] == "()" else f"{times}p({at})"
    return f"{text or '0'} {relation} {limit}"


def strategy_rows(solution: Solution, undecided: bool = False) -> list[dict[str, str]]:
    """Banker's strategy. Hands of the same total share a row if Banker plays them alike. With `undecided`, the strategy
    is shown as it is known before solving: `*` marks the cells in which it depends on Player's play."""
    cells, open_ = solution.game.cells, set(solution.undecided)
    rows: dict[tuple[int, tuple[str, ...]], list[str]] = {}
    for first in range(0, len(cells.banker), THIRDS):
        letters = []
        for i in range(first, first + THIRDS):
            cell = cells.banker[i]
            p = solution.banker.get(cell)
            if not cells.free[i]:
                letters.append("SD"[int(cells.drawn[i])])
            elif p is None:
                letters.append(NEVER)
            else:
                letters.append("*" if (cell in open_ if undecided else 0 < p < 1) else "SD"[int(p)])
        own = cells.banker[first][0]
        total = own if isinstance(own, int) else sum(own) % 10
        rows.setdefault((total, tuple(letters)), []).append("" if isinstance(own, int) else f"({own[0]}, {own[1]})")
    columns = [*map(str, range(STOOD)), "stood"]
    return [
        {"total": str(total), "hands": ", ".join(filter(None, hands)), **dict(zip(columns, letters, strict=True))}
        for (total, letters), hands in rows.items()
    ]


def folded_rows(rows: Sequence[Mapping[str, str]]) -> list[dict[str, str]]:
    """The rows of a strategy, with fewer hands named. If all hands of a total are played alike, no hand is named.
    Otherwise the largest group of more than three hands is named "all others"."""
    groups: dict[str, list[int]] = {}
    for row in rows:
        groups.setdefault(row["total"], []).append(row["hands"].count("("))
    short = []
    for row in rows:
        group, hands = groups[row["total"]], row["hands"]
        if len(group) == 1:
            hands = ""
        elif hands.count("(") == max(group) > _FEW_HANDS and group.count(max(group)) == 1:
            hands = "all others"
        short.append({**row, "hands": hands})
    return short


def own_rows(solution: Solution) -> list[dict[str, str]]:
    """When to draw to a hand of your own: a row for each cell."""
    return [{"cell": player_cell(cell), "plays": "D" if p else "S"} for cell, p in solution.player.items()]


def own_table(solution: Solution) -> list[dict[str, str]]:
    """When to draw to a hand of your own, as a short table. Hands of the same total share a row if they are played
    alike."""
    rows: dict[tuple[int, str], list[str]] = {}
    for cell, p in solution.player.items():
        total, hand = (cell, "") if isinstance(cell, int) else (sum(cell) % 10, f"({cell[0]}, {cell[1]})")
        rows.setdefault((total, "D" if p else "S"), []).append(hand)
    return folded_rows(
        [{"total": str(total), "hands": ", ".join(hands), "plays": play} for (total, play), hands in rows.items()]
    )


def own_data(solution: Solution, sees: str, table: Fraction) -> dict[str, Any]:
    """The solution of a hand of your own, as plain data. `table`: the value of a bet at even money on the table's
    Player hand; the data include it."""
    data = {key: value for key, value in solution_data(solution).items() if key != "model"}
    return {**data, "sees": sees, "tables_hand": str(table), "tables_hand_float": float(table)}


def own_sentence(game: Game, solution: Solution, table: Fraction) -> str:
    """A sentence that compares the value of a hand of your own with the table's Player hand."""
    own = solution.value
    return (
        f"{game.heading}, shoe {solution.game.shoe}. A bet on a hand of your own, played best, has the edge "
        f"{exactly(own)}. A bet on the table's Player hand has the edge {exactly(table)}. The difference is "
        f"{float(own - table):.6g}."
    )


def course_rows(course: BankCourse, wins: int) -> list[dict[str, Any]]:
    """A row for each number of wins in a row: the chance, the size of the bank after them, and the expected profit of a
    banker who passes the bank after them."""
    rows = []
    for k in range(1, whole(wins, "wins", 1, MOST_WINS) + 1):
        chance, size, profit = map(float, course.after(k))
        rows.append({"wins": k, "chance": chance, "bank": size, "expected_profit": profit})
    return rows
