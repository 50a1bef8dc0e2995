"""Bettors under a table's rules, against a plain twin that plays one coup after another in fractions."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counting import InputError, _bettors, load_game
from counting.bettors import SUM_BITS, Bettor
from counting.exact import classify, edges
from counting.frames import BETTORS
from counting.plan import Plan
from counting.shoe import Coups, Dealing, play
from counting.sweep import run
from counting.swept import Sweep
from counting.systems import load_system
from counting.tally import pays, triggers_reached

HERE = Path(__file__).parent
GAME = load_game("louisiana")
MAIN = ("player", "banker", "tie-9")
SIDE = "seven-seven-45"
BOTH = (SIDE, "big-win-player-35")
SYSTEM = load_system("seven-seven-45-level-1").model_copy(update={"bets": None, "trigger": 2.0})
BETS = (*BOTH, *MAIN)


@pytest.fixture(scope="module")
def coups() -> Coups:
    return play(GAME.tableau, Dealing(cut=6), 5, 0, 25)


def by_hand(  # noqa: PLR0915  # one coup after another, as it is played
    bettor: Bettor, coups: Coups, exact: dict[str, Any], paid: dict[str, Any], reached: Any
) -> list[Any]:
    """(gain, staked) for each coup, in fractions, as a bettor would go about it."""
    tie_in, idle = bettor.tie_in, bettor.tie_in if bettor.idle is None else bettor.idle
    found: list[Any] = []
    skipped, held, units, gone, won, back = 0, None, Fraction(), False, Fraction(), Fraction()
    for row in range(len(coups.shoe)):
        if row and coups.shoe[row] != coups.shoe[row - 1]:
            skipped, held, gone, won, back = 0, None, False, Fraction(), Fraction()
        e = {bet: Fraction(float(exact[bet][row])) + bettor.rebate for bet in bettor.bets}
        counts = bettor.system is not None
        liked = [bet for bet in bettor.sides if (reached[row] if counts else e[bet] > 0)]
        side = sum((e[bet] for bet in liked), Fraction())
        if not liked and not counts:
            side = max(e[bet] for bet in bettor.sides)
        if bettor.leaves is not None and held is None and side <= bettor.leaves and skipped >= bettor.skips:
            main = max((e[bet] for bet in bettor.main), default=Fraction())
            gone = gone or side + tie_in * main <= 0
        if gone:
            found.append((Fraction(), 0))
            continue
        if held is None:
            where = None
            if bettor.main:
                counted = bettor.main_on_count if bettor.main_on_count and liked else bettor.main[0]
                where = counted if counts else max(bettor.main, key=lambda bet: e[bet])
            main = e[where] if where else Fraction()
            options = {1: side + tie_in * main, 2: idle * main}
            wants = bool(liked) if counts else options[1] > 0
            if not wants and (bettor.skips is None or skipped < bettor.skips):
                staked = 0
            elif counts:
                staked = 1 if wants else 2
            elif bettor.skips is None:
                staked = 1
            else:
                staked = 1 if options[1] > options[2] else 2
            gain = options.get(staked, Fraction())
            units = {0: Fraction(), 1: tie_in, 2: idle}[staked]
        else:
            where = held
            more = max(tie_in - units, Fraction())
            staked = 1 if (bool(liked) if counts else side + more * e[where] > 0) else 2
            units += more if staked == 1 else 0
            gain = units * e[where] + (side if staked == 1 else 0)
        skipped = skipped + 1 if staked == 0 else 0
        if staked == 1:
            on = liked if liked or counts else [max(bettor.sides, key=lambda bet: e[bet])]
            won += sum(Fraction(float(paid[bet][row])) for bet in on)
        if staked and where:
            won += units * Fraction(float(paid[where][row]))
        due = bettor.loss_rebate * max(-won, Fraction())  # if the shoe ended here
        gain, back = gain + due - back, due
        held = where if bettor.stand and units and where and paid[where][row] == 0 else None
        found.append((gain, staked))
    return found


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
    knows=st.sampled_from(["edges", "edges till he leaves", "count"]),
)
@settings(max_examples=100, deadline=None)
def test_every_bettor_plays_as_by_hand(coups: Coups, knows: str, **rules: Any) -> None:
    if knows == "count":
        rules |= {"system": SYSTEM.name, "main_on_count": rules["main"][-1]}
    elif knows != "edges":
        rules |= {"skips": rules["skips"] or 0, "leaves": Fraction(-1, 4)}
    bettor = Bettor("one", **rules)
    exact = dict(zip(BETS, edges(GAME, coups.left, BETS).T, strict=True))
    paid = dict(zip(BETS, pays(GAME, BETS)[classify(GAME, coups.shown)].T, strict=True))
    reached = triggers_reached(SYSTEM, coups, 8) > SYSTEM.scored.index(2.0)
    gain, staked = bettor.play(coups, exact, paid, dict.fromkeys(bettor.sides, reached))
    expected = by_hand(bettor, coups, exact, paid, reached)
    assert gain.tolist() == pytest.approx([float(g) for g, _ in expected], abs=1e-14)
    assert staked.tolist() == [s for _, s in expected]


def test_nobody_comes_back_to_a_shoe_that_he_left(coups: Coups) -> None:
    exact = dict(zip(BETS, edges(GAME, coups.left, BETS).T, strict=True))
    paid = dict(zip(BETS, pays(GAME, BETS)[classify(GAME, coups.shown)].T, strict=True))
    bettor = Bettor("one", (SIDE,), Fraction(1), MAIN, 0, leaves=Fraction(-3, 10))
    _, staked = bettor.play(coups, exact, paid, {})
    left = 0
    for shoe in range(25):
        here = staked[coups.shoe == shoe]
        away = np.flatnonzero(here == 0)
        assert here[0] > 0
        assert (away == np.arange(len(here) - len(away), len(here))).all()
        left += len(away) > 0
    assert left > 5


def test_of_a_loss_so_much_is_paid_back_when_the_shoe_ends(coups: Coups) -> None:
    exact = dict(zip(BETS, edges(GAME, coups.left, BETS).T, strict=True))
    paid = dict(zip(BETS, pays(GAME, BETS)[classify(GAME, coups.shown)].T, strict=True))
    plain = Bettor("one", (SIDE,), Fraction(1), ("player",), 0)
    gain, staked = plain.play(coups, exact, paid, {})
    more, _ = replace(plain, loss_rebate=Fraction(1, 4)).play(coups, exact, paid, {})
    won = paid["player"] + paid[SIDE] * (staked == 1)
    for cut in (6, 60, 200):
        for shoe in range(25):
            dealt = (coups.shoe == shoe) & (coups.last_cut >= cut)
            assert (more - gain)[dealt].sum() == pytest.approx(max(0, -won[dealt].sum()) / 4)


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
    paid = pays(GAME, MAIN)[classify(GAME, coups.shown)]
    tied = coups.shown[:, 0] == coups.shown[:, 1]
    sevens = tied & (coups.shown[:, 0] == 7)
    assert ((paid[:, 0] == 0) == tied).all()
    assert ((paid[:, 1] == 0) == (tied & ~sevens)).all()  # Banker without commission loses on 7-7
    assert (paid[:, 2] != 0).all()


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Sweep:
    bettors = (
        Bettor("sits out", (SIDE,), 1, MAIN),  # type: ignore[arg-type]
        Bettor("plays all", (SIDE,), 1, MAIN, 0),  # type: ignore[arg-type]
        Bettor("free", (SIDE,)),
        Bettor("stands", (SIDE,), 4, MAIN, 2, Fraction(1), stand=True),  # type: ignore[arg-type]
        Bettor("counts", (SIDE,), 1, ("banker",), system=SYSTEM.name),  # type: ignore[arg-type]
        Bettor("misses", (SIDE,), 1, ("banker",), system=SYSTEM.name, missed=Fraction(1, 20)),  # type: ignore[arg-type]
    )
    plan = Plan(GAME, Dealing(cut=6), 700, 5, (SYSTEM,), BETS, bettors=bettors)
    return Sweep(run(plan, tmp_path_factory.mktemp("bettors")), plan)


def test_the_sweep_adds_up_what_they_win(swept: Sweep) -> None:
    plan, table = swept.plan, swept.scan(BETTORS).collect()
    coups = play(GAME.tableau, plan.dealing, plan.seed, 0, plan.shoes)
    exact = dict(zip(BETS, edges(GAME, coups.left, BETS).T, strict=True))
    paid = dict(zip(BETS, pays(GAME, BETS)[classify(GAME, coups.shown)].T, strict=True))
    for bettor in plan.bettors:
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


def test_what_nothing_ties_in_is_what_the_perfect_counter_wins(swept: Sweep) -> None:
    ledger = swept.tallies[0].filter(pl.col("system") == "perfect", pl.col("bet") == SIDE).select(pl.col("gain").sum())
    free = (
        swept.scan(BETTORS).filter(pl.col("bettor") == "free").select(pl.col("gain").sum(), pl.col("gain_unit").first())
    )
    gain, unit = free.collect().row(0)
    assert gain * unit == pytest.approx(ledger.collect().item(), abs=1e-6)


def test_a_cut_equals_a_sweep_of_its_own(swept: Sweep, tmp_path: Path) -> None:
    plan = replace(swept.plan, dealing=Dealing(cut=60), penetration=False)
    own = Sweep(run(plan, tmp_path), plan).scan(BETTORS).collect()
    assert swept.scan(BETTORS).filter(pl.col("cut") >= 60).collect().equals(own)


@pytest.mark.parametrize("tie_in", [0, 1, 1000])
@pytest.mark.parametrize("sides", [(SIDE,), BOTH])
def test_no_sum_of_a_part_can_pass_62_bits(tie_in: int, sides: tuple[str, ...]) -> None:
    bettor = Bettor("one", sides, tie_in, MAIN, 0, rebate=Fraction(1), loss_rebate=Fraction(1))  # type: ignore[arg-type]
    most = 2 * (45 + (35 if len(sides) > 1 else 0) + 9 * tie_in) + len(sides) + tie_in
    assert (1 << 25) * most / bettor.unit(GAME) < 2**62
    assert SUM_BITS == 62 - 25


def test_plans_and_bettors_survive_as_data(swept: Sweep) -> None:
    assert Plan.from_dict(swept.plan.to_dict()) == swept.plan


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        ({"tie_in": -1}, "one: tie_in: -1, should be from 0 to 1000"),
        ({"tie_in": "much"}, "one: tie_in: much, should be from 0 to 1000"),
        ({"idle": 1001}, "one: idle: 1001, should be from 0 to 1000"),
        ({"rebate": 2}, "one: rebate: 2, should be from 0 to 1"),
        ({"loss_rebate": -1}, "one: loss_rebate: -1, should be from 0 to 1"),
        ({"missed": 2}, "one: missed: 2, should be from 0 to 1"),
        ({"missed": 1}, "one: missed: 1, should be of one who has a system"),
        ({"leaves": 1, "skips": 0}, "one: leaves: 1, should be from -1 to 0"),
        ({"leaves": 0, "skips": None}, "one: leaves: 0, should be of a perfect counter who may not sit out"),
        (
            {"leaves": 0, "skips": 0, "system": "x"},
            "one: leaves: 0, should be of a perfect counter who may not sit out",
        ),
        ({"system": "x", "main_on_count": "tie"}, "one: main_on_count: tie, should be one of player, banker"),
        ({"skips": -1}, "one: skips: -1, should be a whole number from 0"),
        ({"sides": ()}, "one: side bets: none, should be one or more"),
        ({"main": (), "tie_in": 1}, "one: main bets: none, should be one or more for a tie-in"),
    ],
)
def test_bettors_that_cannot_be(rules: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=f"^{says}"):
        Bettor("one", **{"sides": (SIDE,), "main": MAIN, **rules})


@pytest.mark.parametrize(
    ("bettor", "says"),
    [
        (Bettor("one", ("dragon-7",)), "bettor one: bet 'dragon-7', should be one of those priced"),
        (Bettor("one", (SIDE,), system="none"), "bettor one: system 'none', should be one of seven"),
        (Bettor("two", (SIDE,)), "bettor 'two': given twice"),
    ],
)
def test_plans_refuse_bettors(bettor: Bettor, says: str) -> None:
    with pytest.raises(InputError, match=says):
        Plan(GAME, Dealing(), 10, 1, (SYSTEM,), BETS, bettors=(Bettor("two", (SIDE,)), bettor))


def test_arrays_of_no_rows() -> None:
    nothing = np.zeros(0)
    _bettors.follow(
        np.zeros(0, np.uint16), np.zeros(0, np.uint8), nothing, np.zeros((0, 1)), np.zeros(0, np.int32),
        nothing, np.zeros((0, 1)), 0.0, 0.0, -1, 0.0, False, 0.0, True, nothing, np.zeros(0, np.uint8),
    )  # fmt: skip
