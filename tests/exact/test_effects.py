"""Effects of removal, compared with brute force over every shoe that can be left, and with published counts."""

import csv
import io
import json
import math
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from extent import LONG, examples, long_or
from hypothesis import given
from hypothesis import strategies as st

import counting
from counting import InputError, Shoe, exact_edges, load_game
from counting.cli import main
from counting.exact import Effects, Efficiencies, best_tags, exact_gain
from counting.io.toml import shipped
from counting.reports import Report
from counting.reports.effects import profile, usual_depths
from counting.reports.effects_page import WON, report
from counting.systems import System, load_system

HERE = Path(__file__).parents[1]
UNBALANCED = load_system(HERE / "systems" / "unbalanced.toml")
DRAGON = Effects.of("ez-baccarat", "dragon-7", Shoe.decks(8))
SEVENS = Effects.of("louisiana", "seven-seven-45", Shoe.decks(8))
PAIR = Effects.of("punto-banco", "player-pair", Shoe.decks(8))

# Shoes small enough to deal in every way. They have one card of some kinds, and several of others.
TINY = [
    Effects.of("punto-banco", "tie-9", Shoe.from_values([2, 1, 0, 1, 0, 1, 2, 1, 1, 0])),
    Effects.of("louisiana", "banker", Shoe.from_values([3, 0, 1, 1, 0, 1, 1, 1, 0, 1])),
    Effects.of("punto-banco", "player-pair", Shoe.from_ranks([3, 0, 0, 2, 0, 1, 0, 1, 0, 1, 0, 1, 0])),
]
tiny = pytest.mark.parametrize("effects", TINY, ids=lambda effects: effects.bet)

Left = tuple[tuple[int, ...], Fraction]


def shoes_left(effects: Effects, cards_left: int) -> list[Left]:
    """Every composition of `cards_left` cards from the shoe, with its probability."""
    cards = [kind for kind, n in enumerate(effects.counts) for _ in range(n)]
    numbers = Counter(
        tuple(left.count(kind) for kind in range(len(effects.counts))) for left in combinations(cards, cards_left)
    )
    return [(counts, Fraction(n, math.comb(len(cards), cards_left))) for counts, n in numbers.items()]


def edge(effects: Effects, counts: tuple[int, ...]) -> Fraction:
    return exact_edges(effects.game, Shoe(effects.knows, counts))[effects.bet]


def depths(effects: Effects) -> range:
    return range(6, sum(effects.counts) + 1)


@given(
    st.sampled_from(["player", "banker-5", "tie-9", "dragon-7", "panda-8"]),
    st.lists(st.integers(0, 40), min_size=10, max_size=10).filter(lambda counts: sum(counts) >= 7),
)
@examples(long=25, short=8)
def test_effects_sum_to_zero_over_the_cards(bet: str, counts: list[int]) -> None:
    effects = Effects.of("punto-banco", bet, Shoe.from_values(counts))
    assert sum((r * n for r, n in zip(effects.removal, counts, strict=True) if r is not None), Fraction()) == 0
    assert [r is None for r in effects.removal] == [n == 0 for n in counts]


@tiny
def test_the_estimate_is_the_least_squares_fit_at_every_depth(effects: Effects) -> None:
    # The residual of the edge is uncorrelated with the number of cards left of any kind. These are the normal
    # equations.
    for n in depths(effects):
        of = [
            (p, counts, edge(effects, counts) - effects.estimate(Shoe(effects.knows, counts)))
            for counts, p in shoes_left(effects, n)
        ]
        assert sum(p * residual for p, _, residual in of) == 0
        for kind in range(len(effects.counts)):
            assert sum(p * counts[kind] * residual for p, counts, residual in of) == 0


@tiny
def test_the_variance_of_the_estimate(effects: Effects) -> None:
    for n in depths(effects):
        of = [(p, effects.estimate(Shoe(effects.knows, counts))) for counts, p in shoes_left(effects, n)]
        assert sum(p * (estimate - effects.edge) ** 2 for p, estimate in of) == effects.variance(n)


def whole_variance(effects: Effects, n: int) -> Fraction:
    return sum((p * (edge(effects, c) - effects.edge) ** 2 for c, p in shoes_left(effects, n)), Fraction())


@tiny
def test_two_orders_are_the_whole_variance_when_two_cards_are_seen(effects: Effects) -> None:
    full = effects.shoe.cards_left
    assert [whole_variance(effects, n) for n in (full, full - 1)] == [0, effects.variance(full - 1)]
    assert whole_variance(effects, full - 2) == effects.variance(full - 2, 2)
    assert all(whole_variance(effects, n) >= effects.variance(n, 2) for n in depths(effects))


def test_two_orders_are_the_whole_variance_of_a_bet_on_two_cards_at_every_depth() -> None:
    pair = TINY[2]
    assert all(whole_variance(pair, n) == pair.variance(n, 2) for n in depths(pair))
    assert pair.variance(6, 2) > pair.variance(6) > 0


def test_second_order_effects_are_of_the_shoe_without_both_cards() -> None:
    eight = DRAGON.kinds.index("8")
    two = exact_edges(DRAGON.game, Shoe.decks(8).without("8 8"))["dragon-7"]
    removal = DRAGON.removal[eight]
    assert removal is not None
    assert DRAGON.second[eight][eight] == two - DRAGON.edge - 2 * removal
    effects = TINY[0]
    for u, row in enumerate(effects.second):
        others = [n - (v == u) for v, n in enumerate(effects.counts)]
        if effects.counts[u]:
            assert (
                sum((n * d for n, d in zip(others, row, strict=True) if d is not None), Fraction())
                == (effects.removal[u])
            )
        else:
            assert set(row) == {None}


@pytest.mark.parametrize("count", ["true", "running"])
@pytest.mark.parametrize("start", [0, -3])
def test_slope_and_break_even_are_those_of_the_regression_on_the_count(count: str, start: int) -> None:
    effects = TINY[0]
    system = UNBALANCED.model_copy(update={"count": count, "start": start})
    for n in (6, 8):
        scale = Fraction(52, n) if count == "true" else 1
        seen = [
            (p, scale * (start + int(system.by_value @ (np.array(effects.counts) - counts))), edge(effects, counts))
            for counts, p in shoes_left(effects, n)
        ]
        mean = sum(p * x for p, x, _ in seen)
        slope = sum(p * (x - mean) * y for p, x, y in seen) / sum(p * (x - mean) ** 2 for p, x, _ in seen)
        assert effects.slope(system) == pytest.approx(float(slope * (1 if count == "true" else Fraction(n, 52))))
        if slope > 0:
            assert effects.break_even(system, n) == pytest.approx(float(mean - effects.edge / slope))
        else:
            assert math.isnan(effects.break_even(system, n))
    assert math.isnan(effects.break_even(system))


@given(st.data(), st.integers(1, 3), st.booleans())
@examples(long=40, short=6)
def test_the_search_finds_the_best_of_all_tags(data: st.DataObject, level: int, balanced: bool) -> None:
    counts = data.draw(st.lists(st.integers(0, 5), min_size=4, max_size=4).filter(any))
    drawn = data.draw(st.lists(st.integers(-9, 9), min_size=4, max_size=4))
    mean = Fraction(sum(n * w for n, w in zip(counts, drawn, strict=True)), sum(counts))
    weights = tuple(w - mean if n else Fraction() for n, w in zip(counts, drawn, strict=True))

    def merit(tags: tuple[int, ...]) -> Fraction:
        total, squares, along = (
            sum(n * f for n, f in zip(counts, figures, strict=True))
            for figures in (tags, [t * t for t in tags], [t * w for t, w in zip(tags, weights, strict=True)])
        )
        if along <= 0 or (balanced and total):
            return Fraction()
        return along**2 / (sum(counts) * squares - total**2)

    best = max(merit(tags) for tags in product(range(-level, level + 1), repeat=4))
    searched = best_tags(tuple(counts), weights, level, balanced)
    assert best == (merit(searched) if searched else 0)


def test_of_equally_good_tags_the_smallest_are_chosen() -> None:
    assert best_tags((1, 1, 1), (Fraction(6), Fraction(-3), Fraction(-3)), 4) == (2, -1, -1)
    assert best_tags((3, 3), (Fraction(7), Fraction(-7)), 4) == (1, -1)
    assert best_tags((2, 1), (Fraction(1), Fraction(-2)), 3, balanced=False) == (0, -1)


@pytest.mark.parametrize("effects", [DRAGON, SEVENS], ids=lambda effects: effects.bet)
def test_level_one_tags_are_the_best_of_all_59_049(effects: Effects) -> None:
    tags = np.array(list(product((-1, 0, 1), repeat=10)))
    counts, removal = np.array(effects.counts), np.array(effects.removal, float)
    total = tags @ counts
    with np.errstate(invalid="ignore", divide="ignore"):  # the root is 0 if all tags are equal
        merit = tags @ (counts * removal) / np.sqrt(tags**2 @ counts - total**2 / counts.sum())
    merit = np.where(np.isfinite(merit), merit, 0) / math.sqrt(counts @ removal**2)
    for balanced, of in ((False, merit), (True, merit[total == 0])):
        searched = effects.tags(1, balanced)
        assert effects.correlation(searched) == pytest.approx(of.max(), rel=1e-12)


def test_higher_levels_are_no_worse_and_unbalanced_tags_no_worse_than_balanced() -> None:
    for effects in long_or((DRAGON, SEVENS), (SEVENS,)):
        by_level = [
            [effects.correlation(effects.tags(level, balanced)) for level in (1, 2, 3, 4)] for balanced in (True, False)
        ]
        assert all(of == sorted(of) and len(of) == 4 for of in by_level)
        assert all(a <= b < 1 for a, b in zip(*by_level, strict=True))


def test_a_shoe_in_no_simple_proportion_has_effects_but_no_whole_tags() -> None:
    effects = Effects.of("punto-banco", "player", Shoe.decks(8).without("A A 5"))
    with pytest.raises(InputError, match=r"^tags of player, shoe .*: no tags are best, should be a shoe with cards"):
        effects.tags(1)
    assert effects.correlation(effects.best) == 1
    with pytest.raises(InputError, match="no tags are best by card, should be effects by value or rank"):
        Effects.of("punto-banco", "player", "8d", "card").tags(1)


def test_published_triggers_are_the_first_whole_counts_past_break_even() -> None:
    for name, tags in (("dragon-7", DRAGON), ("panda-8", Effects.of("ez-baccarat", "panda-8", Shoe.decks(8)))):
        system = load_system(name)
        assert math.ceil(tags.break_even(system)) == system.trigger
        assert tags.break_even(system) == tags.break_even(system, 26) == tags.break_even(system, 300)
    # The trigger was published for a cut card with 13 to 39 cards behind it.
    assert math.ceil(DRAGON.break_even(UNBALANCED, 26)) == UNBALANCED.trigger
    assert math.isnan(DRAGON.break_even(UNBALANCED))


def test_the_published_dragon_7_tags_are_the_best_balanced_tags_of_level_two() -> None:
    system = load_system("dragon-7")
    assert DRAGON.tags(2) == system.by_value
    assert DRAGON.correlation(system) == pytest.approx(0.964, abs=5e-4)


def test_the_normal_approximation_is_near_the_published_gain_of_the_dragon_7_count() -> None:
    # The published gain is 0.597 units per shoe. A coup takes 4.94 cards on average.
    rho = DRAGON.correlation(load_system("dragon-7"))
    assert sum(DRAGON.gain(n, rho) for n in range(14, 417)) / 4.94 == pytest.approx(0.597, rel=0.1)


@pytest.mark.parametrize("cards_left", [14, 52, 208])
@pytest.mark.parametrize("correlation", [1.0, 0.5])
def test_the_gain_is_the_mean_of_a_positive_normal_estimate(cards_left: int, correlation: float) -> None:
    x = np.linspace(-12, 12, 1_000_001)
    spread = correlation * DRAGON.deviation(cards_left)
    integrand = np.maximum(float(DRAGON.edge) + spread * x, 0) * np.exp(-x * x / 2) / math.sqrt(2 * math.pi)
    assert DRAGON.gain(cards_left, correlation) == pytest.approx(np.trapezoid(integrand, x), rel=1e-7)


def test_gain_and_share_kept_at_their_ends() -> None:
    assert DRAGON.gain(416) == DRAGON.gain(52, 0.0) == 0
    assert DRAGON.kept(1.0) == DRAGON.kept(1.0, 52) == 1
    assert DRAGON.kept(-1.0, 52) == 0  # with tags of the wrong sign, bets at high counts win nothing
    assert DRAGON.kept(1.0, 416) is None
    assert [DRAGON.kept(rho, 52) for rho in (0.0, 0.5)] < [DRAGON.kept(rho, 52) for rho in (0.5, 0.9)]
    good = Effects.of("punto-banco", "player", Shoe.decks(8).without(["9"] * 20 + ["8"] * 32 + ["4"] * 20))
    assert good.gain(good.shoe.cards_left) == max(float(good.edge), 0)


def test_bets_on_pairs_have_no_linear_count() -> None:
    assert set(PAIR.removal) == {0}
    assert not PAIR.linear
    for level, balanced in ((3, True), (1, False)):
        with pytest.raises(InputError, match="no tags are best, should be a shoe with effects that differ"):
            PAIR.tags(level, balanced)
    assert math.isnan(PAIR.correlation(load_system("dragon-7")))
    assert math.isnan(PAIR.break_even(load_system("dragon-7")))
    assert set(PAIR.best) == {0}
    assert len({effect for row in PAIR.second for effect in row}) == 2
    assert PAIR.deviation(52) == 0 < PAIR.deviation(52, 2)


def test_a_system_by_value_reads_ranks_and_cards() -> None:
    shoe = Shoe.decks(1).without("7h 7s Kc 2d")
    system = load_system("dragon-7")
    assert list(Effects.of("punto-banco", "player-pair", shoe).by_kind(system))[6:] == [-1, 2, 2, 0, 0, 0, 0]
    by_card = list(Effects.of("punto-banco", "perfect-pair", shoe).by_kind(system))
    assert by_card[24:36] == [-1] * 4 + [2] * 8
    assert DRAGON.by_kind(system) == system.by_value


def test_wrong_input_is_refused() -> None:
    for call, says in (
        (lambda: DRAGON.by_kind([1, 2]), "tags: 2 tags, should be 10, for T A 2"),
        (lambda: DRAGON.tags(5), "level: 5, should be a whole number from 1 to 4"),
        (lambda: DRAGON.gain(417), "cards left: 417, should be a whole number from 6 to 416"),
        (lambda: DRAGON.variance(52, 3), "order: 3, should be"),
        (lambda: DRAGON.estimate(Shoe.decks(9)), "should be known by value, and of the cards of 8d"),
        (lambda: PAIR.estimate(Shoe.from_values([9] * 10)), "should be known by rank"),
        (lambda: Effects.of("punto-banco", "tie-10", Shoe.decks(8)), "did you mean 'tie-9'"),
        (lambda: Effects.of("punto-banco", "player", Shoe.from_values([6, *[0] * 9])), "should be 7 or more"),
    ):
        with pytest.raises(InputError, match=says):
            call()


def test_two_systems_of_one_name_are_refused_and_one_given_twice_is_one() -> None:
    system = load_system("dragon-7")
    other: System = UNBALANCED.model_copy(update={"name": "dragon-7"})
    with pytest.raises(InputError, match="system 'dragon-7': another count has this name"):
        profile(DRAGON, [system, other])
    names = [count["name"] for count in profile(DRAGON, [system, system], [26])["counts"]]
    assert names.count("dragon-7") == 1


def test_usual_depths() -> None:
    assert usual_depths(416) == [208, 182, 156, 130, 104, 78, 52, 26, 14]
    assert usual_depths(52) == [26, 14]
    assert usual_depths(9) == [6]


def ran(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    assert main(["effects", *argv]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    return printed.out


FEW_DEPTHS = long_or((), ("--cards-left", "26"))
ONE_DECK = ("louisiana", "tie-9", "--decks", "1", *FEW_DEPTHS)


def test_effects_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["ez-baccarat", "dragon-7", "--system", "dragon-7", "--cards-left", "26", "52", "--format", "json"]
    data = json.loads(ran(capsys, *argv))
    assert (data["shoe"], data["cards_left"], Fraction(data["exact"])) == ("8d", 416, DRAGON.edge)
    assert "".join(row["card"] for row in data["removal"]) == "A23456789T"
    assert [Fraction(row["exact"]) for row in data["removal"]] == [*DRAGON.removal[1:], DRAGON.removal[0]]
    assert len(data["second"]) == 55
    names = ["best", "level-1", "level-1u", "level-2", "level-2u", "level-3", "level-3u", "dragon-7"]
    assert [count["name"] for count in data["counts"]] == names
    assert list(data["counts"][-1]["tags"].values()) == [0, 0, 0, -1, -1, -1, -1, 2, 2, 0]
    assert [at["cards_left"] for at in data["depths"]] == [26, 52]
    assert data["gains"] == "exact"
    at, last = data["depths"][0], data["counts"][-1]
    assert at["counts"]["dragon-7"]["gain_per_100_coups"] == 100 * exact_gain(DRAGON, load_system("dragon-7"), 26)
    assert at["counts"]["dragon-7"]["gain_per_100_coups"] < at["counts"]["best"]["gain_per_100_coups"]
    assert at["counts"]["best"]["gain_per_100_coups"] < at["perfect_per_100_coups"]
    assert 0 < last["gain_kept_at_trigger"] < last["gain_kept"] < data["counts"][0]["gain_kept"] < 1
    assert 0 < last["gain_kept_se"] < 0.002


@pytest.mark.long
def test_effects_as_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    table = ran(capsys, "ez-baccarat", "dragon-7", "--system", str(HERE / "systems" / "unbalanced.toml"))
    head = "Dragon 7, 40 to 1 at EZ Baccarat: what each card does to the edge. 416 unseen cards (8d), edge -7.61133%."
    assert table.startswith(f"{head}\n\nEffects of removal\n\ncard  cards  effect of removal  best tag\n")
    assert "8        32          +0.53782%    +1.000\n" in table
    assert "Running counts: where they break even\n\ncount       208 cards left" in table
    assert "betting efficiency, % of perfect play   at its trigger" in table
    assert "Units per 100 coups, each count at its best trigger\n\ncount       208 cards left" in table
    assert "is level-3u. It wins 90.450 ± 0.072% of the gain of perfect play." in table
    assert "Removing one 8 changes the edge by +0.53782%, the most in the bettor's favour. Removing one 7 " in table
    assert "Removing two" not in table
    assert "Removing two" in ran(capsys, "ez-baccarat", "dragon-7", "--second")


def test_effects_as_csv(capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.DictReader(io.StringIO(ran(capsys, *ONE_DECK, "--format", "csv"))))
    assert set(rows[0]) == {"kind", "name", "value", "exact"}
    assert sum(row["kind"] == "removal" for row in rows) == 10
    assert all(float(Fraction(row["exact"])) == float(row["value"]) for row in rows if row["exact"])
    more = list(csv.DictReader(io.StringIO(ran(capsys, *ONE_DECK, "--second", "--format", "csv"))))
    assert sum(row["kind"] == "second" for row in more) == 55


@pytest.mark.long
@pytest.mark.parametrize(("bet", "kind"), [("either-pair", "rank"), ("perfect-pair", "card")])
def test_a_bet_without_a_linear_count_says_so(bet: str, kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert f"Every {kind} has the same effect, so there is no linear count.\n" in ran(capsys, "punto-banco", bet)
    assert "with second order" in ran(capsys, "punto-banco", bet, "--second", "--cards-left", "52")
    for format in ("json", "csv") if LONG or kind == "rank" else ():
        assert ran(capsys, "punto-banco", bet, "--format", format)


def test_gains_of_counts_of_ranks_are_said_to_be_approximations(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    faces = tmp_path / "faces.toml"
    faces.write_text(shipped("systems")["dragon-7"].read_text().replace("T = 0", "10 = 0\nJ = 1\nQ = -1\nK = 0"))
    argv = ["ez-baccarat", "dragon-7", "--system", str(faces)]
    table = ran(capsys, *argv)
    assert "% of the best tags' gain, normal approximation" in table
    assert "Units per 100 coups by the normal approximation\n" in table
    data = json.loads(ran(capsys, *argv, "--format", "json"))
    assert data["gains"] == "normal approximation"
    assert {count["gain_kept_se"] for count in data["counts"]} == {None}


def test_a_shoe_without_whole_tags_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert "There are no whole-number tags. These need numbers of cards in a simple proportion" in ran(
        capsys, "louisiana", "tie-9", "--shoe", "1d-A-A-5"
    )
    assert "no whole-number tags" not in ran(capsys, *ONE_DECK)


def test_effects_of_a_few_cards(capsys: pytest.CaptureFixture[str]) -> None:
    for cards in ("v:1,1,1,1,1,1,1,0,0,0", "v:7,0,0,0,0,0,0,0,0,0", "v:0,0,0,0,0,4,4,0,0,0"):
        assert ran(capsys, "louisiana", "tie-9", "--shoe", cards, "--second")
        assert json.loads(ran(capsys, "louisiana", "tie-9", "--shoe", cards, "--format", "json"))


@pytest.mark.long
def test_the_bet_may_be_a_users_own(capsys: pytest.CaptureFixture[str]) -> None:
    argv = [str(HERE / "games" / "rulers.toml"), "dragon-7", "--decks", "1", *FEW_DEPTHS, "--format", "json"]
    data = json.loads(ran(capsys, *argv))
    assert data["exact"] == str(exact_edges("ez-baccarat", Shoe.decks(1))["dragon-7"])
    assert load_game(HERE / "games" / "rulers.toml").title == data["title"]


def test_a_count_of_ranks_is_correlated_by_rank(tmp_path: Path) -> None:
    text = shipped("systems")["dragon-7"].read_text()
    (tmp_path / "faces.toml").write_text(text.replace("T = 0", "10 = 0\nJ = 1\nQ = -1\nK = 0"))
    faces = load_system(tmp_path / "faces.toml")
    by_value, by_rank = (Effects.of("ez-baccarat", "dragon-7", Shoe.decks(8), knows) for knows in ("value", "rank"))
    assert by_rank.correlation(load_system("dragon-7")) == by_value.correlation(load_system("dragon-7"))
    assert by_rank.removal[9:] == (by_value.removal[0],) * 4
    whole, lost = by_rank.correlation(load_system("dragon-7")), by_rank.correlation(faces)
    assert whole is not None
    assert lost == pytest.approx(whole * (12 / 14) ** 0.5)  # J and Q add 2 to a sum of squares of 12
    with pytest.raises(InputError, match="known by value, should be known by rank"):
        Effects.of("ez-baccarat", "dragon-7", Shoe.from_values(Shoe.decks(8).values), "rank")


def test_an_unbalanced_true_count_from_0_has_a_remark_with_what_another_start_wins() -> None:
    tags = dict(zip("A23456789T", (1, 1, 1, 0, 0, 0, 0, 3, 3, 1), strict=True))
    mine = System(name="mine", title="Mine", source="a test", count="true", trigger=4, tags=tags)
    data = profile(DRAGON, [mine, mine.to_zero().model_copy(update={"name": "other"})], [26])
    (line,) = data["remarks"]
    share = Efficiencies(DRAGON).at_trigger(mine.to_zero(-48))
    assert share is not None
    start = (
        'mine is unbalanced and starts at 0, so that it ends at 416 and not at 0. With start = "to-zero" the '
        "count breaks even"
    )
    assert line == f"{start} at -48.48, and its betting efficiency is {100 * share.share:.1f}% at a trigger of -48."
    assert line in report(load_game("ez-baccarat"), DRAGON, data, drawn=False).sentences
    assert "remarks" not in profile(DRAGON, [load_system("dragon-7")], [26])


@pytest.mark.parametrize("cards_left", [None, 30, 400])
def test_a_count_that_is_high_where_the_bet_is_bad_has_no_break_even(cards_left: int | None) -> None:
    tags = load_system("dragon-7").by_value
    assert DRAGON.break_even(tags, cards_left) == pytest.approx(DRAGON.break_even(load_system("dragon-7"), cards_left))
    assert math.isnan(DRAGON.break_even([-tag for tag in tags], cards_left))


@cache
def page_of_one_deck() -> Report:
    """The page on one deck. It is kept, since two tests read it."""
    return counting.effects("ez-baccarat", "dragon-7", decks=1).report


@pytest.mark.usefixtures("undrawn")
def test_the_figure_in_percent_is_not_below_the_heading_of_units() -> None:
    sections = {each.title: each for each in page_of_one_deck().sections}
    shares, units = sections["What each count wins, in percent"], sections[WON[0]]
    assert shares.figure
    assert "in percent of what perfect play wins" in shares.caption
    assert (units.figure, units.caption) == (None, "")


@pytest.mark.usefixtures("undrawn")
def test_the_page_has_the_digest_of_the_game_as_the_census_has() -> None:
    pages = page_of_one_deck(), counting.census("ez-baccarat", "dragon-7", cards=6, decks=1).report
    printed = {dict(page.sections[-1].rows)["digest of the game"] for page in pages}
    assert printed == {load_game("ez-baccarat").digest}
