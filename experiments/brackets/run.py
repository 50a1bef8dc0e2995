"""Brackets of 35 sets of rules, and statements on rules that version 0.1.0 judged wrongly.

The bracket of each set of rules in `tests/golden/brackets.csv` is computed: the play is fitted to 15,000 shoes, and
15,000 other shoes are played. For each of the cases below, a statement is made. Writes `brackets.csv`,
`bracket-cases.csv` and the tables of `notes.md`. This takes about half an hour on two cores. Blocks in FOLDER are used
again.

    python -m experiments.brackets.run FOLDER [SHOES]
"""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl

from counting import load_game
from counting.bounds import Seat, bracket, load_house, state, statement_settings
from counting.io.folders import claimed
from counting.reports.publish import publish
from counting.reports.statement import report, sentences
from counting.simulation import Dealing
from counting.sweep import Stakes
from experiments._notes import put_frame

HERE = Path(__file__).parent
GOLDEN = HERE.parents[1] / "tests" / "golden" / "brackets.csv"

_EZ = 'game = "ez-baccarat"\nside_bets = ["dragon-7"]\nburn = "first-card"\n'
_7_7 = 'game = "louisiana"\nside_bets = ["seven-seven-45"]\nside_share = "1/4"\nminimum = 100\nmost_bet = 25\n'
CASES = {  # house rules, what version 0.1.0 stated, and what a player won under them in another program
    "Dragon 7, minimum 100, most_bet 25, no mid-shoe entry": (
        _EZ + 'cut = 20\nminimum = 100\nmost_bet = 25\nmid_shoe_entry = false\nbound = "0.1/hour"',
        "stays away, 0.1/hour is met", "7.14 ± 0.04; leaving too, 7.97 ± 0.04",
    ),
    "the tutorial's pit.toml": (
        _EZ + 'cut = 20\nminimum = 25\nmost_bet = 100\nmid_shoe_entry = false\nmost_skipped = 2\nbound = "10/hour"',
        "at most 48.08 per hour", "50.24 ± 0.16",
    ),
    "7-7 at 45, a quarter, minimum 100, cut 26, no mid-shoe entry": (
        _7_7 + 'cut = 26\nmid_shoe_entry = false\nbound = "0.5/hour"',
        "at most 0.1217 per hour", "0.95 ± 0.11",
    ),
    "the same with cut 14, at most 1 skipped": (
        _7_7 + 'cut = 14\nmid_shoe_entry = false\nmost_skipped = 1\nbound = "30.47/hour"',
        "at most 30.47 per hour", "31.14 ± 0.14",
    ),
    "Big Win Player 25, cut 14, maximum 5000": (
        'game = "louisiana"\nside_bets = ["big-win-player-25"]\ncut = 14\nminimum = 25\nmost_bet = 25\nmaximum = 5000\n'
        'bound = "10/hour"',
        "10/hour is met", "432.9 ± 1.8",
    ),
    "Dragon 7, cut 104, maximum 5000, rebate 1.2%": (
        _EZ + 'cut = 104\nminimum = 25\nmost_bet = 5\nmaximum = 5000\nrebate = 0.012\nbound = "10/hour"',
        "10/hour is met", "683.05 ± 0.64",
    ),
}  # fmt: skip


def seat(row: dict[str, str]) -> Seat:
    """The seat and the dealing procedure of a set of rules in the golden table."""
    game = load_game(row["game"]).also([row["side_bet"]])
    idle, needed, least = (Fraction(row[key]) for key in ("idle_units", "requirement_units", "least_side_units"))
    stakes = Stakes.of(
        [row["side_bet"]], game.mains(None), least=least, least_main=idle, most_main=max(idle, needed), tie_in=needed
    )
    dealing = Dealing(8, int(row["cut"]), row["burn"])  # type: ignore[arg-type]
    return Seat(game, dealing, stakes, int(row["most_skipped"]))


def main(folder: Path, shoes: int = 15_000) -> None:
    found = []
    for i, row in enumerate(pl.read_csv(GOLDEN, infer_schema=False).to_dicts()):
        one = bracket(seat(row), shoes, 1, folder / "brackets" / f"{i:02d}")
        width = (one.shoes["upper"] - one.shoes["lower"]).to_numpy()
        found.append(
            {
                **row,
                "wanted_lower": row["lower"],
                "wanted_upper": min(row["upper_hindsight"], row["upper_penalty"]),
                "wanted_bracket": row["bracket"],
                "lower": one.lower.value,
                "lower_se": one.lower.error,
                "upper": one.upper.value,
                "upper_se": one.upper.error,
                "bracket": float(width.mean()),
                "bracket_se": float(width.std() / np.sqrt(len(width))),
            }
        )
        print(i, found[-1], flush=True)
    table = pl.DataFrame(found).drop("upper_hindsight", "upper_penalty")
    table.write_csv(HERE / "brackets.csv", float_precision=6)
    put_frame(
        HERE / "notes.md",
        {
            "side bet": "{side_bet}",
            "cut": "{cut}",
            "skips": "{most_skipped}",
            "minimum": "{idle_units}",
            "requirement": "{requirement_units}",
            "least side bet": "{least_side_units}",
            "version 0.1.0": "{version_0_1_0}",
            "a counter wins": "{lower:.4f} ± {lower_se:.4f}",
            "none wins more than": "{upper:.4f} ± {upper_se:.4f}",
            "bracket": "{bracket:.4f} ± {bracket_se:.4f}",
            "asked for": "{wanted_bracket}",
        },
        table,
    )
    cases(folder)


def cases(folder: Path) -> None:
    """Make the statements on the cases, with the default of 100,000 shoes."""
    rows = []
    for i, (name, (text, before, player)) in enumerate(CASES.items()):
        path = folder / f"case-{i}.toml"
        path.write_text(f'title = "{name}"\n{text}\n')
        rules = load_house(path)
        plan, out = rules.plan(100_000, 1), folder / f"case-{i}"
        with claimed(out, "statement", statement_settings(rules, plan, None), was="brackets"):
            made = state(rules, plan, out)
            publish(report(made, f"counting statement {path.name}"), out, "statement")
        lower, upper = made.means(made.judged)
        rows.append(
            {
                "rules": name, "before": before, "player": player,
                "verdict": made.verdict.value if made.verdict else "", "lower": lower.value, "lower_se": lower.error,
                "upper": upper.value, "upper_se": upper.error, "upper_99": upper.below, "stated": sentences(made)[0],
            }
        )  # fmt: skip
        print(rows[-1], flush=True)
    table = pl.DataFrame(rows)
    table.write_csv(HERE / "bracket-cases.csv", float_precision=4)
    columns = {
        "rules": "{rules}",
        "version 0.1.0": "{before}",
        "a player": "{player}",
        "a counter wins": "{lower:.2f} ± {lower_se:.2f}",
        "none wins more than": "{upper:.2f} ± {upper_se:.2f}",
        "upper 99% limit": "{upper_99:.2f}",
        "verdict": "{verdict}",
    }
    put_frame(HERE / "notes.md", columns, table, "cases")


if __name__ == "__main__":
    if sys.argv[2:] == ["cases"]:
        cases(Path(sys.argv[1]))
    else:
        main(Path(sys.argv[1]), *map(int, sys.argv[2:3]))
