"""Fixtures that several files of tests of reports use."""

from collections.abc import Callable
from typing import Any

import pytest
from extent import LONG

from counting.reports import drawing
from counting.reports.rebates import RebateFacts


@pytest.fixture(scope="module")
def _plots() -> set[object]:
    """The plots that tests of a file have set up."""
    return set()


@pytest.fixture
def undrawn(
    undrawn: None, _plots: set[object], request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `undrawn` elsewhere, but each plot is set up only by the first test of a file that has it. With --long, all
    tests set up their plots."""
    single = drawing.single

    def once(draw: Any, *args: Any, **how: Any) -> Any:
        if draw in _plots:
            return None
        _plots.add(draw)
        return single(draw, *args, **how)

    if not LONG and request.node.get_closest_marker("drawn") is None:
        monkeypatch.setattr(drawing, "single", once)


@pytest.fixture
def worth_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work out only once what a rebate is worth to a patron who does not count, and which rates give this patron no
    edge. Both depend on the seat and on the bets, but on no bound and on no shoe."""

    def once(work_out: Callable[[RebateFacts], Any], key: Callable[[RebateFacts], object]) -> property:
        known: dict[object, Any] = {}

        def of(facts: RebateFacts) -> Any:
            if key(facts) not in known:
                known[key(facts)] = work_out(facts)
            return known[key(facts)]

        return property(of)

    def asked(facts: RebateFacts) -> object:
        rules = facts.rules
        return rules.game.digest, rules.side_bets, rules.main, rules.dealing.decks, rules.house.rebate

    worth, rates = RebateFacts.without_counting.func, RebateFacts.break_even.func
    monkeypatch.setattr(RebateFacts, "without_counting", once(worth, lambda facts: facts.rules.seat))
    monkeypatch.setattr(RebateFacts, "break_even", once(rates, asked))
