/* What a run and its workers write to each other: one line of text each, with a version in front
 * and a checksum behind, so that a person can read it by redis-cli and nothing else passes for it.
 *
 *     caxton-run 1 IDENTITY OWNER LOST_MS SUM
 *     caxton-job 1 IDENTITY depth|nodes N FEN SUM
 *     caxton-answer 1 IDENTITY WORKER depth|nodes N FEN found MOVE SCORE DEPTH NODES SUM
 *                                                       failed REASON SUM
 *                                                       returned SUM
 *
 * IDENTITY is NAME/NETWORK/SIGNATURE/HASH_MB, percent-encoded as OWNER, WORKER and REASON are. A
 * question names itself by its position: there are no numbers that would mean something else after
 * a restart. */
#pragma once

#include "base/text.h"
#include "book/scoring/job_table.h"
#include "book/scoring/searcher.h"

enum {
    QUEUE_MESSAGE_MAX = 1600, /* characters with the final zero */
    QUEUE_WHO_MAX = 96,
    QUEUE_REASON_MAX = 200,
};

enum queue_kind {
    QUEUE_RUN,    /* a run that posts questions */
    QUEUE_JOB,    /* one of its questions */
    QUEUE_ANSWER, /* of a worker */
};

enum queue_outcome {
    QUEUE_FOUND,
    QUEUE_FAILED,   /* the searcher did, for `reason`; or the move is not legal */
    QUEUE_RETURNED, /* the worker was told to end */
};

struct queue_message {
    enum queue_kind kind;
    struct searcher_identity identity;
    char who[QUEUE_WHO_MAX]; /* the run, another one for each start; the worker; of a job nobody */
    int64_t lost_ms;         /* of a run: a worker that is silent for so long is lost */
    struct scorer_question question; /* not of a run */
    enum queue_outcome outcome;      /* of an answer, as the rest */
    struct search_answer answer;     /* QUEUE_FOUND: the move is legal */
    char reason[QUEUE_REASON_MAX];
};

/* Writes it as a terminated line and returns its length. */
size_t queue_message_put(const struct queue_message *message, char out[QUEUE_MESSAGE_MAX]);

/* Reads such a line. Errors: STATUS_FORMAT (no message of that kind, another version, damaged;
 * `diag` says which), STATUS_ILLEGAL (the position has no legal moves). */
MUST_CHECK enum caxton_status queue_message_get(struct span text, enum queue_kind kind,
                                                struct queue_message *out, struct diag *diag);

/* For messages: "depth 20 of FEN". */
enum { QUEUE_QUESTION_TEXT = 160 };

void queue_question_text(const struct scorer_question *question, char out[QUEUE_QUESTION_TEXT]);

/* Percent-encoding: any bytes as one word of plain characters. Source: RFC 3986, section 2.1. */

/* Writes it as it was, terminated, into out[0..capacity). Errors: STATUS_SYNTAX (a % without two
 * hexadecimal digits, or one that stands for a zero byte), STATUS_RANGE (too long). */
MUST_CHECK enum caxton_status percent_decode(struct span text, char *out, size_t capacity);
