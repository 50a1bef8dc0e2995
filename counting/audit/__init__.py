"""A table's log reviewed: dealing and payment errors, patrons whose bets follow the edge, and the order of shoes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counting.faces import lazily

if TYPE_CHECKING:
    from counting.audit.coverage import Part as Part
    from counting.audit.coverage import allowed_share as allowed_share
    from counting.audit.coverage import fewest_decks as fewest_decks
    from counting.audit.coverage import untested as untested
    from counting.audit.dealing import RULES as RULES
    from counting.audit.dealing import Results as Results
    from counting.audit.dealing import Rounding as Rounding
    from counting.audit.dealing import better as better
    from counting.audit.dealing import dealing_errors as dealing_errors
    from counting.audit.dealing import missing_game as missing_game
    from counting.audit.dealing import results_alone as results_alone
    from counting.audit.hands import CoupsShown as CoupsShown
    from counting.audit.patrons import ARRANGED as ARRANGED
    from counting.audit.patrons import FOLLOWS as FOLLOWS
    from counting.audit.patrons import KNOWS as KNOWS
    from counting.audit.patrons import ROUNDING as ROUNDING
    from counting.audit.patrons import Bets as Bets
    from counting.audit.patrons import Capital as Capital
    from counting.audit.patrons import CapitalBound as CapitalBound
    from counting.audit.patrons import CoupsDealt as CoupsDealt
    from counting.audit.patrons import Evidence as Evidence
    from counting.audit.patrons import Group as Group
    from counting.audit.patrons import Odds as Odds
    from counting.audit.patrons import Settings as Settings
    from counting.audit.patrons import ShoeCapital as ShoeCapital
    from counting.audit.patrons import best_shoe as best_shoe
    from counting.audit.patrons import capital_log as capital_log
    from counting.audit.patrons import deal_coup as deal_coup
    from counting.audit.patrons import every_coup as every_coup
    from counting.audit.patrons import evidence_of as evidence_of
    from counting.audit.patrons import odds_of as odds_of
    from counting.audit.patrons import surely_paid as surely_paid
    from counting.audit.patrons import values_of as values_of
    from counting.audit.repeats import repeats_of as repeats_of
    from counting.audit.repeats import without_repeats as without_repeats
    from counting.audit.repeats import without_stale as without_stale
    from counting.audit.review import Audit as Audit
    from counting.audit.review import audit as audit
    from counting.audit.shuffle import TESTS as TESTS
    from counting.audit.shuffle import Finding as Finding
    from counting.audit.shuffle import Gathering as Gathering
    from counting.audit.shuffle import ShoesNeeded as ShoesNeeded
    from counting.audit.shuffle import ShuffleReview as ShuffleReview
    from counting.audit.shuffle import ShuffleSettings as ShuffleSettings
    from counting.audit.shuffle import ShuffleTest as ShuffleTest
    from counting.audit.shuffle import extra_cards as extra_cards
    from counting.audit.shuffle import gathering as gathering
    from counting.audit.shuffle import gatherings as gatherings
    from counting.audit.shuffle import impossible_shoes as impossible_shoes
    from counting.audit.shuffle import shoes_needed as shoes_needed
    from counting.audit.shuffle import shuffle_review as shuffle_review
    from counting.audit.unseen_cards import UnseenCards as UnseenCards
else:
    __all__, __getattr__, __dir__ = lazily(
        __name__,
        {
            "coverage": "Part allowed_share fewest_decks untested",
            "dealing": "RULES Results Rounding better dealing_errors missing_game results_alone",
            "hands": "CoupsShown",
            "patrons": "ARRANGED Bets Capital CapitalBound CoupsDealt Evidence FOLLOWS Group KNOWS Odds ROUNDING "
            "Settings ShoeCapital best_shoe capital_log deal_coup every_coup evidence_of odds_of surely_paid "
            "values_of",
            "repeats": "repeats_of without_repeats without_stale",
            "review": "Audit audit",
            "shuffle": "Finding Gathering ShoesNeeded ShuffleReview ShuffleSettings ShuffleTest TESTS extra_cards "
            "gathering gatherings impossible_shoes shoes_needed shuffle_review",
            "unseen_cards": "UnseenCards",
        },
    )
