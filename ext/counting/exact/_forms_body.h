/* The vector body of the evaluator: event counts for one block of shoes, side by side in lanes.
 *
 * `_forms.h` includes this once for each kind of lane, with these macros. ELEM is the number type of a lane. VEC is a
 * vector; two vectors are a slot, and hold a block of SHOES shoes. TARGET is the compiler attribute.
 *
 * slots[7 v + m] is, for every shoe of the block, the falling factorial n(n-1)...(n-m+1) of the cards of value v. Then
 * come products: the number of ordered ways to draw the i-th multiset of at most four cards of one half. The slot is
 * FALLING + i for the half {0..4}, and FALLING + STORED + i for {5..9}. Each is the product of two earlier slots.
 * Multisets of five or six cards of a half are products of two slots too, but are computed only where they are added.
 * If they were slots, the slots would not fit into the first cache.
 *
 * A form has three parts: coups of four, of five and of six cards. A part is sum_r slots[r] * (sum_t weight[t][r] *
 * slots[inner[t]]) over groups of three rows r, plus the multisets that lie entirely in one half. In a shoe of N cards,
 * the sum over coups of four cards is multiplied by (N-4)(N-5), and the sum over coups of five cards by N-5. Last come
 * the two wide groups: one card of one half, with five cards of the other half. A wide group has a row for each of the
 * five values of the one card. In a group, two columns t are added at a time, each to separate sums, because an
 * addition waits for the addition before it.
 *
 * Every term is an integer. The sizes of all terms add up to at most N(N-1)...(N-5). The sizes of the terms of an inner
 * sum, for rows of k values, add up to at most (6)_k (N)_{6-k}, in falling factorials. So double is exact up to 458
 * cards, in any order and with or without fused multiply-add; int64 is exact up to 27 decks.
 */
TARGET static void NAME(forms_block)(const int32_t *values, int shoes, const forms_index *ix, const ELEM *weights,
                                     const ELEM *wide_weights, const ELEM *single_weights, int forms, ELEM *out)
{
    VEC slots[FALLING + 2 * STORED][2], cards[2];
    ELEM count[SHOES];
    for (int v = 0; v < 10; v++) {
        for (int s = 0; s < SHOES; s++) count[s] = values[10 * (s < shoes ? s : 0) + v];
        VEC n[2], (*f)[2] = slots + 7 * v;
        memcpy(n, count, sizeof n);
        for (int h = 0; h < 2; h++) {
            f[0][h] = n[h] - n[h] + (ELEM)1;
            cards[h] = v ? cards[h] + n[h] : n[h];
            for (int m = 1; m < 7; m++) f[m][h] = f[m - 1][h] * (n[h] - (ELEM)(m - 1));
        }
    }
    for (int i = 0; i < 2 * STORED; i++) {
        const VEC *x = slots[ix->product[2 * i]], *y = slots[ix->product[2 * i + 1]];
        for (int h = 0; h < 2; h++) slots[FALLING + i][h] = x[h] * y[h];
    }
    for (int e = 0; e < forms; e++) {
        const VEC zero = slots[0][0] - slots[0][0];
        VEC sum[2][2] = {{zero, zero}, {zero, zero}};
        for (int part = PARTS * e; part < PARTS * (e + 1); part++) {
            const ELEM dealt = (ELEM)(part - PARTS * e + 3);
            for (int i = 0; i < 2; i++)
                for (int h = 0; h < 2; h++) sum[i][h] *= cards[h] - dealt;
            for (int g = ix->part_group[part]; g < ix->part_group[part + 1]; g++) {
                VEC a0 = zero, a1 = zero, b0 = zero, b1 = zero, c0 = zero, c1 = zero;
                VEC d0 = zero, d1 = zero, e0 = zero, e1 = zero, f0 = zero, f1 = zero;
                for (int t = ix->group_start[g]; t < ix->group_start[g + 1]; t += 2) {
                    const VEC *x = slots[ix->inner[t]], *y = slots[ix->inner[t + 1]];
                    const ELEM *w = weights + ROWS * t;
                    a0 += w[0] * x[0], a1 += w[0] * x[1], b0 += w[1] * x[0], b1 += w[1] * x[1];
                    c0 += w[2] * x[0], c1 += w[2] * x[1], d0 += w[3] * y[0], d1 += w[3] * y[1];
                    e0 += w[4] * y[0], e1 += w[4] * y[1], f0 += w[5] * y[0], f1 += w[5] * y[1];
                }
                const int32_t *r = ix->group_rows + ROWS * g;
                sum[0][0] += (a0 + d0) * slots[r[0]][0], sum[0][1] += (a1 + d1) * slots[r[0]][1];
                sum[1][0] += (b0 + e0) * slots[r[1]][0], sum[1][1] += (b1 + e1) * slots[r[1]][1];
                sum[0][0] += (c0 + f0) * slots[r[2]][0], sum[0][1] += (c1 + f1) * slots[r[2]][1];
            }
            for (int t = ix->part_single[part]; t < ix->part_single[part + 1]; t += 2)
                for (int i = 0; i < 2; i++) {
                    const VEC *x = slots[ix->single[2 * (t + i)]], *y = slots[ix->single[2 * (t + i) + 1]];
                    for (int h = 0; h < 2; h++) sum[i][h] += single_weights[t + i] * (x[h] * y[h]);
                }
        }
        for (int half = 0; half < 2; half++) {
            VEC of_row[WIDE][2];
            for (int r = 0; r < WIDE; r++) of_row[r][0] = of_row[r][1] = zero;
            for (int t = ix->wide_start[2 * e + half]; t < ix->wide_start[2 * e + half + 1]; t++) {
                const VEC *x = slots[ix->wide[2 * t]], *y = slots[ix->wide[2 * t + 1]];
                const VEC product[2] = {x[0] * y[0], x[1] * y[1]};
                for (int r = 0; r < WIDE; r++)
                    for (int h = 0; h < 2; h++) of_row[r][h] += wide_weights[WIDE * t + r] * product[h];
            }
            for (int r = 0; r < WIDE; r++)
                for (int h = 0; h < 2; h++) sum[r & 1][h] += of_row[r][h] * slots[7 * (WIDE * half + r) + 1][h];
        }
        for (int h = 0; h < 2; h++) sum[0][h] += sum[1][h];
        memcpy(count, sum[0], sizeof sum[0]);
        for (int s = 0; s < shoes; s++) out[(ptrdiff_t)s * forms + e] = count[s];
    }
}

#undef ELEM
#undef VEC
#undef SHOES
#undef TARGET
#undef NAME
