"""Ratios of the indicator of an event to the event's probability, and what wagers at these odds make of a capital of 1.

A channel is a part of the coup that a patron may know: a card, one or both two-card totals, the fifth or sixth card, or
what the bet pays. Let X be the value of a channel in the coup, and A a set of values. `ratios` works out the ratio
towards A, 1{X in A} / P(A), and the ratio against A, 1{X not in A} / P(not A). The mean of each ratio is 1, because
every order of the unseen cards is equally likely. A ratio is 1 if nothing can be wagered: X is not dealt, or A is
impossible or sure. Ways are counted in whole numbers.

If cards are unread, in this coup or before it, the ratio is the smallest that it may have been. An unread X counts as
neither in A nor in A's complement. To work out a probability, ways are counted as if all unread cards were still in the
shoe. The number of ways is divided by the number of deals of the cards that are really left.

A capital is split over components. A component wagers the share 1 - e of its capital, on the coups that its scale
selects. `products` (scales, shares, channels and sets) has the product of each component's growth factors over a shoe.

`review.patrons` (`channels`, `foreknowledge` and `running_capital`) makes sure of what is assumed here. Counts of
values are not below 0. Values are below 10, with -1 for a card that was not dealt and -2 for a card that was not read.
Places of bets are below the number of bets, with -1 for no bet.
"""
from libc.math cimport exp, log
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t

from counting._room cimport room

cdef enum:
    CARDS = 4        # the first channels: Player's two cards, then Banker's
    BOTH = 6         # the channel of both totals, after the channels of each total
    DEALT = 9        # the number of channels of cards: after BOTH come the fifth and the sixth card
    SETS = 20        # two sets of each of ten channels
    WIDTH = 100      # values of a channel, at most
    SHARES = 5
    PARTS = 100      # SHARES * SETS
    SCALES = 5
    SIDED = 2        # the number of scales of a wager towards one bet and against it
    UNREAD = -2
    NOT_DEALT = -1
    MAIN_ROWS = 9    # SCALES + 2 * SIDED
    SIDE_ROWS = 7    # SCALES + SIDED
    HELD = 1600      # (MAIN_ROWS + SIDE_ROWS) * PARTS
    RISKS = 8        # the most shares of a capital that may be risked in a shoe
    TERMS = 18       # 2 * (RISKS + 1)

cdef double MOST = 1e300  # a larger product counts as this number
# a component of a bound counts as at least this number, so the bound may be too large but never too small
cdef double LEAST = 1e-290
cdef double FAR = 1e100  # a bound whose sum is above this, or below its inverse, is scaled again


cdef void _laws(const int32_t *left, const int8_t *cards, int32_t unread, int64_t *law, int64_t *every,
                double *deals, int *seen) noexcept nogil:
    """Work out, for each channel, the number of ways to get each value (DEALT, WIDTH) and to get any value, which is
    below 2^53. Also the number of deals of the channel's cards, and the value that was dealt."""
    cdef int a, b, i, t, third
    cdef int64_t pairs[10]
    cdef int64_t beside[10][10]  # by card and total: how many other cards make the total with the card
    cdef int64_t ways
    cdef int64_t *both
    cdef double number = -unread
    cdef int32_t pool[10]
    cdef bint read = True
    for i in range(10):
        number += left[i]
        pool[i] = left[i]
        pairs[i] = 0
    for i in range(DEALT * WIDTH):
        law[i] = 0
    for a in range(10):
        for b in range(10):
            t = a + b if a + b < 10 else a + b - 10
            beside[a][t] = left[b] - (a == b)
            pairs[t] += left[a] * beside[a][t]
    for i in range(CARDS):
        for a in range(10):
            law[i * WIDTH + a] = left[a]
        deals[i] = number
    for i in range(CARDS, BOTH):
        for t in range(10):
            law[i * WIDTH + t] = pairs[t]
        deals[i] = number * (number - 1)
    for a in range(10):  # Player's two cards, and Banker's totals from the other cards
        for b in range(a, 10):
            ways = <int64_t>left[a] * (left[b] - (a == b)) * (1 if a == b else 2)
            if ways <= 0:
                continue
            i = a + b if a + b < 10 else a + b - 10
            both = law + BOTH * WIDTH + 10 * i
            for t in range(10):
                both[t] += ways * (pairs[t] - 2 * (beside[a][t] + beside[b][t]))
            both[i] += 2 * ways
    deals[BOTH] = number * (number - 1) * (number - 2) * (number - 3)
    # What was dealt: Player's first and second card, Banker's, the totals, then the fifth and sixth card.
    seen[0], seen[1], seen[2], seen[3] = cards[0], cards[1], cards[3], cards[4]
    for i in range(CARDS):
        if seen[i] < 0:
            seen[i] = UNREAD
            read = False
        elif pool[seen[i]] > 0:
            pool[seen[i]] -= 1
    seen[4] = (seen[0] + seen[1]) % 10 if seen[0] >= 0 and seen[1] >= 0 else UNREAD
    seen[5] = (seen[2] + seen[3]) % 10 if seen[2] >= 0 and seen[3] >= 0 else UNREAD
    seen[BOTH] = 10 * seen[4] + seen[5] if read else UNREAD
    third = 2 if cards[2] != NOT_DEALT else 5
    seen[BOTH + 1] = cards[third]
    seen[BOTH + 2] = cards[5] if third == 2 else NOT_DEALT
    for i in range(2):
        for a in range(10):
            law[(BOTH + 1 + i) * WIDTH + a] = pool[a]
        deals[BOTH + 1 + i] = number - 4 - i
        third = seen[BOTH + 1]
        if third >= 0 and pool[third] > 0:
            pool[third] -= 1
    for i in range(DEALT):
        every[i] = 0
        for t in range(WIDTH):
            every[i] += law[i * WIDTH + t]


cdef inline double _ratio(bint happened, double ways, double deals) noexcept nogil:
    """1{happened} divided by the probability ways / deals, which counts as at most 1."""
    return happened * deals / ways if ways < deals else happened


def ratios(const int32_t[:, ::1] left, const int8_t[:, ::1] cards, const int32_t[::1] unread,
           const uint8_t[:, :, :, ::1] good, double[:, :, :, ::1] out):
    """The ratios of the channels of cards at each coup.

    - `left` (coups, 10): how many cards of each value are left before the coup.
    - `cards` (coups, 6): the values of the coup's cards, Player's three and then Banker's three.
    - `unread` (coups,): the number of unread cards of the shoe before the coup; they are in `left`.
    - `good` (bets, DEALT, 2, WIDTH): the sets, 1 for each value in a set; all 0 for a channel without a set.
    - `out` (coups, bets, 2, SETS): filled with the ratios towards each set and against it. The last two sets, of what
      the bet pays, are left to the caller.
    """
    cdef Py_ssize_t row, bet, channel, which, x, rows = left.shape[0], bets = good.shape[0]
    cdef int64_t law[DEALT * WIDTH]
    cdef int64_t every[DEALT]
    cdef double deals[DEALT]
    cdef int seen[DEALT]
    cdef int64_t inside, outside
    cdef int width
    cdef bint among
    room(left.shape[1] == 10 and cards.shape[0] == rows and cards.shape[1] == 6 and unread.shape[0] == rows, "cards")
    room(good.shape[1] == DEALT and good.shape[2] == 2 and good.shape[3] == WIDTH, "good")
    room(out.shape[0] == rows and out.shape[1] == bets and out.shape[2] == 2 and out.shape[3] == SETS, "out")
    with nogil:
        for row in range(rows):
            _laws(&left[row, 0], &cards[row, 0], unread[row], law, every, deals, seen)
            for bet in range(bets):
                for channel in range(DEALT):
                    width = WIDTH if channel == BOTH else 10
                    for which in range(2):
                        inside = 0
                        for x in range(width):
                            inside += law[channel * WIDTH + x] * good[bet, channel, which, x]
                        outside = every[channel] - inside
                        if seen[channel] == NOT_DEALT or inside == 0 or outside == 0:
                            out[row, bet, 0, 2 * channel + which] = 1
                            out[row, bet, 1, 2 * channel + which] = 1
                            continue
                        among = seen[channel] >= 0 and good[bet, channel, which, seen[channel]]
                        out[row, bet, 0, 2 * channel + which] = _ratio(among, inside, deals[channel])
                        among = seen[channel] >= 0 and not good[bet, channel, which, seen[channel]]
                        out[row, bet, 1, 2 * channel + which] = _ratio(among, outside, deals[channel])


cdef void _factors(const double *ratio, const double *shares, double *factor) noexcept nogil:
    """The factor e + (1 - e) * ratio by which a component grows, for each share e and each ratio (SHARES, SETS)."""
    cdef int e, i
    for e in range(SHARES):
        for i in range(SETS):
            factor[e * SETS + i] = shares[e] + (1 - shares[e]) * ratio[i]


cdef inline void _grow(double *products, const double *factor) noexcept nogil:
    cdef int i
    cdef double grown
    for i in range(PARTS):
        grown = products[i] * factor[i]
        products[i] = grown if grown < MOST else MOST


cdef inline void _hold(double *held, const double *factor) noexcept nogil:
    cdef int i
    cdef double grown
    for i in range(PARTS):
        grown = held[i] * factor[i]
        held[i] = grown if grown > LEAST else LEAST


cdef inline void _row(double *products, double *held, int row, const double *factor) noexcept nogil:
    _grow(products + row * PARTS, factor)
    if held != NULL:
        _hold(held + row * PARTS, factor)


cdef void _wager(const double *ratio, int sides, int taken, double size, const double *scales, const double *sided,
                 const double *shares, double *state, double *products, double *held) noexcept nogil:
    """Let `products` grow by one coup. `ratio` is (bets, 2, SETS). `state` is the smallest stake so far in the shoe, 0
    for none, and the last bet taken. The rows of `products` are the scales, then the one-sided scales, rising, for each
    of `sides` bets; with one side, they are for the last bet taken. `held`, unless NULL, grows as the products do."""
    cdef double factor[PARTS]
    cdef double against[PARTS]
    cdef int i, side, base
    if taken >= 0:
        if state[0] == 0 or size < state[0]:
            state[0] = size
        state[1] = taken
        _factors(ratio + 2 * SETS * taken, shares, factor)
        for i in range(SCALES):
            if size >= scales[i] * state[0]:
                _row(products, held, i, factor)
        base = SCALES + (SIDED * taken if sides > 1 else 0)
        if size < sided[SIDED - 1] * state[0]:
            _factors(ratio + 2 * SETS * taken + SETS, shares, against)
        for i in range(SIDED):
            if size >= sided[i] * state[0]:
                _row(products, held, base + i, factor)
            else:
                _row(products, held, base + i, against)
    elif state[0] > 0:
        for side in range(sides):
            _factors(ratio + 2 * SETS * (side if sides > 1 else <int>state[1]) + SETS, shares, against)
            for i in range(SIDED):
                _row(products, held, SCALES + SIDED * side + i, against)


cdef int _sized(Py_ssize_t bets, Py_ssize_t towards, Py_ssize_t sets, const double[::1] scales,
                const double[::1] sided, const double[::1] shares, Py_ssize_t rows, Py_ssize_t parts) except -1:
    room(towards == 2 and sets == SETS and scales.shape[0] == SCALES and sided.shape[0] == SIDED, "ratio")
    room(shares.shape[0] == SHARES and parts == PARTS, "products")
    return room((rows == SCALES + SIDED and bets >= 1) or (rows == SCALES + 2 * SIDED and bets == 2), "products")


def coup(list odds, list shoes, list bounds, const int16_t[:, ::1] taken, const double[:, ::1] size,
         const double[::1] scales, const double[::1] sided, const double[::1] shares, const double[::1] weights,
         const double[::1] risked, const double[:, ::1] split, double[::1] out):
    """Let the capital of each bettor in a shoe grow by one coup, in two parts: main bets and side bets. Fill `out` with
    the logarithm of a bound on each bettor's capital.

    - `odds`: the ratios of the two parts, each (bets, 2, SETS); a part that the game lacks has 0 bets.
    - `shoes`, for each bettor: the products of both parts (HELD) and their states (2, 2). Then, for the capitals of
      which a share is risked in the shoe, the logarithms of what the shoe makes of them (2, risked).
    - `bounds`, for each bettor: the capital held in each component (HELD), divided by exp(tops); the tops (2,); and the
      logarithms of the capitals risked shoe by shoe (2, risked).
    - `taken` and `size` (bettors, 2): the bet that each bettor took in each part, and the stake.
    - `split` (2, 2): for both parts, the logarithms of the share of the capital that is held, and of each share that is
      risked.
    """
    cdef Py_ssize_t bettor, part, i, first, rows, bettors = len(shoes), risks = risked.shape[0]
    cdef double[::1] shoe, bound
    cdef const double[:, :, ::1] ratio
    cdef const double *ratios[2]
    cdef double *held
    cdef double *products
    cdef double *state
    cdef double *tops
    cdef double mean, risk, total, summed
    cdef double terms[TERMS]
    cdef int bets[2]
    cdef int number
    room(len(bounds) == taken.shape[0] == size.shape[0] == out.shape[0] == bettors and len(odds) == 2, "bettors")
    room(taken.shape[1] == size.shape[1] == split.shape[0] == split.shape[1] == 2 and 0 < risks <= RISKS, "taken")
    room(weights.shape[0] == HELD and scales.shape[0] == SCALES and sided.shape[0] == SIDED, "weights")
    room(shares.shape[0] == SHARES, "shares")
    for part in range(2):
        ratio = odds[part]
        bets[part] = ratio.shape[0]
        ratios[part] = &ratio[0, 0, 0] if bets[part] else NULL
        room(bets[part] == 0 or (ratio.shape[1] == 2 and ratio.shape[2] == SETS), "ratio")
        room(part == 1 or bets[part] in (0, 2), "ratio")
    for bettor in range(bettors):
        shoe, bound = shoes[bettor], bounds[bettor]
        room(shoe.shape[0] == HELD + 4 + 2 * risks and bound.shape[0] == HELD + 2 + 2 * risks, "shoes")
        tops, number = &bound[HELD], 0
        for part in range(2):
            room(-1 <= taken[bettor, part] < max(bets[part], 1), "taken")
            room(shoe[HELD + 2 * part + 1] < max(bets[part], 1), "state")
            first = part * MAIN_ROWS * PARTS
            rows = SIDE_ROWS if part else MAIN_ROWS
            products, held, state = &shoe[first], &bound[first], &shoe[HELD + 2 * part]
            if bets[part] and (taken[bettor, part] >= 0 or state[0] > 0):
                with nogil:
                    _wager(ratios[part], 2 if part == 0 else 1, taken[bettor, part], size[bettor, part], &scales[0],
                           &sided[0], &shares[0], state, products, held)
                    mean = 0
                    for i in range(rows * PARTS):
                        mean += weights[first + i] * products[i]
                    for i in range(risks):
                        risk = log(1 - risked[i] + risked[i] * mean)
                        bound[HELD + 2 + part * risks + i] += risk - shoe[HELD + 4 + part * risks + i]
                        shoe[HELD + 4 + part * risks + i] = risk
            summed = 0
            for i in range(rows * PARTS):
                summed += held[i]
            terms[number] = split[part, 0] + tops[part] + log(summed)
            for i in range(risks):
                terms[number + 1 + i] = split[part, 1] + bound[HELD + 2 + part * risks + i]
            number += 1 + risks
            if not 1 / FAR < summed < FAR:
                tops[part] += log(summed)
                for i in range(rows * PARTS):
                    held[i] = max(held[i] / summed, LEAST)
        total, mean = 0, terms[0]
        for i in range(number):
            mean = max(mean, terms[i])
        for i in range(number):
            total += exp(terms[i] - mean)
        out[bettor] = mean + log(total)


def grow(const double[:, :, :, ::1] ratio, const int32_t[::1] first, const int32_t[::1] coups,
         const int16_t[::1] taken, const double[::1] size, const double[::1] scales, const double[::1] sided,
         const double[::1] shares, const double[:, ::1] weights, const double[::1] risked, double[:, ::1] through,
         double[::1] apart):
    """Let one part of a bettor's capital grow by some shoes.

    Shoe i has coups[i] coups, with ratios from row first[i] on. `taken` and `size` have the coups of all shoes, one
    shoe after another. Adds to `through` (rows, PARTS) the logarithms of the products of each shoe. Adds to `apart`
    (risked,) the logarithms of the capitals of which a share is risked in each shoe; each shoe splits the share by
    `weights` (rows, PARTS).
    """
    cdef Py_ssize_t shoe, coup, at = 0, i, rows = weights.shape[0]
    cdef int sides = (rows - SCALES) // SIDED
    cdef double products[(SCALES + 2 * SIDED) * PARTS]
    cdef double state[2]
    cdef double mean
    _sized(ratio.shape[1], ratio.shape[2], ratio.shape[3], scales, sided, shares, rows, weights.shape[1])
    room(through.shape[0] == rows and through.shape[1] == PARTS and apart.shape[0] == risked.shape[0] > 0, "through")
    room(first.shape[0] == coups.shape[0] and taken.shape[0] == size.shape[0], "coups")
    for shoe in range(first.shape[0]):
        room(coups[shoe] >= 0 and 0 <= first[shoe] and first[shoe] + coups[shoe] <= ratio.shape[0], "first")
        at += coups[shoe]
    room(at <= taken.shape[0], "taken")
    for coup in range(at):
        room(-1 <= taken[coup] < ratio.shape[1], "taken")
    if first.shape[0] == 0 or ratio.shape[0] == 0:
        return
    at = 0
    with nogil:
        for shoe in range(first.shape[0]):
            state[0] = 0
            state[1] = 0
            for i in range(rows * PARTS):
                products[i] = 1
            for coup in range(coups[shoe]):
                if taken[at + coup] >= 0 or state[0] > 0:
                    _wager(&ratio[first[shoe] + coup, 0, 0, 0], sides, taken[at + coup],
                           size[at + coup], &scales[0], &sided[0], &shares[0], state, products, NULL)
            at += coups[shoe]
            if state[0] == 0:
                continue
            mean = 0
            for i in range(rows * PARTS):
                mean += weights[i // PARTS, i % PARTS] * products[i]
                if products[i] != 1:
                    through[i // PARTS, i % PARTS] += log(products[i])
            for i in range(risked.shape[0]):
                apart[i] += log(1 - risked[i] + risked[i] * mean)


def agree(const int16_t[:, ::1] taken, const double[:, :, ::1] won, double[:, :, ::1] out):
    """Add up, for each pair of bettors, `won` on the coups on which both take the same bet.

    `taken` (coups, bettors) is the place of the bet, -1 for none. `won` is (coups, bets, columns). The sums are added
    to `out` (bettors, bettors, columns), above the diagonal.
    """
    cdef Py_ssize_t row, i, j, k, bettors = taken.shape[1], columns = won.shape[2]
    cdef int bet
    room(taken.shape[0] == won.shape[0] and out.shape[0] == out.shape[1] == bettors and out.shape[2] == columns, "out")
    with nogil:
        for row in range(taken.shape[0]):
            for i in range(bettors):
                bet = taken[row, i]
                if bet < 0 or bet >= won.shape[1]:
                    continue
                for j in range(i + 1, bettors):
                    if taken[row, j] == bet:
                        for k in range(columns):
                            out[i, j, k] += won[row, bet, k]
