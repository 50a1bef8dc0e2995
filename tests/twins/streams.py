"""Streams of logs, as a table writes them during play: JSON lines of coups, each coup after the bets on it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from counting import Game, load_game
from counting.review.synthetic import Flat, Patron, deal, log_frames
from counting.simulation import Dealing

GAME = load_game("ez-baccarat")
FLAT: Mapping[str, Patron] = {"Ann": Flat("dragon-7", 25.0, 0.3)}

Record = dict[str, Any]


def records(
    table: str, shoes: int = 1, seed: int = 1, patrons: Mapping[str, Patron] = FLAT, game: Game = GAME,
    dealing: Dealing | None = None,
) -> list[Record]:  # fmt: skip
    """The records of a table in the order of play."""
    dealt = deal(game, dealing or Dealing.named("jacobson", game.decks), seed, 0, shoes)
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
    """The records of several tables, mixed as if the tables deal at the same time."""
    longest = max(map(len, streams))
    return [stream[at] for at in range(longest) for stream in streams if at < len(stream)]


def with_corrections(stream: Sequence[Record]) -> list[Record]:
    """A stream in which coups are replaced, taken back, repeated or late, and some lines are unreadable."""
    stream = list(stream)
    coups = [record for record in stream if "player" in record]
    rng = np.random.default_rng(5)
    for at in sorted(rng.choice(np.arange(40, len(stream)), 30, replace=False), reverse=True):
        now = [record for record in stream[:at] if "player" in record]
        some = now[int(rng.integers(len(now)))]
        key = {name: some[name] for name in ("table", "shoe", "coup")}
        extra: dict[str, Any] = [
            key | {"undo": True}, key | {"player": "9h 8h", "banker": "9s Ks"}, some, key | {"player": "zz 8h"},
        ][int(rng.integers(4))]  # fmt: skip
        stream.insert(int(at), extra)
    stream.insert(60, {**coups[50], "coup": "x"})
    late = coups[100]
    stream.remove(late)
    stream.insert(stream.index(coups[110]), late)
    return stream


def with_mistyped_shoes(stream: Sequence[Record], number: int = 8, seed: int = 7) -> list[Record]:
    """A stream in which `number` records, of coups or bets, have a wrong shoe."""
    stream = list(stream)
    rng = np.random.default_rng(seed)
    places = [at for at, record in enumerate(stream) if record["coup"] > 3 and "shoe" in record]
    for at in sorted(rng.choice(places[:: len(places) // (2 * number)], number, replace=False).tolist()):
        stream[at] = {**stream[at], "shoe": f"x{at}"}
    return stream
