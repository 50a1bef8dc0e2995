"""Numbers as people write them are read exactly. Anything else gives an error line that says what is allowed."""

import pickle
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counting.bounds import Bound, Patronage, Per, load_house
from counting.errors import InputError
from counting.numbers import (
    as_plain,
    exact,
    hint,
    money,
    number,
    number_of_cards,
    per_hour,
    plain,
    positive,
    share,
    stated,
    whole_number,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("007", 7),
        ("0.1", Fraction(1, 10)),
        (".5", Fraction(1, 2)),
        ("1/3", Fraction(1, 3)),
        (" 1 / 3 ", Fraction(1, 3)),
        ("100,000", 100_000),
        ("1,234,567.5", Fraction(2_469_135, 2)),
        ("1e5", 100_000),
        ("2.5E-3", Fraction(1, 400)),
        ("100k", 100_000),
        ("2.5M", 2_500_000),
        ("2.5 m", 2_500_000),
        ("75%", Fraction(3, 4)),
        ("0.5 %", Fraction(1, 200)),
    ],
)
def test_a_number_is_read_exactly(text: str, value: Fraction) -> None:
    assert exact(text, percent=True) == value
    assert exact(text) == (None if "%" in text else value)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            ".",
            "-1",
            "1,5",
            "10,00",
            "1,0000",
            ",100",
            "0,500",
            "00,100",
            "1.2.3",
            "1/0",
            "1_000",
            "e5",
            "1e",
            "5%%",
            "k",
            "1kk",
        ),
        *("nan", "inf", "٣", "0x1", "1" * 41),
    ],
)
def test_anything_else_is_no_number(text: str) -> None:
    assert exact(text, percent=True) is None


@given(st.integers(0, 10**12), st.integers(0, 9))
def test_every_spelling_of_a_number_is_the_same_number(digits: int, decimals: int) -> None:
    value = Fraction(digits, 10**decimals)
    spellings = [plain(value), f"{digits}e-{decimals}", f"{value.numerator}/{value.denominator}"]
    spellings += [f"{plain(value * 100)}%", f"{plain(value / 1000)}k", f"{plain(value / 10**6)}M"]
    spellings += [f"{digits:,}"] if decimals == 0 else []
    assert {exact(text, percent=True) for text in spellings} == {value}


@given(st.fractions(0, 10**9, max_denominator=10**6))
def test_a_number_written_plainly_is_the_same_number(value: Fraction) -> None:
    assert exact(plain(value)) == value
    assert as_plain(plain(value), value) == plain(value)


def test_a_wrong_number_says_what_is_allowed() -> None:
    for read, text, says in (
        (number, "0,5", "x: 0,5, should be a number from 0 to 9, as 1, 0.5 or 1/3; a decimal has a point: 0.5"),
        (number, "5%", "x: 5%, should be a number from 0 to 9, as 1, 0.5 or 1/3; no percentage is allowed here"),
        (number, "$5", "x: $5, should be a number from 0 to 9, as 1, 0.5 or 1/3"),
        (number, "10", "x: 10, should be a number from 0 to 9, as 1, 0.5 or 1/3"),
        (number, "1/1000001", "x: 1/1000001, should be a number from 0 to 9 with fewer digits, as 1, 0.5 or 1/3"),
        (share, "five", "x: five, should be a number from 0 to 9, as 0.05, 5% or 1/20"),
        (share, "$5", "x: $5, should be a number from 0 to 9, as 0.05, 5% or 1/20"),
        (money, "5%", "x: 5%, should be a number from 0 to 9, as 1, 0.5 or 1/3; no percentage is allowed here"),
    ):
        with pytest.raises(InputError) as failure:
            read(text, "x", 9)
        assert str(failure.value) == says
    with pytest.raises(InputError, match=r"^x: \$0, should be more than 0$"):
        positive("$0", "x")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1,000", "; 1,000 is read as 1000; a decimal has a point: 1.000"),
        ("1,000%", "; 1,000% is read as 1000%; a decimal has a point: 1.000%"),
        ("0,500", "; a decimal has a point: 0.500"),
        ("0,5 €", "; a decimal has a point: 0.5"),
        ("1.000,50", "; thousands have a comma, a decimal has a point: 1,000.50"),
        ("$ 1 000,50", "; thousands have a comma, a decimal has a point: 1,000.50"),
        ("1.000.000", "; thousands have a comma: 1,000,000"),
        *((f"1{mark}000", "; thousands have a comma: 1,000") for mark in " \u00a0\u202f_'’"),
        ("12,34,567.5", "; thousands have a comma, a decimal has a point: 1,234,567.5"),
        *((text, "") for text in ("1,000.5", "12,000,0", "1 00", "five", "", "1" + 2000 * " 000")),
    ],
)
def test_a_hint_says_how_a_number_is_written(text: str, says: str) -> None:
    for percent in (False, True):
        assert hint(text, percent) == says
    with pytest.raises(InputError) as failure:
        number(text, "x", 1)
    assert str(failure.value) == f"x: {text}, should be a number from 0 to 1, as 1, 0.5 or 1/3{says}"
    *_, written = says.rpartition(": ")
    assert not says or exact(written, percent=True) is not None


@given(st.integers(0, 10**9), st.integers(0, 4))
def test_an_amount_that_a_user_stated_is_printed_with_all_its_digits(digits: int, decimals: int) -> None:
    value = Fraction(digits, 10**decimals)
    assert stated(value) == stated(float(value)) == plain(value)


def test_bets_of_ordinary_players_have_no_exponent() -> None:
    words = str(Patronage(6, 1_234_567.0, 12.5))
    assert words == "6 players, each with a main bet of 1234567 and a side bet of 12.5 on average"
    assert str(Patronage(1, 5, 2)) == "1 player with a main bet of 5 and a side bet of 2 on average"


def test_money_has_a_currency_sign_or_none() -> None:
    for text in ("2500", "$2,500", "€ 2.5k", "2500 €", "£2500.00", "HK$ 2,500", "MOP$2.5k", "A$2500", "2500 HKD"):
        assert money(text, "x") == 2500
    assert money("2M", "x") == money("2M$", "x") == money("2M HKD", "x") == 2_000_000


def test_whole_numbers_of_cards_and_decks() -> None:
    assert [whole_number(text) for text in ("-5", "+5", "100,000", "1e5", "100k", "1.5k")] == [
        -5, 5, 100_000, 100_000, 100_000, 1500,
    ]  # fmt: skip
    for text in ("1.5d", "1.5 decks", "3/2 deck", "78", "1.5D"):
        assert number_of_cards(text) == 78
    with pytest.raises(ValueError, match=r"'0.3d' should be a whole number of cards, .*, this is 15.6 cards$"):
        number_of_cards("0.3d")
    for wrong in ("14.5", "5%", "", "9" * 20, "1,5", "half"):
        with pytest.raises(ValueError, match="should be a whole number, of at most 19 digits"):
            whole_number(wrong)
    for wrong in ("14.51d", "5%d", "9" * 20 + "d", "1,5 decks", "half d"):
        with pytest.raises(ValueError, match=r"should be a whole number of cards, or decks as 1\.5d"):
            number_of_cards(wrong)


def test_a_bound_is_read_with_currency_signs_and_blanks() -> None:
    for text in ("10/hour", "$10/hour", "10 / hour", "$10 per hour", "1e1/h", "10.00/hr", "€0.01k/hour"):
        assert Bound.parse(text) == Bound(10.0, Per.HOUR)
    for text in ("0.1/100-coups", "0.1 per 100 hands", "0.1/100 coups"):
        assert Bound.parse(text) == Bound(0.1, Per.COUPS)
    for text, says in (
        ("10", "25/hour$"),
        ("1/3/hour", "25/hour$"),
        ("5%/shoe", "; no percentage is allowed here$"),
        ("0,05/shoe", "; a decimal has a point: 0.05$"),
        ("$1/shoe", "; per shoe is in units, not in money$"),
        ("-1/hour", "25/hour$"),
        ("1e10/hour", "25/hour$"),
    ):
        with pytest.raises(InputError, match=says):
            Bound.parse(text)


def test_the_same_house_rules_have_the_same_digest_however_their_numbers_are_written(tmp_path: Path) -> None:
    plainly = {"cut": "26", "minimum": "25", "most_bet": "1000", "rebate": "0.005", "bound": '"10/hour"'}
    otherwise = {"cut": '"0.5 decks"', "minimum": '"$25"', "most_bet": '"1k"'}
    otherwise |= {"rebate": '"0.5%"', "bound": '"$10 / hour"'}
    digests = []
    for numbers in (plainly, otherwise):
        lines = ['title = "A"', 'game = "ez-baccarat"', 'side_bets = ["dragon-7"]']
        lines += [f"{key} = {value}" for key, value in numbers.items()]
        (tmp_path / "pit.toml").write_text("\n".join(lines))
        house = load_house(tmp_path / "pit.toml").house
        assert (house.cut, house.minimum, house.most_bet, house.rebate) == (26, 25, 1000, Fraction(1, 200))
        assert house.bound == Bound(10.0, Per.HOUR)
        assert pickle.loads(pickle.dumps(house)).digest == house.digest
        digests.append(house.digest)
    assert digests[0] == digests[1]


def test_texts_that_were_plain_before_stay_as_they_are() -> None:
    for text in ("10.50/hour", "10 / hour", "007/shoe"):
        assert Bound.parse(text).written == text
    assert Bound.parse("10.50 per hour").written == "10.5/hour"
    assert as_plain("0.50", Fraction(1, 2)) == "0.50"
    assert as_plain("$0.50", Fraction(1, 2)) == "0.5"


def test_coups_per_hour_are_more_than_none() -> None:
    assert per_hour(70.0, "--coups-per-hour") == 70.0
    for coups in (0.0, -1.0, 1e13):
        with pytest.raises(InputError, match=r"^--coups-per-hour .*: should be more than 0, at most"):
            per_hour(coups, "--coups-per-hour")
