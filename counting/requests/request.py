"""The base of requests: arguments with their kinds, meanings and defaults. A command's options are made from these
arguments."""

from __future__ import annotations

import math
import re
import shlex
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from decimal import Decimal
from fractions import Fraction
from functools import partial
from inspect import cleandoc
from numbers import Integral, Real
from os import PathLike
from pathlib import Path
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Generic,
    Literal,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from counting.errors import InputError, Mistakes, frame_writer, keyword, path, several
from counting.io.folders import claimed, refuse_impossible, refuse_other
from counting.numbers import number_of_cards, share, whole_number

if TYPE_CHECKING:
    from counting.cards import Shoe
    from counting.games import Game
    from counting.reports import Report
    from counting.requests.answers import Answer
    from counting.requests.hosts import Host
    from counting.sweep import Sweep
    from counting.systems import System

    GameLike = Game | str | Path
    BetName = str
    BetNames = str | Iterable[str]
    Systems = System | str | Path | Iterable[System | str | Path]
    RulesLike = str | Path | Mapping[str, Any]
    File = str | Path
    ShoeLike = Shoe | str
    SweepLike = Sweep | Answer[Sweep] | str | Path
    Stream = str | Path
    Written = str | int | float | Fraction
    Several = str | int | float | Fraction | Iterable[str | int | float | Fraction]
    Whole = int | str
    Cards = int | str
    Amount = float
    Share = float
else:
    # At run time, each of these names is the kind of an argument, which tells a command or a form how to ask for it.
    GameLike = Annotated[str, "game"]
    BetName = Annotated[str, "bet"]
    BetNames = Annotated[str, "bets"]
    Systems = Annotated[str, "systems"]
    RulesLike = Annotated[str, "rules"]
    File = Annotated[str, "file"]
    ShoeLike = Annotated[str, "shoe"]
    SweepLike = Annotated[str, "sweep"]
    Stream = Annotated[str, "stream"]
    Written = Annotated[str, "written"]
    Several = Annotated[str, "several"]
    Whole = Annotated[str, "whole"]
    Cards = Annotated[str, "cards"]
    Amount = Annotated[str, "amount"]
    Share = Annotated[str, "share"]

KINDS: Mapping[str, str] = {
    "game": "a game's name, or the path of a TOML file",
    "bet": "a bet's name, or a bet written out: name: conditions = odds",
    "bets": "names of bets, or bets written out: name: conditions = odds",
    "systems": "names of counts, or paths of TOML files",
    "rules": "the name of shipped house rules, or the path of a TOML file; in Python also a mapping with its keys",
    "file": "a path",
    "stream": "a path, or - for standard input",
    "written": "a number as people write it, read exactly: 2.5k, 1/3, $25",
    "several": "a number or a text, or several of them",
    "shoe": "unseen cards, as 8d-7-7-K, or 10 counts by value after v:; in Python also a Shoe",
    "sweep": "the folder of a sweep; in Python also a Sweep, or an answer that has one",
    "whole": "a whole number",
    "cards": "a number of cards, or decks as 1.5d",
    "amount": "a number",
    "share": "a share from 0 to 1",
}
"""The kinds of arguments, each with its description."""

Result = TypeVar("Result")


@dataclass(frozen=True, kw_only=True)
class Arguments:
    """Arguments of a function, which are also options of a command. The docstring of a subclass states the meaning of
    each argument under `Parameters`. Raises `InputError` for a value of the wrong kind."""

    def __post_init__(self) -> None:
        mistakes, hints = Mistakes(), get_type_hints(type(self), include_extras=True)
        for each in fields(self):
            value, hint = getattr(self, each.name), hints[each.name]
            if (is_frame := bool(frame_writer(value))) and File in (hint, *get_args(hint)):
                with mistakes.gathered():
                    path(value, each.name)
            elif value is not each.default and (allowed := _refused(value, hint)):
                given = f"a {type(value).__name__}" if is_frame else repr(value)
                mistakes.append(f"{keyword(each.name)}: {given}, should be {allowed}")
        mistakes.report()

    @classmethod
    def verb(cls) -> str:
        """The name of the function and of the command."""
        return re.sub("Request$|Arguments$", "", cls.__name__).lower()

    @classmethod
    def arguments(cls) -> list[str]:
        """The names of the arguments that Python and the command line share. The request's own arguments come first,
        then the arguments shared with other requests."""
        own: list[str] = []
        for kind in cls.__mro__:
            own += [name for name in vars(kind).get("__annotations__", ()) if name not in own]
        asked = {each.name for each in fields(cls) if not each.metadata.get("python")}
        return [name for name in own if name in asked]

    @classmethod
    def meanings(cls) -> dict[str, str]:
        """The meaning of each argument, from the docstrings."""
        meant: dict[str, str] = {}
        for kind in reversed(cls.__mro__):
            meant |= split_docstring(vars(kind).get("__doc__"))[1]
        return {name: meant[name] for name in cls.arguments()}

    @property
    def command(self) -> str:
        """The equivalent command line."""
        words, defaults = ["counting", self.verb()], {each.name: each for each in fields(self)}
        options: list[str] = []
        for name in self.arguments():
            value, option = getattr(self, name), f"--{name.replace('_', '-')}"
            if not defaults[name].kw_only:
                words += _as_words(value)
            elif isinstance(value, bool):
                options += [] if value is defaults[name].default else [option if value else f"--no-{option[2:]}"]
            elif value is not None and value != defaults[name].default:
                options += [option, *_as_words(value)]
        return shlex.join([*words, *options])


@dataclass(frozen=True, kw_only=True)
class Request(Arguments, ABC, Generic[Result]):
    """A question with an answer. `progress`: draw a bar on a terminal or in a notebook (only in Python).

    Raises `InputError` for a folder `out` that cannot be made. A request that fills its folder only after the work also
    raises it for a folder with other files or with results of another kind."""

    holds: ClassVar[str] = ""
    """The kind of the results, for a request that fills the folder `out` only after the work. It is empty for a request
    that claims its folder before the work."""
    private: ClassVar[bool] = False
    """Whether a new folder of this kind can be read only by its owner."""
    progress: bool = field(default=False, metadata={"python": True})

    def __post_init__(self) -> None:
        super().__post_init__()
        out = getattr(self, "out", None)
        if out is not None:
            refuse_impossible(folder := path(out, keyword("out")))
            if self.holds and folder.is_dir():
                refuse_other(folder, self.holds)

    @abstractmethod
    def answered(self, host: Host) -> Answer[Result]:
        """The answer. The host takes the lines for a person and the progress."""

    def published(
        self, host: Host, report: Report, result: Result, settings: Mapping[str, Any], remarks: Sequence[str] = ()
    ) -> Answer[Result]:
        """The answer of a request that fills its folder only after the work. If `out` is given, the answer is written
        into this folder. `settings`: the settings of the folder's results."""
        from counting.requests.answers import Answer

        out: Path | str | None = getattr(self, "out", None)
        folder = None if out is None else path(out, "out")
        claim = partial(claimed, kind=self.holds, settings=settings, private=self.private)
        answer = Answer(
            report=report, result=result, remarks=[*host.said, *remarks], folder=folder, claim=claim, kept=host.kept
        )
        if folder is not None:
            with answer.claim(folder):
                answer.publish(folder)
        return answer


def _refused(value: Any, hint: Any) -> str:
    """The allowed values in words, if `value` is not one of them by the argument's type `hint`; otherwise empty. Names,
    paths and lists are checked where they are read."""
    if get_origin(hint) in (Union, UnionType):
        refused = [_refused(value, each) for each in get_args(hint) if each is not type(None)]
        return " or ".join(refused) if all(refused) else ""
    if get_origin(hint) is Literal:
        return "" if value in get_args(hint) else f"one of {', '.join(get_args(hint))}"
    if hint is bool:
        return "" if isinstance(value, bool) else "True or False"
    kind = get_args(hint)[1] if get_origin(hint) is Annotated else "text" if hint is str else ""
    kinds = _TYPES.get(kind, (object,))
    is_one = isinstance(value, kinds) and (not isinstance(value, bool) or object in kinds)
    is_one &= (not isinstance(value, float) or math.isfinite(value)) and not frame_writer(value)
    return "" if is_one else KINDS.get(kind, "a text")


_TYPES: Mapping[str, tuple[type, ...]] = {
    "bet": (str,),
    "text": (str,),
    "file": (str, PathLike),
    "written": (str, Real, Decimal),
    "whole": (str, Integral),
    "cards": (str, Integral),
    "amount": (Real,),
    "share": (Real,),
}
"""The Python types that these kinds of arguments accept. Other kinds are checked where they are read."""


def split_docstring(text: str | None) -> tuple[str, dict[str, str]]:
    """The text of a docstring before `Parameters`, and the meaning of each argument under it."""
    words, _, listed = cleandoc(text or "").partition("Parameters\n----------\n")
    blocks = [block.partition("\n") for block in re.split(r"^(?=\S)", listed, flags=re.MULTILINE) if block]
    return words, {name: " ".join(meaning.split()) for name, _, meaning in blocks}


def _as_words(value: Any) -> list[str]:
    """A value as words of a command line. An absolute path is cut to its last part, so that the page does not show
    where a user keeps files."""
    value = getattr(value, "folder", value)  # a sweep is written as its folder
    if isinstance(value, Mapping):
        return ["rules.toml"]
    if isinstance(value, Path):
        return [value.name if value.is_absolute() else str(value)]
    if isinstance(value, Iterable) and not isinstance(value, str) and not hasattr(value, "name"):
        return [word for each in value for word in _as_words(each)]
    return [str(getattr(value, "name", value))]


def given_values(values: Any, name: str) -> Sequence[Any]:
    """The values of an argument that takes one value or several. None gives no values. Raises `InputError` for an empty
    list."""
    if values is None:
        return ()
    given = (values,) if isinstance(values, int | float | Fraction) else several(values, name)
    if not given:
        raise InputError(f"{keyword(name)}: should be followed by one value or more")
    return given


def given_texts(values: Any, name: str) -> tuple[str, ...]:
    """`given_values`, each turned into a text."""
    return tuple(map(exact_text, given_values(values, name)))


def asked_game(game: GameLike, commission: Any = None) -> Game:
    """The game, with another commission on Banker if one is given."""
    from counting.games import as_game

    loaded = as_game(game)
    if commission is None:
        return loaded
    return loaded.at_commission(share(exact_text(commission), keyword("commission")))


def given_bets(values: Any, name: str, game: Game) -> tuple[Game, tuple[str, ...]]:
    """The game with these bets added, and the names of the bets without repeats. A bet is named by its name or title,
    from the game or the catalog, or is written out. A text may have several names, separated by commas."""
    from counting.games import bet_texts

    return game.asked([bet for text in given_texts(values, name) for bet in bet_texts(text)])


def exact_text(value: Any) -> str:
    """The exact decimal text of a number: 0.1 becomes "0.1", and 1e-07 becomes "0.0000001"."""
    return format(Decimal(repr(value)), "f") if isinstance(value, float) else str(value)


def as_whole(value: Any, name: str, read: Literal["whole", "cards"] = "whole") -> Any:
    """The whole number in a text. With `read` = "cards" the text may also give decks, as 1.5d, and the number is a
    number of cards. A value that is no text is returned unchanged, and checked where it is used."""
    if not isinstance(value, str):
        return value
    try:
        return whole_number(value) if read == "whole" else number_of_cards(value)
    except ValueError as error:
        raise InputError(f"{keyword(name)}: {error}") from None
