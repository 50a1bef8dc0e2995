"""What a patron may know before a coup, the values that are good for a bet, and the odds of wagers on these values.

A channel is one thing about the coming coup (`CHANNELS`): for example a card, a two-card total, or the bet's pay
(`TOLD`). For each channel and bet, there are two sets of good values:

- The right side: values after which the bet pays more on average than the alternative. For Player and Banker, the
  alternative is a bet on the other of the two. For any other bet, it is the same bet without the knowledge.
- The top: the best values, up to a probability of a sixth for all of them together. The best value is always one of
  them.

For the bet's pay, the right side is every win, and the top is the highest wins (`good_pays`). For a bet that the
outcome alone does not settle, only the bet's pay has sets. The mean pays are exact for a full shoe. Wagers are fair
with any sets that are fixed beforehand, so the sets need not be the best ones for each shoe.

The odds of a wager are a ratio with a mean of 1 (`_foreknowledge.pyx`). The ratio is 1 over the chance of the set if a
value of the set was dealt, and 0 if not. The chance is exact for the cards unseen before the coup.

An unread card counts as the card that makes the ratio smallest, whatever the reason why it is unread. So if a wager on
a channel with an unread card is possible, the ratio is 0, both for the good values and against them. The bet's pay is
still known if every value of the unread cards makes it good, or none does. If a chance depends on unread cards, its
largest possible value is taken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import lcm
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Bools, Floats, Int32s, Ints
from counting.cards import COUP, Knows, Shoe, coarser
from counting.exact import all_deals, cards_looked_at, pay_distribution, required_detail, win_ways
from counting.games import STOOD, Game, Tableau, lines_of_outcomes
from counting.logs import NO_CARD, UNREAD, Log
from counting.review import _foreknowledge
from counting.review.hands import VALUE_OF_CODE, CoupsShown
from counting.review.payouts import may_have_paid, pays_of_class
from counting.review.unseen_cards import UnseenCards

CHANNELS = (
    "Player's first card", "Player's second card", "Banker's first card", "Banker's second card",
    "Player's two-card total", "Banker's two-card total", "both two-card totals", "the fifth card", "the sixth card",
    "the result",
)  # fmt: skip
TOLD = CHANNELS.index("the result")
RIGHT, TOP = 0, 1  # the sets of values
TOWARDS, AGAINST = 0, 1
MOST_OF_TOP = Fraction(1, 6)  # the largest probability of all best values together
BOTH = 6  # the channel of both two-card totals
_FEW = 64  # up to this number of coups, it is faster to look up the coups one by one
_VALUES = 100  # the values of both two-card totals, the channel with the most values
_SIDES = ("player", "banker")
_VALUE = np.array([UNREAD, NO_CARD, *VALUE_OF_CODE], np.int8)  # index: code + 2


class Bets(NamedTuple):
    """The bets of a game in two parts. `main`: the bets on Player and on Banker; empty if the game lacks one of these
    bets. `side`: the other bets."""

    main: tuple[str, ...]
    side: tuple[str, ...]

    @classmethod
    def of(cls, game: Game, staked: Sequence[str]) -> Bets:
        """Player and Banker, if the game has bets on both, and the bets in `staked`."""
        sides = tuple(game.main_bets[side] for side in _SIDES if side in game.main_bets)
        main = sides if len(sides) == len(_SIDES) else ()
        return cls(main, tuple(sorted(set(staked) - set(main))))


class ChannelOdds(NamedTuple):
    """The ratios (coups, bets, 2, sets) at some coups, for the main bets and for the side bets.

    On the axis of length 2, the first ratio is for the good values and the second against them. Each channel has two
    sets."""

    main: Floats
    side: Floats


class CoupsDealt(NamedTuple):
    """Some coups (rows), and what was unseen before each.

    - `left`: for each level of detail that the bets need, and always for values: how many cards of each kind are unseen
      (rows, kinds)
    - `fits` (rows,), for the same levels: whether a bet that needs this detail can be priced (`UnseenCards.priced_in`)
    - `cards` (rows, 6): the dealt cards as values, -1 for none and -2 for unread
    - `unread` (rows,): the number of the shoe's unread cards before the coup
    - `paid`, for each bet (rows, 2, sets): whether the bet surely paid a good pay of the set, and whether it surely
      paid none"""

    left: Mapping[Knows, Int32s]
    fits: Mapping[Knows, Bools]
    cards: NDArray[np.int8]
    unread: Int32s
    paid: Mapping[str, Bools]


def odds_of(coups: CoupsDealt, game: Game, bets: Bets, decks: int) -> ChannelOdds:
    """The odds of these bets at some coups. The sets of good values are for shoes of `decks` decks."""
    left, fits = coups.left["value"], coups.fits["value"]
    left = np.ascontiguousarray(np.where(fits[:, np.newaxis], left, 0))
    told = _told(coups, game, (*bets.main, *bets.side), decks)
    parts = []
    for of_part, of_told in zip(bets, np.split(told, [len(bets.main)], axis=1), strict=True):
        ratios = np.ones((len(left), len(of_part), 2, 2 * len(CHANNELS)))
        if of_part:
            _foreknowledge.ratios(left, coups.cards, coups.unread, _good_values(game, of_part, decks), ratios)
            ratios[~fits] = 1
            ratios[..., 2 * TOLD :] = of_told
        parts.append(ratios)
    return ChannelOdds(*parts)


def _told(coups: CoupsDealt, game: Game, bets: Sequence[str], decks: int) -> Floats:
    """The ratios (coups, bets, 2, sets) for the channel of the bet's pay."""
    ratios = np.ones((len(coups.cards), len(bets), 2, 2))
    groups: dict[tuple[Knows, int], list[int]] = {}
    for place, bet in enumerate(map(game.bet, bets)):
        groups.setdefault((required_detail(bet), cards_looked_at(bet)), []).append(place)
    for (knows, cards), places in groups.items():
        rows = np.flatnonzero(coups.fits[knows])
        left = np.ascontiguousarray(coups.left[knows][rows])
        some = [bets[place] for place in places]
        wins = tuple((bet, least) for bet in some for least in good_pays(game, bet, decks))
        deals = all_deals(left)[:, np.newaxis, np.newaxis]
        inside = win_ways(game, wins, left).reshape(len(rows), len(some), 2)
        fewer = _share_left(left, coups.unread[rows], cards)[:, np.newaxis, np.newaxis]
        fair = (inside > 0) & (inside < deals)
        paid = np.stack([coups.paid[bet][rows] for bet in some], axis=1)
        for towards, ways in ((TOWARDS, inside), (AGAINST, deals - inside)):
            # The largest possible chance. It is at most 1, even if fewer cards are left than the bet needs.
            most = ways / deals
            most = np.divide(most, fewer, out=np.ones(most.shape), where=most < fewer)
            ratio = np.divide(paid[:, :, towards], most, out=np.ones(most.shape), where=fair)
            ratios[rows[:, np.newaxis], places, towards] = ratio
    return ratios


def _share_left(left: Int32s, unread: Int32s, cards: int) -> Floats:
    """The share of the ordered deals of `cards` cards that have no unread card (coups,)."""
    if not unread.any():
        return np.ones(len(left))
    number = left.sum(axis=1).astype(float)
    return _falling(number - unread, cards) / _falling(number, cards)


def values_of_codes(codes: NDArray[np.int8]) -> NDArray[np.int8]:
    """The values of cards, 0 to 9, from their codes; -1 for none and -2 for unread."""
    return np.ascontiguousarray(_VALUE[codes.astype(np.int64) + 2])


def surely_paid(shown: CoupsShown, rows: slice, game: Game, bet: str, decks: int) -> Bools:
    """Whether the bet surely paid a good pay of each set, and whether it surely paid none (coups, 2, 2). "Surely" means
    whatever the unread cards were."""
    if rows.stop - (rows.start or 0) <= _FEW and shown.sized[rows].all() and _by_outcome(game, bet):
        return np.stack([_surely_paid(game, bet, decks, code) for code in shown.classes[rows].tolist()])
    thresholds = np.array(good_pays(game, bet, decks))
    least, most = (pay[:, np.newaxis] for pay in may_have_paid(shown, rows, game, bet))
    return np.stack([least >= thresholds, most < thresholds], axis=1)


@lru_cache(maxsize=1 << 14)
def _surely_paid(game: Game, bet: str, decks: int, code: int) -> Bools:
    """A row of `surely_paid` (2, 2), for a coup of the class `code`."""
    least, most = pays_of_class(game, bet, code)
    thresholds = np.array(good_pays(game, bet, decks))
    return np.stack([least >= thresholds, most < thresholds])


class Channels:
    """The odds of a log's coups, for the bets with stakes."""

    def __init__(self, log: Log, unseen: UnseenCards, game: Game, bets: Bets) -> None:
        self.unseen, self.game, self.bets = unseen, game, bets
        self._named = [bet for part in bets for bet in part]
        for part in bets:
            _good_values(game, part, unseen.decks)  # fills the cache before threads need it
        shown = CoupsShown.of(log.coups, game.tableau)
        self._paid = {bet: self._surely_paid(shown, bet) for bet in self._named}
        self._more = np.zeros(log.coups.height, np.int32)  # unread cards beyond the third of a hand
        lists = log.coups["more"]
        for row in np.flatnonzero(lists.is_not_null().to_numpy()).tolist():
            self._more[row] = sum(code == UNREAD for code in lists[row])

    def odds(self, rows: slice) -> ChannelOdds:
        """The odds at the coups of `rows`, which are whole shoes."""
        unseen = self.unseen
        kinds = {"value": None, **{required_detail(self.game.bet(bet)): None for bet in self._named}}
        left = {knows: unseen.left_in(rows, knows) for knows in kinds}
        fits = {knows: unseen.priced_in(rows, knows, each) for knows, each in left.items()}
        codes = unseen.codes[rows]
        paid = {bet: each[rows] for bet, each in self._paid.items()}
        dealt = CoupsDealt(left, fits, values_of_codes(codes), self._unread_before(rows, codes), paid)
        return odds_of(dealt, self.game, self.bets, unseen.decks)

    def _surely_paid(self, shown: CoupsShown, bet: str) -> Bools:
        parts = [surely_paid(shown, rows, self.game, bet, self.unseen.decks) for rows in self.unseen.blocks()]
        return np.concatenate(parts) if parts else np.zeros((0, 2, 2), np.bool_)

    def _unread_before(self, rows: slice, codes: NDArray[np.int8]) -> Int32s:
        """The number of unread cards of the shoe before each coup."""
        unread = (codes == UNREAD).sum(axis=1) + self._more[rows]
        before = np.cumsum(unread) - unread
        shoe = self.unseen.shoe[rows]
        return np.asarray(before - before[self.unseen.start[shoe] - rows.start], np.int32)


def _falling(number: Floats, cards: int) -> Floats:
    """The number of ordered deals of `cards` cards; 0 if there are too few."""
    deals: Floats = np.prod([(number - i).clip(0) for i in range(cards)], axis=0)
    return deals


@lru_cache(maxsize=64)
def _good_values(game: Game, bets: tuple[str, ...], decks: int) -> NDArray[np.uint8]:
    return np.array([good_values(game, bet, decks) for bet in bets])


@lru_cache(maxsize=512)
def good_values(game: Game, bet: str, decks: int) -> NDArray[np.uint8]:
    """The good values of the channels of cards, as an array (channels, 2 sets, 100 values): 1 for a good value of the
    set.

    All are 0 for a bet that the outcome alone does not settle. A value is from 0 to 9 or, for both totals, ten times
    Player's total plus Banker's."""
    good = np.zeros((TOLD, 2, _VALUES), np.uint8)
    if not _by_outcome(game, bet):
        return good
    main = [game.main_bets[side] for side in _SIDES if side in game.main_bets]
    other = next((name for name in main if name != bet), None) if bet in main and len(main) == len(_SIDES) else None
    pays, unit = _whole_pays(game, bet)
    others, of_other = _whole_pays(game, other) if other is not None else ([0] * len(pays), 1)
    common = lcm(unit, of_other)
    paid = np.array([pay * (common // unit) for pay in pays], object)
    beside = np.array([pay * (common // of_other) for pay in others], object)
    for channel, table in enumerate(_ways(game.tableau, decks)):
        deals, total = table.sum(axis=1), table.sum()
        sums = table @ paid
        right = sums * total > deals * sums.sum() if other is None else sums > table @ beside
        good[channel, RIGHT, : len(deals)] = right.astype(np.uint8)
        possible = [x for x, ways in enumerate(deals) if ways]
        order = sorted(possible, key=lambda x: (-Fraction(int(sums[x]), int(deals[x])), x))
        good[channel, TOP, order[: _best(order, deals, total)]] = 1
    good.flags.writeable = False
    return good


def _by_outcome(game: Game, bet: str) -> bool:
    """Whether the outcome alone settles the bet."""
    return lines_of_outcomes(game.bet(bet), game.tableau) is not None


def _best(order: Sequence[int], ways: NDArray[Any], total: int) -> int:
    """The number of best values: the largest number for which the values' total probability is at most a sixth, but at
    least 1. `order` has the values from the best to the worst, `ways` the deals of each value."""
    together = 0
    for number, value in enumerate(order):
        together += int(ways[value])
        if Fraction(together, int(total)) > MOST_OF_TOP:
            return max(number, 1)
    return len(order)


@lru_cache(maxsize=512)
def good_pays(game: Game, bet: str, decks: int) -> tuple[float, float]:
    """The smallest good pay in each of the two sets, for the channel of the bet's pay.

    The first set has every win. The second has the highest win, and further wins from the highest down, as long as the
    probability of all its wins together is at most a sixth."""
    knows: Knows = required_detail(game.bet(bet))
    pays, chances = pay_distribution(game, bet, np.array([coarser(Shoe.decks(decks).counts, knows)], np.int32))
    wins = sorted(((pay, chance) for pay, chance in zip(pays.tolist(), chances[0].tolist(), strict=True) if pay > 0))
    top, together = wins[-1][0], 0.0
    for pay, chance in reversed(wins):
        together += chance
        if together > MOST_OF_TOP:
            break
        top = pay
    return wins[0][0], top


def _whole_pays(game: Game, bet: str) -> tuple[list[int], int]:
    """What a bet pays on each outcome, as a whole number of parts of a unit; and the number of parts that make a
    unit."""
    pays = [game.bet(bet).pay(outcome) for outcome in game.tableau.outcomes]
    unit = lcm(*(pay.denominator for pay in pays))
    return [int(pay * unit) for pay in pays], unit


@lru_cache(maxsize=16)
def _ways(tableau: Tableau, decks: int) -> tuple[NDArray[np.object_], ...]:
    """For each channel of cards, a table (values, outcomes) of whole numbers.

    Each entry counts the ordered deals of six cards from a full shoe with this value of the channel and this outcome.
    The fifth and sixth cards are the next two cards of the shoe, whether they are dealt or not."""
    player, banker, fifth, sixth = np.indices((10,) * 4)  # two totals, two cards
    draws = np.array([[tableau.player_draws(p, b) for b in range(10)] for p in range(10)])[player, banker]
    by_third = [tableau.banker_draws(p, b, t) for p, b, t in product(range(10), range(10), range(STOOD + 1))]
    drawn = np.reshape(by_third, (10, 10, STOOD + 1))[player, banker, np.where(draws, fifth, STOOD)]
    place = np.zeros((10, 10, 2, 2), np.int64)
    for i, outcome in enumerate(tableau.outcomes):
        place[outcome.player_total, outcome.banker_total, outcome.player_cards - 2, outcome.banker_cards - 2] = i
    last = np.where(draws, sixth, fifth)
    totals = (player + np.where(draws, fifth, 0)) % 10, (banker + np.where(drawn, last, 0)) % 10
    outcome_of = place[totals[0], totals[1], draws.astype(np.int64), drawn.astype(np.int64)]

    def table(values: Ints, ways: Ints, size: int = 10) -> NDArray[np.object_]:
        cells = np.zeros((size, len(tableau.outcomes)), np.int64)
        np.add.at(cells, tuple(np.broadcast_arrays(values, outcome_of)), ways)
        return cells.astype(object)

    dealt = _dealt(np.array(coarser(Shoe.decks(decks).counts, "value"), np.int64))
    of_hands, card = dealt.sum(axis=(0, 2)), np.arange(10).reshape(10, 1, 1, 1, 1)
    of_player, of_banker = table(card, dealt.sum(axis=2)), table(card, np.moveaxis(dealt.sum(axis=0), 1, 0))
    of_totals = [table(values, of_hands) for values in (player, banker)]
    of_both = table(10 * player + banker, of_hands, _VALUES)
    of_thirds = [table(values, of_hands) for values in (fifth, sixth)]
    return of_player, of_player, of_banker, of_banker, *of_totals, of_both, *of_thirds


def _dealt(full: Ints) -> Ints:
    """The number of ordered deals of six cards from a shoe. The axes are Player's first card, Player's two-card total,
    Banker's first card, Banker's two-card total, the fifth card and the sixth card."""
    ways, same = np.ones((1,) * COUP, np.int64), np.eye(10, dtype=np.int64)
    for i in range(COUP):
        left = np.expand_dims(full, [j for j in range(COUP) if j != i])
        for j in range(i):
            left = left - np.expand_dims(same, [k for k in range(COUP) if k not in (j, i)])
        ways = ways * left.clip(0)
    first, total = np.indices((10, 10))
    second = (total - first) % 10
    dealt: Ints = ways[first[:, :, None, None], second[:, :, None, None], first, second]
    return dealt
