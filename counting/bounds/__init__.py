"""What counters can win under a casino's rules, and which rules keep those winnings under a bound."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counting.faces import lazily

if TYPE_CHECKING:
    from counting.bounds.bounds import Bound as Bound
    from counting.bounds.bounds import Per as Per
    from counting.bounds.bounds import Verdict as Verdict
    from counting.bounds.brackets import Bracket as Bracket
    from counting.bounds.brackets import bracket as bracket
    from counting.bounds.comparison import Comparison as Comparison
    from counting.bounds.confidence_limits import Limits as Limits
    from counting.bounds.confidence_limits import PlainShoes as PlainShoes
    from counting.bounds.confidence_limits import least_bets as least_bets
    from counting.bounds.confidence_limits import student_99 as student_99
    from counting.bounds.confidence_limits import upper_limits as upper_limits
    from counting.bounds.counter_models import MODELS as MODELS
    from counting.bounds.counter_models import CounterModel as CounterModel
    from counting.bounds.counter_models import joint_name as joint_name
    from counting.bounds.deciding import MOST_ADVISED as MOST_ADVISED
    from counting.bounds.deciding import Gap as Gap
    from counting.bounds.figures import Figure as Figure
    from counting.bounds.frontiers import LEAST_SHOES as LEAST_SHOES
    from counting.bounds.frontiers import cheapest as cheapest
    from counting.bounds.frontiers import frontier as frontier
    from counting.bounds.frontiers import greatest_most_bet as greatest_most_bet
    from counting.bounds.frontiers import refuse_few as refuse_few
    from counting.bounds.frontiers import some_cuts as some_cuts
    from counting.bounds.house_rules import Amount as Amount
    from counting.bounds.house_rules import House as House
    from counting.bounds.house_rules import HouseRules as HouseRules
    from counting.bounds.house_rules import house_if_named as house_if_named
    from counting.bounds.house_rules import house_of as house_of
    from counting.bounds.house_rules import load_house as load_house
    from counting.bounds.largest_bets import Ladder as Ladder
    from counting.bounds.largest_bets import largest_side_bets as largest_side_bets
    from counting.bounds.largest_bets import rounded_down as rounded_down
    from counting.bounds.means import Z99 as Z99
    from counting.bounds.means import Estimate as Estimate
    from counting.bounds.means import Mean as Mean
    from counting.bounds.pits import AN_HOUR as AN_HOUR
    from counting.bounds.pits import MOST_HOURS as MOST_HOURS
    from counting.bounds.pits import MOST_TABLES as MOST_TABLES
    from counting.bounds.pits import Pit as Pit
    from counting.bounds.questions import LimitsAnswer as LimitsAnswer
    from counting.bounds.questions import LimitsQuestion as LimitsQuestion
    from counting.bounds.questions import answer as answer
    from counting.bounds.questions import held_brackets as held_brackets
    from counting.bounds.remedies import MOST_TIED as MOST_TIED
    from counting.bounds.remedies import Lack as Lack
    from counting.bounds.remedies import Remedy as Remedy
    from counting.bounds.remedies import with_remedies as with_remedies
    from counting.bounds.seats import Seat as Seat
    from counting.bounds.statements import Statement as Statement
    from counting.bounds.statements import judge as judge
    from counting.bounds.statements import state as state
    from counting.bounds.statements import statement_settings as statement_settings
    from counting.bounds.terms import Terms as Terms
    from counting.bounds.terms import plan_of as plan_of
    from counting.bounds.theoretical_win import Patronage as Patronage
    from counting.bounds.theoretical_win import TheoreticalWin as TheoreticalWin
    from counting.bounds.theoretical_win import ordinary_main_bets as ordinary_main_bets
    from counting.bounds.uppers import Rebated as Rebated
else:
    __all__, __getattr__, __dir__ = lazily(
        __name__,
        {
            "bounds": "Bound Per Verdict",
            "brackets": "Bracket bracket",
            "comparison": "Comparison",
            "confidence_limits": "Limits PlainShoes least_bets student_99 upper_limits",
            "deciding": "Gap MOST_ADVISED",
            "figures": "Figure",
            "frontiers": "LEAST_SHOES cheapest frontier greatest_most_bet refuse_few some_cuts",
            "house_rules": "Amount House HouseRules house_if_named house_of load_house",
            "largest_bets": "Ladder largest_side_bets rounded_down",
            "means": "Estimate Mean Z99",
            "pits": "AN_HOUR MOST_HOURS MOST_TABLES Pit",
            "questions": "LimitsAnswer LimitsQuestion answer held_brackets",
            "remedies": "Lack MOST_TIED Remedy with_remedies",
            "seats": "Seat",
            "statements": "Statement judge state statement_settings",
            "terms": "Terms plan_of",
            "theoretical_win": "Patronage TheoreticalWin ordinary_main_bets",
            "uppers": "Rebated",
            "counter_models": "CounterModel MODELS joint_name",
        },
    )
