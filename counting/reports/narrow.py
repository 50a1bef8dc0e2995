"""Lay figures out for a phone: the same plots, one below the other, with letters as large as the page's."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend

WIDTH = 4.5  # inches: 324 points, the width of the SVG
LEAST = 10  # points, for the smallest letters
_LETTERS = 46  # the most letters in a line of a title
_IN_NAMES = 22  # the most letters in a line of a name at the left edge of a plot
_IN_LEGEND = 36  # the most letters in a line of a name in a legend
_LINE = 0.2  # inches: the height of a line in a legend
ENDS = "_end"  # marks the names at the right ends of lines


def narrow(figure: Figure) -> None:
    """Lay a figure out again, `WIDTH` inches wide: plots one below the other. Names at the ends of lines, and legends
    beside a plot, become a legend below the plots."""
    from matplotlib.gridspec import GridSpec
    from matplotlib.text import Text
    from matplotlib.ticker import FixedLocator

    bars = [ax for ax in figure.axes if ax.get_label() == "<colorbar>"]
    plots = [ax for ax in figure.axes if ax.get_visible() and ax not in bars]
    spec, height = plots[0].get_subplotspec(), float(figure.get_size_inches()[1])
    rows, columns = spec.get_gridspec().get_geometry() if spec else (1, 1)
    if columns > 1:
        stack = GridSpec(len(plots), 1, figure=figure)
        for ax in figure.axes:
            if not ax.get_visible():
                ax.remove()
        for i, ax in enumerate(plots):
            ax.set_subplotspec(stack[i, 0])
            ax.tick_params(labelleft=True)
            if i < len(plots) - 1 and ax.get_xlabel() == plots[-1].get_xlabel():
                ax.set_xlabel("")
        height *= len(plots) / rows
    height += sum(_below(ax, plots[-1]) for ax in plots if _names_at_ends(ax) or _beside(ax))
    for text in figure.findobj(Text):
        assert isinstance(text, Text)
        text.set_fontsize(max(text.get_fontsize(), LEAST))
    for ax in plots:
        for title in (ax.xaxis.label, ax.yaxis.label, ax.title, ax._left_title):  # type: ignore[attr-defined]
            title.set_text(fill(title.get_text(), _LETTERS))
        if isinstance(ax.yaxis.get_major_locator(), FixedLocator):
            ax.set_yticks(ax.get_yticks(), [fill(name.get_text(), _IN_NAMES) for name in ax.get_yticklabels()])
    figure.set_size_inches(WIDTH, height)


def _names_at_ends(ax: Axes) -> list[Any]:
    """The names at the right ends of lines."""
    return [text for text in ax.texts if text.get_label() == ENDS]


def _beside(ax: Axes) -> Legend | None:
    """The legend beside a plot, or None."""
    legend = ax.get_legend()
    return legend if legend is not None and legend.get_bbox_to_anchor().width == 0 else None


def _below(ax: Axes, last: Axes) -> float:
    """Put the names of a plot's lines into a legend below the last plot. Returns the height of the legend in inches."""
    handles, labels = ax.get_legend_handles_labels()
    for text in _names_at_ends(ax):
        text.remove()
    if (beside := _beside(ax)) is not None:
        beside.remove()
    height: float = last.get_position().height * ax.figure.get_size_inches()[1]  # type: ignore[union-attr]
    names = [fill(label, _IN_LEGEND) for label in labels]
    last.legend(handles, names, loc="upper left", bbox_to_anchor=(0, -0.62 / height), borderaxespad=0, fontsize=LEAST)
    return _LINE * sum(1 + name.count("\n") for name in names)
