"""How much of a log was read and can be judged. If too large a share cannot be judged, the audit gives no verdict."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl

from counting.cards import DECK, RANKS, SUITS, VALUE_OF_RANK, Knows
from counting.errors import InputError
from counting.exact import required_detail
from counting.games import Game
from counting.logs import DRAFT, NO_CARD, UNREAD, ZERO, Log, card_codes, shoe_numbers
from counting.review.hands import DRAWS, NO_RANK, RANK_OF_CODE
from counting.review.unseen_cards import UnseenCards, listed

ALLOWED = 0.01
GROSS = 0.5  # with more wrong payouts that include the stake, the column does not give the net result
MISFITS = 0.05  # a larger share of misfits shows another game or a misread file, not errors
_COUPS = "coups not read or missing"
_PICK = (
    f"Most of the lines skipped have no cards. If they are other messages, use a layout that picks the coups: {DRAFT}."
)
_ANEW = (
    "Several coups have the same table, shoe and number. If shoes are numbered anew each day, use a layout with "
    '[coups] shoe = "date+shoe", where date is the column of the day, and the same under [bets].'
)
_NET = "A result is what the patron won or lost, without the stake: subtract the amount from each payout."
SURELY_AGAIN = 40  # known cards of a repeated shoe; two shuffled shoes agree in 40 values with a chance below 10^-33


class LogPart(NamedTuple):
    """A part of a log that may be unusable.

    - `what`: what is counted, in words
    - `unread` and `of`: how many cannot be used, and how many there are in all
    - `allowed`: the share that may be unusable; None if the user's own setting applies
    - `remedy`: what may help, if that is known"""

    what: str
    unread: int
    of: int
    allowed: float | None = None
    remedy: str | None = None

    @property
    def share(self) -> float:
        return self.unread / self.of if self.of else float(self.unread > 0)


def parts(log: Log, unseen: UnseenCards, game: Game, errors: pl.DataFrame) -> list[LogPart]:
    """The parts of a log, and how much of each cannot be used.

    These cannot be used:

    - an unread card of a coup
    - a coup whose line was skipped, or whose number is missing in its shoe
    - a coup of a shoe that was logged before, card for card, because its bets would count as evidence twice
    - a coup before which more cards of a rank or value had been seen than the shoe has
    - a bet whose line was skipped, whose name neither the game nor the catalog has, or that cannot be priced on its
      coup
    - a result or a winner that could not be read

    A line that is not UTF-8, or that gives a coup the number 0, shows that the file is not a log of this form. So not
    even one such line is allowed. Many coups that break the drawing rules show another game or a misread file. So do
    many coups whose cards contradict the recorded totals, pairs or winners."""
    codes = unseen.codes
    more = log.coups["more"].drop_nulls().explode()
    cards = int((codes != NO_CARD).sum()) + len(more.drop_nulls())
    coups, bets = log.coups.height, log.bets.height
    unread, gone = (log.skipped.get(file, 0) for file in ("coups", "bets"))
    lost = max(unseen.missing, unread)
    impossible = sum(_impossible(unseen, rows) for rows in unseen.blocks())
    unknown = errors.filter(pl.col("rule") == "unknown-bet").height
    misdealt = errors.filter(pl.col("rule").is_in(["hand-size", *DRAWS]))["line"].n_unique()
    records = errors.filter(pl.col("rule").is_in(["record", "stale-card"]))["line"].n_unique()
    winners = log.coups["winner"].count()
    of_coups = coups + unread + log.remarked("again", column="coup")  # the lines of coups, repeated lines included
    lines = of_coups + bets + gone
    return [
        LogPart("cards not read", int((codes == UNREAD).sum()) + int((more == UNREAD).sum()), cards),
        coups_part(log, coups, lost),
        LogPart("coups of shoes that repeat an earlier shoe card for card", _repeated(unseen), coups),
        LogPart(f"coups before which a card was seen more often than {unseen.decks} decks have it", impossible, coups),
        LogPart("bets not read", gone, bets + gone),
        LogPart("bets of unknown names", unknown, bets),
        LogPart("bets that cannot be priced from the logged cards (no suits?)", _unpriced(log, unseen, game), bets),
        LogPart("results of bets not read", log.remarked("amount", column="won"), bets + gone),
        LogPart(
            "results of bets that would be right if they included the stake",
            gross(log, errors),
            log.bets["won"].count(),
            GROSS,
            _NET,
        ),
        LogPart("winners not read", log.remarked("winner"), of_coups),
        LogPart(f"coups dealt against the rules of {game.name}", misdealt, coups, MISFITS),
        LogPart("coups whose cards contradict their recorded totals or pairs", records, coups, MISFITS),
        LogPart(
            "winners that contradict the cards", errors.filter(pl.col("rule") == "winner").height, winners, MISFITS
        ),
        LogPart("lines that are not UTF-8", log.remarked("encoding"), lines, 0.0),
        LogPart("lines with a coup number of 0", log.remarked(ZERO), lines, 0.0),
    ]


def gross(log: Log, errors: pl.DataFrame) -> int:
    """The number of wrong payouts that would be right if they included the stake."""
    wrong = errors.filter(pl.col("rule") == "payment").select("line", "off")
    paid = wrong.join(log.bets_on(wrong["line"]).select("line", "amount"), on="line")
    return paid.filter((pl.col("off") - pl.col("amount") / 100).abs() < 0.015).height


def coups_part(log: Log, coups: int, lost: int) -> LogPart:
    """The part for a log's coups, of which `coups` were read and `lost` were not."""
    again = 2 * log.remarked("differ", "coup") > lost
    return LogPart(_COUPS, lost, coups + lost, remedy=_PICK if log.is_mixed else _ANEW if again else None)


def too_much(read: list[LogPart], allowed: float) -> list[LogPart]:
    """The parts whose unusable share is above the allowed share. If no coup was read, the result is the part for the
    coups, and every other part in which anything is unusable."""
    if any(part.what == _COUPS and part.unread == part.of for part in read):
        return [part for part in read if part.unread or part.what == _COUPS]
    return [part for part in read if part.share > (allowed if part.allowed is None else part.allowed)]


def untested(errors: pl.DataFrame, log: Log, allowed: float) -> pl.DataFrame:
    """The patrons who cannot be tested, because more than the share `allowed` of their bets have unknown names.

    - `unknown`: the patron's bets with unknown names
    - `of`: all bets of the patron"""
    unknown = errors.filter(pl.col("rule") == "unknown-bet").group_by("patron", maintain_order=True).len("unknown")
    names = unknown["patron"].cast(log.bets.schema["patron"])
    every = (
        log.bets.filter(pl.col("patron").is_in(names.implode())).group_by(pl.col("patron").cast(pl.String)).len("of")
    )
    return unknown.join(every, on="patron", maintain_order="left").filter(pl.col("unknown") > allowed * pl.col("of"))


def fewest_decks(log: Log) -> int:
    """The fewest decks from which every shoe of a log can have been dealt, judged by the cards that were read; at least
    1."""
    shoe, codes = shoe_numbers(log.coups), len(RANK_OF_CODE)
    places = [(np.arange(len(shoe)), column.astype(np.int64)) for column in card_codes(log.coups).T]
    seen = np.zeros((int(shoe.max(initial=-1)) + 1) * codes, np.int64)
    for rows, code in (*places, listed(log.coups, "burn"), listed(log.coups, "more")):
        seen += np.bincount((codes * shoe[rows] + code)[code >= 0], minlength=len(seen))
    of_shoe = seen.reshape(-1, codes)
    of_rank = np.stack([of_shoe[:, rank == RANK_OF_CODE].sum(axis=1) for rank in range(NO_RANK + 1)], axis=1)
    by_card, by_rank, of_tens, of_all = (
        int(numbers.max(initial=0))
        for numbers in (
            of_shoe[:, :DECK], of_rank[:, :NO_RANK], of_rank[:, RANKS.index("10") :].sum(axis=1), of_rank.sum(axis=1),
        )
    )  # fmt: skip
    by_value = -(-of_tens // (len(SUITS) * VALUE_OF_RANK.count(0)))
    return max(by_card, -(-by_rank // len(SUITS)), by_value, -(-of_all // DECK), 1)


def _repeated(unseen: UnseenCards) -> int:
    """The number of coups in shoes that repeat an earlier shoe card for card, if enough of their cards are known."""
    earlier, repeated = set[bytes](), 0
    for first, end in zip(unseen.start.tolist(), unseen.end.tolist(), strict=True):
        codes = unseen.codes[first:end]
        if int((codes >= 0).sum()) >= SURELY_AGAIN:
            repeated += (end - first) * (codes.tobytes() in earlier)
            earlier.add(codes.tobytes())
    return repeated


def _impossible(unseen: UnseenCards, rows: slice) -> int:
    """The number of the coups at `rows` before which more cards of a rank or value had been seen than the shoe has."""
    knows: tuple[Knows, ...] = ("rank", "value")
    return int(np.logical_or.reduce([(unseen.left_in(rows, each) < 0).any(axis=1) for each in knows]).sum())


def _unpriced(log: Log, unseen: UnseenCards, game: Game) -> int:
    """The number of bets with known names that cannot be priced on their coups."""
    row = log.bet_rows
    names = log.bets["bet"].unique(maintain_order=True)
    known = {
        name: required_detail(game.bet(game.main_bet(name))) for name in names if game.main_bet(name) in game.bet_names
    }
    number = 0
    for knows in dict.fromkeys(known.values()):
        bets = [name for name, of_bet in known.items() if of_bet == knows]
        rows = row[log.bets["bet"].is_in(bets).to_numpy() & (row >= 0)]
        number += int((~unseen.priced(knows))[rows].sum())
    return number


def allowed_share(share: float) -> float:
    """The share of cards, coups or bets that may be unread. Raises `InputError` unless it is from 0 to 1."""
    if not (isinstance(share, int | float) and np.isfinite(share) and 0 <= share <= 1):
        raise InputError(f"--allow-unread: {share}, should be a share from 0 to 1, as 0.05")
    return float(share)
