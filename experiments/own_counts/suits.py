"""What counts of suits and of ranks keep on the bets that look at ranks or suits.

A counting system has tags by rank, so a count of suits is not one that the library can hold: this says what is left.
Prints for each bet, kind of count and level the tags (spades, hearts, diamonds, clubs; or A, 2 ... K), and the share of
the perfect gain on the shoes searched and on others.

    python -m experiments.own_counts.suits [BET ...]
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from copy import copy

import numpy as np

from counting.cards import RANKS, SUITS
from counting.exact import needs
from counting.systems.system import LEVELS
from experiments.own_counts.run import CHECKED, SEED, games
from experiments.own_counts.samples import Sample, samples
from experiments.own_counts.search import Search, written

SHOES = 100_000  # searched, and as many checked


def by(sample: Sample, kinds: str) -> Sample:
    """A sample known by card, for counts of suits or of ranks."""
    grouped = copy(sample)
    cards = sample.unseen.reshape(len(RANKS), len(SUITS), -1)
    grouped.unseen = np.ascontiguousarray(cards.sum(axis=0 if kinds == "suits" else 1))
    return grouped


def main(named: Sequence[str] = ()) -> None:
    every = games()
    for bet in named or [bet for bet, game in every.items() if needs(game.only([bet]).bet(bet)) == "card"]:
        searched, other = (samples(every[bet], [bet], SHOES, seed, "card")[bet] for seed in (SEED, CHECKED))
        for kinds in ("suits", "ranks"):
            work, checked = Search(by(searched, kinds)), by(other, kinds)
            below: list[tuple[int, ...]] = []
            for level in LEVELS:
                below.append(work.best(level, below))
                gain, most = work.tried[below[-1]]
                tags, trigger = written(below[-1], most)
                print(bet, kinds, level, trigger, tags, f"{gain:.4f} {checked.gain(below[-1], most):.4f}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
