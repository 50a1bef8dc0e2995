/* Sums of trees for a block of shoes side by side, for `_trees.h`, which includes this once for each instruction set.
 *
 * A node at depth d > 0 draws one more card. Its value is the value of the last node at depth d-1, times count[draw] -
 * less. At depth 0, the value is base[draw], or 1 if there are no bases. Nodes come in the order in which the tree is
 * walked, so it is enough to keep one value for each depth. Term t of a node adds weight[t] times the node's value to
 * the sum slot[t].
 *
 * Numbers are modulo 2^64. Partial sums may pass 2^63, because terms have either sign. The whole sum does not.
 */
#if LANES > 2
typedef uint64_t NAME(vec) __attribute__((vector_size(8 * LANES)));
#define WIDE 2
#else /* vectors of two multiply no faster than single numbers */
typedef uint64_t NAME(vec);
#define WIDE 8
#endif
#define VEC NAME(vec)
#define SHOES (WIDE * (int)(sizeof(VEC) / sizeof(uint64_t)))

TARGET static void NAME(tree_block)(const tree *t, const VEC (*count)[WIDE], const VEC (*base)[WIDE], VEC (*sum)[WIDE])
{
    VEC value[TREE_DEPTHS][WIDE];
    for (int k = 0; k < t->slots; k++)
        for (int h = 0; h < WIDE; h++) sum[k][h] = (VEC){0};
    for (int64_t i = 0; i < t->nodes; i++) {
        const int depth = t->depth[i];
        VEC *x = value[depth];
        if (depth == 0)
            for (int h = 0; h < WIDE; h++) x[h] = base ? base[t->draw[i]][h] : (VEC){0} + 1;
        else {
            const VEC *above = value[depth - 1], *n = count[t->draw[i]];
            for (int h = 0; h < WIDE; h++) x[h] = above[h] * (n[h] - t->less[i]);
        }
        for (int64_t j = t->first[i]; j < t->first[i + 1]; j++)
            for (int h = 0; h < WIDE; h++) sum[t->slot[j]][h] += x[h] * (uint64_t)t->weight[j];
    }
}

/* Fill out[shoe, slot]; counts is (shoes, kinds), bases (shoes, roots). */
TARGET static void NAME(tree_sums)(const tree *t, const int64_t *counts, const int64_t *bases, ptrdiff_t shoes,
                                   ptrdiff_t kinds, ptrdiff_t roots, void *room, int64_t *out)
{
    VEC (*count)[WIDE] = room, (*base)[WIDE] = count + kinds, (*sum)[WIDE] = base + roots;
    uint64_t lane[SHOES];
    for (ptrdiff_t s = 0; s < shoes; s += SHOES) {
        const int here = shoes - s < SHOES ? (int)(shoes - s) : SHOES;
        for (ptrdiff_t k = 0; k < kinds + roots; k++) {
            for (int i = 0; i < SHOES; i++) {
                const ptrdiff_t shoe = s + (i < here ? i : 0);
                lane[i] = (uint64_t)(k < kinds ? counts[shoe * kinds + k] : bases[shoe * roots + k - kinds]);
            }
            memcpy(count[k], lane, sizeof lane);
        }
        NAME(tree_block)(t, count, base, sum);
        for (int k = 0; k < t->slots; k++) {
            memcpy(lane, sum[k], sizeof lane);
            for (int i = 0; i < here; i++) out[(s + i) * t->slots + k] = (int64_t)lane[i];
        }
    }
}

/* Fill out[shoe, line] with the number of six-card deals of each line. cards is (shoes, width). Its entry k is of the
 * kind kind[k] and of the value value[k]. The count of all cards comes after the counts of the values. */
TARGET static void NAME(tree_lines)(const tree *by_kind, const tree *by_value, const int32_t *kind, const int32_t *value,
                                    const int32_t *cards, ptrdiff_t shoes, int width, int kinds, int values, void *room,
                                    int64_t *out)
{
    VEC (*count)[WIDE] = room, (*of)[WIDE] = count + kinds, (*root)[WIDE] = of + values + 1;
    VEC (*sum)[WIDE] = root + by_kind->slots;
    const int lines = by_value->slots / TREE_DEALT;
    uint64_t lane[SHOES];
    for (ptrdiff_t s = 0; s < shoes; s += SHOES) {
        const int here = shoes - s < SHOES ? (int)(shoes - s) : SHOES;
        for (int k = 0; k < kinds + values + 1; k++)
            for (int h = 0; h < WIDE; h++) count[k][h] = (VEC){0};
        for (int k = 0; k < width; k++) {
            VEC held[WIDE];
            for (int i = 0; i < SHOES; i++) lane[i] = (uint64_t)cards[(s + (i < here ? i : 0)) * width + k];
            memcpy(held, lane, sizeof held);
            for (int h = 0; h < WIDE; h++) {
                count[kind[k]][h] += held[h];
                of[value[k]][h] += held[h];
                of[values][h] += held[h];
            }
        }
        NAME(tree_block)(by_kind, count, NULL, root);
        NAME(tree_block)(by_value, of, root, sum);
        for (int line = 0; line < lines; line++) {
            VEC (*x)[WIDE] = sum + TREE_DEALT * line;
            VEC deals[WIDE];
            for (int h = 0; h < WIDE; h++) {
                deals[h] = x[0][h];
                for (int k = 1; k < TREE_DEALT; k++) deals[h] = deals[h] * (of[values][h] - (uint64_t)(k + 1)) + x[k][h];
            }
            memcpy(lane, deals, sizeof lane);
            for (int i = 0; i < here; i++) out[(s + i) * lines + line] = (int64_t)lane[i];
        }
    }
}

#undef VEC
#undef WIDE
#undef SHOES
#undef TARGET
#undef LANES
#undef NAME
