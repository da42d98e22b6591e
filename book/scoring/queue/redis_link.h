/* A connection to a Redis server. The only file that knows the library hiredis: where a build lacks
 * it, redis_link_open() says so.
 *
 * Commands are collected and their replies are read one after the other, so that several of them
 * cost one round trip. A connection that failed once is of no use any more: close it.
 *
 * A thread uses one that no other thread uses meanwhile, and blocks SIGPIPE, as those of
 * thread_start() do.
 * Source: Redis protocol specification. */
#pragma once

#include "book/scoring/queue/queue_url.h"

struct redis_link;
struct redis_reply;

/* What the status of a call means here:
 * STATUS_IO         the server is away or cannot do it now (full, loading, read-only ..): try later
 * STATUS_NOT_FOUND  the stream or its group is not there
 * STATUS_AMBIGUOUS  the group is there already
 * STATUS_FORMAT     it will never do it: a wrong password, no permission, a server that is too old
 * `diag` begins with the address. */

/* Connects and says who we are. Errors: as above, STATUS_NO_MEMORY, STATUS_FORMAT (also: this build
 * has no queue, or no TLS). The caller closes. */
MUST_CHECK enum caxton_status redis_link_open(const struct queue_url *url, struct redis_link **out,
                                              struct diag *diag);
void redis_link_close(struct redis_link *link); /* NULL is allowed */

/* Is there a queue in this build? */
bool redis_link_is_built(void);

/* Collects a command: its words, separated by blanks. %s: a text, %b: bytes and their size_t,
 * others as printf's; none is taken for several words. */
void redis_link_add(struct redis_link *link, const char *format, ...);

/* Collects a command of words that were counted at run time. */
void redis_link_add_words(struct redis_link *link, const char *const *words, size_t count);

/* Sends what was collected, and reads the reply to the first command that has none yet. The caller
 * frees it, also when *out is an error of the server. Errors: as above; *out is NULL then, but with
 * errors of the server other than STATUS_IO later replies can be read. */
MUST_CHECK enum caxton_status redis_link_read(struct redis_link *link, struct redis_reply **out,
                                              struct diag *diag);

/* The same for a reply that nobody wants. */
MUST_CHECK enum caxton_status redis_link_skip(struct redis_link *link, struct diag *diag);

/* How many commands were sent over all. */
uint64_t redis_link_commands(const struct redis_link *link);

void redis_reply_free(struct redis_reply *reply); /* NULL is allowed */

/* What a reply or a part of it is; NULL is nothing. A text is borrowed. Other kinds are 0 or empty:
 * so replies that are not what we expect need no care. */
bool redis_reply_is_nil(const struct redis_reply *reply);
struct span redis_reply_text(const struct redis_reply *reply);
int64_t redis_reply_number(const struct redis_reply *reply);
size_t redis_reply_count(const struct redis_reply *reply);
const struct redis_reply *redis_reply_item(const struct redis_reply *reply, size_t index);
