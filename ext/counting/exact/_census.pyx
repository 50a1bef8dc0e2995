"""Census: a bet's numerator on every composition of n cards, each with its number of ways.

The numerator is a polynomial of degree six in the counts of the nine values 1 to 9, in the basis
prod_v C(n_v, k_v); the tens are the cards that are left. `coefficients` are by rising degree. Fixing the
count of the last value contracts it to a polynomial in the others: in planes k = 0 .. 6 of falling length
plane_k[j] goes with C(n, k). Level by level six counts are fixed so; `_census_body.h` takes the last three.
Several alternatives are several polynomials over one unit, side by side at each level; the largest counts.

Exact: numerators and all partial sums are integers below 2^53, as `counting.exact.censuses` checks. Sums over
compositions are floats, added up level by level.

Assumed, and checked there: planes[start[r] : start[r + 1]] is a permutation of level r's coefficients, planes
of r - 1 values by rising degree; tables fit together; `digits` of a task leave cards enough.
"""
cimport cython
from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, malloc

from counting._room cimport room

cdef extern from "_census.h" nogil:
    ctypedef struct census_tables:
        int alternatives
        int most
        const double *choose
        const double *choose_ways
        const int32_t *pairs
        const double *basis
        const double *ways
        const int64_t *ways_start
        double low
        double scale
        double bins
        int tag
        const int32_t *tags
        double *histogram
        double *by_count
        double *numerators
        int room
        double *shares
    ctypedef struct census_sums:
        double mean
        double square
        double plus
        double positive
        double nothing
        double best
        int at
    void census_row_plain(const census_tables *, const double *, int, double, int, census_sums *)
    void census_row_avx2(const census_tables *, const double *, int, double, int, census_sums *)
    void census_row_avx512(const census_tables *, const double *, int, double, int, census_sums *)

cdef enum:
    VALUES = 9

cdef int LENGTH[10]  # coefficients of a polynomial of degree six in n counts
LENGTH[:] = [1, 7, 28, 84, 210, 462, 924, 1716, 3003, 5005]


cdef struct walk:
    const census_tables *tables
    const int32_t *planes
    const int32_t *start
    int level
    double *room  # coefficients of each level, and a level's in planes
    int tags[10]  # of a count, each value's above that of tens
    int digits[10]  # counts of the values fixed, on the way
    int best_digits[10]


cdef void _fix(walk *w, int r, const double *coefficients, int count, double *into) noexcept nogil:
    """Contract each alternative's polynomial in r counts to one in r - 1, the last of them being known."""
    cdef const double *choose = w.tables.choose + 7 * count
    cdef const int32_t *plane
    cdef double times
    cdef int _alternative, k, j, length
    for _alternative in range(w.tables.alternatives):
        plane = w.planes + w.start[r]
        length = LENGTH[r - 1]
        for j in range(length):
            into[j] = coefficients[plane[j]]
        for k in range(1, 7):
            plane += length
            length = length * (7 - k) // (r - 1 + 7 - k)  # C(r - 1 + 6 - k, r - 1)
            if k > count:
                break
            times = choose[k]
            for j in range(length):
                into[j] += times * coefficients[plane[j]]
        coefficients += LENGTH[r]
        into += LENGTH[r - 1]


cdef void _visit(walk *w, int r, const double *coefficients, int cards, double ways, int count,
                 census_sums *out) noexcept nogil:
    """Add up all compositions of `cards` cards of the first r values and tens."""
    cdef double *inside = w.room + (VALUES - r) * w.tables.alternatives * LENGTH[VALUES - 1]
    cdef double *row = inside
    cdef const int32_t *plane
    cdef census_sums inner
    cdef double here
    cdef int i, _i, d
    if r == 3:
        plane = w.planes + w.start[3]
        for _i in range(w.tables.alternatives):
            for d in range(LENGTH[3]):
                row[d] = coefficients[plane[d]]
            row += LENGTH[3]
            coefficients += LENGTH[3]
        inner = census_sums(0, 0, 0, 0, 0, out.best, -1)
        if w.level == 2:
            census_row_avx512(w.tables, inside, cards, ways, count, &inner)
        elif w.level == 1:
            census_row_avx2(w.tables, inside, cards, ways, count, &inner)
        else:
            census_row_plain(w.tables, inside, cards, ways, count, &inner)
        if inner.best > out.best:
            w.digits[3] = inner.at
            for i in range(10):
                w.best_digits[i] = w.digits[i]
            out.best = inner.best
        out.mean, out.square, out.plus = inner.mean, inner.square, inner.plus
        out.positive, out.nothing = inner.positive, inner.nothing
        return
    out.mean = out.square = out.plus = out.positive = out.nothing = 0
    for d in range(min(cards, w.tables.most) + 1):
        _fix(w, r, coefficients, d, inside)
        w.digits[r] = d
        here = w.tables.choose_ways[d]
        inner = census_sums(0, 0, 0, 0, 0, out.best, -1)
        _visit(w, r - 1, inside, cards - d, ways * here, count + d * w.tags[r], &inner)
        out.mean += here * inner.mean
        out.square += here * inner.square
        out.plus += here * inner.plus
        out.positive += here * inner.positive
        out.nothing += here * inner.nothing
        out.best = inner.best


@cython.final
cdef class Tables:
    """The fixed tables of a census of n cards, most of each value: their arrays are kept alive."""
    cdef census_tables of_cards
    cdef const int32_t *planes
    cdef const int32_t *start
    cdef object arrays
    cdef int cards, lanes

    def __init__(self, int cards, int most, const int32_t[::1] planes, const int32_t[::1] start,
                 const double[:, ::1] choose, const double[::1] choose_ways, const int32_t[::1] pairs,
                 const double[:, :, ::1] basis, const double[::1] ways, const int64_t[::1] ways_start):
        cdef int i
        room(start.shape[0] == VALUES + 2 and start[VALUES + 1] <= planes.shape[0], "planes")
        room(0 <= cards <= 60 and 0 <= most, "cards")
        room(choose.shape[0] == most + 1 == choose_ways.shape[0] and choose.shape[1] == 7, "choose")
        room(pairs.shape[0] == cards + 1 == ways_start.shape[0] - 1, "pairs")
        room(basis.shape[1] == 28 and basis.shape[2] == 8 and pairs[cards] <= 8 * basis.shape[0], "basis")
        for i in range(cards + 1):
            room(0 <= ways_start[i] and ways_start[i] + (pairs[i] + 7) // 8 * 8 <= ways.shape[0], "ways")
        self.cards, self.lanes = cards, <int>(8 * basis.shape[0])
        self.planes, self.start = &planes[0], &start[0]
        self.of_cards.most = most
        self.of_cards.choose, self.of_cards.choose_ways, self.of_cards.pairs = &choose[0, 0], &choose_ways[0], &pairs[0]
        self.of_cards.basis, self.of_cards.ways = &basis[0, 0, 0], &ways[0]
        self.of_cards.ways_start = &ways_start[0]
        self.arrays = (planes, start, choose, choose_ways, pairs, basis, ways, ways_start)


def visit(Tables fixed, const double[:, ::1] coefficients, int level, int nine, int eight, double low, double scale,
          double[::1] histogram, const int32_t[::1] tags, const int32_t[::1] pair_tags, int lowest,
          double[:, ::1] by_count, double[:, ::1] shares):
    """Sums over the compositions with these numbers of nines and eights, each times the ways of its other cards.

    Of several alternatives, each a row of coefficients, a composition's numerator is the largest.
    Returns (mean, square, plus, positive, nothing, best, digits): the sums of the numerator, its square, its
    positive part, of one where it is positive and where it is nothing; the largest numerator, and the counts of
    values 3 to 7 where it is. Adds ways to histogram, unless that is empty, at (numerator - low) * scale. Adds ways and
    ways times numerators to by_count, unless that is empty, at the sum of `tags` (10), each above that of tens, of the
    composition less the lowest such sum; pair_tags are the sums of the pairs. Adds to shares, of several alternatives,
    three rows for each: ways where it is the first of the largest, those where it is positive too, and these times it;
    and in one last row ways where two are the largest. Its eight columns are to be summed.
    """
    cdef census_tables tables = fixed.of_cards
    cdef census_sums out
    cdef walk w
    cdef double *eights
    cdef Py_ssize_t place
    cdef int reach = 0, cards = fixed.cards, most = tables.most
    cdef int i, count, alternatives = coefficients.shape[0]
    room(coefficients.shape[0] > 0 and coefficients.shape[1] == LENGTH[VALUES], "coefficients")
    room(0 <= nine <= most and 0 <= eight <= most and nine + eight <= cards, "cards")
    room(tags.shape[0] == 10 and pair_tags.shape[0] == fixed.lanes, "tags")
    for i in range(10):
        reach = max(reach, tags[i])
    room(by_count.shape[0] == 0 or (by_count.shape[1] == 2 and by_count.shape[0] > cards * reach - lowest), "by_count")
    room(alternatives == 1 or (shares.shape[0] == 3 * alternatives + 1 and shares.shape[1] == 8), "shares")
    count = nine * tags[9] + eight * tags[8] - lowest
    tables.alternatives = alternatives
    tables.low, tables.scale, tables.bins = low, scale, histogram.shape[0]
    tables.histogram = &histogram[0] if histogram.shape[0] else NULL
    tables.by_count = &by_count[0, 0] if by_count.shape[0] else NULL
    tables.shares = &shares[0, 0] if alternatives > 1 else NULL
    w.tables, w.planes, w.start, w.level = &tables, fixed.planes, fixed.start, level
    for i in range(10):
        w.tags[i] = tags[i]
    tables.tag, tables.tags = tags[3], &pair_tags[0]
    w.digits[:] = [0] * 10
    w.best_digits[:] = [0] * 10
    tables.room = fixed.lanes
    place = VALUES * alternatives * LENGTH[VALUES - 1]
    w.room = <double *>malloc((place + (alternatives + 1) * tables.room) * sizeof(double))
    if w.room == NULL:
        raise MemoryError
    tables.numerators = w.room + place
    eights = w.room + alternatives * LENGTH[VALUES - 1]
    out = census_sums(0, 0, 0, 0, 0, -INFINITY, -1)
    with nogil:
        _fix(&w, 9, &coefficients[0, 0], nine, w.room)
        _fix(&w, 8, w.room, eight, eights)
        _visit(&w, 7, eights, cards - nine - eight, tables.choose_ways[nine] * tables.choose_ways[eight], count, &out)
        free(w.room)
    return out.mean, out.square, out.plus, out.positive, out.nothing, out.best, [w.best_digits[i] for i in range(3, 8)]
