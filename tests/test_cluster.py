"""A Dask cluster gives the same bits, and loses time with a worker, no data."""

import gc
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest

from counting import load_game
from counting.checks import contents
from counting.cli import main
from counting.cluster import cluster
from counting.plan import Plan
from counting.shoe import Dealing
from counting.sweep import run

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("default")

PLAN = Plan(load_game("louisiana"), Dealing(), 8000, 7)


@contextmanager
def two_workers() -> Iterator["distributed.LocalCluster"]:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as local:
        yield local


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL on Windows")
def test_a_killed_worker_costs_time_only(tmp_path: Path) -> None:
    killed = []

    def kill(victim: int) -> None:
        while len(list(tmp_path.glob("cluster/ledger/part-*"))) < 5:
            time.sleep(0.001)
        os.kill(victim, signal.SIGKILL)
        killed.append(len(list(tmp_path.glob("cluster/ledger/part-*"))))

    with two_workers() as local, cluster(local.scheduler_address) as (executor, threads):
        assert threads == 2
        victim = Thread(target=kill, args=(local.workers[0].pid,))
        victim.start()
        run(PLAN, tmp_path / "cluster", executor=executor, shared=False, workers=threads)
        victim.join()
    assert killed[0] < PLAN.blocks
    assert contents(run(PLAN, tmp_path / "alone").folder) == contents(tmp_path / "cluster")


def test_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["sweep", "punto-banco", "--shoes", "600", "--format", "csv", "--out"]
    with two_workers() as local:
        assert main([*command, str(tmp_path / "cluster"), "--cluster", local.scheduler_address]) == 0
    there = capsys.readouterr().out
    assert main([*command, str(tmp_path / "alone")]) == 0
    assert there == capsys.readouterr().out
    assert contents(tmp_path / "alone") == contents(tmp_path / "cluster")


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (["--cluster", "tcp://127.0.0.1:1"], "--cluster tcp://127.0.0.1:1: should be a scheduler's address, as"),
        (["--cluster", "nonsense:x"], "--cluster nonsense:x: should be a scheduler's address, as"),
        (["--cluster", "tcp://127.0.0.1:1", "--workers", "2"], "--workers 2 and --cluster tcp://127.0.0.1:1: should"),
    ],
)
def test_bad_addresses(
    more: list[str], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("counting.cluster._SECONDS", 1)
    assert main(["sweep", "punto-banco", "--shoes", "10", "--out", str(tmp_path / "new"), *more]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"counting: {says}")
    assert said.count("\n") == 1
    assert not [one for one in gc.get_objects() if isinstance(one, distributed.Client) and one.status != "closed"]


def test_a_cluster_without_workers_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with distributed.LocalCluster(n_workers=0, processes=True, dashboard_address=None, silence_logs=50) as local:
        address = local.scheduler_address
        assert main(["sweep", "punto-banco", "--shoes", "10", "--out", str(tmp_path), "--cluster", address]) == 2
    assert capsys.readouterr().err == f"counting: --cluster {address}: has no workers\n"
