"""Exact facts on a bet at the full shoe: pay table, chances, house edge, standard deviation, and the cards that
matter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import floor, log10
from typing import Any, NamedTuple

from counting.cards import RANKS, SUITS, Shoe
from counting.exact import Effects, price_shoe
from counting.games import Game

SUIT_NAMES = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}

_DIGITS = 4  # decimals of a percentage
_SIGNIFICANT = 3  # significant digits of a percentage too small for four decimals


class PayLine(NamedTuple):
    """A pay table line: the event on which it pays, the odds as printed, the pay per unit, and the chance."""

    event: str
    odds: str
    pay: Fraction
    chance: Fraction

    @property
    def words(self) -> str:
        """The event in words."""
        return self.event.replace("-", " ")


@dataclass(frozen=True)
class BetFacts:
    """Exact facts on a bet at a full shoe. `lines`: the pay table. `effects`: the effects of removal. `hit_frequency`:
    the chance that the bet pays more than a push. `deviation`: the standard deviation of the result of one unit."""

    lines: tuple[PayLine, ...]
    effects: Effects
    hit_frequency: Fraction
    deviation: float

    @classmethod
    def of(cls, game: Game, bet: str, decks: int) -> BetFacts:
        shoe, alone = Shoe.decks(decks), game.only([bet])
        priced = price_shoe(alone, shoe)
        settled = zip(alone.bet(bet).pays, alone.settlement[bet], strict=True)
        lines = tuple(PayLine(event, line.odds, pay, priced.probabilities[event]) for line, (event, pay) in settled)
        deviation = priced.standard_deviations[bet]
        return cls(lines, Effects.of(alone, bet, shoe), priced.hit_frequencies[bet], deviation)

    @property
    def edge(self) -> Fraction:
        return self.effects.edge

    @property
    def other(self) -> Fraction:
        """The chance that the coup meets no line, so that the bet loses."""
        return 1 - sum((line.chance for line in self.lines), Fraction())

    @cached_property
    def by_card(self) -> list[tuple[str, int, Fraction]]:
        """For each kind of card, in the order A, 2 ... K: its name, its number in the shoe, and the effect of removing
        one such card. If the four cards of a rank have the same effect, they are one entry."""
        kinds = dict(zip(self.effects.kinds, zip(self.effects.counts, self.effects.removal, strict=True), strict=True))
        order = [kind for kind in (*RANKS, "T") if kind in kinds] or list(kinds)
        known = [(kind, *kinds[kind]) for kind in order]
        effects = [(kind, count, effect) for kind, count, effect in known if effect is not None]
        if self.effects.knows != "card":
            return effects
        together = []
        for rank in RANKS:
            of_rank = [row for row in effects if row[0].removesuffix(row[0][-1]) == rank]
            if len(of_rank) == len(SUITS) and len({effect for _, _, effect in of_rank}) == 1:
                of_rank = [(rank, sum(count for _, count, _ in of_rank), of_rank[0][2])]
            together += of_rank
        return together

    @property
    def why(self) -> str:
        """A sentence on the cards whose removal matters most to the bettor, from the exact effects of removal."""
        full = f"out of the full {self.effects.shoe.cards_left // 52}-deck shoe"
        if not self.effects.linear:
            return f"Single cards: taking any one card {full} leaves the edge exactly as it is."
        worst, best = (end(effect for _, _, effect in self.by_card) for end in (min, max))
        least, most = (_cards([card for card, _, effect in self.by_card if effect == end]) for end in (worst, best))
        return (
            f"Single cards: taking {least} {full} costs the bettor most ({edge_text(worst)} of the stake), and taking "
            f"out {most} helps most ({edge_text(best)})."
        )

    def to_dict(self) -> dict[str, Any]:
        """The facts as plain data, for the page's JSON file."""
        return {
            "pays": [
                {"event": line.event, "odds": line.odds, "chance": float(line.chance), "chance_exact": str(line.chance)}
                for line in self.lines
            ],
            "hit_frequency": float(self.hit_frequency),
            "hit_frequency_exact": str(self.hit_frequency),
            "effects_of_removal": [
                {"card": card, "cards": count, "effect": float(effect), "effect_exact": str(effect)}
                for card, count, effect in self.by_card
            ],
            "why": self.why,
        }


def moments(game: Game, bet: str, shoe: Shoe) -> tuple[Fraction, float]:
    """A bet's edge at a shoe, and the standard deviation of the result of one unit."""
    priced = price_shoe(game, shoe, bets=[bet])
    return priced.edges[bet], priced.standard_deviations[bet]


def edge_text(figure: Fraction) -> str:
    """A percentage with its sign, to four decimals; a small percentage to three significant digits."""
    return f"{100 * float(figure):+.{_decimals(figure)}f}%"


def chance_text(figure: Fraction) -> str:
    """A chance in percent, to four decimals; a small chance to three significant digits."""
    return f"{100 * float(figure):.{_decimals(figure)}f}%"


def _decimals(figure: Fraction) -> int:
    return max(_DIGITS, _SIGNIFICANT - 1 - floor(log10(abs(100 * figure)))) if figure else _DIGITS


def _cards(cards: Sequence[str]) -> str:
    """Cards in words: "an ace, a 7 or a ten-value card". A whole suit is named once, as "a heart"."""
    whole = [suit for suit in SUITS if {rank + suit for rank in RANKS} <= {*cards}]
    words = [f"a {SUIT_NAMES[suit][:-1]}" for suit in whole]
    words += [_card(card) for card in cards if card[-1] not in whole]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _card(card: str) -> str:
    if card == "T":
        return "a ten-value card"
    if card in RANKS:
        return {"A": "an ace", "8": "an 8"}.get(card, f"a {card}")
    return f"{_card(card[:-1])} of {SUIT_NAMES[card[-1]]}"
