"""The result of solving a shoe at two tableaux, in any model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from counting.cards import Shoe
from counting.chemin.banque.by_hand_certificate import ByHandCertificate
from counting.chemin.banque.certificate import BanqueCertificate
from counting.chemin.banque.coups_dealt import TwoCell
from counting.chemin.rules import Hand
from counting.chemin.solution import Solution

Proof = TypeVar("Proof", BanqueCertificate, ByHandCertificate)


@dataclass(frozen=True, eq=False)
class SolvedTableaux(Generic[Proof]):
    """A solved shoe at two tableaux.

    `value` is the Players' joint expectation per unit that both stake together, pushes included. The certificate gives
    the strategies, and proves the value. `tableaux` gives each Player's expectation with these strategies, per unit
    staked on the Player's hand. `undecided` are Banker's cells, in coups without a natural, in which the better move
    depends on the Players' play. `naturals` holds the solution of the other tableau after each natural of a Player.
    """

    shoe: Shoe
    theta: Fraction
    model: str
    uses_third: bool
    value: Fraction
    tableaux: tuple[Fraction, Fraction]
    certificate: Proof
    undecided: tuple[TwoCell, ...]
    naturals: Mapping[Hand, Solution]

    @property
    def banker(self) -> Mapping[TwoCell, Fraction]:
        return self.certificate.banker
