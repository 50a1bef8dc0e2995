"""A certificate of an equilibrium under a commission, and its check. The check deals the cards again in plain Python,
once for what Player wins and once for Banker's wins, without the solver's code."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from counting.cards import Shoe, as_shoe
from counting.chemin.certificate import Cell, CheminDeals, dealt_again, refuse_other_kind, refuse_values, sign
from counting.chemin.rules import CLASSICAL, BankerCell, CheminRules, PlayerCell, part
from counting.errors import InputError


@dataclass(frozen=True)
class CommissionCertificate:
    """A strategy of each side: the probability of drawing in each cell that has a choice and that the shoe can deal.

    `to_player`, `to_banker` and `to_house` are the expected profits per unit staked, pushes included. Banker's profit
    is after the commission, which goes to the house. The three profits add up to 0.
    """

    commission: Fraction
    player: Mapping[PlayerCell, Fraction]
    banker: Mapping[BankerCell, Fraction]
    to_player: Fraction
    to_banker: Fraction
    to_house: Fraction


def check_commission(
    certificate: CommissionCertificate, shoe: Shoe | str, model: str = "B3", rules: CheminRules = CLASSICAL
) -> None:
    """Deal the cards again, and raise `InputError` if a side gains by another choice in any of its cells, or if a
    profit differs from the certificate's.

    Each side chooses at most once per coup, so a side that gains in no cell gains by no other strategy. Raises
    `InputError` for an invalid strategy too, as `check_certificate` does, and for a commission that is not a share.
    """
    shoe = as_shoe(shoe)
    again = _CommissionRedeal(shoe, model, rules, certificate)
    again.refuse_gains()
    again.refuse_profits()


class _CommissionRedeal:
    """The coups dealt again, with the strategies of a certificate."""

    def __init__(self, shoe: Shoe, model: str, rules: CheminRules, certificate: CommissionCertificate) -> None:
        self.net, self.won = (dealt_again(shoe, model, rules, score) for score in (sign, _banker_wins))
        refuse_other_kind(certificate, CommissionCertificate)
        self.stated, self.rate = certificate, part(certificate.commission, "commission", "", whole=False)
        self.net.refuse(certificate)
        self.player_scale, self.moves = self.net.moves(certificate.player)
        self.banker_scale, self.draws = self.net.draws_in(certificate.banker)

    def refuse_gains(self) -> None:
        """Raise `InputError` if a side would gain by the other move in one of its cells."""
        banker: dict[BankerCell, int] = defaultdict(int)
        player: dict[PlayerCell, int] = defaultdict(int)
        a, b = self.rate.numerator, self.rate.denominator
        for _, (cell, draws), worth in self.net.weighed(self.draws, self.banker_scale):
            if cell is not None:
                player[cell] += worth if draws else -worth
        for at, moves in self.net.net.items():
            for move, (if_stands, if_draws) in moves.items() if at[0] == "*" else ():
                stood, drew = self.won.net[at][move]
                banker[at[1]] += (b * (if_stands - if_draws) + a * (stood - drew)) * self.moves[move]
        _refuse_better(player, self.stated.player, "Player", self.net.deals * self.banker_scale)
        _refuse_better(banker, self.stated.banker, "Banker", self.net.deals * self.player_scale * b)

    def refuse_profits(self) -> None:
        """Raise `InputError` if a profit differs from the certificate's profit."""
        to_player, to_house = self._expected(self.net), self.rate * self._expected(self.won)
        refuse_values(
            "profit",
            {"to player": self.stated.to_player, "to banker": self.stated.to_banker, "to house": self.stated.to_house},
            {"to player": to_player, "to banker": -to_player - to_house, "to house": to_house},
        )

    def _expected(self, dealt: CheminDeals) -> Fraction:
        """The mean of what a coup is worth in `dealt`."""
        scale = self.player_scale * self.banker_scale
        worth = sum(self.moves[moves] * part for _, moves, part in dealt.weighed(self.draws, self.banker_scale))
        return Fraction(dealt.naturals * scale + worth, dealt.deals * scale)


def _refuse_better(gains: Mapping[Cell, int], draws: Mapping[Cell, Fraction], side: str, scale: int) -> None:
    """Raise `InputError` if a side would gain by another move. `gains`: how much more drawing in each cell is worth to
    the side than standing, times `scale`."""
    for cell, gain in gains.items():
        if (gain > 0 and draws[cell] != 1) or (gain < 0 and draws[cell] != 0):
            move = "drawing" if gain > 0 else "standing"
            by = f"{Fraction(abs(gain), scale)} on {cell} by {move}"
            raise InputError(f"certificate: {side} gains {by}, should gain by no other move")


def _banker_wins(difference: int) -> int:
    return int(difference < 0)
