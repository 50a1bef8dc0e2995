"""A certificate of a shoe's value at banque in model 3, in which each Player sees two cards, and its check. The check
deals the cards again in plain Python, without the solver's code."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from counting.cards import Shoe, as_shoe
from counting.chemin.banque.coups_dealt import BY_HAND, BanqueDeals, TwoCell
from counting.chemin.certificate import Certificate, common_denominator, is_chance, refuse_draws
from counting.chemin.rules import Hand
from counting.errors import InputError

HandMove = tuple[Hand, bool]
# the second Player's hand; the first's third card or STOOD, or None if it is not used
SecondCell = tuple[Hand, int | None]


class TeamPlan(NamedTuple):
    """A plan of the two Players for hands with a total of five. The Players' common random draw chooses the plan with
    the probability `chance`. The first Player draws only on the hands of `first`. `second` gives the probability that
    the second Player draws for each `SecondCell`, that is, for the second's hand and what the second knows of the
    first."""

    chance: Fraction
    first: frozenset[Hand]
    second: Mapping[SecondCell, Fraction]


@dataclass(frozen=True)
class ByHandCertificate:
    """How the Players and Banker play while no hand is a natural.

    `plans` are the Players' plans, whose chances sum to 1. `banker` gives the probability that Banker draws in each
    cell that can be dealt. `naturals` and the bounds are as in a `BanqueCertificate`.
    """

    plans: tuple[TeamPlan, ...]
    banker: Mapping[TwoCell, Fraction]
    naturals: Mapping[Hand, Certificate]
    lower: int
    upper: int
    denominator: int


def check_by_hand(certificate: object, shoe: Shoe | str, theta: Fraction | str = "1/2", model: str = "B3") -> None:
    """Compute both bounds again, which takes some seconds for a full shoe. Raises `InputError` if they differ from each
    other or from the certificate's bounds.

    Raises `InputError` for an invalid strategy too: a number outside 0 to 1, chances that do not sum to 1, or a cell
    that is missing or cannot be dealt.
    """
    shoe = as_shoe(shoe)
    HandsDealt(shoe, theta, model).check(certificate, ByHandCertificate)


class HandsDealt(BanqueDeals[HandMove]):
    """All deals of model 3. `first_cells` and `second_cells` are the cells in which the Players choose."""

    def __init__(self, shoe: Shoe, theta: Fraction | str, model: str) -> None:
        super().__init__(shoe, theta, model, BY_HAND)
        choices = [(state, *moves) for (_, state, _), parts in self.net.items() for moves in parts]
        self.first_cells = {first[0] for _, first, _ in choices if first is not None}
        self.second_cells: set[SecondCell] = {(second[0], state) for state, _, second in choices if second is not None}

    def refuse(self, certificate: ByHandCertificate) -> None:
        plans = certificate.plans
        if not isinstance(plans, tuple) or not all(isinstance(plan, TeamPlan) for plan in plans):
            raise InputError("certificate, plans: should be a tuple of TeamPlans")
        if not all(is_chance(plan.chance) for plan in plans) or sum(plan.chance for plan in plans) != 1:
            raise InputError("certificate, plans: chances should be fractions that sum to 1")
        cells = {(hand, None) for hand, _ in self.second_cells} if _together(plans) else self.second_cells
        for plan in plans:
            if wrong := sorted(set(plan.first) - self.first_cells):
                raise InputError(
                    f"certificate, first: {wrong[0]}, should be a hand with a choice that the shoe can deal"
                )
            refuse_draws("second", plan.second, cells)
        self.refuse_both(certificate)

    def bounds(self, certificate: ByHandCertificate) -> tuple[Fraction, Fraction]:
        apart = self.proved_apart(certificate.naturals)
        return apart + self.against_banker(certificate.plans), apart + self.against_players(certificate)

    def against_banker(self, plans: tuple[TeamPlan, ...]) -> Fraction:
        """What the Players' plans win against Banker's best reply in every cell."""
        together = _together(plans)
        chances: dict[tuple[int, tuple[HandMove | None, HandMove | None]], Fraction] = defaultdict(Fraction)
        for state, moves in {(state, moves) for (_, state, _), parts in self.net.items() for moves in parts}:
            for plan in plans:
                both = _first(moves[0], plan.first) * _second(moves[1], None if together else state, plan.second)
                chances[state, moves] += plan.chance * both
        scale, counts = common_denominator(chances)
        by_state: dict[int, dict[tuple[HandMove | None, HandMove | None], int]] = defaultdict(dict)
        for (state, moves), count in counts.items():
            by_state[state][moves] = count
        return Fraction(self.after_reply(lambda cell: by_state[cell[1]]), self.deals * scale)

    def against_players(self, certificate: ByHandCertificate) -> Fraction:
        """What the Players' best common plan wins against Banker's mix. A plan consists of the hands on which the first
        Player draws, and of the second's move in each cell."""
        together = _together(certificate.plans)
        scale, draws = common_denominator(certificate.banker)
        parts: dict[tuple[int | None, HandMove | None, HandMove | None], int] = defaultdict(int)
        for cell, moves, worth in self.weighed(draws, scale):
            parts[(None if together else cell[1], *moves)] += worth
        return Fraction(max(_best(parts, first) for first in _subsets(self.first_cells)), self.deals * scale)


def _best(parts: Mapping[tuple[int | None, HandMove | None, HandMove | None], int], first: Set[Hand]) -> int:
    """What the Players win if the first draws on exactly these hands, and the second makes the best move in each
    cell."""
    worth, choices = 0, defaultdict[SecondCell, list[int]](lambda: [0, 0])
    for (state, of_first, of_second), part in parts.items():
        if not _first(of_first, first):
            continue
        if of_second is None:
            worth += part
        else:
            choices[of_second[0], state][of_second[1]] += part
    return worth + sum(map(max, choices.values()))


def _first(move: HandMove | None, draws_on: Set[Hand]) -> bool:
    return move is None or (move[0] in draws_on) == move[1]


def _second(move: HandMove | None, state: int | None, draws: Mapping[SecondCell, Fraction]) -> Fraction:
    if move is None:
        return Fraction(1)
    p = Fraction(draws[move[0], state])
    return p if move[1] else 1 - p


def _subsets(hands: Set[Hand]) -> Iterator[frozenset[Hand]]:
    for size in range(len(hands) + 1):
        yield from map(frozenset, combinations(sorted(hands), size))


def _together(plans: tuple[TeamPlan, ...]) -> bool:
    """Whether the second ignores the first's third card."""
    return any(state is None for plan in plans for _, state in plan.second)
