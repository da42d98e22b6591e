#include "eval/train/datagen/run.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/progress.h"
#include "base/thread.h"
#include "eval/train/datagen/labeller.h"
#include "eval/train/datagen/selfplay.h"
#include "eval/train/sample_file.h"

enum {
    TICK_NS = 250000000,
    BLOCK_SAMPLES = 4096, /* a block is written when so many are there */
    BLOCK_MAX = BLOCK_SAMPLES + OPTIONS_PLIES_MAX * (1 + SEARCHED_MAX),
    SEEN_BITS = 20, /* about the last 2^20 positions are not stored again */
};

/* What all jobs share. */
struct run {
    const struct datagen_options *options;
    struct datagen_starts starts;
    struct teacher_net *net;   /* NULL: no teacher */
    struct sample_file *file;  /* guarded by lock */
    atomic_ullong samples;     /* in the file */
    enum caxton_status status; /* of the first failure; guarded by lock */
    struct diag diag;          /* likewise */
    pthread_mutex_t lock;
    atomic_bool stop;
    atomic_int working; /* jobs that have not ended */
};

/* One thread: a labeller and its games. */
struct job {
    struct run *run;
    struct labeller labeller;
    int game_count;
    struct selfplay *games;
    size_t count;
    uint8_t samples[BLOCK_MAX * SAMPLE_SIZE];
    uint64_t seen[1 << SEEN_BITS]; /* keys, each in the place of its low bits */
    pthread_t thread;
};

static bool has_enough(struct run *run, size_t more)
{
    return atomic_load(&run->samples) + more >= (uint64_t)run->options->positions;
}

/* A job ------------------------------------------------------------------------------------ */

/* seed: a different one for each job. To be freed in any case. */
static enum caxton_status job_init(struct job *job, struct run *run, uint64_t seed,
                                   struct diag *diag)
{
    job->run = run;
    enum caxton_status status =
        labeller_init(&job->labeller, run->options, run->net, seed, &run->stop, diag);
    if (status != STATUS_OK)
        return status;
    int games = labeller_games(&job->labeller);
    job->games = calloc((size_t)games, sizeof *job->games);
    if (!job->games)
        return STATUS_NO_MEMORY;
    for (; status == STATUS_OK && job->game_count < games; job->game_count++)
        status = selfplay_init(&job->games[job->game_count],
                               seed * (uint64_t)games + (uint64_t)job->game_count, run->options);
    return status;
}

static void job_free(struct job *job)
{
    for (int i = 0; i < job->game_count; i++)
        selfplay_free(&job->games[i]);
    free(job->games);
    labeller_free(&job->labeller);
}

/* Appends the collected samples to the file. */
static enum caxton_status flush_samples(struct job *job, struct diag *diag)
{
    struct run *run = job->run;
    if (job->count == 0)
        return STATUS_OK;
    pthread_mutex_lock(&run->lock);
    enum caxton_status status = sample_file_append(run->file, job->samples, job->count, diag);
    pthread_mutex_unlock(&run->lock);
    if (status == STATUS_OK)
        atomic_fetch_add(&run->samples, job->count);
    if (has_enough(run, 0))
        atomic_store(&run->stop, true);
    job->count = 0;
    return status;
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
    bool is_due = job->count >= BLOCK_SAMPLES || has_enough(job->run, job->count);
    return is_due ? flush_samples(job, diag) : STATUS_OK;
}

static enum caxton_status start_game(struct job *job, struct selfplay *play)
{
    labeller_new_game(&job->labeller);
    return selfplay_start(play, &job->run->starts);
}

/* Positions of the search that has just ended. */
static void record_searched(struct job *job, struct selfplay *play)
{
    struct searched *searched = job->labeller.searched;
    int count = searched ? searched_count(searched) : 0;
    for (int i = 0; i < count; i++) {
        int score;
        const struct position *pos = searched_position(searched, i, &score);
        selfplay_record_searched(play, pos, score);
    }
}

/* One question for each game, and then the answers, until there are enough samples. */
static enum caxton_status play_round(struct job *job, struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    for (int i = 0; i < job->game_count && status == STATUS_OK; i++)
        status = labeller_ask(&job->labeller, job->games[i].game, job->games[i].sibling, diag);
    for (int i = 0; i < job->game_count && status == STATUS_OK; i++) {
        if (atomic_load(&job->run->stop))
            break;
        struct selfplay *play = &job->games[i];
        struct label label;
        bool over = false;
        status = labeller_answer(&job->labeller, play->game, play->sibling, &label, diag);
        if (status == STATUS_OK)
            record_searched(job, play);
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
    enum caxton_status status = labeller_wait_ready(&job->labeller, diag);
    for (int i = 0; i < job->game_count && status == STATUS_OK; i++)
        status = start_game(job, &job->games[i]);
    while (status == STATUS_OK && !atomic_load(&job->run->stop))
        status = play_round(job, diag);
    struct diag at_end = {0};
    enum caxton_status flushed = flush_samples(job, &at_end);
    if (status != STATUS_OK && status != STATUS_END)
        return status;
    *diag = at_end;
    return flushed == STATUS_END ? STATUS_OK : flushed;
}

/* A thread's start routine: plays until there are enough samples, or until stop. The first failure
 * is remembered and ends all jobs. */
static void *job_run(void *argument)
{
    struct job *job = argument;
    struct run *run = job->run;
    struct diag diag = {0};
    enum caxton_status status = play_games(job, &diag);
    if (status != STATUS_OK) {
        pthread_mutex_lock(&run->lock);
        if (run->status == STATUS_OK) {
            run->status = status;
            run->diag = diag;
        }
        pthread_mutex_unlock(&run->lock);
        atomic_store(&run->stop, true);
    }
    atomic_store(&run->stop, true); /* the others would find nobody to write to, either */
    atomic_fetch_sub(&run->working, 1);
    return NULL;
}

/* All jobs --------------------------------------------------------------------------------- */

static void show_progress(struct run *run, uint64_t before, const struct progress *progress)
{
    if (!progress->shown)
        return;
    uint64_t samples = atomic_load(&run->samples);
    uint64_t wanted = (uint64_t)run->options->positions;
    double seconds = (double)progress_elapsed_ms(progress) / 1000;
    double rate = seconds > 0 ? (double)(samples - before) / seconds : 0;
    double left = samples < wanted ? (double)(wanted - samples) : 0;
    (void)fprintf(stderr, "\r%llu positions, %.0f a second, %.0f s left \x1b[K",
                  (unsigned long long)samples, rate, rate > 0 ? left / rate : 0);
}

/* Waits for the jobs; a signal tells them to end. */
static void wait_for_jobs(struct run *run, struct job *jobs, int count, const sigset_t *signals)
{
    struct progress progress;
    uint64_t before = atomic_load(&run->samples);
    const struct timespec tick = {0, TICK_NS};
    progress_start(&progress, run->options->quiet, 0);
    while (atomic_load(&run->working) > 0) {
        if (sigtimedwait(signals, NULL, &tick) > 0)
            atomic_store(&run->stop, true);
        for (int i = 0; i < count && atomic_load(&run->stop); i++)
            labeller_interrupt(&jobs[i].labeller);
        show_progress(run, before, &progress);
    }
    progress_end(&progress);
}

static enum caxton_status run_jobs(struct run *run, struct job *jobs, int count)
{
    int started = 0;
    sigset_t signals;
    enum caxton_status status = STATUS_OK;
    (void)sigemptyset(&signals);
    (void)sigaddset(&signals, SIGINT);
    (void)sigaddset(&signals, SIGTERM);
    (void)sigaddset(&signals, SIGPIPE); /* the reader of a stream has gone: a good end */
    /* Blocked, so that only wait_for_jobs() gets them and no block is torn. */
    if (pthread_sigmask(SIG_BLOCK, &signals, NULL) != 0)
        return STATUS_THREAD;
    atomic_store(&run->working, count);
    while (started < count && status == STATUS_OK) {
        status = thread_start(&jobs[started].thread, job_run, &jobs[started]);
        started += status == STATUS_OK;
    }
    if (started < count) {
        atomic_store(&run->stop, true);
        atomic_fetch_sub(&run->working, count - started);
    }
    wait_for_jobs(run, jobs, started, &signals);
    for (int i = 0; i < started; i++)
        if (pthread_join(jobs[i].thread, NULL) != 0)
            status = STATUS_THREAD;
    return status;
}

/* The file is open. Creates the jobs, runs and destroys them. */
static enum caxton_status generate(struct run *run, struct diag *diag)
{
    int count = (int)run->options->jobs;
    struct job *jobs = calloc((size_t)count, sizeof *jobs);
    enum caxton_status status = jobs ? STATUS_OK : STATUS_NO_MEMORY;
    /* With the number of samples in the seed, a file is continued with other games. */
    uint64_t seed = (uint64_t)run->options->seed * UINT64_C(0x9E3779B97F4A7C15) +
                    atomic_load(&run->samples) * OPTIONS_JOBS_MAX;
    for (int i = 0; i < count && status == STATUS_OK; i++)
        status = job_init(&jobs[i], run, seed + (uint64_t)i, diag);
    if (status == STATUS_OK)
        status = run_jobs(run, jobs, count);
    for (int i = 0; i < count && jobs; i++)
        job_free(&jobs[i]);
    free(jobs);
    if (status == STATUS_OK && run->status != STATUS_OK)
        *diag = run->diag;
    return status == STATUS_OK ? run->status : status;
}

static enum caxton_status fill_file(struct run *run, struct diag *diag)
{
    uint64_t before = 0;
    bool is_stream = strcmp(run->options->output, "-") == 0;
    enum caxton_status status =
        is_stream ? sample_file_stdout(&run->file, diag)
                  : sample_file_open(run->options->output, &run->file, &before, diag);
    if (status != STATUS_OK)
        return status;
    atomic_store(&run->samples, before);
    if (!has_enough(run, 0))
        status = generate(run, diag);
    enum caxton_status closed = sample_file_close(run->file, status == STATUS_OK ? diag : NULL);
    closed = closed == STATUS_END ? STATUS_OK : closed;
    return status == STATUS_OK ? closed : status;
}

enum caxton_status datagen_run(const struct datagen_options *options, uint64_t *positions,
                               struct diag *diag)
{
    struct run run = {
        .options = options,
        .lock = PTHREAD_MUTEX_INITIALIZER,
    };
    for (int kind = 0; kind < START_KINDS; kind++)
        run.starts.percent[kind] = (int)options->percent[kind];
    enum caxton_status status = starts_open(&run.starts, options->openings, options->books.items,
                                            options->books.count, diag);
    if (status == STATUS_OK && options->teacher_net)
        status = teacher_net_load(options->teacher_net, &run.net, diag);
    if (status == STATUS_OK)
        status = fill_file(&run, diag);
    (void)pthread_mutex_destroy(&run.lock);
    starts_close(&run.starts);
    teacher_net_free(run.net);
    *positions = atomic_load(&run.samples);
    return status;
}
