"""The journal: a watch that is killed at any moment loses no line and counts none twice."""

import gc
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from extent import long_or
from twins import other_logs
from twins.seen_logs import chat_line
from twins.streams import GAME, interleaved, lines, records, with_corrections, with_mistyped_shoes

from counting import InputError
from counting.cli import main
from counting.live import (
    Alerts,
    InputLine,
    Journal,
    Watch,
    WatchSettings,
    keep,
    keeping,
    open_input,
    parse_rules,
    run_watch,
    take_up,
    watching,
)
from counting.live.alerting import Told
from counting.live.journal import JournalPlace
from counting.logs import load_layout
from counting.review.synthetic import Counter, Flat
from counting.systems import load_system

DRAGON = load_system("dragon-7")
RULES = (
    "edge > 2% for dragon-7", "trigger dragon-7", "stake > 50 and edge > 0", "cards < 390 for player",
    "cards < 250 for player",
)  # fmt: skip
SETTINGS = WatchSettings(GAME, 8, (DRAGON,), parse_rules(RULES, GAME, (DRAGON,), False))
PATRONS = {"Ann": Flat("dragon-7", 25.0, 0.3), "Cat": Counter("dragon-7", 100, DRAGON)}


@pytest.fixture(autouse=True)
def no_collection(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip garbage collection: over all that the tests import, it takes ten times as long as a small watch."""
    monkeypatch.setattr(gc, "collect", lambda *_: 0)


def stream(tables: int, shoes: int = 1, coups: int | None = None) -> list[bytes]:
    each = [records(f"table {at}", shoes, at, PATRONS)[:coups] for at in range(tables)]
    return lines(interleaved(*each))


def watched(
    folder: Path, journal: str = "journal", tell: Callable[[str], object] = print, keeps: bool = False,
    layout: str | None = None,
) -> Watch:  # fmt: skip
    """Run a watch of `live.jsonl` to its end, with a journal."""
    watch = Watch(SETTINGS, None if layout is None else load_layout(layout))
    inputs = {0: open_input(str(folder / "live.jsonl"), 0)}
    kept = Journal(folder / journal, SETTINGS.to_dict())
    alerts = Alerts(folder / f"{journal}.alerts", (), folder / f"{journal}.told", tell, lambda: "now")
    try:
        take_up(watch, kept, inputs, alerts)
        run_watch(watch, inputs, alerts, kept, once=True)
        if keeps:
            keep(watch, kept)
    finally:
        for part in (kept, alerts, inputs[0]):
            part.close()
    return watch


def numbers(path: Path) -> list[int]:
    return [json.loads(line)["alert"] for line in path.read_text().splitlines()]


# Inputs of several kinds


def as_csv(stream: Sequence[dict[str, Any]]) -> list[bytes]:
    columns = ("table", "shoe", "coup", "player", "banker", "burn")
    rows = [",".join(str(record.get(name, "")) for name in columns) for record in stream if "player" in record]
    return [f"{row}\n".encode() for row in (",".join(columns), *rows)]


def frames(coups: int) -> list[bytes]:
    """The frames of an electronic shoe, several on a line."""
    shoe = pl.DataFrame([record for record in records("A", 1, 1) if "player" in record][:coups])
    shoe = shoe.with_columns(winner=pl.lit("tie"))
    with tempfile.TemporaryDirectory() as folder:
        text = other_logs.frames(Path(folder), shoe)[0].read_text().splitlines()
    cuts = np.sort(np.random.default_rng(2).integers(1, len(text), len(text) // 3)).tolist()
    parts = [text[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    return [f"{' '.join(part)}\n".encode() for part in parts if part]


def states(coups: int) -> list[bytes]:
    shoe = pl.DataFrame([record for record in records("A", 1, 1) if "player" in record][:coups])
    return lines(other_logs.states(shoe.with_columns(winner=pl.lit(""))))


def chat(coups: int) -> list[bytes]:
    """The lines of a chat, with a line before each shoe."""
    rows = [record for record in records("A", 3, 1) if "player" in record and record["coup"] <= coups // 2]
    said = []
    for at, row in enumerate(rows):
        said += ["Shuffling"] * (row["coup"] == 1)
        said += ["nice"] * (at % 7 == 3)
        said.append(chat_line({**row, "winner": "tie"}, 61 + at))
    return [f"{line}\n".encode() for line in said]


def feed(name: str, coups: int) -> list[bytes]:
    """The lines of an input of this kind."""
    two = interleaved(*(records(f"table {at}", 2, at, PATRONS)[: 2 * coups] for at in range(2)))
    match name:
        case "csv":
            return as_csv(two)
        case "utf-16":
            return [line.decode().encode("utf-16-le") for line in as_csv(two)]
        case "frames":
            return frames(coups)
        case "states":
            return states(coups)
        case "chat":
            return chat(coups)
        case "corrections":
            return lines(with_corrections(two))
        case "mistyped shoes":
            return lines(with_mistyped_shoes(two))
    return lines(two)


KINDS = ["json lines", "corrections", "csv", "utf-16", "frames", "states", "chat", "mistyped shoes"]
CHAT = r"""
[file]
line = '#N(?P<coup>[0-9]+) [0-9] \((?P<player>[^)]*)\) - [0-9] \((?P<banker>[^)]*)\)'
shoe_line = "Shuffling"
[coups]
table = "constant"
"""
LAYOUTS = {"frames": "electronic-shoe", "states": "live-dealer-states"}


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in long_or((), ("json lines", "csv"))])
def test_a_journal_cut_anywhere_goes_on_to_the_same_bytes(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The journal is cut within its records or left whole. A state may be saved that is older or newer than the cut.
    Inputs with corrections and in UTF-16 are JSON lines and CSV too."""
    monkeypatch.setattr(keeping, "EVERY", 23)
    monkeypatch.setattr(keeping, "TURN", 0.0)  # one table per turn
    monkeypatch.setattr(watching, "_TOGETHER", 3)
    raw = feed(kind, long_or(70, 40))
    (tmp_path / "chat.toml").write_text(CHAT)
    live, layout = tmp_path / "live.jsonl", str(tmp_path / "chat.toml") if kind == "chat" else LAYOUTS.get(kind)
    live.write_bytes(b"".join(raw))
    sent: list[str] = []
    watched(tmp_path, "whole", sent.append, layout=layout)
    whole, alerts = (tmp_path / "whole").read_bytes(), (tmp_path / "whole.alerts").read_bytes()
    assert len(sent) == len(numbers(tmp_path / "whole.alerts")) > 1
    rng = np.random.default_rng(1)
    for at in range(long_or(100, 2)):  # first a state newer than the cut, then an older state and no cut
        live.write_bytes(b"".join(raw)[: int(rng.integers(0, sum(map(len, raw))))])
        (tmp_path / "journal").write_bytes(b"")
        for name in ("journal.alerts", "journal.told"):
            (tmp_path / name).unlink(missing_ok=True)  # the state of another journal may stay
        watched(tmp_path, tell=sent.append, keeps=at % 3 != 1, layout=layout)
        kept = (tmp_path / "journal").read_bytes()
        assert whole.startswith(kept)
        if not at % 2:
            (tmp_path / "journal").write_bytes(kept[: int(rng.integers(0, len(kept) + 1))])
        live.write_bytes(b"".join(raw))
        watch = watched(tmp_path, tell=sent.append, layout=layout)
        assert (tmp_path / "journal").read_bytes() == whole, at
        assert (tmp_path / "journal.alerts").read_bytes() == alerts, at
        assert watch.numbers["part"] + watch.numbers["coup"] + watch.numbers["bet"] > 50


def test_a_state_is_kept_in_pieces_while_lines_come(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def at_once(_: Journal, then: Callable[[], None]) -> Future[None]:
        then()
        on_disk = Future[None]()
        on_disk.set_result(None)
        return on_disk

    monkeypatch.setattr(Journal, "after_sync", at_once)  # saving a state begins once the state before is on disk
    raw = lines(with_corrections(interleaved(*(records(f"table {at}", 1, at, PATRONS)[:40] for at in range(7)))))
    for stop in np.random.default_rng(4).integers(100, len(raw), long_or(20, 2)).tolist():
        ends = np.cumsum([len(line) for line in raw]).tolist()
        every = [InputLine(0, *each) for each in zip(raw, ends, range(1, len(raw) + 1), strict=True)]
        (tmp_path / "live.jsonl").write_bytes(b"".join(raw))
        for path in tmp_path.glob("j*"):
            path.unlink()
        watch, journal = Watch(SETTINGS), Journal(tmp_path / "journal", SETTINGS.to_dict())
        list(journal.records())
        keeper = keeping.Keeper(watch, journal, 50)
        for line in every[:stop]:
            journal.append([answer.record for answer in watch.take([line])])
            keeper.turn(0.0)
        keeper.close()
        journal.close()
        second, again = Watch(SETTINGS), Journal(tmp_path / "journal", SETTINGS.to_dict())
        inputs = {0: open_input(str(tmp_path / "live.jsonl"), 0)}
        alerts = Alerts(None, (), None, lambda _: None, lambda: "now")
        number = take_up(second, again, inputs, alerts)
        assert 7 <= number < 50 + 2 * 10
        assert number < stop
        assert {table.name: table.kept() for table in second.tables} == {
            table.name: table.kept() for table in watch.tables
        }  # fmt: skip
        assert second.kept() == watch.kept()
        rest = [[answer.record for answer in each.take(every[stop:])] for each in (watch, second)]
        assert rest[0] == rest[1] != []
        for part in (again, inputs[0]):
            part.close()


def test_a_state_on_its_way_to_the_disk_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    watch, journal = Watch(SETTINGS), Journal(tmp_path / "journal", SETTINGS.to_dict())
    list(journal.records())
    keeper = keeping.Keeper(watch, journal, 1)
    journal.append([answer.record for answer in watch.take([InputLine(0, stream(1)[0], 9, 1)])])
    fsync = os.fsync
    monkeypatch.setattr(os, "fsync", lambda file: (time.sleep(0.1), fsync(file)))
    keeper.turn(1.0)
    assert not (tmp_path / "journal.state").exists()
    keeper.begin()
    assert (tmp_path / "journal.state").read_bytes().count(
        b"\n"
    ) == 4  # the state as saved: a head, a table, the watch, a digest
    keeper.close()
    journal.close()


def test_alerts_told_before_a_restart_are_not_told_again_and_those_not_told_are(tmp_path: Path) -> None:
    raw = stream(2)
    (tmp_path / "live.jsonl").write_bytes(b"".join(raw))
    sent: list[str] = []
    watched(tmp_path, tell=sent.append)
    first = list(sent)
    assert len(first) > 2
    watched(tmp_path, tell=sent.append)
    assert sent == first
    (tmp_path / "journal.told").write_bytes(Told(*3 * [len(first) - 1]).to_bytes())
    watched(tmp_path, tell=sent.append)
    assert sent == [*first, first[-1]]


def test_a_state_that_was_kept_spares_reading_the_journal_again(tmp_path: Path) -> None:
    raw = stream(2, coups=60)
    live, state = tmp_path / "live.jsonl", tmp_path / "journal.state"
    live.write_bytes(b"".join(raw[:70]))
    watched(tmp_path, keeps=True)
    live.write_bytes(b"".join(raw[:90]))
    watched(tmp_path)
    good = state.read_bytes()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "live.jsonl").write_bytes(b"".join(raw[:10] + raw[30:90]))
    watched(tmp_path / "other", keeps=True)
    of_another = (tmp_path / "other" / "journal.state").read_bytes()
    for kept_state, again in ((good, 20), (of_another, 91), (good[:-1], 91), (b"", 91), (None, 91)):
        if kept_state is None:
            state.unlink()
        else:
            state.write_bytes(kept_state)
        watch, kept = Watch(SETTINGS), Journal(tmp_path / "journal", SETTINGS.to_dict())
        inputs = {0: open_input(str(live), 0)}
        alerts = Alerts(None, (), None, print, lambda: "now")
        assert take_up(watch, kept, inputs, alerts) == again
        assert watch.numbers["coup"] + watch.numbers["bet"] == 90
        for part in (kept, alerts, inputs[0]):
            part.close()


# Damage


def damaged(data: bytes, other: bytes, rng: np.random.Generator, number: int) -> Iterator[tuple[str, bytes]]:
    """Damaged copies of a file, each with a name for the damage. Either one bit is flipped, at one of the first places
    or at random, or a line is lost, doubled, cut, exchanged with the next, or replaced by another run's."""
    for at in (*range(0, 24, 24 // min(24, number)), *rng.integers(0, len(data), number).tolist()):
        yield f"bit at {at}", data[:at] + bytes([data[at] ^ 1 << int(rng.integers(8))]) + data[at + 1 :]
    lines, others = data.splitlines(keepends=True), other.splitlines(keepends=True)
    for at in rng.integers(0, len(lines) - 1, number if len(lines) > 1 else 0).tolist():
        head, line, after, tail = lines[:at], lines[at], lines[at + 1], lines[at + 2 :]
        for did, piece in (
            ("lost", [after]), ("twice", [line, line, after]), ("exchanged", [after, line]),
            ("another's", [others[at % len(others)], after]),
        ):  # fmt: skip
            yield f"line {at} {did}", b"".join([*head, *piece, *tail])
        cut = int(rng.integers(1, len(line)))
        yield f"line {at} cut", b"".join([*head, line[cut:], after, *tail])


@pytest.mark.parametrize("kind", long_or(["json lines", "csv", "frames", "states"], ["json lines"]))
def test_a_watch_with_a_damaged_file_goes_on_rightly_or_says_which_is_damaged(kind: str, tmp_path: Path) -> None:
    """Damage to a state, to the number of the last alert sent or to a file of alerts only costs time, or sends an alert
    twice. Damage to the journal is noticed even if it lies before a good state."""
    raw, layout = feed(kind, 12), LAYOUTS.get(kind)
    live, other = tmp_path / "live.jsonl", tmp_path / "other"
    names = ("journal.state", "journal", "journal.told", "journal.alerts")
    other.mkdir()
    (other / "live.jsonl").write_bytes(b"".join(feed(kind, 13)[: len(raw) // 2]))
    watched(other, keeps=True, layout=layout)
    live.write_bytes(b"".join(raw))
    sent: list[str] = []
    watched(tmp_path, "whole", sent.append, layout=layout)
    for share, keeps in ((2, True), (1.5, False)):
        live.write_bytes(b"".join(raw[: int(len(raw) / share)]))
        watched(tmp_path, keeps=keeps, layout=layout)
    live.write_bytes(b"".join(raw))
    good = {name: (tmp_path / name).read_bytes() for name in names}
    whole = (tmp_path / "whole").read_bytes()
    alerts = (tmp_path / "whole.alerts").read_text().splitlines()
    number, rng = len(good["journal.alerts"].splitlines()), np.random.default_rng(5)
    refused: list[str] = []
    for name in names:
        for what, bad in damaged(good[name], (other / name).read_bytes(), rng, long_or(40, 4)):
            if bad == good[name]:
                continue
            for each, data in good.items():
                (tmp_path / each).write_bytes(bad if each == name else data)
            later: list[str] = []
            try:
                watched(tmp_path, tell=later.append, layout=layout)
            except InputError as error:
                refused.append(f"{name}, {what}: {error}")
                continue
            assert (tmp_path / "journal").read_bytes() == whole, (name, what)
            assert later[len(later) - len(sent) + number :] == sent[number:], (name, what)
            assert set(later) <= set(sent), (name, what)
            lines = (tmp_path / "journal.alerts").read_text(errors="replace").splitlines()
            if name == "journal.alerts":
                assert len(set(alerts) - set(lines)) <= 2, what
            else:
                assert lines == alerts, (name, what)
    assert len(refused) > 2
    line = re.compile(
        r"journal, .*/journal: line \d+ is not as counting watch wrote it: .* under another name \(--journal\)"
    )
    assert all(map(line.match, refused)), refused


def test_every_byte_that_changed_before_a_good_state_is_noticed_and_its_line_named(tmp_path: Path) -> None:
    (tmp_path / "live.jsonl").write_bytes(b"".join(stream(1, coups=6)))
    watched(tmp_path, keeps=True)
    good = (tmp_path / "journal").read_bytes()
    head = json.loads((tmp_path / "journal.state").read_bytes().splitlines()[0])
    place = JournalPlace(*head["from"])
    assert place.size == len(good) > 2000
    ends = np.cumsum([len(line) for line in good.splitlines(keepends=True)]).tolist()
    journal = Journal(tmp_path / "journal", SETTINGS.to_dict())
    assert journal.has_before(place, head["before"])
    with (tmp_path / "journal").open("rb+") as file:
        for at in range(len(good)):
            file.seek(at)
            file.write(bytes([good[at] ^ 1 << at % 8]))
            file.flush()
            assert not journal.has_before(place, head["before"]), at
            file.seek(at)
            file.write(good[at : at + 1])
    journal.close()
    for line, (begin, end) in enumerate(pairwise([0, *ends[:-1]]), 1):  # not the last line, which could be unfinished
        at = (begin + end) // 2
        (tmp_path / "journal").write_bytes(good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :])
        with pytest.raises(InputError, match=f"line {line} is not as counting watch wrote it"):
            watched(tmp_path)
    (tmp_path / "journal").write_bytes(good)
    assert watched(tmp_path).numbers.total() == 6


def test_a_damaged_number_of_the_last_alert_told_is_none(tmp_path: Path) -> None:
    """A damaged number counts as none, so alerts are sent twice. If it were taken for a higher number, alerts would be
    lost."""
    good = Told(7, 7, 7).to_bytes()
    for at, bit in product(range(len(good)), range(8)):
        (tmp_path / "told").write_bytes(good[:at] + bytes([good[at] ^ 1 << bit]) + good[at + 1 :])
        alerts = Alerts(None, (), tmp_path / "told", print, lambda: "now")
        assert alerts.told == Told()
        alerts.close()


def test_what_was_told_beside_another_journal_does_not_count(tmp_path: Path) -> None:
    (tmp_path / "live.jsonl").write_bytes(b"".join(stream(2)))
    sent: list[str] = []
    watched(tmp_path, tell=sent.append)
    whole = (tmp_path / "journal").read_bytes()
    (tmp_path / "journal").write_bytes(b"")
    (tmp_path / "live.jsonl").write_bytes(b"")
    watched(tmp_path)
    (tmp_path / "journal").write_bytes(whole)  # as if killed before it sent the first alert
    again: list[str] = []
    watched(tmp_path, tell=again.append)
    assert again == sent != []


def test_a_file_that_is_no_journal_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "live.jsonl").write_bytes(b"".join(stream(1)))
    for data in (b"my notes", b"my notes\n", b'{"n":0,"watch":1,', b"{"):
        (tmp_path / "journal").write_bytes(data)
        if data.startswith(b"{"):
            watched(tmp_path)
            continue
        with pytest.raises(InputError, match="line 1 is not as counting watch wrote it"):
            watched(tmp_path)
        assert (tmp_path / "journal").read_bytes() == data


# Kills


def arguments(folder: Path, journal: str, *more: str, coups: str = "") -> list[str]:
    return [
        "watch", "ez-baccarat", "--coups", coups or str(folder / "live.jsonl"),
        "--system", "dragon-7", "--rule", *RULES, "--journal", str(folder / journal), "--alerts",
        str(folder / f"{journal}.alerts"), "--format", "none", *more,
    ]  # fmt: skip


def started(folder: Path, arguments: list[str], **streams: Any) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-P", "-m", "counting.cli", *arguments]
    with (folder / "stderr").open("wb") as stderr:
        return subprocess.Popen(command, stderr=stderr, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"}, **streams)


GIVE = ["sh", "-c", "cat >> given; sleep 0.02"]  # so that alerts wait when the watch is killed


def killed(folder: Path, process: subprocess.Popen[bytes], size: int, seconds: float) -> None:
    """Kill a watch a while after its journal has grown beyond a size."""
    deadline = time.monotonic() + 60
    while not (folder / "journal").exists() or (folder / "journal").stat().st_size <= size:
        assert time.monotonic() < deadline
        assert process.poll() is None, (folder / "stderr").read_text()
        time.sleep(0.001)
    time.sleep(seconds)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()


def thousand_tables() -> list[bytes]:
    """An hour of a thousand tables."""
    each = [records(f"table {at}", 2, at, PATRONS)[:250] for at in range(40)]
    return lines(interleaved(*([record | {"table": f"table {at}"} for record in each[at % 40]] for at in range(1000))))


@pytest.mark.parametrize("kind", long_or([*KINDS, "a thousand tables"], ["corrections"]))
def test_a_watch_killed_at_random_moments_keeps_the_journal_of_an_undisturbed_one(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With --long: inputs of all kinds, and an hour of a thousand tables, each killed ten times. Every alert is given
    to the command at least once."""
    kills = long_or(10, 1)
    raw = thousand_tables() if kind == "a thousand tables" else feed(kind, 70)
    more = ("--layout", LAYOUTS[kind]) if kind in LAYOUTS else ()
    live = tmp_path / "live.jsonl"
    live.write_bytes(b"")
    give = () if kind == "a thousand tables" or sys.platform == "win32" else ("--command", json.dumps(GIVE))
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(3)
    done = 0
    for kill in range(kills):
        process = started(tmp_path, arguments(tmp_path, "journal", *more, *give), cwd=tmp_path)
        upto = len(raw) * (kill + 1) // (kills + 1)
        size = (tmp_path / "journal").stat().st_size if kill else 0
        with live.open("ab") as file:
            while done < upto:
                piece = b"".join(raw[done : done + int(rng.integers(1, 2 + len(raw) // 500))])
                done += piece.count(b"\n")
                cut = int(rng.integers(0, len(piece)))
                for part in (piece[:cut], piece[cut:]):  # a line may arrive in two pieces
                    file.write(part)
                    file.flush()
                    time.sleep(0.001)
        killed(tmp_path, process, size + 300, float(rng.uniform(0, 0.02)))
    with live.open("ab") as file:
        file.write(b"".join(raw[done:]))
    status = [
        main(arguments(tmp_path, journal, "--once", *more, *into))
        for journal, into in (("journal", give), ("whole", ()))
    ]
    assert status[0] == status[1]
    journal, whole = ((tmp_path / name).read_bytes() for name in ("journal", "whole"))
    assert journal == whole
    assert whole.count(b"\n") >= len(raw) + 2
    assert numbers(tmp_path / "journal.alerts") == numbers(tmp_path / "whole.alerts") != []
    if give:
        assert set(numbers(tmp_path / "given")) == set(numbers(tmp_path / "whole.alerts"))


def events(path: Path) -> list[dict[str, Any]]:
    """The records of coups and bets in a journal, without the fields that name places in the journal and in the
    input."""
    every = [json.loads(line) for line in path.read_bytes().splitlines()[1:]]
    places = ("n", "digest", "end", "line")
    return [{name: value for name, value in record.items() if name not in places}
            for record in every if record["did"] in ("coup", "bet")]  # fmt: skip


@pytest.mark.long
def test_standard_input_that_comes_again_after_a_kill_is_counted_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = feed("json lines", long_or(150, 60))
    live = tmp_path / "live.jsonl"
    live.write_bytes(b"".join(raw))
    assert main(arguments(tmp_path, "whole", "--once")) == 0
    rng = np.random.default_rng(4)
    for _ in range(long_or(10, 1)):
        process = started(tmp_path, arguments(tmp_path, "journal", coups="-"), stdin=subprocess.PIPE)
        assert process.stdin is not None
        size = (tmp_path / "journal").stat().st_size if (tmp_path / "journal").exists() else 0
        process.stdin.write(b"".join(raw)[: int(rng.integers(1000, live.stat().st_size))])
        process.stdin.flush()
        killed(tmp_path, process, size + 300, float(rng.uniform(0, 0.02)))
        process.stdin.close()
    with live.open() as file:
        monkeypatch.setattr(sys, "stdin", file)
        assert main(arguments(tmp_path, "journal", coups="-")) == 0
    assert events(tmp_path / "journal") == events(tmp_path / "whole") != []
    assert numbers(tmp_path / "journal.alerts") == numbers(tmp_path / "whole.alerts") != []


def test_lines_of_shoes_that_are_over_are_no_fault_where_standard_input_comes_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = tmp_path / "live.jsonl"
    first = [record for record in records("A", 2, 1) if "player" in record and record["coup"] <= 5]
    live.write_bytes(b"".join(lines(first)))
    for _ in range(2):
        with live.open() as file:
            monkeypatch.setattr(sys, "stdin", file)
            assert main(arguments(tmp_path, "journal", coups="-")) == 0
    assert len(events(tmp_path / "journal")) == len(first) == 10
    live.write_bytes(2 * live.read_bytes())
    assert main(arguments(tmp_path, "of-a-file", "--once")) == 2


def test_a_second_watch_of_the_same_journal_is_refused(tmp_path: Path) -> None:
    first = Journal(tmp_path / "j", {})
    with pytest.raises(InputError, match="another watch is writing it"):
        Journal(tmp_path / "j", {})
    first.close()


def edited(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    raw = path.read_text().splitlines()
    record = json.loads(raw[5])
    change(record)
    raw[5] = json.dumps(record, separators=(",", ":"))
    path.write_text("\n".join(raw) + "\n")


def test_a_journal_that_was_edited_or_is_of_another_watch_is_refused(tmp_path: Path) -> None:
    (tmp_path / "live.jsonl").write_bytes(b"".join(stream(1, coups=10)))
    watched(tmp_path)
    good = (tmp_path / "journal").read_bytes()
    other = Journal(tmp_path / "journal", SETTINGS.to_dict() | {"decks": 6})
    with pytest.raises(InputError, match=r"another decks \(8, 6\)"):
        list(other.records())
    other.close()
    edited(tmp_path / "journal", lambda record: record.update(left=0))
    with pytest.raises(InputError, match="line 6 is not as counting watch wrote it"):
        watched(tmp_path)
    (tmp_path / "journal").write_bytes(good)
    assert watched(tmp_path).numbers["coup"] == 10 - sum(b"patron" in line for line in stream(1, coups=10))


def test_a_file_put_in_the_place_of_the_one_that_was_read_begins_anew(tmp_path: Path) -> None:
    raw = stream(1, coups=40)
    (tmp_path / "live.jsonl").write_bytes(b"".join(raw[:20]))
    watched(tmp_path)
    (tmp_path / "live.jsonl").write_bytes(b"".join(raw[10:]))
    watch = watched(tmp_path)
    assert watch.numbers["anew"] == 1
    assert watch.numbers["again"] == 10
    assert watch.numbers["coup"] + watch.numbers["bet"] == 40


@pytest.mark.parametrize("keeps", [False, True])
@pytest.mark.parametrize("changed", [0, -3])
def test_a_file_filled_anew_with_the_same_last_line_begins_anew(tmp_path: Path, keeps: bool, changed: int) -> None:
    """On a restart, the first lines read are compared too, and several of the last, not only the last line."""
    old = stream(1, coups=20)
    (tmp_path / "live.jsonl").write_bytes(b"".join(old))
    watched(tmp_path, keeps=keeps)
    other = [*old]
    other[changed] = other[changed].replace(b'"table 0"', b'"table 9"')
    (tmp_path / "live.jsonl").write_bytes(b"".join(other))
    again = watched(tmp_path, keeps=keeps)
    assert {table.name for table in again.tables} == {"table 0", "table 9"}
    assert again.numbers["anew"] == 1
    assert watched(tmp_path, keeps=keeps).numbers["anew"] == 1  # the new file is now recognized
