/* The game of several shoes at once, for plain vectors, AVX2 and AVX-512; see `_law_body.h`. */
#include <stdint.h>
#include <string.h>

#define LAW_LANES 8                           /* the most shoes at once */
#define LAW_COLUMNS 5                         /* the most of Player's cells with a choice */
#define LAW_CELLS 484                         /* Banker's cells: eleven for each of 44 hands that are not naturals */
#define LAW_ROWS (LAW_COLUMNS + 1)
#define LAW_ROOM (LAW_CELLS * LAW_ROWS)
enum { LAW_STANDS, LAW_DRAWS, LAW_FREE };     /* what one of Player's totals, or a cell of Banker's, does */

/* One draw of Player's: the card c, while Banker's total is t. An entry of `drawing` is for all of Player's hands with
 * the total p; some of these hands consist of v and another c. An entry of `choosing` is for the hand (p, v), whose
 * column is `at`. Player's final total is f. `now` is the score if Banker stands, and `third` the score if Banker draws
 * another c. `both` is `third` plus the score if Banker draws v; in `choosing`, the score if Banker draws p is added
 * too. */
typedef struct { int p, v, f, at; double now, third, both; } law_draw;

typedef struct {
    double win, lose;                         /* what Player gets for a win, and pays for a loss */
    double score[10][10];                     /* a coup's worth to Player, indexed by Player's and Banker's totals */
    int columns, choices;                     /* how many of Player's cells, and of Player's hands, have a choice */
    int8_t hands[55][2], choice[LAW_CELLS / 11][3]; /* `choice`: a hand's two values and its column */
    int draws;                                /* the number of Player's totals that draw */
    law_draw drawing[8][10][8], choosing[8][10][LAW_CELLS / 11];
    int8_t totals[8], letter[LAW_CELLS];
    double player[LAW_ROWS];                  /* Player's reference play: numerators over player[0] */
    double banker_parts[2], banker[2][LAW_CELLS]; /* Banker's reference play, over these parts, in two words */
} law_rules;

typedef struct {
    double sums[LAW_LANES][LAW_ROWS];         /* what all cells are worth if Banker stands in the undecided cells */
    double reference[2][LAW_LANES][LAW_ROWS]; /* the same if Banker plays r->banker, times each word of its parts */
    double against[LAW_LANES];                /* what r->player wins against Banker's best reply, times player[0] */
    int opened[LAW_LANES];                    /* the number of undecided cells; `open`: what drawing adds in each */
    double open[LAW_LANES * LAW_ROOM];
} law_room;

#define SCORE(r, f, u) ((r)->score[f][u])

#define BODY "chemin/_law_body.h"
#include "../_each_set.h"
#if !defined(X86_VECTORS)
#define law_game_avx2 law_game_plain
#define law_game_avx512 law_game_plain
#endif
