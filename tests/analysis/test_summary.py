"""Summaries against a reference implementation that goes through the rows in plain Python."""

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from math import sqrt
from pathlib import Path
from statistics import stdev
from typing import Any

import numpy as np
import polars as pl
import pytest
from extent import long_or

from counting import InputError, Shoe, exact_edges, load_game
from counting.analysis import summary
from counting.exact import probabilities
from counting.games import Outcome
from counting.simulation import Dealing
from counting.sweep import SPREAD, Plan, Sweep, run, spread
from counting.sweep.tables import DEALT, DEPTH, LEDGER
from counting.sweep.tally import BlockSums
from counting.systems import System, load_system

HERE = Path(__file__).parents[1]
SHOES = long_or(60, 10)


@pytest.fixture(scope="module")
def some(rulers_sweep: Sweep) -> list[dict[str, Any]]:
    """The rows of the first shoes, each with the exact edges of the bets, as fractions."""
    rows = rulers_sweep.coups.filter(pl.col("shoe") < SHOES).collect().to_dicts()
    for row in rows:
        row["edges"] = exact_edges(rulers_sweep.plan.game, Shoe.from_values([row[f"left_{v}"] for v in range(10)]))
    return rows


@pytest.fixture(scope="module")
def ledger(rulers_sweep: Sweep, some: list[dict[str, Any]]) -> tuple[pl.LazyFrame, pl.LazyFrame, pl.LazyFrame]:
    """The tallies of those shoes alone, made from their rows."""
    from counting.sweep.coup_rows import coups_of_rows

    coups = coups_of_rows(rulers_sweep.coups.filter(pl.col("shoe") < SHOES).collect())
    sums = BlockSums(rulers_sweep.plan.scoring, [14])
    for piece in coups.pieces():
        sums.add(piece)
    made = sums.tally(0)
    return made.ledger.lazy(), made.depth.lazy(), made.dealt.lazy()


def test_mean_squares_and_what_bets_won(some: list[dict[str, Any]], ledger: Any, rulers_sweep: Sweep) -> None:
    game = rulers_sweep.plan.game
    for row in ledger[0].filter(pl.col("system") == "perfect").collect().to_dicts():
        bet, square, won = row["bet"], Fraction(), defaultdict(Fraction)
        for coup in some:
            if coup["edges"][bet] <= 0:
                continue
            chances = probabilities(game, Shoe.from_values([coup[f"left_{v}"] for v in range(10)]))
            lines = game.settlement[bet]
            square += 1 + sum((pay * pay - 1) * chances[event] for event, pay in lines)
            shown = Outcome(*(coup[name] for name in ("player_total", "banker_total", "player_cards", "banker_cards")))
            won[coup["shoe"]] += game.bet(bet).pay(shown)
        assert row["square"] == pytest.approx(float(square), rel=1e-12)
        assert row["won"] == pytest.approx(float(sum(won.values())), rel=1e-12)
        assert row["won_sq"] == pytest.approx(float(sum(w * w for w in won.values())), rel=1e-12)


def by_hand(some: list[dict[str, Any]], bet: str, bets_on: Any) -> dict[str, float]:
    """The score of a bettor who bets on the rows for which `bets_on` is true."""
    coups: dict[int, int] = defaultdict(int)
    bets: dict[int, int] = defaultdict(int)
    gain: dict[int, float] = defaultdict(float)
    first: dict[int, int] = {}
    truly = 0
    for row in some:
        shoe, edge = row["shoe"], row["edges"][bet]
        coups[shoe] += 1
        if bets_on(row):
            bets[shoe] += 1
            gain[shoe] += float(edge)
            truly += edge > 0
            first.setdefault(shoe, row["coup"])
    n, k, b, g = len(coups), sum(coups.values()), sum(bets.values()), sum(gain.values())
    mean = g / n

    def clustered(top: dict[int, float], bottom: dict[int, int]) -> float:
        ratio = sum(top.values()) / sum(bottom.values())
        spread = sum((top[s] - ratio * bottom[s]) ** 2 for s in coups)
        return sqrt(n / (n - 1) * spread) / sum(bottom.values())

    return {
        "coups_per_shoe": k / n,
        "share": b / k,
        "share_se": clustered({s: float(bets[s]) for s in coups}, coups),
        "mean": g / b,
        "mean_se": clustered(gain, bets),
        "units_per_shoe": mean,
        "units_per_shoe_se": sqrt(sum((gain[s] - mean) ** 2 for s in coups) / (n - 1) / n),
        "units_per_100_coups": 100 * g / k,
        "units_per_100_coups_se": 100 * clustered(gain, coups),
        "first": sum(first.values()) / len(first),
        "shoes": len(first) / n,
        "truly": truly / b,
    }


@pytest.mark.parametrize("bet", ["dragon-7", "panda-8"])
def test_perfect_counter(bet: str, some: list[dict[str, Any]], ledger: Any) -> None:
    expected = by_hand(some, bet, lambda row: row["edges"][bet] > 0)
    row = summary.by_bet(ledger[0]).filter(pl.col("bet") == bet).collect().row(0, named=True)
    for name, key in {
        "coups_per_shoe": "coups_per_shoe",
        "positive_share": "share",
        "positive_share_se": "share_se",
        "mean_positive_edge": "mean",
        "mean_positive_edge_se": "mean_se",
        "units_per_shoe": "units_per_shoe",
        "units_per_shoe_se": "units_per_shoe_se",
        "units_per_100_coups": "units_per_100_coups",
        "units_per_100_coups_se": "units_per_100_coups_se",
        "mean_first_positive_coup": "first",
        "shoes_positive_share": "shoes",
    }.items():
        assert row[name] == pytest.approx(expected[key], rel=1e-9), name
    assert (row["cut"], row["shoes"]) == (14, SHOES)


def count_of(system: System, row: dict[str, Any], decks: int = 8) -> Fraction:
    seen = [16 * decks - row["left_0"], *(4 * decks - row[f"left_{v}"] for v in range(1, 10))]
    running = sum(tag * n for tag, n in zip(system.by_value, seen, strict=True))
    assert running == row[f"count_{system.name}"]
    return Fraction(52 * running, row["cards_left"]) if system.count == "true" else Fraction(running)


@pytest.mark.parametrize(
    ("name", "bet"), [("dragon-7", "dragon-7"), ("panda-8", "panda-8"), ("unbalanced", "dragon-7")]
)
def test_every_trigger_of_a_system(
    name: str, bet: str, rulers_sweep: Sweep, some: list[dict[str, Any]], ledger: Any
) -> None:
    (system,) = (s for s in rulers_sweep.plan.systems if s.name == name)
    rows = summary.by_system(ledger[0]).filter(pl.col("system") == name).collect().to_dicts()
    assert [row["trigger"] for row in rows] == list(system.scored)
    assert {row["bet"] for row in rows} == {bet}
    counts = {id(row): count_of(system, row) for row in some}
    perfect = by_hand(some, bet, lambda row: row["edges"][bet] > 0)["units_per_shoe"]
    for row in rows:
        trigger = Fraction(str(row["trigger"]))
        on = [r for r in some if counts[id(r)] >= trigger]
        assert row["bets"] == len(on)
        if not on:
            assert row["mean_edge"] is None
            continue
        expected = by_hand(some, bet, lambda r, t=trigger: counts[id(r)] >= t)
        assert row["mean_edge"] == pytest.approx(expected["mean"], rel=1e-9)
        assert row["units_per_shoe"] == pytest.approx(expected["units_per_shoe"], rel=1e-9)
        assert row["units_per_shoe_se"] == pytest.approx(expected["units_per_shoe_se"], rel=1e-9)
        assert row["truly_positive_share"] == pytest.approx(expected["truly"])
        assert row["captured_share"] == pytest.approx(expected["units_per_shoe"] / perfect, rel=1e-9)


def test_by_cards_left(some: list[dict[str, Any]], ledger: Any) -> None:
    table = summary.by_cards_left(ledger[1], ledger[0]).filter(pl.col("bet") == "dragon-7").collect()
    edges_by_cards: dict[int, list[Fraction]] = defaultdict(list)
    for row in some:
        edges_by_cards[row["cards_left"]].append(row["edges"]["dragon-7"])
    assert table["cards_left"].to_list() == sorted(edges_by_cards)
    for row in table.to_dicts():
        edges = edges_by_cards[row["cards_left"]]
        positive = [float(e) for e in edges if e > 0]
        assert row["coups"] == len(edges)
        assert row["positive_share"] == pytest.approx(len(positive) / len(edges))
        assert row["mean_edge"] == pytest.approx(float(sum(edges)) / len(edges), rel=1e-9)
        assert row["units_per_shoe"] == pytest.approx(sum(positive) / SHOES, rel=1e-9)
        assert row["units_per_100_coups"] == pytest.approx(100 * sum(positive) / len(edges), rel=1e-9)
        won = [*positive, *[0.0] * (SHOES - len(positive))]
        if positive:
            assert row["units_per_shoe_se"] == pytest.approx(stdev(won) / sqrt(SHOES), rel=1e-9)
        else:
            assert row["units_per_shoe_se"] is None
        if len(positive) > 1:
            assert row["mean_positive_edge_se"] == pytest.approx(
                stdev(positive) / sqrt(len(positive)), rel=1e-6, abs=1e-9
            )
        if len(edges) > 1 and positive:
            hundred = [100 * max(float(e), 0.0) for e in edges]
            assert row["units_per_100_coups_se"] == pytest.approx(stdev(hundred) / sqrt(len(edges)), rel=1e-6, abs=1e-7)
        assert (row["mean_positive_edge"] is None) == (not positive)
    ever = {row["shoe"] for row in some if row["edges"]["dragon-7"] > 0}
    assert table["first_positive_share"].sum() == pytest.approx(len(ever) / SHOES)


def test_a_sweep_may_stand_for_its_tables(louisiana_sweep: Sweep) -> None:
    ledger, depth, _ = louisiana_sweep.tallies
    for of_sweep, of_tables in (
        (summary.by_bet(louisiana_sweep), summary.by_bet(ledger)),
        (summary.by_system(louisiana_sweep), summary.by_system(ledger)),
        (summary.by_cards_left(louisiana_sweep), summary.by_cards_left(depth, ledger)),
    ):
        assert of_sweep.collect().equals(of_tables.collect())
    with pytest.raises(InputError, match=r"^ledger: missing"):
        summary.by_cards_left(depth)


def test_gain_by_cards_left_adds_up_to_the_gain(louisiana_sweep: Sweep) -> None:
    ledger, depth, _ = louisiana_sweep.tallies
    total = summary.by_bet(ledger).collect()
    parts = summary.by_cards_left(depth, ledger).collect().group_by("bet").agg(pl.col("units_per_shoe").sum())
    joined = total.join(parts, on="bet")
    assert joined.height == 13
    assert ((joined["units_per_shoe"] - joined["units_per_shoe_right"]).abs() < 1e-12).all()


def test_parts_add_up_in_any_order(louisiana_sweep: Sweep) -> None:
    ledger, depth, _ = (frame.collect() for frame in louisiana_sweep.tallies)
    shuffled = ledger.sample(fraction=1, shuffle=True, seed=1).sort("system", "trigger", "bet", maintain_order=True)
    keys = ["system", "trigger", "bet"]
    in_order = summary.by_bet(ledger.lazy()).collect().sort("bet")
    assert summary.by_bet(shuffled.lazy()).collect().sort("bet").equals(in_order)
    systems = summary.by_system(ledger.lazy()).collect().sort(keys)
    assert summary.by_system(shuffled.lazy()).collect().sort(keys).equals(systems)
    assert depth["part"].n_unique() == louisiana_sweep.plan.blocks > 5


def test_dealing_agrees_with_the_exact_probabilities(louisiana_sweep: Sweep) -> None:
    plan = louisiana_sweep.plan
    exact = probabilities(plan.game, Shoe.decks(8))
    z = summary.dealing_table(louisiana_sweep.tallies[2], exact, plan.dealing.certain_coups).collect()
    assert z["coup"].max() == 68
    assert (z["coups"] == plan.shoes).all()
    assert z["event"].n_unique() == len(plan.game.events)
    assert z["z"].abs().max() < 5  # type: ignore[operator]
    assert 0.8 < z["z"].std() < 1.2  # type: ignore[operator]
    wrong = summary.dealing_table(
        louisiana_sweep.tallies[2], {**exact, "tie": exact["tie"] * Fraction(13, 10)}, 68
    ).collect()
    assert wrong["z_rare"].abs().max() > 4.5  # type: ignore[operator]


def test_rare_events_have_normal_deviates() -> None:
    # 3 events where 0.3 are expected: 4.9 standard deviations, but as likely as a normal deviate of 2.7.
    dealt = pl.DataFrame(
        {"part": [0], "cut": [14], "coup": [1], "event": ["e"], "coups": [100], "happened": [3]},
        schema=DEALT.schema,
    )
    row = summary.dealing_table(dealt.lazy(), {"e": Fraction(3, 1000)}, 1).collect().row(0, named=True)
    assert row["z"] == pytest.approx(4.937, abs=1e-3)
    assert 2.7 < row["z_rare"] < 3.0
    none = summary.dealing_table(
        dealt.with_columns(pl.lit(0, pl.Int64).alias("happened")).lazy(), {"e": Fraction(3, 1000)}, 1
    )
    assert none.collect()["z_rare"].item() == pytest.approx(-((200 * 0.0030045) ** 0.5), rel=1e-3)


def test_one_shoe_has_no_standard_error(tmp_path: Path) -> None:
    plan = Plan(load_game("louisiana"), Dealing(), 1)
    ledger = run(plan, tmp_path).ledger
    rows = summary.by_bet(ledger).collect()
    assert rows["shoes"].unique().to_list() == [1]
    for name in ("units_per_shoe_se", "positive_share_se", "units_per_100_coups_se", "mean_positive_edge_se"):
        assert rows[name].null_count() == rows.height


def test_dealing_counts_what_happened(some: list[dict[str, Any]], ledger: Any, rulers_sweep: Sweep) -> None:
    table = ledger[2].collect()
    first = table.filter(pl.col("coup") == 1)
    ties = sum(row["player_total"] == row["banker_total"] for row in some if row["coup"] == 1)
    assert first.filter(pl.col("event") == "tie")["happened"].item() == ties
    assert (first["coups"] == SHOES).all()


def test_priced_rows_carry_the_exact_edges(some: list[dict[str, Any]], rulers_sweep: Sweep) -> None:
    priced = summary.price(rulers_sweep.coups, rulers_sweep.plan.game, ["panda-8"]).head(len(some)).collect()
    assert priced["panda-8"].to_list() == pytest.approx([float(row["edges"]["panda-8"]) for row in some], rel=1e-13)
    assert priced.columns == [*rulers_sweep.plan.coups_table.columns, "panda-8"]


def test_a_bet_named_as_a_column_is_not_priced_over_it(rulers_sweep: Sweep) -> None:
    game = rulers_sweep.plan.game
    renamed = replace(game, bets=(game.bets[0].model_copy(update={"name": "shoe"}),))
    with pytest.raises(InputError, match="bet 'shoe': the name of a column of the coups, should be another name"):
        summary.price(rulers_sweep.coups, renamed)


def test_a_certain_event_has_no_deviation() -> None:
    dealt = pl.DataFrame(
        {"part": [0], "cut": [14], "coup": [1], "event": ["any"], "coups": [100], "happened": [100]},
        schema=DEALT.schema,
    )
    row = summary.dealing_table(dealt.lazy(), {"any": Fraction(1)}, 1).collect().row(0, named=True)
    assert row["z"] is None
    assert row["z_rare"] == 0


def test_quantiles(rulers_sweep: Sweep) -> None:
    priced = summary.price(rulers_sweep.coups, rulers_sweep.plan.game, ["panda-8"])
    table = summary.quantiles(priced, ["panda-8"], (0.0, 0.5, 1.0), every=50).collect()
    edges = priced.filter(pl.col("cards_left").is_between(100, 149)).collect()["panda-8"]
    row = table.filter(pl.col("cards_left") == 100).row(0, named=True)
    assert (row["q00"], row["q50"], row["q100"]) == (edges.min(), edges.median(), edges.max())
    assert row["coups"] == len(edges)


def test_summaries_are_lazy(louisiana_sweep: Sweep) -> None:
    ledger, depth, dealt = louisiana_sweep.tallies
    made = [summary.by_bet(ledger), summary.by_system(ledger), summary.by_cards_left(depth, ledger)]
    made += [
        summary.dealing_table(dealt, probabilities(louisiana_sweep.plan.game, Shoe.decks(8)), 68),
        louisiana_sweep.coups,
    ]
    assert all(isinstance(frame, pl.LazyFrame) for frame in made)
    assert set(made[0].collect_schema()) >= {
        "bet", "cut", "coups_per_shoe", "positive_share", "mean_positive_edge", "units_per_shoe", "units_per_shoe_se",
        "units_per_100_coups",
    }  # fmt: skip


def test_no_shoes_give_no_rows() -> None:
    empty = (pl.LazyFrame(schema=LEDGER.schema), pl.LazyFrame(schema=DEPTH.schema))
    assert summary.by_bet(empty[0]).collect().is_empty()
    assert summary.by_cards_left(empty[1], empty[0]).collect().is_empty()


def test_an_exact_zero_is_not_positive(tmp_path: Path) -> None:
    # Deep in the shoe, many of Player's edges are exactly zero. A perfect counter does not bet on them, and a bet on
    # them was not right.
    always = load_system(HERE / "systems" / "sevens.toml").model_copy(update={"triggers": (-1000.0,)})
    plan = Plan(load_game("punto-banco"), Dealing(cut=6, after_cut=(2, 2)), 400, 1, (always,), ("player",))
    sweep = run(plan, tmp_path)
    edges = summary.price(sweep.coups, plan.game, ["player"]).collect()["player"]
    assert (edges == 0).sum() > 50
    row = summary.by_bet(sweep.ledger).collect().row(0, named=True)
    assert row["positive_share"] == pytest.approx((edges > 0).mean())
    deep = summary.by_cards_left(sweep.tallies[1], sweep.ledger).filter(pl.col("cards_left") == 6).collect()
    at_six = edges.filter(sweep.coups.collect()["cards_left"] == 6)
    assert deep["positive_share"].item() == pytest.approx((at_six > 0).mean())
    every = summary.by_system(sweep.ledger).filter(pl.col("trigger") == -1000).collect().row(0, named=True)
    assert every["bets"] == len(edges)
    assert every["truly_positive_share"] == pytest.approx((edges > 0).mean())


def test_parts_of_other_steps_are_put_together() -> None:
    """Later parts may have lower or higher steps, or more cards."""

    def part(cards: int, step: int, coups: int) -> pl.DataFrame:
        return pl.DataFrame(
            {"bet": ["a"], "cards_left": [cards], "step": [step], "coups": [coups]},
            schema={name: SPREAD.schema[name] for name in ("bet", "cards_left", "step", "coups")},
        )

    parts = [part(8, 3, 2), part(8, -7, 1), part(40, 900, 5), part(8, -7, 1), part(8, 40, 4)]
    made = summary.spread_quantiles(parts, ["a", "b"], (0.0, 0.25, 1.0))
    assert made.select("bet", "cards_left", "coups").rows() == [("a", 8, 8), ("a", 40, 5)]
    lows, highs = spread.step_ends(np.array([-7, 3, 40, 900]))
    # Each coup is in the middle of its place: eight coups are at 0.5 to 7.5, five at 0.5 to 4.5.
    parts_of_steps = [[(0, 0.5 / 2), (1, 0.25 / 2), (2, 3.5 / 4)], [(3, 0.5 / 5), (3, 1.5 / 5), (3, 4.5 / 5)]]
    for row, parts_of in zip(made.rows(), parts_of_steps, strict=True):
        assert row[3:] == pytest.approx([lows[i] + share * (highs[i] - lows[i]) for i, share in parts_of], rel=1e-12)
