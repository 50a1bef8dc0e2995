"""The command of a census: the exact distribution of a bet's edge with n cards left."""

from __future__ import annotations

from counting.cli.asked import Handed, Terminal, asked, print_answer
from counting.cli.options import say
from counting.io.tables import Format
from counting.requests import CensusRequest


@asked
def census(request: CensusRequest, handed: Handed, *, format: Format = "table") -> None:
    """
    Parameters
    ----------
    format
        table, json or csv.
    """
    handed.check(request.out)
    paged = request.out is not None
    answer = handed.over(request.answered(Terminal(), drawn=paged, quantiles=paged or format != "table"))
    from counting.reports.census import PRINTED

    print_answer(answer, PRINTED, format, lambda: answer.report.tables.get("histogram", answer.result).to_dicts())
    say(*answer.remarks)
