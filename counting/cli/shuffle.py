"""The command that tests how well the shoes of a log were shuffled."""

from __future__ import annotations

import sys

from counting.cli.asked import Handed, answered, asked
from counting.io.tables import Format, prose, put
from counting.requests import ShuffleRequest


@asked
def shuffle(request: ShuffleRequest, handed: Handed, *, format: Format = "table") -> int:
    """
    Exit status 2 if too little of the log could be read for a verdict.

    Parameters
    ----------
    format
        table, json or csv; csv has the tests.
    """
    from counting.reports.shuffle import rows_of_tests
    from counting.reports.terminal import tables_of

    handed.check(request.out)
    answer = answered(request, handed)
    rows, review = rows_of_tests(answer.result), answer.result
    no_verdict = bool(review.unread or not review.orders.number)
    if format == "table":
        print(prose(*answer.sentences, *answer.remarks))
        if tables := tables_of(answer.report, ("Findings", "Tests")):
            print(f"\n{tables}", end="")
        if answer.folder is not None:
            print(f"\nThe page: {answer.page}")
    else:
        put(rows, answer.data, format, ("test", "p", "p_holm", "flagged", "what"))
        if no_verdict:
            print(f"counting: {answer.answer}", file=sys.stderr)
    return 2 if no_verdict else 0
