"""The texts that a figure shows under the pointer: titles of invisible SVG circles and boxes. They need no script.

A plot adds texts with `tip`, and `drawing.svg` writes them. The drawing is divided into cells. Marks of different lines
in the same cell share a title. If several marks of one line are in a cell, only the first of them has its text there.
Every text is from a row of the figure's table; none is interpolated.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_RADIUS = 7  # points: the radius of a mark
_NEAR = 14  # points: the side of a cell
_MOST_LINES = 6  # the most lines of a title


class Mark(NamedTuple):
    """A mark: its axes, its place and its text. For a box, the place is one corner, and `corner` is the opposite
    corner."""

    ax: Axes
    x: float
    y: float
    text: str
    corner: tuple[float, float] | None


def tip(
    ax: Axes, x: Iterable[float], y: Iterable[float], texts: Iterable[str],
    corners: Sequence[tuple[float, float]] | None = None,
) -> None:  # fmt: skip
    """Add a text for each point of a line, or for each box from (x, y) to the opposite corner.

    Points and boxes that begin outside the axes are left out. A box that ends outside becomes a circle."""
    marks = [
        Mark(ax, float(at), float(height), text, corners[i] if corners else None)
        for i, (at, height, text) in enumerate(zip(x, y, texts, strict=True))
        if at is not None and height is not None
    ]
    ax.figure.__dict__.setdefault("_tips", []).append(marks)  # the marks of one line


def tips(figure: Figure) -> str:
    """The marks of a drawn figure as an SVG group; empty without marks."""
    titles: dict[tuple[int, int], list[str]] = {}
    shapes: dict[tuple[int, int], str] = {}
    for marks in figure.__dict__.get("_tips", ()):
        series: set[tuple[int, int]] = set()
        places = _places(figure, marks[0].ax, [(mark.x, mark.y) for mark in marks]) if marks else []
        for mark, place in zip(marks, places, strict=True):
            if place is None:
                continue
            cell = (int(place[0] // _NEAR), int(place[1] // _NEAR))
            if cell in series:
                continue
            series.add(cell)
            shapes.setdefault(cell, _shape(figure, mark, place))
            titles.setdefault(cell, []).append(mark.text)
    drawn = [f"<{shape}><title>{_lines(titles[cell])}</title></{shape.split()[0]}>" for cell, shape in shapes.items()]
    return f'<g fill="none" pointer-events="all">{"".join(drawn)}</g>' if drawn else ""


def _places(figure: Figure, ax: Axes, points: Sequence[tuple[float, float]]) -> list[tuple[float, float] | None]:
    """Where points of the axes are in the drawing, in points from the upper left corner. None for a point that is not
    finite, or more than a pixel outside the axes."""
    import numpy as np

    dots = ax.transData.transform(points)
    ends = ax.bbox.padded(1)
    inside = np.isfinite(dots).all(axis=1) & ((ends.min <= dots) & (dots <= ends.max)).all(axis=1)
    across, up = figure.transFigure.inverted().transform(dots).T.tolist()
    width, height = 72 * figure.get_size_inches()
    return [
        (round(float(x * width), 1), round(float((1 - y) * height), 1)) if within else None
        for x, y, within in zip(across, up, inside.tolist(), strict=True)
    ]


def _shape(figure: Figure, mark: Mark, place: tuple[float, float]) -> str:
    corner = mark.corner and _places(figure, mark.ax, [mark.corner])[0]
    if corner is None:
        return f'circle cx="{place[0]:g}" cy="{place[1]:g}" r="{_RADIUS}"'
    (left, right), (top, bottom) = (sorted(pair) for pair in zip(place, corner, strict=True))
    return f'rect x="{left:g}" y="{top:g}" width="{right - left:.4g}" height="{bottom - top:.4g}"'


def _lines(texts: Sequence[str]) -> str:
    more = [f"and {len(texts) - _MOST_LINES + 1} more"] if len(texts) > _MOST_LINES else []
    return escape("\n".join([*texts[: _MOST_LINES - len(more)], *more]), quote=False)
