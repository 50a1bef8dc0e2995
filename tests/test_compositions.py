"""The census: against every composition priced one by one, by its identity, and against the figures asked for."""

from itertools import combinations
from math import comb, prod, sqrt
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import counting
from counting import Game, InputError, Shoe, edges, exact_edges, load_game
from counting.cli import main
from counting.compositions import BINS, Census
from counting.systems import load_system

PUNTO = load_game("punto-banco").also(["dragon-7", "panda-8", "dragon-bonus-player", "egalite-0"])
LOUISIANA = load_game("louisiana")


def one_by_one(game: Game, bet: str, n: int, decks: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Every composition of n cards, its probability and its edge."""
    bars = combinations(range(n + 9), 9)
    found = np.array([np.diff([-1, *places, n + 9]) - 1 for places in bars])
    full = Shoe.decks(decks).values
    found = found[(found <= full).all(axis=1)]
    ways = [prod(comb(f, int(k)) for f, k in zip(full, row, strict=True)) for row in found]
    return found, np.array([w / comb(52 * decks, n) for w in ways]), edges(game, found, [bet])[:, 0]


@pytest.mark.parametrize(
    ("game", "bet", "n", "decks"),
    [
        (PUNTO, "tie-8", 6, 8),
        (PUNTO, "player", 8, 8),
        (PUNTO, "banker-5", 8, 1),  # more aces than there are would fit in eight cards
        (PUNTO, "dragon-7", 7, 6),
        (PUNTO, "dragon-bonus-player", 7, 1),
        (PUNTO, "egalite-0", 9, 1),
        (LOUISIANA, "seven-seven-45", 7, 2),
        (LOUISIANA, "banker", 7, 1),
    ],
)
def test_every_composition_one_by_one(game: Game, bet: str, n: int, decks: int) -> None:
    compositions, chance, edge = one_by_one(game, bet, n, decks)
    law = Census(game, bet, n, decks).law()
    assert law["p_positive"] == pytest.approx(chance[edge > 0].sum(), rel=1e-12)
    assert law["p_zero"] == pytest.approx(chance[edge == 0].sum(), rel=1e-12)
    assert law["mean_edge"] == pytest.approx((chance * edge).sum(), abs=1e-13)
    assert law["mean_positive_part"] == pytest.approx((chance * edge.clip(0)).sum(), rel=1e-12)
    assert law["sd"] == pytest.approx(sqrt((chance * edge**2).sum() - (chance * edge).sum() ** 2), rel=1e-10)
    assert law["max_edge"] == edge.max()
    assert Shoe.parse(law["max_composition"]).values in {tuple(c) for c in compositions[edge == edge.max()].tolist()}
    order = np.argsort(edge, kind="stable")
    up_to = chance[order].cumsum()
    high = float(max(line.pay for line in game.bet(bet).pays))
    for q in (1, 25, 50, 99):
        exact = edge[order][np.searchsorted(up_to, q / 100)]
        assert law[f"q{q:02d}"] == pytest.approx(exact, abs=0.5001 * (high + 1) / (BINS - 1))
    assert law["histogram"].sum() == pytest.approx(1, rel=1e-12)


@pytest.mark.parametrize(
    ("bet", "n", "decks", "name"),
    [("dragon-7", 8, 8, "dragon-7"), ("dragon-7", 8, 1, "dragon-7-level-2"), ("panda-8", 7, 8, "panda-8"),
     ("dragon-7", 9, 8, "dragon-7-unbalanced")],
)  # fmt: skip
def test_what_a_count_wins_one_by_one(bet: str, n: int, decks: int, name: str) -> None:
    compositions, chance, edge = one_by_one(PUNTO, bet, n, decks)
    system = load_system(name)
    law = Census(PUNTO, bet, n, decks).law(system=system)
    cards = np.full(len(edge), n)
    running = system.running(compositions.astype(np.int32), decks)
    reached = system.reached(running, cards, cards)
    gains = [(chance * edge)[reached > i].sum() for i in range(len(system.scored))]
    own = system.scored.index(system.on(bet))
    assert law["count_bets"] == pytest.approx(chance[reached > own].sum(), rel=1e-12)
    assert law["count_gain"] == pytest.approx(gains[own], rel=1e-11)
    assert law["best_count_gain"] == pytest.approx(max(gains), rel=1e-11)
    assert law["best_trigger"] == system.scored[int(np.argmax(gains))]
    at_any = max((chance * edge)[running >= count].sum() for count in np.unique(running))
    assert law["most_count_gain"] == pytest.approx(max(at_any, 0), rel=1e-11)
    assert law["best_count_gain"] <= law["most_count_gain"] + 1e-15 <= law["mean_positive_part"] + 1e-12


@pytest.mark.parametrize("decks", [1, 6, 8])
@pytest.mark.parametrize("n", [6, 11, 17, 21])
def test_the_mean_is_the_full_shoes_edge(n: int, decks: int) -> None:
    for game, bet in ((PUNTO, "banker-5"), (PUNTO, "dragon-7"), (PUNTO, "panda-8"), (LOUISIANA, "seven-seven-40")):
        law = Census(game, bet, n, decks).law(histogram=False)
        assert abs(law["mean_edge"] - float(exact_edges(game.only([bet]), Shoe.decks(decks))[bet])) < 1e-12


def test_the_checked_in_table_keeps_the_identity() -> None:
    table = pl.read_csv(Path(__file__).parent.parent / "experiments" / "thorp.csv")
    assert table.height == 8 * 35
    assert table["cards_left"].unique().sort().to_list() == list(range(6, 41))
    for (bet,), rows in table.group_by("bet"):
        game = LOUISIANA if str(bet).startswith("seven") else PUNTO
        exact = float(exact_edges(game.only([str(bet)]), Shoe.decks(8))[str(bet)])
        assert (rows["mean_edge"] - exact).abs().max() < 1e-12  # type: ignore[operator]


def test_the_figures_asked_for() -> None:
    tie = counting.census("punto-banco", "tie-8", [10, 20])
    assert [f"{p:.6f}" for p in tie["p_positive"]] == ["0.169729", "0.041843"]
    assert f"{counting.census('punto-banco', 'player', [10])['p_positive'].item():.6f}" == "0.094004"


def test_the_law_is_the_same_with_any_workers_and_instructions(monkeypatch: pytest.MonkeyPatch) -> None:
    census = Census(PUNTO, "dragon-7", 12, 8)
    one, two = (census.law(workers=workers) for workers in (1, 3))
    assert {k: v for k, v in one.items() if k != "histogram"} == {k: v for k, v in two.items() if k != "histogram"}
    assert (one["histogram"] == two["histogram"]).all()
    for level in counting.counter.LEVELS[: counting._forms.best_level() + 1]:
        monkeypatch.setenv("COUNTING_ISA", level)
        other = census.law()
        for name in ("p_positive", "p_zero", "mean_edge", "mean_positive_part", "sd"):
            assert other[name] == pytest.approx(one[name], rel=1e-13), (level, name)
        assert other["max_edge"] == one["max_edge"]


def test_results_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COUNTING_CACHE", str(tmp_path / "kept"))
    first = counting.census(PUNTO, "tie-9", [6, 7])
    kept = sorted((tmp_path / "kept").glob("census-*.json"))
    assert len(kept) == 2
    monkeypatch.setattr(Census, "law", lambda *_, **__: pytest.fail("worked out again"))
    assert counting.census(PUNTO, "tie-9", [7, 6]).sort("cards_left").equals(first)
    monkeypatch.undo()
    monkeypatch.setenv("COUNTING_CACHE", str(tmp_path / "kept"))
    for other in ({"decks": 6}, {"bet": "tie-8"}, {"game": LOUISIANA}, {"cards_left": [8]}):
        asked = {"game": PUNTO, "bet": "tie-9", "cards_left": [6], **other}
        assert not counting.census(**asked).equals(first.head(1))
    assert len(sorted((tmp_path / "kept").glob("census-*.json"))) == 6
    counted = counting.census(PUNTO, "tie-9", [6], system=load_system("tie-9-level-1"))
    assert "count_gain" in counted.columns
    kept[0].write_text("half a re")
    assert counting.census(PUNTO, "tie-9", [6, 7]).equals(first)
    assert counting.census(PUNTO, "tie-9", [6, 7], cache=False).equals(first)
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("COUNTING_CACHE", str(tmp_path / "file"))
    assert counting.census(PUNTO, "tie-9", [6, 7]).equals(first)


def test_what_a_census_cannot_do() -> None:
    for game, bet, n, decks, says in (
        (PUNTO, "player", 61, 8, "cards left: 61, should be a whole number from 6 to 60 .*`counting estimate`"),
        (PUNTO, "player", 416, 8, "`counting estimate` takes more"),
        (PUNTO, "player", 417, 8, "cards left: 417, should be a whole number from 6 to 60$"),
        (PUNTO, "player", 5, 8, "cards left: 5, should be a whole number from 6 to 60$"),
        (PUNTO, "player", 53, 1, "from 6 to 52$"),
        (PUNTO.also(["player-pair"]), "player-pair", 10, 8, "bet player-pair: looks at ranks"),
        (PUNTO, "tie-7", 10, 8, "did you mean"),
    ):
        with pytest.raises(InputError, match=says):
            Census(game, bet, n, decks)


def test_census_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["census", "punto-banco", "tie-9", "--cards", "6:8"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["cards_left", "6", "7", "8"]
    assert main(["census", "ez-baccarat", "dragon-7", "--cards", "9:10", "--system", "dragon-7"]) == 0
    assert "count_gain" in capsys.readouterr().out
    assert main(["census", "ez-baccarat", "dragon-7", "--cards", "9", "--decks", "6", "--format", "csv"]) == 0
    assert capsys.readouterr().out.count("\n") == 2
    for wrong, says in (
        (["--cards", "8:6"], "--cards 8:6: should rise"),
        (["--cards", "few"], "--cards few: should be a number of cards, or a range as 6:40"),
        (["--cards", "6:40:0"], "--cards 6:40:0: should rise"),
        (["--cards", "6:61"], "cards left: 61"),
        (["--workers", "0"], "workers: 0"),
        (["--system", "dragon-7"], "system dragon-7: counts for dragon-7, not for tie-9"),
    ):
        assert main(["census", "punto-banco", "tie-9", *wrong]) == 2
        found = capsys.readouterr()
        assert says in found.err
        assert found.err.count("\n") == 1
