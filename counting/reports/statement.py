"""A statement on house rules: what counters can win under them, on one page that a reviewer signs.

Two figures: what one counter wins, and what no counter wins more than (`counting.limits.brackets`); the verdict on the
bound, the computation, digests and version.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil, inf
from typing import Any

from counting.limits import Z99, Bracket, House, Mean, Rules, Statement, Verdict
from counting.reports import pages
from counting.reports.pages import Report, Section, figure

_NOTE = "Gains are expected profits, in units of the largest side bet unless they are said to be money."
_COMPUTATION = (
    "Shoes are dealt by the procedure of these rules, and before every coup (hand) the edge of every bet is computed "
    "exactly for the cards that are unseen. The counters of this statement know these edges: nobody can know more from "
    "the cards seen. Results are expected values, not wins and losses; the only chance element is which shoes were "
    "dealt. After ± stands one standard error, from the spread between shoes."
)
_EXACT = (
    " Any coup can be skipped, so the best counter makes at every coup the bets that are worth most, or none, and both "
    "figures are that counter's."
)
_BRACKET = (
    " The seat must be held, so no simple rule says what is best. The lower figure is what one counter wins, whose "
    "play was fitted to other shoes. The upper figure is the mean over shoes of the best schedule of bets in "
    "hindsight, less terms whose mean is exactly 0 for every counter: no counter's mean is above it, however the "
    "counter plays."
)
_RESULTS = (
    " The lower figure is played with results as dealt. The upper one is looser here: it lets the counter take "
    "standing bets down, and pays a rebate on a shoe's loss on every losing bet."
)


def _name(found: Statement, bet: str) -> str:
    return pages.title_of(bet, pages.labels(found.plan.game))


_UNSEEN = "it is not known what counters win: bets that gain are too rare to be seen in these shoes"
_PER = {
    "shoe": "units of the side bet per shoe",
    "100-coups": "units of the side bet per 100 coups",
    "hour": "per hour",
}


def amount(value: float, up: bool | None = None) -> str:
    """A figure in three or more digits; a limit rounded up or down."""
    step = 10.0 ** -max(0, 2 if abs(value) >= 1 else 3 if abs(value) >= 0.1 else 4)
    if up is not None:
        value = (ceil(value / step - 1e-9) if up else -ceil(-value / step - 1e-9)) * step
    if 0 < abs(value) < 0.0001:
        return "less than 0.0001"
    return f"{value:,.{2 if step == 0.01 else 3 if step == 0.001 else 4}f}"


def report(found: Statement, command: str = "") -> Report:
    """The page to be signed; `command` is what makes it again."""
    said, played = sentences(found), len(found.judged.shoes)
    return Report(
        title=found.rules.house.title,
        procedure=pages.procedure(replace(found.plan, shoes=played)),
        sentences=said,
        note=_NOTE,
        sections=_sections(found, command),
        data=_data(found, said),
        one_page=True,
    )


def sentences(found: Statement) -> list[str]:
    """What is stated: the verdict, what it is a verdict on, and a sentence for each of several side bets."""
    return [_headline(found), *_scope(found), *_singly(found)]


def _headline(found: Statement) -> str:
    lower, upper = found.figures(found.judged)
    per, bound = _PER[found.per], found.bound
    if upper.below == inf:
        some = most = _UNSEEN
    elif upper.below <= 0:
        some = most = "no counter wins anything: every bet loses, and staying away is best"
    else:
        most = f"no counter wins more than {amount(upper.below, True)} {per} on average (99% confidence)"
        some = (
            f"a counter can win {amount(lower.value)} {per}" if lower.value > 0 else "no winning way to play was found"
        )
        some = f"{some}, and {most}"
    if bound is None or found.verdict is None:
        return f"Under these rules {some}."
    limit = f"the limit is {bound.amount:g}"
    if found.verdict is Verdict.MET:
        return f"MET. Under these rules {most}; {limit}."
    if found.verdict is Verdict.NOT_MET:
        least = f"at least {amount(lower.above, False)}" if lower.above >= 1e-4 else "more than 0"
        some = f"a counter can win {amount(lower.value)} {per} ({least} with 99% confidence)"
        return f"NOT MET. Under these rules {some}; {limit}."
    return f"UNDECIDED. Under these rules {some}; {limit}. {_decides(found, lower, upper, bound.amount)}"


def _decides(found: Statement, lower: Mean, upper: Mean, bound: float) -> str:
    """What would decide a bound between the limits."""
    if upper.below == inf:
        return "More shoes may show such bets (--shoes)."
    if found.judged.few:
        return "The upper figure is from weighted shoes or a proven bound (see Computation): more shoes may not decide."
    gap, mean = (lower.value - bound, lower) if lower.value > bound else (bound - upper.value, upper)
    if gap <= 0:
        return (
            "It lies between the two figures: a wider fit (--fit) may bring them closer together, more shoes alone do "
            "not."
        )
    times = max(2.0, 1.2 * ((Z99 * mean.error + mean.shift) / gap) ** 2)
    return f"About {times:.0f} times as many shoes would decide (--shoes {ceil(times * found.plan.shoes):,})."


def _scope(found: Statement) -> list[str]:
    rules, house = found.rules, found.rules.house
    bets = [_name(found, bet) for bet in dict.fromkeys((*rules.side_bets, *rules.main))]
    said = [
        "This covers a counter who knows the exact edge of every bet before every coup (hand) and makes any of these "
        f"at once, in any amounts within the rules: {'; '.join(bets)}."
    ]
    most = rules.seat.stakes.most_main
    if house.covers == "all":
        said.append(f"Main bets are covered up to {_money(rules.limits.maximum)} each, the table's maximum.")
    elif most:
        unit = "" if rules.stake else " units"
        said.append(
            f"Main bets are covered up to {_money(most * (rules.stake or 1))}{unit} each, the larger of what the side "
            "bet requires and the table's minimum; larger ones are outside this statement."
        )
    else:
        beside = (
            "beside a side bet as large as one likes" if rules.limits.minimum else "with no minimum and no requirement"
        )
        said.append(f"Main bets count for nothing {beside}; larger ones are outside this statement.")
    if house.kept_up:
        held = {"any": "Any bet", "main": "A main bet"}.get(str(house.holds_seat))
        if isinstance(house.holds_seat, tuple):
            held = f"A bet on {' or '.join(_name(found, bet) for bet in house.holds_seat)}"
        least = f"from {_money(rules.limits.least_bet)}" if rules.stake else "as small as one likes"
        assumed = " (the rules name no least side bet: 1 is assumed)" if house.least_bet is None and rules.stake else ""
        said.append(f"{held} holds the seat; side bets are {least}{assumed}.")
    return said


def _money(value: Fraction | None) -> str:
    return "any" if value is None else f"{float(value):,.10g}"


def _singly(found: Statement) -> list[str]:
    said = []
    for name, one in list(found.brackets.items())[:-1]:
        lower, upper = found.figures(one)
        per = _PER[found.per]
        if upper.below == inf:
            said.append(f"{_name(found, name)} alone: {_UNSEEN}.")
            continue
        said.append(
            f"{_name(found, name)} alone: a counter can win {amount(max(lower.value, 0))} {per}, and none more than "
            f"{amount(upper.below, True)} (99% confidence)."
        )
    return said


def conditions(rules: Rules) -> list[tuple[str, str]]:
    """The rules in words, as the page lists them."""
    house = rules.house
    labels = pages.labels(rules.game)
    listed: list[tuple[str, str | None]] = [
        ("game", rules.game.title),
        ("side bets", ", ".join(f"{labels[bet]} ({_pays(rules, bet)})" for bet in rules.side_bets)),
        ("main bets", ", ".join(f"{labels[bet]} ({_pays(rules, bet)})" for bet in rules.main)),
        ("dealing", rules.dealing.words),
        ("main-bet requirement", _required(rules)),
        ("side bet at most", house.side_share and f"{house.side_share} times the main bets"),
        ("side bet at most, money", house.most_bet),
        ("side bet at least, money", (house.least_bet or "1 (assumed)") if house.most_bet else None),
        ("main bet at least, money", None if house.minimum == "0" else house.minimum),
        ("main bet at most, money", house.maximum),
        ("main bets after a push", "stay for the next coup" if house.stand else None),
        ("coups that may be skipped", _skips(house)),
        ("mid-shoe entry", "allowed" if house.mid_shoe_entry else "not allowed"),
        ("what holds a seat", None if house.mid_shoe_entry else _holds(rules, labels)),
        ("rebate", None if house.rebate == "0" else f"{house.rebate} of every unit staked"),
        ("rebate on a shoe's loss", None if house.loss_rebate == "0" else house.loss_rebate),
        ("coups per hour", house.coups_per_hour if rules.stake else None),
        ("bound", house.bound),
        ("the bound covers", {"all": "all bets", "side": "side bets, with the main bets they need"}[house.covers]),
    ]
    return [(name, value) for name, value in listed if value is not None]


def _required(rules: Rules) -> str:
    house = rules.house
    if house.tie_in == "minimum":
        return "a main bet with any side bet"
    if not Fraction(house.tie_in):
        return "none"
    several = ", for all side bets together" if house.together else ""
    return f"{float(Fraction(house.tie_in)):g} units on the main bets for each unit of the side bet{several}"


def _holds(rules: Rules, labels: Mapping[str, str]) -> str:
    seat = rules.house.holds_seat
    if isinstance(seat, tuple):
        return " or ".join(labels[bet] for bet in seat)
    return {"any": "any bet", "main": "a main bet"}[seat]


def _skips(house: House) -> str:
    if house.most_skipped:
        return f"{house.most_skipped} in a row"
    return "none" if house.kept_up else "any"


def _pays(rules: Rules, bet: str) -> str:
    return ", ".join(f"{event} {_odds(pay)}" for event, pay in rules.game.settlement[bet] if pay != -1)


def _odds(pay: Any) -> str:
    return "push" if pay == 0 else f"{pay.numerator}:{pay.denominator}"


def _sections(found: Statement, command: str) -> list[Section]:
    rules = found.rules
    unit = _PER[found.per]
    computation = _COMPUTATION + (_BRACKET if found.judged.seat.hangs_together else _EXACT * found.judged.exact)
    if rules.house.stand or rules.house.loss_rebate != "0":
        computation += _RESULTS
    return [
        Section("The rules", columns=("", ""), rows=conditions(rules), words=True),
        Section(
            "What counters win with the side bets",
            columns=(
                "bets", f"a counter wins, {unit}", f"no counter wins more than, {unit}", "upper 99% limit",
                "coups played per shoe", "with side bets",
            ),
            rows=[_row(name, one, found) for name, one in found.brackets.items()],
        ),
        Section(
            "Main bets alone",
            "One unit on one main bet by itself whenever its edge is positive, in units of that bet.",
            columns=("bet", "units per shoe", "upper 99% limit", "per 100 coups, upper 99% limit"),
            rows=[_main_row(row, found) for row in found.mains.to_dicts()],
        ),
        Section("Computation", " ".join([computation, *dict.fromkeys(rare.how for rare in found.rare.values())])),
        Section(
            "Provenance",
            columns=("", ""),
            rows=[
                ("digest of these rules", rules.house.digest),
                ("shoes fitted to", f"{found.judged.fitted:,}" if found.judged.fitted else "none"),
                *pages.provenance(found.plan, command),
            ],
            words=True,
        ),
        Section("Reviewed", columns=("", ""), rows=[("name", ""), ("date", ""), ("signature", "")], words=True),
    ]  # fmt: skip


def _row(name: str, one: Bracket, found: Statement) -> list[str]:
    lower, upper = found.figures(one)
    known = upper.below < inf
    return [
        _name(found, name),
        figure(lower.value, lower.error),
        figure(upper.value, upper.error) if known else "not known",
        amount(upper.below, True) if known else "not known",
        f"{one.per_shoe('played'):.1f}",
        f"{one.per_shoe('sides'):.1f}",
    ]


def _main_row(row: Mapping[str, Any], found: Statement) -> list[str]:
    return [
        _name(found, row["bet"]),
        figure(row["units_per_shoe"], row["units_per_shoe_se"]),
        amount(row["units_per_shoe_99"], True),
        amount(row["units_per_100_coups_99"], True),
    ]


def _data(found: Statement, said: Sequence[str]) -> dict[str, Any]:
    """The page's JSON twin."""
    return {
        "title": found.rules.house.title,
        "rules": found.rules.house.model_dump(mode="json", exclude_none=True),
        "rules_digest": found.rules.house.digest,
        "stated": list(said),
        "bound": found.rules.house.bound,
        "bound_covers": found.rules.house.covers,
        "verdict": found.verdict.value if found.verdict else None,
        "met": found.met,
        "sides": found.sides.to_dicts(),
        "mains": found.mains.to_dicts(),
        "rare": {name: limits.how for name, limits in found.rare.items()},
        "plan": found.plan.to_dict(),
        "plan_digest": found.plan.digest,
    }
