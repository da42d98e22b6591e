#include "book/scoring/queue/queue_backend.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/program_id.h"
#include "base/text.h"
#include "base/thread.h"
#include "book/scoring/job_table.h"
#include "book/scoring/queue/queue_message.h"
#include "book/scoring/queue/queue_url.h"
#include "book/scoring/queue/redis_link.h"
#include "book/scoring/record.h"
#include "book/scoring/scorer_backend.h"
#include "chess/notation.h"

enum {
    RUN_TTL_MS = 5000, /* the run's key outlives the run so long */
    TICK_MS = 1000,
    RETRY_MS = 500,
    FAILED_MAX = 3, /* a search that fails with so many workers ends the run */
    LOST_MAX = 5,   /* so does one that is lost with its worker so often */
    REFUSED_MAX = 64,
    QUEUE_ENTRY_MAX = 48, /* the id of an entry of a stream */
};

/* What is left of a run's streams goes after a day. */
#define QUEUE_KEEP "86400000"

struct queue {
    struct queue_settings settings;
    struct queue_keys keys;
    struct scorer *scorer;
    struct queue_message run;
    char message[QUEUE_MESSAGE_MAX]; /* of `run` */
    size_t message_size;
    pthread_t poster;
    pthread_t receiver;

    /* The poster's. */
    struct diag away; /* why the server cannot be used, as the user was told; "": it can */
    size_t workers;   /* threads of workers that live */
    int64_t tick;     /* how many there were */
    int64_t tick_ms;  /* when the next one is */
    /* Where the search for lost questions goes on, in urgent ones and others: the server looks at
     * some of them at a time. "": at the oldest. */
    char lost_from[2][QUEUE_ENTRY_MAX];

    struct monitor monitor;  /* guards all that follows; never held while the scorer is called */
    struct job_table posted; /* and not answered yet */
    size_t again;            /* entries of it that are to be posted again */
    bool is_up;              /* the queue was set up once, */
    enum caxton_status fault;
    struct diag why; /* or why not */
    bool stopped;
    char refused[REFUSED_MAX][QUEUE_WHO_MAX]; /* the receiver's */
    size_t refused_count;
};

/* The run posts questions and looks after the queue. */

enum { POST_BATCH_MAX = 128, READY_LEAST = 4, TICKS_BETWEEN = 2, STREAMS = 3 };

static const char *const own_consumer = "run";

/* The queue as it begins and ends. ------------------------------------------------------------ */

/* Sets the run's key, or finds it set. STATUS_AMBIGUOUS: by another run. */
static enum caxton_status take_run(struct queue *queue, struct redis_link *link, struct diag *diag)
{
    struct redis_reply *reply;
    struct queue_message other;
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
        const char *owner = queue_message_get(found, QUEUE_RUN, &other, NULL) == STATUS_OK
                                ? other.who
                                : "another program";
        status = diag_fail(STATUS_AMBIGUOUS, diag,
                           "%s: the queue is used by %s: end it, or take another name",
                           queue->settings.url.shown, owner);
    }
    redis_reply_free(reply);
    return status;
}

/* Marks a posted question to be posted again. False: it is not posted. With the monitor. */
static bool queue_post_again(struct queue *queue, struct job_entry *entry)
{
    if (!entry)
        return false;
    queue->again += !entry->again;
    entry->again = true;
    return true;
}

static void post_all_again(struct queue *queue)
{
    monitor_lock(&queue->monitor);
    for (size_t i = 0; i < queue->posted.count; i++) {
        (void)queue_post_again(queue, &queue->posted.entries[i]);
        queue->posted.entries[i].lost = 0; /* it was not the worker */
    }
    monitor_unlock(&queue->monitor);
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

/* Takes the queue and empties it; all that was posted is to be posted again. Errors: as
 * redis_link.h, STATUS_AMBIGUOUS (another run has it). */
static enum caxton_status queue_set_up(struct queue *queue, struct redis_link *link,
                                       struct diag *diag)
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

/* Clears up at the end. */
static void queue_leave(struct queue *queue, struct redis_link *link)
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
                    const struct scorer_question *question, bool urgent)
{
    char message[QUEUE_MESSAGE_MAX];
    const struct queue_message job = {
        .kind = QUEUE_JOB, .identity = queue->run.identity, .question = *question};
    size_t size = queue_message_put(&job, message);
    redis_link_add(link, "XADD %s * m %b", urgent ? queue->keys.urgent : queue->keys.jobs, message,
                   size);
}

/* Posts what is marked, at most so many. Returns how many. */
static size_t add_again(struct queue *queue, struct redis_link *link, size_t most)
{
    size_t count = 0;
    monitor_lock(&queue->monitor);
    for (size_t i = 0; i < queue->posted.count && queue->again > 0 && count < most; i++) {
        struct job_entry *entry = &queue->posted.entries[i];
        if (!entry->again)
            continue;
        entry->again = false;
        queue->again--;
        count++;
        add_job(queue, link, &entry->question, entry->urgent);
    }
    monitor_unlock(&queue->monitor);
    return count;
}

/* Notes that the question is posted. Returns whether there was memory for it. */
static bool note_posted(struct queue *queue, const struct scorer_question *question, bool urgent)
{
    monitor_lock(&queue->monitor);
    struct job_entry *entry = job_table_find(&queue->posted, question);
    if (!entry)
        entry = job_table_add(&queue->posted, question);
    if (entry)
        entry->urgent = urgent;
    monitor_unlock(&queue->monitor);
    return entry != NULL;
}

/* Are there fewer posted than keep all workers busy, with some in reserve? */
static bool is_short(struct queue *queue)
{
    size_t wanted = queue->workers + queue->workers / 2 + READY_LEAST;
    monitor_lock(&queue->monitor);
    bool is = queue->posted.count < wanted;
    monitor_unlock(&queue->monitor);
    return is;
}

/* Posts what there is to post, after a wait of some time for it. Errors: as redis_link.h. */
static enum caxton_status queue_post(struct queue *queue, struct redis_link *link,
                                     struct diag *diag)
{
    size_t count = add_again(queue, link, POST_BATCH_MAX);
    enum caxton_status status = STATUS_OK;
    while (count < POST_BATCH_MAX) {
        struct scorer_question question;
        bool urgent;
        if (!scorer_next(queue->scorer, !is_short(queue), count > 0 ? 0 : queue->tick_ms, &question,
                         &urgent))
            break;
        if (!note_posted(queue, &question, urgent))
            return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
        add_job(queue, link, &question, urgent);
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
    struct queue_message job;
    char question[QUEUE_QUESTION_TEXT];
    if (queue_message_get(text, QUEUE_JOB, &job, NULL) != STATUS_OK)
        return;
    monitor_lock(&queue->monitor);
    struct job_entry *entry = job_table_find(&queue->posted, &job.question);
    unsigned lost = queue_post_again(queue, entry) ? ++entry->lost : 0;
    monitor_unlock(&queue->monitor);
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

/* Once a second: says that the run is there, posts again what lost workers had, counts workers.
 * Errors: as redis_link.h, STATUS_AMBIGUOUS (another run has it), STATUS_NOT_FOUND (data was
 * lost). */
static enum caxton_status queue_tick(struct queue *queue, struct redis_link *link,
                                     struct diag *diag)
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

/* The run receives answers. */

enum { RECEIVE_BATCH_MAX = 256, BLOCK_MS = 200 };

/* Posts the question again. False: it is not posted. *failed: how often it has failed now. */
static bool post_again(struct queue *queue, const struct scorer_question *question, bool has_failed,
                       unsigned *failed)
{
    monitor_lock(&queue->monitor);
    struct job_entry *entry = job_table_find(&queue->posted, question);
    bool posted = queue_post_again(queue, entry);
    if (posted)
        *failed = entry->failed += has_failed;
    monitor_unlock(&queue->monitor);
    if (posted)
        scorer_wake(queue->scorer);
    return posted;
}

/* Is it the first time? */
static bool note_refused(struct queue *queue, const char *worker)
{
    for (size_t i = 0; i < queue->refused_count; i++)
        if (strcmp(queue->refused[i], worker) == 0)
            return false;
    if (queue->refused_count == REFUSED_MAX)
        return false;
    text_copy(queue->refused[queue->refused_count++], QUEUE_WHO_MAX, span_of(worker));
    return true;
}

static void refuse(struct queue *queue, const struct queue_message *answer)
{
    char theirs[SEARCHER_TEXT_MAX];
    char ours[SEARCHER_TEXT_MAX];
    unsigned failed;
    (void)post_again(queue, &answer->question, false, &failed);
    if (!note_refused(queue, answer->who))
        return;
    searcher_text(&answer->identity, theirs);
    searcher_text(&queue->run.identity, ours);
    scorer_tell(queue->scorer, "worker %s is refused: its answers are of %s, not of %s",
                answer->who, theirs, ours);
}

static void take_failure(struct queue *queue, const struct queue_message *answer)
{
    char question[QUEUE_QUESTION_TEXT];
    unsigned failed;
    if (!post_again(queue, &answer->question, true, &failed))
        return; /* of an earlier run */
    queue_question_text(&answer->question, question);
    if (failed < FAILED_MAX) {
        scorer_tell(queue->scorer, "worker %s: %s: %s; it is given to another one", answer->who,
                    question, answer->reason);
        return;
    }
    struct diag why;
    diag_set(&why, 0, 0, "%s failed %u times; worker %s: %s", question, failed, answer->who,
             answer->reason);
    scorer_fail(queue->scorer, STATUS_IO, &why);
}

static bool is_same(const struct search_answer *a, const struct search_answer *b)
{
    return a->best == b->best && a->score == b->score && a->depth == b->depth &&
           a->nodes == b->nodes;
}

static void take_found(struct queue *queue, const struct queue_message *answer)
{
    struct search_answer kept;
    char question[QUEUE_QUESTION_TEXT];
    char first[UCI_MAX];
    char second[UCI_MAX];
    monitor_lock(&queue->monitor);
    struct job_entry *entry = job_table_find(&queue->posted, &answer->question);
    if (entry) {
        queue->again -= entry->again;
        (void)job_table_remove(&queue->posted, &answer->question);
    }
    monitor_unlock(&queue->monitor);
    scorer_answer(queue->scorer, &answer->question, &answer->answer, &kept);
    if (is_same(&answer->answer, &kept))
        return;
    queue_question_text(&answer->question, question);
    move_to_uci(kept.best, false, first);
    move_to_uci(answer->answer.best, false, second);
    scorer_tell(queue->scorer,
                "error: worker %s answers %s with %s (%d, %llu nodes), the first answer was %s "
                "(%d, %llu nodes), which counts: one of two machines does not search right",
                answer->who, question, second, answer->answer.score,
                (unsigned long long)answer->answer.nodes, first, kept.score,
                (unsigned long long)kept.nodes);
}

static void take_message(struct queue *queue, struct span text)
{
    struct queue_message answer;
    struct diag why = {.text = ""};
    if (queue_message_get(text, QUEUE_ANSWER, &answer, &why) != STATUS_OK) {
        scorer_tell(queue->scorer, "%s: an answer is left out: %s", queue->settings.url.shown,
                    why.text);
        return;
    }
    unsigned failed;
    if (!searcher_is_same(&answer.identity, &queue->run.identity))
        refuse(queue, &answer);
    else if (answer.outcome == QUEUE_FOUND)
        take_found(queue, &answer);
    else if (answer.outcome == QUEUE_FAILED)
        take_failure(queue, &answer);
    else
        (void)post_again(queue, &answer.question, false, &failed);
}

/* Receives answers for some time. Errors: as redis_link.h. */
static enum caxton_status queue_receive(struct queue *queue, struct redis_link *link,
                                        struct diag *diag)
{
    struct redis_reply *reply;
    char ids[RECEIVE_BATCH_MAX][32];
    const char *words[RECEIVE_BATCH_MAX + 2] = {"XDEL", queue->keys.answers};
    size_t count = 0;
    /* From the beginning: what was received is deleted. */
    redis_link_add(link, "XREAD COUNT %d BLOCK %d STREAMS %s 0", RECEIVE_BATCH_MAX, BLOCK_MS,
                   queue->keys.answers);
    enum caxton_status status = redis_link_read(link, &reply, diag);
    /* [[key, [[id, [field, message]] ..]]] */
    const struct redis_reply *entries = redis_reply_item(redis_reply_item(reply, 0), 1);
    for (size_t i = 0; i < redis_reply_count(entries) && count < RECEIVE_BATCH_MAX; i++) {
        const struct redis_reply *entry = redis_reply_item(entries, i);
        take_message(queue, redis_reply_text(redis_reply_item(redis_reply_item(entry, 1), 1)));
        text_copy(ids[count], sizeof ids[count], redis_reply_text(redis_reply_item(entry, 0)));
        words[count + 2] = ids[count];
        count++;
    }
    redis_reply_free(reply);
    if (status != STATUS_OK || count == 0)
        return status;
    redis_link_add_words(link, words, count + 2);
    return redis_link_skip(link, diag);
}

enum { SUGGESTIONS = 2048 };

/* Waits, or until somebody says stop. Returns whether to go on. */
static bool queue_pause(struct queue *queue, int64_t ms)
{
    int64_t deadline = clock_ms() + ms;
    monitor_lock(&queue->monitor);
    while (!queue->stopped && monitor_wait_until(&queue->monitor, deadline))
        ;
    bool stopped = queue->stopped;
    monitor_unlock(&queue->monitor);
    return !stopped && !scorer_is_over(queue->scorer);
}

/* The poster. --------------------------------------------------------------------------------- */

/* The first set-up has succeeded, or failed for `why`. */
static void say_up(struct queue *queue, enum caxton_status status, const struct diag *why)
{
    monitor_lock(&queue->monitor);
    queue->is_up = status == STATUS_OK;
    queue->fault = status;
    queue->why = *why;
    monitor_wake(&queue->monitor);
    monitor_unlock(&queue->monitor);
}

static enum caxton_status connect(struct queue *queue, struct redis_link **link, struct diag *diag)
{
    enum caxton_status status = redis_link_open(&queue->settings.url, link, diag);
    if (status == STATUS_OK)
        status = queue_set_up(queue, *link, diag);
    if (status == STATUS_OK)
        return STATUS_OK;
    redis_link_close(*link);
    *link = NULL;
    return status;
}

/* Connects at the start: another run may have ended a moment ago without a word. */
static enum caxton_status connect_first(struct queue *queue, struct redis_link **link)
{
    struct diag why = {.text = ""};
    int64_t deadline = clock_ms() + 2 * RUN_TTL_MS;
    enum caxton_status status;
    do
        status = connect(queue, link, &why);
    while (status == STATUS_AMBIGUOUS && clock_ms() < deadline && queue_pause(queue, RETRY_MS));
    say_up(queue, status, &why);
    return status;
}

/* Is it one to wait for? Tells the user, each reason once. */
static bool is_passing(struct queue *queue, enum caxton_status status, const struct diag *why)
{
    struct diag line = *why;
    if (status != STATUS_IO && status != STATUS_NOT_FOUND)
        return false;
    if (status == STATUS_NOT_FOUND)
        diag_set(&line, 0, 0, "%s: the queue was emptied", queue->settings.url.shown);
    if (strcmp(line.text, queue->away.text) != 0)
        scorer_tell(queue->scorer, "%s; trying again", line.text);
    queue->away = line;
    return true;
}

static enum caxton_status work(struct queue *queue, struct redis_link *link, struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    if (clock_ms() >= queue->tick_ms) {
        status = queue_tick(queue, link, diag);
        queue->tick_ms = clock_ms() + TICK_MS;
    }
    return status == STATUS_OK ? queue_post(queue, link, diag) : status;
}

static void *poster_run(void *argument)
{
    struct queue *queue = argument;
    struct redis_link *link = NULL;
    enum caxton_status status = connect_first(queue, &link);
    while (status == STATUS_OK && !scorer_is_over(queue->scorer)) {
        struct diag why = {.text = ""};
        status = link ? work(queue, link, &why) : connect(queue, &link, &why);
        if (status == STATUS_OK && *queue->away.text) {
            scorer_tell(queue->scorer, "%s: the run goes on", queue->settings.url.shown);
            queue->away.text[0] = '\0';
        }
        if (status == STATUS_OK)
            continue;
        redis_link_close(link);
        link = NULL;
        if (!is_passing(queue, status, &why))
            scorer_fail(queue->scorer, status, &why);
        else if (queue_pause(queue, RETRY_MS))
            status = STATUS_OK;
    }
    if (link)
        queue_leave(queue, link);
    redis_link_close(link);
    return NULL;
}

/* The receiver. ------------------------------------------------------------------------------- */

/* The poster tells the user what is wrong with the server. */
static void *receiver_run(void *argument)
{
    struct queue *queue = argument;
    struct redis_link *link = NULL;
    while (!scorer_is_over(queue->scorer)) {
        struct diag why = {.text = ""};
        enum caxton_status status = link ? queue_receive(queue, link, &why)
                                         : redis_link_open(&queue->settings.url, &link, &why);
        if (status == STATUS_OK)
            continue;
        redis_link_close(link);
        link = NULL;
        if (status != STATUS_IO && status != STATUS_NOT_FOUND)
            scorer_fail(queue->scorer, status, &why);
        else if (!queue_pause(queue, RETRY_MS))
            break;
    }
    redis_link_close(link);
    return NULL;
}

/* The back end. ------------------------------------------------------------------------------- */

static void stop(void *backend)
{
    struct queue *queue = backend;
    monitor_lock(&queue->monitor);
    queue->stopped = true;
    monitor_wake(&queue->monitor);
    monitor_unlock(&queue->monitor);
}

static void queue_free(struct queue *queue)
{
    monitor_destroy(&queue->monitor);
    job_table_free(&queue->posted);
    free(queue);
}

static void destroy(void *backend)
{
    struct queue *queue = backend;
    (void)pthread_join(queue->poster, NULL);
    (void)pthread_join(queue->receiver, NULL);
    queue_free(queue);
}

static enum caxton_status wait_until_up(struct queue *queue, struct diag *diag)
{
    monitor_lock(&queue->monitor);
    while (!queue->is_up && queue->fault == STATUS_OK)
        (void)pthread_cond_wait(&queue->monitor.changed, &queue->monitor.mutex);
    enum caxton_status status = queue->fault;
    if (status != STATUS_OK && diag)
        *diag = queue->why;
    monitor_unlock(&queue->monitor);
    return status;
}

static enum caxton_status start_threads(struct queue *queue, struct diag *diag)
{
    enum caxton_status status = thread_start(&queue->poster, poster_run, queue);
    if (status != STATUS_OK)
        return diag_fail(status, diag, "cannot start a thread");
    status = wait_until_up(queue, diag);
    if (status == STATUS_OK) {
        status = thread_start(&queue->receiver, receiver_run, queue);
        diag_set(diag, 0, 0, "cannot start a thread");
    }
    if (status != STATUS_OK) {
        scorer_fail(queue->scorer, STATUS_END, NULL);
        (void)pthread_join(queue->poster, NULL);
    }
    return status;
}

static enum caxton_status start(const void *settings, struct scorer *scorer, void **out,
                                struct diag *diag)
{
    struct queue *queue = calloc(1, sizeof *queue);
    diag_set(diag, 0, 0, "out of memory");
    if (!queue)
        return STATUS_NO_MEMORY;
    enum caxton_status status = monitor_init(&queue->monitor);
    if (status != STATUS_OK) {
        free(queue);
        return status;
    }
    queue->settings = *(const struct queue_settings *)settings;
    queue->keys = queue_keys_of(&queue->settings.url);
    queue->scorer = scorer;
    queue->run = (struct queue_message){.kind = QUEUE_RUN,
                                        .identity = queue->settings.identity,
                                        .lost_ms = queue->settings.lost_ms};
    char owner[PROGRAM_ID_MAX];
    program_id(owner);
    text_copy(queue->run.who, sizeof queue->run.who, span_of(owner));
    queue->message_size = queue_message_put(&queue->run, queue->message);
    status = start_threads(queue, diag);
    if (status == STATUS_OK)
        *out = queue;
    else
        queue_free(queue);
    return status;
}

static size_t ahead(const void *backend)
{
    (void)backend;
    return SUGGESTIONS;
}

const struct scorer_backend queue_backend = {start, stop, destroy, ahead};
