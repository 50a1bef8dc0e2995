"""The command that checks the project against itself on the machine that it runs on."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

from counting.cli.options import NO_NEGATIVE, Whole, bar, command
from counting.io.tables import Format, as_table, put


def verify(
    game: str | None = None,
    *,
    shoes: Whole | None = None,
    long: Annotated[bool, NO_NEGATIVE] = False,
    seed: Whole = 1,
    out: Path | None = None,
    workers: Whole | None = None,
    format: Format = "table",
) -> int:
    """Check the project against itself: kernels, dealing, pricing, census and sweeps, with one clear reading.

    Two to three minutes on two cores, with --long some twenty. Exit status 1 where anything disagrees;
    on a correct machine that is one seed in 10,000 at most.

    Example: counting verify louisiana --shoes 10000 --out verified

    Parameters
    ----------
    game
        A game's name or the path of a TOML file: the one that is dealt, by default louisiana and ez-baccarat. Kernels
        are checked on every game that comes with the toolkit.
    shoes
        Shoes dealt by each procedure, by default 200,000; the other checks grow with them.
    long
        3,000,000 shoes, and a census of 40 cards.
    seed
        The same seed gives the same figures.
    out
        A folder for the same as a page, report.html, with report.json beside it: new, empty, or of an earlier run.
    workers
        Threads, by default one a core; they change no result.
    format
        table, json or csv.
    """
    from counting.games import load_game
    from counting.io.folders import claimed
    from counting.reports import verification
    from counting.reports.publish import publish
    from counting.verify import run as room

    games = () if game is None else (load_game(game),)
    extent = room.Extent((room.LONG_SHOES if long else room.SHOES) if shoes is None else shoes, long)
    with nullcontext() if out is None else claimed(out, "verification", {}):
        with bar("checking", "steps") as progress:
            found = room.verify(games, extent, seed, workers, progress)
        page = verification.report(found, command(sys.argv))
        if out is not None:
            publish(page, out)
    if format == "table":
        for title, rows in verification.tables(found):
            if rows:
                print(f"{title}\n{as_table(rows)}")
        print(f"{page.note}\n\n{page.sentences[0]}")
        if out is not None:
            print(f"\nThe page: {out / 'report.html'}")
    else:
        put(verification.rows(found), page.data, format)
    return int(bool(found.failed))
