/* Any bytes as a message of a queue, or as its address. The first byte says what: 0 an address,
 * 1 a run, 2 a job, else an answer; with bit 3 the bytes get a checksum behind them, so that what
 * stands before it is read. What is taken is written and read again, and is the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "book/scoring/queue/queue_message.h"
#include "book/scoring/queue/queue_url.h"
#include "chess/attacks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SUM_BIT = 8, SUM_DIGITS = 16 };

static void check_same(bool same)
{
    if (!same)
        abort();
}

static void read_url(struct span text)
{
    struct queue_url url;
    struct diag diag = {.text = ""};
    if (queue_url_parse(text, &url, &diag) != STATUS_OK)
        check_same(*diag.text);
    else
        check_same(*url.host && *url.name && *url.shown);
}

static void read_run(struct span text)
{
    char again[QUEUE_MESSAGE_MAX];
    struct queue_run run;
    struct queue_run back;
    if (queue_run_get(text, &run, NULL) != STATUS_OK)
        return;
    size_t size = queue_run_put(&run, again);
    check_same(queue_run_get(span_make(again, size), &back, NULL) == STATUS_OK &&
               queue_identity_is_same(&run.identity, &back.identity) &&
               strcmp(run.owner, back.owner) == 0 && run.lost_ms == back.lost_ms);
}

static bool is_same_question(const struct scorer_question *a, const struct scorer_question *b)
{
    const struct scorer_job x = scorer_job_of(a);
    const struct scorer_job y = scorer_job_of(b);
    return scorer_job_is_same(&x, &y);
}

static void read_job(struct span text)
{
    char again[QUEUE_MESSAGE_MAX];
    struct queue_job job;
    struct queue_job back;
    if (queue_job_get(text, &job, NULL) != STATUS_OK)
        return;
    size_t size = queue_job_put(&job, again);
    check_same(queue_job_get(span_make(again, size), &back, NULL) == STATUS_OK &&
               queue_identity_is_same(&job.identity, &back.identity) &&
               is_same_question(&job.question, &back.question));
}

static void read_answer(struct span text)
{
    char again[QUEUE_MESSAGE_MAX];
    struct queue_answer answer;
    struct queue_answer back;
    if (queue_answer_get(text, &answer, NULL) != STATUS_OK)
        return;
    size_t size = queue_answer_put(&answer, again);
    check_same(queue_answer_get(span_make(again, size), &back, NULL) == STATUS_OK &&
               is_same_question(&answer.question, &back.question) &&
               answer.outcome == back.outcome && answer.answer.best == back.answer.best &&
               answer.answer.nodes == back.answer.nodes &&
               strcmp(answer.worker, back.worker) == 0 && strcmp(answer.reason, back.reason) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool ready;
    static void (*const readers[])(struct span) = {read_url, read_run, read_job, read_answer};
    if (!ready)
        chess_init();
    ready = true;
    if (size < 1)
        return 0;
    char *text = malloc(size + SUM_DIGITS + 1);
    if (!text)
        return 0;
    size_t length = size - 1;
    memcpy(text, data + 1, length);
    if (data[0] & SUM_BIT)
        length += (size_t)snprintf(text + length, SUM_DIGITS + 1, "%016llx",
                                   (unsigned long long)checksum_add(CHECKSUM_EMPTY, text, length));
    readers[data[0] & 3](span_make(text, length));
    free(text);
    return 0;
}
