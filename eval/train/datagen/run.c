#include "eval/train/datagen/run.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/progress.h"
#include "base/thread.h"
#include "book/open/open.h"
#include "eval/train/datagen/job.h"

enum { START_MS = 10000, ANSWER_MS = 60000, TICK_NS = 250000000 };

static uint64_t samples_so_far(struct job_shared *shared)
{
    pthread_mutex_lock(&shared->lock);
    uint64_t samples = shared->samples;
    pthread_mutex_unlock(&shared->lock);
    return samples;
}

static void show_progress(struct job_shared *shared, uint64_t before,
                          const struct progress *progress)
{
    if (!progress->shown)
        return;
    uint64_t samples = samples_so_far(shared);
    double seconds = (double)progress_elapsed_ms(progress) / 1000;
    double rate = seconds > 0 ? (double)(samples - before) / seconds : 0;
    double left = samples < shared->wanted ? (double)(shared->wanted - samples) : 0;
    (void)fprintf(stderr, "\r%llu positions, %.0f a second, %.0f s left \x1b[K",
                  (unsigned long long)samples, rate, rate > 0 ? left / rate : 0);
}

/* Waits for the jobs; a signal tells them to end. */
static void wait_for_jobs(struct job_shared *shared, struct job **jobs, int count,
                          const sigset_t *signals, bool quiet)
{
    struct progress progress;
    uint64_t before = samples_so_far(shared);
    const struct timespec tick = {0, TICK_NS};
    progress_start(&progress, quiet, 0);
    while (atomic_load(&shared->working) > 0) {
        if (sigtimedwait(signals, NULL, &tick) > 0)
            atomic_store(&shared->stop, true);
        for (int i = 0; i < count && atomic_load(&shared->stop); i++)
            job_interrupt(jobs[i]);
        show_progress(shared, before, &progress);
    }
    progress_end(&progress);
}

static enum caxton_status run_jobs(struct job_shared *shared, struct job **jobs, int count,
                                   bool quiet)
{
    pthread_t threads[OPTIONS_JOBS_MAX];
    int started = 0;
    sigset_t signals;
    enum caxton_status status = STATUS_OK;
    (void)sigemptyset(&signals);
    (void)sigaddset(&signals, SIGINT);
    (void)sigaddset(&signals, SIGTERM);
    /* Blocked, so that only wait_for_jobs() gets them and no block is torn. */
    if (pthread_sigmask(SIG_BLOCK, &signals, NULL) != 0)
        return STATUS_THREAD;
    atomic_store(&shared->working, count);
    while (started < count && status == STATUS_OK) {
        status = thread_start(&threads[started], job_run, jobs[started]);
        started += status == STATUS_OK;
    }
    if (started < count) {
        atomic_store(&shared->stop, true);
        atomic_fetch_sub(&shared->working, count - started);
    }
    wait_for_jobs(shared, jobs, started, &signals, quiet);
    for (int i = 0; i < started; i++)
        if (pthread_join(threads[i], NULL) != 0)
            status = STATUS_THREAD;
    return status;
}

/* The file is open. Creates the jobs, runs and destroys them. */
static enum caxton_status generate(struct job_shared *shared, const struct datagen_options *options,
                                   struct diag *diag)
{
    struct job *jobs[OPTIONS_JOBS_MAX] = {NULL};
    const struct labeller_setup setup = {
        .command = options->labeller,
        .nodes = (uint64_t)options->nodes,
        .start_ms = options->wait_s ? options->wait_s * 1000 : START_MS,
        .answer_ms = options->wait_s ? options->wait_s * 1000 : ANSWER_MS,
        .stop = &shared->stop,
    };
    enum caxton_status status = STATUS_OK;
    /* With the number of samples in the seed, a file is continued with other games. */
    uint64_t seed =
        (uint64_t)options->seed * UINT64_C(0x9E3779B97F4A7C15) + shared->samples * OPTIONS_JOBS_MAX;
    for (int i = 0; i < (int)options->jobs && status == STATUS_OK; i++)
        status =
            job_create(shared, &setup, seed + (uint64_t)i, (int)options->siblings, &jobs[i], diag);
    if (status == STATUS_OK)
        status = run_jobs(shared, jobs, (int)options->jobs, options->quiet);
    for (int i = 0; i < (int)options->jobs; i++)
        job_destroy(jobs[i]);
    if (status == STATUS_OK && shared->failed) {
        *diag = shared->diag;
        status = STATUS_IO;
    }
    return status;
}

static enum caxton_status fill_file(struct job_shared *shared,
                                    const struct datagen_options *options, struct diag *diag)
{
    enum caxton_status status =
        sample_file_open(options->output, &shared->file, &shared->samples, diag);
    if (status != STATUS_OK)
        return status;
    if (shared->samples < shared->wanted)
        status = generate(shared, options, diag);
    enum caxton_status closed = sample_file_close(shared->file, status == STATUS_OK ? diag : NULL);
    return status == STATUS_OK ? closed : status;
}

enum caxton_status datagen_run(const struct datagen_options *options, uint64_t *positions,
                               struct diag *diag)
{
    struct job_shared shared = {
        .wanted = (uint64_t)options->positions,
        .starts = {.chess960_percent = (int)options->chess960_percent,
                   .endings_percent = (int)options->endings_percent},
    };
    struct book *book = NULL;
    enum caxton_status status = book_open_builtin(&book);
    shared.starts.book = book;
    if (status == STATUS_OK && options->openings)
        status = starts_read_openings(&shared.starts, options->openings, diag);
    if (status == STATUS_OK && pthread_mutex_init(&shared.lock, NULL) != 0)
        status = STATUS_THREAD;
    else if (status == STATUS_OK) {
        status = fill_file(&shared, options, diag);
        (void)pthread_mutex_destroy(&shared.lock);
    }
    free(shared.starts.openings);
    book_close(book);
    *positions = shared.samples;
    return status;
}
