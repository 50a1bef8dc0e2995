"""The command of a team of counters: the time to a target."""

from __future__ import annotations

from counting.cli.asked import Handed, answered, asked, print_tables
from counting.io.tables import Format, put
from counting.requests import TeamRequest


@asked
def team(request: TeamRequest, handed: Handed, *, format: Format = "table") -> None:
    """
    Parameters
    ----------
    format
        table, json or csv.
    """
    handed.check(request.out)
    answer = answered(request, handed)
    if format == "table":
        from counting.reports.team import PRINTED

        print_tables(answer, PRINTED)
    else:
        put(answer.data["figures"], answer.data, format)
