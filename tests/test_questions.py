"""The field's questions: their commands are valid, and the notes have the answers."""

import csv
from pathlib import Path
from types import SimpleNamespace

import pytest

from counting.cli import app_for, main
from experiments.questions import checks, run

NOTES = run.NOTES.read_text()


@pytest.mark.parametrize("question", [each for each in run.QUESTIONS if each.command], ids=lambda each: each.number)
def test_a_questions_command_is_one(question: run.Question) -> None:
    command, bound, _ = app_for(question.command[0]).parse_args(
        list(question.command), exit_on_error=False, print_error=False
    )
    assert callable(command)
    assert bound.arguments


def test_every_question_is_answered_and_the_notes_have_its_cells() -> None:
    with run.CSV.open() as file:
        rows = list(csv.DictReader(file))
        assert [row["number"] for row in rows] == [each.number for each in run.QUESTIONS]
    assert {row["command"] for row in rows} == {run.shlex.join(each.command) for each in run.QUESTIONS}
    for row, cells in zip(rows, run.noted(rows), strict=True):
        assert f"| {' | '.join(cells)} |\n" in NOTES
        assert row["answer"]
    numbers = {int(row["number"].rstrip("b")) for row in rows}
    assert numbers == set(range(1, run.FIELD + run.FOUND + 1))


def answered(number: str, folder: Path) -> str:
    return run.answered(next(each for each in run.QUESTIONS if each.number == number), folder)[0]


def test_a_command_still_answers_so(tmp_path: Path) -> None:
    assert f"| {answered('20', tmp_path)} |" in NOTES


@pytest.mark.parametrize("number", ["5", "11"])
def test_an_answer_is_still_in_what_a_command_prints(
    number: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command runs in this process."""

    def here(command: list[str], **_: object) -> SimpleNamespace:
        assert main(command[3:]) == 0
        return SimpleNamespace(stdout=capsys.readouterr().out)

    monkeypatch.setattr(run, "subprocess", SimpleNamespace(run=here))
    assert f"| {answered(number, tmp_path)} |" in NOTES


def test_every_answer_but_that_of_the_team_has_figures_of_the_second_program() -> None:
    here = set(checks.ALL) | set(checks.OF_LOGS)
    assert {each.number for each in run.QUESTIONS if each.command and each.number not in here} == {"13"}


@pytest.mark.parametrize(
    ("number", "printed"),
    [("6", "+21.528%"), ("20", "-0.59931%"), ("3", "6.765%"), ("4", "36.332% in 20.502% of coups")],
)
def test_a_second_program_finds_what_is_printed(number: str, printed: str) -> None:
    assert printed.lstrip("+") in checks.ALL[number]()
