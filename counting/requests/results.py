"""The request for a test of results without cards, from a log of winners."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from counting.errors import keyword, path
from counting.io.folders import digests_by_name
from counting.requests.answers import Answer
from counting.requests.request import File, GameLike, Request, Share, Whole, as_whole
from counting.requests.studies import choices_taken

if TYPE_CHECKING:
    from counting.requests.hosts import Host
    from counting.review import ResultsReview
else:
    ResultsReview = object


@dataclass(frozen=True, kw_only=True)
class ResultsRequest(Request[ResultsReview]):
    """Results without cards: do they fit the exact chances of the game, and is their order random?

    Tests winners and, if they are logged, pairs, naturals and totals, over all coups and by table, dealer and shift.
    Also tests streaks, changes of the winner, and stretches of results that recur in the next shoe. Gives the number of
    coups that it takes to detect a change in a winner's chance.

    Example: counting results punto-banco --coups results.csv

    Example: counting results punto-banco --coups roads.txt --decks 6 --out results-pit-3

    Parameters
    ----------
    game
        A game's name, as punto-banco (see `counting games`), or the path of a TOML file.
    coups
        The file of results. Its columns are winner and, if logged, table, shoe, coup, dealer, time, player_pair,
        banker_pair, natural, player_total and banker_total. The file may also be a text file of roads, with a line for
        each shoe, as BPPTB.
    layout
        How a log in another form is read: a shipped layout (counting layouts) or a TOML file. By default the reader
        finds the layout.
    decks
        Decks in the shoe, if they are not logged; by default the game's.
    shifts
        When shifts begin; by default 06:00,14:00,22:00. A single time starts three shifts of eight hours. Times are
        read as the log writes them.
    change
        How large a change in a winner's chance the test should detect, as a share of coups: 1% is one coup in a
        hundred. The answer gives the number of coups that this takes.
    level
        The largest chance of flagging anything if every coup follows the rules, for all tests together.
    allow_unread
        The largest share of coups or winners that may be unread. If more is unread, there is no verdict.
    seed
        Seed of the dealt shoes and random arrangements.
    out
        A folder for a page: report.html, report.json, tables and a figure.
    """

    holds: ClassVar[str] = "results"
    private: ClassVar[bool] = True
    game: GameLike = field(kw_only=False)
    coups: File
    layout: File | None = None
    decks: Whole | None = None
    shifts: str | None = None
    change: Share = 0.01
    level: Share = 0.01
    allow_unread: Share = 0.01
    seed: Whole = 1
    out: File | None = None

    def answered(self, host: Host, drawn: bool = True) -> Answer[ResultsReview]:
        """The answer. `drawn`: with the figure."""
        from counting.games import as_game
        from counting.logs import load_layout, read_log
        from counting.reports.results import results_report
        from counting.review import ResultsSettings, Shifts, allowed_share, review_results

        allowed_share(self.allow_unread)

        game = as_game(self.game)
        host.say(*choices_taken(game))
        decks = game.dealt_from(as_whole(self.decks, "decks"))
        shifts = None if self.shifts is None else Shifts.written(self.shifts, keyword("shifts"))
        settings = ResultsSettings(self.level, as_whole(self.seed, "seed"), self.change, shifts)
        coups = path(self.coups, "coups")
        with host.stage("Reading the log", "lines", after=2) as progress:
            read_by = None if self.layout is None else load_layout(self.layout)
            log = read_log(coups, None, read_by, game.tableau, progress)
        host.say(*(look for look in log.looks if "results alone" not in look))
        files = digests_by_name([coups])
        with host.stage("Testing the results", "logs", after=2):
            review = review_results(log, game, decks, settings, self.allow_unread)
        report = results_report(review, files, host.command, drawn)
        return self.published(host, report, review, {"files": files})
