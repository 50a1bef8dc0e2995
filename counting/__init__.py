"""Exact card counting and shoe-penetration study of baccarat."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from counting.cards import Shoe
    from counting.compositions import census
    from counting.errors import InputError
    from counting.estimates import estimate
    from counting.exact import edges, events, exact_edges
    from counting.rules import Game, load_game
    from counting.version import __version__

__all__ = [
    "Game",
    "InputError",
    "Shoe",
    "__version__",
    "census",
    "edges",
    "estimate",
    "events",
    "exact_edges",
    "load_game",
]

_COMPILED = ("_bettors", "_census", "_chemin", "_coming", "_deal", "_forms", "_pairs", "_permute", "_settle", "_tally")
_HOME = {
    "__version__": "version",
    "Shoe": "cards",
    "InputError": "errors",
    "Game": "rules",
    "load_game": "rules",
    "census": "compositions",
    "edges": "exact",
    "estimate": "estimates",
    "events": "exact",
    "exact_edges": "exact",
}


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
