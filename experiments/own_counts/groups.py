"""How much better than a linear count is a counter who counts several groups of cards separately? This program answers
the question for bets on pairs and suits.

All ranks have the same effect of removal on a pair, and all suits have the same effect on two cards of a suit. The edge
grows if the unseen cards are unevenly divided among the kinds, whichever kind has more cards. A running count measures
this unevenness in one direction only. The counter here divides the kinds into groups (for example, one rank and all
others; or red and black), and knows the number of unseen cards of each group. Within a group, the cards count as a
random draw. The counter bets if the chance of two cards of the same kind is above a threshold. The chance is

    sum over groups of n (n - 1) / (N (N - 1)) times (c - 1) / (c k - 1),

where a group has k kinds with c cards each in the full shoe, n is the number of the group's unseen cards, and N is the
number of all unseen cards. The threshold is the one that wins most on some shoes; the counter's win with it is measured
on other shoes. If every kind is a group, the counter plays nearly perfectly. Writes a table of `notes.md`.

    python -m experiments.own_counts.groups [SHOES]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from counting import load_game
from counting.arrays import Floats, Int32s
from counting.cards import DECK, RANKS, SUITS
from counting.exact import edges
from counting.simulation import Dealing, play
from experiments._notes import put
from experiments.own_counts.run import CHECKED, SEED
from experiments.own_counts.samples import BLOCK, DEALING, DECKS

SHOES = 50_000  # shoes to choose a threshold; it is scored on the same number of others

Groups = tuple[tuple[int, ...], ...]  # groups of cards; a card is 4 * rank + suit

_CARDS = range(DECK)
_RANKED = tuple(tuple(card for card in _CARDS if card // len(SUITS) == rank) for rank in range(len(RANKS)))
_SUITED = tuple(tuple(card for card in _CARDS if card % len(SUITS) == suit) for suit in range(len(SUITS)))
_SINGLY = tuple((card,) for card in _CARDS)


def _first(kinds: Groups, number: int) -> Groups:
    """Groups: each of the first `number` kinds is a group, and all other kinds together are another."""
    return (*kinds[:number], tuple(card for kind in kinds[number:] for card in kind))


# For each bet: the number of cards of a kind in a deck, and the ways of grouping, each in words and as groups.
KEPT: dict[str, tuple[int, list[tuple[str, Groups]]]] = {
    **{
        bet: (
            len(SUITS),
            [
                *((f"{number} rank{'s' * (number > 1)} of 13", _first(_RANKED, number)) for number in (1, 2, 4, 6, 9)),
                ("low and high: A to 6, 7 to K", tuple(sum(part, ()) for part in (_RANKED[:6], _RANKED[6:]))),
                ("all 13 ranks", _RANKED),
            ],
        )
        for bet in ("player-pair", "player-pair-12", "either-pair")
    },
    "player-suited": (
        len(RANKS),
        [
            ("1 suit", _first(_SUITED, 1)),
            ("reds and blacks", (_SUITED[0] + _SUITED[3], _SUITED[1] + _SUITED[2])),
            ("2 suits", _first(_SUITED, 2)),
            ("all 4 suits", _SUITED),
        ],
    ),
    **{
        bet: (1, [("4 suits", _SUITED), ("13 ranks", _RANKED), ("26 cards of 52", _first(_SINGLY, 26)),
                  ("all 52 cards", _SINGLY)])
        for bet in ("perfect-pair", "perfect-pairs-250")
    },
}  # fmt: skip


def chance(left: Int32s, groups: Groups, of_a_kind: int) -> Floats:
    """The chance (rows,) of two cards of the same kind, if only the groups' numbers of unseen cards are known. `left`:
    the unseen cards (rows, 52). `of_a_kind`: the number of cards of a kind in a deck."""
    cards = left.sum(axis=1, dtype=float)
    total = np.zeros(len(left))
    for group in groups:
        n = left[:, group].sum(axis=1, dtype=float)
        total += n * (n - 1) * (DECKS * of_a_kind - 1) / (DECKS * len(group) - 1)
    return total / (cards * (cards - 1))


def coups(bet: str, shoes: int, seed: int) -> Iterator[tuple[Floats, list[Floats]]]:
    """For each block of shoes: the exact edges (rows,), and the chances (rows,) for each way of grouping."""
    game, (of_a_kind, kept) = load_game("punto-banco").only([bet]), KEPT[bet]
    for first in range(0, shoes, BLOCK):
        left = play(game.tableau, Dealing.named(DEALING, DECKS), seed, first, min(BLOCK, shoes - first), "card").left
        yield edges(game, left, [bet])[:, 0], [chance(left, groups, of_a_kind) for _, groups in kept]


def thresholds(bet: str, shoes: int) -> list[float]:
    """The threshold that wins most, for each way of grouping."""
    priced, chances = zip(*coups(bet, shoes, SEED), strict=True)
    edge, best = np.concatenate(priced), list[float]()
    for of_group in map(np.concatenate, zip(*chances, strict=True)):
        down = np.argsort(-of_group)
        best.append(float(of_group[down[edge[down].cumsum().argmax()]]))
    return best


def shares(bet: str, shoes: int) -> list[float]:
    """The share of a perfect counter's win for each way of grouping, on other shoes than those for the thresholds."""
    least, perfect = thresholds(bet, shoes), 0.0
    won = np.zeros(len(least))
    for edge, chances in coups(bet, shoes, CHECKED):
        perfect += float(edge.clip(0).sum())
        won += [float(edge[of_group >= at].sum()) for of_group, at in zip(chances, least, strict=True)]
    return list(won / perfect)


def main(shoes: int = SHOES) -> None:
    titles = {bet.name: bet.title for bet in load_game("punto-banco").also(KEPT).bets}
    rows: list[Sequence[str]] = []
    for bet, (_, kept) in KEPT.items():
        for (words, groups), share in zip(kept, shares(bet, shoes), strict=True):
            rows.append([titles[bet] or bet, words, str(len(groups) - 1), f"{100 * share:.1f}%"])
            print(*rows[-1], sep="; ", flush=True)
    head = ["bet", "kept apart", "counts", "share of a perfect counter's gain"]
    put(Path(__file__).parent / "notes.md", head, rows, "groups")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
