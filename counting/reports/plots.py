"""Plots. Most functions draw a frame's rows on axes; they read no file and compute no statistic."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Any

import polars as pl

from counting.io.tables import percent
from counting.reports.drawing import (
    BESIDE,
    COLOURS,
    INK,
    PAPER,
    SOFT,
    STYLE,
    empty,
    in_decimals,
    label_ends,
    line_style,
    marker,
)  # fmt: skip
from counting.reports.numbers import amount, money, share, unrounded
from counting.reports.numbers import figure as with_error
from counting.reports.tooltips import tip

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MET, EDGE = "#fefefe", "#101010"  # colours of the region where a bound is met and of its edge; the same in a dark theme
LEAST_P = 1e-6  # smaller p-values are drawn at this value
_FEW = 20  # with more points, a line has no marks, and flagged patrons have no numbers
_MOST_NAMES = 26  # the most cards named below their bars
_FEW_LINES = 4  # with more lines, the legend is below the panels
_IN_ROW = 3  # the most panels in a row


def edge_quantiles(frame: pl.DataFrame, ax: Axes) -> Axes:
    """A bet's edge against the number of unseen cards: the median, the middle 50% and the middle 90% of coups.

    `frame` has columns cards_left, q05, q25, q50, q75, q95 (see `summary.quantiles`).
    """
    x, percents = frame["cards_left"], {q: 100 * frame[q] for q in ("q05", "q25", "q50", "q75", "q95")}
    ax.fill_between(x, percents["q05"], percents["q95"], color=COLOURS[0], alpha=0.15, lw=0, label="90% of coups")
    ax.fill_between(x, percents["q25"], percents["q75"], color=COLOURS[0], alpha=0.3, lw=0, label="50% of coups")
    ax.plot(x, percents["q50"], color=COLOURS[0], lw=1.5, label="median")
    ax.axhline(0, color=INK, lw=0.8)
    tip(
        ax, x, percents["q50"],
        (
            f"{row['cards_left']} unseen cards: median {percent(row['q50'])}, 50% of coups {percent(row['q25'])} to "
            f"{percent(row['q75'])}, 90% {percent(row['q05'])} to {percent(row['q95'])}"
            for row in frame.iter_rows(named=True)
        ),
    )  # fmt: skip
    ax.set_xlim(float(x.max()), 0)  # type: ignore[arg-type]
    ax.locator_params(axis="x", integer=True)
    ax.set_xlabel("unseen cards")
    ax.set_ylabel("edge, %")
    return ax


def result_distribution(frame: pl.DataFrame, ax: Axes, marks: Mapping[str, float]) -> Axes:
    """The distribution of a result: a bar for the chance of each range. `frame` has columns result_from, result_to and
    probability. `marks`: the results to mark, by name."""
    left, right, heights = frame["result_from"], frame["result_to"], 100 * frame["probability"]
    middles = (left + right) / 2
    ax.bar(middles, heights, width=right - left, color=COLOURS[0], alpha=0.45, lw=0)
    texts = (
        f"{money(low)} to {money(high)}: {percent(chance)}"
        for low, high, chance in frame.select("result_from", "result_to", "probability").rows()
    )
    # The boxes are as high as the highest bar, because a low bar is hard to point at.
    tip(ax, left, [0] * frame.height, texts, [(end, max(heights)) for end in right])
    for i, (name, place) in enumerate(marks.items()):
        ax.axvline(place, lw=1.3, label=f"{name}: {money(place)}", **line_style(i + 1))
    ax.axvline(0, color=INK, lw=0.8)
    ax.xaxis.set_major_formatter(lambda value, _: f"{value:,.10g}")
    ax.set_xlabel("net result of the patron, in money")
    ax.set_ylabel("chance, %")
    ax.legend(**BESIDE)
    return ax


def result_deviations(frame: pl.DataFrame, ax: Axes) -> Axes:
    """How far the numbers of wins are from their exact expectations, in standard deviations. There is a row for each
    table, dealer or shift, with a mark for Player, Banker and tie. `frame` has columns name, category, z, came and
    expected."""
    names = frame["name"].unique(maintain_order=True).to_list()
    for i, ((category,), rows) in enumerate(frame.group_by("category", maintain_order=True)):
        heights = [names.index(name) for name in rows["name"]]
        ax.scatter(rows["z"], heights, s=28, marker=marker(i), color=COLOURS[i], label=str(category).capitalize())
        texts = (
            f"{name}: {str(category).capitalize()} {came:,}, {expected:,.1f} expected ({z:+.2f} standard deviations)"
            for name, came, expected, z in rows.select("name", "came", "expected", "z").rows()
        )
        tip(ax, rows["z"], heights, texts)
    ax.axvline(0, color=INK, lw=0.8)
    most = max(3.5, 1.1 * float(frame["z"].abs().max()))  # type: ignore[arg-type]
    ax.set_xlim(-most, most)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_yticks(range(len(names)), names)
    ax.set_xlabel("difference from the exact expectation, in standard deviations")
    return ax


def edges_by_card(frame: pl.DataFrame, ax: Axes) -> Axes:
    """The edge of the best bet, by the value of the known card, with a line for each place. Places with the same edges
    share a line. `frame` has columns place, card and edge."""
    lines: dict[tuple[float, ...], list[str]] = {}
    for (place,), rows in frame.group_by("place", maintain_order=True):
        lines.setdefault(tuple(rows["edge"]), []).append(str(place))
    cards = frame["card"].unique(maintain_order=True).to_list()
    for i, (edges, places) in enumerate(lines.items()):
        heights = [100 * edge for edge in edges]
        ax.plot(range(len(cards)), heights, marker=marker(i), ms=5, label=", ".join(places), **line_style(i))
        tip(
            ax,
            range(len(cards)),
            heights,
            (f"{' or '.join(places)} is {card}: {height:+.2f}%" for card, height in zip(cards, heights, strict=True)),
        )
    ax.axhline(0, color=INK, lw=0.8)
    ax.set_xticks(range(len(cards)), cards)
    ax.set_xlabel("the card that is known")
    ax.set_ylabel("edge of the best bet, %")
    ax.legend(**BESIDE)
    return ax


def removal_effects(frame: pl.DataFrame, ax: Axes) -> Axes:
    """How a bet's edge changes if one card is removed, with a bar for each kind of card (see `effects.profile`)."""
    x, heights = range(frame.height), 100 * frame["effect"]
    ax.bar(x, heights, width=0.7, color=[COLOURS[0] if height > 0 else COLOURS[1] for height in heights])
    texts = (f"without one {card}: {100 * effect:+.5f}%" for card, effect in frame.select("card", "effect").rows())
    tip(ax, [i - 0.35 for i in x], [0] * frame.height, texts, [(i + 0.35, height) for i, height in enumerate(heights)])
    ax.axhline(0, color=INK, lw=0.8)
    every = -(-frame.height // _MOST_NAMES)
    ax.set_xticks(list(x)[::every], frame["card"].to_list()[::every])
    ax.grid(axis="x", visible=False)
    ax.set_xlabel("card taken out of the shoe")
    ax.set_ylabel("change of the edge, %")
    return ax


def gain_kept(frame: pl.DataFrame, ax: Axes, of: str) -> Axes:
    """What counts win, plotted against the number of unseen cards, with a line for each count (see
    `effects_page.report`). Wins are in percent of what `of` names, such as the win of perfect play."""
    for i, (count,) in enumerate(frame.select("count").unique(maintain_order=True).rows()):
        rows = frame.filter(pl.col("count") == count, pl.col("share").is_not_null()).sort("cards_left")
        shape, kept = marker(i) if rows.height <= _FEW else None, 100 * rows["share"]
        ax.plot(rows["cards_left"], kept, lw=1.3, marker=shape, ms=4, label=count, **line_style(i))
        texts = (
            f"{count}, {left} unseen cards: {with_error(gain, None)} units per 100 coups, {percent(share, 1)} of {of}"
            for left, gain, share in rows.select("cards_left", "gain_per_100_coups", "share").rows()
        )
        tip(ax, rows["cards_left"], kept, texts)
    ax.set_xlim(float(frame["cards_left"].max()), 0)  # type: ignore[arg-type]
    ax.locator_params(axis="x", integer=True)
    ax.set_xlabel("unseen cards")
    ax.set_ylabel(f"gain, % of {of}")
    label_ends(ax)
    return ax


def positive_share(frame: pl.DataFrame, ax: Axes, bets: Sequence[str], labels: Mapping[str, str]) -> Axes:
    """The share of coups with a positive edge, against the number of unseen cards, with a line for each bet (see
    `summary.by_cards_left`)."""
    for i, bet in enumerate(bets):
        rows = frame.filter(pl.col("bet") == bet)
        ax.plot(rows["cards_left"], 100 * rows["positive_share"], lw=1.5, label=labels[bet], **line_style(i))
        texts = (
            f"{labels[bet]}, {left} unseen cards: {share(value, error)} of coups"
            for left, value, error in rows.select("cards_left", "positive_share", "positive_share_se").rows()
        )
        tip(ax, rows["cards_left"], 100 * rows["positive_share"], texts)
    ax.set_xlim(float(frame["cards_left"].max() or 1), 0)  # type: ignore[arg-type]
    ax.set_ylim(bottom=0)
    ax.locator_params(axis="x", integer=True)
    ax.set_xlabel("unseen cards")
    ax.set_ylabel("coups with a positive edge, %")
    label_ends(ax)
    return ax


def gain_per_shoe(frame: pl.DataFrame, ax: Axes, labels: Mapping[str, str]) -> Axes:
    """What a perfect counter wins per shoe, with a bar and a 95% interval for each bet (see `summary.by_bet`)."""
    rows = frame.sort("units_per_shoe")
    y = range(rows.height)
    ax.barh(y, rows["units_per_shoe"], color=COLOURS[0], height=0.6)
    interval = 1.96 * rows["units_per_shoe_se"].fill_null(0)
    ax.errorbar(rows["units_per_shoe"], y, xerr=interval, fmt="none", ecolor=INK, lw=1)
    ax.set_yticks(list(y), [labels[bet] for bet in rows["bet"]])
    for i, gain, error in zip(y, rows["units_per_shoe"], interval, strict=True):
        ax.annotate(
            f"{gain:.3g}", (gain + error, i), xytext=(6, 0), textcoords="offset points", va="center", fontsize=9
        )
    ax.margins(x=0.12)
    ax.set_xlim(left=0)
    texts = (
        f"{labels[bet]}: {with_error(gain, error)} units per shoe"
        for bet, gain, error in rows.select("bet", "units_per_shoe", "units_per_shoe_se").rows()
    )
    corners = [(gain, i + 0.3) for i, gain in enumerate(rows["units_per_shoe"])]
    tip(ax, [0] * rows.height, [i - 0.3 for i in y], texts, corners)
    ax.grid(axis="y", visible=False)
    ax.set_xlabel("units per shoe, with bets of one unit")
    return ax


def gain_by_cut(
    frame: pl.DataFrame,
    ax: Axes,
    bets: Sequence[str],
    labels: Mapping[str, str],
    title: str = "units per shoe, perfect counter",
) -> Axes:
    """What a counter wins per shoe, against the number of cards behind the cut card, with a line for each bet (see
    `penetration.by_penetration`). Only the cuts at which the win is more than two standard errors above 0 are drawn. If
    they are few, each has a mark."""
    gain = pl.col("units_per_shoe")
    for i, bet in enumerate(bets):
        significant = (gain > 0) & (gain > 2 * pl.col("units_per_shoe_se").fill_null(0))
        rows = frame.filter((pl.col("bet") == bet) & significant).sort("cut")
        shape = marker(i) if rows.height <= _FEW else None
        ax.plot(rows["cut"], rows["units_per_shoe"], lw=1.5, marker=shape, ms=5, label=labels[bet], **line_style(i))
        texts = (
            f"{labels[bet]}, {cut} cards behind the cut card: {with_error(value, error)} units per shoe"
            for cut, value, error in rows.select("cut", "units_per_shoe", "units_per_shoe_se").rows()
        )
        tip(ax, rows["cut"], rows["units_per_shoe"], texts)
    if frame["units_per_shoe"].max():
        ax.set_yscale("log")
        ax.yaxis.set_major_formatter(in_decimals)
    ax.set_xlim(left=0)
    ax.set_xlabel("cards behind the cut card")
    ax.set_ylabel(title)
    label_ends(ax)
    return ax


def gain_by_frequency(frame: pl.DataFrame, ax: Axes, systems: Sequence[str]) -> Axes:
    """What counters win per 100 coups, plotted against their bet frequency, with a line for each system (see
    `scores.score`).

    A line has a point for each trigger; the best trigger's point is filled. A dashed line is at the perfect counter's
    win, and a star on it is at the perfect counter's bet frequency.
    """
    perfect = frame.filter(pl.col("trigger").is_null())
    for bet_share, gain in perfect.select("bet_share", "units_per_100_coups").rows():
        ax.axhline(gain, color=INK, lw=0.8, ls="--")
        ax.plot([100 * bet_share], [gain], color=INK, marker="*", ms=11, ls="none", label="perfect counter")
    _tip_gains(perfect, ax)
    for i, system in enumerate(systems):
        rows = frame.filter((pl.col("system") == system) & (pl.col("units_per_100_coups") > 0)).sort("bet_share")
        best = rows.filter(pl.col("best"))
        gains = rows["units_per_100_coups"]
        ax.plot(100 * rows["bet_share"], gains, lw=1.3, marker=marker(i), ms=4, mfc=PAPER, **line_style(i))
        triggers = best["trigger"].to_list()
        label = f"{system}, best at {triggers[0]:g}" if triggers else system
        ax.plot(
            100 * best["bet_share"], best["units_per_100_coups"], marker=marker(i), ms=7, label=label, **line_style(i)
        )
        _tip_gains(pl.concat([best, rows]), ax)
    shares = frame.filter(pl.col("best") | pl.col("trigger").is_null())["bet_share"]
    if len(shares):
        ax.set_xlim(0, 220 * float(shares.max()))  # type: ignore[arg-type]
        ax.legend(**BESIDE, fontsize=9)
    ax.set_ylim(bottom=0)
    ax.set_xlabel("bet frequency, % of coups")
    ax.set_ylabel("units per 100 coups")
    return ax


def _tip_gains(rows: pl.DataFrame, ax: Axes) -> None:
    """Add a tooltip to the point of each counter."""
    counters = pl.coalesce(pl.format("{} from {}", "system", "trigger"), "system")
    texts = (
        f"{row['counter']}: "
        f"{with_error(row['units_per_100_coups'], row['units_per_100_coups_se'])} units per 100 coups, bet on "
        f"{percent(row['bet_share'])} of coups"
        for row in rows.with_columns(counter=counters).iter_rows(named=True)
    )
    tip(ax, 100 * rows["bet_share"], rows["units_per_100_coups"], texts)


def follows_edge(frame: pl.DataFrame, ax: Axes) -> Axes:
    """A point for each patron and bet of an audit: the mean edge of the stakes against the p-value (see
    `patrons.patrons`). Flagged patrons have another colour and, if they are few, the number of their row in the page's
    table."""
    frame = frame.with_row_index("row", 1).with_columns(percent=100 * pl.col("edge")).drop_nulls("percent")
    for row in frame.sort("flagged", descending=True, maintain_order=True).iter_rows(named=True):
        text = (
            f"{row['row']}: {row['patron']} on {row['bet']}, mean edge of the stakes {row['percent']:+.1f}%, of random "
            f"stakes {100 * row['edge_random']:+.1f}%; p-value {row['p']:.2g}"
        )
        tip(ax, [row["percent"]], [max(row["p"], LEAST_P)], [text])
    for flagged, colour, shape, label in (
        (False, COLOURS[0], "o", "not flagged"), (True, COLOURS[1], "D", "flagged, numbered as in the table"),
    ):  # fmt: skip
        rows = frame.filter(pl.col("flagged") == flagged)
        ax.scatter(rows["percent"], rows["p"].clip(LEAST_P), s=26, marker=shape, color=colour, alpha=0.7, label=label)
        if flagged and rows.height <= _FEW:
            for row in rows.iter_rows(named=True):
                ax.annotate(
                    str(row["row"]),
                    (row["percent"], max(row["p"], LEAST_P)),
                    (4, 4),
                    textcoords="offset points",
                    fontsize=8,
                )
    ax.set_yscale("log")
    ax.yaxis.set_major_formatter(in_decimals)
    ax.invert_yaxis()
    ax.axvline(0, color=INK, lw=0.8)
    ax.set_xlabel("mean edge of the stakes, % of the amount staked")
    ax.set_ylabel("p-value")
    ax.legend(loc="best")
    return ax


def shoe_strip(shoes: Sequence[tuple[str, pl.DataFrame]]) -> Figure:
    """A strip for each shoe, with its title: above, the exact edge of a bet at each coup; below, a patron's stakes.
    Each frame has `coup`, `edge` (null if it is not known) and `stake`."""
    import matplotlib

    with matplotlib.rc_context(rc=STYLE):
        ratios = {"height_ratios": [3, 2] * len(shoes)}
        size = (9, 2.8 * len(shoes))
        figure = empty(size)
        axes = figure.subplots(2 * len(shoes), 1, squeeze=False, gridspec_kw=ratios)
        for (title, shoe), above, below in zip(shoes, axes[::2, 0], axes[1::2, 0], strict=True):
            _strip(title, shoe, above, below)
        axes[-1, 0].set_xlabel("coup of the shoe")
    return figure


def _strip(title: str, shoe: pl.DataFrame, above: Axes, below: Axes) -> None:
    """Draw one strip: the edge on the axes `above`, and the stakes on the axes `below`."""
    coup, stake = shoe["coup"].to_numpy(), shoe["stake"].to_numpy()
    edge = 100 * shoe["edge"].cast(pl.Float64).fill_null(float("nan")).to_numpy()
    good = edge > 0
    above.plot(coup, edge, color=COLOURS[0], lw=1.2, drawstyle="steps-mid")
    above.fill_between(coup, 0, edge, where=good, step="mid", color=COLOURS[0], alpha=0.3)
    above.axhline(0, color=INK, lw=0.8)
    above.set_title(title, fontsize=9, loc="left")
    above.set_ylabel("edge, %")
    above.tick_params(labelbottom=False)
    for some, colour, label in ((good, COLOURS[1], "at a positive edge"), (~good, SOFT, "at others")):
        below.bar(coup[some], stake[some], width=0.8, color=colour, label=label)
    tip(
        above, coup, edge,
        (f"coup {at}: edge {percent(value)}, " + (f"staked {money(staked)}" if staked else "no stake")
         for at, value, staked in shoe.select("coup", pl.col("edge").cast(pl.Float64), "stake").rows()),
    )  # fmt: skip
    below.set_ylabel("stake")
    below.set_xlim(above.get_xlim())
    below.legend(loc="upper left", fontsize=7, ncols=2)


def known_strip(shoes: Sequence[tuple[str, pl.DataFrame]]) -> Figure:
    """A strip for each shoe, with its title: a patron's bets at each coup. Each frame has these columns:

    - `coup`, `bet` and `stake`
    - `below`: whether the bar is drawn below the line, as for Banker
    - `good`: whether the card that the patron may have known favoured the bet; null if it was not dealt"""
    import matplotlib

    with matplotlib.rc_context(rc=STYLE):
        figure = empty((9, 1.9 * len(shoes)))
        axes = figure.subplots(len(shoes), 1, squeeze=False)[:, 0]
        for (title, bets), ax in zip(shoes, axes, strict=True):
            signed = bets.with_columns(height=pl.when("below").then(-pl.col("stake")).otherwise("stake"))
            good = pl.col("good").fill_null(False)
            for some, face, label in ((good, COLOURS[1], "good for the bet"), (~good, "none", "not")):
                rows = signed.filter(some)
                ax.bar(rows["coup"], rows["height"], width=0.8, color=face, edgecolor=COLOURS[1], label=label)
            ax.axhline(0, color=INK, lw=0.8)
            ax.set_title(title, fontsize=9, loc="left")
            ax.set_ylabel("stake")
            texts = (
                f"coup {row['coup']}: {money(row['stake'])} on {row['bet']}, {'good' if row['good'] else 'not good'}"
                for row in signed.iter_rows(named=True)
            )
            tip(ax, signed["coup"], signed["height"], texts)
        axes[0].legend(loc="upper left", fontsize=7, ncols=2)
        axes[-1].set_xlabel("coup of the shoe")
    return figure


def against_bound(frame: pl.DataFrame, ax: Axes, bound: float | None, unit: str) -> Axes:
    """What counters win, and the bound. Each bet has a line from `least` to a bar at `most`, with a dot at `value`."""
    y = range(frame.height)
    ax.hlines(y, frame["least"], frame["most"], color=COLOURS[0], lw=3)
    ax.plot(frame["value"], y, "o", color=COLOURS[0], ms=8)
    ax.plot(frame["most"], y, "|", color=COLOURS[0], ms=18, mew=3)
    texts = (
        f"{row['bet']}: {amount(row['value'])}, 99% bounds {amount(row['least'], up=False, bound=bound)} and "
        f"{amount(row['most'], up=True, bound=bound)} {unit}"
        for row in frame.iter_rows(named=True)
    )
    ax.set_yticks(list(y), frame["bet"].to_list())
    ax.set_ylim(frame.height - 0.5, -0.5)
    ax.margins(x=0.08)
    if bound is not None:
        ax.axvline(bound, color=COLOURS[1], lw=2, ls="--")
        ax.annotate(
            f"limit {unrounded(bound)}", (bound, 1), (4, -10), xycoords=("data", "axes fraction"),
            textcoords="offset points", fontsize=9, color=INK,
        )  # fmt: skip
    ax.set_xlim(left=min(0, *ax.get_xlim()))
    tip(ax, frame["least"], [i - 0.2 for i in y], texts, [(most, i + 0.2) for i, most in enumerate(frame["most"])])
    ax.grid(axis="y", visible=False)
    ax.set_xlabel(unit)
    return ax


def limit_lines(frame: pl.DataFrame, ax: Axes, columns: tuple[str, str, str], bound: float, unit: str) -> Axes:
    """What counters win, against the number of cards behind the cut card, with a line for each counter and model, and a
    line for the bound.

    `frame` is for a single main-bet requirement. It has the columns counter, model, tie_in, cut and known, and the
    three of `columns`: an estimate, its error, and its 99% limit. The limit is drawn.
    """
    _limit_lines(frame, ax, columns, bound)
    ax.set_xlabel("cards behind the cut card")
    ax.set_ylabel(unit)
    label_ends(ax)
    return ax


def _limit_lines(frame: pl.DataFrame, ax: Axes, columns: tuple[str, str, str], bound: float) -> None:
    limit = columns[2]
    for i, (counter, model) in enumerate(frame.select("counter", "model").unique(maintain_order=True).rows()):
        rows = frame.filter(pl.col("counter") == counter, pl.col("model") == model).sort("cut")
        ax.plot(rows["cut"], rows[limit], lw=1.5, label=f"{counter}, {model}", **line_style(i))
        _tip_limits(rows, ax, rows["cut"], rows[limit], columns, bound)
    ax.axhline(bound, color=INK, lw=1.5, ls=(0, (1, 1)))
    ax.annotate("limit", (0, bound), (4, 3), xycoords=("axes fraction", "data"), textcoords="offset points", fontsize=9)


def line_panels_of_limits(frame: pl.DataFrame, columns: tuple[str, str, str], bound: float, unit: str) -> Figure:
    """A panel of `limit_lines` for each value of the column `rule`, which is a side bet or a largest bet. All panels
    have the same scale."""
    import matplotlib

    with matplotlib.rc_context(rc=STYLE):
        figure, axes = _panels(frame["rule"].n_unique(), _IN_ROW, 2.8)
        for ax, ((rule,), rows) in zip(axes, frame.group_by("rule", maintain_order=True), strict=True):
            _limit_lines(rows, ax, columns, bound)
            ax.set_title(str(rule), loc="left", fontsize=10)
            ax.set_xlabel("cards behind the cut card")
        figure.supylabel(unit, fontsize=10, color=INK)
        axes[min(len(axes), _IN_ROW) - 1].legend(**BESIDE, fontsize=9)
    return figure


def _panels(number: int, across: int, height: float) -> tuple[Figure, list[Axes]]:
    """A figure with `number` panels, which share their scales, and the panels' axes."""
    across = min(number, across)
    down = -(-number // across)
    figure = empty((1.5 + 3.4 * across, height * down))
    axes = figure.subplots(down, across, squeeze=False, sharex=True, sharey=True)
    for ax in axes.flat[number:]:
        ax.set_visible(False)
    for ax in axes.flat[:number]:
        ax.tick_params(labelbottom=True)
    return figure, list(axes.flat[:number])


def _tip_limits(
    rows: pl.DataFrame, ax: Axes, x: Iterable[float], y: Iterable[float], columns: tuple[str, str, str], bound: float
) -> None:
    """Add a tooltip to the point of each row: the estimate of what a counter wins at most, with its 99% limit, or "not
    known"."""
    value, error, limit = columns
    texts = (
        f"{row['counter']}, {row['model']}, cut {row['cut']}, requirement {row['tie_in']:g}: "
        + (
            f"{with_error(row[value], row[error])}, at most {amount(row[limit], up=True, bound=bound)} (99%)"
            if row["known"]
            else "not known"
        )
        for row in rows.iter_rows(named=True)
    )
    tip(ax, x, y, texts)


def limit_panels(frame: pl.DataFrame, columns: tuple[str, str, str], bound: float, unit: str) -> Figure:
    """What counters win, by the number of cards behind the cut card and the main-bet requirement, as contours. There is
    a panel for each counter, model and `rule`, which is a side bet or a largest bet. All panels have the same scale.
    The region where the bound is met is white, with a line at its edge.

    `frame` has the columns of `limit_lines` (see `frontiers.judged`).
    """
    import matplotlib
    import numpy as np

    limit, keys = columns[2], ["rule", "counter", "model"]
    panels = frame.group_by(keys, maintain_order=True)
    number, counters, rules = panels.len().height, frame["counter"].n_unique(), frame["rule"].n_unique()
    in_row = number // rules if 1 < number // rules < _IN_ROW else _IN_ROW
    with matplotlib.rc_context(rc=STYLE):
        figure, axes = _panels(number, in_row, 3.4 if rules == 1 else 2.8)
        most = max(float(frame[limit].max() or 0), 2 * bound)  # type: ignore[arg-type]
        levels = np.linspace(bound, most, 9)
        drawn: Any = None
        for ((rule, counter, model), rows), ax in zip(panels, axes, strict=True):
            wide = rows.pivot("cut", index="tie_in", values=limit).sort("tie_in")
            cuts = [int(name) for name in wide.columns[1:]]
            gains = wide.drop("tie_in").to_numpy()
            drawn = ax.contourf(cuts, wide["tie_in"], gains, levels=levels, cmap="OrRd", extend="max")
            if gains.min() < bound < gains.max():
                ax.contour(cuts, wide["tie_in"], gains, levels=[bound], colors=EDGE, linewidths=1.5)
            _tip_limits(rows, ax, rows["cut"], rows["tie_in"], columns, bound)
            named = [str(rule)] * (rules > 1) + [str(counter)] * (counters > 1) + [str(model)]
            ax.set_title(fill(", ".join(named), 36), loc="left", fontsize=10)
            ax.set_xlabel("cards behind the cut card")
            ax.set_facecolor(MET)
            ax.grid(visible=False)
        figure.supylabel("main-bet requirement, units", fontsize=10, color=INK)
        figure.colorbar(drawn, ax=axes, label=unit)
    return figure


def line_panels(frame: pl.DataFrame, x: str, panels: Mapping[str, str], lines: str) -> Figure:
    """A panel for each column that is a key of `panels`; the value is the panel's title. Each panel shows its column
    against the column `x`, with a line for each value of the column `lines`. The legend is in the first panel; if there
    are more than four lines, it is below."""
    import matplotlib

    with matplotlib.rc_context(rc=STYLE):
        figure = empty((11, 3.2))
        axes = figure.subplots(1, len(panels), squeeze=False)
        for (column, title), ax in zip(panels.items(), axes.flat, strict=True):
            for i, (line,) in enumerate(frame.select(lines).unique(maintain_order=True).rows()):
                rows = frame.filter(pl.col(lines) == line).sort(x)
                ax.plot(rows[x], rows[column], lw=1.5, marker="o", ms=3, label=line, **line_style(i))
                tip(
                    ax,
                    rows[x],
                    rows[column],
                    (f"{line}, {x} {at}: {value}" for at, value in rows.select(x, column).rows()),
                )
            ax.set_title(title, loc="left", fontsize=10)
            ax.set_xlabel(x)
        if len(axes[0, 0].lines) > _FEW_LINES:
            figure.legend(handles=axes[0, 0].lines, fontsize=8, loc="outside lower center", ncols=3)
        else:
            axes[0, 0].legend(fontsize=8)
    return figure


def by_decks(frame: pl.DataFrame) -> Figure:
    """Chemin de fer against the number of decks: its value, and the probability of drawing in the cell in which a side
    mixes. There is a line for each model (see `comparisons.deck_rows`). A probability has a point only if the side
    mixes in the same cell as with the largest number of decks."""
    mixes = [
        pl.when(pl.col(side) == pl.col(side).last().over("model")).then(mix).alias(mix)
        for side, mix in (("player", "p_float"), ("banker", "q_float"))
    ]
    panels = {"value_float": "value to Player", "p_float": "Player draws", "q_float": "Banker draws"}
    drawn = frame.sort("model", "decks").with_columns(mixes)
    shown = {column: title for column, title in panels.items() if drawn[column].count()}
    return line_panels(drawn, "decks", shown, "model")


def edge_panels(frame: pl.DataFrame, bets: Sequence[str], labels: Mapping[str, str]) -> Figure:
    """A panel of `edge_quantiles` for each bet. All panels have the same scale, which is logarithmic above 1% and below
    -1%."""
    import matplotlib

    with matplotlib.rc_context(rc=STYLE):
        across = min(len(bets), 2)
        down = -(-len(bets) // 2)
        figure = empty((9, 2.9 * down))
        axes = figure.subplots(down, across, squeeze=False, sharex=True, sharey=True)
        axes[0, 0].set_yscale("symlog", linthresh=1)
        axes[0, 0].yaxis.set_major_formatter(in_decimals)
        for ax in axes.flat[len(bets) :]:
            ax.set_visible(False)
        for bet, ax in zip(bets, axes.flat, strict=False):
            ax.tick_params(labelbottom=True)
            edge_quantiles(frame.filter(pl.col("bet") == bet), ax).set_title(labels[bet], loc="left", fontsize=10)
        axes[0, 0].legend(loc="upper left", fontsize=8)
    return figure
