/* A round of a fit of tilts, for plain C, AVX2 and AVX-512; see `_fits.pyx` and `_fits_body.h`. */
#include <stddef.h>
#include <string.h>

#include "../_exponential.h"

#define FITS_ROWS 64 /* compositions of a block */
#define FITS_APART 8 /* sums that are kept apart, each of every eighth composition */

#define BODY "simulation/_fits_body.h"
#include "../_each_set.h"
#if !defined(X86_VECTORS)
#define fits_round_avx2 fits_round_plain
#define fits_round_avx512 fits_round_plain
#endif
