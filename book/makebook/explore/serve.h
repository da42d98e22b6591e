/* explore --serve: the page and the positions of a book over HTTP, for this machine alone. */
#pragma once

#include "base/text.h"
#include "book/makebook/explore/lookup.h"

struct explore_serving {
    struct explore_lookup lookup;
    struct span page; /* the answer to "/" */
    unsigned port;    /* 0: any that is free */
};

/* Listens on 127.0.0.1, prints the address on standard output, and answers one request after the
 * other until Ctrl-C. Errors: STATUS_IO (the port is taken, no sockets; `diag` says why),
 * STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status explore_serve(const struct explore_serving *serving,
                                            struct diag *diag);

/* Is the server part of this build? */
bool explore_can_serve(void);
