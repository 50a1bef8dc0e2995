"""Equilibria under a commission in every model: certificates are checked by dealing again, and no equilibrium is left
out."""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from math import lcm
from typing import Any

import numpy as np
import pytest
from extent import examples, long_or
from hypothesis import given
from hypothesis import strategies as st

from counting import InputError, Shoe
from counting.chemin import (
    CLASSICAL,
    MODELS,
    MODERN,
    PUNTO_BANCO,
    CommissionCertificate,
    CommissionSolution,
    Equilibrium,
    check_commission,
    equilibria,
    faces,
    solve,
    under_commission,
)
from counting.chemin import commission as charging
from counting.chemin import regions as slices
from counting.chemin.charged import CellGroup, Charged, FreeCell
from counting.chemin.path import nash
from counting.games import STOOD
from counting.reports.chemin import equilibria_sentences

SIX = Shoe.decks(6)
RATE = Fraction(1, 20)
SMALL = Shoe.parse("v:9,3,0,2,5,1,4,3,2,2")
Number = Fraction | int
FREE = replace(CLASSICAL, title="All free", player="********")


def from_decks(seed: int, decks: int = 6, most: int = 312) -> Shoe:
    rng = np.random.default_rng(seed)
    counts = Shoe.decks(decks).values
    return Shoe.from_values(rng.multivariate_hypergeometric(counts, int(rng.integers(6, most + 1))).tolist())


def gains(row: Sequence[Number], plays: Sequence[Number]) -> Number:
    return row[0] + sum(e * p for e, p in zip(row[1:], plays, strict=True) if p)


def answers(worth: Number, p: Number) -> bool:
    """Whether drawing with probability `p` is best, if drawing is worth `worth` more than standing."""
    return 0 <= p <= 1 and (worth <= 0 or p == 1) and (worth >= 0 or p == 0)


def is_nash(a: list[list[int]], b: list[list[int]], x: Sequence[Number], y: Sequence[Number]) -> bool:
    mine = all(answers(gains(row, y), p) for row, p in zip(a[1:], x, strict=True))
    columns = list(zip(*b, strict=True))[1:]
    return mine and all(answers(-gains(list(column), x), p) for column, p in zip(columns, y, strict=True))


def random_form(seed: int, rows: int, columns: int, size: int) -> tuple[list[list[int]], list[list[int]]]:
    rng = random.Random(seed)
    a, b = ([[rng.randint(-size, size) for _ in range(columns + 1)] for _ in range(rows + 1)] for _ in "ab")
    return a, (a if rng.random() < 0.2 else b)


@pytest.mark.parametrize("size", [1, 2, 9, 1000])
def test_pivoting_ends_at_an_equilibrium(size: int) -> None:
    """With a size of 1, all entries are -1, 0 or 1, so there are ties of every kind."""
    for seed in range(long_or(4000, 300)):
        a, b = random_form(seed, seed % 6, seed // 6 % 8, size)
        assert is_nash(a, b, *nash(a, b)), seed


def form_of(a: list[list[int]], b: list[list[int]]) -> Charged:
    """Two forms of any kind, as a game under a commission."""
    charged = object.__new__(Charged)
    charged.deals = charged.scale = 1
    charged.groups = [CellGroup((i,), (1,)) for i in range(len(a) - 1)]
    charged.net, charged.cost = [row[0] for row in a], [0] * len(a)
    charged.free = [
        FreeCell((j, STOOD), [0] * len(a), [row[j] for row in a], [row[j] for row in b]) for j in range(1, len(a[0]))
    ]
    return charged


def solved(equations: list[list[Number]]) -> list[Fraction] | None:
    """The solution of n linear equations e . x + c = 0 in n unknowns, or None if it is not unique. An equation is a row
    of the coefficients e, with the constant c last."""
    rows, n = [], len(equations)
    for row in equations:
        scale = lcm(*(e.denominator for e in row))
        rows.append([e.numerator * (scale // e.denominator) for e in row])
    for i in range(n):
        pivot = next((row for row in rows[i:] if row[i]), None)
        if pivot is None:
            return None
        rows.remove(pivot)
        rows = [[pivot[i] * e - row[i] * p for e, p in zip(row, pivot, strict=True)] if row[i] else row for row in rows]
        rows.insert(i, pivot)
    return [Fraction(-row[n], row[i]) for i, row in enumerate(rows)]


def every_equilibrium(a: list[list[int]], b: list[list[int]]) -> set[tuple[Number, ...]]:
    """All equilibria of a game in which every equilibrium is isolated. Each cell is tried with 0, with 1 and as a
    mix."""
    k, m = len(a) - 1, len(a[0]) - 1
    columns = [list(column) for column in zip(*b, strict=True)]
    equilibria = set()
    for mine, theirs in product(product("01*", repeat=k), product("01*", repeat=m)):
        if mine.count("*") != theirs.count("*"):
            continue
        sides = []
        for rows, own, other in ((columns, mine, theirs), (a, theirs, mine)):
            mixed = [i for i, p in enumerate(own) if p == "*"]
            at: list[Number] = [0 if p == "*" else int(p) for p in own]
            lines = [rows[1 + j] for j, p in enumerate(other) if p == "*"]
            p = solved([[*(row[1 + i] for i in mixed), gains(row, at)] for row in lines])
            if p is not None:
                for i, q in zip(mixed, p, strict=True):
                    at[i] = q
                sides.append(at)
        if len(sides) == 2 and is_nash(a, b, *sides):
            equilibria.add((*sides[0], *sides[1]))
    return equilibria


def test_no_equilibrium_is_left_out() -> None:
    """Random games, in which up to three of Player's cells mix at once."""
    mixing = Counter[int]()
    for seed in range(long_or(1500, 60)):
        k, m = 2 + seed % 2, 1 + seed // 2 % 3
        a, b = random_form(seed, k, m, 1000)
        if seed % 12 == 11:  # as in matching pennies: Player gains by matching Banker's cell, and Banker loses
            for row in (a, b):
                for i in range(1, 4):
                    row[i][0], row[i][i] = row[i][0] // 9 - 900, row[i][i] // 9 + 1800
                row[0][1:] = [n // 9 - 900 for n in row[0][1:]]
        listed = charging.all_equilibria(form_of(a, b))
        assert listed is not None
        plays = [(*ends(equilibrium, k, m)[0][0], *ends(equilibrium, k, m)[1][0]) for equilibrium in listed]
        expected = every_equilibrium(a, b)
        assert sorted(plays) == sorted(expected), seed
        mixing.update(sum(0 < p < 1 for p in plays_of[:k]) for plays_of in expected)
    assert set(mixing) == {0, 1, 2, 3}


def ends(equilibrium: Equilibrium, k: int, m: int) -> tuple[list[list[Fraction]], list[list[Fraction]]]:
    """The extreme plays of both sides."""
    assert equilibrium.extremes is not None
    mine = [[plays[i] for i in range(k)] for plays in equilibrium.extreme_plays]
    return mine, [[{**equilibrium.replies, **mix}[j, STOOD] for j in range(1, m + 1)] for mix in equilibrium.extremes]


def is_mean(at: Sequence[Fraction], points: list[list[Fraction]]) -> bool:
    """Whether `at` is a weighted mean of some of the points. By Caratheodory's theorem, d + 1 points are enough in d
    dimensions."""
    for n in range(1, len(at) + 2):
        for some in combinations(points, n):
            rows: list[list[Number]] = [[*(p[i] for p in some), -q] for i, q in enumerate(at)] + [[*[1] * n, -1]]
            for chosen in combinations(rows, n):
                weights = solved(list(chosen))
                if weights and min(weights) >= 0 and not any(gains([r[-1], *r[:-1]], weights) for r in rows):
                    return True
    return False


@pytest.mark.parametrize("size", [1, 2])
def test_lines_and_areas_of_equilibria(size: int) -> None:
    """Games with ties of every kind. Every pair of plays with probabilities 0, 1/2 and 1 is tried: it is an equilibrium
    if and only if a listed equilibrium contains it. No listed equilibrium is part of another."""
    wide = Counter[int]()
    for seed in range(long_or(400, 20)):
        k, m = ((1, 2), (2, 1), (2, 2), (3, 1))[seed % 4]
        a, b = random_form(seed, k, m, size)
        listing = charging.all_equilibria(form_of(a, b))
        assert listing is not None
        both = [ends(equilibrium, k, m) for equilibrium in listing]
        for mine, theirs in both:
            assert all(is_nash(a, b, x, y) for x in mine for y in theirs), seed
            held = [others for others in both if others[0] != mine or others[1] != theirs]
            assert not any(
                all(is_mean(x, others[0]) for x in mine) and all(is_mean(y, others[1]) for y in theirs)
                for others in held
            ), seed
        wide.update(len(mine) for mine, _ in both)
        for halves in product((Fraction(0), Fraction(1, 2), Fraction(1)), repeat=k + m):
            x, y = list(halves[:k]), list(halves[k:])
            listed = any(is_mean(x, mine) and is_mean(y, theirs) for mine, theirs in both)
            assert listed == is_nash(a, b, x, y), seed
    assert len(wide) > 2


CERTIFIED = long_or(
    [*product(MODELS, (CLASSICAL, MODERN), ("0", "0.025", "0.05", "1/3"))],
    [
        *product(MODELS, (CLASSICAL, MODERN), ["0.05"]),
        *(("A1", MODERN, "0"), ("A2", CLASSICAL, "0"), ("A3", MODERN, "0"), ("B3", MODERN, "0")),
    ],
)


@pytest.mark.parametrize(("model", "rules", "rate"), CERTIFIED)
def test_certificates_of_six_decks(model: str, rules: Any, rate: str) -> None:
    charged = under_commission(SIX, model, rules, rate)
    charged.check()
    alone = under_commission(SIX, model, rules, rate, search=False)
    alone.check()
    assert charged.equilibria is not None
    (equilibrium,), (certificate,), (other,) = charged.equilibria, charged.certificates, alone.certificates
    for mine, ends in (
        (certificate.to_player, equilibrium.player),
        (certificate.to_banker, equilibrium.banker),
        (certificate.to_house, equilibrium.house),
        (other.to_player, equilibrium.player),
        (other.to_banker, equilibrium.banker),
        (other.to_house, equilibrium.house),
    ):
        assert ends[0] <= mine <= ends[1]
    assert certificate.to_player + certificate.to_banker + certificate.to_house == 0
    if rate == "0":
        assert certificate.to_player == other.to_player == solve(SIX, model, rules).value


def test_without_commission_it_is_the_published_solution() -> None:
    (certificate,), full = under_commission(SIX, "B3", CLASSICAL, "0").certificates, solve(SIX)
    assert certificate.to_player == full.value
    assert certificate.player == full.player
    assert certificate.player[1, 4] == Fraction(35003, 74880)
    assert certificate.banker == full.banker


@pytest.mark.parametrize("model", ["A1", "A2", "B1", "B2"])
def test_where_player_has_one_cell_they_are_those_of_before(model: str) -> None:
    assert under_commission(SIX, model, CLASSICAL, RATE).equilibria == equilibria(SIX, model, CLASSICAL, RATE)


@pytest.mark.long
@given(
    seed=st.integers(0, 10**6),
    model=st.sampled_from(["B1", "B2", "B3"]),
    rules=st.sampled_from([CLASSICAL, MODERN]),
    rate=st.fractions(0, Fraction(9, 10), max_denominator=1000),
)
@examples(long=100, short=4)
def test_random_shoes(seed: int, model: str, rules: Any, rate: Fraction) -> None:
    shoe = from_decks(seed)
    charged, alone = under_commission(shoe, model, rules, rate), under_commission(shoe, model, rules, rate, False)
    charged.check()
    alone.check()
    (certificate,) = alone.certificates
    if charged.equilibria is not None:
        assert any(e.player[0] <= certificate.to_player <= e.player[1] for e in charged.equilibria)
        assert any(e.banker[0] <= certificate.to_banker <= e.banker[1] for e in charged.equilibria)
    (free,) = under_commission(shoe, model, rules, 0, search=False).certificates  # type: ignore[arg-type]
    assert free.to_player == solve(shoe, model, rules).value


@pytest.mark.long
@pytest.mark.parametrize("model", ["B1", "B3"])
def test_own_rules_with_every_total_free(model: str) -> None:
    """Player has a choice on eight totals in model B1, and on 35 hands in model B3."""
    charged = under_commission(SMALL, model, FREE, RATE, search=model == "B1")
    charged.check()
    assert len(charged.certificates[0].player) == (8 if model == "B1" else 35)


def test_an_area_in_words() -> None:
    """Nobody can win or lose anything, so every play is an equilibrium."""
    nothing = [[0, 0], [0, 0], [0, 0]]
    (equilibrium,) = charging.all_equilibria(form_of(nothing, nothing)) or ()
    assert (len(equilibrium.groups), len(equilibrium.corners), equilibrium.draws) == (2, 4, None)
    assert equilibria_sentences([equilibrium], "5%", "Nothing") == [
        "Nothing: 1 equilibrium with a commission of 5%:",
        "Player draws in one of these ways, or with any mean of their probabilities:",
        *(f"  Player {a} draws on 0; Player {b} draws on 1" for a in ("never", "always") for b in ("never", "always")),
        "  or with any probabilities p on 1 when Player stood",
        "  Profit of Player: 0",
        "  Profit of Banker: 0",
        "  Profit of the house: 0",
    ]


@pytest.mark.long
@pytest.mark.parametrize(
    ("shoe", "cells"), [("v:13,4,4,4,1,4,3,3,4,4", 2), ("v:16,6,3,7,2,4,4,5,6,2", 2), ("v:11,6,1,1,2,1,1,5,3,4", 3)]
)
def test_where_several_cells_mix_all_are_found(shoe: str, cells: int) -> None:
    """Complementary pivoting finds the same equilibrium in another way, in whole numbers, and there is no other."""
    charged = under_commission(Shoe.parse(shoe), "B3", CLASSICAL, RATE)
    charged.check()
    assert charged.equilibria is not None
    (equilibrium,), (certificate,) = charged.equilibria, charged.certificates
    (other,) = under_commission(Shoe.parse(shoe), "B3", CLASSICAL, RATE, search=False).certificates
    assert certificate == other
    assert sum(0 < p < 1 for p in equilibrium.plays.values()) == len(equilibrium.groups) == cells
    assert (len(equilibrium.corners), equilibrium.loose) == (1, ())


def test_a_search_that_is_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, limit in ((slices, "_MOST_WORK"), (faces, "_MOST_WORK")):
        with monkeypatch.context() as patch:
            patch.setattr(module, limit, 1)
            assert under_commission(SIX, "B3", CLASSICAL, RATE).equilibria is None
            with pytest.raises(InputError, match=r"^model B3, shoe .*: too many mixes of Player's to search for all"):
                equilibria(SIX, "B3", CLASSICAL, RATE)


def test_mixes_that_are_too_many_to_search() -> None:
    """Banker is indifferent in 14 cells, and the mixes in these cells must meet two conditions."""
    charged = under_commission(Shoe.parse("v:4,0,1,1,0,0,0,1,1,1"), "B3", CLASSICAL, RATE)
    charged.check()
    assert charged.equilibria is None


def test_no_choice_and_no_free_hand() -> None:
    for shoe, rules in (("v:0,0,0,0,0,0,16,0,0,0", CLASSICAL), ("6d", PUNTO_BANCO)):
        charged = under_commission(Shoe.parse(shoe), "B3", rules, RATE)
        charged.check()
        assert charged.equilibria is not None
        assert [equilibrium.draws for equilibrium in charged.equilibria] == [None]


SOLVED = under_commission(SMALL, "B3", CLASSICAL, RATE)
GOOD = SOLVED.certificates[0]
FULL = under_commission(SIX, "B3", CLASSICAL, RATE).certificates[0]


def turned(plays: Any, cell: Any) -> Any:
    return {**plays, cell: 1 - plays[cell]}


WRONG: dict[str, tuple[Callable[[], Any], str]] = {
    "no certificate": (lambda: None, "certificate: None, should be a CommissionCertificate"),
    "a zero-sum one": (lambda: solve(SMALL).certificate, "should be a CommissionCertificate"),
    "a float commission": (lambda: replace(GOOD, commission=0.05), "commission: 0.05, should be from 0"),
    "all of the wins": (lambda: replace(GOOD, commission=Fraction(1)), "commission: "),
    "another commission": (lambda: replace(GOOD, commission=Fraction(1, 2)), "certificate: "),
    "no strategy": (lambda: replace(GOOD, player=None), "certificate, player: None, should be a probability"),
    "a missing cell": (
        lambda: replace(GOOD, banker={c: p for c, p in GOOD.banker.items() if c != ((0, 3), 9)}),
        r"certificate, banker: \(\(0, 3\), 9\) is missing",
    ),
    "a cell of no choice": (lambda: replace(GOOD, player={**GOOD.player, (0, 4): Fraction(1)}), "should be a cell"),
    "a total for a hand": (lambda: replace(GOOD, player={5: Fraction(1)}), "should be a cell with a choice"),
    "a float probability": (lambda: replace(GOOD, player=dict.fromkeys(GOOD.player, 0.5)), "draws with 0.5"),
    "more than always": (
        lambda: replace(GOOD, banker={**GOOD.banker, ((0, 3), 9): Fraction(3, 2)}),
        r"draws with Fraction\(3, 2\), should be a fraction from 0 to 1",
    ),
    "less than never": (lambda: replace(GOOD, player=dict.fromkeys(GOOD.player, Fraction(-1))), "should be a fraction"),
    "a play of Player's turned": (
        lambda: replace(GOOD, player=turned(GOOD.player, (0, 5))),
        "certificate: (Player|Banker) gains .* by",
    ),
    "a mix where none is best": (
        lambda: replace(GOOD, player={**GOOD.player, (0, 5): Fraction(1, 2)}),
        "certificate: (Player|Banker) gains .*, should gain by no other move",
    ),
    "a reply of Banker's turned": (
        lambda: replace(GOOD, banker=turned(GOOD.banker, ((0, 6), 6))),
        "certificate: (Player|Banker) gains .* by",
    ),
    "a profit of Player's": (lambda: replace(GOOD, to_player=GOOD.to_player + 1), "certificate: profit .* to player"),
    "a profit of Banker's": (lambda: replace(GOOD, to_banker=-GOOD.to_player), "certificate: profit .* to banker"),
    "the house's": (lambda: replace(GOOD, to_house=GOOD.to_house / 2), "certificate: profit .* to house"),
    "a float profit": (lambda: replace(GOOD, to_house=float(GOOD.to_house)), "certificate: profit .* to house"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_certificate_is_refused(name: str) -> None:
    wrong, says = WRONG[name]
    check_commission(GOOD, SMALL)
    with pytest.raises(InputError, match=says):
        check_commission(wrong(), SMALL)


@pytest.mark.parametrize(
    ("shoe", "model", "rules"),
    [(Shoe.decks(8), "B3", CLASSICAL), (SIX, "A3", CLASSICAL), (SIX, "B2", CLASSICAL), (SIX, "B3", MODERN)],
)
def test_it_holds_for_its_own_game_alone(shoe: Shoe, model: str, rules: Any) -> None:
    check_commission(FULL, SIX)
    with pytest.raises(InputError, match=r"^certificate"):
        check_commission(FULL, shoe, model, rules)


def test_mixes_that_are_not_quite_right_are_refused() -> None:
    """In the only cell of each side that mixes, the probability is changed by a millionth."""
    for side, cell in (("player", (1, 4)), ("banker", ((0, 6), STOOD))):
        plays = getattr(FULL, side)
        moved = {**plays, cell: plays[cell] + Fraction(1, 10**6)}
        with pytest.raises(InputError, match=r"^certificate: (Player|Banker) gains"):
            check_commission(replace(FULL, **{side: moved}), SIX)


def test_the_optimum_without_commission_is_no_equilibrium_with_it() -> None:
    full = solve(SIX)
    kept = CommissionCertificate(RATE, full.player, full.banker, full.value, Fraction(0), -full.value)
    with pytest.raises(InputError, match=r"^certificate: Banker gains .* on \(\(0, 6\), 10\) by "):
        check_commission(kept, SIX)


def test_a_solution_checks_all_of_its_certificates() -> None:
    assert isinstance(SOLVED, CommissionSolution)
    wrong = replace(GOOD, to_house=Fraction(0))
    with pytest.raises(InputError, match="to house"):
        CommissionSolution(SOLVED.game, RATE, None, (GOOD, wrong)).check()
