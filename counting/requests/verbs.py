"""The public functions, such as `study`: one for each request, with the same arguments."""

from __future__ import annotations

import re
from collections.abc import Callable
from inspect import cleandoc, signature
from typing import Any, ParamSpec, TypeVar

from counting.errors import nearest
from counting.requests.alerts import AlertsRequest
from counting.requests.answers import Answer
from counting.requests.audits import AuditRequest
from counting.requests.bets import CensusRequest, EffectsRequest
from counting.requests.hosts import Host
from counting.requests.house_rules import LimitsRequest
from counting.requests.known import KnownRequest
from counting.requests.request import Request, split_docstring
from counting.requests.results import ResultsRequest
from counting.requests.samples import SampleRequest
from counting.requests.scores import ScoreRequest
from counting.requests.shuffles import ShuffleRequest
from counting.requests.statements import CompareRequest, StatementRequest
from counting.requests.studies import ReportRequest, StudyRequest, VulnerabilityRequest
from counting.requests.teams import TeamRequest
from counting.requests.trips import TripRequest
from counting.requests.watches import LiveAlerts, WatchArguments

Arguments = ParamSpec("Arguments")
Asked = TypeVar("Asked")
Returned = TypeVar("Returned")
Result = TypeVar("Result")


def _function(
    request: Callable[Arguments, Asked], run: Callable[[Asked], Returned], name: str, example: str, returns: str
) -> Callable[Arguments, Returned]:
    """A function that makes a request from its arguments and passes it to `run`. Its docstring is made from the
    request's docstring."""
    known = signature(request)

    def ask(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Returned:
        for word in kwargs:
            if word not in known.parameters:
                raise TypeError(f"{name}() has no argument {word!r}{nearest(word, known.parameters)}")
        try:
            known.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{name}(): {error}") from None
        return run(request(*args, **kwargs))

    ask.__name__ = ask.__qualname__ = name
    ask.__doc__ = _docstring(request, example, returns)
    ask.__signature__ = known.replace(return_annotation=returns)  # type: ignore[attr-defined]
    return ask


def _verb(
    request: Callable[Arguments, Request[Result]], name: str, example: str
) -> Callable[Arguments, Answer[Result]]:
    """A function that makes a request from its arguments and returns the answer."""

    def answered(asked: Request[Result]) -> Answer[Result]:
        return asked.answered(Host(asked.command, asked.progress))

    return _function(request, answered, name, example, "Answer")


def _docstring(request: Any, example: str, returns: str) -> str:
    """The docstring of a function: the request's words without its command lines, the meaning of every argument, and an
    example. An option such as --cut is written as an argument."""
    words, _ = split_docstring(request.__doc__)
    paragraphs = [part for part in words.strip().split("\n\n") if not part.startswith("Example: ")]
    meanings = [f"{name}\n    {text}" for name, text in request.meanings().items()]
    if "progress" in signature(request).parameters:
        meanings.append("progress\n    Draw a progress bar while the function works.")
    text = "\n\n".join(
        [
            *paragraphs,
            f"Returns `{returns}`. Raises `InputError` for a mistake in the arguments. If there are several mistakes, "
            "the error may report only the first.",
            "Parameters\n----------\n" + "\n".join(meanings),
        ]
    )
    text = re.sub("--([a-z][a-z-]*)", lambda option: f"`{option[1].replace('-', '_')}`", text)
    return f"{text}\n\nExamples\n--------\n{cleandoc(example)}"


study = _verb(
    StudyRequest,
    "study",
    """
    >>> import counting
    >>> study = counting.study("louisiana", shoes=500)
    >>> study.answer.split(".")[0]
    'The bet most exposed to counting is 7-7, 45 to 1'
    >>> study.tables["bets"].height
    13
    """,
)
vulnerability = _verb(
    VulnerabilityRequest,
    "vulnerability",
    """
    >>> import counting
    >>> counting.vulnerability("ez-baccarat", "dragon-7", shoes=500, system="dragon-7").tables["best"].height
    2
    """,
)
limits = _verb(
    LimitsRequest,
    "limits",
    """
    >>> import counting
    >>> counting.limits("louisiana", bet="seven-seven-45", bound="0.05/shoe", tie_in=0, shoes=2000).verdict
    'NOT MET'
    """,
)
statement = _verb(
    StatementRequest,
    "statement",
    """
    >>> import counting
    >>> rules = {"title": "Pit 3", "game": "louisiana", "side_bets": ["seven-seven-45"], "bound": "0.5/shoe"}
    >>> [counting.statement(rules | {"cut": cut}, shoes=2000).verdict for cut in (14, 208)]
    ['NOT MET', 'MET']
    """,
)
compare = _verb(
    CompareRequest,
    "compare",
    """
    >>> import counting
    >>> rules = {"title": "Pit 3", "game": "louisiana", "side_bets": ["seven-seven-45"], "bound": "0.5/shoe", "cut": 14}
    >>> proposed = rules | {"cut": 208}
    >>> counting.compare(rules, proposed, shoes=2000).tables["comparison"]["verdict"].to_list()
    ['NOT MET', 'MET']
    """,
)
trip = _verb(
    TripRequest,
    "trip",
    """
    >>> import counting
    >>> trip = counting.trip("punto-banco", bet="banker-5:30000", coups=900, result=2300000)
    >>> round(trip.data["theoretical_win"]), round(trip.data["p_at_end"], 6), round(trip.data["p_ever"], 6)
    (285635, 0.000965, 0.002029)
    """,
)
team = _verb(
    TeamRequest,
    "team",
    """
    >>> import counting
    >>> team = counting.team("ez-baccarat", "dragon-7", target=2000, bankroll=4000, runs=50)
    >>> team.tables["runs"].height, team.data["bound"]
    (50, None)
    """,
)
known = _verb(
    KnownRequest,
    "known",
    """
    >>> import counting
    >>> known = counting.known("punto-banco")
    >>> [round(100 * gain, 3) for gain in known.tables["cards"].filter(bet="best of these")["gain"]]
    [6.765, 6.406, 6.765, 6.406, 8.973, 9.098]
    """,
)
audit = _verb(
    AuditRequest,
    "audit",
    """
    >>> from pathlib import Path
    >>> import counting
    >>> _ = Path("coups.csv").write_text("table,shoe,coup,player,banker\\nT1,1,1,9h Kd,8s 2d 3c\\n")
    >>> counting.audit("ez-baccarat", coups="coups.csv").tables["errors"]["rule"].to_list()
    ['natural']
    """,
)
sample = _verb(
    SampleRequest,
    "sample",
    """
    >>> import counting
    >>> sample = counting.sample(rate=10, compare=(10, 30))
    >>> sample.tables["bounds"]["coups"].to_list(), sample.data["comparison"][0]["coups"]
    ([29956, 47437, 62956, 77535], 84332)
    """,
)
shuffle = _verb(
    ShuffleRequest,
    "shuffle",
    """
    >>> from pathlib import Path
    >>> import counting
    >>> _ = Path("coups.csv").write_text("table,shoe,coup,player,banker\\nT1,1,1,9h Kd,8s 9d\\n")
    >>> counting.shuffle("coups.csv").result.orders.number
    0
    """,
)
effects = _verb(
    EffectsRequest,
    "effects",
    """
    >>> import counting
    >>> effects = counting.effects("ez-baccarat", "dragon-7", cards_left=26)
    >>> effects.tables["removal"].select("card", "effect").row(7)
    ('8', 0.005378160338775015)
    >>> float(effects.result.edge)
    -0.07611334472442846
    """,
)
census = _verb(
    CensusRequest,
    "census",
    """
    >>> import counting
    >>> census = counting.census("ez-baccarat", "dragon-7", cards=range(6, 9), cache=False)
    >>> census.tables["census"]["p_positive"].round(6).to_list()
    [0.335049, 0.394784, 0.418798]
    """,
)
score = _verb(
    ScoreRequest,
    "score",
    """
    >>> import counting
    >>> plan = counting.Plan("ez-baccarat", counting.Dealing(), 200, 1, ["dragon-7"], ["dragon-7"])
    >>> sweep = counting.run(plan, "played")
    >>> score = counting.score(sweep, bankroll=20_000, stake=100)
    >>> score.tables["scores"].filter(which="own and best").select("system", "trigger", "bets").row(0)
    ('dragon-7', 4.0, 1560)
    """,
)
report = _verb(
    ReportRequest,
    "report",
    """
    >>> import counting
    >>> from counting.sweep import run
    >>> sweep = run(counting.Plan("punto-banco", counting.Dealing(), 300), "some-shoes")
    >>> counting.report("some-shoes").tables["bets"].height
    5
    """,
)
winners = _verb(
    ResultsRequest,
    "winners",
    """
    >>> from pathlib import Path
    >>> import counting
    >>> _ = Path("roads.txt").write_text("BPPTBBPBPPBBBPTBPB\\nPBBPPBTBBBPPBPBTPP\\n")
    >>> results = counting.winners("punto-banco", coups="roads.txt")
    >>> results.verdict, results.tables["streaks"]["came"].to_list()
    ('NOT FLAGGED', [11, 7, 1, 1, 0, 0])
    """,
)
watch = _function(
    WatchArguments,
    LiveAlerts,
    "watch",
    """
    >>> from pathlib import Path
    >>> import counting
    >>> _ = Path("live.csv").write_text("table,shoe,coup,player,banker\\nT1,1,1,9h Kd,8s 9d\\n")
    >>> watched = counting.watch("ez-baccarat", coups="live.csv", rule="cards < 413 for dragon-7", once=True)
    >>> [(alert["table"], alert["bet"]) for alert in watched]
    [('T1', 'dragon-7')]
    >>> watched.tables()["left"].to_list()
    [412]
    """,
    "LiveAlerts",
)
alerts = _verb(
    AlertsRequest,
    "alerts",
    """
    >>> from pathlib import Path
    >>> import counting
    >>> from counting.cli import main
    >>> _ = Path("live.csv").write_text("table,shoe,coup,player,banker\\nT1,1,1,9h Kd,8s 9d\\nT1,1,2,8h Kd,8s 9d\\n")
    >>> rule = "cards < 413 for player"
    >>> watch = ["watch", "ez-baccarat", "--coups", "live.csv", "--rule", rule, "--once", "--format", "none"]
    >>> _ = main([*watch, "--journal", "pit.journal"])
    >>> alerts = counting.alerts("ez-baccarat", report="pit.journal")
    >>> alerts.tables["alerts"].select("alerts", "coups", "wins").row(0)
    (1, 1, 1)
    """,
)
