#include "book/scoring/scorer.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/thread.h"
#include "book/scoring/job_table.h"
#include "book/scoring/scorer_backend.h"
#include "book/scoring/searcher.h"

/* Searchers on threads of this program. */

struct search_threads_settings {
    const struct searcher_kind *kind;
    const void *settings; /* for kind->create() */
    int threads;
};

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

static void search_question(struct search_thread *thread, const struct scorer_question *question)
{
    struct pool *pool = thread->pool;
    struct search_answer answer = {.best = MOVE_NONE};
    struct diag why = {.text = ""};
    enum caxton_status status = pool->settings.kind->search(thread->searcher, &question->pos,
                                                            question->limit, &answer, &why);
    if (status == STATUS_OK)
        scorer_answer(pool->scorer, question, &answer, &answer);
    else
        scorer_fail(pool->scorer, status, &why);
}

static void *thread_run(void *argument)
{
    struct search_thread *thread = argument;
    struct scorer *scorer = thread->pool->scorer;
    while (!scorer_is_over(scorer)) {
        struct scorer_question question;
        bool urgent;
        if (scorer_next(scorer, false, clock_ms() + LOOK_MS, &question, &urgent))
            search_question(thread, &question);
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

/* Its settings are a struct search_threads_settings. With one thread nothing is searched ahead. */
static const struct scorer_backend search_threads = {start, stop, destroy, ahead};

/* Lines for the user that wait until somebody shows them. When there are too many, the rest is
 * counted only. Begins as {0}. */

enum { NOTICES_MAX = 8, NOTICE_SIZE = 600 };

struct notices {
    char lines[NOTICES_MAX][NOTICE_SIZE];
    size_t count; /* may be more than are kept */
};

static void notices_add(struct notices *lines, const char *format, va_list arguments)
{
    if (lines->count < NOTICES_MAX)
        (void)vsnprintf(lines->lines[lines->count], NOTICE_SIZE, format, arguments);
    lines->count++;
}

/* Moves them to *out, which has no more than are kept then: the last one says how many there are
 * beside. */
static void notices_take(struct notices *lines, struct notices *out)
{
    *out = *lines;
    lines->count = 0;
    if (out->count <= NOTICES_MAX)
        return;
    (void)snprintf(out->lines[NOTICES_MAX - 1], NOTICE_SIZE, "%zu more such lines",
                   out->count - NOTICES_MAX + 1);
    out->count = NOTICES_MAX;
}

enum { WAIT_MS = 200, REFILL_MS = 10 /* between two looks ahead, at least */, REFILL_SHARE = 4 };

struct scorer {
    const struct scorer_backend *backend;
    void *searching;             /* of the back end; NULL: it did not start */
    void (*wait)(void *context); /* the asking thread's, as all down to here */
    void *wait_context;
    void (*tell)(void *context, const char *line);
    void *tell_context;
    void (*refill)(void *context);
    void *refill_context;
    int64_t refill_ms;      /* not before */
    size_t refill_searched; /* how many answers there were the last time */

    struct monitor monitor; /* guards all that follows */
    struct score_store *store;
    struct job_table taken;        /* in the hands of the back end */
    struct scorer_question urgent; /* the question that the asking thread waits for */
    bool has_urgent;
    struct scorer_question *suggested;
    size_t suggested_count;
    size_t suggested_next;
    size_t suggested_capacity;
    bool stopped;
    bool broken_off;
    enum caxton_status fault; /* of a searcher or the store */
    struct diag why;
    struct scorer_counts counts;
    struct notices lines;
};

static bool has_answer(const struct scorer *scorer, const struct scorer_question *question,
                       struct search_answer *out)
{
    return score_store_find(scorer->store, &question->packed, question->limit, out);
}

static bool is_over(const struct scorer *scorer)
{
    return scorer->stopped || scorer->fault != STATUS_OK;
}

/* For back ends. ------------------------------------------------------------------------------ */

static bool take_suggested(struct scorer *scorer, struct scorer_question *out)
{
    while (scorer->suggested_next < scorer->suggested_count) {
        *out = scorer->suggested[scorer->suggested_next++];
        if (!has_answer(scorer, out, NULL) && !job_table_find(&scorer->taken, out))
            return true;
    }
    return false;
}

static bool take_question(struct scorer *scorer, bool urgent_only, struct scorer_question *out,
                          bool *urgent)
{
    if (is_over(scorer))
        return false;
    *urgent = scorer->has_urgent;
    if (scorer->has_urgent)
        *out = scorer->urgent;
    else if (urgent_only || !take_suggested(scorer, out))
        return false;
    scorer->has_urgent = false;
    if (job_table_add(&scorer->taken, out))
        return true;
    scorer->fault = STATUS_NO_MEMORY;
    diag_set(&scorer->why, 0, 0, "out of memory");
    monitor_wake(&scorer->monitor);
    return false;
}

bool scorer_next(struct scorer *scorer, bool urgent_only, int64_t deadline_ms,
                 struct scorer_question *out, bool *urgent)
{
    monitor_lock(&scorer->monitor);
    bool found = take_question(scorer, urgent_only, out, urgent);
    if (!found && !is_over(scorer) && monitor_wait_until(&scorer->monitor, deadline_ms))
        found = take_question(scorer, urgent_only, out, urgent);
    monitor_unlock(&scorer->monitor);
    return found;
}

bool scorer_is_over(struct scorer *scorer)
{
    monitor_lock(&scorer->monitor);
    bool over = is_over(scorer);
    monitor_unlock(&scorer->monitor);
    return over;
}

bool scorer_is_broken_off(struct scorer *scorer)
{
    monitor_lock(&scorer->monitor);
    bool is_so = scorer->broken_off;
    monitor_unlock(&scorer->monitor);
    return is_so;
}

/* With the monitor. */
static void fail(struct scorer *scorer, enum caxton_status status, const struct diag *why)
{
    scorer->broken_off = true;
    if (status == STATUS_END) {
        scorer->stopped = true;
    } else if (scorer->fault == STATUS_OK) {
        scorer->fault = status;
        scorer->why = *why;
    }
    monitor_wake(&scorer->monitor);
}

void scorer_answer(struct scorer *scorer, const struct scorer_question *question,
                   const struct search_answer *answer, struct search_answer *kept)
{
    const struct search_answer given = *answer;
    struct diag why = {.text = ""};
    monitor_lock(&scorer->monitor);
    enum caxton_status status = STATUS_OK;
    if (!has_answer(scorer, question, kept)) {
        scorer->counts.searched++;
        scorer->counts.nodes += given.nodes;
        *kept = given;
        status = score_store_add(scorer->store, &question->packed, question->limit, &given, &why);
    }
    (void)job_table_remove(&scorer->taken, question);
    if (status != STATUS_OK)
        fail(scorer, status, &why);
    monitor_wake(&scorer->monitor);
    monitor_unlock(&scorer->monitor);
}

void scorer_fail(struct scorer *scorer, enum caxton_status status, const struct diag *why)
{
    monitor_lock(&scorer->monitor);
    fail(scorer, status, why);
    monitor_unlock(&scorer->monitor);
}

void scorer_tell(struct scorer *scorer, const char *format, ...)
{
    va_list arguments;
    monitor_lock(&scorer->monitor);
    va_start(arguments, format);
    notices_add(&scorer->lines, format, arguments);
    va_end(arguments);
    monitor_wake(&scorer->monitor);
    monitor_unlock(&scorer->monitor);
}

void scorer_wake(struct scorer *scorer)
{
    monitor_lock(&scorer->monitor);
    monitor_wake(&scorer->monitor);
    monitor_unlock(&scorer->monitor);
}

void scorer_set_threads(struct scorer *scorer, size_t threads)
{
    monitor_lock(&scorer->monitor);
    scorer->counts.threads = threads;
    monitor_unlock(&scorer->monitor);
}

/* Making one. --------------------------------------------------------------------------------- */

enum caxton_status scorer_create(const struct searcher_kind *kind, const void *settings,
                                 int threads, struct score_store *store, struct scorer **out,
                                 struct diag *diag)
{
    const struct search_threads_settings searchers = {kind, settings, threads};
    return scorer_create_on(&search_threads, &searchers, store, out, diag);
}

enum caxton_status scorer_create_on(const struct scorer_backend *backend, const void *settings,
                                    struct score_store *store, struct scorer **out,
                                    struct diag *diag)
{
    struct scorer *scorer = calloc(1, sizeof *scorer);
    diag_set(diag, 0, 0, "out of memory");
    if (!scorer)
        return STATUS_NO_MEMORY;
    scorer->backend = backend;
    scorer->store = store;
    scorer->counts.known = score_store_count(store);
    enum caxton_status status = monitor_init(&scorer->monitor);
    if (status != STATUS_OK) {
        free(scorer);
        return status;
    }
    status = backend->start(settings, scorer, &scorer->searching, diag);
    if (status != STATUS_OK)
        scorer_destroy(scorer);
    else
        *out = scorer;
    return status;
}

/* Shows the lines for the user. With the monitor, which is free meanwhile. */
static void show_lines(struct scorer *scorer)
{
    struct notices notices;
    if (scorer->lines.count == 0 || !scorer->tell)
        return;
    notices_take(&scorer->lines, &notices);
    monitor_unlock(&scorer->monitor);
    for (size_t i = 0; i < notices.count; i++)
        scorer->tell(scorer->tell_context, notices.lines[i]);
    monitor_lock(&scorer->monitor);
}

void scorer_destroy(struct scorer *scorer)
{
    if (!scorer)
        return;
    monitor_lock(&scorer->monitor);
    scorer->stopped = true;
    monitor_wake(&scorer->monitor);
    monitor_unlock(&scorer->monitor);
    if (scorer->searching) {
        scorer->backend->stop(scorer->searching);
        scorer->backend->destroy(scorer->searching);
    }
    monitor_lock(&scorer->monitor);
    show_lines(scorer); /* also those of the end */
    monitor_unlock(&scorer->monitor);
    monitor_destroy(&scorer->monitor);
    job_table_free(&scorer->taken);
    free(scorer->suggested);
    free(scorer);
}

void scorer_stop(struct scorer *scorer)
{
    scorer_fail(scorer, STATUS_END, NULL);
    scorer->backend->stop(scorer->searching);
}

/* Asking. ------------------------------------------------------------------------------------- */

void scorer_on_wait(struct scorer *scorer, void (*wait)(void *context), void *context)
{
    scorer->wait = wait;
    scorer->wait_context = context;
}

void scorer_on_tell(struct scorer *scorer, void (*tell)(void *context, const char *line),
                    void *context)
{
    scorer->tell = tell;
    scorer->tell_context = context;
}

void scorer_on_refill(struct scorer *scorer, void (*refill)(void *context), void *context)
{
    scorer->refill = refill;
    scorer->refill_context = context;
}

struct scorer_counts scorer_counts(struct scorer *scorer)
{
    monitor_lock(&scorer->monitor);
    struct scorer_counts counts = scorer->counts;
    monitor_unlock(&scorer->monitor);
    return counts;
}

bool scorer_knows(struct scorer *scorer, const struct scorer_question *question)
{
    monitor_lock(&scorer->monitor);
    bool known = has_answer(scorer, question, NULL);
    monitor_unlock(&scorer->monitor);
    return known;
}

bool scorer_find(struct scorer *scorer, const struct scorer_question *question,
                 struct search_answer *out)
{
    struct search_answer answer = {.best = MOVE_NONE};
    monitor_lock(&scorer->monitor);
    bool known = has_answer(scorer, question, &answer);
    monitor_unlock(&scorer->monitor);
    if (!known || !movegen_is_legal(&question->pos, answer.best))
        return false;
    *out = answer;
    return true;
}

move scorer_chosen(struct scorer *scorer, const struct position *pos)
{
    struct packed_position packed;
    struct chosen_move chosen;
    position_pack(pos, &packed);
    monitor_lock(&scorer->monitor);
    bool found = score_store_chosen(scorer->store, &packed, &chosen);
    monitor_unlock(&scorer->monitor);
    return found && movegen_is_legal(pos, chosen.move) ? chosen.move : MOVE_NONE;
}

size_t scorer_suggestions(const struct scorer *scorer)
{
    return scorer->backend->ahead(scorer->searching);
}

/* Suggests those of the questions that have no answer, the first ones first. */
void scorer_suggest(struct scorer *scorer, const struct scorer_question *questions, size_t count)
{
    size_t most = scorer_suggestions(scorer);
    monitor_lock(&scorer->monitor);
    scorer->suggested_next = scorer->suggested_count = 0;
    for (size_t i = 0; i < count && scorer->suggested_count < most; i++) {
        if (has_answer(scorer, &questions[i], NULL))
            continue;
        if (!ARRAY_GROW(scorer->suggested, scorer->suggested_capacity, scorer->suggested_count + 1))
            break; /* searching ahead is a help, no duty */
        scorer->suggested[scorer->suggested_count++] = questions[i];
    }
    monitor_wake(&scorer->monitor);
    monitor_unlock(&scorer->monitor);
}

/* Sleeps until a search has ended, or for a moment, to show how far the work is. */
static void wait_for_search(struct scorer *scorer)
{
    bool woken = monitor_wait_until(&scorer->monitor, clock_ms() + WAIT_MS);
    show_lines(scorer);
    if (woken || !scorer->wait)
        return;
    monitor_unlock(&scorer->monitor);
    scorer->wait(scorer->wait_context);
    monitor_lock(&scorer->monitor);
}

/* Asks for more to search ahead when all of it was taken and answers have come; in no more than a
 * fifth of the time, for with many answers a look takes long. */
static void suggest_again(struct scorer *scorer)
{
    int64_t start_ms = clock_ms();
    if (!scorer->refill || scorer->suggested_next < scorer->suggested_count ||
        scorer->counts.searched == scorer->refill_searched || start_ms < scorer->refill_ms)
        return;
    scorer->refill_searched = scorer->counts.searched;
    monitor_unlock(&scorer->monitor);
    scorer->refill(scorer->refill_context);
    monitor_lock(&scorer->monitor);
    int64_t end_ms = clock_ms();
    scorer->refill_ms = end_ms + REFILL_MS + REFILL_SHARE * (end_ms - start_ms);
}

enum caxton_status scorer_ask(struct scorer *scorer, const struct scorer_question *question,
                              struct search_answer *out, struct diag *diag)
{
    struct search_answer answer = {.best = MOVE_NONE};
    monitor_lock(&scorer->monitor);
    for (scorer->urgent = *question; !has_answer(scorer, question, &answer) && !is_over(scorer);) {
        scorer->has_urgent = !job_table_find(&scorer->taken, question);
        if (scorer->has_urgent)
            monitor_wake(&scorer->monitor);
        wait_for_search(scorer);
        if (!has_answer(scorer, question, NULL))
            suggest_again(scorer);
    }
    scorer->has_urgent = false;
    enum caxton_status status = is_over(scorer) ? STATUS_END : STATUS_OK;
    if (scorer->fault != STATUS_OK) {
        status = scorer->fault;
        diag_set(diag, 0, 0, "%s", scorer->why.text);
    }
    monitor_unlock(&scorer->monitor);
    if (status != STATUS_OK)
        return status;
    if (!movegen_is_legal(&question->pos, answer.best)) {
        diag_set(diag, 0, 0, "a search answered with a move that is not legal");
        return STATUS_ILLEGAL;
    }
    *out = answer;
    return STATUS_OK;
}

enum caxton_status scorer_ask_all(struct scorer *scorer, const struct scorer_question *questions,
                                  size_t count, struct search_answer *answers, size_t *done,
                                  struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    *done = 0;
    while (*done < count && status == STATUS_OK) {
        const struct scorer_question *question = &questions[*done];
        if (!scorer_knows(scorer, question))
            scorer_suggest(scorer, question, count - *done);
        status = scorer_ask(scorer, question, &answers[*done], diag);
        *done += status == STATUS_OK;
    }
    return status;
}
