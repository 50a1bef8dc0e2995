"""Standard errors: against the spread of sweeps with other seeds, and against plain Python on a few shoes."""

from math import sqrt
from typing import Any

import numpy as np
import polars as pl
import pytest
from extent import long_or
from numpy.typing import NDArray

from counting import load_game
from counting.analysis import by_bet, by_cards_left, by_penetration, by_system, price
from counting.analysis.cut_sums import Ratio
from counting.analysis.summary import scores
from counting.exact import settlement
from counting.simulation import Dealing, play
from counting.sweep import Plan, Sweep, run, triggers_reached
from counting.sweep.tables import LEDGER
from counting.systems import load_system

SWEEPS, PARTS, SHOES = 300, 10, 10  # SHOES: in each part
DECKS = long_or(8, 2)
DRAGON = load_system("dragon-7")
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@pytest.fixture(scope="module")
def sums() -> dict[str, Floats]:
    """What a counter of the Dragon 7 and a perfect counter make of each shoe, in sweeps with seeds 0, 1 ...: arrays
    (sweeps, parts, shoes)."""
    game = load_game("ez-baccarat")
    by_seed: list[list[Floats]] = []
    for seed in range(SWEEPS):
        coups = play(game.tableau, Dealing(DECKS), seed, 0, PARTS * SHOES, "value")
        edges = settlement(game, ("dragon-7",)).edges(coups.left)[:, 0]
        counted = triggers_reached(DRAGON, coups, DECKS) > DRAGON.scored.index(DRAGON.trigger)
        columns = (np.ones(len(edges)), counted, counted & (edges > 0), counted * edges, edges > 0, edges.clip(0))
        by_seed.append([np.bincount(coups.shoe, column, PARTS * SHOES) for column in columns])
    samples = np.moveaxis(np.array(by_seed), 1, 0).reshape(6, SWEEPS, PARTS, SHOES)
    names = ("coups", "bets", "positive", "gain", "perfect_bets", "perfect_gain")
    return dict(zip(names, samples, strict=True))


def ledger(sums: dict[str, Floats]) -> pl.LazyFrame:
    """One table `ledger` of all sweeps, with the sweep's number in the column `cut`."""
    sweep, part = np.indices((SWEEPS, PARTS)).reshape(2, -1)
    made = []
    for system, bets, positive, gain in (
        ("perfect", "perfect_bets", "perfect_bets", "perfect_gain"),
        ("dragon-7", "bets", "positive", "gain"),
    ):
        b, p, g, n = sums[bets], sums[positive], sums[gain], sums["coups"]
        of_shoe = {"coups": n, "coups_sq": n**2, "bets": b, "positive_bets": p, "gain": g, "shoes_betting": b > 0}
        of_shoe |= {"bets_sq": b**2, "gain_sq": g**2, "bets_gain": b * g, "bets_coups": b * n, "gain_coups": g * n}
        made.append(
            pl.DataFrame(
                {"part": part, "cut": sweep, "system": system, "trigger": None, "bet": "dragon-7", "shoes": SHOES}
                | {name: figure.sum(axis=2).reshape(-1) for name, figure in of_shoe.items()}
                | dict.fromkeys(("first_coup", "square", "won", "won_sq"), 0)
            )
        )
    return pl.concat(made).select(pl.col(name).cast(dtype) for name, dtype in LEDGER.schema.items()).lazy()


def agrees(figures: Floats, errors: Floats, within: float = 1.98) -> None:
    """Check errors against the spread of figures, which 300 sweeps show to 4%. 95% of normal figures are within
    Student's quantile times the error."""
    assert figures.std(ddof=1) == pytest.approx(sqrt((errors**2).mean()), rel=0.12)
    assert 0.91 < (abs(figures - figures.mean()) < within * errors).mean() < 0.98


@pytest.mark.parametrize("system", ["perfect", "dragon-7"])
def test_errors_by_shoe_are_the_spread_of_sweeps(system: str, sums: dict[str, Floats]) -> None:
    scored = scores(ledger(sums)).filter(pl.col("system") == system).collect()
    assert scored.height == SWEEPS
    columns = ["coups_per_shoe", "bets_per_shoe", "bet_share", "mean_edge", "units_per_shoe", "units_per_100_coups"]
    columns += ["shoes_betting_share"]
    for column in columns:
        agrees(scored[column].to_numpy(), scored[f"{column}_se"].to_numpy())
    for column in ("captured_share", "truly_positive_share") if system != "perfect" else ():  # errors by part
        agrees(scored[column].to_numpy(), scored[f"{column}_se"].to_numpy(), 2.26)
    if system == "perfect":
        assert set(scored["captured_share_se"]) == set(scored["truly_positive_share_se"]) == {0.0}


@pytest.mark.parametrize(
    ("top", "bottom"),
    [
        ("coups", None),
        ("bets", None),
        ("bets", "coups"),
        ("gain", "bets"),
        ("positive", "bets"),
        ("gain", "perfect_gain"),
    ],
)
def test_errors_by_part_are_the_spread_of_sweeps(top: str, bottom: str | None, sums: dict[str, Floats]) -> None:
    ratio = Ratio()
    for part in range(PARTS):
        below = np.full(SWEEPS, float(SHOES)) if bottom is None else sums[bottom][:, part].sum(axis=1)
        ratio.add(sums[top][:, part].sum(axis=1), below)
    agrees(ratio.top / ratio.bottom, ratio.error, 2.26)


def clustered(of_part: list[tuple[float, float]]) -> float | None:
    """The standard error of a ratio of sums, in plain Python. None for a single cluster, or if nothing varied."""
    total = sum(bottom for _, bottom in of_part)
    if len(of_part) < 2 or total == 0:
        return None
    ratio = sum(top for top, _ in of_part) / total
    spread = sum((top - ratio * bottom) ** 2 for top, bottom in of_part)
    if spread <= 1e-18 * sum(top**2 for top, _ in of_part) or sum(bottom > 0 for _, bottom in of_part) < 2:
        return None
    return sqrt(spread * len(of_part) / (len(of_part) - 1)) / total


def by_part(rows: pl.DataFrame, block: int, parts: int, bet: str, on: Bools) -> dict[str, list[float]]:
    """Sums for each part, which is `block` shoes: shoes, coups, the bets and what they gain. `on`: the rows with a
    bet."""
    shoe, edge = rows["shoe"].to_numpy(), rows[bet].to_numpy()

    def sums(figures: Any, of: Any = shoe) -> list[float]:
        counted: list[float] = np.bincount(of // block, figures, parts).tolist()
        return counted

    return {
        "shoes": sums(None, np.unique(shoe)),
        "coups": sums(None),
        "bets": sums(on),
        "positive": sums(on & (edge > 0)),
        "gain": sums(on * edge),
        "best": sums(edge.clip(0)),
    }


RATIOS = {
    "coups_per_shoe": ("coups", "shoes"),
    "bets_per_shoe": ("bets", "shoes"),
    "bet_share": ("bets", "coups"),
    "mean_edge": ("gain", "bets"),
    "truly_positive_share": ("positive", "bets"),
    "captured_share": ("gain", "best"),
}


@pytest.mark.parametrize("bet", ["tie-9", "seven-seven-45"])
def test_errors_by_penetration_in_plain_python(bet: str, louisiana_sweep: Sweep) -> None:
    plan = louisiana_sweep.plan
    (system,) = plan.systems
    columns = ("shoe", "cards_left", "last_cut", "count_sevens", bet)
    rows = price(louisiana_sweep.coups, plan.game, [bet]).select(columns).collect()
    table = by_penetration(louisiana_sweep, [15, 130]).filter(pl.col("bet") == bet).to_dicts()
    assert {row["trigger"] for row in table} == {None, *system.scored}
    by_cut = {cut: rows.filter(pl.col("last_cut") >= cut) for cut in (15, 130)}
    for row in table:
        dealt, trigger = by_cut[row["cut"]], row["trigger"]
        on = dealt[bet] > 0 if trigger is None else 52 * dealt["count_sevens"] >= trigger * dealt["cards_left"]
        parts = by_part(dealt, plan.block, plan.blocks, bet, on.to_numpy())
        for name, (top, bottom) in RATIOS.items():
            expected = clustered(list(zip(parts[top], parts[bottom], strict=True)))
            if trigger is None and name in ("truly_positive_share", "captured_share"):
                expected = 0.0 if row["bets"] else None
            if expected is None:
                assert row[f"{name}_se"] is None, (name, row)
            else:
                assert row[f"{name}_se"] == pytest.approx(expected, rel=1e-5, abs=1e-12), (name, row)


def test_errors_by_system_in_plain_python(rulers_sweep: Sweep) -> None:
    plan, bet = rulers_sweep.plan, "panda-8"
    columns = ("shoe", "cards_left", f"count_{bet}", bet)
    rows = price(rulers_sweep.coups, plan.game, [bet]).select(columns).collect()
    table = by_system(rulers_sweep.ledger).filter(pl.col("bet") == bet, pl.col("system") == bet).collect()
    for row in table.to_dicts():
        on = (52 * rows[f"count_{bet}"] >= row["trigger"] * rows["cards_left"]).to_numpy()
        for names, block, blocks in (
            (("captured_share", "truly_positive_share"), plan.block, plan.blocks),
            (("bets_per_shoe", "bet_share", "mean_edge"), 1, plan.shoes),
        ):
            parts = by_part(rows, block, blocks, bet, on)
            for name in names:
                top, bottom = RATIOS[name]
                expected = clustered(list(zip(parts[top], parts[bottom], strict=True)))
                assert row[f"{name}_se"] == pytest.approx(expected, rel=1e-6)


def test_what_was_never_seen_is_not_certain(louisiana_sweep: Sweep) -> None:
    ledgers, depth, _ = louisiana_sweep.tallies
    rare = by_penetration(louisiana_sweep).filter((pl.col("bets") == 0) & (pl.col("system") == "sevens"))
    assert len(rare)
    for name in ("bets_per_shoe", "bet_share", "mean_edge", "units_per_shoe", "truly_positive_share"):
        assert rare[f"{name}_se"].null_count() == len(rare), name
    never = by_cards_left(depth, ledgers).filter(pl.col("positive_share") == 0).collect()
    assert len(never)
    for name in ("positive_share", "units_per_shoe", "units_per_100_coups", "first_positive_share"):
        assert never[f"{name}_se"].null_count() == len(never), name
    bets = by_bet(ledgers).collect()
    assert (bets.select(pl.selectors.ends_with("_se")).fill_null(1) > 0).to_series(0).all()


def test_one_part_has_no_error_of_shares_between_parts(tmp_path: Any) -> None:
    plan = Plan(load_game("ez-baccarat"), Dealing(), 60, 1, (DRAGON,), ("dragon-7",))
    sweep = run(plan, tmp_path)
    table = by_penetration(sweep, [15]).filter(pl.col("system") != "perfect")
    assert table.select(pl.selectors.ends_with("_se").is_null().all()).row(0) == (True,) * 8
    of_system = by_system(sweep.ledger).filter(pl.col("trigger") == 4).collect()
    assert of_system["captured_share_se"].to_list() == of_system["truly_positive_share_se"].to_list() == [None]
    assert of_system["bets_per_shoe_se"].item() > 0
