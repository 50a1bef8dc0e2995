/* A round of a fit, for `_fits.h`, which includes this once for each instruction set. Sums over compositions are kept in
 * FITS_APART parts, and no operations are fused, so the bits are the same on every processor. */
#if defined(VECTOR_TYPES)
typedef double NAME(vec) __attribute__((vector_size(8 * LANES)));
#else
typedef double NAME(vec);
#endif
#define VEC NAME(vec)
#define VECTORS (FITS_ROWS / LANES)
#define PARTS (FITS_APART / LANES)

/* chance[t, row] = how far each of a block's compositions belongs to each tilt, times its weight. by_kind (kinds + 1,
 * FITS_ROWS) has the numbers of cards; its last row is 1. of (tilts, kinds + 1) has the logarithms' coefficients. */
TARGET static void NAME(fits_belongs)(const double *by_kind, const double *weight, const double *of, ptrdiff_t tilts,
                                      ptrdiff_t kinds, double *chance)
{
    double top[FITS_ROWS], total[FITS_ROWS] = {0};
    for (ptrdiff_t t = 0; t < tilts; t++) {
        const double *own = of + t * (kinds + 1);
        for (int first = 0; first < VECTORS; first += PARTS) {
            VEC sum[PARTS];
            for (int part = 0; part < PARTS; part++) sum[part] = (VEC){0} + own[kinds];
            for (ptrdiff_t kind = 0; kind < kinds; kind++) {
                const VEC *cards = (const VEC *)(by_kind + kind * FITS_ROWS) + first;
                for (int part = 0; part < PARTS; part++) sum[part] += cards[part] * own[kind];
            }
            for (int part = 0; part < PARTS; part++) ((VEC *)(chance + t * FITS_ROWS))[first + part] = sum[part];
        }
        for (int row = 0; row < FITS_ROWS; row++) {
            const double log = chance[t * FITS_ROWS + row];
            top[row] = t == 0 || log > top[row] ? log : top[row];
        }
    }
    for (ptrdiff_t t = 0; t < tilts; t++)
        for (int row = 0; row < FITS_ROWS; row++) {
            const double power = exponential(chance[t * FITS_ROWS + row] - top[row]);
            chance[t * FITS_ROWS + row] = power;
            total[row] += power;
        }
    for (int row = 0; row < FITS_ROWS; row++) total[row] = weight[row] / total[row];
    for (ptrdiff_t t = 0; t < tilts; t++)
        for (int row = 0; row < FITS_ROWS; row++) chance[t * FITS_ROWS + row] *= total[row];
}

/* out[t * (kinds + 1) + kind] = the sum over the compositions of how far each belongs to a tilt, times its number of
 * cards of a kind; the last number of a tilt is the sum without cards. room has FITS_ROWS doubles for each weight, kind
 * and tilt, and FITS_APART doubles for each number of out; it is aligned to 64 bytes. */
TARGET static void NAME(fits_round)(const double *compositions, const double *weights, ptrdiff_t rows, const double *of,
                                    ptrdiff_t tilts, ptrdiff_t kinds, double *room, double *out)
{
    double *const weight = room, *const by_kind = weight + FITS_ROWS;
    double *const chance = by_kind + (kinds + 1) * FITS_ROWS, *const sums = chance + tilts * FITS_ROWS;
    memset(sums, 0, (size_t)(tilts * (kinds + 1)) * FITS_APART * sizeof *sums);
    for (int row = 0; row < FITS_ROWS; row++) by_kind[kinds * FITS_ROWS + row] = 1;
    for (ptrdiff_t start = 0; start < rows; start += FITS_ROWS) {
        const ptrdiff_t here = rows - start < FITS_ROWS ? rows - start : FITS_ROWS;
        if (here < FITS_ROWS) memset(room, 0, (size_t)((kinds + 1) * FITS_ROWS) * sizeof *room); /* of no weight */
        memcpy(weight, weights + start, (size_t)here * sizeof *weight);
        for (ptrdiff_t kind = 0; kind < kinds; kind++)
            memcpy(by_kind + kind * FITS_ROWS, compositions + kind * rows + start, (size_t)here * sizeof *by_kind);
        NAME(fits_belongs)(by_kind, weight, of, tilts, kinds, chance);
        for (ptrdiff_t t = 0; t < tilts; t++)
            for (ptrdiff_t kind = 0; kind <= kinds; kind++) {
                const VEC *belongs = (const VEC *)(chance + t * FITS_ROWS);
                const VEC *cards = (const VEC *)(by_kind + kind * FITS_ROWS);
                VEC *const total = (VEC *)(sums + (t * (kinds + 1) + kind) * FITS_APART);
                VEC sum[PARTS];
                memcpy(sum, total, sizeof sum);
                for (int first = 0; first < VECTORS; first += PARTS)
                    for (int part = 0; part < PARTS; part++) sum[part] += belongs[first + part] * cards[first + part];
                memcpy(total, sum, sizeof sum);
            }
    }
    for (ptrdiff_t i = 0; i < tilts * (kinds + 1); i++) {
        out[i] = 0;
        for (int part = 0; part < FITS_APART; part++) out[i] += sums[i * FITS_APART + part];
    }
}

#undef VEC
#undef VECTORS
#undef PARTS
#undef TARGET
#undef LANES
#undef NAME
