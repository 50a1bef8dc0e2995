"""What a hand's choices are worth to each bet, exactly, if the rules let the hand draw or stand.

A hand chooses by its two-card total, and Banker also by Player's third card. Each case in which a hand has to choose is
a cell. Two cells of one hand never occur in the same coup. So a bet's edge is affine in the moves of Player's cells,
and in the moves of Banker's cells. The edge is the sum of three parts:

- the edge if every cell stands,
- what drawing in each cell adds,
- what drawing in two cells, one of Player's and one of Banker's, adds beyond what drawing in each of them adds.

With p cells of Player's and b cells of Banker's, the parts follow from the edges of (1 + p) (1 + b) tableaux, in which
at most one cell of each hand draws. The edges for all other moves are sums of the parts. For given moves of Player,
Banker's best move in a cell does not depend on Banker's other cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import lcm
from pathlib import Path

from counting.cards import Shoe
from counting.errors import InputError, Mistakes
from counting.exact.known_cards import KnownCards
from counting.exact.one_shoe import price_shoe
from counting.games import Choice, Game, as_game

Moves = dict[Choice, bool]  # whether the hand draws


@dataclass(frozen=True)
class BestPlay:
    """A bet's edge with the moves that are best for the bet. `moves` says, for each cell with a choice, whether the
    hand draws."""

    edge: Fraction
    moves: Moves


@dataclass(frozen=True, eq=False)
class ChoiceWorth:
    """The choices of a game on one shoe. `taken` has the moves that prices assume. `prices` has a table of edges for
    each bet. In row 0 none of Player's cells draws; in each later row one of them does. In column 0 none of Banker's
    cells draws; in each later column one of them does. All other cells stand."""

    game: Game
    taken: Moves
    prices: Mapping[str, list[list[Fraction]]]

    @cached_property
    def cells(self) -> tuple[list[Choice], list[Choice]]:
        """Player's cells with a choice, and Banker's."""
        return ([c for c in self.taken if c.hand == "player"], [c for c in self.taken if c.hand == "banker"])

    def edge(self, bet: str, moves: Mapping[Choice, bool] | None = None) -> Fraction:
        """The edge of one of the game's bets with these moves. A cell that is missing from `moves` makes its move in
        `taken`. Errors are as for `with_choices`."""
        _check_moves(self.game, moves or {})
        table, denominator = self._whole[bet]
        every = {**self.taken, **(moves or {})}
        players = [every[cell] for cell in self.cells[0]]
        base, *adds = _column_sums(table, players)
        drawn = (add for cell, add in zip(self.cells[1], adds, strict=True) if every[cell])
        return Fraction(base + sum(drawn), denominator)

    def best(self, bet: str, side: str = "both") -> BestPlay:
        """The largest edge that the choices of one hand, or of both hands together, can give a bet. If two moves are
        worth the same, the move of `taken` is kept."""
        table, denominator = self._whole[bet]
        players, bankers = self.cells
        taken = tuple(self.taken[cell] for cell in players)
        free = [(draws, not draws) if side != "banker" else (draws,) for draws in taken]
        best: tuple[int, Moves] | None = None
        for moves in product(*free):  # the moves of `taken` come first
            base, *adds = _column_sums(table, moves)
            answer = {
                cell: add > 0 if add and side != "player" else self.taken[cell]
                for cell, add in zip(bankers, adds, strict=True)
            }
            value = base + sum(add for cell, add in zip(bankers, adds, strict=True) if answer[cell])
            if best is None or value > best[0]:
                best = value, {**dict(zip(players, moves, strict=True)), **answer}
        assert best is not None
        return BestPlay(Fraction(best[0], denominator), best[1])

    @cached_property
    def _whole(self) -> dict[str, tuple[list[list[int]], int]]:
        """What the draws add to each bet's edge, as whole numbers over a common denominator. In the first row no cell
        of Player's draws, and in the first column no cell of Banker's does. So the first entry of the first row is the
        edge if all cells stand."""
        parts = {}
        for bet, edges in self.prices.items():
            denominator = lcm(*(edge.denominator for row in edges for edge in row))
            counts = [[int(edge * denominator) for edge in row] for row in edges]
            rows = [[row[0], *(n - row[0] for n in row[1:])] for row in counts]
            table = [rows[0], *([n - m for n, m in zip(row, rows[0], strict=True)] for row in rows[1:])]
            parts[bet] = table, denominator
        return parts


def _column_sums(table: list[list[int]], draws: list[bool] | tuple[bool, ...]) -> list[int]:
    """The first row plus the rows of the cells that draw, column by column."""
    rows = [table[0], *(row for row, drawn in zip(table[1:], draws, strict=True) if drawn)]
    return [sum(column) for column in zip(*rows, strict=True)]


def worth_of_choices(game: Game | str | Path, shoe: Shoe | str, known: KnownCards | str | None = None) -> ChoiceWorth:
    """Price a game's choices on one shoe. Raises `InputError` for a game without choices, and as `price_shoe` does."""
    game = as_game(game)
    taken = taken_moves(game)
    by_hand = [[c for c in taken if c.hand == hand] for hand in ("player", "banker")]
    prices: dict[str, list[list[Fraction]]] = {bet: [] for bet in game.bet_names}
    for player in _one_at_most(by_hand[0]):
        for rows in prices.values():
            rows.append([])
        for banker in _one_at_most(by_hand[1]):
            draws = {cell: cell in (player, banker) for cell in taken}
            for bet, edge in price_shoe(with_choices(game, draws), shoe, known).edges.items():
                prices[bet][-1].append(edge)
    return ChoiceWorth(game, taken, prices)


def _one_at_most(cells: list[Choice]) -> Iterator[Choice | None]:
    yield None
    yield from cells


def taken_moves(game: Game | str | Path) -> Moves:
    """The moves that prices assume for a game's choices. Raises `InputError` if the game has no choices."""
    game = as_game(game)
    if not game.tableau.choices:
        raise InputError(f"{game.name}: no hand has a choice, should be a game with the letter * in its tableau")
    return {choice: game.tableau.draws(choice) for choice in game.tableau.choices}


def _check_moves(game: Game, moves: Mapping[Choice, bool]) -> None:
    """Check that the cells are choices of the game, and that every move is true or false."""
    mistakes = Mistakes()
    for cell, draws in moves.items():
        if cell not in game.tableau.choices:
            allowed = "; ".join(map(str, game.tableau.choices)) or "left out: no hand has a choice"
            mistakes.append(f"{game.name}: {cell} is no choice, should be {allowed}")
        elif not isinstance(draws, bool):
            mistakes.append(f"{cell}: {draws!r}, should be True to draw or False to stand")
    mistakes.report()


def with_choices(game: Game | str | Path, moves: Mapping[Choice, bool]) -> Game:
    """The game with these moves for its choices; other choices keep their moves. Raises `InputError` for a cell that is
    no choice of the game, and for a move that is not true or false."""
    game = as_game(game)
    _check_moves(game, moves)
    return replace(game, tableau=game.tableau.playing(moves))
