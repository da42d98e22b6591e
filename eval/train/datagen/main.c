#include "book/book.h"
#include "book/open/open.h"
/* The program `caxton-datagen`: scored positions to train the evaluation with. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "eval/train/datagen/arguments.h"
#include "eval/train/datagen/job.h"
#include "eval/train/sample_file.h"

enum { JOBS_MAX = 256, EXIT_USAGE = 2, OPENINGS_FIRST = 1024, TICK_NS = 250000000 };

/* One line of openings; blank ones are left out. */
static enum caxton_status add_opening(struct span line, struct starts *starts, size_t *capacity,
                                      struct diag *diag)
{
    struct position pos;
    struct span rest;
    if (!span_trim(line).size)
        return STATUS_OK;
    enum caxton_status status = fen_parse_epd(line, &pos, &rest, diag);
    if (status != STATUS_OK)
        return status;
    if (starts->opening_count == *capacity) {
        size_t grown = *capacity ? 2 * *capacity : OPENINGS_FIRST;
        void *moved = realloc(starts->openings, grown * sizeof *starts->openings);
        if (!moved)
            return STATUS_NO_MEMORY;
        starts->openings = moved;
        *capacity = grown;
    }
    starts->openings[starts->opening_count++] = pos;
    return STATUS_OK;
}

static enum caxton_status read_openings(const char *path, struct starts *starts, struct diag *diag)
{
    FILE *file = fopen(path, "r");
    size_t capacity = 0;
    char *line = NULL; /* of getline() */
    size_t line_capacity = 0;
    size_t number = 0;
    enum caxton_status status = STATUS_OK;
    if (!file) {
        diag_set(diag, 0, 0, "%s: %s", path, strerror(errno));
        return STATUS_IO;
    }
    for (ssize_t size; (size = getline(&line, &line_capacity, file)) >= 0; number++) {
        struct diag fault = {0};
        status = add_opening(span_make(line, (size_t)size), starts, &capacity, &fault);
        if (status == STATUS_NO_MEMORY)
            break;
        if (status != STATUS_OK) {
            diag_set(diag, 0, 0, "%s:%zu: %s", path, number + 1, fault.text);
            break;
        }
    }
    if (status == STATUS_OK && (ferror(file) || !starts->opening_count)) {
        diag_set(diag, 0, 0, "%s: no openings can be read", path);
        status = STATUS_IO;
    }
    free(line);
    (void)fclose(file);
    return status;
}

static uint64_t samples_so_far(struct datagen *datagen)
{
    pthread_mutex_lock(&datagen->lock);
    uint64_t samples = datagen->samples;
    pthread_mutex_unlock(&datagen->lock);
    return samples;
}

/* On a terminal: how far, how fast, how long still. */
static void show_progress(struct datagen *datagen, uint64_t before, int64_t start_ms)
{
    uint64_t samples = samples_so_far(datagen);
    double seconds = (double)(clock_ms() - start_ms) / 1000;
    double rate = seconds > 0 ? (double)(samples - before) / seconds : 0;
    double left = samples < datagen->wanted ? (double)(datagen->wanted - samples) : 0;
    (void)fprintf(stderr, "\r%llu positions, %.0f a second, %.0f s left \x1b[K",
                  (unsigned long long)samples, rate, rate > 0 ? left / rate : 0);
}

/* Waits for the jobs; a signal asks them to come to an end. */
static void wait_for_jobs(struct datagen *datagen, struct job **jobs, int count,
                          const sigset_t *signals, bool quiet)
{
    bool shown = !quiet && isatty(STDERR_FILENO);
    int64_t start_ms = clock_ms();
    uint64_t before = samples_so_far(datagen);
    const struct timespec tick = {0, TICK_NS};
    while (atomic_load(&datagen->working) > 0) {
        if (sigtimedwait(signals, NULL, &tick) > 0)
            atomic_store(&datagen->stop, true);
        for (int i = 0; i < count && atomic_load(&datagen->stop); i++)
            job_hurry(jobs[i]);
        if (shown)
            show_progress(datagen, before, start_ms);
    }
    if (shown)
        (void)fputs("\r\x1b[K", stderr);
}

static enum caxton_status run_jobs(struct datagen *datagen, struct job **jobs, int count,
                                   bool quiet)
{
    pthread_t threads[JOBS_MAX];
    int started = 0;
    sigset_t signals;
    (void)sigemptyset(&signals);
    (void)sigaddset(&signals, SIGINT);
    (void)sigaddset(&signals, SIGTERM);
    /* Blocked, so that only wait_for_jobs() sees them and no block is torn. */
    if (pthread_sigmask(SIG_BLOCK, &signals, NULL) != 0)
        return STATUS_THREAD;
    atomic_store(&datagen->working, count);
    while (started < count && pthread_create(&threads[started], NULL, job_run, jobs[started]) == 0)
        started++;
    if (started < count) {
        atomic_store(&datagen->stop, true);
        atomic_fetch_sub(&datagen->working, count - started);
    }
    wait_for_jobs(datagen, jobs, started, &signals, quiet);
    for (int i = 0; i < started; i++)
        if (pthread_join(threads[i], NULL) != 0)
            return STATUS_THREAD;
    return started < count ? STATUS_THREAD : STATUS_OK;
}

/* The file is open. Runs with jobs made and unmade here. */
static enum caxton_status generate(struct datagen *datagen,
                                   const struct datagen_arguments *arguments, struct diag *diag)
{
    struct job *jobs[JOBS_MAX] = {NULL};
    const struct teacher_setup setup = {.command = arguments->teacher,
                                        .nodes = arguments->nodes,
                                        .start_ms = arguments->start_ms,
                                        .answer_ms = arguments->answer_ms,
                                        .stop = &datagen->stop};
    enum caxton_status status = STATUS_OK;
    /* A run that is continued plays other games than the one before. */
    uint64_t seed = arguments->seed * UINT64_C(0x9E3779B97F4A7C15) + datagen->samples * JOBS_MAX;
    for (int i = 0; i < arguments->jobs && status == STATUS_OK; i++)
        status =
            job_create(datagen, &setup, seed + (uint64_t)i, arguments->siblings, &jobs[i], diag);
    if (status == STATUS_OK)
        status = run_jobs(datagen, jobs, arguments->jobs, arguments->quiet);
    for (int i = 0; i < arguments->jobs; i++)
        job_destroy(jobs[i]);
    if (status == STATUS_OK && datagen->failed) {
        *diag = datagen->diag;
        status = STATUS_IO;
    }
    return status;
}

static enum caxton_status run(const struct datagen_arguments *arguments, struct diag *diag)
{
    struct datagen datagen = {.wanted = arguments->samples};
    struct book *book = NULL;
    datagen.starts.chess960_percent = arguments->chess960_percent;
    datagen.starts.endings_percent = arguments->endings_percent;
    enum caxton_status status = book_open_builtin(&book);
    datagen.starts.book = book;
    if (status == STATUS_OK && arguments->openings)
        status = read_openings(arguments->openings, &datagen.starts, diag);
    if (status == STATUS_OK && pthread_mutex_init(&datagen.lock, NULL) != 0)
        status = STATUS_THREAD;
    else if (status == STATUS_OK) {
        status = sample_file_open(arguments->output, &datagen.file, &datagen.samples, diag);
        if (status == STATUS_OK) {
            if (datagen.samples < datagen.wanted)
                status = generate(&datagen, arguments, diag);
            struct diag at_end;
            enum caxton_status closed = sample_file_close(datagen.file, &at_end);
            if (status == STATUS_OK && closed != STATUS_OK) {
                *diag = at_end;
                status = closed;
            }
        }
        (void)pthread_mutex_destroy(&datagen.lock);
    }
    free(datagen.starts.openings);
    book_close(book);
    if (status == STATUS_OK &&
        printf("%s: %llu positions\n", arguments->output, (unsigned long long)datagen.samples) < 0)
        status = STATUS_IO;
    return status;
}

int main(int argc, char **argv)
{
    chess_init();
    struct datagen_arguments arguments;
    struct diag diag = {0};
    enum caxton_status status = datagen_arguments_read(argc, argv, &arguments, &diag);
    if (status != STATUS_OK) {
        (void)fprintf(stderr, "caxton-datagen: %s; see caxton-datagen --help\n", diag.text);
        return EXIT_USAGE;
    }
    if (arguments.help)
        return fputs(datagen_help, stdout) >= 0 && fflush(stdout) == 0 ? EXIT_SUCCESS
                                                                       : EXIT_FAILURE;
    /* A teacher that dies is an error of a write, not our end. */
    (void)signal(SIGPIPE, SIG_IGN);
    status = run(&arguments, &diag);
    if (status == STATUS_OK && fflush(stdout) == 0)
        return EXIT_SUCCESS;
    (void)fprintf(stderr, "caxton-datagen: %s\n", diag.text[0] ? diag.text : status_name(status));
    return EXIT_FAILURE;
}
