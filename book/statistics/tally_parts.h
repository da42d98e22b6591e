/* A long sequence of tallies made in parts by several threads, and taken in order by one. */
#pragma once

#include "book/statistics/tally.h"

/* Gives the tallies of part number `part` to `sink`. Called once for each part, by any thread; what
 * the sink returns has to be returned. */
typedef enum caxton_status (*tally_part)(void *context, uint64_t part, tally_sink sink,
                                         void *sink_context, struct diag *diag);

/* Gives parts 0..parts, one after the other, to `sink` on the calling thread, while up to `jobs`
 * others make them; with one job, or where there are no more threads, it makes them itself. A
 * thread holds some 1.3 MB. Errors: those of the first part that failed, STATUS_NO_MEMORY, what the
 * sink returns (`diag` untouched). */
MUST_CHECK enum caxton_status tally_parts(uint64_t parts, int jobs, tally_part make, void *context,
                                          tally_sink sink, void *sink_context, struct diag *diag);
