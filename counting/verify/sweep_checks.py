"""Checks of a sweep's edges, sums and files. Each check is a function that yields its rows.

The sums of a small sweep are computed again coup by coup, in fractions. These sums give the spread of edges.
They also give the gains of the perfect counter, of the systems' counters, and of bettors under a table's rules.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import floor, inf
from operator import mul
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from counting.analysis import by_penetration
from counting.arrays import Floats
from counting.cards import Shoe, coarser
from counting.exact import PricedShoe, exact_edges, price_shoe, settlement
from counting.games import FIRSTS, Bet, Game, Outcome
from counting.sweep import BETTORS, SPREAD, CountingBettor, Plan, Sweep, part_path, run
from counting.systems import PERFECT, System
from counting.verify import reference
from counting.verify.check import Check, LargestDifference
from counting.verify.exact_checks import LAST_PLACES, ROUNDING

ROUNDED = 0.501  # in units, the most by which rounding to the nearest unit changes a gain


def pricing(sweep: Sweep, number: int, seed: int) -> Iterator[Check]:
    """Compare the edges of random coups of a sweep with exact fractions, in units of the last place. The signs must be
    equal."""
    game, largest = sweep.plan.game, LargestDifference()
    rng = np.random.default_rng([seed, 5])
    for coups in sweep.blocks():
        for row in rng.choice(len(coups.coup), -(-number // sweep.plan.blocks)).tolist():
            left = coups.left[row : row + 1]
            exact = exact_edges(game, Shoe(coups.knows, tuple(left[0].tolist())))
            for bet, edge in zip(game.bet_names, settlement(game, game.bet_names).edges(left)[0].tolist(), strict=True):
                sign = (edge > 0) - (edge < 0) == (exact[bet] > 0) - (exact[bet] < 0)
                off = float((Fraction(edge) - exact[bet]) / Fraction(float(np.spacing(abs(edge))))) if sign else inf
                largest.see(off, f"{bet}, {Shoe(coups.knows, tuple(left[0].tolist()))}")
    yield largest.check("edges = fractions, last places", game.name, LAST_PLACES)


@dataclass(frozen=True)
class _PlayedCoup:
    """A coup of a small sweep: what each bet is worth and what it paid, in fractions, and each system's count before
    the coup."""

    shoe: int
    number: int
    cards_left: int
    edges: dict[str, Fraction]
    squares: dict[str, Fraction]
    paid: dict[str, Fraction]
    count: dict[str, Fraction]


def _coups(sweep: Sweep) -> Iterator[_PlayedCoup]:
    plan = sweep.plan
    for coups in sweep.blocks():
        columns = (coups.shoe, coups.coup, coups.cards_left, coups.undealt, coups.left, coups.shown)
        for shoe, number, cards_left, undealt, left, shown in zip(*(each.tolist() for each in columns), strict=True):
            unseen = Shoe(coups.knows, tuple(left))
            priced = price_shoe(plan.game, unseen)
            paid = {bet: _paid(plan.game, plan.game.bet(bet), shown) for bet in plan.bets}
            count = {each.name: _count(each, unseen, undealt, plan.dealing.decks) for each in plan.systems}
            yield _PlayedCoup(shoe, number, cards_left, priced.edges, _squares(priced), paid, count)


def _count(system: System, unseen: Shoe, undealt: int, decks: int) -> Fraction:
    """A system's count before a coup: its start plus the tags of the seen cards, divided by decks for a true count.
    `undealt` is the number of cards still in the shoe; the other unseen cards were burned."""
    tags, full = system.by_kind(unseen.knows), coarser(Shoe.decks(decks).counts, unseen.knows)
    running = sum(tag * (all_of - left) for tag, all_of, left in zip(tags, full, unseen.counts, strict=True))
    running += -sum(map(mul, tags, full)) if system.start == "to-zero" else int(system.start)
    if system.count == "running":
        return Fraction(running)
    cards = unseen.cards_left if system.per == "unseen" else undealt
    if system.estimate != "exact":
        size = {"whole": 52, "half": 26, "quarter": 13}[system.estimate]
        stacks = Fraction(cards, size) + (Fraction(1, 2) if system.rounding == "nearest" else 0)
        cards = size * max(1, floor(stacks))
    return Fraction(52 * running, cards)


def _reaches(system: System, count: Fraction, trigger: float) -> bool:
    """Whether the counter bets. The count must be at or above the trigger; with `distance_from`, it must differ from
    this number by at least the trigger, on either side."""
    away = count if system.distance_from is None else abs(count - _as_written(system.distance_from))
    return away >= _as_written(trigger)


@cache
def _as_written(number: float) -> Fraction:
    return Fraction(str(number))


def _squares(priced: PricedShoe) -> dict[str, Fraction]:
    """The mean of each bet's squared profit per unit staked."""
    chances = priced.probabilities
    return {
        bet: 1 + sum(((pay**2 - 1) * chances[event] for event, pay in lines), Fraction())
        for bet, lines in priced.game.settlement.items()
    }


def sums(sweep: Sweep) -> Iterator[Check]:
    """Compare a small sweep's sums with sums of fractions, coup by coup. One check compares the sums by cards left, and
    another the spread of edges. Others compare the sums of the perfect counter, of every system at each of its
    triggers, and of bettors with a count."""
    plan, largest, coups = sweep.plan, LargestDifference(), [*_coups(sweep)]
    ledger, depth, _ = (table.collect() for table in sweep.tallies)
    by_cards_left: dict[tuple[str, int], list[Fraction]] = defaultdict(list)
    for coup in coups:
        for bet in plan.bets:
            by_cards_left[bet, coup.cards_left].append(coup.edges[bet])
    largest.see(depth.height - len(by_cards_left), "rows of the table depth")
    for row in depth.iter_rows(named=True):
        edges = by_cards_left[row["bet"], row["cards_left"]]
        positive = [edge for edge in edges if edge > 0]
        at = f"{row['bet']}, {row['cards_left']} cards left"
        largest.see(row["coups"] - len(edges), at)
        largest.see(row["positive_coups"] - len(positive), at)
        largest.see(row["gain"] - float(sum(positive)), at)
        largest.see(row["edge"] - float(sum(edges)), at)
    subject = f"{plan.game.name}, {plan.shoes} shoes"
    yield largest.check("sums = sums of fractions", subject, ROUNDING)
    yield from _counters(ledger.to_dicts(), plan, coups, subject)
    if plan.spread:
        largest = LargestDifference()
        steps = Counter((bet, coup.cards_left // 4 * 4, _step(coup.edges[bet])) for coup in coups for bet in plan.bets)
        spread = sweep.scan(SPREAD).collect().to_dicts()
        largest.see(len(spread) - len(steps), "rows of the table spread")
        for row in spread:
            key = row["bet"], row["cards_left"], row["step"]
            largest.see(row["coups"] - steps[key], "{}, {} cards left, step {}".format(*key))
        yield largest.check("spread = steps of fractions", subject)
    if plan.penetration:
        yield _by_cut(sweep, coups, subject)
    if plan.bettors:
        yield from _bettors(sweep, coups, subject)


def _by_cut(sweep: Sweep, coups: Sequence[_PlayedCoup], subject: str) -> Check:
    """For each cut for which the sweep has sums, check the wins of the perfect counter and of each system's counter
    against a computation on shoes that are dealt again by hand. A cut is a number of cards behind the cut card. Each
    system is checked at one of its triggers. The sweep rounds gains and squares to units, coup by coup."""
    plan, dealing, largest = sweep.plan, sweep.plan.dealing, LargestDifference()
    cuts = [cut for cut in dealing.cuts.tolist() if cut <= dealing.least_undealt]
    last = _last_coups(plan, cuts)
    largest.see(sum(last[dealing.cut]) - len(coups), "coups of the sweep")
    with_cut = np.array([[coup.number <= last[cut][coup.shoe] for coup in coups] for cut in cuts], float)
    systems = {system.name: system for system in plan.systems}
    units = dict(zip(plan.bets, plan.scoring.units.T.tolist(), strict=True))
    triggers = {system.name: system.scored[len(system.scored) // 2] for system in plan.systems}
    by_key = by_penetration(sweep, cuts, triggers).group_by("system", "trigger", "bet", maintain_order=True)
    best: dict[str, tuple[Floats, Floats]] = {}
    for (name, trigger, bet), rows in by_key:
        unit, square_unit = units[bet]
        figures = [
            (1, coup.edges[bet] > 0, coup.edges[bet], coup.squares[bet])
            if _bets(coup, bet, systems.get(name), trigger)
            else (0, 0, 0, 0)
            for coup in coups
        ]
        bets, positive, gain, squares = (with_cut @ np.array(figures, float)).T
        best_bets, best_gain = best.setdefault(bet, (bets, gain))
        share = np.where(best_gain > 0, gain, 0.0)
        column = {each: rows[each].fill_null(0).to_numpy() for each in rows.columns[4:]}
        captured = column["captured_share"]
        square = (column["sd_per_bet"] ** 2 + column["mean_edge"] ** 2) * bets
        for figure, off in {
            "shoes": column["shoes"] - plan.shoes,
            "penetration": (1 - column["penetration"]) * (52 * dealing.decks) - cuts,
            "coups": column["coups"] - with_cut.sum(axis=1),
            "bets": column["bets"] - bets,
            "truly_positive_share": column["truly_positive_share"] * bets - positive,
            "units_per_shoe": _rounded((column["units_per_shoe"] * plan.shoes - gain) / unit, bets),
            "mean_edge": _rounded((column["mean_edge"] * bets - gain) / unit, bets),
            "captured_share": _rounded((captured * best_gain - share) / unit, bets + np.abs(captured) * best_bets),
            "sd_per_bet": _rounded((square - squares) / square_unit, bets),
        }.items():
            worst = int(np.abs(off).argmax())
            at = f"{bet}, {name}{'' if trigger is None else f' at {trigger:g}'}, cut {cuts[worst]}, {figure}"
            largest.see(float(off[worst]), at, len(cuts))
    return largest.check("sums by cut = dealt by hand", subject, ROUNDING)


def _last_coups(plan: Plan, cuts: Sequence[int]) -> dict[int, list[int]]:
    """For each cut, the number of coups in each shoe of the plan, with the shoes dealt by hand."""
    dealing = plan.dealing
    dealt = []
    for shoe in range(plan.shoes):
        order = reference.order(plan.seed, shoe, dealing.decks)
        coups = reference.dealt_coups(plan.game, order, dealing.burn)
        dealt.append([(undealt, outcome.cards) for undealt, _, outcome, _ in coups])
    return {cut: [reference.coups_at(coups, cut, dealing.after_cut) for coups in dealt] for cut in cuts}


def _rounded(off: Floats, numbers: Floats) -> Floats:
    """By how many units per figure two sums differ, beyond what the rounding of each figure to a unit explains. `off`
    has the differences in units, and `numbers` how many figures are in each sum."""
    return np.maximum(0.0, np.abs(off) / np.maximum(numbers, 1) - ROUNDED)


def _bettors(sweep: Sweep, coups: Sequence[_PlayedCoup], subject: str) -> Iterator[Check]:
    """Check the sweep's wins of bettors who use a count, under a table's rules, against a computation from the written
    rules, coup by coup and in fractions. The sweep rounds a coup's gain to the unit of its table."""
    plan, largest = sweep.plan, LargestDifference()
    rows = sweep.scan(BETTORS).group_by("bettor").agg(pl.all().exclude("gain_unit").sum(), pl.first("gain_unit"))
    found = {row["bettor"]: row for row in rows.collect().to_dicts()}
    systems = {system.name: system for system in plan.systems}
    for bettor in plan.bettors:
        assert isinstance(bettor, CountingBettor)
        system, row = systems[bettor.system], found[bettor.name]
        played = [*_played(bettor, system, coups)]
        for name, exact in (
            ("coups", len(coups)),
            ("played", sum(any(stakes) for _, *stakes in played)),
            ("sides", sum(side for _, side, _ in played)),
        ):
            largest.see(row[name] - exact, f"{bettor.name}, {name}")
        off = row["gain"] - sum(gain for gain, _, _ in played) / Fraction(row["gain_unit"])
        largest.see(max(0.0, float(abs(off) / len(coups)) - ROUNDED), f"{bettor.name}, gain")
    yield largest.check("bettors = played by hand", subject)


def _played(
    bettor: CountingBettor, system: System, coups: Sequence[_PlayedCoup]
) -> Iterator[tuple[Fraction, bool, Fraction]]:
    """What a bettor does, by the written rules. For each coup: the gain, whether there is a side bet, and the units on
    a main bet."""
    idle = bettor.tie_in if bettor.idle is None else bettor.idle
    shoe, skipped, standing, won, owed = -1, 0, None, Fraction(), Fraction()
    units = Fraction()
    for coup in coups:
        if coup.shoe != shoe:
            shoe, skipped, standing, won, owed = coup.shoe, 0, None, Fraction(), Fraction()
        sides = [bet for bet in bettor.sides if _reaches(system, coup.count[system.name], system.on(bet))]
        main = standing
        if standing is not None:  # after a push, the main bet stays, and grows if a side bet requires it
            units = max(units, bettor.tie_in) if sides else units
        else:
            main = next(iter(bettor.main), None)
            if sides:
                main, units = bettor.main_on_count or main, bettor.tie_in
            else:
                units = Fraction() if bettor.skips is None or skipped < bettor.skips else idle
        skipped = 0 if sides or units or standing else skipped + 1
        staked = {bet: Fraction(1) for bet in sides}
        if main is not None and units:
            staked[main] = staked.get(main, Fraction()) + units
        gain = sum((amount * (coup.edges[bet] + bettor.rebate) for bet, amount in staked.items()), Fraction())
        won += sum((amount * coup.paid[bet] for bet, amount in staked.items()), Fraction())
        back = bettor.loss_rebate * max(-won, Fraction())  # the rebate if the shoe ended here
        yield gain + back - owed, bool(sides), units
        owed = back
        standing = main if bettor.stand and units and main is not None and coup.paid[main] == 0 else None


def _counters(
    ledger: Sequence[dict[str, Any]], plan: Plan, coups: Sequence[_PlayedCoup], subject: str
) -> Iterator[Check]:
    """Compare the sums of each counter with fractions. The perfect counter bets if the edge is positive, and the other
    counters bet by a count."""
    systems = {system.name: system for system in plan.systems}
    perfect, counting = LargestDifference(), LargestDifference()
    keys = {(row["system"], row["trigger"], row["bet"]) for row in ledger}
    scored = [(system, at, bet) for system in plan.systems for at in system.scored for bet in system.bets or plan.bets]
    expected = {(PERFECT, None, bet) for bet in plan.bets} | {
        (system.name, at, bet) for system, at, bet in scored if bet in plan.bets
    }
    counting.see(len(keys ^ expected) + len(ledger) - len(keys), "rows of the table ledger")
    for row in ledger:
        bet, system = row["bet"], systems.get(row["system"])
        bets_on = [coup for coup in coups if _bets(coup, bet, system, row["trigger"])]
        at = bet if system is None else f"{bet}, {system.name} at {row['trigger']:g}"
        for name, exact in _sums(bet, coups, bets_on).items():
            # A sum's error grows with the sum, and the squares of high odds are large.
            off = (Fraction(row[name]) - exact) / max(Fraction(1), abs(exact))
            (perfect if system is None else counting).see(float(off), f"{at}, {name}")
    yield perfect.check("perfect counter = fractions", subject, ROUNDING)
    if systems:
        yield counting.check("counts = counted by hand", f"{subject}, {len(systems)} systems", ROUNDING)


def _bets(coup: _PlayedCoup, bet: str, system: System | None, trigger: float) -> bool:
    return coup.edges[bet] > 0 if system is None else _reaches(system, coup.count[system.name], trigger)


def _sums(bet: str, coups: Sequence[_PlayedCoup], bets_on: Sequence[_PlayedCoup]) -> dict[str, Fraction]:
    """The sums of the table `ledger` for a counter who bets one unit on the coups `bets_on`."""
    dealt, number = Counter(coup.shoe for coup in coups), Counter(coup.shoe for coup in bets_on)
    gain: dict[int, Fraction] = defaultdict(Fraction)
    won: dict[int, Fraction] = defaultdict(Fraction)
    first: dict[int, int] = {}
    for coup in bets_on:
        gain[coup.shoe] += coup.edges[bet]
        won[coup.shoe] += coup.paid[bet]
        first[coup.shoe] = min(coup.number, first.get(coup.shoe, coup.number))
    return {
        name: Fraction(total)
        for name, total in {
            "shoes": len(dealt),
            "coups": len(coups),
            "coups_sq": sum(n**2 for n in dealt.values()),
            "bets": len(bets_on),
            "positive_bets": sum(coup.edges[bet] > 0 for coup in bets_on),
            "gain": sum(gain.values()),
            "shoes_betting": len(first),
            "first_coup": sum(first.values()),
            "bets_sq": sum(n**2 for n in number.values()),
            "gain_sq": sum(g**2 for g in gain.values()),
            "bets_gain": sum(number[shoe] * g for shoe, g in gain.items()),
            "bets_coups": sum(n * dealt[shoe] for shoe, n in number.items()),
            "gain_coups": sum(dealt[shoe] * g for shoe, g in gain.items()),
            "square": sum(coup.squares[bet] for coup in bets_on),
            "won": sum(won.values()),
            "won_sq": sum(w**2 for w in won.values()),
        }.items()
    }


def _step(edge: Fraction) -> int:
    """The step of an edge, with the edge's sign. The step is 0 if the edge is below 2^-14 in size. Larger edges have
    steps from 1 on, with 64 steps for each power of two."""
    size, order = abs(edge), -14
    if size < Fraction(1, 2**14):
        return 0
    while size >= Fraction(2) ** (order + 1):
        order += 1
    step = 64 * (order + 14) + floor(64 * (size / Fraction(2) ** order - 1)) + 1
    return step if edge > 0 else -step


def _paid(game: Game, bet: Bet, shown: Sequence[int]) -> Fraction:
    """What a bet pays on a coup. `shown` is as in `simulation.Coups`."""
    if bet.shows == "hands":
        return bet.pay(reference.hands_met(game, bet, shown[5:]))
    return bet.pay(Outcome(*shown[:4]) if bet.shows == "outcome" else FIRSTS[shown[4]])


class _StoppedError(Exception):
    """Raised to interrupt the sweep."""


def same_bytes(plan: Plan, folder: Path, workers: int) -> Iterator[Check]:
    """Compare a sweep with the same sweep played again in three ways: with more workers; interrupted and resumed; and
    resumed after one file was lost and another was damaged. All files must be equal."""
    whole = contents(run(plan, folder / "one", workers=1).folder)

    def stop(_done: int, _shoes: int) -> None:
        raise _StoppedError

    def interrupted(into: Path) -> None:
        with suppress(_StoppedError):
            run(plan, into, workers=workers, progress=stop)
        (into / "manifest.json").unlink(missing_ok=True)

    def mended(into: Path) -> None:
        run(plan, into, workers=workers)
        part_path(into, plan.tables[0], plan.batches[-1]).unlink()
        part_path(into, plan.tables[1], 0).write_bytes(b"damaged")

    for subject, begin in (
        (f"{workers} workers", lambda _: None),
        ("interrupted", interrupted),
        ("parts lost", mended),
    ):
        into = folder / subject.replace(" ", "-")
        begin(into)
        again = contents(run(plan, into, workers=workers).folder)
        wrong = sorted(name for name in {**whole, **again} if whole.get(name) != again.get(name))
        yield Check(
            "a sweep again, its files",
            f"{plan.game.name}, {subject}",
            len(whole),
            len(wrong),
            wrong[0] if wrong else "",
        )


def contents(folder: Path) -> dict[str, bytes]:
    """A sweep's files by their paths in the folder, without the lock."""
    files = (file for file in folder.rglob("*") if file.is_file() and file.name != ".lock")
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}
