"""Examples in documents make sense: the count wins, the bet has the stated edge, and the rules meet the bound."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from documents import DOCS, of_kind

import counting
from counting import Dealing, Effects, Plan, Shoe, System, load_game, load_system, run
from counting.analysis import score

PAGE = DOCS / "how-to" / "own-count.md"
SHOES = 2000


@pytest.fixture(scope="module")
def taught(tmp_path_factory: pytest.TempPathFactory) -> System:
    (text,) = of_kind(PAGE, "toml")
    (file := tmp_path_factory.mktemp("taught") / "my-count.toml").write_text(text)
    return load_system(file)


def played(system: System, folder: Path) -> Mapping[str, Any]:
    """The scores of a count at its own trigger, from few shoes."""
    plan = Plan("ez-baccarat", Dealing.named("jacobson", 8), SHOES, 1, (system,), ("dragon-7",), keep_rows=False)
    rows = score(run(plan, folder).ledger).filter(system=system.name, trigger=system.on("dragon-7"))
    return rows.collect().row(0, named=True)


def test_the_count_taught_wins_at_its_trigger_what_the_page_says(taught: System, tmp_path: Path) -> None:
    row = played(taught, tmp_path)
    assert row["mean_edge"] > 0.05
    (printed,) = re.findall(
        r"\| `my-count` \| (\d+) \| ([\d.]+) ± ([\d.]+) \| ([\d.]+) ± ([\d.]+)% \|", PAGE.read_text()
    )
    trigger, units, error, share, share_error = map(float, printed)
    assert trigger == taught.trigger
    assert abs(row["units_per_shoe"] - units) < 4 * (row["units_per_shoe_se"] + error)
    assert abs(100 * row["captured_share"] - share) < 4 * (100 * row["captured_share_se"] + share_error)


def test_efficiencies_of_the_page_are_its_units_over_the_perfect_counters() -> None:
    rows = re.findall(
        r"(?m)^\| (?:`[\w-]+`|perfect counter) \| \d* ?\| ([\d.]+) ± [\d.]+ \| ([\d.]+)", PAGE.read_text()
    )
    units, shares = ([float(row[n]) for row in rows] for n in (0, 1))
    assert len(rows) == 4
    assert all(abs(100 * won / units[0] - share) < 0.02 for won, share in zip(units, shares, strict=True))


def test_the_same_count_from_zero_wins_nothing(taught: System, tmp_path: Path) -> None:
    unbalanced = System(**{**taught.model_dump(by_alias=True, exclude_none=True), "start": 0})
    assert played(unbalanced, tmp_path)["captured_share"] < 0.01


def test_the_page_has_its_correlation_start_and_break_even(taught: System) -> None:
    effects = Effects.of(load_game("ez-baccarat"), "dragon-7", Shoe.decks(8))
    text = " ".join(PAGE.read_text().split())
    assert f"BC, {effects.correlation(taught):.4f} here" in text
    assert f"begins the count at {effects.start(taught)}," in text
    start = f"breaks even, by a linear estimate: {effects.break_even(taught):.2f} here"
    assert f"{start}, so use a trigger of {taught.trigger:.0f} or more." in text


def test_the_bet_has_the_house_edge_that_the_page_states(tmp_path: Path) -> None:
    page = DOCS / "how-to" / "own-side-bet.md"
    bet = next(text for text in of_kind(page, "toml") if "six-cards-doubled" in text)
    game = (Path(counting.__file__).parent / "games" / "punto-banco.toml").read_text()
    (file := tmp_path / "mine.toml").write_text(f"{game}\n{bet}")
    edge = counting.exact_edges(file, "8d")["six-cards-doubled"]
    assert f"house edge ({-100 * float(edge):.2f}%)" in page.read_text()


@pytest.mark.long
@pytest.mark.usefixtures("undrawn")
def test_the_rules_for_lucky_bonus_are_met(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (rules,) = map(tomllib.loads, of_kind(DOCS / "how-to" / "lucky-bonus.md", "toml"))
    assert counting.statement(rules, shoes=10_000).verdict == "MET"
