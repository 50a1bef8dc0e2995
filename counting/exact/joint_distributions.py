"""The joint distribution of a coup: the number of six-card deals for each outcome of a tableau.

Two hands from one shoe share no card. The ways to deal the hands are counted by inclusion and exclusion over shared
cards. With n the composition and m a multiset of at most three values,

    joint(i, j) = sum over m of (-1)^|m| * prod_v C(n_v, m_v) * P_m[i] * Q_m[j],

where P_m[i] is the number of Player's ordered hands of kind i that contain given cards, one for each value in m. Q_m[j]
is the same number for Banker's kind j. A kind of hand is a total of two cards, or a final total of three cards whose
third card is in a given class. A class consists of third cards against which Banker draws on the same totals.

Each P_m is a short sum. Let T[q] be the number of ordered pairs of cards with the total q. Take the hands of three
cards whose first two cards have a total in the set D, and whose third card is in the class Z. Each n_v counts the cards
of value v that are not yet in the hand. A condition in brackets is 1 if it holds, and 0 otherwise. Then

    P[t]    = sum over q in D of T[q] n_{t-q} [t-q in Z], less the hands with one card twice,
    P_a[t]  = sum over q in D of 2 n_{q-a} n_{t-q} [t-q in Z], and T[q] more if a is in Z and t = q + a,
    P_ab[t] = 2 n_z ([a+b in D, z in Z] + [a+z in D, b in Z] + [b+z in D, a in Z]), with z = t - a - b.

Pairs of hands that share all three cards are subtracted once for each card that can be Player's third. All totals and
values are modulo 10.

Apart from (-1)^|m|, no factor of a term is negative. So no partial sum of joint(i, j) exceeds the sum of all terms
without the sign (-1)^|m|, which counts each pair of hands 2^(number of shared cards) times. This sum, even over all
pairs of kinds of three-card hands together, is below 2^53 up to 455 cards, and below 2^63 up to 27 decks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, combinations_with_replacement
from math import gcd
from typing import Any, TypeVar, cast

import numpy as np

from counting.arrays import Floats, Int32s, Ints
from counting.exact import _law
from counting.exact.instruction_sets import level
from counting.exact.joint_programs import COUNTS, Addition, Picked, ProgramSteps, Row, Slot, laid_out, one, zero
from counting.exact.outcomes import counts_by_size
from counting.exact.shared_sums import SharedSums
from counting.games import STOOD, Outcome, Tableau

JOINT_CARDS = 455  # the most cards of a shoe whose distribution float64 holds exactly

_VALUES = range(10)
_ALL = frozenset(_VALUES)
_PAIRS = tuple(combinations_with_replacement(_VALUES, 2))

_Totals = frozenset[int]  # totals of two cards
_Class = frozenset[int]  # values of third cards


@dataclass(frozen=True, eq=False)
class JointDistribution:
    """The distribution of a tableau, laid out for the kernel.

    The number of six-card deals with outcome i is the number in slot `cells[i][0]` times the number in slot
    `cells[i][1]`. `programs` has a program for each entry of `_law.LANES`. `work` is the number of vector operations
    for a block of shoes.
    """

    tableau: Tableau
    programs: tuple[_law.Program, ...]
    cells: tuple[tuple[int, int], ...]
    work: int

    @property
    def in_floats(self) -> _law.Program:
        """The program for this machine's instruction set."""
        return self.programs[1 + level()]

    def settled(
        self,
        classes: Sequence[Sequence[Outcome]],
        coefficients: Ints | Floats | None = None,
        denominators: Floats | None = None,
    ) -> _law.Bets:
        """Lay out classes of outcomes, and bets, for the kernel. A bet is a linear combination of the classes' numbers
        of deals and the number of all deals.

        `coefficients` is (classes + 1, bets). Its last row is for all deals.
        """
        place = dict(zip(self.tableau.fixed.outcomes, self.cells, strict=True))
        # An outcome that `cells` lacks occurs only if a hand makes another move than the tableau assumes.
        dealt = [[place[outcome] for outcome in cls if outcome in place] for cls in classes]
        sums = SharedSums.of(np.empty((len(classes) + 1, 0)) if coefficients is None else coefficients)
        pairs = [pair for of_bet in sums.combinations for pair in of_bet] + [(0, 0.0)]  # the last pair is unused
        return _law.Bets(
            _starts(dealt),
            np.array([cell for cells in dealt for cell in cells], np.int32).reshape(-1, 2),
            _starts(sums.parts),
            np.array([*(part for parts in sums.parts for part in parts), 0], np.int32),
            _starts(sums.combinations),
            np.array([event for event, _ in pairs], np.int32),
            np.array([value for _, value in pairs], float),
            np.ones(1) if denominators is None else denominators,
        )

    def counts(self, values: Int32s, bets: _law.Bets, classes: int) -> Ints:
        """The number of six-card deals of each class (shoes, classes) for checked compositions (shoes, 10)."""
        return counts_by_size(
            values,
            classes,
            JOINT_CARDS,
            lambda part, out: _law.counts_float64(part, self.in_floats, bets, out, level()),
            lambda part, out: _law.counts_int64(part, self.programs[0], bets, out),
        )

    def outcomes(self, values: Int32s) -> Ints:
        """The number of six-card deals of each outcome (shoes, outcomes) for checked compositions (shoes, 10)."""
        apart = [[outcome] for outcome in self.tableau.outcomes]
        return self.counts(values, self.settled(apart), len(apart))


def _starts(lists: Sequence[Sequence[object]]) -> Int32s:
    return np.array([0, *accumulate(map(len, lists))], np.int32)


@lru_cache(maxsize=64)
def joint_distribution(tableau: Tableau) -> JointDistribution:
    """The distribution of a tableau, laid out for the kernel. Making the layout takes up to about 0.1 s. The layouts of
    the last 64 tableaux are kept."""
    rows = _JointRows(tableau.fixed)
    cells = rows.cells()
    outcomes = tableau.fixed.outcomes
    layout = laid_out(rows.rows, [cells[outcome] for outcome in outcomes])
    undealt = {4: _law.FOUR, 5: _law.FIVE, 6: _law.ONE}
    factors = (undealt[outcome.player_cards + outcome.banker_cards] for outcome in outcomes)
    return JointDistribution(tableau, layout.programs, tuple(zip(layout.slots, factors, strict=True)), layout.work)


_Method = TypeVar("_Method", bound=Callable[..., Any])


def _once(method: _Method) -> _Method:
    """Decorate a method so that it is computed once for the same arguments."""

    def kept(self: _JointRows, *args: Any) -> Any:
        key = (method.__name__, *args)
        if key not in self.made:
            self.made[key] = method(self, *args)
        return self.made[key]

    return cast(_Method, kept)


class _JointRows:
    """Makes the rows of a tableau's distribution; `joint_programs` explains rows and slots.

    - `drawing`: the totals on which Player draws.
    - `on_stood`: the totals on which Banker draws if Player stood.
    - `on_third[z]`: the totals on which Banker draws if Player's third card is z.
    - `classes[totals]`: the third cards of Player after which Banker draws on exactly these totals.
    """

    def __init__(self, tableau: Tableau) -> None:
        self.rows = ProgramSteps()
        self.made: dict[tuple[Any, ...], Any] = {}
        self.tableau = tableau
        *banker, self.on_stood = (frozenset(q for q in range(8) if tableau.banker[q][third]) for third in range(11))
        self.drawing = frozenset(p for p in range(8) if tableau.player[p])
        self.standing = [p for p in range(8) if not tableau.player[p]]
        # Player's naturals and Banker's naturals, if the other hand may still draw against them.
        self.on_player, self.on_banker = ([] if ends else [8, 9] for ends in tableau.ending)
        self.on_third = banker
        classes = sorted(set(banker), key=lambda totals: (len(totals), sorted(totals))) if self.drawing else []
        self.classes = {totals: frozenset(z for z in _VALUES if banker[z] == totals) for totals in classes}
        # The sets of totals for which the row `hands(totals, _ALL)` is needed, smaller sets first.
        wanted = {totals for totals in classes if totals}
        wanted |= {self.on_stood} if (self.standing or self.on_player) and self.on_stood else set()
        wanted |= {self.drawing} if len(classes) == 1 else set()
        self.wanted = sorted(wanted, key=lambda totals: (len(totals), sorted(totals)))

    def cells(self) -> dict[Outcome, Slot]:
        """For each outcome, the slot with its number of deals. A deal here has only the four to six cards that the coup
        takes."""
        return {**self.two_each(), **self.two_and_three(), **self.three_and_more()}

    # Counts, and pairs of cards

    def counts(self, times: int = 1, less: int = 0) -> Row:
        """`times` * (n_v - `less`), for each value v."""
        return COUNTS if (times, less) == (1, 0) else self._counts(times, less)

    @_once
    def _counts(self, times: int, less: int) -> Row:
        if times == 1:
            return self.rows.line([(one, (COUNTS, 0))], [(v, -less, one) for v in _VALUES])
        return self.rows.gather([(times, (self.counts(1, less), v)) for v in _VALUES])

    def left(self, v: int, *known: int) -> Slot:
        """The number of cards of value v, less the cards of value v among `known`."""
        return self.counts(1, known.count(v)), v

    @_once
    def around(self, times: int = 1, values: _Class = _ALL) -> Row:
        """`times` * n_v for each v in `values`, and zero for any other v. The row has the ten entries twice, as
        `_window` needs."""
        return self.rows.gather([(times if v in values else 0, (COUNTS, v)) for v in (*_VALUES, *_VALUES)])

    @_once
    def ordered(self) -> Row:
        """The number of ordered pairs of a card of value a and a card of value b, indexed by a, then by b."""
        return self.rows.block([((COUNTS, 0), (COUNTS, 0))], [(11 * a, -1, (COUNTS, a)) for a in _VALUES])

    def pair(self, a: int, b: int) -> Slot:
        return self.ordered(), 10 * a + b

    @_once
    def shared_one(self) -> Row:
        """-n_a P_a[q] for two-card hands of total q, indexed by a, then by q."""
        return self.rows.gather([(-2, self.pair(a, (q - a) % 10)) for a in _VALUES for q in _VALUES])

    @_once
    def shared_one_by_total(self) -> Row:
        """-n_a P_a[q] for two-card hands of total q, indexed by q, then by a."""
        return self.rows.gather([(1, (self.shared_one(), 10 * a + q)) for q in _VALUES for a in _VALUES])

    @_once
    def totals(self) -> Row:
        """T[q], the number of ordered pairs of total q."""
        terms = [((COUNTS, a), _window(self.around(), a)) for a in _VALUES]
        return self.rows.line(terms, [(2 * a % 10, -1, (COUNTS, a)) for a in _VALUES])

    @_once
    def totals_by_card(self) -> Row:
        """-n_a T[q], indexed by q, then by a."""
        return self.rows.block([((self.totals(), 0), (self.counts(-1), 0))])

    @_once
    def with_card(self, q: int) -> Row:
        """For each a: the number of ordered pairs of total q that contain a given card of value a."""
        return self.rows.gather([(2, self.left((q - a) % 10, a)) for a in _VALUES])

    # Hands of three cards: the total of the first two is in `totals`, and the third card is in `third`

    def _nearest(self, totals: _Totals, third: _Class) -> tuple[_Totals, list[int]]:
        """The largest wanted set that is a proper subset of `totals`, and the members of `totals` that are not in this
        set. If no wanted set is a proper subset, or if `third` excludes some cards, the empty set is returned in its
        place."""
        smaller = [some for some in self.wanted if some < totals and third == _ALL]
        most = smaller[-1] if smaller else frozenset()
        return most, sorted(totals - most)

    @_once
    def hands(self, totals: _Totals, third: _Class) -> Row:
        """P[t], for each t."""
        most, lacking = self._nearest(totals, third)
        twice = [((q + z) % 10, -2, self.pair(z, (q - z) % 10)) for q in lacking for z in sorted(third)]
        terms = [((self.totals(), q), _window(self.around(1, third), q)) for q in lacking]
        return self.rows.line(terms, twice, (self.hands(most, third), 0) if most else None)

    @_once
    def hands_with_one(self, totals: _Totals, third: _Class) -> Row:
        """P_a[t], indexed by a, then by t. If `third` excludes some cards, the row has -n_a P_a[t] instead."""
        most, lacking = self._nearest(totals, third)
        whole = third == _ALL
        additions: list[Addition] = []
        terms = []
        for q in lacking:
            first, of_total = self.of_first_two(q, third), self.totals() if whole else self.totals_by_card()
            terms.append((first, _window(self.around(1, third), q)))
            for a in _VALUES:
                held, rest = (first[0], first[1] + a), (q - a) % 10
                if a in third:  # the given card is the third card, so it is not among the first two
                    additions.append((10 * a + (q + a) % 10, 1, (of_total, q if whole else 10 * q + a)))
                    additions.append((10 * a + (q + a) % 10, -2, held))
                if rest in third:  # the given card's partner cannot be the third card as well
                    additions.append((10 * a + (q + rest) % 10, -1, held))
        return self.rows.block(terms, additions, self.hands_with_one(most, third) if most else None)

    def of_first_two(self, q: int, third: _Class) -> Slot:
        """For each a: the number of ordered pairs of total q that contain a given card of value a. If `third` excludes
        some cards, this number is multiplied by -n_a."""
        return (self.with_card(q), 0) if third == _ALL else (self.shared_one_by_total(), 10 * q)

    def with_two(self, a: int, b: int, ways: Sequence[int]) -> Picked:
        """For each t: the number of pairs of a and b, times the number of cards that complete the total t, times
        ways[t]. The products are for the upper line of a tile."""
        return self.pair(a, b), zero, [self.left_after(a, b, (t - a - b) % 10, ways[t]) for t in _VALUES]

    def left_after(self, a: int, b: int, z: int, ways: int) -> Slot:
        """`ways` times the number of cards of value z that are left after a card of value a and a card of value b are
        drawn."""
        return (self.counts(ways, (a, b).count(z)), z) if ways else zero

    # The blocks of the distribution

    def two_each(self) -> dict[Outcome, Slot]:
        """The outcomes with two cards each: naturals, and coups in which both hands stand. The numbers are symmetric in
        the two hands, so the rows of Player's 8 and 9 serve for Banker's 8 and 9."""
        both = [p for p in self.standing if set(range(8)) - self.on_stood]
        uppers = _uppers([*both, 8, 9])
        place = {p + i: 20 * tile + 10 * i for tile, p in enumerate(uppers) for i in range(2)}
        terms, additions = [], []
        for p in uppers:
            alone = ((self.totals(), p), (self.totals(), p + 1), (self.totals(), 0))
            shared = [(self.shared_one(), 10 * a + p) for a in _VALUES]
            rows = [_window(self.around(2), a) for a in _VALUES]
            terms.append([alone, *((x, (x[0], x[1] + 1), y) for x, y in zip(shared, rows, strict=True))])
        for p, at in place.items():
            additions.append((at + p, 2, (self.totals(), p)))
            additions += [(at + 2 * a % 10, 4, self.pair(a, (p - a) % 10)) for a in _VALUES]
        row = self.rows.tiles(terms, additions)
        rows_of_thirds = {}
        for p in _VALUES:
            for q in _VALUES:
                if not (self.tableau.player_draws(p, q) or self.tableau.banker_draws(p, q, STOOD)):
                    rows_of_thirds[Outcome(p, q, 2, 2)] = (row, place[p] + q) if p in place else (row, place[q] + p)
        return rows_of_thirds

    def _beside_two(self, total: int, with_one: Callable[[int], Slot], hands: Row, holding: Row, by: _By) -> Row:
        """For each total of the three-card hand: the number of ways to deal it together with a two-card hand of the
        given total."""
        two = []
        for a, b in _PAIRS:
            if (a + b) % 10 == total:
                # `_times` is smaller if a = b, because `pair` then has n_a (n_a - 1), which counts each pair of cards
                # twice.
                two.append(self.with_two(a, b, [_times(a, b) * _orders(a, b, (t - a - b) % 10, *by) for t in _VALUES]))
        terms = [((self.totals(), total), (hands, 0)), *((with_one(a), (holding, 10 * a)) for a in _VALUES)]
        return self.rows.line(terms, (), (self.rows.picked([two]), 0))

    def two_and_three(self) -> dict[Outcome, Slot]:
        """The outcomes in which Player stands and Banker draws."""
        by, rows_of_thirds = (self.on_stood, _ALL), {}
        for p in [*self.standing, *self.on_player] if self.on_stood else []:
            held = [(self.shared_one(), 10 * a + p) for a in _VALUES]
            row = self._beside_two(p, held.__getitem__, self.hands(*by), self.hands_with_one(*by), by)
            rows_of_thirds.update({Outcome(p, t, 2, 3): (row, t) for t in _VALUES})
        return rows_of_thirds

    def three_and_more(self) -> dict[Outcome, Slot]:
        """The outcomes in which Player draws. Each class of third cards is finished before the next begins, so that the
        slots of its many rows can be used again."""
        rows_of_thirds: dict[Outcome, Slot] = {}
        row: Row | None = None
        for totals, third in self.classes.items():
            if totals:
                row = self._apart_and_sharing_one(totals, third, row)
            rows_of_thirds.update(self.three_and_two(third))
        return rows_of_thirds if row is None else rows_of_thirds | self.three_each(row)

    def three_and_two(self, last: _Class) -> dict[Outcome, Slot]:
        """The outcomes in which Player draws and Banker stands. For each of Banker's totals, the classes of third cards
        against which Banker stands are added up. This call does the totals for which `last` is the last of these
        classes."""
        rows_of_thirds = {}
        for q in (*range(8), *self.on_banker):
            classes = tuple(third for totals, third in self.classes.items() if q not in totals)
            if classes[-1:] != (last,):
                continue
            by = (self.drawing, frozenset().union(*classes))
            whole = by[1] == _ALL and (len(classes) == 1 or self.drawing in self.wanted)
            held = [(self.shared_one(), 10 * a + q) if whole else (self.with_card(q), a) for a in _VALUES]
            hands = self.hands(*by) if whole else self._hands_of(classes)
            holding = self.hands_with_one(*by) if whole else self._hands_with_one_of(classes)
            row = self._beside_two(q, held.__getitem__, hands, holding, by)
            rows_of_thirds.update({Outcome(t, q, 3, 2): (row, t) for t in _VALUES})
        return rows_of_thirds

    @_once
    def _hands_of(self, classes: tuple[_Class, ...]) -> Row:
        last = self.hands(self.drawing, classes[-1])
        return self.rows.line([(one, (last, 0))], (), (self._hands_of(classes[:-1]), 0)) if classes[1:] else last

    @_once
    def _hands_with_one_of(self, classes: tuple[_Class, ...]) -> Row:
        last = self.hands_with_one(self.drawing, classes[-1])
        if not classes[1:]:
            return last
        before = self._hands_with_one_of(classes[:-1])
        terms = [[(one, zero, (last, 10 * i)), (zero, one, (last, 10 * i + 10))] for i in range(0, 10, 2)]
        return self.rows.tiles(terms, (), before)

    def _apart_and_sharing_one(self, totals: _Totals, third: _Class, before: Row | None) -> Row:
        """`before`, plus the terms of at most one shared card for coups in which both hands draw and Player's third
        card is in `third`: the number of pairs of hands, from which each pair is subtracted once for every card that
        its hands share."""
        terms = [((self.hands(self.drawing, third), 0), (self.hands(totals, _ALL), 0))]
        player, banker = self.hands_with_one(self.drawing, third), self.hands_with_one(totals, _ALL)
        if third == _ALL:
            less = [self.rows.scaled([(player, 10 * a + t) for t in _VALUES], (self.counts(-1), a)) for a in _VALUES]
            terms += [((less[a], 0), (banker, 10 * a)) for a in _VALUES]
        else:
            terms += [((player, 10 * a), (banker, 10 * a)) for a in _VALUES]
        rows = {(p + z) % 10 for p in self.drawing for z in third}
        return self.rows.block(terms, (), before, rows)

    def three_each(self, row: Row) -> dict[Outcome, Slot]:
        """The outcomes in which both hands draw. `row` has the terms of at most one shared card; this adds the terms of
        two shared cards and subtracts the terms of three."""
        drawn = {totals: third for totals, third in self.classes.items() if totals}
        tiles: list[list[Picked]] = [[] for _ in range(5)]
        for a, b in _PAIRS:
            for tile, term in self._sharing(a, b, drawn):
                tiles[tile].append(term)
        three = [(11 * t, -1, (self.sharing_three(), t)) for t in _VALUES]
        row = self.rows.picked(tiles, three, row)
        return {Outcome(t, u, 3, 3): (row, 10 * t + u) for t in _VALUES for u in _VALUES}

    def _sharing(self, a: int, b: int, drawn: dict[_Totals, _Class]) -> Iterable[tuple[int, Picked]]:
        """The terms of three-card hands that share a card of value a and a card of value b. Two values z of Player's
        other card are treated together if, for both, the orders of a, b and z are divided among the classes of third
        cards in the same proportion. A term is for two of Player's totals, and comes with the number (0 to 4) of the
        tile that holds these totals."""
        others: dict[tuple[int, ...], dict[int, int]] = {}
        for z in _VALUES:
            ways = [_orders(a, b, z, self.drawing, third) for third in drawn.values()]
            common = gcd(*ways)
            if common:
                others.setdefault(tuple(k // common for k in ways), {})[z] = common
        ways_of = {z: common for values in others.values() for z, common in values.items()}
        of_player = self.rows.scaled([self.left_after(a, b, z, ways_of.get(z, 0)) for z in _VALUES], self.pair(a, b))
        for mixture, values in others.items():
            of_banker = []
            for u in _VALUES:
                rest = (u - a - b) % 10
                orders = (_orders(a, b, rest, totals, _ALL) for totals in drawn)
                ways_of_total = _times(a, b) * sum(k * n for k, n in zip(mixture, orders, strict=True))
                of_banker.append(self.left_after(a, b, rest, ways_of_total))
            for tile in range(5):
                held = [(2 * tile + i - a - b) % 10 for i in range(2)]
                if not values.keys().isdisjoint(held) and any(slot != zero for slot in of_banker):
                    upper, lower = ((of_player, z) if z in values else zero for z in held)
                    yield tile, (upper, lower, of_banker)

    @_once
    def sharing_three(self) -> Row:
        """For each total: the number of pairs of hands that hold the same three cards. The three cards count once for
        each card that can be Player's third."""
        terms = []
        for a, b in _PAIRS:
            if (a + b) % 10 in self.drawing:
                third = [(t - a - b) % 10 for t in _VALUES]
                ways = [_times(a, b) * _orders(a, b, z, self.on_third[z], _ALL) for z in third]
                if any(ways):
                    terms.append(self.with_two(a, b, ways))
        return self.rows.picked([terms])


_By = tuple[_Totals, _Class]


def _orders(a: int, b: int, z: int, totals: _Totals, third: _Class) -> int:
    """Half the number of orders of three given cards in which the total of the first two is in `totals` and the third
    card is in `third`."""
    return sum((p + q) % 10 in totals and last in third for p, q, last in ((a, b, z), (a, z, b), (b, z, a)))


def _times(a: int, b: int) -> int:
    """The factor for `_orders`. It is 4, so that the product is twice the number of orders. If a = b it is 2, because
    `pair` then counts each pair of cards twice."""
    return 4 if a < b else 2


def _uppers(wanted: Sequence[int]) -> list[int]:
    """Cover the wanted places, 0 to 9, with pairs of neighbours p, p + 1. Returns each pair's p, from the highest
    down."""
    uppers: list[int] = []
    for p in sorted(wanted, reverse=True):
        if not uppers or p < uppers[-1]:
            uppers.append(max(p - 1, 0))
    return uppers


def _window(row: Row, shift: int) -> Slot:
    """A row of ten entries, stored twice, after a shift: entry t is the row's entry t - shift modulo 10."""
    return row, (10 - shift) % 10
