/* The counts of one range of keys: a hash table that grows up to a limit, and runs on disk of what
 * did not fit. One thread at a time. Private to counter.c. */
#ifndef CAXTON_BOOK_BUILD_SHARD_H
#define CAXTON_BOOK_BUILD_SHARD_H

#include "book/build/slot_merge.h"

enum { SHARD_RUNS_MAX = 256, SHARD_SLOTS_LEAST = 512, SHARD_BATCH_MAX = 2048 };

/* What a game says of one of its moves. */
struct entry {
    uint64_t key;
    uint32_t amount;
    uint16_t move;
    uint8_t outcome;
};

struct shard {
    struct slot *slots;
    size_t capacity;
    size_t used;
    size_t first;  /* the first capacity there will be */
    size_t most;   /* capacity never exceeds this */
    size_t sorted; /* after shard_sort(): how many slots stand sorted at the front */
    bool is_sorted;
    const char *folder; /* borrowed */
    struct run_file *file;
    struct run runs[SHARD_RUNS_MAX];
    size_t run_count;
    uint64_t runs_made;
    uint64_t bytes_made;
};

/* most: slots, at least SHARD_SLOTS_LEAST are taken. expected: pairs, for which room is made when
 * the first one comes. */
void shard_init(struct shard *shard, size_t most, uint64_t expected, const char *folder);
void shard_free(struct shard *shard);

/* At most SHARD_BATCH_MAX entries; the contents of `scratch`, as long, are lost.
 * Errors: STATUS_NO_MEMORY, STATUS_IO. Not after shard_sort(). */
MUST_CHECK enum caxton_status shard_add(struct shard *shard, const struct entry *entries,
                                        size_t count, struct entry *scratch, struct diag *diag);
MUST_CHECK enum caxton_status shard_add_tally(struct shard *shard, const struct tally *tally,
                                              struct diag *diag);

/* Prepares shard_merge(): what is too rare for it may be forgotten. */
void shard_sort(struct shard *shard, uint64_t least);
/* Gives all sums of at least `least` to `sink`; the shard is empty afterwards and counts afresh.
 * Errors: STATUS_NO_MEMORY, STATUS_IO, those of the sink. */
MUST_CHECK enum caxton_status shard_merge(struct shard *shard, uint64_t least, tally_sink sink,
                                          void *context, struct diag *diag);

#endif
