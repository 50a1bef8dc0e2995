/* Sums of products of counts, as trees, for plain C, AVX2 and AVX-512; see `_trees_body.h`. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define TREE_DEPTHS 7
#define TREE_SHOES 16                         /* the most shoes of a block */
#define TREE_DEALT 5                          /* sums of a line: one for each number of cards dealt, two to six */

typedef struct {
    int64_t nodes;
    int kinds, roots, slots;                  /* the sizes that draws, bases and terms need, or more */
    const uint8_t *depth, *less;
    const int32_t *draw, *slot;
    const int64_t *first, *weight;
} tree;

#define BODY "exact/_trees_body.h"
#include "../_each_set.h"
#if !defined(X86_VECTORS)
#define tree_sums_avx2 tree_sums_plain
#define tree_sums_avx512 tree_sums_plain
#define tree_lines_avx2 tree_lines_plain
#define tree_lines_avx512 tree_lines_plain
#endif
