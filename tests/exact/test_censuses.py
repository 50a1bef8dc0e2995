"""The census, compared with every composition priced one by one. Its mean edge is the full shoe's, and some of its
figures are checked."""

import csv
import io
import json
from bisect import bisect_right
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise
from math import ceil, comb, lcm, prod, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from extent import long_or

import counting
from counting import Game, InputError, Shoe, edges, exact_edges, load_game
from counting.cli import main
from counting.exact import BINS, LEVELS, Census, settlement
from counting.exact.censuses import cache_folder
from counting.io.toml import digest
from counting.systems import load_system
from counting.verify import reference

PUNTO = load_game("punto-banco").also(["dragon-7", "panda-8", "dragon-bonus-player", "egalite-0"])
LOUISIANA = load_game("louisiana")


@cache
def compositions(n: int, decks: int) -> tuple[np.ndarray, list[int]]:
    """Every composition of n cards, and the number of ways to draw each."""
    bars = np.array(list(combinations(range(n + 9), 9)), np.int32)
    shoes = np.diff(bars, axis=1, prepend=np.int32(-1), append=np.int32(n + 9)) - 1
    full = Shoe.decks(decks).values
    shoes = shoes[(shoes <= full).all(axis=1)]
    assert comb(52 * decks, n) < 1 << 63  # the sum of all ways
    of_values = [np.array([comb(f, k) for k in range(n + 1)])[column] for f, column in zip(full, shoes.T, strict=True)]
    return shoes, np.prod(of_values, axis=0).tolist()


def one_by_one(game: Game, bet: str, n: int, decks: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Every composition of n cards, its probability and its edge."""
    shoes, ways = compositions(n, decks)
    total = comb(52 * decks, n)
    return shoes, np.array([w / total for w in ways]), edges(game, shoes, [bet])[:, 0]


@cache
def slowly(game: Game, bets: tuple[str, ...], n: int, decks: int) -> tuple[list[list[int]], int]:
    """The exact edges of the bets on every composition, in whole numbers of a unit, and the number of units that make
    1. With six cards, edges are compared with the reference implementation, by default on one composition in 25."""
    shoes = compositions(n, decks)[0]
    deals = prod(range(n - 5, n + 1))
    common = lcm(*(game.bet(bet).denominator for bet in bets))
    numerators = settlement(game, bets).numerators(shoes).tolist()
    scales = [common // game.bet(bet).denominator for bet in bets]
    edges = [[k * scale for k, scale in zip(row, scales, strict=True)] for row in numerators]
    if n == 6:
        pays = [{o: game.bet(bet).pay(o) for o in game.tableau.outcomes} for bet in bets]
        for at in range(0, len(shoes), long_or(1, 25)):
            counted = reference.outcomes(game, Shoe.from_values(shoes[at].tolist()))
            assert edges[at] == [sum(pay[o] * k for o, k in counted.items()) * common for pay in pays]
    return edges, common * deals


@pytest.mark.parametrize(
    ("game", "bet", "n", "decks"),
    [
        (PUNTO, "tie-8", 6, 8),
        (PUNTO, "player", 8, 8),
        (PUNTO, "banker-5", 8, 1),  # eight cards could hold more aces than the deck has
        (PUNTO, "dragon-7", 7, 6),
        (PUNTO, "dragon-bonus-player", 7, 1),
        (PUNTO, "egalite-0", 9, 1),
        (LOUISIANA, "seven-seven-45", 7, 2),
        (LOUISIANA, "banker", 7, 1),
    ],
)
def test_every_composition_one_by_one(game: Game, bet: str, n: int, decks: int) -> None:
    compositions, chance, edge = one_by_one(game, bet, n, decks)
    figures = Census(game, bet, n, decks).figures()
    assert figures["p_positive"] == pytest.approx(chance[edge > 0].sum(), rel=1e-12)
    assert figures["p_zero"] == pytest.approx(chance[edge == 0].sum(), rel=1e-12)
    assert figures["mean_edge"] == pytest.approx((chance * edge).sum(), abs=1e-13)
    assert figures["mean_positive_part"] == pytest.approx((chance * edge.clip(0)).sum(), rel=1e-12)
    assert figures["sd"] == pytest.approx(sqrt((chance * edge**2).sum() - (chance * edge).sum() ** 2), rel=1e-10)
    assert figures["max_edge"] == edge.max()
    assert Shoe.parse(figures["max_composition"]).values in {
        tuple(c) for c in compositions[edge == edge.max()].tolist()
    }
    order = np.argsort(edge, kind="stable")
    up_to = chance[order].cumsum()
    high = float(max(line.pay for line in game.bet(bet).pays))
    for q in (1, 25, 50, 99):
        exact = edge[order][np.searchsorted(up_to, q / 100)]
        assert figures[f"q{q:02d}"] == pytest.approx(exact, abs=0.5001 * (high + 1) / (BINS - 1))
    assert figures["histogram"].sum() == pytest.approx(1, rel=1e-12)


JOINT = [
    (PUNTO, ("tie-8", "player"), 6, 1, 0, ()),
    (PUNTO, ("player", "banker-5", "dragon-7", "panda-8"), 7, 1, 0, ()),
    (PUNTO, ("tie-9", "tie-8"), 7, 1, 0, ()),  # the two edges are equal if no tie is possible
    (PUNTO, ("dragon-bonus-player", "egalite-0"), 8, 1, 0, ()),
    (LOUISIANA, ("banker", "banker-5", "player"), 7, 2, 0, ()),
    (LOUISIANA, "seven-seven-45", 7, 1, Fraction(1), ("player", "banker", "tie-9")),
    (PUNTO, "dragon-7", 6, 1, Fraction(1, 3), ("tie-8", "banker-4", "player")),
    (PUNTO, "panda-8", 8, 1, Fraction(5, 2), ("player", "banker-5")),
    (PUNTO, "dragon-7", 7, 2, Fraction(3, 4), ("banker-5",)),
    (PUNTO, "tie-8", 7, 1, Fraction(1), ("player", "tie-8")),  # the bet is also a main bet, and may get two units
]


@pytest.mark.long
@pytest.mark.parametrize(("game", "bet", "n", "decks", "tie_in", "main"), JOINT)
def test_the_best_of_several_one_by_one(
    game: Game, bet: str | tuple[str, ...], n: int, decks: int, tie_in: Fraction, main: tuple[str, ...]
) -> None:
    shoes, ways = compositions(n, decks)
    total = comb(52 * decks, n)
    names = main or bet
    by_bet, unit = slowly(game, (*((bet,) if isinstance(bet, str) else bet), *main), n, decks)
    in_units = by_bet
    if main:  # edges of the side bet and a main bet together, in a smaller unit
        unit *= tie_in.denominator
        in_units = [[tie_in.denominator * side + tie_in.numerator * m for m in mains] for side, *mains in by_bet]
    tops = [max(edges) for edges in in_units]
    first = [edges.index(top) for edges, top in zip(in_units, tops, strict=True)]

    def mean(values: list[int] | list[bool], scale: int = 1) -> float:
        return float(Fraction(sum(w * v for w, v in zip(ways, values, strict=True)), scale * total))

    figures = Census(game, bet, n, decks, Fraction(tie_in), main).figures()
    exact = {
        "p_positive": mean([b > 0 for b in tops]),
        "p_zero": mean([b == 0 for b in tops]),
        "mean_edge": mean(tops, unit),
        "mean_positive_part": mean([max(b, 0) for b in tops], unit),
        "sd": sqrt(mean([b * b for b in tops], unit**2) - mean(tops, unit) ** 2),
    }
    exact["mean_positive_edge"] = exact["mean_positive_part"] / exact["p_positive"]
    if len(names) > 1:
        for i, name in enumerate(names):
            exact[f"best_{name}"] = mean([f == i for f in first])
            exact[f"bets_{name}"] = mean([f == i and b > 0 for f, b in zip(first, tops, strict=True)])
            exact[f"gain_{name}"] = mean([(f == i) * max(b, 0) for f, b in zip(first, tops, strict=True)], unit)
        exact["p_tied"] = mean([edges.count(top) > 1 for edges, top in zip(in_units, tops, strict=True)])
    for name, value in exact.items():
        assert figures[name] == pytest.approx(value, rel=1e-11, abs=1e-15), name
    quantiles = {name for name in figures if name.startswith("q")}
    assert {*figures} == {*exact, *quantiles, "cards_left", "max_edge", "max_composition", "histogram"}
    assert figures["max_edge"] == float(Fraction(max(tops), unit))
    there = shoes.tolist().index(list(Shoe.parse(figures["max_composition"]).values))
    assert tops[there] == max(tops)
    assert len(quantiles) == 7
    order = sorted(range(len(tops)), key=lambda i: tops[i])
    up_to = np.cumsum([ways[i] / total for i in order])
    pays = {name: max(line.pay for line in game.bet(name).pays) for name in (*names, *([bet] if main else []))}
    high = max(pays[bet] + tie_in * pays[m] for m in main) if main else max(pays.values())
    for q in (5, 25, 50, 99):
        value = tops[order[int(np.searchsorted(up_to, q / 100))]] / unit
        assert figures[f"q{q:02d}"] == pytest.approx(value, abs=0.5001 * float(high + 1 + tie_in) / (BINS - 1))
    binned = Census(game, bet, n, decks, Fraction(tie_in), main).binned(figures["histogram"], 12)
    ends = [bin["edge_from"] for bin in binned]
    assert ends[0] == float(-1 - tie_in)
    assert [b - a for a, b in pairwise(ends)] == pytest.approx(11 * [float(high + 1 + tie_in) / 12], rel=1e-3)
    in_units_from = [ceil(Fraction(end) * unit) for end in ends]
    by_bin = [0] * 12
    for w, top in zip(ways, tops, strict=True):
        by_bin[max(bisect_right(in_units_from, top) - 1, 0)] += w
    exactly = [float(Fraction(w, total)) for w in by_bin]
    assert [bin["probability"] for bin in binned] == pytest.approx(exactly, rel=1e-11)


@pytest.mark.parametrize("level", LEVELS)
def test_the_better_of_two_with_one_never_behind_is_that_one(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if LEVELS.index(level) > counting.exact._forms.best_level():
        pytest.skip("this machine has no such instructions")
    monkeypatch.setenv("COUNTING_ISA", level)
    alone, both = (Census(PUNTO, bet, 15, 8).figures() for bet in ("tie-9", ("tie-9", "tie-8")))
    assert (alone["histogram"] == both.pop("histogram")).all()
    for name in alone.keys() - {"histogram"}:
        assert (
            both[name] == alone[name] if name.startswith("max") else both[name] == pytest.approx(alone[name], rel=1e-13)
        )
    assert both["best_tie-9"] == pytest.approx(1, rel=1e-12)
    assert both["best_tie-8"] == both["gain_tie-8"] == 0
    assert both["gain_tie-9"] == pytest.approx(alone["mean_positive_part"], rel=1e-12)


@pytest.mark.parametrize("n", [9, 14])
def test_shares_add_up_and_the_order_of_bets_is_free(n: int) -> None:
    bets = ("dragon-7", "tie-8", "panda-8", "player")
    figures, turned = Census(PUNTO, bets, n, 6).figures(), Census(PUNTO, bets[::-1], n, 6).figures()
    by_bet = {f"{what}_{bet}" for what in ("best", "bets", "gain") for bet in bets}
    assert all(figures[name] == turned[name] for name in figures.keys() - by_bet - {"histogram"})
    assert (figures["histogram"] == turned["histogram"]).all()
    for what, total, most in (
        ("best", 1, 1),
        ("bets", figures["p_positive"], 1),
        ("gain", figures["mean_positive_part"], figures["max_edge"]),
    ):
        assert sum(figures[f"{what}_{bet}"] for bet in bets) == pytest.approx(total, rel=1e-12)
        moved = sum(abs(figures[f"{what}_{bet}"] - turned[f"{what}_{bet}"]) for bet in bets)
        assert moved <= 2 * most * figures["p_tied"] + 1e-15  # floats are added in another order
    alone = [Census(PUNTO, bet, n, 6).figures(histogram=False) for bet in bets]
    for name in ("p_positive", "mean_positive_part"):
        assert (
            max(alone_figures[name] for alone_figures in alone)
            < figures[name]
            < sum(alone_figures[name] for alone_figures in alone)
        )
    assert figures["max_edge"] == max(alone_figures["max_edge"] for alone_figures in alone)


def test_both_positive_follows_from_each_and_the_best() -> None:
    shares = [
        counting.exact.census(PUNTO, bet, [8], 1)["p_positive"].item()
        for bet in ("tie-8", "player", ["tie-8", "player"])
    ]
    _, ways = compositions(8, 1)
    edges_of_both, _ = slowly(PUNTO, ("tie-8", "player"), 8, 1)
    both = sum(w for w, (tie, player) in zip(ways, edges_of_both, strict=True) if tie > 0 < player)
    assert shares[0] + shares[1] - shares[2] == pytest.approx(both / comb(52, 8), rel=1e-10)


def test_a_tie_in_of_nothing_and_on_one_main_bet() -> None:
    alone = counting.exact.census(LOUISIANA, "seven-seven-45", [12])
    for nothing in (0, "0", 0.0, Fraction()):
        assert counting.exact.census(
            LOUISIANA, "seven-seven-45", [12], tie_in=nothing, main=["player", "tie-9"]
        ).equals(alone)
    assert counting.exact.census(LOUISIANA, ["seven-seven-45"], [12]).equals(alone)
    for n in (7, 16):
        on_banker = counting.exact.census(LOUISIANA, "seven-seven-45", [n], tie_in="0.3", main="banker-5")
        full = exact_edges(LOUISIANA, Shoe.decks(8))
        assert on_banker.columns == alone.columns
        assert (
            abs(on_banker["mean_edge"].item() - float(full["seven-seven-45"] + Fraction(3, 10) * full["banker-5"]))
            < 1e-12
        )


def test_main_bets_are_the_games_unless_named() -> None:
    asked = {"game": "punto-banco", "bet": "dragon-7", "cards_left": [8], "tie_in": 1}
    figures = counting.exact.census(**asked)
    assert figures.equals(counting.exact.census(**asked, main=["player", "banker-5", "tie-8"]))
    assert figures.equals(counting.exact.census(**asked, main=["player", "banker", "tie"]))
    assert not figures.equals(counting.exact.census(**asked, main=["player", "banker-4", "tie-8"]))


def test_a_tie_in_on_player_and_banker_costs_a_counter_and_one_on_the_tie_may_pay_him() -> None:
    asked = {"game": "louisiana", "bet": "seven-seven-45", "cards_left": [12]}
    alone, hands, tie = (
        counting.exact.census(**asked, **more)["mean_positive_part"].item()
        for more in ({}, {"tie_in": 1, "main": ["player", "banker-5"]}, {"tie_in": 1})
    )
    more = counting.exact.census(**asked, tie_in=4, main=["player", "banker-5"])["mean_positive_part"].item()
    assert more < hands < alone < tie  # a tie pays 9 to 1, and its edge is largest when a tie at seven is likely


def test_what_a_count_wins_with_a_tie_in() -> None:
    shoes, chance, side = one_by_one(PUNTO, "dragon-7", 8, 8)
    edge = side + 0.5 * one_by_one(PUNTO, "banker-5", 8, 8)[2]
    system, cards = load_system("dragon-7"), np.full(len(edge), 8)
    figures = Census(PUNTO, "dragon-7", 8, 8, Fraction(1, 2), ("banker-5",)).figures(system=system)
    reached = system.reached(system.running(shoes, 8), cards, cards)
    own = system.scored.index(system.on("dragon-7"))
    assert figures["count_bets"] == pytest.approx(chance[reached > own].sum(), rel=1e-12)
    assert figures["count_gain"] == pytest.approx((chance * edge)[reached > own].sum(), rel=1e-10)
    assert figures["count_gain"] <= figures["most_count_gain"] <= figures["mean_positive_part"]


def test_a_histogram_in_bins() -> None:
    figures = counting.exact.census(PUNTO, "tie-8", [9, 10], histogram=20)
    long = figures.explode("histogram").unnest("histogram")
    assert long.height == 40
    assert long.group_by("cards_left").agg(pl.col("probability").sum())["probability"].to_list() == pytest.approx(
        [1, 1]
    )
    assert figures.drop("histogram").equals(counting.exact.census(PUNTO, "tie-8", [9, 10]))
    assert counting.exact.census(PUNTO, "tie-8", [9, 10], histogram=20).equals(figures)
    whole = Census(PUNTO, "tie-8", 9, 8)
    every = whole.figures()["histogram"]
    assert [b["probability"] for b in whole.binned(every, BINS - 1)] == [*every[:-2], every[-2:].sum()]
    assert whole.binned(every, 1) == [{"edge_from": -1.0, "probability": pytest.approx(1)}]


@pytest.mark.parametrize(
    ("bet", "n", "decks", "name"),
    [("dragon-7", 8, 8, "dragon-7"), ("dragon-7", 8, 1, "dragon-7-level-2"), ("panda-8", 7, 8, "panda-8"),
     ("dragon-7", 9, 8, "dragon-7-unbalanced"), ("dragon-7", 8, 8, "both ends")],
)  # fmt: skip
def test_what_a_count_wins_one_by_one(bet: str, n: int, decks: int, name: str) -> None:
    compositions, chance, edge = one_by_one(PUNTO, bet, n, decks)
    both_ends = load_system("dragon-7").model_copy(update={"distance_from": -3.5})
    system = both_ends if name == "both ends" else load_system(name)
    figures = Census(PUNTO, bet, n, decks).figures(system=system)
    cards = np.full(len(edge), n)
    running = system.running(compositions.astype(np.int32), decks)
    reached = system.reached(running, cards, cards)
    gains = [(chance * edge)[reached > i].sum() for i in range(len(system.scored))]
    own, best = system.scored.index(system.on(bet)), int(np.argmax(gains))
    assert figures["count_bets"] == pytest.approx(chance[reached > own].sum(), rel=1e-12)
    assert figures["count_gain"] == pytest.approx(gains[own], rel=1e-11)
    if best in (0, len(gains) - 1):
        counts = 52 * running // n if system.count == "true" else running
        if system.distance_from is not None:
            counts = abs(2 * 52 * running + 7 * n) // (2 * n)
        every = {count: (chance * edge)[counts >= count].sum() for count in range(counts.min(), counts.max() + 1)}
        assert figures["best_count_gain"] == pytest.approx(max(*every.values(), *gains), rel=1e-11)
        assert figures["best_count_gain"] == pytest.approx(every.get(figures["best_trigger"], max(gains)), rel=1e-11)
    else:
        assert figures["best_count_gain"] == pytest.approx(max(gains), rel=1e-11)
        assert figures["best_trigger"] == system.scored[best]
    height = running if system.distance_from is None else abs(2 * 52 * running + 7 * n)
    at_any = max((chance * edge)[height >= count].sum() for count in np.unique(height))
    assert figures["most_count_gain"] == pytest.approx(max(at_any, 0), rel=1e-11)
    assert figures["best_count_gain"] <= figures["most_count_gain"] + 1e-15 <= figures["mean_positive_part"] + 1e-12


@pytest.mark.long
@pytest.mark.parametrize("decks", [1, 6, 8])
@pytest.mark.parametrize("n", [6, 11, 17, 21])
def test_the_mean_is_the_full_shoes_edge(n: int, decks: int) -> None:
    bets = ((PUNTO, "banker-5"), (LOUISIANA, "seven-seven-40"), (PUNTO, "dragon-7"), (PUNTO, "panda-8"))
    some = bets if n < 21 else bets[(1, 6, 8).index(decks) :: 3]
    for game, bet in long_or(bets, some):
        figures = Census(game, bet, n, decks).figures(histogram=False)
        assert abs(figures["mean_edge"] - float(exact_edges(game.only([bet]), Shoe.decks(decks))[bet])) < 1e-12


def test_the_checked_in_table_keeps_the_identity() -> None:
    table = pl.read_csv(Path(__file__).parents[2] / "experiments" / "thorp" / "thorp.csv")
    assert table.height == 8 * 47
    assert table["cards_left"].unique().sort().to_list() == list(range(6, 53))
    for (bet,), rows in table.group_by("bet"):
        game = LOUISIANA if str(bet).startswith("seven") else PUNTO
        exact = float(exact_edges(game.only([str(bet)]), Shoe.decks(8))[str(bet)])
        assert (rows["mean_edge"] - exact).abs().max() < 1e-12  # type: ignore[operator]


def test_the_figures_asked_for() -> None:
    tie = counting.exact.census("punto-banco", "tie-8", [10, 20])
    assert [f"{p:.6f}" for p in tie["p_positive"]] == ["0.169729", "0.041843"]
    assert f"{counting.exact.census('punto-banco', 'player', [10])['p_positive'].item():.6f}" == "0.094004"


@pytest.mark.parametrize(
    ("game", "bets", "cards", "decks", "system"),
    [("ez-baccarat", ("dragon-7",), 12, 8, "dragon-7"), ("ez-baccarat", ("dragon-7",), long_or(21, 15), 8, None),
     ("punto-banco", ("player", "banker-5", "tie-8"), 13, 8, None), ("punto-banco", ("player", "tie-9"), 16, 1, None)],
)  # fmt: skip
def test_the_law_has_the_same_bits_with_any_workers_and_instructions(
    game: str, bets: tuple[str, ...], cards: int, decks: int, system: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    census, counts = Census(counting.load_game(game).also(bets), bets, cards, decks), system and load_system(system)
    figures = census.figures(workers=1, system=counts or None)
    histogram = figures.pop("histogram")
    for level in counting.exact.LEVELS[: counting.exact._forms.best_level() + 1]:
        monkeypatch.setenv("COUNTING_ISA", level)
        other = census.figures(workers=3, system=counts or None)
        assert (other.pop("histogram") == histogram).all()
        assert other == figures


def test_results_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COUNTING_CACHE", str(tmp_path / "kept"))
    first = counting.exact.census(PUNTO, "tie-9", [6, 7])
    kept = sorted((tmp_path / "kept").glob("census-*.json"))
    assert len(kept) == 2
    monkeypatch.setattr(Census, "figures", lambda *_, **__: pytest.fail("worked out again"))
    assert counting.exact.census(PUNTO, "tie-9", [7, 6]).sort("cards_left").equals(first)
    monkeypatch.undo()
    monkeypatch.setenv("COUNTING_CACHE", str(tmp_path / "kept"))
    tied_in = {"tie_in": 1, "main": ["player", "banker-5"]}
    for other in (
        {"decks": 6}, {"bet": "tie-8"}, {"game": LOUISIANA}, {"cards_left": [8]}, {"histogram": 8}, {"histogram": 9},
        {"bet": ["tie-9", "player"]}, {"bet": ["player", "tie-9"]}, tied_in, {**tied_in, "tie_in": 2},
        {**tied_in, "main": ["player"]}, {**tied_in, "main": ["banker-5", "player"]},
    ):  # fmt: skip
        asked = {"game": PUNTO, "bet": "tie-9", "cards_left": [6], **other}
        figures = counting.exact.census(**asked)
        assert not figures.equals(first.head(1))
        assert figures.equals(counting.exact.census(**asked))
        assert figures.equals(counting.exact.census(**asked, cache=False))
    assert len(sorted((tmp_path / "kept").glob("census-*.json"))) == 14
    counted = counting.exact.census(PUNTO, "tie-9", [6], system=load_system("tie-9-level-1"))
    assert "count_gain" in counted.columns
    kept[0].write_text("half a re")
    assert counting.exact.census(PUNTO, "tie-9", [6, 7]).equals(first)
    assert counting.exact.census(PUNTO, "tie-9", [6, 7], cache=False).equals(first)
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("COUNTING_CACHE", str(tmp_path / "file"))
    assert counting.exact.census(PUNTO, "tie-9", [6, 7]).equals(first)


def test_what_cannot_be_compared() -> None:
    dragon, side = load_system("dragon-7"), {"game": PUNTO, "bet": "dragon-7"}
    for asked, says in (
        ({"bet": []}, "bets: none, should be one or more"),
        ({"bet": ["tie-8", "tie-7"]}, "did you mean"),
        ({"bet": ["tie-8", "player-pair"]}, "bet player-pair: looks at ranks"),
        ({**side, "main": ["player"]}, "main player: needs a main-bet requirement"),
        ({**side, "tie_in": 1, "main": []}, "tie-in 1: no main bets, should name one"),
        ({**side, "tie_in": 1, "main": "plyer"}, "did you mean 'player'"),
        ({**side, "tie_in": 1, "main": "banker-pair"}, "bet banker-pair: looks at ranks"),
        ({**side, "tie_in": 0.5, "bet": ["tie-8", "player"]}, "tie-in 0.5: needs a single bet, not tie-8, player"),
        ({**side, "tie_in": 1, "system": dragon}, "system dragon-7: needs a single bet, with a tie-in on one"),
        ({"bet": ["dragon-7", "tie-8"], "system": dragon}, "system dragon-7: needs a single bet"),
        ({**side, "tie_in": 1, "main": "player", "bet": "panda-8", "system": dragon}, "counts for dragon-7, not for"),
        ({**side, "cards_left": [40], "tie_in": "0.1234"}, "bet dragon-7: odds with a tie-in of 0.1234 are too fine"),
        ({**side, "histogram": 0}, "histogram: 0, should be a whole number from 1 to 65,536"),
        ({**side, "histogram": 2.5}, "histogram: 2.5"),
        *(({**side, "tie_in": wrong}, "should be a number of units from 0 to 1,000")
          for wrong in (-1, "one", "1e4", 1001, "1/0", float("nan"), True, "")),
    ):  # fmt: skip
        with pytest.raises(InputError, match=says):
            counting.exact.census(**{"game": "punto-banco", "cards_left": [8], **asked})


@pytest.mark.parametrize(
    ("fits", "tie_in", "fine", "finer"),
    [
        ("tie-8", Fraction(1), "tie-8", Fraction(1, 7)),
        (("egalite-2", "player"), Fraction(), ("banker-5", "egalite-2"), Fraction()),  # 225 to 1, in units of 1/20
        (("egalite-2", "player"), Fraction(), ("egalite-2", "banker-5"), Fraction()),
    ],
)
def test_odds_too_fine_for_a_common_unit_are_refused(
    fits: str | tuple[str, ...], tie_in: Fraction, fine: str | tuple[str, ...], finer: Fraction
) -> None:
    game = PUNTO.also(["egalite-2"])
    assert Census(game, fits, 60, 8, tie_in, ("player", "banker-5")).coefficients.shape == (2, 5005)
    with pytest.raises(InputError, match="too fine for a census of 60 cards"):
        _ = Census(game, fine, 60, 8, finer, ("player", "banker-5")).coefficients


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


def test_the_page_says_how_right_its_quantiles_are() -> None:
    answer = counting.census("punto-banco", "tie-8", cards=6, tie_in=1)
    (quantiles,) = (each for each in answer.report.sections if each.title == "Quantiles of the edge")
    assert "within 1/131,072 of the range" in quantiles.text
    assert answer.report.title.startswith("Tie, 8 to 1 with 1 unit on the main bets: ")
    (row,) = counting.exact.census("punto-banco", "tie-8", 6).to_dicts()
    for name in ("q05", "q50", "q95"):  # an edge is a multiple of 9/720, minus 1
        assert abs(row[name] - round(80 * row[name]) / 80) <= 9 / 131_072
    assert row["q50"] != -0.2


def test_census_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["census", "punto-banco", "tie-9", "--cards", "6:8"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Tie, 9 to 1: the edge with few cards left. Punto banco, 8 decks, 6 to 8 cards left")
    assert [line.split()[0] for line in lines[4:9]] == ["cards", "----------", "6", "7", "8"]
    row = counting.exact.census("punto-banco", "tie-9", 6).row(0, named=True)
    of_100 = [100 * row[name] for name in ("p_positive", "p_zero", "mean_positive_edge", "mean_positive_part", "sd")]
    assert [float(cell.rstrip("%")) for cell in lines[6].split()[1:6]] == pytest.approx(of_100, rel=5e-4)
    assert lines[6].split()[6] == f"{100 * row['max_edge']:.1f}%"
    cards = [cell.split("×") for cell in lines[6].split()[7:]]
    assert Shoe.parse(row["max_composition"]) == Shoe.from_values(
        [sum(int(n) for n, value in cards if value.replace("T", "0") == str(kind)) for kind in range(10)]
    )
    assert main(["census", "ez-baccarat", "dragon-7", "--cards", "9:10", "--system", "dragon-7"]) == 0
    assert "bet frequency at its trigger" in capsys.readouterr().out
    assert main(["census", "ez-baccarat", "dragon-7", "--cards", "9", "--decks", "6", "--format", "csv"]) == 0
    assert capsys.readouterr().out.count("\n") == 2
    for several in (["tie-9", "player"], ["--bet", "tie-9", "player"], ["--bet", "tie-9", "--bet", "player"]):
        assert main(["census", "punto-banco", *several, "--cards", "7", "--format", "json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["bets"] == ["tie-9", "player"]
        assert found["census"] == counting.exact.census("punto-banco", ["tie-9", "player"], [7]).to_dicts()
    asked = ["census", "louisiana", "--bet", "seven-seven-45", "--cards", "7:8", "--tie-in", "1/2"]
    assert main([*asked, "--main", "player", "tie", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["bet"], found["tie_in"], found["main"]) == ("seven-seven-45", "1/2", ["player", "tie-9"])
    tied = counting.exact.census("louisiana", "seven-seven-45", [7, 8], tie_in="1/2", main=["player", "tie-9"])
    assert found["census"] == tied.to_dicts()
    assert main([*asked, "--histogram", "4"]) == 0
    lines = capsys.readouterr().out.splitlines()
    bins = lines.index("The whole distribution")
    assert lines[bins + 2].split("  ")[0] == "edge from"
    assert len(lines[bins + 4 : lines.index("", bins + 4)]) in (4, 8)
    assert "has the largest edge" in "".join(lines)
    assert not any("_" in line for line in lines)
    assert main([*asked, "--histogram", "4", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert list(rows[0]) == ["cards_left", "edge_from", "probability"]
    assert [row["cards_left"] for row in rows] == 4 * ["7"] + 4 * ["8"]
    assert sum(float(row["probability"]) for row in rows) == pytest.approx(2)
    for wrong, says in (
        (["--cards", "8:6"], "--cards 8:6: should rise"),
        (["--cards", "few"], "--cards few: should be a number of cards, or a range like 6:40"),
        (["--cards", "6:40:0"], "--cards 6:40:0: should rise"),
        (["--cards", "6:61"], "cards left: 61"),
        (["--workers", "0"], "workers: 0"),
        (["--tie-in", "-1"], "tie-in: -1, should be"),
        (["--main", "player"], "main player: needs a main-bet requirement"),
        (["--tie-in", "1", "--main"], "--main: should be followed by one value or more"),
        (["--histogram", "many"], "many"),
        (["player", "--tie-in", "1"], "tie-in 1: needs a single bet, not tie-9, player"),
        (["--system", "dragon-7"], "system dragon-7: counts for dragon-7, not for tie-9"),
    ):
        assert main(["census", "punto-banco", "tie-9", *wrong]) == 2
        found = capsys.readouterr()
        assert says in found.err
        assert found.err.count("\n") == 1


def test_a_cache_entry_that_is_not_as_it_was_written_is_worked_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, Any] = {"game": PUNTO, "bet": "tie-9", "cards_left": [6], "decks": 1, "histogram": 2}
    true = counting.exact.census(**asked)
    (entry,) = cache_folder().glob("census-*.json")
    whole = json.loads(entry.read_text())
    figures = whole["figures"]

    def but(**changed: object) -> dict[str, Any]:
        """The cache entry with some figures changed, and with the digest of the changed figures."""
        kept = {key: value for key, value in {**figures, **changed}.items() if value != "left out"}
        return {**whole, "figures": kept, "digest": digest(kept)}

    worked_out = Census(PUNTO, "tie-9", 6, 1).figures()
    monkeypatch.setattr(Census, "figures", lambda *_, **__: dict(worked_out))
    wrong: list[object] = [
        [], None, 3, "x", {}, figures, {"p_positive": 0.5}, {"key": whole["key"]},
        {**whole, "figures": {**figures, "p_positive": 0.9}},  # the digest is of the true figures
        {**whole, "key": {**whole["key"], "n": 7}},
        {**whole, "key": {**whole["key"], "version": "0.0.9"}},
        {**whole, "figures": [], "digest": digest([])},
        but(p_positive="0.5"), but(p_positive=None), but(p_positive=1), but(p_positive=True), but(sd="left out"),
        but(more=1.0), but(cards_left=7), but(cards_left=6.0), but(max_composition=1), but(q50=float("inf")),
        but(histogram=[]), but(histogram=[1, 2]), but(histogram=figures["histogram"][:1]), but(histogram=None),
        but(histogram=[{"edge_from": 0.0, "probability": "1"}] * 2), dict(reversed(list(whole.items()))) | {"key": 1},
    ]  # fmt: skip
    for content in wrong:
        entry.write_text(json.dumps(content))
        assert counting.exact.census(**asked).equals(true), content
        assert json.loads(entry.read_text()) == whole
    for raw in (b"", b"\xff\xfe", b"[" * 100_000, b'{"key": ' + b"9" * 5000 + b"}", entry.read_bytes()[:-9]):
        entry.write_bytes(raw)
        assert counting.exact.census(**asked).equals(true), raw[:9]
    entry.unlink()
    entry.mkdir()
    assert counting.exact.census(**asked).equals(true)


def test_a_cache_entry_is_read_where_it_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    for more in ({}, {"bet": ["tie-9", "player"]}, {"bet": "tie-9", "tie_in": 1, "main": ["player", "banker"]}):
        asked: dict[str, Any] = {"game": PUNTO, "bet": "tie-9", "cards_left": [6], "decks": 1} | more
        first = counting.exact.census(**asked)
        with monkeypatch.context() as patched:
            patched.setattr(Census, "figures", None)
            assert counting.exact.census(**asked).equals(first)
