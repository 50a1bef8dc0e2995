"""How far brackets are: their shoes, and what these cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from counting.bounds.seats import Seat
from counting.cards import DECK


class WorkProgress(Protocol):
    """Is told the shoes done, all of them, and the `work` done and all of it, in any unit; without `work` all shoes
    cost the same."""

    def __call__(self, done: int, total: int, work: tuple[float, float] | None = None) -> None: ...


def part_of(
    progress: WorkProgress | None, number: int, costs: Sequence[float], counts: Sequence[int] = ()
) -> WorkProgress | None:
    """The progress of one part of several: `costs` are those of the parts, `counts` their shoes next to one another, by
    default the same."""
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
    """What a shoe of a seat costs next to other seats, about: its coups, times the bets that are priced."""
    return len(seat.stakes.bets) * (seat.dealing.decks * DECK - seat.dealing.cut)
