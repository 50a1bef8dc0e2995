"""What a sweep shows: by bet, by cards left, by penetration and by count, and what a counter's results mean for a
bankroll."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counting.faces import lazily

if TYPE_CHECKING:
    from counting.analysis.bankroll import Bankroll as Bankroll
    from counting.analysis.count_remarks import remarks as remarks
    from counting.analysis.count_remarks import remarks_on as remarks_on
    from counting.analysis.cut_sums import Totals as Totals
    from counting.analysis.cut_sums import add_up as add_up
    from counting.analysis.cut_sums import cut_places as cut_places
    from counting.analysis.cut_sums import sums_by_cut as sums_by_cut
    from counting.analysis.penetration import by_penetration as by_penetration
    from counting.analysis.penetration import perfect_totals as perfect_totals
    from counting.analysis.scores import at_best as at_best
    from counting.analysis.scores import results as results
    from counting.analysis.scores import score as score
    from counting.analysis.summary import by_bet as by_bet
    from counting.analysis.summary import by_cards_left as by_cards_left
    from counting.analysis.summary import by_system as by_system
    from counting.analysis.summary import price as price
    from counting.analysis.summary import quantiles as quantiles
    from counting.analysis.summary import spread_quantiles as spread_quantiles
    from counting.analysis.teams import Estimated as Estimated
    from counting.analysis.teams import Team as Team
    from counting.analysis.teams import TeamTime as TeamTime
    from counting.analysis.widening import widened as widened
    from counting.analysis.widening import widest as widest
else:
    __all__, __getattr__, __dir__ = lazily(
        __name__,
        {
            "bankroll": "Bankroll",
            "count_remarks": "remarks remarks_on",
            "cut_sums": "Totals add_up cut_places sums_by_cut",
            "penetration": "by_penetration perfect_totals",
            "scores": "at_best results score",
            "teams": "Estimated Team TeamTime",
            "widening": "widened widest",
            "summary": "by_bet by_cards_left by_system price quantiles spread_quantiles",
        },
    )
