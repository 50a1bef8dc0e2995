/* The triggers that many counts have reached, for plain C, AVX2 and AVX-512; see `_triggers_body.h`. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define TRIGGER_KINDS 52                      /* the most kinds of cards */
#define TRIGGER_VECTORS 2                     /* vectors that hold one number for each composition of a block */
#define TRIGGER_ROWS 16                       /* the most compositions of a block */

typedef struct {
    int kinds, counts, divisors, systems;
    const int32_t *tags, *count_of, *divisor_of, *first;
    const double *scale, *centre, *trigger;
} trigger_systems;

#define BODY "systems/_triggers_body.h"
#include "../_each_set.h"
#if !defined(X86_VECTORS)
#define triggers_reached_avx2 triggers_reached_plain
#define triggers_reached_avx512 triggers_reached_plain
#endif
