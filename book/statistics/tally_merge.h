/* Several sorted sequences of tallies added up to one. */
#pragma once

#include <stddef.h>

#include "book/statistics/tally.h"

/* Gives the next tally of a sequence, in the order of tally_compare(); STATUS_END at its end. */
typedef enum caxton_status (*tally_source)(void *context, struct tally *out, struct diag *diag);

/* Adds the counts of the same move. Errors: STATUS_RANGE (more than WLD_GAMES_MAX), `diag` says so.
 */
MUST_CHECK enum caxton_status tally_add(struct tally *sum, const struct tally *more,
                                        struct diag *diag);

struct tally_input {
    tally_source next;
    void *context;
    struct tally head; /* private */
};

/* Gives the sums of inputs[0..count), which are used up, to `sink`. Errors: STATUS_RANGE (a sum
 * above WLD_GAMES_MAX), STATUS_NO_MEMORY, those of the sources, those of the sink (`diag`
 * untouched). */
MUST_CHECK enum caxton_status tally_merge(struct tally_input *inputs, size_t count, tally_sink sink,
                                          void *context, struct diag *diag);
