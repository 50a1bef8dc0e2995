"""Chemin de fer, compared with published solutions and with a slow reference implementation that deals every order of
the cards. Properties that every solution has are tested too."""

import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from math import perm, prod
from pathlib import Path

import numpy as np
import pytest
from extent import examples
from hypothesis import given
from hypothesis import strategies as st

import counting
from counting import InputError, Shoe
from counting.chemin import (
    CLASSICAL,
    MODELS,
    MODERN,
    PUNTO_BANCO,
    Certificate,
    CheminRules,
    Solution,
    check_certificate,
    solve,
)
from counting.chemin.game import CheminGame
from counting.chemin.rules import HANDS
from counting.exact import probabilities
from counting.games import STOOD

GOLDEN = tomllib.loads((Path(__file__).parents[1] / "golden" / "chemin.toml").read_text())
SIX = Shoe.decks(6)
HANDS_OF_FIVE = ((0, 5), (1, 4), (2, 3), (6, 9), (7, 8))
EVERYTHING = CLASSICAL.free("Every choice", "made up for this test", player=range(8))
SOME = PUNTO_BANCO.free(
    "Some choices", "made up for this test", player=(3, 5), banker=((3, 8), (4, 1), (5, STOOD), (6, STOOD))
)

models = st.sampled_from(list(MODELS))
rules_given = st.sampled_from([CLASSICAL, MODERN, SOME])
scarce = st.lists(st.integers(0, 4), min_size=10, max_size=10)
usual = st.lists(st.integers(0, 128), min_size=10, max_size=10)
shoes = st.one_of(scarce, usual).filter(lambda counts: sum(counts) >= 6).map(Shoe.from_values)
# Six to fourteen cards of at most five values, so that every order can be dealt.
tiny = (
    st.dictionaries(st.integers(0, 9), st.integers(1, 4), min_size=1, max_size=5)
    .filter(lambda counts: 6 <= sum(counts.values()) <= 14)
    .map(lambda counts: Shoe.from_values([counts.get(v, 0) for v in range(10)]))
)


def sign(difference: int) -> int:
    return (difference > 0) - (difference < 0)


class Twin:
    """Player's net wins over all ordered deals of six cards: `net[Banker's cell][Banker's move][Player's cell, Player's
    move]`.

    Player's cell is None if the rules leave Player no choice. For Banker, both moves are counted in every cell; the
    letter in the cell states whether Banker has the choice.
    """

    def __init__(self, shoe: Shoe, model: str, rules: CheminRules) -> None:
        self.net = defaultdict(lambda: (Counter(), Counter()))
        self.reached: Counter = Counter()
        self.settled = self.deals = 0
        there = [v for v in range(10) if shoe.values[v]]
        orders: dict[tuple[int, ...], int] = {}  # the number of ways to deal these cards in a given order
        for p1, b1, p2, b2, fifth, sixth in product(there, repeat=6):
            dealt = tuple(sorted((p1, b1, p2, b2, fifth, sixth)))
            if dealt not in orders:
                orders[dealt] = prod(perm(shoe.values[v], n) for v, n in Counter(dealt).items())
            ways = orders[dealt]
            if not ways:
                continue
            self.deals += ways
            player, banker = (p1 + p2) % 10, (b1 + b2) % 10
            if player >= 8 or banker >= 8:
                self.settled += ways * sign(player - banker)
                continue
            sees = tuple(sorted((p1, p2))) if model[1] == "3" else player
            own = tuple(sorted((b1, b2))) if model[1] != "1" else banker
            letter = rules.player[player]
            for draws in [True, False] if letter == "*" else [letter == "D"]:
                third, total = (fifth, (player + fifth) % 10) if draws else (STOOD, player)
                theirs = (sees if letter == "*" else None, draws)
                hers = (own, third, rules.banker[banker][third])
                self.reached[hers, theirs] += ways
                for drawn in (False, True):
                    against = (banker + (sixth if draws else fifth)) % 10 if drawn else banker
                    self.net[hers][drawn][theirs] += ways * sign(total - against)

    def player_has(self, player: dict) -> Fraction:
        """The value to Player of Player's mix against Banker's best reply."""
        worth = Fraction(int(self.settled))
        for (_, _, letter), moves in self.net.items():
            both = [sum(n * self.chance(player, *at) for at, n in move.items()) for move in moves]
            worth += min(both) if letter == "*" else both[letter == "D"]
        return worth / self.deals

    def banker_leaves(self, banker: dict) -> Fraction:
        """The value to Player of Banker's mix against Player's best reply."""
        worth, choices = Fraction(int(self.settled)), defaultdict(lambda: [Fraction(), Fraction()])
        for (own, third, letter), moves in self.net.items():
            q = banker[own, third] if letter == "*" else Fraction(letter == "D")
            for move, p in zip(moves, (1 - q, q), strict=True):
                for (cell, draws), n in move.items():
                    if cell is None:
                        worth += p * n
                    else:
                        choices[cell][draws] += p * n
        return (worth + sum(map(max, choices.values()))) / self.deals

    @staticmethod
    def chance(player: dict, cell: object, draws: bool) -> Fraction:
        return Fraction(1) if cell is None else player[cell] if draws else 1 - player[cell]

    def value_of_one_choice(self, cell: object) -> Fraction:
        """The value if Player has a choice in this cell only: the largest value at any kink of a concave function of
        x."""
        kinks = {Fraction(0), Fraction(1)}
        for moves in self.net.values():
            at = [
                sum(n * self.chance({cell: x}, *at) for at, n in moves[1].items())
                - sum(n * self.chance({cell: x}, *at) for at, n in moves[0].items())
                for x in (Fraction(0), Fraction(1))
            ]
            if at[0] * at[1] < 0:
                kinks.add(at[0] / (at[0] - at[1]))
        return max(self.player_has({cell: x}) for x in kinks)


def hand(text: str) -> tuple[int, int]:
    a, b = map(int, text.split())
    return a, b


def table(solution: Solution, undecided: bool) -> dict[object, str]:
    """Rows of letters, by Banker's total or hand. `*` marks an undecided cell or, without `undecided`, a mixed cell."""
    rows: dict[object, str] = defaultdict(str)
    for (own, third), p in solution.banker.items():
        open_ = (own, third) in solution.undecided if undecided else 0 < p < 1
        rows[own] += "*" if open_ else "D" if p else "S"
    return rows


def letters(row: str) -> str:
    return row.replace(" ", "")


# Published results: A Game-Theoretic Analysis of Baccara Chemin de Fer (Ethier and Gámez).


@pytest.mark.parametrize("model", MODELS)
def test_the_numbers_of_pure_strategies_are_those_published(model: str) -> None:
    assert CheminGame.of(SIX, model, CLASSICAL).pure_strategies == tuple(2**n for n in GOLDEN["strategies"][model])


def test_model_a1_is_solved_as_kemeny_and_snell_solved_it() -> None:
    golden, solution = GOLDEN["A1"], solve(SIX, "A1")
    assert solution.value == Fraction(golden["value"])
    assert solution.player == {5: Fraction(golden["player"])}
    assert solution.banker[6, STOOD] == Fraction(golden["banker"])
    assert table(solution, undecided=True) == {total: letters(row) for total, row in enumerate(golden["rows"])}
    assert [solution.banker[cell] for cell in ((3, 9), (4, 1), (5, 4))] == [c == "D" for c in letters(golden["mixed"])]
    assert solution.player_optima.unique
    assert solution.banker_optima.unique


def test_model_b3_at_six_decks_is_solved_as_ethier_and_gamez_solved_it() -> None:
    golden, solution = GOLDEN["B3"], solve(SIX)
    assert solution.value == Fraction(golden["value"])
    assert solution.player == {hand(cell): Fraction(p) for cell, p in golden["player"].items()}
    assert solution.banker[(0, 6), STOOD] == Fraction(golden["banker"])
    assert len(solution.undecided) == golden["undecided"]
    first, solved = table(solution, undecided=True), table(solution, undecided=False)
    special = {hand(cell): letters(row["row"]) for row in golden["hands"] for cell in row["hands"]}
    draws = {4: set(map(hand, golden["five_against_four"])), STOOD: set(map(hand, golden["six_stood"]))}
    mixed = {5: 4, 6: STOOD}
    for own in HANDS[:44]:
        total = sum(own) % 10
        assert first[own] == special.get(own, letters(golden["rows"][total])), own
        row = letters(golden["solved"][total])
        if total in mixed and own != (0, 6):
            row = row.replace("*", "D" if own in draws[mixed[total]] else "S")
        assert solved[own] == row, own
    assert solution.player_optima.unique
    assert solution.banker_optima.unique


@pytest.mark.parametrize("model", ["B1", "B2"])
def test_solutions_of_models_b1_and_b2_are_unique(model: str) -> None:
    for decks in (1, 2, 6, 8):
        solution = solve(Shoe.decks(decks), model)
        assert solution.player_optima.unique
        assert solution.banker_optima.unique


# Comparisons with the slow reference implementation


@given(tiny, models.filter(lambda model: model[0] == "B"), rules_given)
@examples(long=25, short=4)
def test_the_kernel_counts_what_the_twin_deals(shoe: Shoe, model: str, rules: CheminRules) -> None:
    game, twin = CheminGame.of(shoe, model, rules), Twin(shoe, model, rules)
    assert game.deals * 4 == twin.deals
    columns = {cell: 1 + i for i, cell in enumerate(game.cells.player)}
    expected = np.zeros((3, *game.stand.shape), np.int64)
    place = {cell: i for i, cell in enumerate(game.cells.banker)}
    for hers, moves in twin.net.items():
        reach = Counter({at: n for (cell, at), n in twin.reached.items() if cell == hers})
        for which, counted in enumerate((*moves, reach)):
            for (cell, draws), n in counted.items():
                row = expected[which, place[hers[:2]]]
                if cell is None or not draws:
                    row[0] += n
                if cell is not None:
                    row[columns[cell]] += n if draws else -n
    assert (np.stack([game.stand, game.draw, game.reach]) * 4 == expected).all()


@given(tiny, models.filter(lambda model: model[0] == "B"))
@examples(long=40, short=6)
def test_undecided_is_where_each_move_is_better_against_some_pure_strategy(shoe: Shoe, model: str) -> None:
    solution, twin = solve(shoe, model), Twin(shoe, model, CLASSICAL)
    cells, better = list(solution.player), defaultdict(set)
    for pure in product([Fraction(0), Fraction(1)], repeat=len(cells)):
        for (own, third, _), moves in twin.net.items():
            stand, draw = (
                sum(n * Twin.chance(dict(zip(cells, pure, strict=True)), *at) for at, n in move.items())
                for move in moves
            )
            better[own, third].add(np.sign(draw - stand))
    assert set(solution.undecided) == {cell for cell, signs in better.items() if {-1, 1} <= signs}


@given(tiny, st.sampled_from(["B1", "B2"]))
@examples(long=40, short=6)
def test_with_one_choice_the_value_is_the_highest_kink(shoe: Shoe, model: str) -> None:
    solution = solve(shoe, model)
    assert solution.value == Twin(shoe, model, CLASSICAL).value_of_one_choice(5)


@given(tiny, models.filter(lambda model: model[0] == "B"), rules_given, st.data())
@examples(long=30, short=5)
def test_neither_side_can_do_better_by_the_twin(
    shoe: Shoe, model: str, rules: CheminRules, data: st.DataObject
) -> None:
    solution, twin = solve(shoe, model, rules), Twin(shoe, model, rules)
    assert twin.player_has(dict(solution.player)) == solution.value
    assert twin.banker_leaves(dict(solution.banker)) == solution.value
    other = {cell: Fraction(data.draw(st.integers(0, 4)), 4) for cell in solution.player}
    assert twin.player_has(other) <= solution.value


@given(tiny)
@examples(long=15, short=4)
def test_the_value_is_that_of_the_matrix_of_pure_strategies(shoe: Shoe) -> None:
    solution, twin = solve(shoe, "B1", MODERN), Twin(shoe, "B1", MODERN)
    cells = [(3, 9), (5, 4)]
    matrix = []
    for move in (0, 1):
        row = []
        for moves in product((0, 1), repeat=2):
            worth = Fraction(int(twin.settled))
            for (own, third, letter), both in twin.net.items():
                plays = moves[cells.index((own, third))] if letter == "*" else letter == "D"
                worth += sum(n * Twin.chance({5: Fraction(move)}, *at) for at, n in both[plays].items())
            row.append(worth / twin.deals)
        matrix.append(row)
    x = solution.player.get(5, Fraction(0))
    assert solution.value == min((1 - x) * stand + x * draw for stand, draw in zip(*matrix, strict=True))
    kinks = {Fraction(0), Fraction(1)}
    for (s, d), (t, e) in product(zip(*matrix, strict=True), repeat=2):
        if (d - s) != (e - t):
            kinks.add(max(Fraction(0), min(Fraction(1), (t - s) / ((d - s) - (e - t)))))
    assert solution.value == max(
        min((1 - x) * stand + x * draw for stand, draw in zip(*matrix, strict=True)) for x in kinks
    )


# Properties of every shoe


@given(shoes, models, rules_given)
@examples(long=40, short=6)
def test_the_checker_accepts_every_certificate(shoe: Shoe, model: str, rules: CheminRules) -> None:
    solution = solve(shoe, model, rules)
    check_certificate(solution.certificate, shoe, model, rules)
    solution.check()
    assert solution.value == Fraction(solution.certificate.lower, solution.certificate.denominator)


@given(shoes, models)
@examples(long=200, short=25)
def test_banker_can_mirror_player_so_the_value_is_not_positive(shoe: Shoe, model: str) -> None:
    assert solve(shoe, model).value <= 0


@given(shoes)
@examples(long=12, short=4)
def test_what_a_side_sees_cannot_hurt_it(shoe: Shoe) -> None:
    total, hers, both = (solve(shoe, model).value for model in ("B1", "B2", "B3"))
    assert hers <= min(total, both)
    assert solve(shoe, "B3", EVERYTHING).value >= both


@given(shoes, models)
@examples(long=40, short=6)
def test_without_choices_it_is_punto_banco(shoe: Shoe, model: str) -> None:
    solution = solve(shoe, model, PUNTO_BANCO)
    assert solution.player == solution.banker == {}
    if model[0] == "B":
        assert solution.value == counting.exact_edges("punto-banco", shoe)["player"]
        chances = probabilities("punto-banco", shoe)
    else:
        chances = counting.exact.with_replacement("punto-banco")
    expected = {"player": chances["player-win"], "banker": chances["banker-win"], "tie": chances["tie"]}
    assert solution.probabilities == expected


@pytest.mark.long
@given(tiny, models.filter(lambda model: model[0] == "B"))
@examples(long=20, short=6)
def test_probabilities_are_those_of_the_strategies(shoe: Shoe, model: str) -> None:
    solution = solve(shoe, model)
    found: Counter = Counter()
    for deal in set(product([v for v in range(10) if shoe.values[v]], repeat=6)):
        ways = prod(prod(range(shoe.values[v] - n + 1, shoe.values[v] + 1)) for v, n in Counter(deal).items())
        player, banker = (deal[0] + deal[2]) % 10, (deal[1] + deal[3]) % 10
        if player >= 8 or banker >= 8 or not ways:
            found[int(np.sign(player - banker))] += ways
            continue
        sees = tuple(sorted((deal[0], deal[2]))) if model == "B3" else player
        own = tuple(sorted((deal[1], deal[3]))) if model != "B1" else banker
        x = solution.player[sees] if player == 5 else Fraction(player < 5)
        for draws, p in ((True, x), (False, 1 - x)):
            if p:
                q = solution.banker[own, deal[4] if draws else STOOD]
                total = (player + deal[4]) % 10 if draws else player
                found[int(np.sign(total - banker))] += ways * p * (1 - q)
                found[int(np.sign(total - (banker + deal[5 if draws else 4]) % 10))] += ways * p * q
    deals = prod(range(shoe.cards_left - 5, shoe.cards_left + 1))
    assert solution.probabilities == {
        w: found[n] / Fraction(deals) for w, n in (("player", 1), ("banker", -1), ("tie", 0))
    }


def test_with_replacement_is_the_limit_of_many_decks() -> None:
    for digit in "123":
        limit = solve(SIX, "A" + digit).value
        far = [abs(solve(Shoe.decks(decks), "B" + digit).value - limit) for decks in (1, 3, 9, 27)]
        assert all(more > 2 * less for more, less in pairwise(far)), digit
        assert far[-1] < Fraction(1, 25_000)


def test_with_replacement_seeing_more_does_not_help_and_the_shoe_does_not_matter() -> None:
    assert (
        len({solve(shoe, "A" + digit).value for digit in "123" for shoe in (SIX, Shoe.from_values([6] + [0] * 9))}) == 1
    )


def test_a_shoe_by_card_or_rank_is_taken_by_value() -> None:
    shoe = Shoe.parse("2d-7h-Ks-4c")
    solved = [solve(s) for s in (shoe, Shoe.from_ranks(shoe.ranks), Shoe.from_values(shoe.values))]
    assert len({solution.value for solution in solved}) == 1
    assert solved[0].certificate == solved[1].certificate == solved[2].certificate


def test_the_fullest_shoes_are_counted_without_overflow() -> None:
    for counts in (
        Shoe.decks(27).values,
        [0, 0, 0, 0, 0, 0, 0, 1398, 6, 0],
        [1404] + [0] * 9,
        [702, 0, 0, 702] + [0] * 6,
    ):
        shoe = Shoe.from_values(counts)
        for model in ("B1", "B3"):
            check_certificate(solve(shoe, model).certificate, shoe, model)


def test_every_choice_on_the_full_shoe() -> None:
    solution = solve(SIX, "B3", EVERYTHING)
    assert len(solution.player) == 44
    check_certificate(solution.certificate, SIX, "B3", EVERYTHING)


# Wrong certificates


def _off(strategy: dict, cell: object, p: object) -> dict:
    return {**strategy, cell: p}


WRONG: dict[str, Callable[[Certificate], Certificate]] = {
    "Player draws too often": lambda c: replace(c, player=_off(c.player, (1, 4), Fraction(1, 2))),
    "Player stands on (0, 5)": lambda c: replace(c, player=_off(c.player, (0, 5), Fraction(0))),
    "Banker's mix": lambda c: replace(c, banker=_off(c.banker, ((0, 6), STOOD), Fraction(1, 2))),
    "Banker errs where he was never in doubt": lambda c: replace(c, banker=_off(c.banker, ((0, 7), 2), Fraction(1))),
    "both bounds raised": lambda c: replace(c, lower=c.lower + 1, upper=c.upper + 1),
    "the upper bound raised": lambda c: replace(c, upper=c.upper + 1),
    "the lower bound lowered": lambda c: replace(c, lower=c.lower - 1),
    "another denominator": lambda c: replace(c, denominator=c.denominator + 1),
    "a denominator below one": lambda c: replace(c, lower=-c.lower, upper=-c.upper, denominator=-c.denominator),
    "no probability": lambda c: replace(c, player=_off(c.player, (2, 3), Fraction(-1, 7))),
    "above one": lambda c: replace(c, banker=_off(c.banker, ((0, 0), 0), Fraction(9, 7))),
    "a float": lambda c: replace(c, player=_off(c.player, (0, 5), 1.0)),
    "a cell without a choice": lambda c: replace(c, player=_off(c.player, (0, 6), Fraction(0))),
    "a total, not a hand": lambda c: replace(c, player={5: Fraction(1)}),
    "a cell left out": lambda c: replace(c, banker={k: p for k, p in c.banker.items() if k != ((3, 3), 6)}),
}


@pytest.fixture(scope="module")
def certificate() -> Certificate:
    """A certificate for six decks, which the checker accepts."""
    accepted = solve(SIX).certificate
    check_certificate(accepted, SIX)
    return accepted


@pytest.mark.parametrize("wrong", WRONG)
def test_the_checker_refuses(wrong: str, certificate: Certificate) -> None:
    with pytest.raises(InputError, match=r"^certificate[^\n]*$"):
        check_certificate(WRONG[wrong](certificate), SIX)


def test_a_probability_outside_its_range_is_refused_although_the_bounds_meet() -> None:
    certificate = solve(SIX, "A2").certificate
    three, eight = ((3, 3), STOOD), ((8, 8), STOOD)  # the two hands are equally likely, so the changes cancel
    moved = {three: certificate.banker[three] + 2, eight: certificate.banker[eight] - 2}
    with pytest.raises(InputError, match="should be a fraction from 0 to 1"):
        check_certificate(replace(certificate, banker={**certificate.banker, **moved}), SIX, "A2")


def test_the_checker_refuses_the_certificate_of_another_game() -> None:
    certificate = solve(SIX).certificate
    for shoe, model, rules in ((Shoe.decks(8), "B3", CLASSICAL), (SIX, "A3", CLASSICAL), (SIX, "B3", MODERN)):
        with pytest.raises(InputError, match="certificate"):
            check_certificate(certificate, shoe, model, rules)
    with pytest.raises(InputError, match="certificate"):
        check_certificate(solve(SIX, "B1").certificate, SIX, "B2")


def test_bounds_that_do_not_meet_are_refused_although_each_is_true() -> None:
    certificate = solve(SIX, "A1").certificate
    poor = replace(certificate, player={5: Fraction(1)}, lower=0, denominator=1)
    with pytest.raises(InputError, match="should be") as raised:
        check_certificate(poor, SIX, "A1")
    lower = Fraction(str(raised.value).rpartition(" ")[2])
    upper = Fraction(certificate.upper, certificate.denominator)
    common = lower.denominator * upper.denominator
    with pytest.raises(InputError, match="should be equal"):
        check_certificate(
            replace(poor, lower=int(lower * common), upper=int(upper * common), denominator=common), SIX, "A1"
        )


# All optimal plays


def test_models_a2_and_a3_have_whole_sets_of_optima() -> None:
    six = tuple((own, STOOD) for own in HANDS if sum(own) % 10 == 6)
    for model, player in (("A2", 0), ("A3", 4)):
        solution = solve(SIX, model)
        mine, hers = solution.player_optima, solution.banker_optima
        assert (mine.dimension, hers.dimension) == (player, 5)
        assert set(hers.cells) == set(six)
        (equation,) = hers.equations
        weight = {(own, STOOD): (4 if 0 in own else 1) * (1 if own[0] == own[1] else 2) for own in HANDS}
        drawn = sum(weight[cell] for cell in six) * Fraction(GOLDEN["A1"]["banker"])
        scale = equation[0][0] / weight[hers.cells[0]]
        assert equation == (tuple(scale * weight[cell] for cell in hers.cells), scale * drawn)
        assert hers.inequalities == ()
        assert mine.vertices is not None
        assert hers.vertices is not None
        for play in mine.vertices:
            check_certificate(replace(solution.certificate, player=play), SIX, model)
        for play in hers.vertices[::9]:
            check_certificate(replace(solution.certificate, banker=play), SIX, model)


@pytest.mark.long
@given(tiny, models.filter(lambda model: model[0] == "B"), rules_given)
@examples(long=40, short=6)
def test_all_optima_and_only_those(shoe: Shoe, model: str, rules: CheminRules) -> None:
    solution, twin = solve(shoe, model, rules), Twin(shoe, model, rules)
    for optima, worth in ((solution.player_optima, twin.player_has), (solution.banker_optima, twin.banker_leaves)):
        assert worth(optima.strategy) == solution.value
        for cell, p in optima.strategy.items():
            other = optima.strategy | {cell: Fraction(1, 3) if p != Fraction(1, 3) else Fraction(2, 3)}
            if cell not in optima.cells:
                assert worth(other) != solution.value
            elif not any(a[optima.cells.index(cell)] for a, _ in (*optima.equations, *optima.inequalities)):
                assert worth(other) == solution.value
        if optima.vertices is not None:
            corners = [[play[cell] for cell in optima.cells] for play in optima.vertices]
            spread = [[float(e - f) for e, f in zip(corner, corners[0], strict=True)] for corner in corners]
            assert np.linalg.matrix_rank(np.array(spread)) == optima.dimension if optima.cells else len(corners) == 1
            assert all(worth(play) == solution.value for play in optima.vertices[:10])


# Cells that cannot be dealt, and invalid questions


def test_undealable_cells_are_told() -> None:
    solution = solve(Shoe.parse("6d-4s-4s").without([f"4{suit}" for suit in "hdc"]), "B3")
    assert solution.undealable == ((), ())
    counts = list(SIX.values)
    counts[4], counts[3] = 0, 1
    player, banker = solve(Shoe.from_values(counts)).undealable
    assert player == ((1, 4),)
    assert {cell for cell in banker if 4 not in cell[0] and cell[1] != 4} == {
        ((3, 3), c) for c in (*range(4), *range(5, 11))
    } | {(own, 3) for own in HANDS[:44] if 3 in own and 4 not in own}
    assert ((0, 4), STOOD) in banker
    assert ((0, 5), 4) in banker


def test_a_hand_that_only_meets_naturals_is_undealable() -> None:
    shoe = Shoe.from_values([0, 0, 1, 1, 0, 0, 0, 0, 0, 4])
    solution = solve(shoe, "B3")
    assert solution.undealable[0] == HANDS_OF_FIVE  # if Player has 2 and 3, Banker has two nines, a natural
    assert len(solution.undealable[1]) + len(solution.banker) == 484
    more = solve(shoe.from_values([1, *shoe.values[1:]]), "B3")
    assert (2, 3) in more.undealable[0]  # a ten and a nine are a natural, too
    assert (2, 3) in solve(Shoe.from_values([2, *shoe.values[1:]]), "B3").player


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((Shoe.from_values([1] * 5 + [0] * 5),), r"5 cards, should be 6 to 1,404"),
        ((Shoe.from_values([1405] + [0] * 9),), r"1405 cards, should be 6 to 1,404"),
        ((6,), r"shoe: 6, should be a Shoe"),
        ((SIX, "C1"), r"model 'C1': should be one of A1, A2, A3, B1, B2, B3"),
        ((SIX, "b3"), r"model 'b3': should be one of .*; did you mean 'B3'\?"),
        ((SIX, ["B3"]), r"model \['B3'\]: should be one of"),
        ((SIX, "B3", "classical"), r"rules: 'classical', should be CheminRules, as"),
    ],
)
def test_what_cannot_be_solved_is_refused_in_a_line(arguments: tuple, said: str) -> None:
    with pytest.raises(InputError, match=said) as raised:
        solve(*arguments)
    with pytest.raises(InputError, match=said):
        check_certificate(Certificate({}, {}, 0, 0, 1), *arguments)
    assert "\n" not in str(raised.value)
