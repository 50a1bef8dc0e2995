"""Laws of permutation, drawn: how often a sum of products is as large as the one seen, were its parts paired at random.

A stream's random numbers depend on (seed, stream) alone. Drawing stops when `enough` sums were as large, or after
`most`. Differences of rounding count as equal: `least` is the sum seen, less a tolerance.

Assumed, and checked by `counting.permutations`: segments that fit into the arrays, each with its end; a shoe has at
most as many stakes as coups.
"""
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from counting._philox cimport PHILOX_BLOCKS, philox, philox_below, philox_start


def within(uint64_t seed, uint64_t stream, const double[::1] stakes, const int32_t[::1] stake_of, double[::1] edges,
           const int32_t[::1] edge_of, double least, int64_t enough, int64_t most):
    """(as large, drawn), where each shoe's stakes fall on coups of its own at random.

    Stakes of shoe s are those from stake_of[s] on, edges of its coups those from edge_of[s] on. The edges are shuffled
    within their shoes.
    """
    cdef philox random
    cdef Py_ssize_t shoe, i, j, place, coups
    cdef int64_t large = 0, drawn = 0
    cdef double total, edge
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
    """(as large, drawn), where the stakes of a shoe fall on another of its group.

    The shoes of group g are those from group_of[g] on; of n of them sums has n by n, the groups one after another: what
    the stakes of one come to on each. order has the numbers of the shoes within their groups, and is shuffled.
    """
    cdef philox random
    cdef Py_ssize_t group, shoe, place, end, at
    cdef int64_t large = 0, drawn = 0
    cdef int32_t other
    cdef double total
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
