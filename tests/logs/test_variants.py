"""Variants of the layouts: what was once misread without a remark is now read rightly or not at all."""

import gzip
import json
import random
import sqlite3
import zipfile
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import polars as pl
import pytest
import xlsxwriter
from twins.other_logs import workbook

from counting import InputError
from counting.cards import RANKS, SUITS, VALUE_OF_RANK
from counting.logs import NO_CARD, PLACES, UNREAD, Layout, Log, card_name, read_log
from counting.logs.apart import sheets_of
from counting.logs.tables import workbook_source

Coup = tuple[list[str], list[str]]
BETS = "shoe,coup,patron,bet,amount,won"


def value(card: str) -> int:
    return VALUE_OF_RANK[RANKS.index(card[:-1])]


def dealt(number: int, seed: int = 1) -> list[Coup]:
    """Coups of one shoe by the rules of punto banco."""
    shoe = [rank + suit for rank in RANKS for suit in SUITS] * 8
    random.Random(seed).shuffle(shoe)
    coups = []
    for _ in range(number):
        player, banker = [shoe.pop(), shoe.pop()], [shoe.pop(), shoe.pop()]
        p, b = (sum(map(value, hand)) % 10 for hand in (player, banker))
        if max(p, b) < 8:
            third = 0
            if p < 6:
                player.append(shoe.pop())
                third = value(player[2])
            stands = b == 7 or (p >= 6 and b == 6)
            draws_to = {3: {0, 1, 2, 3, 4, 5, 6, 7, 9}, 4: {2, 3, 4, 5, 6, 7}, 5: {4, 5, 6, 7}, 6: {6, 7}}
            if not stands and (b < 3 or (b < 6 if p >= 6 else third in draws_to[b])):
                banker.append(shoe.pop())
        coups.append((player, banker))
    return coups


COUPS = dealt(70)


def hands(log: Log) -> list[Coup]:
    rows = log.coups.select(PLACES).rows()
    return [([card_name(code) for code in row[:3] if code != NO_CARD],
             [card_name(code) for code in row[3:] if code != NO_CARD]) for row in rows]  # fmt: skip


def by(name: Callable[[str], str]) -> list[Coup]:
    return [([name(card) for card in player], [name(card) for card in banker]) for player, banker in COUPS]


def by_value(card: str) -> str:
    return {1: "A"}.get(value(card), str(value(card)))


def plain_value(card: str) -> str:
    return str(value(card))


def rank(card: str) -> str:
    return card[:-1]


def read(path: Path, lines: Sequence[str], layout: dict[str, object] | None = None) -> Log:
    path.write_text("\n".join(lines) + "\n")
    return read_log(path, layout=Layout.model_validate(layout) if layout else None)


def columns(path: Path, name: Callable[[str], str], none: str) -> Log:
    rows = [
        [str(at), *([name(card) for card in hand] + [none] * (3 - len(hand)) for hand in coup)]
        for at, coup in enumerate(COUPS, 1)
    ]
    lines = [",".join([row[0], *row[1], *row[2]]) for row in rows]
    return read(path, ["shoe,coup,p1,p2,p3,b1,b2,b3", *(f"a,{line}" for line in lines)],
                {"coups": {"player": ["p1", "p2", "p3"], "banker": ["b1", "b2", "b3"]}})  # fmt: skip


@pytest.mark.parametrize("none", ["-1", "n/a", "NA", "null", "-1.0", "<NA>", "--"])
def test_words_for_no_card_are_none_in_a_column_and_in_a_list(tmp_path: Path, none: str) -> None:
    assert hands(columns(tmp_path / "c.csv", plain_value, none)) == by(by_value)
    if none != "--":
        lines = [
            f"a\t{at}\t" + "\t".join(str([*hand, *[none] * (3 - len(hand))]).replace("'", "") for hand in coup)
            for at, coup in enumerate(COUPS, 1)
        ]
        log = read(tmp_path / "l.tsv", ["shoe\tcoup\tplayer\tbanker", *lines])
        assert hands(log) == COUPS
        assert log.remarks.is_empty()


def test_a_hyphen_between_cards_is_no_minus(tmp_path: Path) -> None:
    log = read(tmp_path / "c.csv", ["table,shoe,coup,player,banker", "1,a,1,9-1,K - 1", "1,a,2,8 J,9-1-5"])
    assert hands(log) == [(["9", "A"], ["K", "A"]), (["8", "J"], ["9", "A", "5"])]


@pytest.mark.parametrize(
    ("name", "expected"), [(plain_value, by_value), (lambda card: str(RANKS.index(card[:-1]) + 1), rank)]
)
def test_numbers_as_floats_are_cards(
    tmp_path: Path, name: Callable[[str], str], expected: Callable[[str], str]
) -> None:
    log = columns(tmp_path / "c.csv", lambda card: f"{name(card)}.0", "")
    assert hands(log) == by(expected)
    assert log.remarks.is_empty()


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("none", ["", "-1"])
def test_codes_from_0_are_not_read_as_codes_from_1(tmp_path: Path, first: int, none: str) -> None:
    log = columns(
        tmp_path / "c.csv", lambda card: str(SUITS.index(card[-1]) * 13 + RANKS.index(rank(card)) + first), none
    )
    assert hands(log) == by(rank)


def test_a_stated_first_code_is_used(tmp_path: Path) -> None:
    lines = ["table,shoe,coup,player,banker", "1,a,1,0 9,8 2", "1,a,2,4 5,1 3"]
    log = read(tmp_path / "c.csv", lines, {"cards": {"written": "codes", "first_code": 1}})
    assert hands(log) == [(["?", "9"], ["8", "2"]), (["4", "5"], ["A", "3"])]


def listed(path: Path, cards: Callable[[Coup], Sequence[str]], mark: str, order: str | None) -> Log:
    lines = [f"a\t{at}\t{mark.join(cards(coup))}" for at, coup in enumerate(COUPS, 1)]
    how = {"order": order} if order else {}
    return read(path, ["shoe\tcoup\tcards", *lines], {"coups": {"cards": "cards"}, "cards": how})


def places(coup: Coup) -> list[str]:
    player, banker = ([*hand, ""][:3] for hand in coup)
    return [card for both in zip(player, banker, strict=True) for card in both]


@pytest.mark.parametrize("mark", [",", ";", "|", "/", " "])
@pytest.mark.parametrize("order", ["places", None])
def test_a_list_with_places_gives_the_fifth_card_to_its_hand(tmp_path: Path, mark: str, order: str | None) -> None:
    assert hands(listed(tmp_path / "l.tsv", places, mark, order)) == COUPS


def test_a_list_by_place_needs_two_cards_of_each_hand(tmp_path: Path) -> None:
    lines = ["shoe,coup,cards", 'a,1,"9h,8s,Kd,9d,,"', 'a,2,"9h,8s,Kd,,5c,"']
    log = read(tmp_path / "c.csv", lines, {"coups": {"cards": "cards"}, "cards": {"order": "places"}})
    reason = "has 4 cards in one list, should be two or three in the places of each hand; line skipped"
    assert log.remarks.select("line", "reason").rows() == [(3, reason)]


@pytest.mark.long
@pytest.mark.parametrize("none", ["", "null", "-1", "n/a"])
@pytest.mark.parametrize("order", ["player-first", None])
def test_a_list_of_players_first_may_have_empty_places(tmp_path: Path, none: str, order: str | None) -> None:
    def cards(coup: Coup) -> list[str]:
        return [card or none for hand in coup for card in [*hand, ""][:3]]

    assert hands(listed(tmp_path / "l.tsv", cards, ",", order)) == COUPS


def test_a_layout_may_call_the_ten_x(tmp_path: Path) -> None:
    lines = ["table,shoe,coup,player,banker", "1,a,1,9 X,4 5 2"]
    log = read(tmp_path / "c.csv", lines, {"cards": {"ranks": {"X": "10"}}})
    assert hands(log) == [(["9", "10"], ["4", "5", "2"])]
    assert UNREAD in read(tmp_path / "d.csv", lines).coups["player_2"].to_list()


def with_bets(folder: Path, coups: Sequence[str], bets: Sequence[str]) -> Log:
    for name, lines in (("coups", coups), ("bets", bets)):
        (folder / f"{name}.csv").write_text("\n".join(lines) + "\n")
    return read_log(folder / "coups.csv", folder / "bets.csv")


@pytest.mark.parametrize(
    ("amounts", "expected"),
    [
        (["1.000", "25", "500"], [2500, 50000]),  # 1.000 may be a thousand or one, so it is not read
        (["1.000", "12.5", "500"], [100, 1250, 50000]),
        (["1.000", "1250.000"], [100, 125000]),
        (["1.000", '"1,000"'], [100, 100000]),
        (["1.000", '"1.000,00"'], [100000, 100000]),
    ],
)
def test_a_point_that_may_part_thousands_is_no_decimal_point(
    tmp_path: Path, amounts: list[str], expected: list[int]
) -> None:
    coups = [f"1,a,{at},9 K,5 2" for at in range(1, 4)]
    bets = [f"a,{at},Ann,player,{amount}," for at, amount in enumerate(amounts, 1)]
    log = with_bets(
        tmp_path, ["table,shoe,coup,player,banker", *coups], [f"table,{BETS}", *(f"1,{bet}" for bet in bets)]
    )
    assert log.bets["amount"].to_list() == expected
    assert log.skipped["bets"] == len(amounts) - len(expected)


def test_bets_at_several_tables_need_coups_with_a_table(tmp_path: Path) -> None:
    coups = ["shoe,coup,player,banker", "a,1,9 K,5 2"]
    read = with_bets(tmp_path, coups, [f"table,{BETS}", "7,a,1,Ann,player,25,", "7,a,1,Bo,player,25,"])
    assert read.bets.height == 2
    with pytest.raises(InputError, match=r"bets.csv: column table has 2 names \(7, 8\), should have one"):
        with_bets(tmp_path, coups, [f"table,{BETS}", "7,a,1,Ann,player,25,", "8,a,1,Bo,player,25,"])


@pytest.mark.parametrize("first", [0, 1, 300])
def test_coups_numbered_on_over_shoes_begin_anew_in_each(tmp_path: Path, first: int) -> None:
    coups = [f"1,{'abc'[at // 20]},{at + first},9 K,5 2" for at in range(60)]
    bets = [f"1,{'abc'[at // 20]},{at + first},Ann,player,{at + 1}," for at in range(60)]
    log = with_bets(tmp_path, ["table,shoe,coup,player,banker", *coups], [f"table,{BETS}", *bets])
    assert log.coups["coup"].to_list() == [*range(1, 21)] * 3
    assert log.bets["coup"].to_list() == [*range(1, 21)] * 3
    assert "run on from shoe to shoe" in " ".join(log.looks)


def test_hundreds_of_lines_that_differ_are_remarked(tmp_path: Path) -> None:
    """All 240 are counted, though only a hundred are listed, and a listed line may differ from a line that is not
    listed."""
    lines = [f"1,a,{at},{hand},5 2" for hand in ("9 K", "8 K") for at in range(1, 121)]
    log = read(tmp_path / "c.csv", ["table,shoe,coup,player,banker", *lines])
    assert log.coups.is_empty()
    assert log.remarked("differ") == 240
    assert log.remarks["reason"][0].startswith("not the same as line 122,")


def test_damaged_files_are_refused_in_a_line(tmp_path: Path) -> None:
    text = "\n".join(["table,shoe,coup,player,banker", *(f"1,a,{at},9 K,{at % 9} 2" for at in range(1, 900))])
    packed = bytearray(gzip.compress(text.encode()))
    packed[300:340] = bytes(40)
    (tmp_path / "c.csv.gz").write_bytes(packed)
    with closing(sqlite3.connect(tmp_path / "c.db")) as link:
        link.execute('CREATE TABLE coups ("table", shoe, coup, player, banker)')
        link.executemany("INSERT INTO coups VALUES (1, 'a', ?, '9 K', '5 2')", [(at,) for at in range(1, 900)])
        link.commit()
    whole = (tmp_path / "c.db").read_bytes()
    for name, data in (("c.csv.gz", None), ("begin.db", whole[:5000] + bytes(3000)), ("end.db", whole[:12000])):
        if data is not None:
            (tmp_path / name).write_bytes(data)
        with pytest.raises(InputError, match=rf"\A[^\n]*{name}: cannot be read[^\n]*\Z"):
            read_log(tmp_path / name)


def test_a_file_without_shoes_is_not_taken_for_frames(tmp_path: Path) -> None:
    """A new shoe begins where a table's coup numbers fall, and the log says so."""
    rows = ["1,1,9 K,5 2", "2,1,8 K,5 2", "1,2,9 K,5 2", "1,3,7 7,5 5", "1,1,8 K,4 3", "1,2,9 K,5 3"]
    log = read(tmp_path / "c.csv", ["table,coup,player,banker", *rows])
    names = log.coups.select(pl.col("table", "shoe").cast(pl.String), "coup").rows()
    assert names == [("1", "1", 1), ("1", "1", 2), ("1", "1", 3), ("1", "2", 1), ("1", "2", 2), ("2", "1", 1)]
    assert "a new shoe where coup falls" in " ".join(log.looks)


def test_a_cell_without_a_first_or_second_card_is_a_card_not_read(tmp_path: Path) -> None:
    lines = ["table,shoe,coup,p1,p2,p3,b1,b2,b3", "1,a,1,9h,,5d,2c,6d,", "1,a,2,,9h,,2c,6d,", "1,a,3,3h,2d,,2c,6d,"]
    layout = {"coups": {"player": ["p1", "p2", "p3"], "banker": ["b1", "b2", "b3"]}}
    players = [player for player, _ in hands(read(tmp_path / "c.csv", lines, layout))]
    assert players == [["9h", "?", "5d"], ["?", "9h"], ["3h", "2d"]]


@pytest.mark.parametrize("bad", ["hand", "place", "twice", "rank"])
def test_a_card_of_no_hand_or_place_leaves_its_coup_unread(tmp_path: Path, bad: str) -> None:
    cards = [
        {"of": at, "hand": hand, "place": place, "rank": card[:-1], "suit": card[-1]}
        for at, coup in enumerate(COUPS, 1)
        for hand, drawn in zip(("P", "B"), coup, strict=True)
        for place, card in enumerate(drawn, 1)
    ]
    first = next(at for at, card in enumerate(cards) if card["place"] == 3)
    number = int(str(cards[first]["of"]))
    wrong = {
        "hand": {"hand": "payer"},
        "place": {"place": None},
        "twice": {"place": 2},
        "rank": {"rank": "", "suit": ""},
    }
    cards[first] |= wrong[bad]
    pl.DataFrame(cards).write_csv(tmp_path / "cards.csv")
    pl.DataFrame({"id": range(1, 71), "table": "1", "shoe": "a", "coup": range(1, 71)}).write_csv(tmp_path / "c.csv")
    rows = {
        "file": "cards.csv",
        "id": "id",
        "of": "of",
        "hand": "hand",
        "place": "place",
        "rank": "rank",
        "suit": "suit",
    }
    log = read_log(tmp_path / "c.csv", layout=Layout.model_validate({"card_rows": rows}))
    hands_of = dict(zip(log.coups["coup"].to_list(), hands(log), strict=True))
    expected = dict(enumerate(COUPS, 1))
    player, banker = expected.pop(number)
    if bad == "rank":
        assert hands_of.pop(number) in [([*player[:2], "?"], banker), (player, [*banker[:2], "?"])]
    else:
        assert number not in hands_of
        assert log.skipped["coups"] == 1
    assert hands_of == expected


def test_bets_numbered_from_1_on_coups_from_0(tmp_path: Path) -> None:
    """A bet numbered one above the last coup shows that bets count from 1, and is remarked on. If no bet shows it, the
    log says that the numbering cannot be known."""
    coups = ["table,shoe,coup,player,banker", *(f"1,a,{at},9 K,5 2" for at in range(20))]
    bets = [f"table,{BETS}", *(f"1,a,{at},Ann,player,25," for at in range(20))]
    assert with_bets(tmp_path, coups, bets).bets["coup"].to_list() == [*range(1, 21)]
    few = with_bets(tmp_path, coups, [bets[0], *bets[2:]])
    assert "no bet is on coup 0" in " ".join(few.lacks)
    later = with_bets(tmp_path, coups, [bets[0], *bets[2:], "1,a,20,Ann,player,25,"])
    assert later.bets["coup"].to_list() == [*range(1, 21)]
    assert "coups are numbered from 0, bets from 1" in later.remarks["reason"].to_list()


def record(at: int, shoe: str = "a") -> dict[str, object]:
    player, banker = COUPS[at - 1]
    return {"table": "1", "shoe": shoe, "coup": at, "player": player, "banker": banker}


@pytest.mark.long
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be"])
@pytest.mark.parametrize("form", ["by key", "by shoe", "deep", "beside others"])
def test_every_list_of_coups_in_json_is_read(tmp_path: Path, form: str, encoding: str) -> None:
    first, second = ([record(at, shoe) for at in part] for shoe, part in (("a", range(1, 36)), ("b", range(36, 71))))
    bare = [[{name: coup[name] for name in ("coup", "player", "banker")} for coup in part] for part in (first, second)]
    value = {
        "by key": {"a": first, "b": second},
        "by shoe": {"table": "1", "shoes": [{"shoe": "a", "coups": bare[0]}, {"shoe": "b", "coups": bare[1]}]},
        "deep": {"data": [{"page": {"items": first + second}}]},
        "beside others": {"patrons": [{"id": 7, "seat": 2}], "coups": first + second},
    }[form]  # fmt: skip
    (tmp_path / "c.json").write_bytes(json.dumps(value, indent=1).encode(encoding))
    log = read_log(tmp_path / "c.json")
    assert hands(log) == COUPS
    assert log.coups["shoe"].to_list() == ["a"] * 35 + ["b"] * 35


def test_of_several_tables_that_fit_one_is_named(tmp_path: Path) -> None:
    def database(path: Path, **tables: str) -> None:
        with closing(sqlite3.connect(path)) as link:
            for name, columns in tables.items():
                link.execute(f"CREATE TABLE {name} ({columns})")
                row = {"shoe": "a", "coup": 1, "player": "9 K", "banker": "5 2", "patron": "Ann", "bet": "player"}
                values = [row.get(column, 1) for column in columns.split(", ")]
                link.execute(f"INSERT INTO {name} VALUES ({', '.join('?' * len(values))})", values)
            link.commit()

    coups, bets = "tables, shoe, coup, player, banker", "shoe, coup, patron, bet, amount, won, dealer"
    database(tmp_path / "both.db", bets=bets, coups=coups)
    log = read_log(tmp_path / "both.db", tmp_path / "both.db")
    assert (log.coups.height, log.bets.height) == (1, 1)
    database(tmp_path / "old.db", backup=coups, coups=coups)
    with pytest.raises(InputError, match=r"several tables fit, backup, coups, .* as \[file\] rows = 'backup'$"):
        read_log(tmp_path / "old.db")
    assert read_log(tmp_path / "old.db", layout=Layout.model_validate({"file": {"rows": "coups"}})).coups.height == 1


def test_a_table_named_in_the_file_is_no_constant(tmp_path: Path) -> None:
    """The camera archive's layout is for one table. If the file names two tables, they stay apart, though their shoes
    have the same names."""
    texts = [",".join(map(plain_value, [*player, *banker])) for player, banker in COUPS]
    lines = [f"{table};s;{at};{cards}" for table in "12" for at, cards in enumerate(texts)]
    log = read(tmp_path / "c.csv", ["table;shoe_id;seq;cards", *lines])
    assert log.coups["table"].to_list() == ["1"] * 70 + ["2"] * 70
    assert hands(log) == by(by_value) * 2


@pytest.mark.parametrize("encoding", ["base64", "rot13", "nope"])
def test_an_encoding_of_no_texts_is_refused(tmp_path: Path, encoding: str) -> None:
    with pytest.raises(InputError, match=f"encoding '{encoding}': should be one that Python knows"):
        read(tmp_path / "c.csv", ["table,shoe,coup,player,banker", "1,a,1,9 K,5 2"], {"file": {"encoding": encoding}})


def test_a_workbook_is_unpacked_once_until_it_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unpacked: list[str | None] = []

    def sheets(file: Path, path: Path, sheet: str | None, folder: Path) -> list[str]:
        unpacked.append(sheet)
        return sheets_of(file, path, sheet, folder)

    monkeypatch.setattr("counting.logs.tables.sheets_of", sheets)
    rows = [{"shoe": "a", "coup": str(i), "player": " ".join(player), "banker": " ".join(banker)}
            for i, (player, banker) in enumerate(COUPS)]  # fmt: skip
    sheet, (path, _) = "sheet1", workbook(tmp_path, pl.DataFrame(rows))
    assert len(hands(read_log(path))) == len(hands(read_log(path))) == len(COUPS)
    assert workbook_source(path, sheet, frozenset()).names == ["shoe", "coup", "player", "banker"]
    with pytest.raises(InputError, match="no sheet other"):
        workbook_source(path, "other", frozenset())
    assert unpacked == [None]
    workbook(tmp_path, pl.DataFrame(rows[:-1]))
    assert workbook_source(path, sheet, frozenset()).names == ["shoe", "coup", "player", "banker"]
    assert len(hands(read_log(path))) == len(COUPS) - 1
    assert unpacked == [None, sheet, None]


def test_a_workbook_with_a_damaged_sheet_is_refused_in_a_line(tmp_path: Path) -> None:
    path, _ = workbook(tmp_path, pl.DataFrame({"table": ["1"], "shoe": ["a"]}))
    with zipfile.ZipFile(path) as book:
        parts = {name: book.read(name) for name in book.namelist()}
    with zipfile.ZipFile(path, "w") as book:
        for name, data in parts.items():
            book.writestr(name, data.replace(b"</c>", b"</d>", 1))
    with pytest.raises(InputError, match=r"\A[^\n]*hands.xlsx: not a workbook that can be read: [^\n]*\Z"):
        read_log(path)


@pytest.mark.usefixtures("undamaged")
@pytest.mark.parametrize("above", [0, 3, 30])
def test_a_remark_names_the_row_of_the_sheet(tmp_path: Path, above: int) -> None:
    """Rows are numbered as in Excel: blank rows above the column names count, and blank columns do not matter."""
    book = xlsxwriter.Workbook(tmp_path / "board.xlsx")
    sheet = book.add_worksheet()
    coups = [[1, coup, "PBBPTBPB"[coup % 8]] for coup in range(1, 40)]
    for row, cells in enumerate([["Table 7"], ["shoe", "coup", "winner"], *coups[:2], [], [1, 40, "?!"], *coups[2:]]):
        sheet.write_row(above + row, 2, cells)
    book.close()
    log = read_log(tmp_path / "board.xlsx")
    assert sorted(log.coups["line"]) == [above + 3, above + 4, *range(above + 6, above + 44)]
    assert log.remarks.select("line", "value").rows() == [(above + 1, "Table 7"), (above + 6, "?!")]
