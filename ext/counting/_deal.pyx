"""Whole shoes, dealt.

One shoe.  Its cards depend on (seed, shoe) alone: the words of Philox4x64-10 under that key, as
`numpy.random.Philox(key=[seed, shoe])` gives them, are cut into 32-bit halves, low half first, and
drive a Fisher-Yates shuffle from the first card on, by Lemire's unbiased bounded draw. Cards are
0 to 51 (four times the rank, plus the suit); the deck starts sorted, a deck after the other.
A coup takes P1 B1 P2 B2, then third cards by the tableau.

The cut card.  `last_cut` of a coup is the largest number of cards behind the cut card with which the
coup is still dealt. With u[k] cards undealt at the start of coup k and (a, b) more coups after the
one inside which the cut card comes out, or which begins with it: for b = a it is u[k-a], for
b = a - 1 it is u[k-a] - 1 (a cut of u[k-a] begins coup k-a and allows only b more); u[0] where there
was no coup k-a. It falls along the shoe, so dealing stops at the first coup with last_cut < cut.

Many shoes.  Each fills its rows of the caller's arrays.

Assumed, and checked by `counting.shoe`: 1 to 27 decks, 0 <= a <= 2, b in {a, a-1}, b >= 0, and room for
a coup for every four cards of each shoe.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef extern from "_philox.h":
    ctypedef struct philox:
        pass
    void philox_start(philox *, uint64_t, uint64_t) noexcept nogil
    uint32_t philox_half(philox *) noexcept nogil
    uint32_t philox_below(philox *, uint32_t) noexcept nogil

cdef enum:
    MOST_CARDS = 1404

# The point value of card 0 ... 51.
cdef uint8_t VALUE[52]
for _card in range(52):
    VALUE[_card] = _card // 4 + 1 if _card < 36 else 0


cdef struct Table:
    int player[10]
    int banker[10][11]


cdef struct Stack:
    uint8_t cards[MOST_CARDS]
    int size
    int next
    int step  # 0 puts every card back
    philox random


cdef inline int _draw(Stack *stack) noexcept nogil:
    """The next card: one of the undealt ones, put where the last dealt one stood."""
    cdef int i = stack.next
    cdef int j = i + <int>philox_below(&stack.random, <uint32_t>(stack.size - i))
    cdef uint8_t card = stack.cards[j]
    stack.cards[j] = stack.cards[i]
    stack.cards[i] = card
    stack.next = i + stack.step
    return card


cdef inline void _start(Stack *stack, int decks, uint64_t seed, uint64_t shoe) noexcept nogil:
    cdef int i
    stack.size = 52 * decks
    stack.next = 0
    stack.step = 1
    for i in range(stack.size):
        stack.cards[i] = <uint8_t>(i % 52)
    philox_start(&stack.random, seed, shoe)


cdef Table _table(const int32_t[::1] player, const int32_t[:, ::1] banker) noexcept:
    cdef Table table
    cdef int i, j
    for i in range(10):
        table.player[i] = player[i]
        for j in range(11):
            table.banker[i][j] = banker[i, j]
    return table


cdef inline int _related(int a, int b) noexcept nogil:
    """1 for two cards of one rank, 2 of one suit, 3 of both."""
    return (a >> 2 == b >> 2) | (((a ^ b) & 3) == 0) << 1


cdef inline int _coup(Stack *stack, const Table *table, int *card, int *shown) noexcept nogil:
    """Deal a coup: its cards in dealing order and what it shows; the number of cards."""
    cdef int i, p, b, used = 4, third = 10
    for i in range(4):
        card[i] = _draw(stack)
    p = (VALUE[card[0]] + VALUE[card[2]]) % 10
    b = (VALUE[card[1]] + VALUE[card[3]]) % 10
    shown[2] = shown[3] = 2
    shown[4] = _related(card[0], card[2]) | _related(card[1], card[3]) << 2
    if p < 8 and b < 8:
        if table.player[p]:
            card[4] = _draw(stack)
            third = VALUE[card[4]]
            p = (p + third) % 10
            shown[2] = 3
            used = 5
        if table.banker[b][third]:
            card[used] = _draw(stack)
            b = (b + VALUE[card[used]]) % 10
            shown[3] = 3
            used += 1
    shown[0] = p
    shown[1] = b
    return used


def play(uint64_t seed, int64_t first, int shoes, int decks, bint burn, int cut, int after_inside, int after_first,
         const int32_t[::1] player, const int32_t[:, ::1] banker, const uint8_t[::1] kind, int32_t[:, ::1] left_at,
         uint16_t[:, ::1] rows, uint8_t[:, ::1] shown):
    """Play shoes first, first+1, ...; returns the number of coups, a row each.

    left_at[row, k] is the number of unseen cards of kind k at the coup's start, card c being of kind[c];
    rows[row] is (shoe - first, coup from 1, cards undealt, last_cut); shown[row] is (Player's total, Banker's,
    Player's cards, Banker's, what their first cards show: 1 Player's a pair, 2 suited, 4 and 8 Banker's).
    """
    cdef Table table = _table(player, banker)
    cdef Stack stack
    cdef int left[52]
    cdef int kinds = <int>left_at.shape[1]
    cdef int undealt[4]
    cdef int ends[5]
    cdef int card[6]
    cdef int64_t row = 0
    cdef int s, c, v, i, _i, coup, last_cut, used
    with nogil:
        for s in range(shoes):
            _start(&stack, decks, seed, <uint64_t>(first + s))
            for i in range(kinds):
                left[i] = 0
            for i in range(52):
                left[kind[i]] += decks
            if burn:
                c = _draw(&stack)
                v = VALUE[c]
                left[kind[c]] -= 1
                for _i in range(v if v else 10):
                    _draw(&stack)
            coup = 0
            while stack.size - stack.next >= 6:
                undealt[coup & 3] = stack.size - stack.next
                if coup < after_inside:
                    last_cut = undealt[0]
                else:
                    last_cut = undealt[(coup - after_inside) & 3] - (after_inside - after_first)
                if last_cut < cut:
                    break
                for i in range(kinds):
                    left_at[row, i] = left[i]
                rows[row, 0] = <uint16_t>s
                rows[row, 1] = <uint16_t>(coup + 1)
                rows[row, 2] = <uint16_t>undealt[coup & 3]
                rows[row, 3] = <uint16_t>last_cut
                used = _coup(&stack, &table, card, ends)
                for i in range(used):
                    left[kind[card[i]]] -= 1
                for i in range(5):
                    shown[row, i] = <uint8_t>ends[i]
                row += 1
                coup += 1
    return row


def play_with_replacement(uint64_t seed, int64_t stream, const int32_t[::1] player, const int32_t[:, ::1] banker,
                          uint8_t[:, ::1] shown):
    """Fill shown, a row a coup, every card drawn from one full deck."""
    cdef Table table = _table(player, banker)
    cdef Stack stack
    cdef int ends[5]
    cdef int card[6]
    cdef int64_t row, coups = shown.shape[0]
    cdef int i
    with nogil:
        _start(&stack, 1, seed, <uint64_t>stream)
        stack.step = 0
        for row in range(coups):
            _coup(&stack, &table, card, ends)
            for i in range(5):
                shown[row, i] = <uint8_t>ends[i]


def order(uint64_t seed, int64_t shoe, int decks, uint8_t[::1] out):
    """Fill out with the first cards of a shoe, 0 to 51, in dealing order."""
    cdef Stack stack
    cdef Py_ssize_t i
    _start(&stack, decks, seed, <uint64_t>shoe)
    for i in range(out.shape[0]):
        out[i] = <uint8_t>_draw(&stack)


def halves(uint64_t seed, int64_t stream, uint32_t[::1] out):
    """Fill out with the first 32-bit halves of a stream's random words."""
    cdef philox random
    cdef Py_ssize_t i
    philox_start(&random, seed, <uint64_t>stream)
    for i in range(out.shape[0]):
        out[i] = philox_half(&random)


def below(uint64_t seed, int64_t stream, uint32_t limit, uint32_t[::1] out):
    """Fill out with unbiased draws from 0 ... limit-1."""
    cdef philox random
    cdef Py_ssize_t i
    philox_start(&random, seed, <uint64_t>stream)
    for i in range(out.shape[0]):
        out[i] = philox_below(&random, limit)
