"""A simulated pit with cards, a dealer, patrons and shuffles. It is written from the rules of the game and from how
people bet and shuffle.

This module shares no code with the package, so that its logs can show where the package is wrong. The game is EZ
Baccarat. Banker is paid even money, and pushes if it wins with a three-card total of 7. The Dragon 7 pays 40 to 1 on
such a win.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

RANKS = "A23456789TJQK"
SUITS = "cdhs"
CUT = 14

Card = str


class Coup(NamedTuple):
    player: list[Card]
    banker: list[Card]

    @property
    def winner(self) -> str:
        player, banker = total(self.player), total(self.banker)
        return "tie" if player == banker else "player" if player > banker else "banker"


Play = Callable[[Random, list[Coup], Coup], list[tuple[str, int]]]  # (chance, shoe so far, next coup): the bets


def value(card: Card) -> int:
    return min(RANKS.index(card[0]) + 1, 10) % 10


def total(hand: Iterable[Card]) -> int:
    return sum(map(value, hand)) % 10


def new_shoe(decks: int = 8) -> list[Card]:
    return [rank + suit for rank in RANKS for suit in SUITS] * decks


def shuffled(rng: Random, decks: int = 8) -> list[Card]:
    cards = new_shoe(decks)
    rng.shuffle(cards)
    return cards


def deal_coup(shoe: list[Card], at: int) -> tuple[Coup, int]:
    """The coup that begins at place `at` of the shoe, and the place where the next coup begins."""
    player, banker = [shoe[at], shoe[at + 2]], [shoe[at + 1], shoe[at + 3]]
    at += 4
    if max(total(player), total(banker)) < 8:
        third = None
        if total(player) <= 5:
            third = value(shoe[at])
            player.append(shoe[at])
            at += 1
        if banker_draws(total(banker), third):
            banker.append(shoe[at])
            at += 1
    return Coup(player, banker), at


def banker_draws(banker: int, third: int | None) -> bool:
    """Whether Banker draws on a total. `third`: the value of Player's third card, or None."""
    if third is None:
        return banker <= 5
    return {3: third != 8, 4: 2 <= third <= 7, 5: 4 <= third <= 7, 6: 6 <= third <= 7}.get(banker, banker <= 2)


def deal_shoe(shoe: list[Card]) -> tuple[list[Coup], list[Card]]:
    """The coups of a shoe, and its other cards: the burned cards and the cards after the last coup.

    The first card is shown, and its value is the number of cards that are burned; for a ten or a picture, ten cards. If
    the cut card comes out during a coup, one more coup is dealt. If it comes out before the first card of a coup, this
    coup is the last.
    """
    at = 1 + (value(shoe[0]) or 10)
    hidden, coups, last = shoe[:at], [], False
    while not last:
        last = at >= len(shoe) - CUT
        coup, at = deal_coup(shoe, at)
        coups.append(coup)
    return coups, hidden + shoe[at:]


def net(bet: str, amount: int, coup: Coup) -> float:
    """The net result of a bet."""
    if bet == "dragon-7":
        return amount * (40 if dragon(coup) else -1)
    if coup.winner == "tie":
        return amount * 8 if bet == "tie-8" else 0
    if bet == "banker" and dragon(coup):
        return 0
    return amount if coup.winner == bet else -amount


def dragon(coup: Coup) -> bool:
    return coup.winner == "banker" and len(coup.banker) == 3 and total(coup.banker) == 7


# How patrons bet. All of them see the shoe so far. Patrons who know cards also see the coming coup.

SIDES = ("player", "banker")


def flat(bet: str, amount: int = 100) -> Play:
    return lambda rng, before, coup: [(bet, amount)]


def at_random(amount: int = 100) -> Play:
    return lambda rng, before, coup: [(rng.choice(SIDES), amount)]


def seldom(bet: str, share: float, amount: int = 25) -> Play:
    return lambda rng, before, coup: [(bet, amount)] if rng.random() < share else []


def late(bet: str, coups: int, amount: int = 25) -> Play:
    """Sits down after `coups` coups of the shoe."""
    return lambda rng, before, coup: [(bet, amount)] if len(before) >= coups else []


def doubler(bet: str = "banker", least: int = 10, most: int = 640) -> Play:
    """Doubles after each loss, and starts again with the least bet after a win."""

    def play(rng: Random, before: list[Coup], coup: Coup) -> list[tuple[str, int]]:
        stake = least
        for past in before:
            result = net(bet, 1, past)
            stake = stake if result == 0 else min(2 * stake, most) if result < 0 else least
        return [(bet, stake)]

    return play


def after_results(bet: str, wins: str, in_a_row: int, amount: int = 100) -> Play:
    """Bets if the side `wins` has won the last `in_a_row` coups."""

    def play(rng: Random, before: list[Coup], coup: Coup) -> list[tuple[str, int]]:
        last = before[-in_a_row:]
        return [(bet, amount)] if len(last) == in_a_row and all(past.winner == wins for past in last) else []

    return play


def raises_on_losses(bet: str = "dragon-7", least: int = 25) -> Play:
    """Makes a side bet, and raises it after every ten coups without a win of this bet."""

    def play(rng: Random, before: list[Coup], coup: Coup) -> list[tuple[str, int]]:
        waited = next((i for i, past in enumerate(reversed(before)) if net(bet, 1, past) > 0), len(before))
        return [(bet, least * (1 + waited // 10))]

    return play


def sevens_are_due(bet: str = "dragon-7", amount: int = 100, coups: int = 6) -> Play:
    """Bets if few sevens came in the last coups."""

    def play(rng: Random, before: list[Coup], coup: Coup) -> list[tuple[str, int]]:
        last = before[-coups:]
        seen = sum(card[0] == "7" for past in last for card in past.player + past.banker)
        return [(bet, amount)] if len(last) == coups and seen <= 1 else []

    return play


def after_a_picture_nine(bet: str = "dragon-7", amount: int = 100) -> Play:
    """Bets after a coup in which a hand with a picture had a total of nine."""

    def play(rng: Random, before: list[Coup], coup: Coup) -> list[tuple[str, int]]:
        hands = (before[-1].player, before[-1].banker) if before else ()
        made = any(total(hand) == 9 and any(card[0] in "JQK" for card in hand) for hand in hands)
        return [(bet, amount)] if made else []

    return play


class KnowsFirstCard:
    """Knows Player's first card on a few coups of each shoe, and makes a large bet on the side that this card favours.
    On other coups, the patron makes small bets.

    `mine`: on which coups, numbered from 1, this member of a team may make a large bet.
    """

    def __init__(
        self, coups: int, large: int = 5000, small: int = 100, mine: Callable[[int], bool] = lambda coup: True
    ) -> None:
        self.coups, self.large, self.small, self.mine = coups, large, small, mine
        self.left = coups

    def __call__(self, rng: Random, before: list[Coup], coup: Coup) -> list[tuple[str, int]]:
        if not before:
            self.left = self.coups
        if self.left and self.mine(len(before) + 1) and rng.random() < 0.15:
            self.left -= 1
            return [("player" if 6 <= value(coup.player[0]) <= 9 else "banker", self.large)]
        return [(rng.choice(SIDES), self.small)] if self.small else []


# How the pit gathers and shuffles discards.


def hand_by_hand(coup: Coup) -> list[Card]:
    return coup.player + coup.banker


def banker_first(coup: Coup) -> list[Card]:
    return coup.banker + coup.player


def as_dealt(coup: Coup) -> list[Card]:
    player, banker = coup
    return [player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:]]


def rack(coups: Sequence[Coup], gather: Callable[[Coup], list[Card]], last_on_top: bool) -> list[Card]:
    """The discards, from the top of the rack to its bottom."""
    return [card for coup in (reversed(coups) if last_on_top else coups) for card in gather(coup)]


def riffle(rng: Random, cards: list[Card]) -> list[Card]:
    """Cut near the middle, then drop cards from the two packets, each with a chance in proportion to its number of
    cards left."""
    middle = sum(rng.random() < 0.5 for _ in cards)
    left, right, out = cards[:middle], cards[middle:], []
    i = j = 0
    while i < len(left) or j < len(right):
        rest_left, rest_right = len(left) - i, len(right) - j
        if rng.random() * (rest_left + rest_right) < rest_left:
            out.append(left[i])
            i += 1
        else:
            out.append(right[j])
            j += 1
    return out


def cut(rng: Random, cards: list[Card]) -> list[Card]:
    at = rng.randrange(len(cards) // 4, 3 * len(cards) // 4)
    return cards[at:] + cards[:at]


# Logs.


def write_coups(path: Path, shoes: Sequence[Sequence[Coup]], unread: Callable[[int, int], bool] | None = None) -> None:
    """Write a row for each coup. `unread`: tells, by shoe and coup, whether Player's first card was not read."""
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["table", "shoe", "coup", "player", "banker", "winner"])
        for shoe, coups in enumerate(shoes, 1):
            for number, coup in enumerate(coups, 1):
                player = coup.player if not (unread and unread(shoe, number)) else ["?", *coup.player[1:]]
                rows.writerow(["T1", shoe, number, " ".join(player), " ".join(coup.banker), coup.winner])


def write_stream(path: Path, rng: Random, shoes: Sequence[Sequence[Coup]], patrons: dict[str, Play]) -> None:
    """Write JSON lines as a table does: each bet comes before the cards of its coup."""
    with path.open("w") as file:
        for shoe, coups in enumerate(shoes, 1):
            for number, coup in enumerate(coups, 1):
                place = {"table": "T1", "shoe": shoe, "coup": number}
                for patron, play in patrons.items():
                    for bet, amount in play(rng, list(coups[: number - 1]), coup):
                        file.write(json.dumps({**place, "patron": patron, "bet": bet, "amount": amount}) + "\n")
                hands = {"player": " ".join(coup.player), "banker": " ".join(coup.banker)}
                file.write(json.dumps(place | hands) + "\n")


def write_bets(path: Path, rng: Random, shoes: Sequence[Sequence[Coup]], patrons: dict[str, Play]) -> dict[str, float]:
    """Write a row for each bet. Returns what each patron won."""
    won = dict.fromkeys(patrons, 0.0)
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["table", "shoe", "coup", "patron", "bet", "amount", "won"])
        for shoe, coups in enumerate(shoes, 1):
            for number, coup in enumerate(coups, 1):
                for patron, play in patrons.items():
                    for bet, amount in play(rng, list(coups[: number - 1]), coup):
                        result = net(bet, amount, coup)
                        won[patron] += result
                        rows.writerow(["T1", shoe, number, patron, bet, amount, f"{result:g}"])
    return won
