/* The innermost three counts of a census: `_census.h` includes this once for each instruction set.
 *
 * With the outer six counts fixed, a bet's numerator is a polynomial of degree six in the counts (d, a, b) of three
 * values. Its basis is C(d,k) C(a,i) C(b,j). The other r - d - a - b cards are tens. The 84 coefficients are in seven
 * planes, k = 0..6, each by rising degree of (i, j). When d grows by 1, the planes are changed so that plane 0 is the
 * polynomial in (a, b) at the new d. The 28 coefficients of plane 0 give the seven forward differences at b = 0, for
 * LANES counts a at once. Six additions lead from one b to the next. With several alternatives, the bet's numerator is
 * the largest of their numerators.
 *
 * Sums have the same bits for every instruction set. They are added up in eight slots, one for each value of a % 8.
 * Each slot adds up its pairs in order, for one d after another, and no product is fused with a sum. A pair with more
 * cards than are left has 0 ways, so it adds nothing. The eight slots are added to each other only at the end of a row,
 * because most rows have few cards and adding up eight slots takes long in comparison.
 */
#if defined(VECTOR_TYPES)
typedef double NAME(vec) __attribute__((vector_size(8 * LANES), aligned(8)));
typedef int64_t NAME(mask) __attribute__((vector_size(8 * LANES), aligned(8)));
#define WHERE(yes, x, otherwise) ((VEC)(((MASK)(x) & (yes)) | ((MASK)(otherwise) & ~(yes))))
#else /* a comparison is 0 or 1, not 0 or all bits */
typedef double NAME(vec);
typedef int64_t NAME(mask);
#define WHERE(yes, x, otherwise) ((yes) ? (x) : (otherwise))
#endif
#define VEC NAME(vec)
#define MASK NAME(mask)

/* Change a polynomial's planes when the last count grows by 1. Planes are forward differences, and plane 0 is the
 * polynomial in the other counts. */
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

/* Sums over the pairs (a, b), in one lane for each of LANES neighbouring values of a. `mean`, `square` and `plus`: the
 * ways times the numerator, times its square and times its positive part. `positive` and `nothing`: the ways of the
 * pairs with a positive numerator, and with the numerator 0. `best`: the largest numerator of a pair with ways above
 * 0. */
typedef struct { VEC mean, square, plus, positive, nothing, best; } NAME(census_lanes);

TARGET static ALWAYS_INLINE NAME(census_lanes) NAME(census_lanes_of)(const double (*sums)[8], int a)
{
    const double *slot = sums[0] + a % 8;
    return (NAME(census_lanes)){*(const VEC *)slot,        *(const VEC *)(slot + 8),  *(const VEC *)(slot + 16),
                                *(const VEC *)(slot + 24), *(const VEC *)(slot + 32), *(const VEC *)(slot + 40)};
}

TARGET static ALWAYS_INLINE void NAME(census_add)(NAME(census_lanes) *to, VEC x, VEC p)
{
    const VEC zero = {0}, px = p * x;
    const MASK positive = x > zero;
    to->mean += px, to->square += px * x, to->plus += WHERE(positive, px, zero);
    to->positive += WHERE(positive, p, zero), to->nothing += WHERE(x == zero, p, zero);
    to->best = WHERE((x > to->best) & (p > zero), x, to->best);
}

TARGET static ALWAYS_INLINE void NAME(census_keep)(double (*sums)[8], int a, NAME(census_lanes) lanes)
{
    double *slot = sums[0] + a % 8;
    *(VEC *)slot = lanes.mean, *(VEC *)(slot + 8) = lanes.square, *(VEC *)(slot + 16) = lanes.plus;
    *(VEC *)(slot + 24) = lanes.positive, *(VEC *)(slot + 32) = lanes.nothing, *(VEC *)(slot + 40) = lanes.best;
}

/* Fill `out` with the numerators of all pairs with a + b <= left, in lines of LANES. A lane with a + b > left gets a
 * number without meaning, but has 0 ways. Unless ways is NULL, add the numerators up in sums[6][8]. */
TARGET static ALWAYS_INLINE void NAME(census_numerators)(const census_tables *t, const double *w, int left, double *out,
                                                         const double *ways, double (*sums)[8])
{
    static const int place[7][7] = { /* the place of (i, j) among the 28 coefficients */
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
        if (ways) {
            NAME(census_lanes) lanes = NAME(census_lanes_of)(sums, a);
            for (int b = 0; b <= left - a; b++, out += LANES, ways += LANES) {
                *(VEC *)out = c0;
                NAME(census_add)(&lanes, c0, *(const VEC *)ways);
                c0 += c1, c1 += c2, c2 += c3, c3 += c4, c4 += c5, c5 += c[6];
            }
            NAME(census_keep)(sums, a, lanes);
        } else {
            for (int b = 0; b <= left - a; b++, out += LANES) {
                *(VEC *)out = c0;
                c0 += c1, c1 += c2, c2 += c3, c3 += c4, c4 += c5, c5 += c[6];
            }
        }
    }
}

/* Add up numerators that `census_best` has found, in the same lines. */
TARGET static ALWAYS_INLINE void NAME(census_sum)(const double *found, const double *ways, int left, double (*sums)[8])
{
    for (int a = 0; a <= left; a += LANES) {
        NAME(census_lanes) lanes = NAME(census_lanes_of)(sums, a);
        for (int b = 0; b <= left - a; b++, found += LANES, ways += LANES)
            NAME(census_add)(&lanes, *(const VEC *)found, *(const VEC *)ways);
        NAME(census_keep)(sums, a, lanes);
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
    const VEC zero = {0};
    _Alignas(64) double total[5][8] = {{0}}, at[8] = {0}, sums[6][8];
    for (int i = 0; i < 8; i++) sums[5][i] = out->best;
    for (int d = 0; d <= r && d <= t->most; d++) {
        const int32_t *tags = t->tags + t->start[r - d];
        const double here = t->choose_ways[d], *chance = t->ways + t->start[r - d], *found = t->numerators;
        _Alignas(64) double before[8];
        memset(sums, 0, 5 * sizeof *sums), memcpy(before, sums[5], sizeof before);
        if (several) {
            found = NAME(census_best)(t, planes, r - d, t->lines[r - d], chance, here * ways);
            NAME(census_sum)(found, chance, r - d, sums);
        } else {
            NAME(census_numerators)(t, planes, r - d, t->numerators, chance, sums);
            NAME(census_step3)(planes);
        }
        for (int i = 0; i < 8; i += LANES) {
            for (int k = 0; k < 5; k++) *(VEC *)(total[k] + i) += here * *(const VEC *)(sums[k] + i);
            const MASK higher = *(const VEC *)(sums[5] + i) > *(const VEC *)(before + i);
            *(VEC *)(at + i) = WHERE(higher, d - zero, *(const VEC *)(at + i));
        }
        if (t->histogram || t->by_count)
            NAME(census_bins)(t, r - d, found, chance, here * ways, count + d * t->tag, tags);
    }
    for (int i = 0; i < 8; i++) {
        out->mean += total[0][i], out->square += total[1][i], out->plus += total[2][i];
        out->positive += total[3][i], out->nothing += total[4][i];
        if (sums[5][i] > out->best || (sums[5][i] == out->best && at[i] < out->at))
            out->best = sums[5][i], out->at = (int)at[i];
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
