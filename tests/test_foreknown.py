"""Do stakes know the coming cards? The law of the next card, the wager by hand, and that it is fair."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from counting import Shoe, exact_edges, load_game
from counting.cards import VALUE_OF_RANK
from counting.coming import BANKER, PLAYER, given_first, pay_law
from counting.exact import edges, event_classes, seeing
from counting.foreknown import NOBODY, SHARES, SOURCES, known
from counting.logs import Log, card_codes, read_log
from counting.patrons import Counter, Facts, Flat, Patron, Sorter, deal, log_frames
from counting.reference import exact_edges as twin_edges
from counting.shoe import preset
from counting.unseen import Results, Unseen

EZ, LOUISIANA = load_game("ez-baccarat"), load_game("louisiana")
JACOBSON = preset("jacobson", 8)


def shoes(number: int, seed: int = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.array(
        [rng.multivariate_hypergeometric([128] + [32] * 9, n) for n in rng.integers(7, 416, number)], np.int32
    )


@pytest.mark.parametrize(("game", "bet"), [(EZ, "dragon-7"), (EZ, "banker"), (LOUISIANA, "seven-seven-45")])
@pytest.mark.parametrize("hand", [PLAYER, BANKER])
def test_the_edge_given_the_first_card(game: object, bet: str, hand: int) -> None:
    """Against the same with fractions, value by value; and its mean is the edge."""
    some = shoes(12)
    chances, given = given_first(game, bet, hand, some)  # type: ignore[arg-type]
    for row, counts in enumerate(some):
        found = seeing(game, Shoe.from_values(counts.tolist()), hand)  # type: ignore[arg-type]
        for name, (chance, of) in found.items():
            value = 0 if name == "T" else 1 if name == "A" else int(name)
            assert chances[row, value] == pytest.approx(float(chance), abs=1e-15)
            assert given[row, value] == pytest.approx(float(of[bet]), abs=1e-12)
    usual = edges(game, some, [bet])[:, 0]  # type: ignore[arg-type]
    assert (chances * given).sum(axis=1) == pytest.approx(usual, abs=1e-13)


@pytest.mark.parametrize("bet", ["dragon-7", "banker", "player-pair", "perfect-pair"])
def test_the_law_of_a_pay(bet: str) -> None:
    """It sums to 1 and has the edge for its mean; on one shoe each pay has the chance of its events."""
    game = EZ.also([bet] if bet not in EZ.bet_names else [])
    rng = np.random.default_rng(2)
    some = np.array([rng.multivariate_hypergeometric([8] * 52, n) for n in (60, 200, 400)], np.int32)
    pays, chances = pay_law(game, bet, some)
    assert chances.sum(axis=1) == pytest.approx(1)
    assert (chances >= 0).all()
    assert chances @ pays == pytest.approx(edges(game, some, [bet])[:, 0], abs=1e-13)
    assert set(pays.tolist()) == {float(game.bet(bet).pay(s)) for s in _shown(game, bet)}


def _shown(game: object, bet: str) -> list[object]:
    return [cls[0 if game.bet(bet).shows == "outcome" else 1] for cls in event_classes(game)]  # type: ignore[attr-defined,arg-type]


def logged(folder: Path, patrons: dict[str, Patron], number: int, seed: int = 7) -> Log:
    coups, bets = log_frames(deal(EZ, JACOBSON, seed, 0, number), patrons, EZ, 1)
    coups.write_csv(folder / "coups.csv")
    bets.write_csv(folder / "bets.csv")
    return read_log(folder / "coups.csv", folder / "bets.csv")


def test_the_wager_by_hand(tmp_path: Path) -> None:
    """The capital coup by coup from exact edges, for a patron who comes late, raises, and sits out."""
    log = logged(tmp_path, {"one": Flat("player", 5)}, 1)
    log = Log(log.coups.head(30), log.bets, log.remarks)
    unseen = Unseen(log, 8)
    sources = known(log, unseen, EZ, "player", Results(log, unseen, EZ))
    good = sources.sources["player-first"].off > 0
    stakes = np.tile([0, 0, 1, 2, 0, 1], 5) + np.where(good & (np.arange(30) > 2), 4, 0)
    present = np.arange(30) > 1
    codes = card_codes(log.coups)
    capital = {(source, wager, share): 1.0 for source in SOURCES for wager in (0, 1) for share in SHARES}
    largest, total, coups, best = 0.0, 0.0, 0, 1.0
    for row, stake in enumerate(stakes):
        shoe = Shoe.from_values(unseen.values[row].tolist())
        edge = float(exact_edges(EZ, shoe)["player"])
        largest = max(largest, stake)
        mean = total / coups if coups else 0.0
        wagers = [stake / largest if largest else 0.0, 0.0]
        if present[row] and max(stake, mean) > 0:
            wagers[1] = (stake - mean) / max(stake, mean)
        for source in SOURCES:
            if source == "payouts":
                pays = {-1.0, 0.0, 1.0}
                values = [VALUE_OF_RANK[c // 4] if c >= 0 else 0 for c in codes[row]]
                player, banker = sum(values[:3]) % 10, sum(values[3:]) % 10
                off = float(np.sign(player - banker)) - edge
                every = [pay - edge for pay in pays]
            else:
                hand = SOURCES.index(source)
                seen = {
                    0 if name == "T" else 1 if name == "A" else int(name): float(of["player"]) - edge
                    for name, (_, of) in seeing(EZ, shoe, hand).items()
                }
                off, every = seen[VALUE_OF_RANK[codes[row, 3 * hand] // 4]], list(seen.values())
            for i, wager in enumerate(wagers):
                worst = -min(every) if wager > 0 else max(every)
                for share in SHARES:
                    capital[source, i, share] *= 1 + share * wager * off / worst
        best = max(best, sum(capital.values()) / len(capital))
        if present[row]:
            total, coups = total + stake, coups + 1
    found = sources.law(np.arange(30), stakes, present)
    assert best > 1
    assert found.p == pytest.approx(1 / best)
    assert found.evidence == pytest.approx(np.log10(best))
    assert sources.law(np.arange(30), np.zeros(30), present) == NOBODY


def test_each_wager_is_fair(tmp_path: Path) -> None:
    """At every coup what is won and lost has mean 0, and no more than all is lost."""
    log = logged(tmp_path, {"one": Flat("player", 5)}, 2)
    unseen = Unseen(log, 8)
    for bet in ("player", "dragon-7"):
        sources = known(log, unseen, EZ, bet, Results(log, unseen, EZ)).sources
        for hand, source in enumerate(SOURCES[:2]):
            chances, given = given_first(EZ, bet, hand, unseen.values)
            off = given - edges(EZ, unseen.values, [bet])
            assert (chances * off).sum(axis=1) == pytest.approx(0, abs=1e-13)
            assert sources[source].least == pytest.approx(np.where(chances > 0, off, 9).min(axis=1))
            assert sources[source].most == pytest.approx(np.where(chances > 0, off, -9).max(axis=1))
        for odds in sources.values():
            assert (odds.least <= odds.off + 1e-12).all()
            assert (odds.off <= odds.most + 1e-12).all()
            assert abs(odds.off.mean()) < 5 * odds.off.std() / len(odds.off) ** 0.5


def test_a_sorter_is_found_in_a_shoe_and_a_counter_never(tmp_path: Path) -> None:
    patrons: dict[str, Patron] = {
        "sorts": Sorter("player", 100),
        "sorts Banker's": Sorter("banker", 100, "banker"),
        "half wrong": Sorter("player", 100, wrong=0.5),
        "counts": Counter("dragon-7", 100),
        "flat": Flat("player", 100, 0.3),
    }
    table = deal(EZ, JACOBSON, 11, 0, 20)
    bets = ("player", "banker", "dragon-7")
    facts = Facts(EZ, bets, table)
    log = logged(tmp_path, {"one": Flat("player", 5)}, 20, 11)
    unseen = Unseen(log, 8)
    results = Results(log, unseen, EZ)
    sources = {bet: known(log, unseen, EZ, bet, results) for bet in bets}
    p = {}
    for name, patron in patrons.items():
        stakes = patron.stakes(table, facts, np.random.default_rng(3))[:, facts.place(patron.bets[0])]
        for number in (1, 20):
            rows = np.flatnonzero(unseen.shoe < number)
            p[name, number] = sources[patron.bets[0]].law(rows, stakes[rows], np.ones(len(rows), np.bool_)).p
    assert max(p["sorts", 1], p["sorts Banker's", 1]) < 1e-4
    assert min(p[name, 20] for name in ("half wrong", "counts", "flat")) > 0.01


def test_coups_before_the_first_bet_in_a_shoe_are_no_evidence(tmp_path: Path) -> None:
    """Who sits down only at shoes whose first ten coups had bad cards has looked back only."""
    log = logged(tmp_path, {"one": Flat("player", 5)}, 120, 13)
    unseen = Unseen(log, 8)
    sources = known(log, unseen, EZ, "player", Results(log, unseen, EZ))
    off, coup = sources.sources["player-first"].off, log.coups["coup"].to_numpy()
    bad = np.bincount(unseen.shoe, np.where(coup <= 10, off, 0)) < -0.25
    rows = np.flatnonzero(bad[unseen.shoe])
    assert bad.sum() > 10
    sat = coup[rows] > 10
    assert sources.law(rows, 10.0 * sat, sat).p > 0.05
    assert sources.law(rows, 10.0 * sat, np.ones(len(rows), np.bool_)).p < 0.001  # it would be, did they count


def test_a_twin_agrees_on_a_first_card() -> None:
    """The edge given Player's first card, from the plain enumeration of the shoe without it: all of it that is left."""
    counts = np.array([[1, 1, 0, 2, 0, 1, 0, 1, 1, 2]], np.int32)
    chances, given = given_first(EZ, "dragon-7", PLAYER, counts)
    usual = twin_edges(EZ, Shoe.from_values(counts[0].tolist()))["dragon-7"]
    assert isinstance(usual, Fraction)
    assert float(usual) == pytest.approx(float((chances * given).sum()))


def test_frames_of_a_log_without_a_first_card(tmp_path: Path) -> None:
    """A first card that was not read wagers nothing, and neither does a payout that cannot be told."""
    coups, bets = log_frames(deal(EZ, JACOBSON, 3, 0, 1), {"one": Flat("player", 5)}, EZ, 1)
    coups = coups.with_columns(player=pl.when(pl.col("coup") == 3).then(pl.lit("? 5h")).otherwise("player"))
    coups.write_csv(tmp_path / "coups.csv")
    bets.write_csv(tmp_path / "bets.csv")
    log = read_log(tmp_path / "coups.csv", tmp_path / "bets.csv")
    unseen = Unseen(log, 8)
    sources = known(log, unseen, EZ, "player", Results(log, unseen, EZ)).sources
    assert sources["player-first"].off[2] == 0
    assert sources["payouts"].off[2] == 0
    assert sources["banker-first"].off[2] != 0
