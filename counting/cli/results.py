"""The command that tests results without cards."""

from __future__ import annotations

from counting.cli.asked import Handed, Terminal, asked, print_answer
from counting.cli.options import say
from counting.io.tables import Format
from counting.requests import ResultsRequest


@asked
def results(request: ResultsRequest, handed: Handed, *, format: Format = "table") -> int:
    """
    Exit status 2 if too little of the log could be read for a verdict.

    Parameters
    ----------
    format
        table, json or csv; csv has the tests.
    """
    handed.check(request.out)
    answer = handed.over(request.answered(Terminal(), drawn=request.out is not None))
    from counting.reports.results import PRINTED

    print_answer(answer, PRINTED, format, answer.report.tables["tests"].to_dicts)
    if format != "table":
        say(*answer.remarks)
    return 2 if answer.result.unread else 0
