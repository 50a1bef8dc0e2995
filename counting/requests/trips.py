"""The request for a patron's trip: whether the result is unusual, and what an offer costs."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Literal

from counting.errors import keyword
from counting.numbers import money, positive, share
from counting.requests.answers import Answer
from counting.requests.request import (
    Amount,
    File,
    GameLike,
    Request,
    Several,
    Whole,
    Written,
    as_whole,
    asked_game,
    exact_text,
    given_texts,
)
from counting.requests.studies import choices_taken

if TYPE_CHECKING:
    from counting.requests.hosts import Host
    from counting.trips import Trip
else:
    Trip = object


@dataclass(frozen=True, kw_only=True)
class TripRequest(Request[Trip]):
    """Is a patron's result unusual, and what does an offer to the patron cost?

    Gives theoretical win, standard deviation and hold, and the whole distribution of the result. With --result, gives
    the chance that the trip ends with this result, or with one still farther from the mean on the same side. Also gives
    the chance that the net result reaches --result at some time in the trip. You can set a discount on losses, a
    rolling-chip programme, a win goal and a bankroll. The patron does not count: every coup has the chances of the full
    shoe.

    Example: counting trip punto-banco --bet banker-5:30000 --coups 900 --result 2300000

    Example: counting trip punto-banco --bet banker-5:10000 --coups 800 --discount 10% --per shoe

    Parameters
    ----------
    game
        A game's name, as punto-banco (see `counting games`), or the path of a TOML file.
    bet
        Bets from the game or the catalog, with their amounts in money, as banker-5:30000 for a bet on every coup. For a
        bet on a quarter of the coups, drawn at random: banker-5:30000@25%. If several bets have a share, each coup has
        at most one of them. For amounts from 1,000 to 5,000 in steps of 500, each equally often:
        banker-5:1000-5000/500. A bet that is written out has its amount last: "big-tie: tie player_total=8-9 = 30:1 :
        500".
    coups
        Coups that the patron plays.
    result
        The patron's actual net result in money, as 2300000; a loss is negative.
    among
        The number of trips like this one. The answer then gives the chance that at least one of these trips ends with
        this result, or with one farther from the mean on the same side.
    decks
        Decks in the shoe; by default the game's.
    dead_chips
        A rolling-chip (non-negotiable) programme: the share of each dead chip lost that is paid back, as 1.2%. All bets
        are made in dead chips, and the programme pays cash.
    commission
        Banker's commission, as 2.5%; by default the game's.
    commission_step
        The commission on a win is rounded to a multiple of this amount in money, as 5. By default it is not rounded.
    commission_rounded
        With --commission-step: how the commission is rounded, up, nearest or down.
    discount
        A discount on losses (loss rebate): the share of the net loss that is paid back, as 10%. If you add the loss at
        which it begins, as 10%:50000, the discount is paid on the part of the loss above 50,000. With several
        discounts, each is paid up to the loss at which the next begins, unless --discount-on is whole. The loss is the
        net loss after a rolling-chip programme.
    discount_on
        part: each rate is paid on its part of the loss; whole: once the loss at which a rate begins is reached, the
        rate is paid on the whole loss.
    per
        When the discount is settled: after each trip, day or shoe.
    coups_per_shoe
        Coups per shoe, as 80; by default 10 per deck.
    coups_per_day
        Coups per day, as 300, for a discount that is settled per day.
    goal
        The win in money at which the patron stops.
    bankroll
        The loss in money at which the patron stops. The last bet is made in full, so the loss may be larger.
    out
        A folder for a page: report.html, report.json, tables and a figure.
    """

    holds: ClassVar[str] = "trip"
    game: GameLike = field(kw_only=False)
    bet: Several
    coups: Whole
    result: Amount | None = None
    among: Whole | None = None
    decks: Whole | None = None
    dead_chips: Written | None = None
    commission: Written | None = None
    commission_step: Written | None = None
    commission_rounded: Literal["up", "nearest", "down"] = "up"
    discount: Several | None = None
    discount_on: Literal["part", "whole"] = "part"
    per: Literal["trip", "day", "shoe"] = "trip"
    coups_per_shoe: Whole | None = None
    coups_per_day: Whole | None = None
    goal: Written | None = None
    bankroll: Written | None = None
    out: File | None = None

    def answered(self, host: Host, drawn: bool = True) -> Answer[Trip]:
        """The answer. `drawn`: with the figure."""
        from counting.reports.trip import report
        from counting.trips import Discount, Plays, Stake, Tier, Trip

        loaded = asked_game(self.game, self.commission)
        host.say(*choices_taken(loaded))
        stakes = [stake for text in given_texts(self.bet, "bet") for stake in Stake.written(text, keyword("bet"))]
        plays = Plays(
            loaded.asked([stake.bet for stake in stakes])[0],
            tuple(replace(stake, bet=loaded.bet_name(stake.bet)) for stake in stakes),
            loaded.dealt_from(as_whole(self.decks, "decks")),
            self._read("dead_chips", share),
            self._read("commission_step", money),
            self.commission_rounded,
        )
        tiers = [Tier.written(text, keyword("discount")) for text in given_texts(self.discount, "discount")]
        trip = Trip(
            plays,
            as_whole(self.coups, "coups"),
            0 if self.coups_per_shoe is None else as_whole(self.coups_per_shoe, "coups_per_shoe"),
            as_whole(self.coups_per_day, "coups_per_day"),
            None if self.result is None else Fraction(exact_text(self.result)),
            as_whole(self.among, "among"),
            self._positive("goal"),
            self._positive("bankroll"),
            Discount(tuple(tiers), self.discount_on == "whole", self.per) if tiers else None,
        )
        page = report(trip, host.command, drawn)
        settings = {"game": plays.game.digest, "bets": [str(stake) for stake in plays.stakes]}
        return self.published(host, page, trip, settings)

    def _read(self, name: str, read: object) -> Fraction:
        value = getattr(self, name)
        return Fraction() if value is None else read(exact_text(value), keyword(name))  # type: ignore[operator]

    def _positive(self, name: str) -> Fraction | None:
        value = getattr(self, name)
        return None if value is None else positive(exact_text(value), keyword(name))
