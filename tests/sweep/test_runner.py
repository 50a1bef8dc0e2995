"""Sweeps: a sweep is whole or not there at all, has the same bits however it comes about, and loses nothing."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_all_start_methods, get_context
from pathlib import Path
from types import SimpleNamespace

import polars as pl
import pytest
from extent import long_or

import counting
from counting import InputError, load_game
from counting.io.outputs import write_bytes
from counting.simulation import Dealing, play
from counting.sweep import PENETRATION, Plan, Sweep, open_sweep, part_path, run
from counting.sweep.coup_rows import coups_of_rows, rows_of_coups
from counting.sweep.folder import in_its_blocks
from counting.sweep.plan import MOST_BLOCKS
from counting.sweep.tables import COUPS, DEALT, DEPTH, LEDGER, Column, TableSchema, encode, scan
from counting.systems import load_system
from counting.verify.sweep_checks import contents

HERE = Path(__file__).parents[1]
CUT = long_or(14, 312)  # with 312, two decks of a shoe are dealt
PLAN = Plan(load_game("punto-banco"), Dealing(cut=CUT), long_or(4500, 700), 7)  # the last block has 100 shoes
COMMAND = ["sweep", "punto-banco", "--cut", str(CUT), "--shoes", str(PLAN.shoes), "--seed", "7"]  # for this plan
WHOLE = replace(PLAN, dealing=Dealing(), shoes=long_or(4500, 1300))  # long enough for a sweep to be killed half-way
MOMENTS = long_or(20, 2)  # the number of moments tried to kill a sweep


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the plan's sweep, to be copied."""
    return run(PLAN, tmp_path_factory.mktemp("whole"), workers=1).folder


@pytest.fixture(scope="module")
def uninterrupted(whole: Path) -> dict[str, bytes]:
    return contents(whole)


@pytest.fixture
def finished(whole: Path, tmp_path: Path) -> Path:
    """The test's own copy of the finished sweep."""
    return Path(shutil.copytree(whole, tmp_path / "finished"))


@pytest.fixture(scope="module")
def louisiana(tmp_path_factory: pytest.TempPathFactory) -> Sweep:
    """Shoes of Louisiana in three blocks or more, the last a short one, with a system on every bet."""
    game, systems = load_game("louisiana"), (load_system(HERE / "systems" / "sevens.toml"),)
    return run(Plan(game, Dealing(), long_or(2500, 430), 1, systems), tmp_path_factory.mktemp("louisiana"))


@pytest.fixture(scope="module")
def killed_late(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The contents of a sweep of whole shoes that was not killed."""
    return contents(run(WHOLE, tmp_path_factory.mktemp("whole-shoes")).folder)


@pytest.mark.parametrize("workers", long_or([2, 5], [3]))
def test_the_number_of_workers_changes_no_bit(workers: int, uninterrupted: dict[str, bytes], tmp_path: Path) -> None:
    assert contents(run(PLAN, tmp_path, workers=workers).folder) == uninterrupted


def test_processes_give_the_same_bits(uninterrupted: dict[str, bytes], tmp_path: Path) -> None:
    with ProcessPoolExecutor(long_or(2, 1), mp_context=get_context("spawn")) as pool:
        assert contents(run(PLAN, tmp_path, executor=pool).folder) == uninterrupted


@pytest.mark.skipif("fork" not in get_all_start_methods(), reason="there is no fork on this system")
def test_processes_that_fork_are_refused(tmp_path: Path) -> None:
    """A forked child would wait for ever: it has the locks of polars' threads, but not the threads."""
    for executor in (ProcessPoolExecutor(2, mp_context=get_context("fork")), _Sub(2, mp_context=get_context("fork"))):
        with executor, pytest.raises(InputError, match=r"^executor: a .* that forks .* spawn or forkserver: [^\n]*$"):
            run(PLAN, tmp_path / "new", executor=executor)
    assert not (tmp_path / "new").exists()


class _Sub(ProcessPoolExecutor):
    pass


@pytest.mark.parametrize("moment", range(MOMENTS))
def test_a_sweep_killed_at_any_moment_goes_on(moment: int, killed_late: dict[str, bytes], tmp_path: Path) -> None:
    command = [sys.executable, "-P", "-m", "counting.cli", "sweep", "punto-banco", "--shoes", str(WHOLE.shoes)]
    command += ["--seed", "7", "--workers", "2", "--out", str(tmp_path)]
    started = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    # The sweep is killed a random time after the plan and this number of parts are there, mostly before its end.
    parts = WHOLE.blocks * len(WHOLE.tables) * moment // MOMENTS
    while not (tmp_path / "plan.json").exists() or len(list(tmp_path.glob("*/part-*"))) < parts:
        if started.poll() is not None:
            break
        time.sleep(0.001)
    time.sleep(random.Random(moment).uniform(0, 0.004))  # as long as a part or two take
    started.send_signal(signal.SIGKILL)
    started.wait()
    assert moment > MOMENTS // 2 or not (tmp_path / "manifest.json").exists()
    assert all(name in killed_late or "/." in f"/{name}" for name in contents(tmp_path))
    run(WHOLE, tmp_path)
    assert contents(tmp_path) == killed_late


def test_damaged_and_missing_parts_are_played_again(uninterrupted: dict[str, bytes], finished: Path) -> None:
    part_path(finished, COUPS, 1).write_bytes(uninterrupted["coups/part-000001.parquet"][:1000])
    part_path(finished, LEDGER, 2).unlink()
    part_path(finished, DEPTH, 0).write_text("not parquet")
    (finished / "manifest.json").unlink()
    (finished / "coups" / ".counting-part-000000.parquet.123.part").write_bytes(b"half")
    run(PLAN, finished)
    assert contents(finished) == uninterrupted


def test_a_part_changed_after_the_end_is_played_again(uninterrupted: dict[str, bytes], finished: Path) -> None:
    part = part_path(finished, COUPS, 1)
    flipped = bytearray(part.read_bytes())
    flipped[500] ^= 1
    part.write_bytes(flipped)
    run(PLAN, finished)
    assert contents(finished) == uninterrupted


def test_a_sweep_killed_before_its_plan_was_written_goes_on(uninterrupted: dict[str, bytes], tmp_path: Path) -> None:
    (tmp_path / ".counting-plan.json.99.part").write_text("{")
    (tmp_path / ".lock").touch()
    run(PLAN, tmp_path)
    assert contents(tmp_path) == uninterrupted


def test_a_finished_sweep_is_not_played_again(finished: Path) -> None:
    before = part_path(finished, COUPS, 0).stat().st_mtime_ns
    run(PLAN, finished)
    assert part_path(finished, COUPS, 0).stat().st_mtime_ns == before


@pytest.mark.parametrize(
    ("other", "says"),
    [
        (replace(PLAN, seed=8), r"seed \(7 in the folder, 8 now\)"),
        (replace(PLAN, shoes=PLAN.shoes - 1), rf"shoes \({PLAN.shoes} in the folder, {PLAN.shoes - 1} now\)"),
        (replace(PLAN, blocks_of=300), r"block \(200 in the folder, 300 now\)"),
        (replace(PLAN, dealing=Dealing(cut=15)), rf"cut \({CUT} in the folder, 15 now\)"),
        (
            replace(PLAN, dealing=replace(PLAN.dealing, after_cut=(1, 1))),
            r"after cut \(\[1, 0\] in the folder, \[1, 1\] now\)",
        ),
        (replace(PLAN, game=load_game("louisiana"), bets=()), "game, bets"),
        (replace(PLAN, seed=8, dealing=Dealing(8, 15, "first-card", (1, 1))), "cut, burn, after cut and 1 more"),
        (replace(PLAN, systems=(load_system(HERE / "systems" / "sevens.toml"),)), "systems"),
        (replace(PLAN, bets=("player",)), "bets"),
        (replace(PLAN, keep_rows=0), r"rows \(1 in the folder, 0 now\)"),
        (replace(PLAN, penetration=False), r"penetration \(true in the folder, false now\)"),
    ],
)
def test_other_settings_are_refused_with_the_difference_named(other: Plan, says: str, tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text(json.dumps(PLAN.to_dict()))
    refused = rf"^{re.escape(str(tmp_path))}: holds a sweep that differs in {says}, should be another folder \(--out\)$"
    with pytest.raises(InputError, match=refused):
        run(other, tmp_path)


def test_a_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("mine")
    with pytest.raises(InputError, match="holds other files and no sweep"):
        run(PLAN, tmp_path)
    with pytest.raises(InputError, match="cannot be made"):
        run(PLAN, tmp_path / "letter.txt")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no flock on Windows")
def test_two_sweeps_do_not_run_in_one_folder(tmp_path: Path) -> None:
    import fcntl

    with (tmp_path / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(InputError, match="another command is running in it"):
            run(PLAN, tmp_path)


def test_an_error_in_a_block_reaches_the_caller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device", "part-000000.parquet")

    monkeypatch.setattr("counting.sweep.folder.write_bytes", full)
    with pytest.raises(OSError, match="No space left"):
        run(PLAN, tmp_path)
    monkeypatch.undo()
    run(PLAN, tmp_path)
    assert (tmp_path / "manifest.json").exists()


def test_every_part_carries_its_provenance(louisiana: Sweep) -> None:
    plan = louisiana.plan
    for table in plan.tables:
        for block in range(plan.blocks):
            stamp = json.loads(pl.read_parquet_metadata(part_path(louisiana.folder, table, block))["counting"])
            expected = {"table": table.name, "table_version": table.version, "version": counting.__version__}
            assert stamp == {**expected, "plan": plan.stamp}
    saved = json.loads((louisiana.folder / "plan.json").read_text())
    assert saved["game_digest"] == plan.game.digest
    assert saved["seed"] == 1


def test_a_plan_survives_as_data(louisiana: Sweep, rulers_sweep: Sweep) -> None:
    for sweep in (louisiana, rulers_sweep):
        assert Plan.from_dict(sweep.plan.to_dict()) == sweep.plan
        assert open_sweep(sweep.folder).plan == sweep.plan


def test_rows_hold_what_was_dealt(louisiana: Sweep) -> None:
    plan = louisiana.plan
    frame = louisiana.coups.collect()
    coups = play(plan.game.tableau, plan.dealing, plan.seed, 0, plan.shoes)
    assert frame.equals(rows_of_coups(coups, plan.systems, plan.dealing.decks))
    again = coups_of_rows(frame)
    assert (again.values == coups.values).all()
    assert (again.shown[:, :5] == coups.shown[:, :5]).all()
    assert frame.select(pl.sum_horizontal(pl.col("^left_.*$").cast(pl.Int64)) == pl.col("cards_left")).to_series().all()


def test_without_rows_the_sums_are_the_same(louisiana: Sweep, tmp_path: Path) -> None:
    plan = replace(louisiana.plan, keep_rows=False)
    bare = run(plan, tmp_path)
    for table in (LEDGER, DEPTH, DEALT, PENETRATION):
        assert bare.scan(table).collect().equals(louisiana.scan(table).collect())
    with pytest.raises(InputError, match="kept no rows"):
        _ = bare.coups
    with pytest.raises(InputError, match="kept no rows"):
        bare.retally()


@pytest.mark.parametrize("every", long_or([7, 300], [7]))
def test_rows_of_some_shoes(every: int, louisiana: Sweep, tmp_path: Path) -> None:
    plan = replace(louisiana.plan, keep_rows=every)
    thin = run(plan, tmp_path)
    for table in (LEDGER, DEPTH, DEALT, PENETRATION):
        assert thin.scan(table).collect().equals(louisiana.scan(table).collect())
    kept = louisiana.coups.filter(pl.col("shoe") % every == 0).collect()
    assert thin.coups.collect().equals(kept)
    assert sum(len(coups.coup) for coups in thin.blocks()) == len(kept)
    shoes = thin.retally()[0].filter(pl.col("system") == "perfect", pl.col("bet") == "player").select("shoes").collect()
    assert shoes["shoes"].sum() == len(range(0, plan.shoes, every))


def test_space_is_told_before_any_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needs = []
    run(PLAN, tmp_path / "a", space=lambda needed: needs.append((needed, list((tmp_path / "a").rglob("part-*")))))
    ((needed, there),) = needs
    taken = sum(file.stat().st_size for file in (tmp_path / "a").rglob("part-*"))
    assert not there
    assert needed == pytest.approx(taken, rel=0.1)
    monkeypatch.setattr("counting.sweep.runner.shutil.disk_usage", lambda _: SimpleNamespace(free=needed // 2))
    with pytest.raises(InputError, match=r"b: needs about [0-9.]+ [kM]B on disk, [0-9.]+ [kM]B are free: should have"):
        run(PLAN, tmp_path / "b")
    assert not list((tmp_path / "b").rglob("part-*"))
    monkeypatch.undo()
    run(PLAN, tmp_path / "b")
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_sweeps_of_many_shoes_have_parts_enough_for_errors() -> None:
    assert all(replace(PLAN, shoes=shoes).blocks >= 200 for shoes in (50_000, 99_999, 10**6, 12 * 10**6, 10**9))
    assert replace(PLAN, shoes=10**9).block == 50_000


def test_pricing_the_rows_again_gives_the_sweeps_own_sums(louisiana: Sweep) -> None:
    for again, own in zip(louisiana.retally(), louisiana.tallies, strict=True):
        assert again.collect().equals(own.collect())


@pytest.mark.parametrize("cut", long_or([30, 104], [104]))
def test_a_deeper_cut_from_the_rows_equals_a_sweep_of_its_own(cut: int, louisiana: Sweep, tmp_path: Path) -> None:
    plan = replace(louisiana.plan, dealing=Dealing(cut=cut))
    own = run(plan, tmp_path)
    for again, expected in zip(louisiana.retally(cuts=[cut]), own.tallies, strict=True):
        assert again.collect().equals(expected.collect())


@pytest.mark.parametrize("bet", ["player-pair", "perfect-pair"])
def test_ranks_and_cards_are_read_back(bet: str, tmp_path: Path) -> None:
    system = load_system("dragon-7").model_copy(update={"bets": (bet,), "triggers": (-5.0, 0.0)})
    plan = Plan(load_game("punto-banco"), Dealing(), 300, 3, (system,), (bet, "tie-9"))
    sweep = run(plan, tmp_path)
    for again, own in zip(sweep.retally(), sweep.tallies, strict=True):
        assert again.collect().equals(own.collect())
    assert sweep.retally(cuts=[52])[0].collect()["coups"].max() < sweep.ledger.collect()["coups"].max()  # type: ignore[operator]
    assert {coups.knows for coups in sweep.blocks()} == {plan.knows}
    assert plan.knows == ("rank" if bet == "player-pair" else "card")


def test_a_system_counts_for_a_bet_that_is_priced() -> None:
    both = load_system("dragon-7").model_copy(update={"bets": ("dragon-7", "panda-8")})
    Plan(load_game("punto-banco"), Dealing(), 1, systems=(both,), bets=("dragon-7",))
    with pytest.raises(
        InputError, match="counts for dragon-7, panda-8, should count for one of the bets priced: tie-9"
    ):
        Plan(load_game("punto-banco"), Dealing(), 1, systems=(both,), bets=("tie-9",))


def test_another_game_of_the_tableau_is_priced_from_the_rows(louisiana: Sweep, tmp_path: Path) -> None:
    text = Path(str(counting.__path__[0]), "games", "louisiana.toml").read_text()
    mine = text.replace('"45:1"', '"50:1"').replace("seven-seven-45", "seven-seven-50")
    (tmp_path / "mine.toml").write_text(mine)
    game = load_game(tmp_path / "mine.toml")
    plan = Plan(game, louisiana.plan.dealing, louisiana.plan.shoes, 1, louisiana.plan.systems)
    own = run(plan, tmp_path / "sweep")
    for again, expected in zip(louisiana.retally(game), own.tallies, strict=True):
        assert again.collect().equals(expected.collect())
    with pytest.raises(InputError, match="another tableau than louisiana"):
        louisiana.retally(load_game("punto-banco"))
    with pytest.raises(InputError, match="cut: 13, should be a whole number from 14 to 416"):
        louisiana.retally(cuts=[13])


def test_a_cut_given_twice_counts_once(louisiana: Sweep) -> None:
    once, twice = (louisiana.retally(cuts=cuts)[0].collect() for cuts in ([52], [52, 52]))
    assert once.equals(twice)


def test_no_cut_stands_where_the_burn_can_pass_it(rulers_sweep: Sweep) -> None:
    ledger = rulers_sweep.retally(cuts=[405])[0].collect()
    assert (
        ledger.filter(pl.col("system") == "perfect").group_by("bet").agg(pl.col("shoes").sum())["shoes"].to_list()
        == [1200] * 3
    )
    with pytest.raises(InputError, match="cut: 406, should be a whole number from 14 to 405"):
        rulers_sweep.retally(cuts=[406])


def test_a_part_damaged_after_the_end_is_not_summed_up(finished: Path) -> None:
    part = part_path(finished, LEDGER, 1)
    flipped = bytearray(part.read_bytes())
    flipped[60] ^= 1
    part.write_bytes(flipped)
    with pytest.raises(InputError, match="not as the sweep wrote it; run the sweep again to mend it"):
        open_sweep(finished)
    run(PLAN, finished)
    assert open_sweep(finished).plan == PLAN
    part.unlink()
    with pytest.raises(InputError, match="missing or not as"):
        open_sweep(finished)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="file-size limits are Unix's")
def test_a_disk_that_fills_up_leaves_a_sweep_that_goes_on(uninterrupted: dict[str, bytes], tmp_path: Path) -> None:
    limit = "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
    limit += "resource.setrlimit(resource.RLIMIT_FSIZE, (8000, 8000)); "
    limit += "from counting.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-P", "-c", limit, *COMMAND]
    full = subprocess.run([*command, "--out", str(tmp_path)], capture_output=True, text=True, check=False)
    assert full.returncode == 2
    assert full.stderr.count("\n") == 2
    assert re.match("about [0-9.]+ [kMG]B on disk\ncounting: ", full.stderr)
    assert "File too large; files written so far are complete: make room and run the same command again" in full.stderr
    run(PLAN, tmp_path)
    assert contents(tmp_path) == uninterrupted


def test_folders_that_hold_no_finished_sweep_are_refused(whole: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no sweep"):
        open_sweep(tmp_path)
    (tmp_path / "plan.json").write_text(json.dumps(PLAN.to_dict()))
    with pytest.raises(InputError, match="not finished; run it again to continue"):
        open_sweep(tmp_path)
    (tmp_path / "plan.json").write_text(json.dumps({**PLAN.to_dict(), "version": "0.0.1"}))
    with pytest.raises(InputError, match=r"made by version 0\.0\.1"):
        open_sweep(tmp_path)
    shutil.copytree(whole, tmp_path / "sweep")
    edited = (tmp_path / "sweep" / "plan.json").read_text().replace('"seed": 7', '"seed": 99')
    (tmp_path / "sweep" / "plan.json").write_text(edited)
    with pytest.raises(InputError, match="its manifest and its plan are not of the same sweep"):
        open_sweep(tmp_path / "sweep")
    (tmp_path / "plan.json").write_text("{}")
    with pytest.raises(InputError, match="not the plan of a sweep"):
        open_sweep(tmp_path)
    (tmp_path / "plan.json").write_text("[")
    with pytest.raises(InputError, match="cannot be read as JSON"):
        open_sweep(tmp_path)


def test_tables_are_checked_on_write_and_on_read(tmp_path: Path) -> None:
    table = COUPS.tracking("value", [])
    frame = rows_of_coups(play(PLAN.game.tableau, Dealing(), 1, 0, 2), (), 8)
    write_bytes(tmp_path / "good.parquet", encode(frame, table, "good", "plan"))
    assert scan([tmp_path / "good.parquet"], table).collect().equals(frame)
    for bad, says in (
        (frame.drop("coup"), "column coup is missing"),
        (frame.with_columns(pl.lit(1).alias("extra")), "column extra is not the table's"),
        (frame.with_columns(pl.col("coup").cast(pl.Int64)), "column coup is Int64, should be UInt16"),
        (frame.with_columns(pl.lit(10).cast(pl.UInt8).alias("player_total")), "player_total above 9"),
        (frame.with_columns(pl.lit(None, pl.UInt16).alias("coup")), "coup empty"),
        (frame.with_columns(pl.lit(4).cast(pl.UInt16).alias("cards_left")), "cards_left below 6"),
        (frame.select(reversed(frame.columns)), "columns are in the order"),
    ):
        with pytest.raises(InputError, match=says):
            encode(bad, table, "bad", "plan")
    with pytest.raises(InputError, match="not a part of a ledger table"):
        scan([tmp_path / "good.parquet"], LEDGER)
    frame.write_parquet(tmp_path / "foreign.parquet")
    with pytest.raises(InputError, match="not a part of a coups table"):
        scan([tmp_path / "foreign.parquet"], table)


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ([0, 5, 9], None),
        ([], None),
        ([5, -1, 9], "a below 0"),
        ([5, 10, 0], "a above 9"),
        ([5, None, 0], "a empty"),
        ([None, 10, -1], "a empty, a below 0, a above 9"),
    ],
)
def test_each_value_of_a_column_is_in_its_range(values: list[int | None], says: str | None) -> None:
    table = TableSchema("some", 1, {"a": Column(pl.Int64, "", 0, 9), "b": Column(pl.Int64, "", nullable=True)})
    frame = pl.DataFrame({"a": values, "b": [None] * len(values)}, schema=table.schema)
    if says is None:
        table.check(frame, "here")
    else:
        with pytest.raises(InputError, match=f"^here: table some: {says}$"):
            table.check(frame, "here")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"shoes": 1.5}, "shoes: 1.5"),
        ({"shoes": 0}, "shoes: 0, should be a whole number from 1"),
        ({"seed": -1}, "seed: -1"),
        ({"keep_rows": -1}, "rows of every n-th shoe: -1, should be a whole number from 0"),
        ({"bets": ("tie-7",)}, "bet 'tie-7'"),
        (
            {"systems": (load_system("dragon-7"),)},
            "system dragon-7: counts for dragon-7, should count for one of the bets",
        ),
        ({"systems": (load_system(HERE / "systems" / "sevens.toml"),) * 2}, "occurs twice"),
    ],
)
def test_malformed_plans_are_refused(change: dict[str, object], says: str) -> None:
    with pytest.raises(InputError, match=says):
        replace(PLAN, **change)  # type: ignore[arg-type]


def test_workers_must_be_a_number(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="workers: 0"):
        run(PLAN, tmp_path, workers=0)


# A whole part of this plan, and the part that it replaces.
_SWAPS = {
    "another block": (part_path(Path(), LEDGER, 0), part_path(Path(), LEDGER, 1)),
    "another table": (part_path(Path(), DEPTH, 1), part_path(Path(), LEDGER, 1)),
}


def unfinished(folder: Path, blocks: int = 10_000, plan: Plan = PLAN) -> None:
    """A sweep that was stopped before its manifest was written."""

    class StoppedError(Exception):
        pass

    def stop(done: int, shoes: int) -> None:
        if done >= min(blocks * plan.block, shoes):
            raise StoppedError

    with pytest.raises(StoppedError):
        run(plan, folder, workers=1, progress=stop)
    assert not (folder / "manifest.json").exists()


@pytest.fixture(scope="module")
def stopped_late(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the plan's sweep, stopped after the last block was played, to be copied."""
    unfinished(folder := tmp_path_factory.mktemp("stopped"))
    return folder


@pytest.fixture
def stopped(stopped_late: Path, tmp_path: Path) -> Path:
    """The test's own copy of the stopped sweep."""
    return Path(shutil.copytree(stopped_late, tmp_path / "stopped"))


@pytest.mark.parametrize("without", ["manifest", "end"])
@pytest.mark.parametrize("swap", _SWAPS)
def test_a_part_of_another_block_or_table_is_played_again(
    swap: str, without: str, uninterrupted: dict[str, bytes], finished: Path, stopped: Path
) -> None:
    folder = stopped if without == "end" else finished
    if without == "manifest":
        (folder / "manifest.json").unlink()
    there, into = _SWAPS[swap]
    (folder / into).write_bytes((folder / there).read_bytes())
    run(PLAN, folder)
    assert contents(folder) == uninterrupted


def test_flipped_bits_are_healed_or_named(tmp_path: Path) -> None:
    rng, plan = random.Random(16), replace(PLAN, shoes=42, blocks_of=20)
    unfinished(tmp_path / "unfinished", 2, plan)
    whole = contents(run(plan, tmp_path / "finished").folder)
    for number in range(long_or(100, 24)):
        folder = tmp_path / ("finished" if number % 2 else "unfinished")
        shutil.copytree(folder, into := tmp_path / str(number))
        files = [file for file in into.rglob("*") if file.is_file() and file.stat().st_size]
        file = rng.choice([file for file in files if file.parent != into] if number % 4 < 2 else files)
        flipped = bytearray(file.read_bytes())
        flipped[rng.randrange(len(flipped))] ^= 1 << rng.randrange(8)
        file.write_bytes(flipped)
        try:
            run(plan, into)
        except InputError as error:
            named = re.search(r"plan\.json: (cannot be read as JSON|shoes: [^\n]*)$|differs in", str(error))
        else:
            named = None
        assert named or contents(into) == whole


@pytest.mark.parametrize("finished", [False, True])
def test_what_a_power_cut_takes_is_played_again(finished: bool, tmp_path: Path) -> None:
    """Parts are written without waiting for the disk, so a power cut may leave any of them empty or cut short, and the
    record too."""
    rng, plan = random.Random(17), replace(PLAN, shoes=42, blocks_of=10)
    whole = contents(run(plan, tmp_path / "whole").folder)
    unfinished(tmp_path / "cut", 3, plan)
    if finished:
        run(plan, tmp_path / "cut")
    written = sorted((tmp_path / "cut").glob("*/part-*"))
    lost = rng.sample(written, len(written) // 2) + list((tmp_path / "cut").glob(".sha256"))
    assert len(lost) > 4
    for file in lost:
        os.truncate(file, rng.choice([0, rng.randrange(file.stat().st_size)]))
    assert contents(run(plan, tmp_path / "cut").folder) == whole


SHORT = replace(PLAN, shoes=500)  # the last block has 100 shoes


def edited(folder: Path, **changes: object) -> None:
    data = json.loads((folder / "plan.json").read_text())
    (folder / "plan.json").write_text(json.dumps({**data, **changes}, indent=2) + "\n")


CHEAP = Plan(load_game("punto-banco"), Dealing(cut=400), 450, 7, bets=("player",), keep_rows=0, penetration=False)
STATES = ("finished", "unfinished", "none")


@pytest.fixture(scope="module")
def states(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a finished sweep, a stopped one, and one without any part."""
    folder = tmp_path_factory.mktemp("states")
    run(CHEAP, folder / "finished")
    unfinished(folder / "unfinished", 2, CHEAP)
    unfinished(folder / "none", 1, CHEAP)
    for part in (folder / "none").glob("*/part-*"):
        part.unlink()
    return folder


@pytest.mark.long
@pytest.mark.parametrize("block", [204, 100, 600, 0, -200, 10**9, "200", None, True, [200]])
def test_another_size_of_blocks_in_the_plan_is_healed(block: object, states: Path, tmp_path: Path) -> None:
    """The size is found again from the parts' stamps. Without any part, the sweep begins anew."""
    for state in STATES:
        shutil.copytree(states / state, into := tmp_path / state)
        edited(into, block=block)
        assert contents(run(CHEAP, into).folder) == contents(states / "finished")
    assert open_sweep(tmp_path / "finished").plan == CHEAP


def test_the_size_of_blocks_of_an_extended_sweep_is_healed(tmp_path: Path) -> None:
    """The size is not the usual one for either number of shoes, so only the shoes in the parts show it."""
    small = Plan(load_game("punto-banco"), Dealing(cut=400), 1000, 7, bets=("player",), keep_rows=0, penetration=False)
    run(replace(small, blocks_of=190), tmp_path)
    more = replace(small, shoes=1300)
    whole = contents(run(more, tmp_path).folder)
    edited(tmp_path, block=191)
    assert contents(run(more, tmp_path).folder) == whole
    edited(tmp_path, block=191)
    part_path(tmp_path, LEDGER, 0).write_bytes(b"")
    assert contents(run(more, tmp_path).folder) == whole


def test_parts_of_another_sweep_are_named(finished: Path, tmp_path: Path) -> None:
    """The manifest says that these parts are good. Version 0.1.0 believed a manifest like this."""
    run(replace(PLAN, seed=8), tmp_path / "b")
    shutil.copyfile(finished / "plan.json", tmp_path / "b" / "plan.json")
    with pytest.raises(InputError, match=r"b: its plan and its parts are not of the same sweep"):
        run(PLAN, tmp_path / "b")


@pytest.mark.parametrize("changes", [{"game_digest": "0"}, {"tables": {}}])
def test_what_a_plan_says_beside_its_settings_is_written_again(changes: dict[str, object], tmp_path: Path) -> None:
    whole = contents(run(SHORT, tmp_path).folder)
    edited(tmp_path, **changes)
    assert contents(run(SHORT, tmp_path).folder) == whole


def test_a_small_sweep_is_not_extended_to_very_many_blocks(tmp_path: Path) -> None:
    """In another folder, the sweep has larger blocks."""
    small = Plan(load_game("punto-banco"), Dealing(cut=400), 20, 7, bets=("player",), keep_rows=0, penetration=False)
    run(replace(small, blocks_of=1), tmp_path / "in")
    more = replace(small, shoes=10**6)
    says = (
        rf"^{re.escape(str(tmp_path / 'in'))}: holds a sweep in blocks of 1 shoes; 1,000,000 shoes would take "
        r"1,000,000 of these blocks, should be at most 20,000; another folder \(--out\) has larger blocks$"
    )
    with pytest.raises(InputError, match=says):
        run(more, tmp_path / "in")
    assert run(replace(small, shoes=30), tmp_path / "in")
    assert in_its_blocks(more, tmp_path / "new").block == 4000
    assert in_its_blocks(replace(small, shoes=MOST_BLOCKS), tmp_path / "in").blocks == MOST_BLOCKS


def test_parts_that_were_played_are_not_played_again(tmp_path: Path) -> None:
    played = PLAN.blocks * 2 // 3
    unfinished(tmp_path, played)
    before = {file: file.stat().st_mtime_ns for file in tmp_path.glob("*/part-*")}
    assert len(before) >= played * len(PLAN.tables)
    run(PLAN, tmp_path)
    again = [file for file, when in before.items() if file.stat().st_mtime_ns != when]
    assert len(again) <= len(PLAN.tables)  # the parts of the block that was not reported yet


def test_parts_without_a_record_are_played_again(uninterrupted: dict[str, bytes], tmp_path: Path) -> None:
    """A sweep that the previous version began has no record of its parts."""
    unfinished(tmp_path, PLAN.blocks * 2 // 3)
    (tmp_path / ".sha256").unlink()
    run(PLAN, tmp_path)
    assert contents(tmp_path) == uninterrupted


@pytest.mark.long
@pytest.mark.parametrize("whole", [True, False])
def test_a_sweep_is_extended_by_the_missing_blocks(whole: bool, tmp_path: Path) -> None:
    """The extended sweep is, byte for byte, a fresh one. The short last block is played anew."""
    more = replace(SHORT, shoes=900)
    fresh = contents(run(more, tmp_path / "fresh").folder)
    if whole:
        run(SHORT, tmp_path / "in")
    else:
        unfinished(tmp_path / "in", 2, SHORT)
    seen: list[tuple[int, int]] = []
    before = part_path(tmp_path / "in", COUPS, 0).stat().st_mtime_ns
    assert contents(run(more, tmp_path / "in", workers=1, progress=lambda *done: seen.append(done)).folder) == fresh
    assert part_path(tmp_path / "in", COUPS, 0).stat().st_mtime_ns == before
    assert seen[0] == (600, 900)  # two whole blocks were there, and a third is played
    assert open_sweep(tmp_path / "in").plan == more
    with pytest.raises(InputError, match=r"shoes \(900 in the folder, 500 now\)"):
        run(SHORT, tmp_path / "in")


def test_an_extension_keeps_the_blocks_it_began_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = long_or(200, 20)  # shoes in the smallest block
    monkeypatch.setattr("counting.sweep.plan._LEAST_BLOCK", usual)
    monkeypatch.setattr("counting.sweep.plan._BLOCKS", long_or(250, 10))
    dealing, shoes = Dealing(cut=400), 5 * usual
    small = Plan(load_game("punto-banco"), dealing, shoes, 7, bets=("player",), keep_rows=0, penetration=False)
    more = replace(small, shoes=long_or(50_500, 225))
    assert (small.block, more.block) == (usual, long_or(202, 22))
    run(small, tmp_path / "in")
    extended = run(more, tmp_path / "in")
    assert (extended.plan.block, extended.plan.blocks) == (usual, long_or(253, 12))
    assert json.loads((tmp_path / "in" / "plan.json").read_text())["block"] == usual
    fresh = replace(more, blocks_of=usual)
    assert contents(run(fresh, tmp_path / "fresh").folder) == contents(tmp_path / "in")
    assert open_sweep(tmp_path / "in").plan == fresh != more


def test_an_extension_stopped_at_any_step_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is stopped before each of its writes in turn, and each time goes on where it was."""
    short = replace(PLAN, shoes=50, blocks_of=20)  # two whole blocks, and one that is played anew
    more = replace(short, shoes=70)
    fresh = contents(run(more, tmp_path / "fresh").folder)
    run(short, tmp_path / "done")
    for step in range(60):
        shutil.copytree(tmp_path / "done", into := tmp_path / f"{step}")
        left = [step]

        def write(path: Path, content: bytes, left: list[int] = left, **how: bool) -> None:
            if not left[0]:
                raise OSError(28, "No space left on device", str(path))
            left[0] -= 1
            write_bytes(path, content, **how)

        monkeypatch.setattr("counting.sweep.folder.write_bytes", write)
        monkeypatch.setattr("counting.io.folders.write_bytes", write)
        monkeypatch.setattr("counting.io.outputs.write_bytes", write)
        try:
            run(more, into, workers=1)
        except OSError:
            monkeypatch.undo()
            assert contents(run(more, into, workers=1).folder) == fresh
        else:
            break
    assert step > len(fresh) - 2 * len(short.tables)  # the parts of whole blocks stay
    assert contents(into) == fresh
