"""The headings of the printed columns, in order, in tables of chemin de fer, banque and macao."""

from __future__ import annotations

BANK = {
    "wins": "wins", "chance": "chance of these wins", "bank": "size of the bank then",
    "expected_profit": "expected profit if the bank is then passed",
}  # fmt: skip
REMOVAL = {
    "card": "card", "effect": "effect of removal", "value": "value to Player", "turned": "cells turned",
    "mixes": "mixes: chance of drawing",
}  # fmt: skip
DECKS = {
    "model": "model", "decks": "decks", "value_float": "value to Player", "player": "Player mixes",
    "p_float": "Player draws there", "banker": "Banker mixes", "q_float": "Banker draws there",
    "undecided": "cells undecided",
}  # fmt: skip
GAINS = {
    "cards_left": "cards left", "player_edge": "Player counts: has an edge", "player_gain": "Player wins",
    "bank_edge": "bank counts: has an edge", "bank_gain": "bank wins", "value": "both count: value to Player",
    "fair": "fair", "sure_edge": "bank sure of an edge", "sure_gain": "bank sure to win",
}  # fmt: skip
OWN_GAINS = {
    "cards_left": "cards left", "on": "hand", "positive": "has an edge", "mean": "average edge",
    "gain": "gain, betting only then",
}  # fmt: skip
BANQUE = {
    "theta": "stakes on the first Player", "value": "value to both", "first": "to the first",
    "second": "to the second", "plans": "plans mixed", "first_draws": "first draws on five",
    "second_draws": "second draws on five", "alike": "both or neither", "banker_mixes": "cells in which Banker mixes",
}  # fmt: skip
APART = {
    "theta": "stakes on the first Player", "first": "to the first", "second": "to the second", "apart": "to both",
    "together": "by the best common plan", "first_draws": "first draws on five",
    "second_draws": "second draws on five", "banker_mixes": "cells in which Banker mixes",
    "gain": "most gained by another play", "all": "no others",
}  # fmt: skip
DISTRIBUTION = {"won": "units won", "probability": "probability", "coups": "coups dealt", "z": "z"}
SHARES = (
    "chance", "expected_profit", "effect", "value", "value_float", "p_float", "q_float", "player_edge", "player_gain",
    "bank_edge", "bank_gain", "fair", "sure_edge", "sure_gain", "positive", "mean", "gain", "first", "second", "apart",
    "together", "first_draws", "second_draws", "alike",
)  # fmt: skip
"""The columns that are printed in percent."""
