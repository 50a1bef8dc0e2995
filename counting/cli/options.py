"""Options that several commands share, and readers of their values."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

from cyclopts import Parameter, Token

from counting.errors import InputError
from counting.numbers import exact, hint, number_of_cards, whole_number, without_currency
from counting.requests import asked_shoe

if TYPE_CHECKING:
    from counting.cards import Shoe


def wholes(_: object, tokens: Sequence[Token]) -> list[int]:
    """Read whole numbers as people write them, as 20k."""
    return [whole_number(token.value) for token in tokens]


def one_whole(kind: object, tokens: Sequence[Token]) -> int:
    return wholes(kind, tokens)[0]


def cuts(_: object, tokens: Sequence[Token]) -> list[int]:
    """Read numbers of cards, written as cards or decks: 14, or 1.5d."""
    return [number_of_cards(token.value) for token in tokens]


def one_cut(kind: object, tokens: Sequence[Token]) -> int:
    return cuts(kind, tokens)[0]


def _decimal(text: str, what: str, percent: bool = False) -> float:
    value = exact(text.removeprefix("-"), percent)
    if value is None:
        raise ValueError(f"{text!r} should be {what}{hint(text, percent)}")
    return float(value) * (-1 if text.startswith("-") else 1)


def one_amount(_: object, tokens: Sequence[Token]) -> float:
    """Read a number, or an amount of money with its currency sign."""
    return _decimal(without_currency(tokens[0].value), "a number, as 70, 2.5 or 20,000")


def one_share(_: object, tokens: Sequence[Token]) -> float:
    return _decimal(tokens[0].value, "a share, as 0.05 or 5%", percent=True)


def bet_names(_: object, tokens: Sequence[Token]) -> list[str]:
    """Read names of bets, or bets that are written out. A word may have several names, separated by commas."""
    from counting.games import bet_texts

    return [bet for token in tokens for bet in bet_texts(token.value)]


_DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")  # without one of these variables there is no browser on Linux
Value = TypeVar("Value")
Whole = Annotated[int, Parameter(converter=one_whole)]
Wholes = Annotated[list[int], Parameter(consume_multiple=True, negative="", converter=wholes)]
Cut = Annotated[int, Parameter(converter=one_cut)]
Cuts = Annotated[list[int], Parameter(consume_multiple=True, negative="", converter=cuts)]
Amount = Annotated[float, Parameter(converter=one_amount)]
Share = Annotated[float, Parameter(converter=one_share)]


def option_values(values: Sequence[Value] | None, option: str) -> Sequence[Value]:
    """The values of an option. Raises `InputError` for an option without a value."""
    if values is not None and len(values) == 0:
        raise InputError(f"{option}: should be followed by one value or more")
    return values or ()


def of_model(shoe: str | None, decks: int | None, model: str) -> Shoe:
    """The unseen cards from `--shoe` or `--decks`. Raises `InputError` if one of these options is given and the model
    draws with replacement."""
    from counting.chemin import MODELS

    if model in MODELS and MODELS[model].with_replacement:
        for option, value in (("--shoe", shoe), ("--decks", decks)):
            if value is not None:
                raise InputError(f"{option} {value}: should be left out, model {model} draws with replacement")
    return asked_shoe(shoe, decks, 6)


def _own_files() -> list[str]:
    return sorted(file.name for file in Path().glob("*.toml"))


def known_games(_: object) -> list[str]:
    """For completion: the shipped games, and the TOML files in the current folder."""
    from counting.io.toml import shipped

    return [*shipped("games"), *_own_files()]


def known_bets(_: object) -> list[str]:
    """For completion: the bets of the catalog and of the shipped games."""
    from counting.games import catalog, load_game
    from counting.io.toml import shipped

    own = [name for game in shipped("games") for name in load_game(game).bet_names]
    return list(dict.fromkeys((*own, *catalog())))


def known_systems(_: object) -> list[str]:
    """For completion: the counts of the library, and the TOML files in the current folder."""
    from counting.systems import library

    return [*(system.name for system in library()), *_own_files()]


def known_rules(_: object) -> list[str]:
    """For completion: the shipped house rules, and the TOML files in the current folder."""
    from counting.io.toml import shipped

    return [*shipped("bounds/houses"), *_own_files()]


GameName = Annotated[str, Parameter(completer=known_games)]
BetName = Annotated[str, Parameter(completer=known_bets)]
SystemName = Annotated[str, Parameter(completer=known_systems)]
RulesName = Annotated[str, Parameter(completer=known_rules)]
BETS = Parameter(
    name=("--bet", "--bets"), consume_multiple=True, negative="", converter=bet_names, completer=known_bets
)
SYSTEMS = Parameter(consume_multiple=True, negative="", completer=known_systems)
SEVERAL = Parameter(consume_multiple=True, negative="")
NO_NEGATIVE = Parameter(negative="")
OPEN = Parameter(name="--open", negative="", help="Open the page in the browser.")
SHOE = Parameter(help="The unseen cards, as 6d-7-7-K, or v: and ten counts; by default full decks, see --decks.")
DECKS = Parameter(help="Full decks; by default six.")


def say(*lines: str) -> None:
    """Print lines for a person on stderr. Stdout is for data."""
    for line in lines:
        print(line, file=sys.stderr)


def refuse_no_page(out: object, **options: bool) -> None:
    """Raise `InputError` if an option such as `--open` needs a page and no page is written."""
    for option, wanted in options.items():
        if wanted and out is None:
            raise InputError(f"--{option}: needs --out, the folder for the page")


def in_browser(page: Path | None, browse: bool) -> None:
    """Open a page in the browser if `browse` is true. Without a browser, print the page's path."""
    if not browse or page is None:
        return
    import webbrowser

    has_display = sys.platform in ("darwin", "win32") or any(map(os.environ.get, _DISPLAYS))
    if not (has_display and webbrowser.open(page.resolve().as_uri())):
        say(f"counting: --open: no browser here; the page: {page}")


def command(argv: list[str]) -> str:
    """The command line as typed. Absolute paths are cut to their last part, as they would show where a user keeps
    files."""
    import shlex

    parts = [argument.rpartition("=") for argument in argv[1:]]
    return shlex.join(
        ["counting", *(f"{option}{mark}{os.path.basename(value) if os.path.isabs(value) else value}"
                       for option, mark, value in parts)]
    )  # fmt: skip
