"""What a statement's sentence says that counters win, against its JSON: a program reads the sentence."""

import json
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from math import inf
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest
from extent import long_or

from counting.bounds import (
    Bound,
    Bracket,
    Estimate,
    Figure,
    HouseRules,
    Limits,
    Mean,
    Per,
    Statement,
    Verdict,
    house_of,
)
from counting.bounds.figures import SEEN
from counting.io.tables import as_json
from counting.numbers import many
from counting.reports import limits
from counting.reports.numbers import amount, at_least, at_most, in_currency, unrounded
from counting.reports.statement import data, sentences
from counting.reports.verdicts import NOTHING, UNSEEN, behind, unit_after, winnings
from experiments.statements import run as experiment
from experiments.statements.faults import faults

SHOES = 120
CASES = long_or(3000, 16)
HELD = {"mid_shoe_entry": False, "minimum": 25}


def rules_of(draw: random.Random) -> HouseRules:
    """Random house rules, with bets in units or in money. No shoe is dealt for them here."""
    house: dict[str, Any] = {"title": "x", "game": "ez-baccarat", "side_bets": ["dragon-7", "panda-8"], "cut": 14}
    house |= draw.choice(({}, HELD, {"loss_rebate": 0.05}))
    if draw.random() < 0.7:
        house["most_bet"] = draw.choice((5, 100, 2500))
        house |= draw.choice(({}, {"currency": "$"}, {"currency": "EUR"}))
    return house_of(house, Path("rules.toml"))


def figures_of_shoes(draw: random.Random, scale: float) -> tuple[np.ndarray, np.ndarray]:
    """A random lower and a random upper figure for each shoe; the lower one may be larger."""
    random_shoes = np.random.default_rng(draw.getrandbits(32))
    share, size = draw.choice((0.0, 0.01, 0.3, 1.0)), 10 ** draw.uniform(-1, 1)
    lower = scale * random_shoes.normal(draw.choice((-1, 0, 1)), 1, SHOES)
    upper = scale * size * (random_shoes.random(SHOES) < share) * random_shoes.exponential(1, SHOES)
    return (lower, np.maximum(upper, lower)) if draw.random() < 0.3 else (lower, upper)


def rare_of(draw: random.Random, scale: float) -> Limits:
    gain = scale * 10 ** draw.uniform(-2, 1) * draw.choice((0, 1, 1))
    error, upper = gain * draw.uniform(0.01, 1), scale * 10 ** draw.uniform(-2, 1)
    columns = (np.array([value]) for value in (14, gain, error, upper, 80, 0.1))
    return Limits(*columns, (draw.choice(("weighted", "proved")),), "how")


def statements(number: int) -> Iterator[Statement]:
    """Statements with random figures, for which no shoe is dealt. Some bounds are close to the figures, others far."""
    draw = random.Random(number)
    rules, brackets = rules_of(draw), []
    scale = 10 ** draw.uniform(-9, 4)
    for bets in (("dragon-7",), ("panda-8",), ("dragon-7", "panda-8")):
        seat = rules.seat_with(bets)
        exact = seat.most_skipped is None and not seat.loss_rebate
        lower, upper = figures_of_shoes(draw, scale * len(bets))
        if exact:
            lower = upper = np.abs(upper)
        few = draw.random() < 0.4
        columns = {"lower": lower, "upper": upper, "coups": np.full(SHOES, 80), "played": lower, "sides": lower}
        mains = {f"{what}-{bet}": np.zeros(SHOES) for bet in rules.main for what in ("alone", "positive")}
        shoes = pl.DataFrame(columns | mains).with_columns(chances=pl.lit(0.0 if few else 50.0))
        bracket = Bracket(seat, shoes, 200 * (not exact), exact)
        if bracket.few and not seat.loss_rebate:
            bracket = replace(bracket, rare=rare_of(draw, scale))
        brackets.append(bracket)
    statement = Statement(rules, rules.plan(2000, 1), tuple(brackets))
    units = ("shoe", "100-coups") if rules.house.most_bet is None else ("shoe", "100-coups", "hour")
    bounds = [f"{10 ** draw.uniform(-9, 8):.9f}/{draw.choice(units)}", "0/shoe", None, None]
    for bound in bounds[: draw.choice((1, 2, 3))]:
        bounded = experiment.with_bound(statement, bound)
        yield bounded
        if bound is not None:
            yield from (experiment.with_bound(bounded, close) for close in experiment.close_bounds(bounded))


@pytest.mark.usefixtures("worth_once")
def test_a_sentence_prints_the_limits_of_the_json_in_order_and_on_their_side_of_the_bound() -> None:
    seen: dict[tuple[Verdict | None, str], int] = {}
    for number in range(CASES):
        for statement in statements(number):
            lines = sentences(statement)
            assert faults(lines, json.loads(as_json(data(statement, lines)))) == [], number
            key = (
                statement.verdict,
                "more than 0" if "more than 0 " in lines[0] else re.split('(?:rules|"), ', lines[0])[-1][:12],
            )
            seen[key] = seen.get(key, 0) + 1
    said = {words for _, words in seen}
    assert {verdict for verdict, _ in seen} == {None, *Verdict}
    assert said >= {"more than 0", "a counter wi", "no counter w", "no winning w", "it is not kn"}


def test_the_reader_of_sentences_sees_what_is_wrong() -> None:
    line = "UNDECIDED. Under these rules, a counter wins at least 0.0139 units per shoe at this table, and no counter "
    line += "wins more than 0.0010 (each with 99% confidence). The limit is 0.005 units per shoe. "
    of_json = {"lower_99": 0.0139, "lower": 0.014, "upper": 0.014, "upper_99": 0.001, "bound": "0.005/shoe"}
    wrong = faults([line], of_json | {"verdict": "UNDECIDED", "sides": [of_json]})
    assert any(fault.startswith("the first figure exceeds the second") for fault in wrong)
    line = "MET. Under these rules, no counter wins more than 0.0001 units per shoe (99% confidence). The limit is "
    line += "1e-07 units per shoe."
    of_json = {"lower_99": 0.0, "lower": 0.0, "upper": 1e-8, "upper_99": 5e-8, "bound": "0.0000001/shoe"}
    wrong = faults([line], of_json | {"verdict": "MET", "sides": [of_json]})
    assert any(fault.startswith("power of ten") for fault in wrong)
    line = line.replace("1e-07", "0.0000001")
    wrong = faults([line], of_json | {"verdict": "MET", "sides": [of_json]})
    assert {fault.partition(":")[0] for fault in wrong} >= {
        "0.0001 stands on the other side of 1e-07 than 5e-08", "met, by what is printed it is not",
    }  # fmt: skip


@pytest.mark.usefixtures("few_weighted", "undrawn")
def test_random_house_rules_are_stated_without_a_fault(tmp_path: Path) -> None:
    """A few of the experiment's random house rules, with shoes dealt for them."""
    experiment.of_rules(tmp_path, long_or(6, 2))
    lines = [json.loads(line) for line in (tmp_path / "rules.jsonl").read_text().splitlines()]
    assert len(lines) == long_or(6, 2)
    assert all(line["faults"] == [] and line["bounds"] > 5 for line in lines)


def test_figures_are_put_in_order_and_limits_only_moved_to_the_safe_side() -> None:
    random_figures = np.random.default_rng(1).normal(0, 1, (6, 10_000))
    figures = Figure.of(Estimate(*random_figures[:3]), Estimate(*random_figures[3:]))
    assert (figures.lower.limit <= figures.lower.value).all()
    assert (figures.lower.value <= figures.upper.value).all()
    assert (figures.upper.value <= figures.upper.limit).all()
    assert (figures.lower.limit <= random_figures[2]).all()
    assert (figures.upper.limit >= random_figures[5]).all()
    crossed = random_figures[2] > random_figures[5]
    assert (figures.upper.limit[crossed] == random_figures[2][crossed]).all()
    ordered = np.sort(random_figures[[2, 0, 3, 5]], axis=0)
    kept = Figure.of(Estimate(ordered[1], ordered[0], ordered[0]), Estimate(ordered[2], ordered[0], ordered[3]))
    assert (np.array([kept.lower.limit, kept.lower.value, kept.upper.value, kept.upper.limit]) == ordered).all()
    unknown = Figure.of(Estimate(1.0, 0.1, 0.8), Estimate(2.0, np.nan, np.inf))
    assert (unknown.lower.limit, unknown.upper.limit) == (0.8, np.inf)


def test_both_limits_hold_together_in_98_of_100_samples_and_a_verdict_in_99() -> None:
    """By Boole's inequality, two 99% limits hold together with at least 98% confidence. This tests it on samples with a
    known mean; both figures of a sample come from the same shoes."""
    random_shoes, truth, wrong, both = np.random.default_rng(3), 0.1, 0, 0
    for _ in range(2000):
        gains = (random_shoes.random(800) < truth) * random_shoes.exponential(1, 800)
        figures = Figure.of_means(Mean.of(gains), Mean.of(gains))
        both += not figures.lower.limit <= truth <= figures.upper.limit
        wrong += Verdict.of(truth, figures.lower.limit, figures.upper.limit) is not Verdict.UNDECIDED
    assert both <= 40 + 15
    assert wrong <= 40 + 15  # the bound is the mean itself, so either verdict is wrong


def test_a_figure_is_columns_of_its_unit() -> None:
    figure = Figure.of(Estimate(1.0, 0.1, 0.8), Estimate(2.0, 0.2, 2.5))
    columns = {"lower_units_per_shoe": 1.0, "lower_units_per_shoe_se": 0.1, "lower_units_per_shoe_99": 0.8,
               "upper_units_per_shoe": 2.0, "upper_units_per_shoe_se": 0.2, "upper_units_per_shoe_99": 2.5}  # fmt: skip
    assert list(figure.columns().items()) == list(columns.items())
    money = figure.converted(Per.HOUR, lambda units: 10 * units)
    assert money.columns() == {
        name: 10 * value for name, value in zip(Figure.names("money_per_hour"), columns.values(), strict=True)
    }
    assert money.lower.columns("x") == {"x": 10.0, "x_se": 1.0, "x_99": 8.0}


def test_a_gain_that_was_seen_is_above_0() -> None:
    seen = Figure.of_means(Mean(0.01, 0.01, 0.1), Mean(0.01, 0.01, 0.1), seen=True)
    assert seen.lower.limit == SEEN
    assert "a counter wins more than 0 units" in winnings(seen.lower.limit, seen.upper.limit, "units", 0.01)
    assert Verdict.of(0.0, seen.lower.limit, seen.upper.limit) is Verdict.NOT_MET
    unseen = Figure.of_means(Mean(0.01, 0.01, 0.1), Mean(0.01, 0.01, 0.1))
    assert unseen.lower.limit < 0
    assert winnings(unseen.lower.limit, unseen.upper.limit, "units").startswith(
        "no winning way to play was found, and no "
    )
    never = Figure.of_means(Mean(0.0, 0.0, 0.0), Mean(0.0, 0.0, 0.0), seen=True)
    assert never.lower.limit == 0


def test_where_no_counter_wins_anything_every_bound_is_met() -> None:
    assert winnings(-2.0, -1.0, "units", 0.0, met=True) == NOTHING
    assert Verdict.of(0.0, 0.0, 0.0) is Verdict.MET
    assert Verdict.of(0.0, 0.0, 0.1) is Verdict.UNDECIDED
    assert winnings(-1.0, np.inf, "units") == UNSEEN


@pytest.mark.parametrize(
    ("value", "bound", "least", "most"),
    [
        (2.3456, None, "at least 2.34", "2.35"),
        (5e-8, 1e-7, "more than 0", "0.00000005"),
        (1.5e-7, 1e-7, "at least 0.00000015", "0.0001"),
        (0.09999999, 0.1, "at least 0.0999", "0.09999999"),
        (0.10000001, 0.1, "at least 0.10000001", "0.101"),
        (1e-300, 0.0, "more than 0", "0.0001"),
    ],
)
def test_a_limit_has_the_digits_that_its_bound_needs(value: float, bound: float | None, least: str, most: str) -> None:
    assert (at_least(value, bound), at_most(value, bound)) == (least, most)


@pytest.mark.long
def test_a_limit_next_to_its_bound_stays_on_its_side() -> None:
    draw = random.Random(5)
    for _ in range(long_or(20_000, 800)):
        bound = 10 ** draw.uniform(-9, 6)
        value = bound
        for _ in range(draw.choice((1, 3, 1000))):
            value = float(np.nextafter(value, draw.choice((0, np.inf))))
        for up in (True, False):
            text = amount(value, up, bound)
            shown = float(text.replace(",", ""))
            assert (shown > bound, shown < bound) == (value > bound, value < bound), (value, bound, text)


def test_given_amounts_have_all_their_digits_and_their_currency() -> None:
    assert [unrounded(value) for value in (10.0, 1234567.0, 1e-7, 13.7, 0.000000001)] == [
        "10", "1,234,567", "0.0000001", "13.7", "0.000000001",
    ]  # fmt: skip
    printed = {"$": "$25", "HK$": "HK$25", "EUR": "25 EUR", "": "25"}
    assert {currency: in_currency("25", currency) for currency in printed} == printed
    assert str(Bound.parse("0.0000001/shoe")) == "0.0000001/shoe"
    assert str(Bound.parse("1234567/hour")) == "1234567/hour"


def test_money_has_its_currency_on_every_amount_of_the_sentence() -> None:
    rules = house_of(
        {"title": "x", "game": "ez-baccarat", "side_bets": ["dragon-7"], "cut": 14, "most_bet": 50, "currency": "$"},
        Path("rules.toml"),
    )
    gains = np.random.default_rng(1).exponential(1, SHOES)
    columns = dict.fromkeys(("lower", "upper", "played", "sides"), gains)
    shoes = pl.DataFrame(columns | {"coups": np.full(SHOES, 80), "chances": np.full(SHOES, 50.0)})
    statement = Statement(rules, rules.plan(2000, 1), (Bracket(rules.seat, shoes, 0, True),))
    line = sentences(experiment.with_bound(statement, "10/hour"))[0]
    figure = statement.figure(statement.judged)
    least, most = int(figure.lower.limit), int(figure.upper.limit) + 1
    assert line == (
        f'NOT MET. Under these rules with bets of up to $50 on "Dragon 7, 40 to 1", a counter wins at least ${least} '
        f"per hour at this table, and no counter wins more than ${most} (each with 99% confidence). The limit is "
        "$10 per hour."
    )
    other = replace(
        statement, rules=HouseRules(rules.house.model_copy(update={"currency": "EUR"}), rules.game, rules.dealing)
    )
    assert "at least" in (line := sentences(other)[0])
    assert line.count(" EUR") == 3


def test_a_limit_of_one_unit_is_in_the_singular() -> None:
    assert [unit_after(amount, Per.COUPS) for amount in (0.5, 1.0, 2.0)] == [
        "units per 100 coups", "unit per 100 coups", "units per 100 coups",
    ]  # fmt: skip
    assert [behind(cut) for cut in (0, 1, 14)] == [
        "0 cards behind the cut card", "1 card behind the cut card", "14 cards behind the cut card",
    ]  # fmt: skip
    assert [many(n, what) for n, what in ((0, "coup"), (1, "error of dealing"), (3, "error of dealing"))] == [
        "0 coups", "1 error of dealing", "3 errors of dealing",
    ]  # fmt: skip
    assert many(1200, "independent trip") == "1,200 independent trips"


@pytest.mark.parametrize(
    ("verdict", "least", "limit", "said"),
    [
        ("MET", None, -1.0, "no team of 3 counters wins anything (99% confidence)"),
        ("MET", None, 2.0, "no team of 3 counters wins more than 2.00 per hour (99% confidence)"),
        ("UNDECIDED", None, inf, "it is not known what counters win"),
        (
            "UNDECIDED",
            5.0,
            inf,
            "wins at least 5.00 per hour (99% confidence), and what others win at most is not known",
        ),
        (
            "UNDECIDED",
            5.0,
            20.0,
            "more than 20.00 per hour, and some team of 3 counters wins at least 5.00 per hour (99% confidence)",
        ),
        (
            "UNDECIDED",
            None,
            20.0,
            "more than 20.00 per hour, and no team of 3 counters was found that wins (99% confidence)",
        ),
    ],
)
def test_the_headline_of_limits_has_only_figures_that_are_known(
    verdict: str, least: float | None, limit: float, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "_quoted", lambda _, bet: {"tie": '"Tie"'}[bet])
    answer: Any = SimpleNamespace(question=SimpleNamespace(bound=Bound.parse("10/hour"), team=3))
    row = {"verdict": verdict, "bet": "tie", "least": least, "limit": limit}
    assert limits._headline(row, answer).endswith(f"{said}. The limit is 10 per hour.")
