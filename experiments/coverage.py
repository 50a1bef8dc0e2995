"""Are 99% limits above the truth 99 times of 100? Limits of what a perfect counter wins per shoe, sweep after sweep.

Plays 300 sweeps of 2,000 plain shoes of two games, and for each of eight counters the weighted shoes that their limits
ask for (`counting.upper`), and counts how often the limit at each cut is below the truth. Writes `coverage.csv` and the
table of `coverage.md`. What was dealt is kept in the folder given, and taken from there.

    python experiments/coverage.py FOLDER
"""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl
from markdown import put

from counting import load_game
from counting.aims import Aim, Unit, aim_at, depths_for
from counting.exact import pricer
from counting.rare import ENOUGH, Z999, proved, weighted
from counting.shoe import Dealing, play
from counting.upper import Plain, plain_limit

HERE = Path(__file__).parent
CUTS = (14, 26, 52, 78, 104, 130, 156, 182)
SWEEPS, SHOES, PART, SEED = 300, 2_000, 200, 7
TEN = 10  # sweeps that make a large one
PROOFS = 3  # seeds of the proven bounds, whose errors are a hundredth
DEALING = Dealing(cut=CUTS[0])
COUNTERS = {
    "louisiana": (
        Unit("tie-9"),
        Unit("tie-9", ("player", "banker-4"), Fraction(1)),
        Unit("big-win-banker-25"),
        Unit("seven-seven-45"),
    ),
    "ez-baccarat": (Unit("dragon-7"), Unit("panda-8"), Unit("dragon-bonus-player"), Unit("tie-8")),
}


def title(worth: Unit) -> str:
    return worth.bet + (", a unit on the best main bet" if worth.main else "")


def plain(name: str, folder: Path) -> np.ndarray:
    """Of parts of 200 shoes, by counter and cut: gains, coups with a bet and coups dealt (parts, counters, 3, cuts)."""
    path = folder / f"plain-{name}.npy"
    if path.exists():
        return np.load(path)
    game, worths = load_game(name), COUNTERS[name]
    bets = tuple(dict.fromkeys(bet for worth in worths for bet in worth.bets))
    game = game.also(bets)
    priced, found = pricer(game, bets), np.zeros((SWEEPS * SHOES // PART, len(worths), 3, len(CUTS)))
    for part in range(len(found)):
        coups = play(game.tableau, DEALING, SEED, part * PART, PART)
        edges = priced.edges(coups.left)
        cut = np.searchsorted(CUTS, coups.last_cut, side="right") - 1
        for i, worth in enumerate(worths):
            worths_here = worth.free(edges[:, [bets.index(bet) for bet in worth.bets]])
            for k, of in enumerate((worths_here, worths_here > 0, None)):
                found[part, i, k] = np.bincount(cut, of, len(CUTS))[::-1].cumsum()[::-1]
    np.save(path, found)
    return found


def sweeps_of(parts: np.ndarray, number: int) -> list[Plain]:
    """The parts of one counter as so many sweeps."""
    found = []
    for of in np.split(parts, number):
        shoes = len(of) * PART
        gain, bets, coups = of.sum(axis=0)
        error = of[:, 0].std(axis=0, ddof=1) * np.sqrt(len(of)) / shoes
        found.append(Plain(np.array(CUTS), shoes, len(of), coups / shoes, bets, gain / shoes, error))
    return found


def leaning(aim: Aim, cuts: list[int], path: Path) -> np.ndarray:
    """Gains, errors and shoes that would tell as much, of a sweep's worth of weighted shoes (sweeps, 3, cuts)."""
    if path.exists():
        return np.load(path)
    found = np.empty((SWEEPS, 3, len(cuts)))
    for sweep in range(SWEEPS):
        rare = weighted(aim, DEALING, cuts, SHOES, 1 + sweep, workers=1)
        found[sweep] = rare.gain, rare.gain_se, rare.effective
    np.save(path, found)
    return found


def limits(sweep: Plain, rare: np.ndarray, bounds: np.ndarray, at: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """The limits of one sweep by the rule of `upper_limits`, and their sources: 0 plain, 1 weighted, 2 proved."""
    upper = np.asarray(plain_limit(sweep.gain, sweep.gain_se, sweep.parts, sweep.bets))
    source = np.zeros(len(CUTS), int)
    for place in np.flatnonzero(sweep.few):
        gain, error, effective = rare[:, at.index(place)]
        source[place], upper[place] = 1, gain + Z999 * error
        if effective < ENOUGH:
            source[place], upper[place] = 2, min(bounds[at.index(place)], upper[place - 1] if place else np.inf)
    return upper, source


def rows(name: str, place: int, parts: np.ndarray, folder: Path) -> pl.DataFrame:
    """A row for each size of sweep and cut of one counter."""
    worth, game = COUNTERS[name][place], load_game(name)
    sweeps = sweeps_of(parts, SWEEPS)
    at = sorted({int(i) for sweep in sweeps for i in np.flatnonzero(sweep.few)})
    dealt = sum(sweep.gain for sweep in sweeps) / SWEEPS
    truth, rare, bounds = dealt.copy(), np.zeros((SWEEPS, 3, 0)), np.zeros((PROOFS, 0))
    if at:
        cuts = [CUTS[i] for i in at]
        aim = aim_at(game, worth, depths_for(cuts), workers=1)
        stem = f"{name}-{place}"
        rare = leaning(aim, cuts, folder / f"weighted-{stem}.npy")
        bounds = np.array([proved(aim, DEALING, cuts, seed=1 + i, workers=1).limit for i in range(PROOFS)])
        precise = dealt < 0  # where all weighted shoes together have the smaller error
        plain_se = np.std([sweep.gain for sweep in sweeps], axis=0)
        precise[at] = rare[:, 0].std(axis=0) < plain_se[at]
        truth[precise] = rare[:, 0].mean(axis=0)[precise[at]]
    found = []
    for size, of in ((1, sweeps), (TEN, sweeps_of(parts, SWEEPS // TEN))):
        mean = rare.reshape(len(of), size, 3, -1)
        merged = np.stack(
            [mean[:, :, 0].mean(axis=1), np.sqrt((mean[:, :, 1] ** 2).sum(axis=1)) / size, mean[:, :, 2].sum(axis=1)],
            axis=1,
        )
        upper, source = (
            map(np.array, zip(*(limits(s, merged[i], bounds[i % PROOFS], at) for i, s in enumerate(of)), strict=True))
            if at
            else (np.array([limits(s, merged[i], bounds, at)[j] for i, s in enumerate(of)]) for j in (0, 1))
        )
        for i, cut in enumerate(CUTS):
            found.append(
                {
                    "game": name, "counter": title(worth), "shoes": SHOES * size, "sweeps": len(of), "cut": cut,
                    "units_per_shoe": truth[i], "bets_per_shoe": sum(s.bets[i] for s in sweeps) / SWEEPS / SHOES,
                    "plain": int((source[:, i] == 0).sum()), "weighted": int((source[:, i] == 1).sum()),
                    "proved": int((source[:, i] == 2).sum()), "misses": int((upper[:, i] < truth[i]).sum()),
                    "student_misses": int(sum(_student(s, i) < truth[i] for s in of)),
                    "median_limit_over_truth": float(np.median(upper[:, i])) / truth[i],
                    "proved_over_truth": float(bounds[:, at.index(i)].mean()) / truth[i] if i in at else None,
                }
            )  # fmt: skip
    return pl.DataFrame(found, infer_schema_length=None)


def _student(sweep: Plain, place: int) -> float:
    """The limit by Student's quantile alone, and log(100) more bets as large as those seen."""
    bets, shoes = sweep.bets[place], sweep.shoes
    more = np.log(100) * sweep.gain[place] * shoes / bets / shoes if bets else 0.0
    return float(plain_limit(sweep.gain[place], sweep.gain_se[place], sweep.parts, np.inf) + more)


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    found = []
    for name, worths in COUNTERS.items():
        parts = plain(name, folder)
        for i, worth in enumerate(worths):
            found.append(rows(name, i, parts[:, i], folder))
            print(title(worth), found[-1]["misses"].to_list(), flush=True)
    frame = pl.concat(found, how="vertical_relaxed")
    frame.write_csv(HERE / "coverage.csv", float_precision=None)
    for shoes, of in frame.group_by("shoes", maintain_order=True):
        lines = [
            [str(counter), *(f"{row['misses']} ({row['student_misses']})" for row in rows_of.to_dicts())]
            for (counter,), rows_of in of.group_by("counter", maintain_order=True)
        ]
        put(HERE / "coverage.md", ["counter", *map(str, CUTS)], lines, f"misses-{shoes[0]}")
    small = frame.filter(pl.col("shoes") == SHOES)
    lines = [
        [str(counter), *(f"{row['median_limit_over_truth']:.2f}" for row in rows_of.to_dicts())]
        for (counter,), rows_of in small.group_by("counter", maintain_order=True)
    ]
    put(HERE / "coverage.md", ["counter", *map(str, CUTS)], lines, "widths")
    print(frame.group_by("shoes").agg(pl.col("misses").sum(), pl.col("sweeps").sum()))


if __name__ == "__main__":
    main()
