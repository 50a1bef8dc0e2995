"""Patrons and teams who know the coming cards: the evidence of each, who is flagged, and which shoes the evidence came
from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from counting.arrays import Floats
from counting.games import Game
from counting.logs import Log
from counting.review.patrons.channels import CHANNELS, RIGHT, TOWARDS, Bets, Channels
from counting.review.patrons.foreknowledge import (
    PARTS,
    Bettor,
    Capital,
    Evidence,
    Growing,
    blocks,
    by_patron,
    evidence_of,
    grow_in,
)
from counting.review.patrons.patron_stakes import PatronStakes
from counting.review.patrons.teams import Agreement, Team, teams
from counting.review.significance import FAMILIES, adjusted_e, e_values
from counting.review.unseen_cards import UnseenCards

DETAILED = 5  # the number of flagged patrons and teams whose shoes are worked out
NO_SOURCES = pl.DataFrame(schema={"table": pl.String, "shoe": pl.String, "evidence": pl.Float64})
NO_BETS = pl.DataFrame(schema={"coup": pl.Int64, "bet": pl.String, "stake": pl.Float64, "good": pl.Boolean})


class Group(NamedTuple):
    """A patron or a team that is flagged for knowing the coming cards. In a team, one or more members know them.

    - `p`: the p-value, adjusted for all patrons and teams; twice `p` is at most the level
    - `sources`: a row for each `table` and `shoe`, with its `evidence`: how far the decimal logarithm of the evidence
      would fall without this shoe. The row with the largest evidence comes first
    - `bets`: the bets in the first of these shoes, with `coup`, `bet`, `stake` and `good`

    `bets` has only the part of the stakes (`foreknowledge`) that made most of the evidence, and so at most one row per
    coup. A team's stakes are added up. `good` says whether the value of the channel that made most of the evidence was
    good for the bet. It is null if the channel was not dealt or has no odds at the coup, and false if the channel was
    not read.

    Both tables are empty for patrons and teams after the first `DETAILED`."""

    patrons: tuple[str, ...]
    evidence: Evidence
    p: float
    sources: pl.DataFrame
    bets: pl.DataFrame


class Informed(NamedTuple):
    """The evidence of each patron, by name; the p-value of each, adjusted for all patrons of the log; and the flagged
    patrons and teams."""

    evidence: dict[str, Evidence]
    p: dict[str, float]
    flagged: list[Group]

    def team_of(self, patron: str) -> Group | None:
        """The flagged team of this patron; if there are several, the team with the most weighted evidence. None if the
        patron is in no flagged team."""
        return next((group for group in self.flagged if len(group.patrons) > 1 and patron in group.patrons), None)


def informed(
    log: Log, unseen: UnseenCards, game: Game, staked: Sequence[PatronStakes], level: float,
    seen: Callable[[int], object] = lambda _: None,
) -> Informed:  # fmt: skip
    """Test every patron of a log and the promising teams (`teams`), at half of the level for all of them together.
    `seen` is called with the number of shoes in each block."""
    own = by_patron(staked)
    names = list(own)
    bets = Bets.of(game, list(dict.fromkeys(one.bet for one in staked)))
    if not names:
        return Informed({}, {}, [])
    channels = Channels(log, unseen, game, bets)
    bettors = [Bettor.of(own[name], bets) for name in names]
    growing, agreement = Growing(unseen, bettors), Agreement(unseen, bettors)
    for block in blocks(channels, growing.wanted):
        growing.add(block)
        agreement.add(block)
        seen(block.last - block.first)
    evidence = [evidence_of(capitals) for capitals in growing.capitals]
    e = e_values([one.log10 for one in evidence])
    p = np.array([1 / max(adjusted_e(e, [i]), 1.0) for i in range(len(names))])
    known = [i for i in range(len(names)) if p[i] <= level / FAMILIES]
    others = [i for i in range(len(names)) if p[i] > level / FAMILIES]
    found = teams(channels, bettors, growing.capitals, agreement, others) if len(others) > 1 else []
    alone = [(Team((i,), 1.0, evidence[i], (bettors[i],), (growing.capitals[i],)), float(p[i])) for i in known]
    flagged = [*sorted(alone, key=lambda pair: -pair[0].evidence.log10), *_smallest_flagged(found, e, level)]
    detailed = _sources(log, channels, [team for team, _ in flagged[:DETAILED]])
    detailed += [(NO_SOURCES, NO_BETS)] * (len(flagged) - len(detailed))
    groups = [
        Group(tuple(names[i] for i in team.members), team.evidence, p_team, *of_team)
        for (team, p_team), of_team in zip(flagged, detailed, strict=True)
    ]
    return Informed(dict(zip(names, evidence, strict=True)), dict(zip(names, p.tolist(), strict=True)), groups)


def _smallest_flagged(found: Sequence[Team], e: Floats, level: float) -> list[tuple[Team, float]]:
    """The smallest flagged teams, the most weighted evidence first.

    No flagged team contains another. The weighted evidence of each team is above the evidence of any member alone."""
    weighed = {team.members: team.weight * float(e_values([team.evidence.log10])[0]) for team in found}
    named: list[tuple[Team, float]] = []
    for team in sorted(found, key=lambda team: (len(team.members), -weighed[team.members])):
        members = set(team.members)
        within = sum(weighed[other.members] for other in found if members >= set(other.members))
        p = 1 / max(adjusted_e(e, team.members, within), 1.0)
        more = weighed[team.members] > max(e[i] for i in team.members)
        if p <= level / FAMILIES and more and not any(members >= set(other.members) for other, _ in named):
            named.append((team, p))
    return sorted(named, key=lambda pair: -weighed[pair[0].members])


def _sources(log: Log, channels: Channels, flagged: Sequence[Team]) -> list[tuple[pl.DataFrame, pl.DataFrame]]:
    """`Group.sources` and `Group.bets` of each team: the shoes that its evidence came from, and its bets in the first
    of them."""
    unseen = channels.unseen
    wanted = np.zeros(len(unseen.start), np.bool_)
    for team in flagged:
        wanted[team.bettors[0].shoes] = True
    without: list[list[list[float]]] = [[[] for _ in team.bettors] for team in flagged]
    for block in blocks(channels, wanted):
        for team, of_team in zip(flagged, without, strict=True):
            for bettor, capitals, logs in zip(team.bettors, team.capitals, of_team, strict=True):
                low, high = np.searchsorted(bettor.shoes, [block.first, block.last]).tolist()
                for i in range(low, high):
                    alone = [Capital(part) for part in range(len(PARTS))]
                    grow_in(block, bettor.shoe(i), alone, unseen)
                    less = [whole.without(one) for whole, one in zip(capitals, alone, strict=True)]
                    logs.append(evidence_of(less).log10)
    frames = []
    for team, of_team in zip(flagged, without, strict=True):
        shoes = team.bettors[0].shoes
        left = np.log(10) * np.array(of_team)
        off = team.evidence.log10 - (np.logaddexp.reduce(left, axis=0) - np.log(len(left))) / np.log(10)
        names = log.coups.select(pl.col("table", "shoe").cast(pl.String))[unseen.start[shoes].tolist()]
        frame = names.with_columns(evidence=pl.Series(off)).sort("evidence", descending=True, maintain_order=True)
        frames.append((frame, _bets(log, channels, team, int(off.argmax()))))
    return frames


def _bets(log: Log, channels: Channels, team: Team, place: int) -> pl.DataFrame:
    """`Group.bets` for one shoe. `place` is its place among the team's shoes."""
    unseen, part = channels.unseen, PARTS.index(team.evidence.part)
    bettor = team.bettors[0].shoe(place)
    wagers = bettor.parts[part]
    shoe = int(bettor.shoes[0])
    rows = unseen.rows(shoe, shoe + 1)
    if wagers is None:
        return NO_BETS
    at = np.flatnonzero(wagers.taken >= 0)
    taken = wagers.taken[at]
    odds = channels.odds(rows)[part][at, taken, TOWARDS, 2 * CHANNELS.index(team.evidence.channel) + RIGHT]
    return pl.DataFrame(
        {
            "coup": log.coups["coup"][rows.start + at].cast(pl.Int64),
            "bet": [channels.bets[part][bet] for bet in taken.tolist()],
            "stake": wagers.size[at] / 100,
            "good": [None if ratio == 1 else ratio > 1 for ratio in odds.tolist()],
        },
        schema=NO_BETS.schema,
    )
