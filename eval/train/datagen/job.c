#include "eval/train/datagen/job.h"

#include <stdlib.h>
#include <string.h>

#include "eval/train/sample_file.h"

enum {
    BLOCK_SAMPLES = 4096, /* a block is written when so many are there */
    BLOCK_MAX = BLOCK_SAMPLES + LANE_PLIES_MAX * (1 + LANE_SIBLINGS_MAX),
    SEEN_BITS = 20, /* the last 2^20 or so different positions are not stored again */
};

struct job {
    struct datagen *datagen;
    struct teacher *teacher;
    int lane_count;
    struct lane *lanes;
    size_t count;
    uint8_t samples[BLOCK_MAX * SAMPLE_SIZE];
    uint64_t seen[1 << SEEN_BITS]; /* keys, each in the place of its low bits */
};

enum caxton_status job_create(struct datagen *datagen, const struct teacher_setup *setup,
                              uint64_t seed, int siblings, struct job **out, struct diag *diag)
{
    struct job *job = calloc(1, sizeof *job);
    if (!job)
        return STATUS_NO_MEMORY;
    job->datagen = datagen;
    enum caxton_status status = teacher_create(setup, &job->teacher, diag);
    if (status == STATUS_OK) {
        int lanes = teacher_lanes(job->teacher);
        job->lanes = calloc((size_t)lanes, sizeof *job->lanes);
        status = job->lanes ? STATUS_OK : STATUS_NO_MEMORY;
        for (; status == STATUS_OK && job->lane_count < lanes; job->lane_count++)
            status = lane_init(&job->lanes[job->lane_count],
                               seed * (uint64_t)lanes + (uint64_t)job->lane_count, siblings);
    }
    if (status != STATUS_OK) {
        if (status == STATUS_NO_MEMORY)
            diag_set(diag, 0, 0, "%s", status_name(status));
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
    for (int i = 0; i < job->lane_count; i++)
        lane_free(&job->lanes[i]);
    free(job->lanes);
    teacher_destroy(job->teacher);
    free(job);
}

/* Remembers the first failure and ends all jobs. The lock is held. */
static void fail(struct datagen *datagen, enum caxton_status status, const struct diag *diag)
{
    if (!datagen->failed) {
        datagen->failed = true;
        datagen->diag = *diag;
        if (!diag->text[0])
            diag_set(&datagen->diag, 0, 0, "%s", status_name(status));
    }
    atomic_store(&datagen->stop, true);
}

/* Appends what was collected to the file. */
static enum caxton_status flush_samples(struct job *job, struct diag *diag)
{
    struct datagen *datagen = job->datagen;
    enum caxton_status status = STATUS_OK;
    if (job->count == 0)
        return status;
    pthread_mutex_lock(&datagen->lock);
    if (!datagen->torn)
        status = sample_file_append(datagen->file, job->samples, job->count, diag);
    if (status != STATUS_OK) {
        datagen->torn = true; /* known before another job can append */
        fail(datagen, status, diag);
    } else if (!datagen->torn) {
        datagen->samples += job->count;
        if (datagen->samples >= datagen->wanted)
            atomic_store(&datagen->stop, true);
    }
    pthread_mutex_unlock(&datagen->lock);
    job->count = 0;
    return status;
}

/* Is it time to write a block? */
static bool has_block(struct job *job)
{
    struct datagen *datagen = job->datagen;
    if (job->count >= BLOCK_SAMPLES)
        return true;
    pthread_mutex_lock(&datagen->lock);
    bool enough = datagen->samples + job->count >= datagen->wanted;
    pthread_mutex_unlock(&datagen->lock);
    return enough;
}

/* Takes over the positions of a finished game that were not stored lately. */
static enum caxton_status collect(struct job *job, const struct lane *lane, struct diag *diag)
{
    uint8_t first = SAMPLE_FIRST;
    for (int i = 0; i < lane->record_count; i++) {
        const struct lane_record *record = &lane->records[i];
        uint64_t *seen = &job->seen[record->key & ((UINT64_C(1) << SEEN_BITS) - 1)];
        if (*seen == record->key)
            continue;
        *seen = record->key;
        uint8_t *sample = job->samples + job->count * SAMPLE_SIZE;
        memcpy(sample, record->sample, SAMPLE_SIZE);
        sample[31] = (uint8_t)((sample[31] & ~SAMPLE_FIRST) | first);
        first = 0;
        job->count++;
    }
    return has_block(job) ? flush_samples(job, diag) : STATUS_OK;
}

static enum caxton_status open_lane(struct job *job, struct lane *lane)
{
    teacher_new_game(job->teacher);
    return lane_open(lane, &job->datagen->starts);
}

/* One question for each game, and then the answers, until there are enough samples. */
static enum caxton_status play_round(struct job *job, struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    for (int i = 0; i < job->lane_count && status == STATUS_OK; i++)
        status = teacher_ask(job->teacher, job->lanes[i].game, job->lanes[i].aside, diag);
    for (int i = 0; i < job->lane_count && status == STATUS_OK; i++) {
        if (atomic_load(&job->datagen->stop))
            break;
        struct lane *lane = &job->lanes[i];
        struct lesson lesson;
        bool over = false;
        status = teacher_answer(job->teacher, lane->game, lane->aside, &lesson, diag);
        if (status == STATUS_OK)
            status = lane_advance(lane, &lesson, &over);
        if (status == STATUS_OK && over) {
            status = collect(job, lane, diag);
            if (status == STATUS_OK)
                status = open_lane(job, lane);
        }
    }
    return status;
}

/* Games that are over are kept, whatever ends the run. */
static enum caxton_status play(struct job *job, struct diag *diag)
{
    enum caxton_status status = teacher_greet(job->teacher, diag);
    for (int i = 0; i < job->lane_count && status == STATUS_OK; i++)
        status = open_lane(job, &job->lanes[i]);
    while (status == STATUS_OK && !atomic_load(&job->datagen->stop))
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
    struct datagen *datagen = job->datagen;
    struct diag diag = {0};
    enum caxton_status status = play(job, &diag);
    if (status != STATUS_OK) {
        pthread_mutex_lock(&datagen->lock);
        fail(datagen, status, &diag);
        pthread_mutex_unlock(&datagen->lock);
    }
    atomic_fetch_sub(&datagen->working, 1);
    return NULL;
}

void job_hurry(struct job *job)
{
    teacher_hurry(job->teacher);
}
