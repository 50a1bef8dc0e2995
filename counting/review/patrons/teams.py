"""Teams: pairs and triples of patrons whose stakes show knowledge of the coming cards together, though the stakes of
each patron alone show too little.

If all members of a group know only past cards, the group's stakes could be one honest patron's. So a group's evidence
is an e-value like a patron's. It is the mean of two e-values:

- Pooled: the group's stakes, added up as if they were one patron's.
- Agreed: the same, but only the stakes on coups on which two or more members make the same bet. A bet on Player or
  Banker does not count if another member bets on the opposite side.

Let n be the number of patrons. The weight of a group is 1 / (2 C(n, 2)) for a pair, and 1 / (2 C(n, 3)) for a triple.
With two patrons, the only pair has the weight 1.

Only promising groups are worked out. The others count as 0, which can only lower an adjusted e-value (`significance`).
A group's promise is the larger of two numbers, times its weight:

- For the pooled stakes: for each member, each component (`foreknowledge`) has turned a capital of 1 into a final
  capital. A component's final capitals are multiplied over the members. The largest product of any component is taken.
- For the agreed stakes: each channel of `_COMMON` begins with a capital of 1. For each pair of members, it wagers 9% of
  the capital on each coup on which both bet on the same side, Player or Banker. The largest final capital of any
  channel is taken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb, log
from typing import NamedTuple

import numpy as np

from counting.arrays import Floats, Ints
from counting.review import _foreknowledge
from counting.review.patrons.channels import CHANNELS, RIGHT, TOWARDS, Channels
from counting.review.patrons.foreknowledge import (
    PARTS,
    Bettor,
    Block,
    Capital,
    Evidence,
    Wagers,
    capitals_of,
    evidence_of,
    log_sum,
    main_part,
    side_part,
)
from counting.review.patrons.patron_stakes import rows_between
from counting.review.unseen_cards import UnseenCards

SIZES = (2, 3)
MOST_TEAMED = 60  # only this number of patrons, the most promising, form groups
MOST_COUPS = 2_000_000  # the most coups of all groups that are worked out
_COMMON = tuple(
    map(CHANNELS.index, ("Player's first card", "Banker's first card", "both two-card totals", "the result"))
)
_KEPT = 0.91  # the share of capital that is not wagered when agreement is measured


class Team(NamedTuple):
    """A group of patrons, or a single patron, with its weight and evidence. `members` are the indices of its patrons.

    The evidence is the mean over `bettors`. A group has two of them: its pooled stakes, and its agreed stakes."""

    members: tuple[int, ...]
    weight: float
    evidence: Evidence
    bettors: tuple[Bettor, ...]
    capitals: tuple[Sequence[Capital], ...]


def team_weight(patrons: int, size: int) -> float:
    """The weight of each group of `size` patrons, among `patrons` patrons."""
    return 1 / (comb(patrons, size) * (len(SIZES) if patrons >= max(SIZES) else 1))


class Agreement:
    """The agreement of each pair among some bettors, for some channels. The bettors are the `MOST_TEAMED` who bet on
    Player or Banker on the most coups. `add` adds a block of shoes.

    The agreement is the logarithm of what a channel makes of a capital of 1. The channel wagers on the coups on which
    both bettors take the same side, Player or Banker."""

    def __init__(self, unseen: UnseenCards, bettors: Sequence[Bettor]) -> None:
        number = [0 if one.main is None else int((one.main.taken >= 0).sum()) for one in bettors]
        most = [i for i in np.argsort(-np.array(number), kind="stable").tolist() if number[i]][:MOST_TEAMED]
        self._place = {i: place for place, i in enumerate(sorted(most))}
        self.unseen, self.bettors = unseen, [bettors[i] for i in self._place]
        self.won = np.zeros((len(self._place), len(self._place), len(_COMMON)))
        self._at = [np.append(0, np.cumsum(bettor.coups)) for bettor in self.bettors]

    def add(self, block: Block) -> None:
        taken = np.full((block.rows.stop - block.rows.start, len(self.bettors)), -1, np.int16)
        for i, (bettor, at) in enumerate(zip(self.bettors, self._at, strict=True)):
            low, high = np.searchsorted(bettor.shoes, [block.first, block.last]).tolist()
            if low < high and bettor.main is not None:
                shoes = bettor.shoes[low:high]
                rows = rows_between(self.unseen.start[shoes], self.unseen.end[shoes]) - block.rows.start
                taken[rows, i] = bettor.main.taken[at[low] : at[high]]
        sets = 2 * np.array(_COMMON) + RIGHT
        won = np.log(_KEPT + (1 - _KEPT) * block.odds.main[:, :, TOWARDS, sets])
        _foreknowledge.agree(taken, np.ascontiguousarray(won), self.won)

    def promise(self, members: Sequence[int]) -> float:
        """The agreement of these bettors. For each channel, the agreement of all their pairs is added up. The result is
        the largest sum. Pairs that are not followed add 0."""
        places = [self._place[i] for i in members if i in self._place]
        won = sum((self.won[i, j] for i, j in combinations(places, 2)), np.zeros(len(_COMMON)))
        return float(won.max())


def teams(
    channels: Channels,
    bettors: Sequence[Bettor],
    capitals: Sequence[Sequence[Capital]],
    agreement: Agreement,
    others: Sequence[int],
) -> list[Team]:
    """The groups of bettors in `others` that are worked out: the most promising first, up to `MOST_COUPS` coups. Groups
    with a promise below 1 are left out."""
    unseen, number = channels.unseen, len(bettors)
    groups: list[tuple[int, ...]] = []
    coups = 0
    for promise, members in sorted(_promising(capitals, agreement, others, number), reverse=True):
        shoes = np.unique(np.concatenate([bettors[i].shoes for i in members]))
        coups += int((unseen.end[shoes] - unseen.start[shoes]).sum())
        if promise < 0 or coups > MOST_COUPS:
            break
        groups.append(members)
    both = [pooled_and_agreed(unseen, [bettors[i] for i in members]) for members in groups]
    grown = capitals_of(channels, [bettor for pair in both for bettor in pair])
    found = []
    for i, members in enumerate(groups):
        capitals_of_team = tuple(grown[2 * i : 2 * i + 2])
        pooled, agreed = map(evidence_of, capitals_of_team)
        mean = (log_sum(log(10) * np.array([pooled.log10, agreed.log10])) - log(2)) / log(10)
        evidence = max(pooled, agreed)._replace(log10=mean)
        found.append(Team(members, team_weight(number, len(members)), evidence, both[i], capitals_of_team))
    return found


def _promising(
    capitals: Sequence[Sequence[Capital]], agreement: Agreement, others: Sequence[int], number: int
) -> Iterator[tuple[float, tuple[int, ...]]]:
    """Groups of two and three, each with the logarithm of its promise."""
    best = {i: max(float(capital.through.max()) for capital in capitals[i]) for i in others}
    places = sorted(sorted(others, key=lambda i: -best[i])[:MOST_TEAMED])
    logs = np.array([np.concatenate([capital.through.ravel() for capital in capitals[i]]) for i in places])
    for (at, i), (after, j) in combinations(enumerate(places), 2):
        two = logs[at] + logs[after]
        yield log(team_weight(number, 2)) + max(float(two.max()), agreement.promise((i, j))), (i, j)
        third = places[after + 1 :]
        if third:
            three = (two + logs[after + 1 :]).max(axis=1)
            for k, most in zip(third, three.tolist(), strict=True):
                yield log(team_weight(number, 3)) + max(most, agreement.promise((i, j, k))), (i, j, k)


def pooled_and_agreed(unseen: UnseenCards, members: Sequence[Bettor]) -> tuple[Bettor, Bettor]:
    """A bettor with a group's pooled stakes, and a bettor with its agreed stakes. Stakes are agreed on a coup if two or
    more members make the same bet, and no member is on the other side."""
    shoes = np.unique(np.concatenate([bettor.shoes for bettor in members]))
    coups = unseen.end[shoes] - unseen.start[shoes]
    at = np.cumsum(coups) - coups
    total = int(coups.sum())
    parts: list[tuple[Wagers | None, Wagers | None]] = []
    for part in range(len(PARTS)):
        sums: dict[int, Floats] = {}
        counts: dict[int, Ints] = {}
        for bettor in members:
            wagers = bettor.parts[part]
            if wagers is None:
                continue
            begin = at[np.searchsorted(shoes, bettor.shoes)] - (np.cumsum(bettor.coups) - bettor.coups)
            rows = np.arange(len(wagers.taken)) + np.repeat(begin, bettor.coups)
            for bet in np.unique(wagers.taken[wagers.taken >= 0]).tolist():
                here = wagers.taken == bet
                sums.setdefault(bet, np.zeros(total))[rows[here]] += wagers.size[here]
                counts.setdefault(bet, np.zeros(total, np.int64))[rows[here]] += 1
        agreed = {bet: np.where(counts[bet] >= 2, of_bet, 0) for bet, of_bet in sums.items()}
        if not sums:
            parts.append((None, None))
        elif PARTS[part] == "main":
            none = np.zeros(total)
            opposed = {bet: (counts[1 - bet] > 0 if 1 - bet in counts else none > 0) for bet in sums}
            agreed = {bet: np.where(opposed[bet], 0, of_bet) for bet, of_bet in agreed.items()}
            parts.append((
                main_part(sums.get(0, none) - sums.get(1, none)), main_part(agreed.get(0, none) - agreed.get(1, none)),
            ))  # fmt: skip
        else:
            parts.append((side_part(sorted(sums.items())), side_part(sorted(agreed.items()))))
    pooled, both = (Bettor(shoes, coups, *(part[i] for part in parts)) for i in range(2))
    return pooled, both
