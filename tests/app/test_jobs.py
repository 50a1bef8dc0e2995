"""Jobs: two at a time, kept as files, cancelled, and taken up after a restart."""

import html
import json
import os
import re
import shlex
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep
from typing import Any, ClassVar

import pytest
from app.conftest import Served, serving
from lighter import UNDRAWN, python

import counting
from counting import InputError
from counting.app.jobs import Jobs
from counting.app.studies import Studies
from counting.cli import main

BET = {"game": "louisiana", "bet": "seven-seven-45", "shoes": "600", "system": "seven-seven-45-level-1"}


def number(answer: tuple[int, str, str]) -> int:
    """The number of the job that a form has started, from the answer to the form."""
    status, location, text = answer
    assert status == 303, re.findall('wrong">(.*?)<|<li>(.*?)</li>', text)
    return int(re.split("[=-]", location)[-1])


@pytest.mark.usefixtures("undrawn")
def test_an_answer_is_the_commands_own(served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = number(served.post("/ask/bet", BET))
    panel = served.finished(asked)
    folder = served.folder / "reports/louisiana-seven-seven-45-vulnerability"
    assert {"report.html", "report.json", "report.xlsx", "figure.svg"} <= {path.name for path in folder.iterdir()}
    monkeypatch.chdir(tmp_path)
    same = counting.vulnerability("louisiana", "seven-seven-45", shoes=600, system="seven-seven-45-level-1")
    assert json.loads((folder / "report.json").read_text()) == json.loads(json.dumps(same.data))
    assert number(served.post("/ask/bet", BET)) == asked  # the same question has its answer already
    line = html.unescape(re.findall("<code>(counting .*?)</code>", panel)[0])
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    for path in folder.glob("*.*"):
        path.unlink()
    words = [python(tmp_path), "-P", "-m", "counting.cli", *shlex.split(line)[1:]]
    undrawn = {**os.environ, UNDRAWN: "1"}
    subprocess.run(words, cwd=served.folder, env=undrawn, check=True, capture_output=True)
    assert before == {path.name: path.read_bytes() for path in folder.iterdir() if path.name in before}


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
        panel = served.get(f"/jobs/{first[-1]}")
        assert "Waits for 18 other jobs." in panel
        for job in first:
            assert served.post(f"/jobs/{job}/cancel", {})[0] == 303
        assert all("Cancelled." in served.get(f"/jobs/{job}") for job in first)
        status, _, text = 0, "", ""
        for i in range(60):
            status, _, text = served.post("/ask/bet", {**BET, "shoes": "100000", "seed": str(1000 + i)})
        assert (status, "50 jobs are waiting" in text) == (400, True)


@pytest.mark.usefixtures("undrawn")
def test_a_short_job_is_answered_while_a_long_one_runs(tmp_path: Path) -> None:
    with serving(tmp_path / "studies", **{UNDRAWN: "1"}) as served:
        long, short = (number(served.post("/ask/bet", {**BET, "shoes": shoes})) for shoes in ("2000000", "600"))
        assert "The command that makes this again" in served.finished(short)
        states = [json.loads((served.folder / f"jobs/{job:05}.json").read_text())["state"] for job in (long, short)]
        assert states == ["running", "done"]
        served.post(f"/jobs/{long}/cancel", {})


class Begun:
    """Replaces the process of a job. It ends when the test says so."""

    last, status = "out of memory", 1
    begun: ClassVar[list["Begun"]] = []

    def __init__(self, _: Path, words: list[str], hear: Callable[[str], bool], ended: Callable[[Any], None]) -> None:
        self.job, self.hear, self.ended, self.killed = int(words[1][5:10]), hear, ended, False
        self.begun.append(self)

    def kill(self) -> None:
        self.killed = True


def test_two_jobs_run_and_each_has_its_own_progress_and_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("counting.app.jobs.Companion", Begun)
    monkeypatch.setattr(Begun, "begun", [])
    with (studies := Studies(tmp_path / "studies")).opened():
        jobs = Jobs(studies)
        one, two, three, four = (jobs.add("bet", {"seed": i}, ("reports", "a"), "A").number for i in range(4))
        assert [job.state for job in jobs] == ["running", "running", "waiting", "waiting"]
        assert jobs.before() == {one: 0, two: 0, three: 1, four: 2}
        of_one, of_two = Begun.begun
        of_two.hear(
            json.dumps({"stage": {"subject": "Shoes", "unit": "shoes", "done": 3, "total": 4}, "said": ["Two."]})
        )
        assert (jobs.progress(one).words, jobs.progress(one).said) == ("Starting …", [])
        assert (jobs.progress(two).stage.done, jobs.progress(two).said) == (3, ["Two."])

        jobs.cancel(one)
        jobs.again(one)  # its folder is still in use, so it waits
        assert (of_one.killed, jobs[one].state, len(Begun.begun)) == (True, "waiting", 2)
        of_one.ended(of_one)
        assert [begun.job for begun in Begun.begun] == [one, two, one]
        assert jobs[one].state == "running"
        assert jobs.before() == {one: 0, two: 0, three: 1, four: 2}

        of_two.hear(json.dumps({"end": {"state": "done", "page": "report.html", "error": ""}, "kept": ["Kept."]}))
        of_two.ended(of_two)
        assert (jobs[two].state, jobs[two].said, jobs[two].error) == ("done", ["Kept."], "")
        assert [begun.job for begun in Begun.begun] == [one, two, one, three]
        Begun.begun[2].ended(Begun.begun[2])
        assert (jobs[one].state, jobs[one].error) == ("failed", "the work ended unexpectedly: out of memory")
        assert [job.state for job in jobs] == ["failed", "done", "running", "running"]


@pytest.mark.usefixtures("undrawn")
def test_a_killed_application_goes_on_with_its_job(tmp_path: Path) -> None:
    folder = tmp_path / "studies"
    with serving(folder, **{UNDRAWN: "1"}) as served:
        asked = number(served.post("/ask/bet", {**BET, "shoes": "10000"}))
        until = monotonic() + 30
        while not list((folder / "reports").rglob("*.parquet")) and monotonic() < until:
            sleep(0.05)
        served.process.send_signal(signal.SIGKILL)
    assert json.loads((folder / f"jobs/{asked:05}.json").read_text())["state"] == "running"
    with serving(folder, **{UNDRAWN: "1"}) as served:
        panel = served.finished(asked)
    assert "The command that makes this again" in panel
    sent = counting.vulnerability("louisiana", "seven-seven-45", shoes=10000, system="seven-seven-45-level-1")
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


def test_a_closed_answer_is_known_again_and_never_written_over(
    served: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = number(served.post("/ask/bet", {**BET, "seed": "7"}))
    served.finished(asked)
    folder = json.loads((served.folder / f"jobs/{asked:05}.json").read_text())["folder"]
    status, location, _ = served.post(f"/answers/{folder}/close", {"name": "A. Analyst", "date": "2026-11-26"})
    assert (status, location) == (303, f"/answers/{folder}")
    assert "No file has changed since." in served.get(f"/answers/{folder}")
    page = served.folder / folder / "report.html"
    assert main(["verify", "--statement", str(page)]) == 0
    assert capsys.readouterr().out == f"{page}: unchanged since it was closed by A. Analyst on 2026-11-26\n"
    page.chmod(0o644)
    page.write_text(page.read_text().replace("NOT MET", "MET"))
    assert main(["verify", "--statement", str(page)]) == 1
    assert capsys.readouterr().out == f"{page}: CHANGED since it was closed by A. Analyst on 2026-11-26\n"
    assert "report.html: has changed" in served.get(f"/answers/{folder}")
    assert "CHANGED SINCE" in served.get("/archive?words=7-7")
    served.post(f"/jobs/{asked}/again", {})
    assert "its results are closed" in served.finished(asked)


@pytest.mark.usefixtures("undrawn")
def test_the_archive_finds_answers_of_commands_by_words(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(served.folder)
    words = ["study", "punto-banco", "--shoes", "300", "--out", "reports/mine"]
    monkeypatch.setattr("sys.argv", ["counting", *words])  # the answer names its command
    assert main(words) == 0
    assert "/answers/reports/mine" in served.get("/archive?words=PUNTO 300")
    assert "No answer has these words" in served.get("/archive?words=punto nothing")
    assert "--shoes 300 --out reports/mine" in served.get("/answers/reports/mine")


def test_a_page_that_was_made_again_is_printed_again(served: Served) -> None:
    if os.name != "posix":
        pytest.skip("the browser that only copies is a script of a shell")
    asked = number(served.post("/ask/bet", {**BET, "seed": "11"}))
    served.finished(asked)
    folder = json.loads((served.folder / f"jobs/{asked:05}.json").read_text())["folder"]
    page, printed = (served.folder / folder / f"report.{ending}" for ending in ("html", "pdf"))

    def pdf() -> bytes:
        assert served.post(f"/answers/{folder}/pdf", {})[0] == 303
        return printed.read_bytes()

    first = pdf()
    assert pdf() == first
    page.write_text(page.read_text().replace("</h1>", ", made again</h1>"))
    os.utime(printed, (1, 1))  # as if printed from an older page
    assert b", made again</h1>" in pdf()
    served.post(f"/answers/{folder}/close", {"name": "A", "date": "2026-11-26"})
    closed = printed.read_bytes()
    page.chmod(0o644)
    page.write_text("<h1>forged</h1>")
    assert pdf() == closed  # the PDF of a closed answer is not printed again


def test_a_job_that_starts_again_counts_among_those_that_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("counting.app.jobs.MOST_WAITING", 2)
    monkeypatch.setattr(Jobs, "_begin", lambda _: None)
    with (studies := Studies(tmp_path / "studies")).opened():
        jobs = Jobs(studies)
        first, second = (jobs.add("bet", {"seed": seed}, ("reports", "a"), "A").number for seed in (1, 2))
        jobs.cancel(first)
        jobs.add("bet", {"seed": 3}, ("reports", "a"), "A")
        with pytest.raises(InputError, match="2 jobs are waiting, should be fewer"):
            jobs.again(first)
        assert jobs[first].state == "cancelled"
        jobs.cancel(second)
        jobs.again(first)
        assert jobs[first].state == "waiting"
