/* The yardstick: how a shoe is priced without linear forms. One pass over both two-card hands (55 x 55
 * unordered pairs of values) and the third cards, settling Player, Banker, Tie and 7-7 together. */
#include <stdint.h>

typedef struct { int8_t a, b, total; } hand;

void price(const int32_t *values, long shoes, const int32_t *player, const int32_t *banker, double *out)
{
    hand hands[55];
    int k = 0;
    for (int a = 0; a < 10; a++)
        for (int b = a; b < 10; b++) hands[k++] = (hand){a, b, (a + b) % 10};
    int8_t event[10][10], sum[10][10];
    for (int p = 0; p < 10; p++)
        for (int b = 0; b < 10; b++) {
            event[p][b] = p > b ? 0 : p < b ? 1 : p == 7 ? 3 : 2;
            sum[p][b] = (p + b) % 10;
        }
    for (long s = 0; s < shoes; s++) {
        int64_t n[10], left = 0;
        int64_t won[4] = {0, 0, 0, 0};
        for (int v = 0; v < 10; v++) left += n[v] = values[10 * s + v];
        for (int i = 0; i < 55; i++) {
            const hand p = hands[i];
            int64_t ways_p = p.a == p.b ? n[p.a] * (n[p.a] - 1) : 2 * n[p.a] * n[p.b];
            if (ways_p <= 0) continue;
            n[p.a]--, n[p.b]--;
            for (int j = 0; j < 55; j++) {
                const hand q = hands[j];
                int64_t ways = q.a == q.b ? n[q.a] * (n[q.a] - 1) : 2 * n[q.a] * n[q.b];
                if (ways <= 0) continue;
                ways *= ways_p;
                n[q.a]--, n[q.b]--;
                const int64_t rest = left - 4;
                const int P = p.total, Q = q.total;
#define SETTLE(x, y, count) won[event[x][y]] += (count)
                if (P >= 8 || Q >= 8 || (!player[P] && !banker[11 * Q + 10]))
                    SETTLE(P, Q, ways * rest * (rest - 1));
                else if (!player[P])
                    for (int c = 0; c < 10; c++) SETTLE(P, sum[Q][c], ways * n[c] * (rest - 1));
                else
                    for (int c = 0; c < 10; c++) {
                        const int64_t with_third = ways * n[c];
                        const int total = sum[P][c];
                        if (!banker[11 * Q + c]) {
                            SETTLE(total, Q, with_third * (rest - 1));
                            continue;
                        }
                        n[c]--;
                        for (int d = 0; d < 10; d++) SETTLE(total, sum[Q][d], with_third * n[d]);
                        n[c]++;
                    }
                n[q.a]++, n[q.b]++;
            }
            n[p.a]++, n[p.b]++;
        }
        for (int e = 0; e < 4; e++) out[4 * s + e] = (double)won[e];
    }
}
