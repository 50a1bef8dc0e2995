"""Jobs: one at a time, kept as files, cancelled, and taken up after a restart."""

import json
import re
import signal
from pathlib import Path
from time import monotonic, sleep

import pytest
from app.conftest import Served, serving

import counting

BET = {"game": "louisiana", "bet": "seven-seven-45", "shoes": "600", "system": "seven-seven-45-level-1"}


def number(answer: tuple[int, str, str]) -> int:
    """The job that a form has made."""
    status, location, text = answer
    assert status == 303, re.findall('wrong">(.*?)<|<li>(.*?)</li>', text)
    return int(location.rpartition("=")[2])


def test_an_answer_is_the_commands_own(served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = number(served.post("/ask/bet", BET))
    panel = served.finished(asked)
    folder = served.folder / "reports/louisiana-seven-seven-45-vulnerability"
    assert {"report.html", "report.json", "report.xlsx", "figure.svg"} <= {path.name for path in folder.iterdir()}
    monkeypatch.chdir(tmp_path)
    same = counting.vulnerability("louisiana", "seven-seven-45", shoes=600, system="seven-seven-45-level-1")
    assert json.loads((folder / "report.json").read_text()) == json.loads(json.dumps(same.data))
    line = "counting vulnerability louisiana seven-seven-45 --out reports/louisiana-seven-seven-45-vulnerability"
    assert line in panel
    assert number(served.post("/ask/bet", BET)) == asked  # the same question has its answer already


def test_a_mistake_is_said_by_its_field_and_nothing_begins(served: Served) -> None:
    before = len(list((served.folder / "jobs").iterdir()))
    status, _, text = served.post("/ask/bet", {**BET, "bet": "dragon-77", "cut": "many", "shoes": "-1"})
    assert status == 400
    for line in ("cut: &#39;many&#39;", "shoes: -1, should be"):
        assert line in text
    assert len(list((served.folder / "jobs").iterdir())) == before


def test_files_outside_the_folder_are_no_games(served: Served, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("title = 'x'")
    for game in (str(tmp_path / "mine.toml"), "../mine.toml", "rules/../../mine.toml"):
        status, _, text = served.post("/ask/bet", {**BET, "game": game})
        assert (status, "should be a file in" in text or "is not there" in text) == (400, True)


def test_twenty_jobs_wait_in_order_and_can_be_cancelled(tmp_path: Path) -> None:
    with serving(tmp_path / "studies") as served:
        first = [number(served.post("/ask/bet", {**BET, "shoes": "100000", "seed": str(i)})) for i in range(20)]
        assert first == sorted(first)
        panel = served.get(f"/jobs/{first[-1]}/panel")
        assert "Waits for 19 others." in panel
        for job in first:
            assert served.post(f"/jobs/{job}/cancel", {})[0] == 303
        assert all("Cancelled." in served.get(f"/jobs/{job}/panel") for job in first)
        status, _, text = 0, "", ""
        for i in range(60):
            status, _, text = served.post("/ask/bet", {**BET, "shoes": "100000", "seed": str(1000 + i)})
        assert (status, "50 jobs are waiting" in text) == (400, True)


def test_a_killed_application_goes_on_with_its_job(tmp_path: Path) -> None:
    folder = tmp_path / "studies"
    with serving(folder) as served:
        asked = number(served.post("/ask/bet", {**BET, "shoes": "20000"}))
        until = monotonic() + 30
        while not list((folder / "reports").rglob("*.parquet")) and monotonic() < until:
            sleep(0.05)
        served.process.send_signal(signal.SIGKILL)
    with serving(folder) as served:
        panel = served.finished(asked)
    assert "The command that makes this again" in panel
    sent = counting.vulnerability("louisiana", "seven-seven-45", shoes=20000, system="seven-seven-45-level-1")
    held = json.loads((folder / "reports/louisiana-seven-seven-45-vulnerability/report.json").read_text())
    assert held == json.loads(json.dumps(sent.data))


def test_work_that_ends_unexpectedly_says_so_and_can_be_tried_again(served: Served) -> None:
    file = served.folder / "games/short.toml"
    file.write_text((Path(counting.__file__).parent / "games/louisiana.toml").read_text())
    asked = number(served.post("/ask/bet", {**BET, "game": "games/short.toml", "shoes": "30000"}))
    served.post(f"/jobs/{asked}/cancel", {})
    file.write_text("nonsense = 1")
    served.post(f"/jobs/{asked}/again", {})
    assert "games/short.toml" in served.finished(asked)
