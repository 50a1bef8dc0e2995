"""Chemin de fer as a game of strategy: every shoe's value and optimal play, exactly and with a proof.

Related games: banque (`counting.chemin.banque`), and macao and Victoria (`counting.chemin.macao`), in which only the
punter chooses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from counting.faces import lazily

if TYPE_CHECKING:
    from counting.chemin.adjust import Adjusted as Adjusted
    from counting.chemin.adjust import adjusted as adjusted
    from counting.chemin.bank_course import BankCourse as BankCourse
    from counting.chemin.bank_limits import least_bank_profit as least_bank_profit
    from counting.chemin.bank_limits import most_bank_profit as most_bank_profit
    from counting.chemin.census import ChosenStakes as ChosenStakes
    from counting.chemin.census import Gains as Gains
    from counting.chemin.census import counting_gains as counting_gains
    from counting.chemin.certificate import Certificate as Certificate
    from counting.chemin.certificate import check_certificate as check_certificate
    from counting.chemin.commission import Equilibrium as Equilibrium
    from counting.chemin.commission import equilibria as equilibria
    from counting.chemin.commission_certificate import CommissionCertificate as CommissionCertificate
    from counting.chemin.commission_certificate import check_commission as check_commission
    from counting.chemin.commission_solution import CommissionSolution as CommissionSolution
    from counting.chemin.commission_solution import under_commission as under_commission
    from counting.chemin.optima import Optima as Optima
    from counting.chemin.own_hand import own_cards as own_cards
    from counting.chemin.own_hand import own_rules as own_rules
    from counting.chemin.own_hand import the_tables_hand as the_tables_hand
    from counting.chemin.rules import CLASSICAL as CLASSICAL
    from counting.chemin.rules import MODELS as MODELS
    from counting.chemin.rules import MODERN as MODERN
    from counting.chemin.rules import PUNTO_BANCO as PUNTO_BANCO
    from counting.chemin.rules import CheminRules as CheminRules
    from counting.chemin.rules import Model as Model
    from counting.chemin.rules import load_rules as load_rules
    from counting.chemin.solution import Solution as Solution
    from counting.chemin.solution import solve as solve
else:
    __all__, __getattr__, __dir__ = lazily(
        __name__,
        {
            "adjust": "Adjusted adjusted",
            "bank_course": "BankCourse",
            "census": "ChosenStakes Gains counting_gains",
            "bank_limits": "least_bank_profit most_bank_profit",
            "certificate": "Certificate check_certificate",
            "commission": "Equilibrium equilibria",
            "commission_certificate": "CommissionCertificate check_commission",
            "commission_solution": "CommissionSolution under_commission",
            "optima": "Optima",
            "own_hand": "own_cards own_rules the_tables_hand",
            "rules": "CLASSICAL CheminRules MODELS MODERN Model PUNTO_BANCO load_rules",
            "solution": "Solution solve",
        },
    )
