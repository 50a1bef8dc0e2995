"""A rebate on losses: the bound from net results, against dictionaries of reachable results, the exact optimum of two
coups, and players."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import floor, inf
from pathlib import Path

import numpy as np
import pytest
from extent import long_or
from twins import net_results as twin

from counting import InputError, Shoe, load_game
from counting.arrays import Floats
from counting.bounds import Mean, Seat, _net_results, brackets, net_evaluation
from counting.bounds.brackets import bracket
from counting.bounds.net_evaluation import evaluate_net, fit_net
from counting.bounds.net_results import NetGame
from counting.bounds.net_values import NetValues
from counting.bounds.rebates import break_even, without_counting
from counting.bounds.seats import SeatRows
from counting.exact import price_shoe, settlement
from counting.exact.instruction_sets import LEVELS
from counting.simulation import Dealing
from counting.sweep import Stakes

GAME = load_game("punto-banco").also(("dragon-7",))
BETS = ("dragon-7",), ("player", "banker-5", "tie-8")
ALL = Stakes.of(*BETS, least=Fraction(1, 100), least_main=Fraction(1), most_main=Fraction(10))
MAINS = Stakes.of((), ("player", "banker-5"), least_main=Fraction(1, 10), most_main=Fraction(1))
FLAT = Stakes.of((), ("player", "banker-5"), least_main=Fraction(1), most_main=Fraction(1))
FLAT_ALL = Stakes.of(*BETS, least=Fraction(1), least_main=Fraction(10), most_main=Fraction(10))
ODD = Stakes.of(("dragon-7",), ("banker-5",), least_main=Fraction(1, 3), most_main=Fraction(10, 7))
SHORT = Dealing(1, 20, "first-card")


def seat(stakes: Stakes = ALL, rebate: float = 0.1, skipped: int | None = None, **rules: object) -> Seat:
    return Seat(GAME, SHORT, stakes, skipped, loss_rebate=rebate, **rules)  # type: ignore[arg-type]


def arbitrary(at: Seat, slices: int = 20, size: float = 1.0) -> NetValues:
    """Values that fit nothing. The theorem holds even for the bound and the policy that they give."""
    game = NetGame.of(at)
    rng = np.random.default_rng(5)
    bets = len(at.stakes.bets)
    coefs = rng.normal(size=(slices, game.states, 2 + 4 * bets + bets - 1, game.points)).cumsum(axis=3)
    coefs *= size / 30
    coefs[:, :, 0] += game.end
    coefs[-1, :, 0], coefs[-1, :, 1:] = game.end, 0
    edges = np.array([float(edge) for edge in price_shoe(GAME, Shoe.decks(1), bets=at.stakes.bets).edges.values()])
    return NetValues(game, coefs, edges, np.full(bets, 0.02), game.end)


def read(game: NetGame, table: Floats, place: float) -> float:
    """The value of a table at a place between its points or beyond them."""
    if place <= 0:
        return float(table[0] + game.slope * place)
    if place >= game.points - 1:
        return float(table[-1] + place - (game.points - 1))
    low = floor(place)
    return float(table[low] + (place - low) * (table[low + 1] - table[low]))


def as_twin(values: NetValues, rows: SeatRows, shoe: int) -> list[twin.Coup]:
    """The coups of a shoe as the twin takes them, in steps."""
    game, coups = values.game, []
    known, moved = values.features(rows)
    classes, chances, slices = game.pays.classes(rows.shown), game.pays.chances(rows.left), values.slices(rows)
    for row in np.flatnonzero(rows.shoe == shoe):
        tables = np.einsum("k,skp->sp", known[row], values.coefs[slices[row]])
        changes = np.einsum("k,skp->sp", moved[row], values.coefs[slices[row]])

        def function(table: Floats, flat: bool = False) -> twin.Worth:
            if flat:  # beyond the table, an increment that is linear in the edges stays as it is
                return lambda w: float(np.interp(w + game.zero, np.arange(game.points), table))
            return lambda w: read(game, table, w + game.zero)

        ahead, linear = [function(table) for table in tables], [function(table, True) for table in changes]
        coups.append(twin.Coup(int(classes[row]), chances[row].tolist(), ahead, linear))
    return coups


def played(values: NetValues, rows: SeatRows, level: int = 0) -> tuple[Floats, Floats, Floats, Floats]:
    """H for each shoe; then the policy's vertices and increments for each coup, and its net result in steps for each
    shoe."""
    game = values.game
    table = values.table(game.next)
    coups, starts = values.coups(table, rows), net_evaluation.starts_of(rows)
    best, net = np.empty((rows.shoes, 1)), np.full(rows.shoes, float(game.zero))
    _net_results.upper(table, coups, starts, game.zero, game.zero, best, level)
    chosen, taken = np.empty(len(rows.shoe), np.int32), np.empty(len(rows.shoe))
    none = np.zeros((len(game.stakes), 0)), np.zeros((len(game.pays.pays), 0))
    pays = np.ascontiguousarray(game.paid / game.step)
    _net_results.lower(values.table(game.policy), coups, starts, pays, *none, net, chosen, taken, level)
    return best[:, 0], chosen, taken, net - game.zero


@pytest.mark.parametrize(("stakes", "skipped"), [(ALL, None), (MAINS, None), (FLAT, 0), (FLAT, 2), (FLAT_ALL, 1)])
def test_the_kernel_is_the_dictionary_of_reachable_results(stakes: Stakes, skipped: int | None) -> None:
    values = arbitrary(seat(stakes, skipped=skipped))
    game, rows = values.game, SeatRows.play(seat(stakes, skipped=skipped), 3, 0, long_or(3, 2))
    assert game.on_lattice
    pays = np.round(game.paid / game.step).astype(int).tolist()
    end = lambda w: w if w >= 0 else game.slope * w  # noqa: E731
    best, chosen, taken, net = played(values, rows)
    for shoe in range(rows.shoes):
        coups = as_twin(values, rows, shoe)
        assert best[shoe] == pytest.approx(twin.upper(coups, pays, game.next.tolist(), end, 0), rel=5e-13)
        vertices, increments, last = twin.lower(coups, pays, game.policy.tolist(), end, 0)
        at = rows.shoe == shoe
        assert chosen[at].tolist() == vertices
        assert taken[at].tolist() == pytest.approx(increments, abs=1e-9)
        assert net[shoe] == pytest.approx(last)


def test_every_instruction_set_has_the_same_bits() -> None:
    values = arbitrary(seat(ALL, skipped=1))
    rows = SeatRows.play(values.game.seat, 3, 0, 20)
    plain = played(values, rows, 0)
    out = [np.empty((len(rows.shoe), values.game.states, values.game.points)) for _ in LEVELS]
    for level in range(_net_results.best_level() + 1):
        for figure, other in zip(played(values, rows, level), plain, strict=True):
            assert (figure == other).all()
        table = values.table(values.game.next)
        _net_results.worth(table, values.coups(table, rows), out[level], level)
        assert (out[level] == out[0]).all()


def test_a_pay_between_two_points_is_a_chance_of_each() -> None:
    values = arbitrary(seat(ODD))
    game, rows = values.game, SeatRows.play(seat(ODD), 3, 0, 2)
    assert not game.on_lattice
    best = played(values, rows)[0]
    for shoe in range(2):
        coups, kept = as_twin(values, rows, shoe), {}

        def value(at: int, place: int, coups: list[twin.Coup] = coups, kept: dict = kept) -> float:  # type: ignore[type-arg]
            if at == len(coups):
                return read(game, game.end, place)
            if (at, place) not in kept:
                coup, most = coups[at], -inf
                for vertex in range(len(game.stakes)):
                    total = 0.0
                    for cls, chance in enumerate(coup.chances):
                        jump = game.jump_of[vertex, cls]
                        for step, weight in ((0, 1 - game.rest[jump]), (1, game.rest[jump])):
                            to = place + int(game.low[jump]) + step
                            worth = coup.ahead[0](to - game.zero) - coup.moved[0](to - game.zero)
                            total += chance * weight * worth
                            if cls == coup.dealt and weight:
                                total += weight * (value(at + 1, to) - coup.ahead[0](to - game.zero))
                    most = max(most, total)
                kept[at, place] = most
            return kept[at, place]

        assert best[shoe] == pytest.approx(value(0, game.zero), rel=1e-12)


def two_coups(left: list[int], rebate: float, stakes: Stakes) -> tuple[float, float, float, float]:
    """Exact figures over every deal of two coups from these cards: the policy's mean, the mean of its increments, the
    true optimum, and the mean of H."""
    at = seat(stakes, rebate)
    game = NetGame.of(at)
    place = {pays: i for i, pays in enumerate(game.pays.pays)}

    def outcome(player: int, banker: int, cards: int) -> int:
        wins = 1 if player > banker else -1 if banker > player else 0
        dragon = Fraction(40 if wins < 0 and banker == 7 and cards == 3 else -1)
        by_bet = {
            "player": Fraction(wins), "banker-5": Fraction(19, 20) if wins < 0 else Fraction(-(wins > 0)),
            "tie-8": Fraction(-1 if wins else 8), "dragon-7": dragon,
        }  # fmt: skip
        return place[tuple(by_bet[bet] for bet in stakes.bets)]

    deals = twin.coups_from(GAME.tableau, left)
    after = np.array([cards for cards, *_ in deals], np.int32)
    second, first = game.pays.chances(after), game.pays.chances(np.array([left], np.int32))[0]
    chances, outcomes = np.array([*deals.values()]), np.array([outcome(*shown) for _, *shown in deals])
    assert np.bincount(outcomes, chances, len(place)) == pytest.approx(first, abs=1e-12)
    end = lambda w: w + rebate * max(-w, 0.0)  # noqa: E731
    best = twin.best_of_two(chances.tolist(), outcomes.tolist(), second.tolist(), game.paid.tolist(), end)
    # C after the first coup: at each net result that it can lead to, the mean of the second coup's best. The second
    # column is an edge, as a martingale.
    worth, places = np.zeros(game.points), np.unique(game.zero + game.low)
    ends = np.array([[read(game, game.end, w + int(step)) for step in game.low] for w in places])
    by_class = ends[:, game.jump_of.reshape(-1)].reshape(len(places), *game.jump_of.shape)
    for some in np.array_split(np.arange(len(second)), 1 + len(second) // 500):
        worth[places] += (by_class @ second[some].T).max(axis=1) @ chances[some]
    coefs = np.zeros((2, 1, 2, game.points))
    coefs[0, 0] = worth, np.linspace(-3, 3, game.points)
    coefs[1, 0, 0] = game.end
    values = NetValues(game, coefs, np.zeros(1), np.zeros(1), game.end)
    edges = settlement(GAME, stakes.bets[:1]).edges(after)[:, 0]
    before = settlement(GAME, stakes.bets[:1]).edges(np.array([left], np.int32))[0, 0]
    classes = len(place)
    shoes = len(after) * classes
    known = np.zeros((2 * shoes, 2))
    known[:, 0] = 1
    moved = np.zeros((2 * shoes, 2))
    moved[::2, 1] = np.repeat(edges - before, classes)
    slices = np.tile(np.array([0, 1], np.int32), shoes)
    dealt = np.column_stack([np.repeat(outcomes, classes), np.tile(np.arange(classes), len(after))]).astype(np.int32)
    both = np.stack([np.broadcast_to(first, (shoes, classes)), np.repeat(second, classes, axis=0)], axis=1)
    table = values.table(game.next)
    coups = _net_results.Coups(table, slices, dealt.reshape(-1).copy(), known, moved, both.reshape(-1, classes).copy())
    starts = np.arange(0, 2 * shoes + 1, 2, dtype=np.int32)
    upper, net = np.empty((shoes, 1)), np.full(shoes, float(game.zero))
    _net_results.upper(table, coups, starts, game.zero, game.zero, upper, _net_results.best_level())
    chosen, taken = np.empty(2 * shoes, np.int32), np.empty(2 * shoes)
    none = np.zeros((len(game.stakes), 0)), np.zeros((classes, 0))
    pays = np.ascontiguousarray(game.paid / game.step)
    _net_results.lower(table, coups, starts, pays, *none, net, chosen, taken, 0)
    weight = (chances[:, np.newaxis] * second).reshape(-1)
    ends_at = game.ended((net - game.zero) * game.step)
    by_shoe = taken.reshape(-1, 2).sum(axis=1) * game.step
    assert (upper[:, 0] * game.step >= ends_at - by_shoe - 1e-9)[weight > 0].all()
    return float(weight @ ends_at), float(weight @ by_shoe), best, float(weight @ upper[:, 0]) * game.step


CARDS = {24: [6, 2, 2, 2, 3, 1, 2, 2, 2, 2], 25: [8, 0, 2, 0, 3, 0, 4, 4, 0, 4], 60: [20, 5, 4, 4, 5, 3, 5, 5, 4, 5]}


@pytest.mark.parametrize(
    ("cards", "rebate", "stakes"),
    long_or(
        [(cards, rebate, stakes) for cards in CARDS for rebate in (0.05, 0.2) for stakes in (MAINS, ALL)],
        [(25, 0.05, ALL), (25, 0.2, MAINS)],
    ),
)
def test_the_optimum_of_two_coups_is_between_the_figures(cards: int, rebate: float, stakes: Stakes) -> None:
    left = CARDS[cards]
    policy, increments, best, upper = two_coups(left, rebate, stakes)
    assert increments == pytest.approx(0, abs=1e-11)
    assert policy <= best + 1e-12
    assert best <= upper + 1e-12
    assert upper < best + 0.2 * max(best, 0.1)


@pytest.mark.parametrize("rebate", [0.0, 0.05, 0.3])
def test_a_single_coup_is_exact(rebate: float) -> None:
    """It is exact whatever the fit, because the continuation before the last coup is known."""
    at = replace(seat(ALL, rebate), dealing=Dealing(1, 46, "none", (0, 0)))  # the cut card comes out in the first coup
    at = replace(at, dealing=replace(at.dealing, cut=52))
    fitted = arbitrary(at)
    rows = SeatRows.play(at, 3, 0, 30)
    assert (rows.coup == 1).all()
    assert fitted.last(rows).all()
    best, _, taken, net = played(fitted, rows)
    game = fitted.game
    ends = game.ended(net * game.step) / game.step
    full = game.pays.chances(rows.left[:1])[0]
    exact = max(float(full @ game.ended(of_vertex)) for of_vertex in game.paid) / game.step
    assert best == pytest.approx(exact)
    assert ends - taken == pytest.approx(exact)


DAYS = 240


@pytest.fixture(scope="module")
def fits() -> dict[float, net_evaluation.NetFitted]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(net_evaluation, "_CHOSEN_ON", 250)
        return {rebate: fit_net(seat(ALL, rebate), False, 3, 300, 1) for rebate in (0.0, 0.05, 0.2)}


def test_figures_are_in_order_on_every_shoe_and_rise_with_the_rebate(
    fits: dict[float, net_evaluation.NetFitted],
) -> None:
    figures = {rebate: evaluate_net(fitted, False, 3, 0, DAYS) for rebate, fitted in fits.items()}
    for days in figures.values():
        assert (days.upper >= days.lower - 1e-9).all()
        mean = Mean.of(days.taken)
        assert abs(mean.value) < 4 * mean.error
        assert abs(Mean.of(days.gain).value) < 100
    means = [(days.lower.mean(), days.upper.mean()) for days in figures.values()]
    assert sorted(means) == means
    rows, plain = figures[0.0].rows, np.zeros(DAYS)
    np.add.at(plain, rows.shoe, ALL.free(rows.before[:4].T))
    assert figures[0.0].upper == pytest.approx(figures[0.0].lower, abs=1e-9)
    error = Mean.of(figures[0.0].upper - plain)  # the increments of the edges have the mean 0
    assert abs(error.value) < 4 * error.error


def test_players_never_beat_the_upper_figure(fits: dict[float, net_evaluation.NetFitted]) -> None:
    """Some players hit and run. Others wait for an edge and then play until they are ahead. They are paid as the coups
    fall."""
    for rebate, fitted in fits.items():
        if not rebate:
            continue
        days = evaluate_net(fitted, False, 3, 0, DAYS)
        rows, upper = days.rows, Mean.of(days.upper)
        pays, edges = settlement(GAME, ALL.bets).paid(rows.shown), rows.before[:4].T
        for waits, win, loss in ((-1.0, 0.5, inf), (-1.0, 10, 10), (-1.0, 40, 60), (-0.008, 20, 40), (0.0, 60, inf)):
            net = np.zeros(DAYS)
            for row, shoe in enumerate(rows.shoe.tolist()):
                mains = edges[row, 1:3]
                if mains.max() > waits and -loss < net[shoe] < win:
                    net[shoe] += 10 * pays[row, 1 + mains.argmax()]
                if edges[row, 0] > 0:
                    net[shoe] += pays[row, 0]
            gain = Mean.of(net + rebate * np.maximum(-net, 0))
            assert gain.value < upper.value + 3 * (gain.error + upper.error), (rebate, waits, win)


def test_stakes_that_stand_are_kept_and_figures_stay_in_order() -> None:
    at = seat(FLAT, 0.2)
    fitted = net_evaluation.NetFitted((arbitrary(at, size=0.2),))
    days = evaluate_net(fitted, True, 3, 0, 120)
    assert (days.upper >= days.lower - 1e-9).all()
    pushed = settlement(GAME, ("player",)).paid(days.rows.shown)[:, 0] == 0
    after_push = np.append(False, pushed[:-1] & days.played[:-1]) & (days.rows.coup > 1)
    assert after_push.sum() > 10
    assert days.played[after_push].all()
    free = evaluate_net(fitted, False, 3, 0, 120)
    assert not free.played[after_push].all()
    assert (free.upper == days.upper).all()


def test_without_leave_to_skip_the_figures_stay_in_order() -> None:
    for skipped, leaves in ((0, True), (2, True), (0, False), (20, True)):
        at = replace(seat(FLAT, 0.2, skipped), leaves=leaves)
        days = evaluate_net(net_evaluation.NetFitted((arbitrary(at, size=0.2),)), False, 3, 0, 40)
        assert (days.upper >= days.lower - 1e-9).all()
        assert days.played.all() == (not leaves) or skipped == 0


def test_vertices_that_nobody_needs_are_dropped() -> None:
    bets = NetGame.of(seat(MAINS)).stakes.tolist()
    assert sorted(bets) == [[0, 0], [0, 1], [1, 0]]  # without a least bet, and never Player and Banker at once
    with_rebate = NetGame.of(seat(MAINS, 0.1)).seat
    both = NetGame.of(replace(with_rebate, rebate=0.03)).stakes.tolist()
    assert [1, 1] in both  # the two nearly cancel and earn a rebate of 6% of a bet
    held = NetGame.of(seat(MAINS, skipped=0)).stakes.tolist()
    assert [0.1, 0] in held
    tied = Stakes.of(("dragon-7",), ("player", "banker-5"), most_main=Fraction(1), tie_in=Fraction(2))
    assert [1, 1, 1] in NetGame.of(seat(tied)).stakes.tolist()  # what the side bet requires


def test_it_is_known_before_the_last_coup_that_none_follows() -> None:
    for after_cut in ((0, 0), (1, 0), (1, 1), (2, 1), (2, 2)):
        for cut in (2, 14, 26):
            at = replace(seat(MAINS), dealing=Dealing(1, cut, "first-card", after_cut))
            rows = SeatRows.play(at, 3, 0, 100)
            last = arbitrary(at).last(rows)
            assert not (last & rows.more).any()
            assert not (last & (rows.ahead > 0)).any()  # what the coup itself decides is not known
            if cut == 26 and after_cut != (0, 0):
                assert (last == ~rows.more).all()


def test_a_rebate_over_several_shoes_is_worth_less_per_shoe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(net_evaluation, "_CHOSEN_ON", 250)
    figures = {over: bracket(seat(MAINS, 0.2, loss_over=over), 200, 3, fitted=300) for over in (1, 3)}
    each, three = figures[1], figures[3]
    assert three.error > 0 == each.error
    assert three.dealt == 3 * each.dealt
    assert three.upper.error > Mean.of(three.shoes["upper"].to_numpy()).error
    assert three.per_coup("upper").error > Mean.ratio(*(three.shoes[c].to_numpy() for c in ("upper", "coups"))).error
    assert three.per_shoe("coups") == pytest.approx(each.per_shoe("coups"), rel=0.02)
    slack = 3 * (each.upper.error + three.upper.error)
    assert three.lower.value < three.upper.value + slack
    assert three.upper.value < each.lower.value
    assert three.lower.value > each.lower.value / 3 - slack  # at least what a rebate on one shoe of three is worth


def test_a_bracket_is_resumed_and_threads_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(net_evaluation, "_CHOSEN_ON", 250)
    monkeypatch.setattr(brackets, "BLOCK", 30)
    at = seat(MAINS, 0.1, loss_over=2, loss_above=1.5)
    first = bracket(at, 60, 3, tmp_path, fitted=200, workers=1)
    (tmp_path / "shoes-000001.parquet").unlink()
    monkeypatch.setattr(brackets, "fit_net", None)  # the fit is on disk
    assert bracket(at, 60, 3, tmp_path, fitted=200, workers=1).shoes.equals(first.shoes)
    monkeypatch.undo()
    monkeypatch.setattr(net_evaluation, "_CHOSEN_ON", 250)
    assert bracket(at, 60, 3, fitted=200, workers=2).shoes.equals(first.shoes)
    assert not first.exact


def test_a_threshold_is_taken_off_the_loss() -> None:
    game = NetGame.of(seat(MAINS, 0.5, loss_above=2.0))
    assert game.ended(np.array([-5.0, -2.0, -1.0, 3.0])).tolist() == [-3.5, -2, -1, 3]
    assert game.end[0] * game.step == pytest.approx(game.ended(np.array([-game.zero * game.step]))[0])
    assert game.slope == 0.5


def test_break_even_is_the_edge_over_the_chance_to_lose() -> None:
    priced = price_shoe(GAME, Shoe.decks(8), bets=["player", "banker-5", "tie-8", "dragon-7"])
    chances, edges = priced.probabilities, priced.edges
    lost = {
        "banker-5": chances["player-win"], "player": chances["banker-win"], "tie-8": 1 - chances["tie"],
        "dragon-7": Fraction(40 - edges["dragon-7"], 41),
    }  # fmt: skip
    for bet, chance in lost.items():
        assert break_even(GAME, bet) == -edges[bet] / chance
    rates = [round(100 * float(break_even(GAME, bet)), 3) for bet in lost]
    assert rates == [2.371, 2.693, 15.870, 7.787]
    paid_back = Fraction(1, 100)
    with_rebate = break_even(GAME, "banker-5", rebate=paid_back)
    assert with_rebate == (-edges["banker-5"] - paid_back) / (lost["banker-5"] * (1 - paid_back))
    assert break_even(GAME, "banker-5", rebate=Fraction(2, 100)) == 0


def test_a_patron_who_never_loses_has_a_break_even_rate_of_0() -> None:
    assert break_even(GAME, "player", rebate=Fraction(1)) == 0
    for rebate in (Fraction(2), Fraction(-1, 10), "5%"):
        with pytest.raises(InputError, match=r"^rebate: .*, should be a number from 0 to 1$"):
            break_even(GAME, "player", rebate=rebate)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("bet", "rebate", "worth", "win_exit"),
    [
        ("banker-5", 0.05, 0.01297, 0.60), ("banker-5", 0.1, 0.05296, 1.70), ("banker-5", 0.2, 0.22410, 3.95),
        ("player", 0.05, 0.01169, 1), ("player", 0.2, 0.20333, 4), ("dragon-7", 0.05, 0, 0),
        ("dragon-7", 0.1, 0.10778, 2), ("dragon-7", 0.2, 1.36755, 15), ("banker-5", 0.02, 0, 0),
    ],
)  # fmt: skip
def test_the_worth_of_a_rebate_without_counting(bet: str, rebate: float, worth: float, win_exit: float) -> None:
    """The values, within 80 coups at flat stakes, are from another program's value iteration. That program's linear
    equations for the exits agree."""
    stakes = Stakes.of((), (bet,), least_main=Fraction(1), most_main=Fraction(1))
    at = Seat(GAME, Dealing(8, 14), stakes, None, loss_rebate=rebate)
    patron = without_counting(NetGame.of(at), 80)
    assert patron.worth == pytest.approx(worth, abs=6e-6)
    assert patron.win_exit == pytest.approx(win_exit)
    for above in {0.5 * win_exit, win_exit, win_exit + 1} - {0.0}:
        later = without_counting(NetGame.of(replace(at, loss_above=above)), 80)
        assert (later.worth > 1e-7) == (above < win_exit)
        assert later.win_exit == pytest.approx(win_exit)


def test_the_worth_without_counting_is_that_of_every_course() -> None:
    at = seat(FLAT, 0.3, loss_above=0.5)
    game = NetGame.of(at)
    chances = price_shoe(GAME, Shoe.decks(1)).probabilities
    by_win = {1: "player-win", -1: "banker-win", 0: "tie"}
    of_class = [float(chances[by_win[int(np.sign(pays[0]))]]) for pays in game.pays.pays]
    end = lambda w: w + 0.3 * max(-w - 0.5, 0)  # noqa: E731
    for coups in (1, 4):
        best = twin.best_without_counting(of_class, game.paid.tolist(), end, coups)
        assert without_counting(game, coups).worth == pytest.approx(best, abs=1e-12)


def test_increments_are_the_derivative_of_the_features() -> None:
    values = arbitrary(seat(ALL))
    rows = SeatRows.play(values.game.seat, 3, 0, 5)
    small = 1e-6
    nearer = replace(rows, before=rows.before + small * (rows.after - rows.before))
    known, moved = values.features(rows)
    assert (values.features(nearer)[0] - known) / small == pytest.approx(moved, abs=1e-3)


def test_beyond_sixteen_skips_the_bound_lets_any_number_follow() -> None:
    game = NetGame.of(seat(FLAT, skipped=20))
    (nothing,) = np.flatnonzero(~game.stakes.any(axis=1))
    assert game.states == 17
    assert (game.next[-1, nothing], game.policy[-1, nothing]) == (16, 17)
    assert (game.next[:-1] == game.policy[:-1]).all()


@pytest.mark.parametrize("start", [-900, -20, 30, 1700])
def test_far_from_the_lattice_means_are_straight_lines(start: int) -> None:
    values = arbitrary(seat(FLAT, skipped=1))
    game, rows = values.game, SeatRows.play(values.game.seat, 3, 0, 2)
    table, out = values.table(game.next), np.empty((2, 1))
    coups = values.coups(table, rows)
    _net_results.upper(table, coups, net_evaluation.starts_of(rows), start, start, out, 0)
    pays = np.round(game.paid / game.step).astype(int).tolist()
    end = lambda w: w if w >= 0 else game.slope * w  # noqa: E731
    for shoe in range(2):
        best = twin.upper(as_twin(values, rows, shoe), pays, game.next.tolist(), end, start - game.zero)
        assert out[shoe, 0] == pytest.approx(best, rel=1e-11)


@pytest.mark.parametrize("start", [2**31 - 20, 20 - 2**31])
def test_a_net_result_beyond_the_places_is_refused(start: int) -> None:
    values = arbitrary(seat(FLAT, skipped=1))
    rows = SeatRows.play(values.game.seat, 3, 0, 2)
    table, out = values.table(values.game.next), np.empty((2, 1))
    with pytest.raises(ValueError, match="passes 2\\^31 steps"):
        _net_results.upper(table, values.coups(table, rows), net_evaluation.starts_of(rows), start, start, out, 0)
