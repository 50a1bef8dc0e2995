"""The instruction set of the evaluators."""

from __future__ import annotations

from counting.exact import _forms
from counting.instruction_sets import LEVELS, chosen

__all__ = ["LEVELS", "instruction_set", "level"]


def level() -> int:
    """The place in `LEVELS` of the evaluators' instruction set."""
    return chosen(_forms.best_level())


def instruction_set() -> str:
    """The evaluators' instruction set: the set that the environment variable COUNTING_ISA names, by default the
    best that this machine has."""
    return LEVELS[level()]
