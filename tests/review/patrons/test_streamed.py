"""Large logs are tested some shoes at a time: the same results as with everything kept, whatever the blocks."""

import tempfile
from errno import ENOSPC
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from extent import long_or

from counting import InputError, load_game, workers
from counting.logs import Log, coup_rows, read_log
from counting.logs import rows as rows_module
from counting.review import Audit, audit, unseen_cards
from counting.review.dealing import payments
from counting.review.patrons import arrangements, foreknowledge, kept_edges, patron_tests, streamed_edges
from counting.review.patrons.arrangements import Arrangements
from counting.review.patrons.edge_following import FEW_SHOES, TOLERANCE, Scored
from counting.review.patrons.kept_edges import KeptEdges
from counting.review.patrons.patron_stakes import Visits, stakes_of
from counting.review.patrons.streamed_edges import streamed
from counting.review.synthetic import Counter, Flat, deal, log_frames
from counting.review.unseen_cards import UnseenCards
from counting.simulation import Dealing

EZ = load_game("ez-baccarat")
PAIRS = EZ.also(["player-pair", "perfect-pair"])
CLOSE = 1e-9
FEW = long_or(6, 3)  # shoes, two patrons each


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Log:
    """Thirty shoes: wrong payouts, missing coups, unread cards, burned cards in mid-shoe, patrons who come and go."""
    folder = tmp_path_factory.mktemp("log")
    who = {"counts": Counter("dragon-7", 100), "flat": Flat("dragon-7", 25), "often": Flat("dragon-7", 50),
           "main": Flat("player", 10),
           "pairs": Flat("perfect-pair", 5), "ranks": Flat("player-pair", 5)}  # fmt: skip
    coups, bets = log_frames(deal(PAIRS, Dealing.named("jacobson", 8), 11, 0, 30), who, PAIRS, 4)
    rng = np.random.default_rng(7)
    bets = bets.filter(
        pl.Series(rng.random(bets.height) < 0.6), ~pl.col("shoe").is_in([3, 17]) | (pl.col("patron") != "flat")
    )
    more = pl.Series(rng.integers(1, 4, bets.height))
    bets = bets.with_columns(pl.col("amount", "won") * more)
    coups = coups.filter(pl.Series(rng.random(coups.height) < 0.995))
    second = pl.lit("? ") + pl.col("player").str.split(" ").list.get(1)
    coups = coups.with_columns(
        player=pl.when(pl.Series(rng.random(coups.height) < 0.01)).then(second).otherwise("player"),
        burn=pl.when(pl.Series(rng.random(coups.height) < 0.01)).then(pl.lit("9h 3d")).otherwise("burn"),
    )
    also = bets.filter(pl.col("patron") == "often").with_columns(pl.lit("also").alias("patron"))
    overpaid = pl.Series(rng.random(bets.height) < 0.002).cast(pl.Float64)
    coups.write_csv(folder / "coups.csv")
    pl.concat([bets.with_columns(pl.col("won") + overpaid), also]).write_csv(folder / "bets.csv")
    return read_log(folder / "coups.csv", folder / "bets.csv")


def audited(log: Log) -> Audit:
    return audit(log, EZ, 8, allow_unread=0.2)


@pytest.fixture(scope="module")
def whole(log: Log) -> Audit:
    return audited(log)


def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unseen_cards, "BLOCK", 100)
    monkeypatch.setattr(foreknowledge, "BLOCK", 150)
    monkeypatch.setattr(arrangements, "PRICES", 7000)
    monkeypatch.setattr(patron_tests, "TOGETHER", 1)
    monkeypatch.setattr(foreknowledge, "_TOGETHER", 1)
    monkeypatch.setattr(payments, "SLICE", 500)
    monkeypatch.setattr(rows_module, "SLICE", long_or(37, 251))  # three shoes of coups, or a third of a shoe of bets
    monkeypatch.setattr(workers.os, "cpu_count", lambda: 5)


def test_blocks_of_few_shoes_and_more_threads_change_no_byte(
    log: Log, whole: Audit, monkeypatch: pytest.MonkeyPatch
) -> None:
    small(monkeypatch)
    parted = audited(Log(log.coups, log.bets, log.remarks, log.counts, log.skipped))
    assert whole.patrons.height == 7
    assert whole.errors.filter(rule="payment").height > 10
    for name in ("patrons", "errors"):
        assert getattr(parted, name).write_csv() == getattr(whole, name).write_csv()
    assert parted.rates.rows.equals(whole.rates.rows)
    assert parted.costs.rows.equals(whole.costs.rows)
    assert parted.informed.evidence == whole.informed.evidence
    assert (parted.parts, parted.coverage, parted.moving) == (whole.parts, whole.coverage, whole.moving)


def test_shoes_priced_once_give_the_same_tests(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of patrons who bet in every shoe, whose scores have the same scale either way."""
    small(monkeypatch)
    monkeypatch.setattr(streamed_edges, "SCALING_EDGES", 1 << 40)
    unseen = UnseenCards(log, 8)
    arranged = Arrangements(log, unseen, PAIRS, 1)
    for bet in ("dragon-7", "perfect-pair", "player"):
        staked = [stakes for stakes in stakes_of(log, unseen, PAIRS) if stakes.bet == bet and len(stakes.shoes) == 30]
        assert staked
        kept = Scored(KeptEdges(arranged, [bet], range(30), 39).of(bet))
        every = streamed(arranged, bet, staked, 39, 2000, 1, [5] * len(staked))
        for stakes, result in zip(staked, every, strict=True):
            wanted = kept.tests(stakes.shoes, [stakes.stakes], 2000, 1, [5])[0]
            assert result.p == pytest.approx(wanted.p, rel=1e-6)
            assert result.least_p == wanted.least_p
            assert result.excess == pytest.approx(wanted.excess, abs=CLOSE)


@pytest.mark.parametrize("bets", [["player", "banker", "tie-8", "dragon-7", "panda-8"], ["player-pair", "banker-pair"]])
def test_bets_priced_together_have_the_edges_of_bets_alone(
    log: Log, monkeypatch: pytest.MonkeyPatch, bets: list[str]
) -> None:
    """Bit for bit, whichever bet is asked for first, in coups that can and that cannot be priced."""
    small(monkeypatch)
    arranged = Arrangements(log, UnseenCards(log, 8), EZ.also(["player-pair", "banker-pair"]), 1)
    shoes = np.array([0, 3, 4, 5, 17, 29])
    together = KeptEdges(arranged, bets, shoes, 39)
    for bet in (*reversed(bets), *bets):
        found, alone = together.of(bet), KeptEdges(arranged, [bet], shoes, 39).of(bet)
        for name in ("edges", "means", "spreads"):
            np.testing.assert_array_equal(getattr(found, name), getattr(alone, name))
        np.testing.assert_array_equal(np.isnan(found.means), np.isnan(found.edges).any(axis=1))
        assert 0 < np.isnan(found.means).sum() < len(found.means)
    together.close()


def test_a_full_temporary_folder_is_named(log: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(BytesIO):
        def write(self, _: Any) -> int:
            raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr(kept_edges, "TemporaryFile", Full)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    says = f"^temporary folder {tmp_path}: No space left on device, should have room for 0 MB, or TMPDIR should name"
    with pytest.raises(InputError, match=says):
        KeptEdges(Arrangements(log, UnseenCards(log, 8), EZ, 1), ["player", "banker"], [0], 3)


@pytest.mark.long
def test_bets_tested_one_at_a_time_have_the_same_tests(log: Log, whole: Audit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patron_tests, "_MOST_TOGETHER", 1)
    assert audited(log).patrons.equals(whole.patrons)


def test_a_scale_of_the_first_shoes_hardly_moves_a_test(
    log: Log, whole: Audit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Above the edges that are kept, the scale comes from the first shoes of all bettors."""
    monkeypatch.setattr(patron_tests, "KEPT", 10_000)
    monkeypatch.setattr(streamed_edges, "SCALING_EDGES", 20_000)
    parted = audited(log)
    key = ["patron", "bet"]
    both = whole.patrons.join(parted.patrons, on=key, suffix="_parted")
    assert (both["excess"] - both["excess_parted"]).abs().max() < 0.3
    assert both.filter(pl.col("excess") != pl.col("excess_parted")).height == 7
    counts = both.filter(pl.col("patron") == "counts")
    assert counts["p_parted"].item() < 1e-6 > counts["p"].item()
    same = [name for name in whole.patrons.columns if name not in ("p", "p_follows", "p_holm", "excess", "flagged_for")]
    assert parted.patrons.sort(key).select(same).equals(whole.patrons.sort(key).select(same))


def test_patrons_of_few_shoes_are_kept_group_by_group(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"{shoe} {patron}" for shoe in range(FEW) for patron in "ab"]
    shoe = pl.col("shoe").cast(pl.String)
    bets = log.bets.filter(pl.col("patron") == "often", shoe.is_in([str(number) for number in range(FEW)]))
    both = [bets.with_columns(patron=pl.format("{} {}", shoe, pl.lit(of)).cast(pl.Categorical))
            for of in "ab"]  # fmt: skip
    some = Log(log.coups, pl.concat(both), log.remarks, log.counts)
    drawn = long_or(9_999, 999)
    monkeypatch.setitem(FEW_SHOES, 1, drawn)
    kept = audited(some).patrons
    assert sorted(kept["patron"]) == sorted(names)
    monkeypatch.setattr(patron_tests, "KEPT", 150 * drawn)  # a shoe's 1,000 arrangements are 80,000 edges
    assert audited(some).patrons.equals(kept)


def test_a_bet_on_no_coup_has_no_row(log: Log) -> None:
    rows = coup_rows(log.bets, log.coups)
    key = ["table", "shoe", "coup"]
    assert log.coups[rows].select(key).equals(log.bets.select(key))
    assert (coup_rows(log.bets, log.coups[10:20]) >= 0).sum() < log.bets.height


def test_visits_are_sorted_by_shoe(log: Log) -> None:
    staked = list(stakes_of(log, UnseenCards(log, 8), PAIRS))
    visits = Visits(staked)
    assert (np.diff(visits.shoe) >= 0).all()
    total = np.zeros(len(staked))
    for visit in visits.of(range(len(visits.shoes))):
        total[visits.patron[visit]] += visits.stakes(visit).sum()
    assert total == pytest.approx([stakes.stakes.sum() for stakes in staked], abs=TOLERANCE)
