/* The scored edges of one shoe, for `_scores.h`, which includes this once for each instruction set. No loop adds up
 * across arrangements, and no operations are fused, so the bits are the same on every processor. */

/* score[i] = 1 / (1 + exp(-steep * edges[i])). */
TARGET static void NAME(scores_of)(const double *restrict edges, ptrdiff_t n, double steep, double *restrict score)
{
    for (ptrdiff_t i = 0; i < n; i++) score[i] = 1 / (1 + exponential(-steep * edges[i]));
}

/* out[c * arrangements + a] = the sum over coups of the score of edges (coups, arrangements) in arrangement a, times
 * the coup's amount in amounts[c * stride]. There is room for the scores of a coup. */
TARGET static void NAME(scores_sums)(const double *edges, ptrdiff_t coups, ptrdiff_t arrangements, double steep,
                                     const double *amounts, ptrdiff_t columns, ptrdiff_t stride, double *score,
                                     double *restrict out)
{
    for (ptrdiff_t i = 0; i < columns * arrangements; i++) out[i] = 0;
    for (ptrdiff_t coup = 0; coup < coups; coup++) {
        NAME(scores_of)(edges + coup * arrangements, arrangements, steep, score);
        for (ptrdiff_t c = 0; c < columns; c++) {
            const double amount = amounts[c * stride + coup];
            double *restrict of = out + c * arrangements;
            const double *restrict from = score;
            for (ptrdiff_t i = 0; i < arrangements; i++) of[i] += amount * from[i];
        }
    }
}

#undef TARGET
#undef LANES
#undef NAME
