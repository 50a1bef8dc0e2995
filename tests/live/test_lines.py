"""A line on its own is read as the audit reads it within its file."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from extent import long_or
from twins import other_logs

from counting import InputError, load_game
from counting.live import CARDS, COUPS, InputLine, Watch, WatchSettings, open_input
from counting.live.events import DealtCoup, StakedBet
from counting.live.lines import events_of
from counting.live.records import Record, recorded_event
from counting.logs import PLACES, UNREAD, Layout, load_layout, read_log
from counting.logs.first_lines import bet_reading, coup_reading
from counting.logs.layouts import CardRows, FrameForm
from counting.logs.reading import Wrong

EZ = load_game("ez-baccarat")
HANDS = [("9h Kd", "5c 2s"), ("2h 3d 4s", "9c Kc"), ("4h Ad 3s", "10c Js 2d"), ("8h 8d", "6c 2h 9s")] * 10


def events(lines: list[str], name: str = "coups") -> list[object]:
    raw = [line.encode() for line in lines]
    reading = coup_reading(raw, name, None, EZ.tableau)
    assert reading is not None
    return [event for line in raw for event in events_of(reading, line, EZ.tableau)]


def same_cards(tmp_path: Path, lines: list[str]) -> None:
    (tmp_path / "coups.csv").write_text("\n".join(lines) + "\n")
    log = read_log(tmp_path / "coups.csv")
    coups = [event for event in events(lines) if isinstance(event, DealtCoup)]
    assert len(coups) == log.coups.height > 0
    cards = [[*coup.player, *[-1] * (3 - len(coup.player)), *coup.banker, *[-1] * (3 - len(coup.banker))]
             for coup in coups]  # fmt: skip
    assert np.array_equal(cards, log.coups.select(PLACES).to_numpy())


def test_a_third_card_without_a_second_is_no_hand_of_two(tmp_path: Path) -> None:
    rows = [
        ",".join(["1,a", str(at), *(card for hand in pair for card in [*hand.split(), "", ""][:3])])
        for at, pair in enumerate(HANDS, 1)
    ]
    rows[5] = "1,a,6,2h,,4s,9c,Kc,"
    same_cards(tmp_path, ["table_id,shoe,hand_num,p1,p2,p3,b1,b2,b3", *rows])


def test_a_list_with_empty_places_and_any_mark(tmp_path: Path) -> None:
    for mark in ";|/":
        rows = []
        for at, pair in enumerate(HANDS, 1):
            player, banker = ([*hand.split(), ""][:3] for hand in pair)
            listed = mark.join(card for both in zip(player, banker, strict=True) for card in both)
            rows.append(f"1\ta\t{at}\t{listed}")
        same_cards(tmp_path, ["table\tshoe\tround\tpk", *rows])


def test_a_point_that_may_part_thousands_is_no_amount() -> None:
    coups = ["table,shoe,coup,player,banker", *(f"1,a,{at},{p},{b}" for at, (p, b) in enumerate(HANDS, 1))]
    reading = coup_reading([line.encode() for line in coups], "coups", None, EZ.tableau)
    assert reading is not None
    lines = [
        line.encode() for line in ["table,shoe,coup,patron,bet,amount", "1,a,1,A,player,25", "1,a,2,A,player,1.000"]
    ]
    bets = bet_reading(lines, "bets", reading)
    assert bets is not None
    first, second = (event for line in lines[1:] for event in events_of(bets, line, EZ.tableau))
    assert isinstance(first, StakedBet)
    assert isinstance(second, Wrong)
    record = {"table": "1", "shoe": "a", "coup": 1, "patron": "A", "bet": "player", "amount": "1.000"}
    coup = {"table": "1", "shoe": "a", "coup": 1, "player": "9h Kd", "banker": "5c 2s"}
    counts = events([json.dumps(coup), json.dumps(record)])
    assert isinstance(counts[1], Wrong)


# Samples

SAMPLES = Path(__file__).parent.parent / "data" / "logs"
FILES = [file for file in sorted(SAMPLES.rglob("*.*")) if file.suffix in (".csv", ".jsonl", ".hex", ".json")
         or file.suffix in (".gz", ".db", ".parquet", ".xlsx")]  # fmt: skip
NOT_FOLLOWED = {".gz", ".db", ".parquet", ".xlsx"}
ONE_VALUE = ["array.json"]


def layout_of(file: Path) -> Layout | None:
    if file.suffix == ".hex":
        return load_layout("electronic-shoe")
    own = next(file.parent.glob("*.toml"), None) if file.parent != SAMPLES else None
    return None if own is None else load_layout(own)


def lines_of(file: Path, of: int = COUPS, layout: Layout | None = None) -> list[InputLine]:
    """The lines of a file that is followed. The end of the file also ends the last line."""
    form = None if layout is None else layout.file
    source = open_input(str(file), of, False, form and form.encoding)
    lines = [*source.read(), *source.read()]
    source.close()
    return lines


class Recorded(Watch):
    """A watch, with the records that it answered."""

    records: list[Record]


def watched(layout: Layout | None, lines: Sequence[InputLine], pieces: int = 7) -> Recorded:
    watch = Recorded(WatchSettings(EZ, 8, level=0), layout)
    watch.records = [said.record for at in range(0, len(lines), pieces) for said in watch.take(lines[at : at + pieces])]
    return watch


def cards_answered(watch: Recorded) -> dict[tuple[str, str, int], list[int]]:
    """The cards of each coup at `PLACES`, by the watch's last answer."""
    answered = {}
    for record in watch.records:
        if record["did"] in ("coup", "late", "replaced"):
            event = recorded_event(record)
            assert isinstance(event, DealtCoup)
            hands = [[*hand, *[-1] * (3 - len(hand))] for hand in (event.player, event.banker)]
            answered[record["table"], str(record["shoe"]), record["coup"]] = hands[0] + hands[1]
    return answered


def cards_read(file: Path, layout: Layout | None) -> dict[tuple[str, str, int], list[int]]:
    """The cards of each coup at `PLACES`, as the audit reads them."""
    coups = read_log(file, None, layout).coups
    keys = coups.select(pl.col("table", "shoe").cast(pl.String), "coup").rows()
    return dict(zip(keys, coups.select(PLACES).to_numpy().tolist(), strict=True))


@pytest.mark.usefixtures("unpriced")
@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(SAMPLES)))
def test_every_sample_is_read_as_the_audit_reads_it_or_refused(file: Path, tmp_path: Path) -> None:
    layout = layout_of(file)
    if file.suffix in NOT_FOLLOWED or file.name in ONE_VALUE:
        with pytest.raises(InputError, match=r"followed|which has no lines to follow|one JSON value"):
            lines_of(file, COUPS, layout)
        return
    if not file.read_bytes().rstrip(b"\0").endswith(b"\n"):
        file = Path(tmp_path / file.name)
        file.write_bytes((SAMPLES / next(each for each in FILES if each.name == file.name)).read_bytes() + b"\n")
    watch = watched(layout, lines_of(file, COUPS, layout), 1000)
    assert watch.numbers["bad"] == 0
    answered, read = cards_answered(watch), cards_read(file, layout)
    assert answered == read
    assert list(answered) == list(read)
    assert len(answered) == (20 if file.suffix == ".hex" else 40)


# Coups that come in several rows


def coups_of(sample: str = "own") -> pl.DataFrame:
    return pl.read_csv(SAMPLES / "same" / "own" / f"{sample}.csv")


def when(watch: Recorded, did: str = "coup") -> list[int]:
    """The numbers of the lines at which the coups were answered."""
    return [record["line"] for record in watch.records if record["did"] == did]


def frame_text(coups: pl.DataFrame, folder: Path) -> str:
    return other_logs.frames(folder, coups)[0].read_text() + "\n"


def test_frames_of_one_line_and_of_a_line_each_are_the_same_coups(tmp_path: Path) -> None:
    layout = load_layout("electronic-shoe")
    text = frame_text(coups_of()[:20], tmp_path)
    singly = watched(layout, as_lines(text.splitlines(keepends=True)))
    frames = text.splitlines()
    rng = np.random.default_rng(1)
    cuts = np.sort(rng.integers(0, len(frames), 30))
    together = [" ".join(part) + "\n" for part in map(list, np.split(np.array(frames), cuts)) if part]
    at_once = watched(layout, as_lines([line.replace(" ", ",0x") if i % 3 else line for i, line in
                                        enumerate(together)]))  # fmt: skip
    assert cards_answered(singly) == cards_answered(at_once)
    assert len(at_once.records) == len(singly.records) == len(frames) + 1
    ends = [at for at, line in enumerate(frames, 1) if line.split()[2] == "47" and line != frames[at - 2]]
    assert when(singly) == ends  # at the frame of the result, before the next coup's first frame


def test_a_frame_that_is_none_is_said_and_its_coup_goes_on(tmp_path: Path) -> None:
    frames = frame_text(coups_of()[:3], tmp_path).splitlines(keepends=True)
    layout = load_layout("electronic-shoe").model_copy(update={"frames": FrameForm(errors={"02": "x"})})
    noise = ["zz\n", f"{other_logs.frame(1, 'E', 2).hex(' ')}\n", "05 00\n", "\n"]
    watch = watched(layout, as_lines([*frames[:2], *noise, *frames[2:]]))
    assert cards_answered(watch) == cards_answered(watched(layout, as_lines(frames)))
    assert [record["reason"] for record in watch.records if record["did"] == "bad"] == [
        "not bytes in hex", "not a frame, should be as 05 36 49 81 b2 03 34 46",
    ]  # fmt: skip
    assert [record["event"] for record in watch.records if record["did"] == "out"] == ["x"]


def test_a_file_of_frames_that_begins_anew_has_the_next_shoe(tmp_path: Path) -> None:
    frames = as_lines(frame_text(coups_of()[:3], tmp_path).splitlines(keepends=True))
    watch = watched(load_layout("electronic-shoe"), [*frames, InputLine(COUPS, None, 0, 0), *frames])
    assert {key[1] for key in cards_answered(watch)} == {"1", "1 (2)"}
    assert watch.numbers["coup"] == 6


def as_lines(texts: Sequence[str], of: int = COUPS) -> list[InputLine]:
    raw = [text.encode() for text in texts]
    ends = np.cumsum([len(line) for line in raw]).tolist()
    return [InputLine(of, line, end, at) for at, (line, end) in enumerate(zip(raw, ends, strict=True), 1)]


ROWS = Layout(card_rows=CardRows(file="cards.csv", id="id", of="of", hand="hand", place="place", rank="rank",
                                 suit="suit"))  # fmt: skip


def parent_and_cards(coups: pl.DataFrame) -> tuple[list[str], list[list[str]]]:
    """The rows of the coups, and for each coup the rows of its cards in the order dealt."""
    parents = ["id,table,shoe,coup,winner\n"]
    of_cards = [["of,hand,place,rank,suit\n"]]
    for at, row in enumerate(coups.to_dicts(), 100):
        parents.append(f"{at},{row['table']},{row['shoe']},{row['coup']},{row.get('winner') or ''}\n")
        hands = {hand: row[hand].split() for hand in ("player", "banker")}
        order = [(hand, place) for place in range(3) for hand in hands if place < len(hands[hand])]
        of_cards.append([f"{at},{hand.title()},{place + 1},{hands[hand][place][:-1]},{hands[hand][place][-1]}\n"
                         for hand, place in order])  # fmt: skip
    return parents, of_cards


def of_two(parents: list[str], cards: list[list[str]], after: bool) -> list[InputLine]:
    """Lines of both files as they come: a coup's own row after its cards or before."""
    rows, parts = as_lines(parents), [len(each) for each in cards]
    all_cards = as_lines([text for each in cards for text in each], CARDS)
    grouped = [all_cards[end - size : end] for size, end in zip(parts, np.cumsum(parts).tolist(), strict=True)]
    pairs = zip(rows, grouped, strict=True)
    return [line for row, some in pairs for line in ([*some, row] if after else [row, *some])]


@pytest.mark.long
@pytest.mark.usefixtures("unpriced")
@pytest.mark.parametrize("after", [True, False], ids=["row after its cards", "row before its cards"])
@pytest.mark.parametrize("winner", [True, False], ids=["with winners", "without"])
def test_a_row_a_card_is_a_coup_before_the_next_begins(after: bool, winner: bool, tmp_path: Path) -> None:
    coups = coups_of() if winner else coups_of().drop("winner")
    parents, cards = parent_and_cards(coups)
    (tmp_path / "coups.csv").write_text("".join(parents))
    (tmp_path / "cards.csv").write_text("".join(text for each in cards for text in each))
    lines = of_two(parents, cards, after)
    watch = watched(ROWS, lines, 1)
    assert watch.numbers["bad"] == 0
    assert cards_answered(watch) == cards_read(tmp_path / "coups.csv", ROWS)
    records = [record for record in watch.records if record["did"] in ("coup", "replaced")]
    last = [(line.input, line.number) for line, after_it in zip(lines, [*lines[1:], lines[0]], strict=True)
            if after_it.input != line.input and after_it.input == (CARDS if after else COUPS)][1:]  # fmt: skip
    assert {(record["input"], record["line"]) for record in records} >= set(last)
    assert watch.numbers["coup"] == 40
    together = watched(ROWS, sorted(lines, key=lambda line: line.input), 10_000)  # one whole file, then the other
    assert cards_answered(together) == cards_answered(watch)


def test_a_coup_with_a_card_that_was_not_read_is_told_with_its_winner_or_the_next_coups_cards() -> None:
    for winner in (True, False):
        coups = coups_of()[:4] if winner else coups_of()[:4].drop("winner")
        parents, cards = parent_and_cards(coups)
        cards[2] = [text.replace("5,c", ",").replace("4,h", ",") for text in cards[2]]
        lines = of_two(parents, cards, True)
        watch = watched(ROWS, lines, 1)
        assert UNREAD in cards_answered(watch)["table 1", "0", 2]
        at = next(i for i, record in enumerate(watch.records) if record["did"] == "coup" and record["coup"] == 2)
        record = watch.records[at]  # answered at its own row, or before the next row
        assert (record["input"], record["line"], record["bytes"] > 0) == (COUPS, 3, winner)
        assert [record["coup"] for record in watch.records if record["did"] == "coup"] == [1, 2, 3, 4]


@pytest.mark.usefixtures("unpriced")
def test_a_watch_of_card_rows_goes_on_from_its_records_and_from_its_state() -> None:
    parents, cards = parent_and_cards(coups_of().drop("winner"))
    cards[7] = [text.replace(",1,", ",1,x") for text in cards[7]]  # two cards that cannot be read
    lines = of_two(parents, cards, True)
    whole = watched(ROWS, lines, 1).records
    for stop in (9, *range(30, 44, long_or(1, 3)), 90):
        first = watched(ROWS, lines[:stop], 1)
        second, third = Watch(WatchSettings(EZ, 8), ROWS), Watch(WatchSettings(EZ, 8), ROWS)
        for record in json.loads(json.dumps(first.records)):
            second.replay(record)
        third.restore(json.loads(json.dumps(second.kept())))
        for table in second.tables:
            third.restore_table(json.loads(json.dumps(table.kept())))
        for again in (second, third):
            again.settle()
            rest = [said.record for line in lines[stop:] for said in again.take([line])]
            assert first.records + rest == whole, stop


def test_a_card_that_comes_late_replaces_its_coup() -> None:
    parents, cards = parent_and_cards(coups_of()[:6])
    late = next(at for at, each in enumerate(cards) if len(each) == 6)
    card = cards[late].pop()
    lines = of_two(parents, [*cards[:-1], [*cards[-1], card]], True)
    watch = watched(ROWS, lines, 1)
    right = watched(ROWS, of_two(*parent_and_cards(coups_of()[:6]), True), 1)
    assert cards_answered(watch) == cards_answered(right)
    assert watch.numbers["replaced"] == 1


def test_a_late_row_of_a_coup_tells_none_that_is_still_being_dealt() -> None:
    parents, cards = parent_and_cards(coups_of()[:6].drop("winner"))
    at = next(at for at, each in enumerate(cards) if len(each) > 4 and at > 1)
    lines = of_two(parents, cards, False)
    fifth = next(i for i, line in enumerate(lines) if line.raw == cards[at][4].encode())
    again = next(line for line in lines if line.raw == cards[at - 1][3].encode())  # a card of the coup before
    watch = watched(ROWS, [*lines[:fifth], again, *lines[fifth:]], 1)
    assert watch.numbers["coup"] == 6
    assert watch.numbers["replaced"] == 0
    assert cards_answered(watch) == cards_answered(watched(ROWS, lines, 1))


def test_states_of_a_table_are_one_coup_when_the_drawing_rules_deal_no_more() -> None:
    states = other_logs.states(coups_of().with_columns(winner=pl.lit("")))
    for state in list(states):  # the winner is there from the first message, so it shows nothing
        state["args"]["currentGame"]["result"]["winner"] = None  # type: ignore[index]
    watch = watched(None, as_lines([json.dumps(state) + "\n" for state in states]), 1)
    assert watch.numbers["coup"] == 40
    assert watch.numbers["replaced"] == watch.numbers["bad"] == 0
    assert when(watch) == list(range(2, 81, 2))


# Decks


def test_a_shoe_has_the_decks_that_its_log_says(tmp_path: Path) -> None:
    coups = coups_of().with_columns(decks=pl.when(pl.col("shoe") == 1).then(6))
    texts = coups.write_csv().splitlines(keepends=True)
    watch = watched(None, as_lines(texts))
    left = {(record["shoe"], record["coup"]): record["left"] for record in watch.records if "left" in record}
    dealt = [len(row["player"].split()) + len(row["banker"].split()) for row in coups.to_dicts()]
    assert left["0", 1] == 8 * 52 - dealt[0]
    assert left["1", 1] == 6 * 52 - dealt[20]
    eight, six = (Watch(WatchSettings(EZ, decks)) for decks in (8, 6))
    for other in (eight, six):
        other.take(as_lines(coups.drop("decks").write_csv().splitlines(keepends=True)))
    state = watch.tables.of("table 1").shoe.state
    assert state == six.tables.of("table 1").shoe.state != eight.tables.of("table 1").shoe.state
    again = Watch(WatchSettings(EZ, 8))
    for record in json.loads(json.dumps(watch.records)):
        again.replay(record)
    again.settle()
    assert again.tables.of("table 1").shoe.state == state


# Bets in their coup


def test_a_watch_goes_on_within_a_line_of_several_bets() -> None:
    """A journal may end between the bets of a coup's record. After a restart, each bet is still counted once."""
    coups = coups_of()[:6].to_dicts()
    for at, coup in enumerate(coups):
        coup["bets"] = [{"patron": f"p{n}", "bet": "tie", "amount": 5 + at} for n in range(at)]
    lines = as_lines([json.dumps(coup) + "\n" for coup in coups])
    whole = watched(None, lines, 1).records
    assert [record.get("within") for record in whole if record["did"] == "bet"] == [1, 1, 2, 1, 2, 3, 1, 2, 3, 4,
                                                                                   1, 2, 3, 4, 5]  # fmt: skip
    for stop in range(1, len(whole)):
        again = Watch(WatchSettings(EZ, 8))
        for record in json.loads(json.dumps(whole[:stop])):
            again.replay(record)
        again.settle()
        done = whole[stop - 1]["line"]
        rest = [said.record for line in lines[done:] for said in again.take([line])]
        assert whole[:stop] + rest == whole, stop
