"""The commands of exact pricing: edges, and what each card removed does to them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

from counting.cli.options import (
    BETS,
    NO_NEGATIVE,
    SEVERAL,
    SYSTEMS,
    BetName,
    GameName,
    Whole,
    Wholes,
    shoe_of,
    values_of,
)
from counting.io.tables import Format, for_terminal, put

if TYPE_CHECKING:
    from counting.exact import Meter, Standing
    from counting.games import Game


def edges(
    game: GameName,
    *,
    bets: Annotated[list[str] | None, BETS] = None,
    decks: Whole | None = None,
    shoe: str | None = None,
    remove: str | None = None,
    known: Annotated[list[str] | None, SEVERAL] = None,
    format: Format = "table",
) -> None:
    """The exact edge of every bet, and the exact count of every event, on a full or partial shoe.

    Example: counting edges louisiana --shoe 8d-7-7-K --format json

    Example: counting edges ez-baccarat --bet dragon-7 --remove "7 7 K"

    Parameters
    ----------
    game
        A game's name (see `counting games`) or the path of a TOML file.
    bets
        Bets to price, several by commas or blanks, the game's or the catalog's (see `counting bets`); by default all
        of the game's.
    decks
        Decks in the full shoe; by default the game's.
    shoe
        The unseen cards: 8d, 8d-7-7-K, 8d-7h-Ks, or counts by value (v: and 10), rank (r: and 13), card (c: and 52).
    remove
        Cards seen, as "7 7 K" or "7h Ks".
    known
        Known cards of the coming coup, by place in dealing order (P1, B1, P2, B2, 5, 6): P1=9, a range P1=6-9, a set
        B2=A,K. "P1=?" gives the value of seeing that card, and the edges for each card it may be.
    format
        table, json or csv.
    """
    from counting.exact import Known, meters_of, price_shoe, seeing, standing_of
    from counting.games import load_game

    loaded = load_game(game)
    if bets is not None:
        loaded = loaded.only(values_of(bets, "--bet"))
    unseen = shoe_of(loaded, shoe, decks)
    if remove is not None:
        unseen = unseen.without(remove)
    place, cards = Known.asked(values_of(known, "--known"))
    priced = price_shoe(loaded, unseen, cards)
    counts, total, exact = priced.counts, priced.total, priced.edges
    if place is not None:
        _print_seeing(loaded, seeing(loaded, unseen, place, cards), place, format)
        return
    best = max(exact, key=lambda name: exact[name])
    data: dict[str, Any] = {
        "game": loaded.name,
        "shoe": str(unseen),
        "bets": {name: {"edge": float(edge), "exact": str(edge)} for name, edge in exact.items()},
        "events": {name: {"count": n, "probability": n / total} for name, n in counts.items()},
    }
    if cards:
        data |= {"known": str(cards), "best": best if exact[best] > 0 else None}
    progressive = _meter_rows(loaded, meters_of(loaded, priced.probabilities))
    left = _standing_rows({} if cards else standing_of(loaded, priced.probabilities))
    data |= {"meters": progressive} if progressive else {}
    data |= {"standing": left} if left else {}
    if format == "table":
        print(f"{loaded.title}, {unseen.cards_left} unseen cards ({unseen}){f', known: {cards}' if cards else ''}\n")
        print(for_terminal([{"bet": k, "edge": f"{100 * float(e):+.5f}%", "exact": str(e)} for k, e in exact.items()]))
        rows = [{"event": k, "probability": f"{n / total:.9f}", "ordered six-card deals": n} for k, n in counts.items()]
        print(for_terminal(rows), end="")
        if progressive:
            print("\n" + for_terminal(_for_people(progressive)), end="")
        if left:
            print("\nIf every coup had the chances of the next:")
            print(for_terminal(_for_people(left)), end="")
        if cards:
            print(f"\nBest: {f'{best}, {100 * float(exact[best]):+.4f}%' if exact[best] > 0 else 'no bet'}")
        return
    listed = [{"kind": "bet", "name": k, "value": float(e), "exact": str(e)} for k, e in exact.items()]
    listed += [{"kind": "event", "name": k, "value": n / total, "exact": str(n)} for k, n in counts.items()]
    for kind, rows, column in (("zero-edge meter", progressive, "zero_at"), ("coups of a stake", left, "coups")):
        listed += [
            {"kind": kind, "name": row["bet"], "value": row[column], "exact": row[f"exact_{column}"]} for row in rows
        ]
    put(listed, data, format)


def _meter_rows(game: Game, by_bet: Mapping[str, Meter]) -> list[dict[str, Any]]:
    """A row for each progressive bet: its meter and edge, and the meter at which the edge is zero."""
    return [
        {
            "bet": name,
            "meter": game.bet(name).meter,
            "edge": float(meter.edge(game.bet(name).meter or 0)),
            "edge_at_zero": float(meter.at_zero),
            "edge_per_1000": float(1000 * meter.slope),
            "zero_at": None if meter.zero is None else float(meter.zero),
            "exact_zero_at": None if meter.zero is None else str(meter.zero),
            "least_meter": meter.least,
        }
        for name, meter in by_bet.items()
    ]


def _standing_rows(by_bet: Mapping[str, Standing]) -> list[dict[str, Any]]:
    """A row for each bet whose stake may stand: for how many coups, and its edge until it is settled."""
    return [
        {
            "bet": name,
            "stays": float(stake.stays),
            "coups": None if stake.coups is None else float(stake.coups),
            "exact_coups": None if stake.coups is None else str(stake.coups),
            "edge_until_settled": None if stake.until_settled is None else float(stake.until_settled),
            "exact_until_settled": None if stake.until_settled is None else str(stake.until_settled),
        }
        for name, stake in by_bet.items()
    ]


def _for_people(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows for a terminal: edges and chances in percent, without fractions."""
    percents = dict.fromkeys(("edge", "edge_at_zero", "edge_per_1000", "edge_until_settled"), "+.5f") | {"stays": ".4f"}

    def cell(column: str, value: Any) -> Any:
        return f"{100 * value:{percents[column]}}%" if column in percents and value is not None else value

    return [{k: cell(k, v) for k, v in row.items() if not k.startswith("exact")} for row in rows]


def _print_seeing(
    game: Game, seen: Mapping[str, tuple[Fraction, Mapping[str, Fraction]]], place: int, format: Format
) -> None:
    """Print the edges for each card that a place may have, and the value of seeing it."""
    from counting.exact import PLACES

    rows: list[dict[str, Any]] = []
    for card, (chance, edges) in seen.items():
        best = max(edges, key=lambda name: edges[name])
        rows.append(
            {
                "card": card,
                "probability": float(chance),
                **{name: float(edge) for name, edge in edges.items()},
                "best": best if edges[best] > 0 else None,
            }
        )
    worth = sum((chance * max(Fraction(), *edges.values()) for chance, edges in seen.values()), Fraction())
    data = {"game": game.name, "place": PLACES[place], "worth": float(worth), "exact": str(worth), "cards": rows}
    if format == "table":
        percents = {*game.bet_names}
        shown = [{k: f"{100 * v:+.4f}%" if k in percents else v for k, v in row.items()} for row in rows]
        print(f"{game.title}: if {PLACES[place]} is seen\n")
        print(for_terminal(shown))
        print(
            f"Seeing it is worth {100 * float(worth):.4f}% of a unit per coup: the mean edge of the best bet, if any."
        )
        return
    put(rows, data, format)


def effects(
    game: GameName,
    bet: BetName,
    *,
    decks: Whole | None = None,
    shoe: str | None = None,
    system: Annotated[list[str] | None, SYSTEMS] = None,
    cards_left: Wholes | None = None,
    second: Annotated[bool, NO_NEGATIVE] = False,
    format: Format = "table",
) -> None:
    """Effects of removal (EOR) on a bet, the best counts for it, and roughly what they win.

    Example: counting effects ez-baccarat dragon-7 --system dragon-7 --cards-left 26 52 104

    Example: counting effects punto-banco player --decks 6 --second

    Parameters
    ----------
    game
        A game's name or the path of a TOML file.
    bet
        A bet of the game's or the catalog's (see `counting bets`).
    decks
        Decks in the full shoe; by default the game's.
    shoe
        The unseen cards before any removal, as for `edges`.
    system
        Counting systems to compare: names or TOML files.
    cards_left
        Numbers of unseen cards at which the gain is printed; by default every half deck from half the shoe, and 14.
    second
        Print second-order effects too: the effect of removing two cards, less the sum of their single effects. JSON
        always has them.
    format
        table, json or csv.
    """
    from counting.cards import finest
    from counting.exact import Effects
    from counting.games import load_game
    from counting.reports.effects import as_rows, as_text, profile
    from counting.systems import load_system

    loaded = load_game(game)
    systems = [load_system(name) for name in values_of(system, "--system")]
    knows = finest(["value", *(listed.knows for listed in systems)])
    removal = Effects.of(loaded, bet, shoe_of(loaded, shoe, decks), knows)
    data = profile(removal, systems, values_of(cards_left, "--cards-left"))
    if format == "table":
        print(as_text(data, second), end="")
        return
    put(as_rows(data, second), data, format)
