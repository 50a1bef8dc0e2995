"""Roads of results in texts and tables, and what else boards show: words for winners, naturals, times."""

from pathlib import Path

import polars as pl
import pytest

from counting.errors import InputError
from counting.logs import Log, read_log
from counting.logs.fields import clock
from counting.logs.roads import are_roads, results_of

ROADS = {
    "a shoe a line": "BPT\nPPB\n",
    "blanks": "b p t\nP  P  B\n",
    "commas": "B,P,T\nP,P,B\n",
    "words": "Banco, Punto, Egalité\nPunto, Punto, Banco\n",
    "Chinese": "庄闲和\n闲闲庄\n",
    "names": "Shoe 1: BPT\nShoe 2: PPB\n",
    "headings": "Shoe 1\nBP\nT\n\nShoe 2\nPPB\n",
    "blank lines": "B P\nT\n\nP P B\n",
    "a result a line": "B\nP\nT\n\nP\nP\nB\n",
    "arrows": "B > P > T\nP > P > B\n",
    "a row of a table": "shoe,results\n1,BPT\n2,PPB\n",
    "a row without a shoe": "date,road\n2026-03-01,B P T\n2026-03-02,P P B\n",
    "a text in JSON": '[{"shoe": 1, "results": "BPT"}, {"shoe": 2, "results": "PPB"}]',
    "a list in JSON": '[{"shoe": 1, "results": ["B", "P", "T"]}, {"shoe": 2, "results": ["P", "P", "B"]}]',
}
READ = [("banker", 1), ("player", 2), ("tie", 3), ("player", 1), ("player", 2), ("banker", 3)]


def logged(folder: Path, text: str, encoding: str = "utf-8") -> Log:
    (folder / "results.txt").write_bytes(text.encode(encoding))
    return read_log(folder / "results.txt")


@pytest.mark.parametrize("form", ROADS)
def test_a_road_is_read(tmp_path: Path, form: str) -> None:
    log = logged(tmp_path, ROADS[form])
    assert log.coups.select("winner", "coup").rows() == READ
    assert log.coups["shoe"].n_unique() == 2
    assert any("roads of results" in look for look in log.looks)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_a_road_is_read_in_other_encodings(tmp_path: Path, encoding: str) -> None:
    assert logged(tmp_path, ROADS["a shoe a line"] * 9, encoding).coups.height == 54


def test_headings_name_table_and_shoe(tmp_path: Path) -> None:
    log = logged(tmp_path, "Table 7, shoe 3\nBPT\n\nTable 8 shoe 3\nPP\n\nTable 8 shoe 3\nBB\n")
    assert list(dict.fromkeys(log.coups.select("table", "shoe").rows())) == [("7", "3"), ("8", "3"), ("8", "3 (2)")]


def test_an_x_is_a_void_coup_and_has_a_remark(tmp_path: Path) -> None:
    text = "Shoe X: BPTBBPPBPB\nShoe Y: BPTBBXPPBPBB\nXXBXP\nShoe Z: B P T B P X B P P T B\n"
    log = logged(tmp_path, text)
    assert log.coups.group_by("shoe", maintain_order=True).len().rows() == [("X", 10), ("Y", 11), ("Z", 10)]
    assert [(row["line"], row["reason"]) for row in log.remarks.to_dicts()] == [
        (2, "X is read as a void coup, which is not counted"),
        (3, "no results, should be as BPPTB; not read as a coup"),
        (4, "X is read as a void coup, which is not counted"),
    ]


def test_an_x_in_a_row_of_a_table_is_a_void_coup(tmp_path: Path) -> None:
    log = logged(tmp_path, "shoe,results\n1,BPTBBPPBPB\n2,BPTBBXPPBPBB\n")
    assert log.coups.group_by("shoe", maintain_order=True).len().rows() == [("1", 10), ("2", 11)]
    assert log.remarks["reason"].to_list() == ["X is read as a void coup, which is not counted"]


def test_a_line_without_results_is_remarked_on(tmp_path: Path) -> None:
    log = logged(tmp_path, "BPTBBPPBPBTB\nbroken off, fire alarm\nPPB\n")
    assert log.coups["shoe"].to_list() == ["1"] * 12 + ["2"] * 3
    assert [(row["line"], row["value"][:6]) for row in log.remarks.to_dicts()] == [(2, "broken")]


@pytest.mark.parametrize(
    "text",
    [
        "player,banker\n9h Kd,8s 9d\n",
        "player,banker\n",
        "P,B,T\n1,0,0\n0,1,0\n",
        "table,shoe,coup,winner\nT,1,1,B\n",
        "winner\nB\nP\n",
        "BP\n",
        "BPT\n9h Kd\n8s\n2d\n",
        "hello\n",
        "",
    ],
)
def test_other_files_are_no_roads(text: str) -> None:
    assert not are_roads(text.encode())


def test_a_word_that_is_cut_is_no_obstacle() -> None:
    assert are_roads(("Banker Player " * 40).encode()[:200])
    assert are_roads(("BPT" * 100).encode()[:200])


def test_what_is_no_result_makes_no_road() -> None:
    assert results_of("B X P X X") is None
    assert results_of("") == []
    assert results_of("BB-P/T") == ["banker", "banker", "player", "tie"]


def test_naturals_times_and_pairs_are_read(tmp_path: Path) -> None:
    text = "table,shoe,coup,winner,natural,player_pair,time\nT,1,1,B,1,0,2026-03-01 21:04:30\nT,1,2,P,0,,9:05 PM\n"
    coups = logged(tmp_path, f"{text}T,1,3,T,no,yes,late\n").coups
    assert coups.select("natural", "player_pair", "time").rows() == [
        (True, False, 21 * 60 + 4), (False, None, 21 * 60 + 5), (False, True, None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "minute"),
    [("0:00", 0), ("23:59", 1439), ("12:10 am", 10), ("12:10 p.m.", 730), ("1.3.2026 7:05", 425), ("24:00", None),
     ("13:00 PM", None), ("1700000000", None), ("noon", None)],
)  # fmt: skip
def test_the_minute_of_the_day(text: str, minute: int | None) -> None:
    assert clock(text)[0] == minute


def test_a_file_of_other_words_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        logged(tmp_path, "hello\nworld\n")


@pytest.mark.usefixtures("undamaged")
def test_flags_of_a_board_may_be_booleans_in_parquet(tmp_path: Path) -> None:
    """They are read as from a CSV of the same table, in which polars writes true and false."""
    board = pl.DataFrame(
        {"shoe": [1] * 4, "coup": [1, 2, 3, 4], "winner": ["P", "B", "T", "B"],
         "player_pair": [True, False, None, False], "banker_pair": [False, False, True, None],
         "natural": [True, None, False, False]}
    )  # fmt: skip
    board.write_csv(tmp_path / "board.csv")
    board.write_parquet(tmp_path / "board.parquet")
    by_line, by_column = read_log(tmp_path / "board.csv"), read_log(tmp_path / "board.parquet")
    assert by_column.coups.drop("line").equals(by_line.coups.drop("line"))
    assert by_column.coups["player_pair"].to_list() == [True, False, None, False]
    assert by_column.coups["natural"].to_list() == [True, None, False, False]
    assert by_column.remarks.is_empty()


def test_shoes_of_rows_that_are_numbered_anew_each_day_are_other_shoes(tmp_path: Path) -> None:
    rows = [f"2026-03-0{day},{table},{shoe},{road}" for day in (1, 2) for table in "AB"
            for shoe, road in ((1, "BPPTB"), (2, "PPB"))]  # fmt: skip
    (tmp_path / "roads.csv").write_text("\n".join(["date,table,shoe,results", *rows]) + "\n")
    coups = read_log(tmp_path / "roads.csv").coups
    assert coups.height == 4 * (5 + 3)
    shoes = coups.group_by("table", "shoe", maintain_order=True).agg(pl.col("coup"))
    assert shoes["coup"].list.len().to_list() == 4 * [5, 3]
    names = shoes.filter(pl.col("table").cast(pl.String) == "A")["shoe"].cast(pl.String).to_list()
    assert sorted(names) == ["1", "1 (2)", "2", "2 (2)"]
