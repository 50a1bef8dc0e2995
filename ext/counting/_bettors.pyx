"""Bettors whose coups hang together: who may not skip too many in a row, or whose main bets stand after a push.

Shoe by shoe, coup by coup.  A bettor who wants to play has his side and main bets; one who does not skips the coup,
but not more than `skips` in a row: then he has idle units on the main bet, or the side bet all the same. Who may not
skip all coups and knows edges takes the better of the two whenever he plays. A main bet that pushed and stands is
there on the next coup; he adds the side bet where that gains. Who leaves is away until the next shoe. Of what he has
lost in a shoe so far a share is paid back: what a coup adds to that, or takes from it, is part of the coup's gain.

Assumed, and checked by `counting.bettors`: rows of a shoe stand together and in order; the arrays fit together.
"""
from libc.stdint cimport int32_t, uint8_t, uint16_t


def follow(const uint16_t[::1] shoe, const uint8_t[::1] wants, const double[::1] side, const double[:, ::1] mains,
           const int32_t[::1] best, const double[::1] won_side, const double[:, ::1] won_mains, double tie_in,
           double idle, int skips, double leaves, bint standing, double loss_rebate, bint knows, double[::1] gain,
           uint8_t[::1] staked):
    """Fill gain and staked: 0 for a coup skipped, 1 with the side bet, 2 for main bets alone.

    side is the edge of the side bets, mains (rows, main bets) those of main bets, of which he takes `best`; won_side
    and won_mains are what they paid as dealt, 0 for a push. skips is -1 where he may skip them all. He leaves when side
    is at or below `leaves` on a coup that he may not skip. Who `knows` edges chooses by them; another goes by `wants`.
    """
    cdef Py_ssize_t row
    cdef int skipped = 0, held = -1, at
    cdef double units = 0, main, joint, more, won = 0, owed = 0
    cdef bint gone = False
    with nogil:
        for row in range(shoe.shape[0]):
            if row == 0 or shoe[row] != shoe[row - 1]:
                skipped, held, won, owed, gone = 0, -1, 0, 0, False
            gone = gone or (held < 0 and not wants[row] and skipped >= skips and side[row] <= leaves)
            if gone:
                staked[row], gain[row], held = 0, 0, -1
                continue
            if held >= 0:
                at = held
                main = mains[row, at]
                more = tie_in - units if tie_in > units else 0
                if knows:
                    staked[row] = 1 if side[row] + more * main > 0 else 2
                else:
                    staked[row] = 1 if wants[row] else 2
                if staked[row] == 1:
                    units += more
                gain[row] = units * main + (side[row] if staked[row] == 1 else 0)
            else:
                at = best[row]
                main = mains[row, at]
                joint = side[row] + tie_in * main
                if not wants[row] and (skips < 0 or skipped < skips):
                    staked[row] = 0
                elif skips < 0 or not knows:
                    staked[row] = 1 if wants[row] else 2
                else:
                    staked[row] = 1 if joint > idle * main else 2
                units = tie_in if staked[row] == 1 else idle
                gain[row] = joint if staked[row] == 1 else idle * main if staked[row] == 2 else 0
            skipped = skipped + 1 if staked[row] == 0 else 0
            if loss_rebate > 0 and staked[row]:
                won += units * won_mains[row, at] + (won_side[row] if staked[row] == 1 else 0)
                more = -loss_rebate * won if won < 0 else 0
                gain[row] += more - owed
                owed = more
            held = at if standing and staked[row] and units > 0 and won_mains[row, at] == 0 else -1
