"""What errors of dealing and paying cost: the exact change of the patron's expectation, for each kind of error.

A wrong third card is priced at the moment of the error. All cards seen before the coup are known, and so are the coup's
cards up to the error. Every other card of the shoe is equally likely to come next. The change is the expectation after
the wrong move, if the rules are followed from then on, less the expectation of play by the rules throughout. Each
expectation is an exact sum over at most two further cards. How much an error changed the pay of the hands as dealt
depends on the luck of the cards. The mean of this amount is the change of the expectation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from counting.arrays import Ints
from counting.cards import SUITS, WIDTH, Knows
from counting.exact import required_detail
from counting.games import STOOD, Bet, Game, Tableau
from counting.games.hands import first_met
from counting.logs import NO_CARD, UNREAD, Log, coup_rows
from counting.review.dealing.payments import known_bet
from counting.review.hand_lines import card_of_code
from counting.review.hands import VALUE
from counting.review.unseen_cards import KIND, UnseenCards

DRAWN, NOT_DRAWN, RECORDED, WINNER, ODDS, COMMISSION, PAID, SIZE = (
    "card-drawn", "card-not-drawn", "winner-recorded", "winner-paid", "odds", "commission", "paid-otherwise",
    "hand-size",
)  # fmt: skip
KINDS = {
    DRAWN: "a third card drawn that should not be",
    NOT_DRAWN: "a third card not drawn",
    RECORDED: "a wrong winner recorded (the money counts only bets without a recorded result)",
    WINNER: "paid as if another hand had won",
    ODDS: "a win paid at wrong odds",
    COMMISSION: "commission not taken",
    PAID: "another wrong payment: a loss paid or not taken, or a win not paid",
    SIZE: "a hand of one card, or of more than three",
}
_KIND_OF = {
    "natural": DRAWN, "player-stands": DRAWN, "banker-stands": DRAWN, "player-draws": NOT_DRAWN,
    "banker-draws": NOT_DRAWN, "hand-size": SIZE, "winner": RECORDED,
}  # fmt: skip
COSTS = {
    "kind": pl.String, "errors": pl.Int64, "priced": pl.Int64, "player": pl.Float64, "banker": pl.Float64,
    "expected": pl.Float64, "dealt": pl.Float64,
}  # fmt: skip
MOST = 5000  # the most errors of dealing that are priced
_OPEN_BET = "a bet has an unknown name, or needs ranks or suits that were not logged"
_EVEN = Fraction(1)
_NONE = -1  # stands for no third card
_MOST_COMMISSION = Fraction(1, 10)
_MAINS = ("player", "banker")
# One card of each kind, for each level of detail in which cards may be known.
_CARD_OF: Mapping[Knows, Ints] = {
    "value": len(SUITS) * ((np.arange(10) - 1) % 10), "rank": len(SUITS) * np.arange(13), "card": np.arange(52),
}  # fmt: skip


class Change(NamedTuple):
    """What an error changes for the patron, per unit staked.

    - `rules`: the expectation of play by the rules, given the cards known until the error
    - `error`: the expectation after the error
    - `dealt`: the pay of the hands as dealt. If Player's error is followed by an error of Banker's third card, it is
      the expectation just before the second error instead.

    If the wrong winner was recorded, `rules` is the pay for the hands as dealt, and both `error` and `dealt` are the
    pay for the recorded winner."""

    rules: Fraction
    error: Fraction
    dealt: Fraction


@dataclass(frozen=True)
class ErrorCosts:
    """What errors cost, for each kind of error.

    `rows` has the columns of `COSTS`:

    - `errors`: how many errors there are; `priced`: how many of these are priced
    - `player` and `banker`: the mean change of the patron's expectation per unit on Player and on Banker
    - `expected`: the change of the patrons' expectation in the log's money, summed over the bets on the coups with
      errors. If it is above 0, the patrons gain. A wrong winner counts only for bets without a result, and a wrong
      payout counts in full.
    - `dealt`: the same sum, but with the pay of the hands as dealt in place of the expectation after the error

    `reasons`: why errors, or bets on coups with errors, are not priced, and how many are not priced for each reason."""

    rows: pl.DataFrame
    reasons: Mapping[str, int]


def costs_of_errors(log: Log, game: Game, unseen: UnseenCards, errors: pl.DataFrame) -> ErrorCosts:
    """What the errors of a log cost. `errors` is a result of `dealing_errors`, and `unseen` has the log's unseen
    cards."""
    sums = {kind: _Sum() for kind in KINDS}
    reasons: Counter[str] = Counter()
    wrong = errors.filter(pl.col("rule").is_in([*_KIND_OF]))
    coups = _Coups(log, game, unseen, wrong)
    for number, (row, rule) in enumerate(zip(coups.rows.tolist(), wrong["rule"], strict=True)):
        kind = sums[_KIND_OF[rule]]
        kind.errors += 1
        if number >= MOST:
            reasons[f"the error is not among the first {MOST:,}"] += 1
        elif rule == "hand-size":
            reasons["a hand has a wrong size, so the rules do not say how the coup goes on"] += 1
        elif reason := coups.open(row, rule):
            reasons[reason] += 1
        else:
            changes, staked = coups.changes(row, rule), coups.staked(row, only_open=rule == "winner")
            kind.priced += 1
            kind.add(changes, staked)
            if lacking := sum(bet not in changes for bet, _ in staked):
                reasons[_OPEN_BET] += lacking
    for row in _payments(log, game, errors).iter_rows(named=True):
        kind = sums[row["kind"]]
        kind.errors, kind.priced = kind.errors + 1, kind.priced + 1
        kind.expected, kind.dealt = kind.expected + row["off"], kind.dealt + row["off"]
    rows = [(name, *each.row(bool(log.bets.height))) for name, each in sums.items() if each.errors]
    return ErrorCosts(pl.DataFrame(rows, COSTS, orient="row"), dict(reasons))


class _Sum:
    """Sums over the errors of one kind."""

    def __init__(self) -> None:
        self.errors = self.priced = 0
        self.mains: dict[str, list[Fraction]] = {name: [] for name in _MAINS}
        self.expected = self.dealt = 0.0

    def add(self, changes: Mapping[str, Change], staked: Sequence[tuple[str, int]]) -> None:
        for name, of_main in self.mains.items():
            if name in changes:
                of_main.append(changes[name].error - changes[name].rules)
        for bet, amount in staked:
            if bet in changes:
                change = changes[bet]
                self.expected += float(amount * (change.error - change.rules)) / 100
                self.dealt += float(amount * (change.dealt - change.rules)) / 100

    def row(self, with_money: bool) -> tuple[int, int, float | None, float | None, float | None, float | None]:
        player, banker = (float(sum(each) / len(each)) if each else None for each in self.mains.values())
        money = (self.expected, self.dealt) if with_money and self.priced else (None, None)
        return self.errors, self.priced, player, banker, *money


class _Coups:
    """The coups of a log that have errors, with their bets and their unseen cards."""

    def __init__(self, log: Log, game: Game, unseen: UnseenCards, wrong: pl.DataFrame) -> None:
        self.log, self.game, self.unseen, self.tableau = log, game, unseen, game.tableau.fixed
        name = log.coups.schema["table"]
        self.rows = coup_rows(wrong.with_columns(pl.col("table", "shoe").cast(name)), log.coups)
        self.rules = {(row, rule) for row, rule in zip(self.rows.tolist(), wrong["rule"], strict=True)}
        self._staked: dict[int, list[tuple[str, int, bool]]] = {}
        at = log.bet_rows if len(self.rows) else np.zeros(0, np.int32)
        some = np.flatnonzero(np.isin(at, self.rows))
        for row, bet, amount, won in zip(
            at[some].tolist(), *log.bets[some].select("bet", "amount", "won"), strict=True
        ):
            self._staked.setdefault(row, []).append((self._name(str(bet)), amount, won is None))
        self._of_shoe = lru_cache(maxsize=len(WIDTH))(self._left_in)

    def staked(self, row: int, only_open: bool = False) -> list[tuple[str, int]]:
        """The bets on a coup with their amounts. With `only_open`, only the bets without a result."""
        return [(bet, amount) for bet, amount, is_open in self._staked.get(row, []) if is_open or not only_open]

    def _name(self, bet: str) -> str:
        on = {name: on for on, name in self.game.main_bets.items()}
        return on.get(self.game.main_bet(bet), bet)

    def open(self, row: int, rule: str) -> str:
        """Why an error cannot be priced. Empty if it can."""
        if (self.unseen.codes[row] == UNREAD).any():
            return "a card of the coup was not read"
        if rule == "winner":
            recorded = str(self.log.coups["winner"][row])
            return "" if self._by_winner(recorded) else "what the recorded winner pays depends on more than the winner"
        return "" if self._left(row, "value") is not None else "the cards seen cannot all be from this shoe"

    def _left(self, row: int, knows: Knows) -> Ints | None:
        """How many cards of each kind are left before a coup.

        The result is None if these cards, or the coup's cards, are not known in this detail or cannot be from this
        shoe."""
        first, left, priced = self._of_shoe(int(self.unseen.shoe[row]), knows)
        dealt = KIND[knows][self.unseen.codes[row][self.unseen.codes[row] >= 0]]
        if not priced[row - first] or (dealt >= WIDTH[knows]).any():
            return None
        before: Ints = left[row - first].astype(np.int64)
        return before if (np.bincount(dealt, minlength=WIDTH[knows]) <= before).all() else None

    def _left_in(self, shoe: int, knows: Knows) -> tuple[int, NDArray[np.int32], NDArray[np.bool_]]:
        """Three values: the first row of a shoe and, for each coup of the shoe, the cards left before it and whether
        bets can be priced."""
        rows = self.unseen.rows(shoe, shoe + 1)
        left = self.unseen.left_in(rows, knows)
        return rows.start, left, self.unseen.priced_in(rows, knows, left)

    def _wanted(self, row: int) -> Iterator[tuple[str, Bet]]:
        """The bets to price on a coup: Player and Banker, then the other bets with stakes."""
        for name in _MAINS:
            if name in self.game.main_bets:
                yield name, self.game.bet(self.game.main_bets[name])
        for name in dict.fromkeys(name for name, _ in self.staked(row)):
            bet = None if name in _MAINS else known_bet(name, self.game)
            if bet is not None:
                yield name, bet

    def changes(self, row: int, rule: str) -> dict[str, Change]:
        """What an error changes, for each bet that can be priced."""
        if rule == "winner":
            return self._of_winner(row)
        state, changed = DealtCoup(self.unseen.codes[row], self.tableau), {}
        later = rule.startswith("player") and bool({(row, "banker-draws"), (row, "banker-stands")} & self.rules)
        left: dict[Knows, Ints | None] = {}
        for name, bet in self._wanted(row):
            knows = required_detail(bet)
            if knows not in left:
                left[knows] = self._left(row, knows)
            if (before := left[knows]) is not None:
                changed[name] = state.change(bet, rule, knows, before, later)
        return changed

    def _by_winner(self, winner: str) -> dict[str, Fraction]:
        """What Player and Banker pay if this is the winner. A bet whose pay does not depend on the winner alone is left
        out."""
        pays = {
            name: self.game.bet(self.game.main_bets[name]).may_pay(self.game.tableau.by_winner[winner])
            for name in _MAINS if name in self.game.main_bets
        }  # fmt: skip
        return {name: next(iter(some)) for name, some in pays.items() if len(some) == 1}

    def _of_winner(self, row: int) -> dict[str, Change]:
        state = DealtCoup(self.unseen.codes[row], self.tableau)
        changed = {}
        for name, paid in self._by_winner(str(self.log.coups["winner"][row])).items():
            due = state.pays(self.game.bet(self.game.main_bets[name]))
            changed[name] = Change(due, paid, paid)
        return changed


class _Moves(NamedTuple):
    """The moves of the two hands in a coup: whether Player draws, and whether Banker draws. None means that the rules
    decide. `third` is the kind of Player's third card, if it is known."""

    player: bool | None
    banker: bool | None
    third: int | None = None


class DealtCoup:
    """A dealt coup without an unread card, given by the codes at its six places. It works out what the coup's errors
    change for a bet."""

    def __init__(self, codes: NDArray[np.int8], tableau: Tableau) -> None:
        self.codes, self.tableau = codes, tableau
        values = VALUE[codes + 2].astype(int).tolist()
        self.totals = (values[0] + values[1]) % 10, (values[3] + values[4]) % 10
        self.drew = bool(codes[2] != NO_CARD), bool(codes[5] != NO_CARD)

    def change(self, bet: Bet, rule: str, knows: Knows, before: Ints, later: bool = False) -> Change:
        """What a wrong third card changes for a bet. `before` says how many cards of each kind are left before the
        coup.

        With `later`, Banker's third card is wrong too. `Change.dealt` of the first error is then the expectation just
        before Banker's error."""
        left = before.copy()
        np.subtract.at(left, KIND[knows][self.codes[[0, 1, 3, 4]]], 1)
        third = int(KIND[knows][self.codes[2]]) if self.drew[0] else None
        of_player = _Moves(None, None), _Moves(self.drew[0], self.drew[1] if rule == "natural" else None)
        of_banker = _Moves(self.drew[0], None, third), _Moves(*self.drew, third)
        rules, error = (
            self._worth(bet, knows, left, moves) for moves in (of_banker if rule.startswith("banker") else of_player)
        )
        return Change(rules, error, self._worth(bet, knows, left, of_banker[0]) if later else self.pays(bet))

    def _worth(self, bet: Bet, knows: Knows, left: Ints, moves: _Moves) -> Fraction:
        """The expectation of a bet after these moves. `left` says how many cards of each kind are left after the first
        four cards."""
        draws = self.tableau.player_draws(*self.totals) if moves.player is None else moves.player
        thirds = [_NONE] if not draws else np.flatnonzero(left).tolist() if moves.third is None else [moves.third]
        ends, ways = [], []
        for third in thirds:
            rest = left.copy()
            if third != _NONE:
                rest[third] -= 1
            taken = STOOD if third == _NONE else int(VALUE[_CARD_OF[knows][third] + 2])
            goes_on = self.tableau.banker_draws(*self.totals, taken) if moves.banker is None else moves.banker
            fourths = np.flatnonzero(rest) if goes_on else np.array([_NONE])
            ends.append(np.stack([np.full(len(fourths), third), fourths]))
            ways.append(
                (1 if third == _NONE else left[third]) * (rest[fourths] if goes_on else rest.sum(keepdims=True))
            )
        kinds, of_end = np.concatenate(ends, axis=1), np.concatenate(ways)
        lines = self._lines(bet, *np.where(kinds == _NONE, -1, _CARD_OF[knows][kinds]))
        by_line = np.zeros(len(bet.pays) + 1, np.int64)
        np.add.at(by_line, lines, of_end)
        pays = [*(line.pay for line in bet.pays), Fraction(-1)]
        return sum((n * pay for n, pay in zip(by_line.tolist(), pays, strict=True)), Fraction()) / int(of_end.sum())

    def pays(self, bet: Bet) -> Fraction:
        """The pay of the hands as dealt."""
        thirds = [
            np.array([-1 if self.codes[at] == NO_CARD else int(card_of_code(self.codes[[at]])[0])]) for at in (2, 5)
        ]
        line = int(self._lines(bet, *thirds)[0])
        return bet.pays[line].pay if line < len(bet.pays) else Fraction(-1)

    def _lines(self, bet: Bet, thirds: Ints, fourths: Ints) -> Ints:
        first = [np.full(len(thirds), card) for card in card_of_code(self.codes[[0, 1, 3, 4]])]
        return first_met(bet.conditions, [*first[:2], thirds], [*first[2:], fourths])


def _payments(log: Log, game: Game, errors: pl.DataFrame) -> pl.DataFrame:
    """The wrong payouts, each with its `kind` and the overpayment `off`."""
    paid = errors.filter(rule="payment", file="bets")
    bets = log.bets_on(paid["line"]).select("line", "bet", "amount", "won")
    wrong = paid.join(bets, on="line", how="left", maintain_order="left")
    kinds = [_kind_of_payment(game, row) for row in wrong.iter_rows(named=True)]
    return wrong.select("off").with_columns(kind=pl.Series(kinds, dtype=pl.String))


def _kind_of_payment(game: Game, row: Mapping[str, Any]) -> str:
    won, amount = row["won"], row["amount"]
    due = won - round(100 * row["off"])
    if due > 0 and won > 0:
        short = _EVEN - Fraction(due, amount)
        is_commission = won == amount and 0 < short <= _MOST_COMMISSION
        return COMMISSION if is_commission else ODDS
    pays = _pays_by_winner(game, game.main_bet(row["bet"]))
    as_due = {pay for some in pays if _has(some, due, amount) for pay in some}
    return WINNER if _has({pay for some in pays for pay in some} - as_due, won, amount) else PAID


@lru_cache(maxsize=64)
def _pays_by_winner(game: Game, bet: str) -> list[set[Fraction]]:
    """For each winner, the pays that a main bet may have. Empty for any other bet, because a wrong pay of another bet
    is not explained by a wrong winner."""
    if bet not in game.main_bets.values():
        return []
    return [game.bet(bet).may_pay(outcomes) for outcomes in game.tableau.by_winner.values()]


def _has(pays: Iterable[Fraction], paid: int, amount: int) -> bool:
    """Whether one of these pays gives the paid amount, to within a hundredth."""
    return any(abs(paid - pay * amount) < 1 for pay in pays)
