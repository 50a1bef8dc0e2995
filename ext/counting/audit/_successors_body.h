/* The columns of one shoe, for `_successors.h`, which includes this once for each instruction set. */
#if defined(VECTOR_TYPES)
typedef int32_t NAME(ints) __attribute__((vector_size(8 * LANES), aligned(4), may_alias));
typedef double NAME(doubles) __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
#define PER (2 * LANES)
#else
typedef int32_t NAME(ints);
typedef double NAME(doubles);
#define PER 1
#endif
#define INTS NAME(ints)
#define DOUBLES NAME(doubles)
#define ROW (SUCCESSOR_BINS / PER)
#define COLUMNS (SUCCESSOR_STRENGTHS / LANES)

/* The table (kinds, kinds, bins) of one shoe. */
TARGET static void NAME(successors_count)(const successor_lists *at, const uint8_t *shoe, int32_t *table)
{
    int32_t twice[2 * SUCCESSOR_CARDS], begin[SUCCESSOR_KINDS + 1] = {0}, of_kind[SUCCESSOR_CARDS];
    const int cards = (int)at->cards, kinds = (int)at->kinds;
    memset(table, 0, (size_t)(kinds * kinds * SUCCESSOR_BINS) * sizeof *table);
    for (int j = 0; j < cards; j++) {
        twice[j] = twice[j + cards] = SUCCESSOR_BINS * shoe[j];
        begin[shoe[j] + 1]++;
    }
    for (int kind = 0; kind < kinds; kind++) begin[kind + 1] += begin[kind];
    for (int j = 0; j < cards; j++) of_kind[begin[shoe[j]]++] = j; /* kind by kind: a row of the table stays in cache */
    for (int i = 0; i < cards; i++) {
        const int j = of_kind[i];
        int32_t *row = table + (ptrdiff_t)kinds * twice[j];
        const int32_t *later = twice + j;
        for (int h = 0; h < SUCCESSOR_BINS; h++)
            for (int d = at->edges[h]; d < at->edges[h + 1]; d++) row[later[d] + h]++;
    }
}

/* The columns of one group. */
TARGET static void NAME(successors_group)(const int32_t *lines, const int32_t *members, const int32_t *sums,
                                          const double *scores, double *out)
{
    DOUBLES column[COLUMNS];
    for (int k = 0; k < COLUMNS; k++) column[k] = (DOUBLES){0};
    for (int m = 0; m < SUCCESSOR_LAGS; m++) {
        INTS line[ROW];
        int32_t number[SUCCESSOR_BINS];
        for (int h = 0; h < ROW; h++) line[h] = (INTS){0};
        if (lines[m] == lines[m + 1]) continue;
        for (int32_t i = lines[m]; i < lines[m + 1]; i++) {
            const INTS *some = (const INTS *)(sums + members[i]);
            for (int h = 0; h < ROW; h++) line[h] += some[h];
        }
        memcpy(number, line, sizeof number);
        for (int h = 0; h < SUCCESSOR_BINS; h++) {
            const DOUBLES *by = (const DOUBLES *)(scores + (m * SUCCESSOR_BINS + h) * SUCCESSOR_STRENGTHS);
            for (int k = 0; k < COLUMNS; k++) column[k] += (double)number[h] * by[k];
        }
    }
    memcpy(out, column, sizeof column);
}

/* The sums of a table by the weights of one pile, (spreads, bins). */
TARGET static void NAME(successors_near)(const double *weights, ptrdiff_t kinds, const int32_t *table, double *near)
{
    DOUBLES sum[SUCCESSOR_SPREADS][SUCCESSOR_BINS / LANES];
    for (int s = 0; s < SUCCESSOR_SPREADS; s++)
        for (int h = 0; h < SUCCESSOR_BINS / LANES; h++) sum[s][h] = (DOUBLES){0};
    for (ptrdiff_t a = 0; a < kinds; a++)
        for (ptrdiff_t b = a; b < kinds; b++) {
            const int32_t *one = table + (a * kinds + b) * SUCCESSOR_BINS;
            const int32_t *other = table + (b * kinds + a) * SUCCESSOR_BINS;
            double both[SUCCESSOR_BINS];
            for (int h = 0; h < SUCCESSOR_BINS; h++) both[h] = one[h] + other[h];
            for (int s = 0; s < SUCCESSOR_SPREADS; s++) {
                const double weight = weights[(s * kinds + a) * kinds + b];
                for (int h = 0; h < SUCCESSOR_BINS / LANES; h++) sum[s][h] += weight * ((const DOUBLES *)both)[h];
            }
        }
    memcpy(near, sum, sizeof sum);
}

TARGET static void NAME(successors_columns)(const successor_lists *at, const uint8_t *shoe, int32_t *table,
                                            int32_t *sums, double *out)
{
    ptrdiff_t pair = 0;
    NAME(successors_count)(at, shoe, table);
    for (ptrdiff_t block = 0; block < at->blocks; block++) {
        memset(sums, 0, (size_t)(at->types * SUCCESSOR_BINS) * sizeof *sums);
        for (; pair < at->ends[block]; pair++) {
            const INTS *cells = (const INTS *)(table + at->pairs[2 * pair]);
            INTS *total = (INTS *)(sums + at->pairs[2 * pair + 1]);
            for (int h = 0; h < ROW; h++) total[h] += cells[h];
        }
        for (int32_t group = at->groups[2 * block]; group < at->groups[2 * block + 1]; group++) {
            NAME(successors_group)(at->lines + SUCCESSOR_LAGS * group, at->members, sums,
                                   at->scores + at->scored_by[group] * SUCCESSOR_LAGS * SUCCESSOR_BINS * SUCCESSOR_STRENGTHS,
                                   out);
            out += SUCCESSOR_STRENGTHS;
        }
    }
    for (ptrdiff_t pile = 0; pile < at->piles; pile++) {
        double near[SUCCESSOR_SPREADS][SUCCESSOR_BINS];
        NAME(successors_near)(at->local + pile * SUCCESSOR_SPREADS * at->kinds * at->kinds, at->kinds, table, near[0]);
        for (int s = 0; s < SUCCESSOR_SPREADS; s++)
            for (ptrdiff_t k = 0; k < at->reaches; k++, out++) {
                *out = 0;
                for (int h = 0; h < SUCCESSOR_BINS; h++) *out += at->reach[k * SUCCESSOR_BINS + h] * near[s][h];
            }
    }
}

#undef PER
#undef INTS
#undef DOUBLES
#undef ROW
#undef COLUMNS
#undef TARGET
#undef LANES
#undef NAME
