"""Answers in the user's words, on pages with tables and figures.

Each report has a file with functions of the same names (`as_data`, `sentences`, `page`): import the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from counting.faces import lazily

if TYPE_CHECKING:
    from counting.reports.pages import Findings as Findings
else:
    __all__, __getattr__ = lazily(
        __name__,
        {
            "pages": "Findings",
        },
    )
