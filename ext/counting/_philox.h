/* Random numbers by counter: the same words as numpy.random.Philox(key=[seed, stream]), cut into 32-bit halves, low
 * half first. Several blocks of eight halves are made at a time. No block depends on another, so the processor works on
 * some of them side by side. */
#include <stdint.h>
#define PHILOX_BLOCKS 176 /* the most blocks at a time: enough for one draw for each card of 27 decks */
typedef struct { uint64_t key[2], counter; uint32_t halves[8 * PHILOX_BLOCKS]; int blocks, used; } philox;

static inline uint64_t high_word(uint64_t a, uint64_t b, uint64_t *low)
{
#if defined(__SIZEOF_INT128__) && !defined(COUNTING_PLAIN_C)
    const unsigned __int128 product = (unsigned __int128)a * b;
    *low = (uint64_t)product;
    return (uint64_t)(product >> 64);
#else
    const uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    const uint64_t low0 = a0 * b0, cross = a1 * b0 + (low0 >> 32), mid = a0 * b1 + (uint32_t)cross;
    *low = a * b;
    return a1 * b1 + (cross >> 32) + (mid >> 32);
#endif
}

/* Philox4x64-10 of Salmon, Moraes, Dror and Shaw (2011), with zero for the counter's upper three words. */
static void philox_fill(philox *p)
{
    uint32_t *halves = p->halves;
    for (int block = 0; block < p->blocks; block++) {
        uint64_t c0 = ++p->counter, c1 = 0, c2 = 0, c3 = 0, k0 = p->key[0], k1 = p->key[1];
        for (int round = 0; round < 10; round++) {
            uint64_t low0, low1;
            const uint64_t high0 = high_word(0xD2E7470EE14C6C93u, c0, &low0);
            const uint64_t high1 = high_word(0xCA5A826395121157u, c2, &low1);
            c0 = high1 ^ c1 ^ k0, c1 = low1, c2 = high0 ^ c3 ^ k1, c3 = low0;
            k0 += 0x9E3779B97F4A7C15u, k1 += 0xBB67AE8584CAA73Bu;
        }
        *halves++ = (uint32_t)c0, *halves++ = (uint32_t)(c0 >> 32);
        *halves++ = (uint32_t)c1, *halves++ = (uint32_t)(c1 >> 32);
        *halves++ = (uint32_t)c2, *halves++ = (uint32_t)(c2 >> 32);
        *halves++ = (uint32_t)c3, *halves++ = (uint32_t)(c3 >> 32);
    }
    p->used = 0;
}

static inline void philox_start(philox *p, uint64_t seed, uint64_t stream, int blocks)
{
    p->key[0] = seed, p->key[1] = stream, p->counter = 0, p->blocks = blocks, p->used = 8 * blocks;
}

static inline uint32_t philox_half(philox *p)
{
    if (p->used == 8 * p->blocks) philox_fill(p);
    return p->halves[p->used++];
}

/* Lemire (2019): an unbiased draw from 0 ... range-1. */
static inline uint32_t philox_below(philox *p, uint32_t range)
{
    uint64_t product = (uint64_t)philox_half(p) * range;
    if ((uint32_t)product < range) {
        const uint32_t least = -range % range;
        while ((uint32_t)product < least) product = (uint64_t)philox_half(p) * range;
    }
    return (uint32_t)(product >> 32);
}
