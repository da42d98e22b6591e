/* What makebook learn tells. */
#pragma once

#include <stdio.h>

#include "book/learn/learn.h"

/* What changed, game by game, in the order of the files. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status learn_report_events(FILE *out, const struct learnt *learnt);

/* Numbers of games and changes. */
void learn_report_counts(FILE *out, const struct learn_games *games, const struct learnt *learnt);

/* The first bad games, one line each. */
void learn_report_bad(FILE *out, const struct learn_games *games);
