"""The instruction sets for which kernels are compiled, and the choice between them."""

from __future__ import annotations

import os

from counting.errors import InputError

LEVELS = ("plain", "avx2", "avx512")


def chosen(best: int) -> int:
    """A place in `LEVELS`: `best`, the best that this machine has, or a lower level named in COUNTING_ISA."""
    name = os.environ.get("COUNTING_ISA", LEVELS[best])
    if name not in LEVELS[: best + 1]:
        raise InputError(f"COUNTING_ISA = {name!r}: should be one of {', '.join(LEVELS[: best + 1])}")
    return LEVELS.index(name)
