"""Macao and Victoria, compared with plain Python that deals small shoes in every order, by the rules as their sources
state them."""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from extent import LONG, crossed, examples, long_or
from hypothesis import given
from hypothesis import strategies as st

import counting
from counting import InputError, Shoe
from counting.chemin.macao import Chart, Macao, Reply, best_reply, load_macao, odds, simulate
from counting.chemin.macao.simulator import _coups

SHIPPED = {name: load_macao(name) for name in ("macao", "early-macao", "victoria")}
MACAO = SHIPPED["macao"]


@cache
def reply_to(rules: Macao) -> Reply:
    """The best reply for the full shoe."""
    return best_reply(rules.shoe, rules)


# The reference implementation. A coup is the cards of a shoe in order: the punter's first cards, Banker's first cards,
# and the cards that may be drawn.

Decide = Callable[[str, tuple[int, ...], int], bool]  # "draw" or "reject", the hand as dealt, cards rejected so far
Tally = dict[int, Fraction]


def points(rules: Macao, hand: tuple[int, ...]) -> int | None:
    """A hand's points; None if it is bust."""
    if rules.over_nine == "modulo":
        return sum(hand) % 10
    return sum(hand) if sum(hand) <= 9 else None


def natural(rules: Macao, hand: tuple[int, ...]) -> int | None:
    return points(rules, hand) if len(hand) == rules.cards and points(rules, hand) in {8, 9} else None


def settled(rules: Macao, punter: tuple[int, ...], banker: tuple[int, ...]) -> int:
    mine, his = points(rules, punter), points(rules, banker)
    lost = -{None: 1, 8: rules.banker_eight_takes, 9: rules.banker_nine_takes}[natural(rules, banker)]
    if mine is None:
        return 0 if his is None and rules.both_bust == "push" else lost
    if his is None or mine > his or (mine == his and len(punter) < len(banker)):
        if rules.cards == 2 and len(punter) == 2 and punter[0] == punter[1] and punter[0]:
            return rules.pays_pair
        return {None: rules.pays, 8: rules.pays_eight, 9: rules.pays_nine}[natural(rules, punter)]
    if mine == his and len(punter) == len(banker) and rules.equal == "push":
        return 0
    return lost


def banker_plays(rules: Macao, banker: tuple[int, ...], rest: tuple[int, ...]) -> tuple[int, ...]:
    cards = iter(rest)
    for row in rules.banker:
        had = points(rules, banker)
        if had is None or row[had] == "S":
            break
        card = next(cards)
        while card == 0 and rules.rejects == "both":
            card = next(cards)
        banker += (card,)
    return banker


def initial(rules: Macao, order: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    k = rules.cards
    return order[:k], order[k : 2 * k], order[2 * k :]


def coup(rules: Macao, order: tuple[int, ...], decide: Decide) -> int:
    """What the punter wins on a coup with the cards in this order, if `decide` makes the punter's moves."""
    punter, banker, rest = initial(rules, order)
    if rules.naturals_shown and natural(rules, banker):
        return settled(rules, punter, banker)
    rejected = 0
    while (
        len(punter) < rules.cards + rules.most_drawn
        and points(rules, punter) is not None
        and decide("draw", punter, rejected)
    ):
        card, rest = rest[0], rest[1:]
        while card == 0 and rules.rejects != "nobody" and decide("reject", punter, rejected):
            rejected += 1
            card, rest = rest[0], rest[1:]
        punter += (card,)
    return settled(rules, punter, banker_plays(rules, banker, rest))


def by(chart: Chart, rules: Macao) -> Decide:
    def decide(what: str, hand: tuple[int, ...], rejected: int) -> bool:
        if what == "reject":
            return chart.rejects
        return chart.rows[len(hand) - rules.cards][sum(hand) % 10] == "D"

    return decide


def following(reply: Reply, asked: set[tuple[tuple[int, ...], int, str]] | None = None) -> Decide:
    """The moves of a best reply. There is an error in a state for which the reply has no move. Every move that is asked
    for is added to `asked`, with its state."""

    def decide(what: str, hand: tuple[int, ...], rejected: int) -> bool:
        play = reply.plays[tuple(sorted(hand)), rejected]
        if asked is not None:
            asked.add((tuple(sorted(hand)), rejected, what))
        said = play.draws if what == "draw" else play.rejects
        assert said is not None
        return said

    return decide


def orders(cards: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Every order of the cards. Cards of the same value are not distinguished."""
    left = Counter(cards)

    def from_here(so_far: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(so_far) == len(cards):
            yield so_far
        for value in sorted(left):
            if left[value]:
                left[value] -= 1
                yield from from_here((*so_far, value))
                left[value] += 1

    return from_here(())


def law_of(amounts: list[int]) -> Tally:
    return {units: Fraction(n, len(amounts)) for units, n in Counter(amounts).items()}


def found(law: Any) -> Tally:
    return {units: chance for units, chance in law.items() if chance}


def best_of(rules: Macao, every: list[tuple[int, ...]]) -> Fraction:
    """The most that a punter can win on average, if the punter sees the cards of the hand in order. Deals are grouped
    by what the punter sees, and the punter makes the best move for each group as a whole."""

    def stand(part: list[tuple[Any, ...]]) -> int:
        return sum(settled(rules, p, banker_plays(rules, b, rest)) for p, b, rest in part)

    def choose(part: list[tuple[Any, ...]]) -> int:
        punter = part[0][0]
        if len(punter) == rules.cards + rules.most_drawn or points(rules, punter) is None:
            return stand(part)
        return max(stand(part), draw(part))

    def draw(part: list[tuple[Any, ...]]) -> int:
        parts = defaultdict(list)
        for p, b, rest in part:
            parts[rest[0]].append((p, b, rest[1:]))
        total = 0
        for card, deals in parts.items():
            keep = choose([((*p, card), b, rest) for p, b, rest in deals])
            total += max(keep, draw(deals)) if card == 0 and rules.rejects != "nobody" else keep
        return total

    total, parts = 0, defaultdict(list)
    for order in every:
        p, b, rest = initial(rules, order)
        if rules.naturals_shown and natural(rules, b):
            total += settled(rules, p, b)
        else:
            parts[p].append((p, b, rest))
    return Fraction(total + sum(map(choose, parts.values())), len(every))


def row(rng: random.Random, share: float = 0.6) -> str:
    return "".join("D" if rng.random() < share else "S" for _ in range(10))


def some_rules(rng: random.Random, cards: int, drawn: int) -> Macao:
    """Random rules, with any combination of options."""
    bust = cards == 1 and rng.random() < 0.4
    shown = rng.random() < 0.5
    rows = [row(rng) for _ in range(drawn)]
    if shown:
        rows[0] = rows[0][:8] + "SS"
    data: dict[str, Any] = {
        "title": "some", "source": "drawn", "cards": cards, "most_drawn": drawn,
        "rejects": rng.choice(["punter", "both", "nobody"]),
        "over_nine": "bust" if bust else "modulo", "equal": rng.choice(["banker", "push"]), "naturals_shown": shown,
        "pays": rng.randint(1, 3), "pays_eight": rng.randint(1, 5), "pays_nine": rng.randint(1, 6),
        "banker_eight_takes": rng.randint(1, 3), "banker_nine_takes": rng.randint(1, 4), "banker": rows,
    }  # fmt: skip
    if bust:
        data["both_bust"] = rng.choice(["banker", "push"])
    if cards == 2:
        data["pays_pair"] = rng.randint(1, 4)
    return Macao.from_dict(data)


def some_cards(rng: random.Random, rules: Macao, most: int) -> tuple[int, ...]:
    """Random cards: enough that no coup runs out of them, of few values so that hands repeat, and some tens."""
    values = rng.sample(range(1, 10), 4)
    needed = 2 * rules.most_cards
    cards = [rng.choice(values) for _ in range(needed if rules.punter_rejects else needed - 1)]
    tens = rng.randint(1, max(1, most - len(cards)))
    return tuple(sorted(cards + [0] * tens))


def shoe_of(cards: tuple[int, ...]) -> Shoe:
    return Shoe.from_values([cards.count(value) for value in range(10)])


SIZES = [(1, 1, 8), (1, 1, 7), (1, 2, 8), (1, 2, 9), (1, 3, 9), (2, 1, 8), (2, 1, 7), (2, 2, 9)]


@pytest.mark.parametrize("seed", range(long_or(48, 8)))
def test_the_law_and_the_best_reply_by_dealing_every_order(seed: int) -> None:
    rng = random.Random(seed)
    cards, drawn, most = SIZES[seed % len(SIZES)]
    rules = some_rules(rng, cards, drawn)
    dealt = some_cards(rng, rules, most)
    every = list(orders(dealt))
    shoe = shoe_of(dealt)
    chart = Chart(tuple(row(rng) for _ in range(drawn)), rng.random() < 0.5)
    by_chart = [coup(rules, order, by(chart, rules)) for order in every]
    assert found(odds(shoe, rules, chart).probabilities) == law_of(by_chart)
    reply = best_reply(shoe, rules)
    assert reply.value == best_of(rules, every)
    asked: set[tuple[tuple[int, ...], int, str]] = set()
    amounts = [coup(rules, order, following(reply, asked)) for order in every]
    assert found(reply.probabilities) == law_of(amounts)
    if not rules.naturals_shown:  # otherwise, a natural of Banker's may end every coup that could reach a state
        said = {"draw": "draws", "reject": "rejects"}
        assert asked == {
            (hand, rejected, what)
            for (hand, rejected), play in reply.plays.items()
            for what, name in said.items()
            if getattr(play, name) is not None
        }
    # `_coups` shares no code with the exact chances. Each of its coups must pay the same as here.
    dealt_orders = np.array(every, np.uint8)
    assert _coups(dealt_orders, rules, reply).tolist() == amounts
    assert _coups(dealt_orders, rules, chart).tolist() == by_chart


# A second reference implementation, for larger shoes: cards are drawn one by one from counts, with their chances.

Left = tuple[int, ...]


def less(left: Left, value: int) -> Left:
    return (*left[:value], left[value] - 1, *left[value + 1 :])


def bank(rules: Macao) -> Callable[[Left], dict[tuple[int, ...], Fraction]]:
    """A function from the cards left to Banker's final hands, with their chances. One hand stands for all hands that
    are settled in the same way."""

    @cache
    def banker_ends(left: Left) -> dict[tuple[int, ...], Fraction]:
        ends: dict[tuple[Any, ...], Fraction] = defaultdict(Fraction)
        alike: dict[tuple[Any, ...], tuple[int, ...]] = {}
        hands: dict[tuple[int, ...], Fraction] = {(): Fraction(1)}
        while hands:
            longer: dict[tuple[int, ...], Fraction] = defaultdict(Fraction)
            for hand, chance in hands.items():
                had, drawn = points(rules, hand), len(hand) - rules.cards
                if drawn >= 0 and (drawn == rules.most_drawn or had is None or rules.banker[drawn][had] == "S"):
                    seen = had, len(hand), natural(rules, hand)
                    ends[alike.setdefault(seen, hand)] += chance
                    continue
                there = [n - hand.count(v) for v, n in enumerate(left)]
                if drawn >= 0 and rules.rejects == "both":
                    there[0] = 0
                for v, n in enumerate(there):
                    if n:
                        longer[tuple(sorted((*hand, v)))] += chance * Fraction(n, sum(there))
            hands = longer
        return ends

    return banker_ends


def first_hands(rules: Macao, left: Left) -> Iterator[tuple[tuple[int, ...], Left, Fraction]]:
    """Every way to deal the punter's first cards: the cards in order, the cards left after them, and the chance."""
    for hand in product(range(10), repeat=rules.cards):
        rest, chance = left, Fraction(1)
        for v in hand:
            chance *= Fraction(rest[v], sum(rest))
            rest = less(rest, v) if rest[v] else rest
        if chance:
            yield hand, rest, chance


def best_by_chances(rules: Macao, left: Left) -> Fraction:
    """The value of the best play. Coups that a natural of Banker's ends are added separately, because the punter makes
    no move in them."""
    ends = bank(rules)

    def settle(punter: tuple[int, ...], left: Left, naturals: bool) -> Fraction:
        return sum(
            (
                p * settled(rules, punter, banker)
                for banker, p in ends(left).items()
                if (rules.naturals_shown and natural(rules, banker) is not None) == naturals
            ),
            Fraction(),
        )

    @cache
    def act(punter: tuple[int, ...], left: Left) -> Fraction:
        if len(punter) == rules.most_cards or points(rules, punter) is None:
            return settle(punter, left, False)
        return max(settle(punter, left, False), draw(punter, left))

    @cache
    def draw(punter: tuple[int, ...], left: Left) -> Fraction:
        total = Fraction()
        for v in range(10):
            if left[v]:
                kept = act(tuple(sorted((*punter, v))), less(left, v))
                back = v == 0 and rules.rejects != "nobody"
                total += left[v] * (max(kept, draw(punter, less(left, 0))) if back else kept)
        return total / sum(left)

    value = Fraction()
    for hand, rest, chance in first_hands(rules, left):
        value += chance * (settle(hand, rest, True) + act(tuple(sorted(hand)), rest))
    return value


def by_chances(rules: Macao, chart: Chart, left: Left) -> Tally:
    """The distribution of the punter's win, if the punter plays by a chart."""
    ends = bank(rules)
    probabilities: Tally = defaultdict(Fraction)

    def settle(punter: tuple[int, ...], left: Left, chance: Fraction, naturals: bool) -> None:
        for banker, p in ends(left).items():
            if (rules.naturals_shown and natural(rules, banker) is not None) == naturals:
                probabilities[settled(rules, punter, banker)] += chance * p

    def act(punter: tuple[int, ...], left: Left, chance: Fraction) -> None:
        drawn = len(punter) - rules.cards
        if drawn == rules.most_drawn or points(rules, punter) is None or not by(chart, rules)("draw", punter, 0):
            settle(punter, left, chance, False)
            return
        while True:
            cards, back = sum(left), chart.rejects and rules.rejects != "nobody"
            for v in range(int(back), 10):
                if left[v]:
                    act((*punter, v), less(left, v), chance * left[v] / cards)
            if not back or not left[0]:
                break
            chance, left = chance * left[0] / cards, less(left, 0)

    for hand, rest, chance in first_hands(rules, left):
        settle(hand, rest, chance, True)
        act(hand, rest, chance)
    return {units: p for units, p in probabilities.items() if p}


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "shoe", "changes"),
    [
        ("macao", long_or("2d", "v:32,8,0,8,8,0,8,0,8,8"), {"rejects": "nobody"}),
        ("early-macao", long_or("v:6,4,4,3,4,4,3,4,4,4", "v:6,4,0,3,0,4,0,0,0,4"), {}),
        (
            "macao",
            long_or("v:3,4,3,4,4,2,4,4,1,4", "v:3,4,0,4,0,0,4,0,0,4"),
            {"rejects": "both", "naturals_shown": False},
        ),
        (
            "victoria",
            long_or("v:1,4,3,4,4,2,4,4,1,4", "v:1,4,0,4,4,2,0,0,1,4"),
            {"most_drawn": 1, "banker": ["DDDDDDSSSS"]},
        ),
    ],
)
def test_a_larger_shoe_card_by_card(name: str, shoe: str, changes: dict[str, Any]) -> None:
    rules = SHIPPED[name].varied(**changes)
    chart = Chart(("DDDDDDSSSS", "DDDDSSSSSS")[: rules.most_drawn])
    unseen = Shoe.parse(shoe)
    assert found(odds(unseen, rules, chart).probabilities) == by_chances(rules, chart, unseen.values)
    assert best_reply(unseen, rules).value == best_by_chances(rules, unseen.values)


# Computed by hand: the punter and Banker stand on the cards they are dealt.

STANDS = "S" * 10


def test_one_card_each_by_counting_pairs_of_cards() -> None:
    """Of 104 cards, 32 have the value 0, and 8 have each other value."""
    rules = MACAO.varied(most_drawn=1, banker=[STANDS])
    nine, eight = Fraction(8, 104) * Fraction(96, 103), Fraction(8, 104) * Fraction(88, 103)
    lower = sum(Fraction(8, 104) * Fraction(32 + 8 * (value - 1), 103) for value in range(1, 8))
    probabilities = {-1: 1 - nine - eight - lower, 1: lower, 2: eight, 3: nine}
    assert odds(Shoe.decks(2), rules, Chart((STANDS,))).probabilities == probabilities
    ties = Fraction(32 * 31 + 9 * 8 * 7, 104 * 103)
    early = rules.varied(over_nine="bust", equal="push")
    assert odds(Shoe.decks(2), early, Chart((STANDS,))).probabilities == {
        **probabilities,
        -1: probabilities[-1] - ties,
        0: ties,
    }


@pytest.mark.parametrize("pair", [1, 2])
def test_two_cards_each_by_counting_pairs_of_hands(pair: int) -> None:
    """A pair pays `pair`, even if it is a natural. Other naturals pay 2 for an eight and 3 for a nine. Two tens are not
    a pair."""
    rules = SHIPPED["victoria"].varied(most_drawn=1, banker=[STANDS], equal="push", pays_pair=pair)
    counts = Shoe.decks(2).values
    amounts: Tally = defaultdict(Fraction)
    for a, b, c, d in product(range(10), repeat=4):
        left, deals = list(counts), 1
        for value in (a, b, c, d):
            deals *= left[value]
            left[value] -= 1
        mine, his = (a + b) % 10, (c + d) % 10
        won = pair if a == b != 0 else {8: 2, 9: 3}.get(mine, 1)
        amounts[0 if mine == his else -1 if mine < his else won] += Fraction(deals, 104 * 103 * 102 * 101)
    assert odds(Shoe.decks(2), rules, Chart((STANDS,))).probabilities == amounts


# Properties of any shoe

SHOES = st.builds(Shoe.from_values, st.tuples(st.integers(0, 32), *[st.integers(2, 8) for _ in range(9)]))
FEW = examples(long=25, short=4)


@FEW
@given(SHOES, st.integers(0, 10**6))
def test_no_chart_wins_more_than_the_best_reply_and_probabilities_add_up_to_one(shoe: Shoe, seed: int) -> None:
    rng = random.Random(seed)
    rules = some_rules(rng, rng.randint(1, 2), rng.randint(1, 2))
    reply = best_reply(shoe, rules)
    probabilities = odds(
        shoe, rules, Chart(tuple(row(rng) for _ in range(rules.most_drawn)), rng.random() < 0.5)
    ).probabilities
    for chances in (reply.probabilities, probabilities):
        assert sum(chances.values()) == 1
        assert min(chances.values()) >= 0
    assert sum(units * chance for units, chance in probabilities.items()) <= reply.value


@FEW
@given(SHOES, st.integers(0, 10**6))
def test_an_unseen_card_burned_changes_nothing(shoe: Shoe, seed: int) -> None:
    rng = random.Random(seed)
    rules = some_rules(rng, 1, 2)
    chart = Chart((row(rng), row(rng)), rng.random() < 0.5)
    mean: Tally = defaultdict(Fraction)
    for value, n in enumerate(shoe.values):
        if n:
            for units, chance in odds(Shoe.from_values(less(shoe.values, value)), rules, chart).probabilities.items():
                mean[units] += chance * n / shoe.cards_left
    assert found(mean) == found(odds(shoe, rules, chart).probabilities)


@FEW
@given(SHOES, st.integers(0, 10**6))
def test_who_sees_a_card_burned_wins_no_less(shoe: Shoe, seed: int) -> None:
    rng = random.Random(seed)
    rules = some_rules(rng, 1, 1)
    mean = sum(
        best_reply(Shoe.from_values(less(shoe.values, value)), rules).value * n
        for value, n in enumerate(shoe.values)
        if n
    )
    assert mean / shoe.cards_left >= best_reply(shoe, rules).value


GENEROUS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"equal": "push"}, {"equal": "banker"}),
    ({"rejects": "punter"}, {"rejects": "nobody"}),
    ({"pays": 2}, {"pays": 1}),
    ({"pays_eight": 3}, {"pays_eight": 2}),
    ({"pays_nine": 3}, {"pays_nine": 2}),
    ({"banker_eight_takes": 1}, {"banker_eight_takes": 2}),
    ({"banker_nine_takes": 1}, {"banker_nine_takes": 3}),
]


@pytest.mark.parametrize(("name", "rows"), crossed(SHIPPED, GENEROUS))
def test_more_generous_rules_are_worth_more(name: str, rows: tuple[dict[str, Any], dict[str, Any]]) -> None:
    rules, (more, less) = SHIPPED[name], rows
    assert reply_to(rules.varied(**more)).value > reply_to(rules.varied(**less)).value


def test_a_push_when_both_are_out_is_worth_more() -> None:
    rules = SHIPPED["early-macao"]
    assert reply_to(rules.varied(both_bust="push")).value > reply_to(rules).value
    pairs = SHIPPED["victoria"]
    assert reply_to(pairs.varied(pays_pair=2)).value > reply_to(pairs).value


@pytest.mark.long
@pytest.mark.parametrize("name", SHIPPED)
def test_the_shipped_rule_of_bankers_is_the_best_threshold(name: str) -> None:
    rules = SHIPPED[name]
    ups = [row.count("D") for row in rules.banker]
    value = reply_to(rules).value
    for changed in product(*((up - 1, up, up + 1) for up in ups)):
        if not LONG and sum(a != b for a, b in zip(changed, ups, strict=True)) > 1:
            continue  # by default, one row at a time
        other = rules.varied(banker=["D" * up + "S" * (10 - up) for up in changed])
        assert changed == tuple(ups) or reply_to(other).value > value


@pytest.mark.long
@pytest.mark.parametrize(("decks", "rejects"), [(8, False), (long_or(8, 2), True)])
def test_the_largest_shoe_does_not_overflow(decks: int, rejects: bool) -> None:
    """The largest numbers occur in states in which no ten or face has been rejected."""
    rules = SHIPPED["victoria"].varied(most_drawn=3, rejects="both", banker=["DDDDDDSSSS"] * 3)
    assert sum(odds(Shoe.decks(decks), rules, Chart(("DDDDDDSSSS",) * 3, rejects)).probabilities.values()) == 1


@pytest.mark.long
@pytest.mark.parametrize("name", SHIPPED)
def test_dealt_coups_agree_with_the_law(name: str) -> None:
    rules = SHIPPED[name]
    reply = reply_to(rules)
    chart = Chart(("DDDDDSSSSS", "DDDSSSSSSS"), rejects=False)
    for punter, probabilities in ((reply, reply.probabilities), (chart, odds(rules.shoe, rules, chart).probabilities)):
        played = simulate(rules.shoe, rules, punter, long_or(100_000, 40_000), 5)
        assert sum(played.counts.values()) == played.coups
        assert all(abs(z) < 4 for z in played.z(probabilities).values())
        mean = sum(float(units * chance) for units, chance in probabilities.items())
        assert abs(played.mean - mean) < 4 * played.mean_se


def test_coups_depend_on_the_seed_and_the_block_alone() -> None:
    chart = Chart(("DDDDDSSSSS", "DDDSSSSSSS"))
    runs = [simulate(Shoe.decks(2), MACAO, chart, coups, 9).counts for coups in (20_000, 20_000, 20_001)]
    assert runs[0] == runs[1]
    changed = {units: runs[2][units] - n for units, n in runs[0].items() if runs[2][units] != n}
    assert list(changed.values()) == [1]
    assert simulate(Shoe.decks(2), MACAO, chart, 20_000, 10).counts != runs[0]


def test_mistakes_of_a_call() -> None:
    chart = Chart(("DDDDDSSSSS", "DDDSSSSSSS"))
    reply = best_reply(Shoe.decks(2), MACAO)
    few = Shoe.from_values([9, 1, 1, 1, 1, 1, 0, 0, 0, 0])
    for call, says in (
        (lambda: best_reply(2, MACAO), "shoe: 2, should be a Shoe"),
        (lambda: best_reply(few, MACAO), "5 cards other than tens and faces, should be 6 or more"),
        (lambda: best_reply(Shoe.decks(9), MACAO), "shoe 9d: 468 cards, should be 416 at most"),
        (lambda: best_reply(Shoe.decks(2), "macao"), "rules: 'macao', should be Macao's"),
        (lambda: odds(Shoe.decks(2), MACAO, reply), "chart: Reply"),
        (lambda: odds(Shoe.decks(2), MACAO, Chart((STANDS,))), "chart SSSSSSSSSS: should have 2 rows"),
        (lambda: Chart(("DX", STANDS)), "chart 'DX': should be 10 letters"),
        (lambda: simulate(Shoe.decks(1), MACAO, reply, 10), "reply: is for shoe 2d, Macao, should be for 1d, Macao"),
        (lambda: simulate(Shoe.decks(2), MACAO, chart, 0), "coups: 0, should be a whole number"),
    ):
        with pytest.raises(InputError, match="^.*" + re.escape(says)):
            call()
    assert odds(few, MACAO.varied(rejects="nobody"), chart).value


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("cards = 1", "cards = 3", "cards = 3: should be a whole number from 1 to 2"),
        ("cards = 1", "cards = true", "cards = true: should be a whole number from 1 to 2"),
        ("cards = 1", "cards = 1\npays_pair = 2", "pays_pair = 2: needs cards = 2, should be left out"),
        ("cards = 1", "", "cards: missing"),
        ("decks = 2", "deks = 2", "deks = 2: unknown key, should be one of title, source, cards, decks, "),
        ("decks = 2", "decks = 9", "decks = 9: should be a whole number from 1 to 8"),
        ("most_drawn = 2", "most_drawn = 1", "banker: 2 rows, should be 1, one for each of most_drawn"),
        ('"punter"', '"punters"', "rejects = \"punters\": should be 'punter', 'both' or 'nobody'"),
        ('"modulo"', '"modulo"\nboth_bust = "push"', 'both_bust = "push": needs over_nine = "bust"'),
        ("cards = 1", 'cards = 2\nover_nine = "bust"', 'over_nine = "bust": should be "modulo" where two cards'),
        ('"D D D D D D S S S S", # no', '"D D D D D D S S D S", # no', 'banker 1 = "DDDDDDSSDS": should stand on 8'),
        ('"D D D D D D S S S S", # no', '"D D D", # no', 'banker 1 = "D D D": should be 10 letters'),
        ("banker = [", "banker = 5\nx = [", "banker = 5: should be a list of rows"),
        ("pays_nine = 3", "pays_nine = 0", "pays_nine = 0: should be a whole number from 1 to 100"),
        ("naturals_shown = true", "naturals_shown = 1", "naturals_shown = 1: should be true or false"),
        ('title = "Macao"', 'title = ""', 'title = "": should be a text in quotes'),
    ],
)
def test_mistakes_in_a_file(old: str, new: str, says: str, tmp_path: Path) -> None:
    text = (Path(counting.__file__).parent / "chemin" / "macao" / "macao.toml").read_text()
    assert old in text
    if "over_nine" in new:
        text = text.replace('over_nine = "modulo"\n', "")
    (file := tmp_path / "mine.toml").write_text(text.replace(old, new, 1) + "")
    with pytest.raises(InputError) as caught:
        load_macao(file)
    assert str(caught.value).splitlines()[0].startswith(f"{file}: {says}") or f"{file}: {says}" in str(caught.value)


def test_every_mistake_of_a_file_is_told(tmp_path: Path) -> None:
    text = (Path(counting.__file__).parent / "chemin" / "macao" / "macao.toml").read_text()
    (file := tmp_path / "mine.toml").write_text(text.replace("decks = 2", "deks = 2").replace("pays = 1", "pays = -1"))
    with pytest.raises(InputError, match="did you mean 'decks'") as caught:
        load_macao(file)
    assert len(str(caught.value).splitlines()) == 2


def test_shipped_rules_are_the_documents_where_it_says_so() -> None:
    for name, rules in SHIPPED.items():
        assert (rules.decks, rules.cards) == (2, 2 if name == "victoria" else 1)
        assert (rules.pays, rules.pays_eight, rules.pays_nine, rules.pays_pair) == (1, 2, 3, 1)
        early = name == "early-macao"
        assert (rules.over_nine, rules.equal) == (("bust", "push") if early else ("modulo", "banker"))


def test_a_simulation_tells_how_far_it_is() -> None:
    progress: list[tuple[int, int]] = []
    rules = load_macao("macao")
    punter = Chart(("DDDDDDSSSS", "DDDDDSSSSS"))
    simulated = simulate(rules.shoe, rules, punter, 45_000, 1, lambda done, of: progress.append((done, of)))
    assert progress == [(1, 3), (2, 3), (3, 3)]
    assert sum(simulated.counts.values()) == 45_000


def test_what_is_no_chart_and_no_punter_is_told() -> None:
    with pytest.raises(InputError, match="chart None: should be a row for each card that may be drawn"):
        Chart(None)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="punter: 'x', should be a Chart or a Reply"):
        simulate(Shoe.decks(2), load_macao("macao"), "x", 10)  # type: ignore[arg-type]
