"""A patron's trip: the result's distribution, how unusual a result is, and what discounts and rolling-chip programmes
cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counting.faces import lazily

if TYPE_CHECKING:
    from counting.trips.discounts import Discount as Discount
    from counting.trips.discounts import Tier as Tier
    from counting.trips.exits import BestExits as BestExits
    from counting.trips.exits import best_exits as best_exits
    from counting.trips.plays import Plays as Plays
    from counting.trips.plays import Stake as Stake
    from counting.trips.shoe_memory import covariance as covariance
    from counting.trips.trip import Trip as Trip
    from counting.trips.walks import Distribution as Distribution
    from counting.trips.walks import Walk as Walk
else:
    __all__, __getattr__, __dir__ = lazily(
        __name__,
        {
            "discounts": "Discount Tier",
            "exits": "BestExits best_exits",
            "plays": "Plays Stake",
            "shoe_memory": "covariance",
            "trip": "Trip",
            "walks": "Distribution Walk",
        },
    )
