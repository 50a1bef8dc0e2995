"""Results alone: counts against exact chances, faults that are planted, and logs with something missing."""

import random
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from extent import LONG, long_or

from counting import load_game
from counting.errors import InputError
from counting.logs import Log, read_log
from counting.review import ResultsReview, ResultsSettings, ResultTest, review_results
from counting.review.chances import full_shoe
from counting.review.significance import holm
from counting.review.winners.dealt import dealt_shoes
from counting.review.winners.features import FEATURES, WINNERS
from counting.review.winners.plan import POWER, Plan, distance, moved, needed, power
from experiments.results import plain

PUNTO = load_game("punto-banco")
HEAD = "table,shoe,coup,dealer,time,winner,player_pair,banker_pair,natural,player_total,banker_total"
Row = dict[str, object]


def rows_of(shoes: int = 10, seed: int = 1, tables: int = 2) -> list[Row]:
    """A log of a plain dealer's."""
    rng = random.Random(seed)
    return [
        {
            "table": f"T{shoe % tables}", "shoe": shoe, "coup": at, "dealer": f"D{shoe // 2 % 2}",
            "time": f"{(10 * shoe + at // 60) % 24}:{at % 60:02}", "winner": coup.winner,
            "player_pair": int(coup.player_pair), "banker_pair": int(coup.banker_pair), "natural": int(coup.natural),
            "player_total": coup.player, "banker_total": coup.banker,
        }
        for shoe in range(shoes) for at, coup in enumerate(plain.dealt(plain.shoe(rng)), 1)
    ]  # fmt: skip


SHOES = long_or(10, 8)
ROWS = rows_of(SHOES)


def logged(folder: Path, rows: list[Row], columns: str = HEAD) -> Log:
    names = columns.split(",")
    lines = [columns, *(",".join(str(row[name]) for name in names) for row in rows)]
    (folder / "results.csv").write_text("\n".join(lines) + "\n")
    return read_log(folder / "results.csv")


def reviewed(folder: Path, rows: list[Row], columns: str = HEAD, decks: int = 8, level: float = 0.01) -> ResultsReview:
    return review_results(logged(folder, rows, columns), PUNTO, decks, ResultsSettings(level))


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> ResultsReview:
    return reviewed(tmp_path_factory.mktemp("honest"), ROWS)


def test_chances_are_those_of_counting_all_hands() -> None:
    exact, shoe = plain.exact_chances(8, [9] * 4), full_shoe(8)
    shoe[9] -= 4
    of = {feature.name: feature.chances(PUNTO.tableau, shoe) for feature in FEATURES if feature.of_outcome}
    assert of["winner"].tolist() == pytest.approx([float(exact[name]) for name in WINNERS], rel=1e-14)
    assert of["natural"][0] == pytest.approx(float(exact["natural"]), rel=1e-14)
    for hand in ("player", "banker"):
        totals = [float(exact[f"{hand} {total}"]) for total in range(10)]
        assert of[f"{hand}_total"].tolist() == pytest.approx(totals, rel=1e-14)


@pytest.mark.parametrize("feature", FEATURES, ids=lambda feature: feature.name)
def test_dealt_shoes_have_the_exact_chances(feature: object) -> None:
    dealt = dealt_shoes(PUNTO.tableau, 8, 1)
    mean, spread = dealt.moments(feature, 60)  # type: ignore[arg-type]
    chances = dealt.chances(feature)[:-1]  # type: ignore[arg-type]
    error = np.sqrt(np.diag(spread) / 20_000)
    assert (np.abs(mean - 60 * chances) < 4.5 * error).all()
    assert np.diag(spread) == pytest.approx(60 * chances * (1 - chances), rel=0.06)


def test_an_honest_log_is_not_flagged(honest: ResultsReview) -> None:
    assert honest.flagged == []
    assert honest.contradictions.is_empty()
    assert {test.by for test in honest.tests} == {"all", "table", "dealer", "shift"}
    p = np.array([test.p for test in honest.tests])
    assert [test.p_holm for test in honest.tests] == holm(p).tolist()


def test_counts_are_those_of_the_log(honest: ResultsReview) -> None:
    for by, value in (("all", "all"), ("table", "T1"), ("dealer", "D0")):
        rows = [row for row in ROWS if by == "all" or row[by] == value]
        counts = honest.counts.filter(by=by, group=value)
        for row in counts.filter(what="winner").iter_rows(named=True):
            assert row["came"] == sum(each["winner"] == row["category"] for each in rows)
            assert row["coups"] == len(rows)
        assert counts.filter(what="natural")["came"].to_list() == [sum(bool(each["natural"]) for each in rows)]
    early = sum(int(str(row["time"]).partition(":")[0]) in range(6, 14) for row in ROWS)
    assert honest.counts.filter(by="shift", group="06:00-14:00", what="natural")["coups"].to_list() == [early]


def test_two_reviews_are_the_same(honest: ResultsReview, tmp_path: Path) -> None:
    assert reviewed(tmp_path, ROWS).tests == honest.tests


def flagged(review: ResultsReview) -> set[tuple[str, str]]:
    return {(test.test, test.group) for test in review.flagged}


def test_a_dealer_who_records_ties_as_a_win_is_flagged(tmp_path: Path) -> None:
    rows = [
        row | {"winner": "player"} if row["dealer"] == "D1" and row["winner"] == "tie" else row
        for row in ROWS
        if row["table"] == "T1"
    ]
    by_winners = reviewed(tmp_path, rows, "table,shoe,coup,dealer,winner")
    assert ("winner", "D1") in flagged(by_winners)
    assert ("winner", "D0") not in flagged(by_winners)
    contradicted = reviewed(tmp_path, rows).contradictions
    assert contradicted.height == sum(
        row["dealer"] == "D1" and row["winner"] == "tie" and row["table"] == "T1" for row in ROWS
    )
    assert set(contradicted["dealer"]) == {"D1"}


def test_a_shoe_that_comes_again_is_flagged(tmp_path: Path) -> None:
    rows = [row for row in ROWS if row["shoe"] in (5, 7)]
    again = [row | {"shoe": 99} for row in rows if row["shoe"] == 7]
    review = reviewed(tmp_path, [*rows, *again], "table,shoe,coup,winner")
    assert ("repeat", "all") in flagged(review)
    repeat = review.order.longest_repeat
    assert repeat is not None
    assert [review.coups["shoe"][row] for row in (repeat.before, repeat.after)] == ["7", "99"]
    elsewhere = [row | {"table": "T9"} for row in again]
    other_table = reviewed(tmp_path, [*rows, *elsewhere], "table,shoe,coup,winner").order.longest_repeat
    assert other_table is not None
    assert other_table.coups < 20 < repeat.coups


def test_results_in_turn_are_flagged_for_their_order_alone(tmp_path: Path) -> None:
    shoe = [row for row in ROWS if row["shoe"] in (1, 3)]
    sides = {side: [row["winner"] for row in shoe if row["winner"] == side] for side in ("player", "banker")}
    turns = [won for pair in zip(*sides.values(), strict=False) for won in pair]
    rows = [row | {"winner": won} for row, won in zip(shoe, turns, strict=False)]
    assert {test for test, _ in flagged(reviewed(tmp_path, rows, "table,shoe,coup,winner"))} >= {"changes", "streaks"}


@pytest.mark.long
def test_banker_s_wins_of_a_log_without_ties_are_tested(tmp_path: Path) -> None:
    rng = random.Random(7)
    rows = [row | {"winner": "player"} if rng.random() < 0.3 else row for row in ROWS if row["winner"] == "banker"]
    rows += [row for row in ROWS if row["winner"] == "player"]
    rows = [row for row in rows if LONG or row["table"] == "T1"]
    assert ("winner", "all") in flagged(reviewed(tmp_path, rows, "table,shoe,winner"))


def test_marks_alone_leave_blanks_as_none(tmp_path: Path) -> None:
    rows = [row | {"player_pair": "x" if row["player_pair"] else ""} for row in ROWS]
    marked = [row | {"player_pair": "pair" if row["player_pair"] else ""} for row in rows]
    review = reviewed(tmp_path, marked, "table,shoe,coup,winner,player_pair")
    assert review.marks == ["player_pair"]
    pairs = review.counts.filter(by="all", what="player_pair").row(0, named=True)
    assert pairs["coups"] == len(ROWS)
    assert pairs["came"] == sum(bool(row["player_pair"]) for row in rows)
    assert not review.flagged


def test_missing_values_are_left_out(tmp_path: Path) -> None:
    rng = random.Random(2)
    rows = [row | {"player_pair": "" if rng.random() < 0.3 else row["player_pair"]} for row in ROWS]
    review = reviewed(tmp_path, rows, "table,shoe,coup,winner,player_pair")
    pairs = review.counts.filter(by="all", what="player_pair").row(0, named=True)
    assert pairs["coups"] == sum(row["player_pair"] != "" for row in rows)
    assert pairs["expected"] == pytest.approx(pairs["coups"] * 31 / 415)


def test_gaps_are_counted_and_a_winner_that_is_not_read_is_one(tmp_path: Path) -> None:
    kept = [row for row in ROWS if row["coup"] not in (20, 21, 40)]
    review = reviewed(tmp_path, kept, "table,shoe,coup,winner")
    assert review.missing == 2 * SHOES
    blank = [row | {"winner": "?" if row["coup"] in (20, 21, 40) else row["winner"]} for row in ROWS]
    unread = reviewed(tmp_path, blank, "table,shoe,coup,winner")
    assert unread.missing == 2 * SHOES
    assert unread.tests == review.tests


def test_a_few_coups_of_one_shoe(tmp_path: Path) -> None:
    few = [row for row in ROWS if row["shoe"] == 1][:4]
    review = reviewed(tmp_path, few, "table,shoe,coup,winner")
    assert [test.test for test in review.tests] == ["winner"]
    assert review.left_out == ["the order of results, because no shoe has enough coups whose places can change"]


def test_shoes_with_more_coups_than_the_decks_have_are_counted(honest: ResultsReview, tmp_path: Path) -> None:
    assert honest.too_long == 0
    rows = [row for row in ROWS if row["table"] == "T1"]
    assert reviewed(tmp_path, rows, "table,shoe,coup,winner", decks=6).too_long == sum(
        max(int(str(row["coup"])) for row in rows if row["shoe"] == shoe) > (52 * 6 - 6) // 4 + 1
        for shoe in {row["shoe"] for row in rows}
    )
    as_one = [row | {"shoe": 1, "coup": at} for at, row in enumerate(rows, 1)]
    assert reviewed(tmp_path, as_one, "table,shoe,coup,winner").too_long == 1


def test_a_log_without_ties_is_compared_with_coups_that_are_none(tmp_path: Path) -> None:
    rows = [row for row in ROWS if row["winner"] != "tie"]
    review = reviewed(tmp_path, rows, "table,shoe,winner,player_pair")
    assert not review.has_ties
    assert not review.flagged
    exact = (
        plain.exact_chances(8)
        if LONG
        else dict(zip(WINNERS, FEATURES[0].chances(PUNTO.tableau, full_shoe(8)), strict=True))
    )
    counts = review.counts.filter(by="all")
    assert counts["category"].to_list() == ["player", "banker"]
    for name, expected in counts.select("category", "expected").rows():
        assert expected == pytest.approx(len(rows) * float(exact[name] / (1 - exact["tie"])), rel=1e-12)
    assert review.left_out == ["Player pair (the exact chances are for all coups, but ties are not logged)"]
    assert list(review.plan.least_change(len(rows))) == ["player", "banker"]
    numbered = reviewed(tmp_path, rows, "table,shoe,coup,winner")
    assert (numbered.missing, numbered.longest_streak) == (0, review.longest_streak)


def test_small_groups_are_not_tested(tmp_path: Path) -> None:
    rows = [row | {"dealer": "new"} if row["shoe"] == 3 and int(str(row["coup"])) < 40 else row for row in ROWS]
    review = reviewed(tmp_path, rows, "table,shoe,coup,dealer,winner")
    assert {test.group for test in review.tests if test.by == "dealer"} == {"D0", "D1"}
    assert review.left_out == ["tests by dealer with fewer than 50 coups (1 in all)"]


def test_logged_decks_count(tmp_path: Path) -> None:
    rows = [row | {"decks": 6 if row["table"] == "T1" else 8} for row in ROWS]
    counts = reviewed(tmp_path, rows, "table,shoe,coup,decks,winner").counts
    for table, decks in (("T0", 8), ("T1", 6)):
        tie = counts.filter(by="table", group=table, category="tie").row(0, named=True)
        chance = FEATURES[0].chances(PUNTO.tableau, full_shoe(decks))[2]
        assert tie["expected"] == pytest.approx(tie["coups"] * chance)


def test_a_log_without_winners_is_refused(tmp_path: Path) -> None:
    rows = [row | {"winner": ""} for row in ROWS] + [ROWS[0] | {"shoe": 99}]
    log = logged(tmp_path, rows, "table,shoe,coup,winner")
    with pytest.raises(InputError, match="no winner that can be read"):
        review_results(Log(log.coups.filter(pl.col("winner").is_null()), log.bets, log.remarks), PUNTO, 8)


def test_power_is_that_of_drawn_logs() -> None:
    chances = FEATURES[0].chances(PUNTO.tableau, full_shoe(8))
    shifted = moved(chances, 2, 0.02)
    assert shifted.sum() == pytest.approx(1)
    assert shifted[0] / shifted[1] == pytest.approx(chances[0] / chances[1])
    coups = round(needed(2, 0.01) / distance(chances, shifted))
    drawn = np.random.default_rng(1).multinomial(coups, shifted, 20_000)
    square = ((drawn - coups * chances) ** 2 / (coups * chances)).sum(axis=1)
    assert (square >= 9.2103).mean() == pytest.approx(POWER, abs=0.02)
    assert power(0.0, 2, 0.05) == pytest.approx(0.05)


def test_the_plan_counts_what_each_fault_takes() -> None:
    rows = Plan(PUNTO.tableau, 8, FEATURES[:1], 0.01, 0.01, 5).rows
    assert [row.fault for row in rows] == [
        "Player comes more often", "Banker comes more often", "Tie comes more often", "4 nines missing from the shoe",
        "6 decks, not 8", "1% of ties recorded as Player's",
    ]  # fmt: skip
    assert Plan(PUNTO.tableau, 1, FEATURES[:1], 0.01, 0.01, 5).rows[3].fault == "3 nines missing from the shoe"
    tie = rows[2]
    assert tie.coups == pytest.approx(13.88 * 0.0951560 * 0.9048440 / 0.0001, rel=1e-3)
    assert all(row.coups < row.coups_holm for row in rows)


def test_a_result_test_says_what_it_is_of(honest: ResultsReview) -> None:
    assert all(
        isinstance(test, ResultTest) and test.how in ("dealt", "chi-squared", "arranged") for test in honest.tests
    )
