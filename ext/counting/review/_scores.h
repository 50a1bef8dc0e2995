/* Sums of scored edges, for plain C, AVX2 and AVX-512; see `_scores.pyx` and `_scores_body.h`. */
#include <stddef.h>

#include "../_exponential.h"

#define BODY "review/_scores_body.h"
#include "../_each_set.h"
#if !defined(X86_VECTORS)
#define scores_sums_avx2 scores_sums_plain
#define scores_sums_avx512 scores_sums_plain
#endif
