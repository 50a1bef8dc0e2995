"""Streams of dealt tables as a log writes them while they deal: JSON lines of coups, each after the bets on it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from counting import Game, load_game
from counting.audit.synthetic import Flat, Patron, deal, log_frames
from counting.simulation import Dealing, preset

GAME = load_game("ez-baccarat")
FLAT: Mapping[str, Patron] = {"Ann": Flat("dragon-7", 25.0, 0.3)}

Record = dict[str, Any]


def records(
    table: str, shoes: int = 1, seed: int = 1, patrons: Mapping[str, Patron] = FLAT, game: Game = GAME,
    dealing: Dealing | None = None,
) -> list[Record]:  # fmt: skip
    """The records of a table in the order of the events."""
    dealt = deal(game, dealing or preset("jacobson", game.decks), seed, 0, shoes)
    coups, bets = log_frames(dealt, patrons, game, seed, table)
    of_coup: dict[tuple[int, int], list[Record]] = {}
    for bet in bets.drop("won").to_dicts():
        of_coup.setdefault((bet["shoe"], bet["coup"]), []).append(bet)
    stream: list[Record] = []
    for coup in coups.to_dicts():
        stream += of_coup.get((coup["shoe"], coup["coup"]), [])
        stream.append({name: value for name, value in coup.items() if value is not None})
    return stream


def lines(stream: Sequence[Record]) -> list[bytes]:
    return [json.dumps(record).encode() + b"\n" for record in stream]


def interleaved(*streams: Sequence[Record]) -> list[Record]:
    """Several tables that deal side by side."""
    longest = max(map(len, streams))
    return [stream[at] for at in range(longest) for stream in streams if at < len(stream)]
