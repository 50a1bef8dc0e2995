/* The best of several alternatives, for `_census_body.h`: their numerators on the pairs, and the largest.
 *
 * An alternative leads on a pair if it is the first alternative with the largest numerator. Each alternative has three
 * rows in `shares`:
 *
 * - the ways of the pairs on which it leads,
 * - the ways of the pairs on which it leads with a positive numerator,
 * - these ways times the numerator.
 *
 * The last row of `shares` has the ways of the pairs on which two or more alternatives have the largest numerator.
 */
TARGET static const double *NAME(census_best)(const census_tables *t, double *planes, int left, int pairs,
                                              const double *chance, double ways)
{
    double *found = t->numerators, *best = found + t->alternatives * t->room;
    for (int a = 0; a < t->alternatives; a++, found += t->room) {
        NAME(census_numerators)(t, planes + 84 * a, left, found, NULL, NULL);
        NAME(census_step3)(planes + 84 * a);
        for (int at = 0; at < pairs; at += LANES) {
            const VEC x = *(const VEC *)(found + at), top = a ? *(const VEC *)(best + at) : x;
            *(VEC *)(best + at) = WHERE(x > top, x, top);
        }
    }
    for (int a = 0, at = 0; a <= left; a += LANES) {
        for (int b = 0; b <= left - a; b++, at += LANES) {
            const VEC zero = {0}, top = *(const VEC *)(best + at), p = ways * *(const VEC *)(chance + at);
            double *share = t->shares + a % 8;
            MASK taken = {0}, twice = {0};
            found = t->numerators + at;
            for (int i = 0; i < t->alternatives; i++, found += t->room, share += 3 * 8) {
                const MASK equal = *(const VEC *)found == top;
                const VEC first = WHERE(equal & ~taken, p, zero), bet = WHERE(top > zero, first, zero);
                *(VEC *)share += first, *(VEC *)(share + 8) += bet, *(VEC *)(share + 16) += bet * top;
                twice |= equal & taken, taken |= equal;
            }
            *(VEC *)share += WHERE(twice, p, zero);
        }
    }
    return best;
}
