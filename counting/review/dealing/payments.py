"""Checks the bets of a log against the pay tables: unknown bets, and payments that the dealt cards do not explain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Literal, get_args

import numpy as np
import polars as pl

from counting.arrays import Ints
from counting.errors import InputError, nearest
from counting.games import Bet, Game, Tableau, catalog
from counting.logs import Log, repeated
from counting.review.dealing.error_rows import ErrorRows, rows_where
from counting.review.hands import CoupsShown
from counting.review.payouts import classes_of
from counting.workers import in_threads

Favour = Literal["house", "patron", "nearest"]
MOST_UNIT = 1000
SLICE = 1 << 17  # the number of bets judged at a time


@dataclass(frozen=True)
class Rounding:
    """How to round wins that are not a whole number of units. Banker's wins less commission often need this.

    `unit`: the unit in money. `favour`: "house" rounds down, "patron" rounds up, and "nearest" rounds to the nearest
    unit, where a half may be rounded either way. Raises `InputError` for a unit that is not a whole number of
    hundredths from 0.01 to 1000, and for another `favour`.

    >>> from fractions import Fraction
    >>> from counting.review import Rounding
    >>> Rounding(Fraction(1, 2), "house").due(1010, Fraction(19, 20))  # 10.10 wins 9.595: 9.50 is paid
    [950]
    """

    unit: Fraction
    favour: Favour = "house"

    def __post_init__(self) -> None:
        if not 0 < self.unit <= MOST_UNIT or (100 * self.unit).denominator != 1:
            raise InputError(f"--round-to: {float(self.unit):g}", f"an amount from 0.01 to {MOST_UNIT}, as 0.25 or 1")
        if self.favour not in get_args(Favour):
            raise InputError(f"--round-for: {self.favour!r}", "house, patron or nearest")

    @property
    def hundredths(self) -> int:
        return int(100 * self.unit)

    def due(self, amount: int, pay: Fraction) -> list[int]:
        """The wins that this rule allows for a bet of `amount` hundredths, in hundredths."""
        exact = pay * amount / self.hundredths
        low, high = floor(exact), ceil(exact)
        if self.favour == "nearest":
            chosen = [low] if exact - low < high - exact else [high] if exact - low > high - exact else [low, high]
        else:
            chosen = [low if self.favour == "house" else high]
        return [self.hundredths * units for units in dict.fromkeys(chosen)]


def judge_bets(log: Log, shown: CoupsShown, game: Game, rounding: Rounding | None = None) -> list[pl.DataFrame]:
    """Errors in the names of bets and in payments: a frame for each slice of a log's bets."""
    names = log.bets["bet"].unique(maintain_order=True)
    bets = [known_bet(name, game) for name in names]
    numbers = pl.DataFrame({"bet": names, "number": pl.Series(range(len(names)), dtype=pl.Int64)})
    unnamed = np.array([bet is None for bet in bets], np.bool_)
    unknown_lines = {i: _unknown(names[i], game) for i in np.flatnonzero(unnamed).tolist()}
    rows, together = log.bet_rows, _together(log.bets)

    def errors_from(first: int) -> pl.DataFrame:
        part = slice(first, first + SLICE)
        some, at = log.bets[part], rows[part].astype(np.int64)
        number = some.select("bet").join(numbers, on="bet", how="left", maintain_order="left")["number"].to_numpy()
        errors = ErrorRows(first)
        unknown = unnamed[number]
        errors.add("unknown-bet", rows_where(unknown), lambda row: unknown_lines[number[row]])
        at[unknown | some["won"].is_null().to_numpy()] = -1
        _judge_payments(some, together[part], at, number, bets, shown, game.tableau, rounding, errors)
        return errors.frame(log.bets, "bets")

    return list(in_threads(errors_from, range(0, log.bets.height, SLICE)))


def _judge_payments(
    log: pl.DataFrame,
    together: pl.DataFrame,
    at: Ints,
    number: Ints,
    bets: Sequence[Bet | None],
    shown: CoupsShown,
    tableau: Tableau,
    rounding: Rounding | None,
    errors: ErrorRows,
) -> None:
    """Judge payments.

    `together` has the amounts and results from `_together`. `at` is the row of each bet's coup, below 0 if the bet is
    not judged. `number` is the bet's place in `bets`."""
    rows = np.flatnonzero((at >= 0) & shown.sized[at])
    coup, bet = at[rows], number[rows]
    classes, may_pay = np.zeros(len(rows), np.int64), {}
    for i in np.unique(bet).tolist():
        chosen = bets[i]
        assert chosen is not None
        of_bet = bet == i
        classes[of_bet], may_pay[i] = classes_of(chosen, shown, coup[of_bet], tableau)
    width = int(classes.max(initial=0)) + 1
    cases, case = np.unique(bet * width + classes, return_inverse=True)
    pays = [_pay(may_pay[code // width](code % width)) for code in cases.tolist()]
    won, staked = (np.array([int(part) for part in parts], np.int64)[case] for parts in (
        [0 if pay is None else pay.numerator for pay in pays], [0 if pay is None else pay.denominator for pay in pays],
    ))  # fmt: skip
    # Amounts are below 2^37; odds and their denominators are below 2^20. So no product exceeds 2^57.
    paid, exact = together["won"].to_numpy()[rows] * staked, together["amount"].to_numpy()[rows] * won
    step = staked * (1 if rounding is None else rounding.hundredths)
    off = paid - exact
    unit_off = paid % step.clip(1) != 0
    match None if rounding is None else rounding.favour:
        case None:
            bad = np.abs(off) >= step
        case "house":
            bad = (off > 0) | (off <= -step) | unit_off
        case "patron":
            bad = (off < 0) | (off >= step) | unit_off
        case _:
            bad = (2 * np.abs(off) > step) | unit_off
    wrong = np.flatnonzero((staked > 0) & bad)
    pay_of = {int(rows[i]): pays[case[i]] for i in wrong}

    def due(row: int) -> list[int]:
        pay, amount = pay_of[row], log["amount"][row]
        assert pay is not None
        return _due(amount, pay) if rounding is None else rounding.due(amount, pay)

    errors.add(
        "payment",
        pay_of,
        lambda row: _paid(log.row(row, named=True), due(row)),
        lambda row: (log["won"][row] - min(due(row), key=lambda d: abs(d - log["won"][row]))) / 100,
    )


def _together(log: pl.DataFrame) -> pl.DataFrame:
    """The amount and the result of each line of the bets. Several lines for one bet are added up if exactly one of them
    has a result other than 0. For this condition, a missing result counts as other than 0. In the sums, it counts as
    0."""
    bet = ["table", "shoe", "coup", "patron", "bet"]
    paid = log.select(pl.col("amount", "won").fill_null(0))
    twice = repeated(log.select(bet))
    if not twice.any():
        return paid
    paid_once = (pl.len().over(bet) > 1) & ((pl.col("won").fill_null(1) != 0).sum().over(bet) == 1)
    rows = log.filter(pl.Series(twice)).select(
        pl.when(paid_once).then(pl.col(name).sum().over(bet)).otherwise(name).fill_null(0).alias(name)
        for name in ("amount", "won")
    )
    at = pl.Series(np.flatnonzero(twice))
    return pl.DataFrame([paid[name].scatter(at, rows[name]) for name in paid.columns])


def known_bet(name: str, game: Game) -> Bet | None:
    """The bet of this name: one of the game's bets, a main bet or a bet of the catalog. None for an unknown name."""
    name = game.main_bet(name)
    return game.bet(name) if name in game.bet_names else catalog().get(name)


def _unknown(name: str, game: Game) -> str:
    hint = nearest(name, (*game.main_bets, *game.bet_names, *catalog()))
    return f"a bet on {name!r}, which neither {game.name} nor the catalog has{hint}"


def _pay(pays: set[Fraction]) -> Fraction | None:
    """The pay if only one is possible. None if unread cards leave several possible."""
    return next(iter(pays)) if len(pays) == 1 else None


def _paid(row: dict[str, int], due: Sequence[int]) -> str:
    should = " or ".join(map(_money, due))
    return f"{_money(row['amount'])} on {row['bet']} recorded as {_money(row['won'])}, should be {should}"


def _due(amount: int, pay: Fraction) -> list[int]:
    """The wins that a bet may be paid, in hundredths. A win between two hundredths may be rounded either way."""
    low = (pay * amount).numerator // (pay * amount).denominator
    return [low] if pay * amount == low else [low, low + 1]


def _money(hundredths: int) -> str:
    whole_units, rest = divmod(abs(hundredths), 100)
    return f"{'-' * (hundredths < 0)}{whole_units}.{rest:02}"
