"""The command that tests how well the shoes of a log were shuffled."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from counting.cli.options import OPEN, Share, Whole, bar, command, in_browser, refuse_no_page
from counting.io.tables import Format, for_terminal, put


def shuffle(
    coups: Path,
    *,
    bets: Path | None = None,
    layout: str | None = None,
    pickup: str | None = None,
    decks: Whole = 8,
    level: Share = 0.05,
    draws: Whole | None = None,
    seed: Whole = 1,
    allow_unread: Share = 0.01,
    out: Path | None = None,
    browse: Annotated[bool, OPEN] = False,
    format: Format = "table",
) -> int:
    """Test whether logged shoes were shuffled: riffles, slugs, arranged coups, missing cards, repeated batches.

    Prints the verdict, each finding with its shoe and coups, the p-value of each test, and which faults this number of
    shoes could have shown under which assumptions. Exit status 2 if too little of the log could be read for a verdict.

    Example: counting shuffle coups.csv

    Example: counting shuffle coups.csv --bets bets.csv --pickup P123-B123-last-on-top

    Parameters
    ----------
    coups
        The coups: table, shoe, coup (from 1 in each shoe), player, banker (cards as dealt, as 9h Kd 3s or 9 K 3, ? for
        a card that was not read), and if logged burn; or a file that a layout describes. Shoes in the order dealt.
    bets
        The bets: table, shoe, coup, patron, bet, amount, and if logged won; findings then name who bet there.
    layout
        How other people's files are read: a shipped layout (counting layouts) or a TOML file; by default found out.
    pickup
        The order in which the pit gathers discards, where it is known: P or B first with the order of that hand's
        cards (123, 213, 312 or 321), the other hand, then last-on-top or in-order, as P123-B123-last-on-top; or
        dealt-in-order. Only this order is tried, read from either end, which shows weaker faults. By default 66 orders.
    decks
        Decks in the shoe.
    level
        The chance of flagging shoes that are shuffled at random, for all tests together.
    draws
        Random shoes that each shoe is compared with; by default 999, or more if the level needs it.
    seed
        The seed of these draws and of the order of unseen cards.
    allow_unread
        The share of cards or coups that may be unread before there is no verdict.
    out
        A folder for a page: report.html, report.json and tests.csv.
    format
        table, json or csv; csv has the tests.
    """
    from counting.io.folders import claimed, digests_by_name
    from counting.logs import load_layout, read_log
    from counting.reports.publish import publish
    from counting.reports.shuffle import fewer_decks, rows_of_tests, shuffle_report
    from counting.review import ShuffleSettings, shuffle_review

    refuse_no_page(browse, out)
    settings = ShuffleSettings(level, draws, seed, pickup)
    with bar("reading", "files", after=2):
        log = read_log(coups, bets, None if layout is None else load_layout(layout))
    for line in log.looks:
        print(f"counting: {line}", file=sys.stderr)
    files = digests_by_name([file for file in (coups, bets) if file is not None])
    with bar("testing", "steps", after=2) as progress:
        review = shuffle_review(log, decks, settings, allow_unread, progress)
    page = shuffle_report(review, files, command(sys.argv))
    if out is not None:
        with claimed(out, "shuffle", {"files": files}):
            publish(page, out)
        in_browser(out / "report.html", browse)
    rows = rows_of_tests(review)
    no_verdict = bool(review.unread or not review.orders.number)
    if format == "table":
        print("\n".join([*page.sentences, *fewer_decks(review, log)]))
        if rows:
            print(f"\n{for_terminal(rows)}", end="")
        if out is not None:
            print(f"\nThe page: {out / 'report.html'}")
    else:
        put(rows, page.data, format, ("test", "p", "p_holm", "flagged", "what"))
        if no_verdict:
            print(f"counting: {page.sentences[0]}", file=sys.stderr)
    return 2 if no_verdict else 0
