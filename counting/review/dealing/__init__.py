"""Whether a logged table was dealt and paid by the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counting.faces import lazily

if TYPE_CHECKING:
    from counting.review.dealing.dealer_errors import dealing_errors as dealing_errors
    from counting.review.dealing.error_costs import KINDS as KINDS
    from counting.review.dealing.error_costs import ErrorCosts as ErrorCosts
    from counting.review.dealing.error_costs import costs_of_errors as costs_of_errors
    from counting.review.dealing.error_rates import CONFIDENCE as CONFIDENCE
    from counting.review.dealing.error_rates import ErrorRates as ErrorRates
    from counting.review.dealing.error_rates import rates_of_errors as rates_of_errors
    from counting.review.dealing.error_rows import RULES as RULES
    from counting.review.dealing.game_fit import best_fits as best_fits
    from counting.review.dealing.game_fit import better_game as better_game
    from counting.review.dealing.game_fit import missing_game as missing_game
    from counting.review.dealing.payments import Rounding as Rounding
    from counting.review.dealing.results import Results as Results
    from counting.review.dealing.results import results_alone as results_alone
    from counting.review.dealing.samples import BoundPlan as BoundPlan
    from counting.review.dealing.samples import ComparisonPlan as ComparisonPlan
    from counting.review.dealing.samples import SamplePlan as SamplePlan
    from counting.review.dealing.samples import coups_to_bound as coups_to_bound
    from counting.review.dealing.samples import coups_to_compare as coups_to_compare
else:
    __all__, __getattr__, __dir__ = lazily(
        __name__,
        {
            "dealer_errors": "dealing_errors",
            "error_costs": "ErrorCosts KINDS costs_of_errors",
            "error_rates": "CONFIDENCE ErrorRates rates_of_errors",
            "error_rows": "RULES",
            "game_fit": "best_fits better_game missing_game",
            "payments": "Rounding",
            "results": "Results results_alone",
            "samples": "BoundPlan ComparisonPlan SamplePlan coups_to_bound coups_to_compare",
        },
    )
