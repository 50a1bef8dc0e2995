"""The request for a test of how well the shoes of a log were shuffled."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from counting.errors import path
from counting.io.folders import digests_by_name
from counting.requests.answers import Answer
from counting.requests.request import File, Request, Share, Whole, as_whole

if TYPE_CHECKING:
    from counting.requests.hosts import Host
    from counting.review import ShuffleReview
else:
    ShuffleReview = object


@dataclass(frozen=True, kw_only=True)
class ShuffleRequest(Request[ShuffleReview]):
    """Test whether logged shoes were shuffled: riffles, slugs, arranged coups, missing cards, repeated batches.

    Gives the verdict, each finding, and the p-value of each test. A finding about one shoe names the shoe and its
    coups. Also lists the faults that this number of shoes could have shown, with the assumptions behind them.

    Example: counting shuffle coups.csv

    Example: counting shuffle coups.csv --bets bets.csv --pickup P123-B123-last-on-top

    Parameters
    ----------
    coups
        The file of coups. Its columns are table, shoe, coup (from 1 in each shoe), player and banker and, if logged,
        burn. Cards are in the order dealt, as 9h Kd 3s or 9 K 3; ? is an unread card. For a file in another form, see
        --layout. Shoes are in the order dealt.
    bets
        The file of bets. Its columns are table, shoe, coup, patron, bet, amount and, if logged, won. Findings then name
        the patrons who bet on the coups that a finding is about.
    layout
        How a log in another form is read: a shipped layout (counting layouts) or a TOML file. By default the reader
        finds the layout.
    pickup
        The order in which the pit gathers discards, if you know it. Write the hand that is gathered first, P or B, with
        the order of its cards (123, 213, 312 or 321); then the other hand; then last-on-top or in-order, as
        P123-B123-last-on-top. Or write dealt-in-order. The test then tries only this order, from either end, and can
        find weaker faults. By default it tries 66 orders, and also each coup as a whole, with any order of its cards.
    decks
        Decks in the shoe.
    level
        The largest chance of flagging shoes that are shuffled at random, for all tests together.
    draws
        How many times the log's shoes are replaced by random shoes, in the tests of the whole log; by default 999, or
        more if the level needs more. The tests of single shoes choose their number of draws themselves.
    seed
        The seed of the random shoes and of the order of unseen cards, a whole number.
    allow_unread
        The largest share of cards or coups that may be unread. If more is unread, there is no verdict.
    out
        A folder for a page: report.html, report.json and, if shoes were tested, tests.csv.
    """

    holds: ClassVar[str] = "shuffle"
    coups: File = field(kw_only=False)
    bets: File | None = None
    layout: File | None = None
    pickup: str | None = None
    decks: Whole = 8
    level: Share = 0.05
    draws: Whole | None = None
    seed: Whole = 1
    allow_unread: Share = 0.01
    out: File | None = None

    def answered(self, host: Host) -> Answer[ShuffleReview]:
        from counting.logs import load_layout, read_log
        from counting.reports.shuffle import fewer_decks, shuffle_report
        from counting.review import ShuffleSettings, shuffle_review

        seed, draws = as_whole(self.seed, "seed"), as_whole(self.draws, "draws")
        settings = ShuffleSettings(self.level, draws, seed, self.pickup)
        coups, bets = path(self.coups, "coups"), None if self.bets is None else path(self.bets, "bets")
        with host.stage("Reading the log", "lines", after=2) as progress:
            read_by = None if self.layout is None else load_layout(self.layout)
            log = read_log(coups, bets, read_by, progress=progress)
        host.say(*log.looks)
        files = digests_by_name([file for file in (coups, bets) if file is not None])
        with host.stage("Testing the shuffle", "steps", after=2) as progress:
            review = shuffle_review(log, as_whole(self.decks, "decks"), settings, self.allow_unread, progress)
        report, remarks = shuffle_report(review, files, host.command), fewer_decks(review, log)
        return self.published(host, report, review, {"files": files}, remarks)
