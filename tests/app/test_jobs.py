"""Jobs: two at a time, kept as files, cancelled, and started again."""

import html
import json
import os
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import pytest
from app.conftest import Served

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


class Answer(NamedTuple):
    """The answer to `BET`: the number of its job, the number that the same question got, the panel, the name of the
    folder, and the folder's files as the job wrote them."""

    number: int
    same: int
    panel: str
    folder: str
    files: dict[str, bytes]


@pytest.fixture(scope="module")
def bet_answer(served: Served) -> Answer:
    asked = number(served.post("/ask/bet", BET))
    panel = served.finished(asked)
    same = number(served.post("/ask/bet", BET))
    folder = json.loads((served.folder / f"jobs/{asked:05}.json").read_text())["folder"]
    files = {path.name: path.read_bytes() for path in (served.folder / folder).iterdir() if path.is_file()}
    return Answer(asked, same, panel, folder, files)


@pytest.mark.long
@pytest.mark.usefixtures("undrawn", "few_weighted")  # as in the application
def test_an_answer_is_the_commands_own(bet_answer: Answer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert bet_answer.same == bet_answer.number  # the same question had its answer already
    assert bet_answer.folder == "reports/louisiana-seven-seven-45-vulnerability"
    assert {"report.html", "report.json", "report.xlsx", "figure.svg"} <= bet_answer.files.keys()
    monkeypatch.chdir(tmp_path)
    same = counting.vulnerability("louisiana", "seven-seven-45", shoes=600, system="seven-seven-45-level-1")
    assert json.loads(bet_answer.files["report.json"]) == json.loads(json.dumps(same.data))
    words = shlex.split(html.unescape(re.findall("<code>(counting .*?)</code>", bet_answer.panel)[0]))
    monkeypatch.setattr("sys.argv", words)  # the answer names its command
    assert main(words[1:]) == 0
    written = {name: (tmp_path / bet_answer.folder / name).read_bytes() for name in bet_answer.files}
    assert [name for name, content in bet_answer.files.items() if written[name] != content] == []


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


def test_twenty_jobs_wait_in_order_and_can_be_cancelled(served: Served) -> None:
    long, begun = {**BET, "shoes": "100000"}, list[int]()
    try:
        begun.extend(number(served.post("/ask/bet", {**long, "seed": str(seed)})) for seed in range(20))
        assert begun == sorted(begun)
        panel = served.get(f"/jobs/{begun[-1]}")
        assert "Waits for 18 other jobs." in panel
        begun.extend(number(served.post("/ask/bet", {**long, "seed": str(seed)})) for seed in range(20, 50))
        status, _, text = served.post("/ask/bet", {**long, "seed": "50"})
        assert (status, "50 jobs are waiting" in text) == (400, True)
    finally:
        cancelled = [served.post(f"/jobs/{job}/cancel", {})[0] for job in reversed(begun)]  # those that wait first
    assert cancelled == [303] * 50
    assert all("Cancelled." in served.get(f"/jobs/{job}") for job in begun)


def test_a_review_of_dealing_is_planned_while_a_long_job_runs(served: Served) -> None:
    long = number(served.post("/ask/bet", {**BET, "shoes": "2000000"}))
    short = number(served.post("/ask/sample", {"rate": "10", "errors": "0", "compare": "10, 30"}))
    try:
        panel = served.finished(short)
        states = [json.loads((served.folder / f"jobs/{job:05}.json").read_text())["state"] for job in (long, short)]
        assert states == ["running", "done"]
    finally:
        served.post(f"/jobs/{long}/cancel", {})
    assert "The command that makes this again" in panel
    assert "counting sample --rate 10 --errors 0 --compare 10 30" in panel
    assert "Plan of a review: 10" in panel
    assert "29,956 coups" in (served.folder / "reports/10-sample/report.html").read_text()


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


def test_work_that_ends_unexpectedly_says_so_and_can_be_tried_again(served: Served) -> None:
    file = served.folder / "games/short.toml"
    file.write_text((Path(counting.__file__).parent / "games/louisiana.toml").read_text())
    asked = number(served.post("/ask/bet", {**BET, "game": "games/short.toml", "shoes": "30000"}))
    served.post(f"/jobs/{asked}/cancel", {})
    file.write_text("nonsense = 1")
    served.post(f"/jobs/{asked}/again", {})
    assert "games/short.toml" in served.finished(asked)
    file.unlink()


def test_a_closed_answer_is_known_again_and_never_written_over(
    served: Served, bet_answer: Answer, capsys: pytest.CaptureFixture[str]
) -> None:
    asked, folder = bet_answer.number, bet_answer.folder
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


@pytest.mark.long
@pytest.mark.usefixtures("undrawn")
def test_the_archive_finds_answers_of_commands_by_words(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(served.folder)
    words = ["study", "punto-banco", "--shoes", "300", "--out", "reports/mine"]
    monkeypatch.setattr("sys.argv", ["counting", *words])  # the answer names its command
    assert main(words) == 0
    assert "/answers/reports/mine" in served.get("/archive?words=PUNTO 300")
    assert "No answer has these words" in served.get("/archive?words=punto nothing")
    assert "--shoes 300 --out reports/mine" in served.get("/answers/reports/mine")


def test_a_page_that_was_made_again_is_printed_again(served: Served, bet_answer: Answer) -> None:
    if os.name != "posix":
        pytest.skip("the browser that only copies is a script of a shell")
    folder = "reports/printed"
    (served.folder / folder).mkdir()
    for name, content in bet_answer.files.items():
        (served.folder / folder / name).write_bytes(content)
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
