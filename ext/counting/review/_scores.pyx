"""Sums of amounts times the scores of edges, in every arrangement of a shoe.

The score of an edge is 1 / (1 + exp(-steep * edge)). It is within a few units in the last place of the exact value, and
has the same bits on every machine.
"""
from libc.stdlib cimport free, malloc

from counting._room cimport room

cdef extern from "_scores.h" nogil:
    int vectors_best()
    void scores_sums_plain(const double *, Py_ssize_t, Py_ssize_t, double, const double *, Py_ssize_t, Py_ssize_t,
                           double *, double *)
    void scores_sums_avx2(const double *, Py_ssize_t, Py_ssize_t, double, const double *, Py_ssize_t, Py_ssize_t,
                          double *, double *)
    void scores_sums_avx512(const double *, Py_ssize_t, Py_ssize_t, double, const double *, Py_ssize_t, Py_ssize_t,
                            double *, double *)


def sums(const double[:, ::1] edges, double steep, const double[:, ::1] amounts, Py_ssize_t first, double[:, ::1] out,
         int level):
    """Fill out (columns, arrangements): for each column of amounts and each arrangement, the sum over a shoe's coups of
    the coup's amount times the score of its edge. edges is (coups, arrangements), finite. amounts is (columns, coups of
    all shoes); the shoe's coups begin at first. level: the instruction set, as `best_level` numbers them."""
    cdef Py_ssize_t coups = edges.shape[0], arrangements = edges.shape[1], columns = amounts.shape[0]
    cdef double *score
    room(out.shape[0] == columns and out.shape[1] == arrangements, "out")
    room(0 <= first <= amounts.shape[1] - coups, "amounts")
    if coups == 0 or columns == 0 or arrangements == 0:
        out[:, :] = 0
        return
    score = <double *>malloc(arrangements * sizeof(double))
    if score == NULL:
        raise MemoryError
    with nogil:
        if level == 2:
            scores_sums_avx512(&edges[0, 0], coups, arrangements, steep, &amounts[0, first], columns,
                               amounts.shape[1], score, &out[0, 0])
        elif level == 1:
            scores_sums_avx2(&edges[0, 0], coups, arrangements, steep, &amounts[0, first], columns,
                             amounts.shape[1], score, &out[0, 0])
        else:
            scores_sums_plain(&edges[0, 0], coups, arrangements, steep, &amounts[0, first], columns,
                              amounts.shape[1], score, &out[0, 0])
    free(score)


def best_level():
    """The fastest instruction set this machine runs: 0 plain, 1 AVX2, 2 AVX-512."""
    return vectors_best()
