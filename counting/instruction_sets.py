"""The instruction sets for which kernels are compiled, and the choice among them."""

from __future__ import annotations

import os

from counting.errors import InputError

LEVELS = ("plain", "avx2", "avx512")


def chosen(best: int) -> int:
    """The index in `LEVELS` of the level to use. `best`: the index of the best level that the machine supports. The
    environment variable COUNTING_ISA may name the best level or a lower one; without the variable, the best level is
    used. Raises `InputError` if the variable names anything else."""
    name = os.environ.get("COUNTING_ISA", LEVELS[best])
    if name not in LEVELS[: best + 1]:
        raise InputError(f"COUNTING_ISA = {name!r}: should be one of {', '.join(LEVELS[: best + 1])}")
    return LEVELS.index(name)
