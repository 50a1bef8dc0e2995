"""The page of an audit: flagged patrons with reasons, errors of dealing and paying, and what the log leaves open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl
from markupsafe import Markup

from counting.io.tables import cell, percent
from counting.logs import MOST_LISTED
from counting.numbers import many
from counting.reports import drawing, error_rates, knowledge, pages, plots
from counting.reports.audit_text import edge, p_value, paid_wrongly, sentences, signed, tables_named
from counting.reports.pages import Report, Section
from counting.review import ARRANGED, FOLLOWS, RULES, Audit, UnseenCards, best_shoe
from counting.version import __version__

STRIPS = 3  # at most this number of flagged patrons get a figure of one of their shoes
LISTED = 200  # the most rows of a table on the page; the CSV file has all rows
_PATRONS = {
    "patron": "patron", "bet": "bet", "shoes": "shoes", "bets": "bets", "staked": "staked", "won": "won",
    "gain": "expected by the exact edge", "edge": "mean edge of the stakes",
    "edge_random": "mean edge of random stakes", "edge_counter": "mean edge of a perfect counter",
    "p_follows": "p, follows the edge", "evidence": "evidence, knows the cards",
    "p_holm": "p, adjusted for all tests", "on_positive": "share staked at a positive edge",
}  # fmt: skip
_BESIDE = {
    "flagged": "flagged", "flagged_for": "flagged for", "flagged_with": "flagged together with",
    "can_be_flagged": "can be flagged for following the edge", "coups": "coups of these shoes",
    "coups_positive": "coups with a positive edge", "gain_units": "expected by the exact edge, units",
    "p": "p, the smaller of the two tests", "p_knows": "p, knows the cards", "knows_by": "knows the cards by",
    "count_used": "count that describes the stakes", "trigger": "trigger of the count",
    "bets_at_trigger": "larger bets at the trigger", "coups_at_trigger": "coups at the trigger with a larger bet",
    "p_count": "p, some count fits", "edge_count": "mean edge of the count's own bets",
    "p_one_value": "p, the cards of one value explain the stakes",
    "one_value": "the value that explains them best (0: tens and pictures)",
    "beyond_one_value": "no single value explains the stakes",
    "excess": "follows the edge: standard deviations above chance",
    "correlation": "correlation of stakes and edge", "random": "not used as evidence: expected at random times, money",
    "z": "not used as evidence: standard deviations above random times",
    "p_within": "not used as evidence: p, random times in a shoe",
    "p_across": "not used as evidence: p, same times of another shoe",
    "p_results": "not used as evidence: p, by streaks of results",
    "least_p": "smallest p that these shoes allow; says nothing about the patron",
}  # fmt: skip
_MONEY = ("staked", "won", "gain")
_HOW = (
    "Two questions are asked about every patron. Do the stakes on any bet follow the edge? Does the patron know the "
    "coming cards, judged by all bets in all shoes? Each question gets half of the level, for all patrons together. "
    "For the first question, the p-values are adjusted by Holm's method; for the second, closed testing is applied to "
    "averages of e-values. Consider all patrons covered by the guarantees below. The chance that one or more of them "
    "are flagged is at most the level.",
    "Follows the edge. Every bet has an exact edge before every coup, worked out from the cards seen so far. To test "
    f"whether the stakes follow the edge, every shoe is rearranged {ARRANGED} times or more. In an arrangement, "
    "two-card hands with the same total swap places, and pairs swap only with pairs. Third cards stay in place. So "
    "every arrangement has the same totals, pairs, third cards and results. A well-shuffled shoe is equally likely to "
    "deal any of them. A patron who bets by results, totals, third cards, pairs, time, money or chance would have "
    "staked the same in each arrangement. The p-value is the chance that the same stakes fit a random arrangement at "
    "least as well as they fit the log. The p-value is exact for every patron who bets in one of these ways. If the "
    "log is incomplete, this still holds if what is missing does not depend on the cards.",
    'Who is outside this guarantee. A patron who bets by the faces of cards ("sevens are due", or "after a nine with a '
    'picture") would have staked otherwise in another arrangement. Such a patron may be flagged without being a '
    "counter. So the test is made ten more times, once for each point value. Each time, the hands that hold a card of "
    "the chosen value stay in place. The largest of these ten p-values is valid for every patron who bets by the cards "
    "of a single value, whichever value it is. This p-value decides whether the report states that no single value "
    "explains the stakes.",
    "How large the effect is. The mean edge of the stakes is compared with two other mean edges. One is for stakes at "
    "random times in this log. The other is for a perfect counter who bets the same amount at every positive edge in "
    "these shoes. A count is named on two conditions. First, in at least 99% of the arrangements no count fits the "
    "stakes as well as this count fits them in the log. Second, the mean edge of the patron's larger bets is high "
    "enough: at least halfway from the mean edge of random stakes to the mean edge of the bets that the count calls "
    "for.",
    knowledge.HOW,
    "What the tests cannot show. A patron who counts by totals or third cards alone is not flagged for following the "
    "edge, because the test holds totals and third cards fixed. The tests show little about a patron who bets the same "
    "on nearly every coup, or plays only a few shoes. A patron who copies a counter's bets follows the edge as the "
    "counter does. A low p-value shows that stakes follow the edge, not why.",
)


def report(audit: Audit, files: Mapping[str, str], command: str = "") -> Report:
    """The page of an audit. `files`: the digest of each of the log's files. `command`: the command that makes the page
    again."""
    dealing = audit.dealing.words if audit.dealing else f"{many(audit.decks, 'deck')}; place of the cut card not given"
    lines = sentences(audit)
    return Report(
        title="Audit of a table's log",
        procedure=f"{audit.game.heading}, {dealing}.",
        sentences=lines,
        note="Edges are the bettor's, exact for the unseen cards; amounts are in the log's money.",
        sections=_sections(audit, files, command),
        data=_data(audit, files, lines),
        tables={
            "patrons": audit.patrons,
            "errors": audit.errors,
            "rates": audit.rates.rows,
            "costs": audit.costs.rows,
            "remarks": audit.log.remarks_told(),
        },
        headings={"patrons": _PATRONS | {name: f"{_PATRONS[name]}, money" for name in _MONEY} | _BESIDE},
        names={"bet": pages.labels(audit.game)},
        stamp=_stamp(audit, files),
        quoted=True,
    )


def _sections(audit: Audit, files: Mapping[str, str], command: str) -> list[Section]:
    labels = pages.labels(audit.game)
    shown, remarks = audit.patrons.head(LISTED).to_dicts(), audit.log.remarks_told()
    sections = []
    if shown:
        sections += [
            Section(
                "Patrons and bets",
                f"The rows with the smallest p-values come first{_all(audit.patrons, 'patrons.csv')}. Flagged patrons "
                "are in bold and marked ⚑.",
                _drawn(audit),
                "There is one point for each patron and bet. It shows the mean edge of the stakes, and the smaller "
                "p-value of the two tests (follows the edge, knows the cards). The axis shows p-values down to "
                f"{drawing.in_decimals(plots.LEAST_P)}; smaller p-values are drawn at this value.",
                (*_PATRONS.values(),),
                [_row(i, row, labels) for i, row in enumerate(shown, 1)],
                labels=2,
                flagged=frozenset(i for i, row in enumerate(shown) if row["flagged"]),
            ),
            *knowledge.sections(audit, labels, _source(audit)),
            *_strips(audit, labels),
        ]  # fmt: skip
    sections += [
        Section(
            f"Wrong payouts by {by}",
            "The sum is the total that was paid less the total that is due by the pay table. A plus sign means that "
            "too much was paid; a minus sign means that too little was paid.",
            columns=(by, "wrong payouts", "sum", "overpaid", "underpaid"),
            rows=[
                [row[by], f"{row['payouts']:,}", *(signed(row[name]) for name in ("off", "over", "under"))]
                for row in of.head(LISTED).iter_rows(named=True)
            ],
        )
        for by, of in _wrong_payouts(audit).items()
    ]
    sections += error_rates.sections(audit)
    sections += [
        Section(
            "Errors of dealing and paying",
            f"{'No error was found' if audit.errors.is_empty() else 'The log was checked'} by the rules of "
            f"{audit.game.heading}{_all(audit.errors, 'errors.csv')}.",
            columns=("file", "line", "table", "shoe", "coup", "patron", "rule", "finding"),
            rows=[
                [cell(value) for value in row]
                for row in audit.errors.head(LISTED)
                .select("file", "line", "table", "shoe", "coup", "patron", "rule", "found")
                .rows()
            ],
            words=True,
        ),
        Section(
            "Lines skipped, or read with a caveat",
            "None."
            if remarks.is_empty()
            else f"The files gave {many(audit.coverage['remarks'], 'remark')}; at most {MOST_LISTED} of each kind are "
                 f"listed{_all(remarks, 'remarks.csv')}.",
            columns=("file", "line", "column", "value", "reason"),
            rows=[[cell(value) for value in row] for row in remarks.head(LISTED).rows()],
            words=True,
        ),
        *([Section("How patrons are tested", rows=[[part] for part in _HOW], columns=("",), words=True)] * bool(shown)),
        Section(
            "What is checked",
            columns=("", ""),
            rows=[(rule, text) for rule, text in RULES.items() if audit.dealing is not None or rule != "after-cut"],
            words=True,
        ),
        Section("Provenance", columns=("", ""), rows=_provenance(audit, files, command), words=True),
        pages.signatures(),
    ]  # fmt: skip
    return sections


def _stamp(audit: Audit, files: Mapping[str, str]) -> list[tuple[str, str]]:
    """The rows below the title, which state what the audit covers."""
    c = audit.coverage
    stamp = [tables_named(audit.log.coups["table"]), ("shoes", f"{c['shoes']:,}")]
    stamp += [("coups", f"{c['coups']:,}"), ("bets", f"{audit.log.bets.height:,}")]
    return [*stamp, ("files", ", ".join(files))]


def _wrong_payouts(audit: Audit) -> dict[str, pl.DataFrame]:
    """Frames of wrong payouts: by patron and, if the log has several, by table and by dealer."""
    errors = audit.errors.filter(pl.col("rule") == "payment")
    if errors.is_empty():
        return {}
    key = ["table", "shoe", "coup"]
    dealers = audit.log.coups.select(pl.col("table", "shoe").cast(pl.String), "coup", pl.col("dealer").cast(pl.String))
    errors = errors.join(dealers, on=key, how="left", maintain_order="left")
    several = {
        "patron": True,
        "table": audit.log.coups["table"].n_unique() > 1,
        "dealer": audit.log.coups["dealer"].drop_nulls().n_unique() > 1,
    }
    return {by: paid_wrongly(errors.drop_nulls(by), by) for by, has in several.items() if has}


def _strips(audit: Audit, labels: Mapping[str, str]) -> list[Section]:
    """A figure with one shoe for each of the first patrons and bets flagged for following the edge. It is the shoe in
    which the patron's stakes on the bet had the largest expected win by the exact edge."""
    unseen = UnseenCards(audit.log, audit.decks)
    shown = []
    follows = audit.flagged.filter(pl.col("flagged_for").str.contains(FOLLOWS, literal=True))
    for row in follows.head(STRIPS).iter_rows(named=True):
        table, shoe, coups = best_shoe(audit.log, unseen, audit.game, row["patron"], row["bet"])
        shown.append((f"{row['patron']} on {labels[row['bet']]}: {table}, shoe {shoe}", coups))
    if not shown:
        return []
    return [
        Section(
            "One shoe of each flagged patron",
            "The figure shows the exact edge of the bet before every coup, and the patron's stake on the bet. The shoe "
            "is the patron's shoe with the largest sum of stakes times edges. It is the clearest shoe, not a typical "
            "one.",
            Markup(drawing.svg(plots.shoe_strip(shown), "The edge and the stakes, coup by coup", _source(audit))),
            "The edge is above; the stakes are below.",
        )
    ]


def _source(audit: Audit) -> str:
    """The line below a figure, which states its source."""
    coups, shoes = audit.coverage["coups"], audit.coverage["shoes"]
    dealing = audit.dealing.words if audit.dealing else many(audit.decks, "deck")
    return (
        f"{audit.game.heading}; {dealing}; {many(coups, 'coup')} of {many(shoes, 'shoe')} in the log. "
        f"counting {__version__}"
    )


def _drawn(audit: Audit) -> Markup | None:
    if audit.patrons.is_empty():
        return None
    return Markup(
        drawing.svg(
            drawing.single(plots.follows_edge, audit.patrons, size=(9, 3.6)), "Patrons and bets", _source(audit)
        )
    )


def _all(frame: pl.DataFrame, file: str) -> str:
    return f". The page has {LISTED} of {frame.height:,} rows; {file} has all of them" if frame.height > LISTED else ""


def _row(i: int, row: Mapping[str, Any], labels: Mapping[str, str]) -> list[Any]:
    return [
        f"{i}. {row['patron']}{' ⚑' * row['flagged']}",
        labels[row["bet"]],
        row["shoes"],
        f"{row['bets']:,}",
        f"{row['staked']:,.0f}",
        "" if row["won"] is None else f"{row['won']:+,.0f}",
        f"{row['gain']:+,.0f}",
        *("" if row[name] is None else edge(row[name]) for name in ("edge", "edge_random", "edge_counter")),
        p_value(row["p_follows"]),
        f"{row['evidence']:.1f}",
        p_value(row["p_holm"]),
        percent(row["on_positive"], 0),
    ]


def _provenance(audit: Audit, files: Mapping[str, str], command: str) -> list[tuple[str, str]]:
    game = audit.game
    return [
        ("game", f"{game.heading} ({game.name}), {many(audit.decks, 'deck')}"),
        ("source of the rules", game.source),
        ("digest of the game", game.digest),
        *((f"digest of {name}", value) for name, value in files.items()),
        *(
            (f"number of {part.what}", f"{part.unread:,} of {part.of:,}; at most {percent(audit.allowed, 1)} allowed")
            for part in audit.parts
            if part.unread
        ),
        ("level, and seed of the draws", f"{audit.settings.level:g}, {audit.settings.seed}"),
        ("made by", f"counting {__version__}"),
        ("to make it again", command),
    ]


def _data(audit: Audit, files: Mapping[str, str], lines: Sequence[str]) -> dict[str, Any]:
    """The data of the page's JSON file."""
    return {
        "game": audit.game.name,
        "game_digest": audit.game.digest,
        "decks": audit.decks,
        "dealing": None if audit.dealing is None else audit.dealing.recorded,
        "level": audit.settings.level,
        "seed": audit.settings.seed,
        "files": dict(files),
        "verdict": not audit.unread,
        "answer": list(lines),
        "read": [
            {"what": part.what, "unread": part.unread, "of": part.of, "allowed": part.allowed, "share": part.share}
            for part in audit.parts
        ],
        "allow_unread": audit.allowed,
        "hands_that_move": audit.moving,
        "coverage": audit.coverage,
        "patrons": audit.patrons.to_dicts(),
        "knows": knowledge.data(audit),
        "errors": audit.errors.to_dicts(),
        **error_rates.data(audit),
        "lacks": list(audit.log.lacks),
        "remarks": audit.log.remarks.to_dicts(),
        "remark_counts": audit.log.counts.to_dicts(),
    }
