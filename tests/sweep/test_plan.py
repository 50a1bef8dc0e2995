"""Plans as a researcher writes them: names and lists."""

from counting import Dealing, Plan
from counting.exact import settlement


def test_lists_are_as_good_as_tuples() -> None:
    plan = Plan("ez-baccarat", Dealing(), 60, systems=["dragon-7"], bets=["dragon-7", "tie-8"])
    assert plan.bets == ("dragon-7", "tie-8")
    assert plan.systems[0].name == "dragon-7"
    assert plan.bettors == ()
    assert settlement(plan.game, plan.bets).bets == plan.bets
    assert plan == Plan("ez-baccarat", Dealing(), 60, systems=("dragon-7",), bets=("dragon-7", "tie-8"))
