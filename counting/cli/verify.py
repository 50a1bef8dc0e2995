"""The command that checks the toolkit against itself on this machine."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

from counting.cli.asked import Terminal
from counting.cli.options import NO_NEGATIVE, OPEN, GameName, Whole, command, in_browser, refuse_no_page
from counting.io.tables import Format, for_terminal, put


def verify(
    game: GameName | None = None,
    *,
    shoes: Whole | None = None,
    long: Annotated[bool, NO_NEGATIVE] = False,
    seed: Whole = 1,
    statement: Path | None = None,
    out: Path | None = None,
    workers: Whole | None = None,
    browse: Annotated[bool, OPEN] = False,
    format: Format = "table",
) -> int:
    """Check the toolkit against itself on this machine: pricing, dealing, census and sweeps, with one verdict.

    Takes one to two minutes on two cores, about twenty with --long. Exit status 1 if anything disagrees. On a correct
    machine, at most one seed in 10,000 disagrees.

    Example: counting verify louisiana --shoes 10000 --out verified

    Example: counting verify --statement statements/pit-3-statement/statement.html

    Parameters
    ----------
    game
        The game that is dealt: its name or the path of a TOML file. By default louisiana and ez-baccarat. Exact pricing
        is checked on every shipped game.
    shoes
        Shoes dealt by each procedure, by default 200,000. The other checks make more comparisons if this number is
        larger.
    long
        Deal 3,000,000 shoes unless --shoes is given, and take a census of 40 cards.
    seed
        Seed of the dealt shoes. The same seed gives the same figures.
    statement
        A file of an answer that was closed in `counting app`, for example a statement. Compares the file with the
        record beside it, prints whether the file is unchanged since the answer was closed, and checks nothing else.
        Exit status 1 if it was changed. A statement that a command wrote has no record. To check it, run the command
        that it shows under "to make it again", and compare the two.
    out
        A folder for the results as a page, report.html, and report.json: new, empty, or of an earlier run.
    workers
        Threads; by default one per core. Their number does not change results.
    format
        table, json or csv.
    """
    from counting.games import load_game
    from counting.io.folders import claimed
    from counting.reports import verification
    from counting.reports.publish import publish
    from counting.verify import run as checks

    if statement is not None:
        return _is_closed(statement)
    refuse_no_page(out, open=browse)
    games = () if game is None else (load_game(game),)
    extent = checks.Extent((checks.LONG_SHOES if long else checks.SHOES) if shoes is None else shoes, long)
    with nullcontext() if out is None else claimed(out, "verification", {}):
        with Terminal().stage("Checking", "steps") as progress:
            verified = checks.verify(games, extent, seed, workers, progress)
        page = verification.report(verified, command(sys.argv))
        if out is not None:
            publish(page, out)
    if out is not None:
        in_browser(out / "report.html", browse)
    if format == "table":
        for title, rows in verification.tables(verified):
            if rows:
                print(f"{title}\n{for_terminal(rows)}")
        print(f"{page.note}\n\n{page.sentences[0]}")
        if out is not None:
            print(f"\nThe page: {out / 'report.html'}")
    else:
        put(verification.rows(verified), page.data, format)
    return int(bool(verified.failed))


def _is_closed(file: Path) -> int:
    """Print whether a file is unchanged since it was closed. Returns the exit status."""
    from counting.io.closing import is_as_closed

    is_same, record = is_as_closed(file)
    closed = f"since it was closed by {record['name']} on {record['date']}"
    print(f"{file}: {'unchanged' if is_same else 'CHANGED'} {closed}")
    return int(not is_same)
