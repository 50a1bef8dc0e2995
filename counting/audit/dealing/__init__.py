"""Whether a logged table was dealt and paid by the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counting.faces import lazily

if TYPE_CHECKING:
    from counting.audit.dealing.dealer_errors import dealing_errors as dealing_errors
    from counting.audit.dealing.error_rows import RULES as RULES
    from counting.audit.dealing.game_fit import better as better
    from counting.audit.dealing.game_fit import missing_game as missing_game
    from counting.audit.dealing.payments import Rounding as Rounding
    from counting.audit.dealing.results import Results as Results
    from counting.audit.dealing.results import results_alone as results_alone
else:
    __all__, __getattr__, __dir__ = lazily(
        __name__,
        {
            "dealer_errors": "dealing_errors",
            "error_rows": "RULES",
            "game_fit": "better missing_game",
            "payments": "Rounding",
            "results": "Results results_alone",
        },
    )
