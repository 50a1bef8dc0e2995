/* Includes the file BODY, a path below this folder, once for each instruction set. TARGET, LANES and NAME(f) are
 * defined before each inclusion, and the file undefines them. NAME(f) is f_plain and, if X86_VECTORS is defined, also
 * f_avx2 and f_avx512. */
#include "_vectors.h"

#define TARGET
#define LANES PLAIN_LANES
#define NAME(f) f##_plain
#include BODY
#if defined(X86_VECTORS)
#define TARGET __attribute__((target("avx2,fma")))
#define LANES 4
#define NAME(f) f##_avx2
#include BODY
#define TARGET __attribute__((target("avx512f,avx512dq")))
#define LANES 8
#define NAME(f) f##_avx512
#include BODY
#endif
#undef BODY
