"""The commands that sample: `simulate` deals coups to check exact values, and `estimate` replaces a census that would
be too large."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from counting.cli.asked import Terminal
from counting.cli.options import NO_NEGATIVE, BetName, GameName, Whole, say
from counting.errors import InputError
from counting.io.tables import Format, percent, prose, put
from counting.numbers import many
from counting.requests import asked_game, card_numbers, choices_taken


def simulate(
    game: GameName,
    *,
    coups: Whole,
    commission: str | None = None,
    decks: Whole | None = None,
    with_replacement: Annotated[bool, NO_NEGATIVE] = False,
    seed: Whole = 1,
    format: Format = "table",
) -> None:
    """Deal coups, and compare the frequencies of events and the house edges with the exact values.

    Example: counting simulate punto-banco --coups 1000000 --with-replacement

    Example: counting simulate louisiana --coups 100000 --seed 2

    Parameters
    ----------
    game
        A game's name, as punto-banco (see `counting games`), or the path of a TOML file.
    coups
        Number of coups to deal.
    commission
        Banker's commission, as 2.5%; by default the game's.
    decks
        Decks in the shoe; by default the game's. Shoes are dealt with 14 cards behind the cut card.
    with_replacement
        Draw every card from a full deck instead, as from an infinite shoe.
    seed
        The seed of the dealt cards, a whole number. The same seed deals the same cards again.
    format
        table, json or csv.
    """
    from counting.simulation import simulate as run

    if with_replacement and decks is not None:
        raise InputError(f"--decks {decks} and --with-replacement: should be one or the other")
    loaded = asked_game(game, commission)
    result = run(loaded, coups, None if with_replacement else loaded.dealt_from(decks), seed)

    def row(name: str, simulated: float, error: float, exact: float) -> dict[str, Any]:
        z = round((simulated - exact) / error, 2) if error else None
        return {"name": name, "simulated": simulated, "standard_error": error, "exact": exact, "z": z}

    happened = [row(name, *figures) for name, figures in result.events.items()]
    house = [row(name, 0.0 - s, e, 0.0 - x) for name, (s, e, x) in result.bets.items()]
    data = {"game": loaded.name, "coups": result.coups, "shoes": result.shoes, "seed": seed}
    data |= {"events": happened, "house_edges": house}
    if format == "table":
        from counting.reports.terminal import rows_table

        dealt = "with replacement" if result.shoes is None else f"from {many(result.shoes, 'shoe')}"
        print(f"{loaded.heading}, {result.coups:,} coups dealt {dealt}\n")
        for title, listed in (("fractions of coups", happened), ("\nhouse edges", house)):
            print(f"{title}\n{rows_table([_with_error(row) for row in listed])}", end="")
        return
    put([{"kind": k, **r} for k, rs in (("event", happened), ("house edge", house)) for r in rs], data, format)


def _with_error(row: dict[str, Any]) -> dict[str, Any]:
    """A row with its standard error renamed, so that the error is printed next to its value."""
    return {"simulated_se" if name == "standard_error" else name: value for name, value in row.items()}


def estimate(
    game: GameName,
    bet: BetName,
    *,
    cards: str = "60:200:20",
    commission: str | None = None,
    decks: Whole | None = None,
    samples: Whole = 200_000,
    seed: Whole = 1,
    workers: Whole | None = None,
    format: Format = "table",
) -> None:
    """Estimate how often a bet's edge is positive, and what this is worth to a counter, with more cards than a census
    allows.

    The figures are estimated by importance sampling, with standard errors; mean_edge is exact.

    Example: counting estimate punto-banco tie-8 --cards 60:200:20

    Example: counting estimate ez-baccarat dragon-7 --cards 52 --samples 1000000

    Parameters
    ----------
    game
        A game's name, as punto-banco (see `counting games`), or the path of a TOML file.
    bet
        A bet on point values, as tie-8: the game's, the catalog's (see `counting bets`), or written out.
    cards
        Numbers of unseen cards, from 6 to the whole shoe: 60, the range 60:80, or every 20th number as 60:200:20.
    commission
        Banker's commission, as 2.5%; by default the game's.
    decks
        Decks in the full shoe; by default the game's.
    samples
        Samples for each number of cards, at least 1,000. Four times the samples halve the errors.
    seed
        The seed of the samples, a whole number. The same seed draws the same samples again. A row does not depend on
        the other numbers of cards.
    workers
        Threads; by default one per core. Their number does not change results.
    format
        table, json or csv.
    """
    from counting.simulation import estimate as run

    numbers = card_numbers(cards)
    loaded = asked_game(game, commission)
    say(*choices_taken(loaded))
    decks = loaded.dealt_from(decks)
    with Terminal().stage("Sampling", "numbers of cards", after=2) as progress:
        rows = run(loaded, bet, numbers, decks, samples, seed, workers, progress).to_dicts()
    if format != "table":
        asked = {"game": loaded.name, "bet": loaded.bet_name(bet), "decks": decks, "seed": seed}
        put(rows, {**asked, "estimates": rows}, format)
        return
    from counting.reports.numbers import coups_for, of_shoes
    from counting.reports.pages import labels
    from counting.reports.terminal import rows_table

    title, edge = labels(loaded.only([bet]))[loaded.bet_name(bet)], percent(rows[0]["mean_edge"], 5)
    head = f"{title} at {loaded.heading}, {many(decks, 'deck')}, edge {edge} on a full shoe; {samples:,} samples a row."
    print(prose(f"{head}\n"))
    coups = coups_for(row[name] for row in rows for name in ("p_positive", "mean_positive_part"))
    headings = {
        "cards_left": "cards left",
        "p_positive" if coups == 100 else "positive": f"positive edge, {of_shoes(coups)}",
        "mean_positive_edge": "average edge when positive",
        "mean_positive_part": f"units per {coups:,} coups, perfect play",
    }
    print(rows_table([_per(row, coups) for row in rows], headings), end="")


def _per(row: Mapping[str, Any], coups: int) -> dict[str, Any]:
    """A row of estimates per `coups` coups. For 100 coups, chances are not scaled, because they are printed in
    percent."""
    names = {} if coups == 100 else {"p_positive": "positive", "p_positive_se": "positive_se"}
    scaled = {"mean_positive_part", *(("p_positive",) if coups != 100 else ())}
    return {
        names.get(name, name): value * coups if name.removesuffix("_se") in scaled and value is not None else value
        for name, value in row.items()
    }
