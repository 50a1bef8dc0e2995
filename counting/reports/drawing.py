"""The style of figures: palette, line styles and labels; and how figures are written as SVG."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from decimal import Decimal
from functools import cache, partial
from hashlib import sha256
from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from counting.reports.narrow import ENDS, LEAST, narrow
from counting.reports.tooltips import tips

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")  # Okabe and Ito: safe for the colour-blind
MARKERS = ("o", "s", "^", "D", "v", "P")
INK, SOFT, FAINT, PAPER = "#20262b", "#55616a", "#e4e7ea", "#ffffff"
# On a page, these colours change with the page's light or dark theme. In a separate file they stay as they are.
_ROLES = {INK: "--ink", SOFT: "--soft", FAINT: "--faint", PAPER: "--paper"}
BESIDE: Any = {"loc": "center left", "bbox_to_anchor": (1, 0.5)}  # a legend beside the plot
_CLIP = re.compile(r'<clipPath id="(\w+)">(.*?)</clipPath>', re.DOTALL)
STYLE: Any = {
    "font.family": "DejaVu Sans",
    "text.color": INK,
    "axes.labelcolor": INK,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "figure.facecolor": PAPER,
    "savefig.facecolor": PAPER,
    "axes.facecolor": "none",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": FAINT,
    "axes.axisbelow": True,
    "axes.edgecolor": SOFT,
    "legend.frameon": False,
    "svg.hashsalt": "counting",
    "text.parse_math": False,
    "svg.fonttype": "none",
}


def line_style(i: int) -> dict[str, Any]:
    """The colour and style of the i-th line of a figure. Lines differ in style too, for readers who see no colours."""
    return {"color": COLOURS[i % len(COLOURS)], "ls": ("-", "--", "-.", ":")[(i + i // len(COLOURS)) % 4]}


def marker(i: int) -> str:
    """The marker of the i-th line of a figure."""
    return MARKERS[i % len(MARKERS)]


def in_decimals(value: float, _: object = None) -> str:
    """The label of a tick, without an exponent: `0.00001`."""
    return format(Decimal(f"{value:.12g}"), "f")


def label_ends(ax: Axes, rows: int = 1) -> None:
    """Write the label of each line at the right edge, next to the line's end, in the line's colour. Labels do not
    overlap. `rows`: the number of rows of plots in the figure."""
    import numpy as np

    lines, heights = [], []
    for line in ax.get_lines():
        points = np.column_stack([line.get_xdata(), line.get_ydata()]).astype(float)
        points = points[np.isfinite(points).all(axis=1)]
        if len(points) and not str(line.get_label()).startswith("_"):
            right = points[np.argmax(points[:, 0] * (1 if ax.get_xlim()[1] > ax.get_xlim()[0] else -1))]
            lines.append(line)
            heights.append(float(ax.transAxes.inverted().transform(ax.transData.transform(right))[1]))
    step = 14 * rows / (72 * 0.75 * ax.figure.get_size_inches()[1])  # type: ignore[union-attr]
    order = sorted(range(len(lines)), key=heights.__getitem__)
    places = np.clip(np.array(heights)[order], 0, 1)
    for i in range(1, len(order)):
        places[i] = max(places[i], places[i - 1] + step)
    for i in range(len(order) - 1, -1, -1):  # push labels back below the upper edge
        places[i] = min(places[i], 1.0 - step * (len(order) - 1 - i))
    for i, place in zip(order, places, strict=True):
        ax.annotate(
            str(lines[i].get_label()),
            (1, place),
            (6, 0),
            xycoords="axes fraction",
            textcoords="offset points",
            va="center",
            fontsize=9,
            color=lines[i].get_color(),
            annotation_clip=False,
        ).set_label(ENDS)


def single(draw: Any, *args: Any, size: tuple[float, float] = (9, 4)) -> Figure:
    """A figure with one plot, made by `draw(frame, ax, ...)`."""
    import matplotlib

    with matplotlib.rc_context(rc=STYLE):
        figure = empty(size)
        draw(args[0], figure.subplots(), *args[1:])
    return figure


def empty(size: tuple[float, float]) -> Figure:
    """A figure without axes, with the resolution of SVG. It is made without pyplot, which is slow to load."""
    from matplotlib.figure import Figure

    return Figure(figsize=size, dpi=72, layout="constrained")


class Drawn(str):
    """A figure as the text of an SVG file. A page also gets the figure in a second layout, for a phone."""

    narrow: Callable[[], str]

    def __html__(self) -> str:
        return self + self.narrow()


def svg(figure: Figure, title: str = "", source: str = "") -> Drawn:
    """A figure as SVG, for a file or within a page. The same table always gives the same bytes.

    `title`: a text for readers who cannot see the figure. `source`: a line below the figure, which says what game and
    shoes it shows. Within a page, the colours of lines, letters and background follow the page's theme.
    """
    import matplotlib

    with matplotlib.rc_context(rc=STYLE):
        foot = _foot(figure, source, 7.5, 14)
        drawn = Drawn(_text(figure, title, tips))
    drawn.narrow = cache(partial(_narrow, figure, title, source, foot))
    return drawn


def _narrow(figure: Figure, title: str, source: str, foot: Text | None) -> str:
    """The SVG of the same figure, laid out again for a phone."""
    import matplotlib

    with matplotlib.rc_context(rc=STYLE):
        if foot is not None:
            foot.remove()
        narrow(figure)
        _foot(figure, source, LEAST, 12)
        return _text(figure, title)


def _foot(figure: Figure, source: str, size: float, letters: int) -> Text | None:
    """Write the source below a figure, with `letters` letters per inch of width, and make room for it."""
    if not source:
        return None
    width, height = figure.get_size_inches()
    lines = wrap(source, int(letters * width))
    line = 0.14 * size / 7.5
    foot = (0.06 + line * len(lines)) / height
    figure.get_layout_engine().set(rect=(0, foot, 1, 1 - foot))  # type: ignore[union-attr, call-arg]
    return figure.text(0.005, 0.04 / height, "\n".join(lines), fontsize=size, color=SOFT)


def _text(figure: Figure, title: str, titles: Callable[[Figure], str] = lambda _: "") -> str:
    """The SVG of a figure. `title`: a text for readers who cannot see it. `titles`: a function that makes the texts
    shown when the pointer is over a mark."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    out, layout = io.StringIO(), figure.get_layout_engine()
    FigureCanvasSVG(figure)  # this becomes the figure's canvas
    if layout is not None:
        layout.execute(figure)
    figure.set_layout_engine(None)  # otherwise `savefig` draws twice, first for the layout
    figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    figure.set_layout_engine(layout)
    text = out.getvalue().replace("</svg>", f"{titles(figure)}</svg>")
    text = _named_by_content(text[text.index("<svg") :]).replace("'DejaVu Sans'", "'DejaVu Sans', Verdana, sans-serif")
    width = f'style="max-width: {7 * figure.get_size_inches()[0]:.4g}rem"'  # letters as tall as the page's
    text = text.replace("<svg ", f"<svg {width} ", 1)
    for colour, role in _ROLES.items():
        text = text.replace(colour, f"var({role}, {colour})")
    return text.replace(">", f' role="img"><title>{escape(title)}</title>', 1) if title else text


def _named_by_content(text: str) -> str:
    """The SVG with new names for clipping paths, each a hash of its rectangle as written. Matplotlib's own names are
    hashes of unrounded numbers, whose last digits vary from call to call."""
    names = {name: f"p{sha256(rectangle.encode()).hexdigest()[:10]}" for name, rectangle in _CLIP.findall(text)}
    return re.sub("|".join(names), lambda match: names[match[0]], text) if names else text
