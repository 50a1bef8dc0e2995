"""A table's log reviewed: dealing and payment errors, patrons whose bets follow the edge, and the order of shoes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counting.faces import lazily

if TYPE_CHECKING:
    from counting.audit.channels import Bets as Bets
    from counting.audit.channels import CoupsDealt as CoupsDealt
    from counting.audit.channels import Odds as Odds
    from counting.audit.channels import odds_of as odds_of
    from counting.audit.channels import surely_paid as surely_paid
    from counting.audit.channels import values_of as values_of
    from counting.audit.coup_table import best_shoe as best_shoe
    from counting.audit.coup_table import every_coup as every_coup
    from counting.audit.coverage import Part as Part
    from counting.audit.coverage import allowed_share as allowed_share
    from counting.audit.coverage import fewest_decks as fewest_decks
    from counting.audit.coverage import untested as untested
    from counting.audit.dealer_errors import dealing_errors as dealing_errors
    from counting.audit.discard_rack import Gathering as Gathering
    from counting.audit.discard_rack import gathering as gathering
    from counting.audit.discard_rack import gatherings as gatherings
    from counting.audit.edge_following import ARRANGED as ARRANGED
    from counting.audit.error_rows import RULES as RULES
    from counting.audit.findings import Finding as Finding
    from counting.audit.foreknowledge import Capital as Capital
    from counting.audit.foreknowledge import Evidence as Evidence
    from counting.audit.foreknowledge import capital_log as capital_log
    from counting.audit.foreknowledge import evidence_of as evidence_of
    from counting.audit.game_fit import better as better
    from counting.audit.game_fit import missing_game as missing_game
    from counting.audit.hands import CoupsShown as CoupsShown
    from counting.audit.informed import Group as Group
    from counting.audit.patrons import FOLLOWS as FOLLOWS
    from counting.audit.patrons import KNOWS as KNOWS
    from counting.audit.patrons import Settings as Settings
    from counting.audit.payouts import Rounding as Rounding
    from counting.audit.repeats import repeats_of as repeats_of
    from counting.audit.repeats import without_repeats as without_repeats
    from counting.audit.repeats import without_stale as without_stale
    from counting.audit.results import Results as Results
    from counting.audit.results import results_alone as results_alone
    from counting.audit.review import Audit as Audit
    from counting.audit.review import audit as audit
    from counting.audit.running_capital import ROUNDING as ROUNDING
    from counting.audit.running_capital import CapitalBound as CapitalBound
    from counting.audit.running_capital import ShoeCapital as ShoeCapital
    from counting.audit.running_capital import deal_coup as deal_coup
    from counting.audit.shuffle import TESTS as TESTS
    from counting.audit.shuffle import ShuffleReview as ShuffleReview
    from counting.audit.shuffle import ShuffleSettings as ShuffleSettings
    from counting.audit.shuffle import ShuffleTest as ShuffleTest
    from counting.audit.shuffle import extra_cards as extra_cards
    from counting.audit.shuffle import impossible_shoes as impossible_shoes
    from counting.audit.shuffle import shuffle_review as shuffle_review
    from counting.audit.shuffle_power import ShoesNeeded as ShoesNeeded
    from counting.audit.shuffle_power import shoes_needed as shoes_needed
    from counting.audit.unseen_cards import UnseenCards as UnseenCards
else:
    __all__, __getattr__, __dir__ = lazily(
        __name__,
        {
            "channels": "Bets CoupsDealt Odds odds_of surely_paid values_of",
            "coverage": "Part allowed_share fewest_decks untested",
            "coup_table": "best_shoe every_coup",
            "dealer_errors": "dealing_errors",
            "error_rows": "RULES",
            "edge_following": "ARRANGED",
            "foreknowledge": "Capital Evidence capital_log evidence_of",
            "hands": "CoupsShown",
            "game_fit": "better missing_game",
            "informed": "Group",
            "findings": "Finding",
            "discard_rack": "Gathering gathering gatherings",
            "patrons": "FOLLOWS KNOWS Settings",
            "payouts": "Rounding",
            "results": "Results results_alone",
            "repeats": "repeats_of without_repeats without_stale",
            "review": "Audit audit",
            "running_capital": "ROUNDING CapitalBound ShoeCapital deal_coup",
            "unseen_cards": "UnseenCards",
            "shuffle": "ShuffleReview ShuffleSettings ShuffleTest TESTS extra_cards impossible_shoes shuffle_review",
            "shuffle_power": "ShoesNeeded shoes_needed",
        },
    )
