/* The vector body of the joint distribution: sums and products for one block of shoes, side by side in lanes.
 *
 * `_law.h` includes this once for each kind of lane, with these macros:
 *
 * - ELEM: the number type of a lane.
 * - VEC: the vector that holds a block of SHOES shoes.
 * - TARGET: the compiler attribute.
 * - COLUMNS: how many columns of a tile the registers have room for, 5 or 10.
 * - TILE(DO): DO for each of these columns, so FIVE or TEN.
 * - KEEP(y): makes the compiler load y only once.
 *
 * A slot is a vector, with one number for each shoe. The program gives the place of a slot as an offset in numbers
 * (ELEM), not in slots: SHOES times the slot's index. This saves shifts, and with them a sixth of a tile's time.
 *
 * All numbers are integers. Doubles are exact up to 455 cards, for any order of the sums and with or without fused
 * multiply-add. int64 is exact up to 27 decks. `counting.exact.joint_distributions` explains the numbers and these
 * limits; `joint_programs` lays the program out.
 */
TARGET static void NAME(law_block)(const int32_t *values, int shoes, const law_index *ix, const ELEM *gather,
                                   const ELEM *add, VEC *restrict slot)
{
#define AT(place) ((VEC *)((ELEM *)slot + (place)))
/* Two rows at once. In each term, each row adds a slot of its own times ten slots, which both rows share. The ten are
 * neighbours, or picked from anywhere. */
#define BEGIN(j) VEC a##j = init[j], b##j = init[10 + j];
#define IN_A_ROW(j) y = AT(t[2])[c + j]; KEEP(y) a##j += x0 * y; b##j += x1 * y;
#define PICKED(j) y = *AT(t[2 + c + j]); KEEP(y) a##j += x0 * y; b##j += x1 * y;
#define END(j) to[j] = a##j; to[10 + j] = b##j;
#define TILES(kind, tiles, terms, width, TERM)                                                                         \
    for (int r = first[kind]; r < first[KINDS + kind]; r++)                                                            \
        for (int c = 0; c < 10; c += COLUMNS) {                                                                        \
            const int32_t *tile = tiles + 4 * r;                                                                       \
            const VEC *init = AT(tile[1]) + c;                                                                         \
            VEC *to = AT(tile[0]) + c, y;                                                                              \
            TILE(BEGIN)                                                                                                \
            for (const int32_t *t = terms + width * tile[2]; t < terms + width * tile[3]; t += width) {                \
                const VEC x0 = *AT(t[0]), x1 = *AT(t[1]);                                                              \
                TILE(TERM)                                                                                             \
            }                                                                                                          \
            TILE(END)                                                                                                  \
        }
    ELEM lane[SHOES];
    VEC cards = {0};
    for (int v = 0; v < 10; v++) {
        for (int s = 0; s < SHOES; s++) lane[s] = (ELEM)values[10 * (s < shoes ? s : 0) + v];
        memcpy(slot + v, lane, sizeof lane);
        cards += slot[v];
    }
    for (int i = 0; i < LAW_ZEROS; i++) slot[LAW_ZERO + i] = cards - cards;
    slot[LAW_ONE] = slot[LAW_ZERO] + (ELEM)1;
    slot[LAW_FIVE] = cards - (ELEM)5;
    slot[LAW_FOUR] = slot[LAW_DEALS] = (cards - (ELEM)4) * slot[LAW_FIVE];
    for (int i = 0; i < 4; i++) slot[LAW_DEALS] *= cards - (ELEM)i;

    for (const int32_t *first = ix->stage, *end = first + KINDS * ix->stages; first < end; first += KINDS) {
        for (int r = first[0]; r < first[KINDS]; r++) { /* ten slots, each a coefficient times a slot */
            const int32_t *from = ix->gather + 11 * r + 1;
            const ELEM *k = gather + 10 * r;
            VEC *to = AT(from[-1]);
#define DO(j) to[j] = k[j] * *AT(from[j]);
            TEN(DO)
#undef DO
        }
        for (int r = first[1]; r < first[KINDS + 1]; r++) { /* ten slots, each times the same slot */
            const int32_t *from = ix->scaled + 12 * r + 2;
            const VEC scale = *AT(from[-1]);
            VEC *to = AT(from[-2]);
#define DO(j) to[j] = scale * *AT(from[j]);
            TEN(DO)
#undef DO
        }
        TILES(2, ix->picked, ix->pick, 12, PICKED)
        for (int r = first[3]; r < first[KINDS + 3]; r++) { /* a row of ten slots, plus the sum of slots times rows */
            const int32_t *line = ix->line + 4 * r;
            const VEC *init = AT(line[1]);
            VEC *to = AT(line[0]);
#define DO(j) VEC a##j = init[j];
            TEN(DO)
#undef DO
            for (const int32_t *t = ix->term + 3 * line[2]; t < ix->term + 3 * line[3]; t += 3) {
                const VEC x = *AT(t[0]), *y = AT(t[2]);
#define DO(j) a##j += x * y[j];
                TEN(DO)
#undef DO
            }
#define DO(j) to[j] = a##j;
            TEN(DO)
#undef DO
        }
        TILES(4, ix->tile, ix->term, 3, IN_A_ROW)
        for (int e = first[5]; e < first[KINDS + 5]; e++) *AT(ix->add[2 * e]) += add[e] * *AT(ix->add[2 * e + 1]);
    }
#undef AT
#undef TILES
#undef BEGIN
#undef IN_A_ROW
#undef PICKED
#undef END
}

/* Fill classes[k] with the number of six-card deals that end in class k; the last entry is the number of all deals. */
TARGET static void NAME(law_classes)(const law_bets *bets, const VEC *slot, VEC *classes)
{
    for (int k = 0; k < bets->classes; k++) {
        VEC sum = slot[LAW_ZERO];
        for (int e = bets->class_start[k]; e < bets->class_start[k + 1]; e++)
            sum += slot[bets->cell[2 * e]] * slot[bets->cell[2 * e + 1]];
        classes[k] = sum;
    }
    classes[bets->classes] = slot[LAW_DEALS];
}

/* Fill out[shoe, class]. room has space for the slots, the classes and all deals. */
TARGET static void NAME(law_counts)(const int32_t *values, ptrdiff_t shoes, const law_index *ix, const ELEM *gather,
                                    const ELEM *add, const law_bets *bets, void *room, ELEM *out)
{
    VEC *slot = room, *classes = slot + ix->slots;
    ELEM lane[SHOES];
    for (ptrdiff_t s = 0; s < shoes; s += SHOES) {
        const int here = shoes - s < SHOES ? (int)(shoes - s) : SHOES;
        NAME(law_block)(values + 10 * s, here, ix, gather, add, slot);
        NAME(law_classes)(bets, slot, classes);
        for (int k = 0; k < bets->classes; k++) {
            memcpy(lane, classes + k, sizeof lane);
            for (int i = 0; i < here; i++) out[(s + i) * bets->classes + k] = lane[i];
        }
    }
}
