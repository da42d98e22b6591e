#include "book/build/shard.h"

#include <stdlib.h>
#include <string.h>

#include "chess/large_memory.h"

enum {
    AHEAD = 16, /* entries whose slots are asked for before they are needed */
    PART_BITS = 6,
    PARTS = 1 << PART_BITS,
};

/* Empty slots, in memory that is there: what calloc() gives is often only promised, and each of its
 * pages would be fetched by two faults, at a read and at a write. */
static struct slot *create_slots(size_t count)
{
    struct slot *slots = large_memory(count * sizeof *slots);
    if (slots)
        memset(slots, 0, count * sizeof *slots);
    return slots;
}

void shard_init(struct shard *shard, size_t most, uint64_t expected, const char *folder)
{
    memset(shard, 0, sizeof *shard);
    shard->folder = folder;
    shard->most = most > SHARD_SLOTS_LEAST ? most : SHARD_SLOTS_LEAST;
    shard->first = SHARD_SLOTS_LEAST;
    if (expected > SHARD_SLOTS_LEAST / 2)
        shard->first = expected < shard->most / 2 ? (size_t)expected / 4 * 6 : shard->most;
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
    free(shard->slots);
    shard->slots = NULL;
}

/* Moves of one position lie far apart, which is as well. */
static inline uint64_t mix(uint64_t key, uint16_t move)
{
    return (key ^ (uint64_t)move * UINT64_C(0x9E3779B97F4A7C15)) * UINT64_C(0xD6E8FEB86659FD93);
}

/* Where the search for a pair starts: larger mixed numbers, later slots. */
static inline size_t home_of(const struct shard *shard, uint64_t key, uint16_t move)
{
    __extension__ typedef unsigned __int128 wide;
    return (size_t)(((wide)mix(key, move) * shard->capacity) >> 64);
}

static struct slot *find_slot(struct shard *shard, uint64_t key, uint16_t move)
{
    for (size_t i = home_of(shard, key, move);; i = i + 1 < shard->capacity ? i + 1 : 0) {
        struct slot *slot = &shard->slots[i];
        if (!slot_is_used(slot) || (slot->key == key && slot->move == move))
            return slot;
    }
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

static void note_run(struct shard *shard, struct run run)
{
    shard->runs[shard->run_count++] = run;
    shard->runs_made++;
    shard->bytes_made += run.end - run.start;
}

/* Too many runs become one, in a new file. */
static enum caxton_status compact_runs(struct shard *shard, struct diag *diag)
{
    struct file_sink to = {.diag = diag};
    struct run run;
    enum caxton_status status = run_file_create(shard->folder, &to.file, diag);
    if (status == STATUS_OK)
        status = slot_merge(NULL, 0, shard->file, shard->runs, shard->run_count, 0, write_to_file,
                            &to, diag);
    if (status == STATUS_OK)
        status = run_file_end(to.file, &run, diag);
    if (status != STATUS_OK) {
        run_file_destroy(to.file);
        return status;
    }
    drop_runs(shard);
    shard->file = to.file;
    note_run(shard, run);
    return STATUS_OK;
}

/* Moves the used slots to the front, those of at least that much. The table is no hash table
 * afterwards. */
static size_t sort_slots(struct shard *shard, uint64_t least)
{
    size_t count = 0;
    for (size_t i = 0; shard->used && i < shard->capacity; i++) {
        const struct slot *slot = &shard->slots[i];
        if (slot_is_used(slot) &&
            slot_count(slot, 0) + slot_count(slot, 1) + slot_count(slot, 2) >= least)
            shard->slots[count++] = *slot;
    }
    slots_sort(shard->slots, count);
    return count;
}

static void empty_table(struct shard *shard)
{
    if (shard->slots)
        memset(shard->slots, 0, shard->capacity * sizeof *shard->slots);
    shard->used = 0;
}

static enum caxton_status spill(struct shard *shard, struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    if (shard->run_count == SHARD_RUNS_MAX)
        status = compact_runs(shard, diag);
    else if (!shard->file)
        status = run_file_create(shard->folder, &shard->file, diag);
    if (status != STATUS_OK)
        return status;
    size_t count = sort_slots(shard, 0);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        struct tally tally = slot_tally(&shard->slots[i]);
        status = run_file_write(shard->file, &tally, diag);
    }
    struct run run;
    if (status == STATUS_OK)
        status = run_file_end(shard->file, &run, diag);
    if (status != STATUS_OK)
        return status;
    note_run(shard, run);
    empty_table(shard);
    return STATUS_OK;
}

/* Counting --------------------------------------------------------------------------------- */

/* The first slots, or twice as many, as far as there may be. */
static enum caxton_status grow(struct shard *shard, struct diag *diag)
{
    struct shard larger = *shard;
    larger.capacity = !shard->capacity                    ? shard->first
                      : shard->capacity < shard->most / 2 ? 2 * shard->capacity
                                                          : shard->most;
    larger.slots = create_slots(larger.capacity);
    if (!larger.slots) {
        diag_set(diag, 0, 0, "out of memory");
        return STATUS_NO_MEMORY;
    }
    for (size_t i = 0; i < shard->capacity; i++) {
        const struct slot *slot = &shard->slots[i];
        if (slot_is_used(slot))
            *find_slot(&larger, slot->key, slot->move) = *slot;
    }
    free(shard->slots);
    *shard = larger;
    return STATUS_OK;
}

/* Sees to it that one more pair fits and the table stays a quarter empty. */
static inline enum caxton_status make_room(struct shard *shard, struct diag *diag)
{
    if (shard->used < shard->capacity / 4 * 3)
        return STATUS_OK;
    return shard->capacity < shard->most ? grow(shard, diag) : spill(shard, diag);
}

/* Copies the entries in the order of their places in the table, roughly: it is far larger than
 * what a processor can address quickly, and so it is gone through from end to end. */
static void order_entries(const struct entry *entries, size_t count, struct entry *out)
{
    uint16_t ends[PARTS + 1] = {0};
    for (size_t i = 0; i < count; i++)
        ends[(mix(entries[i].key, entries[i].move) >> (64 - PART_BITS)) + 1]++;
    for (int part = 0; part < PARTS; part++)
        ends[part + 1] = (uint16_t)(ends[part + 1] + ends[part]);
    for (size_t i = 0; i < count; i++)
        out[ends[mix(entries[i].key, entries[i].move) >> (64 - PART_BITS)]++] = entries[i];
}

enum caxton_status shard_add(struct shard *shard, const struct entry *entries, size_t count,
                             struct entry *scratch, struct diag *diag)
{
    order_entries(entries, count, scratch);
    entries = scratch;
    for (size_t i = 0; i < count; i++) {
        enum caxton_status status = make_room(shard, diag);
        if (status != STATUS_OK)
            return status;
        if (i + AHEAD < count) {
            const struct entry *later = &entries[i + AHEAD];
            __builtin_prefetch(&shard->slots[home_of(shard, later->key, later->move)], 1);
        }
        const struct entry *entry = &entries[i];
        struct slot *slot = find_slot(shard, entry->key, entry->move);
        shard->used += !slot_is_used(slot);
        slot->key = entry->key;
        slot->move = entry->move;
        if (!slot_add(slot, entry->outcome, entry->amount)) {
            status = spill(shard, diag);
            if (status != STATUS_OK)
                return status;
        }
    }
    return STATUS_OK;
}

enum caxton_status shard_add_tally(struct shard *shard, const struct tally *tally,
                                   struct diag *diag)
{
    uint64_t left[OUTCOMES];
    memcpy(left, tally->counts, sizeof left);
    while (left[0] | left[1] | left[2]) {
        enum caxton_status status = make_room(shard, diag);
        if (status != STATUS_OK)
            return status;
        struct slot *slot = find_slot(shard, tally->key, tally->move);
        shard->used += !slot_is_used(slot);
        slot->key = tally->key;
        slot->move = tally->move;
        bool room = true;
        for (int i = 0; i < OUTCOMES; i++) {
            uint32_t part = left[i] < UINT32_MAX ? (uint32_t)left[i] : UINT32_MAX;
            left[i] -= part;
            room &= slot_add(slot, i, part);
        }
        if (!room && (status = spill(shard, diag)) != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

/* Merging ---------------------------------------------------------------------------------- */

void shard_sort(struct shard *shard, uint64_t least)
{
    shard->sorted = sort_slots(shard, shard->run_count ? 0 : least);
    shard->is_sorted = true;
}

enum caxton_status shard_merge(struct shard *shard, uint64_t least, tally_sink sink, void *context,
                               struct diag *diag)
{
    if (!shard->is_sorted)
        shard_sort(shard, least);
    enum caxton_status status = slot_merge(shard->slots, shard->sorted, shard->file, shard->runs,
                                           shard->run_count, least, sink, context, diag);
    drop_runs(shard);
    empty_table(shard);
    shard->is_sorted = false;
    return status;
}
