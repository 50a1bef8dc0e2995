"""Search the project's own counts: for every bet and level, the tags and trigger with the largest exact gain.

A candidate is a count of whole tags that starts so that it ends at zero, read as a true count per unseen cards,
with a whole trigger. Its gain is the sum of exact edges over the coups at which it bets, in a sample of coups from
whole shoes. The search starts from the tags most correlated with the effects of removal (`counting.exact.tag_search`)
and from the best counts of the levels below, and moves to the best neighbour, a tag or two up or down by one, until
none is better; then again from there after some random steps. A count that wins nothing on other shoes is left out.
What the others win is stated from still other shoes (`experiments/own_counts/notes.md`).

    python -m experiments.own_counts.run counting/systems/searched/own.toml
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations, product
from pathlib import Path

import numpy as np

from counting import Shoe, load_game
from counting.cards import DECK, Knows, coarser
from counting.exact import Effects, edges, needs
from counting.games import Game, catalog, unfit
from counting.simulation import play, preset
from counting.systems.system import LEVELS

DECKS, DEALING, SEED = 8, "jacobson", 2026
SHOES, BLOCK, EVERY = 60_000, 10_000, 8  # coups of SHOES shoes, each kept with probability 1 / EVERY
KICKS = 4  # random restarts of a level
MOST_COUNT = 1023  # true counts beyond are as good as this one

Tags = tuple[int, ...]  # A, 2 ... 9, T; or A, 2 ... K


class Sample:
    """Coups, the exact edges of a bet at them, and the gain of any count."""

    def __init__(self, game: Game, bet: str, seed: int = SEED) -> None:
        self.knows: Knows = "value" if needs(game.bet(bet)) == "value" else "rank"
        keep, parts = np.random.default_rng(seed), []
        for first in range(0, SHOES, BLOCK):
            coups = play(game.tableau, preset(DEALING, DECKS), seed, first, BLOCK, needs(game.bet(bet)))
            parts.append(coups.left[keep.random(len(coups.left)) < 1 / EVERY])
        compositions = np.concatenate(parts)
        self.edges = edges(game, compositions, [bet])[:, 0]
        left = np.array([coarser(tuple(row), self.knows) for row in compositions.tolist()])
        order = [*range(1, 10), 0] if self.knows == "value" else [*range(13)]
        self.unseen = (left * (DECK / left.sum(axis=1, keepdims=True)))[:, order].astype(np.float32)  # a deck
        self.perfect = float(self.edges[self.edges > 0].sum())

    def gain(self, tags: Tags, trigger: int | None = None) -> tuple[float, int]:
        """What a count wins of the perfect counter's gain at a trigger, by default the best whole one, and that."""
        count = np.floor(1e-4 - self.unseen @ np.array(tags, np.float32)).astype(np.int64)
        np.clip(count, -MOST_COUNT, MOST_COUNT, out=count)
        by_count = np.bincount(count + MOST_COUNT, weights=self.edges, minlength=2 * MOST_COUNT + 1)
        above = by_count[::-1].cumsum()[::-1]
        best = int(above.argmax()) if trigger is None else trigger + MOST_COUNT
        return float(above[best]) / self.perfect, best - MOST_COUNT


def neighbours(tags: Tags, level: int, steps: int) -> Iterator[Tags]:
    """Counts with `steps` tags changed, each up or down by one."""
    for kinds in combinations(range(len(tags)), steps):
        for signs in product((1, -1), repeat=steps):
            moved = list(tags)
            for kind, sign in zip(kinds, signs, strict=True):
                moved[kind] += sign
            if max(map(abs, moved)) <= level:
                yield tuple(moved)


class Search:
    """A search from level to level: what was tried is kept."""

    def __init__(self, sample: Sample) -> None:
        self.sample = sample
        self.tried: dict[Tags, tuple[float, int]] = {}

    def best_of(self, candidates: Iterable[Tags]) -> Tags:
        """The largest gain of the candidates, then the smallest tags."""
        some = {*candidates}
        self.tried.update((tags, self.sample.gain(tags)) for tags in some if tags not in self.tried)
        return max(some, key=lambda tags: (self.tried[tags][0], -sum(map(abs, tags)), tags))

    def climbed(self, tags: Tags, level: int) -> Tags:
        """Up from here by the best single steps, then by steps of two tags, until no step is better."""
        for steps in (1, 2):
            better = self.best_of([tags, *neighbours(tags, level, steps)])
            if better != tags:
                return self.climbed(better, level)
        return tags


def search(game: Game, bet: str) -> list[dict[str, object]]:
    """The best count found of each level."""
    sample = Sample(game, bet)
    effects = Effects.of(game, bet, Shoe.decks(DECKS), sample.knows)
    kinds, rng, work = sample.unseen.shape[1], np.random.default_rng(SEED), Search(sample)
    found: list[dict[str, object]] = []
    best: list[Tags] = []  # of the levels below
    for level in LEVELS:
        correlated = [tags for tags in (effects.tags(level), effects.tags(level, balanced=False)) if tags is not None]
        starts = [(*tags[1:], tags[0]) if effects.knows == "value" else tags for tags in correlated]
        if not starts:  # no linear effect: some kinds against the others
            starts = [work.best_of(tuple([1] * n + [0] * (kinds - n)) for n in range(1, kinds))]
        starts += [*best, *(tuple(round(tag * level / max(map(abs, tags))) for tag in tags) for tags in best)]
        top = work.best_of(work.climbed(tags, level) for tags in {*starts})
        for _ in range(KICKS if correlated else 0):  # some steps at random, and up again
            kicked = np.clip(np.array(top) + rng.integers(-1, 2, kinds) * (rng.random(kinds) < 0.5), -level, level)
            top = work.best_of([top, work.climbed(tuple(kicked.tolist()), level)])
        best.append(top)
        gain, trigger = work.tried[top]
        found.append({"bet": bet, "level": level, "trigger": trigger, "tags": list(top), "gain": gain})
    others = Sample(game, bet, SEED + 1)
    return [count for count in found if others.gain(tuple(count["tags"]), count["trigger"])[0] > 0]


def games() -> list[tuple[Game, str]]:
    """Every bet of the catalog at punto banco, and the bets of the games that the catalog lacks."""
    punto = load_game("punto-banco")
    bets = [(punto, name) for name, bet in catalog().items() if not unfit(bet, punto.tableau)]
    louisiana = load_game("louisiana")
    bets += [(punto, "tie-8"), (punto, "tie-9"), (louisiana, "seven-seven-40"), (louisiana, "seven-seven-45")]
    return bets


def text(counts: list[dict[str, object]]) -> str:
    rows = [
        '  {{ bet = "{bet}", level = {level}, trigger = {trigger}, tags = {tags} }},\n'.format(**count)
        for count in counts
    ]
    head = (
        "# The project's own counts. Tags of A, 2 ... 9 and tens and faces, or of A, 2 ... K.\n\n"
        'source = "experiments/own_counts.py: searched on the exact gain, 8 decks, first card burned, 14 cards '
        'behind the cut card"\n'
        f"decks = {DECKS}\ncounts = [\n"
    )
    return head + "".join(rows) + "]\n"


def main(out: Path) -> None:
    out.parent.mkdir(exist_ok=True)
    found: list[dict[str, object]] = []
    with ProcessPoolExecutor() as pool:
        for counts in pool.map(search, *zip(*((game.only([bet]), bet) for game, bet in games()), strict=True)):
            found += counts
            out.write_text(text(found))
            for count in counts:
                print(*count.values(), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
