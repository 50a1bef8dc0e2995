"""Counts of shoes, for tests of how well the shoes were shuffled.

One shoe. One pass adds the shoe to a row of counts. `CountLayout` has the places of the counts, and
`review.shuffle.shoe_counts` explains them. The counts are

- the number of cards of each rank in each quarter of the shoe, and the sum of the squares of these numbers,
- the rank at each of the first places,
- pairs of neighbouring ranks, and neighbours of the same suit,
- turns from rising to falling ranks or back,
- the cards that are among the last cards.

Many shoes. These are either the caller's shoes, or new shoes, with equally many for each row of counts. New shoes are
shuffled by Fisher and Yates, with the words of Philox4x64-10 for the key (seed, `first` + number of the row).

Each call checks that `kinds` is at most 52 and every card below it, that `ranks` is at most 13 and every rank below it,
and that shoes have 4 to 1,404 cards. So sums stay below 2^63.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from counting._philox cimport PHILOX_BLOCKS, philox, philox_below, philox_start
from counting._room cimport room

cdef enum:
    MOST_CARDS = 1404
    KINDS = 52
    MOST_TAILS = 8

cdef struct CountLayout:
    int cards, kinds, ranks, places, tails
    bint suits
    int tail[MOST_TAILS]             # how many of the last cards are counted, in rising order
    uint8_t rank[KINDS]
    int quarter, first, square, last, pair, turn, suit, width

cdef struct Work:
    int64_t by_quarter[4 * 13]
    uint8_t cards[MOST_CARDS]


cdef void _add_one(const CountLayout *at, Work *work, const uint8_t *cards, int64_t *out) noexcept nogil:
    """Add the counts of a single shoe."""
    cdef int i, rank, before = 0, up = 0, t, quarter, cell
    memset(work.by_quarter, 0, sizeof(work.by_quarter))
    for i in range(at.cards):
        rank = at.rank[cards[i]]
        work.by_quarter[4 * i // at.cards * at.ranks + rank] += 1
        if i < at.places:
            out[at.first + i * at.ranks + rank] += 1
        if i:
            out[at.pair + before * at.ranks + rank] += 1
            if rank != before:
                out[at.turn] += up == (1 if rank < before else -1)
                up = 1 if rank > before else -1
            if at.suits:
                out[at.suit] += (cards[i] & 3) == (cards[i - 1] & 3)
        before = rank
    for quarter in range(4):
        for rank in range(at.ranks):
            cell = quarter * at.ranks + rank
            out[at.quarter + cell] += work.by_quarter[cell]
            out[at.square + rank] += work.by_quarter[cell] * work.by_quarter[cell]
    for t in range(at.tails):
        for i in range(at.cards - at.tail[t], at.cards):
            out[at.last + t * at.kinds + cards[i]] += 1


cdef CountLayout _layout(Py_ssize_t cards, const uint8_t[::1] rank, int ranks, int places, bint suits,
                         const int32_t[::1] tails) except *:
    cdef CountLayout at
    cdef Py_ssize_t i
    room(4 <= cards <= MOST_CARDS and 0 <= places <= cards, "cards")
    room(0 < rank.shape[0] <= KINDS and 0 < ranks <= 13 and tails.shape[0] <= MOST_TAILS, "rank")
    at.cards, at.kinds, at.ranks, at.places = <int>cards, <int>rank.shape[0], ranks, places
    at.suits, at.tails = suits, <int>tails.shape[0]
    for i in range(at.kinds):
        room(rank[i] < ranks, "rank")
        at.rank[i] = rank[i]
    for i in range(at.tails):
        room(0 <= tails[i] <= cards, "tails")
        at.tail[i] = tails[i]
    at.quarter = 0
    at.first = 4 * ranks
    at.square = at.first + places * ranks
    at.last = at.square + ranks
    at.pair = at.last + at.tails * at.kinds
    at.turn = at.pair + ranks * ranks
    at.suit = at.turn + 1
    at.width = at.suit + 1
    return at


def counts(const uint8_t[:, ::1] shoes, const uint8_t[::1] rank, int ranks, int places, bint suits,
           const int32_t[::1] tails, int64_t[::1] out):
    """Add the counts of these shoes (shoes, cards) to `out`."""
    cdef CountLayout at = _layout(shoes.shape[1], rank, ranks, places, suits, tails)
    cdef Work work
    cdef Py_ssize_t shoe
    cdef int i
    room(out.shape[0] == at.width, "out")
    for shoe in range(shoes.shape[0]):
        for i in range(at.cards):
            room(shoes[shoe, i] < at.kinds, "shoes")
    with nogil:
        for shoe in range(shoes.shape[0]):
            _add_one(&at, &work, &shoes[shoe, 0], &out[0])


def drawn(uint64_t seed, uint64_t first, const uint8_t[::1] new, Py_ssize_t shoes, const uint8_t[::1] rank, int ranks,
          int places, bint suits, const int32_t[::1] tails, int64_t[:, ::1] out):
    """Add the counts of `shoes` shuffled shoes to each row of `out`. `new` (cards) are new decks."""
    cdef CountLayout at = _layout(new.shape[0], rank, ranks, places, suits, tails)
    cdef Work work
    cdef philox random
    cdef Py_ssize_t row, _shoe
    cdef int i
    cdef uint32_t place
    cdef uint8_t card
    room(out.shape[1] == at.width, "out")
    for i in range(at.cards):
        room(new[i] < at.kinds, "new")
    with nogil:
        for row in range(out.shape[0]):
            philox_start(&random, seed, first + row, PHILOX_BLOCKS)
            memcpy(work.cards, &new[0], at.cards)
            for _shoe in range(shoes):
                for i in range(at.cards - 1):
                    place = i + philox_below(&random, <uint32_t>(at.cards - i))
                    card = work.cards[place]
                    work.cards[place] = work.cards[i]
                    work.cards[i] = card
                _add_one(&at, &work, work.cards, &out[row, 0])
