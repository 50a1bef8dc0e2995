"""A dozen coups of each game, replayed by hand from the cards and again from the seed."""

import csv
import importlib.util
from fractions import Fraction
from pathlib import Path

import pytest

from counting import load_game
from counting.games import Outcome

GOLDEN = Path(__file__).parents[1] / "golden"
ROWS, MACAO = (
    list(csv.DictReader((GOLDEN / f"{name}.csv").read_text().splitlines())) for name in ("transcripts", "macao")
)


def value(card: str) -> int:
    rank = card[:-1]
    return 1 if rank == "A" else 0 if rank in ("10", "J", "Q", "K") else int(rank)


def total(cards: list[str]) -> int:
    return sum(map(value, cards)) % 10


def draws(game: str, banker: int, third: str | None) -> bool:
    """Banker's rule in words, as the sources have it."""
    if game.startswith("louisiana"):
        return banker <= 4 or (banker == 5 and third is None)
    if third is None:
        return banker <= 5
    least = {3: {8}, 4: {0, 1, 8, 9}, 5: {0, 1, 2, 3, 8, 9}, 6: {0, 1, 2, 3, 4, 5, 8, 9}, 7: set(range(10))}
    return value(third) not in least.get(banker, set())


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['game']}-{row['coup']}")
def test_a_coup_is_dealt_and_paid_by_the_rules(row: dict[str, str]) -> None:
    cards = row["cards"].split()
    player, banker = [cards[0], cards[2]], [cards[1], cards[3]]
    more = cards[4:]
    if max(total(player), total(banker)) < 8:
        third = None
        if total(player) <= (4 if row["game"] == "louisiana-stand-5" else 5):
            third = more.pop(0)
            player.append(third)
        if draws(row["game"], total(banker), third):
            banker.append(more.pop(0))
    assert more == []
    assert row["player"] == f"{total(player)} on {len(player)}"
    assert row["banker"] == f"{total(banker)} on {len(banker)}"
    outcome = Outcome(total(player), total(banker), len(player), len(banker))
    game = load_game(row["game"])
    assert row["pays"] == " ".join(f"{bet.name}={bet.pay(outcome)}" for bet in game.bets)
    pays = {name: Fraction(pay) for name, pay in (word.split("=") for word in row["pays"].split())}
    won = {"player": 1, "banker": -1, "tie": 0}[outcome.winner]
    assert pays["player"] == won


def best_of(game: str, hand: list[int]) -> int:
    """A hand's points modulo ten. At early macao, a hand of more than nine is out: -1, below all others."""
    points = sum(hand)
    return -1 if game == "early-macao" and points > 9 else points % 10


@pytest.mark.parametrize("row", MACAO, ids=lambda row: f"{row['game']}-{row['coup']}")
def test_a_coup_of_macao_is_dealt_and_paid_by_the_rules(row: dict[str, str]) -> None:
    """The rules in words. Each side gets one card, two at Victoria. If Banker has a natural, nobody draws. The punter
    draws on four or less, then on three or less, and puts back each ten drawn. Banker draws on five or less, at
    Victoria first on six or less. Each draws two cards at most. More points win, or the same points with fewer cards.
    If these are equal, Banker wins, but at early macao nobody does unless both are out. The punter wins three with a
    natural nine and two with a natural eight; a pair and any other win pay one."""
    game, cards = row["game"], list(map(int, row["cards"].split()))
    first = 2 if game == "victoria" else 1
    punter, banker, more = cards[:first], cards[first : 2 * first], cards[2 * first :]
    if sum(banker) % 10 < 8:
        for most in (4, 3):
            if 0 <= best_of(game, punter) <= most:
                while (card := more.pop(0)) == 0:
                    pass
                punter.append(card)
            else:
                break
        for most in (6 if game == "victoria" else 5, 5):
            if 0 <= best_of(game, banker) <= most:
                banker.append(more.pop(0))
            else:
                break
    mine, his = best_of(game, punter), best_of(game, banker)
    if mine == his == -1:
        won = -1
    elif (mine, -len(punter)) == (his, -len(banker)):
        won = 0 if game == "early-macao" else -1
    elif (mine, -len(punter)) > (his, -len(banker)):
        won = {9: 3, 8: 2}.get(mine, 1) if len(punter) == first and len(set(punter)) == first else 1
    else:
        won = -1
    assert str(won) == row["won"]


def test_the_seed_gives_the_same_coups() -> None:
    spec = importlib.util.spec_from_file_location("make_transcripts", GOLDEN / "make_transcripts.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.transcript() == ROWS
    assert module.macao() == MACAO
