"""The watch of tables while they deal: its arguments, and an iterator over its alerts."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from counting.errors import InputError, keyword, whole
from counting.numbers import hint, positive
from counting.requests.request import (
    Amount,
    Arguments,
    File,
    GameLike,
    Several,
    Share,
    Stream,
    Systems,
    Whole,
    Written,
    as_whole,
    asked_game,
    given_bets,
    given_texts,
    given_values,
)

if TYPE_CHECKING:
    import polars as pl

    from counting.games import Game
    from counting.live import Input, Watch, WatchSettings
    from counting.logs import Layout

_PAUSE = 0.02  # seconds between two reads of the inputs


@dataclass(frozen=True, kw_only=True)
class WatchArguments(Arguments):
    """Watch tables while they deal: get the exact edge of every bet after every coup, and alerts by rule.

    Follows a growing file or standard input, with one table or many. The command prints alerts on standard error. With
    a journal, the same command resumes a watch that was stopped or killed.

    Example: counting watch ez-baccarat --coups live.jsonl --rule "edge > 2% for dragon-7" --journal pit.journal

    Example: counting watch ez-baccarat --coups live.jsonl --system dragon-7 --page tables.html

    Parameters
    ----------
    game
        The game that is dealt: its name or the path of a TOML file.
    coups
        The file of coups, or - for standard input. The file is CSV, JSON lines, lines of text (with a layout) or frames
        in hex. JSON lines may hold bets too (records with patron, bet and amount). They may also hold corrections:
        {"undo": true, "table": .., "shoe": .., "coup": ..} deletes a coup, and a coup with the number of an earlier
        coup replaces that coup.
    bets
        The file of bets, if bets are not among the coups' lines.
    layout
        How the log is laid out: a shipped layout by name or a TOML file; by default the layout that reads most cards of
        the first lines. For a log of cards by value, and for frames, give the layout's name. If the layout has a
        separate file with a row per card (card_rows), that file is followed too.
    decks
        Decks in the shoe, if the log has no column decks; by default the game's.
    commission
        Banker's commission, as 2.5%; by default the game's.
    also
        Further bets that the tables offer, as dragon-7: from the catalog or written out, as for `counting edges`.
    system
        Counting systems to keep: names or TOML files. Cards burned unseen count as unseen.
    rule
        When to alert: conditions joined by "and", for all bets or for named bets, as "edge > 0.02 for dragon-7".
        Conditions on a shoe are on edge, worth (with --most-bet), cards (unseen), and trigger SYSTEM. Conditions on a
        placed bet are on stake (in money), raise, bets (how many times the patron made this bet in the shoe) and
        positive (the share of these bets that had a positive edge). A raise is the stake divided by the median of the
        patron's earlier stakes on the bet in the shoe, if there are three or more. An alert is given when a rule begins
        to hold for a table and bet, or for a patron and bet, and again in a new shoe.
    most_bet
        The largest allowed bet, in the log's money: 500 for all bets, dragon-7=100 for one bet.
    raised
        A stake of at least this multiple of the patron's median stake is reported as a raise.
    level
        The largest chance that this watch ever names an honest patron as a patron who seems to know coming cards. An
        honest patron knows only past cards. The chance holds if every bet is placed before its coup is dealt. With 0,
        nobody is named.
    once
        Read the lines that the files have now, and stop.
    from_end
        Skip the lines that the files have now, and begin with the next ones. The shoes on the tables are then only
        partly known.
    """

    game: GameLike = field(kw_only=False)
    coups: Stream | None = None
    bets: File | None = None
    layout: File | None = None
    decks: Whole | None = None
    commission: Written | None = None
    also: Several | None = None
    system: Systems | None = None
    rule: Several | None = None
    most_bet: Several | None = None
    raised: Amount = 2.0
    level: Share = 0.01
    once: bool = False
    from_end: bool = False

    @cached_property
    def settings(self) -> WatchSettings:
        """The settings of the watch. Raises `InputError` for the first argument with a mistake."""
        from counting.live import WatchSettings, parse_rules
        from counting.systems import as_system

        if not 1 < self.raised < 1e6:
            raise InputError(f"{keyword('raised')}: {self.raised:g}, should be a number above 1")
        game, _ = given_bets(self.also, "also", asked_game(self.game, self.commission))
        systems = tuple(map(as_system, given_values(self.system, "system")))
        limits = _limits(given_texts(self.most_bet, "most_bet"), game)
        rules = parse_rules(given_texts(self.rule, "rule"), game, systems, bool(limits))
        decks = whole(game.dealt_from(as_whole(self.decks, "decks")), keyword("decks"), 1, 27)
        return WatchSettings(game, decks, systems, rules, limits, self.raised, self.level)

    @cached_property
    def read_by(self) -> Layout | None:
        """The named layout; None without a name."""
        from counting.logs import load_layout

        return None if self.layout is None else load_layout(self.layout)

    @cached_property
    def names(self) -> dict[int, str]:
        """The path of each input, by the input's number, or `-` for standard input."""
        from counting.live import BETS, COUPS

        if self.coups is None:
            raise InputError(f"{keyword('coups')}: missing, should be a file, or - for standard input")
        cards = _cards_of(str(self.coups), self.read_by)
        return {COUPS: str(self.coups)} | cards | ({} if self.bets is None else {BETS: str(self.bets)})

    @property
    def files(self) -> list[str | Path]:
        """All files that the watch reads."""
        given = (self.game, self.layout, *self.names.values(), *given_values(self.system, "system"))
        return [name for name in given if isinstance(name, str | Path)]

    def opened(self, undo: ExitStack) -> tuple[Watch, dict[int, Input]]:
        """The watch and its inputs. Closing `undo` closes the inputs."""
        from counting.live import BETS, COUPS, Watch, open_input

        watch, inputs = Watch(self.settings, self.read_by, self.names), {}
        of_layout = {COUPS: "file", BETS: "bets_file"}
        for of, name in self.names.items():
            form = getattr(self.read_by, of_layout.get(of, ""), None)
            inputs[of] = open_input(name, of, self.from_end, None if form is None else form.encoding)
            undo.callback(inputs[of].close)
        return watch, inputs


def _cards_of(coups: str, layout: Layout | None) -> dict[int, str]:
    """The path of the file with a row for each card, by the number of this input. Empty if the layout has no such
    file."""
    from counting.live import CARDS
    from counting.logs import cards_beside

    if layout is None or layout.card_rows is None or not layout.card_rows.is_apart:
        return {}
    path = cards_beside(Path(coups), layout.card_rows) if coups != "-" else None
    if path is None:
        raise InputError(
            f"{keyword('coups')} {coups}: a layout whose cards have a table of their own (card_rows), should be the "
            "path of a file of coups, with the file of the cards beside it"
        )
    return {CARDS: str(path)}


def _limits(texts: Sequence[str], game: Game) -> dict[str, float]:
    """The largest allowed stake on each bet that has a limit."""
    limits: dict[str, float] = {}
    for text in texts:
        name, mark, amount = text.rpartition("=")
        try:
            most = float(positive(amount, keyword("most_bet")))
        except InputError:
            raise InputError(
                f"{keyword('most_bet')} {text}: should be an amount as 500, or one bet's as dragon-7=100{hint(amount)}"
            ) from None
        if not mark:
            limits = dict.fromkeys(game.bet_names, most) | limits
        else:
            limits[game.bet(game.bet_name(game.main_bet(name))).name] = most
    return limits


class LiveAlerts:
    """The alerts of a watch. Iterate over this object to get the alerts as they come. Each alert is a dictionary, like
    a line of the command's `--alerts` file. The iterator waits for more lines until `stop` is called or standard input
    ends; with `once` it ends after the lines that the files have now."""

    def __init__(self, asked: WatchArguments) -> None:
        self._undo, self._asked, self._stopped = ExitStack(), asked, False
        self._watch, self._inputs = asked.opened(self._undo)
        self._alerts = self._follow()

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        return self._alerts

    def __next__(self) -> Mapping[str, Any]:
        return next(self._alerts)

    def _follow(self) -> Iterator[Mapping[str, Any]]:
        with self._undo:
            while True:
                lines = [line for source in self._inputs.values() for line in source.read()]
                for answers in self._watch.turns(lines):
                    for answer in answers:
                        yield from answer.alerts
                idle = not lines and all(
                    each.over or (self._asked.once and each.idle) for each in self._inputs.values()
                )
                if self._stopped or idle:
                    break
                if not lines:
                    time.sleep(_PAUSE)
            if not self._stopped:
                self._watch.end()

    def stop(self) -> None:
        """End the watch. The iteration ends after the lines that have been read."""
        self._stopped = True

    def tables(self) -> pl.DataFrame:
        """The tables now, the largest edge first: shoe, last coup, cards left, the best bet and its edge."""
        import polars as pl

        from counting.live import table_rows

        return pl.DataFrame([row._asdict() for row in table_rows(self._watch)], infer_schema_length=None)

    @property
    def read(self) -> str:
        """How much was read, in words."""
        from counting.live import lines_counted

        return lines_counted(self._watch)

    def __repr__(self) -> str:
        return f"<Watch of {', '.join(self._asked.names.values())}: {self.read}>"
