/* One shoe under a rebate on its net loss, for `_net_results.h`, which includes this once for each instruction set. No
 * loop adds up across lanes, and no operations are fused, so the bits are the same on every processor. */

/* Add to out[i] `by` times the value of a function at the place from + i. The function has a table, and is a straight
 * line beyond each end of the table. */
TARGET static void NAME(net_add)(const net_game *of, const double *restrict table, ptrdiff_t from, ptrdiff_t n,
                                 double by, double *restrict out)
{
    const ptrdiff_t points = of->points;
    ptrdiff_t inside = from < 0 ? -from : 0, beyond = points - from;
    if (inside > n) inside = n;
    if (beyond < inside) beyond = inside;
    if (beyond > n) beyond = n;
    for (int i = 0; i < (int)inside; i++) out[i] += by * (table[0] + of->slope * (double)((int)from + i));
    const double *const at = table + from;
    for (ptrdiff_t i = inside; i < beyond; i++) out[i] += by * at[i];
    for (int i = (int)beyond; i < (int)n; i++)
        out[i] += by * (table[points - 1] + (double)((int)from + i - (int)points + 1));
}

/* Fill c (states, points) with the continuations C after a coup. Unless less is NULL, fill less (states, points) with
 * the same, but from the features without their increments. */
TARGET static void NAME(net_tables)(const net_game *of, const net_coups *coups, ptrdiff_t row, double *c, double *less)
{
    const ptrdiff_t points = of->points, features = of->features;
    const double *known = coups->known + row * features, *moved = coups->moved + row * features;
    const double *column = of->coefs + (ptrdiff_t)coups->slice[row] * of->states * features * points;
    for (int s = 0; s < of->states; s++) {
        double *restrict of_c = c + s * points, *restrict of_less = less ? less + s * points : NULL;
        for (ptrdiff_t i = 0; i < points; i++) of_c[i] = 0;
        if (less)
            for (ptrdiff_t i = 0; i < points; i++) of_less[i] = 0;
        for (ptrdiff_t k = 0; k < features; k++, column += points) {
            const double value = known[k], rest = known[k] - moved[k];
            for (ptrdiff_t i = 0; i < points; i++) of_c[i] += value * column[i];
            if (less)
                for (ptrdiff_t i = 0; i < points; i++) of_less[i] += rest * column[i];
        }
    }
}

/* The chance of each jump at a coup. */
TARGET static void NAME(net_jumps)(const net_game *of, const double *chances, double *chance)
{
    for (int j = 0; j < of->first[of->vertices]; j++) chance[j] = 0;
    for (int v = 0; v < of->vertices; v++)
        for (int x = 0; x < of->classes; x++) chance[of->jump_of[v * of->classes + x]] += chances[x];
}

/* Fill out[i] with the mean of a function of the net result after a coup, if the vertex is staked at the place from +
 * i. */
TARGET static void NAME(net_mean)(const net_game *of, const double *table, const double *chance, int vertex,
                                  ptrdiff_t from, ptrdiff_t n, double *out)
{
    for (ptrdiff_t i = 0; i < n; i++) out[i] = 0;
    for (int j = of->first[vertex]; j < of->first[vertex + 1]; j++) {
        if (chance[j] == 0) continue;
        NAME(net_add)(of, table, from + of->low[j], n, chance[j] * (1 - of->rest[j]), out);
        if (of->rest[j] > 0) NAME(net_add)(of, table, from + of->low[j] + 1, n, chance[j] * of->rest[j], out);
    }
}

/* Raise best[i] to `constant` plus the value of rise, if this is more. The value is read at i + rest, between two
 * entries. */
TARGET static void NAME(net_improve)(double *restrict best, const double *restrict rise, double rest, double constant,
                                     ptrdiff_t n)
{
    if (rest > 0)
        for (ptrdiff_t i = 0; i < n; i++) {
            const double value = (1 - rest) * rise[i] + rest * rise[i + 1] + constant;
            best[i] = best[i] > value ? best[i] : value;
        }
    else
        for (ptrdiff_t i = 0; i < n; i++) best[i] = best[i] > rise[i] + constant ? best[i] : rise[i] + constant;
}

/* As net_improve, with value[i] instead of the constant. */
TARGET static void NAME(net_improve_by)(double *restrict best, const double *restrict rise, double rest,
                                        const double *restrict value, ptrdiff_t n)
{
    if (rest > 0)
        for (ptrdiff_t i = 0; i < n; i++) {
            const double more = (1 - rest) * rise[i] + rest * rise[i + 1] + value[i];
            best[i] = best[i] > more ? best[i] : more;
        }
    else
        for (ptrdiff_t i = 0; i < n; i++) best[i] = best[i] > rise[i] + value[i] ? best[i] : rise[i] + value[i];
}

/* Fill out with H for each place before the shoe, see `upper` in `_net_results.pyx`. `reach` (coups + 1, 2) has the
 * least and the greatest place before each coup; there are at most `most` places. If every jump from a place lands
 * beyond the lattice, the mean is a straight line in the place, and vertices differ by a constant. */
TARGET static void NAME(net_upper)(const net_game *of, const net_coups *coups, ptrdiff_t first, ptrdiff_t last,
                                   const int32_t *reach, ptrdiff_t most, double *room, double *out)
{
    const ptrdiff_t points = of->points, tables = of->states * points;
    double *c = room, *less = c + tables, *chance = less + tables, *value = chance + of->first[of->vertices];
    double *now = value + most, *before = now + (of->states + 1) * most;
    const int32_t *ends = reach + 2 * (last - first);
    for (ptrdiff_t i = 0; i < 2 * (of->states + 1) * most; i++) now[i] = 0; /* after the bettor left: stays 0 */
    for (int s = 0; s < of->states; s++)
        NAME(net_add)(of, of->end, ends[0], ends[1] - ends[0] + 1, 1, now + s * most);
    int lowest = 0, highest = 0;
    for (int j = 0; j < of->first[of->vertices]; j++) {
        if (of->low[j] < lowest) lowest = of->low[j];
        if (of->low[j] + 1 > highest) highest = of->low[j] + 1;
    }
    for (ptrdiff_t row = last - 1; row >= first; row--) {
        const int32_t *here = reach + 2 * (row - first), *then = here + 2;
        const ptrdiff_t from = here[0], n = here[1] - here[0] + 1, after = then[1] - then[0] + 1;
        ptrdiff_t low = -highest - from, high = points - lowest - from; /* some jump may land on the lattice */
        low = low < 0 ? 0 : low > n ? n : low;
        high = high < low ? low : high > n ? n : high;
        NAME(net_tables)(of, coups, row, c, less);
        NAME(net_jumps)(of, coups->chances + row * of->classes, chance);
        for (int s = 0; s < of->states; s++) {
            NAME(net_add)(of, c + s * points, then[0], after, -1, now + s * most);
            for (ptrdiff_t i = 0; i < n; i++) before[s * most + i] = -INFINITY;
        }
        for (int v = 0; v < of->vertices; v++) {
            const int dealt = of->jump_of[v * of->classes + coups->cls[row]];
            const double rest = of->rest[dealt];
            double mean = 0;
            for (int j = of->first[v]; j < of->first[v + 1]; j++) mean += chance[j] * (of->low[j] + of->rest[j]);
            for (int u = 0; u <= of->states; u++) {
                int wanted = 0;
                for (int s = 0; s < of->states; s++) wanted |= of->next[s * of->vertices + v] == u;
                if (!wanted) continue;
                const double *table = u < of->states ? less + u * points : of->end;
                const double *rise = u < of->states ? now + u * most + (from + of->low[dealt] - then[0]) : now + u * most;
                NAME(net_mean)(of, table, chance, v, from + low, high - low, value);
                for (int s = 0; s < of->states; s++)
                    if (of->next[s * of->vertices + v] == u) {
                        double *best = before + s * most;
                        NAME(net_improve)(best, rise, rest, table[0] + of->slope * mean, low);
                        NAME(net_improve_by)(best + low, rise + low, rest, value, high - low);
                        NAME(net_improve)(best + high, rise + high, rest, table[points - 1] + mean, n - high);
                    }
            }
        }
        for (int s = 0; s < of->states; s++) {
            double *best = before + s * most;
            for (int i = 0; i < (int)low; i++) best[i] += of->slope * (double)((int)from + i);
            for (int i = (int)high; i < (int)n; i++) best[i] += (double)((int)from + i - (int)points + 1);
        }
        double *other = now;
        now = before, before = other;
    }
    for (ptrdiff_t i = 0; i <= reach[1] - reach[0]; i++) out[i] = now[i];
}

/* Fill out (states, points) with the best mean of the continuation after a coup, over the stakes allowed. */
TARGET static void NAME(net_worth)(const net_game *of, const net_coups *coups, ptrdiff_t row, double *room, double *out)
{
    const ptrdiff_t points = of->points, tables = of->states * points;
    double *c = room, *value = c + tables, *chance = value + points;
    NAME(net_tables)(of, coups, row, c, NULL);
    NAME(net_jumps)(of, coups->chances + row * of->classes, chance);
    for (ptrdiff_t i = 0; i < tables; i++) out[i] = -INFINITY;
    for (int v = 0; v < of->vertices; v++)
        for (int u = 0; u <= of->states; u++) {
            int wanted = 0;
            for (int s = 0; s < of->states; s++) wanted |= of->next[s * of->vertices + v] == u;
            if (!wanted) continue;
            NAME(net_mean)(of, u < of->states ? c + u * points : of->end, chance, v, 0, points, value);
            for (int s = 0; s < of->states; s++)
                if (of->next[s * of->vertices + v] == u)
                    for (ptrdiff_t i = 0; i < points; i++)
                        if (value[i] > out[s * points + i]) out[s * points + i] = value[i];
        }
}

#undef TARGET
#undef LANES
#undef NAME
