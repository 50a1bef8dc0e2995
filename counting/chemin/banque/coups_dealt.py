"""All coups at two tableaux, dealt in plain Python without the solver's code. The checks of certificates use them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import prod
from operator import mul
from typing import Any, TypeVar

from counting.cards import DECK, MOST_DECKS, Shoe
from counting.chemin.certificate import (
    CardsLeft,
    Certificate,
    Deals,
    check_certificate,
    refuse_cells,
    refuse_draws,
    sign,
)
from counting.chemin.rules import CLASSICAL, MODELS, TOTALS, Hand, Model, part
from counting.errors import InputError, instance, nearest
from counting.games import STOOD

MOST_CARDS = 9  # a coup at two tableaux uses at most this many cards
BY_TOTAL = tuple(name for name, model in MODELS.items() if model.player_sees == "total")
BY_HAND = tuple(name for name in MODELS if name not in BY_TOTAL)

TwoCell = tuple[int | Hand, int, int]  # Banker's total or hand, then each Player's third card or STOOD


def check_banque_model(
    shoe: object, theta: object, model: object, models: Sequence[str] = BY_TOTAL, uses_third: object = True
) -> tuple[Model, Fraction]:
    """The model of this name, and theta as a fraction. Raises `InputError` if an argument is invalid."""
    shoe = instance(shoe, Shoe, "shoe", "Shoe.parse('6d')")
    if not MOST_CARDS <= shoe.cards_left <= MOST_DECKS * DECK:
        raise InputError(f"shoe {shoe}: {shoe.cards_left} cards, should be {MOST_CARDS} to {MOST_DECKS * DECK:,}")
    if not isinstance(model, str) or model not in models:
        raise InputError(
            f"model {model!r}: should be one of {', '.join(models)}, in which the Players see their "
            f"{'hands' if models == BY_HAND else 'totals'}{nearest(str(model).upper(), models)}"
        )
    stake = part(theta, "theta", "the first Player's part of the stakes, ")
    if not isinstance(uses_third, bool):
        raise InputError(f"uses_third: {uses_third!r}, should be True or False")
    return MODELS[model], stake


Move = TypeVar("Move")


class BanqueDeals(Deals[TwoCell, tuple[Move | None, Move | None]]):
    """All deals at two tableaux. A Player's move is None if the Player has no choice. `naturals` gives the number of
    ways to deal each natural to a Player; `pairs` is the number of ways to deal any two cards."""

    def __init__(self, shoe: Shoe, theta: Fraction | str, model: str, models: Sequence[str]) -> None:
        seen, stake = check_banque_model(shoe, theta, model, models)
        dealt = _both(shoe, seen)
        first, second = stake.numerator, stake.denominator - stake.numerator
        self.shoe, self.model = shoe, model
        self.net = {
            cell: {moves: [first * a + second * c, first * b + second * d] for moves, (a, b, c, d) in parts.items()}
            for cell, parts in dealt.worth.items()
        }
        self.taken, self.naturals, self.pairs = dealt.taken, dict(dealt.naturals), dealt.pairs
        self.deals = dealt.deals * stake.denominator

    def refuse_both(self, certificate: Any) -> None:
        """Raise `InputError` for an invalid strategy of Banker's, and unless the certificate has exactly the naturals
        that can be dealt."""
        refuse_draws("banker", certificate.banker, set(self.net))
        refuse_cells("naturals", certificate.naturals, set(self.naturals), "a natural")

    def proved_apart(self, naturals: Mapping[Hand, Certificate]) -> Fraction:
        """What the other tableau is worth after one Player's natural, as in `ShownNaturals.apart`. This worth comes
        from the certificates of the other tableau, which are checked."""
        apart = Fraction(0)
        for hand, ways in self.naturals.items():
            left = list(self.shoe.values)
            for card in hand:
                left[card] -= self.taken
            proof = naturals[hand]
            check_certificate(proof, Shoe.from_values(left), self.model)
            apart += Fraction(ways * proof.lower, self.pairs * proof.denominator)
        return apart


class _Both(CardsLeft):
    """All deals of a shoe without a natural. `worth[cell][moves]` is for a cell of Banker's and the Players' moves. It
    has four sums over deals: what Banker's standing and Banker's drawing are worth to the first Player, then the same
    for the second. A move is whether the Player draws; in model 3, it is the hand and whether the Player draws."""

    def __init__(self, shoe: Shoe, seen: Model) -> None:
        super().__init__(shoe, seen)
        self.seen = seen
        self.worth: dict[TwoCell, dict[tuple[Any, Any], list[int]]] = defaultdict(
            lambda: defaultdict(lambda: [0, 0, 0, 0])
        )
        n = sum(self.left)
        self.pairs, self.deals = n * (n - self.taken), 1
        for i in range(MOST_CARDS):
            self.deals *= n - i * self.taken
        # For each number of Players who stand: the number of cards from which Banker draws, and the number of ways to
        # deal the cards that stay unused.
        lefts = [n - (MOST_CARDS - 1 - stood) * self.taken for stood in range(3)]
        self.unused = [(m, prod(m - i * self.taken for i in range(1, 1 + stood))) for stood, m in enumerate(lefts)]
        self.naturals = {hand: ways for hand, ways in self.hands() if sum(hand) % 10 >= TOTALS}
        for banker, ways in self._alike(lambda hand: sum(hand) % 10):
            for first, n in self._alike(self._played):
                for second, m in self._alike(self._played):
                    self._finish(banker, first, second, ways * n * m)
        if not self.taken and seen.banker_sees == "hand":
            self.worth = self._by_hand()
        self.worth = {cell: dict(parts) for cell, parts in self.worth.items()}  # from here, a missing cell is an error

    def _low_hands(self) -> Iterator[tuple[Hand, int]]:
        for hand, ways in self.hands():
            if sum(hand) % 10 < TOTALS:
                yield hand, ways

    def _move(self, hand: Hand, draws: bool) -> bool | tuple[Hand, bool]:
        """A move on this hand: the decision, together with the hand if the Player sees it."""
        return draws if self.seen.player_sees == "total" else (hand, draws)

    def _alike(self, kind: Callable[[Hand], object]) -> Iterator[tuple[Hand, int]]:
        """The hands of totals below eight, with the number of ways to deal them. With replacement, one hand represents
        all hands of a kind."""
        if self.taken:
            yield from self._low_hands()
            return
        alike: dict[object, tuple[Hand, int]] = {}
        for hand, ways in self._low_hands():
            first, so_far = alike.get(kind(hand), (hand, 0))
            alike[kind(hand)] = first, so_far + ways
        yield from alike.values()

    def _played(self, hand: Hand) -> object:
        """What decides how a Player's hand is played."""
        total = sum(hand) % 10
        return total, self._move(hand, True) if CLASSICAL.player[total] == "*" else None

    def _by_hand(self) -> dict[TwoCell, dict[tuple[Any, Any], list[int]]]:
        """`worth` by Banker's hand instead of Banker's total, for draws with replacement: each hand has its share of
        what all hands of its total are worth."""
        every = dict(self._low_hands())
        of_total = Counter[int]()
        for hand, ways in every.items():
            of_total[sum(hand) % 10] += ways
        return {
            (hand, first, second): {
                moves: [w * ways // of_total[sum(hand) % 10] for w in worth] for moves, worth in parts.items()
            }
            for hand, ways in every.items()
            for (total, first, second), parts in self.worth.items()
            if total == sum(hand) % 10
        }

    def _thirds(self, hand: Hand) -> Iterator[tuple[Any, int, int, int]]:
        """A Player's options on a hand. Each option has the move, the third card, the number of ways to draw it, and
        the final total."""
        total = sum(hand) % 10
        letter = CLASSICAL.player[total]
        if letter != "D":
            yield None if letter == "S" else self._move(hand, False), STOOD, 1, total
        if letter != "S":
            move = None if letter == "D" else self._move(hand, True)
            for card, ways in self.draws():
                yield move, card, ways, (total + card) % 10

    def _finish(self, banker: Hand, first: Hand, second: Hand, ways: int) -> None:
        b, taken = sum(banker) % 10, self.taken
        own = banker if self.taken and self.seen.banker_sees == "hand" else b
        # What Banker's third card is worth against each total of a Player, summed over the cards that are left before
        # the Players draw.
        against = _AGAINST[b]
        drawn = [sum(map(mul, self.left, row)) for row in against]
        for first_move, first_card, n, p in self._thirds(first):
            first_against, first_sign = against[p], sign(p - b)
            for second_move, second_card, m, q in self._thirds(second):
                second_against = against[q]
                left, unused = self.unused[(first_card == STOOD) + (second_card == STOOD)]
                deals = ways * n * m * unused
                worth = self.worth[own, first_card, second_card][first_move, second_move]
                worth[0] += deals * left * first_sign
                worth[1] += deals * (drawn[p] - taken * (first_against[first_card] + first_against[second_card]))
                worth[2] += deals * left * sign(q - b)
                worth[3] += deals * (drawn[q] - taken * (second_against[first_card] + second_against[second_card]))


@lru_cache(maxsize=1)  # the result may take 60 MB
def _both(shoe: Shoe, seen: Model) -> _Both:
    """All deals. They are the same for all stakes and for all certificates."""
    return _Both(shoe, seen)


# The result for a Player, indexed by Banker's two-card total, the Player's total and Banker's third card. The entry at
# STOOD is 0, because it is subtracted for the third card of a Player who stood.
_AGAINST = [[[*(sign(total - (b + card) % 10) for card in range(10)), 0] for total in range(10)] for b in range(10)]
