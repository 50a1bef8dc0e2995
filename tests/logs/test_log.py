"""The log of a table: what is read, what is skipped with which remark, and which files are refused."""

import gzip
import json
import random
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from extent import examples, long_or
from hypothesis import given
from hypothesis import strategies as st
from own_process import measured

from counting import InputError
from counting.cards import CARDS
from counting.logs import (
    BETS,
    COUPS,
    NO_CARD,
    PLACES,
    REMARKS,
    TEN_OR_FACE,
    UNREAD,
    Log,
    apart,
    card_name,
    load_layout,
    read_log,
)

COUP = "table,shoe,coup,player,banker,winner,burn"
BET = "table,shoe,coup,patron,bet,amount,won"
GOOD = ["1,a,1,9h Kd,7s 2c,tie,8h ? ?", "1,a,2,4h Ad 3s,10c J,P,", '1,b,1,"9, 8",6/K/2,banker,']
GOOD_BETS = ["1,a,1,Ann,player,25,0", "1,a,2,Ann,tie-8,12.50,-12.50", "1,b,1,Bo,banker-5,100,"]


def log(folder: Path, coups: str | bytes, bets: str | bytes | None = None) -> Log:
    paths = [folder / "coups.csv", folder / "bets.csv"]
    for path, text in zip(paths, (coups, bets), strict=True):
        if text is not None:
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_log(paths[0], None if bets is None else paths[1])


def csv(*lines: str, head: str = COUP, end: str = "\n") -> str:
    return end.join([head, *lines]) + end


def codes(cards: str) -> list[int]:
    return [CARDS.index(card) for card in cards.split()]


def same(a: Log, b: Log) -> bool:
    return a.coups.equals(b.coups) and a.bets.equals(b.bets)


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Log:
    return log(tmp_path_factory.mktemp("good"), csv(*GOOD), csv(*GOOD_BETS, head=BET))


def test_a_good_log_is_read_without_remarks(good: Log) -> None:
    assert good.remarks.is_empty()
    assert (good.coups.schema, good.bets.schema, good.remarks.schema) == (
        pl.Schema(COUPS), pl.Schema(BETS), pl.Schema(REMARKS)
    )  # fmt: skip
    first, second, third = good.coups.rows(named=True)
    assert [first[place] for place in PLACES] == [*codes("9h Kd"), NO_CARD, *codes("7s 2c"), NO_CARD]
    assert [second[place] for place in PLACES] == [*codes("4h Ad 3s 10c"), 52 + 10, NO_CARD]
    assert [third[place] for place in PLACES] == [52 + 8, 52 + 7, NO_CARD, 52 + 5, 52 + 12, 52 + 1]
    assert good.coups["winner"].to_list() == ["tie", "player", "banker"]
    assert good.coups["burn"].to_list() == [[*codes("8h"), UNREAD, UNREAD], None, None]
    assert good.coups["line"].to_list() == [2, 3, 4]
    assert good.bets["amount"].to_list() == [2500, 1250, 10000]
    assert good.bets["won"].to_list() == [0, -1250, None]


ENDS, MARKS, TOPS = ["\n", "\r\n", "\r"], [",", ";", "\t"], ["", "\ufeff", "\n\n", "\ufeff\n"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("end", "mark", "top"),
    long_or(
        list(product(ENDS, MARKS, TOPS)),
        [(ENDS[i], MARKS[(i + j) % 3], TOPS[j]) for i in range(3) for j in range(4)],  # every pair of two settings
    ),
)
def test_line_ends_delimiters_and_marks_at_the_top_change_nothing(
    tmp_path: Path, good: Log, end: str, mark: str, top: str
) -> None:
    def written(lines: str) -> str:
        return top + lines.replace('"9, 8"', "9 8").replace(",", mark).replace("\n", end)

    read_back = log(tmp_path, written(csv(*GOOD)), written(csv(*GOOD_BETS, head=BET)))
    lines = ["line"]
    assert read_back.coups.drop(lines).equals(good.coups.drop(lines))
    assert read_back.bets.drop(lines).equals(good.bets.drop(lines))
    assert read_back.coups["line"][0] == 2 + top.count("\n")
    assert read_back.remarks.is_empty()


def test_columns_in_any_order_and_case_and_the_rest_ignored(tmp_path: Path, good: Log) -> None:
    lines = [
        " Banker ,COUP,note,Shoe,Table,player,winner,,burn",
        "7s 2c,1.0,x,a,1,9H kD,T,,8h ?? X",
        '10c J,002,,a,1, " 4h,Ad - 3s ",Player,,',
        "6 K 2,1,,b,1,9/8,b,,",
    ]
    read_back = log(tmp_path, "\n".join(lines), csv(*GOOD_BETS, head=BET))
    assert same(read_back, good)
    (remark,) = read_back.remarks.rows(named=True)
    assert (remark["line"], remark["column"], remark["value"]) == (1, None, "note")
    assert "ignored; known are table, shoe, coup, player, banker, winner, burn" in remark["reason"]


def test_coups_are_sorted_within_shoes_and_shoes_stand_as_they_first_appear(tmp_path: Path) -> None:
    order = [("y", "1", 2), ("z", "2", 3), ("z", "1", 1), ("z", "2", 1), ("y", "1", 1), ("z", "2", 2)]
    read_back = log(tmp_path, csv(*(f"{t},{s},{c},9 9,8 8,," for t, s, c in order)))
    expected = [("y", "1", 1), ("y", "1", 2), ("z", "2", 1), ("z", "2", 2), ("z", "2", 3), ("z", "1", 1)]
    assert read_back.coups.select("table", "shoe", "coup").rows() == expected
    assert read_back.coups["line"].to_list() == [6, 2, 5, 7, 3, 4]


def test_blank_lines_are_passed_over_and_counted(tmp_path: Path) -> None:
    read_back = log(tmp_path, csv(GOOD[0], "", "   ", GOOD[1], "", GOOD[2]))
    assert read_back.coups["line"].to_list() == [2, 5, 7]
    assert read_back.remarks.is_empty()


def test_a_log_of_column_names_alone_is_empty(tmp_path: Path) -> None:
    read_back = log(tmp_path, csv(), csv(head=BET))
    assert (read_back.coups.height, read_back.bets.height, read_back.remarks.height) == (0, 0, 0)
    assert (read_back.coups.schema, read_back.bets.schema) == (pl.Schema(COUPS), pl.Schema(BETS))


def test_columns_that_a_log_may_lack(tmp_path: Path) -> None:
    read_back = log(
        tmp_path,
        csv("1,a,1,9 8,7 6", head=COUP[:-12]),
        csv("1,a,1,Ann,player,5", head="table,shoe,coup,patron,bet,amount"),
    )
    assert read_back.coups.select("winner", "burn").row(0) == (None, None)
    assert read_back.bets["won"].to_list() == [None]
    assert read_back.remarks.is_empty()
    assert read_log(tmp_path / "coups.csv").bets.schema == pl.Schema(BETS)


def test_hands_of_any_size_are_kept_with_what_is_beyond_three(tmp_path: Path) -> None:
    read_back = log(
        tmp_path, csv("1,a,1,9 ?,? 8,,", "1,a,2,2 3 4 5,6 7,,", "1,a,3,2 3 4,5 6 7 8 9,,", "1,a,4,2 3 4 5,2 3 4 6,,")
    )
    assert read_back.coups["more"].to_list() == [None, [56], [59, 60], [56, 57]]
    assert read_back.coups["player_2"].to_list() == [UNREAD, 54, 54, 54]
    assert read_back.coups["banker_1"].to_list() == [UNREAD, 57, 56, 53]


def test_card_names() -> None:
    assert [card_name(code) for code in (0, 51, 52, 61, 64, UNREAD)] == ["As", "Kc", "A", "10", "K", "?"]


def test_bet_names_are_read_in_lower_case(tmp_path: Path) -> None:
    read_back = log(tmp_path, csv(*GOOD), csv("1,a,1,Ann, Tie-8 ,1,", head=BET))
    assert read_back.bets["bet"].to_list() == ["tie-8"]


# Bad lines: the file, the line put in, and the column, value and reason in the remark on it

LONG = "x" * 100_001
SKIPPED = [
    ("coups", "1,a,9,9 8,7 6,player", None, "1,a,9,9 8,7 6,player", "has 6 fields, should be 7; line skipped"),
    ("coups", "1,a,9,9 8,7 6,player,,", None, "1,a,9,9 8,7 6,player,,", "has 8 fields, should be 7; line skipped"),
    ("coups", "1;a;9;9 8;7 6;;", None, "1;a;9;9 8;7 6;;", "has 1 fields, should be 7"),
    ("coups", '1,a,9,"9 8,7 6,,', None, '1,a,9,"9 8,7 6,,', "a quote is not closed on its line"),
    ("coups", '1,a,9,"9 8"x,7 6,,', None, '1,a,9,"9 8"x,7 6,,', "or has text beside it"),
    (
        "coups",
        "1,a,9,9 8,7 \xff6,,\x81",
        None,
        "1,a,9,9 8,7 \N{REPLACEMENT CHARACTER}6,,\N{REPLACEMENT CHARACTER}",
        "not UTF-8: byte 12 is 0xff; line skipped",
    ),
    ("coups", "1,a,9,9 8,7 \0 6,,", None, "1,a,9,9 8,7 \N{REPLACEMENT CHARACTER} 6,,", "has a zero byte"),
    ("coups", f"1,a,9,9 8,7 6,,{LONG}", None, "1,a,9,9 8,7 6,,xxxxxxxxxxxxxxxxxxxxxx...", "should be at most 100,000"),
    ("coups", ",,,,,,", "table", "", "should be 1 to 80 printable characters; line skipped"),
    ("coups", " ,a,9,9 8,7 6,,", "table", "", "should be 1 to 80 printable characters"),
    ("coups", f"1,{'s' * 81},9,9 8,7 6,,", "shoe", "s" * 37 + "...", "should be 1 to 80 printable characters"),
    ("coups", "1,a\x07b,9,9 8,7 6,,", "shoe", "a\N{REPLACEMENT CHARACTER}b", "should be 1 to 80 printable characters"),
    ("coups", "1,a\N{LINE SEPARATOR}b,9,9 8,7 6,,", "shoe", "a\N{REPLACEMENT CHARACTER}b", "printable characters"),
    *(
        ("coups", f'1,a,"{bad}",9 8,7 6,,', "coup", bad, "should be a whole number from 1 to 999; line skipped")
        for bad in (
            "1e-2",
            "3.5",
            "0",
            "-1",
            "1,000",
            "1000",
            "",
            "one",
            "+3",
            "3.",
            "\N{ARABIC-INDIC DIGIT THREE}",
            "nan",
        )
    ),
    ("coups", "1,a,9,,7 6,,", "player", "", "the cards are missing, should be as 9h Kd or ? ?; line skipped"),
    ("coups", "1,a,9,9 8, - / ,,", "banker", "- /", "the cards are missing"),
    ("coups", "1,a,9,9,,player,", "banker", "", "the cards are missing, should be as 9h Kd or ? ?; line skipped"),
    ("coups", "1,a,9,9 8,1 2 3 4 5 6 7 8 9,,", "banker", "1 2 3 4 5 6 7 8 9", "has 9 cards, should be at most 8"),
    ("coups", "1,a,9,9-Mar,7 6,,", "player", "9-Mar", "a date, should be cards as 9h Kd; made by a spreadsheet?"),
    ("coups", "1,a,9,9 8,9/3/2024,,", "banker", "9/3/2024", "a date"),
    ("bets", "1,a,1,Ann,player,25", None, "1,a,1,Ann,player,25", "has 6 fields, should be 7"),
    ("bets", "1,a,1,,player,25,", "patron", "", "should be 1 to 80 printable characters"),
    ("bets", "1,a,1,Ann,,25,", "bet", "", "should be 1 to 80 printable characters"),
    ("bets", "1,a,x,Ann,player,25,", "coup", "x", "should be a whole number from 1 to 999"),
    ("bets", "1,a,7,Ann,player,25,", "coup", "table 1, shoe a, coup 7", "no such coup was read"),
    ("bets", "1,c,1,Ann,player,25,", "coup", "table 1, shoe c, coup 1", "its cards are not known; line skipped"),
    *(
        ("bets", f'1,a,1,Ann,player,"{bad}",', "amount", bad, f"should be a positive amount to 1,000,000,000 {reason}")
        for bad, reason in (
            ("", "as 25 or 12.50; line skipped"),
            ("0", "as 25 or 12.50; line skipped"),
            ("0.00", "as 25 or 12.50; line skipped"),
            ("-5", "as 25 or 12.50; line skipped"),
            ("12.505", "as 25 or 12.50; line skipped"),
            ("1e-2", "as 25 or 12.50; line skipped"),
            ("1000000000.01", "as 25 or 12.50; line skipped"),
            ("9999999999999", "as 25 or 12.50; line skipped"),
            ("1,00", 'as 25 or 12.50, thousands in threes and a decimal point, or a layout with decimal = ","; line'),
            ("1'00", 'as 25 or 12.50, thousands in threes and a decimal point, or a layout with decimal = ","; line'),
            ("(25)", "as 25 or 12.50; line skipped"),
            ("25 chips", "as 25 or 12.50, with a currency sign or code that is known, or none; line skipped"),
        )
    ),
]


BAD = {file: [line for of, line, *_ in SKIPPED if of == file] for file in ("coups", "bets")}


@pytest.fixture(scope="module")
def with_bad(tmp_path_factory: pytest.TempPathFactory) -> Log:
    """The good log, with all bad lines after it."""
    raw = [csv(*GOOD, *BAD["coups"]), csv(*GOOD_BETS, *BAD["bets"], head=BET)]
    coups, bets = (text.encode().replace("\xff".encode(), b"\xff").replace("\x81".encode(), b"\x81") for text in raw)
    return log(tmp_path_factory.mktemp("bad"), coups, bets)


def test_bad_lines_change_no_other_line(good: Log, with_bad: Log) -> None:
    assert same(with_bad, good)
    assert with_bad.skipped == {file: len(lines) for file, lines in BAD.items()}
    assert with_bad.remarks["line"].min() == 2 + len(GOOD) == 2 + len(GOOD_BETS)


@pytest.mark.parametrize(("file", "line", "column", "value", "reason"), SKIPPED)
def test_a_bad_line_is_skipped_with_a_remark(
    with_bad: Log, file: str, line: str, column: str | None, value: str, reason: str
) -> None:
    at = 2 + len(GOOD) + BAD[file].index(line)
    first = with_bad.remarks.filter(pl.col("file") == file, pl.col("line") == at).row(0, named=True)
    assert (first["column"], first["value"]) == (column, value)
    assert reason in first["reason"]


# Lines kept with a remark: the file, the line, the remark's column, value and reason, and what is read from the line
KEPT: list[tuple[str, str, str, str, str, dict[str, Any]]] = [
    *(
        ("bets", f'1,a,1,Ann,player,25,"{bad}"', "won", bad, "should be an amount from -1,000,000,000 to 1,000,000,000",
         {"won": None})
        for bad in ("((25))", "+-25", "1.234", "1,00.00", "--5", "1000000000.01", "-1000000000.01", "none")
    ),
    *(
        ("coups", f"1,a,9,9h {bad},7 6,,", "player", f"9h {bad}", f"{bad[:8]}: should be a card", {"player_2": UNREAD})
        for bad in ("14h", "0", "11", "7x", "ZZ", "9?", "9hK?", "h")
    ),
    ("coups", "1,a,9,9 8,7 ZZ 14h,,", "banker", "7 ZZ 14h", "ZZ, 14h: should be a card", {"banker_3": UNREAD}),
    ("coups", "1,a,9,9 8,7 6,void,", "winner", "void", "should be player, banker or tie", {"winner": None}),
    ("coups", "1,c,1,9 8,7 6,,8h ZZ", "burn", "8h ZZ", "ZZ: should be a card", {"burn": [codes("8h")[0], UNREAD]}),
    ("coups", f"1,c,1,9 8,7 6,,{'? ' * 53}", "burn", "? " * 18 + "?...", "should be at most 52", {"burn": None}),
    ("coups", "=1+1,a,9,9 8,7 6,,", "table", "=1+1", "a spreadsheet would take it for a formula", {"table": "=1+1"}),
    ("coups", "1,-a,9,9 8,7 6,,", "shoe", "-a", "kept as text", {"shoe": "-a"}),
    ("bets", "1,a,1,@SUM(A1),player,25,", "patron", "@SUM(A1)", "kept as text", {"patron": "@SUM(A1)"}),
    ("bets", "1,a,1,Ann,+tie,25,", "bet", "+tie", "kept as text", {"bet": "+tie"}),
    ("bets", "1,a,1,Ann,player,25,0.00", "", "player", "the same as line 2; both are kept and add up", {"won": 0}),
]  # fmt: skip


@pytest.mark.parametrize(("file", "line", "column", "value", "reason", "read"), KEPT)
def test_a_caveat_is_remarked(
    tmp_path: Path, file: str, line: str, column: str, value: str, reason: str, read: dict[str, Any]
) -> None:
    lines = {"coups": GOOD, "bets": GOOD_BETS}
    lines[file] = [*lines[file], line]
    read_back = log(tmp_path, csv(*lines["coups"]), csv(*lines["bets"], head=BET))
    (remark,) = read_back.remarks.rows(named=True)
    assert (remark["file"], remark["line"], remark["column"], remark["value"]) == (file, 5, column or None, value)
    assert reason in remark["reason"]
    frame = read_back.coups if file == "coups" else read_back.bets
    (row,) = frame.filter(pl.col("line") == 5).rows(named=True)
    assert {name: row[name] for name in read} == read


def test_every_mistake_of_a_line_is_remarked(tmp_path: Path) -> None:
    read_back = log(tmp_path, csv(",a,x,,7 ZZ,Q,"))
    assert read_back.remarks["column"].to_list() == ["table", "coup", "player", "banker", "winner"]


def test_a_formula_is_remarked_once_for_each_value(tmp_path: Path) -> None:
    read_back = log(tmp_path, csv(*(f"{table},a,{coup},9 8,7 6,," for coup in (1, 2) for table in ("=x", "=y"))))
    assert read_back.remarks.select("line", "value").rows() == [(2, "=x"), (3, "=y")]
    assert read_back.coups.height == 4


def test_of_equal_lines_the_first_is_read_and_of_unequal_ones_none(tmp_path: Path) -> None:
    lines = [
        "1,a,1,9 8,7 6,p,",
        "1,a,1,9-8,7 6,Player,",
        "1,a,2,9 8,7 6,,",
        "1,a,2,9 8,7 5,,",
        "1,a,2.0,9 8,7 6,,",
        "1,a,3,? ?,? ?,,",
    ]
    read_back = log(tmp_path, csv(*lines))
    assert read_back.coups.select("line", "coup").rows() == [(2, 1), (7, 3)]
    assert read_back.remarks["line"].to_list() == [3, 4, 5, 6]
    assert read_back.remarks["column"].to_list() == ["coup"] * 4
    reasons = read_back.remarks["reason"].to_list()
    assert reasons[0] == "the same as line 2; line skipped"
    assert [reason.split(",")[0] for reason in reasons[1:]] == [
        "not the same as line 5", "not the same as line 4", "not the same as line 4"
    ]  # fmt: skip


def test_cards_are_burned_before_any_coup(tmp_path: Path) -> None:
    read_back = log(tmp_path, csv("1,a,5,9 8,7 6,,3 ?", "1,a,4,9 8,7 6,,2", "1,b,7,9 8,7 6,,"))
    assert read_back.coups["burn"].to_list() == [[53], [54, UNREAD], None]
    assert read_back.remarks.is_empty()


def test_a_bet_on_a_coup_that_was_skipped_is_kept_out(tmp_path: Path) -> None:
    read_back = log(tmp_path, csv("1,a,1,9 8,,,"), csv("1,a,1,Ann,player,5,", head=BET))
    assert read_back.bets.is_empty()
    assert read_back.remarks.select("file", "line").rows() == [("coups", 2), ("bets", 2)]


# Files that are no log

REFUSED: list[tuple[str | bytes, str]] = [
    ("", "coups.csv: empty, should begin with a line of column names"),
    ("\n \r\n\n", "coups.csv: empty"),
    ("\ufeff", "coups.csv: empty"),
    (
        "table,coup,colour\n1,1,red\n",
        "coups.csv: columns shoe, player, banker missing; the file has table, coup, colour",
    ),
    ("table,shoe,coup,player\n", "coups.csv: column banker missing; the file has table, shoe, coup, player"),
    ("table^shoe^coup^player^banker\n", "missing; the file has table^shoe^coup^player^banker"),
    ("a\x07,b\n", "columns shoe, coup, player, banker missing; the file has a\N{REPLACEMENT CHARACTER}, b"),
    (csv(head=COUP + ",Shoe "), "coups.csv: column shoe occurs twice"),
    (csv(head=f'"{COUP}'), "coups.csv: line 1: a quote is not closed, should be column names"),
    (b"\x89PNG\r\n\x1a\n", "coups.csv: this is an image, should be the table: CSV, Excel, JSON"),
    (b"\x89ABC\r\n\x1a\n", "coups.csv: not a text in UTF-8: byte 0 is 0x89"),
    (b"PK\x03\x04abc", "coups.csv: not a workbook that can be read"),
    (b"\xd0\xcf\x11\xe0abc", "coups.csv: an Office file from before 2007, should be saved as .xlsx or CSV"),
    (b"\x1f\x8babc", "coups.csv: cannot be read: "),
    (b"SQLite format 3\0abc", "coups.csv: cannot be read as an SQLite database: "),
    ("[]", "coups.csv: no records, should be JSON with one record for each coup"),
    ("{", "coups.csv: not JSON: "),
    (LONG, "coups.csv: its first line has 100,001 characters, should be column names"),
    (b"PAR1" + b"\0" * 100, "coups.csv: not a Parquet file that can be read: "),
    (b"\0" * 100, "coups.csv: not a text in UTF-8"),
]


@pytest.mark.parametrize(("data", "said"), REFUSED)
def test_a_file_that_is_no_log_is_refused(tmp_path: Path, data: str | bytes, said: str) -> None:
    with pytest.raises(InputError) as refused:
        log(tmp_path, data)
    assert said in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1


def test_a_place_that_is_no_file_is_refused(tmp_path: Path) -> None:
    for path, said in (
        (tmp_path / "none.csv", "no such file"),
        (tmp_path, "a folder, should be a CSV, Parquet, JSON, Excel or SQLite file"),
    ):
        with pytest.raises(InputError, match=said):
            read_log(path)
    with pytest.raises(InputError, match="cannot be read"):
        read_log(Path("a\0b"))


def test_both_files_are_looked_at_before_either_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        log(tmp_path, "table\n", "")
    first, second = str(refused.value).splitlines()
    assert "coups.csv: columns shoe" in first
    assert "bets.csv: empty" in second


# Parquet


def parquet(folder: Path, columns: dict[str, Any]) -> Path:
    path = folder / "coups.parquet"
    pl.DataFrame(columns).write_parquet(path)
    return path


@pytest.mark.usefixtures("undamaged")
def test_parquet_of_texts_or_numbers_is_the_same_log(tmp_path: Path, good: Log) -> None:
    coups = {
        "Table": [1, 1, 1], "shoe": ["a", "a", "b"], "coup": [1.0, 2.0, 1.0], "player": ["9h Kd", "4h Ad 3s", "9 8"],
        "banker": ["7s 2c", "10c J", "6 K 2"], "winner": pl.Series(["tie", "player", "banker"], dtype=pl.Categorical),
        "burn": ["8h ? ?", None, None],
    }  # fmt: skip
    bets = {
        "table": ["1", "1", "1"], "shoe": ["a", "a", "b"], "coup": [1, 2, 1], "patron": ["Ann", "Ann", "Bo"],
        "bet": ["player", "tie-8", "banker-5"], "amount": pl.Series([25, 12.5, 100], dtype=pl.Float32),
        "won": pl.Series(["0", "-12.50", None]).cast(pl.Decimal(12, 2)),
    }  # fmt: skip
    pl.DataFrame(bets).write_parquet(tmp_path / "bets.pq")
    log = read_log(parquet(tmp_path, coups), tmp_path / "bets.pq")
    assert log.coups.drop("line").equals(good.coups.drop("line"))
    assert log.bets.drop("line").equals(good.bets.drop("line"))
    assert log.coups["line"].to_list() == [1, 2, 3]
    assert log.remarks.is_empty()


@pytest.mark.usefixtures("undamaged")
def test_parquet_without_a_column_of_texts_is_read(tmp_path: Path) -> None:
    """Categoricals and lists only, as other programs write them."""
    frame = pl.DataFrame(PLAIN).with_columns(pl.col(pl.String).cast(pl.Categorical))
    assert pl.String not in frame.schema.values()
    frame.write_parquet(tmp_path / "of-categories.parquet")
    plain = read_log(parquet(tmp_path, PLAIN)).coups
    assert read_log(tmp_path / "of-categories.parquet").coups.drop("line").equals(plain.drop("line"))


@pytest.mark.usefixtures("undamaged")
def test_winners_of_parquet_may_be_numbers_that_a_layout_names(tmp_path: Path) -> None:
    columns = {"table": ["1"] * 3, "shoe": ["a"] * 3, "coup": [1, 2, 3], "player": ["9 8", "2 3 K", "9 K"]}
    columns |= {"banker": ["7 6 A", "9 K", "9 K"], "winner": [1, 2, 3]}
    (tmp_path / "ours.toml").write_text('[winner]\nplayer = "1"\nbanker = "2"\ntie = "3"\n')
    file = parquet(tmp_path, columns)
    named = read_log(file, layout=load_layout(tmp_path / "ours.toml")).coups
    assert named["winner"].to_list() == ["player", "banker", "tie"]
    assert read_log(file).remarked("winner") == 3


@pytest.mark.usefixtures("undamaged")
@pytest.mark.parametrize("dtype", [pl.String, pl.Categorical, pl.Int64, pl.Boolean])
def test_pairs_of_parquet_are_those_of_the_same_csv(tmp_path: Path, dtype: Any) -> None:
    words = ["yes", "no", None] if dtype in (pl.String, pl.Categorical) else [1, 0, None]
    table = pl.DataFrame(
        {"table": ["1"] * 3, "shoe": ["a"] * 3, "coup": [1, 2, 3], "player": ["4 4", "9 8", "K 6"],
         "banker": ["7 K", "6 2", "3 3"], "winner": ["player", "banker", "tie"],
         "player_pair": pl.Series(words).cast(dtype), "banker_pair": pl.Series(words[::-1]).cast(dtype)}
    )  # fmt: skip
    pairs = table.with_columns(pl.selectors.ends_with("_pair").cast(pl.Int8)) if dtype == pl.Boolean else table
    pairs.write_csv(tmp_path / "coups.csv")
    table.write_parquet(tmp_path / "coups.parquet")
    by_line, by_column = read_log(tmp_path / "coups.csv"), read_log(tmp_path / "coups.parquet")
    assert by_column.coups.drop("line").equals(by_line.coups.drop("line"))
    assert by_column.coups["player_pair"].to_list() == [True, False, None]
    assert by_column.coups["banker_pair"].to_list() == [None, False, True]


@pytest.mark.usefixtures("undamaged")
def test_naturals_of_parquet_may_be_booleans(tmp_path: Path) -> None:
    assert read_log(parquet(tmp_path, PLAIN | {"natural": [True]})).coups["natural"].to_list() == [True]


@pytest.mark.usefixtures("undamaged")
def test_numbers_of_parquet_are_held_to_the_same_rules(tmp_path: Path) -> None:
    numbers = [0.1 + 0.2, 12.1, float("nan"), 1e9, 2e9, 1e-7, None, float("inf")]
    rows = len(numbers)
    pl.DataFrame(
        {"table": ["1"] * rows, "shoe": ["a"] * rows, "coup": [1] * rows, "patron": [str(i) for i in range(rows)],
         "bet": ["player"] * rows, "amount": numbers}
    ).write_parquet(tmp_path / "bets.parquet")  # fmt: skip
    (tmp_path / "coups.csv").write_text(csv(*GOOD))
    log = read_log(tmp_path / "coups.csv", tmp_path / "bets.parquet")
    assert log.bets.select("line", "amount").rows() == [(1, 30), (2, 1210), (4, 10**11)]
    assert log.remarks.select("line", "value").rows() == [
        (3, "nan"), (5, "2000000000"), (6, "0.0000001"), (7, ""), (8, "inf")
    ]  # fmt: skip


PLAIN: dict[str, Any] = {"table": ["1"], "shoe": ["a"], "coup": [1], "player": ["9 8"], "banker": ["7 6"]}


@pytest.mark.usefixtures("undamaged")
@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"player": [[[9, 8]]]}, "column player is List(List(Int64)), should be String"),
        ({"player": [98]}, "column player is Int64, should be String"),
        ({"coup": [True]}, "column coup is Boolean, should be String or a number"),
        ({"shoe": [b"a"]}, "column shoe is Binary, should be String or a number"),
        ({"COUP ": [1]}, "column coup occurs twice"),
    ],
)
def test_parquet_of_wrong_types_is_refused(tmp_path: Path, wrong: dict[str, Any], said: str) -> None:
    assert read_log(parquet(tmp_path, PLAIN)).coups.height == 1
    with pytest.raises(InputError) as refused:
        read_log(parquet(tmp_path, PLAIN | wrong))
    assert said in str(refused.value)


@pytest.mark.usefixtures("undamaged")
def test_every_wrong_type_is_named_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        read_log(parquet(tmp_path, PLAIN | {"player": [1], "banker": [2]}))
    assert len(str(refused.value).splitlines()) == 2


@pytest.mark.usefixtures("undamaged")
def test_parquet_without_columns_or_rows(tmp_path: Path) -> None:
    log = read_log(parquet(tmp_path, {name: pl.Series([], dtype=pl.String) for name in PLAIN}))
    assert log.coups.schema == pl.Schema(COUPS)
    with pytest.raises(InputError, match="columns coup, player, banker missing"):
        read_log(parquet(tmp_path, {"table": ["1"], "shoe": ["a"]}))
    (tmp_path / "text.parquet").write_text(csv(*GOOD))
    with pytest.raises(InputError, match="not a Parquet file that can be read"):
        read_log(tmp_path / "text.parquet")


# Large files


def mixed(lines: int) -> str:
    """A CSV file of coups of two tables, with blanks, quotes, repeats, and long, empty and bad lines among them."""
    rng = random.Random(lines)
    rows = []
    for at in range(lines):
        row = f"{1 + at % 2},s{at // 40},{at // 2 % 20 + 1},{' '.join(rng.choices(CARDS, k=2 + at % 2))},7s 2c,tie,"
        odd = {0: f" {row} ", 1: row.replace("7s 2c", '"7s, 2c"'), 2: row[:-3], 3: "", 4: row + '"',
               5: rows and rows[-1], 6: "x" * 150_000, 7: row.replace("tie", "void"),
               8: row.replace("7s", "\N{BLACK SPADE SUIT}7"), 9: row.replace("7s", "\udcff")}  # fmt: skip
        rows.append(odd.get(rng.randrange(40)) or row)
    return "\n".join([COUP, *rows])


@pytest.mark.parametrize(
    ("size", "end"),
    long_or(
        [(size, end) for size in (1, 7, 250, 4096) for end in ("\n", "\r\n", "\r")],
        [(1, "\r\n"), (250, "\r"), (4096, "\n")],
    ),
)
def test_pieces_of_any_size_are_read_as_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, end: str
) -> None:
    text = mixed(long_or(300, 100)).replace("\n", end).encode(errors="surrogateescape")
    bets = csv(*GOOD_BETS, head=BET)
    whole = log(tmp_path, text, bets)
    assert whole.coups.height > long_or(200, 60)
    assert set(whole.counts["kind"]) > {"fields", "length", "quote", "windows-1252", "again"}
    monkeypatch.setattr("counting.logs.texts.FIRST", size)
    monkeypatch.setattr("counting.logs.texts.PIECE", max(size, 64))
    monkeypatch.setattr("counting.logs.texts.LONGEST", 120_000)
    monkeypatch.setattr("counting.logs.files._MOST_KNOWN", 20)
    monkeypatch.setattr("counting.logs.files._FEW_TEXTS", 0)
    parted = log(tmp_path, text, bets)
    assert same(parted, whole)
    assert parted.remarks.equals(whole.remarks)
    assert parted.counts.equals(whole.counts)
    assert parted.skipped == whole.skipped


@pytest.mark.usefixtures("undamaged")
def test_rows_of_parquet_are_read_a_piece_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pl.read_csv(csv(*GOOD, "1,b,2,9 9,2 ZZ,x,", "1,b,0,9 9,2 2,,").encode(), infer_schema=False)
    frame.write_parquet(tmp_path / "coups.parquet")
    whole = read_log(tmp_path / "coups.parquet")
    monkeypatch.setattr("counting.logs.parquet_files.ROWS", 2)
    parted = read_log(tmp_path / "coups.parquet")
    assert (whole.coups.height, whole.remarks.height) == (4, 3)
    assert same(parted, whole)
    assert parted.remarks.equals(whole.remarks)


def test_a_hundred_remarks_of_each_kind_are_listed_and_all_are_counted(tmp_path: Path) -> None:
    coups = [f"1,a,{at},9 8,7 6,tie," for at in range(1, 301)]
    bad = ["1,a,x,9 8,7 6,tie,"] * 250 + ["1,a"] * 120 + ["1,b,1,9 8,7 6,void,", "1,b,0,9 8,,,"]
    read_back = log(tmp_path, csv(*coups, *bad), csv(*["1,a,1,Ann,player,25,0"] * 103, head=BET))
    counts = {(column, kind): (number, listed) for _, column, kind, number, listed in read_back.counts.rows()}
    assert counts == {
        (None, "fields"): (120, 100), ("coup", "number"): (250, 100), ("coup", "zero"): (1, 1),
        ("banker", "none"): (1, 1), ("winner", "winner"): (1, 1), (None, "twice"): (102, 100),
    }  # fmt: skip
    assert read_back.remarks.height == sum(listed for _, listed in counts.values())
    assert read_back.skipped == {"coups": 371, "bets": 0}
    assert (read_back.remarked(), read_back.remarked("number", "coup")) == (475, 250)
    more = read_back.remarks_told().filter(pl.col("line").is_null())
    assert more["reason"].sort().to_list() == [
        "150 more of this kind (number), counted, not listed",
        "2 more of this kind (twice), counted, not listed",
        "20 more of this kind (fields), counted, not listed",
    ]


RUBBISH: dict[str, Callable[[], bytes]] = {
    "an unclosed quote": lambda: b'1,a,1,"9 8,7 6,tie,\n' * 800_000,
    "short lines": lambda: b"x\n" * 8_000_000,
    "random bytes": lambda: random.Random(1).randbytes(15 << 20),
    "another log": lambda: 20 * b"".join(b"t%d,s%d,c%d,p%d,b%d,w%d,\n" % ((at,) * 6) for at in range(10**5, 120_000)),
    "one line": lambda: b'1,a,1,"9 8' + b"x" * (15 << 20),
}


READING = """
import json, resource, sys
from pathlib import Path
from counting import InputError
from counting.logs import read_log
for path in map(Path, sys.argv[1:]):
    try: said = " ".join(read_log(path).remarks["reason"][:1])
    except InputError as refused: said = str(refused)
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1 if sys.platform == "linux" else 1024)
    print(json.dumps([said, kilobytes]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no resource on Windows")
def test_rubbish_is_refused_early_and_in_little_memory(tmp_path: Path) -> None:
    """One process reads all files, a log of one coup first. Its peak of memory after a file is at least what that file
    took."""
    data = {"one coup": f"{COUP}\n1,a,1,9 8,7 6,player,\n".encode()}
    data |= {what: f"{COUP}\n".encode() + rubbish() for what, rubbish in RUBBISH.items()}
    files = {what: tmp_path / f"{what}.csv" for what in data}
    for what, file in files.items():
        file.write_bytes(data[what])
        assert what == "one coup" or len(data[what]) > 13_000_000
    all_ = measured("-c", READING, *files.values())
    assert all_.status == 0, all_.stderr
    peaks = dict(zip(files, map(json.loads, all_.stdout.splitlines()), strict=True))
    _, one_coup = peaks.pop("one coup")
    for what, (said, kilobytes) in peaks.items():
        assert kilobytes - one_coup < 130_000, what  # 15 MB took 8,500 MB when each line was a Python object
        assert "too long" in said or f"{files[what]}: of its first" in said, what


def test_a_log_of_which_a_hundredth_can_be_read_is_read(tmp_path: Path) -> None:
    good = [f"1,{shoe},{coup},9 8,7 6,tie," for shoe in "ab" for coup in range(1, 301)]
    assert log(tmp_path, csv(*good[:10], *["x"] * 989)).coups.height == 10
    assert log(tmp_path, csv(*good[:10], *["x"] * 990)).coups.height == 10
    with pytest.raises(
        InputError, match="of its first 1,001 lines 10 can be read, should be a log of coups; line 12: has"
    ):
        log(tmp_path, csv(*good[:10], *["x"] * 991))
    with pytest.raises(InputError, match=r"line 2, coup: 'x': should be a whole number from 1 to 999$"):
        log(tmp_path, csv(*["1,a,x,9 8,7 6,tie,"] * 1000))


# Whatever a file holds, it is refused in words or read


def in_words(refused: InputError, folder: Path) -> None:
    """Check that every line of the error begins with the file's folder."""
    assert all(line.startswith(str(folder)) for line in str(refused).split("\n"))


def checked(folder: Path, data: bytes, other: bytes) -> None:
    """Check that each of the files is refused or read, whatever its bytes, and that rows and remarks keep to their
    ranges."""
    for coups, bets in ((data, other), (csv(*GOOD).encode(), data)):
        try:
            read_back = log(folder, coups, bets)
        except InputError as refused:
            in_words(refused, folder)
            continue
        assert (read_back.coups.schema, read_back.bets.schema) == (pl.Schema(COUPS), pl.Schema(BETS))
        assert read_back.remarks.schema == pl.Schema(REMARKS)
        assert read_back.coups["coup"].is_between(1, 999).all()
        assert read_back.coups.select(pl.struct("table", "shoe", "coup").is_unique().all()).item()
        assert read_back.coups.select(pl.all_horizontal(pl.col(PLACES).is_between(UNREAD, TEN_OR_FACE)).all()).item()
        assert read_back.bets["amount"].is_between(1, 10**11).all()
        assert all(text.isprintable() and len(text) <= 40 for text in read_back.remarks["value"])
        assert read_back.remarks["reason"].null_count() == read_back.remarks["line"].null_count() == 0


@examples(long=100, short=10)
@given(data=st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
def test_random_bytes_are_refused_or_read(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    checked(tmp_path_factory.mktemp("bytes"), data, data)
    checked(tmp_path_factory.mktemp("bytes"), f"{COUP}\n".encode() + data, f"{BET}\n".encode() + data)


PIECES = st.sampled_from(
    [b"\n", b"\r", b",", b";", b"\t", b'"', b"\0", b"\xff", b"\xc3", b" ", b"-", b"9", b"=", b"1,a,1,", b"\xe2\x80\xa8"]
) | st.binary(max_size=3)  # fmt: skip


@examples(long=100, short=15)
@given(edits=st.lists(st.tuples(st.integers(0, 200), st.integers(0, 12), PIECES), min_size=1, max_size=8))
def test_a_damaged_log_is_refused_or_read(
    tmp_path_factory: pytest.TempPathFactory, edits: list[tuple[int, int, bytes]]
) -> None:
    damaged = [bytearray(csv(*GOOD).encode()), bytearray(csv(*GOOD_BETS, head=BET).encode())]
    for at, length, piece in edits:
        for data in damaged:
            data[at % len(data) : at % len(data) + length] = piece
    checked(tmp_path_factory.mktemp("damaged"), bytes(damaged[0]), bytes(damaged[1]))
    checked(tmp_path_factory.mktemp("damaged"), bytes(damaged[1]), bytes(damaged[0]))


def test_parquet_that_would_end_the_process_is_refused() -> None:
    """A length in the file asks for 2^61 bytes. On it, polars 2.1 aborts the process and raises no exception."""
    with pytest.raises(InputError, match=r"damaged\.parquet: not a Parquet file that can be read"):
        read_log(Path(__file__).parent / "damaged.parquet")


@pytest.mark.long
def test_parquet_is_tried_again_only_after_a_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[Path] = []
    run = apart._run
    monkeypatch.setattr(apart, "_run", lambda *said: tried.append(said[3]) or run(*said))
    path = parquet(tmp_path, PLAIN)
    whole = read_log(path).coups
    assert read_log(path).coups.equals(whole)
    assert len(tried) == 1
    path.write_bytes((Path(__file__).parent / "damaged.parquet").read_bytes())
    for _ in range(2):  # a file that was refused is tried each time
        with pytest.raises(InputError, match="damaged"):
            read_log(path)
    assert tried == [path] * 3


@examples(long=100, short=3)
@given(edits=st.lists(st.tuples(st.integers(0, 5000), st.integers(0, 255)), min_size=1, max_size=4))
def test_damaged_parquet_is_refused_or_read(
    tmp_path_factory: pytest.TempPathFactory, edits: list[tuple[int, int]]
) -> None:
    folder = tmp_path_factory.mktemp("parquet")
    path = parquet(folder, PLAIN)
    data = bytearray(path.read_bytes())
    for at, byte in edits:
        data[at % len(data)] = byte
    path.write_bytes(data)
    try:
        log = read_log(path)
    except InputError as refused:
        in_words(refused, folder)
    else:
        assert log.coups.schema == pl.Schema(COUPS)


def test_a_decimal_comma_where_semicolons_part_the_fields(tmp_path: Path) -> None:
    rows = [
        "1;a;1;Ann;player;25,5;-25,50",
        "1;a;2;Ann;player;12;0",
        "1;a;1;Bob;player;1,000;0",
        "1;a;1;Eve;player;1,5x;0",
    ]
    head = BET.replace(",", ";")
    read_back = log(tmp_path, csv(*GOOD).encode(), "\n".join([head, *rows]).encode())
    assert read_back.bets.select("patron", "amount", "won").rows() == [("Ann", 2550, -2550), ("Ann", 1200, 0)]
    assert read_back.remarks["value"].to_list() == ["1,000", "1,5x"]


def test_reading_tells_the_lines_of_both_files(tmp_path: Path) -> None:
    coups, bets, told = tmp_path / "coups.csv", tmp_path / "bets.csv", list[tuple[int, int]]()
    coups.write_text("table,shoe,coup,player,banker\nT1,1,1,9h Kd,8s 9d\nT1,1,2,9h Kd,8s 9d\n")
    bets.write_text("table,shoe,coup,patron,bet,amount\nT1,1,1,P,player,25\n")
    read_log(coups, bets, progress=lambda done, total, _: told.append((done, total)))
    assert told == [(3, 5), (5, 5)]
    packed = tmp_path / "coups.csv.gz"
    packed.write_bytes(gzip.compress(coups.read_bytes()))
    assert read_log(packed, bets, progress=lambda *_: told.clear()).coups.height == 2
    assert told


def test_headings_that_come_again_are_no_rows(tmp_path: Path) -> None:
    """As where the files of several shoes were put together, also with other capitals. No coup counts as lost."""
    whole = csv(*GOOD, COUP.title(), *(row.replace(",a,", ",c,").replace(",b,", ",d,") for row in GOOD)).encode()
    read_back = log(tmp_path, whole, csv(*GOOD_BETS, BET, head=BET).encode())
    assert read_back.coups.height == 2 * len(GOOD)
    assert read_back.bets.height == len(GOOD_BETS)
    assert dict(read_back.skipped) == {"coups": 0, "bets": 0}
    assert read_back.remarked("headings") == 2
    assert "the headings again" in read_back.remarks["reason"][0]


def test_headings_in_another_order_are_refused_with_their_line(tmp_path: Path) -> None:
    head = COUP.replace("player,banker", "banker,player")
    with pytest.raises(InputError, match=f"line {len(GOOD) + 2}: the headings again, in another order, should be in"):
        log(tmp_path, csv(*GOOD, head, *GOOD).encode())


@pytest.mark.parametrize("rows", [9, 10, 30])
def test_a_block_of_bets_that_repeats_an_earlier_block_is_named(tmp_path: Path, rows: int) -> None:
    """A patron may have the same bet twice; ten rows in the same order are an export that overlaps."""
    bets = [f"1,a,1,Patron {at},tie,{100 + at},0" for at in range(40)]
    twice = [row for row in bets for _ in range(2)]
    for lines, named in ((bets + bets[-rows:], rows >= 10), (twice, False), (bets + bets[::-1], False)):
        log_of = log(tmp_path, csv(*GOOD), csv(*lines, head=BET))
        said = [lack for lack in log_of.lacks if "exports overlap" in lack]
        assert log_of.bets.height == len(lines)
        assert len(said) == named
        if named:
            assert f"lines 42 to {41 + rows} repeat lines {42 - rows} to 41 row for row" in said[0]


def test_bets_in_a_second_currency_by_a_column_are_not_read(tmp_path: Path) -> None:
    currencies = {"Ann": "usd", "Bo": "HKD", "Cy": "USD", "Di": "", "Ed": "HK$", "Flo": "Cash", "Guy": "US$"}
    rows = [f"1,a,1,{name},tie,100,0,{currency}" for name, currency in currencies.items()]
    read_back = log(tmp_path, csv(*GOOD), csv(*rows, head=f"{BET},Ccy"))
    assert read_back.bets["patron"].cast(pl.String).to_list() == ["Ann", "Cy", "Di", "Flo", "Guy"]
    assert read_back.skipped["bets"] == 2
    assert read_back.remarks.select("line", "column", "reason").rows() == [
        (3, "currency", "HKD after amounts in USD, should be in one currency, as amounts are added up; line skipped"),
        (6, "currency", "HKD after amounts in USD, should be in one currency, as amounts are added up; line skipped"),
    ]


def test_amounts_in_two_currencies_are_not_added_up(tmp_path: Path) -> None:
    """A sign of several currencies, as $, and a sign and the code of the same currency are one."""
    rows = ["1,a,1,Ann,player,USD 25,US$25", "1,a,2,Ann,player,$ 30,0", "1,a,1,Bob,player,HKD 200,0",
            "1,a,2,Bob,player,40,HK$ 5"]  # fmt: skip
    read_back = log(tmp_path, csv(*GOOD).encode(), csv(*rows, head=BET).encode())
    assert read_back.bets.select("patron", "amount", "won").rows() == [
        ("Ann", 2500, 2500), ("Ann", 3000, 0), ("Bob", 4000, None),
    ]  # fmt: skip
    assert dict(read_back.skipped) == {"coups": 0, "bets": 1}
    said = read_back.remarks.select("line", "column", "reason").rows()
    assert said == [
        (4, "amount", "HKD after amounts in USD, should be in one currency, as amounts are added up; line skipped"),
        (5, "won", "HKD after amounts in USD, should be in one currency, as amounts are added up; read as not logged"),
    ]


def test_names_that_differ_in_capitals_or_zeros_get_a_remark(tmp_path: Path) -> None:
    names = ["0042", "Ann", "42", "ann", "Bob", "ANN", "420", "0", "00"]
    rows = [f"1,a,1,{name},player,25,0" for name in names]
    read_back = log(tmp_path, csv(*GOOD).encode(), csv(*rows, head=BET).encode())
    said = read_back.remarks.filter(column="patron").select("line", "value", "reason").rows()
    assert [(line, value) for line, value, _ in said] == [(4, "42"), (5, "ann"), (7, "ANN"), (10, "00")]
    assert said[0][2] == "differs from 0042 only in capitals or zeros; they are taken for two patrons"
    assert read_back.bets["patron"].n_unique() == len(names)


def test_a_layout_of_results_alone_may_join_the_day_to_the_shoe(tmp_path: Path) -> None:
    """Shoes are numbered anew each day. The layout names no cards, so the other columns are found by their headings."""
    rows = [f"2026-03-0{day},T,{shoe},{coup},{'PB'[coup % 2]}" for day in (1, 2) for shoe in (1, 2) for coup in (1, 2)]
    (tmp_path / "coups.csv").write_text(csv(*rows, head="date,table,shoe,coup,winner"))
    (tmp_path / "ours.toml").write_text('[coups]\nshoe = "date+shoe"\n')
    read_back = read_log(tmp_path / "coups.csv", layout=load_layout(tmp_path / "ours.toml")).coups
    assert read_back.select("shoe", "coup").n_unique() == read_back.height == len(rows)
    assert read_back["winner"].to_list() == ["banker", "player"] * 4
    (tmp_path / "cards.toml").write_text('[coups]\nplayer = "hand"\n')
    with pytest.raises(InputError, match="columns hand, banker missing"):
        read_log(tmp_path / "coups.csv", layout=load_layout(tmp_path / "cards.toml"))


def test_a_column_that_may_mark_voided_lines_is_named_with_the_layout_that_leaves_them_out(tmp_path: Path) -> None:
    bets = csv(*(f"{row},{mark}" for row, mark in zip(GOOD_BETS, "NYN", strict=True)), head=f"{BET},Void")
    read_back = log(tmp_path, csv(*GOOD), bets)
    (reason,) = read_back.remarks["reason"]
    assert reason.endswith('; a layout may keep lines by void, as [bets_file] only = { void = "VALUE" }')
    (tmp_path / "ours.toml").write_text('[bets_file]\nonly = { void = "N" }\n')
    kept = read_log(tmp_path / "coups.csv", tmp_path / "bets.csv", load_layout(tmp_path / "ours.toml"))
    assert kept.bets["bet"].to_list() == ["player", "banker-5"]
