"""Exact card counting and shoe-penetration study of baccarat.

Most commands are also Python functions of the same name, as `counting.study`. These have other names in Python:

command      in Python
games        load_game
bets         catalog
systems      library, counts_for, load_system
layouts      load_layout
edges        exact_edges for one shoe, edges for many
calculator   counting.reports.calculator.calculator
lightning    counting.exact.load_lightning
sweep        run(Plan(...)), open_sweep
summary      by_bet, by_system, by_cards_left, by_penetration
results      winners
export       counting.reports.export.tables
verify       counting.verify.verify
chemin       counting.chemin.solve

The commands app, completion, example, help and new have no function.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from counting.faces import lazily

if TYPE_CHECKING:
    from counting.analysis.bankroll import Bankroll as Bankroll
    from counting.analysis.penetration import by_penetration as by_penetration
    from counting.analysis.scores import results as results
    from counting.analysis.summary import by_bet as by_bet
    from counting.analysis.summary import by_cards_left as by_cards_left
    from counting.analysis.summary import by_system as by_system
    from counting.bounds.bounds import Bound as Bound
    from counting.bounds.house_rules import load_house as load_house
    from counting.cards import Shoe as Shoe
    from counting.errors import InputError as InputError
    from counting.exact.effects import Effects as Effects
    from counting.exact.efficiency import perfect_gain as perfect_gain
    from counting.exact.many_shoes import edges as edges
    from counting.exact.one_shoe import PricedShoe as PricedShoe
    from counting.exact.one_shoe import edges_after_seeing as edges_after_seeing
    from counting.exact.one_shoe import events as events
    from counting.exact.one_shoe import exact_edges as exact_edges
    from counting.exact.one_shoe import price_shoe as price_shoe
    from counting.exact.one_shoe import with_replacement as with_replacement
    from counting.exact.tag_search import best_tags as best_tags
    from counting.games.bets import Bet as Bet
    from counting.games.bets import catalog as catalog
    from counting.games.game import Game as Game
    from counting.games.game import load_game as load_game
    from counting.logs.layouts import load_layout as load_layout
    from counting.logs.log import Log as Log
    from counting.logs.log import read_log as read_log
    from counting.requests.answers import Answer as Answer
    from counting.requests.verbs import alerts as alerts
    from counting.requests.verbs import audit as audit
    from counting.requests.verbs import census as census
    from counting.requests.verbs import compare as compare
    from counting.requests.verbs import effects as effects
    from counting.requests.verbs import known as known
    from counting.requests.verbs import limits as limits
    from counting.requests.verbs import report as report
    from counting.requests.verbs import sample as sample
    from counting.requests.verbs import score as score
    from counting.requests.verbs import shuffle as shuffle
    from counting.requests.verbs import statement as statement
    from counting.requests.verbs import study as study
    from counting.requests.verbs import team as team
    from counting.requests.verbs import trip as trip
    from counting.requests.verbs import vulnerability as vulnerability
    from counting.requests.verbs import watch as watch
    from counting.requests.verbs import winners as winners
    from counting.simulation.dealing import Dealing as Dealing
    from counting.simulation.estimates import estimate as estimate
    from counting.simulation.simulator import simulate as simulate
    from counting.sweep.bettors import CountingBettor as CountingBettor
    from counting.sweep.plan import Plan as Plan
    from counting.sweep.result import Sweep as Sweep
    from counting.sweep.result import open_sweep as open_sweep
    from counting.sweep.runner import run as run
    from counting.systems.shipped import counts_for as counts_for
    from counting.systems.shipped import library as library
    from counting.systems.shipped import load_system as load_system
    from counting.systems.system import System as System
    from counting.version import __version__ as __version__
else:
    __all__, __getattr__, __dir__ = lazily(
        __name__,
        {
            "analysis.bankroll": "Bankroll",
            "analysis.penetration": "by_penetration",
            "analysis.scores": "results",
            "analysis.summary": "by_bet by_cards_left by_system",
            "bounds.bounds": "Bound",
            "bounds.house_rules": "load_house",
            "cards": "Shoe",
            "errors": "InputError",
            "exact.effects": "Effects",
            "exact.efficiency": "perfect_gain",
            "exact.many_shoes": "edges",
            "exact.one_shoe": "edges_after_seeing events exact_edges price_shoe PricedShoe with_replacement",
            "exact.tag_search": "best_tags",
            "games.bets": "Bet catalog",
            "games.game": "Game load_game",
            "logs.layouts": "load_layout",
            "logs.log": "Log read_log",
            "requests.answers": "Answer",
            "requests.verbs": "alerts audit census compare effects known limits report sample score shuffle statement "
            "study team trip vulnerability watch winners",
            "simulation.dealing": "Dealing",
            "simulation.estimates": "estimate",
            "simulation.simulator": "simulate",
            "sweep.bettors": "CountingBettor",
            "sweep.plan": "Plan",
            "sweep.result": "open_sweep Sweep",
            "sweep.runner": "run",
            "systems.shipped": "counts_for library load_system",
            "systems.system": "System",
            "version": "__version__",
        },
        {
            "analysis": "counting.by_bet, by_system, by_cards_left or by_penetration",
            "app": "the command line: counting app",
            "bets": "catalog",
            "bounds": "counting.limits(game, ...) or counting.statement(rules)",
            "calculator": "counting.reports.calculator.calculator",
            "chemin": "counting.chemin.solve(shoe), or the command line: counting chemin",
            "cli": "counting.cli.main(words)",
            "completion": "the command line: counting completion",
            "exact": "counting.exact_edges(game, shoe)",
            "example": "the command line: counting example",
            "export": "counting.reports.export.tables",
            "games": "counting.load_game(name)",
            "layouts": "load_layout",
            "lightning": "counting.exact.load_lightning",
            "live": "counting.watch(game, ...)",
            "logs": "counting.read_log(coups)",
            "help": "the command line: counting help",
            "new": "the command line: counting new",
            "reports": "counting.report(folder)",
            "requests": "the function named like the command, as counting.study(game)",
            "review": "counting.audit(game, ...) or counting.shuffle(coups)",
            "simulation": "counting.simulate(game, coups)",
            "summary": "by_bet, by_system, by_cards_left or by_penetration",
            "sweep": "counting.run(counting.Plan(game, counting.Dealing(), shoes), folder)",
            "systems": "counting.library(), or counting.load_system(name)",
            "trips": "counting.trip(game, ...)",
            "verify": "counting.verify.verify()",
        },
    )
