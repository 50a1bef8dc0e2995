"""Sums of products of counts of cards, walked as trees for many shoes at once.

The number of ways to draw cards of given kinds, one after another, is a product of counts less the cards already drawn
of them. Sums of such products that share their first factors make a tree (`_trees.h`); `counting.exact.hand_counts`
lays the trees of a bet's lines out.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free

from counting._room cimport room

cdef extern from "_trees.h" nogil:
    const int TREE_SHOES
    const int TREE_DEPTHS
    void tree_block(const uint64_t *, const uint64_t *, int64_t, const uint8_t *, const uint8_t *, const int32_t *,
                    const int64_t *, const int32_t *, const int64_t *, uint64_t *)


def sums(const int64_t[:, ::1] counts, const int64_t[:, ::1] bases, const uint8_t[::1] depth, const uint8_t[::1] less,
         const int32_t[::1] draw, const int64_t[::1] first, const int32_t[::1] slot, const int64_t[::1] weight,
         int64_t[:, ::1] out):
    """Fill out[shoe, slot] with the sums of a tree: counts is (shoes, kinds), bases (shoes, roots).

    Node i is at depth[i], draws kind draw[i] of which less[i] are drawn already, or begins with base draw[i] at depth
    0, and has the terms first[i] to first[i + 1].
    """
    cdef Py_ssize_t shoes = counts.shape[0], kinds = counts.shape[1], roots = bases.shape[1], slots = out.shape[1]
    cdef Py_ssize_t nodes = depth.shape[0], terms = slot.shape[0], i, s, k, block, width, some
    cdef uint64_t *room_for
    room(bases.shape[0] == shoes == out.shape[0], "out")
    room(less.shape[0] == nodes == draw.shape[0] and first.shape[0] == nodes + 1, "nodes")
    room(weight.shape[0] == terms and first[0] == 0 and first[nodes] == terms, "terms")
    for i in range(nodes):
        room(depth[i] < TREE_DEPTHS and (i > 0 or depth[i] == 0) and first[i] <= first[i + 1], "depth")
        room(i == 0 or depth[i] <= depth[i - 1] + 1, "depth")
        room(0 <= draw[i] < (kinds if depth[i] else roots), "draw")
    for i in range(terms):
        room(0 <= slot[i] < slots, "slot")
    width = kinds + roots + slots
    room_for = <uint64_t *>calloc(width * TREE_SHOES + 1, sizeof(uint64_t))
    if room_for == NULL:
        raise MemoryError()
    with nogil:
        block = 0
        while block < shoes:
            for s in range(TREE_SHOES):
                i = min(block + s, shoes - 1)
                for k in range(kinds):
                    room_for[k * TREE_SHOES + s] = <uint64_t>counts[i, k]
                for k in range(roots):
                    room_for[(kinds + k) * TREE_SHOES + s] = <uint64_t>bases[i, k]
                for k in range(slots):
                    room_for[(kinds + roots + k) * TREE_SHOES + s] = 0
            tree_block(room_for, room_for + kinds * TREE_SHOES, nodes, &depth[0], &less[0], &draw[0], &first[0],
                       &slot[0] if terms else NULL, &weight[0] if terms else NULL,
                       room_for + (kinds + roots) * TREE_SHOES)
            some = min(<Py_ssize_t>TREE_SHOES, shoes - block)
            for s in range(some):
                for k in range(slots):
                    out[block + s, k] = <int64_t>room_for[(kinds + roots + k) * TREE_SHOES + s]
            block += TREE_SHOES
        free(room_for)
