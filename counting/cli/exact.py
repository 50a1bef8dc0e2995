"""The verbs of exact pricing: no shoe is played."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from counting.cli.options import NO_NEGATIVE, SEVERAL, Whole, Wholes, asked_shoe, given
from counting.errors import InputError
from counting.io.tables import Format, as_table, put

if TYPE_CHECKING:
    from counting.games import Game


def games(*, format: Format = "table") -> None:
    """List the games that come with the toolkit.

    Example: counting games --format json

    Parameters
    ----------
    format
        table, json or csv.
    """
    from counting.games import load_game
    from counting.io.toml import shipped

    loaded = [load_game(name) for name in shipped("games")]
    rows = [
        {"game": g.name, "title": g.title, "decks": g.decks, "bets": " ".join(g.bet_names), "source": g.source}
        for g in loaded
    ]
    data = [{**row, "bets": list(g.bet_names), "digest": g.digest} for row, g in zip(rows, loaded, strict=True)]
    put([{k: v for k, v in row.items() if k != "source"} for row in rows], {"games": data}, format)


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
    from counting.cards import Shoe
    from counting.exact import exact_edges, needs
    from counting.games import catalog, load_game, unfit

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
    put(rows, data, format)


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
    put(shown if format == "table" else rows, {"systems": [system.to_dict() for system in listed]}, format)


def edges(
    game: str,
    *,
    bets: Annotated[list[str] | None, SEVERAL] = None,
    decks: Whole | None = None,
    shoe: str | None = None,
    remove: str | None = None,
    known: Annotated[list[str] | None, SEVERAL] = None,
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
    from counting.exact import Known, bet_edges, events, seeing
    from counting.games import MAIN_EVENTS, load_game

    loaded = load_game(game)
    if bets is not None:
        loaded = loaded.only(given(bets, "--bets"))
    unseen = asked_shoe(shoe, decks, loaded.decks)
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
    put(listed, data, format)


def _print_seeing(
    game: Game, found: Mapping[str, tuple[Fraction, Mapping[str, Fraction]]], place: int, format: Format
) -> None:
    """The edges for each card that a place may have, and what seeing it is worth."""
    from counting.exact import PLACES

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
    put(rows, data, format)


def effects(
    game: str,
    bet: str,
    *,
    decks: Whole | None = None,
    shoe: str | None = None,
    system: Annotated[list[str] | None, SEVERAL] = None,
    cards_left: Wholes | None = None,
    second: Annotated[bool, NO_NEGATIVE] = False,
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
    from counting.exact import Effects
    from counting.games import load_game
    from counting.reports.effects import as_rows, as_text, profile
    from counting.systems import load_system

    loaded = load_game(game)
    systems = [load_system(name) for name in given(system, "--system")]
    knows = finest(["value", *(one.knows for one in systems)])
    found = Effects.of(loaded, bet, asked_shoe(shoe, decks, loaded.decks), knows)
    data = profile(found, systems, given(cards_left, "--cards-left"))
    if format == "table":
        print(as_text(data, second), end="")
        return
    put(as_rows(data, second), data, format)


def export(
    game: str,
    *,
    out: Path | None = None,
    bets: Annotated[list[str] | None, SEVERAL] = None,
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
        The folder: new, empty, or one with the same export; by default the game's name and -export,
        for another export with digits.
    bets
        Bets to export, the game's or the catalog's (see `counting bets`); by default all of the game's.
    decks
        A full shoe of so many decks; by default the game's.
    shoe
        The unseen cards, as for `counting edges`.
    format
        table, json or csv, of what is printed.
    """
    from counting.games import load_game
    from counting.io.folders import default_folder, refuse_other
    from counting.io.toml import digest
    from counting.reports.export import CHECKERS, listing, settings
    from counting.reports.export import export as write

    loaded = load_game(game)
    if bets is not None:
        loaded = loaded.only(given(bets, "--bets"))
    unseen = asked_shoe(shoe, decks, loaded.decks)
    of_this = settings(loaded, unseen)
    folder = out or default_folder(
        f"{loaded.name}-export", digest(of_this), lambda one: refuse_other(one, "export", of_this)
    )
    write(loaded, unseen, folder)
    rows, checks = listing(folder), [shlex.join(["python", program, str(folder)]) for program in CHECKERS]
    put(rows, {"folder": str(folder), "files": rows, "check": checks}, format)
    if format == "table":
        print("\n".join(["", "To check it:", *checks]))


def simulate(
    game: str,
    *,
    coups: Whole,
    decks: Whole | None = None,
    with_replacement: Annotated[bool, NO_NEGATIVE] = False,
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
    from counting.games import load_game
    from counting.simulation import simulate as run

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
    put([{"kind": k, **r} for k, rs in (("event", happened), ("house edge", house)) for r in rs], data, format)
