/* The joint distribution's body for each kind of lane: int64 for shoes beyond 455 cards, and double for plain vectors,
 * AVX2 and AVX-512. `vectors_best` returns the best instruction set to use. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "../_vectors.h"

/* The slots that a program starts with: ten counts, one, N - 5, (N - 4)(N - 5), all deals, and zeros. */
enum { LAW_ONE = 10, LAW_FIVE, LAW_FOUR, LAW_DEALS, LAW_ZERO, LAW_ZEROS = 20, LAW_FREE = LAW_ZERO + LAW_ZEROS };

enum { KINDS = 6 }; /* the kinds of steps: gather, scaled, picked, line, tile, add */

typedef struct {
    int stages, slots;
    const int32_t *stage, *gather, *scaled, *picked, *line, *tile, *pick, *term, *add;
} law_index;

typedef struct {
    int classes, events, bets;
    const int32_t *class_start, *cell, *event_start, *part, *bet_start, *of_event;
    const double *coefficient, *denominator;
} law_bets;

#define FIVE(DO) DO(0) DO(1) DO(2) DO(3) DO(4)
#define TEN(DO) FIVE(DO) DO(5) DO(6) DO(7) DO(8) DO(9)

#define ELEM int64_t
#define VEC int64_t
#define SHOES 1
#define TARGET
#define COLUMNS 5
#define TILE FIVE
#define KEEP(y)
#define NAME(f) f##_int64
#include "_law_body.h"
#undef ELEM
#undef VEC
#undef SHOES
#undef KEEP
#undef NAME
#undef ELEM

#define ELEM double
#if defined(VECTOR_TYPES)
typedef double law_vec2 __attribute__((vector_size(16)));
#define VEC law_vec2
#else
#define VEC double
#endif
#define SHOES PLAIN_LANES
#if defined(X86_VECTORS)
#define KEEP(y) __asm__("" : "+x"(y));
#elif defined(VECTOR_TYPES) && defined(__aarch64__)
#define KEEP(y) __asm__("" : "+w"(y));
#else
#define KEEP(y)
#endif
#define NAME(f) f##_plain
#include "_law_body.h"
#include "_law_settle.h"
#undef VEC
#undef SHOES
#undef TARGET
#undef NAME

#if defined(X86_VECTORS)
typedef double law_vec4 __attribute__((vector_size(32)));
#define VEC law_vec4
#define SHOES 4
#define TARGET __attribute__((target("avx2,fma")))
#define NAME(f) f##_avx2
#include "_law_body.h"
#include "_law_settle.h"
#undef VEC
#undef SHOES
#undef TARGET
#undef COLUMNS
#undef TILE
#undef KEEP
#undef NAME

typedef double law_vec8 __attribute__((vector_size(64)));
#define VEC law_vec8
#define SHOES 8
#define TARGET __attribute__((target("avx512f")))
#define COLUMNS 10
#define TILE TEN
#define KEEP(y) __asm__("" : "+v"(y));
#define NAME(f) f##_avx512
#include "_law_body.h"
#include "_law_settle.h"
#else
#define law_counts_avx2 law_counts_plain
#define law_counts_avx512 law_counts_plain
#define law_quotients_avx2 law_quotients_plain
#define law_quotients_avx512 law_quotients_plain
#endif
