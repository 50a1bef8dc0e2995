"""Chemin de fer as a game of strategy: every shoe's value and optimal play, exactly and with a proof.

And macao and Victoria, in which a punter alone chooses.
"""

from __future__ import annotations

from counting.chemin.adjust import Adjusted, adjusted
from counting.chemin.bank import Course
from counting.chemin.banque import Banque, banque
from counting.chemin.banque_check import BanqueCertificate, Mix, check_banque
from counting.chemin.certificate import Certificate, check
from counting.chemin.commission import Equilibrium, equilibria
from counting.chemin.macao import Chart, Macao, load_macao
from counting.chemin.models import CLASSICAL, MODELS, MODERN, PUNTO_BANCO, Model, Rules, load_rules
from counting.chemin.optima import Optima
from counting.chemin.own import own_cards, own_rules
from counting.chemin.punter import best_reply, odds
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
    "Chart",
    "Course",
    "Equilibrium",
    "Macao",
    "Mix",
    "Model",
    "Optima",
    "Rules",
    "Solution",
    "adjusted",
    "banque",
    "best_reply",
    "check",
    "check_banque",
    "equilibria",
    "load_macao",
    "load_rules",
    "odds",
    "own_cards",
    "own_rules",
    "solve",
]
