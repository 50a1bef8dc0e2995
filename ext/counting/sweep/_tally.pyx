"""Additive sums of priced coups, in the order dealt, so that they have the same bits wherever they are added up.

One shoe.  A bettor's cells are (bin, bet). The perfect counter has one bin, coups on which the edge is positive; a
system's bin t has those on which its count has reached t triggers and no more. Each cell adds up the shoe's bets, how
many were truly positive, their edges and mean squares, and what they won as dealt.

Many shoes.  At the end of each shoe the cells go into the ledger as sums and as products of pairs, from which
errors clustered by shoe follow, those of a system from the highest bin down: at trigger t it bets in all bins from t
on. `depth` adds up by cards left instead.

Every penetration.  `by_cut` adds up by the largest cut under which a coup is still dealt, in integers: edges and mean
squares in units of a power of two that `counting.sweep.tally` sets so that no sum of a part can pass 62 bits. So these
sums do not depend on the order, and a sum over cuts is what a sweep with that cut has.

Spread.  `spread` counts coups by bet, by cards left in fours, and by the step of the edge: zero for edges below
2^-SMALLEST in size; else the number, from 1, of the edge's binary order and its next FINE bits, with the edge's sign.
`counting.sweep.spread` has the same in numpy, and the way back.

Assumed, and checked by `counting.sweep.tally`: rows of a shoe are adjacent and in order; 0 <=
reached[row, system] <= the number of that system's triggers; cards_left < depth's length; place[row] < by_cut's.
"""
cimport cython
from libc.math cimport fabs
from libc.stdint cimport int32_t, int64_t, uint16_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from counting._room cimport room

cdef extern from "math.h" nogil:
    long long llrint(double)

cdef enum:
    # Columns of a cell of a shoe.
    BETS, POSITIVE, GAIN, FIRST, SQUARE, WON, CELL
    # Columns of the ledger.
    L_BETS = 0, L_POSITIVE, L_GAIN, L_SHOES_BETTING, L_FIRST_COUP, L_BETS_SQ, L_GAIN_SQ, L_BETS_GAIN, \
        L_BETS_COUPS, L_GAIN_COUPS, L_SQUARE, L_WON, L_WON_SQ, LEDGER
    # Columns of depth.
    D_POSITIVE = 0, D_GAIN, D_GAIN_SQ, D_EDGE, D_FIRST, DEPTH
    # Columns of by_cut.
    C_COUPS = 0, C_POSITIVE, C_GAIN, C_SQUARE, BY_CUT
    # Steps of edges.
    SMALLEST = 14, FINE = 6, FOURS = 2


def steps():
    """The exponent of the smallest edge that has a step, the bits of a step, and those of cards left in one group."""
    return SMALLEST, FINE, FOURS


cdef inline int64_t _step(double edge) noexcept nogil:
    cdef double size = fabs(edge)
    cdef int64_t bits
    if size < 1.0 / (1 << SMALLEST):
        return 0
    memcpy(&bits, &size, sizeof(bits))
    bits = (bits >> (52 - FINE)) - ((<int64_t>(1023 - SMALLEST)) << FINE) + 1
    return -bits if edge < 0 else bits


def columns():
    """The number of columns of the ledger, of depth and of by_cut."""
    return LEDGER, DEPTH, BY_CUT


cdef void _close(const double *cell, double *into, double coups) noexcept nogil:
    """Add a shoe's cell to the ledger."""
    into[L_BETS] += cell[BETS]
    into[L_POSITIVE] += cell[POSITIVE]
    into[L_GAIN] += cell[GAIN]
    into[L_SHOES_BETTING] += 1
    into[L_FIRST_COUP] += cell[FIRST]
    into[L_BETS_SQ] += cell[BETS] * cell[BETS]
    into[L_GAIN_SQ] += cell[GAIN] * cell[GAIN]
    into[L_BETS_GAIN] += cell[BETS] * cell[GAIN]
    into[L_BETS_COUPS] += cell[BETS] * coups
    into[L_GAIN_COUPS] += cell[GAIN] * coups
    into[L_SQUARE] += cell[SQUARE]
    into[L_WON] += cell[WON]
    into[L_WON_SQ] += cell[WON] * cell[WON]


cdef void _close_bins(double *cell, Py_ssize_t step, Py_ssize_t bins, double *into, double coups) noexcept nogil:
    """Empty a shoe's bins, `step` cells apart, adding to each line of the ledger its bin and all above."""
    cdef double run[CELL]
    cdef Py_ssize_t t, i
    memset(run, 0, sizeof(run))
    for t in range(bins - 1, -1, -1):
        if cell[t * step * CELL + BETS]:
            for i in range(CELL):
                if i != FIRST:
                    run[i] += cell[t * step * CELL + i]
            if run[FIRST] == 0 or cell[t * step * CELL + FIRST] < run[FIRST]:
                run[FIRST] = cell[t * step * CELL + FIRST]
            memset(cell + t * step * CELL, 0, CELL * sizeof(double))
        if run[BETS]:
            _close(run, into + t * step * LEDGER, coups)


cdef inline void _add(double *cell, double edge, double square, double won, double coup) noexcept nogil:
    if cell[BETS] == 0:
        cell[FIRST] = coup
    cell[BETS] += 1
    cell[POSITIVE] += 1 if edge > 0 else 0
    cell[GAIN] += edge
    cell[SQUARE] += square
    cell[WON] += won


cdef inline void _add_whole(int64_t *cell, const int64_t *coup) noexcept nogil:
    cdef int i
    for i in range(BY_CUT):
        cell[i] += coup[i]


@cython.final
cdef class Layout:
    """The fixed tables of a tally: which cells are whose, and the units of the sums by cut.

    Cells: the perfect counter's, one per bet; then for each system from first_cell[system] on, trigger by trigger, the
    bets system_bets[bets_start[system] : bets_start[system + 1]], triggers[system] times. Cells by cut:
    two per bet for the perfect counter, the second where the edge is positive; then from first_by_cut[system] on, bin
    by bin from that below all triggers, its bets. `scale` (2, bets) turns edges and mean squares into their units.
    """
    cdef const int32_t[::1] first_cell, first_by_cut, system_bets, bets_start, triggers
    cdef const double[:, ::1] scale
    cdef Py_ssize_t bets, systems

    def __init__(self, const int32_t[::1] first_cell, const int32_t[::1] first_by_cut,
                 const int32_t[::1] system_bets, const int32_t[::1] bets_start, const int32_t[::1] triggers,
                 const double[:, ::1] scale):
        cdef Py_ssize_t k, b, scored
        room(first_cell.shape[0] > 0 and bets_start.shape[0] == first_cell.shape[0], "first_cell")
        room(first_by_cut.shape[0] == first_cell.shape[0] == triggers.shape[0] + 1, "first_by_cut")
        self.systems, self.bets = first_cell.shape[0] - 1, first_cell[0]
        room(self.bets > 0 and scale.shape[0] == 2 and scale.shape[1] == self.bets, "scale")
        room(first_by_cut[0] == 2 * self.bets, "first_by_cut")
        for k in range(self.systems):
            scored = bets_start[k + 1] - bets_start[k]
            room(scored > 0 and bets_start[k] >= 0 and bets_start[k + 1] <= system_bets.shape[0], "bets_start")
            room(triggers[k] >= 0 and self.bets <= first_cell[k] and 2 * self.bets <= first_by_cut[k], "triggers")
            room(first_cell[k] + triggers[k] * scored == first_cell[k + 1], "first_cell")
            room(first_by_cut[k] + (triggers[k] + 1) * scored == first_by_cut[k + 1], "first_by_cut")
            for b in range(scored):
                room(0 <= system_bets[bets_start[k] + b] < self.bets, "system_bets")
        self.first_cell, self.first_by_cut, self.scale = first_cell, first_by_cut, scale
        self.system_bets, self.bets_start, self.triggers = system_bets, bets_start, triggers


def tally(Layout layout, const double[:, ::1] edges, const double[:, ::1] squares, const int32_t[:, ::1] classes,
          const int32_t[:, ::1] reached, const uint16_t[::1] shoe, const uint16_t[::1] coup,
          const int64_t[::1] cards_left, const int32_t[::1] place, const double[:, ::1] pays,
          const int32_t[::1] column,
          double[:, ::1] ledger, double[:, :, ::1] depth, double[::1] coups_sums, int64_t[:, :, ::1] by_cut,
          int32_t[:, :, ::1] spread, Py_ssize_t lowest):
    """Add coups to ledger (cells, LEDGER), depth (bets, cards, DEPTH), coups_sums (shoes, coups, coups^2), and, unless
    these have no cells, to by_cut (cuts, cells by cut, BY_CUT) and spread (bets, fours of cards, steps from `lowest`).

    edges and squares are (rows, bets), classes (rows, columns); a coup of class c in column[bet] pays pays[c, bet].
    `layout` has the order of the cells.
    """
    cdef const int32_t[::1] first_cell = layout.first_cell, first_by_cut = layout.first_by_cut
    cdef const int32_t[::1] system_bets = layout.system_bets, bets_start = layout.bets_start
    cdef const int32_t[::1] triggers = layout.triggers
    cdef const double[:, ::1] scale = layout.scale
    cdef Py_ssize_t rows = edges.shape[0], bets = layout.bets, systems = layout.systems
    cdef Py_ssize_t row, b, k, c, i, scored
    cdef int beyond
    cdef bint cutting = by_cut.shape[1] > 0, spreading = spread.shape[2] > 0
    cdef int64_t step
    cdef int64_t *slab = NULL
    cdef double *cells = NULL  # of the shoe, CELL columns each: empty before and after it
    cdef int64_t *whole = NULL  # of the coup, by bet, BY_CUT columns each
    cdef double edge, pay, n
    room(edges.shape[1] == bets == squares.shape[1] and squares.shape[0] == rows and pays.shape[1] == bets, "squares")
    room(column.shape[0] == bets, "column")
    for b in range(bets):
        room(0 <= column[b] < classes.shape[1], "column")
    room(classes.shape[0] == rows == shoe.shape[0] and coup.shape[0] == rows == cards_left.shape[0], "rows")
    room(reached.shape[0] == rows and reached.shape[1] == systems, "reached")
    room(ledger.shape[0] == first_cell[systems] and ledger.shape[1] == LEDGER, "ledger")
    room(depth.shape[0] == bets and depth.shape[2] == DEPTH, "depth")
    room(coups_sums.shape[0] == 3, "coups_sums")
    if cutting:
        room(place.shape[0] == rows, "place")
        room(by_cut.shape[1] == first_by_cut[systems] and by_cut.shape[2] == BY_CUT, "by_cut")
    if spreading:
        room(spread.shape[0] == bets and (depth.shape[1] - 1) >> FOURS < spread.shape[1], "spread")
    for row in range(rows):
        room(0 <= cards_left[row] < depth.shape[1], "cards_left")
        for k in range(classes.shape[1]):
            room(0 <= classes[row, k] < pays.shape[0], "classes")
        room(not cutting or 0 <= place[row] < by_cut.shape[0], "place")
        beyond = 0
        for k in range(systems):
            beyond |= (reached[row, k] < 0) | (reached[row, k] > triggers[k])
        room(not beyond, "reached")
    cells = <double *>calloc(ledger.shape[0] * CELL, sizeof(double))
    whole = <int64_t *>calloc(bets * BY_CUT, sizeof(int64_t))
    if cells == NULL or whole == NULL:
        free(cells)
        free(whole)
        raise MemoryError
    with nogil:
        for row in range(rows):
            n = coup[row]
            if cutting:
                slab = &by_cut[place[row], 0, 0]
            for b in range(bets):
                edge = edges[row, b]
                depth[b, cards_left[row], D_EDGE] += edge
                if edge > 0:
                    if cells[b * CELL + BETS] == 0:
                        depth[b, cards_left[row], D_FIRST] += 1
                    _add(cells + b * CELL, edge, squares[row, b], pays[classes[row, column[b]], b], n)
                    depth[b, cards_left[row], D_POSITIVE] += 1
                    depth[b, cards_left[row], D_GAIN] += edge
                    depth[b, cards_left[row], D_GAIN_SQ] += edge * edge
                if spreading:
                    step = min(max(_step(edge) - lowest, 0), spread.shape[2] - 1)
                    spread[b, cards_left[row] >> FOURS, step] += 1
                if cutting:
                    whole[b * BY_CUT + C_COUPS] = 1
                    whole[b * BY_CUT + C_POSITIVE] = edge > 0
                    whole[b * BY_CUT + C_GAIN] = llrint(edge * scale[0, b])
                    whole[b * BY_CUT + C_SQUARE] = llrint(squares[row, b] * scale[1, b])
                    _add_whole(slab + (2 * b + (edge > 0)) * BY_CUT, whole + b * BY_CUT)
            for k in range(systems):
                scored = bets_start[k + 1] - bets_start[k]
                if reached[row, k]:
                    c = first_cell[k] + (reached[row, k] - 1) * scored
                    for b in range(scored):
                        i = system_bets[bets_start[k] + b]
                        pay = pays[classes[row, column[i]], i]
                        _add(cells + (c + b) * CELL, edges[row, i], squares[row, i], pay, n)
                if cutting:
                    c = first_by_cut[k] + reached[row, k] * scored
                    for b in range(scored):
                        _add_whole(slab + (c + b) * BY_CUT, whole + system_bets[bets_start[k] + b] * BY_CUT)
            if row + 1 == rows or shoe[row + 1] != shoe[row]:
                for b in range(bets):
                    _close_bins(cells + b * CELL, 1, 1, &ledger[b, 0], n)
                for k in range(systems):
                    scored = bets_start[k + 1] - bets_start[k]
                    for b in range(scored):
                        c = first_cell[k] + b
                        _close_bins(cells + c * CELL, scored, triggers[k], &ledger[c, 0], n)
                coups_sums[0] += 1
                coups_sums[1] += n
                coups_sums[2] += n * n
        free(cells)
        free(whole)


cdef enum:
    RUN = 16  # steps that are passed over together


cdef Py_ssize_t _gather(const int32_t *coups, Py_ssize_t steps, int32_t bet, int32_t group, Py_ssize_t at,
                        int32_t *out, Py_ssize_t cells) noexcept nogil:
    """Write a line's cells from `at` on, unless out is NULL; returns where the next line's go."""
    cdef Py_ssize_t first = 0, last, k
    cdef int32_t some
    while first < steps:
        last = first + RUN if first + RUN < steps else steps
        some = 0
        for k in range(first, last):
            some |= coups[k]
        if some:
            for k in range(first, last):
                if coups[k]:
                    if out != NULL:
                        out[at] = bet
                        out[cells + at] = group
                        out[2 * cells + at] = <int32_t>k
                        out[3 * cells + at] = coups[k]
                    at += 1
        first = last
    return at


def cells(const int32_t[:, :, ::1] spread):
    """How many cells of spread have coups."""
    cdef Py_ssize_t i, j, at = 0
    if spread.shape[2] == 0:
        return 0
    with nogil:
        for i in range(spread.shape[0]):
            for j in range(spread.shape[1]):
                at = _gather(&spread[i, j, 0], spread.shape[2], 0, 0, at, NULL, 0)
    return at


def gather(const int32_t[:, :, ::1] spread, int32_t[:, ::1] out):
    """Fill out[4, cell] with the bet, the group, the step and the coups of each cell with coups, in their order."""
    cdef Py_ssize_t i, j, at = 0, number = out.shape[1]
    room(out.shape[0] == 4 and number == cells(spread) and number > 0, "out")
    with nogil:
        for i in range(spread.shape[0]):
            for j in range(spread.shape[1]):
                at = _gather(&spread[i, j, 0], spread.shape[2], <int32_t>i, <int32_t>j, at, &out[0, 0], number)
