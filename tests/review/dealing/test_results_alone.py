"""A log of results alone: how often each winner came, and payouts that the winner settles."""

from pathlib import Path

import numpy as np
import pytest

from counting import load_game
from counting.logs import Log, read_log
from counting.reports.audit_text import sentences
from counting.review import audit, results_alone

PUNTO = load_game("punto-banco")
CHANCES = {"player": 0.446247, "banker": 0.458597, "tie": 0.095156}  # of a coup of eight decks, as published


def logged(folder: Path, numbers: dict[str, int], bets: str = "", cards: bool = False) -> Log:
    winners = [winner for winner, number in numbers.items() for _ in range(number)]
    hands = {"player": ",9h Kd,5c 2s", "banker": ",5c 2s,9h Kd", "tie": ",9h Kd,9c Ks"}
    rows = [f"T,{at // 60},{at % 60 + 1},{won}{hands[won] if cards else ''}\n" for at, won in enumerate(winners)]
    (folder / "r.csv").write_text(f"table,shoe,coup,winner{',player,banker' if cards else ''}\n" + "".join(rows))
    (folder / "b.csv").write_text("table,shoe,coup,patron,bet,amount,won\n" + bets)
    return read_log(folder / "r.csv", folder / "b.csv" if bets else None)


@pytest.mark.parametrize("came", [(107, 110, 23), (120, 92, 28), (150, 60, 30)])
def test_winners_are_compared_with_the_published_chances(tmp_path: Path, came: tuple[int, int, int]) -> None:
    numbers = dict(zip(CHANCES, came, strict=True))
    results = results_alone(logged(tmp_path, numbers), PUNTO, 8)
    assert results is not None
    assert results.number == numbers
    expected = 240 * np.array(list(CHANCES.values()))
    assert list(results.expected.values()) == pytest.approx(expected, abs=1e-3)
    draws = np.random.default_rng(1).multinomial(240, expected / expected.sum(), 100_000)
    far = ((np.array([came, *draws]) - expected) ** 2 / expected).sum(axis=1)
    assert results.p == pytest.approx((far[1:] >= far[0]).mean(), abs=0.01)


def test_payouts_that_the_winner_settles_are_checked(tmp_path: Path) -> None:
    bets = "T,0,1,Ann,player,10,10\nT,0,2,Ann,player,10,9.5\nT,0,5,Ann,banker,10,9.5\nT,0,9,Bob,tie,10,-10\n"
    log = logged(tmp_path, {"player": 3, "banker": 3, "tie": 3}, bets)
    results = results_alone(log, PUNTO, 8)
    assert results is not None
    assert (results.payouts, results.wrong) == (4, 2)
    ez = results_alone(log, load_game("ez-baccarat"), 8)
    assert ez is not None
    assert ez.payouts == 3  # a win of Banker with seven on three cards pushes there


def test_the_audit_says_what_it_can_and_what_it_cannot(tmp_path: Path) -> None:
    lines = sentences(audit(logged(tmp_path, {"player": 107, "banker": 110, "tie": 23}), PUNTO, 8))
    assert lines[0].startswith("The log has results alone. In 240 coups")
    assert "are within chance" in lines[0]
    assert "Without cards nothing else can be judged" in lines[1]
    odd = sentences(audit(logged(tmp_path, {"player": 200, "banker": 20, "tie": 20}), PUNTO, 8))
    assert "are unlikely by chance (p < 0.0001" in odd[0]


def test_a_log_with_cards_is_no_log_of_results_alone(tmp_path: Path) -> None:
    assert results_alone(logged(tmp_path, {"player": 9, "banker": 9, "tie": 3}, cards=True), PUNTO, 8) is None
