/* Distances of near cards in a shoe, for plain C, AVX2 and AVX-512; see `_successors.pyx` and `_successors_body.h`. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define SUCCESSOR_BINS 16
#define SUCCESSOR_LAGS 4
#define SUCCESSOR_STRENGTHS 8 /* the columns of a group */
#define SUCCESSOR_SPREADS 3   /* the tables of weights of a pile */
#define SUCCESSOR_CARDS 1404
#define SUCCESSOR_KINDS 52
#define SUCCESSOR_CELLS (SUCCESSOR_LAGS * SUCCESSOR_BINS)
#define SUCCESSOR_ABREAST 4   /* groups whose columns are added up together */

typedef struct {
    const int32_t *edges;           /* the edges of the bins: SUCCESSOR_BINS + 1 */
    const int32_t *pairs;           /* for each pair: its place in the table, and the place of its class in sums */
    const int32_t *ends;            /* for each block: the pair after its last pair */
    const int32_t *groups;          /* for each block: its first group, and the group after its last group */
    const int32_t *lines;           /* for each line: its first member; a group has SUCCESSOR_LAGS lines */
    const int32_t *members;         /* classes and shared sums, as places in sums */
    const int32_t *scored_by;       /* for each group: which of the scores it has */
    const int32_t *shared;          /* for each sum after the classes: the two sums added up, as places in sums */
    const double *scores;           /* (.., lags, bins, strengths) */
    const double *local;            /* (piles, spreads, kinds, kinds), used on and above the diagonal */
    const double *reach;            /* (reaches, bins) */
    uint16_t *running, *table;      /* room for counts of a shoe: see the body */
    int32_t *sums;                  /* the sums of a block (classes and shared sums, bins) */
    ptrdiff_t blocks, classes, shares, piles, reaches, kinds, cards;
} successor_lists;

#if defined(__clang__)
#define SHUFFLED(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define SHUFFLED(a, b, ...) __builtin_shuffle(a, b, (EIGHT){__VA_ARGS__})
#endif
#define BODY "review/_successors_body.h"
#include "../_each_set.h"
#if !defined(X86_VECTORS)
#define successors_columns_avx2 successors_columns_plain
#define successors_columns_avx512 successors_columns_plain
#endif
