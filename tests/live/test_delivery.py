"""Alerts are given in order, with three tries each, and once or twice whatever happens. Alerts that were not given are
reported."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Event, Semaphore, Thread
from typing import Any

import pytest
from twins.streams import lines, records

from counting import InputError
from counting.cli import main
from counting.live import Alerts
from counting.live.alerting import Told
from counting.live.delivery import Command, Delivery, Webhook, finish

RULES = [f"cards < {left} for player" for left in range(50, 410, 20)]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("counting.live.delivery.PAUSE", 0.01)


class Failing:
    """A channel that fails a given number of times for each alert in turn."""

    name = "the test"

    def __init__(self, *fails: int) -> None:
        self.fails, self.got = list(fails), list[bytes]()

    def give(self, alert: bytes) -> str:
        self.got.append(alert)
        if self.fails and self.fails[0]:
            self.fails[0] -= 1
            return "is away"
        self.fails = self.fails[1:]
        return ""


def delivered(channel: Any, alerts: int) -> tuple[list[int], list[str]]:
    given: list[int] = []
    said: list[str] = []
    delivery = Delivery(channel, given.append, said.append)
    for number in range(1, alerts + 1):
        delivery.add(number, b"%d" % number)
    finish([delivery], lambda: False, lambda: False, said.append)
    assert delivery.waiting == 0
    return given, said


def test_an_alert_is_tried_three_times_and_the_next_only_then() -> None:
    channel = Failing(0, 2, 0)
    assert delivered(channel, 3) == ([1, 2, 3], [])
    assert channel.got == [b"1", b"2", b"2", b"2", b"3"]


def test_an_alert_that_failed_three_times_is_said_and_the_next_is_given() -> None:
    channel = Failing(3)
    channel.fails = [3]
    given, said = delivered(channel, 2)
    assert channel.got == [b"1", b"1", b"1", b"2"]
    assert given == [1, 2]
    assert said == ["counting: alert 1 was not given: the test is away; this was the last of 3 tries"]


def test_more_alerts_than_can_wait_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("counting.live.delivery.MOST_WAITING", 2)
    begun, go = Event(), Event()

    class Slow(Failing):
        def give(self, alert: bytes) -> str:
            begun.set()
            go.wait()
            return super().give(alert)

    said: list[str] = []
    delivery = Delivery(channel := Slow(), lambda _: None, said.append)
    for number in range(1, 5):
        delivery.add(number, b"%d" % number)
        assert begun.wait(10)
    go.set()
    finish([delivery], lambda: False, lambda: False, said.append)
    assert channel.got == [b"1", b"2"]
    assert delivery.failed == len(said) == 2
    assert said[0] == "counting: alert 3 was not given: the test has 2 alerts waiting for it"


def test_alerts_that_were_dropped_count_as_given_after_those_before_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """If dropped alerts never counted as given, they would be given after a restart, though they were reported as not
    given. If they counted before the alerts that still wait, a kill would lose the waiting alerts."""
    monkeypatch.setattr("counting.live.delivery.MOST_WAITING", 2)
    begun, go, given = Event(), Event(), list[int]()

    class Slow(Failing):
        def give(self, alert: bytes) -> str:
            begun.set()
            go.wait()
            return super().give(alert)

    delivery = Delivery(channel := Slow(), given.append, lambda _: None)
    for number in range(1, 5):
        delivery.add(number, b"%d" % number)
        assert begun.wait(10)
    assert given == []
    go.set()
    finish([delivery], lambda: False, lambda: False, print)
    assert channel.got == [b"1", b"2"]
    assert given == [1, 2, 4]


def test_a_stop_waits_for_the_try_that_goes_on_and_for_no_other() -> None:
    """Two channels stop together, each after the try that it has begun."""
    begun, go, given = Semaphore(0), Event(), list[int]()

    class Slow(Failing):
        def give(self, alert: bytes) -> str:
            begun.release()
            go.wait()
            return super().give(alert)

    deliveries = [Delivery(Slow(), given.append, print) for _ in range(2)]
    for delivery in deliveries:
        for number in (1, 2):
            delivery.add(number, b"")
    assert all(begun.acquire(timeout=10) for _ in deliveries)  # each has begun its first try
    Thread(target=lambda: (time.sleep(0.2), go.set()), daemon=True).start()
    finish(deliveries, lambda: True, lambda: False, print)
    assert given == [1, 1]
    assert [delivery.waiting for delivery in deliveries] == [1, 1]
    hung = Delivery(Slow(), given.append, print)
    go.clear()
    hung.add(1, b"")
    before = time.monotonic()
    finish([hung], lambda: True, lambda: True, print)  # Ctrl-C twice
    assert time.monotonic() - before < 1
    assert hung.waiting == 1
    go.set()


# Commands


def shell(text: str) -> Command:
    return Command(["sh", "-c", text])


@pytest.mark.skipif(sys.platform == "win32", reason="has no sh")
def test_a_command_fails_by_its_status_and_ends_with_all_that_it_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert shell("cat > got").give(b"alert\n") == ""
    assert Path("got").read_bytes() == b"alert\n"
    assert shell("exit 3").give(b"alert") == "ended with status 3"
    assert shell("exit 0").give(b"x" * 1_000_000) == ""  # the command reads none of the alert
    assert Command(["./none"]).give(b"") == "cannot be run: No such file or directory"
    monkeypatch.setattr("counting.live.delivery.SECONDS", 0.3)
    assert shell("(sleep 1.2; touch late) & sleep 30").give(b"") == "took more than 0 seconds"
    time.sleep(1.2)
    assert not Path("late").exists()


# Webhooks


@contextmanager
def server(answers: list[tuple[int, dict[str, str]]]) -> Iterator[tuple[str, list[tuple[str, str, bytes]]]]:
    """A server that gives these answers and then 204: its address, and a list of the requests that it got."""
    got: list[tuple[str, str, bytes]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            got.append((self.path, self.headers["Content-Type"], body))
            status, headers = answers.pop(0) if answers else (204, {})
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()

        do_GET = do_POST  # noqa: N815

        def log_message(self, *_: object) -> None: ...

    listening = HTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listening.server_address[1]}/hooks/s3cret", got
    finally:
        listening.shutdown()
        listening.server_close()


def test_a_webhook_gets_the_json_and_is_tried_three_times() -> None:
    with server([(500, {}), (404, {})]) as (url, got):
        assert delivered(Webhook(url), 2) == ([1, 2], [])
    assert got == [("/hooks/s3cret", "application/json", body) for body in (b"1", b"1", b"1", b"2")]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("scheme", ["file", "ftp", "http"])
def test_a_webhook_follows_no_redirect(status: int, scheme: str) -> None:
    with server([]) as (other, got_there):
        where = {"file": "file:///etc/hostname", "ftp": "ftp://127.0.0.1/x", "http": other}[scheme]
        with server([(status, {"Location": where})]) as (url, got):
            assert Webhook(url).give(b"1") == f"answered with status {status} (redirects are not followed)"
        assert len(got) == 1
        assert got_there == []


def test_a_webhook_that_answers_a_byte_at_a_time_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each byte comes in time, but the whole answer does not."""
    monkeypatch.setattr("counting.live.delivery.SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        stop = Event()

        def drip() -> None:
            with listening.accept()[0] as talk, suppress(OSError):
                for _ in range(80):
                    talk.send(b"H")
                    if stop.wait(0.05):
                        break

        Thread(target=drip, daemon=True).start()
        begun = time.monotonic()
        assert Webhook(f"http://127.0.0.1:{listening.getsockname()[1]}/").give(b"1") == "took more than 0 seconds"
        assert time.monotonic() - begun < 3
        stop.set()


def test_a_webhook_that_is_not_there_is_said_without_its_path() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    hook = Webhook(f"http://127.0.0.1:{port}/hooks/s3cret")
    assert hook.give(b"1").startswith("cannot be reached: ")
    assert "s3cret" not in hook.name + hook.give(b"1")


@pytest.mark.parametrize(
    "url",
    ["file:///etc/passwd", "ftp://a/b", "chat.example/x", "http://", "http://a:b@c/", "http://a b/", "http://a:x/",
     "http://a/\n", "http://[", "data:,x", "javascript:1"],
)  # fmt: skip
def test_what_is_no_plain_url_is_refused(url: str) -> None:
    with pytest.raises(InputError, match=r"--webhook .*: should be a URL as https://"):
        Webhook(url)


# The numbers of the alerts that were given


def an_alert(number: int) -> dict[str, Any]:
    return {"rule": "edge > 0", "table": "7", "shoe": "1", "after": number, "alert": number}


def of_command(words: list[str], told: Path, tell: Callable[[str], object] = print) -> Alerts:
    return Alerts(None, words, told, tell, lambda: "now")


@pytest.mark.skipif(sys.platform == "win32", reason="has no sh")
def test_the_numbers_of_words_and_of_the_command_are_kept_apart(tmp_path: Path) -> None:
    said: list[str] = []
    words = ["sh", "-c", f"cat >> {tmp_path}/given; test -e {tmp_path}/open || sleep 30"]
    (tmp_path / "open").touch()
    alerts = of_command(words, tmp_path / "told", said.append)
    alerts.begin(0)
    alerts.send([an_alert(1), an_alert(2)])
    alerts.close(lambda: False)
    assert Told.from_bytes((tmp_path / "told").read_bytes()) == Told(2, 2, 2)
    (tmp_path / "open").unlink()
    alerts = of_command(words, tmp_path / "told", said.append)
    alerts.begin(2)
    alerts.send([an_alert(number) for number in (3, 4, 5)])
    alerts.close(hurry=lambda: True)
    assert said[-1] == "counting: 3 alerts wait for the command sh: the next watch with this journal gives them"
    assert Told.from_bytes((tmp_path / "told").read_bytes()) == Told(5, 2, 5)
    (tmp_path / "open").touch()
    said.clear()
    alerts = of_command(words, tmp_path / "told", said.append)
    assert alerts.least == 2
    alerts.again(map(an_alert, range(1, 6)))
    alerts.begin(5)
    alerts.close(lambda: False)
    assert said == []
    given = [json.loads(line)["alert"] for line in (tmp_path / "given").read_text().splitlines()]
    assert given in ([1, 2, 3, 4, 5], [1, 2, 3, 3, 4, 5])


def test_alerts_that_waited_for_a_command_are_said_where_there_is_none(tmp_path: Path) -> None:
    said: list[str] = []
    (tmp_path / "told").write_bytes(Told(5, 2, 5).to_bytes())
    alerts = of_command([], tmp_path / "told", said.append)
    assert said == ["counting: 3 alerts waited for a command, but cannot be given, because this watch has none"]
    alerts.begin(5)
    alerts.close()
    assert Told.from_bytes((tmp_path / "told").read_bytes()) == Told(5, 5, 5)


# The file of alerts


def test_a_file_of_alerts_loses_only_an_alert_that_was_cut_short(tmp_path: Path) -> None:
    path = tmp_path / "alerts"
    path.write_bytes(b'{"rule": "my own"}\n{"table": 7')
    with pytest.raises(InputError, match="holds other data, should be a new file or a file of alerts"):
        Alerts(path, (), None, print, lambda: "now")
    assert path.read_bytes() == b'{"rule": "my own"}\n{"table": 7'
    path.unlink()
    alerts = Alerts(path, (), None, print, lambda: "now")
    alerts.send([an_alert(1), an_alert(2)])
    alerts.close()
    whole = path.read_bytes()
    first = whole.index(b"\n") + 1
    for bad, kept in {
        whole[:-5]: whole[:first], whole[:-1]: whole, whole[:9]: b"", whole + b"noted, Bob": whole + b"noted, Bob\n",
    }.items():  # fmt: skip
        path.write_bytes(bad)
        alerts = Alerts(path, (), None, print, lambda: "now")
        alerts.again([an_alert(1), an_alert(2)])
        alerts.close()
        now = path.read_bytes()
        assert now.startswith(kept), bad
        assert [json.loads(line)["alert"] for line in now.splitlines() if line != b"noted, Bob"] == [1, 2]


# A watch that is stopped or killed

# The first command goes on for long after the signal, however slowly the watch reacts.
GIVE = json.dumps(["sh", "-c", "cat > now; test -e open || sleep 3; cat now >> given"])
WATCH = ["watch", "ez-baccarat", "--coups", "live.jsonl", "--rule", *RULES, "--format", "none"]


def command_began() -> None:
    """Wait until the watch's command handles the first of many alerts."""
    until = time.monotonic() + 60
    while not Path("now").exists() and time.monotonic() < until:
        time.sleep(0.01)
    time.sleep(0.3)


def stopped_by(number: signal.Signals, *more: str) -> tuple[int, float]:
    """Run a watch, and send this process a signal while the command handles the first of many alerts. Returns the
    watch's exit status and the seconds until it ended."""
    Path("live.jsonl").write_bytes(b"".join(lines(records("7", 1, 1))))
    begun = list[float]()

    def stop() -> None:
        command_began()
        begun.extend([time.monotonic()] * (not Path("given").exists()))
        os.kill(os.getpid(), number)

    def fail(*_: object) -> None:
        raise AssertionError("the watch goes on")

    thread = Thread(target=stop)
    before = signal.signal(signal.SIGALRM, fail)
    signal.alarm(90)
    try:
        thread.start()
        status = main([*WATCH, "--command", GIVE, *more])
        ended = time.monotonic()
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
        thread.join()
    return status, ended - begun[0]


def given() -> Counter[int]:
    return Counter(json.loads(line)["alert"] for line in Path("given").read_text().splitlines())


@pytest.mark.skipif(sys.platform == "win32", reason="has no such signals")
@pytest.mark.parametrize(("number", "journal"), [(signal.SIGTERM, True), (signal.SIGINT, False)])
def test_a_stopped_watch_lets_the_command_end_and_says_what_waits(
    number: signal.Signals,
    journal: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """With a journal, the state was saved after the alerts came. The next watch finds the alerts in the records before
    the state."""
    monkeypatch.chdir(tmp_path)
    more = ("--journal", "pit") if journal else ()
    status, seconds = stopped_by(number, *more)
    said = capsys.readouterr().err
    assert status == 130
    assert seconds < 5
    assert len(given()) == 1  # the running command ended, and no other began
    total = int(said.split(" alerts\n")[0].rpartition(" ")[2])
    later = "the next watch with this journal gives them" if journal else "not given"
    assert f"counting: {total - 1} alerts wait for the command sh: {later}" in said
    if journal:
        assert Path("pit.state").exists()
        Path("open").touch()
        assert main([*WATCH, "--command", GIVE, *more, "--once"]) == 0
        assert given() == Counter(range(1, total + 1))


@pytest.mark.skipif(sys.platform == "win32", reason="has no such signals")
def test_no_alert_is_lost_in_a_kill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("live.jsonl").write_bytes(b"".join(lines(records("7", 1, 1))))
    command = [sys.executable, "-P", "-m", "counting.cli", *WATCH, "--command", GIVE, "--journal", "pit"]
    with subprocess.Popen(command, start_new_session=True) as process:
        command_began()
        process.kill()
    assert not Path("given").exists()
    Path("open").touch()
    assert main([*WATCH, "--command", GIVE, "--journal", "pit", "--once"]) == 0
    total = sum(len(json.loads(line).get("alerts", ())) for line in Path("pit").read_text().splitlines())
    assert total > 10
    assert set(given()) == {*range(1, total + 1)}
    assert given().total() <= total + 1
