"""The checks of `counting verify`: a correct installation passes, and each planted fault is found by its check."""

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import comb, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from extent import LONG, long_or, one_of_each

from counting import Game, Shoe, load_game
from counting.chemin import Solution, solve
from counting.chemin.banque import Banque, banque
from counting.chemin.macao import Macao, MacaoSimulated, Reply, best_reply, load_macao, simulate
from counting.cli import main
from counting.exact import (
    LEVELS,
    Census,
    deals,
    events,
    exact_edges,
    first_cards,
    hand_counts,
    joint_distributions,
    probabilities,
    required_detail,
)
from counting.games import catalog, unfit
from counting.games.conditions import KEYS
from counting.io.toml import shipped
from counting.reports import verification
from counting.reports.publish import publish
from counting.simulation import Coups, Dealing, play
from counting.simulation.dealing import AFTER_CUT
from counting.sweep import Plan, Sweep, TableSchema, run
from counting.systems import PERFECT, System, load_system
from counting.verify import (
    Check,
    Extent,
    Verified,
    chemin_checks,
    dealt_checks,
    exact_checks,
    hand_checks,
    reference,
    sweep_checks,
    tails,
)
from counting.verify import run as verify
from counting.verify.check import LargestDifference, by_chance

HERE = Path(__file__).parents[1]
EZ, LOUISIANA = load_game("ez-baccarat"), load_game("louisiana")
LEAST = 1e-6  # a statistical check fails below about this chance


def quiet(_: float) -> None:
    pass


def one_rule_changed(game: Game) -> Game:
    """The game with one rule changed: Banker's 6 also draws against an eight."""
    rows = list(game.tableau.banker)
    rows[6] = tuple(draws or third == 8 for third, draws in enumerate(rows[6]))
    return replace(game, tableau=game.tableau.model_copy(update={"banker": tuple(rows)}))


def disagreeing(found: Iterable[Check]) -> set[str]:
    """Which of these checks fail, each with its subject. A statistical check fails if its chance is below `LEAST`."""
    rows = list(found)
    assert rows
    return {
        f"{c.check}: {c.subject}"
        for c in rows
        if not replace(c, bound=LEAST if c.chance is not None else c.bound).agrees
    }


# The whole run


@pytest.fixture(autouse=True, scope="module")
def _few_cards() -> Iterator[None]:
    """Use fewer cards in two slow checks, and fewer bets of the catalog. The check that deals a proof at banque again
    to three hands takes a sixth of the time with 12 cards instead of 20. The catalog's censuses have a twelfth of the
    compositions with 8 cards."""
    right = exact_checks.widened_game

    @cache
    def less_widened(game: Game) -> Game:
        """The game with a third of the catalog's bets."""
        names = right(game).bet_names
        return right(game).only([name for i, name in enumerate(names) if name in game.bet_names or i % 3 == 0])

    with pytest.MonkeyPatch.context() as patch:
        if not LONG:
            patch.setattr(chemin_checks, "_AT_BANQUE", 12)
            patch.setattr(exact_checks, "IDENTITY", 8)
            patch.setattr(exact_checks, "widened_game", less_widened)
        yield


@pytest.fixture(scope="module")
def verified() -> Verified:
    right = exact_checks.partial_shoes

    def full_and_small(*args: int) -> list[Shoe]:
        full, *others = right(*args)
        return [full, *(shoe for shoe in others if LONG or shoe.cards_left < 50)]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exact_checks, "partial_shoes", full_and_small)
        patch.setattr(chemin_checks, "partial_shoes", full_and_small)
        patch.setattr(verify, "_SWEPT", long_or(verify._SWEPT, 410))  # three blocks, of which the last is short
        if not LONG:
            patch.setattr(verify, "_systems", lambda _: SYSTEMS)
            patch.setattr(verify, "shipped", lambda _: ("ez-baccarat", "louisiana"))  # different tableaux
            patch.setattr(hand_checks, "with_hands", with_few_hands)
            patch.setattr(Extent, "cards_left", (6, 10))
        return verify.verify((EZ,), Extent(100), seed=1, workers=2)


SYSTEMS = tuple(map(load_system, ("dragon-7", "panda-8-unbalanced")))

_with_hands = hand_checks.with_hands


def with_few_hands(game: Game) -> Game:
    """The game with only two of the bets that the hands settle, for each detail of the shoe that a bet may need:
    values, ranks or cards."""
    every = _with_hands(game)
    of = {
        known: [bet.name for bet in every.bets if required_detail(bet) == known] for known in ("value", "rank", "card")
    }
    return every.only(name for names in of.values() for name in names[:2])


def test_a_correct_machine_agrees(verified: Verified) -> None:
    assert verified.failed == []
    assert verified.reading.startswith(f"All {len(verified.checks)} checks agree: ")
    assert {check.check for check in verified.checks} == {
        "kernel = reference", "float64 = int64 counts", "joint law = linear forms", "pairs and suits = reference",
        "lines settled by the hands = enumeration written apart", "an unseen card changes no edge",
        "mean of a census = full shoe", "census = the same bits",
        "shoes = by hand", "a sweep again, its files", "edges = fractions, last places",
        "sums = sums of fractions", "perfect counter = fractions", "counts = counted by hand",
        "spread = steps of fractions", "sums by cut = dealt by hand", "bettors = played by hand",
        "every shoe reaches", "events by coup number", "events, all those coups",
        "events, chi-square", "last cards = census", "chemin de fer's bounds, dealt again",
        "chemin de fer without a choice = the tableau", "banque's bounds, dealt again", "macao's law",
    }  # fmt: skip
    assert all(check.comparisons for check in verified.checks)
    assert {c.subject.split(",")[0] for c in verified.checks if c.check == "kernel = reference"} == set(
        exact_checks.instruction_sets()
    )


def test_floats_within_rounding_and_the_worst_of_all_tests_are_counted_apart(verified: Verified) -> None:
    least = replace(verified.checks[0], chance=0.5, comparisons=7)
    checks = [each for each in verified.checks if not each.dealt]
    floats = sum(each.comparisons for each in checks if each.check in _ROUNDED)
    equal = sum(each.comparisons for each in checks) - floats
    assert floats > 0
    said = f"{equal:,} comparisons are equal, {floats:,} floats differ only by rounding"
    reading = replace(verified, checks=(*checks, replace(least, chance=0.0625), least)).reading
    assert reading == (
        f"All {len(checks) + 2} checks agree: {said}, and 14 statistical tests with dealt shoes agree. On a correct "
        "machine, the worst of these tests is at least this bad in at most 12.5% of runs."
    )
    assert replace(verified, checks=(*checks, least, least)).reading.endswith(
        f"{said}, and 14 statistical tests with dealt shoes agree. None of these tests stands out."
    )
    assert all(each.worst == 0 for each in checks if each.check not in _ROUNDED)


_ROUNDED = (
    "edges = fractions, last places", "sums = sums of fractions", "perfect counter = fractions",
    "counts = counted by hand", "sums by cut = dealt by hand", "mean of a census = full shoe",
)  # fmt: skip


def test_the_false_alarms_of_all_checks_are_one_in_10_000(verified: Verified) -> None:
    bounds = [check.bound for check in verified.checks if check.chance is not None]
    assert sum(bounds) == pytest.approx(1e-4)
    assert len(set(bounds)) == 1


def test_it_is_the_same_again_with_other_workers_and_differs_by_seed(verified: Verified) -> None:
    deep = [dealt_checks.deep_in_the_shoe(EZ, (6,), 100, seed, quiet) for seed in (1, 2)]
    rows = [dealt_checks.last_cards(EZ, shoes, workers, quiet)[0] for shoes, workers in zip(deep, (1, 1), strict=True)]
    again = [replace(check, bound=0) for check in verified.checks if check.subject == "ez-baccarat, 6 cards"]
    assert rows[0] == again
    assert rows[1] != again


def test_what_disagrees_is_named_with_what_to_send(verified: Verified) -> None:
    first, *others = verified.checks
    bad = replace(verified, checks=(replace(first, worst=1.0, at="tie, 8d"), *others))
    assert bad.reading.startswith(
        f"1 of {len(verified.checks)} checks disagrees: kernel = reference (plain, {long_or(5, 2)} games). Please"
    )
    assert "instruction set" in bad.reading
    assert "seed 1, 100 shoes" in bad.reading
    assert "chance" not in bad.reading
    assert verification.false_alarm(bad).endswith("at most one seed in 10,000 makes any of these checks fail.")
    assert verification.tables(bad)[0] == (
        "Checks that disagree",
        [{"check": f"{first.check}: {first.subject}", "at": "tie, 8d"}],
    )
    unlucky = [replace(check, chance=1e-7) if check.chance is not None else check for check in verified.checks]
    assert "disagree: " in replace(verified, checks=tuple(unlucky)).reading
    assert (
        f"; and {len([c for c in unlucky if c.chance is not None]) - 5} more."
        in replace(verified, checks=tuple(unlucky)).reading
    )
    assert "another --seed" in replace(verified, checks=tuple(unlucky)).reading


def test_the_page_and_its_twin(verified: Verified, tmp_path: Path, whole_page: Callable[[str], None]) -> None:
    odd = replace(verified, games=(replace(EZ, title="<b>Mine</b>"),))
    publish(verification.report(odd, "counting verify '<i>'"), tmp_path)
    page = (tmp_path / "report.html").read_text()
    whole_page(page)
    assert "&lt;b&gt;Mine" in page
    assert verified.reading in page
    data = json.loads((tmp_path / "report.json").read_text())
    assert data["agrees"] is True
    assert len(data["checks"]) == len(verified.checks)
    assert data["seed"] == 1
    assert data["machine"]["instruction set"].split()[0] in LEVELS
    assert {row["cards_left"] for row in data["by_cards_left"]} <= {6, 10, 20}


def test_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], verified: Verified, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []

    def instead(*args: Any) -> Verified:
        asked.append(args[:4])
        return verified

    monkeypatch.setattr(verify, "verify", instead)
    assert main(["verify", "ez-baccarat", "--shoes", "100", "--out", str(tmp_path / "out"), "--workers", "2"]) == 0
    assert asked == [((EZ,), Extent(100), 1, 2)]
    printed = capsys.readouterr()
    assert printed.err == ""
    assert verified.reading in printed.out
    assert "Not tests" in printed.out
    assert sorted(file.name for file in (tmp_path / "out").glob("[!.]*")) == ["report.html", "report.json"]
    assert main(["verify", "--long", "--format", "json", "--out", str(tmp_path / "out")]) == 0
    assert asked[1] == ((), Extent(verify.LONG_SHOES, True), 1, None)
    assert json.loads(capsys.readouterr().out)["agrees"]
    assert main(["verify", "--seed", "3", "--format", "csv"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1 + len(verified.checks)


def test_a_disagreement_ends_with_status_1(
    verified: Verified, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = replace(verified, checks=(replace(verified.checks[0], worst=float("inf")), *verified.checks[1:]))
    monkeypatch.setattr(verify, "verify", lambda *_: bad)
    assert main(["verify"]) == 1
    assert "disagrees: kernel = reference" in capsys.readouterr().out
    assert main(["verify", "--format", "json"]) == 1
    assert json.loads(capsys.readouterr().out)["agrees"] is False


def test_a_difference_that_is_not_a_number_is_found() -> None:
    for wrong in (float("nan"), float("inf"), -1.0, 10**40):
        largest = LargestDifference()
        for difference in (0, wrong, 0):
            largest.see(difference, f"{difference}")
        check = largest.check("a", "b")
        assert not check.agrees
        assert check.at == f"{wrong}"
        json.dumps(verification.report(Verified((EZ,), Extent(100), 1, (check,), ())).data, allow_nan=False)
    assert next(by_chance("a", "b", [(0.5, 0.1, "x"), (float("nan"), 1.0, "y")])).chance == 0


def test_progress_runs_to_its_end_and_never_back() -> None:
    seen: list[int] = []
    clock = verify._Clock(lambda done, total: seen.append(done) or None, 10)
    for length in (4, 6):
        with clock.step(length) as tick:
            tick(0.5)
            tick(1)
    assert seen == sorted(seen)
    assert seen[-1] == 1000


def test_more_shoes_check_more() -> None:
    assert Extent(100).cards_left == (6, 10, 20)
    assert Extent().cards_left == (6, 10, 20, 30)
    assert Extent(long=True).cards_left == (6, 10, 20, 30, 40)
    assert [Extent(shoes).scaled(1 / 1000, 5, 2000) for shoes in (100, 10**5, 10**8)] == [5, 100, 2000]


# The kernel


def kernel() -> list[Check]:
    return list(exact_checks.kernel_against_twin((EZ,), 0, 1, quiet))


@pytest.fixture
def few_shoes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use only the shoes below 50 cards, which the reference implementation counts quickest."""
    shoes = [s for s in exact_checks.partial_shoes(8, 3, 1) if s.cards_left < 50]
    assert len(shoes) >= 5
    monkeypatch.setattr(exact_checks, "partial_shoes", lambda *_: shoes)


def test_partial_shoes_go_to_the_extremes() -> None:
    shoes = exact_checks.partial_shoes(8, 40, 1)
    assert Shoe.from_values(Shoe.decks(8).values) in shoes
    assert {6, 7, 12, 1404} <= {shoe.cards_left for shoe in shoes}
    assert sum(0 in shoe.values and shoe.cards_left > 50 for shoe in shoes) >= 2
    assert len({shoe.cards_left for shoe in shoes}) > 30
    assert exact_checks.partial_shoes(8, 40, 2) != shoes


@pytest.mark.usefixtures("few_shoes")
def test_a_twin_with_one_rule_changed_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    assert disagreeing(kernel()) == set()
    right = reference.outcomes
    monkeypatch.setattr(reference, "outcomes", lambda game, shoe: right(one_rule_changed(game), shoe))
    assert disagreeing(kernel()) == {
        f"kernel = reference: {level}, ez-baccarat" for level in exact_checks.instruction_sets()
    }


@pytest.mark.usefixtures("few_shoes")
def test_one_instruction_set_off_by_one_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    right = exact_checks._forms.counts_float64

    def off(values: Any, index: Any, *weights_and_out: Any) -> None:
        right(values, index, *weights_and_out)
        *_, out, level = weights_and_out
        if level == 0:
            out[-1, 0] += 1

    monkeypatch.setattr(exact_checks._forms, "counts_float64", off)
    assert disagreeing(kernel()) == {"kernel = reference: plain, ez-baccarat"}
    assert disagreeing(exact_checks.floats_against_integers((EZ,), 50, 1)) == {"float64 = int64 counts: plain"}


def test_a_law_off_by_one_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    assert disagreeing(exact_checks.distribution_against_forms((EZ,), 20, 1)) == set()
    right = joint_distributions._law.counts_float64

    def off(values: Any, program: Any, bets: Any, out: Any, level: int) -> None:
        right(values, program, bets, out, level)
        if level == 0:
            out[-1, 0] += 1

    monkeypatch.setattr(joint_distributions._law, "counts_float64", off)
    assert disagreeing(exact_checks.distribution_against_forms((EZ,), 20, 1)) == {"joint law = linear forms: plain"}


def test_pairs_off_by_one_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    assert disagreeing(exact_checks.pairs_against_twin(EZ, 2, 1)) == set()
    right = first_cards.counts
    monkeypatch.setattr(first_cards, "counts", lambda shoes: right(shoes) + 1)
    assert len(disagreeing(exact_checks.pairs_against_twin(EZ, 2, 1))) == 2


def lines() -> set[str]:
    return disagreeing(hand_checks.lines_against_twin((EZ,), long_or(3, 1), 1, quiet))


@pytest.mark.long
def test_every_key_of_conditions_is_in_the_check_of_lines() -> None:
    def keys(tables: Iterable[dict[str, Any]]) -> Iterator[str]:
        for table in tables:
            for key, wanted in table.items():
                yield key
                if key in ("any", "all", "not"):
                    yield from keys(wanted)

    assert {key for tables in hand_checks.EVERY_KEY.values() for key in keys(tables)} == {*KEYS, "any", "all", "not"}
    for game in one_of_each(map(load_game, shipped("games")), lambda game: game.tableau):
        bets = hand_checks.with_hands(game).bet_names
        assert {f"keys-{name}" for name in hand_checks.EVERY_KEY} <= {*bets}
        fitting = {b.name for b in catalog().values() if b.shows == "hands" and not unfit(b, game.tableau)}
        assert fitting <= {*bets}
        assert {required_detail(bet) for bet in hand_checks.with_hands(game).bets} == {"value", "rank", "card"}


@pytest.fixture
def few_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand_checks, "with_hands", with_few_hands)


@pytest.mark.usefixtures("few_lines")
def test_lines_off_by_one_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    assert lines() == set()
    right = hand_counts.HandCounter.counts

    def off(counter: hand_counts.HandCounter, compositions: Any) -> Any:
        counts = right(counter, compositions).copy()
        counts[:, -1] += counter.knows == "rank"
        return counts

    monkeypatch.setattr(hand_counts.HandCounter, "counts", off)
    check = "lines settled by the hands = enumeration written apart: shoes known by"
    assert lines() == {f"{check} rank", f"{check} card"}


def test_a_condition_tried_otherwise_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reference implementation is changed: it does not take Q K A of one suit for a flush."""
    right = reference.pay_lines.meets

    def meets(conditions: Any, player: Any, banker: Any) -> bool:
        high = {card // 4 for card in player} == {0, 11, 12}
        return right(conditions, player, banker) and not ("player_flush" in conditions and high)

    monkeypatch.setattr(reference.pay_lines, "meets", meets)
    if not LONG:
        monkeypatch.setattr(hand_checks, "with_hands", lambda game: _with_hands(game).only(["keys-player-of-three"]))
    monkeypatch.setattr(hand_checks, "small_shoe", lambda _: Shoe.from_cards([2, *[0] * 43, 2, *[0] * 3, 3, *[0] * 3]))
    assert lines() == {"lines settled by the hands = enumeration written apart: shoes known by card"}


@pytest.mark.usefixtures("few_lines")
def test_a_tree_without_a_term_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    right = hand_counts._by_value

    def lacking(roots: Any, of: int) -> Any:
        tree = right(roots, of)
        return replace(tree, weight=tree.weight * (np.arange(len(tree.weight)) < len(tree.weight) - 1))

    monkeypatch.setattr(hand_counts, "_by_value", lacking)
    hand_counts.hand_counter.cache_clear()
    try:
        assert "lines settled by the hands = enumeration written apart: shoes known by card" in lines()
    finally:
        hand_counts.hand_counter.cache_clear()


BY_HANDS = """title = "Mine"
source = "none"
decks = 1
tableau = "punto-banco"
bets = [{ name = "player-pair" }, { name = "tie-8", pays = [{ winner = "tie", odds = "8:1" }] },
        { name = "of-values", pays = [{ player_first_total = [3, 4], banker_third_value = "5-8", odds = "40:1" }] },
        { name = "king-queen", pays = [{ player_first_two = "K Q", player_suited = true, odds = "75:1" },
                                       { player_first_two = "K Q", odds = "60:1" }] }]
"""


def test_a_game_with_bets_settled_by_the_hands(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(BY_HANDS)
    game = load_game(tmp_path / "mine.toml")
    assert disagreeing(dealt_checks.dealings(game, "jacobson", 300, 1, tmp_path / "sweep", 2, quiet)) == set()
    assert dealt_checks.census_bets(game) == ("tie-8", "of-values")
    few = [s for s in exact_checks.partial_shoes(1, 3, 1) if s.cards_left < 30]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exact_checks, "partial_shoes", lambda *_: few)
        assert disagreeing(exact_checks.kernel_against_twin((game,), 0, 1, quiet)) == set()
    assert disagreeing(exact_checks.pairs_against_twin(game, 1, 1)) == set()
    assert disagreeing(exact_checks.one_card_unseen((game,), 1)) == set()
    assert disagreeing(exact_checks.census_means((game,), False, quiet)) == set()
    sweep = run(Plan(game, dealt_checks.procedures(1)["jacobson"], 30, 1), tmp_path / "few")
    assert any(coups.knows == "card" for coups in sweep.blocks())
    assert disagreeing(sweep_checks.sums(sweep)) == set()
    assert disagreeing(sweep_checks.pricing(sweep, 20, 1)) == set()
    deep = dealt_checks.deep_in_the_shoe(game, (6, 10), 3000, 1, quiet)
    rows, beside = dealt_checks.last_cards(game, deep, 1, quiet)
    assert disagreeing(rows) == set()
    of_lines = [row for row in beside if "first-two" in row.of or "third-value" in row.of]
    assert {row.cards_left for row in of_lines} == {6, 10}
    assert any(row.share > 0 for row in of_lines)


def test_an_edge_that_an_unseen_card_changes_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    assert disagreeing(exact_checks.one_card_unseen((EZ,), 1)) == set()

    def off(game: Game, shoe: Shoe) -> dict[str, Fraction]:
        exact = exact_edges(game, shoe)
        return exact | {"dragon-7": exact["dragon-7"] + Fraction(shoe.cards_left % 2, 10**30)}

    monkeypatch.setattr(exact_checks, "exact_edges", off)
    assert disagreeing(exact_checks.one_card_unseen((EZ,), 1)) == {"an unseen card changes no edge: ez-baccarat"}


def test_a_census_with_another_mean_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    assert disagreeing(exact_checks.census_means((EZ,), False, quiet)) == set()
    right = Census.figures
    monkeypatch.setattr(
        Census, "figures", lambda self, **_: {"mean_edge": right(self, histogram=False)["mean_edge"] + 2e-12}
    )
    assert len(disagreeing(exact_checks.census_means((EZ,), False, quiet))) == len(exact_checks.instruction_sets())


def test_a_census_with_other_bits_by_another_instruction_set_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Census.figures

    def off(self: Census, **_: Any) -> dict[str, Any]:
        found = right(self, histogram=False)
        if len(self.bets) > 1 and os.environ["COUNTING_ISA"] == exact_checks.instruction_sets()[-1]:
            found["sd"] = np.nextafter(found["sd"], 1)
        return found

    monkeypatch.setattr(Census, "figures", off)
    found = disagreeing(exact_checks.census_means((EZ,), False, quiet))
    only_plain = len(exact_checks.instruction_sets()) == 1
    assert {name.split(":")[0] for name in found} == (set() if only_plain else {"census = the same bits"})


# The shoes


def test_the_twin_shuffles_with_numpys_words_and_deals_by_its_own_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    assert disagreeing(exact_checks.dealt_by_hand(LOUISIANA, 3, 1)) == set()
    right = reference._outcome
    monkeypatch.setattr(reference, "_outcome", lambda game, deal: right(one_rule_changed(game), deal))
    assert disagreeing(exact_checks.dealt_by_hand(EZ, 20, 1)) == {"shoes = by hand: ez-baccarat, 20 shoes"}


@pytest.mark.parametrize("field", ["left", "undealt", "shown"])
def test_a_coup_dealt_otherwise_is_found(field: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def off(*args: Any) -> Coups:
        coups = play(*args)
        wrong = getattr(coups, field).copy()
        wrong.reshape(len(wrong), -1)[40, -1] += 1
        return replace(coups, **{field: wrong})

    monkeypatch.setattr(exact_checks, "play", off)
    assert len(disagreeing(exact_checks.dealt_by_hand(EZ, 2, 1))) == 1


def test_cards_in_another_order_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    right = reference.shuffled
    monkeypatch.setattr(reference, "shuffled", lambda words, decks: right(words, decks)[::-1])
    assert len(disagreeing(exact_checks.dealt_by_hand(EZ, 1, 1))) == 1


# The dealing


@pytest.fixture(scope="module")
def dealt(tmp_path_factory: pytest.TempPathFactory) -> pl.DataFrame:
    """The table `dealt` of a sweep of 3,000 shoes of EZ Baccarat, with its parts added up to one part."""
    plan = Plan(EZ, dealt_checks.procedures(8)["jacobson"], 3000, 5, (), ("player",), False)
    parts = run(plan, tmp_path_factory.mktemp("ez")).tallies[2].collect()
    added = parts.group_by("cut", "coup", "event", maintain_order=True).agg(pl.col("coups", "happened").sum())
    return added.with_columns(pl.lit(0, pl.UInt32).alias("part")).select(parts.columns)


def dealing(dealt: pl.DataFrame) -> set[str]:
    return {name.split(":")[0] for name in disagreeing(dealt_checks.dealing_checks(EZ, "jacobson", dealt.lazy(), 3000))}


def happened(dealt: pl.DataFrame, where: pl.Expr, change: pl.Expr) -> pl.DataFrame:
    """The table with `change` as the number of times that the event happened, in the rows `where`."""
    return dealt.with_columns(pl.when(where).then(change).otherwise("happened").cast(pl.Int64).alias("happened"))


def test_dealt_shoes_agree(dealt: pl.DataFrame) -> None:
    rows = list(dealt_checks.dealing_checks(EZ, "jacobson", dealt.lazy(), 3000))
    assert disagreeing(rows) == set()
    assert [row.comparisons for row in rows] == [67 * 6, 67 * 6, 6, 67 * 4]


def test_an_event_over_all_coups_has_the_variance_of_coups_that_hang_together(dealt: pl.DataFrame) -> None:
    (check,) = [
        c
        for c in dealt_checks.dealing_checks(EZ, "jacobson", dealt.lazy(), 3000)
        if c.check == "events, all those coups"
    ]
    name = check.at.removesuffix(", coups 1 to 67")
    of_one, of_two = dealt_checks.covariances(EZ, [name])
    p = float(probabilities(EZ, Shoe.decks(8))[name])
    counts = dealt.filter((pl.col("coup") <= 67) & (pl.col("event") == name))["happened"].sum()
    plain = (counts - 67 * 3000 * p) / sqrt(3000 * (67 * of_one[0, 0] + 67 * 66 * of_two[0, 0]))
    assert check.worst == pytest.approx(abs(plain), rel=2e-3)
    assert check.chance == pytest.approx(min(1, 6 * tails.normal(check.worst)))


def test_a_wrong_probability_is_found(dealt: pl.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    def off(game: Game, shoe: Shoe) -> dict[str, Fraction]:
        chances = probabilities(game, shoe)
        return chances | {"panda-8": chances["panda-8"] * Fraction(6, 5)}

    monkeypatch.setattr(dealt_checks, "probabilities", off)
    assert dealing(dealt) == {"events, all those coups", "events, chi-square"}


def test_one_coup_number_dealt_otherwise_is_found(dealt: pl.DataFrame) -> None:
    (at,) = {
        row.at
        for row in dealt_checks.dealing_checks(EZ, "jacobson", happened(dealt, *MORE_DRAGONS).lazy(), 3000)
        if row.check == "events by coup number"
    }
    assert at == "dragon-7, coup 31"
    assert "events by coup number" in dealing(happened(dealt, *MORE_DRAGONS))


MORE_DRAGONS = (
    (pl.col("event") == "dragon-7") & (pl.col("coup") == 31),
    pl.col("happened") + 60,
)


def test_counts_that_fit_too_well_are_found(dealt: pl.DataFrame) -> None:
    exact = pl.col("event").replace_strict({k: float(p) for k, p in probabilities(EZ, Shoe.decks(8)).items()})
    assert dealing(happened(dealt, pl.lit(True), (pl.col("coups") * exact).round())) == {"events, chi-square"}


def test_counts_that_scatter_a_little_too_much_are_found(dealt: pl.DataFrame) -> None:
    # For each number of the coup, the ties are moved by one and a half standard deviations, by turns up and down.
    by_turns = pl.col("event").is_in(["tie", "player-win"])
    sign = pl.when((pl.col("event") == "tie") == (pl.col("coup") % 2 == 0)).then(1).otherwise(-1)
    assert dealing(happened(dealt, by_turns, pl.col("happened") + 25 * sign)) == {"events, chi-square"}


def test_a_shoe_that_does_not_reach_a_coup_is_found(dealt: pl.DataFrame) -> None:
    short = dealt.with_columns(pl.when(pl.col("coup") == 60).then(2999).otherwise("coups").alias("coups"))
    assert dealing(short.with_columns(pl.col("coups").cast(pl.Int64))) == {"every shoe reaches"}


def test_the_chi_square_is_that_of_all_covariances(dealt: pl.DataFrame) -> None:
    check = next(
        c for c in dealt_checks.dealing_checks(EZ, "jacobson", dealt.lazy(), 3000) if c.check == "events, chi-square"
    )
    names = ["player-win", "banker-win", "dragon-7", "panda-8"]
    of_one, of_two = dealt_checks.covariances(EZ, names)
    exact = probabilities(EZ, Shoe.decks(8))
    every = np.kron(np.eye(67), of_one - of_two) + np.kron(np.ones((67, 67)), of_two)
    rows = dealt.filter(pl.col("coup") <= 67).group_by("coup", "event").agg(pl.col("happened").sum()).sort("coup")
    counts = [rows.filter(pl.col("event") == name)["happened"].to_numpy() - 3000 * float(exact[name]) for name in names]
    off = np.array(counts).T.reshape(-1) / sqrt(3000)
    square = off @ np.linalg.solve(every, off)
    assert check.at == f"chi-square {square:.1f}, 268 degrees"
    assert check.worst == pytest.approx(abs(square - 268) / sqrt(2 * 268), rel=1e-9)


def test_covariances_are_those_of_dealt_shoes() -> None:
    # With one deck, naturals in one coup leave fewer for the others, so the coups of a shoe are correlated.
    game, shoes = replace(LOUISIANA, decks=1), 200_000
    names = ["player-win-natural", "banker-win-natural", "tie"]
    of_one, of_two = dealt_checks.covariances(game, names)
    p = np.array([float(probabilities(game, Shoe.decks(1))[name]) for name in names])
    assert np.diag(of_one) == pytest.approx(p * (1 - p), rel=1e-12)
    assert of_one[0, 1] == pytest.approx(-p[0] * p[1], rel=1e-12)
    np.testing.assert_allclose(of_two, of_two.T, atol=1e-15)
    last = Dealing(1, 0).certain_coups
    number = np.zeros((shoes, 3))
    for first in range(0, shoes, 20_000):
        coups = play(game.tableau, Dealing(1, 0), 3, first, 20_000)
        coups = coups.only(coups.coup <= last)
        for i, name in enumerate(names):
            is_so = np.zeros((10, 10, 4, 4), bool)
            for outcome in game.events[name]:
                is_so[outcome] = True
            number[first : first + 20_000, i] = is_so[tuple(coups.shown[:, :4].T)].reshape(-1, last).sum(axis=1)
    spread = np.diag(of_one) * last
    seen = np.cov(number, rowvar=False)
    error = np.sqrt(2 / shoes) * np.sqrt(np.outer(spread, spread))
    assert (np.abs(seen - last * of_one - last * (last - 1) * of_two) < 4.5 * error).all()
    assert (np.abs(seen - last * of_one) > 4.5 * error).any()  # coups are not independent


def test_covariances_of_six_and_six_cards_one_by_one() -> None:
    # There are twelve cards: the second coup is dealt from the six cards that the first coup's six leave.
    game = EZ
    names = ["player-win", "tie"]
    six = Counter([1, 2, 3, 4, 7, 0])
    cards = Shoe.from_values([six[v] * 2 for v in range(10)])
    total = Fraction()
    for picked in {tuple(sorted(p)) for p in _sixes(list(six.elements()) * 2)}:
        counts = Counter(picked)
        ways = 1
        for value in range(10):
            ways *= comb(cards.values[value], counts[value])
        first = events(game, Shoe.from_values([counts[v] for v in range(10)]))
        then = events(game, Shoe.from_values([cards.values[v] - counts[v] for v in range(10)]))
        total += Fraction(ways * first["tie"] * then["player-win"], comb(12, 6) * deals(6) ** 2)
    alone = events(game, cards)
    product = Fraction(alone["tie"] * alone["player-win"], deals(12) ** 2)

    class Full:
        decks = staticmethod(lambda _: cards)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dealt_checks, "Shoe", Full)
        _, two = dealt_checks.covariances(game, names)
    assert two[1, 0] == pytest.approx(float(total - product), abs=1e-14)


def _sixes(cards: list[int]) -> Iterable[tuple[int, ...]]:
    from itertools import combinations

    return combinations(cards, 6)


# The last cards


SHOES = 3000


@pytest.fixture(scope="module")
def deep() -> dealt_checks.LastCards:
    return dealt_checks.deep_in_the_shoe(EZ, (6, 12), SHOES, 2, quiet)


def test_the_last_cards_agree_with_the_census(deep: dealt_checks.LastCards) -> None:
    rows, beside = dealt_checks.last_cards(EZ, deep, 2, quiet)
    assert disagreeing(rows) == set()
    assert [row.comparisons for row in rows] == [10, 10]
    assert {check.of for check in beside} == {*EZ.events, *(f"{bet} positive" for bet in EZ.bet_names)}
    assert all(check.coups == deep.coups[check.cards_left] for check in beside)


def test_last_cards_and_coups_are_counted_as_by_hand(deep: dealt_checks.LastCards) -> None:
    few = dealt_checks.deep_in_the_shoe(EZ, (12,), 40, 2, quiet)
    positive, begun, ties = Counter[str](), Counter[str](), 0
    for shoe in range(40):
        words = np.random.Philox(key=np.array([2, shoe], np.uint64)).random_raw(500).tolist()
        cards = reference.shuffled(iter([half for w in words for half in (w % 2**32, w >> 32)]), 8)
        last = Counter(0 if card >= 36 else card // 4 + 1 for card in cards[-12:])
        edges = exact_edges(EZ, Shoe.from_values([last[v] for v in range(10)]))
        positive.update(bet for bet, edge in edges.items() if edge > 0)
        for undealt, left, outcome, _ in reference.dealt_coups(EZ, cards, "none"):
            if undealt == 12:
                begun.update(bet for bet, edge in exact_edges(EZ, Shoe.from_values(left)).items() if edge > 0)
                ties += outcome.winner == "tie"
    assert few.tails[12][:, 0].tolist() == [positive[bet] for bet in EZ.bet_names]
    assert few.begun[12][:, 0].tolist() == [begun[bet] for bet in EZ.bet_names]
    assert few.happened[12]["tie"] == ties


@pytest.mark.parametrize("figure", ["p_positive", "mean_positive_part"])
def test_a_census_figure_off_by_a_few_standard_errors_is_found(
    figure: str, deep: dealt_checks.LastCards, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = Census.figures

    def off(self: Census, **asked: Any) -> dict[str, Any]:
        figures = right(self, **asked)
        if self.bets == ("dragon-7",) and self.cards_left == 12:
            values, chances = dealt_checks._positive_parts(self.game, self.bets[0], figures)
            variance = chances @ values**2 - (chances @ values) ** 2
            share = figures["p_positive"]
            error = sqrt((share * (1 - share) if figure == "p_positive" else variance) / SHOES)
            figures[figure] -= 8 * error
        return figures

    monkeypatch.setattr(Census, "figures", off)
    rows, _ = dealt_checks.last_cards(EZ, deep, 2, quiet)
    assert disagreeing(rows) == {"last cards = census: ez-baccarat, 12 cards"}
    assert rows[1].at.startswith("dragon-7, ")


def test_cards_that_are_not_random_are_found(deep: dealt_checks.LastCards) -> None:
    # The coups with 6 and with 12 cards left are swapped, so one group is far too positive, and the other not enough.
    shifted = replace(deep, tails={6: deep.tails[12], 12: deep.tails[6]})
    assert len(disagreeing(dealt_checks.last_cards(EZ, shifted, 2, quiet)[0])) == 2


# The sweep


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Sweep:
    shipped = [
        system.model_copy(update={"triggers": triggers})  # three of the eleven triggers that are scored
        for system, triggers in zip(SYSTEMS, [(3.0, 4.0, 8.0), (34.0, 35.0, 40.0)], strict=True)
    ]
    systems = (*shipped, *map(System.from_dict, OTHERS))
    plan = Plan(EZ, dealt_checks.procedures(8)["jacobson"], 3, 1, systems, spread=True)
    some = [system for system in plan.systems if system.name in ("dragon-7", "to-zero")]
    return run(replace(plan, bettors=verify.bettors_of(EZ, some)), tmp_path_factory.mktemp("few"))


def sums_of(swept: Sweep, part: str = "") -> set[str]:
    """Which checks of the sweep's sums fail. Checked are the sums by cards left and of counters, and of the further
    parts only this one: `spread`, `penetration` or `bettors`."""
    left_out = {"spread": False, "penetration": False, "bettors": ()}
    left_out.pop(part, None)
    return disagreeing(sweep_checks.sums(Sweep(swept.folder, replace(swept.plan, **left_out))))


@pytest.fixture(scope="module")
def in_fractions(swept: Sweep) -> list[Any]:
    return [*sweep_checks._coups(swept)]


@pytest.fixture(scope="module")
def sums_in_fractions(in_fractions: list[Any]) -> dict[str, Any]:
    """The functions that work out a sweep's sums in fractions, by name. Each keeps its results from one test to the
    next."""

    def once(name: str, key: Callable[..., Any]) -> Callable[..., Any]:
        right, known = getattr(sweep_checks, name), {}

        def of(*args: Any) -> Any:
            at = key(*args)
            if at not in known:
                found = right(*args)
                known[at] = [*found] if isinstance(found, Iterator) else found
            return known[at]

        return of

    return {
        "_coups": lambda _: in_fractions,
        "_bets": once("_bets", lambda coup, bet, system, at: (id(coup), bet, system and system.name, at)),
        "_sums": once("_sums", lambda bet, _, bets_on: (bet, *map(id, bets_on))),
        "_last_coups": once("_last_coups", lambda _, cuts: tuple(cuts)),
        "_step": once("_step", lambda edge: edge),
        "_played": once("_played", lambda bettor, *_: bettor.name),
    }


@pytest.fixture
def coups_once(sums_in_fractions: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Work out the sums in fractions only once for all tests that plant a fault in the sweep's sums."""
    for name, once in sums_in_fractions.items():
        monkeypatch.setattr(sweep_checks, name, once)


TAGS = dict.fromkeys("A234", 1) | dict.fromkeys("567T", 0) | {"8": -1, "9": -1}
OTHERS = [
    {"title": "x", "source": "x", "name": name, "tags": TAGS, "count": "true", **how}
    for name, how in {
        "away": {"distance_from": 0.5, "trigger": 2},
        "in-decks": {"per": "undealt", "estimate": "whole", "rounding": "down", "trigger": 1.5},
        "to-zero": {"start": "to-zero", "estimate": "half", "trigger": {"tie-8": -1, "dragon-7": 3}},
    }.items()
]
PLAN = Plan(EZ, dealt_checks.procedures(8)["jacobson"], 260, 1, (), ("dragon-7",), blocks_of=100)


@pytest.mark.usefixtures("coups_once")
def test_sweeps_agree(swept: Sweep) -> None:
    assert disagreeing(sweep_checks.pricing(swept, 30, 1)) == set()
    assert disagreeing(sweep_checks.sums(swept)) == set()


def test_the_same_sweep_agrees_and_is_interrupted_where_it_should_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    finished = []

    def counted(plan: Plan, folder: Path, **asked: Any) -> Sweep:
        try:
            return run(plan, folder, **asked)
        finally:
            finished.append((folder.name, (folder / "manifest.json").exists()))

    monkeypatch.setattr(sweep_checks, "run", counted)
    assert disagreeing(sweep_checks.same_bytes(PLAN, tmp_path, 2)) == set()
    assert finished == [
        ("one", True), ("2-workers", True), ("interrupted", False), ("interrupted", True), ("parts-lost", True),
        ("parts-lost", True),
    ]  # fmt: skip


def test_parts_altered_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another part is altered in each of the three sweeps."""
    parts = {"2-workers": "depth/part-000001", "interrupted": "ledger/part-000000", "parts-lost": "dealt/part-000002"}

    def altered(plan: Plan, folder: Path, **asked: Any) -> Sweep:
        sweep = run(plan, folder, **asked)
        if folder.name in parts:
            part = folder / f"{parts[folder.name]}.parquet"
            part.write_bytes(part.read_bytes()[:-5] + b"!" + part.read_bytes()[-4:])
        return sweep

    monkeypatch.setattr(sweep_checks, "run", altered)
    rows = list(sweep_checks.same_bytes(PLAN, tmp_path, 2))
    assert [(row.subject, row.worst, row.at) for row in rows] == [
        (f"ez-baccarat, {subject.replace('-', ' ')}", 1, f"{part}.parquet") for subject, part in parts.items()
    ]
    assert not any(row.agrees for row in rows)


@pytest.mark.parametrize("off", [2e-15, float("nan"), -1.0])
def test_edges_a_few_places_off_or_of_the_wrong_sign_are_found(
    off: float, swept: Sweep, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = sweep_checks.settlement

    class Off:
        def __init__(self, *asked: Any) -> None:
            self.right = right(*asked)

        def edges(self, left: Any) -> Any:
            return self.right.edges(left) * (1 + off if off != -1 else -1)

    monkeypatch.setattr(sweep_checks, "settlement", Off)
    assert len(disagreeing(sweep_checks.pricing(swept, 30, 1))) == 1


@pytest.mark.usefixtures("coups_once")
@pytest.mark.parametrize(
    ("table", "of", "column", "off", "check"),
    [
        (0, "perfect", "gain", 1e-11, "perfect counter = fractions"),
        (0, "perfect", "bets", 1, "perfect counter = fractions"),
        (0, "perfect", "won", 1.0, "perfect counter = fractions"),
        *(
            (0, system, column, off, "counts = counted by hand")
            for system, column, off in (
                ("dragon-7", "first_coup", 1),
                ("panda-8-unbalanced", "shoes_betting", 1),
                ("away", "bets", 1),
                ("in-decks", "gain", 1e-10),
                ("to-zero", "won_sq", 1.0),
                ("dragon-7", "bets_gain", 1e-10),
                ("dragon-7", "square", 1e-9),
            )
        ),
        (1, None, "edge", 1e-11, "sums = sums of fractions"),
        (1, None, "positive_coups", 1, "sums = sums of fractions"),
        (1, None, "coups", 1, "sums = sums of fractions"),
    ],
)
def test_a_sum_that_is_off_is_found(
    table: int, of: str | None, column: str, off: float, check: str, swept: Sweep, monkeypatch: pytest.MonkeyPatch
) -> None:
    tallies = list(swept.tallies)
    frame = tallies[table].with_row_index("row").collect()
    last = (frame if of is None else frame.filter(pl.col("system") == of))["row"].max()
    changed = pl.when(pl.col("row") == last).then(pl.col(column) + off).otherwise(column).alias(column)
    tallies[table] = frame.with_columns(changed).drop("row").lazy()
    monkeypatch.setattr(Sweep, "tallies", property(lambda _: tuple(tallies)))
    names = {name.split(":")[0] for name in sums_of(swept)}
    assert names == {check}


@pytest.mark.usefixtures("coups_once")
def test_an_edge_in_another_step_is_found(swept: Sweep, monkeypatch: pytest.MonkeyPatch) -> None:
    right = Sweep.scan

    def scan(self: Sweep, table: TableSchema) -> pl.LazyFrame:
        frame = right(self, table)
        return frame.with_columns(pl.col("step") + (pl.col("step") > 100)) if table.name == "spread" else frame

    monkeypatch.setattr(Sweep, "scan", scan)
    assert sums_of(swept, "spread") == {"spread = steps of fractions: ez-baccarat, 3 shoes"}


@pytest.mark.usefixtures("coups_once")
@pytest.mark.parametrize(
    ("column", "off"),
    [("coups", 1), ("positive", 1), ("gain", 10**9), ("square", 10**9), ("cut", 1), ("cut", -1)],
)
def test_a_sum_by_cut_that_is_off_is_found(
    column: str, off: int, swept: Sweep, monkeypatch: pytest.MonkeyPatch
) -> None:
    def altered(file: Any) -> pl.LazyFrame:
        frame = right(file)
        if "penetration" not in str(file):
            return frame
        last = (pl.col("system") == PERFECT) & (pl.col("bin") == 1) & (pl.col("cut") > 14) & (pl.col("cut") < 200)
        kind = frame.collect_schema()[column]
        return frame.with_columns((pl.col(column) + last.cast(pl.Int64) * off).cast(kind))

    right = pl.scan_parquet
    monkeypatch.setattr(pl, "scan_parquet", altered)
    assert sums_of(swept, "penetration") == {"sums by cut = dealt by hand: ez-baccarat, 3 shoes"}


@pytest.mark.parametrize("after_cut", AFTER_CUT)
def test_shoes_end_by_hand_where_the_kernel_ends_them(after_cut: tuple[int, int]) -> None:
    for burn in ("none", "first-card"):
        for cut in (0, 1, 7, 14, 15, 16, 17, 101, 207, 400):
            played = play(EZ.tableau, Dealing(8, cut, burn, after_cut), 1, 0, 9)
            for shoe in range(9):
                assert reference.coups_at(dealt_to_the_end(shoe, burn), cut, after_cut) == (played.shoe == shoe).sum()


@cache
def dealt_to_the_end(shoe: int, burn: str) -> list[tuple[int, int]]:
    """For each coup of a shoe that is dealt by hand until its cards run out: the undealt cards before it, and its
    cards."""
    coups = reference.dealt_coups(EZ, reference.order(1, shoe, 8), burn)
    return [(undealt, outcome.cards) for undealt, _, outcome, _ in coups]


@pytest.mark.usefixtures("coups_once")
@pytest.mark.parametrize(("column", "off"), [("played", 1), ("sides", 1), ("coups", 1), ("gain", 1000)])
def test_a_bettor_who_wins_another_sum_is_found(
    column: str, off: int, swept: Sweep, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = Sweep.scan

    def scan(self: Sweep, table: TableSchema) -> pl.LazyFrame:
        last = (pl.int_range(pl.len()) == pl.len() - 1) * off
        return right(self, table).with_columns(pl.col(column) + last) if table.name == "bettors" else right(self, table)

    monkeypatch.setattr(Sweep, "scan", scan)
    assert sums_of(swept, "bettors") == {"bettors = played by hand: ez-baccarat, 3 shoes"}


# The command


@pytest.mark.parametrize("there", ["notes.txt", "report.json"])
def test_a_folder_with_other_files_is_left_alone(
    there: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / there).write_text("mine")
    (tmp_path / "sweep").mkdir()
    assert main(["verify", "--out", str(tmp_path)]) == 2
    assert "should be a new or empty folder" in capsys.readouterr().err
    assert (tmp_path / there).read_text() == "mine"


@pytest.mark.usefixtures("few_shoes")
def test_a_game_of_pairs_alone_and_one_deck(tmp_path: Path) -> None:
    head = 'title = "Mine"\nsource = "none"\ndecks = 1\ntableau = "punto-banco"\n'
    (tmp_path / "mine.toml").write_text(head + 'bets = [{ name = "player-pair" }]\n')
    game = load_game(tmp_path / "mine.toml")
    assert disagreeing(dealt_checks.dealings(game, "jacobson", 300, 1, tmp_path / "sweep", 2, quiet)) == set()
    assert dealt_checks.census_bets(game) == ()
    assert disagreeing(exact_checks.kernel_against_twin((game,), 0, 1, quiet)) == set()
    assert all(row.comparisons for row in exact_checks.census_means((game,), False, quiet))
    plan = Plan(game, dealt_checks.procedures(1)["jacobson"], 3, 1)
    assert disagreeing(sweep_checks.sums(run(plan, tmp_path / "few"))) == set()


# The games with choices


def test_a_proof_that_does_not_hold_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(shoe: Shoe, model: str) -> Solution:
        solution = solve(shoe, model)
        if model == "B2":
            vars(solution)["certificate"] = replace(solution.certificate, lower=solution.certificate.lower + 1)
        return solution

    monkeypatch.setattr(chemin_checks, "solve", wrong)
    assert disagreeing(chemin_checks.certificates(1, 1, quiet)) == {"chemin de fer's bounds, dealt again: B1, B2, B3"}


def test_a_proof_at_banque_that_does_not_hold_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(shoe: Shoe, theta: Fraction, model: str, uses_third: bool) -> Banque:
        solution = banque(shoe, theta, model, uses_third=uses_third)
        cell = next(iter(solution.certificate.banker))
        plays = {**solution.certificate.banker, cell: 1 - solution.certificate.banker[cell]}
        return replace(solution, certificate=replace(solution.certificate, banker=plays))

    assert disagreeing(chemin_checks.at_two_tableaux(1, 1, quiet)) == set()
    monkeypatch.setattr(chemin_checks, "banque", wrong)
    assert disagreeing(chemin_checks.at_two_tableaux(1, 1, quiet)) == {
        f"banque's bounds, dealt again: 1 of {long_or(20, 12)} cards"
    }


def test_a_tableau_with_another_rule_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    changed = one_rule_changed(EZ)
    monkeypatch.setattr(chemin_checks, "events", lambda game, shoe: events(changed, shoe))
    assert disagreeing(chemin_checks.without_choice([EZ], 1, 1)) == {
        "chemin de fer without a choice = the tableau: ez-baccarat"
    }


@pytest.mark.long
def test_coups_of_macao_by_another_rule_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = {name: load_macao(name) for name in ("macao", "early-macao", "victoria")}
    monkeypatch.setattr(chemin_checks, "load_macao", lambda name: rules[name])
    assert disagreeing(chemin_checks.macao_dealt(20_000, 1, quiet)) == set()
    other = best_reply(rules["victoria"].shoe, rules["victoria"].varied(banker=["DDDDDSSSSS", "DDDDSSSSSS"]))

    def dealt(shoe: Shoe, played: Macao, reply: Reply, coups: int, seed: int, progress: object) -> MacaoSimulated:
        wrong = played is rules["victoria"]
        return simulate(shoe, other.rules if wrong else played, other if wrong else reply, coups, seed)

    monkeypatch.setattr(chemin_checks, "simulate", dealt)
    assert disagreeing(chemin_checks.macao_dealt(20_000, 1, quiet)) == {"macao's law: 3 games, 20,000 coups each"}
