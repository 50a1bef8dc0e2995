"""The course of a bank, compared with simulated banks."""

from fractions import Fraction

import numpy as np
import pytest

from counting import InputError, Shoe
from counting.chemin import BankCourse, solve
from counting.cli import main

SOLVED = solve(Shoe.decks(6))
COURSE = BankCourse.of(SOLVED)


def test_the_law_of_a_coup() -> None:
    chances = SOLVED.probabilities
    assert (COURSE.wins, COURSE.ties) == (chances["banker"], chances["tie"])
    assert COURSE.decided == chances["banker"] / (chances["banker"] + chances["player"])
    assert COURSE.growth == Fraction(39, 20)
    assert BankCourse.of(SOLVED, "0").growth == 2


def test_banks_that_are_played() -> None:
    rng = np.random.default_rng(4)
    win, tie = float(COURSE.wins), float(COURSE.ties)
    coups, won = [], []
    for _ in range(20_000):
        n = k = 0
        while True:
            n += 1
            u = rng.random()
            if u < win:
                k += 1
            elif u >= win + tie:
                break
        coups.append(n)
        won.append(k)
    lasted, wins = np.array(coups), np.array(won)
    assert abs(lasted.mean() - float(COURSE.mean_coups)) < 4 * lasted.std() / 20_000**0.5
    for k in (1, 3, 6):
        p, size, profit = map(float, COURSE.after(k))
        assert abs((wins >= k).mean() - p) < 4 * (p * (1 - p) / 20_000) ** 0.5
        assert size == pytest.approx(1.95**k)
        assert profit == pytest.approx(p * size - 1)
        q = float(COURSE.lasts(k))
        assert abs((lasted > k).mean() - q) < 4 * (q * (1 - q) / 20_000) ** 0.5


def test_a_win_passed_on_is_worth_the_coup() -> None:
    """If the bank is passed after one win, its expected profit is the edge after commission, per coup that is not a
    tie."""
    chances = SOLVED.probabilities
    decided = 1 - chances["tie"]
    edge = chances["banker"] * Fraction(19, 20) - chances["player"]
    assert COURSE.after(1)[2] == edge / decided
    assert BankCourse.of(SOLVED, 0).after(1)[2] == -SOLVED.value / decided  # type: ignore[arg-type]  # read as a fraction


def test_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chemin", "bank", "--wins", "3"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("Classical parlor game, model B3, shoe 6d. The commission on Banker's wins is 0.05.")
    assert said[3].split("  ") == [
        "wins", "chance of these wins", "size of the bank then", "expected profit if the bank is then passed",
    ]  # fmt: skip
    assert len(said) == 4 + 1 + 3 + 2
    assert said[-1].startswith("A bank lasts 2.23")
    assert main(["chemin", "bank", "--wins", "0"]) == 2
    assert capsys.readouterr().err == "counting: wins: 0, should be a whole number from 1 to 100\n"
    with pytest.raises(InputError, match=r"^wins: -1"):
        COURSE.after(-1)
    for tens in ("v:6,0,0,0,0,0,0,0,0,0", "v:0,0,0,0,0,0,0,0,0,6"):
        assert main(["chemin", "bank", "--shoe", tens]) == 2
        assert "Player can never win" in capsys.readouterr().err
