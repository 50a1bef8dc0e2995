"""Stretches of a shoe that repeat coups of a pile, coup after coup, with the cards of each coup in any order.

One chain. A chain begins with `begun` cards of a coup of the pile, in any order. Then come all cards of the next coup
of the pile (or of the coup before), in any order, and so on. The chain may end after only some cards of its last coup.
Let the chain have L cards. The chance that L given places of a shuffled shoe of N cards hold the chain is at most

    prod Q / (N)_L.

The product has a factor Q for each coup of the chain. Let t cards of the coup be in the chain, and let kind k come m_k
times in the coup and n_k times in the shoe. Then Q is the sum of prod (n)_i over the distinct sequences of t of the
coup's cards:

    Q = t! [z^t] prod_k sum_{i <= m_k} C(n_k, i) z^i.

(x)_i is the falling factorial.

One shoe. `least` looks from each place of the shoe for the chain with the least chance. With `inside`, the pile is the
shoe itself. A chain may then only have coups that ended before the place, and n and N count only the cards that were
not seen before the place. `expected` adds up the chances of all chains at all places, each at the first length at which
the chance is at most exp(x).

`review.shuffle.slugs` makes sure of what is assumed here: a coup's cards come first in its row, and `HIDDEN` means a
card not seen or no card. Each call checks that kinds are below 52, and that `links` are rows of coups or -1.
"""
from libc.math cimport exp, log
from libc.stdint cimport int32_t, uint8_t
from libc.string cimport memset

from counting._room cimport room

cdef enum:
    MOST = 6       # the most cards of a coup
    KINDS = 52
    HIDDEN = 255
    STEPS = 360    # the most coups of a chain
    SHORT = 6      # cards; shorter chains in the shoe itself are ignored

cdef double FACTORIAL[MOST + 1]
FACTORIAL[:] = [1, 1, 2, 6, 24, 120, 720]


cdef void _sequences(const uint8_t *coup, int size, const int32_t *full, double *out) noexcept nogil:
    """log Q of a coup for 0 to `size` of its cards."""
    cdef double product[MOST + 1]
    cdef double choose
    cdef int i, t, j, many
    cdef bint again
    memset(product, 0, sizeof(product))
    product[0] = 1
    for i in range(size):
        many = 1
        again = False
        for j in range(size):
            if j != i and coup[j] == coup[i]:
                many += 1
                again |= j < i
        if again:
            continue
        for t in range(size, 0, -1):
            choose = 1
            for j in range(1, many + 1):
                choose *= (full[coup[i]] - j + 1) / <double>j
                if j <= t and choose > 0:
                    product[t] += choose * product[t - j]
    for t in range(size + 1):
        out[t] = log(product[t] * FACTORIAL[t]) if product[t] > 0 else -1e300


cdef inline int _matched(const uint8_t *coup, int size, const uint8_t *shoe, Py_ssize_t left) noexcept nogil:
    """The number of cards in a row, from this place of the shoe on, that are cards of the coup, each used once."""
    cdef int used = 0, i, t
    for t in range(size):
        if t >= left:
            return t
        for i in range(size):
            if coup[i] == shoe[t] and not used >> i & 1:
                used |= 1 << i
                break
        else:
            return t
    return size


def sequences(const uint8_t[:, ::1] coups, const int32_t[::1] sizes, const int32_t[::1] full, double[:, ::1] out):
    """Write log Q of each coup for 0 to 6 of its cards to `out` (coups, 7)."""
    cdef Py_ssize_t c
    room(coups.shape[1] == MOST and sizes.shape[0] == coups.shape[0], "coups")
    room(out.shape[0] == coups.shape[0] and out.shape[1] == MOST + 1 and full.shape[0] == KINDS, "out")
    for c in range(coups.shape[0]):
        _check(coups, sizes, c)
        _sequences(&coups[c, 0], sizes[c], &full[0], &out[c, 0])


cdef int _check(const uint8_t[:, ::1] coups, const int32_t[::1] sizes, Py_ssize_t c) except -1:
    cdef int i
    room(0 <= sizes[c] <= MOST, "sizes")
    for i in range(sizes[c]):
        room(coups[c, i] < KINDS, "coups")
    return 0


def least(const uint8_t[::1] shoe, const uint8_t[:, ::1] coups, const int32_t[::1] sizes, const int32_t[:, ::1] links,
          const int32_t[::1] ended, const int32_t[::1] full, const double[:, ::1] logs, const double[::1] falling,
          bint inside, int32_t[::1] where):
    """The logarithm of the smallest bound on a chain's chance, over all chains. `where` is set to the chain's place in
    the shoe, its first coup, its way, the number of cards that it begins with, and its length. The way is 0 if the next
    coup of the pile follows, and 1 if the coup before follows. If no chain has a bound below 1, the result is 0 and
    `where` is not set.

    - `shoe` (places,): the kinds of the cards, 255 for a card not seen.
    - `coups` (coups, 6) and `sizes` (coups,): the kinds of each coup's cards, and their number.
    - `links` (coups, 2): the next coup and the coup before, -1 for none.
    - `ended` (coups,): the place after each coup's last card; used only if `inside`.
    - `logs` (coups, 7): log Q, as `sequences` writes it.
    - `falling` (places + 1,): log (N)_L of the full shoe.
    """
    cdef Py_ssize_t places = shoe.shape[0], number = coups.shape[0], j, c, d
    cdef int way, begun, most, more, length, i, steps
    cdef int32_t parts[STEPS]
    cdef int taken[STEPS]
    cdef double best = 0, chance
    cdef int32_t left[KINDS]
    cdef double own[MOST + 1]
    cdef Py_ssize_t seen = 0
    room(coups.shape[1] == MOST and sizes.shape[0] == number and links.shape[0] == number and links.shape[1] == 2,
         "coups")
    room(ended.shape[0] == number and logs.shape[0] == number and logs.shape[1] == MOST + 1, "ended")
    room(falling.shape[0] == places + 1 and full.shape[0] == KINDS and where.shape[0] == 5, "falling")
    for c in range(number):
        _check(coups, sizes, c)
        room(-1 <= links[c, 0] < number and -1 <= links[c, 1] < number, "links")
    for j in range(places):
        room(shoe[j] < KINDS or shoe[j] == HIDDEN, "shoe")
    with nogil:
        for i in range(KINDS):
            left[i] = full[i]
        for j in range(places):
            if shoe[j] == HIDDEN:
                continue
            for c in range(number):
                if inside and ended[c] > j:
                    continue
                most = _matched(&coups[c, 0], sizes[c], &shoe[j], places - j)
                for begun in range(1, most + 1):
                    for way in range(2):
                        length, d, steps = begun, c, 0
                        parts[0], taken[0] = <int32_t>c, begun
                        while True:
                            d = links[d, way]
                            if d < 0 or length >= places - j or (inside and ended[d] > j):
                                break
                            more = _matched(&coups[d, 0], sizes[d], &shoe[j + length], places - j - length)
                            if more == 0:
                                break
                            length += more
                            steps += 1
                            parts[steps], taken[steps] = <int32_t>d, more
                            if more < sizes[d] or steps == STEPS - 1:
                                break
                        if inside and length < SHORT:
                            continue
                        chance = 0
                        for i in range(steps + 1):
                            if inside:
                                _sequences(&coups[parts[i], 0], sizes[parts[i]], left, own)
                                chance += own[taken[i]]
                            else:
                                chance += logs[parts[i], taken[i]]
                        # If `inside`, `seen` of the shoe's N cards are gone.
                        if inside:
                            chance -= falling[seen + length] - falling[seen]
                        else:
                            chance -= falling[length]
                        if chance < best:
                            best = chance
                            where[0], where[1], where[2] = <int32_t>j, <int32_t>c, way
                            where[3], where[4] = begun, length
            left[shoe[j]] -= 1
            seen += 1
    return best


def expected(double x, const int32_t[::1] sizes, const int32_t[:, ::1] links, const double[:, ::1] logs,
             const double[::1] falling):
    """An upper bound on the expected number of chains with a chance of at most exp(x), from all places of a shuffled
    shoe."""
    cdef Py_ssize_t number = sizes.shape[0], c, d, places = falling.shape[0] - 1
    cdef int way, begun, more
    cdef Py_ssize_t length
    cdef double total = 0, chance, whole
    room(links.shape[0] == number and links.shape[1] == 2 and logs.shape[0] == number and logs.shape[1] == MOST + 1,
         "links")
    for c in range(number):
        room(0 <= sizes[c] <= MOST and -1 <= links[c, 0] < number and -1 <= links[c, 1] < number, "links")
    with nogil:
        for c in range(number):
            for begun in range(1, sizes[c] + 1):
                for way in range(2):
                    # The cards of the first coup one by one, then the cards of the coups that follow.
                    length, whole, d, more = 0, 0, c, 0
                    while length < places:
                        more += 1
                        if more > (begun if d == c else sizes[d]):
                            whole += logs[d, more - 1]
                            d = links[d, way]
                            if d < 0 or d == c or sizes[d] == 0:
                                break
                            more = 1
                        length += 1
                        chance = whole + logs[d, more] - falling[length]
                        if chance <= x:
                            # A chain within the first coup is the same for every larger `begun`: it is counted once.
                            if d != c or begun == more:
                                total += (places - length + 1) * exp(chance)
                            break
    return total
