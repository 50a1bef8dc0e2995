"""Faults of the record: repeated coups and stale third cards.

A repeated coup is logged twice, card for card, as when a camera's view flickers. A stale third card is left over from
the line before."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import polars as pl

from counting.arrays import Floats, Ints
from counting.cards import DECK, RANKS, SUITS, VALUE_OF_RANK, Knows
from counting.games import STOOD, Tableau
from counting.logs import NO_CARD, PLACES, TEN_OR_FACE, Log, card_codes, shoe_numbers
from counting.review.hands import LoggedCoups, slices
from counting.review.significance import poisson_tail

RARE = 1e-3  # repeats are reported if the chance of at least their number is at most this


class Repeats(NamedTuple):
    """Coups that repeat the coup before: their rows, the number of repeats expected by chance, and an upper bound on
    the chance of at least `len(rows)` repeats."""

    rows: Ints
    expected: float
    p: float


def repeats_of(coups: pl.DataFrame, tableau: Tableau) -> Repeats:
    """The coups of a log that repeat the coup before in their shoe, card for card. Coups with an unread card, or with a
    hand of more than three cards, are not compared with others."""
    codes, shoe = card_codes(coups), shoe_numbers(coups)
    if not len(codes):
        return Repeats(np.zeros(0, np.int64), 0.0, 1.0)
    whole = (codes != -2).all(axis=1) & coups["more"].is_null().to_numpy()
    compared = np.append(False, (shoe[1:] == shoe[:-1]) & whole[:-1]) & whole
    same, after = compared & np.append(False, (codes[1:] == codes[:-1]).all(axis=1)), int(compared.sum())
    seen = codes[codes >= 0]
    knows: Knows = "value" if (seen == TEN_OR_FACE).any() else "card" if (seen < DECK).all() else "rank"
    expected = after * chance_of_repeat(knows, tableau)
    rows = np.flatnonzero(same)
    return Repeats(rows, expected, poisson_tail(len(rows), expected))


def chance_of_repeat(knows: Knows, tableau: Tableau) -> float:
    """The chance that a coup repeats the coup before, as far as its cards are known.

    Each card is treated as drawn from a full deck. The chance is then the sum of the squared probabilities of all
    coups. In a shoe the chance is a little lower, since the cards of the coup before are gone. If a hand may choose,
    the choice with the largest chance is taken for each pair of totals."""
    of_value = np.bincount(VALUE_OF_RANK, minlength=10)  # the number of ranks of each value
    alike = {"value": of_value, "rank": np.ones(10), "card": np.full(10, 1 / len(SUITS))}[knows]
    twice = of_value * alike / len(RANKS) ** 2  # the chance that two cards are alike and of this value
    two = np.zeros(10)
    for a in range(10):
        for b in range(10):
            two[(a + b) % 10] += twice[a] * twice[b]
    total = 0.0
    for player in range(10):
        for banker in range(10):
            with_thirds = max(_with_thirds(player, banker, twice, way) for way in tableau.ways)
            total += two[player] * two[banker] * with_thirds
    return float(total)


def _with_thirds(player: int, banker: int, twice: Floats, tableau: Tableau) -> float:
    every = float(twice.sum())
    if not tableau.player_draws(player, banker):
        return every if tableau.banker_draws(player, banker, STOOD) else 1.0
    answers = (every if tableau.banker_draws(player, banker, c) else 1.0 for c in range(10))
    return float(sum(twice[c] * answer for c, answer in enumerate(answers)))


def without_repeats(log: Log, tableau: Tableau) -> tuple[Log, int]:
    """The log without the coups that repeat the coup before, and the number of coups removed.

    Later coups are renumbered. Bets on a repeat count as bets on the coup before."""
    rows = repeats_of(log.coups, tableau).rows
    if not len(rows):
        return log, 0
    dropped = np.zeros(log.coups.height, np.int64)
    dropped[rows] = 1
    numbered = log.coups.with_columns(dropped=pl.Series(dropped))
    earlier = pl.col("dropped").cum_sum().over("table", "shoe")
    numbered = numbered.with_columns(number=(pl.col("coup") - earlier).cast(pl.Int32))
    coups = numbered.filter(pl.col("dropped") == 0).with_columns(coup="number").select(log.coups.columns)
    if log.bets.is_empty():
        return replace(log, coups=coups), len(rows)
    key = ["table", "shoe", "coup"]
    bets = log.bets.join(numbered.select(*key, "number"), on=key, how="left", maintain_order="left")
    bets = bets.with_columns(coup=pl.col("number").fill_null(pl.col("coup"))).select(log.bets.columns)
    return replace(log, coups=coups, bets=bets), len(rows)


def without_stale(log: Log, tableau: Tableau) -> tuple[Log, int]:
    """The log without stale third cards, and the number of coups from which one or two were removed. A stale card is
    left over from the line before, and the recorded total fits without it (`LoggedCoups`)."""
    stale = [LoggedCoups(log.coups[first:last], tableau).left_over for first, last in slices(log.coups)]
    left_over = np.concatenate(stale) if stale else np.zeros((0, 2), np.bool_)
    thirds = {
        name: pl.when(pl.Series(left_over[:, hand])).then(pl.lit(NO_CARD, pl.Int8)).otherwise(name).alias(name)
        for hand, name in enumerate((PLACES[2], PLACES[5]))
    }
    return replace(log, coups=log.coups.with_columns(thirds.values())), int(left_over.any(axis=1).sum())
