"""The field's questions: their commands are valid, and the notes have the answers."""

import csv
from pathlib import Path

import pytest

from counting.cli import app_for
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


@pytest.mark.parametrize("number", ["5", "11", "20"])
def test_a_command_still_answers_so(number: str, tmp_path: Path) -> None:
    question = next(each for each in run.QUESTIONS if each.number == number)
    assert f"| {run.answered(question, tmp_path)[0]} |" in NOTES


def test_every_answer_but_that_of_the_team_has_figures_of_the_second_program() -> None:
    here = set(checks.ALL) | set(checks.OF_LOGS)
    assert {each.number for each in run.QUESTIONS if each.command and each.number not in here} == {"13"}


@pytest.mark.parametrize(
    ("number", "printed"),
    [("6", "+21.528%"), ("20", "-0.59931%"), ("3", "6.765%"), ("4", "36.332% in 20.502% of coups")],
)
def test_a_second_program_finds_what_is_printed(number: str, printed: str) -> None:
    assert printed.lstrip("+") in checks.ALL[number]()
