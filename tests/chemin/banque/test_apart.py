"""Banque in which each Player plays alone: solutions agree with coups dealt card by card, and with a search that tries
every choice of the cells that mix."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from extent import crossed, examples, long_or
from hypothesis import given
from hypothesis import strategies as st
from twins.three_players import Cell, Three, dealt

from counting import InputError, Shoe
from counting.chemin.banque import apart, banque, best_replies, check_apart

TINY = ("v:5,0,0,1,0,0,3,0,0,2", "v:3,2,0,0,3,0,2,0,0,0", "v:2,0,0,2,0,3,2,0,1,0")
THETAS = ("0", "1/4", "1/2", "3/4", "1")


@pytest.mark.parametrize(("shoe", "model", "uses_third"), crossed(TINY[: long_or(3, 1)], ["B1", "B2"], [False, True]))
def test_profits_and_gains_of_any_plays_are_those_of_coups_dealt_card_by_card(
    shoe: str, model: str, uses_third: bool
) -> None:
    rng, twin = np.random.default_rng([uses_third, model == "B1"]), dealt(shoe, model)
    for theta in (Fraction(0), Fraction(2, 5), Fraction(1)):
        x, *ys = (Fraction(int(n), 6) for n in rng.integers(7, size=1 + len(twin.cases(uses_third))))
        second = dict(zip(twin.cases(uses_third), ys, strict=True))
        banker = {cell: Fraction(int(rng.integers(4)), 3) for cell in twin.worth}
        replies = best_replies(Shoe.parse(shoe), theta, model, x, second, banker)
        assert replies.profits == twin.profits(x, second, banker)
        assert replies.gains == twin.gains(theta, x, second, banker)
        check_apart(replies, Shoe.parse(shoe), theta, model)


@pytest.mark.long
@pytest.mark.parametrize(("model", "uses_third"), crossed(["B1", "B2"], [False, True]))
def test_none_of_the_three_gains_by_another_play(model: str, uses_third: bool) -> None:
    for shoe in TINY[: long_or(3, 1)]:
        twin = dealt(shoe, model)
        for theta in THETAS[:: long_or(1, 3)]:
            solution = apart(Shoe.parse(shoe), theta, model, uses_third=uses_third)
            for equilibrium in solution.equilibria:
                plays = equilibrium.certificate.first, equilibrium.certificate.second, equilibrium.certificate.banker
                assert equilibrium.certificate.profits == twin.profits(*plays)
                assert equilibrium.certificate.gains == twin.gains(Fraction(theta), *plays)
                assert equilibrium.epsilon < Fraction(1, 10**12)


def supports(twin: Three, theta: Fraction) -> Iterator[tuple[float, float]]:
    """The Players' probabilities (x, y) of drawing on five, in floats, in every equilibrium if the third card is
    ignored. The search tries every choice of the cells in which Banker mixes (at most two), of Banker's moves in the
    other cells, and of the Players who mix."""
    cells: list[tuple[np.ndarray, np.ndarray]] = []  # coefficients of 1, x, y, xy: Banker's cost, the Players' gains
    base = np.zeros((2, 4))
    for cell in twin.worth:
        at = [twin.at(cell, Fraction(x), Fraction(y)) for x, y in ((0, 0), (1, 0), (0, 1), (1, 1))]
        rows = [[n, x - n, y - n, both - x - y + n] for n, x, y, both in zip(*at, strict=True)]
        form = np.array([[float(n) for n in row] for row in rows])
        gain = form[2:] - form[:2]
        cost = float(theta) * gain[0] + float(1 - theta) * gain[1]
        corners = [cost @ (1, x, y, x * y) for x in (0, 1) for y in (0, 1)]
        base += form[:2]
        if max(corners) <= 1e-12:
            base += gain
        elif min(corners) < -1e-12:
            cells.append((cost, gain))
    for mixed in (set(m) for k in range(3) for m in combinations(range(len(cells)), k)):
        sure = [i for i in range(len(cells)) if i not in mixed]
        for plays in product((0, 1), repeat=len(sure)):
            form = base + sum((cells[i][1] for i, q in zip(sure, plays, strict=True) if q), np.zeros((2, 4)))
            for x, y, qs in solved(form, [cells[i] for i in sorted(mixed)]):
                if not all(-1e-9 <= p <= 1 + 1e-9 for p in (x, y, *qs)):
                    continue
                if any(
                    (cells[i][0] @ (1, x, y, x * y)) * (1 - 2 * q) < -1e-11 for i, q in zip(sure, plays, strict=True)
                ):
                    continue
                whole = form + sum((q * cells[i][1] for i, q in zip(sorted(mixed), qs, strict=True)), np.zeros((2, 4)))
                gains = whole[0, 1] + whole[0, 3] * y, whole[1, 2] + whole[1, 3] * x
                if all(
                    abs(g) < 1e-11 or (g < 0 and p < 1e-9) or (g > 0 and p > 1 - 1e-9)
                    for g, p in zip(gains, (x, y), strict=True)
                ):
                    yield x, y


def solved(
    form: np.ndarray, mixed: list[tuple[np.ndarray, np.ndarray]]
) -> Iterator[tuple[float, float, tuple[float, ...]]]:
    """Every x, y and qs at which the costs of the mixed cells are 0, and so are the gains of the Players who mix. `qs`
    are the probabilities with which Banker draws in the mixed cells."""
    if not mixed:
        yield from ((x, y, ()) for x in (0.0, 1.0) for y in (0.0, 1.0))
        if form[0, 3] and form[1, 3]:
            yield -form[1, 2] / form[1, 3], -form[0, 1] / form[0, 3], ()
        return
    (a, b, c, d), gain = mixed[0]
    if len(mixed) == 1:
        for end in (0.0, 1.0):
            for x, y in ([(end, -(a + b * end) / (c + d * end))] if c + d * end else []) + (
                [(-(a + c * end) / (b + d * end), end)] if b + d * end else []
            ):
                for q in indifferent(form, gain, x, y, x == end):
                    yield x, y, (q,)
        # Both Players mix. Then x = -(s + q g) / (t + q h), and y has the same form. Multiplied by the denominators,
        # the cost is a quadratic in q.
        px, qx = -np.array([gain[1, 2], form[1, 2]]), np.array([gain[1, 3], form[1, 3]])
        py, qy = -np.array([gain[0, 1], form[0, 1]]), np.array([gain[0, 3], form[0, 3]])
        cost = a * np.convolve(qx, qy) + b * np.convolve(px, qy) + c * np.convolve(qx, py) + d * np.convolve(px, py)
        for root in np.roots(np.trim_zeros(cost, "f")) if np.any(cost) else []:
            if abs(root.imag) < 1e-12 and np.polyval(qx, root.real) and np.polyval(qy, root.real):
                q = float(root.real)
                yield np.polyval(px, q) / np.polyval(qx, q), np.polyval(py, q) / np.polyval(qy, q), (q,)
        return
    (e, f, g, h), other = mixed[1]
    # The first cell's cost is 0 if y = -(a + b x) / (c + d x). With this y, the second cell's cost is 0 at the roots of
    # a quadratic in x.
    for root in np.roots([f * d - h * b, e * d + f * c - g * b - h * a, e * c - g * a]):
        x = float(root.real)
        if abs(root.imag) < 1e-12 and c + d * x:
            y = -(a + b * x) / (c + d * x)
            rows = [[m[0, 1] + m[0, 3] * y for m in (gain, other)], [m[1, 2] + m[1, 3] * x for m in (gain, other)]]
            if abs(np.linalg.det(rows)) > 1e-18:
                qs = np.linalg.solve(rows, [-form[0, 1] - form[0, 3] * y, -form[1, 2] - form[1, 3] * x])
                yield x, y, tuple(map(float, qs))


def indifferent(form: np.ndarray, gain: np.ndarray, x: float, y: float, second: bool) -> Iterator[float]:
    """Banker's q at which the Player who mixes is indifferent, if there is one. `second`: whether this is the second
    Player."""
    at, place, of = (x, 2, 1) if second else (y, 1, 0)
    slope = gain[of, place] + gain[of, 3] * at
    if slope:
        yield -(form[of, place] + form[of, 3] * at) / slope


SEVERAL = ("v:2,1,3,0,0,6,0,0,0,0", "1/2", 3)
SUPPORTS = (
    SEVERAL,
    ("v:5,0,0,1,0,0,3,0,0,2", "1/4", 1),
    ("v:3,0,2,2,0,0,4,0,0,0", "1/4", 1),
    ("v:0,3,0,0,2,0,0,0,2,3", "1/2", 3),
    ("v:0,1,3,0,0,0,2,0,0,3", "1/2", 5),
)


@pytest.mark.long
@pytest.mark.parametrize(("shoe", "theta", "number"), SUPPORTS[: long_or(5, 3)])
def test_all_supports_tried_give_the_same_equilibria(shoe: str, theta: str, number: int) -> None:
    solution = apart(Shoe.parse(shoe), theta, "B1", uses_third=False)
    assert solution.is_all
    ours = {
        tuple(round(float(p), 6) for p in (c.first, c.second[None]))
        for c in (e.certificate for e in solution.equilibria)
    }
    tried = {(round(x, 6), round(y, 6)) for x, y in supports(dealt(shoe, "B1"), Fraction(theta))}
    assert len(ours) == number
    assert ours == {(x + 0.0, y + 0.0) for x, y in tried}


def reached(twin: Three, theta: Fraction, x: Fraction) -> tuple[Fraction, Fraction]:
    """The least and the largest gain of the first Player from drawing on five, if the first Player draws with
    probability `x`, and the second Player and Banker make best replies to each other. In each state it is enough to try
    y at 0, at 1 and at the roots of the cells' costs, and to let one cell mix."""
    low = high = Fraction(0)
    for state in twin.cases(True):
        cells = [cell for cell in twin.worth if cell[1] == state]
        ends = Fraction(0), Fraction(1)
        lines = {cell: [cost(twin, cell, theta, x, y) for y in ends] for cell in cells}
        ys = {*ends, *(a / (a - b) for a, b in lines.values() if a != b and 0 <= a / (a - b) <= 1)}
        here = []
        for y in ys:
            costs = {cell: a + (b - a) * y for cell, (a, b) in lines.items()}
            level = [cell for cell, n in costs.items() if n == 0]
            sure = {cell: Fraction(n < 0) for cell, n in costs.items()}
            second = {cell: drawing(twin, cell, x, True) for cell in cells}
            first = {cell: drawing(twin, cell, y, False) for cell in cells}

            def total(of: Mapping[Cell, tuple[Fraction, Fraction]], qs: Mapping[Cell, Fraction]) -> Fraction:
                return sum((stand + q * gain for (stand, gain), q in ((of[c], qs[c]) for c in qs)), Fraction(0))

            for plays in product(ends, repeat=len(level)):
                qs = sure | dict(zip(level, plays, strict=True))
                gain = total(second, qs)
                if gain == 0 or (y == 0 and gain < 0) or (y == 1 and gain > 0):
                    here.append(total(first, qs))
                for cell in level:  # this cell mixes so that the second Player is indifferent
                    if second[cell][1]:
                        q = qs[cell] - gain / second[cell][1]
                        if 0 <= q <= 1:
                            here.append(total(first, qs | {cell: q}))
        low, high = low + min(here), high + max(here)
    return low, high


def cost(twin: Three, cell: Cell, theta: Fraction, x: Fraction, y: Fraction) -> Fraction:
    worth = twin.at(cell, x, y)
    return theta * (worth[2] - worth[0]) + (1 - theta) * (worth[3] - worth[1])


def drawing(twin: Three, cell: Cell, p: Fraction, second: bool) -> tuple[Fraction, Fraction]:
    """What a Player gains in a cell by drawing on five, if the other Player draws with probability `p`. Returns the
    gain if Banker stands, and what is added to it if Banker draws. `second`: whether this is the second Player's
    gain."""
    ends = [twin.at(cell, *((p, n) if second else (n, p))) for n in (Fraction(0), Fraction(1))]
    stand, draw = (ends[1][i] - ends[0][i] for i in ((1, 3) if second else (0, 2)))
    return stand, draw - stand


@pytest.mark.long
@pytest.mark.parametrize("shoe", [SEVERAL[0], *TINY[: long_or(3, 0)]])
def test_where_the_second_uses_the_third_card_no_other_x_of_the_first_will_do(shoe: str) -> None:
    """For each x: an equilibrium with it is listed if and only if x can be a best reply, that is, the first Player's
    gain from drawing can be 0, or at most 0 if x is 0, or at least 0 if x is 1."""
    rng, twin, tried = np.random.default_rng(3), dealt(shoe, "B1"), 0
    for theta in map(Fraction, long_or(("1/4", "1/2"), ("1/2",))):
        solution = apart(Shoe.parse(shoe), theta, "B1")
        inside = [equilibrium.first_range for equilibrium in solution.equilibria]
        assert solution.is_all
        for x in [
            Fraction(0),
            Fraction(1),
            *(Fraction(int(n), 1000) for n in rng.integers(1, 1000, size=long_or(40, 8))),
        ]:
            low, high = reached(twin, theta, x)
            can = (low <= 0 or x == 1) and (high >= 0 or x == 0)
            assert can == any(a <= x <= b for a, b in inside), x
            tried += not can
    assert tried > long_or(8, 4)


@pytest.mark.parametrize("model", ["A1", "A2"])
def test_with_replacement_the_player_with_all_the_stakes_has_chemin_de_fer(model: str) -> None:
    for theta in long_or((0, 1), (int(model == "A2"),)):
        solution = apart(Shoe.decks(1), Fraction(theta), model, uses_third=False)
        (equilibrium,) = solution.equilibria
        assert solution.is_all
        assert equilibrium.epsilon == 0
        assert equilibrium.certificate.profits[1 - theta] == Fraction(-679568, 53094899)


def test_with_replacement_and_equal_stakes_both_draw_as_at_chemin_de_fer() -> None:
    """Both draw on five with a probability of 9/11. They win less than with the best common plan."""
    (equilibrium,) = apart(Shoe.decks(1), "1/2", "A1", uses_third=False).equilibria
    assert (equilibrium.certificate.first, equilibrium.certificate.second) == (Fraction(9, 11), {None: Fraction(9, 11)})
    assert equilibrium.epsilon == 0
    assert sum(equilibrium.certificate.profits) / 2 < banque(Shoe.decks(1), "1/2", "A1", uses_third=False).value


few = st.dictionaries(st.integers(0, 9), st.integers(1, 5), min_size=3, max_size=5).filter(
    lambda counts: sum(counts.values()) >= 9
)


@given(few, st.data())
@examples(long=40, short=3)
def test_the_players_apart_have_no_more_than_together(given_counts: dict[int, int], data: st.DataObject) -> None:
    shoe = Shoe.from_values([given_counts.get(value, 0) for value in range(10)])
    theta = data.draw(st.fractions(0, 1, max_denominator=9))
    uses_third, model = data.draw(st.booleans()), data.draw(st.sampled_from(["B1", "B2"]))
    together = banque(shoe, theta, model, uses_third=uses_third).value
    for equilibrium in apart(shoe, theta, model, uses_third=uses_third).equilibria:
        first, second = equilibrium.certificate.profits
        assert theta * first + (1 - theta) * second <= together + equilibrium.certificate.gains[2]
        assert min(equilibrium.certificate.gains) >= 0


def test_a_wrong_certificate_is_rejected() -> None:
    shoe = Shoe.parse(SEVERAL[0])
    solution = apart(shoe, "1/2", "B2")
    solution.check()
    proof = solution.equilibria[0].certificate
    cell, state = next(iter(proof.banker)), next(iter(proof.second))
    off = Fraction(1, 10**30)
    wrong: dict[str, Any] = {
        "profit .* of the first Player": replace(proof, profits=(proof.profits[0] + off, proof.profits[1])),
        "profit .* of the second Player": replace(proof, profits=(proof.profits[0], proof.profits[1] - off)),
        "gain .* of the first Player": replace(proof, gains=(proof.gains[0] + off, *proof.gains[1:])),
        "gain .* of Banker": replace(proof, gains=(*proof.gains[:2], proof.gains[2] + off)),
        "should be 3 fractions": replace(proof, gains=proof.gains[:2]),
        "should be 2 fractions": replace(proof, profits=None),
        "profit": replace(proof, second={at: 1 - y for at, y in proof.second.items()}),
        "first: five draws with": replace(proof, first=Fraction(-1, 2)),
        "second: .* draws with 0.5": replace(proof, second=proof.second | {state: 0.5}),
        "banker: .* draws with Fraction": replace(proof, banker=proof.banker | {cell: Fraction(3, 2)}),
        "banker: .* is missing": replace(proof, banker={c: p for c, p in proof.banker.items() if c != cell}),
        "second: 11, should be a cell": replace(proof, second=proof.second | {11: Fraction(0)}),
        "banker: None, should be a probability for each cell": replace(proof, banker=None),
        r"naturals: \(0, 0\), should be a natural that": replace(proof, naturals=proof.naturals | {(0, 0): None}),
        "an ApartCertificate": None,
    }
    for said, certificate in wrong.items():
        with pytest.raises(InputError, match=said):
            check_apart(certificate, shoe, "1/2", "B2")
    with pytest.raises(InputError, match=r"gain|profit"):
        check_apart(proof, shoe, "1/3", "B2")


def test_what_is_no_question_gets_one_line() -> None:
    with pytest.raises(InputError, match="uses_third: 1, should be True or False"):
        apart(Shoe.decks(6), "1/2", "B1", uses_third=1)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="theta: '2'"):
        apart(Shoe.decks(6), "2", "B1")
