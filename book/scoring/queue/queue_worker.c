#include "book/scoring/queue/queue_worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/program_id.h"
#include "base/thread.h"
#include "book/scoring/queue/queue_message.h"
#include "book/scoring/queue/queue_url.h"
#include "book/scoring/queue/redis_link.h"
#include "book/scoring/record.h"

enum { WORKER_RETRY_MS = 500, HELD_MAX = 2, ENTRY_ID_MAX = 32 };

/* A question that was taken from a stream. */
struct held_job {
    bool urgent;
    char id[ENTRY_ID_MAX];
    char text[QUEUE_MESSAGE_MAX];
    size_t size;
};

struct worker_thread {
    struct queue_worker *worker;
    pthread_t thread;
    void *searcher;
    struct redis_link *link;        /* the thread's */
    char name[QUEUE_WHO_MAX];       /* of the consumer */
    unsigned failed;                /* searches, one after the other */
    uint64_t commands;              /* of connections that are closed */
    struct held_job held[HELD_MAX]; /* the thread's; the ids are read by others with the monitor */
    size_t held_count;              /* monitor, as the ids */
    bool searching;                 /* monitor */
};

struct queue_worker {
    struct queue_worker_options options;
    struct queue_keys keys;
    char id[PROGRAM_ID_MAX];
    struct worker_thread *threads;
    pthread_t keeper;

    struct monitor monitor; /* guards all that follows */
    bool chosen;            /* then `searcher` does not change any more */
    struct queue_searcher searcher;
    size_t started;  /* threads that have a searcher */
    int64_t lost_ms; /* as the run says it */
    int64_t seen_ms; /* when there was a run, or a search ended */
    bool stopped;
    bool finished;
    enum caxton_status fault;
    struct diag why;
    struct queue_worker_counts counts;
};

/* A thread of a worker that takes questions, has them searched and posts the answers. */

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
    monitor_lock(&worker->monitor);
    for (size_t i = 0; i < redis_reply_count(entries) && thread->held_count < HELD_MAX; i++) {
        const struct redis_reply *entry = redis_reply_item(entries, i);
        struct span text = redis_reply_text(redis_reply_item(redis_reply_item(entry, 1), 1));
        struct held_job *held = &thread->held[thread->held_count++];
        held->urgent = urgent;
        held->size = text.size < sizeof held->text ? text.size : sizeof held->text - 1;
        text_copy(held->id, sizeof held->id, redis_reply_text(redis_reply_item(entry, 0)));
        text_copy(held->text, sizeof held->text, text);
    }
    monitor_unlock(&worker->monitor);
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

/* Ends what is searched. With the monitor. */
static void stop_searchers(struct queue_worker *worker)
{
    for (size_t i = 0; i < worker->started; i++)
        worker->searcher.kind->stop(worker->threads[i].searcher);
}

/* Ends it with that fault; the first one counts. */
static void worker_fail(struct queue_worker *worker, enum caxton_status status,
                        const struct diag *why)
{
    monitor_lock(&worker->monitor);
    if (worker->fault == STATUS_OK) {
        worker->fault = status;
        worker->why = *why;
    }
    stop_searchers(worker);
    monitor_wake(&worker->monitor);
    monitor_unlock(&worker->monitor);
}

/* With the monitor. */
static bool is_over(const struct queue_worker *worker)
{
    return worker->stopped || worker->finished || worker->fault != STATUS_OK;
}

/* Waits, or until the end. Returns whether to go on. */
static bool worker_pause(struct queue_worker *worker, int64_t ms)
{
    int64_t deadline = clock_ms() + ms;
    monitor_lock(&worker->monitor);
    while (!is_over(worker) && monitor_wait_until(&worker->monitor, deadline))
        ;
    bool over = is_over(worker);
    monitor_unlock(&worker->monitor);
    return !over;
}

/* Posts it, however often it takes. */
static void deliver(struct worker_thread *thread, const struct held_job *held,
                    const struct queue_message *answer)
{
    struct queue_worker *worker = thread->worker;
    char message[QUEUE_MESSAGE_MAX];
    size_t size = queue_message_put(answer, message);
    int64_t start = clock_ms();
    bool reported = false;
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
        if (status == STATUS_IO && !reported)
            worker->options.tell(worker->options.context, why.text);
        reported |= status == STATUS_IO;
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
    monitor_lock(&thread->worker->monitor);
    thread->searching = searching;
    thread->worker->seen_ms = clock_ms();
    monitor_unlock(&thread->worker->monitor);
}

/* Is it the end? */
static bool worker_is_over(struct queue_worker *worker)
{
    monitor_lock(&worker->monitor);
    bool over = is_over(worker);
    monitor_unlock(&worker->monitor);
    return over;
}

/* What became of the search goes into the answer. */
static void search(struct worker_thread *thread, struct queue_message *answer)
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
        monitor_lock(&worker->monitor);
        worker->counts.searched++;
        worker->counts.nodes += answer->answer.nodes;
        monitor_unlock(&worker->monitor);
    }
}

/* Is that what we are? If not, the worker ends. */
static bool worker_is_wanted(struct queue_worker *worker, const struct searcher_identity *wanted)
{
    char theirs[SEARCHER_TEXT_MAX];
    char ours[SEARCHER_TEXT_MAX];
    struct diag why;
    const struct searcher_identity *own = &worker->searcher.identity;
    if (searcher_is_same(own, wanted))
        return true;
    searcher_text(wanted, theirs);
    searcher_text(own, ours);
    diag_set(&why, 0, 0, "the run wants %s, this is %s", theirs, ours);
    worker_fail(worker, STATUS_ILLEGAL, &why);
    return false;
}

static void work(struct worker_thread *thread, const struct held_job *held)
{
    struct queue_worker *worker = thread->worker;
    struct queue_message answer = {.kind = QUEUE_ANSWER, .identity = worker->searcher.identity};
    struct queue_message job;
    struct diag why;
    if (queue_message_get(span_make(held->text, held->size), QUEUE_JOB, &job, &why) != STATUS_OK) {
        worker->options.tell(worker->options.context, why.text);
        return; /* its run gives it to others, and then up */
    }
    answer.question = job.question;
    text_copy(answer.who, sizeof answer.who, span_of(worker->id));
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
    monitor_lock(&thread->worker->monitor);
    thread->held_count = 0;
    monitor_unlock(&thread->worker->monitor);
}

static void *worker_thread_run(void *argument)
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
    monitor_lock(&worker->monitor);
    worker->counts.commands += thread->commands;
    monitor_unlock(&worker->monitor);
    return NULL;
}

/* The thread of a worker that looks for the run and says that the worker lives. */

enum { BEATS = 5, BEAT_MOST_MS = 3000, LOOK_MS = 500, WORKER_THREADS_MAX = 1024 };

#define TEND_MS "60000" /* the count of workers goes when none has said so long that it lives */

struct tick {
    char text[24];
};

/* There is a run. Decides who searches, at the first. */
static void meet_run(struct queue_worker *worker, const struct queue_message *run)
{
    struct diag why = {.text = "out of memory"};
    struct queue_searcher searcher;
    if (worker->chosen) { /* this thread alone sets it */
        if (!worker_is_wanted(worker, &run->identity))
            return;
    } else {
        enum caxton_status status =
            worker->options.choose(worker->options.context, &run->identity, &searcher, &why);
        if (status != STATUS_OK) {
            worker_fail(worker, status, &why);
            return;
        }
        worker->searcher = searcher; /* nobody looks at it before `chosen` */
        if (!worker_is_wanted(worker, &run->identity))
            return;
    }
    monitor_lock(&worker->monitor);
    worker->chosen = true;
    worker->lost_ms = run->lost_ms;
    worker->seen_ms = clock_ms();
    monitor_wake(&worker->monitor);
    monitor_unlock(&worker->monitor);
}

/* *tick: which one it is, "" without a run. */
static enum caxton_status look_for_run(struct queue_worker *worker, struct redis_link *link,
                                       struct tick *tick, struct diag *diag)
{
    struct redis_reply *reply;
    struct queue_message run;
    struct diag why;
    *tick = (struct tick){.text = ""};
    redis_link_add(link, "MGET %s %s", worker->keys.run, worker->keys.tick);
    enum caxton_status status = redis_link_read(link, &reply, diag);
    if (status != STATUS_OK)
        return status;
    const struct redis_reply *found = redis_reply_item(reply, 0);
    if (!redis_reply_is_nil(found)) {
        if (queue_message_get(redis_reply_text(found), QUEUE_RUN, &run, &why) == STATUS_OK)
            meet_run(worker, &run);
        else
            status = diag_fail(STATUS_FORMAT, diag, "%s: the run there is %s",
                               worker->options.url.shown, why.text);
        if (status == STATUS_OK)
            text_copy(tick->text, sizeof tick->text, redis_reply_text(redis_reply_item(reply, 1)));
    }
    redis_reply_free(reply);
    return status;
}

/* Tells the run how many threads there are. Returns the number of commands. */
static size_t count_in(const struct queue_worker *worker, struct redis_link *link,
                       const struct tick *tick)
{
    enum { FIRST = 2 };
    const char *words[FIRST + 2 * WORKER_THREADS_MAX] = {"ZADD", worker->keys.workers};
    size_t count = FIRST;
    if (!*tick->text)
        return 0;
    for (int i = 0; i < worker->options.threads && i < WORKER_THREADS_MAX; i++) {
        words[count++] = tick->text;
        words[count++] = worker->threads[i].name;
    }
    redis_link_add_words(link, words, count);
    redis_link_add(link, "PEXPIRE %s " TEND_MS, worker->keys.workers);
    return 2;
}

/* Says that the threads live that search: no other worker gets their questions. */
static enum caxton_status beat(struct queue_worker *worker, struct redis_link *link,
                               const struct tick *tick, struct diag *diag)
{
    static const char *const claim = "XCLAIM %s " QUEUE_GROUP " %s 0 %s JUSTID";
    size_t sent = count_in(worker, link, tick);
    enum caxton_status status = STATUS_OK;
    monitor_lock(&worker->monitor);
    for (size_t i = 0; i < worker->started; i++) {
        const struct worker_thread *thread = &worker->threads[i];
        for (size_t held = 0; held < thread->held_count; held++, sent++)
            redis_link_add(link, claim,
                           thread->held[held].urgent ? worker->keys.urgent : worker->keys.jobs,
                           thread->name, thread->held[held].id);
    }
    monitor_unlock(&worker->monitor);
    for (; sent > 0 && status != STATUS_IO; sent--)
        status = redis_link_skip(link, diag);
    return status == STATUS_NOT_FOUND ? STATUS_OK : status; /* no run is there at the moment */
}

/* Has there been no run, or no server, for too long? `why`: what is wrong with the server, or "".
 */
static bool is_too_long(struct queue_worker *worker, const struct diag *why)
{
    monitor_lock(&worker->monitor);
    bool searching = false;
    for (size_t i = 0; i < worker->started; i++)
        searching |= worker->threads[i].searching;
    bool too_long = worker->options.wait_ms > 0 && !searching &&
                    clock_ms() - worker->seen_ms >= worker->options.wait_ms;
    if (too_long && !*why->text) {
        worker->finished = true;
        monitor_wake(&worker->monitor);
    }
    monitor_unlock(&worker->monitor);
    if (too_long && *why->text)
        worker_fail(worker, STATUS_IO, why);
    return too_long;
}

static int64_t pause_of(struct queue_worker *worker)
{
    monitor_lock(&worker->monitor);
    int64_t ms = worker->lost_ms ? worker->lost_ms / BEATS : LOOK_MS;
    monitor_unlock(&worker->monitor);
    return ms < BEAT_MOST_MS ? ms : BEAT_MOST_MS;
}

/* The threads: argument is a struct queue_worker, or a struct worker_thread. */
static void *worker_keeper_run(void *argument)
{
    struct queue_worker *worker = argument;
    struct redis_link *link = NULL;
    struct tick tick = {.text = ""};
    bool away = false;
    while (!worker_is_over(worker)) {
        struct diag why = {.text = ""};
        enum caxton_status status = link ? look_for_run(worker, link, &tick, &why)
                                         : redis_link_open(&worker->options.url, &link, &why);
        if (status == STATUS_OK)
            status = beat(worker, link, &tick, &why);
        if (status == STATUS_OK) {
            if (away)
                worker->options.tell(worker->options.context, "the server is there again");
            away = false;
            why.text[0] = '\0';
            if (is_too_long(worker, &why) || !worker_pause(worker, pause_of(worker)))
                break;
            continue;
        }
        redis_link_close(link);
        link = NULL;
        if (status != STATUS_IO) {
            worker_fail(worker, status, &why);
            break;
        }
        if (away) /* the reason has been told */
            diag_set(&why, 0, 0, "%s: the server was away for too long", worker->options.url.shown);
        if (is_too_long(worker, &why))
            break;
        if (!away)
            worker->options.tell(worker->options.context, why.text);
        away = true;
        if (!worker_pause(worker, WORKER_RETRY_MS))
            break;
    }
    redis_link_close(link);
    return NULL;
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
    monitor_lock(&worker->monitor);
    while (!worker->chosen && !is_over(worker))
        (void)pthread_cond_wait(&worker->monitor.changed, &worker->monitor.mutex);
    bool ready = !is_over(worker);
    monitor_unlock(&worker->monitor);
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
        monitor_lock(&worker->monitor);
        worker->started++;
        if (is_over(worker))
            stop_searchers(worker);
        monitor_unlock(&worker->monitor);
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
    monitor_lock(&worker->monitor);
    worker->stopped = true;
    stop_searchers(worker);
    monitor_wake(&worker->monitor);
    monitor_unlock(&worker->monitor);
}

struct queue_worker_counts queue_worker_counts(struct queue_worker *worker)
{
    monitor_lock(&worker->monitor);
    struct queue_worker_counts counts = worker->counts;
    monitor_unlock(&worker->monitor);
    return counts;
}
