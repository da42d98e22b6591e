/* The bytes of statistics files, shared by wld.c, which reads them, and wld_write.c. */
#ifndef CAXTON_BOOK_STATISTICS_WLD_INTERNAL_H
#define CAXTON_BOOK_STATISTICS_WLD_INTERNAL_H

#include <stdbool.h>

#include "book/statistics/wld.h"

enum {
    HEADER_SIZE = WLD_MAGIC_SIZE + 8,
    CHECKSUM_SIZE = 8,
    VARINT_MAX = 10,
    RECORD_MAX = 4 * VARINT_MAX + 2,
    RECORD_MIN = 6,
    NAME_MAX_BYTES = 120,
};

static const uint8_t magic[WLD_MAGIC_SIZE] = {'C', 'A', 'X', 'W', 'L', 'D', '\r', '\n'};

#define CHECKSUM_START UINT64_C(0xcbf29ce484222325)
#define CHECKSUM_PRIME UINT64_C(0x100000001b3)

static inline uint64_t checksum_add(uint64_t sum, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ bytes[i]) * CHECKSUM_PRIME;
    return sum;
}

static inline void put(uint8_t *to, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

static inline uint64_t get(const uint8_t *from, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++)
        value |= (uint64_t)from[i] << 8 * i;
    return value;
}

static inline uint8_t *put_varint(uint8_t *to, uint64_t value)
{
    for (; value >= 128; value >>= 7)
        *to++ = (uint8_t)(value | 128);
    *to++ = (uint8_t)value;
    return to;
}

/* Steps *from over a number that ends before `end`; false when there is none. */
static inline bool get_varint(const uint8_t **from, const uint8_t *end, uint64_t *out)
{
    uint64_t value = 0;
    for (int shift = 0; shift < 64 && *from < end; shift += 7) {
        uint8_t byte = *(*from)++;
        if (shift == 63 && byte > 1)
            return false;
        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) {
            *out = value;
            return byte != 0 || shift == 0;
        }
    }
    return false;
}

static inline bool is_countable(const struct tally *tally)
{
    uint64_t sum = 0;
    for (int i = 0; i < OUTCOMES; i++) {
        if (tally->counts[i] > WLD_GAMES_MAX)
            return false;
        sum += tally->counts[i];
    }
    return sum > 0 && sum <= WLD_GAMES_MAX;
}

#endif
