"""Plots that only experiments need. Functions draw a frame on axes, or make a figure of several plots. They read no
file and compute no statistic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

from counting.io.tables import percent
from counting.reports.drawing import BESIDE, COLOURS, STYLE, line_style, marker
from counting.reports.tooltips import tip

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def turning_positive(frame: pl.DataFrame, ax: Axes, dealt: pl.DataFrame, labels: Mapping[str, str], last: int) -> Axes:
    """The chance of a positive edge against the number of unseen cards, on logarithmic scales, with a line for each
    bet.

    `frame` is a census, with columns bet, cards_left and p_positive. `dealt` has shares from dealt shoes, for more
    cards than the census, with columns bet, cards_left, positive_share, low and high. These shares are drawn as points.
    The `last` cards of a shoe are shaded.
    """
    for i, (bet, label) in enumerate(labels.items()):
        exact, points = frame.filter(pl.col("bet") == bet), dealt.filter(pl.col("bet") == bet)
        share, style = 100 * points["positive_share"], line_style(i)
        errors = [share - 100 * points["low"], 100 * points["high"] - share]
        ax.plot(exact["cards_left"], 100 * exact["p_positive"], lw=1.5, label=label, **style)
        hollow = "w" if style["ls"] == ":" else None
        ax.errorbar(points["cards_left"], share, yerr=errors, fmt="o", ms=3, lw=0.8, mfc=hollow, color=style["color"])
    most = float(dealt["cards_left"].max() or 1)  # type: ignore[arg-type]
    least = float(frame["cards_left"].min() or 1)  # type: ignore[arg-type]
    ax.axvspan(least, last, color="#e4e7ea", alpha=0.5, lw=0)
    ax.annotate(f"last {last} cards", (last, 0), (5, 5), ("data", "axes fraction"), "offset points", fontsize=9)
    ax.set_xlim(1.05 * most, least)
    ax.set_xlabel("unseen cards")
    ax.set_ylabel("chance that the edge is positive, %")
    return _logarithmic(ax, [6, 10, 20, 52, 104, 208, 416])


def edges_by_cards(frame: pl.DataFrame, ax: Axes, samples: pl.DataFrame) -> Axes:
    """The chance of an edge at chemin de fer against cards left, on logarithmic scales. Lines are exact. Points are
    from random shoes, with bars of two standard errors. The columns are `cards_left` and, for each side, its name
    followed by `_positive`; `samples` also has columns that end with `_positive_se`."""
    labels = {"player": "Player counts", "bank": "bank counts, 5%", "both_bank": "both count: bank, 5%"}
    for i, (side, label) in enumerate(labels.items()):
        style = line_style(i)
        ax.plot(frame["cards_left"], 100 * frame[f"{side}_positive"], lw=1.5, label=label, **style)
        seen = samples.filter(pl.col(f"{side}_positive") > 3 * pl.col(f"{side}_positive_se"))
        share, error = 100 * seen[f"{side}_positive"], 200 * seen[f"{side}_positive_se"]
        ax.errorbar(seen["cards_left"], share, yerr=error, fmt="o", ms=3, lw=0.8, color=style["color"])
    ax.set_xlabel("cards left")
    ax.set_ylabel("chance of an edge, %")
    return _logarithmic(ax, [6, 8, 10, 13, 16, 20, 26, 39, 52, 78])


def _logarithmic(ax: Axes, ticks: Sequence[int]) -> Axes:
    """Make both scales logarithmic, and put the legend beside the plot. `ticks`: the marked numbers of cards."""
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xticks(ticks, [f"{tick}" for tick in ticks])
    ax.minorticks_off()
    ax.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    ax.legend(**BESIDE)
    return ax


def gain_per_100_coups(frame: pl.DataFrame, ax: Axes, labels: Mapping[str, str]) -> Axes:
    """What a perfect counter wins per 100 coups, on a logarithmic scale, with a point for each bet (see
    `scores.score`)."""
    rows = frame.filter(pl.col("units_per_100_coups") > 0).sort("units_per_100_coups")
    y = range(rows.height)
    ax.plot(rows["units_per_100_coups"], y, color=COLOURS[0], marker="o", ms=4, ls="none")
    ax.set_yticks(list(y), [labels[bet] for bet in rows["bet"]], fontsize=7)
    for i, gain in zip(y, rows["units_per_100_coups"], strict=True):
        ax.annotate(
            f"{gain:#.2g}".rstrip("."), (gain, i), xytext=(5, 0), textcoords="offset points", va="center", fontsize=7
        )
    ax.set_xscale("log")
    ax.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    ax.margins(x=0.08, y=0.01)
    ax.tick_params(axis="y", length=0)
    ax.set_xlabel("units per 100 coups, perfect counter staking one unit")
    return ax


def power(frame: pl.DataFrame, ax: Axes, column: str) -> Axes:
    """The share of counters that are flagged, against the number of shoes played, with a line for each kind of counter.
    The columns are kind, shoes and `column`. The legend is in the order of the lines."""
    order = frame.group_by("kind", maintain_order=True).agg(pl.col(column).mean()).sort(column, descending=True)
    for i, kind in enumerate(order["kind"]):
        rows = frame.filter(pl.col("kind") == kind).sort("shoes")
        how: Any = {"lw": 1.5, "marker": marker(i), "ms": 4.5, "mfc": "none", "label": kind, **line_style(i)}
        ax.plot(rows["shoes"], 100 * rows[column], **how)
        texts = (f"{kind}, shoes {shoes}: {percent(share, 0)}" for shoes, share in rows.select("shoes", column).rows())
        tip(ax, rows["shoes"], 100 * rows[column], texts)
    ax.set_xscale("log")
    ax.set_xticks(sorted({*frame["shoes"]}))
    ax.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    ax.minorticks_off()
    ax.set_xlabel("shoes played")
    ax.set_ylabel("flagged, %")
    ax.legend(**BESIDE)
    return ax


def first_alerts(frame: pl.DataFrame, ax: Axes) -> Axes:
    """The share of patrons with an alert, against coups at the table, with a line for each kind of patron. The columns
    are kind, coup and alerted."""
    for i, (kind,) in enumerate(frame.select("kind").unique(maintain_order=True).rows()):
        rows = frame.filter(pl.col("kind") == kind)
        ax.plot(rows["coup"], 100 * rows["alerted"], lw=1.5, label=kind, **line_style(i))
    ax.set_xlabel("coups since the first shoe")
    ax.set_ylabel("patrons with an alert, %")
    ax.set_ylim(0, 101)
    ax.legend(**BESIDE)
    return ax


def detected(frame: pl.DataFrame, ax: Axes) -> Axes:
    """The share of logs in which a fault is detected, against the number of logged shoes, with a line for each fault.
    The columns are fault, shoes and flagged."""
    for i, (fault,) in enumerate(frame.select("fault").unique(maintain_order=True).rows()):
        rows = frame.filter(pl.col("fault") == fault).sort("shoes")
        ax.plot(rows["shoes"], 100 * rows["flagged"], lw=1.5, marker="o", ms=3, label=fault, **line_style(i))
    ax.set_xscale("log")
    ax.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    ax.set_xlabel("shoes logged")
    ax.set_ylabel("detected, %")
    ax.legend(**BESIDE)
    return ax


def adjusting(frame: pl.DataFrame, ax: Axes) -> Axes:
    """What each side of chemin de fer gains by adjusting its play to the unseen cards. The columns are cards_left,
    player_gains and banker_gains in percent, and their standard errors with the ending `_se`."""
    for i, side in enumerate(("player", "banker")):
        error = 2 * frame[f"{side}_gains_se"]
        ax.errorbar(
            frame["cards_left"],
            frame[f"{side}_gains"],
            error,
            label=side.capitalize(),
            lw=1.5,
            capsize=2,
            **line_style(i),
        )
    ax.set_xscale("log")
    ax.set_xticks(ticks := frame["cards_left"].to_list(), [f"{tick}" for tick in ticks])
    ax.minorticks_off()
    ax.invert_xaxis()
    ax.set_xlabel("cards left")
    ax.set_ylabel("gain per coup, % of the stake")
    ax.legend(loc="upper left")
    return ax


def against_blackjack(frame: pl.DataFrame) -> Figure:
    """How far a removed card moves each bet's edge, relative to blackjack, and how far the edge is from break-even.

    `frame` has a row for each bet, with the columns title, one_deck, eight_decks, break_even_linear and
    break_even_exact. `one_deck` and `eight_decks` are on a logarithmic scale; the two columns on break-even are in
    standard deviations of the edge.
    """
    import matplotlib.pyplot as plt

    point: Any = {"marker": "o", "ms": 4, "ls": "none", "color": COLOURS[0]}
    hollow = point | {"ms": 8, "mfc": "w", "color": COLOURS[1]}
    with plt.rc_context(rc=STYLE):
        size = (9, 1.1 + 0.27 * frame.height)
        figure, (left, right) = plt.subplots(1, 2, figsize=size, sharey=True, layout="constrained")
        y = range(frame.height)
        for x, label in ((1 / 9, "a ninth of blackjack"), (1, "blackjack")):
            left.axvline(x, color="#20262b", lw=0.8, ls="--")
            left.annotate(label, (x, 1), (3, -2), ("data", "axes fraction"), "offset points", fontsize=8, va="top")
        left.plot(frame["one_deck"], y, **hollow, label="one deck")
        left.plot(frame["eight_decks"], y, **point, label="8 decks, per card of one")
        left.set_xscale("log")
        left.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
        left.set_yticks(list(y), list(frame["title"]))
        left.set_ylim(-0.7, frame.height + 0.2)
        left.set_xlabel("effect of a removed card,\nits standard deviation, blackjack = 1")
        right.plot(frame["break_even_linear"], y, **hollow, label="linear estimate")
        right.plot(frame["break_even_exact"], y, **point, label="exact")
        right.set_xlim(left=0)
        right.set_xlabel("house edge in standard deviations\nof the edge, 26 of 416 cards left")
        for ax, corner in ((left, "lower right"), (right, "upper right")):
            ax.tick_params(axis="y", length=0)
            ax.legend(loc=corner, fontsize=8, frameon=True, facecolor="w", edgecolor="none", framealpha=1)
    return figure
