"""Linear forms over six-card multisets, counted for many shoes at once.

One shoe. Every coup is settled by the next six cards. So the number of ordered six-card deals in which an event happens
is

    sum_m w(m) * prod_v n_v(n_v-1)...(n_v-m_v+1)

over the 5,005 multisets m of six point values. n is the composition. w(m) is the number of orders of the multiset's
values in which the event happens; it depends on the rules only.

The order of the 5,005. A multiset has k cards of the low half {0..4} and 6-k cards of the high half {5..9}. There is a
block for each k = 0..6, one after another. A block is row-major, low by high. `low_base` and `high_local` turn a pair
of half-multisets into the place of the multiset.

Many shoes. `_forms_body.h` has the arithmetic for a block of shoes in vector lanes. The instruction set is chosen at
run time.

Assumed, and checked by `counting.exact.linear_forms` and `counting.exact.many_shoes`: counts are not negative, the
arrays fit together, and a shoe has at least six cards and at most the number for which the number type is exact.
"""
cimport cython
from libc.stdint cimport int32_t, int64_t

from counting._room cimport room

cdef extern from "_forms.h" nogil:
    ctypedef struct forms_index:
        const int32_t *product
        const int32_t *part_group
        const int32_t *group_rows
        const int32_t *group_start
        const int32_t *inner
        const int32_t *wide_start
        const int32_t *wide
        const int32_t *part_single
        const int32_t *single
    const int PLAIN_SHOES
    const int STORED
    const int ROWS
    const int WIDE
    const int PARTS
    int vectors_best()
    void forms_block_int64(const int32_t *, int, const forms_index *, const int64_t *, const int64_t *,
                           const int64_t *, int, int64_t *)
    void forms_block_plain(const int32_t *, int, const forms_index *, const double *, const double *,
                           const double *, int, double *)
    void forms_block_avx2(const int32_t *, int, const forms_index *, const double *, const double *,
                          const double *, int, double *)
    void forms_block_avx512(const int32_t *, int, const forms_index *, const double *, const double *,
                            const double *, int, double *)


cdef enum:
    MULTISETS = 5005
    HALF = 462  # multisets of at most six cards of five values
    SHORTER = 252  # multisets of at most five cards


def best_level():
    """The fastest instruction set that this build has and this machine runs: 0 plain, 1 AVX2, 2 AVX-512."""
    return vectors_best()


def sequences(const int32_t[::1] player, const int32_t[:, ::1] banker, const int32_t[:, :, :, ::1] classes,
              const int32_t[:, ::1] allowed, const int32_t[:, ::1] step, const int32_t[::1] low_base,
              const int32_t[::1] high_local, int32_t[:, ::1] out):
    """Add to out[class, multiset] the number of six-value sequences that end in the class and are allowed.

    player[total] and banker[total, third] are 1 if the hand draws, and -1 if the hand's total ends the coup. The entry
    third = 10 is for a Player who stood. classes[Player's total, Banker's total, Player drew, Banker drew] is the class
    of an outcome. allowed[place, value] is 1 if the card at this place in dealing order may have this value. step[half,
    v] is the half-multiset with one more card of value v.
    """
    cdef int card[6]
    cdef int low[7]
    cdef int high[7]
    cdef int at, card_at, i, p, q, drew, ways
    cdef bint alike[2]
    room(player.shape[0] == 10 == banker.shape[0] and banker.shape[1] == 11, "tableau")
    room(classes.shape[0] == 10 == classes.shape[1] and classes.shape[2] == 2 == classes.shape[3], "classes")
    room(allowed.shape[0] == 6 and allowed.shape[1] == 10 and out.shape[1] == MULTISETS, "allowed")
    room(step.shape[0] == SHORTER and step.shape[1] == 5 and low_base.shape[0] == HALF == high_local.shape[0], "step")
    for p in range(10):
        for q in range(10):
            for i in range(4):
                room(0 <= classes[p, q, i & 1, i >> 1] < out.shape[0], "classes")
    # If the two places of a hand's first two cards allow the same values, the rising order stands for both orders.
    for i in range(2):
        alike[i] = True
        for p in range(10):
            if allowed[i, p] != allowed[i + 2, p]:
                alike[i] = False
    low[0] = high[0] = 0
    at, card[0] = 0, -1
    with nogil:
        while at >= 0:
            card[at] += 1
            card_at = card[at]
            if card_at == 10:
                at -= 1
                continue
            if not allowed[at, card_at]:
                continue
            low[at + 1] = step[low[at], card_at] if card_at < 5 else low[at]
            high[at + 1] = high[at] if card_at < 5 else step[high[at], card_at - 5]
            if at < 5:
                at += 1
                card[at] = card[at - 2] - 1 if (at == 2 or at == 3) and alike[at - 2] else -1
                continue
            ways = 1
            for i in range(2):
                if alike[i] and card[i] != card[i + 2]:
                    ways *= 2
            p = (card[0] + card[2]) % 10
            q = (card[1] + card[3]) % 10
            drew = 0
            if player[p] >= 0 and banker[q, 10] >= 0:
                if player[p]:
                    drew = 1
                    if banker[q, card[4]]:
                        drew = 3
                        q = (q + card[5]) % 10
                    p = (p + card[4]) % 10
                elif banker[q, 10]:
                    drew = 2
                    q = (q + card[4]) % 10
            out[classes[p, q, drew & 1, drew >> 1], low_base[low[6]] + high_local[high[6]]] += ways


@cython.final
cdef class Index:
    """The places of a program's weights: the arrays of `forms_index`, which are kept alive."""
    cdef forms_index ix
    cdef object arrays
    # the number of forms, and the least number of each kind of weights
    cdef Py_ssize_t forms, weights, wide_weights, single_weights

    def __init__(self, const int32_t[:, ::1] product, const int32_t[::1] part_group,
                 const int32_t[:, ::1] group_rows, const int32_t[::1] group_start, const int32_t[::1] inner,
                 const int32_t[::1] wide_start, const int32_t[:, ::1] wide, const int32_t[::1] part_single,
                 const int32_t[:, ::1] single):
        cdef Py_ssize_t parts = part_group.shape[0] - 1
        room(product.shape[0] == 2 * STORED and product.shape[1] == 2, "product")
        room(part_group.shape[0] == part_single.shape[0] > 0, "part_group")
        room(group_rows.shape[1] == ROWS and group_start.shape[0] > 0 and parts % PARTS == 0, "group_rows")
        self.forms = parts // PARTS
        room(part_group[parts] <= min(group_rows.shape[0], group_start.shape[0] - 1), "part_group")
        room(group_start[part_group[parts]] <= inner.shape[0], "group_start")
        room(wide_start.shape[0] == 2 * self.forms + 1, "wide_start")
        room(wide_start[2 * self.forms] <= wide.shape[0] and wide.shape[1] == 2, "wide")
        room(part_single[parts] <= single.shape[0] and single.shape[1] == 2, "part_single")
        self.weights, self.wide_weights = group_start[part_group[parts]], wide_start[2 * self.forms]
        self.single_weights = part_single[parts]
        self.arrays = (product, part_group, group_rows, group_start, inner, wide_start, wide, part_single, single)
        self.ix.product = &product[0, 0]
        self.ix.part_group = &part_group[0]
        self.ix.group_rows = &group_rows[0, 0]
        self.ix.group_start = &group_start[0]
        self.ix.inner = &inner[0]
        self.ix.wide_start = &wide_start[0]
        self.ix.wide = &wide[0, 0]
        self.ix.part_single = &part_single[0]
        self.ix.single = &single[0, 0]


cdef int _fits(Index index, const int32_t[:, ::1] values, Py_ssize_t rows, Py_ssize_t width, Py_ssize_t wide_rows,
               Py_ssize_t wide, Py_ssize_t single, Py_ssize_t shoes, Py_ssize_t forms) except -1:
    """Raise `ValueError` unless these weights belong to an index whose forms fit the array to be filled."""
    room(values.shape[1] == 10 and values.shape[0] == shoes > 0 and forms == index.forms > 0, "out")
    room(rows >= index.weights and width == ROWS, "weights")
    room(wide_rows >= index.wide_weights and wide == WIDE, "wide_weights")
    room(single >= index.single_weights, "single_weights")
    return 0


def counts_float64(const int32_t[:, ::1] values, Index index, const double[:, ::1] weights,
                   const double[:, ::1] wide_weights, const double[::1] single_weights, double[:, ::1] out, int level):
    """Fill out[shoe, form] with the counts of one or more forms, on one or more shoes of at most 458 cards."""
    cdef const forms_index *ix = &index.ix
    cdef Py_ssize_t s, shoes = values.shape[0]
    cdef int forms = out.shape[1]
    cdef int step = 16 if level == 2 else 8 if level == 1 else PLAIN_SHOES
    cdef int n
    _fits(index, values, weights.shape[0], weights.shape[1], wide_weights.shape[0], wide_weights.shape[1],
          single_weights.shape[0], out.shape[0], forms)
    cdef const double *w = &weights[0, 0]
    cdef const double *wide = &wide_weights[0, 0]
    cdef const double *single = &single_weights[0]
    s = 0
    with nogil:
        while s < shoes:
            n = <int>min(step, shoes - s)
            if level == 2:
                forms_block_avx512(&values[s, 0], n, ix, w, wide, single, forms, &out[s, 0])
            elif level == 1:
                forms_block_avx2(&values[s, 0], n, ix, w, wide, single, forms, &out[s, 0])
            else:
                forms_block_plain(&values[s, 0], n, ix, w, wide, single, forms, &out[s, 0])
            s += step


def counts_int64(const int32_t[:, ::1] values, Index index, const int64_t[:, ::1] weights,
                 const int64_t[:, ::1] wide_weights, const int64_t[::1] single_weights, int64_t[:, ::1] out):
    """Fill out[shoe, form] with the counts of one or more forms, on one or more shoes of at most 27 decks."""
    cdef const forms_index *ix = &index.ix
    cdef Py_ssize_t s, shoes = values.shape[0]
    cdef int forms = out.shape[1]
    _fits(index, values, weights.shape[0], weights.shape[1], wide_weights.shape[0], wide_weights.shape[1],
          single_weights.shape[0], out.shape[0], forms)
    with nogil:
        for s in range(0, shoes, 2):
            forms_block_int64(&values[s, 0], <int>min(2, shoes - s), ix, &weights[0, 0], &wide_weights[0, 0],
                              &single_weights[0], forms, &out[s, 0])
