"""`counting watch`: what it prints, where alerts go, its page and view, its exit status."""

import json
import os
import re
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path

import polars as pl
import pytest
from rich.console import Console
from twins.streams import GAME, lines, records

from counting.cli import main
from counting.live import TerminalView, Watch, WatchSettings, command_of, table_rows
from counting.live.records import InputLine
from counting.reports.watch import Page


@pytest.fixture
def live(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("counting.live.delivery.PAUSE", 0.01)
    path = tmp_path / "live.jsonl"
    path.write_bytes(b"".join(lines(records("7", 2, 2))))
    return path


def watch(*more: str) -> int:
    return main(["watch", "ez-baccarat", "--coups", "live.jsonl", "--once", *more])


def test_a_line_a_coup_and_alerts_apart(live: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert watch("--most-bet", "500", "dragon-7=50", "--rule", "edge > 2% for dragon-7", "--alerts", "a.jsonl") == 0
    out, err = capsys.readouterr()
    coups = [line for line in out.splitlines() if "cards unseen" in line]
    assert len(coups) == live.read_bytes().count(b'"player": "')
    assert coups[0] == "table 7, shoe 0, coup 1: 410 cards unseen, no bet has a positive edge"
    alerts = [json.loads(line) for line in Path("a.jsonl").read_text().splitlines()]
    assert err.startswith("ALERT 1: table 7, shoe 1, after coup ")
    for alert in alerts:
        assert alert["bet"] == "dragon-7"
        assert alert["worth"] == 50 * alert["edge"] > 1
        assert f"dragon-7 {100 * alert['edge']:+.2f}% (worth {alert['worth']:,.2f})" in out
    assert err.splitlines()[-1].startswith("counting: 1 table, ")


def test_json_has_every_bets_edge(live: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert watch("--format", "json", "--system", "dragon-7") == 0
    coups = [one for line in capsys.readouterr().out.splitlines() if "edges" in (one := json.loads(line))]
    assert set(coups[-1]["edges"]) == set(GAME.bet_names)
    assert set(coups[-1]["counts"]) == {"dragon-7"}
    assert coups[-1]["positive"] == {bet: edge for bet, edge in coups[-1]["edges"].items() if edge > 0}


def test_amounts_are_in_money(live: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with live.open("ab") as file:
        for amount in (25, 12.5, "1,000.05"):
            bet = {"table": "8", "shoe": 1, "coup": 1, "patron": "Ann", "bet": "player", "amount": amount}
            file.write(json.dumps(bet).encode() + b"\n")
    assert watch("--format", "json", "--rule", "stake > 20 for player", "--alerts", "a.jsonl") == 0
    bets = [one for line in capsys.readouterr().out.splitlines() if (one := json.loads(line)).get("table") == "8"]
    assert [bet["amount"] for bet in bets] == [25, 12.5, 1000.05]
    alerts = map(json.loads, Path("a.jsonl").read_text().splitlines())
    assert [alert["stake"] for alert in alerts if alert["table"] == "8"] == [25, 1000.05]


def test_the_command_gets_each_alert_and_no_shell(live: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = "import sys; open('sent', 'a').write(sys.argv[1] + ' ' + sys.stdin.read())"
    words = json.dumps([sys.executable, "-c", program, "$(touch hacked)"])
    assert watch("--rule", "edge > 2% for dragon-7", "--command", words, "--format", "none") == 0
    sent = Path("sent").read_text().splitlines()
    alerts = [json.loads(line.removeprefix("$(touch hacked) ")) for line in sent]
    assert [alert["alert"] for alert in alerts] == [*range(1, len(sent) + 1)]
    said = [line for line in capsys.readouterr().err.splitlines() if line.startswith("ALERT ")]
    assert [alert["text"] for alert in alerts] == said
    assert sent
    assert not Path("hacked").exists()
    assert watch("--rule", "edge > 2% for dragon-7", "--command", "./none", "--format", "none") == 0
    err = capsys.readouterr().err
    assert "alert 1 was not given: the command ./none cannot be run: No such file or directory; this was" in err
    assert f"counting: {len(sent)} alerts could not be given: the command ./none" in err


def test_standard_input_is_read_to_its_end(
    live: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Standard input is a pipe, and the last line does not end with a line break."""
    raw = live.read_bytes().rstrip(b"\n")
    end, begin = os.pipe()
    with os.fdopen(end) as source, ThreadPoolExecutor() as other:
        monkeypatch.setattr(sys, "stdin", source)
        written = other.submit(filled, begin, raw)
        assert main(["watch", "ez-baccarat", "--coups", "-"]) == 0
    assert written.result() is None
    out, err = capsys.readouterr()
    assert out.count("cards unseen") == raw.count(b'"player": "')
    assert "not read" not in err


def filled(pipe: int, raw: bytes) -> None:
    """Write into a pipe in pieces, and close it."""
    with os.fdopen(pipe, "wb", buffering=0) as file:
        for at in range(0, len(raw), 10_000):
            file.write(raw[at : at + 10_000])


SAMPLES = Path(__file__).parent.parent / "data" / "logs"


def test_frames_and_card_rows_are_followed_and_what_is_not_complete_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    frames = (SAMPLES / "shoe.hex").read_text().splitlines()
    last = max(at for at, frame in enumerate(frames) if frame.split()[2] == "49")
    (tmp_path / "shoe.hex").write_text("\n".join(frames[: last + 1]) + "\n")
    for name in ("coups", "cards"):
        rows = pl.read_parquet(SAMPLES / "same" / "card-rows" / "card-rows" / f"{name}.parquet")
        rows.write_csv(tmp_path / f"{name}.csv")
    command = ["watch", "ez-baccarat", "--once", "--format", "json", "--coups"]
    assert main([*command, str(tmp_path / "shoe.hex"), "--layout", "electronic-shoe"]) == 0
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 19
    assert "1 coup has begun and is not complete; incomplete coups are not counted" in err
    assert main([*command, str(tmp_path / "coups.csv"), "--layout", "card-rows"]) == 0
    out, err = capsys.readouterr()
    assert {(record["shoe"], record["coup"]) for record in map(json.loads, out.splitlines())} == {
        (shoe, coup) for shoe in "01" for coup in range(1, 21)
    }
    assert "not complete" not in err
    assert main([*command, "-", "--layout", "card-rows"]) == 2
    assert "--coups -: a layout whose cards have a table of their own" in capsys.readouterr().err


def test_a_log_of_which_too_little_is_read_ends_with_status_2(live: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = live.read_bytes()
    live.write_bytes(good + b"rubbish\n" * 3 + good.splitlines()[0])
    assert watch() == 2
    out, err = capsys.readouterr()
    assert "not JSON" in out
    assert "counting: 3 of " in err
    assert "the last line has no line break, and is not read until it has one" in err
    live.write_bytes(b"")
    assert watch() == 2


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (("--webhook", "ftp://a/b"), "--webhook ftp://a/b: should be a URL as https://"),
        (("--most-bet", "lots"), "--most-bet lots: should be an amount as 500, or one bet's as dragon-7=100"),
        (("--raised", "1"), "--raised: 1, should be a number above 1"),
        (("--refresh", "0"), "--refresh: 0, should be a whole number from 1 to 3,600"),
        (("--command", '["a", 1]'), '--command ["a", 1]: should be a program, or a list as'),
        (("--rule", "edge > x"), "--rule 'edge > x': 'x': should be a number"),
        (("--coups", "none.csv"), "none.csv: no such file"),
    ],
)
def test_a_mistake_gets_a_line(
    options: tuple[str, ...], line: str, live: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["watch", "ez-baccarat", "--once", *(() if "--coups" in options else ("--coups", "live.jsonl")), *options]
    assert main(command) == 2
    assert line in capsys.readouterr().err


def test_a_command_is_a_program_or_a_list_of_arguments() -> None:
    assert command_of("/bin/notify me") == ["/bin/notify me"]
    assert command_of('["notify", "--to", "pit"]') == ["notify", "--to", "pit"]


def dealt(*tables: str) -> Watch:
    watch = Watch(WatchSettings(GAME, 8, most_bet={"dragon-7": 100.0}))
    for seed, table in enumerate(tables, 1):
        watch.take([InputLine(0, line, 0, 0) for line in lines(records(table, 1, seed))])
    return watch


def test_the_view_shows_the_table_with_the_best_bet_first(capsys: pytest.CaptureFixture[str]) -> None:
    watch = dealt("one", "[b]two[/b]")
    with TerminalView(watch.settings, Console(width=120, force_terminal=False)) as view:
        view.show(watch)
    shown = capsys.readouterr().out
    best = table_rows(watch)
    assert best[0].edge is not None
    assert f"{100 * best[0].edge:+.2f}%" in shown
    assert "[b]two[/b]" in shown
    assert [row.edge for row in best] == sorted((row.edge or 0 for row in best), reverse=True)


def test_the_page_loads_itself_anew_and_escapes_what_others_wrote(tmp_path: Path) -> None:
    watch = dealt("<b>one</b>", "two")
    page = Page(tmp_path / "page.html", 3, lambda: "noon", print)
    page.show(watch)
    page.show(watch)
    page.close()
    html = (tmp_path / "page.html").read_text()
    assert '<noscript><meta http-equiv="refresh" content="3"></noscript>' in html
    assert '<body data-refresh="3">' in html
    assert "As of noon." in html
    assert "&lt;b&gt;one&lt;/b&gt;" in html
    assert "<b>one</b>" not in html
    head = re.search('<p class="headline">(.*?)</p>', html)
    best = table_rows(watch)[0]
    assert head is not None
    assert best.edge is not None
    if best.edge > 0:
        assert f'; the best is "{GAME.bet(best.bet).title}" at ' in unescape(head[1])
        assert f", with an edge of {100 * best.edge:+.2f}%" in head[1]
    else:
        assert "best" not in head[1]


def test_a_page_that_cannot_be_written_is_said_once_and_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At first the page's folder is missing; later another file, a letter, has the page's name. The page is tried again
    whether or not new lines come."""
    said: list[str] = []
    watch, path = dealt("one"), tmp_path / "in" / "page.html"
    path.parent.mkdir()
    page = Page(path, 1, lambda: "noon", said.append)
    monkeypatch.setattr(page, "_seconds", 0.02)
    path.parent.rmdir()
    page.show(watch)
    until(lambda: bool(said))
    page.show(watch)
    time.sleep(0.2)
    line = f"--page {path}: the folder {path.parent} is not there; it is tried again"
    assert said == [f"counting: the page cannot be written: {line}"]
    path.parent.mkdir()
    until(path.exists)
    path.write_text("Dear Ann")
    page.show(watch)
    until(lambda: len(said) == 2)
    page.close()
    assert path.read_text() == "Dear Ann"
    assert [line.partition(f"{path}: ")[2].partition(",")[0] for line in said[1:]] == 2 * ["holds other data"]


def until(so: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not so():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_once_reads_on_after_a_long_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The log has a line longer than one look at the file, and a line longer than a line may be."""
    stream = [record for record in records("A", 1, 1) if "player" in record]
    stream[7]["note"] = "x" * 300_000
    raw = lines(stream)
    raw.insert(20, b'{"x":"%s"}\n' % (b"x" * 3_000_000))
    (tmp_path / "live.jsonl").write_bytes(b"".join(raw))
    assert main(["watch", GAME.name, "--coups", str(tmp_path / "live.jsonl"), "--once", "--format", "none"]) == 2
    assert f"{len(stream)} coups, 0 bets, 0 alerts, 1 line not read" in capsys.readouterr().err


def test_a_watch_says_once_which_columns_it_guessed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    coups, bets = tmp_path / "coups.csv", tmp_path / "bets.csv"
    coups.write_text("shoe,hand_number,player_cards,banker_cards\n1,1,9h Kd,5c 2s\n1,2,2h 3d 4s,9c Kc\n")
    bets.write_text("shoe,coup,patron,bet,stake\n1,1,Ann,tie,5\n")
    files = ["--coups", str(coups), "--bets", str(bets)]
    assert main(["watch", "ez-baccarat", *files, "--once", "--format", "none"]) == 0
    said = capsys.readouterr().err
    assert said.count(f"{coups}: read by its headings: player from player_cards, banker from banker_cards") == 1
    assert said.count(f"{bets}: read by its headings: amount from stake") == 1
