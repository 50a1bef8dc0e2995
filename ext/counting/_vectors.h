/* With GCC and Clang, loops use vector types and, on x86-64, an instruction set that is chosen at run time. Other
 * compilers build the same loops in plain C, with one lane. With -DCOUNTING_PLAIN_C, every compiler builds plain C. */
#ifndef COUNTING_VECTORS_H
#define COUNTING_VECTORS_H

#if defined(__GNUC__) && !defined(COUNTING_PLAIN_C)
#define VECTOR_TYPES
#if defined(__x86_64__)
#define X86_VECTORS
#endif
#endif

/* The number of doubles in a plain vector. */
#if defined(VECTOR_TYPES)
#define PLAIN_LANES 2
#else
#define PLAIN_LANES 1
#endif

/* The best instruction set that this build and this machine have: 0 plain, 1 AVX2, 2 AVX-512. */
static inline int vectors_best(void)
{
#if defined(X86_VECTORS)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) return 2;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return 1;
#endif
    return 0;
}

#endif
