from __future__ import annotations

import re

import polars as pl
import pytest
from matplotlib.figure import Figure

from counting.reports import drawing, plots


def test_a_figure_whose_layout_varies_in_its_last_digits_has_the_same_bytes() -> None:
    drawn = set()
    for beyond in (0.0, 1e-15, 3e-15):
        figure = Figure(figsize=(4, 3))
        for left in (0.1, 0.55):
            axes = figure.add_axes((left, 0.1 + beyond, 0.35, 0.8))
            axes.plot([0, 1, 2], [2, 0, 1])
        drawn.add(drawing.svg(figure, "A figure"))
    (text,) = drawn
    names = re.findall(r'clipPath id="(\w+)"', text)
    assert len(set(names)) == 2
    assert {*re.findall(r"url\(#(\w+)\)", text)} == {*names}


@pytest.mark.parametrize(("lines", "below"), [(4, False), (5, True)])
def test_the_legend_of_many_lines_is_below_the_panels(lines: int, below: bool) -> None:
    rows = [(f"line {i}", x, i + x) for i in range(lines) for x in (0, 1)]
    figure = plots.line_panels(pl.DataFrame(rows, ("line", "x", "y"), orient="row"), "x", {"y": "Y"}, "line")
    assert (len(figure.legends), figure.axes[0].get_legend() is None) == (int(below), below)
    (legend,) = figure.legends or [figure.axes[0].get_legend()]
    assert [text.get_text() for text in legend.get_texts()] == [f"line {i}" for i in range(lines)]
