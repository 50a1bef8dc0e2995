/* Sums of products of counts, as trees: the body for a block of shoes side by side.
 *
 * A node at depth d > 0 draws one more card: its value is that of the last node at depth d-1 times count[draw] - less;
 * at depth 0 it is base[draw]. Nodes come in the order in which the tree is walked, so that values by depth are all
 * that is kept. Term t of a node adds weight[t] times its value to sum slot[t].
 *
 * Numbers are modulo 2^64. A sum's terms have either sign and may pass 2^63 on the way, the sum itself does not.
 */
#include <stdint.h>

#define TREE_SHOES 8
#define TREE_DEPTHS 7

static void tree_block(const uint64_t *count, const uint64_t *base, int64_t nodes, const uint8_t *depth,
                       const uint8_t *less, const int32_t *draw, const int64_t *first, const int32_t *slot,
                       const int64_t *weight, uint64_t *sum)
{
    uint64_t value[TREE_DEPTHS][TREE_SHOES];
    for (int64_t i = 0; i < nodes; i++) {
        uint64_t *x = value[depth[i]];
        if (depth[i] == 0)
            for (int s = 0; s < TREE_SHOES; s++) x[s] = base[TREE_SHOES * (int64_t)draw[i] + s];
        else {
            const uint64_t *n = count + TREE_SHOES * (int64_t)draw[i], *above = value[depth[i] - 1];
            for (int s = 0; s < TREE_SHOES; s++) x[s] = above[s] * (n[s] - less[i]);
        }
        for (int64_t t = first[i]; t < first[i + 1]; t++) {
            uint64_t *to = sum + TREE_SHOES * (int64_t)slot[t];
            for (int s = 0; s < TREE_SHOES; s++) to[s] += (uint64_t)weight[t] * x[s];
        }
    }
}
