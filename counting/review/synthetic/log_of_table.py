"""The log that a table with patrons would have left."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from counting.arrays import Ints
from counting.cards import CARDS, DECK
from counting.errors import InputError, whole
from counting.games import Game
from counting.io.toml import digest
from counting.review.synthetic.dealt_table import NONE, DealtTable, Facts
from counting.review.synthetic.patrons import Patron
from counting.simulation import MOST_SEED

_WINNERS = ("banker", "tie", "player")  # index: the sign of Player's total less Banker's


def log_frames(
    table: DealtTable, patrons: Mapping[str, Patron], game: Game, seed: int, name: str = "table 1"
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The log of a table at which these patrons bet: the files `coups` and `bets`, as frames. `patrons` maps names to
    patrons.

    - `coups`: table, shoe, coup, player and banker (a hand's cards as dealt, `9h Kd 3s`), winner. A shoe's first coup
      has `burn`: the burned cards, with ? for a card that is not seen (`8h ? ?`).
    - `bets`: table, shoe, coup, patron, bet, amount, won. Rows are sorted by coup, then in the order of the patrons.
      Amounts and results are in money, rounded to the nearest hundredth; a half is rounded to the even hundredth.

    A patron's random numbers depend on the seed, the names of table and patron, and the first shoe. They do not depend
    on other patrons. Raises `InputError` without patrons, for a bet that neither the game nor the catalog has, for a
    bet of the catalog that cannot be made in the game, and for a seed out of range."""
    seed = whole(seed, "seed", 0, MOST_SEED)
    if not patrons:
        raise InputError("patrons: none, should be one or more")
    bets = tuple(dict.fromkeys(game.main_bet(bet) for patron in patrons.values() for bet in patron.bets))
    known = Facts(game.also(bets), bets, table)
    return _coups_frame(table, name), _bets_frame(table, patrons, known, seed, name)


def random_of(seed: int, table: str, patron: str, first_shoe: int) -> np.random.Generator:
    """A patron's random numbers."""
    key = int(digest([seed, table, patron, first_shoe])[:32], 16)
    return np.random.Generator(np.random.Philox(key=key))


def _coups_frame(table: DealtTable, name: str) -> pl.DataFrame:
    text_of = (*CARDS, None)  # index -1, the last, stands for no card
    shown = {str(i): _texts(text_of, np.where(cards < 0, DECK, cards)) for i, cards in enumerate(table.cards.T)}
    hands = pl.DataFrame(shown).select(
        player=pl.concat_str("0", "1", "2", separator=" ", ignore_nulls=True),
        banker=pl.concat_str("3", "4", "5", separator=" ", ignore_nulls=True),
    )
    totals = table.coups.shown[:, :2].astype(np.int8)
    number, is_shown = table.dealing.burned_by_number
    seen = (number if is_shown else 0) if number else 1
    burned = [[card for card in row if card != NONE] for row in table.burned.tolist()]
    burns = [" ".join([*(CARDS[card] for card in row[:seen]), *"?" * len(row[seen:])]) or None for row in burned]
    of_shoe = np.where(table.coup == 1, table.coups.shoe.astype(np.uint32) + 1, 0)
    return pl.DataFrame(
        {
            **_numbers(table, name, np.arange(len(table.coup))),
            **hands.to_dict(),
            "winner": _texts(_WINNERS, np.sign(totals[:, 0] - totals[:, 1]) + 1),
            "burn": _texts((None, *burns), of_shoe),
        }
    )


def _bets_frame(table: DealtTable, patrons: Mapping[str, Patron], known: Facts, seed: int, name: str) -> pl.DataFrame:
    parts = []
    for i, (of, patron) in enumerate(patrons.items()):
        rng = random_of(seed, name, of, table.coups.first_shoe)
        hundredths = np.rint(100 * patron.stakes(table, known, rng))
        row, bet = np.nonzero(hundredths)
        parts.append((row, np.full(len(row), i), bet, hundredths[row, bet]))
    row, of_patron, bet, amount = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    order = np.argsort(row, kind="stable")
    row, of_patron, bet, amount = row[order], of_patron[order], bet[order], amount[order]
    whole_units = np.array([known.game.bet(name).denominator for name in known.bets])[bet]
    won = np.rint(amount * np.rint(known.pays[row, bet] * whole_units) / whole_units)  # rounded once
    return pl.DataFrame(
        {
            **_numbers(table, name, row),
            "patron": _texts(patrons, of_patron),
            "bet": _texts(known.bets, bet),
            "amount": amount / 100,
            "won": won / 100,
        }
    )


def _numbers(table: DealtTable, name: str, row: Ints) -> dict[str, pl.Series]:
    """The table, shoe and number of each row's coup."""
    return {
        "table": _texts((name,), np.zeros(len(row), np.uint32)),
        "shoe": pl.Series(table.shoe[row]),
        "coup": pl.Series(table.coup[row]),
    }


def _texts(names: Iterable[str | None], places: NDArray[Any]) -> pl.Series:
    return pl.Series(list(names), dtype=pl.String)[places.astype(np.uint32)]
