/* Where a queue is: the address of a Redis server, and the name of the queue on it.
 *     redis://[user:password@]host[:port]/name
 *     rediss://..                              by TLS
 *     unix://[user:password@]/path/of/socket/name
 * What is no plain character in user and password stands there as %XX. */
#pragma once

#include <stdio.h>

#include "base/text.h"

enum { QUEUE_HOST_MAX = 256, QUEUE_WORD_MAX = 256, QUEUE_NAME_MAX = 65, QUEUE_PORT = 6379 };

/* All texts are terminated; "": not given. */
struct queue_url {
    bool tls;
    char host[QUEUE_HOST_MAX]; /* or the path of the socket */
    int port;                  /* 0: `host` is a socket */
    char user[QUEUE_WORD_MAX];
    char password[QUEUE_WORD_MAX];
    char name[QUEUE_NAME_MAX];                        /* letters, digits and -_. */
    char shown[QUEUE_HOST_MAX + QUEUE_NAME_MAX + 32]; /* for messages: without the password */
};

/* Errors: STATUS_SYNTAX, STATUS_RANGE; `diag` says what is wrong, and never shows the password. */
MUST_CHECK enum caxton_status queue_url_parse(struct span text, struct queue_url *out,
                                              struct diag *diag);

/* The password is the first line of the bytes. Errors: STATUS_SYNTAX (it is empty), STATUS_RANGE
 * (it is too long). */
MUST_CHECK enum caxton_status queue_url_set_password(struct queue_url *url, struct span text,
                                                     struct diag *diag);

/* How the keys of a queue are called on the server. They stand in one hash slot, so that a cluster
 * of servers keeps them together. */

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
