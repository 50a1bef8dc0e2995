"""Tables under watch: begun by a form, their alerts seen and acknowledged, and taken up after a kill."""

import json
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

import pytest
from app.conftest import Served, serving
from app.test_jobs import BET
from app.test_jobs import number as number_of
from lighter import UNDRAWN
from twins.streams import lines, records

import counting
from counting.app.forms import bet_titles
from counting.app.studies import Studies
from counting.app.tables import _cells, _on_paper
from counting.app.watches import TableWatch, Watches, numbered
from counting.cli import main
from counting.errors import InputError
from counting.io.outputs import add_lines
from counting.reports.pages import render

if os.name == "posix":
    import fcntl

RULES = ("edge > 2%", "raise >= 2 and edge > 0")
FORM = {"game": "ez-baccarat", "coups": "live/T12.jsonl", "rule": "\n".join(RULES)}
STREAM = lines(records("7", 3, 2))


def until(is_so: Callable[[], object], seconds: float = 40) -> None:
    end = monotonic() + seconds
    while not is_so():
        assert monotonic() < end, "not so after all this time"
        sleep(0.05)


def add(file: Path, raw: list[bytes]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("ab") as opened:
        opened.writelines(raw)


def untimed(alerts: Path) -> list[bytes]:
    """A file's alerts byte for byte, each without the time at which it was written."""
    return [line.rpartition(b', "time": ')[0] for line in alerts.read_bytes().splitlines()]


def nobody_writes(journal: Path) -> bool:
    """Whether no watch has locked the journal. On Windows this is not known, and the answer is yes."""
    if os.name == "posix":
        with journal.open("ab") as file, suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
    return os.name != "posix"


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """The alerts of a watch that nothing interrupts."""
    folder = tmp_path_factory.mktemp("plain")
    log, alerts = folder / "live/T12.jsonl", folder / "alerts"
    add(log, STREAM)
    words = ["watch", "ez-baccarat", "--coups", str(log), "--rule", *RULES, "--once", "--format", "none"]
    assert main([*words, "--alerts", str(alerts)]) == 0
    return untimed(alerts)


@pytest.mark.usefixtures("undrawn", "few_weighted")  # as in the application
def test_a_killed_application_goes_on_with_its_watch_and_its_job(tmp_path: Path, plain: list[bytes]) -> None:
    """As if it had not been killed. A watch that was stopped stays off."""
    folder, third = tmp_path / "studies", len(STREAM) // 3
    live, address = folder / "live", folder / ".address"
    with serving(folder, **{UNDRAWN: "1"}) as served:
        add(live / "T12.jsonl", STREAM[:third])
        status, location, text = served.post("/table", FORM)
        assert (status, location) == (303, "/table/t12"), text
        add(live / "T12.jsonl", STREAM[third : 2 * third])
        until(lambda: numbered(live / "t12.alerts"))
        job = number_of(served.post("/ask/bet", {**BET, "shoes": "3000"}))
        until(lambda: [*(folder / "reports").rglob("*.parquet")])
        served.process.send_signal(signal.SIGKILL)
        served.process.wait()
        until(lambda: nobody_writes(live / "t12.journal"), 5)  # the watch ends with the application
        assert address.read_text() == (first := served.address)  # nobody answers there
    assert json.loads((folder / f"jobs/{job:05}.json").read_text())["state"] == "running"
    assert 0 < len(untimed(live / "t12.alerts")) < len(plain)
    before = (live / "t12.journal").read_bytes()
    add(live / "T12.jsonl", STREAM[2 * third :])  # while no watch runs
    with serving(folder, **{UNDRAWN: "1"}) as served:
        assert served.address != first
        assert address.read_text() == served.address
        until(lambda: len(numbered(live / "t12.alerts")) == len(plain))
        assert "On." in served.get("/table/t12")
        assert served.post("/table/t12/stop", {})[:2] == (303, "/table/t12")
        assert "Off." in served.get("/table/t12")
        assert "The command that makes this again" in served.finished(job)
        served.process.send_signal(signal.SIGTERM)
        served.process.wait(20)
    assert not address.exists()
    assert untimed(live / "t12.alerts") == plain
    assert (live / "t12.journal").read_bytes().startswith(before)
    studies = Studies(folder)
    with studies.opened():
        (watch,) = Watches(studies)
        assert (watch.on, watch.let_go(), watch.error) == (False, None, "")
    sent = counting.vulnerability("louisiana", "seven-seven-45", shoes=3000, system="seven-seven-45-level-1")
    held = json.loads((folder / "reports/louisiana-seven-seven-45-vulnerability/report.json").read_text())
    assert held == json.loads(json.dumps(sent.data))


@pytest.fixture(scope="module")
def watched(served: Served, plain: list[bytes]) -> Iterator[Served]:
    """An application that watches a table whose log is complete. All its watches are stopped at the end."""
    for room in ("live", "rules"):
        add(served.folder / room / "T12.jsonl", STREAM)
    assert served.post("/table", FORM)[0] == 303
    until(lambda: len(numbered(served.folder / "live/t12.alerts")) == len(plain))
    yield served
    for kept in (served.folder / "live").glob("*.json"):
        served.post(f"/table/{kept.stem}/stop", {})


@pytest.mark.long
def test_an_alert_is_acknowledged_once_by_whom_and_when(watched: Served) -> None:
    kept = watched.folder / "live/t12.acknowledged"
    form = {"alert": "2", "name": "  Ann  Lee & <b>Co</b> ", "show": "all"}
    status, location, _ = watched.post("/table/t12/acknowledge", form)
    assert (status, location) == (303, "/table/t12?show=all&name=++Ann++Lee+%26+%3Cb%3ECo%3C%2Fb%3E+#alerts")
    assert watched.post("/table/t12/acknowledge", form | {"name": "Bob"})[0] == 303
    (line,) = kept.read_text().splitlines()
    record = json.loads(line)
    assert (record["alert"], record["name"]) == (2, "Ann Lee & <b>Co</b>")
    page = watched.get("/table/t12?show=acknowledged")
    assert f"Ann Lee &amp; &lt;b&gt;Co&lt;/b&gt;, {record['time'][:19]}" in page
    assert "<b>" not in page
    assert 'id="alert-2"' not in watched.get("/table/t12?show=open")
    assert 'id="alert-3"' in watched.get("/table/t12?show=open")


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"alert": "99", "name": "Ann"}, "alert 99: is not there"),
        ({"alert": "x", "name": "Ann"}, "alert 0: is not there"),
        ({"alert": "3", "name": "  "}, "name: &#39;&#39;, should be your name"),
        ({"alert": "3", "name": "A" * 121}, "should be your name, of 120 characters at most"),
        ({"alert": "3", "name": "A\x1bB"}, "should be your name"),
    ],
)
def test_what_is_no_acknowledgement_is_refused(watched: Served, form: dict[str, str], words: str) -> None:
    status, _, text = watched.post("/table/t12/acknowledge", form)
    assert (status, words in text) == (400, True)
    assert 'id="alert-3"' in watched.get("/table/t12")


def test_a_line_cut_short_by_a_power_cut_takes_no_other_with_it(tmp_path: Path) -> None:
    path = tmp_path / "x.acknowledged"
    path.write_bytes(b'{"alert": 1, "name": "Ann"}\n{"alert": 2, "na')
    assert {*numbered(path)} == {1}
    for name in ("Bob", "Eve"):
        add_lines(path, json.dumps({"alert": 2, "name": name}) + "\n")
    assert {number: line["name"] for number, line in numbered(path).items()} == {1: "Ann", 2: "Bob"}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"coups": "-"}, "coups: &#39;-&#39; is not in live or logs, should be a file there: live/"),
        ({"coups": "none.jsonl"}, "coups: &#39;none.jsonl&#39; is not in live or logs, should be a file there: live/"),
        ({"coups": "/etc/passwd"}, "coups: &#39;/etc/passwd&#39;: should be a file in"),
        ({"coups": "live/../../x"}, "coups: &#39;live/../../x&#39;: should be a file in"),
        ({"coups": "rules/T12.jsonl"}, "coups: &#39;rules/T12.jsonl&#39;: should be a file in live or logs"),
        ({"coups": "live/../rules/T12.jsonl"}, "coups: &#39;live/../rules/T12.jsonl&#39;: should be a file in"),
        ({"coups": "live/none.jsonl"}, "coups: live/none.jsonl: is not there"),
        ({"game": "../x.toml"}, "game: &#39;../x.toml&#39;: should be a file in"),
        ({"game": "--webhook"}, "game &#39;--webhook&#39;: should be"),
        ({"rule": "edge > 2"}, "2 is 200%, should be written with the sign, as 2%"),
        (
            {"rule": "--webhook=http://x"},
            "rule &#39;--webhook=http://x&#39;: &#39;--webhook&#39;: should be edge, worth",
        ),
        ({"rule": "trigger dragon-7"}, "should be given by system"),
        ({"rule": "worth > 3"}, "worth: needs most_bet"),
        ({"system": "/etc/passwd"}, "system: &#39;/etc/passwd&#39;: should be a file in"),
        ({"raised": "0"}, "raised: 0, should be a number above 1"),
        ({"rule": "<script>alert(1)</script>"}, "&lt;script&gt;"),
        ({"layout": "<b>x</b>"}, "&lt;b&gt;x&lt;/b&gt;"),
    ],
)
def test_what_cannot_be_watched_is_said_by_its_field(watched: Served, change: dict[str, str], words: str) -> None:
    before = sorted((watched.folder / "live").glob("*.json"))
    status, _, text = watched.post("/table", FORM | change)
    assert (status, words in text) == (400, True)
    assert "<script>alert" not in text
    assert "<b>" not in text
    assert sorted((watched.folder / "live").glob("*.json")) == before


def test_markup_in_a_log_is_text(watched: Served) -> None:
    name = "<img src=x onerror=alert(1)>"
    stream = [record | {"table": name} for record in records("7", 2, 2)]
    add(watched.folder / f"live/{name.replace('=', '')[:8]}x.jsonl", lines(stream))
    assert watched.post("/table", FORM | {"coups": "live/<img srcx.jsonl"})[1] == "/table/img-srcx"
    until(lambda: 'id="alert-1"' in watched.get("/table/img-srcx"))
    until((watched.folder / "live/img-srcx.html").exists)
    for page in ("/table", "/table/img-srcx", "/table/img-srcx/now"):
        text = watched.get(page)
        assert "&lt;img src" in text, page
        assert "<img" not in text, page


def test_a_watch_that_ends_by_a_mistake_shows_its_line(watched: Served) -> None:
    (watched.folder / "logs/other.jsonl").write_bytes(b"".join(STREAM[:9]))
    (watched.folder / "live/other.html").write_text("a page of somebody else")
    assert watched.post("/table", FORM | {"coups": "logs/other.jsonl"})[1] == "/table/other-2"  # other.html stays
    watched.post("/table/other-2/stop", {})
    (watched.folder / "live/other-2.journal").write_text("no journal\n")
    assert watched.post("/table/other-2/start", {})[0] == 303
    until(lambda: "is not as counting watch wrote it" in watched.get("/table/other-2"))
    assert "Off." in watched.get("/table/other-2")
    kept = json.loads((watched.folder / "live/other-2.json").read_text())
    assert (kept["on"], "line 1 is not as counting watch wrote it" in kept["error"]) == (False, True)


def test_the_same_watch_again_is_the_same(watched: Served) -> None:
    assert watched.post("/table", FORM)[1] == "/table/t12"
    assert watched.post("/table", FORM | {"rule": "edge > 3%"})[1] == "/table/t12-2"
    assert watched.post("/table/t12-2/stop", {})[0] == 303
    assert "edge &gt; 3%" in watched.get("/table?from=t12-2")


def test_its_command_is_the_ordinary_one(watched: Served) -> None:
    files = "--journal live/t12.journal --alerts live/t12.alerts --page live/t12.html --format none"
    rule = "&#39;edge &gt; 2%&#39; &#39;raise &gt;= 2 and edge &gt; 0&#39;"
    line = f"counting watch ez-baccarat --coups live/T12.jsonl --rule {rule} {files}"
    assert line in watched.get("/table/t12")


def test_no_more_watches_than_may_be_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("counting.app.watches.MOST", 2)
    studies = Studies(tmp_path)
    with studies.opened():
        add(tmp_path / "live/T12.jsonl", STREAM)
        watches = Watches(studies)
        try:
            arguments = [{"game": "ez-baccarat", "coups": "live/T12.jsonl", "decks": str(decks)} for decks in (6, 7, 8)]
            assert [watches.begin(each) for each in arguments[:2]] == ["t12", "t12-2"]
            with pytest.raises(InputError, match="2 watches are on, should be fewer"):
                watches.begin(arguments[2])
            assert [watch.name for watch in watches] == ["t12", "t12-2"]
            watches["t12"].stop()
            assert watches.begin(arguments[2]) == "t12-3"
            with pytest.raises(InputError, match="2 watches are on"):
                watches.start(watches["t12"])
        finally:
            watches.close()


def test_a_watch_whose_log_is_gone_is_off_after_a_restart(tmp_path: Path) -> None:
    studies = Studies(tmp_path)
    kept = {"arguments": {"game": "ez-baccarat", "coups": "logs/gone.jsonl"}, "on": True, "error": ""}
    with studies.opened():
        (tmp_path / "live/w.json").write_text(json.dumps(kept))
        (tmp_path / "live/other.json").write_text('{"of": "somebody else"}')
        (watch,) = Watches(studies)
        assert (watch.on, watch.error) == (False, "coups: logs/gone.jsonl: is not there")
        assert json.loads((tmp_path / "live/w.json").read_text())["on"] is False


def test_a_second_start_leads_to_the_first(served: Served, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["app", str(served.folder), "--no-open"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == served.address
    kept = served.folder / ".address"
    assert kept.read_text() == served.address
    assert os.name != "posix" or kept.stat().st_mode & 0o777 == 0o600
    assert served.ask("GET", "/files/.address")[0] == 400


def test_a_bet_in_an_alert_has_its_title() -> None:
    alert = {"alert": 1, "table": "T", "shoe": "7", "after": 3, "rule": "edge > 2%", "bet": "dragon-7", "edge": 0.03}
    cells = _cells(alert, bet_titles("ez-baccarat"))
    assert (cells["what"], cells["edge"]) == ('"Dragon 7, 40 to 1", rule edge > 2%', "+3.00%")


def test_alerts_on_paper_have_who_acknowledged_them_and_when(tmp_path: Path) -> None:
    (tmp_path / "live").mkdir()
    watch = TableWatch(Studies(tmp_path), "t12", {"game": "ez-baccarat", "coups": "live/T12.jsonl"})
    for number in (1, 2):
        alert = {
            "alert": number,
            "table": "T12",
            "shoe": "7",
            "after": 3,
            "rule": "edge > 2%",
            "bet": "<b>",
            "edge": 0.03,
        }
        add_lines(watch.file("alerts"), json.dumps(alert) + "\n")
    watch.acknowledge(2, "Ann <i>Lee</i>")
    page = render(_on_paper(watch))
    assert "Alerts: 2. Acknowledged: 1. Open: 1." in page
    assert "Ann &lt;i&gt;Lee&lt;/i&gt;" in page
    assert str(watch.acknowledged[2]["time"]) in page
    assert "<b>" not in page
    assert "<i>" not in page
