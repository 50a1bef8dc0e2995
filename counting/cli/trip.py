"""The command of a patron's trip: how unusual a result is, and what offers cost."""

from __future__ import annotations

from counting.cli.asked import Handed, Terminal, asked, print_answer
from counting.cli.options import say
from counting.io.tables import Format
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
    from counting.reports.trip import PRINTED

    print_answer(answer, PRINTED, format, answer.report.tables["figures"].to_dicts)
    say(*answer.remarks)
