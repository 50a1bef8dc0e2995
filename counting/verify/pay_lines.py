"""Whether two hands meet the conditions of a pay table line, written in plain Python from the words of the rules.

This module is part of the reference implementation (`reference`). It shares only the conditions, as data, with the
evaluator. A card is a number from 0 to 51, 4 * rank + suit, with ranks A to K and suits spades, hearts, diamonds,
clubs. A hand is a list of two or three cards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Hand = Sequence[int]

_RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
_SUITS = ["spades", "hearts", "diamonds", "clubs"]
_VALUES = [min(card // 4 + 1, 10) for card in range(52)]


def first_met(lines: Sequence[Mapping[str, Any]], player: Hand, banker: Hand) -> int:
    """The index of the first line that the hands meet; `len(lines)` if they meet no line."""
    for i, conditions in enumerate(lines):
        if meets(conditions, player, banker):
            return i
    return len(lines)


def meets(conditions: Mapping[str, Any], player: Hand, banker: Hand) -> bool:
    """Whether the hands meet all of the conditions, which are plain data."""
    for key, wanted in conditions.items():
        if key == "any":
            met = any(meets(table, player, banker) for table in wanted)
        elif key == "all":
            met = all(meets(table, player, banker) for table in wanted)
        elif key == "not":
            met = not any(meets(table, player, banker) for table in wanted)
        elif key.startswith("player_"):
            met = _hand(key.removeprefix("player_"), wanted, player)
        elif key.startswith("banker_"):
            met = _hand(key.removeprefix("banker_"), wanted, banker)
        else:
            met = _both(key, wanted, player, banker)
        if not met:
            return False
    return True


def _both(key: str, wanted: Any, player: Hand, banker: Hand) -> bool:
    if key in ("winner", "margin"):
        p, b = _total(player), _total(banker)
        return (abs(p - b) if key == "margin" else "tie" if p == b else "player" if p > b else "banker") in wanted
    if key == "cards":
        return len(player) + len(banker) in wanted
    if key == "natural":
        return bool((_total(player[:2]) in (8, 9) or _total(banker[:2]) in (8, 9)) == wanted)
    if key == "pairs":
        return [_rank(player[0]) == _rank(player[1]), _rank(banker[0]) == _rank(banker[1])].count(True) in wanted
    if key == "perfect_pairs":
        return [player[0] == player[1], banker[0] == banker[1]].count(True) in wanted
    if key == "pairs_of_one_rank":
        return bool((len({_rank(card) for card in (*player[:2], *banker[:2])}) == 1) == wanted)
    if key == "colour":
        return any(all(_is(card, colour) for card in (*player, *banker)) for colour in wanted)
    if key == "first_colour":
        return any(all(_is(card, colour) for card in (*player[:2], *banker[:2])) for colour in wanted)
    if key == "number_of":
        return _numbers(wanted, [*player, *banker])
    assert key == "first_number_of", key
    return _numbers(wanted, [*player[:2], *banker[:2]])


def _hand(key: str, wanted: Any, hand: Hand) -> bool:
    first, second = hand[:2]
    pair = _rank(first) == _rank(second)
    if key == "total":
        return _total(hand) in wanted
    if key == "cards":
        return len(hand) in wanted
    if key == "natural":
        return bool((_total(hand[:2]) > 7) == wanted)
    if key == "first_total":
        return _total(hand[:2]) in wanted
    if key == "pair":
        return bool(pair == wanted)
    if key == "suited":
        return bool((_suit(first) == _suit(second)) == wanted)
    if key == "pair_kind":
        if not pair:
            return False
        kind = "perfect" if first == second else "coloured" if _red(first) == _red(second) else "mixed"
        return kind in wanted
    if key == "pair_rank":
        return pair and _RANKS[_rank(first)] in wanted
    if key == "first_two":
        return any(sorted(two.split()) == sorted([_RANKS[_rank(first)], _RANKS[_rank(second)]]) for two in wanted)
    if key == "first_colour":
        return any(_is(first, colour) and _is(second, colour) for colour in wanted)
    if key in ("colour", "suit"):
        return any(all(_is(card, name) for card in hand) for name in wanted)
    if key == "number_of":
        return _numbers(wanted, hand)
    if key == "first_number_of":
        return _numbers(wanted, hand[:2])
    if key == "different_cards":
        return len(set(hand)) in wanted
    third = hand[2] if len(hand) == 3 else None
    if key == "three_of_a_kind":
        return bool((third is not None and pair and _rank(third) == _rank(first)) == wanted)
    if key == "flush":
        return bool((third is not None and len({_suit(card) for card in hand}) == 1) == wanted)
    if key == "straight":
        ranks = {_rank(card) for card in hand}
        runs = [{low, low + 1, low + 2} for low in range(11)] + [{11, 12, 0}]
        return bool((third is not None and ranks in runs) == wanted)
    if third is None:
        return False
    if key == "third_value":
        return _total([third]) in wanted
    assert key in ("third_rank", "third_suit", "third_colour"), key
    return any(_is(third, name) for name in wanted)


def _numbers(wanted: Sequence[tuple[str, Sequence[int]]], cards: Hand) -> bool:
    return all(sum(_is(card, name) for card in cards) in numbers for name, numbers in wanted)


def _is(card: int, name: str) -> bool:
    if name == "face":
        return _RANKS[_rank(card)] in "JQK"
    if name in ("red", "black"):
        return _red(card) == (name == "red")
    return name in (_RANKS[_rank(card)], _SUITS[_suit(card)])


def _rank(card: int) -> int:
    return card // 4


def _suit(card: int) -> int:
    return card % 4


def _red(card: int) -> bool:
    return _SUITS[_suit(card)] in ("hearts", "diamonds")


def _total(hand: Hand) -> int:
    return sum([_VALUES[card] for card in hand]) % 10
