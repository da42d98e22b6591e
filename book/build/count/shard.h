/* The counts of one range of keys: items in memory up to a limit, and runs on disk of what did not
 * fit. One thread at a time. Private to counter.c. */
#pragma once

#include "book/build/count/item.h"
#include "book/build/count/run.h"

enum { SHARD_RUNS_MAX = 256, SHARD_ITEMS_LEAST = 1024 };

struct shard {
    int same_bits;      /* upper bits in which all keys agree */
    struct item *items; /* owned; NULL until the first one comes */
    size_t capacity;
    size_t used;
    size_t first;       /* the first capacity there will be */
    size_t most;        /* capacity never exceeds this */
    const char *folder; /* borrowed */
    struct run_file *file;
    struct run runs[SHARD_RUNS_MAX];
    size_t run_count;
    uint64_t runs_made;
    uint64_t dropped; /* moves that were too rare for shard_merge() */
};

/* The shard's keys agree in their upper `same_bits`. most: items, at least SHARD_ITEMS_LEAST are
 * taken. expected: items, for which room is made when the first one comes. */
void shard_init(struct shard *shard, int same_bits, size_t most, uint64_t expected,
                const char *folder);
void shard_free(struct shard *shard);

/* Errors: STATUS_NO_MEMORY, STATUS_IO. */
MUST_CHECK enum caxton_status shard_add(struct shard *shard, const struct item *items, size_t count,
                                        struct diag *diag);

/* Has to come before shard_merge(): what is too rare for it may be forgotten. */
void shard_sort(struct shard *shard, uint64_t least);
/* Gives all sums of at least `least` to `sink`, counts the others as dropped; the shard is empty
 * afterwards and counts afresh. Errors: STATUS_NO_MEMORY, STATUS_IO, those of the sink. */
MUST_CHECK enum caxton_status shard_merge(struct shard *shard, uint64_t least, tally_sink sink,
                                          void *context, struct diag *diag);
