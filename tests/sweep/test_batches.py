"""Batches of several blocks: there are fewer parts, and the results are the same as with a part for each block."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from counting import Dealing, InputError, Plan, load_game, open_sweep
from counting.analysis import by_cards_left, by_penetration, score, spread_quantiles
from counting.sweep import Sweep, run
from counting.sweep.runner import replay
from counting.sweep.tables import COUPS, DEALT, DEPTH, LEDGER, PENETRATION, SPREAD
from counting.systems import load_system
from counting.verify.sweep_checks import contents

SYSTEMS = (load_system("dragon-7"), load_system("panda-8"))


def planned(shoes: int = 130, **how: Any) -> Plan:
    """A new plan, so that no digest made for other batches is kept. With 130 shoes, the last block has 10."""
    how = {"systems": SYSTEMS, "keep_rows": 3, "blocks_of": 20, "spread": True} | how
    return Plan(load_game("ez-baccarat"), Dealing(cut=300), shoes, 7, **how)


@pytest.fixture
def batches_of_three(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("counting.sweep.plan._LEAST_BLOCK", 10)
    monkeypatch.setattr("counting.sweep.plan._BATCH", 60)


def results(sweep: Sweep) -> dict[str, Any]:
    """All results that are made from a sweep, as plain values."""
    tables = {table.name: sweep.scan(table).collect().rows() for table in (COUPS, LEDGER, DEPTH, DEALT, PENETRATION)}
    by_edge = sweep.scan(SPREAD).group_by("bet", "cards_left", "step").agg(pl.col("coups").sum())
    return {
        **tables,
        "spread": sorted(by_edge.collect().rows()),
        "quantiles": spread_quantiles(sweep.parts(SPREAD), sweep.plan.bets, (0.05, 0.5)).rows(),
        "scores": str(score(sweep.ledger).collect().rows()),
        "cards left": str(by_cards_left(sweep).collect().rows()),
        "penetration": str(by_penetration(sweep, [304, 336]).rows()),
        "tallied again": [table.collect().rows() for table in sweep.retally()],
        "blocks": [(coups.first_shoe, coups.shoe.tolist(), coups.left.tolist()) for coups in sweep.blocks()],
    }


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The results of a sweep with a batch for each block."""
    sweep = run(planned(), tmp_path_factory.mktemp("alone"))
    assert [*sweep.plan.batches] == [0, 1, 2, 3, 4, 5, 6]
    return results(sweep)


@pytest.mark.long
@pytest.mark.usefixtures("batches_of_three")
def test_results_do_not_depend_on_batches(alone: dict[str, Any], tmp_path: Path) -> None:
    plan = planned()
    assert [[*plan.blocks_in(batch)] for batch in plan.batches] == [[0, 1, 2], [3, 4, 5], [6]]
    assert [plan.shoes_in_batch(batch) for batch in plan.batches] == [60, 60, 10]
    together = run(plan, tmp_path, workers=2)
    assert [path.name for path in sorted((tmp_path / "ledger").iterdir())] == [
        f"part-00000{batch}.parquet" for batch in (0, 3, 6)
    ]
    made = results(together)
    for name, value in alone.items():
        assert made[name] == value, name


@pytest.mark.usefixtures("batches_of_three")
def test_a_sweep_in_batches_is_extended_and_mended(tmp_path: Path) -> None:
    plan = planned()
    fresh = contents(run(plan, tmp_path / "fresh").folder)
    run(planned(85), tmp_path / "in")  # the second batch has two blocks, one of them short
    (first,) = (tmp_path / "in" / "ledger").glob("part-000000.parquet")
    before = first.stat().st_mtime_ns
    run(plan, tmp_path / "in")
    assert first.stat().st_mtime_ns == before
    assert contents(tmp_path / "in") == fresh
    (tmp_path / "in" / "spread" / "part-000003.parquet").unlink()
    run(plan, tmp_path / "in")
    assert contents(tmp_path / "in") == fresh


@pytest.mark.usefixtures("batches_of_three")
def test_other_triggers_are_scored_in_the_same_batches(tmp_path: Path) -> None:
    swept = run(planned(keep_rows=0), tmp_path / "in")
    counted, other = SYSTEMS
    plan = replace(swept.plan, systems=(counted, other.scored_around([15])))
    again = replay(swept, plan, tmp_path / "again")
    assert contents(again.folder) == contents(run(plan, tmp_path / "fresh").folder)


class _StoppedError(Exception):
    pass


def test_a_batch_for_each_block_is_no_sweep_in_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Versions without batches wrote sweeps like this one. Its parts are never read as if they had several blocks."""

    def stop(done: int, _: int) -> None:
        if done >= 80:
            raise _StoppedError

    run(planned(), tmp_path / "finished")
    with pytest.raises(_StoppedError):
        run(planned(), tmp_path / "half", progress=stop, workers=1)
    monkeypatch.setattr("counting.sweep.plan._LEAST_BLOCK", 10)
    with pytest.raises(InputError, match="its manifest and its plan are not of the same sweep"):
        open_sweep(tmp_path / "finished")
    for folder in ("finished", "half"):
        with pytest.raises(InputError, match="its plan and its parts are not of the same sweep"):
            run(planned(), tmp_path / folder)


def test_usual_sweeps_have_parts_enough_for_every_core() -> None:
    for shoes in (20_000, 49_999, 50_500, 100_000, 250_000, 700_000, 10**6):
        assert len(planned(shoes, blocks_of=0).batches) >= 30
    assert planned(100_000, blocks_of=0).batches.step == 7
    with pytest.raises(InputError, match=r"^batch: 8, should be a multiple of 7, the blocks of a batch$"):
        planned(100_000, blocks_of=0).blocks_in(8)
