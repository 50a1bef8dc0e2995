"""Export a game at one shoe as plain CSV: rules, weights, counts and edges. From the weights, a reader can work out the
counts and edges again.

Nothing is rounded except one column of decimals. Two programs check an export; they share no code with the package.
`experiments/check_export/add_up.py` adds up counts and edges from the weights. `experiments/check_export/deal.py` works
out the weights again: it deals every order of six values by the tableau. It also deals small shoes, to check lines that
look at ranks, suits or colours.
"""

from __future__ import annotations

import hashlib
import json
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from counting.cards import RANKS, SUITS, VALUE_OF_RANK, Shoe, as_shoe
from counting.errors import InputError
from counting.exact import event_weights, lines_of_events, multisets, price_shoe
from counting.games import FIRSTS, STOOD, First, Game, Tableau, as_game
from counting.io.folders import claimed
from counting.io.outputs import write_text
from counting.io.tables import Rows, as_csv, as_json
from counting.reports.exported_lines import left_out, line_tables
from counting.version import __version__

CHECKERS = ("experiments/check_export/add_up.py", "experiments/check_export/deal.py")
MANIFEST = "manifest.json"

_PLACES = 12  # decimals of an edge in the column of decimals


def tables(game: Game, shoe: Shoe) -> dict[str, Rows]:
    """The rows of each file, by its name.

    - tableau.csv: D (draw) or S (stand) at each total: for Player, and for Banker by Player's third card (`none`:
      Player stood). A total of 8 or 9 ends the coup. If hands may draw on naturals in a game, there are columns for
      naturals; E in them means that the coup ends.
    - outcomes.csv: a row for each outcome of a coup, with 1 in the column of each event that the outcome belongs to.
    - first_cards.csv: the same for the first two cards of both hands; left out if no bet depends on these cards.
    - weights.csv: a row for each multiset of six values. `of_0` to `of_9` are the numbers of cards of each value. The
      column of an event has the weight: the number of orders of the six values in which the event happens. To get an
      event's count, multiply each weight by a product over the values v, and add up. The factor of v is n (n - 1) ...
      (n - of_v + 1), where n cards of value v are unseen.
    - shoe.csv: the unseen cards. Suits, or ranks and suits, are empty if they are not known.
    - counts.csv: the number of ordered deals of six cards in which each event happens, and the number of all such
      deals.
    - lines.csv: a row for each event that is a line of a bet settled by the hands: the line's conditions as JSON, and
      the conditions of the bet's earlier lines, which the hands must not meet. This file and the next three are left
      out if there are no such bets.
    - kinds.csv: for each bet with lines that look at ranks or suits, the kind of each card or, with an empty suit, of
      each rank. All cards of a kind are alike for the bet's lines. The events of these lines are not in weights.csv.
      They are counted in two steps, by kinds of cards.
    - draws_by_kind.csv: the first step, a row for each term of several numbered sums. A term is the row's weight times
      the number of ways to draw cards of the row's kinds in this order.
    - draws_by_value.csv: the second step, a row for each term of an event's count. A term is the product of the row's
      weight, the sum that has the row's number in the first step, a factor for each of the row's values, and
      (n - dealt) (n - dealt - 1) ... (n - 5), where n cards are unseen. The factor of a value is the number of unseen
      cards of this value (`any`: of all values), less the number in `drawn_before`. Bets that would make these tables
      too long are left out, and named in the manifest.
    - bets.csv: for each event of a bet, what the bet pays per unit, as a fraction. On all other coups the stake is
      lost.
    - edges.csv: the bettor's edges, in lowest terms and to 12 decimals.

    Raises the errors of `exact.events`.
    """
    priced = price_shoe(game, shoe)
    counts, total, edges = priced.counts, priced.total, priced.edges
    on_first = [name for name, event in game.events.items() if any(isinstance(shown, First) for shown in event)]
    on_outcome = [name for name in game.events if name not in {*on_first, *lines_of_events(game)}]
    weights = {name: array.tolist() for name, array in event_weights(game).items()}
    rows: dict[str, Rows] = {"tableau.csv": _tableau(game.tableau)}
    rows["outcomes.csv"] = [
        {**o._asdict(), **{name: int(o in game.events[name]) for name in on_outcome}}
        for o in game.tableau.fixed.outcomes
    ]
    if on_first:
        rows["first_cards.csv"] = [
            {**{k: int(v) for k, v in f._asdict().items()}, **{name: int(f in game.events[name]) for name in on_first}}
            for f in FIRSTS
        ]
    rows["weights.csv"] = [cards | {name: numbers[i] for name, numbers in weights.items()} for cards, i in _in_order()]
    rows |= line_tables(game)
    rows["shoe.csv"] = _shoe(shoe)
    rows["counts.csv"] = [{"event": name, "count": n, "deals": total} for name, n in counts.items()]
    rows["bets.csv"] = [
        {"bet": bet, "event": event, "pay_numerator": pay.numerator, "pay_denominator": pay.denominator}
        for bet, lines in game.settlement.items()
        for event, pay in lines
    ]
    rows["edges.csv"] = [
        {"bet": bet, "numerator": edge.numerator, "denominator": edge.denominator, "edge": _decimal(edge)}
        for bet, edge in edges.items()
    ]
    return rows


@cache
def _in_order() -> list[tuple[dict[str, int], int]]:
    """The multisets in rising order. For each multiset: the number of cards of each value, and the multiset's place
    among the weights."""
    places = sorted((m, i) for i, m in enumerate(multisets()))
    return [({f"of_{v}": m.count(v) for v in range(10)}, i) for m, i in places]


def _tableau(tableau: Tableau) -> Rows:
    thirds = {STOOD: "none"} | {third: str(third) for third in range(10)}
    naturals = ["" if tableau.drawn_on is None else ("E" if ends else "S") * 2 for ends in tableau.ending]
    draws = [("player", "", tableau.player, naturals[0])]
    draws += [
        ("banker", name, tuple(row[third] for row in tableau.banker), naturals[1]) for third, name in thirds.items()
    ]
    return [
        {"hand": hand, "player_third": third}
        | {f"total_{i}": letter for i, letter in enumerate((*("SD"[d] for d in by_total), *of_naturals))}
        for hand, third, by_total, of_naturals in draws
    ]


def _shoe(shoe: Shoe) -> Rows:
    if shoe.knows == "value":
        return [{"value": v, "rank": "", "suit": "", "count": n} for v, n in enumerate(shoe.values)]
    suits = SUITS if shoe.knows == "card" else ("",)
    kinds = [(value, rank, suit) for value, rank in zip(VALUE_OF_RANK, RANKS, strict=True) for suit in suits]
    return [
        {"value": value, "rank": rank, "suit": suit, "count": n}
        for (value, rank, suit), n in zip(kinds, shoe.counts, strict=True)
    ]


def _decimal(edge: Fraction) -> str:
    return f"{Decimal(round(edge * 10**_PLACES)).scaleb(-_PLACES):.{_PLACES}f}"


def files(game: Game, shoe: Shoe) -> dict[str, str]:
    """The text of each file, by its name: first the tables, then the manifest with the digest of each table."""
    by_name = tables(game, shoe)
    texts = {name: as_csv(rows) for name, rows in by_name.items()}
    manifest: dict[str, Any] = {
        "version": __version__,
        "game": game.to_dict(),
        "game_digest": game.digest,
        "shoe": str(shoe),
        "cards_left": shoe.cards_left,
        "rows": {name: len(rows) for name, rows in by_name.items()},
        "sha256": {name: hashlib.sha256(text.encode()).hexdigest() for name, text in texts.items()},
        "check": [f"python {program} FOLDER" for program in CHECKERS],
    }
    if long := left_out(game):
        manifest["left_out"] = long
    return texts | {MANIFEST: as_json(manifest)}


def export_settings(game: Game, shoe: Shoe) -> dict[str, Any]:
    """Everything that the bytes of an export depend on."""
    return {"game": game.digest, "shoe": str(shoe), "version": __version__}


def export(game: Game | str | Path, shoe: Shoe | str, folder: Path) -> Path:
    """Write the tables and the manifest into the folder, and return the folder.

    The bytes depend only on the game, the shoe and the version of the software. Raises `InputError` if the folder has
    other files, even files of another export, and in the cases of `exact.events`.
    """
    game = as_game(game)
    shoe = as_shoe(shoe)
    texts = files(game, shoe)
    with claimed(folder, "export", export_settings(game, shoe)):
        for name, text in texts.items():
            if (folder / name).exists() and (folder / name).read_bytes() != text.encode():
                raise InputError(f"{folder}: its {name} was changed, should be a new or empty folder (--out)")
        for name, text in texts.items():
            write_text(folder / name, text)
    return folder


def listing(folder: Path) -> Rows:
    """The files of an export, with their numbers of rows and their SHA-256."""
    manifest = (folder / MANIFEST).read_bytes()
    data = json.loads(manifest)
    rows = [{"file": name, "rows": data["rows"][name], "sha256": digest} for name, digest in data["sha256"].items()]
    return [*rows, {"file": MANIFEST, "rows": None, "sha256": hashlib.sha256(manifest).hexdigest()}]
