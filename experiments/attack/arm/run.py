"""Build kernels for another processor, run them under an emulator, and compare counts and quotients with this
processor's.

A file is written with the joint distributions and linear forms of the shipped tableaux and of random tableaux, on
random shoes. `check.c` is built for the other processor in the same way as `setup.py` builds the kernels. It computes
everything again, in plain vectors and in integers. Its distributions must have the same integers as the forms computed
here, and their quotients must have the same bits. With `--broken`, one coefficient of a distribution is changed, and
the check must fail. Without options, `check.c` is built for this processor.

    python -m experiments.attack.arm.run [--cc COMPILER] [--under EMULATOR] [--shoes N] [--random N] [--broken]
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from counting import Shoe, load_game
from counting.exact import JOINT_CARDS, _forms, _law, counter, joint_distribution, outcomes
from counting.exact.outcomes import OutcomeCounter
from counting.exact.settling import SettledByDistribution, settled_bets
from counting.games import Tableau, catalog, unfit

KERNELS = Path(__file__).parents[3] / "ext" / "counting" / "exact"
FLAGS = "-O3 -std=c11 -fno-math-errno -ffp-contract=fast -Wall -Wextra -Wno-unused-function"
SHIPPED = ("punto-banco", "louisiana", "louisiana-stand-5")
_STARTS = 0, 2, 4  # the places of classes, events and bets among the arrays of `_law.Bets`
_made: dict[object, tuple[Any, ...]] = {}


def _kept(make: Callable[..., object]) -> Callable[..., object]:
    """A wrapper of `make` that stores the arguments of each object it builds. These are the arrays that the kernels
    get."""

    def making(*arguments: Any) -> object:
        made = make(*arguments)
        _made[made] = arguments
        return made

    return making


def tableaux(number: int, rng: np.random.Generator) -> Iterator[Tableau]:
    yield from (load_game(name).tableau for name in SHIPPED)
    for _ in range(number):
        columns = rng.choice(["D", "S"], (8, int(rng.integers(1, 11))))
        thirds = rng.integers(0, columns.shape[1], 11)
        yield Tableau(player="".join(rng.choice(["D", "S"], 8)), banker=["".join(row) for row in columns[:, thirds]])


def shoes(number: int, decks: int, most: int, rng: np.random.Generator) -> np.ndarray:
    """Ten shoes with only one value each, and random shoes."""
    full, sizes = Shoe.decks(decks).values, rng.integers(6, most + 1, number)
    return np.array([*most * np.eye(10), *(rng.multivariate_hypergeometric(full, n) for n in sizes)], np.int32)


def case(tableau: Tableau, number: int, rng: np.random.Generator, broken: bool) -> list[Any]:
    """The arrays of a tableau for `check.c`, in the order in which it reads them."""
    values, large = shoes(number, 9, JOINT_CARDS, rng), shoes(number // 10, 27, 27 * 52, rng)
    bets = [bet for bet in catalog().values() if bet.shows == "outcome" and not unfit(bet, tableau)]
    (by_distribution,) = settled_bets(tableau, bets)
    forms, law = counter(tableau, tableau.outcomes), joint_distribution(tableau)
    assert isinstance(by_distribution, SettledByDistribution)
    of_class = [[outcome] for outcome in tableau.outcomes]
    apart, both = _made[law.settled(of_class)], _made[by_distribution._on_both]
    packed, counted, in_integers = forms.program, forms.as_kept(values), forms.as_kept(large)

    alone, two = (_made[program] for program in law.programs[:2])
    (_, slots, stage, *_), program = alone, [*alone[2:11], *two[2:]]
    if broken:
        program[-2] = program[-2].copy()
        program[-2][0, 0] += 1
    sizes = [len(values), len(large), len(stage) - 1, slots]
    for part in (apart, both):
        sizes += [len(part[start]) - 1 for start in _STARTS]
    return [
        np.array([*sizes, packed.forms], np.int32), values, large, *program, *apart, *both,
        joint(forms, values).astype(float), joint(forms, large),
        np.array(by_distribution.moments(values)), *_made[packed.layout], *packed.weights, *packed.float_weights,
        counted.astype(float), in_integers,
    ]  # fmt: skip


def joint(forms: OutcomeCounter, values: np.ndarray) -> np.ndarray:
    """The counts of all outcomes, by the linear forms."""
    cards = values.sum(axis=1, dtype=np.int64)
    deals = np.prod([cards - i for i in range(6)], axis=0)
    return np.column_stack([forms.forms(values), deals]) @ forms.of_class.T


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cc", default="cc", help="aarch64-linux-gnu-gcc, or clang with its --target")
    parser.add_argument("--under", default="", help='"qemu-aarch64 -L /usr/aarch64-linux-gnu"')
    parser.add_argument("--shoes", type=int, default=1001, help="random shoes for each tableau")
    parser.add_argument("--random", type=int, default=12, help="the number of random tableaux")
    parser.add_argument("--broken", action="store_true")
    options = parser.parse_args()
    rng = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder:
        program, file = Path(folder, "check"), Path(folder, "cases")
        build = [*shlex.split(f"{options.cc} {FLAGS} -I{KERNELS}"), str(Path(__file__).with_name("check.c"))]
        subprocess.run([*build, "-o", str(program)], check=True)
        with (
            patch.object(_law, "Program", _kept(_law.Program)),
            patch.object(_law, "Bets", _kept(_law.Bets)),
            patch.object(_forms, "Index", _kept(_forms.Index)),
            patch.object(OutcomeCounter, "work", 1 << 62),  # so that the distribution settles all bets
            file.open("wb") as out,
        ):
            joint_distribution.cache_clear()  # so that every object is built again, and its arguments stored
            outcomes._counter.cache_clear()
            for tableau in tableaux(options.random, rng):
                for array in case(tableau, options.shoes, rng, options.broken):
                    content = np.ascontiguousarray(array).tobytes()
                    out.write(np.int64(len(content)).tobytes() + content + bytes(-len(content) % 8))
        sys.exit(subprocess.run([*shlex.split(options.under), str(program), str(file)], check=False).returncode)


if __name__ == "__main__":
    main()
