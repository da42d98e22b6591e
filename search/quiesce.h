/* Quiescence search. Source: https://www.chessprogramming.org/Quiescence_Search */
#pragma once

#include "search/worker.h"

/* As node_search() at depth 0: captures and promotions to a queen until the position is calm, all
 * evasions when in check. */
int quiesce(struct worker *worker, int alpha, int beta);
