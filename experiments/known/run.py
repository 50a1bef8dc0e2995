"""Known cards: all 511 ways to sort backs into two groups, and what a patron who knows cards wins on later coups of a
shoe.

Each way to sort is priced with the exact edges for each pair of two-card hands. For later coups, this program shuffles
and deals shoes by the rules of the game. On every coup, the patron makes the bet that is best on a full shoe, given
what is known. Writes `sorts.csv`, `dealt.csv` and the tables of `notes.md`. This takes about two minutes on one core.

    python -m experiments.known.run [SHOES]
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import combinations_with_replacement, product
from pathlib import Path

import numpy as np
import polars as pl

from counting import Shoe, load_game, price_shoe
from counting.arrays import Bools, Floats, Ints
from counting.exact import KnownCards, KnownCardsWorth
from experiments._notes import put_frame

HERE = Path(__file__).parent
GAME, SHOE, BETS = load_game("punto-banco"), Shoe.decks(8), ("player", "banker-5", "tie-8")
SHOES, AT_ONCE, COUPS = 400_000, 20_000, 69  # every shoe of 416 cards has at least 69 coups
PARTS = {"1 to 23": range(23), "24 to 46": range(23, 46), "47 to 69": range(46, 69)}
RANKS = ("T", "A", *"23456789")
SIX_TO_NINE = KnownCards.parse("P1=6-9").cards[0]
SLUG = Shoe.parse("v:6,0,2,4,6,8,8,6,0,0")


def hands() -> tuple[Floats, Floats]:
    """For each combination of values of both hands' first two cards (10, 10, 10, 10): its chance, and the edges of the
    bets."""
    chances, edges = np.zeros((10,) * 4), np.zeros((3, *(10,) * 4))
    total = price_shoe(GAME, SHOE, bets=BETS).total
    pairs = list(combinations_with_replacement(range(10), 2))
    for (p1, p2), (b1, b2) in product(pairs, pairs):
        known = f"P1={RANKS[p1]} P2={RANKS[p2]} B1={RANKS[b1]} B2={RANKS[b2]}".replace("=T", "=10,J,Q,K")
        priced = price_shoe(GAME, SHOE, known, BETS)
        for places in product({(p1, p2), (p2, p1)}, {(b1, b2), (b2, b1)}):
            (first, third), (second, fourth) = places
            chances[first, second, third, fourth] = priced.total / total
            edges[:, first, second, third, fourth] = [float(priced.edges[bet]) for bet in BETS]
    return chances, edges


def sorts(chances: Floats, edges: Floats) -> pl.DataFrame:
    """The gain per coup for each way to sort the ten values into two groups, if the backs of both hands' first two
    cards are read."""
    won = chances * edges
    rows = []
    for group in range(1, 512):  # tens are always in the other group
        is_in = np.array([group >> value - 1 & 1 if value else 0 for value in range(10)])
        p1, b1, p2, b2 = np.indices((10,) * 4)
        seen = (3 * (is_in[p1] + is_in[p2]) + is_in[b1] + is_in[b2]).ravel()
        gains = np.array([np.bincount(seen, each.ravel(), 9) for each in won])
        name = " ".join(RANKS[value] for value in range(10) if is_in[value])
        row = {
            "group": name,
            "gain": gains.max(axis=0).clip(0).sum(),
            "player_or_banker": gains[:2].max(axis=0).clip(0).sum(),
        }
        rows.append(row)
    return pl.DataFrame(rows).sort("gain", descending=True)


class Dealt:
    """Coups dealt from the next six cards of shoes: the number of cards that each coup uses, and what each bet pays."""

    def __init__(self, cards: Ints) -> None:
        self.six = p1, b1, p2, b2, fifth, sixth = cards.T
        player, banker = (p1 + p2) % 10, (b1 + b2) % 10
        on = (player < 8) & (banker < 8)
        draws = on & (player < 6)
        low, high = np.array([0, 0, 0, 0, 2, 4, 6, 10, 10, 10]), np.array([9, 9, 9, 9, 7, 7, 7, 0, 0, 0])
        answers: Bools = (fifth >= low[banker]) & (fifth <= high[banker]) & ~((banker == 3) & (fifth == 8))
        banker_draws = on & np.where(draws, answers, banker < 6)
        self.used = 4 + draws + banker_draws
        player, banker = (player + draws * fifth) % 10, (banker + banker_draws * np.where(draws, sixth, fifth)) % 10
        player_wins, banker_wins = player > banker, banker > player
        dragon = banker_wins & (banker == 7) & banker_draws
        self.pays = {
            "player": player_wins * 1.0 - banker_wins,
            "banker-5": 0.95 * banker_wins - player_wins,
            "tie-8": np.where(player_wins | banker_wins, -1.0, 8.0),
            "dragon-7": np.where(dragon, 40.0, -1.0),
        }


def patrons() -> dict[str, tuple[float, Callable[[Dealt], Floats]]]:
    """For each patron: the exact gain per coup, and a function from coups to what the patron wins on them."""
    worth = KnownCardsWorth(GAME, SHOE, BETS, SIX_TO_NINE, COUPS)
    made: dict[str, tuple[float, Callable[[Dealt], Floats]]] = {}
    for name, place in (("first card", 0), ("second card", 1), ("sixth card", 5)):
        known = worth.cards[place]
        best = {case.seen: case.best(BETS) for case in known.cases}
        bets = [best[rank][0] if best[rank][1] > 0 else "" for rank in RANKS]

        def wins(coups: Dealt, place: int = place, bets: list[str] = bets) -> Floats:
            paid = np.array([coups.pays[bet] if bet else np.zeros(len(coups.used)) for bet in bets])
            return paid[coups.six[place], np.arange(len(coups.used))]

        made[name] = float(known.worth(BETS).gain), wins
    both = worth.sorts[3]

    def sorted_wins(coups: Dealt) -> Floats:
        p1, b1, p2, b2 = (card >= 6 for card in coups.six[:4])
        won = np.zeros(len(coups.used))
        for case in both.cases:
            bet, edge = case.best(BETS)
            if edge > 0:
                in_player, in_banker = int(case.seen[7]), int(case.seen[-6])
                is_seen = (p1.astype(int) + p2 == in_player) & (b1.astype(int) + b2 == in_banker)
                won += is_seen * coups.pays[bet]
        return won

    return made | {"both hands' backs, 6-9": (float(both.worth(BETS).gain), sorted_wins)}


def play(
    name: str, exact: float, wins: Callable[[Dealt], Floats], shoe: Ints, shoes: int, parts: dict[str, range], seed: int
) -> pl.DataFrame:
    """What a patron wins per coup in each part of the shoes, if the shoes are shuffled and dealt, compared with the
    exact gain."""
    rng, coups = np.random.default_rng(seed), max(part.stop for part in parts.values())
    sums: dict[str, list[Floats]] = {part: [] for part in parts}
    for _ in range(0, shoes, AT_ONCE):
        cards = rng.permuted(np.tile(shoe, (AT_ONCE, 1)), axis=1)
        at, won = np.zeros(AT_ONCE, int), np.zeros((coups, AT_ONCE))
        for coup in range(coups):
            dealt = Dealt(np.take_along_axis(cards, at[:, None] + np.arange(6), axis=1))
            won[coup] = wins(dealt)
            at += dealt.used
        for part, numbers in parts.items():
            sums[part].append(won[numbers].mean(axis=0))
    rows = []
    for part, each in sums.items():
        of_shoes = np.concatenate(each)
        error = of_shoes.std(ddof=1) / len(of_shoes) ** 0.5
        rows.append(
            {"known": name, "coups": part, "exact": exact, "dealt": of_shoes.mean(), "error": error,
             "z": (of_shoes.mean() - exact) / error}
        )  # fmt: skip
    return pl.DataFrame(rows)


def main() -> None:
    shoes = int(sys.argv[1]) if len(sys.argv) > 1 else SHOES
    table = sorts(*hands())
    table.write_csv(HERE / "sorts.csv")
    columns = {
        "cards turned": "{group}",
        "gain per coup, %": "{gain:.3%}",
        "without the tie, %": "{player_or_banker:.3%}",
    }
    own = table.filter(pl.col("group").is_in(["6 7 8 9", "5 6 7 8 9", "7 8 9"]))
    put_frame(HERE / "notes.md", columns, pl.concat([table.head(8), own]), "sorts")
    deck = np.repeat(np.arange(10), SHOE.values)
    frames = [play(name, *patron, deck, shoes, PARTS, i) for i, (name, patron) in enumerate(patrons().items())]
    edge = KnownCardsWorth(GAME.also(["dragon-7"]), SHOE, ("dragon-7",), SIX_TO_NINE, COUPS, SLUG).slug_worth
    assert edge is not None
    each = {f"{n + 1}": range(n, n + 1) for n in range(edge.coups)}
    slug = np.repeat(np.arange(10), SLUG.values)
    of_slug = float(edge.edges["dragon-7"])
    frames.append(play("slug of 40, Dragon 7", of_slug, lambda coups: coups.pays["dragon-7"], slug, shoes, each, 9))
    dealt = pl.concat(frames)
    dealt.write_csv(HERE / "dealt.csv")
    columns = {"known": "{known}", "coups": "{coups}", "exact": "{exact:.5f}", "dealt": "{dealt:.5f}",
               "error": "{error:.5f}", "z": "{z:+.2f}"}  # fmt: skip
    put_frame(HERE / "notes.md", columns, dealt, "dealt")


if __name__ == "__main__":
    main()
