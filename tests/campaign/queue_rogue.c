/* A worker that does what no worker should do.
 *   queue_rogue URL HOW COUNT
 * Takes COUNT questions from the queue, searches each rightly, and then, by HOW:
 *   twice    answers three times
 *   differs  answers rightly, and then differently
 *   stale    answers as a program of another version
 *   illegal  answers with a move that is not legal
 *   fails    says that the search failed
 *   garbage  puts no answers among the answers, and no questions among the questions
 *   silent   keeps the question
 * Ends with 0 when it did so, and with 1 after one line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "book/scoring/builtin_searcher.h"
#include "book/scoring/queue/queue_message.h"
#include "book/scoring/queue/queue_url.h"
#include "book/scoring/queue/redis_link.h"
#include "chess/attacks.h"

struct rogue {
    struct queue_url url;
    struct queue_keys keys;
    const char *how;
    long count;
    struct redis_link *link;
    struct builtin_settings settings;
    void *searcher;
    struct diag why;
    enum caxton_status status;
};

static bool is(const struct rogue *rogue, const char *how)
{
    return strcmp(rogue->how, how) == 0;
}

static enum caxton_status post(struct rogue *rogue, const struct queue_message *answer)
{
    char message[QUEUE_MESSAGE_MAX];
    size_t size = queue_message_put(answer, message);
    redis_link_add(rogue->link, "XADD %s * m %b", rogue->keys.answers, message, size);
    return redis_link_skip(rogue->link, &rogue->why);
}

static enum caxton_status post_garbage(struct rogue *rogue)
{
    enum caxton_status status = STATUS_OK;
    redis_link_add(rogue->link, "XADD %s * m %s", rogue->keys.answers, "caxton-answer 1 no");
    redis_link_add(rogue->link, "XADD %s * x %s y %s", rogue->keys.answers, "", "caxton-job 9");
    redis_link_add(rogue->link, "XADD %s * m %s", rogue->keys.jobs, "caxton-job 1 no");
    for (int i = 0; i < 3 && status == STATUS_OK; i++)
        status = redis_link_skip(rogue->link, &rogue->why);
    return status;
}

static enum caxton_status misbehave(struct rogue *rogue, struct queue_message *answer)
{
    enum caxton_status status = STATUS_OK;
    if (is(rogue, "stale"))
        answer->identity.signature++;
    if (is(rogue, "illegal"))
        answer->answer.best = MOVE_NONE;
    if (is(rogue, "fails")) {
        answer->outcome = QUEUE_FAILED;
        (void)snprintf(answer->reason, sizeof answer->reason, "the engine has died");
    }
    if (is(rogue, "garbage"))
        status = post_garbage(rogue);
    if (status == STATUS_OK)
        status = post(rogue, answer);
    for (int i = 0; i < 2 && status == STATUS_OK && is(rogue, "twice"); i++)
        status = post(rogue, answer);
    answer->answer.score++;
    if (status == STATUS_OK && is(rogue, "differs"))
        status = post(rogue, answer);
    return status;
}

/* An entry of a stream: [id, [field, message]]. */
static enum caxton_status work(struct rogue *rogue, const struct redis_reply *entry)
{
    struct queue_message job;
    struct queue_message answer = {.kind = QUEUE_ANSWER, .outcome = QUEUE_FOUND};
    struct span id = redis_reply_text(redis_reply_item(entry, 0));
    struct span text = redis_reply_text(redis_reply_item(redis_reply_item(entry, 1), 1));
    enum caxton_status status = queue_message_get(text, QUEUE_JOB, &job, &rogue->why);
    if (status != STATUS_OK || is(rogue, "silent"))
        return status;
    answer.identity = job.identity;
    answer.question = job.question;
    (void)snprintf(answer.who, sizeof answer.who, "rogue-%s", rogue->how);
    status = builtin_searcher.search(rogue->searcher, &job.question.pos, job.question.limit,
                                     &answer.answer, &rogue->why);
    if (status == STATUS_OK)
        status = misbehave(rogue, &answer);
    if (status != STATUS_OK)
        return status;
    redis_link_add(rogue->link, "XACK %s " QUEUE_GROUP " %b", rogue->keys.jobs, id.data, id.size);
    return redis_link_skip(rogue->link, &rogue->why);
}

static enum caxton_status take(struct rogue *rogue)
{
    struct redis_reply *reply;
    redis_link_add(rogue->link,
                   "XREADGROUP GROUP " QUEUE_GROUP " rogue COUNT 1 BLOCK 200 STREAMS %s >",
                   rogue->keys.jobs);
    enum caxton_status status = redis_link_read(rogue->link, &reply, &rogue->why);
    const struct redis_reply *entries = redis_reply_item(redis_reply_item(reply, 0), 1);
    if (status == STATUS_OK && redis_reply_count(entries) > 0) {
        status = work(rogue, redis_reply_item(entries, 0));
        rogue->count--;
    }
    redis_reply_free(reply);
    return status == STATUS_NOT_FOUND ? STATUS_OK : status; /* the run begins or ends */
}

static void *run(void *argument)
{
    struct rogue *rogue = argument;
    enum caxton_status status = redis_link_open(&rogue->url, &rogue->link, &rogue->why);
    while (status == STATUS_OK && rogue->count > 0)
        status = take(rogue);
    redis_link_close(rogue->link);
    rogue->status = status;
    return NULL;
}

int main(int argc, char **argv)
{
    struct rogue rogue = {.settings = {.hash_mb = 16}};
    pthread_t thread;
    if (argc != 4 || queue_url_parse(span_of(argv[1]), &rogue.url, &rogue.why) != STATUS_OK) {
        (void)fprintf(stderr, "usage: queue_rogue URL HOW COUNT %s\n", rogue.why.text);
        return 2;
    }
    chess_init();
    rogue.keys = queue_keys_of(&rogue.url);
    rogue.how = argv[2];
    rogue.count = strtol(argv[3], NULL, 10);
    if (builtin_searcher.create(&rogue.settings, &rogue.searcher, &rogue.why) != STATUS_OK)
        return 1;
    /* On a thread, where a broken connection is no signal. */
    if (thread_start(&thread, run, &rogue) != STATUS_OK || pthread_join(thread, NULL) != 0)
        return 1;
    builtin_searcher.destroy(rogue.searcher);
    if (rogue.status == STATUS_OK)
        return 0;
    (void)fprintf(stderr, "queue_rogue: %s\n", rogue.why.text);
    return 1;
}
