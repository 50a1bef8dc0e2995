/* The vector body of the evaluator: event counts for one block of shoes, side by side in lanes.
 *
 * Included by itself once for each kind of lane. ELEM is a lane's number type, VEC two of which
 * hold a block of SHOES shoes, TARGET the compiler attribute. One vector pair is a "slot".
 *
 * products[i] is, for every shoe of the block, the number of ordered ways to draw the i-th multiset
 * of at most six cards of one half ({0..4}: slots 0-461, {5..9}: slots 462-923): a product of
 * falling factorials n(n-1)...(n-m+1), built from the product one value shorter.
 *
 * A form is  sum_r products[r] * (sum_t weight[t][r] * products[inner[t]])  over groups of five
 * rows r, plus the multisets that lie in one half alone. Every term is a non-negative integer and
 * no partial sum exceeds N(N-1)...(N-5), so double is exact to 458 cards in any order and with or
 * without fused multiply-add; int64 is exact to 27 decks.
 */
#ifndef ELEM

#include <stdint.h>
#include <string.h>

#define HALF 462   /* multisets of at most six cards of five values */
#define ROWS 5     /* rows that share a group's inner loop */

typedef struct {
    const int32_t *parent, *factor;               /* [HALF]: product = product[parent] * fall[factor] */
    const int32_t *form_group, *group_rows, *group_start, *inner;
    const int32_t *form_single, *single;
} forms_index;

#define ELEM int64_t
#define VEC int64_t
#define SHOES 2
#define TARGET
#define NAME(f) f##_int64
#include "_forms_body.h"

#if defined(__GNUC__)
typedef double vec2 __attribute__((vector_size(16)));
#else
typedef double vec2;
#endif
#define ELEM double
#define VEC vec2
#define SHOES (2 * (int)(sizeof(vec2) / sizeof(double)))
#define TARGET
#define NAME(f) f##_plain
#include "_forms_body.h"

#if defined(__GNUC__) && defined(__x86_64__)
typedef double vec4 __attribute__((vector_size(32)));
typedef double vec8 __attribute__((vector_size(64)));
#define ELEM double
#define VEC vec4
#define SHOES 8
#define TARGET __attribute__((target("avx2,fma")))
#define NAME(f) f##_avx2
#include "_forms_body.h"
#define ELEM double
#define VEC vec8
#define SHOES 16
#define TARGET __attribute__((target("avx512f")))
#define NAME(f) f##_avx512
#include "_forms_body.h"
#endif

#else

TARGET static void NAME(forms_block)(const int32_t *values, int shoes, const forms_index *ix,
                                     const ELEM *weights, const ELEM *single_weights,
                                     int forms, ELEM *out)
{
    VEC fall[10 * 7][2], products[2 * HALF][2];
    ELEM count[SHOES];
    for (int v = 0; v < 10; v++) {
        for (int s = 0; s < SHOES; s++) count[s] = values[10 * (s < shoes ? s : 0) + v];
        VEC n[2];
        memcpy(n, count, sizeof n);
        for (int h = 0; h < 2; h++) {
            fall[7 * v][h] = n[h] - n[h] + (ELEM)1;
            for (int m = 1; m < 7; m++) fall[7 * v + m][h] = fall[7 * v + m - 1][h] * (n[h] - (ELEM)(m - 1));
        }
    }
    for (int half = 0; half < 2; half++) {
        VEC (*p)[2] = products + half * HALF, (*f)[2] = fall + half * 35;
        p[0][0] = f[0][0], p[0][1] = f[0][1];
        for (int i = 1; i < HALF; i++)
            for (int h = 0; h < 2; h++) p[i][h] = p[ix->parent[i]][h] * f[ix->factor[i]][h];
    }
    for (int e = 0; e < forms; e++) {
        VEC sum[2] = {fall[0][0] - fall[0][0], fall[0][1] - fall[0][1]}, odd[2] = {sum[0], sum[1]};
        const VEC zero = sum[0];
        for (int g = ix->form_group[e]; g < ix->form_group[e + 1]; g++) {
            VEC a0 = zero, a1 = zero, b0 = zero, b1 = zero, c0 = zero, c1 = zero;
            VEC d0 = zero, d1 = zero, e0 = zero, e1 = zero;
            for (int t = ix->group_start[g]; t < ix->group_start[g + 1]; t++) {
                const VEC x0 = products[ix->inner[t]][0], x1 = products[ix->inner[t]][1];
                const ELEM *w = weights + ROWS * t;
                a0 += w[0] * x0, a1 += w[0] * x1, b0 += w[1] * x0, b1 += w[1] * x1;
                c0 += w[2] * x0, c1 += w[2] * x1, d0 += w[3] * x0, d1 += w[3] * x1;
                e0 += w[4] * x0, e1 += w[4] * x1;
            }
            const int32_t *r = ix->group_rows + ROWS * g;
            sum[0] += a0 * products[r[0]][0], sum[1] += a1 * products[r[0]][1];
            odd[0] += b0 * products[r[1]][0], odd[1] += b1 * products[r[1]][1];
            sum[0] += c0 * products[r[2]][0], sum[1] += c1 * products[r[2]][1];
            odd[0] += d0 * products[r[3]][0], odd[1] += d1 * products[r[3]][1];
            sum[0] += e0 * products[r[4]][0], sum[1] += e1 * products[r[4]][1];
        }
        int t = ix->form_single[e], end = ix->form_single[e + 1];
        for (; t + 1 < end; t += 2)
            for (int h = 0; h < 2; h++) {
                sum[h] += single_weights[t] * products[ix->single[t]][h];
                odd[h] += single_weights[t + 1] * products[ix->single[t + 1]][h];
            }
        if (t < end)
            for (int h = 0; h < 2; h++) sum[h] += single_weights[t] * products[ix->single[t]][h];
        for (int h = 0; h < 2; h++) sum[h] += odd[h];
        memcpy(count, sum, sizeof sum);
        for (int s = 0; s < shoes; s++) out[(ptrdiff_t)s * forms + e] = count[s];
    }
}

#undef ELEM
#undef VEC
#undef SHOES
#undef TARGET
#undef NAME
#endif
