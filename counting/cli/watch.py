"""The command that watches tables while they deal."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, Protocol

from cyclopts import Parameter

from counting.cli.options import NO_NEGATIVE, SEVERAL, SYSTEMS, Amount, GameName, Share, Whole, option_values
from counting.errors import InputError, whole
from counting.numbers import hint, positive
from counting.requests import resumable

if TYPE_CHECKING:
    from counting.games import Game
    from counting.live import Input, LineAnswer, Watch, WatchSettings
    from counting.logs import Layout

ALLOWED = 0.01  # of lines not read, before the exit status says so
Say = Literal["text", "json", "none"]


def watch(
    game: GameName,
    *,
    coups: Annotated[str, Parameter(allow_leading_hyphen=True)],
    bets: Path | None = None,
    layout: str | None = None,
    decks: Whole | None = None,
    also: Annotated[list[str] | None, SEVERAL] = None,
    system: Annotated[list[str] | None, SYSTEMS] = None,
    rule: Annotated[list[str] | None, SEVERAL] = None,
    most_bet: Annotated[list[str] | None, SEVERAL] = None,
    raised: Amount = 2.0,
    level: Share = 0.01,
    journal: Path | None = None,
    alerts: Path | None = None,
    command: str | None = None,
    webhook: str | None = None,
    page: Path | None = None,
    refresh: Whole = 2,
    view: Annotated[bool, NO_NEGATIVE] = False,
    once: Annotated[bool, NO_NEGATIVE] = False,
    from_end: Annotated[bool, NO_NEGATIVE] = False,
    format: Say = "text",
) -> int:
    """Watch tables while they deal: after every coup the exact edge of every bet, and alerts by rule.

    Follows a growing file or standard input, one table or many. Alerts go to standard error. With --journal a watch
    that is stopped or killed goes on where it was: the same command again.

    Example: counting watch ez-baccarat --coups live.jsonl --rule "edge > 2% for dragon-7" --journal pit.journal

    Example: counting watch ez-baccarat --coups live.jsonl --system dragon-7 --page tables.html

    Parameters
    ----------
    game
        The game that is dealt: its name or the path of a TOML file.
    coups
        The coups: a CSV file, JSON lines or frames in hex, or - for standard input. JSON lines may hold bets too,
        records with patron, bet and amount, and corrections: {"undo": true, "table": .., "shoe": .., "coup": ..} takes
        a coup back, a coup with the number of an earlier one replaces it.
    bets
        The bets, where they are a file of their own.
    layout
        How the log is laid out: a shipped layout by name or a TOML file; by default the one that reads most of the
        first lines. Name it for a log of cards by value, and for frames. The file of a layout with a row per card
        (card_rows) is followed too.
    decks
        Decks in the shoe where the log has no column decks; by default the game's.
    also
        Bets of the catalog that the tables offer besides.
    system
        Counting systems to keep: names or TOML files. Cards burned unseen are counted as unseen.
    rule
        When to alert: conditions joined by and, for all bets or for those named: "edge > 0.02 for dragon-7". Of a shoe:
        edge, worth (with --most-bet), cards (unseen), and trigger SYSTEM. Of a bet placed: stake, raise (times the
        median of the patron's three or more earlier stakes on it in the shoe), bets (the patron's on it in the shoe)
        and positive (the share of these at a positive edge). An alert is given when a rule begins to hold for a table
        and bet, or for a patron and bet, and again in a new shoe.
    most_bet
        The largest allowed bet, in the log's money: 500 for all bets, dragon-7=100 for one.
    raised
        A stake that is at least this many times the patron's median is reported as a raise.
    level
        The chance that this watch ever names a patron who knows past cards only as one who seems to know the coming
        cards, if every bet is placed before its coup is dealt. 0 names nobody.
    journal
        A file that keeps every line read and every alert, for a restart and as a record.
    alerts
        A file to which alerts are added, a line of JSON each: a new one, or one of alerts.
    command
        A program to run for each alert, with the alert on its standard input, a line of JSON: its path, or a JSON list
        of the path and arguments. No shell is used. An alert counts as given when the program has ended with status 0;
        it is tried three times.
    webhook
        An http or https URL to which each alert is posted as JSON, with three tries.
    page
        A page of the tables, written anew as they change, which loads itself anew in a browser.
    refresh
        Seconds between two versions of the page or view.
    view
        Show the tables on this terminal.
    once
        Read what is there and stop.
    from_end
        Begin with what comes from now on; shoes on the tables are then known in part.
    format
        What is printed for each line: text, json or none.
    """
    from counting.games import load_game
    from counting.live import (
        BETS,
        COUPS,
        Alerts,
        Journal,
        Watch,
        WatchSettings,
        command_of,
        files_beside,
        keep,
        open_input,
        parse_rules,
        run_watch,
        take_up,
    )
    from counting.logs import load_layout
    from counting.systems import load_system

    whole(refresh, "--refresh", 1, 3600)
    if not 1 < raised < 1e6:
        raise InputError(f"--raised: {raised:g}, should be a number above 1")
    loaded = load_game(game).also(option_values(also, "--also"))
    systems = tuple(map(load_system, option_values(system, "--system")))
    limits = _limits(option_values(most_bet, "--most-bet"), loaded)
    rules = parse_rules(option_values(rule, "--rule"), loaded, systems, bool(limits))
    in_decks = whole(loaded.dealt_from(decks), "--decks", 1, 27)
    settings = WatchSettings(loaded, in_decks, systems, rules, limits, raised, level)
    chosen = load_layout(layout) if layout is not None else None
    words = command_of(command) if command is not None else []
    names = {COUPS: coups} | _cards_of(coups, chosen) | ({} if bets is None else {BETS: str(bets)})
    watched = Watch(settings, chosen, names)
    with ExitStack() as undo:
        inputs: dict[int, Input] = {}
        for of, name in names.items():
            inputs[of] = open_input(name, of, from_end, _encoding_of(of, chosen))
            undo.callback(inputs[of].close)
        kept = None
        read: list[str | Path] = [
            name for name in (game, layout, *names.values(), *option_values(system, "--system")) if name is not None
        ]
        if journal is not None:
            undo.enter_context(resumable())
            kept = Journal(journal, settings.to_dict(), read)
            undo.callback(kept.close)
        beside = {} if journal is None else files_beside(journal)
        files = [*read, *([] if journal is None else [journal, *beside.values()])]
        sent = Alerts(alerts, words, beside.get("told"), _to_stderr, _now, webhook, files)
        undo.callback(sent.close)
        shown = _shown(undo, page, refresh, view, settings, [*files, *([] if alerts is None else [alerts])])
        if kept is not None:
            take_up(watched, kept, inputs, sent)
        with _stopped() as stop:
            say = _teller(format, watched, [each.add for each in shown], quiet=view)
            run_watch(watched, inputs, sent, kept, say, [each.show for each in shown], float(refresh), once, stop=stop)
            if kept is not None:
                keep(watched, kept)
            watched.end()
            status = _end(watched, inputs, comes_again=kept is not None and coups == "-")
            sent.close(stop, stop.twice)
        if stop():
            raise KeyboardInterrupt
        return status


def _cards_of(coups: str, layout: Layout | None) -> dict[int, str]:
    """The file with a row a card, of a layout that has one, by its input."""
    from counting.live import CARDS
    from counting.logs import cards_beside

    if layout is None or layout.card_rows is None or not layout.card_rows.is_apart:
        return {}
    path = cards_beside(Path(coups), layout.card_rows) if coups != "-" else None
    if path is None:
        raise InputError(
            f"--coups {coups}: a layout whose cards have a table of their own (card_rows), should be the path of a "
            "file of coups, with the file of the cards beside it"
        )
    return {CARDS: str(path)}


def _encoding_of(of: int, layout: Layout | None) -> str | None:
    """The encoding of an input by the layout."""
    from counting.live import BETS, COUPS

    form = None if layout is None else {COUPS: layout.file, BETS: layout.bets_file}.get(of)
    return None if form is None else form.encoding


def _limits(texts: Sequence[str], game: Game) -> dict[str, float]:
    """The largest allowed bet on each bet that has one."""
    limits: dict[str, float] = {}
    for text in texts:
        name, mark, amount = text.rpartition("=")
        try:
            most = float(positive(amount, "--most-bet"))
        except InputError:
            raise InputError(
                f"--most-bet {text}: should be an amount as 500, or one bet's as dragon-7=100{hint(amount)}"
            ) from None
        if not mark:
            limits = dict.fromkeys(game.bet_names, most) | limits
        else:
            limits[game.bet(game.main_bet(name)).name] = most
    return limits


class _Interrupts:
    """How often Ctrl-C or SIGTERM came: the watch ends between two lines, and at the second waits for no command."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> bool:
        return self.times > 0

    def twice(self) -> bool:
        return self.times > 1


@contextmanager
def _stopped() -> Iterator[_Interrupts]:
    stop = _Interrupts()

    def count(*_: object) -> None:
        stop.times += 1

    numbers = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.signal(number, count) for number in numbers}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class _Display(Protocol):
    """The page or the view."""

    def add(self, answer: LineAnswer) -> None: ...

    def show(self, watch: Watch) -> None: ...


def _shown(
    undo: ExitStack, page: Path | None, refresh: int, view: bool, settings: WatchSettings, others: Sequence[Path | str]
) -> list[_Display]:
    shown: list[_Display] = []
    if page is not None:
        from counting.reports.watch import Page

        drawn = Page(page, refresh, _now, _to_stderr, others)
        undo.callback(drawn.close)
        shown.append(drawn)
    if view:
        from counting.live import TerminalView

        shown.append(undo.enter_context(TerminalView(settings)))
    return shown


def _teller(
    format: Say, watched: Watch, more: list[Callable[[LineAnswer], object]], quiet: bool
) -> Callable[[LineAnswer], object]:
    """Says what each line did: on stdout, and to the page and the view; on stderr how an input is read."""
    from counting.live import answer_data, line_words

    def say(answer: LineAnswer) -> None:
        if answer.record["did"] == "reads":
            for look in watched.looks(answer.record["input"]):
                _to_stderr(f"counting: {look}")
        for each in more:
            each(answer)
        if format == "json" and answer.record["did"] not in ("blank", "reads", "part"):
            sys.stdout.write(json.dumps(answer_data(answer, watched), ensure_ascii=False) + "\n")
            sys.stdout.flush()
        elif format == "text" and not quiet:
            text = line_words(answer, watched.settings)
            if text is not None:
                print(text, flush=True)

    return say


def _to_stderr(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _now() -> str:
    return datetime.now().astimezone().isoformat(" ", "seconds")


def _end(watched: Watch, inputs: Mapping[int, Input], comes_again: bool) -> int:
    """The last line: how much was read. Exit status 2 if a hundredth of the lines or more was not, or none was.
    `comes_again`: after a restart the input may begin anew, with lines of shoes that are over."""
    from counting.live import lines_counted

    print(f"counting: {lines_counted(watched)}", file=sys.stderr)
    if any(each.waits for each in inputs.values()):
        print("counting: the last line has no line break: it is not read until it has one", file=sys.stderr)
    if waiting := watched.waiting():
        begun = "1 coup has begun and is" if waiting == 1 else f"{waiting:,} coups have begun and are"
        print(f"counting: {begun} not complete: not counted", file=sys.stderr)
    numbers = watched.numbers
    if not numbers and any(each.waits for each in inputs.values()):
        print("counting: for a file that is one JSON value see counting audit", file=sys.stderr)
    read = sum(numbers[did] for did in ("coup", "replaced", "late", "undone", "bet", "again", "out", "part"))
    lost = numbers["bad"] + numbers["nothing"] + (0 if comes_again else numbers["old"])
    if read == 0 or lost > ALLOWED * (read + lost):
        print(f"counting: {lost:,} of {read + lost:,} lines could not be read or placed", file=sys.stderr)
        return 2
    return 0
