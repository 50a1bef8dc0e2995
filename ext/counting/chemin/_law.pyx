"""Chemin de fer on many shoes with the same number of cards: for each shoe, two bounds on the value, and what best
replies win.

One shoe. As in `_deals`, each of Banker's cells has two forms, affine in Player's mix x: what standing and drawing are
worth. `_law_body.h` counts the forms for several shoes at once. It lists the cells in which Banker's better move
depends on x. On these cells `_climb.pxd` looks for the saddle point in floating point. The x and y found there, rounded
to multiples of 1 / fine, are two strategies. What x wins against Banker's best reply is at most the value. What
Player's best reply wins against y is at least the value. Both bounds are whole numbers over `fine`. If they are equal,
they are the value.

Many shoes. `orders` takes all the different orders of nine counts. The orders are equally likely if the full shoe has
the same number of cards of each of the nine values. `orders` adds the results up; `rows` gives the results of each
shoe.

Exactness. All numbers are whole numbers in doubles. Every partial sum is at most the difference between what two
strategies are worth, so it is below 2 * score * deals * parts < 2^53. Here `parts` is the largest of fine, player[0]
and `banker_parts`. If `banker_parts` is too large for this, Banker's numbers are split into two words. The sums of each
word are below 4 * score * deals * word < 2^53, and are put together in 64 bits, below 2^63. Sums over all orders of
nine counts (at most 9! shoes) are kept in two words. One word adds up the low 26 bits of each number, the other the
high bits.

Assumed, and checked by `counting.chemin.census`: the bound above; the same number of cards in each shoe, six or more;
plays between 0 and their denominators; tables that fit; `fine` a power of two.
"""
cimport cython
from libc.math cimport fabs, fmax, fmin, rint
from libc.stdint cimport int8_t, int64_t
from libc.stdlib cimport free, malloc

from counting._room cimport room
from counting.chemin._climb cimport LONGEST, Guess, climb, point

cdef extern from "_law.h" nogil:
    const int LAW_LANES, LAW_COLUMNS, LAW_CELLS, LAW_ROOM, PLAIN_LANES
    ctypedef struct law_draw:
        int p, v, f, at
        double now, third, both
    ctypedef struct law_rules:
        int draws
        law_draw (*drawing)[10][8]
        law_draw (*choosing)[10][44]
        double win, lose
        double (*score)[10]
        int columns, choices
        int8_t (*hands)[2]
        int8_t (*choice)[3]
        int8_t *totals
        int8_t *letter
        double *player
        double (*banker)[484]
        double *banker_parts
    ctypedef struct law_room:
        double (*sums)[6]
        double (*reference)[8][6]
        double *against
        int *opened
        double *open
    void law_game_plain(const law_rules *, const double *, int, law_room *)
    void law_game_avx2(const law_rules *, const double *, int, law_room *)
    void law_game_avx512(const law_rules *, const double *, int, law_room *)
    int vectors_best()

cdef enum:
    ROWS = 6            # LAW_COLUMNS + 1
    WIDTH = 485         # LAW_CELLS + 1
    WORD = 26           # bits
    TALLIES = 12        # for each quantity: the shoes known, above 0, below 0 and at 0; then four sums, two words each


def best_level():
    """The fastest instruction set this machine runs: 0 plain, 1 AVX2, 2 AVX-512."""
    return vectors_best()


cdef inline void _add(int64_t *words, int64_t whole) noexcept nogil:
    words[0] += whole >> WORD
    words[1] += whole & ((1 << WORD) - 1)


cdef inline bint _tallied(int64_t *tally, int64_t low, int64_t high) noexcept nogil:
    """Add a shoe to the tallies. Returns whether the sign of its result is known."""
    tally[0] += low == high
    tally[1] += low > 0
    tally[2] += high < 0
    tally[3] += low == 0 == high
    _add(tally + 4, low)
    _add(tally + 6, high)
    _add(tally + 8, max(low, 0))
    _add(tally + 10, max(high, 0))
    return low > 0 or high < 0 or low == high


cdef bint _next(int *order) noexcept nogil:
    """Go to the next order of nine numbers; the first is the rising order. Returns False at the last order."""
    cdef int i = 7, j = 8, end = 8
    while i >= 0 and order[i] >= order[i + 1]:
        i -= 1
    if i < 0:
        return False
    while order[j] <= order[i]:
        j -= 1
    order[i], order[j] = order[j], order[i]
    i += 1
    while i < end:
        order[i], order[end] = order[end], order[i]
        i += 1
        end -= 1
    return True


@cython.final
cdef class Law:
    """The rules of a game, a reference play of each side, and working memory.

    - `hands` (55, 2): the values of each hand, the naturals last.
    - `choice` (hands, 3): for each hand of Player's with a choice, its two values and its column, counted from 1.
    - `totals` (8,) and `letter` (484,): for Player's totals and Banker's cells, 0 to stand, 1 to draw, 2 for a choice.
    - `player` (1 + columns,): Player's probabilities of drawing, as whole numbers over player[0].
    - `banker` (2, 485): Banker's probabilities of drawing, as whole numbers in two words: the first row times `word`,
      plus the second row. The last column is their denominator.
    """
    cdef law_rules rules
    cdef law_room *room
    cdef double tableau[ROWS * WIDTH]
    cdef double ahead[WIDTH]
    cdef double found[ROWS + WIDTH]
    cdef int rows_at[ROWS]
    cdef int columns_at[WIDTH]
    cdef signed char at[ROWS + WIDTH]
    cdef double fine
    cdef int64_t word
    cdef readonly int level

    def __cinit__(self, double win, double lose, const int8_t[:, ::1] hands, const int8_t[:, ::1] choice,
                  const int8_t[::1] totals, const int8_t[::1] letter, const double[::1] player,
                  const double[:, ::1] banker, int64_t word, double fine, int level):
        cdef int i, j
        room(hands.shape[0] == 55 and hands.shape[1] == 2 and totals.shape[0] == 8, "hands")
        room(choice.shape[0] <= LAW_CELLS // 11 and choice.shape[1] == 3, "choice")
        room(letter.shape[0] == LAW_CELLS and 1 <= player.shape[0] <= ROWS, "letter")
        room(banker.shape[0] == 2 and banker.shape[1] == LAW_CELLS + 1, "banker")
        room(0 <= level <= vectors_best(), "level")
        self.rules.win, self.rules.lose, self.fine, self.word = win, lose, fine, word
        self.rules.columns, self.rules.choices, self.level = player.shape[0] - 1, choice.shape[0], level
        for i in range(10):
            for j in range(10):
                self.rules.score[i][j] = win if i > j else -lose if i < j else 0
        for i in range(LAW_COLUMNS + 1):
            self.rules.player[i] = player[i] if i < player.shape[0] else 0
        for i in range(55):
            for j in range(2):
                room(0 <= hands[i, j] < 10, "hands")
                self.rules.hands[i][j] = hands[i, j]
        for i in range(choice.shape[0]):
            room(0 <= choice[i, 0] < 10 and 0 <= choice[i, 1] < 10 and 0 < choice[i, 2] < player.shape[0], "choice")
            for j in range(3):
                self.rules.choice[i][j] = choice[i, j]
        for i in range(8):
            self.rules.totals[i] = totals[i]
        self._tabulate()
        for i in range(LAW_CELLS):
            self.rules.letter[i] = letter[i]
        for i in range(2):
            self.rules.banker_parts[i] = banker[i, LAW_CELLS]
            for j in range(LAW_CELLS):
                self.rules.banker[i][j] = banker[i, j]
        self.room = <law_room *>malloc(sizeof(law_room))
        if self.room == NULL:
            raise MemoryError

    cdef void _tabulate(self) noexcept:
        """Fill the tables with the scores of each draw of Player's."""
        cdef int t, c, i, p
        cdef law_draw *to
        for t in range(8):
            for c in range(10):
                self.rules.draws = 0
                for p in range(8):
                    if self.rules.totals[p] == 1:
                        to = &self.rules.drawing[t][c][self.rules.draws]
                        to.p, to.v, to.f, to.at = p, (p + 10 - c) % 10, (p + c) % 10, 0
                        to.now = self.rules.score[to.f][t]
                        to.third = self.rules.score[to.f][(t + c) % 10]
                        to.both = to.third + self.rules.score[to.f][(t + to.v) % 10]
                        self.rules.draws += 1
                for i in range(self.rules.choices):
                    to = &self.rules.choosing[t][c][i]
                    to.p, to.v, to.at = self.rules.choice[i][0], self.rules.choice[i][1], self.rules.choice[i][2]
                    to.f = (to.p + to.v + c) % 10
                    to.now = self.rules.score[to.f][t]
                    to.third = self.rules.score[to.f][(t + c) % 10]
                    to.both = to.third + self.rules.score[to.f][(t + to.p) % 10]
                    to.both += self.rules.score[to.f][(t + to.v) % 10]

    def __dealloc__(self):
        free(self.room)

    cdef int64_t _reply(self, int lane, int i) noexcept nogil:
        """What column i is worth to Player if Banker plays `banker`, times the denominator of `banker`."""
        cdef int64_t high = <int64_t>self.room.reference[0][lane][i]
        return high * self.word + <int64_t>self.room.reference[1][lane][i]

    cdef void _bounds(self, int lane, int64_t *out) noexcept nogil:
        """Fill out[2] with the lower and the upper bound of the value, times `fine`."""
        cdef int i, j, k = self.rules.columns, m = self.room.opened[lane]
        cdef double *sums = self.room.sums[lane]
        cdef double *open_ = self.room.open + lane * LAW_ROOM
        cdef double scale = 0, slope, low, high
        cdef double *x = self.found
        cdef double *y = self.found + k
        cdef Guess c
        c.k, c.m, c.width, c.t, c.rows, c.columns = k, m, WIDTH, self.tableau, self.rows_at, self.columns_at
        c.at, c.ahead = self.at, self.ahead
        for i in range(k + 1):
            scale = fmax(scale, fabs(sums[i]))
            for j in range(m):
                scale = fmax(scale, fabs(open_[ROWS * j + i]))
        scale = 1 / scale if scale else 1
        for i in range(k + 1):
            c.t[i * WIDTH] = sums[i] * scale
            for j in range(m):
                c.t[i * WIDTH + j + 1] = open_[ROWS * j + i] * scale
        climb(&c, 1e-12, LONGEST)
        point(&c, self.found)
        for i in range(1, k + m + 1):
            self.found[i] = rint(fmin(fmax(self.found[i], 0), 1) * self.fine)
        low = sums[0] * self.fine
        high = low
        for i in range(1, k + 1):
            low += sums[i] * x[i]
        for j in range(m):
            slope = open_[ROWS * j] * self.fine
            high += open_[ROWS * j] * y[1 + j]
            for i in range(1, k + 1):
                slope += open_[ROWS * j + i] * x[i]
            low += fmin(slope, 0)
        for i in range(1, k + 1):
            slope = sums[i] * self.fine
            for j in range(m):
                slope += open_[ROWS * j + i] * y[1 + j]
            high += fmax(slope, 0)
        out[0], out[1] = <int64_t>low, <int64_t>high

    cdef int _lanes(self) noexcept nogil:
        return 8 if self.level == 2 else 4 if self.level == 1 else PLAIN_LANES

    cdef void _some(self, const double *counts, int cards, int shoes, int64_t *out) noexcept nogil:
        """Fill out[shoe][4] with the results that `rows` explains."""
        cdef int lane, i
        if self.level == 2:
            law_game_avx512(&self.rules, counts, cards, self.room)
        elif self.level == 1:
            law_game_avx2(&self.rules, counts, cards, self.room)
        else:
            law_game_plain(&self.rules, counts, cards, self.room)
        for lane in range(shoes):
            self._bounds(lane, out + 4 * lane)
            out[4 * lane + 2] = self._reply(lane, 0)
            for i in range(1, self.rules.columns + 1):
                out[4 * lane + 2] += max(self._reply(lane, i), 0)
            out[4 * lane + 3] = <int64_t>self.room.against[lane]

    def rows(self, const double[:, ::1] counts, int64_t[:, ::1] out):
        """Fill out[shoe, 4] for shoes (n, 10) of the same number of cards. The first two numbers are the bounds of the
        value, times `fine`. The third is what Player's best reply to `banker` wins, times the denominator of `banker`.
        The fourth is what `player` wins against Banker's best reply, times player[0]."""
        cdef double some[10 * 8]
        cdef int64_t results[4 * 8]
        cdef int lanes = self._lanes(), cards = 0, v, lane, i
        cdef Py_ssize_t at = 0, shoe
        room(counts.shape[1] == 10 and out.shape[0] == counts.shape[0] and out.shape[1] == 4, "out")
        with nogil:
            while at < counts.shape[0]:
                cards = 0
                for v in range(10):
                    cards += <int>counts[at, v]
                    for lane in range(lanes):
                        some[v * lanes + lane] = counts[min(at + lane, counts.shape[0] - 1), v]
                self._some(some, cards, <int>min(lanes, counts.shape[0] - at), results)
                for shoe in range(at, min(at + lanes, counts.shape[0])):
                    for i in range(4):
                        out[shoe, i] = results[4 * (shoe - at) + i]
                at += lanes

    def orders(self, const int8_t[::1] counts, int64_t[:, ::1] tallies, int8_t[:, ::1] unsure):
        """Add to tallies[quantity, 12] the results of all orders of counts[1:], which must be in rising order. Returns
        the number of shoes, and the number of shoes whose value has an unknown sign. The shoes of unknown sign are
        written to `unsure` until it is full.

        The quantities are the value, Player's best reply and Banker's best reply, as in `rows`.
        """
        cdef double some[10 * 8]
        cdef int64_t results[4 * 8]
        cdef int order[9]
        cdef int lanes = self._lanes(), cards = 0, v, lane = 0, i
        cdef int64_t shoes = 0, unknown = 0
        cdef bint more = True
        room(counts.shape[0] == 10 == unsure.shape[1] and tallies.shape[0] == 3 and tallies.shape[1] == TALLIES, "out")
        with nogil:
            for v in range(10):
                cards += counts[v]
                for i in range(lanes):
                    some[v * lanes + i] = counts[v]
            for v in range(9):
                order[v] = counts[v + 1]
            while more:
                for v in range(9):
                    some[(v + 1) * lanes + lane] = order[v]
                lane += 1
                more = _next(order)
                if lane < lanes and more:
                    continue
                self._some(some, cards, lane, results)
                for i in range(lane):
                    if not _tallied(&tallies[0, 0], results[4 * i], results[4 * i + 1]):
                        for v in range(10 if unknown < unsure.shape[0] else 0):
                            unsure[unknown, v] = <int8_t>some[v * lanes + i]
                        unknown += 1
                    for v in range(2):
                        _tallied(&tallies[1 + v, 0], results[4 * i + 2 + v], results[4 * i + 2 + v])
                shoes += lane
                lane = 0
        return shoes, unknown
