"""The number of triggers that each of many counting systems has reached, for each composition of the unseen cards.

One count. From one composition to the next, a running count changes by the tags of the cards that left. Within a shoe
these are few cards. For the first composition, the count is worked out from its value with no card unseen. Systems with
the same tags and start share a count.

One system. Triggers are whole numbers over a common denominator. The count is at or above trigger t exactly when

    count * scale >= t * divisor.

The scale is the common denominator, times 52 for a true count. The divisor is the number of cards, or 1 for a running
count. A count may be read as its distance from a centre, which is a whole number over the same denominator. Then the
left side is the size of count * scale - centre * divisor. `_triggers_body.h` compares with every trigger, without a
branch, for a block of compositions in vector lanes. The instruction set is chosen at run time.

Each side is a whole number below 2^49, which doubles hold exactly. `counting.systems.system` and `triggers` check that
divisors are from 1 to 1404, that a count times its scale is below 2^44 in size, and that triggers and centres are below
2^37. Tags are up to 100. Starts, triggers and centres are up to 10^5, with six decimals.
"""
from libc.stdint cimport int32_t, uintptr_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from counting._room cimport room

cdef extern from "_triggers.h" nogil:
    ctypedef struct trigger_systems:
        int kinds
        int counts
        int divisors
        int systems
        const int32_t *tags
        const int32_t *count_of
        const int32_t *divisor_of
        const int32_t *first
        const double *scale
        const double *centre
        const double *trigger
    const int TRIGGER_KINDS, TRIGGER_ROWS
    int vectors_best()
    void triggers_reached_plain(const trigger_systems *, const int32_t *, const double *, Py_ssize_t, int32_t *,
                                void *, int32_t *)
    void triggers_reached_avx2(const trigger_systems *, const int32_t *, const double *, Py_ssize_t, int32_t *,
                               void *, int32_t *)
    void triggers_reached_avx512(const trigger_systems *, const int32_t *, const double *, Py_ssize_t, int32_t *,
                                 void *, int32_t *)

cdef enum:
    LINE = 64  # vectors are aligned to this number of bytes


def best_level():
    """The fastest instruction set this machine runs: 0 plain, 1 AVX2, 2 AVX-512."""
    return vectors_best()


def reached(const int32_t[:, ::1] left, const double[:, ::1] divisors, const int32_t[:, ::1] tags,
            const int32_t[::1] begun, const int32_t[::1] count_of, const int32_t[::1] divisor_of,
            const double[::1] scale, const double[::1] centre, const double[::1] triggers,
            const int32_t[::1] first, int32_t[:, ::1] out, int level):
    """Fill `out` (systems, rows) with the number of triggers reached.

    left is (rows, kinds of cards), divisors is (divisors, rows), and tags is (kinds, counts). begun (counts,) has each
    count with no card unseen. System k has count count_of[k], divisor divisor_of[k] and triggers[first[k] : first[k +
    1]], which rise. The count of system k is read as its distance from centre[k], unless centre[k] is NaN.
    """
    cdef Py_ssize_t rows = left.shape[0], kinds = left.shape[1], counts = begun.shape[0], systems = scale.shape[0], k
    cdef trigger_systems of
    cdef void *all_of_it
    cdef void *aligned
    cdef int32_t *running
    room(kinds <= TRIGGER_KINDS, "left")
    room(divisors.shape[1] == rows and tags.shape[0] == kinds and tags.shape[1] == counts, "tags")
    room(count_of.shape[0] == systems == divisor_of.shape[0] and first.shape[0] == systems + 1, "systems")
    room(centre.shape[0] == systems, "centre")
    room(out.shape[0] == systems and out.shape[1] == rows, "out")
    room(first[0] == 0 and first[systems] == triggers.shape[0], "triggers")
    for k in range(systems):
        room(0 <= count_of[k] < counts and 0 <= divisor_of[k] < divisors.shape[0], "count_of")
        room(first[k] < first[k + 1], "triggers")
    if rows == 0 or systems == 0:
        return
    of.kinds, of.counts, of.divisors, of.systems = <int>kinds, <int>counts, <int>divisors.shape[0], <int>systems
    of.tags, of.count_of, of.divisor_of, of.first = &tags[0, 0], &count_of[0], &divisor_of[0], &first[0]
    of.scale, of.centre, of.trigger = &scale[0], &centre[0], &triggers[0]
    all_of_it = malloc((counts + divisors.shape[0]) * TRIGGER_ROWS * sizeof(double) + LINE)
    running = <int32_t *>malloc(counts * sizeof(int32_t))
    if all_of_it == NULL or running == NULL:
        free(all_of_it)
        free(running)
        raise MemoryError
    aligned = <void *>((<uintptr_t>all_of_it + LINE - 1) & ~<uintptr_t>(LINE - 1))
    with nogil:
        memcpy(running, &begun[0], counts * sizeof(int32_t))
        if level == 2:
            triggers_reached_avx512(&of, &left[0, 0], &divisors[0, 0], rows, running, aligned, &out[0, 0])
        elif level == 1:
            triggers_reached_avx2(&of, &left[0, 0], &divisors[0, 0], rows, running, aligned, &out[0, 0])
        else:
            triggers_reached_plain(&of, &left[0, 0], &divisors[0, 0], rows, running, aligned, &out[0, 0])
    free(all_of_it)
    free(running)
