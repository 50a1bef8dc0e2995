/* What the compiler has: vector types (GCC and Clang), and with them the instruction sets of x86-64, chosen at run
 * time. Other compilers build the same loops in plain C, one lane; -DCOUNTING_PLAIN_C makes any compiler do so. */
#ifndef COUNTING_VECTORS_H
#define COUNTING_VECTORS_H

#if defined(__GNUC__) && !defined(COUNTING_PLAIN_C)
#define VECTOR_TYPES
#if defined(__x86_64__)
#define X86_VECTORS
#endif
#endif

#endif
