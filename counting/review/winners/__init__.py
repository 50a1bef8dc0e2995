"""Whether results alone fit the exact chances of the game: the winners, and whatever else a board shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counting.faces import lazily

if TYPE_CHECKING:
    from counting.review.winners.order import Repeat as Repeat
    from counting.review.winners.plan import POWER as POWER
    from counting.review.winners.plan import Fault as Fault
    from counting.review.winners.results_review import ResultsReview as ResultsReview
    from counting.review.winners.results_review import ResultsSettings as ResultsSettings
    from counting.review.winners.results_review import ResultTest as ResultTest
    from counting.review.winners.results_review import review_results as review_results
else:
    __all__, __getattr__, __dir__ = lazily(
        __name__,
        {
            "order": "Repeat",
            "plan": "Fault POWER",
            "results_review": "ResultTest ResultsReview ResultsSettings review_results",
        },
    )
