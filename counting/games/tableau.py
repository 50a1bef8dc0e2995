"""Tableaux: who draws a third card, and when."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from itertools import product
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Self

from pydantic import BeforeValidator, ModelWrapValidatorHandler, PlainValidator, model_validator

from counting.games.coup import Outcome
from counting.io.toml import Frozen

NATURAL = 8  # a total of this or more, on two cards
_MOST_NAMED = 3  # the most choices that a title names
STOOD = 10  # the column of Banker's table for a Player who stood


class Choice(NamedTuple):
    """A cell in which a hand may draw or stand: the hand's two-card total and, for Banker, Player's third card
    (`STOOD` if Player drew none).

    >>> from counting.games import STOOD, Choice
    >>> str(Choice(5)), str(Choice(3, 9)), str(Choice(6, STOOD))
    ("Player's 5", "Banker's 3 after a 9", "Banker's 6 after Player stood")
    """

    total: int
    third: int | None = None

    @property
    def hand(self) -> str:
        return "player" if self.third is None else "banker"

    def __str__(self) -> str:
        if self.third is None:
            return f"Player's {self.total}"
        after = "Player stood" if self.third == STOOD else f"a{'n' * (self.third == 8)} {self.third}"
        return f"Banker's {self.total} after {after}"


_OPEN = None  # stands for the letter * until `choices` gives its move
_DRAWS = {"D": True, "S": False, "*": _OPEN}


def _letters(length: int) -> Callable[[object], tuple[bool | None, ...]]:
    def check(value: object) -> tuple[bool | None, ...]:
        letters = _spelt(value, "DS*")
        if len(letters) != length:
            raise ValueError(f"should be {length} letters, D for draw, S for stand or * for a choice")
        return tuple(_DRAWS[letter] for letter in letters)

    return check


def _spelt(value: object, allowed: str) -> str:
    """The letters of a text without blanks, in capitals. Empty if a letter is not allowed, or if the value is no
    text."""
    letters = "".join(value.split()).upper() if isinstance(value, str) else ""
    return letters if set(letters) <= {*allowed} else ""


def _rows(value: object) -> tuple[tuple[bool | None, ...], ...]:
    if not isinstance(value, list | tuple) or len(value) != 8:
        raise ValueError("should be a list of eight rows, for Banker's totals 0 to 7")
    return tuple(value)


def _played(value: object) -> str:
    if value == () or (letters := _spelt(value, "DS")):
        return letters if value else ""
    each = "D or S for every *, or one letter for each * in order"
    raise ValueError(f"choices = {value!r}: should be {each}, the moves that prices assume")


class Tableau(Frozen):
    """Which hand draws a third card: `player[total]` and `banker[total][third]`. A third of 10 means that Player stood.

    `drawn_on` is "player", "banker" or "both": the hands whose naturals do not end the coup, as in a wrongly programmed
    machine. A hand with such a natural stands. The other hand draws by the tableau, unless it has a natural too.

    `choices` are the cells in which a hand may draw or stand. In a file, these cells have the letter `*`, and the key
    `choices` has D or S for each cell, or one letter for all cells. `player` and `banker` then hold the chosen moves;
    prices and dealt shoes use these moves.

    >>> from counting import load_game
    >>> load_game("punto-banco").tableau.player
    (True, True, True, True, True, True, False, False)
    """

    by_total: ClassVar = ("banker",)

    player: Annotated[tuple[bool, ...], PlainValidator(_letters(8))]
    banker: Annotated[tuple[Annotated[tuple[bool, ...], PlainValidator(_letters(11))], ...], BeforeValidator(_rows)]
    drawn_on: Literal["player", "banker", "both"] | None = None
    choices: tuple[Choice, ...] = ()

    @model_validator(mode="wrap")
    @classmethod
    def _read(cls, data: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        """A tableau from letters. The cells with the letter * are the tableau's choices, and the key `choices` gives
        their moves."""
        if not isinstance(data, dict):
            return handler(data)
        letters = _played(data.get("choices", ()))
        return handler({**data, "choices": ()})._take(letters)

    def _take(self, letters: str) -> Self:
        cells = [Choice(total) for total, draws in enumerate(self.player) if draws is _OPEN]
        cells += [
            Choice(total, third)
            for total, row in enumerate(self.banker)
            for third, draws in enumerate(row)
            if draws is _OPEN
        ]
        if not cells and letters:
            raise ValueError(f"choices = {letters!r}: no letter is *, should be left out")
        if cells and len(letters) not in (1, len(cells)):
            many = f"{len(cells)} letter{'s are' if len(cells) > 1 else ' is'} *"
            each = "D or S" if len(cells) == 1 else f"D or S for all of them, or {len(cells)} of these letters"
            fault = f"choices = {letters!r}: {many}" if letters else f"choices: missing where {many}"
            raise ValueError(f"{fault}, should be {each}: the moves that prices assume")
        moves = [letter == "D" for letter in letters * (len(cells) // (len(letters) or 1))]
        vars(self).update(self._with(dict(zip(cells, moves, strict=True))), choices=tuple(cells))
        return self

    def _with(self, moves: Mapping[Choice, bool]) -> dict[str, Any]:
        """`player` and `banker` with these moves in these cells."""
        return {
            "player": tuple(moves.get(Choice(total), draws) for total, draws in enumerate(self.player)),
            "banker": tuple(
                tuple(moves.get(Choice(total, third), draws) for third, draws in enumerate(row))
                for total, row in enumerate(self.banker)
            ),
        }

    def draws(self, choice: Choice) -> bool:
        """Whether prices assume that the hand draws in this cell."""
        return self.player[choice.total] if choice.third is None else self.banker[choice.total][choice.third]

    @property
    def taken(self) -> str:
        """Words after a title: the moves that prices assume for the choices or, if there are more than three, the
        number of choices. Empty if there are no choices."""
        if not self.choices:
            return ""
        if len(self.choices) > _MOST_NAMED:
            return f" ({len(self.choices)} choices taken as the game's file says)"
        moves = (f"{choice} taken to {'draw' if self.draws(choice) else 'stand'}" for choice in self.choices)
        return f" ({'; '.join(moves)})"

    def playing(self, moves: Mapping[Choice, bool]) -> Tableau:
        """The tableau with these moves for its choices. `moves` says, by cell, whether the hand draws; other cells are
        unchanged."""
        return self.model_copy(update=self._with(moves))

    @property
    def fixed(self) -> Tableau:
        """The same tableau without choices: every hand makes the chosen moves."""
        return self._fixed if self.choices else self

    @property
    def ways(self) -> tuple[Tableau, ...]:
        """Tableaux that leave no choice, and that together deal every possible coup. In each of them, a hand draws in
        all of its choices or stands in all of them."""
        return self._ways if self.choices else (self,)

    # If there is no choice, `fixed` and `ways` are not cached. Cached values take part in comparisons, and a tableau
    # that is cached in itself would be compared without end.

    @cached_property
    def _fixed(self) -> Tableau:
        return self.model_copy(update={"choices": ()})

    @cached_property
    def _ways(self) -> tuple[Tableau, ...]:
        by_hand: list[list[dict[Choice, bool]]] = [
            [dict.fromkeys(cells, draws) for draws in (True, False)] if cells else [{}]
            for cells in ([c for c in self.choices if c.hand == hand] for hand in ("player", "banker"))
        ]
        return tuple(self.playing(player | banker).fixed for player, banker in product(*by_hand))

    def to_dict(self) -> dict[str, Any]:
        """The tableau as the table of a file."""

        def letter(*cell: int) -> str:
            choice = Choice(*cell)
            return "*" if choice in self.choices else "SD"[self.draws(choice)]

        rows = ["".join(letter(total, third) for third in range(STOOD + 1)) for total in range(NATURAL)]
        kept: dict[str, Any] = {"player": "".join(map(letter, range(NATURAL))), "banker": rows}
        if self.drawn_on is not None:
            kept["drawn_on"] = self.drawn_on
        if self.choices:
            kept["choices"] = "".join("SD"[self.draws(choice)] for choice in self.choices)
        return kept

    @cached_property
    def ending(self) -> tuple[bool, bool]:
        """Whether Player's naturals end the coup, and whether Banker's do."""
        return self.drawn_on not in ("player", "both"), self.drawn_on not in ("banker", "both")

    def ends(self, player: int, banker: int) -> bool:
        """Whether these two-card totals end the coup. A natural ends it, unless `drawn_on` names the natural's hand."""
        return (player >= NATURAL and self.ending[0]) or (banker >= NATURAL and self.ending[1])

    def player_draws(self, player: int, banker: int) -> bool:
        """Whether Player draws, by the hands' two-card totals."""
        return player < NATURAL and self.player[player] and not self.ends(player, banker)

    def banker_draws(self, player: int, banker: int, third: int) -> bool:
        """Whether Banker draws, by the hands' two-card totals and Player's third card (`STOOD` if Player drew none)."""
        return banker < NATURAL and self.banker[banker][third] and not self.ends(player, banker)

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:
        """Every outcome that is possible under some choice of moves, in order."""
        return tuple(sorted({outcome for way in self.ways for outcome in way._outcomes()}))

    @cached_property
    def by_winner(self) -> dict[str, frozenset[Outcome]]:
        """The outcomes by winner: Player, Banker, or a tie."""
        return {
            winner: frozenset(outcome for outcome in self.outcomes if outcome.winner == winner)
            for winner in ("player", "banker", "tie")
        }

    def _outcomes(self) -> Iterable[Outcome]:
        digits, drawn = range(10), set()
        for p, b in product(digits, digits):
            draws = self.player_draws(p, b)
            for third in digits if draws else (STOOD,):
                total, cards = ((p + third) % 10, 3) if draws else (p, 2)
                if self.banker_draws(p, b, third):
                    drawn.add((total, cards))
                else:
                    yield Outcome(total, b, cards, 2)
        # If Banker draws, the third card can make any total.
        yield from (Outcome(total, against, cards, 3) for total, cards in drawn for against in digits)
