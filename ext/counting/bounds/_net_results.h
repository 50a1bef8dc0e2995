/* Shoes under a rebate on the net loss, for plain C, AVX2 and AVX-512; see `_net_results_body.h`. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    int states, vertices, classes, features, points;
    double slope;           /* the slope of every function of the net result below its table; above the table it is 1 */
    const int32_t *first;   /* vertices + 1: each vertex's first jump; its jumps are its different pays */
    const int32_t *low;     /* jumps: the pay in steps of the lattice, rounded down */
    const double *rest;     /* jumps: what was rounded off, which is the chance of one step more */
    const int32_t *jump_of; /* vertices, classes of outcomes: the jump */
    const int32_t *next;    /* states, vertices: the next state; `states` if the bettor leaves; -1 if not allowed */
    const double *coefs;    /* slices, states, features, points */
    const double *end;      /* points: what a net result is worth at the end of the shoe */
} net_game;

typedef struct {
    const int32_t *slice, *cls;             /* the class as dealt */
    const double *known, *moved, *chances;  /* features before the coup; their increments; chances of classes */
} net_coups;

#define BODY "bounds/_net_results_body.h"
#include "../_each_set.h"
#if !defined(X86_VECTORS)
#define net_upper_avx2 net_upper_plain
#define net_upper_avx512 net_upper_plain
#define net_worth_avx2 net_worth_plain
#define net_worth_avx512 net_worth_plain
#define net_tables_avx2 net_tables_plain
#define net_tables_avx512 net_tables_plain
#endif
