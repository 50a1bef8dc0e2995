"""The command for what counting gains at chemin de fer."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from counting.cli.asked import Terminal
from counting.cli.options import Whole
from counting.errors import whole
from counting.io.tables import Format, prose
from counting.numbers import many
from counting.requests import numbers_of

if TYPE_CHECKING:
    from counting.chemin import ChosenStakes, Gains


def gains(
    cards: str = "6:10",
    *,
    decks: Annotated[Whole, Parameter(help="Full decks, from which the cards left are drawn.")] = 6,
    commission: str = "0.05",
    format: Format = "table",
) -> None:
    """What counting gains with n cards left, over all compositions: how often a side has an edge, and what it wins if
    it stakes only then.

    The shares of shoes with an edge are exact. Each win is exact, or the middle between two close bounds.

    The model is B3. Player counts, or the bank counts, or both count. A side that does not count plays the strategy
    that is best for the full shoe. The bank pays the commission on its wins. If both count, the bank's figures are what
    it can be sure of, whatever Player does; Player then never has an edge. 10 cards take a second, 16 half a minute, 26
    about ten minutes.

    Example: counting chemin gains 6:10

    Example: counting chemin gains 8 --decks 8 --commission 0 --format json

    Parameters
    ----------
    cards
        Numbers of cards left, 6 to 26: 8, or a range like 6:10.
    commission
        The commission on Banker's wins, as 5% or 1/40.
    format
        table, json or csv; json has the exact fractions too: a lower and an upper bound for each mean and gain.
    """
    from counting.cards import COUP
    from counting.chemin import counting_gains
    from counting.chemin.census import MOST_CARDS
    from counting.reports.chemin.headings import GAINS, SHARES
    from counting.reports.terminal import put_table

    numbers = [whole(n, "cards", COUP, MOST_CARDS) for n in numbers_of(cards, "CARDS", "cards", "6:10 or 6:12:2")]
    counted = []
    for n in numbers:
        with Terminal().stage(f"Counting {n} cards", "compositions", after=2) as progress:
            counted.append(counting_gains(n, decks, commission, progress=progress))
    if format == "table":
        head = f"Chemin de fer, {many(decks, 'deck')}, model B3, {commission} commission on Banker's wins"
        print(prose(f"{head}. Figures are in % of the stake.\n"))
    data = {"decks": decks, "commission": commission, "gains": list(map(_data, counted))}
    put_table(list(map(_row, counted)), data, format, GAINS, SHARES)


def _row(gains: ChosenStakes) -> dict[str, Any]:
    """A row of the table. If only bounds of a mean are known, their middle is shown; JSON has the bounds."""
    return {
        "cards_left": gains.cards_left,
        "player_edge": float(gains.player.positive),
        "player_gain": _middle(gains.player),
        "bank_edge": float(gains.bank.positive),
        "bank_gain": _middle(gains.bank),
        "value": float(sum(gains.both_player.mean) / 2),
        "fair": float(gains.both_player.even),
        "sure_edge": float(gains.both_bank.positive),
        "sure_gain": _middle(gains.both_bank),
    }


def _middle(gains: Gains) -> float:
    return float(sum(gains.gain) / 2)


def _data(gains: ChosenStakes) -> dict[str, Any]:
    sides = {"player": gains.player, "bank": gains.bank, "both_player": gains.both_player, "both_bank": gains.both_bank}
    exact = {
        name: {
            "positive": str(of.positive),
            "even": str(of.even),
            "mean": _pair(of.mean),
            "gain": _pair(of.gain),
        }
        for name, of in sides.items()
    }
    return {**_row(gains), "compositions": gains.compositions, "solved": float(gains.solved), "exact": exact}


def _pair(least_most: tuple[Fraction, Fraction]) -> list[str]:
    return list(map(str, least_most))
