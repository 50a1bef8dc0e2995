"""Other words that people use for keys, options and arguments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

SYNONYMS: Mapping[str, str] = {
    "most_bet": "max_bet max_side_bet maximum_bet maximum_side_bet largest_bet bet_limit side_limit side_maximum",
    "least_bet": "min_side_bet minimum_side_bet side_minimum",
    "minimum": "min min_bet minimum_bet table_min table_minimum main_minimum",
    "maximum": "max max_bet max_main_bet table_max table_maximum maximum_bet main_maximum",
    "coups_per_hour": "hands_per_hour rounds_per_hour games_per_hour decisions_per_hour hph speed",
    "coups": "hands rounds rounds_played number_of_coups results log",
    "shoes": "n n_shoes number_of_shoes num_shoes trials iterations simulations samples rounds hands",
    "samples": "shoes trials iterations simulations n",
    "cut": "penetration cut_card cut_off cutoff cards_behind behind depth",
    "decks": "n_decks number_of_decks num_decks shoe_size",
    "burn": "burn_cards burned burnt burn_card",
    "after_cut": "last_hand last_hands after_cut_card",
    "dealing": "procedure rules preset",
    "tie_in": "requirement main_bet_requirement main_requirement required_main ratio",
    "bound": "limit threshold ev_limit max_ev max_win",
    "side_bets": "bets bet side_bet sidebets",
    "bet": "bets side_bet side_bets",
    "main_bets": "main main_bet commission",
    "main": "main_bets main_bet commission",
    "system": "systems count counts counter counting_system strategy",
    "game": "variant table_game",
    "model": "models counter counters player_model",
    "mid_shoe_entry": "no_mid_shoe_entry midshoe_entry entry",
    "most_skipped": "skip skips max_skipped sit_out",
    "rebate": "cashback rolling rolling_rebate commission_back",
    "loss_rebate": "discount loss_discount discount_on_losses loss_back",
    "bankroll": "bank roll capital",
    "stake": "unit bet_size wager",
    "average_bet": "avg_bet mean_bet",
    "average_side_bet": "avg_side_bet mean_side_bet",
    "team": "counters team_size",
    "players": "patrons seats",
    "workers": "threads jobs cores processes cpus n_jobs",
    "seed": "random_seed random_state rng",
    "level": "alpha significance p false_alarms",
    "out": "output outdir output_dir folder directory dir destination",
    "format": "output_format as json csv",
    "open": "browse browser show",
    "xlsx": "excel workbook",
    "title": "name",
    "bets": "bet wagers stakes",
    "pays": "payout payouts pay_table paytable",
    "odds": "payout payoff",
}
"""Other words for each name. If a word is listed for several names, it means the first of them that is allowed."""


def meant(word: str, allowed: Iterable[str]) -> str | None:
    """The allowed name that a word means, for example `--most-bet` for the word `--max-bet`. None if the word means
    none of the allowed names."""
    names = {_plain(name): name for name in allowed}
    plain = _plain(word)
    return next((names[name] for name, words in SYNONYMS.items() if name in names and plain in words.split()), None)


def letters(text: str) -> str:
    """The letters and digits of a text in lower case. Texts that differ only in capitals, blanks or marks give the same
    result."""
    return "".join(filter(str.isalnum, text.casefold()))


def _plain(name: str) -> str:
    return name.removeprefix("--").replace("-", "_").lower()
