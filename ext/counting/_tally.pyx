"""Additive sums of a block of priced coups, taken in the order dealt, so that they have the same bits
wherever they are taken.

One shoe.  A bettor's cells are (trigger, bet). The perfect counter has one trigger and bets when the
edge is positive; a system's counter bets at trigger t when his count has reached t. Each cell adds up
the shoe's bets, how many were truly positive, their edges and mean squares, and what they won as dealt.

Many shoes.  At the end of each shoe the cells go into the ledger as sums and as products of pairs,
from which errors clustered by shoe follow. `depth` adds up by cards left instead.

Assumed, and checked by `counting.tally`: rows of a shoe stand together and in order; 0 <=
reached[row, system] <= the number of that system's triggers; cards_left < depth's length.
"""
from libc.stdint cimport int32_t, int64_t, uint16_t
from libc.string cimport memset

cdef enum:
    # Columns of a cell of a shoe.
    BETS, POSITIVE, GAIN, FIRST, SQUARE, WON, CELL
    # Columns of the ledger.
    L_BETS = 0, L_POSITIVE, L_GAIN, L_SHOES_BETTING, L_FIRST_COUP, L_BETS_SQ, L_GAIN_SQ, L_BETS_GAIN, \
        L_BETS_COUPS, L_GAIN_COUPS, L_SQUARE, L_WON, L_WON_SQ, LEDGER
    # Columns of depth.
    D_POSITIVE = 0, D_GAIN, D_GAIN_SQ, D_EDGE, D_FIRST, DEPTH


def columns():
    """The number of columns of a cell, of the ledger and of depth."""
    return CELL, LEDGER, DEPTH


cdef void _close(double *cell, double *into, double coups) noexcept nogil:
    """Add a shoe's cell to the ledger and empty it."""
    into[L_BETS] += cell[BETS]
    into[L_POSITIVE] += cell[POSITIVE]
    into[L_GAIN] += cell[GAIN]
    into[L_SHOES_BETTING] += 1 if cell[BETS] else 0
    into[L_FIRST_COUP] += cell[FIRST]
    into[L_BETS_SQ] += cell[BETS] * cell[BETS]
    into[L_GAIN_SQ] += cell[GAIN] * cell[GAIN]
    into[L_BETS_GAIN] += cell[BETS] * cell[GAIN]
    into[L_BETS_COUPS] += cell[BETS] * coups
    into[L_GAIN_COUPS] += cell[GAIN] * coups
    into[L_SQUARE] += cell[SQUARE]
    into[L_WON] += cell[WON]
    into[L_WON_SQ] += cell[WON] * cell[WON]
    memset(cell, 0, CELL * sizeof(double))


cdef inline void _add(double *cell, double edge, double square, double won, double coup) noexcept nogil:
    if cell[BETS] == 0:
        cell[FIRST] = coup
    cell[BETS] += 1
    cell[POSITIVE] += 1 if edge > 0 else 0
    cell[GAIN] += edge
    cell[SQUARE] += square
    cell[WON] += won


def tally(const double[:, ::1] edges, const double[:, ::1] squares, const int32_t[::1] classes,
          const double[:, ::1] pays, const uint16_t[::1] shoe, const uint16_t[::1] coup, const int64_t[::1] cards_left,
          const int32_t[:, ::1] reached, const int32_t[::1] first_cell, const int32_t[::1] system_bets,
          const int32_t[::1] bets_start, double[:, ::1] cells, double[:, ::1] ledger, double[:, :, ::1] depth,
          double[::1] coups_sums):
    """Add a block's coups to ledger (cells, LEDGER), depth (bets, cards, DEPTH) and coups_sums (shoes, coups, coups^2).

    edges and squares are (rows, bets); a coup of class c pays pays[c, bet]. Cells: the perfect counter's, one a
    bet; then for each system from first_cell[system] on, trigger by trigger, the bets
    system_bets[bets_start[system] : bets_start[system + 1]]. `cells` is zeroed scratch.
    """
    cdef Py_ssize_t rows = edges.shape[0], bets = edges.shape[1], systems = reached.shape[1]
    cdef Py_ssize_t row, b, k, _t, c, i, scored, all_cells = cells.shape[0]
    cdef double edge, n
    with nogil:
        for row in range(rows):
            n = coup[row]
            for b in range(bets):
                edge = edges[row, b]
                depth[b, cards_left[row], D_EDGE] += edge
                if edge > 0:
                    if cells[b, BETS] == 0:
                        depth[b, cards_left[row], D_FIRST] += 1
                    _add(&cells[b, 0], edge, squares[row, b], pays[classes[row], b], n)
                    depth[b, cards_left[row], D_POSITIVE] += 1
                    depth[b, cards_left[row], D_GAIN] += edge
                    depth[b, cards_left[row], D_GAIN_SQ] += edge * edge
            for k in range(systems):
                scored = bets_start[k + 1] - bets_start[k]
                c = first_cell[k]
                for _t in range(reached[row, k]):
                    for b in range(scored):
                        i = system_bets[bets_start[k] + b]
                        _add(&cells[c, 0], edges[row, i], squares[row, i], pays[classes[row], i], n)
                        c += 1
            if row + 1 == rows or shoe[row + 1] != shoe[row]:
                for c in range(all_cells):
                    _close(&cells[c, 0], &ledger[c, 0], n)
                coups_sums[0] += 1
                coups_sums[1] += n
                coups_sums[2] += n * n
