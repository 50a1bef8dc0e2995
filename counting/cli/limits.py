"""The commands on house rules: limits, statements, and comparisons of two sets of rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from counting.cli.asked import Handed, answered, asked
from counting.cli.options import NO_NEGATIVE
from counting.errors import InputError
from counting.io.tables import Format, prose, put
from counting.requests import CompareRequest, LimitsRequest, StatementRequest

if TYPE_CHECKING:
    from counting.bounds import LimitsAnswer
    from counting.requests import Answer

_PRINTED = ("The cheapest rules", "The cheapest rule for each largest bet")  # the tables on a terminal


@asked
def limits(
    request: LimitsRequest,
    handed: Handed,
    *,
    strict: Annotated[bool, NO_NEGATIVE] = False,
    format: Format = "table",
) -> int:
    """
    Parameters
    ----------
    strict
        Exit status 1 unless the bound is MET under the rules in force.
    format
        table, json or csv; a table has the cheapest rules, csv the whole frontier.
    """
    from counting.bounds import Verdict

    answer = answered(request, handed)
    if format == "table":
        _print_cheapest(answer)
    else:
        put(answer.data["frontier"], answer.data, format)
    return int(strict and any(row["verdict"] != Verdict.MET.value for row in answer.data["cheapest"]))


def _print_cheapest(answer: Answer[LimitsAnswer]) -> None:
    """Print the cheapest rules as tables and sentences, and the assumptions on ordinary players."""
    from counting.reports.limits import assumed
    from counting.reports.terminal import tables_of

    print(tables_of(answer.report, _PRINTED))
    print(prose(*answer.sentences, assumed(answer.result.question)))
    print(f"\nThe page, the frontier, its figures and limits.json: {answer.folder}")


@asked
def statement(
    request: StatementRequest,
    handed: Handed,
    *,
    strict: Annotated[bool, NO_NEGATIVE] = False,
    format: Format = "table",
) -> int:
    """
    Parameters
    ----------
    strict
        Exit status 1 unless the bound is met.
    format
        table, json or csv; a table has the sentences, csv the two figures of each side bet.
    """
    from counting.bounds import load_house

    if strict and load_house(request.rules).house.bound is None:
        raise InputError(f"--strict: needs a bound, {request.rules} has none")
    answer = answered(request, handed)
    if format == "table":
        print(prose(*answer.sentences))
        print(f"\nThe page: {answer.page}")
    else:
        put(answer.data["sides"], answer.data, format)
    return int(strict and not answer.data["met"])


@asked
def compare(request: CompareRequest, handed: Handed, *, format: Format = "table") -> None:
    """
    Parameters
    ----------
    format
        table, json or csv; a table has the sentences, csv a row for each set of rules.
    """
    answer = answered(request, handed)
    if format == "table":
        print("\n".join(answer.sentences))
        print(f"\nThe page: {answer.page}")
    else:
        put(answer.data["comparison"], answer.data, format)
