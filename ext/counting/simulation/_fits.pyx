"""A round of the fit of tilts to weighted compositions: the loop of `counting.simulation.importance`.

A round is a step of expectation and maximisation. For each composition, the chance that it came from tilt t is
proportional to exp(l_t), where l_t is linear in the composition's numbers of cards. The next tilts are made of the sums
of these chances, and of the chances times the numbers of cards.

The sums have the same bits on every machine.
"""
from libc.stdint cimport uintptr_t
from libc.stdlib cimport free, malloc

from counting._room cimport room

cdef extern from "_fits.h" nogil:
    int vectors_best()
    enum:
        FITS_ROWS
        FITS_APART
    void fits_round_plain(const double *, const double *, Py_ssize_t, const double *, Py_ssize_t, Py_ssize_t, double *,
                          double *)
    void fits_round_avx2(const double *, const double *, Py_ssize_t, const double *, Py_ssize_t, Py_ssize_t, double *,
                         double *)
    void fits_round_avx512(const double *, const double *, Py_ssize_t, const double *, Py_ssize_t, Py_ssize_t, double *,
                           double *)


def sums(const double[:, ::1] compositions, const double[::1] weights, const double[:, ::1] logs, double[:, ::1] out,
         int level):
    """Fill out (tilts, kinds + 1). For tilt t and kind k, out[t, k] is the sum over compositions of weight times
    chance times the number of cards of this kind; out[t, -1] is the sum of weight times chance.

    compositions is (kinds, compositions), and weights (compositions,), at least 0. logs (tilts, kinds + 1) has, for
    each tilt, the factor of each kind's number of cards in l_t, and last the constant term. A composition's chances add
    up to 1. level: the instruction set, as `best_level` numbers them."""
    cdef Py_ssize_t kinds = compositions.shape[0], rows = compositions.shape[1], tilts = logs.shape[0]
    cdef Py_ssize_t doubles = FITS_ROWS * (1 + kinds + 1 + tilts) + FITS_APART * tilts * (kinds + 1)
    cdef void *whole
    cdef double *aligned
    room(weights.shape[0] == rows, "weights")
    room(logs.shape[1] == kinds + 1, "logs")
    room(out.shape[0] == tilts and out.shape[1] == kinds + 1, "out")
    if rows == 0 or tilts == 0:
        out[:, :] = 0
        return
    whole = malloc(doubles * sizeof(double) + 64)
    if whole == NULL:
        raise MemoryError
    aligned = <double *>((<uintptr_t>whole + 63) & ~<uintptr_t>63)
    with nogil:
        if level == 2:
            fits_round_avx512(&compositions[0, 0], &weights[0], rows, &logs[0, 0], tilts, kinds, aligned, &out[0, 0])
        elif level == 1:
            fits_round_avx2(&compositions[0, 0], &weights[0], rows, &logs[0, 0], tilts, kinds, aligned, &out[0, 0])
        else:
            fits_round_plain(&compositions[0, 0], &weights[0], rows, &logs[0, 0], tilts, kinds, aligned, &out[0, 0])
    free(whole)


def best_level():
    """The fastest instruction set this machine runs: 0 plain, 1 AVX2, 2 AVX-512."""
    return vectors_best()
