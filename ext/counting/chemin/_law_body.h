/* The game of LANES shoes at once, for `_law.h`, which includes this once for each instruction set. The shoes have the
 * same number of cards; all numbers are whole and exact, see `_law.pyx`.
 *
 * Banker's hand g is dealt first, then Player's third card c. Player's hands of one total are added up together if they
 * all make the same move; `way` has their number. `worth[f]` is what all cards are worth as Banker's third card against
 * Player's total f. `tied_up[f]` is what the cards in Player's hands would be worth as this third card. It is
 * subtracted, because these cards cannot be drawn. Only one kind of these hands holds a card of c's value. */
#if defined(VECTOR_TYPES)
typedef double NAME(vec) __attribute__((vector_size(8 * LANES)));
typedef int64_t NAME(mask) __attribute__((vector_size(8 * LANES)));
#define LANE(x, lane) ((x)[lane])
#define WHERE(yes, x) ((VEC)((MASK)(x) & (yes)))
#else
typedef double NAME(vec);
typedef int64_t NAME(mask);
#define LANE(x, lane) (x)
#define WHERE(yes, x) ((yes) ? (x) : 0.0)
#endif
#define VEC NAME(vec)
#define MASK NAME(mask)

/* Sums over the cells: what standing is worth; what drawing adds in the cells in which Banker always draws; what
 * drawing adds if Banker draws as often as r->banker does; and what Banker's best reply to r->player adds. */
typedef struct { VEC stand[LAW_ROWS], drawn[LAW_ROWS], reference[2][LAW_ROWS], against; } NAME(law_sums);

TARGET static inline int NAME(law_any)(VEC x)
{
    int any = 0;
    for (int lane = 0; lane < LANES; lane++) any |= LANE(x, lane) != 0;
    return any;
}

/* Fill out[f] with what Player's total f wins if Banker draws to the total t, summed over the cards that may be
 * drawn. */
TARGET static inline void NAME(law_worth)(const law_rules *r, const VEC *cards, int t, VEC *out)
{
    VEC below = {0}, all = {0};
    for (int v = 0; v < 10; v++) all += cards[v];
    for (int f = 0; f < 10; f++) {
        const VEC at = cards[(f + 10 - t) % 10];
        out[f] = r->win * below - r->lose * (all - below - at);
        below += at;
    }
}

/* Add a cell's forms, for standing and for drawing, to the sums. If Banker has a choice and neither move is at least as
 * good as the other for every x, the cell is undecided: add it and what drawing adds to the list of undecided cells. */
TARGET static inline void NAME(law_cell)(const law_rules *r, int cell, const VEC *stand, const VEC *draw,
                                         NAME(law_sums) *to, double *open, int *opened)
{
    const int letter = r->letter[cell];
    VEC diff[LAW_ROWS], most = {0}, all, mixed = {0};
    for (int i = 0; i < LAW_ROWS; i++) diff[i] = draw[i] - stand[i], to->stand[i] += stand[i];
    for (int word = 0; word < 2; word++) {
        const double p = r->banker[word][cell];
        if (p != 0)
            for (int i = 0; i < LAW_ROWS; i++) to->reference[word][i] += p * diff[i];
    }
    all = diff[0];
    for (int i = 1; i < LAW_ROWS; i++) all += diff[i], most += WHERE(diff[i] > 0, diff[i]);
    for (int i = 0; i < LAW_ROWS; i++) mixed += r->player[i] * diff[i];
    const VEC low = all - most, high = diff[0] + most, zero = {0};
    MASK draws = (low < 0) & (high <= 0);
    if (letter == LAW_FREE) {
        const MASK unsure = (low < 0) & (high > 0);
        for (int lane = 0; lane < LANES; lane++)
            if (LANE(unsure, lane)) {
                double *form = open + lane * LAW_ROOM + opened[lane]++ * LAW_ROWS;
                for (int i = 0; i < LAW_ROWS; i++) form[i] = LANE(diff[i], lane);
            }
        to->against += WHERE(mixed < 0, mixed);
    } else {
        draws = letter ? zero == zero : zero != zero;
        if (letter) to->against += mixed;
    }
    for (int i = 0; i < LAW_ROWS; i++) to->drawn[i] += WHERE(draws, diff[i]);
}

/* `counts` [10][LANES] has the counts of shoes of `cards` cards each. The results go to `room`, see `law_room`. */
TARGET static void NAME(law_game)(const law_rules *r, const double *counts, int cards, law_room *room)
{
    const double last = cards - 5, two = (cards - 4.0) * last;
    NAME(law_sums) sums;
    VEC n[10], beaten = {0};
    memcpy(n, counts, sizeof n);
    memset(&sums, 0, sizeof sums);
    memset(room->opened, 0, sizeof room->opened);
    for (int g = 0; g < 55; g++) {
        const int a = r->hands[g][0], b = r->hands[g][1], t = (a + b) % 10;
        const VEC ways = a == b ? 0.5 * n[a] * (n[a] - 1) : n[a] * n[b];
        VEC worth[10], way[10], held[10], tied_up[8][10], stand[LAW_ROWS], draw[LAW_ROWS];
        if (!NAME(law_any)(ways)) continue;
        n[a] -= 1, n[b] -= 1;
        NAME(law_worth)(r, n, t, worth);
        for (int p = 0; p < 10; p++) {
            way[p] = (VEC){0};
            for (int v = 0; v < 10; v++) {
                const int w = (p + 10 - v) % 10;
                way[p] += held[v] = n[v] * (v == w ? n[v] - 1 : n[w]);
            }
            way[p] *= 0.5;
            if (p < 8 && t < 8) NAME(law_worth)(r, held, t, tied_up[p]);
        }
        if (t >= 8) {
            beaten += ways * (0.5 * (cards - 2) * (cards - 3) - way[9] - (t == 8 ? way[8] : (VEC){0}));
            n[a] += 1, n[b] += 1;
            continue;
        }
        for (int i = 0; i < LAW_ROWS; i++) stand[i] = draw[i] = (VEC){0};
        for (int p = 0; p < 8; p++)
            if (r->totals[p] == LAW_STANDS) {
                stand[0] += way[p] * (two * SCORE(r, p, t));
                draw[0] += last * (way[p] * worth[p] - tied_up[p][p]);
            }
        for (int i = 0; i < r->choices; i++) {
            const int u = r->choice[i][0], v = r->choice[i][1], p = (u + v) % 10, at = r->choice[i][2];
            const VEC hand = u == v ? 0.5 * n[u] * (n[u] - 1) : n[u] * n[v];
            const VEC stood = hand * (two * SCORE(r, p, t));
            const VEC drawn = hand * last * (worth[p] - (SCORE(r, p, (t + u) % 10) + SCORE(r, p, (t + v) % 10)));
            stand[0] += stood, stand[at] -= stood, draw[0] += drawn, draw[at] -= drawn;
        }
        for (int i = 0; i < LAW_ROWS; i++) stand[i] *= ways, draw[i] *= ways;
        NAME(law_cell)(r, 11 * g + 10, stand, draw, &sums, room->open, room->opened);
        for (int c = 0; c < 10; c++) {
            const VEC both = ways * n[c];
            const law_draw *of = r->drawing[t][c], *end = of + r->draws;
            if (!NAME(law_any)(both)) continue;
            n[c] -= 1;
            for (int i = 0; i < LAW_ROWS; i++) stand[i] = draw[i] = (VEC){0};
            for (; of < end; of++) { /* c is already out of the shoe, so n[of->v] is one less if v is c */
                const VEC with = n[of->v], hands = way[of->p] - with;
                stand[0] += hands * of->now;
                draw[0] += hands * (worth[of->f] - of->third) - (tied_up[of->p][of->f] - with * of->both);
            }
            for (of = r->choosing[t][c], end = of + r->choices; of < end; of++) {
                const VEC hand = n[of->p] * (of->p == of->v ? 0.5 * (n[of->v] - 1) : n[of->v]);
                stand[of->at] += hand * of->now, draw[of->at] += hand * (worth[of->f] - of->both);
            }
            n[c] += 1;
            for (int i = 0; i < LAW_ROWS; i++) stand[i] *= both * last, draw[i] *= both;
            NAME(law_cell)(r, 11 * g + c, stand, draw, &sums, room->open, room->opened);
        }
        n[a] += 1, n[b] += 1;
    }
    /* Naturals: both sides win equally often, so each pair of wins is worth win - lose. */
    const VEC settled = beaten * (two * (r->win - r->lose));
    sums.stand[0] += settled;
    for (int i = 0; i < LAW_ROWS; i++) {
        sums.against += r->player[i] * sums.stand[i];
        for (int word = 0; word < 2; word++) sums.reference[word][i] += r->banker_parts[word] * sums.stand[i];
    }
    for (int lane = 0; lane < LANES; lane++) {
        for (int i = 0; i < LAW_ROWS; i++) {
            room->sums[lane][i] = LANE(sums.stand[i], lane) + LANE(sums.drawn[i], lane);
            for (int word = 0; word < 2; word++)
                room->reference[word][lane][i] = LANE(sums.reference[word][i], lane);
        }
        room->against[lane] = LANE(sums.against, lane);
    }
}

#undef VEC
#undef MASK
#undef LANE
#undef WHERE
#undef LANES
#undef NAME
#undef TARGET
