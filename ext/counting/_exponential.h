/* The exponential function, in operations that a compiler can do in vector lanes. */
#ifndef COUNTING_EXPONENTIAL_H
#define COUNTING_EXPONENTIAL_H

#include <stdint.h>
#include <string.h>

#define EXPONENTIAL_MOST 700.0
#define EXPONENTIAL_ROUND 6755399441055744.0 /* 1.5 * 2^52 */

/* exp(x), within a unit or two in the last place; a size of x above EXPONENTIAL_MOST counts as EXPONENTIAL_MOST.
 *
 * exp(x) is 2^k exp(r), where k is x / log 2, rounded, and r is the rest. Adding EXPONENTIAL_ROUND rounds to a whole
 * number and leaves k in the low bits. log 2 has two parts; k times the first part is exact. exp(r) is its Taylor series
 * up to r^13; as r is at most log 2 / 2, the rest is below 10^-17. */
static inline double exponential(double x)
{
    x = x < EXPONENTIAL_MOST ? x : EXPONENTIAL_MOST;
    x = x > -EXPONENTIAL_MOST ? x : -EXPONENTIAL_MOST;
    const double shifted = x * 1.4426950408889634 + EXPONENTIAL_ROUND, k = shifted - EXPONENTIAL_ROUND;
    const double r = x - k * 6.93147180369123816490e-01 - k * 1.90821492927058770002e-10;
    double power = 1 / 6227020800.0;
    power = power * r + 1 / 479001600.0;
    power = power * r + 1 / 39916800.0;
    power = power * r + 1 / 3628800.0;
    power = power * r + 1 / 362880.0;
    power = power * r + 1 / 40320.0;
    power = power * r + 1 / 5040.0;
    power = power * r + 1 / 720.0;
    power = power * r + 1 / 120.0;
    power = power * r + 1 / 24.0;
    power = power * r + 1 / 6.0;
    power = power * r + 0.5;
    power = power * r + 1;
    power = power * r + 1;
    uint64_t exponent, bits;
    memcpy(&exponent, &shifted, sizeof exponent);
    memcpy(&bits, &power, sizeof bits);
    bits += exponent << 52;
    memcpy(&power, &bits, sizeof power);
    return power;
}

#endif
