/* Compare the kernels of this processor with counts and quotients of another processor: `check FILE`. `run.py` writes
 * the file. Counts must be the same integers, and quotients the same bits. At the first difference, it is printed, and
 * the program ends with status 1. */
#include <stdio.h>
#include <stdlib.h>
#include "_forms.h"
#include "_law.h"

static const char *at;

/* The next array of the file: its bytes, then its content in whole words. */
static const void *next(void)
{
    const int64_t *bytes = (const int64_t *)at;
    at += 8 + (*bytes + 7) / 8 * 8;
    return bytes + 1;
}

static void *room(size_t bytes) { return aligned_alloc(64, (bytes + 64) / 64 * 64); }

static long compared = 0;

/* Compare two arrays word by word, and add to the number of words that were compared. */
static void same(const char *name, const void *array, const void *expected, long rows, long columns)
{
    for (long i = 0; i < rows * columns; i++) {
        uint64_t is, should; /* copies: an array of doubles may not be read as integers */
        memcpy(&is, (const char *)array + 8 * i, 8), memcpy(&should, (const char *)expected + 8 * i, 8);
        if (is != should) {
            printf("%s, shoe %ld, column %ld: bits %016llx, should be %016llx\n", name, i / columns, i % columns,
                   (unsigned long long)is, (unsigned long long)should);
            exit(1);
        }
    }
    compared += rows * columns;
}

static law_bets bets(const int32_t *sizes)
{
    law_bets bets = {.classes = sizes[0], .events = sizes[1], .bets = sizes[2]};
    bets.class_start = next(), bets.cell = next(), bets.event_start = next(), bets.part = next();
    bets.bet_start = next(), bets.of_event = next();
    bets.coefficient = next(), bets.denominator = next();
    return bets;
}

/* A program's places, for one shoe alone or for two abreast. */
static law_index index_of(const int32_t *sizes)
{
    law_index ix = {.stages = sizes[2], .slots = sizes[3]};
    ix.stage = next(), ix.gather = next(), ix.scaled = next(), ix.picked = next(), ix.line = next(), ix.tile = next();
    ix.pick = next(), ix.term = next(), ix.add = next();
    return ix;
}

static void law(const int32_t *values, const int32_t *large, const int32_t *sizes)
{
    const long shoes = sizes[0], many = sizes[1], tables = 2;
    const law_index alone = index_of(sizes), two = index_of(sizes), *plain = PLAIN_LANES == 1 ? &alone : &two;
    const int64_t *gather = next(), *add = next();
    const double *gathers = next(), *adds = next();
    const law_bets apart = bets(sizes + 4), settled = bets(sizes + 7);
    const long width = apart.classes > settled.bets ? apart.classes : settled.bets;
    void *slots = room(64 * (alone.slots + width + 1 + 3 * settled.events)), *out = room(8 * width * (shoes + many));

    law_counts_plain(values, shoes, plain, gathers, adds, &apart, slots, out);
    same("counts of the law in doubles", out, next(), shoes, apart.classes);
    law_counts_int64(large, many, &alone, gather, add, &apart, slots, out);
    same("counts of the law in integers", out, next(), many, apart.classes);
    law_quotients_plain(values, shoes, plain, gathers, adds, &settled, slots, tables, settled.bets / tables, 1, out);
    same("quotients", out, next(), shoes, settled.bets);
    free(slots), free(out);
}

static void forms(const int32_t *values, const int32_t *large, const int32_t *sizes)
{
    const long shoes = sizes[0], many = sizes[1];
    const int number = sizes[10];
    forms_index ix;
    ix.product = next(), ix.part_group = next(), ix.group_rows = next();
    ix.group_start = next(), ix.inner = next(), ix.wide_start = next(), ix.wide = next();
    ix.part_single = next(), ix.single = next();
    const int64_t *weights = next(), *wide = next(), *single = next();
    const double *weighed = next(), *wides = next(), *singles = next();
    double *out = room(8 * number * (shoes + many));
    int64_t *whole = (int64_t *)out;

    for (long s = 0; s < shoes; s += PLAIN_SHOES) {
        const long left = shoes - s;
        forms_block_plain(values + 10 * s, left < PLAIN_SHOES ? left : PLAIN_SHOES, &ix, weighed, wides, singles,
                          number, out + s * number);
    }
    same("counts of forms in doubles", out, next(), shoes, number);
    for (long s = 0; s < many; s += 2)
        forms_block_int64(large + 10 * s, many - s < 2 ? 1 : 2, &ix, weights, wide, single, number,
                          whole + s * number);
    same("counts of forms in integers", out, next(), many, number);
    free(out);
}

int main(int argc, char **argv)
{
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (!file || fseek(file, 0, SEEK_END)) return 2;
    const long bytes = ftell(file);
    char *content = room(bytes);
    rewind(file);
    if (fread(content, 1, bytes, file) != (size_t)bytes) return 2;

    long tableaux = 0;
    for (at = content; at < content + bytes; tableaux++) {
        const int32_t *sizes = next(), *values = next(), *large = next();
        law(values, large, sizes);
        forms(values, large, sizes);
    }
    free(content);
    printf("%ld tableaux, %ld counts and quotients, all the same\n", tableaux, compared);
    return 0;
}
