"""Edges from the counts of forms, with their exact sign, and means of squared profits.

One shoe, one bet. The numerator of the edge is an integer combination of the forms' counts and of the number of all
deals. The edge is the numerator divided by the bet's denominator and by the number of all deals.

Overflow. A numerator can pass 63 bits. For example, 45 times the number of deals does so above 14 decks. So each count
is split into two halves, 2^32 hi + lo, which are summed separately. If the sizes of a bet's coefficients sum to at most
2^30, each sum stays below 2^62. A game's odds are checked for this when the game is loaded. The resulting double is
zero if and only if the numerator is zero, and it has the numerator's sign.
"""
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, malloc

from counting._room cimport room

cdef int64_t LOW = 0xFFFFFFFF
cdef enum:
    VALUES = 10


def cards(const int32_t[:, ::1] compositions, int64_t[::1] out):
    """Fill out[shoe] with the number of cards of each shoe. compositions is (shoes, values, ranks or cards of a
    deck)."""
    cdef Py_ssize_t s, kind, kinds = compositions.shape[1]
    cdef int32_t number
    room(compositions.shape[0] == out.shape[0], "out")
    with nogil:
        if kinds == VALUES:  # nearly always; a loop of known length is unrolled
            for s in range(out.shape[0]):
                number = 0
                for kind in range(VALUES):
                    number += compositions[s, kind]
                out[s] = number
        else:
            for s in range(out.shape[0]):
                number = 0
                for kind in range(kinds):
                    number += compositions[s, kind]
                out[s] = number


def settle(const int64_t[::1] cards, const int64_t[:, ::1] counts, const int64_t[:, ::1] coefficients,
           const double[::1] denominators, double[:, ::1] out):
    """Fill out[shoe, bet]. cards is (shoes,), counts is (shoes, forms), and coefficients is (forms + 1, bets), with the
    last row for all deals."""
    cdef Py_ssize_t s, b, f, i
    cdef Py_ssize_t shoes = out.shape[0], bets = out.shape[1], forms = counts.shape[1]
    cdef int64_t n, deals, hi, lo, count
    cdef Py_ssize_t *of_form  # for each bet, the forms whose coefficients are not zero
    room(cards.shape[0] == shoes == counts.shape[0], "out")
    room(coefficients.shape[0] == forms + 1 and coefficients.shape[1] == bets == denominators.shape[0], "coefficients")
    of_form = <Py_ssize_t *>malloc(((forms + 1) * bets + 1) * sizeof(Py_ssize_t))
    if of_form == NULL:
        raise MemoryError
    with nogil:
        for b in range(bets):
            i = b * (forms + 1)
            for f in range(forms + 1):
                if coefficients[f, b]:
                    of_form[i] = f
                    i += 1
            if i < (b + 1) * (forms + 1):
                of_form[i] = -1
        for s in range(shoes):
            n = cards[s]
            deals = n * (n - 1) * (n - 2) * (n - 3) * (n - 4) * (n - 5)
            for b in range(bets):
                hi = lo = 0
                for i in range(b * (forms + 1), (b + 1) * (forms + 1)):
                    f = of_form[i]
                    if f < 0:
                        break
                    count = counts[s, f] if f < forms else deals
                    hi += coefficients[f, b] * (count >> 32)
                    lo += coefficients[f, b] * (count & LOW)
                hi += lo >> 32
                lo &= LOW
                out[s, b] = (<double>hi * 4294967296.0 + <double>lo) / (denominators[b] * <double>deals)
    free(of_form)
