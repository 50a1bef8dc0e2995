/* The innermost three counts of a census: `_census.h` includes this once for each instruction set.
 *
 * With the outer six counts fixed, a bet's numerator is a polynomial of degree six in the counts (d, a, b) of
 * three values, in the basis C(d,k) C(a,i) C(b,j); the tens are what is left of the cards, r - d - a - b. Its 84
 * coefficients stand in seven planes, k = 0..6, each by rising degree of (i, j). Fixing d leaves 28, and a table
 * of C(a,i) C(b,j) over the pairs by rising a + b, eight pairs to a vector, gives the numerators of all pairs with
 * a + b <= r - d: the first so many of the table.
 */
TARGET static void NAME(census_row)(const census_tables *t, const double *planes, int r, double ways, int count,
                                    census_sums *out, double *histogram, double *by_count)
{
    static const int length[7] = {28, 21, 15, 10, 6, 3, 1};
    const vec8 zero = {0}, lowest = zero - INFINITY;
    for (int d = 0; d <= r && d <= t->most; d++) {
        double w[28];
        const double *plane = planes;
        for (int i = 0; i < 28; i++) w[i] = plane[i];
        for (int k = 1; k <= 6 && k <= d; k++) {
            plane += length[k - 1];
            for (int i = 0; i < length[k]; i++) w[i] += t->choose[7 * d + k] * plane[i];
        }
        const int left = r - d, blocks = (t->pairs[left] + 7) / 8;
        const double here = t->choose_ways[d];
        const double *basis = t->basis, *chance = t->ways + t->ways_start[left];
        vec8 mean = zero, square = zero, plus = zero, positive = zero, nothing = zero, best = lowest;
        for (int block = 0; block < blocks; block++, basis += 28 * 8, chance += 8) {
            vec8 x = w[0] * *(const vec8 *)basis, y = w[1] * *(const vec8 *)(basis + 8), p;
            for (int i = 2; i < 28; i += 2) {
                x += w[i] * *(const vec8 *)(basis + 8 * i);
                y += w[i + 1] * *(const vec8 *)(basis + 8 * i + 8);
            }
            x += y;
            memcpy(&p, chance, sizeof p);
            const mask8 above = x > zero;
            const vec8 px = p * x, there = (vec8)((mask8)p & above);
            mean += px, square += px * x, positive += there, plus += there * x;
            nothing += (vec8)((mask8)p & (mask8)(x == zero));
            const mask8 possible = p > zero;
            const vec8 now = (vec8)(((mask8)x & possible) | ((mask8)lowest & ~possible));
            const mask8 better = now > best;
            best = (vec8)(((mask8)now & better) | ((mask8)best & ~better));
            if (histogram)
                for (int lane = 0; lane < 8; lane++) {
                    const double bin = (x[lane] - t->low) * t->scale;
                    if (bin >= 0 && bin < t->bins) histogram[(int)bin] += p[lane] * here * ways;
                }
            if (by_count)
                for (int lane = 0; lane < 8; lane++) {
                    double *at = by_count + 2 * (count + d * t->tag + t->tags[8 * block + lane]);
                    if (p[lane] > 0) at[0] += p[lane] * here * ways, at[1] += px[lane] * here * ways;
                }
        }
        for (int lane = 0; lane < 8; lane++) {
            out->mean += here * mean[lane], out->square += here * square[lane], out->plus += here * plus[lane];
            out->positive += here * positive[lane], out->nothing += here * nothing[lane];
            if (best[lane] > out->best) out->best = best[lane], out->at = d;
        }
    }
}

#undef TARGET
#undef NAME
