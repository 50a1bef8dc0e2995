"""Chemin de fer and banque: what Banker's two moves are worth in each of Banker's cells. A cell is what Banker sees.

One deal. Player's hand h and Banker's hand g are dealt; the order of a hand's two cards does not count. A natural ends
the coup. Player stands or draws c, then Banker stands or draws e. Every dealt card lowers the count of its value by
`taken`: 1 for a shoe, 0 for draws with replacement. The coup is worth score[Player's total, Banker's total].

One shoe. A row is what Banker looks at in Banker's hand: the two cards, or only their total. Banker knows the row, and
either c or that Player stood. Player's mix is x: hand h always stands (column -1), always draws (column 0) or draws
with probability x[column] (columns from 1 on). So what a move is worth in a cell, summed over deals, is affine in x.
`out` has the constant first, then the coefficients of x.

Overflow. The number of all deals of N cards is N(N-1)/2 * (N-2)(N-3)/2 * (N-4)(N-5). It is below 2^61 for at most 27
decks. With scores of -1, 0 and 1, no entry of `out`, no partial sum, and no sum over cells exceeds 2^61. The sum of a
row's coefficients of x, without the constant, does not exceed 2^61 either. The difference between two moves is below
2^63 everywhere on the cube of x. `counting.chemin.bank_limits` checks larger scores.

Banque. There are two Players' hands, h and k, and one hand of Banker's. Here the cards that Banker sees, g and both
third cards, are dealt first. For each cell the sums over h, k and e are below N^5 / 4, which is below 2^51 for at most
27 decks. The caller multiplies the sums by the ways to deal what Banker sees. The Players' hands are distinguished by
column, because the mixes of two Players who play as a team do not form a cube.

Assumed, and checked by `counting.chemin`: counts are not negative, with 6 to 1,404 cards in all, and 9 or more at two
tableaux. If `taken` is 0, counts are even, so that the ways to deal a pair are whole. This module checks that columns
and rows fit `out`.
"""
from libc.stdint cimport int32_t, int64_t

from counting._room cimport room

cdef enum:
    STOOD = 10


cdef int _fits(const int64_t[::1] counts, const int64_t[:, ::1] score, const int32_t[:, ::1] hands,
               const int32_t[::1] column, Py_ssize_t columns) except -1:
    """Raise `ValueError` unless these arrays fit together: each hand has two values from 0 to 9, and a column that
    exists."""
    cdef Py_ssize_t h
    room(counts.shape[0] == 10 == score.shape[0] and score.shape[1] == 10, "counts")
    room(hands.shape[0] == column.shape[0] and hands.shape[1] == 2 and columns > 0, "hands")
    for h in range(hands.shape[0]):
        room(0 <= hands[h, 0] < 10 and 0 <= hands[h, 1] < 10 and column[h] < columns, "hands")
    return 0


cdef inline int64_t _take(int64_t *left, int32_t a, int32_t b, int64_t taken) noexcept nogil:
    """How many ways there are to deal a hand of a and b. Takes the two cards out of the shoe."""
    cdef int64_t ways = left[a] * left[b]
    if a == b:
        ways = left[a] * (left[a] - taken) // 2
    left[a] -= taken
    left[b] -= taken
    return ways


cdef inline int64_t _drawn(const int64_t *left, const int64_t *scores) noexcept nogil:
    """What Banker's draw is worth, summed over the cards that are left; card e is worth scores[e]."""
    cdef int64_t worth = 0
    cdef int e
    for e in range(10):
        worth += left[e] * scores[e]
    return worth


cdef struct Hands:
    # Player's hands by total, dealt from the cards left after Banker's hand.
    int64_t ways[10]
    int64_t held[8][10]  # what the hands' cards would be worth as Banker's draw, for each final total


cdef void _gather(const int64_t *left, int64_t taken, const int64_t (*scores)[10][10], int t, const bint *summed,
                  Hands *of) noexcept nogil:
    cdef int64_t cards[10]
    cdef int p, v, w, f
    for p in range(10):
        of.ways[p] = 0
        for v in range(10):
            w = (p + 10 - v) % 10
            cards[v] = left[v] * (left[w] - (taken if v == w else 0))
            of.ways[p] += cards[v]
        of.ways[p] //= 2
        if p < 8 and summed[p]:
            for f in range(10):
                of.held[p][f] = 0
                for v in range(10):
                    of.held[p][f] += cards[v] * scores[f][t][v]


def count(
    const int64_t[::1] counts,
    int64_t taken,
    const int64_t[:, ::1] score,
    const int32_t[:, ::1] hands,
    const int32_t[::1] column,
    const int32_t[::1] row,
    int64_t[:, :, :, ::1] out,
):
    """Add to out[move, row, third card or 10, 0 or column] what Banker's moves are worth: move 0 is to stand, move 1 to
    draw. A third card of 10 means that Player stood. At move 2, add the number of deals that reach the cell. Returns
    what coups with a natural are worth.

    `hands` (55, 2) has the values of each hand. `column` (55,) has the column of each hand of Player's, `row` (55,) the
    row of each hand of Banker's. `out` is (3, rows, 11, columns).
    """
    cdef int64_t left[10]
    cdef int64_t worth[10]  # what Banker's draw is worth against each total of Player's
    cdef int64_t scores[10][10][10]  # indexed by Player's total, Banker's total, and Banker's card
    cdef bint summed[8]  # whether all hands of a total have the same column, and are taken together
    cdef int32_t column_of[8]
    cdef Hands of
    cdef int64_t n = 0, rest_two, rest_one, ways_g, ways, both, its, third, settled = 0
    cdef int32_t g, h, c, p, t, f, r, u, v, e
    _fits(counts, score, hands, column, out.shape[3])
    room(out.shape[0] == 3 and out.shape[2] == STOOD + 1 and row.shape[0] == hands.shape[0] == 55, "out")
    for h in range(hands.shape[0]):
        room(0 <= row[h] < out.shape[1], "row")
    with nogil:
        for c in range(10):
            left[c] = counts[c]
            n += counts[c]
        for p in range(10):
            for t in range(10):
                for e in range(10):
                    scores[p][t][e] = score[p, (t + e) % 10]
        for p in range(8):
            summed[p], column_of[p] = True, -2
        for h in range(hands.shape[0]):
            p = (hands[h, 0] + hands[h, 1]) % 10
            if p < 8:
                summed[p] = summed[p] and (column_of[p] == -2 or column_of[p] == column[h])
                column_of[p] = column[h]
        rest_one, rest_two = n - 5 * taken, (n - 4 * taken) * (n - 5 * taken)
        for g in range(hands.shape[0]):
            t = (hands[g, 0] + hands[g, 1]) % 10
            r = row[g]
            ways_g = _take(left, hands[g, 0], hands[g, 1], taken)
            if ways_g:
                _gather(left, taken, scores, t, summed, &of)
                for p in range(0 if t >= 8 else 8, 10):
                    settled += ways_g * rest_two * of.ways[p] * score[p, t]
            if ways_g and t < 8:
                for f in range(10):
                    worth[f] = _drawn(left, scores[f][t])
                for p in range(8):
                    if summed[p] and of.ways[p]:
                        if column_of[p] != 0:
                            _stood(&out[0, r, STOOD, 0], out.shape[1] * 11 * out.shape[3], column_of[p],
                                   ways_g * rest_two * of.ways[p], score[p, t],
                                   ways_g * rest_one * (of.ways[p] * worth[p] - taken * of.held[p][p]))
                        for c in range(10 if column_of[p] >= 0 else 0):
                            # c and v make a hand of this total. Once c is dealt, fewer hands of c and v are left.
                            v, f = (p + 10 - c) % 10, (p + c) % 10
                            third = scores[f][t][c]
                            its = taken * (left[v] - (taken if c == v else 0))
                            both, ways = ways_g * left[c], of.ways[p] - its
                            out[0, r, c, column_of[p]] += both * rest_one * ways * score[f, t]
                            third = (ways * (worth[f] - taken * third)
                                     - taken * (of.held[p][f] - its * (third + scores[f][t][v])))
                            out[1, r, c, column_of[p]] += both * third
                            out[2, r, c, column_of[p]] += both * rest_one * ways
                for h in range(hands.shape[0]):
                    u, v = hands[h, 0], hands[h, 1]
                    p = (u + v) % 10
                    if p >= 8 or summed[p]:
                        continue
                    ways = _take(left, u, v, taken)
                    if ways and column[h] != 0:
                        _stood(&out[0, r, STOOD, 0], out.shape[1] * 11 * out.shape[3], column[h],
                               ways_g * rest_two * ways, score[p, t],
                               ways_g * rest_one * ways * (worth[p] - taken * (scores[p][t][u] + scores[p][t][v])))
                    for c in range(10 if ways and column[h] >= 0 else 0):
                        f, both = (p + c) % 10, ways_g * ways * left[c]
                        its = worth[f] - taken * (scores[f][t][u] + scores[f][t][v] + scores[f][t][c])
                        out[0, r, c, column[h]] += both * rest_one * score[f, t]
                        out[1, r, c, column[h]] += both * its
                        out[2, r, c, column[h]] += both * rest_one
                    left[u] += taken
                    left[v] += taken
            left[hands[g, 0]] += taken
            left[hands[g, 1]] += taken
    return settled


cdef inline void _stood(int64_t *out, Py_ssize_t plane, int32_t column, int64_t deals, int64_t score,
                        int64_t draw) noexcept nogil:
    """Add what Banker's moves are worth if Player stood: the worth over all deals, less x[column] times this worth,
    because Player draws with the probability x[column]."""
    out[0] += deals * score
    out[plane] += draw
    out[2 * plane] += deals
    if column > 0:
        out[column] -= deals * score
        out[plane + column] -= draw
        out[2 * plane + column] -= deals


cdef bint _there(const int64_t *left) noexcept nogil:
    """Whether every card dealt was in the shoe."""
    cdef int c
    for c in range(10):
        if left[c] < 0:
            return False
    return True


cdef bint _may(int32_t column, int third) noexcept nogil:
    """Whether a Player's hand of this column may draw or, if `third` is STOOD, may stand."""
    return column != 0 if third == STOOD else column >= 0


def banque(
    const int64_t[::1] counts,
    int64_t taken,
    const int64_t[:, ::1] score,
    const int32_t[:, ::1] hands,
    const int32_t[::1] column,
    int64_t[:, :, :, :, :, :, ::1] out,
):
    """Add to `out` what Banker's moves are worth to each Player: move 0 is to stand, move 1 to draw. At move 2 and
    tableau 0, add the number of deals.

    The axes of `out` are the move, the tableau, Banker's hand, the first Player's third card or 10, the second's, the
    column of the first Player's hand, and the column of the second's. Its shape is (3, 2, n, 11, 11, columns, columns).
    `hands` (n, 2) has the values of each hand. `column` (n,) has the column of each hand with a choice, 0 for a hand
    that draws, -1 for a hand that stands. In `out`, hands without a choice are all in column 0.
    """
    cdef int64_t left[10]
    cdef int64_t scores[10][10][10]  # indexed by a Player's total, Banker's total, and Banker's card
    cdef int64_t sums[10]  # what Banker's draw is worth against each total, before the Players' hands are taken
    cdef int64_t n = 0, rest, ways, deals, draw_one, draw_two
    cdef int32_t g, h, k, c, d, e, f, p, q, t, i, j
    _fits(counts, score, hands, column, min(out.shape[5], out.shape[6]))
    room(out.shape[0] == 3 and out.shape[1] == 2 and out.shape[2] == hands.shape[0], "out")
    room(out.shape[3] == STOOD + 1 == out.shape[4], "out")
    with nogil:
        for c in range(10):
            left[c] = counts[c]
            n += counts[c]
        for f in range(10):
            for t in range(10):
                for e in range(10):
                    scores[f][t][e] = score[f, (t + e) % 10]
        for g in range(hands.shape[0]):
            t = (hands[g, 0] + hands[g, 1]) % 10
            left[hands[g, 0]] -= taken
            left[hands[g, 1]] -= taken
            for c in range(STOOD + 1):
                if c < STOOD:
                    left[c] -= taken
                for d in range(STOOD + 1):
                    if d < STOOD:
                        left[d] -= taken
                    rest = n - taken * (6 + (c < STOOD) + (d < STOOD))
                    for f in range(10):
                        sums[f] = _drawn(left, scores[f][t])
                    for h in range(hands.shape[0] if _there(left) else 0):
                        if not _may(column[h], c):
                            continue
                        i = max(column[h], 0)
                        p = (hands[h, 0] + hands[h, 1] + (c if c < STOOD else 0)) % 10
                        ways = _take(left, hands[h, 0], hands[h, 1], taken)
                        for k in range(hands.shape[0] if ways else 0):
                            if not _may(column[k], d):
                                continue
                            j = max(column[k], 0)
                            q = (hands[k, 0] + hands[k, 1] + (d if d < STOOD else 0)) % 10
                            deals = ways * _take(left, hands[k, 0], hands[k, 1], taken)
                            left[hands[k, 0]] += taken
                            left[hands[k, 1]] += taken
                            if deals == 0:
                                continue
                            draw_one, draw_two = sums[p], sums[q]
                            for e in range(2):
                                draw_one -= taken * (scores[p][t][hands[h, e]] + scores[p][t][hands[k, e]])
                                draw_two -= taken * (scores[q][t][hands[h, e]] + scores[q][t][hands[k, e]])
                            out[0, 0, g, c, d, i, j] += deals * rest * score[p, t]
                            out[0, 1, g, c, d, i, j] += deals * rest * score[q, t]
                            out[1, 0, g, c, d, i, j] += deals * draw_one
                            out[1, 1, g, c, d, i, j] += deals * draw_two
                            out[2, 0, g, c, d, i, j] += deals * rest
                        left[hands[h, 0]] += taken
                        left[hands[h, 1]] += taken
                    if d < STOOD:
                        left[d] += taken
                if c < STOOD:
                    left[c] += taken
            left[hands[g, 0]] += taken
            left[hands[g, 1]] += taken
