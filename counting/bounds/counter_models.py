"""Counter models: when a counter may sit out, and which bets hold the seat. The module also names bets that are taken
together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, get_args

from counting.errors import InputError, real, whole_field
from counting.games import MOST_UNITS
from counting.numbers import number
from counting.simulation import MOST_SKIPS

_MODEL = re.compile(
    r"(?:(sit-out)|(no-entry|play-all|skip-([0-9]{1,3}))(?::(any|minimum|[0-9]{1,4}(?:\.[0-9]{1,6})?))?)"
)


Kind = Literal["sit-out", "play-all", "skip", "no-entry"]


def joint_name(bets: Sequence[str]) -> str:
    """The name that tables give to several bets taken together, `a + b`, or to a single bet."""
    return " + ".join(bets)


@dataclass(frozen=True)
class CounterModel:
    """How many coups in a row a counter may skip, and which bets keep the seat.

    `kind` is what the counter may skip:

    - "sit-out": any number of coups (back-counting)
    - "play-all": no coup, and the counter never leaves
    - "skip": `most_skipped` coups in a row
    - "no-entry": no coup

    With "skip" and "no-entry" the counter may leave for the rest of the shoe, and cannot come back mid-shoe.

    `idle` is the amount on the main bets that holds the seat on a coup without the largest side bet:

    - a number: this many units
    - "minimum": the table's minimum
    - "any": no fixed amount; any bet holds the seat
    - None: the units that the largest side bet requires, or the table's minimum if the minimum is more

    Raises `InputError` for an unknown `kind` or `idle`, for `most_skipped` out of range, and for `most_skipped` above 0
    if the kind is not "skip". Raises it too for any `idle` with "sit-out", which holds no seat."""

    kind: Kind
    most_skipped: int = 0
    idle: Fraction | Literal["minimum", "any"] | None = None

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            raise InputError(f"model: {self.kind!r}", "sit-out, play-all, skip or no-entry")
        whole_field(self, "most_skipped", f"model {self.kind}: skips", 0, MOST_SKIPS)
        if self.most_skipped and self.kind != "skip":
            raise InputError(f"model {self.kind}: skips: {self.most_skipped}, should be 0: only skip has a number")
        if self.idle is None:
            return
        if self.kind == "sit-out":
            raise InputError(f"model sit-out: idle: {self.idle}, should be None: sit-out holds no seat")
        if self.idle not in ("minimum", "any"):
            if isinstance(self.idle, str):
                raise InputError(f"model {self.kind}: idle: {self.idle!r}", "minimum, any or a number of units")
            real(self.idle, f"model {self.kind}: idle", 0, MOST_UNITS)
            object.__setattr__(self, "idle", Fraction(self.idle))

    @classmethod
    def parse(cls, text: str) -> CounterModel:
        """Read `sit-out`, `play-all`, `skip-3` or `no-entry`. All but `sit-out` may have an ending that sets `idle`, as
        in `play-all:1`, `skip-3:minimum` and `no-entry:any`. Raises `InputError` for other texts and for numbers out of
        range."""
        match = _MODEL.fullmatch(str(text))
        if not match:
            leaves = " (when to leave is worked out: no edge is needed)" if "@" in str(text) else ""
            raise InputError(
                f"model {text!r}: should be sit-out; play-all, every coup; skip-3, at most three coups in a row "
                "skipped; or no-entry, every coup until leaving; with :1 for one unit on the main bets meanwhile, "
                f":minimum for the table's minimum, :any if any bet holds the seat{leaves}"
            )
        sits, plays, skips, idle = match.groups()
        units: Any = idle if idle in (None, "minimum", "any") else number(idle, f"model {text}: units", MOST_UNITS)
        kind: Any = "skip" if skips else sits or plays
        return cls(kind, int(skips or 0), units)

    @property
    def name(self) -> str:
        """The text that `parse` reads."""
        kind = f"skip-{self.most_skipped}" if self.kind == "skip" else self.kind
        idle = f"{float(self.idle):f}".rstrip("0").rstrip(".") if isinstance(self.idle, Fraction) else self.idle
        return kind if idle is None else f"{kind}:{idle}"

    @property
    def words(self) -> str:
        """What the counter may do, in words: `sit-out (the counter may skip any coup)`."""
        if self.kind == "sit-out":
            return f"{self.name} (the counter may skip any coup)"
        does = {
            "play-all": "the counter skips no coup",
            "skip": f"the counter may skip at most {self.most_skipped} coup{'s' * (self.most_skipped != 1)} in a row",
            "no-entry": "the counter skips no coup, but may leave for the rest of the shoe",
        }[self.kind]
        if self.idle is None:
            return f"{self.name} ({does})"
        amount = f"{float(self.idle):g} unit{'s' * (self.idle != 1)}" if isinstance(self.idle, Fraction) else ""
        held_by = {"any": "a bet of any size", "minimum": "the table's minimum on the main bets"}
        stays = (amount and f"{amount} on the main bets") or held_by[str(self.idle)]
        return f"{self.name} ({does}; if the largest side bet is not made on a coup, the seat is held by {stays})"

    @property
    def skips(self) -> int | None:
        """The most coups that may be skipped in a row; None for any number."""
        return None if self.kind == "sit-out" else self.most_skipped

    @property
    def leaves(self) -> bool:
        return self.kind in ("skip", "no-entry")


MODELS = tuple(map(CounterModel.parse, ("sit-out", "play-all", "play-all:1")))
