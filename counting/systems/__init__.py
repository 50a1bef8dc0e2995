"""Counting systems as data: the published ones and the project's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counting.faces import lazily

if TYPE_CHECKING:
    from counting.systems.system import MOST_TAG as MOST_TAG
    from counting.systems.system import PERFECT as PERFECT
    from counting.systems.system import TO_ZERO as TO_ZERO
    from counting.systems.system import System as System
    from counting.systems.system import as_system as as_system
    from counting.systems.system import counts_for as counts_for
    from counting.systems.system import library as library
    from counting.systems.system import load_system as load_system
    from counting.systems.system import own_counts as own_counts
else:
    __all__, __getattr__ = lazily(
        __name__,
        {
            "system": "MOST_TAG PERFECT System TO_ZERO as_system counts_for library load_system own_counts",
        },
    )
