/* The moves of the root: their scores and lines, kept in order between iterations. */
#pragma once

#include <stdint.h>

#include "search/limits.h"
#include "search/score.h"

struct root_move {
    move move;
    int score; /* of the last completed search of this move; -SCORE_INFINITE when failed low */
    int previous_score; /* of the iteration before */
    int average;        /* of all its scores, the last ones weigh most; -SCORE_INFINITE: none */
    int mean_square;    /* likewise, of score times |score| */
    bool in_tb;         /* endgame tables know the move: */
    int tb_rank;        /* .. its rank among the moves; 0 when they do not */
    int tb_score;       /* .. its score */
    int seldepth;
    enum score_bound bound;
    uint64_t nodes;
    int pv_length; /* at least 1: the move itself */
    move pv[SEARCH_PLY_MAX];
};

/* A move that was not searched yet. */
void root_move_init(struct root_move *root, move m);

/* `m` among moves[first..last), NULL when it is not there. */
struct root_move *root_move_find(struct root_move *moves, int first, int last, move m);

/* The score to show for a root move, whichever iteration it came from. */
int root_move_score(const struct root_move *root);

/* The same as users see it: a move that endgame tables know has their score, unless the search has
 * found a mate. *bound takes what that score says. */
int root_move_shown_score(const struct root_move *root, enum score_bound *bound);

/* Makes `pv` the move `m` and, as far as there is room, the `length` moves `after` it. Returns its
 * length. */
int pv_join(move pv[SEARCH_PLY_MAX], move m, const move *after, int length);

/* Sorts moves[first..last), best first: by the tables' rank, then by score. Equals keep their
 * order, so that moves that failed low stay as the last iteration ranked them. */
void root_moves_sort(struct root_move *moves, int first, int last);
