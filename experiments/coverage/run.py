"""Are 99% limits above the truth 99 times of 100? This tests limits of what a perfect counter wins per shoe, in many
sweeps.

For two games, 300 sweeps of 2,000 plain shoes and 100 sweeps of 20,000 are played. For each of eight counters, the same
number of weighted shoes is dealt, if the limits need them (`counting.bounds.confidence_limits`). The program counts how
often the limit at each cut is below the truth. The truth is the mean over all plain or all weighted shoes of one size
of sweep, whichever mean has the smallest relative error. Writes `coverage.csv` and the tables of `notes.md`. Results of
dealt shoes are kept in FOLDER, and are used again in the next run.

    python -m experiments.coverage.run FOLDER
"""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from counting import load_game
from counting.bounds import PlainShoes
from counting.bounds.confidence_limits import plain_limit
from counting.exact import settlement
from counting.simulation import Aim, Dealing, aim_at, deal_weighted, depths_for, play, prove_bound
from counting.simulation.aims import Unit
from counting.simulation.rare_gains import ENOUGH, Z999
from experiments._notes import put

HERE = Path(__file__).parent
CUTS = (14, 26, 52, 78, 104, 130, 156, 182)
PART, SEED = 200, 7  # the number of shoes in a part, and the seed
SIZES = {2_000: 300, 20_000: 100}  # the number of sweeps, by the shoes of a sweep
PROOFS = 2  # the number of proven bounds; their relative errors are about 1%
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


def plain(name: str, shoes: int, folder: Path) -> np.ndarray:
    """Sums over each part of 200 plain shoes: gains, coups with a bet, and coups dealt (parts, counters, 3, cuts)."""
    path = folder / f"plain-{name}-{shoes}.npy"
    if path.exists():
        return np.load(path)
    game, worths = load_game(name), COUNTERS[name]
    bets = tuple(dict.fromkeys(bet for worth in worths for bet in worth.bets))
    game = game.also(bets)
    priced, found = settlement(game, bets), np.zeros((SIZES[shoes] * shoes // PART, len(worths), 3, len(CUTS)))
    before = sum(SIZES[smaller] * smaller for smaller in SIZES if smaller < shoes)
    for part in range(len(found)):
        coups = play(game.tableau, DEALING, SEED, before + part * PART, PART)
        edges = priced.edges(coups.left)
        cut = np.searchsorted(CUTS, coups.last_cut, side="right") - 1
        for i, worth in enumerate(worths):
            worths_here = worth.free(edges[:, [bets.index(bet) for bet in worth.bets]])
            for k, of in enumerate((worths_here, worths_here > 0, None)):
                found[part, i, k] = np.bincount(cut, of, len(CUTS))[::-1].cumsum()[::-1]
    np.save(path, found)
    return found


def sweeps_of(parts: np.ndarray, number: int) -> list[PlainShoes]:
    """Divide the parts of one counter into `number` sweeps."""
    found = []
    for of in np.split(parts, number):
        shoes = len(of) * PART
        gain, bets, coups = of.sum(axis=0)
        error = of[:, 0].std(axis=0, ddof=1) * np.sqrt(len(of)) / shoes
        found.append(PlainShoes(np.array(CUTS), shoes, len(of), coups / shoes, bets, gain / shoes, error))
    return found


def leaning(aim: Aim, cuts: list[int], sweeps: int, shoes: int, seed: int, path: Path) -> np.ndarray:
    """Results of weighted shoes, for each sweep: gains, errors and effective numbers of shoes (sweeps, 3, cuts)."""
    if path.exists():
        return np.load(path)
    found = np.empty((sweeps, 3, len(cuts)))
    for sweep in range(sweeps):
        rare = deal_weighted(aim, DEALING, cuts, shoes, seed + sweep, workers=1)
        found[sweep] = rare.gain, rare.gain_se, rare.effective
    np.save(path, found)
    return found


def limits(sweep: PlainShoes, rare: np.ndarray, bounds: np.ndarray, at: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """The limits of one sweep, chosen as in `upper_limits`, and the source of each limit: 0 for plain shoes, 1 for
    weighted shoes, 2 for a proof."""
    upper = np.asarray(plain_limit(sweep.gain, sweep.gain_se, sweep.parts, sweep.bets))
    source = np.zeros(len(CUTS), int)
    for place in np.flatnonzero(sweep.few):
        gain, error, effective = rare[:, at.index(place)]
        source[place], upper[place] = 1, gain + Z999 * error
        if effective < ENOUGH:
            source[place], upper[place] = 2, min(bounds[at.index(place)], upper[place - 1] if place else np.inf)
    return upper, source


class Played(NamedTuple):
    """Sweeps of one size. `at`: the cuts at which one of the sweeps had few bets. `rare` and `bounds`: the results of
    weighted shoes, and the proven bounds, at these cuts."""

    sweeps: list[PlainShoes]
    at: list[int]
    rare: np.ndarray
    bounds: np.ndarray


def played(name: str, place: int, shoes: int, folder: Path) -> Played:
    worth, number = COUNTERS[name][place], SIZES[shoes]
    sweeps = sweeps_of(plain(name, shoes, folder)[:, place], number)
    at = sorted({int(i) for sweep in sweeps for i in np.flatnonzero(sweep.few)})
    if not at:
        return Played(sweeps, at, np.zeros((number, 3, 0)), np.zeros((PROOFS, 0)))
    cuts = [CUTS[i] for i in at]
    aim = aim_at(load_game(name), worth, depths_for(cuts), workers=1)
    seed = 1 + sum(SIZES[smaller] for smaller in SIZES if smaller < shoes)
    rare = leaning(aim, cuts, number, shoes, seed, folder / f"weighted-{name}-{place}-{shoes}.npy")
    bounds = np.array([prove_bound(aim, DEALING, cuts, seed=1 + i, workers=1).limit for i in range(PROOFS)])
    return Played(sweeps, at, rare, bounds)


def truth(of: list[Played]) -> tuple[np.ndarray, np.ndarray]:
    """The mean gain at each cut, and its error. They are from the plain or the weighted shoes of one of the sizes,
    whichever are most precise."""
    figures = []
    for size in of:
        gains = np.array([sweep.gain for sweep in size.sweeps])
        figures.append((gains.mean(axis=0), gains.std(axis=0, ddof=1) / np.sqrt(len(gains))))
        mean, error = np.zeros(len(CUTS)), np.full(len(CUTS), np.inf)
        mean[size.at] = size.rare[:, 0].mean(axis=0)
        error[size.at] = size.rare[:, 0].std(axis=0, ddof=1) / np.sqrt(len(gains))
        figures.append((mean, error))
    # Errors are compared relative to the gain, so that no sample with few bets, or with none, is chosen.
    means, errors = (np.array(x) for x in zip(*figures, strict=True))
    with np.errstate(divide="ignore", invalid="ignore"):
        relative = np.where((means > 0) & np.isfinite(errors) & (errors > 0), errors / means, np.inf)
    best = relative.argmin(axis=0)
    every = np.arange(len(CUTS))
    return means[best, every], errors[best, every]


def rows(name: str, place: int, folder: Path) -> pl.DataFrame:
    """The results of one counter, with a row for each size of sweep and each cut."""
    of = {shoes: played(name, place, shoes, folder) for shoes in SIZES}
    mean, error = truth(list(of.values()))
    found = []
    for shoes, size in of.items():
        both = [limits(s, size.rare[i], size.bounds[i % PROOFS], size.at) for i, s in enumerate(size.sweeps)]
        upper, source = (np.array(x) for x in zip(*both, strict=True))
        for i, cut in enumerate(CUTS):
            found.append(
                {
                    "game": name,
                    "counter": title(COUNTERS[name][place]),
                    "shoes": shoes,
                    "sweeps": len(both),
                    "cut": cut,
                    "units_per_shoe": mean[i],
                    "units_per_shoe_se": error[i],
                    "bets_per_shoe": sum(s.bets[i] for s in size.sweeps) / len(both) / shoes,
                    **{of: int((source[:, i] == k).sum()) for k, of in enumerate(("plain", "weighted", "proved"))},
                    "misses": int((upper[:, i] < mean[i]).sum()),
                    "student_misses": int(sum(_student(s, i) < mean[i] for s in size.sweeps)),
                    "median_limit_over_truth": float(np.median(upper[:, i])) / mean[i],
                    "proved_over_truth": (
                        float(size.bounds[:, size.at.index(i)].mean()) / mean[i] if i in size.at else None
                    ),
                }
            )
    return pl.DataFrame(found, infer_schema_length=None)


def _student(sweep: PlainShoes, place: int) -> float:
    """The limit of version 0.1.0: a limit by Student's quantile, plus the gain of log(100) further bets of the mean
    size."""
    bets, shoes = sweep.bets[place], sweep.shoes
    more = np.log(100) * sweep.gain[place] * shoes / bets / shoes if bets else 0.0
    return float(plain_limit(sweep.gain[place], sweep.gain_se[place], sweep.parts, np.inf) + more)


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    found = []
    for name, worths in COUNTERS.items():
        for i, worth in enumerate(worths):
            found.append(rows(name, i, folder))
            print(title(worth), found[-1]["misses"].to_list(), flush=True)
    frame = pl.concat(found, how="vertical_relaxed")
    frame.write_csv(HERE / "coverage.csv", float_precision=8, float_scientific=True)
    for (shoes,), of in frame.group_by("shoes", maintain_order=True):
        put(HERE / "notes.md", HEADINGS, _lines(of, "{misses} ({student_misses})"), f"misses-{shoes}")
        put(HERE / "notes.md", HEADINGS, _lines(of, "{median_limit_over_truth:.2f}"), f"widths-{shoes}")
    print(frame.group_by("shoes", maintain_order=True).agg(pl.sum("misses", "student_misses", "sweeps")))


HEADINGS = ["counter", *map(str, CUTS)]


def _lines(frame: pl.DataFrame, how: str) -> list[list[str]]:
    return [
        [str(counter), *(how.format(**row) for row in of.to_dicts())]
        for (counter,), of in frame.group_by("counter", maintain_order=True)
    ]


if __name__ == "__main__":
    main()
