"""The checks of `verify` on games with choices. The certificates of these games are checked by dealing cards again in
plain Python, and macao's distribution is compared with dealt coups.

An invalid certificate counts as an infinite difference. The row then has, in `at`, the error that the check of the
certificate raises.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from math import inf

import numpy as np

from counting.cards import Shoe
from counting.chemin import MODELS, CheminRules, check_certificate, solve
from counting.chemin.banque import banque, check_banque
from counting.chemin.macao import best_reply, load_macao, simulate
from counting.errors import InputError
from counting.exact import deals, events
from counting.games import MAIN_EVENTS, Game
from counting.io.toml import shipped
from counting.verify.check import Check, LargestDifference, Tick, by_chance
from counting.verify.exact_checks import games_named, partial_shoes
from counting.verify.tails import binomial

_DECKS = 6  # decks of chemin de fer and of banque
_AT_BANQUE = 20  # cards of a shoe at banque


@contextmanager
def _proof(largest: LargestDifference, of: str) -> Iterator[None]:
    """Count the certificate that is checked in this block as two comparisons, one for each of its bounds. If the check
    raises an error, both comparisons fail."""
    try:
        yield
    except (InputError, ArithmeticError) as error:
        largest.see(inf, f"{of}: {error}", 2)
    else:
        largest.see(0, of, 2)


def certificates(number: int, seed: int, tick: Tick) -> Iterator[Check]:
    """Check the certificates of chemin de fer, with their lower and upper bounds, in every model on the full shoe.
    Models without replacement are also checked on extreme shoes and random shoes."""
    shoes, done = partial_shoes(_DECKS, number, seed), 0
    for again in (True, False):
        largest = LargestDifference()
        models = [name for name, model in MODELS.items() if model.with_replacement == again]
        for model in models:
            for shoe in shoes[:1] if again else shoes:
                with _proof(largest, f"{model}, {shoe}"):
                    check_certificate(solve(shoe, model).certificate, shoe, model)
            done += 1
            tick(done / len(MODELS))
        yield largest.check("chemin de fer's bounds, dealt again", ", ".join(models))


def at_two_tableaux(number: int, seed: int, tick: Tick) -> Iterator[Check]:
    """Check the certificates of banque, with their lower and upper bounds, on random shoes of few cards."""
    rng, largest = np.random.default_rng([seed, 6]), LargestDifference()
    for i in range(number):
        counts = rng.multivariate_hypergeometric(Shoe.decks(_DECKS).values, _AT_BANQUE)
        shoe, theta = Shoe.from_values(counts.tolist()), Fraction(int(rng.integers(5)), 4)
        for model, uses_third in (("B1", False), ("B2", True)):
            with _proof(largest, f"{model}, {shoe}, {theta}"):
                solved = banque(shoe, theta, model, uses_third=uses_third)
                check_banque(solved.certificate, shoe, theta, model)
        tick((i + 1) / number)
    yield largest.check("banque's bounds, dealt again", f"{number} of {_AT_BANQUE} cards")


def without_choice(games: Sequence[Game], number: int, seed: int) -> Iterator[Check]:
    """Compare chemin de fer without free choices with the game that has the same tableau. The numbers of ordered deals
    that Player wins, that Banker wins and that tie must be equal. Games whose tableau draws on naturals are left
    out."""
    largest, games = LargestDifference(), [game for game in games if game.tableau.drawn_on is None]
    for tableau in dict.fromkeys(game.tableau for game in games):
        game = next(game for game in games if game.tableau == tableau)
        fixed = CheminRules.of(tableau, game.title, game.source)
        for shoe in partial_shoes(game.decks, number, seed):
            counted, likely = events(game, shoe), solve(shoe, "B1", fixed).probabilities
            for event, side in MAIN_EVENTS.items():
                largest.see(
                    float(likely[side] * deals(shoe.cards_left) - counted[event]), f"{game.name}, {side}, {shoe}"
                )
    if games:
        yield largest.check("chemin de fer without a choice = the tableau", games_named(games))


def macao_dealt(coups: int, seed: int, tick: Tick) -> Iterator[Check]:
    """Compare dealt coups of macao with the exact distribution of the punter's win, for the best play under each of the
    shipped rules. Each comparison is about the number of coups that win one amount."""
    names, deviations = shipped("chemin/macao"), []
    for i, name in enumerate(names):

        def share(done: int, of: int, before: int = i) -> None:
            tick((before + done / of) / len(names))

        rules = load_macao(name)
        reply = best_reply(rules.shoe, rules)
        played = simulate(rules.shoe, rules, reply, coups, seed, share)
        for units, z in played.z(reply.probabilities).items():
            likely = binomial(played.counts.get(units, 0), coups, float(reply.probabilities.get(units, 0)))
            deviations.append((likely, z, f"{name}, won {units}"))
    yield from by_chance("macao's law", f"{len(names)} games, {coups:,} coups each", deviations)
