/* The innermost three counts of a census: `_census.h` includes this once for each instruction set.
 *
 * With the outer six counts fixed, a bet's numerator is a polynomial of degree six in the counts (d, a, b) of
 * three values, in the basis C(d,k) C(a,i) C(b,j); the tens are what is left of the cards, r - d - a - b. Its 84
 * coefficients stand in seven planes, k = 0..6, each by rising degree of (i, j), and are changed on the way from one d
 * to the next. Plane 0 is the polynomial in (a, b) at d. For LANES counts a at once its 28 coefficients give the seven
 * forward differences at b = 0, and six additions lead from one b to the next. Of several alternatives the largest
 * numerator counts.
 *
 * Sums have the same bits for every instruction set: they are added up in eight slots, a % 8, each in the order of the
 * pairs, and no product is fused with a sum. A pair beyond the cards left has no ways, which adds nothing.
 */
#if defined(VECTOR_TYPES)
typedef double NAME(vec) __attribute__((vector_size(8 * LANES), aligned(8)));
typedef int64_t NAME(mask) __attribute__((vector_size(8 * LANES), aligned(8)));
#define WHERE(yes, x, otherwise) ((VEC)(((MASK)(x) & (yes)) | ((MASK)(otherwise) & ~(yes))))
#define AT(x, lane) ((x)[lane])
#else /* a comparison is 0 or 1, not 0 or all bits */
typedef double NAME(vec);
typedef int64_t NAME(mask);
#define WHERE(yes, x, otherwise) ((yes) ? (x) : (otherwise))
#define AT(x, lane) (x)
#endif
#define VEC NAME(vec)
#define MASK NAME(mask)

/* From a polynomial's coefficients in the last count, each a plane, at one count to those at the next: forward
 * differences, of which plane 0 is the polynomial in the other counts. */
TARGET static void NAME(census_step)(double *plane, const int32_t *lengths)
{
    for (int k = 0; k < 6; k++) {
        double *next = plane + lengths[k];
        for (int i = 0; i < lengths[k + 1]; i++) plane[i] += next[i];
        plane = next;
    }
}

TARGET static ALWAYS_INLINE void NAME(census_step3)(double *p)
{
    for (int i = 0; i < 21; i++) p[i] += p[28 + i];
    for (int i = 28; i < 43; i++) p[i] += p[21 + i];
    for (int i = 49; i < 59; i++) p[i] += p[15 + i];
    for (int i = 64; i < 70; i++) p[i] += p[10 + i];
    for (int i = 74; i < 77; i++) p[i] += p[6 + i];
    p[80] += p[83];
}

/* Fill out with the numerators of all pairs with a + b <= left, in their lines; lanes beyond have some number. */
TARGET static ALWAYS_INLINE void NAME(census_numerators)(const census_tables *t, const double *w, int left, double *out)
{
    static const int place[7][7] = { /* of (i, j) among the 28 */
        {0, 1, 3, 6, 10, 15, 21}, {2, 4, 7, 11, 16, 22}, {5, 8, 12, 17, 23}, {9, 13, 18, 24}, {14, 19, 25}, {20, 26}, {27}
    };
    for (int a = 0; a <= left; a += LANES) {
        const VEC zero = {0};
        VEC c[7];
        for (int j = 0; j < 7; j++) c[j] = w[place[0][j]] - zero;
        for (int i = 1; i < 7; i++) {
            const VEC choose = *(const VEC *)(t->binomials + i * t->width + a);
            for (int j = 0; j < 7 - i; j++) c[j] += w[place[i][j]] * choose;
        }
        VEC c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3], c4 = c[4], c5 = c[5];
        for (int b = 0; b <= left - a; b++, out += LANES) {
            *(VEC *)out = c0;
            c0 += c1, c1 += c2, c2 += c3, c3 += c4, c4 += c5, c5 += c[6];
        }
    }
}

#include "_census_best.h"

/* Add each pair's ways to its bin of the histogram and to its count: pair by pair, with a and then b rising. */
TARGET static void NAME(census_bins)(const census_tables *t, int left, const double *found, const double *chance,
                                     double ways, int count, const int32_t *tags)
{
    for (int a = 0, line = 0; a <= left; a++) {
        for (int b = 0, at = line + a % LANES; b <= left - a; b++, at += LANES) {
            const double x = found[at], p = chance[at];
            if (t->histogram) {
                const double bin = (x - t->low) * t->scale;
                if (bin >= 0 && bin < t->bins) t->histogram[(int)bin] += p * ways;
            }
            if (t->by_count && p > 0) {
                double *to = t->by_count + 2 * (count + tags[at]);
                to[0] += p * ways, to[1] += p * x * ways;
            }
        }
        if (a % LANES == LANES - 1) line += LANES * (left - a + LANES);
    }
}

TARGET static ALWAYS_INLINE void NAME(census_rows)(const census_tables *t, double *planes, int r, double ways,
                                                   int count, census_sums *out, const int several)
{
    const VEC zero = {0}, lowest = zero - INFINITY;
    for (int d = 0; d <= r && d <= t->most; d++) {
        const int pairs = t->lines[r - d];
        const int32_t *tags = t->tags + t->start[r - d];
        const double here = t->choose_ways[d], *chance = t->ways + t->start[r - d], *found = t->numerators;
        if (several) {
            found = NAME(census_best)(t, planes, r - d, pairs, chance, here * ways);
        } else {
            NAME(census_numerators)(t, planes, r - d, t->numerators);
            NAME(census_step3)(planes);
        }
        double sums[5][8] = {{0}};
        VEC best = lowest;
        for (int a = 0, at = 0; a <= r - d; a += LANES) {
            double *slot = sums[0] + a % 8;
            VEC mean = *(VEC *)slot, square = *(VEC *)(slot + 8), plus = *(VEC *)(slot + 16);
            VEC positive = *(VEC *)(slot + 24), nothing = *(VEC *)(slot + 32);
            for (int b = 0; b <= r - d - a; b++, at += LANES) {
                const VEC x = *(const VEC *)(found + at);
                const VEC p = *(const VEC *)(chance + at), px = p * x, there = WHERE(x > zero, p, zero);
                const VEC now = WHERE(p > zero, x, lowest);
                mean += px, square += px * x, plus += there * x;
                positive += there, nothing += WHERE(x == zero, p, zero), best = WHERE(now > best, now, best);
            }
            *(VEC *)slot = mean, *(VEC *)(slot + 8) = square, *(VEC *)(slot + 16) = plus;
            *(VEC *)(slot + 24) = positive, *(VEC *)(slot + 32) = nothing;
        }
        for (int i = 0; i < 8; i++) {
            out->mean += here * sums[0][i], out->square += here * sums[1][i], out->plus += here * sums[2][i];
            out->positive += here * sums[3][i], out->nothing += here * sums[4][i];
        }
        for (int lane = 0; lane < LANES; lane++)
            if (AT(best, lane) > out->best) out->best = AT(best, lane), out->at = d;
        if (t->histogram || t->by_count)
            NAME(census_bins)(t, r - d, found, chance, here * ways, count + d * t->tag, tags);
    }
}

TARGET static void NAME(census_row)(const census_tables *t, double *planes, int r, double ways, int count,
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
#undef AT
