"""The dealing procedure: decks, burn, cut card, and what happens after the cut card comes out.

A shoe's cards depend only on the number of decks, the seed and the shoe's number. They depend neither on the worker
that deals the shoe nor on the order in which shoes are dealt."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from counting.cards import COUP, DECK, MOST_DECKS
from counting.errors import InputError, Mistakes, nearest, whole

Burn = str  # none, first-card, a number of cards (3), or a number of shown cards (3-shown)
AFTER_CUT = ((0, 0), (1, 0), (1, 1), (2, 1), (2, 2))
_AFTER = {  # if a coup begins with the cut card, no coup is in progress when the card appears
    (0, 0): "the coup in which it appears is the last",
    (1, 0): "when it appears, the coup in progress is finished and one more is dealt",
    (1, 1): "one more coup after the coup in which it appears",
    (2, 1): "when it appears, the coup in progress is finished and two more are dealt",
    (2, 2): "two more coups after the coup in which it appears",
}
_RECORDED = {  # for the records of folders, which stay the same if the words change
    (0, 0): "the coup in which it comes out is the last",
    (1, 0): "one more coup after the one inside which it comes out",
    (1, 1): "one more coup after it comes out",
    (2, 1): "two more coups after the one inside which it comes out, one after one that begins with it",
    (2, 2): "two more coups after it comes out",
}
MOST_SEED = 2**63 - 1
MOST_SKIPS = 1000  # the most coups in a row that rules may let a player sit out

LEAST_COUP = 4  # the fewest cards of a coup
_EVERY = 8
MOST_BURNED = 11  # with first-card: a ten or face card face up, and ten cards face down
MOST_BURNED_BY_NUMBER = 52


def as_after_cut(coups: str | int | Iterable[int]) -> tuple[int, int]:
    """Read a pair, as (1, 0) or `"1,0"`. A single number a stands for the pair (a, a - 1), and 0 for (0, 0). For
    example, `"1"` means `"1,0"`."""
    several: Iterable[object] = (coups,) if not isinstance(coups, Iterable) else coups
    text = coups if isinstance(coups, str) else ",".join(str(whole(number, "after-cut", 0, 999)) for number in several)
    place, allowed = f"after-cut: {text!r}", f"one of {', '.join(f'{a},{b}' for a, b in AFTER_CUT)}"
    match = re.fullmatch(r"\s*([0-9]{1,3})\s*(?:,\s*([0-9]{1,3})\s*)?", text)
    if not match:
        raise InputError(place, f"{allowed}, or the first number alone")
    a = int(match[1])
    b = int(match[2]) if match[2] else max(a - 1, 0)
    if b not in (a, a - 1):
        raise InputError(place, f"{allowed}: for other pairs, the cuts that deal a coup do not form a range")
    if (a, b) not in AFTER_CUT:
        raise InputError(place, f"{allowed}: at most two more coups are dealt")
    return a, b


def as_burn(text: object) -> Burn:
    """Read the burn, with any capitals and blanks: `none`, `first-card`, or a number of cards. The number is `3` for
    three unseen cards, `3-shown` for three shown cards."""
    plain = re.sub(r"[\s-]+", "-", text.strip().lower()) if isinstance(text, str) else str(text)
    if plain in ("none", "first-card"):
        return plain
    match = re.fullmatch(r"([1-9][0-9]?)(-shown)?", plain)
    if match and int(match[1]) <= MOST_BURNED_BY_NUMBER:
        return plain
    allowed = f"none, first-card, or 1 to {MOST_BURNED_BY_NUMBER} cards, as 3 (unseen) or 3-shown"
    raise InputError(f"burn: {text!r}", f"{allowed}{nearest(str(text), ('none', 'first-card'))}")


@dataclass(frozen=True, init=False)
class Dealing:
    """How a shoe is dealt.

    - `cut`: the number of cards behind the cut card
    - `burn`: "none", "first-card", or a number of cards, burned unseen ("3") or shown ("3-shown"). With "first-card",
      the first card is turned face up. Then its value in cards (ten for tens and faces) is burned face down, unseen.
    - `after_cut`: (a, b), or "a,b". If the cut card comes out during a coup, `a` further coups follow that coup. If it
      is the first card of a coup, `b` further coups follow that coup.

    No coup begins with fewer than six cards left.

    >>> from counting import Dealing
    >>> Dealing(cut=26, after_cut=(0, 0)).words
    '8 decks, no burn cards, 26 cards behind the cut card; the coup in which it appears is the last'
    """

    decks: int = 8
    cut: int = 14
    burn: Burn = "none"
    after_cut: tuple[int, int] = (1, 0)

    def __init__(
        self,
        decks: int = 8,
        cut: int = 14,
        burn: Burn | int = "none",
        after_cut: str | int | Iterable[int] = (1, 0),
    ) -> None:
        mistakes, made = Mistakes(), vars(self)
        with mistakes.gathered():
            made["decks"] = whole(decks, "decks", 1, MOST_DECKS)
        with mistakes.gathered():
            made["burn"] = as_burn(burn)
        with mistakes.gathered():
            made["cut"] = whole(cut, "cut", 0, DECK * MOST_DECKS if mistakes else self.least_undealt)
        with mistakes.gathered():
            made["after_cut"] = as_after_cut(after_cut)
        mistakes.report()

    @classmethod
    def named(cls, name: str, decks: int = 8) -> Dealing:
        """A procedure by name: seventh-last, jacobson, louisiana-75, macau or macau-first-card.

        >>> from counting import Dealing
        >>> Dealing.named("jacobson", 6)
        Dealing(decks=6, cut=14, burn='first-card', after_cut=(1, 0))
        """
        if not isinstance(name, str) or name not in PRESETS:
            raise InputError(f"dealing {name!r}: should be one of {', '.join(PRESETS)}{nearest(str(name), PRESETS)}")
        decks = whole(decks, "decks", 1, MOST_DECKS)
        cut, burn, after = PRESETS[name]
        return cls(decks, cut if isinstance(cut, int) else round(cut * DECK * decks), burn.format(decks=decks), after)

    @property
    def penetration(self) -> float:
        """The share of the shoe in front of the cut card."""
        return 1 - self.cut / (DECK * self.decks)

    @property
    def words(self) -> str:
        """The procedure in words."""
        until_cut = self._until_cut("first card shown and a number of cards equal to its value burned")
        return f"{until_cut} card{'s' * (self.cut != 1)} behind the cut card; {_AFTER[self.after_cut]}"

    @property
    def recorded(self) -> str:
        """The procedure in the words of the records on disk. Names of folders depend on these words, so they never
        change."""
        until_cut = self._until_cut("first card face up and its value in cards burned")
        return f"{until_cut} cards behind the cut card, {_RECORDED[self.after_cut]}"

    def _until_cut(self, by_first_card: str) -> str:
        """The decks, the burn and the number of cards behind the cut card, in words. `by_first_card`: the words for a
        burn that the first card sets."""
        cards, shown = self.burned_by_number
        how = "no burn cards" if self.burn == "none" else by_first_card
        if cards:
            how = f"{cards} card{'s' * (cards > 1)} burned {'and shown' if shown else 'unseen'}"
        decks = f"{self.decks} deck{'s' * (self.decks > 1)}"
        return f"{decks}, {how}, {self.cut}"

    @property
    def least_undealt(self) -> int:
        """The fewest undealt cards with which the first coup of a shoe can begin."""
        return DECK * self.decks - self.most_burned

    @property
    def burned_by_number(self) -> tuple[int, bool]:
        """The number of cards that are always burned, and whether they are shown. The number is 0 if the first card
        sets it, or if no cards are burned."""
        number, _, shown = self.burn.partition("-")
        return (int(number), bool(shown)) if number.isdecimal() else (0, False)

    @property
    def most_burned(self) -> int:
        """The most cards that can be burned at the start of a shoe."""
        return MOST_BURNED if self.burn == "first-card" else self.burned_by_number[0]

    @property
    def certain_coups(self) -> int:
        """A number of coups that every shoe reaches, even if each coup takes six cards."""
        inside, first = self.after_cut
        by_cut = (self.least_undealt - (inside - first) - self.cut) // COUP + 1 + inside
        return min(by_cut, (self.least_undealt - COUP) // COUP + 1)

    @property
    def most_coups(self) -> int:
        """A number of coups that no shoe exceeds."""
        return (DECK * self.decks - COUP) // LEAST_COUP + 1

    @property
    def usual_cuts(self) -> list[int]:
        """The procedure's cut, and every greater cut that is a whole number of half decks, up to half of the shoe."""
        half = DECK * self.decks // 2
        return [self.cut, *range(DECK // 2 * (self.cut * 2 // DECK + 1), half + 1, DECK // 2)]

    @property
    def cuts(self) -> NDArray[np.int64]:
        """The cuts for which one sweep keeps sums, rising. They are the procedure's cut, every larger cut up to half of
        the shoe, and beyond that every multiple of eight."""
        every = np.arange(self.cut, DECK * self.decks + 1)
        cuts: NDArray[np.int64] = every[(every <= DECK * self.decks // 2) | (every % _EVERY == 0) | (every == self.cut)]
        return cuts


# Procedures by name. The first value is the cards behind the cut card, as a number or a share of the shoe. The second
# is what is burned; "{decks}" stands for the number of decks. The third is after-cut.
PRESETS: dict[str, tuple[int | float, Burn, tuple[int, int]]] = {
    # Baccarat, encyclopedia article of March 2018: the cut card before the seventh-last card, and "Dealing".
    "seventh-last": (7, "first-card", (0, 0)),
    # Jacobson, simulations of baccarat side bets.
    "jacobson": (14, "first-card", (1, 0)),
    # Louisiana Baccarat, recommendation c: shuffled at 75% penetration.
    "louisiana-75": (0.25, "none", (1, 0)),
    # Macau, dispatch 83/2011, article 2 (1): the cut card goes before about the last twelve cards. One card is burned
    # for each deck, or the number that the first card shows. For what that text leaves out, see docs/how-to/macau.md.
    "macau": (12, "{decks}", (1, 0)),
    "macau-first-card": (12, "first-card", (1, 0)),
}
