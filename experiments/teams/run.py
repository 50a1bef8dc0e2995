"""Several tables at the same time, and a team that calls a player in: `counting` is compared with a simulation that
shares no code with it.

This program deals cards to many tables, one coup to each table at a time. Hands are played by the printed rules of
punto banco. There are two questions:

- The Player pair, whose edge is a short formula. Counters know the edge. What do K counters win, one at each of K
  tables, and what does one counter win who moves between the tables? Neither win may be above the bound of `counting
  limits` for K tables.
- The team of `counting team`, with a count for the Dragon 7 at three tables. Target, bankroll and the coups missed on
  the way are the same as there. The chances and times of both simulations should agree within their errors.

This takes about three minutes on one core.

    python -m experiments.teams.run
"""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import counting
from experiments._notes import put_frame

HERE = Path(__file__).parent
DECKS, CUT = 8, 14
TAGS = np.array([0, 0, 0, 0, -1, -1, -1, -1, 2, 2])  # tags of the count for the Dragon 7, by value: tens, aces, 2 ... 9
COUPS_PER_HOUR = 70
TABLES, STAKE, TARGET, BANKROLL, WALK, TRIGGER, HOURS = 3, 100, 5_000, 10_000, 1, 4, 1000


class Tables:
    """Tables that deal at the same time, each from a separate shoe. Cards are numbered from 0 to 415. A card's rank is
    its number modulo 13, from 0 for aces to 12 for kings."""

    def __init__(self, number: int, rng: np.random.Generator) -> None:
        self.rng, self.number = rng, number
        self.cards = np.tile(np.arange(52 * DECKS, dtype=np.int16) % 13, (number, 1))
        self.place = np.zeros(number, np.int64)
        self.counts = np.full((number, 13), 4 * DECKS)
        self.shuffle(np.ones(number, bool))

    def shuffle(self, which: np.ndarray) -> None:
        self.cards[which] = self.rng.permuted(self.cards[which], axis=1)
        self.place[which], self.counts[which] = 0, 4 * DECKS

    def unseen(self) -> np.ndarray:
        return self.counts.sum(axis=1)

    def deal(self, which: np.ndarray) -> tuple[np.ndarray, ...]:
        """Deal a coup at the tables `which`. Returns the tables, whether Banker wins with a three-card total of 7, and
        whether Player's first two cards are a pair. Tables whose shoe is over get a new shoe."""
        rows = np.flatnonzero(which)
        six = self.cards[rows[:, None], self.place[rows][:, None] + np.arange(6)].astype(int)
        value = np.where(six >= 9, 0, six + 1)
        player, banker = (value[:, 0] + value[:, 2]) % 10, (value[:, 1] + value[:, 3]) % 10
        goes_on = (player < 8) & (banker < 8)
        player_draws = goes_on & (player <= 5)
        third = value[:, 4]
        final = np.where(player_draws, (player + third) % 10, player)
        table = np.zeros((8, 10), bool)  # whether Banker draws, by Banker's total and Player's third card
        table[:3] = True
        table[3] = [card != 8 for card in range(10)]
        table[4] = [2 <= card <= 7 for card in range(10)]
        table[5] = [4 <= card <= 7 for card in range(10)]
        table[6] = [card in (6, 7) for card in range(10)]
        by_third = table[np.minimum(banker, 7), third]
        banker_draws = goes_on & np.where(player_draws, by_third, banker <= 5)
        drawn = np.where(player_draws, value[:, 5], value[:, 4])
        banker_final = np.where(banker_draws, (banker + drawn) % 10, banker)
        dragon = banker_draws & (banker_final == 7) & (final < 7)
        pair = six[:, 0] == six[:, 2]
        used = 4 + player_draws.astype(int) + banker_draws
        for place in range(6):
            dealt = place < used
            np.subtract.at(self.counts, (rows[dealt], six[dealt, place]), 1)
        # If the cut card comes out during a coup, the next coup is the last. If it comes before the first card of a
        # coup, this coup is the last.
        done = np.zeros(self.number, bool)
        done[rows[self.place[rows] >= 52 * DECKS - CUT]] = True
        self.place[rows] += used
        if done.any():
            self.shuffle(done)
        return rows, dragon, pair


def pair_edges(counts: np.ndarray) -> np.ndarray:
    """The edge of the Player pair at 11 to 1. `counts`: the numbers of unseen cards of each rank."""
    unseen = counts.sum(axis=-1)
    return 12 * (counts * (counts - 1)).sum(axis=-1) / (unseen * (unseen - 1)) - 1


def pairs(groups: int = 600, coups: int = 8000, tables: int = TABLES) -> list[dict[str, Any]]:
    """What counters win with the Player pair per 100 coups of each table: a counter at one table, a counter at each
    table, and a counter who is always at the table with the largest edge."""
    dealt = Tables(groups * tables, np.random.default_rng(1))
    one, each, moves = np.zeros((3, groups))
    for _ in range(coups):
        edges = np.maximum(pair_edges(dealt.counts).reshape(groups, tables), 0)
        one += edges[:, 0]
        each += edges.sum(axis=1)
        moves += edges.max(axis=1)
        dealt.deal(np.ones(dealt.number, bool))
    limits = counting.limits(
        "punto-banco", bet="player-pair", bound="1/100-coups", tie_in=0, model="sit-out", cut=CUT, tables=tables
    )
    row = limits.result.frontier.filter(cut=CUT).row(0, named=True)
    least, most = (row[f"{side}_units_per_100_coups_99"] for side in ("lower", "upper"))
    rows = []
    for who, won, times in (
        ("a counter at one table", one, 1),
        (f"{tables} counters, one at each table", each, tables),
        (f"a counter who moves between {tables} tables", moves, tables),
    ):
        per_100 = 100 * won / coups
        rows.append(
            {"question": "units per 100 coups", "figure": who, "here": per_100.mean()}
            | {"error": per_100.std(ddof=1) / sqrt(groups), "toolkit": times * most, "toolkit_error": None}
            | {"is_bound": True, "least": times * least if times == 1 or "each" in who else None}
        )
    return rows


def team(runs: int = 3000) -> list[dict[str, Any]]:
    """Simulate the team's runs coup by coup. Each result has a row, next to the result of `counting team`."""
    rng = np.random.default_rng(2)
    dealt = Tables(runs * TABLES, rng)
    wait = (rng.random((runs, TABLES)) * lengths(runs * TABLES, rng).reshape(runs, TABLES)).astype(int)
    at, ready, won = np.full(runs, -1), np.zeros(runs, int), np.zeros(runs)
    began, held = np.zeros((runs, TABLES), int), np.zeros((runs, TABLES), bool)
    ended, hours = np.full(runs, "", dtype="U6"), np.zeros(runs)
    value = np.array([*range(1, 10), 0, 0, 0, 0])
    for coup in range(HOURS * COUPS_PER_HOUR):
        playing = ended == ""
        if not playing.any():
            break
        count = -((dealt.counts - 4 * DECKS) @ TAGS[value]).reshape(runs, TABLES)
        holds = (52 * count >= TRIGGER * dealt.unseen().reshape(runs, TABLES)) & (coup >= wait)
        fresh = (dealt.place == 0).reshape(runs, TABLES)
        began = np.where(holds & (~held | fresh), coup, began)
        rows = np.arange(runs)
        stays = (at >= 0) & holds[rows, at]  # the player is at a table that still calls
        oldest = np.where(holds, began, 10**9).argmin(axis=1)
        goes = ~stays & holds.any(axis=1)
        ready = np.where(goes, coup + WALK, np.where(stays & ~held[rows, at], coup, ready))
        at = np.where(goes, oldest, at)
        bets = playing & (stays | goes) & (ready <= coup)
        held = holds
        here = np.repeat(playing, TABLES) & (coup >= wait.reshape(-1))
        places, dragon, _ = dealt.deal(here)
        wins = np.zeros(runs * TABLES, bool)
        wins[places] = dragon
        won += bets * np.where(wins.reshape(runs, TABLES)[rows, at], 40, -1) * STAKE
        reached, lost = bets & (won >= TARGET), bets & (won + BANKROLL < STAKE)
        ended[reached], ended[lost] = "target", "lost"
        hours[reached | lost] = (coup + 1) / COUPS_PER_HOUR
    ours = counting.team(
        "ez-baccarat", "dragon-7", system="dragon-7", tables=TABLES, stake=STAKE, target=TARGET, bankroll=BANKROLL,
        walk=WALK, cut=CUT, most_hours=HOURS, runs=2 * runs,
    )  # fmt: skip
    figures = {row["figure"]: row for row in ours.data["figures"]}
    times = np.where(ended == "target", hours, np.inf)
    found = {
        f"chance_{name}": ((ended == name).mean(), sqrt((ended == name).mean() * (1 - (ended == name).mean()) / runs))
        for name in ("target", "lost")
    }
    reached = hours[ended == "target"]
    found["mean_hours"] = reached.mean(), reached.std(ddof=1) / sqrt(len(reached))
    for share in (0.1, 0.25, 0.5):
        spread = sqrt(share * (1 - share) / runs)
        low, middle, high = np.quantile(times, [share - spread, share, share + spread], method="inverted_cdf")
        found[f"hours_q{100 * share:.0f}"] = middle, (high - low) / 2
    return [
        {"question": "the team", "figure": name, "here": value, "error": error}
        | {"toolkit": figures[name]["value"], "toolkit_error": figures[name]["error"], "is_bound": False, "least": None}
        for name, (value, error) in found.items()
    ]


def lengths(number: int, rng: np.random.Generator) -> np.ndarray:
    """The numbers of coups in `number` shoes."""
    tables, coups, over = Tables(number, rng), np.zeros(number, int), np.zeros(number, bool)
    while not over.all():
        tables.deal(~over)
        coups += ~over
        over |= tables.place == 0
    return coups


def main() -> None:
    rows: list[Mapping[str, Any]] = [*pairs(), *team()]
    frame = pl.DataFrame(rows, infer_schema_length=None).with_columns(
        z=pl.when(~pl.col("is_bound")).then(
            (pl.col("here") - pl.col("toolkit")) / (pl.col("error") ** 2 + pl.col("toolkit_error") ** 2).sqrt()
        )
    )
    frame.write_csv(HERE / "teams.csv")
    bounds, agree = frame.filter("is_bound"), frame.filter(~pl.col("is_bound"))
    put_frame(
        HERE / "notes.md",
        {"who": "{figure}", "units per 100 coups, here": "{here:.4f} ± {error:.4f}", "bound": "{toolkit:.4f}"},
        bounds, "tables",
    )  # fmt: skip
    put_frame(
        HERE / "notes.md",
        {"figure": "{figure}", "here": "{here:.4f} ± {error:.4f}",
         "counting team": "{toolkit:.4f} ± {toolkit_error:.4f}", "z": "{z:+.2f}"},
        agree, "team",
    )  # fmt: skip


if __name__ == "__main__":
    main()
