"""A statement on house rules: what counters can win under them, on one page that a reviewer signs.

The page gives two main values: a win that some counter reaches, and a win that no counter exceeds
(`counting.bounds.statements`). It also gives the verdict on the bound, states how the values were worked out, and has
digests and the version.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import inf
from typing import Any

import polars as pl
from markupsafe import Markup

from counting.bounds import (
    MOST_ADVISED,
    Amount,
    Bound,
    Bracket,
    Gap,
    House,
    HouseRules,
    Per,
    Statement,
    Verdict,
    joint_name,
)
from counting.reports import drawing, pages, plots, remedies
from counting.reports.headings import AT_LEAST, AT_MOST, GAINS
from counting.reports.numbers import amount, figure, in_currency, unrounded
from counting.reports.pages import Report, Section
from counting.reports.pits import HEADINGS, PitFigures
from counting.reports.rebates import HINDSIGHT, paid_back, rebate_facts
from counting.reports.verdicts import LINES, ONE_TABLE, ONE_TABLE_SETTLED_APART, unit_after, winnings

_NOTE = (
    "Wins are expected profits. They are in units of the largest {bet} bet, except that wins per hour and per shift "
    "are in money."
)
_COMPUTATION = (
    "Shoes are dealt by the procedure of these rules. Before every coup (hand), the edge of every bet is computed "
    "exactly for the unseen cards. The counters of this statement know these edges. Nobody can know more from the "
    "cards seen. Results are expected values, not the wins and losses of dealt coups. So chance enters only through "
    "the shoes that are dealt. The number after ± is one standard error, from the spread between shoes."
)
_WIDENED = (
    " Unless stated otherwise below, an upper limit is 2.33 + 8/√k standard errors above its estimate. Here k is the "
    "effective number of shoes behind the standard error. The number 8 was found by tests on skewed samples; it is not "
    "proved."
)
_EXACT = (
    " Any coup can be skipped, so at every coup the best counter makes the most valuable bets, or none. Both limits "
    "are for this counter."
)
_BRACKET = (
    " The seat must be held, so no simple rule gives the best play, and there is a lower and an upper estimate. The "
    "lower estimate is what a counter wins with a strategy that was fitted to other shoes."
)
_IN_HINDSIGHT = f" {HINDSIGHT} The upper limit (99%) also allows for chance in the shoes that were dealt."
_ANY_COUP = (
    " The upper estimate is for a counter who may skip any coup. This counter wins no less than one who must hold the "
    "seat."
)
_STANDING = (
    " Main bets stay after a push. The lower estimate comes from play that follows the results of the coups as they "
    "were dealt. The upper estimate is looser: it lets the counter take bets down after a push."
)


def _name(statement: Statement, *bets: str) -> str:
    return pages.title_of(bets, pages.labels(statement.plan.game)) or "Main bets"


def _quoted(statement: Statement, *bets: str) -> str:
    return pages.quoted(bets, pages.labels(statement.plan.game)) or "main bets"


_PER = {
    Per.SHOE: "units of the {bet} bet per shoe",
    Per.COUPS: "units of the {bet} bet per 100 coups",
    Per.HOUR: "per hour",
}


def report(statement: Statement, command: str = "") -> Report:
    """The page to be signed; `command`: the command that makes it again."""
    lines, played, rules = sentences(statement), statement.judged.dealt, statement.rules
    return Report(
        title=rules.house.title,
        procedure=pages.procedure(replace(statement.plan, shoes=played)),
        sentences=lines,
        note=_NOTE.format(bet=_kind(statement)),
        sections=_sections(statement, command),
        data=data(statement, lines),
        verdict=statement.verdict.value if statement.verdict else "",
        details="What this statement covers",
        stamp=_stamp(rules.house),
        headings=_headings(statement),
        names={
            "bet": pages.labels(rules.game)
            | {joint_name(bracket.bets): _name(statement, *bracket.sides) for bracket in statement.brackets}
        },
        sheets=1,
    )


def sentences(statement: Statement) -> list[str]:
    """Sentences: the verdict, its scope, the winnings for each side bet if there are several, and the worth of a rebate
    on losses."""
    of_rebate = rebate_facts(statement.rules).sentences if statement.rules.seat.loss_rebate else []
    of_pit = _of_pit(statement).sentences(_name(statement, *statement.judged.sides))
    return [_headline(statement), *of_pit, *_scope(statement), *_singly(statement), *of_rebate]


def _headline(statement: Statement) -> str:
    if statement.bound is None or statement.verdict is None:
        return f"{_under(statement)}, {_winnings(statement, statement.judged)}."
    met = statement.verdict is Verdict.MET
    line = f"{statement.verdict.value}. {_under(statement)}, {_winnings(statement, statement.judged, met)}. "
    amount, per = statement.bound.amount, statement.bound.per
    line += f"The limit is {_amount(statement, amount)} {unit_after(amount, per)}."
    decides = _decides(statement) if statement.verdict is Verdict.UNDECIDED else ""
    return " ".join(filter(None, (line, decides, remedies.sentence(statement))))


def _under(statement: Statement) -> str:
    """The opening of the sentence on all bets together."""
    return f"Under these rules{_at_most(statement, statement.judged)}"


def _winnings(statement: Statement, bracket: Bracket, met: bool = False) -> str:
    """A clause on what counters win with the bets of a bracket, in the verdict's unit."""
    figure, bound = statement.figure(bracket), statement.bound
    return winnings(
        figure.lower.limit, figure.upper.limit, _unit(statement), bound.amount if bound else None,
        met=met, currency=_currency(statement),
    )  # fmt: skip


def _of_pit(statement: Statement) -> PitFigures:
    """What counters win, for the hours and tables of these rules."""
    per = Per.HOUR if statement.pit.hours != 1 else statement.per
    figures = {_name(statement, *each.sides): statement.figure(each, per) for each in statement.brackets}
    return PitFigures(
        statement.pit,
        per,
        {name: (float(figure.lower.limit), float(figure.upper.limit)) for name, figure in figures.items()},
        (statement.rules.house.currency or "") if per is Per.HOUR else None,
        settled=bool(statement.rules.house.loss_rebate),
        above=bool(statement.rules.house.loss_rebate_above),
    )


def _kind(statement: Statement) -> str:
    """The kind of bet whose largest stake is the unit: "side", or "main" if there is no side bet."""
    return "side" if statement.rules.side_bets else "main"


def _unit(statement: Statement) -> str:
    return _PER[statement.per].format(bet=_kind(statement))


def _per(statement: Statement) -> str:
    """The unit of wins in a table, with the currency."""
    currency = _currency(statement)
    return f"{currency} {_unit(statement)}" if currency else _unit(statement)


def _currency(statement: Statement) -> str | None:
    """The currency of wins in the verdict, empty if the rules name none; None if the wins are not money."""
    return (statement.rules.house.currency or "") if statement.per is Per.HOUR else None


def _amount(statement: Statement, value: float) -> str:
    """An amount from the rules in the verdict's unit, with the same digits as in the rules."""
    currency = _currency(statement)
    return unrounded(value) if currency is None else in_currency(unrounded(value), currency)


def _at_most(statement: Statement, bracket: Bracket) -> str:
    """Words on the largest bets with which these wins are made, if the wins are in money; otherwise empty."""
    most = statement.rules.most_bet
    if statement.per is not Per.HOUR or most is None:
        return ""
    if not bracket.sides:
        return f" with main bets of up to {_amount(statement, float(most))}"
    return f" with bets of up to {_amount(statement, float(most))} on {_quoted(statement, *bracket.sides)}"


_GAPS = {
    Gap.UNSEEN: "Profitable bets are too rare in these shoes to give a bound. With a rebate on a shoe's loss, no other "
    "bound is known.",
    Gap.PROVED: "The upper bound is proved by theory, because profitable bets are too rare even in shoes dealt to "
    "favour them. More shoes do not lower this bound.",
    Gap.SEAT: "Profitable bets are too rare for a bound on counters who must hold the seat. The upper bound is for a "
    "counter who may skip any coup. It holds for the others too, because they win no more. More shoes do not close the "
    "gap between this bound and what the others win.",
    Gap.METHOD: "The limit is between two figures, or too close to one of them: the win of the best strategy found, "
    "and the bound proved for all strategies. The gap between the two comes from the method, not from the sample, so "
    "more shoes do not close it.",
    Gap.CLOSE: f"The limit is so close to what the best counter wins that even {MOST_ADVISED:,} shoes would probably "
    "not tell them apart.",
}


def _decides(statement: Statement) -> str:
    """A sentence on the number of shoes that would probably decide the verdict, or on why more shoes would not."""
    shoes = statement.deciding
    if isinstance(shoes, Gap):
        return _GAPS[shoes]
    return f"About {shoes:,} shoes would probably decide between MET and NOT MET."


def _scope(statement: Statement) -> list[str]:
    rules, house = statement.rules, statement.rules.house
    bets = [_name(statement, bet) for bet in dict.fromkeys((*rules.side_bets, *rules.main))]
    lines = [
        "This statement covers counters who know the exact edge of every bet before every coup (hand). They may make "
        f"any of these bets at once, in any amounts within the rules: {'; '.join(bets)}."
    ]
    most = rules.seat.stakes.most_main
    if house.covers == "all":
        most_allowed = rules.limits.maximum or Fraction()
        lines.append(
            f"This statement covers main bets of up to {_money(rules, most_allowed)} each, the table's maximum."
        )
    elif most:
        units = f"{unrounded(float(most))} unit{'s' * (most != 1)}"
        covered = _money(rules, most * rules.stake) if rules.stake else units
        lines.append(
            f"This statement covers main bets of up to {covered} each. This is what the side bet requires, or the "
            "table's minimum if that is more. The statement does not cover larger main bets."
        )
    else:
        why = "side bets have no maximum" if rules.limits.minimum else "there is no minimum and no requirement"
        lines.append(
            f"Main bets count as 0 in this statement, because {why}. The statement does not cover larger main bets."
        )
    if house.kept_up:
        held = {"any": "Any bet", "main": "A main bet"}.get(str(house.holds_seat))
        if isinstance(house.holds_seat, tuple):
            held = f"A bet on {' or '.join(_quoted(statement, bet) for bet in house.holds_seat)}"
        least = f"{_money(rules, rules.limits.least_bet)} or more" if rules.stake else "of any size"
        of_sides = f" Side bets are {least}." if rules.side_bets else ""
        if of_sides and house.least_bet is None and rules.stake:
            of_sides = f" Side bets are assumed to be {least}, because the rules name no least side bet."
        lines.append(f"{held} holds the seat.{of_sides}")
    assumed = (
        f"The shoes are dealt in this way: {rules.dealing.words}. It is assumed that every shoe is well shuffled, and "
        "that nobody knows a coming card, for example by edge sorting or marked cards."
    )
    return [*lines, assumed, ONE_TABLE_SETTLED_APART if house.loss_rebate_above else ONE_TABLE]


def _money(rules: HouseRules, value: Fraction) -> str:
    return in_currency(unrounded(float(value)), rules.house.currency or "")


def _singly(statement: Statement) -> list[str]:
    most, up_to = statement.rules.most_bet, ""
    if statement.per is Per.HOUR and most is not None:
        up_to = f" of up to {_amount(statement, float(most))}"
    return [
        f"With side bets{up_to} on {_quoted(statement, *bracket.sides)} only, {_winnings(statement, bracket)}."
        for bracket in statement.brackets[:-1]
    ]


def conditions(rules: HouseRules) -> list[tuple[str, str]]:
    """The rules in words, as rows of name and value."""
    house = rules.house
    labels = pages.labels(rules.game)
    listed: list[tuple[str, str | None]] = [
        ("game", rules.game.heading),
        ("side bets", "; ".join(f"{labels[bet]} ({_pays(rules, bet)})" for bet in rules.side_bets) or "none"),
        ("main bets", "; ".join(f"{labels[bet]} ({_pays(rules, bet)})" for bet in rules.main)),
        ("dealing", rules.dealing.words),
        ("main-bet requirement", _required(rules) if rules.side_bets else None),
        ("side bet at most", f"{house.side_share.written} times the main bets" if house.side_share else None),
        ("side bet at most, money", _as_written(house.most_bet)),
        ("side bet at least, money", (_as_written(house.least_bet) or "1 (assumed)") if house.most_bet else None),
        ("main bet at least, money", _as_written(house.minimum or None)),
        ("main bet at most, money", _as_written(house.maximum)),
        ("main bets after a push", "stay for the next coup" if house.stand else None),
        ("coups that may be skipped", _skips(house)),
        ("mid-shoe entry", "allowed" if house.mid_shoe_entry else "not allowed"),
        ("what holds a seat", None if house.mid_shoe_entry else _holds(rules, labels)),
        ("rebate", f"{house.rebate.written} of every unit staked" if house.rebate else None),
        ("rebate on losses", paid_back(house)),
        ("coups per hour", house.coups_per_hour.written if rules.stake else None),
        ("hours of a shift", _as_written(house.hours)),
        ("tables dealt at once", None if house.tables is None else str(house.tables)),
        ("limit", _as_written(house.bound)),
        ("the limit covers", {"all": "all bets", "side": "side bets, with the main bets they require"}[house.covers]),
    ]
    return [(name, value) for name, value in listed if value is not None]


def _as_written(amount: Amount | Bound | None) -> str | None:
    return None if amount is None else amount.written


def _required(rules: HouseRules) -> str:
    house = rules.house
    if house.tie_in == "minimum":
        return "a main bet with any side bet"
    if not house.units_needed:
        return "none"
    several = ", for all side bets together" if house.together else ""
    units = f"{float(house.units_needed):g} unit{'s' if house.units_needed != 1 else ''}"
    return f"{units} on the main bets for each unit of the side bet{several}"


def _holds(rules: HouseRules, labels: Mapping[str, str]) -> str:
    seat = rules.house.holds_seat
    if isinstance(seat, tuple):
        return " or ".join(labels[bet] for bet in seat)
    return {"any": "any bet", "main": "a main bet"}[seat]


def _skips(house: House) -> str:
    if house.most_skipped:
        return f"{house.most_skipped} in a row"
    return "none" if house.kept_up else "any"


def _pays(rules: HouseRules, bet: str) -> str:
    return ", ".join(
        f"{event.replace('-', ' ')} {_odds(pay)}" for event, pay in rules.game.settlement[bet] if pay != -1
    )


def _odds(pay: Any) -> str:
    return "push" if pay == 0 else f"{pay.numerator}:{pay.denominator}"


def _sections(statement: Statement, command: str) -> list[Section]:
    rules = statement.rules
    unit, estimates = _per(statement), _estimates(statement)
    computation = _COMPUTATION
    if rules.seat.loss_rebate:
        computation += rebate_facts(statement.rules).computation
    else:
        upper = _ANY_COUP if statement.judged.rare else _IN_HINDSIGHT
        computation += _BRACKET + upper if statement.judged.seat.hangs_together else _EXACT * statement.judged.exact
    computation += _STANDING * rules.house.stand + _WIDENED * any(not each.rare for each in statement.brackets)
    return [
        Section(
            f"What counters win with the {_kind(statement)} bets",
            figure=_drawn(statement),
            caption=LINES,
            columns=(
                "bets", *(f"{estimate}, {unit}" for estimate in estimates[:1]), AT_LEAST,
                *(f"{estimate}, {unit}" for estimate in estimates[1:]), AT_MOST, "coups played per shoe",
                "coups with side bets per shoe",
            ),
            rows=[_row(bracket, statement, len(estimates) > 1) for bracket in statement.brackets],
        ),
        *_of_pit(statement).section(),
        *remedies.section(statement),
        Section("The rules", columns=("", ""), rows=conditions(rules), words=True),
        Section(
            "Main bets alone",
            "The table shows what a perfect counter wins by staking one unit on a single main bet whenever its edge is "
            "positive.",
            columns=("bet", "units per shoe", AT_MOST, f"units per 100 coups, {AT_MOST}"),
            rows=[_main_row(row, statement) for row in statement.mains.to_dicts()],
        ),
        Section("Computation", " ".join([computation, *_rare_limits(statement)])),
        Section(
            "Provenance",
            columns=("", ""),
            rows=[
                ("digest of these rules", rules.house.digest),
                ("shoes of the figures", f"{statement.judged.dealt:,} of the shoes below"),
                ("shoes of the fit", f"{statement.judged.fitted:,} others" if statement.judged.fitted else "none"),
                *pages.provenance(statement.plan, command),
            ],
            words=True,
        ),
        pages.signatures(),
    ]  # fmt: skip


def _headings(statement: Statement) -> dict[str, dict[str, str]]:
    """The headings of the workbook's columns. Columns with wins in the verdict's unit name this unit. Columns with the
    same wins under plain names, such as `lower`, are left out. If the lower and the upper estimate are equal, the lower
    one is left out."""
    estimates, unit = _estimates(statement), _per(statement)
    found, most, one = estimates[0], estimates[-1], len(estimates) == 1
    by_per = {per: per.unit.removeprefix("units_") for per in Per}
    verdict = by_per.pop(statement.per)
    sides = {
        "bet": "bets", f"lower_{verdict}": "" if one else f"{found}, {unit}", f"upper_{verdict}": f"{most}, {unit}",
        f"lower_{verdict}_99": f"{AT_LEAST}, {unit}", f"upper_{verdict}_99": f"{AT_MOST}, {unit}",
        "played_per_shoe": "coups played per shoe", "sides_per_shoe": "coups with side bets per shoe",
        "exact": "best play is known exactly",
    }  # fmt: skip
    left_out = ["unit", "lower", "lower_99", "upper", "upper_99"]
    if one:
        sides |= {f"upper_{name}": f"{most}, {GAINS[per]}" for per, name in by_per.items()}
        left_out += [f"lower_{name}_se" for name in (verdict, *by_per.values())]
        left_out += [f"lower_{name}" for name in by_per.values()]
    return {
        "sides": sides | dict.fromkeys(left_out, ""),
        **HEADINGS,
        "what-would-meet-the-limit": {
            "rule": "rule", "unit": "unit", "in_force": "in force", "meets": "meets the limit",
            "upper_99": f"counters then win {AT_MOST}, {unit}", "why_none": "why there is none",
        },
    }  # fmt: skip


def _rare_limits(statement: Statement) -> list[str]:
    """How limits were worked out for bets that the statement's shoes show too rarely. Each text names the bets
    first."""
    subjects: dict[str, list[str]] = {}
    for bracket in statement.brackets:
        if bracket.rare:
            together = " together" * (len(bracket.sides) > 1)
            subjects.setdefault(bracket.rare.how, []).append(f"for {_quoted(statement, *bracket.sides)}{together}")
    for bet, limits in statement.alone.items():
        subjects.setdefault(limits.how, []).append(f"for {_quoted(statement, bet)} as the only bet")
    return [f"These limits are worked out separately: {'; '.join(of)}. {how}" for how, of in subjects.items()]


def _stamp(house: House) -> list[tuple[str, str]]:
    """The rows below the title: casino, table, currency, date and limit."""
    limit = _as_written(house.bound)
    named = {name: getattr(house, name) for name in ("casino", "table", "currency", "date")}
    stamp = [*named.items(), ("limit", limit)]
    return [(name, value) for name, value in stamp if value]


def _drawn(statement: Statement) -> Markup | None:
    """A drawing of what counters win with each group of bets, and of the bound; None if a win is not known."""
    rows = []
    for bracket in statement.brackets:
        lower, upper = (figure := statement.figure(bracket)).lower, figure.upper
        rows.append((_name(statement, *bracket.sides), lower.limit, lower.value, upper.limit))
    frame = pl.DataFrame(rows, ["bet", "least", "value", "most"], orient="row")
    if not frame.select(pl.all_horizontal(pl.col("least", "most").is_finite()).all()).item():
        return None
    bound = statement.bound.amount if statement.bound else None
    plot = drawing.single(plots.against_bound, frame, bound, _per(statement), size=(9, 1.3 + 0.4 * frame.height))
    judged = replace(statement.plan, shoes=statement.judged.dealt)
    return Markup(drawing.svg(plot, "What counters win against the limit", pages.source(judged)))


def _estimates(statement: Statement) -> tuple[str, ...]:
    """The names of a statement's estimates. If the best play is known, there is one; otherwise two, and the win of the
    best play is between them."""
    if all(bracket.exact for bracket in statement.brackets):
        return ("best possible play",)
    return "a counter wins (estimate)", "no counter wins more than (estimate)"


def _row(bracket: Bracket, statement: Statement, two_estimates: bool) -> list[str]:
    bound = statement.bound.amount if statement.bound else None
    lower, upper = (won := statement.figure(bracket)).lower, won.upper
    known = upper.limit < inf
    return [
        _name(statement, *bracket.sides),
        figure(lower.value, lower.error),
        amount(max(lower.limit, 0.0), False, bound),
        *([figure(upper.value, upper.error) if known else "not known"] * two_estimates),
        amount(upper.limit, True, bound) if known else "not known",
        f"{bracket.per_shoe('played'):.1f}",
        f"{bracket.per_shoe('sides'):.1f}",
    ]


def _main_row(row: Mapping[str, Any], statement: Statement) -> list[str]:
    return [
        _name(statement, row["bet"]),
        figure(row["units_per_shoe"], row["units_per_shoe_se"]),
        amount(row["units_per_shoe_99"], True),
        amount(row["units_per_100_coups_99"], True),
    ]


def data(statement: Statement, lines: Sequence[str]) -> dict[str, Any]:
    """The data of the page's JSON file."""
    return {
        "title": statement.rules.house.title,
        "rules": statement.rules.house.model_dump(mode="json", exclude_none=True),
        "rules_digest": statement.rules.house.digest,
        "stated": list(lines),
        "bound": _as_written(statement.bound),
        "bound_covers": statement.rules.house.covers,
        "verdict": statement.verdict.value if statement.verdict else None,
        "met": statement.met,
        **statement.limits(statement.judged),
        "sides": statement.sides.to_dicts(),
        "mains": statement.mains.to_dicts(),
        "rare": {joint_name(bracket.bets): bracket.rare.how for bracket in statement.brackets if bracket.rare}
        | {f"alone-{bet}": limits.how for bet, limits in statement.alone.items()},
        **(
            {"remedies": remedies.data(statement), "what_would_meet_the_limit": remedies.table(statement)}
            if statement.remedies
            else {}
        ),
        **({"loss_rebate": rebate_facts(statement.rules).data} if statement.rules.seat.loss_rebate else {}),
        **_of_pit(statement).data(),
        "plan": statement.plan.to_dict(),
        "plan_digest": statement.plan.digest,
    }
