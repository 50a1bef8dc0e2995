"""What a rule costs the casino: coups, and the theoretical win of ordinary players."""

import json
from collections.abc import Callable
from fractions import Fraction
from math import exp, inf
from pathlib import Path

import polars as pl
import pytest

import counting
from counting import Dealing, InputError, Plan, Shoe, exact_edges, load_game
from counting.bounds import Bound, LimitsQuestion, Patronage, Terms, TheoreticalWin, cheapest
from counting.bounds.frontiers import cheapest_by_most_bet
from counting.reports.limits import assumed
from counting.sweep import TableLimits

GAME = load_game("ez-baccarat")
PLAN = Plan(GAME, Dealing(8), 2000, bets=("dragon-7", "panda-8"))
HOUSE = {name: -float(edge) for name, edge in exact_edges(GAME, Shoe.decks(8)).items()}
BOUND = Bound.parse("10/hour")


def theo(share: Fraction | None = None, **patronage: float) -> TheoreticalWin:
    table = TableLimits(side_share=share)
    terms = Terms(bets=("dragon-7", "panda-8"), main=("player", "banker"), tie_ins=(Fraction(0),), table=table)
    return TheoreticalWin(Patronage(**patronage), PLAN, terms)  # type: ignore[arg-type]


def mean_of_the_lesser(average: float, allowed: float) -> float:
    """The mean of min(bet, allowed) for an exponential bet, summed over small steps."""
    steps, width = 200_000, 60 * average / 200_000
    bets = ((i + 0.5) * width for i in range(steps))
    return sum(min(bet, allowed) * exp(-bet / average) / average * width for bet in bets)


@pytest.mark.parametrize(
    ("tie_in", "most_bet", "share", "allowed"),
    [
        (0.0, None, None, inf),
        (0.0, 25.0, None, 25.0),
        (4.0, 25.0, None, 12.5),
        (4.0, None, None, 12.5),
        (1.0, 25.0, None, 25.0),
        (0.0, 25.0, Fraction(1, 10), 5.0),
        (50.0, 25.0, None, 1.0),  # just the least side bet is allowed
        (100.0, 25.0, None, 0.0),  # half a unit would be allowed, but the least side bet is more
        (100.0, None, None, 0.5),
    ],
)
def test_side_bets_up_to_what_the_rule_allows(
    tie_in: float, most_bet: float | None, share: Fraction | None, allowed: float
) -> None:
    win = theo(share, players=5, main_bet=50.0, side_bet=10.0)
    by_hand = 5 * HOUSE["dragon-7"] * mean_of_the_lesser(10.0, allowed)
    assert win.of_side_bets(("dragon-7",), tie_in, most_bet) == pytest.approx(by_hand, rel=1e-6, abs=1e-12)
    both = win.of_side_bets(("dragon-7", "panda-8"), tie_in, most_bet)
    assert both == pytest.approx(by_hand * (HOUSE["dragon-7"] + HOUSE["panda-8"]) / HOUSE["dragon-7"], abs=1e-4)
    assert win.per_coup(("dragon-7",), tie_in, most_bet) == pytest.approx(win.of_main_bets + by_hand)


def test_main_bets_are_half_on_player_and_half_on_banker() -> None:
    assert theo(players=2, main_bet=100.0).of_main_bets == pytest.approx(100 * (HOUSE["player"] + HOUSE["banker"]))


@pytest.mark.parametrize(("offered", "others", "words"), [
    (("player",), (), "all on Player"), (("banker",), (), "all on Banker"),
    (("player", "banker"), (), "half on Player and half on Banker"), (("tie-8",), (), "all on Tie"),
    ((), ("panda-8",), "all on Panda 8, 25 to 1"),
])  # fmt: skip
def test_main_bets_of_a_game_with_few(offered: tuple[str, ...], others: tuple[str, ...], words: str) -> None:
    game = GAME.only((*offered, *others, "dragon-7"))
    terms = Terms(bets=("dragon-7",), main=game.mains(others or None), tie_ins=(Fraction(0),))
    question = LimitsQuestion(plan=Plan(game, Dealing(8), 2000), terms=terms, bound=BOUND)
    of_these = [HOUSE[bet] for bet in offered or others]
    assert question.theo.of_main_bets == pytest.approx(6 * 50 * sum(of_these) / len(of_these))
    assert f", on every coup. The main bets are {words}. The sizes of side bets" in assumed(question)


def test_a_game_without_main_bets_is_refused_before_the_work(tmp_path: Path) -> None:
    game = tmp_path / "side.toml"
    game.write_text(
        'like = "ez-baccarat"\ntitle = "A side bet alone"\nwithout = ["player", "banker", "tie-8", "panda-8"]\n'
    )
    rules = {"title": "Rules", "game": str(game), "side_bets": ["dragon-7"], "cut": 14, "bound": "1/shoe"}
    house = tmp_path / "rules.toml"
    house.write_text("\n".join(f"{key} = {json.dumps(value)}" for key, value in rules.items()))
    refused = r"^side: no main bet, should have a bet on Player or on Banker: theoretical win is what .*$"
    calls: list[Callable[[], object]] = [
        lambda: counting.limits(game, bet="dragon-7", bound="1/shoe", out=tmp_path / "out"),
        lambda: counting.limits(house, out=tmp_path / "out"),
        lambda: counting.compare("louisiana-40", house, out=tmp_path / "out"),
    ]
    for call in calls:
        with pytest.raises(InputError, match=refused):
            call()
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("players", [0, 101])
def test_players_out_of_range(players: int) -> None:
    with pytest.raises(InputError, match=rf"^--players: {players}, should be a whole number from 1 to 100$"):
        Patronage(players)


@pytest.mark.parametrize(
    ("bets", "allowed"),
    [
        ({"side_bet": 0}, "a number above 0, at most 1,000,000,000,000"),
        ({"side_bet": -5}, "a number above 0, at most 1,000,000,000,000"),
        ({"side_bet": float("nan")}, "a number above 0, at most 1,000,000,000,000"),
        ({"side_bet": "10"}, "a number above 0, at most 1,000,000,000,000"),
        ({"main_bet": -5}, "a number from 0 to 1,000,000,000,000"),
    ],
)
def test_average_bets_out_of_range(bets: dict[str, object], allowed: str) -> None:
    (name,) = bets
    with pytest.raises(InputError, match=rf"^{name}: .*, should be {allowed}$"):
        Patronage(**bets)  # type: ignore[arg-type]


def rule(cut: int, tie_in: float, most_bet: float, upper: float) -> dict[str, object]:
    return {
        "bet": "dragon-7", "counter": "perfect", "model": "sit-out", "cut": cut, "tie_in": tie_in,
        "most_bet": most_bet, "coups_per_shoe": 80.0 - cut / 5, "met": upper < 10,
        "verdict": "MET" if upper < 10 else "NOT MET", "lower_units_per_shoe": upper, "upper_units_per_shoe": upper,
        "lower_money_per_hour_99": upper,
        "upper_money_per_hour_99": upper, "most_side_bet": 5.0, "upper_units_per_100_coups_99": upper,
    }  # fmt: skip


FRONTIER = pl.DataFrame(
    [
        rule(14, 0.0, 100.0, 50.0),
        rule(14, 0.0, 5.0, 9.0),  # no coup lost, most of the side bets given up
        rule(30, 0.0, 100.0, 20.0),
        rule(40, 0.0, 100.0, 9.5),
        rule(20, 0.0, 50.0, 9.0),  # the cheapest
        rule(14, 8.0, 50.0, 9.0),
        rule(40, 0.0, 50.0, 1.0),
        rule(14, 0.0, 50.0, 11.0),
    ]
)


def test_the_cheapest_rule_gives_up_the_least_theoretical_win() -> None:
    win = theo()
    row = cheapest(FRONTIER, 14, 0.0, BOUND, 1, win).row(0, named=True)
    assert (row["new_cut"], row["new_tie_in"], row["new_most_bet"]) == (20, 0, 50)
    now, then = (coups * win.per_coup(("dragon-7",), 0.0, most) for coups, most in ((77.2, 100.0), (76.0, 50.0)))
    assert row["theo_per_shoe"] == pytest.approx(now)
    assert row["theo_given_up_per_shoe"] == pytest.approx(now - then)
    assert row["coups_lost_per_shoe"] == pytest.approx(1.2)
    met = FRONTIER.filter("met").select("cut", "tie_in", "most_bet", "coups_per_shoe").rows()
    losses = [now - coups * win.per_coup(("dragon-7",), tie_in, most) for _, tie_in, most, coups in met]
    assert row["theo_given_up_per_shoe"] == pytest.approx(min(losses))


def test_without_side_bets_of_ordinary_players_the_fewest_coups_decide() -> None:
    """Giving up a side bet of nearly nothing costs nothing. The cheapest rule is then a lower largest bet, as without
    theo."""
    least = cheapest(FRONTIER, 14, 0.0, BOUND, 1, theo(side_bet=1e-9)).row(0, named=True)
    coups = cheapest(FRONTIER, 14, 0.0, BOUND).row(0, named=True)
    for row in (least, coups):
        assert (row["new_cut"], row["new_tie_in"], row["new_most_bet"]) == (14, 0, 5)
    assert "theo_given_up_per_shoe" not in coups


def test_the_cheapest_rule_for_each_largest_bet() -> None:
    rows = cheapest_by_most_bet(FRONTIER, 14, 0.0, BOUND, 1, theo()).select("most_bet", "cut", "tie_in").rows()
    assert rows == [(100, 40, 0), (50, 20, 0), (5, 14, 0)]
    none = cheapest_by_most_bet(FRONTIER.with_columns(met=pl.lit(False)), 14, 0.0, BOUND, 1, theo())
    assert none["cut"].null_count() == none["theo_given_up_per_shoe"].null_count() == 3


@pytest.mark.parametrize(("cut", "tie_in"), [(15, 0.0), (14, 3.0)])
def test_a_rule_in_force_that_is_not_compared_is_refused(cut: int, tie_in: float) -> None:
    says = f"^rule in force: cut {cut}, main-bet requirement {tie_in:g}, should be one of the rules compared$"
    with pytest.raises(InputError, match=says):
        cheapest(FRONTIER, cut, tie_in, BOUND)
    with pytest.raises(InputError, match=says):
        cheapest_by_most_bet(FRONTIER, cut, tie_in, BOUND, 1, theo())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("tie_ins", ()),
        ("tie_ins", Fraction(1)),
        ("tie_ins", ("1",)),
        ("tie_ins", (Fraction(-1),)),
        ("models", ("sit-out",)),
        ("most_bets", 25),
        ("most_bets", ()),
        ("most_bets", (Fraction(0),)),
        ("missed", Fraction(2)),
        ("rebate", Fraction(-1)),
        ("loss_rebate", Fraction(2)),
    ],
)
def test_terms_out_of_range_are_refused(name: str, value: object) -> None:
    terms = {"bets": ("dragon-7",), "main": ("player",), "tie_ins": (Fraction(0),), name: value}
    with pytest.raises(InputError, match=f"^{name}: .*, should be "):
        Terms(**terms)  # type: ignore[arg-type]


def test_no_largest_bet_is_the_greatest() -> None:
    """The rule in force has the greatest of the largest bets. A rule without a largest bet counts as the greatest."""
    greatest = pl.col("most_bet") == 100
    rows = FRONTIER.with_columns(most_bet=pl.when(greatest).then(None).otherwise(pl.col("most_bet")))
    row = cheapest(rows, 14, 0.0, BOUND, 1, theo()).row(0, named=True)
    assert row["most_bet"] is None
    assert row["theo_per_shoe"] == pytest.approx(77.2 * theo().per_coup(("dragon-7",), 0.0, None))
    by_most_bet = cheapest_by_most_bet(rows, 14, 0.0, BOUND, 1, theo())
    assert by_most_bet.select("most_bet", "cut", "tie_in").rows() == [(None, 40, 0), (50, 20, 0), (5, 14, 0)]
    assert by_most_bet["theo_per_shoe"].to_list() == [pytest.approx(row["theo_per_shoe"])] * 3
