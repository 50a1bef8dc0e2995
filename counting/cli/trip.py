"""The command of a patron's trip: how unusual a result is, and what offers cost."""

from __future__ import annotations

from counting.cli.asked import Handed, Terminal, asked, print_tables
from counting.cli.options import say
from counting.io.tables import Format, put
from counting.requests import TripRequest


@asked
def trip(request: TripRequest, handed: Handed, *, format: Format = "table") -> None:
    """
    Parameters
    ----------
    format
        table, json or csv.
    """
    handed.check(request.out)
    answer = handed.over(request.answered(Terminal(), drawn=request.out is not None))
    if format == "table":
        from counting.reports.trip import PRINTED

        print_tables(answer, PRINTED)
    else:
        put(answer.report.tables["figures"].to_dicts(), answer.data, format)
    say(*answer.remarks)
