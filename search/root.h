/* Iterative deepening and its preparation. */
#ifndef CAXTON_SEARCH_ROOT_H
#define CAXTON_SEARCH_ROOT_H

#include "search/worker.h"

/* Copies the request's position, keys and moves into the worker. */
void root_prepare(struct worker *worker);

/* Reports lines 0..multipv-1 of the worker as the search's. */
void root_report(struct worker *worker);

/* The score to show for a root move, whichever iteration it came from. */
int root_score(const struct root_move *root);

#endif
