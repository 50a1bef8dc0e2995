"""The page of `verify`: its verdict, the rows of every check, and the provenance."""

from __future__ import annotations

from dataclasses import asdict
from math import isfinite
from typing import Any

from counting.games import MAIN_EVENTS
from counting.io.tables import cell, percent
from counting.reports.pages import Report, Section
from counting.verify import FALSE_ALARM, Verified

_EXACT, _DEALT = "Exact against exact", "Dealt shoes against exact probabilities"
_BY_CARDS_LEFT = "Not tests: coups by the number of cards left"
_WRONG = "Checks that disagree"
_ABOUT = {
    _WRONG: "Each row names the place of a check's largest or least likely difference.",
    _EXACT: "Integers, fractions and bytes must be equal, and floats may differ only by rounding. The reference "
    "implementation is plain Python, written from the rule sheet. The compiled code for every instruction set of this "
    "machine is compared with it on full shoes, on six cards, on shoes without a value and on random shoes. At chemin "
    "de fer and banque, bounds prove that a way to play is the best. Separate code computes these bounds again, card "
    "by card.",
    _DEALT: "The column z gives the largest normal deviate of a check, and the next column the event or bet where it "
    "occurred. The column chance gives the share of runs on a correct machine in which the largest deviate of this "
    "number of comparisons is at least this large. Events are compared up to the last coup that every shoe reaches, in "
    "three ways: at each coup, over all these coups, and by one chi-square with the exact covariances of a shoe's "
    "coups. The last cards of every shoe are random cards; edges on them are compared with the census. At macao, every "
    "coup is dealt from a new shoe.",
    _BY_CARDS_LEFT: "Each row is about coups that began with exactly this number of cards left. How many such coups a "
    "shoe has depends on its cards, so they are not a random sample. The columns player-win, banker-win and tie give "
    "how much more often than on a full shoe each result came. The last four columns are about the event whose share "
    "of coups is furthest from its exact probability with this number of random cards.",
}


def rows(verified: Verified) -> list[dict[str, Any]]:
    """A row for each check, for the terminal."""
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
        for check in verified.checks
    ]


def tables(verified: Verified) -> list[tuple[str, list[dict[str, Any]]]]:
    """The page's tables, each with its title."""
    exact: list[dict[str, Any]] = []
    dealt: list[dict[str, Any]] = []
    for check, row in zip(verified.checks, rows(verified), strict=True):
        first = {"check": f"{check.check}: {check.subject}", "comparisons": f"{check.comparisons:,}"}
        last = {"agrees": row["agrees"]}
        if check.dealt:
            least = {"z": f"{check.worst:.2f}", "at": check.at, "chance": f"{check.chance:.2g}"}
            dealt.append(first | least | last)
        else:
            exact.append(first | {"largest difference": f"{check.worst:.2g}", "allowed": row["bound"]} | last)
    where = [{"check": f"{check.check}: {check.subject}", "at": check.at} for check in verified.failed]
    return [(_WRONG, where), (_EXACT, exact), (_DEALT, dealt), (_BY_CARDS_LEFT, _by_cards_left(verified))]


def _by_cards_left(verified: Verified) -> list[dict[str, Any]]:
    """A row for each number of cards left: the number of coups, and the event that is furthest from its exact
    chance."""
    rows: list[dict[str, Any]] = []
    for game in verified.games:
        for n in verified.extent.cards_left:
            shares = {share.of: share for share in verified.beside if (share.game, share.cards_left) == (game.name, n)}
            if shares:
                most = max(shares.values(), key=lambda share: abs(share.off))
                row = {"game": game.name, "cards left": str(n), "coups": f"{most.coups:,}"}
                row |= {name: f"{100 * (shares[name].share - shares[name].exact):+.2f}%" for name in MAIN_EVENTS}
                row |= {"furthest event": most.of, "share of coups": percent(most.share)}
                rows.append(row | {"exact probability": percent(most.exact), "z": f"{most.off:.1f}"})
    return rows


def _data(verified: Verified, command: str) -> dict[str, Any]:
    """The data of the page's JSON file."""
    return {
        "agrees": not verified.failed,
        "answer": verified.reading,
        "false_alarm": FALSE_ALARM,
        "seed": verified.seed,
        "shoes": verified.extent.shoes,
        "games": {game.name: game.digest for game in verified.games},
        "machine": verified.machine,
        "command": command,
        "checks": [
            {**asdict(check), "worst": _finite(check.worst), "agrees": check.agrees} for check in verified.checks
        ],
        "by_cards_left": [asdict(share) for share in verified.beside],
    }


def _finite(value: float) -> float | str:
    return value if isfinite(value) else str(value)


def false_alarm(verified: Verified) -> str:
    """A sentence on when a check with dealt shoes fails, and on how often this happens on a correct machine."""
    least = min((check.bound for check in verified.checks if check.dealt), default=FALSE_ALARM)
    return (
        f"A check with dealt shoes fails if its chance is below one in {1 / least:,.0f}. On a correct machine, at most "
        f"one seed in {1 / FALSE_ALARM:,.0f} makes any of these checks fail."
    )


def report(verified: Verified, command: str = "") -> Report:
    """The page: the verdict, the rows of the checks, coups that are not tested, and the provenance."""
    sections = [
        Section(title, _ABOUT[title], columns=list(lines[0]), rows=[list(map(cell, row.values())) for row in lines])
        for title, lines in tables(verified)
        if lines
    ]
    digests = [(f"digest of {game.name}", game.digest) for game in verified.games]
    made = [*digests, *verified.machine.items(), ("to make it again", command)]
    names = " and ".join(game.title for game in verified.games)
    return Report(
        title="The project checked against itself",
        procedure=f"{names}: {verified.extent.shoes:,} shoes dealt by each procedure, from seed {verified.seed}.",
        sentences=[verified.reading],
        note=false_alarm(verified),
        sections=[*sections, Section("Provenance", columns=("", ""), rows=made, words=True)],
        data=_data(verified, command),
        sheets=2,
    )
