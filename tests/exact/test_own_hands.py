"""Hands of your own with n cards left, compared with shoes that are solved one by one with separate code."""

import csv
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, prod
from pathlib import Path

import pytest
from extent import LONG, long_or

from counting import InputError, Shoe, exact_edges, load_game
from counting.chemin import own_cards, the_tables_hand
from counting.cli import main
from counting.exact import own_hand_gains
from counting.exact.own_hands import HANDS, _compositions
from counting.games import Game

LOUISIANA, EZ = load_game("louisiana"), load_game("ez-baccarat")
EXPERIMENT = Path(__file__).parents[2] / "experiments" / "chemin_law" / "own.csv"


@pytest.mark.skipif(not LONG, reason="solves 5,005 shoes in fractions")
@pytest.mark.parametrize("game", [LOUISIANA, EZ], ids=lambda game: game.name)
def test_every_composition_of_few_cards_solved_by_itself(game: Game) -> None:
    """All compositions of six cards of one deck."""
    full, sums = Shoe.decks(1).values, {on: [Fraction()] * 3 for on in HANDS}  # times the ways to draw six cards
    for drawn in combinations_with_replacement(range(10), 6):
        counts = [drawn.count(value) for value in range(10)]
        ways = prod(map(comb, full, counts))
        if not ways:
            continue
        shoe = Shoe.from_values(counts)
        edges = {"table": the_tables_hand(game, shoe)}
        edges |= {sees: own_cards(game, shoe, sees).value for sees in ("total", "hand")}
        for on, edge in edges.items():
            parts = (edge > 0, edge, max(edge, 0))
            sums[on] = [s + ways * part if part else s for s, part in zip(sums[on], parts, strict=True)]
    for of in own_hand_gains(game, 6, 1):
        assert [comb(52, 6) * part for part in (of.positive, of.mean, of.gain)] == sums[of.on], of.on


@pytest.mark.long
@pytest.mark.parametrize("cards", [6, 9, long_or(11, 10)])
def test_an_unseen_card_changes_nothing_and_a_choice_is_worth_something(cards: int) -> None:
    table, total, hand = own_hand_gains(EZ, cards)
    assert (table.on, total.on, hand.on) == HANDS
    assert table.mean == exact_edges(EZ, Shoe.decks(EZ.decks))["player"]
    assert table.mean < total.mean < hand.mean
    assert table.positive < total.positive < hand.positive
    assert table.gain < total.gain < hand.gain


def test_compositions_are_all_that_there_are() -> None:
    rows = _compositions(5, 4)
    assert len({*map(tuple, rows.tolist())}) == len(rows) == comb(8, 3)
    assert (rows.sum(axis=1) == 5).all()
    assert (rows >= 0).all()


def test_the_experiment_has_the_same_figures() -> None:
    with EXPERIMENT.open() as file:
        rows = [row for row in csv.DictReader(file) if row["cards_left"] == "10"]
    assert [(row["bet"], row["positive_exact"], row["gain_exact"]) for row in rows] == [
        (of.on, str(of.positive), str(of.gain)) for of in own_hand_gains(LOUISIANA, 10)
    ]


def test_progress_ends_with_all_compositions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("counting.exact.own_hands._ABREAST", 100)
    calls: list[tuple[int, int]] = []
    assert own_hand_gains(EZ, 7, progress=lambda *call: calls.append(call)) == own_hand_gains(EZ, 7)
    assert calls[-1] == (comb(16, 9), comb(16, 9))
    assert calls == sorted(set(calls))
    assert len(calls) > 100


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--cards", "5"], "cards: 5, should be a whole number from 6 to 20"),
        (["--cards", "21"], "cards: 21, should be a whole number from 6 to 20"),
        (["--cards", "6", "--shoe", "6d"], "--shoe: should be left out with --cards, which draws its cards from full"),
        (["--cards", "6", "--sees", "total"], "--sees: should be left out with --cards, which prints both"),
    ],
)
def test_what_is_refused(arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chemin", "own", *arguments]) == 2
    assert says in capsys.readouterr().err


def test_a_game_whose_naturals_are_drawn_on_is_refused() -> None:
    drawn_on = replace(EZ, tableau=EZ.tableau.model_copy(update={"drawn_on": "both"}))
    with pytest.raises(InputError, match="drawn_on = 'both', should be a game that leaves it out"):
        own_hand_gains(drawn_on, 6)
