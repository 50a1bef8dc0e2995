"""The spread of edges: steps by hand, the kernel's counts against the rows', and quantiles against exact ones."""

from fractions import Fraction
from math import floor, log2
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counting import Dealing, InputError, Plan, load_game
from counting.analysis import price, quantiles, spread_quantiles
from counting.sweep import Sweep, run, spread
from counting.sweep.tables import SPREAD

LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)
BETS = ("player", "tie-8", "dragon-7")
GAME = load_game("ez-baccarat").also(BETS)


def by_hand(edge: float) -> int:
    """The step of an edge, with the edge's sign. From 2^-14 on, there are 64 steps from each power of two to the next,
    counted from 1. Smaller edges are in step 0."""
    size = abs(Fraction(edge))
    if size < Fraction(1, 1 << 14):
        return 0
    order = floor(log2(size))
    order -= size < Fraction(2) ** order
    order += size >= Fraction(2) ** (order + 1)
    step = 64 * (order + 14) + floor(64 * (size / Fraction(2) ** order - 1)) + 1
    return -step if edge < 0 else step


@given(st.one_of(st.floats(-1, 1), st.floats(-1, 250), st.sampled_from([0.0, -0.0, 2.0**-14, -(2.0**-14), 1.0, -1.0])))
def test_steps_are_as_by_hand(edge: float) -> None:
    (step,) = spread.steps(np.array([edge]))
    assert step == by_hand(edge)
    low, high = spread.step_ends(np.array([step]))
    assert low[0] <= edge <= high[0]
    assert step == 0 or high[0] - low[0] <= max(abs(low[0]), abs(high[0])) / 64 * (1 + 1e-9)


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Sweep:
    plan = Plan(GAME, Dealing(cut=14), 250, 3, bets=BETS, spread=True)
    return run(plan, tmp_path_factory.mktemp("swept") / "sweep")


def test_the_kernel_counts_as_the_rows_do(swept: Sweep) -> None:
    from_rows = spread.of_rows(GAME, BETS, 8, ((coups.cards_left, coups.left) for coups in swept.blocks()))
    for kept, rows in zip(swept.parts(SPREAD), from_rows, strict=True):
        assert kept.select(rows.columns).rows() == rows.rows()
        assert (kept["cards_left"] % spread.GROUP == 0).all()
    coups = swept.scan(SPREAD).group_by("bet").agg(pl.col("coups").sum()).collect()
    assert dict(coups.iter_rows()) == dict.fromkeys(BETS, swept.coups.collect().height)


@pytest.mark.long
def test_every_coup_is_in_its_step(swept: Sweep) -> None:
    """The counts of the steps agree with the edges priced one by one from the rows."""
    priced = price(swept.coups, GAME, ["dragon-7"]).collect()
    counted: dict[tuple[int, int], int] = {}
    for cards, edge in priced.select("cards_left", "dragon-7").iter_rows():
        key = cards // 4 * 4, by_hand(edge)
        counted[key] = counted.get(key, 0) + 1
    kept = swept.scan(SPREAD).filter(pl.col("bet") == "dragon-7").collect()
    added: dict[tuple[int, int], int] = {}
    for cards, step, coups in kept.select("cards_left", "step", "coups").iter_rows():
        added[cards, step] = added.get((cards, step), 0) + coups
    assert added == counted


def test_quantiles_are_exact_to_a_64th(swept: Sweep) -> None:
    made = spread_quantiles(swept.parts(SPREAD), BETS, LEVELS)
    exact = quantiles(price(swept.coups, GAME, BETS), BETS, LEVELS, 4).collect()
    assert made.select("bet", "cards_left", "coups").rows() == exact.select("bet", "cards_left", "coups").rows()
    edges = price(swept.coups, GAME, BETS).collect().with_columns(pl.col("cards_left") // 4 * 4)
    for row in made.filter(pl.col("coups") > 20).iter_rows(named=True):
        own = np.sort(edges.filter(pl.col("cards_left") == row["cards_left"])[row["bet"]].to_numpy())
        for level in LEVELS:
            # The quantile is between the two edges next to the level, up to the width of a step or two.
            place = level * (len(own) - 1)
            low, high = own[floor(place)], own[min(len(own) - 1, floor(place) + 1)]
            value = row[f"q{round(100 * level):02d}"]
            assert low - abs(low) / 32 - 2**-13 <= value <= high + abs(high) / 32 + 2**-13


def test_quantiles_of_a_sweep_without_the_table_are_from_its_rows(swept: Sweep, tmp_path: Path) -> None:
    rows = run(Plan(GAME, Dealing(cut=14), 250, 3, bets=BETS), tmp_path / "rows")
    assert rows.spread_of(BETS) is not None
    assert spread_quantiles(rows.spread_of(BETS) or (), BETS, LEVELS).rows() == (
        spread_quantiles(swept.parts(SPREAD), BETS, LEVELS).rows()
    )
    with pytest.raises(InputError, match="has not kept how edges are spread"):
        rows.parts(SPREAD)
    sums = run(Plan(GAME, Dealing(cut=14), 20, 3, bets=BETS, keep_rows=0), tmp_path / "sums")
    assert sums.spread_of(BETS) is None


@pytest.mark.parametrize("bets", [("player",), ("banker-5",), ("tie-8",), ("player", "dragon-7")])
def test_steps_are_from_a_sure_loss_to_the_best_odds(bets: tuple[str, ...]) -> None:
    game = load_game("punto-banco").also(bets)
    best = max(line.pay for bet in bets for line in game.bet(bet).pays)
    lowest, highest = spread.steps(np.array([-1.0, float(max(best, 1))])).tolist()
    assert (lowest, highest) == (spread.LOWEST, spread.LOWEST + spread.number_of_steps(game, bets) - 1)
