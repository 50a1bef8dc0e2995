"""Bets: pay table lines with conditions on what a coup shows, and the catalog of bets that tables offer.

A bet is settled in one of three ways:

- by the coup's outcome: totals and numbers of cards,
- by the pairs and suits of the hands' first two cards,
- by the hands, if its lines look at both of these, or at anything else about the cards.

The catalog is data too: `catalog/*.toml` has one file for each family of bets.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations
from json import dumps
from math import lcm
from typing import Annotated, Any, NamedTuple, Self

from pydantic import AfterValidator, BeforeValidator, ValidationInfo, model_validator

from counting.errors import InputError, Mistakes, whole
from counting.games.conditions import Conditions, Shows, conditions_of
from counting.games.coup import FIRSTS, First, Outcome
from counting.games.tableau import Tableau
from counting.io.toml import Frozen, Text, read_toml, shipped, validated
from counting.numbers import number

# The largest pay of a bet, in units of the common denominator of its odds. Pricing in 64 bits needs the absolute values
# of a bet's coefficients to sum to at most 2^30 (`_settle.pyx`). With this largest pay, the sum stays below 2^30 for
# bets on outcomes: no tableau has more than 400 classes of outcomes, and the coefficient for a class is at most two
# pays in absolute value. For bets on first cards, the sum is at most 81 pays (`first_cards.combination`). Bets on the
# hands may have any number of lines, so their sum is checked (`unfit`).
MOST_PAY = 1 << 20
MOST_UNITS = 1000  # the largest main-bet requirement, in units
MOST_METER = 999_999  # the largest meter, in units of the stake
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")

_MOST_RETURNED = 1 << 30  # the largest sum of the absolute values of a bet's coefficients
_MOST_MULTIPLIERS = 4  # how many multipliers (lines with odds such as "x2") one bet may have
_EXAMPLE = "big-tie: tie player_total=8-9 = 30:1; tie = push"


def is_written(text: object) -> bool:
    """Whether a text is a bet that is written out, as `Bet.written` reads it, and not a bet's name: whether it has a
    `=`."""
    return isinstance(text, str) and "=" in text


def bet_texts(text: str) -> list[str]:
    """The bets in a text: names separated by commas; the last may be a bet that is written out."""
    names, mark, lines = text.partition(":")
    if not is_written(text) or "=" in names:
        names, mark, lines = ("", "", text) if is_written(text) else (text, "", "")
    *listed, own = names.split(",")
    return [bet for bet in map(str.strip, (*listed, f"{own}{mark}{lines}")) if bet]


class LineHit(NamedTuple):
    """How the hands settle a bet: the line that they meet, and the lines before it, which they do not meet. If the
    hands meet no line, `line` is empty and `before` lists all lines."""

    line: str
    before: tuple[str, ...]


Shown = Outcome | First | LineHit


def _odds(value: object) -> str:
    text = value if isinstance(value, str) else ""
    if text in ("push", "lose") or re.fullmatch(r"[1-9][0-9]{0,5}:[1-9][0-9]{0,5}|x[1-9][0-9]{0,2}", text):
        return text
    if _share(text) is not None:
        return text
    raise ValueError(
        'should be odds as "40:1" or "19:20", "push", "lose", "meter" or "10% of meter", or "x2" to multiply what a '
        "later line pays"
    )


@lru_cache(maxsize=1024)
def _share(odds: str) -> Fraction | None:
    """The share of the meter that odds pay: 1/10 for "10% of meter"; None for other odds."""
    match = re.fullmatch(r"(?:([0-9]{1,3}(?:\.[0-9]{1,2})?)% of )?meter", odds)
    if match is None:
        return None
    share = Fraction(match[1] or 100) / 100
    return share if 0 < share <= 1 else None


def odds_of(text: str) -> str:
    """Odds in a pay table line's form, from the forms that people write: 40 to 1, 40/1 or 40 : 1 are 40:1."""
    return re.sub(r"\s*(?:\bto\b|[:/])\s*", ":", text.strip().lower())


@lru_cache(maxsize=1024)
def _pay(odds: str) -> Fraction:
    if ":" in odds:
        won, staked = map(int, odds.split(":"))
        return Fraction(won, staked)
    return Fraction(0 if odds == "push" else -1)


def _name(value: object) -> str:
    if isinstance(value, str) and NAME.fullmatch(value) and len(value) <= 64:
        return value
    raise ValueError("should be lower case letters and digits with hyphens, as 'seven-seven-40'")


def _meter(value: object) -> int | None:
    if value is None or (type(value) is int and 1 <= value <= MOST_METER):
        return value
    raise ValueError(f"should be a whole number of units of the stake, 1 to {MOST_METER:,}")


def _stays(value: object) -> bool | None:
    """Check the value of `stays`. False becomes None, as if the key were left out."""
    if not isinstance(value, bool):
        raise ValueError("should be true or false")
    return value or None


class Line(Conditions):
    """A pay table line: conditions, all of which a coup must meet, and the odds.

    With `stays` the stake is neither lost nor returned: it stands for the next coup. A coup's edge per unit at risk is
    the same as for a line with the same odds that returns the stake. It makes no difference whether the stake stays or
    is taken down and put up again: a unit on the layout is worth a unit in the hand.
    """

    odds: Annotated[str, BeforeValidator(_odds)]
    event: Annotated[str | None, BeforeValidator(_name)] = None
    stays: Annotated[bool | None, BeforeValidator(_stays)] = None

    @property
    def share(self) -> Fraction | None:
        """The share of the bet's meter that the line pays; None for a line with odds."""
        return _share(self.odds)

    @property
    def pay(self) -> Fraction:
        """Profit per unit staked: 40 for "40:1", 0 for a push, -1 for a loss. Raises `InputError` for a share of a
        meter, because only a line in a bet has a meter, and for a multiplier ("x2"), which a bet replaces with lines
        that have odds."""
        if self.share is not None:
            raise InputError(f"odds = {self.odds!r}: a line pays a share of the meter in a bet only")
        if self.odds.startswith("x"):
            raise InputError(f"odds = {self.odds!r}: multiplies what later lines of a bet pay, and has no pay itself")
        return _pay(self.odds)

    def at_meter(self, meter: int) -> Line:
        """This line as a line of a bet with this meter, 1 to 999,999 units of the stake. A line that pays no share of a
        meter is returned unchanged."""
        meter = whole(meter, "meter", 1, MOST_METER)
        if self.share is None:
            return self
        return LineAtMeter(meter=meter, **self.model_dump(exclude_none=True, by_alias=True, exclude={"meter"}))

    @property
    def label(self) -> str:
        """The name of the line's event: `event`, or a name made from the conditions."""
        return self.event or "-".join(self.words) or "any"


class LineAtMeter(Line):
    """A line that pays a share of its bet's meter."""

    meter: int

    @property
    def pay(self) -> Fraction:
        """The pay: the line's share of the meter; for a line with odds, the odds."""
        return super().pay if self.share is None else self.share * self.meter


def _multiplied(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """The lines of the same bet written without multipliers. A line that wins is preceded by copies of it: one for
    every set of one or more of the multipliers before it, the largest sets first. A copy also has the conditions of the
    set's multipliers, and its odds are the line's odds times these multipliers."""
    multipliers: list[Line] = []
    plain = []
    unused = ""
    for line in lines:
        if line.stays and (line.odds.startswith("x") or line.odds == "lose"):
            raise ValueError(f'stays = true: should be on a line with odds or "push", not {line.odds!r}')
        if line.odds.startswith("x"):
            multipliers.append(line)
            unused = line.odds
            continue
        if multipliers and line.share is not None:
            raise ValueError(
                f"odds = {line.odds!r}: a line that pays a share of the meter should come before lines as 'x2'"
            )
        if multipliers and line.pay > 0:
            unused = ""
        for number_of in range(len(multipliers) if multipliers and line.pay > 0 else 0, 0, -1):
            for some in combinations(multipliers, number_of):
                pay = line.pay
                for multiplier in some:
                    pay *= int(multiplier.odds[1:])
                tables = [{**part.plain} for part in (*some, line)]
                odds = f"{pay.numerator}:{pay.denominator}"
                plain.append(Line(all=tables, odds=odds, stays=bool(line.stays)))  # type: ignore[arg-type]
        plain.append(line)
    if len(multipliers) > _MOST_MULTIPLIERS:
        raise ValueError(f"should have at most {_MOST_MULTIPLIERS} lines that multiply")
    if unused:
        raise ValueError(f"odds = {unused!r}: no later line wins, should come before the lines that it multiplies")
    return tuple(plain)


def _metered(lines: tuple[Line, ...], bet: ValidationInfo) -> tuple[Line, ...]:
    """The lines of a bet. If the bet has a meter, the lines that pay shares of it know the meter."""
    meter = bet.data.get("meter")
    return lines if meter is None else tuple(line.at_meter(meter) for line in lines)


class Bet(Frozen):
    """A bet: the first pay table line that a coup meets settles it; a coup that meets no line loses the stake.

    A progressive bet has lines that pay shares of its `meter`, which is in units of the stake.

    Raises `InputError` for mistakes in the keys, with one line per mistake, as for a bet from a file.

    >>> from counting import Bet
    >>> Bet(name="tie-9", pays=[{"winner": "tie", "odds": "9:1"}]).pays[0].pay
    Fraction(9, 1)
    """

    name: Annotated[str, BeforeValidator(_name)]
    title: Text | None = None
    source: Text | None = None
    meter: Annotated[int | None, BeforeValidator(_meter)] = None
    pays: Annotated[
        tuple[Line, ...],
        BeforeValidator(lambda lines: tuple(lines) if isinstance(lines, list) else lines),
        AfterValidator(_multiplied),
        AfterValidator(_metered),
    ]

    @model_validator(mode="after")
    def _has_its_meter(self) -> Self:
        of_meter = any(line.share is not None for line in self.pays)
        if of_meter and self.meter is None:
            raise ValueError("meter: missing, should be the units of the stake that the meter shows")
        if self.meter is not None and not of_meter:
            raise ValueError(f'meter = {self.meter}: no line pays a share of it, should have odds as "10% of meter"')
        return self

    @classmethod
    def of(cls, name: str, pays: Mapping[str, str], meter: int | None = None) -> Bet:
        """A bet from its pay table, a mapping of conditions to odds, and for a progressive bet its meter.

        Conditions are separated by blanks. A condition is a winner, or `key=value` with a key of a pay table line. Keys
        that combine conditions or end in `number_of` cannot be used here, only in files and in `Bet(...)`. Values are
        written as 7, 2-5, 1,3,8, K, red or true.

        >>> from counting import Bet
        >>> Bet.of("lucky-6", {"banker banker_total=6 banker_cards=2": "12:1", "banker banker_total=6": "20:1"}).pays[1]
        Line(winner=('banker',), banker_total=(6,), odds='20:1')
        """
        if not isinstance(pays, Mapping):
            raise InputError(f"bet {name}: pays = {pays!r}, should be odds by condition, as {{'tie': '8:1'}}")
        lines: Any = [{**conditions_of(str(line), f"bet {name}"), "odds": odds} for line, odds in pays.items()]
        return cls(name=name, meter=meter, pays=lines)

    @staticmethod
    def written(text: str) -> Bet:
        """A bet written out in one line, `name: conditions = odds; conditions = odds`, with conditions as `of` takes
        them. A coup that meets no line loses the stake. Raises `InputError` for anything else.

        >>> from counting import Bet
        >>> Bet.written("big-tie: tie player_total=8-9 = 30 to 1; tie = push").pays[0]
        Line(winner=('tie',), player_total=(8, 9), odds='30:1')
        """
        if not isinstance(text, str):
            raise InputError(f"bet {text!r}", f"a text, as {_EXAMPLE!r}")
        return _written(text)

    def at_meter(self, meter: int) -> Bet:
        """The bet at another meter, 1 to 999,999 units of the stake. Raises `InputError` for a number out of range, and
        for a bet that is not progressive.

        >>> from counting import Bet
        >>> Bet.of("nines", {"tie player_total=9": "10% of meter"}, meter=500).at_meter(900).pays[0].pay
        Fraction(90, 1)
        """
        fields = {name: getattr(self, name) for name in type(self).model_fields}
        return type(self)(**{**fields, "meter": whole(meter, f"bet {self.name}: meter", 1, MOST_METER)})

    @cached_property
    def shows(self) -> Shows:
        """What settles the bet: the outcome of the coup, the pairs and suits of the first two cards, or the hands."""
        looks = {look for line in self.pays for look in line.looks_at}
        return "hands" if len(looks) > 1 else next(iter(looks), "outcome")

    @cached_property
    def conditions(self) -> tuple[Conditions, ...]:
        """The conditions of each line, without odds. Bets that differ only in odds have the same conditions."""
        return tuple(Conditions.model_validate(line.plain) for line in self.pays)

    @property
    def settled_by(self) -> Hashable:
        """A key that is equal for bets that can be settled together: "outcome", "first", or the conditions on the
        hands."""
        return self.conditions if self.shows == "hands" else self.shows

    @cached_property
    def met(self) -> tuple[LineHit, ...]:
        """The ways in which hands settle the bet: one for each pay table line, in order, then one for hands that meet
        no line."""
        lines = [dumps(line.plain) for line in self.pays]
        return tuple(LineHit(line, tuple(lines[:i])) for i, line in enumerate([*lines, ""]))

    def line(self, shown: Shown) -> int | None:
        """The index of the line that settles the bet; None if what the coup shows meets no line, and the bet loses."""
        if isinstance(shown, LineHit):
            place = self.met.index(shown)
            return place if place < len(self.pays) else None
        for i, line in enumerate(self.pays):
            if line.fits(shown):
                return i
        return None

    def pay(self, shown: Shown) -> Fraction:
        if shown not in self._paid:
            i = self.line(shown)
            self._paid[shown] = Fraction(-1) if i is None else self.pays[i].pay
        return self._paid[shown]

    @cached_property
    def _paid(self) -> dict[Shown, Fraction]:
        """The bet's pay for everything that coups have shown so far, kept for later calls."""
        return {}

    def may_pay(self, outcomes: Iterable[Outcome]) -> set[Fraction]:
        """What the bet may pay in coups of these outcomes. If outcomes do not settle the bet, these are the pays of all
        lines, and -1."""
        if self.shows == "outcome":
            return {self.pay(outcome) for outcome in outcomes}
        return {*(line.pay for line in self.pays), Fraction(-1)}

    @cached_property
    def denominator(self) -> int:
        """The least whole stake for which every line pays whole units."""
        return lcm(*(line.pay.denominator for line in self.pays))

    def happening(self, tableau: Tableau) -> tuple[Shown, ...]:
        """What a coup under this tableau can show to this bet, whatever the hands choose: lines of the pay table that
        can be met, first cards, or outcomes."""
        if self.shows == "hands":
            from counting.games.hand_tables import hand_tables  # numpy is slow to import

            met = {i for way in tableau.ways for i in hand_tables(self.conditions, way).lines_met}
            return tuple(self.met[i] for i in sorted(met))
        return FIRSTS if self.shows == "first" else tableau.outcomes


@lru_cache(maxsize=256)
def _written(text: str) -> Bet:
    name, mark, lines = text.partition(":")
    if "=" in name or not mark or not lines.strip():
        raise InputError(f"bet {text!r}", f"a name, conditions and odds, as {_EXAMPLE!r}")
    pays: dict[str, str] = {}
    for line in filter(None, map(str.strip, lines.split(";"))):
        conditions, mark, odds = map(str.strip, line.rpartition("="))
        if not mark:
            raise InputError(f"bet {name.strip()}, {line!r}", f"conditions and odds, as {_EXAMPLE!r}")
        if conditions in pays:
            raise InputError(f"bet {name.strip()}, {conditions!r}: occurs twice, should occur once")
        pays[conditions] = odds_of(odds)
    return Bet.of(name.strip(), pays)


@lru_cache(maxsize=4096)
def lines_of_outcomes(bet: Bet, tableau: Tableau) -> tuple[int | None, ...] | None:
    """For each of the tableau's outcomes, the index of the line that settles the bet; None if the bet meets no line and
    loses. If outcomes do not settle the bet, as with a bet on a pair, the whole result is None."""
    return tuple(map(bet.line, tableau.outcomes)) if bet.shows == "outcome" else None


def on_hands(bets: Sequence[Bet]) -> tuple[Bet, ...]:
    """The bets that the hands settle. Of several bets with the same conditions, only the first bet is included."""
    return tuple({bet.conditions: bet for bet in reversed(bets) if bet.shows == "hands"}.values())[::-1]


@lru_cache(maxsize=4096)
def line_events(bet: Bet, tableau: Tableau) -> tuple[frozenset[Shown], ...]:
    """For each line, the event that the line settles the bet: everything that a coup can show and that meets this line
    but no earlier line."""
    events: list[set[Shown]] = [set() for _ in bet.pays]
    for shown in bet.happening(tableau):
        i = bet.line(shown)
        if i is not None:
            events[i].add(shown)
    return tuple(frozenset(s) for s in events)


def unfit(bet: Bet, tableau: Tableau | None) -> list[str]:
    """The mistakes in a bet whose keys are valid, if it is offered in a game with this tableau. If the tableau is None,
    it is not checked whether each line can happen."""
    if not bet.pays:
        return ["pays: should be one line or more"]
    wrong = []
    if max(Fraction(1), *(line.pay for line in bet.pays)) * bet.denominator > MOST_PAY:
        at = "" if bet.meter is None else f"meter = {bet.meter}, "
        parts = lcm(*(line.share.denominator for line in bet.pays if line.share is not None))
        hint = f"; shares of a meter that is a multiple of {parts} are whole" if bet.meter and bet.meter % parts else ""
        wrong.append(f"{at}pays: odds over their common denominator should be at most {MOST_PAY:,}{hint}")
    # the sum of the coefficients' absolute values: what each line returns (stake and win), and the bettor's stake
    returned = int(sum((line.pay + 1 for line in bet.pays), Fraction(1)) * bet.denominator)
    if bet.shows == "hands" and returned > _MOST_RETURNED:
        wrong.append(
            f"pays: {len(bet.pays):,} lines return {returned:,} over their common denominator, stakes included, should "
            f"be at most {_MOST_RETURNED:,}: fewer lines, or lower odds"
        )
    if tableau is not None:
        try:
            events = line_events(bet, tableau)
        except InputError as error:  # the lines look at too much
            return [*wrong, str(error)]
        wrong += [
            f"pays {j}: no coup meets this line, should be a line that can happen"
            for j, shown in enumerate(events, 1)
            if not shown
        ]
    return wrong


@lru_cache(maxsize=1)
def catalog() -> dict[str, Bet]:
    """The bets that tables offer, by name, each with its source. A bet can be added to any game whose coups can meet
    each of its lines.

    >>> from counting import catalog
    >>> catalog()["dragon-7"].pays[0].odds
    '40:1'
    """
    return {name: bet for bets in catalog_families().values() for name, bet in bets.items()}


@lru_cache(maxsize=1)
def catalog_families() -> dict[str, dict[str, Bet]]:
    """The catalog by family of bets. Each file is a family, which has the file's name."""
    families: dict[str, dict[str, Bet]] = {}
    mistakes = Mistakes()
    for family, path in shipped("games/catalog").items():
        read = (validated(Bet, raw, [str(path)], mistakes.append) for raw in read_toml(path)["bets"])
        families[family] = {bet.name: bet for bet in read if bet is not None}
    mistakes.report()
    return families


def units_of(tie_in: object) -> Fraction:
    """A main-bet requirement (`tie_in`) in units, exactly as written."""
    return number(tie_in, "tie-in", MOST_UNITS, "number of units")
