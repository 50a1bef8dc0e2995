"""A Dask cluster gives bit-identical results. If a worker is lost, only time is lost."""

import io
import os
import re
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
from counting.verify.sweep_checks import contents

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("default")

PLAN = Plan(load_game("louisiana"), Dealing(), long_or(8000, 2400), 7)
COMMAND = ["sweep", "louisiana", "--shoes", str(PLAN.shoes), "--seed", "7", "--out"]  # the command of this plan
SWEEP = ["sweep", "punto-banco", "--shoes", "10", "--out"]


@pytest.fixture(autouse=True)
def _told_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("counting.cluster._LOOK", 0.1)
    monkeypatch.setattr("counting.cluster._TELL", 0.2)


@pytest.fixture
def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give a scheduler a third of a second to answer."""
    monkeypatch.setattr("counting.cluster._SECONDS", 0.3)
    monkeypatch.setattr("counting.cluster._CONNECT", 0.2)


@pytest.fixture(scope="module")
def local() -> Iterator[str]:
    """The address of a scheduler with a worker."""
    with a_scheduler() as address, a_worker(address):
        wait_for_workers(1, address)
        yield address


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of the plan's sweep without a cluster."""
    return contents(run(PLAN, tmp_path_factory.mktemp("alone")).folder)


@contextmanager
def started(*command: str) -> Iterator["subprocess.Popen[bytes]"]:
    process = subprocess.Popen([sys.executable, "-P", *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@contextmanager
def a_scheduler() -> Iterator[str]:
    """The address of a scheduler within this process."""
    with distributed.LocalCluster(n_workers=0, dashboard_address=None, silence_logs=50) as scheduler:
        yield scheduler.scheduler_address


@contextmanager
def a_scheduler_apart() -> Iterator[tuple[str, "subprocess.Popen[bytes]"]]:
    """The address of a scheduler in a separate process, and the process."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    program = (
        "import distributed, threading; distributed.LocalCluster(n_workers=0, protocol='tcp', "
        f"scheduler_port={port}, dashboard_address=None); threading.Event().wait()"
    )
    with started("-c", program) as process:
        yield address, process


def wait_for_workers(number: int, address: str) -> None:
    with distributed.Client(address, timeout=30, set_as_default=False) as client:
        client.wait_for_workers(number, timeout=30)


def a_worker(address: str) -> AbstractContextManager["subprocess.Popen[bytes]"]:
    return started("-m", "distributed.cli.dask_worker", address, "--no-nanny", "--nthreads", "1", "--no-dashboard")


@contextmanager
def server(answer: bytes) -> Iterator[str]:
    """The address of a server that accepts connections, sends `answer`, and then waits."""
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
        for file in kept:
            file.close()


def once(parts: int, folder: Path, act: Callable[[], object]) -> Thread:
    """Call `act` when `parts` parts have been written, or after a minute."""

    def wait() -> None:
        until(lambda: parts_of(folder) >= parts)
        act()

    thread = Thread(target=wait, daemon=True)
    thread.start()
    return thread


def parts_of(folder: Path) -> int:
    """How many parts of a sweep have been written."""
    with suppress(FileNotFoundError):
        return sum(name.startswith("part-") for name in os.listdir(folder / "ledger"))
    return 0


def until(so: Callable[[], bool]) -> None:
    """Wait until `so()` is true, at most a minute."""
    end = time.monotonic() + 60
    while not so() and time.monotonic() < end:
        time.sleep(0.01)


def clients() -> list[object]:
    return [each for each in distributed.Client._instances if each.status != "closed"]


def test_from_the_command_line(local: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["sweep", "punto-banco", "--shoes", "300", "--format", "csv", "--out"]
    assert main([*command, str(tmp_path / "cluster"), "--cluster", local]) == 0
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
    assert "no answer" not in said or "tcp:" in says  # other wrong addresses are found without waiting
    assert said.count("\n") == 1
    assert not clients()


@pytest.mark.long
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


@pytest.mark.long
@pytest.mark.usefixtures("_hasty")
def test_a_silent_name_server(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("counting.cluster._CLOSING", 0.1)
    monkeypatch.setattr("counting.cluster.socket.getaddrinfo", lambda *_: time.sleep(3))
    assert main([*SWEEP, str(tmp_path / "new"), "--cluster", "tcp://none.invalid:8786"]) == 2
    assert capsys.readouterr().err.endswith("no answer within 0.3 s\n")


def test_a_cluster_without_workers_or_with_another_version_is_refused(
    local: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with a_scheduler() as address:
        assert main([*SWEEP, str(tmp_path), "--cluster", address]) == 2
        err = capsys.readouterr().err
        assert err == f"counting: --cluster {address}: has no workers; to start one: dask worker {address}\n"
    with distributed.Client(local, set_as_default=False) as client:
        (worker,) = client.scheduler_info()["workers"]
    assert main([*SWEEP, str(tmp_path), "--cluster", worker]) == 2
    assert capsys.readouterr().err.endswith("a Worker answers there\n")
    here, command = counting.__version__, [*SWEEP, str(tmp_path), "--cluster", local]
    monkeypatch.setattr(counting, "__version__", "9.9", raising=False)
    monkeypatch.setattr("counting.cluster.__version__", "9.9")
    assert main(command) == 2
    err = capsys.readouterr().err
    assert err == f"counting: --cluster {local}: {worker} has version {here}, should be 9.9\n"
    monkeypatch.setattr("counting.cluster._VERSION", "no_such_module:__version__")
    assert main(command) == 2
    assert "lacks counting 9.9: ModuleNotFoundError" in capsys.readouterr().err


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="signals are not sent so on Windows")
def test_a_sweep_waits_for_workers_and_says_so_and_ctrl_c_ends_it(
    alone: dict[str, bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker is lost, and the sweep continues with a second worker. The second is lost too, and then Ctrl-C
    comes."""
    err = io.StringIO()
    monkeypatch.setattr("sys.stderr", err)
    folder = tmp_path / "cluster"
    parts: list[int] = []

    with a_scheduler() as address, a_worker(address) as worker, ExitStack() as later:
        wait_for_workers(1, address)

        def lose_all_twice() -> None:
            worker.kill()
            until(lambda: err.getvalue().count("waiting for") >= 2)
            parts.append(parts_of(folder))
            other = later.enter_context(a_worker(address))
            until(lambda: parts_of(folder) > parts[0])
            other.kill()
            said = err.getvalue().count("waiting for")
            until(lambda: err.getvalue().count("waiting for") > said)
            parts.append(parts_of(folder))
            os.kill(os.getpid(), signal.SIGINT)

        acting = once(3, folder, lose_all_twice)
        assert main([*COMMAND, str(folder), "--cluster", address]) == 130
        acting.join()
    assert 3 <= parts[0] < parts[1] < PLAN.blocks
    assert f"waiting for {address}: it has had no workers for " in err.getvalue()
    assert err.getvalue().endswith("\ncounting: stopped; the same command resumes where it stopped\n")
    assert not clients()
    assert main([*COMMAND, str(folder)]) == 0
    assert alone == contents(folder)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGSTOP on Windows")
def test_a_scheduler_stopped_then_killed(
    alone: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = [*COMMAND, str(tmp_path / "cluster")]
    err = io.StringIO()
    with a_scheduler_apart() as (address, process), a_worker(address), monkeypatch.context() as patch:
        wait_for_workers(1, address)
        patch.setattr("sys.stderr", err)

        def stop_and_kill() -> None:
            patch.setattr("counting.cluster._SECONDS", 0.3)
            time.sleep(0.2)  # one more question may be answered in this time
            process.send_signal(signal.SIGSTOP)
            until(lambda: err.getvalue().count("waiting for") >= 2)
            process.kill()

        acting = once(3, tmp_path / "cluster", stop_and_kill)
        assert main([*command, "--cluster", address]) == 2
        acting.join()
    first, *waited, last = err.getvalue().splitlines()
    assert first.endswith("on disk")
    assert waited
    assert all(line.startswith(f"waiting for {address}: it has not answered for ") for line in waited)
    assert last == (
        f"counting: --cluster {address}: lost the scheduler; "
        "the same command, with --cluster or without, resumes where it stopped"
    )
    assert not clients()
    assert 3 <= len(list((tmp_path / "cluster" / "ledger").iterdir())) < PLAN.blocks
    assert main(command) == 0
    assert alone == contents(tmp_path / "cluster")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGSTOP on Windows")
def test_a_worker_that_stands_still_is_named_and_its_work_goes_to_another_when_it_is_ended(
    local: str, alone: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There are two workers. Only the silent one is named. It is killed, and the other plays its blocks: this costs
    time only."""
    monkeypatch.setattr("counting.cluster._STILL", 3)
    said: list[str] = []
    folder = tmp_path / "cluster"
    with a_worker(local) as still:
        wait_for_workers(2, local)
        with cluster(local, said.append) as (executor, threads):
            assert threads == 2

            def stop_one() -> None:
                still.send_signal(signal.SIGSTOP)
                until(lambda: len(said) >= 2)
                still.kill()

            stopping = once(1, folder, stop_one)
            played = run(PLAN, folder, executor=executor, shared=False, workers=threads)
            stopping.join()
    assert contents(played.folder) == alone
    names = {re.fullmatch(rf"waiting for {local}: its worker (\S+) has been silent for \d+ s; end it, .*", line)[1]  # type: ignore[index]
             for line in said}  # fmt: skip
    assert len(names) == 1


def test_what_fails_on_a_worker_is_one_line(local: str) -> None:
    with cluster(local) as (executor, _):
        assert list(executor.map(divmod, [7, 9], [2, 2])) == [(3, 1), (4, 1)]
        with pytest.raises(ClusterError, match=r": work failed there: ZeroDivisionError: [a-z ]+$"):
            executor.submit(divmod, 1, 0).result()
        with pytest.raises(InputError, match=r"^whole: 3, should be"):
            executor.submit(whole, 3, "whole", 0, 2).result()


def test_a_command_that_failed_ends_at_once_and_quietly(tmp_path: Path) -> None:
    program = (
        "import sys, counting.cluster as one; one._SECONDS, one._CONNECT = 0.3, 0.2; from counting.cli import main; "
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
    assert ended.stderr.endswith("no answer within 0.3 s\n")
    assert ended.stderr.count("\n") == 1
