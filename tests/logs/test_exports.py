"""Tables as they are exported: titles, headings in two rows, totals. The same coups are the same log, and what is left
out has a remark. Files whose headings say nothing get a draft from what their columns hold."""

import random
import tomllib
from pathlib import Path

import polars as pl
import pytest
from extent import long_or
from twins.exports import EXPORTS, HEADINGS, TITLES, as_csv, by_card, titled
from twins.other_logs import SAME, places

from counting import Dealing, InputError, load_game
from counting.logs import PLACES, Layout, Log, read_log
from counting.logs.drafting import draft
from counting.review.synthetic import Flat, deal, log_frames

EZ = load_game("ez-baccarat")
ASIDE = ["line", "player_total", "banker_total"]


@pytest.fixture(scope="module")
def coups() -> pl.DataFrame:
    return log_frames(deal(EZ, Dealing(), 7, 0, 3), {"Ann": Flat("dragon-7", 25, 0.4)}, EZ, 1)[0].select(HEADINGS)


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
