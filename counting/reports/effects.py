"""A bet's profile for the counter: effects of removal, counts for the bet and what they win, as data."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from typing import Any

from counting.cards import COUP, DECK
from counting.errors import InputError, whole
from counting.exact import (
    DEEPEST,
    Effects,
    Efficiencies,
    Tags,
    best_tags,
    decks_of,
    exact_gain,
    has_exact_gain,
    perfect_gain,
)
from counting.io.tables import Rows, percent
from counting.systems import TO_ZERO, System

LEVELS = (1, 2, 3)
_HALF_DECK = DECK // 2


def usual_depths(cards: int) -> list[int]:
    """The numbers of cards left that the tables show by default: every half deck up to half of the shoe, and the usual
    cut."""
    depths = [*range(cards // 2 // _HALF_DECK * _HALF_DECK, 0, -_HALF_DECK), DEEPEST]
    return [n for n in depths if n <= cards] or [max(COUP, cards // 2)]


def profile(effects: Effects, systems: Sequence[System] = (), cards_left: Sequence[int] = ()) -> dict[str, Any]:
    """The profile as plain data: exact effects of first and second order, counts, and the gains of counts by cards
    left.

    `counts`: the best tags; whole-number tags of levels 1 to 3; and `systems`. For each level there are the best
    balanced tags (`level-1`) and, if unbalanced tags are better, these too (`level-1u`). There are no counts if every
    card has the same effect.

    `gains`: how the gains were worked out.

    - "exact", if the bet and the counts look at point values only. `gain_kept` is then a count's betting efficiency,
      its share of perfect play's gain (see `efficiency.Efficiencies`), with a standard error. `gain_kept_at_trigger` is
      the same for a system at its own trigger. `gain_per_100_coups` is the most that the count wins with a given number
      of cards left.
    - "normal approximation": `gain_kept` is the share of the best tags' gain (`Effects.kept`), without an error.

    Raises `InputError` for two counts of the same name, and for numbers of cards left that the shoe does not have.
    """
    order = _as_written(effects)
    kinds = effects.kinds
    counts = _counts(effects, systems)
    depths = [whole(n, "cards left", COUP, effects.shoe.cards_left) for n in cards_left]
    exact = has_exact_gain(effects)
    against = Efficiencies(effects) if exact and counts else None
    return {
        "game": effects.game.name,
        "title": effects.game.heading,
        "bet": effects.bet,
        "shoe": str(effects.shoe),
        "cards_left": effects.shoe.cards_left,
        "knows": effects.knows,
        "edge": float(effects.edge),
        "exact": str(effects.edge),
        "linear": effects.linear,
        "gains": "exact" if exact else "normal approximation",
        "removal": [
            {"card": kinds[k], "cards": effects.counts[k], "effect": float(effect), "exact": str(effect)}
            for k in order
            if (effect := effects.removal[k]) is not None
        ],
        "second": [
            {"cards": [kinds[u], kinds[v]], "effect": float(effect), "exact": str(effect)}
            for i, u in enumerate(order)
            for v in order[i:]
            if (effect := effects.second[u][v]) is not None
        ],
        "counts": [_scored(effects, name, tags, against) for name, tags in counts.items()],
        "depths": [_at(effects, counts, n, exact) for n in depths or usual_depths(effects.shoe.cards_left)],
        **({"remarks": remarks} if (remarks := _remarks(effects, systems, against)) else {}),
    }


def _remarks(effects: Effects, systems: Sequence[System], against: Efficiencies | None) -> list[str]:
    """A line for each unbalanced true count that starts at 0. It says where the count would break even, and what its
    betting efficiency would be, if it started so as to end at zero."""
    decks, lines = decks_of(effects.shoe), []
    for system in systems if decks is not None and effects.linear else ():
        at = effects.break_even(system.to_zero())
        if decks is None or not system.drifts(decks) or system.count != "true" or isnan(at):
            continue
        line = f'{system.drift(decks)}. With start = "{TO_ZERO}" the count breaks even at {at:.4g}'
        kept = against.at_trigger(system.to_zero(math.ceil(at))) if against is not None else None
        lines.append(
            f"{line}."
            if kept is None
            else f"{line}, and its betting efficiency is {percent(kept.share, 1)} at a trigger of {math.ceil(at)}."
        )
    return lines


def _as_written(effects: Effects) -> list[int]:
    """The kinds of cards in the usual order of tags: values A, 2 ... 9, T."""
    kinds = range(len(effects.counts))
    return [*kinds[1:], 0] if effects.knows == "value" else [*kinds]


def _counts(effects: Effects, systems: Sequence[System]) -> dict[str, Tags]:
    if not effects.linear:
        return {}
    counts: dict[str, Tags] = {"best": effects.best}
    for level in LEVELS:
        balanced, free = (best_tags(effects.counts, effects.best, level, balanced) for balanced in (True, False))
        if balanced is not None:
            counts[f"level-{level}"] = balanced
        if free is not None and free != balanced:
            counts[f"level-{level}u"] = free
    for system in systems:
        if system.distance_from is not None:
            raise InputError(
                f"system {system.label!r}: distance_from = {system.distance_from:g}: should be left out for the "
                "effects of removal, which say nothing about a count that is bet at both ends; a sweep gives its gain"
            )
        if system.name in counts and counts[system.name] != system:
            raise InputError(f"system {system.name!r}: another count has this name, should have another name")
        counts[system.name] = system
    return counts


def _scored(effects: Effects, name: str, tags: Tags, against: Efficiencies | None) -> dict[str, Any]:
    correlation = effects.correlation(tags)
    kept = {"gain_kept": None if isnan(correlation) else effects.kept(correlation), "gain_kept_se": None}
    kept |= {"gain_kept_at_trigger": None, "gain_kept_at_trigger_se": None}
    if against is not None:
        at_trigger = against.at_trigger(tags) if isinstance(tags, System) else None
        for key, efficiency in (("gain_kept", against.of(tags)), ("gain_kept_at_trigger", at_trigger)):
            kept[key], kept[f"{key}_se"] = efficiency or (None, None)
    by_kind = effects.by_kind(tags)
    shown = [by_kind[k] if isinstance(by_kind[k], int) else float(by_kind[k]) for k in _as_written(effects)]
    return {
        "name": name,
        "correlation": _known(correlation),
        **kept,
        "edge_per_true_count": _known(effects.slope(tags)),
        "break_even": _known(effects.break_even(tags)),
        "start": float(effects.start(tags)),
        "tags": dict(zip((effects.kinds[k] for k in _as_written(effects)), shown, strict=True)),
    }


def _known(number: float) -> float | None:
    """The number; None for NaN."""
    return None if isnan(number) else number


def _at(effects: Effects, counts: dict[str, Tags], cards_left: int, exact: bool) -> dict[str, Any]:
    """For a number of cards left: the standard deviation of the edge, and each count's gain and break-even count."""
    gains = {}
    for name, tags in counts.items():
        won = (
            exact_gain(effects, tags, cards_left)
            if exact
            else effects.gain(cards_left, _known(effects.correlation(tags)) or 0)
        )
        gains[name] = {"gain_per_100_coups": 100 * won, "break_even": _known(effects.break_even(tags, cards_left))}
    best, error = perfect_gain(effects, cards_left) if exact and counts else (None, None)
    return {
        "cards_left": cards_left,
        "deviation": effects.deviation(cards_left),
        "deviation_second_order": effects.deviation(cards_left, 2),
        "perfect_per_100_coups": None if best is None else 100 * best,
        "perfect_per_100_coups_se": None if error is None else 100 * error,
        "counts": gains,
    }


def effects_rows(data: Mapping[str, Any], second: bool = False) -> Rows:
    """The profile as one long table with the columns `kind`, `name`, `value` and `exact`, which is the value as a
    fraction."""
    return list(_rows(data, second))


def _rows(data: Mapping[str, Any], second: bool) -> Iterator[dict[str, Any]]:
    def row(kind: str, name: object, value: object, exact: str | None = None) -> dict[str, Any]:
        return {"kind": kind, "name": str(name), "value": value, "exact": exact}

    yield row("edge", data["bet"], data["edge"], data["exact"])
    for effect in data["removal"]:
        yield row("removal", effect["card"], effect["effect"], effect["exact"])
    for effect in data["second"] if second else ():
        yield row("second", " ".join(effect["cards"]), effect["effect"], effect["exact"])
    for count in data["counts"]:
        for card, tag in count["tags"].items():
            yield row("tag", f"{count['name']} {card}", tag)
        for kind in (
            "correlation",
            "gain_kept",
            "gain_kept_se",
            "gain_kept_at_trigger",
            "gain_kept_at_trigger_se",
            "edge_per_true_count",
            "start",
            "break_even",
        ):
            yield row(kind, count["name"], count[kind])
    for at in data["depths"]:
        yield row("deviation", at["cards_left"], at["deviation"])
        if second:
            yield row("deviation_second_order", at["cards_left"], at["deviation_second_order"])
        if at["perfect_per_100_coups"] is not None:
            yield row("perfect_per_100_coups", at["cards_left"], at["perfect_per_100_coups"])
            yield row("perfect_per_100_coups_se", at["cards_left"], at["perfect_per_100_coups_se"])
        for name, count in at["counts"].items():
            for kind, value in count.items():
                yield row(kind, f"{name} {at['cards_left']}", value)
