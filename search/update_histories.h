/* Updates of the histories after a node: a bonus for the move that caused the cutoff, a malus for
 * those searched before it, and the killer moves.
 * Source: https://www.chessprogramming.org/History_Heuristic, .../Killer_Heuristic */
#pragma once

#include "search/worker.h"

enum { SEARCHED_MAX = 64 };

struct searched_moves {
    move moves[SEARCHED_MAX];
    int count;
};

/* `best` caused a beta cutoff in the node of `ss`, `depth` plies deep. quiets, noisies: the moves
 * searched before it, which did not. */
void update_histories(struct worker *worker, struct stack *ss, int depth, move best,
                      const struct searched_moves *quiets, const struct searched_moves *noisies);

/* The table says that the quiet move `m` causes a cutoff in the current position. */
void update_quiet_histories(struct worker *worker, struct stack *ss, move m, int depth);

/* No move of this node raised alpha: what led here, when quiet, was good for the other side. */
void reward_last_move(struct worker *worker, int depth);
