"""A table with lightning multipliers as data: its game, fee, chances and bets, from a TOML file.

    title = "Lightning, table 4"
    source = "the rule sheet of 2026"
    game = "punto-banco"
    fee = "20%"
    cards = { 1 = "50%", 2 = "50%" }
    multipliers = { 2 = "7/10", 5 = "1/5", 8 = "1/10" }

    [[bets]]
    name = "player"
    on = "player"
    odds = 1

`cards` has the chance of each number of lightning cards, `multipliers` the chance of each multiplier of a card.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BeforeValidator

from counting.cards import Shoe
from counting.errors import InputError, Mistakes, whole
from counting.exact.lightning import Lightning, LightningBet, LightningPrice, On, lightning_prices
from counting.games import Game, game_beside
from counting.io.toml import Frozen, Text, duplicated, own_file, read_toml, validated, value_text
from counting.numbers import as_plain, number, share

Made = TypeVar("Made")

_MOST_ODDS = 1_000_000


def _plain(read: Callable[[object, str], Fraction], value: object) -> str:
    """Check a number of the file and keep it as plain text, so that it stays exact: 0.2 is a fifth, and 20% becomes
    0.2."""
    written = "" if isinstance(value, bool) else str(value)
    try:
        return as_plain(written, read(written, ""))
    except InputError as error:
        raise ValueError(f"should be {error.allowed}") from None


def _chances(value: object) -> dict[int, str]:
    """A dict from whole numbers to chances. The keys in a file are texts, which are read as whole numbers."""
    if not isinstance(value, Mapping) or not value:
        raise ValueError('should be chances by number, as { 1 = "50%", 2 = "50%" }')
    chances = {}
    for key, chance in value.items():
        try:
            of = whole(int(str(key)), "", 0, 10**6)
        except ValueError:
            raise ValueError(f"{str(key)!r}: should be a whole number, with its chance") from None
        try:
            chances[of] = _plain(share, chance)
        except ValueError as error:
            raise ValueError(f"the chance of {of} {error}") from None
    return chances


Share = Annotated[str, BeforeValidator(partial(_plain, share))]
Odds = Annotated[str, BeforeValidator(partial(_plain, partial(number, most=_MOST_ODDS)))]
Chances = Annotated[dict[int, str], BeforeValidator(_chances)]


class LightningLine(Frozen):
    """A bet of the table: it pays `odds` times the multipliers, less `commission` per unit staked."""

    name: Text
    on: On
    odds: Odds
    commission: Share = "0"

    @property
    def bet(self) -> LightningBet:
        return LightningBet.of(self.on, self.odds, self.commission)


def _lines(value: object) -> tuple[Any, ...]:
    if isinstance(value, list | tuple) and value:
        return tuple(value)
    raise ValueError("should be tables [[bets]] with name, on and odds")


class LightningFile(Frozen):
    """The file of a table with every field checked; the game is not loaded yet, and the sums of the chances are not
    checked yet."""

    title: Text
    source: Text
    game: Text
    fee: Share
    cards: Chances
    multipliers: Chances
    bets: Annotated[tuple[LightningLine, ...], BeforeValidator(_lines)]


@dataclass(frozen=True)
class LightningTable:
    """A game with lightning multipliers: its drawing rules, how the lightning cards are drawn, and its bets by name."""

    title: str
    source: str
    game: Game
    lightning: Lightning
    bets: Mapping[str, LightningBet]

    def prices(self, shoe: Shoe | str) -> dict[str, LightningPrice]:
        """The exact price of each bet on a shoe known by card; errors as for `lightning_prices`."""
        return lightning_prices(self.game, shoe, self.lightning, self.bets)


def load_lightning(path: str | Path) -> LightningTable:
    """Load a table from its TOML file. The file of its game is looked for in the same folder first. Raises `InputError`
    with a line per mistake."""
    path = own_file(path, "lightning table", ())
    mistakes = Mistakes()
    file = validated(LightningFile, read_toml(path), [str(path)], mistakes.append)
    mistakes.report()
    assert file is not None
    for i, name in duplicated(dict(enumerate((line.name for line in file.bets), 1))).items():
        mistakes.append(
            f"{path}, bets {i}, name = {value_text(name)}: is the name of another bet, should be a new name"
        )

    def placed(make: Callable[[], Made]) -> Made | None:
        try:
            return make()
        except InputError as error:
            mistakes.extend(f"{path}: {line}" for line in str(error).split("\n"))
            return None

    game = placed(lambda: game_beside(path, file.game))
    lightning = placed(lambda: Lightning.of(file.cards, file.multipliers, file.fee))
    mistakes.report()
    assert game is not None
    assert lightning is not None
    return LightningTable(file.title, file.source, game, lightning, {line.name: line.bet for line in file.bets})
