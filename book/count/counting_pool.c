#include "book/count/counting_pool.h"

#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "base/thread_pool.h"
#include "book/count/input/chunks.h"

enum {
    JOBS_MAX = 256,
    DUPLICATES_SHARE = 4, /* one part in so many of the memory is to find duplicates */
    SAMPLES_SHARE = 2,    /* and of what is left for sample games, where they are chosen */
    BYTES_A_MOVE = 10,    /* of text, for each item that is counted: a guess on the safe side */
};

/* A chunk on its way round the ring: filled and emptied by the calling thread, counted by a worker
 * in between. */
struct slot {
    bool done;      /* it is counted; guarded by pool->ring */
    uint16_t file;  /* number of the input */
    uint64_t start; /* byte of it that the chunk begins with */
    struct chunk chunk;
    struct chunk_report report;
    enum caxton_status status;
    struct diag diag;
};

struct counting_pool {
    const struct count_options *options;
    struct duplicates *duplicates; /* NULL: equal games count each time */
    struct counter *counter;
    struct sampler *sampler; /* NULL: no sample games are chosen */
    struct game_counter *workers[JOBS_MAX];
    int count;
    struct thread_pool *threads; /* one for each worker; NULL: there is one worker */
    struct slot *slots;
    int slot_count;
    struct monitor ring;
    bool ended;       /* the input has; guarded by ring */
    uint64_t filled;  /* chunks ever read; guarded by ring */
    uint64_t taken;   /* chunks ever taken by workers; guarded by ring */
    uint64_t emptied; /* chunks ever put together; calling thread only */
};

static struct slot *slot_at(struct counting_pool *pool, uint64_t number)
{
    return &pool->slots[number % (uint64_t)pool->slot_count];
}

static void count_slot(struct game_counter *games, struct slot *slot)
{
    memset(&slot->report, 0, sizeof slot->report);
    game_counter_set_place(games, slot->file, slot->start);
    slot->status = game_counter_run_text(games, slot->chunk.data, slot->chunk.size, &slot->report,
                                         &slot->diag);
    slot->report.bytes = slot->chunk.size;
}

/* Counts one chunk after the other until the input ends. */
static void run_worker(void *context, int index)
{
    struct counting_pool *pool = context;
    (void)pthread_mutex_lock(&pool->ring.mutex);
    for (;;) {
        while (pool->taken == pool->filled && !pool->ended)
            (void)pthread_cond_wait(&pool->ring.changed, &pool->ring.mutex);
        if (pool->taken == pool->filled)
            break;
        struct slot *slot = slot_at(pool, pool->taken++);
        (void)pthread_mutex_unlock(&pool->ring.mutex);
        count_slot(pool->workers[index], slot);
        (void)pthread_mutex_lock(&pool->ring.mutex);
        slot->done = true;
        (void)pthread_cond_broadcast(&pool->ring.changed);
    }
    (void)pthread_mutex_unlock(&pool->ring.mutex);
}

static enum caxton_status create_parts(struct counting_pool *pool)
{
    const struct count_options *options = pool->options;
    size_t share = options->keep_duplicates ? 0 : options->memory_bytes / DUPLICATES_SHARE;
    size_t files = options->open_files / 2;
    if (!options->keep_duplicates)
        pool->duplicates = duplicates_create(share, options->folder, files);
    size_t left = options->memory_bytes - share;
    size_t samples = options->samples ? left / SAMPLES_SHARE : 0;
    if (options->samples)
        pool->sampler = sampler_create(samples, pool->count, options->samples, options->folder);
    pool->counter = counter_create(left - samples, pool->count,
                                   options->expected_bytes / BYTES_A_MOVE, options->folder, files);
    bool enough = pool->counter && (pool->duplicates || options->keep_duplicates) &&
                  (pool->sampler || !options->samples);
    for (int i = 0; i < pool->count && enough; i++) {
        pool->workers[i] =
            game_counter_create(options, pool->duplicates, pool->counter,
                                pool->sampler ? sampler_worker(pool->sampler, i) : NULL);
        enough = pool->workers[i] != NULL;
    }
    pool->slot_count = pool->count == 1 ? 1 : 2 * pool->count + 1;
    pool->slots = calloc((size_t)pool->slot_count, sizeof *pool->slots);
    enough = enough && pool->slots;
    for (int i = 0; i < pool->slot_count && enough; i++)
        enough = chunk_init(&pool->slots[i].chunk);
    if (!enough)
        return STATUS_NO_MEMORY;
    if (pool->count == 1)
        return STATUS_OK;
    return thread_pool_create(pool->count, run_worker, pool, &pool->threads);
}

struct counting_pool *counting_pool_create(const struct count_options *options,
                                           enum caxton_status *status)
{
    struct counting_pool *pool = calloc(1, sizeof *pool);
    *status = STATUS_NO_MEMORY;
    if (!pool || monitor_init(&pool->ring) != STATUS_OK) {
        free(pool);
        return NULL;
    }
    int jobs = options->jobs;
    pool->options = options;
    pool->count = jobs < 1 ? 1 : jobs < JOBS_MAX ? jobs : JOBS_MAX;
    *status = create_parts(pool);
    if (*status == STATUS_OK)
        return pool;
    counting_pool_destroy(pool);
    return NULL;
}

void counting_pool_destroy(struct counting_pool *pool)
{
    if (!pool)
        return;
    thread_pool_destroy(pool->threads);
    for (int i = 0; i < pool->count; i++)
        game_counter_destroy(pool->workers[i]);
    sampler_destroy(pool->sampler);
    counter_destroy(pool->counter);
    duplicates_destroy(pool->duplicates);
    for (int i = 0; pool->slots && i < pool->slot_count; i++)
        chunk_free(&pool->slots[i].chunk);
    free(pool->slots);
    monitor_destroy(&pool->ring);
    free(pool);
}

enum caxton_status counting_pool_merge(struct counting_pool *pool, uint64_t least, tally_sink sink,
                                       void *context, uint64_t *dropped, struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    for (int i = 0; i < pool->count && status == STATUS_OK; i++)
        status = game_counter_finish(pool->workers[i], diag);
    if (status != STATUS_OK)
        return status;
    status = counter_merge(pool->counter, pool->count, least, sink, context, diag);
    *dropped = counter_dropped(pool->counter);
    return status;
}

enum caxton_status counting_pool_load_fingerprints(struct counting_pool *pool,
                                                   fingerprint_source source, void *context,
                                                   struct diag *diag)
{
    return duplicates_load(pool->duplicates, source, context, diag);
}

enum caxton_status counting_pool_list_fingerprints(struct counting_pool *pool,
                                                   fingerprint_sink sink, void *context,
                                                   struct diag *diag)
{
    return duplicates_list(pool->duplicates, sink, context, diag);
}

enum caxton_status counting_pool_samples(struct counting_pool *pool, sample_source more,
                                         void *context, struct sample_merge **merged,
                                         struct diag *diag)
{
    return sampler_merge(pool->sampler, more, context, merged, diag);
}

/* Putting together ------------------------------------------------------------------------- */

/* One input as far as it has been put together. */
struct reading {
    struct counting_pool *pool;
    struct count_report *report;
    const char *name;
    uint16_t file; /* number of the input, for sample games */
    struct cutter cutter;
    uint64_t cut;             /* bytes of the input that chunks were made of */
    struct chunk_start start; /* of the next chunk that is put together */
    struct diag *diag;
};

static enum caxton_status finish_slot(struct reading *reading, struct slot *slot)
{
    count_report_add(reading->report, &slot->report, &reading->start, reading->name);
    if (slot->status != STATUS_OK)
        *reading->diag = slot->diag;
    return slot->status;
}

/* Takes the oldest chunk off the ring when it is counted. */
static enum caxton_status retire(struct reading *reading)
{
    struct counting_pool *pool = reading->pool;
    struct slot *slot = slot_at(pool, pool->emptied++);
    (void)pthread_mutex_lock(&pool->ring.mutex);
    while (!slot->done)
        (void)pthread_cond_wait(&pool->ring.changed, &pool->ring.mutex);
    slot->done = false;
    (void)pthread_mutex_unlock(&pool->ring.mutex);
    return finish_slot(reading, slot);
}

/* Takes all chunks off the ring. */
static enum caxton_status drain(struct reading *reading)
{
    enum caxton_status status = STATUS_OK;
    while (reading->pool->emptied < reading->pool->filled) {
        enum caxton_status now = retire(reading);
        status = status == STATUS_OK ? now : status;
    }
    return status;
}

/* Text without any cut is read to its end by one thread. */
static enum caxton_status read_without_cuts(struct reading *reading, struct slot *slot)
{
    enum caxton_status status = drain(reading);
    if (status != STATUS_OK)
        return status;
    memset(&slot->report, 0, sizeof slot->report);
    game_counter_set_place(reading->pool->workers[0], reading->file, reading->cut);
    slot->status = game_counter_run(reading->pool->workers[0], cutter_read, &reading->cutter,
                                    &slot->report, &slot->diag);
    return finish_slot(reading, slot);
}

/* Reads the next chunk and sees to it that it gets counted. */
static enum caxton_status read_chunk(struct reading *reading)
{
    struct counting_pool *pool = reading->pool;
    enum caxton_status status = STATUS_OK;
    if (pool->filled - pool->emptied == (uint64_t)pool->slot_count)
        status = retire(reading);
    if (status != STATUS_OK)
        return status;
    struct slot *slot = slot_at(pool, pool->filled);
    status = cutter_next(&reading->cutter, &slot->chunk);
    if (status != STATUS_OK) {
        if (status != STATUS_END)
            diag_set(reading->diag, 0, 0, "%s", status_name(status));
        return status;
    }
    if (slot->chunk.size == 0)
        return read_without_cuts(reading, slot);
    slot->file = reading->file;
    slot->start = reading->cut;
    reading->cut += slot->chunk.size;
    if (!pool->threads) {
        count_slot(pool->workers[0], slot);
        return finish_slot(reading, slot);
    }
    (void)pthread_mutex_lock(&pool->ring.mutex);
    pool->filled++;
    (void)pthread_cond_broadcast(&pool->ring.changed);
    (void)pthread_mutex_unlock(&pool->ring.mutex);
    return STATUS_OK;
}

/* No more chunks come: lets the workers go. */
static void end_input(struct counting_pool *pool)
{
    (void)pthread_mutex_lock(&pool->ring.mutex);
    pool->ended = true;
    (void)pthread_cond_broadcast(&pool->ring.changed);
    (void)pthread_mutex_unlock(&pool->ring.mutex);
    thread_pool_wait(pool->threads);
}

enum caxton_status counting_pool_read(struct counting_pool *pool, pgn_source source, void *context,
                                      const char *name, struct count_report *report,
                                      struct diag *diag)
{
    struct reading reading = {.pool = pool, .report = report, .name = name, .diag = diag};
    if (pool->sampler)
        reading.file = (uint16_t)sample_names_find(pool->options->sample_names, name);
    enum caxton_status status = cutter_init(&reading.cutter, source, context);
    if (status != STATUS_OK)
        return diag_fail(status, diag, "out of memory");
    pool->ended = false;
    if (pool->threads)
        thread_pool_start(pool->threads);
    while (status == STATUS_OK)
        status = read_chunk(&reading);
    enum caxton_status rest = drain(&reading);
    if (pool->threads)
        end_input(pool);
    cutter_free(&reading.cutter);
    return status == STATUS_END ? rest : status;
}
