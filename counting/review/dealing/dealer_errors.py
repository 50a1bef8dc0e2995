"""Dealing errors: whether a logged table was dealt and paid by the rules.

Whether a coup follows the rules depends on four figures: each hand's two-card total, and each hand's third card. A
figure may also be unknown, because a card was not read. The four figures put coups into 17,424 classes. Each class that
occurs in the log is judged once, for every value that an unread card may have had. An error is reported only if it is
an error for all of these values."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from counting.cards import MOST_DECKS
from counting.errors import InputError, whole
from counting.games import Game, Tableau, as_game
from counting.games.conditions import WINNERS
from counting.logs import NO_CARD, Log, card_name
from counting.numbers import many
from counting.review.dealing.error_rows import ERRORS, ErrorRows, rows_where
from counting.review.dealing.payments import Rounding, judge_bets
from counting.review.dealing.shoe_ends import ShoeEnds, judge_ends, judge_shoes
from counting.review.hands import DRAWS, NONE, RANK, SHAPE, CoupsShown, LoggedCoups, hand_class, slices
from counting.review.repeats import RARE, repeats_of
from counting.simulation import Dealing
from counting.workers import in_threads


def dealing_errors(
    log: Log, game: Game | str | Path, decks: int, dealing: Dealing | None = None, rounding: Rounding | None = None
) -> pl.DataFrame:
    """Dealing and payment errors against the rules of a game, one row for each error.

    The columns are:

    - `file` (coups or bets), `line`, `table`, `shoe` and `coup`
    - `rule`: one of `RULES`
    - `found`: a sentence that says what is wrong
    - `patron`: the patron, for an error in a bet
    - `off`: for a wrong payment, how far it is off, in money; above 0 for an overpayment

    The errors of coups come first, in the log's order, then the errors of bets. Errors are judged by these rules:

    - An error is not reported if it depends on an unread card. If a coup's cards contradict its recorded totals or
      pairs, its draws, winner and payments are not judged.
    - Draws, the winner and payments are judged if both hands have two or three cards. Banker's draw is judged by what
      Player did, rightly or not. Payments are judged by the dealt cards.
    - A card or rank that a shoe shows too often is reported at the coup where this first happens. A shoe that deals
      more cards than it has is also reported where this first happens. For this check, a coup that is not logged counts
      as four cards.
    - With `dealing`, a coup is checked against the cut card if every earlier coup of its shoe is logged. If it is not
      known how many cards were burned, the fewest possible are assumed. A shoe's end is checked if all of its coups are
      logged. In this check, an unknown number of burned cards counts as the most possible.
    - Without `dealing`, a shoe counts as ended early if it ended with at least a deck more left than its table's median
      shoe. The table must have five shoes or more with every coup logged. Its first and last shoe are not judged.
    - A win that is not a whole number of hundredths may be paid rounded either way. With `rounding`, wins must be
      rounded by that rule.

    Raises `InputError` if the number of decks is out of range, or differs from the number in `dealing`."""
    game = as_game(game)
    decks = whole(decks, "decks", 1, MOST_DECKS)
    if dealing is not None and dealing.decks != decks:
        raise InputError(f"decks: {decks}, should be {dealing.decks}, as in the dealing procedure")

    def judged(part: tuple[int, int]) -> tuple[pl.DataFrame, ShoeEnds, CoupsShown]:
        first, last = part
        coups, errors = LoggedCoups(log.coups[first:last], game.tableau), ErrorRows(first)
        _judge_hands(coups, errors)
        ends = judge_shoes(coups, decks, dealing, errors)
        return errors.frame(log.coups, "coups"), ends, coups.shown

    parts = list(in_threads(judged, slices(log.coups)))
    if not parts:
        return pl.DataFrame(schema=ERRORS)
    dealt, ends, shown = map(list, zip(*parts, strict=True))
    early = ErrorRows()
    judge_ends(ShoeEnds(*map(np.concatenate, zip(*ends, strict=True))), dealing, early)
    every = CoupsShown.joined(shown)
    dealt.append(early.frame(log.coups, "coups"))
    repeated = ErrorRows()
    _judge_repeats(log.coups, game.tableau, repeated)
    dealt.append(repeated.frame(log.coups, "coups"))
    paid = judge_bets(log, every, game, rounding)
    ordered = [pl.concat(each).sort("row", maintain_order=True).drop("row") for each in (dealt, paid) if each]
    every_error: pl.DataFrame = pl.concat(ordered)
    return every_error


def _judge_repeats(coups: pl.DataFrame, tableau: Tableau, errors: ErrorRows) -> None:
    """Report repeated coups if there are more than chance explains."""
    repeats = repeats_of(coups, tableau)
    if repeats.p <= RARE:
        errors.add("repeat", repeats.rows.tolist(), lambda row: "the same cards as the coup before: logged twice?")


def _judge_hands(coups: LoggedCoups, errors: ErrorRows) -> None:
    errors.add("hand-size", rows_where(~coups.sized), lambda row: _sizes(coups, row))
    for rule, wrong in (("record", ~coups.stale), ("stale-card", coups.stale)):
        errors.add(rule, rows_where(coups.contradicted & wrong), lambda row: _contradicted(coups, row))
    broken = np.zeros((np.prod(SHAPE), len(DRAWS)), np.bool_)
    possible = np.ones((np.prod(SHAPE), len(WINNERS)), np.bool_)
    for code, judged in coups.by_class():
        broken[code] = [rule in judged.broken for rule in DRAWS]
        won = {outcome.winner for outcome in judged.outcomes}
        possible[code] = [winner in won for winner in WINNERS]
    for rule, wrong in zip(DRAWS, broken.T, strict=True):
        rows = rows_where(wrong[coups.classes] & coups.judged)
        errors.add(rule, rows, lambda row, rule=rule: _drew(coups, row, rule))  # type: ignore[misc]
    for winner, may in zip(WINNERS, possible.T, strict=True):
        recorded = (coups.log["winner"] == winner).fill_null(False).to_numpy()
        errors.add("winner", rows_where(recorded & coups.judged & ~may[coups.classes]), lambda row: _won(coups, row))


def _sizes(coups: LoggedCoups, row: int) -> str:
    player, banker = (int((coups.codes[row, at : at + 3] != NO_CARD).sum()) for at in (0, 3))
    more = int(coups.more[row])
    if more and min(player, banker) == 3:
        return f"Player and Banker had {player + banker + more} cards together, should be two or three each"
    player, banker = player + more * (player == 3), banker + more * (banker == 3)
    return f"Player had {_cards(player)} and Banker {_cards(banker)}, should be two or three each"


def _contradicted(coups: LoggedCoups, row: int) -> str:
    """A sentence on what was recorded for the hands, and what their cards make."""
    parts = []
    for hand, name in enumerate(("player", "banker")):
        two, third = int(coups.totals[hand, row]), int(coups.thirds[hand, row])
        made = two if third == NONE else (two + third) % 10
        logged, pair = coups.log[f"{name}_total"][row], coups.log[f"{name}_pair"][row]
        if logged is not None and logged != made:
            parts.append(f"{name.title()} was recorded with {logged}, but the cards make {made}")
        elif pair is not None:
            is_pair = RANK[coups.codes[row, 3 * hand] + 2] == RANK[coups.codes[row, 3 * hand + 1] + 2]
            if pair != is_pair:
                cards, has = coups.hand(row, 3 * hand), "with" if pair else "without"
                parts.append(f"{name.title()} was recorded {has} a pair, but the cards are {cards}")
    if coups.stale[row]:
        left_over = "a third card is left over from the line before"
        return f"{', '.join(parts)}{'; ' if parts else ''}{left_over}: a fault of the record"
    return f"{', '.join(parts)}: a fault of the record"


def _cards(number: int) -> str:
    return many(number, "card")


def _drew(coups: LoggedCoups, row: int, rule: str) -> str:
    names = ("Player", "Banker")
    drew = [value != NONE for value in coups.thirds[:, row].tolist()]
    if rule == "natural":
        totals = zip(coups.totals[:, row].tolist(), coups.tableau.ending, strict=True)
        natural = [ends and total in (8, 9) for total, ends in totals].index(True)
        which = " and ".join(name for name, did in zip(names, drew, strict=True) if did)
        return f"{names[natural]} had {coups.hand(row, 3 * natural)}, a natural: {which} drew, but no hand should draw"
    hand = int(rule.startswith("banker"))
    third = card_name(int(coups.codes[row, 2]))
    before = ("", f", and Player drew {third}" if drew[0] else ", and Player stood")[hand]
    did = "stood, but should draw" if rule.endswith("draws") else "drew, but should stand"
    return f"{names[hand]} had {coups.hand(row, 3 * hand)}{before}: {names[hand]} {did}"


def _won(coups: LoggedCoups, row: int) -> str:
    outcomes = hand_class(coups.tableau, int(coups.classes[row])).outcomes
    won = " or ".join(winner for winner in WINNERS if winner in {outcome.winner for outcome in outcomes})
    totals = {(outcome.player_total, outcome.banker_total) for outcome in outcomes}
    figures = f": Player had {min(totals)[0]}, Banker {min(totals)[1]}" if len(totals) == 1 else ""
    return f"recorded {coups.log['winner'][row]}, should be {won}{figures}"
