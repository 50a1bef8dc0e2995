"""The request for what the alerts of a watch were worth, from the watch's journals."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from counting.errors import path
from counting.requests.answers import Answer
from counting.requests.request import File, GameLike, Request, Several, Written, asked_game, given_bets, given_values

if TYPE_CHECKING:
    from counting.live import AlertHits
    from counting.requests.hosts import Host
else:
    AlertHits = object


@dataclass(frozen=True, kw_only=True)
class AlertsRequest(Request[AlertHits]):
    """What alerts were worth, over days and tables. Gives for each rule and bet the number of alerts, the coups dealt
    while the rule held, and how many of these coups the bet won, beside the exact expected number.

    Example: counting watch ez-baccarat --report monday.journal tuesday.journal

    Parameters
    ----------
    game
        The game of the watches: its name or the path of a TOML file.
    report
        Journals of `counting watch`, of one or more days. A watch may still be writing them.
    also
        Further bets that the tables offered, the same as for the watch: from the catalog or written out.
    commission
        Banker's commission, the same as for the watch; by default the game's.
    out
        A folder for a page: report.html, report.json and tables.
    """

    holds: ClassVar[str] = "alerts"
    game: GameLike = field(kw_only=False)
    report: Several
    also: Several | None = None
    commission: Written | None = None
    out: File | None = None

    @classmethod
    def verb(cls) -> str:
        return "watch"

    def answered(self, host: Host) -> Answer[AlertHits]:
        from counting.live import alert_hits
        from counting.reports.alerts import report

        game, _ = given_bets(self.also, "also", asked_game(self.game, self.commission))
        paths = [path(Path(each) if isinstance(each, str) else each, "report")
                 for each in given_values(self.report, "report")]  # fmt: skip
        hits = alert_hits(game, paths)
        settings = {"game": game.digest, "journals": [each.digest for each in hits.journals]}
        return self.published(host, report(hits, host.command), hits, settings)
