"""A count is named if it explains the stakes better than chance, and the patron comes near its own play."""

from math import log
from pathlib import Path

import numpy as np
import pytest
from extent import long_or

from counting import load_game
from counting.logs import Log, read_log
from counting.review.patrons import named_count as module
from counting.review.patrons.arrangements import Arrangements
from counting.review.patrons.best_count import Counts
from counting.review.patrons.named_count import NEAR, NamedCount, PricedStakes, named_count
from counting.review.synthetic import Counter, DealtTable, Facts, Flat, Patron, deal, log_frames
from counting.review.unseen_cards import UnseenCards, unseen_edges
from counting.simulation import Dealing
from counting.systems import System, load_system

EZ = load_game("ez-baccarat")
JACOBSON = Dealing.named("jacobson", 8)
DRAGON, LEVEL_1 = load_system("dragon-7"), load_system("dragon-7-level-1")
TWO = [DRAGON, LEVEL_1]


def dealt(folder: Path, seed: int, shoes: int) -> tuple[DealtTable, Log, UnseenCards]:
    table = deal(EZ, JACOBSON, seed, 0, shoes)
    log_frames(table, {"one": Flat("player", 5)}, EZ, 1)[0].write_csv(folder / "coups.csv")
    read: Log = read_log(folder / "coups.csv")
    return table, read, UnseenCards(read, 8)


def staked_by(patron: Patron, table: DealtTable, unseen: UnseenCards, seed: int) -> PricedStakes:
    known = Facts(EZ, ("dragon-7",), table)
    stakes = patron.stakes(table, known, np.random.default_rng(seed))[:, 0]
    return PricedStakes(np.arange(len(stakes)), stakes, unseen_edges(unseen, EZ, "dragon-7"))


def likelihood(coups: int, bets: int) -> float:
    return sum(n * log(n / coups) for n in (bets, coups - bets) if n)


def fit(counts: list[np.ndarray], more: np.ndarray) -> float:
    """The best log likelihood ratio of betting more often from some trigger on, over counts given coup by coup."""
    best = 0.0
    for count, triggers in counts:
        for trigger in triggers:
            at = count >= trigger
            n, k = int(at.sum()), int(more[at].sum())
            rest, others = len(more) - n, int(more.sum()) - k
            if n > 0 and k / n > (k + others) / len(more):
                ratio = likelihood(n, k) + likelihood(rest, others) - likelihood(len(more), k + others)
                best = max(best, ratio)
    return best


def test_the_test_of_a_count_by_hand(tmp_path: Path) -> None:
    """True counts from tags and unseen cards, in every arrangement; the fits of the same draws compared."""
    table, read, unseen = dealt(tmp_path, 5, 3)
    staked = staked_by(Counter("dragon-7", 100, DRAGON, trigger=2, cover=0.5), table, unseen, 1)
    arrangements = Arrangements(read, unseen, EZ, 1)
    p = module._p_count("dragon-7", staked, arrangements, TWO, 4, 9)
    more = staked.stakes > 0
    shoes = unseen.shoe[staked.rows]
    by_shoe = []
    for shoe in range(3):
        left = arrangements.left(shoe, "value", 39).astype(float)
        cards = left.sum(axis=2)
        signs = next(arrangements.edges("dragon-7", [shoe], 39)) > 0
        full = np.array([128, *[32] * 9])
        trues = [((full - left) @ system.by_value) / (cards / 52) for system in TWO]
        by_shoe.append([signs, *trues])
    draws = np.random.Generator(np.random.Philox(key=np.array([4, 9], np.uint64))).integers(0, 40, (999, 3))
    fits = []
    for draw in [np.zeros(3, int), *draws]:
        counts = [np.concatenate([of[i][a] for of, a in zip(by_shoe, draw, strict=True)]) for i in range(3)]
        triggers = [(1,), *(system.scored for system in TWO)]
        fits.append(fit(list(zip(counts, triggers, strict=True)), more))
    assert np.unique(shoes).tolist() == [0, 1, 2]
    assert 0.001 < p < 0.9
    assert p == np.mean(np.array(fits) >= fits[0] * (1 - 1e-9))


@pytest.mark.long
def test_random_stakes_fit_no_count_better_than_the_level_says(tmp_path: Path) -> None:
    """At 10%, about 1 of 12 tables of 3 shoes, 6 in one run of 1,800. A perfect counter is below it at most tables."""
    tables, small, counting = long_or(60, 12), 0, 0
    table, read, unseen = dealt(tmp_path, 300, 3 * tables)
    patrons = (Flat("dragon-7", 5, 0.2), Counter("dragon-7", 100, trigger=-0.03))
    staked = [staked_by(patron, table, unseen, 1) for patron in patrons]
    for seed in range(tables):
        rows = np.arange(unseen.start[3 * seed], unseen.end[3 * seed + 2])
        arrangements = Arrangements(read, unseen, EZ, seed)
        ps = [
            module._p_count(
                "dragon-7", PricedStakes(rows, own.stakes[rows], own.edges[rows]), arrangements, TWO, seed, 1
            )
            for own in staked
        ]
        small, counting = small + (ps[0] <= 0.1), counting + (ps[1] <= 0.1)
    assert small <= long_or(14, 5)
    assert counting >= 0.6 * tables


@pytest.mark.parametrize(("others", "named"), [(17, True), (19, False)])
def test_a_count_is_named_of_who_comes_half_way_to_its_play(
    others: int, named: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fifty coups at +10%, the count's own bets, and 150 at -10%: random stakes have -5%, half way is +2.5%. Thirty
    bets on the former and 18 on the latter are at half way. A flat stake below them counts for nothing."""
    assert NEAR == 0.5
    edge = np.repeat([0.1, -0.1], [50, 150])
    stakes = np.where(np.r_[np.arange(50) < 30, np.arange(150) < others], 15.0, 5.0)
    monkeypatch.setattr(module, "_p_count", lambda *_: 0.004)
    staked, nothing = PricedStakes(np.arange(200), stakes, edge), Nothing()
    count = named_count("dragon-7", staked, float(edge.mean()), None, nothing, 1, 1)  # type: ignore[arg-type]
    expected = NamedCount("perfect", 0.0, 30 / (30 + others), 0.6, 0.004, 0.1) if named else NamedCount()
    assert count == pytest.approx(expected)
    monkeypatch.setattr(module, "_p_count", lambda *_: 0.011)
    unproved = named_count("dragon-7", staked, float(edge.mean()), None, nothing, 1, 1)  # type: ignore[arg-type]
    assert unproved == NamedCount()


class Nothing(Counts):
    """No count of the library."""

    def __init__(self) -> None:
        pass

    def of(self, bet: str) -> list[tuple[System, np.ndarray]]:
        return []


def test_the_own_trigger_decides_how_near(tmp_path: Path) -> None:
    """A patron who bets at a count of 0 or more is described by that trigger, and is far below the count's own bets."""
    table, read, unseen = dealt(tmp_path, 8, 30)
    arrangements, counts = Arrangements(read, unseen, EZ, 1), Counts(unseen)
    for trigger, named in ((0.0, False), (4.0, True)):
        staked = staked_by(Counter("dragon-7", 100, DRAGON, trigger=trigger), table, unseen, 1)
        count = named_count("dragon-7", staked, float(staked.edges.mean()), arrangements, counts, 1, 1)
        assert (count.count_used == "dragon-7") == named
        assert count.p_count is None or count.p_count <= 0.01
