"""Wider triggers: if the best trigger scored is the lowest or highest one, more are scored on the same shoes until the
best of all is among them."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from counting import Dealing, Plan, System, load_system
from counting.analysis import at_best, remarks, score, widened, widest
from counting.cli import main
from counting.exact import edges
from counting.sweep import Sweep, open_sweep, run
from counting.systems import best_trigger, gains_by_count

EZ, BET = "ez-baccarat", "dragon-7"
UNBALANCED = dict(zip("A23456789T", (1, 1, 1, 0, 0, 0, 0, 3, 3, 1), strict=True))
NOTHING = dict.fromkeys("A23456789T", 0)


def system(**fields: object) -> System:
    base = {"title": "Mine", "source": "a test", "bets": [BET], "count": "true", "start": "to-zero", "trigger": 4}
    return System.from_dict({"name": "mine", **base, "tags": UNBALANCED, **fields})


def played(folder: Path, *systems: System, shoes: int = 450, game: str = EZ, bet: str = BET, rows: int = 1) -> Sweep:
    return run(Plan(game, Dealing(), shoes, 8, systems, (bet,), keep_rows=rows, blocks_of=100), folder)


def scored(sweep: Sweep, name: str = "mine") -> pl.DataFrame:
    return score(sweep.ledger).filter(pl.col("system") == name).collect()


def best(sweep: Sweep, name: str = "mine") -> float:
    (row,) = at_best(scored(sweep, name).lazy()).collect().to_dicts()
    return float(row["trigger"])


def one_by_one(sweep: Sweep, system: System, lowest: int, highest: int) -> dict[int, float]:
    """The gain at each whole trigger, summed a coup at a time, with the count as the system reads it."""
    gains = dict.fromkeys(range(lowest, highest + 1), 0.0)
    for coups in sweep.blocks():
        running = system.running(coups.left, sweep.plan.dealing.decks)
        for edge, count, cards, undealt in zip(
            edges(sweep.plan.game, coups.left, [BET])[:, 0], running, coups.cards_left, coups.undealt, strict=True
        ):
            per = 52 / int(system.divisor(np.array([cards]), np.array([undealt]))[0]) if system.count == "true" else 1
            read = count * per if system.distance_from is None else abs(count * per - system.distance_from)
            for trigger in gains:
                if read >= trigger - 1e-9:
                    gains[trigger] += edge
    return gains


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> tuple[Sweep, Sweep]:
    """A sweep of two counts, and the wider sweep made from it. The triggers of one count are all too high."""
    sweep = played(tmp_path_factory.mktemp("wide") / "sweep", load_system(BET), system())
    return sweep, widened(sweep, workers=2)


@pytest.mark.long
@pytest.mark.parametrize(
    ("fields", "lowest", "highest"),
    [({}, -54, 2), ({"count": "running", "start": -400, "trigger": 60}, -170, 70),
     ({"estimate": "half", "per": "undealt", "rounding": "down"}, -60, 2),
     ({"distance_from": -90.5, "trigger": 20}, 0, 60)],
)  # fmt: skip
def test_the_best_of_all_whole_triggers_is_scored_with_its_neighbours(
    fields: dict[str, object], lowest: int, highest: int, tmp_path: Path
) -> None:
    own = system(**fields)
    sweep = played(tmp_path / "sweep", own, shoes=12)
    gains = one_by_one(sweep, own, lowest, highest)
    top = max(trigger for trigger, gain in gains.items() if gain > max(gains.values()) - 1e-9)
    wider = widened(sweep)
    assert best(wider) == top not in own.scored
    (listed,) = wider.plan.systems
    assert {float(top + step) for step in range(-4, 7) if top + step >= lowest} | {*own.scored} == {*listed.scored}
    by_trigger = dict(scored(wider).select("trigger", pl.col("units_per_shoe") * 12).rows())
    for trigger, gain in by_trigger.items():
        assert gain == pytest.approx(gains.get(int(trigger), 0.0), abs=1e-9)


def test_the_same_shoes_have_the_same_sums(wide: tuple[Sweep, Sweep]) -> None:
    sweep, wider = wide
    assert wider.folder == sweep.folder / "wider"
    assert [s.triggers is None for s in wider.plan.systems] == [True, False]  # the other count stays as it is
    for name in ("perfect", BET, "mine"):
        own = scored(sweep, name).drop("best")
        again = scored(wider, name).drop("best").filter(pl.col("trigger").is_in(own["trigger"], nulls_equal=True))
        assert_frame_equal(own, again, check_exact=True)
    assert remarks(wider) == []
    assert best(sweep) > best(wider)


@pytest.mark.parametrize("rows", [1, 0])
def test_it_is_what_a_sweep_with_these_triggers_would_be(tmp_path: Path, rows: int) -> None:
    """The wider sweep is, byte for byte, a sweep with these triggers. Only the wider count is played again. If the
    sweep keeps rows, the wider one keeps the spread of edges instead."""
    plan = Plan(EZ, Dealing(), 250, 8, (system(), load_system(BET)), (BET,), rows, blocks_of=100)
    wider = widened(run(plan, tmp_path / "own"))
    whole = run(wider.plan, tmp_path / "whole")
    assert (whole.folder / "manifest.json").read_text() == (wider.folder / "manifest.json").read_text()


def test_a_bet_priced_with_others_has_the_same_sums_alone(tmp_path: Path) -> None:
    """Of several bets, only the wider count's is priced again. Its mean squares may differ in the last digits."""
    bets = ("tie-8", BET, "panda-8", "player")
    plan = Plan("punto-banco", Dealing(), 250, 8, (system(), load_system("panda-8")), bets, 0, blocks_of=100)
    wider = widened(run(plan, tmp_path / "own"))
    whole = run(wider.plan, tmp_path / "whole")
    for one, other in zip((*wider.tallies, wider.penetration), (*whole.tallies, whole.penetration), strict=True):
        squares = [name for name in one.collect_schema() if name == "square"]
        assert_frame_equal(one.drop(squares).collect(), other.drop(squares).collect(), check_exact=True)
        assert_frame_equal(one.select(squares).collect(), other.select(squares).collect(), rel_tol=1e-12)


def test_the_best_trigger_is_that_of_all_blocks(wide: tuple[Sweep, Sweep], tmp_path: Path) -> None:
    """The same trigger is best when every whole trigger is scored at once. With 450 shoes in blocks of 100 it is -49;
    on the first 200 shoes it would be -48."""
    every = played(tmp_path, system(trigger=-50, triggers=list(range(-56, -40))))
    assert best(every) == best(wide[1])
    listed = wide[1].plan.systems[1].scored
    assert {best(every) + step for step in range(-4, 7)} | {float(t) for t in range(11)} == {*listed}


def test_the_wider_sweep_is_that_of_any_number_of_workers(wide: tuple[Sweep, Sweep], tmp_path: Path) -> None:
    _, wider = wide
    with ThreadPoolExecutor(3) as threads:
        other = widened(played(tmp_path, load_system(BET), system()), executor=threads, shared=False)
    assert other.plan == wider.plan
    assert (other.folder / "manifest.json").read_text() == (wider.folder / "manifest.json").read_text()


def test_a_sweep_is_read_with_its_wider_one_unless_it_has_changed(tmp_path: Path) -> None:
    sweep = played(tmp_path, system(), shoes=200)
    assert widest(sweep) == sweep
    wider = widened(sweep)
    assert widest(open_sweep(tmp_path)) == wider != sweep
    more = played(tmp_path, system(), shoes=300)
    assert widest(more) == more
    again = widened(more)
    assert again.plan.shoes == 300
    assert widest(more) == again
    (again.folder / "manifest.json").unlink()
    assert widest(more) == more


def test_other_wider_triggers_replace_those_of_fewer_shoes(tmp_path: Path) -> None:
    """On two shoes, another trigger is best than on 200."""
    few = run(Plan(EZ, Dealing(), 2, 3, (system(),), (BET,), blocks_of=100), tmp_path)
    first = widened(few)
    many = run(Plan(EZ, Dealing(), 200, 3, (system(),), (BET,), blocks_of=100), tmp_path)
    second = widened(many)
    assert first.plan.systems != second.plan.systems
    assert widest(many) == second
    assert second.plan.shoes == 200


def test_a_best_trigger_within_is_left_as_it_is(tmp_path: Path) -> None:
    sweep = played(tmp_path, load_system(BET), shoes=100)
    assert widened(sweep) is sweep
    assert not (tmp_path / "wider").exists()
    assert widened(played(tmp_path / "none", shoes=1)).plan.systems == ()


def test_a_count_from_a_wrong_start_is_left_to_its_remark(tmp_path: Path) -> None:
    sweep = played(tmp_path, system(start=0, trigger=-40), shoes=100)
    assert sweep.plan.systems[0].drifts(8)
    assert widened(sweep) is sweep


def test_a_bet_won_at_every_coup_is_bet_at_every_coup(tmp_path: Path) -> None:
    """The count stays at 0, and the bet has an edge for the bettor off the top."""
    sweep = played(tmp_path, system(tags=NOTHING, bets=None), shoes=30, game="punto-banco", bet="lucky-bonus")
    wider = widened(sweep)
    assert best(sweep) == best(wider) == 0
    assert not wider.plan.systems[0].is_end(0)
    assert remarks(wider) == ["mine: on lucky-bonus, no trigger scored wins more than betting every coup."]


def test_a_count_that_wins_nothing_at_any_trigger_is_named(tmp_path: Path) -> None:
    sweep = played(tmp_path, system(tags=NOTHING, trigger=-4, triggers=[-5]), shoes=30)
    assert widened(sweep) is sweep
    assert remarks(sweep) == ["mine: this count wins nothing on dragon-7 at any whole-number trigger on these shoes."]


def test_the_best_trigger_of_gains_by_count() -> None:
    rng = np.random.default_rng(3)
    for _ in range(200):
        counts, gains = rng.integers(-5, 6, 40), rng.integers(-3, 4, 40).astype(float)
        every = {int(t): float(gains[counts >= t].sum()) for t in counts}
        top = max(every.values())
        expected = None if top <= 0 else (max(t for t, gain in every.items() if gain == top), top)
        assert best_trigger(*gains_by_count(counts, gains)) == expected
    assert best_trigger(np.array([], np.int64), np.array([])) is None


@pytest.mark.long
@pytest.mark.usefixtures("undrawn", "few_weighted")
def test_commands_score_again_with_wider_triggers(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "mine.toml", tmp_path / "sweep"
    tags = "\n".join(f"{card} = {tag}" for card, tag in UNBALANCED.items())
    head = 'title = "Mine"\nsource = "a test"\ncount = "true"\ntrigger = 4\nstart = "to-zero"\n'
    path.write_text(f"{head}[tags]\n{tags}\n")
    how = ["--bet", BET, "--system", str(path), "--shoes", "100", "--out", str(out)]
    assert main(["sweep", EZ, *how]) == 0
    assert (
        "mine: its best trigger was the lowest or the highest scored; scored again at 22 triggers, -"
        in capfd.readouterr().err
    )
    top = f"{best(widest(open_sweep(out))):g}"
    assert main(["score", str(out), "--bankroll", "1000", "--stake", "1", "--check", "--format", "csv"]) == 0
    captured = capfd.readouterr()
    assert f"\n{BET},mine,{top}.0," in captured.out
    assert captured.err == ""
    assert main(["summary", str(out), "--by", "systems", "--format", "csv"]) == 0
    assert f"mine,{top}.0," in capfd.readouterr().out
    assert main(["summary", str(out), "--by", "systems", "--cut", "52", "--format", "csv"]) == 0
    assert f"mine,{top}.0," in capfd.readouterr().out
    assert main(["vulnerability", EZ, BET, *how[2:-2], "--out", str(tmp_path / "page"), "--format", "json"]) == 0
    assert f'"trigger": {top}' in capfd.readouterr().out
