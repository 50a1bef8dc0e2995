"""Sums of products of counts of cards, walked as trees for many shoes at once.

The number of ways to draw cards of given kinds, one after another, is a product. A factor is the number of cards of a
kind, less the cards of this kind already drawn. Products that share their first factors make a tree.
`counting.exact.hand_counts` lays out the trees of a bet's lines. `_trees_body.h` walks the trees for a block of shoes
in vector lanes. The instruction set is chosen at run time.
"""
cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t, uintptr_t
from libc.stdlib cimport free, malloc

from counting._room cimport room

cdef extern from "_trees.h" nogil:
    ctypedef struct tree:
        int64_t nodes
        int kinds
        int roots
        int slots
        const uint8_t *depth
        const uint8_t *less
        const int32_t *draw
        const int32_t *slot
        const int64_t *first
        const int64_t *weight
    const int TREE_DEPTHS, TREE_SHOES, TREE_DEALT
    void tree_sums_plain(const tree *, const int64_t *, const int64_t *, Py_ssize_t, Py_ssize_t, Py_ssize_t, void *,
                         int64_t *)
    void tree_sums_avx2(const tree *, const int64_t *, const int64_t *, Py_ssize_t, Py_ssize_t, Py_ssize_t, void *,
                        int64_t *)
    void tree_sums_avx512(const tree *, const int64_t *, const int64_t *, Py_ssize_t, Py_ssize_t, Py_ssize_t, void *,
                          int64_t *)
    void tree_lines_plain(const tree *, const tree *, const int32_t *, const int32_t *, const int32_t *, Py_ssize_t,
                          int, int, int, void *, int64_t *)
    void tree_lines_avx2(const tree *, const tree *, const int32_t *, const int32_t *, const int32_t *, Py_ssize_t,
                         int, int, int, void *, int64_t *)
    void tree_lines_avx512(const tree *, const tree *, const int32_t *, const int32_t *, const int32_t *, Py_ssize_t,
                           int, int, int, void *, int64_t *)

cdef enum:
    LINE = 64  # vectors are aligned to this number of bytes, which is also the most bytes of a vector


@cython.final
cdef class Program:
    """A tree with `slots` sums. Node i is at depth[i]. The node draws a card of kind draw[i], of which less[i] are
    drawn already. At depth 0 the node draws no card, and its value is base draw[i]. The node's terms are first[i] to
    first[i + 1] - 1. A term adds its weight times the node's value to the sum of its slot. A node's value is the
    product of the factors on the way from the root to the node."""
    cdef tree of
    cdef object arrays

    def __init__(self, const uint8_t[::1] depth, const uint8_t[::1] less, const int32_t[::1] draw,
                 const int64_t[::1] first, const int32_t[::1] slot, const int64_t[::1] weight, int slots):
        cdef Py_ssize_t nodes = depth.shape[0], terms = slot.shape[0], i
        room(less.shape[0] == nodes == draw.shape[0] and first.shape[0] == nodes + 1, "nodes")
        room(weight.shape[0] == terms and first[0] == 0 and first[nodes] == terms, "terms")
        for i in range(nodes):
            room(depth[i] < TREE_DEPTHS and (i > 0 or depth[i] == 0) and first[i] <= first[i + 1], "depth")
            room(i == 0 or depth[i] <= depth[i - 1] + 1, "depth")
            room(0 <= draw[i] < 1 << 24, "draw")
            if depth[i]:
                self.of.kinds = max(self.of.kinds, draw[i] + 1)
            else:
                self.of.roots = max(self.of.roots, draw[i] + 1)
        for i in range(terms):
            room(0 <= slot[i] < slots, "slot")
        self.arrays = (depth, less, draw, first, slot, weight)
        self.of.nodes, self.of.slots, self.of.first = nodes, slots, &first[0]
        if nodes:
            self.of.depth, self.of.less, self.of.draw = &depth[0], &less[0], &draw[0]
        if terms:
            self.of.slot, self.of.weight = &slot[0], &weight[0]


cdef void *_space(Py_ssize_t counts, void **aligned) except NULL:
    """Memory for this number of counts of a block of shoes. `aligned` becomes the first aligned place. The caller frees
    the memory."""
    cdef void *all_of_it = malloc(TREE_SHOES * counts * sizeof(int64_t) + LINE)
    if all_of_it == NULL:
        raise MemoryError
    aligned[0] = <void *>((<uintptr_t>all_of_it + LINE - 1) & ~<uintptr_t>(LINE - 1))
    return all_of_it


def sums(Program program, const int64_t[:, ::1] counts, const int64_t[:, ::1] bases, int64_t[:, ::1] out, int level):
    """Fill out[shoe, slot] with the sums of a tree: counts is (shoes, kinds), bases (shoes, roots)."""
    cdef Py_ssize_t shoes = counts.shape[0], kinds = counts.shape[1], roots = bases.shape[1]
    cdef void *all_of_it
    cdef void *aligned
    room(bases.shape[0] == shoes == out.shape[0] and out.shape[1] == program.of.slots, "out")
    room(program.of.kinds <= kinds and program.of.roots <= roots, "counts")
    if shoes == 0 or kinds == 0 or roots == 0 or out.shape[1] == 0:
        return
    all_of_it = _space(kinds + roots + program.of.slots, &aligned)
    with nogil:
        if level == 2:
            tree_sums_avx512(&program.of, &counts[0, 0], &bases[0, 0], shoes, kinds, roots, aligned, &out[0, 0])
        elif level == 1:
            tree_sums_avx2(&program.of, &counts[0, 0], &bases[0, 0], shoes, kinds, roots, aligned, &out[0, 0])
        else:
            tree_sums_plain(&program.of, &counts[0, 0], &bases[0, 0], shoes, kinds, roots, aligned, &out[0, 0])
    free(all_of_it)


def lines(Program by_kind, Program by_value, const int32_t[::1] kind, const int32_t[::1] value,
          const int32_t[:, ::1] cards, int64_t[:, ::1] out, int level):
    """Fill out[shoe, line] with the number of six-card deals of each line. `by_kind` has a single base, which is 1; its
    sums are the bases of `by_value`. `by_value` has five sums for each line, one for each number of cards dealt, two to
    six.

    cards is (shoes, width); its entry k is of the kind kind[k] and of the value value[k]. A draw of the value after the
    last value is a draw of any card.
    """
    cdef Py_ssize_t shoes = cards.shape[0], width = cards.shape[1], k
    cdef int kinds = 0, values = 0
    cdef void *all_of_it
    cdef void *aligned
    room(kind.shape[0] == width == value.shape[0] and out.shape[0] == shoes, "out")
    room(by_value.of.slots == TREE_DEALT * out.shape[1] and by_value.of.roots <= by_kind.of.slots, "by_value")
    for k in range(width):
        room(0 <= kind[k] and 0 <= value[k], "kind")
        kinds, values = max(kinds, kind[k] + 1), max(values, value[k] + 1)
    room(by_kind.of.kinds <= kinds and by_kind.of.roots <= 1 and by_value.of.kinds <= values + 1, "kind")
    if shoes == 0 or width == 0 or out.shape[1] == 0:
        return
    all_of_it = _space(kinds + values + 1 + by_kind.of.slots + by_value.of.slots, &aligned)
    with nogil:
        if level == 2:
            tree_lines_avx512(&by_kind.of, &by_value.of, &kind[0], &value[0], &cards[0, 0], shoes, <int>width, kinds,
                              values, aligned, &out[0, 0])
        elif level == 1:
            tree_lines_avx2(&by_kind.of, &by_value.of, &kind[0], &value[0], &cards[0, 0], shoes, <int>width, kinds,
                            values, aligned, &out[0, 0])
        else:
            tree_lines_plain(&by_kind.of, &by_value.of, &kind[0], &value[0], &cards[0, 0], shoes, <int>width, kinds,
                             values, aligned, &out[0, 0])
    free(all_of_it)
