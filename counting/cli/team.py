"""The command of a team of counters: the time to a target."""

from __future__ import annotations

from counting.cli.asked import Handed, answered, asked, print_answer
from counting.io.tables import Format
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
    from counting.reports.team import PRINTED

    print_answer(answer, PRINTED, format, lambda: answer.data["figures"])
