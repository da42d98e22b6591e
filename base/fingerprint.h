/* 128-bit fingerprints: equal for equal sequences of words, otherwise different but for a chance of
 * about n * n / 2^129 among n of them (7 billion: 10^-19). Not meant to resist somebody who looks
 * for collisions. The same on every machine. Statistics files keep some: with a change here their
 * number has to change, too (WLD_FINGERPRINTS_OPTION in book/statistics/wld.h).
 *
 * Two lanes of xor, multiply and shift, each of them a bijection, as in common string hashes.
 */
#pragma once

#include "base/rng.h"

struct fingerprint {
    uint64_t high;
    uint64_t low;
};

/* Adds one word to a sequence that begins as {0, 0}. */
static inline void fingerprint_add(struct fingerprint *print, uint64_t word)
{
    print->high = (print->high ^ word) * 0x9FB21C651E98DF25u + 0x632BE59BD9B4E019u;
    print->high ^= print->high >> 29;
    print->low = (print->low + word) * 0xD6E8FEB86659FD93u ^ 0xA0761D6478BD642Fu;
    print->low ^= print->low >> 32;
}

/* Spreads the sequence over all bits: any of them can choose a place in a table. */
static inline struct fingerprint fingerprint_finish(struct fingerprint print)
{
    return (struct fingerprint){rng_mix(print.high), rng_mix(print.low)};
}

static inline int fingerprint_compare(struct fingerprint a, struct fingerprint b)
{
    if (a.high != b.high)
        return a.high < b.high ? -1 : 1;
    return a.low < b.low ? -1 : a.low > b.low;
}
