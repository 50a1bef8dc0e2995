"""The page of a bet's effects of removal: what each card does to the edge, counts for the bet, and what they win."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl
from markupsafe import Markup

from counting.cards import RANKS
from counting.exact import Effects
from counting.games import Game
from counting.io.tables import percent
from counting.reports import drawing, pages, plots
from counting.reports.numbers import figure, number, share
from counting.reports.pages import Report, Section
from counting.systems import counts_for
from counting.version import __version__

REMOVED, TWO, TAGS, COUNTS, SPREAD = (
    "Effects of removal", "Removing two cards, beyond the sum of their effects", "Tags", "Counts", "Spread of the edge",
)  # fmt: skip
WON = "Units per 100 coups, each count at its best trigger", "Units per 100 coups by the normal approximation"
_SHARES = "What each count wins, in percent"
_KEPT = (
    "What each count wins, in percent of what perfect play wins with this number of cards left.",
    "What each count wins, in percent of what the best tags win with this number of cards left.",
)
MOVING = "Running counts: where they break even"
PRINTED = (REMOVED, TWO, TAGS, COUNTS, *WON, MOVING, SPREAD)  # the tables on a terminal
_NOTE = (
    "An effect of removal (EOR) is the exact change of the edge when one card is taken out of the shoe; a positive "
    "effect favours the bettor. The best tags are the effects, scaled so that the largest is 1 in size. The betting "
    "correlation (BC) is the correlation of a count's tags with the effects. The true count is the running count per "
    "52 unseen cards. A count breaks even where the estimated edge is zero."
)


def report(
    game: Game, effects: Effects, data: Mapping[str, Any], second: bool = False, command: str = "", drawn: bool = True
) -> Report:
    """The page of a bet's profile. `data`: the result of `effects.profile`. `second`: with the effects of removing two
    cards. `drawn`: with figures."""
    tables, exact = _tables(data), data["gains"] == "exact"
    title = pages.labels(effects.game)[effects.bet]
    source = f"{data['title']}; {data['cards_left']} unseen cards ({data['shoe']}). counting {__version__}"
    figures = {}
    if drawn:
        figures["removal"] = drawing.svg(drawing.single(plots.removal_effects, tables["removal"]), REMOVED, source)
    if drawn and "gains" in tables:
        of = "perfect play" if exact else "the best tags' gain"
        plot = drawing.single(plots.gain_kept, tables["gains"], of)
        figures["gains"] = drawing.svg(plot, f"What each count wins, % of {of}, by unseen cards", source)
    made = pages.provenance_of_game(game, command, ("exact edge", data["exact"]))
    return Report(
        title=f"{title} at {data['title']}: what each card does to the edge",
        procedure=f"{data['cards_left']} unseen cards ({data['shoe']}), edge {_signed(data['edge'])}.",
        sentences=_sentences(data, title),
        note=_NOTE,
        sections=[*_sections(data, figures, second), Section("Provenance", columns=("", ""), rows=made, words=True)],
        data=data,
        tables=tables,
        figures=figures,
        sheets=2,
    )


def _signed(value: float | None) -> str:
    return "" if value is None else f"{100 * value:+.5f}%"


def _sentences(data: Mapping[str, Any], title: str) -> list[str]:
    """Sentences on what the best count wins, on the cards that matter, and remarks on counts."""
    if not data["linear"]:
        return [f"Every {data['knows']} has the same effect, so there is no linear count.", *data.get("remarks", ())]
    whole = [count for count in data["counts"] if count["name"].startswith("level-")]
    lines = [_best(data, whole, title), _cards(data)]
    if not whole:
        lines.append(
            "There are no whole-number tags. These need numbers of cards in a simple proportion, as in whole decks."
        )
    lines += data.get("remarks", ())
    if counts_for(data["bet"]):
        lines.append(f"To list the counts that a search found to win most, run: counting systems {data['bet']}")
    return lines


def _best(data: Mapping[str, Any], whole: Sequence[Mapping[str, Any]], title: str) -> str:
    """A sentence on the count that wins most. `whole`: the counts with whole-number tags; if there are any, only these
    are compared."""
    counts = [count for count in whole or data["counts"] if count["gain_kept"]]
    if not counts:
        return f'On "{title}", no count here wins anything.'
    best = max(counts, key=lambda count: count["gain_kept"])
    of = "of the gain of perfect play" if data["gains"] == "exact" else "of the best tags' gain (normal approximation)"
    who = f"the best of the {'whole-number ' * bool(whole)}counts is {best['name']}. It"
    if best["name"] == "best":
        who = "the count with the best tags"
    return f'On "{title}", {who} wins {share(best["gain_kept"], best["gain_kept_se"])} {of}.'


def _cards(data: Mapping[str, Any]) -> str:
    """A sentence on the cards whose removal raises the edge most, and lowers it most."""
    ordered = sorted(data["removal"], key=lambda row: row["effect"])
    low, high = ordered[0], ordered[-1]
    return (
        f"Removing one {high['card']} changes the edge by {_signed(high['effect'])}, the most in the bettor's favour. "
        f"Removing one {low['card']} changes it by {_signed(low['effect'])}, the most against the bettor."
    )


def _sections(data: Mapping[str, Any], figures: Mapping[str, str], second: bool) -> list[Section]:
    """The page's sections. Tables without rows are left out."""
    linear, counts, exact = data["linear"], data["counts"], data["gains"] == "exact"
    sections = [
        Section(
            REMOVED,
            "The exact change of the edge, in percent of the stake, when one card is taken out of the shoe.",
            figure=_drawn(figures, "removal"),
            columns=("card", "cards", "effect of removal", *["best tag"] * linear),
            rows=[
                [row["card"], str(row["cards"]), _signed(row["effect"]), *tag]
                for row, tag in zip(data["removal"], _best_tags(data), strict=True)
            ],
        )
    ]
    if second and len(data["removal"]) <= len(RANKS):
        sections.append(_matrix(data))
    if linear:
        sections += [*_tags(counts[1:]), _counts(data)]
    if counts:
        depths, drawn = data["depths"], _drawn(figures, "gains")
        if drawn:
            sections.append(Section(_SHARES, figure=drawn, caption=_KEPT[not exact]))
        columns = ("count", *(f"{at['cards_left']} cards left" for at in depths))
        sections.append(
            Section(
                WON[not exact],
                columns=columns,
                rows=[
                    [each["name"], *(figure(at["counts"][each["name"]]["gain_per_100_coups"], None) for at in depths)]
                    for each in counts
                ],
            )
        )
        moving = [each["name"] for each in counts if each["break_even"] is None]
        if moving:
            rows = [[name, *(number(at["counts"][name]["break_even"]) for at in depths)] for name in moving]
            sections.append(
                Section(MOVING, "The edge is positive above the count given here.", columns=columns, rows=rows)
            )
    if linear or second:
        sections.append(_spread(data, second))
    return sections


def _best_tags(data: Mapping[str, Any]) -> list[list[str]]:
    """For each card, a list with its best tag as a text; empty lists if there are no best tags."""
    if not data["linear"]:
        return [[] for _ in data["removal"]]
    best = data["counts"][0]["tags"]
    return [[f"{best[row['card']]:+.3f}"] for row in data["removal"]]


def _drawn(figures: Mapping[str, str], name: str) -> Markup | None:
    return Markup(figures[name]) if name in figures else None


def _matrix(data: Mapping[str, Any]) -> Section:
    effects = {frozenset(row["cards"]): f"{100 * row['effect']:+.4f}" for row in data["second"]}
    cards = [row["card"] for row in data["removal"]]
    rows = [[one, *(effects.get(frozenset((one, other)), "") for other in cards)] for one in cards]
    text = "The effect of removing both cards, minus the sum of their single effects, in percent of the stake."
    return Section(TWO, text, columns=("card", *cards), rows=rows)


def _tags(counts: Sequence[Mapping[str, Any]]) -> list[Section]:
    """The table of counts' tags: a row for each count or, if there are many cards, a row for each card."""
    if not counts:
        return []
    cards = list(counts[0]["tags"])
    text = "What each card adds to the running count when it is seen."
    if len(cards) <= len(RANKS):
        rows = [[count["name"], *(f"{tag:g}" for tag in count["tags"].values())] for count in counts]
        return [Section(TAGS, text, columns=("count", *cards), rows=rows)]
    rows = [[card, *(f"{count['tags'][card]:g}" for count in counts)] for card in cards]
    return [Section(TAGS, text, columns=("card", *(count["name"] for count in counts)), rows=rows)]


def _counts(data: Mapping[str, Any]) -> Section:
    exact = data["gains"] == "exact"
    efficiency = "betting efficiency, % of perfect play" if exact else "% of the best tags' gain, normal approximation"
    triggers = any(count["gain_kept_at_trigger"] is not None for count in data["counts"])
    return Section(
        COUNTS,
        columns=(
            "count", "betting correlation", efficiency, *["at its trigger"] * triggers, "edge per true count",
            "starts at", "breaks even at",
        ),
        rows=[
            [
                count["name"],
                number(count["correlation"]),
                share(count["gain_kept"], count["gain_kept_se"]),
                *[share(count["gain_kept_at_trigger"], count["gain_kept_at_trigger_se"])] * triggers,
                _signed(count["edge_per_true_count"]),
                f"{count['start']:g}",
                number(count["break_even"]),
            ]
            for count in data["counts"]
        ],
    )  # fmt: skip


def _spread(data: Mapping[str, Any], second: bool) -> Section:
    perfect = any(at["perfect_per_100_coups"] is not None for at in data["depths"])
    return Section(
        SPREAD,
        "The standard deviation of the edge over random shoes with each number of cards left, as far as the effects of "
        "removal explain it.",
        columns=(
            "cards left", "deviation of edge", *["with second order"] * second,
            *["perfect play, units per 100 coups"] * perfect,
        ),
        rows=[
            [
                str(at["cards_left"]),
                percent(at["deviation"], 3),
                *[percent(at["deviation_second_order"], 3)] * second,
                *[figure(at["perfect_per_100_coups"] or 0, at["perfect_per_100_coups_se"])] * perfect,
            ]
            for at in data["depths"]
        ],
    )  # fmt: skip


def _share(at: Mapping[str, Any], won: Mapping[str, Any]) -> float | None:
    """A count's gain as a share of perfect play's gain. If perfect play's gain is not known, it is a share of the best
    tags' gain."""
    whole = at["perfect_per_100_coups"]
    whole = at["counts"]["best"]["gain_per_100_coups"] if whole is None else whole
    return won["gain_per_100_coups"] / whole if whole else None


def _tables(data: Mapping[str, Any]) -> dict[str, pl.DataFrame]:
    """The tables written with the page: exact effects, counts with their tags, and gains by cards left."""
    two = [
        {"card": row["cards"][0], "other_card": row["cards"][1], "effect": row["effect"], "exact": row["exact"]}
        for row in data["second"]
    ]
    counts = [
        {name: value for name, value in count.items() if name != "tags"}
        | {f"tag_{card}": float(tag) for card, tag in count["tags"].items()}
        for count in data["counts"]
    ]
    gains = [
        {"count": name, "cards_left": at["cards_left"], **won, "share": _share(at, won)}
        for at in data["depths"]
        for name, won in at["counts"].items()
    ]
    depths = [{name: value for name, value in at.items() if name != "counts"} for at in data["depths"]]
    listed = {"removal": data["removal"], "second": two, "counts": counts, "depths": depths, "gains": gains}
    return {name: pl.DataFrame(rows, infer_schema_length=None) for name, rows in listed.items() if rows}
