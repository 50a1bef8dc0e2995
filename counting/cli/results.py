"""The command that tests results without cards."""

from __future__ import annotations

from counting.cli.asked import Handed, Terminal, asked, print_tables
from counting.cli.options import say
from counting.io.tables import Format, put
from counting.requests import ResultsRequest


@asked
def results(request: ResultsRequest, handed: Handed, *, format: Format = "table") -> None:
    """
    Parameters
    ----------
    format
        table, json or csv; csv has the tests.
    """
    handed.check(request.out)
    answer = handed.over(request.answered(Terminal(), drawn=request.out is not None))
    if format == "table":
        from counting.reports.results import PRINTED

        print_tables(answer, PRINTED)
    else:
        put(answer.report.tables["tests"].to_dicts(), answer.data, format)
        say(*answer.remarks)
