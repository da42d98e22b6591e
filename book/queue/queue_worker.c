#include "book/queue/queue_worker.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "book/queue/queue_worker_internal.h"

static void lock(struct queue_worker *worker)
{
    (void)pthread_mutex_lock(&worker->monitor.mutex);
}

static void unlock(struct queue_worker *worker)
{
    (void)pthread_mutex_unlock(&worker->monitor.mutex);
}

static void wake_all(struct queue_worker *worker)
{
    (void)pthread_cond_broadcast(&worker->monitor.changed);
}

/* With the monitor. */
static bool is_over(const struct queue_worker *worker)
{
    return worker->stopped || worker->finished || worker->fault != STATUS_OK;
}

bool worker_is_over(struct queue_worker *worker)
{
    lock(worker);
    bool over = is_over(worker);
    unlock(worker);
    return over;
}

/* Ends what is searched. With the monitor. */
static void stop_searchers(struct queue_worker *worker)
{
    for (size_t i = 0; i < worker->started; i++)
        worker->searcher.kind->stop(worker->threads[i].searcher);
}

void worker_fail(struct queue_worker *worker, enum caxton_status status, const struct diag *why)
{
    lock(worker);
    if (worker->fault == STATUS_OK) {
        worker->fault = status;
        worker->why = *why;
    }
    stop_searchers(worker);
    wake_all(worker);
    unlock(worker);
}

bool worker_pause(struct queue_worker *worker, int64_t ms)
{
    int64_t deadline = clock_ms() + ms;
    lock(worker);
    while (!is_over(worker) && monitor_wait_until(&worker->monitor, deadline))
        ;
    bool over = is_over(worker);
    unlock(worker);
    return !over;
}

bool worker_is_wanted(struct queue_worker *worker, const struct searcher_identity *wanted)
{
    char theirs[QUEUE_IDENTITY_TEXT];
    char ours[QUEUE_IDENTITY_TEXT];
    struct diag why;
    const struct searcher_identity *own = &worker->searcher.identity;
    if (queue_identity_is_same(own, wanted))
        return true;
    queue_identity_text(wanted, theirs);
    queue_identity_text(own, ours);
    diag_set(&why, 0, 0, "the run wants %s, this is %s", theirs, ours);
    worker_fail(worker, STATUS_ILLEGAL, &why);
    return false;
}

/* The whole. ---------------------------------------------------------------------------------- */

enum caxton_status queue_worker_create(const struct queue_worker_options *options,
                                       struct queue_worker **out)
{
    struct queue_worker *worker = calloc(1, sizeof *worker);
    if (!worker)
        return STATUS_NO_MEMORY;
    worker->options = *options;
    worker->keys = queue_keys_of(&options->url);
    worker->threads = calloc((size_t)options->threads, sizeof *worker->threads);
    program_id(worker->id);
    enum caxton_status status = worker->threads ? monitor_init(&worker->monitor) : STATUS_NO_MEMORY;
    if (status != STATUS_OK) {
        free(worker->threads);
        free(worker);
        return status;
    }
    for (int i = 0; i < options->threads; i++) {
        struct worker_thread *thread = &worker->threads[i];
        thread->worker = worker;
        (void)snprintf(thread->name, sizeof thread->name, "%s.%d", worker->id, i + 1);
    }
    *out = worker;
    return STATUS_OK;
}

void queue_worker_destroy(struct queue_worker *worker)
{
    if (!worker)
        return;
    monitor_destroy(&worker->monitor);
    free(worker->threads);
    free(worker);
}

/* Waits until there was a run to work for. False: the end came before. */
static bool wait_for_run(struct queue_worker *worker)
{
    lock(worker);
    while (!worker->chosen && !is_over(worker))
        (void)pthread_cond_wait(&worker->monitor.changed, &worker->monitor.mutex);
    bool ready = !is_over(worker);
    unlock(worker);
    return ready;
}

/* Makes the searchers and starts their threads. */
static void start_threads(struct queue_worker *worker)
{
    const struct queue_searcher *searcher = &worker->searcher;
    for (int i = 0; i < worker->options.threads && !worker_is_over(worker); i++) {
        struct worker_thread *thread = &worker->threads[i];
        struct diag why = {.text = "out of memory"};
        void *made = NULL;
        enum caxton_status status = searcher->kind->create(searcher->settings, &made, &why);
        if (status == STATUS_OK) {
            thread->searcher = made;
            diag_set(&why, 0, 0, "cannot start %d threads", worker->options.threads);
            status = thread_start(&thread->thread, worker_thread_run, thread);
            if (status != STATUS_OK)
                searcher->kind->destroy(made);
        }
        if (status != STATUS_OK) {
            worker_fail(worker, status, &why);
            return;
        }
        lock(worker);
        worker->started++;
        if (is_over(worker))
            stop_searchers(worker);
        unlock(worker);
    }
}

enum caxton_status queue_worker_run(struct queue_worker *worker, struct diag *diag)
{
    worker->seen_ms = clock_ms();
    enum caxton_status status = thread_start(&worker->keeper, worker_keeper_run, worker);
    if (status != STATUS_OK)
        return diag_fail(status, diag, "cannot start a thread");
    if (wait_for_run(worker))
        start_threads(worker);
    for (size_t i = 0; i < worker->started; i++)
        (void)pthread_join(worker->threads[i].thread, NULL);
    (void)pthread_join(worker->keeper, NULL);
    for (size_t i = 0; i < worker->started; i++)
        worker->searcher.kind->destroy(worker->threads[i].searcher);
    worker->started = 0;
    if (worker->fault != STATUS_OK) {
        *diag = worker->why;
        return worker->fault;
    }
    return worker->stopped ? STATUS_END : STATUS_OK;
}

void queue_worker_stop(struct queue_worker *worker)
{
    lock(worker);
    worker->stopped = true;
    stop_searchers(worker);
    wake_all(worker);
    unlock(worker);
}

struct queue_worker_counts queue_worker_counts(struct queue_worker *worker)
{
    lock(worker);
    struct queue_worker_counts counts = worker->counts;
    unlock(worker);
    return counts;
}
