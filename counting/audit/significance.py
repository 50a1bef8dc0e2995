"""Many tests at one level: which patrons are flagged, when every patron is tested twice.

Half of the level goes to each question, so that by the union bound the chance of any false flag is at most the level.
Whose stakes follow the edge is a p-value for each patron and bet: Holm's method (1979), valid under any dependence. Who
knows the coming cards is an e-value for each patron: closed testing with means (Vovk and Wang 2021).

Closed testing. For a set S of patrons let H_S say that all of S are honest, that is, know past cards only. Under H_S

    e_S = (sum of e_i over patrons i in S + sum of w_G e_G over groups G in S) / (|S| + 1),  or e_i if S is i alone,

has a mean of at most 1, as a mixture of e-values with weights fixed beforehand: w_G >= 0 with a sum of at most 1 over
all groups, and a group that was not worked out counts 0, for whatever reason. A set R, one patron or a group, is
flagged if e_S >= 2 / level for every S that contains R. If T are the patrons who are honest, a false flag is an R in T;
it needs e_T >= 2 / level, which has a chance of at most half of the level (Markov's inequality). So however the
e-values depend on each other, and whoever else knows the cards, the chance that any honest patron, or any group of
honest patrons, is flagged is at most half of the level.

What `adjusted` and `adjusted_group` return is at most the least e_S over S that contain R, as groups that are not in R
count 0. It is never below what Holm's method on 1 / e gives for one test more, and where others have lost most of their
capital it is larger.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from counting.arrays import Floats

MOST_E = 1e290  # larger e-values count as this: sums stay finite
FAMILIES = 2  # half of the level each


def holm(p: Floats) -> Floats:
    """Holm's adjusted p-values: the level at which each test would be rejected among all of these."""
    order = np.argsort(p, kind="stable")
    adjusted = np.empty(len(p))
    adjusted[order] = np.maximum.accumulate(p[order] * (len(p) - np.arange(len(p)))).clip(max=1)
    return adjusted


def capped(log10: Sequence[float]) -> Floats:
    """e-values from their decimal logarithms, at most `MOST_E`."""
    return np.asarray(10.0 ** np.minimum(np.array(log10, float), np.log10(MOST_E)))


def adjusted(e: Floats) -> Floats:
    """The adjusted e-value of each patron alone: the least mean over all sets of patrons with them."""
    least = np.array(e, float)
    for i, own in enumerate(e):
        others = np.sort(np.delete(e, i)).cumsum()
        if len(others):
            least[i] = min(own, float(((own + others) / (np.arange(len(others)) + 3)).min()))
    return least


def adjusted_group(e: Floats, members: Sequence[int], of_groups: float) -> float:
    """The adjusted e-value of a group of two or more patrons; `of_groups` is the sum of w_G e_G over groups among
    them."""
    others = np.append(0.0, np.sort(np.delete(e, list(members))).cumsum())
    own = float(e[list(members)].sum()) + of_groups
    return float(((own + others) / (len(members) + np.arange(len(others)) + 1)).min())
