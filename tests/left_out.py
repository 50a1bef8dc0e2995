"""What tests of commands and verbs leave out, as they do not look at it. With `--long`, nothing is left out."""

import pytest
from extent import LONG
from lighter import closed


def figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures are neither set up nor drawn."""
    if not LONG:
        panels = ("edge_panels", "limit_panels", "line_panels_of_limits", "shoe_strip", "known_strip")
        for figure in ("drawing.single", *(f"plots.{name}" for name in panels)):
            monkeypatch.setattr(f"counting.reports.{figure}", lambda *_, **__: None)
        monkeypatch.setattr("counting.reports.drawing.svg", closed)


def depths(monkeypatch: pytest.MonkeyPatch) -> None:
    """Betting efficiencies are from few depths, so they are rough."""
    few = (14, 26, 52, 104, 208, 300)
    if not LONG:
        monkeypatch.setattr("counting.exact.efficiency.NODES", few)
        monkeypatch.setattr("counting.exact.efficiency._BY_TAGS", dict.fromkeys((2, 5, 10), few))
