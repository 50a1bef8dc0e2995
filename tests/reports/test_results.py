"""The page on a log with results alone: what its sentences say, and that no text of the log becomes markup."""

import hashlib
import json
import random
from pathlib import Path

import pytest

import counting
from counting import InputError
from counting.cli import main
from counting.cli.example import EXAMPLES
from counting.requests import ResultsRequest
from experiments.results import plain

DIGEST = "0decc3d2805aa616ddcd6926586eb69b083c0f074e904fa25f45a633e6aba6c2"  # of the example's file
pytestmark = pytest.mark.usefixtures("undrawn")
BAD = "<script>alert(1)</script>"


def rows(shoes: int = 4, dealers: tuple[str, ...] = ("Kim", "Lee")) -> list[list[object]]:
    rng = random.Random(5)
    return [
        ["T", shoe, at, dealers[shoe % len(dealers)], coup.winner, coup.player, coup.banker]
        for shoe in range(shoes)
        for at, coup in enumerate(plain.dealt(plain.shoe(rng)), 1)
    ]


def logged(folder: Path, of: list[list[object]], columns: str = "table,shoe,coup,dealer,winner") -> Path:
    file = folder / "results.csv"
    width = columns.count(",") + 1
    file.write_text("\n".join([columns, *(",".join(map(str, row[:width])) for row in of)]) + "\n")
    return file


@pytest.fixture(scope="module")
def answer(tmp_path_factory: pytest.TempPathFactory) -> counting.Answer:
    """The answer on a log in which one dealer's ties are entered as Player's wins. The dealer's name is a script."""
    folder = tmp_path_factory.mktemp("results")
    of = [
        [*row[:4], "player" if row[3] == BAD and row[4] == "tie" else row[4], *row[5:]] for row in rows(6, (BAD, "Lee"))
    ]
    file = logged(folder, of, "table,shoe,coup,dealer,winner,player_total,banker_total")
    return ResultsRequest(game="punto-banco", coups=file).answered(counting.requests.Host("made again"), drawn=False)


def test_the_answer_names_the_dealer_and_the_lines(answer: counting.Answer) -> None:
    assert answer.verdict == "FLAGGED"
    assert "lines with totals that contradict the recorded winner or natural" in answer.answer
    assert any(f"at dealer {BAD}" in line and line.startswith("Tie came in 0 of") for line in answer.sentences)
    assert answer.data["verdict"] is False
    json.dumps(answer.data)


def test_a_name_in_a_log_is_no_markup(answer: counting.Answer) -> None:
    page = answer.to_html()
    assert BAD not in page
    assert "&lt;script&gt;alert(1)" in page


def test_what_results_never_show_is_on_every_page(answer: counting.Answer) -> None:
    (line,) = (line for line in answer.sentences if line.startswith("Results alone never show a card."))
    assert "who counts, who knows coming cards" in line
    (line,) = (line for line in answer.sentences if line.startswith("With 4 nines missing"))
    assert "27,200,000 coups" in line
    assert "With 6 decks, not 8, it needs 157,000,000 coups" in line


def test_a_workbook_has_a_sheet_for_each_table(answer: counting.Answer, tmp_path: Path) -> None:
    assert set(answer.tables) >= {"tests", "counts", "streaks", "plan", "contradictions"}
    assert answer.to_xlsx(tmp_path / "results.xlsx").stat().st_size > 5000


def test_an_honest_log_says_what_it_could_show(tmp_path: Path) -> None:
    answer = counting.winners("punto-banco", coups=logged(tmp_path, rows()))
    assert answer.verdict == "NOT FLAGGED"
    assert answer.answer.startswith("NOT FLAGGED. The results of ")
    coups = answer.data["coups"]
    least = answer.data["least_change"]["tie"]
    plan = {row["fault"]: row for row in answer.data["plan"]}
    tie = plan["Tie comes more often"]
    assert least == pytest.approx(0.01 * (tie["coups_holm"] / coups) ** 0.5, rel=1e-6)


def test_remarks_on_the_reading_are_sentences(tmp_path: Path) -> None:
    file = logged(tmp_path, [*rows(2), ["T", "1", "x", "Kim", "tie", 7, 7]])
    said = " ".join(
        ResultsRequest(game="punto-banco", coups=file).answered(counting.requests.Host(""), drawn=False).sentences
    )
    line = len(rows(2)) + 2
    assert f"The reading of the file gave 1 remark. The first is on line {line}, coup, x: should be" in said


def test_a_few_coups_show_gross_faults_only(tmp_path: Path) -> None:
    answer = counting.winners("punto-banco", coups=logged(tmp_path, rows()[:20]))
    assert "20 coups can show gross faults only." in answer.sentences


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"shifts": "4:00,4:00"}, "shifts: '4:00,4:00', should be a different time"),
        ({"shifts": "early"}, "shifts: 'early', should be times of the day"),
        ({"change": 0.2}, "change: 0.2, should be from 0.0001 to 0.05"),
        ({"level": 0}, "level: 0"),
        ({"decks": 0}, "decks: 0"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path: Path, given: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        counting.winners("punto-banco", coups=logged(tmp_path, rows()[:20]), **given)


def test_shifts_begin_when_they_are_said_to(tmp_path: Path) -> None:
    timed = [[*row[:3], f"{int(str(row[1])) * 5 + 2}:30", row[4]] for row in rows()]
    file = logged(tmp_path, timed, "table,shoe,coup,time,winner")
    answer = counting.winners("punto-banco", coups=file, shifts="4:00,14:00")
    groups = answer.tables["counts"].filter(by="shift", category="tie")
    coups = {shoe: sum(row[1] == shoe for row in timed) for shoe in range(4)}
    assert dict(groups.select("group", "coups").rows()) == {
        "14:00-04:00": coups[0] + coups[3], "04:00-14:00": coups[1] + coups[2],
    }  # fmt: skip


def test_the_example_flags_its_dealer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["example", "results"]) == 0
    assert hashlib.sha256(Path("results.csv").read_bytes()).hexdigest() == DIGEST
    assert main(["results", "punto-banco", "--coups", *EXAMPLES["results"].files, "--format", "csv"]) == 0
    said = capsys.readouterr().out
    assert "winner,dealer,D-3" in said
    assert [
        line for line in said.splitlines() if line.endswith("true") and "dealer" in line and "D-3" not in line
    ] == []


def answered(file: Path, **given: object) -> counting.Answer:
    request = ResultsRequest(game="punto-banco", coups=file, **given)  # type: ignore[arg-type]
    return request.answered(counting.requests.Host("made again"), drawn=False)


@pytest.mark.parametrize("tie", ["?galit?", "Nul"])
def test_winners_that_are_not_understood_leave_no_verdict(tmp_path: Path, tie: str) -> None:
    """It must not be said that ties are not logged."""
    of = [[*row[:4], tie if row[4] == "tie" else row[4]] for row in rows()]
    unread = sum(row[4] == tie for row in of)
    answer = answered(logged(tmp_path, of))
    said = " ".join(answer.sentences)
    assert (answer.verdict, answer.data["verdict"]) == ("", None)
    assert answer.answer.startswith("No verdict: the log cannot be relied on.")
    assert f"winners not read, {unread} of {len(of)} (" in answer.answer
    assert "ties are not logged" not in said
    assert "FLAGGED" not in said
    assert set(answer.tables["remarks"]["value"]) == {tie}
    assert answered(logged(tmp_path, of), allow_unread=0.2).verdict


def test_shoes_numbered_anew_each_day_leave_no_verdict(tmp_path: Path) -> None:
    """The coups of two days with the same numbers contradict each other and are not read."""
    of = [[f"2026-03-0{1 + int(str(row[1])) // 2}", row[0], int(str(row[1])) % 2, *row[2:5]] for row in rows()]
    answer = answered(logged(tmp_path, of, "date,table,shoe,coup,dealer,winner"))
    assert "coups not read or missing" in answer.answer
    assert answer.verdict == ""


def test_several_shoes_logged_as_one_leave_no_verdict(tmp_path: Path) -> None:
    of = [["T", 1, at, "Kim", row[4]] for at, row in enumerate(rows(), 1)]
    answer = answered(logged(tmp_path, of))
    assert "shoes with more coups than 8 decks can have, 1 of 1 (100.0%; at most 5.0% allowed)" in answer.answer
