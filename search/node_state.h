/* What the parts of one node's search hand to each other. */
#ifndef CAXTON_SEARCH_NODE_STATE_H
#define CAXTON_SEARCH_NODE_STATE_H

#include "search/tt.h"
#include "search/update_histories.h"

struct node {
    int alpha;
    int beta;
    int depth;
    bool pv;
    bool cut; /* a cutoff is expected */
    bool root;
    bool in_check;
    bool improving; /* the static evaluation rose since the same side's last move */
    bool tt_hit;
    struct tt_entry entry; /* valid when tt_hit */
    move tt_move;
    bool tt_move_noisy;
    int raw_eval; /* static evaluation before corrections */
    int eval;     /* best estimate: corrected static evaluation, or the table's score */
    move excluded;
    bool multicut; /* the node ends by a multicut */
    int move_count;
    int best;
    move best_move;
    struct searched_moves quiets;
    struct searched_moves noisies;
};

/* A move that is about to be searched. */
struct candidate {
    move move;
    bool quiet;
    bool killer;
    int history;
};

#endif
