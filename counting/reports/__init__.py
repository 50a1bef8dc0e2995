"""Answers in the user's words, on pages with tables and figures.

Most pages have a module with a function `report`. It turns results into a `Report` and writes no file; `publish` writes
the `Report` into a folder.
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
