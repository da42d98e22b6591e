/* The options of statistics files: lines "NAME VALUE", each once, in the order of their bytes. */
#pragma once

#include "base/text.h"
#include "book/statistics/wld_header.h"

/* Adds the lines of `more` to the options in united[WLD_OPTIONS_MAX + 1]: each line once, in the
 * order of their bytes. Errors: STATUS_RANGE (too long), `united` as it was. */
MUST_CHECK enum caxton_status wld_unite_options(char *united, const char *more);

bool wld_options_have(const char *options, const char *line);

/* Takes the line out, if it is there. */
void wld_options_drop(char *options, const char *line);

/* Do they differ? Then the first line that only `one` has and the first that only `other` has, each
 * empty if there is none. */
bool wld_options_differ(const char *one, const char *other, struct span *only_one,
                        struct span *only_other);
