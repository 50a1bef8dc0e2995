"""The command of known cards: what a known card, sorted backs or a slug are worth before a bet."""

from __future__ import annotations

from counting.cli.asked import Handed, Terminal, asked, print_answer
from counting.cli.options import say
from counting.io.tables import Format
from counting.requests import KnownRequest


@asked
def known(request: KnownRequest, handed: Handed, *, format: Format = "table") -> None:
    """
    Parameters
    ----------
    format
        table, json or csv.
    """
    handed.check(request.out)
    answer = handed.over(request.answered(Terminal(), drawn=request.out is not None))
    from counting.reports.known import PRINTED

    print_answer(answer, PRINTED, format, answer.report.tables["cards"].to_dicts)
    say(*answer.remarks)
