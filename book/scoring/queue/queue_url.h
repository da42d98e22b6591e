/* Where a queue is: the address of a Redis server, and the name of the queue on it.
 *     redis://[user:password@]host[:port]/name
 *     rediss://..                              by TLS
 *     unix://[user:password@]/path/of/socket/name
 * What is no plain character in user and password stands there as %XX. */
#pragma once

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
