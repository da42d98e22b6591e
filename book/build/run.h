/* A sorted run of tallies in an unnamed temporary file.
 *
 * A record takes 13 bytes where the counts are small, more as they need it: 35 at most. */
#ifndef CAXTON_BOOK_BUILD_RUN_H
#define CAXTON_BOOK_BUILD_RUN_H

#include <stddef.h>

#include "book/build/tally.h"
#include "chess/status.h"

struct run;

/* A file in `folder` that the system forgets when it is closed. */
MUST_CHECK enum caxton_status run_create(const char *folder, struct run **out, struct diag *diag);
void run_destroy(struct run *run); /* NULL is allowed */

MUST_CHECK enum caxton_status run_write(struct run *run, const struct tally *tally,
                                        struct diag *diag);
/* Ends writing, begins reading. */
MUST_CHECK enum caxton_status run_rewind(struct run *run, struct diag *diag);
/* Errors: STATUS_END, STATUS_IO. */
MUST_CHECK enum caxton_status run_read(struct run *run, struct tally *out, struct diag *diag);

uint64_t run_bytes(const struct run *run);

#endif
