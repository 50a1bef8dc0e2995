"""Shoes under a rebate on the net loss: an upper bound on what any counter can win, and what a policy wins.

A net result is a place on a lattice of points. Beyond the lattice, every function of the net result is a straight line,
with slope `slope` below the lattice and slope 1 above it. A vertex is a choice of stakes, on which a coup pays one of a
few amounts. Each amount is a jump on the lattice. A jump is `low` whole steps, and one step more with the chance
`rest`, so that the mean of the jump is the amount.

The features are numbers known before a coup. The continuation C in a state is a function of the net result, which
estimates what the net result is worth from there on: C = sum over the features of known * coefs. `moved` gives the
increment of each feature: its change over the coup, to first order in the edges. C without these increments is C - sum
over the features of moved * coefs.

- `upper` runs the dynamic program on each shoe as dealt, from the last coup to the first, over the places that the
  shoe's outcomes can reach.
- `lower` plays the policy that makes the stakes with the best mean of C, from the first coup on. Pays are not rounded
  to steps, and functions are interpolated between points.
- `worth` gives the best mean of C after a coup. The continuation of the coup before is fitted to it.

The kernel assumes that the rows of a shoe are adjacent and in order, and that every state allows a vertex.
`counting.bounds.net_evaluation` makes sure of both. `Coups` checks that slices and classes are in range. `upper` checks
that the places that a shoe can reach are below 2^31 in size.
"""
from libc.math cimport INFINITY, floor
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, malloc

from counting._room cimport room

cdef extern from "_net_results.h" nogil:
    ctypedef struct net_game:
        int states
        int vertices
        int classes
        int features
        int points
        double slope
        const int32_t *first
        const int32_t *low
        const double *rest
        const int32_t *jump_of
        const int32_t *next
        const double *coefs
        const double *end
    ctypedef struct net_coups:
        const int32_t *slice
        const int32_t *cls
        const double *known
        const double *moved
        const double *chances
    int vectors_best()
    void net_upper_plain(const net_game *, const net_coups *, Py_ssize_t, Py_ssize_t, const int32_t *, Py_ssize_t,
                         double *, double *)
    void net_upper_avx2(const net_game *, const net_coups *, Py_ssize_t, Py_ssize_t, const int32_t *, Py_ssize_t,
                        double *, double *)
    void net_upper_avx512(const net_game *, const net_coups *, Py_ssize_t, Py_ssize_t, const int32_t *, Py_ssize_t,
                          double *, double *)
    void net_worth_plain(const net_game *, const net_coups *, Py_ssize_t, double *, double *)
    void net_worth_avx2(const net_game *, const net_coups *, Py_ssize_t, double *, double *)
    void net_worth_avx512(const net_game *, const net_coups *, Py_ssize_t, double *, double *)
    void net_tables_plain(const net_game *, const net_coups *, Py_ssize_t, double *, double *)
    void net_tables_avx2(const net_game *, const net_coups *, Py_ssize_t, double *, double *)
    void net_tables_avx512(const net_game *, const net_coups *, Py_ssize_t, double *, double *)


cdef enum:
    MOST_PLACE = 0x7FFFFFFF


def best_level():
    """The fastest instruction set this machine runs: 0 plain, 1 AVX2, 2 AVX-512."""
    return vectors_best()


cdef class Table:
    """A game under a rebate, laid out for the kernel; see `_net_results.h`. jump_of is (vertices, classes), next is
    (states, vertices), and coefs is (slices, states, features, points)."""
    cdef net_game of
    cdef object _kept
    cdef Py_ssize_t slices

    def __init__(self, const int32_t[::1] first, const int32_t[::1] low, const double[::1] rest,
                 const int32_t[:, ::1] jump_of, const int32_t[:, ::1] next, double slope,
                 const double[:, :, :, ::1] coefs, const double[::1] end):
        cdef Py_ssize_t vertices = jump_of.shape[0], points = end.shape[0], v, x, s
        room(first.shape[0] == vertices + 1 and low.shape[0] == rest.shape[0] == first[vertices], "jumps")
        room(next.shape[1] == vertices and next.shape[0] == coefs.shape[1], "states")
        room(coefs.shape[3] == points and coefs.shape[0] * coefs.shape[1] * coefs.shape[2] * points > 0, "coefs")
        for v in range(vertices):
            for x in range(jump_of.shape[1]):
                room(first[v] <= jump_of[v, x] < first[v + 1], "jump_of")
            for s in range(next.shape[0]):
                room(-1 <= next[s, v] <= next.shape[0], "next")
        self._kept = first, low, rest, jump_of, next, coefs, end
        self.slices = coefs.shape[0]
        self.of.states, self.of.vertices = <int>next.shape[0], <int>vertices
        self.of.classes, self.of.features = <int>jump_of.shape[1], <int>coefs.shape[2]
        self.of.points, self.of.slope = <int>points, slope
        self.of.first, self.of.low, self.of.rest = &first[0], &low[0], &rest[0]
        self.of.jump_of, self.of.next = &jump_of[0, 0], &next[0, 0]
        self.of.coefs, self.of.end = &coefs[0, 0, 0, 0], &end[0]


cdef class Coups:
    """Coups, a row each. `slice` and `cls` (rows,): the slice, and the class as dealt. `known` and `moved` (rows,
    features): the features before the coup, and their increments. `chances` (rows, classes): the chances of the
    classes."""
    cdef net_coups of
    cdef object _kept
    cdef Py_ssize_t rows

    def __init__(self, Table table, const int32_t[::1] slice, const int32_t[::1] cls, const double[:, ::1] known,
                 const double[:, ::1] moved, const double[:, ::1] chances):
        cdef Py_ssize_t rows = slice.shape[0], row
        room(cls.shape[0] == rows == chances.shape[0] and known.shape[0] == rows == moved.shape[0], "rows")
        room(known.shape[1] == table.of.features == moved.shape[1], "features")
        room(chances.shape[1] == table.of.classes, "chances")
        for row in range(rows):
            room(0 <= slice[row] < table.slices and 0 <= cls[row] < table.of.classes, "slice")
        self._kept = slice, cls, known, moved, chances
        self.rows = rows
        if rows:
            self.of.slice, self.of.cls = &slice[0], &cls[0]
            self.of.known, self.of.moved, self.of.chances = &known[0, 0], &moved[0, 0], &chances[0, 0]


cdef Py_ssize_t _reach(const net_game *of, const net_coups *coups, Py_ssize_t first, Py_ssize_t last, int64_t low,
                       int64_t high, int32_t *reach) noexcept nogil:
    """Fill reach (coups + 1, 2) with the least and the greatest place before each coup of a shoe, and at the end of the
    shoe. Before the first coup, places are from `low` to `high`. Returns the largest number of places from least to
    greatest; -1 if a place is too large."""
    cdef Py_ssize_t row, most = high - low + 1
    cdef int v, j, down, up
    for row in range(first, last + 1):
        if low < -MOST_PLACE or high > MOST_PLACE:
            return -1
        reach[2 * (row - first)], reach[2 * (row - first) + 1] = <int32_t>low, <int32_t>high
        if high - low + 1 > most:
            most = high - low + 1
        if row < last:
            down, up = 0x7FFFFFFF, -0x7FFFFFFF
            for v in range(of.vertices):
                j = of.jump_of[v * of.classes + coups.cls[row]]
                down = min(down, of.low[j])
                up = max(up, of.low[j] + (1 if of.rest[j] > 0 else 0))
            low, high = low + down, high + up
    return most


def upper(Table table, Coups coups, const int32_t[::1] starts, int low, int high, double[:, ::1] out, int level):
    """Fill out (shoes, places) with H, for each place from low to high of the net result before the shoe. H is what the
    net result is worth at the end of the shoe as dealt, minus the sum of Z over its coups
    (`counting.bounds.net_evaluation` explains Z), for the schedule of stakes that makes this largest. starts (shoes +
    1,) has the first row of each shoe."""
    cdef Py_ssize_t shoes = starts.shape[0] - 1, shoe, first, last, most, longest = 0, places = 0
    cdef const net_game *of = &table.of
    cdef int jumps = of.first[of.vertices]
    cdef int32_t *reach
    cdef double *space
    room(out.shape[0] == shoes and out.shape[1] == high - low + 1, "out")
    room(starts[0] == 0 and starts[shoes] == coups.rows, "starts")
    for shoe in range(shoes):
        room(starts[shoe] <= starts[shoe + 1], "starts")
        longest = max(longest, starts[shoe + 1] - starts[shoe])
    if shoes == 0:
        return
    reach = <int32_t *>malloc(2 * (longest + 1) * sizeof(int32_t))
    if reach == NULL:
        raise MemoryError
    for shoe in range(shoes):
        most = _reach(of, &coups.of, starts[shoe], starts[shoe + 1], low, high, reach)
        if most < 0:
            free(reach)
            raise ValueError("pays: a shoe's net result passes 2^31 steps of the lattice")
        places = max(places, most)
    space = <double *>malloc((2 * of.states * of.points + jumps + (2 * of.states + 3) * places + 1) * sizeof(double))
    if space == NULL:
        free(reach)
        raise MemoryError
    with nogil:
        for shoe in range(shoes):
            first, last = starts[shoe], starts[shoe + 1]
            most = _reach(of, &coups.of, first, last, low, high, reach)
            if level == 2:
                net_upper_avx512(of, &coups.of, first, last, reach, most, space, &out[shoe, 0])
            elif level == 1:
                net_upper_avx2(of, &coups.of, first, last, reach, most, space, &out[shoe, 0])
            else:
                net_upper_plain(of, &coups.of, first, last, reach, most, space, &out[shoe, 0])
    free(space)
    free(reach)


def worth(Table table, Coups coups, double[:, :, ::1] out, int level):
    """Fill out (rows, states, points) with the best mean of C after each coup, for each state and place before the
    coup."""
    cdef Py_ssize_t row
    cdef const net_game *of = &table.of
    cdef double *space
    room(out.shape[0] == coups.rows and out.shape[1] == of.states and out.shape[2] == of.points, "out")
    space = <double *>malloc(((of.states + 1) * of.points + of.first[of.vertices]) * sizeof(double))
    if space == NULL:
        raise MemoryError
    with nogil:
        for row in range(coups.rows):
            if level == 2:
                net_worth_avx512(of, &coups.of, row, space, &out[row, 0, 0])
            elif level == 1:
                net_worth_avx2(of, &coups.of, row, space, &out[row, 0, 0])
            else:
                net_worth_plain(of, &coups.of, row, space, &out[row, 0, 0])
    free(space)


cdef double _read(const net_game *of, const double *table, double place) noexcept nogil:
    """The value of a function at a place, between the points of its table or beyond them."""
    cdef int at
    if place <= 0:
        return table[0] + of.slope * place
    if place >= of.points - 1:
        return table[of.points - 1] + (place - (of.points - 1))
    at = <int>floor(place)
    return table[at] + (place - at) * (table[at + 1] - table[at])


cdef double _mean(const net_game *of, const double *table, const double *chances, const double *pays,
                  double net) noexcept nogil:
    """The mean of a function of the net result after a coup with these pays (classes)."""
    cdef int x
    cdef double mean = 0
    for x in range(of.classes):
        if chances[x] > 0:
            mean += chances[x] * _read(of, table, net + pays[x])
    return mean


cdef bint _fits(const double *stakes, const double *kept, int bets) noexcept nogil:
    """Whether the stake on each bet is at least the stake that still stands on it."""
    cdef int bet
    for bet in range(bets):
        if stakes[bet] < kept[bet] - 1e-9:
            return False
    return True


def lower(Table table, Coups coups, const int32_t[::1] starts, const double[:, ::1] pays,
          const double[:, ::1] standing, const double[:, ::1] pushed, double[::1] net, int32_t[::1] chosen,
          double[::1] taken, int level):
    """Play the policy on shoes whose rows begin at starts (shoes + 1,). net (shoes,) has the place before each shoe,
    and is changed to the place after the shoe. chosen (rows,) is filled with the vertex staked, or -1 after the bettor
    has left. taken (rows,) is filled with Z of each coup, see `counting.bounds.net_evaluation`.

    pays (vertices, classes) are in steps. A stake in standing (vertices, bets) stays for the next coup if its bet
    pushed; pushed (classes, bets) is 1 for a push. If stakes never stay, both arrays have no columns.
    """
    cdef Py_ssize_t shoes = starts.shape[0] - 1, shoe, row
    cdef const net_game *of = &table.of
    cdef int state, v, u, best, cls, bet, bets = <int>standing.shape[1]
    cdef double here, mean, most
    cdef bint must
    cdef const double *chances
    cdef const double *stakes = &standing[0, 0] if bets else NULL
    cdef const double *pushes = &pushed[0, 0] if bets else NULL
    cdef const double *after
    cdef double *space
    cdef double *c
    cdef double *less
    cdef double *kept
    room(net.shape[0] == shoes and chosen.shape[0] == coups.rows == taken.shape[0], "net")
    room(pays.shape[0] == of.vertices == standing.shape[0] and pays.shape[1] == of.classes == pushed.shape[0], "pays")
    room(pushed.shape[1] == bets, "pushed")
    room(shoes >= 0 and starts[0] == 0 and starts[shoes] == coups.rows, "starts")
    for shoe in range(shoes):
        room(starts[shoe] <= starts[shoe + 1], "starts")
    space = <double *>malloc((2 * of.states * of.points + bets) * sizeof(double))
    if space == NULL:
        raise MemoryError
    c, less, kept = space, space + of.states * of.points, space + 2 * of.states * of.points
    with nogil:
        for shoe in range(shoes):
            state, here, must = 0, net[shoe], False
            for row in range(starts[shoe], starts[shoe + 1]):
                if state == of.states:
                    chosen[row], taken[row] = -1, 0
                    continue
                if level == 2:
                    net_tables_avx512(of, &coups.of, row, c, less)
                elif level == 1:
                    net_tables_avx2(of, &coups.of, row, c, less)
                else:
                    net_tables_plain(of, &coups.of, row, c, less)
                chances, cls = coups.of.chances + row * of.classes, coups.of.cls[row]
                best, most = -1, -INFINITY
                for v in range(of.vertices):
                    u = of.next[state * of.vertices + v]
                    if u < 0 or (must and not _fits(stakes + v * bets, kept, bets)):
                        continue
                    after = of.end
                    if u < of.states:
                        after = c + u * of.points
                    mean = _mean(of, after, chances, &pays[v, 0], here)
                    if mean > most:
                        best, most = v, mean
                u = of.next[state * of.vertices + best]
                chosen[row], taken[row] = best, 0
                if u < of.states:
                    taken[row] = (_read(of, c + u * of.points, here + pays[best, cls])
                                  - _mean(of, less + u * of.points, chances, &pays[best, 0], here))
                else:
                    taken[row] = (_read(of, of.end, here + pays[best, cls])
                                  - _mean(of, of.end, chances, &pays[best, 0], here))
                here += pays[best, cls]
                state, must = u, False
                for bet in range(bets):
                    kept[bet] = stakes[best * bets + bet] * pushes[cls * bets + bet]
                    must = must or kept[bet] > 0
            net[shoe] = here
    free(space)
