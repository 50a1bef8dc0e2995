"""The distances in a shoe between cards that were neighbours in an earlier pile.

One shoe. `table[a][b][h]` is the number of ordered pairs of places of the shoe whose cards are of the kinds a and b and
whose cyclic distance is in bin h. Distances from the last edge on are not stored: they add no information, because the
number of all pairs is known. The table is counted without going through the pairs. The number of cards of kind b that
follow a place at a distance below an edge is a difference of running counts. All kinds b are side by side in memory. A
cell is below 2^16: a shoe has at most 432 cards of one kind (tens and faces of 27 decks), and the widest bin has 64
distances.

One pile. A pile is a list of pairs of cards. Each pair has a type: the places of the two cards in their coups, and what
coups these are (`review.shuffle.discard_rack`). `sums[class]` adds up the table's rows for the pairs of a class of
types. The orders of gathering share these sums.

An order of gathering is a group of four lines. Line m lists the classes of the pairs that are m apart in a pile
gathered in this order. Sums that many lines have in common are added up once (`shared`). Each column of a group is the
sum of the group's lines over all bins, weighted with the group's scores. Pairs come in blocks, which are piles or parts
of piles; each block has its own columns. Within a block, pairs are in the order of the table. The last columns are
products of the whole table with `local`, which has weights for all pairs of kinds. `_successors_body.h` makes the
columns in vector lanes. The instruction set is chosen at run time.

Many shoes. `shuffled` fills rows by Fisher and Yates, with the words of Philox4x64-10 for the key (seed, `first` +
number of the row). `columns` writes a row of columns for each shoe.

Weights and scores are whole numbers as float64. Every partial sum is a whole number below 2^53
(`tests/review/shuffle/test_successors.py` has the bound), so sums are exact in any order and on every machine.
"""
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy

from counting._philox cimport PHILOX_BLOCKS, philox, philox_below, philox_start
from counting._room cimport room

cdef extern from "_successors.h" nogil:
    const int SUCCESSOR_BINS, SUCCESSOR_LAGS, SUCCESSOR_STRENGTHS, SUCCESSOR_SPREADS, SUCCESSOR_CARDS, SUCCESSOR_KINDS
    ctypedef struct successor_lists:
        const int32_t *edges
        const int32_t *pairs
        const int32_t *ends
        const int32_t *groups
        const int32_t *lines
        const int32_t *members
        const int32_t *scored_by
        const int32_t *shared
        const double *scores
        const double *local
        const double *reach
        uint16_t *running
        uint16_t *table
        int32_t *sums
        Py_ssize_t blocks, classes, shares, piles, reaches, kinds, cards
    int vectors_best()
    void successors_columns_plain(const successor_lists *, const uint8_t *, double *)
    void successors_columns_avx2(const successor_lists *, const uint8_t *, double *)
    void successors_columns_avx512(const successor_lists *, const uint8_t *, double *)


def best_level():
    """The fastest instruction set this machine runs: 0 plain, 1 AVX2, 2 AVX-512."""
    return vectors_best()


def columns(const uint8_t[:, ::1] shoes, const int32_t[::1] edges, const int32_t[:, ::1] pairs,
            const int32_t[::1] ends, const int32_t[:, ::1] groups, const int32_t[::1] lines,
            const int32_t[::1] members, const int32_t[::1] scored_by, const int32_t[:, ::1] shared,
            const double[:, :, :, ::1] scores, const double[:, :, :, ::1] local, const double[:, ::1] reach,
            uint16_t[::1] running, uint16_t[::1] table, int32_t[::1] sums, double[:, ::1] out, int level):
    """Write the columns of each shoe (shoes, cards) to a row of `out`. `running`, `table` and `sums` are room to work
    in."""
    cdef successor_lists at
    cdef Py_ssize_t i, m, width = 0, begin = 0
    cdef Py_ssize_t known = scored_by.shape[0], bins = SUCCESSOR_BINS, lags = SUCCESSOR_LAGS
    at.cards, at.kinds, at.blocks = shoes.shape[1], local.shape[2], ends.shape[0]
    at.piles, at.reaches, at.classes = local.shape[0], reach.shape[0], sums.shape[0] // bins - shared.shape[0]
    at.shares = shared.shape[0]
    room(2 <= at.cards <= SUCCESSOR_CARDS and 1 <= at.kinds <= SUCCESSOR_KINDS, "shoes")
    room(local.shape[1] == SUCCESSOR_SPREADS and local.shape[3] == at.kinds, "local")
    room(table.shape[0] == at.kinds * at.kinds * bins and at.classes > 0, "table")
    room(shared.shape[1] == 2 and sums.shape[0] == (at.classes + at.shares) * bins, "sums")
    room(running.shape[0] == (3 * at.cards + 1) * bins, "running")
    room(edges.shape[0] == bins + 1 and edges[0] == 1 and edges[bins] <= at.cards, "edges")
    room(pairs.shape[1] == 2 and groups.shape[0] == at.blocks and groups.shape[1] == 2, "groups")
    room(known > 0 and lines.shape[0] == lags * known + 1 and lines[lags * known] <= members.shape[0], "lines")
    room(scores.shape[1] == lags and scores.shape[2] == bins and scores.shape[3] == SUCCESSOR_STRENGTHS, "scores")
    room(reach.shape[1] == bins and out.shape[0] == shoes.shape[0], "reach")
    for i in range(bins):
        room(edges[i] <= edges[i + 1], "edges")
    for i in range(pairs.shape[0]):
        room(0 <= pairs[i, 0] <= table.shape[0] - bins and 0 <= pairs[i, 1] <= (at.classes - 1) * bins, "pairs")
    for i in range(members.shape[0]):
        room(0 <= members[i] <= sums.shape[0] - bins, "members")
    for i in range(at.shares):
        for m in range(2):
            room(0 <= shared[i, m] < (at.classes + i) * bins, "shared")
    for i in range(known):
        room(0 <= scored_by[i] < scores.shape[0], "scored_by")
        for m in range(lags):
            room(0 <= lines[lags * i + m] <= lines[lags * i + m + 1], "lines")
    for i in range(at.blocks):
        room(begin <= ends[i] <= pairs.shape[0], "ends")
        room(0 <= groups[i, 0] <= groups[i, 1] <= known, "groups")
        begin = ends[i]
        width += SUCCESSOR_STRENGTHS * (groups[i, 1] - groups[i, 0])
    width += at.piles * SUCCESSOR_SPREADS * at.reaches
    room(out.shape[1] == width and width > 0, "out")
    for i in range(shoes.shape[0]):
        for m in range(at.cards):
            room(shoes[i, m] < at.kinds, "shoes")
    if shoes.shape[0] == 0:
        return
    at.edges, at.lines, at.scored_by = &edges[0], &lines[0], &scored_by[0]
    at.pairs = &pairs[0, 0] if pairs.shape[0] else NULL
    at.ends = &ends[0] if at.blocks else NULL
    at.groups = &groups[0, 0] if at.blocks else NULL
    at.shared = &shared[0, 0] if at.shares else NULL
    at.members = &members[0] if members.shape[0] else NULL
    at.scores = &scores[0, 0, 0, 0]
    at.local = &local[0, 0, 0, 0] if at.piles else NULL
    at.reach = &reach[0, 0] if at.reaches else NULL
    at.running, at.table, at.sums = &running[0], &table[0], &sums[0]
    with nogil:
        for i in range(shoes.shape[0]):
            if level == 2:
                successors_columns_avx512(&at, &shoes[i, 0], &out[i, 0])
            elif level == 1:
                successors_columns_avx2(&at, &shoes[i, 0], &out[i, 0])
            else:
                successors_columns_plain(&at, &shoes[i, 0], &out[i, 0])


def shuffled(uint64_t seed, uint64_t first, const uint8_t[::1] new, uint8_t[:, ::1] out):
    """Fill each row of `out` (shoes, cards) with the cards of `new` in random order. Row i uses the stream `first` +
    i."""
    cdef philox random
    cdef Py_ssize_t row
    cdef int i, cards = <int>new.shape[0]
    cdef uint32_t place
    cdef uint8_t card
    cdef uint8_t *shoe
    room(2 <= new.shape[0] <= SUCCESSOR_CARDS and out.shape[1] == new.shape[0], "out")
    with nogil:
        for row in range(out.shape[0]):
            philox_start(&random, seed, first + row, PHILOX_BLOCKS)
            shoe = &out[row, 0]
            memcpy(shoe, &new[0], cards)
            for i in range(cards - 1):
                place = i + philox_below(&random, <uint32_t>(cards - i))
                card = shoe[place]
                shoe[place] = shoe[i]
                shoe[i] = card
