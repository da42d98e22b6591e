/* Any bytes as a message of a queue, or as its address. The first byte says what: 0 an address,
 * 1 a run, 2 a job, else an answer; with bit 3 the bytes get a checksum behind them, so that what
 * stands before it is read. What is taken is written and read again, and is the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "book/scoring/queue/queue_message.h"
#include "book/scoring/queue/queue_url.h"
#include "book/scoring/record.h"
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

static void read_message(struct span text, enum queue_kind kind)
{
    char again[QUEUE_MESSAGE_MAX];
    struct queue_message message;
    struct queue_message back;
    if (queue_message_get(text, kind, &message, NULL) != STATUS_OK)
        return;
    size_t size = queue_message_put(&message, again);
    check_same(queue_message_get(span_make(again, size), kind, &back, NULL) == STATUS_OK &&
               searcher_is_same(&message.identity, &back.identity) &&
               strcmp(message.who, back.who) == 0 && message.lost_ms == back.lost_ms &&
               (kind == QUEUE_RUN || scorer_question_is_same(&message.question, &back.question)) &&
               message.outcome == back.outcome && message.answer.best == back.answer.best &&
               message.answer.nodes == back.answer.nodes &&
               strcmp(message.reason, back.reason) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool ready;
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
    unsigned what = data[0] & 3;
    if (what == 0)
        read_url(span_make(text, length));
    else
        read_message(span_make(text, length), (enum queue_kind)(what - 1));
    free(text);
    return 0;
}
