"""Equilibria under a commission: on shoes small enough to deal every order of the cards, nobody gains by deviating."""

from collections import Counter
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import perm, prod
from typing import Any

import pytest
from extent import examples
from hypothesis import given
from hypothesis import strategies as st
from twins.linear_programs import least

from counting import InputError, Shoe, exact_edges, load_game
from counting.chemin import CLASSICAL, MODERN, PUNTO_BANCO, CheminRules, Equilibrium, adjusted, equilibria, mixes, solve
from counting.chemin.mixes import Condition, Mixes
from counting.games import STOOD

SIX = Shoe.decks(6)
RATE = Fraction(1, 20)
tiny = (
    st.dictionaries(st.integers(0, 9), st.integers(1, 4), min_size=1, max_size=5)
    .filter(lambda counts: 6 <= sum(counts.values()) <= 14)
    .map(lambda counts: Shoe.from_values([counts.get(v, 0) for v in range(10)]))
)
SOME = PUNTO_BANCO.free("Some choices", "made up for this test", player=(5,), banker=((3, 8), (5, 4), (6, STOOD)))


class Dealt:
    """How often each side wins, counted over every ordered deal of six cards, by Player's move and by Banker's move in
    a cell."""

    def __init__(self, shoe: Shoe, model: str, rules: CheminRules) -> None:
        self.won: Counter = Counter()  # (cell or None, Banker draws, Player's move or None, who wins)
        there = [v for v in range(10) if shoe.values[v]]
        orders: dict[tuple[int, ...], int] = {}  # the number of ways to deal these cards in a given order
        for p1, b1, p2, b2, fifth, sixth in product(there, repeat=6):
            dealt = tuple(sorted((p1, b1, p2, b2, fifth, sixth)))
            if dealt not in orders:
                orders[dealt] = prod(perm(shoe.values[v], n) for v, n in Counter(dealt).items())
            ways = orders[dealt]
            player, banker = (p1 + p2) % 10, (b1 + b2) % 10
            if not ways:
                continue
            if max(player, banker) >= 8:
                self.won[None, False, None, _sign(player - banker)] += ways
                continue
            letter = rules.player[player]
            for draws in (True, False) if letter == "*" else (letter == "D",):
                third, total = (fifth, (player + fifth) % 10) if draws else (STOOD, player)
                own = tuple(sorted((b1, b2))) if model[1] == "2" else banker
                may = rules.banker[banker][third]
                for hits in (True, False) if may == "*" else (may == "D",):
                    against = (banker + (sixth if draws else fifth)) % 10 if hits else banker
                    cell = (own, third) if may == "*" else None
                    move = draws if letter == "*" else None
                    self.won[cell, hits if cell else False, move, _sign(total - against)] += ways

    def payoffs(self, x: Fraction, replies: dict, rate: Fraction) -> tuple[Fraction, Fraction]:
        """The payoffs of Player and Banker, summed over deals, if Player draws with probability `x` and Banker plays
        `replies`."""
        x = Fraction(x)
        does = {None: x.denominator, True: x.numerator, False: x.denominator - x.numerator}
        won = lost = Fraction(0)  # Player's wins and losses, in deals times the denominator of x
        for (cell, hits), by_move in self.by_play.items():
            q = Fraction(1) if cell is None else replies[cell] if hits else 1 - replies[cell]
            if q:
                wins, losses = (sum(does[move] * ways[who] for move, ways in by_move.items()) for who in (1, -1))
                won, lost = (won + wins, lost + losses) if q == 1 else (won + q * wins, lost + q * losses)
        return (won - lost) / x.denominator, (lost * (1 - rate) - won) / x.denominator

    @cached_property
    def by_play(self) -> dict[tuple[Any, bool], dict[bool | None, Counter]]:
        """The deals that each side wins, by what Banker does and by Player's move."""
        by_play: dict[tuple[Any, bool], dict[bool | None, Counter]] = {}
        for (cell, hits, move, who), ways in self.won.items():
            by_play.setdefault((cell, hits), {}).setdefault(move, Counter())[who] += ways
        return by_play


def _sign(difference: int) -> int:
    return (difference > 0) - (difference < 0)


def plays(found: Equilibrium) -> list[tuple[Fraction, dict]]:
    extremes = found.extremes if found.extremes is not None else ({},)
    return [(x, {**found.replies, **mix}) for x in {*(found.draws or [Fraction()])} for mix in extremes[:2]]


@given(
    shoe=tiny,
    model=st.sampled_from(["B1", "B2"]),
    rules=st.sampled_from([CLASSICAL, MODERN, SOME]),
    rate=st.sampled_from([Fraction(0), RATE, Fraction(1, 3)]),
)
@examples(long=15, short=4)
def test_nobody_gains_by_another_play(shoe: Shoe, model: str, rules: CheminRules, rate: Fraction) -> None:
    solved = equilibria(shoe, model, rules, rate)
    assert solved  # by Nash's theorem, an equilibrium exists
    dealt = Dealt(shoe, model, rules)
    deals = prod(shoe.cards_left - i for i in range(6))
    for equilibrium in solved:
        for x, replies in plays(equilibrium):
            player, banker = dealt.payoffs(x, replies, rate)
            assert equilibrium.player[0] <= player / deals <= equilibrium.player[1]
            assert equilibrium.banker[0] <= banker / deals <= equilibrium.banker[1]
            assert equilibrium.house[0] <= -(player + banker) / deals <= equilibrium.house[1]
            assert all(dealt.payoffs(Fraction(other), replies, rate)[0] <= player for other in (0, 1))
            for cell in replies:
                for other in (0, 1):
                    assert dealt.payoffs(x, replies | {cell: Fraction(other)}, rate)[1] <= banker


@given(shoe=tiny, rules=st.sampled_from([CLASSICAL, MODERN, SOME]), rate=st.sampled_from([Fraction(0), RATE]))
@examples(long=10, short=3)
def test_ranges_and_conditions_of_the_many(shoe: Shoe, rules: CheminRules, rate: Fraction) -> None:
    """The ranges of payoffs, which are computed without the extremes, are the ranges over all extremes. At each
    extreme, the conditions give the right gain from drawing, and its sign agrees with Player's draws."""
    dealt, deals = Dealt(shoe, "B2", rules), prod(shoe.cards_left - i for i in range(6))
    for equilibrium in equilibria(shoe, "B2", rules, rate):
        if equilibrium.extremes is None:
            continue
        xs = {*(equilibrium.draws or [Fraction()])}
        ways = [(x, equilibrium.replies | mix) for x in xs for mix in equilibrium.extremes]
        payoffs = [[worth / deals for worth in dealt.payoffs(x, replies, rate)] for x, replies in ways]
        for found, all_ in zip((equilibrium.player, equilibrium.banker), zip(*payoffs, strict=True), strict=True):
            assert found == (min(all_), max(all_))
        for mix in equilibrium.extremes:
            stands, draws = (dealt.payoffs(Fraction(x), equilibrium.replies | mix, rate)[0] for x in (0, 1))
            slope = (draws - stands) / deals
            assert all(c.at(list(mix.values())) == slope for c in equilibrium.conditions)
            assert equilibrium.draws is None or (slope <= 0 or equilibrium.draws[1] == 1)
            assert equilibrium.draws is None or (slope >= 0 or equilibrium.draws[0] == 0)
            assert all(len({other[cell] for other in equilibrium.extremes}) > 1 for cell in equilibrium.loose)


def test_ranges_where_the_extremes_are_too_many() -> None:
    """A linear program finds the same ranges. In it, the worth of each cell is counted by dealing."""
    shoe, rate = Shoe.parse("v:1,2,0,0,1,0,0,1,1,2"), Fraction(2, 3)
    (equilibrium,) = equilibria(shoe, "B2", CLASSICAL, rate)
    assert (equilibrium.draws, equilibrium.extremes, len(equilibrium.mixed)) == ((0, 0), None, 17)
    assert equilibrium.player == (Fraction(-103, 5040), Fraction(-97, 5040))
    lows, highs = (sum(ends) for ends in zip(equilibrium.player, equilibrium.banker, strict=True))
    assert equilibrium.house == (-highs, -lows)  # the house gets what the two sides lose
    assert equilibrium.house[0] < equilibrium.house[1]
    dealt, deals = Dealt(shoe, "B2", CLASSICAL), prod(8 - i for i in range(6))
    none = equilibrium.replies | dict.fromkeys(equilibrium.mixed, Fraction(0))

    def payoffs(replies: dict) -> tuple[Fraction, Fraction]:
        """Player's payoff by standing, and how much more Player gets by drawing."""
        stands, draws = (dealt.payoffs(Fraction(x), replies, rate)[0] / deals for x in (0, 1))
        return stands, draws - stands

    worth, slope = payoffs(none)
    each = [payoffs(none | {cell: Fraction(1)}) for cell in equilibrium.mixed]
    steps = [float(s - slope) for _, s in each]
    for sign, end in zip((1, -1), equilibrium.player, strict=True):
        costs = [sign * float(w - worth) for w, _ in each]
        cost = least(costs, at_most=([steps], [-float(slope)]), ranges=[(0, 1)] * len(costs))
        assert cost is not None
        assert float(worth) + sign * cost == pytest.approx(float(end), abs=1e-12)


@pytest.mark.long
@given(shoe=tiny, model=st.sampled_from(["B1", "B2"]), rate=st.sampled_from([Fraction(0), RATE, Fraction(1, 3)]))
@examples(long=15, short=4)
def test_where_player_never_or_always_draws_none_is_left_out(shoe: Shoe, model: str, rate: Fraction) -> None:
    """Counted by dealing: an equilibrium in which Player always draws is listed if and only if some best replies of
    Banker's make drawing at least as good as standing. The same holds for never drawing."""
    dealt = Dealt(shoe, model, CLASSICAL)
    cells = {cell for cell, *_ in dealt.won if cell is not None}
    solved = equilibria(shoe, model, CLASSICAL, rate)
    if solved[0].draws is None:
        return

    def slope(replies: dict) -> Fraction:
        return dealt.payoffs(Fraction(1), replies, rate)[0] - dealt.payoffs(Fraction(0), replies, rate)[0]

    for x in (Fraction(0), Fraction(1)):
        stands = dict.fromkeys(cells, Fraction(0))
        idle = dealt.payoffs(x, stands, rate)[1]
        gains = {cell: dealt.payoffs(x, stands | {cell: Fraction(1)}, rate)[1] - idle for cell in cells}
        best = {cell: Fraction(gain > 0) for cell, gain in gains.items()}
        steps = [slope(best | {cell: Fraction(1)}) - slope(best) for cell, gain in gains.items() if gain == 0]
        low, high = (slope(best) + sum(end(step, 0) for step in steps) for end in (min, max))
        assert any(x in equilibrium.draws for equilibrium in solved) == (high >= 0 if x else low <= 0)


@pytest.mark.long
@pytest.mark.parametrize("shoe", ["v:5,1,1,1,0,0,1,0,0,0", "v:5,0,0,0,0,0,1,1,1,1"])
@pytest.mark.parametrize("model", ["B1", "B2"])
def test_what_an_interval_has_is_not_listed_again(shoe: str, model: str) -> None:
    (equilibrium,) = equilibria(Shoe.parse(shoe), model, CLASSICAL, RATE)
    assert equilibrium.draws == (0, 1)
    assert equilibrium.loose == equilibrium.mixed
    assert equilibrium.conditions == ()


def test_which_mixes_are_told() -> None:
    """If a single cell of Banker's mixes, its probability follows from Player being indifferent. If six cells mix, many
    probabilities are possible."""
    (alone,) = equilibria(SIX, "A1", CLASSICAL, RATE)
    assert (alone.mixed, alone.loose, alone.conditions) == (((6, STOOD),), (), ())
    (many,) = equilibria(SIX, "A2", CLASSICAL, RATE)
    assert many.loose == many.mixed
    (condition,) = many.conditions
    assert condition.relation == "="
    assert [Fraction(step, condition.constant) for step in condition.steps] == [
        Fraction(-n, 859) for n in (1144, 286, 286, 143, 286, 143)
    ]


@given(
    st.integers(1, 4).flatmap(
        lambda n: st.tuples(
            st.lists(st.integers(-9, 9), min_size=n, max_size=n),
            st.lists(
                st.tuples(
                    st.integers(-12, 12),
                    st.lists(st.integers(-9, 9), min_size=n, max_size=n),
                    st.sampled_from(["=", "<=", ">="]),
                ),
                max_size=3,
            ),
        )
    ),
    st.booleans(),
)
@examples(long=400, short=50)
def test_the_mixes_under_conditions(form: tuple, listed: bool) -> None:
    """The ranges agree with a linear program. `listed`: whether extremes are listed even under a single condition."""
    worth, rows = form
    conditions = [Condition(constant, tuple(steps), relation) for constant, steps, relation in rows]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mixes, "_MOST_MIXED", 12 if listed else 0)
        solved = Mixes.of(conditions, len(worth))
    bounds = [(sign, c) for c in conditions for sign, relation in ((1, ">="), (-1, "<=")) if c.relation != relation]
    ends = []
    for way in (1, -1):
        end = least(
            [way * w for w in worth],
            at_most=([[sign * s for s in c.steps] for sign, c in bounds], [-sign * c.constant for sign, c in bounds]),
            ranges=[(0, 1)] * len(worth),
        )
        if end is None:  # no mix meets the conditions
            assert solved is None
            return
        ends.append(way * end)
    assert solved is not None
    low, high = solved.reach(worth)
    assert (low, high) == pytest.approx(ends, abs=1e-7)
    assert (solved.extremes is not None) == (listed or len(solved.conditions) > 1)
    if solved.extremes is not None:
        sums = [sum(w * p for w, p in zip(worth, mix, strict=True)) for mix in solved.extremes]
        assert (min(sums), max(sums)) == (low, high)
    for mix in (solved.some, *(solved.extremes or ())):
        assert all(0 <= p <= 1 for p in mix)
        assert all({"=": at == 0, "<=": at <= 0, ">=": at >= 0}[c.relation] for c in conditions for at in [c.at(mix)])
    assert set(solved.conditions) <= set(conditions)


def test_a_five_that_cannot_be_dealt_is_no_choice() -> None:
    (equilibrium,) = equilibria(Shoe.parse("v:0,0,0,0,0,0,16,0,0,0"), "B2", CLASSICAL, RATE)
    assert (equilibrium.draws, equilibrium.groups, equilibrium.corners) == (None, (), ((),))


@given(shoe=tiny, model=st.sampled_from(["B1", "B2"]), rate=st.sampled_from([RATE, Fraction(1, 3)]))
@examples(long=10, short=3)
def test_a_bank_that_keeps_to_a_reference_and_one_that_counts(shoe: Shoe, model: str, rate: Fraction) -> None:
    full, dealt = solve(SIX, model), Dealt(shoe, model, CLASSICAL)
    equilibrium, deals = adjusted(shoe, full, rate), prod(shoe.cards_left - i for i in range(6))
    cells = {cell for cell, *_ in dealt.won if cell is not None}
    replies = {cell: full.banker[cell] for cell in cells}
    x = full.player[5]
    assert equilibrium.bank == dealt.payoffs(x, replies, rate)[1] / deals
    for cell in cells:  # one by one: the best move in a cell does not depend on the other cells
        replies = max((replies | {cell: Fraction(p)} for p in (0, 1)), key=lambda r: dealt.payoffs(x, r, rate)[1])
    assert equilibrium.bank_counts == dealt.payoffs(x, replies, rate)[1] / deals


@pytest.mark.long
@pytest.mark.parametrize("model", ["A1", "A2", "B1", "B2"])
@pytest.mark.parametrize("rules", [CLASSICAL, MODERN, PUNTO_BANCO], ids=["classical", "modern", "punto banco"])
@pytest.mark.parametrize("shoe", ["6d", "v:9,3,0,2,5,1,4,3,2,2"])
def test_without_commission_they_are_the_optima(model: str, rules: CheminRules, shoe: str) -> None:
    solved = solve(Shoe.parse(shoe), model, rules)
    for equilibrium in equilibria(Shoe.parse(shoe), model, rules, 0):  # type: ignore[arg-type]  # read as a fraction
        assert equilibrium.player == (solved.value, solved.value)
        assert equilibrium.banker == (-solved.value, -solved.value)
        assert (equilibrium.draws is None) == (rules is PUNTO_BANCO)
        if equilibrium.draws is not None:
            low, high = equilibrium.draws
            assert low <= solved.player[5] <= high or not solved.player_optima.unique


def test_the_modern_banker_is_left_with_punto_banco() -> None:
    """Player may choose on five, and always draws. Banker makes the optional moves as in the tableau of punto banco."""
    for decks in (6, 8):
        edges = exact_edges(load_game("punto-banco"), Shoe.decks(decks))
        (fixed,) = equilibria(Shoe.decks(decks), "B1", PUNTO_BANCO, RATE)
        (chosen,) = equilibria(Shoe.decks(decks), "B1", MODERN, RATE)
        assert chosen.player == fixed.player == (edges["player"],) * 2
        assert chosen.banker == fixed.banker == (edges["banker-5"],) * 2
        assert chosen.draws == (1, 1)
        assert chosen.replies == {(3, 9): 1, (5, 4): 1}


def test_with_replacement_by_hand() -> None:
    """In model A1, the kinks are in the cells of Kemeny and Snell. At Player's mix, Banker is indifferent on 6 if
    Player stood."""
    (equilibrium,) = equilibria(SIX, "A1", CLASSICAL, RATE)
    assert equilibrium.draws == (Fraction(179, 214),) * 2
    assert equilibrium.mixed == ((6, STOOD),)
    assert equilibrium.player == (Fraction(-679568, 53094899),) * 2  # Player is indifferent, as without commission
    assert equilibrium.banker[0] < 0 < -equilibrium.player[0]
    (free,) = equilibria(SIX, "A1", CLASSICAL, "0")
    assert free.draws == (Fraction(9, 11),) * 2
    assert free.replies[6, STOOD] == Fraction(859, 2288)
    assert equilibrium.replies[6, STOOD] == Fraction(859, 2288)


def test_many_mixed_cells_are_counted_not_listed() -> None:
    (equilibrium,) = equilibria(SIX, "A2", CLASSICAL, RATE)
    assert equilibrium.mixed == tuple((hand, STOOD) for hand in [(0, 6), (1, 5), (2, 4), (3, 3), (7, 9), (8, 8)])
    assert equilibrium.extremes is not None
    assert len(equilibrium.extremes) == 40


@pytest.mark.parametrize("rate", [-1, 1, "x", "105%", None])
def test_commissions_that_cannot_be(rate: object) -> None:
    with pytest.raises(InputError, match=r"^commission: .*, should be from 0 to less than 1, as 1/20 or 0.05"):
        equilibria(SIX, "A1", CLASSICAL, rate)  # type: ignore[arg-type]
