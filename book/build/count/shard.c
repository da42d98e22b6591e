#include "book/build/count/shard.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "book/statistics/tally_merge.h"

void shard_init(struct shard *shard, int same_bits, size_t most, uint64_t expected,
                const char *folder)
{
    memset(shard, 0, sizeof *shard);
    shard->same_bits = same_bits;
    shard->folder = folder;
    shard->most = most > SHARD_ITEMS_LEAST ? most : SHARD_ITEMS_LEAST;
    shard->first = expected < shard->most ? (size_t)expected : shard->most;
    if (shard->first < SHARD_ITEMS_LEAST)
        shard->first = SHARD_ITEMS_LEAST;
}

static void drop_runs(struct shard *shard)
{
    run_file_destroy(shard->file);
    shard->file = NULL;
    shard->run_count = 0;
}

void shard_free(struct shard *shard)
{
    drop_runs(shard);
    large_memory_free(shard->items);
    shard->items = NULL;
}

/* Combined items, [at, end). */
struct item_source {
    const struct item *at;
    const struct item *end;
};

static enum caxton_status next_item(void *context, struct tally *out, struct diag *diag)
{
    struct item_source *items = context;
    (void)diag;
    if (items->at == items->end)
        return STATUS_END;
    *out = items_next(&items->at, items->end);
    return STATUS_OK;
}

/* Gives the sums of the items, which are combined, and of runs[0..run_count) to `sink`. */
static enum caxton_status add_up(const struct shard *shard, size_t run_count, tally_sink sink,
                                 void *context, struct diag *diag)
{
    struct tally_input inputs[SHARD_RUNS_MAX + 1];
    struct item_source items = {shard->items, shard->items};
    struct run_reader *readers = calloc(run_count + 1, sizeof *readers);
    if (!readers)
        return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
    if (shard->used)
        items.end += shard->used; /* nothing may be added to NULL */
    inputs[run_count] = (struct tally_input){.next = next_item, .context = &items};
    for (size_t i = 0; i < run_count; i++) {
        readers[i].file = shard->file;
        readers[i].run = shard->runs[i];
        inputs[i] = (struct tally_input){.next = run_reader_next, .context = &readers[i]};
    }
    enum caxton_status status = tally_merge(inputs, run_count + 1, sink, context, diag);
    free(readers);
    return status;
}

/* Spilling --------------------------------------------------------------------------------- */

struct file_sink {
    struct run_file *file;
    struct diag *diag;
};

static enum caxton_status write_to_file(void *context, const struct tally *tally)
{
    struct file_sink *to = context;
    return run_file_write(to->file, tally, to->diag);
}

/* Writes the items, which are combined, to disk as a run; where there are too many runs all of them
 * become one with it, in a new file. */
static enum caxton_status spill(struct shard *shard, struct diag *diag)
{
    bool compacts = shard->run_count == SHARD_RUNS_MAX;
    struct file_sink to = {.file = compacts ? NULL : shard->file, .diag = diag};
    struct run run;
    enum caxton_status status = STATUS_OK;
    if (!to.file)
        status = run_file_create(shard->folder, &to.file, diag);
    if (status == STATUS_OK)
        status = add_up(shard, compacts ? shard->run_count : 0, write_to_file, &to, diag);
    if (status == STATUS_OK)
        status = run_file_end(to.file, &run, diag);
    if (status != STATUS_OK) {
        if (to.file != shard->file)
            run_file_destroy(to.file);
        return status;
    }
    if (to.file != shard->file)
        drop_runs(shard);
    shard->file = to.file;
    shard->runs[shard->run_count++] = run;
    shard->runs_made++;
    shard->used = 0;
    return STATUS_OK;
}

/* Counting --------------------------------------------------------------------------------- */

/* The first room, or twice as much, as far as there may be. */
static enum caxton_status grow(struct shard *shard, struct diag *diag)
{
    size_t capacity = !shard->capacity                    ? shard->first
                      : shard->capacity < shard->most / 2 ? 2 * shard->capacity
                                                          : shard->most;
    struct item *items = large_memory(capacity * sizeof *items);
    if (!items)
        return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
    if (shard->used)
        memcpy(items, shard->items, shard->used * sizeof *items);
    large_memory_free(shard->items);
    shard->items = items;
    shard->capacity = capacity;
    return STATUS_OK;
}

/* There is no room left: makes some. Half of it has to become free by adding up, else most items
 * would be sorted again and again. */
static enum caxton_status make_room(struct shard *shard, struct diag *diag)
{
    if (!shard->capacity)
        return grow(shard, diag);
    shard->used = items_combine(shard->items, shard->used, shard->same_bits);
    if (shard->used <= shard->capacity / 2)
        return STATUS_OK;
    return shard->capacity < shard->most ? grow(shard, diag) : spill(shard, diag);
}

enum caxton_status shard_add(struct shard *shard, const struct item *items, size_t count,
                             struct diag *diag)
{
    while (count > 0) {
        size_t room = shard->capacity - shard->used;
        if (room == 0) {
            enum caxton_status status = make_room(shard, diag);
            if (status != STATUS_OK)
                return status;
            continue;
        }
        size_t part = count < room ? count : room;
        memcpy(shard->items + shard->used, items, part * sizeof *items);
        shard->used += part;
        items += part;
        count -= part;
    }
    return STATUS_OK;
}

/* Merging ---------------------------------------------------------------------------------- */

void shard_sort(struct shard *shard, uint64_t least)
{
    shard->used = items_combine(shard->items, shard->used, shard->same_bits);
    if (!shard->run_count)
        shard->used = items_prune(shard->items, shard->used, least, &shard->dropped);
}

/* Passes on the sums that are frequent enough and counts the others. */
struct sieve {
    struct shard *shard;
    uint64_t least;
    tally_sink sink;
    void *context;
};

static enum caxton_status sift(void *context, const struct tally *tally)
{
    const struct sieve *sieve = context;
    if (tally_games(tally) >= sieve->least)
        return sieve->sink(sieve->context, tally);
    sieve->shard->dropped++;
    return STATUS_OK;
}

enum caxton_status shard_merge(struct shard *shard, uint64_t least, tally_sink sink, void *context,
                               struct diag *diag)
{
    struct sieve sieve = {shard, least, sink, context};
    enum caxton_status status = add_up(shard, shard->run_count, sift, &sieve, diag);
    drop_runs(shard);
    shard->used = 0;
    return status;
}
