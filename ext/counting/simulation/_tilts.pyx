"""Random draws of compositions, and the steps of Markov chains of compositions: the loops of
`counting.simulation.tilts` and `importance`.

A tilt's tables. The chance of k cards of a value is C(n, k) p^k (1 - p)^(n - k), with both powers as running products.
The chances of the cards of several values together are sums over one value's count.

One count. A tilt is a distribution of compositions. Its draws take the values one after another: a value's count is
drawn, given the number of cards left for this value and the later values. The chance of count c is proportional to
binomial[c] * rest[cards - c]. `rest` is the chance that the later values make up the other cards. These chances are
added up in order. The count that is drawn is the number of sums that a random number reaches.

Many draws. A cell is a tilt with a number of cards left. All draws of a cell share its sums. The sums of cell i are
raised by i, as if the sums of all cells were one rising table. The random number is raised by i too. This is part of
the definition, because it rounds both. Each table has at most a few thousand cells, so that sums keep 40 bits after
the point.

One exchange. A chain gives away a card of one value and takes a card of another value, if a random number is below a
ratio: the probability of the new composition, divided by the probability of the old one.

All sums are added up in order, without fused operations, so they are the same to the bit on every processor.

Assumed: no value has more cards than `full`, and random numbers are at least 0 and below 1.
"""
from libc.stdint cimport int32_t, int64_t, intptr_t
from libc.stdlib cimport calloc, free, malloc

from counting._room cimport room

cdef double BELOW_ONE = 1 - 2.0**-40  # rounding cannot lift this factor into the next cell


def tables(const int32_t[::1] full, const double[:, ::1] ways, const double[::1] chances, double[:, ::1] binomials):
    """Fill binomials (kinds, counts) with the chances of 0, 1 ... cards of each kind: full (kinds,) independent trials
    with these chances (kinds,). ways (kinds, counts) has the binomial coefficients, and 0 beyond full."""
    cdef Py_ssize_t kinds = full.shape[0], width = ways.shape[1], v, k
    cdef double power
    room(ways.shape[0] == kinds == chances.shape[0], "ways")
    room(binomials.shape[0] == kinds and binomials.shape[1] == width, "binomials")
    for v in range(kinds):
        room(0 <= full[v] < width, "full")
    with nogil:
        for v in range(kinds):
            power = 1
            for k in range(width):
                binomials[v, k] = ways[v, k] * power
                power *= chances[v]
            power = 1
            for k in range(full[v], -1, -1):
                binomials[v, k] *= power
                power *= 1 - chances[v]


def sums(const int32_t[::1] full, const double[:, ::1] binomials, double[:, ::1] rest):
    """Fill rest (kinds + 1, cards): rest[v] has the chances that the kinds v and later have 0, 1 ... cards together.
    binomials (kinds, counts) has the chances of each kind's counts, up to full (kinds,)."""
    cdef Py_ssize_t kinds = full.shape[0], width = rest.shape[1], v, k, cards
    cdef const double *later
    cdef double *here
    cdef double chance
    room(binomials.shape[0] == kinds and rest.shape[0] == kinds + 1 and width > 0, "rest")
    for v in range(kinds):
        room(0 <= full[v] < binomials.shape[1], "full")
    with nogil:
        rest[:, :] = 0
        rest[kinds, 0] = 1
        for v in range(kinds - 1, -1, -1):
            later, here = &rest[v + 1, 0], &rest[v, 0]
            for k in range(min(<Py_ssize_t>full[v], width - 1) + 1):
                chance = binomials[v, k]
                for cards in range(k, width):
                    here[cards] += later[cards - k] * chance


def counts(const intptr_t[::1] which, const int64_t[::1] left, const double[::1] chance,
           const double[:, ::1] binomials, const double[:, ::1] rest, Py_ssize_t most_cells, int32_t[::1] out):
    """Fill `out` (rows,) with random counts of a value. Row i draws with the tilt which[i], the cards left[i] and the
    random number chance[i]. binomials (tilts, counts) is for this value, rest (tilts, cards) for the values after it. A
    table has at most most_cells cells."""
    cdef Py_ssize_t rows = which.shape[0], tilts = binomials.shape[0], most = binomials.shape[1], width = rest.shape[1]
    cdef Py_ssize_t i, cell, cells, start, end, place, c, low, high, middle
    cdef int32_t *number  # of each cell that is drawn from, counted from 1; 0 for other cells
    cdef Py_ssize_t *cell_of  # the cell of each number, from 0
    cdef double *table
    cdef double *sums
    cdef double total, sought
    room(left.shape[0] == rows == chance.shape[0] and out.shape[0] == rows, "left")
    room(rest.shape[0] == tilts > 0 and most > 0 and width > 0 and most_cells > 0, "rest")
    for i in range(rows):
        room(0 <= which[i] < tilts and 0 <= left[i] < width, "which")
    number = <int32_t *>calloc(tilts * width, sizeof(int32_t))
    cell_of = <Py_ssize_t *>malloc((min(rows, tilts * width) + 1) * sizeof(Py_ssize_t))
    table = <double *>malloc((min(rows, most_cells) + 1) * most * sizeof(double))
    try:
        if number == NULL or cell_of == NULL or table == NULL:
            raise MemoryError
        with nogil:
            for i in range(rows):
                number[which[i] * width + left[i]] = 1
            cells = 0
            for cell in range(tilts * width):
                if number[cell]:
                    cell_of[cells] = cell
                    cells += 1
                    number[cell] = <int32_t>cells
            start = 0
            while start < cells:
                end = min(start + most_cells, cells)
                for i in range(start, end):
                    cell = cell_of[i]
                    sums = &table[(i - start) * most]
                    _add_up(&binomials[cell // width, 0], &rest[cell // width, 0], cell % width, most, sums)
                    total = sums[most - 1] if sums[most - 1] > 0 else 1
                    for c in range(most):
                        sums[c] = sums[c] / total + <double>(i - start)
                for i in range(rows):
                    place = number[which[i] * width + left[i]] - 1 - start
                    if place < 0 or place >= end - start:
                        continue
                    sums = &table[place * most]
                    sought = <double>place + chance[i] * BELOW_ONE
                    low, high = 0, most
                    while low < high:
                        middle = (low + high) // 2
                        if sums[middle] <= sought:
                            low = middle + 1
                        else:
                            high = middle
                    out[i] = <int32_t>low
                start = end
    finally:
        free(number)
        free(cell_of)
        free(table)


cdef inline void _add_up(const double *binomial, const double *rest, Py_ssize_t cards, Py_ssize_t most,
                         double *sums) noexcept nogil:
    """Fill sums (most,) with the sums of the chances of the counts 0, 1, ... of a value. `cards` is the number of cards
    that this value and the later values have together."""
    cdef Py_ssize_t c
    cdef double total = 0
    for c in range(most):
        if c <= cards:
            total += rest[cards - c] * binomial[c]
        sums[c] = total


def exchanges(const int32_t[:, ::1] at, const int32_t[::1] full, const double[::1] which, const double[::1] chance,
              int32_t[::1] tried, int32_t[:, ::1] moved):
    """Try an exchange of a card in each chain. The chains are at the compositions `at` (rows, kinds). Returns the
    number of chains that exchange a card. Fill tried with the rows of these chains, and moved with their new
    compositions.

    `which` and `chance` (rows,) are random numbers. `which` picks one of all ordered pairs of two values, in the order
    of the value given away. `chance` is compared with the ratio.
    """
    cdef Py_ssize_t rows = at.shape[0], kinds = at.shape[1], i, k, number = 0
    cdef Py_ssize_t pair, taken, added
    cdef int64_t had, has
    cdef double ratio
    room(kinds > 1 and full.shape[0] == kinds == moved.shape[1], "full")
    room(which.shape[0] == rows == chance.shape[0] and tried.shape[0] == rows == moved.shape[0], "which")
    for i in range(rows):
        room(0 <= which[i] < 1, "which")
    with nogil:
        for i in range(rows):
            pair = <Py_ssize_t>(which[i] * <double>(kinds * (kinds - 1)))
            taken = pair // (kinds - 1)
            added = pair % (kinds - 1)
            if added >= taken:
                added += 1
            had, has = at[i, taken], at[i, added]
            ratio = <double>had / <double>(full[taken] - had + 1) * <double>(full[added] - has) / <double>(has + 1)
            if chance[i] < ratio:
                for k in range(kinds):
                    moved[number, k] = at[i, k]
                moved[number, taken] -= 1
                moved[number, added] += 1
                tried[number] = <int32_t>i
                number += 1
    return number
