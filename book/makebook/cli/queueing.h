/* What commands that use a queue have in common: its address and its password. */
#pragma once

#include "book/makebook/cli/command.h"
#include "book/scoring/queue/queue_url.h"

struct queueing {
    const char *url;           /* of --queue, or NULL */
    const char *password_file; /* of --queue-password, or NULL */
};

/* clang-format off */
/* Rows for a command's table; `q` is a struct queueing. */
#define QUEUEING_ROWS(q, about) \
    TEXT_ROW("queue", 0, "URL", about, &(q).url), \
    TEXT_ROW("queue-password", 0, "FILE", "its password, if it is not in $CAXTON_QUEUE_PASSWORD", \
             &(q).password_file)
/* clang-format on */

/* Reads the address; the password comes from the file, from the address, or from the environment
 * variable CAXTON_QUEUE_PASSWORD. Returns EXIT_DONE, or EXIT_USAGE after one line.
 */
int queueing_read(const struct command_line *line, const struct queueing *queueing,
                  struct queue_url *out);
