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


COLUMNS = ("value", "error", "limit")
COUNTERS = [("perfect", "sit-out"), ("perfect", "play-all"), ("dragon-7", "sit-out")]


def limits(tie_ins: list[float], rules: int) -> pl.DataFrame:
    """What three counters win under each rule. Under each rule they win twice as much as under the one before."""
    rows = [
        (f"rule {rule}", counter, model, tie_in, cut, True, 1.0, 0.1, 2.0**rule * (3 - cut / 20 - tie_in / 8))
        for rule in range(rules)
        for counter, model in COUNTERS
        for tie_in in tie_ins
        for cut in (14, 20, 26)
    ]
    return pl.DataFrame(rows, ["rule", "counter", "model", "tie_in", "cut", "known", *COLUMNS], orient="row")


def test_several_rules_are_panels_of_one_figure_on_one_scale() -> None:
    figure = plots.limit_panels(limits([0.0, 1.0, 2.0], 2), COLUMNS, 1.0, "units")
    *panels, bar = figure.axes
    titles = [f"rule {rule}, {counter}, {model}" for rule in range(2) for counter, model in COUNTERS]
    assert [panel.get_title(loc="left") for panel in panels] == titles
    assert {panel.get_subplotspec().get_gridspec().get_geometry() for panel in panels} == {(2, 3)}  # type: ignore[union-attr]
    assert len({panel.get_xlim() + panel.get_ylim() for panel in panels}) == 1
    assert bar.get_ylim()[1] == pytest.approx(2 * (3 - 14 / 20))  # the most that anyone wins


def test_lines_of_several_rules_share_their_axes_and_a_legend() -> None:
    figure = plots.line_panels_of_limits(limits([0.0], 2), COLUMNS, 1.0, "units")
    assert [ax.get_title(loc="left") for ax in figure.axes] == ["rule 0", "rule 1"]
    assert len({ax.get_ylim() for ax in figure.axes}) == 1
    legends = [ax.get_legend() for ax in figure.axes if ax.get_legend()]
    assert [[text.get_text() for text in legend.get_texts()] for legend in legends if legend] == [
        [f"{counter}, {model}" for counter, model in COUNTERS]
    ]


@pytest.mark.parametrize("plot", ["lines", "rules", "panels"])
def test_a_figure_for_a_phone_has_its_width_and_no_small_letters(plot: str) -> None:
    """On a phone the plots are below one another, with all names. The wide figure keeps its small letters."""
    how = (COLUMNS, 1.0, "units per shoe, at most (99%)")
    figure = {
        "lines": lambda: drawing.single(plots.limit_lines, limits([0.0], 1), *how),
        "rules": lambda: plots.line_panels_of_limits(limits([0.0], 2), *how),
        "panels": lambda: plots.limit_panels(limits([0.0, 1.0, 2.0], 1), *how),
    }[plot]()
    text = drawing.svg(figure, "A figure", "Shoes of a source that is long enough to fill two lines or even three")
    narrow = text.__html__().removeprefix(text)
    assert narrow == text.__html__().removeprefix(text), "drawn once"
    assert re.search(r'viewBox="0 0 (\d+)', narrow)[1] == "324"  # type: ignore[index]
    assert {float(size) for size in re.findall(r"font(?:-size)?: ([\d.]+)px", text)} & {7.5, 9}
    assert all(float(size) >= 10 for size in re.findall(r"font(?:-size)?: ([\d.]+)px", narrow))
    lefts = {ax.get_position().x0 for ax in figure.axes if ax.get_label() != "<colorbar>"}
    assert max(lefts) - min(lefts) < 0.01
    for counter, model in COUNTERS:
        assert f"{counter}, {model}" in narrow
