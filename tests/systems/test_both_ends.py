"""A count that is bet at both ends: wherever it is read, its distance from a number decides."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from extent import long_or

from counting import System, load_game
from counting.analysis import by_penetration, score
from counting.cards import CARDS, Shoe
from counting.cli import main
from counting.errors import InputError
from counting.exact import Effects, edges
from counting.live.prices import Prices
from counting.live.shoes import CODES
from counting.reports.effects import profile
from counting.simulation import Dealing, play
from counting.sweep import Plan, Sweep, run
from counting.sweep.bettors import CountingBettor
from counting.systems import counts_for

PUNTO, BET, SHOES = load_game("punto-banco"), "player-suited", long_or(120, 30)
REDS = {"s": 1, "h": -1, "d": -1, "c": 1}
DEALING = Dealing.named("jacobson", 8)


def reds(name: str, tags: dict[str, int] = REDS, **how: object) -> System:
    base = {"title": "Reds and blacks", "source": "here", "count": "true", "bets": [BET], "trigger": 9}
    return System.from_dict({"name": name, **base, "tags": tags, **how})


BOTH, OFF_CENTRE = reds("both", distance_from=0), reds("off-centre", distance_from=-2.5, trigger=9)
HIGH, LOW = reds("high"), reds("low", {suit: -tag for suit, tag in REDS.items()})


@pytest.fixture(scope="module")
def sweep(tmp_path_factory: pytest.TempPathFactory) -> Sweep:
    systems = (BOTH, OFF_CENTRE, HIGH, LOW)
    bettors = tuple(CountingBettor(name, (BET,), name) for name in ("both", "high", "low"))
    plan = Plan(PUNTO, DEALING, SHOES, 3, systems, (BET,), keep_rows=False, bettors=bettors)
    return run(plan, tmp_path_factory.mktemp("both"))


def row(sweep: Sweep, name: str, trigger: float) -> dict[str, float]:
    (only,) = score(sweep.ledger).filter(pl.col("system") == name, pl.col("trigger") == trigger).collect().to_dicts()
    return only


@pytest.mark.parametrize(("name", "twice_centre"), [("both", 0), ("off-centre", -5)])
def test_a_sweep_bets_on_either_side(name: str, twice_centre: int, sweep: Sweep) -> None:
    """Against a plain loop over the coups. The loop bets if twice the true count, less twice the centre, is 18 or more
    in size."""
    left = play(PUNTO.tableau, DEALING, 3, 0, SHOES, "card").left
    priced = edges(PUNTO.only([BET]), left, [BET])[:, 0]
    won, bets, sides = 0.0, 0, set[bool]()
    for cards, edge in zip(left.tolist(), priced.tolist(), strict=True):
        blacks = sum(n for card, n in zip(CARDS, cards, strict=True) if card[-1] in "sc")
        beyond = -2 * 52 * (2 * blacks - sum(cards)) - twice_centre * sum(cards)
        if abs(beyond) >= 18 * sum(cards):
            won, bets = won + edge, bets + 1
            sides.add(beyond > 0)
    ledger_row = row(sweep, name, 9)
    assert sides == {True, False}
    assert ledger_row["bets"] == bets
    assert ledger_row["units_per_shoe"] == pytest.approx(won / SHOES)


def test_both_ends_are_the_counts_of_one_end_each_together(sweep: Sweep) -> None:
    """A count that is bet at both ends bets where one of two counts with opposite tags does, at triggers above 0. So
    its bets and gains are their sums, also by cut and for bettors."""
    cuts = by_penetration(sweep, [14, 52])
    for trigger in (5.0, 9.0, 15.0):
        both, high, low = (row(sweep, name, trigger) for name in ("both", "high", "low"))
        for column in ("bets", "units_per_shoe", "played_units_per_shoe"):
            assert both[column] == pytest.approx(high[column] + low[column])
        at = cuts.filter(pl.col("trigger") == trigger).pivot("system", index="cut", values="bets")
        assert (at["both"] == at["high"] + at["low"]).all()
    bettors = pl.read_parquet(sweep.folder / "bettors").group_by("bettor").agg(pl.col("sides", "gain").sum())
    by = {name: (sides, gain) for name, sides, gain in bettors.rows()}
    assert by["both"] == (by["high"][0] + by["low"][0], by["high"][1] + by["low"][1])


@pytest.mark.parametrize(("seen", "count"), [("s", 13 * 52 / 39), ("hd", -26 * 52 / 26), ("sh", 0.0)])
def test_the_watch_reads_it_at_both_ends(seen: str, count: float) -> None:
    prices = Prices(PUNTO.only(["tie-8"]), 1, (reds("both", bets=["tie-8"], trigger=9, distance_from=0),))
    (state,) = prices.of([tuple(int(code < len(CARDS) and CARDS[code][-1] in seen) for code in range(CODES))])
    assert state.counts == pytest.approx([count])
    assert state.reached == [abs(count) >= 9]


def test_effects_of_removal_have_no_use_of_it() -> None:
    effects = Effects.of(PUNTO, "player-red", Shoe.decks(8), "card")
    with pytest.raises(InputError, match="'both': distance_from = 0: should be left out for the effects of removal"):
        profile(effects, [BOTH], [])


@pytest.mark.usefixtures("few_weighted", "undrawn")
def test_a_page_says_from_what(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.toml"
    tags = "".join(f"{suit} = {tag}\n" for suit, tag in REDS.items())
    head = 'title = "Reds"\nsource = "here"\ncount = "true"\ntrigger = 9\ndistance_from = -0.5\n'
    path.write_text(f"{head}[tags]\n{tags}")
    how = ["--system", str(path), "--shoes", long_or("60", "20"), "--out", str(tmp_path / "out")]
    assert main(["vulnerability", "punto-banco", BET, *how]) == 0
    out = capfd.readouterr().out
    assert "The count mine (" in out
    assert " away from -0.5) wins " in out
    assert "The count mine (" in (tmp_path / "out" / "report.html").read_text()


def test_counts_of_one_end_and_of_both_are_two() -> None:
    assert np.unique([HIGH.at(9), BOTH.at(9)]).tolist() == ["9", "9 away from 0"]
    assert all(count.distance_from is None for count in counts_for(BET))


def test_a_distance_is_scored_from_0_on() -> None:
    assert reds("near", distance_from=0, trigger=3).scored == tuple(range(10))
    assert reds("none", distance_from=1, trigger=0).scored == tuple(range(7))
    assert reds("on one side", trigger=3).scored == tuple(range(-1, 10))
