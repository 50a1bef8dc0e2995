"""Do stakes know the coming cards? The law of the next card, the wager by hand, and that it is fair."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from counting import Shoe, exact_edges, load_game
from counting.audit.foreknowledge import APART, NOBODY, RISKED, SHARES, SOURCES, _anew, known
from counting.audit.synthetic import Counter, Facts, Flat, Patron, Sorter, deal, log_frames
from counting.audit.unseen_cards import UnseenCards
from counting.cards import VALUE_OF_RANK
from counting.exact import BANKER, PLAYER, edges, event_classes, given_first, pay_law, seeing
from counting.logs import Log, card_codes, read_log
from counting.simulation import preset
from counting.verify.reference import exact_edges as twin_edges

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
    """The capital coup by coup from exact edges, for a patron who comes late, raises, and sits out, in two shoes."""
    log = logged(tmp_path, {"one": Flat("player", 5)}, 2)
    rows = np.concatenate([np.arange(15), np.flatnonzero(log.coups["shoe"] == "1")[:15]])
    log = Log(log.coups[rows], log.bets, log.remarks)
    unseen = UnseenCards(log, 8)
    sources = known(log, unseen, EZ, "player")
    good = sources.sources["player-first"].low > 0
    stakes = np.tile([0, 0, 1, 2, 0, 1], 5) + np.where(good & (np.arange(30) % 15 > 2), 4, 0)
    codes = card_codes(log.coups)
    capital = {(source, share, shoe): 1.0 for source in SOURCES for share in SHARES for shoe in (0, 1)}
    for row, stake in enumerate(stakes.tolist()):
        number = row // 15
        if row % 15 == 0:
            largest, total, coups = 0.0, 0.0, 0
        shoe = Shoe.from_values(unseen.values[row].tolist())
        edge = float(exact_edges(EZ, shoe)["player"])
        largest = max(largest, stake)
        mean = total / coups if coups else 0.0
        beside = stake / largest if largest else 0.0
        centred = (stake - mean) / max(stake, mean) if max(stake, mean) > 0 else 0.0
        for source in SOURCES:
            if source == "payouts":
                values = [VALUE_OF_RANK[c // 4] if c >= 0 else 0 for c in codes[row]]
                player, banker = sum(values[:3]) % 10, sum(values[3:]) % 10
                off = float(np.sign(player - banker)) - edge
                every, wager = [pay - edge for pay in (-1.0, 0.0, 1.0)], beside
            else:
                hand = SOURCES.index(source)
                seen = {
                    0 if name == "T" else 1 if name == "A" else int(name): float(of["player"]) - edge
                    for name, (_, of) in seeing(EZ, shoe, hand).items()
                }
                off, every = seen[VALUE_OF_RANK[codes[row, 3 * hand] // 4]], list(seen.values())
                wager = centred
            worst = -min(every) if wager > 0 else max(every)
            for share in SHARES:
                capital[source, share, number] *= 1 + share * wager * off / worst
        total, coups = total + stake, coups + 1
    through = [capital[source, share, 0] * capital[source, share, 1] for source in SOURCES for share in SHARES]
    even = [np.mean([capital[source, share, shoe] for source in SOURCES for share in SHARES]) for shoe in (0, 1)]
    anew = [(1 - risked + risked * even[0]) * (1 - risked + risked * even[1]) for risked in RISKED]
    whole = (1 - APART) * np.mean(through) + APART * np.mean(anew)
    found = sources.law(np.arange(30), stakes.astype(float))
    assert whole > 1
    assert found.p == pytest.approx(1 / whole)
    assert found.evidence == pytest.approx(np.log10(whole))
    assert sources.law(np.arange(30), np.zeros(30)) == NOBODY


def test_each_wager_is_fair(tmp_path: Path) -> None:
    """At every coup what is won and lost has mean 0, and no more than all is lost."""
    log = logged(tmp_path, {"one": Flat("player", 5)}, 2)
    unseen = UnseenCards(log, 8)
    for bet in ("player", "dragon-7"):
        sources = known(log, unseen, EZ, bet).sources
        for hand, source in enumerate(SOURCES[:2]):
            chances, given = given_first(EZ, bet, hand, unseen.values)
            off = given - edges(EZ, unseen.values, [bet])
            assert (chances * off).sum(axis=1) == pytest.approx(0, abs=1e-13)
            assert sources[source].least == pytest.approx(np.where(chances > 0, off, 9).min(axis=1))
            assert sources[source].most == pytest.approx(np.where(chances > 0, off, -9).max(axis=1))
        for odds in sources.values():
            assert (odds.low == odds.high).all()
            assert (odds.least <= odds.low + 1e-12).all()
            assert (odds.high <= odds.most + 1e-12).all()
            assert abs(odds.low.mean()) < 5 * odds.low.std() / len(odds.low) ** 0.5


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
    unseen = UnseenCards(log, 8)
    sources = {bet: known(log, unseen, EZ, bet) for bet in bets}
    p = {}
    for name, patron in patrons.items():
        stakes = patron.stakes(table, facts, np.random.default_rng(3))[:, facts.place(patron.bets[0])]
        for number in (1, 20):
            rows = np.flatnonzero(unseen.shoe < number)
            p[name, number] = sources[patron.bets[0]].law(rows, stakes[rows]).p
    assert max(p["sorts", 1], p["sorts Banker's", 1]) < 1e-4
    assert min(p[name, 20] for name in ("half wrong", "counts", "flat")) > 0.01


def test_a_patron_who_stops_when_it_looks_bad_gains_no_evidence() -> None:
    """Every wager doubles in a shoe or is lost, with equal chances; the patron stops after the first shoe in which it
    doubled, or after 60. The mean of the final capital is 1, where the mean over their shoes has one of 2 log 2."""
    doubled, lost = np.log(2.0), -800.0
    final, over_shoes = 0.0, 0.0
    for shoes in range(1, 61):
        logs = np.full((1, shoes), lost)
        logs[0, -1] = doubled
        final += 0.5**shoes * float(np.exp(_anew(logs)).mean())
        over_shoes += 0.5**shoes * 2 / shoes
    final += 0.5**60 * float(np.exp(_anew(np.full((1, 60), lost))).mean())
    assert final == pytest.approx(1, abs=1e-12)
    assert over_shoes == pytest.approx(2 * np.log(2), abs=1e-9)


def test_coups_before_the_first_bet_in_a_shoe_are_no_evidence(tmp_path: Path) -> None:
    """Who sits down only at shoes whose first ten coups had bad cards has looked back only."""
    log = logged(tmp_path, {"one": Flat("player", 5)}, 120, 13)
    unseen = UnseenCards(log, 8)
    sources = known(log, unseen, EZ, "player")
    off, coup = sources.sources["player-first"].low, log.coups["coup"].to_numpy()
    bad = np.bincount(unseen.shoe, np.where(coup <= 10, off, 0)) < -0.25
    rows = np.flatnonzero(bad[unseen.shoe])
    assert bad.sum() > 10
    sat = coup[rows] > 10
    assert sources.law(rows, 10.0 * sat).p > 0.05


def test_a_twin_agrees_on_a_first_card() -> None:
    """The edge given Player's first card, from the plain enumeration of the shoe without it: all of it that is left."""
    counts = np.array([[1, 1, 0, 2, 0, 1, 0, 1, 1, 2]], np.int32)
    chances, given = given_first(EZ, "dragon-7", PLAYER, counts)
    usual = twin_edges(EZ, Shoe.from_values(counts[0].tolist()))["dragon-7"]
    assert isinstance(usual, Fraction)
    assert float(usual) == pytest.approx(float((chances * given).sum()))


def test_what_was_not_read_wagers_nothing_or_is_settled_at_its_worst(tmp_path: Path) -> None:
    """A first card that was not read; a third card, of which the payout may hang or not."""
    coups, bets = log_frames(deal(EZ, JACOBSON, 3, 0, 1), {"one": Flat("player", 5)}, EZ, 1)
    hands = {3: ("? 5h", "9h 8d"), 4: ("2h 3d ?", "Kc 6d"), 5: ("2h 3d ?", "Kc 7d"), 6: ("9h 8d", "Kc 9d")}
    coups = coups.filter(pl.col("coup") <= 8).with_columns(
        pl.Series("player", [hands.get(c, (h, ""))[0] for c, h in coups.select("coup", "player").rows()[:8]]),
        pl.Series("banker", [hands.get(c, ("", h))[1] for c, h in coups.select("coup", "banker").rows()[:8]]),
    )
    coups.write_csv(tmp_path / "coups.csv")
    bets.filter(pl.col("coup") <= 8).write_csv(tmp_path / "bets.csv")
    log = read_log(tmp_path / "coups.csv", tmp_path / "bets.csv")
    unseen = UnseenCards(log, 8)
    sources = known(log, unseen, EZ, "player").sources
    edge = edges(EZ, unseen.values, ["player"])[:, 0]
    assert sources["player-first"].low[2] == sources["payouts"].low[2] == sources["payouts"].high[2] == 0
    assert sources["banker-first"].low[2] != 0
    # 5 and a third card against 6, who stood: 8 or 9 wins for Player, less than 6 loses.
    assert (sources["payouts"].low[3], sources["payouts"].high[3]) == pytest.approx((-1 - edge[3], 1 - edge[3]))
    assert (sources["payouts"].low[5], sources["payouts"].high[5]) == pytest.approx((-1 - edge[5], -1 - edge[5]))
    dragon = known(log, unseen, EZ, "dragon-7").sources["payouts"]
    assert dragon.low[4] == dragon.high[4]  # Banker stood with 7 on two cards, whatever Player drew
