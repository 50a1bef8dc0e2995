"""The command of a census: the exact distribution of a bet's edge with n cards left."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from typing import Annotated, Any

from counting.cli.asked import Terminal
from counting.cli.options import BETS, SEVERAL, GameName, SystemName, Whole, card_numbers, option_values, say
from counting.io.tables import Format, for_terminal, put
from counting.requests import choices_taken, resumable

# What a table on a terminal shows of a census; JSON and CSV have every column.
_CENSUS = [
    "cards_left",
    "p_positive",
    "p_zero",
    "mean_positive_edge",
    "mean_positive_part",
    "sd",
    "max_edge",
    "max_composition",
]


def census(
    game: GameName,
    bet: Annotated[list[str], BETS],
    *,
    cards: str = "6:30",
    decks: Whole | None = None,
    tie_in: str | None = None,
    main: Annotated[list[str] | None, SEVERAL] = None,
    histogram: Whole | None = None,
    system: SystemName | None = None,
    workers: Whole | None = None,
    cache: bool = True,
    format: Format = "table",
) -> None:
    """The exact distribution of a bet's edge with n random cards left unseen, over every composition.

    Example: counting census punto-banco tie-8 --cards 6:40

    Example: counting census ez-baccarat dragon-7 --cards 6:20 --system dragon-7

    Parameters
    ----------
    game
        A game's name or the path of a TOML file.
    bet
        A bet of the game's or the catalog's (see `counting bets`), on point values; with several, the best of them.
    cards
        Unseen cards: a number, or a range 6:40, at most 60 (`counting estimate` takes more). The time grows with the
        number: 40 cards have 2 * 10^9 compositions, 60 have 6 * 10^10.
    decks
        Decks in the full shoe; by default the game's.
    tie_in
        Main-bet requirement: units required on the main bets per unit of the bet, as 1, 0.5 or 1/3, staked on the best
        of them.
    main
        The main bets for the requirement; by default the game's first bets on Player, Banker and Tie.
    histogram
        Print the whole distribution too, in this number of bins of equal width; CSV has a row per bin instead.
    system
        A counting system, by name or TOML file: what a counter with it bets and wins at each number of cards.
    workers
        Threads, by default one per core; they change no result.
    cache
        Keep results and reuse kept ones (in COUNTING_CACHE, or the user's cache folder).
    format
        table, json or csv.
    """
    from counting.exact import census as run
    from counting.games import load_game
    from counting.systems import load_system

    numbers = card_numbers(cards)
    loaded = load_game(game)
    say(*choices_taken(loaded))
    counter = load_system(system) if system is not None else None
    decks = loaded.dealt_from(decks)
    names = list(dict.fromkeys(option_values(bet, "--bet")))
    data: dict[str, Any] = {"game": loaded.name, **({"bet": names[0]} if len(names) == 1 else {"bets": names})}
    on = None
    if tie_in is not None or main is not None:
        on = [*loaded.mains(option_values(main, "--main") or None)]
        data |= {"tie_in": tie_in, "main": on}
    with resumable() if cache else nullcontext(), Terminal().stage("Counting", "compositions", after=2) as progress:
        frame = run(
            loaded,
            names,
            numbers,
            decks,
            workers,
            cache,
            counter,
            tie_in=tie_in,
            main=on,
            histogram=histogram,
            quantiles=format != "table",  # which the table does not show
            progress=progress,
        )
    if counter is not None and counter.drifts(decks):
        print(f"{counter.drift(decks)}. most_count_gain is from its best trigger, from any start.", file=sys.stderr)
    data |= {"decks": decks, "census": frame.to_dicts()}
    bins = frame.select("cards_left", "histogram").explode("histogram").unnest("histogram") if histogram else None
    if format != "table":
        put((frame if bins is None else bins).to_dicts(), data, format)
        return
    ends = ("count_gain", "count_bets")
    shown = [name for name in frame.columns if name.endswith(ends) or name.startswith(("best_", "bets_"))]
    print(for_terminal(frame.select(*_CENSUS, *shown).to_dicts()), end="")
    if bins is not None:
        print("\nprobability of an edge in the bin that starts at edge_from, by cards left")
        print(for_terminal(bins.pivot("cards_left", index="edge_from", values="probability").to_dicts()), end="")
