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

/* A chunk on its way round the ring: filled and emptied by the calling thread, counted by a member.
 * `state` is guarded by crew->mutex; the rest belongs to whoever the state says. */
struct slot {
    enum slot_state state;
    struct chunk chunk;
    struct told told;
    enum caxton_status status;
    struct diag diag;
};

struct member {
    struct crew *crew;
    struct teller *teller;
    pthread_t thread;
};

struct crew {
    struct rules rules;
    struct member members[JOBS_MAX];
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

static void count_slot(struct teller *teller, struct slot *slot)
{
    memset(&slot->told, 0, sizeof slot->told);
    slot->status =
        teller_run_text(teller, slot->chunk.data, slot->chunk.size, &slot->told, &slot->diag);
    slot->told.bytes = slot->chunk.size;
}

static void set_state(struct crew *crew, struct slot *slot, enum slot_state state)
{
    (void)pthread_mutex_lock(&crew->mutex);
    slot->state = state;
    (void)pthread_cond_broadcast(&crew->changed);
    (void)pthread_mutex_unlock(&crew->mutex);
}

/* The next chunk to count, NULL when the crew goes home. */
static struct slot *take_slot(struct crew *crew)
{
    struct slot *slot = NULL;
    (void)pthread_mutex_lock(&crew->mutex);
    for (;;) {
        struct slot *next = &crew->slots[crew->take % (uint64_t)crew->slot_count];
        if (next->state == SLOT_READY) {
            next->state = SLOT_TAKEN;
            crew->take++;
            slot = next;
            break;
        }
        if (crew->leaving)
            break;
        (void)pthread_cond_wait(&crew->changed, &crew->mutex);
    }
    (void)pthread_mutex_unlock(&crew->mutex);
    return slot;
}

static void *member_main(void *argument)
{
    struct member *member = argument;
    for (struct slot *slot; (slot = take_slot(member->crew));) {
        count_slot(member->teller, slot);
        set_state(member->crew, slot, SLOT_DONE);
    }
    return NULL;
}

static bool create_parts(struct crew *crew)
{
    const struct build_options *options = crew->rules.options;
    crew->counter = counter_create(options->memory_bytes, options->expected_bytes / BYTES_A_MOVE,
                                   options->folder);
    if (!crew->counter)
        return false;
    for (int i = 0; i < crew->count; i++) {
        crew->members[i].crew = crew;
        crew->members[i].teller = teller_create(&crew->rules, crew->counter);
        if (!crew->members[i].teller)
            return false;
    }
    crew->slot_count = crew->count == 1 ? 1 : 2 * crew->count + 1;
    crew->slots = calloc((size_t)crew->slot_count, sizeof *crew->slots);
    for (int i = 0; crew->slots && i < crew->slot_count; i++)
        if (!chunk_init(&crew->slots[i].chunk))
            return false;
    return crew->slots != NULL;
}

static bool create_signals(struct crew *crew)
{
    if (pthread_mutex_init(&crew->mutex, NULL) != 0)
        return false;
    if (pthread_cond_init(&crew->changed, NULL) == 0)
        return true;
    (void)pthread_mutex_destroy(&crew->mutex);
    return false;
}

struct crew *crew_create(const struct rules *rules, enum caxton_status *status)
{
    struct crew *crew = calloc(1, sizeof *crew);
    *status = STATUS_NO_MEMORY;
    if (!crew || !create_signals(crew)) {
        free(crew);
        return NULL;
    }
    int jobs = rules->options->jobs;
    crew->rules = *rules;
    crew->count = jobs < 1 ? 1 : jobs < JOBS_MAX ? jobs : JOBS_MAX;
    if (!create_parts(crew)) {
        crew_destroy(crew);
        return NULL;
    }
    for (; crew->count > 1 && crew->running < crew->count; crew->running++) {
        struct member *member = &crew->members[crew->running];
        *status = thread_start(&member->thread, member_main, member);
        if (*status != STATUS_OK) {
            crew_destroy(crew);
            return NULL;
        }
    }
    *status = STATUS_OK;
    return crew;
}

void crew_destroy(struct crew *crew)
{
    if (!crew)
        return;
    (void)pthread_mutex_lock(&crew->mutex);
    crew->leaving = true;
    (void)pthread_cond_broadcast(&crew->changed);
    (void)pthread_mutex_unlock(&crew->mutex);
    for (int i = 0; i < crew->running; i++)
        (void)pthread_join(crew->members[i].thread, NULL);
    for (int i = 0; i < crew->count; i++)
        teller_destroy(crew->members[i].teller);
    counter_destroy(crew->counter);
    for (int i = 0; crew->slots && i < crew->slot_count; i++)
        chunk_free(&crew->slots[i].chunk);
    free(crew->slots);
    (void)pthread_cond_destroy(&crew->changed);
    (void)pthread_mutex_destroy(&crew->mutex);
    free(crew);
}

enum caxton_status crew_merge(struct crew *crew, uint64_t least, tally_sink sink, void *context,
                              uint64_t *dropped, struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    for (int i = 0; i < crew->count && status == STATUS_OK; i++)
        status = teller_finish(crew->members[i].teller, diag);
    if (status != STATUS_OK)
        return status;
    status = counter_merge(crew->counter, crew->count, least, sink, context, diag);
    *dropped = counter_dropped(crew->counter);
    return status;
}

/* Putting together ------------------------------------------------------------------------- */

/* One input as far as it has been put together. */
struct reading {
    struct crew *crew;
    struct build_report *report;
    const char *name;
    uint64_t games; /* before the next chunk */
    uint64_t lines;
    uint64_t bytes;
    struct diag *diag;
};

static void add_told(struct reading *reading, const struct told *told)
{
    struct build_report *report = reading->report;
    uint64_t shown = report->bad_games;
    for (uint64_t i = 0; i < told->bad_games && i < BAD_GAMES_SHOWN; i++, shown++) {
        if (shown >= BAD_GAMES_SHOWN)
            break;
        struct bad_game *bad = &report->bad[shown];
        *bad = told->bad[i];
        bad->number += reading->games;
        bad->diag.line += reading->lines;
        bad->diag.offset += reading->bytes;
        text_copy(bad->file, sizeof bad->file, span_of(reading->name));
    }
    report->games += told->games;
    report->used += told->used;
    report->amount += told->amount;
    report->plies += told->plies;
    report->bad_games += told->bad_games;
    report->bad_used += told->bad_used;
    for (int i = 0; i < LEFT_REASONS; i++)
        report->left[i] += told->left[i];
    reading->games += told->games;
    reading->lines += told->lines;
    reading->bytes += told->bytes;
}

static enum caxton_status finish_slot(struct reading *reading, struct slot *slot)
{
    add_told(reading, &slot->told);
    if (slot->status != STATUS_OK)
        *reading->diag = slot->diag;
    return slot->status;
}

/* Takes the oldest chunk off the ring when it is counted; waits for that when `wait`. */
static enum caxton_status retire(struct reading *reading, bool wait, bool *retired)
{
    struct crew *crew = reading->crew;
    struct slot *slot = &crew->slots[crew->empty % (uint64_t)crew->slot_count];
    (void)pthread_mutex_lock(&crew->mutex);
    while (wait && slot->state != SLOT_DONE)
        (void)pthread_cond_wait(&crew->changed, &crew->mutex);
    *retired = slot->state == SLOT_DONE;
    if (*retired)
        slot->state = SLOT_FREE;
    (void)pthread_mutex_unlock(&crew->mutex);
    if (!*retired)
        return STATUS_OK;
    crew->empty++;
    return finish_slot(reading, slot);
}

struct memory_source {
    const char *at;
    size_t left;
};

static enum caxton_status read_memory(void *context, char *buffer, size_t capacity, size_t *size)
{
    struct memory_source *memory = context;
    *size = memory->left < capacity ? memory->left : capacity;
    memcpy(buffer, memory->at, *size);
    memory->at += *size;
    memory->left -= *size;
    return STATUS_OK;
}

/* Text without any cut: read on to its end by one pair of eyes. */
struct long_source {
    struct memory_source first;
    struct cutter *cutter;
};

static enum caxton_status read_long(void *context, char *buffer, size_t capacity, size_t *size)
{
    struct long_source *source = context;
    if (source->first.left)
        return read_memory(&source->first, buffer, capacity, size);
    enum caxton_status status =
        source->cutter->source(source->cutter->context, buffer, capacity, size);
    source->cutter->at_end = status == STATUS_OK && *size == 0;
    return status;
}

static enum caxton_status drain(struct reading *reading)
{
    enum caxton_status status = STATUS_OK;
    while (reading->crew->empty < reading->crew->fill) {
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
    memset(&slot->told, 0, sizeof slot->told);
    slot->status =
        teller_run(reading->crew->members[0].teller, read_long, &source, &slot->told, &slot->diag);
    return finish_slot(reading, slot);
}

/* Reads the next chunk and sees to it that it gets counted. */
static enum caxton_status read_chunk(struct reading *reading, struct cutter *cutter)
{
    struct crew *crew = reading->crew;
    bool retired = true;
    enum caxton_status status = STATUS_OK;
    while (status == STATUS_OK && retired && crew->empty < crew->fill)
        status = retire(reading, crew->fill - crew->empty == (uint64_t)crew->slot_count, &retired);
    if (status != STATUS_OK)
        return status;
    struct slot *slot = &crew->slots[crew->fill % (uint64_t)crew->slot_count];
    bool whole;
    status = cutter_next(cutter, &slot->chunk, &whole);
    if (status != STATUS_OK) {
        if (status != STATUS_END)
            diag_set(reading->diag, 0, 0, "%s", status_name(status));
        return status;
    }
    if (!whole)
        return read_without_cuts(reading, cutter, slot);
    if (crew->count == 1) {
        count_slot(crew->members[0].teller, slot);
        return finish_slot(reading, slot);
    }
    crew->fill++;
    set_state(crew, slot, SLOT_READY);
    return STATUS_OK;
}

enum caxton_status crew_read(struct crew *crew, pgn_source source, void *context, const char *name,
                             struct build_report *report, struct diag *diag)
{
    struct cutter cutter;
    struct reading reading = {.crew = crew, .report = report, .name = name, .diag = diag};
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
