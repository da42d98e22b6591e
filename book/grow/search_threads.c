#include "book/grow/search_threads.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/thread.h"

enum { SUGGESTIONS_PER_THREAD = 8, LOOK_MS = 60000 };

struct search_thread {
    struct pool *pool;
    void *searcher;
    pthread_t thread;
};

struct pool {
    struct search_threads_settings settings;
    struct scorer *scorer;
    struct search_thread *threads;
    size_t count;
    size_t started;
};

static void search_job(struct search_thread *thread, const struct scorer_job *job)
{
    struct pool *pool = thread->pool;
    struct search_answer answer = {.best = MOVE_NONE};
    struct diag why = {.text = ""};
    enum caxton_status status = pool->settings.kind->search(thread->searcher, &job->question.pos,
                                                            job->question.limit, &answer, &why);
    if (status == STATUS_OK)
        scorer_answer(pool->scorer, job, &answer, &answer);
    else
        scorer_fail(pool->scorer, status, &why);
}

static void *thread_run(void *argument)
{
    struct search_thread *thread = argument;
    struct scorer *scorer = thread->pool->scorer;
    while (!scorer_is_over(scorer)) {
        struct scorer_job job;
        bool urgent;
        if (scorer_next(scorer, SCORER_ANY, clock_ms() + LOOK_MS, &job, &urgent))
            search_job(thread, &job);
    }
    return NULL;
}

static void stop(void *backend)
{
    struct pool *pool = backend;
    for (size_t i = 0; i < pool->count; i++)
        if (pool->threads[i].searcher)
            pool->settings.kind->stop(pool->threads[i].searcher);
}

static void destroy(void *backend)
{
    struct pool *pool = backend;
    for (size_t i = 0; i < pool->started; i++)
        (void)pthread_join(pool->threads[i].thread, NULL);
    for (size_t i = 0; i < pool->count; i++)
        pool->settings.kind->destroy(pool->threads[i].searcher);
    free(pool->threads);
    free(pool);
}

static enum caxton_status start_threads(struct pool *pool, struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    for (size_t i = 0; i < pool->count && status == STATUS_OK; i++) {
        pool->threads[i].pool = pool;
        status =
            pool->settings.kind->create(pool->settings.settings, &pool->threads[i].searcher, diag);
    }
    for (; pool->started < pool->count && status == STATUS_OK; pool->started++) {
        struct search_thread *thread = &pool->threads[pool->started];
        status = thread_start(&thread->thread, thread_run, thread);
        if (status != STATUS_OK)
            return diag_fail(status, diag, "cannot start %zu threads", pool->count);
    }
    return status;
}

static enum caxton_status start(const void *settings, struct scorer *scorer, void **out,
                                struct diag *diag)
{
    const struct search_threads_settings *given = settings;
    struct pool *pool = calloc(1, sizeof *pool);
    diag_set(diag, 0, 0, "out of memory");
    if (!pool)
        return STATUS_NO_MEMORY;
    pool->settings = *given;
    pool->scorer = scorer;
    pool->threads = calloc((size_t)given->threads, sizeof *pool->threads);
    if (!pool->threads) {
        free(pool);
        return STATUS_NO_MEMORY;
    }
    pool->count = (size_t)given->threads;
    scorer_set_threads(scorer, pool->count);
    enum caxton_status status = start_threads(pool, diag);
    if (status == STATUS_OK) {
        *out = pool;
        return STATUS_OK;
    }
    scorer_fail(scorer, STATUS_END, NULL); /* those that have started end */
    destroy(pool);
    return status;
}

static size_t ahead(const void *backend)
{
    const struct pool *pool = backend;
    return pool->count > 1 ? pool->count * SUGGESTIONS_PER_THREAD : 0;
}

const struct scorer_backend search_threads = {start, stop, destroy, ahead};
