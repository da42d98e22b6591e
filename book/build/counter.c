#include "book/build/counter.h"

#include <stdlib.h>
#include <string.h>

#include "book/build/run.h"
#include "book/build/slot.h"

enum { RUNS_MAX = 256, LEAST_BYTES = 1 << 20, BATCH = 16 };

struct counter {
    struct slot *slots;
    size_t capacity;
    size_t used;
    size_t limit; /* spill when this many are used */
    bool stale; /* what is in the table was given away; it looks full, to be cleared when needed */
    struct run *runs[RUNS_MAX];
    size_t run_count;
    size_t runs_max; /* 1..RUNS_MAX */
    size_t runs_made;
    uint64_t bytes_made;
    char *folder;
};

struct counter *counter_create(size_t memory_bytes, const char *folder)
{
    struct counter *counter = calloc(1, sizeof *counter);
    if (!counter)
        return NULL;
    if (memory_bytes < LEAST_BYTES)
        memory_bytes = LEAST_BYTES;
    counter->capacity = memory_bytes / sizeof(struct slot);
    counter->limit = counter->capacity * 3 / 4;
    counter->runs_max = RUNS_MAX;
    counter->slots = calloc(counter->capacity, sizeof(struct slot));
    counter->folder = strdup(folder);
    if (!counter->slots || !counter->folder) {
        counter_destroy(counter);
        return NULL;
    }
    return counter;
}

void counter_limit_runs(struct counter *counter, size_t runs)
{
    counter->runs_max = runs < 1 ? 1 : runs < RUNS_MAX ? runs : RUNS_MAX;
}

static void drop_runs(struct counter *counter)
{
    while (counter->run_count > 0)
        run_destroy(counter->runs[--counter->run_count]);
}

void counter_destroy(struct counter *counter)
{
    if (!counter)
        return;
    drop_runs(counter);
    free(counter->folder);
    free(counter->slots);
    free(counter);
}

size_t counter_runs(const struct counter *counter)
{
    return counter->runs_made;
}

uint64_t counter_run_bytes(const struct counter *counter)
{
    return counter->bytes_made;
}

/* Where the search for a pair starts. Moves of one position lie far apart, which is as well. */
static size_t home_of(const struct counter *counter, uint64_t key, uint16_t move)
{
    uint64_t mixed =
        (key ^ (uint64_t)move * UINT64_C(0x9E3779B97F4A7C15)) * UINT64_C(0xD6E8FEB86659FD93);
    __extension__ typedef unsigned __int128 wide;
    return (size_t)(((wide)mixed * counter->capacity) >> 64);
}

static struct slot *find_slot(struct counter *counter, size_t home, uint64_t key, uint16_t move)
{
    for (size_t i = home;; i = i + 1 < counter->capacity ? i + 1 : 0) {
        struct slot *slot = &counter->slots[i];
        if (!slot_is_used(slot) || (slot->key == key && slot->move == move))
            return slot;
    }
}

/* Sorts the used slots into the front of the table, those of at least that much only. The table
 * is no hash table afterwards. Returns how many there are. */
static size_t sort_slots(struct counter *counter, uint64_t least)
{
    size_t count = 0;
    for (size_t i = 0; counter->used && !counter->stale && i < counter->capacity; i++) {
        struct tally tally = slot_tally(&counter->slots[i]);
        if (slot_is_used(&counter->slots[i]) && tally_games(&tally) >= least)
            counter->slots[count++] = counter->slots[i];
    }
    slots_sort(counter->slots, count);
    return count;
}

static void empty_table(struct counter *counter)
{
    memset(counter->slots, 0, counter->capacity * sizeof *counter->slots);
    counter->used = 0;
    counter->stale = false;
}

/* Merging ---------------------------------------------------------------------------------- */

/* One input of a merge: a run, or the sorted slots of a table. */
struct source {
    struct tally head;
    struct run *run; /* NULL: slots */
    const struct slot *slot;
    const struct slot *end;
};

static enum caxton_status source_next(struct source *source, struct diag *diag)
{
    if (source->run)
        return run_read(source->run, &source->head, diag);
    if (source->slot == source->end)
        return STATUS_END;
    source->head = slot_tally(source->slot++);
    return STATUS_OK;
}

/* Restores the heap order below `at`: the smallest head is heap[0]. */
static void sift(struct source **heap, size_t count, size_t at)
{
    struct source *moving = heap[at];
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= count)
            break;
        if (child + 1 < count && tally_compare(&heap[child + 1]->head, &heap[child]->head) < 0)
            child++;
        if (tally_compare(&moving->head, &heap[child]->head) <= 0)
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = moving;
}

/* Advances heap[0]; drops it when it is finished. */
static enum caxton_status advance(struct source **heap, size_t *count, struct diag *diag)
{
    enum caxton_status status = source_next(heap[0], diag);
    if (status == STATUS_END) {
        heap[0] = heap[--*count];
        status = STATUS_OK;
    }
    if (*count > 0)
        sift(heap, *count, 0);
    return status;
}

static enum caxton_status merge_sources(struct source *sources, size_t count, uint64_t least,
                                        tally_sink sink, void *context, struct diag *diag)
{
    struct source **heap = malloc((count ? count : 1) * sizeof *heap);
    if (!heap) {
        diag_set(diag, 0, 0, "out of memory");
        return STATUS_NO_MEMORY;
    }
    size_t live = 0;
    enum caxton_status status = STATUS_OK;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        status = source_next(&sources[i], diag);
        if (status == STATUS_OK)
            heap[live++] = &sources[i];
        else if (status == STATUS_END)
            status = STATUS_OK;
    }
    for (size_t i = live / 2; i-- > 0;)
        sift(heap, live, i);
    while (live > 0 && status == STATUS_OK) {
        struct tally sum = heap[0]->head;
        status = advance(heap, &live, diag);
        while (status == STATUS_OK && live > 0 && tally_compare(&heap[0]->head, &sum) == 0) {
            for (int i = 0; i < OUTCOMES; i++)
                sum.counts[i] += heap[0]->head.counts[i];
            status = advance(heap, &live, diag);
        }
        if (status == STATUS_OK && tally_games(&sum) >= least)
            status = sink(context, &sum);
    }
    free(heap);
    return status;
}

/* Spilling --------------------------------------------------------------------------------- */

struct run_sink {
    struct run *run;
    struct diag *diag;
};

static enum caxton_status write_to_run(void *context, const struct tally *tally)
{
    struct run_sink *to = context;
    return run_write(to->run, tally, to->diag);
}

/* Writes all that the sources hold to a new run of the counter. */
static enum caxton_status write_run(struct counter *counter, struct source *sources, size_t count,
                                    struct run **out, struct diag *diag)
{
    struct run *run;
    enum caxton_status status = run_create(counter->folder, &run, diag);
    if (status != STATUS_OK)
        return status;
    struct run_sink to = {run, diag};
    status = merge_sources(sources, count, 0, write_to_run, &to, diag);
    if (status == STATUS_OK)
        status = run_rewind(run, diag);
    if (status != STATUS_OK) {
        run_destroy(run);
        return status;
    }
    counter->runs_made++;
    counter->bytes_made += run_bytes(run);
    *out = run;
    return STATUS_OK;
}

/* Too many runs become one. */
static enum caxton_status compact_runs(struct counter *counter, struct diag *diag)
{
    struct source sources[RUNS_MAX];
    for (size_t i = 0; i < counter->run_count; i++)
        sources[i] = (struct source){.run = counter->runs[i]};
    struct run *run = NULL;
    enum caxton_status status = write_run(counter, sources, counter->run_count, &run, diag);
    if (status != STATUS_OK)
        return status;
    drop_runs(counter);
    counter->runs[counter->run_count++] = run;
    return STATUS_OK;
}

static enum caxton_status spill(struct counter *counter, struct diag *diag)
{
    if (counter->stale) {
        empty_table(counter);
        return STATUS_OK;
    }
    if (counter->run_count >= counter->runs_max) {
        enum caxton_status status = compact_runs(counter, diag);
        if (status != STATUS_OK)
            return status;
    }
    size_t count = sort_slots(counter, 0);
    struct source source = {.slot = counter->slots, .end = counter->slots + count};
    struct run *run = NULL;
    enum caxton_status status = write_run(counter, &source, 1, &run, diag);
    if (status != STATUS_OK)
        return status;
    counter->runs[counter->run_count++] = run;
    empty_table(counter);
    return STATUS_OK;
}

/* Counting --------------------------------------------------------------------------------- */

static enum caxton_status make_room(struct counter *counter, size_t count, struct diag *diag)
{
    return counter->used + count > counter->limit ? spill(counter, diag) : STATUS_OK;
}

static enum caxton_status add_batch(struct counter *counter, const uint64_t *keys,
                                    const uint16_t *moves, const uint8_t *outcomes, size_t count,
                                    uint32_t amount, struct diag *diag)
{
    enum caxton_status status = make_room(counter, count, diag);
    if (status != STATUS_OK)
        return status;
    /* All the slots are asked for before the first is needed: the table is larger than any cache.
     */
    size_t homes[BATCH];
    for (size_t i = 0; i < count; i++) {
        homes[i] = home_of(counter, keys[i], moves[i]);
        __builtin_prefetch(&counter->slots[homes[i]], 1);
    }
    for (size_t i = 0; i < count; i++) {
        struct slot *slot = find_slot(counter, homes[i], keys[i], moves[i]);
        counter->used += !slot_is_used(slot);
        slot->key = keys[i];
        slot->move = moves[i];
        if (!slot_add(slot, outcomes[i], amount)) {
            status = spill(counter, diag);
            if (status != STATUS_OK)
                return status;
        }
    }
    return STATUS_OK;
}

enum caxton_status counter_add(struct counter *counter, const uint64_t *keys, const uint16_t *moves,
                               const uint8_t *outcomes, size_t count, uint32_t amount,
                               struct diag *diag)
{
    for (size_t i = 0; i < count; i += BATCH) {
        size_t size = count - i < BATCH ? count - i : BATCH;
        enum caxton_status status =
            add_batch(counter, keys + i, moves + i, outcomes + i, size, amount, diag);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

enum caxton_status counter_add_tally(struct counter *counter, const struct tally *tally,
                                     struct diag *diag)
{
    uint64_t left[OUTCOMES];
    memcpy(left, tally->counts, sizeof left);
    while (left[0] | left[1] | left[2]) {
        enum caxton_status status = make_room(counter, 1, diag);
        if (status != STATUS_OK)
            return status;
        size_t home = home_of(counter, tally->key, tally->move);
        struct slot *slot = find_slot(counter, home, tally->key, tally->move);
        counter->used += !slot_is_used(slot);
        slot->key = tally->key;
        slot->move = tally->move;
        bool room = true;
        for (int i = 0; i < OUTCOMES; i++) {
            uint32_t part = left[i] < UINT32_MAX ? (uint32_t)left[i] : UINT32_MAX;
            left[i] -= part;
            room &= slot_add(slot, i, part);
        }
        if (!room && (status = spill(counter, diag)) != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

enum caxton_status counter_merge(struct counter *const *counters, size_t count, uint64_t least,
                                 tally_sink sink, void *context, struct diag *diag)
{
    size_t source_count = 0;
    for (size_t i = 0; i < count; i++)
        source_count += counters[i]->run_count + 1;
    struct source *sources = calloc(source_count ? source_count : 1, sizeof *sources);
    if (!sources) {
        diag_set(diag, 0, 0, "out of memory");
        return STATUS_NO_MEMORY;
    }
    /* A single table without runs need not even sort what is too rare. */
    uint64_t of_table = source_count == 1 ? least : 0;
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        size_t slots = sort_slots(counters[i], of_table);
        sources[at++] =
            (struct source){.slot = counters[i]->slots, .end = counters[i]->slots + slots};
        for (size_t j = 0; j < counters[i]->run_count; j++)
            sources[at++] = (struct source){.run = counters[i]->runs[j]};
    }
    enum caxton_status status = merge_sources(sources, source_count, least, sink, context, diag);
    free(sources);
    for (size_t i = 0; i < count; i++) {
        drop_runs(counters[i]);
        counters[i]->stale = counters[i]->used > 0;
        if (counters[i]->stale)
            counters[i]->used = counters[i]->capacity;
    }
    return status;
}
