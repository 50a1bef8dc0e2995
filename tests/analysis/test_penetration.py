"""Every penetration from one sweep: the integers are the same as from a sweep of its own, and the figures the same as
by hand."""

import json
from dataclasses import replace
from math import sqrt
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from extent import long_or

from counting import InputError, load_game
from counting.analysis import by_penetration, price
from counting.analysis.penetration import totals
from counting.analysis.summary import scores
from counting.cli import main
from counting.games import catalog
from counting.simulation import BLOCK, Dealing
from counting.simulation.dealing import MOST_DECKS
from counting.sweep import PENETRATION, Plan, Sweep, run
from counting.sweep.plan import MOST_CELLS
from counting.sweep.scoring import Scoring
from counting.systems import load_system

HERE = Path(__file__).parents[1]
LOUISIANA = load_game("louisiana")
SEVENS = load_system(HERE / "systems" / "sevens.toml")


@pytest.mark.parametrize(
    ("dealing", "cuts"),
    [
        (Dealing(cut=6), (6, 14, 52, 208, 312)[:: long_or(1, 2)]),
        (Dealing(cut=14, burn="first-card", after_cut=(1, 1)), (15, 77, 104)),
        (Dealing(2, 0, after_cut=(0, 0)), (1, 7, 52, 80)),
        (Dealing(cut=6, after_cut=(2, 2)), (14, 104)),
        (Dealing(cut=6, after_cut=(2, 1)), (7, 104)),
    ],
)
def test_a_cut_equals_a_sweep_of_its_own_to_the_last_bit(
    dealing: Dealing, cuts: tuple[int, ...], tmp_path: Path
) -> None:
    systems = (SEVENS, load_system("tie-9-level-2"))
    plan = Plan(LOUISIANA, dealing, long_or(900, 120), 3, systems, keep_rows=0, blocks_of=long_or(0, 80))
    at_once = totals(run(plan, tmp_path / "one"), cuts)
    for i, cut in enumerate(cuts):
        own = replace(plan, dealing=replace(dealing, cut=cut), bets=())
        alone = totals(run(own, tmp_path / str(cut)), [cut])
        assert (alone.sums[:, 0] == at_once.sums[:, i]).all()
        assert alone.coups[0] == at_once.coups[i]
        assert alone.gain_sq[:, 0].tolist() == at_once.gain_sq[:, i].tolist()


def test_figures_by_hand(louisiana_sweep: Sweep) -> None:
    plan, bets = louisiana_sweep.plan, ("tie-9", "seven-seven-45")
    rows = price(louisiana_sweep.coups, plan.game, bets).collect()
    true = 52 * rows["count_sevens"] / rows["cards_left"]
    by_cut = by_penetration(louisiana_sweep, [15, 60, 130])
    for cut in (15, 60, 130):
        here, counted = rows.filter(pl.col("last_cut") >= cut), true.filter(rows["last_cut"] >= cut)
        coups_of_part = np.bincount(here["shoe"] // plan.block, minlength=plan.blocks)
        for bet in bets:
            for trigger in (None, *SEVENS.scored):
                on = here[bet] > 0 if trigger is None else counted >= trigger
                chosen = here.filter(on)
                key = {"system": "perfect" if trigger is None else "sevens", "bet": bet, "cut": cut}
                row = by_cut.filter(
                    pl.col("trigger").eq_missing(pl.lit(trigger)), *(pl.col(k) == v for k, v in key.items())
                ).row(0, named=True)
                assert (row["coups"], row["bets"], row["shoes"]) == (len(here), len(chosen), plan.shoes)
                assert row["penetration"] == 1 - cut / 416
                gain = chosen[bet].sum()
                assert row["units_per_shoe"] == pytest.approx(gain / plan.shoes, abs=1e-9)
                assert row["units_per_100_coups"] == pytest.approx(100 * gain / len(here), abs=1e-9)
                if len(chosen):
                    assert row["mean_edge"] == pytest.approx(gain / len(chosen), abs=1e-9)
                    assert row["truly_positive_share"] == (chosen[bet] > 0).sum() / len(chosen)
                gains = np.bincount(chosen["shoe"] // plan.block, chosen[bet], plan.blocks)
                of_part = [(gains[part], plan.shoes_in(part), coups_of_part[part]) for part in range(plan.blocks)]
                for name, base, scale in (("units_per_shoe", 1, 1), ("units_per_100_coups", 2, 100)):
                    total = sum(part[base] for part in of_part)
                    ratio = sum(part[0] for part in of_part) / total
                    spread = sum((part[0] - ratio * part[base]) ** 2 for part in of_part)
                    expected = scale * sqrt(spread * plan.blocks / (plan.blocks - 1)) / total
                    if len(chosen):
                        assert row[f"{name}_se"] == pytest.approx(expected, rel=1e-5, abs=1e-9)
                    else:
                        assert row[f"{name}_se"] is None


def test_mean_squares_agree_with_the_ledger(louisiana_sweep: Sweep, rulers_sweep: Sweep) -> None:
    for sweep in (louisiana_sweep, rulers_sweep):
        ledger = sweep.ledger.collect().group_by("system", "trigger", "bet", maintain_order=True)
        sums = ledger.agg(pl.col("bets", "square", "gain").sum())
        by_cut = by_penetration(sweep, [14])
        assert by_cut.select("system", "trigger", "bet", "bets").equals(sums.select("system", "trigger", "bet", "bets"))
        for row, summed in zip(by_cut.to_dicts(), sums.to_dicts(), strict=True):
            if summed["bets"]:
                mean = summed["gain"] / summed["bets"]
                assert row["sd_per_bet"] == pytest.approx(sqrt(summed["square"] / summed["bets"] - mean**2), rel=1e-6)


def test_one_figure_has_one_error(louisiana_sweep: Sweep, rulers_sweep: Sweep) -> None:
    """At the sweep's own cut a figure has the error that the tables of bets and of systems give it."""
    for sweep in (louisiana_sweep, rulers_sweep):
        own = sweep.plan.dealing.cut
        by_cut = by_penetration(sweep, [own, 60])
        errors = [name for name in by_cut.columns if name.endswith("_se")]
        ledger = scores(sweep.ledger).collect()
        assert by_cut.filter(pl.col("cut") == own).select(errors).equals(ledger.select(errors))
        assert len(errors) == 8


def test_bins_hold_each_coup_once(louisiana_sweep: Sweep) -> None:
    table = louisiana_sweep.penetration.collect()
    by_bettor = table.group_by("system", "bet").agg(pl.col("coups", "positive", "gain").sum())
    coups = louisiana_sweep.coups.select(pl.len()).collect().item()
    assert set(by_bettor["coups"]) == {coups}
    for column in ("positive", "gain"):
        assert by_bettor.group_by("bet").agg(pl.col(column).n_unique())[column].max() == 1
    assert table.filter(pl.col("system") == "perfect", pl.col("positive") != pl.col("coups") * pl.col("bin")).is_empty()
    triggers = table.filter(pl.col("system") == "sevens").select("bin", "trigger").unique().sort("bin").rows()
    assert triggers == [(i, t) for i, t in enumerate((None, *SEVENS.scored)) if i in dict(triggers)]


def test_cuts_that_are_told_apart() -> None:
    assert Dealing(cut=6).cuts.tolist() == [*range(6, 209), *range(216, 417, 8)]
    assert Dealing(cut=301).cuts.tolist() == [301, *range(304, 417, 8)]
    assert Dealing(1, 0).cuts.tolist() == [*range(27), 32, 40, 48]
    for decks in (1, 6, 8, 27):
        dealing = Dealing(decks, 5)
        assert set(dealing.usual_cuts) <= set(dealing.cuts.tolist())


def test_no_sum_of_a_part_can_pass_62_bits() -> None:
    most = BLOCK * Dealing(MOST_DECKS, 0).most_coups
    assert most < 1 << 25
    game = load_game("punto-banco")
    for name, bet in catalog().items():
        scoring = Scoring(game.also([name]), (name,), (), 8)
        gain, square = scoring.units[:, 0]
        odds = max(1.0, *(float(line.pay) for line in bet.pays))
        assert most * (odds / gain + 1) < 2**62
        assert most * (odds**2 / square + 1) < 2**62
        assert gain <= 2.0**-27 * max(1, odds / 128)
        assert [float(np.log2(unit)).is_integer() for unit in (gain, square)] == [True, True]


def test_cells_are_bounded() -> None:
    plan = Plan(LOUISIANA, Dealing(cut=6), 100, systems=(SEVENS,))
    assert plan.cells == (2 * 13 + (len(SEVENS.scored) + 1) * 13) * 229
    many = tuple(SEVENS.model_copy(update={"name": f"s{i}"}) for i in range(900))
    with pytest.raises(InputError, match=rf"penetration: [0-9,]+ cells .*, should be at most {MOST_CELLS:,}"):
        Plan(LOUISIANA, Dealing(cut=6), 100, systems=many)
    Plan(LOUISIANA, Dealing(cut=6), 100, systems=many, penetration=False)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Sweep:
    """A sweep of one part, with one bet and no count."""
    return run(Plan(LOUISIANA, Dealing(), 50, bets=("tie-9",)), tmp_path_factory.mktemp("small"))


def test_one_part_has_no_error_but_at_its_own_cut(small: Sweep) -> None:
    every = by_penetration(small)
    own = pl.col("cut") == small.plan.dealing.cut
    assert every.filter(own)["units_per_shoe_se"].null_count() == 0
    by_cut = every.filter(~own)
    assert by_cut["units_per_shoe_se"].null_count() == len(by_cut)
    never = by_cut.filter(pl.col("bets") == 0)
    assert len(never)
    assert never["mean_edge"].null_count() == len(never)


def test_cuts_that_a_sweep_does_not_have(louisiana_sweep: Sweep, tmp_path: Path) -> None:
    for cut in (13, 209, 417):
        with pytest.raises(InputError, match=f"cut: {cut}, should be from 14 to 208, or a multiple of 8 up to 416"):
            by_penetration(louisiana_sweep, [14, cut])
    for several in ([], [14]):
        with pytest.raises(InputError, match=r"cut: \[.*\], should be from 14 to 208"):
            by_penetration(louisiana_sweep, [14, several])  # type: ignore[list-item]
    plan = Plan(LOUISIANA, Dealing(), 50, penetration=False)
    bare = run(plan, tmp_path)
    assert PENETRATION not in plan.tables
    with pytest.raises(InputError, match="has no sums by cut"):
        by_penetration(bare)


def test_the_rows_of_chosen_triggers(louisiana_sweep: Sweep) -> None:
    every = by_penetration(louisiana_sweep, [14, 60])
    trigger = every["trigger"].drop_nulls()[-1]
    of_system = (pl.col("system") == "sevens") & (pl.col("trigger") == trigger)
    assert 0 < every.filter(of_system).height < every.filter(pl.col("system") == "sevens").height
    chosen = by_penetration(louisiana_sweep, [14, 60], {"sevens": trigger, "of-another-sweep": 1.0})
    assert chosen.equals(every.filter((pl.col("system") == "perfect") | of_system))


def test_from_the_command_line(small: Sweep, louisiana_sweep: Sweep, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["summary", str(small.folder), "--by", "penetration", "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)["penetration"]
    assert data == by_penetration(small).to_dicts()
    assert len(data) == len(small.plan.dealing.cuts)
    command = ["summary", str(louisiana_sweep.folder), "--by", "penetration"]
    assert main(command) == 0
    head, _, *lines = capsys.readouterr().out.splitlines()
    assert head.split()[:5] == ["system", "trigger", "bet", "cut", "penetration"]
    assert len(lines) == 13 * 2 * len(louisiana_sweep.plan.dealing.usual_cuts)
    assert main([*command, "--cut", "20", "21"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2 + 13 * 2 * 2
    assert main([*command, "--game", "louisiana"]) == 2
    assert "--game louisiana: should be left out" in capsys.readouterr().err
    assert main([*command, "--cut", "209"]) == 2
    assert "cut: 209, should be from 14 to 208" in capsys.readouterr().err
