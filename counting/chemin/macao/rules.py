"""The rules of macao and Victoria, read from a TOML file. In these games, each punter plays against the banker.

Each rule that the game's source leaves open is a key of the file. The package's files `macao/*.toml` mark choices that
are the project's own. Only the values of cards matter; tens and faces have the value 0. Amounts are what the punter
wins or loses per unit staked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BeforeValidator

from counting.arrays import Bools, Ints
from counting.cards import DECK, Shoe
from counting.errors import InputError, Mistakes, instance, whole
from counting.io.toml import Frozen, Text, find, read_toml, validated

VALUES = 10  # the number of card values, and of totals: 0 to 9
BUST = VALUES  # the total given to a hand over nine, if such a hand loses
MOST_DECKS = 8  # with ten, a count of ordered deals of seven cards would not fit 63 bits
MOST_PAID = 100


def _whole(low: int, high: int) -> BeforeValidator:
    def check(value: object) -> int:
        try:
            return whole(value, "", low, high)
        except InputError:
            raise ValueError(f"should be a whole number from {low} to {high}") from None

    return BeforeValidator(check)


def _letters(value: object) -> str:
    letters = "".join(value.split()).upper() if isinstance(value, str) else ""
    if len(letters) != VALUES or set(letters) - set("DS"):
        raise ValueError(f"should be {VALUES} letters, for totals 0 to 9: D for draw or S for stand")
    return letters


def _rows(value: object) -> object:
    if not isinstance(value, list | tuple):
        raise ValueError("should be a list of rows, for no card drawn so far, one, and so on")
    return tuple(value)


Units = Annotated[int, _whole(1, MOST_PAID)]


class Macao(Frozen):
    """The rules of one game.

    `cards` is the number of first cards of each hand. `most_drawn` is the most cards that a hand may draw after them,
    not counting rejected cards. `banker` has a row for each number of cards drawn so far, from 0 on, with a letter for
    each total 0 to 9: D for draw, S for stand.
    """

    title: Text
    source: Text
    cards: Annotated[int, _whole(1, 2)]
    decks: Annotated[int, _whole(1, MOST_DECKS)] = 2
    most_drawn: Annotated[int, _whole(1, 3)]
    rejects: Literal["punter", "both", "nobody"]
    over_nine: Literal["modulo", "bust"]
    both_bust: Literal["banker", "push"] = "banker"
    equal: Literal["banker", "push"]
    naturals_shown: bool
    pays: Units = 1
    pays_eight: Units
    pays_nine: Units
    pays_pair: Units = 1
    banker_eight_takes: Units = 1
    banker_nine_takes: Units = 1
    banker: Annotated[tuple[Annotated[str, BeforeValidator(_letters)], ...], BeforeValidator(_rows)]

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], where: str = "") -> Macao:
        """Rules from plain data. Raises `InputError` with a line for every mistake; each line begins with `where`.
        Contradictions between keys are reported only if each key by itself is right."""
        mistakes = Mistakes()

        def complain(mistake: str) -> None:
            mistakes.append(where + mistake)

        rules = validated(cls, dict(data), [], complain)
        mistakes.report()
        assert rules is not None
        for mistake in rules._disagreements():
            complain(mistake)
        mistakes.report()
        return rules

    def varied(self, **changes: object) -> Macao:
        """These rules with other values of some keys; None leaves a key out. Raises `InputError` as `from_dict`."""
        data = {**self.model_dump(exclude_unset=True), **changes}
        return self.from_dict({key: value for key, value in data.items() if value is not None})

    def _disagreements(self) -> list[str]:
        mistakes = []
        if len(self.banker) != self.most_drawn:
            mistakes.append(f"banker: {len(self.banker)} rows, should be {self.most_drawn}, one for each of most_drawn")
        if self.naturals_shown and "D" in "".join(self.banker[:1])[8:]:
            mistakes.append(f'banker 1 = "{self.banker[0]}": should stand on 8 and 9, which are shown at once')
        if self.over_nine == "bust" and self.cards == 2:
            mistakes.append('over_nine = "bust": should be "modulo" where two cards are dealt, which may be over nine')
        if self.over_nine == "modulo" and "both_bust" in self.model_fields_set:
            mistakes.append(f'both_bust = "{self.both_bust}": needs over_nine = "bust", should be left out')
        if self.cards == 1 and "pays_pair" in self.model_fields_set:
            mistakes.append(f"pays_pair = {self.pays_pair}: needs cards = 2, should be left out")
        return mistakes

    @property
    def punter_rejects(self) -> bool:
        return self.rejects != "nobody"

    @property
    def banker_rejects(self) -> bool:
        return self.rejects == "both"

    @property
    def most_cards(self) -> int:
        """The most cards that one hand can have."""
        return self.cards + self.most_drawn

    @property
    def shoe(self) -> Shoe:
        """The full shoe."""
        return Shoe.decks(self.decks)

    def total(self, hand: Sequence[int]) -> int:
        """The total of a hand's values, or `BUST`."""
        points = sum(hand)
        return BUST if self.over_nine == "bust" and points > 9 else points % VALUES


@dataclass(frozen=True, init=False)
class Chart:
    """The play of a punter who looks at the total only. `rows` has a row of letters for each number of cards drawn so
    far, as `Macao.banker` has. `rejects`: whether to reject tens and faces, if the rules allow it. Raises `InputError`
    for an invalid row, and if `rows` is neither a list nor a tuple."""

    rows: tuple[str, ...]
    rejects: bool = True

    def __init__(self, rows: Sequence[str], rejects: bool = True) -> None:
        mistakes, checked = Mistakes(), []
        if not isinstance(rows, tuple | list):
            raise InputError(f"chart {rows!r}: should be a row for each card that may be drawn")
        for row in rows:
            try:
                checked.append(_letters(row))
            except ValueError as error:
                mistakes.append(f"chart {row!r}: {error}")
        mistakes.report()
        vars(self).update(rows=tuple(checked), rejects=rejects)

    def draws(self, drawn: int, hands: Ints, rejected: Ints) -> Bools:
        """Whether to draw to each hand (n,). `hands` has the values of each hand's cards (n, k), and `drawn` is the
        number of cards drawn so far. `rejected` is not used."""
        letters: Bools = np.array([letter == "D" for letter in self.rows[drawn]])[hands.sum(axis=1) % VALUES]
        return letters

    def refuses(self, drawn: int, hands: Ints, rejected: Ints) -> Bools:
        """Whether to reject a ten or face that is drawn to each hand (n,)."""
        return np.full(len(hands), self.rejects)


def check_macao(shoe: object, rules: object, chart: object = None) -> None:
    """Raise `InputError` unless these are a shoe, rules and, if there is a chart, a chart that fits the rules. The shoe
    must have at most eight decks, and enough cards for every coup. If the rules allow tens and faces to be rejected,
    the shoe must have enough other cards."""
    if not isinstance(rules, Macao):
        raise InputError(f"rules: {rules!r}, should be Macao's, as load_macao('macao') has them")
    shoe = instance(shoe, Shoe, "shoe", "Shoe.parse('2d')")
    if shoe.cards_left > MOST_DECKS * DECK:
        raise InputError(f"shoe {shoe}: {shoe.cards_left} cards, should be {MOST_DECKS * DECK} at most")
    needed, what = 2 * rules.most_cards, "cards other than tens and faces" if rules.punter_rejects else "cards"
    available = shoe.cards_left - shoe.values[0] * rules.punter_rejects
    if available < needed:
        raise InputError(f"shoe {shoe}: {available} {what}, should be {needed} or more, which a coup may take")
    if isinstance(chart, Chart) and len(chart.rows) != rules.most_drawn:
        raise InputError(
            f"chart {' '.join(chart.rows)}: should have {rules.most_drawn} rows, one for each card that may be drawn"
        )


def load_macao(name_or_path: str | Path) -> Macao:
    """Shipped rules by name, `macao`, `early-macao` or `victoria`, or your own rules, given by the path of a TOML file.

    Raises `InputError` with a line for each mistake. A line gives the file and the key and, where they help, the value
    and what is allowed.
    """
    path = find(name_or_path, "chemin/macao")
    return Macao.from_dict(read_toml(path), f"{path}: ")
