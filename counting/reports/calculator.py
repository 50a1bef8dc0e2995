"""The calculator: one HTML page that follows a shoe card by card and prices every bet exactly, without a network.

This module makes the page's data, as JSON: the tableau, the bets with their pay table lines, the counting systems and
the dealing procedure. Some bets are settled by the outcome of the coup, others by the cards of the hands. For bets of
the first kind, the page counts outcomes by dealing all hands by the tableau. For bets of the second kind, it uses trees
that are compiled here (`exact.hand_counts`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from markupsafe import Markup

from counting.cards import DECK, SUITS, VALUE_OF_CARD, WIDTH
from counting.errors import InputError
from counting.exact import JOINT_CARDS, HandCounter, Tree, line_counter, required_detail
from counting.games import MOST_METER, Bet, Game, Line, Tableau, as_game, lines_of_outcomes
from counting.logs import CONSTANT, NOTHING, OWN, WINNERS, CardRows, Layout, own_layout, shipped_layouts, sides
from counting.reports.assets import asset, inlined, template
from counting.reports.pages import labels
from counting.simulation import Dealing
from counting.simulation.dealing import AFTER_CUT
from counting.systems import System, library
from counting.version import __version__

MOST_DECKS = JOINT_CARDS // DECK  # with more decks, a double cannot hold the number of deals exactly
SCRIPTS = (  # in this order: when a file is loaded, it may use the files before it
    "pricing", "shoe", "counts", "spelling", "sources", "layouts", "log", "words", "tables", "chart", "page",
)  # fmt: skip
_STEPS = {"exact": 0, "whole": DECK, "half": DECK // 2, "quarter": DECK // 4}


def calculator(game: Game | str | Path, dealing: Dealing, systems: Sequence[System] | None = None) -> str:
    """The page as HTML. `dealing`: how shoes are dealt. `systems`: by default the published counts for the game's bets.

    Raises `InputError` for a game in which a hand may choose, for a number of decks that the game does not allow, and
    for more than 8 decks: the number of deals would not be exact in JavaScript.
    """
    game = as_game(game)
    return page_of(game, page_data(game, dealing, published_for(game) if systems is None else systems))


def page_of(game: Game, data: Mapping[str, Any]) -> str:
    """The page as HTML. `data`: the result of `page_data`."""
    return template("calculator/page.html").render(
        title=game.title,
        version=__version__,
        digest=game.digest,
        source=game.source,
        layouts=", ".join(layout["name"] for layout in data["layouts"]),
        style=Markup(asset("calculator/page.css")),
        script=Markup(script()),
        data=inlined(data),
    )


def script() -> str:
    """The page's script: the files of `SCRIPTS`, one after another. The contents of each file are in one constant, and
    in strict mode."""
    return "\n".join(asset(f"calculator/{name}.js") for name in SCRIPTS)


def published_for(game: Game) -> tuple[System, ...]:
    """The published counts of the library for the game's bets."""
    names = {*game.bet_names}
    return tuple(s for s in library() if s.published is not None and s.bets is not None and names & {*s.bets})


def page_data(game: Game, dealing: Dealing, systems: Iterable[System]) -> dict[str, Any]:
    """The data that the page needs: the game, its bets, the dealing procedure and the counting systems."""
    game.dealt_from(dealing.decks)  # raises for a number that the game does not allow
    decks = [n for n in range(1, MOST_DECKS + 1) if game.decks_allowed is None or n in game.decks_allowed]
    if dealing.decks not in decks:
        cards = DECK * dealing.decks
        raise InputError(
            f"decks: {dealing.decks}, a shoe of {cards} cards; should be at most {MOST_DECKS}: the calculator counts "
            f"shoes of up to {JOINT_CARDS} cards exactly"
        )
    if game.tableau.choices:
        raise InputError(
            f"{game.name}: a hand may choose, and the calculator supports only fixed drawing rules; should be a game "
            "without the letter *, or `counting edges`, which takes --shoe, --remove and --choice"
        )
    titles = labels(game)
    return {
        "game": game.name,
        "key": game.digest,
        "title": game.title,
        "most_cards": JOINT_CARDS,
        "most_meter": MOST_METER,
        "decks_allowed": decks,
        "after_cuts": AFTER_CUT,
        "dealing": {
            "decks": dealing.decks,
            "burn": dealing.burn,
            "cut": dealing.cut,
            "after_cut": dealing.after_cut,
        },
        "tableau": {
            "player": [int(draws) for draws in game.tableau.player],
            "banker": [[int(draws) for draws in row] for row in game.tableau.banker],
            "ending": [int(ends) for ends in game.tableau.ending],
        },
        "outcomes": [_code(*outcome) for outcome in game.tableau.outcomes],
        "bets": [_bet(bet, titles[bet.name], game.tableau) for bet in game.bets],
        "systems": [_system(system, titles) for system in systems],
        "layouts": [_layout(name, layout) for name, layout in ({OWN: own_layout()} | {**shipped_layouts()}).items()],
        "words": {"winners": WINNERS, "no_card": sorted(NOTHING)},
    }


def _layout(name: str, layout: Layout) -> dict[str, Any]:
    """The data of a layout: the log's columns, how cards are written and how coups are numbered. If the log has frames
    or a table of cards, the data also say how to read these."""
    columns = layout.coups.model_dump(exclude_none=True)
    if "cards" in columns:
        del columns["player"], columns["banker"]
    named = {field: column for field, column in columns.items() if column != CONSTANT}
    return {
        "name": name,
        "columns": {"table": "table", **named},
        "writing": {
            "written": layout.cards.written,
            "order": layout.cards.order or "dealt",
            "none": list(layout.cards.none),
        },
        "numbers": layout.numbers.model_dump(),
        "frames": None if layout.frames is None else layout.frames.model_dump(),
        "card_rows": None if layout.card_rows is None else _card_rows(layout.card_rows),
    }


def _card_rows(form: CardRows) -> dict[str, Any]:
    """The columns of a table with a row for each card, and its words for the hands. The words are sorted, so that the
    data are the same on every machine."""
    return form.model_dump(exclude={"file", "table"}) | {"hands": dict(sorted(sides(form).items()))}


def _code(player: int, banker: int, player_cards: int, banker_cards: int) -> int:
    """The number that stands for an outcome on the page."""
    return player * 40 + banker * 4 + (player_cards - 2) * 2 + (banker_cards - 2)


def _bet(bet: Bet, title: str, tableau: Tableau) -> dict[str, Any]:
    """The data of a bet: its lines with their pays, and how the page counts the coups of each line."""
    data: dict[str, Any] = {
        "name": bet.name,
        "title": title,
        "knows": required_detail(bet),
        "meter": bet.meter,
        "lines": [_line(line) for line in bet.pays],
    }
    lines = lines_of_outcomes(bet, tableau)
    if lines is not None:
        return data | {"line_of": [-1 if line is None else line for line in lines]}
    return data | {"hands": _hands(line_counter(bet, tableau))}


def _line(line: Line) -> dict[str, Any]:
    """The data of a pay table line: its pay and, if it pays from a meter, its share of the meter."""
    data: dict[str, Any] = {"label": line.label, "pay": line.pay.as_integer_ratio()}
    return data if line.share is None else data | {"share": line.share.as_integer_ratio()}


def _hands(counter: HandCounter) -> dict[str, Any]:
    """The trees for a bet that is settled by the cards of the hands."""
    return {
        "knows": counter.knows,
        "lines": counter.lines,
        "kinds": max(counter.kinds) + 1,
        "kind_of": _kinds(counter),
        "by_kind": _tree(counter.by_kind),
        "by_value": _tree(counter.by_value),
    }


def _kinds(counter: HandCounter) -> list[int]:
    """The kind of each value, of each rank or of each card. `counter.knows` states which of the three the counter
    distinguishes."""
    of_card = {"card": lambda card: card, "rank": lambda card: card // len(SUITS), "value": VALUE_OF_CARD.__getitem__}
    kinds = [0] * WIDTH[counter.knows]
    for card, kind in enumerate(counter.kinds):
        kinds[of_card[counter.knows](card)] = kind
    return kinds


def _tree(tree: Tree) -> dict[str, Any]:
    arrays = {name: getattr(tree, name).tolist() for name in ("depth", "less", "draw", "first", "slot", "weight")}
    return {"slots": tree.slots, **arrays}


def _system(system: System, titles: dict[str, str]) -> dict[str, Any]:
    """The data of a counting system: its tags by rank, or by card if it counts suits; what the count is divided by; and
    its triggers. A trigger is a whole number, to be divided by `scale`."""
    triggers = system.trigger if isinstance(system.trigger, dict) else {"": system.trigger}
    exact = {bet: Fraction(str(trigger)) for bet, trigger in triggers.items()}
    centre = None if system.distance_from is None else Fraction(str(system.distance_from))
    denominators = [number.denominator for number in (*exact.values(), centre or Fraction())]
    scale = max(denominators)
    if any(scale % denominator for denominator in denominators):
        scale = 10**6
    named = [titles.get(bet, bet) for bet in system.bets or ()]
    return {
        "name": system.name,
        "title": system.title,
        "tags": system.by_card if system.knows == "card" else system.by_rank,
        "knows": system.knows,
        "count": system.count,
        "per": system.per,
        "step": _STEPS[system.estimate],
        "rounding": system.rounding,
        "start": system.start,
        "scale": scale,
        "centre": None if centre is None else int(centre * scale),
        "triggers": [
            {
                "for": titles.get(bet, bet) if bet else ", ".join(named),
                "at": str(_shortest(trigger)),
                "from": "" if centre is None else str(_shortest(centre)),
                "scaled": int(trigger * scale),
            }
            for bet, trigger in exact.items()
        ],
    }


def _shortest(number: Fraction) -> int | float:
    return int(number) if number.denominator == 1 else float(number)
