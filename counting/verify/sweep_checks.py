"""Checks of a sweep, one function each, which yields one row per comparison: its edges, its sums, its files.

The sums of a small sweep are made again coup by coup, in fractions: what the perfect counter wins, what the counters of
counting systems win, and how the edges are spread.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from math import floor, inf
from pathlib import Path
from typing import Any

import numpy as np

from counting.cards import Shoe
from counting.exact import PricedShoe, exact_edges, price_shoe, settlement
from counting.games import FIRSTS, Bet, Game, Outcome
from counting.sweep import SPREAD, Plan, Sweep, part_path, run
from counting.systems import PERFECT, System
from counting.verify import reference
from counting.verify.check import Check, LargestDifference
from counting.verify.exact_checks import LAST_PLACES, ROUNDING


def pricing(sweep: Sweep, number: int, seed: int) -> Iterator[Check]:
    """The edges of random coups of a sweep against fractions, in units of the last place; signs must be equal."""
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
class _Coup:
    """A coup of a small sweep: what each bet is worth and paid, in fractions, and each system's count before it."""

    shoe: int
    number: int
    cards_left: int
    edges: dict[str, Fraction]
    squares: dict[str, Fraction]
    paid: dict[str, Fraction]
    count: dict[str, Fraction]


def _coups(sweep: Sweep) -> Iterator[_Coup]:
    plan = sweep.plan
    for coups in sweep.blocks():
        columns = (coups.shoe, coups.coup, coups.cards_left, coups.undealt, coups.left, coups.shown)
        for shoe, number, cards_left, undealt, left, shown in zip(*(each.tolist() for each in columns), strict=True):
            unseen = Shoe(coups.knows, tuple(left))
            priced = price_shoe(plan.game, unseen)
            paid = {bet: _paid(plan.game, plan.game.bet(bet), shown) for bet in plan.bets}
            count = {each.name: reference.count(each, unseen, undealt, plan.dealing.decks) for each in plan.systems}
            yield _Coup(shoe, number, cards_left, priced.edges, _squares(priced), paid, count)


def _squares(priced: PricedShoe) -> dict[str, Fraction]:
    """The mean of each bet's squared profit, of one unit staked."""
    chances = priced.probabilities
    return {
        bet: 1 + sum(((pay**2 - 1) * chances[event] for event, pay in lines), Fraction())
        for bet, lines in priced.game.settlement.items()
    }


def sums(sweep: Sweep) -> Iterator[Check]:
    """A small sweep's sums against those of fractions, coup by coup: by cards left, of the perfect counter and of every
    system at each of its triggers, and of how edges are spread."""
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


def _counters(ledger: Sequence[dict[str, Any]], plan: Plan, coups: Sequence[_Coup], subject: str) -> Iterator[Check]:
    """The sums of each counter against fractions: who bets on a positive edge, and who bets on a count."""
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
            # A sum's error grows with it: a square of a long pay is large.
            off = (Fraction(row[name]) - exact) / max(Fraction(1), abs(exact))
            (perfect if system is None else counting).see(float(off), f"{at}, {name}")
    yield perfect.check("perfect counter = fractions", subject, ROUNDING)
    if systems:
        yield counting.check("counts = counted by hand", f"{subject}, {len(systems)} systems", ROUNDING)


def _bets(coup: _Coup, bet: str, system: System | None, trigger: float) -> bool:
    return coup.edges[bet] > 0 if system is None else reference.reaches(system, coup.count[system.name], trigger)


def _sums(bet: str, coups: Sequence[_Coup], bets_on: Sequence[_Coup]) -> dict[str, Fraction]:
    """The sums of the table `ledger` of a counter who bets one unit on these coups."""
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
    """The step of an edge: 0 below 2^-14 in size, else from 1 by 64ths of its binary order, with the edge's sign."""
    size, order = abs(edge), -14
    if size < Fraction(1, 2**14):
        return 0
    while size >= Fraction(2) ** (order + 1):
        order += 1
    step = 64 * (order + 14) + floor(64 * (size / Fraction(2) ** order - 1)) + 1
    return step if edge > 0 else -step


def _paid(game: Game, bet: Bet, shown: Sequence[int]) -> Fraction:
    """What a bet pays on a coup, `shown` as in `simulation.Coups`."""
    paid = bet.pay_on(Outcome(*shown[:4]), FIRSTS[shown[4]])
    return bet.pay(reference.hands_met(game, bet, shown[5:])) if paid is None else paid


class _StoppedError(Exception):
    """Raised to interrupt the sweep."""


def same_bytes(plan: Plan, folder: Path, workers: int) -> Iterator[Check]:
    """A sweep played again with other workers, interrupted and resumed, and with lost parts: all files are the same."""
    whole = contents(run(plan, folder / "one", workers=1).folder)

    def stop(done: int, _: int) -> None:
        if done == 1:
            raise _StoppedError

    def interrupted(into: Path) -> None:
        with suppress(_StoppedError):
            run(plan, into, workers=workers, progress=stop)
        (into / "manifest.json").unlink(missing_ok=True)

    def mended(into: Path) -> None:
        run(plan, into, workers=workers)
        part_path(into, plan.tables[0], plan.blocks - 1).unlink()
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
    """A sweep's files by their places, without the lock."""
    files = (file for file in folder.rglob("*") if file.is_file() and file.name != ".lock")
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}
