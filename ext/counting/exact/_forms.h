/* The evaluator's body for each kind of lane: int64 for shoes beyond 458 cards, and double for plain vectors, AVX2 and
 * AVX-512. `vectors_best` returns the best instruction set to use. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "../_vectors.h"

#define FALLING 70  /* falling factorials: ten values, 0 to 6 cards */
#define STORED 126  /* multisets of at most four cards of five values */
#define ROWS 3      /* rows that share a group's inner loop */
#define WIDE 5      /* rows of a wide group, one for each value of a half */
#define PARTS 3     /* parts of a form: coups of four, of five and of six cards */

typedef struct {
    const int32_t *product, *part_group, *group_rows, *group_start, *inner;
    const int32_t *wide_start, *wide, *part_single, *single; /* product, wide, single: [2], two slots to multiply */
} forms_index;

#define ELEM int64_t
#define VEC int64_t
#define SHOES 2
#define TARGET
#define NAME(f) f##_int64
#include "_forms_body.h"

#if defined(VECTOR_TYPES)
typedef double vec2 __attribute__((vector_size(16)));
#else
typedef double vec2;
#endif
#define PLAIN_SHOES (2 * (int)(sizeof(vec2) / sizeof(double)))
#define ELEM double
#define VEC vec2
#define SHOES PLAIN_SHOES
#define TARGET
#define NAME(f) f##_plain
#include "_forms_body.h"

#if defined(X86_VECTORS)
typedef double vec4 __attribute__((vector_size(32)));
typedef double vec8 __attribute__((vector_size(64)));
#define ELEM double
#define VEC vec4
#define SHOES 8
#define TARGET __attribute__((target("avx2,fma")))
#define NAME(f) f##_avx2
#include "_forms_body.h"
#define ELEM double
#define VEC vec8
#define SHOES 16
#define TARGET __attribute__((target("avx512f")))
#define NAME(f) f##_avx512
#include "_forms_body.h"
#else
#define forms_block_avx2 forms_block_plain
#define forms_block_avx512 forms_block_plain
#endif
