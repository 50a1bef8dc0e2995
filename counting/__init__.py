"""Exact card counting and shoe-penetration study of baccarat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counting.faces import lazily

if TYPE_CHECKING:
    from counting.analysis.scores import score as score
    from counting.cards import Shoe as Shoe
    from counting.errors import InputError as InputError
    from counting.exact.censuses import census as census
    from counting.exact.effects import Effects as Effects
    from counting.exact.many_shoes import edges as edges
    from counting.exact.one_shoe import events as events
    from counting.exact.one_shoe import exact_edges as exact_edges
    from counting.games.bets import Bet as Bet
    from counting.games.game import Game as Game
    from counting.games.game import load_game as load_game
    from counting.requests.verbs import audit as audit
    from counting.requests.verbs import limits as limits
    from counting.requests.verbs import shuffle as shuffle
    from counting.requests.verbs import statement as statement
    from counting.requests.verbs import study as study
    from counting.requests.verbs import vulnerability as vulnerability
    from counting.simulation.dealing import Dealing as Dealing
    from counting.simulation.estimates import estimate as estimate
    from counting.sweep.plan import Plan as Plan
    from counting.sweep.result import Sweep as Sweep
    from counting.sweep.result import open_sweep as open_sweep
    from counting.sweep.runner import run as run
    from counting.systems.shipped import load_system as load_system
    from counting.systems.system import System as System
    from counting.version import __version__ as __version__
else:
    __all__, __getattr__, __dir__ = lazily(
        __name__,
        {
            "analysis.scores": "score",
            "cards": "Shoe",
            "errors": "InputError",
            "exact.censuses": "census",
            "exact.effects": "Effects",
            "exact.many_shoes": "edges",
            "exact.one_shoe": "events exact_edges",
            "games.bets": "Bet",
            "games.game": "Game load_game",
            "requests.verbs": "audit limits shuffle statement study vulnerability",
            "simulation.dealing": "Dealing",
            "simulation.estimates": "estimate",
            "sweep.plan": "Plan",
            "sweep.result": "Sweep open_sweep",
            "sweep.runner": "run",
            "systems.shipped": "load_system",
            "systems.system": "System",
            "version": "__version__",
        },
    )
