"""A line by itself is read as the audit reads it in its file."""

import json
from pathlib import Path

import numpy as np

from counting import load_game
from counting.logs import PLACES, read_log
from counting.watch.lines import Bad, Bet, Coup
from counting.watch.readings import bet_reading_of, reading_of

EZ = load_game("ez-baccarat")
HANDS = [("9h Kd", "5c 2s"), ("2h 3d 4s", "9c Kc"), ("4h Ad 3s", "10c Js 2d"), ("8h 8d", "6c 2h 9s")] * 10


def events(lines: list[str], name: str = "coups") -> list[object]:
    raw = [line.encode() for line in lines]
    reading = reading_of(raw, name, None, EZ.tableau)
    assert reading is not None
    return [event for line in raw if (event := reading.event(line, EZ.tableau)) is not None]


def same_cards(tmp_path: Path, lines: list[str]) -> None:
    (tmp_path / "coups.csv").write_text("\n".join(lines) + "\n")
    log = read_log(tmp_path / "coups.csv")
    coups = [event for event in events(lines) if isinstance(event, Coup)]
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
    reading = reading_of([line.encode() for line in coups], "coups", None, EZ.tableau)
    assert reading is not None
    lines = [
        line.encode() for line in ["table,shoe,coup,patron,bet,amount", "1,a,1,A,player,25", "1,a,2,A,player,1.000"]
    ]
    bets = bet_reading_of(lines, "bets", reading)
    assert bets is not None
    first, second = (bets.event(line, EZ.tableau) for line in lines[1:])
    assert isinstance(first, Bet)
    assert isinstance(second, Bad)
    record = {"table": "1", "shoe": "a", "coup": 1, "patron": "A", "bet": "player", "amount": "1.000"}
    coup = {"table": "1", "shoe": "a", "coup": 1, "player": "9h Kd", "banker": "5c 2s"}
    found = events([json.dumps(coup), json.dumps(record)])
    assert isinstance(found[1], Bad)
