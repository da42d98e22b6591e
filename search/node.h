/* Principal variation search of one node. */
#pragma once

#include "search/worker.h"

/* The score of the worker's current position, searched `depth` plies deep: exact inside
 * (alpha, beta), a bound outside. In a PV node (beta - alpha > 1) the line goes to the stack's pv.
 * cut_node: a cutoff is expected here. 0 without meaning once worker_stopped(). */
int node_search(struct worker *worker, int alpha, int beta, int depth, bool cut_node);
