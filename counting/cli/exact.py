"""The commands of exact pricing: edges, and effects of removal."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import groupby, product
from typing import TYPE_CHECKING, Annotated, Any

from counting.cli.asked import Handed, Terminal, asked, print_answer
from counting.cli.options import BETS, SEVERAL, GameName, Whole, option_values
from counting.io.tables import Format, for_terminal, put
from counting.requests import EffectsRequest, asked_game, shoe_of

if TYPE_CHECKING:
    from counting.cards import Shoe
    from counting.exact import ChoiceWorth, KnownCards, Meter, Standing
    from counting.games import Choice, Game


def edges(
    game: GameName,
    *,
    bets: Annotated[list[str] | None, BETS] = None,
    commission: str | None = None,
    decks: Whole | None = None,
    shoe: str | None = None,
    remove: str | None = None,
    known: Annotated[list[str] | None, SEVERAL] = None,
    choice: str | None = None,
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
        Bets to price, from the game or the catalog (see `counting bets`), separated by commas or blanks, as dragon-7
        panda-8. By default all bets of the game. A bet may be written out: "big-tie: tie player_total=8-9 = 30:1; tie =
        push".
    commission
        Banker's commission, as 2.5%; by default the game's.
    decks
        Decks in the full shoe; by default the game's.
    shoe
        The unseen cards: full decks as 8d, full decks less cards as 8d-7-7-K or 8d-7h-Ks, or counts by value (v: and 10
        numbers), rank (r: and 13) or card (c: and 52).
    remove
        Cards to take out of the shoe, as "7 7 K" or "7h Ks".
    known
        Known cards of the coming coup, by place in dealing order (P1, B1, P2, B2, 5, 6): P1=9, a range P1=6-9, a set
        B2=A,K. "P1=?" prints what it is worth to see that card, and the edges for each card that it may be.
    choice
        How the hands that may choose (* in the tableau) are played: draw, stand, or best:BET, which is best for that
        bet. By default, the game's file decides. With each, the command prints what drawing and standing are worth to
        every bet, for each choice.
    format
        table, json or csv.
    """
    from counting.errors import InputError
    from counting.exact import (
        KnownCards,
        edges_after_seeing,
        expected_standing_at,
        meters_of,
        price_shoe,
        taken_moves,
        worth_of_choices,
    )

    loaded = asked_game(game, commission)
    if bets is not None:
        loaded = loaded.only(option_values(bets, "--bet"))
    unseen = shoe_of(loaded, shoe, decks)
    if remove is not None:
        unseen = unseen.without(remove)
    place, cards = KnownCards.asked(option_values(known, "--known"))
    if choice == "each":
        if place is not None:
            raise InputError("--choice each: cannot be used with a card to see (P1=?), should be known cards, as P1=9")
        _print_choices(worth_of_choices(loaded, unseen, cards), unseen, cards, format)
        return
    if choice is not None:
        loaded = _playing(loaded, unseen, cards, choice)
    priced = price_shoe(loaded, unseen, cards)
    counts, total, exact = priced.counts, priced.total, priced.edges
    if place is not None:
        _print_seeing(loaded, edges_after_seeing(loaded, unseen, place, cards), place, format)
        return
    best = max(exact, key=lambda name: exact[name])
    data: dict[str, Any] = {
        "game": loaded.name,
        "shoe": str(unseen),
        "bets": {name: {"edge": float(edge), "exact": str(edge)} for name, edge in exact.items()},
        "events": {name: {"count": n, "probability": n / total} for name, n in counts.items()},
    }
    if loaded.tableau.choices:
        data["choices"] = _moves_in_words(taken_moves(loaded))
    if cards:
        data |= {"known": str(cards), "best": best if exact[best] > 0 else None}
    progressive = _meter_rows(loaded, meters_of(loaded, priced.probabilities))
    left = _standing_rows({} if cards else expected_standing_at(loaded, priced.probabilities))
    data |= {"meters": progressive} if progressive else {}
    data |= {"standing": left} if left else {}
    if format == "table":
        print(f"{loaded.heading}, {unseen.cards_left} unseen cards ({unseen}){f', known: {cards}' if cards else ''}\n")
        print(for_terminal([{"bet": k, "edge": f"{100 * float(e):+.5f}%", "exact": str(e)} for k, e in exact.items()]))
        rows = [{"event": k, "probability": f"{n / total:.9f}", "ordered six-card deals": n} for k, n in counts.items()]
        print(for_terminal(rows), end="")
        if progressive:
            print("\n" + for_terminal(_for_people(progressive)), end="")
        if left:
            print("\nIf every coup had the same chances as the next coup:")
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


def _playing(game: Game, shoe: Shoe, known: KnownCards | None, choice: str) -> Game:
    """The game with its drawing choices fixed as `--choice` states."""
    from counting.errors import InputError
    from counting.exact import taken_moves, with_choices, worth_of_choices

    cells = taken_moves(game)
    if choice in ("draw", "stand"):
        return with_choices(game, dict.fromkeys(cells, choice == "draw"))
    word, _, bet = choice.partition(":")
    if word != "best" or not bet:
        raise InputError(f"--choice {choice!r}: should be draw, stand, best:BET, as best:{game.bet_names[0]}, or each")
    of_bet = worth_of_choices(game.only([bet]), shoe, known)
    return with_choices(game, of_bet.best(game.bet_name(bet)).moves)


_WHOSE = {"player": "Player's choices", "banker": "Banker's choices", "both": "both hands' choices"}


def _print_choices(worth: ChoiceWorth, shoe: Shoe, known: KnownCards | None, format: Format) -> None:
    """Print what drawing and standing are worth to each bet, for each choice. Also print each bet's largest edge over
    all choices."""
    sides = [side for side, own in zip(_WHOSE, worth.cells, strict=False) if own]
    rows: list[dict[str, Any]] = []
    for bet in worth.game.bet_names:
        for cell, move in product(worth.taken, ("draw", "stand")):
            edge = worth.edge(bet, {cell: move == "draw"})
            rows.append(_choice_row(bet, str(cell), move, edge))
        for side in [*sides, "both"] if len(sides) > 1 else sides:
            best = worth.best(bet, side)
            drawn = "; ".join(str(cell) for cell, draws in best.moves.items() if draws)
            rows.append(_choice_row(bet, _WHOSE[side], "best", best.edge, drawn))
    taken = _moves_in_words(worth.taken)
    data = {"game": worth.game.name, "shoe": str(shoe), "choices": taken, "edges": rows}
    if format != "table":
        put(rows, data, format)
        return
    print(f"{worth.game.heading}, {shoe.cards_left} unseen cards ({shoe}){f', known: {known}' if known else ''}\n")
    print(
        "The row of a choice gives the edges of drawing and of standing, with the other choices as above.\n"
        "Below, all choices of a hand, or of both hands, are made as is best for the bet, by the hand's total:"
    )
    shown = []
    for (bet, choice), moves in groupby(rows, lambda row: (row["bet"], row["choice"])):
        edges = {row["move"]: row for row in moves}
        most = max(edges.values(), key=lambda row: row["edge"])
        percents = {move: f"{100 * row['edge']:+.5f}%" for move, row in [*edges.items(), ("best", most)]}
        drawn = "" if most["draws"] is None else most["draws"] or "none"
        columns = {move: percents.get(move, "") for move in ("draw", "stand", "best")}
        shown.append({"bet": bet, "choice": choice, **columns, "draws": drawn})
    print(for_terminal(shown), end="")


def _choice_row(bet: str, choice: str, move: str, edge: Fraction, draws: str | None = None) -> dict[str, Any]:
    return {"bet": bet, "choice": choice, "move": move, "edge": float(edge), "exact": str(edge), "draws": draws}


def _moves_in_words(moves: Mapping[Choice, bool]) -> dict[str, str]:
    return {str(cell): "draw" if draws else "stand" for cell, draws in moves.items()}


def _meter_rows(game: Game, by_bet: Mapping[str, Meter]) -> list[dict[str, Any]]:
    """A row for each progressive bet: its meter, its edge, and the meter at which the edge is zero."""
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
    """A row for each bet that may stay for several coups: the mean number of coups, and the edge until the bet is
    settled."""
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
    """Print the edges for each possible card at a place, and the value of seeing that card."""
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
        print(f"{game.heading}: if {PLACES[place]} is seen\n")
        print(for_terminal(shown))
        print(
            f"Seeing this card is worth {100 * float(worth):.4f}% of a unit per coup. This is the mean of the best "
            "bet's edge over the cards that it may be. A card counts as 0 if no bet has a positive edge."
        )
        return
    put(rows, data, format)


@asked
def effects(request: EffectsRequest, handed: Handed, *, format: Format = "table") -> None:
    """
    Parameters
    ----------
    format
        table, json or csv.
    """
    handed.check(request.out)
    answer = handed.over(request.answered(Terminal(), drawn=request.out is not None))
    from counting.reports.effects import effects_rows
    from counting.reports.effects_page import PRINTED

    print_answer(answer, PRINTED, format, lambda: effects_rows(answer.data, request.second))
