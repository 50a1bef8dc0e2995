/* The triggers reached for a block of compositions side by side, for `_triggers.h`, which includes this once for each
 * instruction set. */
#if defined(VECTOR_TYPES)
typedef double NAME(vec) __attribute__((vector_size(8 * LANES)));
typedef int64_t NAME(mask) __attribute__((vector_size(8 * LANES)));
#define AT_LEAST(x, y) (-((x) >= (y)))
#define SIZE(x) ((VEC)((MASK)(x) & INT64_MAX))
#else
typedef double NAME(vec);
typedef int64_t NAME(mask);
#define AT_LEAST(x, y) ((x) >= (y))
#define SIZE(x) ((x) < 0 ? -(x) : (x))
#endif
#define VEC NAME(vec)
#define MASK NAME(mask)
#define ROWS (TRIGGER_VECTORS * LANES)

/* Change the running counts by the cards of one kind that are gone. */
TARGET static void NAME(triggers_move)(int32_t *restrict running, const int32_t *restrict tags, int32_t gone, int counts)
{
    for (int i = 0; i < counts; i++) running[i] += gone * tags[i];
}

/* Fill out[system, row] from left[row, kind] and divisors[divisor, row]. `running` has the counts with no card unseen;
 * room has space for a block of each count and each divisor. */
TARGET static void NAME(triggers_reached)(const trigger_systems *of, const int32_t *left, const double *divisors,
                                          ptrdiff_t rows, int32_t *running, void *room, int32_t *out)
{
    VEC (*count)[TRIGGER_VECTORS] = room, (*divisor)[TRIGGER_VECTORS] = count + of->counts;
    double *one = room;
    const int counts = of->counts;
    for (ptrdiff_t start = 0; start < rows; start += ROWS) {
        const int here = rows - start < ROWS ? (int)(rows - start) : ROWS;
        for (int r = 0; r < ROWS; r++) {
            const ptrdiff_t row = start + (r < here ? r : here - 1);
            int32_t change[TRIGGER_KINDS];
            int changed = 0, of_kind[TRIGGER_KINDS];
            for (int kind = 0; kind < of->kinds; kind++) {
                const int32_t *now = left + row * of->kinds + kind;
                change[changed] = (row ? now[-of->kinds] : 0) - *now, of_kind[changed] = kind;
                changed += change[changed] != 0; /* without a branch, which would be taken at random */
            }
            if (r < here)
                for (int j = 0; j < changed; j++)
                    NAME(triggers_move)(running, of->tags + (ptrdiff_t)of_kind[j] * counts, change[j], counts);
            for (int i = 0; i < counts; i++) one[(ptrdiff_t)i * ROWS + r] = running[i];
            for (int i = 0; i < of->divisors; i++)
                one[(ptrdiff_t)(counts + i) * ROWS + r] = divisors[i * rows + row];
        }
        for (int k = 0; k < of->systems; k++) {
            const VEC *by = divisor[of->divisor_of[k]];
            VEC x[TRIGGER_VECTORS];
            MASK at[TRIGGER_VECTORS];
            int64_t lane[ROWS];
            for (int h = 0; h < TRIGGER_VECTORS; h++) {
                x[h] = count[of->count_of[k]][h] * of->scale[k], at[h] = (MASK){0};
                if (of->centre[k] == of->centre[k]) x[h] -= of->centre[k] * by[h], x[h] = SIZE(x[h]);
            }
            for (int t = of->first[k]; t < of->first[k + 1]; t++)
                for (int h = 0; h < TRIGGER_VECTORS; h++) at[h] += AT_LEAST(x[h], of->trigger[t] * by[h]);
            memcpy(lane, at, sizeof lane);
            for (int r = 0; r < here; r++) out[k * rows + start + r] = (int32_t)lane[r];
        }
    }
}

#undef AT_LEAST
#undef SIZE
#undef VEC
#undef MASK
#undef ROWS
#undef TARGET
#undef LANES
#undef NAME
