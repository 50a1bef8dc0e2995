"""Tables under watch: a growing log is read line by line, every bet is priced after every coup, and rules give
alerts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counting.faces import lazily

if TYPE_CHECKING:
    from counting.live.alerting import Alerts as Alerts
    from counting.live.alerting import command_of as command_of
    from counting.live.alerting import sentence as sentence
    from counting.live.following import Input as Input
    from counting.live.following import open_input as open_input
    from counting.live.hits import AlertHits as AlertHits
    from counting.live.hits import alert_hits as alert_hits
    from counting.live.journal import Journal as Journal
    from counting.live.judging import WatchSettings as WatchSettings
    from counting.live.keeping import files_beside as files_beside
    from counting.live.keeping import keep as keep
    from counting.live.records import BETS as BETS
    from counting.live.records import CARDS as CARDS
    from counting.live.records import COUPS as COUPS
    from counting.live.records import InputLine as InputLine
    from counting.live.records import LineAnswer as LineAnswer
    from counting.live.rules import QUANTITIES as QUANTITIES
    from counting.live.rules import Rule as Rule
    from counting.live.rules import parse_rules as parse_rules
    from counting.live.running import run_watch as run_watch
    from counting.live.running import take_up as take_up
    from counting.live.shoes import Row as Row
    from counting.live.view import TerminalView as TerminalView
    from counting.live.view import answer_data as answer_data
    from counting.live.view import line_words as line_words
    from counting.live.view import lines_counted as lines_counted
    from counting.live.view import row_cells as row_cells
    from counting.live.view import table_rows as table_rows
    from counting.live.watching import Watch as Watch
else:
    __all__, __getattr__, __dir__ = lazily(
        __name__,
        {
            "alerting": "Alerts command_of sentence",
            "following": "Input open_input",
            "hits": "AlertHits alert_hits",
            "journal": "Journal",
            "rules": "QUANTITIES Rule parse_rules",
            "keeping": "files_beside keep",
            "running": "run_watch take_up",
            "shoes": "Row",
            "view": "TerminalView answer_data line_words lines_counted row_cells table_rows",
            "judging": "WatchSettings",
            "records": "BETS CARDS COUPS InputLine LineAnswer",
            "watching": "Watch",
        },
    )
