"""How the cards are dealt, what each side sees, and where it has a choice.

A cell is what a side knows when it chooses. Player's cell is Player's total or hand, such as 5 or (1, 4). Banker's cell
is Banker's total or hand together with Player's third card or STOOD, such as (6, 9) or ((2, 4), STOOD).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, cast

from counting.cards import COUP, DECK, MOST_DECKS, Shoe
from counting.errors import InputError, Mistakes, instance, nearest
from counting.games import STOOD, Game, Tableau, load_game
from counting.io.toml import Frozen, Text, own_file, read_toml, validated
from counting.numbers import exact

Hand = tuple[int, int]
Sees = Literal["total", "hand"]
PlayerCell = int | Hand
BankerCell = tuple[int | Hand, int]

TOTALS = 8  # the number of totals (0 to 7) on which a hand may draw; 8 and 9 are naturals
THIRDS = STOOD + 1  # the number of cases of Player's third card: 0 to 9, or STOOD
HANDS: tuple[Hand, ...] = tuple(
    sorted(((a, b) for a in range(10) for b in range(a, 10)), key=lambda hand: (sum(hand) % 10, hand))
)  # the 44 hands of totals 0 to 7, then the naturals


_MOST_PARTS = 10**12


@dataclass(frozen=True)
class Model:
    """How cards are dealt and what each side sees of its hand, in Ethier and Gámez's classification."""

    name: str
    with_replacement: bool
    player_sees: Sees
    banker_sees: Sees


MODELS = {
    letter + digit: Model(letter + digit, letter == "A", player, banker)
    for letter in "AB"
    for digit, player, banker in cast(
        "list[tuple[str, Sees, Sees]]", [("1", "total", "total"), ("2", "total", "hand"), ("3", "hand", "hand")]
    )
}


@dataclass(frozen=True, init=False)
class CheminRules:
    """On which totals a hand must draw (D), must stand (S) or has the choice (*).

    `player` has a letter for each total 0 to 7. `banker` has a row for each total 0 to 7: a letter for each third card
    of Player's, 0 to 9, then a letter for a Player who stood. Spaces are ignored. Raises `InputError` with a line for
    each mistake.
    """

    title: str
    source: str
    player: str
    banker: tuple[str, ...]

    def __init__(self, title: str, source: str, player: str, banker: Sequence[str]) -> None:
        mistakes, rows = Mistakes(), banker
        for name, value in (("title", title), ("source", source)):
            if not isinstance(value, str):
                mistakes.append(f"{name}: {value!r}, should be a text")
        with mistakes.gathered():
            player = _letters(player, TOTALS, "player")
        if not isinstance(rows, tuple | list) or len(rows) != TOTALS:
            mistakes.append(f"banker: {rows!r}, should be {TOTALS} rows, for Banker's totals 0 to {TOTALS - 1}")
            rows = ()
        checked = []
        for total, row in enumerate(rows):
            with mistakes.gathered():
                checked.append(_letters(row, THIRDS, f"banker, row of total {total}"))
        mistakes.report()
        vars(self).update(title=title, source=source, player=player, banker=tuple(checked))

    @classmethod
    def of(cls, tableau: Tableau, title: str, source: str) -> CheminRules:
        """A tableau as rules in which neither side has a choice. Raises `InputError` if the tableau draws on naturals,
        because naturals end the coup in these rules."""
        if tableau.drawn_on is not None:
            raise InputError(
                f"{title}: drawn_on = {tableau.drawn_on!r}: naturals end the coup where a hand may choose, "
                "should be a game that leaves it out"
            )
        rows = tuple("".join("SD"[draws] for draws in row) for row in tableau.banker)
        return cls(title, source, "".join("SD"[draws] for draws in tableau.player), rows)

    @classmethod
    def of_game(cls, game: Game) -> CheminRules:
        """A game's tableau as rules, with a choice where the tableau has one. Raises `InputError` if the tableau draws
        on naturals."""
        cells = game.tableau.choices
        return cls.of(game.tableau, game.title, game.source).free(
            game.title,
            game.source,
            player=[cell.total for cell in cells if cell.third is None],
            banker=[(cell.total, cell.third) for cell in cells if cell.third is not None],
        )

    def free(
        self, title: str, source: str, player: Collection[int] = (), banker: Collection[tuple[int, int]] = ()
    ) -> CheminRules:
        """These rules with further choices, on the totals in `player` and in the cells (total, third) in `banker`.
        Raises `InputError` for a total or a cell that does not exist."""
        for cells, name in ((player, "player"), (banker, "banker")):
            if not isinstance(cells, Collection):
                raise InputError(f"{name}: {cells!r}, should be several")
        for total in player:
            if total not in range(TOTALS):
                raise InputError(f"player: {total!r}, should be a total from 0 to {TOTALS - 1}")
        for cell in banker:
            if not (
                isinstance(cell, tuple) and len(cell) == 2 and cell[0] in range(TOTALS) and cell[1] in range(THIRDS)
            ):
                raise InputError(f"banker: {cell!r}, should be (total 0 to 7, third card 0 to 9 or {STOOD}: stood)")
        letters = "".join("*" if total in player else letter for total, letter in enumerate(self.player))
        rows = tuple(
            "".join("*" if (total, third) in banker else letter for third, letter in enumerate(row))
            for total, row in enumerate(self.banker)
        )
        return replace(self, title=title, source=source, player=letters, banker=rows)


def _letters(value: object, length: int, where: str) -> str:
    letters = "".join(value.split()) if isinstance(value, str) else ""
    if len(letters) != length or set(letters) - set("DSds*"):
        raise InputError(f"{where}: {value!r}, should be {length} letters: D draws, S stands, * has the choice")
    return letters.upper()


def check_model(shoe: object, model: object, rules: object) -> Model:
    """The model of this name. Raises `InputError` unless shoe, model and rules are all valid."""
    shoe = instance(shoe, Shoe, "shoe", "Shoe.parse('6d')")
    if not COUP <= shoe.cards_left <= MOST_DECKS * DECK:
        raise InputError(f"shoe {shoe}: {shoe.cards_left} cards, should be {COUP} to {MOST_DECKS * DECK:,}")
    if not isinstance(model, str) or model not in MODELS:
        raise InputError(f"model {model!r}: should be one of {', '.join(MODELS)}{nearest(str(model).upper(), MODELS)}")
    if not isinstance(rules, CheminRules):
        raise InputError(f"rules: {rules!r}, should be CheminRules, as counting.chemin.CLASSICAL")
    return MODELS[model]


def part(value: object, name: str, what: str, whole: bool = True) -> Fraction:
    """A share as a fraction from 0 to 1. Unless `whole` is true, the share must be less than 1. The value is a whole
    number, a fraction, or a text such as 0.05, 5% or 1/20. Raises `InputError` for anything else, and for a denominator
    above 10^12."""
    written = exact(value, percent=True) if isinstance(value, str) else value
    if isinstance(written, Fraction | int) and not isinstance(written, bool):
        fraction = Fraction(written)
        if fraction.denominator <= _MOST_PARTS and (0 <= fraction < 1 or (whole and fraction == 1)):
            return fraction
    to = "to 1" if whole else "to less than 1"
    rounded = "; a float is not exact" if isinstance(value, float) else ""
    is_long = isinstance(value, Fraction | int) and max(abs(value.numerator), value.denominator) > _MOST_PARTS
    shown = "a number of more digits" if is_long else repr(value)
    raise InputError(f"{name}: {shown}, {what}should be from 0 {to}, as 1/20 or 0.05, in at most 12 digits{rounded}")


_GAME = load_game("punto-banco")

CLASSICAL = CheminRules(
    "Classical parlor game",
    "Ethier and Gámez, A Game-Theoretic Analysis of Baccara Chemin de Fer",
    "DDDDD*SS",
    ("*" * THIRDS,) * TOTALS,
)
PUNTO_BANCO = CheminRules.of(_GAME.tableau, _GAME.title, _GAME.source)
MODERN = PUNTO_BANCO.free(
    "Modern casino game, before commission",
    "Gaming dictionary (pokerwiner.com), Chemin de fer, the printed rules: optional are Player's five, Banker's three "
    "giving a nine and Banker's five giving a four; else punto banco's tableau",
    player=(5,),
    banker=((3, 9), (5, 4)),
)
NAMED = {"classical": CLASSICAL, "modern": MODERN, "punto-banco": PUNTO_BANCO}


class _File(Frozen):
    title: Text
    source: Text
    player: Any
    banker: Any


def load_rules(name_or_path: str | Path) -> CheminRules:
    """The rules named `classical`, `modern` or `punto-banco`, or your own rules, given by the path of a TOML file. The
    file has the keys of `CheminRules`. It can also be a game's file. If it is, a hand has a choice wherever the game's
    tableau has a `*`.

    Raises `InputError` with a line for each mistake. A line gives the file and the key and, where they help, the value
    and what is allowed.
    """
    if (named := NAMED.get(str(name_or_path))) is not None:
        return named
    path = own_file(name_or_path, "rules", NAMED)
    data, mistakes = read_toml(path), Mistakes()
    if "tableau" in data:
        return CheminRules.of_game(load_game(path))
    validated(_File, data, [], mistakes.append)
    with mistakes.gathered():  # mistakes in the letters are reported even if another key is wrong
        known = {"player": CLASSICAL.player, "banker": CLASSICAL.banker, **data}
        rules = CheminRules("", "", known["player"], known["banker"])
    Mistakes(f"{path}: {mistake}" for mistake in mistakes).report()
    return replace(rules, title=data["title"], source=data["source"])
