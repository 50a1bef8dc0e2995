"""The command line: its commands, a file a package. Data goes to stdout, words and progress to stderr.

Bad input ends with a line for each mistake and exit status 2. Rooms are imported by the verb that
needs them, so that `--help` and `edges` need neither polars nor matplotlib.
"""

from __future__ import annotations

import errno
import io
import os
import sys

from cyclopts import App, CycloptsError, MissingArgumentError, UnusedCliTokensError

from counting.cli import audit, census, chemin, exact, limits, macao, sweep
from counting.errors import InputError, printable
from counting.io.toml import refuse_other_encoding

_POSITIONAL = {"--game": "GAME", "--bet": "BET", "--dir": "DIR", "--rules": "RULES", "--coups": "--coups"}
_VERBS = (
    exact.games,
    exact.bets,
    exact.systems,
    exact.edges,
    exact.effects,
    exact.export,
    exact.simulate,
    census.census,
    census.estimate,
    sweep.sweep,
    sweep.summary,
    sweep.score,
    sweep.study,
    sweep.report,
    sweep.vulnerability,
    limits.limits,
    limits.statement,
    audit.audit,
    audit.verify,
)

app = App(
    name="counting",
    help="Exact card counting and shoe-penetration study of baccarat.",
    help_format="plaintext",
    version_flags=["--version"],
    suppress_keyboard_interrupt=False,
)
for verb in _VERBS:
    app.command(verb)

for verb in (macao.own, macao.banque, macao.macao):
    chemin.app.command(verb)
app.command(chemin.app)

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
    try:
        for argument in sys.argv[1:] if argv is None else argv:
            refuse_other_encoding(argument)
        status = app(argv, exit_on_error=False, print_error=False, result_action="return_value")
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
