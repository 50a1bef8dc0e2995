"""The fields of other people's lines: money, winners, numbers, times, names, and cards in every notation."""

from itertools import pairwise
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from counting.cards import CARDS, DECK, RANKS, SUITS
from counting.logs import TEN_OR_FACE, fields, read_log
from counting.logs.cards import CardWords, card_code, hand_codes, value_of

MONEY = {
    "25": 2500, "25.5": 2550, "12.50": 1250, "12.500": 1250, "$25": 2500, "$1,000.00": 100_000, "1,000": 100_000,
    "1'000.50": 100_050, "1 000": 100_000, "1\u202f000": 100_000, "12,345,678": 1_234_567_800,
    "25 €": 2500, "25EUR": 2500, "1,000,000,000": 100_000_000_000, "1000000000.00": 100_000_000_000,
    "EUR 25": 2500, "HK$ 5,000": 500_000, "732.4499999999999": 73_245, "0.30000000000000004": 30, "+5": 500,
    "1e3": 100_000, "1e+05": 10_000_000, "1E3 EUR": 100_000, "2e9": None, "1e30": None, "1e-2": None, "5e99": None,
    "1,00,000": 10_000_000, "₹12,34,567.50": 123_456_750, "1,00,00,000": 1_000_000_000, "Rs. 500": 50_000,
    "1_000.50": 100_050, "1.000,50": 100_050, "1.234.567,8": 123_456_780, "1.000.000": 100_000_000, "RM5": 500,
    "25.-": 2500, "25,-": 2500, "1.000,--": 100_000, "0,500": None, "1,0,000": None, "1,00,00": None, "1.00,000": None,
    "1.23E+05": None, "1.5e3": None, "1k": None, "1.5k": None, "2m": None, "5+": None, "5-": None,
    "12,50": None, "1,00": None, "1,0000": None, "12.505": None, "0": None, "-5": None, "(5)": None,
    "": None, "25 chips": None, "5 000 0": None, "1.2.3": None, "$": None, "12,345.6789": None, "1000000000.01": None,
}  # fmt: skip
WON = {"(25.00)": -2500, "-25": -2500, "\u221225": -2500, "$-25": -2500, "-$25.50": -2550, "($1,250)": -125_000,
       "25-": -2500, "25.50 -": -2550, "1.000,50-": -100_050, "$(5)": -500, "-25-": None, "(25-)": None,
       "0": 0, "0.00": 0, "": None, "--5": None, "(-5)": None, "-732.4499999999999": -73_245}  # fmt: skip
COMMA = {
    "12,50": 1250,
    "1.000,00": 100_000,
    "1.000": 100_000,
    "25": 2500,
    "1 000,5": 100_050,
    "1,000": None,
    "12.5": None,
    "1,000.50": 100_050,
    "1,00,000": 10_000_000,
    "1,000,000": 100_000_000,
    "25,-": 2500,
    "1e3": 100_000,
}
HINTS = {
    "1.5k": "12.50, with all of its digits, as 1500 for 1.5k or 1.5E+03; line",
    "1.23E+05": "12.50, with all of its digits, as 1500 for 1.5k or 1.5E+03; line",
    "1,0,000": '12.50, thousands in threes and a decimal point, or a layout with decimal = ","; line',
    "25 chips": "12.50, with a currency sign or code that is known, or none; line",
}


@pytest.mark.parametrize(("text", "hint"), HINTS.items())
def test_an_amount_that_is_not_read_says_what_to_write(text: str, hint: str) -> None:
    value, reason = fields.money(False, False)(text)
    assert value is None
    assert reason is not None
    assert hint in reason.text


@given(st.integers(1, 10**11), st.sampled_from(["", "₹", "INR "]))
def test_amounts_in_lakhs_and_crores(hundredths: int, sign: str) -> None:
    rupees, paise = divmod(hundredths, 100)
    last, rest = rupees % 1000, rupees // 1000
    groups = [f"{last:03}" if rest else f"{last}"]
    while rest:
        rest, group = divmod(rest, 100)
        groups.insert(0, f"{group:02}" if rest else f"{group}")
    text = f"{sign}{','.join(groups)}.{paise:02}"
    assert fields.money(False, False)(text) == (hundredths, None)


@pytest.mark.parametrize(("text", "hundredths"), MONEY.items())
def test_amounts(text: str, hundredths: int | None) -> None:
    value, reason = fields.money(False, False)(text)
    assert value == hundredths
    assert (reason is None) == (hundredths is not None)


@pytest.mark.parametrize(("text", "hundredths"), WON.items())
def test_results(text: str, hundredths: int | None) -> None:
    assert fields.money(True, False)(text)[0] == hundredths


@pytest.mark.parametrize(("text", "hundredths"), COMMA.items())
def test_amounts_with_a_decimal_comma(text: str, hundredths: int | None) -> None:
    assert fields.money(False, True)(text)[0] == hundredths


@given(st.integers(1, 10**11), st.sampled_from(["", ",", "'", " "]), st.sampled_from(["", "$", "€", "USD "]))
def test_amounts_as_people_write_them(hundredths: int, thousands: str, sign: str) -> None:
    text = f"{sign}{hundredths // 100:,}.{hundredths % 100:02}".replace(",", thousands)
    assert fields.money(False, False)(text) == (hundredths, None)


@given(st.integers(1, 10**9))
def test_floats_are_what_they_mean(hundredths: int) -> None:
    """An amount that additions of floats left slightly off is read as the amount or not at all."""
    amount = hundredths / 100
    noisy = sum([amount / 7] * 7)
    text = fields.money(False, False)(format(noisy, ".17g" if abs(noisy) >= 1e-4 else ".25f"))
    assert text[0] in (hundredths, None)


@pytest.mark.parametrize("whole", ["5", "732", "10482"])
def test_an_amount_has_a_floats_last_digits_from_the_fifteenth_on(whole: str) -> None:
    """With fifteen significant digits or more, the last ones come from a float and are rounded away. With fewer, the
    text means a part of a cent, which is not an amount."""
    for digits in range(len(whole) + 9, 18):
        zeros, nines = (f"{cents}{digit * (digits - len(whole) - 3)}" for cents, digit in (("45", "0"), ("44", "9")))
        hundredths = 100 * int(whole) + 45 if digits >= 15 else None
        for text in (f"{whole}.{zeros}1", f"{whole}.{nines}8"):
            assert fields.money(False, False)(text)[0] == hundredths, text


WINNERS = {
    "player": ["P", "p", "Player", "PLAYER", "punto", "Punto", "ponte", "闲", "閒", "플레이어",
               "プレイヤー", "Игрок", "Joueur",
               "Player wins!", "player_win", "PLAYER WON"],
    "banker": ["B", "b", "bank", "Bank", "Banker", "banco", "banque", "庄", "莊", "뱅커", "バンカー", "庄家", "庄赢",
               "Banker Wins", "Winner: banker"],
    "tie": ["T", "tie", "TIE", "draw", "和", "和局", "타이", "égalité", "empate", "push", "stand-off", "Unentschieden",
            "Tie hand"],
    None: ["void", "x", "1", "pb", "player banker", "The player"],
}  # fmt: skip


@pytest.mark.parametrize(("winner", "text"), [(who, word) for who, words in WINNERS.items() for word in words])
def test_winners(winner: str | None, text: str) -> None:
    read, reason = fields.winner({})(text)
    assert read == winner
    assert (reason is None) == (winner is not None)


def test_a_log_s_own_words() -> None:
    parse = fields.winner({"1": "player", "Haus": "banker", "p": "banker"})
    assert [parse(text)[0] for text in ("1", "haus", "p", "tie", "2")] == ["player", None, "banker", "tie", None]


def test_names_and_numbers() -> None:
    assert fields.name("0.0") == ("0", None)
    assert fields.name("3.50") == ("3.50", None)
    assert [fields.coup_number(0)(text)[0] for text in ("0", "0.0", "998", "999", "-1")] == [1, 1, 999, None, None]
    assert fields.running_number("20260301000123")[0] == 20260301000123
    assert fields.decks("8.0")[0] == 8
    assert fields.decks("28")[0] is None
    assert [fields.flag(text)[0] for text in ("true", "1", "No", "0.0", "", "maybe")] == [
        True,
        True,
        False,
        False,
        None,
        None,
    ]


def test_times_rise() -> None:
    texts = ["00:00", "00:00:01", "09:59:59", "9:59:59.5", "10:00", "23:59:60"]
    times = [fields.time_of_day(text)[0] for text in texts]
    assert times == sorted(times)  # type: ignore[type-var]
    days = ["2026-02-28 23:59:59", "2026-03-01T00:00:00Z", "2026/03/01 0:00:01", "2027-01-01 00:00"]
    times = [fields.time_of_day(text)[0] for text in days]
    assert times == sorted(times)  # type: ignore[type-var]
    assert fields.time_of_day("25:00")[0] is None
    assert fields.time_of_day("1693062306256")[0] == 1693062306256


def test_a_clock_has_24_hours_of_60_minutes_and_a_leap_second() -> None:
    day = [f"{hour:02}:{minute:02}:{second:02}" for hour in range(24) for minute in range(60) for second in (0, 60)]
    times = [fields.time_of_day(text)[0] for text in day]
    assert all(one < next_one for one, next_one in pairwise(times))  # type: ignore[operator]
    beyond = ["24:00", "23:60", "00:60:00", "23:59:61", "2026-13-01 00:00", "2026-01-32 00:00"]
    assert [fields.time_of_day(text)[0] for text in beyond] == [None] * len(beyond)


# Cards


def spelled(rank: int, suit: int) -> list[str]:
    name, letter, symbol = RANKS[rank], SUITS[suit], "♠♥♦♣"[suit]
    point = 0x1F0A0 + 16 * suit + rank + 1 + (rank > 10)
    names = [name, name.lower(), *(["T", "0"] if name == "10" else []), str(rank + 1), *(["1"] if name == "A" else [])]
    words = [chr(point)]
    for name in names:
        for sign in (letter, letter.upper(), symbol, f"{symbol}\ufe0f"):
            words += [f"{name}{sign}", f"{sign}{name}", f"{sign}.{name}"]
    return words


def test_every_card_in_every_notation() -> None:
    for code, card in enumerate(CARDS):
        for word in spelled(*divmod(code, 4)):
            assert card_code(word) == code, (card, word)
            assert hand_codes(f'["{word}", "{word}"]') == ([code, code], [])


def test_digits_alone_are_read_as_the_log_writes_cards() -> None:
    by = {written: CardWords(written) for written in ("cards", "values", "ranks", "codes")}
    read = {name: [card_code(str(n), words) for n in range(54)] for name, words in by.items()}
    assert read["cards"][:12] == [None, *range(DECK, DECK + 10), None]
    assert read["values"][:12] == [TEN_OR_FACE, *range(DECK, DECK + 9), TEN_OR_FACE, None]
    assert read["ranks"][:15] == [None, *range(DECK, DECK + 13), None]
    assert read["codes"][0] is None
    assert read["codes"][1:53] == [DECK + n % 13 for n in range(52)]
    stated = CardWords("codes", suits="hdcs")
    assert [card_code(str(n), stated) for n in (1, 13, 14, 52)] == [1, 49, 2, 48]
    by_rank = CardWords("codes", suits="by rank cdhs", first_code=0)
    assert [card_code(str(n), by_rank) for n in (0, 1, 4, 51)] == [3, 2, 7, 48]


def test_values_of_codes() -> None:
    assert [value_of(code) for code in (-2, -1, 0, 3, 4, 36, 51, 52, 61, 64, TEN_OR_FACE)] == [
        None, None, 1, 1, 2, 0, 0, 1, 0, 0, 0
    ]  # fmt: skip


JOINED = {"9hKd": ["9h", "Kd"], "10h10d9c": ["10h", "10d", "9c"], "h9dK": ["9h", "Kd"], "9K": ["9", "K"],
          "T8": ["10", "8"], "10J": ["10", "J"], "🂡🂮": ["As", "Ks"], "♥9♠K": ["9h", "Ks"]}  # fmt: skip


@pytest.mark.parametrize(("text", "cards"), JOINED.items())
def test_hands_without_gaps(text: str, cards: list[str]) -> None:
    codes = [CARDS.index(card) if card in CARDS else DECK + RANKS.index(card) for card in cards]
    assert hand_codes(text) == (codes, [])


def test_digits_side_by_side_in_a_log_of_such_hands(tmp_path: Path) -> None:
    hands = ["98", "9K", "108", "A7", "1010", "75", "938", "2Q4"]
    (tmp_path / "coups.csv").write_text(
        "\n".join(["table,shoe,coup,player,banker", *(f"1,a,{i},{hand},{hand}" for i, hand in enumerate(hands, 1))])
    )
    log = read_log(tmp_path / "coups.csv")
    names = {52 + i: rank for i, rank in enumerate(RANKS)}
    places = ["player_1", "player_2", "player_3"]
    read = [" ".join(names[code] for code in row if code >= 0) for row in log.coups.select(places).rows()]
    assert read == ["9 8", "9 K", "10 8", "A 7", "10 10", "7 5", "9 3 8", "2 Q 4"]
    assert log.remarks.is_empty()


def test_the_patron_of_one_encoding_is_that_of_the_other(tmp_path: Path) -> None:
    (tmp_path / "coups.csv").write_text(
        "table,shoe,coup,player,banker\nM\u00fcnchen,0.0,1,9 8,7 6\n", encoding="cp1252"
    )
    (tmp_path / "bets.csv").write_text(
        'table,shoe,coup,patron,bet,amount,won\nM\u00fcnchen,0,1,J\u00fcrgen,player,"1,000.00",(1000)\n',
        encoding="utf-8",
    )
    log = read_log(tmp_path / "coups.csv", tmp_path / "bets.csv")
    assert log.bets.select(pl.col("patron").cast(pl.String), "amount", "won").rows() == [
        ("J\u00fcrgen", 100_000, -100_000)
    ]
    assert log.remarks["reason"].to_list() == ["not UTF-8: byte 1 is 0xfc; read as Windows-1252"]


def test_a_hand_of_more_than_eight_cards_is_none() -> None:
    parse = fields.hand(CardWords("cards"))
    for number in range(1, 12):
        value, reason = parse(" ".join(["9h"] * number))
        assert (value is None) == (number > 8) == (reason is not None)
        assert number <= 8 or f"has {number} cards, should be at most 8" in reason.text  # type: ignore[union-attr]
