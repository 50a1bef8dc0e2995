"""Chemin de fer for one to twelve decks, and formulas in the number of decks for the many.

Solves the models without replacement for each number of decks, and has each certificate checked. In a full shoe of d
decks every count of deals is a polynomial in d, of degree six at most; and where the same cells mix and the others are
played alike, the equations that set p, q and the value have the same place in them. So from some d on they are rational
functions of d: the polynomials are those through the counts at seven numbers of decks, and the formulas are checked at
every number of decks from where they begin to 22, ten of them larger than any in the table. Then solves ten thousand
shoes a model, of cards that six decks have left at random, and asks whether Player ever has the better of it. Writes
`chemin.csv`, `figures/chemin.svg` and the tables of `chemin.md`. About a minute.

    python experiments/chemin.py
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import gcd, lcm
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from markdown import put

from counting import Shoe, plots
from counting.chemin import Solution, check, solve
from counting.chemin.words import banker_cell, player_cell

HERE = Path(__file__).parent
MODELS = ("B1", "B2", "B3")
DECKS, LARGER = range(1, 13), range(13, 23)
DEGREE = 6
SHOES = 10_000

Polynomial = list[Fraction]  # coefficients of 1, d, d^2 ...


def mixes(found: Solution) -> tuple[dict[Any, Fraction], dict[Any, Fraction]]:
    """The cells in which Player, and Banker, mix, with the probability of drawing."""
    player, banker = ({c: p for c, p in plays.items() if 0 < p < 1} for plays in (found.player, found.banker))
    return player, banker


def pattern(found: Solution) -> list[Any]:
    """What is played in every cell: 0, 1 or a mix."""
    return [(c, p if p in (0, 1) else None) for plays in (found.player, found.banker) for c, p in plays.items()]


def through(values: Callable[[int], int]) -> Polynomial:
    """The polynomial of degree six through the values at 1 to 7 (Newton)."""
    nodes = range(1, DEGREE + 2)
    table = [Fraction(values(d)) for d in nodes]
    for step in range(1, len(table)):
        for i in range(len(table) - 1, step - 1, -1):
            table[i] = (table[i] - table[i - 1]) / step
    found: Polynomial = [Fraction()]
    for node, coefficient in zip(reversed(nodes), reversed(table), strict=True):
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


def lowest(a: Polynomial, b: Polynomial) -> tuple[list[int], list[int]]:
    """A quotient of polynomials in lowest terms, with whole coefficients."""
    x, y = a, b
    while any(y):
        x, y = y, divided(x, y)[1]
    top, bottom = divided(a, x)[0], divided(b, x)[0]
    scale = lcm(*(c.denominator for c in (*top, *bottom)))
    whole = [int(c * scale) for c in (*top, *bottom)]
    common = gcd(*whole) * (1 if whole[-1] > 0 else -1)
    return [c // common for c in whole[: len(top)]], [c // common for c in whole[len(top) :]]


def at(formula: tuple[list[int], list[int]], d: int) -> Fraction:
    top, bottom = (sum(c * d**i for i, c in enumerate(p)) for p in formula)
    return Fraction(top, bottom)


def formulas(model: str, like: Solution) -> list[tuple[list[int], list[int]]]:
    """p, q and the value as quotients of polynomials, for shoes that are played like this one: one cell of each side
    mixes."""
    cells, (player, banker) = like.game.cells, mixes(like)
    (mine,), (theirs,) = player, banker
    column, row = 1 + cells.player.index(mine), cells.banker.index(theirs)
    games = {d: solve(Shoe.decks(d), model).game for d in range(1, DEGREE + 2)}

    def count(of: Callable[[Any], int]) -> Polynomial:
        return through(lambda d: of(games[d]))

    def entry(move: str, i: int, j: int) -> Polynomial:
        return count(lambda game: int(getattr(game, move)[i, j]))

    xs = [1, *(int(like.player[c]) if c != mine else None for c in cells.player)]
    draws = [int(like.banker[c]) if c != theirs else None for c in cells.banker]

    def fixed(j: int) -> Polynomial:
        """What Player has in column j, but for the cell that mixes."""
        return count(
            lambda game: sum(int((game.draw if y else game.stand)[i, j]) for i, y in enumerate(draws) if y is not None)
        )

    slope = [add(entry("draw", row, j), entry("stand", row, j), -1) for j in range(len(xs))]
    rest = [Fraction()]
    for j, x in enumerate(xs):
        rest = add(rest, slope[j]) if x == 1 else rest
    p = [-c for c in rest], slope[column]
    q = [-c for c in add(fixed(column), entry("stand", row, column))], slope[column]
    value: Polynomial = [Fraction()]
    for j, x in enumerate(xs):
        if x == 1:
            value = add(value, add(fixed(j), entry("stand", row, j)))
    # With Player's slope zero, what he draws with is no matter; what Banker draws with is, in the other columns.
    total = add(times(value, q[1]), times(q[0], rest))
    return [lowest(*p), lowest(*q), lowest(total, times(q[1], count(lambda game: game.deals)))]


def written(polynomial: Sequence[int]) -> str:
    terms = [(c, i) for i, c in reversed(list(enumerate(polynomial))) if c]
    powers = {0: "", 1: "d"}
    said = [f"{'-' if c < 0 else '+'} {'' if abs(c) == 1 and i else abs(c)}{powers.get(i, f'd^{i}')}" for c, i in terms]
    text = " ".join(said)
    return text.removeprefix("+ ") if text[0] == "+" else text.replace("- ", "-", 1)


NAMES: dict[str, Callable[[Solution], Fraction]] = {
    "p": lambda found: next(iter(mixes(found)[0].values())),
    "q": lambda found: next(iter(mixes(found)[1].values())),
    "value": lambda found: found.value,
}


def at_most_zero(model: str) -> list[str]:
    """Solve shoes of six cards and more left of six decks; the seed is the model's digit."""
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


def main() -> None:
    rows, lines, closed = [], [], []
    for model in MODELS:
        solved = {d: solve(Shoe.decks(d), model) for d in (*DECKS, *LARGER)}
        for d in DECKS:
            found = solved[d]
            check(found.certificate, Shoe.decks(d), model)
            (mine, p), (theirs, q) = (next(iter(mix.items())) for mix in mixes(found))
            rows.append(
                {
                    "model": model, "decks": d, "value": str(found.value), "value_float": float(found.value),
                    "player": player_cell(mine), "p": str(p), "p_float": float(p),
                    "banker": banker_cell(theirs), "q": str(q), "q_float": float(q),
                    "undecided": len(found.undecided),
                }
            )  # fmt: skip
            plays = [f"{player_cell(mine)}: {p}", f"{banker_cell(theirs)}: {q}"]
            lines.append([model, str(d), f"{found.value}", f"{float(found.value):.8f}", *plays])
        begins = next(d for d in DECKS if all(pattern(solved[e]) == pattern(solved[22]) for e in range(d, 23)))
        for name, formula, true in zip(NAMES, formulas(model, solved[22]), NAMES.values(), strict=True):
            assert all(at(formula, d) == true(solved[d]) for d in range(begins, 23)), (model, name)
            closed.append([model, f"{begins} and more", name, written(formula[0]), written(formula[1])])
    table = pl.DataFrame(rows)
    table.write_csv(HERE / "chemin.csv")
    panels = {"value_float": "value to Player", "p_float": "Player draws", "q_float": "Banker draws"}
    figure = plots.line_panels(table, "decks", panels, "model")
    (HERE / "figures" / "chemin.svg").write_text(plots.svg(figure))
    head = ["model", "decks", "value to Player", "", "Player draws", "Banker draws"]
    put(HERE / "chemin.md", head, lines, "decks")
    put(HERE / "chemin.md", ["model", "decks", "", "numerator", "denominator"], closed, "formulas")
    head = ["model", "shoes", "mean value", "largest value", "of value 0"]
    put(HERE / "chemin.md", head, map(at_most_zero, MODELS), "random")


if __name__ == "__main__":
    main()
