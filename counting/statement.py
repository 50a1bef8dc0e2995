"""A statement on house rules: what the best counter earns under them, on one page that a reviewer signs.

The perfect counter, in every way the rules let him play, on the side bets with what is tied in, and on each main bet
alone; upper 99% limits, the computation, digests and version.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from counting import report
from counting.folders import claim, write_text
from counting.house import House, Rules
from counting.limits import Bound, frontier, judged, refuse_few
from counting.output import as_json
from counting.plan import Plan
from counting.report import Section, figure
from counting.sweep import Progress, run
from counting.swept import Sweep

_NOTE = "A gain is the counter's expected profit, in units of the bet named."
_COMPUTATION = (
    "Shoes are dealt by the procedure of these rules, and before every coup the edge of every bet is computed exactly "
    "for the cards that are unseen. The counter of this statement knows these edges: no person knows more. Whenever "
    "the rules leave him the choice he bets the largest amount exactly when side bet and what is tied in have a "
    "positive edge together, on the main bet that costs least at that moment. Counted are expected gains, so that luck "
    "plays no part but in which shoes were dealt; after ± stands one standard error, from the spread between parts of "
    "the sweep. With 99% confidence the gain is below the upper limit, which allows for bets too rare to be seen."
)


@dataclass(frozen=True)
class Statement:
    """What was found: `sides` and `mains`, rows as `limits.judged` gives them, a row a way to play."""

    rules: Rules
    plan: Plan
    sides: pl.DataFrame
    mains: pl.DataFrame

    @property
    def bound(self) -> Bound | None:
        return Bound.parse(self.rules.house.bound) if self.rules.house.bound else None

    @cached_property
    def best(self) -> list[dict[str, Any]]:
        """For each side bet, or those together, the way to play with the largest upper limit."""
        best = self.sides.sort("units_per_shoe_99", descending=True).unique("bet", keep="first")
        order = self.sides.select("bet").unique(maintain_order=True)
        return order.join(best, on="bet", maintain_order="left").to_dicts()

    @property
    def met(self) -> bool | None:
        """Whether every way to play is below the bound, with 99% confidence."""
        return None if self.bound is None else bool(self.sides["met"].all())

    @property
    def below(self) -> bool:
        """Whether every estimate is below the bound, whatever its upper limit is."""
        assert self.bound is not None
        column = self.bound.judges.removesuffix("_99")
        return bool((self.sides[column] < self.bound.amount).all())

    def name(self, bet: str) -> str:
        return report.together(bet, report.labels(self.plan.game))


def way(model: str) -> str:
    """A model of a counter in words."""
    play, _, edge = model.partition("@")
    if edge:
        return f"{way(play)}, and leaves rather than play when the side bet's edge is {100 * float(edge):g}% or less"
    name, _, idle = play.partition(":")
    waits = "the table's minimum" if idle else "the tie-in"
    if name == "sit-out":
        return "bets only when it pays"
    if name == "play-all":
        return f"bets every coup, with {waits} on a main bet while he waits"
    return f"skips at most {name.removeprefix('skip-')} coups in a row, then has {waits} on a main bet"


def sentences(found: Statement) -> list[str]:
    """What is stated: a sentence a side bet, and whether the bound is met."""
    said, house = [], found.rules.house
    for row in found.best:
        earns = figure(row["units_per_shoe"], row["units_per_shoe_se"])
        limit, coup = row["units_per_shoe_99"], row["units_per_100_coups_99"]
        text = f"{found.name(row['bet'])}: the best counter, who {way(row['model'])}, "
        if limit <= 0:
            said.append(text + f"loses {earns.removeprefix('-')} units of the side bet a shoe: he would stay away.")
            continue
        text += f"earns {earns} units of the side bet a shoe, with 99% confidence at most {limit:.3g}"
        text += f" ({coup:.3g} per 100 coups)"
        if row["stake"] is not None:
            money = coup / 100 * row["stake"] * house.per_hour
            text += f"; in money, with side bets of {row['stake']:g}, at most {money:.4g} an hour"
        said.append(text + ".")
    if found.bound is not None:
        near = " (the estimate is below it, its upper limit is not: more shoes may decide)"
        judged = "met" if found.met else f"NOT met{near if found.below else ''}"
        said.append(f"The bound of {found.bound} is {judged}.")
    return said


def conditions(rules: Rules) -> list[tuple[str, str]]:
    """The rules in words, as the page lists them."""
    house, terms = rules.house, rules.terms
    labels = report.labels(rules.game)
    units = next(rule.tied for rule, _ in terms.rules())
    tied = f"{float(units):g} units on a main bet with each unit of the side bet" if units else "nothing"
    listed: list[tuple[str, str | None]] = [
        ("game", rules.game.title),
        ("side bets", ", ".join(f"{labels[bet]} ({_pays(rules, bet)})" for bet in terms.bets)),
        ("main bets", ", ".join(f"{labels[bet]} ({_pays(rules, bet)})" for bet in terms.main)),
        ("dealing", rules.dealing.words),
        ("tied in", tied + (", for all side bets together" if house.together else "")),
        ("side bet at most", house.side_share and f"{house.side_share} times the main bets"),
        ("side bet at most, money", house.most_bet),
        ("main bet at least, money", None if house.minimum == "0" else house.minimum),
        ("main bet at most, money", house.maximum),
        ("main bets after a push", "stay for the next coup" if house.stand else None),
        ("coups that may be skipped", _skips(house)),
        ("entry in mid-shoe", "allowed" if house.mid_shoe_entry else "not allowed"),
        ("rebate", None if house.rebate == "0" else f"{house.rebate} of every unit staked"),
        (
            "rebate on a shoe's loss",
            None if house.loss_rebate == "0" else f"{house.loss_rebate}, in the gains; no counter plays for it",
        ),
        ("coups an hour", house.coups_per_hour if house.most_bet else None),
        ("bound", house.bound),
    ]
    return [(name, value) for name, value in listed if value is not None]


def _skips(house: House) -> str:
    if house.most_skipped:
        return f"{house.most_skipped} in a row"
    return "none" if house.kept_up else "any"


def _pays(rules: Rules, bet: str) -> str:
    return ", ".join(f"{event} {_odds(pay)}" for event, pay in rules.game.settlement[bet] if pay != -1)


def _odds(pay: Any) -> str:
    return "push" if pay == 0 else f"{pay.numerator}:{pay.denominator}"


def page(found: Statement, command: str) -> str:
    """The page as HTML. `command` is what makes it again."""
    rules, plan = found.rules, found.plan
    first, *rest = sentences(found)
    head = ("bet", "units a shoe", "upper 99% limit", "per 100 coups, upper 99% limit", "bets a shoe")
    sections = [
        Section("The rules", columns=("", ""), rows=conditions(rules), words=True),
        Section(
            "Every way to play the side bets",
            columns=("the counter", *head),
            rows=[[way(row["model"]).capitalize(), *_row(row, found)] for row in found.sides.to_dicts()],
            labels=2,
        ),
        Section(
            "Main bets alone",
            "The same counter on one main bet by itself, in units of that bet. The bound is not judged by these.",
            columns=head,
            rows=[_row(row, found) for row in found.mains.to_dicts()],
        ),
        Section("Computation", _COMPUTATION),
        Section(
            "Provenance",
            columns=("", ""),
            rows=[("digest of these rules", rules.house.digest), *report.provenance(plan, command)],
            words=True,
        ),
        Section("Reviewed", columns=("", ""), rows=[("name", ""), ("date", ""), ("signature", "")], words=True),
    ]
    return report.render(rules.house.title, report.procedure(plan), first, _NOTE, sections, rest, one_page=True)


def _row(row: Mapping[str, Any], found: Statement) -> list[str]:
    return [
        found.name(row["bet"]),
        figure(row["units_per_shoe"], row["units_per_shoe_se"]),
        f"{row['units_per_shoe_99']:.4g}",
        f"{row['units_per_100_coups_99']:.4g}",
        f"{row['sides_per_shoe']:.3g}",
    ]


def as_data(found: Statement) -> dict[str, Any]:
    """The page's JSON twin."""
    return {
        "title": found.rules.house.title,
        "rules": found.rules.house.model_dump(mode="json", exclude_none=True),
        "rules_digest": found.rules.house.digest,
        "stated": sentences(found),
        "bound": found.rules.house.bound,
        "met": found.met,
        "sides": found.sides.to_dicts(),
        "mains": found.mains.to_dicts(),
        "plan": found.plan.to_dict(),
        "plan_digest": found.plan.digest,
    }


def state(
    rules: Rules, plan: Plan, folder: Path, command: str, progress: Progress | None = None, **playing: Any
) -> Statement:
    """Sweep into `folder/sweep`, and write `statement.html` and `statement.json` beside it."""
    refuse_few(plan)
    claim(folder, "sweep", "statement")
    sweep = Sweep(run(plan, folder / "sweep", progress=progress, **playing), plan)
    every = [rules.terms, *([rules.joint] if rules.joint else [])]
    sides, mains = (
        pl.concat(frontier(sweep, terms, (rules.dealing.cut,)) for terms in several)
        for several in (every, [rules.alone])
    )
    if rules.house.bound:
        sides = judged(sides, Bound.parse(rules.house.bound), rules.house.per_hour)
    found = Statement(rules, plan, sides, mains)
    write_text(folder / "statement.html", page(found, command))
    write_text(folder / "statement.json", as_json(as_data(found)))
    return found
