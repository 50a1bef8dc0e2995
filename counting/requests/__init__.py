"""Requests: the arguments of most commands, with a class for each command. A request is made from keywords in Python,
or from options on the command line.

A request states the meaning, unit and default of its arguments. Its method `answered` does the work, and returns an
`Answer` with tables, figures and a page. The classes of the calculator and the watch are plain `Arguments`, without
this method.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from counting.faces import lazily

if TYPE_CHECKING:
    from counting.requests.alerts import AlertsRequest as AlertsRequest
    from counting.requests.answers import Answer as Answer
    from counting.requests.audits import AuditRequest as AuditRequest
    from counting.requests.bets import CensusRequest as CensusRequest
    from counting.requests.bets import EffectsRequest as EffectsRequest
    from counting.requests.calculators import CalculatorArguments as CalculatorArguments
    from counting.requests.hosts import Host as Host
    from counting.requests.hosts import Pace as Pace
    from counting.requests.hosts import Stage as Stage
    from counting.requests.hosts import resumable as resumable
    from counting.requests.house_rules import LimitsRequest as LimitsRequest
    from counting.requests.known import KnownRequest as KnownRequest
    from counting.requests.played import PlayedArguments as PlayedArguments
    from counting.requests.played import ShoesArguments as ShoesArguments
    from counting.requests.request import KINDS as KINDS
    from counting.requests.request import Arguments as Arguments
    from counting.requests.request import GameLike as GameLike
    from counting.requests.request import Request as Request
    from counting.requests.request import asked_game as asked_game
    from counting.requests.request import given_values as given_values
    from counting.requests.request import split_docstring as split_docstring
    from counting.requests.results import ResultsRequest as ResultsRequest
    from counting.requests.samples import SampleRequest as SampleRequest
    from counting.requests.scores import ScoreRequest as ScoreRequest
    from counting.requests.shuffles import ShuffleRequest as ShuffleRequest
    from counting.requests.statements import CompareRequest as CompareRequest
    from counting.requests.statements import StatementRequest as StatementRequest
    from counting.requests.studies import ReportRequest as ReportRequest
    from counting.requests.studies import StudyRequest as StudyRequest
    from counting.requests.studies import VulnerabilityRequest as VulnerabilityRequest
    from counting.requests.studies import choices_taken as choices_taken
    from counting.requests.studies import play as play
    from counting.requests.studies import widen as widen
    from counting.requests.teams import TeamRequest as TeamRequest
    from counting.requests.trips import TripRequest as TripRequest
    from counting.requests.unseen import asked_shoe as asked_shoe
    from counting.requests.unseen import card_numbers as card_numbers
    from counting.requests.unseen import numbers_of as numbers_of
    from counting.requests.unseen import shoe_of as shoe_of
    from counting.requests.watches import LiveAlerts as LiveAlerts
    from counting.requests.watches import WatchArguments as WatchArguments
else:
    __all__, __getattr__, __dir__ = lazily(
        __name__,
        {
            "alerts": "AlertsRequest",
            "answers": "Answer",
            "audits": "AuditRequest",
            "bets": "CensusRequest EffectsRequest",
            "calculators": "CalculatorArguments",
            "hosts": "Host Pace Stage resumable",
            "house_rules": "LimitsRequest",
            "known": "KnownRequest",
            "played": "PlayedArguments ShoesArguments",
            "request": "Arguments GameLike KINDS Request asked_game given_values split_docstring",
            "results": "ResultsRequest",
            "samples": "SampleRequest",
            "scores": "ScoreRequest",
            "shuffles": "ShuffleRequest",
            "statements": "CompareRequest StatementRequest",
            "studies": "ReportRequest StudyRequest VulnerabilityRequest choices_taken play widen",
            "teams": "TeamRequest",
            "trips": "TripRequest",
            "unseen": "asked_shoe card_numbers numbers_of shoe_of",
            "watches": "LiveAlerts WatchArguments",
        },
    )
