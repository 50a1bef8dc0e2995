"""A certificate of a shoe's value at banque, and its check: cards are dealt again in plain Python, without the solver's
code."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from counting.cards import Shoe
from counting.chemin.banque.by_hand_certificate import ByHandCertificate, check_by_hand
from counting.chemin.banque.coups_dealt import BY_HAND, BY_TOTAL, CoupsDealt, TwoCell, refuse_cells
from counting.chemin.certificate import Certificate, chance, refuse_bounds, whole
from counting.chemin.rules import Hand
from counting.errors import InputError


class PlayersMix(NamedTuple):
    """The Players' play if both have five: the probabilities that both draw, the first alone, the second alone,
    and neither. If only one of them has five, that Player draws with the same total probability."""

    both: Fraction
    first: Fraction
    second: Fraction
    neither: Fraction


@dataclass(frozen=True)
class BanqueCertificate:
    """How both sides play while no hand is a natural.

    `players`: their mix by the first's third card, or STOOD, if the second uses it; else one mix, at None.
    `banker`: the probability of drawing in each cell that can be dealt. `naturals`: after a Player's natural, by its
    cards, the other tableau is chemin de fer with the cards that are left, and proved as such. `lower / denominator`
    is what the Players have together against Banker's best reply, `upper / denominator` what Banker leaves to theirs.
    """

    players: Mapping[int | None, PlayersMix]
    banker: Mapping[TwoCell, Fraction]
    naturals: Mapping[Hand, Certificate]
    lower: int
    upper: int
    denominator: int


def check_banque(
    certificate: BanqueCertificate | ByHandCertificate,
    shoe: Shoe,
    theta: Fraction | str = "1/2",
    model: str = "B2",
) -> None:
    """Compute both bounds again, and raise `InputError` if they differ from each other or from the certificate's.

    Raises it too for an invalid strategy: a number outside 0 to 1, a mix that does not sum to 1 or depends on what the
    first Player cannot know, a cell that is missing or cannot be dealt. Takes some seconds for a full shoe.
    """
    if model in BY_HAND:
        check_by_hand(certificate, shoe, theta, model)
        return
    dealt = TableauxDealt(shoe, theta, model)
    if not isinstance(certificate, BanqueCertificate):
        raise InputError(f"certificate: {certificate!r}, should be a BanqueCertificate")
    _refuse(certificate, dealt)
    apart = dealt.proved_apart(certificate.naturals, shoe, model)
    bounds = apart + dealt.against_banker(certificate.players), apart + dealt.against_players(certificate)
    refuse_bounds(certificate.lower, certificate.upper, certificate.denominator, bounds)


def _refuse(certificate: BanqueCertificate, dealt: TableauxDealt) -> None:
    states = {None} if None in certificate.players else {first for _, first, _ in dealt.net}
    for side, stated, cells in (
        ("players", set(certificate.players), states),
        ("banker", set(certificate.banker), set(dealt.net)),
        ("naturals", set(certificate.naturals), set(dealt.naturals)),
    ):
        refuse_cells(side, stated, cells)
    for at, mix in certificate.players.items():
        if not isinstance(mix, PlayersMix) or not all(map(chance, mix)) or sum(mix) != 1:
            raise InputError(f"certificate, players: {at}: {mix}, should be a PlayersMix of fractions that sum to 1")
    if len({mix.both + mix.first for mix in certificate.players.values()}) > 1:
        raise InputError("certificate, players: the first should draw equally often in all, acting before the second")
    for cell, p in certificate.banker.items():
        if not chance(p):
            raise InputError(f"certificate, banker: {cell} draws with {p!r}, should be a fraction from 0 to 1")


Moves = tuple[bool | None, bool | None]  # whether each Player draws, None without a choice


class TableauxDealt(CoupsDealt[bool]):
    """All deals of models 1 and 2, in which a Player with a choice knows only that the hand is five."""

    def __init__(self, shoe: Shoe, theta: Fraction | str, model: str) -> None:
        super().__init__(shoe, theta, model, BY_TOTAL)

    def against_banker(self, players: Mapping[int | None, PlayersMix]) -> Fraction:
        """The Players' mixes against the best reply in every cell of Banker's."""
        scale, plans = whole(
            {(at, plan): p for at, mix in players.items() for plan, p in zip(_PLANS, mix, strict=True)}
        )
        worth = 0
        for (_, first, _), parts in self.net.items():
            at = None if None in players else first
            stand = draw = 0
            for moves, (if_stands, if_draws) in parts.items():
                p = sum(plans[at, (lead, reply)] for lead, reply in _PLANS if _agrees(moves, lead, reply))
                stand += p * if_stands
                draw += p * if_draws
            worth += min(stand, draw)
        return Fraction(worth, self.deals * scale)

    def against_players(self, certificate: BanqueCertificate) -> Fraction:
        """Banker's mix against the Players' best common plan: the first's move, and the second's, by the first's third
        card if the second uses it."""
        together = None in certificate.players
        scale, draws = whole(certificate.banker)
        parts: dict[int | None, dict[Moves, int]] = defaultdict(lambda: defaultdict(int))
        for cell, at in self.net.items():
            p = draws[cell]
            for moves, (if_stands, if_draws) in at.items():
                parts[None if together else cell[1]][moves] += (scale - p) * if_stands + p * if_draws
        return Fraction(max(self._best(parts.values(), lead) for lead in (True, False)), self.deals * scale)

    def _best(self, cases: Iterable[Mapping[Moves, int]], lead: bool) -> int:
        """What the Players have with this move of the first and the best move of the second in each case."""
        return sum(
            max(sum(w for moves, w in case.items() if _agrees(moves, lead, reply)) for reply in (True, False))
            for case in cases
        )


_PLANS = ((True, True), (True, False), (False, True), (False, False))  # in the order of a PlayersMix


def _agrees(moves: Moves, lead: bool, reply: bool) -> bool:
    return moves[0] in (None, lead) and moves[1] in (None, reply)
