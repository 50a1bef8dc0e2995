from __future__ import annotations

import re

from matplotlib.figure import Figure

from counting.reports import drawing


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
