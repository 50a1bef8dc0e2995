"""Remarks on a count's start and triggers: they come where they are due, and what they promise is won on the same
shoes."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from counting import Dealing, InputError, Plan, System, load_system
from counting.analysis import at_best, remarks, score
from counting.cli import main
from counting.sweep import BETTORS, CountingBettor, Sweep, run

TAGS = dict(zip("A23456789T", (1, 1, 1, 0, 0, 0, 0, 3, 3, 1), strict=True))  # 4 to 7 at -1, 8 and 9 at 2, all plus 1


def system(name: str, **fields: object) -> System:
    base = {"title": name, "source": "a test", "bets": ["dragon-7"], "count": "true", "trigger": 4, "tags": TAGS}
    return System.from_dict({"name": name, **base, **fields})


def played(folder: Path, *systems: System, shoes: int = 400) -> Sweep:
    return run(Plan("ez-baccarat", Dealing(), shoes, 3, systems, ("dragon-7",), keep_rows=False), folder)


def share(sweep: Sweep, name: str) -> float:
    """The best gain of a count, as a share of the perfect counter's."""
    rows = at_best(score(sweep.ledger)).collect().to_dicts()
    return next(row["captured_share"] for row in rows if row["system"] == name)


def test_an_unbalanced_count_read_from_0_is_named_with_what_another_start_wins(tmp_path: Path) -> None:
    (line,) = remarks(played(tmp_path / "from-0", system("mine")))
    assert line.startswith("mine is unbalanced and starts at 0, so that it ends at 416 and not at 0. On dragon-7")
    match = re.search(r'With start = "to-zero" it would win ([0-9.]+)%, at trigger (-[0-9]+) on these shoes', line)
    assert match is not None
    better = system("mine", start="to-zero", trigger=int(match[2]))
    assert 100 * share(played(tmp_path / "to-zero", better), "mine") == pytest.approx(float(match[1]), abs=0.06)


@pytest.mark.parametrize("fields", [{"start": "to-zero"}, {"start": -416}, {"tags": {**TAGS, "T": -2}}])
def test_a_count_that_ends_at_0_or_starts_elsewhere_has_no_remark_on_its_start(fields: dict[str, object]) -> None:
    assert not system("mine", **fields).drifts(8) or fields == {"tags": {**TAGS, "T": -2}}
    assert system("mine").drifts(8)


def test_a_running_count_from_0_is_named_unless_its_pivot_is_scored(tmp_path: Path) -> None:
    assert not load_system("dragon-7-unbalanced").drifts(8)
    assert not load_system("panda-8-unbalanced").drifts(8)
    assert load_system("dragon-7-unbalanced").drifts(4)  # it ends at 16
    (line,) = remarks(played(tmp_path / "far", system("mine", count="running", trigger=100)))
    assert "At its pivot, a running count near 416, it would win " in line


def test_a_best_trigger_at_the_end_of_those_scored_is_named_with_a_better_one(tmp_path: Path) -> None:
    low = played(tmp_path / "low", load_system("dragon-7").to_zero(trigger=-2.0))
    (line,) = remarks(low)
    assert "its best trigger for dragon-7, -2, is the only one scored." in line
    match = re.search(r"whole-number triggers, ([0-9]+) wins most on these shoes: ([0-9.]+)% of what perfect", line)
    assert match is not None
    better = played(tmp_path / "better", load_system("dragon-7").to_zero(trigger=float(match[1])))
    assert 100 * share(better, "dragon-7") == pytest.approx(float(match[2]), abs=0.06)
    assert share(better, "dragon-7") > share(low, "dragon-7")


def test_a_better_trigger_between_those_scored_is_named(tmp_path: Path) -> None:
    between = load_system("dragon-7").model_copy(update={"trigger": 0.0, "triggers": (20.0,)})
    (line,) = remarks(played(tmp_path / "apart", between))
    assert "its best trigger for dragon-7, 20, is the highest one scored. " in line
    assert "Of all whole-number triggers, 4 wins most" in line


def test_a_count_that_never_bets_is_named_with_the_trigger_that_wins(tmp_path: Path) -> None:
    (line,) = remarks(played(tmp_path / "never", system("mine", start="to-zero")))
    assert line.startswith("mine: this count never bets on dragon-7 at the triggers scored, 0 to 10. ")
    assert "Of all whole-number triggers, -" in line


def test_a_count_whose_best_trigger_is_within_has_no_remark(tmp_path: Path) -> None:
    assert remarks(played(tmp_path / "fine", load_system("dragon-7"))) == []
    assert remarks(played(tmp_path / "none")) == []


def test_the_first_shoes_are_those_of_the_sweep(tmp_path: Path) -> None:
    """If the sweep has more shoes than are dealt again, the remark names the number that was dealt."""
    (line,) = remarks(played(tmp_path / "many", system("mine"), shoes=2_001))
    assert line.endswith(" on the first 2,000 shoes.")


def test_a_census_names_an_unbalanced_count_too(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.toml"
    tags = "\n".join(f"{card} = {tag}" for card, tag in TAGS.items())
    path.write_text(f'title = "Mine"\nsource = "a test"\ncount = "true"\ntrigger = 4\n[tags]\n{tags}\n')
    named = "mine is unbalanced and starts at 0, so that it ends at 416 and not at 0"
    assert main(["census", "ez-baccarat", "dragon-7", "--cards", "6", "--system", str(path)]) == 0
    out, err = capfd.readouterr()
    rest = 'The figures "at any trigger" are for the best trigger at each number of cards, wherever it starts.'
    assert f"{named}. {rest}" in err
    assert "units per 100 coups at any trigger" in out
    assert named not in out


def test_triggers_scored_beside_a_bettor_s_own_change_none_of_its_figures(tmp_path: Path) -> None:
    """`limits` scores a count at more triggers than the bettor uses. The bettor stays the same, and the remark names
    the trigger that it bets at."""
    bettor = CountingBettor("counter", ("dragon-7",), "dragon-7")
    plan = Plan("ez-baccarat", Dealing(), 200, 3, (load_system("dragon-7"),), ("dragon-7",), keep_rows=False)
    plan = replace(plan, bettors=(bettor,))
    figures = []
    for i, triggers in enumerate(((4.0,), (3.0, 4.0, 5.0, 9.0), None)):
        count = load_system("dragon-7").model_copy(update={"triggers": triggers})
        sweep = run(replace(plan, systems=(count,)), tmp_path / str(i))
        figures.append(sweep.scan(BETTORS).collect().to_dicts())
    assert figures[0] == figures[1] == figures[2]
    assert sum(row["gain"] for row in figures[0]) > 0
    other = load_system("dragon-7").model_copy(update={"trigger": 6.0})
    moved = run(replace(plan, systems=(other,)), tmp_path / "moved")
    assert moved.scan(BETTORS).collect().to_dicts() != figures[0]
    low = run(replace(plan, systems=(load_system("dragon-7").to_zero(trigger=-2.0),)), tmp_path / "low")
    (line,) = remarks(low, of_bettors=True)
    assert line.endswith("perfect play wins. This counter bets at -2; change the count's trigger to play another.")


def test_score_in_python_warns_as_the_command_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    low = played(tmp_path / "low", load_system("dragon-7").to_zero(trigger=-2.0))
    with pytest.warns(UserWarning, match="its best trigger for dragon-7, -2, is the only one scored") as warned:
        scored = score(low)
    assert scored.collect().equals(score(low.ledger).collect())
    assert [warning.filename for warning in warned] == [__file__]
    assert main(["score", str(low.folder)]) == 0
    assert [str(warning.message) for warning in warned] == capsys.readouterr().err.splitlines() == remarks(low)
    with pytest.raises(InputError, match="sweep: 'low', should be a Sweep"):
        score("low")  # type: ignore[arg-type]
