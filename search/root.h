/* Iterative deepening. */
#pragma once

#include "search/worker.h"

/* Searches deeper and deeper on this worker, after worker_prepare(), until a limit or a stop.
 * Worker 0 reports and decides when to stop. */
void root_iterate(struct worker *worker);
