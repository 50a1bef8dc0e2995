"""Can the Players have an edge at banque? All shoes of nine cards are searched; these are the smallest shoes from which
every coup can be dealt.

In two cases the Players never have an edge (`docs/methods.md`): if the second Player ignores the first Player's third
card, and if all stakes are on the first Player. For the other cases, each composition of nine cards in which a hand of
five can be dealt is searched, at four values of theta. The model is B1, in which Banker sees least. After a natural,
the rest of the coup is chemin de fer, which is worth at most 0 to the Players. So a shoe is solved as a whole only if
its coups without a natural are worth more than 0. It is then solved in B1 and B2, and the certificates are checked. For
most shoes, it is enough to try six pure plays of Banker: against one of them the coups without a natural are worth at
most 0. For the other shoes, the exact value of these coups is computed.

Writes `small-shoes.csv` and a table of `notes.md`. This takes about half an hour.

    python -m experiments.banque_apart.small_shoes
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from itertools import chain, combinations_with_replacement
from pathlib import Path

import numpy as np
import polars as pl

from counting import Shoe
from counting.chemin import MODELS
from counting.chemin.banque import banque, check_banque
from counting.chemin.banque.coups_dealt import MOST_CARDS
from counting.chemin.banque.tableaux import Tableaux
from counting.chemin.rules import HANDS
from experiments._notes import put

HERE = Path(__file__).parent
WORKERS = 3
THETAS = tuple(Fraction(i, 4) for i in range(4))  # for theta = 1 it is proved that there is no edge
FIVES = [hand for hand in HANDS if sum(hand) % 10 == 5]


def shoes() -> Iterator[Shoe]:
    """Every composition of nine cards in which a hand of five can be dealt."""
    for cards in combinations_with_replacement(range(10), MOST_CARDS):
        counts = [cards.count(value) for value in range(10)]
        if any(counts[a] and counts[b] for a, b in FIVES):
            yield Shoe.from_values(counts)


def may_gain(dealt: Tableaux, theta: Fraction) -> bool:
    """Whether the Players can win more than 0 on coups without a natural against each of six pure plays of Banker's. In
    two of these plays, Banker draws as a Player does, once with and once without drawing on five. The other four are
    the best replies to the Players' pure plays."""
    stakes = theta.numerator, theta.denominator - theta.numerator
    stand, draw = (stakes[0] * at[0] + stakes[1] * at[1] for at in dealt.worth[:, :, dealt.possible])
    own = np.array([total for total, _, _ in dealt.cells])[dealt.possible]
    first = dealt.first[dealt.possible]
    # The Players' pure plays, in the coordinates 1, x, u and v of `solution`.
    plans = (np.array(plan, object) for plan in ([1, 1, 1, 0], [1, 1, 0, 0], [1, 0, 0, 1], [1, 0, 0, 0]))
    replies = (((draw - stand) @ plan < 0).astype(bool) for plan in plans)
    return all(most(first, np.where(draws[:, None], draw, stand)) > 0 for draws in chain([own < 5, own <= 5], replies))


def most(first: np.ndarray, worth: np.ndarray) -> int:
    """The most that the Players' common plans win against one play of Banker's."""
    one, x = worth[:, :2].sum(axis=0)
    cases = [worth[first == state, 2:].sum(axis=0) for state in np.unique(first)]
    both, second = (sum(max(0, case[i]) for case in cases) for i in (0, 1))
    return int(one + max(x + both, second))


def without_naturals(shoe: Shoe, theta: Fraction) -> Fraction:
    """The exact value of the coups without a natural."""
    solved = banque(shoe, theta, "B1")
    dealt = Tableaux.of(shoe, MODELS["B1"])
    return solved.value - sum((p * solved.naturals[hand].value for hand, p in dealt.naturals.items()), Fraction(0))


def searched(shoe: Shoe) -> list[dict[str, object]]:
    """A row for each theta at which the coups without a natural are worth more than 0 to the Players."""
    dealt = Tableaux.of(shoe, MODELS["B1"])
    rows: list[dict[str, object]] = []
    for theta in THETAS:
        if may_gain(dealt, theta) and without_naturals(shoe, theta) > 0:
            row: dict[str, object] = {"shoe": str(shoe), "theta": str(theta)}
            for model in ("B1", "B2"):
                found = banque(shoe, theta, model)
                check_banque(found.certificate, shoe, theta, model)
                row |= {f"{model}_exact": str(found.value), model: float(found.value)}
            rows.append(row)
    return rows


def main() -> None:
    every, rows = list(shoes()), []
    with ProcessPoolExecutor(WORKERS) as pool:
        for i, found in enumerate(pool.map(searched, every, chunksize=50), 1):
            rows += found
            if i % 1000 == 0:
                print(f"{i:,} of {len(every):,} shoes, {len(rows)} cases solved as a whole", flush=True)
    pl.DataFrame(rows).write_csv(HERE / "small-shoes.csv", float_precision=8)
    lines = []
    for theta in THETAS:
        line = [str(theta), f"{len(every):,}"]
        for model in ("B1", "B2"):
            values = [Fraction(str(row[f"{model}_exact"])) for row in rows if row["theta"] == str(theta)]
            line += [str(sum(value > 0 for value in values)), str(max([Fraction(0), *values]))]
        lines.append(line)
    edges = (f"{of} edge in {model}" for model in ("B1", "B2") for of in ("shoes with an", "largest"))
    put(HERE / "notes.md", ["theta", "shoes", *edges], lines, "small")


if __name__ == "__main__":
    main()
