"""Scores of counters and what they mean to a bankroll, against plain Python and against sessions played."""

from math import exp, sqrt
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any

import numpy as np
import polars as pl
import pytest

from counting import InputError
from counting.cli import main
from counting.coup import Outcome
from counting.score import Bankroll, at_best, results, score
from counting.summary import by_bet, by_system, price
from counting.sweep import Sweep


@pytest.fixture(scope="module")
def scored(rulers_sweep: Sweep) -> pl.DataFrame:
    return score(rulers_sweep.tallies[0]).collect()


def row_of(scored: pl.DataFrame, system: str, bet: str) -> dict[str, Any]:
    chosen = scored.filter((pl.col("system") == system) & (pl.col("bet") == bet))
    return at_best(chosen.lazy()).collect().row(0, named=True)


def test_scores_agree_with_the_summaries(scored: pl.DataFrame, rulers_sweep: Sweep) -> None:
    ledger = rulers_sweep.tallies[0]
    perfect = scored.filter(pl.col("system") == "perfect").sort("bet")
    assert perfect["units_per_shoe"].to_list() == by_bet(ledger).collect().sort("bet")["units_per_shoe"].to_list()
    assert perfect["captured_share"].to_list() == [1, 1, 1]
    keys = ["system", "trigger", "bet"]
    systems = scored.filter(pl.col("system") != "perfect").sort(keys)
    expected = by_system(ledger).collect().sort(keys)
    for name in ("bets", "mean_edge", "units_per_100_coups_se", "captured_share", "truly_positive_share"):
        assert systems[name].equals(expected[name]), name


def test_the_spread_of_a_bet_by_hand(scored: pl.DataFrame, rulers_sweep: Sweep) -> None:
    # A bet that pays 40 or loses: its second moment is 1 + (1600 - 1) p, with p = (1 + edge) / 41.
    edges = price(rulers_sweep.coups, rulers_sweep.plan.game, ["dragon-7"]).collect()["dragon-7"].to_numpy()
    on = edges[edges > 0]
    square = 1 + 1599 * (1 + on) / 41
    row = row_of(scored, "perfect", "dragon-7")
    assert row["bets"] == len(on)
    assert row["sd_per_bet"] == pytest.approx(sqrt(square.mean() - on.mean() ** 2), rel=1e-10)
    mean, variance = on.sum() / len(edges), square.sum() / len(edges) - (on.sum() / len(edges)) ** 2
    assert row["sd_per_100_coups"] == pytest.approx(10 * sqrt(variance), rel=1e-10)
    assert row["desirability_index"] == pytest.approx(100 * 100 * mean / (10 * sqrt(variance)), rel=1e-10)
    assert row["n0"] == pytest.approx(variance / mean**2, rel=1e-10)


def test_the_best_trigger_wins_most(scored: pl.DataFrame) -> None:
    for (system, bet), part in scored.filter(pl.col("trigger").is_not_null()).group_by("system", "bet"):
        best = part.filter(pl.col("best"))
        assert best.height == 1, (system, bet)
        assert best["units_per_shoe"].item() == part["units_per_shoe"].max()


@pytest.mark.parametrize(("system", "trigger"), [("perfect", None), ("dragon-7", 4.0), ("unbalanced", None)])
def test_results_are_what_the_coups_paid(system: str, trigger: float | None, rulers_sweep: Sweep) -> None:
    if system == "unbalanced":
        (counter,) = (s for s in rulers_sweep.plan.systems if s.name == system)
        trigger = counter.scored[0]
    won = results(rulers_sweep, system, trigger, "dragon-7")
    rows = price(rulers_sweep.coups, rulers_sweep.plan.game, ["dragon-7"]).collect()
    assert len(won) == rows.height
    bet = rulers_sweep.plan.game.bet("dragon-7")
    for row, paid in list(zip(rows.iter_rows(named=True), won, strict=True))[:20_000]:
        if system == "perfect":
            betting = row["dragon-7"] > 0
        elif system == "dragon-7":
            betting = 52 * row["count_dragon-7"] >= 4 * row["cards_left"]
        else:
            betting = row["count_unbalanced"] >= trigger
        shown = Outcome(row["player_total"], row["banker_total"], row["player_cards"], row["banker_cards"])
        assert paid == (bet.pay(shown) if betting else 0)
    chosen = rulers_sweep.tallies[0].filter(
        (pl.col("system") == system) & (pl.col("bet") == "dragon-7") & pl.col("trigger").eq_missing(trigger)
    )
    assert won.sum() == pytest.approx(chosen.collect()["won"].sum())


COIN = {"bets": 1, "bet_share": 1.0, "mean_edge": 0.1, "sd_per_bet": sqrt(1 - 0.01)}
COIN |= {"units_per_100_coups": 10.0, "sd_per_100_coups": 10 * sqrt(1 - 0.01)}


def walks(share: float, coups: int, sessions: int) -> np.ndarray:
    """Results of an even-money bet with an edge of 10%, staked at a share of coups."""
    rng = np.random.default_rng(5)
    won = np.where(rng.random(coups * sessions) < 0.55, 1.0, -1.0)
    return np.where(rng.random(coups * sessions) < share, won, 0.0)


def test_flat_stakes_on_a_biased_coin() -> None:
    purse = Bankroll(1000, 400, stake=100)
    found = purse.prospects(COIN)
    assert found["risk_of_ruin"] == pytest.approx(exp(-2 * 0.1 * 10 / 0.99))
    exact = (0.45 / 0.55) ** 10  # the gambler's ruin
    assert found["risk_of_ruin"] == pytest.approx(exact, abs=0.003)
    played = purse.played(walks(1, 400, 20_000), COIN)
    assert played["sessions"] == 20_000
    for name in ("risk_by_horizon", "chance_ahead"):
        assert played[f"played_{name}"] == pytest.approx(found[name], abs=0.012), name
    assert found["kelly_stake"] == pytest.approx(100)


def test_kelly_stakes_on_a_biased_coin() -> None:
    row = {**COIN, "bet_share": 0.5}
    for share in (1.0, 0.5):
        purse = Bankroll(1000, 400, kelly=share)
        found = purse.prospects(row)
        assert found["risk_of_ruin"] == pytest.approx(0.5 ** (2 / share - 1))
        played = purse.played(walks(0.5, 400, 20_000), row)
        for name in ("risk_by_horizon", "chance_ahead"):
            assert played[f"played_{name}"] == pytest.approx(found[name], abs=0.03), name


def test_who_never_bets_and_who_has_no_edge() -> None:
    purse = Bankroll(1000, 100, stake=10)
    assert set(purse.prospects({**COIN, "bets": 0}).values()) == {None}
    losing = {**COIN, "mean_edge": -0.1, "units_per_100_coups": -10.0}
    assert purse.prospects(losing)["risk_of_ruin"] == 1
    assert purse.prospects(losing)["kelly_stake"] == 0
    assert Bankroll(1000, 100, kelly=1).prospects(losing)["risk_of_ruin"] == 0
    assert purse.played(np.zeros(50), COIN)["played_chance_ahead"] is None


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ((1000, 10), "should be a stake in money, or a share of the Kelly stake"),
        ((1000, 10, 5, 0.5), "and not both"),
        ((1000, 10, 2000), "stake: 2000, should be above 0 and at most 1,000"),
        ((-1, 10, 1), "bankroll: -1, should be above 0"),
        ((1000, 10, None, 3), "kelly: 3, should be above 0 and at most 2"),
        ((1000, 0, 1), "horizon: 0, should be 1 to 1,000,000,000 coups"),
    ],
)
def test_a_bankroll_that_makes_no_sense(given: tuple[Any, ...], says: str) -> None:
    with pytest.raises(InputError, match=says):
        Bankroll(*given)


def test_the_spread_of_played_shoes_is_the_spread_computed(scored: pl.DataFrame, rulers_sweep: Sweep) -> None:
    row = row_of(scored, "perfect", "panda-8")
    won = results(rulers_sweep, "perfect", None, "panda-8")
    sessions = won[: len(won) // 100 * 100].reshape(-1, 100).sum(axis=1)
    assert pstdev(sessions) == pytest.approx(row["sd_per_100_coups"], rel=0.12)
    error = row["sd_per_100_coups"] / sqrt(len(sessions))
    assert abs(fmean(sessions) - row["units_per_100_coups"]) < 4 * error


def test_score_on_the_command_line(rulers_sweep: Sweep, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = str(rulers_sweep.folder)
    assert main(["score", folder, "--bet", "dragon-7", "--bankroll", "9000", "--stake", "100", "--check"]) == 0
    table = capsys.readouterr().out
    assert table.splitlines()[1].split()[:2] == ["dragon-7", "perfect"]
    assert "played_risk_by_horizon" in table
    assert main(["score", folder, "--every", "--format", "csv"]) == 0
    assert len(capsys.readouterr().out.splitlines()) > 30
    for wrong, says in (
        (["--stake", "5"], "--stake, --kelly, --check: should come with a --bankroll"),
        (["--bankroll", "5"], "stake rule: should be a stake in money"),
        (["--bet", "dragon"], "--bet dragon: the sweep should score it, has dragon-7, panda-8, super-6"),
    ):
        assert main(["score", folder, *wrong]) == 2
        assert says in capsys.readouterr().err
