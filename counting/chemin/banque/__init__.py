"""Baccara banque: two Players' hands against one of Banker's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counting.faces import lazily

if TYPE_CHECKING:
    from counting.chemin.banque.apart_certificate import ApartCertificate as ApartCertificate
    from counting.chemin.banque.apart_certificate import check_apart as check_apart
    from counting.chemin.banque.by_hand import BanqueByHand as BanqueByHand
    from counting.chemin.banque.by_hand import banque_by_hand as banque_by_hand
    from counting.chemin.banque.by_hand_certificate import ByHandCertificate as ByHandCertificate
    from counting.chemin.banque.by_hand_certificate import TeamPlan as TeamPlan
    from counting.chemin.banque.certificate import BanqueCertificate as BanqueCertificate
    from counting.chemin.banque.certificate import PlayersMix as PlayersMix
    from counting.chemin.banque.certificate import check_banque as check_banque
    from counting.chemin.banque.coups_dealt import BY_HAND as BY_HAND
    from counting.chemin.banque.equilibria import Apart as Apart
    from counting.chemin.banque.equilibria import ApartEquilibrium as ApartEquilibrium
    from counting.chemin.banque.equilibria import apart as apart
    from counting.chemin.banque.equilibria import best_replies as best_replies
    from counting.chemin.banque.solution import Banque as Banque
    from counting.chemin.banque.solution import banque as banque
else:
    __all__, __getattr__, __dir__ = lazily(
        __name__,
        {
            "equilibria": "Apart ApartEquilibrium apart best_replies",
            "apart_certificate": "ApartCertificate check_apart",
            "by_hand": "BanqueByHand banque_by_hand",
            "by_hand_certificate": "ByHandCertificate TeamPlan",
            "certificate": "BanqueCertificate PlayersMix check_banque",
            "coups_dealt": "BY_HAND",
            "solution": "Banque banque",
        },
    )
