/* The best stakes of a block of coups side by side, for `_best.h`, which includes this once for each instruction set. */
#if defined(VECTOR_TYPES)
typedef double NAME(vec) __attribute__((vector_size(8 * LANES)));
typedef int64_t NAME(mask) __attribute__((vector_size(8 * LANES)));
#define MORE(x, y) ((MASK)((x) > (y)))
#define CHOSEN(m, x, y) ((VEC)(((m) & (MASK)(x)) | (~(m) & (MASK)(y))))
#else
typedef double NAME(vec);
typedef int64_t NAME(mask);
#define MORE(x, y) (-(int64_t)((x) > (y)))
#define CHOSEN(m, x, y) ((m) ? (x) : (y))
#endif
#define VEC NAME(vec)
#define MASK NAME(mask)
#define ROWS (BEST_VECTORS * LANES)

/* Fill gain and staked from edges[bet, row]; room has space for a block of every bet. */
TARGET static void NAME(best_plays)(const best_stakes *of, const double *edges, double rebate, ptrdiff_t rows,
                                    void *room, double *gain, uint8_t *staked)
{
    VEC (*edge)[BEST_VECTORS] = room;
    double *one = room;
    for (ptrdiff_t start = 0; start < rows; start += ROWS) {
        const int here = rows - start < ROWS ? (int)(rows - start) : ROWS;
        VEC largest[BEST_VECTORS];
        MASK kind[BEST_VECTORS];              /* 0: skipped, 1: with a side bet, 2: main bets only */
        double most[ROWS];
        int64_t kinds[ROWS];
        int wins = of->seated;
        for (int bet = 0; bet < of->bets; bet++)
            for (int r = 0; r < ROWS; r++) {
                const double at = edges[bet * rows + start + (r < here ? r : here - 1)] + rebate;
                one[bet * ROWS + r] = at;
                wins |= at > 0;
            }
        if (!wins) {                          /* no stakes gain anything */
            memset(gain + start, 0, here * sizeof *gain);
            memset(staked + start, 0, here);
            continue;
        }
        for (int h = 0; h < BEST_VECTORS; h++) {
            largest[h] = (VEC){0} + (of->seated ? -INFINITY : 0);
            kind[h] = (MASK){0} + (of->seated ? 2 : 0);
        }
        for (int v = 0; v < of->vertices; v++) {
            const int64_t its_kind = of->on_side[v] ? 1 : 2;
            VEC sum[BEST_VECTORS];
            for (int h = 0; h < BEST_VECTORS; h++) sum[h] = (VEC){0};
            for (int32_t j = of->first[v]; j < of->first[v + 1]; j++)
                for (int h = 0; h < BEST_VECTORS; h++) sum[h] += edge[of->bet[j]][h] * of->amount[j];
            for (int h = 0; h < BEST_VECTORS; h++) {
                const MASK better = MORE(sum[h], largest[h]);
                largest[h] = CHOSEN(better, sum[h], largest[h]);
                kind[h] = (better & its_kind) | (~better & kind[h]);
            }
        }
        memcpy(most, largest, sizeof most);
        memcpy(kinds, kind, sizeof kinds);
        memcpy(gain + start, most, here * sizeof *gain);
        for (int r = 0; r < here; r++) staked[start + r] = (uint8_t)kinds[r];
    }
}

#undef MORE
#undef CHOSEN
#undef VEC
#undef MASK
#undef ROWS
#undef TARGET
#undef LANES
#undef NAME
