"""The sums of a part against plain loops over its coups, in fractions."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import polars as pl
import pytest

from counting import load_game
from counting.exact import settlement
from counting.simulation import Dealing, play
from counting.sweep.scoring import Scoring
from counting.sweep.tally import BlockSums, Tally
from counting.systems import PERFECT, load_system

BETS = ("dragon-7", "panda-8", "tie-8")
UNBALANCED = load_system(Path(__file__).parents[1] / "systems" / "unbalanced.toml")
SYSTEMS = (load_system("dragon-7").model_copy(update={"bets": ("dragon-7", "tie-8")}), UNBALANCED)
SCORING = Scoring(load_game("ez-baccarat").also(BETS), BETS, SYSTEMS, 8)
DEALING = Dealing(burn="first-card")
CUTS = DEALING.cuts
TRIGGERS = {system.name: [Fraction(str(trigger)) for trigger in system.scored] for system in SYSTEMS}


class Coup(NamedTuple):
    """A coup with the figures of each bet, as exact as floats are, and how many triggers of each system are reached."""

    shoe: int
    number: int
    cards_left: int
    cut: int  # the largest distinguished cut at which the coup is dealt
    edge: dict[str, Fraction]
    square: dict[str, Fraction]
    won: dict[str, Fraction]
    reached: dict[str, int]


@pytest.fixture(scope="module")
def part() -> tuple[list[Coup], Tally]:
    coups = play(SCORING.game.tableau, DEALING, 3, 0, 8)
    settled = settlement(SCORING.game, BETS)
    by_bet = [
        [dict(zip(BETS, map(Fraction, row), strict=True)) for row in figures.tolist()]
        for figures in (*settled.moments(coups.left), settled.paid(coups.shown))
    ]
    running = [system.running(coups.left, 8).tolist() for system in SYSTEMS]
    numbers = zip(*(each.tolist() for each in (coups.shoe, coups.coup, coups.cards_left, coups.last_cut)), strict=True)
    rows = []
    of_rows = zip(numbers, *by_bet, *running, strict=True)
    for (shoe, number, left, last), edge, square, won, dragon, unbalanced in of_rows:
        count = {SYSTEMS[0].name: Fraction(52 * dragon, left), UNBALANCED.name: Fraction(unbalanced)}
        reached = {
            system.name: sum(count[system.name] >= trigger for trigger in TRIGGERS[system.name]) for system in SYSTEMS
        }
        rows.append(
            Coup(shoe, number, left, max(cut for cut in CUTS.tolist() if cut <= last), edge, square, won, reached)
        )
    sums = BlockSums(SCORING, [DEALING.cut], CUTS)
    for piece in coups.pieces(5):
        sums.add(piece)
    return rows, sums.tally(0)


def by_shoe(coups: Sequence[Coup], figure: Callable[[Coup], Fraction | int]) -> dict[int, Fraction]:
    sums: dict[int, Fraction] = defaultdict(Fraction)
    for coup in coups:
        sums[coup.shoe] += figure(coup)
    return sums


def test_the_ledger_has_the_bets_of_each_counter(part: tuple[list[Coup], Tally]) -> None:
    coups, tally = part
    dealt = by_shoe(coups, lambda _: 1)
    systems = {system.name: system for system in SYSTEMS}
    later = 0  # how many triggers are, in some shoe, first reached later than the trigger below
    before: dict[int, int] = {}
    assert tally.ledger.height == 3 + 11 * 2 + len(UNBALANCED.scored)
    for row in tally.ledger.sort("system", "bet", "trigger").iter_rows(named=True):
        bet, system = row["bet"], systems.get(row["system"])
        if system is None:
            on = [coup for coup in coups if coup.edge[bet] > 0]
        else:
            on = [coup for coup in coups if coup.reached[system.name] > system.scored.index(row["trigger"])]
        number, gain = by_shoe(on, lambda _: 1), by_shoe(on, lambda coup: coup.edge[bet])  # noqa: B023
        won = by_shoe(on, lambda coup: coup.won[bet])  # noqa: B023
        first = {coup.shoe: coup.number for coup in reversed(on)}
        later += system is not None and any(before.get(shoe, 99) < at for shoe, at in first.items())
        before = first if system is not None else {}
        whole = {
            "shoes": len(dealt), "coups": len(coups), "coups_sq": sum(n * n for n in dealt.values()), "bets": len(on),
            "positive_bets": sum(coup.edge[bet] > 0 for coup in on), "shoes_betting": len(first),
            "first_coup": sum(first.values()), "bets_sq": sum(n * n for n in number.values()),
            "bets_coups": sum(n * dealt[shoe] for shoe, n in number.items()),
        }  # fmt: skip
        assert {name: row[name] for name in whole} == whole, (row["system"], row["trigger"], bet)
        sums = {
            "gain": sum(gain.values()), "gain_sq": sum(g * g for g in gain.values()),
            "bets_gain": sum(number[shoe] * g for shoe, g in gain.items()),
            "gain_coups": sum(dealt[shoe] * g for shoe, g in gain.items()),
            "square": sum(coup.square[bet] for coup in on), "won": sum(won.values()),
            "won_sq": sum(w * w for w in won.values()),
        }  # fmt: skip
        assert {name: row[name] for name in sums} == pytest.approx({k: float(v) for k, v in sums.items()}, rel=1e-12)
    assert later > 10


def test_depth_has_the_edges_by_cards_left(part: tuple[list[Coup], Tally]) -> None:
    coups, tally = part
    first = {(bet, coup.shoe): coup.cards_left for bet in BETS for coup in reversed(coups) if coup.edge[bet] > 0}
    turned = Counter((bet, left) for (bet, _), left in first.items())
    assert tally.depth.height == len(BETS) * len({coup.cards_left for coup in coups})
    for row in tally.depth.iter_rows(named=True):
        edges = [coup.edge[row["bet"]] for coup in coups if coup.cards_left == row["cards_left"]]
        positive = [edge for edge in edges if edge > 0]
        assert (row["coups"], row["positive_coups"]) == (len(edges), len(positive))
        assert row["first_positive"] == turned[row["bet"], row["cards_left"]]
        sums = [float(sum(each)) for each in (positive, [edge**2 for edge in positive], edges)]
        assert [row["gain"], row["gain_sq"], row["edge"]] == pytest.approx(sums, rel=1e-12)
    assert sum(turned.values()) > 10


def test_penetration_has_whole_numbers_of_units_by_cut(part: tuple[list[Coup], Tally]) -> None:
    coups, tally = part
    expected: dict[tuple[str, str, int, int], list[int]] = defaultdict(lambda: [0] * 4)
    for coup in coups:
        bins = [(PERFECT, bet, int(coup.edge[bet] > 0)) for bet in BETS]
        bins += [(system.name, bet, coup.reached[system.name]) for system in SYSTEMS for bet in system.bets or BETS]
        for system, bet, at in bins:
            gain, square = (Fraction(unit[BETS.index(bet)]) for unit in SCORING.units)
            figures = 1, int(coup.edge[bet] > 0), round(coup.edge[bet] / gain), round(coup.square[bet] / square)
            cell = expected[system, bet, at, coup.cut]
            cell[:] = [kept + more for kept, more in zip(cell, figures, strict=True)]
    keys, sums = ("system", "bet", "bin", "cut"), ("coups", "positive", "gain", "square")
    rows = tally.penetration.iter_rows(named=True)
    assert {tuple(row[key] for key in keys): [row[name] for name in sums] for row in rows} == expected
    triggers = {(system.name, at): trigger for system in SYSTEMS for at, trigger in enumerate(system.scored, 1)}
    for system, at, trigger in tally.penetration.select("system", "bin", "trigger").unique().iter_rows():
        assert trigger == triggers.get((system, at))


def test_a_part_of_no_coups_has_no_rows_but_those_of_its_counters() -> None:
    sums = BlockSums(SCORING, [14], CUTS)
    sums.add(play(SCORING.game.tableau, DEALING, 3, 0, 0))
    empty = sums.tally(0)
    assert empty.depth.is_empty()
    assert empty.penetration.is_empty()
    assert (
        not empty.ledger.select(pl.selectors.numeric() - pl.selectors.by_name("cut", "trigger"))
        .sum()
        .sum_horizontal()
        .item()
    )
