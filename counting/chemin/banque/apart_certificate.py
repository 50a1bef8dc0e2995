"""A certificate of three plays at banque with Players apart, and its check: the cards are dealt again in plain Python,
once for each Player's profit, without the solver's code."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from counting.cards import Shoe
from counting.chemin.banque.certificate import Moves, TableauxDealt
from counting.chemin.banque.coups_dealt import TwoCell, fitting_banque, refuse_cells
from counting.chemin.certificate import Certificate, chance
from counting.chemin.rules import Hand
from counting.errors import InputError

SIDES = ("the first Player", "the second Player", "Banker")


@dataclass(frozen=True)
class ApartCertificate:
    """How the three play while no hand is a natural, each by a lot of their own.

    `first`: the probability that the first Player draws on five; `second`: that the second does, by the first's third
    card, or STOOD, if the second uses it; else one, at None; `banker`: in each cell that can be dealt. `naturals`:
    after a Player's natural, by its cards, the other tableau is chemin de fer with the cards that are left, and proved
    as such. `profits`: what the Players expect, per unit staked on each one's hand, pushes included. `gains`: what the
    first, the second and Banker gain by their best other play, Banker per unit of all stakes.
    """

    first: Fraction
    second: Mapping[int | None, Fraction]
    banker: Mapping[TwoCell, Fraction]
    naturals: Mapping[Hand, Certificate]
    profits: tuple[Fraction, Fraction]
    gains: tuple[Fraction, Fraction, Fraction]

    @property
    def epsilon(self) -> Fraction:
        """The largest gain of any of the three by another play."""
        return max(self.gains)


def check_apart(
    certificate: ApartCertificate, shoe: Shoe, theta: Fraction | str = Fraction(1, 2), model: str = "B2"
) -> None:
    """Deal the cards again, and raise `InputError` if a profit or a gain is not the certificate's, or for an invalid
    strategy, as `check_banque` does. Takes some seconds for a full shoe."""
    again = _Again(certificate, shoe, theta, model)
    stated = ("profit", certificate.profits, again.profits()), ("gain", certificate.gains, again.gains())
    for what, values, computed in stated:
        if not isinstance(values, tuple) or len(values) != len(computed):
            raise InputError(f"certificate, {what}s: {values!r}, should be {len(computed)} fractions")
        for side, value, right in zip(SIDES, values, computed, strict=False):
            if isinstance(value, bool | float) or value != right:
                raise InputError(f"certificate: {what} {value!s} of {side}, should be {right}")


class _Again:
    """The coups dealt again for each Player, with the strategies of a certificate."""

    def __init__(self, certificate: object, shoe: Shoe, theta: Fraction | str, model: str) -> None:
        if not isinstance(certificate, ApartCertificate):
            raise InputError(f"certificate: {certificate!r}, should be an ApartCertificate")
        _, self.theta = fitting_banque(shoe, theta, model)
        self.stated = certificate
        self.dealt = [TableauxDealt(shoe, stake, model) for stake in (Fraction(1), Fraction(0))]
        self.deals = self.dealt[0].deals
        self._refuse()
        self.apart = self.dealt[0].proved_apart(certificate.naturals, shoe, model)

    def _refuse(self) -> None:
        stated, dealt = self.stated, self.dealt[0]
        states = {None} if None in stated.second else {first for _, first, _ in dealt.net}
        refuse_cells("second", set(stated.second), states)
        refuse_cells("banker", set(stated.banker), set(dealt.net))
        refuse_cells("naturals", set(stated.naturals), set(dealt.naturals))
        plays: list[tuple[str, object, object]] = [("first", "five", stated.first)]
        plays += [("second", state, p) for state, p in stated.second.items()]
        plays += [("banker", cell, p) for cell, p in stated.banker.items()]
        for side, at, p in plays:
            if not chance(p):
                raise InputError(f"certificate, {side}: {at} draws with {p!r}, should be a fraction from 0 to 1")

    def _coups(self) -> Iterator[tuple[TwoCell, int | None, Moves, list[int]]]:
        """Banker's cell, the second's case, the Players' moves, and what Banker's standing and drawing are worth, over
        `deals`: to the first, then to the second."""
        first, second = self.dealt
        for cell, parts in first.net.items():
            state = None if None in self.stated.second else cell[1]
            for moves, nets in parts.items():
                yield cell, state, moves, [*nets, *second.net[cell][moves]]

    def _drawn(self, worth: list[int], cell: TwoCell) -> tuple[Fraction | int, Fraction | int]:
        """The same by Banker's play."""
        q = self.stated.banker[cell]
        return (1 - q) * worth[0] + q * worth[1], (1 - q) * worth[2] + q * worth[3]

    def profits(self) -> tuple[Fraction, Fraction]:
        sums = [Fraction(0), Fraction(0)]
        for cell, state, (of_first, of_second), worth in self._coups():
            p = _chance(of_first, self.stated.first) * _chance(of_second, self.stated.second[state])
            for i, part in enumerate(self._drawn(worth, cell)):
                sums[i] += p * part
        first, second = (self.apart + total / self.deals for total in sums)
        return first, second

    def gains(self) -> tuple[Fraction, Fraction, Fraction]:
        first, banker = Fraction(0), dict.fromkeys(self.stated.banker, Fraction(0))
        second: dict[int | None, Fraction] = defaultdict(Fraction)
        for cell, state, (of_first, of_second), worth in self._coups():
            x, y = _chance(of_first, self.stated.first), _chance(of_second, self.stated.second[state])
            to_first, to_second = self._drawn(worth, cell)
            first += _way(of_first) * y * to_first
            second[state] += _way(of_second) * x * to_second
            lost = self.theta * (worth[0] - worth[1]) + (1 - self.theta) * (worth[2] - worth[3])
            banker[cell] += x * y * lost
        return (
            _best(first, self.stated.first) / self.deals,
            sum((_best(gain, self.stated.second[state]) for state, gain in second.items()), Fraction(0)) / self.deals,
            sum((_best(gain, self.stated.banker[cell]) for cell, gain in banker.items()), Fraction(0)) / self.deals,
        )


def _chance(draws: bool | None, p: Fraction) -> Fraction:
    """The probability of a move; None without a choice."""
    return Fraction(1) if draws is None else Fraction(p) if draws else 1 - Fraction(p)


def _way(draws: bool | None) -> int:
    return 0 if draws is None else 1 if draws else -1


def _best(gain: Fraction, p: Fraction) -> Fraction:
    """What is gained by always drawing, or never, instead of with p, where drawing gains so much beyond standing."""
    return gain * (1 - p) if gain > 0 else -gain * p
