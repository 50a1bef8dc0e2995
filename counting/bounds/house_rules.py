"""House rules as data: what a casino allows at a table, from a TOML file, and the seats that a counter can have.

A file names a game and its side bets. It says how the shoe is dealt and what a bettor may do. `houses/*.toml` come with
the package. Amounts are in money."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, datetime
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, PlainSerializer, PlainValidator

from counting.bounds.bounds import Bound, Per
from counting.bounds.pits import MOST_HOURS, MOST_TABLES, Pit
from counting.bounds.seats import Seat
from counting.errors import InputError, Mistakes, nearest, whole
from counting.games import MOST_UNITS, Bet, Game, game_beside, units_of
from counting.io.toml import Frozen, Text, digest, find, read_toml, shipped, text, validated
from counting.numbers import MOST_MONEY, as_plain, hint, money, number_of_cards, share, stated
from counting.simulation import MOST_SKIPS, Dealing, as_after_cut, as_burn
from counting.sweep import Plan, TableLimits

MINIMUM: Literal["minimum"] = "minimum"
_MOST_OVER = 20  # the most shoes over which a loss is added up


class Amount(Fraction):
    """A number, and how it is `written`. A plain number is kept as the file writes it, so that digests stay the same.
    Any other spelling is rewritten: "$1,000" as 1000, "20%" as 0.2."""

    __slots__ = ("written",)
    written: str

    def __new__(cls, written: str) -> Amount:
        amount = super().__new__(cls, written)
        amount.written = written
        return amount

    def __reduce__(self) -> tuple[type[Amount], tuple[str]]:
        return Amount, (self.written,)

    def __copy__(self) -> Amount:
        return self

    def __deepcopy__(self, memo: object) -> Amount:
        return self


def _amount(most: int, positive: bool = False, read: Callable[[object, str, int], Fraction] = money) -> PlainValidator:
    """A validator of amounts from 0 to `most`, or above 0 if `positive`. `read` turns the text of an amount into a
    number."""

    def check(value: object) -> Amount:
        written = "" if isinstance(value, bool) else str(value)
        try:
            if (amount := read(written, "", most)) or not positive:
                return Amount(as_plain(written, amount))
        except InputError:
            pass
        allowed = f'should be a number {"above" if positive else "from"} 0, at most {most:,}, or as "1/3"'
        raise ValueError(allowed + hint(written, percent=read is share))

    return PlainValidator(check)


def _tie_in(value: object) -> Amount | Literal["minimum"]:
    try:
        return MINIMUM if value == MINIMUM else Amount(str(units_of("" if isinstance(value, bool) else value)))
    except InputError as error:
        raise ValueError(f'should be {error.allowed}, or "minimum" for a main bet at the minimum') from None


def _cut(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        return number_of_cards(value)
    except ValueError:
        raise ValueError('should be a whole number of cards, or decks as "1.5 decks"') from None


def _skipped(value: object) -> int:
    try:
        return whole(value, "", 0, MOST_SKIPS)
    except InputError:
        raise ValueError(
            f"should be a whole number from 0 to {MOST_SKIPS:,}, or left out if any number may be skipped"
        ) from None


def _over(value: object) -> int:
    try:
        return whole(value, "", 1, _MOST_OVER)
    except InputError:
        raise ValueError(
            f"should be a whole number of shoes from 1 to {_MOST_OVER}, 1 for each shoe by itself"
        ) from None


def _dealt_at_once(value: object) -> int:
    try:
        return whole(value, "", 1, MOST_TABLES)
    except InputError:
        raise ValueError(f"should be a whole number of tables from 1 to {MOST_TABLES:,}") from None


def _after(value: object) -> str:
    try:
        as_after_cut(str(value))
    except InputError as error:
        raise ValueError(f"should be {error.allowed}") from None
    return str(value)


def _burn(value: object) -> str:
    try:
        return as_burn(value)
    except InputError as error:
        raise ValueError(f"should be {error.allowed}") from None


def _bound(value: object) -> Bound:
    try:
        return Bound.parse(str(value))
    except InputError as error:
        raise ValueError(f"should be {error.allowed}") from None


def _names(value: object) -> tuple[str, ...]:
    if isinstance(value, list) and value:
        return tuple(map(text, value))
    raise ValueError("should be a list of names of bets, one or more")


def _names_or_none(value: object) -> tuple[str, ...]:
    return () if value == [] else _names(value)


def _tables(value: object) -> tuple[dict[str, Any], ...]:
    if isinstance(value, list) and all(isinstance(bet, dict) for bet in value):
        return tuple(value)
    raise ValueError("should be tables [[bets]] with name and pays, as in a game's file")


def _seat(value: object) -> str | tuple[str, ...]:
    if value in ("any", "main"):
        return str(value)
    try:
        return _names(value)
    except ValueError:
        raise ValueError('should be "any", "main" for the main bets, or a list of names of bets') from None


def _date(value: object) -> str:
    if isinstance(value, date) and not isinstance(value, datetime):
        return value.isoformat()
    return text(value)


_WRITTEN = PlainSerializer(lambda amount: amount if isinstance(amount, str) else amount.written, str)
Names = Annotated[tuple[str, ...], BeforeValidator(_names)]
Money = Annotated[Amount, _amount(MOST_MONEY), _WRITTEN]
SomeMoney = Annotated[Amount, _amount(MOST_MONEY, positive=True), _WRITTEN]
Rate = Annotated[Amount, _amount(1, read=share), _WRITTEN]


class House(Frozen):
    """House rules: the keys of a file.

    - `casino`, `table`, `currency` and `date`: printed on the statement
    - `side_bets`: if there are none, the rules are about the main bets only, and the unit is the largest main bet, the
      `maximum`
    - `most_skipped`: without mid-shoe entry, the most coups in a row that a player may skip and keep the seat. None is
      the same as 0.
    - `loss_rebate`: the share of a net loss that is paid back
    - `loss_rebate_over`: the number of shoes after which it is paid back, by default one
    - `loss_rebate_above`: the part of the loss up to this amount earns no rebate
    - `hours` and `tables`: the hours of a shift, and the number of tables that are dealt at the same time; figures for
      these are printed too"""

    title: Text
    casino: Text | None = None
    table: Text | None = None
    currency: Text | None = None
    date: Annotated[str | None, BeforeValidator(_date)] = None
    game: Text
    side_bets: Annotated[tuple[str, ...], BeforeValidator(_names_or_none)]
    bets: Annotated[tuple[dict[str, Any], ...], BeforeValidator(_tables)] = ()
    main_bets: Names | None = None
    decks: int | None = None
    cut: Annotated[int, BeforeValidator(_cut)]
    burn: Annotated[str, BeforeValidator(_burn)] = "none"
    after_cut: Annotated[str, BeforeValidator(_after)] = "1,0"
    tie_in: Annotated[Amount | Literal["minimum"], PlainValidator(_tie_in), _WRITTEN] = Amount("0")
    together: bool = False
    side_share: Annotated[Amount, _amount(MOST_UNITS, positive=True, read=share), _WRITTEN] | None = None
    most_bet: SomeMoney | None = None
    least_bet: SomeMoney | None = None
    minimum: Money = Amount("0")
    maximum: SomeMoney | None = None
    stand: bool = False
    most_skipped: Annotated[int, BeforeValidator(_skipped)] | None = None
    mid_shoe_entry: bool = True
    holds_seat: Annotated[str | tuple[str, ...], BeforeValidator(_seat)] = "any"
    bound_covers: Literal["all", "side"] | None = None
    rebate: Rate = Amount("0")
    loss_rebate: Rate = Amount("0")
    loss_rebate_above: Money | None = None
    loss_rebate_over: Annotated[int, BeforeValidator(_over)] | None = None
    hours: Annotated[Amount, _amount(MOST_HOURS, positive=True), _WRITTEN] | None = None
    tables: Annotated[int, BeforeValidator(_dealt_at_once)] | None = None
    coups_per_hour: Annotated[Amount, _amount(1000, positive=True), _WRITTEN] = Amount("70")
    bound: Annotated[Bound, PlainValidator(_bound), _WRITTEN] | None = None

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the rules as data."""
        return digest(self.model_dump(mode="json", exclude_none=True))

    @property
    def tied(self) -> bool:
        """Whether a side bet requires a main bet."""
        return self.tie_in == MINIMUM or self._needs_main

    @property
    def units_needed(self) -> Fraction:
        """Units on the main bets that each unit of a side bet needs. It is 0 if the requirement is a main bet at the
        minimum."""
        return Fraction() if isinstance(self.tie_in, str) else self.tie_in

    @property
    def kept_up(self) -> bool:
        """Whether a seat has to be held. A bettor may then have to play coups that win nothing."""
        return not self.mid_shoe_entry

    @property
    def covers(self) -> Literal["all", "side"]:
        """The bets that the bound covers: `bound_covers`, if the rules set it.

        By default the bound covers the side bets, or all bets if there are no side bets. It also covers all bets if the
        rules limit both main bets (`maximum`) and side bets (`most_bet` or a requirement in units)."""
        if self.bound_covers is not None or not self.side_bets:
            return self.bound_covers or "all"
        sized = self.maximum is not None and (self.most_bet is not None or self._needs_main)
        return "all" if sized else "side"

    @property
    def _needs_main(self) -> bool:
        """Whether the requirement is a number of units on main bets, and not only a main bet at the minimum."""
        return self.units_needed > 0 or self.side_share is not None


class HouseRules:
    """House rules with everything that they name.

    - `house`: the keys of the file
    - `game` and `dealing`
    - `side_bets` and `main`: names of bets
    - `most_bet`: the largest side bet, or the largest main bet if there is no side bet
    - `limits`: the table's limits"""

    def __init__(self, house: House, game: Game, dealing: Dealing) -> None:
        self.house, self.game, self.dealing = house, game, dealing
        self.side_bets = tuple(dict.fromkeys(house.side_bets))
        self.main = tuple(dict.fromkeys(game.mains(house.main_bets)))
        self.most_bet = house.most_bet if house.side_bets else house.maximum
        self.limits = TableLimits(
            minimum=house.minimum,
            maximum=house.maximum,
            least_bet=Fraction(1) if house.least_bet is None else house.least_bet,
            tie_in=house.units_needed,
            together=house.together,
            side_share=house.side_share,
            main_needed=house.tie_in == MINIMUM,
            covers=house.covers,
            seat=house.holds_seat,  # type: ignore[arg-type]  # checked when the file was read
        )

    def changed(self, rule: Literal["most_bet", "maximum", "cut", "tie_in"], value: int) -> HouseRules:
        """The same rules with one rule changed."""
        changed = value if rule == "cut" else Amount(str(value))
        dealing = replace(self.dealing, cut=value) if rule == "cut" else self.dealing
        return HouseRules(self.house.model_copy(update={rule: changed}), self.game, dealing)

    @cached_property
    def free(self) -> HouseRules:
        """The same rules, but counters may skip any coup and take any bet down. Under the house's rules no counter wins
        more than the best of these counters."""
        freely = {"mid_shoe_entry": True, "most_skipped": None, "holds_seat": "any", "stand": False}
        return HouseRules(self.house.model_copy(update=freely), self.game, self.dealing)

    @cached_property
    def stake(self) -> Fraction | None:
        """The largest bet in money, which is the unit of all figures. None if nothing limits it."""
        return self.limits.unit(self.most_bet, len(self.main))

    @property
    def pit(self) -> Pit:
        """The hours and the tables for which further figures are printed."""
        return Pit(self.house.tables or 1, Fraction(self.house.hours or 1))

    @cached_property
    def seat(self) -> Seat:
        """The seat of a counter who may make all side bets and main bets at once."""
        return self.seat_with(self.side_bets)

    def seat_with(self, side_bets: tuple[str, ...]) -> Seat:
        """The seat of a counter who makes these side bets, and main bets."""
        house = self.house
        return Seat(
            self.game,
            self.dealing,
            self.limits.stakes(side_bets, self.main, self.most_bet),
            (house.most_skipped or 0) if house.kept_up else None,
            float(house.rebate),
            float(house.loss_rebate),
            loss_above=float((house.loss_rebate_above or Fraction()) / (self.stake or 1)),
            loss_over=house.loss_rebate_over or 1,
        )

    def holds_seat(self, side_bet: str) -> bool:
        """Whether a seat can be held with main bets and this side bet, without any other side bet."""
        seat = self.house.holds_seat
        return self.house.mid_shoe_entry or isinstance(seat, str) or bool({*seat} & {side_bet, *self.main})

    def __repr__(self) -> str:
        bets, bound = ", ".join(self.side_bets or self.main), self.house.bound
        limit = f", bound {bound.written}" if bound else ""
        return f"<HouseRules {self.game.name}: {bets}; {self.dealing.words}{limit}>"

    def plan(self, shoes: int, seed: int) -> Plan:
        """The plan of a sweep of `shoes` shoes, with the side bets and the main bets."""
        bets = tuple(dict.fromkeys((*self.side_bets, *self.main)))
        return Plan(self.game, self.dealing, shoes, seed, bets=bets, keep_rows=0, penetration=False)


def load_house(name_or_path: str | Path | Mapping[str, Any]) -> HouseRules:
    """House rules: shipped rules by name, your own rules by the path of a TOML file, or a mapping with a file's keys.

    The path of a game in the file is relative to the file. Raises `InputError` with a line for each mistake. A line
    names the file (`rules` for a mapping) and the key and, where they help, the value and what is allowed. The game,
    the bets and contradictions between rules are checked only if each key by itself is right.

    >>> from counting import load_house
    >>> load_house("louisiana-45-most-25").dealing.cut
    14
    """
    if isinstance(name_or_path, Mapping):
        return house_of(name_or_path, Path("rules"))
    path = find(name_or_path, "bounds/houses")
    return house_of(read_toml(path), path)


def house_if_named(name_or_path: object) -> HouseRules | None:
    """House rules by a shipped name or the path of a file, as `load_house` reads them. None for anything else, for
    example a game's file or a mapping.

    A file of house rules has a key `game` or `side_bets`. A game's file has neither."""
    if not isinstance(name_or_path, str | Path):
        return None
    path = shipped("bounds/houses").get(str(name_or_path), Path(name_or_path))
    if not path.is_file() or not {"game", "side_bets"} & (data := read_toml(path)).keys():
        return None
    return house_of(data, path)


def house_of(data: Mapping[str, Any], path: Path) -> HouseRules:
    """House rules from the data of a file. Mistakes name the file by `path`; errors are as for `load_house`."""
    mistakes = Mistakes()

    def complain(mistake: str) -> None:
        mistakes.append(f"{path}: {mistake}")

    house = validated(House, dict(data), [], complain)
    mistakes.report()
    assert house is not None
    game, dealing = None, None
    try:
        game = _with_bets(game_beside(path, house.game), house, complain)
        game, side_bets = game.asked(house.side_bets)
        house = house.model_copy(update={"side_bets": side_bets})
        game = game.also(game.mains(house.main_bets))
    except InputError as error:
        for line in str(error).split("\n"):
            complain(line)
    try:
        decks = 8 if house.decks is None else house.decks
        dealing = Dealing(game.dealt_from(house.decks) if game else decks, house.cut, house.burn, house.after_cut)
    except InputError as error:
        for line in str(error).split("\n"):
            complain(line)
    if house.maximum and house.maximum < house.minimum:
        complain(f"maximum = {house.maximum.written}: should be the minimum, {house.minimum.written}, or more")
    if not house.minimum and (house.kept_up or house.tie_in == MINIMUM):
        complain("minimum: missing, should be the least main bet, in money")
    if house.most_skipped is not None and house.mid_shoe_entry:
        complain("most_skipped: needs mid_shoe_entry = false: with mid-shoe entry any coup can be skipped")
    if house.holds_seat != "any" and house.mid_shoe_entry:
        complain("holds_seat: needs mid_shoe_entry = false: with mid-shoe entry no seat has to be held")
    _check_amounts(house, complain)
    if house.bound and house.bound.per is Per.HOUR and house.most_bet is None and house.side_bets:
        complain("most_bet: missing, a bound in money needs it")
    if game is not None and isinstance(house.holds_seat, tuple):
        offered = (*house.side_bets, *game.mains(house.main_bets))
        for name in house.holds_seat:
            if name not in offered:
                complain(f"holds_seat: {name!r}, should be one of {', '.join(offered)}{nearest(name, offered)}")
    mistakes.report()
    assert game is not None
    assert dealing is not None
    rules = HouseRules(house, game, dealing)
    if rules.stake is None and rules.pit.hours != 1:
        raise InputError(f"{path}: most_bet: missing, hours need it: without it figures are in units, not per hour")
    if rules.stake is not None and house.least_bet and house.least_bet > rules.stake:
        raise InputError(
            f"{path}: least_bet = {house.least_bet.written}: should be {stated(rules.stake)} or less, the most that "
            "the maximum and the requirement allow"
        )
    try:
        assert rules.seat.stakes.bets  # raises for too many side bets at once
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    return rules


def _check_amounts(house: House, complain: Callable[[str], None]) -> None:
    """Report amounts that contradict one another."""
    most, least = house.most_bet if house.side_bets else house.maximum, house.least_bet
    if not house.side_bets:
        _check_mains_alone(house, complain)
    elif most is not None and least is not None and least > most:
        complain(f"least_bet = {least.written}: should be most_bet, {most.written}, or less")
    for name in ("loss_rebate_above", "loss_rebate_over"):
        if getattr(house, name) is not None and not house.loss_rebate:
            complain(f"{name}: needs loss_rebate, the share of the loss that is paid back")
    if house.loss_rebate_above is not None and most is None:
        complain("most_bet: missing, a loss in money (loss_rebate_above) needs it")
    if house.bound_covers == "all" and house.maximum is None:
        complain(
            'bound_covers = "all": needs maximum: without it nothing bounds the main bets; should have a maximum, or '
            'bound_covers = "side"'
        )
    elif house.bound_covers == "all" and house.covers == "all" and most is None and not house.tied:
        complain('most_bet: missing, should be the largest side bet in money where bound_covers = "all"')


def _check_mains_alone(house: House, complain: Callable[[str], None]) -> None:
    """If there are no side bets, report rules on side bets and a missing maximum."""
    given = {
        "most_bet": house.most_bet, "least_bet": house.least_bet, "side_share": house.side_share,
        "together": house.together, "tie_in": house.tied, "bound_covers": house.bound_covers == "side",
    }  # fmt: skip
    for name, value in given.items():
        if value:
            complain(f"{name}: needs side_bets, should be left out where there are none")
    if house.maximum is None:
        complain("maximum: missing, should be the largest main bet, in money, where there are no side bets")


def _with_bets(game: Game, house: House, complain: Callable[[str], None]) -> Game:
    """The game with the house's own pay tables. A pay table replaces the bet of the same name in the game."""
    bets = [validated(Bet, raw, [f"bets {i + 1}"], complain) for i, raw in enumerate(house.bets)]
    if not bets or None in bets:
        return game
    names = [bet.name for bet in bets if bet]
    data = game.to_dict()
    data["bets"] = [bet for bet in data["bets"] if bet["name"] not in names] + list(house.bets)
    return Game.from_dict(data)
