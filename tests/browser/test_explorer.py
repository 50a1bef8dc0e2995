"""The sliders and the command line say the same, and numbers are printed alike in the browser and in Python."""

import random
import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from browser.journeys import called
from extent import long_or
from lighter import closed

from counting.bounds import Bound, Per
from counting.bounds.frontiers import judged
from counting.cli import main
from counting.reports.numbers import amount, at_least, figure, money

BOUNDS = ((None, None), (True, 10.5), (False, 3.0), (True, 1e-7), (False, 1e-7), (False, 0.0))
POSITIONS = long_or(200, 20)
PIT = ("--bet", "dragon-7", "--bound", "10/hour", "--most-bet", "50", "--minimum", "0", "--tie-in", "0", "1", "3")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("explored")
    limits = ["limits", "ez-baccarat", *PIT, "--system", "dragon-7", "--model", "sit-out", "--shoes", "2000"]
    study = ["study", "ez-baccarat", "--shoes", "600", "--system", "dragon-7", "--out", str(made / "study")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("counting.reports.drawing.svg", closed)
        assert main([*limits, "--deepest", "40", "--out", str(made / "limits")]) == 0
        assert main(study) == 0
    return made


def opened(window: Any, page: Path) -> Any:
    window.goto(page.as_uri())
    assert window.locator(".explorer").is_visible()
    return window


def move(window: Any, key: str, value: object) -> None:
    moved(window, [[(key, value)]])


def moved(window: Any, positions: list[list[tuple[str, object]]]) -> list[list[str]]:
    """Move the controls to one position after the other: set their values, and send the events of the browser. Returns
    the sentence at each position, with its table of facts."""
    texts: list[list[str]] = window.evaluate(
        """(positions) => positions.map((settings) => {
            for (const [key, value] of settings) {
                const control = document.getElementById(`explore-${key}`);
                control.value = value;
                control.dispatchEvent(new Event(control.tagName === "SELECT" ? "change" : "input"));
            }
            const texts = [".result", ".explorer table.facts"].map((part) => document.querySelector(part));
            return texts.map((text) => text?.innerText ?? "");
        })""",
        [[[key, str(value)] for key, value in position] for position in positions],
    )
    return texts


def said(window: Any) -> str:
    return str(window.locator(".result").inner_text())


def options(window: Any, key: str) -> list[str]:
    return list(window.evaluate(f"[...document.getElementById('explore-{key}').options].map((each) => each.value)"))


def test_numbers_are_printed_alike(window: Any, folder: Path) -> None:
    opened(window, folder / "study" / "report.html")
    draw = random.Random(1)
    cases: list[list[float | None]] = [
        [0.0, None],
        [0.0, 1.0],
        [-1e-9, None],
        [2.5, None],
        [0.125, 1.5],
        [1234.5, 120.0],
        [-2.5, 20.0],
        [9.995, 0.0995],
        [1e9, 3.0],
    ]
    for _ in range(long_or(20_000, 2_000)):
        value = draw.choice((-1, 1)) * 10 ** draw.uniform(-9, 7)
        cases.append([value, draw.choice((None, abs(value) * 10 ** draw.uniform(-5, 2)))])
    in_browser = called(window, "(cases) => cases.map(([value, error]) => Numbers.figure(value, error))", cases)
    assert in_browser == [figure(value or 0.0, error) for value, error in cases]
    values = [case[0] for case in cases]
    limits = [[value, up, bound] for value in values for up, bound in BOUNDS]
    in_browser = called(
        window,
        "(cases) => cases.map(([value, up, bound]) => "
        "[Numbers.amount(value, up, bound), Numbers.money(value, bound, up), Numbers.leastWords(value, bound)])",
        limits,
    )
    assert in_browser == [
        [amount(value, up, bound), money(value, bound, up), at_least(value or 0.0, bound)]
        for value, up, bound in limits
    ]


def test_every_position_of_the_limits_is_the_frontiers(window: Any, folder: Path) -> None:
    opened(window, folder / "limits" / "report.html")
    frontier = pl.read_csv(folder / "limits" / "frontier.csv")
    cuts = sorted(frontier["cut"].unique())
    requirements = sorted(frontier["tie_in"].unique())
    counters = options(window, "counter")
    draw, verdicts, positions = random.Random(2), set(), []
    for _ in range(POSITIONS):
        counter = draw.choice(counters)
        cut, requirement = draw.randrange(len(cuts)), draw.randrange(len(requirements))
        stake, team, coups = draw.choice((7, 50, 333.5)), draw.choice((1, 2, 5)), draw.choice((40, 70))
        positions.append((counter, requirement, cut, stake, team, coups, 12))
    keys = ("counter", "requirement", "cut", "stake", "team", "coups", "bound")
    texts = moved(window, [[*zip(keys, position, strict=True)] for position in positions])
    for (counter, requirement, cut, stake, team, coups, bound), (text, _) in zip(positions, texts, strict=True):
        name, model = counter.rsplit(", ", 1)
        rows = (
            frontier.filter(counter=name, model=model, tie_in=requirements[requirement], cut=cuts[cut])
            .drop("verdict", "met")
            .with_columns(stake=pl.lit(float(stake)))
        )
        (row,) = judged(rows.select(~pl.selectors.contains("money")), Bound(bound, Per.HOUR), coups, team).to_dicts()
        verdicts.add(row["verdict"])
        assert text.startswith(f"{row['verdict']}. With {cuts[cut]} card")
        most = f"more than {amount(row['upper_money_per_hour_99'], True, bound)}"
        if row["verdict"] != "MET" and row["lower_money_per_hour_99"] > 0:
            assert f"{at_least(row['lower_money_per_hour_99'], bound)} per hour" in text
            assert f"{most} (each with 99% confidence). The limit is 12 per hour." in text
        else:
            assert f"wins {most} per hour" in text
            assert text.endswith("(99% confidence). The limit is 12 per hour.")
        assert f" at {coups} coups per hour, " in text
    assert verdicts >= {"MET", "NOT MET"}


def test_every_position_of_a_study_is_the_summarys(
    window: Any, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    opened(window, folder / "study" / "report.html")
    command = ["summary", str(folder / "study" / "sweep"), "--by", "penetration", "--format", "csv"]
    assert main(command) == 0
    summary = pl.read_csv(capsys.readouterr().out.encode(), null_values=[""], infer_schema_length=None)
    cuts = [cut for cut in sorted(summary["cut"].unique()) if cut <= 208]
    draw, counters, positions = random.Random(3), {}, []
    assert set(options(window, "bet")) == set(summary["bet"])
    for bet in options(window, "bet"):
        move(window, "bet", bet)
        counters[bet] = options(window, "counter")
    for _ in range(POSITIONS):
        bet = draw.choice([*counters])
        counter, place = draw.choice(counters[bet]), draw.randrange(len(cuts))
        positions.append((bet, counter, place, draw.choice((1, 100, 12.5)), draw.choice((1, 3)), 60))
    keys = ("bet", "counter", "cut", "stake", "team", "coups")
    texts = moved(window, [[*zip(keys, position, strict=True)] for position in positions])
    for (bet, counter, place, stake, team, coups), (text, facts) in zip(positions, texts, strict=True):
        at = re.fullmatch(r"(.*), bet at (.*)", counter)
        rows = summary.filter(bet=bet, cut=cuts[place], system=at[1] if at else "perfect")
        (row,) = rows.filter(pl.col("trigger").eq_missing(float(at[2]) if at else None)).to_dicts()
        scale = stake * team * coups / 100
        error = row["units_per_100_coups_se"]
        wins = figure(scale * row["units_per_100_coups"], None if error is None else scale * error)
        assert f" {wins} per hour" in text
        assert f"{100 * row['bet_share']:.2f}% of coups" in facts


def test_a_wrong_setting_changes_nothing(window: Any, folder: Path) -> None:
    opened(window, folder / "study" / "report.html")
    before = said(window)
    for value in ("", "-5", "0.5"):
        move(window, "team", value)
        assert said(window) == before
        assert window.locator("#explore-team").get_attribute("aria-invalid") == "true"
    move(window, "team", 2)
    assert said(window) != before
    window.get_by_role("button", name="as in this report").click()
    assert said(window) == before


def test_settings_stand_in_the_address_and_are_read_from_it(window: Any, folder: Path) -> None:
    page = folder / "limits" / "report.html"
    opened(window, page)
    at_start = said(window)
    assert "#" not in window.url
    for key, value in (("team", 3), ("requirement", 1), ("cut", 5), ("stake", 12.5)):
        move(window, key, value)
    changed, address = said(window), window.url
    assert changed != at_start
    assert "team=3" in address
    assert "stake=12.5" in address
    window.goto("about:blank")
    window.goto(address)
    assert said(window) == changed
    assert window.url == address
    window.get_by_role("button", name="as in this report").click()
    assert said(window) == at_start
    assert "#" not in window.url


@pytest.fixture(scope="module")
def unasked(chromium: Any, folder: Path) -> str:
    """What the page of limits says at an address without settings."""
    context = chromium.new_context()
    text = said(opened(context.new_page(), folder / "limits" / "report.html"))
    context.close()
    return text


@pytest.mark.parametrize("asked", ["bet=none", "team=0.5", "team=-1&cut=9999", "counter=&coups=x", "__proto__=1", "%"])
def test_an_address_that_asks_for_what_cannot_be_changes_nothing(
    window: Any, folder: Path, asked: str, unasked: str
) -> None:
    window.goto(f"{(folder / 'limits' / 'report.html').as_uri()}#{asked}")
    assert said(window) == unasked


def test_without_a_script_the_page_is_whole(chromium: Any, folder: Path) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((folder / "limits" / "report.html").as_uri())
    assert not page.locator(".explorer").is_visible()
    assert page.locator("table.data").count() >= 3
    context.close()
