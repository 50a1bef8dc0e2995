"""Chemin de fer as a game of strategy: every shoe's value and optimal play, exactly and with a proof."""

from __future__ import annotations

from counting.chemin.adjust import Adjusted, adjusted
from counting.chemin.bank import Course
from counting.chemin.banque import Banque, banque
from counting.chemin.banque_check import BanqueCertificate, Mix, check_banque
from counting.chemin.certificate import Certificate, check
from counting.chemin.commission import Equilibrium, equilibria
from counting.chemin.models import CLASSICAL, MODELS, MODERN, PUNTO_BANCO, Model, Rules
from counting.chemin.optima import Optima
from counting.chemin.own import own_cards, own_rules
from counting.chemin.solve import Solution, solve

__all__ = [
    "CLASSICAL",
    "MODELS",
    "MODERN",
    "PUNTO_BANCO",
    "Adjusted",
    "Banque",
    "BanqueCertificate",
    "Certificate",
    "Course",
    "Equilibrium",
    "Mix",
    "Model",
    "Optima",
    "Rules",
    "Solution",
    "adjusted",
    "banque",
    "check",
    "check_banque",
    "equilibria",
    "own_cards",
    "own_rules",
    "solve",
]
