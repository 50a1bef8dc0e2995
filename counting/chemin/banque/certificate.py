"""A certificate of a shoe's value at banque, and its check: cards are dealt again in plain Python, without the solver's
code."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Set
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from counting.cards import Shoe, as_shoe
from counting.chemin.banque.by_hand_certificate import ByHandCertificate, check_by_hand
from counting.chemin.banque.coups_dealt import BY_HAND, BY_TOTAL, BanqueDeals, TwoCell
from counting.chemin.certificate import Certificate, common_denominator, is_chance, refuse_cells
from counting.chemin.rules import Hand
from counting.errors import InputError


class PlayersMix(NamedTuple):
    """The Players' play if both have five: the probabilities that both draw, that only the first draws, that only the
    second draws, and that neither draws. If only one of them has five, that Player draws with the same total
    probability."""

    both: Fraction
    first: Fraction
    second: Fraction
    neither: Fraction


@dataclass(frozen=True)
class BanqueCertificate:
    """How the Players and Banker play while no hand is a natural.

    - `players`: the Players' mix for each third card of the first Player's, or STOOD. If the second Player ignores this
      card, there is a single mix, at None.
    - `banker`: the probability that Banker draws in each cell that can be dealt.
    - `naturals`: for each natural of a Player, given by its cards: the certificate of the other tableau, which
      continues as chemin de fer with the cards left.
    - `lower / denominator`: what the Players win together with these mixes against Banker's best reply.
    - `upper / denominator`: the most that the Players can win together against Banker's play.
    """

    players: Mapping[int | None, PlayersMix]
    banker: Mapping[TwoCell, Fraction]
    naturals: Mapping[Hand, Certificate]
    lower: int
    upper: int
    denominator: int


def check_banque(
    certificate: BanqueCertificate | ByHandCertificate,
    shoe: Shoe | str,
    theta: Fraction | str = "1/2",
    model: str = "B2",
) -> None:
    """Compute both bounds again, which takes some seconds for a full shoe. Raises `InputError` if they differ from each
    other or from the certificate's bounds.

    Raises `InputError` for an invalid strategy too:

    - a number outside 0 to 1
    - a mix that does not sum to 1, or that depends on what the first Player cannot know
    - a cell that is missing or cannot be dealt
    """
    shoe = as_shoe(shoe)
    if model in BY_HAND:
        check_by_hand(certificate, shoe, theta, model)
    else:
        TableauxDealt(shoe, theta, model).check(certificate, BanqueCertificate)


Moves = tuple[bool | None, bool | None]  # whether each Player draws, None without a choice


class TableauxDealt(BanqueDeals[bool]):
    """All deals of models 1 and 2, in which a Player with a choice knows only the total of the Player's hand, five."""

    def __init__(self, shoe: Shoe, theta: Fraction | str, model: str) -> None:
        super().__init__(shoe, theta, model, BY_TOTAL)
        self.thirds = {first for _, first, _ in self.net}

    def states(self, used: Collection[int | None]) -> Set[int | None]:
        """The cases of the second Player: the first Player's third cards, or only None if the second does not use
        them."""
        return {None} if None in used else self.thirds

    def refuse(self, certificate: BanqueCertificate) -> None:
        refuse_cells("players", certificate.players, self.states(certificate.players))
        for at, mix in certificate.players.items():
            if not isinstance(mix, PlayersMix) or not all(map(is_chance, mix)) or sum(mix) != 1:
                raise InputError(
                    f"certificate, players: {at}: {mix}, should be a PlayersMix of fractions that sum to 1"
                )
        if len({mix.both + mix.first for mix in certificate.players.values()}) > 1:
            raise InputError(
                "certificate, players: the first should draw equally often in all, acting before the second"
            )
        self.refuse_both(certificate)

    def bounds(self, certificate: BanqueCertificate) -> tuple[Fraction, Fraction]:
        apart = self.proved_apart(certificate.naturals)
        return apart + self.against_banker(certificate.players), apart + self.against_players(certificate)

    def against_banker(self, players: Mapping[int | None, PlayersMix]) -> Fraction:
        """What the Players' mixes win against Banker's best reply in every cell."""
        scale, plans = common_denominator(
            {(at, plan): p for at, mix in players.items() for plan, p in zip(_PLANS, mix, strict=True)}
        )
        chances = {
            at: {moves: sum(plans[at, plan] for plan in _PLANS if _agrees(moves, *plan)) for moves in _MOVES}
            for at in players
        }
        worth = self.after_reply(lambda cell: chances[None if None in players else cell[1]])
        return Fraction(worth, self.deals * scale)

    def against_players(self, certificate: BanqueCertificate) -> Fraction:
        """What the Players' best common plan wins against Banker's mix. A plan consists of the first Player's move and
        the second's move. The second's move depends on the first's third card if the second uses this card."""
        together = None in certificate.players
        scale, draws = common_denominator(certificate.banker)
        parts: dict[int | None, dict[Moves, int]] = defaultdict(lambda: defaultdict(int))
        for cell, moves, worth in self.weighed(draws, scale):
            parts[None if together else cell[1]][moves] += worth
        return Fraction(max(self._best(parts.values(), lead) for lead in (True, False)), self.deals * scale)

    def _best(self, cases: Iterable[Mapping[Moves, int]], lead: bool) -> int:
        """What the Players win if the first makes this move, and the second makes the best move in each case."""
        return sum(
            max(sum(w for moves, w in case.items() if _agrees(moves, lead, reply)) for reply in (True, False))
            for case in cases
        )


_PLANS = ((True, True), (True, False), (False, True), (False, False))  # in the order of a PlayersMix
_MOVES = [(first, second) for first in (True, False, None) for second in (True, False, None)]


def _agrees(moves: Moves, lead: bool, reply: bool) -> bool:
    return moves[0] in (None, lead) and moves[1] in (None, reply)
