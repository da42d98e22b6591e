/* What worker 0 tells the reporter while it searches. */
#pragma once

#include "search/worker.h"

/* Has the search lasted so long that a user wants to see how it goes on? */
bool worker_report_is_slow(const struct worker *worker);

/* How many lines the search reports: MultiPV, or all moves when there are fewer. */
int worker_report_lines(const struct worker *worker);

/* Reports one line, from 0; nothing when its move has not been searched yet. */
void worker_report_line(const struct worker *worker, int line);

/* Reports all lines. */
void worker_report_all(const struct worker *worker);

/* Reports, once the search is slow, that root move `m`, the number-th from 1, is being searched. */
void worker_report_current(const struct worker *worker, int depth, move m, int number);
