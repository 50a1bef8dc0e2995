"""Are statements right? Statements on random house rules are checked, their advice is followed, and limits and remedies
are compared with long runs.

    python -m experiments.statements.run rules FOLDER [RULES]     300 random house rules at 2,000 shoes
    python -m experiments.statements.run advice FOLDER [RULES]    the shoes that UNDECIDED statements advise, played
    python -m experiments.statements.run seats FOLDER [SEEDS]     limits of held seats over 100 seeds
    python -m experiments.statements.run remedies FOLDER [SEEDS]  remedies of two sets of rules over 200 seeds

Each command adds lines to a file in the folder, and continues where it stopped. The next command writes the tables of
`notes.md` whose files exist:

    python -m experiments.statements.run notes FOLDER
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from counting import InputError, load_game
from counting.bounds import (
    Bound,
    Gap,
    HouseRules,
    Seat,
    Statement,
    Verdict,
    bracket,
    house_of,
    judge,
    load_house,
    state,
    statement_settings,
    with_remedies,
)
from counting.games import catalog
from counting.io.folders import claimed
from counting.io.tables import as_json
from counting.reports.statement import data, report, sentences
from counting.simulation import Dealing
from counting.sweep import Stakes
from experiments._notes import put
from experiments.statements.faults import faults

HERE = Path(__file__).parent
SHOES, FIT = 2000, 200
QUICK = {  # quick settings with wider limits; only the sentences are tested
    "counting.bounds.confidence_limits.WEIGHTED": 2000,
    "counting.simulation.importance._CHAINS": 300,
    "counting.simulation.importance._PILOT": 2000,
    "counting.bounds.evaluation._CHOSEN_ON": 200,
}
GAMES = ("ez-baccarat", "louisiana", "no-commission", "punto-banco")
UNITS = ("shoe", "100-coups", "hour")
SEATS = {  # Dragon 7 with 4 decks: the minimum in units of the side bet, and the coups that may be skipped
    "minimum 1/4, 2 skipped": (Fraction(1, 4), 2),
    "minimum 1, none skipped": (Fraction(1), 0),
}
LONG = 200_000  # shoes of the long run for a seat
PITS: dict[str, dict[str, Any]] = {  # rules that do not meet their bound; any coup may be skipped
    "Dragon 7 and Panda 8": {
        "game": "ez-baccarat", "side_bets": ["dragon-7", "panda-8"], "cut": 14, "minimum": 25, "most_bet": 100,
        "bound": "30/hour",
    },
    "7-7 at 45 to 1": {"game": "louisiana", "side_bets": ["seven-seven-45"], "cut": 104, "bound": "0.45/shoe"},
}  # fmt: skip
TRUE = 100_000  # shoes of the long run for a remedy, with a separate seed


def drawn(number: int) -> dict[str, Any]:
    """Random house rules, as the data of a file. They depend only on `number`, and may be invalid."""
    draw = random.Random(number)
    game = load_game(draw.choice(GAMES))
    mains = set(game.mains())
    decks = draw.choice((1, 1, 1, 1, 1, 2, 2, 2, 4, 8))
    own = [bet for bet in game.bet_names if bet not in mains]
    listed = own * 3 + draw.sample(sorted(catalog()), 3)
    rules: dict[str, Any] = {
        "title": f"rules {number}", "game": game.name, "decks": decks,
        "side_bets": draw.sample(listed, draw.choice((1, 1, 1, 2))),
        "cut": draw.choice((6, 10, 14, 20, 26)) + draw.randrange(0, 18 * decks),
        "minimum": draw.choice((5, 25, 100)),
        "bound": f"{10 ** draw.uniform(-9, 6):.9f}".rstrip("0").rstrip(".") + f"/{draw.choice(UNITS)}",
    }  # fmt: skip
    maybe: dict[str, Any] = {
        "burn": draw.choice(("first-card", 1, 5)), "after_cut": draw.choice(("1,0", "2,1", "0,0")),
        "tie_in": draw.choice((0.5, 1, 4, "minimum")), "together": True, "side_share": draw.choice(("1/4", "1/2", 2)),
        "maximum": draw.choice((500, 5000)), "stand": True, "rebate": draw.choice((0.001, 0.012)),
        "loss_rebate": draw.choice((0.01, 0.1)), "currency": draw.choice(("$", "EUR")),
        "coups_per_hour": draw.choice((40, 70, 200)),
    }  # fmt: skip
    shares = {"stand": 0.1, "rebate": 0.15, "loss_rebate": 0.1, "burn": 0.4}
    rules |= {key: value for key, value in maybe.items() if draw.random() < shares.get(key, 0.3)}
    if draw.random() < 0.8:
        rules["most_bet"] = draw.choice((5, 25, 100, 1000))
        if draw.random() < 0.3:
            rules["least_bet"] = draw.choice((1, 5))
    if draw.random() < 0.3:
        rules["mid_shoe_entry"] = False
        if draw.random() < 0.6:
            rules["most_skipped"] = draw.choice((0, 1, 2, 5))
        if draw.random() < 0.4:
            rules["holds_seat"] = draw.choice(("main", rules["side_bets"][:1]))
    if draw.random() < 0.1:
        del rules["bound"]
    return rules


def possible() -> Iterator[tuple[int, HouseRules]]:
    """The random rules that are valid, with their numbers. Invalid rules must be refused with one error line."""
    number = 0
    while True:
        number += 1
        try:
            yield number, house_of(drawn(number), Path("random.toml"))
        except InputError:
            continue


def stated(rules: HouseRules, shoes: int, seed: int, quick: bool = False) -> Statement:
    """The statement on rules. `quick`: use few weighted shoes."""
    plan = rules.plan(shoes, seed)
    fit = FIT if rules.seat.hangs_together else None
    with TemporaryDirectory() as folder, ExitStack() as patched:
        for name, few in QUICK.items() if quick else ():
            patched.enter_context(patch(name, few))
        place = Path(folder) / "out"
        with claimed(place, "statement", statement_settings(rules, plan, fit)):
            return state(rules, plan, place, fit=fit, workers=1)


def with_bound(statement: Statement, bound: str | None) -> Statement:
    """The same statement with another bound."""
    rules = statement.rules
    house = rules.house.model_copy(update={"bound": bound and Bound.parse(bound)})
    return replace(statement, rules=HouseRules(house, rules.game, rules.dealing))


def close_bounds(statement: Statement) -> Iterator[str]:
    """Bounds that are as close to a limit as a text can state, and bounds between the limits."""
    figures = statement.figure(statement.judged)
    lower, upper = figures.lower.limit, figures.upper.limit
    for value in (lower, upper, (lower + upper) / 2, 0.9 * lower + 0.1 * upper, (figures.upper.value + upper) / 2):
        for moved in (value - 1e-9, value + 1e-9):
            if 0 <= moved < 1e9:  # false for an unknown limit (NaN), too
                yield f"{moved:.9f}/{statement.per}"


def checked(statement: Statement) -> list[str]:
    """The faults of a statement, under its own bound and under other bounds."""
    wrong = []
    for bound in (statement.bound and statement.bound.written, *close_bounds(statement)):
        bounded = with_bound(statement, bound)
        lines = sentences(bounded)
        wrong += faults(lines, json.loads(as_json(data(bounded, lines))))
    return wrong


def of_rules(folder: Path, wanted: int) -> None:
    with _Lines(folder / "rules.jsonl") as (done, add):
        for i, (number, rules) in enumerate(possible()):
            if i >= wanted:
                break
            if i < done:
                continue
            begun = time.process_time()
            statement = stated(rules, SHOES, number, quick=True)
            page = report(statement)
            wrong = checked(statement)
            remedy = statement.deciding if statement.verdict is Verdict.UNDECIDED else None
            add(
                number=number, verdict=page.data["verdict"], per=statement.per, held=rules.seat.hangs_together,
                loss_rebate=bool(rules.seat.loss_rebate), said=page.sentences[0], faults=wrong,
                bounds=1 + len(list(close_bounds(statement))), remedy=_named(remedy),
                seconds=round(time.process_time() - begun, 1),
            )  # fmt: skip


def _named(remedy: int | Gap | None) -> int | str | None:
    return remedy.name if isinstance(remedy, Gap) else remedy


def of_advice(folder: Path, wanted: int, most: int = 40_000) -> None:
    """Make UNDECIDED statements again with the number of shoes that they advise, if it is at most `most`. Are they then
    decided?"""
    with _Lines(folder / "advice.jsonl") as (done, add):
        tried = 0
        for number, rules in possible():
            if rules.seat.hangs_together or rules.dealing.decks > 4:  # such statements take minutes
                continue
            tried += 1
            if tried > wanted:
                break
            if tried <= done:
                continue
            statement, draw = stated(rules, SHOES, number), random.Random(number)
            figures = statement.figure(statement.judged)
            share = draw.choice((0.02, 0.1, 0.2, 0.8, 0.9, 0.98))
            bound = (1 - share) * figures.lower.limit + share * figures.upper.limit
            again = None
            if 0 < bound < 1e9:
                again = with_bound(statement, f"{bound:.9f}/{statement.per}")
            advised = (
                again.deciding if again is not None and again.verdict and again.verdict.value == "UNDECIDED" else None
            )
            verdict = None
            if again is not None and isinstance(advised, int) and advised <= most:
                verdict = replace(stated(rules, advised, number), rules=again.rules).verdict
            add(
                number=number, rare=bool(statement.judged.rare), share=share, advised=_named(advised),
                then=verdict and verdict.value,
            )  # fmt: skip


def seat(name: str) -> Seat:
    least, skipped = SEATS[name]
    game = load_game("ez-baccarat")
    stakes = Stakes.of(["dragon-7"], game.mains(None), least=Fraction(1), least_main=least, most_main=least)
    return Seat(game, Dealing(4, 20, "first-card"), stakes, skipped)


def of_seats(folder: Path, seeds: int) -> None:
    """For each seat: the limits from each seed, and the amounts of a long run from another seed."""
    for name in SEATS:
        with _Lines(folder / f"{name.replace('/', '-')}.jsonl") as (done, add):
            for seed in range(done, seeds + 1):
                begun = time.process_time()
                shoes, fitted = (LONG, 4000) if seed == 0 else (SHOES, 500)
                place = folder / f"long-{name.replace('/', '-')}" if seed == 0 else None
                one = bracket(seat(name), shoes, 10_000 + seed, place, fitted=fitted, workers=1)
                add(
                    seed=seed, shoes=shoes, lower=one.lower.value, lower_se=one.lower.error, lower_99=one.lower.above,
                    upper=one.upper.value, upper_se=one.upper.error, upper_99=one.upper.below, few=one.few,
                    seconds=round(time.process_time() - begun, 1),
                )  # fmt: skip


def of_remedies(folder: Path, seeds: int) -> None:
    """For each set of rules: the remedies that 2,000 shoes of each seed give, and what counters win in a long run with
    each value that is named."""
    for name, given in PITS.items():
        rules = load_house({"title": name, **given})
        with _Lines(folder / f"remedies-{name}.jsonl") as (done, add):
            for seed in range(done, seeds):
                statement = with_remedies(judge(rules, rules.plan(SHOES, 1000 + seed), workers=1), workers=1)
                add(**{remedy.rule: remedy.value for remedy in statement.remedies})
        lines = _read(folder / f"remedies-{name}.jsonl")
        named = sorted({(rule, value) for line in lines for rule, value in line.items() if value is not None})
        with _Lines(folder / f"gains-{name}.jsonl") as (done, add):
            for rule, value in named[done:]:
                changed = rules.changed(rule, value)
                of_value = judge(changed, changed.plan(TRUE, 5), workers=1)
                won = of_value.figure(of_value.judged).upper
                add(rule=rule, value=value, gain=float(won.value), error=float(won.error))


class _Lines:
    """A file of JSON lines. As a context, it gives the number of lines in it, and a function that adds a line."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> tuple[int, Any]:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        done = len(self.path.read_text().splitlines()) if self.path.exists() else 0

        def add(**line: Any) -> None:
            with self.path.open("a") as file:
                file.write(json.dumps(line) + "\n")

        return done, add

    def __exit__(self, *_: object) -> None:
        pass


def _read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def notes(folder: Path) -> None:
    """Write the tables of the notes whose files exist."""
    for file, table in (
        ("rules", rules_table), ("advice", advice_table), (next(iter(SEATS)).replace("/", "-"), seats_table),
        (f"gains-{next(iter(PITS))}", remedies_table),
    ):  # fmt: skip
        if (folder / f"{file}.jsonl").exists():
            table(folder)


def rules_table(folder: Path) -> None:
    lines = _read(folder / "rules.jsonl")
    kinds = {
        "all": lambda line: True,
        "a seat is held, or a rebate on losses": lambda line: line["held"],
        "a rebate on losses": lambda line: line["loss_rebate"],
        **{f"per {per}": lambda line, per=per: line["per"] == per for per in UNITS},
    }
    rows = []
    for name, of_kind in kinds.items():
        some = [line for line in lines if of_kind(line)]
        verdicts = [
            sum(line["verdict"] == verdict for line in some) for verdict in ("MET", "NOT MET", "UNDECIDED", None)
        ]
        bounds, wrong = sum(line["bounds"] for line in some), sum(len(line["faults"]) for line in some)
        rows.append([name, *map(str, (len(some), *verdicts, bounds, wrong))])
    head = ["rules", "rules drawn", "MET", "NOT MET", "UNDECIDED", "no bound", "readings", "faults"]
    put(HERE / "notes.md", head, rows, "rules")


def advice_table(folder: Path) -> None:
    advice = [line for line in _read(folder / "advice.jsonl") if line["then"]]
    rows = []
    for name, rare in (("plain shoes", False), ("weighted shoes", True)):
        some = [line for line in advice if line["rare"] is rare]
        rows.append([name, str(len(some)), str(sum(line["then"] != "UNDECIDED" for line in some))])
    put(HERE / "notes.md", ["limits from", "advice followed", "decided"], rows, "advice")


def seats_table(folder: Path) -> None:
    rows = []
    for name in SEATS:
        long, *short = _read(folder / f"{name.replace('/', '-')}.jsonl")
        above = sum(line["lower_99"] > long["upper"] for line in short)
        below = sum(line["upper_99"] < long["lower"] for line in short)
        rows.append(
            [name, f"{long['lower']:.4f} ± {long['lower_se']:.4f}", f"{long['upper']:.4f} ± {long['upper_se']:.4f}",
             f"{long['shoes']:,}", str(len(short)), str(above), str(below)]
        )  # fmt: skip
    head = ["seat", "a counter wins", "none wins more than", "shoes", "seeds", "lower limit above", "upper limit below"]
    put(HERE / "notes.md", head, rows, "seats")


def remedies_table(folder: Path) -> None:
    rows = []
    for name, given in PITS.items():
        lines, gains = _read(folder / f"remedies-{name}.jsonl"), _read(folder / f"gains-{name}.jsonl")
        bound = Bound.parse(given["bound"]).amount
        for rule in ("most_bet", "cut", "tie_in"):
            of_value = {line["value"]: line["gain"] for line in gains if line["rule"] == rule}
            values = [line[rule] for line in lines if line[rule] is not None]
            if values:
                above = sum(of_value[value] >= bound for value in values)
                nearest = max(of_value[value] for value in values) / bound
                rows.append(
                    [name, rule, str(len(lines)), str(len(values)), f"{min(values)} to {max(values)}", f"{nearest:.3f}",
                     str(above)]
                )  # fmt: skip
    head = [
        *("rules", "changed", "seeds", "remedies named", "values"),
        *("largest gain, of the bound", "values not below the bound"),
    ]
    put(HERE / "notes.md", head, rows, "remedies")


if __name__ == "__main__":
    what, where, *number = sys.argv[1:]
    parts = {
        "rules": (of_rules, 300),
        "advice": (of_advice, 60),
        "seats": (of_seats, 100),
        "remedies": (of_remedies, 200),
    }
    if what == "notes":
        notes(Path(where))
    else:
        part, usual = parts[what]
        part(Path(where), int(number[0]) if number else usual)
