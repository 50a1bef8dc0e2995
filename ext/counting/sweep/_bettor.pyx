"""What bettors stake and gain, coup by coup.

`best`: one who knows every edge makes the best of the stakes allowed. Each gain is added up in the order of the bets,
without fused operations: to the bit the same on every processor.

`follow`: a system's counter whose coups depend on one another, as a few may be skipped, or main bets stand after a
push. On a coup that the counter wants, the side and main bets are made; any other coup is skipped, but at most `skips`
in a row: after that, idle units are bet on the main bet. A main bet that pushed and stands is bet again on the next
coup, with the side bet added if it is wanted. A share of the loss in a shoe so far is paid back: what a coup adds to
that amount, or takes from it, is part of the coup's gain.

Assumed, and checked by `counting.sweep.bettors`: rows of a shoe are adjacent and in order; the arrays fit together.
"""
from libc.math cimport INFINITY
from libc.stdint cimport int32_t, uint8_t, uint16_t

from counting._room cimport room


def best(const double[:, ::1] edges, double rebate, const double[:, ::1] stakes, const uint8_t[::1] on_side,
         bint seated, double[::1] gains, double[::1] gain, uint8_t[::1] staked):
    """Fill gain with the largest gain of any of the stakes (bets, vertices) at each coup's edges (rows, bets), and
    staked: 1 with a side bet, 2 for main bets alone, of the first stakes that gain it. A bettor who is not seated
    skips a coup without a gain: 0 and 0.

    rebate is added to each edge; gains has room for those of one coup.
    """
    cdef Py_ssize_t rows = edges.shape[0], bets = edges.shape[1], vertices = stakes.shape[1]
    cdef Py_ssize_t row, bet, vertex
    cdef double edge, largest
    cdef bint wins, side
    room(stakes.shape[0] == bets and on_side.shape[0] == vertices == gains.shape[0], "stakes")
    room(gain.shape[0] == rows == staked.shape[0], "gain")
    with nogil:
        for row in range(rows):
            wins = seated
            for bet in range(bets):
                wins = wins or edges[row, bet] + rebate > 0
            largest, side = 0 if not seated else -INFINITY, False
            if wins:
                for vertex in range(vertices):
                    gains[vertex] = 0
                for bet in range(bets):
                    edge = edges[row, bet] + rebate
                    for vertex in range(vertices):
                        gains[vertex] += edge * stakes[bet, vertex]
                wins = seated
                for vertex in range(vertices):
                    if gains[vertex] > largest:
                        largest, side, wins = gains[vertex], on_side[vertex], True
            gain[row] = largest
            staked[row] = 0 if not wins else 1 if side else 2


def follow(const uint16_t[::1] shoe, const uint8_t[::1] wants, const double[::1] side, const double[:, ::1] mains,
           const int32_t[::1] best, const double[::1] won_side, const double[:, ::1] won_mains, double tie_in,
           double idle, int skips, bint standing, double loss_rebate, double[::1] gain, uint8_t[::1] staked):
    """Fill gain and staked: 0 for a coup skipped, 1 with the side bet, 2 for main bets alone.

    side is the edge of the side bets, mains (rows, main bets) those of main bets, of which `best` is taken; won_side
    and won_mains are what they paid as dealt, 0 for a push. skips is -1 where all may be skipped.
    """
    cdef Py_ssize_t row
    cdef int skipped = 0, held = -1, at
    cdef double units = 0, main, more, won = 0, owed = 0
    cdef Py_ssize_t rows = shoe.shape[0]
    room(wants.shape[0] == rows == side.shape[0] and best.shape[0] == rows == won_side.shape[0], "columns")
    room(mains.shape[0] == rows == won_mains.shape[0] and mains.shape[1] == won_mains.shape[1], "mains")
    room(gain.shape[0] == rows == staked.shape[0], "gain")
    for row in range(rows):
        room(0 <= best[row] < mains.shape[1], "best")
    with nogil:
        for row in range(rows):
            if row == 0 or shoe[row] != shoe[row - 1]:
                skipped, held, won, owed = 0, -1, 0, 0
            if held >= 0:
                at = held
                staked[row] = 1 if wants[row] else 2
                if staked[row] == 1 and tie_in > units:
                    units = tie_in
            else:
                at = best[row]
                if not wants[row] and (skips < 0 or skipped < skips):
                    staked[row] = 0
                else:
                    staked[row] = 1 if wants[row] else 2
                units = tie_in if staked[row] == 1 else idle
            main = mains[row, at]
            gain[row] = 0
            if staked[row]:
                gain[row] = units * main + (side[row] if staked[row] == 1 else 0)
            skipped = skipped + 1 if staked[row] == 0 else 0
            if loss_rebate > 0 and staked[row]:
                won += units * won_mains[row, at] + (won_side[row] if staked[row] == 1 else 0)
                more = -loss_rebate * won if won < 0 else 0
                gain[row] += more - owed
                owed = more
            held = at if standing and staked[row] and units > 0 and won_mains[row, at] == 0 else -1
