"""Scores of counters and what they mean to a bankroll, against plain Python and against sessions played."""

from math import sqrt
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any

import polars as pl
import pytest

from counting import load_game
from counting.analysis import at_best, by_bet, by_system, price, results, score
from counting.cli import main
from counting.games import Outcome
from counting.simulation import Dealing
from counting.sweep import Plan, Sweep, run
from counting.systems import load_system


@pytest.fixture(scope="module")
def scored(rulers_sweep: Sweep) -> pl.DataFrame:
    return score(rulers_sweep.ledger).collect()


def row_of(scored: pl.DataFrame, system: str, bet: str) -> dict[str, Any]:
    chosen = scored.filter((pl.col("system") == system) & (pl.col("bet") == bet))
    return at_best(chosen.lazy()).collect().row(0, named=True)


def test_scores_agree_with_the_summaries(scored: pl.DataFrame, rulers_sweep: Sweep) -> None:
    ledger = rulers_sweep.ledger
    perfect = scored.filter(pl.col("system") == "perfect").sort("bet")
    assert perfect["units_per_shoe"].to_list() == by_bet(ledger).collect().sort("bet")["units_per_shoe"].to_list()
    assert rulers_sweep.by_bet().sort("bet").equals(by_bet(ledger).collect().sort("bet"))
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


def test_of_triggers_as_good_the_highest_is_best(tmp_path: Path) -> None:
    dragon = load_system("dragon-7")
    doubled = {name: 2 * tag for name, tag in dragon.tags if tag}
    even = dragon.model_copy(
        update={"name": "even", "count": "running", "trigger": 20.0, "tags": dragon.tags.model_copy(update=doubled)}
    )
    plan = Plan(load_game("ez-baccarat"), Dealing(), 200, 1, (even,), ("dragon-7",))
    scored = score(run(plan, tmp_path).ledger).filter(pl.col("system") == "even").collect()
    best = scored.filter(pl.col("best"))
    assert best.height == 1
    assert (
        scored.filter(pl.col("units_per_shoe") == best["units_per_shoe"].item())["trigger"].max()
        == best["trigger"].item()
    )
    assert best["trigger"].item() % 2 == 0


def test_the_best_trigger_wins_most(scored: pl.DataFrame) -> None:
    for (system, bet), part in scored.filter(pl.col("trigger").is_not_null()).group_by("system", "bet"):
        best = part.filter(pl.col("best"))
        assert best.height == 1, (system, bet)
        assert best["units_per_shoe"].item() == part["units_per_shoe"].max()


@pytest.mark.long
@pytest.mark.parametrize(("system", "trigger"), [("perfect", None), ("dragon-7", 4.0), ("unbalanced", None)])
def test_results_are_what_the_coups_paid(system: str, trigger: float | None, rulers_sweep: Sweep) -> None:
    if system == "unbalanced":
        (counter,) = (s for s in rulers_sweep.plan.systems if s.name == system)
        trigger = counter.scored[0]
    won = results(rulers_sweep, system, trigger, "dragon-7")
    rows = price(rulers_sweep.coups, rulers_sweep.plan.game, ["dragon-7"]).collect()
    if system == "perfect":
        betting = rows["dragon-7"] > 0
    elif system == "dragon-7":
        betting = 52 * rows["count_dragon-7"] >= 4 * rows["cards_left"]
    else:
        betting = rows["count_unbalanced"] >= trigger
    bet = rulers_sweep.plan.game.bet("dragon-7")
    shown = rows.select("player_total", "banker_total", "player_cards", "banker_cards").rows()
    pays = {cards: float(bet.pay(Outcome(*cards))) for cards in set(shown)}
    assert won.tolist() == [pays[cards] * on for cards, on in zip(shown, betting, strict=True)]
    chosen = rulers_sweep.ledger.filter(
        (pl.col("system") == system) & (pl.col("bet") == "dragon-7") & pl.col("trigger").eq_missing(trigger)
    )
    assert won.sum() == pytest.approx(chosen.collect()["won"].sum())


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
    assert table.startswith("Rulers: what counters win. 8 decks, ")
    assert "\nWith a bankroll of 9,000 and 100 per bet, the risk of ruin within 10,000 coups is " in table
    assert len([line for line in table.splitlines() if line.split("  ")[1:2] == ["perfect"]]) == 3
    assert table.count("to 1  dragon-7 ") == 3 * (1 + ("own and best" not in table))
    assert "ruined as dealt" in table
    assert main(["score", folder, "--every", "--format", "csv"]) == 0
    assert len(capsys.readouterr().out.splitlines()) > 30
    for wrong, says in (
        (["--stake", "5"], "--stake, --kelly, --check: should come with a --bankroll"),
        (["--bankroll", "5"], "--bankroll: should come with a --stake, or with --kelly"),
        (["--bet", "dragon"], "--bet dragon: not in the sweep, which has dragon-7, panda-8, super-6"),
    ):
        assert main(["score", folder, *wrong]) == 2
        assert says in capsys.readouterr().err
