"""Do stakes show knowledge of the coming cards? The evidence is an e-value for each patron. An honest patron's e-value
has a mean of at most 1.

Stakes that depend only on past cards, even a perfect counter's, cannot tell the next cards from other unseen cards. Let
X be a value of the coming coup, such as its first card, and A a set of values that X can take. The unseen cards give
the exact probability P(A) that X is in A. So, for any share e from 0 to 1, the mean of the factor

    e + (1 - e) 1{X in A} / P(A)

is 1. A product of these factors over any coups of any shoes has the mean 1. This holds however the stakes depend on the
past, and in any order of the shoes. A mixture of products has the mean 1 too, if its weights are fixed beforehand. The
evidence E is a mixture of this kind. The mean of E is at most 1 for a patron who knows only past cards. So the chance
of E >= 1 / a is at most a (Ville 1939), and 1 / E is a p-value (Vovk and Wang 2021).

A coup's stakes are split into two parts. The main part is the stake on Player less the stake on Banker. The side part
is the largest of the other stakes. Each part begins with a capital of 1, which is split over components by fixed
weights. A component has three settings:

- the channel that is known, and the set of its values that are good (`channels`)
- the share e of the capital that is not wagered, as the patron may only guess on some coups
- a scale, which decides when the component wagers

A component of scale k wagers if the stake is at least k times the smallest stake of the shoe so far, this coup's stake
included. A one-sided component of the main part is for one side, Player or Banker. If the stake is on this side and is
at least k times the smallest, the component wagers for the side. If the stake on the side is smaller than that, the
component wagers against the side. It also wagers against the side if the part has no stake on this coup, but had one
earlier in the shoe. If the stake is on the other side, the component does not wager. A one-sided component of the side
part does the same for the bet that was taken last.

Three quarters of a part's capital go through all shoes. The last quarter serves to detect a patron who knows cards in
few shoes only. This quarter is divided equally among the shares in `RISKED`. In each shoe, each of these capitals
wagers its share, which is split over the components anew. No number here was fitted to a log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Bools, Floats, Ints
from counting.review import _foreknowledge
from counting.review.patrons.channels import CHANNELS, Bets, ChannelOdds, Channels
from counting.review.patrons.patron_stakes import PatronStakes
from counting.review.significance import SMALLEST
from counting.review.unseen_cards import UnseenCards
from counting.workers import in_threads

_TOGETHER = 8  # bettors for whom one thread works at a time
BLOCK = 2048  # about the number of coups whose odds are worked out at a time; shoes stay whole

CHANNEL_WEIGHTS = np.array([0.22, 0.03, 0.12, 0.03, 0.06, 0.05, 0.13, 0.11, 0.06, 0.19])
SET_WEIGHTS = np.array([2 / 3, 1 / 3])  # the weights of the sets: the right side, the top
GUESSES = np.array([0.04, 0.2, 0.5, 0.78, 0.91])
GUESS_WEIGHTS = np.array([0.25, 0.2, 0.2, 0.2, 0.15])
SCALES = np.array([1.0, 1.5, 4.0, 16.0, 64.0])
SCALE_WEIGHTS = np.array([0.3, 0.15, 0.12, 0.1, 0.08])
ONE_SIDED = np.array([1.0, 4.0])  # the scales of one-sided components
ONE_SIDED_WEIGHTS = np.array([0.14, 0.11])  # for both sides of the main part together
RISKED = np.array([1 / 4, 1 / 32])
APART = 1 / 4
MAIN = 2 / 3  # the share of the main part in the whole capital
PARTS = ("main", "side")


def _weights(sides: int) -> Floats:
    """The weights of a part's components. The rows are the scales, then the one-sided scales of each of its `sides`
    sides. The columns are every share e with every channel and set."""
    rows = np.concatenate([SCALE_WEIGHTS, np.tile(ONE_SIDED_WEIGHTS / sides, sides)])
    columns = GUESS_WEIGHTS[:, np.newaxis, np.newaxis] * CHANNEL_WEIGHTS[:, np.newaxis] * SET_WEIGHTS
    return np.outer(rows, columns.ravel())


WEIGHTS = (_weights(2), _weights(1))  # the main part has two sides, the side part one


class Wagers(NamedTuple):
    """One part of a bettor's stakes, at each coup of the shoes in which the bettor bet.

    `taken`: the place of the bet among the part's bets, -1 for no stake. `size`: the stake in hundredths, in the
    smallest integer type that holds all stakes."""

    taken: NDArray[np.int16]
    size: NDArray[Any]

    @classmethod
    def of(cls, taken: NDArray[Any], size: Floats) -> Wagers:
        return cls(taken.astype(np.int16), size.astype(np.min_scalar_type(int(size.max(initial=0)))))


class Bettor(NamedTuple):
    """A tested bettor: a patron, or a group whose stakes are taken as one patron's.

    `shoes` are in rising order, and `coups` has the number of coups of each shoe. `main` and `side` are None for a part
    without stakes."""

    shoes: Ints
    coups: Ints
    main: Wagers | None
    side: Wagers | None

    @classmethod
    def of(cls, stakes: Sequence[PatronStakes], bets: Bets) -> Bettor:
        """The bettor of one patron. `stakes` are the patron's stakes, bet by bet."""
        by_bet = {own.bet: np.rint(own.stakes * 100) for own in stakes}
        shoes, coups = stakes[0].shoes, stakes[0].end - stakes[0].start
        nothing = np.zeros(int(coups.sum()))
        main = side = None
        if by_bet.keys() & set(bets.main):
            player, banker = (by_bet.get(bet, nothing) for bet in bets.main)
            main = main_part(player - banker)
        if others := [(place, by_bet[bet]) for place, bet in enumerate(bets.side) if bet in by_bet]:
            side = side_part(others)
        return cls(shoes, coups, main, side)

    @property
    def parts(self) -> tuple[Wagers | None, Wagers | None]:
        return self.main, self.side

    def shoe(self, i: int) -> Bettor:
        """The bettor with the stakes of shoe `i` only."""
        start = int(self.coups[:i].sum())
        rows = slice(start, start + int(self.coups[i]))
        parts = (None if part is None else Wagers(part.taken[rows], part.size[rows]) for part in self.parts)
        return Bettor(self.shoes[i : i + 1], self.coups[i : i + 1], *parts)


def main_part(net: Floats) -> Wagers:
    """The main part. `net` is the stake on Player less the stake on Banker, at each coup."""
    return Wagers.of(np.where(net > 0, 0, np.where(net < 0, 1, -1)), np.abs(net))


def side_part(stakes: Sequence[tuple[int, Floats]]) -> Wagers:
    """The side part. `stakes` has, for each bet, its place among the part's bets and the stakes on it. Only the largest
    stake of a coup counts; of equal stakes, the first."""
    taken, size = np.full(len(stakes[0][1]), -1, np.int16), np.zeros(len(stakes[0][1]))
    for place, amounts in stakes:
        more = amounts > size
        taken[more], size[more] = place, amounts[more]
    return Wagers.of(taken, size)


@dataclass
class Capital:
    """One part of a bettor's capital after some whole shoes.

    `through`: for each component, the logarithm of its product over all shoes. `apart`: the logarithms of the capitals
    that are wagered anew in each shoe."""

    part: int
    through: Floats = field(init=False)
    apart: Floats = field(default_factory=lambda: np.zeros(len(RISKED)))
    _scaled: tuple[float, Floats] | None = field(default=None, init=False, repr=False)  # kept by `log`

    def __post_init__(self) -> None:
        self.through = np.zeros(WEIGHTS[self.part].shape)

    def add(self, ratios: Floats, first: Ints, coups: Ints, wagers: Wagers) -> None:
        """Add some shoes: their `ratios` (coups, bets, 2, sets) and, in the order of the shoes, the `wagers`. `first`
        and `coups` have each shoe's first row and its number of coups."""
        self._scaled = None
        _foreknowledge.grow(
            ratios, first.astype(np.int32), coups.astype(np.int32), wagers.taken, wagers.size.astype(float), SCALES,
            ONE_SIDED, GUESSES, WEIGHTS[self.part], RISKED, self.through, self.apart,
        )  # fmt: skip

    def close(self, shoe: Floats) -> None:
        """Add a shoe that is over. `shoe` has, for each component, what it made of a capital of 1 in the shoe."""
        self.through, self.apart = self._with(shoe)
        self._scaled = None

    def after(self, *shoes: Floats) -> Capital:
        """The capital after further shoes, even unfinished ones."""
        capital = self
        for shoe in shoes:
            capital = Capital._of(self.part, *capital._with(shoe))
        return capital

    def without(self, other: Capital) -> Capital:
        """The capital without some shoes. `other` is the capital of these shoes alone."""
        with np.errstate(invalid="ignore"):
            through = np.nan_to_num(self.through - other.through, nan=-np.inf, neginf=-np.inf)
        return Capital._of(self.part, through, self.apart - other.apart)

    def log(self, *shoes: Floats) -> float:
        """The logarithm of the capital, including the further `shoes`, which are being dealt."""
        if self._scaled is None:
            top = float(self.through.max())
            self._scaled = top, (1 - APART) * WEIGHTS[self.part] * np.exp(self.through - top)
        top, held = self._scaled
        apart = self.apart
        for shoe in shoes:
            held = held * shoe
            apart = apart + self._risked(shoe)
        return float(np.logaddexp(top + np.log(held.sum()), np.log(APART / len(RISKED)) + log_sum(apart)))

    def _risked(self, shoe: Floats) -> Floats:
        """For each capital that risks a share in a shoe, the logarithm of the factor by which the shoe changes it."""
        logs: Floats = np.log(1 - RISKED + RISKED * np.vdot(WEIGHTS[self.part], shoe))
        return logs

    def _with(self, shoe: Floats) -> tuple[Floats, Floats]:
        with np.errstate(divide="ignore"):  # a component may have lost everything
            through = self.through + np.log(shoe)
        return through, self.apart + self._risked(shoe)

    @classmethod
    def _of(cls, part: int, through: Floats, apart: Floats) -> Capital:
        capital = cls(part)
        capital.through, capital.apart = through, apart
        return capital


def log_sum(logs: Floats) -> float:
    """The logarithm of a sum, from the logarithms of its terms. At least one of them must be finite."""
    top = float(logs.max())
    return top + float(np.log(np.exp(logs - top).sum()))


class Evidence(NamedTuple):
    """The evidence of a bettor's stakes: the decimal logarithm of E, and the `channel` and the `part` that made most of
    it."""

    log10: float
    channel: str
    part: str

    @property
    def p(self) -> float:
        """The p-value: 1 / E, at most 1."""
        return max(min(1.0, 10**-self.log10), SMALLEST) if self.log10 < 300 else SMALLEST


NO_EVIDENCE = Evidence(0.0, CHANNELS[0], PARTS[0])


def capital_log(capitals: Sequence[Capital], shoes: Sequence[Sequence[Floats]] = ()) -> float:
    """The logarithm of E, from the capitals of both parts in the order of `PARTS`.

    `shoes` is for the shoes that are still being dealt. For each shoe and part, it has what each component has made of
    a capital of 1."""
    return log_sum(_of_parts(capitals, shoes))


def _of_parts(capitals: Sequence[Capital], shoes: Sequence[Sequence[Floats]] = ()) -> Floats:
    logs = [capital.log(*(shoe[part] for shoe in shoes)) for part, capital in enumerate(capitals)]
    return np.log([MAIN, 1 - MAIN]) + logs


def evidence_of(capitals: Sequence[Capital]) -> Evidence:
    """The evidence from the capitals of both parts, in the order of `PARTS`."""
    logs = _of_parts(capitals)
    best = int(np.argmax(logs))
    through, weights = capitals[best].through, WEIGHTS[best]
    posterior = np.exp(through - through.max()) * weights
    by_channel = posterior.reshape(len(posterior), len(GUESSES), len(CHANNELS), -1).sum(axis=(0, 1, 3))
    return Evidence(log_sum(logs) / float(np.log(10)), CHANNELS[int(by_channel.argmax())], PARTS[best])


class Block(NamedTuple):
    """Some shoes of a log, from `first` up to but not including `last`: the `rows` of their coups, and the odds of
    these coups."""

    first: int
    last: int
    rows: slice
    odds: ChannelOdds


def blocks(channels: Channels, shoes: Bools) -> Iterator[Block]:
    """The odds of a log's shoes, in blocks. Blocks in which no shoe is marked in `shoes` (shoes,) are left out."""
    unseen = channels.unseen
    wanted = [(first, last) for first, last in unseen.shoe_blocks(BLOCK) if shoes[first:last].any()]

    def worked_out(part: tuple[int, int]) -> Block:
        rows = unseen.rows(*part)
        return Block(*part, rows, channels.odds(rows))

    return in_threads(worked_out, wanted)


def capitals_of(channels: Channels, bettors: Sequence[Bettor]) -> list[list[Capital]]:
    """For each bettor, the capitals of both parts after all shoes. The odds of a shoe are worked out once."""
    growing = Growing(channels.unseen, bettors)
    for block in blocks(channels, growing.wanted):
        growing.add(block)
    return growing.capitals


class Growing:
    """The capitals of bettors. They grow as the odds of block after block of shoes are added."""

    def __init__(self, unseen: UnseenCards, bettors: Sequence[Bettor]) -> None:
        self.unseen, self.bettors = unseen, bettors
        self.capitals = [[Capital(part) for part in range(len(PARTS))] for _ in bettors]
        self.wanted = np.zeros(len(unseen.start), np.bool_)
        for bettor in bettors:
            self.wanted[bettor.shoes] = True

    def add(self, block: Block) -> None:
        def grow(first: int) -> None:
            some = slice(first, first + _TOGETHER)
            for bettor, capitals in zip(self.bettors[some], self.capitals[some], strict=True):
                grow_in(block, bettor, capitals, self.unseen)

        for _ in in_threads(grow, range(0, len(self.bettors), _TOGETHER)):
            pass


def grow_in(block: Block, bettor: Bettor, capitals: Sequence[Capital], unseen: UnseenCards) -> None:
    """Add the shoes of a block to the capitals of both parts of a bettor."""
    low, high = np.searchsorted(bettor.shoes, [block.first, block.last]).tolist()
    if low == high:
        return
    first, coups = unseen.start[bettor.shoes[low:high]] - block.rows.start, bettor.coups[low:high]
    begin = int(bettor.coups[:low].sum())
    own = slice(begin, begin + int(coups.sum()))
    for capital, ratios, wagers in zip(capitals, block.odds, bettor.parts, strict=True):
        if wagers is not None and ratios.shape[1]:
            capital.add(ratios, first, coups, Wagers(wagers.taken[own], wagers.size[own]))


def by_patron(staked: Iterable[PatronStakes]) -> dict[str, list[PatronStakes]]:
    """The stakes of each patron, bet by bet."""
    patrons: dict[str, list[PatronStakes]] = {}
    for own in staked:
        patrons.setdefault(own.patron, []).append(own)
    return patrons
