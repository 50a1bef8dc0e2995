"""Titles of a figure's marks: each gives a row of the figure's table at the place where the row is drawn."""

from __future__ import annotations

import re

import polars as pl
import pytest
from matplotlib.axes import Axes

from counting.bounds import Estimate
from counting.reports import drawing, plots
from counting.reports.tooltips import tip

MARK = re.compile(r'<circle cx="([0-9.]+)" cy="([0-9.]+)" r="7"><title>([^<]*)</title></circle>')
BOX = re.compile(r'<rect x="[0-9.]+" y="[0-9.]+" width="([0-9.]+)" height="[0-9.]+"><title>([^<]*)</title></rect>')


def marks(draw: object, frame: pl.DataFrame, *args: object) -> list[tuple[float, float, str]]:
    text = drawing.svg(drawing.single(draw, frame, *args))
    return [(float(x), float(y), words) for x, y, words in MARK.findall(text)]


def line(frame: pl.DataFrame, ax: Axes) -> Axes:
    ax.plot(frame["x"], frame["y"], marker="o")
    tip(ax, frame["x"], frame["y"], frame["text"])
    return ax


def drawn_at(frame: pl.DataFrame) -> list[tuple[float, float]]:
    """Where matplotlib itself puts the line's markers."""
    text = drawing.svg(drawing.single(line, frame))
    return [(float(x), float(y)) for x, y in re.findall(r'<use [^>]*x="([0-9.]+)" y="([0-9.]+)"[^>]*style', text)]


def test_a_title_is_where_its_row_is_drawn() -> None:
    frame = pl.DataFrame({"x": [0, 3, 7, 20], "y": [5.0, -1.0, 2.5, 4.0], "text": ["a", "b & <c>", "d", "e"]})
    drawn = marks(line, frame)
    assert [words for _, _, words in drawn] == ["a", "b &amp; &lt;c&gt;", "d", "e"]
    markers = drawn_at(frame)
    for x, y, _ in drawn:
        assert any(abs(x - at) < 0.06 and abs(y - height) < 0.06 for at, height in markers)


def test_of_a_dense_line_some_rows_have_a_title_and_no_two_are_in_one_place() -> None:
    frame = pl.DataFrame({"x": range(1000), "y": [float(i % 7) for i in range(1000)]}).with_columns(
        text=pl.format("row {}", "x")
    )
    drawn = marks(line, frame)
    assert {words for _, _, words in drawn} <= {*frame["text"]}
    cells = {(int(x // 14), int(y // 14)) for x, y, _ in drawn}
    assert len(cells) == len(drawn) < 600
    assert max(x for x, _, _ in drawn) - min(x for x, _, _ in drawn) > 400


def test_marks_in_one_place_share_a_title_of_a_few_lines() -> None:
    def lines(frame: pl.DataFrame, ax: Axes) -> Axes:
        for text in frame["text"]:
            ax.plot([0, 1], [0, 1])
            tip(ax, [0, 1], [0, 1], [text, f"{text} end"])
        return ax

    two = marks(lines, pl.DataFrame({"text": ["a", "b"]}))
    assert [words for _, _, words in two] == ["a\nb", "a end\nb end"]
    many = marks(lines, pl.DataFrame({"text": [str(i) for i in range(20)]}))
    assert many[0][2].split("\n") == ["0", "1", "2", "3", "4", "and 15 more"]


def test_rows_that_are_not_drawn_have_no_title() -> None:
    def bounded(frame: pl.DataFrame, ax: Axes) -> Axes:
        line(frame, ax).set_xlim(0, 10)
        return ax

    frame = pl.DataFrame({"x": [1, 5, 11, 7], "y": [1.0, float("nan"), 1.0, None], "text": ["a", "b", "c", "d"]})
    assert [words for _, _, words in marks(bounded, frame)] == ["a"]
    assert "<title>" not in drawing.svg(drawing.single(bounded, frame.clear()))


def test_a_bar_says_its_gain_with_the_standard_error_wherever_it_is_touched() -> None:
    frame = pl.DataFrame({"bet": ["a", "b"], "units_per_shoe": [0.5, 2.0], "units_per_shoe_se": [0.0123, None]})
    text = drawing.svg(drawing.single(plots.gain_per_shoe, frame, {"a": "A bet", "b": "Another"}))
    boxes = BOX.findall(text)
    assert [words for _, words in boxes] == ["A bet: 0.500 ± 0.012 units per shoe", "Another: 2.000 units per shoe"]
    assert float(boxes[1][0]) == pytest.approx(4 * float(boxes[0][0]), rel=0.01)


def test_a_limit_that_is_not_known_is_not_given_as_a_figure() -> None:
    rows = [{"counter": "perfect", "model": "play-all", "cut": cut, "tie_in": 2.0, "upper": 0.25, "upper_se": 0.01,
             "upper_99": 0.3, "known": cut > 20} for cut in (14, 26)]  # fmt: skip
    drawn = marks(plots.limit_lines, pl.DataFrame(rows), Estimate.names("upper"), 0.5, "units per shoe")
    assert [words for _, _, words in drawn] == [
        "perfect, play-all, cut 14, requirement 2: not known",
        "perfect, play-all, cut 26, requirement 2: 0.250 ± 0.010, at most 0.300 (99%)",
    ]


def test_a_figure_has_the_same_titles_each_time() -> None:
    frame = pl.DataFrame(
        {"bet": ["a"] * 60, "cards_left": range(4, 244, 4), "positive_share": [i / 100 for i in range(60)],
         "positive_share_se": [None, *[0.01] * 59]}
    )  # fmt: skip
    first, again = (drawing.svg(drawing.single(plots.positive_share, frame, ["a"], {"a": "A"})) for _ in range(2))
    assert first == again
    assert "A, 240 unseen cards: 59.0 ± 1.0% of coups" in first
