#include "book/count/duplicates.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/rng.h"
#include "book/count/print_run.h"

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
struct shard {
    pthread_mutex_t mutex;
    struct fingerprint *slots; /* the empty one is {0, 0} */
    size_t capacity;           /* a power of two */
    uint64_t seed;             /* of places in `slots`: games cannot be made that fall together */
    size_t used;
    bool has_zero; /* the fingerprint that looks like an empty slot */
    uint64_t spilled;
    struct print_run *levels[LEVELS]; /* of 2^n tables each; NULL = none */
};

struct duplicates {
    struct shard shards[SHARDS_MAX];
    int shard_bits;
    int shard_count;     /* 2^shard_bits */
    size_t capacity_max; /* of a shard */
    const char *folder;
};

/* A table three quarters full is full; while one grows there are two of them. */
static bool is_full(const struct shard *shard)
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
        struct shard *shard = &duplicates->shards[duplicates->shard_count];
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
        struct shard *shard = &duplicates->shards[i];
        for (int level = 0; level < LEVELS; level++)
            print_run_destroy(shard->levels[level]);
        free(shard->slots);
        (void)pthread_mutex_destroy(&shard->mutex);
    }
    free(duplicates);
}

static struct shard *shard_of(struct duplicates *duplicates, struct fingerprint print)
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
static bool grow(struct shard *shard)
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
static size_t sort_table(struct shard *shard)
{
    size_t count = 0;
    for (size_t i = 0; i < shard->capacity; i++)
        if (!is_empty(shard->slots[i]))
            shard->slots[count++] = shard->slots[i];
    qsort(shard->slots, count, sizeof *shard->slots, compare);
    return count;
}

static enum caxton_status write_table(struct shard *shard, struct print_run *run, struct diag *diag)
{
    size_t count = sort_table(shard);
    enum caxton_status status = STATUS_OK;
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = print_run_write(run, shard->slots[i], diag);
    memset(shard->slots, 0, shard->capacity * sizeof *shard->slots);
    shard->used = 0;
    shard->spilled += count;
    return status == STATUS_OK ? print_run_finish(run, diag) : status;
}

/* The two have no fingerprint in common. */
static enum caxton_status merge(struct print_run *a, struct print_run *b, struct print_run *out,
                                struct diag *diag)
{
    uint64_t at[2] = {0, 0};
    struct print_run *runs[2] = {a, b};
    struct fingerprint heads[2] = {{0, 0}, {0, 0}};
    enum caxton_status status = print_run_get(a, 0, &heads[0], diag);
    if (status == STATUS_OK)
        status = print_run_get(b, 0, &heads[1], diag);
    while (status == STATUS_OK && (at[0] < print_run_count(a) || at[1] < print_run_count(b))) {
        int from = at[0] == print_run_count(a)   ? 1
                   : at[1] == print_run_count(b) ? 0
                                                 : fingerprint_compare(heads[0], heads[1]) > 0;
        status = print_run_write(out, heads[from], diag);
        if (status == STATUS_OK && ++at[from] < print_run_count(runs[from]))
            status = print_run_get(runs[from], at[from], &heads[from], diag);
    }
    return status == STATUS_OK ? print_run_finish(out, diag) : status;
}

/* Merges `run`, which is used up, with the runs of its size and places the sum. */
static enum caxton_status place_run(struct duplicates *duplicates, struct shard *shard,
                                    struct print_run *run, struct diag *diag)
{
    int level = 0;
    for (; level < LOADED_LEVEL - 1 && shard->levels[level]; level++) {
        struct print_run *sum;
        enum caxton_status status = print_run_create(duplicates->folder, &sum, diag);
        if (status == STATUS_OK) {
            status = merge(shard->levels[level], run, sum, diag);
            if (status != STATUS_OK)
                print_run_destroy(sum);
        }
        print_run_destroy(run);
        if (status != STATUS_OK)
            return status;
        print_run_destroy(shard->levels[level]);
        shard->levels[level] = NULL;
        shard->spilled += print_run_count(sum);
        run = sum;
    }
    shard->levels[level] = run;
    return STATUS_OK;
}

static enum caxton_status spill(struct duplicates *duplicates, struct shard *shard,
                                struct diag *diag)
{
    struct print_run *run;
    enum caxton_status status = print_run_create(duplicates->folder, &run, diag);
    if (status != STATUS_OK)
        return status;
    status = write_table(shard, run, diag);
    if (status != STATUS_OK) {
        print_run_destroy(run);
        return status;
    }
    return place_run(duplicates, shard, run, diag);
}

/* Adding ----------------------------------------------------------------------------------- */

static enum caxton_status find_in_runs(struct shard *shard, struct fingerprint print, bool *found,
                                       struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    *found = false;
    for (int level = LEVELS - 1; level >= 0 && status == STATUS_OK && !*found; level--)
        if (shard->levels[level])
            status = print_run_find(shard->levels[level], print, found, diag);
    return status;
}

static enum caxton_status add(struct duplicates *duplicates, struct shard *shard,
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
    struct shard *shard = shard_of(duplicates, print);
    (void)pthread_mutex_lock(&shard->mutex);
    enum caxton_status status = add(duplicates, shard, print, is_new, diag);
    (void)pthread_mutex_unlock(&shard->mutex);
    return status;
}

/* All of them ------------------------------------------------------------------------------ */

static enum caxton_status load(struct duplicates *duplicates, struct fingerprint print,
                               struct diag *diag)
{
    struct shard *shard = shard_of(duplicates, print);
    struct print_run **run = &shard->levels[LOADED_LEVEL];
    enum caxton_status status = STATUS_OK;
    if (is_empty(print)) {
        shard->has_zero = true;
        return STATUS_OK;
    }
    if (!*run)
        status = print_run_create(duplicates->folder, run, diag);
    if (status != STATUS_OK)
        return status;
    shard->spilled++;
    return print_run_write(*run, print, diag);
}

enum caxton_status duplicates_load(struct duplicates *duplicates, print_source source,
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
            status = print_run_finish(duplicates->shards[i].levels[LOADED_LEVEL], diag);
    return status;
}

/* The runs of a shard and its sorted table, each as far as it has been listed. */
struct listing {
    struct print_run *runs[LEVELS];
    uint64_t at[LEVELS];
    struct fingerprint heads[LEVELS];
    size_t count; /* of runs */
    const struct fingerprint *slot;
    const struct fingerprint *slots_end;
};

static enum caxton_status start_listing(struct shard *shard, struct listing *out, struct diag *diag)
{
    *out = (struct listing){.slot = shard->slots};
    out->slots_end = shard->slots + sort_table(shard);
    enum caxton_status status = STATUS_OK;
    for (int level = 0; level < LEVELS && status == STATUS_OK; level++) {
        struct print_run *run = shard->levels[level];
        if (!run || print_run_count(run) == 0)
            continue;
        out->runs[out->count] = run;
        status = print_run_get(run, 0, &out->heads[out->count++], diag);
    }
    return status;
}

/* The least that is left; STATUS_END when there is none. None is there twice. */
static enum caxton_status list_next(struct listing *listing, struct fingerprint *out,
                                    struct diag *diag)
{
    size_t least = 0;
    for (size_t i = 1; i < listing->count; i++)
        if (fingerprint_compare(listing->heads[i], listing->heads[least]) < 0)
            least = i;
    if (listing->slot < listing->slots_end &&
        (listing->count == 0 || fingerprint_compare(*listing->slot, listing->heads[least]) < 0)) {
        *out = *listing->slot++;
        return STATUS_OK;
    }
    if (listing->count == 0)
        return STATUS_END;
    *out = listing->heads[least];
    struct print_run *run = listing->runs[least];
    if (++listing->at[least] < print_run_count(run))
        return print_run_get(run, listing->at[least], &listing->heads[least], diag);
    listing->count--;
    listing->runs[least] = listing->runs[listing->count];
    listing->at[least] = listing->at[listing->count];
    listing->heads[least] = listing->heads[listing->count];
    return STATUS_OK;
}

enum caxton_status duplicates_list(struct duplicates *duplicates, print_sink sink, void *context,
                                   struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    for (int i = 0; i < duplicates->shard_count && status == STATUS_OK; i++) {
        struct shard *shard = &duplicates->shards[i];
        struct fingerprint print = {0, 0};
        struct listing listing;
        if (shard->has_zero)
            status = sink(context, print);
        if (status == STATUS_OK)
            status = start_listing(shard, &listing, diag);
        while (status == STATUS_OK) {
            status = list_next(&listing, &print, diag);
            if (status == STATUS_OK)
                status = sink(context, print);
        }
        status = status == STATUS_END ? STATUS_OK : status;
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
