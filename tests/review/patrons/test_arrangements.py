"""Hands that change places show the same to every bet at the table, those settled by ranks and colours too."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from counting.cards import DECK
from counting.games import Game, load_game, on_hands
from counting.games.hands import first_met
from counting.logs import read_log
from counting.review import audit
from counting.review.patrons.arrangements import Arrangements
from counting.review.synthetic import Flat, deal, log_frames
from counting.review.unseen_cards import UnseenCards
from counting.simulation import Dealing

PUNTO = load_game("punto-banco")
BY_HANDS = ("monkey", "player-red", "majestic-match-player", "perfect-9", "tiger-pair")


def arrangements(folder: Path, game: Game) -> Arrangements:
    coups, _ = log_frames(deal(PUNTO, Dealing(), 3, 0, 2), {"one": Flat("tie-8", 5.0)}, PUNTO, 1)
    coups.write_csv(folder / "coups.csv")
    log = read_log(folder / "coups.csv")
    return Arrangements(log, UnseenCards(log, 8), game, 1)


@pytest.mark.parametrize("name", BY_HANDS)
def test_hands_of_a_class_are_alike_to_a_bet_settled_by_the_hands(name: str, tmp_path: Path) -> None:
    """Any two cards for any other two of their class: whatever the other hand and the third cards are, the bet pays by
    the same line."""
    game = PUNTO.also((name,))
    (bet,) = on_hands(game.bets)
    draw = np.random.default_rng(1)
    hands = draw.integers(0, DECK, (40_000, 2))
    classes = arrangements(tmp_path, game)._classes(hands)
    order = np.argsort(classes, kind="stable")
    same = classes[order][1:] == classes[order][:-1]
    one, other = hands[order][:-1][same].T, hands[order][1:][same].T
    assert len(one[0]) > 5_000
    assert (np.sort(one, axis=0) != np.sort(other, axis=0)).any()
    banker = draw.integers(0, DECK, (3, len(one[0])))
    third = draw.integers(-1, DECK, len(one[0]))
    lines = [first_met(bet.conditions, (*two, third), tuple(banker)) for two in (one, other)]
    assert (lines[0] == lines[1]).all()
    lines = [first_met(bet.conditions, tuple(banker), (*two, third)) for two in (one, other)]
    assert (lines[0] == lines[1]).all()
    assert len(np.unique(lines[0])) > 1


def test_an_audit_of_bets_settled_by_the_hands(tmp_path: Path) -> None:
    game = PUNTO.also(BY_HANDS)
    coups, bets = log_frames(deal(PUNTO, Dealing(), 3, 0, 12), {"one": Flat("tie-8", 5.0, 0.9)}, PUNTO, 1)
    names = pl.Series(["tie-8", *BY_HANDS])
    bets = bets.with_columns(bet=names.gather(np.arange(bets.height) % len(names)), won=pl.lit(None, pl.Float64))
    coups.write_csv(tmp_path / "coups.csv")
    bets.write_csv(tmp_path / "bets.csv")
    checked = audit(read_log(tmp_path / "coups.csv", tmp_path / "bets.csv"), game, 8)
    assert set(checked.patrons["bet"]) == set(names)
    assert checked.flagged.is_empty()
