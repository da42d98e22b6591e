/* Workers on other machines as the back end of a scorer: questions are posted to streams on a Redis
 * server, workers take them (queue_worker.h) and post answers.
 *
 * What is on the server may be lost at any time: it is posted again. What counts is the store of
 * the scorer. So a server that goes away and comes back, with or without its data, costs time only.
 */
#pragma once

#include "book/scoring/queue/queue_url.h"
#include "book/scoring/scorer_backend.h"

enum {
    QUEUE_LOST_MS = 15000, /* a worker that is silent for so long is lost */
};

struct queue_settings {
    struct queue_url url;
    struct searcher_identity identity; /* what workers must be */
    int64_t lost_ms;
};

/* Its settings are a struct queue_settings.
 * Errors at the start: STATUS_IO, STATUS_FORMAT (see redis_link.h), STATUS_AMBIGUOUS (another run
 * uses the queue). Later the run ends when the server refuses for good, another run takes the
 * queue, a search failed with several workers, or several workers were lost with it. It goes on,
 * and tells the user, when the server is away, a worker of another identity answers, or one answers
 * differently from the first. */
extern const struct scorer_backend queue_backend;
