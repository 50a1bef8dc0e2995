"""A certificate of a shoe's value at banque, and its check: cards are dealt again in plain Python, without the solver's
code."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from fractions import Fraction
from operator import mul
from typing import Any, NamedTuple

from counting.cards import DECK, MOST_DECKS, Shoe
from counting.chemin.certificate import Cards, Certificate, chance, check, refuse_bounds, sign, whole
from counting.chemin.rules import CLASSICAL, MODELS, TOTALS, Hand, Model, part
from counting.errors import InputError, nearest
from counting.games import STOOD

MOST_CARDS = 9  # a coup at two tableaux uses at most this many
BY_TOTAL = tuple(name for name, model in MODELS.items() if model.player_sees == "total")

TwoCell = tuple[int | Hand, int, int]  # Banker's total or hand, then each Player's third card, or STOOD


class PlayersMix(NamedTuple):
    """The Players' play if both have five: the probabilities that both draw, the first alone, the second alone,
    and neither. If only one of them has five, that Player draws with the same total probability."""

    both: Fraction
    first: Fraction
    second: Fraction
    neither: Fraction


@dataclass(frozen=True)
class BanqueCertificate:
    """How both sides play while no hand is a natural.

    `players`: their mix by the first's third card, or STOOD, if the second uses it; else one mix, at None.
    `banker`: the probability of drawing in each cell that can be dealt. `naturals`: after a Player's natural, by its
    cards, the other tableau is chemin de fer with the cards that are left, and proved as such. `lower / denominator`
    is what the Players have together against Banker's best reply, `upper / denominator` what Banker leaves to theirs.
    """

    players: Mapping[int | None, PlayersMix]
    banker: Mapping[TwoCell, Fraction]
    naturals: Mapping[Hand, Certificate]
    lower: int
    upper: int
    denominator: int


def fitting_banque(shoe: object, theta: object, model: object) -> tuple[Model, Fraction]:
    """The model of this name and the stake as a fraction; `InputError` if these or the shoe are invalid."""
    if not isinstance(shoe, Shoe):
        raise InputError(f"shoe: {shoe!r}, should be a Shoe, as Shoe.parse('6d') makes")
    if not MOST_CARDS <= shoe.cards_left <= MOST_DECKS * DECK:
        raise InputError(f"shoe {shoe}: {shoe.cards_left} cards, should be {MOST_CARDS} to {MOST_DECKS * DECK:,}")
    if not isinstance(model, str) or model not in BY_TOTAL:
        raise InputError(
            f"model {model!r}: should be one of {', '.join(BY_TOTAL)}, in which the Players see their totals"
            f"{nearest(str(model).upper(), BY_TOTAL)}"
        )
    return MODELS[model], part(theta, "theta", "the first Player's part of the stakes, ")


def check_banque(certificate: BanqueCertificate, shoe: Shoe, theta: Fraction | str = "1/2", model: str = "B2") -> None:
    """Compute both bounds again, and raise `InputError` if they differ from each other or from the certificate's.

    Raises it too for an invalid strategy: a number outside 0 to 1, a mix that does not sum to 1 or depends on what the
    first Player cannot know, a cell that is missing or cannot be dealt. Takes some seconds for a full shoe.
    """
    dealt = TableauxDealt(shoe, theta, model)
    _refuse(certificate, dealt)
    apart = Fraction(0)
    for hand, ways in dealt.naturals.items():
        left = list(shoe.values)
        for card in hand:
            left[card] -= dealt.taken
        proof = certificate.naturals[hand]
        check(proof, Shoe.from_values(left), model)
        apart += Fraction(ways * proof.lower, dealt.pairs * proof.denominator)
    bounds = apart + dealt.against_banker(certificate.players), apart + dealt.against_players(certificate)
    refuse_bounds(certificate.lower, certificate.upper, certificate.denominator, bounds)


def refuse_cells(side: str, stated: Set[Any], cells: Set[Any]) -> None:
    """Raise `InputError` if a side's cells are not those that can be dealt."""
    if stated != cells:
        wrong = min(stated ^ cells, key=str)
        raise InputError(
            f"certificate, {side}: {wrong} {'is missing' if wrong in cells else 'should be one the shoe can deal'}"
        )


def _refuse(certificate: BanqueCertificate, dealt: TableauxDealt) -> None:
    if not isinstance(certificate, BanqueCertificate):
        raise InputError(f"certificate: {certificate!r}, should be a BanqueCertificate")
    states = {None} if None in certificate.players else {first for _, first, _ in dealt.net}
    for side, stated, cells in (
        ("players", set(certificate.players), states),
        ("banker", set(certificate.banker), set(dealt.net)),
        ("naturals", set(certificate.naturals), set(dealt.naturals)),
    ):
        refuse_cells(side, stated, cells)
    for at, mix in certificate.players.items():
        if not isinstance(mix, PlayersMix) or not all(map(chance, mix)) or sum(mix) != 1:
            raise InputError(f"certificate, players: {at}: {mix}, should be a PlayersMix of fractions that sum to 1")
    if len({mix.both + mix.first for mix in certificate.players.values()}) > 1:
        raise InputError("certificate, players: the first should draw equally often in all, acting before the second")
    for cell, p in certificate.banker.items():
        if not chance(p):
            raise InputError(f"certificate, banker: {cell} draws with {p!r}, should be a fraction from 0 to 1")


Moves = tuple[bool | None, bool | None]  # whether each Player draws, None without a choice


class TableauxDealt(Cards):
    """All deals by information and moves: net[Banker's cell][the Players' moves] is what Banker's standing and drawing
    are worth to the Players; `naturals` the ways to deal a Player each natural, of `pairs`."""

    def __init__(self, shoe: Shoe, theta: Fraction | str, model: str) -> None:
        seen, stake = fitting_banque(shoe, theta, model)
        super().__init__(shoe, seen)
        self.by_total = seen.banker_sees == "total"
        self.first, self.second = stake.numerator, stake.denominator - stake.numerator
        self.net: dict[TwoCell, dict[Moves, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0]))
        n = sum(self.left)
        self.pairs, self.deals = n * (n - self.taken), stake.denominator
        for i in range(MOST_CARDS):
            self.deals *= n - i * self.taken
        self.naturals = {hand: ways for hand, ways in self.hands() if sum(hand) % 10 >= TOTALS}
        for banker, ways in self._low_hands():
            for one, n in self._totals():
                for two, m in self._totals():
                    self._finish(banker, one, two, ways * n * m)

    def _low_hands(self) -> Iterator[tuple[Hand, int]]:
        for hand, ways in self.hands():
            if sum(hand) % 10 < TOTALS:
                yield hand, ways

    def _totals(self) -> Iterator[tuple[int, int]]:
        """A Player's total below eight; with replacement all hands of a total at once."""
        if self.taken:
            yield from ((sum(hand) % 10, ways) for hand, ways in self._low_hands())
            return
        by_total: Counter[int] = Counter()
        for hand, ways in self._low_hands():
            by_total[sum(hand) % 10] += ways
        yield from by_total.items()

    def _thirds(self, total: int) -> Iterator[tuple[bool | None, int, int, int]]:
        """A Player's options: the move, the third card, the ways, and the final total."""
        letter = CLASSICAL.player[total]
        if letter != "D":
            yield None if letter == "S" else False, STOOD, 1, total
        if letter != "S":
            for card, ways in self.draws():
                yield None if letter == "D" else True, card, ways, (total + card) % 10

    def _finish(self, banker: Hand, one: int, two: int, ways: int) -> None:
        b = sum(banker) % 10
        own = b if self.by_total else banker
        unused = sum(self.left)
        # What Banker's card is worth against each total, over the cards that are left before the Players draw.
        against = _AGAINST[b]
        drawn = [sum(map(mul, self.left, against[total])) for total in range(10)]
        for move_one, card_one, n, p in self._thirds(one):
            for move_two, card_two, m, q in self._thirds(two):
                deals, rest, worth_one, worth_two = ways * n * m, unused, drawn[p], drawn[q]
                for card in (card_one, card_two):
                    if card == STOOD:
                        continue
                    rest -= self.taken
                    worth_one -= self.taken * against[p][card]
                    worth_two -= self.taken * against[q][card]
                for i in range(1, 1 + (card_one == STOOD) + (card_two == STOOD)):
                    deals *= rest - i * self.taken  # cards that are not dealt now
                moves = self.net[own, card_one, card_two][move_one, move_two]
                moves[0] += deals * rest * (self.first * sign(p - b) + self.second * sign(q - b))
                moves[1] += deals * (self.first * worth_one + self.second * worth_two)

    def against_banker(self, players: Mapping[int | None, PlayersMix]) -> Fraction:
        """The Players' mixes against the best reply in every cell of Banker's."""
        scale, plans = whole(
            {(at, plan): p for at, mix in players.items() for plan, p in zip(_PLANS, mix, strict=True)}
        )
        worth = 0
        for (_, first, _), parts in self.net.items():
            at = None if None in players else first
            stand = draw = 0
            for moves, (if_stands, if_draws) in parts.items():
                p = sum(plans[at, (one, two)] for one, two in _PLANS if _agrees(moves, one, two))
                stand += p * if_stands
                draw += p * if_draws
            worth += min(stand, draw)
        return Fraction(worth, self.deals * scale)

    def against_players(self, certificate: BanqueCertificate) -> Fraction:
        """Banker's mix against the Players' best common plan: the first's move, and the second's, by the first's third
        card if the second uses it."""
        together = None in certificate.players
        scale, draws = whole(certificate.banker)
        parts: dict[int | None, dict[Moves, int]] = defaultdict(lambda: defaultdict(int))
        for cell, at in self.net.items():
            p = draws[cell]
            for moves, (if_stands, if_draws) in at.items():
                parts[None if together else cell[1]][moves] += (scale - p) * if_stands + p * if_draws
        return Fraction(max(self._best(parts.values(), one) for one in (True, False)), self.deals * scale)

    def _best(self, cases: Iterable[Mapping[Moves, int]], one: bool) -> int:
        """What the Players have with this move of the first and the best move of the second in each case."""
        return sum(
            max(sum(w for moves, w in case.items() if _agrees(moves, one, two)) for two in (True, False))
            for case in cases
        )


# By Banker's total, a Player's total, and Banker's card.
_AGAINST = [[[sign(total - (b + card) % 10) for card in range(10)] for total in range(10)] for b in range(10)]
_PLANS = ((True, True), (True, False), (False, True), (False, False))  # in the order of a PlayersMix


def _agrees(moves: Moves, one: bool, two: bool) -> bool:
    return moves[0] in (None, one) and moves[1] in (None, two)
