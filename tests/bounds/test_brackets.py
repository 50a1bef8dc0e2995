"""Brackets: the upper figure is above every policy, the lower one below the best. Both are compared with the exact
optimum of short shoes and with plain players."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import polars as pl
import pytest
from extent import long_or
from twins.best_play import Rules, optimum, simulate
from twins.players import CASES

from counting import InputError, load_game
from counting.bounds import Bracket, Mean, Seat, bracket, brackets, continuation, evaluation
from counting.bounds.continuation import Continuation
from counting.bounds.net_results import NetGame
from counting.bounds.seats import SeatRows, slice_of
from counting.exact import _next_coup, settlement, tableau_arrays
from counting.simulation import Dealing
from counting.sweep import Stakes, TableLimits

EZ = load_game("ez-baccarat")
LOUISIANA = load_game("louisiana")
DRAGON = Stakes.of(
    ("dragon-7",), EZ.mains(None), least=Fraction(1, 25), least_main=Fraction(4), most_main=Fraction(4)
)  # fmt: skip
DECKS = long_or(8, 2)
SEATS = {
    "no skips": Seat(EZ, Dealing(DECKS, 20, "first-card"), DRAGON, 0),
    "two skips": Seat(EZ, Dealing(DECKS, 20, "first-card"), DRAGON, 2),
    "the cut card ends the shoe": Seat(EZ, Dealing(DECKS, 10, "none", (0, 0)), DRAGON, 1),
    "two more coups": Seat(EZ, Dealing(DECKS, 30, "first-card", (2, 2)), DRAGON, 1),
}


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bounds and policies are chosen on few shoes, which does not matter to what holds shoe by shoe."""
    monkeypatch.setattr(evaluation, "_CHOSEN_ON", 100)


@pytest.fixture
def rough(quick: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `quick`, and each increment comes from few random next coups. It is still an increment, but less close to the
    worth."""
    monkeypatch.setattr(continuation, "COPIES", 2)
    monkeypatch.setattr(continuation, "POLICY_COPIES", 2)


@pytest.fixture
def few_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without --long, three random next coups are enough: what is compared then errs little more."""
    for copies in ("COPIES", "POLICY_COPIES"):
        monkeypatch.setattr(continuation, copies, long_or(getattr(continuation, copies), 3))


@pytest.fixture(scope="module", params=SEATS)
def seat(request: pytest.FixtureRequest) -> Seat:
    return SEATS[request.param]


@pytest.fixture(scope="module")
def fitted(seat: Seat) -> Continuation:
    return Continuation.fit(seat, SeatRows.play(seat, 1, evaluation.FIT_FROM, 500))


@pytest.mark.usefixtures("rough")
def test_the_lower_figure_is_never_above_the_upper_one(seat: Seat) -> None:
    """It holds on every shoe, since both figures take off the same increments and the policy is one of the
    schedules."""
    figures = bracket(seat, long_or(500, 150), 7, fitted=long_or(500, 300))
    assert ((figures.shoes["upper"] - figures.shoes["lower"]).to_numpy() >= -1e-12).all()
    assert figures.upper.value > figures.lower.value
    assert not figures.exact


@pytest.mark.usefixtures("few_copies")
def test_each_increment_has_the_mean_0(seat: Seat, fitted: Continuation) -> None:
    """The means are over other shoes than the fit's, by state and depth, whatever the result of the coup and whether or
    not another coup follows."""
    refuse_a_mean_other_than_0(seat, fitted, long_or(600, 1000))


@pytest.mark.usefixtures("few_copies")
def test_each_increment_of_eight_decks_has_the_mean_0() -> None:
    seat = replace(SEATS["two skips"], dealing=Dealing(8, 20, "first-card"))
    fitted = Continuation.fit(seat, SeatRows.play(seat, 1, evaluation.FIT_FROM, 300))
    refuse_a_mean_other_than_0(seat, fitted, long_or(300, 200))


def refuse_a_mean_other_than_0(seat: Seat, fitted: Continuation, shoes: int) -> None:
    """Check the means by state and depth. Sums over one shoe's coups at a depth are independent from shoe to shoe."""
    rows = SeatRows.play(seat, 2, 0, shoes)
    worth = np.zeros((seat.states, len(rows.held) + 1))
    sums = np.zeros((seat.states, 12, rows.shoes))
    depth = np.minimum(slice_of(rows.ahead) * 12 // (13 * seat.dealing.decks), 11)
    for number, at in enumerate(rows.slices):
        values = fitted.values(rows, number, at)
        figures, _ = fitted.increments(rows, number, at, values, worth, 2, 0)
        worth[:, at] = fitted.worth(rows.held[at], values)
        for state in range(seat.states):
            np.add.at(sums[state], (depth[at], rows.shoe[at]), figures[state])
    there = sums.std(axis=2) > 0
    z = sums.mean(axis=2)[there] / (sums.std(axis=2)[there] / np.sqrt(rows.shoes))
    assert there.sum() >= 10 * seat.states
    assert np.abs(z).max() < NormalDist().inv_cdf(1 - 0.0005 / there.sum())
    assert np.abs(z.mean()) < 4 / np.sqrt(len(z))


def test_a_policy_does_not_know_the_luck_of_what_is_taken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Along the policy's way, what is taken off has the mean 0: the policy looks at other random next coups than the
    ones whose mean is taken off the increments. With one random next coup for each purpose, luck would help most. What
    is taken off a policy that looks at none has the same noise, so the difference is tested too."""
    monkeypatch.setattr("counting.bounds.continuation.POLICY_COPIES", 1)
    monkeypatch.setattr("counting.bounds.continuation.COPIES", 1)
    stakes = Stakes.of(("dragon-7",), EZ.mains(None), least=Fraction(1), least_main=Fraction(1), most_main=Fraction(1))
    seat, shoes = Seat(EZ, Dealing(1, 14), stakes, 0), long_or(4000, 2500)
    fit = Continuation.fit(seat, SeatRows.play(seat, 1, evaluation.FIT_FROM, 400))

    class LooksAtNone(Continuation):
        def increments(self, *of: Any) -> tuple[Any, Any]:
            return super().increments(*of)[0], of[3]

    looks, looks_at_none = (
        evaluation.evaluate(evaluation.Fitted(policy), SeatRows.play(seat, 3, 0, shoes), 3, 0, False, np.ones(1)).taken
        for policy in (fit, LooksAtNone(seat, fit.fitted))
    )
    assert (looks != looks_at_none).mean() > 0.1
    for taken in (looks, looks - looks_at_none):
        assert abs(taken.mean()) < 4 * taken.std() / np.sqrt(shoes)


@pytest.mark.usefixtures("few_copies")
def test_the_best_schedule_is_above_the_policy_with_and_without_increments(seat: Seat, fitted: Continuation) -> None:
    shares = np.array([0.0, 0.3, 1.0])
    evaluated = evaluation.evaluate(evaluation.Fitted(fitted), SeatRows.play(seat, 3, 0, 300), 3, 0, False, shares)
    assert (evaluated.bounds[0] + evaluated.taken >= evaluated.gain - 1e-12).all()  # the best schedule in hindsight
    assert (evaluated.bounds >= evaluated.lower - 1e-12).all()
    assert evaluated.bounds[1].mean() < max(
        evaluated.bounds[0].mean(), evaluated.bounds[2].mean()
    )  # convex in the share


_TIGHT = Rules(
    ("dragon-7",), ("player", "banker", "tie-8"), most_bet=10, least_bet=1, minimum=5, mid_shoe_entry=False,
    most_skipped=0,
)  # fmt: skip


def _seat(rules: Rules, dealing: Dealing) -> Seat:
    table = TableLimits(
        minimum=Fraction(rules.minimum), least_bet=Fraction(rules.least_bet), tie_in=Fraction(rules.tie_in),
        seat=rules.holds_seat,
    )  # fmt: skip
    stakes = table.stakes(rules.sides, rules.mains, Fraction(rules.most_bet))
    return Seat(EZ, dealing, stakes, rules.most_skipped, rules.rebate)


@pytest.mark.usefixtures("few_copies")
@pytest.mark.parametrize(
    ("rules", "dealing"),
    [
        (replace(_TIGHT, most_skipped=1, rebate=0.01), Dealing(1, long_or(46, 47))),
        (replace(_TIGHT, tie_in=1, most_skipped=1), Dealing(1, 44, "none", (0, 0))),
        (replace(_TIGHT, holds_seat="main", minimum=1), Dealing(1, long_or(44, 47))),
        (_TIGHT, Dealing(1, 46)),
        (replace(_TIGHT, rebate=0.02), Dealing(1, 47, "none", (1, 1))),
    ][: long_or(5, 3)],
)
def test_the_exact_optimum_of_a_short_shoe_is_between(rules: Rules, dealing: Dealing) -> None:
    exact = optimum(EZ, [16, *[4] * 9], rules, dealing)
    figures = bracket(_seat(rules, dealing), long_or(6000, 1500), 5, fitted=long_or(2000, 700))
    lower, upper = (limit.times(rules.most_bet) for limit in (figures.lower, figures.upper))
    assert lower.value - 4 * lower.error <= exact <= upper.value + 4 * upper.error
    assert upper.value - lower.value < 0.1 * abs(exact) + 0.002 * rules.most_bet


@cache
def _of_player(seat: Seat) -> Bracket:
    """The bracket of a seat. It is kept, since two of the players have the same seat."""
    return bracket(seat, long_or(1000, 250), 1, fitted=long_or(1500, 400))


@pytest.mark.usefixtures("quick", "few_copies")
@pytest.mark.parametrize("name", list(CASES)[:4])
def test_a_player_that_broke_a_statement_is_below_the_upper_figure(name: str) -> None:
    """The player is no better than the policy either, up to the errors."""
    case = CASES[name]
    table = TableLimits(
        minimum=Fraction(case.rules.minimum), least_bet=Fraction(case.rules.least_bet or 1),
        side_share=None if case.rules.side_share is None else Fraction(case.rules.side_share),
    )  # fmt: skip
    stakes = table.stakes(case.rules.sides, case.rules.mains, Fraction(case.rules.most_bet))
    seat = Seat(case.game, case.dealing, stakes, case.rules.most_skipped)
    figures = _of_player(seat)
    lower, upper = (figures.per_coup(of).times(70 * case.rules.most_bet) for of in ("lower", "upper"))
    assert upper.below > case.per_hour - 3 * case.error
    assert lower.value + 3 * lower.error > case.per_hour - 3 * case.error


@pytest.mark.parametrize("name", list(CASES)[4:])
def test_where_any_coup_may_be_skipped_both_figures_are_the_best_counter(name: str) -> None:
    case = CASES[name]
    table = TableLimits(minimum=Fraction(case.rules.minimum), maximum=Fraction(case.rules.maximum), covers="all")
    stakes = table.stakes(case.rules.sides, case.rules.mains, Fraction(case.rules.most_bet))
    rebate = case.rules.rebate
    figures = bracket(Seat(case.game, case.dealing, stakes, None, rebate), long_or(4000, 2000), 3)
    assert figures.exact
    assert (figures.shoes["lower"] == figures.shoes["upper"]).all()
    money = figures.per_coup("upper").times(70 * case.rules.most_bet)
    assert money.value + 4 * money.error > case.per_hour
    alone = simulate(case.game, case.dealing, case.rules, case.player, long_or(1500, 700), 8)
    bet = "tie-9" if "tie-9" in case.rules.mains else "banker"
    per_shoe = Mean.of(figures.shoes[f"alone-{bet}"].to_numpy()).times(case.rules.maximum or 1)
    assert abs(per_shoe.value - alone.mean) < 4 * np.hypot(per_shoe.error, alone.error)


@pytest.mark.usefixtures("rough")
def test_shoes_do_not_depend_on_who_plays_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The shoes are bit for bit the same with one worker or three, in memory or in a folder, and after a kill."""
    monkeypatch.setattr(brackets, "BLOCK", 100)
    seat = SEATS["two skips"]
    fitted = 300
    alone = bracket(seat, 220, 5, fitted=fitted, workers=1)
    three = bracket(seat, 220, 5, tmp_path / "kept", fitted=fitted, workers=3)
    assert alone.shoes.equals(three.shoes)
    (tmp_path / "kept" / "shoes-000001.parquet").unlink()
    seen: list[tuple[int, int]] = []
    again = bracket(seat, 220, 5, tmp_path / "kept", fitted=fitted, progress=lambda *done: seen.append(done[:2]))
    assert again.shoes.equals(alone.shoes)
    assert seen == [(fitted + 120, fitted + 220), (fitted + 220, fitted + 220)]  # the shoes of the fit count too
    with pytest.raises(
        InputError, match=r"holds a bracket that differs in seed \(5 in the folder, 6 now\), should be another folder"
    ):
        bracket(seat, 220, 6, tmp_path / "kept", fitted=fitted)


@pytest.mark.long
@pytest.mark.usefixtures("rough")
def test_seats_at_one_table_have_the_figures_that_each_has_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The seats differ in their amounts and skips. Their figures are the same when they are worked out together, and
    when some of their files are lost."""
    monkeypatch.setattr(brackets, "BLOCK", long_or(100, 40))
    shoes, fitted = long_or((220, 300), (90, 300))
    two = SEATS["two skips"]
    larger = Stakes.of(
        ("dragon-7",), EZ.mains(None), least=Fraction(1, 5), least_main=Fraction(1), most_main=Fraction(9)
    )
    none, large = replace(two, most_skipped=0), replace(two, stakes=larger)
    seats = [two, none, large]
    alone = [bracket(seat, shoes, 5, fitted=fitted).shoes for seat in seats]
    folders = [tmp_path / str(i) for i in range(3)]
    for _ in range(2):
        together = brackets.brackets(seats, shoes, 5, folders, fitted=fitted, workers=2)
        assert all(own.equals(of_seat.shoes) for own, of_seat in zip(alone, together, strict=True))
        (folders[1] / "shoes-000001.parquet").unlink()
        (folders[2] / "fit.npz").unlink()


@pytest.mark.usefixtures("rough")
def test_damaged_files_of_a_bracket_are_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file is made again if a bit is flipped, if it is cut short, and if it is replaced by another file of the
    bracket."""
    monkeypatch.setattr(brackets, "BLOCK", 100)
    seat = SEATS["no skips"]
    first = bracket(seat, 220, 5, tmp_path, fitted=200)
    whole = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert set(whole) == {
        "bracket.json",
        "fit.npz",
        *(f"shoes-00000{block}.parquet" for block in range(3)),
        ".sha256",
        ".lock",
    }

    def mended() -> bool:
        again = bracket(seat, 220, 5, tmp_path, fitted=200)
        return again.shoes.equals(first.shoes) and all(
            (tmp_path / name).read_bytes() == content for name, content in whole.items() if name != ".sha256"
        )

    for name in ("fit.npz", "shoes-000001.parquet"):
        flipped = bytearray(whole[name])
        flipped[len(flipped) // 2] ^= 4
        for content in (flipped, whole[name][:500], whole["shoes-000000.parquet"]):
            (tmp_path / name).write_bytes(content)
            assert mended()
    (tmp_path / ".sha256").write_bytes(whole[".sha256"][:100])
    assert mended()
    (tmp_path / "bracket.json").write_text("{")
    with pytest.raises(InputError, match=r"bracket\.json: cannot be read as JSON$"):
        mended()


def by_hand(seat: Seat, rows: SeatRows, seated: Any) -> list[float]:
    """The gain on each shoe, coup by coup, if main bets stand after a push."""
    gains: list[float] = []
    pays = settlement(seat.game, seat.stakes.bets).paid(rows.shown)
    for shoe in range(rows.shoes):
        gain = 0.0
        standing = np.zeros(len(seat.stakes.bets))
        skipped = 0
        for row in np.flatnonzero(rows.shoe == shoe):
            options = [v for v in seat.stakes.vertices if (v >= standing - 1e-9).all()]
            best = max(options, key=lambda v: float(v @ rows.edges[row]))
            wants = seated[min(skipped, len(seated) - 1), row] if seat.most_skipped is not None else (
                best @ rows.edges[row] > 0
            )  # fmt: skip
            if not wants and not standing.any():
                skipped += 1
                if seat.most_skipped is not None and skipped > seat.most_skipped:
                    break
                continue
            skipped = 0
            gain += float(best @ rows.edges[row])
            main = np.isin(seat.stakes.bets, seat.stakes.main)
            standing = np.where(main & (pays[row] == 0), best, 0)
        gains.append(gain)
    return gains


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("most_skipped", [None, 0, 2])
def test_play_with_standing_bets_as_by_hand(most_skipped: int | None) -> None:
    stakes = Stakes.of(
        ("seven-seven-45",), LOUISIANA.mains(None), least=Fraction(1, 2), least_main=Fraction(1),
        most_main=Fraction(2), tie_in=Fraction(1),
    )  # fmt: skip
    seat = Seat(LOUISIANA, Dealing(DECKS, 14), stakes, most_skipped, 0.001)
    rows = SeatRows.play(seat, 4, 0, 12)
    random = np.random.default_rng(1)
    seated = random.random((seat.states, len(rows.held))) < 0.8
    if most_skipped is None:
        seated = stakes.free(rows.edges)[np.newaxis] > 0
    by_coup = evaluation.with_standing(seat, rows, seated, np.zeros((seat.states, len(rows.held))))
    gain, taken, played, sides = (np.bincount(rows.shoe, figures, 12) for figures in by_coup)
    assert gain.tolist() == pytest.approx(by_hand(seat, rows, seated), abs=1e-9)
    assert (taken == 0).all()
    assert (sides <= played).all()
    if most_skipped == 0:
        return
    figures = bracket(seat, long_or(500, 200), 4, stand=True, fitted=200)
    assert not figures.exact
    difference = Mean.of((figures.shoes["upper"] - figures.shoes["lower"]).to_numpy())
    assert difference.value > -3 * difference.error


def test_the_chance_to_lose() -> None:
    """The chance to lose a side bet, and a main bet that pushes on a tie and on a Dragon 7."""
    seat = Seat(EZ, Dealing(), Stakes.of(("dragon-7",), ("banker",), most_main=Fraction(1)), None, loss_rebate=0.5)
    full = np.array([[128, *[32] * 9]], np.int32)
    game = NetGame.of(seat)
    losing = game.losing(game.pays.chances(full))[0]
    assert losing[0] == pytest.approx(1 - (1 + seat.edges(full)[0, 0]) / 41)
    assert losing[1] == pytest.approx(0.4462466, abs=1e-7)  # Player wins, by the sources' table


def test_random_next_coups_are_coups(tmp_path: Path) -> None:
    """They are dealt from the unseen cards by the tableau, with the right means. The same address gives the same
    cards."""
    left = np.array([[30, 8, 9, 7, 8, 8, 10, 3, 8, 8], [2, 1, 0, 1, 0, 1, 1, 1, 0, 0]], np.int32)
    values, tableau = np.arange(10, dtype=np.uint8), tableau_arrays(EZ.tableau)
    copies = 40_000
    after, used = np.empty((2 * copies, 10), np.int32), np.empty(2 * copies, np.uint8)
    _next_coup.deal(left, copies, 3, np.array([5, 6], np.uint64), values, *tableau, after, used)
    assert (np.repeat(left, copies, axis=0).sum(axis=1) - after.sum(axis=1) == used).all()
    assert (after >= 0).all()
    assert (after <= np.repeat(left, copies, axis=0)).all()
    again, used_again = np.empty((copies, 10), np.int32), np.empty(copies, np.uint8)
    _next_coup.deal(left[1:], copies, 3, np.array([6], np.uint64), values, *tableau, again, used_again)
    assert (again == after[copies:]).all()
    first = after[:copies]
    share = first / first.sum(axis=1, keepdims=True)  # a martingale
    error = share.std(axis=0) / np.sqrt(copies)
    assert (np.abs(share.mean(axis=0) - left[0] / left[0].sum()) < 4.5 * error).all()
    naturals_and_stands = (used[:copies] == 4).mean()
    assert 0.3 < naturals_and_stands < 0.45


def test_a_seat_that_nothing_holds_and_other_bad_input() -> None:
    none = Stakes.of(("dragon-7",), ("player",), most_main=Fraction(1), seat=())
    with pytest.raises(InputError, match=r"^holds_seat: the other rules allow none of these bets"):
        Seat(EZ, Dealing(), none, 0)
    with pytest.raises(InputError, match=r"^most skipped: 2, should be 0 where nobody leaves"):
        Seat(EZ, Dealing(), DRAGON, 2, leaves=False)
    with pytest.raises(InputError, match=r"^shoes to fit to: 10, should be a whole number from 200"):
        bracket(SEATS["no skips"], 100, 1, fitted=10)
    with pytest.raises(InputError, match=r"^shoes: 1, should be a whole number from 2"):
        bracket(SEATS["no skips"], 1, 1)


@pytest.mark.usefixtures("quick")
@pytest.mark.usefixtures("few_copies")
def test_who_may_skip_many_coups_is_bounded_by_who_may_skip_any() -> None:
    many = replace(SEATS["no skips"], most_skipped=40)
    shoes = long_or(500, 250)
    figures = bracket(many, shoes, 1, fitted=300)
    free = bracket(replace(many, most_skipped=None), shoes, 1)
    assert figures.shoes["upper"].to_list() == pytest.approx(free.shoes["upper"].to_list())
    assert figures.lower.value > 0.9 * free.lower.value


@pytest.mark.usefixtures("rough")
def test_a_bracket_keeps_what_each_shoe_gave() -> None:
    figures = bracket(SEATS["no skips"], 300, 1, fitted=300)
    assert isinstance(figures, Bracket)
    assert figures.shoes.columns[:5] == ["lower", "upper", "coups", "played", "sides"]
    assert figures.shoes["coups"].to_list() == (
        pl.Series(np.bincount(SeatRows.play(figures.seat, 1, 0, 300).shoe), dtype=pl.Float64).to_list()
    )
    assert figures.per_shoe("played") <= figures.per_shoe("coups")
