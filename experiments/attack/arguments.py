"""Call the public functions and classes of the packages in `FACES` with wrong arguments: each parameter in turn gets
values of a wrong kind.

    python -m experiments.attack.arguments [--faults] [WORD ..]

A wrong name, path or number should raise an `InputError`. A parameter that does not exist should raise a `TypeError` of
the call, and a wrong file an `OSError` that names the file. Any other exception, or a result, is a fault. The tried
parameters take a name, a path, a number, a list of these, an array, or an object. Objects are games, shoes, systems,
effects of removal and dealing procedures. Classes that check nothing are left out, because their objects come from
functions, and nobody makes them by hand. Documented names, which are in `counting` or imported by a document or a
notebook, are counted separately from the names that packages share. `WORD`: only functions and classes whose name
contains this word. `--faults` lists each fault.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import os
import re
import signal
import sys
import tempfile
import traceback
import typing
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import import_module
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from pydantic import BaseModel

from counting import Dealing, Effects, Game, InputError, Plan, Shoe, System, load_game, load_system
from counting.exact import KnownCards

HERE = Path(__file__).parents[2]
FACES = (
    "", "games", "systems", "exact", "simulation", "sweep", "analysis", "bounds", "reports", "review", "chemin", "logs",
    "live", "verify", "review.synthetic", "chemin.banque", "chemin.macao", "reports.chemin",
)  # fmt: skip
SECONDS = 4
MEANT = (str, Path, int, float, Fraction, Game, Shoe, System, Dealing, Plan, KnownCards, Effects)
COUNTED = ("callables", "calls", "other exceptions", "taken")
NAN, HUGE = float("nan"), 10**400
ARRAY = np.arange(3)
IMPORTED = re.compile(r"from counting([a-z_.]*) import ([\w, ]+)")

# Valid values for parameters whose type is not enough: by the name of the parameter, and for single functions.
NAMED: dict[str, Any] = {
    "bet": "tie-8", "bets": ["tie-8"], "main": ["player"], "sides": ["tie-8"], "name": "tie-8", "names": ["tie-8"],
    "knows": "value", "model": "B2", "system": "dragon-7", "card": "7", "cards": "7", "hand": "player", "known": "P1=9",
    "decks": 8, "cut": 14, "burn": "none", "after_cut": (1, 0), "shoes": 3, "samples": 1000, "seed": 1, "workers": 1,
    "cards_left": 6, "text": "8d", "coup": "P1=9", "conditions": "tie", "event": "tie", "level": 0.01, "first": 0,
    "number": 1, "name_or_path": "ez-baccarat",
}  # fmt: skip
SYSTEM = {
    "title": "a", "source": "b", "count": "true", "trigger": 1,
    "tags": dict.fromkeys("A2345678", 0) | {"9": 1, "T": -1},
}  # fmt: skip
OWN: dict[str, dict[str, Any]] = {
    "load_system": {"name_or_path": "dragon-7"}, "load_house": {"name_or_path": "louisiana-45-quarter"},
    "load_macao": {"name_or_path": "macao"}, "load_rules": {"name_or_path": "modern"}, "System": SYSTEM,
    "load_layout": {"name_or_path": "camera-archive"}, "named": {"name": "jacobson"}, "tags": {"level": 1},
    "estimate": {"cards_left": [6]}, "aim_at": {"cards_left": [6]}, "as_after_cut": {"coups": "1,0"},
    "as_burn": {"text": "none"}, "edges": {"values": np.array([[128, *[32] * 9]], np.int32)},
    "open_sweep": {"folder": Path("swept")}, "read_log": {"coups": "coups.csv"}, "search": {"level": 1},
    "own_hand_gains": {"cards": 6}, "counting_gains": {"cards": 6}, "units_of": {"tie_in": "1"},
    "own_cards": {"cards": "7"}, "Bet": {"name": "a", "pays": [{"winner": "tie", "odds": "9:1"}]},
    "Shoe": {"counts": (1,) * 10}, "from_cards": {"counts": (1,) * 52}, "from_ranks": {"counts": (1,) * 13},
    "from_values": {"counts": (1,) * 10}, "by_kind": {"knows": "card"}, "parts": {"columns": ["bet"]},
    "best_tags": {"counts": (4, 4, 4), "weights": (1, 0, -1)}, "written": {"text": "a: tie = 9:1"},
    "shoes_in": {"block": 0}, "tags_and_start": {"width": 10}, "scored_around": {"triggers": [1]},
}  # fmt: skip


class Outcome(NamedTuple):
    """The result of a call with a wrong argument. `fault` is empty if the argument is refused as it should be."""

    name: str
    parameter: str
    value: str
    fault: str


@cache
def objects() -> dict[type, Any]:
    """A valid object of each class that parameters ask for most often."""
    from counting.bounds import Seat
    from counting.chemin import CLASSICAL, solve
    from counting.chemin.macao import load_macao
    from counting.sweep import DEPTH, CountingBettor, Stakes, run

    game, dealing, system = load_game("ez-baccarat").also(["tie-8"]), Dealing(), load_system("dragon-7")
    plan = Plan(game, dealing, 3, systems=[system])
    sweep, stakes = run(plan, Path(tempfile.mkdtemp()) / "swept", workers=1), Stakes.of(("tie-8",), ("player",))
    values = [
        game, dealing, system, plan, sweep, stakes, Shoe.decks(8), game.tableau, game.bet("tie-8"), CLASSICAL,
        load_macao("macao"), CountingBettor("a", ("dragon-7",), "dragon-7"), Effects.of(game, "tie-8", "8d"),
        KnownCards.parse("P1=9"), Seat(game, dealing, stakes, None), DEPTH, solve(Shoe.decks(1), "A1"), Fraction(1, 2),
        sweep.ledger,
    ]  # fmt: skip
    return {type(value): value for value in values}


def kinds(annotation: Any) -> tuple[Any, ...]:
    """The types in an annotation, with aliases and `Annotated` resolved."""
    origin = typing.get_origin(annotation)
    if isinstance(annotation, UnionType) or origin is typing.Union:
        return tuple(kind for part in typing.get_args(annotation) for kind in kinds(part))
    if origin is typing.Annotated:
        return kinds(typing.get_args(annotation)[0])
    return (annotation,)


def base(kind: Any) -> Any:
    return typing.get_origin(kind) or kind


def good(owner: str, name: str, annotation: Any) -> Any:
    """A valid value for a parameter."""
    if name in OWN.get(owner, {}):
        return OWN[owner][name]
    of_kind = kinds(annotation)
    for kind in of_kind:
        if inspect.isclass(kind) and kind in objects():
            return objects()[kind]
    if name in NAMED:
        return NAMED[name]
    for kind in map(base, of_kind):
        if kind is np.ndarray:
            return np.array([[128, *[32] * 9]], np.int32)
        if kind in (int, float, bool):
            return kind(1)
        if kind is NoneType:
            return None
        if kind in (Path, str):
            return "ez-baccarat"
        if inspect.isclass(kind) and issubclass(kind, Iterable):
            return {} if issubclass(kind, Mapping) else ["tie-8"]
        if kind is Callable or kind is typing.get_origin(Callable[[], None]):
            return lambda *_: None
    return "tie-8"


def is_meant(annotation: Any, is_method: bool) -> bool:
    """Whether parameters of this type are tried: names, paths, numbers, objects such as games, or several of these.
    Arrays are also tried, but not in methods."""
    for kind in kinds(annotation):
        inner = [base(each) for part in typing.get_args(kind) for each in kinds(part)]
        if base(kind) in MEANT or (base(kind) is np.ndarray and not is_method):
            return True
        if inspect.isclass(base(kind)) and issubclass(base(kind), Iterable) and any(each in MEANT for each in inner):
            return not issubclass(base(kind), Mapping)
    return False


def makes_checks(value: type) -> bool:
    """Whether a class checks its arguments."""
    return issubclass(value, BaseModel) or any(
        name in vars(value)
        and getattr(vars(value)[name], "__qualname__", "").startswith(f"{value.__qualname__}.")
        and vars(value)[name].__code__.co_filename != "<string>"
        for name in ("__init__", "__post_init__")
    )


def wrong(annotation: Any) -> Iterator[tuple[Any, bool]]:
    """Values of a wrong kind, each with a flag: whether it is a fault if the call accepts the value. An unusual number,
    for example, may be accepted."""
    of_kind = {base(kind) for kind in kinds(annotation)}
    if Any in of_kind or object in of_kind or not of_kind:
        return
    if any(isinstance(kind, typing.TypeVar) for kind in of_kind):
        return
    takes_none = NoneType in of_kind
    names = {str, Path} & of_kind or typing.Literal in of_kind
    numbers = {int, float, Fraction} & of_kind
    several = any(
        inspect.isclass(kind) and issubclass(kind, Iterable) and kind not in (str, np.ndarray) for kind in of_kind
    )
    arrays = np.ndarray in of_kind
    if not takes_none and bool not in of_kind:
        yield None, True
    if bool in of_kind:
        return
    yield object(), True
    if not numbers and not arrays:
        yield 5, True
        yield NAN, True
    if not names and not several and Fraction not in of_kind:
        yield "x", True
    elif names:
        yield "no such name \x1b", False
    if not arrays and not several:
        yield ARRAY, True
        yield [1], True
    if names and not several:
        yield [], True
        yield ["no such", "names"], True
    if several:
        yield [object()], True
        yield [None, 5], not numbers
    if numbers:
        yield NAN, True
        yield -1, False
        yield HUGE, False
        if of_kind.isdisjoint({float, Fraction}):
            yield 1.5, True
    if arrays:
        yield np.full((1, 10), NAN), False
        yield np.array(["x"]), True
        yield np.zeros((2, 3, 4)), False


@dataclass(frozen=True)
class Target:
    """A public function or class, and a valid value for each of its parameters."""

    name: str
    call: Callable[..., Any]
    parameters: Mapping[str, Any]
    given: Mapping[str, Any]


def target_of(name: str, owner: str, call: Callable[..., Any], within: Any) -> Target | None:
    """A function or class with valid arguments; None if it takes no arguments."""
    function = inspect.unwrap(call.__init__ if inspect.isclass(call) else call)
    namespace = vars(import_module(getattr(within, "__module__", "counting")))
    hints = {}
    signature = inspect.signature(call)
    for parameter in signature.parameters.values():
        if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL) or parameter.name in (
            "progress",
            "executor",
        ):
            continue
        annotation = parameter.annotation
        if isinstance(annotation, str):
            with contextlib.suppress(Exception):
                annotation = eval(
                    annotation, {**vars(typing), **ALIASES, **getattr(function, "__globals__", {}), **namespace}
                )
        if not (isinstance(annotation, str) or annotation is parameter.empty):
            hints[parameter.name] = annotation
    asked = {each: hint for each, hint in hints.items() if is_meant(hint, inspect.ismethod(call))}
    if not asked:
        return None
    needed = {p.name for p in signature.parameters.values() if p.default is p.empty}
    given = {each: good(owner, each, hints[each]) for each in hints if each in needed}
    return Target(name, call, asked, given)


ALIASES = {"Collection": Collection, "Mapping": Mapping, "Sequence": Sequence, "Iterable": Iterable, "np": np, "pl": pl}


def documented() -> set[str]:
    """The names that documents and notebooks import."""
    names = {f"counting.{name}" for name in import_module("counting").__all__}
    for page in (HERE / "README.md", *(HERE / "docs").rglob("*.md"), *(HERE / "docs").rglob("*.ipynb")):
        for package, listed in IMPORTED.findall(page.read_text()):
            names |= {f"counting{package}.{name}" for name in re.findall(r"[A-Za-z_]\w*", listed)}
    return names


def targets() -> Iterator[tuple[Target, bool]]:
    """All public functions, classes and methods, each with whether it is documented."""
    shown, seen = documented(), set()
    for face in FACES:
        module = import_module(f"counting.{face}".rstrip("."))
        for name in module.__all__:
            value, full = getattr(module, name), f"{module.__name__}.{name}"
            if getattr(value, "__module__", "") == "counting.requests.verbs":
                continue  # tests/requests tries wrong arguments of these
            if id(value) in seen or not callable(value) or (inspect.isclass(value) and issubclass(value, Exception)):
                continue
            seen.add(id(value))
            is_shown = full in shown
            if inspect.isclass(value) and getattr(value, "_is_protocol", False):
                continue
            with contextlib.suppress(ValueError, TypeError):
                checks = not inspect.isclass(value) or makes_checks(value)
                if checks and (made := target_of(full, name, value, value)):
                    yield made, is_shown
            if not inspect.isclass(value) or issubclass(value, tuple):
                continue
            for method, held in vars(value).items():
                of_class = isinstance(held, classmethod | staticmethod)
                if method.startswith("_") or not (of_class or inspect.isfunction(held)):
                    continue
                self = objects().get(value)
                if of_class or self is not None:
                    bound = getattr(value if of_class else self, method)
                    if made := target_of(f"{full}.{method}", method, bound, value):
                        yield made, is_shown


class Late(BaseException):
    """Raised if a call takes too long."""


def ended(target: Target, arguments: Mapping[str, Any]) -> tuple[str, str]:
    """Call a target. Returns the kind of result or exception, and the message."""

    def late(*_: object) -> None:
        raise Late

    signal.signal(signal.SIGALRM, late)
    signal.alarm(SECONDS)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            target.call(**arguments)
    except InputError as error:
        return "refused", str(error)
    except OSError as error:
        return ("refused" if error.filename else "fault"), f"OSError {error}"
    except Late:
        return "late", ""
    except TypeError as error:
        is_of_call = not traceback.extract_tb(error.__traceback__)[1:]
        if is_of_call and not str(error).startswith("unhashable"):  # a cache of a function looks up any argument
            return "refused", str(error)
        return "fault", f"TypeError {error}"
    except Exception as error:
        return "fault", f"{type(error).__name__} {error}"
    finally:
        signal.alarm(0)
    return "result", ""


def outcomes(target: Target) -> Iterator[Outcome]:
    """The outcomes of calls in which each parameter in turn has wrong values."""
    for parameter, annotation in target.parameters.items():
        for value, must_end in wrong(annotation):
            how, words = ended(target, {**target.given, parameter: value})
            fault = words if how == "fault" else "taken" if must_end and how in ("result", "late") else ""
            yield Outcome(target.name, parameter, repr(value)[:40], fault.splitlines()[0][:110] if fault else "")


def main(words: Sequence[str]) -> None:
    listed, words = "--faults" in words, [word for word in words if word != "--faults"]
    counts: Counter[tuple[bool, str]] = Counter()
    without = []
    os.chdir(tempfile.mkdtemp())
    for target, is_shown in targets():
        if words and not any(word in target.name for word in words):
            continue
        how, said = ended(target, target.given)
        if how in ("refused", "fault"):
            without.append(f"{target.name}: {said.splitlines()[0][:100] if said else how}")
        counts[is_shown, "callables"] += 1
        for outcome in outcomes(target):
            counts[is_shown, "calls"] += 1
            if outcome.fault:
                counts[is_shown, "taken" if outcome.fault == "taken" else "other exceptions"] += 1
                if listed:
                    print("documented" if is_shown else "shared", *outcome[:3], outcome.fault, sep=" | ", flush=True)
    if listed:
        print(*("no good call | " + line for line in without), sep="\n")
    for is_shown, name in ((True, "documented"), (False, "shared")):
        print(
            name,
            *(f"{counts[is_shown, what]:,} {what}" for what in ("callables", "calls", "other exceptions", "taken")),
            sep=", ",
        )
    print(len(without), "callables without a good call")


if __name__ == "__main__":
    main(sys.argv[1:])
