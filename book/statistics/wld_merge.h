/* Several statistics files added up. */
#pragma once

#include "book/statistics/wld.h"

/* The sums of what `count` readers hold, in order, to `sink`.
 * Errors: as wld_reader_next(), STATUS_RANGE (a sum above WLD_GAMES_MAX), STATUS_NO_MEMORY, what
 * the sink returns (`diag` untouched). */
MUST_CHECK enum caxton_status wld_merge(struct wld_reader *const *readers, size_t count,
                                        tally_sink sink, void *context, struct diag *diag);

/* Adds the lines of `more` to the options in united[WLD_OPTIONS_MAX + 1]: each line once, in the
 * order of their bytes. Errors: STATUS_RANGE (too long), `united` as it was. */
MUST_CHECK enum caxton_status wld_unite_options(char *united, const char *more);
