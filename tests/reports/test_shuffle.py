"""The answer on shuffling: the verdict first, what could have been seen, and one line for bad input."""

import csv
import io
import json
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from twins.shoe_logs import log_of_orders

from counting.audit import ShuffleSettings, shoes_needed, shuffle_review
from counting.audit.shoe_counts import Layout
from counting.cards import CARDS
from counting.cli import main
from counting.logs import card_name
from counting.reports.shuffle import rows_of_tests, shuffle_report, shuffle_sentences

NEW = Layout("card", 8).new


def fair(shoes: int) -> list[np.ndarray]:
    rng = np.random.default_rng(1)
    return [rng.permutation(NEW) for _ in range(shoes)]


def sentences(shoes: list[np.ndarray]) -> list[str]:
    return shuffle_sentences(shuffle_review(log_of_orders(shoes), 8, ShuffleSettings(draws=599)))


def coups_file(folder: Path, shoes: list[np.ndarray]) -> Path:
    path = folder / "coups.csv"
    lines = ["table,shoe,coup,player,banker"]
    for row in log_of_orders(shoes).coups.to_dicts():
        player, banker = (
            " ".join(card_name(row[f"{hand}_{i}"]) for i in (1, 2, 3) if row[f"{hand}_{i}"] >= 0)
            for hand in ("player", "banker")
        )
        lines.append(f"{row['table']},{row['shoe']},{row['coup']},{player},{banker}")
    path.write_text("\n".join(lines))
    return path


def test_well_shuffled_shoes_have_no_sign_and_the_tests_of_the_command() -> None:
    lines = sentences(fair(3))
    assert lines[0] == "No sign of a poor shuffle in 3 shoes, at a level of 0.05 for 12 tests together."
    assert "at most 0.05." in lines[1]
    assert "(COMAR 36.05.02.17 F), made of the ranks by quarter of the shoe, is met" in lines[2]
    assert lines[3].startswith("Used: 1,200 cards in the order dealt, 96.2% of the 3 shoes of 8 decks")


def test_a_repeated_shoe_is_named_first() -> None:
    shoes = fair(3)
    lines = sentences([*shoes, shoes[0]])
    assert lines[0].startswith("NOT WELL SHUFFLED. 4 shoes, at a level of 0.05 for 12 tests together. Flagged:")
    assert "longest stretch in two shoes" in lines[0]
    again = "shoe 0 of table 1 from card 1 and shoe 3 of table 1 from card 1 have 400 cards in the same order"
    assert any(again in line for line in lines)


def test_an_extra_card_is_named() -> None:
    rng, extra = np.random.default_rng(2), CARDS.index("7h")
    lines = sentences([rng.permutation(np.append(NEW, extra))[:416] for _ in range(6)])
    assert any("with more of a card than 8 decks have, left out of the tests: 7h in" in line for line in lines)


def test_what_the_number_of_shoes_would_show_is_from_the_experiment() -> None:
    few, many = (" ".join(sentences(fair(shoes))) for shoes in (1, 8))
    seen = {row.fault for row in shoes_needed("card") if row.shoes is not None and row.shoes <= 8}
    assert {"7 riffles of the shoe before", "new decks, 7 riffles", "an extra card"} <= seen
    for text, number in ((few, 1), (many, 8)):
        shown, _, unseen = text.partition("Not to be seen in")
        for row in shoes_needed("card"):
            assert (row.fault in shown) == (row.shoes is not None and row.shoes <= number), row
            assert (row.fault in unseen) == (row.shoes is None or row.shoes > number), row


def test_the_shoes_needed_rise_with_the_riffles_and_with_what_is_not_known() -> None:
    needed = {}
    for knows in ("card", "rank", "value"):
        for row in shoes_needed(knows):  # type: ignore[arg-type]
            needed[knows, row.fault] = row.shoes or 10**6
    riffles = [f"{k} riffle{'s' * (k > 1)} of the shoe before" for k in range(1, 11)]
    for knows in ("card", "rank", "value"):
        shoes = [needed[knows, fault] for fault in riffles]
        assert shoes == sorted(shoes)
    for fault in riffles:
        assert needed["card", fault] <= needed["rank", fault] <= needed["value", fault]


class Text(HTMLParser):
    text = ""

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_command_prints_and_writes_one_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(coups_file(tmp_path, fair(2)))
    command = ["shuffle", path, "--draws", "599"]
    assert main(command) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("No sign of a poor shuffle in 2 shoes")
    assert "not tested: needs three shoes in a row" in printed
    assert main([*command, "--format", "json", "--out", str(tmp_path / "page")]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["verdict"], data["shoes"], data["known_by"]) == ("no sign", 2, "card")
    assert json.loads((tmp_path / "page" / "report.json").read_text()) == data
    page = Text()
    page.feed((tmp_path / "page" / "report.html").read_text())
    assert data["answer"][0] in page.text
    assert main([*command, "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["test"] for row in rows] == [row["test"] for row in data["tests"]]
    assert len(rows) == 12


def test_too_little_read_is_no_verdict_and_exit_status_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = coups_file(tmp_path, fair(1))
    lines = path.read_text().split("\n")
    path.write_text("\n".join([lines[0], *lines[1:5]]))
    assert main(["shuffle", str(path)]) == 2
    assert capsys.readouterr().out.startswith(
        "No verdict: no shoe can be used. 1 shoe with less than a quarter dealt before the end or a gap."
    )
    assert main(["shuffle", str(path), "--format", "csv"]) == 2
    captured = capsys.readouterr()
    assert captured.out == "test,p,p_holm,flagged,what\n"
    assert captured.err.startswith("counting: No verdict")


def test_fewer_decks_that_fit_as_well_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(3)
    path = coups_file(tmp_path, [rng.permutation(np.repeat(np.arange(52), 6)) for _ in range(5)])
    assert main(["shuffle", str(path), "--draws", "599"]) == 0
    assert "would also fit 6 decks" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "line"),
    [(["--decks", "0"], "decks: 0, should be a whole number from 1 to 27"),
     (["--draws", "5"], "draws at level 0.05: 5, should be a whole number from 599 to 99,999"),
     (["--level", "2"], "level: 2, should be from 0.0001 to below 1"),
     (["--allow-unread", "3"], "--allow-unread: 3.0, should be a share from 0 to 1, as 0.05")],
)  # fmt: skip
def test_bad_input_is_one_line(
    arguments: list[str], line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["shuffle", str(coups_file(tmp_path, fair(1))), *arguments]) == 2
    assert capsys.readouterr().err == f"counting: {line}\n"


def test_a_row_for_each_test() -> None:
    review = shuffle_review(log_of_orders(fair(1)), 8, ShuffleSettings(draws=599))
    rows = rows_of_tests(review)
    assert len(rows) == 12
    assert [row["test"] for row in rows[-3:]] == ["shoe-before", "two-before", "stretches"]
    assert shuffle_report(review, {"coups.csv": "1f"}).data["files"] == {"coups.csv": "1f"}
