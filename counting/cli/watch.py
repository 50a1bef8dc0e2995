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

from counting.cli.asked import Handed, answered, asked, print_answer
from counting.cli.options import NO_NEGATIVE, SEVERAL, Whole
from counting.errors import InputError, whole
from counting.requests import AlertsRequest, WatchArguments, resumable

if TYPE_CHECKING:
    from counting.live import Input, LineAnswer, Watch, WatchSettings

ALLOWED = 0.01  # if a larger share of lines is unread, the exit status is 2
Say = Literal["text", "json", "none"]


@asked
def watch(
    request: WatchArguments,
    handed: Handed,
    *,
    journal: Path | None = None,
    alerts: Path | None = None,
    command: str | None = None,
    webhook: str | None = None,
    page: Path | None = None,
    refresh: Whole = 2,
    view: Annotated[bool, NO_NEGATIVE] = False,
    report: Annotated[list[Path] | None, SEVERAL] = None,
    out: Path | None = None,
    format: Say = "text",
) -> int:
    """
    Parameters
    ----------
    journal
        A file that keeps every line read and every alert, for a restart and as a record.
    alerts
        A file to which each alert is added as a line of JSON: a new file, or an earlier file of alerts.
    command
        A program to run for each alert: its path, or a JSON list of the path and arguments. The program reads the alert
        from its standard input as a line of JSON. No shell is used. An alert counts as given when the program has ended
        with status 0; otherwise the program is run again, up to three times in all.
    webhook
        An http or https URL to which each alert is posted as JSON; if this fails, the alert is posted again, up to
        three times in all.
    page
        A page of the tables. The file is written anew when the tables change, and reloads itself in a browser.
    refresh
        Seconds between two versions of the page or view.
    view
        Show the tables on this terminal.
    report
        Report on these journals, of one or more days, instead of watching. Prints, by rule and bet, the alerts, the
        coups after an alert, and the bet's wins on these coups against their exact chances. The only other options used
        are --also, --commission, --out, --format and the options of a page.
    out
        With --report: a folder that gets the page (report.html), its data (report.json) and the tables.
    format
        What is printed for each line or for a report: text, json or none.
    """
    if report is not None:
        asked = AlertsRequest(
            game=request.game, report=list(map(str, report)), also=request.also, commission=request.commission, out=out
        )
        return _report(asked, handed, format)
    handed.check(out)
    if out is not None:
        raise InputError(f"--out {out}: needs --report, journals of a watch")
    from counting.live import Alerts, Journal, command_of, files_beside, keep, run_watch, take_up

    whole(refresh, "--refresh", 1, 3600)
    settings, words = request.settings, command_of(command) if command is not None else []
    with ExitStack() as undo:
        watched, inputs = request.opened(undo)
        kept, read = None, request.files
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
            show = [each.show for each in shown]
            run_watch(watched, inputs, sent, kept, say, show, float(refresh), request.once, stop=stop)
            if kept is not None:
                keep(watched, kept)
            watched.end()
            status = _end(watched, inputs, comes_again=kept is not None and request.coups == "-")
            sent.close(stop, stop.twice)
        if stop():
            raise KeyboardInterrupt
        return status


def _report(request: AlertsRequest, handed: Handed, format: Say) -> int:
    """Print a report on the alerts in journals. Returns the exit status."""
    from counting.reports.alerts import PRINTED

    handed.check(request.out)
    answer = answered(request, handed)
    if format != "none":
        print_answer(answer, PRINTED, "table" if format == "text" else "json", lambda: answer.data["alerts"])
    return 0


class _Interrupts:
    """Counts the interrupts, by Ctrl-C or SIGTERM. After the first, the watch ends between two lines. After the second,
    it no longer waits for the commands of alerts."""

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
    """The page, the view on the terminal, or both."""

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
    """A function that reports the result of each line on stdout, and to the page and the view (`more`). It also prints
    on stderr how each input is read."""
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
    """Print how much was read. Returns the exit status: 2 if no line was read, or if more than the share `ALLOWED` of
    the lines was not read. `comes_again`: whether the input may have started over after a restart. If so, lines of
    finished shoes do not count as unread."""
    from counting.live import lines_counted

    print(f"counting: {lines_counted(watched)}", file=sys.stderr)
    if any(each.waits for each in inputs.values()):
        print("counting: the last line has no line break, and is not read until it has one", file=sys.stderr)
    if waiting := watched.waiting():
        begun = "1 coup has begun and is" if waiting == 1 else f"{waiting:,} coups have begun and are"
        print(f"counting: {begun} not complete; incomplete coups are not counted", file=sys.stderr)
    numbers = watched.numbers
    if not numbers and any(each.waits for each in inputs.values()):
        print("counting: if the file is one JSON value, use counting audit", file=sys.stderr)
    read = sum(numbers[did] for did in ("coup", "replaced", "late", "undone", "bet", "again", "out", "part"))
    lost = numbers["bad"] + numbers["nothing"] + (0 if comes_again else numbers["old"])
    if read == 0 or lost > ALLOWED * (read + lost):
        print(f"counting: {lost:,} of {read + lost:,} lines could not be read or placed", file=sys.stderr)
        return 2
    return 0
