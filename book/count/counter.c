#include "book/count/counter.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/temp_file.h"
#include "base/thread_pool.h"
#include "book/count/item.h"
#include "book/polyglot_entry.h"
#include "book/statistics/tally.h"

/* The counts of one range of keys: items in memory up to a limit, and runs on disk of what did not
 * fit. One thread at a time. Private to counter.c. */

enum { RUN_READER_SIZE = 1 << 15 };

/* Where a run lies in its file. */
struct count_run {
    uint64_t start;
    uint64_t end;
};

struct run_file;

/* Reads a run of a file that is not written to meanwhile. */
struct run_reader {
    const struct run_file *file;
    struct count_run run; /* what of it has not been read into the buffer */
    size_t at;            /* of buffer[0..size), 0 at first */
    size_t size;
    uint8_t buffer[RUN_READER_SIZE];
};

enum { SHARD_RUNS_MAX = 256, SHARD_ITEMS_LEAST = 1024 };

struct count_shard {
    const struct item_kind *kind;
    int same_bits; /* upper bits in which all keys agree */
    char *items;   /* of the kind; owned; NULL until the first one comes */
    size_t capacity;
    size_t used;
    size_t first;       /* the first capacity there will be */
    size_t most;        /* capacity never exceeds this */
    const char *folder; /* borrowed */
    struct run_file *file;
    struct count_run runs[SHARD_RUNS_MAX];
    size_t run_count;
    uint64_t runs_made;
    uint64_t dropped; /* moves that were too rare for shard_merge() */
};

/* Sorted runs of tallies, one behind the other in an unnamed temporary file.
 *
 * A record takes 13 bytes where the counts are small, more as they need it: 35 at most, with facets
 * 58. One thread at a time may use a file and its readers. */

enum { WRITE_SIZE = 1 << 16 };

/* A record is key, move, and three counts of one byte below NARROW_END; or NARROW_END + width - 2,
 * and three counts of `width` bytes, 2..8. With facets then the facet and two varints. */
enum {
    COUNTS_AT = 8 + 2,
    NARROW_END = 249,
    FACET_SIZE = FACET_BITS / 8,
    RECORD_MAX = COUNTS_AT + 1 + OUTCOMES * 8 + FACET_SIZE + 2 * VARINT_MAX
};

struct run_file {
    int file;
    bool facets;
    const char *folder; /* borrowed */
    uint64_t start;     /* of the run being written */
    uint64_t written;
    size_t at; /* in the buffer */
    uint8_t buffer[WRITE_SIZE];
};

/* In `folder`, which is named in errors; the system forgets the file when it is closed. */
static enum caxton_status run_file_create(const char *folder, bool facets, struct run_file **out,
                                          struct diag *diag)
{
    struct run_file *file = calloc(1, sizeof *file);
    if (!file)
        return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
    enum caxton_status status = temp_file_open(folder, &file->file, diag);
    if (status != STATUS_OK) {
        free(file);
        return status;
    }
    file->folder = folder;
    file->facets = facets;
    *out = file;
    return STATUS_OK;
}

static void run_file_destroy(struct run_file *file)
{
    if (!file)
        return;
    temp_file_close(file->file);
    free(file);
}

static enum caxton_status flush(struct run_file *file, struct diag *diag)
{
    enum caxton_status status =
        temp_file_write(file->file, file->buffer, file->at, file->folder, diag);
    if (status == STATUS_OK) {
        file->written += file->at;
        file->at = 0;
    }
    return status;
}

/* Writes at the end of the last run. run_file_end() makes a run of what was written since. */
static enum caxton_status run_file_write(struct run_file *file, const struct tally *tally,
                                         struct diag *diag)
{
    if (file->at + RECORD_MAX > WRITE_SIZE) {
        enum caxton_status status = flush(file, diag);
        if (status != STATUS_OK)
            return status;
    }
    uint64_t all = tally->counts[0] | tally->counts[1] | tally->counts[2];
    int width = 1;
    for (int i = 0; i < OUTCOMES; i++)
        if (tally->counts[i] >= NARROW_END)
            width = 2;
    while (width > 1 && width < 8 && all >> 8 * width)
        width++;
    uint8_t *to = file->buffer + file->at;
    bytes_put_le(to, tally->key, 8);
    bytes_put_le(to + 8, tally->move, 2);
    to += COUNTS_AT;
    if (width > 1)
        *to++ = (uint8_t)(NARROW_END + width - 2);
    for (int i = 0; i < OUTCOMES; i++, to += width)
        bytes_put_le(to, tally->counts[i], width);
    if (file->facets) {
        bytes_put_le(to, tally->facet, FACET_SIZE);
        to = bytes_put_varint(to + FACET_SIZE, tally->ratings[0]);
        to = bytes_put_varint(to, tally->ratings[1]);
    }
    file->at = (size_t)(to - file->buffer);
    return STATUS_OK;
}

static enum caxton_status run_file_end(struct run_file *file, struct count_run *out,
                                       struct diag *diag)
{
    enum caxton_status status = flush(file, diag);
    *out = (struct count_run){file->start, file->written};
    file->start = file->written;
    return status;
}

/* Makes sure that a whole record lies in the buffer, unless the run ends before. */
static enum caxton_status refill(struct run_reader *reader, struct diag *diag)
{
    size_t left = reader->size - reader->at;
    memmove(reader->buffer, reader->buffer + reader->at, left);
    reader->at = 0;
    reader->size = left;
    size_t room = RUN_READER_SIZE - left;
    if (room > reader->run.end - reader->run.start)
        room = (size_t)(reader->run.end - reader->run.start);
    enum caxton_status status =
        temp_file_read(reader->file->file, reader->run.start, reader->buffer + left, room,
                       reader->file->folder, diag);
    if (status == STATUS_OK) {
        reader->size += room;
        reader->run.start += room;
    }
    return status;
}

/* A tally_source. Errors: STATUS_END, STATUS_IO. */
static enum caxton_status run_reader_next(void *context, struct tally *out, struct diag *diag)
{
    struct run_reader *reader = context;
    if (reader->size - reader->at < RECORD_MAX) {
        enum caxton_status status = refill(reader, diag);
        if (status != STATUS_OK)
            return status;
        if (reader->size == 0)
            return STATUS_END;
    }
    const uint8_t *from = reader->buffer + reader->at;
    const uint8_t *counts = from + COUNTS_AT;
    int width = *counts < NARROW_END ? 1 : *counts++ - NARROW_END + 2;
    *out = (struct tally){.key = bytes_get_u64le(from)};
    out->move = bytes_get_u16le(from + 8);
    for (int i = 0; i < OUTCOMES; i++)
        out->counts[i] = bytes_get_le(counts + width * i, width);
    const uint8_t *end = counts + OUTCOMES * width;
    bool is_whole = true;
    if (reader->file->facets) {
        const uint8_t *limit = reader->buffer + reader->size;
        out->facet = (uint32_t)bytes_get_le(end, FACET_SIZE);
        end += FACET_SIZE;
        is_whole = bytes_get_varint(&end, limit, &out->ratings[0]) &&
                   bytes_get_varint(&end, limit, &out->ratings[1]);
    }
    reader->at = (size_t)(end - reader->buffer);
    return is_whole ? STATUS_OK : diag_fail(STATUS_IO, diag, "a temporary file was changed");
}

/* The shard's keys agree in their upper `same_bits`. most: items, at least SHARD_ITEMS_LEAST are
 * taken. expected: items, for which room is made when the first one comes. */
static void shard_init(struct count_shard *shard, const struct item_kind *kind, int same_bits,
                       size_t most, uint64_t expected, const char *folder)
{
    memset(shard, 0, sizeof *shard);
    shard->kind = kind;
    shard->same_bits = same_bits;
    shard->folder = folder;
    shard->most = most > SHARD_ITEMS_LEAST ? most : SHARD_ITEMS_LEAST;
    shard->first = expected < shard->most ? (size_t)expected : shard->most;
    if (shard->first < SHARD_ITEMS_LEAST)
        shard->first = SHARD_ITEMS_LEAST;
}

static void drop_runs(struct count_shard *shard)
{
    run_file_destroy(shard->file);
    shard->file = NULL;
    shard->run_count = 0;
}

static void shard_free(struct count_shard *shard)
{
    drop_runs(shard);
    large_memory_free(shard->items);
    shard->items = NULL;
}

/* The combined items of a shard, those from `at` on. */
struct item_source {
    const struct count_shard *shard;
    size_t at;
};

static enum caxton_status next_item(void *context, struct tally *out, struct diag *diag)
{
    struct item_source *items = context;
    (void)diag;
    if (items->at == items->shard->used)
        return STATUS_END;
    *out = items->shard->kind->next(items->shard->items, &items->at, items->shard->used);
    return STATUS_OK;
}

/* Gives the sums of the items, which are combined, and of runs[0..run_count) to `sink`. */
static enum caxton_status add_up(const struct count_shard *shard, size_t run_count, tally_sink sink,
                                 void *context, struct diag *diag)
{
    struct tally_input inputs[SHARD_RUNS_MAX + 1];
    struct item_source items = {shard, 0};
    struct run_reader *readers = calloc(run_count + 1, sizeof *readers);
    if (!readers)
        return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
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
static enum caxton_status spill(struct count_shard *shard, struct diag *diag)
{
    bool compacts = shard->run_count == SHARD_RUNS_MAX;
    struct file_sink to = {.file = compacts ? NULL : shard->file, .diag = diag};
    struct count_run run;
    enum caxton_status status = STATUS_OK;
    if (!to.file)
        status = run_file_create(shard->folder, shard->kind == &item_with_facets, &to.file, diag);
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
static enum caxton_status grow(struct count_shard *shard, struct diag *diag)
{
    size_t capacity = !shard->capacity                    ? shard->first
                      : shard->capacity < shard->most / 2 ? 2 * shard->capacity
                                                          : shard->most;
    char *items = large_memory(capacity * shard->kind->size);
    if (!items)
        return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
    if (shard->used)
        memcpy(items, shard->items, shard->used * shard->kind->size);
    large_memory_free(shard->items);
    shard->items = items;
    shard->capacity = capacity;
    return STATUS_OK;
}

/* There is no room left: makes some. Half of it has to become free by adding up, else most items
 * would be sorted again and again. */
static enum caxton_status make_room(struct count_shard *shard, struct diag *diag)
{
    if (!shard->capacity)
        return grow(shard, diag);
    shard->used = shard->kind->combine(shard->items, shard->used, shard->same_bits);
    if (shard->used <= shard->capacity / 2)
        return STATUS_OK;
    return shard->capacity < shard->most ? grow(shard, diag) : spill(shard, diag);
}

/* Errors: STATUS_NO_MEMORY, STATUS_IO. */
static enum caxton_status shard_add(struct count_shard *shard, const char *items, size_t count,
                                    struct diag *diag)
{
    size_t size = shard->kind->size;
    while (count > 0) {
        size_t room = shard->capacity - shard->used;
        if (room == 0) {
            enum caxton_status status = make_room(shard, diag);
            if (status != STATUS_OK)
                return status;
            continue;
        }
        size_t part = count < room ? count : room;
        memcpy(shard->items + shard->used * size, items, part * size);
        shard->used += part;
        items += part * size;
        count -= part;
    }
    return STATUS_OK;
}

/* Merging ---------------------------------------------------------------------------------- */

/* Has to come before shard_merge(): what is too rare for it may be forgotten. */
static void shard_sort(struct count_shard *shard, uint64_t least)
{
    shard->used = shard->kind->combine(shard->items, shard->used, shard->same_bits);
    if (!shard->run_count)
        shard->used = shard->kind->prune(shard->items, shard->used, least, &shard->dropped);
}

/* Gives all sums of at least `least` to `sink`, counts the others as dropped; the shard is empty
 * afterwards and counts afresh. Errors: STATUS_NO_MEMORY, STATUS_IO, those of the sink. */
static enum caxton_status shard_merge(struct count_shard *shard, uint64_t least, tally_sink sink,
                                      void *context, struct diag *diag)
{
    struct tally_group moves = {
        .sink = sink, .context = context, .least = least, .are_moves = shard->kind == &item_plain};
    enum caxton_status status = add_up(shard, shard->run_count, tally_group_take, &moves, diag);
    enum caxton_status ended = tally_group_end(&moves);
    if (status == STATUS_OK)
        status = ended;
    shard->dropped += moves.left_out;
    drop_runs(shard);
    shard->used = 0;
    return status;
}

_Static_assert(SKETCH_SHARD_BITS >= 6, "shards share no line of a sketch");
enum { SHARD_BITS_MAX = 6, SHARDS_MAX = 1 << SHARD_BITS_MAX, SORTERS_MAX = 64, BATCH = 2048 };

struct counter {
    const struct item_kind *kind;
    struct count_shard
        shards[SHARDS_MAX]; /* by the upper bits of the key; each guarded by its lock */
    pthread_mutex_t locks[SHARDS_MAX];
    int shard_bits;
    int shard_count;       /* 2^shard_bits */
    struct sketch *sketch; /* NULL: all moves are counted */
    bool is_sealed;
    struct {
        uint64_t left_out;
        uint64_t all;
    } looked[SHARDS_MAX]; /* guarded as the shards are */
};

enum { RECENT_BITS = 12 };

struct counter_worker {
    struct counter *counter;
    /* What was added lately, each in a place that it alone decides: openings come again and again,
     * and are added up here before they go on. Amount 0: nothing. */
    union {
        struct item plain[1 << RECENT_BITS];
        struct facet_item facets[1 << RECENT_BITS];
    } recent;
    size_t used[SHARDS_MAX];
    struct facet_item items[SHARDS_MAX * BATCH]; /* room for either kind */
};

struct counter *counter_create(size_t memory_bytes, int workers, uint64_t expected, bool facets,
                               const char *folder, size_t files)
{
    struct counter *counter = calloc(1, sizeof *counter);
    if (!counter)
        return NULL;
    counter->kind = facets ? &item_with_facets : &item_plain;
    while (counter->shard_bits < SHARD_BITS_MAX && (size_t)2 << counter->shard_bits <= files)
        counter->shard_bits++;
    /* Sorting a shard takes as much memory again. */
    size_t shards = (size_t)1 << counter->shard_bits;
    size_t sorted = (size_t)workers < shards ? (size_t)workers : shards;
    size_t most = memory_bytes / (shards + sorted) / counter->kind->size;
    for (; counter->shard_count < 1 << counter->shard_bits; counter->shard_count++) {
        shard_init(&counter->shards[counter->shard_count], counter->kind, counter->shard_bits, most,
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

void counter_set_sketch(struct counter *counter, struct sketch *sketch, bool is_sealed)
{
    counter->sketch = sketch;
    counter->is_sealed = is_sealed;
}

uint64_t counter_left_out(const struct counter *counter, uint64_t *all)
{
    uint64_t left_out = 0;
    *all = 0;
    for (int i = 0; i < counter->shard_count; i++) {
        left_out += counter->looked[i].left_out;
        *all += counter->looked[i].all;
    }
    return left_out;
}

/* Of items that go to a shard, which is locked: notes them in the sketch, or keeps those that the
 * sketch has. Returns how many are left. */
static size_t look(struct counter *counter, size_t index, char *items, size_t count)
{
    bool facets = counter->kind == &item_with_facets;
    size_t size = counter->kind->size;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        struct facet_item item = {.key = 0};
        memcpy(&item, items + i * size, size);
        struct item plain = {item.key, item.rest};
        uint64_t amount = facets ? facet_item_amount(&item) : item_amount(&plain);
        uint16_t played = (uint16_t)(item.rest >> ITEM_MOVE_SHIFT);
        bool counts = counter->is_sealed && sketch_has(counter->sketch, item.key, played);
        if (!counter->is_sealed)
            sketch_add(counter->sketch, item.key, played, amount);
        if (counts)
            memmove(items + size * kept++, items + size * i, size);
        counter->looked[index].all += amount;
        counter->looked[index].left_out += counts ? 0 : amount;
    }
    return kept;
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
    char *items = (char *)worker->items + index * BATCH * counter->kind->size;
    size_t count = worker->used[index];
    (void)pthread_mutex_lock(&counter->locks[index]);
    if (counter->sketch)
        count = look(counter, index, items, count);
    enum caxton_status status = shard_add(&counter->shards[index], items, count, diag);
    (void)pthread_mutex_unlock(&counter->locks[index]);
    worker->used[index] = 0;
    return status;
}

static inline enum caxton_status pass_on(struct counter_worker *worker, const struct item *item,
                                         struct diag *diag)
{
    size_t index = shard_of(worker->counter, item->key);
    struct item *items = (struct item *)(void *)worker->items;
    items[index * BATCH + worker->used[index]++] = *item;
    return worker->used[index] < BATCH ? STATUS_OK : flush_shard(worker, index, diag);
}

static enum caxton_status pass_on_facets(struct counter_worker *worker,
                                         const struct facet_item *item, struct diag *diag)
{
    size_t index = shard_of(worker->counter, item->key);
    worker->items[index * BATCH + worker->used[index]++] = *item;
    return worker->used[index] < BATCH ? STATUS_OK : flush_shard(worker, index, diag);
}

/* The place of what was added lately. what: the move, the facet and the outcome. */
static size_t place_of(uint64_t key, uint64_t what)
{
    return (key ^ what * UINT64_C(0x9E3779B97F4A7C15)) >> 32 & ((1 << RECENT_BITS) - 1);
}

static enum caxton_status add_facets(struct counter_worker *worker,
                                     const struct counted_move *played, struct diag *diag)
{
    struct facet_item item = {.key = played->key,
                              .rest = item_rest(played->move, played->facet, played->outcome,
                                                played->amount, FACET_ITEM_AMOUNT_BITS),
                              .ratings = {played->ratings[0] * (uint32_t)played->amount,
                                          played->ratings[1] * (uint32_t)played->amount}};
    size_t place = place_of(item.key, item.rest >> FACET_ITEM_AMOUNT_BITS);
    struct facet_item *recent = &worker->recent.facets[place];
    if (facet_item_is_like(recent, &item) && facet_item_add(recent, &item))
        return STATUS_OK;
    struct facet_item old = *recent;
    *recent = item;
    return facet_item_amount(&old) ? pass_on_facets(worker, &old, diag) : STATUS_OK;
}

enum caxton_status counter_worker_add(struct counter_worker *worker,
                                      const struct counted_move *played, struct diag *diag)
{
    if (worker->counter->kind == &item_with_facets)
        return add_facets(worker, played, diag);
    struct item item = {
        played->key, item_rest(played->move, 0, played->outcome, played->amount, ITEM_AMOUNT_BITS)};
    struct item *recent = &worker->recent.plain[place_of(item.key, item.rest >> ITEM_AMOUNT_BITS)];
    if (item_is_like(recent, &item) && item_add(recent, &item))
        return STATUS_OK;
    struct item old = *recent;
    *recent = item;
    return item_amount(&old) ? pass_on(worker, &old, diag) : STATUS_OK;
}

enum caxton_status counter_worker_add_line(struct counter_worker *worker, const uint64_t *keys,
                                           const uint16_t *moves, size_t count, int turn,
                                           const enum outcome outcomes[2], uint64_t amount,
                                           struct diag *diag)
{
    const uint64_t rests[2] = {item_rest(0, 0, outcomes[turn], amount, ITEM_AMOUNT_BITS),
                               item_rest(0, 0, outcomes[!turn], amount, ITEM_AMOUNT_BITS)};
    enum caxton_status status = STATUS_OK;
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status =
            pass_on(worker,
                    &(struct item){keys[i], rests[i & 1] | (uint64_t)polyglot_from_move(moves[i])
                                                               << ITEM_MOVE_SHIFT},
                    diag);
    return status;
}

enum caxton_status counter_worker_flush(struct counter_worker *worker, struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    bool facets = worker->counter->kind == &item_with_facets;
    for (size_t i = 0; i < 1 << RECENT_BITS && status == STATUS_OK; i++) {
        const struct facet_item *item = &worker->recent.facets[i];
        const struct item *plain = &worker->recent.plain[i];
        if (facets ? facet_item_amount(item) : item_amount(plain))
            status = facets ? pass_on_facets(worker, item, diag) : pass_on(worker, plain, diag);
    }
    memset(&worker->recent, 0, sizeof worker->recent);
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

struct count_merging {
    struct counter *counter;
    uint64_t least;
};

/* A tally_part. */
static enum caxton_status merge_shard(void *context, uint64_t index, tally_sink sink,
                                      void *sink_context, struct diag *diag)
{
    const struct count_merging *merging = context;
    return shard_merge(&merging->counter->shards[index], merging->least, sink, sink_context, diag);
}

enum caxton_status counter_merge(struct counter *counter, int jobs, uint64_t least, tally_sink sink,
                                 void *context, struct diag *diag)
{
    struct count_merging merging = {counter, least};
    sort_all(counter, jobs, least);
    return tally_parts((uint64_t)counter->shard_count, jobs, merge_shard, &merging, sink, context,
                       diag);
}
