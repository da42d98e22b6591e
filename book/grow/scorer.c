#include "book/grow/scorer.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/thread.h"

enum { WAIT_MS = 200, SUGGESTIONS_PER_THREAD = 8 };

/* A question with its packed position. */
struct job {
    struct scorer_question question;
    struct packed_position packed;
};

struct search_thread {
    struct scorer *scorer;
    void *searcher;
    pthread_t thread;
    struct job job; /* monitor */
    bool busy;      /* monitor: with `job` */
};

struct scorer {
    const struct searcher_kind *kind;
    struct search_thread *threads;
    size_t thread_count;
    size_t started;
    void (*wait)(void *context); /* the asking thread's */
    void *wait_context;

    struct monitor monitor; /* guards all that follows */
    struct score_store *store;
    struct job urgent; /* the question that the asking thread waits for */
    bool has_urgent;
    struct job *suggested;
    size_t suggested_count;
    size_t suggested_next;
    bool stopped;
    enum caxton_status fault; /* of a searcher or the store */
    struct diag why;
    struct scorer_counts counts;
};

static bool is_same(const struct job *a, const struct job *b)
{
    return a->question.limit.kind == b->question.limit.kind &&
           a->question.limit.value == b->question.limit.value &&
           memcmp(&a->packed, &b->packed, sizeof a->packed) == 0;
}

static struct job job_of(const struct scorer_question *question)
{
    struct job job = {.question = *question};
    position_pack(&question->pos, &job.packed);
    return job;
}

static bool has_answer(const struct scorer *scorer, const struct job *job,
                       struct search_answer *out)
{
    return score_store_find(scorer->store, &job->packed, job->question.limit, out);
}

static bool is_searched(const struct scorer *scorer, const struct job *job)
{
    for (size_t i = 0; i < scorer->thread_count; i++)
        if (scorer->threads[i].busy && is_same(&scorer->threads[i].job, job))
            return true;
    return false;
}

/* Search threads. ----------------------------------------------------------------------------- */

static bool take_job(struct scorer *scorer, struct job *out)
{
    if (scorer->has_urgent) {
        *out = scorer->urgent;
        scorer->has_urgent = false;
        return true;
    }
    while (scorer->suggested_next < scorer->suggested_count) {
        *out = scorer->suggested[scorer->suggested_next++];
        if (!has_answer(scorer, out, NULL) && !is_searched(scorer, out))
            return true;
    }
    return false;
}

static bool is_over(const struct scorer *scorer)
{
    return scorer->stopped || scorer->fault != STATUS_OK;
}

/* Searches the job of the thread; the monitor is free meanwhile. */
static void search_job(struct search_thread *thread)
{
    struct scorer *scorer = thread->scorer;
    struct search_answer answer = {.best = MOVE_NONE};
    struct diag why = {.text = ""};
    (void)pthread_mutex_unlock(&scorer->monitor.mutex);
    enum caxton_status status = scorer->kind->search(thread->searcher, &thread->job.question.pos,
                                                     thread->job.question.limit, &answer, &why);
    (void)pthread_mutex_lock(&scorer->monitor.mutex);
    if (status == STATUS_OK) {
        scorer->counts.searched++;
        scorer->counts.nodes += answer.nodes;
        status = score_store_add(scorer->store, &thread->job.packed, thread->job.question.limit,
                                 &answer, &why);
    }
    if (status == STATUS_END) {
        scorer->stopped = true;
    } else if (status != STATUS_OK && scorer->fault == STATUS_OK) {
        scorer->fault = status;
        scorer->why = why;
    }
}

static void *thread_run(void *argument)
{
    struct search_thread *thread = argument;
    struct scorer *scorer = thread->scorer;
    (void)pthread_mutex_lock(&scorer->monitor.mutex);
    while (!is_over(scorer)) {
        if (!take_job(scorer, &thread->job)) {
            (void)pthread_cond_wait(&scorer->monitor.changed, &scorer->monitor.mutex);
            continue;
        }
        thread->busy = true;
        search_job(thread);
        thread->busy = false;
        (void)pthread_cond_broadcast(&scorer->monitor.changed);
    }
    (void)pthread_cond_broadcast(&scorer->monitor.changed);
    (void)pthread_mutex_unlock(&scorer->monitor.mutex);
    return NULL;
}

/* Making one. --------------------------------------------------------------------------------- */

static enum caxton_status start_threads(struct scorer *scorer, const void *settings,
                                        struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    for (size_t i = 0; i < scorer->thread_count && status == STATUS_OK; i++) {
        scorer->threads[i].scorer = scorer;
        status = scorer->kind->create(settings, &scorer->threads[i].searcher, diag);
    }
    for (; scorer->started < scorer->thread_count && status == STATUS_OK; scorer->started++) {
        struct search_thread *thread = &scorer->threads[scorer->started];
        status = thread_start(&thread->thread, thread_run, thread);
        if (status != STATUS_OK) {
            diag_set(diag, 0, 0, "cannot start %zu threads", scorer->thread_count);
            return status;
        }
    }
    return status;
}

static void scorer_free(struct scorer *scorer)
{
    free(scorer->threads);
    free(scorer->suggested);
    free(scorer);
}

enum caxton_status scorer_create(const struct searcher_kind *kind, const void *settings,
                                 int threads, struct score_store *store, struct scorer **out,
                                 struct diag *diag)
{
    size_t count = (size_t)threads;
    struct scorer *scorer = calloc(1, sizeof *scorer);
    diag_set(diag, 0, 0, "out of memory");
    if (!scorer)
        return STATUS_NO_MEMORY;
    scorer->kind = kind;
    scorer->store = store;
    scorer->thread_count = scorer->counts.threads = count;
    scorer->counts.known = score_store_count(store);
    scorer->threads = calloc(count, sizeof *scorer->threads);
    scorer->suggested = calloc(count * SUGGESTIONS_PER_THREAD, sizeof *scorer->suggested);
    enum caxton_status status =
        scorer->threads && scorer->suggested ? monitor_init(&scorer->monitor) : STATUS_NO_MEMORY;
    if (status != STATUS_OK) {
        scorer_free(scorer);
        return status;
    }
    status = start_threads(scorer, settings, diag);
    if (status == STATUS_OK)
        *out = scorer;
    else
        scorer_destroy(scorer);
    return status;
}

void scorer_destroy(struct scorer *scorer)
{
    if (!scorer)
        return;
    scorer_stop(scorer);
    for (size_t i = 0; i < scorer->started; i++)
        (void)pthread_join(scorer->threads[i].thread, NULL);
    for (size_t i = 0; i < scorer->thread_count; i++)
        scorer->kind->destroy(scorer->threads[i].searcher);
    monitor_destroy(&scorer->monitor);
    scorer_free(scorer);
}

void scorer_stop(struct scorer *scorer)
{
    (void)pthread_mutex_lock(&scorer->monitor.mutex);
    scorer->stopped = true;
    for (size_t i = 0; i < scorer->thread_count; i++)
        if (scorer->threads[i].searcher)
            scorer->kind->stop(scorer->threads[i].searcher);
    (void)pthread_cond_broadcast(&scorer->monitor.changed);
    (void)pthread_mutex_unlock(&scorer->monitor.mutex);
}

/* Asking. ------------------------------------------------------------------------------------- */

void scorer_on_wait(struct scorer *scorer, void (*wait)(void *context), void *context)
{
    scorer->wait = wait;
    scorer->wait_context = context;
}

struct scorer_counts scorer_counts(struct scorer *scorer)
{
    (void)pthread_mutex_lock(&scorer->monitor.mutex);
    struct scorer_counts counts = scorer->counts;
    (void)pthread_mutex_unlock(&scorer->monitor.mutex);
    return counts;
}

bool scorer_knows(struct scorer *scorer, const struct scorer_question *question)
{
    const struct job job = job_of(question);
    (void)pthread_mutex_lock(&scorer->monitor.mutex);
    bool known = has_answer(scorer, &job, NULL);
    (void)pthread_mutex_unlock(&scorer->monitor.mutex);
    return known;
}

size_t scorer_suggestions(const struct scorer *scorer)
{
    return scorer->thread_count > 1 ? scorer->thread_count * SUGGESTIONS_PER_THREAD : 0;
}

void scorer_suggest(struct scorer *scorer, const struct scorer_question *questions, size_t count)
{
    size_t most = scorer_suggestions(scorer);
    (void)pthread_mutex_lock(&scorer->monitor.mutex);
    scorer->suggested_next = 0;
    scorer->suggested_count = count < most ? count : most;
    for (size_t i = 0; i < scorer->suggested_count; i++)
        scorer->suggested[i] = job_of(&questions[i]);
    (void)pthread_cond_broadcast(&scorer->monitor.changed);
    (void)pthread_mutex_unlock(&scorer->monitor.mutex);
}

/* Sleeps until a search has ended, or for a moment, to show how far the work is. */
static void wait_for_search(struct scorer *scorer)
{
    if (monitor_wait_until(&scorer->monitor, clock_ms() + WAIT_MS) || !scorer->wait)
        return;
    (void)pthread_mutex_unlock(&scorer->monitor.mutex);
    scorer->wait(scorer->wait_context);
    (void)pthread_mutex_lock(&scorer->monitor.mutex);
}

enum caxton_status scorer_ask(struct scorer *scorer, const struct scorer_question *question,
                              struct search_answer *out, struct diag *diag)
{
    const struct job job = job_of(question);
    struct search_answer answer = {.best = MOVE_NONE};
    enum caxton_status status = STATUS_OK;
    (void)pthread_mutex_lock(&scorer->monitor.mutex);
    while (!has_answer(scorer, &job, &answer) && !is_over(scorer)) {
        if (!is_searched(scorer, &job)) {
            scorer->urgent = job;
            scorer->has_urgent = true;
            (void)pthread_cond_broadcast(&scorer->monitor.changed);
        }
        wait_for_search(scorer);
    }
    scorer->has_urgent = false;
    if (scorer->fault != STATUS_OK && diag)
        *diag = scorer->why;
    if (is_over(scorer))
        status = scorer->fault != STATUS_OK ? scorer->fault : STATUS_END;
    (void)pthread_mutex_unlock(&scorer->monitor.mutex);
    if (status != STATUS_OK)
        return status;
    if (!movegen_is_legal(&question->pos, answer.best)) {
        diag_set(diag, 0, 0, "a search answered with a move that is not legal");
        return STATUS_ILLEGAL;
    }
    *out = answer;
    return STATUS_OK;
}
