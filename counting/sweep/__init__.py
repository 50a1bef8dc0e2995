"""Sweeps: a plan, its blocks of shoes, the bettors who play them, and the folder of results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counting.faces import lazily

if TYPE_CHECKING:
    from counting.sweep.bettors import Bettor as Bettor
    from counting.sweep.bettors import CountingBettor as CountingBettor
    from counting.sweep.bettors import PerfectBettor as PerfectBettor
    from counting.sweep.coup_rows import left_of as left_of
    from counting.sweep.folder import folder_for as folder_for
    from counting.sweep.folder import part_path as part_path
    from counting.sweep.plan import MOST_SHOES as MOST_SHOES
    from counting.sweep.plan import Plan as Plan
    from counting.sweep.plan import check_size as check_size
    from counting.sweep.result import Sweep as Sweep
    from counting.sweep.result import open_sweep as open_sweep
    from counting.sweep.runner import Progress as Progress
    from counting.sweep.runner import replay as replay
    from counting.sweep.runner import run as run
    from counting.sweep.scoring import running_count as running_count
    from counting.sweep.scoring import triggers_reached as triggers_reached
    from counting.sweep.spread import GROUP as GROUP
    from counting.sweep.spread import LOWEST as LOWEST
    from counting.sweep.spread import step_ends as step_ends
    from counting.sweep.stakes import Stakes as Stakes
    from counting.sweep.stakes import TableLimits as TableLimits
    from counting.sweep.tables import BETTORS as BETTORS
    from counting.sweep.tables import DEPTH as DEPTH
    from counting.sweep.tables import LEFT as LEFT
    from counting.sweep.tables import PENETRATION as PENETRATION
    from counting.sweep.tables import SPREAD as SPREAD
    from counting.sweep.tables import TableSchema as TableSchema
else:
    __all__, __getattr__, __dir__ = lazily(
        __name__,
        {
            "bettors": "Bettor CountingBettor PerfectBettor",
            "folder": "folder_for part_path",
            "plan": "MOST_SHOES Plan check_size",
            "result": "Sweep open_sweep",
            "runner": "Progress replay run",
            "stakes": "Stakes TableLimits",
            "spread": "GROUP LOWEST step_ends",
            "tables": "BETTORS DEPTH LEFT PENETRATION SPREAD TableSchema",
            "scoring": "running_count triggers_reached",
            "coup_rows": "left_of",
        },
    )
