"""Answers in the user's words, on pages with tables and figures.

Each report has a file with a function `report` that turns results into a `Report`, without a folder; `publish` writes
it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from counting.faces import lazily

if TYPE_CHECKING:
    from counting.reports.pages import Report as Report
    from counting.reports.pages import Section as Section
    from counting.reports.pages import render as render
else:
    __all__, __getattr__, __dir__ = lazily(
        __name__,
        {
            "pages": "Report Section render",
        },
    )
