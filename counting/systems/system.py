"""Counting systems as data: tags, how the count is read, triggers, and a source.

A system is a TOML file (see `systems/dragon-7.toml`). The running count is the start (0 by default) plus the tags of
the seen cards. The true count is the running count times 52, divided by a number of cards: either all unseen cards
(including cards burned face down), or the cards still in the shoe. This number is exact, or it is estimated in decks,
as counters estimate it at the table.

The project's own counts are in `searched/*.toml`, written by `experiments/own_counts/run.py`. For each bet on which the
search found a count that wins, there is one count for each level.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm
from typing import Annotated, Any, Final, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BeforeValidator, model_validator

from counting.arrays import Ints
from counting.cards import DECK, MOST_DECKS, RANKS, SUITS, WIDTH, Knows, Shoe, coarser
from counting.errors import InputError, Mistakes, printable, real, several, whole
from counting.games import Decks
from counting.io.tables import as_html
from counting.io.toml import Frozen, Text, text, validated
from counting.systems.tags import MOST_TAG, SuitTags, TagTable

PERFECT = "perfect"  # in tables: the perfect counter, who bets when the exact edge is positive
LEVELS = (1, 2, 3, 4)  # the levels of the project's own counts; a level is the largest size that a tag may have

TO_ZERO: Final = "to-zero"  # a start from which the count ends at zero, with any number of decks

_MOST_TRIGGER = 100_000
_DECIMALS = 6
_STEP = {"whole": DECK, "half": DECK // 2, "quarter": DECK // 4}
_AROUND = range(-4, 7)  # which triggers around a given trigger are scored too, as steps from it


def _trigger(value: object) -> float:
    """Check a trigger: it must have few enough decimals to be compared with a count exactly, in 64 bits."""
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= _MOST_TRIGGER:
        exactly = _exactly(value)
        if exactly == round(exactly, _DECIMALS):
            return float(value)
    raise ValueError(
        f"should be a number from -{_MOST_TRIGGER:,} to {_MOST_TRIGGER:,} with at most {_DECIMALS} decimals"
    )


def _start(value: object) -> int | str:
    if value == TO_ZERO or (type(value) is int and abs(value) <= _MOST_TRIGGER):
        return value
    raise ValueError(f"should be a whole number from -{_MOST_TRIGGER:,} to {_MOST_TRIGGER:,}, or {TO_ZERO!r}")


def _by_bet(value: object) -> object:
    """Check the value of `trigger`: one trigger for all bets, or a table of triggers by bet."""
    if not isinstance(value, dict):
        return _trigger(value)
    if not value:
        raise ValueError("should be a number, or a table of numbers by bet")
    triggers = {}
    for bet, trigger in value.items():
        try:
            triggers[text(bet)] = _trigger(trigger)
        except ValueError as error:
            raise ValueError(f"{printable(bet)}: {error}") from None
    return triggers


def _exactly(number: float) -> Decimal:
    """The number, exactly as written."""
    return Decimal(str(number))


def _listed(value: object) -> object:
    if not isinstance(value, list | tuple) or not value:
        raise ValueError("should be a list in brackets, of one or more")
    return tuple(value)


Trigger = Annotated[float, BeforeValidator(_trigger)]


class Published(Frozen):
    """A system's published results under a dealing procedure: what a counter with this system wins, the bet frequency,
    and the mean edge."""

    units_per_shoe: float | None = None
    units_per_100_coups: float | None = None
    bet_share: float | None = None
    mean_edge: float | None = None
    dealing: Text


class System(Frozen):
    """A counting system. The counter bets when the count is at or above the trigger. There is one trigger for all bets,
    or one for each bet. With `distance_from`, the counter bets when the count differs from this number by at least the
    trigger, on either side.

    Raises `InputError` for mistakes in the keys, with one line per mistake, as for a system from a file.

    >>> from counting import System
    >>> tags = dict.fromkeys("A234567", 0) | {"8": 1, "9": 1, "T": -1}
    >>> System(name="mine", title="Mine", source="my notes", count="true", trigger=3, tags=tags)
    <System mine: true count, level 1>
    """

    name: str = ""
    title: Text
    source: Text
    decks: Decks | None = None
    bets: Annotated[tuple[Text, ...], BeforeValidator(_listed)] | None = None
    count: Literal["true", "running"]
    per: Literal["unseen", "undealt"] = "unseen"
    estimate: Literal["exact", "whole", "half", "quarter"] = "exact"
    rounding: Literal["nearest", "down"] = "nearest"
    start: Annotated[int | Literal["to-zero"], BeforeValidator(_start)] = 0
    trigger: Annotated[float | dict[str, float], BeforeValidator(_by_bet)]
    distance_from: Trigger | None = None
    triggers: Annotated[tuple[Trigger, ...], BeforeValidator(_listed)] | None = None
    tags: TagTable
    published: Published | None = None

    @model_validator(mode="after")
    def _read_as_it_says(self) -> System:
        if self.count == "running" and (self.per, self.estimate, self.rounding) != ("unseen", "exact", "nearest"):
            raise ValueError("per, estimate, rounding: should be left out, a running count is not divided")
        return self

    @model_validator(mode="after")
    def _no_distance_below_0(self) -> System:
        own = [*self.trigger.values()] if isinstance(self.trigger, dict) else [self.trigger]
        if self.distance_from is not None and min(*own, *(self.triggers or ()), 0) < 0:
            raise ValueError("trigger, triggers: should be 0 or more with distance_from")
        return self

    @model_validator(mode="before")
    @classmethod
    def _bets_of_triggers(cls, data: Any) -> Any:
        trigger = data.get("trigger") if isinstance(data, dict) and data.get("bets") is None else None
        return {**data, "bets": [*trigger]} if isinstance(trigger, dict) and trigger else data

    @model_validator(mode="after")
    def _bets_as_triggers(self) -> System:
        if isinstance(self.trigger, dict) and self.bets != tuple(self.trigger):
            raise ValueError(f"bets: should be left out where trigger names them, {', '.join(self.trigger)}")
        return self

    @property
    def label(self) -> str:
        """The name in messages; for a system without a name, the title."""
        return self.name or self.title

    def __repr__(self) -> str:
        bets = f", for {', '.join(self.bets)}" if self.bets else ""
        return f"<System {self.label}: {self.count} count, level {self.level}{bets}>"

    __str__ = __repr__

    def _repr_html_(self) -> str:
        """The tags."""
        return as_html([self.by_tag], f"{self.title}: {repr(self)[1:-1]}")

    @property
    def knows(self) -> Knows:
        """What a counter must distinguish: point values, ranks or, if suits are counted, cards."""
        if isinstance(self.tags, SuitTags):
            return "card"
        return "value" if len({*self.by_rank[9:]}) == 1 else "rank"

    @property
    def by_tag(self) -> dict[str, int]:
        """The tag of each rank (A, 2 ... K) or, if suits are counted, of each suit (s, h, d, c)."""
        if isinstance(self.tags, SuitTags):
            return dict(zip(SUITS, self.tags.by_suit, strict=True))
        return dict(zip(RANKS, self.tags.by_rank, strict=True))

    @property
    def tag_line(self) -> str:
        """The tags in a line: thirteen by rank, or four with their suits."""
        if self.knows == "card":
            return " ".join(f"{suit} {tag}" for suit, tag in self.by_tag.items())
        return " ".join(map(str, self.by_rank))

    @property
    def by_card(self) -> tuple[int, ...]:
        """Fifty-two tags: As, Ah ... Kc."""
        if isinstance(self.tags, SuitTags):
            return self.tags.by_suit * len(RANKS)
        return tuple(tag for tag in self.tags.by_rank for _ in SUITS)

    @property
    def by_rank(self) -> tuple[int, ...]:
        """Thirteen tags: A, 2 ... K. Raises `InputError` for a system that counts suits."""
        if isinstance(self.tags, SuitTags):
            raise InputError(f"system {self.label}: counts suits, needs shoes known by card")
        return self.tags.by_rank

    @property
    def by_value(self) -> tuple[int, ...]:
        """Ten tags, in the order tens and faces, aces, 2 ... 9. Raises `InputError` for a system that counts ranks or
        suits."""
        by_rank = self.by_rank
        if self.knows != "value":
            raise InputError(f"system {self.label}: counts ranks, needs shoes known by rank")
        return (by_rank[-1], *by_rank[:9])

    def by_kind(self, knows: Knows) -> tuple[int, ...]:
        """The tags in the order of a shoe's counts by value, rank or card."""
        if knows == "value":
            return self.by_value
        return self.by_rank if knows == "rank" else self.by_card

    @property
    def level(self) -> int:
        """The size of the largest tag: 2 if the tags are -2 to 1."""
        return max(map(abs, self.by_card))

    def on(self, bet: str) -> float:
        """The trigger of a bet."""
        if not isinstance(bet, str):
            raise InputError(f"bet {bet!r}", "a name")
        if not isinstance(self.trigger, dict):
            return self.trigger
        if bet not in self.trigger:
            raise InputError(f"bet {bet!r}: {self.label} has triggers for {', '.join(self.trigger)}")
        return self.trigger[bet]

    def at(self, trigger: float) -> str:
        """A trigger in words, for use after "bet at"."""
        trigger = real(trigger, "trigger", -_MOST_TRIGGER, _MOST_TRIGGER)
        return f"{trigger:g}" if self.distance_from is None else f"{trigger:g} away from {self.distance_from:g}"

    @property
    def scored(self) -> tuple[float, ...]:
        """The triggers to score, rising: the system's own triggers, and the listed `triggers` or, by default, the
        triggers at whole steps around its own."""
        own = {*self.trigger.values()} if isinstance(self.trigger, dict) else {self.trigger}
        around = self.triggers or {float(_exactly(trigger) + step) for trigger in own for step in _AROUND}
        return tuple(sorted({*filter(self._is_trigger, around), *own}))

    def _is_trigger(self, trigger: float) -> bool:
        """Whether a trigger is in range. With `distance_from`, it must not be below 0."""
        return abs(trigger) <= _MOST_TRIGGER and (self.distance_from is None or trigger >= 0)

    def is_end(self, trigger: float) -> bool:
        """Whether a trigger is the lowest or the highest of the scored triggers."""
        trigger = real(trigger, "trigger", -_MOST_TRIGGER, _MOST_TRIGGER)
        return trigger in (self.scored[0], self.scored[-1])

    def scored_around(self, triggers: Sequence[int]) -> System:
        """The same count, also scored at the steps around these triggers."""
        most = _MOST_TRIGGER
        around = [whole(trigger, "trigger", -most, most) for trigger in several(triggers, "triggers")]
        if not around:
            return self
        steps = {float(trigger + step) for trigger in around for step in _AROUND}
        return self.model_copy(update={"triggers": tuple(sorted({*self.scored, *filter(self._is_trigger, steps)}))})

    def running(self, compositions: NDArray[np.int32], decks: int) -> NDArray[np.int32]:
        """The running count (rows) for each composition (rows, 10, 13 or 52) of the unseen cards of a shoe of `decks`
        decks.

        A system that counts ranks needs compositions of 13 or 52 numbers; a system that counts suits needs 52.
        """
        tags, begun = self.tags_and_start(compositions.shape[1], decks)
        return (begun - compositions @ tags).astype(np.int32, copy=False)

    def tags_and_start(self, width: int, decks: int) -> tuple[NDArray[np.int32], np.int32]:
        """The tags for compositions of this width, and the running count at the end of a shoe, when no card is
        unseen."""
        key = whole(width, "counts of a composition", WIDTH["value"], DECK), whole(decks, "decks", 1, MOST_DECKS)
        if key not in self._started:
            knows = next((kind for kind, of_kind in WIDTH.items() if of_kind == width), None)
            if knows is None:
                raise InputError(f"compositions: {width} counts", f"{' or '.join(map(str, WIDTH.values()))}")
            tags, full = np.array(self.by_kind(knows), np.int32), np.array(coarser(Shoe.decks(decks).counts, knows))
            self._started[key] = tags, np.int32(0 if self.start == TO_ZERO else self.start + full @ tags)
        return self._started[key]

    def end(self, decks: int) -> int:
        """The running count when no card of a shoe of `decks` is left."""
        return int(self.tags_and_start(DECK, decks)[1])

    def to_zero(self, trigger: float | None = None) -> System:
        """The same count with a start from which it ends at zero. Its trigger is `trigger`; by default, the trigger
        stays as it is."""
        data = self.to_dict() | {"start": TO_ZERO}
        if trigger is not None:
            data |= {"trigger": trigger, "triggers": [trigger]}
        return System.from_dict(data)

    @property
    def on_key_cards(self) -> System:
        """The same count with the commonest tag made 0, as a counter keeps it at a table. Both counts bet on exactly
        the same coups. The tags are divided by their common divisor if the triggers then have few enough decimals.

        This works for a true count that ends at zero, because such a count rises by 52 if every tag falls by one. The
        count must be per unseen card, without an estimate or a `distance_from`. Other counts are returned unchanged. So
        are counts whose commonest tag is 0, and counts whose tags or triggers would be out of range.

        >>> from counting import load_system
        >>> count = load_system("player-natural-9-level-1")
        >>> (count.by_rank[8], count.by_rank[0], count.trigger), count.key_cards
        ((-1, 1, -43.0), '9 -1; start at 32, bet at 4.5')
        """
        common = max({*self.by_card}, key=lambda tag: (self.by_card.count(tag), -abs(tag)))
        ends_at_zero = self.start == TO_ZERO or (self.start == 0 and not sum(self.by_card))
        exactly = (self.count, self.per, self.estimate) == ("true", "unseen", "exact")
        if not common or not ends_at_zero or not exactly or self.distance_from is not None:
            return self
        tags = {key: tag - common for key, tag in self.by_tag.items()}
        own = [*(self.trigger.values() if isinstance(self.trigger, dict) else [self.trigger]), *(self.triggers or ())]
        raised = [_exactly(trigger) + DECK * common for trigger in own]
        parts = gcd(*tags.values())
        if not parts or any(trigger / parts != round(trigger / parts, _DECIMALS) for trigger in raised):
            parts = 1
        new = dict(zip(own, (float(trigger / parts) for trigger in raised), strict=True))
        tags = {key: tag // parts for key, tag in tags.items()}
        if max(map(abs, tags.values())) > MOST_TAG or max(map(abs, new.values())) > _MOST_TRIGGER:
            return self
        data = self.to_dict() | {"start": TO_ZERO, "tags": tags}
        if isinstance(self.trigger, dict):
            data["trigger"] = {bet: new[trigger] for bet, trigger in self.trigger.items()}
        else:
            data["trigger"] = new[self.trigger]
        if self.triggers is not None:
            data["triggers"] = [new[trigger] for trigger in self.triggers]
        return System.from_dict(data)

    @property
    def key_cards(self) -> str:
        """How the count is kept on key cards only, in words, with the start for the system's number of decks, by
        default 8. Empty if `on_key_cards` changes nothing, or if no card counts after the change."""
        count = self.on_key_cards
        if count is self:
            return ""
        alike: dict[int, list[str]] = {}
        for key, tag in count.by_tag.items():
            alike.setdefault(tag, []).append(key)
        tags = ", ".join(f"{' '.join(keys)} {tag:+d}" for tag, keys in alike.items() if tag)
        if not tags:
            return ""
        begun = -int(count.tags_and_start(DECK, self.decks or 8)[0] @ np.array(Shoe.decks(self.decks or 8).counts))
        bets = " or ".join(dict.fromkeys(count.at(count.on(bet)) for bet in count.bets or ("",)))
        return f"{tags}; start at {begun}, bet at {bets}"

    def drifts(self, decks: int) -> bool:
        """Whether the count is unbalanced, starts at 0 and is read as if it ended at 0.

        A true count is always read in this way. A running count is read in this way too, unless its pivot (the count at
        which it ends) is in the range of the scored triggers. With `distance_from`, the pivot minus this number is
        compared with the range.
        """
        end = self.end(decks)
        off = self.count == "true" or not self.scored[0] <= end - (self.distance_from or 0) <= self.scored[-1]
        return self.start == 0 and end != 0 and off

    def drift(self, decks: int) -> str:
        """A warning in words for a count that `drifts`."""
        return f"{self.label} is unbalanced and starts at 0, so that it ends at {self.end(decks)} and not at 0"

    @cached_property
    def _started(self) -> dict[tuple[int, int], tuple[NDArray[np.int32], np.int32]]:
        return {}

    @cached_property
    def exact_triggers(self) -> tuple[int, Ints, int | None]:
        """The scored triggers, rising, and `distance_from`, as whole numbers over a common denominator."""
        *exact, centre = (Fraction(_exactly(number)) for number in (*self.scored, self.distance_from or 0))
        common = lcm(*(number.denominator for number in (*exact, centre)))
        triggers = np.array([int(trigger * common) for trigger in exact], np.int64)
        return common, triggers, None if self.distance_from is None else int(centre * common)

    def reached(
        self, running: NDArray[np.int32], cards_left: NDArray[np.int64], undealt: NDArray[Any]
    ) -> NDArray[np.int32]:
        """How many of the scored triggers the count has reached, which means that it is at or above them. The
        arithmetic is exact.

        `cards_left` is the number of unseen cards. `undealt` is the number of unseen cards still in the shoe; the other
        unseen cards are burned. Counts are at most 100 per card, plus 10^5 for the start. Triggers are at most 10^5, in
        millionths. So every product stays below 2^63.
        """
        count, divisor = self.height(running, cards_left, undealt)
        # A quotient is at or above a whole number exactly if the rounded-down quotient is.
        return np.searchsorted(self.exact_triggers[1], count // divisor, side="right").astype(np.int32)

    @property
    def divided_by(self) -> tuple[str, str, str, str]:
        """The rule of the divisor: two systems with equal rules have the same divisors."""
        return self.count, self.per, self.estimate, self.rounding

    def whole_count(
        self, running: NDArray[np.int32], cards_left: NDArray[np.int64], undealt: NDArray[Any]
    ) -> NDArray[np.int64]:
        """The count, or its distance from `distance_from`, rounded down. A whole trigger is reached exactly if this
        number is at or above the trigger. Arguments are as for `reached`."""
        count, divisor = self.height(running, cards_left, undealt)
        return count // (divisor * self.exact_triggers[0])

    def height(
        self, running: NDArray[np.int32], cards_left: NDArray[np.int64], undealt: NDArray[Any]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Two whole numbers. Their quotient is compared with the triggers times the triggers' common denominator. The
        first is the count, or its distance from `distance_from`, times the divisor and times this denominator. The
        second is the divisor. Arguments are as for `reached`."""
        common, _, centre = self.exact_triggers
        divisor = self.divisor(cards_left, undealt)
        count = running.astype(np.int64) * (common * DECK if self.count == "true" else common)
        return (count if centre is None else np.abs(count - centre * divisor)), divisor

    def divisor(self, cards_left: NDArray[np.int64], undealt: NDArray[Any]) -> NDArray[np.int64]:
        """What the running count is divided by. It is 1 for a running count. For a true count it is a number of cards,
        either exact or estimated in whole, half or quarter decks; an estimate is at least one of these steps."""
        cards = np.asarray(cards_left if self.per == "unseen" else undealt, np.int64)
        if self.count == "running":
            return np.ones_like(cards)
        if self.estimate == "exact":
            return cards
        step = _STEP[self.estimate]
        steps = (2 * cards + step) // (2 * step) if self.rounding == "nearest" else cards // step
        estimated: NDArray[np.int64] = np.maximum(steps, 1) * step
        return estimated

    def to_dict(self) -> dict[str, Any]:
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> System:
        return system_of(data, data["name"] or data["title"], Mistakes())


def system_of(data: dict[str, Any], where: str, mistakes: Mistakes) -> System:
    """A system from data. Raises `InputError` with a line per mistake, including the earlier `mistakes`."""
    system = validated(System, data, [], lambda mistake: mistakes.append(f"{where}: {mistake}"))
    mistakes.report()
    assert system is not None
    return system
