"""The page of a census: how often a bet's edge is positive with n cards left, by how much, and what a counter wins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isclose
from typing import Any

import polars as pl
from markupsafe import Markup

from counting.cards import Shoe
from counting.games import Game
from counting.io.tables import percent
from counting.numbers import many
from counting.reports import drawing, pages, plots
from counting.reports.numbers import coups_for, figure, in_percent, of_shoes
from counting.reports.pages import Report, Section
from counting.systems import System
from counting.version import __version__

PERFECT_PLAY, COUNTER, BY_BET, BINS, QUANTILES = (
    "Perfect play", "A counter", "Bet by bet", "The whole distribution", "Quantiles of the edge",
)  # fmt: skip
PRINTED = (PERFECT_PLAY, COUNTER, BY_BET, BINS)  # the tables on a terminal
_MOST_BINS, _MOST_DEPTHS = 256, 8  # on a page: the most bins, and the most numbers of cards left
_TITLES = {
    "positive-share": "Chance of a positive edge, by unseen cards",
    "edge-quantiles": "The edge, by unseen cards",
}
_WORDS = {
    "cards_left": "cards left", "p_positive": "positive edge", "p_zero": "zero edge", "mean_edge": "average edge",
    "sd": "standard deviation", "mean_positive_part": "units per coup",
    "mean_positive_edge": "average edge when positive", "max_edge": "largest edge",
    "max_composition": "cards with the largest edge",
}  # fmt: skip
_OF_A_BET = {"best": "has the largest edge", "bets": "bet frequency", "gain": "units per coup"}
_NOTE = (
    "Nothing is sampled: every figure is a sum over all compositions that the cards left may have, if they are a "
    "random part of the full shoe. A perfect counter knows the edge before every coup (hand), stakes one unit if the "
    "edge is positive, and sits out otherwise. The units are per coup dealt with this number of cards left, including "
    "coups without a bet."
)
_TO_A_BIN = (
    "Each column is headed by a share of shoes, and gives the edge that is not exceeded in this share. An edge is "
    "given to within 1/131,072 of the range of profits."
)


def report(
    game: Game,
    data: Mapping[str, Any],
    frame: pl.DataFrame,
    system: System | None,
    remarks: Sequence[str] = (),
    command: str = "",
    drawn: bool = True,
) -> Report:
    """The page of a census (`exact.census`). `data`: the data of the page's JSON file, with the rows of `frame`.
    `drawn`: with figures."""
    tables = {"census": frame.drop("histogram", strict=False)}
    if "histogram" in frame.columns:
        tables["histogram"] = frame.select("cards_left", "histogram").explode("histogram").unnest("histogram")
    title = _title(game, data)
    source = f"{game.heading}, {many(data['decks'], 'deck')}. counting {__version__}"
    figures = _figures(tables["census"], title, source) if drawn else {}
    return Report(
        title=f"{title}: the edge with few cards left",
        procedure=f"{game.heading}, {many(data['decks'], 'deck')}, {_cards(frame)} left, drawn at random.",
        sentences=[*_sentences(data["census"], title, system), *remarks],
        note=_NOTE,
        sections=[
            *_sections(game, data, tables, figures, system),
            Section("Provenance", columns=("", ""), rows=pages.provenance_of_game(game, command), words=True),
        ],
        data=data,
        tables=tables,
        figures=figures,
        headings={"census": _headings(game, data)},
        names={
            "max_composition": {row["max_composition"]: _in_words(row["max_composition"]) for row in data["census"]}
        },
        sheets=2,
    )


def _headings(game: Game, data: Mapping[str, Any]) -> dict[str, str]:
    """The headings of the workbook's columns. The headings of the columns on a single bet begin with the bet's
    title."""
    names = data.get("bets") or ()
    titles = pages.labels(game.also(names))
    return _WORDS | {f"{key}_{name}": f"{titles[name]}: {words}" for name in names for key, words in _OF_A_BET.items()}


def _title(game: Game, data: Mapping[str, Any]) -> str:
    """The title: the bets, and the main-bet requirement."""
    names = data.get("bets") or [data["bet"]]
    titles = pages.title_of(names, pages.labels(game.also(names)))
    return titles if data.get("tie_in") is None else f"{titles} with {_units(data['tie_in'])} on the main bets"


def _units(value: Any) -> str:
    return f"{value} unit{'s' * (str(value) != '1')}"


def _cards(frame: pl.DataFrame) -> str:
    numbers = frame["cards_left"].to_list()
    least, most = min(numbers), max(numbers)
    return f"{least} cards" if least == most else f"{least} to {most} cards"


def _sentences(rows: Sequence[Mapping[str, Any]], title: str, system: System | None) -> list[str]:
    """Sentences for the fewest and the most cards left: how often the edge is positive, and what a counter wins."""
    ordered = sorted(rows, key=lambda row: row["cards_left"])
    ends = [ordered[0], ordered[-1]] if len(ordered) > 1 else ordered
    coups = coups_for(_per_coup(rows))
    often = [f"{_chance(row['p_positive'], coups)} of shoes with {row['cards_left']} cards left" for row in ends]
    unit = f"units per {coups:,} coups"
    won = [
        f"{figure(coups * row['mean_positive_part'], None)} {unit} with {row['cards_left']} cards left" for row in ends
    ]
    lines = [
        f'For "{title}", the edge is positive in {" and in ".join(often)}.',
        f"A perfect counter wins {', and '.join(won)}.",
    ]
    mean = ordered[0]["mean_edge"]
    if len(ends) > 1 and all(isclose(row["mean_edge"], mean, rel_tol=1e-9, abs_tol=1e-12) for row in rows):
        spread = [f"{in_percent(row['sd'])} with {row['cards_left']} cards left" for row in ends]
        lines.append(
            f"The mean edge is {100 * mean:+.4f}% for every number of cards left. The spread of the edge grows as "
            f"fewer cards are left: its standard deviation is {' and '.join(spread)}. This is the fundamental theorem "
            "of card counting (Thorp and Walden, 1973; Ethier and Levin, 2005)."
        )
    if system is not None:
        kept = [
            f"{percent(row['best_count_gain'] / row['mean_positive_part'], 1)} with {row['cards_left']} cards left"
            for row in ends
            if row["mean_positive_part"]
        ]
        lines.append(
            f"At its best trigger, the count {system.name} wins this share of the perfect counter's win: "
            f"{', and '.join(kept) or 'nothing'}."
        )
    return lines


def _per_coup(rows: Sequence[Mapping[str, Any]]) -> list[float]:
    return [row[name] for row in rows for name in ("p_positive", "mean_positive_part")]


def _chance(value: float, coups: int) -> str:
    """A chance as a text: in percent if `coups` is 100, per million shoes if it is a million."""
    return f"{figure(coups * value, None)}%" if coups == 100 else f"{figure(coups * value, None)} in {coups:,}"


def _sections(
    game: Game, data: Mapping[str, Any], tables: Mapping[str, pl.DataFrame], figures: Mapping[str, str],
    system: System | None,
) -> list[Section]:  # fmt: skip
    rows, coups = data["census"], coups_for(_per_coup(data["census"]))
    names = data.get("bets") or data.get("main") or ()
    several = len(names) > 1
    sections = [
        Section(
            PERFECT_PLAY,
            figure=Markup(figures["positive-share"]) if "positive-share" in figures else None,
            caption=_TITLES["positive-share"] + "." if "positive-share" in figures else "",
            columns=(
                "cards left", f"positive edge, {of_shoes(coups)}", "zero edge", "average edge when positive",
                f"units per {coups:,} coups", "standard deviation", "largest edge", "cards with this edge",
                *["two bets or more best"] * several,
            ),
            rows=[
                [
                    str(row["cards_left"]),
                    _chance(row["p_positive"], coups),
                    in_percent(row["p_zero"]),
                    in_percent(row["mean_positive_edge"]),
                    figure(coups * row["mean_positive_part"], None),
                    in_percent(row["sd"]),
                    in_percent(row["max_edge"]),
                    _in_words(row["max_composition"]),
                    *[in_percent(row.get("p_tied"))] * several,
                ]
                for row in rows
            ],
        )
    ]  # fmt: skip
    if system is not None:
        sections.append(_counter(rows, coups, system))
    if several:
        sections.append(_by_bet(rows, coups, names, pages.labels(game.also(names))))
    if "q50" in rows[0]:
        quantiles = [name for name in rows[0] if name.startswith("q")]
        drawn = "edge-quantiles" in figures
        sections.append(
            Section(
                QUANTILES,
                _TO_A_BIN,
                figure=Markup(figures["edge-quantiles"]) if drawn else None,
                caption="The edge by unseen cards: the median, and the ranges of the middle 50% and 90% of shoes."
                * drawn,
                columns=("cards left", *(f"{int(name[1:])}%" for name in quantiles)),
                rows=[[str(row["cards_left"]), *(in_percent(row[name]) for name in quantiles)] for row in rows],
            )
        )
    if "histogram" in tables:
        sections.append(_bins(tables["histogram"]))
    return sections


def _in_words(composition: str) -> str:
    """The cards of a shoe by value: `5×5 1×7` for five fives and a seven. T stands for tens and faces."""
    counts = Shoe.parse(composition).counts
    return " ".join(f"{n}×{value or 'T'}" for value, n in enumerate(counts) if n)


def _counter(rows: Sequence[Mapping[str, Any]], coups: int, system: System) -> Section:
    units = f"units per {coups:,} coups"
    return Section(
        COUNTER,
        f"A counter with the count {system.name} bets when the count reaches the trigger, whatever the exact edge is. "
        "The best trigger is the best of those tried. The last column gives the most that the count wins at any "
        "trigger.",
        columns=(
            "cards left", "bet frequency at its trigger", units, "best trigger", f"{units} at this trigger",
            f"{units} at any trigger",
        ),
        rows=[
            [
                str(row["cards_left"]),
                in_percent(row["count_bets"]),
                figure(coups * row["count_gain"], None),
                f"{row['best_trigger']:g}",
                *(figure(coups * row[name], None) for name in ("best_count_gain", "most_count_gain")),
            ]
            for row in rows
        ],
    )  # fmt: skip


def _by_bet(rows: Sequence[Mapping[str, Any]], coups: int, names: Sequence[str], titles: Mapping[str, str]) -> Section:
    return Section(
        BY_BET,
        "The table shows how often each bet has the largest edge, how often the bet is made, and what a perfect "
        "counter wins on this bet.",
        columns=("bet", "cards left", "has the largest edge", "bet frequency", f"units per {coups:,} coups"),
        rows=[
            [
                titles[name],
                str(row["cards_left"]),
                in_percent(row[f"best_{name}"]),
                in_percent(row[f"bets_{name}"]),
                figure(coups * row[f"gain_{name}"], None),
            ]
            for name in names
            for row in rows
        ],
    )


def _bins(bins: pl.DataFrame) -> Section:
    """The table of the probability of each bin. If the census has many numbers of cards left, only some are shown."""
    by_cards = bins.partition_by("cards_left", maintain_order=True)
    number = by_cards[0].height
    if number > _MOST_BINS:
        return Section(BINS, f"{number:,} bins are too many for a page: --format csv and histogram.csv have them.")
    shown = by_cards
    text = "The chance that the edge is in each bin. A bin begins at the edge shown."
    if len(by_cards) > _MOST_DEPTHS:
        last = len(by_cards) - 1
        shown = [by_cards[round(i * last / (_MOST_DEPTHS - 1))] for i in range(_MOST_DEPTHS)]
        text += (
            f" The table shows {_MOST_DEPTHS} of {len(by_cards)} numbers of cards left; --format csv and histogram.csv "
            "have all."
        )
    ends = by_cards[0]["edge_from"]
    if all(isclose(a, b) for part in shown for a, b in zip(part["edge_from"], ends, strict=True)):
        columns = ("edge from", *(f"{part['cards_left'][0]} cards left" for part in shown))
        rows = [list(map(in_percent, row)) for row in zip(ends, *(part["probability"] for part in shown), strict=True)]
    else:
        columns = ("cards left", "edge from", "chance")
        rows = [
            [str(left), in_percent(low), in_percent(chance)]
            for part in shown
            for left, low, chance in part.select("cards_left", "edge_from", "probability").rows()
        ]
    return Section(BINS, text, columns=columns, rows=rows)


def _figures(frame: pl.DataFrame, title: str, source: str) -> dict[str, str]:
    """The figures; none for a single number of cards left."""
    if frame["cards_left"].n_unique() < 2:
        return {}
    frame = frame.sort("cards_left")
    share = frame.select(
        pl.lit("bet").alias("bet"), "cards_left", pl.col("p_positive").alias("positive_share"),
        pl.lit(None, pl.Float64).alias("positive_share_se"),
    )  # fmt: skip
    drawn = {"positive-share": drawing.single(plots.positive_share, share, ["bet"], {"bet": title})}
    if "q50" in frame.columns:
        drawn["edge-quantiles"] = drawing.single(plots.edge_quantiles, frame)
    return {name: drawing.svg(figure, _TITLES[name], source) for name, figure in drawn.items()}
