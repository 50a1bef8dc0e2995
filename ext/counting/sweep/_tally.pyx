"""Sums over priced coups. They are added up in the order dealt, so that they have the same bits on every machine.

One shoe. A bettor has a cell for each bin and bet. The perfect counter has one bin, the coups on which the edge is
positive. A system's bin t has the coups on which its count has reached exactly t triggers. Each cell adds up the bets
of the shoe, the bets with a truly positive edge, the edges, the mean squares, and what the bets won as dealt. It also
has the first coup with a bet.

Many shoes. At the end of each shoe, the cells are added to the ledger: each cell's sums, and products of pairs of
numbers, which are the cell's sums and the shoe's number of coups. Standard errors that are clustered by shoe follow
from these products. A system's cells are added from the highest bin down, because a counter whose trigger is t bets in
bin t and in all higher bins. `depth` has sums by cards left: of all edges, and of the perfect counter's bets.

Every penetration. `by_cut` has integer sums, indexed by the largest cut with which a coup is still dealt. Edges and
mean squares are in units of powers of two, which `counting.sweep.scoring` sets so that no sum of a part can pass 62
bits. So these sums do not depend on the order. The sums of a sweep with a given cut are the sums at this cut plus the
sums at all larger cuts.

Spread. `spread` counts coups by bet, by cards left in groups of four, and by the step of the edge. The step is 0 for
edges below 2^-SMALLEST in size. For other edges, the size of the step is 1 or more, and is determined by the edge's
binary exponent and the first FINE bits after it. The step has the edge's sign. `counting.sweep.spread` computes the
same steps in numpy, and the ends of each step.

Assumed, because whole shoes are dealt in this order: a call has all rows of a shoe, adjacent and in order, and adjacent
shoes have different numbers. Each call checks the rest:

- reached[system, row] is from 0 to the number of the system's triggers,
- cards_left[row] is below the length of depth, and place[row] below the length of by_cut.
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
    """(s, f, g). The smallest edge that has a step other than 0 is 2^-s. A step is determined by the edge's sign, its
    binary exponent and the first f bits after the exponent. A group is 2^g successive numbers of cards left."""
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


cdef void _close_bins(double *cell, Py_ssize_t bins, double *into, Py_ssize_t step, double coups) noexcept nogil:
    """Add each bin of a shoe, together with all bins above it, to a line of the ledger, and empty the bins. Lines are
    `step` numbers apart."""
    cdef double run[CELL]
    cdef Py_ssize_t t, i
    memset(run, 0, sizeof(run))
    for t in range(bins - 1, -1, -1):
        if cell[t * CELL + BETS]:
            for i in range(CELL):
                if i != FIRST:
                    run[i] += cell[t * CELL + i]
            if run[FIRST] == 0 or cell[t * CELL + FIRST] < run[FIRST]:
                run[FIRST] = cell[t * CELL + FIRST]
            memset(cell + t * CELL, 0, CELL * sizeof(double))
        if run[BETS]:
            _close(run, into + t * step, coups)


cdef inline void _add(double *cell, double edge, double square, double won, double coup) noexcept nogil:
    if cell[BETS] == 0:
        cell[FIRST] = coup
    cell[BETS] += 1
    cell[POSITIVE] += 1 if edge > 0 else 0
    cell[GAIN] += edge
    cell[SQUARE] += square
    cell[WON] += won


cdef inline Py_ssize_t _end_of_shoe(const uint16_t[::1] shoe, Py_ssize_t row) noexcept nogil:
    """The row after the last row of this row's shoe."""
    cdef Py_ssize_t last = row + 1
    while last < shoe.shape[0] and shoe[last] == shoe[row]:
        last += 1
    return last


cdef inline void _add_whole(int64_t *cell, const int64_t *coup) noexcept nogil:
    cdef int i
    for i in range(BY_CUT):
        cell[i] += coup[i]


@cython.final
cdef class Layout:
    """The fixed tables of a tally: the order of the cells, and the units of the sums by cut.

    Cells: the perfect counter's cells come first, one for each bet. Then come each system's cells, from
    first_cell[system] on: for each trigger, the bets system_bets[bets_start[system] : bets_start[system + 1]].

    Cells by cut: the perfect counter's cells come first, two for each bet. The second of the two is for coups with a
    positive edge. Then come each system's cells, from first_by_cut[system] on: for each bin, beginning with the bin
    below all triggers, the system's bets. `scale` (2, bets) turns edges and mean squares into units.
    """
    cdef const int32_t[::1] first_cell, first_by_cut, system_bets, bets_start, triggers
    cdef const double[:, ::1] scale
    cdef int32_t[::1] of_bet  # the line of `scored` at which each bet begins
    cdef int32_t[:, ::1] scored  # a line for each bet and system: the system, and the bet's cell at the first trigger
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
        self._order()

    cdef int _order(self) except -1:
        """For each bet, lay out the systems that are scored on it."""
        cdef Py_ssize_t k, b, i, lines = self.bets_start[self.systems]
        self.of_bet = memoryview(bytearray(4 * (self.bets + 2))).cast("i")
        self.scored = memoryview(bytearray(8 * (lines + 1))).cast("i", (lines + 1, 2))
        for i in range(lines):
            self.of_bet[self.system_bets[i] + 2] += 1
        for b in range(self.bets):
            self.of_bet[b + 2] += self.of_bet[b + 1]
        for k in range(self.systems):
            for i in range(self.bets_start[k], self.bets_start[k + 1]):
                b = self.system_bets[i] + 1
                self.scored[self.of_bet[b], 0] = <int32_t>k
                self.scored[self.of_bet[b], 1] = <int32_t>(self.first_cell[k] + i - self.bets_start[k])
                self.of_bet[b] += 1
        return 0


def tally(Layout layout, const double[:, ::1] edges, const double[:, ::1] squares, const int32_t[:, ::1] classes,
          const int32_t[:, ::1] reached, const uint16_t[::1] shoe, const uint16_t[::1] coup,
          const int64_t[::1] cards_left, const int32_t[::1] place, const double[:, ::1] pays,
          const int32_t[::1] column,
          double[:, ::1] ledger, double[:, :, ::1] depth, double[::1] coups_sums, int64_t[:, :, ::1] by_cut,
          int32_t[:, :, ::1] spread, Py_ssize_t lowest):
    """Add coups to these sums:

    - ledger (cells, LEDGER), and depth (bets, cards, DEPTH),
    - coups_sums (3,): the number of shoes, and the sums over shoes of the number of coups and of its square,
    - by_cut (cuts, cells by cut, BY_CUT), unless it has no cells,
    - spread (bets, groups of four cards, steps from `lowest`), unless it has no steps; a step beyond an end counts at
      the end.

    edges and squares are (bets, rows), classes is (columns, rows), and reached is (systems, rows).
    `pays[bet, c]` is what the bet wins on a coup whose class in the column `column[bet]` is c. `layout` has the order
    of the cells.
    """
    cdef const int32_t[::1] first_cell = layout.first_cell, first_by_cut = layout.first_by_cut
    cdef const int32_t[::1] system_bets = layout.system_bets, bets_start = layout.bets_start
    cdef const int32_t[::1] triggers = layout.triggers
    cdef const double[:, ::1] scale = layout.scale
    cdef Py_ssize_t rows = edges.shape[1], bets = layout.bets, systems = layout.systems
    cdef Py_ssize_t row, first, last, b, k, c, i, scored, most = 1
    cdef int beyond
    cdef bint cutting = by_cut.shape[1] > 0, spreading = spread.shape[2] > 0
    cdef int64_t step
    cdef int64_t *slab = NULL
    cdef double *cells = NULL  # the bins of a shoe's bet or system, CELL columns each; empty before and after
    cdef double *here
    cdef double *won = NULL  # what each coup won, on one bet
    cdef int64_t *whole = NULL  # what the coup adds, by bet, BY_CUT columns each
    cdef double edge, n
    room(edges.shape[0] == bets == squares.shape[0] and squares.shape[1] == rows and pays.shape[0] == bets, "squares")
    room(column.shape[0] == bets, "column")
    for b in range(bets):
        room(0 <= column[b] < classes.shape[0], "column")
    room(classes.shape[1] == rows == shoe.shape[0] and coup.shape[0] == rows == cards_left.shape[0], "rows")
    room(reached.shape[0] == systems and reached.shape[1] == rows, "reached")
    for k in range(systems):
        beyond = 0
        for row in range(rows):
            beyond |= (reached[k, row] < 0) | (reached[k, row] > triggers[k])
        room(not beyond, "reached")
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
        for k in range(classes.shape[0]):
            room(0 <= classes[k, row] < pays.shape[1], "classes")
        room(not cutting or 0 <= place[row] < by_cut.shape[0], "place")
    for k in range(systems):
        most = max(most, triggers[k])
    cells = <double *>calloc(most * CELL, sizeof(double))
    whole = <int64_t *>calloc(bets * BY_CUT, sizeof(int64_t))
    won = <double *>calloc(rows + 1, sizeof(double))
    if cells == NULL or whole == NULL or won == NULL:
        free(cells)
        free(whole)
        free(won)
        raise MemoryError
    with nogil:
        for b in range(bets):
            for row in range(rows):
                won[row] = pays[b, classes[column[b], row]]
            first = 0
            while first < rows:
                last = _end_of_shoe(shoe, first)
                for row in range(first, last):
                    edge = edges[b, row]
                    here = &depth[b, cards_left[row], 0]
                    here[D_EDGE] += edge
                    if edge > 0:
                        if cells[BETS] == 0:
                            here[D_FIRST] += 1
                        _add(cells, edge, squares[b, row], won[row], coup[row])
                        here[D_POSITIVE] += 1
                        here[D_GAIN] += edge
                        here[D_GAIN_SQ] += edge * edge
                _close_bins(cells, 1, &ledger[b, 0], LEDGER, coup[last - 1])
                first = last
            for i in range(layout.of_bet[b], layout.of_bet[b + 1]):
                k, c = layout.scored[i, 0], layout.scored[i, 1]
                scored = bets_start[k + 1] - bets_start[k]
                first = 0
                while first < rows:
                    last = _end_of_shoe(shoe, first)
                    for row in range(first, last):
                        if reached[k, row]:
                            _add(cells + (reached[k, row] - 1) * CELL, edges[b, row], squares[b, row], won[row],
                                 coup[row])
                    _close_bins(cells, triggers[k], &ledger[c, 0], scored * LEDGER, coup[last - 1])
                    first = last
        first = 0
        while first < rows:
            first = _end_of_shoe(shoe, first)
            n = coup[first - 1]
            coups_sums[0] += 1
            coups_sums[1] += n
            coups_sums[2] += n * n
        if spreading:
            for b in range(bets):
                for row in range(rows):
                    step = min(max(_step(edges[b, row]) - lowest, 0), spread.shape[2] - 1)
                    spread[b, cards_left[row] >> FOURS, step] += 1
        if cutting:
            for row in range(rows):
                slab = &by_cut[place[row], 0, 0]
                for b in range(bets):
                    edge = edges[b, row]
                    whole[b * BY_CUT + C_COUPS] = 1
                    whole[b * BY_CUT + C_POSITIVE] = edge > 0
                    whole[b * BY_CUT + C_GAIN] = llrint(edge * scale[0, b])
                    whole[b * BY_CUT + C_SQUARE] = llrint(squares[b, row] * scale[1, b])
                    _add_whole(slab + (2 * b + (edge > 0)) * BY_CUT, whole + b * BY_CUT)
                for k in range(systems):
                    scored = bets_start[k + 1] - bets_start[k]
                    c = first_by_cut[k] + reached[k, row] * scored
                    for i in range(scored):
                        _add_whole(slab + (c + i) * BY_CUT, whole + system_bets[bets_start[k] + i] * BY_CUT)
        free(cells)
        free(whole)
        free(won)


cdef enum:
    RUN = 16  # the number of empty steps that are passed over together


cdef Py_ssize_t _gather(const int32_t *coups, Py_ssize_t steps, int32_t bet, int32_t group, Py_ssize_t at,
                        int32_t *out, Py_ssize_t cells) noexcept nogil:
    """Write the cells of one bet and group that have coups, from place `at` on, as far as there is room. Returns the
    place after them, as if there had been room for all."""
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
                    if at < cells:
                        out[at] = bet
                        out[cells + at] = group
                        out[2 * cells + at] = <int32_t>k
                        out[3 * cells + at] = coups[k]
                    at += 1
        first = last
    return at


def cells(const int32_t[:, :, ::1] spread):
    """The number of cells of spread that have coups."""
    cdef Py_ssize_t i, j, at = 0
    if spread.shape[2] == 0:
        return 0
    with nogil:
        for i in range(spread.shape[0]):
            for j in range(spread.shape[1]):
                at = _gather(&spread[i, j, 0], spread.shape[2], 0, 0, at, NULL, 0)
    return at


def gather(const int32_t[:, :, ::1] spread, int32_t[:, ::1] out):
    """Fill `out` (4, cells) with the bet, the group, the step counted from the lowest, and the number of coups of each
    cell that has coups, in order."""
    cdef Py_ssize_t i, j, at = 0, number = out.shape[1]
    room(out.shape[0] == 4 and number > 0, "out")
    with nogil:
        for i in range(spread.shape[0]):
            for j in range(spread.shape[1]):
                at = _gather(&spread[i, j, 0], spread.shape[2], <int32_t>i, <int32_t>j, at, &out[0, 0], number)
    room(at == number, "out")
