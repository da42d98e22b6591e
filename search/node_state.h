/* One node: what the parts of its search hand to each other, and the parts that do not search. */
#pragma once

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
    bool worsening; /* that of the opponent fell since the last move */
    int correction; /* correction_find() */
    bool tt_hit;
    struct tt_entry entry; /* valid when tt_hit */
    move tt_move;
    bool tt_move_noisy;
    int reduction; /* of the move that led here, plies */
    int raw_eval;  /* static evaluation before corrections */
    int eval;      /* best estimate: corrected static evaluation, or the TT score */
    move excluded;
    bool multicut;    /* the node ends by a multicut */
    int move_count;   /* moves seen so far, pruned ones included */
    bool skip_quiets; /* none of the quiet moves that were not picked yet is looked at */
    int tb_min;       /* a PV node's score is not below this, by endgame tables .. */
    int tb_max;       /* .. nor above this */
    int best;
    move best_move;
    struct searched_moves quiets;
    struct searched_moves noisies;
};

/* Are all moves expected to fail low? */
static inline bool node_is_all(const struct node *node)
{
    return !node->pv && !node->cut;
}

/* How much the static evaluation had to be corrected, whichever way. */
static inline int node_uncertainty(const struct node *node)
{
    return node->correction < 0 ? -node->correction : node->correction;
}

/* Fills what is known of the worker's current position: the arguments, check and the TT entry.
 * The evaluation follows in node_evaluate(), best and best_move when moves are searched. */
void node_init(struct node *node, struct worker *worker, int alpha, int beta, int depth, bool cut);

/* TT cutoff: does the TT entry answer the search? */
bool node_tt_cuts(const struct node *node, struct worker *worker);

/* Do endgame tables answer the node? *score: then its score. If not, the score of a PV node, where
 * the search goes on to find a mate, keeps within what they say. */
bool node_tb_cuts(struct node *node, struct worker *worker, int *score);

/* Fills raw_eval, eval, improving, worsening and the stack's static_eval, and changes the depth
 * where the evaluation says that the move before was reduced too much or too little. */
void node_evaluate(struct node *node, struct worker *worker);

/* Is `m` a move of the root to be searched? MultiPV: the moves of earlier lines are left out; so is
 * what searchmoves does not name, and what endgame tables rank below the best move left. */
bool node_is_root_move(struct worker *worker, move m);

/* Keeps what searching the root move `m` gave, and the nodes it took. */
void node_record_root_move(struct worker *worker, const struct node *node, move m, int score,
                           uint64_t nodes);

/* After all moves: histories, the table and the correction of the evaluation. first_alpha: that of
 * the node before its moves. */
void node_finish(const struct node *node, struct worker *worker, int first_alpha);
