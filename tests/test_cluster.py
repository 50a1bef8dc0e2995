"""A Dask cluster gives the same bits, and loses time with a worker, no data."""

import gc
import io
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Thread

import pytest
from extent import long_or

import counting
from counting import load_game
from counting.cli import main
from counting.cluster import ClusterError, cluster
from counting.errors import InputError, whole
from counting.simulation import Dealing
from counting.sweep import Plan, run
from counting.verify.exact_checks import contents

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("default")

PLAN = Plan(load_game("louisiana"), Dealing(), long_or(8000, 2400), 7)
COMMAND = ["sweep", "louisiana", "--shoes", str(PLAN.shoes), "--seed", "7", "--out"]  # of this plan
SWEEP = ["sweep", "punto-banco", "--shoes", "10", "--out"]


@pytest.fixture(autouse=True)
def _told_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("counting.cluster._LOOK", 0.1)
    monkeypatch.setattr("counting.cluster._TELL", 0.5)


@pytest.fixture
def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """A scheduler has a second to answer."""
    monkeypatch.setattr("counting.cluster._SECONDS", 1)
    monkeypatch.setattr("counting.cluster._CONNECT", long_or(0.8, 0.4))


@pytest.fixture(scope="module")
def local() -> Iterator["distributed.LocalCluster"]:
    """Two workers."""
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as cluster_of_two:
        yield cluster_of_two


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What the plan gives without a cluster."""
    return contents(run(PLAN, tmp_path_factory.mktemp("alone")).folder)


@contextmanager
def started(*command: str) -> Iterator["subprocess.Popen[bytes]"]:
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@contextmanager
def scheduler_and_worker() -> Iterator[tuple[str, "subprocess.Popen[bytes]", "subprocess.Popen[bytes]"]]:
    """A scheduler's address, and its and its worker's process."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    address = f"tcp://127.0.0.1:{port}"
    command = ("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard")
    with started(*command) as scheduler, a_worker(address) as worker:
        with distributed.Client(address, timeout=30, set_as_default=False) as client:
            client.wait_for_workers(1, timeout=30)
        yield address, scheduler, worker


def a_worker(address: str) -> AbstractContextManager["subprocess.Popen[bytes]"]:
    return started("distributed.cli.dask_worker", address, "--no-nanny", "--nthreads", "1", "--no-dashboard")


@contextmanager
def server(answer: bytes) -> Iterator[str]:
    """The address of a server that accepts, answers if it has an answer, and waits."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        kept = []

        def serve() -> None:
            with suppress(OSError):
                while True:
                    kept.append(listening.accept()[0])
                    kept[-1].sendall(answer)

        Thread(target=serve, daemon=True).start()
        yield f"tcp://127.0.0.1:{listening.getsockname()[1]}"
        listening.shutdown(socket.SHUT_RDWR)
        for one in kept:
            one.close()


def once(parts: int, folder: Path, act: Callable[[], object]) -> Thread:
    """Act when so many parts are written, or after a minute."""
    end = time.monotonic() + 60

    def wait() -> None:
        while len(list(folder.glob("ledger/part-*"))) < parts and time.monotonic() < end:
            time.sleep(0.001)
        act()

    thread = Thread(target=wait, daemon=True)
    thread.start()
    return thread


def clients() -> list[object]:
    gc.collect()
    return [one for one in gc.get_objects() if isinstance(one, distributed.Client) and one.status != "closed"]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL on Windows")
def test_a_killed_worker_costs_time_only(
    local: "distributed.LocalCluster", alone: dict[str, bytes], tmp_path: Path
) -> None:
    """One of two, in whose place another is started."""
    killed = []

    def kill(victim: int) -> None:
        while len(list(tmp_path.glob("cluster/ledger/part-*"))) < 5:
            time.sleep(0.001)
        os.kill(victim, signal.SIGKILL)
        killed.append(len(list(tmp_path.glob("cluster/ledger/part-*"))))

    with cluster(local.scheduler_address) as (executor, threads):
        assert threads == 2
        victim = Thread(target=kill, args=(local.workers[0].pid,))
        victim.start()
        run(PLAN, tmp_path / "cluster", executor=executor, shared=False, workers=threads)
        victim.join()
    local.wait_for_workers(2, timeout=30)
    assert killed[0] < PLAN.blocks
    assert alone == contents(tmp_path / "cluster")


def test_from_the_command_line(
    local: "distributed.LocalCluster", tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["sweep", "punto-banco", "--shoes", "600", "--format", "csv", "--out"]
    assert main([*command, str(tmp_path / "cluster"), "--cluster", local.scheduler_address]) == 0
    there = capsys.readouterr().out
    assert main([*command, str(tmp_path / "alone")]) == 0
    assert there == capsys.readouterr().out
    assert contents(tmp_path / "alone") == contents(tmp_path / "cluster")


@pytest.mark.usefixtures("_hasty")
@pytest.mark.parametrize(
    ("more", "says"),
    [
        (["--cluster", "tcp://127.0.0.1:1"], "--cluster tcp://127.0.0.1:1: should be a scheduler's address, as"),
        (["--cluster", "tcp://none.invalid:8786"], "--cluster tcp://none.invalid:8786: should be a scheduler's"),
        (["--cluster", "tls://127.0.0.1:1"], "--cluster tls://127.0.0.1:1: should be a scheduler's address, as"),
        (["--cluster", "localhost"], "--cluster localhost: should be a scheduler's address, as"),
        (["--cluster", "nonsense:x"], "--cluster nonsense:x: should be a scheduler's address, as"),
        (["--cluster", "tcp://127.0.0.1:1", "--workers", "2"], "--workers 2 and --cluster tcp://127.0.0.1:1: should"),
    ],
)
def test_bad_addresses(more: list[str], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SWEEP, str(tmp_path / "new"), *more]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"counting: {says}")
    assert said.count("\n") == 1
    assert not clients()


@pytest.mark.usefixtures("_hasty")
@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\x08" + bytes(7), bytes(400)])
def test_a_server_that_is_no_scheduler(answer: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    begun = time.monotonic()
    with server(answer) as address:
        assert main([*SWEEP, str(tmp_path / "new"), "--cluster", address]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"counting: --cluster {address}: should be a scheduler's address, as tcp://host:8786: ")
    assert said.count("\n") == 1
    assert time.monotonic() - begun < 15
    assert not clients()


@pytest.mark.usefixtures("_hasty")
def test_a_silent_name_server(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("counting.cluster._CLOSING", 0.1)
    monkeypatch.setattr("counting.cluster.socket.getaddrinfo", lambda *_: time.sleep(4))
    assert main([*SWEEP, str(tmp_path / "new"), "--cluster", "tcp://none.invalid:8786"]) == 2
    assert capsys.readouterr().err.endswith("no answer within 1 s\n")


def test_a_cluster_without_workers_or_with_another_version_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with distributed.LocalCluster(n_workers=0, processes=True, dashboard_address=None, silence_logs=50) as local:
        address = local.scheduler_address
        command = [*SWEEP, str(tmp_path), "--cluster", address]
        assert main(command) == 2
        err = capsys.readouterr().err
        assert err == f"counting: --cluster {address}: has no workers; to start one: dask worker {address}\n"
        local.scale(1)
        local.wait_for_workers(1)
        (worker,) = local.scheduler_info["workers"]
        assert main([*SWEEP, str(tmp_path), "--cluster", worker]) == 2
        assert capsys.readouterr().err.endswith("a Worker answers there\n")
        here = counting.__version__
        monkeypatch.setattr(counting, "__version__", "9.9", raising=False)
        monkeypatch.setattr("counting.cluster.__version__", "9.9")
        assert main(command) == 2
        err = capsys.readouterr().err
        assert err == f"counting: --cluster {address}: {worker} has version {here}, should be 9.9\n"
        monkeypatch.setattr("counting.cluster._VERSION", "no_such_module:__version__")
        assert main(command) == 2
        assert "lacks counting 9.9: ModuleNotFoundError" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="signals are not sent so on Windows")
def test_a_sweep_waits_for_workers_and_says_so_and_ctrl_c_ends_it(
    alone: dict[str, bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its worker is lost, and it goes on with another; that one is lost too, and Ctrl-C comes."""
    err = io.StringIO()
    monkeypatch.setattr("sys.stderr", err)
    folder = tmp_path / "cluster"
    parts: list[int] = []

    def written() -> int:
        return len(list(folder.glob("ledger/part-*")))

    def until(so: Callable[[], bool]) -> None:
        end = time.monotonic() + 60
        while not so() and time.monotonic() < end:
            time.sleep(0.001)

    with scheduler_and_worker() as (address, _, worker), ExitStack() as later:

        def lose_all_twice() -> None:
            worker.kill()
            until(lambda: err.getvalue().count("waiting for") >= 2)
            parts.append(written())
            other = later.enter_context(a_worker(address))
            until(lambda: written() > parts[0])
            other.kill()
            said = err.getvalue().count("waiting for")
            until(lambda: err.getvalue().count("waiting for") > said)
            parts.append(written())
            os.kill(os.getpid(), signal.SIGINT)

        acting = once(3, folder, lose_all_twice)
        assert main([*COMMAND, str(folder), "--cluster", address]) == 130
        acting.join()
    assert 3 <= parts[0] < parts[1] < PLAN.blocks
    assert f"waiting for {address}: it has no workers since " in err.getvalue()
    assert err.getvalue().endswith("\ncounting: stopped; the same command resumes where it stopped\n")
    assert not clients()
    assert main([*COMMAND, str(folder)]) == 0
    assert alone == contents(folder)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGSTOP on Windows")
def test_a_scheduler_stopped_then_killed(
    alone: dict[str, bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = [*COMMAND, str(tmp_path / "cluster")]
    with scheduler_and_worker() as (address, scheduler, _):

        def stop_and_kill() -> None:
            monkeypatch.setattr("counting.cluster._SECONDS", 1)
            time.sleep(0.1)
            scheduler.send_signal(signal.SIGSTOP)
            time.sleep(long_or(4, 2.5))
            scheduler.kill()

        acting = once(3, tmp_path / "cluster", stop_and_kill)
        assert main([*command, "--cluster", address]) == 2
        acting.join()
    first, *waited, last = capsys.readouterr().err.splitlines()
    assert first.endswith("on disk")
    assert waited
    assert all(line.startswith(f"waiting for {address}: it does not answer since ") for line in waited)
    assert last == (
        f"counting: --cluster {address}: lost the scheduler; "
        "the same command, with --cluster or without, resumes where it stopped"
    )
    assert not clients()
    assert 3 <= len(list((tmp_path / "cluster" / "ledger").iterdir())) < PLAN.blocks
    assert main(command) == 0
    assert alone == contents(tmp_path / "cluster")


def test_what_fails_on_a_worker_is_one_line(local: "distributed.LocalCluster") -> None:
    with cluster(local.scheduler_address) as (executor, _):
        assert list(executor.map(divmod, [7, 9], [2, 2])) == [(3, 1), (4, 1)]
        with pytest.raises(ClusterError, match=r": work failed there: ZeroDivisionError: [a-z ]+$"):
            executor.submit(divmod, 1, 0).result()
        with pytest.raises(InputError, match=r"^whole: 3, should be"):
            executor.submit(whole, 3, "whole", 0, 2).result()


def test_a_command_that_failed_ends_at_once_and_quietly(tmp_path: Path) -> None:
    program = (
        "import sys, counting.cluster as one; one._SECONDS, one._CONNECT = 1, 0.8; from counting.cli import main; "
        "sys.exit(main())"
    )
    with server(b"") as address:
        ended = subprocess.run(
            [sys.executable, "-P", "-c", program, *SWEEP, str(tmp_path / "new"), "--cluster", address],
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
    assert ended.returncode == 2
    assert ended.stderr.endswith("no answer within 1 s\n")
    assert ended.stderr.count("\n") == 1
