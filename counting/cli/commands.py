"""The command line and its commands. Data are printed on stdout, and lines for a person on stderr.

For bad input, a line is printed for each mistake, and the exit status is 2. If several options are unknown, only the
first gets a line. The module of a command is imported only when the command is given. So `--help` starts quickly, and
`edges` loads neither polars nor matplotlib.
"""

from __future__ import annotations

import atexit
import errno
import gc
import io
import os
import shlex
import sys
from collections.abc import Sequence

from cyclopts import App, Argument, CycloptsError, Group, MissingArgumentError, UnknownOptionError, UnusedCliTokensError

from counting.cli.help import Help
from counting.errors import InputError, nearest, on_the_command_line, printable, refuse_other_encoding

COMMANDS = {  # the function of each command, and its line in --help
    "games": ("catalog:games", "List the games that come with the toolkit."),
    "bets": (
        "catalog:bets",
        "List the catalog's bets by family, with house edge, hit frequency and standard deviation in a game.",
    ),
    "systems": (
        "catalog:systems",
        "List the library of counting systems: published counts, and the project's own counts of levels 1 to 4, for "
        "each bet on which a count wins anything.",
    ),
    "edges": (
        "exact:edges",
        "The exact edge of every bet, and the exact count of every event, on a full or partial shoe.",
    ),
    "calculator": (
        "calculator:calculator",
        "Write a calculator as one HTML file: tap the cards, read the exact edge of every bet and the counts, offline.",
    ),
    "lightning": (
        "lightning:lightning",
        "Lightning multipliers: the exact edge of every bet after the fee, on a full or partial shoe.",
    ),
    "effects": (
        "exact:effects",
        "Effects of removal (EOR) on a bet, the best counts for it, and roughly what they win.",
    ),
    "export": (
        "reports:export",
        "Write rules, weights, counts and edges as plain CSV with digests.",
    ),
    "simulate": (
        "simulation:simulate",
        "Deal coups, and compare the frequencies of events and the house edges with the exact values.",
    ),
    "census": (
        "census:census",
        "The exact distribution of a bet's edge with n random cards left unseen, over every composition.",
    ),
    "estimate": (
        "simulation:estimate",
        "Estimate how often a bet's edge is positive, and what this is worth to a counter, with more cards than a "
        "census allows.",
    ),
    "sweep": (
        "sweep:sweep",
        "Play shoes, price every bet exactly at every coup, keep the results as Parquet, and print a summary.",
    ),
    "summary": (
        "sweep:summary",
        "Summarise a finished sweep by bet, counting system, penetration or cards left, or check its dealing.",
    ),
    "score": (
        "sweep:score",
        "What each counter of a finished sweep bets and wins, with its spread, and what this means for a bankroll.",
    ),
    "study": (
        "reports:study",
        "Study a game: exact edges, a sweep of shoes, its summary, figures, and a page to read.",
    ),
    "report": (
        "reports:report",
        "Write the page of a finished sweep, with its tables, figures and JSON file, as `study` does.",
    ),
    "vulnerability": (
        "reports:vulnerability",
        "A bet's vulnerability report: every count for the bet side by side, with a plot.",
    ),
    "limits": (
        "limits:limits",
        "Which cut card, main-bet requirement and largest bet keep counters under a bound, and the cheapest of these "
        "rules.",
    ),
    "statement": (
        "limits:statement",
        "A one-page statement on house rules: what counters can win under them, to be reviewed and signed.",
    ),
    "compare": (
        "limits:compare",
        "Two sets of house rules side by side: what changes for a counter, and how theoretical win changes.",
    ),
    "trip": (
        "trip:trip",
        "Is a patron's result unusual, and what does an offer to the patron cost?",
    ),
    "known": (
        "known:known",
        "What it is worth to know cards before betting: a card at a place, sorted backs, a slug that was seen.",
    ),
    "team": (
        "team:team",
        "A team that counts at several tables and calls a player in at a trigger: how long does it take to win a "
        "target?",
    ),
    "new": (
        "new:new",
        "Ask thirteen questions about a table, and write its house rules as a TOML file with remarks.",
    ),
    "app": (
        "app:app",
        "Start the application: forms in the browser for rules, bets, logs and tables, and an archive of the answers.",
    ),
    "audit": (
        "audit:audit",
        "Review a table's log: was it dealt and paid by the rules, whose bets follow the edge, who knows coming cards?",
    ),
    "sample": (
        "sample:sample",
        "How many coups must a review see to bound a rate of dealing errors, or to tell two dealers apart?",
    ),
    "results": (
        "results:results",
        "Results without cards: do they fit the exact chances of the game, and is their order random?",
    ),
    "watch": (
        "watch:watch",
        "Watch tables while they deal: get the exact edge of every bet after every coup, and alerts by rule.",
    ),
    "layouts": (
        "catalog:layouts",
        "List the layouts of logs that come with the toolkit, show a layout to copy, or draft a layout for a file.",
    ),
    "shuffle": (
        "shuffle:shuffle",
        "Test whether logged shoes were shuffled: riffles, slugs, arranged coups, missing cards, repeated batches.",
    ),
    "example": (
        "example:example",
        "List the examples that come with the toolkit, or write the files of one of them.",
    ),
    "verify": (
        "verify:verify",
        "Check the toolkit against itself on this machine: pricing, dealing, census and sweeps, with one verdict.",
    ),
    "completion": (
        "completion:completion",
        "Print the script that completes commands, options, games, bets and counts in a shell.",
    ),
    "help": ("help:help", "Print the help of the commands, or of one."),
    "chemin": (
        "chemin:app",
        "Games with decisions: chemin de fer and banque, solved exactly for any shoe; a hand of your own; and macao.",
    ),
}


GROUPS = {
    "Start": ("app",),
    "Reports": (
        "study",
        "report",
        "vulnerability",
        "limits",
        "new",
        "statement",
        "compare",
        "trip",
        "known",
        "team",
        "calculator",
    ),
    "Price": ("games", "bets", "systems", "edges", "lightning", "effects", "census", "export"),
    "Simulate": ("simulate", "estimate", "sweep", "summary", "score"),
    "Review": ("audit", "sample", "results", "watch", "shuffle", "layouts", "example"),
    "Chemin de fer": ("chemin",),
    "Check": ("verify", "completion", "help"),
}
"""The headings of --help, each with its commands."""


def app_for(verb: str | None = None, *, brief: bool = False) -> App:
    """The command line, as an application of cyclopts. `verb`: the command that runs. Only the module of this command
    is imported, and help on it is its docstring. Help on each of the other commands is the command's line in
    `COMMANDS`. `brief`: help shows only the most used options."""
    app = App(
        name="counting",
        help="Exact card counting and shoe-penetration study of baccarat.",
        help_format="plaintext",
        help_formatter=Help(brief),
        group_commands=Group("Other", sort_key=len(GROUPS)),
        version_flags=["--version", "-V"],
        suppress_keyboard_interrupt=False,
    )
    app["--help"].help = "Print the help of a command: -h with the ten most used options, --help with all."
    for place, (title, names) in enumerate(GROUPS.items()):
        group = Group(title, sort_key=place)
        for order, name in enumerate(names):
            where, line = COMMANDS[name]
            help_line = {} if name == verb else {"help": line}
            app.command(f"counting.cli.{where}", name=name, group=group, sort_key=order, **help_line)
    return app


_LONG = 400  # characters of an error line; longer lines are cut


def _fail(message: str) -> int:
    for line in map(printable, message.split("\n")):
        print(f"counting: {line if len(line) <= _LONG else _shortened(line)}", file=sys.stderr)
    return 2


def _shortened(line: str) -> str:
    """A line that is too long, cut to `_LONG` characters. A hint at the end of the line, "did you mean ...", is kept if
    its length is at most half of this."""
    begun, mark, meant = line.rpartition("; did you mean ")
    if not mark or len(meant) > _LONG // 2:
        return line[:_LONG] + " ..."
    return f"{begun[: _LONG - len(mark) - len(meant)]} ...{mark}{meant}"


def _shown_name(argument: Argument | None) -> str:
    """The name of an argument as help shows it: GAME for an argument without an option's name, --bound for an
    option."""
    if argument is None:
        return "argument"
    return argument.name if argument.index is None else argument.name.removeprefix("--").upper()


def _unknown_option(app: App, argv: Sequence[str]) -> str:
    """An error line for the first long option that the command does not know; empty if there is none."""
    command = app.parse_commands(argv)[1][-1]
    known = [name for each in command.assemble_argument_collection() for name in each.names if name.startswith("--")]
    given = (word.partition("=")[0] for word in argv if word.startswith("--"))
    unknown = next((option for option in given if option not in known and option != "--"), None)
    return "" if unknown is None else f"{unknown}: unknown option, see --help{nearest(unknown, known)}"


def _no_game(argv: Sequence[str]) -> str:
    """An error line for a bet in the place of a game, as `vulnerability dragon-7`; empty if the word is not a bet."""
    from counting.games import games_with

    games = games_with(argv[1]) if len(argv) > 1 else []
    return f"GAME: missing before the bet {argv[1]!r}, as {games[0]} {argv[1]}" if games else ""


def _games(argv: Sequence[str]) -> str:
    """An error line that lists the games, for a command without a game."""
    from counting.io.toml import shipped

    names = list(shipped("games"))
    typed = shlex.join(["counting", *argv[:1], "louisiana", *argv[1:]])
    return f"GAME: missing, should be one of {', '.join(names)}, or the path of a TOML file, as: {typed}"


def _no_file(error: OSError) -> str:
    line = f"{error.filename or 'output'}: {error.strerror}"
    if error.filename and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        line += "; files written so far are complete: make room and run the same command again"
    return line


_ONE_THREAD = {  # numpy's libraries read this when numpy is imported. With a thread on each core, small systems of
    # equations take 1.5 to 2.6 times as long on a busy machine, and their last digits depend on the number of cores.
    f"{library}_NUM_THREADS": "1"
    for library in ("OPENBLAS", "MKL", "BLIS", "OMP")
} | {"VECLIB_MAXIMUM_THREADS": "1"}


def _start_quickly() -> None:
    """Save an eighth of the time of a short command. Garbage is collected less often. Modules that are already imported
    are left out of the collection, and nothing is collected at the end of the process. Pydantic does not search for
    plugins."""
    gc.freeze()
    gc.set_threshold(20_000)
    atexit.register(gc.freeze)
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")


def main(argv: list[str] | None = None) -> int:
    """Run the command line. Returns the exit status:

    - 0 in all cases that are not listed below, also if the reader of the output has closed the pipe;
    - 1 if `verify` finds a disagreement or a changed file, or a bound is not met under `--strict`;
    - 2 for bad input, a log of which too little was read for a verdict, or an error of the system, such as a full disk;
    - 130 when interrupted."""
    if sys.stderr is None:  # stderr is closed: no file that is opened later may get its file descriptor
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    if sys.stdout is None:
        return _fail("output: closed, should be open for what the command prints")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if argv is None:  # started as a program
        os.environ |= _ONE_THREAD
        _start_quickly()
        argv = sys.argv[1:]
    try:
        for argument in argv:
            refuse_other_encoding(argument)
        with on_the_command_line():
            app = app_for(*argv[:1], brief="-h" in argv and "--help" not in argv)
            status = app(argv, exit_on_error=False, print_error=False, result_action="return_value")
        sys.stdout.flush()
    except InputError as error:
        return _fail(str(error))
    except (MissingArgumentError, UnknownOptionError) as error:
        if unknown := _unknown_option(app, argv):
            return _fail(unknown)
        if isinstance(error, UnknownOptionError):
            return _fail(" ".join(str(error).split()))
        name = _shown_name(error.argument)
        known = _no_game(argv) if name in ("BET", "--bet") else _games(argv) if name == "GAME" else ""
        return _fail(known or f"{name}: missing, see --help")
    except UnusedCliTokensError as error:
        return _fail(f"{' '.join(error.unused_tokens or ())}: not expected here, see --help")
    except CycloptsError as error:
        return _fail(" ".join(str(error).split()))
    except BrokenPipeError:
        sys.stdout = None  # the reader has closed the pipe
        return 0
    except OSError as error:
        return _fail(_no_file(error))
    except ImportError as error:  # a module cannot be loaded: too many open files, or too little memory
        return _fail(" ".join(str(error).split()))
    except KeyboardInterrupt as stopped:
        _fail(f"stopped; {stopped.args[0] if stopped.args else 'the same command starts again from the beginning'}")
        return 130
    except BaseException as error:  # a panic of polars, as when no more files can be opened, is no Exception
        if type(error).__name__ != "PanicException":
            raise
        return _fail(" ".join(str(error).split()))
    return status if isinstance(status, int) else 0


if __name__ == "__main__":
    sys.exit(main())
