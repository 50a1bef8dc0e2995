"""Whether the shoes of a log were shuffled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counting.faces import lazily

if TYPE_CHECKING:
    from counting.review.shuffle.discard_rack import Gathering as Gathering
    from counting.review.shuffle.discard_rack import gathering as gathering
    from counting.review.shuffle.discard_rack import gatherings as gatherings
    from counting.review.shuffle.findings import Finding as Finding
    from counting.review.shuffle.review import TESTS as TESTS
    from counting.review.shuffle.review import ShuffleReview as ShuffleReview
    from counting.review.shuffle.review import ShuffleSettings as ShuffleSettings
    from counting.review.shuffle.review import ShuffleTest as ShuffleTest
    from counting.review.shuffle.review import extra_cards as extra_cards
    from counting.review.shuffle.review import impossible_shoes as impossible_shoes
    from counting.review.shuffle.review import shuffle_review as shuffle_review
    from counting.review.shuffle.shuffle_power import ShoesNeeded as ShoesNeeded
    from counting.review.shuffle.shuffle_power import shoes_needed as shoes_needed
else:
    __all__, __getattr__, __dir__ = lazily(
        __name__,
        {
            "discard_rack": "Gathering gathering gatherings",
            "findings": "Finding",
            "review": "ShuffleReview ShuffleSettings ShuffleTest TESTS extra_cards impossible_shoes shuffle_review",
            "shuffle_power": "ShoesNeeded shoes_needed",
        },
    )
