# The climb of `counting/chemin/saddle.py` in floating point. It guesses which of Player's x and Banker's y are at 0 or
# 1 at the saddle point, and the values of the others. The climb proves nothing; a caller that needs a proof works it
# out in whole numbers. The tableau is the same as in `saddle.py`, but its entries are not multiplied by `det`.
from libc.math cimport fabs
from libc.string cimport memset

cdef enum:
    LONGEST = 60  # steps: a longer climb goes in a circle, or needs exact numbers


ctypedef struct Guess:
    int k, m, width      # t has rows 0 to k, `width` entries apart, and columns 0 to m
    double *t
    int *rows            # the variable of each row [k + 1] and each column [m + 1]: i stands for x_i, and k + j for y_j
    int *columns
    signed char *at      # [k + m + 1]: the end, 0 or 1, of each variable that is at an end
    double *ahead        # [m + 1]: the distance to each column's kink; -1 for none


cdef inline void flip_row(Guess *c, int i) noexcept nogil:
    cdef int j, v = c.rows[i]
    cdef double sign = -1 if c.at[v] else 1
    c.at[v] ^= 1
    for j in range(c.m + 1):
        c.t[j] += sign * c.t[i * c.width + j]


cdef inline void flip_column(Guess *c, int j) noexcept nogil:
    cdef int i, v = c.columns[j]
    cdef double sign = -1 if c.at[v] else 1
    c.at[v] ^= 1
    for i in range(c.k + 1):
        c.t[i * c.width] += sign * c.t[i * c.width + j]


cdef inline void exchange(Guess *c, int r, int s, bint leaving, bint entering) noexcept nogil:
    cdef int i, j, v = c.rows[r], u = c.columns[s]
    cdef double *row = c.t + r * c.width
    cdef double *other
    cdef double factor, inverse
    if v > c.k and leaving:
        row[0] += 1
    if u <= c.k and entering:
        c.t[s] -= 1
    inverse = 1 / row[s]
    for i in range(c.k + 1):
        if i != r:
            other = c.t + i * c.width
            factor = other[s] * inverse
            for j in range(c.m + 1):
                other[j] -= factor * row[j]
            other[s] = -factor
    for j in range(c.m + 1):
        row[j] *= inverse
    row[s] = inverse
    if v <= c.k and c.at[v]:
        c.t[s] += 1
    if u > c.k and c.at[u]:
        row[0] -= 1
    c.rows[r] = u
    c.columns[s] = v
    if v > c.k:
        c.at[v] = leaving
    if u <= c.k:
        c.at[u] = entering


cdef inline bint step(Guess *c, double least) noexcept nogil:
    """Climb along one coordinate. Returns False at the top, or if rounding errors hide the way. A worth below `least`
    counts as 0."""
    cdef int i, j, u, v, at = 0, nearest, way = 0
    cdef double head, slope, rate, far, best
    cdef double *row
    for i in range(1, c.k + 1):
        head, v = c.t[i * c.width], c.rows[i]
        if at and v > c.rows[at]:
            continue
        if v > c.k:
            if head > 1e-9 or head < -1 - 1e-9:
                at, way = i, 1 if head > 0 else -1
        elif (head < -least) if c.at[v] else (head > least):
            at, way = i, -1 if c.at[v] else 1
    if at == 0:
        return False
    row, v = c.t + at * c.width, c.rows[at]
    slope = way * row[0] - (1 if v > c.k and way < 0 else 0)
    for j in range(1, c.m + 1):
        rate, u = way * row[j], c.columns[j]
        c.ahead[j] = -1
        if fabs(rate) <= 1e-12:
            continue
        if u <= c.k:
            c.ahead[j] = (c.t[j] if rate < 0 else 1 - c.t[j]) / fabs(rate)
        elif (rate > 0) == (c.at[u] != 0):
            c.ahead[j] = fabs(c.t[j] / rate)
        if c.ahead[j] != -1 and c.ahead[j] < 0:
            c.ahead[j] = 0
    while True:
        nearest, best = -1, 0
        if v <= c.k:
            nearest, best = 0, 1
        for j in range(1, c.m + 1):
            far = c.ahead[j]
            if far >= 0 and (nearest < 0 or far < best):
                nearest, best = j, far
        if nearest < 0:
            return False
        if nearest == 0:
            flip_row(c, at)
            return True
        u = c.columns[nearest]
        slope -= fabs(row[nearest])
        if u <= c.k or slope <= (least if v <= c.k else 1e-9):
            exchange(c, at, nearest, way < 0, way * row[nearest] > 0)
            return True
        flip_column(c, nearest)
        c.ahead[nearest] = -1


cdef inline bint climb(Guess *c, double least, int longest) noexcept nogil:
    """Climb from the point at which all x are 1. Returns whether the climb ends in fewer than `longest` steps, at the
    top or where rounding errors hide the way. Before the climb, `c.t` must hold the form."""
    cdef int i, j, _i
    for i in range(c.k + 1):
        c.rows[i] = i
    c.columns[0] = 0
    for j in range(1, c.m + 1):
        c.columns[j] = c.k + j
    memset(c.at, 0, c.k + c.m + 1)
    for i in range(1, c.k + 1):
        flip_row(c, i)
    for j in range(1, c.m + 1):
        if c.t[j] < 0:
            flip_column(c, j)
    for _i in range(longest):
        if not step(c, least):
            return True
    return False


cdef inline void point(const Guess *c, double *found) noexcept nogil:
    """Fill found[k + m + 1] with x and y: x_i at i, and y_j at k + j."""
    cdef int i, j
    for i in range(c.k + c.m + 1):
        found[i] = c.at[i]
    for i in range(1, c.k + 1):
        if c.rows[i] > c.k:
            found[c.rows[i]] = -c.t[i * c.width]
    for j in range(1, c.m + 1):
        if c.columns[j] <= c.k:
            found[c.columns[j]] = c.t[j]
