"""Chemin de fer for one to twelve decks, and formulas in the number of decks for many decks.

The models without replacement are solved for each number of decks, and each certificate is checked. In a full shoe of d
decks, every count of deals is a polynomial in d, of degree at most six. As long as the same cells mix and all other
cells are played in the same way, Player's mix p, Banker's mix q and the value follow from the counts by the same
equations. This holds from some d on, so from there p, q and the value are rational functions of d. The polynomials are
found from the counts at seven numbers of decks. The formulas are checked at every number of decks up to 22, from the
first number to which they apply. Ten of these numbers are larger than any number in the table.

The formulas are then proved for all larger numbers of decks. A play is optimal if no other move in any cell is better.
The loss by each other move is also a polynomial in d. It is shown that this polynomial is not negative at any number of
decks from the first one on.

At the end, ten thousand random shoes left of six decks are solved for each model: does Player ever have an edge? Writes
`chemin.csv`, `chemin.svg` and the tables of `notes.md`. This takes a quarter of a minute.

    python -m experiments.chemin_by_decks.run
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import gcd, lcm
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from counting import Shoe
from counting.chemin import CLASSICAL, Solution, check_certificate, solve
from counting.reports import drawing, plots
from counting.reports.chemin import banker_cell, deck_rows, mixed_cells, player_cell
from counting.reports.chemin.chemin_de_fer import linear
from experiments._notes import put

HERE = Path(__file__).parent
MODELS = ("B1", "B2", "B3")
DECKS, LARGER = range(1, 13), range(13, 23)
DEGREE = 6
SHOES = 10_000

NODES, FAR = range(1, DEGREE + 2), 1000

Polynomial = list[Fraction]  # the coefficients of 1, d, d^2 ...
Quotient = tuple[list[int], list[int]]


def pattern(found: Solution) -> list[Any]:
    """How each cell is played: 0 (stand), 1 (draw) or a mix."""
    return [(c, p if p in (0, 1) else None) for plays in (found.player, found.banker) for c, p in plays.items()]


def through(values: Sequence[int]) -> Polynomial:
    """The polynomial of degree six with these values at 1 to 7, by Newton's formula."""
    table = list(map(Fraction, values))
    for step in range(1, len(table)):
        for i in range(len(table) - 1, step - 1, -1):
            table[i] = (table[i] - table[i - 1]) / step
    found: Polynomial = [Fraction()]
    for node, coefficient in zip(reversed(NODES), reversed(table), strict=True):
        found = add(times(found, [Fraction(-node), Fraction(1)]), [coefficient])
    return found


def add(a: Polynomial, b: Polynomial, factor: int | Fraction = 1) -> Polynomial:
    size = max(len(a), len(b))
    at = [(p + [Fraction()] * size)[:size] for p in (a, b)]
    found = [x + factor * y for x, y in zip(*at, strict=True)]
    while len(found) > 1 and not found[-1]:
        found.pop()
    return found


def times(a: Polynomial, b: Polynomial) -> Polynomial:
    found = [Fraction()] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            found[i + j] += x * y
    return add(found, [Fraction()])


def divided(a: Polynomial, b: Polynomial) -> tuple[Polynomial, Polynomial]:
    quotient, rest = [Fraction()], add(a, [Fraction()])
    while len(rest) >= len(b) and any(rest):
        term = [Fraction()] * (len(rest) - len(b)) + [rest[-1] / b[-1]]
        quotient, rest = add(quotient, term), add(rest, times(term, b), -1)
    return quotient, rest


def lowest(a: Polynomial, b: Polynomial) -> Quotient:
    """The quotient a / b in lowest terms, with whole coefficients."""
    x, y = a, b
    while any(y):
        x, y = y, divided(x, y)[1]
    top, bottom = divided(a, x)[0], divided(b, x)[0]
    scale = lcm(*(c.denominator for c in (*top, *bottom)))
    whole = [int(c * scale) for c in (*top, *bottom)]
    common = gcd(*whole) * (1 if whole[-1] > 0 else -1)
    return [c // common for c in whole[: len(top)]], [c // common for c in whole[len(top) :]]


def at(formula: Quotient, d: int) -> Fraction:
    top, bottom = (sum(c * d**i for i, c in enumerate(p)) for p in formula)
    return Fraction(top, bottom)


def never_negative(polynomial: Polynomial, begins: int) -> bool:
    """Whether a polynomial is at least 0 at every whole number from `begins` on. Numbers are tried one by one. At each,
    the polynomial is expanded about the number; if no coefficient is negative, it is at least 0 from this number on."""
    scale = lcm(*(c.denominator for c in polynomial))
    whole = [int(c * scale) for c in polynomial]
    for start in range(begins, begins + FAR):
        about = whole[:]
        for i in range(len(about)):  # Horner: from coefficients about 0 to those about `start`
            for j in range(len(about) - 2, i - 1, -1):
                about[j] += start * about[j + 1]
        if about[0] < 0 or min(about) >= 0:
            return about[0] >= 0
    raise ArithmeticError(f"{polynomial}: no sign found from {begins} to {begins + FAR}")


class Many:
    """Full shoes of many decks that are all played like the solution `like`. All values are polynomials in the number
    of decks. Player mixes in one cell, with p = `p[0] / p[1]`, and Banker mixes in one cell, with q = `q[0] / q[1]`."""

    def __init__(self, model: str, like: Solution) -> None:
        cells = like.game.cells
        (mine,), (theirs,) = mixed_cells(like.player), mixed_cells(like.banker)
        games = [solve(Shoe.decks(d), model).game for d in NODES]
        self.column, self.row = 1 + cells.player.index(mine), cells.banker.index(theirs)
        self.xs = [1, *(int(like.player[c]) if c != mine else None for c in cells.player)]
        self.ys = [int(like.banker[c]) if c != theirs else None for c in cells.banker]
        self.stand, self.slope = (
            [[through(at[:, i, j].tolist()) for j in range(len(self.xs))] for i in range(len(self.ys))]
            for at in (np.array([g.stand for g in games]), np.array([g.draw - g.stand for g in games]))
        )
        self.deals = through([game.deals for game in games])
        always, slope = self.against(self.row)
        self.p = [-c for c in always], slope
        self.q = [-c for c in self.of(self.column)], self.slope[self.row][self.column]

    def against(self, i: int) -> tuple[Polynomial, Polynomial]:
        """Player's value if Banker draws in cell i, minus Player's value if Banker stands. It is linear in p; the
        constant and the coefficient of p are returned."""
        worth: Polynomial = [Fraction()]
        for x, slope in zip(self.xs, self.slope[i], strict=True):
            worth = add(worth, slope) if x == 1 else worth
        return worth, self.slope[i][self.column]

    def of(self, j: int) -> Polynomial:
        """Player's value if Player draws in one of Player's cells or, for j = 0, Player's value in the cells without a
        choice. The part of Banker's mixed cell that depends on q is left out."""
        worth: Polynomial = [Fraction()]
        for y, stand, slope in zip(self.ys, self.stand, self.slope, strict=True):
            worth = add(worth, add(stand[j], slope[j]) if y == 1 else stand[j])
        return worth

    def formulas(self) -> list[Quotient]:
        """p, q and the value in lowest terms. If Banker mixes with q, Player's mix does not change the value, so the
        value follows from Player's other cells."""
        value: Polynomial = [Fraction()]
        for j, x in enumerate(self.xs):
            if x == 1:
                slope = self.slope[self.row][j]
                value = add(value, add(times(self.of(j), self.q[1]), times(slope, self.q[0])))
        return [lowest(*self.p), lowest(*self.q), lowest(value, times(self.q[1], self.deals))]

    def optimal_from(self, begins: int) -> int:
        """Try every other move in every cell of both sides, and return their number. Raises `AssertionError` if one of
        them is better than the move that is played, at some number of decks from `begins` on."""
        (p, p_of), (q, q_of) = ([[Fraction(c) for c in part] for part in both] for both in self.formulas()[:2])
        not_negative = [p, q, add(p_of, p, -1), add(q_of, q, -1)]
        for i, y in enumerate(self.ys):
            always, slope = self.against(i)
            worth = add(times(always, p_of), times(slope, p))
            if y is not None:
                not_negative.append([-c for c in worth] if y else worth)
        for j, x in enumerate(self.xs):
            worth = add(times(self.of(j), q_of), times(self.slope[self.row][j], q))
            if j and x is not None:
                not_negative.append(worth if x else [-c for c in worth])
        assert all(never_negative(add(of, [Fraction(-1)]), begins) for of in (p_of, q_of))  # both are 1 or more
        assert all(never_negative(polynomial, begins) for polynomial in not_negative)
        return len(not_negative) - 4


def written(polynomial: Sequence[int]) -> str:
    terms = [(c, i) for i, c in reversed(list(enumerate(polynomial))) if c]
    powers = {0: "", 1: "d"}
    said = [f"{'-' if c < 0 else '+'} {'' if abs(c) == 1 and i else abs(c)}{powers.get(i, f'd^{i}')}" for c, i in terms]
    text = " ".join(said)
    return text.removeprefix("+ ") if text[0] == "+" else text.replace("- ", "-", 1)


NAMES: dict[str, Callable[[Solution], Fraction]] = {
    "p": lambda found: next(iter(mixed_cells(found.player).values())),
    "q": lambda found: next(iter(mixed_cells(found.banker).values())),
    "value": lambda found: found.value,
}


def at_most_zero(model: str) -> list[str]:
    """Solve random shoes of six or more cards left of six decks. The seed is the digit in the model's name."""
    rng = np.random.default_rng(int(model[1]))
    full = Shoe.decks(6)
    values = []
    for _ in range(SHOES):
        cards = int(rng.integers(6, full.cards_left + 1))
        values.append(
            solve(Shoe.from_values(rng.multivariate_hypergeometric(full.values, cards).tolist()), model).value
        )
    assert max(values) <= 0, model
    zero = sum(value == 0 for value in values)
    return [model, f"{SHOES:,}", f"{float(sum(values) / SHOES):.6f}", f"{float(max(values)):.6f}", f"{zero:,}"]


def with_replacement(model: str) -> list[str]:
    """Lines on the game with replacement: the value, and all optimal strategies of both sides."""
    found = solve(Shoe.decks(6), model)
    said = [str(found.value)]
    for optima, plays, name in (
        (found.player_optima, found.player, player_cell),
        (found.banker_optima, found.banker, banker_cell),
    ):
        (cell, p), *others = mixed_cells(plays).items()
        if optima.unique:
            assert not others
            said.append(f"a single one: draws {name(cell)} with {p}, the rest as printed")
        else:
            (a, b), *more = optima.equations
            assert not more
            assert not optima.inequalities
            corners = len(optima.vertices or ())
            condition = linear(a, [name(cell) for cell in optima.cells], "=", b)
            said.append(f"a set of {optima.dimension} dimensions with {corners} corners: {condition}")
    return [model, *said]


def main() -> None:
    rows, closed = deck_rows(DECKS, MODELS, CLASSICAL), []
    for model in MODELS:
        solved = {d: solve(Shoe.decks(d), model) for d in (*DECKS, *LARGER)}
        for d in DECKS:
            check_certificate(solved[d].certificate, Shoe.decks(d), model)
        begins = next(d for d in DECKS if all(pattern(solved[e]) == pattern(solved[22]) for e in range(d, 23)))
        many = Many(model, solved[22])
        moves = many.optimal_from(begins)
        for name, formula, true in zip(NAMES, many.formulas(), NAMES.values(), strict=True):
            assert all(at(formula, d) == true(solved[d]) for d in range(begins, 23)), (model, name)
            closed.append([model, f"{begins} and more", str(moves), name, written(formula[0]), written(formula[1])])
    table = pl.DataFrame(rows)
    table.write_csv(HERE / "chemin.csv")
    (HERE / "chemin.svg").write_text(drawing.svg(plots.by_decks(table)))
    lines = [
        [
            *(str(row[column]) for column in ("model", "decks", "value")),
            f"{row['value_float']:.8f}",
            f"{row['player']}: {row['p']}",
            f"{row['banker']}: {row['q']}",
        ]
        for row in rows
    ]
    head = ["model", "decks", "value to Player", "in decimals", "Player draws", "Banker draws"]
    put(HERE / "notes.md", head, lines, "decks")
    put(
        HERE / "notes.md",
        ["model", "decks", "other moves, none of them better", "formula for", "numerator", "denominator"],
        closed,
        "formulas",
    )
    head = ["model", "shoes", "mean value", "largest value", "shoes of value 0"]
    put(HERE / "notes.md", head, map(at_most_zero, MODELS), "random")
    sides = ["model", "value to Player", "best strategies of Player", "best strategies of Banker"]
    put(HERE / "notes.md", sides, map(with_replacement, ("A1", "A2", "A3")), "replacement")


if __name__ == "__main__":
    main()
