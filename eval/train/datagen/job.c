#include "eval/train/datagen/job.h"

#include <stdlib.h>
#include <string.h>

#include "eval/train/datagen/labeller.h"
#include "eval/train/datagen/selfplay.h"

enum {
    BLOCK_SAMPLES = 4096, /* a block is written when so many are there */
    BLOCK_MAX = BLOCK_SAMPLES + SELFPLAY_PLIES_MAX * (1 + SELFPLAY_SIBLINGS_MAX),
    SEEN_BITS = 20, /* about the last 2^20 positions are not stored again */
};

struct job {
    struct job_shared *shared;
    struct labeller *labeller;
    int game_count;
    struct selfplay *games;
    size_t count;
    uint8_t samples[BLOCK_MAX * SAMPLE_SIZE];
    uint64_t seen[1 << SEEN_BITS]; /* keys, each in the place of its low bits */
};

enum caxton_status job_create(struct job_shared *shared, const struct labeller_setup *setup,
                              uint64_t seed, int siblings, struct job **out, struct diag *diag)
{
    struct job *job = calloc(1, sizeof *job);
    if (!job)
        return STATUS_NO_MEMORY;
    job->shared = shared;
    enum caxton_status status = labeller_create(setup, &job->labeller, diag);
    if (status == STATUS_OK) {
        int games = labeller_games(job->labeller);
        job->games = calloc((size_t)games, sizeof *job->games);
        status = job->games ? STATUS_OK : STATUS_NO_MEMORY;
        for (; status == STATUS_OK && job->game_count < games; job->game_count++)
            status = selfplay_init(&job->games[job->game_count],
                                   seed * (uint64_t)games + (uint64_t)job->game_count, siblings);
    }
    if (status != STATUS_OK) {
        job_destroy(job);
        return status;
    }
    *out = job;
    return STATUS_OK;
}

void job_destroy(struct job *job)
{
    if (!job)
        return;
    for (int i = 0; i < job->game_count; i++)
        selfplay_free(&job->games[i]);
    free(job->games);
    labeller_destroy(job->labeller);
    free(job);
}

/* Remembers the first failure and ends all jobs. The lock is held. */
static void fail(struct job_shared *shared, enum caxton_status status, const struct diag *diag)
{
    if (!shared->failed) {
        shared->failed = true;
        shared->diag = *diag;
        if (!diag->text[0])
            diag_set(&shared->diag, 0, 0, "%s", status_name(status));
    }
    atomic_store(&shared->stop, true);
}

/* Appends the collected samples to the file. */
static enum caxton_status flush_samples(struct job *job, struct diag *diag)
{
    struct job_shared *shared = job->shared;
    enum caxton_status status = STATUS_OK;
    if (job->count == 0)
        return status;
    pthread_mutex_lock(&shared->lock);
    if (!shared->torn)
        status = sample_file_append(shared->file, job->samples, job->count, diag);
    if (status != STATUS_OK) {
        shared->torn = true; /* set before another job can append */
        fail(shared, status, diag);
    } else if (!shared->torn) {
        shared->samples += job->count;
        if (shared->samples >= shared->wanted)
            atomic_store(&shared->stop, true);
    }
    pthread_mutex_unlock(&shared->lock);
    job->count = 0;
    return status;
}

/* Is it time to write a block? */
static bool has_block(struct job *job)
{
    struct job_shared *shared = job->shared;
    if (job->count >= BLOCK_SAMPLES)
        return true;
    pthread_mutex_lock(&shared->lock);
    bool enough = shared->samples + job->count >= shared->wanted;
    pthread_mutex_unlock(&shared->lock);
    return enough;
}

/* Copies the positions of a finished game, but for those stored lately. */
static enum caxton_status collect(struct job *job, const struct selfplay *play, struct diag *diag)
{
    uint8_t first = SAMPLE_FIRST;
    for (int i = 0; i < play->record_count; i++) {
        const struct selfplay_record *record = &play->records[i];
        uint64_t *seen = &job->seen[record->key & ((UINT64_C(1) << SEEN_BITS) - 1)];
        if (*seen == record->key)
            continue;
        *seen = record->key;
        uint8_t *sample = job->samples + job->count * SAMPLE_SIZE;
        memcpy(sample, record->sample, SAMPLE_SIZE);
        sample[SAMPLE_FLAGS_AT] = (uint8_t)((sample[SAMPLE_FLAGS_AT] & ~SAMPLE_FIRST) | first);
        first = 0;
        job->count++;
    }
    return has_block(job) ? flush_samples(job, diag) : STATUS_OK;
}

static enum caxton_status start_game(struct job *job, struct selfplay *play)
{
    labeller_new_game(job->labeller);
    return selfplay_start(play, &job->shared->starts);
}

/* One question for each game, and then the answers, until there are enough samples. */
static enum caxton_status play_round(struct job *job, struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    for (int i = 0; i < job->game_count && status == STATUS_OK; i++)
        status = labeller_ask(job->labeller, job->games[i].game, job->games[i].sibling, diag);
    for (int i = 0; i < job->game_count && status == STATUS_OK; i++) {
        if (atomic_load(&job->shared->stop))
            break;
        struct selfplay *play = &job->games[i];
        struct label label;
        bool over = false;
        status = labeller_answer(job->labeller, play->game, play->sibling, &label, diag);
        if (status == STATUS_OK)
            status = selfplay_advance(play, &label, &over);
        if (status == STATUS_OK && over) {
            status = collect(job, play, diag);
            if (status == STATUS_OK)
                status = start_game(job, play);
        }
    }
    return status;
}

/* Finished games are kept, whatever ends the run. */
static enum caxton_status play_games(struct job *job, struct diag *diag)
{
    enum caxton_status status = labeller_wait_ready(job->labeller, diag);
    for (int i = 0; i < job->game_count && status == STATUS_OK; i++)
        status = start_game(job, &job->games[i]);
    while (status == STATUS_OK && !atomic_load(&job->shared->stop))
        status = play_round(job, diag);
    struct diag at_end = {0};
    enum caxton_status flushed = flush_samples(job, &at_end);
    if (status != STATUS_OK && status != STATUS_END)
        return status;
    *diag = at_end;
    return flushed;
}

void *job_run(void *argument)
{
    struct job *job = argument;
    struct job_shared *shared = job->shared;
    struct diag diag = {0};
    enum caxton_status status = play_games(job, &diag);
    if (status != STATUS_OK) {
        pthread_mutex_lock(&shared->lock);
        fail(shared, status, &diag);
        pthread_mutex_unlock(&shared->lock);
    }
    atomic_fetch_sub(&shared->working, 1);
    return NULL;
}

void job_interrupt(struct job *job)
{
    labeller_interrupt(job->labeller);
}
