"""Exact figures, counted rather than estimated: events, edges, effects of removal, the census."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counting.faces import lazily

if TYPE_CHECKING:
    from counting.exact.censuses import census as census
    from counting.exact.choices import BestPlay as BestPlay
    from counting.exact.choices import ChoiceWorth as ChoiceWorth
    from counting.exact.choices import taken_moves as taken_moves
    from counting.exact.choices import with_choices as with_choices
    from counting.exact.choices import worth_of_choices as worth_of_choices
    from counting.exact.combined_pays import JointPays as JointPays
    from counting.exact.combined_pays import joint_pays as joint_pays
    from counting.exact.distributions import BINS as BINS
    from counting.exact.distributions import Census as Census
    from counting.exact.distributions import check_cards_left as check_cards_left
    from counting.exact.effects import DEEPEST as DEEPEST
    from counting.exact.effects import Effects as Effects
    from counting.exact.effects import Tags as Tags
    from counting.exact.efficiency import Efficiencies as Efficiencies
    from counting.exact.efficiency import decks_of as decks_of
    from counting.exact.efficiency import exact_gain as exact_gain
    from counting.exact.efficiency import has_exact_gain as has_exact_gain
    from counting.exact.efficiency import perfect_gain as perfect_gain
    from counting.exact.evaluators import cards_looked_at as cards_looked_at
    from counting.exact.evaluators import line_counter as line_counter
    from counting.exact.evaluators import required_detail as required_detail
    from counting.exact.hand_counts import ANY_CARD as ANY_CARD
    from counting.exact.hand_counts import HandCounter as HandCounter
    from counting.exact.hand_counts import Tree as Tree
    from counting.exact.instruction_sets import LEVELS as LEVELS
    from counting.exact.instruction_sets import instruction_set as instruction_set
    from counting.exact.joint_distributions import JOINT_CARDS as JOINT_CARDS
    from counting.exact.joint_distributions import JointDistribution as JointDistribution
    from counting.exact.joint_distributions import joint_distribution as joint_distribution
    from counting.exact.known_cards import PLACES as PLACES
    from counting.exact.known_cards import KnownCards as KnownCards
    from counting.exact.known_worth import Knowledge as Knowledge
    from counting.exact.known_worth import KnownCardsWorth as KnownCardsWorth
    from counting.exact.known_worth import KnownWorth as KnownWorth
    from counting.exact.known_worth import SlugWorth as SlugWorth
    from counting.exact.lightning import Lightning as Lightning
    from counting.exact.lightning import LightningBet as LightningBet
    from counting.exact.lightning import LightningPrice as LightningPrice
    from counting.exact.lightning import lightning_prices as lightning_prices
    from counting.exact.lightning_table import LightningTable as LightningTable
    from counting.exact.lightning_table import load_lightning as load_lightning
    from counting.exact.linear_forms import multisets as multisets
    from counting.exact.many_shoes import edges as edges
    from counting.exact.next_coup import pay_distribution as pay_distribution
    from counting.exact.next_coup import win_ways as win_ways
    from counting.exact.one_shoe import PricedShoe as PricedShoe
    from counting.exact.one_shoe import bet_edges as bet_edges
    from counting.exact.one_shoe import break_even_rebate as break_even_rebate
    from counting.exact.one_shoe import edges_after_seeing as edges_after_seeing
    from counting.exact.one_shoe import events as events
    from counting.exact.one_shoe import exact_edges as exact_edges
    from counting.exact.one_shoe import price_shoe as price_shoe
    from counting.exact.one_shoe import probabilities as probabilities
    from counting.exact.one_shoe import with_replacement as with_replacement
    from counting.exact.outcomes import FLOAT_CARDS as FLOAT_CARDS
    from counting.exact.outcomes import OutcomeCounter as OutcomeCounter
    from counting.exact.outcomes import all_deals as all_deals
    from counting.exact.outcomes import cards_of as cards_of
    from counting.exact.outcomes import counter as counter
    from counting.exact.outcomes import counts_by_value as counts_by_value
    from counting.exact.outcomes import deals as deals
    from counting.exact.outcomes import tableau_arrays as tableau_arrays
    from counting.exact.own_hands import OwnHandGains as OwnHandGains
    from counting.exact.own_hands import own_hand_gains as own_hand_gains
    from counting.exact.progressive_bets import Meter as Meter
    from counting.exact.progressive_bets import meters as meters
    from counting.exact.progressive_bets import meters_of as meters_of
    from counting.exact.settlements import SHOWN as SHOWN
    from counting.exact.settlements import Settlement as Settlement
    from counting.exact.settlements import event_counter as event_counter
    from counting.exact.settlements import event_weights as event_weights
    from counting.exact.settlements import lines_of_events as lines_of_events
    from counting.exact.settlements import refuse_coarse as refuse_coarse
    from counting.exact.settlements import settlement as settlement
    from counting.exact.settling import win_chances as win_chances
    from counting.exact.standing_stakes import Standing as Standing
    from counting.exact.standing_stakes import expected_standing as expected_standing
    from counting.exact.standing_stakes import expected_standing_at as expected_standing_at
    from counting.exact.tag_search import best_tags as best_tags
else:
    __all__, __getattr__, __dir__ = lazily(
        __name__,
        {
            "censuses": "census",
            "choices": "BestPlay ChoiceWorth taken_moves with_choices worth_of_choices",
            "combined_pays": "JointPays joint_pays",
            "distributions": "BINS Census check_cards_left",
            "effects": "DEEPEST Effects Tags",
            "efficiency": "Efficiencies decks_of exact_gain has_exact_gain perfect_gain",
            "evaluators": "cards_looked_at line_counter required_detail",
            "hand_counts": "ANY_CARD HandCounter Tree",
            "instruction_sets": "LEVELS instruction_set",
            "known_cards": "KnownCards PLACES",
            "known_worth": "KnownCardsWorth KnownWorth Knowledge SlugWorth",
            "joint_distributions": "JOINT_CARDS JointDistribution joint_distribution",
            "lightning": "Lightning LightningBet LightningPrice lightning_prices",
            "lightning_table": "LightningTable load_lightning",
            "linear_forms": "multisets",
            "many_shoes": "edges",
            "next_coup": "pay_distribution win_ways",
            "one_shoe": "PricedShoe bet_edges break_even_rebate edges_after_seeing events exact_edges price_shoe "
            "probabilities with_replacement",
            "progressive_bets": "Meter meters meters_of",
            "outcomes": "FLOAT_CARDS OutcomeCounter all_deals cards_of counter counts_by_value deals tableau_arrays",
            "own_hands": "OwnHandGains own_hand_gains",
            "settling": "win_chances",
            "settlements": "SHOWN Settlement event_counter event_weights lines_of_events refuse_coarse settlement",
            "standing_stakes": "Standing expected_standing expected_standing_at",
            "tag_search": "best_tags",
        },
    )
