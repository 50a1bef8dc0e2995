"""Rates of errors by dealer, table and shift, against counts by hand; what a log cannot show is in no rate."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from counting import InputError, load_game
from counting.logs import Log, fields, read_log
from counting.review import ErrorRates, Shifts, dealing_errors
from counting.review.dealing import rates_of_errors
from counting.review.significance import holm, same_rate_p

GAME = load_game("punto-banco")
GOOD, DRAWN, OPEN = ("9h Kd", "8s 9d"), ("9h Kd", "8s 9d 3c"), ("9h ?", "8s 9d")  # by the rules; a natural drawn on
HEAD = ["table", "shoe", "coup", "player", "banker"]


def log_of(folder: Path, rows: list[dict[str, Any]], bets: list[dict[str, Any]] | None = None) -> Log:
    pl.DataFrame(rows, infer_schema_length=None).write_csv(folder / "coups.csv")
    if bets is not None:
        pl.DataFrame(bets).write_csv(folder / "bets.csv")
    return read_log(folder / "coups.csv", None if bets is None else folder / "bets.csv")


def coup(number: int, hands: tuple[str, str] = GOOD, **more: Any) -> dict[str, Any]:
    shoe, place = divmod(number, 40)
    player, banker = hands
    suit = "shdc"[number % 4] if hands == GOOD else "s"  # neighbours differ, or they would be the same coup twice
    banker = banker.replace("s", suit, 1)
    return {"table": "T1", "shoe": shoe, "coup": place + 1, "player": player, "banker": banker} | more


def rates(log: Log, **asked: Any) -> ErrorRates:
    errors = dealing_errors(log, GAME, 8).filter(~pl.col("rule").is_in(["too-many", "repeat"]))
    return rates_of_errors(log, errors, **asked)


def row(frame: pl.DataFrame, name: str | None, by: str, of: str = "dealing") -> dict[str, Any]:
    return frame.filter(pl.col("name").eq_missing(pl.lit(name, pl.String)), by=by, of=of).row(0, named=True)


def test_each_dealer_table_and_shift_has_its_coups_and_errors(tmp_path: Path) -> None:
    rows = [
        coup(n, DRAWN if n % 11 == 0 and n < 200 else GOOD, dealer="ABC"[n // 100], table=f"T{n % 2}",
             time=f"2026-03-0{n % 3 + 1} {n % 24:02}:59:59")
        for n in range(300)
    ]  # fmt: skip
    found = rates(log_of(tmp_path, rows), level=0.05).rows
    shifts = {"06:00-14:00": range(6, 14), "14:00-22:00": range(14, 22), "22:00-06:00": (22, 23, *range(6))}
    parts = {("dealer", d): range(100 * i, 100 * i + 100) for i, d in enumerate("ABC")}
    parts |= {("table", f"T{t}"): [n for n in range(300) if n % 2 == t] for t in (0, 1)}
    parts |= {("shift", name): [n for n in range(300) if n % 24 in hours] for name, hours in shifts.items()}
    wrong = set(range(0, 200, 11))
    assert found.height == 1 + len(parts)
    for (by, name), part in parts.items():
        got, errors = row(found, name, by), len(wrong.intersection(part))
        assert (got["coups"], got["errors"]) == (len(part), errors)
        assert got["per_100k"] == pytest.approx(1e5 * errors / len(part))
        assert got["others_per_100k"] == pytest.approx(1e5 * (len(wrong) - errors) / (300 - len(part)))
        assert got["p"] == pytest.approx(same_rate_p(errors, len(part), len(wrong), 300))
        assert got["low"] <= got["per_100k"] <= got["high"]
    assert row(found, None, "all")["errors"] == len(wrong)
    tested = found.drop_nulls("p").filter(~((pl.col("by") == "table") & (pl.col("name") == "T1")))
    assert tested["p_holm"].to_list() == pytest.approx(holm(tested["p"].to_numpy()).tolist())  # two tables: one test
    assert row(found, "T1", "table")["p_holm"] == row(found, "T0", "table")["p_holm"]
    assert [(r["name"], r["differs"]) for r in found.drop_nulls("differs").to_dicts()] == [("C", "fewer")]


def test_wrong_payouts_are_counted_by_coup_with_a_result(tmp_path: Path) -> None:
    rows = [coup(n, dealer="AB"[n % 2]) for n in range(60)]
    bets = [
        {"table": "T1", "shoe": n // 40, "coup": n % 40 + 1, "patron": patron, "bet": "player", "amount": 10,
         "won": "" if n == 4 else 20 if n in (0, 2) else 10}
        for n, patron in product(range(30), "XY")
    ]  # fmt: skip
    found = rates(log_of(tmp_path, rows, bets)).rows
    assert (row(found, None, "all", "paying")["coups"], row(found, None, "all", "paying")["errors"]) == (29, 2)
    assert [row(found, d, "dealer", "paying")["errors"] for d in "AB"] == [2, 0]
    assert row(found, "B", "dealer", "paying")["at_most"] == pytest.approx(1e5 * (1 - 0.05 ** (1 / 15)))


def test_without_errors_nothing_is_tested_and_the_limit_is_one_sided(tmp_path: Path) -> None:
    found = rates(log_of(tmp_path, [coup(n, dealer="AB"[n % 2]) for n in range(60)]))
    assert found.rows["p"].null_count() == found.rows.height
    assert row(found.rows, None, "all")["at_most"] == pytest.approx(1e5 * (1 - 0.05 ** (1 / 60)))
    assert row(found.rows, None, "all")["high"] > row(found.rows, None, "all")["at_most"]


def test_one_dealer_none_and_some_without_a_name_or_a_time(tmp_path: Path) -> None:
    one = rates(log_of(tmp_path, [coup(n, dealer="A") for n in range(9)]))
    assert one.rows["by"].unique().to_list() == ["all"]
    assert one.lacks == {"shift": 9}
    none = rates(log_of(tmp_path, [coup(n) for n in range(9)]))
    assert (none.rows.height, none.lacks) == (1, {"dealer": 9, "shift": 9})
    some = rates(
        log_of(tmp_path, [coup(n, dealer=["A", "B", ""][n % 3], time="21:00" if n else "soon") for n in range(9)])
    )
    assert some.rows.filter(by="dealer")["coups"].to_list() == [3, 3]
    assert some.lacks == {"dealer": 3, "shift": 1}


def test_coups_that_the_log_cannot_judge_are_in_no_rate(tmp_path: Path) -> None:
    rows = [coup(n, OPEN if n in (3, 4) else DRAWN if n == 5 else GOOD) | {"player_total": 1 if n == 6 else 9}
            for n in range(20)]  # fmt: skip
    for n in (3, 4):
        rows[n]["player_total"] = ""
    found = rates(log_of(tmp_path, rows))
    assert found.unseen == 3  # two not read, one whose record contradicts itself
    assert (row(found.rows, None, "all")["coups"], row(found.rows, None, "all")["errors"]) == (17, 1)


def test_five_cards_in_one_list_that_the_rules_parted_are_in_no_rate(tmp_path: Path) -> None:
    lists = ["9h 8s Kd 9d", "2h 3s 3d Kd 4c", "2h 3s 3d 9d 4c 5c"]  # four, five and six cards as dealt
    pl.DataFrame({"table": "T1", "shoe": 1, "coup": [1, 2, 3], "cards": lists}).write_csv(tmp_path / "coups.csv")
    log = read_log(tmp_path / "coups.csv")
    assert log.coups["ruled"].to_list() == [False, True, False]
    assert rates(log).unseen == 1


def test_an_empty_log_has_no_rates(tmp_path: Path) -> None:
    (tmp_path / "coups.csv").write_text(",".join(HEAD) + "\n")
    assert rates(read_log(tmp_path / "coups.csv")).rows.is_empty()


# Shifts and times


def test_shifts_are_three_of_eight_hours_or_as_named() -> None:
    assert Shifts().names == Shifts.written("14").names == ("06:00-14:00", "14:00-22:00", "22:00-06:00")
    assert Shifts.written("04:30").names == ("04:30-12:30", "12:30-20:30", "20:30-04:30")
    assert Shifts.written("18:00, 8").names == ("08:00-18:00", "18:00-08:00")
    minutes = pl.Series([0, 479, 480, 1079, 1080, 1439, None], dtype=pl.Int16)
    day, night = Shifts.written("08,18").names
    assert Shifts.written("08,18").of(minutes).to_list() == [night, night, day, day, night, night, None]


@pytest.mark.parametrize("text", ["", "24:00", "8:60", "noon", "8:00,8", "8:00,", "-1"])
def test_what_is_no_shift_is_a_line(text: str) -> None:
    with pytest.raises(InputError, match="shifts"):
        Shifts.written(text)


@pytest.mark.parametrize(
    ("text", "minute"),
    [
        ("21:04", 1264), ("0:00", 0), ("2026-03-01 21:04:30", 1264), ("2026-03-01T21:04:30.250Z", 1264),
        ("03/01/2026 9:04:30 PM", 1264), ("12:30 am", 30), ("12:30 p.m.", 750), ("2026-03-01T21:04:30+01:00", 1264),
        ("", None), ("1767225600", None), ("24:00", None), ("13:00 PM", None), ("noon", None), ("9:60", None),
    ],
)  # fmt: skip
def test_the_clock_is_read_with_a_date_or_without(text: str, minute: int | None) -> None:
    value, reason = fields.clock(text)
    assert value == minute
    assert (reason is None) == (minute is not None or not text or text.isdecimal())
