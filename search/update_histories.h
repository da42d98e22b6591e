/* Updates of the histories: a bonus for the move that was best, a malus for those searched before
 * it; what a search that fails low, the TT and the static evaluation say of moves.
 * Source: https://www.chessprogramming.org/History_Heuristic; cases and weights: Stockfish (August
 * 2026) */
#pragma once

#include "search/worker.h"

enum { SEARCHED_MAX = 32 };

struct searched_moves {
    move moves[SEARCHED_MAX];
    int count;
};

/* `best` raised alpha or caused a beta cutoff in the node of `ss`, `depth` plies deep. tt_move: the
 * TT move. quiets, noisies: the moves searched before it, which did not. */
void update_histories(struct worker *worker, struct stack *ss, int depth, move best, move tt_move,
                      bool pv, const struct searched_moves *quiets,
                      const struct searched_moves *noisies);

/* No move of the node was good, its score is `best`: then the move that led to it was. */
void update_after_fail_low(struct worker *worker, struct stack *ss, int depth, int best);

/* The TT says that its move `m` causes a cutoff in the node of `ss`. */
void update_from_tt(struct worker *worker, struct stack *ss, move m, int depth);

/* A reduced search found the move of `piece` to the square `to` good. */
void update_after_reduction(struct stack *ss, int piece, int to);

/* The static evaluations before and after a quiet move, each for its side to move, add up to `sum`
 * centipawns: the less, the better was the move. It was the move before `ss`. known: the TT
 * knows the position. */
void update_from_evaluation(struct worker *worker, struct stack *ss, int sum, bool known);
