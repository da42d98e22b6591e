/* The run posts questions and looks after the queue. */
#include <string.h>

#include "base/clock.h"
#include "book/queue/queue_backend_internal.h"

enum { BATCH_MAX = 128, READY_LEAST = 4, TICKS_BETWEEN = 2, STREAMS = 3 };

static const char *const own_consumer = "run";

/* The queue as it begins and ends. ------------------------------------------------------------ */

/* Sets the run's key, or finds it set. STATUS_AMBIGUOUS: by another run. */
static enum caxton_status take_run(struct queue *queue, struct redis_link *link, struct diag *diag)
{
    struct redis_reply *reply;
    struct queue_run other;
    redis_link_add(link, "SET %s %b NX PX %d", queue->keys.run, queue->message, queue->message_size,
                   RUN_TTL_MS);
    redis_link_add(link, "GET %s", queue->keys.run);
    enum caxton_status status = redis_link_skip(link, diag);
    if (status != STATUS_OK)
        return status;
    status = redis_link_read(link, &reply, diag);
    struct span found = redis_reply_text(reply);
    if (status == STATUS_OK && (found.size != queue->message_size ||
                                memcmp(found.data, queue->message, found.size) != 0)) {
        const char *owner =
            queue_run_get(found, &other, NULL) == STATUS_OK ? other.owner : "another program";
        status = diag_fail(STATUS_AMBIGUOUS, diag,
                           "%s: the queue is used by %s: end it, or take another name",
                           queue->settings.url.shown, owner);
    }
    redis_reply_free(reply);
    return status;
}

static void post_all_again(struct queue *queue)
{
    (void)pthread_mutex_lock(&queue->monitor.mutex);
    for (size_t i = 0; i < queue->posted.count; i++) {
        (void)queue_post_again(queue, &queue->posted.entries[i]);
        queue->posted.entries[i].lost = 0; /* it was not the worker */
    }
    (void)pthread_mutex_unlock(&queue->monitor.mutex);
}

/* The streams stay for a day from now on. */
static void add_lives(const struct queue *queue, struct redis_link *link)
{
    const struct queue_keys *keys = &queue->keys;
    redis_link_add(link, "PEXPIRE %s " QUEUE_KEEP, keys->urgent);
    redis_link_add(link, "PEXPIRE %s " QUEUE_KEEP, keys->jobs);
    redis_link_add(link, "PEXPIRE %s " QUEUE_KEEP, keys->answers);
}

/* The replies to that. STATUS_NOT_FOUND: a stream is gone; nobody else would miss the answers'. */
static enum caxton_status read_lives(struct redis_link *link, struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    bool gone = false;
    for (int i = 0; i < STREAMS && status == STATUS_OK; i++) {
        struct redis_reply *reply;
        status = redis_link_read(link, &reply, diag);
        gone |= redis_reply_number(reply) == 0;
        redis_reply_free(reply);
    }
    return status == STATUS_OK && gone ? STATUS_NOT_FOUND : status;
}

enum caxton_status queue_set_up(struct queue *queue, struct redis_link *link, struct diag *diag)
{
    enum { COMMANDS = 4 };
    const struct queue_keys *keys = &queue->keys;
    enum caxton_status status = take_run(queue, link, diag);
    if (status != STATUS_OK)
        return status;
    /* The answers stay: those that an earlier run did not get are of use. */
    redis_link_add(link, "DEL %s %s %s", keys->urgent, keys->jobs, keys->workers);
    redis_link_add(link, "XGROUP CREATE %s " QUEUE_GROUP " $ MKSTREAM", keys->urgent);
    redis_link_add(link, "XGROUP CREATE %s " QUEUE_GROUP " $ MKSTREAM", keys->jobs);
    redis_link_add(link, "XGROUP CREATE %s " QUEUE_GROUP " $ MKSTREAM", keys->answers);
    add_lives(queue, link);
    for (int i = 0; i < COMMANDS && status == STATUS_OK; i++) {
        status = redis_link_skip(link, diag);
        if (status == STATUS_AMBIGUOUS) /* the group of the answers is there */
            status = STATUS_OK;
    }
    if (status == STATUS_OK)
        status = read_lives(link, diag);
    if (status == STATUS_OK)
        post_all_again(queue);
    return status;
}

void queue_leave(struct queue *queue, struct redis_link *link)
{
    const struct queue_keys *keys = &queue->keys;
    struct diag diag;
    if (take_run(queue, link, &diag) != STATUS_OK)
        return;
    /* When it was broken off a later run wants what workers still find. */
    redis_link_add(link, "DEL %s %s %s %s %s %s", keys->run, keys->urgent, keys->jobs, keys->tick,
                   keys->workers, scorer_is_broken_off(queue->scorer) ? keys->run : keys->answers);
    (void)!redis_link_skip(link, &diag); /* if it fails the keys expire */
}

/* Posting. ------------------------------------------------------------------------------------ */

static void add_job(const struct queue *queue, struct redis_link *link,
                    const struct scorer_job *scorer_job, bool urgent)
{
    char message[QUEUE_MESSAGE_MAX];
    const struct queue_job job = {.identity = queue->run.identity,
                                  .question = scorer_job->question};
    size_t size = queue_job_put(&job, message);
    redis_link_add(link, "XADD %s * m %b", urgent ? queue->keys.urgent : queue->keys.jobs, message,
                   size);
}

/* Posts what is marked, at most so many. Returns how many. */
static size_t add_again(struct queue *queue, struct redis_link *link, size_t most)
{
    size_t count = 0;
    (void)pthread_mutex_lock(&queue->monitor.mutex);
    for (size_t i = 0; i < queue->posted.count && queue->again > 0 && count < most; i++) {
        struct job_entry *entry = &queue->posted.entries[i];
        if (!entry->again)
            continue;
        entry->again = false;
        queue->again--;
        count++;
        add_job(queue, link, &entry->job, entry->urgent);
    }
    (void)pthread_mutex_unlock(&queue->monitor.mutex);
    return count;
}

/* Notes that the job is posted. Returns whether there was memory for it. */
static bool note_posted(struct queue *queue, const struct scorer_job *job, bool urgent)
{
    (void)pthread_mutex_lock(&queue->monitor.mutex);
    struct job_entry *entry = job_table_find(&queue->posted, job);
    if (!entry)
        entry = job_table_add(&queue->posted, job);
    if (entry)
        entry->urgent = urgent;
    (void)pthread_mutex_unlock(&queue->monitor.mutex);
    return entry != NULL;
}

/* Are there fewer posted than keep all workers busy, with some in reserve? */
static bool is_short(struct queue *queue)
{
    size_t wanted = queue->workers + queue->workers / 2 + READY_LEAST;
    (void)pthread_mutex_lock(&queue->monitor.mutex);
    bool is = queue->posted.count < wanted;
    (void)pthread_mutex_unlock(&queue->monitor.mutex);
    return is;
}

enum caxton_status queue_post(struct queue *queue, struct redis_link *link, struct diag *diag)
{
    size_t count = add_again(queue, link, BATCH_MAX);
    enum caxton_status status = STATUS_OK;
    while (count < BATCH_MAX) {
        struct scorer_job job;
        bool urgent;
        enum scorer_wish wish = is_short(queue) ? SCORER_ANY : SCORER_URGENT;
        if (!scorer_next(queue->scorer, wish, count > 0 ? 0 : queue->tick_ms, &job, &urgent))
            break;
        if (!note_posted(queue, &job, urgent))
            return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
        add_job(queue, link, &job, urgent);
        count++;
    }
    for (; count > 0 && status == STATUS_OK; count--)
        status = redis_link_skip(link, diag);
    return status;
}

/* Looking after it. --------------------------------------------------------------------------- */

/* GET and PEXPIRE of the run's key. */
static enum caxton_status read_run(struct queue *queue, struct redis_link *link, struct diag *diag)
{
    struct redis_reply *reply;
    enum caxton_status status = redis_link_read(link, &reply, diag);
    if (status != STATUS_OK)
        return status;
    struct span found = redis_reply_text(reply);
    bool gone = redis_reply_is_nil(reply);
    bool same =
        found.size == queue->message_size && memcmp(found.data, queue->message, found.size) == 0;
    redis_reply_free(reply);
    if (gone)
        return STATUS_NOT_FOUND;
    if (!same)
        return diag_fail(STATUS_AMBIGUOUS, diag, "%s: another run has taken the queue",
                         queue->settings.url.shown);
    return redis_link_skip(link, diag);
}

/* A question whose worker was lost. */
static void give_again(struct queue *queue, struct span text)
{
    struct queue_job job;
    char question[QUEUE_QUESTION_TEXT];
    if (queue_job_get(text, &job, NULL) != STATUS_OK)
        return;
    const struct scorer_job wanted = scorer_job_of(&job.question);
    (void)pthread_mutex_lock(&queue->monitor.mutex);
    struct job_entry *entry = job_table_find(&queue->posted, &wanted);
    unsigned lost = queue_post_again(queue, entry) ? ++entry->lost : 0;
    (void)pthread_mutex_unlock(&queue->monitor.mutex);
    if (lost < LOST_MAX)
        return;
    struct diag why;
    queue_question_text(&job.question, question);
    diag_set(&why, 0, 0, "%s: %u workers were lost while they searched it", question, lost);
    scorer_fail(queue->scorer, STATUS_IO, &why);
}

/* The reply to XAUTOCLAIM: [next, [[id, [field, message]] ..]]. */
static enum caxton_status read_lost(struct queue *queue, struct redis_link *link, const char *key,
                                    char from[QUEUE_ENTRY_MAX], size_t *lost, struct diag *diag)
{
    struct redis_reply *reply;
    enum caxton_status status = redis_link_read(link, &reply, diag);
    const struct redis_reply *entries = redis_reply_item(reply, 1);
    text_copy(from, QUEUE_ENTRY_MAX, redis_reply_text(redis_reply_item(reply, 0)));
    size_t count = redis_reply_count(entries);
    for (size_t i = 0; i < count; i++) {
        const struct redis_reply *entry = redis_reply_item(entries, i);
        struct span id = redis_reply_text(redis_reply_item(entry, 0));
        if (id.size == 0)
            continue; /* it was deleted meanwhile */
        give_again(queue, redis_reply_text(redis_reply_item(redis_reply_item(entry, 1), 1)));
        redis_link_add(link, "XACK %s " QUEUE_GROUP " %b", key, id.data, id.size);
        redis_link_add(link, "XDEL %s %b", key, id.data, id.size);
        ++*lost;
    }
    redis_reply_free(reply);
    return status;
}

/* The reply to ZCOUNT: threads of workers that said of late that they live. */
static enum caxton_status read_workers(struct queue *queue, struct redis_link *link,
                                       struct diag *diag)
{
    struct redis_reply *reply;
    enum caxton_status status = redis_link_read(link, &reply, diag);
    if (status == STATUS_OK) {
        queue->workers = (size_t)redis_reply_number(reply);
        scorer_set_threads(queue->scorer, queue->workers);
    }
    redis_reply_free(reply);
    return status;
}

enum caxton_status queue_tick(struct queue *queue, struct redis_link *link, struct diag *diag)
{
    static const char *const claim = "XAUTOCLAIM %s " QUEUE_GROUP " %s %lld %s COUNT 100";
    const struct queue_keys *keys = &queue->keys;
    long long lost_ms = (long long)queue->run.lost_ms;
    long long tick = (long long)++queue->tick;
    size_t lost = 0;
    redis_link_add(link, "GET %s", keys->run);
    redis_link_add(link, "PEXPIRE %s %d", keys->run, RUN_TTL_MS);
    for (int i = 0; i < 2; i++)
        redis_link_add(link, claim, i == 0 ? keys->urgent : keys->jobs, own_consumer, lost_ms,
                       *queue->lost_from[i] ? queue->lost_from[i] : "0-0");
    redis_link_add(link, "SET %s %lld PX " QUEUE_KEEP, keys->tick, tick);
    redis_link_add(link, "ZCOUNT %s %lld %lld", keys->workers,
                   tick - lost_ms / TICK_MS - TICKS_BETWEEN, tick);
    add_lives(queue, link);
    enum caxton_status status = read_run(queue, link, diag);
    if (status == STATUS_OK)
        status = read_lost(queue, link, keys->urgent, queue->lost_from[0], &lost, diag);
    if (status == STATUS_OK)
        status = read_lost(queue, link, keys->jobs, queue->lost_from[1], &lost, diag);
    if (status == STATUS_OK)
        status = redis_link_skip(link, diag);
    if (status == STATUS_OK)
        status = read_workers(queue, link, diag);
    if (status == STATUS_OK)
        status = read_lives(link, diag);
    for (size_t i = 0; i < 2 * lost && status == STATUS_OK; i++)
        status = redis_link_skip(link, diag);
    if (lost > 0 && status == STATUS_OK)
        scorer_tell(queue->scorer, "%zu search%s of lost workers %s given to others", lost,
                    lost == 1 ? "" : "es", lost == 1 ? "is" : "are");
    return status;
}
