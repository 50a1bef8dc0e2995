"""Random conditions of pay table lines, as plain data."""

import random
from typing import Any

from counting.cards import RANKS
from counting.games.conditions import CARD_CLASSES, COLOURS, KEYS, PAIR_KINDS, SUIT_NAMES, WINNERS


def conditions(rng: random.Random, depth: int = 0) -> dict[str, Any]:
    """Random conditions of one to three kinds."""
    made: dict[str, Any] = {}
    for _ in range(rng.randint(1, 3)):
        key = rng.choice([*KEYS, "any", "all", "not"] if depth < 2 else KEYS)
        made[key] = wanted(rng, key, depth)
    return made


def wanted(rng: random.Random, key: str, depth: int) -> Any:
    some = lambda of: rng.sample(of, rng.randint(1, min(3, len(of))))  # noqa: E731
    if key in ("any", "all", "not"):
        return [conditions(rng, depth + 1) for _ in range(rng.randint(1, 2))]
    if key == "winner":
        return some(WINNERS)
    if key.endswith("number_of"):
        most = {"number_of": 6, "first_number_of": 4}.get(key, 2)
        return {name: some(range(most + 1)) for name in some(CARD_CLASSES)}
    if key.endswith("pair_kind"):
        return some(PAIR_KINDS)
    if key.endswith("colour"):
        return some(COLOURS)
    if key.endswith("suit"):
        return some(SUIT_NAMES)
    if key.endswith("rank") and key != "pairs_of_one_rank":
        return some(RANKS)
    if key.endswith("first_two"):
        return [" ".join(rng.choices(RANKS[-4:], k=2)) for _ in range(2)]
    if key in ("player_cards", "banker_cards"):
        return some((2, 3))
    if key == "cards":
        return some((4, 5, 6))
    if key in ("pairs", "perfect_pairs"):
        return some((0, 1, 2))
    if key.endswith("different_cards"):
        return some((1, 2, 3))
    if key == "margin" or key.endswith(("total", "value")):
        return some(range(10))
    return rng.random() < 0.7
