#include "book/count/duplicates.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/heap.h"
#include "base/rng.h"
#include "base/temp_file.h"

/* Runs ------------------------------------------------------------------------------------- */

/* 512 fingerprints, 8 KiB: one read costs little more than one of a single page. */
enum { BLOCK_FINGERPRINTS = 512 };
#define NO_BLOCK UINT64_MAX

_Static_assert(sizeof(struct fingerprint) == 16, "blocks have no padding");

/* A sorted run of fingerprints in an unnamed temporary file, 16 bytes each, in the byte order of
 * the machine, because only this program reads it. */
struct fingerprint_run {
    int file;
    uint64_t count;
    uint64_t loaded;           /* the block in `block`, or NO_BLOCK */
    struct fingerprint *index; /* the first of each block */
    size_t index_capacity;
    const char *folder;
    struct fingerprint block[BLOCK_FINGERPRINTS];
};

static enum caxton_status fingerprint_run_create(const char *folder, struct fingerprint_run **out,
                                                 struct diag *diag)
{
    struct fingerprint_run *run = calloc(1, sizeof *run);
    if (!run)
        return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
    run->loaded = NO_BLOCK;
    run->folder = folder;
    enum caxton_status status = temp_file_open(folder, &run->file, diag);
    if (status != STATUS_OK) {
        free(run);
        return status;
    }
    *out = run;
    return STATUS_OK;
}

static void fingerprint_run_destroy(struct fingerprint_run *run)
{
    if (!run)
        return;
    temp_file_close(run->file);
    free(run->index);
    free(run);
}

/* Writes what the block holds behind the blocks before it. */
static enum caxton_status write_block(struct fingerprint_run *run, size_t count, struct diag *diag)
{
    return temp_file_write(run->file, run->block, count * sizeof *run->block, run->folder, diag);
}

/* Adds a fingerprint above all others. */
static enum caxton_status fingerprint_run_write(struct fingerprint_run *run,
                                                struct fingerprint print, struct diag *diag)
{
    size_t at = run->count % BLOCK_FINGERPRINTS;
    size_t block = run->count / BLOCK_FINGERPRINTS;
    if (at == 0) {
        if (!ARRAY_GROW(run->index, run->index_capacity, block + 1))
            return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
        run->index[block] = print;
    }
    run->block[at] = print;
    run->count++;
    return at + 1 == BLOCK_FINGERPRINTS ? write_block(run, BLOCK_FINGERPRINTS, diag) : STATUS_OK;
}

/* Ends writing. */
static enum caxton_status fingerprint_run_finish(struct fingerprint_run *run, struct diag *diag)
{
    return write_block(run, run->count % BLOCK_FINGERPRINTS, diag);
}

static enum caxton_status load_block(struct fingerprint_run *run, uint64_t block, struct diag *diag)
{
    if (run->loaded == block)
        return STATUS_OK;
    run->loaded = NO_BLOCK;
    uint64_t left = run->count - block * BLOCK_FINGERPRINTS;
    size_t size =
        (left < BLOCK_FINGERPRINTS ? (size_t)left : BLOCK_FINGERPRINTS) * sizeof *run->block;
    enum caxton_status status =
        temp_file_read(run->file, block * sizeof run->block, run->block, size, run->folder, diag);
    if (status == STATUS_OK)
        run->loaded = block;
    return status;
}

/* How many of prints[0..count) are not above `print`. */
static size_t rank(const struct fingerprint *prints, size_t count, struct fingerprint print)
{
    size_t at;
    ARRAY_SEARCH(at, 0, count, fingerprint_compare(prints[at], print) <= 0);
    return at;
}

/* After fingerprint_run_finish(): is it there? */
static enum caxton_status fingerprint_run_find(struct fingerprint_run *run,
                                               struct fingerprint print, bool *found,
                                               struct diag *diag)
{
    size_t blocks = (size_t)((run->count + BLOCK_FINGERPRINTS - 1) / BLOCK_FINGERPRINTS);
    size_t block = rank(run->index, blocks, print);
    *found = false;
    if (block == 0)
        return STATUS_OK;
    enum caxton_status status = load_block(run, --block, diag);
    if (status != STATUS_OK)
        return status;
    uint64_t left = run->count - (uint64_t)block * BLOCK_FINGERPRINTS;
    size_t at =
        rank(run->block, left < BLOCK_FINGERPRINTS ? (size_t)left : BLOCK_FINGERPRINTS, print);
    *found = at > 0 && fingerprint_compare(run->block[at - 1], print) == 0;
    return STATUS_OK;
}

/* Merging ---------------------------------------------------------------------------------- */

/* A run, or a sorted table, as far as it has been read. */
struct fingerprint_sequence {
    struct fingerprint_run *run; /* NULL: */
    const struct fingerprint *slots;
    uint64_t count;
    uint64_t at;
    struct fingerprint head;
};

/* A heap_next. */
static enum caxton_status read_head(void *context, struct diag *diag)
{
    struct fingerprint_sequence *sequence = context;
    struct fingerprint_run *run = sequence->run;
    if (sequence->at == sequence->count)
        return STATUS_END;
    enum caxton_status status =
        run ? load_block(run, sequence->at / BLOCK_FINGERPRINTS, diag) : STATUS_OK;
    if (status == STATUS_OK)
        sequence->head =
            run ? run->block[sequence->at % BLOCK_FINGERPRINTS] : sequence->slots[sequence->at];
    sequence->at++;
    return status;
}

/* A heap_order. */
static bool goes_before(const void *a, const void *b)
{
    const struct fingerprint_sequence *one = a;
    const struct fingerprint_sequence *other = b;
    return fingerprint_compare(one->head, other->head) < 0;
}

static struct fingerprint_sequence sequence_of(struct fingerprint_run *run)
{
    return (struct fingerprint_sequence){.run = run, .count = run->count};
}

/* Gives all, of which none is there twice, to `sink` in order. */
static enum caxton_status merge(struct fingerprint_sequence *sequences, size_t count,
                                fingerprint_sink sink, void *context, struct diag *diag)
{
    struct heap heap;
    enum caxton_status status =
        heap_open(&heap, sequences, sizeof *sequences, count, read_head, goes_before, diag);
    while (status == STATUS_OK && heap.count > 0) {
        status = sink(context, ((const struct fingerprint_sequence *)heap.items[0])->head);
        if (status == STATUS_OK)
            status = heap_advance(&heap, read_head, goes_before, diag);
    }
    free(heap.items);
    return status;
}

struct run_sink {
    struct fingerprint_run *run;
    struct diag *diag;
};

/* A fingerprint_sink. */
static enum caxton_status write_to_run(void *context, struct fingerprint print)
{
    const struct run_sink *to = context;
    return fingerprint_run_write(to->run, print, to->diag);
}

/* The set ---------------------------------------------------------------------------------- */

/* LEVELS_USUAL: files of a shard for a thousand tables of games; one more is open in a merge. The
 * last level is that of duplicates_load(), which no merge reaches. */
enum {
    SHARD_BITS_MAX = 4,
    SHARDS_MAX = 1 << SHARD_BITS_MAX,
    SLOTS_FIRST = 256,
    LEVELS = 48,
    LOADED_LEVEL = LEVELS - 1,
    LEVELS_USUAL = 10
};

/* Everything in it is guarded by its mutex. */
struct fingerprint_shard {
    pthread_mutex_t mutex;
    struct fingerprint *slots; /* the empty one is {0, 0} */
    size_t capacity;           /* a power of two */
    uint64_t seed;             /* of places in `slots`: games cannot be made that fall together */
    size_t used;
    bool has_zero; /* the fingerprint that looks like an empty slot */
    uint64_t spilled;
    struct fingerprint_run *levels[LEVELS]; /* of 2^n tables each; NULL = none */
};

struct duplicates {
    struct fingerprint_shard shards[SHARDS_MAX];
    int shard_bits;
    int shard_count;     /* 2^shard_bits */
    size_t capacity_max; /* of a shard */
    const char *folder;
};

/* A table three quarters full is full; while one grows there are two of them. */
static bool is_full(const struct fingerprint_shard *shard)
{
    return shard->used >= shard->capacity / 4 * 3;
}

struct duplicates *duplicates_create(size_t memory_bytes, const char *folder, size_t files)
{
    struct duplicates *duplicates = calloc(1, sizeof *duplicates);
    if (!duplicates)
        return NULL;
    duplicates->folder = folder;
    duplicates->capacity_max = SLOTS_FIRST;
    while (duplicates->shard_bits < SHARD_BITS_MAX &&
           (size_t)2 * LEVELS_USUAL << duplicates->shard_bits <= files)
        duplicates->shard_bits++;
    while (2 * duplicates->capacity_max * sizeof(struct fingerprint) << duplicates->shard_bits <=
           memory_bytes)
        duplicates->capacity_max *= 2;
    for (; duplicates->shard_count < 1 << duplicates->shard_bits; duplicates->shard_count++) {
        struct fingerprint_shard *shard = &duplicates->shards[duplicates->shard_count];
        shard->capacity = SLOTS_FIRST;
        shard->seed = clock_seed();
        shard->slots = calloc(SLOTS_FIRST, sizeof *shard->slots);
        if (!shard->slots || pthread_mutex_init(&shard->mutex, NULL) != 0) {
            free(shard->slots);
            duplicates_destroy(duplicates);
            return NULL;
        }
    }
    return duplicates;
}

void duplicates_destroy(struct duplicates *duplicates)
{
    if (!duplicates)
        return;
    for (int i = 0; i < duplicates->shard_count; i++) {
        struct fingerprint_shard *shard = &duplicates->shards[i];
        for (int level = 0; level < LEVELS; level++)
            fingerprint_run_destroy(shard->levels[level]);
        free(shard->slots);
        (void)pthread_mutex_destroy(&shard->mutex);
    }
    free(duplicates);
}

static struct fingerprint_shard *shard_of(struct duplicates *duplicates, struct fingerprint print)
{
    return &duplicates->shards[print.high >> 1 >> (63 - duplicates->shard_bits)];
}

static bool is_empty(struct fingerprint slot)
{
    return (slot.high | slot.low) == 0;
}

/* Where `print` is in the table, or belongs. */
static struct fingerprint *find_slot(struct fingerprint *slots, size_t capacity, uint64_t seed,
                                     struct fingerprint print)
{
    size_t at = (size_t)rng_mix(print.low ^ seed) & (capacity - 1);
    while (!is_empty(slots[at]) && fingerprint_compare(slots[at], print) != 0)
        at = (at + 1) & (capacity - 1);
    return &slots[at];
}

/* False when there is no memory, and nothing has changed. */
static bool grow(struct fingerprint_shard *shard)
{
    size_t capacity = 2 * shard->capacity;
    struct fingerprint *slots = calloc(capacity, sizeof *slots);
    if (!slots)
        return false;
    for (size_t i = 0; i < shard->capacity; i++)
        if (!is_empty(shard->slots[i]))
            *find_slot(slots, capacity, shard->seed, shard->slots[i]) = shard->slots[i];
    free(shard->slots);
    shard->slots = slots;
    shard->capacity = capacity;
    return true;
}

/* Spilling --------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    return fingerprint_compare(*(const struct fingerprint *)a, *(const struct fingerprint *)b);
}

/* Moves all to the front of the table, in order; returns how many they are. */
static size_t sort_table(struct fingerprint_shard *shard)
{
    size_t count = 0;
    for (size_t i = 0; i < shard->capacity; i++)
        if (!is_empty(shard->slots[i]))
            shard->slots[count++] = shard->slots[i];
    qsort(shard->slots, count, sizeof *shard->slots, compare);
    return count;
}

static enum caxton_status write_table(struct fingerprint_shard *shard, struct fingerprint_run *run,
                                      struct diag *diag)
{
    size_t count = sort_table(shard);
    enum caxton_status status = STATUS_OK;
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = fingerprint_run_write(run, shard->slots[i], diag);
    memset(shard->slots, 0, shard->capacity * sizeof *shard->slots);
    shard->used = 0;
    shard->spilled += count;
    return status == STATUS_OK ? fingerprint_run_finish(run, diag) : status;
}

/* Merges `run`, which is used up, with the runs of its size and places the sum. */
static enum caxton_status place_run(struct duplicates *duplicates, struct fingerprint_shard *shard,
                                    struct fingerprint_run *run, struct diag *diag)
{
    int level = 0;
    for (; level < LOADED_LEVEL - 1 && shard->levels[level]; level++) {
        struct fingerprint_run *sum;
        enum caxton_status status = fingerprint_run_create(duplicates->folder, &sum, diag);
        if (status == STATUS_OK) {
            struct fingerprint_sequence both[] = {sequence_of(shard->levels[level]),
                                                  sequence_of(run)};
            struct run_sink to = {sum, diag};
            status = merge(both, 2, write_to_run, &to, diag);
            if (status == STATUS_OK)
                status = fingerprint_run_finish(sum, diag);
            if (status != STATUS_OK)
                fingerprint_run_destroy(sum);
        }
        fingerprint_run_destroy(run);
        if (status != STATUS_OK)
            return status;
        fingerprint_run_destroy(shard->levels[level]);
        shard->levels[level] = NULL;
        shard->spilled += sum->count;
        run = sum;
    }
    shard->levels[level] = run;
    return STATUS_OK;
}

static enum caxton_status spill(struct duplicates *duplicates, struct fingerprint_shard *shard,
                                struct diag *diag)
{
    struct fingerprint_run *run;
    enum caxton_status status = fingerprint_run_create(duplicates->folder, &run, diag);
    if (status != STATUS_OK)
        return status;
    status = write_table(shard, run, diag);
    if (status != STATUS_OK) {
        fingerprint_run_destroy(run);
        return status;
    }
    return place_run(duplicates, shard, run, diag);
}

/* Adding ----------------------------------------------------------------------------------- */

static enum caxton_status find_in_runs(struct fingerprint_shard *shard, struct fingerprint print,
                                       bool *found, struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    *found = false;
    for (int level = LEVELS - 1; level >= 0 && status == STATUS_OK && !*found; level--)
        if (shard->levels[level])
            status = fingerprint_run_find(shard->levels[level], print, found, diag);
    return status;
}

static enum caxton_status add(struct duplicates *duplicates, struct fingerprint_shard *shard,
                              struct fingerprint print, bool *is_new, struct diag *diag)
{
    if (is_empty(print)) {
        *is_new = !shard->has_zero;
        shard->has_zero = true;
        return STATUS_OK;
    }
    struct fingerprint *slot = find_slot(shard->slots, shard->capacity, shard->seed, print);
    bool found = !is_empty(*slot);
    enum caxton_status status = STATUS_OK;
    if (!found && shard->spilled)
        status = find_in_runs(shard, print, &found, diag);
    if (status != STATUS_OK)
        return status;
    *is_new = !found;
    if (found)
        return STATUS_OK;
    *slot = print;
    shard->used++;
    if (!is_full(shard) || (shard->capacity < duplicates->capacity_max && grow(shard)))
        return STATUS_OK;
    return spill(duplicates, shard, diag);
}

enum caxton_status duplicates_add(struct duplicates *duplicates, struct fingerprint print,
                                  bool *is_new, struct diag *diag)
{
    struct fingerprint_shard *shard = shard_of(duplicates, print);
    (void)pthread_mutex_lock(&shard->mutex);
    enum caxton_status status = add(duplicates, shard, print, is_new, diag);
    (void)pthread_mutex_unlock(&shard->mutex);
    return status;
}

/* All of them ------------------------------------------------------------------------------ */

static enum caxton_status load(struct duplicates *duplicates, struct fingerprint print,
                               struct diag *diag)
{
    struct fingerprint_shard *shard = shard_of(duplicates, print);
    struct fingerprint_run **run = &shard->levels[LOADED_LEVEL];
    enum caxton_status status = STATUS_OK;
    if (is_empty(print)) {
        shard->has_zero = true;
        return STATUS_OK;
    }
    if (!*run)
        status = fingerprint_run_create(duplicates->folder, run, diag);
    if (status != STATUS_OK)
        return status;
    shard->spilled++;
    return fingerprint_run_write(*run, print, diag);
}

enum caxton_status duplicates_load(struct duplicates *duplicates, fingerprint_source source,
                                   void *context, struct diag *diag)
{
    struct fingerprint print;
    enum caxton_status status;
    while ((status = source(context, &print, diag)) == STATUS_OK) {
        status = load(duplicates, print, diag);
        if (status != STATUS_OK)
            return status;
    }
    if (status == STATUS_END)
        status = STATUS_OK;
    for (int i = 0; i < duplicates->shard_count && status == STATUS_OK; i++)
        if (duplicates->shards[i].levels[LOADED_LEVEL])
            status = fingerprint_run_finish(duplicates->shards[i].levels[LOADED_LEVEL], diag);
    return status;
}

enum caxton_status duplicates_list(struct duplicates *duplicates, fingerprint_sink sink,
                                   void *context, struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    for (int i = 0; i < duplicates->shard_count && status == STATUS_OK; i++) {
        struct fingerprint_shard *shard = &duplicates->shards[i];
        struct fingerprint_sequence sequences[LEVELS + 1] = {
            {.slots = shard->slots, .count = sort_table(shard)}};
        size_t count = 1;
        for (int level = 0; level < LEVELS; level++)
            if (shard->levels[level])
                sequences[count++] = sequence_of(shard->levels[level]);
        if (shard->has_zero)
            status = sink(context, (struct fingerprint){0, 0});
        if (status == STATUS_OK)
            status = merge(sequences, count, sink, context, diag);
    }
    return status;
}

uint64_t duplicates_spilled(const struct duplicates *duplicates)
{
    uint64_t sum = 0;
    for (int i = 0; i < duplicates->shard_count; i++)
        sum += duplicates->shards[i].spilled;
    return sum;
}
