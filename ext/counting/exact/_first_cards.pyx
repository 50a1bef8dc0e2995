"""Pairs and suits of the first two cards of both hands, counted for many shoes at once.

One shoe. Two cards are related when they are of one rank (R), of one suit (S), or the same card of different decks (Q:
both). R2 is the number of ordered pairs of cards of one rank: the sum of n(n-1) over the ranks, with n the number of
cards of the rank. S2 and Q2 are the same sums over suits and over cards. Player's cards can be related by A and
Banker's by B in

    A2 B2 - 4 sum_c n_c (n_A(c) - 1)(n_B(c) - 1) + 2 (A and B)2

ways. The first term allows that Banker's cards are also Player's. The second subtracts the ways in which they share a
card. The third adds the ways in which they share both cards, because those were subtracted twice. n_A(c) is the number
of cards that have card c's rank (A = R), suit (A = S), or both (A = Q). "A and B" is A if A = B, and otherwise Q.

Many shoes. Every count is of ordered six-card deals, in which any cards may be at the places that do not matter. So a
count of two cards is multiplied by (N-2)(N-3)(N-4)(N-5), and a count of four cards by (N-4)(N-5).

Overflow. No count and no partial product exceeds N^4 (N-4)(N-5), which is below 2^63 for up to 27 decks.

Assumed: counts are not negative, and each shoe has 6 to 1,404 cards. `counting.exact.many_shoes` checks this for shoes
that a user gives; for dealt shoes it is always true.
"""
from libc.stdint cimport int32_t, int64_t

from counting._room cimport room


cdef inline int64_t _two(int64_t n) noexcept nogil:
    return n * (n - 1)


def by_rank(const int32_t[:, ::1] ranks, int64_t[:, ::1] out):
    """Fill out[shoe] with the counts for R of one hand and R of both; ranks is (shoes, 13)."""
    cdef Py_ssize_t shoe, r
    cdef int64_t n, cards, pairs, shared, four
    room(ranks.shape[0] == out.shape[0] and ranks.shape[1] == 13 and out.shape[1] == 2, "out")
    with nogil:
        for shoe in range(out.shape[0]):
            cards = pairs = shared = 0
            for r in range(13):
                n = ranks[shoe, r]
                cards += n
                pairs += _two(n)
                shared += n * (n - 1) * (n - 1)
            four = _two(cards - 4)
            out[shoe, 0] = pairs * _two(cards - 2) * four
            out[shoe, 1] = (pairs * pairs - 4 * shared + 2 * pairs) * four


def by_card(const int32_t[:, ::1] cards, int64_t[:, ::1] out):
    """Fill out[shoe] with the counts for R, S, Q of one hand and RR, RS, RQ, SS, SQ, QQ of both; cards is
    (shoes, 52)."""
    cdef Py_ssize_t shoe, c
    cdef int64_t n, all_cards, four, r, s, q, rr, rs, rq, ss, sq, qq
    cdef int64_t rank[13]
    cdef int64_t suit[4]
    room(cards.shape[0] == out.shape[0] and cards.shape[1] == 52 and out.shape[1] == 9, "out")
    with nogil:
        for shoe in range(out.shape[0]):
            for c in range(13):
                rank[c] = 0
            for c in range(4):
                suit[c] = 0
            all_cards = 0
            for c in range(52):
                n = cards[shoe, c]
                rank[c >> 2] += n
                suit[c & 3] += n
                all_cards += n
            r = s = q = rr = rs = rq = ss = sq = qq = 0
            for c in range(13):
                r += _two(rank[c])
            for c in range(4):
                s += _two(suit[c])
            for c in range(52):
                n = cards[shoe, c]
                q += _two(n)
                rr += n * (rank[c >> 2] - 1) * (rank[c >> 2] - 1)
                rs += n * (rank[c >> 2] - 1) * (suit[c & 3] - 1)
                rq += n * (rank[c >> 2] - 1) * (n - 1)
                ss += n * (suit[c & 3] - 1) * (suit[c & 3] - 1)
                sq += n * (suit[c & 3] - 1) * (n - 1)
                qq += n * (n - 1) * (n - 1)
            four = _two(all_cards - 4)
            out[shoe, 0] = r * _two(all_cards - 2) * four
            out[shoe, 1] = s * _two(all_cards - 2) * four
            out[shoe, 2] = q * _two(all_cards - 2) * four
            out[shoe, 3] = (r * r - 4 * rr + 2 * r) * four
            out[shoe, 4] = (r * s - 4 * rs + 2 * q) * four
            out[shoe, 5] = (r * q - 4 * rq + 2 * q) * four
            out[shoe, 6] = (s * s - 4 * ss + 2 * s) * four
            out[shoe, 7] = (s * q - 4 * sq + 2 * q) * four
            out[shoe, 8] = (q * q - 4 * qq + 2 * q) * four
