#include "book/count/sampler.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/temp_file.h"

/* One game of one position. Only this program reads it from disk, so it goes there as it is. */
struct sample_item {
    uint64_t key;
    struct sample sample;
};

_Static_assert(sizeof(struct sample_item) == 32, "runs have no padding");

enum {
    ITEMS_LEAST = 1024,
    RUNS_MAX = 512, /* then all become one */
    READER_ITEMS = 512,
    WRITER_ITEMS = 2048
};

struct sampler_worker {
    struct sampler *sampler;
    struct sample_item *items;
    size_t capacity;
    size_t used;
};

/* Where a run lies in the file, in items. */
struct sample_run {
    uint64_t start;
    uint64_t end;
};

struct sampler {
    struct sample_rule rule;
    size_t items_most; /* of a worker */
    const char *folder;
    struct sampler_worker *workers;
    int worker_count;
    pthread_mutex_t mutex; /* guards what follows */
    bool has_file;
    int file;
    uint64_t written; /* items */
    struct sample_run runs[RUNS_MAX];
    size_t run_count;
    uint64_t runs_made;
    /* While they are merged. */
    struct sample_input *inputs;
    struct sample_sequence *sources;
    struct sample_merge merge;
};

struct sampler *sampler_create(size_t memory_bytes, int workers, const struct sample_rule *rule,
                               const char *folder)
{
    struct sampler *sampler = calloc(1, sizeof *sampler);
    if (!sampler)
        return NULL;
    /* Sorting takes as much memory again. */
    size_t items = memory_bytes / (size_t)workers / (2 * sizeof(struct sample_item));
    sampler->rule = *rule;
    sampler->items_most = items > ITEMS_LEAST ? items : ITEMS_LEAST;
    sampler->folder = folder;
    sampler->worker_count = workers;
    sampler->workers = calloc((size_t)workers, sizeof *sampler->workers);
    if (!sampler->workers || pthread_mutex_init(&sampler->mutex, NULL) != 0) {
        free(sampler->workers);
        free(sampler);
        return NULL;
    }
    for (int i = 0; i < workers; i++)
        sampler->workers[i].sampler = sampler;
    return sampler;
}

static void end_merge(struct sampler *sampler)
{
    sample_merge_end(&sampler->merge);
    free(sampler->sources);
    free(sampler->inputs);
    sampler->sources = NULL;
    sampler->inputs = NULL;
}

void sampler_destroy(struct sampler *sampler)
{
    if (!sampler)
        return;
    end_merge(sampler);
    for (int i = 0; i < sampler->worker_count; i++)
        free(sampler->workers[i].items);
    free(sampler->workers);
    if (sampler->has_file)
        temp_file_close(sampler->file);
    (void)pthread_mutex_destroy(&sampler->mutex);
    free(sampler);
}

struct sampler_worker *sampler_worker(struct sampler *sampler, int index)
{
    return &sampler->workers[index];
}

uint64_t sampler_runs(const struct sampler *sampler)
{
    return sampler->runs_made;
}

/* Sorting ---------------------------------------------------------------------------------- */

/* Games of a position are sorted where some of them are chosen. */
static int compare(const void *a, const void *b)
{
    const struct sample_item *one = a;
    const struct sample_item *other = b;
    return one->key < other->key ? -1 : one->key > other->key;
}

/* Sorts, and drops what is not kept of its position. */
static void reduce(struct sampler_worker *worker)
{
    struct sample_set set;
    const struct sample_rule *rule = &worker->sampler->rule;
    size_t kept = 0;
    if (worker->used)
        qsort(worker->items, worker->used, sizeof *worker->items, compare);
    for (size_t at = 0; at < worker->used;) {
        set.key = worker->items[at].key;
        for (set.count = 0; at < worker->used && worker->items[at].key == set.key; at++)
            sample_set_add(&set, &worker->items[at].sample, rule);
        sample_set_choose(&set, rule);
        for (size_t i = 0; i < set.count; i++)
            worker->items[kept++] = (struct sample_item){set.key, set.games[i]};
    }
    worker->used = kept;
}

/* Runs ------------------------------------------------------------------------------------- */

/* A sequence of items in memory, or in a file, of which some are in memory. */
struct sample_sequence {
    const struct sampler *sampler;
    const struct sample_item *items;
    size_t count;
    size_t at;
    struct sample_run run; /* what is still to be read from the file */
    struct sample_item buffer[READER_ITEMS];
};

/* The next item; STATUS_END when there is none. */
static enum caxton_status peek(struct sample_sequence *source, const struct sample_item **out,
                               struct diag *diag)
{
    if (source->at == source->count) {
        uint64_t left = source->run.end - source->run.start;
        size_t count = left < READER_ITEMS ? (size_t)left : READER_ITEMS;
        if (count == 0)
            return STATUS_END;
        const struct sampler *sampler = source->sampler;
        enum caxton_status status = temp_file_read(
            sampler->file, source->run.start * sizeof(struct sample_item), source->buffer,
            count * sizeof(struct sample_item), sampler->folder, diag);
        if (status != STATUS_OK)
            return status;
        source->run.start += count;
        source->items = source->buffer;
        source->count = count;
        source->at = 0;
    }
    *out = &source->items[source->at];
    return STATUS_OK;
}

/* A sample_source: what is chosen already. */
static enum caxton_status next_set(void *context, struct sample_set *out, struct diag *diag)
{
    struct sample_sequence *source = context;
    const struct sample_item *item;
    enum caxton_status status = peek(source, &item, diag);
    if (status != STATUS_OK)
        return status;
    out->key = item->key;
    out->count = 0;
    while (status == STATUS_OK && item->key == out->key) {
        sample_set_add(out, &item->sample, &source->sampler->rule);
        source->at++;
        status = peek(source, &item, diag);
    }
    return status == STATUS_END ? STATUS_OK : status;
}

/* Begins to merge all runs; with the items of the workers, and with `more`, where they are wanted.
 */
static enum caxton_status begin_merge(struct sampler *sampler, bool with_items, sample_source more,
                                      void *context, struct diag *diag)
{
    size_t workers = with_items ? (size_t)sampler->worker_count : 0;
    size_t count = sampler->run_count + workers;
    end_merge(sampler);
    sampler->inputs = calloc(count + 1, sizeof *sampler->inputs);
    sampler->sources = calloc(count + 1, sizeof *sampler->sources);
    if (!sampler->inputs || !sampler->sources)
        return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
    for (size_t i = 0; i < count; i++) {
        struct sample_sequence *source = &sampler->sources[i];
        source->sampler = sampler;
        if (i < workers) {
            source->items = sampler->workers[i].items;
            source->count = sampler->workers[i].used;
        } else {
            source->run = sampler->runs[i - workers];
        }
        sampler->inputs[i] = (struct sample_input){.next = next_set, .context = source};
    }
    if (more)
        sampler->inputs[count++] = (struct sample_input){.next = more, .context = context};
    sampler->merge =
        (struct sample_merge){.inputs = sampler->inputs, .count = count, .rule = sampler->rule};
    return STATUS_OK;
}

static enum caxton_status write_items(struct sampler *sampler, int file,
                                      const struct sample_item *items, size_t count,
                                      struct diag *diag)
{
    enum caxton_status status =
        temp_file_write(file, items, count * sizeof *items, sampler->folder, diag);
    sampler->written += status == STATUS_OK ? count : 0;
    return status;
}

/* Writes what the merge gives. */
static enum caxton_status write_merged(struct sampler *sampler, int file, struct diag *diag)
{
    struct sample_item items[WRITER_ITEMS];
    struct sample_set set;
    size_t used = 0;
    enum caxton_status status;
    while ((status = sample_merge_next(&sampler->merge, &set, diag)) == STATUS_OK) {
        if (used + set.count > WRITER_ITEMS) {
            status = write_items(sampler, file, items, used, diag);
            used = 0;
        }
        if (status != STATUS_OK)
            return status;
        for (size_t i = 0; i < set.count; i++)
            items[used++] = (struct sample_item){set.key, set.games[i]};
    }
    return status == STATUS_END ? write_items(sampler, file, items, used, diag) : status;
}

/* Makes one run of all, in a new file. */
static enum caxton_status join_runs(struct sampler *sampler, struct diag *diag)
{
    int file;
    enum caxton_status status = temp_file_open(sampler->folder, &file, diag);
    if (status != STATUS_OK)
        return status;
    status = begin_merge(sampler, false, NULL, NULL, diag);
    sampler->written = 0;
    if (status == STATUS_OK)
        status = write_merged(sampler, file, diag);
    end_merge(sampler);
    temp_file_close(sampler->file);
    sampler->file = file;
    sampler->runs[0] = (struct sample_run){0, sampler->written};
    sampler->run_count = 1;
    sampler->runs_made++;
    return status;
}

/* Writes the worker's items, which are reduced, as a run. With the mutex. */
static enum caxton_status write_run(struct sampler_worker *worker, struct diag *diag)
{
    struct sampler *sampler = worker->sampler;
    enum caxton_status status = STATUS_OK;
    if (!sampler->has_file) {
        status = temp_file_open(sampler->folder, &sampler->file, diag);
        sampler->has_file = status == STATUS_OK;
    }
    if (status == STATUS_OK && sampler->run_count == RUNS_MAX)
        status = join_runs(sampler, diag);
    uint64_t start = sampler->written;
    if (status == STATUS_OK)
        status = write_items(sampler, sampler->file, worker->items, worker->used, diag);
    if (status != STATUS_OK)
        return status;
    sampler->runs[sampler->run_count++] = (struct sample_run){start, sampler->written};
    sampler->runs_made++;
    worker->used = 0;
    return STATUS_OK;
}

/* Adding ----------------------------------------------------------------------------------- */

/* There is no room left: makes some. */
static enum caxton_status make_room(struct sampler_worker *worker, struct diag *diag)
{
    struct sampler *sampler = worker->sampler;
    if (worker->capacity < sampler->items_most) {
        size_t wanted = worker->capacity ? 2 * worker->capacity : ITEMS_LEAST;
        if (wanted > sampler->items_most)
            wanted = sampler->items_most;
        struct sample_item *items = realloc(worker->items, wanted * sizeof *items);
        if (!items)
            return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
        worker->items = items;
        worker->capacity = wanted;
        return STATUS_OK;
    }
    reduce(worker);
    if (worker->used <= worker->capacity / 2)
        return STATUS_OK;
    (void)pthread_mutex_lock(&sampler->mutex);
    enum caxton_status status = write_run(worker, diag);
    (void)pthread_mutex_unlock(&sampler->mutex);
    return status;
}

enum caxton_status sampler_add(struct sampler_worker *worker, uint64_t key,
                               const struct sample *sample, struct diag *diag)
{
    if (worker->used == worker->capacity) {
        enum caxton_status status = make_room(worker, diag);
        if (status != STATUS_OK)
            return status;
    }
    worker->items[worker->used++] = (struct sample_item){key, *sample};
    return STATUS_OK;
}

enum caxton_status sampler_merge(struct sampler *sampler, sample_source more, void *context,
                                 struct sample_merge **merged, struct diag *diag)
{
    for (int i = 0; i < sampler->worker_count; i++)
        reduce(&sampler->workers[i]);
    enum caxton_status status = begin_merge(sampler, true, more, context, diag);
    if (status == STATUS_OK)
        *merged = &sampler->merge;
    return status;
}
