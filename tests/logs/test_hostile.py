"""Hostile values: whatever a record holds is read or remarked on, both by an audit of the file and by a watch of its
lines.

A log of coups with one hostile record, in any form, loses at most that record.
"""

import gzip
import json
import os
import random
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from extent import crossed, long_or
from twins.hostile import FORMS, LAYOUTS, OTHERS, a_record, good_rows, kind_of, written
from twins.other_logs import workbook

from counting import InputError, load_game
from counting.cli import main
from counting.live import COUPS, Watch, WatchSettings, open_input
from counting.logs import Layout, Log, read_log
from counting.logs.drafting import draft
from counting.logs.json_files import Json
from counting.logs.layouts import BetColumns
from counting.logs.records import DEEPEST, LONGEST, MOST_VALUES, record_of, value_of_file
from counting.logs.remarks import Reason
from counting.review import audit
from counting.review.repeats import without_stale

EZ = load_game("ez-baccarat")
HANDS = [("9h Kd", "5c 2s"), ("2h 3d 4s", "9c Kc 2d"), ("4h Ad 3s", "10c Js 2d"), ("8h 8d", "6c 2h 9s")]
GOOD = [
    {"table": "1", "shoe": str(at // 60), "coup": at % 60 + 1, "player": HANDS[at % 4][0], "banker": HANDS[at % 4][1]}
    for at in range(300)
]


def followed(file: Path, layout: Layout | None = None) -> Watch:
    """A watch that has read a file once."""
    watch = Watch(WatchSettings(EZ, 8, level=0), layout, {COUPS: file.name})
    source = open_input(str(file), COUPS)
    with closing(source):
        lines = source.read()
        while lines or not source.idle:
            watch.take(lines)
            lines = source.read()
    return watch


def coups_watched(watch: Watch) -> int:
    return watch.numbers["coup"] + watch.numbers["late"]


def deep(levels: int, sign: str = "[") -> str:
    return sign * levels + "1" + ("]" if sign == "[" else "}") * levels


HOSTILE = {
    "a list nested 500 deep": '{"table":"1","shoe":"9","coup":1,"player":"9h Kd","banker":"5c 2s","x":'
    + deep(500)
    + "}",
    "an object nested 600 deep": '{"x":' + deep(600, '{"a":') + "}",
    "a list nested 100,000 deep": deep(100_000),
    "brackets that do not close": "[" * 5000,
    "half an emoji": '{"table":"t\\ud83d","shoe":"\\ude00","coup":"\\ud83d","player":"9h Kd","banker":"5c 2s"}',
    "a number of 5,000 digits": '{"table":"1","shoe":"9","coup":%s,"player":"9h Kd","banker":"5c 2s"}' % ("9" * 5000),
    "ten thousand keys": json.dumps({f"key {at}": at for at in range(MOST_VALUES + 2)}),
    "a long line": json.dumps({"table": "x" * LONGEST}),
    "types in the wrong place": '{"table":[{}],"shoe":{"a":1},"coup":[1,2],"player":{"rank":"K"},"banker":true}',
    "not a number": '{"table":NaN,"shoe":Infinity,"coup":-Infinity,"player":null,"banker":1e999}',
}


@pytest.mark.usefixtures("unpriced")
@pytest.mark.parametrize(("kind", "first"), crossed(HOSTILE, [False, True]))
def test_one_hostile_record_costs_one_coup_at_most(tmp_path: Path, kind: str, first: bool) -> None:
    number = 150  # one line of 151 is less than a hundredth, and may be a mistake
    lines = [json.dumps(record) for record in GOOD[:number]]
    lines.insert(0 if first else 75, HOSTILE[kind])
    file = tmp_path / "coups.jsonl"
    file.write_text("\n".join(lines) + "\n")
    log, watch = read_log(file), followed(file)
    assert log.coups.height == coups_watched(watch) == number
    assert log.skipped["coups"] == watch.numbers["bad"] == 1
    assert log.remarks["line"].unique().to_list() == [1 if first else 76]
    if len(HOSTILE[kind]) < LONGEST:
        file.write_text("[" + ",".join(line for line in lines if line.count("[") < 1000 or "]" in line) + "]")
        assert read_log(file).coups.height >= number


def test_what_a_record_holds_is_bounded_before_it_is_read() -> None:
    assert record_of(f'{{"a":{deep(DEEPEST - 1)}}}') == {"a": json.loads(deep(DEEPEST - 1))}
    for text, said in (
        (f'{{"a":{deep(DEEPEST)}}}', "nested deeper than 32 levels"),
        (json.dumps(list(range(MOST_VALUES + 2))), "more than 10,000 values"),
        (
            '{"a":' * (DEEPEST // 2) + "[" * DEEPEST + "]" * DEEPEST + "}" * (DEEPEST // 2),
            "nested deeper than 32 levels",
        ),
        ('[{"a":' * (DEEPEST // 2 + 1) + "1" + "}]" * (DEEPEST // 2 + 1), "nested deeper than 32 levels"),
        (json.dumps("x" * LONGEST), "too long"),
        ("7", "not a record"),
        ('[{"a":1},{"a":2}]', "several records"),
    ):
        reason = record_of(text)
        assert isinstance(reason, Reason)
        assert said in reason.text
    alternating = '{"a":[' * (DEEPEST // 2) + "]}" * (DEEPEST // 2)
    assert record_of(alternating) == json.loads(alternating)
    assert record_of(json.dumps({"a": [[]] * 40})) == {"a": [[]] * 40}
    assert record_of(json.dumps({"a": "[{" * 5000 + "," * 50_000})) == {"a": "[{" * 5000 + "," * 50_000}
    assert value_of_file(f'[{deep(200)}, {{"a": 1}}]')[1] == {"a": 1}
    assert value_of_file(r'["\ud83d\ude00", "\ud83d", "\\ud83d"]') == ["\U0001f600", "\ufffd", r"\ud83d"]
    assert isinstance(value_of_file("[" + "[]," * 10_000_000 + "1]"), Reason)


@pytest.mark.usefixtures("undamaged", "unpriced")
@pytest.mark.parametrize("form", [*FORMS, *OTHERS])
def test_random_values_are_read_or_remarked_on(tmp_path: Path, form: str) -> None:
    """Random records are mixed into a log of good coups, which are all read. If a watch can read the form, the watch
    skips at most the random records."""
    rng, good = random.Random(form), GOOD[: long_or(200, 80)]
    kind = LAYOUTS.get(kind_of(form))
    layout = None if kind is None else Layout.model_validate(kind)
    for at in range(long_or(20, 1)):
        records = good_rows(form, [coup | {"winner": "player"} for coup in good])
        hostile = [a_record(rng, form) for _ in range(20)]
        for record in hostile:
            records.insert(rng.randrange(1, len(records)), record)
        file = written(tmp_path / str(at), form, records)
        log = read_log(file, None, layout)
        read = log.coups.filter(pl.col("table") == "1", pl.col("shoe").is_in([str(shoe) for shoe in range(5)]))
        assert read.height == len(good)
        if form.rpartition(".")[2] in ("csv", "jsonl"):
            watch = followed(file, layout)
            assert coups_watched(watch) >= len(good)
            assert watch.numbers["bad"] <= 20


def test_a_hostile_card_does_not_hide_that_rows_are_cards(tmp_path: Path) -> None:
    rows = good_rows("cards.csv", GOOD)
    for at, name in ((40, "hand"), (90, "card"), (140, "place")):
        rows.insert(at, {**rows[0], "shoe": "h", name: "x" * 90})
    file = written(tmp_path, "cards.csv", rows)
    assert read_log(file).coups.filter(pl.col("shoe") != "h").height == len(GOOD)
    assert 'hand = "hand"' in draft(file)


def test_events_of_results_alone(tmp_path: Path) -> None:
    """A line with an event and no winner is not a coup, and neither is a dead game."""
    file = tmp_path / "results.csv"
    lines = ["table,shoe,coup,winner,event", "1,0,1,player,", "1,0,,,cut card", "1,0,2,tie,dead", "1,0,2,banker,note"]
    file.write_text("\n".join(lines) + "\n")
    log = read_log(file)
    assert log.coups["winner"].to_list() == ["player", "banker"]
    assert log.events["event"].to_list() == ["cut card", "dead"]
    watch = followed(file)
    assert (watch.numbers["coup"], watch.numbers["out"]) == (2, 2)


def test_a_log_may_have_more_events_than_coups(tmp_path: Path) -> None:
    lines = ["table,shoe,coup,player,banker,event", "1,a,1,9h Kd,8s 9d,", *["1,a,,,,shuffle"] * 1500]
    file = tmp_path / "coups.csv"
    file.write_text("\n".join(lines) + "\n")
    log = read_log(file)
    assert (log.coups.height, log.events.height) == (1, 1500)


def test_a_draft_looks_at_so_many_columns(tmp_path: Path) -> None:
    """A draft tries at most a hundred columns whose names lead nowhere, since each try takes milliseconds."""
    file = tmp_path / "wide.jsonl"
    wide = {f"a{at}.b": at for at in range(3000)}
    file.write_text("".join(json.dumps(record | (wide if at == 9 else {})) + "\n" for at, record in enumerate(GOOD)))
    looks = 0
    sample = Json.sample

    def counted(self: Json, columns: Any) -> pl.DataFrame:
        nonlocal looks
        looks += 1
        return sample(self, columns)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Json, "sample", counted)
        assert "# With this layout: 300 coups, 0 lines skipped." in draft(file)
    assert looks < 200


# Files


def test_an_array_on_one_line_is_read_whatever_its_length(tmp_path: Path) -> None:
    records = [{**record, "table": str(table), "note": "x" * 400} for table in range(15) for record in GOOD]
    (tmp_path / "coups.json").write_text(json.dumps(records))
    assert (tmp_path / "coups.json").stat().st_size > 1_800_000
    assert read_log(tmp_path / "coups.json").coups.height == len(records)


def test_a_packed_file_may_not_grow_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("counting.logs.texts._GROWN", 1 << 20)
    for data in (
        b"[" + b" " * (1 << 21),
        b"table,shoe,coup,player,banker\n" + b"\n" * (1 << 21),
        b"PAR1" + bytes(1 << 21),
    ):
        with gzip.open(tmp_path / "coups.gz", "wb") as file:
            file.write(data)
        with pytest.raises(InputError, match="packed by gzip, of more than 1,048,576 bytes unpacked"):
            read_log(tmp_path / "coups.gz")


def test_a_workbook_with_a_cell_at_the_far_corner_is_refused_in_a_line(tmp_path: Path) -> None:
    book = workbook(tmp_path, pl.DataFrame(GOOD).with_columns(pl.all().cast(pl.String)))[0]
    with zipfile.ZipFile(book) as parts:
        content = {name: parts.read(name) for name in parts.namelist()}
    sheet = next(name for name in content if "sheet1" in name and name.endswith(".xml"))
    far = b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
    content[sheet] = content[sheet].replace(b"</sheetData>", far)
    with zipfile.ZipFile(tmp_path / "far.xlsx", "w") as parts:
        for name, data in content.items():
            parts.writestr(name, data)
    with pytest.raises(InputError, match=r"far.xlsx: not a workbook that can be read: "):
        read_log(tmp_path / "far.xlsx")


def test_more_rows_than_a_file_of_its_size_has_are_refused(tmp_path: Path) -> None:
    few = {name: pl.repeat("1", 1_500_000, eager=True) for name in ("table", "shoe", "coup", "player", "banker")}
    pl.DataFrame(few).write_parquet(tmp_path / "coups.parquet")
    with pytest.raises(InputError, match="1,500,000 rows, should be at most 1,"):
        read_log(tmp_path / "coups.parquet")


VIEW = "SELECT %s AS \"table\", n / 80 AS shoe, n %% 80 + 1 AS coup, '9h 8h' AS player, '2c 2d' AS banker FROM c"
COUNT = "WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c%s) "


@pytest.mark.parametrize(
    ("query", "said"),
    [
        (COUNT % "" + VIEW % "count(*)", "takes too long: a view without an end"),
        (COUNT % "" + VIEW % "1", "takes too long|a table of more than"),
        (COUNT % " LIMIT 99" + VIEW % "hex(zeroblob(1000000))", "string or blob too big"),
    ],
    ids=["never a row", "rows without end", "a huge cell"],
)
def test_a_hostile_view_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, query: str, said: str) -> None:
    monkeypatch.setattr("counting.logs.tables._SECONDS", 0.3)
    with closing(sqlite3.connect(tmp_path / "hands.db")) as link:
        link.execute(f"CREATE VIEW hands AS {query}")
    with pytest.raises(InputError, match=said):
        read_log(tmp_path / "hands.db")


def test_a_pipe_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    refused: tuple[Callable[[], object], ...] = (
        lambda: read_log(tmp_path / "pipe"), lambda: open_input(str(tmp_path / "pipe"), COUPS),
    )  # fmt: skip
    for opened in refused:
        with pytest.raises(InputError, match="a pipe or a device"):
            opened()


def test_layouts_refuses_a_file_that_is_no_layout(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "book.xlsx").write_bytes(b"PK\x03\x04\x8a\xff\0")
    assert main(["layouts", str(tmp_path / "book.xlsx")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


# Bets


def test_bets_may_have_constants(tmp_path: Path) -> None:
    pl.DataFrame(GOOD[:1]).write_csv(tmp_path / "coups.csv")
    (tmp_path / "bets.csv").write_text("table,shoe,patron,amount\n1,0,Ann,25\n")
    layout = Layout(bets=BetColumns(coup="constant: 1", bet="constant: tie"))
    log = read_log(tmp_path / "coups.csv", tmp_path / "bets.csv", layout)
    assert log.bets.select("coup", pl.col("bet").cast(pl.String), "amount").rows() == [(1, "tie", 2500)]
    for columns, field in (
        (BetColumns(coup="constant"), "coup"),
        (BetColumns(coup="constant: 1", bet="constant"), "bet"),
    ):
        with pytest.raises(InputError, match=f"bets, {field}: constant without a value, should be a column, or"):
            read_log(tmp_path / "coups.csv", tmp_path / "bets.csv", Layout(bets=columns))
    much = Layout(bets=BetColumns(coup="constant: 1", bet="constant: tie", amount="constant: much"))
    with pytest.raises(InputError, match="bets, amount: constant 'much': should be a positive amount"):
        read_log(tmp_path / "coups.csv", tmp_path / "bets.csv", much)


def test_bets_listed_in_their_coup_are_bets(tmp_path: Path) -> None:
    """The audit reads the bets from the file of coups, named once more as the file of bets. The watch reads the same
    lines."""
    records = [{**record, "bets": [{"patron": name, "bet": "tie", "amount": 5 + at} for name in ("Ann", "Bob")]}
               for at, record in enumerate(GOOD[:50])]  # fmt: skip
    records[7].pop("bets")
    records[9]["bets"] = []
    file = tmp_path / "coups.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    log, watch = read_log(file, file), followed(file)
    assert log.coups.height == coups_watched(watch) == 50
    assert log.bets.height == watch.numbers["bet"] == 96
    assert log.skipped == {"coups": 0, "bets": 0}
    assert watch.tables.of("1").shoe.bets[:2] == [
        (1, "Ann", "tie-8", 500, None, False),
        (1, "Bob", "tie-8", 500, None, False),
    ]


# Hands in progress, and faults of the record


def parts(states: list[tuple[str, str, str]], coup: int = 1) -> list[dict[str, Any]]:
    return [{"table": "1", "shoe": "0", "coup": coup, "player": player, "banker": banker, "winner": winner}
            for player, banker, winner in states]  # fmt: skip


def test_a_hand_in_progress_waits_or_is_a_remark_and_no_error_of_the_dealer(tmp_path: Path) -> None:
    whole = parts([("9h", "", ""), ("9h", "5c", ""), ("9h Kd", "5c", ""), ("9h Kd", "5c 2s", "player")])
    begun = parts([("2h", "9c", ""), ("2h 3d", "9c", "")], 2)
    file = tmp_path / "coups.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in whole + begun))
    log, watch = read_log(file), followed(file)
    assert log.coups.select("line", "coup").rows() == [(4, 1)]
    assert log.skipped["coups"] == 2
    reasons = log.remarks.filter(pl.col("reason").str.contains("progress"))["reason"].to_list()
    assert [reason.split("; ")[1] for reason in reasons] == ["another line has all of it"] * 2 + ["line skipped"] * 2
    assert audit(log, EZ, 8).errors.is_empty()
    assert (coups_watched(watch), watch.waiting(), watch.numbers["part"]) == (1, 1, 5)


@pytest.mark.parametrize(
    ("player", "banker", "coups"), [("9h", "", 0), ("9h Kd", "", 0), ("", "5c", 0), ("9h", "5c", 1), ("9h Kd", "5c", 1)]
)
def test_a_coup_with_a_winner_is_over_with_any_cards(tmp_path: Path, player: str, banker: str, coups: int) -> None:
    """A coup whose line names a winner is over. It counts as a coup if each hand has a card; otherwise its line is
    skipped."""
    file = tmp_path / "coups.jsonl"
    records = [*parts([("9h Kd", "5c 2s", "player")]), *parts([(player, banker, "player")], 2)]
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    log, watch = read_log(file), followed(file)
    assert (log.coups.height, log.skipped["coups"], log.remarks.height) == (1 + coups, 1 - coups, 1 - coups)
    assert (coups_watched(watch), watch.numbers["bad"], watch.waiting()) == (1 + coups, 1 - coups, 0)


def test_states_of_a_coup_are_one_coup(tmp_path: Path) -> None:
    states = parts([("2h 3d", "9c Kc", ""), ("2h 3d", "9c Kc", "banker")])
    states += parts([("2h 3d", "2c Kc", ""), ("2h 3d 4s", "2c Kc", ""), ("2h 3d 4s", "2c Kc 5d", "player")], 2)
    states += parts([("2h 3d", "2c Kc", "player"), ("2h 3d 4s", "2c Kc", "player")], 3)  # with two results
    states += parts([("2h 3d", "2c Kc", ""), ("2h 4d 4s", "2c Kc", "player")], 4)  # a card differs between the lines
    pl.DataFrame(states).write_csv(tmp_path / "coups.csv")
    log = read_log(tmp_path / "coups.csv")
    assert log.coups.select("line", "coup").rows()[-1] == (6, 2)
    assert log.skipped["coups"] == 4


def test_lines_of_signs_that_do_not_show_are_blank(tmp_path: Path) -> None:
    lines = ["table,shoe,coup,player,banker", "1,a,1,9h Kd,5c 2s", "\u2003", "\u3000 \t", "\x85", "1,a,2,9h Kd,5c 2s"]
    (tmp_path / "coups.csv").write_text("\n".join(lines) + "\n")
    log, watch = read_log(tmp_path / "coups.csv"), followed(tmp_path / "coups.csv")
    assert log.coups.height == coups_watched(watch) == 2
    assert log.skipped["coups"] == watch.numbers["bad"] == 0


def test_a_table_in_one_line_is_named_and_no_gap(tmp_path: Path) -> None:
    records = [dict(record) for record in GOOD]
    records[200] |= {"table": "tables 1"}
    pl.DataFrame(records).write_csv(tmp_path / "coups.csv")
    log = read_log(tmp_path / "coups.csv")
    assert audit(log, EZ, 8).coverage["missing_coups"] == 1
    assert "Table tables 1 occurs in line 202 only" in log.lacks[0]


def test_third_cards_of_the_line_before_can_be_left_out(tmp_path: Path) -> None:
    stale = [("2h 3d 4s", "9c Kc", 9, 9), ("9h Kd 4s", "5c 3s", 9, 8), ("8h Kd 4s", "5c 3s", 8, 8)] * 10
    stale += [("2h 3d Kc", "4c 3s", 5, 7)] * 2  # a third card of value 0, rightly drawn in two coups in a row
    rows = [{"table": "1", "shoe": "0", "coup": at, "player": player, "banker": banker, "player_total": p,
             "banker_total": b} for at, (player, banker, p, b) in enumerate(stale, 1)]  # fmt: skip
    pl.DataFrame(rows).write_csv(tmp_path / "coups.csv")
    log: Log = read_log(tmp_path / "coups.csv")
    dropped, number = without_stale(log, EZ.tableau)
    assert number == 20
    assert (dropped.coups["player_3"] == -1).to_list() == [False, True, True] * 10 + [False] * 2
    assert audit(log, EZ, 8).errors["rule"].to_list().count("stale-card") == 20
    assert "stale-card" not in audit(dropped, EZ, 8).errors["rule"].to_list()
