/* The census's inner loops for plain vectors, AVX2 and AVX-512; see `_census_body.h`. */
#include <math.h>
#include <stdint.h>
#include <string.h>
#include "../_vectors.h"

typedef struct {
    int alternatives;            /* how many; the bet's numerator is the largest of theirs */
    int most;                    /* the cards of a value in the full shoe */
    const double *choose;        /* [most + 1][7]: C(d, k) */
    const double *choose_ways;   /* [most + 1]: C(most, d) */
    const double *binomials;     /* [7][width]: C(a, i) */
    int width;
    const int32_t *lines;        /* [cards + 1], by cards left: the number of pairs (a, b), in full lines of LANES */
    const int64_t *start;        /* [cards + 1], by cards left: where these pairs begin in `ways` and `tags` */
    const double *ways;          /* of each pair: C(most, a) C(most, b) C(tens, left - a - b), 0 if a + b > left */
    const int32_t *tags;         /* of each pair: the sum of its tags, each less the tag of tens */
    double low, scale, bins;     /* of a histogram: where the first bin begins, bins per unit, and number of bins */
    int tag;                     /* a system's tag of the value whose count is d, less its tag of tens */
    double *histogram, *by_count; /* sums to add to, NULL if not wanted: see `_census.pyx` */
    double *numerators;          /* [alternatives + 1][room]: the alternatives' numerators on all pairs, and the best */
    int room;
    double *shares;              /* [3 * alternatives + 1][8], with several alternatives */
} census_tables;

typedef struct { double mean, square, plus, positive, nothing, best; int at; } census_sums;

#if defined(VECTOR_TYPES)
#define ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE inline
#endif

#define BODY "exact/_census_body.h"
#include "../_each_set.h"
#if !defined(X86_VECTORS)
#define census_row_avx2 census_row_plain
#define census_row_avx512 census_row_plain
#define census_step_avx2 census_step_plain
#define census_step_avx512 census_step_plain
#endif
