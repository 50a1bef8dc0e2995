"""The plain simulator."""

from math import sqrt

import numpy as np
import pytest

from counting import InputError, load_game
from counting.simulation import Dealing, play, simulate

PUNTO = load_game("punto-banco")


@pytest.mark.parametrize("decks", [None, 1, 8])
def test_fractions_agree_with_the_exact_values(decks: int | None) -> None:
    run = simulate(PUNTO, 200_000, decks, seed=3)
    assert run.coups == 200_000
    for simulated, error, exact in (*run.events.values(), *run.bets.values()):
        assert abs(simulated - exact) < 4 * error
    assert sum(run.events[name][0] for name in ("player-win", "banker-win", "tie")) == pytest.approx(1)


def test_errors_with_replacement_are_binomial() -> None:
    simulated = simulate(PUNTO, 100_000, None)
    share, error, _ = simulated.events["tie"]
    assert error == pytest.approx(sqrt(share * (1 - share) / 100_000), rel=1e-9)
    assert simulated.shoes is None


def test_errors_from_shoes_are_clustered_by_shoe() -> None:
    simulated = simulate(PUNTO, 900, 1, seed=2)
    coups = play(PUNTO.tableau, Dealing(1), 2, 0, 200)
    shoes = int(coups.shoe[899]) + 1
    assert shoes >= 100
    shoe, shown = coups.shoe[:900].astype(int), coups.shown[:900]
    dealt = np.bincount(shoe)
    for name, won in {"tie": shown[:, 0] == shown[:, 1], "player-win": shown[:, 0] > shown[:, 1]}.items():
        share, error, _ = simulated.events[name]
        happened = np.bincount(shoe, weights=won)
        assert share == won.mean()
        assert error == pytest.approx(
            sqrt(shoes / (shoes - 1) * ((happened - share * dealt) ** 2).sum()) / 900, rel=1e-9
        )
        assert error != pytest.approx(sqrt(share * (1 - share) / 900), rel=1e-3)
    assert simulated.shoes == len(dealt)


@pytest.mark.parametrize(("coups", "most"), [(100, 0.02), (400, 0.02)])
def test_errors_from_few_shoes_are_no_smaller_than_chance(coups: int, most: float) -> None:
    shares = [simulate(PUNTO, coups, 8, seed=seed).events["player-win"] for seed in range(300)]
    assert sum(abs(s - x) > 3 * e for s, e, x in shares) / 300 <= most


def test_bets_follow_from_what_happened() -> None:
    simulated = simulate(PUNTO, 10_000, 8)
    events = {name: share for name, (share, _, _) in simulated.events.items()}
    assert simulated.bets["player"][0] == pytest.approx(events["player-win"] - events["banker-win"])
    assert simulated.bets["tie-8"][0] == pytest.approx(9 * events["tie"] - 1)


def test_the_same_seed_gives_the_same_coups() -> None:
    assert simulate(PUNTO, 1000, 8, seed=5) == simulate(PUNTO, 1000, 8, seed=5)
    assert simulate(PUNTO, 1000, 8, seed=5).events != simulate(PUNTO, 1000, 8, seed=6).events


@pytest.mark.parametrize("coups", [0, -1, 10**12])
def test_the_number_of_coups_is_checked(coups: int) -> None:
    with pytest.raises(InputError, match="coups"):
        simulate(PUNTO, coups)
