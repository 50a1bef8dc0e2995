"""Terms: the side bets, counters, requirements and largest bets that are compared, and the bettors who play them.

Each comparison is a case. A counter with a counting system is a bettor of the sweep. So is a perfect counter who can
play each coup on its own. A counter can do so only if no bets stand after a push and there is no rebate on losses. The
counter must also be one who may skip any coup, or who skips none and never leaves, or whose seat costs nothing to keep.
Any other perfect counter has a bracket (`counting.bounds.brackets`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product

from counting.bounds.counter_models import MODELS, CounterModel, joint_name
from counting.bounds.seats import Seat
from counting.errors import InputError, instance, positive_real, real
from counting.numbers import stated
from counting.sweep import Bettor, CountingBettor, PerfectBettor, Plan, Stakes, TableLimits
from counting.systems import PERFECT, System

_MOST_UNITS = 10**12


@dataclass(frozen=True, kw_only=True)
class CounterCase:
    """A counter under a rule. The case's rows in a frontier differ only in the cut.

    - `most_bet`: the largest side bet allowed, in money; None if there is no largest bet
    - `stake`: the largest side bet possible, in money; less than `most_bet` if the requirement for `most_bet` would
      exceed the table's maximum
    - `tied`: units that must be on the main bets for each unit of the side bet
    - `by_minimum`: whether the table's minimum or maximum or the least side bet matters, so that the gain is not in
      proportion to the stake
    - `player`: a bettor of the sweep, or a seat with a bracket"""

    bet: str
    counter: str
    model: CounterModel
    tie_in: Fraction
    most_bet: Fraction | None
    stake: Fraction | None
    tied: Fraction
    by_minimum: bool
    player: Bettor | Seat


@dataclass(frozen=True, kw_only=True)
class Terms:
    """The terms of a comparison.

    - `bets`: the side bets, each judged separately, or all `together` under one requirement
    - `tie_ins`: main-bet requirements
    - `most_bets`: largest side bets in money; None stands for no largest bet
    - `models` and `systems`: the counters; the perfect counter is always among them
    - `missed`: the share of the cards that counters with a system miss
    - `main`: the main bets; a counter with a system bets on the first of them or, together with a side bet, on
      `main_on_count` if that is set
    - `table`: the table's limits

    A counter with a system never leaves. Raises `InputError` for values out of range, and for `missed` or
    `main_on_count` without a system. Raises it too for a system that counts for none of the bets or, if the bets are
    made together, for only some of them."""

    bets: tuple[str, ...]
    main: tuple[str, ...]
    tie_ins: tuple[Fraction, ...]
    models: tuple[CounterModel, ...] = MODELS
    together: bool = False
    most_bets: tuple[Fraction | None, ...] = (None,)
    table: TableLimits = field(default_factory=TableLimits)
    systems: tuple[System, ...] = ()
    missed: Fraction = Fraction()
    main_on_count: str | None = None
    rebate: Fraction = Fraction()
    loss_rebate: Fraction = Fraction()
    stand: bool = False

    def __post_init__(self) -> None:
        for name, names in (("bets", self.bets), ("main", self.main)):
            if not isinstance(names, tuple):
                raise InputError(f"{name}: {names!r}", "a tuple of names, as ('dragon-7',)")
        for name, example in (
            ("tie_ins", "(Fraction(0), Fraction(1))"),
            ("models", "(CounterModel.parse('sit-out'),)"),
            ("most_bets", "(Fraction(25),), or (None,) for no largest"),
        ):
            values = getattr(self, name)
            if not isinstance(values, tuple) or not values:
                raise InputError(f"{name}: {values!r}", f"a tuple of one or several, as {example}")
        for tie_in in self.tie_ins:
            real(tie_in, "tie_ins", 0, _MOST_UNITS)
        for model in self.models:
            instance(model, CounterModel, "models", "CounterModel.parse('sit-out')")
        for most_bet in self.most_bets:
            if most_bet is not None:
                positive_real(most_bet, "most_bets")
        for name in ("missed", "rebate", "loss_rebate"):
            real(getattr(self, name), name, 0, 1)
        for name in ("missed", "main_on_count"):
            if getattr(self, name) and not self.systems:
                raise InputError(f"--{name.replace('_', '-')} {getattr(self, name)}: needs --system")
        for system in self.systems:
            if not any(system.name in self._counting(sides) for sides in self.sides.values()):
                raise InputError(
                    f"system {system.label}: counts for {', '.join(system.bets or ())}, should count for "
                    f"{' and '.join(self.bets) if self.together else ' or '.join(self.bets)}"
                )

    def refuse_least_bet(self) -> None:
        """Raise `InputError` for a least side bet that is too large: above one of the largest side bets, or above what
        the table's maximum and a requirement allow."""
        least, mains = self.table.least_bet, 1 if self.systems else len(self.main)
        for tie_in, most_bet in product(self.tie_ins, self.most_bets):
            stake = self.limits(tie_in).unit(most_bet, mains)
            if stake is not None and stake < least:
                needs = f"--tie-in {float(tie_in):g}" if tie_in else "--side-share"
                by = "--most-bet allows" if stake == most_bet else f"--maximum and {needs} allow"
                raise InputError(f"--least-bet {stated(least)}: should be {stated(stake)} or less, the most that {by}")

    @property
    def sides(self) -> dict[str, tuple[str, ...]]:
        """The side bets that a counter makes at once, keyed by their joint name."""
        sides = [self.bets] if self.together else [(bet,) for bet in self.bets]
        return {joint_name(bets): bets for bets in sides}

    def _counting(self, sides: Sequence[str]) -> list[str]:
        return [s.name for s in self.systems if s.bets is None or set(sides) <= {*s.bets}]

    def cases(self, plan: Plan) -> Iterator[CounterCase]:
        """A case for each side bet, counter, model, requirement and largest side bet. Counters with a system have no
        case for the model `no-entry`. Equal bettors have equal names."""
        for sides in self.sides.values():
            for system, model in product((None, *self._counting(sides)), self.models):
                if system is None or model.kind != "no-entry":
                    for tie_in, most_bet in product(self.tie_ins, self.most_bets):
                        yield self.case(plan, sides, system, model, tie_in, most_bet)

    def limits(self, tie_in: Fraction) -> TableLimits:
        """The table with a main-bet requirement."""
        return replace(self.table, tie_in=tie_in, together=self.together)

    def case(
        self,
        plan: Plan,
        sides: tuple[str, ...],
        system: str | None,
        model: CounterModel,
        tie_in: Fraction,
        most_bet: Fraction | None,
    ) -> CounterCase:
        """The case of these side bets, counter, model, requirement and largest bet. `system` None stands for the
        perfect counter."""
        limits = self.limits(tie_in)
        stake = limits.unit(most_bet, len(self.main) if system is None else 1)  # with a system, one main bet
        capped = system is None and limits.maximum is not None and (limits.covers == "all" or limits.needed > 0)
        least = limits.minimum / stake if stake else Fraction()
        tied = max(limits.needed, least) if limits.needed or limits.main_needed else Fraction()
        player: Bettor | Seat
        if system is None:
            player = self._perfect(plan, limits, sides, model, most_bet)
        else:
            player = self._with_system(sides, system, model, tied, least)
        return CounterCase(
            bet=joint_name(sides),
            counter=(system or PERFECT) + (f", misses {100 * float(self.missed):g}%" if system and self.missed else ""),
            model=model,
            tie_in=tie_in,
            most_bet=most_bet,
            stake=stake,
            tied=tied,
            by_minimum=bool(stake and (limits.minimum or model.idle == "any" or capped)),
            player=player,
        )

    def _perfect(
        self, plan: Plan, limits: TableLimits, sides: tuple[str, ...], model: CounterModel, most_bet: Fraction | None
    ) -> PerfectBettor | Seat:
        kept_up = None if model.skips is None or model.idle == "any" else model.idle or "needed"
        stakes, skips = limits.stakes(sides, self.main, most_bet, kept_up), model.skips
        if stakes.costless:  # holding the seat costs nothing
            stakes, skips = limits.stakes(sides, self.main, most_bet), None
        if (model.leaves and skips is not None) or self.stand or self.loss_rebate:
            rebates = float(self.rebate), float(self.loss_rebate)
            return Seat(plan.game, plan.dealing, stakes, skips, *rebates, model.leaves or skips is None)
        return perfect_bettor(stakes, skips is None, self.rebate)

    def _with_system(
        self, sides: tuple[str, ...], system: str, model: CounterModel, tied: Fraction, least: Fraction
    ) -> CountingBettor:
        idle = least if isinstance(model.idle, str) else model.idle
        if idle is None and not tied and model.skips is not None:
            idle = least  # without a requirement, the seat is held with the minimum
        parts = ["+".join(sides), system, f"{float(self.missed):g}", model.name, str(tied), str(idle)]
        return CountingBettor(
            " ".join(parts),
            sides,
            system,
            tie_in=tied,
            main=self.main,
            skips=model.skips,
            idle=idle,
            rebate=self.rebate,
            stand=self.stand,
            loss_rebate=self.loss_rebate,
            missed=self.missed,
            main_on_count=self.main_on_count,
        )

    def free(self, case: CounterCase) -> PerfectBettor | None:
        """The perfect counter who may skip any coup under the same rule. No other counter wins more. None with a rebate
        on losses."""
        if self.loss_rebate:
            return None
        sides = case.player.stakes.sides if isinstance(case.player, Seat) else case.player.sides
        kept_up = case.model.idle if isinstance(case.model.idle, Fraction) else None
        stakes = self.limits(case.tie_in).stakes(sides, self.main, case.most_bet, kept_up)
        return perfect_bettor(stakes, True, self.rebate)

    @property
    def alone(self) -> tuple[PerfectBettor, ...]:
        """For each main bet, the bettor who makes only this bet, with one unit whenever its edge is positive."""
        return tuple(
            perfect_bettor(Stakes.of((), (bet,), least_main=Fraction(1), most_main=Fraction(1)), True, self.rebate)
            for bet in self.main
        )

    @property
    def priced(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.bets, *self.main)))


def perfect_bettor(stakes: Stakes, may_skip: bool, rebate: Fraction) -> PerfectBettor:
    """The bettor who makes the best of these stakes at every coup. Equal bettors have equal names."""
    rules = " ".join(f"{key}={value}" for key, value in stakes.to_dict().items())
    name = f"{PERFECT} {'sit-out' if may_skip else 'play-all'} {rules} rebate={rebate}"
    return PerfectBettor(name, stakes, may_skip, rebate)


def plan_of(plan: Plan, terms: Terms, more: Sequence[Bettor] = ()) -> Plan:
    """The plan of the sweep for these terms, with only the side bets and main bets, and without rows.

    The bettors are:

    - the counters of the terms that a sweep can play
    - the counters who may skip any coup under the same rules
    - for each main bet, a bettor who makes only this bet
    - `more`"""
    cases = list(terms.cases(plan))
    players = [player for case in cases for player in (case.player, terms.free(case))]
    bettors = [player for player in players if isinstance(player, Bettor)]
    return replace(
        plan,
        bets=terms.priced,
        keep_rows=0,
        penetration=False,
        systems=terms.systems,
        bettors=tuple(dict.fromkeys((*bettors, *terms.alone, *more))),
    )
