"""The command line: its commands, a file a package. Data goes to stdout, words and progress to stderr.

Bad input ends with a line for each mistake and exit status 2. A command's file is imported when it is given, so that
`--help` needs little more than cyclopts, and `edges` neither polars nor matplotlib.
"""

from __future__ import annotations

import errno
import io
import os
import sys

from cyclopts import App, CycloptsError, MissingArgumentError, UnusedCliTokensError

from counting.errors import InputError, printable, refuse_other_encoding

_POSITIONAL = {"--game": "GAME", "--bet": "BET", "--dir": "DIR", "--rules": "RULES", "--coups": "--coups"}
COMMANDS = {  # in the order of the work: where each is, and its line of --help
    "games": ("catalog:games", "List the games that come with the toolkit."),
    "bets": (
        "catalog:bets",
        "List the bets of the catalog, with their house edge in a game. Any verb takes them by name after --bets.",
    ),
    "systems": (
        "catalog:systems",
        "List the library of counting systems: those published, and the project's own of level 1 to 4 for every bet.",
    ),
    "edges": (
        "exact:edges",
        "The exact edge of every bet, and the exact count of every event, on a full or partial shoe.",
    ),
    "effects": (
        "exact:effects",
        "What each card removed does to a bet, the counts that suit it best, and about what they win.",
    ),
    "export": (
        "reports:export",
        "Write rules, weights, counts and edges as plain CSV with digests, to be added up again by a program of 60 "
        "lines.",
    ),
    "simulate": (
        "simulation:simulate",
        "Deal coups, and set the fractions of wins and the house edges beside the exact values.",
    ),
    "census": (
        "census:census",
        "The exact law of a bet's edge with so many random cards left unseen, over every composition.",
    ),
    "estimate": (
        "simulation:estimate",
        "How often a bet's edge is positive, and what that is worth, with more unseen cards than a census can do.",
    ),
    "sweep": (
        "sweep:sweep",
        "Play shoes, price every bet exactly at every coup, and keep the results as Parquet; then print the summary.",
    ),
    "summary": (
        "sweep:summary",
        "What a finished sweep says: by bet, by counting system, by penetration, by cards left, or how well the "
        "dealing agrees.",
    ),
    "score": (
        "sweep:score",
        "What each counter of a finished sweep bets and wins, how it swings, and what that does to a bankroll.",
    ),
    "study": ("reports:study", "The main job: exact edges, a sweep, its summary, figures, and a page to read."),
    "report": (
        "reports:report",
        "The page of a finished sweep, with its tables, figures and JSON twin: as `study` writes it.",
    ),
    "vulnerability": (
        "reports:vulnerability",
        "A bet's vulnerability report: every count for it side by side, on one page with one figure.",
    ),
    "limits": (
        "limits:limits",
        "Which cut card, main-bet requirement and largest bet keep counters under a bound, and the cheapest such rule.",
    ),
    "statement": (
        "limits:statement",
        "House rules in, a one-page statement out: what counters can win under them, to be reviewed and signed.",
    ),
    "audit": (
        "audit:audit",
        "Review a table's log: was it dealt and paid by the rules, whose bets follow the edge, who knows coming cards?",
    ),
    "verify": (
        "verify:verify",
        "Check the project against itself: kernels, dealing, pricing, census and sweeps, with one clear reading.",
    ),
    "chemin": (
        "chemin:app",
        "The games with choices: chemin de fer and banque solved exactly for any shoe, own cards, and macao.",
    ),
}


def app_for(verb: str | None = None) -> App:
    """The application: a command's file is imported when it is given. Of the verb given the words are its own, of the
    others the line above."""
    app = App(
        name="counting",
        help="Exact card counting and shoe-penetration study of baccarat.",
        help_format="plaintext",
        version_flags=["--version"],
        suppress_keyboard_interrupt=False,
    )
    for name, (where, line) in COMMANDS.items():
        app.command(f"counting.cli.{where}", name=name, **({} if name == verb else {"help": line}))
    return app


_LONG = 400  # characters of a line that is still read


def _fail(message: str) -> int:
    for line in map(printable, message.split("\n")):
        print(f"counting: {line if len(line) <= _LONG else line[:_LONG] + ' ...'}", file=sys.stderr)
    return 2


def _no_file(error: OSError) -> str:
    said = f"{error.filename or 'output'}: {error.strerror}"
    if error.filename and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        said += "; what is written is whole: make room and give the same command again"
    return said


def main(argv: list[str] | None = None) -> int:
    """Run the command line; returns the exit status: 0, 1 where `verify` finds a disagreement, 2 for bad input or a
    full disk, 130 when interrupted."""
    if sys.stderr is None:  # closed: nobody reads it, and no file of ours may take its place
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    if sys.stdout is None:
        return _fail("output: closed, should be open for what the command prints")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    argv = sys.argv[1:] if argv is None else argv
    try:
        for argument in argv:
            refuse_other_encoding(argument)
        status = app_for(*argv[:1])(argv, exit_on_error=False, print_error=False, result_action="return_value")
        sys.stdout.flush()
    except InputError as error:
        return _fail(str(error))
    except MissingArgumentError as error:
        name = error.argument.name if error.argument else "argument"
        return _fail(f"{_POSITIONAL.get(name, name)}: missing, see --help")
    except UnusedCliTokensError as error:
        return _fail(f"{' '.join(error.unused_tokens or ())}: not expected here, see --help")
    except CycloptsError as error:
        return _fail(" ".join(str(error).split()))
    except BrokenPipeError:
        sys.stdout = None  # the reader left: nothing more to say
        return 0
    except OSError as error:
        return _fail(_no_file(error))
    except ImportError as error:  # of modules that are there: too many open files, too little memory
        return _fail(" ".join(str(error).split()))
    except KeyboardInterrupt as stopped:
        _fail(f"stopped; {stopped.args[0] if stopped.args else 'the same command begins anew'}")
        return 130
    except BaseException as error:  # a panic of polars, which is no Exception, as where it can open no more files
        if type(error).__name__ != "PanicException":
            raise
        return _fail(" ".join(str(error).split()))
    return status if isinstance(status, int) else 0


if __name__ == "__main__":
    sys.exit(main())
