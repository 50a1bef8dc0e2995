"""The commands that write a report of a sweep, or export a game as plain CSV."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from counting.cli.asked import Handed, answered, asked
from counting.cli.options import BETS, GameName, Whole, option_values
from counting.io.tables import Format, prose, put
from counting.requests import ReportRequest, StudyRequest, VulnerabilityRequest, asked_game, shoe_of

_PRINTED = ("Counts side by side: gain against bet frequency", "What the counts are worth")  # the tables on a terminal

if TYPE_CHECKING:
    from counting.reports import Report
    from counting.requests import Answer


@asked
def study(request: StudyRequest, handed: Handed, *, format: Format = "table") -> None:
    """
    Parameters
    ----------
    format
        table, json or csv: the format of the printed results.
    """
    _print_study(answered(request, handed), format)


@asked
def report(request: ReportRequest, handed: Handed, *, format: Format = "table") -> None:
    """
    Parameters
    ----------
    format
        table, json or csv: the format of the printed results.
    """
    _print_study(answered(request, handed), format)


def _print_study(answer: Answer[Any], format: Format) -> None:
    """Print a study's sentences, or its bets."""
    if format == "table":
        print(prose("\n\n".join(answer.sentences)))
        print(f"\nThe page: {answer.page}")
        return
    put(answer.data["bets"], answer.data, format)


@asked
def vulnerability(request: VulnerabilityRequest, handed: Handed, *, format: Format = "table") -> None:
    """
    Parameters
    ----------
    format
        table, json or csv: the format of the printed results.
    """
    answer = answered(request, handed)
    rows = answer.data["best"]
    if format == "table":
        from counting.reports.terminal import tables_of

        print(tables_of(answer.report, _PRINTED))
        paragraphs = (*answer.sentences, *_advice(answer.report), f"The page: {answer.page}")
        print(prose("\n\n".join(paragraphs)))
        return
    put(rows, answer.data, format)


def _advice(page: Report) -> list[str]:
    """The lines of the recommendation in a vulnerability report, for the terminal."""
    listed = next((section.rows for section in page.sections if section.title == "Recommendation"), [])
    return ["\n".join(f"{name.capitalize()}: {line}" for name, line in listed[:-1])] if listed else []


def export(
    game: GameName,
    *,
    out: Path | None = None,
    bets: Annotated[list[str] | None, BETS] = None,
    commission: str | None = None,
    decks: Whole | None = None,
    shoe: str | None = None,
    format: Format = "table",
) -> None:
    """Write rules, weights, counts and edges as plain CSV with digests.

    A separate program of about 80 lines in the sources, `experiments/check_export/add_up.py`, can check the sums.

    Example: counting export louisiana --out louisiana-export

    Example: counting export ez-baccarat --bet dragon-7 --decks 6

    Parameters
    ----------
    game
        A game's name, as punto-banco (see `counting games`), or the path of a TOML file.
    out
        The folder to write: it must be new, be empty, or hold the same export. By default the game's name with -export;
        if that folder has another export, digits are added to the name.
    bets
        Bets to export, the game's or the catalog's (see `counting bets`); by default all of the game's.
    commission
        Banker's commission, as 2.5%; by default the game's.
    decks
        Decks in the full shoe; by default the game's.
    shoe
        The unseen cards, as for `counting edges`.
    format
        table, json or csv: the format of the printed results.
    """
    from counting.io.folders import default_folder, refuse_other
    from counting.io.toml import digest
    from counting.reports.export import CHECKERS, export_settings, listing
    from counting.reports.export import export as write

    loaded = asked_game(game, commission)
    if bets is not None:
        loaded = loaded.only(option_values(bets, "--bet"))
    unseen = shoe_of(loaded, shoe, decks)
    of_this = export_settings(loaded, unseen)
    folder = out or default_folder(
        f"{loaded.name}-export", digest(of_this), lambda path: refuse_other(path, "export", of_this)
    )
    write(loaded, unseen, folder)
    rows, checks = listing(folder), [shlex.join(["python", program, str(folder)]) for program in CHECKERS]
    put(rows, {"folder": str(folder), "files": rows, "check": checks}, format)
    if format == "table":
        print("\n".join(["", "To check it:", *checks]))
