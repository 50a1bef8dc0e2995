"""A game's bilinear form, and a guess of its saddle point.

`reduce` opens each cell in which Banker's better move depends on Player's play. In the other cells Banker's move is
decided, and what these moves are worth is added up. In a cell, drawing is worth D(x) = d_0 + d_1 x_1 + ... more than
standing. On the cube of x, the least D(x) is d_0 + sum min(d_i, 0), and the largest is d_0 + sum max(d_i, 0).

`guess` climbs to the saddle point in floating point, and says which x and y are at 0, at 1 or between. `mixes` climbs
on a form of floats, and gives the values of x and y. Neither proves anything.

Overflow. Every sum is the difference between what two strategies are worth, so it is below 2^63 (see `_deals`).

Assumed: the arrays are a `CheminGame`'s, as `counting.chemin.solution` passes them.
"""
from libc.math cimport fabs, fmax
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t
from libc.stdlib cimport free as release
from libc.stdlib cimport malloc

from counting._room cimport room
from counting.chemin._climb cimport LONGEST, Guess, climb, point


def reduce(
    const int64_t[:, :, ::1] counted,
    const uint8_t[::1] free,
    const uint8_t[::1] must,
    bint strictly,
    int64_t[:, ::1] form,
    int32_t[::1] opened,
    uint8_t[:, ::1] state,
):
    """Fill form[i, 0] with what all cells are worth if Banker stands in the opened cells, and form[i, j + 1] with what
    drawing in cell opened[j] adds. Return the number of opened cells.

    state[0, cell] is 1 if Banker has a choice in the cell and the cell can be dealt. state[1, cell] is 1 if Banker
    always draws. state[2, i] is 1 if Player's cell i, counted from 1, can be dealt. `counted` (3, cells, columns) is
    the array that `_deals.count` fills; `form` is (columns, cells + 1). With `strictly`, a cell is also open if one
    move is never better than the other but is equally good against some play of Player's.
    """
    cdef int64_t low, high, d
    cdef Py_ssize_t cell, i, m = 0, cells = counted.shape[1], columns = counted.shape[2]
    cdef bint reached, draws, unsure
    room(counted.shape[0] == 3 and free.shape[0] == cells == must.shape[0] == opened.shape[0], "counted")
    room(form.shape[0] == columns and form.shape[1] > cells, "form")
    room(state.shape[0] == 3 and state.shape[1] >= max(cells, columns), "state")
    with nogil:
        for i in range(columns):
            form[i, 0] = 0
            state[2, i] = 0
        for cell in range(cells):
            low = high = counted[1, cell, 0] - counted[0, cell, 0]
            reached = counted[2, cell, 0] != 0
            for i in range(1, columns):
                d = counted[1, cell, i] - counted[0, cell, i]
                low += min(d, 0)
                high += max(d, 0)
                if counted[2, cell, i]:
                    reached = True
                    state[2, i] = 1
            state[0, cell] = free[cell] and reached
            unsure = low <= 0 <= high if strictly else low < 0 < high
            draws = must[cell] or (state[0, cell] and not unsure and low < 0)
            state[1, cell] = draws
            for i in range(columns):
                form[i, 0] += counted[1 if draws else 0, cell, i]
            if state[0, cell] and unsure:
                opened[m] = <int32_t>cell
                for i in range(columns):
                    form[i, m + 1] = counted[1, cell, i] - counted[0, cell, i]
                m += 1
    return m


cdef int _hold(Guess *c, int k, int m) except -1:
    """Allocate memory for a form of k + 1 rows and m + 1 columns. `_release` frees it."""
    cdef double *floats = <double *>malloc((k + 2) * (m + 1) * sizeof(double))
    cdef int *whole = <int *>malloc(2 * (k + m + 2) * sizeof(int))
    if floats == NULL or whole == NULL:
        release(floats)
        release(whole)
        raise MemoryError
    c.k, c.m, c.width, c.t, c.rows, c.columns = k, m, m + 1, floats, whole, whole + k + 1
    c.ahead, c.at = floats + (k + 1) * (m + 1), <signed char *>(whole + k + m + 2)
    return 0


cdef void _release(const Guess *c) noexcept nogil:
    release(c.t)
    release(c.rows)


def guess(const int64_t[:, ::1] form, Py_ssize_t m, int8_t[::1] found):
    """Fill found[1:rows] with Player's x and found[rows:rows + m] with Banker's y: 0, 1, or 2 for a number between.
    Returns whether the climb ended, see `climb`. `form` is (rows, m + 1 or more)."""
    cdef int i, j, k = <int>form.shape[0] - 1, size = k + <int>m + 1
    cdef double scale = 0
    cdef bint top
    cdef Guess c
    room(k >= 0 and form.shape[1] > m >= 0 and found.shape[0] >= size, "found")
    _hold(&c, k, <int>m)
    with nogil:
        for i in range(k + 1):
            for j in range(m + 1):
                c.t[i * c.width + j] = <double>form[i, j]
                scale = fmax(scale, fabs(c.t[i * c.width + j]))
        scale = 1 / scale if scale else 1
        for i in range((k + 1) * c.width):
            c.t[i] *= scale
        top = climb(&c, 1e-12, LONGEST)
        for i in range(size):
            found[i] = c.at[i]
        for i in range(1, k + 1):
            if c.rows[i] > k:
                found[c.rows[i]] = 2
        for j in range(1, <int>m + 1):
            if c.columns[j] <= k:
                found[c.columns[j]] = 2
        _release(&c)
    return top


def mixes(const double[:, ::1] form, int longest, double[::1] found):
    """Fill found[1:rows] with Player's x and found[rows:] with Banker's y at the end of the climb. Returns whether the
    climb ended in fewer than `longest` steps, see `climb`. `form` is (rows, columns), `found` (rows + columns - 1,)."""
    cdef int i, j, k = <int>form.shape[0] - 1, m = <int>form.shape[1] - 1
    cdef bint top
    cdef Guess c
    room(k >= 0 and m >= 0 and found.shape[0] == k + m + 1, "found")
    _hold(&c, k, m)
    with nogil:
        for i in range(k + 1):
            for j in range(m + 1):
                c.t[i * c.width + j] = form[i, j]
        top = climb(&c, 1e-12, longest)
        point(&c, &found[0])
        _release(&c)
    return top
