/* The game of many shoes at once for plain vectors, AVX2 and AVX-512; see `_law_body.h`. */
#include <stdint.h>
#include <string.h>

#define LAW_LANES 8                           /* the most shoes at once */
#define LAW_COLUMNS 5                         /* the most of Player's cells with a choice */
#define LAW_CELLS 484                         /* Banker's, the first eleven of each hand */
#define LAW_ROWS (LAW_COLUMNS + 1)
#define LAW_ROOM (LAW_CELLS * LAW_ROWS)
enum { LAW_STANDS, LAW_DRAWS, LAW_FREE };     /* of one of Player's totals, or of a cell of Banker's */

/* Player draws c while Banker has t: to all hands of total p, of which one kind is v with another c; or to the hand (p,
 * v) of the column `at`. Player's total is then f, and `now` is the score. `third` is the score if c were Banker's
 * draw; `both` adds the scores if v, or p and v, were. */
typedef struct { int p, v, f, at; double now, third, both; } law_draw;

typedef struct {
    double win, lose;                         /* what Player gets for a win, and pays for a loss */
    double score[10][10];                     /* the worth of a coup to Player, by Player's total and Banker's */
    int columns, choices;                     /* Player's cells, and hands, with a choice */
    int8_t hands[55][2], choice[LAW_CELLS / 11][3]; /* the last is the hand's column */
    int draws;                                /* totals that draw */
    law_draw drawing[8][10][8], choosing[8][10][LAW_CELLS / 11];
    int8_t totals[8], letter[LAW_CELLS];
    double player[LAW_ROWS];                  /* plays to compare with: over player[0], */
    double banker_parts[2], banker[2][LAW_CELLS]; /* and over these parts, in two words */
} law_rules;

typedef struct {
    double sums[LAW_LANES][LAW_ROWS];         /* all cells if Banker stands in the undecided cells */
    double reference[2][LAW_LANES][LAW_ROWS]; /* all cells if Banker plays r->banker, times each word of its parts */
    double against[LAW_LANES];                /* r->player against Banker's best reply, times player[0] */
    int opened[LAW_LANES];                    /* the undecided cells, and what drawing is worth there */
    double open[LAW_LANES * LAW_ROOM];
} law_room;

#define SCORE(r, f, u) ((r)->score[f][u])

#define BODY "chemin/_law_body.h"
#include "../_each_set.h"
#if !defined(X86_VECTORS)
#define law_game_avx2 law_game_plain
#define law_game_avx512 law_game_plain
#endif
