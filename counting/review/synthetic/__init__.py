"""Synthetic logs: tables with patrons of known habits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counting.faces import lazily

if TYPE_CHECKING:
    from counting.review.synthetic.dealt_table import DealtTable as DealtTable
    from counting.review.synthetic.dealt_table import Facts as Facts
    from counting.review.synthetic.dealt_table import deal as deal
    from counting.review.synthetic.examples import example_log as example_log
    from counting.review.synthetic.examples import example_results as example_results
    from counting.review.synthetic.log_of_table import log_frames as log_frames
    from counting.review.synthetic.patrons import Counter as Counter
    from counting.review.synthetic.patrons import Flat as Flat
    from counting.review.synthetic.patrons import Patron as Patron
    from counting.review.synthetic.patrons import Progressive as Progressive
    from counting.review.synthetic.patrons import Sorter as Sorter
    from counting.review.synthetic.patrons import Trend as Trend
    from counting.review.synthetic.patrons import Visitor as Visitor
else:
    __all__, __getattr__, __dir__ = lazily(
        __name__,
        {
            "patrons": "Counter Flat Patron Progressive Sorter Trend Visitor",
            "log_of_table": "log_frames",
            "examples": "example_log example_results",
            "dealt_table": "Facts DealtTable deal",
        },
    )
