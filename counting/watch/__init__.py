"""Tables under watch: a growing log read line by line, every bet priced after every coup, alerts by rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counting.faces import lazily

if TYPE_CHECKING:
    from counting.watch.alerting import Alerts as Alerts
    from counting.watch.alerting import command_of as command_of
    from counting.watch.alerting import sentence as sentence
    from counting.watch.following import Input as Input
    from counting.watch.following import open_input as open_input
    from counting.watch.journal import Journal as Journal
    from counting.watch.judging import Settings as Settings
    from counting.watch.keeping import files_beside as files_beside
    from counting.watch.keeping import keep as keep
    from counting.watch.records import BETS as BETS
    from counting.watch.records import CARDS as CARDS
    from counting.watch.records import COUPS as COUPS
    from counting.watch.records import Answer as Answer
    from counting.watch.records import Line as Line
    from counting.watch.rules import QUANTITIES as QUANTITIES
    from counting.watch.rules import Rule as Rule
    from counting.watch.rules import parse_rules as parse_rules
    from counting.watch.running import run as run
    from counting.watch.running import take_up as take_up
    from counting.watch.tables import Row as Row
    from counting.watch.view import View as View
    from counting.watch.view import as_cells as as_cells
    from counting.watch.view import as_data as as_data
    from counting.watch.view import counted as counted
    from counting.watch.view import rows as rows
    from counting.watch.view import words as words
    from counting.watch.watching import Watch as Watch
else:
    __all__, __getattr__, __dir__ = lazily(
        __name__,
        {
            "alerting": "Alerts command_of sentence",
            "following": "Input open_input",
            "journal": "Journal",
            "rules": "QUANTITIES Rule parse_rules",
            "keeping": "files_beside keep",
            "running": "run take_up",
            "tables": "Row",
            "view": "View as_cells as_data counted rows words",
            "judging": "Settings",
            "records": "BETS CARDS COUPS Line Answer",
            "watching": "Watch",
        },
    )
