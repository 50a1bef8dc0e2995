"""The command that plans a review: how many coups it must see."""

from __future__ import annotations

from counting.cli.asked import Handed, Terminal, asked, print_answer
from counting.cli.options import say
from counting.io.tables import Format
from counting.requests import SampleRequest


@asked
def sample(request: SampleRequest, handed: Handed, *, format: Format = "table") -> None:
    """
    Parameters
    ----------
    format
        table, json or csv. csv has the coups that bound a rate; with only --compare, the coups that tell two rates
        apart.
    """
    handed.check(request.out)
    answer = handed.over(request.answered(Terminal()))
    from counting.reports.sample import PRINTED

    print_answer(answer, PRINTED, format, lambda: next(iter(answer.report.tables.values())).to_dicts())
    say(*answer.remarks)
