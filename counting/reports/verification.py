"""The page of `verify`: its one reading, the rows of every check, and what they were made by."""

from __future__ import annotations

from dataclasses import asdict
from math import isfinite
from typing import Any

from counting.games import MAIN_EVENTS
from counting.io.tables import cell, percent
from counting.reports.pages import Report, Section
from counting.verify import FALSE_ALARM, Verified

_EXACT, _DEALT = "Exact against exact", "Dealt shoes against exact probabilities"
_BESIDE = "No tests: coups that begin with so many cards left"
_WRONG = "What disagrees"
_ABOUT = {
    _WRONG: "The largest difference, or the least likely one, is at:",
    _EXACT: "The largest difference may be nothing for integers, fractions and bytes, a rounding for floats. The slow "
    "twin is plain Python written from the rule sheet; it counts on full shoes, six cards, shoes without a value and "
    "random ones, beside every instruction set that this machine has. The bounds that prove a play at chemin de fer or "
    "banque to be the best are found again from every card, dealt by other code.",
    _DEALT: "z is the largest normal deviate, at its event or bet; chance is how often a correct machine shows one as "
    "large among so many comparisons. Coups by number, as far as every shoe reaches: one by one, added up, and as one "
    "chi-square with the exact covariances of a shoe's coups; and the last cards of every shoe, which are so many "
    "cards at random, beside the census of them. Macao's coups are each of a new shoe.",
    _BESIDE: "How many such coups a shoe has depends on its cards, so they are no random sample: how much more often "
    "than on a full shoe each hand won, and what lies furthest from its exact value for as many random cards.",
}


def rows(found: Verified) -> list[dict[str, Any]]:
    """The checks as they are printed."""
    return [
        {
            "check": check.check,
            "of": check.subject,
            "comparisons": check.comparisons,
            "worst": check.worst,
            "at": check.at,
            "chance": check.chance,
            "bound": f"chance > {check.bound:.1g}" if check.dealt else f"{check.bound:g}",
            "agrees": "yes" if check.agrees else "NO",
        }
        for check in found.checks
    ]


def tables(found: Verified) -> list[tuple[str, list[dict[str, Any]]]]:
    """The rows to be read, in tables with their titles."""
    exact: list[dict[str, Any]] = []
    dealt: list[dict[str, Any]] = []
    for check, row in zip(found.checks, rows(found), strict=True):
        first = {"check": f"{check.check}: {check.subject}", "comparisons": f"{check.comparisons:,}"}
        last = {"agrees": row["agrees"]}
        if check.dealt:
            least = {"z": f"{check.worst:.2f}", "at": check.at, "chance": f"{check.chance:.2g}"}
            dealt.append(first | least | last)
        else:
            exact.append(first | {"largest difference": f"{check.worst:.2g}", "allowed": row["bound"]} | last)
    where = [{"check": f"{check.check}: {check.subject}", "at": check.at} for check in found.failed]
    return [(_WRONG, where), (_EXACT, exact), (_DEALT, dealt), (_BESIDE, _by_cards_left(found))]


def _by_cards_left(found: Verified) -> list[dict[str, Any]]:
    """What coups that begin with so many cards left show, and what of it is furthest from random cards."""
    said: list[dict[str, Any]] = []
    for game in found.games:
        for n in found.extent.cards_left:
            here = {one.of: one for one in found.beside if (one.game, one.cards_left) == (game.name, n)}
            if here:
                most = max(here.values(), key=lambda one: abs(one.off))
                row = {"game": game.name, "cards left": str(n), "coups": f"{most.coups:,}"}
                row |= {name: f"{100 * (here[name].share - here[name].exact):+.2f}%" for name in MAIN_EVENTS}
                row |= {"furthest": most.of, "there": percent(most.share)}
                said.append(row | {"random cards": percent(most.exact), "z": f"{most.off:.1f}"})
    return said


def _data(found: Verified, command: str) -> dict[str, Any]:
    """The page's JSON twin."""
    return {
        "agrees": not found.failed,
        "answer": found.reading,
        "false_alarm": FALSE_ALARM,
        "seed": found.seed,
        "shoes": found.extent.shoes,
        "games": {game.name: game.digest for game in found.games},
        "machine": found.machine,
        "command": command,
        "checks": [{**asdict(check), "worst": _finite(check.worst), "agrees": check.agrees} for check in found.checks],
        "by_cards_left": [asdict(one) for one in found.beside],
    }


def _finite(value: float) -> float | str:
    return value if isfinite(value) else str(value)


def false_alarm(found: Verified) -> str:
    """When a check with dealt shoes fails, and how often without reason."""
    least = min((check.bound for check in found.checks if check.dealt), default=FALSE_ALARM)
    return (
        f"A check with dealt shoes fails where its chance is below {least:.1g}: on a correct machine any of them does "
        f"for one seed in {1 / FALSE_ALARM:,.0f} at most."
    )


def report(found: Verified, command: str = "") -> Report:
    """The page: the reading, the rows, those that are no tests, and what it was made by."""
    sections = [
        Section(title, _ABOUT[title], columns=list(lines[0]), rows=[list(map(cell, row.values())) for row in lines])
        for title, lines in tables(found)
        if lines
    ]
    digests = [(f"digest of {game.name}", game.digest) for game in found.games]
    made = [*digests, *found.machine.items(), ("to make it again", command)]
    names = " and ".join(game.title for game in found.games)
    return Report(
        title="The project checked against itself",
        procedure=f"{names}: {found.extent.shoes:,} shoes by each procedure from seed {found.seed}.",
        sentences=[found.reading],
        note=false_alarm(found),
        sections=[*sections, Section("Provenance", columns=("", ""), rows=made, words=True)],
        data=_data(found, command),
        one_page=True,
    )
