"""Bettors under a table's rules, against plain twins in fractions. One twin follows a counter with a system coup by
coup; the other tries all stakes that can be best."""

import json
import pickle
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import pytest
from extent import examples, long_or
from hypothesis import assume, example, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from twins import best_play

from counting import Bet, InputError, load_game
from counting.exact import LEVELS, edges, settlement
from counting.simulation import Coups, Dealing, play
from counting.sweep import (
    BETTORS,
    Bettor,
    CountingBettor,
    PerfectBettor,
    Plan,
    Stakes,
    Sweep,
    TableLimits,
    _bettor,
    run,
    triggers_reached,
)
from counting.sweep.bettors import SUM_BITS, bettor_of
from counting.systems import System

HERE = Path(__file__).parents[1]
GAME = load_game("louisiana")
MAIN = ("player", "banker", "tie-9")
SIDE = "seven-seven-45"
BOTH = (SIDE, "big-win-player-35")
SYSTEM = System(
    name="sevens", title="Sevens seen", source="a test", count="true", start="to-zero", trigger=2.0,
    tags=dict.fromkeys("A23456789T", 0) | {"7": -1},
)  # fmt: skip
BETS = (*BOTH, *MAIN)

TABLE = TableLimits(minimum=Fraction(25), maximum=Fraction(500), tie_in=Fraction(1))

Amounts = tuple[Fraction, ...]


@pytest.fixture(scope="module")
def coups() -> Coups:
    return play(GAME.tableau, Dealing(cut=6), 5, 0, 25)


class Few(NamedTuple):
    """Some coups. For each bet: the exact edges and what was paid, as floats and as fractions. `reached`: where the
    count bets."""

    coups: Coups
    exact: dict[str, Any]
    paid: dict[str, Any]
    edges: dict[str, list[Fraction]]
    won: dict[str, list[Fraction]]
    reached: NDArray[np.bool_]


@pytest.fixture(scope="module")
def few(coups: Coups) -> Few:
    some = coups.only(coups.shoe < long_or(25, 5))
    exact = dict(zip(BETS, edges(GAME, some.left, BETS).T, strict=True))
    paid = dict(zip(BETS, settlement(GAME, BETS).paid(some.shown).T, strict=True))
    fractions = [{bet: list(map(Fraction, of[bet].tolist())) for bet in BETS} for of in (exact, paid)]
    return Few(some, exact, paid, *fractions, triggers_reached(SYSTEM, some, 8) > SYSTEM.scored.index(2.0))


def by_hand(bettor: CountingBettor, few: Few) -> list[tuple[Fraction, int]]:
    """What a counter with a system gains and whether it stakes, in fractions, one coup after another: (gain,
    staked)."""
    shoe, paid = few.coups.shoe.tolist(), few.won
    tie_in, idle = bettor.tie_in, bettor.tie_in if bettor.idle is None else bettor.idle
    rows: list[tuple[Fraction, int]] = []
    skipped, held, units, won, back = 0, None, Fraction(), Fraction(), Fraction()
    for row in range(len(shoe)):
        if row and shoe[row] != shoe[row - 1]:
            skipped, held, won, back = 0, None, Fraction(), Fraction()
        wants = bool(few.reached[row])
        liked = bettor.sides if wants else ()
        side = sum((few.edges[bet][row] + bettor.rebate for bet in liked), Fraction())
        where = held
        if held is None:
            if bettor.main:
                where = bettor.main_on_count if bettor.main_on_count and wants else bettor.main[0]
            may_skip = bettor.skips is None or skipped < bettor.skips
            staked = 1 if wants else 0 if may_skip else 2
            units = {0: Fraction(), 1: tie_in, 2: idle}[staked]
        else:  # a main bet still stands: a side bet is added, and the main bet is raised to what it requires
            staked = 1 if wants else 2
            units += max(tie_in - units, Fraction()) if wants else 0
        main = few.edges[where][row] + bettor.rebate if where else Fraction()
        gain = units * main + side if staked else Fraction()
        skipped = skipped + 1 if staked == 0 else 0
        won += sum((paid[bet][row] for bet in liked), Fraction())
        if staked and where:
            won += units * paid[where][row]
        due = bettor.loss_rebate * max(-won, Fraction())  # if the shoe ended here
        gain, back = gain + due - back, due
        held = where if bettor.stand and units and where and paid[where][row] == 0 else None
        rows.append((gain, staked))
    return rows


def required(sides: Amounts, rules: dict[str, Any]) -> Fraction:
    """The least sum of the main bets that these side bets require."""
    return max(rules["tie_in"] * sum(sides), rules["side_tie_in"] * max(sides, default=Fraction()))


def stakes_by_hand(sides: int, mains: int, rules: dict[str, Any]) -> list[tuple[Amounts, Amounts]]:
    """Stakes, in fractions, on side bets and on main bets. Whatever the edges, the best allowed stakes are among them.

    Every amount is 0, the least or the most, with three exceptions. Each side bet may be as large as the main bets
    allow a single side bet to be. One side bet may be as large as the main bets allow beside the other side bets. One
    main bet may make up what the side bets or the seat require.
    """
    ends = {Fraction(), rules["least"], Fraction(1)}
    main_ends = {Fraction(), rules["least_main"], rules["most_main"]}
    kept_up = set() if rules["kept_up"] is None else {rules["kept_up"]}
    totals = {sum(amounts, Fraction()) for amounts in product(main_ends, repeat=mains)} | kept_up
    on_side = {*product(ends, repeat=sides)}
    for total in totals:
        each = {total / rules["side_tie_in"]} if rules["side_tie_in"] else set()  # the most that each may be
        for amounts, i in product(product(ends | each, repeat=sides), range(sides)):
            allowed = [total / rules["tie_in"] - sum(amounts) + amounts[i]] if rules["tie_in"] else []
            on_side |= {(*amounts[:i], amount, *amounts[i + 1 :]) for amount in (amounts[i], *allowed)}
    stakes = []
    for side in on_side:
        on_main = {*product(main_ends, repeat=mains)}
        for total, amounts, i in product({required(side, rules), *kept_up}, list(on_main), range(mains)):
            on_main.add((*amounts[:i], total - sum(amounts) + amounts[i], *amounts[i + 1 :]))
        stakes += [(side, main) for main in on_main if may_be_staked(side, main, rules)]
    return stakes


def may_be_staked(side: Amounts, main: Amounts, rules: dict[str, Any]) -> bool:
    return (
        all(x == 0 or rules["least"] <= x <= 1 for x in side)
        and all(x == 0 or rules["least_main"] <= x <= rules["most_main"] for x in main)
        and min((*side, *main)) >= 0
        and sum(main) >= required(side, rules)
        and not (rules["main_needed"] and any(side) and not any(main))
    )


def holds_seat(sides: tuple[str, ...], mains: tuple[str, ...], side: Amounts, main: Amounts, rules: Any) -> bool:
    """Whether the seat is held by these stakes, or by a further bet, which may be as small as one likes."""
    if rules["kept_up"] is not None:
        return bool(sum(main) >= rules["kept_up"] or max(side, default=0) == 1)
    seat = rules["seat"]
    any_main = bool(mains) and not rules["least_main"]
    any_side = not rules["least"] and (not rules["main_needed"] or any(main) or any_main)

    def may_be_tiny(i: int) -> bool:
        """Whether that side bet may be as small as one likes: the main bets have room for it, or may be as small
        too."""
        tiny = (*side[:i], Fraction(1, 10**9), *side[i + 1 :])
        return any_side and (any_main or sum(main) >= required(tiny, rules))

    by_side = [
        x or may_be_tiny(i) for i, (bet, x) in enumerate(zip(sides, side, strict=True)) if seat == "any" or bet in seat
    ]
    by_main = [x or any_main for bet, x in zip(mains, main, strict=True) if seat in ("any", "main") or bet in seat]
    return any(by_side + by_main)


units = st.sampled_from([Fraction(), Fraction(1, 2), Fraction(1), Fraction(4)])


@given(
    sides=st.sampled_from([(SIDE,), BOTH]),
    tie_in=units,
    idle=st.one_of(st.none(), units),
    main=st.sampled_from([MAIN, ("player", "banker"), ("banker",)]),
    skips=st.sampled_from([None, 0, 1, 3]),
    rebate=st.sampled_from([Fraction(), Fraction(1, 100)]),
    stand=st.booleans(),
    loss_rebate=st.sampled_from([Fraction(), Fraction(1, 8)]),
    on_count=st.booleans(),
)
@examples(long=100, short=40)
def test_every_counter_with_a_system_plays_as_by_hand(few: Few, on_count: bool, **rules: Any) -> None:
    bettor = CountingBettor("one", system=SYSTEM.name, main_on_count=rules["main"][-1] if on_count else None, **rules)
    gain, staked = bettor.play(few.coups, few.exact, few.paid, dict.fromkeys(bettor.sides, few.reached))
    expected = by_hand(bettor, few)
    assert gain.tolist() == pytest.approx([float(g) for g, _ in expected], abs=1e-14)
    assert staked.tolist() == [s for _, s in expected]


@pytest.mark.long
@given(
    sides=st.sampled_from([(), (SIDE,), BOTH]),
    main=st.sampled_from([(), ("banker",), ("player", "tie-9")]),
    least=st.sampled_from([Fraction(), Fraction(1, 25), Fraction(1)]),
    mains=st.sampled_from([(0, 0), (0, 4), (1, 1), (1, 4), (2, 40)]),
    requirement=st.sampled_from([(0, 0), (1, 0), (4, 0), (0, 4), (0, 1)]),
    main_needed=st.booleans(),
    seat=st.sampled_from(["any", "main", ("tie-9", SIDE)]),
    kept_up=st.sampled_from([None, Fraction(), Fraction(1)]),
    skips=st.sampled_from([None, 0]),
    rebate=st.sampled_from([Fraction(), Fraction(1, 100)]),
)
@example(  # a tiny side bet would hold the seat, but it requires a main bet, which cannot be tiny
    sides=(SIDE,),
    main=("banker",),
    least=Fraction(),
    mains=(1, 1),
    requirement=(1, 0),
    main_needed=False,
    seat="any",
    kept_up=None,
    skips=0,
    rebate=Fraction(),
)
@example(  # each side bet is as large as the main bet allows a single one to be
    sides=BOTH,
    main=("banker",),
    least=Fraction(),
    mains=(1, 1),
    requirement=(0, 4),
    main_needed=False,
    seat="any",
    kept_up=None,
    skips=None,
    rebate=Fraction(),
)
@examples(long=60, short=25)
def test_every_counter_of_all_edges_has_the_best_of_all_stakes(
    coups: Coups,
    sides: tuple[str, ...],
    main: tuple[str, ...],
    mains: tuple[int, int],
    requirement: tuple[int, int],
    skips: int | None,
    rebate: Fraction,
    **rules: Any,
) -> None:
    rules |= dict(zip(("least_main", "most_main"), map(Fraction, mains), strict=True))
    rules |= dict(zip(("tie_in", "side_tie_in"), map(Fraction, requirement), strict=True))
    bets, by_hand = (*sides, *main), []
    for side, on_main in stakes_by_hand(len(sides), len(main), rules) if bets else []:
        if skips is None or holds_seat(sides, main, side, on_main, rules):
            by_hand.append((dict(zip(bets, (*side, *on_main), strict=True)), 1 if any(side) else 2))
    assume(any(staked for stakes, _ in by_hand for staked in stakes.values()))
    bettor = PerfectBettor("one", Stakes.of(sides, main, **rules), skips is None, rebate)
    exact = dict(zip(BETS, edges(GAME, coups.left, BETS).T, strict=True))
    gain, staked = bettor.play(exact)
    for row in range(0, len(gain), 131):
        e = {bet: Fraction(float(exact[bet][row])) + rebate for bet in bets}
        gains = [(sum(units * e[bet] for bet, units in on.items() if units), flag) for on, flag in by_hand]
        best = max(amount for amount, _ in gains)
        if skips is None and best <= 0:
            gains = [(Fraction(), 0)]
            best = Fraction()
        assert gain[row] == pytest.approx(float(best), abs=1e-12)
        assert staked[row] in {flag for amount, flag in gains if amount > best - Fraction(1, 10**12)}


@pytest.mark.parametrize("skips", [None, 0])
@pytest.mark.parametrize(
    "rules",
    [
        best_play.Rules((SIDE,), MAIN, 50, 5, 20, tie_in=1),
        best_play.Rules((SIDE,), MAIN, 50, tie_in=1),
        best_play.Rules(BOTH, MAIN, 50, 5, 20, 60, tie_in=2, together=True),
        best_play.Rules((SIDE,), MAIN, 50, 5, 20, tie_in=5, side_share=0.25),
        best_play.Rules(BOTH, MAIN, 50, 5, 20, side_share=0.5, holds_seat="main"),
        best_play.Rules(BOTH, MAIN, 50, 5, 20, 150, covers="all", holds_seat=("tie-9",), rebate=0.01),
        best_play.Rules(BOTH, MAIN, 50, 5, 20, tie_in="minimum"),
    ],
)
def test_the_stakes_of_a_table_are_those_of_the_slow_twin(
    coups: Coups, rules: best_play.Rules, skips: int | None
) -> None:
    limits = TableLimits(
        minimum=Fraction(rules.minimum),
        maximum=None if rules.maximum is None else Fraction(rules.maximum),
        least_bet=Fraction(rules.least_bet),
        tie_in=Fraction(0 if rules.tie_in == "minimum" else rules.tie_in),
        together=rules.together,
        side_share=None if rules.side_share is None else Fraction(rules.side_share),
        main_needed=rules.tie_in == "minimum",
        covers=rules.covers,
        seat=rules.holds_seat,
    )
    rebate = Fraction(rules.rebate).limit_denominator(1000)
    stakes = limits.stakes(rules.sides, rules.mains, Fraction(50))
    bettor = PerfectBettor("one", stakes, skips is None, rebate)
    priced = edges(GAME, coups.left, BETS)
    gain, _ = bettor.play(dict(zip(BETS, priced.T, strict=True)))
    best, _ = best_play.best_stakes(priced[:, [BETS.index(bet) for bet in rules.bets]], rules, must_play=skips == 0)
    assert (50 * gain).tolist() == pytest.approx(best.tolist(), abs=1e-6)


def test_of_a_loss_a_share_is_paid_back_when_the_shoe_ends(coups: Coups) -> None:
    exact = dict(zip(BETS, edges(GAME, coups.left, BETS).T, strict=True))
    paid = dict(zip(BETS, settlement(GAME, BETS).paid(coups.shown).T, strict=True))
    reached = {SIDE: triggers_reached(SYSTEM, coups, 8) > SYSTEM.scored.index(2.0)}
    plain = CountingBettor("one", (SIDE,), SYSTEM.name, tie_in=Fraction(1), main=("player",), skips=0)
    gain, staked = plain.play(coups, exact, paid, reached)
    more, _ = replace(plain, loss_rebate=Fraction(1, 4)).play(coups, exact, paid, reached)
    won = paid["player"] + paid[SIDE] * (staked == 1)
    for cut in (6, 60, 200):
        for shoe in range(25):
            dealt = (coups.shoe == shoe) & (coups.last_cut >= cut)
            assert (more - gain)[dealt].sum() == pytest.approx(max(0, -won[dealt].sum()) / 4)


def test_nobody_who_may_not_skip_skips(coups: Coups) -> None:
    exact = dict(zip(BETS, edges(GAME, coups.left, BETS).T, strict=True))
    stakes = TableLimits(minimum=Fraction(25)).stakes((SIDE,), MAIN, Fraction(100))
    gain, staked = PerfectBettor("all", stakes, may_skip=False).play(exact)
    free, played = PerfectBettor("free", stakes).play(exact)
    assert (staked > 0).all()
    assert {0, 1, 2} >= {*played} > {0}
    assert (gain <= free).all()
    assert (free == np.where(played > 0, gain, 0)).all()  # where the free counter plays, both gain the same
    assert (gain[played == 0] <= 0).all()
    least = np.maximum(exact[SIDE] / 100, np.max([exact[bet] for bet in MAIN], axis=0) / 4)
    assert gain[played == 0].tolist() == pytest.approx(least[played == 0].tolist())  # whichever costs less


def test_missed_cards(coups: Coups) -> None:
    assert (coups.noticed(0) == coups.left).all()
    first = np.flatnonzero(np.diff(coups.shoe, prepend=-1))
    blind = coups.noticed(1)
    for start, end in zip(first, [*first[1:], len(coups.shoe)], strict=True):
        assert (blind[start:end] == coups.left[start]).all()
    few, more = coups.noticed(0.05), coups.noticed(0.2)
    assert ((coups.left <= few) & (few <= more) & (more <= blind)).all()
    last = np.append(first[1:] - 1, len(coups.shoe) - 1)
    for seen, rate in ((few, 0.05), (more, 0.2)):
        dealt = (coups.left[first] - coups.left[last]).sum()
        missed = (seen - coups.left)[last].sum()
        assert abs(missed / dealt - rate) < 4 * (rate * (1 - rate) / dealt) ** 0.5
    alone = [piece.noticed(0.2) for piece in coups.pieces(3)]
    assert (np.vstack(alone) == more).all()
    assert (triggers_reached(SYSTEM, coups, 8, 0.2) != triggers_reached(SYSTEM, coups, 8)).mean() > 0.1


def test_a_main_bet_pushes_on_a_tie(coups: Coups) -> None:
    paid = settlement(GAME, MAIN).paid(coups.shown)
    tied = coups.shown[:, 0] == coups.shown[:, 1]
    sevens = tied & (coups.shown[:, 0] == 7)
    assert ((paid[:, 0] == 0) == tied).all()
    assert ((paid[:, 1] == 0) == (tied & ~sevens)).all()  # Banker without commission loses on 7-7
    assert (paid[:, 2] != 0).all()


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Sweep:
    tied = TableLimits(tie_in=Fraction(1))
    stakes = tied.stakes((SIDE,), MAIN, None)
    bettors = (
        PerfectBettor("sits out", stakes),
        PerfectBettor("plays all", tied.stakes((SIDE,), MAIN, None, "needed"), may_skip=False),
        PerfectBettor("free", Stakes.of((SIDE,), ())),
        CountingBettor(
            "stands", (SIDE,), SYSTEM.name, tie_in=Fraction(4), main=MAIN, skips=2, idle=Fraction(1), stand=True
        ),
        CountingBettor("counts", (SIDE,), SYSTEM.name, tie_in=Fraction(1), main=("banker",)),
        CountingBettor("misses", (SIDE,), SYSTEM.name, tie_in=Fraction(1), main=("banker",), missed=Fraction(1, 20)),
    )
    plan = Plan(GAME, Dealing(cut=6), 700, 5, (SYSTEM,), BETS, bettors=bettors)
    return run(plan, tmp_path_factory.mktemp("bettors"))


def test_the_sweep_adds_up_what_they_win(swept: Sweep) -> None:
    plan, table = swept.plan, swept.scan(BETTORS).collect()
    coups = play(GAME.tableau, plan.dealing, plan.seed, 0, plan.shoes)
    exact = dict(zip(BETS, edges(GAME, coups.left, BETS).T, strict=True))
    paid = dict(zip(BETS, settlement(GAME, BETS).paid(coups.shown).T, strict=True))
    for bettor in plan.bettors:
        if isinstance(bettor, PerfectBettor):
            gain, staked = bettor.play(exact)
        else:
            reached = triggers_reached(SYSTEM, coups, 8, float(bettor.missed)) > SYSTEM.scored.index(2.0)
            gain, staked = bettor.play(coups, exact, paid, {SIDE: reached})
        mine = table.filter(pl.col("bettor") == bettor.name)
        for cut in (6, 14, 104, 208):
            on, here = (
                coups.last_cut >= cut,
                mine.filter(pl.col("cut") >= cut).select(pl.exclude("part", "bettor").sum()),
            )
            assert here["coups"][0] == on.sum()
            assert here["played"][0] == (staked[on] > 0).sum()
            assert here["sides"][0] == (staked[on] == 1).sum()
            assert here["gain"][0] * bettor.unit(GAME) == pytest.approx(gain[on].sum(), abs=1e-6)


def test_bettors_who_win_the_same_are_played_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two perfect counters whose least bets differ but do not matter are played once, and so are two counters who
    differ only in name. All others are played."""

    def tied(least: int) -> Stakes:
        return Stakes.of((SIDE,), MAIN, least=Fraction(1, least), most_main=Fraction(2), tie_in=Fraction(2))

    counter = CountingBettor("counts", (SIDE,), "sevens", tie_in=1, main=("player",))
    bettors = [
        PerfectBettor("by 50", tied(50)), PerfectBettor("by 25", tied(25)), PerfectBettor("stays", tied(50), False),
        PerfectBettor("rebate", tied(50), rebate="0.01"), counter, replace(counter, name="another"),
    ]  # fmt: skip
    played: list[str] = []
    own = CountingBettor.play
    monkeypatch.setattr(CountingBettor, "play", lambda self, *given: played.append(self.name) or own(self, *given))

    def swept(*some: Bettor) -> pl.DataFrame:
        plan = Plan(GAME, Dealing(cut=6), 40, 1, (SYSTEM,), BETS, bettors=some)
        return run(plan, tmp_path / f"{len(some)}-{some[-1].name}", workers=1).scan(BETTORS).collect()

    together = swept(*bettors)
    assert played == ["counts"]
    (perfect,) = Plan(GAME, Dealing(cut=6), 40, 1, (SYSTEM,), BETS, bettors=tuple(bettors)).scoring.perfect.values()
    assert [bettors[i].name for i in perfect.numbers] == ["by 50", "stays", "rebate"]
    for bettor in bettors:
        assert together.filter(pl.col("bettor") == bettor.name).equals(swept(bettor))


def test_what_nothing_ties_in_is_what_the_perfect_counter_wins(swept: Sweep) -> None:
    ledger = swept.ledger.filter(pl.col("system") == "perfect", pl.col("bet") == SIDE).select(pl.col("gain").sum())
    free = (
        swept.scan(BETTORS).filter(pl.col("bettor") == "free").select(pl.col("gain").sum(), pl.col("gain_unit").first())
    )
    gain, unit = free.collect().row(0)
    assert gain * unit == pytest.approx(ledger.collect().item(), abs=1e-6)


def test_a_cut_equals_a_sweep_of_its_own(swept: Sweep, tmp_path: Path) -> None:
    plan = replace(swept.plan, dealing=Dealing(cut=60), penetration=False)
    own = run(plan, tmp_path).scan(BETTORS).collect()
    assert swept.scan(BETTORS).filter(pl.col("cut") >= 60).collect().equals(own)


@pytest.mark.parametrize("tie_in", [0, 1, 1000])
@pytest.mark.parametrize("sides", [(SIDE,), BOTH])
def test_no_sum_of_a_part_can_pass_62_bits(tie_in: int, sides: tuple[str, ...]) -> None:
    units = {"tie_in": Fraction(tie_in), "rebate": Fraction(1), "loss_rebate": Fraction(1)}
    with_system = CountingBettor("one", sides, "x", main=MAIN, skips=0, **units)
    most = 2 * (45 + (35 if len(sides) > 1 else 0) + 9 * tie_in) + len(sides) + tie_in
    assert (1 << 25) * most / with_system.unit(GAME) < 2**62
    stakes = Stakes.of(sides, MAIN, most_main=Fraction(tie_in), tie_in=Fraction(tie_in))
    every = PerfectBettor("one", stakes, may_skip=False, rebate=Fraction(1))
    most = 45 + (35 if len(sides) > 1 else 0) + (9 + 1 + 1) * tie_in + len(sides) + 3 * tie_in
    assert (1 << 25) * most / every.unit(GAME) < 2**62
    assert SUM_BITS == 62 - 25


def test_plans_and_bettors_survive_as_data(swept: Sweep) -> None:
    again = Plan.from_dict(json.loads(json.dumps(swept.plan.to_dict())))
    assert again == swept.plan
    for bettor, same in zip(swept.plan.bettors, again.bettors, strict=True):
        if isinstance(bettor, PerfectBettor):
            assert isinstance(same, PerfectBettor)
            assert (bettor.stakes.vertices == same.stakes.vertices).all()
    limits = TableLimits(minimum=Fraction(25), tie_in=Fraction(1, 3), seat=("tie-9", SIDE))
    every = PerfectBettor("one", limits.stakes((SIDE,), MAIN, Fraction(100), "minimum"), may_skip=False)
    assert bettor_of(json.loads(json.dumps(every.to_dict()))) == every


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        ({"tie_in": -1}, "one: tie_in: -1, should be from 0 to 1000"),
        ({"tie_in": "much"}, "one: tie_in: much, should be from 0 to 1000"),
        ({"idle": 1001}, "one: idle: 1001, should be from 0 to 1000"),
        ({"rebate": 2}, "one: rebate: 2, should be from 0 to 1"),
        ({"loss_rebate": -1}, "one: loss_rebate: -1, should be from 0 to 1"),
        ({"missed": 2}, "one: missed: 2, should be from 0 to 1"),
        ({"main_on_count": "tie"}, "one: main_on_count: tie, should be one of player, banker, tie-9"),
        ({"skips": -1}, "one: skips: -1, should be a whole number from 0"),
        ({"sides": ()}, "one: side bets: none, should be one or more"),
        ({"main": (), "tie_in": 1}, "one: main bets: none, a tie-in needs one or more"),
    ],
)
def test_bettors_that_cannot_be(rules: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=f"^{says}"):
        CountingBettor("one", **{"sides": (SIDE,), "main": MAIN, "system": "x", **rules})


def test_no_more_than_a_stake_is_paid_back_to_a_perfect_bettor() -> None:
    with pytest.raises(InputError, match=r"^one: rebate: 2, should be from 0 to 1$"):
        PerfectBettor("one", Stakes.of((SIDE,), MAIN), rebate=Fraction(2))


def test_a_bettor_on_main_bets_alone_has_no_side_bet(coups: Coups) -> None:
    stakes = Stakes.of((), ("banker",), least_main=Fraction(1), most_main=Fraction(1))
    exact = dict(zip(BETS, edges(GAME, coups.left, BETS).T, strict=True))
    gain, staked = PerfectBettor("one", stakes).play(exact)
    assert gain.tolist() == np.maximum(exact["banker"], 0).tolist()
    assert (staked == 2 * (gain > 0)).all()


@pytest.mark.parametrize(
    ("bettor", "says"),
    [
        (
            CountingBettor("one", ("dragon-7",), SYSTEM.name),
            "bettor one: bet 'dragon-7', should be one of those priced",
        ),
        (CountingBettor("one", (SIDE,), "none"), "bettor one: system 'none', should be one of seven"),
        (
            PerfectBettor("one", Stakes.of(("dragon-7",), ("banker",))),
            "bettor one: bet 'dragon-7', should be one of those priced",
        ),
        (CountingBettor("two", (SIDE,), SYSTEM.name), "bettor 'two': occurs twice"),
    ],
)
def test_plans_refuse_bettors(bettor: Bettor, says: str) -> None:
    with pytest.raises(InputError, match=says):
        Plan(GAME, Dealing(), 10, 1, (SYSTEM,), BETS, bettors=(CountingBettor("two", (SIDE,), SYSTEM.name), bettor))


def test_arrays_of_no_rows() -> None:
    nothing = np.zeros(0)
    _bettor.follow(
        np.zeros(0, np.uint16), np.zeros(0, np.uint8), nothing, np.zeros((0, 1)), np.zeros(0, np.int32),
        nothing, np.zeros((0, 1)), 0.0, 0.0, -1, False, 0.0, nothing, np.zeros(0, np.uint8),
    )  # fmt: skip


@pytest.mark.parametrize(("tie_in", "idle"), [(1.0, 4.0), (4.0, 1.0), (2.0, 2.0), (0.0, 3.0)])
def test_a_main_bet_that_stands_is_raised_to_the_requirement_and_never_lowered(tie_in: float, idle: float) -> None:
    """In the first coup the main bet, made alone, pushes. In the second there is a side bet too."""
    for stands, units in ((True, max(tie_in, idle)), (False, tie_in)):
        gain, staked = np.empty(2), np.empty(2, np.uint8)
        wants, side = np.array([0, 1], np.uint8), np.array([0.0, 0.5])
        mains, won_mains = np.array([[-0.01], [-0.02]]), np.array([[0.0], [1.0]])
        shoe, best, won_side = np.zeros(2, np.uint16), np.zeros(2, np.int32), np.zeros(2)
        _bettor.follow(shoe, wants, side, mains, best, won_side, won_mains, tie_in, idle, 0, stands, 0.0, gain, staked)
        assert staked.tolist() == [2, 1]
        assert gain.tolist() == pytest.approx([-0.01 * idle, -0.02 * units + 0.5])


@pytest.mark.parametrize("odds", [7, 8, 15])
@pytest.mark.parametrize("rules", [{}, {"rebate": 1}, {"loss_rebate": 1}, {"tie_in": 1, "main": ("player",)}])
def test_the_sum_of_a_part_in_units_of_a_bettor_stays_below_2_to_62(odds: int, rules: dict[str, Any]) -> None:
    """Even if each of 2^25 coups wins the most possible, with what is paid back, the sum stays below. With half of the
    unit it could reach 2^62."""
    game = GAME.with_bets(Bet.of("side", {"tie": f"{odds}:1"}))
    bettor = CountingBettor("one", ("side",), SYSTEM.name, **rules)
    staked = 1 + bettor.tie_in
    most = (odds + bettor.tie_in) * (1 + bettor.loss_rebate) + bettor.rebate * staked
    assert 2**61 <= most / Fraction(bettor.unit(game)) * 2**25 < 2**62
    knows = PerfectBettor("all", Stakes.of(("side",), ()), rebate=bettor.rebate)
    assert (odds + bettor.rebate) / Fraction(knows.unit(game)) * 2**25 < 2**62


@pytest.mark.parametrize("level", LEVELS[: _bettor.best_level() + 1])
@pytest.mark.parametrize("rows", [1, 31, 32, 1000])
@pytest.mark.parametrize("seated", [False, True])
def test_the_best_stakes_are_bit_by_bit_those_of_a_plain_sum(
    level: str, rows: int, seated: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COUNTING_ISA", level)
    stakes = TABLE.stakes(("tie-9", "seven-seven-45"), ("player", "banker"), Fraction(70))
    edges = np.random.default_rng(rows).normal(-0.05, 0.05, (rows, len(stakes.bets)))
    edges[::3] = -abs(edges[::3])  # nothing to win
    gain, staked = stakes.best(edges, 0.001, seated)
    allowed = [k for k in range(len(stakes.vertices)) if stakes.seated[k] or not seated]
    for row in range(rows):
        best, kind = (-np.inf, 2) if seated else (0.0, 0)
        for k in allowed:
            total = 0.0
            for edge, amount in zip(edges[row], stakes.vertices[k], strict=True):
                total += (edge + 0.001) * amount
            if total > best:
                best, kind = total, 1 if stakes.on_side[k] else 2
        assert (gain[row], staked[row]) == (best, kind)


@pytest.mark.parametrize("level", range(_bettor.best_level() + 1))
def test_bettors_played_together_have_the_sums_of_each_alone(level: int) -> None:
    rng = np.random.default_rng(2)
    stakes = [TABLE.stakes(("tie-9",), ("player", "banker"), Fraction(most)) for most in (25, 50, 100)]
    edges, place = rng.normal(-0.02, 0.05, (3, 700)), rng.integers(0, 5, 700)
    rebates, units, numbers = np.array([0, 0.01, 0]), 2.0 ** np.array([-20, -22, -21]), np.array([3, 0, 1])
    allowed = [pickle.loads(pickle.dumps(each.allowed(seated=i == 1))) for i, each in enumerate(stakes)]
    together, apart = np.ones((4, 4, 5), np.int64), np.ones((4, 4, 5), np.int64)
    _bettor.add_best(edges, allowed, rebates, units, numbers, place, together, level)
    for i, each in enumerate(stakes):
        gain, staked = each.best_by_bet(edges, rebates[i], seated=i == 1)
        _bettor.add(gain, staked, place, units[i], apart[numbers[i], 1:])
    assert (together == apart).all()
    assert (together[numbers, 1:] > 1).any(axis=2).all()


def test_sums_of_a_block_are_those_of_its_coups() -> None:
    rng = np.random.default_rng(1)
    gain, staked, place = rng.normal(size=500), rng.integers(0, 3, 500).astype(np.uint8), rng.integers(0, 4, 500)
    gain[staked == 0] = 0
    sums = np.ones((3, 4), np.int64)
    _bettor.add(gain, staked, place, 2.0**-20, sums)
    for cut in range(4):
        at = place == cut
        whole = sum(round(Fraction(x) * 2**20) for x in gain[at])
        assert sums[:, cut].tolist() == [1 + np.sum(staked[at] > 0), 1 + np.sum(staked[at] == 1), 1 + whole]
