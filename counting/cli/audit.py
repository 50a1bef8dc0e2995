"""The command that reviews a table's log."""

from __future__ import annotations

import sys

from counting.cli.asked import Handed, answered, asked
from counting.io.tables import Format, prose, put
from counting.requests import AuditRequest


@asked
def audit(request: AuditRequest, handed: Handed, *, format: Format = "table") -> int:
    """
    Exit status 2 if too little of the log could be read for a verdict.

    Parameters
    ----------
    format
        table, json or csv; csv has the patrons.
    """
    answer = answered(request, handed)
    unread = bool(answer.result.unread)
    if format == "table":
        print(prose(*answer.sentences))
        print(f"\nThe page: {answer.page}")
    else:
        put(answer.data["patrons"], answer.data, format)
        if unread:
            print(f"counting: {answer.answer}", file=sys.stderr)
    return 2 if unread else 0
