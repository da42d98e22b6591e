/* The bytes of statistics files, shared by wld.c, which reads them, and wld_write.c. */
#pragma once

#include <stdbool.h>

#include "base/bytes.h"
#include "base/checksum.h"
#include "book/statistics/wld.h"

enum {
    HEADER_SIZE = WLD_MAGIC_SIZE + 8,
    CHECKSUM_SIZE = 8,
    RECORD_MAX = 4 * VARINT_MAX + 2,
    RECORD_MIN = 6,
    NAME_MAX_BYTES = 120,
};

static const uint8_t magic[WLD_MAGIC_SIZE] = {'C', 'A', 'X', 'W', 'L', 'D', '\r', '\n'};

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
