/* The run receives answers. */
#include <string.h>

#include "book/queue/queue_backend_internal.h"
#include "chess/notation.h"

enum { BATCH_MAX = 256, BLOCK_MS = 200 };

/* Posts the question again. False: it is not posted. *failed: how often it has failed now. */
static bool post_again(struct queue *queue, const struct scorer_job *job, bool has_failed,
                       unsigned *failed)
{
    (void)pthread_mutex_lock(&queue->monitor.mutex);
    struct job_entry *entry = job_table_find(&queue->posted, job);
    bool posted = queue_post_again(queue, entry);
    if (posted)
        *failed = entry->failed += has_failed;
    (void)pthread_mutex_unlock(&queue->monitor.mutex);
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

static void refuse(struct queue *queue, const struct queue_answer *answer,
                   const struct scorer_job *job)
{
    char theirs[QUEUE_IDENTITY_TEXT];
    char ours[QUEUE_IDENTITY_TEXT];
    unsigned failed;
    (void)post_again(queue, job, false, &failed);
    if (!note_refused(queue, answer->worker))
        return;
    queue_identity_text(&answer->identity, theirs);
    queue_identity_text(&queue->run.identity, ours);
    scorer_tell(queue->scorer, "worker %s is refused: its answers are of %s, not of %s",
                answer->worker, theirs, ours);
}

static void take_failure(struct queue *queue, const struct queue_answer *answer,
                         const struct scorer_job *job)
{
    char question[QUEUE_QUESTION_TEXT];
    unsigned failed;
    if (!post_again(queue, job, true, &failed))
        return; /* of an earlier run */
    queue_question_text(&job->question, question);
    if (failed < FAILED_MAX) {
        scorer_tell(queue->scorer, "worker %s: %s: %s; it is given to another one", answer->worker,
                    question, answer->reason);
        return;
    }
    struct diag why;
    diag_set(&why, 0, 0, "%s failed %u times; worker %s: %s", question, failed, answer->worker,
             answer->reason);
    scorer_fail(queue->scorer, STATUS_IO, &why);
}

static bool is_same(const struct search_answer *a, const struct search_answer *b)
{
    return a->best == b->best && a->score == b->score && a->depth == b->depth &&
           a->nodes == b->nodes;
}

static void take_found(struct queue *queue, const struct queue_answer *answer,
                       const struct scorer_job *job)
{
    struct search_answer kept;
    char question[QUEUE_QUESTION_TEXT];
    char first[UCI_MAX];
    char second[UCI_MAX];
    (void)pthread_mutex_lock(&queue->monitor.mutex);
    struct job_entry *entry = job_table_find(&queue->posted, job);
    if (entry) {
        queue->again -= entry->again;
        (void)job_table_remove(&queue->posted, job);
    }
    (void)pthread_mutex_unlock(&queue->monitor.mutex);
    scorer_answer(queue->scorer, job, &answer->answer, &kept);
    if (is_same(&answer->answer, &kept))
        return;
    queue_question_text(&job->question, question);
    move_to_uci(kept.best, false, first);
    move_to_uci(answer->answer.best, false, second);
    scorer_tell(queue->scorer,
                "error: worker %s answers %s with %s (%d, %llu nodes), the first answer was %s "
                "(%d, %llu nodes), which counts: one of two machines does not search right",
                answer->worker, question, second, answer->answer.score,
                (unsigned long long)answer->answer.nodes, first, kept.score,
                (unsigned long long)kept.nodes);
}

static void take_message(struct queue *queue, struct span text)
{
    struct queue_answer answer;
    struct diag why = {.text = ""};
    if (queue_answer_get(text, &answer, &why) != STATUS_OK) {
        scorer_tell(queue->scorer, "%s: an answer is left out: %s", queue->settings.url.shown,
                    why.text);
        return;
    }
    const struct scorer_job job = scorer_job_of(&answer.question);
    unsigned failed;
    if (!queue_identity_is_same(&answer.identity, &queue->run.identity))
        refuse(queue, &answer, &job);
    else if (answer.outcome == QUEUE_FOUND)
        take_found(queue, &answer, &job);
    else if (answer.outcome == QUEUE_FAILED)
        take_failure(queue, &answer, &job);
    else
        (void)post_again(queue, &job, false, &failed);
}

enum caxton_status queue_receive(struct queue *queue, struct redis_link *link, struct diag *diag)
{
    struct redis_reply *reply;
    char ids[BATCH_MAX][32];
    const char *words[BATCH_MAX + 2] = {"XDEL", queue->keys.answers};
    size_t count = 0;
    /* From the beginning: what was received is deleted. */
    redis_link_add(link, "XREAD COUNT %d BLOCK %d STREAMS %s 0", BATCH_MAX, BLOCK_MS,
                   queue->keys.answers);
    enum caxton_status status = redis_link_read(link, &reply, diag);
    /* [[key, [[id, [field, message]] ..]]] */
    const struct redis_reply *entries = redis_reply_item(redis_reply_item(reply, 0), 1);
    for (size_t i = 0; i < redis_reply_count(entries) && count < BATCH_MAX; i++) {
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
