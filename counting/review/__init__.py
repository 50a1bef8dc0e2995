"""The review of a table's log: dealing and payment errors, patrons whose bets follow the edge, and the order of
shoes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counting.faces import lazily

if TYPE_CHECKING:
    from counting.review.coverage import SURELY_AGAIN as SURELY_AGAIN
    from counting.review.coverage import LogPart as LogPart
    from counting.review.coverage import allowed_share as allowed_share
    from counting.review.coverage import fewest_decks as fewest_decks
    from counting.review.coverage import gross as gross
    from counting.review.coverage import untested as untested
    from counting.review.dealing import CONFIDENCE as CONFIDENCE
    from counting.review.dealing import KINDS as KINDS
    from counting.review.dealing import RULES as RULES
    from counting.review.dealing import BoundPlan as BoundPlan
    from counting.review.dealing import ComparisonPlan as ComparisonPlan
    from counting.review.dealing import ErrorCosts as ErrorCosts
    from counting.review.dealing import ErrorRates as ErrorRates
    from counting.review.dealing import Results as Results
    from counting.review.dealing import Rounding as Rounding
    from counting.review.dealing import SamplePlan as SamplePlan
    from counting.review.dealing import best_fits as best_fits
    from counting.review.dealing import better_game as better_game
    from counting.review.dealing import coups_to_bound as coups_to_bound
    from counting.review.dealing import coups_to_compare as coups_to_compare
    from counting.review.dealing import dealing_errors as dealing_errors
    from counting.review.dealing import missing_game as missing_game
    from counting.review.dealing import results_alone as results_alone
    from counting.review.hands import CoupsShown as CoupsShown
    from counting.review.patrons import ARRANGED as ARRANGED
    from counting.review.patrons import FOLLOWS as FOLLOWS
    from counting.review.patrons import KNOWS as KNOWS
    from counting.review.patrons import ROUNDING as ROUNDING
    from counting.review.patrons import Bets as Bets
    from counting.review.patrons import Capital as Capital
    from counting.review.patrons import CapitalBound as CapitalBound
    from counting.review.patrons import ChannelOdds as ChannelOdds
    from counting.review.patrons import CoupsDealt as CoupsDealt
    from counting.review.patrons import Evidence as Evidence
    from counting.review.patrons import Group as Group
    from counting.review.patrons import PatronSettings as PatronSettings
    from counting.review.patrons import ShoeCapital as ShoeCapital
    from counting.review.patrons import best_shoe as best_shoe
    from counting.review.patrons import capital_log as capital_log
    from counting.review.patrons import deal_coup as deal_coup
    from counting.review.patrons import every_coup as every_coup
    from counting.review.patrons import evidence_of as evidence_of
    from counting.review.patrons import odds_of as odds_of
    from counting.review.patrons import surely_paid as surely_paid
    from counting.review.patrons import values_of_codes as values_of_codes
    from counting.review.payouts import may_have_paid as may_have_paid
    from counting.review.repeats import repeats_of as repeats_of
    from counting.review.repeats import without_repeats as without_repeats
    from counting.review.repeats import without_stale as without_stale
    from counting.review.review import Audit as Audit
    from counting.review.review import audit as audit
    from counting.review.shifts import Shifts as Shifts
    from counting.review.shuffle import TESTS as TESTS
    from counting.review.shuffle import Finding as Finding
    from counting.review.shuffle import Gathering as Gathering
    from counting.review.shuffle import ShoesNeeded as ShoesNeeded
    from counting.review.shuffle import ShuffleReview as ShuffleReview
    from counting.review.shuffle import ShuffleSettings as ShuffleSettings
    from counting.review.shuffle import ShuffleTest as ShuffleTest
    from counting.review.shuffle import extra_cards as extra_cards
    from counting.review.shuffle import gathering as gathering
    from counting.review.shuffle import gatherings as gatherings
    from counting.review.shuffle import impossible_shoes as impossible_shoes
    from counting.review.shuffle import shoes_needed as shoes_needed
    from counting.review.shuffle import shuffle_review as shuffle_review
    from counting.review.significance import holm as holm
    from counting.review.significance import wins_tails as wins_tails
    from counting.review.unseen_cards import UnseenCards as UnseenCards
    from counting.review.winners import POWER as POWER
    from counting.review.winners import Fault as Fault
    from counting.review.winners import Repeat as Repeat
    from counting.review.winners import ResultsReview as ResultsReview
    from counting.review.winners import ResultsSettings as ResultsSettings
    from counting.review.winners import ResultTest as ResultTest
    from counting.review.winners import review_results as review_results
else:
    __all__, __getattr__, __dir__ = lazily(
        __name__,
        {
            "coverage": "LogPart SURELY_AGAIN allowed_share fewest_decks gross untested",
            "dealing": "BoundPlan CONFIDENCE ComparisonPlan ErrorCosts ErrorRates KINDS RULES Results Rounding "
            "SamplePlan best_fits better_game coups_to_bound coups_to_compare dealing_errors missing_game "
            "results_alone",
            "hands": "CoupsShown",
            "patrons": "ARRANGED Bets Capital CapitalBound ChannelOdds CoupsDealt Evidence FOLLOWS Group KNOWS "
            "PatronSettings ROUNDING ShoeCapital best_shoe capital_log deal_coup every_coup evidence_of odds_of "
            "surely_paid values_of_codes",
            "payouts": "may_have_paid",
            "repeats": "repeats_of without_repeats without_stale",
            "review": "Audit audit",
            "shifts": "Shifts",
            "shuffle": "Finding Gathering ShoesNeeded ShuffleReview ShuffleSettings ShuffleTest TESTS extra_cards "
            "gathering gatherings impossible_shoes shoes_needed shuffle_review",
            "significance": "holm wins_tails",
            "unseen_cards": "UnseenCards",
            "winners": "Fault POWER Repeat ResultTest ResultsReview ResultsSettings review_results",
        },
    )
