"""The command of a review's plan: how many coups it must see."""

from __future__ import annotations

from counting.cli.asked import Handed, Terminal, asked, print_tables
from counting.cli.options import say
from counting.io.tables import Format, put
from counting.requests import SampleRequest


@asked
def sample(request: SampleRequest, handed: Handed, *, format: Format = "table") -> None:
    """
    Parameters
    ----------
    format
        table, json or csv; csv has the coups that bound a rate, or with --compare alone those that tell two apart.
    """
    handed.check(request.out)
    answer = handed.over(request.answered(Terminal()))
    if format == "table":
        from counting.reports.sample import PRINTED

        print_tables(answer, PRINTED)
    else:
        put(next(iter(answer.report.tables.values())).to_dicts(), answer.data, format)
    say(*answer.remarks)
