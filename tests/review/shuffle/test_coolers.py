"""Runs of winners and naturals: the scan in plain Python, p-values of random shoes, and coups that were arranged."""

from dataclasses import replace
from math import log

import numpy as np
import pytest

from counting import load_game
from counting.review.chances import full_shoe, outcome_chances
from counting.review.shuffle.coolers import _CHANCES, EVENTS, Cooler, coolers
from counting.review.shuffle.shoe_orders import shoe_orders
from experiments.shuffle import pit

TABLEAU = load_game("punto-banco").tableau
CHANCES = (0.4462, 0.4586, 0.1627, 0.1626, 0.3433, 0.0952)


def test_the_chances_are_near_those_of_eight_decks() -> None:
    chances = dict.fromkeys(EVENTS, 0.0)
    for outcome, chance in outcome_chances(TABLEAU, full_shoe(8)).items():
        winner = outcome.winner.title()
        events = ["ties" if winner == "Tie" else f"{winner} wins"]
        events += ["coups with a natural"] * outcome.natural
        events += [f"natural wins of {winner}"] * (outcome.natural and winner != "Tie")
        for event in events:
            chances[event] += float(chance)
    assert list(chances.values()) == pytest.approx(_CHANCES, abs=3e-4)


def of_shoes(shoes: list[pit.Shoe], missing: float = 0.0, random: int = 1000) -> list[Cooler]:
    orders = shoe_orders(pit.table_log(shoes, missing, np.random.default_rng(8)), 8, 1)
    return coolers(orders.piles, 8, orders.knows, TABLEAU, random, 1)


def plain_scan(coups: list[tuple[int, pit.Coup]]) -> tuple[float, int, int, str, int]:
    """The greatest score of all runs: the run's first coup and the one after, its event and number, by rows."""
    marks = []
    for _, (player, banker) in coups:
        p, b = (sum(map(pit.value, hand)) % 10 for hand in (player, banker))
        natural = max(sum(map(pit.value, hand[:2])) % 10 for hand in (player, banker)) >= 8
        marks.append((p > b, b > p, p > b and natural, b > p and natural, natural, p == b))
    best = (0.0, 0, 0, "", 0)
    for first in range(len(coups)):
        for last in range(first + 4, min(first + 40, len(coups)) + 1):
            if coups[last - 1][0] - coups[first][0] != last - 1 - first:
                break
            n = last - first
            for event, chance in enumerate(CHANCES):
                k = sum(mark[event] for mark in marks[first:last])
                if k <= n * chance:
                    continue
                score = k * log(k / (n * chance)) + ((n - k) * log((n - k) / (n * (1 - chance))) if k < n else 0.0)
                if score > best[0] + 1e-9:
                    best = (score, first, last, EVENTS[event], k)
    return best


@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_the_run_that_stands_out_most_is_that_of_the_plain_scan(missing: float) -> None:
    rng = np.random.default_rng(1)
    shoes = [pit.dealt(pit.at_random(rng)) for _ in range(3)]
    orders = shoe_orders(pit.table_log(shoes, missing, np.random.default_rng(8)), 8, 1)
    for shoe, pile, cooler in zip(shoes, orders.piles, of_shoes(shoes, missing), strict=True):
        score, first, last, event, number = plain_scan([(n, shoe.coups[n - 1]) for n in pile.numbers.tolist()])
        again = plain_scan([(n, shoe.coups[n - 1]) for n in pile.numbers.tolist()][cooler.first : cooler.last])
        assert again[0] == pytest.approx(score)  # the same run, or one as good
        assert (cooler.event, cooler.number) == (event, number) or (cooler.first, cooler.last) != (first, last)


def test_p_values_of_random_shoes_are_true_and_not_idle() -> None:
    rng = np.random.default_rng(2)
    p = np.array([cooler.p for cooler in of_shoes([pit.dealt(pit.at_random(rng)) for _ in range(150)])])
    for level in (0.02, 0.1, 0.3):
        assert abs((p <= level).sum() - 150 * level) < 4 * np.sqrt(150 * level)


@pytest.mark.parametrize(("kind", "coups", "event"),
                         [("natural", 9, "natural wins of Banker"), ("naturals by turns", 13, "coups with a natural"),
                          ("wins", 18, "Banker wins")])  # fmt: skip
def test_arranged_coups_are_found_and_named(kind: str, coups: int, event: str) -> None:
    rng = np.random.default_rng([*kind.encode()])
    shoes = [pit.dealt(pit.at_random(rng)), pit.dealt(pit.arranged(rng, coups, kind))]
    cooler = of_shoes(shoes)[1]
    assert cooler.p <= 0.003
    assert cooler.event == event
    assert cooler.first <= 1
    assert cooler.last >= coups - 1


def test_a_run_does_not_go_over_a_missing_coup() -> None:
    rng = np.random.default_rng(3)
    log = pit.table_log([pit.dealt(pit.arranged(rng, 14, "natural"))])
    whole, broken = (
        coolers(shoe_orders(each, 8, 1).piles, 8, "card", TABLEAU, 1000, 1)[0]
        for each in (log, replace(log, coups=log.coups.filter(~log.coups["coup"].is_in([5, 10]))))
    )
    assert (whole.first, whole.last - whole.first >= 13) == (0, True)
    assert broken.last - broken.first < 10 or broken.first > 9
    assert broken.p > whole.p
