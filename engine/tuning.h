/* The numbers of the search as options, in a build with -DCAXTON_TUNE=ON. In another build there
 * are none. */
#pragma once

#include "engine/report.h"
#include "search/params.h"

/* The number called `name`, in any case; NULL when there is none. */
const struct param *tuning_find(struct span name);

/* Their `option` lines of the answer to `uci`. */
void tuning_list(FILE *out);

/* "NAME, int, 72, 30, 120, 6, 0.002": a line for a tuner that works by SPSA, in the format
 * that OpenBench reads: value, smallest, largest, the step at the end (c_end) and the learning rate
 * at the end (r_end).
 * Source: OpenBench's wiki, SPSA tuning workloads. */
void tuning_report_spsa(FILE *out, const struct param *param);

/* That of every number. */
void tuning_list_spsa(FILE *out);
