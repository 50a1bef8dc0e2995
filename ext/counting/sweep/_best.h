/* The best of the stakes allowed, for plain C, AVX2 and AVX-512; see `_best_body.h`. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define BEST_VECTORS 4                        /* vectors that hold a bet's edges on a block of coups */
#define BEST_ROWS 32                          /* the most coups of a block */

typedef struct {
    int bets, vertices, seated;
    const int32_t *first, *bet;               /* vertex v has the amounts first[v] to first[v + 1] - 1; their bets */
    const double *amount;
    const uint8_t *on_side;
} best_stakes;

#define BODY "sweep/_best_body.h"
#include "../_each_set.h"
#if !defined(X86_VECTORS)
#define best_plays_avx2 best_plays_plain
#define best_plays_avx512 best_plays_plain
#endif
