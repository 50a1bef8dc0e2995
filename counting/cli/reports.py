"""The commands that write a report of a sweep, or export a game as plain CSV."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from counting.cli.options import (
    BETS,
    OPEN,
    Amount,
    BetName,
    GameName,
    Played,
    Whole,
    bar,
    command,
    in_browser,
    note_choices,
    on_disk,
    per_hour,
    shoe_of,
    values_of,
    widen,
)
from counting.cli.sweep import SCORE_DETAILS
from counting.io.tables import Format, put
from counting.numbers import positive

_OF_MONEY = ("score", "money_per_hour")

if TYPE_CHECKING:
    from collections.abc import Callable

    from counting.reports import Report
    from counting.sweep import Plan, Sweep


def study(
    game: GameName,
    *,
    out: Path | None = None,
    played: Played | None = None,
    rows: bool = False,
    browse: Annotated[bool, OPEN] = False,
    format: Format = "table",
) -> None:
    """The main job: exact edges, a sweep, its summary, figures, and a page to read.

    Example: counting study louisiana

    Example: counting study ez-baccarat --decks 6 --cut 0.5d --shoes 20k --open

    Parameters
    ----------
    game
        A game's name or the path of a TOML file.
    out
        The folder for everything; by default the game's name with -study; for another plan, digits are added.
    rows
        Keep a row for every coup, so that other games can be priced on the same coups later: some 20 bytes each.
    format
        table, json or csv: the format of the printed results.
    """
    from counting.reports.study import KIND, report
    from counting.sweep import folder_for

    played = played or Played()
    plan = played.plan(game, keep_rows=int(rows), spread=True)
    folder = out or folder_for(plan, f"{plan.game.name}-study", KIND)
    page = _played_and_published(played, plan, folder, KIND, report)
    _print_study(page, folder, browse, format)


def report(
    dir: Path, *, out: Path | None = None, browse: Annotated[bool, OPEN] = False, format: Format = "table"
) -> None:
    """Write the page of a finished sweep, with its tables, figures and JSON file, as `study` does.

    Without rows or --spread a sweep has no quantiles of edges; without sums by cut it has no other cuts.

    Example: counting report louisiana-sweep

    Example: counting report dragon-7-sweep --out dragon-7-page

    Parameters
    ----------
    dir
        The folder of a sweep, or of a study that holds one.
    out
        The folder for the page; by default the sweep's own, or the study's.
    format
        table, json or csv: the format of the printed results.
    """
    from counting.analysis import widest
    from counting.io.folders import alone, claimed
    from counting.reports.publish import publish
    from counting.reports.study import report as page_of
    from counting.sweep import open_sweep

    sweep = widest(open_sweep(dir))
    note_choices(sweep.plan.game)
    into = dir if out is None else out
    own = alone(dir) if out is None else claimed(out, "report", {"sweep": sweep.plan.stamp})
    with own, bar("reading", "sweeps", after=2):
        page = page_of(sweep, command(sys.argv))
        publish(page, into)
    _print_study(page, into, browse, format)


def _print_study(page: Report, folder: Path, browse: bool, format: Format) -> None:
    """Print a study's sentences, or its bets."""
    in_browser(folder / "report.html", browse)
    if format == "table":
        print("\n\n".join(page.sentences))
        print(f"\nThe page: {folder / 'report.html'}")
        return
    put(page.data["bets"], page.data, format)


def vulnerability(
    game: GameName,
    bet: BetName,
    *,
    stake: str = "100",
    coups_per_hour: Amount = 70.0,
    bound: str = "10/hour",
    out: Path | None = None,
    played: Played | None = None,
    browse: Annotated[bool, OPEN] = False,
    format: Format = "table",
) -> None:
    """A bet's vulnerability report: every count for it side by side, with one figure.

    The counts are those named with --system, by default all counts of the library for the bet. A published count is
    compared with its published figures on shoes dealt as published. The recommendation keeps what a counter can win
    with the bet under a bound (99% confidence).

    Example: counting vulnerability ez-baccarat dragon-7 --dealing jacobson

    Example: counting vulnerability louisiana seven-seven-45 --stake 50 --bound 10/hour

    Parameters
    ----------
    game
        A game's name or the path of a TOML file.
    bet
        A bet of the game's or the catalog's (see `counting bets`).
    stake
        The money on each bet, for money per hour and for the recommendation.
    coups_per_hour
        Coups per hour, for the same.
    bound
        The most that a counter may win, for the recommendation: in money, 25/hour, or in units, 0.05/shoe or
        0.1/100-coups.
    out
        The folder for everything; by default the bet's name with -vulnerability; for another plan, digits are added.
    format
        table, json or csv: the format of the printed results.
    """
    from dataclasses import replace
    from functools import partial

    from counting.bounds import Bound
    from counting.reports.recommendation import Table
    from counting.reports.vulnerability import KIND, report
    from counting.sweep import folder_for
    from counting.systems import counts_for

    played = played or Played()
    table = Table(positive(stake, "--stake"), per_hour(coups_per_hour), Bound.parse(bound))
    plan = played.plan(game, [bet], keep_rows=False)
    if not plan.systems:
        plan = replace(plan, systems=counts_for(bet))
    folder = out or folder_for(plan, f"{bet}-vulnerability", KIND)
    page = _played_and_published(played, plan, folder, KIND, partial(report, table=table, workers=played.workers))
    rows = page.data["best"]
    in_browser(folder / "report.html", browse)
    if format == "table":
        shown = [{k: v for k, v in row.items() if k not in SCORE_DETAILS} for row in rows]
        money = [{name: row[name] for name in _OF_MONEY} for row in page.data["money"]]
        put([row | more for row, more in zip(shown, money, strict=True)], None, format)
        paragraphs = (*page.sentences, *_advice(page), f"The page: {folder / 'report.html'}")
        print("\n" + "\n\n".join(paragraphs))
        return
    put(rows, page.data, format)


def _advice(page: Report) -> list[str]:
    """The recommendation of a vulnerability report, as text for the terminal."""
    listed = next((section.rows for section in page.sections if section.title == "Recommendation"), [])
    return ["\n".join(f"{name.capitalize()}: {line}" for name, line in listed[:-1])] if listed else []


def export(
    game: GameName,
    *,
    out: Path | None = None,
    bets: Annotated[list[str] | None, BETS] = None,
    decks: Whole | None = None,
    shoe: str | None = None,
    format: Format = "table",
) -> None:
    """Write rules, weights, counts and edges as plain CSV with digests, which a program of 80 lines adds up again.

    Example: counting export louisiana --out louisiana-export

    Example: counting export ez-baccarat --bet dragon-7 --decks 6

    Parameters
    ----------
    game
        A game's name or the path of a TOML file.
    out
        The folder: new, empty, or one with the same export; by default the game's name with -export; for another
        export, digits are added.
    bets
        Bets to export, the game's or the catalog's (see `counting bets`); by default all of the game's.
    decks
        Decks in the full shoe; by default the game's.
    shoe
        The unseen cards, as for `counting edges`.
    format
        table, json or csv: the format of the printed results.
    """
    from counting.games import load_game
    from counting.io.folders import default_folder, refuse_other
    from counting.io.toml import digest
    from counting.reports.export import CHECKERS, listing, settings
    from counting.reports.export import export as write

    loaded = load_game(game)
    if bets is not None:
        loaded = loaded.only(values_of(bets, "--bet"))
    unseen = shoe_of(loaded, shoe, decks)
    of_this = settings(loaded, unseen)
    folder = out or default_folder(
        f"{loaded.name}-export", digest(of_this), lambda path: refuse_other(path, "export", of_this)
    )
    write(loaded, unseen, folder)
    rows, checks = listing(folder), [shlex.join(["python", program, str(folder)]) for program in CHECKERS]
    put(rows, {"folder": str(folder), "files": rows, "check": checks}, format)
    if format == "table":
        print("\n".join(["", "To check it:", *checks]))


def _played_and_published(
    played: Played, plan: Plan, folder: Path, kind: str, report: Callable[[Sweep, str], Report]
) -> Report:
    """Play a plan into the folder, and write the report on it there."""
    from counting.reports.publish import play, publish

    note_choices(plan.game)
    with (
        played.pool() as pool,
        bar("playing") as progress,
        play(plan, folder, kind, progress=progress, space=on_disk, **pool) as sweep,
    ):
        page = report(widen(sweep, progress, pool), command(sys.argv))
        publish(page, folder)
    return page
