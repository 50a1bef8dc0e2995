"""House rules as data: what a casino allows at a table, from a TOML file, and the counters that it lets play.

A file names a game, the side bets, how the shoe is dealt, and what a bettor may do; `houses/*.toml` come with the
package. Amounts are money, rates shares.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator

from counting.bets import Bet
from counting.bettors import MOST_UNITS, units_of
from counting.config import Text, digest, find, read_toml, validated
from counting.coup import Frozen
from counting.errors import InputError, Mistakes, number, whole
from counting.limits import Bound, Model, Table, Terms, plan_of
from counting.plan import Plan
from counting.rules import Game, load_game
from counting.shoe import Dealing, after_cut

MOST_MONEY = 10**9
MINIMUM = "minimum"
LEAVES = ("-0.05", "-0.1", "-0.2", "-0.4")  # edges at which a counter who may not come back leaves: the best counts


def _amount(most: int, positive: bool = False) -> BeforeValidator:
    def check(given: object) -> str:
        written = "" if isinstance(given, bool) else str(given)
        try:
            if number(written, "", most) or not positive:
                return written
        except InputError:
            pass
        raise ValueError(f'should be a number {"above" if positive else "from"} 0, at most {most:,}, or as "1/3"')

    return BeforeValidator(check)


def _tie_in(given: object) -> str:
    try:
        return MINIMUM if given == MINIMUM else str(units_of("" if isinstance(given, bool) else given))
    except InputError as error:
        raise ValueError(str(error).partition(", ")[2] + ', or "minimum" for a main bet at the minimum') from None


def _skipped(given: object) -> int:
    try:
        return whole(given, "", 0, 1000)
    except InputError:
        raise ValueError("should be a whole number from 0 to 1,000, or left out where any may be skipped") from None


def _after(given: object) -> str:
    try:
        after_cut(str(given))
    except InputError as error:
        raise ValueError("should be " + str(error).partition("should be ")[2]) from None
    return str(given)


def _bound(given: object) -> str:
    try:
        Bound.parse(str(given))
    except InputError as error:
        raise ValueError(str(error).partition(", ")[2]) from None
    return str(given)


def _names(given: object) -> tuple[str, ...]:
    if isinstance(given, list) and given and all(isinstance(name, str) for name in given):
        return tuple(given)
    raise ValueError("should be a list of names of bets, one or more")


def _tables(given: object) -> tuple[dict[str, Any], ...]:
    if isinstance(given, list) and all(isinstance(bet, dict) for bet in given):
        return tuple(given)
    raise ValueError("should be tables [[bets]] with name and pays, as in a game's file")


Names = Annotated[tuple[str, ...], BeforeValidator(_names)]
Money = Annotated[str, _amount(MOST_MONEY)]
Rate = Annotated[str, _amount(1)]


class House(Frozen):
    """House rules. `most_skipped`: where nobody enters in mid-shoe, the coups in a row that a bettor may skip and still
    be in the shoe, None for none."""

    title: Text
    game: Text
    side_bets: Names
    bets: Annotated[tuple[dict[str, Any], ...], BeforeValidator(_tables)] = ()
    main_bets: Names | None = None
    decks: int | None = None
    cut: int
    burn: Literal["none", "first-card"] = "none"
    after_cut: Annotated[str, BeforeValidator(_after)] = "1,0"
    tie_in: Annotated[str, BeforeValidator(_tie_in)] = "0"
    together: bool = False
    side_share: Annotated[str, _amount(MOST_UNITS, positive=True)] | None = None
    most_bet: Annotated[str, _amount(MOST_MONEY, positive=True)] | None = None
    minimum: Money = "0"
    maximum: Annotated[str, _amount(MOST_MONEY, positive=True)] | None = None
    stand: bool = False
    most_skipped: Annotated[int, BeforeValidator(_skipped)] | None = None
    mid_shoe_entry: bool = True
    rebate: Rate = "0"
    loss_rebate: Rate = "0"
    coups_per_hour: Annotated[str, _amount(1000, positive=True)] = "70"
    bound: Annotated[str, BeforeValidator(_bound)] | None = None

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the rules as data."""
        return digest(self.model_dump(mode="json", exclude_none=True))

    @property
    def tied(self) -> bool:
        """Whether a side bet ties a main bet in."""
        return self.tie_in == MINIMUM or Fraction(self.tie_in) > 0 or self.side_share is not None

    @property
    def per_hour(self) -> float:
        return float(Fraction(self.coups_per_hour))

    @property
    def models(self) -> tuple[Model, ...]:
        """Every way to go about it that the rules allow and that may be the best one."""
        # Who may come back in mid-shoe is never kept at the table: he leaves, and comes back when it pays.
        if self.mid_shoe_entry:
            return (Model.parse("sit-out"),)
        must = f"skip-{self.most_skipped}" if self.most_skipped else "play-all"
        # Who must play has on main bets what is tied in, or the minimum; and he may leave for good.
        names = [*([must] if self.tied else []), f"{must}:minimum"]
        names += [f"{must}:minimum@{edge}" for edge in LEAVES]
        return tuple(map(Model.parse, names))

    @property
    def kept_up(self) -> bool:
        """Whether a bettor must play some coups that he would skip."""
        return not self.mid_shoe_entry


class Rules:
    """House rules at a game: `house`, `game`, `dealing`; `terms` of each side bet, or all under one tie-in; where there
    are several without that, `joint` for one who plays all of them; and `alone`, each main bet by itself.
    """

    def __init__(self, house: House, game: Game, dealing: Dealing) -> None:
        self.house, self.game, self.dealing = house, game, dealing
        amounts = {key: Fraction(value) for key in ("maximum", "side_share") if (value := getattr(house, key))}
        self.terms = Terms(
            tuple(dict.fromkeys(house.side_bets)),
            tuple(dict.fromkeys(game.mains(house.main_bets))),
            (Fraction(0 if house.tie_in == MINIMUM else house.tie_in),),
            house.models,
            house.together,
            (None if house.most_bet is None else Fraction(house.most_bet),),
            Table(Fraction(house.minimum), amounts.get("maximum"), amounts.get("side_share"), house.tie_in == MINIMUM),
            rebate=Fraction(house.rebate),
            loss_rebate=Fraction(house.loss_rebate),
            stand=house.stand,
        )

        self.alone = Terms(
            self.terms.main, (), (Fraction(),), (Model.parse("sit-out"),), rebate=self.terms.rebate, stand=house.stand
        )

    @property
    def joint(self) -> Terms | None:
        """A counter who plays all side bets, with one tie-in for all: he has to have no less under one for each."""
        several = len(self.terms.bets) > 1 and not self.terms.together
        return replace(self.terms, together=True) if several else None

    @property
    def stake(self) -> Fraction | None:
        """The largest side bet in money, None for any."""
        return next(rule.stake for rule, _ in self.terms.rules())

    def plan(self, shoes: int, seed: int) -> Plan:
        """The sweep that says what counters win under these rules, and on each main bet alone."""
        plan = plan_of(Plan(self.game, self.dealing, shoes, seed, bets=self.terms.priced), self.terms)
        joint = self.joint.bettors if self.joint else ()
        return replace(plan, bettors=tuple(dict.fromkeys((*plan.bettors, *joint, *self.alone.bettors))))


def load_house(name_or_path: str | Path) -> Rules:
    """Shipped house rules by name, or a user's own by the path of a TOML file; a game's path in it is from there.

    Raises `InputError` with a line for every mistake: file, key, value and what is allowed.
    """
    path = find(name_or_path, "houses")
    mistakes = Mistakes()

    def complain(mistake: str) -> None:
        mistakes.append(f"{path}: {mistake}")

    house = validated(House, read_toml(path), [], complain)
    mistakes.report()
    assert house is not None
    game, dealing = None, None
    try:
        beside = path.parent / house.game
        game = _with_bets(load_game(beside if beside.is_file() else house.game), house, complain)
        game = game.also((*house.side_bets, *game.mains(house.main_bets)))
    except InputError as error:
        for line in str(error).splitlines():
            complain(line)
    try:
        decks = house.decks if house.decks is not None else game.decks if game else 8
        dealing = Dealing(decks, house.cut, house.burn, after_cut(house.after_cut))
    except InputError as error:
        for line in str(error).splitlines():
            complain(line)
    if house.maximum and Fraction(house.maximum) < Fraction(house.minimum):
        complain(f"maximum = {house.maximum}: should be the minimum, {house.minimum}, or more")
    if not Fraction(house.minimum) and (house.kept_up or house.tie_in == MINIMUM):
        complain("minimum: missing, should say what a bettor must have on a main bet")
    if house.most_skipped is not None and house.mid_shoe_entry:
        complain("most_skipped: needs mid_shoe_entry = false: who may come back in mid-shoe can skip as he likes")
    if house.bound and Fraction(house.loss_rebate):
        complain("bound: should be left out with a loss_rebate: what the best counter makes of that is not worked out")
    if house.bound and house.bound.endswith("hour") and house.most_bet is None:
        complain("most_bet: missing, a bound in money needs it")
    mistakes.report()
    assert game is not None
    assert dealing is not None
    return Rules(house, game, dealing)


def _with_bets(game: Game, house: House, complain: Callable[[str], None]) -> Game:
    """The game with the house's own pay tables: a bet of a name that the game has takes its place."""
    own = [validated(Bet, raw, [f"bets {i + 1}"], complain) for i, raw in enumerate(house.bets)]
    if not own or None in own:
        return game
    names = [bet.name for bet in own if bet]
    data = game.to_dict()
    data["bets"] = [bet for bet in data["bets"] if bet["name"] not in names] + list(house.bets)
    return Game.from_dict(data)
