#include "book/build/count/counter.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/thread_pool.h"
#include "book/build/count/shard.h"
#include "book/statistics/tally_parts.h"

enum { SHARD_BITS_MAX = 6, SHARDS_MAX = 1 << SHARD_BITS_MAX, SORTERS_MAX = 64, BATCH = 2048 };

struct counter {
    struct shard shards[SHARDS_MAX]; /* by the upper bits of the key; each guarded by its lock */
    pthread_mutex_t locks[SHARDS_MAX];
    int shard_bits;
    int shard_count; /* 2^shard_bits */
};

enum { RECENT_BITS = 12 };

struct counter_worker {
    struct counter *counter;
    /* What was added lately, each in a place that it alone decides: openings come again and again,
     * and are added up here before they go on. Amount 0: nothing. */
    struct item recent[1 << RECENT_BITS];
    size_t used[SHARDS_MAX];
    struct item items[SHARDS_MAX][BATCH];
};

struct counter *counter_create(size_t memory_bytes, int workers, uint64_t expected,
                               const char *folder, size_t files)
{
    struct counter *counter = calloc(1, sizeof *counter);
    if (!counter)
        return NULL;
    while (counter->shard_bits < SHARD_BITS_MAX && (size_t)2 << counter->shard_bits <= files)
        counter->shard_bits++;
    /* Sorting a shard takes as much memory again. */
    size_t shards = (size_t)1 << counter->shard_bits;
    size_t sorted = (size_t)workers < shards ? (size_t)workers : shards;
    size_t most = memory_bytes / (shards + sorted) / sizeof(struct item);
    for (; counter->shard_count < 1 << counter->shard_bits; counter->shard_count++) {
        shard_init(&counter->shards[counter->shard_count], counter->shard_bits, most,
                   expected >> counter->shard_bits, folder);
        if (pthread_mutex_init(&counter->locks[counter->shard_count], NULL) != 0) {
            counter_destroy(counter);
            return NULL;
        }
    }
    return counter;
}

void counter_destroy(struct counter *counter)
{
    if (!counter)
        return;
    for (int i = 0; i < counter->shard_count; i++) {
        shard_free(&counter->shards[i]);
        (void)pthread_mutex_destroy(&counter->locks[i]);
    }
    free(counter);
}

uint64_t counter_runs(const struct counter *counter)
{
    uint64_t sum = 0;
    for (int i = 0; i < counter->shard_count; i++)
        sum += counter->shards[i].runs_made;
    return sum;
}

uint64_t counter_dropped(const struct counter *counter)
{
    uint64_t sum = 0;
    for (int i = 0; i < counter->shard_count; i++)
        sum += counter->shards[i].dropped;
    return sum;
}

static size_t shard_of(const struct counter *counter, uint64_t key)
{
    return (size_t)(key >> 1 >> (63 - counter->shard_bits)); /* no shift by 64 bits */
}

struct counter_worker *counter_worker_create(struct counter *counter)
{
    struct counter_worker *worker = calloc(1, sizeof *worker);
    if (worker)
        worker->counter = counter;
    return worker;
}

void counter_worker_destroy(struct counter_worker *worker)
{
    free(worker);
}

static enum caxton_status flush_shard(struct counter_worker *worker, size_t index,
                                      struct diag *diag)
{
    struct counter *counter = worker->counter;
    (void)pthread_mutex_lock(&counter->locks[index]);
    enum caxton_status status =
        shard_add(&counter->shards[index], worker->items[index], worker->used[index], diag);
    (void)pthread_mutex_unlock(&counter->locks[index]);
    worker->used[index] = 0;
    return status;
}

static enum caxton_status pass_on(struct counter_worker *worker, const struct item *item,
                                  struct diag *diag)
{
    size_t index = shard_of(worker->counter, item->key);
    worker->items[index][worker->used[index]++] = *item;
    return worker->used[index] < BATCH ? STATUS_OK : flush_shard(worker, index, diag);
}

enum caxton_status counter_worker_add(struct counter_worker *worker, uint64_t key, uint16_t move,
                                      enum outcome outcome, uint32_t amount, struct diag *diag)
{
    struct item item = item_make(key, move, outcome, amount);
    uint64_t mixed = key ^ (item.rest >> ITEM_AMOUNT_BITS) * UINT64_C(0x9E3779B97F4A7C15);
    struct item *recent = &worker->recent[mixed >> 32 & ((1 << RECENT_BITS) - 1)];
    if (item_is_like(recent, &item) && item_add(recent, amount))
        return STATUS_OK;
    struct item old = *recent;
    *recent = item;
    return item_amount(&old) ? pass_on(worker, &old, diag) : STATUS_OK;
}

enum caxton_status counter_worker_flush(struct counter_worker *worker, struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    for (size_t i = 0; i < 1 << RECENT_BITS && status == STATUS_OK; i++) {
        if (item_amount(&worker->recent[i]))
            status = pass_on(worker, &worker->recent[i], diag);
        worker->recent[i] = (struct item){0, 0};
    }
    for (size_t i = 0; i < (size_t)worker->counter->shard_count && status == STATUS_OK; i++)
        status = flush_shard(worker, i, diag);
    return status;
}

/* Threads that take one shard after the other. */
struct sorting {
    struct counter *counter;
    uint64_t least;
    atomic_int next;
};

static void sort_shards(void *context, int index)
{
    struct sorting *sorting = context;
    (void)index;
    for (int i; (i = atomic_fetch_add(&sorting->next, 1)) < sorting->counter->shard_count;)
        shard_sort(&sorting->counter->shards[i], sorting->least);
}

/* On this thread alone where no more can be had. */
static void sort_all(struct counter *counter, int jobs, uint64_t least)
{
    struct sorting sorting = {.counter = counter, .least = least};
    struct thread_pool *helpers = NULL;
    if (jobs > 1 && thread_pool_create(jobs < SORTERS_MAX ? jobs - 1 : SORTERS_MAX, sort_shards,
                                       &sorting, &helpers) == STATUS_OK)
        thread_pool_start(helpers);
    sort_shards(&sorting, 0);
    thread_pool_destroy(helpers);
}

struct merging {
    struct counter *counter;
    uint64_t least;
};

/* A tally_part. */
static enum caxton_status merge_shard(void *context, uint64_t index, tally_sink sink,
                                      void *sink_context, struct diag *diag)
{
    const struct merging *merging = context;
    return shard_merge(&merging->counter->shards[index], merging->least, sink, sink_context, diag);
}

enum caxton_status counter_merge(struct counter *counter, int jobs, uint64_t least, tally_sink sink,
                                 void *context, struct diag *diag)
{
    struct merging merging = {counter, least};
    sort_all(counter, jobs, least);
    return tally_parts((uint64_t)counter->shard_count, jobs, merge_shard, &merging, sink, context,
                       diag);
}
