"""Chats in which a line begins each shoe: audit and watch read the same coups, and a draft finds the pattern of that
line."""

import re
from contextlib import closing
from itertools import product
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from extent import crossed, long_or
from twins.seen_logs import chat_line

from counting import Dealing, InputError, load_game
from counting.live import COUPS, InputLine, Watch, WatchSettings, open_input
from counting.live.events import DealtCoup
from counting.live.records import recorded_event
from counting.logs import NO_CARD, PLACES, Layout, Log, load_layout, read_log
from counting.logs.drafting import draft
from counting.review import audit
from counting.review.synthetic import Flat, deal, log_frames

EZ = load_game("ez-baccarat")
LINE = (
    r"#N(?P<coup>[0-9]+).*?(?P<player_won>✅)?[0-9]\s?\((?P<player>[^)]*)\)"
    r".*?(?P<banker_won>✅)?[0-9]\s?\((?P<banker>[^)]*)\)"
)
BEGUN = {
    "New shoe #{}": r"New shoe #(?P<shoe>[0-9]+)", "--- Shoe {} ---": r"--- Shoe (?P<shoe>[0-9]+) ---",
    "[21:0{}:00] Neuer Schuh {}": r"Neuer Schuh (?P<shoe>[0-9]+)", "Shuffling, please wait": "^Shuffling",
    "新靴 {}": r"靴 (?P<shoe>[0-9]+)", "Dealer Ann: shuffle": "(?i)shuffle|new shoe",
}  # fmt: skip
Key = tuple[str, str, int]


@pytest.fixture(scope="module")
def coups() -> pl.DataFrame:
    """The first coups of three shoes, of each shoe four more than of the shoe before."""
    frame, _ = log_frames(deal(EZ, Dealing(), 7, 0, 3), {"anyone": Flat("player", 5)}, EZ, 1)
    shoe = pl.col("shoe").rank("dense").cast(pl.Int64)
    frame = frame.with_columns(shoe=shoe).filter(pl.col("coup") <= long_or(12, 4) + 4 * pl.col("shoe"))
    return frame.select("shoe", "coup", "player", "banker", "winner")


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory, coups: pl.DataFrame) -> dict[Key, list[int]]:
    """The cards of each coup, as the audit reads them in the project's own form."""
    path = tmp_path_factory.mktemp("own") / "own.csv"
    coups.with_columns(table=pl.lit("1")).write_csv(path)
    return cards(read_log(path))


def chat(folder: Path, coups: pl.DataFrame, begun: str, first: int = 1, goes_on: bool = True, **how: Any) -> Path:
    """Write a chat with a line before each shoe and with talk between the coups."""
    said, number = ["Welcome!"], first
    for (shoe,), rows in coups.group_by("shoe", maintain_order=True):
        said.append(begun.format(shoe, shoe))
        number = number if goes_on else first
        for row in rows.to_dicts():
            said += ["what a shoe", ""] * (number % 9 == 0)
            said.append(chat_line(row, number, **how))
            number += 1
    path = folder / "chat.txt"
    path.write_text("\n".join(said) + "\n", encoding="utf-8")
    return path


def layout(begun: str, line: str = LINE, table: str = "constant") -> Layout:
    return Layout.model_validate({"file": {"line": line, "shoe_line": begun}, "coups": {"table": table}})


def cards(log: Log) -> dict[Key, list[int]]:
    keys = log.coups.select(pl.col("table", "shoe").cast(pl.String), "coup").rows()
    return dict(zip(keys, log.coups.select(PLACES).to_numpy().tolist(), strict=True))


def read(path: Path, layout: Layout) -> dict[Key, list[int]]:
    return cards(read_log(path, None, layout))


def watched(path: Path, layout: Layout, pieces: int) -> dict[Key, list[int]]:
    with closing(open_input(str(path), COUPS)) as source:
        lines = source.read()
    watch, answered = Watch(WatchSettings(EZ, 8, level=0), layout), dict[Key, list[int]]()
    for at in range(0, len(lines), pieces):
        for answer in watch.take(lines[at : at + pieces]):
            record = answer.record
            event = recorded_event(record)
            if isinstance(event, DealtCoup):
                assert record["did"] == "coup"
                assert "missing" not in record
                hands = [[*hand, *[NO_CARD] * (3 - len(hand))] for hand in (event.player, event.banker)]
                answered[record["table"], str(record["shoe"]), record["coup"]] = hands[0] + hands[1]
    return answered


@pytest.mark.usefixtures("unpriced")
@pytest.mark.parametrize(("begun", "first", "pieces"), crossed(BEGUN, [1, 61, 12480], [7, 1, 10**6]))
def test_coups_after_a_line_that_begins_a_shoe_are_of_it_though_their_numbers_go_on(
    tmp_path: Path, coups: pl.DataFrame, own: dict[Key, list[int]], begun: str, first: int, pieces: int
) -> None:
    path = chat(tmp_path, coups, begun, first)
    assert {shoe for _, shoe, _ in own} == {"1", "2", "3"}
    assert watched(path, layout(BEGUN[begun]), pieces) == own
    log = read_log(path, None, layout(BEGUN[begun]))
    assert cards(log) == own
    assert set(log.remarks["value"]) == {"Welcome!", "what a shoe"}
    assert log.coups["winner"].to_list() == [None if won == "tie" else won for won in coups["winner"]]


@pytest.mark.long
@pytest.mark.usefixtures("unpriced")
@pytest.mark.parametrize(("begun", "marked"), crossed(BEGUN, product(["✅", "🏆", "*", "✔️"], [True, False])), ids=str)
def test_a_draft_finds_the_line_that_begins_a_shoe_and_the_winner_by_its_mark(
    tmp_path: Path, coups: pl.DataFrame, own: dict[Key, list[int]], begun: str, marked: tuple[str, bool]
) -> None:
    mark, is_before = marked
    path = chat(tmp_path, coups, begun, 61, mark=mark, is_before=is_before)
    text = draft(path)
    (tmp_path / "draft.toml").write_text(text, encoding="utf-8")
    drafted = load_layout(tmp_path / "draft.toml")
    log = read_log(path, None, drafted)
    assert cards(log) == watched(path, drafted, 3) == own
    assert log.coups["winner"].to_list() == [None if won == "tie" else won for won in coups["winner"]]
    others = re.findall("^#   ([0-9,]+) as: (.*)$", text, re.MULTILINE)
    number = path.read_text(encoding="utf-8").splitlines().count("what a shoe")
    assert others == [(str(number), "what a shoe"), ("1", "Welcome!")]


def test_numbers_that_begin_anew_with_each_shoe_show_what_is_missing(
    tmp_path: Path, coups: pl.DataFrame, own: dict[Key, list[int]]
) -> None:
    path = chat(tmp_path, coups, "New shoe", goes_on=False)
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join(line for line in lines if "#N5 " not in line), encoding="utf-8")
    text = draft(path)
    assert 'order = "number"' in text
    (tmp_path / "draft.toml").write_text(text, encoding="utf-8")
    kept = {key: cards for key, cards in own.items() if key[2] != 5}
    assert read(path, load_layout(tmp_path / "draft.toml")) == kept


def test_a_shoe_begins_at_the_table_that_its_line_names(tmp_path: Path, coups: pl.DataFrame) -> None:
    """The lines of two tables alternate, and each table has its own shoes. If a line that begins a shoe names no table,
    it begins one at both tables."""
    said = []
    rows = coups.filter(pl.col("coup") <= 6).to_dicts()
    for row in rows:
        said += [f"T{table}: new shoe" for table in (7, 8) if row["coup"] == 1 + 3 * (table == 8)]
        said += [f"T{table} {chat_line(row, row['coup'])}" for table in (7, 8)]
    path = tmp_path / "chat.txt"
    path.write_text("\n".join(said) + "\n", encoding="utf-8")
    line = r"T(?P<table>[0-9]+) " + LINE
    by_table = Layout.model_validate(
        {"file": {"line": line, "shoe_line": "T(?P<table>[0-9]+): new shoe"}, "numbers": {"order": "file"}}
    )
    numbers = {key[:2]: 0 for key in read(path, by_table)}
    for table, shoe, _ in read(path, by_table):
        numbers[table, shoe] += 1
    assert numbers == {("7", "1"): 6, ("7", "2"): 6, ("7", "3"): 6, ("8", "0"): 3, ("8", "1"): 6, ("8", "2"): 6,
                       ("8", "3"): 3}  # fmt: skip
    assert watched(path, by_table, 5) == read(path, by_table)
    of_all = Layout.model_validate({"file": {"line": line, "shoe_line": "new shoe"}, "numbers": {"order": "file"}})
    assert {shoe for _, shoe, _ in read(path, of_all)} == set("123456")
    assert watched(path, of_all, 5) == read(path, of_all)


def test_a_winner_against_the_cards_is_found_by_its_mark(tmp_path: Path, coups: pl.DataFrame) -> None:
    rows = coups.to_dicts()
    wrong = next(row for row in rows if row["winner"] == "player")
    at = rows.index(wrong)
    rows[at] = wrong | {"winner": "banker"}
    path = chat(tmp_path, pl.DataFrame(rows), "New shoe #{}")
    errors = audit(read_log(path, None, layout(BEGUN["New shoe #{}"])), EZ, 8).errors
    named = errors.filter(pl.col("rule") == "winner").select(pl.col("shoe").cast(pl.String), "coup").rows()
    assert named == [(str(wrong["shoe"]), wrong["coup"])]


def test_both_hands_with_a_mark_are_a_tie_and_a_tie_may_have_its_own() -> None:
    from counting.logs.patterns import Pattern

    pattern = Pattern(r"(?P<player_won>\*)?(?P<player>[0-9]) (?P<banker_won>\*)?[0-9](?P<tie_won>=)?")
    assert pattern.names == ("player", "winner")
    won = {text: (pattern.groups(text) or {}).get("winner") for text in ("*9 8", "8 *9", "*9 *9", "9 9=", "9 8", "x")}
    assert won == {"*9 8": "player", "8 *9": "banker", "*9 *9": "tie", "9 9=": "tie", "9 8": "", "x": None}


WRONG = [
    ({"shoe_line": "new"}, "should have line, the pattern of the coups, beside shoe_line"),
    ({"line": "(?P<shoe>a)", "shoe_line": "new"}, "should have a group shoe in line, or a shoe_line, and not both"),
    ({"line": "(?P<coup>a)", "shoe_line": "(?P<x>a)"}, "groups x: should be shoe, and the group of line"),
    ({"line": "(?P<coup>a)", "shoe_line": "(new"}, "should be a regular expression"),
    ({"line": "(?P<coup>a)", "shoe_line": "((a{0,9}){0,9}){0,9}"}, "should repeat groups at most 20 times"),
]


@pytest.mark.parametrize(("form", "said"), WRONG)
def test_what_is_no_line_of_a_shoe_is_refused_in_a_line(tmp_path: Path, form: dict[str, str], said: str) -> None:
    path = tmp_path / "layout.toml"
    path.write_text("[file]\n" + "".join(f"{key} = '{value}'\n" for key, value in form.items()))
    with pytest.raises(InputError) as refused:
        load_layout(path)
    assert said in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1


@pytest.mark.usefixtures("unpriced")
def test_a_chat_that_begins_as_json_and_with_talk_is_read_line_by_line(
    tmp_path: Path, coups: pl.DataFrame, own: dict[Key, list[int]]
) -> None:
    """The chat's first 30 lines are talk. Every line begins with a time in brackets, which looks like JSON."""
    path = chat(tmp_path, coups, "New shoe #{}", 4000)
    said = path.read_text(encoding="utf-8").splitlines()
    path.write_text("".join(f"[21:00] {line}\n" for line in [*["hello"] * 30, *said]), encoding="utf-8")
    assert watched(path, layout("New shoe #(?P<shoe>[0-9]+)"), 1) == own


@pytest.mark.usefixtures("unpriced")
def test_a_watch_of_lines_goes_on_where_it_was_kept(tmp_path: Path, coups: pl.DataFrame) -> None:
    """A watch is rebuilt at many lines, once from its records and once from its saved state. Both then answer as if
    they had never stopped."""
    path = chat(tmp_path, coups, "Shuffling", 61)
    with closing(open_input(str(path), COUPS)) as source:
        lines = source.read()
    by = layout("Shuffling")
    whole = Watch(WatchSettings(EZ, 8), by)
    answers = [answer.record for answer in whole.take(lines)]
    first, before, step = Watch(WatchSettings(EZ, 8), by), [], long_or(5, 13)
    for at in range(0, len(lines), step):
        before += [answer.record for answer in first.take(lines[max(at - step, 0) : at])]
        second, third = (Watch(WatchSettings(EZ, 8), by) for _ in range(2))
        for number, record in enumerate(before):
            second.replay({"n": number, **record})
        second.settle()
        third.restore(first.kept(), len(before))
        for table in first.tables:
            third.restore_table(table.kept(), len(before))
        third.settle()
        waits: list[InputLine] = [] if any(record["did"] == "reads" for record in before) else lines[:at]
        for watch in (second, third):
            after = [answer.record for answer in watch.take([*waits, *lines[at:]])]
            assert before + after == answers
