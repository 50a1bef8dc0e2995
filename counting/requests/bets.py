"""The requests for a single bet: its effects of removal, and the census of its edge."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from counting.errors import InputError, keyword
from counting.requests.answers import Answer
from counting.requests.hosts import resumable
from counting.requests.request import (
    BetName,
    BetNames,
    File,
    GameLike,
    Request,
    Several,
    ShoeLike,
    Systems,
    Whole,
    Written,
    as_whole,
    asked_game,
    exact_text,
    given_bets,
    given_texts,
    given_values,
)
from counting.requests.studies import choices_taken
from counting.requests.unseen import card_numbers, shoe_of

if TYPE_CHECKING:
    import polars as pl

    from counting.exact import Effects
    from counting.requests.hosts import Host

    Frame = pl.DataFrame
else:
    Effects = Frame = object


@dataclass(frozen=True, kw_only=True)
class EffectsRequest(Request[Effects]):
    """Effects of removal (EOR) on a bet, the best counts for it, and roughly what they win.

    Example: counting effects ez-baccarat dragon-7 --system dragon-7 --cards-left 26 52 104

    Example: counting effects punto-banco player --decks 6 --second --out player-effects

    Parameters
    ----------
    game
        A game's name, as punto-banco (see `counting games`), or the path of a TOML file.
    bet
        A bet, as dragon-7: from the game or the catalog (see `counting bets`), or written out.
    commission
        Banker's commission, as 2.5%; by default the game's.
    decks
        Decks in the full shoe; by default the game's.
    shoe
        The unseen cards before any removal, as 8d-7-7-K (see `counting edges`); by default a full shoe.
    system
        Counting systems to compare: names or TOML files.
    cards_left
        Numbers of unseen cards at which the gain is given, as 26 52 104; by default every half deck up to half of the
        shoe, and 14.
    second
        Show second-order effects too: the effect of removing two cards, minus the sum of their single effects. JSON
        always has them.
    out
        A folder for a page: report.html, report.json, tables and figures.
    """

    holds: ClassVar[str] = "effects"
    game: GameLike = field(kw_only=False)
    bet: BetName = field(kw_only=False)
    commission: Written | None = None
    decks: Whole | None = None
    shoe: ShoeLike | None = None
    system: Systems | None = None
    cards_left: Several | None = None
    second: bool = False
    out: File | None = None

    def answered(self, host: Host, drawn: bool = True) -> Answer[Effects]:
        """The answer. `drawn`: with figures."""
        from counting.cards import finest
        from counting.exact import Effects
        from counting.reports.effects import profile
        from counting.reports.effects_page import report
        from counting.systems import as_system

        loaded = asked_game(self.game, self.commission)
        systems = [as_system(system) for system in given_values(self.system, "system")]
        knows = finest(["value", *(listed.knows for listed in systems)])
        shoe = shoe_of(loaded, self.shoe, as_whole(self.decks, "decks"))
        effects = Effects.of(loaded, self.bet, shoe, knows)
        depths = [as_whole(n, "cards_left") for n in given_values(self.cards_left, "cards_left")]
        page = report(loaded, effects, profile(effects, systems, depths), self.second, host.command, drawn)
        settings = {"game": effects.game.digest, "bet": effects.bet, "shoe": str(effects.shoe)}
        return self.published(host, page, effects, settings)


@dataclass(frozen=True, kw_only=True)
class CensusRequest(Request[Frame]):
    """The exact distribution of a bet's edge with n random cards left unseen, over every composition.

    Example: counting census punto-banco tie-8 --cards 6:40

    Example: counting census ez-baccarat dragon-7 --cards 6:20 --system dragon-7 --out dragon-7-census

    Parameters
    ----------
    game
        A game's name, as punto-banco (see `counting games`), or the path of a TOML file.
    bet
        A bet on point values, as dragon-7: from the game or the catalog (see `counting bets`), or written out. With
        several bets, the edge is always the edge of the best one.
    cards
        Numbers of unseen cards, at most 60, as 20 30 or the range 6:40 (`counting estimate` takes larger numbers). The
        time grows with the number of compositions: 2 * 10^9 for 40 cards, 6 * 10^10 for 60.
    commission
        Banker's commission, as 2.5%; by default the game's.
    decks
        Decks in the full shoe; by default the game's.
    tie_in
        The main-bet requirement: units on the main bets for each unit of the bet, as 1, 0.5 or 1/3. The units go on the
        best main bet.
    main
        The main bets for the requirement; by default the game's first bets on Player, Banker and Tie.
    histogram
        Add the whole distribution as a histogram with this number of equally wide bins, as 100. CSV then has a row for
        each bin.
    system
        A counting system, by name or TOML file. The answer then gives what a counter with this system bets and wins at
        each number of unseen cards.
    workers
        Threads; by default one per core. Their number does not change results.
    cache
        Keep results, and reuse kept results. Results are kept in the folder that the environment variable
        COUNTING_CACHE names; by default in your cache folder.
    out
        A folder for a page: report.html, report.json, tables and figures.
    """

    holds: ClassVar[str] = "census"
    game: GameLike = field(kw_only=False)
    bet: BetNames = field(kw_only=False)
    cards: Several = "6:30"
    commission: Written | None = None
    decks: Whole | None = None
    tie_in: Written | None = None
    main: Several | None = None
    histogram: Whole | None = None
    system: Systems | None = None
    workers: Whole | None = None
    cache: bool = True
    out: File | None = None

    def answered(self, host: Host, drawn: bool = True, quantiles: bool = True) -> Answer[Frame]:
        """The answer. `drawn`: with figures. `quantiles`: with quantiles of the edge; without them, the answer takes
        about a third less time."""
        from counting.exact import census
        from counting.reports.census import report
        from counting.systems import as_system

        numbers = card_numbers(self.cards)
        loaded = asked_game(self.game, self.commission)
        host.say(*choices_taken(loaded))
        systems = [as_system(system) for system in given_values(self.system, "system")]
        if len(systems) > 1:
            raise InputError(f"{keyword('system')}: {len(systems)} counts given, should be one")
        counter = systems[0] if systems else None
        decks = loaded.dealt_from(as_whole(self.decks, "decks"))
        (loaded, bets), main = given_bets(self.bet, "bet", loaded), given_texts(self.main, "main") or None
        tie_in = None if self.tie_in is None else exact_text(self.tie_in)
        asked: dict[str, Any] = {"bet": bets[0]} if len(bets) == 1 else {"bets": list(bets)}
        on = None
        if tie_in is not None or main is not None:
            on = [*loaded.mains(main)]
            asked |= {"tie_in": tie_in, "main": on}
        bins, workers = as_whole(self.histogram, "histogram"), as_whole(self.workers, "workers")
        stage = host.stage("Counting", "compositions", after=2)
        with resumable() if self.cache else nullcontext(), stage as progress:
            frame = census(
                loaded,
                bets,
                numbers,
                decks,
                workers,
                self.cache,
                counter,
                tie_in=tie_in,
                main=on,
                histogram=bins,
                quantiles=quantiles,
                progress=progress,
            )
        noted = []
        if counter is not None and counter.drifts(decks):
            rest = 'The figures "at any trigger" are for the best trigger at each number of cards, wherever it starts.'
            noted = [f"{counter.drift(decks)}. {rest}"]
        data = {"game": loaded.name, **asked, "decks": decks, "census": frame.to_dicts()}
        settings = {"game": loaded.digest, **asked, "decks": decks}
        page = report(loaded, data, frame, counter, noted, host.command, drawn)
        return self.published(host, page, frame, settings, noted)
