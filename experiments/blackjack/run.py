"""How much weaker counting is at baccarat than at blackjack. The gambling FAQ states a factor of nine; here it is
computed for each bet.

The exact effects of removal at baccarat are compared with published effects of one-deck blackjack. The exact
distribution of each edge with few cards left is computed too. Writes `blackjack.csv`, the tables of `notes.md` and
`blackjack.svg`. This takes two minutes on two cores.

    python -m experiments.blackjack.run
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterable
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from counting import Shoe, load_game
from counting.cards import DECK
from counting.exact import Effects, census
from counting.games import Game
from counting.reports import drawing
from counting.reports.pages import labels
from experiments import _plots
from experiments._notes import put, put_frame

HERE = Path(__file__).parent
PUBLISHED = HERE.parents[1] / "tests" / "golden" / "published.csv"
DECKS, DEPTHS, SHOWN = (1, 8), (13, 26, 39), 26
MAIN, TITLES = ["player", "banker-5", "tie-8", "tie-9"], ["Player", "Banker, 5%", "Tie, 8 to 1", "Tie, 9 to 1"]
BETS = {
    "punto-banco": [
        *MAIN, "banker-4", "big", "small", "dragon-bonus-player", "any-natural", "super-6", "panda-8", "dragon-7",
        "egalite-0",
    ],
    "louisiana": ["seven-seven-40", "seven-seven-45"],
}  # fmt: skip


class Spread(NamedTuple):
    """How far an edge moves when a random card is removed: the standard deviation, the mean size and the largest size
    of the change."""

    sd: float
    size: float
    most: float

    @classmethod
    def of(cls, effects: Iterable[tuple[int, float]]) -> Spread:
        """The spread of effects. Each effect is given with the number of cards that have it. Effects are centred first,
        because the mean of rounded effects is not exactly 0."""
        cards = [(number, float(effect)) for number, effect in effects]
        total = sum(number for number, _ in cards)
        mean = sum(number * effect for number, effect in cards) / total
        sizes = [(number, abs(effect - mean)) for number, effect in cards]
        return cls(
            math.sqrt(sum(number * size**2 for number, size in sizes) / total),
            sum(number * size for number, size in sizes) / total,
            max(size for _, size in sizes),
        )

    def at_one_deck(self, decks: int) -> Spread:
        """The spread times (N - 1)/51, where the decks have N cards. This makes it comparable with a spread for 52
        cards (see `counting.exact.effects`)."""
        return Spread(*((DECK * decks - 1) / (DECK - 1) * figure for figure in self))


def published() -> Spread:
    """The spread of Griffin's effects of removal for one-deck blackjack, in units of the stake."""
    with PUBLISHED.open() as file:
        effects = [row for row in csv.DictReader(file) if row["item"].startswith("effect of removing one ")]
    return Spread.of((16 if row["item"].endswith("T") else 4, float(row["value"]) / 100) for row in effects)


def rows(game: Game, bet: str, decks: int, blackjack: Spread) -> Iterable[dict[str, Any]]:
    """A row for each number of cards left, with values from the full shoe, from a linear estimate at this number of
    cards, and from the exact edge."""
    effects = Effects.of(game, bet, Shoe.decks(decks))
    moves = zip(effects.counts, effects.removal, strict=True)
    own = Spread.of((number, float(effect)) for number, effect in moves if effect is not None)
    scaled, house_edge = own.at_one_deck(decks), -float(effects.edge)
    factors = [theirs / ours for theirs, ours in zip(blackjack, scaled, strict=True)]
    for law in census(game, bet, DEPTHS, decks).to_dicts():
        n = law["cards_left"]
        yield {
            "game": game.name,
            "bet": bet,
            "title": labels(game)[bet],
            "decks": decks,
            "house_edge": house_edge,
            "sd_effect": own.sd,
            "sd_effect_one_deck": scaled.sd,
            "factor_sd": factors[0],
            "factor_size": factors[1],
            "factor_most": factors[2],
            "cards_left": n,
            "sd_linear": effects.deviation(n),
            "sd_exact": law["sd"],
            "break_even_linear": house_edge / effects.deviation(n),
            "break_even_exact": house_edge / law["sd"],
            "p_positive": law["p_positive"],
            "gain_linear": effects.gain(n),
            "gain_exact": law["mean_positive_part"],
            # The gain if this bet's edge moved as far as blackjack's. The factor is passed in place of a correlation.
            "gain_as_blackjack": effects.gain(n, factors[0]),
        }


def definitions(found: pl.DataFrame, blackjack: Spread) -> Iterable[list[str]]:
    """The factors by which counting is weaker at the main bets than at blackjack, with a row for each definition of
    "weaker"."""

    def row(said: str, decks: int, factor: Callable[[dict[str, Any]], float]) -> list[str]:
        of = {line["bet"]: factor(line) for line in found.filter(decks=decks, cards_left=SHOWN).to_dicts()}
        return [said, *(f"{of[bet]:.{2 if of[bet] < 100 else 0}f}" for bet in MAIN)]

    for said, column in (
        ("standard deviation of the effect of a removed card", "factor_sd"),
        ("mean size of this effect", "factor_size"),
        ("largest size of this effect", "factor_most"),
    ):
        yield row(f"{said}, one deck of each", 1, itemgetter(column))
        yield row(f"{said}, 8 decks of baccarat, times 415/51", 8, itemgetter(column))
    yield row(
        "standard deviation of this effect, a card of 8 decks here against one of one deck there",
        8,
        lambda r: blackjack.sd / r["sd_effect"],
    )
    # For edges, see `Effects.variance`: first with half of the cards left, then with 26 cards left in each game.
    half = math.sqrt((DECK - 1) / (8 * DECK - 1))
    yield row("the edge with half of the shoe left, 8 decks", 8, lambda r: half * blackjack.sd / r["sd_effect"])
    left = blackjack.sd * math.sqrt((DECK - 1) * (DECK - SHOWN) / SHOWN)
    yield row("the edge with 26 cards left, of 416 here and of 52 there", 8, lambda r: left / r["sd_linear"])
    said = "the gain with 26 of 416 cards left, both with the bet's house edge"
    yield row(f"{said}: linear, normal", 8, lambda r: r["gain_as_blackjack"] / r["gain_linear"])
    yield row(f"{said}: against the exact gain", 8, lambda r: r["gain_as_blackjack"] / r["gain_exact"])


def main() -> None:
    blackjack = published()
    games = {name: load_game(name).also(bets) for name, bets in BETS.items()}
    asked = [(games[name], bet, decks) for name, bets in BETS.items() for bet in bets for decks in DECKS]
    found = pl.DataFrame([row for of in asked for row in rows(*of, blackjack)])
    found.write_csv(HERE / "blackjack.csv")
    put(
        HERE / "notes.md",
        ["how many times less than at blackjack", *TITLES],
        definitions(found, blackjack),
        "definitions",
    )
    one, eight = (found.filter(decks=decks, cards_left=SHOWN).sort("bet") for decks in DECKS)
    both = eight.with_columns(one_deck=one["sd_effect"], factor_one_deck=one["factor_sd"]).sort("sd_effect")
    put_frame(
        HERE / "notes.md",
        {
            "bet": "{title}",
            "house edge": "{house_edge:.3%}",
            "effect of a card, one deck": "{one_deck:.4%}",
            "effect of a card, 8 decks, times 415/51": "{sd_effect_one_deck:.4%}",
            "blackjack divided by it, one deck": "{factor_one_deck:.3f}",
            "blackjack divided by it, 8 decks": "{factor_sd:.3f}",
            "break-even, linear": "{break_even_linear:.2f}",
            "break-even, exact": "{break_even_exact:.2f}",
            "units per 100 coups, linear": "{per_100_linear:.4f}",
            "units, exact": "{per_100_exact:.4f}",
            "units, as blackjack": "{per_100_as_blackjack:.4f}",
        },
        both.with_columns((pl.col("^gain_.*$") * 100).name.replace("gain", "per_100")),
        "bets",
    )
    drawn = both.select(
        "title", (1 / pl.col("factor_one_deck")).alias("one_deck"), (1 / pl.col("factor_sd")).alias("eight_decks"),
        "break_even_linear", "break_even_exact",
    )  # fmt: skip
    (HERE / "blackjack.svg").write_text(drawing.svg(_plots.against_blackjack(drawn)))


if __name__ == "__main__":
    main()
