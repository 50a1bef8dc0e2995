"""Fixtures that several files of tests of reports use."""

from collections.abc import Callable
from typing import Any

import pytest

from counting.reports.rebates import RebateFacts


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
