"""Tables as they are exported: titles, headings in two rows, totals. The same coups are the same log, and what is left
out has a remark. Files whose headings say nothing get a draft from what their columns hold."""

import random
import tomllib
from pathlib import Path

import polars as pl
import pytest
from extent import long_or
from twins.exports import CARDS, EXPORTS, GROUPED, HEADINGS, TITLES, as_csv, as_sheet, by_card, plain, titled
from twins.other_logs import SAME, Writer, places

from counting import Dealing, InputError, load_game
from counting.logs import PLACES, Layout, Log, card_name, read_log
from counting.logs.drafting import draft
from counting.logs.first_lines import coup_reading
from counting.review.synthetic import Flat, deal, log_frames

EZ = load_game("ez-baccarat")
ASIDE = ["line", "player_total", "banker_total"]


@pytest.fixture(scope="module")
def coups() -> pl.DataFrame:
    """The first coups of three shoes."""
    frame, _ = log_frames(deal(EZ, Dealing(), 7, 0, 3), {"Ann": Flat("dragon-7", 25, 0.4)}, EZ, 1)
    return frame.select(HEADINGS).filter(pl.col("coup") <= long_or(999, 42))


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory, coups: pl.DataFrame) -> Log:
    return read_log(SAME["own"](tmp_path_factory.mktemp("own"), coups)[0])


@pytest.mark.usefixtures("undamaged")
@pytest.mark.parametrize("name", EXPORTS)
def test_the_same_coups_are_the_same_log(tmp_path: Path, coups: pl.DataFrame, own: Log, name: str) -> None:
    log = read_log(EXPORTS[name](tmp_path, coups)[0])
    assert log.coups.drop(ASIDE).equals(own.coups.drop(ASIDE)), log.remarks
    assert log.skipped["coups"] == 0
    assert log.lacks == own.lacks


def test_each_kind_of_row_that_is_left_out_has_a_remark(tmp_path: Path, coups: pl.DataFrame) -> None:
    def remarks(name: str) -> list[tuple[object, ...]]:
        return read_log(EXPORTS[name](tmp_path, coups)[0]).remarks.select("line", "value", "reason").rows()

    last, half = coups.height, coups.height // 2
    assert remarks("titles, semicolons") == [
        (1, "Grand Casino, the 1st of March", "above the column names, which are in line 5")
    ]
    assert remarks("blank lines first") == [(3, "Report", "above the column names, which are in line 5")]
    total = "a total, which is no row of the log"
    assert remarks("totals") == [
        (half + 2, f"Sub-total:  {half}", total),
        (last + 3, f"Total  {last}", total),
    ]
    no_row = "no row of the log: a count of rows, or a line between rows"
    assert [row[::2] for row in remarks("psql")] == [(2, no_row), (last + 3, no_row)]


def test_a_row_without_a_name_is_lost_and_no_total(tmp_path: Path, coups: pl.DataFrame) -> None:
    """Only the word for a total makes a row a total. A table that is named Total is a table."""
    rows = [[*row] for row in coups.head(9).rows()]
    path, _ = as_csv(lambda _: [HEADINGS, *rows, ["", "", 9, "", "", ""], *[["Total", *row[1:]] for row in rows]])(
        tmp_path, coups
    )
    log = read_log(path)
    assert log.skipped["coups"] == 1
    assert log.coups["table"].value_counts().sort("table").rows() == [("Total", 9), (rows[0][0], 9)]


def test_headings_are_found_by_the_layout_too(tmp_path: Path, coups: pl.DataFrame, own: Log) -> None:
    """Neither the titles nor the headings are known words, and a title has as many cells as the headings."""
    names = dict(zip(HEADINGS, ("asztal", "cipő", "játszma", "játékos", "bankár", "nyertes"), strict=True))
    title = ["a", "b", "c", "d", "e", "f"]
    path, _ = as_csv(lambda coups: [title, list(names.values()), *titled()(coups)[1:]])(tmp_path, coups)
    with pytest.raises(InputError, match="the file has a, b, c, d, e, f"):
        read_log(path)
    log = read_log(path, layout=Layout.model_validate({"coups": names}))
    assert log.coups.drop(ASIDE).equals(own.coups.drop(ASIDE))


@pytest.mark.parametrize("seed", range(long_or(60, 6)))
def test_columns_that_no_heading_names_are_drafted_by_what_they_hold(
    tmp_path: Path, coups: pl.DataFrame, own: Log, seed: int
) -> None:
    """Columns in any order with headings that say nothing, with or without titles, with a hand or a card in each
    column, Player or Banker first, and with columns of other things."""
    chance = random.Random(seed)
    number = pl.int_range(coups.height)
    others = coups.select(
        running=8000 + number, day=pl.lit("2026-03-01"), dealer=pl.Series(chance.choices("XYZ", k=coups.height)),
        chips=pl.Series(chance.choices(range(25, 500), k=coups.height)),
    )  # fmt: skip
    hands = coups.select("player", "banker")
    if seed % 3:
        cells = [row[3:9] for row in by_card(coups)] if seed % 3 == 1 else [*map(places, coups.to_dicts())]
        hands = pl.DataFrame(cells, [f"card {at}" for at in range(6)], orient="row")
    blocks = [hands, others.select(chance.sample(others.columns, 2)), coups.select("winner"),
              coups.select("table", "shoe", "coup")]  # fmt: skip
    chance.shuffle(blocks)
    frame = pl.concat(blocks, how="horizontal")
    if seed % 3 == 0 and chance.random() < 0.5:
        frame = frame.select(pl.exclude("player"), "player")
    heads = [f"x{at}y" for at in range(frame.width)]
    rows = [heads, *map(list, frame.with_columns(pl.all().cast(pl.String)).rows())]
    path, _ = as_csv(lambda _: [*(TITLES if seed % 2 else []), *rows], ";")(tmp_path, coups)
    text = draft(path)
    assert "found by what the columns hold" in text
    keys = [pl.col("shoe").cast(pl.String), "coup", *PLACES, "winner"]
    assert as_drafted(path).coups.select(keys).equals(own.coups.select(keys)), text


def test_shoes_without_a_column_begin_where_coups_fall(tmp_path: Path, coups: pl.DataFrame) -> None:
    rows = [[row["player"], row["banker"], row["coup"]] for row in coups.to_dicts()]
    path, _ = as_csv(lambda _: [["q", "r", "s"], *rows])(tmp_path, coups)
    log = as_drafted(path)
    assert log.coups.height == coups.height
    assert log.coups["shoe"].n_unique() == coups["shoe"].n_unique()


def test_a_table_is_the_column_that_tells_equal_shoes_apart(tmp_path: Path, coups: pl.DataFrame) -> None:
    of_one = coups.select("shoe", "coup", "player", "banker").rows()
    rows = [[table, *row] for table in "AB" for row in of_one]
    path, _ = as_csv(lambda _: [["p", "q", "r", "s", "t"], *rows])(tmp_path, coups)
    tables = as_drafted(path).coups["table"].value_counts().sort("table")
    assert tables.rows() == [("A", coups.height), ("B", coups.height)]


def test_cards_in_no_lawful_order_are_no_hands(tmp_path: Path) -> None:
    chance = random.Random(1)
    cards = [[f"{chance.choice('23456789')}{chance.choice('shdc')}" for _ in range(6)] for _ in range(80)]
    rows = [[at, " ".join(row[:2]), " ".join(row[2 : chance.choice((4, 5))])] for at, row in enumerate(cards)]
    path, _ = as_csv(lambda _: [["p", "q", "r"], *rows])(tmp_path, pl.DataFrame())
    assert "found by what the columns hold" not in draft(path)


def as_drafted(path: Path) -> Log:
    return read_log(path, layout=Layout.model_validate(tomllib.loads(draft(path))))


WORDS = {"player": "Nyert J", "banker": "Nyert B", "tie": "Döntetlen"}


@pytest.mark.parametrize("heading", ["winner", "outcome"])
def test_winners_in_unknown_words_are_named_in_the_error_and_in_the_draft(
    tmp_path: Path, coups: pl.DataFrame, own: Log, heading: str
) -> None:
    won = coups["winner"].replace_strict(WORDS).alias(heading)
    path = tmp_path / "results.csv"
    coups.select("table", "shoe", "coup", won).write_csv(path)
    with pytest.raises(InputError, match=rf"column {heading} could be the winner, .*Nyert J.*Döntetlen.*\[winner\]"):
        read_log(path)
    text = draft(path)
    assert "counting results GAME" in text
    assert '# tie = "Döntetlen"' in text  # the rarest
    head, rest = text.split("\n[winner]")
    filled = rest.replace('# player = ""', 'player = "Nyert J"').replace('# banker = ""', 'banker = "Nyert B"')
    by_draft = Layout.model_validate(tomllib.loads(f"{head}\n[winner]{filled.replace('# tie', 'tie')}"))
    for layout in (by_draft, Layout.model_validate({"winner": WORDS})):
        assert read_log(path, layout=layout).coups["winner"].equals(own.coups["winner"])


def test_winners_as_numbers_are_drafted_by_the_cards(tmp_path: Path, coups: pl.DataFrame, own: Log) -> None:
    numbers = dict(zip(WORDS, "210", strict=True))
    path = tmp_path / "coups.csv"
    coups.with_columns(pl.col("winner").replace(numbers)).write_csv(path)
    text = draft(path)
    assert "Not used" not in text
    assert tomllib.loads(text)["winner"] == numbers
    assert as_drafted(path).coups.equals(own.coups)


def rows_of(coups: pl.DataFrame) -> list[list[str]]:
    return [[str(cell) for cell in row] for row in plain(coups)]


def told(heads: list[str], rows: list[list[str]], *more: list[str]) -> Writer:
    return as_csv(lambda _: [heads, *rows[:1], *more, *rows[1:]])


def test_a_row_of_the_log_is_never_taken_for_headings(tmp_path: Path, coups: pl.DataFrame, own: Log) -> None:
    """Rows with words that are also headings, beside short headings, notes and a legend to the right."""
    rows = rows_of(coups)
    files = {
        "short headings": told(["#", "P", "B", "W", "Note"], [
            [row[2], *row[3:6], ("natural", "player pair", "banker")[at % 3]] for at, row in enumerate(rows)]),
        "a legend": told(["Shoe", "Hand", "Result", "", "", ""], [
            [*row[1:3], row[5], *(["P = Player", "B = Banker", "T = Tie"] if at == 1 else [""] * 3)]
            for at, row in enumerate(rows)]),
        "words with semicolons": told([*HEADINGS, "note"], [
            [*row, "won by player; natural; player pair"] for row in rows]),
    }  # fmt: skip
    for name, write in files.items():
        log = read_log(write(tmp_path, coups)[0])
        assert log.coups["winner"].to_list() == own.coups["winner"].to_list(), name
        assert log.skipped["coups"] == 0, name


def test_the_headings_stay_those_of_the_first_row_if_nothing_is_known_of_them(
    tmp_path: Path, coups: pl.DataFrame
) -> None:
    rows = [[*row, "natural", "player pair"] for row in rows_of(coups)]
    path, _ = told([f"x{at}y" for at in range(8)], rows)(tmp_path, coups)
    with pytest.raises(InputError, match="the file has x0y, x1y, x2y"):
        read_log(path)


def test_headings_that_come_again_with_more_columns_lose_no_row(tmp_path: Path, coups: pl.DataFrame) -> None:
    rows = rows_of(coups)
    path, _ = told([*HEADINGS, "", ""], [[*row, "", ""] for row in rows], [*HEADINGS, "Player pair", "Banker pair"])(
        tmp_path, coups
    )
    log = read_log(path)
    assert log.coups.height == coups.height


def test_headings_may_have_line_breaks_and_three_rows(tmp_path: Path, coups: pl.DataFrame, own: Log) -> None:
    wrapped = ["table", "shoe", "coup", "Player\ncards", "Banker\ncards", "winner"]
    path = tmp_path / "wrapped.csv"
    quoted = [f'"{head}"' if "\n" in head else head for head in wrapped]
    path.write_text("\n".join(map(",".join, [["Report"], quoted, *rows_of(coups)])) + "\n")
    assert read_log(path).coups.drop(ASIDE).equals(own.coups.drop(ASIDE))
    path, _ = as_sheet(lambda coups: [wrapped, *plain(coups)])(tmp_path, coups)
    assert read_log(path).coups.drop(ASIDE).equals(own.coups.drop(ASIDE))
    heads = [["", "", "", "Player", *[""] * 5, "Banker", *[""] * 5, ""],
             ["", "", "", *["Card 1", "", "Card 2", "", "Card 3", ""] * 2, ""],
             ["Table", "Shoe", "Hand", *["Rank", "Suit"] * 6, "Result"]]  # fmt: skip
    parted = [[*row[:3], *(part for card in row[3:9] for part in (str(card)[:-1], str(card)[-1:])), row[9]]
              for row in by_card(coups)]  # fmt: skip
    path, _ = as_csv(lambda _: [*heads, *parted])(tmp_path, coups)
    assert read_log(path).coups.drop(ASIDE).equals(own.coups.drop(ASIDE))


@pytest.mark.parametrize("has_coup", [True, False])
def test_headings_in_two_rows_may_come_again_on_each_page(
    tmp_path: Path, coups: pl.DataFrame, own: Log, has_coup: bool
) -> None:
    rows = [CARDS, GROUPED, *by_card(coups)]
    rows = [*rows[:60], CARDS, GROUPED, *rows[60:120], CARDS, GROUPED, *rows[120:]]
    path, _ = as_csv(lambda _: rows if has_coup else [[*row[:2], *row[3:]] for row in rows])(tmp_path, coups)
    log = read_log(path)
    assert log.coups.select(PLACES).equals(own.coups.select(PLACES))
    assert log.skipped["coups"] == 0
    assert log.remarks["line"].to_list() == [61, 62, 123, 124]


def test_groups_named_above_their_middle_are_refused(tmp_path: Path, coups: pl.DataFrame) -> None:
    upper = ["", "", "", "", "Player", "", "", "Banker", "", ""]
    path, _ = as_csv(lambda coups: [upper, GROUPED, *by_card(coups)])(tmp_path, coups)
    with pytest.raises(InputError, match="columns shoe, coup missing"):
        read_log(path)


@pytest.mark.parametrize("way", ["newest first", "two tables at once", "notes and totals", "an index", "a void"])
def test_a_draft_finds_shoe_and_coup_in_files_that_are_not_plain(tmp_path: Path, coups: pl.DataFrame, way: str) -> None:
    rows = rows_of(coups)
    keys = {(row[1], row[2], row[3]) for row in rows}
    match way:
        case "newest first":
            rows.reverse()
        case "two tables at once":
            rows = [[table, *row[1:]] for row in rows for table in ("A", "B")]
        case "notes and totals":
            rows = [*rows[:30], ["the dealer changed", *[""] * 5], *rows[30:], ["all", "", str(len(rows)), "", "", ""]]
        case "an index":
            rows = [[str(at), *row] for at, row in enumerate(rows)]
        case "a void":
            rows[20][3:6] = ["", "", "VOID"]
            keys = {(row[1], row[2], row[3]) for row in rows if row[3]}
    heads = [f"x{at}y" if at or way != "an index" else "" for at in range(len(rows[0]))]
    path, _ = as_csv(lambda _: [heads, *rows])(tmp_path, coups)
    text = draft(path)
    log = as_drafted(path)
    hands = [" ".join(card_name(code) for code in row if code >= 0) for row in log.coups.select(PLACES[:3]).rows()]
    found = zip(log.coups["shoe"].cast(pl.String), log.coups["coup"].cast(pl.String), hands, strict=True)
    assert set(found) == keys, text
    assert log.coups["winner"].null_count() == 0
    assert "this reads the log" in text


def test_a_draft_without_shoe_and_coup_does_not_claim_to_read_the_log(tmp_path: Path, coups: pl.DataFrame) -> None:
    path, _ = as_csv(lambda _: [["x0y", "x1y"], *[row[3:5] for row in rows_of(coups)[:40]]])(tmp_path, coups)
    text = draft(path)
    assert "found by what the columns hold" in text
    assert "this reads the log" not in text


@pytest.mark.parametrize(("coups_in_a_row", "reads"), [(104, True), (105, False)])
def test_a_draft_with_more_coups_in_a_shoe_than_eight_decks_hold_is_to_be_completed(
    tmp_path: Path, coups_in_a_row: int, reads: bool
) -> None:
    """A coup has four cards or more, and eight decks have 416."""
    lines = [f"coup {at} done: 9h Kd against 5c 2s" for at in range(1, coups_in_a_row + 1)]
    (tmp_path / "log.txt").write_text("\n".join(lines) + "\n")
    text = draft(tmp_path / "log.txt")
    assert f"With this layout: {coups_in_a_row} coups, 0 lines skipped" in text
    assert ("this reads the log" in text) == reads
    assert ("Shoe 1 has 105 coups, and eight decks have cards for at most 104" in text) != reads


def test_a_count_below_a_column_is_no_coup(tmp_path: Path, coups: pl.DataFrame) -> None:
    """A spreadsheet's subtotals have a text in every column that names a coup."""
    rows = [[*row[1:3], row[5]] for row in rows_of(coups)]
    path, _ = told(["shoe", "coup", "winner"], rows, ["1 Count", "60", ""], ["Grand Total", "240", ""])(tmp_path, coups)
    log = read_log(path)
    assert log.coups.height == coups.height
    assert log.remarks["reason"].to_list() == ["a total, which is no row of the log"] * 2


@pytest.mark.parametrize("titles", [[], ["Casino Z\u00fcrich", "1 March"]])
def test_a_watch_finds_the_headings_that_its_layout_names(titles: list[str]) -> None:
    names = dict(zip(HEADINGS, ("q1", "q2", "q3", "q4", "q5", "q6"), strict=True))
    layout = Layout.model_validate({"coups": names})
    lines = [*titles, "q1,q2,q3,q4,q5,q6", "T1,1,1,9h Kd,3s 4c,player", "T1,1,2,9h Kd,3s 4c,natural"]
    reading = coup_reading([f"{line}\n".encode() for line in lines], "log", layout, EZ.tableau)
    assert reading is not None
    assert reading.names == ("q1", "q2", "q3", "q4", "q5", "q6")


def test_wide_letters_take_two_places(tmp_path: Path) -> None:
    path = tmp_path / "out.rpt"
    rows = ["table  shoe coup player     banker", "------ ---- ---- ---------- ----------",
            "桌一   1       1 9h Kd      3s 4c", "桌二   靴二    2 8h Kd 2s   3s 4c"]  # fmt: skip
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    log = read_log(path)
    assert log.coups.select(pl.col("table", "shoe").cast(pl.String), "coup").rows() == [
        ("桌一", "1", 1),
        ("桌二", "靴二", 2),
    ]


@pytest.mark.parametrize("below", ["--- --- ---", "- - - - -", "---\t---\t---"])
def test_a_line_of_dashes_in_a_table_with_marks_is_no_ruler(tmp_path: Path, coups: pl.DataFrame, below: str) -> None:
    lines = [",".join(row) for row in rows_of(coups)]
    path = tmp_path / "coups.csv"
    path.write_text("\n".join([",".join(HEADINGS), *lines[:9], below, *lines[9:]]) + "\n")
    assert read_log(path).coups.height == coups.height


@pytest.mark.parametrize("mark", ",;\t")
@pytest.mark.parametrize("heads", [HEADINGS, ["no", "x", "y", "p", "b", "w"], [f"x{at}y" for at in range(6)]])
def test_notes_with_words_for_headings_and_other_marks_are_notes(
    tmp_path: Path, coups: pl.DataFrame, own: Log, mark: str, heads: list[str]
) -> None:
    other = "," if mark == ";" else ";"
    note = f"late{other} win{other} player{other} banker{other} table{other} result{other} tie"
    path, _ = as_csv(lambda _: [[*heads, "Memo"], *[[*row, note] for row in rows_of(coups)]], mark)(tmp_path, coups)
    layout = None if heads[0] != "x0y" else Layout.model_validate({"coups": dict(zip(HEADINGS, heads, strict=True))})
    log = read_log(path, layout=layout)
    assert log.coups.select(PLACES).equals(own.coups.select(PLACES))
    assert log.skipped["coups"] == 0


def test_a_row_without_cards_below_the_headings_is_no_part_of_them(tmp_path: Path, coups: pl.DataFrame) -> None:
    rows = [[row[5], "", row[3], row[4], "", row[2]] for row in rows_of(coups)]
    path, _ = told(["Result", "", "player", "banker", "", "coup"], [["", "", "void", "", "misdeal", ""], *rows[:70]])(
        tmp_path, coups
    )
    log = read_log(path)
    assert (log.coups.height, log.skipped["coups"]) == (70, 1)


def test_an_event_at_a_table_named_as_a_total_is_an_event(tmp_path: Path) -> None:
    path = tmp_path / "coups.csv"
    path.write_text("table,shoe,coup,player,banker,event\nMain Count,a,1,9h Kd,3s 4c,\nMain Count,a,2,,,shuffle\n")
    log = read_log(path)
    assert (log.coups.height, log.events.height) == (1, 1)


@pytest.mark.parametrize("text", [",\n", ";;;\n", '""\n', ",,,\n" * 30, '"",""\n,\n'])
def test_headings_that_are_blank_are_refused_in_a_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "blank.csv").write_text(text)
    with pytest.raises(InputError, match=r"\A[^\n]*blank.csv: [^\n]*\Z"):
        read_log(tmp_path / "blank.csv")


def test_a_file_of_bets_is_named_as_one(tmp_path: Path) -> None:
    path = tmp_path / "bets.csv"
    path.write_text("table,shoe,coup,patron,bet,amount,win\n1,a,1,Ann,tie,100,-100\n")
    with pytest.raises(InputError, match="this looks like a file of bets"):
        read_log(path)
