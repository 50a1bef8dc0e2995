"""Bets that an audit settles by the hands: what each should be paid, and which pay table lines are possible if a card
was not read."""

import random
from itertools import product
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from counting import Bet, load_game
from counting.cards import DECK, RANKS
from counting.exact import settlement
from counting.logs import NO_CARD, TEN_OR_FACE, UNREAD, Log, read_log
from counting.review.dealing.payments import judge_bets
from counting.review.hand_lines import possible_lines
from counting.review.hands import CoupsShown
from counting.review.payouts import may_have_paid
from counting.review.synthetic import Flat, deal, log_frames
from counting.review.unseen_cards import UnseenCards
from counting.review.winning_streaks import Streaks, streaks
from counting.simulation import Dealing
from counting.verify import pay_lines

FLUSH = Bet.of("flush", {"player_flush=true": "30:1", "player_suited=true": "2:1"})
KINGS = Bet.of("kings", {"banker_third_rank=K,Q banker_pair=true": "9:1", "banker_third_rank=K": "3:1"})
GIVING = Bet.of("giving", {"player_first_total=3 banker_third_value=8": "200:1", "player_third_value=0": "1:1"})
GAME = load_game("punto-banco").with_bets(FLUSH, KINGS, GIVING)


def read(folder: Path, coups: pl.DataFrame, bets: pl.DataFrame) -> Log:
    coups.write_csv(folder / "coups.csv")
    bets.write_csv(folder / "bets.csv")
    return read_log(folder / "coups.csv", folder / "bets.csv")


def errors(log: Log) -> int:
    assert log.bets is not None
    shown = CoupsShown.of(log.coups, GAME.tableau)
    return sum(frame.height for frame in judge_bets(log, shown, GAME))


@pytest.mark.parametrize("bet", [FLUSH, KINGS, GIVING])
def test_every_payment_is_what_the_cards_explain(bet: Bet, tmp_path: Path) -> None:
    """Every payment at a dealt table is right to the hundredth. A single wrong payment gives a single error."""
    table = deal(GAME, Dealing(2), 3, 0, 12)
    coups, bets = log_frames(table, {"anna": Flat(bet.name, 5.0)}, GAME, 1)
    assert errors(read(tmp_path, coups, bets)) == 0
    seventh = pl.int_range(pl.len()) == 7
    wrong = bets.with_columns(pl.when(seventh).then(pl.col("won").cast(float) + 5).otherwise(pl.col("won").cast(float)))
    assert errors(read(tmp_path, coups, wrong)) == 1


def possible(code: int) -> list[int]:
    if code == NO_CARD:
        return [-1]
    if code == UNREAD:
        return list(range(DECK))
    if code == TEN_OR_FACE:
        return list(range(36, DECK))
    return [code] if code < DECK else [4 * (code - DECK) + suit for suit in range(4)]


def test_lines_of_cards_that_are_not_read_equal_every_card_that_they_may_be() -> None:
    rng = random.Random(2)
    codes = []
    for _ in range(150):
        hands = [rng.choice([rng.randrange(DECK)] * 4 + [DECK + rng.randrange(len(RANKS))]) for _ in range(6)]
        hands[rng.randrange(6)] = rng.choice([TEN_OR_FACE, UNREAD, *range(DECK)])
        for third in (2, 5):
            if rng.random() < 0.4:
                hands[third] = NO_CARD
        codes.append(hands)
    for bet in (FLUSH, KINGS, GIVING):
        found = possible_lines(bet, np.array(codes, np.int8))
        lines = [line.plain for line in bet.pays]
        for row, sets in zip(codes, found, strict=True):
            choices = [possible(code) for code in row]
            if np.prod([len(some) for some in choices]) > 3000:
                continue
            met = set()
            for cards in product(*choices):
                player, banker = ([card for card in hand if card >= 0] for hand in (cards[:3], cards[3:]))
                met.add(pay_lines.first_met(lines, player, banker))
            assert sets == met, (bet.name, row)


def test_what_a_bet_may_have_paid_holds_what_it_paid(tmp_path: Path) -> None:
    table = deal(GAME, Dealing(2), 4, 0, 6)
    log = read(tmp_path, *log_frames(table, {"anna": Flat("player", 5.0)}, GAME, 1))
    shown = CoupsShown.of(log.coups, GAME.tableau)
    hidden = shown._replace(codes=np.where(np.arange(6) == 2, UNREAD, shown.codes).astype(np.int8))
    for bet in (FLUSH, KINGS, GIVING):
        sure = may_have_paid(shown, slice(0, len(shown.codes)), GAME, bet.name)
        assert (sure[0] == sure[1]).all()
        least, most = may_have_paid(hidden, slice(0, len(shown.codes)), GAME, bet.name)
        assert ((least <= sure[0]) & (sure[1] <= most)).all()


@pytest.mark.parametrize("bet", [FLUSH, KINGS, GIVING, GAME.bet("player")])
def test_streaks_of_a_log_are_those_of_the_coups_as_dealt(bet: Bet, tmp_path: Path) -> None:
    table = deal(GAME, Dealing(), 5, 0, 4)
    coups, bets = log_frames(table, {"anna": Flat(bet.name, 5.0)}, GAME, 1)
    log = read(tmp_path, coups, bets)
    paid = settlement(GAME, (bet.name,)).paid(table.coups.shown)[:, 0]
    dealt = streaks(paid, table.coups.coup == 1)
    assert Streaks(log, UnseenCards(log, 8), GAME).of(bet.name).tolist() == dealt.tolist()
    assert min(dealt) < 0 < max(dealt)
