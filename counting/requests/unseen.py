"""Read unseen cards: a shoe, a number of decks, or numbers of cards."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from counting.errors import InputError, keyword, whole
from counting.numbers import exact
from counting.requests.request import given_texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from counting.cards import Shoe
    from counting.games import Game


def asked_shoe(shoe: Shoe | str | None, decks: int | None, default: int, most: int | None = None) -> Shoe:
    """The unseen cards from `shoe`, or a full shoe of `decks`; by default a full shoe of `default` decks. At most
    `most` decks are allowed."""
    from counting.cards import Shoe, as_shoe

    if decks is not None and most is not None:
        whole(decks, "decks", 1, most)
    if shoe is not None and decks is not None:
        raise InputError(f"{keyword('decks')} {decks} and {keyword('shoe')} {shoe}: should be one or the other")
    return as_shoe(shoe) if shoe is not None else Shoe.decks(default if decks is None else decks)


def shoe_of(game: Game, shoe: Shoe | str | None, decks: int | None) -> Shoe:
    """The unseen cards of a game, from `shoe`, or a full shoe of `decks`; by default a full shoe of the game's
    decks."""
    unseen = asked_shoe(shoe, decks, game.decks)
    written = re.match(r"([0-9]+)d", str(shoe or "").replace(" ", "").lower())
    game.dealt_from(int(written[1]) if written else decks)
    return unseen


def numbers_of(text: str, option: str, what: str, example: str) -> range:
    """The numbers of cards or decks in a text: one number, as 30; a range, as 6:40; or a range in steps, as 60:200:20.
    Both ends of a range are included."""
    parts = [exact(part) for part in text.split(":")]
    wholes = [int(part) for part in parts if part is not None and part.denominator == 1 and part <= 9999]
    if len(wholes) != len(parts) or len(parts) > 3:
        raise InputError(f"{option} {text}: should be a number of {what}, or a range like {example}")
    first, last, step = wholes[0], wholes[1 % len(wholes)], wholes[2] if len(wholes) == 3 else 1
    if last < first or step < 1:
        raise InputError(f"{option} {text}: should rise, like {example}")
    return range(first, last + 1, step)


def card_numbers(cards: object) -> Sequence[int]:
    """The numbers in `cards`, which is one text or several, each with a number or a range."""
    ranges = [numbers_of(text, keyword("cards"), "cards", "6:40 or 60:200:20") for text in given_texts(cards, "cards")]
    return list(dict.fromkeys(n for each in ranges for n in each))
