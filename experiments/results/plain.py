"""A plain dealer of punto banco, written from the rules of the game, and the exact chances of results, by counting
hands.

A natural 8 or 9 ends the coup. Player draws on 0-5 and stands on 6 and 7. If Player stands, Banker draws on 0-5. If
Player drew a third card, Banker draws on 0-2; on 3 unless this card is an 8; on 4 if it is 2-7; on 5 if it is 4-7; on 6
if it is 6-7.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

Draws = Callable[[int, int | None], bool]  # whether Banker draws, by Banker's total and Player's third card


class Coup(NamedTuple):
    """A coup: the winner, both totals, which hands are pairs, whether a hand is a natural, and the number of cards
    dealt."""

    winner: str
    player: int
    banker: int
    player_pair: bool
    banker_pair: bool
    natural: bool
    cards: int


def banker_draws(total: int, third: int | None) -> bool:
    if third is None:
        return total <= 5
    if total <= 2:
        return True
    return {3: third != 8, 4: 2 <= third <= 7, 5: 4 <= third <= 7, 6: third in (6, 7)}.get(total, False)


def never_on_five(total: int, third: int | None) -> bool:
    """Whether Banker draws, if the dealer wrongly lets Banker always stand on 5."""
    return total != 5 and banker_draws(total, third)


def shoe(rng: random.Random, decks: int = 8, without: Sequence[int] = ()) -> list[int]:
    """The ranks of a shoe's cards, 1 to 13, in random order. `without`: the ranks of the cards that are missing."""
    cards = [rank for rank in range(1, 14) for _ in range(4 * decks)]
    for rank in without:
        cards.remove(rank)
    rng.shuffle(cards)
    return cards


def dealt(cards: Sequence[int], cut: int = 14, burn: bool = True, draws: Draws = banker_draws) -> list[Coup]:
    """The coups of a shoe. The number of burned cards is the value of the first card. After the coup in which the cut
    card comes out, one more coup is dealt."""
    at = 1 + min(cards[0], 10) if burn else 0
    coups: list[Coup] = []
    while len(cards) - at >= 6:
        is_last = at >= len(cards) - cut
        coups.append(coup(cards, at, draws))
        if is_last:
            break
        at += coups[-1].cards
    return coups


def coup(cards: Sequence[int], at: int, draws: Draws = banker_draws) -> Coup:
    p1, b1, p2, b2 = cards[at : at + 4]
    player, banker, used, third = (min(p1, 10) + min(p2, 10)) % 10, (min(b1, 10) + min(b2, 10)) % 10, 4, None
    natural = player >= 8 or banker >= 8
    if not natural:
        if player <= 5:
            third = min(cards[at + used], 10) % 10
            player, used = (player + third) % 10, used + 1
        if draws(banker, third):
            banker, used = (banker + min(cards[at + used], 10)) % 10, used + 1
    winner = "player" if player > banker else "banker" if banker > player else "tie"
    return Coup(winner, player, banker, p1 == p2, b1 == b2, natural, used)


def exact_chances(decks: int = 8, without: Sequence[int] = ()) -> dict[str, Fraction]:
    """The chances of each winner, of a natural, and of each total of both hands, counted over all hands by value."""
    left = [16 * decks, *[4 * decks] * 9]
    for rank in without:
        left[min(rank, 10) % 10] -= 1
    ways: Counter[str] = Counter()
    cards = sum(left)
    every = cards * (cards - 1) * (cards - 2) * (cards - 3) * (cards - 4) * (cards - 5)

    def add(player: int, banker: int, natural: bool, times: int) -> None:
        winner = "player" if player > banker else "banker" if banker > player else "tie"
        for name in (winner, f"player {player}", f"banker {banker}", *["natural"] * natural):
            ways[name] += times

    def each(times: int) -> list[tuple[int, int]]:
        """Every value of the next card, with the number of such cards times `times`. The caller takes the card out of
        the shoe."""
        return [(value, times * left[value]) for value in range(10) if left[value]]

    def with_card(value: int, then: Callable[[], None]) -> None:
        left[value] -= 1
        then()
        left[value] += 1

    def settle(values: tuple[int, int, int, int], times: int) -> None:
        p1, b1, p2, b2 = values
        player, banker = (p1 + p2) % 10, (b1 + b2) % 10
        rest = (cards - 4) * (cards - 5)
        if player >= 8 or banker >= 8:
            add(player, banker, True, times * rest)
        elif player > 5:
            if not banker_draws(banker, None):
                add(player, banker, False, times * rest)
            else:
                for value, ways_to in each(times):
                    add(player, (banker + value) % 10, False, ways_to * (cards - 5))
        else:
            for third, ways_to in each(times):
                final = (player + third) % 10
                if not banker_draws(banker, third):
                    add(final, banker, False, ways_to * (cards - 5))
                    continue
                left[third] -= 1
                for value, more in each(ways_to):
                    add(final, (banker + value) % 10, False, more)
                left[third] += 1

    def deal(values: tuple[int, ...], times: int) -> None:
        if len(values) == 4:
            settle(values, times)  # type: ignore[arg-type]
            return
        for value, ways_to in each(times):
            with_card(value, lambda value=value, ways_to=ways_to: deal((*values, value), ways_to))  # type: ignore[misc]

    deal((), 1)
    return {name: Fraction(number, every) for name, number in ways.items()}
