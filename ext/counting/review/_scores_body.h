/* The scored edges of one shoe, for `_scores.h`, which includes this once for each instruction set. No loop adds up
 * across arrangements, and no operations are fused, so the bits are the same on every processor. */

/* score[i] = 1 / (1 + exp(x)), where x = -steep * edges[i], but at most SCORES_FAR and at least its negative.
 *
 * exp(x) is 2^k exp(r), where k is x / log 2, rounded, and r is the rest. Adding SCORES_ROUND rounds to a whole number
 * and leaves k in the low bits. log 2 has two parts; k times the first part is exact. exp(r) is its Taylor series up to
 * r^13; as r is at most log 2 / 2, the rest is below 10^-17. */
TARGET static void NAME(scores_of)(const double *restrict edges, ptrdiff_t n, double steep, double *restrict score)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        double x = -steep * edges[i];
        x = x < SCORES_FAR ? x : SCORES_FAR;
        x = x > -SCORES_FAR ? x : -SCORES_FAR;
        const double shifted = x * 1.4426950408889634 + SCORES_ROUND, k = shifted - SCORES_ROUND;
        const double r = x - k * 6.93147180369123816490e-01 - k * 1.90821492927058770002e-10;
        double power = 1 / 6227020800.0;
        power = power * r + 1 / 479001600.0;
        power = power * r + 1 / 39916800.0;
        power = power * r + 1 / 3628800.0;
        power = power * r + 1 / 362880.0;
        power = power * r + 1 / 40320.0;
        power = power * r + 1 / 5040.0;
        power = power * r + 1 / 720.0;
        power = power * r + 1 / 120.0;
        power = power * r + 1 / 24.0;
        power = power * r + 1 / 6.0;
        power = power * r + 0.5;
        power = power * r + 1;
        power = power * r + 1;
        uint64_t exponent, bits;
        memcpy(&exponent, &shifted, sizeof exponent);
        memcpy(&bits, &power, sizeof bits);
        bits += exponent << 52;
        memcpy(&power, &bits, sizeof power);
        score[i] = 1 / (1 + power);
    }
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
