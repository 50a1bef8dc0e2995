"""Macao and Victoria: each punter against the banker, with rules from a TOML file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counting.faces import lazily

if TYPE_CHECKING:
    from counting.chemin.macao.distribution import best_reply as best_reply
    from counting.chemin.macao.distribution import odds as odds
    from counting.chemin.macao.reply import MacaoOdds as MacaoOdds
    from counting.chemin.macao.reply import Reply as Reply
    from counting.chemin.macao.rules import MOST_DECKS as MOST_DECKS
    from counting.chemin.macao.rules import Chart as Chart
    from counting.chemin.macao.rules import Macao as Macao
    from counting.chemin.macao.rules import load_macao as load_macao
    from counting.chemin.macao.simulator import MacaoSimulated as MacaoSimulated
    from counting.chemin.macao.simulator import simulate as simulate
else:
    __all__, __getattr__, __dir__ = lazily(
        __name__,
        {
            "distribution": "best_reply odds",
            "reply": "MacaoOdds Reply",
            "rules": "Chart MOST_DECKS Macao load_macao",
            "simulator": "MacaoSimulated simulate",
        },
    )
