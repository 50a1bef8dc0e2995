"""Who is flagged for knowing the coming cards: many patrons at one level, teams, and the bets that a page shows."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from extent import long_or

from counting import load_game
from counting.cards import VALUE_OF_RANK
from counting.logs import read_log
from counting.reports.audit import report
from counting.reports.audit_text import sentences
from counting.reports.pages import render
from counting.review import FOLLOWS, KNOWS, Audit, audit
from counting.review.patrons.foreknowledge import Bettor, Evidence, Wagers
from counting.review.patrons.informed import Group, Informed
from counting.review.patrons.patron_tests import flagged
from counting.review.patrons.teams import pooled_and_agreed, team_weight
from counting.review.synthetic import DealtTable, Facts, Flat, deal, log_frames
from counting.simulation import Dealing

import polars as pl  # isort: skip

EZ = load_game("ez-baccarat")
JACOBSON = Dealing.named("jacobson", 8)
ALONE, SHARED = long_or((40, 40), (16, 32))  # shoes
HONEST = long_or(9, 4)  # patrons


# One level for all


def test_weights_of_teams_sum_to_one_at_most() -> None:
    for number in (2, 3, 4, 12, 60):
        groups = {size: len(list(combinations(range(number), size))) for size in (2, 3) if number >= size}
        assert sum(Fraction(of) * Fraction(team_weight(number, size)) for size, of in groups.items()) == pytest.approx(
            1
        )


def test_flags_by_hand() -> None:
    """Half of the level for each question: 0.02 for three tests of stakes, and for two patrons."""
    frame = pl.DataFrame(
        {
            "patron": ["a", "a", "b"],
            "p_follows": [0.006, 0.5, 0.02],
            "p_knows": [0.5, 0.5, 0.001],
            "least_p": [1e-3, 1e-2, 1e-9],
            "excess": [3.0, 0.0, 1.0],
        }
    )
    said = {name: Evidence(0.0, "the result", "main") for name in "ab"}
    names = flagged(frame, Informed(said, {"a": 1.0, "b": 0.003}, []), 0.04)
    assert names.select("patron", "p_holm", "flagged_for").rows() == [
        ("b", pytest.approx(0.006), KNOWS), ("a", pytest.approx(0.036), FOLLOWS), ("a", 1.0, None),
    ]  # fmt: skip
    assert names["can_be_flagged"].to_list() == [True, True, False]
    team = Group(("a", "c"), said["a"], 0.015, pl.DataFrame(), pl.DataFrame())
    names = flagged(frame, Informed(said, {"a": 1.0, "b": 0.003}, [team]), 0.04)
    assert names.filter(patron="a")["flagged_for"].to_list() == [f"{FOLLOWS}, {KNOWS}", KNOWS]


def test_a_group_s_stakes_by_hand() -> None:
    """Three shoes: both in the first, one each in the others. Net and agreed stakes, on Player, Banker and others."""

    class Unseen:
        start, end = np.array([0, 3, 5]), np.array([3, 5, 6])

    def wagers(taken: list[int], size: list[float]) -> Wagers:
        return Wagers(np.array(taken, np.int16), np.array(size))

    one = Bettor(np.array([0, 1]), np.array([3, 2]), wagers([0, 1, -1, 0, 0], [5, 3, 0, 1, 1]), None)
    two = Bettor(
        np.array([0, 2]), np.array([3, 1]), wagers([0, 0, 1, 1], [2, 7, 4, 9]), wagers([1, -1, 1, 0], [1, 0, 6, 2])
    )
    pooled, agreed = pooled_and_agreed(Unseen(), [one, two])  # type: ignore[arg-type]
    assert pooled.shoes.tolist() == [0, 1, 2]
    assert pooled.main is not None
    assert pooled.main.taken.tolist() == [0, 0, 1, 0, 0, 1]
    assert pooled.main.size.tolist() == [7, 4, 4, 1, 1, 9]
    assert agreed.main is not None
    assert agreed.main.taken.tolist() == [0, -1, -1, -1, -1, -1]
    assert agreed.main.size.tolist() == [7, 0, 0, 0, 0, 0]
    assert pooled.side is not None
    assert pooled.side.taken.tolist() == [1, -1, 1, -1, -1, 0]
    assert agreed.side is not None
    assert not (agreed.side.taken >= 0).any()
    # A third on Banker in the first shoe: against two on Player no agreement, nor with one beside one.
    three = Bettor(np.array([0]), np.array([3]), wagers([1, 1, 1], [1, 1, 1]), None)
    pooled, agreed = pooled_and_agreed(Unseen(), [one, two, three])  # type: ignore[arg-type]
    assert pooled.main is not None
    assert pooled.main.size.tolist() == [6, 3, 5, 1, 1, 9]
    assert agreed.main is not None
    assert agreed.main.taken.tolist() == [-1, -1, 1, -1, -1, -1]
    assert agreed.main.size.tolist() == [0, 0, 5, 0, 0, 0]


# Patrons at a table


@dataclass(frozen=True)
class Informed3:
    """Knows Player's first card on three coups of each shoe, the same for all of a team, or on every third of these as
    one of three. Bets 5,000 there, and 100 on a side at random elsewhere."""

    place: int
    shared: bool
    bets = ("player", "banker")

    def stakes(self, table: DealtTable, known: Facts, rng: np.random.Generator) -> np.ndarray:
        first = np.array(VALUE_OF_RANK)[table.cards[:, 0].astype(np.int64) // 4]
        side, size = rng.integers(0, 2, len(first)), np.full(len(first), 100.0)
        chosen = np.random.default_rng(5)
        for shoe in np.unique(table.coups.shoe):
            rows = chosen.choice(np.flatnonzero(table.coups.shoe == shoe), 3, replace=False)
            own = rows[self.place :: 3] if self.shared else rows
            size[own], side[own] = 5000, np.where(first[own] >= 6, 0, 1)
        placed = np.zeros((len(first), len(known.bets)))
        placed[np.arange(len(first)), [known.place(self.bets[one]) for one in side]] = size
        return placed


def audited(folder: Path, shared: bool, shoes: int) -> Audit:
    patrons: dict[str, Any] = {f"knows {i}": Informed3(i, shared) for i in range(3)}
    patrons |= {
        f"honest {i}": Flat(("player", "banker", "dragon-7")[i % 3], 100, 0.3 + 0.05 * i) for i in range(HONEST)
    }
    coups, bets = log_frames(deal(EZ, JACOBSON, 12, 0, shoes), patrons, EZ, 1)
    coups.write_csv(folder / "coups.csv")
    bets.write_csv(folder / "bets.csv")
    return audit(read_log(folder / "coups.csv", folder / "bets.csv"), EZ, 8)


@pytest.mark.long
@pytest.mark.parametrize("shared", [False, True], ids=["the same coups", "each a third of the coups"])
def test_three_patrons_who_know_three_coups_a_shoe_are_flagged(tmp_path: Path, shared: bool) -> None:
    """The wager of version 0.2 flags none of them in 40 shoes: its least p-value is 0.019 for one of another log."""
    audit = audited(tmp_path, shared, SHARED if shared else ALONE)
    assert set(audit.flagged["patron"]) == {"knows 0", "knows 1", "knows 2"}
    by = {row["patron"]: row for row in audit.patrons.iter_rows(named=True)}
    for i in range(3):
        row = by[f"knows {i}"]
        assert row["knows_by"] == "most by Player's first card"
        assert row["evidence"] > (4 if shared else ALONE / 2)
        assert row["p_knows"] == pytest.approx(10 ** -row["evidence"], rel=1e-9)
    assert max(by[f"honest {i}"]["evidence"] for i in range(HONEST)) < 1


@pytest.mark.usefixtures("undrawn")
def test_a_team_that_no_member_s_stakes_give_away(tmp_path: Path, whole_page: Any) -> None:
    """Each a third of the coups, fourteen shoes: none is flagged alone, the three are together, nobody else."""
    audit = audited(tmp_path, True, 14)
    rows = audit.flagged.unique("patron", maintain_order=True).sort("patron")
    assert rows.select("patron", "flagged_with", "flagged_for").rows() == [
        ("knows 0", "knows 1, knows 2", KNOWS), ("knows 1", "knows 0, knows 2", KNOWS),
        ("knows 2", "knows 0, knows 1", KNOWS),
    ]  # fmt: skip
    assert max(audit.informed.p[name] for name in audit.informed.p) <= 1
    assert min(audit.informed.p[f"knows {i}"] for i in range(3)) > 0.005
    (group,) = audit.informed.flagged
    assert group.evidence.log10 > 5
    # The shoe drawn: the net stakes of the three, large where one of them knew, and every such bet is good.
    large = group.bets.filter(pl.col("stake") > 4000)
    assert large.height == 3
    assert large["good"].all()
    assert any(s.startswith("One or more of knows 0, knows 1 and knows 2 seem to know") for s in sentences(audit))
    page = report(audit, {})
    whole_page(render(page))
    assert page.data["knows"][0]["patrons"] == ["knows 0", "knows 1", "knows 2"]
    assert {row["patron"] for row in page.data["patrons"] if row["flagged"]} == {"knows 0", "knows 1", "knows 2"}
