"""A certificate for banque with Players apart, and its check. Players are apart if each plays for their own hand only.
The check deals the cards again in plain Python, without the solver's code."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from counting.cards import Shoe, as_shoe
from counting.chemin.banque.certificate import Moves, TableauxDealt
from counting.chemin.banque.coups_dealt import TwoCell, check_banque_model
from counting.chemin.certificate import Certificate, common_denominator, refuse_draws, refuse_other_kind, refuse_values
from counting.chemin.rules import Hand
from counting.errors import InputError

SIDES = ("the first Player", "the second Player", "Banker")


@dataclass(frozen=True)
class ApartCertificate:
    """How both Players and Banker play while no hand is a natural. Each randomizes independently.

    - `first`: the probability that the first Player draws on five.
    - `second`: the probability that the second Player draws on five, for each third card of the first Player's, or
      STOOD. If the second Player ignores this card, there is a single probability, at None.
    - `banker`: the probability that Banker draws in each cell that can be dealt.
    - `naturals`: for each natural of a Player, given by its cards: the certificate of the other tableau, which
      continues as chemin de fer with the cards left.
    - `profits`: each Player's expected profit per unit staked on the Player's hand, pushes included.
    - `gains`: what the first Player, the second Player and Banker each gain by their best reply to the other two.
      Banker's gain is per unit of all stakes.
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
    certificate: ApartCertificate, shoe: Shoe | str, theta: Fraction | str = Fraction(1, 2), model: str = "B2"
) -> None:
    """Deal the cards again, which takes some seconds for a full shoe. Raises `InputError` if a profit or a gain differs
    from the certificate's, and for an invalid strategy, as `check_banque` does. The plays need not be an equilibrium,
    so the gains may be above 0."""
    shoe = as_shoe(shoe)
    again = _ApartRedeal(certificate, shoe, theta, model)
    stated = ("profit", certificate.profits, again.profits()), ("gain", certificate.gains, again.gains())
    for what, values, computed in stated:
        if not isinstance(values, tuple) or len(values) != len(computed):
            raise InputError(f"certificate, {what}s: {values!r}, should be {len(computed)} fractions")
        sides = [f"of {side}" for side in SIDES]
        refuse_values(what, dict(zip(sides, values, strict=False)), dict(zip(sides, computed, strict=False)))


class _ApartRedeal:
    """The coups dealt again for each Player, with the strategies of a certificate."""

    def __init__(self, certificate: ApartCertificate, shoe: Shoe, theta: Fraction | str, model: str) -> None:
        refuse_other_kind(certificate, ApartCertificate)
        _, self.theta = check_banque_model(shoe, theta, model)
        self.stated = certificate
        self.dealt = [TableauxDealt(shoe, stake, model) for stake in (Fraction(1), Fraction(0))]
        self.deals = self.dealt[0].deals
        refuse_draws("first", {"five": certificate.first}, {"five"})
        refuse_draws("second", certificate.second, self.dealt[0].states(certificate.second))
        self.dealt[0].refuse_both(certificate)
        self.apart = self.dealt[0].proved_apart(certificate.naturals)

        self.scale, self.draws = common_denominator(certificate.banker)

    def _weighed(self) -> Iterator[tuple[int | None, Moves, int, int]]:
        """For each cell of Banker's and each pair of the Players' moves: the case of the second Player, the moves, and
        what these moves win for each Player. Banker plays as in the certificate. Wins are sums over `deals`, times
        `scale`."""
        first, second = (dealt.weighed(self.draws, self.scale) for dealt in self.dealt)
        for (cell, moves, to_first), (_, _, to_second) in zip(first, second, strict=True):
            yield self._state(cell), moves, to_first, to_second

    def _state(self, cell: TwoCell) -> int | None:
        return None if None in self.stated.second else cell[1]

    def _chances(self, state: int | None, moves: Moves) -> tuple[Fraction, Fraction]:
        """The probability of each Player's move."""
        return _chance(moves[0], self.stated.first), _chance(moves[1], self.stated.second[state])

    def profits(self) -> tuple[Fraction, Fraction]:
        first = second = Fraction(0)
        for state, moves, to_first, to_second in self._weighed():
            x, y = self._chances(state, moves)
            first += x * y * to_first
            second += x * y * to_second
        deals = self.deals * self.scale
        return self.apart + first / deals, self.apart + second / deals

    def gains(self) -> tuple[Fraction, Fraction, Fraction]:
        first, banker = Fraction(0), dict.fromkeys(self.stated.banker, Fraction(0))
        second: dict[int | None, Fraction] = defaultdict(Fraction)
        for state, moves, to_first, to_second in self._weighed():
            x, y = self._chances(state, moves)
            first += _way(moves[0]) * y * to_first
            second[state] += _way(moves[1]) * x * to_second
        for cell, of_moves in self.dealt[0].net.items():
            for moves, (stood, drew) in of_moves.items():
                x, y = self._chances(self._state(cell), moves)
                if_stands, if_draws = self.dealt[1].net[cell][moves]
                lost = self.theta * (stood - drew) + (1 - self.theta) * (if_stands - if_draws)
                banker[cell] += x * y * lost
        deals = self.deals * self.scale
        return (
            _best(first, self.stated.first) / deals,
            sum((_best(gain, self.stated.second[state]) for state, gain in second.items()), Fraction(0)) / deals,
            sum((_best(gain, self.stated.banker[cell]) for cell, gain in banker.items()), Fraction(0)) / self.deals,
        )


def _chance(draws: bool | None, p: Fraction) -> Fraction:
    """The probability of a move: 1 if there is no choice (`draws` is None)."""
    return Fraction(1) if draws is None else Fraction(p) if draws else 1 - Fraction(p)


def _way(draws: bool | None) -> int:
    return 0 if draws is None else 1 if draws else -1


def _best(gain: Fraction, p: Fraction) -> Fraction:
    """What the better move gains over drawing with probability p. `gain` is how much more drawing is worth than
    standing."""
    return gain * (1 - p) if gain > 0 else -gain * p
