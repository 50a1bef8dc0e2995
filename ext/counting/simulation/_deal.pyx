"""Whole shoes, dealt.

One shoe. The cards of a shoe depend only on (seed, shoe) and the number of decks. The words of
`numpy.random.Philox(key=[seed, shoe])`, which is Philox4x64-10, are cut into 32-bit halves, low half first. The halves
drive a Fisher-Yates shuffle from the first card on, with Lemire's unbiased bounded draw. Cards are 0 to 51 (four times
the rank, plus the suit). Before the shuffle the decks are sorted, one deck after another. A coup takes P1 B1 P2 B2,
then third cards by the tableau.

In a coup there are no branches that depend on cards, because no processor can predict them. First the shoe is shuffled,
as far as coups can reach: six cards past the cut card, and six more for each coup that may follow. Then the program
notes, for every place, what the first cards of a coup that begins there would show. Then coups are read off, and a
table says which hands draw.

The cut card. `last_cut` of a coup is the largest number of cards behind the cut card with which the coup is still
dealt. Let u[k] cards be undealt at the start of coup k. Let a be the number of coups that follow a coup inside which
the cut card comes out. Let b be the number of coups that follow a coup that begins with the cut card. If b is a,
`last_cut` of coup k is u[k-a]. If b is a - 1, it is u[k-a] - 1, because with a cut of u[k-a], coup k-a would begin with
the cut card, and coup k-1 would be the last. If there is no coup k-a, `last_cut` is u[0]. `last_cut` never rises along
the shoe, so dealing stops at the first coup with last_cut < cut.

Many shoes. Each shoe fills rows of the caller's arrays.

Checked by `play`: 1 to 27 decks, 0 <= b <= a <= 2, and room for the most coups of each shoe, (cards - 6) // 4 + 1.
`order` checks the decks, and that the shoe has the cards. Assumed, and checked by `counting.simulation.dealing`: b is a
or a - 1. Assumed: the cards in `orders` are 0 to 51, and in `arrange` 0 <= last[s, k] <= full[k].
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy

from counting._philox cimport PHILOX_BLOCKS, philox, philox_below, philox_half, philox_start
from counting._room cimport room

cdef enum:
    MOST_CARDS = 1404
    SHOWN = 11  # how many numbers describe a coup

cdef uint8_t SORTED[MOST_CARDS]
for _card in range(MOST_CARDS):
    SORTED[_card] = _card % 52


cdef struct Shoe:
    uint8_t cards[MOST_CARDS]   # in dealing order
    uint8_t points[MOST_CARDS]  # the value of each card
    uint8_t totals[MOST_CARDS]  # the total of the card at each place and the card two places later
    uint8_t shared[MOST_CARDS]  # what the same two cards share: 1 the rank, 2 the suit


cdef struct Table:
    # Indexed by Player's and Banker's totals of two cards. Bit 10: Player draws. Bit v: Banker draws if the coup's
    # fifth card is worth v. If Player draws, the fifth card is Player's third card. If Player stands, all bits v are
    # equal.
    int draws[10][10]


cdef inline uint8_t _draw(uint8_t *cards, int size, philox *random) noexcept nogil:
    """A random card among `size` cards. It is exchanged with the first card."""
    cdef uint32_t place = philox_below(random, <uint32_t>size)
    cdef uint8_t card = cards[place]
    cards[place] = cards[0]
    cards[0] = card
    return card


cdef inline uint8_t _total(uint8_t points) noexcept nogil:
    return points if points < 10 else points - 10


cdef void _read(Shoe *shoe, int count) noexcept nogil:
    """Note what the first `count` cards show."""
    cdef int i
    cdef uint8_t a, b
    for i in range(count):
        a = shoe.cards[i]
        shoe.points[i] = (a >> 2) + 1 if a < 36 else 0
    for i in range(count - 2):
        shoe.totals[i] = _total(shoe.points[i] + shoe.points[i + 2])
    for i in range(count - 2):
        a = shoe.cards[i]
        b = shoe.cards[i + 2]
        shoe.shared[i] = (a >> 2 == b >> 2) | ((a & 3) == (b & 3)) << 1


cdef void _shuffle(Shoe *shoe, int decks, int count, uint64_t seed, uint64_t number) noexcept nogil:
    """Draw the first `count` cards of the shoe."""
    cdef philox random
    cdef int i, size = 52 * decks
    philox_start(&random, seed, number, (count + 7) // 8)
    memcpy(shoe.cards, SORTED, size)
    for i in range(count):
        _draw(&shoe.cards[i], size - i, &random)


cdef Table _table(const int32_t[::1] player, const int32_t[:, ::1] banker):
    cdef Table table
    cdef int p, b, v
    room(player.shape[0] == 10 == banker.shape[0] and banker.shape[1] == 11, "tableau")
    for p in range(10):
        for b in range(10):
            table.draws[p][b] = 0
            if player[p] >= 0 and banker[b, 10] >= 0:
                table.draws[p][b] = player[p] << 10
                for v in range(10):
                    table.draws[p][b] |= banker[b, v if player[p] else 10] << v
    return table


cdef inline int _coup(const Shoe *shoe, int at, const Table *table, uint8_t *shown) noexcept nogil:
    """Deal the coup that begins at place `at`. Note what the coup shows, and return the number of its cards."""
    cdef int p = shoe.totals[at], b = shoe.totals[at + 1]
    cdef int draws = table.draws[p][b], fifth = shoe.points[at + 4]
    cdef int player_draws = draws >> 10, banker_draws = draws >> fifth & 1
    shown[0] = _total(<uint8_t>(p + player_draws * fifth))
    shown[1] = _total(<uint8_t>(b + banker_draws * shoe.points[at + 4 + player_draws]))
    shown[2] = <uint8_t>(2 + player_draws)
    shown[3] = <uint8_t>(2 + banker_draws)
    shown[4] = <uint8_t>(shoe.shared[at] | shoe.shared[at + 1] << 2)
    memcpy(shown + 5, &shoe.cards[at], 6)
    return 4 + player_draws + banker_draws


def play(uint64_t seed, int64_t first, int shoes, int decks, int burn, bint burn_shown, int cut, int after_inside,
         int after_first,
         const int32_t[::1] player, const int32_t[:, ::1] banker, const uint8_t[::1] kind,
         const uint8_t[:, ::1] orders, int32_t[:, ::1] left_at, uint16_t[:, ::1] rows, uint8_t[:, ::1] shown):
    """Play shoes first, first+1, ... and fill a row for each coup. Returns the number of coups. If `orders` has rows,
    they are the shoes' cards in dealing order; otherwise the cards are shuffled.

    `burn` cards are burned first, face up if `burn_shown`. If `burn` is -1, the first card is burned face up, and then
    a number of cards equal to its value (10 for a ten or face).

    - left_at[row, k] is the number of unseen cards of kind k at the start of the coup; card c is of kind[c].
    - rows[:, row] is (shoe - first, coup from 1, cards undealt, last_cut).
    - shown[row, :5] is (Player's total, Banker's total, Player's cards, Banker's cards, pairs). pairs has 1 if Player's
      first cards are a pair, 2 if they are suited, and 4 and 8 for Banker's.
    - shown[row, 5:] has six cards from the coup's first card on, dealt or not.
    """
    cdef Table table = _table(player, banker)
    cdef Shoe shoe
    cdef int left[52]
    cdef int kinds = <int>left_at.shape[1]
    cdef int undealt[4]
    cdef const uint8_t *card
    cdef int64_t row = 0
    cdef int size = 52 * decks
    cdef int count = min(size, size - cut + 6 * (after_inside + 1))  # no coup goes beyond this card
    cdef int s, i, at, coup, last_cut, used
    cdef int64_t most = shoes * <int64_t>((size - 6) // 4 + 1)
    room(1 <= decks <= 27 and shoes >= 0 and 0 <= cut <= size and 0 <= after_first <= after_inside <= 2, "shoe")
    room(-1 <= burn <= 52, "burn")
    room(left_at.shape[0] >= most and kinds <= 52 and shown.shape[0] >= most and shown.shape[1] == SHOWN, "left_at")
    room(rows.shape[0] == 4 and rows.shape[1] >= most, "rows")
    room(orders.shape[0] == 0 or (orders.shape[0] >= shoes and orders.shape[1] == size), "orders")
    room(kind.shape[0] == 52, "kind")
    for i in range(52):
        room(kind[i] < kinds, "kind")
    with nogil:
        for s in range(shoes):
            if orders.shape[0]:
                memcpy(shoe.cards, &orders[s, 0], size)
            else:
                _shuffle(&shoe, decks, count, seed, <uint64_t>(first + s))
            _read(&shoe, count)
            for i in range(kinds):
                left[i] = 0
            for i in range(52):
                left[kind[i]] += decks
            at = burn
            if burn < 0:
                at = 1 + (shoe.points[0] if shoe.points[0] else 10)
                left[kind[shoe.cards[0]]] -= 1
            elif burn_shown:
                for i in range(burn):
                    left[kind[shoe.cards[i]]] -= 1
            coup = 0
            while size - at >= 6:
                undealt[coup & 3] = size - at
                if coup < after_inside:
                    last_cut = undealt[0]
                else:
                    last_cut = undealt[(coup - after_inside) & 3] - (after_inside - after_first)
                if last_cut < cut:
                    break
                for i in range(kinds):
                    left_at[row, i] = left[i]
                rows[0, row] = <uint16_t>s
                rows[1, row] = <uint16_t>(coup + 1)
                rows[2, row] = <uint16_t>(size - at)
                rows[3, row] = <uint16_t>last_cut
                used = _coup(&shoe, at, &table, &shown[row, 0])
                card = &shoe.cards[at]
                for i in range(4):
                    left[kind[card[i]]] -= 1
                left[kind[card[4]]] -= used > 4
                left[kind[card[5]]] -= used > 5
                at += used
                row += 1
                coup += 1
    return row


def play_with_replacement(uint64_t seed, int64_t stream, const int32_t[::1] player, const int32_t[:, ::1] banker,
                          uint8_t[:, ::1] shown):
    """Fill `shown` with a row for each coup. Every card is drawn from a full deck."""
    cdef Table table = _table(player, banker)
    cdef Shoe shoe
    cdef philox random
    cdef uint8_t deck[52]
    cdef int64_t row, coups = shown.shape[0]
    cdef int i, at = MOST_CARDS
    room(shown.shape[1] == SHOWN, "shown")
    with nogil:
        philox_start(&random, seed, <uint64_t>stream, PHILOX_BLOCKS)
        memcpy(deck, SORTED, 52)
        for row in range(coups):
            if at > MOST_CARDS - 6:  # the cards left over, then new cards
                for i in range(MOST_CARDS):
                    shoe.cards[i] = shoe.cards[at + i] if at + i < MOST_CARDS else _draw(deck, 52, &random)
                _read(&shoe, MOST_CARDS)
                at = 0
            at += _coup(&shoe, at, &table, &shown[row, 0])


def order(uint64_t seed, int64_t shoe, int decks, uint8_t[::1] out):
    """Fill `out` with the first cards of a shoe in dealing order. A card is a number from 0 to 51."""
    cdef Shoe dealt
    cdef int i, count = <int>out.shape[0]
    room(1 <= decks <= 27 and out.shape[0] <= 52 * decks, "out")
    _shuffle(&dealt, decks, count, seed, <uint64_t>shoe)
    for i in range(count):
        out[i] = dealt.cards[i]


def arrange(uint64_t seed, int64_t first, const uint8_t[::1] deck, const int32_t[::1] full,
            const int32_t[:, ::1] last, uint8_t[:, ::1] out):
    """Fill `out` with whole shoes in dealing order, a row for each of the shoes first, first+1, ... The last cards of a
    shoe are last[row, k] cards of each kind k; all orders that end in these cards are equally likely. deck has the
    cards kind by kind, full[k] of kind k. The stream of a shoe has the number 2^63 + shoe, which no shuffled shoe
    has."""
    cdef philox random
    cdef uint8_t cards[MOST_CARDS]
    cdef int s, k, i, at, front, back, size = <int>deck.shape[0]
    cdef int blocks = min((2 * size + 7) // 8, <int>PHILOX_BLOCKS)
    room(1 <= size <= MOST_CARDS and out.shape[1] == size, "out")
    room(last.shape[0] == out.shape[0] and last.shape[1] == full.shape[0], "last")
    at = 0
    for k in range(full.shape[0]):
        room(0 <= full[k] <= size - at, "full")
        at += full[k]
    room(at == size, "full")
    with nogil:
        for s in range(out.shape[0]):
            philox_start(&random, seed, (<uint64_t>1 << 63) + <uint64_t>(first + s), blocks)
            memcpy(cards, &deck[0], size)
            at, front, back = 0, 0, size
            for k in range(full.shape[0]):
                for i in range(full[k]):
                    if i < last[s, k]:
                        back -= 1
                        out[s, back] = _draw(&cards[at + i], full[k] - i, &random)
                    else:
                        out[s, front] = cards[at + i]
                        front += 1
                at += full[k]
            for i in range(front):
                _draw(&out[s, i], front - i, &random)
            for i in range(front, size):
                _draw(&out[s, i], size - i, &random)


def halves(uint64_t seed, int64_t stream, uint32_t[::1] out):
    """Fill `out` with the first 32-bit halves of a stream's random words."""
    cdef philox random
    cdef Py_ssize_t i
    philox_start(&random, seed, <uint64_t>stream, 52)
    for i in range(out.shape[0]):
        out[i] = philox_half(&random)


def below(uint64_t seed, int64_t stream, uint32_t limit, uint32_t[::1] out):
    """Fill `out` with unbiased draws from 0 ... limit-1."""
    cdef philox random
    cdef Py_ssize_t i
    philox_start(&random, seed, <uint64_t>stream, 52)
    for i in range(out.shape[0]):
        out[i] = philox_below(&random, limit)
