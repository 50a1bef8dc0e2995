"""The joint distribution of a coup on many shoes: the counts of all outcomes at once, and edges from these counts.

One shoe. `counting.exact.joint_distributions` writes the counts of all outcomes of a tableau as sums of products of the
ten counts of a composition. A row is a run of neighbouring sums, mostly ten. `counting.exact.joint_programs` lays the
rows out as a program.

Many shoes. `_law_body.h` runs the program on a block of shoes in vector lanes. `_law_settle.h` settles bets in these
lanes. A class is a set of outcomes that no bet tells apart; an event is a union of classes. The instruction set is
chosen at run time.

`counting.exact.many_shoes` checks what is assumed: no count is negative, and a shoe has at least six cards and at most
the number for which the number type is exact.
"""
cimport cython
from libc.stdint cimport int32_t, int64_t, uintptr_t
from libc.stdlib cimport free, malloc

from counting._room cimport room

cdef extern from "_law.h" nogil:
    ctypedef struct law_index:
        int stages
        int slots
        const int32_t *stage
        const int32_t *gather
        const int32_t *scaled
        const int32_t *picked
        const int32_t *line
        const int32_t *tile
        const int32_t *pick
        const int32_t *term
        const int32_t *add
    ctypedef struct law_bets:
        int classes
        int events
        int bets
        const int32_t *class_start
        const int32_t *cell
        const int32_t *event_start
        const int32_t *part
        const int32_t *bet_start
        const int32_t *of_event
        const double *coefficient
        const double *denominator
    void law_counts_int64(const int32_t *, Py_ssize_t, const law_index *, const int64_t *, const int64_t *,
                          const law_bets *, void *, int64_t *)
    void law_counts_plain(const int32_t *, Py_ssize_t, const law_index *, const double *, const double *,
                          const law_bets *, void *, double *)
    void law_counts_avx2(const int32_t *, Py_ssize_t, const law_index *, const double *, const double *,
                         const law_bets *, void *, double *)
    void law_counts_avx512(const int32_t *, Py_ssize_t, const law_index *, const double *, const double *,
                           const law_bets *, void *, double *)
    void law_quotients_plain(const int32_t *, Py_ssize_t, const law_index *, const double *, const double *,
                             const law_bets *, void *, int, Py_ssize_t, Py_ssize_t, double *)
    void law_quotients_avx2(const int32_t *, Py_ssize_t, const law_index *, const double *, const double *,
                            const law_bets *, void *, int, Py_ssize_t, Py_ssize_t, double *)
    void law_quotients_avx512(const int32_t *, Py_ssize_t, const law_index *, const double *, const double *,
                              const law_bets *, void *, int, Py_ssize_t, Py_ssize_t, double *)
    const int LAW_ONE, LAW_FIVE, LAW_FOUR, LAW_ZERO, LAW_FREE, PLAIN_LANES

cdef enum:
    LINE = 64  # the first slot is aligned to this number of bytes, which is also the most bytes of a slot

ONE, FIVE, FOUR, ZERO, FREE = LAW_ONE, LAW_FIVE, LAW_FOUR, LAW_ZERO, LAW_FREE
"""The slots of 1, N - 5, (N - 4)(N - 5) and the first of twenty zeros; then the first free slot."""


LANES = (1, PLAIN_LANES, 4, 8)
"""The numbers of shoes that are computed side by side: in integers, in plain vectors, with AVX2 and with AVX-512."""


cdef int _within(const int32_t[:, ::1] places, Py_ssize_t first, Py_ssize_t last, Py_ssize_t most,
                 int lanes=1) except -1:
    """Raise `ValueError` unless all places in columns first to last - 1 are multiples of `lanes`, from 0 to most *
    lanes."""
    cdef Py_ssize_t i, j
    for i in range(places.shape[0]):
        for j in range(first, last):
            room(0 <= places[i, j] <= most * lanes and places[i, j] % lanes == 0, "places")
    return 0


@cython.final
cdef class Program:
    """A program for `lanes` shoes side by side. The place of a slot is an offset in numbers: `lanes` times the slot's
    index. See `counting.exact.joint_programs` for the arrays."""
    cdef law_index ix
    cdef int lanes
    cdef object arrays
    cdef const int64_t[:, ::1] gather_int
    cdef const int64_t[::1] add_int
    cdef const double[:, ::1] gather_float
    cdef const double[::1] add_float

    def __init__(self, int lanes, int slots, const int32_t[:, ::1] stage, const int32_t[:, ::1] gather,
                 const int32_t[:, ::1] scaled, const int32_t[:, ::1] picked, const int32_t[:, ::1] line,
                 const int32_t[:, ::1] tile, const int32_t[:, ::1] pick, const int32_t[:, ::1] term,
                 const int32_t[:, ::1] add, const int64_t[:, ::1] gather_int, const int64_t[::1] add_int,
                 const double[:, ::1] gather_float, const double[::1] add_float):
        cdef Py_ssize_t last = stage.shape[0] - 1, k, g
        cdef Py_ssize_t[6] sizes
        room(lanes > 0 and slots >= LAW_FREE and last >= 1 and stage.shape[1] == 6, "stage")
        room(gather.shape[1] == 11 and scaled.shape[1] == 12, "rows")
        room(picked.shape[1] == 4 == line.shape[1] and tile.shape[1] == 4 and pick.shape[1] == 12, "rows")
        room(term.shape[1] == 3 and add.shape[1] == 2, "terms")
        room(min(gather.shape[0], scaled.shape[0], picked.shape[0], line.shape[0], tile.shape[0], pick.shape[0],
                 term.shape[0], add.shape[0]) > 0, "rows")
        room(gather.shape[0] == gather_int.shape[0] == gather_float.shape[0]
             and gather_int.shape[1] == 10 == gather_float.shape[1], "gather")
        room(add.shape[0] == add_int.shape[0] == add_float.shape[0], "add")
        sizes[:] = [gather.shape[0], scaled.shape[0], picked.shape[0], line.shape[0], tile.shape[0], add.shape[0]]
        for k in range(6):
            for g in range(last):
                room(0 <= stage[g, k] <= stage[g + 1, k] <= sizes[k], "stage")
        _within(picked, 2, 4, pick.shape[0])
        _within(line, 2, 4, term.shape[0])
        _within(tile, 2, 4, term.shape[0])
        _within(gather, 0, 1, slots - 10, lanes)
        _within(gather, 1, 11, slots - 1, lanes)
        _within(scaled, 0, 1, slots - 10, lanes)
        _within(scaled, 1, 12, slots - 1, lanes)
        _within(picked, 0, 2, slots - 20, lanes)
        _within(line, 0, 2, slots - 10, lanes)
        _within(tile, 0, 2, slots - 20, lanes)
        _within(pick, 0, 12, slots - 1, lanes)
        _within(term, 0, 2, slots - 1, lanes)
        _within(term, 2, 3, slots - 10, lanes)
        _within(add, 0, 2, slots - 1, lanes)
        self.arrays = (stage, gather, scaled, picked, line, tile, pick, term, add)
        self.gather_int, self.add_int = gather_int, add_int
        self.gather_float, self.add_float = gather_float, add_float
        self.lanes, self.ix.stages, self.ix.slots = lanes, <int>last, slots
        self.ix.stage, self.ix.gather, self.ix.scaled = &stage[0, 0], &gather[0, 0], &scaled[0, 0]
        self.ix.picked, self.ix.pick = &picked[0, 0], &pick[0, 0]
        self.ix.line, self.ix.tile, self.ix.term, self.ix.add = &line[0, 0], &tile[0, 0], &term[0, 0], &add[0, 0]


@cython.final
cdef class Bets:
    """Classes of outcomes, events, and bets as combinations of the counts of events.

    The count of class k is the sum of slot cell[e, 0] times slot cell[e, 1], over e from class_start[k] to
    class_start[k + 1] - 1. The count of an event is the sum of the counts of its parts. Parts are numbered: the classes
    first, then all deals, then the earlier events. Bet b is the sum of coefficient[e] times the count of event
    of_event[e], over e from bet_start[b] to bet_start[b + 1] - 1, divided by denominator[b] times all deals.
    """
    cdef law_bets bets
    cdef object arrays
    cdef Py_ssize_t slots

    def __init__(self, const int32_t[::1] class_start, const int32_t[:, ::1] cell, const int32_t[::1] event_start,
                 const int32_t[::1] part, const int32_t[::1] bet_start, const int32_t[::1] of_event,
                 const double[::1] coefficient, const double[::1] denominator):
        cdef Py_ssize_t classes = class_start.shape[0] - 1, bets = bet_start.shape[0] - 1, i, j
        cdef Py_ssize_t events = event_start.shape[0] - 1
        room(classes > 0 and cell.shape[1] == 2 and cell.shape[0] > 0, "cell")
        room(bets >= 0 and denominator.shape[0] > 0 and denominator.shape[0] >= bets, "denominator")
        room(coefficient.shape[0] == of_event.shape[0] > 0 and events >= 0 and part.shape[0] > 0, "coefficient")
        for i in range(classes):
            room(0 <= class_start[i] <= class_start[i + 1] <= cell.shape[0], "class_start")
        for i in range(events):
            room(0 <= event_start[i] < event_start[i + 1] <= part.shape[0], "event_start")
            for j in range(event_start[i], event_start[i + 1]):
                room(0 <= part[j] <= classes + i, "part")
        for i in range(bets):
            room(0 <= bet_start[i] <= bet_start[i + 1] <= of_event.shape[0], "bet_start")
            for j in range(bet_start[i], bet_start[i + 1]):
                room(0 <= of_event[j] < events, "of_event")
        self.slots = 0
        for i in range(cell.shape[0]):
            room(cell[i, 0] >= 0 and cell[i, 1] >= 0, "cell")
            self.slots = max(self.slots, cell[i, 0] + 1, cell[i, 1] + 1)
        self.arrays = (class_start, cell, event_start, part, bet_start, of_event, coefficient, denominator)
        self.bets.classes, self.bets.events, self.bets.bets = <int>classes, <int>events, <int>bets
        self.bets.class_start, self.bets.cell, self.bets.bet_start = &class_start[0], &cell[0, 0], &bet_start[0]
        self.bets.event_start, self.bets.part = &event_start[0], &part[0]
        self.bets.of_event, self.bets.coefficient = &of_event[0], &coefficient[0]
        self.bets.denominator = &denominator[0]


cdef void *_space(Program program, Bets bets, void **aligned) except NULL:
    """Memory for the slots, the classes, all deals and three times the events. `aligned` becomes the first aligned
    place. The caller frees the memory."""
    cdef size_t vectors = program.ix.slots + bets.bets.classes + 1 + 3 * bets.bets.events + 1
    cdef void *all_of_it = malloc(LINE * vectors)
    if all_of_it is NULL:
        raise MemoryError
    aligned[0] = <void *>((<uintptr_t>all_of_it + LINE - 1) & ~<uintptr_t>(LINE - 1))
    return all_of_it


def counts_float64(const int32_t[:, ::1] values, Program program, Bets bets, double[:, ::1] out, int level):
    """Fill out[shoe, class] with the number of six-card deals of each class, for one or more shoes of at most 455
    cards."""
    cdef void *slots
    cdef void *space
    room(values.shape[1] == 10 and values.shape[0] == out.shape[0] > 0 and bets.slots <= program.ix.slots, "out")
    room(out.shape[1] == bets.bets.classes and program.lanes == LANES[1 + level], "out")
    space = _space(program, bets, &slots)
    with nogil:
        (law_counts_avx512 if level == 2 else law_counts_avx2 if level == 1 else law_counts_plain)(
            &values[0, 0], values.shape[0], &program.ix, &program.gather_float[0, 0], &program.add_float[0],
            &bets.bets, slots, &out[0, 0])
    free(space)


def quotients(const int32_t[:, ::1] values, Program program, Bets bets, double[:, :, :] out, int level):
    """Fill out[table, shoe, bet] with the bets' quotients, table after table, for one or more bets and one or more
    shoes of at most 455 cards. A table's numbers are contiguous, shoe by shoe or bet by bet."""
    cdef Py_ssize_t of_shoe = out.strides[1] // 8, of_bet = out.strides[2] // 8
    cdef bint by_shoe = of_bet == 1 and of_shoe == out.shape[2], by_bet = of_shoe == 1 and of_bet == out.shape[1]
    cdef void *slots
    cdef void *space
    room(values.shape[1] == 10 and values.shape[0] == out.shape[1] > 0 and bets.slots <= program.ix.slots, "out")
    room(out.shape[0] * out.shape[2] == bets.bets.bets > 0 and program.lanes == LANES[1 + level], "out")
    room(out.strides[0] == out.shape[1] * out.shape[2] * 8 and (by_shoe or by_bet), "out")
    space = _space(program, bets, &slots)
    with nogil:
        (law_quotients_avx512 if level == 2 else law_quotients_avx2 if level == 1 else law_quotients_plain)(
            &values[0, 0], values.shape[0], &program.ix, &program.gather_float[0, 0], &program.add_float[0],
            &bets.bets, slots, <int>out.shape[0], of_shoe, of_bet, &out[0, 0, 0])
    free(space)


def counts_int64(const int32_t[:, ::1] values, Program program, Bets bets, int64_t[:, ::1] out):
    """Fill out[shoe, class] with the number of six-card deals of each class, for one or more shoes of at most 27
    decks."""
    cdef void *slots
    cdef void *space
    room(values.shape[1] == 10 and values.shape[0] == out.shape[0] > 0 and bets.slots <= program.ix.slots, "out")
    room(out.shape[1] == bets.bets.classes and program.lanes == 1, "out")
    space = _space(program, bets, &slots)
    with nogil:
        law_counts_int64(&values[0, 0], values.shape[0], &program.ix, &program.gather_int[0, 0],
                         &program.add_int[0], &bets.bets, slots, &out[0, 0])
    free(space)
