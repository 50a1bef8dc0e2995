"""The journal: a watch that is killed at any moment loses no line and counts none twice."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from extent import long_or
from twins.streams import GAME, interleaved, lines, records

from counting import InputError
from counting.audit.synthetic import Counter, Flat
from counting.cli import main
from counting.systems import load_system
from counting.watch import Alerts, Journal, Settings, Watch, keep, open_input, parse_rules, run, take_up

DRAGON = load_system("dragon-7")
RULES = ("edge > 2% for dragon-7", "trigger dragon-7", "stake > 50 and edge > 0")
SETTINGS = Settings(GAME, 8, (DRAGON,), parse_rules(RULES, GAME, (DRAGON,), False))
PATRONS = {"Ann": Flat("dragon-7", 25.0, 0.3), "Cat": Counter("dragon-7", 100, DRAGON)}


def stream(tables: int, shoes: int = 1, coups: int | None = None) -> list[bytes]:
    each = [records(f"table {at}", shoes, at, PATRONS)[:coups] for at in range(tables)]
    return lines(interleaved(*each))


def watched(
    folder: Path, journal: str = "journal", tell: Callable[[str], object] = print, keeps: bool = False
) -> Watch:
    """One watch of `live.jsonl` to its end."""
    watch = Watch(SETTINGS)
    inputs = {0: open_input(str(folder / "live.jsonl"), 0)}
    kept = Journal(folder / journal, SETTINGS.to_dict())
    alerts = Alerts(folder / f"{journal}.alerts", (), folder / f"{journal}.told", tell, lambda: "now")
    try:
        take_up(watch, kept, inputs, alerts)
        run(watch, inputs, alerts, kept, once=True)
        if keeps:
            keep(watch, kept)
    finally:
        for part in (kept, alerts, inputs[0]):
            part.close()
    return watch


def numbers(path: Path) -> list[int]:
    return [json.loads(line)["alert"] for line in path.read_text().splitlines()]


def test_a_journal_cut_anywhere_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    raw = stream(2, coups=70)
    live = tmp_path / "live.jsonl"
    live.write_bytes(b"".join(raw))
    told: list[str] = []
    watched(tmp_path, "whole", told.append)
    whole, alerts = (tmp_path / "whole").read_bytes(), (tmp_path / "whole.alerts").read_bytes()
    assert len(told) == len(numbers(tmp_path / "whole.alerts")) > 2
    rng = np.random.default_rng(1)
    for at in rng.integers(0, len(whole), long_or(200, 4)).tolist():
        live.write_bytes(b"".join(raw[: int(rng.integers(0, len(raw)))]))
        (tmp_path / "journal").write_bytes(b"")
        for name in ("journal.alerts", "journal.told"):
            (tmp_path / name).unlink(missing_ok=True)  # the state of another journal may be there
        watched(tmp_path, tell=told.append, keeps=bool(at % 3))
        kept = (tmp_path / "journal").read_bytes()
        assert whole.startswith(kept)
        if not at % 2:
            (tmp_path / "journal").write_bytes(kept[:at])
        live.write_bytes(b"".join(raw))
        watched(tmp_path, tell=told.append)
        assert (tmp_path / "journal").read_bytes() == whole, at
        assert (tmp_path / "journal.alerts").read_bytes() == alerts, at


def test_alerts_told_before_a_restart_are_not_told_again_and_those_not_told_are(tmp_path: Path) -> None:
    raw = stream(2)
    (tmp_path / "live.jsonl").write_bytes(b"".join(raw))
    told: list[str] = []
    watched(tmp_path, tell=told.append)
    first = list(told)
    assert len(first) > 2
    watched(tmp_path, tell=told.append)
    assert told == first
    (tmp_path / "journal.told").write_text(f"{len(first) - 1:>19}\n")
    watched(tmp_path, tell=told.append)
    assert told == [*first, first[-1]]


def test_a_state_that_was_kept_spares_reading_the_journal_again(tmp_path: Path) -> None:
    raw = stream(2, coups=60)
    live = tmp_path / "live.jsonl"
    live.write_bytes(b"".join(raw[:70]))
    watched(tmp_path, keeps=True)
    live.write_bytes(b"".join(raw[:90]))
    watched(tmp_path)
    state = tmp_path / "journal.state"
    of_another = json.loads(state.read_text())
    of_another["ends"]["0"]["crc"] += 1
    for kept_state, again in ((state.read_text(), 20), (json.dumps(of_another), 91), ("{", 91)):
        state.write_text(kept_state)
        watch, kept = Watch(SETTINGS), Journal(tmp_path / "journal", SETTINGS.to_dict())
        inputs = {0: open_input(str(live), 0)}
        alerts = Alerts(None, (), None, print, lambda: "now")
        assert take_up(watch, kept, inputs, alerts) == again
        assert watch.numbers["coup"] + watch.numbers["bet"] == 90
        for part in (kept, alerts, inputs[0]):
            part.close()


def arguments(folder: Path, journal: str, *more: str) -> list[str]:
    return [
        "watch", "ez-baccarat", "--coups", str(folder / "live.jsonl"),
        "--system", "dragon-7", "--rule", *RULES, "--journal", str(folder / journal), "--alerts",
        str(folder / f"{journal}.alerts"), "--format", "none", *more,
    ]  # fmt: skip


def test_a_watch_killed_at_random_moments_keeps_the_journal_of_an_undisturbed_one(tmp_path: Path) -> None:
    """With --long: an hour of a thousand tables, killed ten times."""
    tables, coups, kills = long_or(1000, 6), long_or(250, 60), long_or(10, 1)
    each = [records(f"table {at}", 2, at, PATRONS)[:coups] for at in range(min(tables, 40))]
    every = [[record | {"table": f"table {at}"} for record in each[at % len(each)]] for at in range(tables)]
    raw = lines(interleaved(*every))
    live = tmp_path / "live.jsonl"
    live.write_bytes(b"")
    rng = np.random.default_rng(3)
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    done = 0
    for kill in range(kills):
        command = [sys.executable, "-P", "-m", "counting.cli", *arguments(tmp_path, "journal")]
        with (tmp_path / "stderr").open("wb") as stderr:
            process = subprocess.Popen(command, stderr=stderr, env=environment)
        upto = len(raw) * (kill + 1) // (kills + 1)
        size = (tmp_path / "journal").stat().st_size if kill else 0
        with live.open("ab") as file:
            while done < upto:
                piece = b"".join(raw[done : done + int(rng.integers(1, 2 + tables // 4))])
                done += piece.count(b"\n")
                cut = int(rng.integers(0, len(piece)))
                for part in (piece[:cut], piece[cut:]):  # a line may come in two parts
                    file.write(part)
                    file.flush()
                    time.sleep(0.001)
        deadline = time.monotonic() + 60
        while not (tmp_path / "journal").exists() or (tmp_path / "journal").stat().st_size <= size + 300:
            assert time.monotonic() < deadline
            assert process.poll() is None, (tmp_path / "stderr").read_text()
            time.sleep(0.001)
        time.sleep(float(rng.uniform(0, 0.02)))
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    with live.open("ab") as file:
        file.write(b"".join(raw[done:]))
    for journal in ("journal", "whole"):
        assert main(arguments(tmp_path, journal, "--once")) == 0
    journal, whole = ((tmp_path / name).read_bytes() for name in ("journal", "whole"))
    assert journal == whole
    assert whole.count(b"\n") == len(raw) + 2
    assert numbers(tmp_path / "journal.alerts") == numbers(tmp_path / "whole.alerts") != []


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
    with pytest.raises(InputError, match="line 7 is not the record after the one before it"):
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
