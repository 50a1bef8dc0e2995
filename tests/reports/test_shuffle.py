"""The answer on shuffling: the verdict first, then what the log could have shown; and one line for bad input."""

import csv
import io
import json
import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from extent import long_or
from twins.shoe_logs import log_of_orders

from counting.cards import CARDS
from counting.cli import main
from counting.logs import card_name
from counting.reports.shuffle import rows_of_tests, shuffle_report, shuffle_sentences
from counting.review import ShuffleReview, ShuffleSettings, shoes_needed, shuffle_review
from counting.review.shuffle.shoe_counts import CountLayout

NEW = CountLayout("card", 8).new
# As few draws, at their level, as the weights of the tests allow.
LEVEL, DRAWS = long_or((0.05, 839), (0.2, 209))
DRAWN = ["--level", str(LEVEL), "--draws", str(DRAWS)]


def fair(shoes: int) -> list[np.ndarray]:
    rng = np.random.default_rng(1)
    return [rng.permutation(NEW) for _ in range(shoes)]


def reviewed(shoes: list[np.ndarray]) -> ShuffleReview:
    return shuffle_review(log_of_orders(shoes), 8, ShuffleSettings(LEVEL, draws=DRAWS))


@cache
def of_fair(number: int) -> ShuffleReview:
    """The review of a log of fair shoes."""
    return reviewed(fair(number))


def sentences(shoes: list[np.ndarray]) -> list[str]:
    return shuffle_sentences(reviewed(shoes))


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


def test_random_shoes_have_no_sign_and_nobody_says_well_shuffled() -> None:
    lines = shuffle_sentences(of_fair(3))
    assert lines[0] == f"In 3 shoes, no sign of the faults listed, at a level of {LEVEL} for 15 tests together."
    assert (
        f"at most {LEVEL}. For the tests that combine several shoes, this has been tested on random logs, not proved."
        in lines[1]
    )
    assert "(COMAR 36.05.02.17 F) of the ranks in each quarter of the shoe is met" in lines[2]
    assert lines[3].startswith(
        "The tests use 1,200 cards in the order dealt, known by rank and suit. These are 96.2% of the cards of 3 shoes "
        "of 8 decks;"
    )
    assert not any("were well shuffled" in line or "are well shuffled" in line for line in lines)


def test_a_repeated_shoe_is_named_first() -> None:
    shoes = fair(2)
    lines = sentences([*shoes, shoes[0]])
    assert lines[0].startswith("NOT SHUFFLED AT RANDOM. Flagged: shoe 2, coups ")
    again = "Shoe 2, coups 1 to 80 (cards 1 to 400): 400 cards repeat coups 1 to 80 of shoe 0, coup by coup; p < 0.0001"
    assert any(line.startswith(again) for line in lines)


def test_a_single_shoe_says_what_cannot_be_tested() -> None:
    lines = shuffle_sentences(of_fair(1))
    assert lines[0].startswith("In 1 shoe, no sign of the faults listed, ")
    assert any("cannot be tested without a log of that shoe" in line for line in lines)
    assert any("order of the shoe before (needs two usable shoes in a row at a table)" in line for line in lines)


def test_an_extra_card_is_named() -> None:
    rng, extra = np.random.default_rng(2), CARDS.index("7h")
    lines = sentences([rng.permutation(np.append(NEW, extra))[:416] for _ in range(6)])
    assert any("more copies of a card than 8 decks, and" in line for line in lines)


def test_an_extra_card_in_two_shoes_is_the_verdict_even_if_no_shoe_is_left_to_test() -> None:
    extra, rng = CARDS.index("7h"), np.random.default_rng(3)
    shown = np.concatenate([[extra] * 9, rng.permutation(np.setdiff1d(NEW, [extra]).repeat(8))])  # every copy is dealt
    review = reviewed([shown, shown])
    report = shuffle_report(review, {})
    assert report.sentences[0] == ("AN EXTRA CARD, OR ONE MISREAD. No verdict on the shuffle: no shoe can be used.")
    assert report.data["verdict"] == "extra card"
    assert "7h in 2 shoes" in report.sentences[1]
    once = reviewed([shown])
    assert shuffle_report(once, {}).data["verdict"] == "none"


def each(run: re.Match[str]) -> str:
    """The faults of a range such as "2 to 4 riffles", one by one."""
    numbers = range(int(run[1]), int(run[2]) + 1)
    return "; ".join(f"{k} {run[3]}{'s' * (k > 1)}{run[4]}" for k in numbers)


def test_what_the_number_of_shoes_would_show_is_from_the_experiment_with_its_assumption() -> None:
    for number in (1, 3):
        lines = shuffle_sentences(of_fair(number))
        begin = next(i for i, line in enumerate(lines) if line.startswith("The next sentences "))
        for row in shoes_needed("card"):
            (line,) = [
                line for line in lines[begin:] if line.startswith(f"Assume that {row.assumed}. The log would show")
            ]
            line = re.sub(r"(\d+) to (\d+) (riffle|shuffle)s([^;.]*)", each, line)
            line, _, never = line.partition(f"The largest logs simulated have {row.most} shoes. Fewer than nine of ")
            shown, _, short = line.partition("The log has too few shoes ")
            fault = rf"[:;] {re.escape(row.fault)}"
            assert bool(re.search(rf"{fault}[;.]", shown)) == (row.shoes is not None and row.shoes <= number), row
            assert bool(re.search(rf"{fault} \({row.shoes}\)", short)) == (row.shoes is not None and row.shoes > number)
            assert bool(re.search(rf"{fault}[;.]", never)) == (row.shoes is None), row


def test_a_fault_of_a_single_shoe_is_promised_only_in_logs_as_small_as_the_simulated_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = shoes_needed("card")
    assert {row.largest_log for row in rows if row.assumed.startswith("one shoe ")} == {20}
    assert {row.largest_log for row in rows if not row.assumed.startswith("one shoe ")} == {None}
    small = tuple(row._replace(largest_log=row.largest_log and 2) for row in rows)
    monkeypatch.setattr("counting.reports.shuffle.shoes_needed", lambda _: small)
    line = (
        "Faults of a single shoe were simulated in logs of at most 2 shoes, and this log has 3. A single shoe among "
        "more shoes needs a smaller p-value to be flagged, so this log may not show what a log of 2 shoes would show: "
        "a slug of 10 cards; 8 natural wins of one side in a row; 16 naturals in a row; 20 wins of one side in a row."
    )
    for number in (2, 3):
        lines = shuffle_sentences(of_fair(number))
        assert (line in lines) == (number == 3)
        assert any(line.startswith("Assume that one shoe has coups that were arranged. The log") for line in lines) == (
            number == 2
        )
    (slug,) = [row for row in small if row.fault == "a slug of 10 cards"]
    review = of_fair(1)
    (table,) = [
        section for section in shuffle_report(review, {}).sections if section.title == "Shoes needed to see a fault"
    ]
    assert ["a slug of 10 cards", f"{slug.assumed}; the log has at most 2 shoes", "2"] in table.rows


def test_every_power_has_an_assumption_and_shoes_needed_rise_with_the_riffles() -> None:
    for knows in ("card", "rank", "value"):
        rows = shoes_needed(knows)  # type: ignore[arg-type]
        assert all(row.assumed and row.logs >= 20 for row in rows)
        for assumed in {row.assumed for row in rows}:
            needed = {row.fault: row.shoes or 10**6 for row in rows if row.assumed == assumed}
            names = [f"{k} riffle{'s' * (k > 1)} of the shoe before" for k in range(1, 10)]
            riffles = [needed[name] for name in names if name in needed]
            assert riffles == sorted(riffles)


class Text(HTMLParser):
    text = ""

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.long
def test_the_command_prints_and_writes_one_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(coups_file(tmp_path, fair(2)))
    command = ["shuffle", path, *DRAWN]
    assert main(command) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("In 2 shoes, no sign of the faults listed")
    assert "not tested: needs three usable shoes in a row" in printed
    assert main([*command, "--format", "json", "--out", str(tmp_path / "page")]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["verdict"], data["shoes"], data["known_by"], data["findings"]) == ("no sign", 2, "card", [])
    assert json.loads((tmp_path / "page" / "report.json").read_text()) == data
    page = Text()
    page.feed((tmp_path / "page" / "report.html").read_text())
    assert data["answer"][0] in page.text
    assert main([*command, "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["test"] for row in rows] == [row["test"] for row in data["tests"]]
    assert len(rows) == 15


def test_findings_have_shoe_coups_places_and_who_bet_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shoes = fair(2)
    path = coups_file(tmp_path, [*shoes, np.concatenate([shoes[0][200:], shoes[0][:200]])])
    bets = tmp_path / "bets.csv"
    bets.write_text("table,shoe,coup,patron,bet,amount,won\n1,2,5,P-1,player,100,-100\n1,1,5,P-2,player,900,900\n")
    command = ["shuffle", str(path), "--bets", str(bets), *DRAWN, "--out", str(tmp_path / "page")]
    assert main([*command, "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["verdict"] == "flagged"
    for finding in data["findings"]:
        assert {"kind", "table", "shoe", "coups", "places", "p", "bettors", "sentence"} <= finding.keys()
    first = data["findings"][0]
    assert (first["table"], first["shoe"], first["coups"], first["places"]) == ("1", "2", [1, 40], [1, 200])
    assert (first["former"], first["former_coups"], first["cards"]) == ("0", [41, 80], 200)
    assert first["bettors"] == [{"patron": "P-1", "coups": 1, "staked": 100.0, "won": -100.0}]
    assert first["p"] < 1e-4
    assert "Bets on these coups: P-1 staked 100.00 on 1 coup, with a net result of -100.00." in first["sentence"]
    assert first["sentence"] in data["answer"]
    page = Text()
    page.feed((tmp_path / "page" / "report.html").read_text())
    assert page.text.index("Findings") < page.text.index("Shoes needed to see a fault")


def test_too_little_read_is_no_verdict_and_exit_status_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = coups_file(tmp_path, fair(1))
    lines = path.read_text().split("\n")
    path.write_text("\n".join([lines[0], *lines[1:5]]))
    assert main(["shuffle", str(path)]) == 2
    assert capsys.readouterr().out.startswith(
        "No verdict: no shoe can be used. In 1 shoe, less than a quarter of the cards were seen."
    )
    assert main(["shuffle", str(path), "--format", "csv"]) == 2
    captured = capsys.readouterr()
    assert captured.out == "test,p,p_holm,flagged,what\n"
    assert captured.err.startswith("counting: No verdict")


def test_fewer_decks_that_fit_as_well_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(3)
    path = coups_file(tmp_path, [rng.permutation(np.repeat(np.arange(52), 6)) for _ in range(5)])
    assert main(["shuffle", str(path), *DRAWN]) == 0
    assert "would also fit 6 decks" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "line"),
    [(["--decks", "0"], "decks: 0, should be a whole number from 1 to 27"),
     (["--draws", "5"], "draws at level 0.05: 5, should be a whole number from 839 to 99,999"),
     (["--pickup", "top"], "--pickup top: should be the hand that is picked up first with its cards, then the other "
      "hand, each as 123, 213, 312, 321, then last-on-top or in-order, as P123-B123-last-on-top; or dealt-in-order or "
      "dealt-turned-last-on-top"),
     (["--level", "2"], "level: 2, should be from 0.0001 to below 1"),
     (["--allow-unread", "3"], "--allow-unread: 3.0, should be a share from 0 to 1, as 0.05")],
)  # fmt: skip
def test_bad_input_is_one_line(
    arguments: list[str], line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["shuffle", str(coups_file(tmp_path, fair(1))), *arguments]) == 2
    assert capsys.readouterr().err == f"counting: {line}\n"


def test_a_row_for_each_test() -> None:
    review = of_fair(1)
    rows = rows_of_tests(review)
    assert len(rows) == 15
    assert [row["test"] for row in rows[-4:]] == ["shoe-before", "two-before", "stretches", "one-shoe"]
    assert shuffle_report(review, {"coups.csv": "1f"}).data["files"] == {"coups.csv": "1f"}
