"""The one error a user can cause: what, where, what is allowed."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class InputError(ValueError):
    """Bad input. Each line of the message stands alone and names the place, the value and what is allowed."""


def nearest(word: str, allowed: Iterable[str]) -> str:
    """`"; did you mean 'x'?"` where an allowed spelling is near, else nothing."""
    found = get_close_matches(word, list(allowed), n=1, cutoff=0.6)
    return f"; did you mean '{found[0]}'?" if found else ""
