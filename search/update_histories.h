/* Updates of the histories: a bonus for the move that caused a cutoff, a malus for those searched
 * before it; killer moves and counter moves; what the static evaluation and a search of less depth
 * say of a move.
 * Source: https://www.chessprogramming.org/History_Heuristic, .../Killer_Heuristic,
 * .../Countermove_Heuristic; most of the cases: Stockfish 15.1 */
#pragma once

#include "search/worker.h"

enum { SEARCHED_MAX = 64 };

struct searched_moves {
    move moves[SEARCHED_MAX];
    int count;
};

/* `best` caused a beta cutoff in the node of `ss`, which was `depth` plies deep, or raised its
 * alpha. surplus: its score less beta. quiets, noisies: the moves searched before it, which did
 * not. */
void update_histories(struct worker *worker, struct stack *ss, int depth, move best, int surplus,
                      const struct searched_moves *quiets, const struct searched_moves *noisies);

/* No move of the node was good: then the move that led to it was. weight: how many times the usual
 * bonus that is worth. */
void update_after_fail_low(struct worker *worker, struct stack *ss, int depth, int weight);

/* The table answers the node of `ss`: its move `m` causes a cutoff there, or does not. */
void update_from_table(struct worker *worker, struct stack *ss, move m, int depth, bool cuts);

/* A move of `piece` to the square `to`, which a reduced search found good, raises alpha at `depth`
 * or does not. */
void update_after_reduction(struct stack *ss, int piece, int to, int depth, bool raises,
                            bool noisy);

/* The static evaluations before and after a quiet move, each for its side to move, add up to `sum`
 * centipawns: the less, the better was the move. It was the move before `ss`. */
void update_from_evaluation(struct worker *worker, struct stack *ss, int sum);
