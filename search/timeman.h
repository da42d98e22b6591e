/* How long to think: pure functions of limits and clock readings, in milliseconds. */
#pragma once

#include "search/limits.h"

struct time_budget {
    bool timed;      /* false: no clock limits this search */
    bool fixed;      /* movetime: use all of hard_ms, never stop early */
    int64_t soft_ms; /* start no further iteration after about this long */
    int64_t hard_ms; /* stop in the middle of one */
};

/* The budget of `request` for the side to move at its root. */
struct time_budget timeman_plan(const struct search_request *request);

/* What the last iterations said about how hard the move is. */
struct time_signals {
    int stable;             /* iterations in a row with the same best move */
    int score_drop_cp;      /* how far the score fell since the iteration before; may be negative */
    int best_node_permille; /* share of all nodes spent on the best move */
    move best;              /* of the last iteration; MOVE_NONE before the first */
    int score;              /* the same */
};

/* Takes in the next finished iteration: its best move and score, and how many of all nodes of the
 * search went into that move. */
void timeman_take_iteration(struct time_signals *signals, move best, int score, uint64_t best_nodes,
                            uint64_t nodes);

/* The soft limit adjusted to the signals; never above hard_ms. */
int64_t timeman_soft_limit(const struct time_budget *budget, const struct time_signals *signals);
