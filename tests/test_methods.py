"""Numbers in the proofs of `docs/methods.md`: the bounds of exactness, and the inclusion-exclusion formula."""

from itertools import combinations, permutations, product
from math import comb, perm

from counting.cards import DECK, MOST_DECKS
from counting.exact import FLOAT_CARDS, JOINT_CARDS


def weighted_pairs(cards: int) -> int:
    """B(N): the number of pairs of ordered three-card hands, each pair weighted by 2^(cards in common)."""
    return sum(comb(cards, s) * (perm(3, s) * perm(cards - s, 3 - s)) ** 2 for s in range(4))


def test_six_cards_are_dealt_in_fewer_ways_than_the_widths_hold() -> None:
    assert max(n for n in range(6, 1000) if perm(n, 6) < 2**53) == 458 == FLOAT_CARDS
    assert perm(DECK * MOST_DECKS, 6) < 2**63 <= perm(DECK * (MOST_DECKS + 1), 6)
    assert perm(416, 6) == 4_998_398_275_503_360


def test_inner_sums_of_the_linear_forms_stay_below_the_widths_too() -> None:
    def most(cards: int) -> int:
        return max(perm(6, k) * perm(cards, 6 - k) for k in range(7))

    assert max(map(most, range(6, FLOAT_CARDS + 1))) < 2**53
    assert max(map(most, range(6, DECK * MOST_DECKS + 1))) < 2**63


def test_terms_of_the_joint_law_add_up_to_less_than_the_widths_hold() -> None:
    assert max(n for n in range(6, 1000) if weighted_pairs(n) < 2**53) == 455 == JOINT_CARDS
    assert weighted_pairs(DECK * MOST_DECKS) < 2**63 <= weighted_pairs(DECK * (MOST_DECKS + 1))


def test_the_bound_counts_pairs_of_hands_by_the_cards_that_they_share() -> None:
    hands = list(permutations(range(5), 3))
    assert weighted_pairs(5) == sum(2 ** len({*a} & {*b}) for a, b in product(hands, hands))


def test_inclusion_and_exclusion_count_the_pairs_of_hands_without_a_common_card() -> None:
    """Theorem 3 on a shoe of eight cards, for hands by total: pairs are counted one by one, and by shared cards."""
    values = (0, 0, 1, 2, 2, 7, 8, 9)
    cards = range(len(values))
    hands = list(permutations(cards, 3))

    def total(hand: tuple[int, ...]) -> int:
        return sum(values[card] for card in hand) % 10

    for i, j in ((7, 6), (0, 9), (1, 1)):
        apart = sum(total(a) == i and total(b) == j and not {*a} & {*b} for a, b in product(hands, hands))
        by_shared = 0
        for size in range(4):
            for shared in combinations(cards, size):
                holding = [hand for hand in hands if {*shared} <= {*hand}]
                by_shared += (-1) ** size * sum(total(h) == i for h in holding) * sum(total(h) == j for h in holding)
        assert apart == by_shared
