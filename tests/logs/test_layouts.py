"""Other people's layouts: the same coups give the same log and the same report, whatever they are written in."""

import json
import re
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from extent import long_or
from twins import other_logs
from twins.other_logs import BY_RANK, BY_VALUE, LISTS, SAME

from counting import Dealing, InputError, load_game
from counting.games import STOOD
from counting.logs import NO_CARD, PLACES, TEN_OR_FACE, Layout, Log, card_name, load_layout, read_log, shipped_layouts
from counting.logs.deal_order import hands_of, is_dealt_out
from counting.logs.frames import frames_in
from counting.reports.audit import report
from counting.reports.pages import render
from counting.review import audit
from counting.review.synthetic import Flat, deal, log_frames

EZ = load_game("ez-baccarat")


@pytest.fixture(scope="module")
def frames() -> tuple[pl.DataFrame, pl.DataFrame]:
    return log_frames(deal(EZ, Dealing(), 7, 0, 3), {"Ann": Flat("dragon-7", 25, 0.4)}, EZ, 1)


@pytest.fixture(scope="module")
def coups(frames: tuple[pl.DataFrame, pl.DataFrame]) -> pl.DataFrame:
    return frames[0].select("table", "shoe", "coup", "player", "banker", "winner")


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory, coups: pl.DataFrame) -> Log:
    return read_log(SAME["own"](tmp_path_factory.mktemp("own"), coups)[0])


def read(folder: Path, coups: pl.DataFrame, writer: other_logs.Writer) -> Log:
    path, layout = writer(folder, coups)
    return read_log(path, None, None if layout is None else load_layout(layout))


@pytest.mark.usefixtures("undamaged")
@pytest.mark.parametrize("name", SAME)
def test_the_same_coups_are_the_same_log(tmp_path: Path, coups: pl.DataFrame, own: Log, name: str) -> None:
    read_back = read(tmp_path, coups, SAME[name])
    aside = ["line", "player_total", "banker_total"]
    assert read_back.coups.drop(aside).equals(own.coups.drop(aside)), read_back.remarks
    assert read_back.lacks == own.lacks == ()
    assert read_back.skipped["coups"] == 0


def in_part(log: Log, known: dict[int, int]) -> pl.DataFrame:
    """The coups of a log with each card's code replaced by the code for what is known of the card."""
    return log.coups.with_columns(pl.col(PLACES).replace(known))


RANK = {4 * rank + suit: 52 + rank for rank in range(13) for suit in range(4)}
VALUE = {code: TEN_OR_FACE if known >= 52 + 9 else known for code, known in RANK.items()}
ASIDE = ["line", "player_total", "banker_total", "player_pair", "banker_pair", "ruled"]


@pytest.mark.parametrize("name", BY_RANK)
def test_ranks_without_suits(tmp_path: Path, coups: pl.DataFrame, own: Log, name: str) -> None:
    read_back = read(tmp_path, coups, BY_RANK[name])
    aside = [*ASIDE, "winner"] if name == "codes without suits" else ASIDE
    assert read_back.coups.drop(aside).equals(in_part(own, RANK).drop(aside)), read_back.remarks
    assert read_back.lacks[0] == "Suits are not logged, so bets on suits cannot be priced."
    assert read_back.lacks[1:] == (
        ("Winners are not logged, so they are not compared with the cards.",) if len(aside) > len(ASIDE) else ()
    )


@pytest.mark.parametrize("name", BY_VALUE)
def test_values_alone(tmp_path: Path, coups: pl.DataFrame, own: Log, name: str) -> None:
    read_back = read(tmp_path, coups, BY_VALUE[name])
    expected = in_part(own, VALUE)
    if name == "archive":
        expected = expected.with_columns(table=pl.lit("1").cast(expected["table"].dtype))
        assert read_back.coups["player_pair"].equals(own_pairs(own))
    assert read_back.coups.drop(ASIDE).equals(expected.drop(ASIDE)), read_back.remarks
    assert read_back.lacks[-1] == "Tens and faces are logged alike, so bets on ranks or suits cannot be priced."


def own_pairs(log: Log) -> pl.Series:
    first, second = (pl.col(place) // 4 for place in PLACES[:2])
    return log.coups.select(player_pair=first == second).to_series()


@pytest.mark.parametrize("name", LISTS)
def test_cards_in_one_list(tmp_path: Path, coups: pl.DataFrame, own: Log, name: str) -> None:
    """If the totals fit both ways to split the list, the drawing rules decide, and the log says so."""
    read_back = read(tmp_path, coups, LISTS[name])
    assert read_back.coups.drop(ASIDE).equals(own.coups.drop(ASIDE)), read_back.remarks
    (lack,) = read_back.lacks
    assert re.fullmatch(r"In [23][0-9] of 86 coups with five cards in one list, the drawing rules decided .*", lack)


def test_which_hand_has_three_of_five_cards() -> None:
    """For every pair of first totals and every third card, the split follows the drawing rules as written."""
    tableau = EZ.tableau
    for order in ("dealt", "player-first"):
        for p, b, third in product(range(10), repeat=3):
            player, banker = [52 + 9, 51 + p if p else 52 + 9], [52 + 9, 51 + b if b else 52 + 9]
            card = 51 + third if third else 52 + 9
            draws = max(p, b) < 8 and tableau.player[p]
            answers = max(p, b) < 8 and tableau.banker[b][third if draws else STOOD]
            if draws == answers:
                continue
            hand = [*player, card] if draws else [*banker, card]
            hands = (hand, banker) if draws else (player, hand)
            listed = [*hands[0], *hands[1]]
            if order == "dealt":
                listed = [player[0], banker[0], player[1], banker[1], card]
            codes = np.array([[*listed, *[NO_CARD] * 3]], np.int8)
            split = hands_of(codes, order, np.full((1, 2), -1, np.int8), tableau)  # type: ignore[arg-type]
            if split.open[0]:
                continue  # the rules could also have dealt the other split
            parted = [[int(code) for code in cards[0] if code != NO_CARD] for cards in (split.player, split.banker)]
            assert parted == [list(hands[0]), list(hands[1])], (order, p, b, third)


def test_a_coup_is_dealt_out_when_the_rules_deal_no_card_more() -> None:
    """For every pair of first totals and each third card of Player's, the answer follows the drawing rules as
    written."""
    tableau, ten = EZ.tableau, 52 + 9
    codes = [ten, *range(52, 61)]  # one for each value
    for p, b in product(range(10), repeat=2):
        player, banker = [ten, codes[p]], [codes[b], ten]
        natural = max(p, b) >= 8
        draws = not natural and tableau.player[p]
        assert is_dealt_out(player, banker, tableau) == (natural or not (draws or tableau.banker[b][STOOD]))
        for third in range(10) if draws else ():
            three = [*player, codes[third]]
            assert is_dealt_out(three, banker, tableau) == (not tableau.banker[b][third]), (p, b, third)
            assert is_dealt_out(three, [*banker, ten], tableau)


def test_messages_of_a_studio(tmp_path: Path, coups: pl.DataFrame, own: Log) -> None:
    """There is a message after each card. Coups follow the clock, past midnight, and a new shoe shows in the number of
    cards dealt."""
    path = tmp_path / "states.jsonl"
    path.write_text("\n".join(map(json.dumps, other_logs.states(coups))))
    log = read_log(path)
    aside = [*ASIDE, "shoe", "time"]
    assert log.coups.drop(aside).equals(own.coups.drop(aside)), log.remarks
    assert log.coups["shoe"].to_list() == [str(at) for at in coups["shoe"].rank("dense").to_list()]


FRAME = "05 36 49 81 b2 03 34 46"  # Player's first card, a two, from a recording of a real shoe


def shoe(text: str, folder: Path) -> Log:
    (folder / "shoe.hex").write_text(text)
    return read_log(folder / "shoe.hex", None, load_layout("electronic-shoe"))


def test_frames_of_an_electronic_shoe(tmp_path: Path, coups: pl.DataFrame, own: Log) -> None:
    path, layout = other_logs.frames(tmp_path, coups.filter(pl.col("shoe") == coups["shoe"][0]))
    log = read_log(path, None, load_layout(layout or ""))
    shoe = own.coups.filter(pl.col("shoe") == str(coups["shoe"][0]))
    aside = [*ASIDE, "table", "shoe"]
    assert log.coups.drop(aside).equals(in_part(own, RANK).filter(pl.col("shoe") == shoe["shoe"][0]).drop(aside))
    assert log.remarks.is_empty()
    number = shoe.height
    assert dict(log.events["event"].value_counts().rows()) == {
        "start": number, "coup over": number, "place asked for": int((shoe.select(PLACES).to_numpy() >= 0).sum())
    }  # fmt: skip


def test_the_frame_of_the_recording_is_a_card(tmp_path: Path) -> None:
    """If any byte of the frame is changed, its check digits show it, or it is no longer a frame of a card."""
    assert other_logs.frame(6, "I", 0x81, 0xB2) == bytes.fromhex(FRAME)
    whole = [other_logs.frame(at, "I", place, 0x9A) for at, place in enumerate((0x91, 0x82, 0x92), 7)]
    rest = b"".join([*whole, other_logs.frame(1, "G", 0xC1)]).hex(" ")
    log = shoe(f"{FRAME} {rest}", tmp_path)
    assert [card_name(code) for code in log.coups.select(PLACES).row(0)[:2]] == ["2", "10"]
    assert log.coups["winner"].to_list() == ["banker"]
    for at in range(8):
        wrong = bytearray.fromhex(FRAME)
        wrong[at] ^= 0x11
        log = shoe(f"{wrong.hex(' ')}\n{rest}", tmp_path)
        assert log.coups["player_1"].to_list() != [52 + 1], at
        assert log.remarks["reason"].to_list()[0].startswith(("a frame with wrong", "not a frame", "a frame that does"))


@pytest.mark.parametrize("damaged", [("I", 0x81, 0xB2), ("G", 0xC1), ("D", 0x05)])
def test_a_damaged_frame_costs_no_other_frame(damaged: tuple[str, *tuple[int, ...]]) -> None:
    """One byte of a frame is changed, lost or added. The frames before and after it are still read. A watch, which
    reads the parts of a line one after the other, finds the same mistakes."""
    values = long_or(range(256), [*range(0, 256, 4), 0x03, 0x05, 0x99])  # 05 begins a frame, and 03 is near its end
    before, frame, after = (other_logs.frame(at, *part) for at, part in enumerate([("I", 0x91, 0x9A), damaged, ("P",)]))
    for at in range(len(frame)):
        for middle in (
            b"",
            *(bytes([byte]) for byte in values),
            *(bytes([byte, frame[at]]) for byte in values),
        ):
            text = (before + frame[:at] + middle + frame[at + 1 :] + after).hex(" ")
            parts = list(frames_in(text))
            assert {part for _, part, wrong in parts if wrong is None} >= {before, after}, text
            starts = [0, *(end for end, _, _ in parts)]
            alone = [list(frames_in(text[start:end])) for start, end in pairwise(starts)]
            assert [[part[1:] for part in each] for each in alone] == [[part[1:]] for part in parts], text


def test_what_is_wrong_with_frames_is_named(tmp_path: Path) -> None:
    hand = [other_logs.frame(at, "I", place, 0x94) for at, place in enumerate((0x81, 0x91, 0x82, 0x92))]
    lines = [frame.hex(" ") for frame in hand]
    again = [other_logs.frame(at, "I", place, 0x95) for at, place in enumerate((0x81, 0x91, 0x82, 0x92), 5)]
    log = shoe("\n".join([*lines, "05 zz", "05 31", "99", other_logs.frame(7, "I", 0x85, 0x94).hex(" "),
                          *(frame.hex(" ") for frame in again), other_logs.frame(6, "G", 0xA0).hex(" "),
                          lines[0]]), tmp_path)  # fmt: skip
    assert log.coups.height == 2  # the first coup has lost its result
    assert log.coups["winner"].to_list() == [None, "tie"]
    assert log.remarks.select("line", "reason").rows() == [
        (5, "not bytes in hex; line skipped"),
        (6, "not a frame, should be as 05 36 49 81 b2 03 34 46; line skipped"),
        (7, "not a frame, should be as 05 36 49 81 b2 03 34 46; line skipped"),
        (8, "a card at no place, should be 81 to 83 or 91 to 93; line skipped"),
        (14, "cards without a result; not read as a coup"),
    ]


def test_a_file_says_what_it_looks_like(tmp_path: Path, coups: pl.DataFrame) -> None:
    number = sum(len(text.split()) for name in ("player", "banker") for text in coups[name])
    for name, writer, said in (
        ("suit first", SAME["suit first"], f"looks like suit first, as h9: {number:,} of {number:,} cards"),
        ("dots", SAME["dots"], f"live-dealer-dots, suit first with a dot, as H.9: {number:,} of {number:,} cards"),
        ("values", BY_VALUE["values"], f"looks like cards by value, 0 or 10 for ten, jack, queen and king: {number:,}"),
        ("zero", SAME["coups from 0"], "coups numbered from 0"),
    ):
        folder = tmp_path / name
        folder.mkdir()
        assert said in " ".join(read(folder, coups, writer).looks)
    assert read(tmp_path, coups, SAME["own"]).looks == ()


def test_shipped_layouts_are_read_back() -> None:
    assert list(shipped_layouts()) == sorted(shipped_layouts())
    for name, layout in shipped_layouts().items():
        assert load_layout(name) == layout
        assert layout.source


WRONG = [
    ("[coups]\nplayer = 'p'\ncards = 'c'\n", "coups: should have player and banker, or cards, and not both"),
    (
        "[coups]\nplayer = ['a', 'b', 'c', 'd']\nbanker = 'b'\n",
        "coups, player: 4 columns, should be one column of",
    ),
    ("[coups]\ncards = 'c'\nplyer = 'p'\n", 'coups, plyer = "p": unknown key'),
    (
        "[coups]\ncards = 'c'\n[cards]\nwritten = 'letters'\n",
        "cards, written = \"letters\": should be 'cards', 'values'",
    ),
    ("[coups]\ncards = 'c'\n[cards]\ncodes = 'shdd'\n", "should be the four suits in order"),
    ("[coups]\ncards = 'c'\n[card_rows]\nid = 'i'\nof = 'o'\nhand = 'h'\nfile = 'f'\n", "should have card, or rank"),
]


@pytest.mark.parametrize(("text", "said"), WRONG)
def test_a_wrong_layout_is_refused_in_words(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "layout.toml"
    path.write_text(text)
    with pytest.raises(InputError) as refused:
        load_layout(path)
    assert said in str(refused.value)
    assert str(refused.value).startswith(str(path))


@pytest.mark.parametrize(
    "columns",
    [{"cards": "constant"}, {"player": ("constant",)}, {"banker": ("constant: 9h",) * 3}, {"player": "constant"}],
)
def test_cards_that_are_all_the_same_are_refused(
    tmp_path: Path, coups: pl.DataFrame, columns: dict[str, object]
) -> None:
    layout = Layout.model_validate({"coups": columns})
    with pytest.raises(
        InputError, match=f"^layout: coups, {next(iter(columns))}: constant, should be a column of cards$"
    ):
        read_log(SAME["own"](tmp_path, coups)[0], None, layout)


@pytest.mark.long
@pytest.mark.usefixtures("undamaged", "undrawn")
def test_the_same_report_whatever_the_layout(
    tmp_path: Path, frames: tuple[pl.DataFrame, pl.DataFrame], coups: pl.DataFrame
) -> None:
    bets = tmp_path / "bets.csv"
    frames[1].write_csv(bets)
    pages = []
    for name in ("own", *long_or(("unicode cards", "json, nested"), ()), "card rows"):
        folder = tmp_path / name
        folder.mkdir()
        path, layout = SAME[name](folder, coups)
        log = read_log(path, bets, None if layout is None else load_layout(layout))
        page = report(audit(log, EZ, 8), {"coups": "a digest", "bets": "another"})
        pages.append((page.sentences, page.data, render(page)))
    assert pages[1:] == pages[:1] * long_or(3, 1)


@pytest.mark.long
@pytest.mark.parametrize("bets_from", [0, 1])
@pytest.mark.parametrize("coups_from", [0, 1])
def test_bets_and_coups_may_be_numbered_apart(
    tmp_path: Path, frames: tuple[pl.DataFrame, pl.DataFrame], coups_from: int, bets_from: int
) -> None:
    """Each file numbers its coups from 0 or from 1: every bet finds its coup, and the payouts are right."""
    for name, frame, first in zip(("coups", "bets"), frames, (coups_from, bets_from), strict=True):
        frame.with_columns(pl.col("coup") - 1 + first).write_csv(tmp_path / f"{name}.csv")
    log = read_log(tmp_path / "coups.csv", tmp_path / "bets.csv")
    assert log.bets["coup"].to_list() == frames[1]["coup"].to_list()
    assert log.coups["coup"].to_list() == frames[0]["coup"].to_list()
    assert audit(log, EZ, 8).errors.is_empty()


def test_a_stray_zero_does_not_move_the_other_bets(tmp_path: Path, frames: tuple[pl.DataFrame, pl.DataFrame]) -> None:
    coups, bets = frames
    coups.write_csv(tmp_path / "coups.csv")
    stray = bets.with_columns(coup=pl.when(pl.int_range(pl.len()) == 5).then(0).otherwise("coup"))
    stray.write_csv(tmp_path / "bets.csv")
    log = read_log(tmp_path / "coups.csv", tmp_path / "bets.csv")
    assert log.bets["coup"].to_list() == [coup for at, coup in enumerate(bets["coup"]) if at != 5]
    assert log.remarked("zero") == 1
    assert audit(log, EZ, 8).unread  # not one unread line of bets is allowed
