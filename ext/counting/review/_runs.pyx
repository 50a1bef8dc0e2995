"""Find the run of a shoe's coups in which an event comes too often: the run with the largest score.

One shoe. A run has `shortest` coups or more, up to the largest length in `scores`, without a gap. For each event, a run
has a score, which is looked up by the length of the run and by the number of its coups with the event. `greatest` finds
the largest score, its event and its run.
"""
from libc.stdint cimport int32_t, uint8_t

from counting._room cimport room


def greatest(const uint8_t[:, ::1] events, const int32_t[::1] starts, int shortest, const double[:, :, ::1] scores,
             double[::1] out, int32_t[:, ::1] where):
    """Write each section's greatest score to `out`. Write the event, the first coup and the coup after the last to
    `where`. If no score of a section is above 0, all of these are 0.

    `events` (coups, events): whether each coup has each event. `starts` (sections + 1,): the first coup of each
    section; a section is coups without a gap. `scores` (events, lengths, numbers): the score of a run, indexed by the
    event, the length of the run and the number of its coups with the event.
    """
    cdef Py_ssize_t sections = starts.shape[0] - 1, kinds = events.shape[1], section, first, last, e
    cdef Py_ssize_t longest = scores.shape[1] - 1, length
    cdef int number
    cdef double score
    room(sections >= 0 and out.shape[0] == sections and where.shape[0] == sections and where.shape[1] == 3, "out")
    room(scores.shape[0] == kinds and 1 <= shortest and longest >= 1 and scores.shape[2] > longest, "scores")
    for section in range(sections):
        room(0 <= starts[section] <= starts[section + 1] <= events.shape[0], "starts")
    with nogil:
        for section in range(sections):
            out[section] = 0
            where[section, 0] = where[section, 1] = where[section, 2] = 0
            for e in range(kinds):
                for first in range(starts[section], starts[section + 1]):
                    number = 0
                    last = first
                    for length in range(1, longest + 1):
                        if last == starts[section + 1]:
                            break
                        number += events[last, e] != 0
                        last += 1
                        if length < shortest:
                            continue
                        score = scores[e, length, number]
                        if score > out[section]:
                            out[section] = score
                            where[section, 0] = <int32_t>e
                            where[section, 1], where[section, 2] = <int32_t>first, <int32_t>last
