"""Solutions in words, as data, and as the tables that are printed of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from counting.cards import Shoe
from counting.chemin.bank_course import MOST_WINS, BankCourse
from counting.chemin.banque.certificate import BanqueCertificate
from counting.chemin.certificate import Certificate
from counting.chemin.optima import Optima
from counting.chemin.rules import MODELS, THIRDS, BankerCell, PlayerCell, Rules
from counting.chemin.solution import Solution
from counting.errors import whole
from counting.games import STOOD, Game

NEVER = "."  # a cell that no deal comes to
_LONG = 120  # characters of a fraction
_FEW_HANDS = 3  # are named
_FEW_CONDITIONS, _FEW_CELLS = 3, 8  # are told


def player_cell(cell: PlayerCell) -> str:
    """`on 5`, `on (1, 4)`."""
    return f"on {cell}"


def banker_cell(cell: BankerCell) -> str:
    """`on 6 when Player stood`, `on (0, 5) against 4`."""
    own, third = cell
    return f"on {own} when Player stood" if third == STOOD else f"on {own} against {third}"


def exactly(value: Fraction) -> str:
    """A fraction, if it is not too long to read, and its decimals."""
    return str(value) if value.denominator == 1 else f"{written(value)} = {float(value):.10g}"


def written(value: Fraction) -> str:
    """A fraction, or where it is too long to read, how long it is."""
    if len(said := str(value)) <= _LONG:
        return said
    return f"a fraction of {len(str(abs(value.numerator)))} over {len(str(value.denominator))} digits (JSON has it)"


def mixed(plays: Mapping[Any, Fraction]) -> dict[Any, Fraction]:
    """The cells that are neither always nor never drawn in."""
    return {cell: p for cell, p in plays.items() if 0 < p < 1}


def named(plays: Mapping[Any, Fraction], name: Callable[[Any], str]) -> dict[str, str]:
    """Plays as plain data, fractions as texts."""
    return {name(cell): str(p) for cell, p in plays.items()}


def bounds(proof: Certificate | BanqueCertificate) -> dict[str, str]:
    """What a certificate proves, as plain data."""
    return {"lower": str(proof.lower), "upper": str(proof.upper), "denominator": str(proof.denominator)}


def known(shoe: Shoe, model: str) -> str | None:
    """The cards that are dealt from; none where cards are drawn with replacement."""
    return None if MODELS[model].with_replacement else str(shoe)


def setting(shoe: Shoe, model: str, rules: Rules) -> dict[str, str | None]:
    """What a game is of, as plain data."""
    return {"shoe": known(shoe, model), "model": model, "rules": rules.title}


def dealt(shoe: Shoe, model: str) -> str:
    """The model and the cards: `model B3, shoe 6d`."""
    cards = known(shoe, model)
    return f"model {model}, " + ("cards drawn with replacement" if cards is None else f"shoe {cards}")


def heading(shoe: Shoe, model: str, rules: Rules) -> str:
    """What a table is of."""
    return f"{rules.title}, {dealt(shoe, model)}"


def proved(proof: Certificate | BanqueCertificate) -> str:
    """What a certificate proves, in words."""
    bound = f"{proof.lower}/{proof.denominator}"
    return f"Proved: both bounds are {bound if len(bound) <= _LONG else 'that value'}."


def sentences(found: Solution) -> list[str]:
    """The value, how often each side wins, the mixes, and what proves it."""
    game = found.game
    ways = " against ".join(f"2^{n.bit_length() - 1}" for n in game.pure_strategies)
    said = [
        f"{heading(game.shoe, game.model.name, game.rules)}: {ways} pure strategies, {len(found.undecided)} of "
        "Banker's cells undecided.",
        f"Value to Player: {exactly(found.value)}",
        "With these strategies: " + ", ".join(f"{who} {float(p):.8f}" for who, p in found.probabilities.items()) + ".",
    ]
    for side, plays, name in (("Player", found.player, player_cell), ("Banker", found.banker, banker_cell)):
        said += [f"{side} draws {name(cell)} with probability {exactly(p)}" for cell, p in mixed(plays).items()]
    said += [
        f"Player draws {player_cell(cell)}: {'always' if p else 'never'}"
        for cell, p in found.player.items()
        if p in (0, 1)
    ]
    said += [optimal(found.player_optima, "Player", player_cell), optimal(found.banker_optima, "Banker", banker_cell)]
    return [*said, proved(found.certificate)]


def optimal(optima: Optima[Any], side: str, name: Callable[[Any], str]) -> str:
    """All optimal strategies of a side, where they are not too many to tell."""
    if optima.unique:
        return f"{side}'s optimal strategy is the only one."
    cells = [name(cell) for cell in optima.cells]
    if optima.dimension == 1 and optima.vertices is not None:
        ends = (
            ", ".join(f"{cell} {at[c]}" for cell, c in zip(cells, optima.cells, strict=True)) for at in optima.vertices
        )
        return f"{side} has optimal strategies in 1 dimension: drawing {' and '.join(ends)}, and all between."
    conditions = [linear(a, cells, "=", b) for a, b in optima.equations]
    conditions += [linear(a, cells, "<=", b) for a, b in optima.inequalities]
    found = f"{side} has optimal strategies in {optima.dimension} dimensions"
    if len(conditions) > _FEW_CONDITIONS or len(cells) > _FEW_CELLS:
        return f"{found}, on {len(cells)} cells, which JSON has."
    among = ", ".join(cell.removeprefix("on ") for cell in cells)
    return f"{found}: any probabilities p on {among}{' for which ' if conditions else ''}{' and '.join(conditions)}."


def optima_data(optima: Optima[Any], name: Callable[[Any], str]) -> dict[str, Any]:
    """The same as plain data; `vertices`: the corners, on the cells in which they differ, None where too many."""

    def rows(given: Sequence[tuple[Sequence[Fraction], Fraction]], relation: str) -> list[dict[str, Any]]:
        return [
            {"coefficients": named(dict(zip(optima.cells, a, strict=True)), name), relation: str(b)} for a, b in given
        ]

    corners = optima.vertices
    return {
        "unique": optima.unique,
        "dimension": optima.dimension,
        "inside": named(optima.strategy, name),
        "cells": list(map(name, optima.cells)),
        "equations": rows(optima.equations, "equals"),
        "inequalities": rows(optima.inequalities, "at_most"),
        "vertices": corners and [named({cell: at[cell] for cell in optima.cells}, name) for at in corners],
    }


def as_data(found: Solution) -> dict[str, Any]:
    """All of a solution, fractions as texts."""
    game = found.game
    return {
        **setting(game.shoe, game.model.name, game.rules),
        "source": game.rules.source,
        "value": str(found.value),
        "value_float": float(found.value),
        "probabilities": {who: str(p) for who, p in found.probabilities.items()},
        "player": named(found.player, player_cell),
        "banker": named(found.banker, banker_cell),
        "undecided": [banker_cell(cell) for cell in found.undecided],
        "undealable": {
            "player": [player_cell(cell) for cell in found.undealable[0]],
            "banker": [banker_cell(cell) for cell in found.undealable[1]],
        },
        "optima": {
            "player": optima_data(found.player_optima, player_cell),
            "banker": optima_data(found.banker_optima, banker_cell),
        },
        "bounds": bounds(found.certificate),
    }


def linear(coefficients: Sequence[Fraction], names: Sequence[str], relation: str, bound: Fraction) -> str:
    """`3 p(6 against 4) - 2 p(5) <= 1`, in the smallest whole numbers, the first of them positive."""
    scale = lcm(*(f.denominator for f in (*coefficients, bound)))
    common = gcd(*(whole := [int(f * scale) for f in (*coefficients, bound)])) or 1
    if next((n for n in whole if n), 1) < 0:
        common, relation = -common, {"<=": ">=", ">=": "<="}.get(relation, relation)
    *terms, limit = (n // common for n in whole)
    said = ""
    for n, name in zip(terms, names, strict=True):
        if n:
            times = "" if abs(n) == 1 else f"{abs(n)} "
            said += (" - " if n < 0 else " + ") if said else ""
            at = name.removeprefix("on ")
            said += f"{times}p{at}" if at[0] + at[-1] == "()" else f"{times}p({at})"
    return f"{said or '0'} {relation} {limit}"


def strategy_rows(found: Solution, undecided: bool = False) -> list[dict[str, str]]:
    """Banker's strategy, a row for each total and the hands of it that play alike; with `undecided`, before solving."""
    cells, open_ = found.game.cells, set(found.undecided)
    rows: dict[tuple[int, tuple[str, ...]], list[str]] = {}
    for first in range(0, len(cells.banker), THIRDS):
        letters = []
        for i in range(first, first + THIRDS):
            cell = cells.banker[i]
            p = found.banker.get(cell)
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


def folded(rows: Sequence[Mapping[str, str]]) -> list[dict[str, str]]:
    """The rows of a strategy to be read: where hands of a total play in several ways, what most do is all others; where
    all do alike none is named."""
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


def own_rows(found: Solution) -> list[dict[str, str]]:
    """When to draw to an own hand: a row a cell."""
    return [{"cell": player_cell(cell), "plays": "D" if p else "S"} for cell, p in found.player.items()]


def own_table(found: Solution) -> list[dict[str, str]]:
    """The same to be read: a row for each total, and the hands of it that play alike."""
    rows: dict[tuple[int, str], list[str]] = {}
    for cell, p in found.player.items():
        total, hand = (cell, "") if isinstance(cell, int) else (sum(cell) % 10, f"({cell[0]}, {cell[1]})")
        rows.setdefault((total, "D" if p else "S"), []).append(hand)
    return folded(
        [{"total": str(total), "hands": ", ".join(hands), "plays": play} for (total, play), hands in rows.items()]
    )


def own_data(found: Solution, sees: str, table: Fraction) -> dict[str, Any]:
    """An own hand's solution beside what a bet on the table's Player hand is worth at the same even money."""
    data = {key: value for key, value in as_data(found).items() if key != "model"}
    return {**data, "sees": sees, "tables_hand": str(table), "tables_hand_float": float(table)}


def own_sentence(game: Game, found: Solution, table: Fraction) -> str:
    """What an own hand is worth beside the table's."""
    own = found.value
    return (
        f"{game.title}, shoe {found.game.shoe}. A bet on an own hand, played best, has the edge {exactly(own)}; on the "
        f"table's Player hand {exactly(table)}; the difference is {float(own - table):.6g}."
    )


def course_rows(course: BankCourse, wins: int) -> list[dict[str, Any]]:
    """A row for each number of wins: its chance, the bank then, and what one expects who passes it on then."""
    found = []
    for k in range(1, whole(wins, "wins", 1, MOST_WINS) + 1):
        chance, size, profit = map(float, course.after(k))
        found.append({"wins": k, "chance": chance, "bank": size, "expected_profit": profit})
    return found
