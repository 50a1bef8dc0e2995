/* Bets settled in double lanes, exactly: included by `_law.h` after `_law_body.h` for each kind of vector.
 *
 * An event is a union of classes on which one or more bets pay the same amount. The set of all deals is an event too. A
 * bet's numerator is an integer combination of the counts of events. The numerator can pass 2^53. So each count is
 * split into two parts, 2^26 high + low, with low between -2^25 and 2^25, and the two parts are summed separately.
 *
 * Apart from all deals, a bet's events have no outcome in common. So the counts of its events, all deals included, sum
 * to at most twice the deals of 455 cards, 2^53.94. If the bet's coefficients are at most 2^24, the high sum stays
 * below 2^52. If the sizes of the coefficients sum to at most 2^27, the low sum is at most 2^52. Then both sums are
 * exact in any order.
 *
 * The numerator is rounded once, when the two sums are put together. The divisor, which is the bet's denominator times
 * all deals, is rounded once too. So the double is zero if and only if the numerator is zero, and it has the
 * numerator's sign.
 */
/* Fill out[table, shoe, bet]. bets->bets is the number of bets in all tables. of_shoe and of_bet are the steps from one
 * shoe or bet to the next. room has space for the slots, the classes and all deals, and three times the events. */
TARGET static void NAME(law_quotients)(const int32_t *values, ptrdiff_t shoes, const law_index *ix, const double *gather,
                                   const double *add, const law_bets *bets, void *room, int tables,
                                   ptrdiff_t of_shoe, ptrdiff_t of_bet, double *out)
{
    const int width = bets->bets / tables;
    const double shift = 6755399441055744.0, unit = 1 << 26; /* adding 1.5 * 2^52 rounds to a whole number */
    VEC *slot = room, *classes = slot + ix->slots, *events = classes + bets->classes + 1;
    VEC *high = events + bets->events, *low = high + bets->events;
    double lane[SHOES];
    for (ptrdiff_t s = 0; s < shoes; s += SHOES) {
        const int here = shoes - s < SHOES ? (int)(shoes - s) : SHOES;
        NAME(law_block)(values + 10 * s, here, ix, gather, add, slot);
        NAME(law_classes)(bets, slot, classes);
        for (int e = 0; e < bets->events; e++) {
            VEC sum = classes[bets->part[bets->event_start[e]]]; /* classes, all deals and events are one array */
            for (int i = bets->event_start[e] + 1; i < bets->event_start[e + 1]; i++) sum += classes[bets->part[i]];
            events[e] = sum;
            high[e] = (sum * (1 / unit) + shift) - shift;
            low[e] = sum - high[e] * unit;
        }
        for (int b = 0; b < bets->bets; b++) {
            VEC h = slot[LAW_ZERO], l = h;
            for (int e = bets->bet_start[b]; e < bets->bet_start[b + 1]; e++) {
                h += bets->coefficient[e] * high[bets->of_event[e]];
                l += bets->coefficient[e] * low[bets->of_event[e]];
            }
            l = (h * unit + l) / (bets->denominator[b] * slot[LAW_DEALS]);
            double *to = out + b / width * shoes * width + b % width * of_bet + s * of_shoe;
            if (of_shoe == 1 && here == SHOES) {
                memcpy(to, &l, sizeof l);
                continue;
            }
            memcpy(lane, &l, sizeof lane);
            for (int i = 0; i < here; i++) to[i * of_shoe] = lane[i];
        }
    }
}
