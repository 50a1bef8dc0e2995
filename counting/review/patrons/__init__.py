"""Whose bets follow the edge, and who knows the coming cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counting.faces import lazily

if TYPE_CHECKING:
    from counting.review.patrons.channels import Bets as Bets
    from counting.review.patrons.channels import ChannelOdds as ChannelOdds
    from counting.review.patrons.channels import CoupsDealt as CoupsDealt
    from counting.review.patrons.channels import odds_of as odds_of
    from counting.review.patrons.channels import surely_paid as surely_paid
    from counting.review.patrons.channels import values_of_codes as values_of_codes
    from counting.review.patrons.coup_table import best_shoe as best_shoe
    from counting.review.patrons.coup_table import every_coup as every_coup
    from counting.review.patrons.edge_following import ARRANGED as ARRANGED
    from counting.review.patrons.foreknowledge import Capital as Capital
    from counting.review.patrons.foreknowledge import Evidence as Evidence
    from counting.review.patrons.foreknowledge import capital_log as capital_log
    from counting.review.patrons.foreknowledge import evidence_of as evidence_of
    from counting.review.patrons.informed import Group as Group
    from counting.review.patrons.patron_tests import FOLLOWS as FOLLOWS
    from counting.review.patrons.patron_tests import KNOWS as KNOWS
    from counting.review.patrons.patron_tests import PatronSettings as PatronSettings
    from counting.review.patrons.running_capital import ROUNDING as ROUNDING
    from counting.review.patrons.running_capital import CapitalBound as CapitalBound
    from counting.review.patrons.running_capital import ShoeCapital as ShoeCapital
    from counting.review.patrons.running_capital import deal_coup as deal_coup
else:
    __all__, __getattr__, __dir__ = lazily(
        __name__,
        {
            "channels": "Bets ChannelOdds CoupsDealt odds_of surely_paid values_of_codes",
            "coup_table": "best_shoe every_coup",
            "edge_following": "ARRANGED",
            "foreknowledge": "Capital Evidence capital_log evidence_of",
            "informed": "Group",
            "patron_tests": "FOLLOWS KNOWS PatronSettings",
            "running_capital": "CapitalBound ROUNDING ShoeCapital deal_coup",
        },
    )
