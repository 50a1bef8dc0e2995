"""Counting systems as data: published systems, and counts that the project searched for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counting.faces import lazily

if TYPE_CHECKING:
    from counting.systems.shipped import as_system as as_system
    from counting.systems.shipped import counts_for as counts_for
    from counting.systems.shipped import library as library
    from counting.systems.shipped import load_system as load_system
    from counting.systems.shipped import own_counts as own_counts
    from counting.systems.shipped import without_counts as without_counts
    from counting.systems.system import PERFECT as PERFECT
    from counting.systems.system import TO_ZERO as TO_ZERO
    from counting.systems.system import System as System
    from counting.systems.tags import MOST_TAG as MOST_TAG
    from counting.systems.triggers import Triggers as Triggers
    from counting.systems.whole_triggers import BestTrigger as BestTrigger
    from counting.systems.whole_triggers import best_trigger as best_trigger
    from counting.systems.whole_triggers import gains_by_count as gains_by_count
else:
    __all__, __getattr__, __dir__ = lazily(
        __name__,
        {
            "whole_triggers": "BestTrigger best_trigger gains_by_count",
            "system": "PERFECT System TO_ZERO",
            "tags": "MOST_TAG",
            "shipped": "as_system counts_for library load_system own_counts without_counts",
            "triggers": "Triggers",
        },
    )
