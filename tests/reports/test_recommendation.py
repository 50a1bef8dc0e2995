"""The recommendation agrees with the functions behind `counting limits`, and SCORE with its definition."""

from dataclasses import replace
from fractions import Fraction
from math import exp, inf, nan
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from extent import LONG, long_or

from counting import Shoe, exact_edges, load_game
from counting.analysis import perfect_totals, score
from counting.analysis.penetration import totals
from counting.bounds import Bound, CounterModel, LimitsAnswer, LimitsQuestion, Per, Terms, Verdict, answer
from counting.exact import settlement
from counting.reports import recommendation
from counting.reports.bet_facts import moments
from counting.reports.recommendation import (
    AssumedTable,
    Recommendation,
    entry_limit,
    least_cut,
    most_bet,
    recommend,
    rows,
)
from counting.reports.vulnerability import report, standard_score
from counting.simulation import Dealing
from counting.sweep import Plan, Sweep, run
from counting.systems import load_system

EZ = load_game("ez-baccarat")
TABLE = AssumedTable(Fraction(100), 70.0, Bound(20.0, Per.HOUR))


@pytest.fixture(scope="module", autouse=True)
def _few_weighted(few_weighted_throughout: None) -> None:
    """Use few weighted shoes throughout, so limits of rare bets are wider."""


@pytest.fixture
def _any_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the limit under a ban on mid-shoe entry by a fixed figure, for tests that do not depend on it."""
    monkeypatch.setattr(recommendation, "entry_limit", lambda *_: (99.0, 1000))


@pytest.fixture(scope="module")
def sweep(tmp_path_factory: pytest.TempPathFactory) -> Sweep:
    plan = Plan(EZ, Dealing(), long_or(4000, 2000), 1, (load_system("dragon-7"),), ("dragon-7",), keep_rows=0)
    return run(plan, tmp_path_factory.mktemp("sweep"))


@pytest.fixture(scope="module")
def advice(sweep: Sweep) -> Recommendation:
    made = recommend(sweep, TABLE)
    assert made is not None
    return made


@pytest.fixture(scope="module")
def limits(sweep: Sweep, advice: Recommendation, tmp_path_factory: pytest.TempPathFactory) -> LimitsAnswer:
    """The answer of `counting limits` on the same shoes, for a counter who may skip any coup, without a main-bet
    requirement."""
    folder, plan = tmp_path_factory.mktemp("limits"), replace(sweep.plan, systems=())
    terms = Terms(
        bets=("dragon-7",),
        main=plan.game.mains()[:1],
        tie_ins=(Fraction(),),
        models=(CounterModel.parse("sit-out"),),
        most_bets=(Fraction(100),),
    )
    cuts = tuple(int(cut) for cut in plan.dealing.cuts if cut <= advice.last_cut)
    question = LimitsQuestion(plan=plan, terms=terms, bound=TABLE.bound, compared=cuts)
    with pytest.MonkeyPatch.context() as patch:
        if not LONG:  # no test needs the main bets' limits from weighted shoes
            patch.setattr("counting.bounds.confidence_limits.FEW_BETS", 0)
            patch.setattr("counting.bounds.confidence_limits.FEW_PER_SHOE", 0.0)
        return answer(question, run(question.played, folder / "sweep"), {})


def test_verdict_and_largest_bet_are_those_of_limits(advice: Recommendation, limits: LimitsAnswer) -> None:
    (row,) = limits.changes.filter(pl.col("model") == "all").to_dicts()
    assert advice.verdict.value == row["verdict"] == "NOT MET"
    assert advice.limit == pytest.approx(row["limit"], rel=1e-9)
    assert advice.most_bet == pytest.approx(row["most_side_bet"], rel=1e-9)


def test_cut_card_is_the_least_from_which_limits_are_below_the_bound(
    advice: Recommendation, limits: LimitsAnswer
) -> None:
    at = limits.frontier.filter(pl.col("cut") <= advice.last_cut).sort("cut")
    below = dict(at.select("cut", pl.col("upper_money_per_hour_99") < 20).rows())
    assert advice.last_cut == max(below)
    assert advice.new_cut == min(cut for cut in below if all(below[more] for more in below if more >= cut))
    (row,) = at.filter(pl.col("cut") == advice.new_cut).to_dicts()
    assert advice.new_limit == pytest.approx(row["upper_money_per_hour_99"], rel=1e-9)
    (now,) = at.filter(pl.col("cut") == 14).to_dicts()
    assert advice.coups_lost == pytest.approx(now["coups_per_shoe"] - row["coups_per_shoe"])


@pytest.mark.usefixtures("_any_entry")
def test_the_bound_is_met_at_the_largest_bet_and_not_above(sweep: Sweep, advice: Recommendation) -> None:
    assert advice.most_bet is not None
    smaller, larger = (
        recommend(sweep, replace(TABLE, stake=Fraction(advice.most_bet * times))) for times in (0.999, 1.001)
    )
    assert smaller is not None
    assert larger is not None
    assert smaller.verdict is Verdict.MET
    assert smaller.new_cut == 14
    assert larger.verdict is not Verdict.MET


def test_cuts_are_tried_from_the_last_down() -> None:
    bound = Bound(1.0, "shoe")
    assert least_cut(np.array([3.0, 0.9, 1.0, 0.8, 0.7]), bound) == 3
    assert least_cut(np.array([0.9, 0.8]), bound) == 0
    assert least_cut(np.array([0.9, 1.1]), bound) is None
    assert least_cut(np.array([0.9, inf]), bound) is None
    assert least_cut(np.array([0.9, nan]), bound) is None


def test_no_largest_bet_where_every_bet_or_none_is_known_to_meet_the_bound() -> None:
    assert most_bet(TABLE, 40.0) == 50
    assert most_bet(TABLE, -1.0) is None
    assert most_bet(TABLE, inf) is None
    assert most_bet(replace(TABLE, bound=Bound(0.1, Per.SHOE)), 0.5) is None


@pytest.mark.usefixtures("_any_entry")
@pytest.mark.parametrize("bound", [Bound(0.3, Per.SHOE), Bound(0.4, Per.COUPS)])
def test_bounds_in_units(sweep: Sweep, bound: Bound) -> None:
    advice = recommend(sweep, replace(TABLE, bound=bound))
    assert advice is not None
    (row,) = score(sweep.ledger).filter(pl.col("system") == "perfect").collect().to_dicts()
    assert advice.gain == pytest.approx(row[bound.per.unit], rel=1e-6)
    assert [name for name, _ in rows(advice)][:2] == ["cut card", "mid-shoe entry"]


def test_an_entry_limit_is_above_what_a_counter_who_keeps_the_seat_wins(sweep: Sweep) -> None:
    """A counter who never leaves. While the Dragon 7 is not positive, the counter makes only the cheapest main bet.
    While it is, the counter makes the Dragon 7, and adds the main bet if this is positive too."""
    limit, shoes = entry_limit(sweep.plan, TABLE)
    assert limit is not None
    assert shoes == 1000
    plan = replace(sweep.plan, shoes=long_or(400, 100), systems=(), bets=("dragon-7", *EZ.mains()), keep_rows=1)
    with_mains = run(plan, sweep.folder / "mains")
    coups = with_mains.coups.collect()
    left = coups.select(f"left_{value}" for value in range(10)).to_numpy()
    edges = settlement(plan.game, plan.bets).edges(left.astype(np.int32))
    won = np.where(edges[:, 0] > 0, edges[:, 0] + edges[:, 1:].max(axis=1).clip(0), edges[:, 1:].max(axis=1))
    assert limit > 7000 * won.mean()


@pytest.mark.long
def test_a_rare_bet_has_a_limit_from_weighted_shoes(tmp_path: Path) -> None:
    plan = Plan(load_game("punto-banco"), Dealing(cut=60), 2000, 1, (), ("tie-8",), keep_rows=0)
    advice = recommend(run(plan, tmp_path / "sweep"), TABLE)
    assert advice is not None
    assert advice.last_cut == advice.new_cut == 60
    assert advice.verdict is Verdict.MET
    assert "importance sampling" in advice.how
    assert "do not show that this lowers what counters win" in dict(rows(advice))["mid-shoe entry"]


def test_too_few_shoes_have_no_recommendation(tmp_path: Path) -> None:
    swept = run(Plan(EZ, Dealing(), 200, 1, (), ("dragon-7",), keep_rows=0), tmp_path / "sweep")
    assert recommend(swept, TABLE) is None
    page = report(swept)
    assert page.sentences[1] == "No recommendation is given: it needs upper bounds, and these need 2,000 shoes or more."
    assert "Recommendation" not in [section.title for section in page.sections]


@pytest.mark.usefixtures("undrawn")
def test_the_page_has_the_recommendation(sweep: Sweep, advice: Recommendation) -> None:
    page = report(sweep, "", TABLE)
    assert page.sentences[0] == recommendation.verdict(advice)
    assert page.sentences[0].startswith("NOT MET. With 14 cards behind the cut card and bets of 100 at 70 ")
    (section,) = (section for section in page.sections if section.title == "Recommendation")
    lines = dict(section.rows)
    assert lines["cut card"].startswith(
        f"Place {advice.new_cut} cards behind the cut card, instead of 14. With {advice.new_cut} cards or more "
    )
    assert lines["largest bet"].startswith("Up to ")
    assert "no counter wins more than" in lines["mid-shoe entry"]
    assert page.data["recommendation"]["limit"] == advice.limit
    assert page.data["money"][0]["money_per_hour"] == 70 * page.data["best"][0]["units_per_100_coups"]


def test_totals_of_the_perfect_counter_are_those_of_all(sweep: Sweep) -> None:
    all_counters, perfect = totals(sweep), perfect_totals(sweep)
    assert (all_counters.sums[0][:, [0, 3]] == perfect.sums[0]).all()
    assert (all_counters.coups == perfect.coups).all()
    for ours, theirs in zip(perfect.per_shoe, all_counters.per_shoe, strict=True):
        assert (ours[0] == theirs[0]).all()


def test_score_is_what_its_definition_says(tmp_path: Path) -> None:
    """SCORE is worked out coup by coup in Python, with a bank of 10,000, 100 coups per hour and the bet size that has a
    13.5% risk of ruin."""
    plan = Plan(EZ, Dealing(1, 14), 12, 3, (), ("dragon-7",), keep_rows=1)
    swept = run(plan, tmp_path / "sweep")
    means, squares = [], []
    for row in swept.coups.collect().to_dicts():
        unseen = Shoe("value", tuple(row[f"left_{value}"] for value in range(10)))
        edge = float(exact_edges(EZ.only(["dragon-7"]), unseen)["dragon-7"])
        deviation = moments(EZ, "dragon-7", unseen)[1]
        means.append(edge if edge > 0 else 0.0)
        squares.append(deviation**2 + edge**2 if edge > 0 else 0.0)
    win = sum(means) / len(means)
    variance = sum(squares) / len(squares) - win**2
    bet = 10_000 * win / variance  # the bet size at which the bank grows fastest
    assert exp(-2 * win * 10_000 / (variance * bet)) == pytest.approx(0.135, abs=0.0005)
    (row,) = score(swept.ledger).filter(pl.col("system") == "perfect").collect().to_dicts()
    assert standard_score(row) == pytest.approx(100 * win * bet, rel=1e-9)
    assert row["n0"] == pytest.approx(1e6 / (100 * win * bet), rel=1e-9)
    assert standard_score({"desirability_index": None}) is None
    assert standard_score({"desirability_index": -0.3}) is None
