"""The instruction set of the evaluators."""

from __future__ import annotations

from counting.exact import _forms
from counting.instruction_sets import LEVELS, chosen

__all__ = ["LEVELS", "instruction_set", "level"]


def level() -> int:
    """The place in `LEVELS` of the evaluators' instruction set."""
    return chosen(_forms.best_level())


def instruction_set() -> str:
    """The kernel's instruction set: the best that this machine has, or a lesser set that the environment variable
    COUNTING_ISA names."""
    return LEVELS[level()]
