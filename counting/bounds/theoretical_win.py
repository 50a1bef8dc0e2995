"""Theoretical win (theo): what ordinary players are expected to lose per coup. The theo that a rule gives up is what
the rule costs the casino.

An earlier cut card costs coups. A limit on side bets costs the win on the part of each side bet above the limit. A
main-bet requirement costs the win on the part of each side bet above what the player's main bet allows. Ordinary
players are assumed to bet on every coup. Half of their main bets are on Player and half on Banker, and each main bet
has the average size. If the game has only one of these two bets, all main bets are on it. The sizes of side bets have
an exponential distribution. If a player's side bet is above the largest that the rule allows, the player is assumed to
lower it to that size. A player who raises the main bet instead is worth more to the casino."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import exp, inf

from counting.bounds.terms import Terms
from counting.cards import Shoe
from counting.errors import InputError, positive_real, real, whole_field
from counting.exact import exact_edges
from counting.games import Game
from counting.numbers import stated
from counting.sweep import Plan

MOST_PLAYERS = 100
_MOST_BET = 10**12


@dataclass(frozen=True)
class Patronage:
    """Ordinary players at a table: their number, and each player's average main bet and average side bet on a coup, in
    money.

    Raises `InputError` for numbers out of range, and for an average side bet of 0."""

    players: int = 6
    main_bet: float = 50.0
    side_bet: float = 10.0

    def __post_init__(self) -> None:
        whole_field(self, "players", "--players", 1, MOST_PLAYERS)
        real(self.main_bet, "main_bet", 0, _MOST_BET)
        positive_real(self.side_bet, "side_bet", _MOST_BET)

    def __str__(self) -> str:
        who = "1 player" if self.players == 1 else f"{self.players} players, each"
        return f"{who} with a main bet of {stated(self.main_bet)} and a side bet of {stated(self.side_bet)} on average"


def ordinary_main_bets(game: Game, main: tuple[str, ...]) -> tuple[str, ...]:
    """The main bets of ordinary players, in equal parts: the game's bets on Player and on Banker or, if the game has
    neither, `main`. Raises `InputError` if there are none."""
    mains = tuple(game.main_bets[on] for on in ("player", "banker") if on in game.main_bets) or main
    if not mains:
        raise InputError(
            f"{game.name}: no main bet, should have a bet on Player or on Banker: theoretical win is what ordinary "
            "players lose on main bets and side bets"
        )
    return mains


@dataclass(frozen=True)
class TheoreticalWin:
    """The theoretical win per coup of a game, at tables with the rules that `terms` gives."""

    patronage: Patronage
    plan: Plan
    terms: Terms

    @cached_property
    def _house_edges(self) -> Mapping[str, float]:
        game = self.plan.game.also(self.terms.bets)
        edges = exact_edges(game.only((*self.terms.bets, *self.main_bets)), Shoe.decks(self.plan.dealing.decks))
        return {name: -float(edge) for name, edge in edges.items()}

    @cached_property
    def main_bets(self) -> tuple[str, ...]:
        return ordinary_main_bets(self.plan.game, self.terms.main)

    @property
    def of_main_bets(self) -> float:
        """The theoretical win of the main bets, in money per coup."""
        edge = sum(self._house_edges[name] for name in self.main_bets) / len(self.main_bets)
        return self.patronage.players * self.patronage.main_bet * edge

    def of_side_bets(self, bets: Sequence[str], tie_in: float, most_bet: float | None) -> float:
        """The theoretical win of side bets, in money per coup, under a requirement and a largest bet. Several side bets
        are made together."""
        allowed = self._allowed(tie_in, most_bet)
        average = self.patronage.side_bet
        staked = average * (1 - exp(-allowed / average))  # the mean of the lesser of the player's bet and `allowed`
        return self.patronage.players * staked * sum(self._house_edges[name] for name in bets)

    def _allowed(self, tie_in: float, most_bet: float | None) -> float:
        """The largest side bet of a player with the average main bet. With a `most_bet`, a result below the least side
        bet is replaced by 0."""
        main, table = self.patronage.main_bet, self.terms.table
        allowed = min(
            inf if most_bet is None else most_bet,
            main / tie_in if tie_in else inf,
            inf if table.side_share is None else float(table.side_share) * main,
        )
        return 0.0 if allowed < float(table.least_bet) and most_bet is not None else allowed

    def per_coup(self, bets: Sequence[str], tie_in: float, most_bet: float | None) -> float:
        """The theoretical win of the main bets and these side bets together, in money per coup."""
        return self.of_main_bets + self.of_side_bets(bets, tie_in, most_bet)
