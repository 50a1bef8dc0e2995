"""Estimates: the sampler against every composition of a tiny shoe, the figures and their errors against the census."""

import csv
import io
import json
import re
from itertools import product
from math import comb, prod, sqrt
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from extent import long_or
from polars.testing import assert_frame_equal

import counting
from counting import Game, InputError, Shoe, estimate, exact_edges, load_game
from counting.cli import main
from counting.exact import Census, settlement
from counting.io.toml import shipped
from counting.reports import numbers
from counting.simulation import importance
from counting.simulation.importance import _SAMPLED, Mixture, Sampler
from counting.simulation.tilts import Tilt

PUNTO = load_game("punto-banco").also(["dragon-7", "panda-8"])
LOUISIANA = load_game("louisiana")
FIGURES = ("p_positive", "mean_positive_part", "mean_positive_edge")
TINY = np.array([4, 2, 2, 1, 1, 1, 1, 1, 1, 1], np.int32)
LEFT = 6
CHANCES = np.array(
    [[0.8, 0.1, 0.5, 0.3, 0.3, 0.3, 0.9, 0.05, 0.2, 0.3], [0.1, 0.9, 0.4, 0.6, 0.2, 0.1, 0.2, 0.7, 0.5, 0.99]]
)


def tiny() -> tuple[np.ndarray, np.ndarray]:
    """Every composition of the cards left in the tiny shoe, and the number of ways to draw each."""
    rows = [row for row in product(*(range(m + 1) for m in TINY.tolist())) if sum(row) == LEFT]
    ways = [prod(comb(m, k) for m, k in zip(TINY.tolist(), row, strict=True)) for row in rows]
    return np.array(rows, np.int32), np.array(ways, float)


def tilted(chances: np.ndarray) -> np.ndarray:
    """The probabilities of the tiny shoe's compositions under a tilt, from its definition."""
    compositions, ways = tiny()
    weight = ways * ((chances / (1 - chances)) ** compositions).prod(axis=1)
    return weight / weight.sum()


@pytest.mark.parametrize("chances", [np.full(10, LEFT / TINY.sum()), *CHANCES])
def test_a_tilt_draws_by_its_law(chances: np.ndarray) -> None:
    compositions, chances_of = tiny()[0], tilted(chances)
    size = long_or(200_000, 100_000)
    drawn = Tilt(TINY, chances, LEFT).draw(np.random.Generator(np.random.Philox(key=7)), size)
    place = {tuple(row): i for i, row in enumerate(compositions.tolist())}
    seen = np.bincount([place[tuple(row)] for row in drawn.tolist()], minlength=len(chances_of))
    often, expected = chances_of * size >= 10, chances_of * size
    square = ((seen - expected) ** 2 / expected)[often].sum()
    assert often.sum() > 200
    assert abs(square - often.sum()) < 5 * sqrt(2 * often.sum())
    assert abs((seen - expected)[~often].sum()) <= 5 * sqrt(expected[~often].sum())
    assert drawn.mean(axis=0) == pytest.approx(chances_of @ compositions, abs=0.02)


def test_ratios_of_probabilities_are_those_of_the_laws() -> None:
    compositions, ways = tiny()
    plain = ways / comb(int(TINY.sum()), LEFT)
    mixture = Mixture.of(TINY, LEFT, CHANCES, np.array([0.5, 2.0]))
    ratios = mixture.ratios(compositions)
    assert (ratios[:, 0] == 1).all()
    for i, chances in enumerate(CHANCES):
        assert ratios[:, i + 1] * plain == pytest.approx(tilted(chances), rel=1e-11)
    assert ratios.T @ plain == pytest.approx(1, rel=1e-12)
    sizes = mixture.sizes(1000)
    assert sizes.sum() == 1000
    assert np.abs(sizes - [200, 232, 568]).max() <= 2  # a fifth plain; of the rest, 0.3 evenly, 0.7 at 1 to 4
    weights = mixture.weights(compositions, sizes)
    assert (weights * (ratios @ sizes)).sum() == pytest.approx(1000 * len(weights), rel=1e-12)
    assert weights.max() <= 1000 / sizes[0]


def exact(bet: str, cards: int) -> dict[str, float]:
    """The census's figures for 8 decks, from the table in the repository."""
    table = pl.read_csv(Path(__file__).parents[2] / "experiments" / "thorp" / "thorp.csv")
    return table.row(by_predicate=(pl.col("bet") == bet) & (pl.col("cards_left") == cards), named=True)


@pytest.mark.usefixtures("few_chains")
@pytest.mark.parametrize(
    ("game", "bet", "cards_left"),
    [
        (PUNTO, "tie-8", [6, 40]),
        (PUNTO, "player", [20]),
        (PUNTO, "dragon-7", [30]),
        (PUNTO, "panda-8", [10]),
        (LOUISIANA, "seven-seven-45", [40]),
    ],
)
def test_estimates_are_the_censuss_figures(game: Game, bet: str, cards_left: list[int]) -> None:
    """Every bet and every number of cards left occurs. With --long, every bet is estimated at every number."""
    cards_left = long_or([6, 10, 20, 30, 40], cards_left)
    for row in estimate(game, bet, cards_left, samples=30_000).iter_rows(named=True):
        census = exact(bet, row["cards_left"])
        for name in FIGURES:
            assert abs(row[name] - census[name]) < 5 * row[f"{name}_se"], (row["cards_left"], name)
            assert row[f"{name}_se"] < 0.03 * census[name], (row["cards_left"], name)
        assert row["mean_edge"] == pytest.approx(census["mean_edge"], abs=1e-12)


@pytest.mark.long
@pytest.mark.parametrize(
    ("bet", "cards", "decks"), [("tie-8", 24, 1), ("banker-5", 15, 2), *long_or([("player", 20, 1)], [])]
)
def test_estimates_of_few_decks_are_the_censuss_figures(bet: str, cards: int, decks: int) -> None:
    row = estimate(PUNTO, bet, [cards], decks, samples=50_000).row(0, named=True)
    census = Census(PUNTO, bet, cards, decks).figures(histogram=False)
    for name in FIGURES:
        assert abs(row[name] - census[name]) < 5 * row[f"{name}_se"], name
        assert row[f"{name}_se"] < 0.03 * census[name], name


@pytest.fixture
def few_chains(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use fewer tilts, fitted to fewer chains, for tests that do not depend on how good the tilts are."""
    monkeypatch.setattr(importance, "_TILTS", long_or(32, 6))
    monkeypatch.setattr(importance, "_CHAINS", long_or(2_000, 300))
    monkeypatch.setattr(importance, "_PILOT", long_or(30_000, 4_000))


def test_errors_are_the_spread_between_seeds_and_nothing_is_biased(monkeypatch: pytest.MonkeyPatch) -> None:
    """This holds whatever the tilts, so they may be few and rough."""
    monkeypatch.setattr(importance, "_TILTS", long_or(32, 6))
    monkeypatch.setattr(importance, "_CHAINS", long_or(2_000, 100))
    monkeypatch.setattr(importance, "_LOOKS", long_or(3, 1))
    monkeypatch.setattr(importance, "_STEPS", long_or(10, 5))
    monkeypatch.setattr(importance, "_PILOT", long_or(30_000, 1_000))
    seeds = 40
    samples = long_or(10_000, 1_500)
    rows = pl.concat([estimate(PUNTO, "tie-8", [20], samples=samples, seed=seed) for seed in range(seeds)])
    census = exact("tie-8", 20)
    for name in FIGURES:
        estimates, errors = rows[name].to_numpy(), rows[f"{name}_se"].to_numpy()
        z = (estimates - census[name]) / errors
        assert abs(z.mean()) < 4 / sqrt(seeds), name
        assert 0.7 < z.std() < 1.4, name
        assert 0.7 < estimates.std() / sqrt((errors**2).mean()) < 1.4, name


def test_a_rare_edge_is_found_in_every_direction_that_matters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Samples around only the likeliest positive composition would find 3e-23, a hundredth of the probability."""
    monkeypatch.setattr(importance, "_CHAINS", long_or(2_000, 500))
    rows = pl.concat([estimate(PUNTO, "tie-8", [208], samples=50_000, seed=seed) for seed in (1, 2)])
    assert (rows["p_positive"] < 1e-20).all()
    assert (rows["p_positive_se"] < 0.1 * rows["p_positive"]).all()
    for name in FIGURES:
        (a, b), errors = rows[name], rows[f"{name}_se"].to_numpy()
        assert abs(a - b) < 5 * sqrt((errors**2).sum()), name
    # The value is 4.183(11)e-21 by 2,000,000 samples from 60 tilts, fitted to 20,000 chains of 20 steps at each level.
    assert rows["p_positive"].to_numpy() == pytest.approx(4.183e-21, rel=0.1)


@pytest.mark.usefixtures("few_chains")
def test_figures_and_errors_are_those_of_the_samples_component_by_component() -> None:
    sampler = Sampler(settlement(PUNTO, ("tie-8",)), np.array(Shoe.decks(8).values, np.int32), 30, 2)
    mixture, samples = sampler.mixture(), 5_000
    sizes = mixture.sizes(samples)
    drawn = [sampler.draw(mixture, sizes, _SAMPLED, i) for i in range(len(sizes))]
    positive = [d.weights * (d.edges > 0) for d in drawn]
    part = [d.weights * d.edges.clip(0) for d in drawn]
    p, mean = sum(map(np.sum, positive)) / samples, sum(map(np.sum, part)) / samples
    ratio = [(b - mean / p * a) / p for a, b in zip(positive, part, strict=True)]
    row = sampler.row(samples, 1)
    assert row["positive_samples"] == sum(int((d.edges > 0).sum()) for d in drawn)
    for name, figure, terms in zip(FIGURES, (p, mean, mean / p), (positive, part, ratio), strict=True):
        assert row[name] == pytest.approx(figure, rel=1e-12)
        variance = sum(len(y) * y.var(ddof=1) for y in terms) / samples**2
        assert row[f"{name}_se"] == pytest.approx(sqrt(variance), rel=1e-9)


@pytest.mark.usefixtures("few_chains")
def test_a_row_depends_on_no_worker_and_no_other_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importance, "_BLOCK", 300)
    asked = {"samples": 3_000, "seed": 3}
    alone = estimate(PUNTO, "player", [60, 80], workers=1, **asked)
    assert_frame_equal(alone, estimate(PUNTO, "player", [60, 80], workers=3, **asked), check_exact=True)
    assert_frame_equal(alone[1:], estimate(PUNTO, "player", [80], workers=2, **asked), check_exact=True)
    assert estimate(PUNTO, "player", [80], samples=3_000, seed=4)["p_positive"].item() != alone["p_positive"][1]


def test_no_two_blocks_are_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importance, "_BLOCK", 100)
    sampler = Sampler(settlement(PUNTO, ("tie-8",)), np.array(Shoe.decks(8).values, np.int32), 50, 1)
    mixture = Mixture.of(sampler.full, 50, np.full((1, 10), 0.2), np.ones(1))
    sizes = mixture.sizes(1000)
    at = [(step, component, block) for step in (1, 2) for component in (0, 1) for block in (0, 1)]
    drawn = [sampler.draw(mixture, sizes, *where).compositions.tobytes() for where in at]
    assert len(set(drawn)) == len(at)
    assert [len(sampler.draw(mixture, sizes, 1, 0, block).edges) for block in (0, 1)] == [100, 100]
    row = estimate(PUNTO, "tie-8", [20], samples=10_050).row(0, named=True)  # with blocks that are not full
    assert abs(row["p_positive"] - exact("tie-8", 20)["p_positive"]) < 5 * row["p_positive_se"]


def test_nothing_found_is_said_to_be_nothing_found() -> None:
    row = estimate(PUNTO, "tie-8", [416], samples=1_000).row(0, named=True)
    assert (row["positive_samples"], row["p_positive"], row["mean_positive_part"]) == (0, 0, 0)
    assert [row[f"{name}_se"] for name in FIGURES] == [None, None, None]
    assert row["mean_positive_edge"] is None
    assert row["mean_edge"] == float(exact_edges(PUNTO.only(["tie-8"]), Shoe.decks(8))["tie-8"])


def test_an_edge_that_is_mostly_positive_needs_no_tilt(tmp_path: Path) -> None:
    text = shipped("games")["louisiana"].read_text().replace('"40:1"', '"60:1"')
    (tmp_path / "generous.toml").write_text(text)
    game = load_game(tmp_path / "generous.toml")
    cards = long_or(30, 20)
    rows = estimate(game, "seven-seven-40", [cards, 416], samples=20_000)
    census = Census(game, "seven-seven-40", cards, 8).figures(histogram=False)
    for name in FIGURES:
        assert abs(rows[name][0] - census[name]) < 5 * rows[f"{name}_se"][0], name
    assert rows["p_positive"][0] == rows["positive_samples"][0] / 20_000
    edge = float(exact_edges(game.only(["seven-seven-40"]), Shoe.decks(8))["seven-seven-40"])
    assert edge > 0
    assert rows["p_positive"][1] == 1
    assert rows["p_positive_se"][1] is None
    assert rows["mean_positive_edge"][1] == pytest.approx(edge, rel=1e-12)


def test_what_an_estimate_cannot_do() -> None:
    for asked, says in (
        ({"cards_left": [5]}, "cards left: 5, should be a whole number from 6 to 416$"),
        ({"cards_left": [60, 417]}, "cards left: 417, should be a whole number from 6 to 416$"),
        ({"decks": 1, "cards_left": [53]}, "from 6 to 52$"),
        ({"decks": 28}, "decks: 28"),
        ({"bet": "player-pair"}, "bet player-pair: looks at ranks, should be settled by point values"),
        ({"bet": "player-suited"}, "bet player-suited: looks at suits, should be settled by point values"),
        ({"bet": "tie-7"}, "did you mean"),
        ({"samples": 999}, "samples: 999, should be a whole number from 1,000 to"),
        ({"seed": -1}, "seed: -1"),
        ({"workers": 0}, "workers: 0"),
    ):
        with pytest.raises(InputError, match=says):
            estimate(**{"game": PUNTO, "bet": "tie-8", "cards_left": [60], **asked})


@pytest.mark.long
@pytest.mark.usefixtures("few_chains")
def test_estimate_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["estimate", "punto-banco", "player", "--cards", "60:80:20", "--samples", "2000", "--seed", "5"]
    assert main([*argv, "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert {k: data[k] for k in ("game", "bet", "decks", "seed")} == {
        "game": "punto-banco", "bet": "player", "decks": 8, "seed": 5,
    }  # fmt: skip
    assert [row["cards_left"] for row in data["estimates"]] == [60, 80]
    assert data["estimates"] == counting.estimate("punto-banco", "player", [60, 80], 8, 2000, 5).to_dicts()
    assert main([*argv, "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [float(row["p_positive"]) for row in rows] == [row["p_positive"] for row in data["estimates"]]
    assert main(["estimate", "punto-banco", "player", "--cards", "52", "--decks", "1", "--samples", "1000"]) == 0
    head, _, columns, _, row = capsys.readouterr().out.splitlines()
    assert head == "Player at Punto banco, 1 deck, edge -1.28637% on a full shoe; 1,000 samples a row."
    assert re.split("  +", columns) == [
        "cards left", "positive edge, % of shoes", "average edge when positive", "units per 100 coups, perfect play",
    ]  # fmt: skip
    assert row.split() == ["52", "0%", "0"]
    assert main(["estimate", "punto-banco", "tie-8", "--cards", "100", "--samples", "1000"]) == 0
    table = capsys.readouterr().out
    assert "positive edge, shoes in 1,000,000" in table
    row = counting.estimate("punto-banco", "tie-8", [100], 8, 1000).row(0, named=True)
    for name in ("p_positive", "mean_positive_part"):
        assert f"  {numbers.figure(10**6 * row[name], 10**6 * row[f'{name}_se'])}" in table
    for wrong, says in (
        (["--cards", "80:60:5"], "--cards 80:60:5: should rise, like 6:40 or 60:200:20"),
        (["--cards", "60:80:0"], "--cards 60:80:0: should rise"),
        (["--cards", "60-80"], "--cards 60-80: should be a number of cards, or a range like 6:40 or 60:200:20"),
        (["--cards", "400:420:10"], "cards left: 420, should be a whole number from 6 to 416"),
        (["--samples", "10"], "samples: 10, should be"),
    ):
        assert main(["estimate", "punto-banco", "player", *wrong]) == 2
        printed = capsys.readouterr()
        assert says in printed.err
        assert printed.err.count("\n") == 1
