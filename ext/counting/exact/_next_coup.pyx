"""The coming coup, dealt many times from the unseen cards.

One coup. Six cards are drawn from the unseen cards without replacement, each card equally likely. The next cards of the
shoe are a draw of this kind, whatever was burned or lies behind the cut card. The tableau uses four to six of these
cards. The other unseen cards are a composition that the shoe may have after the coup.

Many coups. From row r of the compositions, `copies` coups are dealt. Their only random numbers are the words of
Philox4x64-10 for the key (seed, streams[r]), so they do not depend on other rows.

The kernel assumes that each row has at most 1,404 cards; `counting.bounds.continuation` makes sure of it. `deal` checks
the rest: counts are not negative, each row has six cards or more, and `left` and `used` have a row for each coup.
"""
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from counting._philox cimport philox, philox_below, philox_start
from counting._room cimport room

cdef enum:
    BLOCKS = 6  # blocks of eight draws each: enough for eight coups


cdef inline int _draw(int32_t *counts, int cards, philox *random) noexcept nogil:
    """The kind of a random card among `cards` cards. The card is removed from the counts."""
    cdef int place = <int>philox_below(random, <uint32_t>cards), kind = 0
    while place >= counts[kind]:
        place -= counts[kind]
        kind += 1
    counts[kind] -= 1
    return kind


cdef inline int _total(int points) noexcept nogil:
    return points if points < 10 else points - 10


def deal(const int32_t[:, ::1] compositions, int copies, uint64_t seed, const uint64_t[::1] streams,
         const uint8_t[::1] values, const int32_t[::1] player, const int32_t[:, ::1] banker, int32_t[:, ::1] left,
         uint8_t[::1] used):
    """Fill `left` (rows * copies, kinds) with the cards that remain after each coup, and `used` (rows * copies,) with
    the number of cards that the coup took. values[k] is the point value of a card of kind k. player[10] and
    banker[10, 11] are the tableau: 1 if the hand draws, -1 if the hand ends the coup, else 0."""
    cdef philox random
    cdef int32_t *counts
    cdef int cards[6]
    cdef int kinds = <int>compositions.shape[1]
    cdef Py_ssize_t row, at = 0
    cdef int _copy, k, n, p, b, player_draws, banker_draws
    cdef Py_ssize_t rows = compositions.shape[0]
    room(copies >= 0 and left.shape[0] == rows * copies == used.shape[0] and left.shape[1] == kinds, "left")
    room(streams.shape[0] == rows and values.shape[0] == kinds, "streams")
    room(player.shape[0] == 10 == banker.shape[0] and banker.shape[1] == 11, "tableau")
    for k in range(kinds):
        room(values[k] < 10, "values")
    for row in range(rows):
        n = 0
        for k in range(kinds):
            n += compositions[row, k]
            room(compositions[row, k] >= 0, "compositions")
        room(n >= 6, "compositions")
    with nogil:
        for row in range(rows):
            philox_start(&random, seed, streams[row], BLOCKS)
            n = 0
            for k in range(kinds):
                n += compositions[row, k]
            for _copy in range(copies):
                counts = &left[at, 0]
                for k in range(kinds):
                    counts[k] = compositions[row, k]
                for k in range(6):
                    cards[k] = _draw(counts, n - k, &random)
                p = _total(values[cards[0]] + values[cards[2]])
                b = _total(values[cards[1]] + values[cards[3]])
                player_draws = banker_draws = 0
                if player[p] >= 0 and banker[b, 10] >= 0:
                    player_draws = player[p]
                    banker_draws = banker[b, values[cards[4]] if player_draws else 10]
                if player_draws + banker_draws < 2:
                    counts[cards[5]] += 1
                if player_draws + banker_draws < 1:
                    counts[cards[4]] += 1
                used[at] = <uint8_t>(4 + player_draws + banker_draws)
                at += 1
