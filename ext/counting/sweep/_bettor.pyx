"""A system's counter whose coups depend on one another: a few may be skipped, or main bets stand after a push.

Shoe by shoe, coup by coup.  On a coup that the counter wants, the side and main bets are made; any other coup is
skipped, but at most `skips` in a row: after that, idle units are bet on the main bet. A main bet that pushed and stands
is bet again on the next coup, with the side bet added if it is wanted. A share of the loss in a shoe so far is paid
back: what a coup adds to that amount, or takes from it, is part of the coup's gain.

Assumed, and checked by `counting.sweep.bettor`: rows of a shoe are adjacent and in order; the arrays fit together.
"""
from libc.stdint cimport int32_t, uint8_t, uint16_t

from counting._room cimport room


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
