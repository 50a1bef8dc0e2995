"""Leave figures out of pages, in tests of commands and verbs that do not look at figures."""

import pytest
from extent import LONG
from lighter import closed


def leave_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures are neither set up nor drawn. With `--long`, they are."""
    if not LONG:
        for figure in ("drawing.single", "plots.edge_panels"):
            monkeypatch.setattr(f"counting.reports.{figure}", lambda *_, **__: None)
        monkeypatch.setattr("counting.reports.drawing.svg", closed)
