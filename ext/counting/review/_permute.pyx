"""Permutation tests by random draws: how often a sum of products, with the factors paired at random, is at least the
sum that was seen.

The random numbers of a stream depend only on (seed, stream). Drawing stops when `enough` sums were at least the sum
seen, or after `most` sums. Sums that differ only by rounding count as equal: `least` is the sum seen minus a tolerance.

`review.patrons.arrangements` makes sure of what is assumed here: the classes of `rearrange` are sorted. Each call
checks that segments fit into the arrays, and `within` checks that no shoe has more stakes than coups.
"""
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from counting._philox cimport PHILOX_BLOCKS, philox, philox_below, philox_start
from counting._room cimport room


def within(uint64_t seed, uint64_t stream, const double[::1] stakes, const int32_t[::1] stake_of, double[::1] edges,
           const int32_t[::1] edge_of, double least, int64_t enough, int64_t most):
    """The number of sums that are at least the sum seen, and the number of sums drawn. In each sum, the stakes of each
    shoe are put on random coups of the same shoe. Shoe s has the stakes from stake_of[s] on, and the coups of shoe s
    have the edges from edge_of[s] on. The edges are shuffled within their shoes."""
    cdef philox random
    cdef Py_ssize_t shoe, i, j, place, coups
    cdef int64_t large = 0, drawn = 0
    cdef double total, edge
    room(stake_of.shape[0] == edge_of.shape[0] > 0 and stake_of[0] >= 0 and edge_of[0] >= 0, "stake_of")
    for shoe in range(stake_of.shape[0] - 1):
        room(0 <= stake_of[shoe + 1] - stake_of[shoe] <= edge_of[shoe + 1] - edge_of[shoe], "edge_of")
    shoe = stake_of.shape[0] - 1
    room(stake_of[shoe] <= stakes.shape[0] and edge_of[shoe] <= edges.shape[0], "edges")
    philox_start(&random, seed, stream, PHILOX_BLOCKS)
    with nogil:
        while large < enough and drawn < most:
            total = 0
            for shoe in range(stake_of.shape[0] - 1):
                j = edge_of[shoe]
                coups = edge_of[shoe + 1] - j
                for i in range(stake_of[shoe], stake_of[shoe + 1]):
                    place = j + philox_below(&random, <uint32_t>coups)
                    edge = edges[place]
                    edges[place] = edges[j]
                    edges[j] = edge
                    total += stakes[i] * edge
                    j += 1
                    coups -= 1
            drawn += 1
            large += total >= least
    return large, drawn


def across(uint64_t seed, uint64_t stream, const double[::1] sums, const int32_t[::1] group_of, int32_t[::1] order,
           double least, int64_t enough, int64_t most):
    """The number of sums that are at least the sum seen, and the number of sums drawn. In each sum, the stakes of each
    shoe are put on a random shoe of the same group. Group g has the shoes from group_of[g] on. For a group of n shoes,
    sums has n by n numbers: what the stakes of each shoe give on each shoe. sums lists one group after another. order
    has the numbers of the shoes within their groups, and is shuffled."""
    cdef philox random
    cdef Py_ssize_t group, shoe, place, end, at
    cdef int64_t large = 0, drawn = 0
    cdef int32_t other
    cdef double total
    room(group_of.shape[0] > 0 and group_of[0] == 0, "group_of")
    at = 0
    for group in range(group_of.shape[0] - 1):
        end = group_of[group + 1] - group_of[group]
        room(end >= 0, "group_of")
        at += end * end
        for shoe in range(group_of[group], group_of[group + 1]):
            room(shoe < order.shape[0] and 0 <= order[shoe] < end, "order")
    room(at <= sums.shape[0], "sums")
    philox_start(&random, seed, stream, PHILOX_BLOCKS)
    with nogil:
        while large < enough and drawn < most:
            total = 0
            at = 0
            for group in range(group_of.shape[0] - 1):
                end = group_of[group + 1]
                for shoe in range(group_of[group], end):
                    place = shoe + philox_below(&random, <uint32_t>(end - shoe))
                    other = order[place]
                    order[place] = order[shoe]
                    order[shoe] = other
                    total += sums[at + other]
                    at += end - group_of[group]
            drawn += 1
            large += total >= least
    return large, drawn


def rearrange(uint64_t seed, uint64_t stream, const int32_t[::1] class_of, const int32_t[:, ::1] hands,
              const int32_t[:, ::1] place_of, const int32_t[:, ::1] stay, const int32_t[::1] full,
              int32_t[::1] order, int32_t[:, :, ::1] left):
    """Fill `left` (arrangements, coups, kinds) with the cards left at the start of each coup of a shoe. An arrangement
    exchanges the first two cards of hands of the same class; the first arrangement has the hands as dealt.

    - `class_of` (hands,): the class of each hand, sorted.
    - `hands` (hands, 2): the kinds of each hand's first two cards; a kind beyond the last is not counted.
    - `place_of` (coups, 2): the places of a coup's two hands in `hands`, -1 for a hand that stays.
    - `stay` (coups, kinds): the cards of each coup that stay.
    - `full` (kinds,): the cards of the shoe before its first coup.
    - `order` (hands,): 0, 1, 2 and so on at first; it is shuffled within the classes.
    """
    cdef philox random
    cdef Py_ssize_t number = class_of.shape[0], coups = left.shape[1], kinds = left.shape[2]
    cdef Py_ssize_t a, i, j, low, coup, kind, side
    cdef int32_t moved, hand
    room(hands.shape[0] == number == order.shape[0] and hands.shape[1] == 2, "hands")
    room(place_of.shape[0] == coups == stay.shape[0] and place_of.shape[1] == 2, "place_of")
    room(stay.shape[1] == kinds == full.shape[0], "stay")
    for i in range(number):
        room(0 <= order[i] < number and 0 <= hands[i, 0] and 0 <= hands[i, 1], "hands")
    for coup in range(coups):
        room(place_of[coup, 0] < number and place_of[coup, 1] < number, "place_of")
    philox_start(&random, seed, stream, PHILOX_BLOCKS)
    with nogil:
        for a in range(left.shape[0]):
            if a:
                low = 0
                for i in range(number):
                    if class_of[i] != class_of[low]:
                        low = i
                    j = low + philox_below(&random, <uint32_t>(i - low + 1))
                    moved = order[i]
                    order[i] = order[j]
                    order[j] = moved
            for coup in range(coups):
                if coup == 0:
                    for kind in range(kinds):
                        left[a, 0, kind] = full[kind]
                if coup + 1 == coups:
                    break
                for kind in range(kinds):
                    left[a, coup + 1, kind] = left[a, coup, kind] - stay[coup, kind]
                for side in range(2):
                    if place_of[coup, side] >= 0:
                        hand = order[place_of[coup, side]]
                        for i in range(2):
                            if hands[hand, i] < kinds:
                                left[a, coup + 1, hands[hand, i]] -= 1


def picked(uint64_t seed, uint64_t stream, const double[:, ::1] sums, double least, int64_t enough, int64_t most):
    """The number of sums that are at least the sum seen, and the number of sums drawn. Each sum drawn adds up one
    number for each shoe: the sum of a random arrangement of this shoe. `sums` is (shoes, arrangements)."""
    cdef philox random
    cdef Py_ssize_t shoe
    cdef int64_t large = 0, drawn = 0
    cdef uint32_t number = <uint32_t>sums.shape[1]
    cdef double total
    room(number > 0 or sums.shape[0] == 0, "sums")
    philox_start(&random, seed, stream, PHILOX_BLOCKS)
    with nogil:
        while large < enough and drawn < most:
            total = 0
            for shoe in range(sums.shape[0]):
                total += sums[shoe, philox_below(&random, number)]
            drawn += 1
            large += total >= least
    return large, drawn
