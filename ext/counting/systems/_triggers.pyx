"""How many of its triggers each of many counting systems has reached, for each composition of the unseen cards.

One count.  A running count changes by the tags of the cards that went since the composition before, a few in a shoe;
the first composition is counted from no unseen cards at all. Systems with the same tags and start share the count.

One system.  With the triggers as whole numbers over a common denominator, the count is at or above trigger t exactly
when count * scale >= t * divisor: the scale is that denominator, times 52 for a true count, and the divisor is the
number of cards, 1 for a running count. Where a count is read as its distance from a centre, a whole number over the
same denominator, the left side is the size of count * scale - centre * divisor. Each side is a whole number below 2^59.
The number of triggers reached seldom differs from that of the composition before, so the search begins there.

Assumed, and checked by `counting.systems.system` and `triggers`: divisors are from 1 to 1404; a count times its scale
is below 2^44 in size and a centre below 2^37, with tags to 100, starts, triggers and centres to 10^5 and six decimals;
a system's triggers rise, and stand between two ends, the first below every count and the last above.
"""
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport calloc, free, llabs
from libc.string cimport memcpy

from counting._room cimport room

cdef enum:
    END_BITS = 48
    KINDS = 52
cdef int64_t END = (<int64_t>1) << END_BITS  # above every count times its scale, and below 2^63 times a divisor


def end():
    """What is above every trigger, and with its sign changed below."""
    return END


def reached(const int32_t[:, ::1] left, const int64_t[:, ::1] divisors, const int32_t[:, ::1] tags,
            const int32_t[::1] begun, const int32_t[::1] count_of, const int32_t[::1] divisor_of,
            const int64_t[::1] scale, const int64_t[::1] centre, const int64_t[::1] triggers,
            const int32_t[::1] first, int32_t[:, ::1] out):
    """Fill out (rows, systems) with the number of triggers reached.

    left is (rows, kinds of cards), divisors (rows, divisors), tags (kinds, counts), and begun has each count with no
    card unseen. System k has count count_of[k], divisor divisor_of[k] and triggers[first[k] : first[k + 1]], with ends;
    it is read as its distance from centre[k], or as it is where that is END.
    """
    cdef Py_ssize_t rows = left.shape[0], kinds = left.shape[1], counts = begun.shape[0], systems = scale.shape[0]
    cdef Py_ssize_t row, kind, i, j, k
    cdef int32_t gone, at, changed
    cdef int32_t change[KINDS]
    cdef int32_t change_kind[KINDS]
    cdef int64_t here, divisor
    cdef const int64_t *of_system
    cdef const int64_t *by
    cdef int32_t *running
    cdef int32_t *last  # the number that each system had reached at the composition before
    room(kinds <= KINDS, "left")
    room(divisors.shape[0] == rows and tags.shape[0] == kinds and tags.shape[1] == counts, "tags")
    room(count_of.shape[0] == systems == divisor_of.shape[0] and first.shape[0] == systems + 1, "systems")
    room(centre.shape[0] == systems, "centre")
    room(out.shape[0] == rows and out.shape[1] == systems, "out")
    for k in range(systems):
        room(0 <= count_of[k] < counts and 0 <= divisor_of[k] < divisors.shape[1], "count_of")
        room(0 <= first[k] and first[k] + 2 <= first[k + 1] <= triggers.shape[0], "triggers")
        room(triggers[first[k]] <= -END and triggers[first[k + 1] - 1] >= END, "triggers")
    if rows == 0 or systems == 0:
        return
    running = <int32_t *>calloc(counts, sizeof(int32_t))
    last = <int32_t *>calloc(systems, sizeof(int32_t))
    if running == NULL or last == NULL:
        free(running)
        free(last)
        raise MemoryError
    with nogil:
        memcpy(running, &begun[0], counts * sizeof(int32_t))
        for row in range(rows):
            changed = 0
            for kind in range(kinds):
                gone = (left[row - 1, kind] if row else 0) - left[row, kind]
                change[changed], change_kind[changed] = gone, <int32_t>kind
                changed += gone != 0  # without a branch, which would be taken at random
            for j in range(changed):
                for i in range(counts):
                    running[i] += change[j] * tags[change_kind[j], i]
            by = &divisors[row, 0]
            for k in range(systems):
                here = running[count_of[k]] * scale[k]
                divisor = by[divisor_of[k]]
                if centre[k] != END:
                    here = llabs(here - centre[k] * divisor)
                of_system = &triggers[first[k]]
                at = last[k]
                while here >= of_system[at + 1] * divisor:
                    at += 1
                while here < of_system[at] * divisor:
                    at -= 1
                last[k] = at
                out[row, k] = at
        free(running)
        free(last)
