"""Own cards at Louisiana Baccarat with n cards left of 8 decks, exactly over all compositions.

How often a bet on Player has an edge, on the house's hand and on an own hand that is played best by its cards or by its
total, and what it wins if staked only then. An edge is a sum over the bettor's hands of the better of two linear forms.
Writes `own.csv` and the tables of `notes.md`; numbers of cards that are in the file are kept.

    python -m experiments.chemin_law.own [LAST]
"""

from __future__ import annotations

import sys
from fractions import Fraction
from functools import cache
from math import comb, prod
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from counting import load_game
from counting.cards import COUP, DECK
from counting.chemin.census import weight
from counting.chemin.rules import HANDS, TOTALS
from counting.exact import _forms
from counting.exact.instruction_sets import level
from counting.exact.linear_forms import Program, pack, weigh
from experiments._notes import put_frame

HERE = Path(__file__).parent
GAME, DECKS, LAST = load_game("louisiana"), 8, 16
BANK = np.pad(np.array(GAME.tableau.banker, np.int32), ((0, 2), (0, 0)))
KINDS = ("house", "total", "hand")
SHOWN = {"house": "the house's hand", "total": "own hand, by its total", "hand": "own hand, by its cards"}


def net(hand: tuple[int, int], draws: bool) -> NDArray[np.int32]:
    """The bettor's wins less losses with this hand, that draws or stands: a form."""
    player = np.where(np.arange(10) < TOTALS, np.int32(draws), np.int32(0))
    outcome = np.sign(np.subtract.outer(np.arange(10), np.arange(10))) + 1  # 0 lost, 1 tied, 2 won
    classes = np.broadcast_to(outcome[:, :, None, None], (10, 10, 2, 2)).astype(np.int32)
    form = np.zeros(5005, np.int32)
    for first, second in {hand, hand[::-1]}:
        allowed = np.ones((6, 10), np.int32)
        allowed[0], allowed[2] = np.arange(10) == first, np.arange(10) == second
        by_class = weigh(player, BANK, classes, allowed)
        form += by_class[2] - by_class[0]
    return form


@cache
def program() -> Program:
    """The worth of standing on every hand, then what drawing adds on each of the 44."""
    stand = [net(hand, draws=False) for hand in HANDS]
    draw = [net(hand, draws=True) for hand in HANDS[:44]]
    return pack(np.array([sum(stand), *(d - s for d, s in zip(draw, stand[:44], strict=True))], np.int32))


def edges(counts: NDArray[np.int32]) -> NDArray[np.float64]:
    """(3, shoes): of each of the kinds, times the number of ordered deals: whole numbers, exact."""
    forms = program()
    out = np.empty((len(counts), forms.forms))
    _forms.counts_float64(
        np.ascontiguousarray(counts, np.int32),
        forms.layout,
        forms.weights * 1.0,
        forms.single_weights * 1.0,
        out,
        level(),
    )
    base, draws = out[:, 0], out[:, 1:]
    totals = np.array([sum(hand) % 10 for hand in HANDS[:44]])
    of_total = np.stack([draws[:, totals == t].sum(axis=1) for t in range(TOTALS)], axis=1)
    table = of_total[:, np.array(GAME.tableau.player[:TOTALS], bool)].sum(axis=1)
    best = [np.maximum(of, 0).sum(axis=1) for of in (of_total, draws)]
    return np.stack([base + table, base + best[0], base + best[1]])


@cache
def compositions(cards: int, values: int) -> NDArray[np.int8]:
    """(n, values): the counts of each composition of this number of cards."""
    if values == 1:
        return np.array([[cards]], np.int8)
    parts = [compositions(cards - n, values - 1) for n in range(cards + 1)]
    return np.concatenate([np.insert(part, 0, n, axis=1) for n, part in enumerate(parts)])


def law(cards: int) -> list[dict[str, object]]:
    """A row for each kind."""
    sums = {kind: [0, 0, 0] for kind in KINDS}  # weights of edges above 0, of all edges, of those above 0
    draws = 0
    for zeros in range(cards + 1):
        others = compositions(cards - zeros, 9)
        code = np.sort(others, axis=1).astype(np.int64) @ 32 ** np.arange(9)
        _, first, of_class = np.unique(code, return_index=True, return_inverse=True)
        ways = [weight((zeros, *others[i].tolist()), DECKS) for i in first]
        draws += sum(w * int(n) for w, n in zip(ways, np.bincount(of_class), strict=True))
        counts = np.insert(others, 0, zeros, axis=1).astype(np.int32)
        worth = np.concatenate([edges(part) for part in np.array_split(counts, 1 + len(counts) // 200_000)], axis=1)
        for kind, edge in zip(KINDS, worth, strict=True):
            for i, parts in enumerate((edge > 0, edge, np.maximum(edge, 0))):
                by_class = np.bincount(of_class, parts)  # whole numbers below 2^53
                sums[kind][i] += sum(w * int(n) for w, n in zip(ways, by_class, strict=True))
    assert draws == comb(DECK * DECKS, cards)
    deals = prod(cards - i for i in range(COUP))
    rows = []
    for kind, (above, mean, gain) in sums.items():
        exact = [Fraction(above, draws), Fraction(mean, draws * deals), Fraction(gain, draws * deals)]
        rows.append(
            {
                "cards_left": cards,
                "bet": kind,
                **dict(zip(("positive", "mean", "gain"), map(float, exact), strict=True)),
                **dict(zip(("positive_exact", "mean_exact", "gain_exact"), map(str, exact), strict=True)),
            }
        )
    return rows


def main() -> None:
    path = HERE / "own.csv"
    rows = pl.read_csv(path).to_dicts() if path.exists() else []
    for cards in range(COUP, int(sys.argv[1]) + 1 if len(sys.argv) > 1 else LAST + 1):
        if cards not in {row["cards_left"] for row in rows}:
            rows += law(cards)
            compositions.cache_clear()
            pl.DataFrame(rows).write_csv(path)
    table = pl.DataFrame(rows).pivot("bet", index="cards_left", values=["positive", "gain"])
    shown = table.with_columns(pl.exclude("cards_left") * 100).filter(pl.col("cards_left") % 2 == 0)
    how = {"cards left": "{cards_left}"}
    how |= {f"{name}: has an edge, %": f"{{positive_{kind}:.3f}}" for kind, name in SHOWN.items()}
    how |= {f"{name}: wins, %": f"{{gain_{kind}:.4f}}" for kind, name in SHOWN.items()}
    put_frame(HERE / "notes.md", how, shown, "own")


if __name__ == "__main__":
    main()
