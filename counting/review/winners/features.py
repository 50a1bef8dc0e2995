"""What a log of results may record for each coup, and its exact chances: the winner, pairs, naturals, the hands'
totals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import polars as pl
from numpy.typing import NDArray

from counting.arrays import Bools, Floats, Ints
from counting.cards import DECK
from counting.games import Outcome, Tableau
from counting.review.chances import outcome_chances

PLAYER, BANKER, TIE = WINNERS = ("player", "banker", "tie")
NOT_LOGGED = -1
_NATURAL, _WITHOUT_TIES = 8, 60
_PAIR_BITS = {"player_pair": 1, "banker_pair": 4}  # bits of the code for the first two cards

_Shown = NDArray[np.uint8]  # dealt coups (rows, 11), as in `simulation.Coups.shown`


@dataclass(frozen=True)
class Feature:
    """A feature of coups.

    - `categories`: the names of its categories; the last is left out of sums
    - `logged` and `dealt`: functions that give the number of each coup's category; `NOT_LOGGED` for a coup that is left
      out
    - `of_outcome`: a function that gives the category of an outcome; None for a pair, as outcomes do not show pairs"""

    name: str
    title: str
    categories: tuple[str, ...]
    dealt: Callable[[_Shown], Ints]
    of_outcome: Callable[[Outcome], int] | None = None

    def chances(self, tableau: Tableau, shoe: Ints) -> Floats:
        """The exact chance of each category in a coup, before any card is seen.

        `shoe` (10,) has the number of cards of each value. The chance of a pair is for full decks."""
        if self.of_outcome is None:
            decks = int(shoe.sum()) // DECK
            pair = (4 * decks - 1) / (DECK * decks - 1)
            return np.array([pair, 1 - pair])
        chances = [Fraction()] * (1 + len(self.categories))  # the last is for coups that are left out
        for outcome, chance in outcome_chances(tableau, shoe).items():
            chances[self.of_outcome(outcome)] += chance
        return np.array([float(chance / (1 - chances[-1])) for chance in chances[:-1]])

    def logged(self, coups: pl.DataFrame) -> Ints:
        """The category of each logged coup, `NOT_LOGGED` if it is not known. If a column has only marks for yes
        (`only_marks`), a blank means no."""
        if self.name == "winner":
            codes = coups["winner"].cast(pl.String).replace_strict(
                dict(zip(WINNERS, range(3), strict=True)), default=NOT_LOGGED, return_dtype=pl.Int64
            )  # fmt: skip
        elif len(self.categories) == 2:
            marked = coups[self.name]
            codes = 1 - marked.fill_null(False).cast(pl.Int64)
            if not only_marks(coups, self.name):
                codes = codes.to_frame("code").select(
                    pl.when(marked.is_null()).then(pl.lit(NOT_LOGGED, pl.Int64)).otherwise(pl.col("code"))
                )["literal"]  # fmt: skip
        else:
            codes = coups[self.name].cast(pl.Int64).fill_null(NOT_LOGGED)
        return np.asarray(codes.to_numpy(), np.int64)


def only_marks(coups: pl.DataFrame, name: str) -> bool:
    """Whether a yes-or-no column has marks for "yes" and blanks, at least one of each, and nothing else."""
    marked = coups[name].drop_nulls()
    return 0 < len(marked) < coups.height and bool(marked.all())


def _won(shown: _Shown) -> Ints:
    player, banker = shown[:, 0], shown[:, 1]
    return np.where(player > banker, 0, np.where(player < banker, 1, 2)).astype(np.int64)


def _natural(shown: _Shown) -> Bools:
    return np.asarray(((shown[:, :2] >= _NATURAL) & (shown[:, 2:4] == 2)).any(axis=1))


def _pair(name: str) -> Feature:
    title = name.replace("_", " ").capitalize()
    return Feature(name, title, ("pair", "no pair"), lambda shown: 1 - (shown[:, 4] & _PAIR_BITS[name] > 0).astype(int))


def _total(name: str, at: int) -> Feature:
    title = f"{name.partition('_')[0].capitalize()}'s total"
    return Feature(name, title, tuple(map(str, range(10))), lambda shown: shown[:, at].astype(int), lambda out: out[at])


FEATURES = (
    Feature(
        "winner",
        "Winner",
        WINNERS,
        _won,
        lambda outcome: WINNERS.index(outcome.winner),
    ),
    _pair("player_pair"),
    _pair("banker_pair"),
    Feature(
        "natural",
        "Natural",
        ("natural", "no natural"),
        lambda shown: 1 - _natural(shown).astype(int),
        lambda outcome: 1 - outcome.natural,
    ),
    _total("player_total", 0),
    _total("banker_total", 1),
)


DECIDED = Feature(
    "winner",
    "Winner",
    WINNERS[:2],
    lambda shown: np.where(_won(shown) == 2, NOT_LOGGED, _won(shown)),
    lambda outcome: NOT_LOGGED if outcome.winner == TIE else WINNERS.index(outcome.winner),
)
"""The winner, in a log without ties."""


def has_no_ties(coups: pl.DataFrame) -> bool:
    """Whether ties were not logged. This is assumed if a log has no tie in `_WITHOUT_TIES` coups or more. If ties were
    logged, the chance of seeing none would be below 1%."""
    return coups.height >= _WITHOUT_TIES and not (coups["winner"] == TIE).any()


def logged_features(coups: pl.DataFrame) -> Sequence[Feature]:
    """The features that a log has.

    If ties are not logged, only the winner is used, because the chances of all other features are for all coups, ties
    included."""
    if has_no_ties(coups):
        return [DECIDED]
    return [feature for feature in FEATURES if coups[feature.name].count()]
