/* The columns of one shoe, for `_successors.h`, which includes this once for each instruction set. */
#if defined(VECTOR_TYPES)
#define WIDE (LANES < 4 ? 4 * LANES : SUCCESSOR_BINS)
typedef uint16_t NAME(eight) __attribute__((vector_size(16), aligned(2), may_alias));
typedef uint16_t NAME(shorts) __attribute__((vector_size(2 * WIDE), aligned(2), may_alias));
typedef int32_t NAME(ints) __attribute__((vector_size(8 * LANES), aligned(4), may_alias));
typedef double NAME(doubles) __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
#define EIGHT NAME(eight)
#define PER (2 * LANES)
#else
typedef uint16_t NAME(shorts);
typedef int32_t NAME(ints);
typedef double NAME(doubles);
#define PER 1
#define WIDE 1
#endif
#define SHORTS NAME(shorts)
#define INTS NAME(ints)
#define DOUBLES NAME(doubles)
#define ROW (SUCCESSOR_BINS / PER)
#define COLUMNS (SUCCESSOR_STRENGTHS / LANES)

/* Transpose a square of bins by bins. */
TARGET static inline void NAME(successors_turned)(const uint16_t *rows, uint16_t *columns)
{
#if defined(VECTOR_TYPES)
    for (int part = 0; part < 4; part++) {
        EIGHT from[8], to[8];
        for (int i = 0; i < 8; i++) from[i] = *(const EIGHT *)(rows + (8 * (part & 1) + i) * SUCCESSOR_BINS + 8 * (part >> 1));
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 4; i++) {
                to[2 * i] = SHUFFLED(from[i], from[i + 4], 0, 8, 1, 9, 2, 10, 3, 11);
                to[2 * i + 1] = SHUFFLED(from[i], from[i + 4], 4, 12, 5, 13, 6, 14, 7, 15);
            }
            memcpy(from, to, sizeof from);
        }
        for (int i = 0; i < 8; i++) *(EIGHT *)(columns + (8 * (part >> 1) + i) * SUCCESSOR_BINS + 8 * (part & 1)) = from[i];
    }
#else
    for (int i = 0; i < SUCCESSOR_BINS; i++)
        for (int j = 0; j < SUCCESSOR_BINS; j++) columns[j * SUCCESSOR_BINS + i] = rows[i * SUCCESSOR_BINS + j];
#endif
}

/* Count the table (kinds, kinds, bins) of one shoe, for SUCCESSOR_BINS kinds of the later card at a time. Row j of
 * `running` has the number of each kind among the first j places, for two rounds of the shoe. For one kind and one
 * edge, take a row for each place of this kind: the row that is the edge's distance further on. These rows add up to
 * the pairs with a distance below the edge, plus a number that is the same for all edges. A bin is the difference of
 * two edges, correct modulo 2^16. Four places are added at a time. The last rows, which are all 0, fill up the last
 * four places of a kind. */
TARGET static void NAME(successors_count)(const successor_lists *at, const uint8_t *shoe)
{
    uint16_t *const running = at->running;
    static const uint16_t one[2 * SUCCESSOR_BINS] = {[SUCCESSOR_BINS] = 1};
    int begin[SUCCESSOR_KINDS + 1], number[SUCCESSOR_KINDS] = {0};
    const uint16_t *of_kind[SUCCESSOR_CARDS + 4 * SUCCESSOR_KINDS], *none = running + 2 * at->cards * SUCCESSOR_BINS;
    const int cards = (int)at->cards, kinds = (int)at->kinds;
    for (int j = 0; j < cards; j++) number[shoe[j]]++;
    for (int kind = begin[0] = 0; kind < kinds; kind++) {
        begin[kind + 1] = begin[kind] + (number[kind] + 3) / 4 * 4;
        for (int i = begin[kind] + number[kind]; i < begin[kind + 1]; i++) of_kind[i] = none; /* four at a time */
    }
    for (int j = cards; j--;) of_kind[begin[shoe[j]] + --number[shoe[j]]] = running + SUCCESSOR_BINS * j;
    memset(running + 2 * at->cards * SUCCESSOR_BINS, 0, (size_t)(at->cards + 1) * SUCCESSOR_BINS * sizeof *running);
    for (int first = 0; first < kinds; first += SUCCESSOR_BINS) {
        SHORTS now[SUCCESSOR_BINS / WIDE] = {0}, *row = (SHORTS *)running;
        for (int round = 0; round < 2; round++)
            for (int j = 0; j < cards; j++) {
                const unsigned kind = (unsigned)(shoe[j] - first); /* a kind of another group adds nothing */
                const uint16_t *card = one + SUCCESSOR_BINS - (kind < SUCCESSOR_BINS ? kind : SUCCESSOR_BINS);
                for (int k = 0; k < SUCCESSOR_BINS / WIDE; k++) {
                    *row++ = now[k];
                    now[k] += ((const SHORTS *)card)[k];
                }
            }
        for (int a = 0; a < kinds; a++) {
            SHORTS before[SUCCESSOR_BINS + 1][SUCCESSOR_BINS / WIDE];
            SHORTS bins[SUCCESSOR_BINS][SUCCESSOR_BINS / WIDE];
            uint16_t turned[SUCCESSOR_BINS * SUCCESSOR_BINS];
            const int some = kinds - first < SUCCESSOR_BINS ? kinds - first : SUCCESSOR_BINS;
            for (int edge = 0; edge <= SUCCESSOR_BINS; edge++)
                for (int k = 0; k < SUCCESSOR_BINS / WIDE; k++) before[edge][k] = (SHORTS){0};
            for (int i = begin[a]; i < begin[a + 1]; i += 4)
                for (int edge = 0; edge <= SUCCESSOR_BINS; edge++) {
                    const ptrdiff_t beyond = SUCCESSOR_BINS * (ptrdiff_t)at->edges[edge];
                    for (int k = 0; k < SUCCESSOR_BINS / WIDE; k++)
                        before[edge][k] += ((const SHORTS *)(of_kind[i] + beyond))[k] +
                                           ((const SHORTS *)(of_kind[i + 1] + beyond))[k] +
                                           ((const SHORTS *)(of_kind[i + 2] + beyond))[k] +
                                           ((const SHORTS *)(of_kind[i + 3] + beyond))[k];
                }
            for (int h = 0; h < SUCCESSOR_BINS; h++)
                for (int k = 0; k < SUCCESSOR_BINS / WIDE; k++) bins[h][k] = before[h + 1][k] - before[h][k];
            NAME(successors_turned)((const uint16_t *)bins, turned);
            memcpy(at->table + (ptrdiff_t)(a * kinds + first) * SUCCESSOR_BINS, turned,
                   (size_t)(some * SUCCESSOR_BINS) * sizeof *turned);
        }
    }
}

/* The sums (classes and shared sums, bins) of the pairs of one block. */
TARGET static void NAME(successors_sums)(const successor_lists *at, ptrdiff_t first, ptrdiff_t last)
{
    memset(at->sums, 0, (size_t)(at->classes * SUCCESSOR_BINS) * sizeof *at->sums);
    for (ptrdiff_t pair = first; pair < last; pair++) {
        const uint16_t *cells = at->table + at->pairs[2 * pair];
        INTS *total = (INTS *)(at->sums + at->pairs[2 * pair + 1]);
        int32_t number[SUCCESSOR_BINS];
        for (int h = 0; h < SUCCESSOR_BINS; h++) number[h] = cells[h];
        for (int h = 0; h < ROW; h++) total[h] += ((const INTS *)number)[h];
    }
    INTS *sum = (INTS *)(at->sums + at->classes * SUCCESSOR_BINS);
    for (ptrdiff_t i = 0; i < at->shares; i++, sum += ROW) {
        const INTS *a = (const INTS *)(at->sums + at->shared[2 * i]), *b = (const INTS *)(at->sums + at->shared[2 * i + 1]);
        for (int h = 0; h < ROW; h++) sum[h] = a[h] + b[h];
    }
}

/* The lines (lags, bins) of one group. */
TARGET static void NAME(successors_lines)(const successor_lists *at, ptrdiff_t group, double *out)
{
    const int32_t *lines = at->lines + SUCCESSOR_LAGS * group;
    for (int m = 0; m < SUCCESSOR_LAGS; m++) {
        INTS line[ROW];
        int32_t number[SUCCESSOR_BINS];
        for (int h = 0; h < ROW; h++) line[h] = (INTS){0};
        for (int32_t i = lines[m]; i < lines[m + 1]; i++) {
            const INTS *some = (const INTS *)(at->sums + at->members[i]);
            for (int h = 0; h < ROW; h++) line[h] += some[h];
        }
        memcpy(number, line, sizeof number);
        for (int h = 0; h < SUCCESSOR_BINS; h++) out[m * SUCCESSOR_BINS + h] = number[h];
    }
}

/* The columns of groups with the same scores. A few groups are done at a time, so that no addition waits for the
 * addition before it. */
TARGET static void NAME(successors_groups)(const successor_lists *at, ptrdiff_t first, ptrdiff_t last,
                                           double *out)
{
    const double *scores = at->scores + at->scored_by[first] * SUCCESSOR_CELLS * SUCCESSOR_STRENGTHS;
    for (; first < last; first += SUCCESSOR_ABREAST) {
        double lines[SUCCESSOR_ABREAST][SUCCESSOR_CELLS];
        DOUBLES column[SUCCESSOR_ABREAST][COLUMNS];
        const int groups = last - first < SUCCESSOR_ABREAST ? (int)(last - first) : SUCCESSOR_ABREAST;
        for (int g = 0; g < groups; g++) NAME(successors_lines)(at, first + g, lines[g]);
        for (int g = groups; g < SUCCESSOR_ABREAST; g++) memcpy(lines[g], lines[0], sizeof lines[g]);
        for (int g = 0; g < SUCCESSOR_ABREAST; g++)
            for (int k = 0; k < COLUMNS; k++) column[g][k] = (DOUBLES){0};
        for (int cell = 0; cell < SUCCESSOR_CELLS; cell++) {
            const DOUBLES *by = (const DOUBLES *)(scores + cell * SUCCESSOR_STRENGTHS);
            for (int g = 0; g < SUCCESSOR_ABREAST; g++)
                for (int k = 0; k < COLUMNS; k++) column[g][k] += lines[g][cell] * by[k];
        }
        memcpy(out, column, (size_t)(groups * SUCCESSOR_STRENGTHS) * sizeof *out);
        out += groups * SUCCESSOR_STRENGTHS;
    }
}

/* The sums of the table, weighted with the weights of one pile (spreads, bins). */
TARGET static void NAME(successors_near)(const successor_lists *at, ptrdiff_t pile, double *near)
{
    const ptrdiff_t kinds = at->kinds;
    const double *weights = at->local + pile * SUCCESSOR_SPREADS * kinds * kinds;
    DOUBLES sum[SUCCESSOR_SPREADS][SUCCESSOR_BINS / LANES];
    for (int s = 0; s < SUCCESSOR_SPREADS; s++)
        for (int h = 0; h < SUCCESSOR_BINS / LANES; h++) sum[s][h] = (DOUBLES){0};
    for (ptrdiff_t a = 0; a < kinds; a++)
        for (ptrdiff_t b = a; b < kinds; b++) {
            const uint16_t *one = at->table + (a * kinds + b) * SUCCESSOR_BINS;
            const uint16_t *other = at->table + (b * kinds + a) * SUCCESSOR_BINS;
            double both[SUCCESSOR_BINS];
            for (int h = 0; h < SUCCESSOR_BINS; h++) both[h] = one[h] + other[h];
            for (int s = 0; s < SUCCESSOR_SPREADS; s++) {
                const double weight = weights[(s * kinds + a) * kinds + b];
                for (int h = 0; h < SUCCESSOR_BINS / LANES; h++) sum[s][h] += weight * ((const DOUBLES *)both)[h];
            }
        }
    memcpy(near, sum, sizeof sum);
}

TARGET static void NAME(successors_columns)(const successor_lists *at, const uint8_t *shoe, double *out)
{
    ptrdiff_t pair = 0;
    NAME(successors_count)(at, shoe);
    for (ptrdiff_t block = 0; block < at->blocks; pair = at->ends[block++]) {
        NAME(successors_sums)(at, pair, at->ends[block]);
        for (ptrdiff_t first = at->groups[2 * block], last; first < at->groups[2 * block + 1]; first = last) {
            for (last = first; last < at->groups[2 * block + 1] && at->scored_by[last] == at->scored_by[first];) last++;
            NAME(successors_groups)(at, first, last, out);
            out += (last - first) * SUCCESSOR_STRENGTHS;
        }
    }
    for (ptrdiff_t pile = 0; pile < at->piles; pile++) {
        double near[SUCCESSOR_SPREADS][SUCCESSOR_BINS];
        NAME(successors_near)(at, pile, near[0]);
        for (int s = 0; s < SUCCESSOR_SPREADS; s++)
            for (ptrdiff_t k = 0; k < at->reaches; k++, out++) {
                *out = 0;
                for (int h = 0; h < SUCCESSOR_BINS; h++) *out += at->reach[k * SUCCESSOR_BINS + h] * near[s][h];
            }
    }
}

#undef WIDE
#undef PER
#undef EIGHT
#undef SHORTS
#undef INTS
#undef DOUBLES
#undef ROW
#undef COLUMNS
#undef TARGET
#undef LANES
#undef NAME
