/* The thread of a worker that looks for the run and says that the worker lives. */
#include "base/clock.h"
#include "book/queue/queue_worker_internal.h"

enum { BEATS = 5, BEAT_MOST_MS = 3000, LOOK_MS = 500, WORKER_THREADS_MAX = 1024 };

#define TEND_MS "60000" /* the count of workers goes when none has said so long that it lives */

struct tick {
    char text[24];
};

/* There is a run. Decides who searches, at the first. */
static void meet_run(struct queue_worker *worker, const struct queue_run *run)
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
    (void)pthread_mutex_lock(&worker->monitor.mutex);
    worker->chosen = true;
    worker->lost_ms = run->lost_ms;
    worker->seen_ms = clock_ms();
    (void)pthread_cond_broadcast(&worker->monitor.changed);
    (void)pthread_mutex_unlock(&worker->monitor.mutex);
}

/* *tick: which one it is, "" without a run. */
static enum caxton_status look_for_run(struct queue_worker *worker, struct redis_link *link,
                                       struct tick *tick, struct diag *diag)
{
    struct redis_reply *reply;
    struct queue_run run;
    struct diag why;
    *tick = (struct tick){.text = ""};
    redis_link_add(link, "MGET %s %s", worker->keys.run, worker->keys.tick);
    enum caxton_status status = redis_link_read(link, &reply, diag);
    if (status != STATUS_OK)
        return status;
    const struct redis_reply *found = redis_reply_item(reply, 0);
    if (!redis_reply_is_nil(found)) {
        if (queue_run_get(redis_reply_text(found), &run, &why) == STATUS_OK)
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
    (void)pthread_mutex_lock(&worker->monitor.mutex);
    for (size_t i = 0; i < worker->started; i++) {
        const struct worker_thread *thread = &worker->threads[i];
        for (size_t held = 0; held < thread->held_count; held++, sent++)
            redis_link_add(link, claim,
                           thread->held[held].urgent ? worker->keys.urgent : worker->keys.jobs,
                           thread->name, thread->held[held].id);
    }
    (void)pthread_mutex_unlock(&worker->monitor.mutex);
    for (; sent > 0 && status != STATUS_IO; sent--)
        status = redis_link_skip(link, diag);
    return status == STATUS_NOT_FOUND ? STATUS_OK : status; /* no run is there at the moment */
}

/* Has there been no run, or no server, for too long? `why`: what is wrong with the server, or "".
 */
static bool is_too_long(struct queue_worker *worker, const struct diag *why)
{
    (void)pthread_mutex_lock(&worker->monitor.mutex);
    bool searching = false;
    for (size_t i = 0; i < worker->started; i++)
        searching |= worker->threads[i].searching;
    bool too_long = worker->options.wait_ms > 0 && !searching &&
                    clock_ms() - worker->seen_ms >= worker->options.wait_ms;
    if (too_long && !*why->text) {
        worker->finished = true;
        (void)pthread_cond_broadcast(&worker->monitor.changed);
    }
    (void)pthread_mutex_unlock(&worker->monitor.mutex);
    if (too_long && *why->text)
        worker_fail(worker, STATUS_IO, why);
    return too_long;
}

static int64_t pause_of(struct queue_worker *worker)
{
    (void)pthread_mutex_lock(&worker->monitor.mutex);
    int64_t ms = worker->lost_ms ? worker->lost_ms / BEATS : LOOK_MS;
    (void)pthread_mutex_unlock(&worker->monitor.mutex);
    return ms < BEAT_MOST_MS ? ms : BEAT_MOST_MS;
}

void *worker_keeper_run(void *argument)
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
