"""The check of `verify` on pay table lines that the hands settle: their counts are compared with an independent
enumeration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from counting.cards import COUP, DECK, WIDTH, Knows, Shoe, finest
from counting.exact import price_shoe, required_detail
from counting.games import MAIN_EVENTS, Bet, Game, catalog, unfit
from counting.verify import reference
from counting.verify.check import Check, LargestDifference, Tick

_DIFFERENT = 4  # the number of different cards in a shoe
_MOST_CARDS = 40

# Every key of `conditions.KEYS`, alone or with a second key that makes the hands settle the bet.
EVERY_KEY: dict[str, list[dict[str, Any]]] = {
    "winner-and-first": [
        {"winner": "player", "player_first_total": [6, 7]},
        {"winner": ["banker", "tie"], "margin": [0, 4], "player_third_value": [1, 4]},
    ],
    "totals": [
        {"player_total": [7, 9], "banker_total": [4, 6], "banker_third_value": "0-5"},
        {"banker_first_total": [2, 5], "player_first_total": 1},
    ],
    "cards": [
        {"cards": 5, "player_cards": 3, "player_third_rank": ["4", "K"]},
        {"cards": 6, "banker_cards": 3, "banker_third_rank": ["A", "Q"]},
    ],
    "naturals": [
        {"natural": True, "player_pair": True},
        {"natural": False, "banker_natural": False, "banker_pair": True},
        {"player_natural": True, "banker_suited": True},
    ],
    "pairs": [{"pairs": 2, "winner": "tie"}, {"pairs_of_one_rank": True}, {"pairs": 1, "cards": 4}],
    "perfect-pairs": [{"perfect_pairs": 1, "winner": "banker"}],
    "kinds-of-pairs": [
        {"player_pair_kind": ["mixed", "perfect"]},
        {"banker_pair_kind": "coloured"},
        {"player_pair_rank": ["A", "K"]},
        {"banker_pair_rank": "9"},
    ],
    "first-two": [{"player_first_two": "K Q", "player_suited": True}, {"banker_first_two": ["A A", "10 9"]}],
    "first-colours": [{"first_colour": "red"}, {"player_first_colour": "black", "banker_first_colour": "red"}],
    "colours": [{"colour": "black"}],
    "player-colours": [{"player_colour": "red"}],
    "banker-colours": [{"banker_colour": ["red", "black"]}],
    "player-suits": [{"player_suit": ["spades", "clubs"], "winner": "player"}],
    "banker-suits": [{"banker_suit": "diamonds"}],
    "third-suits": [{"player_third_suit": "hearts", "banker_third_suit": ["clubs", "spades"]}],
    "third-colours": [{"player_third_colour": "red"}, {"banker_third_colour": "black"}],
    "numbers": [{"number_of": {"A": "1-2", "face": [2, 3, 4]}}],
    "numbers-of-player": [{"player_number_of": {"K": 1, "red": 2}}],
    "numbers-of-banker": [{"banker_number_of": {"10": 1, "hearts": [1, 2]}}],
    "first-numbers": [
        {"first_number_of": {"9": "2-4"}},
        {"player_first_number_of": {"face": 2}},
        {"banker_first_number_of": {"black": 1, "4": 1}},
    ],
    "player-of-three": [
        {"player_straight": True, "player_flush": True},
        {"player_three_of_a_kind": True},
        {"player_straight": True},
        {"player_flush": True},
    ],
    "banker-of-three": [{"banker_three_of_a_kind": True}, {"banker_straight": True}],
    "banker-flush": [{"banker_flush": True}],
    "different": [{"player_different_cards": 1}, {"player_different_cards": 2, "winner": "tie"}],
    "different-of-banker": [{"banker_different_cards": [1, 3]}],
    "combined": [
        {
            "any": [
                {"player_pair": True, "player_third_value": 8},
                {"all": [{"player_first_colour": "red"}, {"natural": True}]},
            ],
            "not": [{"winner": "tie"}, {"any": [{"banker_pair": True}]}],
        }
    ],
}


@lru_cache(maxsize=32)
def with_hands(game: Game) -> Game:
    """The game with only these bets: the bets of the game and of the catalog that the hands settle, and the bets of
    `EVERY_KEY`."""
    own = reference.bets_by_hands(game.bets)
    names = {bet.name for bet in own}
    of_catalog = [bet for bet in reference.bets_by_hands([*catalog().values()]) if bet.name not in names]
    keys = [Bet(name=f"keys-{name}", pays=_lines(conditions)) for name, conditions in EVERY_KEY.items()]
    fitting = [bet for bet in (*of_catalog, *keys) if not unfit(bet, game.tableau)]
    return replace(game, bets=(*own, *fitting))


def _lines(conditions: Sequence[dict[str, Any]]) -> Any:
    return [{**line, "odds": f"{i + 2}:1"} for i, line in enumerate(conditions)]


def small_shoe(rng: np.random.Generator) -> Shoe:
    """A shoe known by card, of a few different cards, among which pairs, suits and runs of ranks are common."""
    low, ranks = int(rng.integers(11)), [*range(13)]
    among = [ranks, [low, low + 1, low + 2], [0, 8, *range(9, 13)], [low, *range(9, 13)]][int(rng.integers(4))]
    suits = rng.permutation(4)[: int(rng.integers(1, 5))].tolist()
    cards = set[int]()
    while len(cards) < _DIFFERENT:
        wide = rng.random() < 0.2  # any card, because `among` and `suits` may not give enough cards
        cards.add(4 * int(rng.choice(ranks if wide else among)) + int(rng.choice([*range(4)] if wide else suits)))
    counts = [0] * DECK
    for card in [*cards, *rng.choice(sorted(cards), int(rng.integers(COUP - _DIFFERENT, _MOST_CARDS)))]:
        counts[int(card)] += 1
    return Shoe.from_cards(counts)


def lines_against_twin(games: Sequence[Game], number: int, seed: int, tick: Tick) -> Iterator[Check]:
    """Compare the counts of pay table lines, and the edges as fractions, with an enumeration of every deal. The shoes
    are small. Each bet is counted on shoes known by value, by rank and by card, as far as its lines allow this."""
    by_knows: dict[Knows, LargestDifference] = {knows: LargestDifference() for knows in WIDTH}
    rng = np.random.default_rng([seed, 10])
    sharing = list({game.tableau: game for game in games}.values())
    for i, game in enumerate(map(with_hands, sharing)):
        of_knows = {
            knows: game.only(bet.name for bet in game.bets if finest((required_detail(bet), knows)) == knows)
            for knows in WIDTH
        }
        for j in range(number):
            shoe = small_shoe(rng)
            hands = reference.every_deal(shoe, game)
            counted: Counter[Any] = Counter(reference.outcomes(game, shoe))
            paid = {}
            total = sum(hands.values())
            for bet in game.bets:
                met = reference.lines_met(hands, reference.plain_lines(bet))
                counted |= dict(zip(bet.met, met, strict=False))
                wins = sum((line.pay + 1) * n for line, n in zip(bet.pays, met, strict=True))
                paid[bet.name] = wins / total - 1
            for knows, known in of_knows.items():
                if not known.bets:
                    continue
                largest, coarse = by_knows[knows], _known(shoe, knows)
                expected = reference.events(known, shoe, counted)
                priced = price_shoe(known, coarse)
                for name, count in priced.counts.items():
                    if name not in MAIN_EVENTS:
                        largest.see(count - expected[name], f"{game.name}, {name}, {shoe}")
                for name, edge in priced.edges.items():
                    largest.see(float(edge - paid[name]), f"{game.name}, {name}, {shoe}")
            tick((i + (j + 1) / number) / len(sharing))
    for knows, largest in by_knows.items():
        yield largest.check("lines settled by the hands = enumeration written apart", f"shoes known by {knows}")


def _known(shoe: Shoe, knows: Knows) -> Shoe:
    return shoe if knows == "card" else Shoe("rank", shoe.ranks) if knows == "rank" else Shoe.from_values(shoe.values)
