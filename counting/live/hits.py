"""What alerts were worth: how often a rule's bet won on the coups dealt while the rule held, compared with exact
chances.

A journal has a record of every line that a watch read. So the watch's tables can be followed again: the cards seen
before each coup, the rules that held then, and the alerts. Before a coup the unseen cards are in random order. A bet's
chance to win the coup can therefore be worked out exactly, whatever was dealt before.

A coup counts for a rule and a bet if the rule held for the bet before the coup was dealt. A rule may also be about the
bets that patrons place. For such a rule, a coup counts if an alert about a bet on this coup was given before the coup
was dealt, and was not withdrawn by then. If a coup was corrected, it counts with the last correction's cards. It counts
only once, however often the log or another journal repeats it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from counting.arrays import Floats
from counting.cards import Knows
from counting.errors import InputError
from counting.exact import required_detail, win_chances
from counting.games import Game
from counting.live.journal import FORM, read_journal
from counting.live.judging import Judge, WatchSettings
from counting.live.prices import Prices
from counting.live.records import Record, recorded_event
from counting.live.rules import parse_rules
from counting.live.shoes import CODES, LiveShoe, Seen
from counting.live.tables import LiveTables
from counting.review import CoupsShown, holm, may_have_paid, wins_tails
from counting.systems import System

_AT_ONCE = 4096  # states that are priced at a time
_COUPS = {
    "journal": pl.String, "table": pl.String, "shoe": pl.String, "coup": pl.Int64, "rule": pl.String, "bet": pl.String,
    "chance": pl.Float64, "edge": pl.Float64, "won": pl.Boolean, "paid": pl.Float64,
}  # fmt: skip
_ALERTS = dict.fromkeys(("journal", "table", "rule", "bet"), pl.String) | {"withdrawn": pl.Boolean}
_NOTHING: Seen = [0] * CODES
OF = ("rule", "bet")

RuleAndBet = tuple[str, str]


class JournalRead(NamedTuple):
    """A journal: the name of its file, the digest of its last record, and the number of its records."""

    name: str
    digest: str
    records: int


@dataclass(frozen=True, eq=False)
class AlertHits:
    """What the alerts of journals were worth.

    `coups` has a row for each coup dealt while a rule held, with the rule and the bet:

    - `chance` and `edge`: the exact chance that the bet won, and its edge
    - `won`: whether it won
    - `paid`: what it paid per unit; null if this depends on an unread card

    The other fields are:

    - `alerts`: a row for each alert about a bet, and for each withdrawal of an alert
    - `left_out`: the number of rows left out of `coups`, by reason
    - `other`: the number of alerts that are about no bet, by rule"""

    game: Game
    journals: tuple[JournalRead, ...]
    coups: pl.DataFrame
    alerts: pl.DataFrame
    left_out: dict[str, int]
    other: dict[str, int]

    @cached_property
    def by_rule(self) -> pl.DataFrame:
        """A row for each rule and bet with alerts or coups.

        - `alerts` and `withdrawn`: alerts that were given, and how many of them were withdrawn after a correction
        - `coups` and `wins`
        - `expected` and `sd`: the expected wins and their standard deviation
        - `z`: how far the wins are from their expected number, in standard deviations
        - `expected_units` and `units`: what one unit bet on each coup was expected to win in all, and what it won; both
          are null without coups, and `units` also if a coup's payment is not known
        - `p`: twice the smaller tail, at most 1; null without coups
        - `p_holm`: the p-value, adjusted for the number of rows (Holm's method)

        One tail is the chance of `wins` wins or fewer, the other is the chance of `wins` wins or more. Both assume that
        coups are won independently, each with its exact chance."""
        rows = self.summed(OF)
        tails = [self._p(row) for row in rows.select(*OF, "coups", "wins").iter_rows(named=True)]
        tested = np.array([p is not None for p in tails], bool)
        adjusted = np.full(len(tails), np.nan)
        adjusted[tested] = holm(np.array([p for p in tails if p is not None]))
        return rows.with_columns(
            pl.Series("p", tails, pl.Float64), pl.Series("p_holm", adjusted, pl.Float64).fill_nan(None)
        )

    def _p(self, row: Record) -> float | None:
        if not row["coups"]:
            return None
        of_row = self.coups.filter(pl.col("rule") == row["rule"], pl.col("bet") == row["bet"])
        return min(1.0, 2 * min(wins_tails(of_row["chance"].to_numpy(), row["wins"])))

    def summed(self, keys: Sequence[str]) -> pl.DataFrame:
        """The columns of `by_rule` without the p-values: a row for each combination of values in the columns `keys`."""
        spread = (pl.col("chance") * (1 - pl.col("chance"))).sum().sqrt()
        played = self.coups.group_by(keys).agg(
            pl.len().cast(pl.Int64).alias("coups"), pl.col("won").sum().cast(pl.Int64).alias("wins"),
            pl.col("chance").sum().alias("expected"), spread.alias("sd"),
            pl.col("edge").sum().alias("expected_units"),
            pl.when(pl.col("paid").null_count() == 0).then(pl.col("paid").sum()).alias("units"),
        )  # fmt: skip
        given = self.alerts.group_by(keys).agg(
            (~pl.col("withdrawn")).sum().cast(pl.Int64).alias("alerts"),
            pl.col("withdrawn").sum().cast(pl.Int64).alias("withdrawn"),
        )
        both = given.join(played, keys, "full", coalesce=True).sort(keys)
        counts = ("alerts", "withdrawn", "coups", "wins")
        return both.select(
            *keys, *(pl.col(name).fill_null(0) for name in counts),
            *(pl.col(name).fill_null(0.0) for name in ("expected", "sd")),
            pl.when(pl.col("sd") > 0).then((pl.col("wins") - pl.col("expected")) / pl.col("sd")).alias("z"),
            "expected_units", "units",
        )  # fmt: skip


def alert_hits(game: Game, paths: Sequence[Path]) -> AlertHits:
    """What the alerts of these journals were worth.

    Raises `InputError` for a file that is not a journal, for a changed record, and for a journal of another form or
    game.
    """
    named = Counter(path.name for path in paths)
    known: set[tuple[bytes, RuleAndBet]] = set()
    left_out: Counter[str] = Counter()
    other: Counter[str] = Counter()
    journals, rows, alerts = [], [], []
    for path in paths:
        journal = _Followed(game, path, path.name if named[path.name] == 1 else str(path))
        rows += journal.rows(known, left_out)
        alerts += [
            (journal.name, alert["table"], alert["rule"], alert["bet"], "withdrawn" in alert)
            for alert in journal.alerts
        ]
        other += journal.other
        journals.append(JournalRead(journal.name, journal.digest, journal.records))
    return AlertHits(
        game,
        tuple(journals),
        pl.DataFrame(rows, _COUPS, orient="row"),
        pl.DataFrame(alerts, _ALERTS, orient="row"),
        {why: number for why, number in left_out.items() if number},
        dict(other),
    )


class _Coup(NamedTuple):
    """A coup that was dealt.

    - `seen`: the cards seen before it; None before a shoe's first coup
    - `of_bets`: the rules and bets with an alert on the coup"""

    table: str
    shoe: LiveShoe
    number: int
    seen: Seen | None
    decks: int | None
    of_bets: frozenset[RuleAndBet]


class _Followed:
    """A journal that is followed again: its alerts on bets, and its coups. A shoe's first coup is left out, unless an
    alert is about a bet on this coup."""

    def __init__(self, game: Game, path: Path, name: str) -> None:
        self.game, self.name = game, name
        self.alerts: list[Record] = []
        self.other: Counter[str] = Counter()  # alerts that are about no bet, by rule
        self.records, self.digest = 0, ""
        self._tables = LiveTables()
        self._coups: list[_Coup] = []
        self._now: dict[LiveShoe, Seen] = {}  # the cards seen of each shoe, after its last record
        self._bets: dict[tuple[LiveShoe, int], set[RuleAndBet]] = {}  # for each coming coup: rules and bets with alerts
        self._settings: WatchSettings | None = None
        for record in read_journal(path):
            self.records, self.digest = self.records + 1, record["digest"]
            if self._settings is None:
                self._settings = _settings_of(game, record, path)
            else:
                self._follow(record)
        if self._settings is None:
            raise InputError(f"{path}: empty, should be a journal of counting watch (--journal)")

    def _follow(self, record: Record) -> None:
        event = recorded_event(record)
        alerts = [alert for alert in record.get("alerts", ()) if "bet" in alert]
        self.alerts += alerts
        self.other.update(alert["rule"] for alert in record.get("alerts", ()) if "bet" not in alert)
        if event is None:
            return
        change = self._tables.change(event)
        shoe, number = change.shoe, change.number
        if change.did == "coup":
            of_bets, seen = frozenset(self._bets.pop((shoe, number), ())), self._now.get(shoe)
            if of_bets or seen is not None:
                self._coups.append(_Coup(change.table, shoe, number, seen, shoe.decks, of_bets))
        if change.did != "bet":
            self._now.pop(shoe, None)
            if shoe.coups:
                self._now[shoe] = shoe.seen.copy()
        for alert in alerts:
            if alert.get("coup", 0) > shoe.last:
                waiting = self._bets.setdefault((shoe, alert["coup"]), set())
                (waiting.discard if "withdrawn" in alert else waiting.add)((alert["rule"], alert["bet"]))

    def rows(self, known: set[tuple[bytes, RuleAndBet]], left_out: Counter[str]) -> list[tuple[Any, ...]]:
        """The rows of `AlertHits.coups` from this journal. `known` holds the coups that count already, each as a digest
        of the cards with a rule and a bet. The new coups are added to `known`."""
        assert self._settings is not None
        prices = Prices(self.game, self._settings.decks, self._settings.systems)
        judge, chances = Judge(self._settings, prices), _WinChances(prices)
        texts, prefixes = [rule.text for rule in self._settings.rules], dict[LiveShoe, dict[int, bytes]]()
        rows: list[tuple[Any, ...]] = []
        for start in range(0, len(self._coups), _AT_ONCE):
            coups = self._coups[start : start + _AT_ONCE]
            held: list[tuple[int, RuleAndBet, float]] = []
            states = prices.of([coup.seen or _NOTHING for coup in coups], [coup.decks for coup in coups])
            for i, (coup, state) in enumerate(zip(coups, states, strict=True)):
                by_shoe = set() if coup.seen is None else {(texts[rule], bet) for rule, bet in judge.holding(state)}
                if not (holding := by_shoe | coup.of_bets):
                    continue
                if coup.number not in coup.shoe.coups:
                    left_out["taken back later"] += len(holding)
                    continue
                if coup.shoe not in prefixes:
                    prefixes[coup.shoe] = _prefixes(coup.shoe)
                cards = prefixes[coup.shoe][coup.number]
                left_out["logged before"] += sum((cards, of) in known for of in holding)
                new = sorted(of for of in holding if (cards, of) not in known)
                known |= {(cards, of) for of in new}
                held += [(i, of, state.edges[prices.place[of[1]]]) for of in new]
            rows += self._settled(coups, held, chances.of([coups[i] for i, _, _ in held]), left_out)
        return rows

    def _settled(
        self, coups: Sequence[_Coup], held: Sequence[tuple[int, RuleAndBet, float]], chances: Floats,
        left_out: Counter[str],
    ) -> Iterable[tuple[Any, ...]]:  # fmt: skip
        if not held:
            return
        bets = [bet for _, (_, bet), _ in held]
        codes = np.array([coups[i].shoe.coups[coups[i].number].codes for i, _, _ in held], np.int8)
        shown, every = CoupsShown.of_codes(codes), slice(0, len(codes))
        pays = {bet: may_have_paid(shown, every, self.game, bet) for bet in dict.fromkeys(bets)}
        for row, (i, (rule, bet), edge) in enumerate(held):
            least, most = (float(pay[row]) for pay in pays[bet])
            chance = float(chances[row, self.game.bet_names.index(bet)])
            if np.isnan(chance):
                left_out["chance not known"] += 1
            elif least <= 0 < most:
                left_out["result not known"] += 1
            else:
                coup, paid = coups[i], least if least == most else None
                yield (
                    self.name, coup.table, coup.shoe.name, coup.number, rule, bet, chance, edge, least > 0, paid
                )  # fmt: skip


class _WinChances:
    """The exact chance of each bet to win the next coup of a shoe."""

    def __init__(self, prices: Prices) -> None:
        self._prices = prices
        game = prices.game
        by: dict[Knows, list[int]] = {}
        for number, bet in enumerate(game.bets):
            by.setdefault(required_detail(bet), []).append(number)
        self._parts = [
            (knows, [numbers[place] for place in part.places], part)
            for knows, numbers in by.items()
            for part in win_chances(game.tableau, [game.bets[number] for number in numbers])
        ]

    def of(self, coups: Sequence[_Coup]) -> Floats:
        """The chance of each bet to win each of these coups (coups, bets). NaN if a chance cannot be known."""
        chances = np.full((len(coups), len(self._prices.bets)), np.nan)
        if not coups:
            return chances
        seen = np.array([coup.seen or _NOTHING for coup in coups], np.int32)
        decks = np.array([coup.decks or self._prices.decks for coup in coups], np.int32)
        for knows, places, part in self._parts:
            left = self._prices.left(seen, decks, knows)
            rows = np.flatnonzero(self._prices.fits(seen, left, knows))
            chances[np.ix_(rows, np.array(places))] = part.edges(np.ascontiguousarray(left[rows]))
        return chances


def _settings_of(game: Game, record: Record, path: Path) -> WatchSettings:
    """The settings of the watch that wrote a journal. `record` is the journal's first record."""
    if record.get("watch") != FORM:
        raise InputError(f"{path}: of another version of counting watch, should be a journal of form {FORM}")
    if record["game"] != game.digest:
        raise InputError(
            f"{path}: a watch of another game, or with other bets (--also) or another commission (--commission), "
            f"should be a watch of {game.name}, digest {game.digest[:16]}"
        )
    systems = tuple(System.from_dict(each) for each in record["systems"])
    limits = record["most_bet"]
    rules = parse_rules(record["rules"], game, systems, bool(limits))
    return WatchSettings(game, record["decks"], systems, rules, limits, record["raised"], record["level"])


def _prefixes(shoe: LiveShoe) -> dict[int, bytes]:
    """For each coup, by its number, a digest of the hands in the shoe up to this coup. It is practically impossible
    that two different shoes have equal digests."""
    digest, prefixes = blake2b(digest_size=16), {}
    for number in sorted(shoe.coups):
        digest.update(repr((number, shoe.coups[number].player, shoe.coups[number].banker)).encode())
        prefixes[number] = digest.copy().digest()
    return prefixes
