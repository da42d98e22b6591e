/* How the keys of a queue on a Redis server are called. They stand in one hash slot, so that a
 * cluster of servers keeps them together. */
#pragma once

#include <stdio.h>

#include "book/scoring/queue/queue_url.h"

enum { QUEUE_KEY_MAX = QUEUE_NAME_MAX + 24 };

#define QUEUE_GROUP "workers" /* the consumer group of both streams of questions */

struct queue_keys {
    char run[QUEUE_KEY_MAX];     /* the message of the run that is there; expires when it is not */
    char urgent[QUEUE_KEY_MAX];  /* stream of questions that the run waits for */
    char jobs[QUEUE_KEY_MAX];    /* stream of those that it will probably ask */
    char answers[QUEUE_KEY_MAX]; /* stream */
    char tick[QUEUE_KEY_MAX];    /* a number that the run counts up each second */
    char
        workers[QUEUE_KEY_MAX]; /* sorted set of threads of workers, each by the tick it saw last */
};

static inline struct queue_keys queue_keys_of(const struct queue_url *url)
{
    struct queue_keys keys;
    (void)snprintf(keys.run, sizeof keys.run, "caxton:{%s}:run", url->name);
    (void)snprintf(keys.urgent, sizeof keys.urgent, "caxton:{%s}:urgent", url->name);
    (void)snprintf(keys.jobs, sizeof keys.jobs, "caxton:{%s}:jobs", url->name);
    (void)snprintf(keys.answers, sizeof keys.answers, "caxton:{%s}:answers", url->name);
    (void)snprintf(keys.tick, sizeof keys.tick, "caxton:{%s}:tick", url->name);
    (void)snprintf(keys.workers, sizeof keys.workers, "caxton:{%s}:workers", url->name);
    return keys;
}
