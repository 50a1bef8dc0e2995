"""The commands that list what comes with the toolkit: games, bets and counting systems."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from counting.cli.options import BetName, GameName, Whole, say
from counting.errors import InputError, nearest
from counting.io.tables import Format, put
from counting.requests import choices_taken


def games(*, format: Format = "table") -> None:
    """List the games that come with the toolkit.

    Example: counting games

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


def layouts(name: str | None = None, *, draft: Path | None = None, format: Format = "table") -> None:
    """List the layouts of logs that come with the toolkit, show a layout to copy, or draft a layout for a file.

    A layout describes what each column of a log holds, and how cards are written. `counting audit --layout` takes a
    layout's name, or the path of your own. Without --layout the shipped layouts are tried, and the cards themselves
    show how they are written. For a file that is refused, draft a layout: counting layouts --draft log.csv > ours.toml.

    Example: counting layouts

    Example: counting layouts camera-archive > ours.toml

    Parameters
    ----------
    name
        The layout to show, as its TOML file.
    draft
        A log of unknown form. Prints a layout for the log. It sets the keys that are certain; for each uncertain key,
        it has a remark on what was seen in the file. The first three coups follow, as the layout reads them.
    format
        table, json or csv; for the list.
    """
    from counting.io.toml import find
    from counting.logs import LAYOUTS, load_layout, shipped_layouts

    if name is not None and draft is not None:
        raise InputError("--draft: should be without the name of a layout")
    if draft is not None:
        from counting.logs.drafting import draft as drafted

        print(drafted(draft), end="")
        return
    if name is not None:
        load_layout(name)
        print(find(name, LAYOUTS).read_text(encoding="utf-8-sig"), end="")
        return
    rows = [{"layout": key, "title": layout.title} for key, layout in shipped_layouts().items()]
    data = [{"layout": key, **layout.model_dump(exclude_none=True)} for key, layout in shipped_layouts().items()]
    put(rows, {"layouts": data}, format)


def bets(game: GameName = "punto-banco", *, decks: Whole | None = None, format: Format = "table") -> None:
    """List the catalog's bets by family, with house edge, hit frequency and standard deviation in a game.

    Every command takes bets by name with --bet; separate several by commas or blanks.

    Example: counting bets ez-baccarat --decks 6

    Example: counting bets --format csv > bets.csv

    Parameters
    ----------
    game
        The game in which the bets are offered. A bet is left out if one of its pay table lines can never happen in the
        game.
    decks
        Decks in the full shoe; by default the game's.
    format
        table, json or csv; json and csv have the sources.
    """
    from counting.games import load_game
    from counting.reports.catalog import catalog_rows

    loaded = load_game(game)
    say(*choices_taken(loaded))
    bets = catalog_rows(loaded, decks)
    rows = [{key: value for key, value in row.items() if key != "exact"} for row in bets]
    put([_line(row) for row in rows] if format == "table" else rows, {"game": loaded.name, "bets": bets}, format)


def _line(row: dict[str, Any]) -> dict[str, Any]:
    """A bet's row on a terminal, without its source."""
    return {
        "family": row["family"],
        "bet": row["bet"],
        "title": row["title"],
        "house_edge": f"{100 * row['house_edge']:.4f}%",
        "hit_frequency": f"{100 * row['hit_frequency']:.4f}%",
        "standard_deviation": f"{row['standard_deviation']:.4f}",
        "needs": row["needs"],
    }


def systems(bet: BetName | None = None, *, format: Format = "table") -> None:
    """List the library of counting systems: published counts, and the project's own counts of levels 1 to 4, for each
    bet on which a count wins anything.

    Example: counting systems dragon-7

    Example: counting systems --format csv > systems.csv

    Parameters
    ----------
    bet
        Only systems for this bet.
    format
        table, json or csv.
    """
    from counting.systems import library, without_counts

    listed = [system for system in library() if bet is None or system.bets is None or bet in system.bets]
    if not listed:
        if bet in without_counts():
            raise InputError(f"bet {bet!r}: none of the counts searched for it wins anything")
        known = {name for system in library() for name in system.bets or ()}
        raise InputError(
            f"bet {bet!r}: the library has no system for it, see counting systems{nearest(str(bet), sorted(known))}"
        )
    rows: list[dict[str, Any]] = [
        {
            "system": system.name,
            "bets": " ".join(system.bets or ("any",)),
            "level": system.level,
            "count": system.count,
            "trigger": " ".join(system.at(system.on(name)) for name in system.bets or ("any",)),
            "A 2 ... 10 J Q K": system.tag_line,
            "key_cards": system.key_cards,
            "source": system.source,
        }
        for system in listed
    ]
    shown = [{k: v for k, v in row.items() if k != "source"} for row in rows]
    put(shown if format == "table" else rows, {"systems": [system.to_dict() for system in listed]}, format)
