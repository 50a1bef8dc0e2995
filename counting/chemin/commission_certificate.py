"""A certificate of an equilibrium under a commission, and its check: the cards are dealt again in plain Python, once
for what Player wins and once for Banker's wins, without the solver's code."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from counting.cards import Shoe
from counting.chemin.certificate import Dealt
from counting.chemin.rules import CLASSICAL, BankerCell, PlayerCell, Rules, part
from counting.errors import InputError

Cell = TypeVar("Cell")

_SIDES = ("player", "banker", "house")


@dataclass(frozen=True)
class CommissionCertificate:
    """Both sides' strategies: the probability of drawing in each cell with a choice that the shoe can deal.

    `to_player`, `to_banker` and `to_house` are expected profits per unit staked, pushes included: Banker's after the
    commission, which the house has. They add up to 0.
    """

    commission: Fraction
    player: Mapping[PlayerCell, Fraction]
    banker: Mapping[BankerCell, Fraction]
    to_player: Fraction
    to_banker: Fraction
    to_house: Fraction


def check_commission(
    certificate: CommissionCertificate, shoe: Shoe, model: str = "B3", rules: Rules = CLASSICAL
) -> None:
    """Deal the cards again, and raise `InputError` if a side gains by another choice in any cell of its own, or if a
    profit differs from the certificate's.

    Each side chooses once per coup at most, so that a side that gains in no cell gains by no other strategy. Raises it
    too for an invalid strategy, as `check` does, and for a commission that is not a share.
    """
    again = _Again(shoe, model, rules, certificate)
    again.refuse_gains()
    again.refuse_profits()


class _Again:
    """The coups dealt again, with the strategies of a certificate."""

    def __init__(self, shoe: Shoe, model: str, rules: Rules, certificate: object) -> None:
        self.net, self.won = Dealt(shoe, model, rules), Dealt(shoe, model, rules, _banker_wins)
        if not isinstance(certificate, CommissionCertificate):
            raise InputError(f"certificate: {certificate!r}, should be a CommissionCertificate")
        self.stated, self.rate = certificate, part(certificate.commission, "commission", "", whole=False)
        self.net.refuse(certificate.player, certificate.banker)

    def _coups(self) -> Iterator[tuple[tuple[str, BankerCell], PlayerCell | None, bool, list[int], list[int]]]:
        """Banker's cell with its letter, Player's cell and move, and for Banker's standing and drawing what Player wins
        net and how often Banker wins."""
        for at, moves in self.net.net.items():
            for (cell, draws), nets in moves.items():
                yield at, cell, draws, nets, self.won.net[at][cell, draws]

    def _player_does(self, cell: PlayerCell | None, draws: bool) -> Fraction:
        p = Fraction(1) if cell is None else Fraction(self.stated.player[cell])
        return p if draws or cell is None else 1 - p

    def _banker_draws(self, at: tuple[str, BankerCell]) -> Fraction:
        return Fraction(self.stated.banker[at[1]]) if at[0] == "*" else Fraction(at[0] == "D")

    def refuse_gains(self) -> None:
        """Raise `InputError` if a cell's other move is better than the move that is made in it."""
        banker: dict[BankerCell, Fraction] = defaultdict(Fraction)
        player: dict[PlayerCell, Fraction] = defaultdict(Fraction)
        for at, cell, draws, nets, wins in self._coups():
            if at[0] == "*":
                loses = nets[0] - nets[1] + self.rate * (wins[0] - wins[1])
                banker[at[1]] += loses * self._player_does(cell, draws)
            if cell is not None:
                q = self._banker_draws(at)
                player[cell] += (1 if draws else -1) * ((1 - q) * nets[0] + q * nets[1])
        _refuse_better(player, self.stated.player, "Player", self.net.deals)
        _refuse_better(banker, self.stated.banker, "Banker", self.net.deals)

    def refuse_profits(self) -> None:
        """Raise `InputError` if a profit is not the certificate's."""
        net, wins = Fraction(self.net.naturals), Fraction(self.won.naturals)
        for at, cell, draws, nets, won in self._coups():
            p, q = self._player_does(cell, draws), self._banker_draws(at)
            net += p * ((1 - q) * nets[0] + q * nets[1])
            wins += p * ((1 - q) * won[0] + q * won[1])
        house = self.rate * wins
        stated = (self.stated.to_player, self.stated.to_banker, self.stated.to_house)
        for side, profit, value in zip(_SIDES, (net, -net - house, house), stated, strict=True):
            if isinstance(value, bool | float) or value != profit / self.net.deals:
                raise InputError(f"certificate: profit {value!s} to {side}, should be {profit / self.net.deals}")


def _refuse_better(gains: Mapping[Cell, Fraction], draws: Mapping[Cell, Fraction], side: str, deals: int) -> None:
    """`gains`: what drawing in each cell is worth to its side beyond standing."""
    for cell, gain in gains.items():
        if (gain > 0 and draws[cell] != 1) or (gain < 0 and draws[cell] != 0):
            move = "drawing" if gain > 0 else "standing"
            raise InputError(
                f"certificate: {side} gains {abs(gain) / deals} on {cell} by {move}, should gain by no other move"
            )


def _banker_wins(difference: int) -> int:
    return int(difference < 0)
