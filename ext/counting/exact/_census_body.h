/* The innermost three counts of a census: `_census.h` includes this once for each instruction set.
 *
 * With the outer six counts fixed, a bet's numerator is a polynomial of degree six in the counts (d, a, b) of
 * three values, in the basis C(d,k) C(a,i) C(b,j); the tens are what is left of the cards, r - d - a - b. Its 84
 * coefficients stand in seven planes, k = 0..6, each by rising degree of (i, j). Fixing d leaves 28, and a table
 * of C(a,i) C(b,j) over the pairs by rising a + b, in blocks of eight, gives the numerators of all pairs with
 * a + b <= r - d: the first so many of the table. Of several alternatives the largest numerator counts.
 */
typedef double NAME(vec) __attribute__((vector_size(8 * LANES), aligned(8)));
typedef int64_t NAME(mask) __attribute__((vector_size(8 * LANES), aligned(8)));
#define VEC NAME(vec)
#define MASK NAME(mask)
#define WHERE(yes, x, otherwise) ((VEC)(((MASK)(x) & (yes)) | ((MASK)(otherwise) & ~(yes))))

TARGET static ALWAYS_INLINE void NAME(census_fix)(const census_tables *t, const double *plane, int d, double *w)
{
    static const int length[7] = {28, 21, 15, 10, 6, 3, 1};
    for (int i = 0; i < 28; i++) w[i] = plane[i];
    for (int k = 1; k <= 6 && k <= d; k++) {
        plane += length[k - 1];
        for (int i = 0; i < length[k]; i++) w[i] += t->choose[7 * d + k] * plane[i];
    }
}

TARGET static ALWAYS_INLINE VEC NAME(census_numerators)(const census_tables *t, const double *w, unsigned at)
{
    const double *basis = t->basis + 28 * (at - at % 8) + at % 8;
    VEC x = w[0] * *(const VEC *)basis, y = w[1] * *(const VEC *)(basis + 8);
    for (int i = 2; i < 28; i += 2) {
        x += w[i] * *(const VEC *)(basis + 8 * i);
        y += w[i + 1] * *(const VEC *)(basis + 8 * i + 8);
    }
    return x + y;
}

#include "_census_best.h"

TARGET static ALWAYS_INLINE void NAME(census_rows)(const census_tables *t, const double *planes, int r, double ways,
                                                   int count, census_sums *out, const int several)
{
    const VEC zero = {0}, lowest = zero - INFINITY;
    for (int d = 0; d <= r && d <= t->most; d++) {
        const int pairs = t->pairs[r - d];
        const double here = t->choose_ways[d], *chance = t->ways + t->ways_start[r - d], *found = NULL;
        double w[28];
        if (several)
            found = NAME(census_best)(t, planes, d, pairs, chance, here * ways);
        else
            NAME(census_fix)(t, planes, d, w);
        VEC mean = zero, square = zero, plus = zero, positive = zero, nothing = zero, best = lowest;
        for (int at = 0; at < pairs; at += LANES) {
            const VEC x = several ? *(const VEC *)(found + at) : NAME(census_numerators)(t, w, at);
            const VEC p = *(const VEC *)(chance + at), px = p * x, there = WHERE(x > zero, p, zero);
            const VEC now = WHERE(p > zero, x, lowest);
            mean += px, square += px * x, plus += there * x;
            positive += there, nothing += WHERE(x == zero, p, zero), best = WHERE(now > best, now, best);
            if (t->histogram)
                for (int lane = 0; lane < LANES; lane++) {
                    const double bin = (x[lane] - t->low) * t->scale;
                    if (bin >= 0 && bin < t->bins) t->histogram[(int)bin] += p[lane] * here * ways;
                }
            if (t->by_count)
                for (int lane = 0; lane < LANES; lane++) {
                    double *to = t->by_count + 2 * (count + d * t->tag + t->tags[at + lane]);
                    if (p[lane] > 0) to[0] += p[lane] * here * ways, to[1] += px[lane] * here * ways;
                }
        }
        for (int lane = 0; lane < LANES; lane++) {
            out->mean += here * mean[lane], out->square += here * square[lane], out->plus += here * plus[lane];
            out->positive += here * positive[lane], out->nothing += here * nothing[lane];
            if (best[lane] > out->best) out->best = best[lane], out->at = d;
        }
    }
}

TARGET static void NAME(census_row)(const census_tables *t, const double *planes, int r, double ways, int count,
                                    census_sums *out)
{
    if (t->alternatives > 1)
        NAME(census_rows)(t, planes, r, ways, count, out, 1);
    else
        NAME(census_rows)(t, planes, r, ways, count, out, 0);
}

#undef TARGET
#undef LANES
#undef NAME
#undef VEC
#undef MASK
#undef WHERE
