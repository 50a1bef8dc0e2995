"""A certificate of an equilibrium under a commission, and its check: the cards are dealt again in plain Python, once
for what Player wins and once for Banker's wins, without the solver's code."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from counting.cards import Shoe
from counting.chemin.certificate import Cell, dealt_again, sign, whole
from counting.chemin.rules import CLASSICAL, BankerCell, PlayerCell, Rules, part
from counting.errors import InputError

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
        self.net, self.won = (dealt_again(shoe, model, rules, score) for score in (sign, _banker_wins))
        if not isinstance(certificate, CommissionCertificate):
            raise InputError(f"certificate: {certificate!r}, should be a CommissionCertificate")
        self.stated, self.rate = certificate, part(certificate.commission, "commission", "", whole=False)
        self.net.refuse(certificate.player, certificate.banker)
        self.player_scale, self.player = whole(certificate.player)
        self.banker_scale, self.banker = whole(certificate.banker)

    def _coups(self) -> Iterator[tuple[tuple[str, BankerCell], PlayerCell | None, bool, list[int], list[int]]]:
        """Banker's cell with its letter, Player's cell and move, and for Banker's standing and drawing what Player wins
        net and how often Banker wins."""
        for at, moves in self.net.net.items():
            for (cell, draws), nets in moves.items():
                yield at, cell, draws, nets, self.won.net[at][cell, draws]

    def _player_does(self, cell: PlayerCell | None, draws: bool) -> int:
        """The probability of the move, times the strategy's common denominator."""
        p = self.player_scale if cell is None else self.player[cell]
        return p if draws or cell is None else self.player_scale - p

    def _banker_does(self, at: tuple[str, BankerCell]) -> tuple[int, int]:
        """The same of standing, and of drawing."""
        q = self.banker[at[1]] if at[0] == "*" else self.banker_scale * (at[0] == "D")
        return self.banker_scale - q, q

    def refuse_gains(self) -> None:
        """Raise `InputError` if a cell's other move is better than the move that is made in it."""
        banker: dict[BankerCell, int] = defaultdict(int)
        player: dict[PlayerCell, int] = defaultdict(int)
        a, b = self.rate.numerator, self.rate.denominator
        for at, cell, draws, nets, wins in self._coups():
            if at[0] == "*":
                loses = b * (nets[0] - nets[1]) + a * (wins[0] - wins[1])
                banker[at[1]] += loses * self._player_does(cell, draws)
            if cell is not None:
                stands, q = self._banker_does(at)
                player[cell] += (1 if draws else -1) * (stands * nets[0] + q * nets[1])
        _refuse_better(player, self.stated.player, "Player", self.net.deals * self.banker_scale)
        _refuse_better(banker, self.stated.banker, "Banker", self.net.deals * self.player_scale * b)

    def refuse_profits(self) -> None:
        """Raise `InputError` if a profit is not the certificate's."""
        scale = self.player_scale * self.banker_scale
        net, wins = self.net.naturals * scale, self.won.naturals * scale
        for at, cell, draws, nets, won in self._coups():
            p, (stands, q) = self._player_does(cell, draws), self._banker_does(at)
            net += p * (stands * nets[0] + q * nets[1])
            wins += p * (stands * won[0] + q * won[1])
        to_player = Fraction(net, self.net.deals * scale)
        to_house = self.rate * Fraction(wins, self.net.deals * scale)
        stated = (self.stated.to_player, self.stated.to_banker, self.stated.to_house)
        for side, profit, value in zip(_SIDES, (to_player, -to_player - to_house, to_house), stated, strict=True):
            if isinstance(value, bool | float) or value != profit:
                raise InputError(f"certificate: profit {value!s} to {side}, should be {profit}")


def _refuse_better(gains: Mapping[Cell, int], draws: Mapping[Cell, Fraction], side: str, scale: int) -> None:
    """`gains`: what drawing in each cell is worth to its side beyond standing, times `scale`."""
    for cell, gain in gains.items():
        if (gain > 0 and draws[cell] != 1) or (gain < 0 and draws[cell] != 0):
            move = "drawing" if gain > 0 else "standing"
            by = f"{Fraction(abs(gain), scale)} on {cell} by {move}"
            raise InputError(f"certificate: {side} gains {by}, should gain by no other move")


def _banker_wins(difference: int) -> int:
    return int(difference < 0)
