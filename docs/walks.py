"""Six walks through the packages, hop by hop: from a shoe's text, a study's options, a rule file, a log, a pay line and
a shoe to their results. A hop is a call from one file into another. A hop into a package above the caller's is a call
back to something handed down, such as a file's validators, a protocol's method or a report of progress.

    python docs/walks.py [NAME ...]
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from functools import cache
from io import StringIO
from pathlib import Path
from types import FrameType

from packages import BESIDE, LINE

import counting

HOME = Path(counting.__file__).parent
PIT = """title = "Pit"
game = "ez-baccarat"
side_bets = ["dragon-7"]
cut = 20
minimum = 25
most_bet = 100
bound = "10/hour"
"""
COUPS = "table,shoe,coup,player,banker,winner\n1,a,1,9h Kd,3s 4c,player\n1,a,2,5c 5s 2d,7h Qd,banker\n"
BETS = "table,shoe,coup,patron,bet,amount,won\n1,a,1,P-381,dragon-7,25,-25\n1,a,2,P-381,player,25,-25\n"

Hop = tuple[str, str]


def command(*words: str) -> Callable[[], object]:
    def run() -> None:
        from counting.cli import main

        sys.argv = ["counting", *words]
        with suppress(SystemExit):
            main()

    return run


def pay_line() -> object:
    from counting import Bet, Dealing, Plan, load_game
    from counting.analysis import by_cards_left
    from counting.reports import drawing, plots
    from counting.sweep import run

    game = load_game("louisiana").with_bets(Bet.of("mine", {"tie player_total=7": "45:1"}))
    ledger, depth, _ = run(Plan(game, Dealing(), 60, bets=["mine"]), "played", workers=1).tallies
    share = by_cards_left(depth, ledger).collect()
    return drawing.svg(drawing.single(plots.positive_share, share, ["mine"], {"mine": "Mine"}))


def certificate() -> object:
    from counting import Shoe, chemin

    return chemin.solve(Shoe.decks(8)).check()


WALKS: dict[str, Callable[[], object]] = {
    "a shoe's text to an edge": command("edges", "louisiana", "--shoe", "8d-7-7-K"),
    "study's options to its page": command("study", "louisiana", "--shoes", "60", "--workers", "1", "--out", "study"),
    "a rule file to its statement": command(
        "statement", "pit.toml", "--shoes", "2000", "--fit", "200", "--workers", "1", "--out", "statement"
    ),
    "a log to its audit page": command(
        "audit", "ez-baccarat", "--coups", "coups.csv", "--bets", "bets.csv", "--out", "audit"
    ),
    "a pay line to a figure": pay_line,
    "a shoe to a certificate": certificate,
}


def module(frame: FrameType | None) -> str | None:
    """The module of a frame, without `counting.`. None for other packages' frames, for `__init__` files and `faces`."""
    return None if frame is None else _module_of(frame.f_code.co_filename)


@cache  # it is looked up at every call
def _module_of(file: str) -> str | None:
    if not file.startswith(f"{HOME}{os.sep}"):
        return None
    name = ".".join(Path(file).relative_to(HOME).with_suffix("").parts)
    return None if name == "faces" or name.endswith("__init__") else name


def height(name: str) -> float:
    package = name.partition(".")[0]
    if package in BESIDE:
        return LINE.index(BESIDE[package]) + 1.5
    return LINE.index(package) + 1 if package in LINE else 0


def walk(journey: Callable[[], object]) -> tuple[list[Hop], list[Hop]]:
    """The hops of a journey, each once, in order; and the hops among them that go up."""
    hops: dict[Hop, None] = {}

    def called(frame: FrameType, event: str, _: object) -> None:
        if event != "call" or (here := module(frame)) is None:
            return
        function = frame.f_code.co_qualname
        if function.startswith(("<module>", "<lambda>")):
            return
        before = frame.f_back
        while before is not None and (module(before) is None or before.f_code.co_name == "<module>"):
            if before.f_code.co_name == "<module>" and module(before) is not None:
                return  # calls made while a module is imported
            before = before.f_back
        there = module(before)
        if before is not None and there is not None and there != here and "<locals>" not in function:
            hops.setdefault((there, f"{here}:{function}"))

    threading.setprofile(called)
    sys.setprofile(called)
    try:
        journey()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]
    return list(hops), [(a, b) for a, b in hops if height(b.partition(":")[0]) > height(a)]


def main() -> None:
    chosen = sys.argv[1:] or [*WALKS]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, text in {"pit.toml": PIT, "coups.csv": COUPS, "bets.csv": BETS}.items():
            Path(name).write_text(text)
        for name in chosen:
            with redirect_stdout(StringIO()):
                hops, backs = walk(WALKS[name])
            files = {b.partition(":")[0] for _, b in hops}
            print(f"\n{name}: {len(hops)} hops into {len(files)} files, {len(backs)} that call back")
            for a, b in hops:
                print(f"  {a} -> {b}{'   (calls back)' if (a, b) in backs else ''}")


if __name__ == "__main__":
    main()
