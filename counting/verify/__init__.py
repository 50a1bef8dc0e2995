"""Checks of the project against itself, by reference implementations, dealt shoes and independent checks of proofs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counting.faces import lazily

if TYPE_CHECKING:
    from counting.verify.check import Check as Check
    from counting.verify.run import FALSE_ALARM as FALSE_ALARM
    from counting.verify.run import Extent as Extent
    from counting.verify.run import Verified as Verified
    from counting.verify.run import verify as verify
else:
    __all__, __getattr__, __dir__ = lazily(
        __name__,
        {
            "check": "Check",
            "run": "Extent FALSE_ALARM Verified verify",
        },
    )
