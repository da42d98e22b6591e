/* One block of records of a statistics file (wld.h), in memory. */
#pragma once

#include "book/statistics/tally.h"
#include "book/statistics/wld_header.h"

enum {
    WLD_BLOCK_HEAD = 8,
    WLD_BLOCK_V1 = 65536, /* records of a block of version 1 */
    WLD_BLOCK_MAX = 16384,
    WLD_BLOCK_BYTES = WLD_BLOCK_HEAD + WLD_BLOCK_MAX + WLD_CHECKSUM_SIZE, /* a whole one */
    WLD_RECORD_MIN = 6,
    WLD_RANGE_BITS = 6 /* no block has keys that differ in these first bits */
};

/* Games or units of one record, so that sums and scores of a few fit 64 bits. */
#define WLD_GAMES_MAX (UINT64_C(1) << 60)

static inline bool wld_is_countable(const struct tally *tally)
{
    uint64_t sum = 0;
    for (int i = 0; i < OUTCOMES; i++) {
        if (tally->counts[i] > WLD_GAMES_MAX)
            return false;
        sum += tally->counts[i];
    }
    return sum > 0 && sum <= WLD_GAMES_MAX;
}

/* In which of 2^WLD_RANGE_BITS equal parts of all keys is this one? */
static inline unsigned wld_range_of(uint64_t key)
{
    return (unsigned)(key >> (64 - WLD_RANGE_BITS));
}

/* What the head of a block says; both 0: there are no more blocks. */
struct wld_block_head {
    size_t size; /* of the records */
    uint64_t records;
};

/* False: no block has such a head. max: the largest size of the version. */
bool wld_block_read_head(const uint8_t bytes[WLD_BLOCK_HEAD], size_t max,
                         struct wld_block_head *out);

/* Of version 2, of a head, its records and the checksum behind them: is the checksum right? */
bool wld_block_is_sound(const uint8_t *block, size_t size);

/* Records on their way out of a block. */
struct wld_records {
    const uint8_t *start;
    const uint8_t *at;
    const uint8_t *end;
    uint64_t left;
    uint64_t key; /* of the record before; 0 for the first */
};

struct wld_records wld_records_of(const uint8_t *records, const struct wld_block_head *head);

/* The next record; records->left is not 0. False: it is none that a writer makes, or it is the last
 * and bytes follow. */
bool wld_records_next(struct wld_records *records, struct tally *out);
