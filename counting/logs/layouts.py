"""Layouts of logs: a TOML file states what each column of a log means, and how the log writes cards."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, ModelWrapValidatorHandler, PrivateAttr, model_validator

from counting.cards import SUITS
from counting.errors import InputError, Mistakes
from counting.io.toml import Frozen, Text, find, read_toml, shipped, validated
from counting.logs.cards import CardWords, Written
from counting.logs.headings import synonyms
from counting.logs.patterns import groups_in
from counting.logs.shoe_lines import ShoePattern
from counting.logs.sources import AND
from counting.logs.turned import mappings

LAYOUTS = "logs/layouts"
CONSTANT = "constant"
OWN = "coups"  # the project's own layout, which `docs/reference/keys.md` describes
KEY = ("table", "shoe", "coup")
HANDS = ("player", "banker")
DRAFT = "counting layouts --draft FILE > ours.toml, and then --layout ours.toml"
OPTIONAL = (
    "winner", "burn", "player_total", "banker_total", "player_pair", "banker_pair", "decks", "exposed", "event",
    "dealer", "natural", "time",
)  # fmt: skip
BET_KEY = (*KEY, "patron", "bet", "amount")
BET_OPTIONAL = ("won", "dealer", "currency")
_SHORT = 2  # usual headings of one or two letters do not count as known names

Columns = Text | tuple[Text, ...]
Order = Literal["number", "running", "file", "time"]


def _listed(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def _words(value: object) -> object:
    """A word, or a list of words, as a tuple."""
    return (value,) if isinstance(value, str) else _listed(value)


Words = Annotated[tuple[str, ...], BeforeValidator(_words)]


def _pattern(value: object) -> object:
    if isinstance(value, str):
        groups_in(value)
    return value


def _codes(value: object) -> object:
    suits = value.removeprefix("by rank ") if isinstance(value, str) else ""
    if value == "" or (len(suits) == len(SUITS) and set(suits) == set(SUITS)):
        return value
    raise ValueError('should be the four suits in order, as "shdc", or "by rank shdc"')


def _four_suits(value: object) -> object:
    if value == "" or (isinstance(value, str) and len(value) == len(SUITS) and set(value) == set(SUITS)):
        return value
    raise ValueError('should be the four suits in order, as "shdc"')


class CoupColumns(Frozen):
    """The columns of a file of coups: for each field the name of the column, or `constant` if there is no column.

    `player` and `banker` are each the column of a hand, or a list of columns with a card in each. `cards` is the column
    with all cards of a coup, if there is one. The column of an optional field may be missing in the file.
    """

    table: Text = "table"
    shoe: Text = "shoe"
    coup: Text = "coup"
    player: Annotated[Columns, BeforeValidator(_listed)] = "player"
    banker: Annotated[Columns, BeforeValidator(_listed)] = "banker"
    cards: Text | None = None
    winner: Text = "winner"
    burn: Text = "burn"
    player_total: Text = "player_total"
    banker_total: Text = "banker_total"
    player_pair: Text = "player_pair"
    banker_pair: Text = "banker_pair"
    decks: Text = "decks"
    exposed: Text = "exposed"
    event: Text = "event"
    dealer: Text = "dealer"
    natural: Text = "natural"
    time: Text = "time"


class BetColumns(Frozen):
    """The columns of a file of bets."""

    table: Text = "table"
    shoe: Text = "shoe"
    coup: Text = "coup"
    patron: Text = "patron"
    bet: Text = "bet"
    amount: Text = "amount"
    won: Text = "won"
    dealer: Text = "dealer"
    currency: Text = "currency"


class FileForm(Frozen):
    """How to open the file, and which parts of it to read.

    - `rows`: the database's table, the workbook's sheet, or the path of the records in JSON. In a path, `*` stands for
      any key; the key is then in a column named `*`.
    - `separator`: the mark between fields
    - `encoding`: the name of the character encoding, if the file itself does not show it
    - `names`: the names of the columns, if the file has none
    - `only`: the word, or the list of words, that a record must have in a column, as {type = "result"}. One word of the
      list is enough, and `*` stands for any word. Other records are left out.
    - `line`: a pattern for lines of text, a regular expression whose named groups are the columns. The groups
      `player_won`, `banker_won` and `tie_won` are marks of the winner.
    - `shoe_line`: a pattern for lines that begin a shoe. Its group `shoe` names the shoe; without it, shoes have the
      numbers 1, 2, ... If it also has the group that names the table in `line`, the shoe begins at that table only.
    - `split`: columns that a pattern splits, as {rn = "(?P<shoe>[0-9]+)-(?P<coup>[0-9]+)"}
    """

    rows: Text | None = None
    separator: str | None = Field(default=None, min_length=1, max_length=1)
    encoding: Text | None = None
    names: Annotated[tuple[Text, ...], BeforeValidator(_listed)] = ()
    only: dict[str, Words] = Field(default={})
    line: Annotated[str, BeforeValidator(_pattern)] | None = None
    shoe_line: str | None = None
    split: dict[str, Annotated[str, BeforeValidator(_pattern)]] = Field(default={})

    @model_validator(mode="after")
    def _shoes_of_lines(self) -> Self:
        if self.shoe_line is not None:
            ShoePattern(self.shoe_line, self.line)
        return self


class FrameForm(Frozen):
    """The serial frames of an electronic shoe. `suits`: the suits that the hex digits 9, a, b and c stand for, such as
    "shdc"; without it, suits are not known. `errors`: the meaning of each error code, in hex."""

    suits: Annotated[str, BeforeValidator(_four_suits)] = ""
    errors: dict[str, Text] = Field(default={})


class CardRows(Frozen):
    """A table with a row for each card. It is a `file` next to the coups' file, or a `table` of the same database. A
    card belongs to the coup whose column `id` has the same text as the card's column `of`. Without `file` and `table`,
    the coups' file itself has a row for each card, and each row names its coup. `hands`: the file's words for player
    and banker."""

    file: Text | None = None
    table: Text | None = None
    id: Text | None = None
    of: Text | None = None
    hand: Text
    place: Text | None = None
    card: Text | None = None
    rank: Text | None = None
    suit: Text | None = None
    hands: dict[Literal["player", "banker"], Words] = Field(default={})

    @model_validator(mode="after")
    def _has_cards(self) -> Self:
        if (self.card is None) == (self.rank is None):
            raise ValueError("should have card, or rank and perhaps suit, and not both")
        if self.file is not None and self.table is not None:
            raise ValueError("should have file or table, and not both")
        if {self.is_apart} != {self.id is not None, self.of is not None}:
            raise ValueError("should have id and of with file or table, and neither without")
        return self

    @property
    def is_apart(self) -> bool:
        """Whether the cards are in a separate file or table."""
        return self.file is not None or self.table is not None


class CardNotation(Frozen):
    """How the file writes cards. If `written`, `order`, `joined`, `none` or `first_code` is left out, it is found from
    the cards themselves.

    - `written`: the form of the cards, as in `CardWords`
    - `order`: the order of the cards in one list. `dealt` is P1 B1 P2 B2, then the fifth and the sixth card.
      `places` is P1 B1 P2 B2 P3 B3, with an empty place for a card that was not dealt. `player-first` has Player's
      cards before Banker's.
    - `joined`: whether each digit of a word may be a card
    - `none`: words for no card
    - `codes`: the order of the suits, if cards are codes. With "shdc", the first thirteen codes are the spades, the
      next thirteen the hearts, and so on. With "by rank shdc", the first four codes are the aces, the next four the
      twos, and so on. Without `codes`, suits are not known.
    - `first_code`: the smallest code, 0 or 1
    - `suits` and `ranks`: the file's words for a letter, as {s = ["P", "Pik"]}. The words of many languages are known.
    """

    written: Written | None = None
    order: Literal["dealt", "places", "player-first"] | None = None
    joined: bool | None = None
    none: Annotated[tuple[str, ...], BeforeValidator(_listed)] = ()
    codes: Annotated[str, BeforeValidator(_codes)] = ""
    first_code: int = Field(default=1, ge=0, le=1)
    suits: dict[Literal["s", "h", "d", "c"], Words] = Field(default={})
    ranks: dict[Literal["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"], Words] = Field(default={})


class CoupNumbering(Frozen):
    """How coups are numbered. If `first` or `order` is left out, it is found from the numbers.

    - `first`: the number of a shoe's first coup, 0 or 1
    - `order`: `number` keeps the file's numbers; `file`, `time` and `running` number coups anew, in the order of the
      file, of a time or of a running number
    - `new_shoe = "falls"`: the shoe's column counts cards or coups within a shoe. A shoe begins where the number falls.
    - `repeated = "last"`: if a coup has several records, the last one is valid
    """

    first: int | None = Field(default=None, ge=0, le=1)
    order: Order | None = None
    new_shoe: Literal["falls"] | None = None
    repeated: Literal["last"] | None = None


class Layout(Frozen):
    """A layout of logs; `docs/reference/keys.md` lists the keys. `file` is the form of the coups' file, and `bets_file`
    is the form of the bets' file.

    In a table that translates words, each key is the toolkit's word. The value is what the file writes: a column's
    name, a word, or a list of words. In `only` and `split`, the key is a column of the file; in `errors`, a code.
    """

    title: Text = "a layout of one's own"
    source: Text | None = None
    coups: CoupColumns = CoupColumns()
    bets: BetColumns = BetColumns()
    file: FileForm = FileForm()
    frames: FrameForm | None = None
    card_rows: CardRows | None = None
    bets_file: FileForm = FileForm()
    cards: CardNotation = CardNotation()
    numbers: CoupNumbering = CoupNumbering()
    winner: dict[Literal["player", "banker", "tie"], Words] = Field(default={})
    bet_names: dict[str, Words] = Field(default={})
    decimal: Literal[".", ","] | None = None
    events: dict[Literal["dead", "other"], Words] = Field(default={})
    _notes: tuple[str, ...] = PrivateAttr(())

    @model_validator(mode="wrap")
    @classmethod
    def _of_one_direction(cls, data: Any, make: ModelWrapValidatorHandler[Self]) -> Self:
        """Accept the tables of version 0.2, whose keys are the file's words, and reverse them."""
        data, notes = mappings(data)
        layout = make(data)
        layout._notes = notes
        return layout

    @property
    def notes(self) -> tuple[str, ...]:
        """A sentence for each outdated key, which a later version will not read."""
        return self._notes

    def words(self, written: Written, joined: bool, none: frozenset[str] = frozenset()) -> CardWords:
        """How a file with this layout writes cards, given the form of its cards. `none`: further words for no card."""
        names = tuple(file_words(self.cards.suits).items()) + tuple(file_words(self.cards.ranks).items())
        return CardWords(
            written, joined, frozenset(self.cards.none) | none, self.cards.codes, names, self.cards.first_code
        )


def file_words(mapping: Mapping[Any, tuple[str, ...]]) -> dict[str, str]:
    """The reversed mapping: the toolkit's word for each of the file's words."""
    return {word: own for own, words in mapping.items() for word in words}


@lru_cache(maxsize=1)
def own_layout() -> Layout:
    """The layout of the documentation: `table`, `shoe`, `coup`, `player`, `banker` and so on."""
    return Layout(title="table, shoe, coup, player, banker")


def load_layout(name_or_path: str | Path) -> Layout:
    """A shipped layout by its name, or your own by the path of its TOML file. Raises `InputError` with a line for each
    mistake.

    >>> from counting import load_layout
    >>> load_layout("camera-archive").title.split(":")[0]
    'Camera archive'
    """
    path = find(name_or_path, LAYOUTS)
    return layout_of(read_toml(path), str(path))


def layout_of(data: Mapping[str, Any], path: str) -> Layout:
    """The layout from the data of a TOML file. `path` is the file's name in error lines."""
    mistakes = Mistakes()
    layout = validated(Layout, data, [path], mistakes.append)
    mistakes.report()
    assert layout is not None
    if layout.coups.cards is not None and layout.coups.model_fields_set.intersection(HANDS):
        raise InputError(f"{path}: coups: should have player and banker, or cards, and not both")
    for name, hand in zip(HANDS, (layout.coups.player, layout.coups.banker), strict=True):
        if isinstance(hand, tuple) and not 1 <= len(hand) <= 3:
            wanted = "should be one column of the hand, or two or three with one card in each"
            raise InputError(f"{path}: coups, {name}: {len(hand)} columns, {wanted}")
    return layout


@lru_cache(maxsize=1)
def shipped_layouts() -> Mapping[str, Layout]:
    """The shipped layouts by name."""
    return {name: load_layout(name) for name in shipped(LAYOUTS)}


def names_known(bets: bool = False, stated: Layout | None = None) -> frozenset[str]:
    """The known names of columns of coups, or of bets, in lower case: the project's names, the names in shipped
    layouts and in the layout that the user gave, and usual headings of three letters or more."""
    known = {*BET_KEY, *BET_OPTIONAL} if bets else {*KEY, *HANDS, *OPTIONAL}
    for layout in (*shipped_layouts().values(), *filter(None, [stated])):
        for value in (layout.bets if bets else layout.coups).model_dump().values():
            for column in [value] if isinstance(value, str) else value or ():
                known.update((column, *column.split(AND)))
    return frozenset(name.lower() for name in known - {CONSTANT}) | frozenset(
        name for name in synonyms(bets) if len(name) > _SHORT
    )
