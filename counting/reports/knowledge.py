"""Sentences and sections of an audit on patrons who seem to know coming cards: the evidence, the shoes it comes from,
and the bets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl
from markupsafe import Markup

from counting.numbers import many
from counting.reports import drawing, plots
from counting.reports.pages import Section
from counting.review import Audit, Group

NAMED = 10  # the most flagged patrons and teams that get a sentence each
STRIPS = 3  # at most this number of flagged patrons and teams get a figure of one of their shoes
_SHOES = 3  # the most shoes that a sentence names
LOOKS_ALIKE = (
    "Late bets look exactly like knowledge of the coming cards. So do entries made or corrected after the result, and "
    "a log that keeps only winning bets. Patrons at one table share the same luck, so check who else bet in these "
    "shoes."
)
HOW = (
    "Knows the coming cards (edge sorting, marked cards, a tip). Past cards, even perfectly counted, do not show "
    "which of the remaining cards comes next. Consider a wager, at exact odds, that the cards dealt after a patron's "
    "bets will be good for these bets. If the patron knows past cards only, this wager is a fair game. For each "
    "patron a capital of 1 is wagered over all shoes. The capital is split into parts, one for each combination of "
    "three assumptions: what the patron knows (a card, a total, the result), how often the patron guesses, and which "
    "bets count. A bet counts if it is at least a given multiple of the smallest bet so far in the shoe. The bets on "
    "Player and Banker are taken together, and the largest other bet is taken separately. The evidence is the number "
    "of zeros in the final capital: 2 for a capital of 100, 3 for 1,000. For a patron who knows past cards only, the "
    "chance of evidence of 3 or more is at most 1 in 1,000, however the patron bets. An unread card counts as the "
    "card that weakens the evidence most. Pairs and triples of patrons are tested as teams. The report names the card "
    "or total from which most of the evidence comes. This name only describes the bets: the bets of a patron who "
    "knows Player's first card, for example, also fit Player's total."
)


def sentences(audit: Audit) -> list[str]:
    """A sentence for each flagged patron or team, then sentences on what else may explain the evidence; no sentence if
    nobody is flagged."""
    flagged = audit.informed.flagged
    if not flagged:
        return []
    lines = [_sentence(group, audit) for group in flagged[:NAMED]]
    lines.append(
        "If a patron knows only past cards, the chance that the evidence reaches 2 is at most 1 in 100, the chance "
        f"that it reaches 3 is at most 1 in 1,000, and so on. {LOOKS_ALIKE}"
    )
    return lines


def _sentence(group: Group, audit: Audit) -> str:
    rows = audit.patrons.filter(pl.col("patron").is_in(list(group.patrons)))
    names = group.patrons[0]
    knows = f"{names} seems to know the coming cards: the evidence is"
    if len(group.patrons) > 1:
        *most, last = group.patrons
        names = f"{', '.join(most)} and {last}"
        knows = (
            f"One or more of {names} seem to know the coming cards. None is flagged alone; together, the evidence is"
        )
    bets = many(int(rows["bets"].sum()), "bet")
    won = f"the result of {bets} is {rows['won'].sum():+,.2f}"
    if rows["won"].null_count():
        won = f"the results of {bets} are not all logged"
    return (
        f"{knows} {group.evidence.log10:.1f}, most of it by {group.evidence.channel}; {won}, and the result expected "
        f"by the exact edge is {rows['gain'].sum():+,.2f}.{_shoes(group)}"
    )


def _shoes(group: Group) -> str:
    """The shoes from which most of the evidence came, in words."""
    sources = group.sources.filter(pl.col("evidence") > 0)
    if sources.is_empty():
        return ""
    half = sources["evidence"].cum_sum() < sources["evidence"].sum() / 2
    number = int(half.sum()) + 1
    named = "; ".join(
        f"{table}, shoe {shoe} ({evidence:.1f})" for table, shoe, evidence in sources.head(min(number, _SHOES)).rows()
    )
    more = f". The {_SHOES} shoes with the most evidence are: " if number > _SHOES else ": "
    return f" At least half of the evidence came from {many(number, 'shoe')} of {group.sources.height}{more}{named}."


def sections(audit: Audit, labels: Mapping[str, str], source: str) -> list[Section]:
    """The page's sections: a table of flagged patrons and teams with the evidence, and figures of their bets in the
    shoe with most evidence."""
    flagged = audit.informed.flagged
    if not flagged:
        return []
    shown = [
        (f"{', '.join(group.patrons)}: {group.sources['table'][0]}, shoe {group.sources['shoe'][0]}", group.bets)
        for group in flagged[:STRIPS]
    ]
    titled = [
        (
            title,
            bets.with_columns(pl.col("bet").replace(labels)).with_columns(
                below=pl.col("bet") == _banker(audit, labels)
            ),
        )
        for title, bets in shown
    ]
    return [
        Section(
            "Who knows the coming cards",
            "The evidence is the number of zeros in the odds: 3 means odds of 1,000 to 1 against a patron who knows "
            f"past cards only. {LOOKS_ALIKE}",
            Markup(drawing.svg(plots.known_strip(titled), "Bets in the shoe with most of the evidence", source)),
            "For each patron or team at the top of the table, the figure shows the shoe with most of the evidence. "
            "Filled bars are bets for which the card or total named in the table was good.",
            (
                "patron, or team in which one or more know", "evidence", "most of it by", "bets on", "shoes",
                "half of the evidence from",
            ),
            [_row(group) for group in flagged],
            labels=1,
        )
    ]  # fmt: skip


def _banker(audit: Audit, labels: Mapping[str, str]) -> str:
    name = audit.game.main_bets.get("banker", "")
    return labels.get(name, name)


def _row(group: Group) -> list[Any]:
    sources = group.sources.filter(pl.col("evidence") > 0)
    number = int((sources["evidence"].cum_sum() < sources["evidence"].sum() / 2).sum()) + 1
    named = ", ".join(
        f"{table} shoe {shoe}" for table, shoe in sources.head(min(number, 5)).select("table", "shoe").rows()
    )
    on = "Player and Banker" if group.evidence.part == "main" else "other bets"
    height = group.sources.height or ""
    return [", ".join(group.patrons), f"{group.evidence.log10:.1f}", group.evidence.channel, on, height, named]


def data(audit: Audit) -> list[dict[str, Any]]:
    """The data of each flagged patron or team for the page's JSON file."""
    return [
        {
            "patrons": list(group.patrons),
            "evidence": group.evidence.log10,
            "p_holm": min(1.0, 2 * group.p),
            "knows_by": f"most by {group.evidence.channel}",
            "part": group.evidence.part,
            "shoes": group.sources.to_dicts(),
        }
        for group in audit.informed.flagged
    ]
