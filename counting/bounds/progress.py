"""The progress of brackets: how many shoes are done, and how much work a shoe takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from counting.bounds.seats import Seat
from counting.cards import DECK


class WorkProgress(Protocol):
    """A function that is called with the number of shoes done and the number of all shoes. `work` is a pair, in any
    unit: the work done, and all work. Without `work`, every shoe is assumed to take the same work."""

    def __call__(self, done: int, total: int, work: tuple[float, float] | None = None) -> None: ...


def part_of(
    progress: WorkProgress | None, number: int, costs: Sequence[float], counts: Sequence[int] = ()
) -> WorkProgress | None:
    """The progress of part `number` of several parts. `costs`: the work that each part takes. `counts`: how many shoes
    each part has, relative to the others; by default all parts have the same number."""
    if progress is None:
        return None
    whole, before, own = sum(costs), sum(costs[:number]), costs[number]
    counts = counts or [1] * len(costs)

    def told(done: int, total: int, work: tuple[float, float] | None = None) -> None:
        spent, of = work or (done, total)
        shoes = total // counts[number]
        progress(shoes * sum(counts[:number]) + done, shoes * sum(counts), (before + own * spent / of, whole))

    return told


def coup_cost(seat: Seat) -> float:
    """Roughly how much work a shoe takes at this seat, relative to other seats: the number of cards before the cut
    card, times the number of bets that are priced."""
    return len(seat.stakes.bets) * (seat.dealing.decks * DECK - seat.dealing.cut)
