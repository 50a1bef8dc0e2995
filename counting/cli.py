"""The command line: one verb per room. Data goes to stdout, words and progress to stderr.

Bad input ends with a line for each mistake and exit status 2. Rooms are imported by the verb that
needs them, so that `--help` and `edges` need neither polars nor matplotlib.
"""

from __future__ import annotations

import errno
import io
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import App, CycloptsError, MissingArgumentError, Parameter

from counting.errors import InputError
from counting.options import Played, Whole, Wholes, asked_shoe, given
from counting.output import Format, Rows, as_csv, as_json, as_table

if TYPE_CHECKING:
    from counting.rules import Game
    from counting.sweep import Progress

# What a table on a terminal shows; JSON and CSV have every column.
_SHORT = {
    "bets": ("bet", "cut", "coups_per_shoe", "positive_share", "mean_positive_edge", "units_per_shoe",
             "units_per_shoe_se", "units_per_100_coups"),
    "systems": ("system", "trigger", "bet", "cut", "bets_per_shoe", "mean_edge", "units_per_shoe",
                "units_per_shoe_se", "captured_share", "truly_positive_share"),
}  # fmt: skip
_LONG_SCORE = {"best", "cut", "shoes", "coups", "bets", "bet_share_se", "mean_edge_se", "units_per_100_coups_se",
               "sd_per_100_coups", "played_units_per_shoe", "played_units_per_shoe_se"}  # fmt: skip
By = Literal["bets", "systems", "cards-left", "dealing"]


_SEVERAL = Parameter(consume_multiple=True, negative="")
_NO_NEGATIVE = Parameter(negative="")
_POSITIONAL = {"--game": "GAME", "--bet": "BET"}

app = App(
    name="counting",
    help="Exact card counting and shoe-penetration study of baccarat.",
    help_format="plaintext",
    version_flags=["--version"],
    suppress_keyboard_interrupt=False,
)


def _print(rows: Rows, data: object, format: Format) -> None:
    """Rows as a table or as CSV; the whole data as JSON."""
    text = as_json(data) if format == "json" else as_csv(rows) if format == "csv" else as_table(rows)
    sys.stdout.write(text)


@app.command
def games(*, format: Format = "table") -> None:
    """List the games that come with the toolkit.

    Example: counting games --format json

    Parameters
    ----------
    format
        table, json or csv.
    """
    from counting.config import shipped
    from counting.rules import load_game

    loaded = [load_game(name) for name in shipped("games")]
    rows = [
        {"game": g.name, "title": g.title, "decks": g.decks, "bets": " ".join(g.bet_names), "source": g.source}
        for g in loaded
    ]
    data = [{**row, "bets": list(g.bet_names), "digest": g.digest} for row, g in zip(rows, loaded, strict=True)]
    _print([{k: v for k, v in row.items() if k != "source"} for row in rows], {"games": data}, format)


@app.command
def bets(game: str = "punto-banco", *, decks: Whole | None = None, format: Format = "table") -> None:
    """List the bets of the catalog, with their house edge in a game. Any verb takes them by name after --bets.

    Example: counting bets ez-baccarat --decks 6

    Parameters
    ----------
    game
        The game in which they are offered; those of which a line can never happen in it are left out.
    decks
        A full shoe of so many decks; by default the game's.
    format
        table, json or csv.
    """
    from counting.bets import catalog, unfit
    from counting.cards import Shoe
    from counting.exact import exact_edges, needs
    from counting.rules import load_game

    loaded = load_game(game)
    offered = loaded.only(name for name, bet in catalog().items() if not unfit(bet, loaded.tableau))
    exact = exact_edges(offered, Shoe.decks(loaded.decks if decks is None else decks))
    rows = [
        {
            "bet": bet.name,
            "title": bet.title,
            "house_edge": float(-exact[bet.name]),
            "needs": needs(bet),
            "source": bet.source,
        }
        for bet in offered.bets
    ]
    data = {"game": loaded.name, "bets": [{**row, "exact": str(exact[str(row["bet"])])} for row in rows]}
    if format == "table":
        rows = [{**row, "house_edge": f"{100 * row['house_edge']:.4f}%"} for row in rows]  # type: ignore[operator]
        rows = [{k: v for k, v in row.items() if k != "source"} for row in rows]
    _print(rows, data, format)


@app.command
def systems(bet: str | None = None, *, format: Format = "table") -> None:
    """List the library of counting systems: those published, and the project's own of level 1 to 4 for every bet.

    Example: counting systems dragon-7

    Parameters
    ----------
    bet
        Only those that count for this bet.
    format
        table, json or csv.
    """
    from counting.systems import library

    listed = [system for system in library() if bet is None or system.bets is None or bet in system.bets]
    if not listed:
        raise InputError(f"bet {bet!r}: no system of the library counts for it, see counting systems")
    rows: list[dict[str, Any]] = [
        {
            "system": system.name,
            "bets": " ".join(system.bets or ("any",)),
            "level": system.level,
            "count": system.count,
            "trigger": " ".join(f"{system.on(one):g}" for one in system.bets or ("any",)),
            "A 2 ... 10 J Q K": " ".join(map(str, system.by_rank)),
            "source": system.source,
        }
        for system in listed
    ]
    shown = [{k: v for k, v in row.items() if k != "source"} for row in rows]
    _print(shown if format == "table" else rows, {"systems": [system.to_dict() for system in listed]}, format)


@app.command
def edges(
    game: str,
    *,
    bets: Annotated[list[str] | None, _SEVERAL] = None,
    decks: Whole | None = None,
    shoe: str | None = None,
    remove: str | None = None,
    known: Annotated[list[str] | None, _SEVERAL] = None,
    format: Format = "table",
) -> None:
    """The exact edge of every bet, and the exact count of every event, on a full or partial shoe.

    Example: counting edges louisiana --shoe 8d-7-7-K --format json

    Parameters
    ----------
    game
        A game's name (see `counting games`) or the path of a TOML file.
    bets
        Bets to price, the game's or the catalog's (see `counting bets`); by default all of the game's.
    decks
        A full shoe of so many decks; by default the game's.
    shoe
        The unseen cards: 8d, 8d-7-7-K, 8d-7h-Ks, or counts by value (v: and 10), rank (r: and 13), card (c: and 52).
    remove
        Cards seen, as "7 7 K" or "7h Ks".
    known
        Cards of the coming coup that are known, by place in dealing order (P1, B1, P2, B2, 5, 6): P1=9, a range
        P1=6-9, a set B2=A,K. "P1=?" asks what it is worth to see that card: the edges for each card it may be.
    format
        table, json or csv.
    """
    from counting.exact import bet_edges, events, seeing
    from counting.known import Known
    from counting.rules import MAIN_EVENTS, load_game

    loaded = load_game(game)
    if bets is not None:
        loaded = loaded.only(given(bets, "--bets"))
    unseen = asked_shoe(shoe, decks, loaded)
    if remove is not None:
        unseen = unseen.without(remove)
    place, told = Known.asked(given(known, "--known"))
    counts = events(loaded, unseen, told)
    total = sum(counts[name] for name in MAIN_EVENTS)
    exact = bet_edges(loaded, {name: Fraction(n, total) for name, n in counts.items()})
    if place is not None:
        _print_seeing(loaded, seeing(loaded, unseen, place, told), place, format)
        return
    best = max(exact, key=lambda name: exact[name])
    data: dict[str, Any] = {
        "game": loaded.name,
        "shoe": str(unseen),
        "bets": {name: {"edge": float(edge), "exact": str(edge)} for name, edge in exact.items()},
        "events": {name: {"count": n, "probability": n / total} for name, n in counts.items()},
    }
    if told:
        data |= {"known": str(told), "best": best if exact[best] > 0 else None}
    if format == "table":
        print(f"{loaded.title}, {unseen.cards_left} unseen cards ({unseen}){f', known: {told}' if told else ''}\n")
        print(as_table([{"bet": k, "edge": f"{100 * float(e):+.5f}%", "exact": str(e)} for k, e in exact.items()]))
        rows = [{"event": k, "probability": f"{n / total:.9f}", "ordered six-card deals": n} for k, n in counts.items()]
        print(as_table(rows), end="")
        if told:
            print(f"\nBest: {f'{best}, {100 * float(exact[best]):+.4f}%' if exact[best] > 0 else 'no bet'}")
        return
    listed = [{"kind": "bet", "name": k, "value": float(e), "exact": str(e)} for k, e in exact.items()]
    listed += [{"kind": "event", "name": k, "value": n / total, "exact": str(n)} for k, n in counts.items()]
    _print(listed, data, format)


def _print_seeing(
    game: Game, found: Mapping[str, tuple[Fraction, Mapping[str, Fraction]]], place: int, format: Format
) -> None:
    """The edges for each card that a place may have, and what seeing it is worth."""
    from counting.known import PLACES

    rows: list[dict[str, Any]] = []
    for card, (chance, edges) in found.items():
        best = max(edges, key=lambda name: edges[name])
        rows.append(
            {
                "card": card,
                "probability": float(chance),
                **{name: float(edge) for name, edge in edges.items()},
                "best": best if edges[best] > 0 else None,
            }
        )
    worth = sum((chance * max(Fraction(), *edges.values()) for chance, edges in found.values()), Fraction())
    data = {"game": game.name, "place": PLACES[place], "worth": float(worth), "exact": str(worth), "cards": rows}
    if format == "table":
        percents = {*game.bet_names}
        shown = [{k: f"{100 * v:+.4f}%" if k in percents else v for k, v in row.items()} for row in rows]
        print(f"{game.title}: if {PLACES[place]} were seen\n")
        print(as_table(shown))
        print(f"Seeing it is worth {100 * float(worth):.4f}% of a unit a coup: the average of the best bet, or none.")
        return
    _print(rows, data, format)


@app.command
def effects(
    game: str,
    bet: str,
    *,
    decks: Whole | None = None,
    shoe: str | None = None,
    system: Annotated[list[str] | None, _SEVERAL] = None,
    cards_left: Wholes | None = None,
    second: Annotated[bool, _NO_NEGATIVE] = False,
    format: Format = "table",
) -> None:
    """What each card removed does to a bet, the counts that suit it best, and about what they win.

    Example: counting effects ez-baccarat dragon-7 --system dragon-7 --cards-left 26 52 104

    Parameters
    ----------
    game
        A game's name or the path of a TOML file.
    bet
        A bet of the game's or the catalog's (see `counting bets`).
    decks
        A full shoe of so many decks; by default the game's.
    shoe
        The unseen cards to begin with, as for `edges`.
    system
        Counting systems to compare: names or TOML files.
    cards_left
        Unseen cards at which to give the gain; by default every half deck from half the shoe, and 14.
    second
        Print second-order effects too: of removing two cards, beyond the sum of their effects. JSON always has them.
    format
        table, json or csv.
    """
    from counting.cards import finest
    from counting.effects import Effects
    from counting.profile import as_rows, as_text, profile
    from counting.rules import load_game
    from counting.systems import load_system

    loaded = load_game(game)
    systems = [load_system(name) for name in given(system, "--system")]
    knows = finest(["value", *(one.knows for one in systems)])
    found = Effects.of(loaded, bet, asked_shoe(shoe, decks, loaded), knows)
    data = profile(found, systems, given(cards_left, "--cards-left"))
    if format == "table":
        print(as_text(data, second), end="")
        return
    _print(as_rows(data, second), data, format)


@app.command
def export(
    game: str,
    *,
    out: Path | None = None,
    bets: Annotated[list[str] | None, _SEVERAL] = None,
    decks: Whole | None = None,
    shoe: str | None = None,
    format: Format = "table",
) -> None:
    """Write rules, weights, counts and edges as plain CSV with digests, to be added up again by a program of 60 lines.

    Example: counting export louisiana --out louisiana-export

    Parameters
    ----------
    game
        A game's name or the path of a TOML file.
    out
        The folder: new, empty, or one with the same export; by default the game's name and -export.
    bets
        Bets to export, the game's or the catalog's (see `counting bets`); by default all of the game's.
    decks
        A full shoe of so many decks; by default the game's.
    shoe
        The unseen cards, as for `counting edges`.
    format
        table, json or csv, of what is printed.
    """
    from counting.export import CHECKERS, listing
    from counting.export import export as write
    from counting.rules import load_game

    loaded = load_game(game)
    if bets is not None:
        loaded = loaded.only(given(bets, "--bets"))
    folder = write(loaded, asked_shoe(shoe, decks, loaded), out or Path(f"{loaded.name}-export"))
    rows, checks = listing(folder), [f"python {program} {folder}" for program in CHECKERS]
    _print(rows, {"folder": str(folder), "files": rows, "check": checks}, format)
    if format == "table":
        print("\n".join(["", "To check it:", *checks]))


@app.command
def simulate(
    game: str,
    *,
    coups: Whole,
    decks: Whole | None = None,
    with_replacement: Annotated[bool, _NO_NEGATIVE] = False,
    seed: Whole = 1,
    format: Format = "table",
) -> None:
    """Deal coups, and set the fractions of wins and the house edges beside the exact values.

    Example: counting simulate punto-banco --coups 1000000 --with-replacement

    Parameters
    ----------
    game
        A game's name or the path of a TOML file.
    coups
        How many coups to deal.
    decks
        Decks in the shoe, dealt to 14 cards behind the cut card; by default the game's.
    with_replacement
        Draw every card from a full deck instead, as an infinite shoe.
    seed
        The cards depend on it alone.
    format
        table, json or csv.
    """
    from counting.rules import load_game
    from counting.simulate import simulate as run

    if with_replacement and decks is not None:
        raise InputError(f"--decks {decks} and --with-replacement: should be one or the other")
    loaded = load_game(game)
    result = run(loaded, coups, None if with_replacement else loaded.decks if decks is None else decks, seed)

    def row(name: str, simulated: float, error: float, exact: float) -> dict[str, Any]:
        z = round((simulated - exact) / error, 2) if error else None
        return {"name": name, "simulated": simulated, "standard_error": error, "exact": exact, "z": z}

    happened = [row(name, *found) for name, found in result.events.items()]
    house = [row(name, 0.0 - s, e, 0.0 - x) for name, (s, e, x) in result.bets.items()]
    data = {"game": loaded.name, "coups": result.coups, "shoes": result.shoes, "seed": seed}
    data |= {"events": happened, "house_edges": house}
    if format == "table":
        dealt = "with replacement" if result.shoes is None else f"from {result.shoes:,} shoe{'s' * (result.shoes > 1)}"
        print(f"{loaded.title}, {result.coups:,} coups dealt {dealt}\n\nfractions of coups")
        print(as_table(happened) + "\nhouse edges\n" + as_table(house), end="")
        return
    _print([{"kind": k, **r} for k, rs in (("event", happened), ("house edge", house)) for r in rs], data, format)


@contextmanager
def _bar(what: str) -> Iterator[Progress | None]:
    """A progress bar with an estimate on a terminal, nothing in a pipe."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn(what),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("blocks of shoes, left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _summary(folder: Path, by: By, format: Format, cuts: Sequence[int] = (), game: str | None = None) -> None:
    from counting import summary as s
    from counting.cards import Shoe
    from counting.exact import probabilities
    from counting.rules import load_game
    from counting.sweep import open_sweep

    sweep = open_sweep(folder)
    dealing = sweep.plan.dealing
    priced = load_game(game) if game is not None else sweep.plan.game
    again = bool(cuts) or game is not None
    ledger, depth, dealt = sweep.retally(priced, cuts=cuts) if again else sweep.tallies
    tables = {
        "bets": lambda: s.by_bet(ledger),
        "systems": lambda: s.by_system(ledger),
        "cards-left": lambda: s.by_cards_left(depth, ledger),
        "dealing": lambda: s.dealing(dealt, probabilities(priced, Shoe.decks(dealing.decks)), dealing.certain_coups),
    }
    chosen = tables[by]().collect().to_dicts()
    plan = sweep.plan
    shown = _SHORT.get(by) if format == "table" else None
    if shown:
        chosen = [{name: row[name] for name in shown} for row in chosen]
    data: dict[str, Any] = {"game": priced.name, "plan_digest": plan.digest, "decks": plan.dealing.decks}
    data |= {
        "burn": plan.dealing.burn,
        "after_cut": list(plan.dealing.after_cut),
        "shoes": plan.shoes,
        "seed": plan.seed,
    }
    data[by.replace("-", "_")] = chosen
    if by == "bets" and plan.systems:
        data["systems"] = tables["systems"]().collect().to_dicts()
    _print(chosen, data, format)


@app.command
def sweep(
    game: str,
    *,
    out: Path,
    played: Played | None = None,
    bets: Annotated[list[str] | None, _SEVERAL] = None,
    rows: bool = True,
    format: Format = "table",
) -> None:
    """Play shoes, price every bet exactly at every coup, and keep the results as Parquet; then print the summary.

    Killed at any moment, the same command goes on where it was.

    Example: counting sweep louisiana --decks 8 --cut 14 --after-cut 1,0 --shoes 100000 --seed 1 --out louisiana-sweep

    Parameters
    ----------
    game
        A game's name or the path of a TOML file.
    out
        The folder of the sweep: new, empty, or one that the same command began.
    bets
        Bets to price, the game's or the catalog's (see `counting bets`); by default all of the game's.
    rows
        Keep a row for every coup, or with --no-rows the sums alone: less space, but no other cut and no
        other game can be summed up from them later.
    format
        table, json or csv.
    """
    from counting.sweep import run

    played = played or Played()
    plan = played.plan(game, given(bets, "--bets"), rows)
    with _bar("playing") as progress:
        run(plan, out, workers=played.workers, progress=progress)
    _summary(out, "bets", format)


@app.command
def summary(
    dir: Path,
    *,
    by: By = "bets",
    cut: Wholes | None = None,
    game: str | None = None,
    format: Format = "table",
) -> None:
    """What a finished sweep says: by bet, by counting system, by cards left, or how well the dealing agrees.

    Example: counting summary louisiana-sweep --cut 14 52 104 --format csv

    Parameters
    ----------
    dir
        The folder of a sweep.
    by
        bets, systems, cards-left or dealing.
    cut
        Other cuts, of as many cards behind the cut card or more: the same shoes as they would have been dealt.
    game
        Another game of the same tableau, to price its bets on the same coups.
    format
        table, json or csv.
    """
    _summary(dir, by, format, given(cut, "--cut"), game)


@app.command
def score(
    dir: Path,
    *,
    bet: Annotated[list[str] | None, _SEVERAL] = None,
    system: Annotated[list[str] | None, _SEVERAL] = None,
    every: Annotated[bool, _NO_NEGATIVE] = False,
    bankroll: float | None = None,
    stake: float | None = None,
    kelly: float | None = None,
    horizon: Whole = 10_000,
    check: Annotated[bool, _NO_NEGATIVE] = False,
    format: Format = "table",
) -> None:
    """What each counter of a finished sweep bets and wins, how it swings, and what that does to a bankroll.

    A row for the perfect counter of each bet, and one for each system at its best trigger.

    Example: counting score dragon-7-sweep --bankroll 20000 --stake 100 --horizon 40000

    Parameters
    ----------
    dir
        The folder of a sweep.
    bet
        Only these bets.
    system
        Only these counters, perfect among them.
    every
        A row for every trigger, not the best alone.
    bankroll
        Money to begin with: adds the Kelly stake, the risk of ruin, and the chance to be ahead.
    stake
        Money on each bet; ruin is less than that.
    kelly
        Or the share of the Kelly stake that is staked, 0.5 for half; ruin is half of the bankroll lost.
    horizon
        Coups dealt.
    check
        Set the same from the coups as dealt beside them (for a sweep that kept its rows).
    format
        table, json or csv.
    """
    from counting.score import Bankroll, at_best, results
    from counting.score import score as run
    from counting.sweep import open_sweep

    if bankroll is None and (stake is not None or kelly is not None or check):
        raise InputError("--stake, --kelly, --check: should come with a --bankroll")
    purse = None if bankroll is None else Bankroll(bankroll, horizon, stake, kelly)
    found = open_sweep(dir)
    scored = run(found.tallies[0]) if every else at_best(run(found.tallies[0]))
    rows = scored.collect().to_dicts()
    for option, key, asked in (("--bet", "bet", bet), ("--system", "system", system)):
        for name in given(asked, option):
            if name not in {row[key] for row in rows}:
                raise InputError(
                    f"{option} {name}: the sweep should score it, has {', '.join({r[key]: 0 for r in rows})}"
                )
        rows = [row for row in rows if asked is None or row[key] in asked]
    for row in rows:
        if purse is not None:
            row |= purse.prospects(row)
            if check:
                row |= purse.played(results(found, row["system"], row["trigger"], row["bet"]), row)
    data = {"game": found.plan.game.name, "plan_digest": found.plan.digest, "scores": rows}
    shown = [{k: v for k, v in row.items() if k not in _LONG_SCORE} for row in rows] if format == "table" else rows
    _print(shown, data, format)


@app.command
def study(game: str, *, out: Path | None = None, played: Played | None = None, format: Format = "table") -> None:
    """The main job: exact edges, a sweep, its summary, figures, and a page to read.

    Example: counting study louisiana

    Parameters
    ----------
    game
        A game's name or the path of a TOML file.
    out
        The folder for everything; by default the game's name and -study.
    format
        table, json or csv, of what is printed.
    """
    from counting.report import sentences
    from counting.study import as_data
    from counting.study import study as run

    played = played or Played()
    plan = played.plan(game)
    folder = out or Path(f"{plan.game.name}-study")
    with _bar("playing") as progress:
        found = run(plan, folder, _command(sys.argv), played.workers, progress)
    if format == "table":
        headline, said = sentences(found)
        print("\n\n".join([headline, *said]))
        print(f"\nThe page: {folder / 'report.html'}")
        return
    _print(found.bets.to_dicts(), as_data(found), format)


def _command(argv: list[str]) -> str:
    import shlex

    return shlex.join(["counting", *argv[1:]])


_LONG = 400  # characters of a line that is still read


def _fail(message: str) -> int:
    for line in message.splitlines():
        print(f"counting: {line if len(line) <= _LONG else line[:_LONG] + ' ...'}", file=sys.stderr)
    return 2


def _no_file(error: OSError) -> str:
    said = f"{error.filename or 'output'}: {error.strerror}"
    if error.filename and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        said += "; what is written is whole: make room and give the same command again"
    return said


def main(argv: list[str] | None = None) -> int:
    """Run the command line; returns the exit status: 0, 2 for bad input or a full disk, 130 when interrupted."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        app(argv, exit_on_error=False, print_error=False, result_action="return_value")
        sys.stdout.flush()
    except InputError as error:
        return _fail(str(error))
    except MissingArgumentError as error:
        name = error.argument.name if error.argument else "argument"
        return _fail(f"{_POSITIONAL.get(name, name)}: missing, see --help")
    except CycloptsError as error:
        return _fail(" ".join(str(error).split()))
    except BrokenPipeError:
        sys.stdout = None  # the reader left: nothing more to say
        return 0
    except OSError as error:
        return _fail(_no_file(error))
    except KeyboardInterrupt:
        _fail("stopped; the same command goes on where it was")
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
