"""Instruction sets of the processor."""

from __future__ import annotations

import os

from counting.errors import InputError
from counting.exact import _forms

LEVELS = ("plain", "avx2", "avx512")


def instruction_set() -> str:
    """The kernel's instruction set: the best this machine has, or a lesser one named in COUNTING_ISA."""
    best = _forms.best_level()
    name = os.environ.get("COUNTING_ISA", LEVELS[best])
    if name not in LEVELS[: best + 1]:
        raise InputError(f"COUNTING_ISA = {name!r}: should be one of {', '.join(LEVELS[: best + 1])}")
    return name


def level() -> int:
    """The place in `LEVELS` of the kernel's instruction set."""
    return LEVELS.index(instruction_set())
