/* A thread of a worker that takes questions, has them searched and posts the answers. */
#include <string.h>

#include "base/clock.h"
#include "book/queue/queue_worker_internal.h"

enum {
    BLOCK_MS = 500,
    FAILED_MAX = 3,      /* searches in a row that fail end the worker */
    HOMELESS_MS = 10000, /* an answer without a run waits so long for one */
    FAREWELL_PAUSE_MS = 100,
    FAREWELL_MS = 2000, /* so long a worker that was stopped tries to return its questions */
};

static void close_link(struct worker_thread *thread)
{
    if (thread->link)
        thread->commands += redis_link_commands(thread->link);
    redis_link_close(thread->link);
    thread->link = NULL;
}

static enum caxton_status open_link(struct worker_thread *thread, struct diag *diag)
{
    if (thread->link)
        return STATUS_OK;
    return redis_link_open(&thread->worker->options.url, &thread->link, diag);
}

/* Taking. ------------------------------------------------------------------------------------- */

/* Keeps the entries of one stream: [key, [[id, [field, message]] ..]]. */
static void hold(struct worker_thread *thread, const struct redis_reply *stream)
{
    struct queue_worker *worker = thread->worker;
    const struct redis_reply *entries = redis_reply_item(stream, 1);
    bool urgent = span_equal(redis_reply_text(redis_reply_item(stream, 0)), worker->keys.urgent);
    (void)pthread_mutex_lock(&worker->monitor.mutex);
    for (size_t i = 0; i < redis_reply_count(entries) && thread->held_count < HELD_MAX; i++) {
        const struct redis_reply *entry = redis_reply_item(entries, i);
        struct span text = redis_reply_text(redis_reply_item(redis_reply_item(entry, 1), 1));
        struct held_job *held = &thread->held[thread->held_count++];
        held->urgent = urgent;
        held->size = text.size < sizeof held->text ? text.size : sizeof held->text - 1;
        text_copy(held->id, sizeof held->id, redis_reply_text(redis_reply_item(entry, 0)));
        text_copy(held->text, sizeof held->text, text);
    }
    (void)pthread_mutex_unlock(&worker->monitor.mutex);
}

/* Takes what urgent questions there are; else others; else waits for either. */
static enum caxton_status take(struct worker_thread *thread, struct diag *diag)
{
    const struct queue_keys *keys = &thread->worker->keys;
    static const char *const read = "XREADGROUP GROUP " QUEUE_GROUP " %s COUNT 1 STREAMS %s >";
    enum caxton_status status = STATUS_OK;
    for (int i = 0; i < 3 && thread->held_count == 0 && status == STATUS_OK; i++) {
        struct redis_reply *reply;
        if (i < 2)
            redis_link_add(thread->link, read, thread->name, i == 0 ? keys->urgent : keys->jobs);
        else
            redis_link_add(thread->link,
                           "XREADGROUP GROUP " QUEUE_GROUP " %s COUNT 1 BLOCK %d STREAMS %s %s > >",
                           thread->name, BLOCK_MS, keys->urgent, keys->jobs);
        status = redis_link_read(thread->link, &reply, diag);
        for (size_t stream = 0; stream < redis_reply_count(reply); stream++)
            hold(thread, redis_reply_item(reply, stream));
        redis_reply_free(reply);
    }
    return status;
}

/* Answering. ---------------------------------------------------------------------------------- */

/* Posts the answer and takes the question off its stream, both or neither. *homeless: there is no
 * stream of answers; the question is off its stream all the same. */
static enum caxton_status post(struct worker_thread *thread, const struct held_job *held,
                               const char *message, size_t size, bool *homeless, struct diag *diag)
{
    enum { QUEUED = 4 };
    const struct queue_keys *keys = &thread->worker->keys;
    const char *stream = held->urgent ? keys->urgent : keys->jobs;
    struct redis_reply *reply;
    redis_link_add(thread->link, "MULTI");
    redis_link_add(thread->link, "XADD %s NOMKSTREAM * m %b", keys->answers, message, size);
    redis_link_add(thread->link, "XACK %s " QUEUE_GROUP " %s", stream, held->id);
    redis_link_add(thread->link, "XDEL %s %s", stream, held->id);
    redis_link_add(thread->link, "EXEC");
    enum caxton_status status = STATUS_OK;
    for (int i = 0; i < QUEUED && status == STATUS_OK; i++)
        status = redis_link_skip(thread->link, diag);
    if (status != STATUS_OK)
        return status;
    status = redis_link_read(thread->link, &reply, diag);
    *homeless = redis_reply_text(redis_reply_item(reply, 0)).size == 0;
    redis_reply_free(reply);
    return status;
}

/* Posts it, however often it takes. */
static void deliver(struct worker_thread *thread, const struct held_job *held,
                    const struct queue_answer *answer)
{
    struct queue_worker *worker = thread->worker;
    char message[QUEUE_MESSAGE_MAX];
    size_t size = queue_answer_put(answer, message);
    int64_t start = clock_ms();
    bool told = false;
    for (;;) {
        struct diag why = {.text = ""};
        bool homeless = false;
        enum caxton_status status = open_link(thread, &why);
        if (status == STATUS_OK)
            status = post(thread, held, message, size, &homeless, &why);
        if (status == STATUS_OK && !homeless)
            return;
        if (status != STATUS_OK)
            close_link(thread);
        if (status != STATUS_OK && status != STATUS_IO) {
            worker_fail(worker, status, &why);
            return;
        }
        if (status == STATUS_IO && !told)
            worker->options.tell(worker->options.context, why.text);
        told |= status == STATUS_IO;
        int64_t waited = clock_ms() - start;
        bool over = !worker_pause(worker, WORKER_RETRY_MS);
        if (homeless ? over || waited > HOMELESS_MS : over && waited > FAREWELL_MS)
            return;
        if (over)
            clock_sleep_ms(FAREWELL_PAUSE_MS);
    }
}

/* Searching. ---------------------------------------------------------------------------------- */

/* Whoever waits for a run or a server waits from the end of the last search on. */
static void set_searching(struct worker_thread *thread, bool searching)
{
    (void)pthread_mutex_lock(&thread->worker->monitor.mutex);
    thread->searching = searching;
    thread->worker->seen_ms = clock_ms();
    (void)pthread_mutex_unlock(&thread->worker->monitor.mutex);
}

/* What became of the search goes into the answer. */
static void search(struct worker_thread *thread, struct queue_answer *answer)
{
    struct queue_worker *worker = thread->worker;
    struct diag why = {.text = ""};
    set_searching(thread, true);
    enum caxton_status status = worker->searcher.kind->search(
        thread->searcher, &answer->question.pos, answer->question.limit, &answer->answer, &why);
    set_searching(thread, false);
    if (status == STATUS_END || (status != STATUS_OK && worker_is_over(worker))) {
        answer->outcome = QUEUE_RETURNED;
    } else if (status != STATUS_OK) {
        answer->outcome = QUEUE_FAILED;
        text_copy(answer->reason, sizeof answer->reason, span_of(why.text));
        worker->options.tell(worker->options.context, why.text);
        if (++thread->failed == FAILED_MAX)
            worker_fail(worker, status, &why);
    } else {
        thread->failed = 0;
        (void)pthread_mutex_lock(&worker->monitor.mutex);
        worker->counts.searched++;
        worker->counts.nodes += answer->answer.nodes;
        (void)pthread_mutex_unlock(&worker->monitor.mutex);
    }
}

static void work(struct worker_thread *thread, const struct held_job *held)
{
    struct queue_worker *worker = thread->worker;
    struct queue_answer answer = {.identity = worker->searcher.identity};
    struct queue_job job;
    struct diag why;
    if (queue_job_get(span_make(held->text, held->size), &job, &why) != STATUS_OK) {
        worker->options.tell(worker->options.context, why.text);
        return; /* its run gives it to others, and then up */
    }
    answer.question = job.question;
    text_copy(answer.worker, sizeof answer.worker, span_of(worker->id));
    if (!worker_is_wanted(worker, &job.identity)) {
        answer.identity = job.identity; /* it is of that run */
        answer.outcome = QUEUE_RETURNED;
    } else if (worker_is_over(worker)) {
        answer.outcome = QUEUE_RETURNED;
    } else {
        search(thread, &answer);
    }
    deliver(thread, held, &answer);
}

static void work_all(struct worker_thread *thread)
{
    for (size_t i = 0; i < thread->held_count; i++)
        work(thread, &thread->held[i]);
    (void)pthread_mutex_lock(&thread->worker->monitor.mutex);
    thread->held_count = 0;
    (void)pthread_mutex_unlock(&thread->worker->monitor.mutex);
}

void *worker_thread_run(void *argument)
{
    struct worker_thread *thread = argument;
    struct queue_worker *worker = thread->worker;
    while (!worker_is_over(worker)) {
        struct diag why = {.text = ""};
        enum caxton_status status = open_link(thread, &why);
        if (status == STATUS_OK)
            status = take(thread, &why);
        work_all(thread);
        if (status == STATUS_OK)
            continue;
        if (status == STATUS_IO)
            close_link(thread);
        else if (status != STATUS_NOT_FOUND) /* that: no run is there at the moment */
            worker_fail(worker, status, &why);
        (void)worker_pause(worker, WORKER_RETRY_MS);
    }
    close_link(thread);
    (void)pthread_mutex_lock(&worker->monitor.mutex);
    worker->counts.commands += thread->commands;
    (void)pthread_mutex_unlock(&worker->monitor.mutex);
    return NULL;
}
