"""Seats: the coups of shoes that several seats share are dealt and priced once."""

from dataclasses import fields, replace
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest

from counting.bounds import Seat, bracket, evaluation, seats
from counting.bounds.seats import SeatRows, Shared
from counting.games import load_game
from counting.simulation import Dealing
from counting.sweep import Stakes

GAME = load_game("ez-baccarat")


def seat(cut: int, rebate: float = 0.0, **limits: Fraction) -> Seat:
    stakes = Stakes.of(["dragon-7"], ["player", "banker"], **limits)
    return Seat(GAME, Dealing(cut=cut, burn="first-card"), stakes, 2, rebate=rebate)


@pytest.mark.parametrize("further", [True, False])
def test_seats_at_the_same_shoes_have_the_rows_of_each_by_itself(
    further: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    tied = {"most_main": Fraction(2), "tie_in": Fraction(1, 2)}
    asked = [seat(20), seat(60), seat(20, **tied), seat(60, 0.01, **tied), seat(30, **tied), seat(14)]
    shared = [SeatRows.play(each, 3, 0, 70, further) for each in asked]
    for each, rows in zip(asked, shared, strict=True):
        monkeypatch.setattr(seats, "_PRICED", Shared(400_000))
        alone = SeatRows.play(each, 3, 0, 70, further)
        for field in fields(SeatRows):
            assert np.array_equal(getattr(rows, field.name), getattr(alone, field.name)), field.name


def test_shoes_are_priced_once_for_seats_of_the_same_bets_and_the_last_ones_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    played: list[int] = []
    deal = seats.play
    monkeypatch.setattr(seats, "PIECE", 64)
    monkeypatch.setattr(seats, "_PRICED", Shared(400_000))
    monkeypatch.setattr(seats, "play", lambda *args: (played.append(args[3]), deal(*args))[1])
    for cut in (20, 40, 60):
        SeatRows.play(seat(cut), 3, 0, 70)
    assert played == [0, 64]
    SeatRows.play(seat(10), 3, 0, 70)  # deeper than the shoes that were dealt
    SeatRows.play(seat(20, rebate=0.01), 3, 0, 70)
    assert played == [0, 64] * 3
    monkeypatch.setattr(seats, "_PRICED", Shared(3000))
    SeatRows.play(seat(10), 4, 0, 70)
    SeatRows.play(replace(seat(10), most_skipped=3), 4, 0, 70)
    assert played == [0, 64] * 3 + [0, 64] * 2


@pytest.mark.parametrize("rules", [{"stand": True}, {"stand": False}])
@pytest.mark.parametrize("most_skipped", [None, 0])
def test_coups_played_once_for_every_cut_have_the_figures_of_each_by_itself(
    rules: dict[str, Any], most_skipped: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluation, "_CHOSEN_ON", 100)

    def figures(cut: int) -> pl.DataFrame:
        stakes = Stakes.of(["dragon-7"], ["player", "banker"], most_main=Fraction(1), least_main=Fraction(1))
        at = Seat(GAME, Dealing(2, cut), stakes, most_skipped, leaves=most_skipped is None)
        return bracket(at, 120, 5, stand=rules["stand"]).shoes

    shared = [figures(cut) for cut in (14, 30, 52, 20, 8)]
    for cut, together in zip((14, 30, 52, 20, 8), shared, strict=True):
        for module, name in ((seats, "_PRICED"), (evaluation, "_BY_COUP"), (evaluation, "_OFFERED")):
            monkeypatch.setattr(module, name, Shared(400_000))
        assert figures(cut).equals(together), cut
    assert shared[0]["played"].sum() > shared[2]["played"].sum()


def test_seats_with_other_stakes_or_another_rebate_share_no_more_than_the_shoes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def figures(tie_in: int, rebate: float, skipped: int | None) -> pl.DataFrame:
        one = Fraction(1)
        stakes = Stakes.of(["dragon-7"], ["player"], least=one, most_main=one, least_main=one, tie_in=Fraction(tie_in))
        return bracket(Seat(GAME, Dealing(2, 20), stakes, skipped, rebate, leaves=skipped is None), 120, 5).shoes

    seats_of = [(0, 0.0, None), (1, 0.0, None), (0, 0.02, None), (0, 0.0, 0)]
    shared = [figures(*seat) for seat in seats_of]
    for seat, together in zip(seats_of, shared, strict=True):
        for module, name in ((seats, "_PRICED"), (evaluation, "_OFFERED")):
            monkeypatch.setattr(module, name, Shared(400_000))
        assert figures(*seat).equals(together), seat
    assert len({shoes["upper"].sum() for shoes in shared}) == 4
