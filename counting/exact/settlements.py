"""How coups settle bets: what dealt coups paid, and the edges of coups about to be dealt."""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterable, Sequence
from functools import cache, cached_property, lru_cache, partial
from math import nan
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Bools, Floats, Int32s, Ints
from counting.cards import Knows, finest
from counting.errors import InputError, several
from counting.exact.evaluators import ByFirst, line_counter, required_detail
from counting.exact.outcomes import OutcomeCounter, all_deals, counter
from counting.exact.settling import Settled, settled_bets
from counting.games import FIRSTS, Bet, Game, Outcome, Shown, on_hands

if TYPE_CHECKING:
    from counting.games.hands import DealtHands

SHOWN = 11  # how many numbers describe a dealt coup, see `shoes.Coups`


class Settlement:
    """How coups settle some bets of a game. The function `settlement` makes one for a game and its bets.

    **Dealt coups** have a class in each of several columns. In column 0, a class is a set of outcomes that no event of
    the game tells apart. Each other column is for bets with the same `settled_by`. In such a column, a class is what
    first cards show, or the line on the hands that a coup meets. Coups that meet no line are the last class.

    - `examples`: for each column, what each class shows.
    - `sizes`: the number of classes of each column.
    - `column` (bets,): the column that decides each bet's pay.
    - `pays` (classes, bets): the pay per unit staked; NaN beyond the classes of the bet's column.
    - `events`: for each event, its column, and whether it happens in each class (classes,).

    **Coups to come** are priced on checked compositions (shoes, 10, 13 or 52) that know at least `knows`.
    """

    def __init__(self, game: Game, bets: Sequence[str]) -> None:
        self.game, self.bets = game, tuple(bets)

    # Dealt coups

    @cached_property
    def examples(self) -> dict[Hashable, tuple[Shown, ...]]:
        outcomes = tuple(cls[0] for cls in event_counter(self.game).outcomes)
        examples: dict[Hashable, tuple[Shown, ...]] = {"outcome": outcomes}
        for bet in self.game.bets:
            examples.setdefault(bet.settled_by, FIRSTS if bet.shows == "first" else bet.met)
        return examples

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(map(len, self.examples.values()))

    @cached_property
    def column(self) -> Int32s:
        return np.array([[*self.examples].index(self.game.bet(bet).settled_by) for bet in self.bets], np.int32)

    @cached_property
    def pays(self) -> Floats:
        every = np.full((max(self.sizes), len(self.bets)), nan)
        for i, bet in enumerate(map(self.game.bet, self.bets)):
            examples = self.examples[bet.settled_by]
            every[: len(examples), i] = [float(bet.pay(shown)) for shown in examples]
        every.flags.writeable = False
        return every

    @cached_property
    def events(self) -> dict[str, tuple[int, Bools]]:
        among = (
            (name, k, np.array([shown in event for shown in examples]))
            for name, event in self.game.events.items()
            for k, examples in enumerate(self.examples.values())
        )
        return {name: (k, classes) for name, k, classes in among if classes.any()}

    def classes(self, shown: NDArray[np.uint8]) -> Int32s:
        """The classes (rows, columns) of dealt coups. `shown` (rows, 11) has what the coups showed, as in
        `shoes.Coups`; (rows, 5) is enough for a game without bets on the hands."""
        return self._classes(shown, range(len(self.examples)))

    def paid_by(self, classes: Int32s) -> Floats:
        """What coups of these classes paid (rows, bets), per unit staked."""
        return np.asarray(self.pays[classes[:, self.column], np.arange(len(self.bets))])

    def paid(self, shown: NDArray[np.uint8]) -> Floats:
        """What dealt coups paid (rows, bets), per unit staked. `shown` is as in `classes`."""
        return self.paid_by(self._classes(shown, set(self.column.tolist())))

    def _classes(self, shown: NDArray[np.uint8], columns: Container[int]) -> Int32s:
        """The classes of coups in these columns; 0 in all other columns."""
        classes = np.zeros((len(self.examples), len(shown)), np.int32).T
        hands = cache(partial(_dealt_hands, shown))
        for k, settled_by in enumerate(self.examples):
            if k not in columns:
                continue
            if isinstance(settled_by, tuple):
                classes[:, k] = hands().first_met(settled_by)
            elif settled_by == "first":
                classes[:, k] = shown[:, 4]
            else:
                player, banker, player_cards, banker_cards = shown[:, :4].T.astype(np.intp)
                classes[:, k] = event_counter(self.game).class_of[player, banker, player_cards - 2, banker_cards - 2]
        return classes

    # Coups to come

    @cached_property
    def knows(self) -> Knows:
        """The coarsest kind of composition from which the bets can be priced."""
        return finest([required_detail(self.game.bet(bet)) for bet in self.bets])

    @cached_property
    def parts(self) -> tuple[Settled, ...]:
        return tuple(settled_bets(self.game.tableau, [self.game.bet(bet) for bet in self.bets]))

    def laid_out(self) -> Settlement:
        """This settlement, after its evaluators are made. Otherwise they are made when they are first needed. Raises
        `InputError` for a bet that looks at too many cards of the hands."""
        _ = self.parts  # asking for the parts makes them
        return self

    def edges(self, compositions: Int32s) -> Floats:
        """Edges (shoes, bets)."""
        if len(self.parts) == 1:
            return self.parts[0].edges(compositions)
        out = np.empty((len(compositions), len(self.bets)))
        for part in self.parts:
            out[:, part.places] = part.edges(compositions)
        return out

    def moments(self, compositions: Int32s) -> tuple[Floats, Floats]:
        """Edges, and the means of the squared profit per unit staked, each (shoes, bets).

        Both come from exact counts, rounded once before the division. Squares too large for 64 bits are sums of floats,
        correct to about 13 digits. The arrays may be in either order in memory.
        """
        if len(self.parts) == 1:
            return self.parts[0].moments(compositions)
        edges, squares = np.empty((2, len(self.bets), len(compositions)))
        for part in self.parts:
            of_edges, of_squares = part.moments(compositions)
            edges[part.places], squares[part.places] = of_edges.T, of_squares.T
        return edges.T, squares.T

    def numerators(self, compositions: Int32s) -> Ints:
        """Edges times the number of deals and times the bets' denominators (shoes, bets). The bets must need point
        values only, and the shoes must be known by value.

        Raises `InputError` for bets on first cards, and if the numbers might not fit in 64 bits.
        """
        deals = all_deals(compositions)
        numerators = np.empty((len(compositions), len(self.bets)), np.int64)
        for part in self.parts:
            sizes = np.abs(part.coefficients).sum(axis=0)
            if isinstance(part.evaluator, ByFirst) or int(sizes.max()) * int(deals.max(initial=0)) >= 1 << 62:
                raise InputError(f"bets {', '.join(self.bets)}: should need point values only, on shoes of fewer cards")
            counts = part.counts(compositions)
            numerators[:, part.places] = counts @ part.coefficients[:-1] + deals[:, np.newaxis] * part.coefficients[-1]
        return numerators


@lru_cache(maxsize=128)
def _settlement(game: Game, bets: tuple[str, ...]) -> Settlement:
    return Settlement(game, bets)


def settlement(game: Game, bets: Iterable[str] | None = None) -> Settlement:
    """How coups settle these bets of a game, by default all of its bets.

    >>> from counting import load_game
    >>> from counting.exact import settlement
    >>> settlement(load_game("punto-banco"), ["tie-8"]).knows
    'value'
    """
    return _settlement(game, game.bet_names if bets is None else several(bets, "bets"))


@lru_cache(maxsize=32)
def event_counter(game: Game) -> OutcomeCounter:
    """A counter of classes of outcomes. A class is a set of outcomes that no event of the game tells apart."""
    sets = list(game.events.values())
    return counter(game.tableau, [tuple(outcome in event for event in sets) for outcome in game.tableau.outcomes])


def event_weights(game: Game) -> dict[str, NDArray[np.int64]]:
    """The weights (5005,) of each event, in the order of `linear_forms.multisets`: the number of orders of the six
    values in which the event happens. An event that looks at ranks or suits has no weights."""
    counted = event_counter(game)
    weights = {
        name: counted.weights[[cls[0] in event for cls in counted.outcomes]].sum(axis=0, dtype=np.int64)
        for name, event in game.events.items()
        if all(isinstance(shown, Outcome) for shown in event)
    }
    of_line = lines_of_events(game)
    for k, bet in enumerate(on_hands(game.bets)):
        by_line = line_counter(bet, game.tableau)
        if by_line.knows == "value":
            weights |= {name: by_line.weights[i].astype(np.int64) for name, (at, i) in of_line.items() if at == k}
    return {name: weights[name] for name in game.events if name in weights}


@lru_cache(maxsize=32)
def lines_of_events(game: Game) -> dict[str, tuple[int, int]]:
    """For each event that is a line of a bet on the hands: the index of the bet in `games.on_hands`, and the index of
    the line in the bet."""
    names = {next(iter(event)): name for name, event in game.events.items() if len(event) == 1}
    return {
        names[met]: (k, i) for k, bet in enumerate(on_hands(game.bets)) for i, met in enumerate(bet.met) if met in names
    }


def _dealt_hands(shown: NDArray[np.uint8]) -> DealtHands:
    from counting.games.hands import DealtHands  # few games have bets on the hands

    cards = shown[:, 5:].astype(np.intp)
    player_drew, banker_drew = shown[:, 2] == 3, shown[:, 3] == 3
    player = cards[:, 0], cards[:, 2], np.where(player_drew, cards[:, 4], -1)
    banker = cards[:, 1], cards[:, 3], np.where(banker_drew, np.where(player_drew, cards[:, 5], cards[:, 4]), -1)
    return DealtHands(player, banker)


def refuse_coarse(bets: Iterable[Bet], knows: Knows, what: str) -> None:
    """Raise `InputError` if a bet needs a finer kind of composition than `knows`."""
    lacking = [bet for bet in bets if finest((required_detail(bet), knows)) != knows]
    if lacking:
        needed = finest(map(required_detail, lacking))
        names = ", ".join(bet.name for bet in lacking)
        known = "point values only, not ranks" if knows == "value" else "ranks only, not suits"
        raise InputError(
            f"{what}: knows {known}, and {names} should be priced on a shoe known by {needed}"
            + (" (or rank and suit)" if needed == "rank" else ", rank and suit")
        )
