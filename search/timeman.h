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

enum { TIME_TREND = 4 }; /* iterations */

/* What the last iterations said about how hard the move is. How far the score fell may be negative.
 */
struct time_signals {
    int stable;             /* iterations in a row with the same best move */
    int score_drop_cp;      /* how far the score fell since the iteration before */
    int trend_cp;           /* since TIME_TREND iterations before, or since the last search */
    int fall_cp;            /* since the search for the last move, if there was one */
    int best_node_permille; /* share of all nodes spent on the best move */
    int changes_permille; /* 500 for each new best move of the iteration, half of it with each since
                           */
    move best;            /* of the last iteration; MOVE_NONE before the first */
    int score;            /* the same */
    bool has_last;        /* .. and that of the search for the last move is known: */
    int last_score;
    int scores[TIME_TREND]; /* of the last iterations, in a ring */
    unsigned iterations;
};

/* The signals before the first iteration. last_score: of the search for the last move; NULL: there
 * was none. */
void timeman_start(struct time_signals *signals, const int *last_score);

/* A move has become the best one within an iteration. */
void timeman_take_change(struct time_signals *signals);

/* Takes in the next finished iteration: its best move and score, and how many of all nodes of the
 * search went into that move. */
void timeman_take_iteration(struct time_signals *signals, move best, int score, uint64_t best_nodes,
                            uint64_t nodes);

/* The soft limit adjusted to the signals; never above hard_ms. */
int64_t timeman_soft_limit(const struct time_budget *budget, const struct time_signals *signals);
