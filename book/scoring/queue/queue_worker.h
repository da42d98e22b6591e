/* Takes questions from a queue (queue_backend.h), has them searched on threads of this program, and
 * posts the answers.
 *
 * A worker works for one run after the other, as long as each wants the same searcher. It says
 * regularly that it lives; a search whose worker is silent is given to others. */
#pragma once

#include "book/scoring/queue/queue_url.h"
#include "book/scoring/searcher.h"

struct queue_worker;

/* Who searches. */
struct queue_searcher {
    struct searcher_identity identity;
    const struct searcher_kind *kind;
    const void *settings; /* borrowed until the end */
};

struct queue_worker_options {
    struct queue_url url;
    int threads;     /* searches at a time, at most 1024 */
    int64_t wait_ms; /* without a run, or without a server, for so long is the end; 0: never */

    /* Decides who searches, when there is a run, which wants `wanted`: called once. Errors: `diag`
     * says why; the worker ends with it. */
    enum caxton_status (*choose)(void *context, const struct searcher_identity *wanted,
                                 struct queue_searcher *out, struct diag *diag);
    /* A line for the user. Any thread. */
    void (*tell)(void *context, const char *line);
    void *context;
};

struct queue_worker_counts {
    size_t searched;
    uint64_t nodes;
    uint64_t commands; /* sent to the server by search threads */
};

/* Errors: STATUS_NO_MEMORY, STATUS_THREAD. The caller destroys it. */
MUST_CHECK enum caxton_status queue_worker_create(const struct queue_worker_options *options,
                                                  struct queue_worker **out);
void queue_worker_destroy(struct queue_worker *worker); /* NULL is allowed */

/* Works until there is nothing to do any more. Errors: STATUS_END (queue_worker_stop()),
 * STATUS_ILLEGAL (the run wants another searcher: `diag` names both), those of redis_link.h, of
 * `choose` and of the searcher, STATUS_THREAD. Once. */
MUST_CHECK enum caxton_status queue_worker_run(struct queue_worker *worker, struct diag *diag);

/* Ends the searches at hand and returns their questions. Any thread. */
void queue_worker_stop(struct queue_worker *worker);

/* Any thread. */
struct queue_worker_counts queue_worker_counts(struct queue_worker *worker);
