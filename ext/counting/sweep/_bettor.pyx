"""What bettors stake and gain, coup by coup.

`best`: a bettor who knows every edge makes the best of the stakes allowed. A vertex is a choice of stakes.
`_best_body.h` tries all vertices for a block of coups in vector lanes. Each gain is added up in the order of the bets,
without fused operations, so it is the same to the bit on every processor. `add` adds up what any bettor staked and
gained, as whole numbers. `add_best` does both for several bettors.

`follow`: a system's counter, whose coups may depend on one another. They do if only a few coups may be skipped in a
row, if main bets stand after a push, or if losses in a shoe are rebated. On a coup that the counter wants, the counter
makes the side and main bets. Other coups are skipped, but at most `skips` in a row. If `skips` coups in a row were
skipped and the counter does not want the next coup either, `idle` units are bet on the main bet. A main bet that pushed
stands on the next coup. If the counter wants that coup, the side bet is added, and the standing bet is raised to the
main-bet requirement. A share of the loss in a shoe so far is paid back as a rebate. A coup's gain includes the change
that the coup makes to the rebate.

Assumed, because coups are dealt in this order: rows of a shoe are adjacent and in order.
"""
cimport cython
from libc.math cimport llrint
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uintptr_t
from libc.stdlib cimport free, malloc

from counting._room cimport room

cdef extern from "_best.h" nogil:
    ctypedef struct best_stakes:
        int bets
        int vertices
        int seated
        const int32_t *first
        const int32_t *bet
        const double *amount
        const uint8_t *on_side
    const int BEST_ROWS
    int vectors_best()
    void best_plays_plain(const best_stakes *, const double *, double, Py_ssize_t, void *, double *, uint8_t *)
    void best_plays_avx2(const best_stakes *, const double *, double, Py_ssize_t, void *, double *, uint8_t *)
    void best_plays_avx512(const best_stakes *, const double *, double, Py_ssize_t, void *, double *, uint8_t *)

cdef enum:
    LINE = 64  # vectors are aligned to this number of bytes


def best_level():
    """The fastest instruction set this machine runs: 0 plain, 1 AVX2, 2 AVX-512."""
    return vectors_best()


@cython.final
cdef class Allowed:
    """The stakes allowed on `bets` bets, checked once. Vertex v has the stakes amount[first[v] : first[v + 1]] on the
    bets in the same places of `bet`. on_side[v] says whether one of these bets is a side bet. A bettor who is not
    seated may skip a coup."""
    cdef best_stakes of
    cdef object views, arrays  # kept alive

    def __init__(self, int bets, const int32_t[::1] first, const int32_t[::1] bet, const double[::1] amount,
                 const uint8_t[::1] on_side, bint seated):
        cdef Py_ssize_t vertices = on_side.shape[0], v
        room(first.shape[0] == vertices + 1 and first[0] == 0 and first[vertices] == amount.shape[0] == bet.shape[0],
             "stakes")
        for v in range(vertices):
            room(first[v] <= first[v + 1], "first")
        for v in range(bet.shape[0]):
            room(0 <= bet[v] < bets, "bet")
        self.views, self.arrays = (first, bet, amount, on_side), (first.base, bet.base, amount.base, on_side.base)
        self.of.bets, self.of.vertices, self.of.seated = bets, <int>vertices, seated
        self.of.first, self.of.bet, self.of.amount, self.of.on_side = &first[0], NULL, NULL, NULL
        if bet.shape[0]:
            self.of.bet, self.of.amount = &bet[0], &amount[0]
        if vertices:
            self.of.on_side = &on_side[0]

    def __reduce__(self):
        return Allowed, (self.of.bets, *self.arrays, bool(self.of.seated))


cdef inline void _best(const best_stakes *of, const double *edges, double rebate, Py_ssize_t rows, void *block,
                       double *gain, uint8_t *staked, int level) noexcept nogil:
    """Fill gain and staked with the best of these stakes."""
    if level == 2:
        best_plays_avx512(of, edges, rebate, rows, block, gain, staked)
    elif level == 1:
        best_plays_avx2(of, edges, rebate, rows, block, gain, staked)
    else:
        best_plays_plain(of, edges, rebate, rows, block, gain, staked)


cdef inline void _add(const double *gain, const uint8_t *staked, const int64_t *place, Py_ssize_t rows, double unit,
                      Py_ssize_t places, int64_t *sums) noexcept nogil:
    """Add what was played to sums (3, places)."""
    cdef Py_ssize_t row
    cdef double of_unit = 1 / unit
    for row in range(rows):
        if staked[row]:
            sums[place[row]] += 1
            sums[places + place[row]] += staked[row] == 1
            sums[2 * places + place[row]] += llrint(gain[row] * of_unit)


cdef int _placed(const int64_t[::1] place, Py_ssize_t places) except -1:
    cdef Py_ssize_t row
    for row in range(place.shape[0]):
        room(0 <= place[row] < places, "place")
    return 0


def best(const double[:, ::1] edges, double rebate, Allowed stakes, double[::1] gain, uint8_t[::1] staked, int level):
    """For each coup, fill gain with the largest gain that any of the allowed stakes has at this coup's edges. edges is
    (bets, rows). Fill staked with 1 for stakes with a side bet, and with 2 for main bets only. Of stakes with equal
    gains, the first are taken. A bettor who is not seated skips a coup if no stakes gain: gain and staked are then 0.
    The rebate is added to each edge."""
    cdef Py_ssize_t rows = edges.shape[1]
    cdef void *block
    room(edges.shape[0] == stakes.of.bets, "edges")
    room(gain.shape[0] == rows == staked.shape[0], "gain")
    if rows == 0:
        return
    block = malloc(stakes.of.bets * BEST_ROWS * sizeof(double) + LINE)
    if block == NULL:
        raise MemoryError
    with nogil:
        _best(&stakes.of, &edges[0, 0], rebate, rows, _aligned(block), &gain[0], &staked[0], level)
    free(block)


cdef inline void *_aligned(void *block) noexcept nogil:
    return <void *>((<uintptr_t>block + LINE - 1) & ~<uintptr_t>(LINE - 1))


def add(const double[::1] gain, const uint8_t[::1] staked, const int64_t[::1] place, double unit,
        int64_t[:, ::1] sums):
    """Add each coup to sums (3, places) at the coup's place. The three sums of a place are the number of coups played,
    the number of coups played with a side bet, and the gains in whole units. The unit is a power of two; gains are
    below 2^53 units."""
    cdef Py_ssize_t rows = gain.shape[0], places = sums.shape[1]
    room(staked.shape[0] == rows == place.shape[0] and sums.shape[0] == 3, "gain")
    _placed(place, places)
    if rows:
        with nogil:
            _add(&gain[0], &staked[0], &place[0], rows, unit, places, &sums[0, 0])


def add_best(const double[:, ::1] edges, list stakes, const double[::1] rebate, const double[::1] unit,
             const int64_t[::1] number, const int64_t[::1] place, int64_t[:, :, ::1] sums, int level):
    """Do `best` and `add` for several bettors at the same coups. Bettor i makes the best of stakes[i]. What bettor i
    plays is added to the last three rows of sums[number[i]]; sums is (bettors, 4, places)."""
    cdef Py_ssize_t rows = edges.shape[1], bettors = rebate.shape[0], places = sums.shape[2], i
    cdef best_stakes *of
    cdef void *block
    cdef double *gain
    cdef uint8_t *staked
    room(len(stakes) == bettors == unit.shape[0] and number.shape[0] == bettors, "rebate")
    room(place.shape[0] == rows and sums.shape[1] == 4, "place")
    _placed(place, places)
    for i in range(bettors):
        room(0 <= number[i] < sums.shape[0], "number")
        room((<Allowed?>stakes[i]).of.bets == edges.shape[0], "edges")
    if rows == 0 or bettors == 0:
        return
    of = <best_stakes *>malloc(bettors * sizeof(best_stakes))
    block = malloc(edges.shape[0] * BEST_ROWS * sizeof(double) + LINE)
    gain, staked = <double *>malloc(rows * sizeof(double)), <uint8_t *>malloc(rows)
    try:
        if of == NULL or block == NULL or gain == NULL or staked == NULL:
            raise MemoryError
        for i in range(bettors):
            of[i] = (<Allowed?>stakes[i]).of
        with nogil:
            for i in range(bettors):
                _best(&of[i], &edges[0, 0], rebate[i], rows, _aligned(block), gain, staked, level)
                _add(gain, staked, &place[0], rows, unit[i], places, &sums[number[i], 1, 0])
    finally:
        free(of)
        free(block)
        free(gain)
        free(staked)


def follow(const uint16_t[::1] shoe, const uint8_t[::1] wants, const double[::1] side, const double[:, ::1] mains,
           const int32_t[::1] best, const double[::1] won_side, const double[:, ::1] won_mains, double tie_in,
           double idle, int skips, bint standing, double loss_rebate, double[::1] gain, uint8_t[::1] staked):
    """Fill gain, and fill staked with 0 for a skipped coup, 1 for a coup with the side bet, and 2 for main bets only.

    side (rows,) is the sum of the edges, rebate included, of the side bets that the counter makes. mains (rows, main
    bets) has the edges of the main bets. The main bet made is best[row], unless another main bet stands. won_side and
    won_mains are what the bets paid as dealt, 0 for a push. skips is -1 if all coups may be skipped.
    """
    cdef Py_ssize_t row
    cdef int skipped = 0, held = -1, at
    cdef double units = 0, main, more, won = 0, owed = 0
    cdef Py_ssize_t rows = shoe.shape[0]
    room(wants.shape[0] == rows == side.shape[0] and best.shape[0] == rows == won_side.shape[0], "columns")
    room(mains.shape[0] == rows == won_mains.shape[0] and mains.shape[1] == won_mains.shape[1], "mains")
    room(gain.shape[0] == rows == staked.shape[0], "gain")
    for row in range(rows):
        room(0 <= best[row] < mains.shape[1], "best")
    with nogil:
        for row in range(rows):
            if row == 0 or shoe[row] != shoe[row - 1]:
                skipped, held, won, owed = 0, -1, 0, 0
            if held >= 0:
                at = held
                staked[row] = 1 if wants[row] else 2
                if staked[row] == 1 and tie_in > units:
                    units = tie_in
            else:
                at = best[row]
                if not wants[row] and (skips < 0 or skipped < skips):
                    staked[row] = 0
                else:
                    staked[row] = 1 if wants[row] else 2
                units = tie_in if staked[row] == 1 else idle
            main = mains[row, at]
            gain[row] = 0
            if staked[row]:
                gain[row] = units * main + (side[row] if staked[row] == 1 else 0)
            skipped = skipped + 1 if staked[row] == 0 else 0
            if loss_rebate > 0 and staked[row]:
                won += units * won_mains[row, at] + (won_side[row] if staked[row] == 1 else 0)
                more = -loss_rebate * won if won < 0 else 0
                gain[row] += more - owed
                owed = more
            held = at if standing and staked[row] and units > 0 and won_mains[row, at] == 0 else -1
