"""What it is worth to know cards of a coup before betting on the coup. A patron may know the card at a place, read
backs that are sorted into two groups, or know which cards are in a slug.

All edges are exact for the first coup of a shoe. On average they hold for later coups too, as every order of the unseen
cards has the same chance. Suppose that in each case a patron makes the bet that would be best on a shoe's first coup.
The mean win is then the same on every coup that all shoes reach.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product

from counting.cards import COUP, Shoe, coarser, finest
from counting.errors import InputError, whole
from counting.exact.evaluators import required_detail
from counting.exact.known_cards import ANY, PLACES, KnownCards
from counting.exact.one_shoe import NoSuchCardsError, edges_after_seeing, price_shoe
from counting.games import Bet, Game

SORTS: Mapping[str, tuple[int, ...]] = {
    "Player's first card": (0,),
    "Both hands' first cards": (0, 1),
    "Player's first two cards": (0, 2),
    "Both hands' first two cards": (0, 1, 2, 3),
    "All six cards": tuple(range(COUP)),
}
"""The places whose backs are read together, counted from 0. The keys describe the places in words."""
_PLAYER, _BANKER = (0, 2), (1, 3)
_CARDS = (4, 5, 6)


@dataclass(frozen=True)
class KnownCase:
    """A case that may be seen before a coup, its chance, and the edge of each bet in this case."""

    seen: str
    chance: Fraction
    edges: Mapping[str, Fraction]

    def best(self, bets: Iterable[str]) -> tuple[str, Fraction]:
        """The bet with the largest edge (if several have it, the first of them), and this edge."""
        return max(((bet, self.edges[bet]) for bet in bets), key=lambda pair: pair[1])


@dataclass(frozen=True)
class KnownWorth:
    """The worth of knowledge to a patron who may choose among bets. The patron stakes one unit on the best bet whenever
    its edge is above 0. `gain` is the win per coup, and `frequency` the share of coups with a bet."""

    gain: Fraction
    frequency: Fraction

    @property
    def edge(self) -> Fraction | None:
        """The mean edge of the bets made; None if no bet is made."""
        return self.gain / self.frequency if self.frequency else None


@dataclass(frozen=True)
class Knowledge:
    """What a patron knows before each coup: a list of cases, whose chances add up to 1."""

    name: str
    cases: tuple[KnownCase, ...]

    def worth(self, bets: Iterable[str]) -> KnownWorth:
        """The worth of the knowledge to a patron who may make one of these bets."""
        bets = tuple(bets)
        made = [(case.chance, edge) for case in self.cases if (edge := case.best(bets)[1]) > 0]
        gain = sum((chance * edge for chance, edge in made), Fraction())
        return KnownWorth(gain, sum((chance for chance, _ in made), Fraction()))

    def most(self, bets: Iterable[str]) -> tuple[KnownCase, str, Fraction]:
        """The case with the largest edge, its best bet and this edge."""
        bets = tuple(bets)
        case = max(self.cases, key=lambda each: each.best(bets)[1])
        return case, *case.best(bets)


@dataclass(frozen=True)
class SlugWorth:
    """A slug of known cards in unknown order, at the moment when a coup begins with the slug's first card. `edges` has
    the edges of the bets on this coup, and `cards` is the coup's mean number of cards."""

    slug: Shoe
    edges: Mapping[str, Fraction]
    cards: Fraction

    @property
    def coups(self) -> int:
        """The number of coups that are certain to be dealt from the slug only, because a coup takes at most six
        cards."""
        return self.slug.cards_left // COUP

    def best(self, bets: Iterable[str]) -> tuple[str, Fraction]:
        return KnownCase("", Fraction(1), self.edges).best(bets)


@dataclass(frozen=True)
class KnownCardsWorth:
    """The worth of knowing cards, for a game dealt from a shoe. `bets`: the bets that may be made. `group`: the cards
    that can be told from the others by their backs. `coups`: the number of coups dealt from a shoe. `slug`: the known
    cards of a slug.

    Raises `InputError` for `coups` outside 1 to 10,000 and for a slug of fewer than six cards. Raises it too for a slug
    with more cards of a kind than the shoe has; kinds are those of the slug or of the shoe, whichever is known in less
    detail. `sorts` raises it for a group with none or all of the shoe's cards.

    >>> from counting import Shoe, load_game
    >>> from counting.exact import KnownCards, KnownCardsWorth
    >>> nines = KnownCards.parse("P1=6-9").cards[0]
    >>> worth = KnownCardsWorth(load_game("punto-banco"), Shoe.decks(8), ("player", "banker-5", "tie-8"), nines, 80)
    >>> [round(float(card.worth(worth.bets).gain), 5) for card in worth.cards]
    [0.06765, 0.06406, 0.06765, 0.06406, 0.08973, 0.09098]
    """

    game: Game
    shoe: Shoe
    bets: tuple[str, ...]
    group: frozenset[int]
    coups: int
    slug: Shoe | None = None

    def __post_init__(self) -> None:
        whole(self.coups, "coups per shoe", 1, 10_000)
        if self.slug is None:
            return
        if self.slug.cards_left < COUP:
            raise InputError(f"slug {self.slug}: {self.slug.cards_left} cards, should be {COUP} or more")
        slug, shoe = coarser(self.slug.counts, self.shoe.knows), coarser(self.shoe.counts, self.slug.knows)
        if any(n > of for n, of in zip(slug, shoe, strict=True)):
            raise InputError(
                f"slug {self.slug}: more cards of a kind than the shoe has, should be cards of {self.shoe}"
            )

    @cached_property
    def _priced(self) -> tuple[Game, Shoe]:
        """The game with these bets only; and the shoe, known in no more detail than these bets and the group need."""
        game = self.game.only(self.bets)
        known = KnownCards((self.group, *[ANY] * (COUP - 1)))
        knows = finest([*(required_detail(bet) for bet in game.bets), known.needs])
        if finest((knows, self.shoe.knows)) != self.shoe.knows:
            return game, self.shoe  # pricing raises an error, which says what the shoe lacks
        return game, Shoe(knows, tuple(coarser(self.shoe.counts, knows)))

    @cached_property
    def cards(self) -> tuple[Knowledge, ...]:
        """For each of the six places in dealing order: the knowledge of a patron who knows the card at this place."""
        game, shoe = self._priced
        known = []
        for place, name in enumerate(PLACES):
            cases = (KnownCase(card, *seen) for card, seen in edges_after_seeing(game, shoe, place).items())
            known.append(Knowledge(name, tuple(cases)))
        return tuple(known)

    @cached_property
    def sorts(self) -> tuple[Knowledge, ...]:
        """For each entry of `SORTS`: the knowledge of a patron who reads the backs at its places."""
        return tuple(Knowledge(name, self._sorted(places)) for name, places in SORTS.items())

    def _sorted(self, places: Sequence[int]) -> tuple[KnownCase, ...]:
        """The cases of a patron who reads the backs at these places. They differ in how many of each hand's cards are
        in the group, and in whether the fifth and the sixth card are in the group."""
        game, shoe = self._priced
        whole_shoe = price_shoe(game, shoe).total
        cases: dict[str, KnownCase] = {}
        for in_group in product((True, False), repeat=len(places)):
            read = dict(zip(places, in_group, strict=True))
            known = KnownCards(tuple(self._cards(read.get(place)) for place in range(COUP)))
            try:
                priced = price_shoe(game, shoe, known)
            except NoSuchCardsError:
                continue
            seen, chance = _seen(read), Fraction(priced.total, whole_shoe)
            earlier = cases.get(seen, KnownCase(seen, Fraction(), priced.edges))
            both = earlier.chance + chance
            edges = {
                bet: (earlier.chance * earlier.edges[bet] + chance * edge) / both for bet, edge in priced.edges.items()
            }
            cases[seen] = KnownCase(seen, both, edges)
        if len(cases) < 2:
            raise InputError("sorted: should be some of the shoe's cards, and not all")
        return tuple(cases.values())

    def _cards(self, in_group: bool | None) -> frozenset[int]:
        return ANY if in_group is None else self.group if in_group else ANY - self.group

    @cached_property
    def slug_worth(self) -> SlugWorth | None:
        """The worth of the slug; None without a slug."""
        if self.slug is None:
            return None
        counting = [Bet.written(f"cards-{n}: cards={n} = push") for n in _CARDS]
        edges = price_shoe(self.game.only(self.bets), self.slug).edges
        of_number = price_shoe(self.game.with_bets(*counting), self.slug, bets=[bet.name for bet in counting]).edges
        mean = sum((n * (edge + 1) for n, edge in zip(_CARDS, of_number.values(), strict=True)), Fraction())
        return SlugWorth(self.slug, edges, mean)


def _seen(read: Mapping[int, bool]) -> str:
    """Words for what backs show: how many of each hand's cards are in the group, then whether the fifth and the sixth
    card are. Places that are not read are left out."""
    parts = []
    for hand, places in (("Player", _PLAYER), ("Banker", _BANKER)):
        known = [read[place] for place in places if place in read]
        if known:
            parts.append(f"{hand} {sum(known)} of {len(known)}")
    parts += [f"{name} {'in' if read[place] else 'out'}" for place, name in ((4, "5th"), (5, "6th")) if place in read]
    return ", ".join(parts)
