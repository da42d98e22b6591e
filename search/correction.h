/* Corrections of the static evaluation: what the search has learnt of its mean error in positions
 * with the same pawns, minor pieces or pieces of a side, and after the same moves.
 * Source: https://www.chessprogramming.org/Static_Evaluation_Correction_History; the weights are
 * those of Stockfish (August 2026). */
#pragma once

#include "search/worker.h"

/* The correction of the worker's position, in 1/CORRECTION_ONE of a centipawn. */
int correction_find(struct worker *worker);

/* Its static evaluation: `raw`, towards 0 as the 50-move counter rises, corrected. Within
 * +-EVAL_MAX. */
int correction_apply(const struct worker *worker, int raw, int correction);

/* The search found `error` centipawns more than the static evaluation, times a weight that grows
 * with its depth, in 1/1024. */
void correction_learn(struct worker *worker, int error, int weight);
