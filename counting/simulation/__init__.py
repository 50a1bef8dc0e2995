"""Shoes dealt by a procedure, and estimates with their errors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counting.faces import lazily

if TYPE_CHECKING:
    from counting.simulation.aims import Aim as Aim
    from counting.simulation.aims import Worth as Worth
    from counting.simulation.aims import aim_at as aim_at
    from counting.simulation.aims import depths_for as depths_for
    from counting.simulation.dealing import LEAST_COUP as LEAST_COUP
    from counting.simulation.dealing import MOST_BURNED as MOST_BURNED
    from counting.simulation.dealing import MOST_SEED as MOST_SEED
    from counting.simulation.dealing import MOST_SKIPS as MOST_SKIPS
    from counting.simulation.dealing import Dealing as Dealing
    from counting.simulation.dealing import as_after_cut as as_after_cut
    from counting.simulation.dealing import as_burn as as_burn
    from counting.simulation.estimates import estimate as estimate
    from counting.simulation.rare_gains import Rare as Rare
    from counting.simulation.rare_gains import deal_weighted as deal_weighted
    from counting.simulation.rare_gains import deal_weighted_together as deal_weighted_together
    from counting.simulation.rare_gains import prove_bound as prove_bound
    from counting.simulation.shoes import BLOCK as BLOCK
    from counting.simulation.shoes import PIECE as PIECE
    from counting.simulation.shoes import Coups as Coups
    from counting.simulation.shoes import play as play
    from counting.simulation.simulator import simulate as simulate
else:
    __all__, __getattr__, __dir__ = lazily(
        __name__,
        {
            "aims": "Aim Worth aim_at depths_for",
            "dealing": "Dealing LEAST_COUP MOST_BURNED MOST_SEED MOST_SKIPS as_after_cut as_burn",
            "shoes": "BLOCK Coups PIECE play",
            "estimates": "estimate",
            "rare_gains": "Rare deal_weighted deal_weighted_together prove_bound",
            "simulator": "simulate",
        },
    )
