"""Census: a bet's numerator on every composition of n cards, with the number of ways to draw the composition.

The numerator is a polynomial of degree six in the counts of the nine values 1 to 9, in the basis prod_v C(n_v, k_v).
All other cards are tens. `coefficients` are sorted by rising degree.

If the count d of the last value is known, the numerator is a polynomial in the other counts. The coefficients are put
into planes k = 0 .. 6 of falling length; plane k has the coefficients of C(d, k). The planes are forward differences at
d = 0. When d grows by 1, each plane grows by the plane after it, and plane 0 is the polynomial in the other counts. Six
counts are fixed, one after another: nines and eights by adding up C(d, k) times plane k, the others step by step.
`_census_body.h` takes the last three counts.

A bet with alternatives has a polynomial for each of them, all with the same denominator. These polynomials lie side by
side at each level. The bet's numerator on a composition is the largest of their numerators.

Exact: numerators and all partial sums are integers below 2^53, as `counting.exact.distributions` checks. Sums over
compositions are floats, added up level by level.

Assumed, and made so by `counting.exact.polynomials`: planes[start[r] : start[r + 1]] lists the coefficients of r
values, plane by plane, each plane by rising degree. The tables fit together.
"""
from math import comb

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
        const double *binomials
        int width
        const int32_t *lines
        const int64_t *start
        const double *ways
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
    const int PLAIN_LANES
    void census_row_plain(const census_tables *, double *, int, double, int, census_sums *)
    void census_row_avx2(const census_tables *, double *, int, double, int, census_sums *)
    void census_row_avx512(const census_tables *, double *, int, double, int, census_sums *)
    void census_step_plain(double *, const int32_t *)
    void census_step_avx2(double *, const int32_t *)
    void census_step_avx512(double *, const int32_t *)

cdef enum:
    VALUES = 9


def lanes(int level):
    """The number of counts that are computed side by side, at an instruction set's level."""
    return 8 if level == 2 else 4 if level == 1 else PLAIN_LANES


cdef int LENGTH[10]  # coefficients of a polynomial of degree six in n counts
LENGTH[:] = [1, 7, 28, 84, 210, 462, 924, 1716, 3003, 5005]

cdef int32_t PLANES[10][7]  # coefficients of each plane of a polynomial in n counts, C(n - 1 + 6 - k, n - 1)
for _r in range(1, 10):
    for _k in range(7):
        PLANES[_r][_k] = comb(_r + 5 - _k, _r - 1)


cdef struct walk:
    const census_tables *tables
    const int32_t *planes
    const int32_t *start
    int level
    int tags[10]  # a system's tags, each less the tag of tens
    int digits[10]  # counts of the values fixed so far
    int best_digits[10]


cdef void _fix(walk *w, int r, const double *coefficients, int count, double *into) noexcept nogil:
    """Turn each alternative's polynomial in r counts into a polynomial in r - 1 counts, with the last count fixed at
    `count`."""
    cdef const double *choose = w.tables.choose + 7 * count
    cdef const int32_t *plane
    cdef int _alternative, k, j
    for _alternative in range(w.tables.alternatives):
        plane = w.planes + w.start[r]
        for j in range(LENGTH[r - 1]):
            into[j] = coefficients[plane[j]]
        for k in range(1, min(6, count) + 1):
            plane += PLANES[r][k - 1]
            for j in range(PLANES[r][k]):
                into[j] += choose[k] * coefficients[plane[j]]
        coefficients += LENGTH[r]
        into += LENGTH[r - 1]


cdef void _visit(walk *w, int r, const double *coefficients, int apart, double *planes, int cards, double ways,
                 int count, census_sums *out) noexcept nogil:
    """Add up all compositions of `cards` cards of the first r values and tens. Each alternative's coefficients begin
    `apart` places after the previous alternative's. From `planes` on, there is room for the coefficients sorted by
    planes, and for the polynomials of fewer values."""
    cdef const int32_t *order = w.planes + w.start[r]
    cdef double *own = planes
    cdef census_sums inner
    cdef double here
    cdef int i, _i, d
    for _i in range(w.tables.alternatives):
        for i in range(LENGTH[r]):
            own[i] = coefficients[order[i]]
        own += LENGTH[r]
        coefficients += apart
    if r == 3:
        inner = census_sums(0, 0, 0, 0, 0, out.best, -1)
        if w.level == 2:
            census_row_avx512(w.tables, planes, cards, ways, count, &inner)
        elif w.level == 1:
            census_row_avx2(w.tables, planes, cards, ways, count, &inner)
        else:
            census_row_plain(w.tables, planes, cards, ways, count, &inner)
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
        w.digits[r] = d
        here = w.tables.choose_ways[d]
        inner = census_sums(0, 0, 0, 0, 0, out.best, -1)
        _visit(w, r - 1, planes, LENGTH[r], own, cards - d, ways * here, count + d * w.tags[r], &inner)
        out.mean += here * inner.mean
        out.square += here * inner.square
        out.plus += here * inner.plus
        out.positive += here * inner.positive
        out.nothing += here * inner.nothing
        out.best = inner.best
        for i in range(w.tables.alternatives):
            if w.level == 2:
                census_step_avx512(planes + i * LENGTH[r], PLANES[r])
            elif w.level == 1:
                census_step_avx2(planes + i * LENGTH[r], PLANES[r])
            else:
                census_step_plain(planes + i * LENGTH[r], PLANES[r])


@cython.final
cdef class Tables:
    """The fixed tables of a census of `cards` cards, with at most `most` cards of each value 1 to 9. The arrays are
    kept alive."""
    cdef census_tables of_cards
    cdef const int32_t *planes
    cdef const int32_t *start
    cdef object arrays
    cdef int cards, level
    cdef Py_ssize_t pairs, most_pairs  # the entries of `ways`, and the most entries for one number of cards left

    def __init__(self, int cards, int most, int level, const int32_t[::1] planes, const int32_t[::1] start,
                 const double[:, ::1] choose, const double[::1] choose_ways, const double[:, ::1] binomials,
                 const int32_t[::1] lines, const int64_t[::1] lines_start, const double[::1] ways):
        cdef int left, a, width = lanes(level)
        cdef Py_ssize_t number
        room(start.shape[0] == VALUES + 2 and start[VALUES + 1] <= planes.shape[0], "planes")
        room(0 <= cards <= 60 and 0 <= most, "cards")
        room(choose.shape[0] == most + 1 == choose_ways.shape[0] and choose.shape[1] == 7, "choose")
        room(binomials.shape[0] == 7 and binomials.shape[1] >= cards + width, "binomials")
        room(lines.shape[0] == cards + 1 == lines_start.shape[0], "lines")
        self.most_pairs = 0
        for left in range(cards + 1):
            number = 0
            for a in range(0, left + 1, width):
                number += width * (left - a + 1)
            room(lines[left] == number and 0 <= lines_start[left] <= ways.shape[0] - number, "lines")
            self.most_pairs = max(self.most_pairs, number)
        self.cards, self.level, self.pairs = cards, level, ways.shape[0]
        self.planes, self.start = &planes[0], &start[0]
        self.of_cards.most, self.of_cards.width = most, <int>binomials.shape[1]
        self.of_cards.choose, self.of_cards.choose_ways = &choose[0, 0], &choose_ways[0]
        self.of_cards.binomials, self.of_cards.lines = &binomials[0, 0], &lines[0]
        self.of_cards.start, self.of_cards.ways = &lines_start[0], &ways[0]
        self.arrays = (planes, start, choose, choose_ways, binomials, lines, lines_start, ways)


def visit(Tables fixed, const double[:, ::1] coefficients, int nine, int eight, double low, double scale,
          double[::1] histogram, const int32_t[::1] tags, const int32_t[::1] pair_tags, int lowest,
          double[:, ::1] by_count, double[:, ::1] shares):
    """Sums over the compositions with these numbers of nines and eights. Each composition is weighted with the ways to
    draw its other cards.

    An alternative is a row of coefficients. A composition's numerator is the largest of the alternatives' numerators.
    The function returns (mean, square, plus, positive, nothing, best, digits):

    - mean, square, plus: the sums of the numerator, of its square and of its positive part.
    - positive, nothing: the ways of the compositions with a positive numerator, and with the numerator 0.
    - best, digits: the largest numerator, and the counts of values 3 to 7 of its composition.

    For each composition, let ways be the number of ways to draw all its cards. Unless histogram is empty, ways is added
    to histogram at (numerator - low) * scale. Unless by_count is empty, ways and ways times the numerator are added to
    by_count, at the composition's sum of `tags` minus `lowest`, the lowest sum. `tags` (10,) are a system's tags, each
    less the tag of tens; `pair_tags` are the sums of all pairs.

    With several alternatives, the rows that `_census_best.h` explains are added to shares. The caller sums their eight
    columns.
    """
    cdef census_tables tables = fixed.of_cards
    cdef census_sums out
    cdef walk w
    cdef double *space
    cdef double *eights
    cdef Py_ssize_t place
    cdef int reach = 0, cards = fixed.cards, most = tables.most
    cdef int i, count, alternatives = coefficients.shape[0]
    room(coefficients.shape[0] > 0 and coefficients.shape[1] == LENGTH[VALUES], "coefficients")
    room(0 <= nine <= most and 0 <= eight <= most and nine + eight <= cards, "cards")
    room(tags.shape[0] == 10 and pair_tags.shape[0] == fixed.pairs, "tags")
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
    w.tables, w.planes, w.start, w.level = &tables, fixed.planes, fixed.start, fixed.level
    for i in range(10):
        w.tags[i] = tags[i]
    tables.tag, tables.tags = tags[3], &pair_tags[0]
    w.digits[:] = [0] * 10
    w.best_digits[:] = [0] * 10
    tables.room = <int>fixed.most_pairs
    # Room for the coefficients after the nines are fixed, and for the coefficients after the eights are fixed too. Then
    # comes room for the coefficients of seven values, of six, and so on down to three, by planes.
    place = alternatives * sum([LENGTH[i] for i in (8, 7, 7, 6, 5, 4, 3)])
    space = <double *>malloc((place + (alternatives + 1) * tables.room) * sizeof(double))
    if space == NULL:
        raise MemoryError
    tables.numerators = space + place
    eights = space + alternatives * LENGTH[8]
    out = census_sums(0, 0, 0, 0, 0, -INFINITY, -1)
    with nogil:
        _fix(&w, 9, &coefficients[0, 0], nine, space)
        _fix(&w, 8, space, eight, eights)
        _visit(&w, 7, eights, LENGTH[7], eights + alternatives * LENGTH[7], cards - nine - eight,
               tables.choose_ways[nine] * tables.choose_ways[eight], count, &out)
        free(space)
    return out.mean, out.square, out.plus, out.positive, out.nothing, out.best, [w.best_digits[i] for i in range(3, 8)]
