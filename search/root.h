/* Iterative deepening and its preparation. */
#ifndef CAXTON_SEARCH_ROOT_H
#define CAXTON_SEARCH_ROOT_H

#include "search/worker.h"

/* Copies the request's position, keys and moves into the worker. */
void root_prepare(struct worker *worker);

/* Reports lines 0..multipv-1 of the worker as the search's. */
void root_report(struct worker *worker);

/* Is `m` among the moves of the line being searched? */
bool root_is_wanted(struct worker *worker, move m);

/* Keeps what searching root move `m`, the number-th, gave in the window (alpha, beta), and the
 * nodes it took. */
void root_record(struct worker *worker, move m, int number, int score, int alpha, int beta,
                 uint64_t nodes);

/* Tells the reporter, once the search is slow, that root move `m` is being searched. */
void root_report_current(const struct worker *worker, int depth, move m, int number);

/* The score to show for a root move, whichever iteration it came from. */
int root_score(const struct root_move *root);

#endif
