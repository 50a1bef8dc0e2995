"""The page of an audit: who was flagged and why, what was dealt or paid wrongly, and what the log leaves open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl
from markupsafe import Markup

from counting.audit import ARRANGED, MOST_LISTED, RULES, Audit
from counting.io.tables import cell, percent
from counting.reports import pages, plots
from counting.reports.audit_text import count_of, many, p_value, paid_wrongly, sentences, signed
from counting.reports.pages import Report, Section
from counting.version import __version__

LISTED = 200  # rows of a table of the page; the CSV beside it has them all
_HOW = (
    "Two tests of every patron on every bet. All tests of the log share one level (Holm's method): if nobody counts or "
    "knows coming cards, the chance that anyone is flagged is at most the level.",
    "Follows the edge. Every bet has an exact edge before every coup, worked out from the cards seen so far. To see "
    f"whether stakes follow it, every shoe is laid out anew, {ARRANGED} times or more: two-card hands with the same "
    "total change places, pairs with pairs only; third cards stay. What everyone at the table saw is the same in all "
    "of them: totals, pairs, third cards, every result. A shuffled shoe deals each of them with the same chance. A "
    "patron who goes by results, totals, third cards, pairs, time, money or chance would have staked the same in each; "
    "only someone who follows which cards are gone fits the shoe that was really dealt. The p-value is the chance that "
    "the same stakes fit a random one of these layouts as well. It is exact for every such patron; in an "
    "incomplete log it is exact if what is missing does not depend on the cards.",
    "Knows the coming cards (edge sorting, marked cards, a tip). Past cards, even perfectly counted, cannot tell the "
    "next card from the others that are left. So a wager at exact odds that larger stakes come before better cards is "
    "a fair game against any patron who only looks back. It is made on the hands' first cards and on the payouts, shoe "
    "by shoe. The p-value is 1 divided by what such a wager made of 1: 1/1,000 if a gambler had turned 1 into 1,000. "
    "Unread third cards count against the wager. A patron who saw cards that the log lost knows a little more than the "
    "log.",
    "What the tests cannot show. A patron who counts by totals or third cards alone is not flagged as following the "
    "edge: they go by what everyone saw. A patron who bets on nearly every coup alike, or in a few shoes only, shows "
    "little. A patron who copies a counter's bets follows the edge as the counter does. A patron who follows single "
    "cards or suits is a counter by this definition. A low p-value says that stakes follow the edge, not why.",
)


def report(found: Audit, files: Mapping[str, str], command: str = "") -> Report:
    """The page of an audit. `files` are digests of the log's files by name, `command` is what makes it again."""
    under = found.dealing.words if found.dealing else f"{found.decks} decks; where the cut card stood was not told"
    said = sentences(found)
    return Report(
        title="Audit of a table's log",
        procedure=f"{found.game.title}, {under}.",
        sentences=said,
        note="Edges are the bettor's, exact for the unseen cards; amounts are in the log's money.",
        sections=_sections(found, files, command),
        data=_data(found, files, said),
        tables={"patrons": found.patrons, "errors": found.errors, "remarks": found.log.remarks_told()},
        quoted=True,
    )


def _sections(found: Audit, files: Mapping[str, str], command: str) -> list[Section]:
    labels = pages.labels(found.game)
    shown, remarks = found.patrons.head(LISTED).to_dicts(), found.log.remarks_told()
    wrong = paid_wrongly(found.errors)
    sections = []
    if shown:
        sections += [
            Section(
                "Patrons and bets",
                f"The least likely first{_all(found.patrons, 'patrons.csv')}; flagged patrons are in red.",
                _drawn(found.patrons),
                "Each patron and bet: the edge of the stakes beyond random times within the same shoes, and the "
                "smaller of the two p-values.",
                (
                    "", "patron", "bet", "shoes", "bets", "staked", "won", "worth by the edge", "p, follows",
                    "p, knows", "p, all tests", "at a positive edge",
                ),
                [_row(i, row, labels) for i, row in enumerate(shown, 1)],
                labels=3,
            ),
            *_why(found, labels),
        ]  # fmt: skip
    if wrong.height:
        sections.append(
            Section(
                "Wrong payouts by patron",
                "Paid in all beyond what the pay table gives: + too much, - too little.",
                columns=("patron", "wrong payouts", "sum"),
                rows=[[who, f"{n:,}", signed(off)] for who, n, off in wrong.head(LISTED).rows()],
            )
        )
    sections += [
        Section(
            "Errors of dealing and paying",
            f"{'None, by' if found.errors.is_empty() else 'By'} the rules of {found.game.title}"
            f"{_all(found.errors, 'errors.csv')}.",
            columns=("file", "line", "table", "shoe", "coup", "patron", "rule", "found"),
            rows=[
                [cell(value) for value in row]
                for row in found.errors.head(LISTED)
                .select("file", "line", "table", "shoe", "coup", "patron", "rule", "found")
                .rows()
            ],
            words=True,
        ),
        Section(
            "What was skipped, or read with a caveat",
            f"{many(found.coverage['remarks'], 'remark')}, the first {MOST_LISTED} of each kind listed"
            f"{_all(remarks, 'remarks.csv')}.",
            columns=("file", "line", "column", "value", "reason"),
            rows=[[cell(value) for value in row] for row in remarks.head(LISTED).rows()],
            words=True,
        ),
        *([Section("How patrons are tested", rows=[[part] for part in _HOW], columns=("",), words=True)] * bool(shown)),
        Section(
            "What is checked",
            columns=("", ""),
            rows=[(rule, said) for rule, said in RULES.items() if found.dealing is not None or rule != "after-cut"],
            words=True,
        ),
        Section("Provenance", columns=("", ""), rows=_provenance(found, files, command), words=True),
    ]  # fmt: skip
    return sections


def _why(found: Audit, labels: Mapping[str, str]) -> list[Section]:
    """Of stakes that seem to follow the edge, what explains it."""
    seeming = found.patrons.filter(pl.col("p_within").is_not_null()).sort("z", descending=True).head(LISTED)
    if seeming.is_empty():
        return []
    return [
        Section(
            "What else may explain stakes that follow the edge",
            "Patrons whose stakes follow the edge by more than 2 standard deviations beyond random times within the "
            "same shoes. Three innocent explanations, each with the chance of stakes that follow it as well: random "
            "timing, always betting at the same depth of the shoe, and reacting to streaks of the bet. They explain; "
            "the verdict is by the tests above.",
            columns=(
                "patron", "bet", "worth by the edge", "at random times", "standard deviations", "p, random times",
                "p, same depth", "p, streaks", "correlation", "best described by",
            ),
            rows=[
                [
                    row["patron"], labels[row["bet"]], signed(row["gain"]), signed(row["random"]), f"{row['z']:.1f}",
                    *(p_value(row[name]) for name in ("p_within", "p_across", "p_results")),
                    "" if row["correlation"] is None else f"{row['correlation']:.3f}",
                    count_of(row),
                ]
                for row in seeming.iter_rows(named=True)
            ],
            labels=2,
        )
    ]  # fmt: skip


def _drawn(patrons: pl.DataFrame) -> Markup | None:
    if patrons.is_empty():
        return None
    return Markup(plots.svg(plots.single(plots.follows_edge, patrons, size=(9, 3.6))))


def _all(frame: pl.DataFrame, file: str) -> str:
    return f", {LISTED} of {frame.height:,} ({file} has all)" if frame.height > LISTED else ""


def _row(i: int, row: Mapping[str, Any], labels: Mapping[str, str]) -> list[Any]:
    cells = [
        i,
        row["patron"],
        labels[row["bet"]],
        row["shoes"],
        f"{row['bets']:,}",
        f"{row['staked']:,.0f}",
        "" if row["won"] is None else f"{row['won']:+,.0f}",
        f"{row['gain']:+,.0f}",
        p_value(row["p_follows"]),
        p_value(row["p_knows"]),
        p_value(row["p_holm"]),
        percent(row["on_positive"], 0),
    ]
    return [Markup('<span class="flagged">{}</span>').format(value) for value in cells] if row["flagged"] else cells


def _provenance(found: Audit, files: Mapping[str, str], command: str) -> list[tuple[str, str]]:
    game = found.game
    return [
        ("game", f"{game.title} ({game.name}), {found.decks} decks"),
        ("source of the rules", game.source),
        ("digest of the game", game.digest),
        *((f"digest of {name}", value) for name, value in files.items()),
        *(
            (f"not read: {part.what}", f"{part.unread:,} of {part.of:,}; {percent(found.allowed, 1)} allowed")
            for part in found.parts
            if part.unread
        ),
        ("level, and seed of the draws", f"{found.settings.level:g}, {found.settings.seed}"),
        ("made by", f"counting {__version__}"),
        ("made again by", command),
    ]


def _data(found: Audit, files: Mapping[str, str], said: Sequence[str]) -> dict[str, Any]:
    """The page's JSON twin."""
    return {
        "game": found.game.name,
        "game_digest": found.game.digest,
        "decks": found.decks,
        "dealing": None if found.dealing is None else found.dealing.words,
        "level": found.settings.level,
        "seed": found.settings.seed,
        "files": dict(files),
        "verdict": not found.unread,
        "answer": list(said),
        "read": [part._asdict() | {"share": part.share} for part in found.parts],
        "allow_unread": found.allowed,
        "hands_that_move": found.moving,
        "coverage": found.coverage,
        "patrons": found.patrons.to_dicts(),
        "errors": found.errors.to_dicts(),
        "remarks": found.log.remarks.to_dicts(),
        "remark_counts": found.log.counts.to_dicts(),
    }
