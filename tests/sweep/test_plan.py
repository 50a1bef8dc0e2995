"""Plans as a researcher writes them: names and lists."""

from typing import Any

import pytest

from counting import Dealing, InputError, Plan
from counting.exact import settlement


def test_lists_are_as_good_as_tuples() -> None:
    plan = Plan("ez-baccarat", Dealing(), 60, systems=["dragon-7"], bets=["dragon-7", "tie-8"])  # type: ignore[arg-type]
    assert plan.bets == ("dragon-7", "tie-8")
    assert plan.systems[0].name == "dragon-7"
    assert plan.bettors == ()
    assert settlement(plan.game, plan.bets).bets == plan.bets
    assert plan == Plan("ez-baccarat", Dealing(), 60, systems=("dragon-7",), bets=("dragon-7", "tie-8"))  # type: ignore[arg-type]


@pytest.mark.parametrize("several", [{"systems": "dragon-7"}, {"bets": "dragon-7"}, {"bettors": "me"}, {"bets": 7}])
def test_one_by_itself_is_refused(several: dict[str, Any]) -> None:
    (name, value), *_ = several.items()
    with pytest.raises(InputError, match=rf"^{name}: {value!r} should be a list$"):
        Plan("ez-baccarat", Dealing(), 60, **several)
