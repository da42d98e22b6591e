#include "book/build/count/counting_pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "book/build/input/chunks.h"

enum {
    JOBS_MAX = 256,
    BYTES_A_MOVE = 10, /* of text, for each item that is counted: a guess on the safe side */
};

enum slot_state { SLOT_FREE, SLOT_READY, SLOT_TAKEN, SLOT_DONE };

/* A chunk on its way round the ring: filled and emptied by the calling thread, counted by a worker.
 * `state` is guarded by pool->mutex; the rest belongs to the thread that the state names. */
struct slot {
    enum slot_state state;
    struct chunk chunk;
    struct chunk_report report;
    enum caxton_status status;
    struct diag diag;
};

struct worker {
    struct counting_pool *pool;
    struct game_counter *games;
    pthread_t thread;
};

struct counting_pool {
    struct count_rules rules;
    struct worker workers[JOBS_MAX];
    struct counter *counter;
    int count;
    int running; /* threads */
    struct slot *slots;
    int slot_count;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool leaving;   /* guarded by mutex */
    uint64_t take;  /* number of the next chunk to count; guarded by mutex */
    uint64_t fill;  /* of the next to read; calling thread only */
    uint64_t empty; /* of the next to put together; calling thread only */
};

static void count_slot(struct game_counter *games, struct slot *slot)
{
    memset(&slot->report, 0, sizeof slot->report);
    slot->status = game_counter_run_text(games, slot->chunk.data, slot->chunk.size, &slot->report,
                                         &slot->diag);
    slot->report.bytes = slot->chunk.size;
}

static void set_state(struct counting_pool *pool, struct slot *slot, enum slot_state state)
{
    (void)pthread_mutex_lock(&pool->mutex);
    slot->state = state;
    (void)pthread_cond_broadcast(&pool->changed);
    (void)pthread_mutex_unlock(&pool->mutex);
}

/* The next chunk to count, NULL when the pool ends. */
static struct slot *take_slot(struct counting_pool *pool)
{
    struct slot *slot = NULL;
    (void)pthread_mutex_lock(&pool->mutex);
    for (;;) {
        struct slot *next = &pool->slots[pool->take % (uint64_t)pool->slot_count];
        if (next->state == SLOT_READY) {
            next->state = SLOT_TAKEN;
            pool->take++;
            slot = next;
            break;
        }
        if (pool->leaving)
            break;
        (void)pthread_cond_wait(&pool->changed, &pool->mutex);
    }
    (void)pthread_mutex_unlock(&pool->mutex);
    return slot;
}

static void *worker_main(void *argument)
{
    struct worker *worker = argument;
    for (struct slot *slot; (slot = take_slot(worker->pool));) {
        count_slot(worker->games, slot);
        set_state(worker->pool, slot, SLOT_DONE);
    }
    return NULL;
}

static bool create_parts(struct counting_pool *pool)
{
    const struct count_options *options = pool->rules.options;
    pool->counter = counter_create(options->memory_bytes, options->expected_bytes / BYTES_A_MOVE,
                                   options->folder, options->open_files / 2);
    if (!pool->counter)
        return false;
    for (int i = 0; i < pool->count; i++) {
        pool->workers[i].pool = pool;
        pool->workers[i].games = game_counter_create(&pool->rules, pool->counter);
        if (!pool->workers[i].games)
            return false;
    }
    pool->slot_count = pool->count == 1 ? 1 : 2 * pool->count + 1;
    pool->slots = calloc((size_t)pool->slot_count, sizeof *pool->slots);
    for (int i = 0; pool->slots && i < pool->slot_count; i++)
        if (!chunk_init(&pool->slots[i].chunk))
            return false;
    return pool->slots != NULL;
}

static bool create_signals(struct counting_pool *pool)
{
    if (pthread_mutex_init(&pool->mutex, NULL) != 0)
        return false;
    if (condition_init(&pool->changed) == STATUS_OK)
        return true;
    (void)pthread_mutex_destroy(&pool->mutex);
    return false;
}

struct counting_pool *counting_pool_create(const struct count_rules *rules,
                                           enum caxton_status *status)
{
    struct counting_pool *pool = calloc(1, sizeof *pool);
    *status = STATUS_NO_MEMORY;
    if (!pool || !create_signals(pool)) {
        free(pool);
        return NULL;
    }
    int jobs = rules->options->jobs;
    pool->rules = *rules;
    pool->count = jobs < 1 ? 1 : jobs < JOBS_MAX ? jobs : JOBS_MAX;
    if (!create_parts(pool)) {
        counting_pool_destroy(pool);
        return NULL;
    }
    for (; pool->count > 1 && pool->running < pool->count; pool->running++) {
        struct worker *worker = &pool->workers[pool->running];
        *status = thread_start(&worker->thread, worker_main, worker);
        if (*status != STATUS_OK) {
            counting_pool_destroy(pool);
            return NULL;
        }
    }
    *status = STATUS_OK;
    return pool;
}

void counting_pool_destroy(struct counting_pool *pool)
{
    if (!pool)
        return;
    (void)pthread_mutex_lock(&pool->mutex);
    pool->leaving = true;
    (void)pthread_cond_broadcast(&pool->changed);
    (void)pthread_mutex_unlock(&pool->mutex);
    for (int i = 0; i < pool->running; i++)
        (void)pthread_join(pool->workers[i].thread, NULL);
    for (int i = 0; i < pool->count; i++)
        game_counter_destroy(pool->workers[i].games);
    counter_destroy(pool->counter);
    for (int i = 0; pool->slots && i < pool->slot_count; i++)
        chunk_free(&pool->slots[i].chunk);
    free(pool->slots);
    (void)pthread_cond_destroy(&pool->changed);
    (void)pthread_mutex_destroy(&pool->mutex);
    free(pool);
}

enum caxton_status counting_pool_merge(struct counting_pool *pool, uint64_t least, tally_sink sink,
                                       void *context, uint64_t *dropped, struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    for (int i = 0; i < pool->count && status == STATUS_OK; i++)
        status = game_counter_finish(pool->workers[i].games, diag);
    if (status != STATUS_OK)
        return status;
    status = counter_merge(pool->counter, pool->count, least, sink, context, diag);
    *dropped = counter_dropped(pool->counter);
    return status;
}

/* Putting together ------------------------------------------------------------------------- */

/* One input as far as it has been put together. */
struct reading {
    struct counting_pool *pool;
    struct count_report *report;
    const char *name;
    struct chunk_start start; /* of the next chunk */
    struct diag *diag;
};

static enum caxton_status finish_slot(struct reading *reading, struct slot *slot)
{
    count_report_add(reading->report, &slot->report, &reading->start, reading->name);
    if (slot->status != STATUS_OK)
        *reading->diag = slot->diag;
    return slot->status;
}

/* Takes the oldest chunk off the ring when it is counted; waits for that when `wait`. */
static enum caxton_status retire(struct reading *reading, bool wait, bool *retired)
{
    struct counting_pool *pool = reading->pool;
    struct slot *slot = &pool->slots[pool->empty % (uint64_t)pool->slot_count];
    (void)pthread_mutex_lock(&pool->mutex);
    while (wait && slot->state != SLOT_DONE)
        (void)pthread_cond_wait(&pool->changed, &pool->mutex);
    *retired = slot->state == SLOT_DONE;
    if (*retired)
        slot->state = SLOT_FREE;
    (void)pthread_mutex_unlock(&pool->mutex);
    if (!*retired)
        return STATUS_OK;
    pool->empty++;
    return finish_slot(reading, slot);
}

/* Text without any cut is read to its end by one thread. */
struct long_source {
    struct span first;
    struct cutter *cutter;
};

static enum caxton_status read_long(void *context, char *buffer, size_t capacity, size_t *size)
{
    struct long_source *source = context;
    if (source->first.size)
        return span_read(&source->first, buffer, capacity, size);
    enum caxton_status status =
        source->cutter->source(source->cutter->context, buffer, capacity, size);
    source->cutter->at_end = status == STATUS_OK && *size == 0;
    return status;
}

static enum caxton_status drain(struct reading *reading)
{
    enum caxton_status status = STATUS_OK;
    while (reading->pool->empty < reading->pool->fill) {
        bool retired;
        enum caxton_status now = retire(reading, true, &retired);
        status = status == STATUS_OK ? now : status;
    }
    return status;
}

static enum caxton_status read_without_cuts(struct reading *reading, struct cutter *cutter,
                                            struct slot *slot)
{
    enum caxton_status status = drain(reading);
    if (status != STATUS_OK)
        return status;
    struct long_source source = {{slot->chunk.data, slot->chunk.size}, cutter};
    memset(&slot->report, 0, sizeof slot->report);
    slot->status = game_counter_run(reading->pool->workers[0].games, read_long, &source,
                                    &slot->report, &slot->diag);
    return finish_slot(reading, slot);
}

/* Reads the next chunk and sees to it that it gets counted. */
static enum caxton_status read_chunk(struct reading *reading, struct cutter *cutter)
{
    struct counting_pool *pool = reading->pool;
    bool retired = true;
    enum caxton_status status = STATUS_OK;
    while (status == STATUS_OK && retired && pool->empty < pool->fill)
        status = retire(reading, pool->fill - pool->empty == (uint64_t)pool->slot_count, &retired);
    if (status != STATUS_OK)
        return status;
    struct slot *slot = &pool->slots[pool->fill % (uint64_t)pool->slot_count];
    bool whole;
    status = cutter_next(cutter, &slot->chunk, &whole);
    if (status != STATUS_OK) {
        if (status != STATUS_END)
            diag_set(reading->diag, 0, 0, "%s", status_name(status));
        return status;
    }
    if (!whole)
        return read_without_cuts(reading, cutter, slot);
    if (pool->count == 1) {
        count_slot(pool->workers[0].games, slot);
        return finish_slot(reading, slot);
    }
    pool->fill++;
    set_state(pool, slot, SLOT_READY);
    return STATUS_OK;
}

enum caxton_status counting_pool_read(struct counting_pool *pool, pgn_source source, void *context,
                                      const char *name, struct count_report *report,
                                      struct diag *diag)
{
    struct cutter cutter;
    struct reading reading = {.pool = pool, .report = report, .name = name, .diag = diag};
    enum caxton_status status = cutter_init(&cutter, source, context);
    if (status != STATUS_OK) {
        diag_set(diag, 0, 0, "out of memory");
        return status;
    }
    while (status == STATUS_OK)
        status = read_chunk(&reading, &cutter);
    enum caxton_status rest = drain(&reading);
    cutter_free(&cutter);
    return status == STATUS_END ? rest : status;
}
