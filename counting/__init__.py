"""Exact card counting and shoe-penetration study of baccarat."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from counting.bets import Bet as Bet
    from counting.cards import Shoe as Shoe
    from counting.compositions import census as census
    from counting.effects import Effects as Effects
    from counting.errors import InputError as InputError
    from counting.estimates import estimate as estimate
    from counting.exact import edges as edges
    from counting.exact import events as events
    from counting.exact import exact_edges as exact_edges
    from counting.plan import Plan as Plan
    from counting.rules import Game as Game
    from counting.rules import load_game as load_game
    from counting.shoe import Dealing as Dealing
    from counting.swept import Sweep as Sweep
    from counting.swept import open_sweep as open_sweep
    from counting.systems import System as System
    from counting.systems import load_system as load_system
    from counting.version import __version__ as __version__

_COMPILED = ("_bettors", "_census", "_chemin", "_coming", "_deal", "_forms", "_pairs", "_permute", "_settle", "_tally")
_HOME = {
    "__version__": "version",
    "Bet": "bets",
    "Dealing": "shoe",
    "Effects": "effects",
    "Game": "rules",
    "InputError": "errors",
    "Plan": "plan",
    "Shoe": "cards",
    "Sweep": "swept",
    "System": "systems",
    "census": "compositions",
    "edges": "exact",
    "estimate": "estimates",
    "events": "exact",
    "exact_edges": "exact",
    "load_game": "rules",
    "load_system": "systems",
    "open_sweep": "swept",
}
__all__ = [*_HOME]  # noqa: PLE0604  # each a text


def __getattr__(name: str) -> object:
    """Rooms are imported when first used: a look at one edge needs no polars and no matplotlib."""
    if name in _COMPILED:
        try:
            return import_module(f"counting.{name}")
        except ModuleNotFoundError:
            raise ImportError(
                "counting: this is the source folder, which has no compiled modules; start Python in another folder, "
                "or build them here with: python setup.py build_ext --inplace"
            ) from None
    if name in _HOME:
        return getattr(import_module(f"counting.{_HOME[name]}"), name)
    raise AttributeError(f"module 'counting' has no attribute {name!r}")
