"""What a log of results may record of each coup, and its exact chances: who won, pairs, naturals, the hands' totals."""

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
_PAIR_BITS = {"player_pair": 1, "banker_pair": 4}  # of the code of what the first two cards show

_Shown = NDArray[np.uint8]  # of dealt coups, (rows, 11), as `simulation.Coups.shown`


@dataclass(frozen=True)
class Feature:
    """A feature of coups: its `categories`, the last of which is left out of sums; which of them a logged coup and a
    dealt one have, by number, `NOT_LOGGED` for coups that are left out; and that of an outcome, where outcomes tell."""

    name: str
    title: str
    categories: tuple[str, ...]
    dealt: Callable[[_Shown], Ints]
    of_outcome: Callable[[Outcome], int] | None = None

    def chances(self, tableau: Tableau, shoe: Ints) -> Floats:
        """The exact chance of each category in a coup from a shoe, cards of each value (10,), before any card is
        seen. A pair's is that of full decks."""
        if self.of_outcome is None:
            decks = int(shoe.sum()) // DECK
            pair = (4 * decks - 1) / (DECK * decks - 1)
            return np.array([pair, 1 - pair])
        chances = [Fraction()] * (1 + len(self.categories))  # the last of coups that are left out
        for outcome, chance in outcome_chances(tableau, shoe).items():
            chances[self.of_outcome(outcome)] += chance
        return np.array([float(chance / (1 - chances[-1])) for chance in chances[:-1]])

    def logged(self, coups: pl.DataFrame) -> Ints:
        """The category of each logged coup, `NOT_LOGGED` where it is not known. A column that has only marks of yes
        says no where it is blank (`only_marks`)."""
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
    """Whether a column of yes and no has marks of yes alone, blanks beside them."""
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
"""Who won, of a log without ties."""


def has_no_ties(coups: pl.DataFrame) -> bool:
    """Whether ties are taken as not logged: none in so many coups has a chance below 1%."""
    return coups.height >= _WITHOUT_TIES and not (coups["winner"] == TIE).any()


def logged_features(coups: pl.DataFrame) -> Sequence[Feature]:
    """The features that a log has. Where ties are not logged, that is who won alone: the chances of all others are of
    coups that may be ties."""
    if has_no_ties(coups):
        return [DECIDED]
    return [feature for feature in FEATURES if coups[feature.name].count()]
